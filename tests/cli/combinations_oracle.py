# SPDX-License-Identifier: MIT
"""combinations_oracle.py -- random combinations of options on text

    combinations_oracle.py GPUHIST

Each case has random lines of some format, fields with modifiers and lists,
conditions, and an order of the rows.  text_model.py and text_formats.py say
which rows these must be; each way to run must print them, byte for byte.
COMBINATIONS in the environment is the number of cases, and COMBINATIONS_SEED
the number of the first case.
"""

import bz2
import collections
import gzip
import os
import random
import re
import subprocess
import sys
import tarfile

from checks import IS_SHORT, holds
import text_model as model
from limits import Limits, some_limits
from text_formats import FORMATS, Csv, Lines, Regex, pick
from text_model import INVALID, Chain, Fraction

GPUHIST = os.path.abspath(sys.argv[1])
CASES = int(os.environ.get("COMBINATIONS", 100 if IS_SHORT else 1500))
SEED = int(os.environ.get("COMBINATIONS_SEED", 43))
SHOWN = 10  # faults


def is_built(library):
    """Whether gpuhist has LIBRARY, as the tests of the shell are told."""
    return os.environ.get("HAVE_" + library, "yes") == "yes"


if not is_built("PCRE2"):
    FORMATS.remove(Regex)

# ---- what is counted ----


class Field:
    """A field with its modifiers."""

    def __init__(self, format_, name, chain):
        self.format = format_
        self.name = name
        self.chain = chain
        self.is_list = chain.is_list or name in format_.lists
        text = name if re.fullmatch(r"[\w.\[\]-]+", name) else '"%s"' % name
        self.shown = name + chain.text()
        self.text = text + chain.text()

    def values(self, record):
        return self.chain.apply(record.get(self.name), self.format.no_values)


def choose_chain(rng, can_be_list, numbers):
    """Some modifiers."""
    names = rng.sample(sorted(model.MODIFIERS), rng.choice([0, 0, 1, 1, 2]))
    if can_be_list and rng.random() < .3:
        names.insert(rng.randint(0, len(names)), rng.choice(
            sorted(model.LISTS)))
    if numbers and rng.random() < .3:
        names.append(rng.choice(sorted(model.NUMBER_MODIFIERS)))
    return Chain(names)


def choose_field(rng, format_, is_list=False, numbers=False):
    """A field; IS_LIST: one that has elements, if possible."""
    if is_list and format_.lists and rng.random() < .7:
        name = rng.choice(format_.lists)
        return Field(format_, name, choose_chain(rng, False, numbers))
    while True:
        chain = choose_chain(rng, is_list, numbers)
        if chain.is_list or not is_list:
            return Field(format_, rng.choice(format_.names), chain)


# Expressions, as Perl and Python write them.
EXPRESSIONS = [(text, text.replace(rb"\z", rb"\Z")) for text in [
    rb"^a", rb"\d+\z", rb"[a-c]x?", rb"200|404", rb"(?i)k", rb"^\z", rb"a.c",
    rb"=|<", rb"^[^ab]+", rb"\.", rb"(\d)\d*\1", rb"e$|^\\"]]


class Alternatives:
    """Conditions of one --where: lists of which all must hold."""

    def __init__(self, rng, format_):
        self.lists = [[Condition(rng, format_)
                       for _ in range(rng.choice([1, 1, 1, 2]))]
                      for _ in range(rng.choice([1, 1, 1, 2, 3]))]
        self.conditions = [c for list_ in self.lists for c in list_]
        blank = rng.choice([b"", b" "])
        both = blank + b"&&" + blank
        self.text = (blank + b"||" + blank).join(
            both.join(c.text for c in list_) for list_ in self.lists)

    def holds(self, record):
        return any(all(c.holds(record) for c in list_) for list_ in self.lists)


