# SPDX-License-Identifier: MIT
"""format_oracle.py -- every format, read by somebody else's reader

    format_oracle.py GPUHIST

The table in tsv, which numpy_oracle.py checks, is what all others must agree
with: csv by Python's csv module, json and jsonl by its json module, npy by
numpy.load(), prom by a parser that is stricter than Prometheus.  Prints a line
for each test, "PASS name" or "FAIL name", for the shell to count.
"""

import csv
import io
import json
import math
import os
import re
import subprocess
import sys

import numpy

from checks import check

GPUHIST = sys.argv[1]
INF = float("inf")


def run(options, status=0):
    done = subprocess.run([GPUHIST, "--device=cpu"] + options,
                          stdin=subprocess.DEVNULL, capture_output=True)
    assert done.returncode == status, (options, done.returncode, done.stderr)
    return done.stdout, done.stderr


# ---- the table ----

class Table:
    """What tsv says: a header, and a list of lines for each histogram."""

    def __init__(self, options):
        text = run(["--header-out"] + options)[0].decode()
        assert text.endswith("\n")
        lines = [line.split("\t") for line in text.split("\n")[:-1]]
        self.header, self.lines = lines[0], lines[1:]
        assert all(len(line) == len(self.header) for line in self.lines)
        self.amount = self.header.index(
            "sum" if "sum" in self.header else "count")
        self.has_field = self.header[0] == "field"

    def labels(self, line):
        return line[1 if self.has_field else 0:self.amount]

    def is_flow(self, line, axes):
        """Whether any axis of the line is in a flow cell."""
        at = 1 if self.has_field else 0
        for axis in axes:
            texts = line[at:at + axis["texts"]]
            at += axis["texts"]
            low, high = texts[0], texts[-1]
            if low in ("inf", "-inf", "nan") or high in ("-inf", "nan"):
                return True
            if len(texts) == 2 and axis["rule"] == "log" and (
                    high == "0" or low == "0"):
                return True
            if len(texts) == 2 and high == "inf":
                return True
        return False


# ---- json ----

def no_constant(text):
    raise ValueError("not JSON: " + text)


def no_twice(pairs):
    keys = [key for key, _ in pairs]
    assert len(set(keys)) == len(keys), "a key is there twice"
    return dict(pairs)


def read_json(text):
    """Strictly; numbers stay texts, so that no digit is lost."""
    return json.loads(text, parse_constant=no_constant,
                      object_pairs_hook=no_twice, parse_float=str,
                      parse_int=str)


def as_line(table, row, field):
    """The line of the table that ROW, of json, is about."""
    row = dict(row)
    if table.has_field:
        row.setdefault("field", field)
    if row.pop("other", None):
        for name in table.labels(table.header):
            row[name] = "other"
        if "lut" in table.header:
            row["lut"] = "nan"
    for end in "lo", "hi":
        if end in row:
            column, = [name for name in table.header if name.endswith("_" + end)]
            row[column] = row.pop(end)
    flows = {key: row.pop(key) for key in list(row)
             if key == "flow" or key.endswith("_flow")}
    assert sorted(row) == sorted(table.header), (row, table.header)
    return [row[name] for name in table.header], flows


def check_json(options, table):
    text = run(["--format=json"] + options)[0].decode("utf-8")
    whole = read_json(text)
    got = []
    for histogram in whole["histograms"]:
        field = histogram["axes"][0]["field"]
        bins = [as_line(table, row, field) for row in histogram["bins"]]
        flow = [as_line(table, row, field) for row in histogram["flow"]]
        assert all(not flows for _, flows in bins)
        assert all(flows for _, flows in flow)
        names = {"underflow", "overflow", "nan", "zero", "negative"}
        assert all(set(flows.values()) <= names for _, flows in flow)
        got += [line for line, _ in bins + flow]
        axes = histogram["axes"]
        assert len(axes) == 1 or whole["joint"]
        if "count" in table.header:
            totals = histogram["totals"]
            in_bins = sum(int(line[table.amount]) for line, _ in bins)
            in_flow = sum(int(line[table.amount]) for line, _ in flow)
            assert str(in_bins) == totals["in_bins"], totals
            if "--flow=hide" not in options:
                assert str(in_bins + in_flow) == totals["values"], totals
    assert sorted(got) == sorted(table.lines), "other lines than tsv"
    assert whole["options"][-1] == options[-2]
    assert whole["inputs"] == options[-1:]
    assert int(whole["bytes"]) == os.path.getsize(options[-1]) or (
        "--image" in options)


