# SPDX-License-Identifier: MIT
"""tuples_oracle.py -- combinations of keys and numbers, counted by Python

    tuples_oracle.py GPUHIST

Random fields by any threads and chunks, as groups with numbers or jointly.
float(), int() and Decimal() read the numbers, bisect finds their bins, and each
run must print what a Counter of tuples says.  An automatic range must be that
of the field by itself.  Where all fields have bins, the lines must be those of
the same numbers as binary records.  Prints a line for each test, "PASS name" or
"FAIL name", for the shell to count.
"""

import bisect
import collections
import csv
import decimal
import io
import json
import math
import os
import random
import re
import struct
import subprocess
import sys
import time

from checks import IS_SHORT, check, has_turn
from limits import Limits, some_limits

GPUHIST = sys.argv[1]
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\Z")
WORD = re.compile(r"[+-]?(nan|inf|infinity)\Z", re.I)
SPECIAL = {"\\N": "missing", "\\empty": "empty", "\\invalid": "invalid",
           "\\other": "other"}
NAMES = list(SPECIAL)
HARD = ["", "nan", "inf", "-inf", "1e999", "-0", "12ms", " ", "+5", "1e308",
        "9223372036854775807", "-9223372036854775808", "9223372036854775808",
        "9007199254740993", "-1e-400", "5e-324", "0." + "9" * 50]
KEYS = ["", "a", "b", "ab", "a\0", "\0", "é", "x y", "aa"]
decimal.getcontext().prec = 1000


def read(text, is_integer):
    """The number, or the label of the special row."""
    text = text.strip(" \t\n\v\f\r")
    if text == "":
        return "\\empty"
    if not is_integer and WORD.match(text):
        return float(text)
    if not NUMBER.match(text):
        return "\\invalid"
    if not is_integer:
        return "\\invalid" if math.isinf(float(text)) else float(text) + 0.0
    number = decimal.Decimal(text)
    if number and (number.adjusted() > 30 or
                   number != number.to_integral_value()):
        return "\\invalid"
    return int(number) if -2**63 <= number < 2**63 else "\\invalid"


def show(number):
    """As gpuhist prints it."""
    text = "0" if number == 0 else repr(number)
    return text[:-2] if text.endswith(".0") else text


def run(options, data):
    done = subprocess.run([GPUHIST, *options], input=data, capture_output=True,
                          timeout=120, check=False)
    assert done.returncode == 0, (options, done)
    return done.stdout


# A component: its place among the others of its column, its labels (one, or
# two edges) and the kind of a special row in JSON.
Part = collections.namedtuple("Part", "place labels kind")


def special(name, copies):
    return Part((1, NAMES.index(name)), (name,) * copies, SPECIAL[name])


# ---- the kinds of columns ----

class Keys:
    options = {}
    copies, word, is_number = 1, "key", False

    def part(self, field):
        if field is None:
            return special("\\N", 1)
        return Part((0, field.encode()), (field,), "")


class Numbers:
    """Each number that occurs."""
    copies, word, is_number = 1, "value", True
    options = {}

    def __init__(self, is_integer):
        self.is_integer = is_integer

    def part(self, field):
        number = "\\N" if field is None else read(field, self.is_integer)
        return (special(number, self.copies) if isinstance(number, str) else
                self.bin(number))

    def bin(self, number):
        place = (1, 0) if number != number else (0, number)
        return Part((0, place), (show(number),), "")


class Values(Numbers):
    """A bin for each whole number from -3 to 19."""
    options = {"range": "-3,20"}

    def __init__(self):
        super().__init__(True)

    def bin(self, number):
        if number < -3:
            return Part((0, -4), ("-inf",), "underflow")
        if number >= 20:
            return Part((0, 20), ("inf",), "overflow")
        return Part((0, number), (show(number),), "")


