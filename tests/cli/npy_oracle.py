# SPDX-License-Identifier: MIT
"""npy_oracle.py -- what gpuhist --npy prints, against numpy

npy.sh runs it, in a scratch directory.  numpy writes files, and gpuhist must
count what numpy has in memory.  Then the files are damaged.  It prints TAP.
"""

import io
import itertools
import os
import shutil
import subprocess
import warnings

import numpy as np

import oracle
from oracle import prints, put_tests, run, skip, test

warnings.simplefilter('ignore')
HAS_ZSTD = os.environ.get('HAVE_ZSTD') == 'yes' and shutil.which('zstd')
# Larger than two chunks: read in ranges by several threads.
LARGE = 300007
random = np.random.default_rng(20262)
numbers = itertools.count()


def fails(options, status, message, data=None):
    """Whether gpuhist ends with STATUS, prints nothing, and says MESSAGE."""
    result = run(options, data)
    said = result.stderr.decode().splitlines()
    if (result.returncode == status and not result.stdout and len(said) == 1 and
            said[0].startswith('gpuhist: ' + message)):
        return None
    return 'status %d, %d bytes printed, %r' % (result.returncode,
                                                len(result.stdout), said)


# ---- files ----

def save(data, end='.npy'):
    """The name of a new file that holds DATA: bytes, or an array."""
    name = 'file%d%s' % (next(numbers), end)
    with open(name, 'wb') as file:
        file.write(data if isinstance(data, bytes) else npy(data))
    return name


def npy(array, version=None):
    """The bytes of a file that numpy writes."""
    out = io.BytesIO()
    np.lib.format.write_array(out, array, version=version)
    return out.getvalue()


def by_hand(text, data, version=1):
    """A file with the header TEXT."""
    size = 2 if version == 1 else 4
    return (b'\x93NUMPY' + bytes([version, 0]) +
            len(text).to_bytes(size, 'little') + text.encode() + data)


# ---- what should be printed ----

LO, HI, BINS = -3, 5, 8
OPTIONS = ['-b', str(BINS), '--range=%d,%d' % (LO, HI), '--flow=show']


def rows(values, weights=None):
    """The rows of VALUES, with all flow cells that their type can have."""
    values = np.asarray(values)
    kind = values.dtype.kind
    values = values.ravel()
    values = values.astype('i8') if kind in 'bmM' else values
    least = 0 if kind in 'ub' else None
    counts = lambda mask: int(mask.sum() if weights is None else
                              weights[mask].sum())
    lines = [] if least == 0 and LO <= 0 else [
        ('-inf', LO, counts(values < LO))]
    if least == 0:
        lines = [('-inf', LO, 0)]
    for edge in range(LO, HI):
        lines.append((edge, edge + 1,
                      counts((values >= edge) & (values < edge + 1))))
    lines.append((HI, 'inf', counts(values >= HI)))
    if kind == 'f':
        lines.append(('nan', 'nan', counts(np.isnan(values))))
    return ['%s\t%s\t%d' % line for line in lines]


def fields_of(array, prefix=''):
    """The fields of a structured array that gpuhist counts, by name."""
    kind = array.dtype.kind
    if array.dtype.names is not None:
        for name in array.dtype.names:
            base = array.dtype.fields[name][0]
            part = array[name]
            for index in np.ndindex(*base.shape):
                yield from fields_of(
                    part[(Ellipsis, *index)], prefix + '.' + name +
                    ''.join('[%d]' % i for i in index))
    elif kind == 'c':
        yield from fields_of(array.real, prefix + '.real')
        yield from fields_of(array.imag, prefix + '.imag')
    elif kind in 'buifmM' and array.dtype.itemsize <= 8:
        yield prefix[1:], array


def lines_of(array, names=None):
    """What is printed of the fields called NAMES, or of all."""
    fields = list(fields_of(array))
    if names is not None:
        fields = [(name, dict(fields)[name]) for name in names]
    if len(fields) == 1:
        return rows(fields[0][1])
    return ['%s\t%s' % (name, row) for name, values in fields
            for row in rows(values)]


# ---- plain types ----

