# SPDX-License-Identifier: MIT
"""gen_oracle.py -- what gpuhist-gen makes, against theory and numpy

gen.sh runs it, with the number of tests before these.  Seeds are fixed, so a
test that passes once passes always.  A right program would fail a statistical
test, for one seed in a million: that is where the limits are.  It prints TAP.
"""

import math
import os
import re
import subprocess
import sys
import zlib

import numpy as np

COMMAND = os.environ['GPUHIST_BENCH'] + '/gpuhist-gen'
SOURCE = os.path.join(os.environ['srcdir'], 'bench', 'gen_text.c')
INTEGERS = ['u1', 'i1', 'u2', 'i2', 'u4', 'i4', 'u8', 'i8']
FLOATS = ['f2', 'f4', 'f8']
RISK = 1e-6
SIGMAS = 4.9  # a normal variable is beyond with that probability
np.seterr(all='ignore')
first = int(sys.argv[1])
count = first


def ok(name, wrong):
    """One test; WRONG is what is wrong, or None."""
    global count
    count += 1
    print('%sok %d - %s' % ('not ' if wrong else '', count, name))
    if wrong:
        print('#', wrong, flush=True)


def make(options, size):
    return subprocess.run([COMMAND, '--size=%d' % size] + options.split(),
                          timeout=60, capture_output=True, check=True).stdout


def samples(code, options, number):
    data = make('--dtype=<%s %s' % (code, options),
                number * np.dtype(code).itemsize)
    return np.frombuffer(data, '<' + code)


# ---- statistics ----

def upper_gamma(a, x):
    """The regularised incomplete gamma function Q(A, X)."""
    scale = math.exp(a * math.log(x) - x - math.lgamma(a)) if x > 0 else 0
    if x < a + 1:  # its series
        term = total = 1 / a
        n = a
        while term > total * 1e-16:
            n += 1
            term *= x / n
            total += term
        return 1 - scale * total
    b = x + 1 - a  # its continued fraction
    c = 1e300
    d = value = 1 / b
    for i in range(1, 100000):
        b += 2
        d = 1 / (i * (a - i) * d + b)
        c = b + i * (a - i) / c
        value *= d * c
        if abs(d * c - 1) < 1e-15:
            break
    return scale * value


def chi_square(observed, probabilities):
    """What is wrong with the counts OBSERVED, or None."""
    observed = np.asarray(observed, float)
    expected = np.asarray(probabilities, float) * observed.sum()
    if observed[expected == 0].any():
        return 'what cannot be has occurred'
    # Cells with few are put together, in their order.
    edges = [0]
    total = 0
    for i, cell in enumerate(expected.tolist()):
        total += cell
        if total >= 10:
            edges.append(i + 1)
            total = 0
    if len(edges) > 1:  # the last one takes the rest
        edges.pop()
    observed = np.add.reduceat(observed, edges)
    expected = np.add.reduceat(expected, edges)
    if len(edges) < 2:
        return 'only one cell: nothing to compare'
    if not math.isclose(observed.sum(), expected.sum(), rel_tol=1e-6):
        return 'the probabilities add up to %r' % (expected.sum() /
                                                   observed.sum())
    value = ((observed - expected)**2 / expected).sum()
    p = upper_gamma((len(edges) - 1) / 2, value / 2)
    return None if p > RISK else 'chi-square %.1f, %d cells, p = %.3g' % (
        value, len(edges), p)


def kolmogorov(sample, function):
    """
    Compare with the distribution FUNCTION of what was rounded to the sample's
    type.  The bound by Dvoretzky, Kiefer, Wolfowitz and Massart holds for any
    distribution and any number of samples.
    """
    values, counts = np.unique(sample, return_counts=True)
    x = values.astype('f8')
    if sample.dtype.kind == 'f':
        infinity = sample.dtype.type(math.inf)
        high = (x + np.nextafter(values, infinity).astype('f8')) / 2
        low = (x + np.nextafter(values, -infinity).astype('f8')) / 2
        if sample.dtype.itemsize == 8:
            high = low = x
        limits = -math.inf, math.inf
    else:
        high, low = x + 0.5, x - 0.5
        info = np.iinfo(sample.dtype)
        limits = info.min, info.max
    above = np.cumsum(counts) / len(sample)
    below = above - counts / len(sample)
    distance = max(
        np.abs(above - np.where(values == limits[1], 1, function(high))).max(),
        np.abs(below - np.where(values == limits[0], 0, function(low))).max())
    bound = math.sqrt(math.log(2 / RISK) / 2 / len(sample))
    return None if distance < bound else 'distance %.5f, bound %.5f' % (
        distance, bound)


