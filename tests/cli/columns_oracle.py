# SPDX-License-Identifier: MIT
"""columns_oracle.py -- --columns against Python's fractions

Each case has lines of groups and values; what Python computes of them, with
rationals that are rounded once, is what gpuhist must print, in every way to
run.
"""

import collections
import itertools
import json
import math
import os
import random
import tempfile

from checks import IS_SHORT, check
from columns_model import (Group, compare, groups_of, join, lists, run, table,
                           ways)
from limits import Limits

random.seed(2020)

NUMBERS = ["count", "records", "missing", "empty", "invalid", "nan", "distinct",
           "min", "max", "sum", "mean", "sd", "sample_sd", "mode", "median",
           "q1", "q3", "iqr", "n50", "n90", "l50", "l12.5", "n100", "l100",
           "p50", "p0.000000001", "p99.9", "p100", "p25"]
# Those that a thread's cache of groups has, without pairs.
FEW = ["count", "records", "invalid", "empty", "sum", "min", "max", "mean"]
TEXTS = ["count", "records", "missing", "distinct", "mode"]


def random_number(style):
    """A text that is a number, mostly."""
    whole = random.randrange(1000)
    if style == "short":
        return b"%s%d.%d" % (random.choice([b"", b"-"]), whole % 100,
                             random.randrange(10))
    if style == "whole":
        return b"%d" % random.choice([whole, -whole, whole % 7])
    choices = [
        lambda: b"%d" % whole,
        lambda: b"%d.%03d" % (whole, random.randrange(1000)),
        lambda: b"-.%d" % whole,
        lambda: b"0.%d0" % (whole % 20),
        lambda: b"%de-%d" % (whole, random.randrange(9)),
        lambda: b"%d.5E+%d" % (whole % 9, random.randrange(9)),
        # More than a double has.
        lambda: b"1234567890123456%d" % (whole % 30 + 10),
        lambda: b"-0.1234567890123456%d" % (whole % 30 + 10),
        lambda: b"9.9999999999999999%d" % (whole % 12),
        lambda: b"10.000000000000000%d" % (whole % 12),
        lambda: b"9" * random.choice([15, 16, 17, 38]),
        lambda: b"0." + b"0" * 30 + b"%08d" % whole,
        lambda: b"+%d" % whole,
        lambda: b"0", lambda: b"-0.0",
    ]
    odd = [lambda: b"", lambda: b"12ms", lambda: b"0x1F", lambda: b"nan",
           lambda: b"-", lambda: b"1e999"]
    return random.choice(odd if random.randrange(12) == 0 else choices)()


def random_lines(count, keys, names, style, infinite=False):
    """Lines of KEYS keys out of NAMES and a value."""
    lines = []
    for _ in range(count):
        line = [b"k%d" % random.randrange(names) for _ in range(keys)]
        value = random_number(style)
        if infinite and random.randrange(50) == 0:
            value = random.choice([b"inf", b"-inf", b"-Infinity"])
        if value == b"" and keys == 0:
            value = b"x"
        if style == "mixed" and random.randrange(40) == 0:
            line = line[:random.randrange(keys + 1)]
        else:
            line.append(value)
        # A line without the delimiter has one field.
        lines.append(line or [b"x"])
    return lines


