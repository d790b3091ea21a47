# SPDX-License-Identifier: MIT
"""text_formats.py -- random records in the formats of text, and their readers

A format writes random lines, most of which are records of it, and reads any
bytes as text_model.py says.
"""

import json
import re

import text_model as model
from text_model import INVALID, Columns

VALUES = [b"", b"a", b"A", b"ab", b"aB", b"b", b"Zz" * 30, b"\\N", b"\\x",
          b"\\t", b"a\\", b"\xc3\xa9", b"\xff\xfe", b"a\0b", b"12", b"1.50",
          b"-3", b" 7 ", b"0", b"007", b"1e3", b"nan", b"inf", b"5.", b"12ms",
          b"1.5s", b"3h", b"10KiB", b"2G", b"$1", b"rt=0.25",
          b"2026-11-28T06:41:12+01:00", b"2026-11-28 07:01", b"2026-02-30",
          b"2025-12-31", b"28/Nov/2026:06:41:12 +0100",
          b"http://Ex.org:80/a/b.css?v=1", b"/a/b?x#y", b"a;b;;c", b";", b"x;a",
          b"a,b", b"x y  z", b"tab\there", b'q"q', b'""', b"200", b"404", b"-",
          b"GET /a HTTP/1.1", b"null", b"true", b"a=b", b"k", b"K", b"\r",
          b"\\invalid", b"\\other", b"#a", b"a#"]
NUMBERS = [b"0", b"1", b"2", b"12", b"2.5", b"-1", b"99.25", b"1e2", b"0.1"]


class Record:
    """The values of a record by the names of its fields."""

    def __init__(self, get, is_wrong=False, times=1):
        self.get = get
        self.is_wrong = is_wrong
        self.times = times  # that it counts

    @classmethod
    def wrong(cls):
        return cls(lambda name: [INVALID], True)

    @classmethod
    def of(cls, fields):
        return cls(lambda name: [fields.get(name)])


def pick(rng):
    return rng.choice(VALUES if rng.random() < .7 else NUMBERS)


# ---- formats ----


class Format:
    """How records are written and read."""

    options = []
    names = []      # of fields
    lists = []      # of fields with elements
    may_misfit = False
    end = b"\n"
    mark = b""
    has_counts = False
    no_values = ()  # that are no weights, but missing ones

    def __init__(self, rng):
        self.rng = rng
        self.args = list(self.options)

    def line(self):
        raise NotImplementedError

    def start(self):
        """What precedes the records of each input."""
        return b""

    def lines(self, data):
        lines = model.split_lines(data, self.end)
        return model.without_comments(lines, self.mark)

    def read(self, data):
        raise NotImplementedError

    def takes_header(self, line):
        """Whether LINE, the first one, would be another header."""
        return False

    def column_of(self, name):
        """What tells the fields apart."""
        return name.removeprefix(".")

    def take_comment(self, marks=(b"#", b"//", b"a")):
        if self.rng.random() < .25:
            self.mark = self.rng.choice(marks)
            self.args.append(b"--comment=" + self.mark)

    def take_end(self):
        if self.rng.random() < .1:
            self.end = b"\0"
            self.args.append(b"-z")


class Table(Format):
    """Fields between bytes or blanks, perhaps with a header."""

    names = ["1", "2", "3", "NF", "NF-1"]
    separator = b"\t"
    may_end = True

    def __init__(self, rng):
        super().__init__(rng)
        if self.may_end:
            self.take_end()
        self.take_comment()
        self.header = None
        self.place = None
        if rng.random() < .35 and self.mark != b"a":
            self.header = rng.choice([["a", "b", "c"], ["k x", "b", "a:lower"],
                                      ["u", "a", "b", "c"]])
            if isinstance(self, Words):
                self.header = [name.replace(" ", "_") for name in self.header]
            self.names = self.header + ["2", "NF"]
            self.place = rng.choice(["first", "first", "comment"])
            if self.place == "comment" and not self.mark:
                self.mark = b"#"
            self.args.append(rng.choice([b"-H", b"--header-in"])
                             if self.place == "first"
                             else b"--header-in=comment")

    def write(self, fields):
        return self.separator.join(fields)

    def line(self):
        if self.mark and self.rng.random() < .05:
            return self.mark + pick(self.rng)
        return self.write([pick(self.rng) for _ in
                           range(self.rng.choice([1, 2, 3, 3, 3, 4]))])

    def start(self):
        if self.header is None:
            return b""
        separator = b" " if isinstance(self, Words) else self.separator
        names = separator.join(name.encode() for name in self.header)
        if self.place == "first":
            return names + self.end
        before = self.rng.choice([b"", b"", self.mark + b"x" + self.end])
        return before + self.mark + self.rng.choice([b"", b" "]) + names + \
            self.end

    def takes_header(self, line):
        return self.place == "comment" and (
            line.startswith(self.mark) or line in (b"", b"\r"))

    def column_of(self, name):
        if self.header is not None and name in self.header:
            return self.header.index(name) + 1
        return name

    def cut(self, line):
        return line.split(self.separator)

    def rows(self, data):
        return [self.cut(line) for line in self.lines(data)]

    def read(self, data):
        rows = self.rows(data)
        if self.header is not None and self.place == "first":
            rows = rows[1:]
        return [Record(Columns(row, self.header)) for row in rows]