def moments(sample, mean, variance, kurtosis):
    """The sample's mean and variance are close enough."""
    x = sample.astype('f8') - mean
    off = x.mean() / math.sqrt(variance / len(x))
    if abs(off) > SIGMAS:
        return 'the mean is off by %.1f sigma' % off
    off = ((x * x).mean() / variance - 1) / math.sqrt((kurtosis - 1) / len(x))
    if abs(off) > SIGMAS:
        return 'the variance is off by %.1f sigma' % off
    return None


def independent(x, lag):
    """No correlation between a sample and the one LAG samples later."""
    x = x.astype('f8')
    x = x - x.mean()
    off = (x[lag:] * x[:-lag]).mean() / x.var() * math.sqrt(len(x))
    return None if abs(off) < SIGMAS else 'correlated: %.1f sigma' % off


# ---- theory ----

def normal(mean, sd):
    erf = np.frompyfunc(math.erf, 1, 1)
    return lambda x: 0.5 + 0.5 * erf((x - mean) / sd / math.sqrt(2)).astype(
        'f8')


def exponential(rate):
    return lambda x: np.where(x > 0, -np.expm1(-rate * x), 0)


def uniform(lo, hi):
    return lambda x: np.clip((x - lo) / (hi - lo), 0, 1)


def log_factorial(k):
    return np.array([math.lgamma(v + 1) for v in np.atleast_1d(k).tolist()])


def binomial(trials, p):
    """(first outcome, probabilities from there on)"""
    sd = math.sqrt(trials * p * (1 - p))
    k = np.arange(max(0, math.floor(trials * p - 9 * sd - 9)),
                  min(trials, math.ceil(trials * p + 9 * sd + 9)) + 1)
    return k[0], np.exp(log_factorial(trials) - log_factorial(k) -
                        log_factorial(trials - k) + k * math.log(p) +
                        (trials - k) * math.log1p(-p))


def poisson(mean):
    sd = math.sqrt(mean)
    k = np.arange(max(0, math.floor(mean - 9 * sd)),
                  math.ceil(mean + 9 * sd + 30))
    return k[0], np.exp(k * math.log(mean) - mean - log_factorial(k))


def zipf_sum(exponent, begin, end):
    """Of k^-EXPONENT from BEGIN to END - 1."""
    total = 0
    if begin < 10000:
        k = np.arange(begin, min(end, 10000), dtype='f8')
        total = (k**-exponent).sum()
        begin = 10000
    if begin < end:  # the midpoint rule, good to 10^-9 here
        a, b = begin - 0.5, end - 0.5
        total += (math.log(b / a) if exponent == 1 else
                  (b**(1 - exponent) - a**(1 - exponent)) / (1 - exponent))
    return total


# ---- the words, as their authors describe them ----

MASK = 2**64 - 1


def splitmix(seed, number):
    words = []
    for _ in range(number):
        seed = (seed + 0x9e3779b97f4a7c15) & MASK
        z = seed
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9 & MASK
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb & MASK
        words.append(z ^ (z >> 31))
    return words


def rotate(word, bits):
    return (word << bits | word >> (64 - bits)) & MASK


def xoshiro(state, number):
    s = list(state)
    words = []
    for _ in range(number):
        words.append((rotate((s[0] + s[3]) & MASK, 23) + s[0]) & MASK)
        shifted = s[1] << 17 & MASK
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= shifted
        s[3] = rotate(s[3], 45)
    return words


def test_words():
    for seed in [0, 1, 1234567, 2**64 - 1]:
        got = samples('u8', '--seed=%d uniform' % seed, 3000).tolist()
        ok('xoshiro256++, seed %d' % seed,
           None if got == xoshiro(splitmix(seed, 4), 3000) else 'other words')
    wide = make('--dtype=<u8 uniform', 80000)
    for code in INTEGERS:
        ok('all bits of a word: ' + code,
           None if make('--dtype=<%s uniform' % code, 80000) == wide else
           'other bytes')


# ---- the distributions ----

