# SPDX-License-Identifier: MIT
"""minmax_oracle.py -- bins that are found from all values, against numpy

minmax.sh runs it, in a scratch directory.  --range=minmax must have the edges
and counts of numpy.histogram(), --bins=RULE the number of bins of
numpy.histogram_bin_edges() of numpy 2.4, and --edges=quantiles:N the edges of
numpy.quantile().  NaN and infinite values count as values outside of all bins.
It prints TAP.
"""

import itertools
import math
import os
import warnings

import numpy as np

import oracle
from numpy_oracle import FLOATS, INF, INTEGERS, parse
from oracle import difference, ok, put_tests, threads

random = np.random.default_rng(2026)
np.seterr(all='ignore')
warnings.simplefilter('ignore')
VERSION = tuple(map(int, np.__version__.split('.')[:2]))
RULES = ['auto', 'fd', 'doane', 'scott', 'stone', 'rice', 'sturges', 'sqrt']
EXACT = 2**53  # all integers up to here are doubles


# ---- what numpy says ----

def find_edges(values, bins):
    """Those of numpy 2; numpy 1 computes with doubles in between."""
    kind = values.dtype.type
    if values.dtype.str[1:] not in ('f2', 'f4'):
        return np.histogram_bin_edges(values, bins)
    if len(values) and np.isinf(values.max() - values.min()):
        # numpy has NaN as edges.
        return np.histogram_bin_edges(values.astype('f8'), bins).astype(kind)
    if VERSION >= (2, 0):
        return np.histogram_bin_edges(values, bins)
    if len(values) == 0:
        return np.linspace(0, 1, bins + 1).astype(kind)
    lo, hi = values.min(), values.max()
    if lo == hi:
        lo, hi = kind(lo - kind(.5)), kind(hi + kind(.5))
    step = kind((hi - lo) / kind(bins))
    edges = np.arange(bins + 1).astype(kind) * step + lo
    edges[-1] = hi
    return edges


def even_edges(values, bins):
    edges = find_edges(values, bins)
    if (edges[:-1] >= edges[1:]).any():  # numpy 2 says so itself
        raise ValueError('too many bins')
    return edges


def finite(values):
    return values[np.isfinite(values)] if values.dtype.kind == 'f' else values


def rows_of(values, edges):
    """The rows of --flow=show."""
    counts = np.histogram(finite(values), edges)[0].tolist()
    edges = [float(e) for e in edges]
    rows = [(-INF, edges[0], int((values == -INF).sum()))]
    rows += zip(edges, edges[1:], counts)
    rows.append((edges[-1], INF, int((values == INF).sum())))
    if values.dtype.kind == 'f':
        rows.append(('nan', 'nan', int(np.isnan(values).sum())))
    return rows


# ---- what is printed ----

def run(options, values, order, is_pipe, number):
    data = values.astype(values.dtype.newbyteorder(order)).tobytes()
    options = ['--dtype=' + order + values.dtype.str[1:], '--flow=show',
               *options]
    if is_pipe:
        return oracle.run(options, data)
    name = 'data%d' % number
    with open(name, 'wb') as file:
        file.write(data)
    result = oracle.run(options + [name])
    os.remove(name)
    return result


def without_ends(rows):
    """Integers that are no doubles are in the bins, too."""
    counts = [row[-1] for row in rows]
    return counts + [edge for row in rows for edge in row[:-1]
                     if edge not in (rows[0][1], rows[-1][0])]


def find_wrong(options, values, order, is_pipe, number, make_edges):
    result = run(options, values, order, is_pipe, number)
    try:
        wanted = rows_of(values, make_edges(finite(values)))
    except ValueError:  # too many bins
        return None if result.returncode == 2 and not result.stdout and \
            b'too narrow' in result.stderr else result
    if result.returncode != 0 or result.stderr:
        return 'status %d %s' % (result.returncode, result.stderr.decode())
    got = parse(result.stdout)
    if values.dtype.kind in 'iu' and len(values) and \
            max(abs(int(values.min())), abs(int(values.max()))) > EXACT and \
            len(got) == len(wanted):
        got, wanted = without_ends(got), without_ends(wanted)
    return difference(got, wanted, 'row')


numbers = itertools.count()


