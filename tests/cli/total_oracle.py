# SPDX-License-Identifier: MIT
"""total_oracle.py -- --per-file --total beside a run over all inputs

    total_oracle.py rows GPUHIST DRIVERS STEP   the total, with many options
    total_oracle.py counts GPUHIST              ... beside Counter, statistics
    total_oracle.py table GPUHIST               --per-file --pivot, beside Counter

The total of --per-file is wanted to be what one run prints of all inputs; the
rows of the inputs are wanted to stay as they are without --total.

DRIVERS: the directory of a CUDA driver in host memory; or empty.  STEP: only
every so many of the options.
"""

import collections
import os
import random
import statistics
import struct
import subprocess
import sys

from checks import IS_SHORT, check, has_turn

source = random.Random(47)


def run(program, arguments, **more):
    done = subprocess.run([program, "-q"] + arguments, capture_output=True,
                          timeout=300, **more)
    assert (done.returncode, done.stderr) == (0, b""), (arguments, done)
    return done.stdout


# ---- inputs ----

def write(name, data):
    with open(name, "wb") as file:
        file.write(data)
    return name


def write_binary():
    floats = [source.gauss(0, 1e3) for _ in range(2000)]
    return [
        write("short", b"\0\1\2\3" * 3),
        write("empty", b""),
        write("noise", source.randbytes(300000)),
        write("floats", struct.pack("<2000f", *floats)),
        write("zeros", bytes(4000)),
        "short",
    ]


def write_table():
    def line(i):
        return b"%d\t%s\t%d.%02d\n" % (
            source.randrange(20 * i), source.choice([b"x", b"yy", b"z z", b""]),
            source.randrange(-50, 1000), source.randrange(100))
    return [
        write("one", b"".join(line(1) for _ in range(10000))),
        write("two", b"".join(line(500) for _ in range(3000))),
        write("nothing", b""),
        write("last", b"5\tonly\t7\n9\n\t\t\n1\tx\t2"),
        "one",
    ]


def write_csv():
    return [
        write("a.csv", b'id,name,size\n1,x,2.5\n3,"y\n, z",4\n'),
        write("none.csv", b"id,name,size\n"),
        write("b.csv", b"id,name,size\n" + b'9,"x",1e3\n' * 30000),
        write("c.csv", b"id,name,size\n" + b'7,w,-0.125\n2,,8\n' * 30),
    ]


def write_jsonl():
    def line(i):
        return b'{"user":{"id":%d},"tags":[%s]}\n' % (i % 7, b",".join(
            b'"%c"' % source.choice(b"abcdef")
            for _ in range(source.randrange(4))))
    return [write(name, b"".join(line(i) for i in range(lines)))
            for name, lines in (("a.jsonl", 3), ("b.jsonl", 2000))]


def write_reads():
    def read(name, i):
        length = source.randrange(30, 60)
        bases = bytes(source.choice(b"ACGTN") for _ in range(length))
        marks = bytes(source.randrange(33, 74) for _ in range(length))
        return b"@%s:%d:%d\n%s\n+\n%s\n" % (name, i % 3, i, bases, marks)
    return [
        write("R1.fq", b"".join(read(b"a", i) for i in range(400))),
        write("R2.fq", b"".join(read(b"b", i) for i in range(350))),
        write("none.fq", b""),
    ]


BINARY = """

--nonzero
--header-out --percent --cumulative
--dtype=u2 --nonzero
--dtype=u2 --bins=7 --flow=show
--dtype=i1 --bins=10
--dtype=i1 --bins=6 --density
--dtype=f4 --bins=10 --range=auto
--dtype=f4 --bins=10 --numpy --range=-100,100
--dtype=u4 --log
--dtype=f4 --log=10
--dtype=u4 --edges=0,1e3,1e6,1e9
--top=3 --percent
--sort=count --max-count=1300
--min-count=300
--record=u2,u2 --joint --bins=4 --range=auto
--record=u2,u2 --weights=2 --shift=8
--record=u2,u2 --weights=2 --range=auto --bins=9
--record=u1,x*2,i1 --bins=5
--record=u1,u1,u2 -g1 -f3 --columns=count,mean,p90 --top=5
--dtype=u4 --nonzero
--dtype=f4 --top=5
--dtype=f4 --columns=count,nan,min,max,mean,sd
--dtype=f4 --columns=p50,p99,n50,distinct,mode
--columns=entropy,chi-square,distinct,serial,pi
--dtype=u4 --bins=300000 --range=0,4294967296 --nonzero
--flow=clamp --range=10,90
--read-bytes=4000 --nonzero
--format=csv --labels=char --nonzero
--format=jsonl --nonzero
"""