def test_uniform():
    for code in INTEGERS:
        size = np.dtype(code).itemsize
        x = samples(code, 'uniform', 400000)
        high = x.view('u%d' % size) >> (8 * size - 8)
        low = x.view('u%d' % size) & 255
        ok('uniform %s: high bytes' % code,
           chi_square(np.bincount(high.astype('u1'), minlength=256),
                      np.full(256, 1 / 256)))
        ok('uniform %s: low bytes' % code,
           chi_square(np.bincount(low.astype('u1'), minlength=256),
                      np.full(256, 1 / 256)))
    # All sizes of batches, and ranges that do not divide a power of two.
    for code, lo, hi in [('u1', 0, 2), ('u1', 3, 3), ('u1', 1, 100),
                         ('i1', -100, 99), ('u2', 7, 1006), ('i2', -5, 5),
                         ('u4', 4294967290, 4294967295), ('i4', -1, 0),
                         ('u8', 2**64 - 1000, 2**64 - 1),
                         ('i8', -2**63, -2**63 + 6), ('u8', 0, 199)]:
        x = samples(code, '--range=%d,%d uniform' % (lo, hi), 300000)
        # As distances: exact beyond 2^53.
        got = (x - np.array(lo, code)).view('u%d' % x.dtype.itemsize)
        values = hi - lo + 1
        if got.max() >= values:
            wrong = 'outside'
        elif values == 1:
            wrong = None
        else:
            wrong = chi_square(np.bincount(got.astype('i8'),
                                           minlength=values),
                               np.full(values, 1 / values))
        ok('uniform %s: %d to %d' % (code, lo, hi), wrong)
    for code, lo, hi in [('u4', 1, 3 * 10**9), ('u8', 0, 2**63 + 2**62),
                         ('i8', -2**63, 2**62), ('i4', -10**6, 10**9),
                         ('u2', 100, 50000)]:
        x = samples(code, '--range=%d,%d uniform' % (lo, hi), 300000)
        ok('uniform %s: %d to %d' % (code, lo, hi),
           'outside' if x.min() < lo or x.max() > hi else
           kolmogorov(x, uniform(lo - 0.5, hi + 0.5)))
    # A third of these would be twice as likely, were no words rejected.
    x = samples('u8', '--range=0,%d uniform' % (3 * 2**62 - 1), 300000)
    ok('uniform u8: 3 * 2^62 values',
       chi_square(np.bincount((x % 3).astype('i8'), minlength=3),
                  np.full(3, 1 / 3)))
    for code in FLOATS:
        for lo, hi in [(0, 1), (-3, 5), (0.1, 0.3), (-1000, -1)]:
            x = samples(code, '--range=%r,%r uniform' % (lo, hi), 300000)
            wrong = None
            if x.astype('f8').min() < lo or x.astype('f8').max() >= hi:
                wrong = 'outside'
            ok('uniform %s: %r to %r' % (code, lo, hi),
               wrong or kolmogorov(x, uniform(lo, hi)))
    x = samples('f8', 'uniform', 1000000)
    ok('uniform f8: moments', moments(x, 0.5, 1 / 12, 1.8))
    ok('uniform f8: lowest digits',
       chi_square(np.bincount((x * 2**53).astype('i8') & 255, minlength=256),
                  np.full(256, 1 / 256)))
    for code in ['u1', 'u2', 'u8', 'f4', 'f8']:
        x = samples(code, 'uniform', 400000)
        top = ((x * 16).astype('i8') if x.dtype.kind == 'f' else
               (x >> (8 * x.dtype.itemsize - 4)).astype('i8'))
        for lag in [1, 2, 3, 8]:
            ok('uniform %s: pairs %d apart' % (code, lag),
               chi_square(np.bincount(top[lag:] * 16 + top[:-lag],
                                      minlength=256), np.full(256, 1 / 256)))