def check_jsonl(options, table):
    text = run(["--format=jsonl"] + options)[0].decode("utf-8")
    rows = [read_json(line) for line in text.split("\n")[:-1]]
    totals = rows.pop()
    got = [as_line(table, row, row.get("field"))[0] for row in rows]
    assert got == table.lines, "other lines than tsv, or another order"
    assert {"totals", "gpuhist", "options", "inputs", "bytes",
            "records"} == set(totals)
    if "count" in table.header and "--flow=hide" not in options:
        assert sum(int(t["values"]) for t in totals["totals"]) == sum(
            int(line[table.amount]) for line in table.lines)


# ---- csv and uniq ----

def check_csv(options, table):
    text = run(["--format=csv"] + options)[0].decode()
    rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    assert rows == [table.header] + table.lines


def check_uniq(options, counts):
    text = run(["--format=uniq"] + options)[0].decode()
    wanted = "".join("%7s %s\n" % (
        line[counts.amount], "\t".join(line[:counts.amount]))
        for line in counts.lines)
    assert text == wanted, (text[:200], wanted[:200])


# ---- npy ----

def check_npy(options, table, shape, in_bins):
    text, _ = run(["-q", "--format=npy"] + options)
    array = numpy.load(io.BytesIO(text), allow_pickle=False)
    wanted = numpy.dtype("<f8" if "sum" in table.header else "<u8")
    assert array.dtype == wanted and array.flags["C_CONTIGUOUS"]
    assert array.shape == shape, array.shape
    got = [str(x) for x in array.ravel().tolist()]
    if wanted.kind == "f":
        assert [float(x) for x in got] == [float(x) for x in in_bins]
    else:
        assert got == in_bins
    # numpy writes the same bytes.
    mine = io.BytesIO()
    numpy.lib.format.write_array(mine, array, version=(1, 0))
    head = text.index(b"\n") + 1
    assert text[head:] == mine.getvalue()[-len(text[head:]):]
    assert head % 64 == 0


# ---- prom ----

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
SAMPLE = re.compile(
    r"(%s)_(bucket|sum|count)(?:\{((?:[a-z]+=\"[^\"\\\n]*\",?)+)\})? (\S+)"
    % NAME)
NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?(e[+-][0-9]+)?$")


def read_prom(text, metric):
    """{labels: (buckets, sum, count)}; refuses more than Prometheus does."""
    lines = text.split("\n")
    assert lines.pop() == "" and lines.pop() == "# EOF"
    assert re.match(r"# HELP %s [^\\]+$" % metric, lines.pop(0))
    assert lines.pop(0) == "# TYPE %s histogram" % metric
    series = {}
    for line in lines:
        match = SAMPLE.fullmatch(line)
        assert match, line
        name, kind, labels, value = match.groups()
        assert name == metric
        labels = dict(re.findall(r'([a-z]+)="([^"]*)"', labels or ""))
        le = labels.pop("le", None)
        key = tuple(sorted(labels.items()))
        buckets = series.setdefault(key, {"le": [], "bound": []})
        if kind == "bucket":
            assert le == "+Inf" or (NUMBER.match(le) and
                                    ("." in le or "e" in le)), le
            buckets["bound"].append(float(le))
            buckets["le"].append(int(value))
        else:
            assert le is None and kind not in buckets
            assert value == "NaN" or NUMBER.match(value)
            buckets[kind] = value
    for buckets in series.values():
        bounds, counts = buckets["bound"], buckets["le"]
        assert bounds == sorted(set(bounds)) and bounds[-1] == INF
        assert counts == sorted(counts)
        assert counts[-1] == int(buckets["count"])
    return series


def check_prom(options, values, metric="gpuhist_values"):
    """VALUES: for each field, by its label, the values it had."""
    series = read_prom(run(["--format=prom"] + options)[0].decode(), metric)
    assert set(series) == set(values)
    for key, of_field in values.items():
        got = series[key]
        for bound, count in zip(got["bound"], got["le"]):
            wanted = (of_field.size if bound == INF
                      else int((of_field <= bound).sum()))
            assert count == wanted, (key, bound, count, wanted)


# ---- columns ----

def number(text):
    return float(text)


def same(got, wanted):
    return got == wanted or (math.isnan(got) and math.isnan(wanted))


def divide(a, b):
    return a / b if b else math.nan