class Tabs(Table):
    options = [b"--tsv"]


class Bytes(Table):
    """Fields between bytes; the last one may say how often a record counts."""

    options = [b"-d;"]
    separator = b";"

    def __init__(self, rng):
        super().__init__(rng)
        self.has_counts = self.header is None and rng.random() < .4
        if self.has_counts:
            self.args.append(b"--counts")
            self.names = ["1", "2", "3"]

    def write(self, fields):
        if self.has_counts and self.header is None:
            fields = fields + [b"%d" % self.rng.choice([0, 1, 1, 2, 7])]
        return super().write(fields)

    def read(self, data):
        if not self.has_counts:
            return super().read(data)
        records = []
        for row in self.rows(data):
            if not re.fullmatch(rb"\d+", row[-1]):
                raise model.Refused("a count")
            records.append(Record(Columns(row), False, int(row[-1])))
        return records


class Words(Table):
    """Fields between blanks."""

    options = [b"-W"]

    def write(self, fields):
        blank = self.rng.choice([b" ", b"\t", b"  "])
        return self.rng.choice([b"", b"", b" "]) + blank.join(fields)

    def cut(self, line):
        return model.read_words(line, rb"[ \t\n]+" if self.end == b"\0"
                                else rb"[ \t]+")


class Csv(Table):
    """Quotes, and blank lines."""

    options = [b"--csv"]
    separator = b","
    may_end = False

    def write(self, fields):
        texts = []
        for field in fields:
            is_odd = re.search(rb'[",\n\r]', field)
            if is_odd and self.rng.random() < .95 or self.rng.random() < .2:
                field = b'"' + field.replace(b'"', b'""') + b'"'
                if self.rng.random() < .05:
                    field += self.rng.choice([b"x", b'"', b" "])
            texts.append(field)
        return b",".join(texts)

    def start(self):
        return self.rng.choice([b"", b"", b"", b"\n", b"\r\n"]) + \
            super().start()

    def rows(self, data):
        rows = list(model.csv_records(data, b",", self.mark))
        if not self.is_wide(rows):
            return [[b""] if row is None else row for row in rows]
        return [row for row in rows if row is not None]

    def is_wide(self, rows):
        """Whether there is more than one column: see Run.names()."""
        return self.has_number or self.header is not None

    has_number = False


class Lines(Format):
    options = [b"-l"]
    names = ["1"]

    def __init__(self, rng):
        super().__init__(rng)
        self.take_end()
        self.take_comment()

    def line(self):
        return pick(self.rng)

    def read(self, data):
        return [Record.of({"1": line}) for line in self.lines(data)]


