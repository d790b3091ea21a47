# SPDX-License-Identifier: MIT
"""csv_ranges_oracle.py -- large files of CSV, which several readers share

    csv_ranges_oracle.py GPUHIST

Random data with lines in quotes, so that the ends of ranges are inside of them,
counted in short chunks by several threads, and by Python's csv module.  Data
with an error must have the same message as in a pipe, which has one reader.
Prints a line for each test, "PASS name" or "FAIL name", for the shell to count.
"""

import collections
import csv
import io
import itertools
import json
import os
import random
import re
import subprocess
import sys

from checks import IS_INSTRUMENTED, IS_SHORT, check, has_turn

GPUHIST = sys.argv[1]
csv.field_size_limit(1 << 30)
SHARED_BYTES = 1 << 17  # smaller files have one reader


def field(source, longest):
    kind = source.random()
    if kind < 0.4:
        return source.choice(["", "x", "ab", "12", "a\"b", "ä"])
    length = source.randrange(longest if kind > 0.98 else 12)
    text = "".join(source.choices('ab"\n,\r#', k=length))
    return '"' + text.replace('"', '""') + '"' + source.choice(["", "", "c"])


def table(source, size, longest):
    end = source.choice(["\n", "\r\n"])
    rows = []
    written = 0
    while written < size:
        rows.append(",".join(field(source, longest)
                             for _ in range(source.choice([1, 3, 3, 4]))))
        if rows[-1].startswith("#"):
            rows[-1] = "-" + rows[-1]
        if source.random() < 0.05:
            rows.append('#, "' + "x" * source.randrange(9))
        written += len(rows[-1]) + 2
    return end.join(rows) + source.choice(["", end])


def counts_of(rows, number):
    counts = collections.Counter()
    for row in rows:
        counts[row[number - 1] if number <= len(row) else None] += 1
    return counts


def rows_of(text):
    """The records but comments; a comment is known only between records.  A
    blank line has no fields."""
    lines = iter(io.StringIO(text, newline="\n"))
    for line in lines:
        if not line.startswith("#"):
            yield next(csv.reader(itertools.chain([line], lines)))


def run(options, data=None, name="table"):
    return subprocess.run(
        [GPUHIST, "--csv", *options] + ([] if data is not None else [name]),
        input=data, stdin=subprocess.DEVNULL if data is None else None,
        capture_output=True, timeout=120, check=False)


def prove(text, options, number, has_header):
    with open("table", "w", encoding="utf-8", newline="") as file:
        file.write(text)
    rows = list(rows_of(text))
    columns = len(next(filter(None, rows), []))
    is_single = has_header and columns < 2
    rows = [row or [""] for row in rows if row or is_single][has_header:]
    done = run([*options, "--format=json", f"-f{number}"]
               + ["-H"] * has_header)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["records"] == len(rows), (report["records"], len(rows))
    assert report["bytes"] == len(text.encode()), report["bytes"]
    got = collections.Counter()
    for row in report["histograms"][0]["bins"]:
        got[row[f"field{number}"]] += row["count"]
    for row in report["histograms"][0]["flow"]:
        if row["count"] > 0:
            got[None] += row["count"]
    wanted = counts_of(rows, number)
    assert got == wanted, (got - wanted, wanted - got)


def prove_error(data, options):
    """The same message in a file and in a pipe, but for the limit."""
    limit = re.compile(rb"record of \d+ bytes")
    with open("table", "wb") as file:
        file.write(data)
    piped = run(options, data)
    wanted = limit.sub(
        b"", piped.stderr.replace(b"standard input:", b"table:"))
    assert piped.returncode == 1 and b"quote at byte" in wanted, piped
    for threads in "1", "3", "16":
        done = run(options + ["-j" + threads])
        assert (done.returncode, limit.sub(b"", done.stderr),
                done.stdout) == (1, wanted, b""), (threads, done, wanted)


def main():
    source = random.Random(20)
    cases = 4 if IS_INSTRUMENTED else 12 if IS_SHORT else 40
    for number in range(int(sys.argv[2]) if len(sys.argv) > 2 else cases):
        longest = source.choice([10, 100, 3000, 100000])
        size = SHARED_BYTES + source.choice([20000, 20000, 500000])
        text = table(source, size, longest)
        has_header = source.random() < 0.3 and not text.startswith("#")
        options = ["-j" + source.choice(["1", "2", "8", "16"]),
                   f"--chunk-size={source.choice([100, 1000, 5000, 60000])}",
                   "--comment=#"]
        check(f"table {number}, {len(text)} bytes: {options}, "
              f"up to {longest}, header {has_header}",
              prove, text, options, source.choice([1, 2, 3]), has_header)
    lines = b"".join(b'%d,"a\n%d"\n' % (i, i) for i in range(40000))
    for name, data in [
            ("at the end", lines + b'x,"y\n'),
            ("in the middle", lines + b'x,y"z,"open\n' + lines.replace(b'"', b"")),
            ("at the begin", b'1,b"c\nd,"x\n,y' + lines.replace(b'"', b"")),
            ("of many", lines + b'"' + b"\n" * 200000)]:
        for options in [[], ["--chunk-size=1000"], ["--chunk-size=50000"],
                        ["--chunk-size=1000", "--dtype=num"],
                        ["--chunk-size=1000", "--memory-limit=32Mi"]]:
            if IS_INSTRUMENTED and not has_turn(6):
                continue
            check(f"a quote without an end {name}: {options}",
                  prove_error, data, ["-f1"] + options)
    # More than fits into the buffer for long records.
    data = lines + b'"' + lines.replace(b'"', b"") * 20 + b'"\n' + lines
    check("a long record", prove_error, data,
          ["-f1", "--memory-limit=16Mi", "--chunk-size=100000"])


main()