def test_normal():
    # With this many samples, errors of single layers show.
    x = samples('f8', 'normal', 4000000)
    edges = np.linspace(-5.5, 5.5, 2201)
    cells = np.diff(np.concatenate([[0], normal(0, 1)(edges), [1]]))
    got = np.bincount(np.searchsorted(edges, x, 'right'),
                      minlength=len(cells))
    ok('normal: cells', chi_square(got, cells))
    ok('normal: moments', moments(x, 0, 1, 3))
    for lag in [1, 2]:
        ok('normal: %d apart' % lag, independent(x, lag))
        ok('normal: magnitudes %d apart' % lag, independent(np.abs(x), lag))
    # Beyond the last layer; many samples, for few are there.
    x = np.abs(samples('f4', 'normal', 16000000))
    tail = x[x > 3.7].astype('f8')
    area = math.erfc(3.7 / math.sqrt(2))
    ok('normal: the tail', kolmogorov(
        tail, lambda v: 1 - np.frompyfunc(math.erfc, 1, 1)(
            v / math.sqrt(2)).astype('f8') / area) or
       chi_square([len(tail), len(x) - len(tail)], [area, 1 - area]))
    for code in INTEGERS:
        info = np.iinfo(code)
        middle = (int(info.min) + int(info.max)) / 2
        x = samples(code, 'normal', 100000)
        ok('normal %s' % code,
           kolmogorov(x, normal(middle, (int(info.max) - int(info.min)) / 8)))
    for code in ['u1', 'i2', 'f2', 'f4']:
        ok('normal %s: 20, 3' % code,
           kolmogorov(samples(code, '--mean=20 --sd=3 normal', 100000),
                      normal(20, 3)))
    x = samples('f8', '--mean=5 --sd=0 normal', 1000)
    ok('normal: --sd=0', None if (x == 5).all() else 'not constant')


def test_exponential():
    x = samples('f8', 'exponential', 4000000)
    edges = np.linspace(0, 12, 2401)
    cells = np.diff(np.concatenate([exponential(1)(edges), [1]]))
    got = np.bincount(np.searchsorted(edges, x, 'right') - 1,
                      minlength=len(cells))
    ok('exponential: cells', chi_square(got, cells))
    ok('exponential: moments', moments(x, 1, 1, 9))
    ok('exponential: 1 apart', independent(x, 1))
    ok('exponential: the tail', kolmogorov(x[x > 8] - 8, exponential(1)))
    for code, rate in [('u1', 0.05), ('i2', 0.001), ('u8', 1e-18),
                       ('f2', 0.5), ('f4', 123.0), ('f2', 1e5)]:
        ok('exponential %s: %g' % (code, rate),
           kolmogorov(samples(code, '--rate=%r exponential' % rate, 100000),
                      exponential(rate)))


def discrete(name, code, options, first_outcome, probabilities, number):
    """Integers: each outcome has its probability."""
    x = samples(code, options, number).astype('i8') - first_outcome
    if x.min() < 0 or x.max() >= len(probabilities):
        ok(name, 'outside: %d to %d' % (x.min(), x.max()))
    else:
        ok(name, chi_square(np.bincount(x, minlength=len(probabilities)),
                            probabilities))


def test_counts():
    for code, trials, p in [('u1', 100, 0.5), ('u1', 1, 0.3), ('u1', 20, 0.05),
                            ('i1', 100, 0.9), ('u2', 1000, 0.999),
                            ('u4', 1000000, 0.3), ('f8', 400000000, 0.5),
                            ('f4', 1000000000, 1e-9)]:
        discrete('binomial %s: %d, %g' % (code, trials, p), code,
                 '--trials=%d --probability=%r binomial' % (trials, p),
                 *binomial(trials, p), 400000)
    for code, rate in [('u1', 10), ('u1', 0.1), ('u2', 1000), ('f8', 1e8),
                       ('i4', 12345.678), ('f4', 2.5)]:
        discrete('poisson %s: %g' % (code, rate), code,
                 '--rate=%r poisson' % rate, *poisson(rate), 400000)
    x = samples('f8', '--rate=3.5 poisson', 1000000)
    ok('poisson: moments', moments(x, 3.5, 3.5, 3 + 1 / 3.5))
    ok('poisson: 1 apart', independent(x, 1))
    x = samples('f8', '--trials=50 --probability=0.1 binomial', 1000000)
    ok('binomial: moments', moments(x, 5, 4.5, 3 + (1 - 6 * 0.09) / 4.5))
    ok('binomial: 1 apart', independent(x, 1))
    for options, value in [('--probability=0 binomial', 0),
                           ('--probability=1 binomial', 100),
                           ('--trials=0 binomial', 0), ('--rate=0 poisson', 0),
                           ('--values=1 zipf', 1),
                           ('--exponent=100 --values=1e15 zipf', 1),
                           ('--trials=1e15 --probability=1 binomial', 255)]:
        ok(options, None if make(options, 1000) == bytes([value]) * 1000 else
           'not constant')