class Bins(Numbers):
    """Bins between EDGES, closed on the right if RIGHT."""
    copies, word = 2, "lo"

    def __init__(self, is_integer, options, edges, right=False, is_log=False):
        super().__init__(is_integer)
        self.options = options
        self.edges = edges
        self.find = bisect.bisect_left if right else bisect.bisect_right
        self.is_log = is_log

    def bin(self, number):
        last = len(self.edges)
        if number != number:
            return Part((0, last + 1), ("nan", "nan"), "nan")
        if self.is_log and number < 0:
            return Part((0, -3), ("-inf", "0"), "negative")
        if self.is_log and number == 0:
            return Part((0, -2), ("0", "0"), "zero")
        i = self.find(self.edges, number)
        if i == 0:
            return Part((0, -1), ("0" if self.is_log else "-inf",
                                  show(self.edges[0])), "underflow")
        if i == last:
            return Part((0, last), (show(self.edges[-1]), "inf"), "overflow")
        return Part((0, i), (show(self.edges[i - 1]), show(self.edges[i])), "")


def automatic(case, field, bins, right):
    """Bins with the edges that the field has by itself."""
    options = ["--tsv", "-f%d" % field, "-b%d" % bins, "--dtype=" + case.dtype]
    options += ["--closed=right"] * right
    rows = [row.split("\t") for row in
            run(options, case.data).decode().splitlines()]
    edges = [row[0] for row in rows if not row[0].startswith("\\") and
             row[0] not in ("-inf", "nan") and row[1] != "inf"]
    edges.append([row[1] for row in rows if row[0] == edges[-1]][0])
    assert 2 <= len(edges) <= bins + 1, rows
    # Groups have the whole lattice, and values beyond are after its end.
    while len(edges) <= bins:
        edges.append(float(edges[-1]) + float(edges[1]) - float(edges[0]))
    return Bins(case.is_integer, {"bins": str(bins)}, list(map(float, edges)),
                right)


# ---- cases ----

def make_number(source, is_wide):
    way = source.random()
    if way < .05:
        return source.choice(HARD)
    if way < .5:
        return str(source.randrange(-50, 1050) / source.choice([1, 10, 100]))
    if way < .8:
        return str(source.randrange(-5, 30))
    if is_wide:
        return "%de%d" % (source.randrange(-1000, 1000),
                          source.randrange(-5, 15))
    return "%.*f" % (source.randrange(20), source.random() * 100)


