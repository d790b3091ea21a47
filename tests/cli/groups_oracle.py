# SPDX-License-Identifier: MIT
"""groups_oracle.py -- combinations of fields, counted by Python

    groups_oracle.py GPUHIST

Random bytes with many ends and delimiters, in one or several inputs, by any
threads and chunks.  Each run must print what a Counter of tuples says, in each
format.  Prints a line for each test, "PASS name" or "FAIL name", for the shell
to count.
"""

import collections
import csv
import io
import json
import random
import re
import subprocess
import sys

from checks import IS_SHORT, check
from limits import some_limits

GPUHIST = sys.argv[1]
ALPHABETS = [b"ab,\n", b"ab,;\n\r", bytes(range(256)) + b",\n" * 30,
             b"a\0\n,\xff\x01", b"abc \t,\n\\Notn", b'ab"\r,\n']
SIZES = [0, 1, 5, 64, 100, 1000, 20000, 200000]
MISSING, OTHER = "missing", "other"

# csv reads NUL bytes from Python 3.11 on; no other byte decodes to this.
NUL = "\ue000"


def rank(key):
    """The order of a component: special ones come last."""
    return (1, b"") if key is MISSING else (0, key)


def order(row):
    return [rank(key) for key in row]


# ---- readers: a list of (labels, count) of each histogram ----

ESCAPES = {b"\\t": b"\t", b"\\n": b"\n", b"\\\\": b"\\"}
SPECIAL = {b"\\N": MISSING, b"\\other": OTHER}


def key_of_tsv(cell):
    if cell in SPECIAL:
        return SPECIAL[cell]
    assert not re.match(rb"\\[Noei]", cell), cell
    return re.sub(rb"\\[tn\\]", lambda found: ESCAPES[found[0]], cell)


def read_tsv(text, case):
    assert text == b"" or text.endswith(b"\n")
    for line in text.split(b"\n")[:-1]:
        *labels, count = line.split(b"\t")
        field = labels.pop(0).decode() if case.has_field else None
        yield field, tuple(map(key_of_tsv, labels)), int(count)


def key_of_csv(cell):
    if cell in ("\\N", "\\other"):
        return MISSING if cell == "\\N" else OTHER
    if re.fullmatch(r"\\+(N|other|empty|invalid)", cell):
        cell = cell[1:]
    return cell.replace(NUL, "\0").encode("latin-1")


def read_csv(text, case):
    decoded = text.decode("latin-1").replace("\0", NUL)
    rows = csv.reader(io.StringIO(decoded, newline=""), strict=True)
    assert next(rows) == (["field"] * case.has_field + case.columns() +
                          ["count"])
    for row in rows:
        field = row.pop(0) if case.has_field else None
        count = int(row.pop())
        yield field, tuple(map(key_of_csv, row)), count


def labels_of_json(line, case):
    if "other" in line:
        assert set(line) == {"other", "count"}
        return (OTHER,) * len(case.columns())
    labels = []
    columns = case.columns()
    for name in columns:
        is_value = name == columns[-1] and (
            len(case.fields) == 1 or case.has_field)
        flow = "flow" if is_value else name + "_flow"
        if flow in line:
            assert line.pop(flow) == MISSING
            labels.append(MISSING)
        elif name in line:
            labels.append(line.pop(name).encode())
        else:
            labels.append(bytes.fromhex(line.pop(name + "_hex")))
    assert set(line) == {"count"}, line
    return tuple(labels)


def read_jsonl(text, case):
    lines = [json.loads(line) for line in text.split(b"\n")[:-1]]
    totals = lines.pop()["totals"]
    assert all(total["values"] == case.records for total in totals)
    for line in lines:
        field = str(line.pop("field")) if case.has_field else None
        yield field, labels_of_json(line, case), line["count"]