def test_zipf():
    for code, values, exponent in [
            ('u1', 100, 1), ('u1', 255, 0), ('u2', 4096, 1), ('u2', 4097, 1),
            ('u2', 60000, 1), ('u2', 4100, 0), ('u4', 10**6, 0.5),
            ('u4', 10**9, 1.2), ('u8', 10**15, 1), ('i8', 10**12, 0),
            ('f8', 10**15, 2), ('u4', 10**6, 1.0000001)]:
        x = samples(code, '--values=%d --exponent=%r zipf' % (
            values, exponent), 400000).astype('i8')
        name = 'zipf %s: %d, %g' % (code, values, exponent)
        if x.min() < 1 or x.max() > values:
            ok(name, 'outside')
            continue
        # Small values one by one, then in cells of growing width; and once
        # more in a few cells, which show what is wrong in many a little.
        for cells, single, growth in [('many', 3000, 1.01), ('few', 2, 1.7)]:
            edges = list(range(1, min(values, single) + 1))
            while edges[-1] * growth < values:
                edges.append(math.ceil(edges[-1] * growth))
            if values > 4097:
                edges += [4096, 4097, 4098]
            edges = sorted(set(edges) | {values + 1})
            sums = np.array([zipf_sum(exponent, a, b)
                             for a, b in zip(edges, edges[1:])])
            got = np.bincount(np.searchsorted(edges, x, 'right') - 1,
                              minlength=len(sums))
            ok('%s, %s cells' % (name, cells),
               chi_square(got, sums / sums.sum()))
    k = np.arange(1, 10001)
    p = k**-1.5 / (k**-1.5).sum()
    mean = (k * p).sum()
    moment = [((k - mean)**n * p).sum() for n in (2, 4)]
    x = samples('f8', '--values=10000 --exponent=1.5 zipf', 1000000)
    ok('zipf: moments', moments(x, mean, moment[0],
                                moment[1] / moment[0]**2))
    ok('zipf: 1 apart', independent(np.log(x), 1))


# ---- what is known exactly ----

def test_rounding():
    """The same doubles, for the same seed, rounded to each type by numpy."""
    for mean, sd in [(0, 1), (0, 1e-5), (0, 3e4), (1e-7, 3e-8), (100, 77),
                     (0, 1e19), (0, 4e38), (-2.5, 0), (2.5, 0), (65519, 1)]:
        options = '--mean=%r --sd=%r normal' % (mean, sd)
        x = samples('f8', options, 20000)
        for code in INTEGERS + FLOATS:
            got = samples(code, options, 20000)
            if code in FLOATS:
                same = got.view('u%d' % got.itemsize) == x.astype(code).view(
                    'u%d' % got.itemsize)
            else:
                info = np.iinfo(code)
                same = np.array([min(max(round(v), info.min), info.max)
                                 for v in x.tolist()], code) == got
            ok('rounded: %s %s' % (code, options),
               None if same.all() else '%d differ, the first is %r for %r' % (
                   (~same).sum(), got[~same][0], x[~same][0]))
    for code, value in [('u1', 255), ('i1', -128), ('u2', 7),
                        ('u8', 2**64 - 1), ('i8', -2**63), ('i8', 2**63 - 1),
                        ('u8', 2**53 + 1), ('f2', 0.1), ('f4', 0.1),
                        ('f8', 0.1), ('f2', 1e-7), ('f4', -1e-45),
                        ('f2', 1e9)]:
        x = samples(code, '--value=%r constant' % value, 10000)
        ok('constant %s: %r' % (code, value),
           None if (x == np.array([value]).astype(code)).all() else
           'it is %r' % x[0])


def test_sorted():
    for code in INTEGERS:
        info = np.iinfo(code)
        for lo, hi in [(int(info.min), int(info.max)), (3, 3), (10, 109),
                       (max(int(info.min), -70), 57)]:
            for number in [1, 2, 100, 3000, 70001]:
                x = samples(code, '--range=%d,%d sorted' % (lo, hi), number)
                wanted = [lo + i * (hi - lo + 1) // number
                          for i in range(number)]
                ok('sorted %s: %d to %d in %d' % (code, lo, hi, number),
                   None if x.tolist() == wanted else 'other values')
    ok('sorted: all of u2', None if (samples('u2', 'sorted', 65536) ==
                                     np.arange(65536)).all() else 'other')
    for code in FLOATS:
        for lo, hi in [(0.0, 1.0), (-5.0, 3.0), (0.1, 0.3)]:
            x = samples(code, '--range=%r,%r sorted' % (lo, hi), 100001)
            wanted = lo + np.arange(100001) / 100001 * (hi - lo)
            inside = (x.astype('f8') >= lo) & (x.astype('f8') < hi)
            close = np.abs(x.astype('f8') - wanted) <= np.spacing(
                np.abs(wanted).astype(code)).astype('f8')
            ok('sorted %s: %r to %r' % (code, lo, hi),
               None if (np.diff(x) >= 0).all() and inside.all() and
               close.all() else 'not so')


