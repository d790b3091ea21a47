# SPDX-License-Identifier: MIT
"""native_oracle.py -- --scale, otlp and prom-native, against exact arithmetic

The bucket of a value is computed here from logarithms of 60 digits, never from
edges, for OpenTelemetry, and by the rule of Prometheus' own client for
prom-native.  What is printed is read by this script and, where they are
installed, by the readers of OpenTelemetry and of Prometheus, and Prometheus
itself says in which buckets quantiles are.
"""

import bisect

import collections
import decimal
import http.server
import json
import math
import os
import random
import re
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request

from checks import check

GPUHIST = sys.argv[1]
RIGHT = '--closed=right'
LEAST = sys.float_info.min
source = random.Random(19)
decimal.getcontext().prec = 60
LN2 = decimal.Decimal(2).ln()


def run(options, data=b''):
    done = subprocess.run([GPUHIST, *options], input=data, timeout=60,
                          capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b''), (options, done.stderr)
    return done.stdout.decode()


def same(got, wanted):
    assert got == wanted, (got, wanted)


# ---- what must be printed ----

def steps(value, scale):
    """log2(VALUE) * 2^SCALE: an integer if that is exact, else 60 digits."""
    fraction, exponent = math.frexp(value)
    if fraction != 0.5:
        return (decimal.Decimal(value).ln() / LN2
                * decimal.Decimal(2) ** scale)
    return decimal.Decimal(exponent - 1) * decimal.Decimal(2) ** scale


def bucket(value, scale):
    """The index of the bucket that includes its upper edge."""
    return math.ceil(steps(value, scale)) - 1


def bounds(schema, made={}):
    """The upper edges of the buckets from 1/2 to 1, and 1/2."""
    if schema not in made:
        made[schema] = [
            (LN2 * (decimal.Decimal(i) / 2 ** schema - 1)).exp() if i
            else decimal.Decimal('0.5') for i in range(2 ** schema)]
    return made[schema]


def observe(value, schema):
    """The key of a bucket, as histogram.observe() of client_golang has it."""
    fraction, exponent = math.frexp(value)
    if schema > 0:
        edges = bounds(schema)
        return (bisect.bisect_left(edges, decimal.Decimal(fraction))
                + (exponent - 1) * len(edges))
    key = exponent - (fraction == 0.5)
    return (key + (1 << -schema) - 1) >> -schema


class Point:
    def __init__(self, values, scale, first=LEAST, is_whole=False):
        least = 0 if is_whole else first
        self.placed = [value for value in values if value > least]
        self.scale = scale
        self.around = sum(value <= least for value in values)
        self.threshold = least if any(0 < v <= least for v in values) else 0
        self.buckets = dict(collections.Counter(
            bucket(value, scale) for value in values if value > least))

    def tuple(self):
        count = self.around + sum(self.buckets.values())
        return (count, self.scale, self.around, self.threshold,
                self.buckets)

    def native(self):
        return (*self.tuple()[:4], dict(collections.Counter(
            observe(value, self.scale) for value in self.placed)))


def near_edges(scale, low, high, count):
    """Random numbers, and edges with the doubles beside them."""
    values = []
    for _ in range(count):
        values.append(2.0 ** source.uniform(low, high))
        step = source.randrange(math.ceil(low * 2.0 ** scale),
                                math.floor(high * 2.0 ** scale) + 1)
        power = decimal.Decimal(step) / decimal.Decimal(2) ** scale
        edge = float((power * LN2).exp())
        values += [edge, math.nextafter(edge, 0),
                   math.nextafter(edge, math.inf)]
    return values


# ---- what is printed ----

def read_otlp(text):
    metric, = json.loads(text)['resourceMetrics'][0]['scopeMetrics'][0][
        'metrics']
    histogram = metric['exponentialHistogram']
    assert histogram['aggregationTemporality'] == 1, histogram
    points = {}
    for point in histogram['dataPoints']:
        labels = tuple((label['key'], label['value']['stringValue'])
                       for label in point.get('attributes', []))
        positive = point.get('positive', {'offset': 0, 'bucketCounts': []})
        assert all(isinstance(n, str) for n in positive['bucketCounts'])
        counts = [int(n) for n in positive['bucketCounts']]
        assert not counts or (counts[0] > 0 and counts[-1] > 0), counts
        assert labels not in points, labels
        points[labels] = (
            int(point['count']), point['scale'], int(point['zeroCount']),
            point.get('zeroThreshold', 0),
            {positive['offset'] + i: n for i, n in enumerate(counts) if n})
    return metric['name'], points


