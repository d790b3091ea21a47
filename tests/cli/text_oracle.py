# SPDX-License-Identifier: MIT
"""text_oracle.py -- keys of text, counted by Python

    text_oracle.py GPUHIST

Random bytes with many ends, delimiters and blanks, in one or several inputs,
by any threads and chunks.  Each run must print what a Counter of bytes says.
Prints a line for each test, "PASS name" or "FAIL name", for the shell to count.
"""

import collections
import json
import random
import subprocess
import sys

from checks import IS_SHORT, check

GPUHIST = sys.argv[1]
ALPHABETS = [b"ab \t\n", b"ab,;\n\r", bytes(range(256)), b"a\n", b"a \n\0",
             b"abcdefgh \t#\n"]
SIZES = [0, 1, 5, 63, 64, 65, 100, 1000, 20000, 300000]


def make_data(source):
    alphabet = source.choice(ALPHABETS)
    weights = [source.choice([1, 1, 1, 5, 20]) for _ in alphabet]
    return bytes(source.choices(alphabet, weights, k=source.choice(SIZES)))


def records_of(data, end, comment):
    records = data.split(end)
    if records[-1] == b"":
        records.pop()
    return [x for x in records if not (comment and x.startswith(comment))]


def fields_of(record, kind, end):
    """The fields of a record, as cut(1) or awk(1) see them."""
    if kind == "lines":
        return [record]
    if kind != "blanks":
        return record.split(kind)
    for blank in b" \t" if end == b"\n" else b" \t\n":
        record = record.replace(bytes([blank]), b" ")
    return [x for x in record.split(b" ") if x]


class Case:
    """Inputs, options, and what must come of them."""

    def __init__(self, source, number):
        self.files = []
        self.data = []
        for i in range(source.choice([1, 1, 2, 3])):
            self.files.append(f"case{i}")
            self.data.append(make_data(source))
            with open(self.files[i], "wb") as file:
                file.write(self.data[i])
        end = self.end = source.choice([b"\n", b"\n", b"\0"])
        comment = source.choice([b"", b"", b"#", b"a"])
        kind = source.choice(["lines", "blanks", b"\t", b",", b"a", b" "])
        field = source.choice([1, 1, 2, 3, 9])
        self.options = {"lines": ["-l"], "blanks": ["-W", f"-f{field}"],
                        b"\t": ["--tsv", f"-f{field}"]}.get(kind)
        if self.options is None:
            self.options = ["-d", kind.decode(), f"-f{field}"]
        if end == b"\0":
            self.options.append("-z")
        if comment:
            self.options.append("--comment=" + comment.decode())
        self.keys = collections.Counter()
        self.missing = 0
        longest = 100
        for data in self.data:
            longest = max([longest] + [len(x) + 1 for x in data.split(end)])
            for record in records_of(data, end, comment):
                fields = fields_of(record, kind, end)
                if kind == "lines":
                    self.keys[record] += 1
                elif field <= len(fields):
                    self.keys[fields[field - 1]] += 1
                else:
                    self.missing += 1
        self.chunks = source.choice([[], [], [f"--chunk-size={longest}"]])
        self.chunks.append("-j" + source.choice("124"))
        self.is_redirected = len(self.files) == 1 and source.random() < 0.3
        self.name = f"case {number}: " + " ".join(
            self.options + self.chunks + [str(len(x)) for x in self.data])

    def run(self, *options):
        files = [] if self.is_redirected else self.files
        with open(self.files[0], "rb") as data:
            done = subprocess.run(
                [GPUHIST, *self.options, *self.chunks, *options, *files],
                stdin=data if self.is_redirected else subprocess.DEVNULL,
                capture_output=True, timeout=120, check=False)
        assert done.returncode == 0, done
        return done

    def prove(self):
        rows = sorted(self.keys.items())
        wanted = b"".join(b"%7d %s%s" % (n, key, self.end) for key, n in rows)
        got = self.run("--format=uniq")
        assert got.stdout == wanted, "uniq"
        is_warned = b"the field and " in got.stderr
        assert is_warned == (self.missing > 0), got.stderr
        report = json.loads(self.run("--format=json").stdout)
        assert report["records"] == sum(self.keys.values()) + self.missing
        assert report["bytes"] == sum(map(len, self.data))


def main():
    source = random.Random(16)
    for number in range(20 if IS_SHORT else 60):
        case = Case(source, number)
        check(case.name, case.prove)


main()
