# SPDX-License-Identifier: MIT
"""pivot_oracle.py -- crosstabs, counted by Python's Counter and by pandas

    pivot_oracle.py GPUHIST

Random lines of two or three keys, by any threads and chunks, in too little
memory, in shards and states; each run must print the table that a Counter has.
Prints a line for each test, "PASS name" or "FAIL name", for the shell to count.
"""

import collections
import csv
import functools
import io
import json
import os
import random
import tempfile

from checks import IS_SHORT, check
from group_lines import (OTHER, SPECIAL, count_of, data_of, place, records,
                         run, show)
from limits import Limits, some_limits


def choose(totals, special, top, limits, sort):
    """The rows or columns to print, of a dict of totals that ascends."""
    named = [k for k in totals if k not in special and totals[k] in limits]
    ranked = sorted(named, key=lambda k: -totals[k])
    if top:
        ranked = ranked[:top]
    if sort == "value" or (sort is None and not top):
        kept = set(ranked)
        ranked = [k for k in named if k in kept]
    return ranked + [k for k in totals if k in special]


def table(counts, keys, top=0, limits=Limits(), sort=None, no_other=False,
          hide=False):
    """The lines of the table, the header first."""
    if hide:
        counts = {k: n for k, n in counts.items() if None not in k}
    groups, values = collections.Counter(), collections.Counter()
    for key in sorted(counts, key=lambda k: [place(part) for part in k]):
        groups[key[:-1]] += counts[key]
    for key in sorted(counts, key=lambda k: place(k[-1])):
        values[key[-1]] += counts[key]
    rows = choose(groups, [(None,) * keys], top, limits, sort)
    columns = choose(values, [None], top, limits, sort)
    cell = collections.Counter()
    known_rows, known_columns = set(rows), set(columns)
    for key, n in counts.items():
        row = key[:-1] if key[:-1] in known_rows else OTHER
        cell[row, key[-1] if key[-1] in known_columns else OTHER] += n
    names = [f"field{i + 1}" for i in range(keys)]
    labels = [show(c) for c in columns]
    if len(columns) < len(values) and not no_other:
        columns = [*columns, OTHER]
        labels.append(OTHER)
    lines = [names + labels]
    for row in rows:
        lines.append([*map(show, row), *(str(cell[row, c]) for c in columns)])
    if len(rows) < len(groups) and not no_other:
        lines.append([OTHER] * keys + [str(cell[OTHER, c]) for c in columns])
    return lines


def options_of(top=0, limits=Limits(), sort=None, no_other=False, hide=False):
    options = limits.options()
    if top:
        options.append(f"--top={top}")
    if sort:
        options.append(f"--sort={sort}")
    if no_other:
        options.append("--no-other")
    if hide:
        options.append("--flow=hide")
    return options


def read_tsv(text):
    return [line.split("\t") for line in text.splitlines()]


def equal(got, wanted):
    assert got == wanted, [pair for pair in zip(got, wanted)
                           if pair[0] != pair[1]][:2] or (len(got),
                                                          len(wanted))


def random_run(seed):
    rng = random.Random(seed)
    keys = rng.choice([2, 2, 3])
    rows = records(rng, rng.choice([1, 10, 300, 2000]), keys,
                   rng.choice([3, 30, 10**9]), 0.8)
    wanted = {"top": rng.choice([0, 0, 1, 3, 10**6]),
              "limits": some_limits(rng),
              "sort": rng.choice([None, None, "value", "count"]),
              "hide": rng.random() < 0.2}
    wanted["no_other"] = bool((wanted["top"] or wanted["limits"]) and
                              rng.random() < 0.2)
    names = ",".join(str(i + 1) for i in range(keys))
    fields = rng.choice([["-g", names], ["-f", names, "--joint"],
                         ["-g", names.rpartition(",")[0], "-f", str(keys)]])
    got = read_tsv(run("--tsv", "--pivot", *fields, *options_of(**wanted),
                       f"-j{rng.randrange(1, 5)}",
                       f"--chunk-size={rng.choice([1000, 5000, 10**6])}",
                       data=data_of(rows)))
    equal(got, table(count_of(rows, keys), keys - 1, **wanted))


def formats(seed):
    rng = random.Random(seed)
    rows = records(rng, 2000, 2, 30, 0.8)
    data = data_of(rows)
    options = ["--tsv", "-g1,2", "--pivot", "--top=5"]
    lines = table(count_of(rows, 2), 1, top=5)
    equal(list(csv.reader(io.StringIO(run(*options, "--format=csv",
                                          data=data)))), lines)
    marks = run(*options, "--format=md", data=data).splitlines()
    cells = [[cell.strip().replace("\\\\", "\\")
              for cell in row.strip("|").split(" | ")] for row in marks]
    equal([cells[0], *cells[2:]], lines)
    objects = [json.loads(line) for line in
               run(*options, "--format=jsonl", data=data).splitlines()[:-1]]
    whole = json.loads(run(*options, "--format=json", data=data))
    assert whole["histograms"][0]["rows"] == objects
    got = [["field1", *(label(cell, "2") for cell in objects[0]["cells"])]]
    got += [[label(row, "1"), *(str(cell["count"]) for cell in row["cells"])]
            for row in objects]
    equal(got, lines)