LABEL = r'([A-Za-z_]\w*)="((?:[^"\\\n]|\\[n"\\])*)"'
NUMBER = r'-?\d+(?:\.\d+)?(?:e[-+]?\d+)?'
# As the grammar of OpenMetrics 2.0 has it.
SAMPLE = re.compile(
    r'([A-Za-z_:][\w:]*)(?:\{(' + LABEL + '(?:,' + LABEL + r')*)\})? '
    r'\{count:(\d+),sum:(NaN|0),schema:(-?\d),zero_threshold:(' + NUMBER +
    r'),zero_count:(\d+)(?:,positive_spans:\[(-?\d+:\d+(?:,\d+:\d+)*)\],'
    r'positive_buckets:\[(\d+(?:,\d+)*)\])?\}')


def read_native(text):
    lines = text.splitlines()
    name = lines[0].split()[2]
    same(lines[:2], ['# HELP %s Values, counted by gpuhist.' % name,
                     '# TYPE %s histogram' % name])
    assert text.endswith('\n# EOF\n'), text
    points = {}
    for line in lines[2:-1]:
        match = SAMPLE.fullmatch(line)
        assert match and match.group(1) == name, line
        labels = tuple(
            (key, re.sub(r'\\(.)', lambda m: {'n': '\n'}.get(m[1], m[1]),
                         value))
            for key, value in re.findall(LABEL, match.group(2) or ''))
        count, total, schema, threshold, around, spans, buckets = (
            match.groups()[-7:])
        indexes = []
        index = 0
        for span in spans.split(',') if spans else []:
            offset, length = map(int, span.split(':'))
            assert length > 0 and (offset > 0 or not indexes), line
            index += offset
            indexes += range(index, index + length)
            index += length
        counts = [int(n) for n in buckets.split(',')] if buckets else []
        same(len(counts), len(indexes))
        same(total == '0', not counts and float(threshold) == 0)
        assert labels not in points, labels
        points[labels] = (int(count), int(schema), int(around),
                          float(threshold), dict(zip(indexes, counts)))
    return name, points


def compare(options, data, wanted, name='gpuhist_values'):
    """WANTED: a point for each tuple of labels."""
    same(read_otlp(run([*options, '--format=otlp'], data)),
         (name, {labels: point.tuple() for labels, point in wanted.items()}))
    if all(-4 <= point.scale <= 8 for point in wanted.values()):
        same(read_native(run([*options, '--format=prom-native'], data)),
             (name, {labels: point.native()
                     for labels, point in wanted.items()}))


# ---- the cases ----

def text_of(values):
    return ''.join('%r\n' % value for value in values).encode()


def test_doubles(scale):
    values = near_edges(scale, -1022, 1023.99, 30)
    values += [0.0, -0.0, 5e-324, 1.0, 2.0, sys.float_info.max, 1.0]
    first = LEAST if scale >= -1 else 2.0 ** (-1022 // 2 ** -scale
                                              * 2 ** -scale)
    point = Point(values, scale, first)
    options = ['--dtype=<f8', '--scale=%d' % scale, RIGHT]
    compare(options, struct.pack('<%dd' % len(values), *values), {(): point})


def test_range(scale, low, high):
    values = near_edges(scale, math.log2(low) + 1e-5, math.log2(high) - 1e-5,
                        20)
    values += [0, low / 2, math.nextafter(low, 0)]
    options = ['-l', '--dtype=num', '--scale=%d' % scale, RIGHT,
               '--range=%r,%r' % (low, high)]
    # The last edge at or below LOW; LOW itself is a whole power.
    compare(options, text_of(values), {(): Point(values, scale, low)})


