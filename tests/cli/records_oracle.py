# SPDX-License-Identifier: MIT
"""records_oracle.py -- CSV, logs and words, counted by Python

    records_oracle.py GPUHIST

Random data, with headers and without, in one or several inputs, by any threads
and chunks.  Python's csv module reads the CSV; regular expressions that have
nothing in common with the program read the logs.  Prints a line for each test,
"PASS name" or "FAIL name", for the shell to count.
"""

import collections
import csv
import json
import os
import random
import re
import subprocess
import sys

from checks import IS_SHORT, check
import clf_lines

GPUHIST = sys.argv[1]
INVALID = "invalid"
csv.field_size_limit(1 << 30)


def run(options, files, data=None):
    with open(files[0], "rb") as first:
        return subprocess.run(
            [GPUHIST, *options, *([] if data else files)],
            stdin=first if data else subprocess.DEVNULL,
            capture_output=True, timeout=120, check=False)


def counts_of(stdout):
    """[(field, Counter)] of JSON; the missing are counted as None, those of
    wrong lines as INVALID."""
    result = []
    report = json.loads(stdout)
    for histogram in report["histograms"]:
        counts = collections.Counter()
        name = histogram["axes"][0]["name"]
        for row in histogram["bins"]:
            key = (bytes.fromhex(row[name + "_hex"]) if name + "_hex" in row
                   else row[name].encode())
            counts[key] += row["count"]
        for row in histogram["flow"]:
            assert row["flow"] in ("missing", INVALID), row
            if row["count"] > 0:
                counts[None if row["flow"] == "missing" else INVALID] += (
                    row["count"])
        result.append((histogram["axes"][0]["field"], counts))
    return report, result


class Case:
    """Inputs and options; .rows has the fields of the records of all inputs."""

    def prove(self):
        done = run(self.options + ["--format=json"] + self.chunks, self.files,
                   self.is_redirected)
        if self.prove_messages(done):
            return
        assert done.returncode == 0, done
        report, got = counts_of(done.stdout)
        assert report["records"] == len(self.rows), report["records"]
        assert report["bytes"] == self.bytes, report["bytes"]
        for (name, counts), (wanted_name, pick) in zip(got, self.wanted):
            assert name == wanted_name, (name, wanted_name)
            values = (pick(row) for row in self.rows)
            wanted = collections.Counter(
                value if value in (None, INVALID) else value[:self.prefix]
                for value in values)
            assert counts == wanted, (name, counts - wanted, wanted - counts)
        assert len(got) == len(self.wanted)

    def prove_messages(self, done):
        """Whether the run must fail; then it has."""
        return False

    def write(self, source, datas):
        self.files = []
        for i, data in enumerate(datas):
            self.files.append(f"records{i}")
            with open(self.files[i], "wb") as file:
                file.write(data)
        self.bytes = sum(map(len, datas))
        self.is_redirected = len(datas) == 1 and source.random() < 0.3

    def choose_prefix(self, source):
        self.prefix = source.choice([None, None, None, 1, 2, 13])
        if self.prefix:
            self.options.append(f"--prefix={self.prefix}")

    def choose_chunks(self, source, longest):
        self.choose_prefix(source)
        self.chunks = source.choice([[], [], [f"--chunk-size={longest + 1}"],
                                     [f"--chunk-size={longest * 3}"]])
        self.chunks = self.chunks + ["-j" + source.choice("124")]


# ---- CSV ----

ALPHABETS = ['ab",\n', 'a"",,\n', 'abcdefgh",,\n\n', 'a",;\n#',
             'abcdefghijklmnopqrstuvwxyzäß🙂,\n"']
SIZES = [0, 1, 5, 63, 64, 65, 200, 3000, 40000, 300000]


def quoted(source):
    """A well-formed file, as programs write it."""
    text = []
    end = source.choice(["\n", "\r\n"])
    width = source.choice([1, 2, 5])
    for _ in range(source.choice([1, 30, 3000])):
        row = []
        for _ in range(width):
            field = "".join(source.choices('ab"\r\n,', k=source.choice(
                [0, 1, 3, 8, 60])))
            is_plain = not set(field) & set('"\r\n,')
            row.append(field if is_plain and source.random() < 0.8
                       else '"' + field.replace('"', '""') + '"')
        text.append(",".join(row) + end)
    if source.random() < 0.3:
        text[-1] = text[-1][:-len(end)]
    return "".join(text)


