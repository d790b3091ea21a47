# SPDX-License-Identifier: MIT
"""numpy_oracle.py -- what gpuhist prints, against numpy and Python's numbers

numpy.sh runs it, in a scratch directory.  It makes data, has gpuhist count
them, and compares every row with what numpy says, or Python where numpy would
round: its integers and floats compare exactly.  It prints TAP.
"""

import bisect
import collections
import fractions
import itertools
import math

import numpy as np

import oracle
from checks import has_turn
from oracle import difference, ok, put_tests, threads

INF = math.inf
INTEGERS = ['u1', 'i1', 'u2', 'i2', 'u4', 'i4', 'u8', 'i8']
FLOATS = ['f2', 'f4', 'f8']
random = np.random.default_rng(20260)
np.seterr(all='ignore')


# ---- what is printed ----

def number(text):
    """Exactly what was printed; a text that is not the shortest is wrong."""
    try:
        value = int(text)
    except ValueError:
        value = float(text)
    shortest = repr(value)
    if shortest.endswith('.0'):
        shortest = shortest[:-2]
    if text != shortest:
        raise ValueError('%r should be %s' % (text, shortest))
    return 'nan' if value != value else value


def parse(output):
    texts = [line.split('\t') for line in output.decode().splitlines()]
    numbers = {text: number(text) for text in set(itertools.chain(*texts))}
    return [tuple(numbers[text] for text in line) for line in texts]


def output(options, data):
    """What gpuhist prints; ValueError if it says or fails anything."""
    result = oracle.run(options, data)
    if result.returncode != 0 or result.stderr:
        raise ValueError('status %d %s' % (result.returncode,
                                           result.stderr.decode()))
    return result.stdout


def run(options, data, wanted):
    try:
        return difference(parse(output(options, data)), wanted, 'row')
    except ValueError as error:
        return error


def check(name, options, data, wanted):
    """One test: gpuhist with OPTIONS prints the rows WANTED for DATA."""
    ok(name + ': ' + ' '.join(options),
       threads.submit(run, options, data, wanted))


# ---- what should be ----

class Axis:
    """Its rows, flows included, and in which of them each value is."""

    def __init__(self, values, edges=None, direct=None, closed='left',
                 is_log=False, is_trimmed=False, pairs=False):
        """
        VALUES is an array.  Bins between EDGES; or DIRECT, a range() of
        integers, shown in PAIRS if another field has edges.  Without empty
        bins at either end, if IS_TRIMMED.
        """
        self.values = values
        self.edges = None if edges is None else [float(e) for e in edges]
        self.direct = direct
        self.closed = closed
        self.is_log = is_log
        if edges is not None:
            self.make_bins()
            if is_trimmed:
                self.trim()
        else:
            self.make_direct(pairs)

    def make_direct(self, pairs):
        first, end = self.direct.start, self.direct.stop
        limits = np.iinfo(self.values.dtype)
        self.labels = [(v, v + 1) if pairs else (v,) for v in self.direct]
        self.rows = [v - first for v in self.values.tolist()]
        if first > limits.min or end <= limits.max:
            self.labels = ([(-INF, first) if pairs else (-INF,)] +
                           self.labels + [(end, INF) if pairs else (INF,)])
            self.rows = [min(max(r + 1, 0), end - first + 1)
                         for r in self.rows]

    def make_bins(self):
        edges = self.edges
        before = [(-INF, edges[0])]
        after = [(edges[-1], INF)]
        if self.is_log:
            before = [(0, 0), (0, edges[0])]
            if self.values.dtype.kind != 'u':
                before.insert(0, (-INF, 0))
        if self.values.dtype.kind == 'f':
            after.append(('nan', 'nan'))
        self.before = len(before)
        self.labels = before + list(zip(edges, edges[1:])) + after
        self.rows = self.find_rows().tolist()

    def trim(self):
        bins = [row - self.before for row in self.rows
                if 0 <= row - self.before < len(self.edges) - 1]
        if not bins:  # that of 1
            find = (bisect.bisect_left if self.closed == 'right' else
                    bisect.bisect_right)
            bins = [find(self.edges, 1) - 1]
        self.edges = self.edges[min(bins):max(bins) + 2]
        self.make_bins()

    def find_rows(self):
        values, edges, before = self.values, self.edges, self.before
        is_wide = values.dtype.kind in 'iu' and values.dtype.itemsize == 8
        if is_wide:  # no double has all their digits
            find = (bisect.bisect_left if self.closed == 'right' else
                    bisect.bisect_right)
            x = values
            rows = np.array([find(edges, v) for v in values.tolist()])
        else:
            x = values.astype('f8')
            side = 'left' if self.closed == 'right' else 'right'
            rows = np.searchsorted(edges, x, side=side)
        at_end = np.array([v == edges[-1] for v in x.tolist()], bool)
        if self.closed == 'numpy':
            rows = rows - at_end
        rows = rows + before - 1
        if self.is_log:
            rows = np.where(x == 0, before - 2, np.where(x < 0, 0, rows))
        rows = np.where(x != x, len(self.labels) - 1, rows)
        if not is_wide:
            self.see_that_numpy_agrees(x, at_end, rows)
        return rows

    def see_that_numpy_agrees(self, x, at_end, rows):
        """This oracle is not allowed to be wrong either."""
        if self.closed == 'right':  # numpy has no such thing: mirror it
            x, edges = -x, [-e for e in reversed(self.edges)]
            at_end = x == edges[-1]
        else:
            edges = self.edges
        if self.is_log:
            at_end = at_end & (x != 0)
            x = np.where(self.values > 0, x, np.nan)
        counts = np.histogram(x[x == x], edges)[0]
        if self.closed != 'numpy':
            counts[-1] -= np.count_nonzero(at_end)
        if self.closed == 'right':
            counts = counts[::-1]
        bins = np.bincount(rows, minlength=len(self.labels))
        bins = bins[self.before:self.before + len(counts)]
        assert bins.tolist() == counts.tolist()