def one_case(style, keys, names, count, infinite):
    """All figures of random lines, in all ways."""
    lines = random_lines(count, keys, names, style, infinite)
    groups = groups_of(lines, keys, True)
    asked = NUMBERS[:]
    random.shuffle(asked)
    wanted = table(groups, asked, keys)
    columns = ["--columns=" + ",".join(asked), *lists(keys)]
    with tempfile.TemporaryDirectory() as directory:
        for way, data in ways(directory, join(lines)):
            compare(run(["-d,", *columns, *way], data), wanted)
        states_case(directory, lines, columns, wanted)
    for sort in random.sample(["count", "value", "sum", "min", "max", "mean",
                               "sd", "p50", "distinct", "records", "mode",
                               "median", "iqr", "l50", "n90"], 3):
        if keys == 0:
            option = f"--sort={sort}"
            said = run(["-d,", *columns, option], b"", 2)
            assert "--sort is for groups" in said, said
            continue
        for top, limits in ((0, Limits()), (1, Limits()), (2, Limits()),
                            (0, Limits(3)), (3, Limits(2)), (0, Limits(0, 20)),
                            (2, Limits(2, 30))):
            wanted = table(groups, asked, keys, top, limits, sort)
            options = [f"--sort={sort}"]
            options += [f"--top={top}"] if top else []
            options += limits.options()
            compare(run(["-d,", *columns, *options], join(lines)), wanted)


def states_case(directory, lines, columns, wanted,
                sorts=("mean", "p50", "sum")):
    """Shards and states of parts, in any order, and a state of states."""
    path = os.path.join(directory, "data")
    states = []
    for part in 1, 2, 3:
        states.append(os.path.join(directory, f"shard{part}"))
        run(["-d,", *columns, f"--shard={part}/3", f"--state={states[-1]}",
             path])
    random.shuffle(states)
    asked = [c for c in columns if c.startswith("--columns")]
    both = os.path.join(directory, "both")
    run(["--merge", "--incomplete", f"--state={both}", *states[:2]])
    compare(run(["--merge", *asked, both, states[2]]), wanted)
    compare(run(["--merge", "--memory-limit=16M", *asked, *states]), wanted)
    if not any(c.startswith("-g") for c in columns):
        return
    for sort, order in zip(sorts, (["--top=2"], ["--top=1", "--min-count=2"],
                                   ["--top=3", "--no-other"])):
        order.append(f"--sort={sort}")
        compare(run(["--merge", *asked, *order, both, states[2]]),
                run(["-d,", *columns, *order, path]))
    assert lines is not None


def text_case(keys):
    """Figures of texts."""
    lines = [[b"k%d" % random.randrange(4) for _ in range(keys)] +
             [random.choice([b"", b"u%d" % random.randrange(9), b"7"])]
             for _ in range(200)]
    lines += [[b"k1"]] if keys else []
    groups = groups_of(lines, keys, False)
    data = join(lines)
    columns = ["--columns=" + ",".join(TEXTS), *lists(keys)]
    compare(run(["-d,", *columns], data), table(groups, TEXTS, keys))
    order = ["--top=1", "--sort=distinct"]
    if keys:
        compare(run(["-d,", *columns, *order], data),
                table(groups, TEXTS, keys, 1, sort="distinct"))
    else:
        assert "--top is for groups" in run(["-d,", *columns, *order], data, 2)


def records_case(keys, count):
    """Groups without a field have their records."""
    lines = [[random.choice([b"", b"u%d" % random.randrange(40), b"7"])
              for _ in range(random.choice([1, keys, keys, keys]))]
             for _ in range(count)]
    lines = [line if line != [b""] else [b"v"] for line in lines]
    groups = collections.defaultdict(Group)
    # Fields from the second on, so that some records have no key.
    for line in lines:
        groups[tuple((line[1:] + [None] * keys)[:keys])].add(line[0])
    for names, top, limits, sort in [
            (["count"], 0, Limits(), None),
            (["records", "count"], 0, Limits(), "count"),
            (["count", "records"], 3, Limits(), None),
            (["records"], 0, Limits(3), None),
            (["count"], 2, Limits(2), "records"),
            (["records"], 3, Limits(0, 4), "count"),
            (["count"], 5, Limits(), "value")]:
        wanted = table(groups, names, keys, top, limits, sort)
        columns = ["--columns=" + ",".join(names),
                   "-g" + ",".join(str(k + 2) for k in range(keys))]
        order = [f"--top={top}"] * (top > 0) + [f"--sort={sort}"] * bool(sort)
        order += limits.options()
        with tempfile.TemporaryDirectory() as directory:
            for way, data in ways(directory, join(lines)):
                compare(run(["-d,", *columns, *order, *way], data), wanted)
            states_case(directory, lines, columns,
                        table(groups, names, keys), ["records", "count"])
            path = os.path.join(directory, "data")
            compare(run(["-d,", *columns, *order, "--per-file", path]),
                    b"".join(path.encode() + b"\t" + row + b"\n"
                             for row in wanted.splitlines()))


