# SPDX-License-Identifier: MIT
"""sample_groups_oracle.py -- groups of binary records, against Python

sample_groups.sh runs it, in a scratch directory.  collections.Counter counts the
tuples of numbers that numpy reads.  It prints TAP.
"""

import collections
import json
import os

import numpy as np

import oracle
from oracle import prints, put_tests, run, test

IS_SHORT = os.environ.get('IS_SHORT') == 'yes'
COUNT = 4000 if IS_SHORT else 40000
random = np.random.default_rng(44)

FIELDS = [('a', 'u1'), ('b', '<f4'), ('c', '>i2'), ('d', '<f8'), ('e', '>u8'),
          ('f', '<i4'), ('g', '>f2'), ('h', '<i8')]
LAYOUT = '--record=' + ','.join(code for _, code in FIELDS)
NAMES = [name for name, _ in FIELDS]


# ---- what should be printed ----

def text(value):
    """A number as gpuhist prints it."""
    if isinstance(value, float):
        if value != value:
            return 'nan'
        written = repr(value)
        return written[:-2] if written.endswith('.0') else written
    return str(value)


def numbers(column):
    """The numbers of COLUMN: one zero, and one NaN."""
    if column.dtype.kind != 'f':
        return [int(value) for value in column]
    values = column.astype('f8')
    values = np.where(values == 0, 0.0, values)
    return [np.nan if np.isnan(v) else float(v) for v in values]


def order(key):
    """Ascending, NaN last."""
    return tuple((v != v, 0 if v != v else v) for v in key)


def count(data, names):
    """(tuple of numbers, count), in order."""
    counts = collections.Counter(zip(*(numbers(data[name]) for name in names)))
    return sorted(counts.items(), key=lambda item: order(item[0]))


def row(key, n):
    return '\t'.join([*map(text, key), str(n)])


def rows(data, names):
    return [row(*item) for item in count(data, names)]


def fields(*names):
    """Their numbers, as lists have them."""
    return ','.join(str(NAMES.index(name) + 1) for name in names)


def fails(options, message):
    """Whether gpuhist refuses OPTIONS, with MESSAGE."""
    result = run(options, b'')
    said = result.stderr.decode().splitlines()
    if (result.returncode == 2 and not result.stdout and len(said) == 1 and
            message in said[0]):
        return None
    return 'status %d, %r' % (result.returncode, said)


# ---- records ----

def make(size):
    data = np.zeros(size, FIELDS)
    data['a'] = random.integers(0, 5, size)
    data['b'] = random.choice(np.array(
        [0, -0.0, np.nan, -np.nan, np.inf, -np.inf, 0.1, 1e-40, 3e38, -7.5],
        '<f4'), size)
    data['c'] = random.integers(-3, 3, size) * 5000
    data['d'] = random.integers(-40, 40, size) / 8
    data['e'] = random.choice(np.array([0, 1, 2**63, 2**64 - 1], 'u8'), size)
    data['f'] = random.integers(-2, 2, size)
    data['g'] = random.integers(-3, 3, size) / 4
    data['h'] = random.choice(np.array([-2**63, -1, 0, 2**63 - 1]), size)
    return data


DATA = make(COUNT)
DATA.tofile('file')
np.save('file.npy', DATA)
MANY = make(COUNT)
MANY['e'] = random.integers(0, 2**64, COUNT, 'u8')
MANY.tofile('many')


def test_groups():
    for names in ['a', 'b', 'e', 'ab', 'bc', 'dgf', 'abcdefgh', 'ha']:
        for options in [['-j1'], ['-j2'], ['-j7', '--chunk-size=3700']]:
            test('-g %s %s' % (names, options), prints,
                 [LAYOUT, '-g', fields(*names), *options, 'file'],
                 rows(DATA, names))
    for groups, own in [('a', 'b'), ('b', 'd'), ('ac', 'e'), ('h', 'g')]:
        wanted = rows(DATA, groups + own)
        options = ['-g', fields(*groups), '-f', fields(*own)]
        for more in [[], ['-j3', '--chunk-size=74'], ['--nonzero']]:
            test('%s %s' % (options, more), prints,
                 [LAYOUT, *options, *more, 'file'], wanted)
        test('%s: a pipe' % options, prints, [LAYOUT, *options], wanted,
             data=DATA.tobytes())
        test('%s: .npy' % options, prints,
             ['--npy', '-g', ','.join(groups), '-f', own, 'file.npy'], wanted)
    test('several fields', prints,
         [LAYOUT, '-g', fields('a'), '-f', fields('c', 'b'), 'file'],
         ['3\t' + line for line in rows(DATA, 'ac')] +
         ['2\t' + line for line in rows(DATA, 'ab')])


