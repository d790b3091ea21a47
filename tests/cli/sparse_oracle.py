# SPDX-License-Identifier: MIT
"""sparse_oracle.py -- the numbers that occur in binary data, against numpy

sparse.sh runs it, in a scratch directory.  numpy.unique() sorts and counts what
gpuhist counts in tables of keys, in all orders of bytes, on different numbers
of threads, and with too little memory for the tables.  It prints TAP.
"""

import itertools
import json
import os

import numpy as np

import oracle
from oracle import prints, put_tests, run, test

IS_SHORT = os.environ.get('IS_SHORT') == 'yes'
COUNT = 40000 if IS_SHORT else 300000
random = np.random.default_rng(20263)
numbers = itertools.count()


def fails(options, message):
    """Whether gpuhist refuses OPTIONS, with MESSAGE."""
    result = run(options, b'')
    said = result.stderr.decode().splitlines()
    if (result.returncode == 2 and not result.stdout and len(said) == 1 and
            message in said[0]):
        return None
    return 'status %d, %r' % (result.returncode, said)


def save(data):
    """The name of a new file that holds the array DATA."""
    name = 'file%d' % next(numbers)
    data.tofile(name)
    return name


# ---- what should be printed ----

def text(value):
    """A number as gpuhist prints it."""
    value = value.item()
    if isinstance(value, float):
        if np.isnan(value):
            return 'nan'
        written = repr(value)
        return written[:-2] if written.endswith('.0') else written
    return str(value)


def unique(values):
    """The numbers that occur, ascending, and how often each does."""
    if values.dtype.kind == 'f':
        values = values.astype('f8')
        values = np.where(values == 0, 0.0, values)
    return np.unique(values, return_counts=True)


def rows(values):
    return ['%s\t%d' % (text(v), n) for v, n in zip(*unique(values))]