class Case:
    def __init__(self, source, number):
        self.is_integer = source.random() < .3
        self.dtype = "int" if self.is_integer else "num"
        self.right = source.random() < .2
        is_wide = source.random() < .3
        size = source.choice([1, 5, 50, 1000, 6000 if IS_SHORT else 20000])
        self.lines = [["1", "2.5", "3"] if r == 0 else
                      [source.choice(KEYS[:source.choice([3, 9])]),
                       make_number(source, is_wide),
                       make_number(source, False),
                       source.choice(KEYS)][:source.choice([1, 2, 4, 4, 4])]
                      for r in range(size)]
        if self.is_integer:
            self.lines[0][1] = "2"
        self.data = "".join("\t".join(line) + "\n"
                            for line in self.lines).encode()
        self.choose_columns(source)
        self.options = ["--tsv"] + self.fields() + self.bin_options()
        self.how = ["-j" + source.choice("124"),
                    "--chunk-size=" + source.choice(["4k", "64k", "2M"])]
        self.choose_order(source)
        self.counts = [
            collections.Counter(tuple(column.part(line[f - 1] if
                                                  f <= len(line) else None)
                                      for f, column in columns)
                                for line in self.lines)
            for columns in self.histograms]
        self.name = f"case {number}: " + " ".join(
            self.options + self.how + [str(size)])

    def number_column(self, source, field):
        way = source.randrange(6)
        if way == 0:
            return Numbers(self.is_integer)
        if way == 1 and self.is_integer and not self.right:
            return Values()
        if way == 2:
            edges = [-3, 0.25, 1, 7.5, 100, 1e6]
            return Bins(self.is_integer,
                        {"edges": ",".join(map(str, edges))}, edges, self.right)
        if way == 3:
            return Bins(self.is_integer, {"log": "2", "range": "1,1024"},
                        [2**i for i in range(11)], self.right, True)
        if way == 4:
            bins = source.choice([4, 5, 10, 100])
            return automatic(self, field, bins, self.right)
        bins = source.choice([1, 8, 64])
        return Bins(self.is_integer, {"range": "0,64", "bins": str(bins)},
                    [i * 64 / bins for i in range(bins + 1)], self.right)

    def choose_columns(self, source):
        """Fields 1 and 4 are keys, and 2 and 3 numbers or keys."""
        self.is_joint = source.random() < .5
        groups = source.choice([[], [1], [4], [1, 4], [4, 1]])
        if not groups:
            self.is_joint = True
        rest = [f for f in (1, 2, 3, 4) if f not in groups]
        fields = source.sample(rest, source.randrange(1, len(rest) + 1))
        if not set(fields) & {2, 3}:
            fields.append(2)
        if len(groups + fields) < 2:
            fields.append(3 if fields[0] == 2 else 2)
        self.columns = [(f, self.number_column(source, f) if f in (2, 3) else
                         Keys()) for f in fields]
        self.groups = [(f, Keys()) for f in groups]
        # Without keys and the like, all combinations have a line.
        self.is_dense = not groups and all(
            column.is_number and type(column) is not Numbers
            for _, column in self.columns)
        self.has_field = not self.is_joint and len(fields) > 1
        self.histograms = ([self.groups + self.columns] if self.is_joint else
                           [self.groups + [column] for column in self.columns])
        # A column that several histograms share has edges if one needs them.
        self.has_edges = any(column.copies == 2 for _, column in self.columns)
        if any(type(column) is Numbers for _, column in self.columns) and any(
                isinstance(column, Keys) for _, column in self.columns):
            # --dtype is of all fields, so each number needs an option.
            self.columns = [(f, Values() if type(column) is Numbers and
                             self.is_integer and not self.right else column)
                            for f, column in self.columns]

    def fields(self):
        options = []
        if self.groups:
            options.append("-g" + ",".join(str(f) for f, _ in self.groups))
        options.append("-f" + ",".join(str(f) for f, _ in self.columns))
        return options + ["--joint"] * self.is_joint

    def bin_options(self):
        """Each option once for each field, but for a group."""
        options = []
        for name in ("bins", "range", "edges", "log", "shift"):
            texts = [column.options.get(name, "-") for _, column in
                     self.columns]
            if set(texts) != {"-"}:
                options += [f"--{name}={text}" for text in texts]
        if self.right and any(column.copies == 2 for _, column in
                              self.columns):
            options.append("--closed=right")
        if all(column.is_number for _, column in self.columns):
            options.append("--dtype=" + self.dtype)
        return options

    def is_possible(self):
        """Keys and numbers without bins need different --dtypes."""
        kinds = {type(column) for _, column in self.columns}
        return not (Keys in kinds and (self.is_integer or Numbers in kinds))

    def choose_order(self, source):
        self.top = source.choice([0, 0, 0, 1, 2, 5, 1000])
        self.sort = source.choice([None, None, "count", "value"])
        self.limits = some_limits(source)
        if self.is_dense:
            self.top, self.sort, self.limits = 0, None, Limits()
        self.order = [f"--top={self.top}"] * (self.top > 0)
        self.order += [f"--sort={self.sort}"] * (self.sort is not None)
        self.order += self.limits.options()
        self.order += ["--nonzero"] * self.is_dense
        self.is_ranked = self.top > 0 or self.sort == "count"

    def rows(self, counts):
        size = (len(self.groups) or len(next(iter(counts))))
        rare = {row for row, n in counts.items() if n not in self.limits and
                not all(part.place[0] == 1 for part in row)}
        rows = sorted((item for item in counts.items() if item[0] not in rare),
                      key=lambda item: [part.place for part in item[0]])
        rest = sum(counts[row] for row in rare)
        if self.is_ranked:
            totals = collections.Counter()
            # A group is ranked by all of its lines; combinations that are no
            # groups are lines themselves.
            for row, n in counts.items() if self.groups else rows:
                totals[row[:size]] += n
            last = [group for group in totals
                    if all(part.place[0] == 1 for part in group)]

            def place(group):
                return [part.place for part in group]
            ranked = sorted((group for group in totals if group not in last),
                            key=lambda group: (-totals[group], place(group)))
            kept = ranked[:self.top] if self.top else ranked
            if self.sort == "value":
                kept.sort(key=place)
            left_out = set(ranked[len(kept):])
            rest += sum(n for row, n in rows if row[:size] in left_out)
            rank = {group: i for i, group in
                    enumerate(kept + sorted(last, key=place))}
            rows = sorted((item for item in rows if item[0][:size] in rank),
                          key=lambda item: rank[item[0][:size]])
        if rest:
            rows.append((tuple(special("\\other", 1) for _ in rows[0][0])
                         if rows else None, rest))
        return rows

    def wanted(self):
        """The field, the labels, the kinds and the count of each line."""
        for columns, counts in zip(self.histograms, self.counts):
            field = str(columns[-1][0]) if self.has_field else None
            for row, count in self.rows(counts):
                labels, kinds = [], []
                for i, (_, column) in enumerate(columns):
                    part = row[i] if row else special("\\other", 1)
                    is_shared = not self.is_joint and i == len(self.groups)
                    copies = (1 + self.has_edges if is_shared else
                              column.copies)
                    labels += (part.labels * 2)[:copies]
                    kinds.append(part.kind)
                yield field, labels, kinds, count

    def print(self, form):
        return run(self.options + self.how + self.order + ["--format=" + form],
                   self.data)

    def prove_tsv(self):
        got = self.print("tsv").decode().split("\n")
        wanted = ["\t".join([field] * self.has_field + labels + [str(count)])
                  for field, labels, _, count in self.wanted()] + [""]
        assert got == wanted, (len(got), len(wanted), [
            pair for pair in zip(got, wanted) if pair[0] != pair[1]][:3])

    def prove_csv(self):
        text = self.print("csv").decode().replace("\0", "\ue000")
        rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
        wanted = [[field] * self.has_field +
                  [label.replace("\0", "\ue000") for label in labels] +
                  [str(count)]
                  for field, labels, _, count in self.wanted()]
        assert rows[1:] == wanted, [
            pair for pair in zip(rows[1:], wanted) if pair[0] != pair[1]][:3]

    def columns_of_json(self, line, columns):
        """The labels and kinds of LINE."""
        labels, kinds = [], []
        for i, (f, column) in enumerate(columns):
            is_shared = not self.is_joint and i == len(self.groups)
            is_last = i == len(self.groups) and i + 1 == len(columns)
            name = "value" if is_shared and self.has_field else f"field{f}"
            before = "" if is_last else name + "_"
            kind = line.pop(before + "flow", "")
            copies = 1 + self.has_edges if is_shared else column.copies
            kinds.append(kind)
            if kind in SPECIAL.values():
                labels += [NAMES[list(SPECIAL.values()).index(kind)]] * copies
            elif isinstance(column, Keys):
                labels += [line.pop(name)] * copies
            else:
                names = [before + "lo", before + "hi"] if copies == 2 else [
                    name]
                labels += [x if isinstance(x, str) else show(x)
                           for x in map(line.pop, names)]
        return labels, kinds

    def prove_jsonl(self):
        lines = [json.loads(line) for line in
                 self.print("jsonl").decode().split("\n")[:-1]]
        totals = lines.pop()["totals"]
        assert all(total["values"] == len(self.lines) for total in totals)
        wanted = list(self.wanted())
        assert len(lines) == len(wanted)
        for line, (field, labels, kinds, count) in zip(lines, wanted):
            assert line.pop("count") == count
            if self.has_field:
                assert str(line.pop("field")) == field
            columns = self.histograms[0]
            if self.has_field:
                columns = [c for c in self.histograms
                           if str(c[-1][0]) == field][0]
            if line.pop("other", False):
                assert set(kinds) == {"other"} and not line
                continue
            got = self.columns_of_json(line, columns)
            assert got == (labels, kinds) and not line, (got, labels, line)


