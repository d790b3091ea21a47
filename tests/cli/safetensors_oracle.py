# SPDX-License-Identifier: MIT
"""safetensors_oracle.py -- arrays by name: safetensors files, and .npz files

safetensors.sh runs it, in a scratch directory.  numpy counts what gpuhist must
count.  Files are written by hand, as the format is documented, and by the
package safetensors if it is there; ml_dtypes has the short floats.  Then 1,000
headers are damaged: what the package refuses must be refused.  It prints TAP.
"""

import gzip
import io
import itertools
import json
import math
import os
import random as chance
import shutil
import struct
import subprocess
import zipfile

import numpy as np

import oracle
from oracle import ok, prints, put_tests, run, skip, test

try:
    import ml_dtypes
except ImportError:
    ml_dtypes = None
try:
    import safetensors
    from safetensors.numpy import save as save_by_package
except ImportError:
    safetensors = None

IS_SHORT = os.environ.get('IS_SHORT') == 'yes'
HAS_ARCHIVE = os.environ.get('HAVE_ARCHIVE') == 'yes'
HAS_GZIP = os.environ.get('HAVE_GZIP') == 'yes'
HAS_ZSTD = os.environ.get('HAVE_ZSTD') == 'yes' and shutil.which('zstd')
# Larger than two chunks: read in ranges by several threads.
LARGE = 300007
random = np.random.default_rng(20264)
numbers = itertools.count()
np.seterr(all='ignore')

LO, HI, BINS = -3, 5, 8
OPTIONS = ['-b', str(BINS), '--range=%d,%d' % (LO, HI), '--flow=show']
NAMES = {'bool': 'BOOL', 'uint8': 'U8', 'int8': 'I8', 'uint16': 'U16',
         'int16': 'I16', 'uint32': 'U32', 'int32': 'I32', 'uint64': 'U64',
         'int64': 'I64', 'float16': 'F16', 'float32': 'F32', 'float64': 'F64',
         'complex64': 'C64', 'bfloat16': 'BF16', 'float8_e4m3fn': 'F8_E4M3',
         'float8_e5m2': 'F8_E5M2'}


# ---- files ----

def save(data, end='.safetensors'):
    """The name of a new file that holds DATA."""
    name = 'file%d%s' % (next(numbers), end)
    with open(name, 'wb') as file:
        file.write(data)
    return name


def pack(header, data):
    """A file with the text HEADER, or a dictionary."""
    if not isinstance(header, (bytes, str)):
        header = json.dumps(header)
    if isinstance(header, str):
        header = header.encode()
    return struct.pack('<Q', len(header)) + header + data


def make(arrays, order=None, metadata=None):
    """The bytes of a file of ARRAYS, a dictionary; the header has the names in
    the ORDER."""
    members = {}
    data = b''
    for name, array in arrays.items():
        start = len(data)
        data += array.tobytes()
        members[name] = {'dtype': NAMES[array.dtype.name],
                         'shape': list(array.shape),
                         'data_offsets': [start, len(data)]}
    header = {} if metadata is None else {'__metadata__': metadata}
    header.update((name, members[name]) for name in order or members)
    return pack(header, data)


def sample(shape, dtype):
    """Small numbers."""
    dtype = np.dtype(dtype)
    values = np.asarray(random.integers(-5, 9, shape))
    if dtype.kind == 'b':
        return np.asarray(values % 2).astype(dtype)
    if dtype.kind == 'u':
        return np.asarray(np.abs(values)).astype(dtype)
    if dtype.kind == 'i':
        return values.astype(dtype)
    if dtype.kind == 'c':
        return (values + 1j * random.integers(-5, 9, shape)).astype(dtype)
    return np.asarray(values / 2).astype('f4').astype(dtype)


# ---- what should be printed ----

