# SPDX-License-Identifier: MIT
"""where_oracle.py -- --where against Python's decimal, csv and json

    where_oracle.py GPUHIST

Each case has records, a field to count and conditions.  What Python reads of
the records decides which ones meet the conditions.  Prints "PASS name" or
"FAIL name".
"""

import collections
import csv
import decimal
import io
import json
import operator
import random
import re
import subprocess
import sys

from checks import IS_SHORT, check

GPUHIST = sys.argv[1]
ROUNDS = 40 if IS_SHORT else 400
random.seed(20)

OPS = {"=": operator.eq, "!=": operator.ne, "<": operator.lt,
       "<=": operator.le, ">": operator.gt, ">=": operator.ge}
NUMBER = re.compile(rb"[ \t-\r]*([+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|"
                    rb"[+-]?inf(inity)?)[ \t-\r]*\Z", re.IGNORECASE)
INVALID = object()

# Numbers near each other, and what is nearly one.
NUMBERS = ["0", "-0", "00", "0.0", "1", "+1", "1.0", "1e0", "10e-1", "-1",
           "2.5", "2.50", ".5", "5.", "99999999", "100000000", "-99999999",
           "99999999.5", "0.1", "0.10000000000000001", "1e-30", "-1e-30",
           "9007199254740992", "9007199254740993", "9223372036854775807",
           "9223372036854775808", "18446744073709551616", "1e19", "1e400",
           "-1e400", "1e-400", "123456789012345678901234567890",
           "123456789012345678901234567890.1", "12345678901234567890123456789",
           "123456789012345678901234567891", "inf", "-Infinity", "0.1234567",
           "0.123456789", "0.1234567891", "200", "404", "500", "499.9999999",
           "499.99999999999999999999999999", "0e999999", "7", "1234567.8"]
TEXTS = ["", "abc", "ab", "abcd", "a", "b", "nan", "12ms", "0x1F", "1,5", "-",
         "+", ".", "e5", "1e", "1e+", "--1", "1-", "GET", "POST", "\u00fc",
         "a=b", "x<y", "a\"b", "it's", " 1", "1 ", " a ", "12345678",
         "123456789", "abcdefgh", "abcdefghi", "bcdefghi", "null", "true",
         "zbcdefghi", "abcdefghij", "azcdefghij", "abcdefghiz",
         "\\N", "\\x", "1\v", "NF", "5!", "inf.", "infinit"]
VALUES = NUMBERS + TEXTS


def number_of(text):
    """The number that TEXT, bytes, is, or None."""
    if not NUMBER.match(text):
        return None
    return decimal.Decimal(text.decode("latin-1").strip(" \t\n\v\f\r"))


class Condition:
    """One condition, and what it means."""

    def __init__(self, field, name, value=None):
        self.field = field
        self.op = random.choice(list(OPS))
        text = random.choice(VALUES) if value is None else value
        self.value = text.encode()
        plain = text.strip(" \t") == text and text != "" and \
            text[0] not in "\"'" and not re.search("[=<>]", text)
        if plain and text.lower().lstrip("+-") == "nan":
            plain = False
        self.is_missing = plain and random.random() < .2
        if self.is_missing:
            self.op = random.choice(["=", "!="])
            text = "\\N"
        elif not plain or text == "\\N" or random.random() < .3:
            quote = random.choice("\"'")
            text = quote + text.replace(quote, 2 * quote) + quote
            plain = False
        self.number = number_of(self.value) if plain else None
        blanks = [random.choice(["", " ", "\t "]) for _ in range(4)]
        self.text = (blanks[0] + name + blanks[1] + self.op + blanks[2] +
                     text + blanks[3])

    def holds(self, value):
        """Whether it holds for VALUE: bytes, None (missing) or INVALID."""
        if value is INVALID:
            return False
        if self.is_missing:
            return OPS[self.op](value is None, True)
        if value is None:
            return False
        if self.number is None:
            return OPS[self.op](value, self.value)
        number = number_of(value)
        return number is not None and OPS[self.op](number, self.number)


def escape(key):
    """A key of a row."""
    key = re.sub(rb"\\(?=[tnN\\]|\Z|other|empty|invalid)", rb"\\\\", key)
    return key.replace(b"\t", b"\\t").replace(b"\n", b"\\n")


def run(arguments, data):
    """The rows that gpuhist prints, and how many records it left out."""
    done = subprocess.run([GPUHIST, "--explain", *arguments], input=data,
                          capture_output=True, timeout=60, check=False)
    assert done.returncode == 0, (arguments, done.stderr)
    left_out = re.search(rb"left out by --where: (\d+)", done.stderr)
    return done.stdout, int(left_out.group(1))


