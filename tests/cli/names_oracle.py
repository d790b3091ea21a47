# SPDX-License-Identifier: MIT
"""names_oracle.py -- names of columns, and the keys below them, in CSV and JSON

    names_oracle.py GPUHIST

Random names of fields, many of them equal or as those of gpuhist's own columns,
and random keys, many of them as special rows are spelled: names are unique, as
the fields are called, and the same in all formats; each line is the key that
Python's Counter has, or the special row.  pandas and DuckDB, where they are
installed, read the same tables.
Prints a line for each test, "PASS name" or "FAIL name", for the shell to count.
"""

import collections
import csv
import io
import json
import os
import random
import re
import subprocess
import sys

from checks import IS_INSTRUMENTED, IS_SHORT, check

try:
    import pandas
except ImportError:
    pandas = None
try:
    import duckdb
except ImportError:
    duckdb = None

GPUHIST = sys.argv[1]
IS_LONG = os.environ.get("RUN_EXPENSIVE_TESTS") == "yes"
SETS = 10000 if IS_LONG else 100 if IS_SHORT or IS_INSTRUMENTED else 1000
OWN = ["count", "sum", "field", "file", "percent", "cumulative", "lo", "hi",
       "flow", "other", "totals", "kind", "key", "value"]
NAMES = OWN + [name + "_2" for name in OWN] + [
    "a", "a_2", "a_lo", "a_flow", "a_hex", "b c", 'q"t', "é", "a,b", "x:y",
    "NF", "1", "12", "field1", "field2", "A", "n\nl", "\\N", "back\\slash"]
WORDS = ["N", "other", "empty", "invalid", "n", "t", "x", ""]
PLAIN = ["", " ", ",", '"', '""', "a,b", 'a"b', "a\nb", "é", "-", "NA", "nan",
         "null", "NULL", "1", "1.0", "\\", "\\\\", "\\N ", " \\N", "\\NN", "a\tb",
         "#", "'", "true"]


def run(options, data):
    done = subprocess.run([GPUHIST, "-q", *options], input=data,
                          capture_output=True, timeout=120, check=False)
    assert done.returncode == 0, (options, done.stderr, data[:300])
    return done.stdout.decode()


def random_key(rng):
    if rng.random() < 0.5:
        return "\\" * rng.randrange(4) + rng.choice(WORDS)
    return rng.choice(PLAIN)


class Table:
    """A table with a header, as CSV; columns may lack at the end of a line."""

    def __init__(self, seed):
        rng = random.Random(seed)
        self.columns = rng.randrange(1, 5)
        self.names = [rng.choice(NAMES) for _ in range(self.columns)]
        pool = [random_key(rng) for _ in range(6)]
        self.rows = []
        for _ in range(rng.randrange(1, 20)):
            row = [rng.choice(pool) for _ in range(self.columns)]
            self.rows.append(row[:rng.randrange(1, self.columns + 1)]
                             if rng.random() < 0.2 else row)
        fields = rng.sample(range(self.columns), self.columns)
        # A name that is there twice, or looks like a number, is no name.
        self.by_number = [rng.random() < 0.3 or self.names.count(
            self.names[f]) > 1 for f in fields]
        self.fields = fields
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL)
        writer.writerow(self.names)
        writer.writerows(self.rows)
        self.data = out.getvalue().encode()

    def options(self):
        items = [str(f + 1) if number else
                 '"' + self.names[f].replace('"', '""') + '"'
                 for f, number in zip(self.fields, self.by_number)]
        return ["--csv", "-H", "-g", ",".join(items)]

    def wanted_names(self):
        return [f"field{f + 1}" if number else self.names[f]
                for f, number in zip(self.fields, self.by_number)]

    def counts(self):
        return collections.Counter(
            tuple(row[f] if f < len(row) else None for f in self.fields)
            for row in self.rows)


def key_of_csv(cell):
    if cell == "\\N":
        return None
    assert cell not in ("\\other", "\\empty", "\\invalid"), cell
    if re.fullmatch(r"\\\\+(N|other|empty|invalid)", cell, re.S):
        return cell[1:]
    return cell


