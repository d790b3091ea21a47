#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
every.py -- snapshots, beside counts of what had come until then

    every.py PROGRAM DRIVER-DIRECTORY

A pipe is written to in steps, each of which is waited for to show in a
snapshot: so it is known what must be in it.  Nothing depends on how long
anything takes.  DRIVER-DIRECTORY: of a CUDA driver without a GPU; or empty.
"""

import collections
import functools
import itertools
import json
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile
import threading
import time

PROGRAM = sys.argv[1]
DRIVER = sys.argv[2]  # or nothing
SECONDS = 100
SOON = '20ms'
source = random.Random(7)
tests = 0


def ok(passed, name, got=None):
    global tests
    tests += 1
    print('ok' if passed else 'not ok', tests, '-', name, flush=True)
    if not passed:
        print('# got:', str(got)[:500])


def engines():
    """What counts: a name, options, an environment."""
    yield 'one thread', ['-j1'], {}
    yield 'four threads', ['-j4', '--device=cpu'], {}
    if DRIVER:
        fake = {'LD_LIBRARY_PATH': DRIVER}
        yield 'a GPU', ['--device=cuda'], fake
        yield 'all', ['--gpu-after=0', '-j2'], fake


def blocks(stream):
    """The histograms of --format=json, one after the other."""
    text = ''
    for line in stream:
        text += line.decode()
        if line.endswith(b']}\n'):
            try:
                block = json.loads(text)
            except json.JSONDecodeError:
                continue
            text = ''
            yield block
    assert text == '', text


def counted(block):
    """What a block counts, without zeros, each histogram for itself."""
    return [{bin['value']: bin['count'] for bin in one['bins'] if bin['count']}
            for one in block['histograms']]


@functools.cache
def count(data, code):
    values = data if code == 'B' else (
        x[0] for x in struct.iter_unpack(code, data))
    return [dict(collections.Counter(values))]


class Run:
    """A run that reads from a pipe and prints --format=json."""

    def __init__(self, options, environment, stderr=None):
        self.process = subprocess.Popen(
            [PROGRAM, '--format=json', *options], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=stderr,
            env=dict(os.environ, **environment))
        self.timer = threading.Timer(SECONDS, self.process.kill)
        self.timer.start()
        self.blocks = blocks(self.process.stdout)

    def write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def snapshot(self, is_new):
        """The first one that is new."""
        for block in self.blocks:
            if is_new(block):
                return block
        return None

    def end(self):
        """What is still printed."""
        self.process.stdin.close()
        rest = list(self.blocks)
        status = self.process.wait()
        self.timer.cancel()
        return status, rest


def in_steps(name, options, environment, steps, code, encode=lambda data: [data],
             extra=0, is_whole=True):
    """Each of STEPS shows before the next one is written."""
    run = Run([f'--every={SOON}', *options], environment)
    size = struct.calcsize(code)
    total = b''
    wrong = []
    numbers = []
    for step in steps:
        total += step
        for piece in encode(step):
            run.write(piece)
        whole = len(total) // size * size
        block = run.snapshot(lambda x, n=whole: x['bytes'] == n)
        if block is None or counted(block) != count(total[:whole], code):
            wrong.append((len(total), block))
            break
        numbers.append(block['snapshot'])
    status, rest = run.end()
    if not is_whole:
        ok(not wrong and status == 1 and all('snapshot' in x for x in rest),
           name, (wrong, status))
        return
    final = rest[-1] if rest else None
    if (wrong or status != 0 or numbers != sorted(set(numbers)) or
            'snapshot' in final or
            any(x['bytes'] != len(total) - extra for x in rest) or
            counted(final) != count(total[:len(total) - extra], code)):
        wrong.append((status, final))
    ok(not wrong, name, wrong)


def frames(zstd):
    """Each step a frame, in two pieces, cut anywhere."""
    def encode(data):
        frame = subprocess.run([zstd, '-qc'], input=data, check=True,
                               stdout=subprocess.PIPE).stdout
        at = source.randrange(len(frame))
        return [frame[:at], frame[at:]]
    return encode


def withhold(encode):
    """The checksum of a frame, the last four bytes, comes with the next."""
    late = b''

    def encode_late(data):
        nonlocal late
        frame = late + b''.join(encode(data))
        frame, late = frame[:-4], frame[-4:]
        return [frame]
    return encode_late


def byte_by_byte(zstd):
    """Interrupted after each byte, zstd finds the same errors."""
    frame = subprocess.run([zstd, '-qc'], input=b'abcdefg' * 9 + b'hijklmno',
                           check=True, stdout=subprocess.PIPE).stdout
    for name, at in (('block', 6), ('content', 12), ('checksum', -1)):
        bad = bytearray(frame)
        bad[at] ^= 6
        data = frame + bad
        alone = subprocess.run([PROGRAM], input=data, capture_output=True)
        run = Run(['--every=2ms', '--nonzero'], {}, stderr=subprocess.PIPE)
        run.write(data[:4])
        for i in range(4, len(data)):
            run.write(data[i:i + 1])
            # The second one begins after that, and interrupts.
            if not (run.snapshot(bool) and run.snapshot(bool)):
                break
        run.end()
        message = run.process.stderr.read()
        ok(message == alone.stderr and b'at byte' in message,
           f'a bad {name}, byte by byte', (message, alone.stderr))


def endless():
    """Snapshots at any moment of a pipe."""
    sizes = (4, 1, 100, 70000, 1, 3000000, 5)
    steps = [source.randbytes(n) for n in sizes]
    for name, options, environment in engines():
        in_steps(f'bytes, {name}', options, environment, steps, 'B')
    odd = [source.randbytes(n) for n in (5, 1, 1, 4, 3, 5, 70003, 2)]
    for name, options, environment in engines():
        in_steps(f'values that come in part, {name}',
                 ['--dtype=<u4', '--shift=28', *options], environment,
                 [bytes([0] * len(x)) for x in odd], '<I')
    in_steps('small chunks', ['--chunk-size=100', '-j4'], {}, steps, 'B')
    in_steps('single bytes', [], {}, [b'a', b'b', b'a'], 'B')
    # Until it cannot be zstd.
    in_steps('a part of a magic number', [], {}, [b'(\xb5/x', b'a', b'a'], 'B')
    in_steps('a magic number, not looked at', ['--decompress=none'], {},
             [b'(', b'\xb5', b'/', b'\xfd'], 'B')
    in_steps('a part of a value at the end', ['--dtype=u2', '--partial=drop',
                                              '-q'], {}, [b'abcde'], '<H', extra=1)
    zstd = shutil.which('zstd')
    if zstd and os.environ.get('HAVE_ZSTD') == 'yes':
        in_steps('zstd', [], {}, steps, 'B', frames(zstd))
        in_steps('zstd, before the checksum', [], {}, steps, 'B',
                 withhold(frames(zstd)), is_whole=False)
        byte_by_byte(zstd)


def late(directory):
    """The snapshot has the input before a FIFO without a writer."""
    fifo = os.path.join(directory, 'fifo')
    os.mkfifo(fifo)
    run = Run([f'--every={SOON}', '-', fifo], {})
    run.write(b'abcde')
    run.process.stdin.close()
    block = run.snapshot(lambda x: x['bytes'] == 5)
    if block:
        with open(fifo, 'wb') as file:
            file.write(b'xyz')
    status, rest = run.end()
    ok(block and counted(block) == count(b'abcde', 'B') and status == 0 and
       counted(rest[-1]) == count(b'abcdexyz', 'B'), 'a FIFO that opens late',
       (status, block))


def hanging(directory):
    """A GPU that hangs is noticed, however often there are snapshots."""
    fired = os.path.join(directory, 'fired')
    run = Run([f'--every={SOON}', '--decompress=none', '--gpu-after=0', '-j1',
               '--gpu-timeout=0.2', '-q'],
              {'LD_LIBRARY_PATH': DRIVER, 'FAKE_CU_FIRED': fired,
               'FAKE_CU_FAIL': 'cuLaunchKernel:1:700:hang'})
    written = 0
    block = True
    while block and not os.path.exists(fired):
        written += 1
        run.write(b'a')
        block = run.snapshot(lambda x, n=written: x['bytes'] == n)
    status, rest = run.end()
    ok(block and status == 0 and counted(rest[-1]) == [{97: written}],
       'a GPU that hangs', (status, block))


def slow():
    """Those that could not be printed in time are left out."""
    run = Run(['--every=10ms', '--decompress=none'], {})
    begin = time.monotonic()
    time.sleep(0.5)
    last = run.snapshot(lambda x: time.monotonic() > begin + 0.6)
    # There is room in the pipe for some of them.
    seconds = time.monotonic() - begin - 0.5
    ok(last['snapshot'] < 25 + seconds / 0.01, 'nobody reads for a while',
       (last['snapshot'], seconds))
    run.end()


# ---- a snapshot after a number of bytes ----

def run_once(arguments, environment=None, data=b''):
    done = subprocess.run([PROGRAM, *arguments], input=data, timeout=SECONDS,
                          stdout=subprocess.PIPE, check=True,
                          env=dict(os.environ, **(environment or {})))
    return list(blocks(done.stdout.splitlines(keepends=True)))


def bare(block):
    """BLOCK without the differences between a snapshot and a separate run."""
    return {key: block[key] for key in ('bytes', 'records', 'histograms')}


# What is counted, how long a record is, and what is between two snapshots.
SPECS = (
    ('bytes', [], 1, 70001),
    ('records', ['--record=u1,<f4,x', '-f2', '-b10', '--range=-1e3,1e3'], 6,
     70001),
    ('a range that grows', ['--dtype=<f4', '-b20', '--range=auto'], 4, 70001),
    ('a range of bytes', ['-b10', '--range=auto'], 1, 70001),
    ('logarithmic bins', ['--record=<f4,<u2', '--log=10'], 6, 70001),
    ('weights', ['--record=u1,<f4', '-f1', '--weights=2'], 5, 70001),
    ('joint', ['--record=u1*2', '--joint', '-b16', '--range=0,256'], 2, 70001),
    ('a shared table', ['--dtype=u4', '-b600000', '--range=0,4294967296',
                        '--top=99'], 4, 200001),
)


# Three of them for four engines: each meets each.
CHUNKS = itertools.cycle(([], ['--chunk-size=999'], ['--chunk-size=1Mi']))


def each_so_many(directory):
    """Each snapshot is the output of a run over the same number of bytes."""
    data = b''.join(struct.pack('<f', source.gauss(0, 10.0 ** (i // 9999)))
                    for i in range(60000))
    path = os.path.join(directory, 'data')
    with open(path, 'wb') as file:
        file.write(data)
    for name, spec, size, every in SPECS:
        spec = ['--format=json', '--partial=drop', '-q', *spec]
        cuts = []
        while not cuts or cuts[-1] + every < len(data):
            at = (len(cuts) + 1) * every
            cuts.append((at + size - 1) // size * size)
            if cuts[-1] > len(data):
                cuts.pop()
                break
        wanted = [bare(x) for n in [*cuts, len(data)]
                  for x in run_once([*spec, '--device=cpu'], data=data[:n])]
        for engine, options, environment in engines():
            chunk = next(CHUNKS)
            got = run_once([*spec, *options, *chunk, f'--every={every}', path],
                           environment)
            numbers = [x.get('snapshot') for x in got]
            ok([bare(x) for x in got] == wanted and
               numbers == [*range(1, len(got)), None],
               f'{name}, {engine}, {"".join(chunk)}', (numbers, got[0]))


def several(directory):
    """Inputs are read one after the other."""
    data = source.randbytes(300000)
    paths = []
    for i, (begin, end) in enumerate(((0, 1), (1, 50000), (50000, 50000),
                                      (50000, 290000))):
        paths.append(os.path.join(directory, str(i)))
        with open(paths[-1], 'wb') as file:
            file.write(data[begin:end])
    for every in (33333, 50000, 1):
        if every == 1:
            data = data[:400]
            done = run_once(['--format=json', '--nonzero', '--every=1'],
                            data=data)
        else:
            done = run_once(['--format=json', f'--every={every}', *paths, '-'],
                            data=data[290000:])
        ends = [*range(every, len(data) + 1, every), len(data)]
        ok([x['bytes'] for x in done] == ends and all(
            counted(x) == count(data[:x['bytes']], 'B') for x in done),
           f'several inputs, each {every} bytes', [x['bytes'] for x in done])


# ---- what is new ----

def add(amounts):
    """The sum of many dictionaries."""
    total = collections.Counter()
    for one in amounts:
        total.update(one)
    return dict(total)


def in_bins(block, values):
    """Whether the first histogram of BLOCK has exactly these values."""
    one = block['histograms'][0]
    return all(b['count'] == sum(b['lo'] <= x < b['hi'] for x in values)
               for b in one['bins'])


def resets(directory):
    """What each interval has, and that they add up."""
    data = source.randbytes(200000) + bytes(99999)
    for name, options, environment in engines():
        got = run_once(['--format=json', '--every=64Ki', '--reset', *options],
                       environment, data)
        parts = [data[i:i + 65536] for i in range(0, len(data), 65536)]
        ok([counted(x) for x in got] ==
           [count(x, 'B') for x in [*parts, data]] and
           [x['bytes'] for x in got] == [*map(len, parts), len(data)] and
           [x.get('snapshot') for x in got] ==
           [*range(1, len(parts) + 1), None],
           f'what is new, {name}', [x['bytes'] for x in got])

    values = [source.gauss(0, 2.0 ** (i // 100)) for i in range(2000)]
    packed = struct.pack('<2000d', *values)
    got = run_once(['--format=json', '--dtype=<f8', '-b30', '--range=auto',
                    '--every=4000', '--reset'], data=packed)
    parts = [values[i:i + 500] for i in range(0, 2000, 500)]
    ok(len(got) == 5 and all(map(in_bins, got, [*parts, values])),
       'what is new, while the range grows', [x['bytes'] for x in got])

    wide = bytes(range(256)) + bytes(range(100, 120)) * 10
    for size, code in ((1, 'B'), (2, 'H')):
        spec = ['--format=json', f'--dtype=<u{size}', '-b9', '--range=auto']
        packed = struct.pack(f'<{len(wide)}{code}', *wide)
        got = run_once([*spec, f'--every={256 * size}', '--reset'], data=packed)
        axes = [x['histograms'][0]['axes'][0] for x in got]
        widths = {(axis['hi'] - axis['lo']) / axis['bins'] for axis in axes}
        ok(all(map(in_bins, got, [wide[:256], wide[256:], wide])) and
           len(widths) == 1,
           f'what is new, in the bins of all values of {size} bytes', got[1])

    # Empty bins at either end are left out of each, as it needs.
    packed = struct.pack('<2000d', *values)
    for spec in (['--dtype=<f8', '--log'], ['--dtype=<u2', '--log'],
                 ['--record=<f8,<u2,<f4,x*2', '--joint', '--log=10']):
        spec = ['--format=json', *spec]
        got = run_once([*spec, '--every=4000', '--reset'], data=packed)
        wanted = [run_once(spec, data=packed[i:j])[0] for i, j in (
            (0, 4000), (4000, 8000), (8000, 12000), (12000, 16000), (0, 16000))]
        ok([bare(x) for x in got] == [bare(x) for x in wanted],
           'what is new, in logarithmic bins', got[1]['histograms'][0]['axes'])
    got = run_once(['--format=json', '--log', '--every=2', '--reset'],
                   data=bytes([0, 0, 9, 200]))
    ok([[(b['lo'], b['count']) for b in x['histograms'][0]['bins']]
        for x in got] == [[(1, 0)], [(8, 1), (16, 0), (32, 0), (64, 0),
                                     (128, 1)], [(8, 1), (16, 0), (32, 0),
                                                 (64, 0), (128, 1)]],
       'what is new, in no bin', got)

    path = os.path.join(directory, 'weighted')
    pairs = [(source.randrange(5), source.choice((1e300, -1e300, 3.5, 2.0**-900)))
             for _ in range(4000)]
    with open(path, 'wb') as file:
        file.write(b''.join(struct.pack('<Bd', *pair) for pair in pairs))
    spec = ['--format=json', '--record=u1,<f8', '-f1', '--weights=2',
            '--nonzero']
    got = run_once([*spec, '--every=9000', '--reset', path])
    alone = []
    with open(path, 'rb') as file:
        while part := file.read(9000):
            alone += run_once(spec, data=part)
    ok([bare(x) for x in got[:-1]] == [bare(x) for x in alone] and
       bare(got[-1]) == bare(run_once([*spec, path])[0]),
       'what is new, of exact sums', got[0])


def main():
    with tempfile.TemporaryDirectory() as directory:
        endless()
        late(directory)
        slow()
        if DRIVER:
            hanging(directory)
        each_so_many(directory)
        several(directory)
        resets(directory)
    print(f'1..{tests}')


main()