class Clf(Format):
    """Lines that fit, and some that do not."""

    options = [b"--clf"]
    names = ["host", "user", "time", "request", "status", "bytes", "referer",
             "agent", "method", "path", "query", "protocol", "target", "minute",
             "hour", "day", "vhost"]
    may_misfit = True
    no_values = (b"-",)

    def line(self):
        rng = self.rng
        if rng.random() < .06:
            return rng.choice([b"", b" \t", b"x", b"a b c d e f g",
                               b"1.2.3.4 - - [x] \"GET /\" 200 1",
                               b'h - - [30/Feb/2026:06:41:12 +0100] "" 200 1'])
        word = lambda: re.sub(rb'[\s"\[\]\\\x00]|^$', b"_", pick(rng))
        quoted = lambda text: re.sub(rb'(["\\])', rb"\\\1",
                                     text.replace(b"\n", b"").rstrip(b"\r"))
        request = rng.choice([b"GET /%s HTTP/1.1" % word(), b"-", b"GET", b"",
                              b"POST /a/b?%s HTTP/2.0" % word(),
                              b"GET /x y z", b"HEAD /%s" % word()])
        line = b'%s - %s [%02d/Nov/2026:%02d:05:59 +0100] "%s" %s %s' % (
            word(), word(), rng.randint(1, 30), rng.randint(0, 23),
            quoted(request), rng.choice([b"200", b"404", b"500", b"-"]),
            rng.choice([b"0", b"12", b"99999", b"-"]))
        if rng.random() < .7:
            line += b' "%s" "%s"' % (quoted(pick(rng)), quoted(pick(rng)))
        if rng.random() < .15:
            line = rng.choice([b"www.ex.org:443 10.0.0.1", b"a ::1", b"b.c d.e",
                               b"x:80 localhost", b"a:b:c 1.2.3.4"]) + \
                line[line.index(b" "):]
        if rng.random() < .04:
            line = line[:rng.randrange(len(line))]
        return line + rng.choice([b"", b"", b"", b"\r"])

    def read(self, data):
        found = [model.read_clf(line) for line in self.lines(data)]
        return [Record.wrong() if fields is None else Record.of(fields)
                for fields in found]


class Json(Format):
    """Objects, lists in them, and lines that are none."""

    options = [b"--jsonl"]
    names = ["a", "b", "n", "o.x", ".n", "none"]
    lists = ["tags[]", "items[].s", "items[].n", "o.l[]"]
    no_values = (b"null", b"")

    def __init__(self, rng):
        super().__init__(rng)
        self.counts = rng.random() < .5
        if self.counts:
            self.args.append(b"--invalid=count")

    def scalar(self):
        rng = self.rng
        kind = rng.random()
        if kind < .1:
            return rng.choice(["true", "false", "null"])
        if kind < .4:
            return rng.choice(["0", "1", "-1.50", "1e2", "2.5E+1", "12"])
        if kind < .45:
            return rng.choice(['"\\ud83d"', '"\\ud83d\\ude00"', '"\\u0000"',
                               '"\\/\\b"', '"\\u0041"'])
        return json.dumps(pick(rng).decode("utf-8", "replace"),
                          ensure_ascii=rng.random() < .5)

    def list(self, one):
        rng = self.rng
        if rng.random() < .1:
            return rng.choice(["null", "1", '"x"', "[]"])
        return "[" + ",".join(one() for _ in range(rng.randint(0, 3))) + "]"

    def item(self):
        if self.rng.random() < .1:
            return self.rng.choice(["null", "3", "{}"])
        return '{"s":%s,"n":%s}' % (self.scalar(), self.rng.choice(
            ["1", "2.5", "null", "0"]))

    def line(self):
        rng = self.rng
        odd = rng.random()
        if odd < .02:
            return rng.choice([b"", b" ", b"\t"])
        if odd < .025 or (self.counts and odd < .08):
            return rng.choice([b"{", b"[1]", b'{"a":1,}', b'{"a":"\xff"}', b"x",
                               b'{"a":01}', b'{"a":"\t"}', b'{"a":NaN}',
                               b'{"a":"\\x"}', b'{} {}', b'{"a":1}\0'])
        members = ['"a":' + self.scalar(), '"b":' + self.scalar(),
                   '"n":' + rng.choice(["1", "0", "2.50", "null", '"3"', "-1"]),
                   '"tags":' + self.list(self.scalar),
                   '"items":' + self.list(self.item),
                   '"o":{"x":%s,"l":%s}' % (self.scalar(),
                                            self.list(self.scalar)),
                   '"a":' + self.scalar()]
        members = rng.sample(members, rng.randint(3, len(members)))
        blank = rng.choice(["", "", " "])
        text = "{" + ("," + blank).join(members) + "}" + blank
        return text.encode() + rng.choice([b"", b"", b"\r"])

    def read(self, data):
        records = []
        for line in self.lines(data):
            if not line.strip(b" \t\r"):
                continue
            found = model.json_object(line)
            if found is None and not self.counts:
                raise model.Refused("a wrong line")
            records.append(Record.wrong() if found is None else Record(
                lambda name, found=found: model.json_values(
                    found, name.removeprefix("."))))
        return records


