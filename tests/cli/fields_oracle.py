# SPDX-License-Identifier: MIT
"""fields_oracle.py -- fields of text, as other programs find them

    fields_oracle.py PRINT_FIELDS

PRINT_FIELDS is the program of tests/print_fields.c.  Its fields must be those
of cut(1), gawk(1), mawk(1) and Python's csv module; those of CLF must be those
of a regular expression.  Prints a line for each test, "PASS name" or "FAIL
name", for the shell to count.
"""

import csv
import io
import random
import re
import shutil
import subprocess
import sys

from checks import check
import clf_lines

PRINT_FIELDS = sys.argv[1]
LINES, DELIMITED, WHITESPACE, CLF, CSV, WORDS = range(6)
ROUNDS = 40


def fields(kind, data, wanted, delimiter=b"\t", end=b"\n", comment=-1):
    """All records: lists of fields, None if one is missing, "!" if the record
    does not fit."""
    done = subprocess.run(
        [PRINT_FIELDS, str(kind), str(delimiter[0]), str(end[0]), str(comment),
         wanted], input=data, capture_output=True)
    assert done.returncode == 0, (data, done)
    return [[None if text == b"-" else "!" if text == b"!"
             else bytes.fromhex(text.decode())
             for text in line.split(b"\t")[:-1]]
            for line in done.stdout.split(b"\n")[:-1]]


def run(command, data):
    return subprocess.run(command, input=data, capture_output=True,
                          check=True).stdout


def text(units, weights=None):
    """Random text: some kilobytes of UNITS."""
    return b"".join(random.choices(units, weights,
                                   k=random.choice((3, 50, 400, 5000))))


def records(data, end):
    return data[:-1].split(end) if data.endswith(end) else data.split(end)


def test_lines(end):
    for _ in range(ROUNDS):
        data = text([b"a", b"bc" * 20, b" ", b"\r", b"\n", b"\0"])
        wanted = [[line] for line in records(data, end)]
        if fields(LINES, data, "1", end=end) != wanted:
            raise AssertionError(data)


def test_cut(end):
    """
    cut -s leaves out records without the delimiter.  If the last record has no
    end, cut of coreutils 9.1 may add none.
    """
    for _ in range(ROUNDS):
        delimiter = random.choice([b",", b"\t", b"x"])
        column = random.randrange(4)
        data = text([b"a", b"b" * 30, delimiter, b"\r", b'"', b"\n", b"\0"],
                    [5, 3, 4, 1, 1, 1, 1]) + b"a" + end
        cut = ["cut", "-s", "-d", delimiter, "-f", "1237"[column]]
        out = run(cut + (["-z"] if end == b"\0" else []), data)
        ours = [row[column] or b"" for row in
                fields(DELIMITED, data, "1,2,3,7", delimiter, end)
                if row[1] is not None]
        if b"".join(field + end for field in ours) != out:
            raise AssertionError(data)


AWK = r"""{
    n = split(wanted, number, ",")
    for (i = 1; i <= n; i++) {
        k = number[i] <= 0 ? NF + number[i] : number[i]
        printf "%s\036", (k < 1 || k > NF) ? "\037" : $k
    }
    printf "\035"
}"""


def test_awk(awk, separator, end):
    """SEPARATOR is None for awk's own fields."""
    for _ in range(ROUNDS):
        units = [b"a", b"bc" * 20, b" ", b"\t", b"\r", b"\v", b"\f", b"\n",
                 b'"', b"[", b"\\"]
        if end == b"\0":
            units.append(b"\0")
        data = text(units + ([separator] * 3 if separator else []))
        command = [awk] + (["-b"] if awk == "gawk" else [])
        if separator:
            command += ["-F", separator]
        if end == b"\0":
            command += ["-v", "RS=\\0"]
        command += ["-v", "wanted=1,2,5,0,-1,-3", AWK]
        wanted = [[None if field == b"\037" else field
                   for field in row.split(b"\036")[:-1]]
                  for row in run(command, data).split(b"\035")[:-1]]
        ours = fields(DELIMITED if separator else WHITESPACE, data,
                      "1,2,5,NF,NF-1,NF-3", separator or b"\t", end)
        if separator:
            # To awk an empty record has no field; to cut it has one.
            empty = [b"", None, None, b"", None, None]
            ours = [[None] * 6 if row == empty and not wanted[i][0] else row
                    for i, row in enumerate(ours)]
        if ours != wanted:
            raise AssertionError(data)


def test_csv(delimiter, units, weights=None):
    for _ in range(ROUNDS):
        data = text(units, weights)
        ours = fields(CSV, data, "1-6,NF,NF-1", delimiter)
        reader = csv.reader(io.StringIO(data.decode("latin-1"), newline=""),
                            delimiter=delimiter.decode())
        wanted = []
        for row in reader:
            # To csv an empty record has no field.
            row = [field.encode("latin-1") for field in row] or [b""]
            wanted.append((row + [None] * 6)[:6] +
                          [row[-1], row[-2] if len(row) > 1 else None])
        if ours != wanted:
            raise AssertionError(data)


