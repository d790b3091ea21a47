# SPDX-License-Identifier: MIT
"""conditions_oracle.py -- --where with || and &&, =~ and !~, against Python

    conditions_oracle.py GPUHIST

Random records of CSV, logs, JSON and logfmt have a number each, and sequences a
name, which is counted.  What Python finds in the records, and its re on bytes,
decide which ones are left.  Prints "PASS name" or "FAIL name".
"""

import collections
import csv
import decimal
import io
import json
import operator
import os
import random
import re
import subprocess
import sys
import tempfile

from checks import IS_SHORT, check

GPUHIST = sys.argv[1]
EXPRESSIONS = 20 if IS_SHORT else 500  # of each format
RECORDS = 150
random.seed(43)

ORDER = {"=": operator.eq, "!=": operator.ne, "<": operator.lt,
         "<=": operator.le, ">": operator.gt, ">=": operator.ge}
NUMBER = re.compile(rb"[ \t-\r]*([+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?)"
                    rb"[ \t-\r]*\Z")
DURATION = re.compile(rb"(\d+\.?\d*|\.\d+)(ms|us|s|m|min|h|)\Z")
UNITS = {b"ms": "0.001", b"us": "0.000001", b"s": "1", b"": "1", b"m": "60",
         b"min": "60", b"h": "3600"}
INVALID = object()

WORDS = ["a", "b", "ab", "abc", "Abba", "bab", "x", "a1", "b2", "200", "404",
         "500", "50", "5", "1.5", "1e2", "-3", "0", "99999999", "123456789",
         "GET", "api", "/api/a", "/img/b", "a-b", "a.b", "2.0", "aaaaaaaaab"]
ODD = ["", "a||b", "a&&b", "~a", "a=b", "x<y", "it's", 'q"q', " a", "a ", "||",
       "(a)", "\\N", "nan", "a b", "!a", "\u00fc", "a|b", "=~", "\\"]
TIMES = ["12ms", "1.5s", "3", "250us", "2m", "0.5h", "soon", "", "100ms",
         "90s", "0.1", "7min"]


def number_of(text):
    """The number that TEXT, bytes, is, or None."""
    if not NUMBER.match(text):
        return None
    return decimal.Decimal(text.decode("latin-1").strip(" \t\n\v\f\r"))


def seconds_of(text):
    """The seconds of TEXT; empty stays empty."""
    match = DURATION.match(text)
    if text == b"":
        return b""
    if not match:
        return INVALID
    return decimal.Decimal(match.group(1).decode()) * \
        decimal.Decimal(UNITS[match.group(2)])


# ---- expressions of PCRE2 that Python reads alike ----

def atom(depth):
    """An atom, and whether it may be repeated without a limit."""
    kind = random.randrange(9 if depth > 0 else 7)
    if kind < 3:
        return re.escape(random.choice("aab15/.0-x")), True
    if kind == 3:
        return random.choice([".", r"\d", r"\w", r"\W", r"\D", r"\S"]), True
    if kind == 4:
        return random.choice(["[ab]", "[^a]", "[a-f0-5]", "[^/]", "[.]"]), True
    if kind == 5:
        return random.choice([r"\b", r"(?!b)", r"(?=a)", r"(?<=a)"]), False
    if kind == 6:
        return random.choice(["ab", "50", "=", "<", "||", "&&", "~", "'",
                              '"', " "]), False
    text = expression(depth - 1)
    return random.choice(["(%s)", "(?:%s)", "(?i:%s)"]) % text, None


def expression(depth=2):
    """A random expression."""
    branches = []
    for _ in range(random.choice([1, 1, 1, 2])):
        text = random.choice(["", "", "^"])
        for _ in range(random.randint(1, 3)):
            one, repeats = atom(depth)
            if repeats:
                one += random.choice(["", "", "", "*", "+", "?", "{2}", "+?"])
            elif repeats is None:
                one += random.choice(["", "", "?", "{1,2}"])
            text += one
        branches.append(text + random.choice(["", "", "$"]))
    return "|".join(branches)


# ---- conditions ----

def quoted(text):
    """TEXT between quotes."""
    quote = random.choice("\"'")
    return quote + text.replace(quote, 2 * quote) + quote


