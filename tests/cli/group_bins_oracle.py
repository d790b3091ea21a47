# SPDX-License-Identifier: MIT
"""group_bins_oracle.py -- the numbers of groups in bins, by numpy

    group_bins_oracle.py GPUHIST

Random lines of a key and a number, by any threads and chunks, in little memory,
with snapshots, in parts, and from states; each run must print the counts that
numpy.searchsorted() finds.  Prints a line for each test, "PASS name" or "FAIL
name", for the shell to count.
"""

import collections
import json
import math
import os
import random
import tempfile

import numpy

from checks import IS_INSTRUMENTED, IS_SHORT, check
from group_lines import run

ROWS = 3000 if IS_SHORT or IS_INSTRUMENTED else 40000

# More than a counter of 16 bits holds.
MANY = 70000 if IS_SHORT or IS_INSTRUMENTED else 300000

EVEN = ["-b20", "--range=0,100"], [5 * n for n in range(21)]
FINE = ["-b3000", "--range=-1000,2000"], list(range(-1000, 2001))
LISTED = (["--edges=-5,0,0.5,7.25,8,1e6"], [-5, 0, 0.5, 7.25, 8, 1e6])
LOGS = ["--log", "--range=1,65536"], [2 ** n for n in range(17)]


# ---- numbers and keys ----

def price(rng, _):
    return f"{rng.lognormvariate(3, 1):.2f}"


def long(rng, _):
    return f"{rng.gauss(0, 10 ** rng.randrange(6)):.{rng.randrange(16)}f}"


def whole(rng, _):
    return str(rng.randrange(100))


def equal(_rng, _):
    return "7.25"


def ascending(_rng, row):
    return str(row)