class Condition:
    """A field, an operator and a value."""

    def __init__(self, rng, format_):
        self.field = choose_field(rng, format_, rng.random() < .2, True)
        self.op = rng.choice(list(model.OPS))
        value = pick(rng).replace(b"\0", b"") or b"x"
        is_plain = re.fullmatch(rb"[\w.;:/+-]+", value) and \
            not re.match(rb"[+-]?(nan|inf)", value, re.I)
        self.wanted = value
        if rng.random() < .1:
            self.op = rng.choice(["=", "!="])
            self.wanted, text = None, b"\\N"
        elif is_built("PCRE2") and rng.random() < .25 and \
                not self.field.chain.is_number:
            self.op = rng.choice(["=~", "!~"])
            text, python = rng.choice(EXPRESSIONS)
            self.wanted = re.compile(python)
            if rng.random() < .3 and b"'" not in text:
                text = b"'" + text + b"'"
        elif self.field.chain.is_number:
            text = rng.choice([b"1", b"0.25", b"12", b"-1", b"5400"])
            self.wanted = model.exact_number(text)
        elif is_plain and rng.random() < .7:
            text = value
            number = model.exact_number(value)
            self.wanted = value if number is None else number
        else:
            quote = rng.choice([b"'", b'"'])
            text = quote + value.replace(quote, 2 * quote) + quote
        blank = rng.choice([b"", b"", b" "])
        self.text = self.field.text.encode() + blank + self.op.encode() + \
            blank + text

    def holds(self, record):
        return not record.is_wrong and any(
            model.holds(value, self.op, self.wanted)
            for value in self.field.values(record))


class Spec:
    """Fields, groups, weights and conditions."""

    def __init__(self, rng, format_):
        kinds = ["f", "f", "ff", "ff", "g", "g", "gf", "gff", "joint", "number",
                 "gnumber", "columns", "weights", "gweights", "spectrum"]
        self.is_line = isinstance(format_, Lines)
        if format_.has_counts:
            kinds = [kind for kind in kinds if "weights" not in kind]
        self.kind = rng.choice(["f", "number", "spectrum"] if self.is_line
                               else kinds)
        self.format = format_
        self.rng = rng
        self.dtype = None
        self.weight = None
        count = {"ff": 2, "g": 2, "gf": 2, "joint": 2, "gnumber": 2,
                 "columns": 2, "gweights": 2, "gff": 3}.get(self.kind, 1)
        has_list = rng.random() < .4
        is_number = self.kind in ("number", "gnumber", "columns")
        while True:
            self.fields = self.choose_fields(has_list, count)
            if self.is_line:
                self.fields = [Field(format_, "1", Chain())]
            if is_number:
                chain = self.fields[-1].chain
                self.dtype = rng.choice(["int", "num", "decimal"])
                if chain.is_number or self.kind == "columns":
                    self.dtype = "decimal"
            columns = {(str(format_.column_of(field.name)), field.chain.text())
                       for field in self.fields}
            if len(columns) == count and (
                    self.kind != "joint" or not any(
                        f.chain.is_number for f in self.fields)):
                break
        self.groups = self.fields[:{"g": 2, "gweights": 2, "gf": 1, "gff": 1,
                                    "gnumber": 1, "columns": 1}.get(
                                        self.kind, 0)]
        if "weights" in self.kind:
            names = [name for name in format_.names if name not in
                     [field.name for field in self.fields]] or format_.names
            if self.fields[0].name == "items[].s":
                names = ["items[].n"]
            self.weight = Field(format_, rng.choice(names), Chain(rng.choice(
                [[], ["number"], ["size"], ["duration"]])))
        self.conditions = [Alternatives(rng, format_) for _ in
                           range(rng.choice([0, 0, 0, 1, 1, 2]))]
        has_key = not all(self.is_numeric(field) for field in self.fields)
        self.is_lower = rng.random() < .1 and has_key
        self.prefix = rng.choice([0] * 9 + [2]) if has_key else 0
        self.figures = rng.sample(["count", "records", "missing", "empty",
                                   "invalid", "min", "max", "sum", "distinct",
                                   "p50"], rng.randint(2, 6))
        if set(self.figures) <= {"count", "records", "missing", "distinct",
                                 "invalid"}:
            self.figures.append("sum")

    def choose_fields(self, has_list, count):
        """COUNT fields, of which several may be of one list."""
        rng = self.rng
        fields = [choose_field(rng, self.format, has_list, count == 1)]
        list_ = fields[0]
        at = [i for i, name in enumerate(list_.chain.names)
              if name in model.LISTS]
        while len(fields) < count:
            is_last = len(fields) == count - 1 and \
                self.kind not in ("g", "gweights")
            if at and rng.random() < .3:
                more = choose_chain(rng, False, is_last).names
                fields.append(Field(self.format, list_.name, Chain(
                    list_.chain.names[:at[0] + 1] + more)))
            elif list_.name.startswith("items[]") and rng.random() < .5:
                fields.append(Field(self.format, "items[].n",
                                    choose_chain(rng, False, is_last)))
            else:
                # A list of its own needs a histogram of its own.
                fields.append(choose_field(
                    rng, self.format, self.kind == "ff" and rng.random() < .5 or
                    (self.kind == "gff" and not list_.is_list and
                     rng.random() < .5), is_last))
        return fields

    def is_numeric(self, field):
        """Whether FIELD is counted as a number."""
        if field in self.groups:
            return False
        return field.chain.is_number or self.dtype is not None

    def arguments(self):
        args = []
        rest = [field for field in self.fields if field not in self.groups]
        if self.groups:
            args += [b"-g", ",".join(f.text for f in self.groups).encode()]
        if rest and not self.is_line:
            args += [b"-f", ",".join(f.text for f in rest).encode()]
        if self.kind == "joint":
            args.append(b"--joint")
        if self.dtype and not (self.kind == "columns" or
                               self.fields[-1].chain.is_number):
            args.append(b"--dtype=" + self.dtype.encode())
        if self.kind == "columns":
            args.append(b"--columns=" + ",".join(self.figures).encode())
        if self.weight:
            args.append(b"--weights=" + self.weight.text.encode())
        if self.kind == "spectrum":
            args.append(b"--spectrum")
        if self.is_lower:
            args.append(b"-i")
        if self.prefix:
            args.append(b"--prefix=%d" % self.prefix)
        return args + [b"--where=" + c.text for c in self.conditions]

    def key(self, field, value):
        """What a value is counted as."""
        if self.is_numeric(field):
            # A lone - of a log, and null, are no numbers, but not wrong.
            if value in self.format.no_values and \
                    not field.chain.is_number and value != b"":
                return "empty"
            return model.number_of(value, self.dtype or "decimal")
        if isinstance(value, Fraction):
            value = model.decimal_text(value)
        if isinstance(value, bytes):
            value = value.lower() if self.is_lower else value
            value = value[:self.prefix] if self.prefix else value
        return value

    def elements(self, record, fields):
        """Tuples of the values of FIELDS, one for each element."""
        columns = [field.values(record) for field in fields]
        count = max([len(c) for c, f in zip(columns, fields) if f.is_list],
                    default=1)
        if any(f.is_list and not c for c, f in zip(columns, fields)):
            count = 0
        return [tuple(c[i if f.is_list else 0] for c, f in
                      zip(columns, fields)) for i in range(count)]

    def histograms(self):
        """The lists of fields of each histogram."""
        if self.kind == "ff":
            return [[field] for field in self.fields]
        if self.kind == "gff":
            return [[self.fields[0], field] for field in self.fields[1:]]
        return [self.fields]