def key_of_tsv(cell):
    if cell == "\\N":
        return None
    assert not re.match(r"\\[Noei]", cell), cell
    return re.sub(r"\\([tn\\])", lambda found: {"t": "\t", "n": "\n",
                                                 "\\": "\\"}[found[1]], cell)


def no_twice(pairs):
    names = [name for name, _ in pairs]
    assert len(set(names)) == len(names), names
    return dict(pairs)


def one_set(seed):
    table = Table(seed)
    rows = list(csv.reader(io.StringIO(
        run([*table.options(), "--format=csv"], table.data), newline=""),
        strict=True))
    names = rows.pop(0)
    assert len(set(names)) == len(names) and names[-1] == "count", names
    for name, wanted in zip(names, table.wanted_names(), strict=False):
        assert name == wanted or re.fullmatch(
            re.escape(wanted) + "_[0-9]+", name, re.S), (names, wanted)
    got = [(tuple(map(key_of_csv, row[:-1])), int(row[-1])) for row in rows]
    assert len(dict(got)) == len(got) and dict(got) == table.counts(), got
    if seed % 4 == 0:
        text = run([*table.options(), "--header-out"], table.data)
        header, *lines = [line.split("\t") for line in text.split("\n")[:-1]]
        assert list(map(key_of_tsv, header)) == names, header
        assert [(tuple(map(key_of_tsv, line[:-1])), int(line[-1]))
                for line in lines] == got
    if seed % 4 == 1:
        lines = [json.loads(line, object_pairs_hook=no_twice) for line in
                 run([*table.options(), "--format=jsonl"],
                     table.data).splitlines()[:-1]]
        flow = ["flow"] if len(names) == 2 else [
            name + "_flow" for name in names]
        for line, (keys, count) in zip(lines, got, strict=True):
            wanted = {name: key for name, key in zip(names, keys)
                      if key is not None}
            wanted.update({name: "missing" for name, key in zip(flow, keys)
                           if key is None})
            assert line == {**wanted, "count": count}, line


def sets(first):
    for seed in range(first, first + SETS // 10):
        try:
            one_set(seed)
        except AssertionError as raised:
            raise AssertionError(seed, raised) from raised


# ---- other readers ----

def cell_of(value):
    return None if value is None or value != value else key_of_csv(value)


def with_pandas(seed):
    table = Table(seed)
    text = run([*table.options(), "--format=csv"], table.data)
    frame = pandas.read_csv(io.StringIO(text), na_values=["\\N"],
                            keep_default_na=False, skip_blank_lines=False,
                            dtype=str)
    got = {tuple(map(cell_of, row[:-1])): int(row[-1])
           for row in frame.itertuples(index=False, name=None)}
    assert list(frame.columns)[-1] == "count"
    assert got == table.counts(), (got, text)


def with_duckdb(seed):
    table = Table(seed)
    with open("table.csv", "w", encoding="utf-8", newline="") as file:
        file.write(run([*table.options(), "--format=csv"], table.data))
    rows = duckdb.sql("select * from read_csv('table.csv', nullstr='\\N', "
                      "header=true, all_varchar=true, delim=',', quote='\"', "
                      "escape='\"', new_line='\\n', auto_detect=false, "
                      "columns=%s)" % json.dumps(
                          {"c%d" % i: "VARCHAR" for i in
                           range(len(table.fields) + 1)})).fetchall()
    got = {tuple(map(cell_of, row[:-1])): int(row[-1]) for row in rows}
    assert got == table.counts(), (got, table.counts())


for number in range(10):
    check(f"random names and keys, {number}", sets, number * 1000)
for module, function in (pandas, with_pandas), (duckdb, with_duckdb):
    if module is None:
        print(f"no module for {function.__name__}")
        continue
    for number in range(30):
        check(f"{function.__name__}, {number}", function, 50000 + number)
