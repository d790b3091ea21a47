# SPDX-License-Identifier: MIT
"""short_floats_oracle.py -- bf16, f8e4m3 and f8e5m2, against their definitions

short_floats.sh runs it, in a scratch directory.  All patterns of bits are
decoded with Python's fractions, as the OCP 8-bit Floating Point Specification
(2023) and the definition of bfloat16 say; numpy counts the values.  If
ml_dtypes is there, it must decode them likewise.
"""

import bisect
import collections
import fractions
import itertools
import math
import os

import numpy as np

import oracle
from oracle import ok, prints, put_tests, skip, test

INF = math.inf
# Bits of the exponent and of the fraction; whether there are infinities.
FORMATS = {'bf16': (8, 7, True), 'f8e4m3': (4, 3, False),
           'f8e5m2': (5, 2, True)}
NAMES = {'bf16': 'bfloat16', 'f8e4m3': 'float8_e4m3fn',
         'f8e5m2': 'float8_e5m2'}
is_cpu = os.environ.get('GPUHIST_TEST_DEVICE', 'cpu') == 'cpu'
random = np.random.default_rng(44)
np.seterr(all='ignore')


def decode(code, bits):
    """The value of the pattern BITS."""
    exponent_bits, fraction_bits, has_infinities = FORMATS[code]
    fraction = bits & (1 << fraction_bits) - 1
    exponent = bits >> fraction_bits & (1 << exponent_bits) - 1
    sign = -1.0 if bits >> fraction_bits + exponent_bits else 1.0
    bias = (1 << exponent_bits - 1) - 1
    if exponent == (1 << exponent_bits) - 1:
        if has_infinities:
            return math.nan if fraction else sign * INF
        if fraction == (1 << fraction_bits) - 1:
            return math.nan
    part = fractions.Fraction(fraction, 1 << fraction_bits)
    scale = fractions.Fraction(2) ** (max(exponent, 1) - bias)
    return sign * float((part + (exponent > 0)) * scale)


def patterns(code):
    return 1 << (8 if code != 'bf16' else 16)


VALUES = {code: np.array([decode(code, bits) for bits in range(patterns(code))])
          for code in FORMATS}


def pack(code, bits, order='='):
    return np.asarray(bits).astype(order + ('u2' if code == 'bf16' else 'u1')
                                   ).tobytes()


def text(number):
    if number != number:
        return 'nan'
    shortest = repr(float(number))
    return shortest[:-2] if shortest.endswith('.0') else shortest


def cell(x, edges, closed, is_log):
    """The line that X is counted in: its two first columns."""
    if x != x:
        return 'nan', 'nan'
    if is_log and x <= 0:
        return ('0', '0') if x == 0 else ('-inf', '0')
    find = bisect.bisect_left if closed == 'right' else bisect.bisect_right
    i = find(edges, x)
    if closed == 'numpy' and x == edges[-1]:
        i -= 1
    low = '0' if is_log else '-inf'
    return (text(edges[i - 1]) if i > 0 else low,
            text(edges[i]) if i < len(edges) else 'inf')


def lines(values, edges, closed='left', is_log=False):
    """The lines for VALUES in bins between EDGES, flow lines shown."""
    edges = [float(edge) for edge in edges]
    counts = collections.Counter(cell(x, edges, closed, is_log)
                                 for x in values.tolist())
    if closed == 'numpy':  # numpy has the last word
        finite = values[values == values]
        for low, high, count in zip(edges, edges[1:],
                                    np.histogram(finite, edges)[0].tolist()):
            assert counts[text(low), text(high)] == count
    before = [('-inf', '0'), ('0', '0'), ('0', text(edges[0]))]
    rows = before if is_log else [('-inf', text(edges[0]))]
    rows += [(text(a), text(b)) for a, b in zip(edges, edges[1:])]
    rows += [(text(edges[-1]), 'inf'), ('nan', 'nan')]
    return ['%s\t%s\t%d' % (*row, counts[row]) for row in rows]


# ---- the cases ----

def test_decoding(code):
    """That of ml_dtypes is the same, to the bit."""
    name = code + ': ml_dtypes decodes the same'
    try:
        import ml_dtypes
    except ImportError:
        skip(name, 'no ml_dtypes')
        return
    bits = np.frombuffer(pack(code, range(patterns(code))),
                         getattr(ml_dtypes, NAMES[code]))
    other = bits.astype('f8')
    values = VALUES[code]
    same = (other == values) & (np.signbit(other) == np.signbit(values))
    same |= (other != other) & (values != values)
    ok(name, None if same.all() else np.flatnonzero(~same)[:9])


