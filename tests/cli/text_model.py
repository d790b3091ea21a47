# SPDX-License-Identifier: MIT
r"""text_model.py -- what gpuhist(1) says of text, for oracles

Readers of the formats, modifiers, numbers and conditions, written from the
manual and with the modules of Python alone.  A value is bytes, None for a field
that is missing, or INVALID.  A reader returns a list of records, each of which
is a function from the name of a field to the list of its values: one, or for a
list as many as it has elements.
"""

import decimal
import fractions
import json
import math
import operator
import re

Fraction = fractions.Fraction
MARK = b"\xef\xbb\xbf"
BLANKS = b" \t\n\v\f\r"


class Invalid:
    """The value of a field that cannot be read."""

    def __repr__(self):
        return "INVALID"


INVALID = Invalid()


class Refused(Exception):
    """The run must fail with status 1."""


# ---- records ----


def split_lines(data, end=b"\n"):
    """The records of DATA; the last one needs no end."""
    lines = data.removeprefix(MARK).split(end)
    if lines[-1] == b"":
        lines.pop()
    return lines


def without_comments(lines, mark):
    """LINES without those that start with MARK."""
    return [line for line in lines if not mark or not line.startswith(mark)]


def without_return(line):
    return line.removesuffix(b"\r")


class Columns:
    """Fields with numbers, and with names if there is a header."""

    def __init__(self, fields, header=None):
        self.fields = fields
        self.header = header

    def __call__(self, name):
        if self.header is not None and name in self.header:
            at = self.header.index(name)
        elif name == "NF":
            at = len(self.fields) - 1
        elif name.startswith("NF-"):
            at = len(self.fields) - 1 - int(name[3:])
        else:
            at = int(name) - 1
        return [self.fields[at] if 0 <= at < len(self.fields) else None]


def read_delimited(line, delimiter):
    return line.split(delimiter)


def read_words(line, blanks=rb"[ \t]+"):
    return [word for word in re.split(blanks, line) if word]


def csv_records(data, delimiter, mark):
    """The records of CSV, each a list of fields; None: a blank line."""
    data = data.removeprefix(MARK)
    at = 0
    while at < len(data):
        if mark and data.startswith(mark, at):
            end = data.find(b"\n", at)
            at = end + 1 if end >= 0 else len(data)
            continue
        fields = [b""]
        start = at
        while at < len(data) and data[at:at + 1] != b"\n":
            if data[at:at + 1] == delimiter:
                fields.append(b"")
                at += 1
            elif fields[-1] == b"" and data[at:at + 1] == b'"' and (
                    at == start or data[at - 1:at] == delimiter):
                quoted = re.compile(rb'"((?:[^"]|"")*)"(?!")').match(data, at)
                if quoted is None:
                    raise Refused("a quote without an end")
                at = quoted.end()
                rest = re.compile(rb"[^\n" + re.escape(delimiter) +
                                  rb"]*").match(data, at)
                at = rest.end()
                more = rest[0]
                if data[at:at + 1] != delimiter:
                    more = without_return(more)
                fields[-1] = quoted[1].replace(b'""', b'"') + more
            else:
                plain = re.compile(rb"[^\n" + re.escape(delimiter) +
                                   rb"]+").match(data, at)
                at = plain.end()
                fields[-1] = plain[0] if data[at:at + 1] == delimiter else \
                    without_return(plain[0])
        is_blank = data[start:at] in (b"", b"\r")
        at += 1
        yield None if is_blank else fields


# ---- CLF ----

MONTHS = [b"Jan", b"Feb", b"Mar", b"Apr", b"May", b"Jun", b"Jul", b"Aug",
          b"Sep", b"Oct", b"Nov", b"Dec"]
CLF = re.compile(
    rb'[ \t]*([^ \t]+)[ \t]+([^ \t]+)[ \t]+([^ \t]+)[ \t]+\[([^]]*)\][ \t]+'
    rb'"((?:[^"\\]|\\.)*)"[ \t]+(\d{3}|-)[ \t]+(\d+|-)(?=[ \t]|\Z)', re.DOTALL)