def weight_of(format_, value):
    """A weight as a fraction."""
    if value is None:
        return Fraction(0)
    if value is INVALID:
        raise model.Refused("a weight")
    if isinstance(value, Fraction):
        return value
    if value in format_.no_values or not value.strip(model.BLANKS):
        return Fraction(0)
    number = model.number_of(value, "decimal")
    if not isinstance(number, Fraction):
        raise model.Refused("a weight")
    return number


# ---- rows ----


class Report:
    """The order of the rows, and which ones are printed."""

    def __init__(self, rng, spec):
        self.top = 0
        self.limits = Limits()
        self.sort = None
        self.percent = self.no_other = self.hide = False
        if spec.kind in ("gf", "gff", "gnumber", "columns", "spectrum"):
            return
        self.top = rng.choice([0, 0, 0, 1, 3])
        self.limits = some_limits(rng)
        self.sort = rng.choice([None] * 4 + ["count", "value"])
        self.no_other = rng.random() < .1 and bool(self.top or self.limits)
        self.percent = rng.random() < .15 and not spec.weight

    def arguments(self):
        args = [b"--top=%d" % self.top] * (self.top > 0)
        args += [option.encode() for option in self.limits.options()]
        args += [b"--sort=" + self.sort.encode()] if self.sort else []
        args += [b"--no-other"] * bool(self.no_other)
        return args + [b"--percent"] * self.percent

    def within_limits(self, counts, sums, plain):
        """The rows in their order, of which PLAIN may be left out."""
        rare = [row for row in plain if counts[row] not in self.limits]
        lines = [([model.cell(v) for v in row], sums[row])
                 for row in sorted(set(counts) - set(rare), key=model.order)]
        if rare and not self.no_other:
            lines.append(([rb"\other"] * len(rare[0]),
                          sum(sums[row] for row in rare)))
        return lines

    def rows(self, counts, sums):
        """The rows of COUNTS, whose numbers are SUMS, in order."""
        plain = [row for row in counts
                 if not all(model.is_special(value) for value in row)]
        special = sorted((row for row in counts if row not in set(plain)),
                         key=model.order)
        plain.sort(key=model.order)
        if not self.top and self.sort != "count":
            if self.limits:
                return self.within_limits(counts, sums, plain)
            return [([model.cell(v) for v in row], sums[row])
                    for row in sorted(counts, key=model.order)]
        chosen = [row for row in plain if counts[row] in self.limits]
        if self.top or self.sort == "count":
            chosen.sort(key=lambda row: -sums[row])
        if self.top:
            chosen = chosen[:self.top]
        if self.sort == "value":
            chosen.sort(key=model.order)
        lines = [([model.cell(v) for v in row], sums[row])
                 for row in chosen + special]
        kept = set(chosen)
        rest = [sums[row] for row in plain if row not in kept]
        if rest and not self.no_other:
            lines.append(([rb"\other"] * len(plain[0]), sum(rest)))
        return lines