def csv_rows(text, delimiter, comment):
    """(fields, size) of each record, by Python's csv module; a blank line has
    no fields."""
    lines = re.findall(r"[^\n]*\n|[^\n]+\Z", text)
    at = 0
    while at < len(lines):
        if comment and lines[at].startswith(comment):
            at += 1
            continue
        # One record at a time: a comment is known only between them.
        taken = []

        def feed(start):
            for i in range(start, len(lines)):
                taken.append(lines[i])
                yield lines[i]
        row = next(csv.reader(feed(at), delimiter=delimiter))
        yield row, len("".join(taken).encode())
        at += len(taken)


def is_open(text, delimiter, comment):
    """Whether a quote has no end: a marker after it would be inside."""
    rows = list(csv_rows(text + '\n"mark"', delimiter, comment))
    return rows[-1][0] != ["mark"]


class Csv(Case):
    def __init__(self, source, number):
        delimiter = source.choice([",", ",", ";", "\t"])
        comment = source.choice(["", "", "", "#", "a", "##", "a,"])
        names = source.choice([None, None, ["x", "the y", "z\nz"]])
        self.rows = []
        datas = []
        longest = 200
        self.is_open = False
        self.columns = 0 if names is None else len(names)
        for _ in range(source.choice([1, 1, 3])):
            if comment[:1] != "a" and source.random() < 0.4:
                text = quoted(source).replace(",", delimiter)
            else:
                alphabet = source.choice(ALPHABETS)
                text = "".join(source.choices(alphabet,
                                              k=source.choice(SIZES)))
                if source.random() < 0.5:  # quotes count at the begin only
                    text = text.replace('"', source.choice(['b"', ',"x",']))
            if is_open(text, delimiter, comment):
                text += '"'
            if is_open(text, delimiter, comment):
                text = ""
            if names is not None and (text or source.random() < 0.5):
                head = source.choice(["", "\ufeff"]) + delimiter.join(
                    ['x', '"the y"', '"z\nz"']) + "\n"
                if comment and source.random() < 0.5:
                    head = head[:head[0] == "\ufeff"] + comment + ' "\n' + (
                        head.lstrip("\ufeff"))
                longest = max(longest, len(head.encode()))
                body, text = text, head + text
            else:
                body = text
            rows = list(csv_rows(body, delimiter, comment))
            if rows and self.columns == 0:
                self.columns = 3  # field 3 is asked for
            for row, size in rows:
                if row or self.columns == 1:
                    self.rows.append([x.encode() for x in row or [""]])
                longest = max(longest, size)
            # A comment is as long as its line.
            longest = max([longest] + [len(x.encode()) + 1
                                       for x in text.split("\n")])
            datas.append(text.encode())
        self.write(source, datas)
        self.options = ["--csv"]
        if delimiter != ",":
            self.options += ["-d", "\\t" if delimiter == "\t" else delimiter]
        if comment:
            self.options.append("--comment=" + comment)
        if names is None:
            self.wanted = [(1, self.nth(1)), (3, self.nth(3)),
                           ("NF", lambda row: row[-1]),
                           ("NF-1", lambda row: row[-2] if len(row) > 1
                            else None)]
            self.options.append("-f1,3,NF,NF-1")
        else:
            self.wanted = [("the y", self.nth(2)), ("x", self.nth(1)),
                           (3, self.nth(3))]
            self.options.append("-fthe y,x,3")
            if source.random() < 0.5:
                self.options.append("-H")
        self.choose_chunks(source, longest)
        self.name = f"CSV {number}: {self.options + self.chunks} " + " ".join(
            str(len(x)) for x in datas)

    @staticmethod
    def nth(n):
        return lambda row: row[n - 1] if n <= len(row) else None


# ---- logs ----

MONTHS = clf_lines.MONTHS
TIME = re.compile(rb"(\d\d)/(%s)/(\d{4}):(\d\d):(\d\d):(\d\d)(?: .*)?\Z"
                  % "|".join(MONTHS).encode(), re.S)
# What is not closed extends to the end.
TOKEN = re.compile(rb'[ \t]*(?:"((?:\\.|[^"\\]|\\\Z)*)"?|\[([^]]*)\]?|'
                   rb'([^ \t]+))', re.S)
REQUEST = re.compile(rb"([^ ]+) (.+?)(?: (HTTP/[^ ]*))?\Z", re.S)