def sample(shape, dtype):
    """Small numbers, and some others."""
    values = random.integers(-5, 9, shape)
    dtype = np.dtype(dtype)
    if dtype.kind == 'b':
        return random.integers(0, 2, shape).astype(dtype)
    if dtype.kind == 'u':
        return np.abs(values).astype(dtype)
    if dtype.kind == 'c':
        return (values + 1j * random.integers(-5, 9, shape)).astype(dtype)
    if dtype.kind == 'f':
        return (values / 2).astype(dtype)
    return values.astype('i8').astype(dtype)


def test_plain():
    codes = ['u1', 'i1', 'b1', *(order + code for order in '<>' for code in [
        'u2', 'i2', 'u4', 'i4', 'u8', 'i8', 'f2', 'f4', 'f8', 'M8[ns]',
        'm8[D]', 'c8', 'c16'])]
    for code in codes:
        for shape in [(), (0, 4), (1,), (7, 3, 5)]:
            array = np.array(sample(shape, code), dtype=code)
            wanted = lines_of(array)
            test('%s %s' % (code, shape), prints,
                 ['--npy', *OPTIONS, save(array)], wanted)
        array = sample(1000, code)
        test('%s, a pipe' % code, prints, ['--npy', *OPTIONS], lines_of(array),
             data=npy(array))
    array = np.asfortranarray(sample((60, 50), '<i4'))
    test('fortran_order', prints, ['--npy', *OPTIONS, save(array)],
         lines_of(array))
    bools = random.integers(0, 2, 1000).astype('?')
    test('booleans have two lines', prints, ['--npy', save(bools)],
         ['%d\t%d' % (v, (bools == v).sum()) for v in range(2)])
    odd = by_hand("{'descr': '|b1', 'fortran_order': False, 'shape': (3,)}",
                  b'\0\1\7')
    test('a boolean of 7 is outside', prints, ['--npy', save(odd)],
         ['0\t1', '1\t1', 'inf\t1'])


def test_versions():
    array = sample(200, '<i2')
    for version in [(1, 0), (2, 0), (3, 0)]:
        test('version %d.%d' % version, prints, ['--npy', *OPTIONS,
                                                 save(npy(array, version))],
             lines_of(array))
    for version, fields in [(1, 3000), (2, 4096)]:
        many = np.zeros(3, [('f%d' % i, 'u1') for i in range(fields)])
        last = 'f%d' % (fields - 1)
        many[last] = [0, 1, 1]
        data = npy(many, (version, 0))
        test('a header of %d bytes' % (len(data) - many.nbytes), prints,
             ['--npy', '-f', last, '--nonzero', save(data)], ['0\t1', '1\t2'])


def test_readers():
    """Ranges, chunks, threads, decoders and snapshots."""
    for code in ['<i4', '>f8', 'u1', [('a', '<i4'), ('b', 'i1'), ('c', '>i2')]]:
        if isinstance(code, list):
            array = np.zeros(LARGE, code)
            for name in array.dtype.names:
                array[name] = sample(LARGE, array.dtype[name])
        else:
            array = sample(LARGE, code)
        wanted = lines_of(array)
        data = npy(array)
        name = save(data)
        for options in [[], ['-j1'], ['-j7', '--chunk-size=4Ki'],
                        ['--chunk-size=1000003'], ['-j3', '--chunk-size=1777']]:
            test('%s %s' % (code, options), prints,
                 ['--npy', *OPTIONS, *options, name], wanted)
            test('%s %s, a pipe' % (code, options), prints,
                 ['--npy', *OPTIONS, *options], wanted, data=data)
        both = np.concatenate([array, array[:100]])
        test('%s: two files' % (code,), prints,
             ['--npy', *OPTIONS, name, save(array[:100])], lines_of(both))
        test('%s: a file and a pipe' % (code,), prints,
             ['--npy', *OPTIONS, name, '-'], lines_of(both),
             data=npy(array[:100]))
        test('%s: --skip-bytes' % (code,), prints,
             ['--npy', *OPTIONS, '--skip-bytes=13',
              save(b'thirteen byte' + data)],
             wanted)
        if not HAS_ZSTD:
            skip('%s: zstd' % (code,), 'no zstd in this build, or no program')
            continue
        half = len(data) // 2
        subprocess.run(['zstd', '-q', '-k', name], check=True)
        frames = save(b''.join(
            subprocess.run(['zstd', '-q', '-c'], input=part, check=True,
                           capture_output=True).stdout
            for part in [data[:50], data[50:half], data[half:]]), '.zst')
        for file in [name + '.zst', frames]:
            test('%s: %s' % (code, file), prints,
                 ['--npy', *OPTIONS, '-j4', file], wanted)
        test('%s: zstd, longer' % (code,), fails,
             ['--npy', *OPTIONS, save(subprocess.run(
                 ['zstd', '-q', '-c'], input=data + b'x', check=True,
                 capture_output=True).stdout, '.zst')], 1,
             'file%d.zst: bytes after the array, which ends at byte %d' % (
                 next(numbers) - 1, len(data)))
    small = sample(1000, '<i4')
    test('an array with an image of itself behind, as ranges', fails,
         ['--npy', *OPTIONS, save(npy(array) * 2)], 1,
         'file%d.npy: %d bytes after the array' % (next(numbers) - 1,
                                                   len(npy(array))))
    test('--every', prints, ['--npy', *OPTIONS, '--every=1h', '--format=jsonl',
                             '-o', 'every', save(small)], [])