TABLE = """
-l
-l --top=2
-l --format=csv --sort=count
-l --columns=count,distinct
--tsv -g1
--tsv -g1,2 --top=4 --no-other
--tsv -g2,1 --top-each=2 --percent=group
--tsv -f1 --dtype=int
--tsv -f3 --bins=8
--tsv -f1,3 --joint --bins=5
--tsv -f1 --bins=6 --weights=3
--tsv -g2 -f3 --bins=8 --range=auto
--tsv -g2 -f3 --bins=8 --weights=1
--tsv -g2 -f3 --columns=count,mean,sd,sum,min,max
--tsv -g2 -f3 --columns=p50,p99.9,distinct,mode --sort=p50 --top=2
--tsv -g2 --columns=count,1:mean,3:sum,3:median --format=csv
--tsv -g2 --weights=3 --format=csv
--tsv -g1 --min-count=5
--tsv -f1,2 --format=csv
--tsv -g2 -f3 --where=1>50
--tsv -g2:upper
--words --top=7
--tsv --profile
--tsv -g2 --format=jsonl
"""

CSV = """
--csv -g name
--csv -f size --bins=4
--csv -g id --weights=size
--csv -g name --columns=count,size:mean,size:p50,id:max
--csv --profile --format=csv
"""

JSONL = """
--jsonl -f user.id
--jsonl -g user.id -f tags[]
--jsonl -f tags[] --top=3 --percent
"""

READS = """
--seq
--seq -f position,quality --joint
--seq -f quality --columns=count,mean,p10,p50
--seq -g position -f quality --columns=mean,q1
--seq -f length,gc --columns=count,mean,n50
--seq -f name:field=2":" --where=length>=40
--kmers=3
--kmers=3 --full
--kmers=5 --canonical --top=9
--kmers=15 --top=4
--kmers=40 --min-count=2
--seq --sample=50% -f length
--seq --reads=300 -f base
--seq --format=seqkit-tsv
"""


# ---- rows ----

def is_provenance(row):
    """Whether ROW of jsonl has the options, which differ."""
    return b'"options":[' in row


def split(printed, options):
    """The rows of the inputs, with a header if there is one, and the total's."""
    rows = printed.splitlines(keepends=True)
    total = b"total"
    if "--format=jsonl" in options:
        rows = [row for row in rows if not is_provenance(row)]
        total = b'{"file":"total"'
    first = next((i for i, row in enumerate(rows) if row.startswith(total)),
                 len(rows))
    return b"".join(rows[:first]), b"".join(rows[first:])


def of_all(program, options, files):
    """The rows of one run over all FILES, behind a name."""
    if "--format=seqkit-tsv" in options:
        data = b"".join(open(name, "rb").read() for name in files)
        row = run(program, options + [write("all.fq", data)]).splitlines()[1]
        return row.replace(b"all.fq", b"total") + b"\n"
    rows = run(program, options + files)
    if "--format=jsonl" in options:
        return b"".join(b'{"file":"total",' + row[1:]
                        for row in rows.splitlines(keepends=True)
                        if not is_provenance(row))
    is_csv = "--format=csv" in options
    if is_csv or "--header-out" in options or "--profile" in options:
        rows = rows.split(b"\n", 1)[1]
    named = []
    # Values with line feeds are in quotes.
    is_within = False
    for row in rows.splitlines(keepends=True):
        if not is_within:
            named.append(b"total," if is_csv else b"total\t")
        named.append(row)
        is_within ^= is_csv and row.count(b'"') % 2 == 1
    return b"".join(named)


def same(program, options, files, ways):
    wanted = of_all(program, options, files)
    inputs, none = split(run(program, ["--per-file"] + options + files),
                         options)
    assert wanted and none == b"", (wanted, none)
    for number, (way, environment) in enumerate(ways):
        if number > 0 and not has_turn(3):
            continue
        got = split(run(program, ["--per-file", "--total"] + way + options +
                        files, env=dict(os.environ, **environment)), options)
        assert got[0] == inputs, (way, got[0][:300], inputs[:300])
        assert got[1] == wanted, (way, got[1][:300], wanted[:300])


