# SPDX-License-Identifier: MIT
"""per_file_oracle.py -- --per-file beside runs of each file alone

    per_file_oracle.py rows GPUHIST DRIVERS STEP   rows, with many options
    per_file_oracle.py stats GPUHIST FILE...       --stats=only, beside Counter
    per_file_oracle.py names GPUHIST               strange names, in each format
    per_file_oracle.py archive FORMAT COUNT        COUNT members, on standard output

DRIVERS: the directory of a CUDA driver in host memory; or empty.  STEP: only
every so many of the options.
"""

import collections
import csv
import io
import json
import math
import os
import random
import struct
import subprocess
import sys
import tarfile
import zipfile

from checks import check, has_turn

source = random.Random(17)


def run(program, arguments, **more):
    return subprocess.run([program] + arguments, capture_output=True,
                          timeout=300, **more)


# ---- rows ----

def write(name, data):
    with open(name, "wb") as file:
        file.write(data)
    return name


def write_binary():
    floats = [source.gauss(0, 1e3) for _ in range(2000)]
    return [
        write("short", b"\0\1\2\3" * 3),
        write("empty", b""),
        write("noise", source.randbytes(600000)),
        write("floats", struct.pack("<2000f", *floats)),
        write("zeros", bytes(4000)),
        "short",
    ]


def write_text():
    def line(i):
        return b"%d\t%s\t%d.%02d\n" % (
            source.randrange(20 * i), source.choice([b"x", b"yy", b"z z", b""]),
            source.randrange(-50, 1000), source.randrange(100))
    return [
        write("one", b"".join(line(1) for _ in range(20000))),
        write("two", b"".join(line(500) for _ in range(3000))),
        write("nothing", b""),
        write("short.tsv", b"5\tonly\t7\n9\n\t\t\n1\tx\t2"),
        "one",
        "short.tsv",
    ]


def write_csv():
    return [
        write("a.csv", b'id,name,size\n1,x,2.5\n3,"y\n, z",4\n'),
        write("none.csv", b"id,name,size\n"),
        write("b.csv", b"id,name,size\n" + b'9,"x",1e3\n' * 30000),
    ]


BINARY = """

--nonzero
--header-out --percent --cumulative
--dtype=u2
--dtype=u2 --bins=7 --flow=show
--dtype=i1 --bins=10
--dtype=i1 --bins=6 --density
--dtype=f4 --bins=10
--dtype=f4 --bins=10 --numpy --range=-100,100
--dtype=u4 --log
--dtype=f4 --log=10
--dtype=u4 --edges=0,1e3,1e6,1e9
--top=3 --percent
--sort=count
--min-count=300
--max-count=300
--top=3 --max-count=300
--record=u2,u2 --joint --bins=4 --range=auto
--record=u2,u2 --weights=2 --shift=8
--record=u2,u2 --weights=2 --range=auto --bins=9
--record=u1,x*2,i1 --bins=5
--dtype=u4 --nonzero
--dtype=f4 --top=5
--dtype=u4 --bins=300000 --range=0,4294967296 --nonzero
--flow=clamp --range=10,90
--read-bytes=4000 --nonzero
--format=csv --labels=char --nonzero
--stats=only
"""

TEXT = """
-l
-l --top=2
-l --format=csv
--tsv -g1
--tsv -g2 --format=csv
--tsv -g1,2 --top=4
--tsv -f1 --dtype=int
--tsv -f1 --dtype=int --format=csv --header-out
--tsv -f3 --bins=8
--tsv -f1,3 --bins=8
--tsv -f1,3 --joint --bins=5
--tsv -f1 --bins=6 --weights=3
--tsv -g2 -f3 --bins=8
--tsv -g2 -f3 --bins=8 --weights=1
--tsv -g2 --weights=3 --format=csv
--tsv -g3 --weights=1
--tsv -g2 --sort=count --percent
--tsv -g1 --min-count=5
--tsv -g1 --max-count=5
--tsv -f1,2 --format=csv
--tsv -f3 --bins=8 --percentiles=50 --stats=only
--words --top=7
"""

CSV = """
--csv -g name
--csv -g name --format=csv
--csv -f size --bins=4
--csv -g id --weights=size
"""


