# SPDX-License-Identifier: MIT
"""stats_oracle.py -- statistics beside exact ones, made from the values

    stats_oracle.py GPUHIST

Bounds must hold and exact figures be exact, for values that are spread in
their bins in the worst way, too.  Prints "PASS name" or "FAIL name".
"""

import collections
import fractions
import math
import subprocess
import sys

import numpy

from checks import check

GPUHIST = sys.argv[1]
INF = float("inf")
PERCENTILES = ["0.000000001", "1", "25", "50", "90", "99", "99.9", "100"]


def stats(options, data):
    """[{name: [number, ...]}], for each field."""
    done = subprocess.run(
        [GPUHIST, "--device=cpu", "--stats=only",
         "--percentiles=" + ",".join(PERCENTILES)] + options,
        input=data, capture_output=True)
    assert done.returncode == 0 and done.stderr == b"", done.stderr
    fields = {}
    for line in done.stdout.decode().split("\n")[:-1]:
        parts = line.split("\t")
        field = parts.pop(0) if parts[0].isdigit() else ""
        block = fields.setdefault(field, {})
        assert len(parts) == 2, parts
        name, _, bound = parts[0].partition("_")
        # A bound follows its figure or its other bound.
        assert (name in block) == (bound in ("hi", "least", "most") and
                                   parts[0] != "distinct_least"), line
        assert not block or bound == "" or name not in block or (
            name == list(block)[-1]), line
        block.setdefault(name, []).append(parts[1])
    return list(fields.values())


def close(got, wanted, tolerance=1e-14):
    if math.isnan(wanted):
        return math.isnan(float(got))
    return float(got) == wanted or (
        abs(float(got) - wanted) <= tolerance * abs(wanted))


def between(texts, value, slack=1e-12):
    """Whether an exact number is VALUE, or VALUE is within the bounds."""
    numbers = [float(text) for text in texts]
    if len(numbers) == 1:
        return close(numbers[0], float(value))
    low, high = numbers[-2:]
    margin = slack * max(abs(x) for x in (low, high, 0) if math.isfinite(x))
    return low - margin <= float(value) <= high + margin


def check_stats(options, data, values, of_cell=None):
    """
    VALUES: a list of integers or floats, all that were counted.  OF_CELL: how
    many values each bin has, where it is not a bin for each value; {}: unknown.
    """
    (got,) = stats(options, data)
    numbers = sorted(v for v in values if v == v)
    count = len(numbers)
    is_exact = of_cell is None
    assert got["values"] == [str(len(values))]
    assert between(got["min"], numbers[0]) and between(got["max"], numbers[-1])
    if is_exact:
        assert got["min"] == [str(numbers[0])], got["min"]
        assert got["max"] == [str(numbers[-1])], got["max"]
        assert got["outside"] == ["0"]
        lengths = {len(text) for text in got.values()}
        assert lengths == {1}, lengths

    for text in PERCENTILES:
        rank = math.ceil(fractions.Fraction(text) * count / 100)
        wanted = numbers[rank - 1]
        assert between(got["p" + text], wanted), (text, got["p" + text])
        if is_exact:
            assert got["p" + text] == [str(wanted)]

    finite = [fractions.Fraction(v) for v in numbers if abs(v) != INF]
    if len(finite) == count:
        mean = sum(finite) / count
        unit = max(map(abs, finite)) or 1
        variance = sum(((v - mean) / unit) ** 2 for v in finite) / count
        deviation = float(fractions.Fraction(math.sqrt(variance)) * unit)
        if is_exact:
            assert float(got["mean"][0]) == float(mean), got["mean"]
            assert close(got["sd"][0], deviation, 1e-13), got["sd"]
        else:
            assert between(got["mean"], mean), (got["mean"], float(mean))
            assert between(got["sd"], deviation), (got["sd"], deviation)
            assert len(got["mean"]) == len(got["sd"]) == 3
    else:
        assert math.isinf(float(got["mean"][1])) or math.isinf(
            float(got["mean"][2]))

    assert between(got["distinct"], len(set(numbers)), 0)
    counts = collections.Counter(values) if is_exact else of_cell
    if is_exact:
        mode = max(counts.values())
        assert got["mode"] == [str(min(
            v for v, c in counts.items() if c == mode))]
    entropy = -math.fsum(c / len(values) * math.log2(c / len(values))
                         for c in counts.values() if c)
    if counts and got["outside"] == ["0"]:
        assert abs(float(got["entropy"][0]) - entropy) < 1e-12 * max(
            1, entropy), (got["entropy"], entropy)


def cells(values, edges):
    """How many values are in each bin, and beside them."""
    return dict(enumerate(numpy.bincount(
        numpy.searchsorted(edges, values, "right")).tolist()))


rng = numpy.random.default_rng(11)

data = rng.binomial(255, 0.3, 4000).astype("u1")
check("bytes", check_stats, [], data.tobytes(), data.tolist())
data = numpy.array([7], "u1")
check("one byte", check_stats, [], data.tobytes(), data.tolist())
data = rng.integers(-2**15, 2**15, 3000).astype("<i2")
check("16-bit values", check_stats, ["--dtype=<i2"], data.tobytes(),
      data.tolist())
