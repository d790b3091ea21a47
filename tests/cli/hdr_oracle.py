# SPDX-License-Identifier: MIT
"""hdr_oracle.py -- what --format=hdr prints, against the index of each value

The index of a value is computed here from its bits, as HdrHistogram does, and
never from bins.  A log is read by this script and, where it is installed, by
Python's hdrhistogram, whose own histograms of the same values have the same
counts.  It prints what checks() of tap.sh reads.
"""

import base64
import collections
import os
import random
import re
import struct
import subprocess
import sys
import tempfile
import zlib

from checks import check

GPUHIST = sys.argv[1]
BITS = {4: 1, 7: 2, 10: 3, 14: 4, 17: 5}
source = random.Random(19)
HEAD = ('#[Histogram log format version 1.3]',
        '"StartTimestamp","Interval_Length","Interval_Max",'
        '"Interval_Compressed_Histogram"')
LINE = re.compile(r'(?:Tag=([^,\s]*),)?0\.000,0\.000,(\d+)\.000,([^,]+)')


def run(options, data):
    done = subprocess.run([GPUHIST, *options, '--format=hdr'], input=data,
                          timeout=60, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b''), (options, done.stderr)
    return done.stdout.decode('ascii')


def same(got, wanted):
    assert got == wanted, (got, wanted)


# ---- what must be printed ----

def index_of(value, k):
    """As getBucketIndex(), getSubBucketIndex() and countsArrayIndex()."""
    bucket = max(value.bit_length() - (k + 1), 0)
    return ((bucket + 1) << k) + ((value >> bucket) - (1 << k))


def most_of(value, k):
    """The greatest value with the index of VALUE."""
    bucket = max(value.bit_length() - (k + 1), 0)
    return (((value >> bucket) + 1) << bucket) - 1


def wanted_of(values, k):
    most = most_of(max(values, default=0), k)
    highest = 2 ** max(most.bit_length(), k + 1) - 1
    return (BITS[k], most, highest,
            dict(collections.Counter(index_of(v, k) for v in values)))


# ---- what is printed ----

def read_counts(data):
    """The counts by index: zigzag LEB128, of at most 9 bytes."""
    counts = {}
    index = at = 0
    while at < len(data):
        number = shift = 0
        while True:
            byte = data[at]
            at += 1
            if shift == 56:
                number |= byte << shift
                break
            number |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                break
        number = number >> 1 ^ -(number & 1)
        if number > 0:
            counts[index] = number
        index += -number if number < 0 else 1
    return counts


def read_line(line):
    tag, most, text = LINE.fullmatch(line).groups()
    data = base64.b64decode(text, validate=True)
    cookie, length = struct.unpack('>II', data[:8])
    same((cookie, length), (0x1c849314, len(data) - 8))
    content = zlib.decompress(data[8:])
    cookie, length, offset, digits, lowest, highest, ratio = struct.unpack(
        '>IIIIQQd', content[:40])
    same((cookie, length, offset, lowest, ratio),
         (0x1c849313, len(content) - 40, 0, 1, 1.0))
    return tag, (digits, int(most), highest, read_counts(content[40:]))


def read(text):
    assert text.endswith('\n')
    *head, = text.splitlines()[:2]
    same(tuple(head), HEAD)
    lines = [read_line(line) for line in text.splitlines()[2:]]
    assert len(dict(lines)) == len(lines), lines
    return dict(lines)


# ---- checks ----

def draw(k, count, bits=63):
    """Numbers of all magnitudes, and those where an index changes."""
    values = [0, 1, 2 ** bits - 1]
    for _ in range(count):
        octave = source.randrange(bits)
        value = source.getrandbits(octave + 1)
        first = value >> max(octave - k, 0) << max(octave - k, 0)
        values += [value, first, max(first - 1, 0)]
    return values


def test_samples(k):
    types = [('u1', 'B', 8), ('i2', 'h', 15), ('u4', 'I', 32), ('i8', 'q', 63),
             ('u8', 'Q', 63)]
    # Many bins take long.
    for name, code, bits in types[:5 if k < 14 else 1]:
        values = draw(k, 50, bits)
        data = struct.pack('<%d%s' % (len(values), code), *values)
        same(read(run(['--dtype=' + name, '--log', '--subdiv=%d' % k], data)),
             {None: wanted_of(values, k)})