def is_plain(text, has_operators):
    """Whether TEXT needs no quotes as a value."""
    return text.strip(" \t") == text and text != "" and \
        text[0] not in "\"'~" and "||" not in text and "&&" not in text and \
        (has_operators or not re.search("[=<>]|!~", text))


class Condition:
    """One condition, and what it means: FIELD is how it is written."""

    def __init__(self, field, read, kind):
        self.field = field
        self.read = read
        self.kind = kind
        self.op = random.choice(list(ORDER))
        draw = random.random()
        if kind == "whole" and draw < .9:
            text = str(random.choice([0, 1, 2, 3, 5, 20, 30, 40]))
            self.kind = "number"
            self.wanted = number_of(text.encode())
        elif kind == "seconds":
            text = random.choice([t for t in TIMES if t not in ("", "soon")])
            self.wanted = seconds_of(text.encode())
            # Not a number without quotes; and so it is if it is one.
            text = text if number_of(text.encode()) is not None or \
                random.random() < .5 else quoted(text)
        elif draw < .35 and kind == "text":
            text = expression()
            self.kind = "expression"
            self.op = random.choice(["=~", "=~", "!~"])
            self.wanted = re.compile(text.encode())
            if not is_plain(text, True) or random.random() < .3:
                text = quoted(text)
        elif draw < .45 or kind == "whole":
            text = "\\N"
            self.kind = "missing"
            self.op = random.choice(["=", "!="])
        else:
            text = random.choice("ACGT5") if kind == "base" else \
                random.choice(WORDS + WORDS + ODD)
            self.wanted = text.encode()
            if not is_plain(text, False) or text in ("\\N", "nan") or \
                    random.random() < .3:
                text = quoted(text)
            elif number_of(self.wanted) is not None:
                self.kind = "number"
                self.wanted = number_of(self.wanted)
        blanks = [random.choice(["", " ", "\t "]) for _ in range(2)]
        self.text = field + blanks[0] + self.op + blanks[1] + text

    def holds_for(self, value):
        """Whether it holds for VALUE: bytes, a number, None or INVALID."""
        if value is INVALID:
            return False
        if self.kind == "missing":
            return ORDER[self.op](value is None, True)
        if value is None:
            return False
        if self.kind == "expression":
            return (self.wanted.search(value) is not None) == \
                (self.op == "=~")
        if self.kind == "number":
            value = number_of(value)
        elif self.kind == "seconds" and value == b"":
            value = None
        return value is not None and ORDER[self.op](value, self.wanted)

    def holds(self, record):
        """Whether it holds for RECORD, for any value of a list."""
        value = self.read(record)
        if isinstance(value, list):
            return any(self.holds_for(one) for one in value)
        return self.holds_for(value)


def trimmed(value):
    """VALUE without blanks at its ends."""
    return value.strip(b" \t\n\v\f\r")


MODIFIERS = [(":lower", bytes.lower), (":upper", bytes.upper),
             (":trim", trimmed), (":prefix=2", lambda v: v[:2]),
             (":cut=2-3", lambda v: v[1:3]),
             (":lower:prefix=1", lambda v: v.lower()[:1])]


def reader(name, change):
    """Reads the field NAME of a record, and changes its value."""
    def read(record):
        value = record.get(name)
        return value if value is None or change is None or \
            value is INVALID else change(value)
    return read


def some_condition(fields):
    """A condition on one of FIELDS: {name: how it is written}."""
    name = random.choice(list(fields))
    if name == "took":
        return Condition(fields[name] + ":duration", reader(name, seconds_of),
                         "seconds")
    if name == "tags":
        return Condition(fields[name] + ':split=";"', reader(
            name, lambda value: value.split(b";") if value else []), "text")
    if name in ("length", "position", "quality"):
        return Condition(name, reader(name, None), "whole")
    if name == "base":
        return Condition(name, reader(name, None), "base")
    if name.endswith("[]"):
        return Condition(fields[name], reader(name, None), "text")
    text, change = random.choice(MODIFIERS) if random.random() < .2 \
        else ("", None)
    return Condition(fields[name] + text, reader(name, change), "text")


def fulfils(record, wheres):
    """Whether RECORD is counted."""
    return all(any(all(c.holds(record) for c in conditions)
                   for conditions in alternatives)
               for _, alternatives in wheres)