def framing_case(options, writer):
    """Another framing has the same figures."""
    lines = random_lines(300, 1, 5, "short")
    names = ["count", "sum", "mean", "p50", "distinct"]
    data = b"".join(writer(*line) for line in lines)
    got = run([*options, "--columns=" + ",".join(names)], data)
    compare(got, table(groups_of(lines, 1, True), names, 1))


def cache_case(style, names, count):
    """Figures for which pairs of a group and a number are not counted."""
    lines = random_lines(count, 1, names, style, style == "mixed")
    # Groups that are long, too long for the cache, or at the begin of a chunk.
    lines += [[b"k" * size, b"%d.5" % size] for size in
              (23, 24, 40, 255, 256, 300) * 2]
    lines += [[b"%0250d" % (n % 90), b"%d" % n] for n in range(270)]
    lines += [[b"", b"7.25"],
              [b"k1", b"99999999"], [b"k1", b"-9999999"], [b"k2", b"0.000001"]]
    lines += [[b"k1", b"99999999"]] * 200
    random.shuffle(lines)
    groups = groups_of(lines, 1, True)
    wanted = table(groups, FEW, 1)
    options = ["-d,", "-g1", "-f2", "--columns=" + ",".join(FEW)]
    with tempfile.TemporaryDirectory() as directory:
        for way, data in ways(directory, join(lines)):
            compare(run([*options, *way], data), wanted)
        path = os.path.join(directory, "data")
        rows = run([*options, "--per-file", path, path])
        file = path.encode() + b"\t"
        compare(rows, b"".join(file + row + b"\n" for row in
                               wanted.splitlines() * 2))
        state = os.path.join(directory, "state")
        compare(run([*options, f"--state={state}", path]), wanted)
        compare(run(["--merge", options[-1], state]), wanted)
        last = os.path.join(directory, "last")
        every = max(4096, count * 10)
        run([*options, f"--every={every}", f"--output={last}", path])
        with open(last, "rb") as snapshot:
            compare(snapshot.read(), wanted)
    for top, limits, sort in ((2, Limits(), "max"), (3, Limits(2, 90), "mean"),
                              (9, Limits(), "sum")):
        wanted = table(groups, FEW, 1, top, limits, sort)
        order = [f"--top={top}", f"--sort={sort}"]
        order += limits.options()
        with tempfile.TemporaryDirectory() as directory:
            for way, data in ways(directory, join(lines)):
                compare(run([*options, *order, *way], data), wanted)
            path = os.path.join(directory, "data")
            file = path.encode() + b"\t"
            compare(run([*options, *order, "--per-file", path, path]),
                    b"".join(file + row + b"\n" for row in
                             wanted.splitlines() * 2))
            last = os.path.join(directory, "last")
            run([*options, *order, f"--every={max(4096, count * 10)}",
                 f"--output={last}", path])
            with open(last, "rb") as snapshot:
                compare(snapshot.read(), wanted)