# A name before the host, which has a point or a colon.
VHOST = re.compile(rb'[ \t]*([^ \t":,[\]]+)(?::\d*)?[ \t]+'
                   rb'(?=[^ \t]*[.:][^ \t]*[ \t]+[^ \t]+[ \t]+[^ \t]+[ \t]+\[)')
# What follows may lack its end.
CLF_MORE = re.compile(rb'[ \t]+(?:"((?:[^"\\]|\\.|\\\Z)*)"?|\[([^]]*)\]?|'
                      rb'([^ \t"\[][^ \t]*))', re.DOTALL)


def clf_time(text):
    """Year, month, day, hour, minute, second of the time of a log, or None."""
    time = slashed_time(text)
    is_whole = re.fullmatch(rb"\d\d/.*:\d\d:\d\d:\d\d [+-]\d{4}", text)
    return tuple(time) if time and is_whole else None


def slashed_time(text):
    """The parts of such a time that are there, or None."""
    found = re.fullmatch(rb"(\d\d?)/([A-Za-z]{3})/(\d{4})(?::(\d\d)"
                         rb":(\d\d)(?::(\d\d))?(?: ?[+-]\d{4})?)?", text)
    if found is None or found[2].title() not in MONTHS:
        return None
    parts = [int(found[3]), MONTHS.index(found[2].title()) + 1, int(found[1])]
    parts += [int(part) for part in found.groups()[3:] if part is not None]
    return check_time(*parts) and parts


