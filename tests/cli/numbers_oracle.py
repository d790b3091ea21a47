# SPDX-License-Identifier: MIT
"""numbers_oracle.py -- numbers in text, read and binned by Python

    numbers_oracle.py GPUHIST

Random fields, most of them numbers, by any threads and chunks.  float(), int()
and Decimal() read them; bisect and numpy find their bins; fractions make the
edges.  Prints a line for each test, "PASS name" or "FAIL name", for the shell
to count.
"""

import bisect
import collections
import decimal
import fractions
import math
import random
import re
import struct
import subprocess
import sys

import numpy

from checks import IS_SHORT, check

GPUHIST = sys.argv[1]
BLANKS = " \t\n\v\f\r"
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\Z")
WORD = re.compile(r"[+-]?(nan|inf|infinity)\Z", re.I)
SPECIALS = [("missing", "\\N"), ("empty", "\\empty"), ("invalid", "\\invalid")]
HARD = ["", "nan", "inf", "-inf", "1e999", "-0", "12ms", "0x1F", "5,3", " ",
        "+5", " 5 ", "NaN", ".", "1e", "abc", "-1e-400", "Infinity", "1_0",
        "9223372036854775807", "-9223372036854775808", "9223372036854775808",
        "1e18", "9007199254740993", "1" * 400, "0." + "9" * 400, "5\r", "\0"]
decimal.getcontext().prec = 1000


def read(text, is_integer):
    """The number, or the name of the special row."""
    text = text.strip(BLANKS)
    if text == "":
        return "empty"
    if is_integer:
        if not NUMBER.match(text):
            return "invalid"
        number = decimal.Decimal(text)
        if number and (number.adjusted() > 30 or
                       number != number.to_integral_value()):
            return "invalid"
        return int(number) if -2**63 <= number < 2**63 else "invalid"
    if WORD.match(text):
        return float(text)
    if not NUMBER.match(text) or math.isinf(float(text)):
        return "invalid"
    return float(text) + 0.0


def show(number):
    """As gpuhist prints it."""
    text = "0" if number == 0 else repr(number)
    return text[:-2] if text.endswith(".0") else text


def make_field(source):
    way = source.random()
    if way < .05:
        return source.choice(HARD)
    if way < .5:
        return str(source.randrange(-50, 1050) /
                   source.choice([1, 10, 10, 100, 1000]))
    if way < .7:
        return str(source.randrange(-5, 1005))
    if way < .8:
        return repr(source.gauss(300, 200))
    if way < .9:
        return "%.*f" % (source.randrange(40), source.random() * 1000)
    return "%de%d" % (source.randrange(-1000, 1000), source.randrange(-5, 5))


class Column:
    """The second field of random lines, and what it must be read as."""

    def __init__(self, source, is_integer, size):
        self.source = source
        self.is_integer = is_integer
        self.read = []
        lines = []
        for _ in range(size):
            fields = [make_field(source).replace("\n", "").replace("\t", " ")
                      for _ in range(source.randrange(1, 5))]
            lines.append("\t".join(fields) + "\n")
            self.read.append(read(fields[1], is_integer) if len(fields) > 1
                             else "missing")
        self.data = "".join(lines).encode()
        self.numbers = [x for x in self.read if not isinstance(x, str)]
        self.nans = sum(1 for x in self.numbers if x != x)

    def specials(self, copies):
        return ["\t".join([name] * copies + [str(self.read.count(word))])
                for word, name in SPECIALS if word in self.read]

    def rows(self, edges, cells, under, over):
        """The rows of CELLS values between EDGES, without empty bins."""
        rows = [("-inf", show(edges[0]), under)]
        rows += zip(map(show, edges), map(show, edges[1:]), cells)
        rows += [(show(edges[-1]), "inf", over), ("nan", "nan", self.nans)]
        return (["%s\t%s\t%d" % row for row in rows if row[2]] +
                self.specials(2))

    def run(self, *options, threads=None):
        source = self.source
        options += ("--dtype=" + ("int" if self.is_integer else "num"),
                    "--threads=%d" % (threads or source.choice([1, 2, 5])),
                    "--chunk-size=%s" % source.choice(["4k", "64k", "2M"]))
        return subprocess.run([GPUHIST, "--tsv", "-f2", *options],
                              input=self.data, capture_output=True)

    def expect(self, rows, *options):
        done = self.run(*options)
        if self.read and not self.numbers:
            assert done.returncode == 1 and b"-g 2" in done.stderr, done
            return
        printed = done.stdout.decode().splitlines()
        assert done.returncode == 0 and printed == rows, (
            options, done.stderr, len(printed), len(rows),
            [x for x in zip(printed, rows) if x[0] != x[1]][:3])


