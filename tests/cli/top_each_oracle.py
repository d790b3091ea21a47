# SPDX-License-Identifier: MIT
"""top_each_oracle.py -- the values of each group, counted by Python's Counter

    top_each_oracle.py GPUHIST

Random lines of two or three keys, by any threads and chunks, in too little
memory, in shards and states; each run must print what a Counter says.  Prints a
line for each test, "PASS name" or "FAIL name", for the shell to count.
"""

import collections
import csv
import io
import json
import os
import random
import tempfile

from checks import IS_SHORT, check
from group_lines import (OTHER, SPECIAL, count_of, data_of, place, records,
                         run, show)
from limits import Limits, some_limits


class Wanted:
    """What is asked for, and the lines that it prints."""

    def __init__(self, **wanted):
        self.top = self.each = 0
        self.limits = Limits()
        self.sort = None
        self.percent = self.no_other = self.hide = False
        self.__dict__.update(wanted)

    def options(self):
        options = self.limits.options()
        for name, value in [("top", self.top), ("top-each", self.each),
                            ("sort", self.sort)]:
            if value:
                options.append(f"--{name}={value}")
        if self.percent:
            options.append("--percent=group")
        if self.no_other:
            options.append("--no-other")
        if self.hide:
            options.append("--flow=hide")
        return options

    def is_hidden(self, keys):
        return self.hide and None in keys

    def groups(self, counts, keys):
        """The groups to print, and the count of all others."""
        all_groups = collections.defaultdict(dict)
        for tuple_, count in counts.items():
            all_groups[tuple_[:keys]][tuple_[keys]] = count
        ordered = sorted(all_groups, key=lambda g: [place(k) for k in g])
        by_count = self.sort == "count" or (self.top and self.sort is None)
        if not by_count and not self.top:
            return all_groups, ordered, 0
        total = {g: sum(n for v, n in all_groups[g].items()
                        if not self.is_hidden((*g, v)))
                 for g in ordered}
        keyless = [g for g in ordered if set(g) == {None}]
        ranked = [g for g in ordered if set(g) != {None} and total[g]]
        first = sorted(ranked, key=lambda g: -total[g])
        chosen = first[:self.top] if self.top else first
        left = sum(total[g] for g in first[len(chosen):])
        if not by_count:
            chosen = [g for g in ordered if g in set(chosen)]
        return all_groups, chosen + keyless, left

    def lines(self, counts, keys):
        groups, chosen, left = self.groups(counts, keys)
        for group in chosen:
            yield from self.lines_of(group, groups[group])
        if left and not self.no_other:
            yield (*[OTHER] * (keys + 1), left, "nan")

    def lines_of(self, group, values):
        whole = sum(values.values())
        shown = {v: n for v, n in values.items()
                 if not self.is_hidden((*group, v))}
        often = {v: n for v, n in shown.items()
                 if n in self.limits or set((*group, v)) == {None}}
        named = sorted((v for v in often if v is not None))
        if self.each:
            named.sort(key=lambda v: -often[v])
            named = named[:self.each]
            if self.sort == "value":
                named.sort()
        if None in often:
            named.append(None)
        left = sum(shown.values()) - sum(often[v] for v in named)
        lines = [(*group, v, often[v]) for v in named]
        if left and not self.no_other:
            lines.append((*group, OTHER, left))
        for *labels, n in lines:
            yield (*map(show, labels), n, 100 * n / whole)


def same(wanted, counts, keys, got):
    lines = []
    for line in wanted.lines(counts, keys):
        text = [*line[:-2], str(line[-2])]
        if wanted.percent:
            text.append("nan" if line[-1] == "nan" else
                        repr(line[-1]).removesuffix(".0"))
        lines.append(text)
    assert got == lines, [pair for pair in zip(got, lines)
                          if pair[0] != pair[1]][:3] or (len(got), len(lines))


def read_tsv(text):
    return [line.split("\t") for line in text.splitlines()]


def random_wanted(rng):
    wanted = Wanted(each=rng.choice([1, 2, 3, 7, 10**6]),
                    top=rng.choice([0, 0, 1, 3, 20]),
                    limits=some_limits(rng),
                    sort=rng.choice([None, None, "value", "count"]),
                    percent=rng.random() < 0.5,
                    no_other=rng.random() < 0.2,
                    hide=rng.random() < 0.2)
    if wanted.each == 7 and rng.random() < 0.5:
        wanted.each, wanted.percent, wanted.limits = 0, True, Limits()
        wanted.no_other &= bool(wanted.top)
    wanted.no_other &= bool(wanted.top or wanted.each or wanted.limits)
    return wanted


def random_run(seed):
    rng = random.Random(seed)
    keys = rng.choice([2, 2, 3])
    rows = records(rng, rng.choice([10, 300, 3000]), keys,
                   rng.choice([3, 30, 10**9]), 0.7)
    wanted = random_wanted(rng)
    names = ",".join(str(i + 1) for i in range(keys))
    fields = (["-g", names] if rng.random() < 0.5 else
              ["-g", names.rpartition(",")[0], "-f", str(keys)])
    got = read_tsv(run("--tsv", *fields, *wanted.options(),
                       f"-j{rng.randrange(1, 5)}",
                       f"--chunk-size={rng.choice([1000, 5000, 10**6])}",
                       data=data_of(rows)))
    same(wanted, count_of(rows, keys), keys - 1, got)


# ---- formats, beside tsv ----