def test_bins(code, order):
    values = VALUES[code]
    data = pack(code, range(patterns(code)), order)
    finite = values[np.isfinite(values)]
    some = np.unique(finite + 0.0)[::max(1, patterns(code) // 300)]
    most = float(finite.max())
    cases = [
        (['-b7', '--range=-1.3,2.9'], np.linspace(-1.3, 2.9, 8)),
        (['-b40', '--range=-448,448'], np.linspace(-448, 448, 41)),
        (['-b4', '--range=0,%r' % most], np.linspace(0, most, 5)),
        (['-b1', '--range=%r,%r' % (-most, most)], [-most, most]),
        (['--edges=' + ','.join(map(repr, some.tolist()))], some),
    ]
    for (options, edges), closed in itertools.product(
            cases, ['left', 'right', 'numpy']):
        how = '--numpy' if closed == 'numpy' else '--closed=' + closed
        options = ['--dtype=' + order + code, '--flow=show', how] + options
        test(' '.join(options)[:70], prints, options,
             lines(values, edges, closed), data)


def test_log(code):
    """The whole range of the type, without --range."""
    values = VALUES[code]
    positive = values[np.isfinite(values) & (values > 0)]
    first = math.floor(math.log2(positive.min()))
    last = math.floor(math.log2(positive.max())) + 1
    edges = [2.0 ** e for e in range(first, last + 1)]
    data = pack(code, range(patterns(code)))
    for name in (code, NAMES[code]):
        options = ['--dtype=' + name, '--log', '--flow=show']
        test(' '.join(options), prints, options,
             lines(values, edges, is_log=True), data)
    for log in (['--log=10'], ['--scale=1']):
        test('%s %s: no finite value is beyond the bins' % (code, log[0]),
             all_inside, code, log, data)


def all_inside(code, log, data):
    result = oracle.run(['--dtype=' + code, '--flow=show'] + log, data)
    rows = [line.split('\t') for line in result.stdout.decode().splitlines()]
    values = VALUES[code]
    wanted = [np.count_nonzero(values == INF),
              np.count_nonzero(values != values)]
    got = [int(row[2]) for row in rows[-2:]]
    below = rows[2][2]
    return None if got == wanted and below == '0' else (result.stderr, rows)


def test_auto(code):
    """--range=auto: the same bins, in chunks and threads, as f8 has."""
    bits = random.integers(0, patterns(code), 5000)
    with open(code, 'wb') as file:
        file.write(pack(code, bits))
    VALUES[code][bits].tofile(code + '.f8')
    for options in (['-b64'], ['-b20', '--closed=right'],
                    ['-b9', '--range=auto', '-j3', '--chunk-size=1000']):
        wanted = oracle.run(['--dtype=f8', code + '.f8'] + options)
        test('%s %s as f8' % (code, ' '.join(options)), prints,
             ['--dtype=' + code, code] + options,
             wanted.stdout.decode().splitlines())


def test_values(code):
    """The values that occur, in their order; no device counts them."""
    bits = np.concatenate([np.arange(patterns(code)),
                           random.integers(0, patterns(code), 999)])
    counts = collections.Counter(VALUES[code][bits].tolist())
    nans = sum(n for x, n in counts.items() if x != x)
    wanted = ['%s\t%d' % (text(x + 0.0), counts[x])
              for x in sorted(x for x in counts if x == x)]
    test(code + ' --nonzero', prints, ['--dtype=' + code, '--nonzero'],
         wanted + ['nan\t%d' % nans], pack(code, bits))


def test_bits(code):
    """Eight bits without bins: a line for each pattern."""
    bits = np.concatenate([np.arange(0, 256, 3), [0x7f, 0x80, 0xff, 0x80]])
    data = pack(code, bits)
    counts = np.bincount(bits, minlength=256).tolist()
    rows = ['%d\t%d' % row for row in enumerate(counts)]
    code = '--dtype=' + code
    test(code, prints, [code], rows, data)
    test(code + ' --nonzero', prints, [code, '--nonzero'],
         [row for row in rows if not row.endswith('\t0')], data)
    signs = np.bincount(bits >> 3, minlength=32).tolist()
    test(code + ' --shift', prints, [code, '--shift=3'],
         ['%d\t%d' % row for row in enumerate(signs)], data)
    pairs = collections.Counter(zip(bits.tolist(), [1] * len(bits)))
    record = np.stack([bits, np.ones_like(bits)], 1)
    test(code + ' --joint', prints,
         ['--record=%s,u1' % code[8:], '--joint', '--nonzero'],
         ['%d\t%d\t%d' % (*pair, n) for pair, n in sorted(pairs.items())],
         record.astype('u1').tobytes())


def total(numbers):
    """The sum, rounded once."""
    if any(x != x for x in numbers) or {INF, -INF} <= set(numbers):
        return 'nan'
    for infinity in (INF, -INF):
        if infinity in numbers:
            return text(infinity)
    return text(float(sum(map(fractions.Fraction, numbers))) + 0.0)


def test_weights(code, order):
    """The weights of each byte, and a joint histogram with a grown range."""
    kind = order + ('u2' if code == 'bf16' else 'u1')
    bits = np.concatenate([np.arange(patterns(code))] * 3)
    # All patterns, without some that make sums infinite.
    keys = np.where(np.isfinite(VALUES[code][bits]), bits % 7, 7 + bits % 5)
    records = np.empty(len(bits), [('weight', kind), ('key', 'u1')])
    records['weight'] = bits
    records['key'] = keys
    name = 'records.%s.%d' % (code, order == '>')
    records.tofile(name)
    parts = collections.defaultdict(list)
    for key, bit in zip(keys.tolist(), bits.tolist()):
        parts[key].append(float(VALUES[code][bit]))
    wanted = ['%d\t%s' % (key, total(parts[key])) for key in range(12)]
    record = '--record=%s%s,u1' % (order, code)
    options = [record, '--weights=1', '-f2', '--range=0,12', '--flow=hide']
    test(' '.join(options[:3]), prints, options + [name], wanted)
    test(' '.join(options[:3]) + ', in chunks', prints,
         options + ['-j4', '--chunk-size=3001', name], wanted)
    if is_cpu:  # --merge takes no device
        test(record + ' --state', add_up, options, name, wanted)
    test(record + ' --joint -b4 as f8', joint, code, order, name, keys, bits)


def add_up(options, name, wanted):
    """Two states of the same records, added up, are twice the sums."""
    state = name + '.state'
    result = oracle.run(options + ['--state=' + state, name])
    if result.returncode != 0:
        return result.stderr
    return prints(['--merge', state, '--flow=hide'], wanted)


def joint(code, order, name, keys, bits):
    """A range that grows while counting, beside a byte."""
    records = np.empty(len(bits), [('value', '<f8'), ('key', 'u1')])
    records['value'] = VALUES[code][bits]
    records['key'] = keys
    records.tofile(name + '.f8')
    options = ['--joint', '-b8', '-b-', '--nonzero']
    wanted = oracle.run(['--record=<f8,u1', name + '.f8'] + options)
    if wanted.returncode != 0:
        return wanted.stderr
    return prints(['--record=%s%s,u1' % (order, code), name] + options,
                  wanted.stdout.decode().splitlines())


def test_npy():
    """ml_dtypes saves float8_e5m2 as f1, and no other type."""
    head = "{'descr': '%s', 'fortran_order': False, 'shape': (256,), }"
    data = pack('f8e5m2', range(256))
    for kind in ('<f1', '|f1'):
        header = (head % kind).ljust(117) + '\n'
        with open('array.npy', 'wb') as file:
            file.write(b'\x93NUMPY\1\0\x76\0' + header.encode() + data)
        test('npy: ' + kind, prints,
             ['--npy', '-b4', '--range=-2,2', '--flow=show', 'array.npy'],
             lines(VALUES['f8e5m2'], [-2, -1, 0, 1, 2]))


def main():
    assert decode('f8e4m3', 0x7e) == 448 and decode('f8e4m3', 1) == 2**-9
    assert decode('f8e5m2', 0x7b) == 57344 and decode('f8e5m2', 1) == 2**-16
    assert decode('bf16', 0x3f80) == 1 and decode('bf16', 1) == 2**-133
    for code in FORMATS:
        test_decoding(code)
        for order in '<>':
            test_bins(code, order)
            test_weights(code, order)
        test_log(code)
        test_auto(code)
        if code != 'bf16':
            test_bits(code)
        elif is_cpu:
            test_values(code)
    test_npy()
    put_tests()


if __name__ == '__main__':
    main()