def log_record(line):
    tokens = []
    if not clf_lines.is_blank(line) and not clf_lines.fits(line):
        return dict.fromkeys(NAMES, INVALID)
    vhost, line = clf_lines.divide(line)
    for match in TOKEN.finditer(line):
        kind = next(i for i in (1, 2, 3) if match[i] is not None)
        tokens.append((match[kind], kind))
    record = {} if vhost is None else {"vhost": vhost}
    names = ["host", "ident", "user", "time", "request", "status", "bytes"]
    for name, (value, _) in zip(names, tokens):
        record[name] = value
    more = tokens[7:]
    if more and more[0][1] == 1:
        record["referer"] = more[0][0]
        if len(more) > 1:
            record["agent"] = more[1][0]
        more = more[2:]
    for i, (value, _) in enumerate(more):
        record[f"+{i + 1}"] = value
    time = TIME.match(record.get("time", b""))
    if time:
        day, month, year, hour, minute, second = time.groups()
        if (1 <= int(day) <= 31 and int(hour) < 24 and int(minute) < 60
                and int(second) <= 60):
            record["day"] = b"%s-%02d-%s" % (
                year, 1 + MONTHS.index(month.decode()), day)
            record["hour"] = record["day"] + b"T" + hour
            record["minute"] = record["hour"] + b":" + minute
    request = REQUEST.match(record.get("request", b""))
    if request:
        record["method"], record["target"], protocol = request.groups()
        if protocol is not None:
            record["protocol"] = protocol
        path, mark, query = record["target"].partition(b"?")
        record["path"] = path
        if mark:
            record["query"] = query
    return record


NAMES = ("vhost host ident user time request method target path query protocol "
         "status bytes referer agent +1 +2 +5 minute hour day").split()


def damaged(source, line):
    """The line with a few bytes changed, left out or put in."""
    for _ in range(source.choice([0, 0, 0, 0, 1, 2])):
        at = source.randrange(len(line))
        line = (line[:at] + source.choice(["", *' "[]\\-:/x9\t'])
                + line[at + source.choice([0, 1, 1]):]) or " "
    return line


def log_line(source):
    pick = source.choice
    time = pick(["22/Nov/2026:08:01:05 +0100"] * 9 + [
                 "29/Feb/2024:23:59:60 +0000", "29/Feb/2026:23:59:00 +0000",
                 "29/Feb/1900:23:59:00 +0000", "29/Feb/2000:23:59:00 +0000",
                 "31/Feb/2026:23:59:00 +0000", "31/Nov/2026:23:59:00 +0000",
                 "30/Nov/2026:23:59:00 +000?", "30/Nov/2026:08:01:05 0100",
                 "1/Nov/2026:08:01:05 +0100", "29/Feb/0000:00:00:00 -9999",
                 "22/Nov/2026:08:01:05 +0100", "22/Nov/2026:08:01:59 -0700",
                 "01/Jan/1999:23:59:60", "32/Jan/2026:00:00:00 +0000",
                 "00/Jan/2026:00:00:00 +0000", "22/nov/2026:08:01:05 +0100",
                 "22/Nov/2026:24:01:05 +0100", "22/Nov/2026:08:60:05 +0100",
                 "22/Nov/2026:08:01:61 +0100", "22/Nov/2026:08:01:05+0100",
                 "22/Nov/26:08:01:05 +0100", "-", "", "x" * 30,
                 "31/Dec/2026:00:00:00 x y"])
    request = pick(["GET / HTTP/1.1", "GET /a?b=1 HTTP/1.1", "-", "",
                    "POST /a?b?c HTTP/2.0", "GET /a b HTTP/1.1", "GET /",
                    "GET", "GET ", " GET / HTTP/1.1", "GET / HTTP", "? ? ?",
                    r"GET /\"q\" HTTP/1.1", r"\x16\x03\x01", "GET /? HTTP/1.0",
                    "GET  HTTP/1.1", "GET /a http/1.1", "GET\t/ HTTP/1.1",
                    "GET ?x HTTP/", "OPTIONS * HTTP/1.0"])
    host = pick(["1.2.3.4", "::1", "host.name", "h" * source.randrange(1, 90)])
    if source.random() < 0.3:
        vhost = pick(["www.example.org:80"] * 9 + [
                      "localhost", "-", "a.b:12345678", "a.b:", ":80", "a:b",
                      "1.2.3.4,", "::1", "[::1]:80", "*.a.b", '"a.b"', "a\\b",
                      "v" * source.randrange(1, 90)])
        host = f"{vhost}{pick([' '] * 9 + ['  '])}{host}"
    user = pick(["-"] * 6 + ["bob", '""', "a b", '"a b"', "[x]"])
    line = f'{host} - {user} [{time}] "{request}" '
    line += pick(["200"] * 9 + ["404", "-", "20", "2000", "20x", "OK"])
    if source.random() < 0.95:
        line += f' {pick(["-", "0", "12345", "123456789012", "1.5", "-1"])}'
        line += pick(["", "", ' "-" "Agent (x; y)"', ' "http://r/" ""',
                      ' "-"', ' - "a"', ' "-" "a" 0.5 "more" 7',
                      ' x y z 1 2 3 4', ' "" "a"b c', ' [x] "y" z',
                      '"r" "a" +', "\t\"tab\"\t\"a b\"\t+1 "])
    if source.random() < 0.03:
        line = f'"{line}"'
    return damaged(source, pick(["", "", "", " "]) + line)