def label(item, key):
    if "other" in item:
        return OTHER
    return item["field" + key] if "field" + key in item else SPECIAL


def parts(seed):
    rng = random.Random(seed)
    rows = records(rng, 3000, 2, 40, 0.8)
    lines = table(count_of(rows, 2), 1, top=9, limits=Limits(2, 40))
    options = ["--pivot", *options_of(top=9, limits=Limits(2, 40))]
    with tempfile.TemporaryDirectory() as folder:
        names = [os.path.join(folder, name) for name in "ab"]
        for i, name in enumerate(names):
            with open(name, "wb") as file:
                file.write(data_of(rows[i::2]))
        states = [name + ".state" for name in names]
        for name, state in zip(names, states):
            run("--tsv", "-g1,2", "--format=state", "-o", state, name)
        equal(read_tsv(run("--merge", *options, *states)), lines)
        for i in (1, 2):
            run("--tsv", "-g1", "-f2", f"--shard={i}/2", "--format=state", "-o",
                states[i - 1], *names)
        equal(read_tsv(run("--merge", *options, *states)), lines)


@functools.lru_cache(maxsize=None)
def many_rows():
    """Lines whose keys do not fit into the memory, and their counts."""
    rng = random.Random(5)
    # Enough for two files of keys; of seven where all cases are wanted.
    count, keys, values = ((100000, 60000, 10) if IS_SHORT else
                           (400000, 250000, 40))
    rows = [[f"{rng.randrange(keys):020}", str(rng.randrange(values))]
            for _ in range(count)]
    return data_of(rows), count_of(rows, 2)


def spills(wanted, numbers_of_threads):
    data, counts = many_rows()
    lines = table(counts, 1, **wanted)
    for threads in numbers_of_threads:
        equal(read_tsv(run("--tsv", "-g1,2", "--memory-limit=9Mi", "--pivot",
                           f"-j{threads}", *options_of(**wanted),
                           data=data)), lines)


def sums(seed):
    rng = random.Random(seed)
    weights = collections.Counter()
    lines = []
    for _ in range(2000):
        row = (rng.choice("abc"), str(rng.randrange(30)), rng.randrange(1, 99))
        weights[row[:2]] += row[2]
        lines.append("\t".join(map(str, row)) + "\n")
    equal(read_tsv(run("--tsv", "-g1", "-f2", "--weights=3", "--pivot",
                       "--top=4", data="".join(lines).encode())),
          table(weights, 1, top=4))


def numbers(seed):
    """The columns ascend as numbers."""
    rng = random.Random(seed)
    rows = [[rng.choice("abc"), str(rng.randrange(-20, 20))]
            for _ in range(900)]
    got = read_tsv(run("--tsv", "-g1", "-f2", "--dtype=int", "--pivot",
                       data=data_of(rows)))
    counts = count_of(rows, 2)
    values = sorted({int(value) for _, value in rows})
    assert got[0][1:] == list(map(str, values)), got[0]
    equal(got[1:], [[g, *(str(counts[g, str(v)]) for v in values)]
                    for g in "abc"])


def pandas_crosstab(pandas, seed):
    rng = random.Random(seed)
    rows = [[rng.choice("abcde"), rng.choice("vwxyz") + rng.choice("12")]
            for _ in range(60)]
    frame = pandas.DataFrame(rows, columns=["field1", "field2"])
    wanted = pandas.crosstab(frame["field1"], frame["field2"])
    got = pandas.read_csv(io.StringIO(run("--tsv", "-g1,2", "--pivot",
                                          "--format=csv", data=data_of(rows))),
                          index_col=0)
    assert (wanted.index == got.index).all()
    assert (wanted.columns == got.columns).all()
    assert (wanted.values == got.values).all()


for number in range(30 if IS_SHORT else 200):
    check(f"random lines {number}", random_run, number)
for number in range(3):
    check(f"every format, {number}", formats, number)
    check(f"states and shards, {number}", parts, number)
    check(f"sums, {number}", sums, number)
    check(f"numbers, {number}", numbers, number)
for number, choice in enumerate(({}, {"top": 20}, {"limits": Limits(3)},
                                 {"limits": Limits(0, 3)}, {"sort": "count"})):
    check(f"beyond the memory, {choice}", spills, choice,
          [(1, 4)[number % 2]] if IS_SHORT else [1, 4])
try:
    import pandas
except ImportError:
    print("no pandas: its crosstab is not compared")
else:
    for number in range(5):
        check(f"pandas, {number}", pandas_crosstab, pandas, number)