# ---- text ----

def test_text():
    text = make('acgt', 1010000).decode()
    ok('acgt: lines', None if re.fullmatch('([ACGT]{100}\n)*', text) else
       'something else')
    bases = np.frombuffer(text.replace('\n', '').encode(), 'u1')
    code = np.searchsorted(np.frombuffer(b'ACGT', 'u1'), bases)
    for lag in [1, 3, 4, 100]:
        ok('acgt: pairs %d apart' % lag,
           chi_square(np.bincount(code[lag:] * 4 + code[:-lag], minlength=16),
                      np.full(16, 1 / 16)))

    text = make('log', 3000000).decode()
    lines = text.split('\n')[:-1]
    line = re.compile(r'2026-01-01T([0-2]\d:[0-5]\d:[0-5]\d\.\d{3}) '
                      r'(INFO|DEBUG|WARN|ERROR) (/[a-z/.]*[/.?=a-z]+)\d{5} '
                      r'(\d{3}) (0|[1-9]\d*) \d{3}ms')
    matches = [line.fullmatch(text_line) for text_line in lines]
    bad = [text_line for text_line, m in zip(lines, matches) if not m]
    ok('log: lines', 'for example ' + repr(bad[0]) if bad else None)
    matches = [m for m in matches if m]
    times = [m.group(1) for m in matches]
    ok('log: time', None if times == sorted(times) and len(set(times)) > 10000
       else 'not ascending')
    levels = [m.group(2) for m in matches]
    ok('log: levels', chi_square(
        [levels.count(w) for w in ['INFO', 'DEBUG', 'WARN', 'ERROR']],
        np.array([11, 3, 1, 1]) / 16))
    numbers = np.array([int(m.group(5)) for m in matches])
    ok('log: numbers', chi_square(np.bincount(numbers >> 12, minlength=256),
                                  np.full(256, 1 / 256)))
    ok('log: %d different lines' % len(set(lines)),
       None if len(set(lines)) == len(lines) else 'of %d' % len(lines))

    with open(SOURCE) as source:
        table = source.read().partition('struct word words[]')[2]
    words = re.findall(r'WORD\("(\w+)"\)', table.partition('};')[0])
    text = make('text', 3000000).decode()
    lines = text.split('\n')[:-1]
    lengths = [len(text_line) for text_line in lines]
    ok('text: width', None if 60 < min(lengths) and max(lengths) < 80 else
       '%d to %d' % (min(lengths), max(lengths)))
    found = ' '.join(lines)
    ok('text: sentences', None if re.fullmatch(
        r"([A-Z]?[a-z]*[,.]? ?)*", found[:20000]) and not re.search(
        r'\. [a-z]|[^.] [A-Z]', found) else 'not so')
    ok('text: marks', chi_square(
        [found.count('.'), found.count(','),
         found.count(' ') - found.count('. ') - found.count(', ')],
        np.array([1, 1, 14]) / 16))
    index = {word: i for i, word in enumerate(words)}
    got = [index.get(w, -1) for w in
           found.lower().replace('.', '').replace(',', '').split()]
    weights = 1 / (np.arange(len(words)) + 3.7)
    ok('text: words', 'there are others' if min(got) < 0 else
       chi_square(np.bincount(got, minlength=len(words)),
                  weights / weights.sum()))


# ---- sequences ----

COMPLEMENT = str.maketrans('ACGT', 'TGCA')


def sequence_records(options, is_fastq):
    """(position, strand, bases, quality) of each record, as lines say."""
    text = subprocess.run([COMMAND, *options.split()], timeout=60, check=True,
                          capture_output=True).stdout.decode()
    assert '\r' not in text or text.count('\r\n') == text.count('\n')
    lines = text.replace('\r', '').split('\n')
    assert lines.pop() == ''
    at = 0
    records = []
    while at < len(lines):
        mark, number, position, strand = re.fullmatch(
            r'(.)r(\d+) (\d+)([-+])', lines[at]).groups()
        assert mark == '>@'[is_fastq]
        assert int(number) == len(records) + 1
        at += 1
        parts = ['', '']
        if is_fastq:
            parts[0] = lines[at]
            at += 1
            while lines[at] != '+':
                parts[0] += lines[at]
                at += 1
            at += 1
            parts[1] = lines[at]
            at += 1
            while len(parts[1]) < len(parts[0]):
                parts[1] += lines[at]
                at += 1
        else:
            while at < len(lines) and lines[at][:1] != '>':
                parts[0] += lines[at]
                at += 1
        records.append((int(position) - 1, strand, *parts))
    return records


