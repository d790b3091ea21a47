# SPDX-License-Identifier: MIT
"""sample_columns_oracle.py -- figures of binary numbers, against Python

sample_columns.sh runs it, in a scratch directory.  numpy reads the numbers;
fractions of Python's integers are the exact figures, each rounded once at the
end.  numpy's own nanmin(), nanmax(), unique(), quantile() and mean(), and
pandas' groupby() if it is there, must agree within their precision.  It prints
TAP.
"""

import collections
import decimal
import fractions
import json
import math
import os
import struct

import numpy as np

import oracle
from oracle import prints, put_tests, run, test

try:
    import ml_dtypes
except ImportError:
    ml_dtypes = None
try:
    import pandas
except ImportError:
    pandas = None

IS_SHORT = os.environ.get('IS_SHORT') == 'yes'
COUNT = 2000 if IS_SHORT else 20000
random = np.random.default_rng(4444)
Fraction = fractions.Fraction
decimal.getcontext().prec = 120
decimal.getcontext().Emax = decimal.MAX_EMAX
decimal.getcontext().Emin = decimal.MIN_EMIN

FIGURES = ['count', 'records', 'nan', 'distinct', 'min', 'max', 'sum', 'mean',
           'sd', 'sample_sd', 'mode', 'median', 'q1', 'q3', 'iqr', 'p50',
           'p99.9', 'p0.1', 'p100', 'n50', 'l50', 'n90', 'l90']
COLUMNS = '--columns=' + ','.join(FIGURES)


# ---- what should be printed ----

def text(value):
    if isinstance(value, float):
        if value != value:
            return 'nan'
        written = repr(value)
        return written[:-2] if written.endswith('.0') else written
    return str(value)


def rounded(exact):
    """The double nearest to a fraction."""
    try:
        return float(exact)
    except OverflowError:
        return math.inf if exact > 0 else -math.inf


def root(exact):
    """The double nearest to the square root of a fraction."""
    number = decimal.Decimal(exact.numerator) / decimal.Decimal(
        exact.denominator)
    return float(number.sqrt())


def blend(values, weights):
    """The mean of VALUES, as many of each as WEIGHTS say: exact, or a float."""
    used = [(v, w) for v, w in zip(values, weights) if w]
    infinite = {v for v, _ in used if math.isinf(v)}
    if infinite:
        return math.nan if len(infinite) > 1 else infinite.pop()
    return sum(Fraction(v) * w for v, w in used) / sum(w for _, w in used)


def quartile(values, k):
    place, part = divmod((len(values) - 1) * k, 4)
    after = values[min(place + 1, len(values) - 1)]
    return blend([values[place], after], [4 - part, part])


def less(a, b):
    if isinstance(a, float) or isinstance(b, float):
        return float(a) - float(b)
    return rounded(a - b)


def spread(values, is_sample):
    n = len(values)
    if n < 1 + is_sample or any(map(math.isinf, values)):
        return math.nan
    total = sum(map(Fraction, values))
    squares = sum(Fraction(v) ** 2 for v in values)
    return root((n * squares - total ** 2) / (n * (n - is_sample)))


def n_and_l(values, percent):
    if any(v < 0 or math.isinf(v) for v in values):
        return math.nan, math.nan
    wanted = sum(map(Fraction, values)) * percent / 100
    so_far = Fraction(0)
    for number, value in enumerate(reversed(values)):
        so_far += Fraction(value)
        if so_far >= wanted:
            return value, number + 1
    return math.nan, math.nan


def total(values):
    infinite = {v for v in values if math.isinf(v)}
    if infinite:
        return math.nan if len(infinite) > 1 else infinite.pop()
    return sum(map(Fraction, values))