def check_columns(options, plain, axes, totals):
    """TOTALS: how many values each histogram has, hidden ones included."""
    table = Table(["--cumulative", "--density", "--percent"] + options)
    assert table.header == plain.header + ["cumulative", "density", "percent"]
    assert [line[:-3] for line in table.lines] == plain.lines
    fields = {}
    for line in table.lines:
        field = line[0] if table.has_field else ""
        fields.setdefault(field, []).append(line)
    for number_, lines in enumerate(fields.values()):
        own = axes if len(fields) == 1 else axes[number_:number_ + 1]
        amounts = [float(line[table.amount]) for line in lines]
        flows = [table.is_flow(line, own) for line in lines]
        total = float(totals[number_])
        in_bins = math.fsum(a for a, f in zip(amounts, flows) if not f)
        so_far = 0
        for line, amount, flow in zip(lines, amounts, flows):
            so_far += int(line[table.amount])
            assert line[-3] == str(so_far), line
            assert same(number(line[-1]), divide(100 * amount, total)), line
            if flow:
                assert line[-2] == "nan", line
                continue
            density, at = amount, 1 if table.has_field else 0
            for axis in own:
                width = 1.0
                if axis["texts"] == 2:
                    width = float(line[at + 1]) - float(line[at])
                at += axis["texts"]
                density /= width
            assert same(number(line[-2]), divide(density, in_bins)), line


def check_order(options, plain):
    """--top and --sort, of one histogram."""
    amount = plain.amount
    occurring = [(i, line) for i, line in enumerate(plain.lines)
                 if line[amount] != "0"]
    ranked = sorted(occurring, key=lambda x: (-int(x[1][amount]), x[0]))
    for top in (1, 3, len(ranked) - 1, len(ranked), len(ranked) + 5):
        if top < 1:
            continue
        kept = ranked[:top]
        rest = sum(int(line[amount]) for _, line in ranked[top:])
        other = [["other"] * amount + [str(rest)]] if rest else []
        got = Table(["--top=%d" % top] + options).lines
        assert got == [line for _, line in kept] + other, (top, got[:5])
        got = Table(["--sort=value", "--top=%d" % top] + options).lines
        assert got == [line for _, line in sorted(kept)] + other, top
    whole = sorted(enumerate(plain.lines),
                   key=lambda x: (-int(x[1][amount]), x[0]))
    assert Table(["--sort=count"] + options).lines == [
        line for _, line in whole]
    assert Table(["--sort=count", "--nonzero"] + options).lines == [
        line for _, line in ranked]
    assert Table(["--sort=value"] + options).lines == plain.lines


# ---- what is counted ----

def write(name, data):
    with open(name, "wb") as out:
        out.write(data)


def axes_of(options, table):
    """How many texts each axis has in a line."""
    whole = read_json(run(["--format=json"] + options)[0].decode())
    axes = [axis for h in whole["histograms"] for axis in h["axes"]]
    for axis in axes:
        axis["texts"] = 2
        if axis["name"] in table.header:
            axis["texts"] = 1
    return whole, axes


rng = numpy.random.default_rng(7)
write("bytes", rng.binomial(255, 0.4, 5000).astype("u1").tobytes())
write("few", b'hello, "world"\\\n\t \x00\x7f\xff\n')
write("none", b"")
floats = rng.normal(0, 1, 3000).astype("<f4")
floats[:6] = [math.nan, INF, -INF, 0.0, 1.0, -1.0]
write("floats", floats.tobytes())
doubles = numpy.exp(rng.normal(0, 4, 2000))
doubles[:5] = [0, -1, math.nan, INF, 1]
write("doubles", doubles.astype("<f8").tobytes())
write("shorts", rng.integers(-300, 300, 4000).astype("<i2").tobytes())
big = rng.integers(2**63, 2**64 - 1, 500, dtype="u8")
pairs = numpy.zeros(500, dtype=[("a", "u1"), ("b", "<u8"), ("c", "<f8")])
pairs["a"] = rng.integers(0, 9, 500)
pairs["b"] = big
pairs["c"] = rng.normal(0, 1e10, 500)
write("pairs", pairs.tobytes())
pixels = rng.integers(0, 256, 30 * 20 * 3).astype("u1").tobytes()
write("rgb.ppm", b"P6 30 20 255\n" + pixels)
write("grey.pgm", b"P5 30 60 255\n" + pixels)