def test_integers():
    values = [source.getrandbits(source.randrange(1, 50)) for _ in range(400)]
    values += [0, 0, 1, 1, 2, 3, 4, 8, 2 ** 31]
    point = {(): Point(values, 3, is_whole=True)}
    compare(['--dtype=<u8', '--scale=3', RIGHT],
            struct.pack('<%dQ' % len(values), *values), point)
    compare(['-l', '--dtype=int', '--scale=3', RIGHT, '-j3', '--chunk-size=4k'],
            text_of(values), point)
    narrow = [value % 60000 for value in values]
    compare(['--dtype=<u2', '--scale=5', RIGHT],
            struct.pack('<%dH' % len(narrow), *narrow),
            {(): Point(narrow, 5, is_whole=True)})


def test_left():
    values = near_edges(3, -4, 9, 40)
    rows = run(['-l', '--dtype=num', '--scale=3', '--nonzero'],
               text_of(values)).splitlines()
    got = {}
    for row in rows:
        low, high, count = row.split('\t')
        index = round(math.log2(float(low)) * 8)
        same(round(math.log2(float(high)) * 8), index + 1)
        got[index] = int(count)
    same(got, dict(collections.Counter(math.floor(steps(value, 3))
                                       for value in values)))


KEYS = ['plain', 'with "quotes"', 'back\\slash', 'tab\there', 'é', '']


def test_groups():
    lines = []
    times = {}
    for _ in range(300):
        key = source.choice(KEYS)
        pair = (source.choice([0, round(2 ** source.uniform(-3, 9), 3)]),
                source.randrange(100))
        lines.append('"%s",x,%r,%d' % (key.replace('"', '""'), *pair))
        for field, value in zip(('time', 'n'), pair):
            times.setdefault((key, field), []).append(value)
    data = 'path,a-b,time,n\n' + '\n'.join(lines) + '\n'
    wanted = {
        (('path', key), ('a_b', 'x'), ('field', field)): Point(values, 2)
        for (key, field), values in times.items()}
    compare(['--csv', '-g', 'path,a-b', '-f', 'time,n', '--scale=2',
             '--dtype=num', RIGHT, '--metric=seconds'], data.encode(), wanted,
            'seconds')
    # What is no UTF-8 is told apart, and a key that is missing has no label.
    compare(['--csv', '-g2', '-f1', '--scale=0', RIGHT], b'5,a\377\n7,\n0\n6\n',
            {(('field2_hex', '61ff'),): Point([5], 0),
             (('field2', ''),): Point([7], 0), (): Point([0, 6], 0)})


def test_published():
    """Buckets whose edges the documentation of each format names."""
    def numbers(scale, value):
        options = ['--dtype=<f8', '--scale=%d' % scale, RIGHT]
        data = struct.pack('<d', value)
        return tuple(
            next(iter(read(run([*options, '--format=' + name], data))[1][()][4]))
            for name, read in (('otlp', read_otlp),
                               ('prom-native', read_native)))
    # OpenTelemetry: (base^i, base^(i+1)]; Prometheus: (base^(i-1), base^i].
    for scale, value, wanted in [
            (0, 1.0, (-1, 0)), (0, 1.5, (0, 1)), (0, 2.0, (0, 1)),
            (0, 2.5, (1, 2)), (0, 4.0, (1, 2)), (0, 0.5, (-2, -1)),
            (0, 0.75, (-1, 0)), (1, 1.4, (0, 1)), (1, 1.5, (1, 2)),
            (-1, 4.0, (0, 1)), (-1, 4.5, (1, 2)), (-1, 1.0, (-1, 0)),
            (-4, 65536.0, (0, 1)), (-4, 65537.0, (1, 2)),
            (3, 97.0, (52, 53)), (8, 2.0 ** -1000, (-256001, -256000)),
            (3, sys.float_info.max, (8191, 8192))]:
        same((scale, value, numbers(scale, value)), (scale, value, wanted))


def test_empty():
    compare(['--dtype=f4', '--scale=2', RIGHT], b'',
            {(): Point([], 2)})
    compare(['--dtype=f4', '--scale=2', RIGHT], bytes(8),
            {(): Point([0, 0], 2)})


# ---- readers that others wrote ----