def exact_sum(weights):
    """Integers as they are; floats rounded once, at the end."""
    if not weights or isinstance(weights[0], int):
        return sum(weights)
    if any(math.isnan(w) for w in weights) or {INF, -INF} <= set(weights):
        return 'nan'
    for infinity in (INF, -INF):
        if infinity in weights:
            return infinity
    total = sum(map(fractions.Fraction, weights))
    try:
        return float(total)
    except OverflowError:
        return INF if total > 0 else -INF


def histogram(axes, weights=None):
    """The rows for AXES together, the last one the fastest."""
    is_alone = len(axes) == 1
    cells = (axes[0].rows if is_alone else
             list(zip(*(axis.rows for axis in axes))))
    if weights is None:
        amounts = collections.Counter(cells)
    else:
        parts = collections.defaultdict(list)
        for cell, weight in zip(cells, weights.tolist()):
            parts[cell].append(weight)
        amounts = {cell: exact_sum(part) for cell, part in parts.items()}
    if is_alone:
        rows = [label + (amounts.get(i, 0),)
                for i, label in enumerate(axes[0].labels)]
    else:
        all_cells = itertools.product(*(range(len(a.labels)) for a in axes))
        all_labels = itertools.product(*(a.labels for a in axes))
        rows = [(*itertools.chain.from_iterable(labels), amounts.get(cell, 0))
                for cell, labels in zip(all_cells, all_labels)]
    if weights is None:
        assert sum(row[-1] for row in rows) == len(cells)
    return rows


# ---- data ----

def limits(code):
    info = np.iinfo(code)
    return int(info.min), int(info.max)