def parts_case():
    """So many tuples that several threads choose the groups."""
    lines = random_lines(14000, 1, 900, "short", True)
    # One group is longer than the part of a thread, and one has no number.
    lines += [[b"long", b"%d.25" % n] for n in range(-4500, 4500)]
    lines += [[b"none", b"x"]] * 30
    random.shuffle(lines)
    groups = groups_of(lines, 1, True)
    for names, top, limits, sort in [
            (["count", "invalid", "sum", "sd", "p50"], 7, Limits(), None),
            (["count", "min", "max", "p99"], 500, Limits(), None),
            (["count", "records", "mean"], 40, Limits(16), "p25"),
            (["count", "sum", "min"], 11, Limits(0, 18), "mean"),
            (["count", "max"], 30, Limits(3), "value"),
            (["records", "empty", "distinct"], 0, Limits(), "count")]:
        options = ["-q", "-d,", "-g1", "-f2", "--columns=" + ",".join(names)]
        options += [f"--top={top}"] if top else []
        options += limits.options()
        options += [f"--sort={sort}"] if sort else []
        wanted = table(groups, names, 1, top, limits, sort)
        for threads in 2, 5:
            compare(run([*options, f"-j{threads}"], join(lines)), wanted)


def whole_case():
    """Integers of 64 bits."""
    lines = [[random.choice([b"a", b"b"]),
              b"%d" % random.choice([2 ** 63 - 1, -2 ** 63, 0, 5,
                                     random.getrandbits(62)])]
             for _ in range(200)]
    groups = groups_of(lines, 1, True)

    names = ["count", "sum", "min", "max", "mean", "sd", "sample_sd",
             "distinct", "p50"]
    want = []
    for key in sorted(groups):
        values = sorted(groups[key].values)
        texts = groups[key].texts(names)
        # Integers have all their digits.
        for i, value in (2, values[0]), (3, values[-1]):
            texts[i] = str(value)
        texts[8] = str(values[math.ceil(len(values) / 2) - 1])
        want.append("\t".join([key[0].decode(), *texts]) + "\n")
    got = run(["-d,", "-g1", "-f2", "--dtype=int",
               "--columns=" + ",".join(names)], join(lines))
    compare(got, "".join(want).encode())