def compare(arguments, data, records, counted, conditions):
    """RECORDS are dicts of fields, and "*": how often each counts."""
    rows = collections.Counter()
    left_out = 0
    for record in records:
        times = record.get("*", 1)
        if all(c.holds(record.get(c.field)) for c in conditions):
            rows[record.get(counted)] += times
        else:
            left_out += times
    for key in [key for key in rows if rows[key] == 0]:
        del rows[key]
    special = [(name, rows.pop(key)) for key, name in
               ((None, b"\\N"), (INVALID, b"\\invalid")) if key in rows]
    wanted = b"".join(
        b"%s\t%d\n" % pair for pair in
        [(escape(key), rows[key]) for key in sorted(rows)] + special)
    where = ["--where=" + c.text for c in conditions]
    got = run(arguments + where, data)
    assert got == (wanted, left_out), \
        (arguments + where, got, (wanted, left_out), data[:300])


def some_conditions(names):
    """Conditions on fields of NAMES: {field: how it is written}."""
    fields = random.choices(list(names), k=random.choice([1, 1, 1, 2, 3]))
    return [Condition(field, names[field]) for field in fields]


def pick(allowed):
    """A value that ALLOWED takes."""
    while True:
        value = random.choice(VALUES)
        if allowed(value):
            return value


def table(fields):
    """Records of up to FIELDS fields, at least one, that have no names."""
    return [[pick(fields["allowed"])
             for _ in range(random.randint(1, fields["most"]))]
            for _ in range(random.choice([1, 5, 100, 700]))]


def dicts(rows):
    """By the numbers of fields, and those from the last one."""
    return [{**{str(i + 1): v.encode() for i, v in enumerate(row)},
             **{"NF-%d" % (len(row) - 1 - i) if i + 1 < len(row) else "NF":
                v.encode() for i, v in enumerate(row)}} for row in rows]


NUMBERED = {name: name for name in ("1", "2", "3", "NF", "NF-1")}


def test_delimited(options, byte):
    """Fields between bytes, or runs of blanks."""
    def allowed(value):
        bad = byte + "\n" if byte != " " else " \t\n\v\f\r"
        return not set(bad) & set(value) and (byte != " " or value != "")

    for _ in range(ROUNDS):
        rows = table({"allowed": allowed, "most": 4})
        # An empty line has one empty field, but none for awk.
        data = "".join(byte.join(row) + "\n" for row in rows).encode()
        compare(options + ["-f2"], data, dicts(rows), "2",
                some_conditions(NUMBERED))


def test_names():
    """A header whose names need quotes."""
    names = {"a": "a", "b<c": "'b<c'", "d e": "d e", "2": '"2"',
             '"q"=': "'\"q\"='", "i!": "i!", "x,y": "x,y", " z": "' z'"}
    for _ in range(ROUNDS):
        header = list(names)
        random.shuffle(header)
        rows = [[pick(lambda v: ";" not in v) for _ in header]
                for _ in range(50)]
        data = "\n".join(";".join(row) for row in [header] + rows) + "\n"
        records = [dict(zip(header, [v.encode() for v in row]))
                   for row in rows]
        # What ends like != does not, without quotes.
        conditions = [c for c in some_conditions(names)
                      if not (c.field == "i!" and "i!=" in c.text)]
        if conditions:
            compare(["-d;", "-f", "a"], data.encode(), records, "a",
                    conditions)


def test_csv():
    """Quotes, and line feeds in them."""
    for _ in range(ROUNDS):
        rows = [row for row in table({"allowed": lambda v: True, "most": 4})
                if row != [""]]
        out = io.StringIO()
        csv.writer(out, quoting=random.choice([csv.QUOTE_MINIMAL,
                                               csv.QUOTE_ALL]),
                   lineterminator=random.choice(["\n", "\r\n"])).writerows(rows)
        compare(["--csv", "-f2"], out.getvalue().encode(), dicts(rows), "2",
                some_conditions(NUMBERED))


def test_lines(options, separator):
    """Whole lines and words."""
    for _ in range(ROUNDS):
        values = [pick(lambda v: v.strip(" \t\v") == v and " " not in v and
                       "\v" not in v and (separator == "\n" or v != ""))
                  for _ in range(200)]
        data = "".join(v + separator for v in values).encode()
        compare(options, data, [{"1": v.encode()} for v in values], "1",
                some_conditions({"1": "1"}))


JSON_PATHS = {"a": "a", "b.c": ".b.c", "d[1]": "d[1]",
              'e=<"': '["e=<\\""]', "f>": "'f>'", "g": "g"}


def json_key(value):
    """What a scalar is as a key; INVALID: no scalar."""
    if isinstance(value, bool):
        return b"true" if value else b"false"
    if value is None:
        return b"null"
    return value.encode()


