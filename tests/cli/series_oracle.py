# SPDX-License-Identifier: MIT
"""series_oracle.py -- serial correlation and pi of bytes

series.sh runs it, in a scratch directory.  Python divides whole numbers with
one rounding, so the figures must be equal to the last bit.  If ent is there,
gpuhist must print what `ent -t` prints, and --stats the other figures of ent.
"""

import bz2
import gzip
import io
import itertools
import json
import math
import os
import shutil
import struct
import subprocess
import tarfile
import zipfile

import numpy as np

from oracle import ok, put_tests, run, skip, test

IS_SHORT = os.environ.get('IS_SHORT') == 'yes'
LARGE, PIECE = (1200001, 120007) if IS_SHORT else (9000001, 700001)
RADIUS = 0xffffff
random = np.random.default_rng(20264)
numbers = itertools.count()
is_cpu = os.environ.get('GPUHIST_TEST_DEVICE', 'cpu') == 'cpu'


def has(library):
    return os.environ.get('HAVE_' + library) == 'yes'


# ---- what the figures are ----

def figures(inputs):
    """The count, serial correlation and pi of all INPUTS, each in bytes."""
    count = total = squares = products = points = inside = 0
    for data in inputs:
        byte = np.frombuffer(data, 'u1').astype(np.int64)
        count += len(byte)
        total += int(byte.sum())
        squares += int((byte * byte).sum())
        products += int((byte * np.roll(byte, -1)).sum())
        point = byte[:len(byte) // 6 * 6].reshape(-1, 6)
        x, y = (point[:, i] << 16 | point[:, i + 1] << 8 | point[:, i + 2]
                for i in (0, 3))
        points += len(point)
        inside += int((x * x + y * y <= RADIUS * RADIUS).sum())
    below = count * squares - total * total
    serial = (count * products - total * total) / below if below else math.nan
    return count, serial, 4 * inside / points if points else math.nan


def is_equal(got, wanted):
    return got == wanted or (math.isnan(got) and math.isnan(wanted))


def wrong_line(fields, wanted):
    """What is wrong with a line of FIELDS."""
    got = [float(field) for field in fields]
    if len(got) == 3 and all(map(is_equal, got, wanted)):
        return None
    return 'got %r, wanted %r' % (got, wanted)


def finds(options, inputs, data=None):
    """Whether gpuhist finds the figures of INPUTS."""
    result = run(['--columns=count,serial,pi'] + options, data)
    if result.returncode != 0 or result.stderr:
        return '%s: status %d %s' % (options, result.returncode,
                                     result.stderr.decode())
    wrong = wrong_line(result.stdout.decode().split(), figures(inputs))
    return wrong and '%s: %s' % (options, wrong)


def finds_all(cases):
    """The first that is wrong of CASES, arguments of finds()."""
    for case in cases:
        wrong = finds(*case)
        if wrong:
            return wrong
    return None


def stands_beside(other, data):
    """Whether the figures OTHER are printed as without serial and pi."""
    plain = run(['--columns=' + other, '-'], data).stdout.split()
    both = run(['--columns=pi,%s,serial' % other, '-'], data).stdout.split()
    if not plain or both[1:-1] != plain:
        return '%r, and %r' % (plain, both)
    _, serial, pi = figures([data])
    return wrong_line(['0', both[-1], both[0]], (0, serial, pi))


def refuses(options, message):
    result = run(options, b'abcdef')
    said = result.stderr.decode().splitlines()
    if (result.returncode == 2 and not result.stdout and len(said) == 1 and
            message in said[0]):
        return None
    return 'status %d, %r' % (result.returncode, said)


# ---- data ----

def save(data, suffix=''):
    """The name of a new file that holds DATA."""
    name = 'file%d%s' % (next(numbers), suffix)
    with open(name, 'wb') as file:
        file.write(data)
    return name


def noise(size):
    return random.bytes(size)


def walk(size):
    """Bytes that are near the byte before."""
    steps = random.integers(-3, 4, size)
    return np.cumsum(steps).astype('u1').tobytes()


large = walk(LARGE // 2) + noise(LARGE - LARGE // 2)
pieces = [large[at:at + PIECE] for at in range(0, LARGE, PIECE)]
large_name = save(large)


def filtered(command, data):
    return subprocess.run(command, input=data, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=True).stdout


# ---- tests ----

def test_plain():
    few = [noise(size) for size in range(0, 30)]
    names = [save(data) for data in few]
    test('a few bytes', finds_all,
         [([name], [data]) for name, data in zip(names, few)])
    test('several inputs, each in its own order', finds_all,
         [(['-j2'] + names, few), (['-j1'] + names[::-1], few)])
    for size in (1, 2, 4):
        for chunk in ('', '--chunk-size=64Ki', '--chunk-size=256Ki'):
            options = ['-j%d' % size] + ([chunk] if chunk else [])
            test('a large file, %s' % ' '.join(options), finds,
                 options + [large_name], [large])
    test('two large files and a small one', finds,
         ['-j4', '--chunk-size=64Ki', large_name, names[7], large_name],
         [large, few[7], large])
    test('a pipe', finds, ['--chunk-size=64Ki', '-'], [large], large)
    test('--skip-bytes and --read-bytes', finds_all,
         [(['-j2', '--chunk-size=64Ki', '--skip-bytes=%d' % skipped,
            '--read-bytes=%d' % most, large_name],
           [large[skipped:skipped + most]])
          for skipped, most in ((1, 1000003), (5, 10), (LARGE // 2, LARGE))])
    test('bytes in bins', finds, ['--bins=7', '--range=0,256', large_name],
         [large])
    for other in 'p50', 'min,max,sd', 'all':
        test('beside ' + other, stands_beside, other, few[20])
    test('bytes of --record', finds, ['--record=u1', names[29]], [few[29]])


def test_odd():
    test('no bytes', finds, [save(b'')], [b''])
    test('equal bytes', finds, [save(b'a' * 100)], [b'a' * 100])
    test('zeros', finds, [save(bytes(10 ** 6))], [bytes(10 ** 6)])
    test('one byte', finds, [save(b'a')], [b'a'])
    test('bytes that take turns', finds, [save(b'ab' * 50)], [b'ab' * 50])
    far = b'\xff\xff\xff\0\0\0' * 5 + b'\xff\xff\xff\0\0\1' * 7
    test('points on the circle and beyond it', finds, [save(far)], [far])


def compressed():
    """Names, files and needed libraries of compressed forms of PIECES."""
    yield 'gzip', b''.join(gzip.compress(p, 1) for p in pieces), 'GZIP'
    yield 'one member of gzip', gzip.compress(large, 1), 'GZIP'
    yield 'bzip2', b''.join(bz2.compress(p, 1) for p in pieces), 'BZIP2'
    for name, library, commands in (
            ('BGZF', 'GZIP', (['bgzip', '-c'],)),
            ('zstd', 'ZSTD', (['zstd', '-1c'],)),
            ('xz', 'LZMA', (['xz', '-0c', '--block-size=100000'],)),
            ('lz4', 'LZ4', (['lz4', '-1c', '-B5', '-BI'],))):
        for command in commands:
            if shutil.which(command[0]):
                yield (name,
                       b''.join(filtered(command, p) for p in pieces), library)
            else:
                skip(name, 'no ' + command[0])
    if shutil.which('zstd'):
        # A frame of a file has its size.
        sized = [filtered(['zstd', '-1c', save(p)], b'') for p in pieces]
        yield 'zstd with sizes', b''.join(sized), 'ZSTD'


def test_compressed():
    for name, data, library in compressed():
        if not has(library):
            skip(name, 'built without ' + library)
            continue
        file = save(data)
        test(name, finds_all,
             [(['-j%d' % threads, '--chunk-size=64Ki'] + options, [large], sent)
              for threads in (1, 2, 4)
              for options, sent in (([file], None), (['-'], data))])


def put_tar(inputs):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode='w') as archive:
        for i, data in enumerate(inputs):
            member = tarfile.TarInfo('member%d' % i)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return out.getvalue()


def put_zip(inputs):
    out = io.BytesIO()
    with zipfile.ZipFile(out, 'w', zipfile.ZIP_DEFLATED) as archive:
        for i, data in enumerate(inputs):
            archive.writestr('member%d' % i, data)
    return out.getvalue()


def put_sparse_tar(name, data):
    """A tar file with the holes of NAME; None: tar cannot."""
    with open(name, 'wb') as file:
        for at in range(0, len(data), 4096):
            block = data[at:at + 4096]
            if block.count(0) < len(block):
                file.seek(at)
                file.write(block)
        file.truncate(len(data))
    made = subprocess.run(['tar', '-Scf', name + '.tar', name],
                          stderr=subprocess.DEVNULL, check=False)
    return None if made.returncode else name + '.tar'


def test_archives():
    if not has('ARCHIVE'):
        skip('members', 'built without ARCHIVE')
        return
    members = [noise(1000), b'', walk(300007), b'abc', large[:LARGE // 5]]
    test('members of tar', finds, ['--members', '-j2', save(put_tar(members))],
         members)
    if has('GZIP'):
        test('members of zip', finds, ['--members', save(put_zip(members))],
             members)
    holes = (noise(4096 * 3 + 1) + bytes(4096 * 100) + noise(5) +
             bytes(4096 * 50 + 3) + noise(77777) + bytes(4096 * 7))
    archive = put_sparse_tar('holes', holes)
    if archive is None:
        skip('holes', 'tar knows no holes')
    else:
        test('holes', finds, ['--members', archive], [holes])
        test('a sparse file', finds, ['holes'], [holes])


def put_safetensors(arrays):
    header = {}
    end = 0
    for i, data in enumerate(arrays):
        header['a%d' % i] = {'dtype': 'U8', 'shape': [len(data)],
                             'data_offsets': [end, end + len(data)]}
        end += len(data)
    text = json.dumps(header).encode()
    return struct.pack('<Q', len(text)) + text + b''.join(arrays)


def test_arrays():
    array = np.frombuffer(large[:600006], 'u1').reshape(-1, 3)
    out = io.BytesIO()
    np.save(out, array)
    name = save(out.getvalue())
    test('.npy', finds, ['--npy', '-j2', '--chunk-size=64Ki', name],
         [array.tobytes()])
    arrays = [array.tobytes(), noise(777), noise(13)]
    np.savez('arrays.npz', *(np.frombuffer(data, 'u1') for data in arrays))
    if has('ARCHIVE'):
        test('.npz', finds, ['--members', '--npy', 'arrays.npz'], arrays)
    name = save(put_safetensors(arrays))
    test('safetensors', finds_all,
         [(['--safetensors', '-j2', '--chunk-size=64Ki', name], arrays),
          (['--safetensors', '--array=a1', name], arrays[1:2])])
    image = b'P5 300 200 255\n' + large[:60000]
    test('a grey image', finds, ['--image', save(image)], [large[:60000]])


def prints_rows(names, inputs):
    """Whether --per-file prints the figures of each input."""
    result = run(['--per-file', '--columns=count,serial,pi', '--threads=2'] +
                 names)
    rows = [line.split('\t') for line in result.stdout.decode().splitlines()]
    if result.returncode != 0 or [row[0] for row in rows] != names:
        return '%s: %r' % (names, result)
    for row, data in zip(rows, inputs):
        wrong = wrong_line(row[1:], figures([data]))
        if wrong:
            return row[0] + ': ' + wrong
    return None


def puts_snapshots():
    """Whether each snapshot has the figures of the bytes before it."""
    result = run(['--every=%d' % PIECE, '--columns=count,serial,pi',
                  '--format=jsonl', '-'], large)
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    got = [[row[name] for name in ('count', 'serial', 'pi')]
           for row in rows if 'count' in row]
    if result.returncode != 0 or len(got) != LARGE // PIECE + 1:
        return '%d rows, %r' % (len(got), result)
    for row in got:
        wrong = wrong_line(row, figures([large[:row[0]]]))
        if wrong:
            return wrong
    return None


def test_reports():
    inputs = [large, b'abcdefgh', walk(200000)]
    names = [save(data) for data in inputs]
    test('--per-file', prints_rows, names, inputs)
    test('--every', puts_snapshots)


# ---- what has no order ----

def test_refusals():
    order = 'need all bytes of an input in their order'
    alone = '--dtype=u1 alone'
    run(['--state=s', '-'], b'abcdef')
    for options, message in (
            (['--state=s'], order), (['--format=state'], order),
            (['--shard=1/2'], order), (['--every=1s', '--reset', '-otable'],
                                       order),
            (['--merge', 's'], order), (['-l', '--where=1>0'], order),
            (['--dtype=u2'], alone), (['--record=u1,u1'], alone),
            (['--record=u1,u2', '-f1'], alone), (['-l'], alone),
            (['--csv', '-f1'], alone), (['--dtype=i1'], alone)):
        for figure in ('serial', 'pi'):
            test('%s with %s' % (figure, ' '.join(options)), refuses,
                 ['--columns=' + figure] + options, message)


# ---- ent ----

def columns_of_ent(name):
    lines = filtered(['ent', '-t', name], b'').decode().splitlines()
    return dict(zip(lines[0].split(','), lines[1].split(',')))


def agrees_with_ent(data):
    name = save(data)
    wanted = columns_of_ent(name)
    ours = run(['--columns=count,serial,pi,mean', '--dtype=u1',
                name]).stdout.decode().split()
    stats = dict(line.split('\t') for line in
                 run(['--stats=only', name]).stdout.decode().splitlines())
    for ent, got in (('File-bytes', ours[0]), ('Serial-Correlation', ours[1]),
                     ('Monte-Carlo-Pi', ours[2]),
                     ('Entropy', stats['entropy']),
                     ('Chi-square', stats['chi-square']),
                     ('Mean', stats['mean']), ('Mean', ours[3])):
        # Of equal bytes, ent prints a number that no correlation is.
        if ent == 'Serial-Correlation' and wanted[ent].startswith('-100000'):
            wanted[ent] = 'nan'
        # ent rounds to six decimals, after sums in doubles.
        near = 1e-6 + 1e-12 * abs(float(wanted[ent]))
        if not (is_equal(float(got), float(wanted[ent])) or
                abs(float(got) - float(wanted[ent])) < near):
            return '%s: %s, %s' % (ent, got, wanted[ent])
    return None


def test_ent():
    if not shutil.which('ent'):
        skip('ent', 'no ent')
        return
    for what, data in (('noise', noise(1000003)), ('a walk', walk(1000003)),
                       ('all', large), ('a few bytes', b'hello world'),
                       ('equal bytes', b'a' * 60), ('zeros', bytes(60)),
                       ('text', b'It was the best of times\n' * 1000),
                       ('5 bytes', b'abcde'), ('6 bytes', b'abcdef')):
        test('as ent: ' + what, agrees_with_ent, data)


test_plain()
test_odd()
test_compressed()
test_archives()
test_arrays()
test_reports()
if is_cpu:
    test_refusals()
    test_ent()
put_tests()