def kinds(dtype):
    """Arrays of DTYPE of many distributions."""
    dtype = np.dtype(dtype)
    if dtype.kind == 'f':
        bits = random.integers(0, 256, COUNT * dtype.itemsize, 'u1')
        yield 'uniform', bits.view(dtype)
        few = np.array([0, -0.0, np.nan, -np.nan, np.inf, -np.inf, 0.1, -0.1,
                        1e-40, 3, -3])
        yield 'few', random.choice(few, COUNT).astype(dtype)
        return
    limits = np.iinfo(dtype)
    wide = random.integers(limits.min, limits.max, COUNT, dtype.newbyteorder('='),
                           endpoint=True)
    yield 'uniform', wide.astype(dtype)
    yield 'sorted', np.sort(wide).astype(dtype)
    yield 'constant', np.full(COUNT, limits.max, dtype)
    yield 'small', random.integers(max(limits.min, -50), 50,
                                   COUNT).astype(dtype)
    hot = np.where(random.random(COUNT) < 0.9, limits.min // 3, wide)
    yield 'hot', hot.astype(dtype)
    edges = np.array([limits.min, limits.min + 1, 0, 1, limits.max - 1,
                      limits.max])
    yield 'the ends', random.choice(edges.astype(dtype), COUNT).astype(dtype)


CODES = [order + code for code in ['u4', 'i4', 'u8', 'i8', 'f2', 'f4', 'f8']
         for order in '<>']


def test_types():
    for code in CODES:
        for name, values in kinds(code):
            test('%s, %s' % (code, name), prints,
                 ['--dtype=' + code, '--nonzero', save(values)], rows(values))
    for code in ['u1', 'i1', '<u2', '>i2']:
        for name, values in kinds(code):
            test('%s, %s' % (code, name), prints,
                 ['--dtype=' + code, '--nonzero', save(values)], rows(values))


def test_runs():
    """Threads, chunks, pipes, several files, and memory for no table."""
    for code, (name, values) in itertools.product(
            ['<u8', '>i4'], itertools.islice(kinds('<i8'), 6)):
        values = values.astype(code)
        file = save(values)
        wanted = rows(values)
        for options in [['-j1'], ['-j2'], ['-j9'], ['--chunk-size=8'],
                        ['--chunk-size=4104', '-j3'], ['--chunk-size=999992']]:
            if options[0] == '--chunk-size=8' and name != 'hot':
                continue
            test('%s, %s: %s' % (code, name, options), prints,
                 ['--dtype=' + code, '--nonzero', *options, file], wanted)
        test('%s, %s: a pipe' % (code, name), prints,
             ['--dtype=' + code, '--nonzero'], wanted, data=values.tobytes())
        test('%s, %s: two files' % (code, name), prints,
             ['--dtype=' + code, '--nonzero', file, file],
             rows(np.concatenate([values, values])))
        for limit in ['8M', '3M']:
            test('%s, %s: --memory-limit=%s' % (code, name, limit), prints,
                 ['--dtype=' + code, '--nonzero', '--memory-limit=' + limit,
                  '-j2', '--chunk-size=64Ki', file], wanted)


def test_spills():
    """The tables are written to files, and merged."""
    values = random.integers(0, 2**64, COUNT, 'u8')
    file = save(values)
    options = ['--dtype=u8', '--nonzero', '--memory-limit=3M', '-j2',
               '--chunk-size=64Ki']
    result = run([*options, '-v', file])
    oracle.ok('tables are spilled', None if (
        b'temporary file' in result.stderr and
        result.stdout.decode().splitlines() == rows(values))
        else result.stderr)
    ranked = sorted(zip(*unique(values)), key=lambda row: -int(row[1]))
    test('--sort=count', prints, [*options, '--sort=count', file],
         ['%d\t%d' % row for row in ranked])
    few = np.concatenate([values, np.repeat(values[:5], [9, 8, 7, 6, 5])])
    wanted = ['%d\t%d' % (v, n) for v, n in zip(values[:5], range(10, 5, -1))]
    test('--top', prints, [*options, '--top=5', save(few)],
         [*wanted, 'other\t%d' % (COUNT - 5)])


def test_operations():
    values = random.integers(0, 2**64, COUNT, 'u8')
    file = save(values)
    for options, done in [
            (['--shift=20'], values >> np.uint64(20)),
            (['--mask=0xff00000000'], values & np.uint64(0xff00000000)),
            (['--mod=100000000000'], values % np.uint64(100000000000)),
            (['--shift=3', '--mask=0xffffffffff0', '--mod=999999999989'],
             (values >> np.uint64(3) & np.uint64(0xffffffffff0)) %
             np.uint64(999999999989))]:
        test(' '.join(options), prints,
             ['--dtype=u8', '--nonzero', *options, file], rows(done))
    signed = values.view('i8')
    test('a signed --mod', prints,
         ['--dtype=i8', '--nonzero', '--mod=1000000000001', file],
         rows(signed % 1000000000001))
    test('a table of all remainders would exceed the memory', prints,
         ['--dtype=u8', '--nonzero', '--mod=100000000', '--memory-limit=100M',
          file], rows(values % np.uint64(100000000)))


def test_records():
    record = np.zeros(COUNT, [('a', 'u1'), ('b', '>u8'), ('c', '<f4'),
                              ('d', '<i4'), ('e', '<u2'), ('f', '<f8')])
    record['a'] = random.integers(0, 9, COUNT)
    record['b'] = random.integers(0, 99, COUNT)
    record['c'] = random.integers(0, 9, COUNT) / 8
    record['d'] = random.integers(-9, 9, COUNT) * 99999999
    record['e'] = random.integers(0, 2**16, COUNT)
    record['f'] = random.integers(-99, 99, COUNT) / 4
    file = save(record)
    layout = '--record=u1,>u8,<f4,<i4,<u2,<f8'
    wanted = ['%d\t%s' % (i + 1, row)
              for i, name in enumerate(record.dtype.names)
              for row in rows(record[name])]
    for options in [['-j1'], ['-j3'], ['--chunk-size=2700']]:
        test('records: %s' % options, prints,
             [layout, '--nonzero', *options, file], wanted)
    bins = [np.histogram(record[name], edges)[0] for name, edges in [
        ('a', np.arange(0, 12, 3)), ('f', np.arange(-32, 40, 8))]]
    lines = ['1\t%d\t%d\t%d' % (3 * i, 3 * i + 3, n)
             for i, n in enumerate(bins[0]) if n > 0]
    lines += ['2\t%s\t%s\t%s' % (row.split('\t')[0], row.split('\t')[0],
                                 row.split('\t')[1])
              for row in rows(record['b'])]
    test('fields with and without bins', prints,
         [layout, '--nonzero', '-f1,2', '-b3', '-b-', '--range=0,9',
          '--range=-', file], lines)
    with_range = run([layout, '--nonzero', '-f6', '-b8', '--range=auto', file])
    beside = run([layout, '--nonzero', '-f6,2', '-b8', '-b-', '--range=auto',
                  '--range=-', '-j3', '--chunk-size=2700', file])
    oracle.ok('a range that is found beside numbers without bins', None if
                    [line for line in beside.stdout.decode().splitlines()
                     if line.startswith('6\t')] ==
                    ['6\t' + line for line in
                     with_range.stdout.decode().splitlines()]
                    else beside.stderr or 'another histogram')
    np.save('record.npy', record)
    test('--npy', prints, ['--npy', '--nonzero', '-f', 'b', 'record.npy'],
         rows(record['b']))
    test('--npy, a name', prints, ['--npy', '--nonzero', '-f', 'd,b',
                                   'record.npy'],
         ['%s\t%s' % (name, row)
          for name in 'db' for row in rows(record[name])])


def test_formats():
    """What a table with a bin for each value prints with --nonzero."""
    file = save(random.choice(random.integers(0, 65536, 60),
                              2000).astype('<u4'))
    for form, option in itertools.product(
            ['tsv', 'csv', 'md', 'uniq'],
            ['--nonzero', '--top=3', '--min-count=30', '--max-count=33',
             '--min-count=30 --max-count=35 --top=2', '--nonzero --percent',
             '--nonzero --sort=count', '--nonzero --cumulative --header-out',
             '--top=3 --no-other -q']):
        if form == 'uniq' and ('--percent' in option or '--cum' in option):
            continue
        # A warning says what uniq leaves out.
        options = ['--dtype=u4', '-q', '--format=' + form, *option.split()]
        dense = run([*options, '--range=0,65536', file])
        test('%s %s' % (form, option), prints, [*options, file],
             dense.stdout.decode().splitlines())
    result = run(['--dtype=u4', '--nonzero', '--format=json', file])
    made = json.loads(result.stdout)
    values, counts = unique(np.fromfile(file, '<u4'))
    wanted = [{'value': int(v), 'count': int(n)} for v, n in zip(values, counts)]
    oracle.ok('json', None if
                    made['histograms'][0]['bins'] == wanted and
                    made['histograms'][0]['axes'][0] == {
                        'field': 1, 'name': 'value', 'type': 'u4',
                        'bins': len(values)}
                    else result.stdout[:300])


def snapshots(options):
    """The reports that gpuhist prints, and whether each is a snapshot."""
    text = run(['--every=%d' % (COUNT * 2), '--format=json',
                *options]).stdout.decode()
    decoder = json.JSONDecoder()
    while text:
        report, end = decoder.raw_decode(text)
        text = text[end:].lstrip()
        yield report, 'snapshot' in report


def every(values, options, is_reset):
    """
    Whether snapshots count the records up to each size, or from one to the
    next; field 1 is beside numbers without bins.
    """
    begin = done = 0
    for report, is_snapshot in snapshots(options):
        begin = done if is_reset and is_snapshot else 0
        done = begin + report['records'] if is_snapshot else len(values)
        part = values[begin:done]
        fields = [{line['lo']: line['count'] for line in one['bins']}
                  for one in report['histograms'][-2:]]
        wanted = [{v.item(): n.item() for v, n in zip(*unique(part[name]))}
                  for name in ['b', 'c']]
        if fields != wanted:
            return 'another count from record %d to %d' % (begin, done)
        first = report['histograms'][0]
        sums = sum(line['count'] for line in first['bins'] + first['flow'])
        if sums != len(part) or (not is_reset and any(
                line['count'] != ((part['a'] >= line['lo']) &
                                  (part['a'] < line['hi'])).sum()
                for line in first['bins'])):
            return 'another histogram from record %d to %d' % (begin, done)
    return None if done == len(values) else 'only %d records' % done


def test_every():
    values = np.zeros(COUNT, [('a', '<i2'), ('b', '<u8'), ('c', '>i4')])
    values['a'] = np.cumsum(random.integers(-30, 30, COUNT)) % 30000
    values['b'] = random.integers(0, COUNT // 3, COUNT) * 2**40
    values['c'] = random.integers(-2**31, 2**31, COUNT)
    file = save(values)
    options = ['--record=<i2,<u8,>i4', '--nonzero', '-b20', '-b-', '-b-',
               '--range=auto', '--range=-', '--range=-']
    for more in [['-j1'], ['-j3', '--chunk-size=7000'],
                 ['-j2', '--memory-limit=5M', '--chunk-size=64Ki']]:
        test('--every %s' % more, every, values, [*options, *more, file], False)
        test('--every --reset %s' % more, every, values,
             [*options, '--reset', *more, file], True)


def test_refusals():
    for options in [['--dtype=u4'], ['--dtype=i8'], ['--dtype=f8']]:
        test(' '.join(options), fails, options, '--nonzero lists')
    options = ['--record=u4,u4', '--weights=2', '--nonzero']
    test(' '.join(options), fails, options, '--log or --scale')
    for option in ['--device=cuda', '--device=opencl', '--list-strategies']:
        test(option, fails, ['--dtype=u4', '--nonzero', option],
             'for GPUs, which need bins for each field')
    for option in ['--density', '--flow=clamp']:
        test(option, fails, ['--dtype=u4', '--nonzero', option], option)
    for code in ['u4', 'f8']:
        test('no %s' % code, prints, ['--dtype=' + code, '--nonzero'], [],
             data=b'')
        test('--top of no %s' % code, prints, ['--dtype=' + code, '--top=3'], [],
             data=b'')


test_types()
test_runs()
test_spills()
test_operations()
test_records()
test_formats()
test_every()
test_refusals()
put_tests()