def test_counts(k):
    """Counts of up to 9 bytes, and runs of zeros of all lengths."""
    values = {}
    at = 3
    for length in [62, *range(0, 60, 3)]:
        values[at] = 2 ** length + source.getrandbits(length)
        at += source.randrange(1, 2 + at)
    data = ''.join('%d\t%d\n' % pair for pair in values.items()).encode()
    got, = read(run(['--counts', '--dtype=int', '--log', '--subdiv=%d' % k],
                    data)).values()
    wanted = collections.Counter()
    for value, count in values.items():
        wanted[index_of(value, k)] += count
    same(got[3], dict(wanted))
    # The counts of a histogram have 63 bits together.
    data = b'a,1,%d\na,2,%d\nb,3,4\n' % (2 ** 62, 2 ** 62)
    options = ['--csv', '--counts', '-g1', '-f2', '--dtype=int', '--log',
               '--subdiv=4', '--flow=hide', '-q']
    assert list(read(run(options, data))) == ['field1=b']


def test_blocks():
    """More bytes than a stored block of zlib has."""
    values = range(7, 65536)
    data = struct.pack('<%dH' % len(values), *values)
    got = read(run(['--dtype=u2', '--log', '--subdiv=17'], data))[None]
    same(got, (5, 65535, (1 << 18) - 1, dict.fromkeys(values, 1)))


def test_range():
    data = b'\n'.join(b'%d' % value for value in range(1000))
    same(read(run(['-l', '--log', '--subdiv=4', '--range=1,1000',
                   '--dtype=int'], data)),
         {None: wanted_of(range(1000), 4)})


def test_tags():
    lines = []
    times = collections.defaultdict(list)
    for _ in range(300):
        key = source.choice(['a', 'x;y', 'z,=', '\u00e9 b', '%'])
        for field in ('n', 'time'):
            times[key, field].append(source.randrange(5000))
        lines.append('"%s",%d,%d' % (key, times[key, 'n'][-1],
                                   times[key, 'time'][-1]))
    data = 'path,n,time\n' + '\n'.join(lines) + '\n'
    tags = {'a': 'a', 'x;y': 'x%3By', 'z,=': 'z%2C%3D', '\u00e9 b': '%C3%A9%20b', '%': '%25'}
    same(read(run(['--csv', '-g', 'path', '-f', 'n,time', '--dtype=int',
                   '--log', '--subdiv=7'], data.encode())),
         {'path=%s;field=%s' % (tags[key], field): wanted_of(values, 7)
          for (key, field), values in times.items()})
    # A key that is missing is not in the tag.
    same(read(run(['--csv', '-g2', '-f1', '--dtype=int', '--log',
                   '--subdiv=7'], b'5,a\377\n7,\n0\n')),
         {'field2=a%FF': wanted_of([5], 7), 'field2=': wanted_of([7], 7),
          None: wanted_of([0], 7)})


def test_empty():
    same(read(run(['--dtype=u2', '--log', '--subdiv=10'], b'')),
         {None: wanted_of([], 10)})
    same(read(run(['-l', '--dtype=int', '--log', '--subdiv=7'], b'5000\n')),
         {None: wanted_of([5000], 7)})
    same(read(run(['--dtype=u2', '--log', '--subdiv=10'], bytes(8))),
         {None: wanted_of([0] * 4, 10)})


def test_reader():
    from hdrh.histogram import HdrHistogram
    from hdrh.log import HistogramLogReader

    # Of 5 digits, 63 bits take 100 MB there.
    for k, bits, name in ((4, 63, 'i8'), (7, 63, 'u8'), (10, 63, 'u8'),
                          (14, 24, 'u4'), (17, 18, 'u4')):
        values = draw(k, 100, bits)
        data = struct.pack('<%d%s' % (len(values),
                                      'I' if name == 'u4' else 'Q'), *values)
        log = run(['--dtype=' + name, '--log', '--subdiv=%d' % k], data)
        wanted = HdrHistogram(1, 2 ** bits - 1, BITS[k])
        for value in values:
            assert wanted.record_value(value)
        with tempfile.NamedTemporaryFile('w', dir='.', delete=False) as file:
            file.write(log)
        got = HistogramLogReader(file.name,
                                 wanted).get_next_interval_histogram()
        os.unlink(file.name)
        same((got.get_total_count(), got.get_max_value(),
              got.highest_trackable_value, got.significant_figures),
             (len(values), wanted.get_max_value(), 2 ** bits - 1, BITS[k]))
        same(got.get_value_at_percentile(50),
             wanted.get_value_at_percentile(50))
        assert list(got.encoder.get_counts()) == list(
            wanted.encoder.get_counts()), k
        wanted.add(got)
        same(wanted.get_total_count(), 2 * len(values))


for K in BITS:
    check('samples, --subdiv=%d' % K, test_samples, K)
check('large counts', test_counts, 7)
check('several blocks', test_blocks)
check('a range', test_range)
check('groups and fields', test_tags)
check('nothing, one value, and zeros', test_empty)
try:
    __import__('hdrh.log')
    check("the reader of Python's hdrhistogram", test_reader)
except ImportError:
    print('PASS the reader # SKIP no hdrhistogram')