def check_rows(program, drivers, step):
    ways = [([], {}), (["-j1"], {}), (["-j8"], {}),
            (["-j4", "--chunk-size=4096"], {})]
    gpus = []
    if drivers:
        fake = {"LD_LIBRARY_PATH": drivers}
        gpus = [(["--device=cuda", "--chunk-size=50000"], fake),
                (["--gpu-after=0", "-j2"], fake)]
    for group, files in ((BINARY, write_binary()), (TABLE, write_table()),
                         (CSV, write_csv()), (JSONL, write_jsonl()),
                         (READS, write_reads())):
        for line in group.split("\n")[1:-1:int(step)]:
            options = line.split()
            # Numbers that occur are counted on the CPU.
            on_gpu = (group is BINARY and "--columns" not in line and
                      line not in ("--dtype=u4 --nonzero", "--dtype=f4 --top=5"))
            check("the total is that of one run: " + (line or "bytes"), lambda:
                  same(program, options, files, ways + (gpus if on_gpu else [])))


# ---- counts ----

def check_counts(program):
    numbers = [[source.randrange(1000) for _ in range(count)]
               for count in (3000, 1, 0, 500)]
    files = [write("list%d" % i, b"".join(b"%d\n" % n for n in some))
             for i, some in enumerate(numbers)]
    values = [n for some in numbers for n in some]

    got = run(program, ["--per-file", "--total", "-l", "--sort=count"] + files)
    rows = [row.split("\t") for row in got.decode().splitlines()]
    for name, some in list(zip(files, numbers)) + [("total", values)]:
        counts = collections.Counter(map(str, some))
        wanted = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        assert [(row[1], int(row[2])) for row in rows
                if row[0] == name] == wanted, name
    assert len(rows) == sum(len(set(some)) for some in numbers + [values])

    got = run(program, ["--per-file", "--total", "--tsv", "-f1",
                        "--columns=count,sum,median,sd,distinct"] + files)
    row = got.decode().splitlines()[-1].split("\t")
    wanted = [len(values), sum(values), sorted(values)[(len(values) - 1) // 2],
              len(set(values))]
    assert row[0] == "total", row
    assert [int(row[i]) for i in (1, 2, 3, 5)] == wanted, (row, wanted)
    assert abs(float(row[4]) - statistics.pstdev(values)) < 1e-9, row


# ---- a column for each input ----

def key_of(parts):
    """The order of keys: missing ones follow."""
    return [(part is None, part or b"") for part in parts]


def shown(part):
    return b"\\N" if part is None else part


def table_of(counts, files, top):
    """The lines of the table of COUNTS, a Counter of keys for each of FILES."""
    total = sum(counts.values(), collections.Counter())
    rows = sorted(total, key=key_of)
    others = [row for row in rows if None not in row]
    # Rows without any key stay.
    kept = set(sorted(others, key=lambda row: -total[row])[:top]) if top else None
    lines = [row for row in rows if kept is None or row in kept]
    if top:
        lines.sort(key=lambda row: -total[row])
    names = sorted(name for name in files if counts[name])
    table = [tuple(map(shown, row)) +
             tuple(b"%d" % counts[name][row] for name in names)
             for row in lines]
    rest = [row for row in rows if row not in lines]
    if rest:
        table.append((b"\\other",) * len(rows[0]) + tuple(
            b"%d" % sum(counts[name][row] for row in rest) for name in names))
    return [name.encode() for name in names], table


def check_table(program):
    for case in range(12 if not IS_SHORT else 4):
        files = {}
        for i in source.sample(range(20), source.randrange(1, 8)):
            files["in%d.tsv" % i] = [
                (source.choice([b"a", b"bb", b"", b"z z", b"9"]),
                 b"%d" % source.randrange(40))
                for _ in range(source.choice([0, 1, 30, 2000]))]
        names = source.sample(sorted(files), len(files))
        for name in names:
            write(name, b"".join(b"\t".join(line) + b"\n"
                                 for line in files[name]))
        keys, top = source.choice([(2, 0), (1, 0), (1, 3), (2, 5)])
        counts = {name: collections.Counter(line[:keys] for line in files[name])
                  for name in names}
        columns, table = table_of(counts, names, top)
        options = ["--tsv", "-g", "1,2"[:2 * keys - 1], "--per-file", "--pivot"]
        options += ["--top=%d" % top] if top else []
        for way in ([], ["-j1"], ["-j6", "--chunk-size=4096"],
                    ["--memory-limit=8Mi"]):
            got = [tuple(line.split(b"\t"))
                   for line in run(program, options + way + names).splitlines()]
            assert list(got[0][keys:]) == columns, (got[0], columns)
            assert got[1:] == table, (case, options, way, got[1:9], table[:8])


action, arguments = sys.argv[1], sys.argv[2:]
if action == "rows":
    check_rows(*arguments)
elif action == "table":
    check("a table of inputs beside Counter", check_table, *arguments)
else:
    check("the total beside Counter and statistics", check_counts, *arguments)