def figures(column, wanted=None):
    """The figures of COLUMN, as texts: all of FIGURES."""
    values = [v for v in column if v == v]
    values.sort()
    found = {'count': len(values), 'records': len(column),
             'nan': len(column) - len(values), 'distinct': len(set(values))}
    is_real = any(isinstance(v, float) for v in column)
    if not values:
        for name in FIGURES:
            found.setdefault(name, math.nan)
        found['sum'] = 0
        return [text(found[name]) for name in wanted or FIGURES]
    n = len(values)
    whole = total(values)
    counts = collections.Counter(values)
    most = max(counts.values())
    found['min'], found['max'] = values[0], values[-1]
    found['mode'] = min(v for v, c in counts.items() if c == most)
    found['sum'] = (whole if isinstance(whole, float)
                    else rounded(whole) if is_real else int(whole))
    found['mean'] = (whole if isinstance(whole, float)
                     else rounded(whole / n))
    found['sd'] = spread(values, False)
    found['sample_sd'] = spread(values, True)
    for name, k in [('q1', 1), ('median', 2), ('q3', 3)]:
        exact = quartile(values, k)
        found[name] = exact if isinstance(exact, float) else rounded(exact)
    found['iqr'] = less(quartile(values, 3), quartile(values, 1))
    for name, rank in [('p50', -(-n // 2)), ('p99.9', -(-n * 999 // 1000)),
                       ('p0.1', -(-n // 1000)), ('p100', n)]:
        found[name] = values[rank - 1]
    for percent in [50, 90]:
        found['n%d' % percent], found['l%d' % percent] = n_and_l(values,
                                                                 percent)
    return [text(found[name]) for name in wanted or FIGURES]


def numbers(column):
    """The numbers of COLUMN, of integers or doubles; one zero."""
    if column.dtype.kind in 'iu':
        return [int(v) for v in column]
    with np.errstate(all='ignore'):
        return [float(v) + 0.0 for v in column.astype('f8')]


# ---- numbers of many kinds ----

def patterns(size, count):
    """COUNT random patterns of SIZE bytes."""
    return random.integers(0, 256, count * size, 'u1').view('<u%d' % size)


def of_bits(code, bits):
    """The numbers of type CODE with BITS, as doubles."""
    if code == 'bf16':
        return (bits.astype('<u4') << 16).view('<f4')
    if code == 'f8e5m2':
        return (bits.astype('<u2') << 8).view('<f2')
    if code == 'f8e4m3':
        return np.array([e4m3(int(b)) for b in range(256)])[bits]
    return bits.view('<' + code)


def e4m3(bits):
    """The value of a float of 8 bits, OCP's form fn."""
    sign = -1.0 if bits & 128 else 1.0
    exponent, fraction = bits >> 3 & 15, bits & 7
    if exponent == 15 and fraction == 7:
        return math.nan
    if exponent == 0:
        return sign * fraction * 2.0 ** -9
    return sign * (8 + fraction) * 2.0 ** (exponent - 10)


def extremes():
    """Doubles whose sums need all places: (name, list)."""
    big, tiny = 1.7976931348623157e308, 5e-324
    yield 'no numbers', []
    yield 'one', [0.1]
    yield 'two', [0.1, 0.2]
    yield 'zeros', [0.0, -0.0, -0.0]
    yield 'only NaN', [math.nan, math.nan]
    yield 'overflow', [big, big, big]
    yield 'overflow below', [-big, -big]
    yield 'overflow that comes back', [big, big, -big, -big, 1.5]
    yield 'the greatest and the least', [big, tiny, -big]
    yield 'denormals', [tiny * k for k in range(-5, 9)]
    yield 'half of the least', [tiny, 0.0]
    yield 'infinity', [math.inf, 1.0, 2.0]
    yield 'both infinities', [math.inf, -math.inf, 1.0]
    yield 'infinities among many', [-math.inf] + [1.0] * 8 + [math.inf] * 3
    yield 'cancelled', [1e16, 1.0, -1e16, 1e-16]
    yield 'equal numbers', [0.1] * 77
    yield 'a small deviation', [1e300, 1e300 * (1 + 2 ** -52)]
    yield 'ties', [1.0, 2.0 ** -53, 2.0 ** -106]
    yield 'to even', [1.0, 2.0 ** -53]
    exponents = random.integers(-1074, 1024, COUNT)
    yield 'mixed exponents', np.ldexp(random.uniform(-1, 1, COUNT),
                                      exponents).tolist()
    yield 'mixed exponents, positive', np.ldexp(random.uniform(0.5, 1, COUNT),
                                                exponents).tolist()


# ---- tests ----

def check(name, options, data, values):
    """Whether the file DATA, with VALUES, has the right figures."""
    file = 'file%d' % len(oracle.tests)
    with open(file, 'wb') as output:
        output.write(data)
    test(name, prints, [*options, COLUMNS, '-q', file],
         ['\t'.join(figures(values))])


def test_extremes():
    for name, values in extremes():
        for order in '<>':
            data = struct.pack('%s%dd' % (order, len(values)), *values)
            check('f8, %s, %s' % (order, name), ['--dtype=%sf8' % order], data,
                  [v + 0.0 for v in values])


def test_types():
    types = [('u1', 1), ('i1', 1), ('u2', 2), ('i2', 2), ('u4', 4), ('i4', 4),
             ('u8', 8), ('i8', 8), ('f2', 2), ('f4', 4), ('f8', 8), ('bf16', 2),
             ('f8e4m3', 1), ('f8e5m2', 1)]
    for code, size in types:
        bits = patterns(size, COUNT)
        few = random.choice(bits[:9], COUNT)
        for name, some in [('patterns', bits), ('few', few)]:
            with np.errstate(all='ignore'):
                values = numbers(of_bits(code, some))
            for order in '<>' if size > 1 else '<':
                data = some.astype(order + 'u%d' % size).tobytes()
                check('%s%s, %s' % (order, code, name),
                      ['--dtype=%s%s' % (order, code)], data, values)
    if ml_dtypes is None:
        oracle.skip('ml_dtypes', 'no ml_dtypes')
        return
    for code, name in [('f8e4m3', 'float8_e4m3fn'), ('f8e5m2', 'float8_e5m2'),
                       ('bf16', 'bfloat16')]:
        size = 2 if code == 'bf16' else 1
        bits = patterns(size, 500)
        values = numbers(bits.view(getattr(ml_dtypes, name)).astype('f8'))
        check('%s as ml_dtypes reads it' % code, ['--dtype=<' + code],
              bits.tobytes(), values)


FIELDS = [('a', 'u1'), ('b', '<f4'), ('c', '>i2'), ('d', '>f8'), ('e', '<u8')]
LAYOUT = '--record=' + ','.join(code for _, code in FIELDS)


def records(count):
    data = np.zeros(count, FIELDS)
    data['a'] = random.integers(0, 4, count)
    data['b'] = random.standard_normal(count).round(1)
    data['b'][::50] = np.nan
    data['c'] = random.integers(-3, 3, count)
    data['d'] = np.ldexp(random.uniform(-1, 1, count),
                         random.integers(-300, 300, count))
    data['d'][data['a'] == 1] = np.abs(data['d'][data['a'] == 1])
    data['e'] = random.integers(0, 2**64, count, 'u8')
    return data


DATA = records(COUNT)
DATA.tofile('records')
np.save('records.npy', DATA)
NAMES = [name for name, _ in FIELDS]


def groups(key, own):
    """(key, numbers of the field OWN), in order."""
    keys = numbers(DATA[key])
    for one in sorted(set(keys)):
        yield one, [v for k, v in zip(keys, numbers(DATA[own])) if k == one]


def test_groups():
    for key, own in [('a', 'b'), ('a', 'd'), ('c', 'e'), ('c', 'a')]:
        wanted = ['\t'.join([text(k), *figures(v)]) for k, v in groups(key,
                                                                       own)]
        options = ['-g', str(NAMES.index(key) + 1), '-f',
                   str(NAMES.index(own) + 1)]
        for more in [['-j1'], ['-j2', '--chunk-size=2300'], ['-j7']]:
            test('%s by %s: %s' % (own, key, more), prints,
                 [LAYOUT, *options, COLUMNS, '-q', *more, 'records'], wanted)
        test('%s by %s of .npy' % (own, key), prints,
             ['--npy', '-g', key, '-f', own, COLUMNS, '-q', 'records.npy'],
             wanted)
        for shard in '123':
            run([LAYOUT, *options, '--columns=mean', '--shard=%s/3' % shard,
                 '--state=%s%s.%s' % (key, own, shard), 'records'])
        test('%s by %s of states' % (own, key), prints,
             ['--merge', COLUMNS, '-q',
              *('%s%s.%s' % (key, own, shard) for shard in '123')], wanted)
    wanted = ['\t'.join(['%d' % (i + 1), *figures(numbers(DATA[name]))])
              for i, name in enumerate(NAMES)]
    for more in [['-j1'], ['-j2', '--chunk-size=2300'], ['-j7']]:
        test('fields of records: %s' % more, prints,
             [LAYOUT, COLUMNS, '-q', *more, 'records'], wanted)
    for shard in '12':
        run([LAYOUT, '--columns=p50', '--shard=%s/2' % shard,
             '--state=all.' + shard, 'records'])
    test('fields of records of states', prints,
         ['--merge', COLUMNS, '-q', 'all.1', 'all.2'], wanted)


def test_json():
    for options, name in [([LAYOUT, '-g3', '-f4', 'records'], 'field3'),
                          (['--npy', '-gc', '-fd', 'records.npy'], 'c')]:
        result = run([*options, '-q', '--columns=count', '--format=json'])
        got = json.loads(result.stdout)['histograms'][0]['groups']
        oracle.ok('groups of JSON have their %s' % name, None if got == [
            {name: k, 'count': len(v)} for k, v in groups('c', 'd')] else got)


def test_other():
    """The line for others: --top and --min-count."""
    names = ['count', 'min', 'sum', 'sd', 'p50', 'median', 'distinct', 'n50',
             'mode']
    columns = '--columns=' + ','.join(names)
    for own in 'bd':
        items = list(groups('c', own))
        ranked = sorted(items, key=lambda item: (-len([
            v for v in item[1] if v == v]), item[0]))
        rest = [v for _, values in ranked[2:] for v in values]
        test('--top of groups of %s' % own, prints,
             [LAYOUT, '-g3', '-f', str(NAMES.index(own) + 1), columns, '-q',
              '--top=2', 'records'],
             ['\t'.join([text(k), *figures(v, names)])
              for k, v in ranked[:2]] +
             ['\t'.join(['other', *figures(rest, names)])])
        means = sorted(items, key=lambda item: -float(figures(item[1],
                                                              ['mean'])[0]))
        test('--sort=mean of %s' % own, prints,
             [LAYOUT, '-g3', '-f', str(NAMES.index(own) + 1), columns, '-q',
              '--sort=mean', 'records'],
             ['\t'.join([text(k), *figures(v, names)]) for k, v in means])


def near(a, b):
    return a == b or abs(a - b) <= 1e-9 * max(abs(a), abs(b))


def test_numpy():
    """numpy and pandas round more often."""
    values = random.standard_normal(COUNT)
    values[::77] = np.nan
    values.tofile('normal')
    names = 'count,nan,min,max,mean,sd,q1,median,q3,distinct'
    got = [float(v) for v in run(['--dtype=f8', '--columns=' + names, '-q',
                                  'normal']).stdout.split()]
    finite = values[~np.isnan(values)]
    wanted = [len(finite), np.isnan(values).sum(), np.nanmin(values),
              np.nanmax(values), np.nanmean(values), np.nanstd(values),
              *np.quantile(finite, [0.25, 0.5, 0.75]), len(np.unique(finite))]
    oracle.ok('numpy', None if len(got) == 10 and all(map(near, got, wanted))
              else (got, wanted))
    if pandas is None:
        oracle.skip('pandas', 'no pandas')
        return
    frame = pandas.DataFrame({'key': DATA['c'].astype('i8'),
                              'value': DATA['b'].astype('f8')})
    table = frame.groupby('key').value.describe()
    got = run([LAYOUT, '-g3', '-f2', '-q',
               '--columns=count,mean,sample_sd,min,q1,median,q3,max',
               'records']).stdout.decode().splitlines()
    wrong = None if len(got) == len(table) else got
    for line, (key, row) in zip(got, table.iterrows()):
        found = [float(v) for v in line.split('\t')]
        if not all(map(near, found, [key, *row])):
            wrong = (line, key, list(row))
    oracle.ok('pandas', wrong)


def statistics(values, percentiles):
    """The lines of --stats=only for VALUES."""
    names = ['min', 'max', 'mean', 'sd', 'mode']
    inside = [v for v in values if v == v]
    lines = ['values\t%d' % len(values),
             'outside\t%d' % (len(values) - len(inside))]
    lines += map('\t'.join, zip(names, figures(values, names)))
    counts = collections.Counter('nan' if v != v else v for v in values)
    entropy = -sum(n / len(values) * math.log2(n / len(values))
                   for n in counts.values())
    lines += ['entropy\t%.12g' % entropy, 'distinct\t%d' % len(set(inside))]
    ranks = sorted(inside)
    return lines + ['p%d\t%s' % (p, text(ranks[-(-len(ranks) * p // 100) - 1]))
                    for p in percentiles]


def same_statistics(options, values, data, start=''):
    """Whether --stats prints those of VALUES, in the lines with START."""
    result = run([*options, '--stats=only', '--percentiles=1,50,99', '-q'],
                 data)
    got = [line[len(start):] for line in result.stdout.decode().splitlines()
           if line.startswith(start)]
    got = [line if not line.startswith('entropy') else
           'entropy\t%.12g' % abs(float(line.split('\t')[1]))
           for line in got]
    return oracle.difference(got, statistics(values, [1, 50, 99]))


def test_statistics():
    for code, values in [
            ('<f8', np.round(random.standard_normal(COUNT), 2)),
            ('>f4', np.where(random.random(COUNT) < 0.1, np.nan,
                             random.standard_normal(COUNT).astype('f4'))),
            ('<i8', random.integers(-2**62, 2**62, COUNT)),
            ('>u4', random.integers(0, 2**32, COUNT))]:
        data = values.astype(code)
        test('--stats of %s' % code, same_statistics, ['--dtype=' + code],
             numbers(data), data.tobytes())
    test('--stats of fields', same_statistics, [LAYOUT], numbers(DATA['b']),
         DATA.tobytes(), '2\t')
    values = [float(v) / 8 for v in random.integers(-999, 999, COUNT)]
    lines = ''.join('%s,x\n' % text(v) for v in values)
    test('--stats of CSV', same_statistics, ['--csv', '-f1'], values,
         lines.encode())
    for shard in '12':
        run([LAYOUT, '-f4', '--stats=only', '--shard=%s/2' % shard,
             '--state=stats.' + shard, 'records'])
    test('--stats of states', same_statistics, ['--merge', 'stats.1',
                                                'stats.2'],
         numbers(DATA['d']), None)
    long = run(['-l', '--stats=only'], b'1\n1' + b'0' * 50 + b'1\n')
    oracle.ok('--stats of numbers that are too long', None if
              long.returncode == 1 and b'has more than 38 digits' in long.stderr
              else long)


def test_others():
    """Images, pipes, bins of one value, and what is refused."""
    pixels = random.integers(0, 101, (30, 20, 3)).astype('u1')
    with open('image.ppm', 'wb') as file:
        file.write(b'P6 20 30 100\n' + pixels.tobytes())
    flat = pixels.reshape(-1, 3)
    test('an image', prints, ['--image', COLUMNS, '-q', 'image.ppm'],
         ['\t'.join([str(i + 1), *figures([int(v) for v in flat[:, i]])])
          for i in range(3)])
    data = patterns(2, 999)
    test('a pipe, of bytes', prints, [COLUMNS, '-q'],
         ['\t'.join(figures(list(data.tobytes())))], data=data.tobytes())
    test('--mask', prints, ['--dtype=<u2', '--mask=0xff0', COLUMNS, '-q'],
         ['\t'.join(figures([int(v) & 0xff0 for v in data]))],
         data=data.tobytes())
    test('bins', prints, ['--dtype=u1', '-b4', '--columns=count,min,p50'],
         ['4\t0\t64\t64\t128'], data=bytes([1, 64, 65, 200]))
    for options, message in [
            (['--record=u1,u1', '-g1', '-f2', '-b4', '--columns=mean'],
             'bins do not have'),
            (['--record=u1,u1', '-g1', '-f2', '--range=0,9', '--columns=mean'],
             'bins do not have'),
            (['--dtype=f8', '--columns=mean', '--device=cuda'], 'GPUs'),
            (['--dtype=f8', '--columns=mean', '--stats'], '--columns has'),
            (['--record=f8,f8', '-g1', '-f2', '--stats'],
             'for each group there is --columns'),
            (['--record=f8,f8', '-g1,2', '--stats'],
             'for each group there is --columns'),
            (['--record=f8,f8', '--columns=mean', '--weights=2'],
             '--columns and --weights exclude each other')]:
        result = run(options, b'')
        oracle.ok('refused: %s' % options, None if result.returncode == 2 and
                  message in result.stderr.decode() else result)


test_extremes()
test_types()
test_groups()
test_json()
test_other()
test_numpy()
test_statistics()
test_others()
put_tests()