def check(name, options, values, make_edges, order='<', is_pipe=False):
    ok('%s, %d %s: %s%s' % (name, len(values), values.dtype.str,
                            ' '.join(options), ' <' if is_pipe else ''),
       threads.submit(find_wrong, options, values, order, is_pipe,
                      next(numbers), make_edges))


# ---- data ----

def normal(code, count):
    values = random.normal(size=count) * 50 + 60
    return (np.abs(values) if code[0] == 'u' else values).astype(code)


def uniform(code, count):
    if code in INTEGERS:
        info = np.iinfo(code)
        return random.integers(info.min, info.max, count, code, True)
    return random.random(count).astype(code)


def ties(code, count):
    return random.integers(0, 7, count).astype(code)


def two(code, count):
    return random.choice(np.array([3, 100], code), count)


def constant(code, count):
    return np.full(count, 42, code)


def hot(code, count):
    values = uniform(code, count)
    values[random.random(count) < .9] = 5
    return values


def distinct(code, count):
    return random.permutation(np.arange(count) % 60000).astype(code)


def special(code, count):
    values = normal(code, count)
    if code in FLOATS and count > 3:
        values[:4] = math.nan, INF, -INF, 1
    return values


def skewed(code, count):
    return (2.0 ** (random.random(count) * 6)).astype(code)


def large(code, count):
    """Magnitudes up to the end of the type."""
    if code in INTEGERS:
        return uniform(code, count)
    top = np.finfo(code).max / 4
    return (random.normal(size=count) * float(top) / 5).astype(code)


SHAPES = [normal, uniform, ties, two, constant, hot, distinct, special, skewed,
          large]
SIZES = [0, 1, 2, 3, 10, 100, 1000, 10000]


# ---- minmax ----

def check_minmax(shape, code, count, bins, **named):
    options = ['--range=minmax'] + ['-b%d' % bins] * (bins != 10)
    check(shape.__name__, options, shape(code, count),
          lambda finite: even_edges(finite, bins), **named)


def test_minmax():
    sizes, bins = itertools.cycle(SIZES), itertools.cycle([10, 1, 3, 64, 1000])
    is_pipe = itertools.cycle([False, True, False])
    for code, shape in itertools.product(INTEGERS + FLOATS, SHAPES):
        for order in '<>':
            check_minmax(shape, code, next(sizes), next(bins), order=order,
                         is_pipe=next(is_pipe))


def test_special_values():
    """numpy's own cases, and ends of the types."""
    cases = [
        ('f8', [1, 1, 2, 2, 3, 4, 4.5]), ('f8', [0.1] * 3), ('f8', []),
        ('f8', [1e-320, 3e-320]), ('f8', [1e300, 2e300]), ('f8', [1e16] * 2),
        ('f8', [5e-324, 0]), ('f8', [-0.0, 0.0]), ('f8', [math.nan]),
        ('f8', [INF, -INF, 3]), ('f8', [1e15, 1e15 + .25]),
        ('f8', [1e308, -1e307]), ('f8', [2.0**1021, 2.0**1023]),
        ('f8', list(np.arange(0, 4.5, .5))), ('f4', [16777216, 16777218]),
        ('f4', [3e38, -1e38]), ('f4', [1e-45, 0]), ('f4', [.1, .2, .3]),
        ('f2', [65504, 0]), ('f2', [6e-8, 0]), ('f2', [1, 1.001, 2]),
        ('i1', [-128, 127]), ('i1', [-128] * 2), ('u1', [255, 0]),
        ('i2', [-32768, 32767, 0]), ('i8', [-2**63, 2**63 - 1]),
        ('i8', [2**53, 2**53 + 1, 2**53 + 5]), ('i8', [2**60 + 1, 2**61 - 1]),
        ('u8', [2**64 - 1, 0]), ('u8', [2**63 + 1, 2**63 + 2**20]),
        ('i8', [-2**53 - 1, 5]), ('u8', [7, 7]),
        # test_bin_edge_cases, test_last_bin_inclusive_range, test_f32_rounding,
        # gh-23110 and test_integer_non_auto of numpy.
        ('f8', [337, 404, 739, 806, 1007, 1811, 2012]),
        ('f8', [0, 0, 0, 1, 2, 3, 3, 4, 5]), ('f8', [-0.9e-308]),
        ('f4', [276.318359, -69.593948, 21.329449]),
        ('f4', [5005.689453, 4481.327637, 6010.369629]),
        ('i4', list(range(9)) * 1000),
    ]
    for (code, values), bins in itertools.product(cases, [1, 2, 10, 33]):
        check('special', ['--range=minmax', '-b%d' % bins],
              np.array(values, code),
              lambda finite, bins=bins: checked_edges(finite, bins))