def sample():
    """Options, data, and the wanted points; what is not above 1 is 0."""
    lines = ['%s,%d' % (key, source.choice([0, source.randrange(2, 9999)]))
             for key in 'aab' * 100]
    points = {}
    for key in 'ab':
        values = [int(line[2:]) for line in lines if line[0] == key]
        points[key] = Point(values, 3, is_whole=True)
    return (['--csv', '-g1', '-f2', '--scale=3', '--dtype=int', RIGHT],
            '\n'.join(lines).encode(), points)


def test_opentelemetry():
    from google.protobuf import json_format
    from opentelemetry.proto.collector.metrics.v1 import metrics_service_pb2
    from opentelemetry.proto.metrics.v1 import metrics_pb2

    options, data, points = sample()
    wanted = {key: point.tuple() for key, point in points.items()}
    request = json_format.Parse(
        run([*options, '--format=otlp'], data),
        metrics_service_pb2.ExportMetricsServiceRequest())
    metric = request.resource_metrics[0].scope_metrics[0].metrics[0]
    same((metric.name, metric.WhichOneof('data')),
         ('gpuhist_values', 'exponential_histogram'))
    histogram = metric.exponential_histogram
    same(histogram.aggregation_temporality,
         metrics_pb2.AGGREGATION_TEMPORALITY_DELTA)
    got = {}
    for point in histogram.data_points:
        label, = point.attributes
        counts = point.positive.bucket_counts
        assert not point.HasField('sum') and not point.HasField('negative')
        same(point.count, point.zero_count + sum(counts))
        got[label.value.string_value] = (
            point.count, point.scale, point.zero_count, point.zero_threshold,
            {point.positive.offset + i: n for i, n in enumerate(counts) if n})
    same(got, wanted)


def deltas_of(match):
    counts = [0, *map(int, match[1].split(','))]
    return 'positive_deltas:[%s]' % ','.join(
        str(b - a) for a, b in zip(counts, counts[1:]))


def test_prometheus():
    from prometheus_client.openmetrics import parser

    # Version 0.2x has the names and the differences of an earlier draft.
    options, data, points = sample()
    wanted = {key: point.native() for key, point in points.items()}
    text = re.sub(r'positive_buckets:\[([0-9,]*)\]', deltas_of,
                  run([*options, '--format=prom-native'], data))
    family, = parser.text_string_to_metric_families(text)
    same((family.name, family.type), ('gpuhist_values', 'histogram'))
    got = {}
    for point in family.samples:
        native = point.native_histogram
        assert math.isnan(native.sum_value)
        buckets = {}
        index = count = 0
        rest = iter(native.pos_deltas)
        for span in native.pos_spans:
            index += span.offset
            for index in range(index, index + span.length):
                count += next(rest)
                buckets[index] = count
            index += 1
        got[point.labels['field1']] = (
            native.count_value, native.schema, native.zero_count,
            native.zero_threshold, buckets)
    same(got, wanted)


# ---- Prometheus itself, which reads native histograms as protobuf only ----