def check_time(year, month, day, hour=0, minute=0, second=0):
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    if not 1 <= month <= 12:
        return None
    days = [31, 28 + leap, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    if not 1 <= day <= days or hour > 23 or minute > 59 or second > 59:
        return None
    return year, month, day, hour, minute, second


def read_clf(line):
    """The fields of a line; None: it does not fit; {}: a line of blanks."""
    line = without_return(line)
    if not line.strip(b" \t"):
        return {}
    vhost = VHOST.match(line)
    if vhost is not None and CLF.match(line) is None:
        line = line[vhost.end():]
    else:
        vhost = None
    found = CLF.match(line)
    if found is None or clf_time(found[4]) is None:
        return None
    names = ["host", "ident", "user", "time", "request", "status", "bytes"]
    fields = {name: found[i + 1] for i, name in enumerate(names)}
    more = CLF_MORE.match(line, found.end())
    if more is not None and more[1] is not None:
        fields["referer"] = more[1]
        more = CLF_MORE.match(line, more.end())
        if more is not None:
            fields["agent"] = next(part for part in more.groups()
                                   if part is not None)
    method, space, target = fields["request"].partition(b" ")
    if space and target:
        fields["method"] = method
        before, space, protocol = target.rpartition(b" ")
        if space and protocol.startswith(b"HTTP/"):
            fields["protocol"], target = protocol, before
        fields["target"] = target
        fields["path"], mark, query = target.partition(b"?")
        if mark:
            fields["query"] = query
    if vhost is not None:
        fields["vhost"] = vhost[1]
    time = clf_time(found[4])
    fields["minute"] = b"%04d-%02d-%02dT%02d:%02d" % time[:5]
    fields["hour"] = b"%04d-%02d-%02dT%02d" % time[:4]
    fields["day"] = b"%04d-%02d-%02d" % time[:3]
    return fields


# ---- JSON ----


class Number(str):
    """A number of JSON as it stands."""


def json_object(line):
    """The object of a line; None: it is wrong."""
    def constant(name):
        raise ValueError(name)
    try:
        text = line.decode("utf-8")
        found = json.loads(text, parse_float=Number, parse_int=Number,
                           parse_constant=constant)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def json_key(value):
    if value is True or value is False:
        return b"true" if value else b"false"
    if value is None:
        return b"null"
    pairs = str(value).encode("utf-16-le", "surrogatepass")
    return pairs.decode("utf-16-le", "replace").encode()


def json_values(record, path):
    """The values of PATH, whose steps are names and for elements []."""
    name, dot, rest = path.partition(".")
    is_list = name.endswith("[]")
    name = name.removesuffix("[]")
    if not isinstance(record, dict) or name not in record:
        return [None]
    value = record[name]
    if not is_list:
        return json_values(value, rest) if dot else [json_key(value)]
    if value is None:
        return [None]
    if not isinstance(value, list):
        return [INVALID]
    if not dot:
        return [json_key(element) for element in value]
    return [one for element in value for one in json_values(element, rest)]


# ---- logfmt ----

PAIR = re.compile(rb'([^\x00- =]*)(?:(=)(?:"((?:[^"\\]|\\.)*)("|\\?$)|'
                  rb'([^\x00- ]*)))?', re.DOTALL)


def logfmt_value(pair):
    equals, inner, close, bare = pair.group(2, 3, 4, 5)
    if equals is None:
        return b""
    if bare is not None:
        return bare
    if close != b'"' or b"\\" not in inner:
        return inner + (close if close != b'"' else b"")
    try:
        return json_key(json.loads(b'"' + inner + b'"'))
    except ValueError:
        return inner


def read_logfmt(line):
    """The values by their keys."""
    blanks = re.compile(rb"[\x00- ]*")
    values = {}
    at = blanks.match(line).end()
    while at < len(line):
        pair = PAIR.match(line, at)
        values[pair.group(1).decode("latin-1")] = logfmt_value(pair)
        at = blanks.match(line, pair.end()).end()
    return values


# ---- modifiers ----


def text_time(text):
    """The parts of a time that are there, or None."""
    text = text.strip(b" \t\r\v\f")
    found = re.fullmatch(
        rb"(\d{4})-(\d\d)(?:-(\d\d)(?:[Tt ](\d\d)(?::(\d\d)(?::(\d\d)"
        rb"(?:[.,]\d+)?)?)?(?: ?(?:[Zz]|[+-]\d\d(?::?\d\d)?))?)?)?", text)
    if found is None:
        return slashed_time(text)
    parts = [int(part) for part in found.groups() if part is not None]
    return check_time(*(parts + [1] * (3 - len(parts)))) and parts


def time_of_day(text):
    """The hour and the minute of a time without a day."""
    return re.fullmatch(rb"\s*(([01]\d|2[0-3]):[0-5]\d)(?::[0-5]\d)?\s*", text)


def cut_time(count, form):
    def apply(text):
        time = text_time(text)
        alone = time_of_day(text)
        if alone and count in (4, 5):
            return alone[2 if count == 4 else 1]
        if time is None or len(time) < count:
            return INVALID
        return form % tuple(time[:count])
    return apply


def hour_of_day(text):
    alone = time_of_day(text)
    time = text_time(text)
    if alone is None and (time is None or len(time) < 4):
        return INVALID
    return alone[2] if alone else b"%02d" % time[3]


def part_field(number, separator=None):
    def apply(text):
        parts = text.split(separator)
        return parts[number - 1] if len(parts) >= number else INVALID
    return apply


def url_path(text):
    scheme = re.match(rb"[A-Za-z][A-Za-z0-9+.-]*://[^/?#]*", text)
    if scheme:
        return re.match(rb"[^?#]*", text[scheme.end():])[0] or b"/"
    return text.split(b"?", 1)[0]


def decimal_text(value):
    """A decimal without an exponent."""
    scaled = abs(value) * 10 ** 60
    assert scaled.denominator == 1
    digits = str(scaled.numerator).rjust(61, "0")
    text = (digits[:-60] + "." + digits[-60:]).rstrip("0").rstrip(".")
    return (b"-" if value < 0 else b"") + text.encode()


def first_number(text):
    """Numbers without commas, and signs that are not in words."""
    found = re.search(
        rb"(?:(?<![A-Za-z0-9])-)?(?:\d+(?:\.\d*)?|(?<![A-Za-z0-9.])\.\d+)"
        rb"(?:[eE][+-]?\d+)?", text)
    return Fraction(found[0].decode()) if found else INVALID


UNITS = {b"ms": Fraction(1, 1000), b"s": 1, b"m": 60, b"min": 60, b"h": 3600,
         b"d": 86400, b"us": Fraction(1, 10 ** 6), b"": 1}


DECIMAL = rb"((?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)"


def duration(text):
    text = text.strip(b" \t\r\v\f")
    clock = re.fullmatch(rb"(?:(\d+):)?(\d+):(\d\d)", text)
    if clock and int(clock[3]) < 60 and (not clock[1] or int(clock[2]) < 60):
        parts = [int(part or 0) for part in clock.groups()]
        return Fraction(parts[0] * 3600 + parts[1] * 60 + parts[2])
    found = re.fullmatch(rb"([+-]?)" + DECIMAL + rb" ?([a-z]*)", text)
    if found is None or found[3] not in UNITS:
        return INVALID
    value = Fraction(found[2].decode()) * UNITS[found[3]]
    return -value if found[1] == b"-" else value


def size(text):
    text = text.strip(b" \t\r\v\f")
    found = re.fullmatch(rb"([+-]?)" + DECIMAL + rb" ?(?:([kKMGTPE])(i?))?B?",
                         text)
    if found is None:
        return INVALID
    power = b"kMGTPE".index(found[3].replace(b"K", b"k")) + 1 if found[3] else 0
    value = Fraction(found[2].decode()) * (1024 if found[4] else 1000) ** power
    return -value if found[1] == b"-" else value


def is_number_text(text):
    return re.fullmatch(rb"[ \t-\r]*[+-]?(\d+\.?\d*|\.\d+)[ \t-\r]*", text)


MODIFIERS = {
    "lower": bytes.lower, "upper": bytes.upper,
    "trim": lambda text: text.strip(b" \t\r\v\f\n"),
    "prefix=3": lambda text: text[:3], "prefix=1": lambda text: text[:1],
    "cut=2-3": lambda text: text[1:3], "cut=2-": lambda text: text[1:],
    "cut=-2": lambda text: text[:2],
    "field=2": part_field(2), 'field=2";"': part_field(2, b";"),
    'field=1"/"': part_field(1, b"/"),
    "day": cut_time(3, b"%04d-%02d-%02d"), "month": cut_time(2, b"%04d-%02d"),
    "hour": cut_time(4, b"%04d-%02d-%02dT%02d"), "year": cut_time(1, b"%04d"),
    "minute": cut_time(5, b"%04d-%02d-%02dT%02d:%02d"),
    "hour-of-day": hour_of_day,
    "path": url_path,
}
NUMBER_MODIFIERS = {"number": first_number, "duration": duration, "size": size}
LISTS = {'split=";"': b";", "split=;": b";", 'split=","': b","}


class Chain:
    """Modifiers, one after the other."""

    def __init__(self, names=()):
        self.names = list(names)
        self.is_number = bool(names) and names[-1] in NUMBER_MODIFIERS
        self.is_list = any(name in LISTS for name in names)

    def text(self):
        return "".join(":" + name for name in self.names)

    def one(self, value, name):
        """The values that the modifier NAME makes."""
        if value is None or value is INVALID:
            return [value]
        if name in LISTS:
            return value.split(LISTS[name]) if value else []
        if name in NUMBER_MODIFIERS:
            return [NUMBER_MODIFIERS[name](value)]
        return [MODIFIERS[name](value)]

    def apply(self, values, no_values=()):
        """The values, of which numbers are fractions.

        A field that is empty, or one of NO_VALUES, stays empty as a number.
        """
        return [made for value in values
                for made in self.of_field(value, no_values)]

    def of_field(self, value, no_values):
        """The values of a field."""
        lists = [at for at, name in enumerate(self.names) if name in LISTS]
        if lists:
            at = lists[0]
            whole = Chain(self.names[:at]).of_field(value, ())[0]
            return Chain(self.names[at + 1:]).apply(
                self.one(whole, self.names[at]), no_values)
        made = [value]
        for name in self.names:
            made = [one for before in made for one in self.one(before, name)]
        if self.is_number and made == [INVALID] and isinstance(value, bytes) \
                and (value in no_values or not value.strip(BLANKS)):
            return [b""]
        return made


# ---- numbers ----

NUMBER = re.compile(rb"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\Z")


def number_of(value, kind):
    """A number, or "missing", "empty", "invalid"; KIND is a dtype."""
    if value is None:
        return "missing"
    if value is INVALID:
        return "invalid"
    if isinstance(value, Fraction):
        return value
    text = value.strip(BLANKS)
    if not text:
        return "empty"
    if not NUMBER.match(text):
        word = text.lower().lstrip(b"+-")
        is_one = text[:2] not in (b"++", b"--", b"+-", b"-+")
        if kind == "int" or word not in (b"nan", b"inf", b"infinity") or \
                not is_one:
            return "invalid"
        if word == b"nan":
            return math.nan
        return -math.inf if text.startswith(b"-") else math.inf
    number = Fraction(text.decode())
    if kind == "int":
        is_one = number.denominator == 1 and -2**63 <= number < 2**63
        return number if is_one else "invalid"
    return float(number) + 0.0 if kind == "num" else number


def number_text(number):
    """A number; of a decimal that is a double, the double's shortest text."""
    text = repr(float(number))
    if isinstance(number, float) or Fraction(text) == number:
        return text.removesuffix(".0").encode()
    return decimal_text(number)


# ---- conditions ----

OPS = {"=": operator.eq, "!=": operator.ne, "<": operator.lt,
       "<=": operator.le, ">": operator.gt, ">=": operator.ge}


def exact_number(text):
    """The number of a text in a condition, or None."""
    if not re.fullmatch(rb"[ \t-\r]*([+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|"
                        rb"[+-]?inf(inity)?)[ \t-\r]*", text, re.IGNORECASE):
        return None
    return decimal.Decimal(text.decode().strip(" \t\n\v\f\r"))


def holds(value, op, wanted):
    """Whether VALUE OP WANTED; None: a number that is \\N; bytes: a text."""
    if value is INVALID:
        return False
    if wanted is None:
        return OPS[op](value is None, True)
    if value is None:
        return False
    if op in ("=~", "!~"):
        return (wanted.search(value) is not None) == (op == "=~")
    if isinstance(wanted, bytes):
        return not isinstance(value, Fraction) and OPS[op](value, wanted)
    if isinstance(value, Fraction):
        return OPS[op](value, Fraction(wanted))
    number = exact_number(value)
    return number is not None and OPS[op](number, wanted)


# ---- rows ----

SPECIAL = {None: rb"\N", INVALID: rb"\invalid", "missing": rb"\N",
           "empty": rb"\empty", "invalid": rb"\invalid"}
RANK = {None: 1, "missing": 1, "empty": 2, INVALID: 3, "invalid": 3}


def escape(key):
    """A key as a row has it."""
    key = re.sub(rb"\\(?=[tnNoei\\\t\n]|\Z)", rb"\\\\", key)
    return key.replace(b"\t", rb"\t").replace(b"\n", rb"\n")


def is_special(value):
    return not isinstance(value, (bytes, Fraction, float))


def cell(value):
    if is_special(value):
        return SPECIAL[value]
    return escape(value) if isinstance(value, bytes) else number_text(value)


def order(row):
    """Keys ascend, then numbers, NaN, and special values."""
    return [(RANK[value], 0) if is_special(value) else
            (0.5, 0) if isinstance(value, float) and math.isnan(value) else
            (0, value) for value in row]