def checked_edges(values, bins):
    """Where numpy finds no edges, because 0.5 is nothing: others of a sensible
    width."""
    if len(values) and values.min() == values.max():
        value, half = float(values.min()), .5
        while value + half == value - half:
            half *= 2
        if half > .5:
            return even_edges(np.array([value - half, value + half]), bins)
    return even_edges(values, bins)


# ---- rules ----

# Of numpy's own tests: TestHistogramOptimBinNums of numpy 2.4.
SIMPLE = {
    50: {'fd': 4, 'scott': 4, 'rice': 8, 'sturges': 7, 'doane': 8, 'sqrt': 8,
         'auto': 7, 'stone': 2},
    500: {'fd': 8, 'scott': 8, 'rice': 16, 'sturges': 10, 'doane': 12,
          'sqrt': 23, 'auto': 10, 'stone': 9},
    5000: {'fd': 17, 'scott': 17, 'rice': 35, 'sturges': 14, 'doane': 17,
           'sqrt': 71, 'auto': 17, 'stone': 20},
}
SMALL = {
    1: {'fd': 1, 'scott': 1, 'rice': 1, 'doane': 1, 'sqrt': 1, 'stone': 1},
    2: {'fd': 2, 'scott': 1, 'rice': 3, 'doane': 1, 'sqrt': 2, 'stone': 1},
    3: {'fd': 2, 'scott': 2, 'rice': 3, 'doane': 3, 'sqrt': 2, 'stone': 1},
}


def find_wrong_bins(options, values, wanted):
    result = oracle.run(options, values.tobytes())
    if result.returncode != 0 or result.stderr:
        return 'status %d %s' % (result.returncode, result.stderr.decode())
    bins = len(result.stdout.splitlines())
    return None if bins == wanted else '%d bins, wanted %d' % (bins, wanted)


def check_bins(name, rule, values, wanted):
    options = ['--dtype=' + values.dtype.str[1:], '--bins=' + rule]
    ok('%s, %d values: %s' % (name, len(values), ' '.join(options)),
       threads.submit(find_wrong_bins, options, values, wanted))