# ---- structured types ----

TYPES = [
    [('price', '<f4'), ('size', '>u2')],
    [('only', '<i2')],
    [('a', 'i1'), ('name', 'S5'), ('b', '<f8'), ('text', '<U3'), ('c', '?')],
    [('x', '<i2', (3,)), ('m', '>i4', (2, 2)), ('e', 'u1', (0,))],
    [('n', [('a', '<u4'), ('z', '<c8'), ('p', [('q', 'i1', (2,))])], (2,)),
     ('when', '<M8[us]'), ('long', 'g'), ('big', '>c16')],
    [(('a title', 'name'), '<i4'), ('prïce €', 'i1'), ("it's", 'i1')],
]


def fill(array):
    """Put small numbers into all fields of ARRAY."""
    if array.dtype.names is None:
        if array.dtype.kind in 'SU':
            array[...] = 'abc'
        elif array.size > 0:
            array[...] = sample(array.shape, 'i8' if array.dtype.kind in 'g'
                                else array.dtype)
        return
    for name in array.dtype.names:
        fill(array[name])


def test_records():
    for i, fields in enumerate(TYPES):
        for align in [False, True]:
            array = np.zeros(313, np.dtype(fields, align=align))
            fill(array)
            name = save(array)
            test('type %d, align %s' % (i, align), prints,
                 ['--npy', *OPTIONS, name], lines_of(array))
            found = [field for field, _ in fields_of(array)]
            for n, field in enumerate(found):
                wanted = lines_of(array, [field])
                test('type %d: -f %s' % (i, field), prints,
                     ['--npy', *OPTIONS, '-f', field, name], wanted)
                test('type %d: -f %d' % (i, n + 1), prints,
                     ['--npy', *OPTIONS, '-f', str(n + 1), name], wanted)
    array = np.zeros(500, TYPES[3])
    fill(array)
    name = save(array)
    for fields, wanted in [('x', ['x[0]', 'x[1]', 'x[2]']),
                           ('m[1]', ['m[1][0]', 'm[1][1]']),
                           ('m,x[1],1', ['m[0][0]', 'm[0][1]', 'm[1][0]',
                                         'm[1][1]', 'x[1]', 'x[0]'])]:
        test('-f ' + fields, prints, ['--npy', *OPTIONS, '-f', fields, name],
             lines_of(array, wanted))
    for fields in ['y', 'x[3]', 'x.', 'xx', '']:
        test('-f %s: refused' % fields, fails,
             ['--npy', *OPTIONS, '-f', fields, name], 1 if fields else 2,
             'no field is named' if fields else '--fields=')
    weighted = np.zeros(400, [('v', 'i1'), ('w', '>u4')])
    fill(weighted)
    name = save(weighted)
    wanted = rows(weighted['v'], weighted['w'].astype('u8'))
    for weights in ['w', '2']:
        test('--weights=' + weights, prints,
             ['--npy', *OPTIONS, '--weights', weights, name], wanted)
    quoted = np.zeros(300, [('2', 'i1'), ('a, "b"', '<i2'), ('w', 'u1')])
    fill(quoted)
    quoted['w'] = 1
    name = save(quoted)
    for text, field in [('"2"', '2'), ('"a, ""b"""', 'a, "b"'), ('"w"', 'w')]:
        test('-f %s, in double quotes' % text, prints,
             ['--npy', *OPTIONS, '-f', text, name], rows(quoted[field]))
        test('... several', prints,
             ['--npy', *OPTIONS, '-f', '3,' + text if field != 'w' else text,
              name], rows(quoted[field]) if field == 'w' else
             lines_of(quoted, ['w', field]))
    test('--weights in double quotes', prints,
         ['--npy', *OPTIONS, '-f', '"2"', '--weights="w"', name],
         rows(quoted['2']))
    test('-f of no field, in double quotes', fails,
         ['--npy', *OPTIONS, '-f', '"q"', name], 1, "no field is named 'q'")
    test('--weights of no field', fails,
         ['--npy', *OPTIONS, '--weights=q', name], 1, 'no field is named')
    pairs = np.zeros(400, [('v', 'u1'), ('w', 'u1')])
    pairs['v'] = random.integers(0, 3, 400)
    pairs['w'] = random.integers(0, 3, 400)
    unique, counts = np.unique(pairs, return_counts=True)
    test('--joint', prints, ['--npy', '--joint', '--nonzero', save(pairs)],
         ['%d\t%d\t%d' % (*key.tolist(), n) for key, n in zip(unique, counts)])