def boundaries(code):
    """Values of the type that have been counted wrongly somewhere."""
    size = np.dtype(code).itemsize
    if code in INTEGERS:
        least, most = limits(code)
        some = [0, 1, 2, 127, 128, 255, 256, -1, -128, -129]
        some += [least, least + 1, most - 1, most, most // 2, most // 2 + 1]
        some += [2**53 - 1, 2**53, 2**53 + 1, 2**63 - 1025, 2**63 - 1024,
                 2**63 - 513, 2**63 - 512, 2**63 - 511]
        return np.array([v for v in some if least <= v <= most], code)
    bits = 8 * size
    infinity = {2: 0x7c00, 4: 0x7f800000, 8: 0x7ff0000000000000}[size]
    one_exponent = infinity & -infinity
    some = [0, 1, 2, one_exponent - 1, one_exponent, one_exponent + 1,
            infinity - 1, infinity, infinity + 1,  # signalling
            infinity | one_exponent >> 1, 2**(bits - 1) - 1]
    some += [value | 1 << (bits - 1) for value in some]
    return np.array(some, 'u%d' % size).view(code)


def near(code, edges):
    """All edges as values, and what lies one step beside them."""
    if code in INTEGERS:
        least, most = limits(code)
        some = {math.floor(e) + d for e in edges for d in range(-2, 3)}
        return np.array(sorted(v for v in some if least <= v <= most), code)
    at = np.array(edges, code)
    infinity = np.array(INF, code)
    return np.concatenate([at, np.nextafter(at, infinity),
                           np.nextafter(at, -infinity)])


def bits(code, count):
    """Anything that the type can hold."""
    size = np.dtype(code).itemsize
    return np.frombuffer(random.bytes(size * count), 'u%d' % size).view(code)


def sample(code, edges, count=700):
    """Some of everything: bits, values among the EDGES, boundaries."""
    parts = [bits(code, count), near(code, edges), boundaries(code)]
    if code in INTEGERS:
        least, most = limits(code)
        low = max(least, math.floor(edges[0]) - 5)
        high = min(most, math.floor(edges[-1]) + 5)
        parts.append(random.integers(low, high, count, code, endpoint=True))
    else:
        parts.append(random.uniform(edges[0], edges[-1], count).astype(code))
    values = np.concatenate(parts)
    assert values.dtype == np.dtype(code)
    random.shuffle(values)
    return values


def check_axis(name, code, order, options, values, **axis):
    """One field, all flow rows shown, in one byte order."""
    wanted = histogram([Axis(values, **axis)])
    check(name, ['--dtype=' + order + code, '--flow=show'] + options,
          values.astype(order + code).tobytes(), wanted)


def comma(numbers):
    return ','.join(repr(float(n)) for n in numbers)


# ---- the cases ----

def test_direct(code, order):
    least, most = limits(code)
    windows = [range(least, least + 20), range(max(least, -7), 30),
               range(most - 20, most + 1)]
    if most - least < 65536:
        values = sample(code, [least, most], 40000)
        check_axis('direct', code, order, [], values,
                   direct=range(least, most + 1))
    for window in windows:
        values = sample(code, [window.start, window.stop])
        check_axis('direct', code, order,
                   ['--range=%d,%d' % (window.start, window.stop)], values,
                   direct=window)
        check_axis('direct', code, order,
                   ['--range=%d,%d' % (window.start - 1, window.stop - 1),
                    '--closed=right'], values, direct=window)


def test_bins(code, order):
    """-b, with the three ways to close a bin, and --edges."""
    lo, hi = {'u': (7, 100), 'i': (-40, 101), 'f': (-1.3, 2.9)}[code[0]]
    for closed in ['left', 'right', 'numpy']:
        if not has_turn(5, 'bins'):
            continue
        option = '--numpy' if closed == 'numpy' else '--closed=' + closed
        edges = np.linspace(lo, hi, 8)
        values = sample(code, edges)
        check_axis('even', code, order,
                   ['-b7', '--range=%r,%r' % (lo, hi), option], values,
                   edges=edges, closed=closed)
        edges = sorted({lo, lo + 0.1, 0.5, 10 / 3, 31, 31.000000001, hi, 250})
        values = sample(code, edges)
        check_axis('edges', code, order, ['--edges=' + comma(edges), option],
                   values, edges=edges, closed=closed)


def log2_edges(first, last, subdivision=0):
    """2^FIRST to 2^LAST, each octave cut evenly."""
    parts = 2**subdivision
    return [math.ldexp(1 + step / parts, octave)
            for octave in range(first, last)
            for step in range(parts)] + [math.ldexp(1.0, last)]


def test_trimmed(code, order):
    """Few values: of a logarithmic axis only their bins are printed."""
    octaves = {'f': (-24, 15), 'i': (0, 7), 'u': (0, 8)}[code[0]]
    wide = {'f4': (-149, 128), 'f8': (-1022, 1024)}
    least, most = wide.get(code, (octaves[0], 16 if code == 'f2' else
                                  8 * np.dtype(code).itemsize))
    if code[0] == 'i':
        most -= 1
    for some in [[], [0], [1], [5], [3, 3, 100], [0, 60, 3], [2, 4, 8, 9, 64],
                 [1, 127]]:
        values = np.array(some, code)
        if code[0] != 'u':
            values = np.concatenate([values, np.array([-2, 0], code)])
        if code[0] == 'f':
            values = np.concatenate([values, np.array([np.nan, -INF], code)])
        for closed, subdivision in itertools.product(['left', 'right'], [0, 2]):
            if not has_turn(5, 'trimmed'):
                continue
            first = least - (closed == 'right' and code != 'f8')
            top = INF if code in FLOATS and most == 1024 else 2.0**most
            if code == 'f8':
                edges = log2_edges(first, most - 1, subdivision)
                edges += [2.0**(most - 1) * (1 + i / 2**subdivision)
                          for i in range(1, 2**subdivision)] + [top]
            else:
                edges = log2_edges(first, most, subdivision)
            check_axis('trimmed, %s' % some, code, order,
                       ['--log', '--subdiv=%d' % subdivision,
                        '--closed=' + closed], values, edges=edges,
                       is_log=True, closed=closed, is_trimmed=True)
    if code == 'f8':  # the edges around them are powers of ten
        values = np.array([0.5, 20, 3e5])
        check('trimmed', ['--dtype=f8', '--log=10'], values.tobytes(),
              [(0.1, 1, 1), (1, 10, 0), (10, 100, 1), (100, 1000, 0),
               (1000, 10000, 0), (10000, 100000, 0), (100000, 1000000, 1)])


def test_log(code, order):
    if code in INTEGERS:
        octaves = 0, (limits(code)[1] + 1).bit_length() - 1
    else:
        octaves = {'f2': (-24, 16), 'f4': (-149, 128), 'f8': (0, 0)}[code]
    if code != 'f8':
        edges = log2_edges(*octaves)
        check_axis('log', code, order, ['--log'], sample(code, edges),
                   edges=edges, is_log=True, is_trimmed=True)
        # The least value has a bin, too: it ends there.
        edges = log2_edges(octaves[0] - 1, octaves[1])
        check_axis('log', code, order, ['--log', '--closed=right'],
                   sample(code, edges), edges=edges, is_log=True,
                   closed='right', is_trimmed=True)
    test_trimmed(code, order)
    edges = log2_edges(-3, 5, 2)
    for closed in ['left', 'right', 'numpy']:
        if not has_turn(5, 'log'):
            continue
        option = '--numpy' if closed == 'numpy' else '--closed=' + closed
        check_axis('log', code, order,
                   ['--log=2', '--subdiv=2', '--range=0.125,32', option],
                   sample(code, edges), edges=edges, is_log=True,
                   closed=closed)
        decades = [float('1e%d' % e) for e in range(-2, 5)]
        check_axis('log', code, order,
                   ['--log=10', '--range=0.01,1e4', option],
                   sample(code, decades), edges=decades, is_log=True,
                   closed=closed)


def test_printed_log(options, base, steps):
    """Edges that have no exact value: those that are printed decide."""
    values = sample('f8', [1e-6, 1, 1e6], 5000)
    options = ['--dtype=f8', '--flow=show', '--range=1e-6,1e6'] + options
    got = parse(output(options, values.tobytes()))
    edges = [row[0] for row in got[3:-1]]
    values = np.concatenate([values, near('f8', edges)])
    check('log', options, values.tobytes(),
          histogram([Axis(values, edges=edges, is_log=True)]))
    first = round(math.log(edges[0], base) * steps)
    wrong = [e for i, e in enumerate(edges)
             if not math.isclose(e, base**((first + i) / steps),
                                 rel_tol=1e-14)]
    if not edges[0] <= 1e-6 < edges[1] or not edges[-2] < 1e6 <= edges[-1]:
        wrong.append('the range is not covered')
    ok('log: the edges are powers: ' + ' '.join(options), wrong)


def test_even_like_numpy():
    """numpy makes the edges and the counts, nothing is given to it."""
    for lo, hi, bins in [(0, 1, 10), (0, 0.3, 3), (-1e-3, 1e9, 997),
                         (1e15, 1e15 + 4, 16), (-1e-300, 1e-300, 5),
                         (-8e307, 8e307, 9), (0.1, 0.7, 300),
                         (-3, 5, 2049), (-7, 9, 32769), (0, 1, 65537)]:
        edges = np.linspace(lo, hi, bins + 1)
        values = sample('f8', edges)
        finite = values[np.isfinite(values)]
        counts, np_edges = np.histogram(finite, bins, (lo, hi))
        assert np_edges.tolist() == edges.tolist()
        rows = list(zip(edges.tolist(), edges.tolist()[1:], counts.tolist()))
        check('numpy.histogram', ['--dtype=f8', '-b%d' % bins, '--numpy', '-q',
                                  '--range=%r,%r' % (lo, hi), '--flow=hide'],
              values.tobytes(), rows)
        check_axis('the same with flows', 'f8', '<',
                   ['-b%d' % bins, '--range=%r,%r' % (lo, hi)], values,
                   edges=edges)
    # It would round the edges to narrower types, as the man page says.
    for code in ['f2', 'f4']:
        values = (np.arange(100) / 100).astype(code)
        counts, edges = np.histogram(values.astype('f8'), 100, (0, 1))
        rows = list(zip(edges.tolist(), edges.tolist()[1:], counts.tolist()))
        check('numpy.histogram: ' + code,
              ['--dtype=' + code, '-b100', '--range=0,1', '--numpy'],
              values.tobytes(), rows)


def test_bin_width():
    for code, lo, hi, width, bins in [
            ('f8', 0, 1, 0.1, 10), ('f8', 0, 1, 0.3, 4), ('f4', -1, 1, 0.7, 3),
            ('u1', 0, 256, 100, 3), ('i2', -5, 5, 2.5, 4),
            ('i8', -2**63, 2**63, 2**60, 16), ('u8', 0, 2**64, 2**62, 4),
            ('f8', 0, 1e-5, 1e-7, 100), ('u4', 0, 7, 10, 1)]:
        edges = [lo + i * float(width) for i in range(bins + 1)]
        if math.isclose(edges[-1], hi):
            edges[-1] = hi
        check_axis('width', code, '<',
                   ['--bin-width=%r' % width, '--range=%r,%r' % (lo, hi)],
                   sample(code, edges), edges=edges)


def test_default_range():
    """What has 16 bits or less needs no range."""
    for code in INTEGERS[:4]:
        least, most = limits(code)
        for closed, shift in [('left', 0), ('right', -1)]:
            edges = np.linspace(least + shift, most + 1 + shift, 14)
            check_axis('all values', code, '>',
                       ['-b13', '--closed=' + closed], sample(code, edges),
                       edges=edges, closed=closed)


def test_wide_integers():
    """Integers that a double cannot tell apart, in bins that can."""
    for code, lo, hi in [('i8', -2**63, 2**63), ('u8', 0, 2**64),
                         ('u8', 2**63 - 8192, 2**63 + 8192),
                         ('i8', 2**53 - 8, 2**53 + 8),
                         ('i8', -2**62 - 4096, -2**62 + 4096)]:
        for closed in ['left', 'right', 'numpy']:
            option = '--numpy' if closed == 'numpy' else '--closed=' + closed
            # Floats: not every numpy takes integers beyond 64 bits.
            edges = np.linspace(float(lo), float(hi), 9)
            check_axis('wide', code, '>',
                       ['-b8', '--range=%d,%d' % (lo, hi), option],
                       sample(code, edges), edges=edges, closed=closed)
            edges = [float(lo), (lo + hi) / 2, float(hi)]
            check_axis('wide', code, '<',
                       ['--edges=' + comma(edges), option],
                       sample(code, edges), edges=edges, closed=closed)
    for code, first in [('i8', -2**63), ('i8', 2**63 - 9), ('u8', 2**64 - 9),
                        ('u8', 2**53 - 4), ('i8', -2**53 - 4)]:
        window = range(first, first + 9)
        values = sample(code, [window.start, window.stop])
        values = np.concatenate([values, np.array(window, code)])
        check_axis('wide', code, '>',
                   ['--range=%d,%d' % (window.start, window.stop)], values,
                   direct=window)


def test_operations():
    for code, options, operate, direct in [
            ('u1', ['--shift=4'], lambda v: v >> 4, range(16)),
            ('i1', ['--shift=3'], lambda v: v >> 3, range(-16, 16)),
            ('i4', ['--shift=24'], lambda v: v >> 24, range(-128, 128)),
            ('u8', ['--shift=60'], lambda v: v >> 60, range(16)),
            ('i8', ['--shift=63'], lambda v: v >> 63, range(-1, 1)),
            ('u4', ['--mask=0xff'], lambda v: v & 255, range(256)),
            ('i2', ['--mask=0x0f'], lambda v: v & 15, range(16)),
            ('i8', ['--mod=7'], lambda v: v % 7, range(7)),
            ('i1', ['--mod=10'], lambda v: v % 10, range(10)),
            ('u8', ['--mod=1000'], lambda v: v % 1000, range(1000)),
            ('i8', ['--shift=5', '--mask=4095', '--mod=100'],
             lambda v: (v >> 5 & 4095) % 100, range(100)),
            ('u2', ['--mod=1'], lambda v: v % 1, range(1))]:
        values = sample(code, [-1000, 1000])
        counts = collections.Counter(map(operate, values.tolist()))
        wanted = [(v, counts.pop(v, 0)) for v in direct]
        assert not counts
        for order in '<>':
            check('operations', ['--dtype=' + order + code, '--flow=show'] +
                  options, values.astype(order + code).tobytes(), wanted)
    values = sample('i4', [-1000, 1000])
    shifted = (values >> 2).astype('i4')
    check('operations, then bins',
          ['--dtype=i4', '--shift=2', '-b4', '--range=-100,100',
           '--flow=show'], values.tobytes(),
          histogram([Axis(shifted, edges=np.linspace(-100, 100, 5))]))


def test_edges_file():
    edges = np.unique(random.normal(size=50)).tolist()
    with open('edges', 'w', encoding='ascii') as file:
        for i, edge in enumerate(edges):
            file.write(repr(edge) + ['\n', ', ', '\t', '\r\n'][i % 4])
    for closed in ['left', 'right', 'numpy']:
        option = '--numpy' if closed == 'numpy' else '--closed=' + closed
        check_axis('edges of a file', 'f8', '<', ['--edges=@edges', option],
                   sample('f8', edges), edges=edges, closed=closed)
    edges = [float(e) for e in range(100000)]
    with open('many-edges', 'w', encoding='ascii') as file:
        file.writelines('%d\n' % e for e in edges)
    check_axis('100000 edges', 'f8', '<', ['--edges=@many-edges'],
               sample('f8', edges[:9] + edges[-9:]), edges=edges)


def packed(description, columns):
    """Records as --record describes them; 'x' bytes hold noise."""
    names = iter(range(len(columns)))
    parts = []
    for word in description.split(','):
        code, _, repeat = word.partition('*')
        if code == 'x':
            parts.append((None, '(%d,)u1' % int(repeat or 1)))
        else:
            parts += [(next(names), code)] * 1 if not repeat else [
                (next(names), code) for _ in range(int(repeat))]
    table = np.zeros(len(columns[0]), [('p%d' % i, code)
                                       for i, (_, code) in enumerate(parts)])
    for i, (name, _) in enumerate(parts):
        place = table['p%d' % i]
        if name is None:
            place[:] = random.integers(0, 256, place.shape)
        else:
            place[:] = columns[name]
    return table.tobytes()


def test_records():
    count = 3000
    description = '<i2,x*3,>f4,u1*2,x,>u8,<f8,>i4,f2'
    columns = [bits('i2', count), random.normal(size=count).astype('f4'),
               bits('u1', count), bits('u1', count), bits('u8', count),
               random.normal(size=count),
               random.integers(-50, 50, count).astype('i4'),
               random.normal(size=count).astype('f2')]
    data = packed(description, columns)
    record = '--record=' + description

    def rows(fields, axes):
        return [(field,) + row for field, axis in zip(fields, axes)
                for row in histogram([axis])]

    # Both of the fields of bytes, then in another order, then one alone.
    bytes_of = [Axis(columns[i], direct=range(256)) for i in (2, 3)]
    check('fields', [record, '-f3,4'], data, rows([3, 4], bytes_of))
    check('fields', [record, '-f3-4'], data, rows([3, 4], bytes_of))
    check('fields', [record, '-f4,3'], data, rows([4, 3], bytes_of[::-1]))
    check('fields', [record, '-f4'], data, histogram(bytes_of[1:]))
    # Bins for all of them.
    edges = np.linspace(-2, 2, 6)
    check('fields', [record, '-b5', '--range=-2,2', '--flow=show'], data,
          rows(range(1, 9), [Axis(c, edges=edges) for c in columns]))
    check('fields', [record, '-b5', '--range=-2,2', '--flow=show', '--numpy',
                     '-f-2,6-'], data,
          rows([1, 2, 6, 7, 8], [Axis(columns[i], edges=edges, closed='numpy')
                                 for i in (0, 1, 5, 6, 7)]))
    # Others for each, and none.
    log = log2_edges(-2, 3)
    check('fields', [record, '-f7,6,2', '--flow=show', '--range=-5,6',
                     '--range=0.25,8', '--range=-', '--log=-', '--log',
                     '--log=-', '--edges=-', '--edges=-', '--edges=-1,0,1'],
          data, rows([7, 6, 2], [
              Axis(columns[6], direct=range(-5, 6), pairs=True),
              Axis(columns[5], edges=log, is_log=True),
              Axis(columns[1], edges=[-1, 0, 1])]))
    check('fields', [record, '-f3,4', '--shift=-', '--shift=5'], data,
          rows([3, 4], [Axis(columns[2], direct=range(256))]) +
          [(4, v, n) for v, n in
           enumerate(np.bincount(columns[3] >> 5, minlength=8).tolist())])
    # The same bytes either way round.
    for order, other in [('<', 'little'), ('>', 'big')]:
        values = bits('i2', count)
        check('--endian', ['--record=x,i2', '--endian=' + other],
              packed('x,%si2' % order, [values]),
              histogram([Axis(values, direct=range(-32768, 32768))]))
    check('a name', ['--dtype=<uint16'], columns[0].astype('<i2').tobytes(),
          histogram([Axis(columns[0].view('u2'), direct=range(65536))]))


def test_joint():
    count = 4000
    description = '>f4,x,i2,<f8'
    columns = [random.normal(size=count).astype('f4'),
               random.integers(-9, 10, count).astype('i2'),
               random.exponential(size=count)]
    columns[0][:3] = np.nan, INF, -INF
    columns[2][2:6] = 0, -1, np.nan, 4
    edges = [np.linspace(-1, 1, 5), np.linspace(-4, 5, 4),
             np.array([0.25, 0.5, 1, 2, 4])]
    data = packed(description, columns)
    ranges = ['-b4', '-b3', '-b-', '--range=-1,1', '--range=-4,5', '--range=-',
              '--edges=-', '--edges=-', '--edges=0.25,.5,1,2,4e0']
    record = ['--record=' + description, '--joint']
    for closed in ['left', 'right', 'numpy']:
        option = '--numpy' if closed == 'numpy' else '--closed=' + closed
        axes = [Axis(c, edges=e, closed=closed)
                for c, e in zip(columns, edges)]
        check('3-D', record + ranges + ['--flow=show', option], data,
              histogram(axes))
    # Without flows it is numpy's.
    table = np.column_stack(columns).astype('f8')
    table = table[~np.isnan(table).any(axis=1)]
    counts = np.histogramdd(table, edges)[0].astype(int).ravel().tolist()
    labels = itertools.product(*(zip(e.tolist(), e.tolist()[1:])
                                 for e in edges))
    check('numpy.histogramdd', record + ranges + ['--numpy', '--flow=hide',
                                                  '-q'], data,
          [sum(label, ()) + (n,) for label, n in zip(labels, counts)])
    # Two of them, in another order; with logarithms, and values as they are.
    axes = [Axis(columns[2], edges=log2_edges(-2, 2), is_log=True),
            Axis(columns[1], direct=range(-3, 4))]
    options = record + ['-f3,2', '--log', '--log=-', '--range=.25,4',
                        '--range=-3,4']
    check('2-D', options + ['--flow=show'], data, histogram(axes))
    check('2-D', options + ['--flow=show', '--nonzero'], data,
          [row for row in histogram(axes) if row[-1]])
    # Without empty bins at the ends of logarithmic axes.
    doubles = Axis(columns[2], edges=log2_edges(-1022, 1023) + [INF],
                   is_log=True, is_trimmed=True)
    singles = Axis(columns[0], edges=log2_edges(-149, 128), is_log=True,
                   is_trimmed=True)
    narrow = Axis(columns[1], edges=log2_edges(0, 15), is_log=True,
                  is_trimmed=True)
    some = Axis(columns[1], direct=range(-3, 4))
    options = record + ['--flow=show', '--log']
    check('2-D, trimmed', options + ['-f3,2', '--log=-', '--range=-',
                                     '--range=-3,4'], data,
          histogram([doubles, some]))
    check('2-D, trimmed', options + ['-f1,2,3'], data,
          histogram([singles, narrow, doubles]))
    check('2-D, trimmed, with weights', options + ['-f1,3', '--weights=2'],
          data, histogram([singles, doubles], columns[1]))
    check('2-D, trimmed, nothing', options + ['-f1,2'], b'',
          [labels + (0,) for labels in
           [a + b for a in [(-INF, 0), (0, 0), (0, 1), (1, 2), (2, INF),
                            ('nan', 'nan')]
            for b in [(-INF, 0), (0, 0), (0, 1), (1, 2), (2, INF)]]])
    check('fields, trimmed', ['--record=' + description, '--flow=show',
                              '--log'], data,
          [(i,) + row for i, axis in enumerate([singles, narrow, doubles], 1)
           for row in histogram([axis])])
    check('fields, trimmed, with weights',
          ['--record=' + description, '--flow=show', '--log', '--weights=3'],
          data, [(i,) + row for i, axis in enumerate([singles, narrow], 1)
                 for row in histogram([axis], columns[2])])
    # More cells than a thread has for itself.
    pairs = random.integers(0, 256, (20000, 2), 'u1')
    axes = [Axis(pairs[:, i], direct=range(256)) for i in (0, 1)]
    check('2-D', ['--record=u1,u1', '--joint'], pairs.tobytes(),
          histogram(axes))
    wide = random.integers(0, 1000, (20000, 2), 'u4')
    axes = [Axis(wide[:, i], direct=range(10, 750)) for i in (0, 1)]
    check('2-D', ['--record=u4*2', '--joint', '--range=10,750', '-j3',
                  '--chunk-size=4096', '--nonzero'], wide.tobytes(),
          [row for row in histogram(axes) if row[-1]])


def test_weights():
    count = 3000
    key = random.integers(0, 12, count).astype('u1')
    by_key = Axis(key, direct=range(10))
    for order in '<>':
        for code in INTEGERS + FLOATS:
            weights = [bits(code, count)]
            if code in FLOATS:
                # Those that cancel; and a few that do not end in infinity.
                some = random.normal(size=count) * 10.0**random.integers(
                    -7, 5, count)
                weights[0] = np.where(key < 9, some.astype(code), weights[0])
                weights.append(np.where(key < 10, some.astype(code) * 0,
                                        boundaries(code)[0]))
                weights[1][key == 1] = 0
                weights[1][:8] = [1, 2.0**-11, -1, 0.1, 0.1, 0.1, 6e4, -6e4]
                weights[1][8:10] = np.nextafter(weights[1][:2], weights[1][2:4])
            for weight in weights:
                check('weights', ['--record=u1,x,%s%s' % (order, code),
                                  '--weights=2', '--range=0,10',
                                  '--flow=show', '--chunk-size=1000'],
                      packed('u1,x,%s%s' % (order, code), [key, weight]),
                      histogram([by_key], weight))
    # Half a unit in the last place, and a bit more or less; overflow and back.
    for name, some in [('a tie', [2.0**53, 1.0]), ('above', [2.0**53, 1, 5e-324]),
                       ('below', [2.0**53, 1, -5e-324]),
                       ('to odd', [2.0**53 + 2, 1.0]),
                       ('over and back', [1.7e308, 1.7e308, -1.7e308, 1]),
                       ('over', [1.7e308, 1.7e308]),
                       ('infinite', [1.0, -INF]),
                       ('both infinite', [INF, -INF]),
                       ('not a number', [INF, np.nan]),
                       ('minus zero', [-0.0, -0.0]),
                       ('cancelled', [1e300, 1e-300, -1e300])]:
        table = np.zeros(len(some), [('key', 'u1'), ('weight', '>f8')])
        table['weight'] = some
        check('weights, ' + name, ['--record=u1,>f8', '--weights=2',
                                   '--range=0,1'], table.tobytes(),
              [(0, exact_sum(some))])
    # Of bins, together and each by itself.
    columns = [random.normal(size=count), random.normal(size=count),
               bits('i8', count)]
    data = packed('f8,f8,i8', columns)
    edges = np.linspace(-1, 1, 4)
    axes = [Axis(c, edges=edges) for c in columns[:2]]
    options = ['--record=f8,f8,i8', '--weights=3', '-b3', '--range=-1,1',
               '--flow=show']
    check('weights', options + ['--joint'], data, histogram(axes, columns[2]))
    check('weights', options, data,
          [(i + 1,) + row for i, axis in enumerate(axes)
           for row in histogram([axis], columns[2])])
    check('weights', ['--record=u1', '-f1', '--weights=1'], key.tobytes(),
          [(v, v * int((key == v).sum())) for v in range(256)])


def test_reports():
    """What users of other programs have reported as lost or misplaced."""
    everything = np.arange(65536).astype('u2')
    check('bincount(arange(65536))', ['--dtype=u2'], everything.tobytes(),
          [(v, 1) for v in range(65536)])
    check('negative int8', ['--dtype=i1'],
          np.arange(-128, 128).astype('i1').tobytes(),
          [(v, 1) for v in range(-128, 128)])
    check('all of int16', ['--dtype=i2'], everything.tobytes(),
          [(v, 1) for v in range(-32768, 32768)])
    check('[0,255) in 255 bins, and 255',
          ['--dtype=u1', '-b255', '--range=0,255'], bytes(range(256)),
          [(v, v + 1, 1) for v in range(255)] + [(255, INF, 1)])
    check('[0,255] in 255 bins', ['--dtype=u1', '-b255', '--range=0,255',
                                  '--numpy'], bytes(range(256)),
          [(v, v + 1, 1 + (v == 254)) for v in range(255)])
    check('far below and far above', ['--dtype=f4', '-b3', '--range=0,3'],
          np.array([-3e38, -1e30, 3e38, 2**31, 2**32, -2**32, 1.5],
                   'f4').tobytes(),
          [(-INF, 0, 3), (0, 1, 0), (1, 2, 1), (2, 3, 0), (3, INF, 3)])
    check('not a number is in no bin', ['--dtype=f8', '-b2', '--range=0,1'],
          np.array([0.1, np.nan, 0.9, -np.nan]).tobytes(),
          [(0, 0.5, 1), (0.5, 1, 1), ('nan', 'nan', 2)])
    check('-5 and 0 in logarithmic bins', ['--dtype=i4', '--log',
                                           '--range=1,4'],
          np.array([-5, 0, 0, 1, 2, 3, 4], 'i4').tobytes(),
          [(-INF, 0, 1), (0, 0, 2), (1, 2, 1), (2, 4, 2), (4, INF, 1)])
    values = np.full(100001, 0.5, 'f4')
    values[77777] = np.nan
    check('one that is not a number', ['--dtype=f4', '-b1', '--range=0,1'],
          values.tobytes(), [(0, 1, 100000), ('nan', 'nan', 1)])
    for bins in [257, 2049, 32769, 65537, 200003]:
        values = np.repeat(np.arange(bins), 2)
        for code in ['u4', 'f4']:
            if not has_turn(3, 'many'):
                continue
            check('%d bins' % bins, ['--dtype=' + code, '-b%d' % bins,
                                     '--range=0,%d' % bins],
                  values.astype(code).tobytes(),
                  [(v, v + 1, 2) for v in range(bins)])
    for code, bins in [('i2', 65536), ('f2', 4097)]:
        values = bits(code, 50000)
        lo, hi = (-32768, 32768) if code == 'i2' else (-8, 8)
        check_axis('%d bins' % bins, code, '<',
                   ['-b%d' % bins, '--range=%d,%d' % (lo, hi)], values,
                   edges=np.linspace(lo, hi, bins + 1))


def see_that_tests_can_fail():
    good = parse(b'0.1\t0.2\t3\nnan\tnan\t4\n')
    for bad in [b'0.1\t0.2\t3\nnan\tnan\t5\n', b'0.1\t0.2\t3\n',
                b'0.1\t0.20000000000000004\t3\nnan\tnan\t4\n',
                b'0.1\t0.2\t3\nnan\tnan\t4\n0\t0\t0\n']:
        assert difference(parse(bad), good) and difference(good, parse(bad))
    assert difference(good, parse(b'0.1\t0.2\t3\nnan\tnan\t4\n')) is None
    for text in ['0.10', '1.0', '-0', '01', '1e5', '0.10000000000000001']:
        try:
            number(text)
            raise AssertionError(text)
        except ValueError:
            pass


def main():
    see_that_tests_can_fail()
    for code, order in itertools.product(INTEGERS + FLOATS, '<>'):
        if code in INTEGERS:
            test_direct(code, order)
        test_bins(code, order)
        test_log(code, order)
    test_printed_log(['--log=e'], math.e, 1)
    test_printed_log(['--log=10', '--subdiv=3'], 10, 8)
    test_even_like_numpy()
    test_bin_width()
    test_default_range()
    test_wide_integers()
    test_operations()
    test_edges_file()
    test_records()
    test_joint()
    test_weights()
    test_reports()
    put_tests()


if __name__ == '__main__':
    main()
