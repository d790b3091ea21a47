# SPDX-License-Identifier: MIT
"""figure_fields_oracle.py -- figures of several fields in a line: --columns=price:mean

Each case has records of keys, two numbers and a text.  What Python computes of
them is what gpuhist must print, in every way to run.
"""

import collections
import json
import os
import random
import tempfile

from checks import IS_SHORT, check
from columns_model import (Group, compare, float_text, run, table, value_of,
                           ways)
from limits import Limits

random.seed(48)

FIELDS = ["price", "quantity", "name"]
OF_NUMBERS = ["count", "missing", "empty", "invalid", "nan", "distinct", "min",
              "max", "sum", "mean", "sd", "median", "iqr", "n50", "l50", "p50",
              "p99", "mode"]
OF_TEXTS = ["count", "distinct", "mode", "missing"]


class Shared:
    """The records of a group."""

    def __init__(self):
        self.values = []
        self.kinds = collections.Counter()

    def absorb(self, other):
        """Add another group."""
        self.values += other.values

    def of_field(self, field, is_text):
        """The values of a field."""
        group = Group()
        for record in self.values:
            value = record[FIELDS.index(field)]
            if not is_text:
                group.add(value_of(value))
            elif value is None:
                group.kinds["missing"] += 1
            else:
                group.values.append(value)
        if is_text:
            group.kinds["texts"] += 0
        return group

    def texts(self, names):
        """The figures as gpuhist prints them."""
        found = []
        for name in names:
            field, _, figure = name.rpartition(":")
            if field:
                group = self.of_field(field, field == "name")
                found += group.texts([figure])
            else:
                found.append(str(len(self.values)))
        return found


def random_value():
    """A number, mostly."""
    whole = random.randrange(300)
    return random.choice(
        [b"%d" % whole, b"-%d.5" % whole, b"%d.%02d" % (whole % 9, whole % 100),
         b"0.1", b"0.2", b"7"] * 4 + [b"", b"x", b"nan", b"1e3"])


def random_records(count, keys, names):
    """Keys, and the fields of a record; the last ones may be missing."""
    records = []
    for _ in range(count):
        line = [b"k%d" % random.randrange(names) for _ in range(keys)]
        line += [random_value(), b"%d" % random.randrange(50),
                 b"n%d" % random.randrange(5)]
        if random.randrange(25) == 0:
            line = line[:random.randrange(1, len(line))]
        if line == [b""]:
            line = [b"7"]
        records.append(line)
    return records


def csv(records, keys):
    """The text of records, with their header."""
    names = [b"key%d" % k for k in range(keys)] + [f.encode() for f in FIELDS]
    return b"".join(b",".join(line) + b"\n" for line in [names, *records])


def groups_of(records, keys):
    """The groups of records."""
    groups = collections.defaultdict(Shared)
    for line in records:
        line = line + [None] * (keys + len(FIELDS) - len(line))
        groups[tuple(line[:keys])].values.append(line[keys:])
    return groups


def some_columns():
    """Figures in any order."""
    columns = ["price:" + f for f in random.sample(OF_NUMBERS, 5)]
    columns += ["quantity:" + f for f in random.sample(OF_NUMBERS, 4)]
    columns += ["name:" + f for f in random.sample(OF_TEXTS, 2)]
    columns += random.sample(["count", "records"], random.randrange(3))
    random.shuffle(columns)
    # Something must be a number, so that the fields are.
    return columns + ["price:sum", "quantity:max"]


def one_case(keys, names, count):
    """All ways, orders and states."""
    records = random_records(count, keys, names)
    groups = groups_of(records, keys)
    data = csv(records, keys)
    columns = some_columns()
    counting = ["--csv", "--header-in", "--columns=" + ",".join(columns)]
    if keys:
        counting.append("-g" + ",".join(f"key{k}" for k in range(keys)))
    wanted = table(groups, columns, keys, kind=Shared)
    # The fields are those that the columns name, or more, in any order.
    fields = random.sample(FIELDS, 3)
    for given in [], ["-f", ",".join(fields)], ["-f" + f for f in fields]:
        compare(run([*counting, *given], data), wanted)
    with tempfile.TemporaryDirectory() as directory:
        for way, content in ways(directory, data):
            compare(run([*counting, *way], content), wanted)
        states(directory, counting, wanted)
        if keys:
            orders(directory, groups, keys, columns, counting)