def columns(seed):
    source = random.Random(seed)
    sizes = [3, 1, 0, 50, 2000, 1500, 20, 0] if IS_SHORT else source.choices(
        [0, 1, 3, 50, 2000, 20000], k=30)
    for number, size in enumerate(sizes):
        yield source, Column(source, number % 2 == 0, size)


# ---- tests ----

def without_bins():
    for _, column in columns(1):
        counts = collections.Counter(x for x in column.numbers if x == x)
        rows = ["%s\t%d" % (show(x), counts[x]) for x in sorted(counts)]
        rows += ["nan\t%d" % column.nans] * (column.nans > 0)
        column.expect(rows + column.specials(1))


def exact_bins():
    for source, column in columns(2):
        bins = source.choice([1, 7, 10, 64, 1000])
        lo, hi = source.choice([("0", "1000"), ("-.1", "0.7"), ("0.25", "9e2"),
                                ("0", "100"), ("0.1", "100.1")])
        first, last = fractions.Fraction(lo), fractions.Fraction(hi)
        edges = [float(first + (last - first) * i / bins)
                 for i in range(bins + 1)]
        closed = source.choice(["left", "right"])
        find = bisect.bisect_right if closed == "left" else bisect.bisect_left
        cells = collections.Counter(find(edges, x) for x in column.numbers
                                    if x == x)
        column.expect(
            column.rows(edges, [cells[i + 1] for i in range(bins)], cells[0],
                        cells[bins + 1]),
            "-b%d" % bins, "--range=%s,%s" % (lo, hi), "--nonzero",
            "--closed=" + closed)


def listed_edges():
    edges = [-3.0, .3, 1.0, 7.5, 100.0, 1e6]
    for _, column in columns(3):
        cells = collections.Counter(bisect.bisect_right(edges, x)
                                    for x in column.numbers if x == x)
        column.expect(
            column.rows(edges, [cells[i + 1] for i in range(5)], cells[0],
                        cells[6]),
            "--edges=-3,.3,1,7.5,100,1e6", "--nonzero")


def as_numpy():
    for source, column in columns(4):
        bins = source.choice([1, 7, 10, 64, 1000])
        lo, hi = source.choice([(0, 1000), (-.1, .7), (.25, 900), (0, 1)])
        finite = [x for x in column.numbers if math.isfinite(x)]
        cells, edges = numpy.histogram(numpy.array(finite, dtype=float), bins,
                                       (lo, hi))
        if column.is_integer and any(abs(x) > 2**53 for x in finite):
            continue  # numpy's integers are rounded
        column.expect(
            column.rows([float(x) for x in edges], [int(x) for x in cells],
                        sum(1 for x in column.numbers if x < lo),
                        sum(1 for x in column.numbers if x > hi)),
            "-b%d" % bins, "--range=%r,%r" % (lo, hi), "--nonzero", "--numpy")


def each_integer():
    for source, column in columns(5):
        if not column.is_integer:
            continue
        counts = collections.Counter(column.numbers)
        rows = [("-inf", sum(counts[x] for x in counts if x < -3))]
        rows += [(str(x), counts[x]) for x in range(-3, 20)]
        rows += [("inf", sum(counts[x] for x in counts if x >= 20))]
        column.expect(["%s\t%d" % row for row in rows if row[1]] +
                      column.specials(1), "--range=-3,20", "--nonzero")
        mod = source.choice([2, 7, 1000])
        counts = collections.Counter(x % mod for x in column.numbers)
        column.expect(["%d\t%d" % (x, counts[x]) for x in sorted(counts)] +
                      column.specials(1), "--mod=%d" % mod)


def automatic_range():
    """As for the same numbers as binary samples."""
    for source, column in columns(6):
        if column.read and not column.numbers:
            continue
        bins = "-b%d" % source.choice([4, 10, 100])
        code, dtype = ("<q", "i8") if column.is_integer else ("<d", "f8")
        samples = b"".join(struct.pack(code, x) for x in column.numbers)
        rows = subprocess.run([GPUHIST, "--dtype=<" + dtype, bins],
                              input=samples, capture_output=True).stdout
        column.expect(rows.decode().splitlines() + column.specials(2), bins)
        column.expect(rows.decode().splitlines() + column.specials(2), bins,
                      "--range=auto")
        column.expect(column.run("--log", threads=1).stdout.decode()
                      .splitlines(), "--log")


for test in (without_bins, exact_bins, listed_edges, as_numpy, each_integer,
             automatic_range):
    check(test.__name__, test)