def dense(source):
    """Binary records of the same numbers have the same lines."""
    columns = source.choice([2, 2, 3])
    # More than a chunk.
    size = source.choice([1, 100, 6000 if IS_SHORT else 30000])
    numbers = [[source.choice([source.gauss(0, 100), source.randrange(-9, 9),
                               math.inf, -math.inf, math.nan, 0.0])
                for _ in range(columns)] for _ in range(size)]
    numbers[0] = [2.5] * columns
    text = "".join("\t".join(map(repr, row)) + "\n" for row in numbers)
    records = b"".join(struct.pack("<%dd" % columns, *row) for row in numbers)
    bins = source.choice([["-b5"], ["--range=auto"], ["--log"],
                          ["-b8", "--range=-64,64"],
                          ["--edges=-3,0.25,1,7.5,100"],
                          ["-b7", "--range=-3,20", "--numpy"],
                          ["-b5"] * columns])
    if bins == ["--log"] and columns > 2:
        bins = ["--log", "--range=1,1024"]  # else there are too many cells
    threads = ["-j" + source.choice("124"), "--chunk-size=64k"]
    for options in ([], ["--format=npy", "-q"], ["--header-out"],
                    ["--percent", "--cumulative", "--density"],
                    ["--format=md", "--nonzero"], ["--top=9"],
                    ["--sort=count"], ["--flow=show"], ["--flow=clamp"]):
        if not has_turn(4, "dense"):
            continue
        got = run(["--tsv", "-f1-%d" % columns, "--joint", *bins, *threads,
                   *options], text.encode())
        wanted = run(["--record=<f8*%d" % columns, "--joint", *bins, *options],
                     records)
        if options == ["--flow=show"]:
            got = b"".join(line for line in got.splitlines(True)
                           if b"\\" not in line)
        # The rest of text begins with a backslash, because keys have any name.
        got = got.replace(b"\\other", b"other")
        assert got == wanted, (bins, options, got[:300], wanted[:300])