def some_where(fields):
    """The text of a --where, and its alternatives."""
    alternatives = [[some_condition(fields)
                     for _ in range(random.choice([1, 1, 2, 3]))]
                    for _ in range(random.choice([1, 2, 2, 3]))]
    blank = random.choice(["", " ", "  "])
    both = blank + "&&" + blank
    text = (blank + "||" + blank).join(
        both.join(c.text for c in conditions) for conditions in alternatives)
    return text, alternatives


# ---- records ----

def word(allowed=lambda text: True):
    """A value that is ALLOWED."""
    while True:
        text = random.choice(WORDS + WORDS + ODD)
        if allowed(text):
            return text


def of_csv():
    """Records, their bytes, options, and fields."""
    names = ["id", "a", "b", "took", "tags", "c"]
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(names)
    records = []
    for i in range(RECORDS):
        row = [str(i), word(), word(), random.choice(TIMES),
               ";".join(word() for _ in range(random.randint(1, 3))), word()]
        row = row[:random.choice([1, 2, 4, 6, 6, 6])]
        if random.random() < .1 and len(row) > 2:
            row[2] += "\n" + word()
        rows.writerow(row)
        records.append(dict(zip(names, (text.encode() for text in row))))
    return records, out.getvalue().encode(), ["--csv", "-f", "id"], \
        {name: name for name in names[1:]}


def of_clf():
    """The same of a log."""
    records = []
    lines = []
    for i in range(RECORDS):
        plain = lambda: word(lambda v: re.fullmatch(r"[\w.-]+", v, re.ASCII))
        record = {"id": str(i), "host": plain(), "user": plain(),
                  "method": plain(), "path": "/" + plain(),
                  "query": plain(),
                  "status": random.choice(["200", "404", "500", "301"]),
                  "bytes": random.choice(["0", "17", "-", "123456789"])}
        line = '%s %s %s [22/Nov/2026:07:05:59 +0100] "%s %s?%s HTTP/1.1" ' \
            '%s %s' % (record["host"], record["id"], record["user"],
                       record["method"], record["path"], record["query"],
                       record["status"], record["bytes"])
        if random.random() < .6:
            record["agent"] = plain() + " " + plain()
            line += ' "-" "%s"' % record["agent"]
        lines.append(line + "\n")
        records.append({k: v.encode() for k, v in record.items()})
    fields = ["host", "user", "method", "path", "query", "status", "bytes",
              "agent"]
    return records, "".join(lines).encode(), ["--clf", "-f", "ident"], \
        {name: name for name in fields}


def of_json():
    """The same of lines of JSON, some of which are wrong."""
    records = []
    lines = []
    names = {"a": "a", "b.c": "b.c", "took": "took", "l[]": "l[]",
             "d||e": '["d||e"]'}
    for i in range(RECORDS):
        record = {"id": str(i).encode()}
        line = {"id": i}
        for name in names:
            if random.random() < .2:
                record["l[]"] = record.get("l[]", [None])
                continue
            value = random.choice([word(), word(), True, None, 17, 2.5])
            if name == "took":
                value = random.choice(TIMES)
            elif name == "l[]":
                value = [random.choice([word(), 5])
                         for _ in range(random.randint(0, 3))]
            line.update({"b": {"c": value}} if name == "b.c" else
                        {"l": value} if name == "l[]" else {name: value})
            record[name] = [key_of(one) for one in value] \
                if isinstance(value, list) else key_of(value)
        record.setdefault("l[]", [None])
        lines.append(json.dumps(line) + "\n")
        records.append(record)
    return records, "".join(lines).encode(), ["--jsonl", "-f", "id"], names


def key_of(value):
    """What a scalar is as a key."""
    text = value if isinstance(value, str) else json.dumps(value)
    return text.encode()


def of_logfmt():
    """The same of pairs of key and value."""
    records = []
    lines = []
    names = ["a", "b", "took", "tags"]
    for i in range(RECORDS):
        record = {"id": str(i)}
        for name in names:
            if random.random() < .25:
                continue
            record[name] = random.choice(TIMES) if name == "took" else \
                ";".join(word() for _ in range(random.randint(1, 3))) \
                if name == "tags" else word()
        lines.append(" ".join(
            key + "=" + (value if re.fullmatch(r"[\w./-]*", value, re.ASCII)
                         else json.dumps(value, ensure_ascii=False))
            for key, value in record.items()) + "\n")
        records.append({k: v.encode() for k, v in record.items()})
    return records, "".join(lines).encode(), ["--logfmt", "-f", "id"], \
        {name: name for name in names}