class Log(Case):
    def __init__(self, source, number):
        self.rows = []
        self.misfits = []
        datas = []
        for i in range(source.choice([1, 1, 2])):
            lines = [log_line(source).encode() if source.random() < 0.98
                     else source.choice([b"", b"x", b"#c", b" ", b"a b c d e"])
                     for _ in range(source.choice([1, 20, 3000]))]
            self.rows += [log_record(x) for x in lines]
            end = source.choice([b"\n", b"\n", b"\r\n"])
            datas.append(end.join(lines) + source.choice([b"", end]))
            # The end of the data ends no empty record.
            if not datas[-1] or (not lines[-1] and
                                 not datas[-1].endswith(end * 2)
                                 and datas[-1] != end):
                self.rows.pop()
            at = 0
            for line in lines:
                if not clf_lines.is_blank(line) and not clf_lines.fits(line):
                    self.misfits.append((f"records{i}", at, at + len(line)))
                at += len(line + end)
        self.blanks = sum(row == {} for row in self.rows)
        self.write(source, datas)
        names = source.sample(NAMES, source.choice([1, 2, 5, len(NAMES)]))
        self.options = ["--clf", "-f", ",".join(names)]
        self.wanted = [(x, lambda row, x=x: row.get(x)) for x in names]
        self.choose_chunks(source, 600)
        self.name = f"log {number}: {self.options + self.chunks} " + " ".join(
            str(len(x)) for x in datas)


    def prove_messages(self, done):
        lines = done.stderr.decode().splitlines()
        if not self.misfits:
            assert not any("not fit" in x for x in lines), lines
            return False
        count = len(self.misfits)
        name, begin, end = self.misfits[0]
        if self.is_redirected:
            name = "standard input"
        is_none = count + self.blanks == len(self.rows)
        head = ("" if is_none else
                "warning: 1 line does not fit --clf, and counts as \\invalid: "
                if count == 1 else
                f"warning: {count} lines do not fit --clf, and count as "
                f"\\invalid; the first one is ")
        found = [re.match("gpuhist: " + re.escape(head + name) +
                          r": the text at byte (\d+), '", x) for x in lines]
        found = [x for x in found if x]
        assert len(found) == 1, (head, name, lines)
        assert begin <= int(found[0][1]) <= end, (self.misfits[0], lines)
        assert (done.returncode == 1) == is_none, (done.returncode, is_none)
        return is_none


# ---- words ----


class Words(Case):
    def __init__(self, source, number):
        datas = [bytes(source.choices(source.choice([
            b"ab \t\n", b"abcdefgh   \n", b"a b\0", b"abc ", b"a#b \r\n"]),
            k=source.choice(SIZES))) for _ in range(source.choice([1, 2]))]
        is_zero = source.random() < 0.3
        self.rows = [x for data in datas for x in re.split(
            b"[ \t\n\0]+" if is_zero else b"[ \t\n]+", data) if x]
        self.write(source, datas)
        self.options = ["--words"] + (["-z"] if is_zero else [])
        self.wanted = [(1, lambda row: row)]
        self.choose_chunks(source, max([50] + [len(x) for x in self.rows]))
        self.name = f"words {number}: {self.options + self.chunks} " + (
            " ".join(str(len(x)) for x in datas))


def main():
    source = random.Random(16)
    cases = 15 if IS_SHORT else 50
    for number in range(int(sys.argv[2]) if len(sys.argv) > 2 else cases):
        for kind in Csv, Log, Words:
            case = kind(source, number)
            check(case.name, case.prove)


main()
