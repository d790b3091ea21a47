# SPDX-License-Identifier: MIT
"""profile_oracle.py -- profiles of fields, by Python's csv and Fraction

    profile_oracle.py GPUHIST

Random CSV with quotes, empty and missing fields, fields too many, and values of
one or several types, by any threads and chunks, in too little memory, in shards
and states; each profile must be the one that Python finds.  Prints a line for
each test, "PASS name" or "FAIL name", for the shell to count.
"""

import collections
import csv
import datetime
import decimal
import fractions
import functools
import gzip
import io
import json
import math
import os
import random
import re
import struct
import subprocess
import sys
import tempfile

from checks import IS_SHORT, check

GPUHIST = sys.argv[1]
BLANKS = " \t\n\v\f\r"
NUMBER = re.compile(r"([+-]?)(([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?"
                    r"|inf|infinity|nan)\Z", re.IGNORECASE)
INTEGER = re.compile(r"[+-]?[0-9]+\Z")
decimal.getcontext().prec = 400


def run(*options, data=b""):
    done = subprocess.run([GPUHIST, "-q", *options], input=data,
                          capture_output=True, timeout=300, check=False)
    assert done.returncode == 0, (options, done.stderr)
    return done.stdout.decode()


# ---- a profile, by Python ----

@functools.lru_cache(maxsize=None)
def read_number(text):
    """A Fraction, a float that is not finite, or None."""
    text = text.strip(BLANKS)
    if not NUMBER.match(text):
        return None
    if text[-1] in "fFnNyY":
        return float(text)
    return fractions.Fraction(decimal.Decimal(text))


def read_time(text):
    """The seconds of a text in one of the forms that this test writes."""
    for form in ("%Y-%m-%d", "%Y-%m-%dT%H:%M:%S%z", "%Y-%m-%d %H:%M:%S",
                 "%Y-%m-%dT%H:%M:%S.%f%z", "%d/%b/%Y:%H:%M:%S %z"):
        try:
            time = datetime.datetime.strptime(text, form)
        except ValueError:
            continue
        if time.tzinfo is None:
            time = time.replace(tzinfo=datetime.timezone.utc)
        return time.timestamp()
    return None


def root(variance):
    """The square root of a Fraction, rounded once."""
    quotient = (decimal.Decimal(variance.numerator) /
                decimal.Decimal(variance.denominator))
    return float(quotient.sqrt())