def test_numpys_cases():
    for count, wanted in SIMPLE.items():
        values = np.concatenate((np.linspace(-10, -1, count // 5 * 2),
                                 np.linspace(1, 10, count // 5 * 3)))
        for rule, bins in wanted.items():
            check_bins('simple', rule, values, bins)
    for count, wanted in SMALL.items():
        for rule, bins in wanted.items():
            check_bins('small', rule, np.arange(count).astype('f8'), bins)
    for rule in RULES:
        check_bins('empty', rule, np.zeros(0), 1)
        check_bins('constant', rule, np.zeros(100), 1)
        # test_integer: bins of integers are at least 1 wide.
        check_bins('integers', rule, np.tile(np.arange(9), 1000).astype('i4'),
                   8)
    limited = np.ones(1000)
    limited[:3], limited[-4:] = 0, 100
    for rule, bins in {'fd': 1, 'sturges': 11}.items():
        check_bins('limited variance', rule, limited, bins)
    outlier = np.hstack((np.linspace(-110, -100, 5),
                         np.linspace(-10, 10, 50)))
    for rule, bins in {'fd': 21, 'scott': 5, 'doane': 11, 'stone': 6}.items():
        check_bins('outlier', rule, outlier, bins)


def is_near_whole(values, rule, got, wanted):
    """Whether numpy's quotient is within 1e-9 of a whole number."""
    selectors = np.lib._histograms_impl._hist_bin_selectors
    ends = values.min(), values.max()
    width = selectors[rule](values, ends)
    quotient = float(ends[1] - ends[0]) / float(width) if width else 0
    whole = round(quotient)
    return abs(got - wanted) == 1 and abs(quotient - whole) < 1e-9


def find_wrong_rule(rule, values, order, is_pipe, number):
    options = ['--bins=' + rule]
    result = run(options, values, order, is_pipe, number)
    some = finite(values)
    # numpy rounds the width of short floats to them.
    wide = some.astype('f8') if some.dtype.kind == 'f' else some
    bins = len(np.histogram_bin_edges(wide, rule)) - 1
    got = len(result.stdout.splitlines()) - 2 - (values.dtype.kind == 'f')
    if result.returncode == 0 and got != bins and \
            is_near_whole(wide, rule, got, bins):
        bins = got
    return find_wrong(options, values, order, is_pipe, number,
                      lambda finite: even_edges(finite, bins))


def check_rule(shape, code, rule, count, is_pipe=False):
    values = shape(code, count)
    ok('%s, %d %s: --bins=%s' % (shape.__name__, count, code, rule),
       threads.submit(find_wrong_rule, rule, values, '<', is_pipe,
                      next(numbers)))


def test_rules():
    if VERSION < (2, 4):
        oracle.skip('rules', 'needs numpy 2.4')
        return
    sizes = itertools.cycle([0, 1, 2, 3, 5, 50, 64, 1000, 5000])
    is_pipe = itertools.cycle([False, True, False, False])
    shapes = [s for s in SHAPES if s is not large]
    for code, rule in itertools.product(INTEGERS + FLOATS, RULES):
        for shape in shapes:
            if shape is uniform and code in ['i8', 'u8', 'f2']:
                continue
            if shape is hot and code in ['i4', 'u4', 'i8', 'u8']:
                continue  # fd has a billion bins
            check_rule(shape, code, rule, next(sizes), next(is_pipe))


# ---- quantiles ----

def quantile_edges(values, bins):
    if len(values) == 0:
        return np.array([0.0, 1.0])
    wide = values.astype('f8')
    edges = np.unique(np.quantile(wide, np.linspace(0, 1, bins + 1)))
    return edges if len(edges) > 1 else edges[0] + np.array([-.5, .5])


def test_quantiles():
    sizes = itertools.cycle([0, 1, 2, 3, 10, 101, 1000, 5000])
    bins = itertools.cycle([1, 2, 4, 10, 100])
    for code, shape in itertools.product(INTEGERS + FLOATS, SHAPES):
        if code in ['i8', 'u8'] and shape in [uniform, large, hot]:
            continue
        count = next(bins)
        check(shape.__name__, ['--edges=quantiles:%d' % count],
              shape(code, next(sizes)),
              lambda finite, count=count: quantile_edges(finite, count))


def find_wrong_qcut(values, bins):
    """pandas has bins (lo, hi], but the same edges; it may round them."""
    import pandas
    wanted = pandas.qcut(values, bins, retbins=True, duplicates='drop')[1]
    result = oracle.run(['--dtype=f8', '--edges=quantiles:%d' % bins],
                        values.tobytes())
    rows = parse(result.stdout)
    got = [row[0] for row in rows] + [rows[-1][1]]
    if len(got) == len(wanted) and np.allclose(got, wanted, 1e-14, 0):
        return None
    return '%s, wanted %s' % (got, wanted)


def test_qcut():
    try:
        import pandas  # noqa
    except ImportError:
        oracle.skip('pandas.qcut', 'needs pandas')
        return
    for shape in [normal, ties, two, distinct, skewed]:
        for bins in [2, 3, 4, 10]:
            ok('pandas.qcut, %s, %d' % (shape.__name__, bins),
               threads.submit(find_wrong_qcut, shape('f8', 501), bins))


# ---- any of them ----

def test_random():
    count = 2000 if os.environ.get('RUN_EXPENSIVE_TESTS') == 'yes' else 200
    for _ in range(count):
        code = random.choice(INTEGERS + FLOATS)
        shape = random.choice(SHAPES)
        size = int(10 ** random.uniform(0, 5))
        check_minmax(shape, str(code), size, int(10 ** random.uniform(0, 3)),
                     is_pipe=bool(random.integers(2)))


def main():
    test_minmax()
    test_special_values()
    test_numpys_cases()
    test_rules()
    test_quantiles()
    test_qcut()
    test_random()
    put_tests()


if __name__ == '__main__':
    main()