def texts(source, quotes, prefix):
    """Texts of all lengths around those that are copied as words."""
    def text():
        size = source.choice([source.randrange(41), source.choice([2, 8, 16])])
        return bytes(source.choices(b'ab"\0', [60, 60, 1, 1], k=size))
    rows = [(text(), text(), text()) for _ in range(3000)]
    rows += source.choices(rows, k=3000)
    data = b""
    for row in rows:
        if quotes:
            row = [b'"%s"' % part.replace(b'"', b'""')
                   if b'"' in part or source.random() < 0.2 else part
                   for part in row]
        data += (b"," if quotes else b"\t").join(row) + b"\n"
    cut = prefix or 41
    wanted = collections.Counter(tuple(part[:cut] for part in row)
                                 for row in rows)
    got = run(["--csv" if quotes else "--tsv", "-g1-3", "-j2",
               "--chunk-size=4096", *(["--prefix=%d" % prefix] * (prefix > 0))],
              data)
    assert got == b"".join(b"%s\t%s\t%s\t%d\n" % (*row, wanted[row])
                           for row in sorted(wanted))


def cells_of(report, edges):
    """The count of each line of REPORT, by the bins between EDGES."""
    counts = collections.Counter()
    histogram = report["histograms"][0]
    names = [axis["name"] for axis in histogram["axes"] if "lo" in axis]
    for line in histogram["bins"] + histogram["flow"]:
        count = line.pop("count")
        assert report["records"] >= count > 0
        cell = []
        for name in sorted(line):
            if name.endswith("lo") and name[:-2] + "flow" not in line:
                field = names[0] if name == "lo" else name[:-3]
                cell.append(bisect.bisect(edges[field], line[name]))
            elif not name.endswith(("lo", "hi")):
                cell.append(line[name])
        counts[tuple(cell)] += count
    assert sum(counts.values()) == report["records"]
    return counts