def genome_of(records):
    """The genome that the reads agree on, and how often they agree."""
    size = max(at + len(bases) for at, _, bases, _ in records)
    votes = np.zeros((size, 5), int)
    for at, strand, bases, _ in records:
        bases = bases.upper()
        if strand == '-':
            bases = bases.translate(COMPLEMENT)[::-1]
        code = np.array(['ACGT'.find(x) for x in bases], int)
        np.add.at(votes, (at + np.arange(len(bases)), code), 1)
    return votes


def wrong_reads(options, is_fastq, errors, unknown):
    records = sequence_records(options, is_fastq)
    votes = genome_of(records)
    bases = votes.sum()
    agree = votes[:, :4].max(axis=1).sum()
    strands = [x[1] for x in records].count('+')
    return (chi_square(np.bincount(votes[:, :4].argmax(axis=1), minlength=4),
                       np.full(4, 1 / 4)) or
            chi_square([strands, len(records) - strands], np.full(2, 1 / 2)) or
            chi_square([votes[:, 4].sum(), bases - votes[:, 4].sum()],
                       np.array([unknown, 1 - unknown])) or
            chi_square([bases - votes[:, 4].sum() - agree, agree],
                       np.array([errors, 1 - errors])))


def test_sequences():
    base = '--genome=20000 --coverage=100 --seed=3'
    for kind in ['fasta', 'fastq']:
        is_fastq = kind == 'fastq'
        for odd in ['', ' --odd=crlf,lower --width=37', ' --width=1']:
            options = '%s%s --errors=0.02 --unknown=0.01 %s' % (base, odd,
                                                                kind)
            ok('reads of one genome: ' + options,
               wrong_reads(options, is_fastq, 0.02, 0.01))
        exact = sequence_records(base + ' --errors=0 --unknown=0 ' + kind,
                                 is_fastq)
        votes = genome_of(exact)
        ok(kind + ': no errors', None if (
            votes.max(axis=1) == votes.sum(axis=1)).all() else 'there are')
        lengths = np.array([len(x[2]) for x in sequence_records(
            '--count=20000 --length=100,10000 ' + kind, is_fastq)])
        ok(kind + ': lengths', None if lengths.min() == 100 and
           lengths.max() == 10000 else '%d to %d' % (lengths.min(),
                                                     lengths.max()))
        ok(kind + ': even logarithms', chi_square(
            np.histogram(np.log10(lengths), [1.9, 2.5, 3, 3.5, 4.1])[0],
            np.full(4, 1 / 4)))
        odd = sequence_records('--count=20000 --odd=iupac,empty,lower,crlf '
                               '--unknown=0.1 --width=99 ' + kind, is_fastq)
        empty = sum(x[2] == '' for x in odd)
        ok(kind + ': empty reads', chi_square(
            [empty, 20000 - empty], np.array([1 / 64, 63 / 64])))
        lower = sum(bool(re.search('[acgt]', x[2])) for x in odd)
        ok(kind + ': %d reads in lower case' % lower,
           None if 4300 < lower < 5100 else '')
        found = set(''.join(x[2] for x in odd))
        ok(kind + ': odd bases', None if found == set(
            'ACGTRYSWKMBDHVUN-.*acgtryswkmbdhvun') else repr(found))
        if is_fastq:
            ok('as many qualities', None if all(
                len(x[2]) == len(x[3]) for x in exact + odd) else 'not so')
            first = np.array([ord(x[3][0]) - 33 for x in exact])
            last = np.array([ord(x[3][-1]) - 33 for x in exact])
            ok('qualities', None if first.max() == last.max() == 41 and
               first.min() > 30 > 8 > last.min() and
               38 < first.mean() < 40 and 30 < last.mean() < 33 else
               '%g, %g' % (first.mean(), last.mean()))


# ---- the same bytes everywhere ----