def test_spills():
    wanted = rows(MANY, 'ae')
    options = [LAYOUT, '-g', fields('a'), '-f', fields('e'), '-j2',
               '--chunk-size=64Ki', '--memory-limit=3M', 'many']
    test('--memory-limit', prints, options, wanted)
    if not IS_SHORT:
        result = run([*options, '-v'])
        oracle.ok('tables are spilled', None if b'temporary file' in
                  result.stderr else result.stderr)


def test_bins():
    for code, low, high, n in [('d', -4, 4, 16), ('c', -10000, 10000, 5),
                               ('g', -1, 1, 4), ('h', -2, 2, 2)]:
        edges = np.linspace(low, high, n + 1)
        lines = []
        for key in sorted(set(numbers(DATA['a']))):
            values = DATA[code][DATA['a'] == key].astype('f8')
            counts = [(values >= lo) & (values < hi)
                      for lo, hi in zip(edges[:-1], edges[1:])]
            cells = [('-inf', text(float(edges[0])), (values < low).sum())]
            cells += [(text(float(lo)), text(float(hi)), c.sum())
                      for lo, hi, c in zip(edges[:-1], edges[1:], counts)]
            cells += [(text(float(edges[-1])), 'inf', (values >= high).sum())]
            lines += ['%s\t%s\t%s\t%d' % (key, *cell) for cell in cells
                      if cell[2]]
        test('bins of %s' % code, prints,
             [LAYOUT, '-g', fields('a'), '-f', fields(code), '-b', str(n),
              '--range=%s,%s' % (low, high), 'file'], lines)
    for code in 'bdgeh':
        options = [LAYOUT, '-g', fields('a', 'c'), '-f', fields(code), '-b8',
                   '--range=auto']
        one = run([*options, '-j1', 'file'])
        oracle.ok('--range=auto of %s prints rows' % code,
                  None if one.stdout.count(b'\n') > 30 else one)
        for more in [['-j7', '--chunk-size=74'], ['-j2']]:
            test('--range=auto of %s %s' % (code, more), prints,
                 [*options, *more, 'file'], one.stdout.decode().splitlines())


def test_joint():
    for names in ['de', 'ab', 'cf', 'bdh']:
        test('--joint of %s' % names, prints,
             [LAYOUT, '--joint', '--nonzero', '-f', fields(*names), 'file'],
             rows(DATA, names))
    wide = np.zeros(COUNT, [('x', '<u2'), ('y', '>u2')])
    wide['x'] = random.integers(0, 2**16, COUNT)
    wide['y'] = random.integers(0, 2**16, COUNT)
    wide.tofile('wide')
    test('--joint of all pairs of u2', prints,
         ['--record=<u2,>u2', '--joint', '--nonzero', 'wide'],
         rows(wide, 'xy'))
    ranked = sorted(count(DATA, 'db'), key=lambda item: -item[1])
    test('--joint --top', prints,
         [LAYOUT, '--joint', '--top=5', '-f', fields('d', 'b'), 'file'],
         [row(*item) for item in ranked[:5]] +
         ['other\tother\t%d' % sum(n for _, n in ranked[5:])])


def test_order():
    items = count(DATA, 'ad')
    total = collections.Counter()
    for key, n in items:
        total[key[0]] += n
    best = sorted(total, key=lambda key: (-total[key], key))
    rest = sum(total[key] for key in best[2:])
    test('--top of groups', prints,
         [LAYOUT, '-g', fields('a'), '-f', fields('d'), '--top=2', '-q',
          '--no-other', 'file'],
         [row(key, n) for group in best[:2] for key, n in items
          if key[0] == group])
    test('--top of groups alone', prints,
         [LAYOUT, '-g', fields('a'), '--top=2', 'file'],
         ['%d\t%d' % (key, total[key]) for key in best[:2]] +
         ['other\t%d' % rest])
    lines = []
    for group in sorted(total):
        own = sorted(((key, n) for key, n in items if key[0] == group),
                     key=lambda item: (-item[1], item[0]))
        lines += [row(*item) for item in own[:3]]
        lines += ['%d\tother\t%d' % (group, sum(n for _, n in own[3:]))]
    test('--top-each', prints,
         [LAYOUT, '-g', fields('a'), '-f', fields('d'), '--top-each=3',
          'file'], lines)
    test('--percent=group', prints,
         [LAYOUT, '-g', fields('a'), '-f', fields('c'), '--percent=group',
          'file'],
         ['%s\t%s' % (row(key, n), text(n * 100 / total[key[0]]))
          for key, n in count(DATA, 'ac')])
    least = 420 * COUNT // 4000
    for options, limits in [(['--min-count=%d' % least], (least, COUNT)),
                            (['--max-count=%d' % least], (0, least))]:
        test(options[0], prints,
             [LAYOUT, '-g', fields('a'), *options, '-q', '--no-other', 'file'],
             ['%d\t%d' % (key, total[key]) for key in sorted(total)
              if limits[0] <= total[key] <= limits[1]])