def rows(array):
    """The rows of ARRAY, with all flow cells that its type can have."""
    is_integer = array.dtype.kind in 'bui'
    values = array.ravel().astype('i8' if is_integer else 'f8')
    lines = [('-inf', LO, (values < LO).sum())]
    for edge in range(LO, HI):
        lines.append((edge, edge + 1,
                      ((values >= edge) & (values < edge + 1)).sum()))
    lines.append((HI, 'inf', (values >= HI).sum()))
    if not is_integer:
        lines.append(('nan', 'nan', np.isnan(values).sum()))
    return ['%s\t%s\t%d' % line for line in lines]


def all_of(*arrays):
    return rows(np.concatenate([array.ravel() for array in arrays]))


def says(options, message, status=1, data=None):
    """Whether gpuhist ends with STATUS, prints nothing, and says MESSAGE."""
    result = run(options, data)
    said = result.stderr.decode().splitlines()
    if (result.returncode == status and not result.stdout and
            said == ['gpuhist: ' + message]):
        return None
    return 'status %d, %d bytes printed, %r' % (result.returncode,
                                                len(result.stdout), said)


# ---- types ----

def test_types():
    types = ['?', 'u1', 'i1', 'u2', 'i2', 'u4', 'i4', 'u8', 'i8', 'f2', 'f4',
             'f8']
    if ml_dtypes is not None:
        types += [ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn,
                  ml_dtypes.float8_e5m2]
    else:
        skip('short floats', 'no ml_dtypes')
    for dtype in types:
        name = NAMES[np.dtype(dtype).name]
        for shape in [(), (0, 4), (1,), (7, 3, 5)]:
            arrays = {'before': sample(3, 'u1'), 'x': sample(shape, dtype)}
            wanted = rows(arrays['x'])
            data = make(arrays)
            test('%s %s' % (name, shape), prints,
                 ['--safetensors', '--array=x', *OPTIONS, save(data)], wanted)
            test('%s %s, a pipe' % (name, shape), prints,
                 ['--safetensors', '--array=x', *OPTIONS], wanted, data=data)
            if safetensors is not None:
                test('%s %s, by the package' % (name, shape), prints,
                     ['--safetensors', '--array=x', *OPTIONS,
                      save(save_by_package(arrays))], wanted)
    if safetensors is None:
        skip('files of the package', 'no safetensors')
    array = sample(500, 'c8')
    for part, values in [('real', array.real), ('imag', array.imag)]:
        test('C64, ' + part, prints,
             ['--safetensors', '-f', part, *OPTIONS, save(make({'x': array}))],
             rows(values))
    odd = pack({'a': {'dtype': 'BOOL', 'shape': [3], 'data_offsets': [0, 3]}},
               b'\0\1\7')
    test('a boolean of 7 is outside', prints, ['--safetensors', save(odd)],
         ['0\t1', '1\t1', 'inf\t1'])
    special = np.array([np.nan, np.inf, -np.inf, -0.0, 1], 'f4')
    test('special values', prints,
         ['--safetensors', *OPTIONS, save(make({'x': special}))], rows(special))
    for dtype, shape, size in [('F8_E8M0', [3], 3), ('F4', [4], 2),
                               ('F6_E2M3', [4], 3), ('F8_E4M3FNUZ', [2], 2)]:
        file = save(pack({
            'q': {'dtype': dtype, 'shape': shape, 'data_offsets': [0, size]},
            'x': {'dtype': 'U8', 'shape': [2], 'data_offsets': [size, size + 2]}
        }, bytes(size + 2)))
        test('%s is refused' % dtype, says, ['--safetensors', *OPTIONS, file],
             '%s: q: the type %s is not counted (--array=NAME selects other '
             'arrays)' % (file, dtype))
        test('... beside another array', prints,
             ['--safetensors', '--array=x', *OPTIONS, file],
             rows(np.zeros(2, 'u1')))


# ---- readers ----