def test_csv_writer():
    """What csv writes is read back."""
    for quoting in csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC:
        rows = [["".join(random.choices('ab", \n\r;', k=random.randrange(9)))
                 for _ in range(5)] for _ in range(2000)]
        out = io.StringIO(newline="")
        csv.writer(out, quoting=quoting).writerows(rows)
        ours = fields(CSV, out.getvalue().encode(), "1-5,NF", b",")
        if ours != [[field.encode() for field in row + row[-1:]]
                    for row in rows]:
            raise AssertionError(out.getvalue())


CLF_FIELD = re.compile(rb'"((?:\\.|[^"\\]|\\$)*)"?|\[([^\]]*)\]?|([^ \t]+)',
                       re.DOTALL)


CLF_HEADS = [
    b'h - - [22/Nov/2026:08:01:05 +0100] "GET / HTTP/1.1" 200 5',
    b'h - "" [22/Nov/2026:08:01:05 +0100] "a \\" b"  - - ',
    b'h - - [22/Nov/2026:08:01:05 +0100] "', b'h - - ',
    b'v:80 h.n - - [22/Nov/2026:08:01:05 +0100] "GET / HTTP/1.1" 200 5',
    b'v ::1 - "" [22/Nov/2026:08:01:05 +0100] "a \\" b"  - - ',
    b'v.w h - - [22/Nov/2026:08:01:05 +0100] "" 200 5', b'v:80 h. - ',
]


def test_clf():
    for _ in range(ROUNDS):
        data = text([b"a", b"bc" * 20, b" ", b"  ", b'"', b"[", b"]", b"\\",
                     b"\\\"", b"\r\n", b"\n", b'"GET / HTTP/1.1" ', b"\r"])
        lines = [random.choice([b"", *CLF_HEADS]) + line
                 for line in records(data, b"\n")]
        data = b"\n".join(lines) + b"\n"
        wanted = []
        for line in lines:
            if line.endswith(b"\r"):
                line = line[:-1]
            if not clf_lines.is_blank(line) and not clf_lines.fits(line):
                wanted.append(["!"] * 13)
                continue
            row = [next((group for group in match.groups()
                         if group is not None))
                   for match in CLF_FIELD.finditer(clf_lines.divide(line)[1])]
            wanted.append((row + [None] * 12)[:12] +
                          [row[-1] if row else None])
        if fields(CLF, data, "1-12,NF") != wanted:
            raise AssertionError(data)


def test_words():
    for _ in range(ROUNDS):
        data = text([b"a", b"bc" * 20, b" ", b"\t", b"\n", b"\r"])
        wanted = [[word] for word in re.split(rb"[ \t\n]+", data) if word]
        if fields(WORDS, data, "1") != wanted:
            raise AssertionError(data)


def test_comments():
    """As grep -v, for all kinds that take lines for records."""
    for kind in LINES, DELIMITED, WHITESPACE, CLF, CSV:
        for _ in range(ROUNDS):
            data = text([b"a,", b"b\t", b"#", b"\n", b"\n#"]) + b"\n"
            kept = b"".join(line + b"\n" for line in records(data, b"\n")
                            if not line.startswith(b"#"))
            if fields(kind, data, "1,2,NF", b",", comment=ord("#")) != \
                    fields(kind, kept, "1,2,NF", b","):
                raise AssertionError(data)


random.seed(16)
for END in b"\n", b"\0":
    NAME = ", end %d" % END[0]
    check("lines" + NAME, test_lines, END)
    check("cut" + NAME, test_cut, END)
    for PROGRAM in "gawk", "mawk":
        if shutil.which(PROGRAM):
            check(PROGRAM + NAME, test_awk, PROGRAM, None, END)
            check(PROGRAM + " -F" + NAME, test_awk, PROGRAM, b",", END)
check("csv", test_csv, b",",
      [b"a", b"bcd" * 9, b",", b'"', b"\n", b"\r\n", b" "])
check("csv with semicolons", test_csv, b";",
      [b"a", b"b,c", b";", b'"', b"\r\n", b'""', b'";"'])
check("csv with few quotes", test_csv, b",",
      [b"a", b"bcd" * 9, b",", b'"', b"\n", b',"a""b",'],
      [30, 10, 10, 1, 3, 3])
check("csv with quotes in the middle", test_csv, b",",
      [b'aa"aa', b",", b'"x\r\ny"', b"\r\n", b'"', b""])
check("what csv writes", test_csv_writer)
check("CLF", test_clf)
check("words", test_words)
check("comments", test_comments)
