# SPDX-License-Identifier: MIT
"""group_percentiles_oracle.py -- figures of groups, by Python's fractions

    group_percentiles_oracle.py GPUHIST

Random lines of a key and a number, by any threads and chunks, in too little
memory, for each input, and from states; each run must print what sorted
fractions say.  Prints a line for each test, "PASS name" or "FAIL name", for the
shell to count.
"""

import collections
import fractions
import math
import os
import random
import tempfile

from checks import IS_INSTRUMENTED, IS_SHORT, check
from group_lines import OTHER, run

FIGURES = ["count", "min", "max", "sum", "mean", "p50", "p99", "p0.1", "q1",
           "median", "q3", "iqr"]
SUMS = FIGURES[:5]  # need no order
ROWS = 600 if IS_SHORT or IS_INSTRUMENTED else 40000


# ---- numbers ----

def price(rng):
    return f"{rng.lognormvariate(3, 1):.2f}"


def degrees(rng):
    return f"{rng.gauss(12, 10):.1f}"


def latency(rng):
    return f"{rng.lognormvariate(2.5, 1.2):.3f}"


def whole(rng):
    return str(rng.randrange(-3, 40))


def equal(_):
    return "7.25"


def long(rng):
    return f"{rng.uniform(-1, 1):.{rng.randrange(1, 16)}f}"


def large(rng):
    return str(rng.randrange(-10 ** 20, 10 ** 20))


def longer(rng):
    """A number of 20 to 60 digits."""
    digits = rng.randrange(10 ** rng.randrange(20, 60))
    places = rng.randrange(1, 30)
    return f"{rng.choice(['', '-'])}{digits // 10 ** places % 10 ** 30}." \
           f"{digits % 10 ** places:0{places}}"


def double(rng):
    return repr(rng.lognormvariate(0, 9))


def halfway(rng):
    """Halfway between two doubles, with up to four places."""
    places = rng.randrange(1, 5)
    odd = rng.randrange(2 ** 53, 2 ** 54) | 1
    number = fractions.Fraction(odd, 2 ** places)
    return f"{int(number)}.{int(number % 1 * 10 ** places):0{places}}"


def exponential(rng):
    return f"{rng.gauss(0, 3):.18e}"


def nanoseconds(rng):
    return str(1732838400000000000 + rng.randrange(10 ** rng.randrange(1, 16)))


def near(rng):
    return f"5.00000000000000{rng.randrange(10 ** 4)}"


def odd(rng):
    return rng.choice(["-0", "0.0", "1e3", "1E-9", "1e-10", "00012", ".5",
                       "5.", "+3", "9007199254740993", "1.0000000000",
                       "4611686018.427387903", "-4611686018.427387904"])


def no_number(rng):
    return rng.choice(["nan", "", "x"])


# ---- figures ----

def rank(values, percent):
    """The percentile of VALUES, which ascend."""
    part = fractions.Fraction(percent) * len(values) / 100
    return values[math.ceil(part) - 1]


def quartile(values, q):
    place = fractions.Fraction((len(values) - 1) * q, 4)
    low = math.floor(place)
    part = place - low
    high = values[low + 1] if part else 0
    return values[low] * (1 - part) + high * part


def figures_of(values):
    values = sorted(values)
    total = sum(values)
    return {
        "count": len(values),
        "min": values[0],
        "max": values[-1],
        "sum": total,
        "mean": total / len(values),
        "p50": rank(values, "50"),
        "p99": rank(values, "99"),
        "p0.1": rank(values, "0.1"),
        "q1": quartile(values, 1),
        "median": quartile(values, 2),
        "q3": quartile(values, 3),
        "iqr": quartile(values, 3) - quartile(values, 1),
    }


# Quotients, which are rounded to a double.
ROUNDED = {"mean", "q1", "median", "q3", "iqr"}


def same(groups, figures, lines):
    """Whether LINES have the FIGURES of GROUPS, keys with their numbers."""
    wanted = {key: figures_of(values) for key, values in groups.items()}
    got = [line.split("\t") for line in lines.splitlines()]
    assert [line[0] for line in got] == sorted(wanted), "other groups"
    for key, *texts in got:
        for figure, text in zip(figures, texts):
            value = wanted[key][figure]
            assert (float(text) == float(value) if figure in ROUNDED else
                    fractions.Fraction(text) == value), (key, figure, text)


