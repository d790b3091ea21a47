# SPDX-License-Identifier: MIT
"""auto_oracle.py -- --range=auto, against Python's integers

auto.sh runs it, in a scratch directory.  Which lattice the values ask for, and
which of its bins each of them is in, is computed from fractions, without any
rounding.  Then the same data are read and counted in many ways, which must all
print the same bytes; tests/cuda/auto.sh has just that done on the devices that
it names as arguments.  It prints TAP.
"""

import fractions
import itertools
import math
import os
import re
import shutil
import subprocess
import sys

import numpy as np

from numpy_oracle import (FLOATS, INF, INTEGERS, Axis, bits, check, histogram,
                          limits, output, packed, parse, random)
from oracle import COMMAND, difference, ok, put_tests, threads

AUTO = ['--range=auto', '--flow=show']
GREATEST = 2**1020  # what is beyond it counts as infinite
BINS = [4, 5, 10, 64, 1000]


# ---- what should be ----

def bin_number(value, exponent, closed):
    """At which multiple of 2^EXPONENT the bin of VALUE begins."""
    over, under = value.as_integer_ratio()
    over <<= max(-exponent, 0)
    under <<= max(exponent, 0)
    return -(-over // under) - 1 if closed == 'right' else over // under


def least_exponent(values, is_float):
    """That of the width for one value: what a double can tell apart there."""
    greatest = max(map(abs, values), default=0)
    if not is_float:
        return max(0, int(greatest).bit_length() - 53)
    # No edge is denormal.
    return max(-1022, math.frexp(greatest)[1] - 53) if greatest else -1022


def is_finite(value):
    return abs(value) <= GREATEST  # not true of NaN


def as_double(edge):
    """The same number, easier to read; but never another one."""
    return float(edge) if float(edge) == edge else edge


class Lattice:
    """Like numpy_oracle.Axis: its rows, and in which of them each value is."""

    def __init__(self, values, bins=10, closed='left'):
        self.is_float = values.dtype.kind == 'f'
        self.bins = self.wanted = bins
        self.closed = closed
        values = values.tolist()
        finite = [v for v in values if is_finite(v)]
        self.find_bins(finite)
        self.trim(finite)
        self.make_labels()
        self.rows = [self.row(v) for v in values]

    def find_bins(self, finite):
        ends = [min(finite, default=0), max(finite, default=0)]
        self.exponent = least_exponent(ends, self.is_float)
        while True:
            first, last = (bin_number(end, self.exponent, self.closed)
                           for end in ends)
            if last - first < self.bins:
                break
            self.exponent += 1
        self.first = first

    def trim(self, finite):
        """No bins are shown after that of the greatest value."""
        numbers = [bin_number(v, self.exponent, self.closed) for v in finite]
        self.bins = max(numbers, default=self.first) - self.first + 1
        one = self.first + (self.closed == 'right')
        one *= fractions.Fraction(2)**self.exponent
        self.is_one = (self.is_float and self.bins == 1 and
                       self.exponent == self.narrowest(one))
        self.ends = None
        if self.is_one and finite:
            half = max(0.5, 2.0**self.exponent)
            self.ends = [float(one) - half, float(one) + half]
        elif self.is_one:
            self.ends = [0, 1]

    def narrowest(self, value):
        """The exponent of the lattice of one VALUE."""
        exponent = least_exponent([float(value)], True)
        room = 2**53 - self.wanted
        while abs(value) / fractions.Fraction(2)**exponent > room:
            exponent += 1
        return exponent

    def make_labels(self):
        width = fractions.Fraction(2)**self.exponent
        edges = [as_double((self.first + i) * width)
                 for i in range(self.bins + 1)]
        edges = self.ends or edges
        self.labels = [(-INF, edges[0])] + list(zip(edges, edges[1:]))
        self.labels.append((edges[-1], INF))
        if self.is_float:
            self.labels.append(('nan', 'nan'))

    def row(self, value):
        if is_finite(value):
            return 1 + bin_number(value, self.exponent,
                                  self.closed) - self.first
        if value != value:
            return self.bins + 2
        return self.bins + 1 if value > 0 else 0


def find_wrong_lattice(rows, values, closed):
    """Why the printed ROWS are not a lattice of any width; or None."""
    bins = rows[1:len(rows) - (2 if values.dtype.kind == 'f' else 1)]
    first, second = map(fractions.Fraction, bins[0][:2])
    width = second - first
    value = values.tolist()[0]
    if len(set(values.tolist())) == 1 and values.dtype.kind == 'f':
        is_good = first < value < second and \
            max(1, 2 * math.ulp(value)) <= width <= max(1, 4 * math.ulp(value))
        return None if is_good and len(bins) == 1 else 'the bin of one value'
    magnitude = max(width.as_integer_ratio())
    if width <= 0 or magnitude & (magnitude - 1) != 0:
        return 'the first bin is %s wide' % width
    values = values.tolist()
    for i, (lo, hi, count) in enumerate(bins):
        place = first + i * width
        if (lo, hi) != (place, place + width) or place % width != 0:
            return 'bin %d from %r to %r' % (i, lo, hi)
        if count != sum(lo < v <= hi if closed == 'right' else
                        lo <= v < hi for v in values):
            return 'bin %d: %d values' % (i, count)
    return None if bins[0][2] > 0 and bins[-1][2] > 0 else 'an end is empty'


# ---- data ----

def magnitudes(code, count):
    """Small and large ones, of either sign."""
    shift = random.integers(0, 8 * np.dtype(code).itemsize, count)
    if code in INTEGERS:
        return bits(code, count) >> shift.astype(code)
    return (random.normal(size=count) * 2.0**(shift - 12)).astype(code)


def growing(code, count):
    """From nothing to all that the type can hold, of either sign by turns."""
    signs = 1 - 2 * (np.arange(count) % 2)
    if code in INTEGERS:
        least, most = limits(code)
        values = [int(most**(i / count)) for i in range(count)]
        return np.array(values, code) * (signs.astype(code) if least else 1)
    exponents = {'f2': (-24, 15), 'f4': (-149, 127), 'f8': (-1074, 1022)}
    steps = np.linspace(*exponents[code], count).astype(int)
    return np.ldexp(1.0 * signs, steps).astype(code)


def extreme_last(code, count):
    values = random.integers(0, 10, count).astype(code)
    values[-1] = limits(code)[0 if code[0] == 'i' else 1] \
        if code in INTEGERS else -np.finfo(code).max / 16
    return values


SHAPES = {
    'bits': bits,
    'magnitudes': magnitudes,
    'ascending': lambda code, count: np.sort(magnitudes(code, count)),
    'descending': lambda code, count: np.sort(magnitudes(code, count))[::-1],
    'growing': growing,
    'extreme last': extreme_last,
    'far from 0': lambda code, count: (100 + random.random(count) * 20
                                       ).astype(code),
}


def closed_option(closed):
    return '--closed=' + closed


# ---- against the oracle ----

def check_lattice(name, values, bins, closed, order, options):
    code = values.dtype.str[1:]
    check(name, ['--dtype=' + order + code, '-b%d' % bins, *AUTO,
                 closed_option(closed)] + options,
          values.astype(order + code).tobytes(),
          histogram([Lattice(values, bins, closed)]))


def test_types():
    shapes = itertools.cycle(SHAPES)
    chunks = itertools.cycle([8, 24, 100, 1000, 4096])
    for code, order, bins, closed in itertools.product(
            INTEGERS + FLOATS, '<>', BINS, ['left', 'right']):
        shape = next(shapes)
        check_lattice(shape, SHAPES[shape](code, 1000), bins, closed, order,
                      ['--chunk-size=%d' % next(chunks)])


SPECIAL_FLOATS = [
    [], [np.nan], [INF, -INF, np.nan], [np.nan, 1.5, INF], [-INF, -7, np.nan],
    [0.0], [-0.0, 0.0], [1.0], [-1.0], [-0.375], [5.0, 5.0],
    [1, 2, 3, 4], [0, 1, 2, 3, 4], [-4, 4], [-1, 1], [-0.5, 0, 0.5],
    [-1000, -3.5, -3.25], [-2**-14, 1], [-8, 7.5, 8],
]
SPECIAL_DOUBLES = [
    [0.1], [-0.1], [5e-324], [-5e-324], [1e-310, 2e-310], [-5e-324, 5e-324],
    [2.0**-1022], [1e-300], [0, 0, 1e-300], [0, 1e-17], [0, 0, -1e-17],
    [np.nan, 1e-30], [1e300, -1e-300], [1e-300, 1e300], [1e15, 1e15 + 1],
    [2.0**1020], [-2.0**1020, 2.0**1020], [1, 2.0**1021, -2.0**1021],
    [np.nextafter(2.0**1020, INF), 3], [-1.7e308, 1.7e308],
    [1.5 * 2.0**1020, 2.0**1020, -2.0**1020], [-1e-300, -1e300, 1e300],
]
SPECIAL_INTEGERS = {
    'u1': [[], [0], [255], [0, 255], [3, 4, 5, 6, 7]],
    'i1': [[], [-128], [-128, 127], [-1], [-1, 0], [-5, -9]],
    'u2': [[65535], [65535, 0]],
    'i2': [[], [-32768, 32767], [-1, 0, 1, 2]],
    'u4': [[], [0, 1, 2, 3], [0, 1, 2, 3, 4], [2**32 - 1], [2**32 - 1, 0]],
    'i4': [[-2**31], [-2**31, 2**31 - 1], [-4, -3, -2, -1], [0, -1]],
    'u8': [[], [2**63], [2**64 - 1, 0], [2**53, 2**53 + 1, 2**53 + 2]],
    'i8': [[], [-2**63], [-2**63, 2**63 - 1], [-2**53 - 1, -2**53, 0],
           [2**62 + 1, 2**62]],
}


def test_special_values():
    """One value in each chunk, and all values in one chunk."""
    cases = [('f8', values) for values in SPECIAL_FLOATS + SPECIAL_DOUBLES]
    cases += [(code, values) for code in ['f2', 'f4']
              for values in SPECIAL_FLOATS]
    cases += [('f4', [0, 1e-45]), ('f4', [3.4e38, -3.4e38]),
              ('f2', [6e-8]), ('f2', [65504, -65504, INF])]
    cases += [(code, values) for code in INTEGERS
              for values in SPECIAL_INTEGERS[code]]
    for (code, some), bins, closed, chunk in itertools.product(
            cases, [4, 100], ['left', 'right'], ['8', '1k']):
        check_lattice('special, %s' % some, np.array(some, code), bins, closed,
                      '<', ['--chunk-size=' + chunk])


def run_last_digits(options, values, closed):
    try:
        rows = parse(output(options, values.tobytes()))
    except ValueError as error:
        return error
    return find_wrong_lattice(rows, values, closed)


def test_last_digits():
    """Values beyond which there are fewer doubles than bins of that width."""
    cases = [('f8', 1 - 2**-53), ('f8', 2.0**53 - 1),
             ('f8', np.nextafter(2.0**1020, 0)), ('f4', 1 - 2**-24),
             ('u8', 2**53 - 1), ('u8', 2**64 - 2048), ('u8', 2**64 - 1),
             ('i8', 2**63 - 1024), ('i8', 2**54 - 2), ('i8', -2**54 + 2)]
    for (code, value), bins, closed in itertools.product(
            cases, [4, 10, 1000], ['left', 'right']):
        options = ['--dtype=' + code, '-b%d' % bins, *AUTO,
                   closed_option(closed)]
        ok('last digits, %s: %s' % (value, ' '.join(options)),
           threads.submit(run_last_digits, options, np.array([value], code),
                          closed))


def some_columns(count):
    """Of the records '>f8,x*3,<i2,f4,u1'."""
    columns = [magnitudes('f8', count), magnitudes('i2', count),
               growing('f4', count), bits('u1', count)]
    columns[0][:3] = np.nan, INF, -INF
    return columns, packed('>f8,x*3,<i2,f4,u1', columns)


def by_field(fields, axes, weights=None):
    return [(field,) + row for field, axis in zip(fields, axes)
            for row in histogram([axis], weights)]


def test_fields():
    columns, data = some_columns(2000)
    record = ['--record=>f8,x*3,<i2,f4,u1', '--flow=show',
              '--chunk-size=100']
    check('two with -b', record + ['-f1,3', '-b4', '-b100', '--range=auto'],
          data, by_field([1, 3], [Lattice(columns[0], 4),
                                  Lattice(columns[2], 100)]))
    check('all', record + ['--range=auto', '--closed=right'], data,
          by_field([1, 2, 3, 4],
                   [Lattice(c, closed='right') for c in columns]))
    check('one, and one fixed',
          record + ['-f3,1', '-b7', '-b6', '--range=auto', '--range=-1,2'],
          data, by_field([3, 1], [
              Lattice(columns[2], 7),
              Axis(columns[0], edges=np.linspace(-1, 2, 7))]))
    check('one fixed, one, and one with all values',
          record + ['-f2,1,4', '-b5', '-b9', '-b-', '--range=-50,50',
                    '--range=auto', '--range=-'], data,
          by_field([2, 1, 4], [
              Axis(columns[1], edges=np.linspace(-50, 50, 6)),
              Lattice(columns[0], 9),
              Axis(columns[3], direct=range(256), pairs=True)]))


def test_joint():
    columns, data = some_columns(2000)
    record = ['--record=>f8,x*3,<i2,f4,u1', '--joint', '--flow=show',
              '--chunk-size=100']
    for closed in ['left', 'right']:
        check('joint, all',
              record + [closed_option(closed), '-f1,3,4', '-b5', '-b8', '-b4',
                        '--range=auto'], data,
              histogram([Lattice(columns[0], 5, closed),
                         Lattice(columns[2], 8, closed),
                         Lattice(columns[3], 4, closed)]))
        check('joint, one fixed',
              record + [closed_option(closed), '-f2,1', '-b6', '-b50',
                        '--range=-100,200', '--range=auto'], data,
              histogram([Axis(columns[1], edges=np.linspace(-100, 200, 7),
                              closed=closed),
                         Lattice(columns[0], 50, closed)]))


def test_weights():
    columns, data = some_columns(2000)
    record = ['--record=>f8,x*3,<i2,f4,u1', '--range=auto', '--flow=show',
              '--chunk-size=100', '-b6']
    check('weights, integers', record + ['-f1,4', '--weights=2'], data,
          by_field([1, 4], [Lattice(columns[0], 6), Lattice(columns[3], 6)],
                   columns[1]))
    check('weights, floats', record + ['-f2,3', '--weights=1'], data,
          by_field([2, 3], [Lattice(columns[1], 6), Lattice(columns[2], 6)],
                   columns[0]))
    check('weights, joint', record + ['-f2,3', '--weights=1', '--joint'],
          data, histogram([Lattice(columns[1], 6), Lattice(columns[2], 6)],
                          columns[0]))
    # Sums that need more than 64 bits and those that cancel.
    for code in ['i8', 'u8', 'f8']:
        keys, amounts = growing('f4', 1000), bits(code, 1000)
        if code == 'f8':
            amounts = random.normal(size=1000) * 10.0**random.integers(
                -20, 20, 1000)
            amounts[500:] = -amounts[:500]
        check('weights, ' + code,
              ['--record=f4,' + code, '--weights=2', *AUTO,
               '--chunk-size=24'], packed('f4,' + code, [keys, amounts]),
              histogram([Lattice(keys)], amounts))


def test_other_options():
    values = bits('i4', 1000)
    check('an operation', ['--dtype=i4', '--shift=5', *AUTO], values.tobytes(),
          histogram([Lattice(values >> 5)]))
    values = np.array([1, 2, 3], 'f4')
    check('a record that is cut off', ['--dtype=f4', '--partial=drop', '-q',
                                       *AUTO],
          values.tobytes() + b'\x7f\x7f\x7f', histogram([Lattice(values)]))
    values = np.array([3.5, INF, -INF, -INF, 0.25, np.nan])
    lattice = Lattice(values, 4)
    rows = histogram([lattice])
    check('some flows', ['--dtype=f8', '-b4', '--range=auto'],
          values[:2].tobytes(),
          histogram([Lattice(values[:2], 4)])[1:-1])
    check('no flows', ['--dtype=f8', '-b4', '--range=auto', '--flow=hide',
                       '-q'], values.tobytes(), rows[1:-2])
    clamped = [row[:2] + (row[2] + more,)
               for row, more in zip(rows[1:-2], [2] + [0] * (lattice.bins - 2) +
                                    [1])]
    check('flows in bins', ['--dtype=f8', '-b4', '--range=auto',
                            '--flow=clamp'], values.tobytes(),
          clamped + rows[-1:])


def find_wrong_explanation(options, values):
    """--explain names the range that has been found, of all bins."""
    result = subprocess.run(COMMAND + options + ['--explain'], timeout=120,
                            input=values.tobytes(), capture_output=True,
                            check=True)
    rows = parse(result.stdout)
    line = result.stderr.splitlines()[1]
    edges = parse(b'\t'.join(re.findall(b' (?:from|to) ([-0-9.][^ ,]*)', line)))
    (first, last), = edges
    lo, hi = rows[1][:2]
    missing = (last - rows[-2][0]) / (hi - lo)
    return None if first == lo and missing in range(10) else line.decode()


def test_explain():
    for values in [growing('f4', 300), magnitudes('f8', 300)]:
        options = ['--dtype=' + values.dtype.str, *AUTO, '--chunk-size=16']
        ok('--explain: ' + ' '.join(options),
           threads.submit(find_wrong_explanation, options, values))


def find_unrefused(options):
    result = subprocess.run(COMMAND + options, input=b'', timeout=120,
                            capture_output=True, check=False)
    if result.returncode == 2 and not result.stdout:
        return None
    return 'status %d' % result.returncode


def test_bins_alone():
    """--bins without a range, for types that have too many values."""
    for code in ['u4', 'i4', 'u8', 'i8', 'f2', 'f4', 'f8']:
        values = magnitudes(code, 3000)
        for closed in ['left', 'right']:
            check('-b50 alone',
                  ['--dtype=' + code, '-b50', '--flow=show',
                   closed_option(closed)], values.tobytes(),
                  histogram([Lattice(values, 50, closed)]))
    columns, data = some_columns(2000)
    check('-b50 alone, of some fields',
          ['--record=>f8,x*3,<i2,f4,u1', '--flow=show', '-f1,4,3', '-b50'],
          data, by_field([1, 4, 3], [
              Lattice(columns[0], 50),
              Axis(columns[3], edges=np.linspace(0, 256, 51)),
              Lattice(columns[2], 50)]))
    values = bits('u4', 2000) & 0xfffff
    check('-b50 alone, of 2^20 values',
          ['--dtype=u4', '--mask=0xfffff', '-b50', '--flow=show'],
          values.tobytes(), histogram([Lattice(values, 50)]))


def test_refusals():
    for options in [['-b3'], ['--numpy'], ['--bin-width=1'], ['--edges=1,2'],
                    ['--log']]:
        options = ['--dtype=f8', '--range=auto'] + options
        ok('refused: ' + ' '.join(options),
           threads.submit(find_unrefused, options))


# ---- the same bytes in every way ----

class DataSet:
    """Options, input for them, and the expected output."""

    def __init__(self, options, description, columns, rows):
        self.options = [*AUTO, '--record=' + description] + options
        self.data = packed(description, columns)
        self.records = len(columns[0])
        self.rows = rows

    def name(self):
        return ' '.join(self.options)

    def halves(self):
        middle = len(self.data) // self.records * (self.records // 3)
        return [self.data[:middle], self.data[middle:]]


def data_sets():
    def single(code, order, shape, bins, closed):
        values = SHAPES[shape](code, 24000 // np.dtype(code).itemsize)
        return DataSet(['-b%d' % bins, closed_option(closed)], order + code,
                       [values], histogram([Lattice(values, bins, closed)]))

    yield single('f8', '<', 'magnitudes', 10, 'left')
    yield single('f4', '>', 'ascending', 1000, 'right')
    yield single('f8', '>', 'growing', 5, 'left')
    yield single('u4', '<', 'extreme last', 64, 'left')
    yield single('i8', '>', 'descending', 4, 'right')
    yield single('f2', '<', 'bits', 10, 'left')
    columns = [growing('f8', 1500), magnitudes('i4', 1500)]
    axes = [Lattice(columns[0], 4), Lattice(columns[1], 50)]
    options = ['-b4', '-b50']
    yield DataSet(options, 'f8,>i4', columns, by_field([1, 2], axes))
    yield DataSet(options + ['--joint'], 'f8,>i4', columns, histogram(axes))
    # A GPU does not copy a table of this size after each chunk.
    yield DataSet(['-b100', '--joint'], 'f8,>i4', columns,
                  histogram([Lattice(c, 100) for c in columns]))
    weights = magnitudes('f8', 1500)
    yield DataSet(options + ['--joint', '--weights=3'], 'f8,>i4,f8',
                  columns + [weights], histogram(axes, weights))


def large_data_set():
    """Some chunks of the default size."""
    return DataSet([], 'f4', [np.sort(magnitudes('f4', 1600000))], None)


def write(name, data):
    with open(name, 'wb') as file:
        file.write(data)
    return name


def ways_to_read(name, data_set):
    """What each is called, the files, and what is on standard input."""
    whole = write(name, data_set.data)
    yield 'file', [whole], None
    yield 'pipe', [], data_set.data
    yield 'two files', [write('%s-%d' % (name, i), half)
                        for i, half in enumerate(data_set.halves())], None
    if os.environ.get('HAVE_ZSTD') == 'yes' and shutil.which('zstd'):
        subprocess.run(['zstd', '-q', '-1', whole], check=True)
        yield 'zstd', [whole + '.zst'], None


def find_other_bytes(options, data, wanted):
    try:
        got = output(options, data)
    except ValueError as error:
        return error
    if got == wanted:
        return None
    return difference(parse(got), parse(wanted)) or 'other bytes'


def check_ways(name, data_set, chunks, devices, wanted):
    """Each way to read with each of CHUNKS; DEVICES and threads by turns."""
    by_turns = zip(itertools.cycle(['-j1', '-j2', '-j8']),
                   itertools.cycle(devices))
    ways = itertools.product(ways_to_read(name, data_set), chunks)
    if os.environ.get('IS_SHORT') == 'yes':
        ways = itertools.islice(ways, 0, None, 3)
    for (way, files, data), chunk in ways:
        how = ' '.join(filter(None, next(by_turns))).split()
        if chunk:
            how.append('--chunk-size=%d' % chunk)
        ok('%s %s: %s' % (way, ' '.join(how), data_set.name()),
           threads.submit(find_other_bytes, data_set.options + how + files,
                          data, wanted))


def check_sum(data_set, printed):
    total = sum(row[-1] for row in parse(printed))
    per_record = 2 if data_set.rows and len(data_set.rows[0]) == 4 else 1
    ok('all records are in the sum: ' + data_set.name(),
       total != per_record * data_set.records and 'it is %d' % total)


def test_ways(devices):
    """Without DEVICES, on the one that numpy_oracle.py chooses."""
    sets = [(data_set, [8, 24, 4096, 65536, None])
            for data_set in data_sets()] + [(large_data_set(), [65536, None])]
    one_way = ['-j1'] + (['--device=cpu'] if devices else [])
    for i, (data_set, chunks) in enumerate(sets):
        wanted = output(data_set.options + one_way, data_set.data)
        if data_set.rows:
            ok('exact: ' + data_set.name(),
               difference(parse(wanted), data_set.rows))
        if not any('--weights' in option for option in data_set.options):
            check_sum(data_set, wanted)
        check_ways('set%d' % i, data_set, chunks,
                   ['--device=' + d for d in devices] or [None], wanted)


def find_complaints(ledger):
    """What the driver of tests/fake holds against the program."""
    with open(ledger, encoding='ascii') as file:
        return [line for line in file if not line.endswith(' 0\n') and
                line.startswith(('outstanding ', 'misuse ', 'note '))]


def test_ledger(ledger):
    threads.shutdown()  # it is complete when all programs have ended
    ok('the ledgers are balanced', find_complaints(ledger))


# ---- all of it ----

def see_that_tests_can_fail():
    values = np.array([-1.0, 0.5, 1.0, 6.0])
    good = histogram([Lattice(values, 4)])
    assert good == [(-INF, -4, 0), (-4, 0, 1), (0, 4, 2), (4, 8, 1),
                    (8, INF, 0), ('nan', 'nan', 0)]
    assert find_wrong_lattice(good, values, 'left') is None
    for i, bad in [(1, (-4, 0, 2)), (3, (4, 4, 1)), (2, (0, 2, 2)),
                   (1, (-4.5, 0, 1)), (1, (-3, 0, 1)), (1, (-4, -4, 0))]:
        assert find_wrong_lattice(good[:i] + [bad] + good[i + 1:], values,
                                  'left')
    assert find_wrong_lattice(good, values[1:], 'left')
    assert find_wrong_lattice(good, values + 1, 'left')
    assert find_wrong_lattice(good, values + 1, 'right') is None
    for other in [Lattice(values, 8), Lattice(values, 4, 'right'),
                  Lattice(values[:3], 4), Lattice(values * 2, 4)]:
        assert difference(good, histogram([other]))
    write('misuse', b'outstanding all 0\nmisuse all 1\nnote what 0\n')
    assert find_complaints('misuse') == ['misuse all 1\n']


def main():
    see_that_tests_can_fail()
    devices = sys.argv[1:]
    if not devices:
        test_types()
        test_special_values()
        test_last_digits()
        test_fields()
        test_joint()
        test_weights()
        test_other_options()
        test_explain()
        test_bins_alone()
        test_refusals()
    test_ways(devices)
    if 'FAKE_CU_LEDGER' in os.environ:
        test_ledger(os.environ['FAKE_CU_LEDGER'])
    put_tests()


if __name__ == '__main__':
    main()