def reads():
    """Sequences, and their bytes."""
    out = []
    texts = []
    for i in range(RECORDS // 2):
        bases = "".join(random.choices("ACGT", k=random.choice(
            [0, 1, 2, 3, 5, 8, 20])))
        quality = "".join(chr(33 + random.choice([2, 3, 20, 30, 40]))
                          for _ in bases)
        name = word(lambda text: re.fullmatch(r"[\w./-]+", text,
                                              re.ASCII)) + "_%d" % i
        is_fastq = random.random() < .7
        texts.append("@%s x\n%s\n+\n%s\n" % (name, bases, quality)
                     if is_fastq else ">%s\n%s\n" % (name, bases))
        out.append(({"id": name.encode(), "name": name.encode(),
                     "sequence": bases.encode(),
                     "length": b"%d" % len(bases)}, bases,
                    quality if is_fastq else None))
    return out, "".join(texts).encode()


def of_reads():
    """Records that are whole sequences."""
    some, data = reads()
    return [record for record, _, _ in some], data, \
        ["--seq", "-f", "name"], {name: name for name in
                                  ("name", "sequence", "length")}


def of_bases():
    """Records that are bases of sequences."""
    some, data = reads()
    records = [dict(record, id=b"%d" % (i + 1), position=b"%d" % (i + 1),
                    base=base.encode(), quality=None if quality is None
                    else b"%d" % (ord(quality[i]) - 33))
               for record, bases, quality in some
               for i, base in enumerate(bases)]
    return records, data, ["--seq", "-f", "position"], \
        {name: name for name in ("name", "sequence", "length", "position",
                                 "base", "quality")}


def of_windows():
    """Records that are windows of sequences."""
    some, data = reads()
    records = [dict(record, id=bases[i:i + 3].encode(),
                    position=b"%d" % (i + 1))
               for record, bases, _ in some for i in range(len(bases) - 2)]
    return records, data, ["--kmers=3"], \
        {name: name for name in ("name", "length", "position")}


def compare(records, options, fields, path):
    """Random conditions on RECORDS, which the file PATH has."""
    wheres = [some_where(fields) for _ in range(random.choice([1, 1, 1, 2]))]
    wanted = collections.Counter(record["id"] for record in records
                                 if fulfils(record, wheres))
    command = [GPUHIST, "-q", "--explain", random.choice(["-j1", "-j3"]),
               "--chunk-size=%d" % random.choice([4096, 65536]), *options,
               *("--where=" + text for text, _ in wheres), path]
    done = subprocess.run(command, capture_output=True, timeout=60,
                          check=False)
    if b"bases are capital letters" in done.stderr:
        # A sequence is compared with a text that no sequence can be.
        refused = re.search(rb"'([^']+)' has others", done.stderr)
        assert done.returncode == 2 and refused.group(1).upper() != \
            refused.group(1), (command, done.stderr)
        return
    assert done.returncode == 0, (command, done.stderr)
    left_out = re.search(rb"left out by --where: (\d+)", done.stderr)
    got = {key: int(count) for key, count in
           (line.split(b"\t") for line in done.stdout.splitlines())}
    # Conditions on whole sequences leave out whole sequences.
    counts_records = "position" not in fields or any(
        c.field in ("position", "base", "quality")
        for _, alternatives in wheres for conditions in alternatives
        for c in conditions)
    assert got == wanted and (
        int(left_out.group(1)) == len(records) - sum(wanted.values()) or
        not counts_records), \
        (command, list(wanted.items())[:20], done.stdout[:200])


def test(make):
    """Random expressions over the records of MAKE."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "data")
        for turn in range(EXPRESSIONS):
            if turn % 25 == 0:
                records, data, options, fields = make()
                with open(path, "wb") as file:
                    file.write(data)
            compare(records, options, fields, path)


check("conditions on fields of CSV", test, of_csv)
check("... of a log", test, of_clf)
check("... of lines of JSON", test, of_json)
check("... of logfmt", test, of_logfmt)
check("... of sequences", test, of_reads)
check("... of their bases", test, of_bases)
check("... of their k-mers", test, of_windows)