def lines_of(rng, rows, groups, number, other, share):
    """ROWS lines, of which SHARE have OTHER numbers."""
    lines = []
    values = collections.defaultdict(list)
    for _ in range(rows):
        key = f"key {rng.randrange(groups)}"
        text = (other if rng.random() < share else number)(rng)
        lines.append(f"{key};{text}\n")
        if other is not no_number or text not in ("nan", "", "x"):
            values[key].append(fractions.Fraction(text))
    return "".join(lines).encode(), values


def figures(seed, number, other, share, groups, *options):
    rng = random.Random(seed)
    data, values = lines_of(rng, ROWS, groups, number, other, share)
    ordered = [name for name in FIGURES if rng.random() < 0.6] + ["p50"]
    for threads, chosen in ((1, ordered), (3, ordered), (1, SUMS), (3, SUMS)):
        same(values, chosen, run(
            "-d;", "-g1", "-f2", "--columns=" + ",".join(chosen),
            f"-j{threads}", "--device=cpu", *options, data=data))


# ---- several keys, several numbers ----

def several(seed, numbers, groups, *options):
    """Groups of two keys with two numbers."""
    rng = random.Random(seed)
    lines = []
    values = [collections.defaultdict(list) for _ in numbers]
    for _ in range(ROWS // 2):
        key = (f"{'key' * rng.randrange(1, 9)}{rng.randrange(groups)}",
               rng.choice(["", "x", "a much longer key than all others"]))
        texts = [(odd if rng.random() < 0.001 else number)(rng)
                 for number in numbers]
        lines.append(";".join([*key, *texts]) + "\n")
        for texts_of, text in zip(values, texts):
            texts_of["\t".join(key)].append(fractions.Fraction(text))
    chosen = ["count", "sum", "p50", "p99", "q1"]
    for threads in (1, 3):
        lines_of_both = run(
            "-d;", "-g1,2", "-f3,4", "--columns=" + ",".join(chosen),
            f"-j{threads}", "--device=cpu", *options,
            data="".join(lines).encode()).splitlines()
        for field, texts_of in zip("34", values):
            lines_of_one = [line.split("\t", 1)[1].replace("\t", " & ", 1)
                            for line in lines_of_both
                            if line.startswith(field + "\t")]
            wanted = {key.replace("\t", " & "): numbers_of
                      for key, numbers_of in texts_of.items()}
            lines_of_one.sort(key=lambda line: line.split("\t")[0])
            same(wanted, chosen, "\n".join(lines_of_one))
# ---- all numbers as one group ----

def alone(seed, number, other, share, *options):
    """The figures of all lines, with and without percentiles."""
    rng = random.Random(seed)
    data, values = lines_of(rng, ROWS, 1, number, other, share)
    quoted = data.replace(b";", b',"').replace(b"\n", b'"\n')
    for chosen in (FIGURES, SUMS):
        for text, format in ((data, "-d;"), (quoted, "--csv")):
            for threads in (1, 3):
                line = run(format, "-f2", "--columns=" + ",".join(chosen),
                           f"-j{threads}", "--device=cpu", *options, data=text)
                same(values, chosen, "key 0\t" + line)


# ---- the line for others ----

def others(seed, number, other, share, groups, top):
    """The TOP groups with the most numbers, and the others as one."""
    rng = random.Random(seed)
    data, values = lines_of(rng, ROWS, groups, number, other, share)
    chosen = ["count", "p50", "p99", "q1", "median"]
    lines = run("-d;", "-g1", "-f2", "--columns=" + ",".join(chosen),
                f"--top={top}", "-j3", "--device=cpu", data=data)
    keys = [line.split("\t")[0] for line in lines.splitlines()][:-1]
    wanted = sorted(values, key=lambda key: (-len(values[key]), key))[:top]
    assert keys == wanted, (keys, wanted)
    shown = {key: values[key] for key in keys}
    shown[OTHER] = [value for key in values if key not in shown
                    for value in values[key]]
    same(shown, chosen, "\n".join(sorted(lines.splitlines())))


# ---- states, and the figures of each input ----

def parts(seed, number, other, groups, *options):
    rng = random.Random(seed)
    made = [lines_of(rng, ROWS // 4, groups, number, other, 0.01)
            for _ in range(3)]
    both = collections.defaultdict(list)
    chosen = ["count", "p50", "median"]
    columns = "--columns=" + ",".join(chosen)
    with tempfile.TemporaryDirectory() as folder:
        names = [os.path.join(folder, name) for name in "abc"]
        for name, (data, values) in zip(names, made):
            with open(name, "wb") as file:
                file.write(data)
            run("-d;", "-g1", "-f2", "--dtype=decimal", "--device=cpu",
                *options, "--format=state", "-o", name + ".state", name)
            for key, numbers in values.items():
                both[key] += numbers
        same(both, chosen,
             run("--merge", columns, *[name + ".state" for name in names]))
        for figures_of_each in (chosen, SUMS):
            lines = run("-d;", "-g1", "-f2", "--per-file",
                        "--columns=" + ",".join(figures_of_each), *names)
            for name, (_, values) in zip(names, made):
                same(values, figures_of_each, "".join(
                    line.split("\t", 1)[1] + "\n"
                    for line in lines.splitlines()
                    if line.startswith(name + "\t")))


for n, kind in enumerate([price, degrees, latency, whole, equal, long, large,
                          longer, double, exponential, nanoseconds, halfway]):
    check(f"figures of groups, numbers of {kind.__name__}",
          figures, n, kind, kind, 0, 7)
    check(f"{kind.__name__}, some of them odd", figures, n + 10, kind, odd,
          0.001, 40)
    check(f"{kind.__name__}, with lines without a number", figures, n + 20,
          kind, no_number, 0.1, 40)
for n, kind in enumerate([price, degrees, latency, whole, equal, long, large,
                          longer]):
    check(f"all numbers of {kind.__name__}", alone, n + 50, kind, kind, 0)
    check(f"all of {kind.__name__}, some of them odd", alone, n + 60, kind, odd,
          0.001)
    check(f"all of {kind.__name__}, and lines without a number", alone, n + 70,
          kind, no_number, 0.6, "--chunk-size=64Ki")
check("all numbers, more than memory", alone, 80, latency, odd, 0.01,
      "--memory-limit=8Mi")
check("one group", figures, 30, price, odd, 0, 1)
check("many groups", figures, 31, price, odd, 0.01, ROWS // 3)
check("more numbers than memory", figures, 32, latency, odd, 0, 3,
      "--memory-limit=8Mi")
check("small chunks", figures, 33, degrees, odd, 0.2, 20, "--chunk-size=64Ki")
check("others", others, 40, price, price, 0, 300, 5)
check("others, where numbers repeat", others, 41, degrees, degrees, 0, 9, 2)
check("others of odd numbers", others, 42, latency, odd, 0.01, 30, 7)
check("long numbers with equal digits", figures, 35, near, large, 0.01, 3)
check("others of long numbers", others, 44, near, price, 0.1, 30, 7)
check("others of doubles", others, 45, latency, double, 0.001, 30, 7)
check("others without numbers", others, 43, whole, no_number, 0.1, 30, 7)
check("states and inputs", parts, 34, price, odd, 9, "-j1")
check("states of doubles", parts, 36, double, odd, 30, "-j3")
check("states of equal numbers", parts, 37, degrees, large, 3, "-j3")
check("states, in little memory", parts, 38, exponential, near, 2000, "-j3",
      "--memory-limit=8Mi")
check("states of one group, in little memory", parts, 39, near, odd, 1, "-j2",
      "--memory-limit=8Mi")
check("two keys, two numbers", several, 50, (price, double), 30)
check("two keys of many groups", several, 51, (whole, large), 3000)
check("two keys, in little memory", several, 52, (latency, long), 9,
      "--memory-limit=16Mi")