def alone(program, options, files):
    """The rows of each file alone, each behind its name."""
    if "--stats=only" in options:
        return None
    is_csv = "--format=csv" in options
    has_header = is_csv or "--header-out" in options
    separator = b"," if is_csv else b"\t"
    rows = []
    printed = {}
    for i, name in enumerate(files):
        if name not in printed:
            one = run(program, ["-q"] + options + [name])
            assert one.returncode == 0, one.stderr
            printed[name] = one.stdout
        text = printed[name]
        if has_header:
            header, text = text.split(b"\n", 1)
            if i == 0:
                rows.append(b"file" + separator + header + b"\n")
        # Values with line feeds are in quotes, or escaped.
        is_within = False
        for row in text.splitlines(keepends=True):
            if not is_within:
                rows.append(name.encode() + separator)
            rows.append(row)
            is_within ^= is_csv and row.count(b'"') % 2 == 1
    return b"".join(rows)


def same(program, options, files, wanted, ways):
    for way, environment in ways:
        # Statistics of a run alone are wanted of the first way.
        if wanted is not None and not has_turn(5):
            continue
        got = run(program, ["-q", "--per-file"] + way + options + files,
                  env=dict(os.environ, **environment))
        assert (got.returncode, got.stderr) == (0, b""), (way, got)
        if wanted is None:
            wanted = got.stdout
        assert got.stdout == wanted, (way, got.stdout[:300], wanted[:300])
        assert wanted


def check_rows(program, drivers, step):
    ways = [([], {}), (["-j1"], {}), (["-j8"], {}),
            (["-j4", "--chunk-size=65536"], {})]
    gpus = []
    if drivers:
        fake = {"LD_LIBRARY_PATH": drivers}
        gpus = [(["--device=cuda"], fake),
                (["--device=cuda", "--chunk-size=50000"], fake),
                (["--gpu-after=0", "-j2"], fake)]
    for group, files in ((BINARY, write_binary()), (TEXT, write_text()),
                         (CSV, write_csv())):
        for line in group.split("\n")[1:-1:int(step)]:
            options = line.split()
            # Numbers that occur are counted on the CPU.
            on_gpu = (group is BINARY and "--dtype=u4 --nonzero" != line and
                      "--dtype=f4 --top=5" != line)
            check("the rows of each file alone: " + (line or "bytes"), lambda:
                  same(program, options, files, alone(program, options, files),
                       ways + (gpus if on_gpu else [])))


# ---- statistics ----

def check_entropies(program, files):
    got = run(program, ["--per-file", "--stats=only"] + files).stdout.decode()
    table = list(csv.reader(io.StringIO(got), delimiter="\t"))
    assert table[0] == (
        "file values outside min max mean sd mode entropy chi-square p-value "
        "distinct").split(), table[0]
    assert len(table) == 1 + len(files), table
    for name, row in zip(files, table[1:]):
        with open(name, "rb") as file:
            counts = collections.Counter(file.read())
        values = sum(counts.values())
        wanted = -sum(n / values * math.log2(n / values)
                      for n in counts.values())
        row = dict(zip(table[0], row))
        assert row["file"] == name and int(row["values"]) == values, row
        assert abs(float(row["entropy"]) - wanted) < 1e-12, (row, wanted)
        assert int(row["distinct"]) == len(counts), row
        if values == 0:
            assert row["min"] == row["mode"] == row["mean"] == "nan", row
            continue
        mean = sum(value * n for value, n in counts.items()) / values
        assert abs(float(row["mean"]) - mean) < 1e-9, row
        assert (int(row["min"]), int(row["max"])) == (min(counts),
                                                      max(counts)), row


def lines_of(program, options, name):
    """The statistics of a file alone: a dictionary of what follows a name."""
    got = run(program, options + ["--stats=only", name]).stdout.decode()
    return {line.split("\t")[0]: line.split("\t")[1:]
            for line in got.splitlines()}