def total_of(pairs):
    """The sum of rationals and how often each is there, reduced once."""
    scale = math.lcm(*(x.denominator for x, _ in pairs))
    return fractions.Fraction(sum(
        x.numerator * (scale // x.denominator) * n for x, n in pairs), scale)


def figures(counts):
    """The figures of numbers; a text stands for a Fraction."""
    numbers = [(read_number(key), n) for key, n in counts.items()]
    finite = [(x, n) for x, n in numbers if isinstance(x, fractions.Fraction)]
    infinite = [(x, n) for x, n in numbers if isinstance(x, float) and
                not math.isnan(x)]
    ordered = sorted(finite + infinite, key=lambda pair: pair[0])
    count = sum(n for _, n in ordered)
    facts = {"count": count, "nan": sum(counts.values()) - count,
             "min": None, "max": None, "mean": None, "sd": None, "p50": None}
    if count == 0:
        return facts
    rank = 0
    for value, n in ordered:
        rank += n
        if rank * 2 >= count:
            facts["p50"] = value
            break
    facts["min"], facts["max"] = ordered[0][0], ordered[-1][0]
    if infinite:
        total = sum(x for x, _ in infinite)
        facts["mean"], facts["sd"] = total, math.nan
        return facts
    total = total_of(finite)
    squares = total_of([(x * x, n) for x, n in finite])
    facts["mean"] = float(total / count)
    facts["sd"] = root((squares - total * total / count) / count)
    return facts


def profile(values):
    """The profile of the values of a field; None: a record lacks it."""
    counts = collections.Counter(v for v in values if v is not None and
                                 v.strip(BLANKS) != "")
    filled = sum(counts.values())
    missing = values.count(None)
    line = {"type": None, "count": filled, "missing": missing,
            "empty": len(values) - missing - filled, "invalid": 0, "nan": 0,
            "distinct": len(counts), "min": None, "max": None, "mean": None,
            "sd": None, "p50": None, "mode": None, "mode_count": None}
    if not counts:
        return line
    line["mode_count"] = max(counts.values())
    line["mode"] = min((key for key, n in counts.items()
                        if n == line["mode_count"]), key=str.encode)
    if all(read_number(key) is not None for key in counts):
        line["type"] = ("integer" if all(INTEGER.match(key.strip(BLANKS))
                                         for key in counts) else "decimal")
        line.update(figures(counts))
        return line
    keys = sorted(counts, key=str.encode)
    line["type"] = "text"
    if all(read_time(key) is not None for key in keys):
        line["type"] = "time"
        keys.sort(key=read_time)
        latest = read_time(keys[-1])
        keys[-1] = next(key for key in keys if read_time(key) == latest)
    line["min"], line["max"] = keys[0], keys[-1]
    return line


def is_equal(name, got, wanted):
    if name in ("mean", "sd") and isinstance(wanted, float):
        got = math.nan if got is None else float(got)
        return got == wanted or (math.isnan(got) and math.isnan(wanted))
    if isinstance(wanted, (fractions.Fraction, float)):
        return read_number(str(got)) == wanted
    return got == wanted


def compare(got, wanted):
    assert len(got) == len(wanted), (len(got), len(wanted))
    for line, (field, values) in zip(got, wanted):
        right = profile(values)
        assert line["field"] == field, (line, field)
        for name, value in right.items():
            assert is_equal(name, line[name], value), (name, line, right)
        assert set(line) == {"field", *right}, line


# ---- random CSV ----

def number_text(rng):
    form = rng.randrange(7)
    if form == 0:
        return str(rng.randrange(-10**rng.randrange(1, 38), 10**9))
    if form == 1:
        return f"{rng.uniform(-1e3, 1e3):.{rng.randrange(12)}f}"
    if form == 2:
        return repr(rng.uniform(-1, 1) * 10.0**rng.randrange(-5, 9))
    if form == 3:
        return rng.choice(["0", "-0", "+5", "5.", ".5", "1e3", "007", " 8 "])
    if form == 4:
        return "0." + "".join(rng.choice("0123456789") for _ in range(30))
    return str(rng.randrange(20))


def time_text(rng):
    seconds = rng.randrange(2 * 10**9)
    time = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
    return time.strftime(rng.choice([
        "%Y-%m-%d", "%Y-%m-%d", "%Y-%m-%dT%H:%M:%SZ", "%Y-%m-%d %H:%M:%S",
        "%Y-%m-%dT%H:%M:%S.%fZ", "%d/%b/%Y:%H:%M:%S +0130"]))


def any_text(rng):
    return rng.choice(["a", "b", "a,b", 'say "x"', "two\nlines", "é", "z\tz",
                       "long " * 9, "\\N", "\\empty", "NULL", "x y"])


KINDS = [
    lambda rng: str(rng.randrange(30)),
    lambda rng: str(rng.randrange(-10**9, 10**12)),
    number_text,
    lambda rng: rng.choice([number_text(rng), "nan", "NaN", "inf", "-Infinity"])
    if rng.random() < 0.1 else number_text(rng),
    time_text,
    any_text,
    lambda rng: rng.choice(KINDS[:3])(rng) if rng.random() < 0.9
    else any_text(rng),
    lambda rng: rng.choice([time_text(rng), str(rng.randrange(3, 9))]),
    lambda rng: "",
]


def table(rng):
    """The names of columns, and rows of any length."""
    columns = rng.randrange(1, 7)
    kinds = [rng.choice(KINDS) for _ in range(columns)]
    holes = [rng.choice([0, 0, 0.1, 0.6]) for _ in range(columns)]
    rows = []
    for _ in range(rng.choice([0, 1, 2, 7, 50, 300])):
        row = [rng.choice(["", "", " "]) if rng.random() < hole else kind(rng)
               for kind, hole in zip(kinds, holes)]
        if rng.random() < 0.05:
            row = row[:rng.randrange(1, columns + 1)]
        elif rng.random() < 0.02:
            row += [any_text(rng) for _ in range(rng.randrange(1, 3))]
        rows.append(row)
    return [f"c{i}" for i in range(columns)], rows


def data_of(rows, rng):
    text = io.StringIO()
    writer = csv.writer(text, lineterminator=rng.choice(["\n", "\r\n"]),
                        quoting=rng.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]))
    for row in rows:
        writer.writerow(row)
    return text.getvalue().encode()


def columns_of(names, rows):
    """The columns; the one after the named ones only if a row has it."""
    wide = any(len(row) > len(names) for row in rows)
    fields = [*names, str(len(names) + 1)] if wide else names
    return [(name, [row[i] if i < len(row) else None for row in rows])
            for i, name in enumerate(fields)]


def lines_of(text):
    lines = [json.loads(line, parse_float=decimal.Decimal)
             for line in text.splitlines()]
    return lines[:-1]


def random_run(seed):
    rng = random.Random(seed)
    names, rows = table(rng)
    data = data_of([names, *rows], rng)
    options = ["--csv", "--profile", "--format=jsonl",
               f"-j{rng.randrange(1, 5)}",
               f"--chunk-size={rng.choice([4096, 10000, 10**6])}"]
    if rng.random() < 0.2:
        data = gzip.compress(data)
    compare(lines_of(run(*options, data=data)), columns_of(names, rows))


def conditions(seed):
    rng = random.Random(seed)
    rows = [[str(rng.randrange(9)), number_text(rng)] for _ in range(200)]
    got = lines_of(run("--csv", "--profile", "--format=jsonl", "--where=a>=5",
                       data=data_of([["a", "b"], *rows], rng)))
    compare(got, columns_of(["a", "b"], [r for r in rows if int(r[0]) >= 5]))


def chosen(seed):
    rng = random.Random(seed)
    rows = [[number_text(rng), any_text(rng), time_text(rng)]
            for _ in range(50)]
    got = lines_of(run("--csv", "--profile", "--format=jsonl", "-f", "c,a",
                       data=data_of([["a", "b", "c"], *rows], rng)))
    wanted = columns_of(["a", "b", "c"], rows)
    compare(got, [wanted[2], wanted[0]])


def formats(seed):
    rng = random.Random(seed)
    names, rows = table(rng)
    data = data_of([names, *rows], rng)
    lines = lines_of(run("--csv", "--profile", "--format=jsonl", data=data))
    whole = json.loads(run("--csv", "--profile", "--format=json", data=data),
                       parse_float=decimal.Decimal)
    assert whole["profile"] == lines, whole
    got = list(csv.DictReader(io.StringIO(
        run("--csv", "--profile", "--format=csv", data=data), newline="")))
    assert len(got) == len(lines), (got, lines)
    for line, row in zip(lines, got):
        for name, value in line.items():
            if isinstance(value, (int, decimal.Decimal)):
                assert decimal.Decimal(row[name]) == value, (name, row, line)
            elif name not in ("mean", "sd") or value is not None:
                assert row[name] == (value or ""), (name, row, line)
    for form in ("tsv", "md", "table"):
        text = run("--csv", "--profile", f"--format={form}", data=data)
        assert len(text.splitlines()) == (len(lines) + 1 + (form == "md")), text


def parts(seed):
    rng = random.Random(seed)
    rows = [[number_text(rng), any_text(rng), time_text(rng)]
            for _ in range(3000)]
    names = ["a", "b", "c"]
    with tempfile.TemporaryDirectory() as folder:
        files = [os.path.join(folder, name) for name in "xy"]
        for i, name in enumerate(files):
            with open(name, "wb") as file:
                file.write(data_of([names, *rows[i::2]], rng))
        wanted = run("--csv", "--profile", *files)
        states = [name + ".state" for name in files]
        for name, state in zip(files, states):
            run("--csv", "--profile", f"--state={state}", name)
        assert run("--merge", *states) == wanted
        assert run("--merge", "--profile", *states) == wanted
        for i in (1, 2):
            run("--csv", "--profile", "--format=state", f"--shard={i}/2", "-o",
                states[i - 1], *files)
        assert run("--merge", "--profile", *states) == wanted
        for i in (1, 2):
            run("--csv", "-f", "a,b,c", "--format=state", f"--shard={i}/2",
                "-o", states[i - 1], *files)
        assert run("--merge", "--profile", *states) == wanted


def spills(_):
    rng = random.Random(5)
    rows = [[f"{rng.randrange(10**9)}.{rng.randrange(100):02}",
             f"{rng.randrange(250000):030}"]
            for _ in range(30000 if IS_SHORT else 300000)]
    data = data_of([["a", "b"], *rows], rng)
    texts = {run("--csv", "--profile", "--format=jsonl", f"-j{threads}",
                 f"--memory-limit={limit}", data=data).rpartition("\n{")[0]
             for threads, limit in ((1, "9Mi"), (4, "9Mi"), (2, "1Gi"))}
    assert len(texts) == 1, texts
    compare(lines_of(texts.pop() + "\n{}"), columns_of(["a", "b"], rows))


def near(seed):
    """Very many numbers that round to few doubles."""
    rng = random.Random(seed)
    start = rng.choice(["1.00000000000000000", "-7.5000000000000000000"])
    rows = [[start + f"{rng.randrange(10**9):09}"]
            for _ in range(rng.choice([20001, 30000]))]
    compare(lines_of(run("--csv", "--profile", "--format=jsonl",
                         data=data_of([["a"], *rows], rng))),
            columns_of(["a"], rows))


# ---- members of JSON and logfmt ----

JSON_NAMES = ["a", "b", "long name", "x.y", 'quote"d', "é", "back\\slash", "",
              "n", "tab\tted"]


def json_value(rng):
    """A value: its text in JSON, and the text that is counted."""
    form = rng.randrange(7)
    if form == 0:
        return "null", "null"
    if form == 1:
        text = rng.choice(["true", "false", "[1, 2]", '{"z": {"y": "}"}}'])
        return text, text
    if form < 4:
        text = str(rng.randrange(-9, 99))
        return text, text
    text = rng.choice([any_text(rng), time_text(rng), "", str(form)])
    return json.dumps(text, ensure_ascii=rng.random() < 0.5), text


def json_name(name, rng):
    """A spelling of NAME in JSON."""
    if rng.random() < 0.1:
        return '"' + "".join(f"\\u{ord(c):04x}" for c in name) + '"'
    return json.dumps(name, ensure_ascii=rng.random() < 0.5)


def json_record(names, rng, most):
    """A line of JSON, and its members."""
    members, parts = {}, []
    for _ in range(rng.randrange(most)):
        name = rng.choice(names)
        text, members[name] = json_value(rng)
        blank = rng.choice(["", "", " ", "\t"])
        parts.append(json_name(name, rng) + blank + ":" + blank + text + blank)
    return "{" + ",".join(parts) + "}", members


def member_columns(records):
    names = sorted({name for record in records for name in record},
                   key=str.encode)
    # Null is no value.
    return [(name, [" " if record.get(name) == "null" else record.get(name)
                    for record in records]) for name in names]


def json_run(seed):
    rng = random.Random(seed)
    names = rng.choice([JSON_NAMES[:3], JSON_NAMES,
                        [f"m{i}" for i in range(60)]])
    made = [json_record(names, rng, rng.choice([4, 9, 9, 90]))
            for _ in range(rng.choice([0, 1, 9, 200, 900]))]
    records = [members for _, members in made]
    data = "".join(line + "\n" for line, _ in made).encode()
    compare(lines_of(run("--jsonl", "--profile", "--format=jsonl",
                         f"-j{rng.randrange(1, 5)}",
                         f"--chunk-size={rng.choice([4096, 9999, 10**6])}",
                         data=data)), member_columns(records))


def json_parts(seed):
    """States and shards of files with different members."""
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        files = [os.path.join(folder, name) for name in "xy"]
        for i, name in enumerate(files):
            with open(name, "w", encoding="utf-8") as file:
                for _ in range(500):
                    file.write(json_record(JSON_NAMES[4 * i:4 * i + 6], rng,
                                           6)[0] + "\n")
        wanted = run("--jsonl", "--profile", *files)
        states = [name + ".state" for name in files]
        for name, state in zip(files, states):
            run("--jsonl", "--profile", "--format=state", "-o", state, name)
        assert run("--merge", *states) == wanted
        for i in (1, 2):
            run("--jsonl", "--profile", "--format=state", f"--shard={i}/2",
                "-o", states[i - 1], *files)
        assert run("--merge", "--profile", *states) == wanted


def json_chosen(seed):
    """As if all members were listed."""
    rng = random.Random(seed)
    names = ["a", "b", "c", "x y", "long"]
    data = "".join(json_record(names, rng, 8)[0] + "\n"
                   for _ in range(400)).encode()
    where = rng.choice([[], ["--where=a>=5"]])
    everything = run("--jsonl", "--profile", *where, data=data)
    chosen = run("--jsonl", "--profile", *where, "-f", ",".join(sorted(names)),
                 data=data)
    assert everything == chosen, (everything, chosen)


def logfmt_run(seed):
    rng = random.Random(seed)
    records, lines = [], []
    for _ in range(rng.choice([1, 30, 500])):
        record, pairs = {}, []
        for _ in range(rng.randrange(1, 9)):
            key = rng.choice(["a", "b", "key", "é", "x.y"])
            text = rng.choice(["", str(rng.randrange(20)), "w", 'say "x"',
                               "two words"])
            record[key] = text
            plain = not set(text) & set(' "')
            if plain and text == "" and rng.random() < 0.5:
                pairs.append(key)
            else:
                pairs.append(key + "=" + (text if plain and rng.random() < 0.8
                                          else json.dumps(text)))
        records.append(record)
        lines.append(" ".join(pairs) + "\n")
    compare(lines_of(run("--logfmt", "--profile", "--format=jsonl",
                         f"-j{rng.randrange(1, 5)}",
                         data="".join(lines).encode())),
            member_columns(records))


def json_spills(_):
    rng = random.Random(6)
    records = [{"id": str(i * 7919 % 10**6), "text": f"{rng.random():.17f}"}
               for i in range(45000 if IS_SHORT else 250000)]
    data = "".join(f'{{"id":{r["id"]},"text":"{r["text"]}"}}\n'
                   for r in records).encode()
    texts = {run("--jsonl", "--profile", "--format=jsonl", f"-j{threads}",
                 "--memory-limit=8Mi", data=data).rpartition("\n{")[0]
             for threads in (1, 4)}
    assert len(texts) == 1, texts
    compare(lines_of(texts.pop() + "\n{}"), member_columns(records))


# ---- samples ----

def sample(kind, rng):
    if kind in "df":
        value = rng.choice([0.0, 0.5, -1.25, rng.uniform(-1, 1), math.nan,
                            10.0**rng.randrange(-300, 300)])
        return struct.unpack("f", struct.pack("f", value / 1e280))[0] \
            if kind == "f" and abs(value) > 1e30 else \
            struct.unpack(kind, struct.pack(kind, value))[0]
    low, high = {"b": (-128, 127), "H": (0, 65535), "i": (-2**31, 2**31 - 1),
                 "Q": (0, 2**64 - 1)}[kind]
    return rng.choice([low, high, 3, rng.randint(low, high)])


def sample_figures(values):
    numbers = [fractions.Fraction(v) for v in values if v == v]
    counts = collections.Counter(numbers)
    line = {"count": len(numbers), "nan": len(values) - len(numbers),
            "distinct": len(counts), "missing": 0, "empty": 0, "invalid": 0}
    if not numbers:
        return line
    numbers.sort()
    total, squares = sum(numbers), sum(x * x for x in numbers)
    line["mean"] = float(total / len(numbers))
    line["sd"] = root((squares - total * total / len(numbers)) / len(numbers))
    line["mode_count"] = max(counts.values())
    line["min"], line["max"] = float(numbers[0]), float(numbers[-1])
    line["p50"] = float(numbers[(len(numbers) - 1) // 2])
    line["mode"] = float(min(x for x in counts
                             if counts[x] == line["mode_count"]))
    return line


def samples(seed):
    rng = random.Random(seed)
    types = {"b": "i1", "H": "<u2", "i": "<i4", "Q": "<u8", "f": "<f4",
             "d": "<f8"}
    kinds = [rng.choice("bHiQfd") for _ in range(rng.randrange(1, 5))]
    rows = [[sample(kind, rng) for kind in kinds]
            for _ in range(rng.choice([0, 1, 2, 9, 300]))]
    data = b"".join(struct.pack("<" + "".join(kinds), *row) for row in rows)
    got = lines_of(run("--record=" + ",".join(types[k] for k in kinds),
                       "--profile", "--format=jsonl",
                       f"-j{rng.randrange(1, 4)}", data=data))
    assert len(got) == len(kinds)
    for i, kind in enumerate(kinds):
        assert got[i]["field"] == str(i + 1)
        assert got[i]["type"] == ("decimal" if kind in "df" else "integer")
        right = sample_figures([row[i] for row in rows])
        for name, value in right.items():
            printed = float(got[i][name])
            # A short float is printed with its own fewest digits.
            if kind == "f" and name in ("min", "max", "p50", "mode"):
                printed = struct.unpack("f", struct.pack("f", printed))[0]
            assert printed == value, (name, got[i], right)


def pandas_describe(pandas, seed):
    rng = random.Random(seed)
    rows = [[str(rng.randrange(10**6)), f"{rng.uniform(-9, 9):.3f}",
             any_text(rng)] for _ in range(500)]
    data = data_of([["a", "b", "c"], *rows], rng)
    frame = pandas.read_csv(io.BytesIO(data), keep_default_na=False)
    for line in lines_of(run("--csv", "--profile", "--format=jsonl",
                             data=data)):
        column = frame[line["field"]]
        assert line["count"] == column.count()
        assert line["distinct"] == column.nunique()
        if line["field"] == "c":
            continue
        assert float(line["min"]) == column.min()
        assert float(line["max"]) == column.max()
        assert math.isclose(line["mean"], column.mean(), rel_tol=1e-12)
        assert math.isclose(line["sd"], column.std(ddof=0), rel_tol=1e-12)
        assert float(line["p50"]) == column.quantile(0.5, "lower")


for number in range(60 if IS_SHORT else 1000):
    check(f"random CSV {number}", random_run, number)
for number in range(10):
    check(f"every format, {number}", formats, number)
for number in range(3):
    check(f"conditions, {number}", conditions, number)
    check(f"chosen fields, {number}", chosen, number)
    check(f"states and shards, {number}", parts, number)
    if number == 0 or not IS_SHORT:
        check(f"numbers near each other, {number}", near, number)
check("beyond the memory", spills, 0)
check("members beyond the memory", json_spills, 0)
for number in range(30 if IS_SHORT else 300):
    check(f"random JSON {number}", json_run, number)
    check(f"random logfmt {number}", logfmt_run, number)
for number in range(20 if IS_SHORT else 200):
    check(f"random samples {number}", samples, number)
for number in range(10):
    check(f"all members or listed ones, {number}", json_chosen, number)
    check(f"members in states and shards, {number}", json_parts, number)
try:
    import pandas
except ImportError:
    print("no pandas: its describe() is not compared")
else:
    for number in range(5):
        check(f"pandas, {number}", pandas_describe, pandas, number)