def compressed(data):
    """Ways to give the same file: a name in the test, and its bytes."""
    yield 'plain', data
    if HAS_GZIP:
        yield 'gzip', gzip.compress(data, 1)
    else:
        skip('gzip', 'not built in')
    if HAS_ZSTD:
        yield 'zstd', subprocess.run(['zstd', '-c'], input=data, check=True,
                                     capture_output=True).stdout
    else:
        skip('zstd', 'not built in, or no zstd')


def test_readers():
    """Ranges, chunks, threads, decoders, pipes."""
    arrays = {'a': sample(LARGE, 'f4'), 'b.c': sample((3, 5), 'f4'),
              'd': sample((7, LARGE // 7), 'f4'), 'e': sample(0, 'f4'),
              'f': sample(2 * LARGE, 'f4')}
    choices = [list(arrays), ['a'], ['f'], ['b.c', 'e'], ['d', 'a']]
    wanted_of = [all_of(*(arrays[array] for array in choice))
                 for choice in choices]
    each = [(array, rows(values)) for array, values in arrays.items()]
    turn = itertools.count()
    for how, data in compressed(make(arrays)):
        name = save(data)
        for threads, chunk in [('1', '1Mi'), ('2', '64Ki'), ('5', '4096'),
                               ('3', '1000003')]:
            options = ['-j' + threads, '--chunk-size=' + chunk]
            for choice, wanted in zip(choices, wanted_of):
                chosen = ['--array=' + array for array in choice]
                # A pipe and a file in turn: there are five choices.
                is_piped = next(turn) % 2 == 1
                if not (IS_SHORT and is_piped):
                    test('%s %s %s' % (how, options, choice), prints,
                         ['--safetensors', *chosen, *OPTIONS, *options, name],
                         wanted)
                if not IS_SHORT or is_piped:
                    test('%s %s %s, a pipe' % (how, options, choice), prints,
                         ['--safetensors', *chosen, *OPTIONS, *options],
                         wanted, data=data)
            wanted = ['%s: %s\t%s' % (name, array, row)
                      for array, lines in each for row in lines]
            test('%s %s, --per-file' % (how, options), prints,
                 ['--safetensors', *OPTIONS, *options, '--per-file', name],
                 wanted)
    with open(save(make(arrays)), 'rb') as file:
        result = subprocess.run(
            [*oracle.COMMAND, '--safetensors', '--array=f', *OPTIONS],
            stdin=file, capture_output=True, check=False)
    ok('a redirected file', None if result.stdout.decode().splitlines() ==
       rows(arrays['f']) else result)


def test_files():
    """Several files, with other orders, and without the array."""
    one = {'x': sample(LARGE, 'i2'), 'y': sample(11, 'f8')}
    two = {'w': sample(5, 'u1'), 'x': sample((2, 9), 'i2')}
    three = {'y': sample(70, 'f8')}
    files = [save(make(one)), save(make(two, ['x', 'w'])),
             save(make(three, metadata={'format': 'np'}))]
    for order in itertools.permutations(files):
        for threads in ['-j1', '-j4']:
            test('x of three files %s' % threads, prints,
                 ['--safetensors', '--array=x', *OPTIONS, threads, *order],
                 all_of(one['x'], two['x']))
    test('y of three files', prints,
         ['--safetensors', '--array=y', *OPTIONS, *files],
         all_of(one['y'], three['y']))
    with open('names', 'wb') as file:
        file.write(b''.join(name.encode() + b'\0' for name in files))
    test('--files0-from', prints,
         ['--safetensors', '--array=x', *OPTIONS, '--files0-from=names'],
         all_of(one['x'], two['x']))
    test('--per-file', prints,
         ['--safetensors', '--array=x', *OPTIONS, '--per-file', *files],
         ['%s: x\t%s' % (name, row)
          for name, values in [(files[0], one['x']), (files[1], two['x'])]
          for row in rows(values)])
    test('a name that is wrong', says,
         ['--safetensors', '--array=z', *OPTIONS, *files],
         "%s and 2 more inputs: no array 'z' (--array), but 'x', 'y', 'w'" %
         files[0])
    test('one of two names that is wrong', says,
         ['--safetensors', '--array=x', '--array=ww', *OPTIONS, *files],
         "%s and 2 more inputs: no array 'ww' (--array), but 'w', 'y'" %
         files[0])
    test('two types', says, ['--safetensors', *OPTIONS, files[0]],
         '%s: y: the type is F64, but I16 in %s: x (--array=NAME selects '
         'arrays)' % (files[0], files[0]))
    test('two types of one name', says,
         ['--safetensors', '--array=w', '--array=y', *OPTIONS, files[1],
          files[2]],
         '%s: y: the type is F64, but U8 in %s: w' % (files[2], files[1]))
    odd = {'a,b': sample(5, 'f4'), '\u00fc \n': sample(6, 'f4'),
           '': sample(7, 'f4')}
    name = save(make(odd))
    for array, values in odd.items():
        test('the name %r' % array, prints,
             ['--safetensors', '--array=' + array, *OPTIONS, name],
             rows(values))
    empty = save(make({}))
    test('no arrays', says, ['--safetensors', *OPTIONS, empty],
         '%s: the file has no arrays, but the first one says what to count' %
         empty)
    test('no arrays, and a name', says,
         ['--safetensors', '--array=x', *OPTIONS, empty],
         "%s: no array 'x' (--array)" % empty)
    test('an empty file beside another', prints,
         ['--safetensors', '--array=x', *OPTIONS, empty, files[0]],
         rows(one['x']))
    result = run(['--safetensors', '--array=x', '-v', *OPTIONS, *files[:2]])
    said = result.stderr.decode().splitlines()
    ok('-v', None if [line for line in said if 'array' in line] == [
        'gpuhist: %s: 1 array; --array leaves out 1' % name
        for name in files[:2]] else said)


def test_figures():
    """Figures of arrays, exactly."""
    arrays = {'a': sample(LARGE, 'f4'), 'b': sample(99, 'f4')}
    name = save(make(arrays))
    columns = ['--safetensors', '--columns=count,min,max,mean']

    def figures(array):
        mean = math.fsum(array.astype('f8').tolist()) / array.size
        return '%d\t%.17g\t%.17g\t%s' % (array.size, array.min(), array.max(),
                                         repr(mean))

    for options in [[], ['-j3', '--chunk-size=64Ki']]:
        for array, values in arrays.items():
            test('figures of %s %s' % (array, options), prints,
                 [*columns, *options, '--array=' + array, name],
                 [figures(values)])
        test('figures of each %s' % options, prints,
             [*columns, *options, '--per-file', name],
             ['%s: %s\t%s' % (name, array, figures(values))
              for array, values in arrays.items()])


def test_found_bins():
    """Bins that are found in a first pass over the arrays."""
    arrays = {'a': sample(LARGE, 'f8'), 'b': sample(99, 'f8')}
    data = make(arrays)
    for choice in [['a'], ['b'], ['a', 'b']]:
        values = np.concatenate([arrays[name] for name in choice])
        counts, edges = np.histogram(values, 6)
        wanted = ['%.17g\t%.17g\t%d' % row
                  for row in zip(edges, edges[1:], counts)]
        options = ['--safetensors', '-b6', '--range=minmax',
                   *('--array=' + name for name in choice)]

        def check(extra, data=None, options=options, wanted=wanted):
            result = run(options + extra, data)
            got = ['%.17g\t%.17g\t%d' % (float(lo), float(hi), int(count))
                   for lo, hi, count in (line.split('\t') for line in
                                         result.stdout.decode().splitlines())]
            return None if got == wanted else '%r %r' % (got, result.stderr)

        test('minmax of %s' % choice, check, [save(data)])
        test('minmax of %s, a pipe' % choice, check, [], data=data)


# ---- states and shards ----

def test_states():
    arrays = {'a': sample(LARGE, 'f4'), 'b': sample(50000, 'f4')}
    files = [save(make(arrays)), save(make({'b': sample(9, 'f4')})),
             save(make({'a': sample(13, 'f4')}))]
    options = ['--safetensors', '--array=a', *OPTIONS]
    wanted = run(options + files).stdout.decode().splitlines()

    def count(name, extra, inputs):
        result = run([*options, *extra, '--state=' + name, *inputs])
        return result.returncode or result.stderr

    def merge(name, parts):
        for i, (extra, inputs) in enumerate(parts):
            failed = count('%s.%d' % (name, i), extra, inputs)
            if failed:
                return failed
        return prints(['--merge', '--flow=show', *('%s.%d' % (name, i)
                                    for i in range(len(parts)))], wanted)

    test('states of files', merge, 'files',
         [([], files[:2]), ([], files[2:])])
    test('shards', merge, 'shards',
         [(['--shard=%d/3' % i], files) for i in (1, 2, 3)])
    test('many shards', merge, 'many',
         [(['--shard=%d/17' % i, '-j3', '--chunk-size=16Ki'], files)
          for i in range(1, 18)])
    if HAS_GZIP:
        packed = []
        for name in files:
            with open(name, 'rb') as file:
                packed.append(save(gzip.compress(file.read(), 1)))
        test('shards, gzip', merge, 'packed',
             [(['--shard=%d/3' % i], packed) for i in (1, 2, 3)])

    def share():
        """Each shard has a third of the values."""
        for i in (1, 2, 3):
            lines = run([*options, '--shard=%d/3' % i, files[0]]).stdout
            count = sum(int(line.rsplit(b'\t', 1)[1])
                        for line in lines.splitlines())
            all_bytes = os.path.getsize(files[0])
            if count > all_bytes / 12 + 1:
                return '%d values in shard %d' % (count, i)
        return None

    test('shards are shares', share)

    def twice():
        count('twice.0', [], files[:1])
        count('twice.1', [], files[:1])
        result = run(['--merge', 'twice.0', 'twice.1'])
        return None if result.returncode == 1 else result

    test('a file in two states', twice)


# ---- .npz ----

def test_npz():
    if not HAS_ARCHIVE:
        skip('.npz', 'no libarchive')
        return
    arrays = {'x': sample((40, 50), 'f8'), 'y': sample(30, 'i4'),
              'zero': np.array(1.5), 'f': np.asfortranarray(sample((9, 8), 'f8')),
              'd/e': sample(20, 'f8')}
    options = ['--npy', '--members', *OPTIONS]
    for save_all in [np.savez, np.savez_compressed]:
        out = io.BytesIO()
        save_all(out, **arrays)
        data = out.getvalue()
        name = save(data, '.npz')
        for array, values in arrays.items():
            for suffix in ['', '.npy']:
                chosen = '--array=' + array + suffix
                test('%s %s' % (save_all.__name__, chosen), prints,
                     [*options, chosen, name], rows(values))
                test('%s %s, a pipe' % (save_all.__name__, chosen), prints,
                     [*options, chosen], rows(values), data=data)
        test('%s, two arrays' % save_all.__name__, prints,
             [*options, '--array=x', '--array=f.npy', '--per-file', name],
             ['%s: %s.npy\t%s' % (name, array, row) for array in 'xf'
              for row in rows(arrays[array])])
        for data_of in [None, data]:
            where = name if data_of is None else 'standard input'
            test('%s, two types' % save_all.__name__, says,
                 options + ([] if data_of else [name]),
                 '%s: y.npy: the type is <i4, but <f8 in %s: x.npy '
                 '(--array=NAME selects arrays)' % (where, where),
                 data=data_of)
            test('%s, a wrong name' % save_all.__name__, says,
                 [*options, '--array=xx'] + ([] if data_of else [name]),
                 "%s: no array 'xx' (--array), but 'x', 'y', 'zero', 'f', "
                 "'d/e'" % where, data=data_of)
    out = io.BytesIO()
    with zipfile.ZipFile(out, 'w') as archive:
        archive.writestr('readme.txt', 'no array')
        with archive.open('x.npy', 'w') as file:
            np.lib.format.write_array(file, arrays['x'])
    test('a file that is no array beside one', prints,
         [*options, '--array=x', save(out.getvalue(), '.npz')],
         rows(arrays['x']))


# ---- what is refused ----

def test_refusals():
    good = save(make({'a': sample(10, 'f4')}))
    for extra in ['--dtype=u1', '--record=u1,u1', '--endian=big', '--image',
                  '--npy']:
        test(extra, says, ['--safetensors', extra, good],
             '--safetensors finds the type in the file: no --dtype, --record, '
             '--endian, --image or --npy', status=2)
    for extra in ['--skip-bytes=1', '--read-bytes=4', '--partial=drop']:
        test(extra, says, ['--safetensors', extra, good],
             '--safetensors reads whole arrays of files: no --skip-bytes, '
             '--read-bytes, --partial or --members', status=2)
    for options in [[], ['--npy'], ['--dtype=u1']]:
        test('--array with %s' % options, says, [*options, '--array=a', good],
             '--array is for --safetensors, and for files .npz: --npy '
             '--members', status=2)
    text = 'bad safetensors file at byte '
    a = {'dtype': 'F32', 'shape': [3], 'data_offsets': [0, 12]}
    header = json.dumps({'a': a}).encode()
    end = 8 + len(header)
    for name, data, message in [
            ('empty', b'', '0: the input is empty'),
            ('short', b'\1\0\0', '3: it is too short'),
            ('a long header', b'\0\0\0\0\0\0\0\x7f{}',
             '0: its header would be longer than 100000000 bytes, so it is no '
             'safetensors file'),
            ('a header of 100 MB', struct.pack('<Q', 100000000) + b'{}',
             '0: its header would be longer than the file'),
            ('text', b'col,price\n1,2\n',
             '0: its header would be longer than 100000000 bytes, so it is no '
             'safetensors file'),
            ('no object', pack('[]', b''), "8: '{' is missing"),
            ('cut short', pack(header, bytes(11)),
             '%d: cut short: 1 bytes of its arrays are missing' % (end + 11)),
            ('longer', pack(header, bytes(13)),
             '%d: bytes after the last array' % (end + 12)),
            ('a gap', pack({'a': dict(a, data_offsets=[4, 16])}, bytes(16)),
             "9: array 'a': it starts at byte 4 of the data, but the arrays "
             'before end at byte 0'),
            ('twice', pack(b'{"a":%s,"a":%s}' % (
                (json.dumps(dict(a, shape=[0], data_offsets=[0, 0])).encode(),)
                * 2), b''), "68: array 'a': the name twice"),
            ('another size', pack({'a': dict(a, shape=[4])}, bytes(12)),
             "9: array 'a': its shape and type take 16 bytes, but its offsets "
             '12'),
            ('an unknown type', pack({'a': dict(a, dtype='F31')}, bytes(12)),
             "9: array 'a': the type 'F31' is unknown")]:
        file = save(data)
        test(name, says, ['--safetensors', *OPTIONS, file],
             '%s: %s%s' % (file, text, message))
        if name in ('cut short', 'a header of 100 MB'):
            continue
        test(name + ', a pipe', says, ['--safetensors', *OPTIONS],
             'standard input: %s%s' % (text, message), data=data)
    test('cut short, a pipe', says, ['--safetensors', *OPTIONS],
         "standard input: a: cut short at byte 11: 1 of the array's 12 bytes "
         'are missing', data=pack(header, bytes(11)))
    test('a header of 100 MB, a pipe', says, ['--safetensors', *OPTIONS],
         'standard input: %s10: the header is cut off' % text,
         data=struct.pack('<Q', 100000000) + b'{}')
    test('a header beyond the memory', says,
         ['--safetensors', *OPTIONS, '--memory-limit=64Mi'],
         'standard input: its header needs 400000000 bytes of memory, more '
         'than --memory-limit leaves (67108864)',
         data=struct.pack('<Q', 100000000) + b'{}')
    test('no file', says, ['--safetensors', *OPTIONS, 'nothing'],
         'nothing: cannot open: No such file or directory')


# ---- damage ----

def damaged(data, header_bytes):
    """DATA with one thing changed."""
    changed = bytearray(data)
    kind = chance.randrange(5)
    if kind == 0:
        changed[chance.randrange(header_bytes)] ^= 1 << chance.randrange(8)
    elif kind == 1:
        del changed[chance.randrange(len(changed)):]
    elif kind == 2:
        # Another number in the header.
        text = data[8:header_bytes].decode()
        starts = [i for i, c in enumerate(text) if c.isdigit()]
        at = chance.choice(starts)
        text = text[:at] + chance.choice('0123456789') + text[at + 1:]
        changed[8:header_bytes] = text.encode()
    elif kind == 3:
        start = chance.randrange(8, header_bytes)
        length = chance.randrange(1, 9)
        changed[start:start + length] = changed[start + 3:start + 3 + length]
    else:
        value = chance.choice([0, 1, header_bytes, header_bytes - 9,
                               len(data), 1 << 40, (1 << 64) - 1])
        changed[:8] = struct.pack('<Q', value)
    return bytes(changed)


def check_damaged(data):
    """Whether gpuhist refuses DATA if the package does, and counts all values
    otherwise."""
    is_pipe = len(data) % 3 == 0
    options = ['--safetensors', *OPTIONS]
    result = run(options, data) if is_pipe else run([*options, save(data)])
    try:
        arrays = safetensors.deserialize(data)
    except safetensors.SafetensorError:
        arrays = None
    said = result.stderr.decode()
    if result.returncode == 0:
        if arrays is None:
            return 'counted, but the package refuses %r' % data
        counted = sum(int(line.rsplit('\t', 1)[1])
                      for line in result.stdout.decode().splitlines())
        values = sum(int(np.prod(array['shape'], dtype='i8'))
                     for _, array in arrays)
        return None if counted == values else '%d counted, not %d' % (counted,
                                                                      values)
    if result.returncode != 1 or result.stdout or said.count('\n') != 1:
        return 'status %d: %r' % (result.returncode, said)
    # What is refused for another reason than the header.
    is_stricter = any(text in said for text in [
        'the type is ', 'is not counted', 'the name twice', 'is unknown',
        'the file has no arrays', 'a NUL character'])
    if arrays is not None and not is_stricter:
        return 'refused, but the package accepts %r: %s' % (data, said)
    return None


def test_damage():
    if safetensors is None:
        skip('damage', 'no safetensors')
        return
    chance.seed(44)
    data = make({'a': sample(10, 'f4'), 'bb': sample((3, 4), 'f4'),
                 'c.d': sample(0, 'f4'), 'e': sample(1, 'f4')},
                ['bb', 'e', 'a', 'c.d'], {'format': 'np'})
    header_bytes = 8 + struct.unpack('<Q', data[:8])[0]
    share = 20 if IS_SHORT else 100
    cases = [damaged(data, header_bytes) for _ in range(10 * share)]

    def check(some):
        for case in some:
            wrong = check_damaged(case)
            if wrong:
                return wrong
        return None

    for i in range(10):
        test('%d damaged files' % share, check,
             cases[share * i:share * (i + 1)])


test_types()
test_readers()
test_files()
test_figures()
test_found_bins()
test_states()
test_npz()
test_refusals()
test_damage()
put_tests()