# ---- what is wrong ----

def test_differences():
    plain = save(sample(10, '<i4'))
    record = save(np.zeros(3, [('a', '<i4'), ('b', 'u1')]))
    for first, array, message in [
            (plain, sample(10, '>i4'), 'the type is >i4, but <i4 in'),
            (plain, sample(10, 'u1'), 'the type is |u1, but <i4 in'),
            (plain, np.zeros(3, [('a', 'i4')]),
             'the type has fields, but none in'),
            (record, np.zeros(3, [('a', '<i4'), ('c', 'u1')]),
             "the name of field 2 is 'c', but 'b' in"),
            (record, np.zeros(3, [('a', '<i4'), ('b', 'i1')]),
             'the type of field 2 is |i1, but |u1 in'),
            (record, np.zeros(3, np.dtype([('a', '<i4'), ('b', 'u1')],
                                          align=True)),
             'an item has 8 bytes, but 5 in')]:
        other = save(array)
        test(message, fails, ['--npy', *OPTIONS, first, other], 1,
             '%s: %s %s' % (other, message, first))
    missing = save(b'')
    result = run(['--npy', *OPTIONS, missing, 'nothing.npy', plain])
    oracle.ok('all bad inputs are named', None if (
        result.returncode == 1 and result.stderr.decode().splitlines() == [
            'gpuhist: %s: not a .npy file at byte 0: the input is empty' %
            missing,
            'gpuhist: nothing.npy: cannot open: No such file or directory'])
        else result.stderr)


def test_lengths():
    array = sample(3000, '<i4')
    data = npy(array)
    for cut in [0, 1, 5, 11, 12, 60, 127]:
        message = (': bad .npy header at byte %d: it is cut off' % cut
                   if cut >= 12 else ': not a .npy file at byte 0: ')
        name = save(data[:cut])
        test('cut off at %d' % cut, fails, ['--npy', *OPTIONS, name], 1,
             name + message)
        test('cut off at %d, a pipe' % cut, fails, ['--npy', *OPTIONS], 1,
             'standard input' + message, data=data[:cut])
    for cut in [128, 129, 131, 132, 5000, len(data) - 1]:
        message = (": cut short at byte %d: %d of the array's 12000 bytes are "
                   "missing" % (cut, len(data) - cut))
        name = save(data[:cut])
        for chunk in [4, 4096, 1 << 20]:
            options = ['--npy', *OPTIONS, '--chunk-size=%d' % chunk]
            test('cut off at %d' % cut, fails, options + [name], 1,
                 name + message)
            test('cut off at %d, a pipe' % cut, fails, options, 1,
                 'standard input' + message, data=data[:cut])
    for more in [1, 4, 9000]:
        name = save(data + bytes(more))
        message = ' after the array, which ends at byte 12128'
        for chunk in [4, 4096, 1 << 20]:
            options = ['--npy', *OPTIONS, '--chunk-size=%d' % chunk]
            test('%d more' % more, fails, options + [name], 1,
                 '%s: %d byte%s' % (name, more, 's'[:more > 1]) + message)
            test('%d more, a pipe' % more, fails, options, 1,
                 'standard input: bytes' + message, data=data + bytes(more))
    empty = npy(np.zeros((0, 3), 'i4'))
    test('more than nothing', fails, ['--npy', *OPTIONS], 1,
         'standard input: bytes after the array', data=empty + b'x')