SPECS = [
    ["bytes"],
    ["none"],
    ["--nonzero", "bytes"],
    ["--range=80,120", "bytes"],
    ["--range=80,120", "--flow=show", "bytes"],
    ["--range=80,120", "--flow=hide", "bytes"],
    ["--range=80,120", "--flow=clamp", "bytes"],
    ["-b7", "bytes"],
    ["--labels=hex", "few"],
    ["--labels=char", "few"],
    ["--dtype=f4", "-b9", "--range=-1,1.1", "floats"],
    ["--dtype=f4", "-b16", "--range=auto", "floats"],
    ["--dtype=f8", "--log=10", "--subdiv=1", "--range=1e-3,1e3", "doubles"],
    ["--dtype=f8", "--edges=-1,0,0.1,7,1e300", "--flow=show", "doubles"],
    ["--dtype=<i2", "--range=-100,200", "--nonzero", "shorts"],
    ["--record=u1,u1", "bytes"],
    ["--record=u1,u1,u1,u1", "-f4,2", "-b5", "bytes"],
    ["--record=u1,<i2,u1", "--range=-", "--range=-20,9", "--range=-", "-b-",
     "-b3", "-b-", "shorts"],
    ["--record=u1*2", "--joint", "-b4", "--range=60,140", "bytes"],
    ["--record=u1,u1,<i2", "--joint", "--mod=5", "--mod=3", "--mod=-", "-b-",
     "-b-", "-b2", "--range=-", "--range=0,2", "--range=-9,99", "shorts"],
    ["--record=u1,u8,f8", "-f1", "--weights=2", "--mod=10", "pairs"],
    ["--record=u1,u8,f8", "-f1", "--weights=3", "--mod=5", "--range=1,4",
     "pairs"],
    ["--image", "rgb.ppm"],
    ["--image", "--joint", "-b3", "rgb.ppm"],
    ["--image", "--lut", "grey.pgm"],
]


def check_spec(options):
    name = " ".join(options)
    table = Table(options)
    check(name + ": csv", check_csv, options, table)
    check(name + ": json", check_json,
          options if len(options) > 1 else ["-q"] + options, table)
    check(name + ": jsonl", check_jsonl, options, table)
    whole, axes = axes_of(options, table)
    has_weights = "sum" in table.header
    if "--lut" not in options:
        counts = Table(["--nonzero"] + options)
        check(name + ": uniq", check_uniq, options, counts)
    if not {"--lut", "--nonzero", "--flow=show"} & set(options) and not any(
            o.startswith("--labels") for o in options):
        sizes = [int(axis["bins"]) for axis in axes]
        if whole["joint"] or len(axes) == 1:
            shape = tuple(sizes)
        else:
            shape = (len(sizes), sizes[0])
        if whole["joint"] or len(set(sizes)) == 1:
            own = axes if whole["joint"] else axes[:1]
            in_bins = [line[table.amount] for line in table.lines
                       if not table.is_flow(line, own)]
            check(name + ": npy", check_npy, options, table, shape, in_bins)
    if not has_weights and "--lut" not in options:
        totals = [h["totals"]["values"] for h in whole["histograms"]]
        check(name + ": columns", check_columns, options, table, axes, totals)
        if len(whole["histograms"]) == 1:
            check(name + ": order", check_order, options, table)


for spec in SPECS:
    check_spec(spec)

# ---- prom: against the values themselves ----

data = numpy.fromfile("bytes", "u1")
check("prom: bytes", check_prom, ["bytes"], {(): data})
check("prom: nothing", check_prom, ["none"], {(): data[:0]})
check("prom: --nonzero", check_prom, ["--nonzero", "bytes"], {(): data})
check("prom: a range", check_prom, ["--range=80,120", "bytes"], {(): data})
check("prom: --metric", check_prom,
      ["--metric=a:b_9", "bytes"], {(): data}, "a:b_9")
check("prom: fields", check_prom, ["--record=u1,u1", "bytes"],
      {(("field", "1"),): data[::2], (("field", "2"),): data[1::2]})
check("prom: even bins", check_prom,
      ["--dtype=f4", "-b9", "--range=-1,1.1", "--closed=right", "floats"],
      {(): floats.astype("f8")})
check("prom: logarithmic bins", check_prom,
      ["--dtype=f8", "--log", "--closed=right", "doubles"], {(): doubles})
check("prom: 16-bit values", check_prom, ["--dtype=<i2", "shorts"],
      {(): numpy.fromfile("shorts", "<i2")})