def test_json(options):
    """Members of all types, some missing, and wrong lines."""
    for _ in range(ROUNDS):
        records = []
        lines = []
        for _ in range(random.choice([1, 10, 300])):
            if "--invalid=count" in options and random.random() < .1:
                lines.append("{")
                records.append(dict.fromkeys(JSON_PATHS, INVALID))
                continue
            record = {}
            texts = {}
            for path in JSON_PATHS:
                kind = random.randrange(5)
                if kind == 0:
                    continue
                if kind == 1:
                    value = random.choice([True, False, None])
                    texts[path] = json.dumps(value)
                elif kind == 2:
                    # As JSON writes numbers.
                    value = pick(lambda v: re.fullmatch(
                        r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?", v))
                    texts[path] = value
                else:
                    value = random.choice(VALUES)
                    texts[path] = json.dumps(
                        value, ensure_ascii=random.random() < .5)
                record[path] = json_key(value)
            members = ["%s:%s" % (json.dumps({"b.c": "b", "d[1]": "d"}.get(
                path, path)), {"b.c": '{"c":%s}', "d[1]": '[0,%s]'}.get(
                    path, "%s") % text) for path, text in texts.items()]
            random.shuffle(members)
            lines.append("{" + ",".join(members) + "}")
            records.append(record)
        data = "".join(line + "\n" for line in lines).encode()
        compare(["--jsonl", "-f", "a", *options], data, records, "a",
                some_conditions(JSON_PATHS))


def test_clf():
    """Names, parts of requests and of times."""
    for _ in range(ROUNDS):
        records = []
        lines = []
        for _ in range(random.choice([1, 50, 300])):
            word = lambda: pick(lambda v: v != "" and re.fullmatch(
                r"[\w.+-]+", v, re.ASCII))
            host, user, method, path = word(), word(), word(), "/" + word()
            query, extra = word(), word()
            status = random.choice(["200", "404", "500", "-"])
            size = pick(lambda v: re.fullmatch(r"\d+|-", v, re.ASCII))
            hour = "%02d" % random.randrange(24)
            has_agent = random.random() < .7
            line = '%s - %s [22/Nov/2026:%s:05:59 +0100] "%s %s?%s HTTP/1.1"' \
                ' %s %s' % (host, user, hour, method, path, query, status,
                            size)
            record = {"host": host, "user": user, "method": method,
                      "path": path, "query": query, "status": status,
                      "bytes": size, "+1": extra,
                      "hour": "2026-11-22T" + hour, "day": "2026-11-22"}
            if has_agent:
                record["agent"] = "x y"
                line += ' "-" "x y"'
            lines.append(line + " " + extra)
            records.append({k: v.encode() for k, v in record.items()})
        fields = ["host", "user", "method", "path", "query", "status",
                  "bytes", "+1", "agent"]
        conditions = some_conditions({f: f for f in fields})
        if random.random() < .5:
            conditions.append(Condition("hour", "hour", "2026-11-22T12"))
        data = "".join(line + "\n" for line in lines).encode()
        compare(["--clf", "-f", "path"], data, records, "path", conditions)


def test_counts():
    """Records that say how often they count, and escapes in fields."""
    for _ in range(ROUNDS):
        records = []
        lines = []
        for _ in range(100):
            values = [pick(lambda v: "\\" not in v) for _ in range(2)]
            times = random.choice([0, 1, 7, 10 ** 15])
            record = {"1": values[0].encode(), "2": values[1].encode(),
                      "*": times}
            if random.random() < .1:
                values[1] = "a\\tb"
                record["2"] = b"a\tb"
            elif random.random() < .1:
                values[1] = "\\N"
                del record["2"]
            lines.append("%s\t%s\t%d\n" % (values[0], values[1], times))
            records.append(record)
        compare(["--counts", "-f1"], "".join(lines).encode(), records, "1",
                some_conditions({"1": "1", "2": "2"}))
        compare(["--counts", "-f2"], "".join(lines).encode(), records, "2",
                some_conditions({"1": "1", "2": "2"}))
        lines = []
        for record in records:
            record["1"] = record["1"].replace(b"\v", b"")
            lines.append(b"%7d %s\n" % (record["*"], record["1"]))
        compare(["--counts=uniq"], b"".join(lines), records, "1",
                some_conditions({"1": "1"}))


def test_weights():
    """Sums of what is left, also where a weight left out is no number."""
    for _ in range(ROUNDS):
        rows = [(random.choice("ab"), random.choice(["1", "2", "x", ""]))
                for _ in range(60)]
        rows = [(k, s, "oops" if s == "x" else random.choice(["1", ".25"]))
                for k, s in rows]
        data = "".join("\t".join(row) + "\n" for row in rows)
        sums = collections.Counter()
        for k, s, w in rows:
            if s in ("1", "2"):
                sums[k] += decimal.Decimal(w)
        wanted = "".join("%s\t%s\n" % (k, format(sums[k].normalize(), "f"))
                         for k in sorted(sums))
        got = run(["--tsv", "-f1", "--weights=3", "--where=2>0"],
                  data.encode())
        assert got == (wanted.encode(), sum(s in ("x", "") for _, s, _ in
                                            rows)), (got, wanted)


JOBS = [["--seq"], ["--seq", "-f", "length,gc,name,mean-quality"],
        ["--seq", "--joint", "-f", "position,quality"], ["--kmers=5"],
        ["--kmers=5", "--spectrum"], ["--seq", "-g", "name", "-f", "base"],
        ["--seq", "-f", "sequence", "--keep-case"]]


def test_reads():
    """Sequences that Python has left out of the input."""
    fractions = [("%d/%d" % (n, d), n / d) for d in range(1, 12)
                 for n in range(d + 1)]
    for turn in range(ROUNDS // 2):
        records = []
        for i in range(random.choice([1, 20, 300])):
            length = random.choice([0, 1, 5, 10, 30, random.randrange(200)])
            bases = "".join(random.choices("ACGTacgtN", k=length))
            quality = "".join(chr(33 + random.choice([2, 20, 30, 40]))
                              for _ in range(length))
            is_fastq = random.random() < .8
            name = random.choice(["r%d" % i, str(i), "x/1"])
            if is_fastq:
                text = "@%s rest\n%s\n+\n%s\n" % (name, bases, quality)
            else:
                lines = [bases[a:a + 7] for a in range(0, length, 7)]
                text = ">%s\n%s" % (name, "".join(b + "\n" for b in lines))
            gc = sum(b in "GCgc" for b in bases) / length if length else None
            mean = sum(ord(q) - 33 for q in quality) / length \
                if length and is_fastq else None
            records.append((text, {"length": length, "gc": gc, "name": name,
                                   "mean-quality": mean,
                                   "sequence": bases.upper(),
                                   "is-missing": not is_fastq}))
        conditions = []
        for _ in range(random.choice([1, 1, 2])):
            field = random.choice(["length", "gc", "mean-quality", "name",
                                   "sequence"])
            op = random.choice(list(OPS))
            if field == "name":
                value = random.choice(["r5", "x/1", "r", "'7'"])
                wanted = value.strip("'")
            elif field == "sequence":
                value = wanted = random.choice(["ACG", "A", "TTT"])
            elif field == "length":
                value = random.choice(["0", "10", "9.5", "30", "1e2", "-1",
                                       "4294967296", "inf"])
                wanted = decimal.Decimal(value)
            else:
                wanted = random.choice(fractions)[1]
                wanted *= 40 if field == "mean-quality" else 1
                value = repr(wanted)
            if field == "mean-quality" and random.random() < .3:
                op, value, wanted = random.choice(["=", "!="]), "\\N", None
            conditions.append((field, op, value, wanted))

        def keeps(values):
            for field, op, _, wanted in conditions:
                if wanted is None:
                    if OPS[op](values["is-missing"], True) is False:
                        return False
                elif values[field] is None or \
                        not OPS[op](values[field], wanted):
                    return False
            return True

        job = JOBS[turn % len(JOBS)]
        if "--keep-case" in job and any(c[0] == "sequence"
                                        for c in conditions):
            continue
        kept = [text for text, values in records if keeps(values)]
        where = ["--where=%s%s%s" % c[:3] for c in conditions]
        data = "".join(text for text, _ in records).encode()
        threads = ["--threads=%d" % random.choice([1, 3])]
        got = run(job + where + threads, data)
        wanted = subprocess.run([GPUHIST, *job], input="".join(kept).encode(),
                                capture_output=True, timeout=60, check=True)
        assert got == (wanted.stdout, len(records) - len(kept)), \
            (job, where, got, wanted.stdout, data[:300])


check("fields between tabs", test_delimited, ["--tsv"], "\t")
check("fields between bytes", test_delimited, ["-d;"], ";")
check("fields between blanks", test_delimited, ["-W"], " ")
check("names that need quotes", test_names)
check("fields of CSV", test_csv)
check("lines", test_lines, ["--lines"], "\n")
check("words", test_lines, ["--words"], " ")
check("members of JSON", test_json, [])
check("... wrong lines are left out", test_json, ["--invalid=count"])
check("fields of a log", test_clf)
check("records with counts", test_counts)
check("weights", test_weights)
check("sequences", test_reads)