def test_states():
    """Shards, states and merges; snapshots; files one by one."""
    for options, more in [
            (['-g', fields('a')], []),
            (['-g', fields('a', 'b'), '-f', fields('d')], ['--top=3']),
            (['-g', fields('c'), '-f', fields('d'), '-b4', '--range=auto'],
             ['--percent=group']),
            (['--joint', '-f', fields('b', 'e')], ['--nonzero'])]:
        name = 'state' + str(len(oracle.tests))
        whole = run([LAYOUT, *options, *more, 'file', 'many'])
        for shard in '123':
            run([LAYOUT, *options, *more, '--shard=%s/3' % shard,
                 '--state=%s.%s' % (name, shard), 'file', 'many'])
        test('--merge of shards: %s' % options, prints,
             ['--merge', *more, *(name + '.' + s for s in '123')],
             whole.stdout.decode().splitlines())
    result = run([LAYOUT, '-g', fields('a'), '-f', fields('c'), '--every=%d' %
                  (DATA.itemsize * 1000), '--format=json', 'file'])
    decoder = json.JSONDecoder()
    left = result.stdout.decode()
    wrong = result.stderr
    while left:
        report, end = decoder.raw_decode(left)
        left = left[end:].lstrip()
        part = DATA[:report['records']]
        got = [tuple(line.values()) for line in
               report['histograms'][0]['bins']]
        wanted = [(*key, n) for key, n in count(part, 'ac')]
        wrong = wrong or (got != wanted and (report['records'], got, wanted))
    oracle.ok('--every', wrong or None)
    per_file = run([LAYOUT, '-g', fields('a'), '--per-file', 'file', 'many'])
    oracle.ok('--per-file', oracle.difference(
        per_file.stdout.decode().splitlines(),
        [name + '\t' + line for name, data in [('file', DATA), ('many', MANY)]
         for line in rows(data, 'a')]))


def test_holes():
    """A hole of a file has records of zeros."""
    with open('holes', 'wb') as file:
        file.write(DATA.tobytes())
        file.truncate(DATA.itemsize * (COUNT + 3000000))
    zeros = np.zeros(1, FIELDS)
    wanted = collections.Counter(dict(count(DATA, 'db')))
    wanted[(0.0, 0.0)] += 3000000
    test('a hole', prints, [LAYOUT, '-g', fields('d', 'b'), 'holes'],
         [row(*item) for item in
          sorted(wanted.items(), key=lambda item: order(item[0]))])
    assert rows(zeros, 'db') == ['0\t0\t1']


def test_images():
    pixels = random.integers(0, 3, (40, 30, 3)).astype('u1')
    with open('image.ppm', 'wb') as file:
        file.write(b'P6 30 40 255\n' + pixels.tobytes())
    flat = pixels.reshape(-1, 3)
    data = np.zeros(len(flat), [('r', 'u1'), ('g', 'u1'), ('b', 'u1')])
    for i, name in enumerate('rgb'):
        data[name] = flat[:, i]
    test('-g of an image', prints,
         ['--image', '-g', 'red,blue', '-f', 'green', 'image.ppm'],
         rows(data, 'rbg'))


def test_short_floats():
    bits = np.arange(256, dtype='u1')
    data = np.zeros(512, [('k', 'u1'), ('v', 'u1')])
    data['v'] = np.tile(bits, 2)
    data.tofile('short')
    result = run(['--record=u1,f8e5m2', '-g1', '-f2', 'short'])
    with np.errstate(all='ignore'):
        values = (bits.astype('u2') << 8).view('f2')
    wanted = np.zeros(512, [('k', 'u1'), ('v', 'f2')])
    wanted['v'] = np.tile(values, 2)
    oracle.ok('f8e5m2 has numbers in groups', oracle.difference(
        result.stdout.decode().splitlines(), rows(wanted, 'kv')))


def test_refusals():
    for options, message in [
            (['-g1', '-f1'], 'field 1 is a field of --group-by, too'),
            (['-g1', '-b3'], 'no bins: the options for bins are for --fields'),
            (['-g9'], "--group-by=9: '9' is not a field from 1 to 8"),
            (['-g1', '-f2', '--weights=3'], '--weights beside --group-by'),
            (['-g1', '-f2', '--stats'], '--columns'),
            (['-g1', '-f2', '--device=cuda'], 'GPUs'),
            (['-g1', '-f2', '--where=a>1'], '--where is for fields of text')]:
        test(' '.join(options), fails, [LAYOUT, *options], message)
    test('no records', prints, [LAYOUT, '-g1', '-f2'], [], data=b'')


test_groups()
test_spills()
test_bins()
test_joint()
test_order()
test_states()
test_holes()
test_images()
test_short_floats()
test_refusals()
put_tests()