def apart(rng, row):
    return str((-1) ** row * rng.randrange(1, 9) * 3 ** (row // 99 % 39))


def odd(rng, _):
    return rng.choice(["-0", "", "nan", "inf", "-inf", "x", "1e2", "1E-9",
                       "00012", ".5", "5.", "+3", "9007199254740993", "\\N"])


def mixed(rng, row):
    return (odd if rng.random() < 0.1 else price)(rng, row)


def few(rng, _):
    return f"key {rng.randrange(40)}"


def one(_rng, _):
    return "all"


def many(rng, _):
    return f"key {rng.randrange(ROWS)}"


def different(_rng, row):
    return f"{row:x}"


def sizes(rng, _):
    return rng.choice("abc") * rng.choice([0, 1, 7, 8, 22, 23, 24, 25, 100,
                                           254, 255, 256, 999])


def lines_of(rng, rows, key, number):
    return [(key(rng, row), number(rng, row)) for row in range(rows)]


def data_of(lines):
    return "".join(f"{key};{text}\n" for key, text in lines).encode()


# ---- counts ----

def number_of(text):
    try:
        return float(text)
    except ValueError:
        return None


def counts_of(lines, edges, right=False):
    """How often each key has each bin: a flow, or the number of the bin."""
    values = numpy.array([number_of(text) or 0 for _, text in lines])
    side = "left" if right else "right"
    bins = numpy.searchsorted(numpy.array(edges, dtype=float), values, side)
    counts = collections.Counter()
    for (key, text), place in zip(lines, bins):
        value = number_of(text)
        if text == "":
            place = "\\empty"
        elif value is None:
            place = "\\invalid"
        elif math.isnan(value):
            place = "nan"
        counts[key, str(place)] += 1
    return counts


def read(text, edges):
    """The counts that gpuhist has printed as TEXT."""
    counts = collections.Counter()
    for line in text.splitlines():
        key, low, high, count = line.split("\t")
        if low in ("\\empty", "\\invalid", "nan"):
            counts[key, low] += int(count)
        elif float(low) < edges[0]:
            # Of logarithmic bins: 0, numbers below it, and above.
            assert float(high) <= edges[0], line
            counts[key, "0"] += int(count)
        else:
            place = edges.index(float(low)) + 1
            top = edges[place] if place < len(edges) else math.inf
            assert float(high) == top, line
            counts[key, str(place)] += int(count)
    return counts


def lattice(lines, bins):
    """The edges of --range=auto: BINS bins, whose width is a power of two."""
    values = [number_of(text) for _, text in lines]
    values = [v for v in values if v is not None and math.isfinite(v)]
    width = 2.0 ** -60
    low, high = min(values), max(values)
    while high // width - low // width >= bins:
        width *= 2
    first = low // width
    return [(first + n) * width for n in range(bins + 1)]


def same(lines, edges, text, right=False):
    wanted, got = counts_of(lines, edges, right), read(text, edges)
    assert got == wanted, (got - wanted, wanted - got)


# ---- tests ----

def bins(seed, rows, key, number, axis, *options):
    lines = lines_of(random.Random(seed), rows, key, number)
    for threads in (1, 3):
        same(lines, axis[1], run(
            "-d;", "-g1", "-f2", "--device=cpu", f"-j{threads}", *axis[0],
            *options, data=data_of(lines)), "--closed=right" in options)


def found(seed, rows, key, number, *options):
    lines = lines_of(random.Random(seed), rows, key, number)
    for count in (4, 20, 500):
        same(lines, lattice(lines, count), run(
            "-d;", "-g1", "-f2", "--device=cpu", f"-b{count}", "--range=auto",
            "-j2", *options, data=data_of(lines)))


def snapshots(seed, *options):
    """Each snapshot has the lines so far, or the new ones alone."""
    lines = lines_of(random.Random(seed), ROWS // 4, few, whole)
    got = collections.Counter()
    first = 0
    for line in run("-d;", "-g1", "-f2", *EVEN[0], "--every=5000", "-j2",
                    "--format=jsonl", "--chunk-size=4Ki", *options,
                    data=data_of(lines)).splitlines():
        row = json.loads(line)
        if "totals" not in row:
            got[row["field1"], str(EVEN[1].index(row["lo"]) + 1)] = row["count"]
            continue
        if "snapshot" in row:
            end = row["totals"][0]["values"] + first
            assert got == counts_of(lines[first:end], EVEN[1]), (first, end)
            first = end if "--reset" in options else 0
        got.clear()
    assert end > ROWS // 8, end


def states(seed):
    made = [lines_of(random.Random(seed + n), ROWS // 3, few, mixed)
            for n in range(3)]
    with tempfile.TemporaryDirectory() as folder:
        names = []
        for n, lines in enumerate(made):
            names.append(os.path.join(folder, str(n)))
            run("-d;", "-g1", "-f2", *EVEN[0], "--format=state", "-o",
                names[-1] + ".state", data=data_of(lines))
            with open(names[-1], "wb") as file:
                file.write(data_of(lines))
        whole = sum(made, [])
        same(whole, EVEN[1], run("--merge", *[n + ".state" for n in names]))
        for shard in (1, 2):
            run("-d;", "-g1", "-f2", *EVEN[0], f"--shard={shard}/2",
                "--format=state", "-o", names[shard] + ".shard", *names)
        same(whole, EVEN[1], run("--merge", *[names[s] + ".shard"
                                              for s in (1, 2)]))


for n, kind in enumerate([price, long, equal, mixed, odd]):
    for axis in (EVEN, FINE, LISTED, LOGS):
        check(f"{axis[0][0]}: numbers of {kind.__name__}", bins, n, ROWS, few,
              kind, axis)
for n, kind in enumerate([one, many, different, sizes]):
    check(f"keys of {kind.__name__}", bins, 10 + n, ROWS, kind, mixed, EVEN)
    check("... in little memory", bins, 10 + n, ROWS, kind, mixed, FINE,
          "--memory-limit=8Mi", "--chunk-size=64Ki")
check("(lo,hi]", bins, 20, ROWS, few, mixed, EVEN, "--closed=right")
check("counters that overflow", bins, 21, MANY, one, equal, EVEN)
check("found bins", found, 22, ROWS, few, mixed)
check("found bins of ascending numbers", found, 23, ROWS, few, ascending)
check("... with counters that overflow", found, 24, MANY, one, ascending)
check("found bins of ever larger numbers", found, 25, ROWS, few, apart,
      "--chunk-size=4Ki")
check("found bins of many groups", found, 26, ROWS, many, price,
      "--memory-limit=8Mi")
check("snapshots", snapshots, 30)
check("snapshots of new lines", snapshots, 31, "--reset")
check("states and shards", states, 40)