data = rng.integers(2**64 - 50, 2**64 - 1, 1000, dtype="u8")
check("values near 2^64", check_stats,
      ["--dtype=<u8", "--range=18446744073709551560,18446744073709551616"],
      data.astype("<u8").tobytes(), data.tolist())
data = rng.integers(-2**63, -2**63 + 900, 1000)
check("values near -2^63", check_stats,
      ["--dtype=<i8", "--range=-9223372036854775808,-9223372036854774900"],
      data.astype("<i8").tobytes(), data.tolist())

even = ["--dtype=<f8", "-b10", "--range=-5,5"]
edges = numpy.linspace(-5, 5, 11)
data = rng.normal(0, 1, 3000)
data = data[abs(data) < 5]
check("even bins", check_stats, even, data.tobytes(), data.tolist(),
      cells(data, edges))
for name, offset in (("left", 0.0), ("right", 0.9999999)):
    worst = numpy.floor(data) + offset
    check("all values on the %s of their bins" % name, check_stats, even,
          worst.tobytes(), worst.tolist(), cells(worst, edges))
spread = numpy.where(data < 0, numpy.floor(data),
                     numpy.floor(data) + 0.9999999)
check("as far apart as can be", check_stats, even, spread.tobytes(),
      spread.tolist(), cells(spread, edges))
spread = numpy.where(data > 0, numpy.floor(data),
                     numpy.floor(data) + 0.9999999)
check("as near as can be", check_stats, even, spread.tobytes(),
      spread.tolist(), cells(spread, edges))
beyond = numpy.concatenate([data, [-77.0, 5.0, 1e9]])
check("values in no bin", check_stats, even, beyond.tobytes(),
      beyond.tolist(), cells(beyond, edges))
check("--flow=clamp tells no more", check_stats,
      ["--percentiles=" + ",".join(PERCENTILES)] + even, beyond.tobytes(),
      beyond.tolist(), cells(beyond, edges))
nans = numpy.concatenate([data, [math.nan] * 40, [INF, -INF]])
check("NaN and infinities", check_stats, even, nans.tobytes(), nans.tolist(),
      cells(data, edges))
log = numpy.exp(rng.normal(0, 6, 3000))
check("logarithmic bins", check_stats, ["--dtype=<f8", "--log"],
      log.tobytes(), log.tolist(), collections.Counter(
          numpy.frexp(log)[1].tolist()))
log[:50] = 0
log[50:80] = -3
check("logarithmic bins, zero and negative", check_stats,
      ["--dtype=<f8", "--log", "--range=0.1,100"], log.tobytes(),
      log.tolist(), {})
for exponent in (-1015, -700, 0, 700, 1015):
    data = numpy.ldexp(rng.uniform(1, 10, 1000), exponent)
    check("bins of all magnitudes, values near 2^%d" % exponent, check_stats,
          ["--dtype=<f8", "--log", "--range=1e-307,1.7e308"], data.tobytes(),
          data.tolist(), collections.Counter(numpy.frexp(data)[1].tolist()))
data = rng.normal(5, 1e-3, 1000)
check("--range=auto", check_stats, ["--dtype=<f8", "-b64", "--range=auto"],
      data.tobytes(), data.tolist(), {})


def check_clamp():
    """Clamped values are not taken for values in the last bin."""
    done = subprocess.run(
        [GPUHIST, "--stats", "--percentiles=100", "--flow=clamp"] + even,
        input=beyond.tobytes(), capture_output=True)
    lines = dict(line.split("\t", 1)
                 for line in done.stderr.decode().splitlines())
    assert (lines["p100_lo"], lines["p100_hi"], lines["outside"]) == (
        "5", "inf", "3"), lines
    assert sum(int(line.split("\t")[2])
               for line in done.stdout.decode().splitlines()) == beyond.size


check("--flow=clamp changes no statistics", check_clamp)


def check_fields():
    data = rng.integers(0, 256, 4000).astype("u1")
    got = stats(["--record=u1,u1", "-f2,1"], data.tobytes())
    for field, block in zip((1, 0), got):
        own = data[field::2]
        assert float(block["mean"][0]) == own.mean()
        assert block["max"] == [str(own.max())]


check("several fields", check_fields)


def check_chi_square():
    data = rng.integers(0, 256, 100000).astype("u1")
    (got,) = stats([], data.tobytes())
    counts = numpy.bincount(data, minlength=256)
    expected = fractions.Fraction(data.size, 256)
    wanted = sum((int(c) - expected) ** 2 for c in counts) / expected
    assert close(got["chi-square"][0], float(wanted)), got["chi-square"]
    assert 0 < float(got["p-value"][0]) < 1


check("chi-square", check_chi_square)


def check_nothing():
    (got,) = stats([], b"")
    nothing = {"min", "max", "mean", "sd", "mode", "chi-square", "p-value"}
    nothing |= {"p" + text for text in PERCENTILES}
    assert all(got[name] == ["nan"] for name in nothing), got
    assert all(got[name] == ["0"] for name in set(got) - nothing), got


check("no values", check_nothing)