def test_refusals():
    array = save(sample(10, '<i4'))
    out = io.BytesIO()
    np.savez(out, sample(10, '<i4'))
    npz = out.getvalue()
    for name, data, message in [
            ('no magic', b'P5 1 1 255 and so on',
             'not a .npy file at byte 0: no magic string'),
            ('.npz', npz, 'not a .npy file at byte 0: a zip archive, like .npz '
             '(--members counts its arrays)'),
            ('strings', np.array(['a', 'b']), 'bad .npy header at byte 20'),
            ('bytes', np.array([b'a', b'b']), 'bad .npy header at byte 20'),
            ('long double', np.zeros(3, 'g'), 'bad .npy header at byte 20'),
            ('objects', np.array([None, 1]), 'bad .npy header at byte 20'),
            ('nonsense', by_hand('{[]}', b'12345678'),
             'bad .npy header at byte 11'),
            ('a long header', b'\x93NUMPY\2\0\xff\xff\xff\x7f{}',
             'bad .npy header at byte 8'),
            ('too large', by_hand("{'descr': '<f8', 'fortran_order': False, "
                                  "'shape': (4611686018427387904,)}", b''),
             'bad .npy header at byte')]:
        file = save(data)
        test(name, fails, ['--npy', *OPTIONS, file], 1, file + ': ' + message)
    file = save(b'twelve bytes' + by_hand('{[]}', b'12345678'))
    test('behind --skip-bytes', fails, ['--npy', '--skip-bytes=12', file], 1,
         file + ': bad .npy header at byte 23')
    for option in ['--dtype=u1', '--record=u1,u1', '--endian=big', '--image']:
        test(option, fails, ['--npy', option, array], 2,
             '--npy finds the type in the file')
    for option in ['--read-bytes=4', '--partial=drop']:
        test(option, fails, ['--npy', option, array], 2,
             '--npy reads the whole array')
    test('--lines', fails, ['--npy', '-l', array], 2, '--lines and --npy')
    for option in ['--dtype=u1', '--dtype=i1', '--record=u1*3', '--dtype=<i4']:
        test('no --npy: ' + option, fails,
             [option, '-f1', '-b4', '--range=0,8', array], 1,
             array + ': a numpy file; use --npy')
    with open(array, 'rb') as file:
        counts = np.bincount(np.frombuffer(file.read(), 'u1'), minlength=256)
    test('bytes of .npy', prints, [array],
         ['%d\t%d' % pair for pair in enumerate(counts)])
    with open('names', 'wb') as file:
        pass
    test('--files0-from names none', fails, ['--npy', '--files0-from=names'], 1,
         '--files0-from=names: names no file')


def test_names():
    """Names in formats, whatever they are."""
    array = np.zeros(4, [('a,"b\\', 'u1'), ('t\tn\n', 'u1')])
    name = save(array)
    test('TSV', prints, ['--npy', '--nonzero', name],
         ['a,"b\\\\\t0\t4', 't\\\\tn\\\\n\t0\t4'])
    test('CSV', prints, ['--npy', '--nonzero', '--format=csv', name],
         ['field,value,count', '"a,""b\\",0,4', 't\\tn\\n,0,4'])
    result = run(['--npy', '--format=prom', name])
    oracle.ok('Prometheus', None if (
        b'{field="a,\\"b\\\\",le="0.0"} 4\n' in result.stdout and
        b'{field="t\\\\tn\\\\n",le="0.0"} 4\n' in result.stdout)
        else result.stdout[:300])
    result = run(['--npy', '--stats=only', name])
    oracle.ok('--stats', None if (
        b'a,"b\\\tvalues\t4\n' in result.stdout and
        b't\\tn\\n\tvalues\t4\n' in result.stdout) else result.stdout[:300])


test_plain()
test_versions()
test_readers()
test_records()
test_differences()
test_lengths()
test_refusals()
test_names()
put_tests()