def varint(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes(out + bytes([number]))


def signed(number):
    return number << 1 if number >= 0 else (-number << 1) - 1


def field(number, value):
    """A field of protobuf: an integer, a double or bytes."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    if isinstance(value, float):
        return varint(number << 3 | 1) + struct.pack('<d', value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def exposition(name, points):
    """The MetricFamily of the POINTS that prom-native has printed."""
    metrics = b''
    for labels, (count, schema, around, threshold, buckets) in points.items():
        histogram = (field(1, count) + field(2, math.nan)
                     + field(5, signed(schema)) + field(6, threshold)
                     + field(7, around))
        end = before = 0
        deltas = b''
        for index in sorted(buckets):
            histogram += field(12, field(1, signed(index - end)) + field(2, 1))
            deltas += field(13, signed(buckets[index] - before))
            end, before = index + 1, buckets[index]
        metric = b''.join(field(1, field(1, key.encode())
                                + field(2, value.encode()))
                          for key, value in labels)
        metrics += field(4, metric + field(7, histogram + deltas))
    family = field(1, name.encode()) + field(2, b'') + field(3, 4) + metrics
    return varint(len(family)) + family


class Target(http.server.BaseHTTPRequestHandler):
    exposition = b''

    def do_GET(self):
        self.send_response(200)
        self.send_header(
            'Content-Type', 'application/vnd.google.protobuf; '
            'proto=io.prometheus.client.MetricFamily; encoding=delimited')
        self.end_headers()
        self.wfile.write(self.exposition)

    def log_message(self, *_):
        pass


def query(port, text):
    """The values that Prometheus has for TEXT, by the label field1."""
    url = 'http://127.0.0.1:%d/api/v1/query?query=%s' % (
        port, urllib.parse.quote(text))
    with urllib.request.urlopen(url, timeout=10) as reply:
        result = json.load(reply)['data']['result']
    return {row['metric'].get('field1', ''): float(row['value'][1])
            for row in result}


def ask(port, texts):
    """query() for each of TEXTS, once the server has scraped the target."""
    for _ in range(300):
        try:
            if query(port, 'histogram_count(gpuhist_values)'):
                return [query(port, text) for text in texts]
        except OSError:
            pass
        time.sleep(0.1)
    raise TimeoutError('Prometheus has nothing')


def serve(points, texts):
    """What Prometheus says to each of TEXTS, of the metric with POINTS."""
    Target.exposition = exposition('gpuhist_values', points)
    with http.server.ThreadingHTTPServer(('127.0.0.1', 0), Target) as target, \
            socket.socket() as free, tempfile.TemporaryDirectory() as place:
        threading.Thread(target=target.serve_forever, daemon=True).start()
        free.bind(('127.0.0.1', 0))
        port = free.getsockname()[1]
        free.close()
        config = os.path.join(place, 'prometheus.yml')
        with open(config, 'w') as file:
            file.write('scrape_configs: [{job_name: a, scrape_interval: 1s, '
                       'static_configs: [{targets: ["127.0.0.1:%d"]}]}]\n'
                       % target.server_port)
        with subprocess.Popen(
                ['prometheus', '--config.file=' + config,
                 '--enable-feature=native-histograms',
                 '--storage.tsdb.path=' + os.path.join(place, 'data'),
                 '--web.listen-address=127.0.0.1:%d' % port],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
            try:
                return ask(port, texts)
            finally:
                server.kill()
                target.shutdown()


def test_server():
    values = {'': [97, 97, 98]}
    for key in 'ab':
        values[key] = sorted(source.choice([0, source.randrange(2, 9999)])
                             for _ in range(50))
    lines = ['%s,%d' % (key, value)
             for key in values for value in values[key]]
    points = read_native(run(
        ['--csv', '-g1', '-f2', '--scale=3', '--dtype=int', RIGHT,
         '--format=prom-native'], '\n'.join(lines).encode()))[1]
    ranks = [(1, 2), (1, 10), (7, 10), (99, 100), (1, 1)]
    replies = serve(points, ['histogram_quantile(%r, gpuhist_values)'
                             % (a / b) for a, b in ranks])
    for (a, b), reply in zip(ranks, replies):
        same(sorted(reply), sorted(values))
        for key, quantile in reply.items():
            rank = -(-len(values[key]) * a // b)
            value = values[key][rank - 1]
            # Its bucket, by the edges that have nothing to do with numbers.
            high = 2 ** (math.ceil(math.log2(value) * 8) / 8) if value else 0
            low = high * 2 ** -0.125
            assert low * 0.999999 <= quantile <= high * 1.000001, (
                key, a, b, value, low, high, quantile)


def test_reader(name, function, package):
    try:
        __import__(package)
    except ImportError:
        print('PASS', name, '# SKIP no', package)
        return
    check(name, function)


for S in (-10, -4, -1, 0, 1, 3, 8):
    check('doubles, --scale=%d' % S, test_doubles, S)
check('a range, --scale=5', test_range, 5, 0.25, 3000.0)
check('a range, --scale=20', test_range, 20, 1.0, 1.01)
check('integers', test_integers)
check('bins with their lower edges', test_left)
check('groups and fields', test_groups)
check('buckets by their published edges', test_published)
check('nothing, and zeros', test_empty)
test_reader('the reader of OpenTelemetry', test_opentelemetry,
            'opentelemetry.proto.collector.metrics.v1.metrics_service_pb2')
test_reader('the reader of Prometheus', test_prometheus,
            'prometheus_client.openmetrics.parser')
if shutil.which('prometheus'):
    check('Prometheus', test_server)
else:
    print('PASS Prometheus # SKIP no prometheus')