def orders(directory, groups, keys, columns, counting):
    """Orders, limits, and the line for others."""
    for sort in ["count", "value", None, "price:mean", "quantity:p99",
                 "name:distinct", "records", "quantity:sum"]:
        top, limits, no_other = random.choice(
            [(0, Limits(2), False), (1, Limits(), False),
             (2, Limits(), False), (0, Limits(), False),
             (3, Limits(2, 40), False), (2, Limits(), True)])
        wanted = table(groups, columns, keys, top, limits, sort, no_other,
                       Shared)
        options = [f"--sort={sort}"] * bool(sort) + [f"--top={top}"] * (top > 0)
        options += limits.options() + ["--no-other"] * no_other
        path = os.path.join(directory, "data")
        for way in ["-j1"], ["-j4", "--chunk-size=4096"]:
            compare(run([*counting, *options, *way, path]), wanted)


def states(directory, counting, wanted):
    """Shards, and their sum."""
    path = os.path.join(directory, "data")
    columns = [o for o in counting if o.startswith("--columns")]
    parts = []
    for part in 1, 2, 3:
        parts.append(os.path.join(directory, f"part{part}"))
        run([*counting, f"--shard={part}/3", f"--state={parts[-1]}", path])
    random.shuffle(parts)
    both = os.path.join(directory, "both")
    run(["--merge", "--incomplete", f"--state={both}", *parts[:2]])
    compare(run(["--merge", *columns, both, parts[2]]), wanted)


def many_case():
    """So many tuples that several threads choose the groups."""
    records = random_records(14000 if IS_SHORT else 50000, 1, 900)
    records += [[b"long", b"%d.25" % n, b"%d" % n, b"n%d" % n]
                for n in range(-4500, 4500)]
    random.shuffle(records)
    groups = groups_of(records, 1)
    columns = ["count", "price:sum", "quantity:max", "name:distinct",
               "price:min", "price:p50"]
    for sort, top, limits in [("price:sum", 9, Limits()),
                              ("quantity:max", 0, Limits(4, 9)),
                              ("name:distinct", 40, Limits(3)),
                              ("count", 300, Limits())]:
        wanted = table(groups, columns, 1, top, limits, sort, kind=Shared)
        options = [f"--top={top}"] * (top > 0) + limits.options()
        for threads in 1, 5:
            compare(run(["--csv", "--header-in", "-gkey0", f"--sort={sort}",
                         "--columns=" + ",".join(columns), f"-j{threads}",
                         *options], csv(records, 1)), wanted)


def sums_case():
    """Figures for which no pair of a group and a number is counted."""
    records = random_records(5000, 1, 30)
    columns = ["price:mean", "quantity:sum", "count", "price:min",
               "quantity:count"]
    counting = ["--csv", "--header-in", "-gkey0",
                "--columns=" + ",".join(columns)]
    groups = groups_of(records, 1)
    for top, sort in (0, None), (3, "price:mean"), (4, None):
        wanted = table(groups, columns, 1, top, sort=sort, kind=Shared)
        order = [f"--top={top}"] * (top > 0) + [f"--sort={sort}"] * bool(sort)
        with tempfile.TemporaryDirectory() as directory:
            for way, content in ways(directory, csv(records, 1)):
                compare(run([*counting, *order, *way], content), wanted)


def bins_case():
    """Of bins, the figures that these have, as those of one field are."""
    records = [[b"k%d" % random.randrange(3), b"%d" % random.randrange(99),
                b"%d" % random.randrange(99)] for _ in range(300)]
    base = ["-d,", "-g1", "--bins=10", "--range=0,100"]
    data = b"".join(b",".join(r) + b"\n" for r in records)
    both = run([*base, "-f2,3", "--columns=2:p50,3:max,3:count"], data)
    parts = [run([*base, f"-f{f}", f"--columns={c}"], data).splitlines()
             for f, c in ((2, "p50"), (3, "max,count"))]
    lines = [a + b"\t" + b.split(b"\t", 1)[1] for a, b in zip(*parts)]
    compare(both, b"".join(line + b"\n" for line in lines))