def read_json(text, case):
    """Rows of special labels are apart from the others."""
    report = json.loads(text)
    assert report["records"] == case.records and report["joint"]
    assert report.get("groups", 0) == (len(case.groups) if case.fields else 0)
    for histogram in report["histograms"]:
        field = str(histogram["axes"][-1]["field"]) if case.has_field else None
        rows = [(labels_of_json(line, case), line["count"])
                for line in histogram["bins"]]
        flow = [(labels_of_json(line, case), line["count"])
                for line in histogram["flow"]]
        assert not any(MISSING in labels for labels, _ in rows)
        assert all(MISSING in labels for labels, _ in flow)
        if not case.is_ranked:
            rows = sorted(rows + flow,
                          key=lambda row: (OTHER in row[0], order(row[0])))
        else:
            case.is_sorted = False
            rows += flow
        for labels, count in rows:
            yield field, labels, count


READERS = {"tsv": read_tsv, "csv": read_csv, "jsonl": read_jsonl,
           "json": read_json}


# ---- cases ----

class Case:
    """Inputs, options, and what must come of them."""

    def __init__(self, source, number):
        self.files = []
        self.data = []
        alphabet = source.choice(ALPHABETS)
        weights = [source.choice([1, 1, 1, 5, 20]) for _ in alphabet]
        for i in range(source.choice([1, 1, 2, 3])):
            self.files.append(f"case{i}")
            self.data.append(bytes(source.choices(
                alphabet, weights, k=source.choice(SIZES))))
            with open(self.files[i], "wb") as file:
                file.write(self.data[i])
        self.end = source.choice([b"\n", b"\n", b"\0"])
        self.delimiter = source.choice([b",", b",", b"a", None])
        self.choose_fields(source)
        self.options = (["-W"] if self.delimiter is None else
                        ["-d", self.delimiter.decode()])
        self.options += ["-z"] * (self.end == b"\0")
        if self.groups:
            self.options.append("-g" + ",".join(self.groups))
        if self.fields:
            self.options.append("-f" + ",".join(self.fields))
        self.options += ["--joint"] * self.is_joint
        self.prefix = source.choice([None, None, None, 1, 2])
        if self.prefix:
            self.options.append(f"--prefix={self.prefix}")
        self.count()
        self.chunks = source.choice([[], [f"--chunk-size={self.longest}"]])
        self.chunks.append("-j" + source.choice("124"))
        self.choose_order(source)
        self.name = f"case {number}: " + " ".join(
            self.options + self.chunks + [str(len(x)) for x in self.data])

    def choose_fields(self, source):
        some = ["1", "2", "3", "5", "NF", "NF-1"]
        self.groups = source.sample(some, source.choice([0, 1, 1, 2, 3]))
        some = [field for field in some if field not in self.groups]
        self.fields = source.sample(some, source.choice([0, 1, 1, 2, 3]))
        self.is_joint = source.random() < 0.3
        if not self.groups:
            self.is_joint = True
        if len(self.groups + self.fields) < 2:
            self.groups, self.fields = ["2", "1"], []
        self.has_field = not self.is_joint and len(self.fields) > 1
        lists = ([self.groups + self.fields] if not self.has_field else
                 [self.groups + [field] for field in self.fields])
        self.histograms = [(fields[-1] if self.has_field else None, fields)
                           for fields in lists]

    def choose_order(self, source):
        self.top = source.choice([0, 0, 1, 2, 5, 1000])
        self.sort = source.choice([None, None, "count", "value"])
        self.limits = some_limits(source)
        self.options += [f"--top={self.top}"] * (self.top > 0)
        self.options += [f"--sort={self.sort}"] * (self.sort is not None)
        self.options += self.limits.options()
        self.is_ranked = self.top > 0 or self.sort == "count"

    def columns(self):
        """The names of the columns of keys."""
        fields = self.groups + self.fields * (not self.has_field)
        return (["field" + field for field in fields] +
                ["value"] * self.has_field)

    def find(self, fields, number):
        last = len(fields)
        at = (int(number) - 1 if not number.startswith("NF") else
              last - 1 if number == "NF" else last - 1 - int(number[3:]))
        if not 0 <= at < last:
            return MISSING
        return fields[at][:self.prefix]

    def count(self):
        self.longest = 100
        self.counts = [collections.Counter() for _ in self.histograms]
        self.records = 0
        for data in self.data:
            records = data.split(self.end)
            self.longest = max([self.longest] +
                               [len(x) + 1 for x in records])
            if records[-1] == b"":
                records.pop()
            for record in records:
                if self.delimiter is None:
                    blank = rb"[ \t]+" if self.end == b"\n" else rb"[ \t\n]+"
                    fields = [x for x in re.split(blank, record) if x]
                else:
                    fields = record.split(self.delimiter)
                self.records += 1
                for counts, (_, numbers) in zip(self.counts, self.histograms):
                    counts[tuple(self.find(fields, number)
                                 for number in numbers)] += 1

    def rows(self, counts, shows_flow=True):
        """The rows that there must be, and the rest."""
        if not shows_flow:
            counts = {row: n for row, n in counts.items()
                      if MISSING not in row}
        size = (len(self.groups) if self.groups and self.fields else
                len(self.columns()))
        rare = {row: n for row, n in counts.items()
                if n not in self.limits and not all(key is MISSING for key in row)}
        rows = sorted(((row, n) for row, n in counts.items()
                       if row not in rare), key=lambda item: order(item[0]))
        rest = sum(rare.values())
        if self.is_ranked:
            # A group is ranked by all of its lines; combinations that are no
            # groups are lines themselves, and rare ones are none.
            is_grouped = size < len(self.columns())
            totals = collections.Counter()
            for row, n in counts.items() if is_grouped else rows:
                totals[row[:size]] += n
            last = (MISSING,) * size
            ranked = sorted((group for group in totals if group != last),
                            key=lambda group: (-totals[group], order(group)))
            kept = ranked[:self.top] if self.top else ranked
            left_out = set(ranked[len(kept):])
            if self.sort == "value":
                kept.sort(key=order)
            rest += sum(n for row, n in rows if row[:size] in left_out)
            rank_of = {group: i for i, group in enumerate(kept + [last])}
            rows = sorted((item for item in rows if item[0][:size] in rank_of),
                          key=lambda item: rank_of[item[0][:size]])
        return rows, rest

    def run(self, *options):
        done = subprocess.run(
            [GPUHIST, *self.options, *self.chunks, *options, *self.files],
            stdin=subprocess.DEVNULL, capture_output=True, timeout=120,
            check=False)
        assert done.returncode == 0, done
        return done.stdout

    def prove(self, reader):
        wanted = []
        self.is_sorted = True
        for (field, fields), counts in zip(self.histograms, self.counts):
            rows, rest = self.rows(counts)
            rows += [((OTHER,) * len(fields), rest)] * (rest > 0)
            wanted += [(field, *row) for row in rows]
        got = list(READERS[reader](self.run("--format=" + reader), self))
        if not self.is_sorted:
            wanted.sort(key=repr)
            got.sort(key=repr)
        assert got == wanted, [p for p in zip(got, wanted) if p[0] != p[1]][:2]

    def prove_uniq(self):
        between = self.delimiter or b" "
        wanted = b""
        for (field, _), counts in zip(self.histograms, self.counts):
            for row, n in self.rows(counts, False)[0]:
                begin = field.encode() + between if field else b""
                wanted += b"%7d " % n + begin + between.join(row) + self.end
        assert self.run("--format=uniq", "-q") == wanted


def main():
    source = random.Random(7)
    for number in range(24 if IS_SHORT else 70):
        case = Case(source, number)
        for reader in READERS:
            check(f"{case.name}: {reader}", case.prove, reader)
        check(f"{case.name}: uniq", case.prove_uniq)


main()