class Logfmt(Format):
    options = [b"--logfmt"]
    names = ["a", "b", "n", "a.b", "none"]

    def line(self):
        rng = self.rng
        pairs = []
        for _ in range(rng.randint(0, 4)):
            value = pick(rng).replace(b"\n", b"")
            if rng.random() < .5:
                value = b'"' + re.sub(rb'(["\\])', rb"\\\1", value) + b'"'
            if rng.random() < .05:
                value = rng.choice([b'"x', b'"\\u00e9"', b'"\\x"', b"a=b"])
            pairs.append(rng.choice([b"a=", b"b=", b"n=", b"a.b=", b"c="]) +
                         value)
            if rng.random() < .1:
                pairs.append(rng.choice([b"a", b"b=", b"c"]))
        return rng.choice([b" ", b" ", b"  ", b"\t"]).join(pairs) + \
            rng.choice([b"", b"", b"\r"])

    def read(self, data):
        return [Record.of(model.read_logfmt(line)) for line in self.lines(data)
                if line.strip(bytes(range(33)))]


class Regex(Format):
    """The first match in a line, or all of them."""

    EXPRESSIONS = [rb"(\d+)", rb"([a-z]+)=?([^ ]*)", rb'"([^"]*)" (\d{3})',
                   rb"\d+", rb"([a-c])(x)?", rb"^(\S+)\s+(\S+)$", rb"(\w)$",
                   rb"(?:a|b)(.)"]
    names = ["0", "1"]

    def __init__(self, rng):
        super().__init__(rng)
        self.expression = rng.choice(self.EXPRESSIONS)
        self.pattern = re.compile(self.expression)
        self.is_all = rng.random() < .4
        self.args = [(b"--matches=" if self.is_all else b"--regex=") +
                     self.expression]
        if self.pattern.groups > 1 and not self.is_all:
            self.names = ["0", "1", "2"]
        self.take_comment()

    def line(self):
        return b" ".join(pick(self.rng).replace(b"\n", b"") for _ in
                         range(self.rng.randint(0, 4))) + \
            self.rng.choice([b"", b"", b"\r"])

    def of(self, match):
        groups = {str(i): match[i] for i in range(self.pattern.groups + 1)}
        groups.setdefault("1", match[0])
        return Record.of(groups)

    def read(self, data):
        records = []
        for line in self.lines(data):
            line = model.without_return(line)
            if self.is_all:
                records += [self.of(match) for match in
                            self.pattern.finditer(line) if match[0]]
            else:
                match = self.pattern.search(line)
                records.append(self.of(match) if match else Record.of({}))
        return records


class Pattern(Format):
    """Names between texts."""

    PATTERNS = [("%{p} [%{q}] %{r}", ["", " [", "] ", ""], ["p", "q", "r"]),
                ('${pp} "${qq}" ${rr}=${ss}', ["", ' "', '" ', "=", ""],
                 ["pp", "qq", "rr", "ss"]),
                ("x%{p}::%{q}", ["x", "::", ""], ["p", "q"])]
    may_misfit = True
    no_values = (b"-",)

    def __init__(self, rng):
        super().__init__(rng)
        text, self.texts, self.names = rng.choice(self.PATTERNS)
        self.args = [b"--log-format=" + text.encode()]

    def line(self):
        line = self.texts[0].encode()
        for text in self.texts[1:]:
            line += pick(self.rng).replace(b"\n", b"") + text.encode()
        if self.rng.random() < .1:
            line = line[:self.rng.randint(0, len(line))]
        return line + self.rng.choice([b"", b"", b"\r"])

    def match(self, line):
        if not line.startswith(self.texts[0].encode()):
            return None
        at = len(self.texts[0])
        values = {}
        for name, before, after in zip(self.names, self.texts, self.texts[1:]):
            byte = rb"(?:\\.|[^\\]|\\$)" if before.endswith('"') else rb"."
            found = re.compile(rb"(" + byte + rb"*?)" + re.escape(
                after.encode()) + (b"" if after else rb"\Z"),
                re.DOTALL).match(line, at)
            if found is None:
                return None
            values[name] = found[1]
            at = found.end()
        return values

    def read(self, data):
        records = []
        for line in self.lines(data):
            line = model.without_return(line)
            values = {} if not line.strip(b" \t") and self.match(line) is None \
                else self.match(line)
            records.append(Record.wrong() if values is None
                           else Record.of(values))
        return records


FORMATS = [Tabs, Bytes, Words, Csv, Csv, Lines, Clf, Json, Json, Logfmt, Regex,
           Pattern]