def format_case():
    """All formats have the same figures."""
    records = random_records(200, 1, 4)
    columns = ["count", "price:mean", "quantity:sum", "name:mode"]
    names = [c.replace(":", "_") for c in columns]
    base = ["--csv", "--header-in", "-gkey0", "--top=2",
            "--columns=" + ",".join(columns)]
    data = csv(records, 1)
    wanted = [line.split("\t") for line in
              table(groups_of(records, 1), columns, 1, 2, kind=Shared)
              .decode().splitlines()]
    rows = run([*base, "--header-out"], data).decode().splitlines()
    assert rows[0].split("\t") == ["key0", *names], rows[0]
    rows = run([*base, "--format=csv"], data).decode().splitlines()
    assert rows[0].split(",") == ["key0", *names], rows[0]
    assert [r.split(",") for r in rows[1:]] == wanted, rows
    found = json.loads(run([*base, "--format=json"], data), parse_float=str,
                       parse_int=str)
    [only] = found["histograms"]
    assert [a["name"] for a in only["axes"]] == ["key0", *FIELDS], only["axes"]
    objects = [json.loads(line, parse_float=str, parse_int=str)
               for line in run([*base, "--format=jsonl"], data).splitlines()]
    assert [t["field"] for t in objects[-1]["totals"]] == FIELDS, objects[-1]
    for got in only["groups"], objects[:-1]:
        assert [[str(g[n]) for n in names] for g in got] == \
            [w[1:] for w in wanted], (got, wanted)
    rows = run([*base, "--format=table"], data).decode().splitlines()
    assert [r.split() for r in rows] == [["key0", *names], *wanted], rows
    rows = run([*base, "--format=md"], data).decode().splitlines()
    assert [[c.strip().replace("\\\\", "\\") for c in r.split("|")[1:-1]]
            for r in rows[2:]] == wanted, rows


def prom_case():
    """A metric for each figure, without a label for the field."""
    data = b"k,a,b\nx,1,2\ny,3,4\nx,5,6\n"
    lines = run(["--csv", "--header-in", "-gk", "--columns=a:mean,b:sum,count",
                 "--format=prom"], data).decode().splitlines()
    assert [line for line in lines if line[0] != "#"] == [
        'gpuhist_values_a_mean{k="x"} 3', 'gpuhist_values_a_mean{k="y"} 3',
        'gpuhist_values_b_sum{k="x"} 8', 'gpuhist_values_b_sum{k="y"} 4',
        'gpuhist_values_count{k="x"} 2', 'gpuhist_values_count{k="y"} 1'], lines


def duckdb_case(duckdb):
    """SQL has the same."""
    records = [[b"k%d" % random.randrange(40), b"%d.%d" % (
        random.randrange(500), random.randrange(10)),
                b"%d" % random.randrange(50), b"n%d" % random.randrange(9)]
               for _ in range(3000)]
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "data.csv")
        with open(path, "wb") as file:
            file.write(csv(records, 1))
        rows = duckdb.sql(f"""
            select key0, count(*), avg(price::decimal(9, 1)), sum(quantity),
                   quantile_disc(price, 0.9), count(distinct name)
            from '{path}' where quantity > 3 group by key0
            order by sum(quantity) desc, key0 limit 20""").fetchall()
        got = run(["--csv", "--header-in", "-gkey0", "--columns=count,"
                   "price:mean,quantity:sum,price:p90,name:distinct",
                   "--where=quantity>3", "--sort=quantity:sum", "--top=20",
                   "--no-other", path]).decode().splitlines()
    wanted = [[r[0], str(r[1]), float_text(float(r[2])), str(r[3]),
               float_text(float(r[4])), str(r[5])] for r in rows]
    for line, want in zip(got, wanted, strict=True):
        fields = line.split("\t")
        # Its mean of decimals is a quotient of doubles.
        assert abs(float(fields.pop(2)) - float(want.pop(2))) < 1e-9, line
        assert fields == want, (line, want)


for key_count in 0, 1, 2:
    for again in range(2 if IS_SHORT else 8):
        check(f"{key_count} keys, {again}", one_case, key_count, 3 + again,
              40 + 200 * again)
check("many groups", many_case)
check("sums alone", sums_case)
check("bins", bins_case)
check("formats", format_case)
check("prom", prom_case)
try:
    import duckdb as database
except ImportError:
    database = None
if database is not None:
    check("DuckDB", duckdb_case, database)