def formats(seed):
    rng = random.Random(seed)
    rows = records(rng, 2000, 2, 30, 0.7)
    data = data_of(rows)
    wanted = Wanted(each=2, top=5, percent=True)
    options = ["--tsv", "-g1,2", *wanted.options()]
    lines = read_tsv(run(*options, data=data))
    same(wanted, count_of(rows, 2), 1, lines)
    head = ["field1", "field2", "count", "percent"]
    assert read_tsv(run(*options, "--header-out", data=data)) == [head, *lines]
    table = run(*options, "--format=md", data=data).splitlines()
    cells = [[cell.strip().replace("\\\\", "\\")
              for cell in row.strip("|").split(" | ")] for row in table]
    assert [cells[0], *cells[2:]] == [head, *lines]
    got = csv.DictReader(io.StringIO(run(*options, "--format=csv", data=data)))
    numbers = [[row["count"], row["percent"]] for row in got]
    assert numbers == [line[2:] for line in lines]
    objects = [json.loads(line) for line in
               run(*options, "--format=jsonl", data=data).splitlines()[:-1]]
    assert list(map(line_of, objects)) == lines
    whole = json.loads(run(*options, "--format=json", data=data))
    got = whole["histograms"][0]
    assert sorted(map(line_of, got["bins"] + got["flow"])) == sorted(lines)


def line_of(row):
    """An object as tsv prints it."""
    labels = []
    for name in ("field1", "field2"):
        if name in row:
            labels.append(row[name])
        else:
            labels.append(SPECIAL if name + "_flow" in row else OTHER)
    return [*labels, str(row["count"]),
            str(row["percent"]).removesuffix(".0")]


# ---- parts ----

def parts(seed):
    rng = random.Random(seed)
    rows = records(rng, 3000, 2, 40, 0.7)
    wanted = Wanted(each=3, top=9, limits=Limits(2, 30), percent=True)
    with tempfile.TemporaryDirectory() as folder:
        names = [os.path.join(folder, name) for name in "ab"]
        for i, name in enumerate(names):
            with open(name, "wb") as file:
                file.write(data_of(rows[i::2]))
        states = [name + ".state" for name in names]
        for name, state in zip(names, states):
            run("--tsv", "-g1,2", "--format=state", "-o", state, name)
        got = read_tsv(run("--merge", *wanted.options(), *states))
        same(wanted, count_of(rows, 2), 1, got)
        for i in (1, 2):
            run("--tsv", "-g1", "-f2", f"--shard={i}/2", "--format=state", "-o",
                states[i - 1], *names)
        got = read_tsv(run("--merge", *wanted.options(), *states))
        same(wanted, count_of(rows, 2), 1, got)
        got = read_tsv(run("--tsv", "-g1,2", "--per-file", *wanted.options(),
                           *names))
        for i, name in enumerate(names):
            same(wanted, count_of(rows[i::2], 2), 1,
                 [line[1:] for line in got if line[0] == name])


# ---- more tuples than memory ----

def spills(wanted):
    rng = random.Random(5)
    # Enough for two files of keys; of seven where all cases are wanted.
    count, values = (100000, 60000) if IS_SHORT else (400000, 250000)
    rows = [[str(rng.randrange(10)), f"{rng.randrange(values):020}"]
            for _ in range(count)]
    counts = count_of(rows, 2)
    for threads in (1, 4):
        got = read_tsv(run("--tsv", "-g1,2", "--memory-limit=9Mi",
                           f"-j{threads}", *wanted.options(),
                           data=data_of(rows)))
        same(wanted, counts, 1, got)


# ---- sums and bins ----

def sums(seed):
    rng = random.Random(seed)
    weights = collections.Counter()
    lines = []
    for _ in range(2000):
        row = (rng.choice("abc"), str(rng.randrange(30)), rng.randrange(100))
        weights[row[:2]] += row[2]
        lines.append("\t".join(map(str, row)) + "\n")
    got = read_tsv(run("--tsv", "-g1", "-f2", "--weights=3", "--top-each=4",
                       data="".join(lines).encode()))
    same(Wanted(each=4), +weights, 1, got)


def bins(seed):
    rng = random.Random(seed)
    counts = collections.Counter()
    lines = []
    for _ in range(3000):
        group, value = rng.choice("abc"), rng.randrange(80)
        counts[group, value // 10] += 1
        lines.append(f"{group}\t{value}\n")
    got = read_tsv(run("--tsv", "-g1", "-f2", "--range=0,80", "-b8",
                       "--top-each=3", "--percent=group", "--no-other",
                       data="".join(lines).encode()))
    wanted = Wanted(each=3, no_other=True, percent=True)
    text = [[g, str(10 * int(b)), str(10 * int(b) + 10), str(n),
             repr(p).removesuffix(".0")]
            for g, b, n, p in wanted.lines(
                collections.Counter({(g, str(b)): n
                                     for (g, b), n in counts.items()}), 1)]
    assert got == text, (got, text)


for number in range(30 if IS_SHORT else 200):
    check(f"random lines {number}", random_run, number)
for number in range(3):
    check(f"every format, {number}", formats, number)
    check(f"states, shards and files, {number}", parts, number)
    check(f"sums, {number}", sums, number)
    check(f"bins, {number}", bins, number)
for choice in (Wanted(each=3), Wanted(each=10**6, percent=True),
               Wanted(percent=True), Wanted(each=2, top=3, limits=Limits(2, 30))):
    check(f"beyond the memory, {choice.options()}", spills, choice)