def check_bounds(program, files):
    """Each figure, and its bounds, is that of the file alone."""
    options = ["--bins=10", "--range=50,150", "--percentiles=50,99.5"]
    got = run(program, ["--per-file", "--stats=only"] + options + files)
    rows = [line.split("\t") for line in got.stdout.decode().splitlines()]
    for name, row in zip(files, rows[1:]):
        row = dict(zip(rows[0], row))
        for figure, wanted in lines_of(program, options, name).items():
            # A figure that is exact here may have bounds in other files.
            columns = [figure] if figure in row else [
                column for column in rows[0] if column.startswith(figure + "_")]
            if figure in ("mean", "sd"):
                columns += [figure + "_least", figure + "_most"]
            assert columns, figure
            for column in columns:
                if figure in row and column != figure and (
                        column in lines_of(program, options, name)):
                    continue
                assert [row[column]] == wanted, (name, column, row, wanted)


# ---- names ----

def unescape(text):
    """As gpuhist-format(5) says of tsv."""
    out = bytearray()
    at = 0
    while at < len(text):
        pair = text[at:at + 2]
        special = {b"\\t": 9, b"\\n": 10, b"\\\\": 92}.get(bytes(pair))
        out.append(text[at] if special is None else special)
        at += 1 if special is None else 2
    return bytes(out)


def check_names(program):
    names = [b"plain", b"two words", b"tab\there", b"line\nfeed", b'"quoted"',
             b"com,ma", b"back\\slash", b"back\\n", b"\\N", b"pi|pe*", b" x ",
             "h\u00e9".encode(), b"latin\xe9", b"#", b"=1+1", b"\x1b[31m"]
    for name in names:
        with open(name, "wb") as file:
            file.write(b"a")
    arguments = ["--nonzero", "--per-file", "--"] + names

    got = run(program, arguments).stdout
    rows = [row.split(b"\t") for row in got.split(b"\n")[:-1]]
    assert [unescape(row[0]) for row in rows] == names, rows
    assert all(row[1:] == [b"97", b"1"] for row in rows), rows

    got = run(program, ["--format=csv"] + arguments).stdout.decode("latin1")
    rows = list(csv.reader(io.StringIO(got, newline="")))
    assert rows[0] == ["file", "value", "count"], rows[0]
    assert [row[0].encode("latin1") for row in rows[1:]] == names, rows

    def name_of(report):
        if "file_hex" in report:
            return bytes.fromhex(report["file_hex"])
        return report["file"].encode()

    got = run(program, ["--format=jsonl"] + arguments).stdout
    reports = [json.loads(line) for line in got.splitlines()]
    assert [name_of(report) for report in reports[0::2]] == names, reports
    assert [name_of(report) for report in reports[1::2]] == names, reports
    assert all("inputs" not in report for report in reports)

    text = run(program, ["--format=json"] + arguments).stdout.decode()
    reports = []
    while text:
        report, end = json.JSONDecoder().raw_decode(text)
        reports.append(report)
        text = text[end:].lstrip()
    assert [name_of(report) for report in reports] == names, reports
    assert all(report["bytes"] == 1 for report in reports)

    got = run(program, ["--format=md"] + arguments).stdout
    rows = got.decode("ascii", "replace").split("\n")
    assert rows[:2] == ["| file | value | count |", "| :--- | ---: | ---: |"]
    assert len(rows) == 2 + len(names) + 1, rows

    got = run(program, ["--stats=only"] + arguments[1:]).stdout
    rows = [row.split(b"\t") for row in got.split(b"\n")[1:-1]]
    assert [unescape(row[0]) for row in rows] == names, rows


# ---- archives ----

def make_archive(form, count):
    def members():
        for i in range(count):
            yield "dir/%07d" % i, b"%d" % i
    if form == "tar":
        with tarfile.open(fileobj=sys.stdout.buffer, mode="w|") as archive:
            for name, data in members():
                member = tarfile.TarInfo(name)
                member.size = len(data)
                archive.addfile(member, io.BytesIO(data))
        return
    with zipfile.ZipFile(sys.stdout.buffer, "w") as archive:
        for name, data in members():
            archive.writestr(name, data)


action, arguments = sys.argv[1], sys.argv[2:]
if action == "rows":
    check_rows(*arguments)
elif action == "stats":
    check("entropies of a directory", check_entropies, arguments[0],
          arguments[1:])
    check("... with bounds", check_bounds, arguments[0], arguments[1:])
elif action == "names":
    check("names with any bytes", check_names, *arguments)
else:
    make_archive(arguments[0], int(arguments[1]))