# Options, and the CRC-32 of the first 300,001 bytes.
RECORDED = [
    ('--dtype=<u8 uniform', 0x12c4cd24),
    ('--range=10,209 uniform', 0x2b80b982),
    ('--dtype=<u2 --range=10,1009 uniform', 0xfce6189b),
    ('--dtype=>i4 --range=-5,5 uniform', 0x43db85d7),
    ('--dtype=<f2 uniform', 0x014685f1),
    ('--dtype=<f4 --range=-3,5 uniform', 0xa4a25b49),
    ('--dtype=<f8 uniform', 0x119fe50f),
    ('normal', 0xcf573fd8),
    ('--dtype=<f2 normal', 0x8021df17),
    ('--dtype=<f4 --mean=3 --sd=0.1 normal', 0x1be904a5),
    ('--dtype=<f8 normal', 0x01d770e3),
    ('--dtype=<f8 exponential', 0x1ea2288b),
    ('--rate=0.05 exponential', 0xcaeeb36c),
    ('--trials=200 --probability=0.3 binomial', 0xa099dab1),
    ('--dtype=<f8 --trials=400000000 binomial', 0x23d2aca0),
    ('--dtype=<u4 --rate=12345.678 poisson', 0xec7ac6da),
    ('--dtype=<u2 zipf', 0x4748e6a7),
    ('--dtype=<u4 --values=1e9 --exponent=1.2 zipf', 0x4d044ad2),
    ('--dtype=<u8 --values=1e15 zipf', 0xa9c07586),
    ('--dtype=<f2 --value=0.1 constant', 0x08452b6e),
    ('--dtype=<i8 sorted', 0x59be8bb5),
    ('--dtype=<f4 sorted', 0x4a82699a),
    ('acgt', 0x40e88ca1),
    ('log', 0x752f5305),
    ('text', 0x362e0a05),
    ('fasta', 0x7aae953d),
    ('--length=10,2k --odd=crlf,empty,iupac,lower --unknown=0.1 fasta',
     0xfae8d23d),
    ('--genome=10k --errors=0.1 fastq', 0x6bc16fe4),
    ('--length=1,5000 --width=70 fastq', 0x05671abd),
]


def test_recorded():
    for options, crc in RECORDED:
        got = zlib.crc32(make(options, 300001))
        ok('the bytes of ' + options,
           None if got == crc else '0x%08x, recorded 0x%08x' % (got, crc))


def see_that_tests_can_fail():
    random = np.random.default_rng(1)
    assert abs(upper_gamma(5, 5) - 0.44049328506521257) < 1e-12
    assert abs(upper_gamma(0.5, 12) - math.erfc(math.sqrt(12))) < 1e-15
    k = np.arange(100)  # for a whole number it is a sum
    exact = np.exp(k * math.log(170) - 170 - log_factorial(k)).sum()
    assert abs(upper_gamma(100, 170) / exact - 1) < 1e-9
    # What the authors' programs print.
    assert splitmix(1234567, 2) == [6457827717110365317, 3203168211198807973]
    assert xoshiro([1, 2, 3, 4], 3) == [41943041, 58720359, 3588806011781223]
    for right, wrong, function in [
            (random.normal(size=100000), random.normal(size=100000) * 1.06,
             normal(0, 1)),
            (random.uniform(size=100000), random.uniform(size=100000)**1.06,
             uniform(0, 1)),
            (random.exponential(size=100000).astype('f2'),
             random.exponential(size=100000).astype('f2') + np.float16(0.02),
             exponential(1))]:
        assert kolmogorov(right, function) is None
        assert kolmogorov(wrong, function)
    x = np.rint(random.normal(100, 20, 100000)).astype('u1')
    assert kolmogorov(x, normal(100, 20)) is None
    assert kolmogorov(x, normal(100.5, 20))  # not rounded but cut
    x = random.poisson(3.5, 100000)
    p = poisson(3.5)[1]
    assert chi_square(np.bincount(x, minlength=len(p)), p) is None
    assert chi_square(np.bincount(x + (x == 0), minlength=len(p)), p)
    p = poisson(3.6)[1]
    assert chi_square(np.bincount(x, minlength=len(p)), p)
    assert moments(x, 3.5, 3.5, 3.3) is None
    assert moments(x, 3.55, 3.5, 3.3) and moments(x, 3.5, 3.7, 3.3)
    x = random.normal(size=100000)
    assert independent(x, 1) is None
    assert independent(x[1:] + 0.03 * x[:-1], 1)


def main():
    see_that_tests_can_fail()
    test_words()
    test_uniform()
    test_normal()
    test_exponential()
    test_counts()
    test_zipf()
    test_rounding()
    test_sorted()
    test_text()
    test_sequences()
    test_recorded()
    print('1..%d' % count)


main()