def many_groups_case():
    """Groups that do not fit into the memory."""
    count = 40000 if IS_SHORT else 400000
    limit = "--memory-limit=" + ("8M" if IS_SHORT else "16M")
    lines = [[b"key-%d-%d" % (i % (count // 3), i * 7919 % 10007 % 3),
              b"%d.%d" % (i % 97, i % 10)] for i in range(count)]
    names = ["count", "sum", "max", "p50"]
    groups = groups_of(lines, 1, True)
    with tempfile.TemporaryDirectory() as directory:
        os.environ["TMPDIR"] = directory
        data = join(lines)
        got = run(["-d,", "-g1", "-f2", limit, "--threads=2",
                   "--columns=" + ",".join(names)], data)
        compare(got, table(groups, names, 1))
        got = run(["-d,", "-g1", "-f2", limit, "--top=5",
                   "--columns=" + ",".join(names)], data)
        compare(got, table(groups, names, 1, 5))
        # So many different values that the rest does not fit, either.
        long = join([key, b"%d%s" % (i * 7919 % count, value)]
                    for i, (key, value) in enumerate(lines))
        more = ["p90", "distinct", "p0.001", "count"]
        got = run(["-d,", "-g1", "-f2", limit, "--top=3",
                   "--columns=" + ",".join(more)], long)
        compare(got, table(groups_of([line.split(b",") for line in
                                      long.splitlines()], 1, True), more, 1, 3))
        got = run(["-d,", "-g1", "-f2", limit, "--top=50",
                   "--sort=sum", "--columns=" + ",".join(names)], data)
        compare(got, table(groups, names, 1, 50, sort="sum"))
        del os.environ["TMPDIR"]


def format_case():
    """The other formats have the same figures."""
    lines = random_lines(100, 1, 4, "mixed")
    names = ["count", "sum", "p50", "missing"]
    groups = groups_of(lines, 1, True)
    wanted = [line.split("\t") for line in
              table(groups, names, 1, 2).decode().splitlines()]
    base = ["-d,", "-g1", "-f2", "--top=2", "--columns=" + ",".join(names)]
    data = join(lines)
    found = json.loads(run([*base, "--format=json"], data),
                       parse_float=str, parse_int=str)
    for got, want in zip(found["histograms"][0]["groups"], wanted, strict=True):
        assert [got[n] for n in names] == want[1:], (got, want)
        assert want[0] in (got.get("field1"), "\\other", "\\N"), (got, want)
    objects = run([*base, "--format=jsonl"], data).splitlines()
    for text, want in zip(objects[:-1], wanted, strict=True):
        got = json.loads(text, parse_float=str, parse_int=str)
        assert [got[n] for n in names] == want[1:], (got, want)
    rows = run([*base, "--format=csv"], data).decode().splitlines()
    assert rows[0] == "field1," + ",".join(names), rows[0]
    for row, want in zip(rows[1:], wanted, strict=True):
        assert row.split(",") == want, (row, want)
    rows = run([*base, "--format=md"], data).decode().splitlines()
    for row, want in zip(rows[2:], wanted, strict=True):
        assert [c.strip() for c in row.split("|")[2:-1]] == want[1:], row


def per_file_case():
    """Each input is a run of its own."""
    with tempfile.TemporaryDirectory() as directory:
        wanted = b""
        paths = []
        for number in range(3):
            lines = random_lines(50, 1, 3, "short")
            paths.append(os.path.join(directory, f"f{number}"))
            with open(paths[-1], "wb") as file:
                file.write(join(lines))
            rows = table(groups_of(lines, 1, True), ["count", "sum"], 1)
            wanted += b"".join(paths[-1].encode() + b"\t" + row + b"\n"
                               for row in rows.splitlines())
        compare(run(["--per-file", "-d,", "-g1", "-f2", "--columns=count,sum",
                     *paths]), wanted)


for turn, (kind, key_count) in enumerate(itertools.product(
        ["short", "whole", "mixed"], [0, 1, 2])):
    for again in range(1 if IS_SHORT else 6):
        check(f"{kind} numbers, {key_count} keys, {again}", one_case, kind,
              key_count, 3 + turn, 20 + 400 * (again % 2), again % 3 == 2)
for kind, key_count, line_count in [
        ("short", 5, 2000), ("whole", 300, 9000), ("mixed", 40, 1500),
        ("short", 3000 if IS_SHORT else 40000, 12000 if IS_SHORT else 90000)]:
    check(f"{kind} numbers of {key_count} groups, few figures", cache_case,
          kind, key_count, line_count)
check("parts of many tuples", parts_case)
check("infinities", one_case, "short", 1, 3, 300, True)
for key_count in 0, 1, 2:
    check(f"texts, {key_count} keys", text_case, key_count)
for key_count, line_count in (1, 300), (2, 300), (3, 20), (1, 9000):
    check(f"no field, {key_count} keys, {line_count} lines", records_case,
          key_count, line_count)
check("csv with names", framing_case,
      ["--csv", "-g", "name", "-f", "value"],
      lambda k, v, first=[True]: (b"name,value\n" if first and first.pop()
                                  else b"") + b'"%s",%s\n' % (k, v))
check("tsv", framing_case, ["--tsv", "-g1", "-f2"],
      lambda k, v: k + b"\t" + v + b"\n")
check("whitespace", framing_case, ["-W", "-g1", "-f2"],
      lambda k, v: b"  " + k + b"   " + v + b" x\n")
check("jsonl", framing_case, ["--jsonl", "-g", "a.k", "-f", "v"],
      lambda k, v: b'{"v":%s,"a":{"k":"%s"}}\n' % (v, k))
check("jsonl, numbers as strings", framing_case,
      ["--jsonl", "-g", "k", "-f", "v"],
      lambda k, v: b'{"v":"%s","k":"%s"}\n' % (v, k))
check("integers of 64 bits", whole_case)
check("many groups, little memory", many_groups_case)
check("formats", format_case)
check("each file", per_file_case)