def snapshots(options, numbers):
    """Those of --reset add up to the total, whose ranges may be wider."""
    lines = ["%d\t%r\t%s\n" % (i % 5, numbers(i), i % 7 or "x")
             for i in range(30000)]
    text = "".join(lines).encode()
    command = [GPUHIST, "--tsv", "--every=1ms", "--reset", "--format=json",
               "--nonzero", *options]
    size = len(text) // 8 + 1
    with open("printed", "w+b") as file:
        with subprocess.Popen(command, stdin=subprocess.PIPE,
                              stdout=file) as process:
            for at in range(0, len(text), size):
                before = os.fstat(file.fileno()).st_size
                process.stdin.write(text[at:at + size])
                process.stdin.flush()
                # Until a snapshot is there, however slow this machine is.
                for _ in range(1500):
                    if os.fstat(file.fileno()).st_size > before:
                        break
                    time.sleep(0.02)
            process.stdin.close()
        assert process.returncode == 0
        file.seek(0)
        rest = file.read().decode()
    reports = []
    while rest:
        report, end = json.JSONDecoder().raw_decode(rest)
        rest = rest[end:].lstrip()
        reports.append(report)
    assert len(reports) > 3
    edges = {axis["name"]: [axis["lo"] + (axis["hi"] - axis["lo"]) * i /
                            axis["bins"] for i in range(axis["bins"] + 1)]
             for axis in reports[-1]["histograms"][0]["axes"] if "lo" in axis}
    *parts, whole = [cells_of(report, edges) for report in reports]
    assert sum(parts, collections.Counter()) == whole
    alone = json.loads(run(["--tsv", "--format=json", "--nonzero", *options],
                           text))
    assert cells_of(alone, edges) == whole


def main():
    source = random.Random(11)
    cases = 0
    for number in range(400):
        case = Case(source, number)
        if not case.is_possible():
            continue
        cases += 1
        check(f"{case.name}: tsv", case.prove_tsv)
        check(f"{case.name}: csv", case.prove_csv)
        check(f"{case.name}: jsonl", case.prove_jsonl)
        if cases == (16 if IS_SHORT else 70):
            break
    # The same ones, however many cases came before.
    source = random.Random(12)
    for number in range(12):
        check(f"joint bins, as binary records: {number}", dense, source)
    for quotes in (False, True):
        for prefix in (0, 7, 20):
            check(f"texts of all lengths, quotes {quotes}, prefix {prefix}",
                  texts, source, quotes, prefix)
    for options in (["-g1", "-f2", "-b8", "--range=0,32768"],
                    ["-g1,3", "-f2", "--edges=1,2,100,10000", "-j4"],
                    ["-f2,3", "--joint", "-b8", "-j4", "--chunk-size=999"],
                    ["-f1,2,3", "--joint", "--dtype=num"],
                    ["-f2,3", "--joint", "-b4", "--range=0,32768"])[
                        2 * IS_SHORT:]:
        for word, numbers in (("growing", lambda i: i * 1.5),
                              ("both ways", lambda i: i * (-1) ** i),
                              ("falling", lambda i: 40000 - i)):
            check(f"snapshots of {word} numbers: {' '.join(options)}",
                  snapshots, options, numbers)


main()