def figure(name, values, kinds):
    """A figure of the sorted VALUES, and of what is no value."""
    if name == "count":
        return b"%d" % len(values)
    if name == "records":
        return b"%d" % (len(values) + sum(kinds.values()))
    if name in ("missing", "empty", "invalid"):
        return b"%d" % kinds[name]
    if name == "distinct":
        return b"%d" % len(set(values))
    if name == "sum":
        return model.decimal_text(sum(values, Fraction(0)))
    if not values:
        return b"nan"
    at = {"min": 0, "max": -1, "p50": (len(values) + 1) // 2 - 1}[name]
    return model.number_text(values[at])


class Case:
    """Inputs and options, and what must come of them."""

    def __init__(self, number):
        self.rng = rng = random.Random(number)
        self.format = rng.choice(FORMATS)(rng)
        self.spec = Spec(rng, self.format)
        self.report = Report(rng, self.spec)
        self.number = number
        if isinstance(self.format, Csv):
            named = [f.name for f in self.spec.fields] + [
                c.field.name for all_ in self.spec.conditions
                for c in all_.conditions] + (
                [self.spec.weight.name] if self.spec.weight else [])
            self.format.has_number = bool({"2", "3"} & set(named))
        self.has_many = False
        self.inputs = [self.make() for _ in range(rng.choice([1, 1, 1, 2, 3]))]
        if isinstance(self.format, Csv) and not self.format.has_number and \
                self.format.header is None:
            # The first record decides.
            self.inputs = [b"x,y\n" + data for data in self.inputs]
            self.format.has_number = True

    def make(self):
        """The bytes of an input."""
        rng = self.rng
        count = rng.choice([0, 1, 3, 30, 30, 30, 300])
        if rng.random() < .02:
            # So many keys that little memory is not enough.
            count = 3000
        self.has_many |= count == 3000
        lines = [self.format.line() for _ in range(count)]
        if count == 3000:
            lines = [re.sub(rb"(?<![a-z0-9])[ak](?![a-z0-9])",
                            lambda _: b"%0100d" % rng.randrange(10**6), line)
                     for line in lines]
        if count and rng.random() < .02:
            at = rng.randrange(count)
            lines[at] += b"x" * rng.choice([1000, 70000, 300000])
        while lines and self.format.takes_header(lines[0]):
            lines.pop(0)
        data = b"".join(line + self.format.end for line in lines)
        data = self.format.start() + data
        if rng.random() < .1:
            data = model.MARK + data
        if rng.random() < .1 and data.endswith(self.format.end):
            data = data[:-1]
        return data

    def wanted(self, inputs):
        """The rows as bytes; or None: an error."""
        try:
            records = [record for data in inputs
                       for record in self.format.read(data)]
            if self.format.may_misfit and records and any(
                    r.is_wrong for r in records) and all(
                    r.is_wrong for r in records):
                return None
            return self.rows(records)
        except model.Refused:
            return None

    def rows(self, records):
        spec = self.spec
        kept = [r for r in records if r.times > 0 and
                all(c.holds(r) for c in spec.conditions)]
        if spec.kind == "columns":
            return self.figures(kept)
        lines = []
        for fields in spec.histograms():
            counts = collections.Counter()
            sums = collections.Counter()
            for record in kept:
                self.add(record, fields, counts, sums)
            counts = +counts  # a count of 0 is no row
            if not spec.weight:
                sums = counts
            if fields and spec.is_numeric(fields[-1]) and counts and all(
                    model.is_special(row[-1]) for row in counts):
                raise model.Refused("no number")
            lines += self.lines(fields, counts, sums)
        return b"".join(line + b"\n" for line in lines)

    def add(self, record, fields, counts, sums):
        spec = self.spec
        if spec.weight and INVALID not in record.get(spec.weight.name):
            for value in spec.weight.values(record):
                weight_of(self.format, value)
        asked = fields + ([spec.weight] if spec.weight else [])
        for values in spec.elements(record, asked):
            row = tuple(spec.key(f, v) for f, v in zip(fields, values))
            counts[row] += record.times
            if spec.weight:
                is_wrong = INVALID in record.get(spec.weight.name)
                sums[row] += Fraction(0) if is_wrong else \
                    weight_of(self.format, values[-1])

    def lines(self, fields, counts, sums):
        spec = self.spec
        if spec.kind == "spectrum":
            spectrum = collections.Counter(
                count for row, count in counts.items()
                if not model.is_special(row[0]))
            return [b"%d\t%d" % pair for pair in sorted(spectrum.items())]
        total = sum(sums.values())
        lines = []
        for cells, count in self.report.rows(counts, sums):
            if spec.kind in ("ff", "gff"):
                cells = [model.escape(fields[-1].shown.encode())] + cells
            cells = cells + [model.decimal_text(Fraction(count))]
            if self.report.percent:
                cells.append(model.number_text(float(100 * count / total)))
            lines.append(b"\t".join(cells))
        return lines

    def figures(self, records):
        spec = self.spec
        groups = collections.defaultdict(lambda: ([], collections.Counter()))
        for record in records:
            for values in spec.elements(record, spec.fields):
                row = [spec.key(f, v) for f, v in zip(spec.fields, values)]
                group = groups[tuple(row[:-1])]
                if isinstance(row[-1], str):
                    group[1][row[-1]] += record.times
                elif isinstance(row[-1], float):
                    return ANY
                else:
                    group[0].extend([row[-1]] * record.times)
        if groups and not any(values for values, _ in groups.values()):
            raise model.Refused("no number")
        is_last = lambda key: all(model.is_special(part) for part in key)
        lines = []
        for key in sorted(groups, key=lambda k: (is_last(k), model.order(k))):
            values, kinds = groups[key]
            values.sort()
            lines.append(b"\t".join(
                [model.cell(part) for part in key] +
                [figure(name, values, kinds) for name in spec.figures]))
        return b"".join(line + b"\n" for line in lines)


ANY = object()  # rows that this oracle does not know


# ---- ways to run ----


def run(arguments, data=None):
    """The status, what is printed, and the message."""
    done = subprocess.run([GPUHIST, "-q", *arguments],
                          input=data, capture_output=True, timeout=120,
                          check=False)
    return done.returncode, done.stdout, done.stderr


def write(name, data):
    with open(name, "wb") as file:
        file.write(data)
    return name


class Ways:
    """The ways to run a case."""

    def __init__(self, case):
        self.case = case
        self.rng = case.rng
        self.counting = case.format.args + case.spec.arguments()
        self.printing = case.report.arguments()
        self.names = [write(f"in{i}", data)
                      for i, data in enumerate(case.inputs)]

    def plain(self):
        return run([*self.counting, *self.printing, "-j1", *self.names])

    def threads(self):
        size = self.rng.choice([64, 100, 1000, 4096, 65536])
        return run([*self.counting, *self.printing, "-j4",
                    f"--chunk-size={size}", *self.names])

    def little_memory(self):
        if max(len(line) for data in self.case.inputs
               for line in data.split(self.case.format.end)) > 50000:
            return self.plain()
        limit = "2M" if self.case.has_many else "8M"
        return run([*self.counting, *self.printing, "-j2", "--chunk-size=4k",
                    f"--memory-limit={limit}", *self.names])

    def pipe(self):
        return run([*self.counting, *self.printing, *self.names[:-1], "-"],
                   self.case.inputs[-1])

    def packed(self):
        pack = self.rng.choice([gzip.compress] * is_built("GZIP") +
                               [bz2.compress] * is_built("BZIP2") + [bytes])
        names = [write(f"packed{i}", pack(data))
                 for i, data in enumerate(self.case.inputs)]
        return run([*self.counting, *self.printing, *names])

    def members(self):
        """Files in an archive."""
        if not is_built("ARCHIVE"):
            return self.plain()
        with tarfile.open("inputs.tar", self.rng.choice(["w", "w:gz"])) as tar:
            for name in self.names:
                tar.add(name)
        return run([*self.counting, *self.printing, "--members", "inputs.tar"])

    def per_file(self):
        return run([*self.counting, *self.printing, "--per-file", *self.names])

    def wanted_per_file(self):
        """The rows of each input, if it is counted by itself."""
        rows = b""
        for name, data in zip(self.names, self.case.inputs):
            wanted = self.case.wanted([data])
            if wanted is None or wanted is ANY:
                return wanted
            rows += b"".join(name.encode() + b"\t" + row + b"\n"
                             for row in wanted.split(b"\n")[:-1])
        return rows

    def shards(self):
        count = self.rng.choice([2, 3, 5])
        states = []
        for i in range(1, count + 1):
            states.append(f"state{i}")
            done = run([*self.stated(), f"--shard={i}/{count}", "-j2",
                        f"--state={states[-1]}", "-o", os.devnull, *self.names])
            if done[0] != 0:
                return done
        self.rng.shuffle(states)
        return run(["--merge", *self.printing, *self.figures(), *states])

    def states(self):
        states = []
        for i, name in enumerate(self.names):
            states.append(f"state{i}")
            done = run([*self.stated(), f"--state={states[-1]}", "-o",
                        os.devnull, name])
            if done[0] != 0:
                return done
        return run(["--merge", *self.printing, "--duplicates=allow",
                    *self.figures(), *states])

    def stated(self):
        """The options of a state, which has keys instead of a spectrum."""
        return [option for option in self.counting if option != b"--spectrum"]

    def figures(self):
        spec = self.case.spec
        if spec.kind == "spectrum":
            return ["--spectrum"]
        return ["--columns=" + ",".join(spec.figures)] \
            if spec.kind == "columns" else []


def check_case(number):
    """Run a case in some ways.  Returns what is wrong, or None."""
    case = Case(number)
    wanted = case.wanted(case.inputs)
    ways = Ways(case)
    chosen = case.rng.sample(["threads", "threads", "little_memory", "pipe",
                              "packed", "members"], 2)
    chosen = ["plain"] + ["little_memory"] * case.has_many + chosen
    if case.rng.random() < .2:
        chosen.append("per_file")
    # Errors may depend on the part.
    is_one = case.wanted(case.inputs[:1]) is not None
    if wanted is not None and is_one and not case.format.may_misfit and \
            not any(map(case.spec.is_numeric, case.spec.fields)):
        chosen.insert(1, case.rng.choice(["shards", "states"]))
    for name in chosen:
        if name == "per_file":
            wanted = ways.wanted_per_file()
        status, rows, message = getattr(ways, name)()
        is_right = status == 1 if wanted is None else \
            status == 0 and wanted in (rows, ANY)
        # With --per-file earlier inputs have their rows already.
        is_right &= wanted is not None or rows == b"" or name == "per_file"
        if not is_right:
            return number, name, ways.counting + ways.printing, status, \
                message[:300], first_difference(rows, wanted)
    return None


def first_difference(rows, wanted):
    """The first lines that differ."""
    if wanted is None or wanted is ANY:
        return rows[:200], wanted
    got, right = rows.split(b"\n"), wanted.split(b"\n")
    for i, pair in enumerate(zip(got, right)):
        if pair[0] != pair[1]:
            return i, pair, len(got), len(right)
    return len(got), len(right), got[-2:], right[-2:]


def main():
    """All cases."""
    wrong = []
    for number in range(SEED, SEED + CASES):
        found = check_case(number)
        if found:
            wrong.append(found)
            if len(wrong) <= SHOWN:
                print("#", repr(found)[:1500])
    holds(not wrong, f"{CASES} combinations of options", len(wrong))


main()