def check_sum(options, wanted):
    (series,) = read_prom(run(["--format=prom"] + options)[0].decode(),
                          "gpuhist_values").values()
    assert same(float(series["sum"]), wanted), series["sum"]


check("prom: the sum of bytes", check_sum, ["bytes"],
      float(data.astype("u8").sum()))
check("prom: the sum of 16-bit values", check_sum, ["--dtype=<i2", "shorts"],
      float(numpy.fromfile("shorts", "<i2").astype("i8").sum()))
check("prom: the sum of nothing", check_sum, ["none"], 0.0)
check("prom: no sum of values in no bin", check_sum,
      ["--range=80,120", "bytes"], math.nan)
check("prom: no sum of bins", check_sum,
      ["-b8", "--closed=right", "bytes"], math.nan)


def check_hidden():
    series = read_prom(run(["-q", "--format=prom", "--flow=hide",
                            "--range=80,120", "bytes"])[0].decode(),
                       "gpuhist_values")[()]
    inside = data[(data >= 80) & (data < 120)].astype("u8")
    assert int(series["count"]) == inside.size
    assert float(series["sum"]) == inside.sum()


check("prom: what is hidden is not in it", check_hidden)

# ---- numpy's own density ----


def check_numpy_density():
    lines = Table(["--dtype=f8", "-b13", "--range=0.1,7.3", "--numpy",
                   "--density", "doubles"]).lines
    wanted, _ = numpy.histogram(doubles[numpy.isfinite(doubles)], 13,
                                (0.1, 7.3), density=True)
    got = [float(line[-1]) for line in lines if line[-1] != "nan"]
    assert got == wanted.tolist(), (got, wanted)


check("density is numpy.histogram's", check_numpy_density)


def check_exact_sums():
    """--cumulative of weights: exact integers beyond 64 bits."""
    table = Table(["--record=u1,u8,f8", "-f1", "--weights=2", "--mod=10",
                   "--cumulative", "pairs"])
    so_far = 0
    for line in table.lines:
        so_far += sum(int(x) for x in big[pairs["a"] == int(line[0])])
        assert line[2] == str(so_far), line
    assert so_far > 2**64
    table = Table(["--record=u1,u8,f8", "-f1", "--weights=3", "--mod=10",
                   "--cumulative", "pairs"])
    for line in table.lines:
        wanted = math.fsum(pairs["c"][pairs["a"] <= int(line[0])])
        assert float(line[2]) == wanted, line
    table = Table(["--record=u1,u8,f8", "-f1", "--weights=2", "--mod=10",
                   "--top=3", "pairs"])
    sums = [sum(int(x) for x in big[pairs["a"] == a]) for a in range(9)]
    best = sorted(range(9), key=lambda a: (-sums[a], a))
    assert table.lines == [[str(a), str(sums[a])] for a in best[:3]] + [
        ["other", str(sum(sums[a] for a in best[3:]))]]


check("cumulative sums of weights are exact", check_exact_sums)

# ---- strings ----

NAMES = ["plain", 'quo"te\\', "tab\tnew\nline\x01", "\u00e9\u4e2d\U0001f600",
         b"bad\xff\xc0\x80\xed\xa0\x80\xf5end", b"cut\xe4\xb8",
         b"long\xe0\x80\x80\xf0\x80\x80\x80\xf4\x90\x80\x80"]


def check_names():
    for name in NAMES:
        raw = name if isinstance(name, bytes) else name.encode()
        with open(raw, "wb"):
            pass
        text = run(["--format=json", raw])[0].decode("utf-8")
        (got,) = json.loads(text)["inputs"]
        wanted = name
        if isinstance(name, bytes):  # one U+FFFD for each byte
            wanted = re.sub("[\udc80-\udcff]", "\ufffd",
                            raw.decode("utf-8", "surrogateescape"))
        assert got == wanted, (got, wanted)


check("json: names of files", check_names)


def check_labels():
    """Each byte's label is its own, and reads back."""
    labels = [line[0] for line in Table(["--labels=char", "none"]).lines]
    for byte, label in enumerate(labels):
        if len(label) == 1:
            assert ord(label) == byte and "!" <= label <= "~"
            assert label != "\\"
        else:
            assert label[0] == "\\"
            got = label.encode().decode("unicode_escape")
            assert got == chr(byte), label
    assert len(set(labels)) == 256
    labels = [line[0] for line in Table(["--labels=hex", "none"]).lines]
    assert labels == ["0x%02x" % byte for byte in range(256)]


check("labels read back", check_labels)
