# SPDX-License-Identifier: MIT
"""lists_oracle.py -- elements of several lists against Python

Random lines of JSON, and CSV with texts that are divided, are counted by random
fields.  Rows, totals, records left out and records without a weight must be
those that Python finds, whatever the threads, the size of the chunks, the
memory, the shards and the order of the inputs.
"""

import collections
import csv
import io
import json
import os
import random
import re
import subprocess
import sys

from checks import IS_SHORT, holds

GPUHIST = sys.argv[1]
SEED = int(os.environ.get("LISTS_SEED", "43"))
CASES = int(os.environ.get("LISTS_CASES", "12" if IS_SHORT else "60"))
random.seed(SEED)

MISSING = object()
INVALID = object()


# ---- records ----

WORDS = ["a", "B", "b c", "x\ty", "\\N", "é", "", "zz" * 30, "1", "2.5",
         "[", "[1]", "null"]


def scalar():
    return random.choice([random.choice(WORDS), random.randrange(5), 1.5, True,
                          None, "a", "a", "b"])


def sometimes(value, chance=0.85):
    """The function VALUE's value, or what is no list."""
    if random.random() < chance:
        return value()
    return random.choice([None, "text", 7, {}, [], "[1,2]", "[a", "null", "["])


def array(element, most=4):
    return [element() for _ in range(random.randrange(most))]


def item():
    one = {}
    if random.random() < 0.9:
        one["sku"] = random.choice(["s1", "S1", "s2", 3])
    if random.random() < 0.8:
        one["q"] = random.choice([0, 1, 2, 0.5, 100])
    if random.random() < 0.5:
        one["in"] = {"x": scalar()}
    if random.random() < 0.7:
        one["tags"] = sometimes(lambda: array(scalar, 3))
    return one


def order():
    one = {"id": random.randrange(4)}
    if random.random() < 0.9:
        one["items"] = sometimes(lambda: array(
            lambda: item() if random.random() < 0.9 else scalar()))
    return one


def make_record():
    one = {"u": random.choice(["x", "y", "Z"])}
    if random.random() < 0.9:
        one["w"] = random.choice([0, 1, 2, 0.25, 10])
    if random.random() < 0.9:
        one["t"] = sometimes(lambda: array(scalar))
    if random.random() < 0.9:
        one["items"] = sometimes(lambda: array(
            lambda: item() if random.random() < 0.9 else scalar()))
    if random.random() < 0.9:
        one["orders"] = sometimes(lambda: array(
            lambda: order() if random.random() < 0.95 else scalar(), 3))
    if random.random() < 0.8:
        one["grid"] = sometimes(lambda: array(
            lambda: sometimes(lambda: array(scalar, 3))))
    if random.random() < 0.9:
        one["s"] = ";".join(random.choice("aBc1") for _ in
                            range(random.randrange(4)))
    one["p"] = {"l": array(scalar, 3)}
    return one


# ---- fields ----

def text_of(value):
    """The bytes of a value of JSON that gpuhist counts."""
    return value if isinstance(value, str) else json.dumps(value)


class Field:
    """A field as NAME; its source, by steps, and modifiers after the list."""

    def __init__(self, name, *steps, split=None, lower=False):
        self.name = name
        self.steps = steps
        self.split = split
        self.lower = lower

    def lists(self):
        """What gives the elements, from the outermost list on."""
        found = [self.steps[:i + 1] for i, step in enumerate(self.steps)
                 if step == "[]"]
        return found + ([self.steps + (self.split,)] if self.split else [])

    def value(self, contexts):
        """Its text in the element with CONTEXTS, or MISSING or INVALID."""
        depth = len(self.lists())
        value = contexts[depth]
        if not self.split:
            last = max([i + 1 for i, s in enumerate(self.steps) if s == "[]"],
                       default=0)
            value = member(value, self.steps[last:])
        if value is MISSING or value is INVALID:
            return value
        value = text_of(value)
        return value.lower() if self.lower and value.isascii() else value


def member(value, steps):
    for step in steps:
        if value is INVALID:
            return INVALID
        if not isinstance(value, dict) or step not in value:
            return MISSING
        value = value[step]
    return value


def expand(record, lists):
    """The contexts of each element of the last one of LISTS, each inside of
    the one before."""
    contexts = [[record]]
    done = 0
    for one in lists:
        grown = []
        for context in contexts:
            if one[-1] == "[]":
                value = member(context[-1], one[done:-1])
                elements = (value if isinstance(value, list) else
                            [MISSING] if value is MISSING or value is None else
                            [INVALID])
            else:
                value = member(context[-1], one[done:-1])
                elements = ([value] if value is MISSING or value is INVALID
                            else text_of(value).split(one[-1])
                            if text_of(value) else [])
            grown += [context + [e] for e in elements]
        contexts = grown
        done = len(one)
    return contexts


PLAIN = [Field("u", "u"), Field("u:lower", "u", lower=True),
         Field("w", "w"), Field("p.l", "p", "l")]
LISTS = [Field("t[]", "t", "[]"),
         Field("t[]:lower", "t", "[]", lower=True),
         Field("items[].sku", "items", "[]", "sku"),
         Field("items[].sku:lower", "items", "[]", "sku", lower=True),
         Field("items[].q", "items", "[]", "q"),
         Field("items[].in.x", "items", "[]", "in", "x"),
         Field("items[]", "items", "[]"),
         Field("p.l[]", "p", "l", "[]"),
         Field("orders[].id", "orders", "[]", "id"),
         Field("orders[].items[].sku", "orders", "[]", "items", "[]", "sku"),
         Field("orders[].items[].q", "orders", "[]", "items", "[]", "q"),
         Field("orders[].items[].tags[]", "orders", "[]", "items", "[]",
               "tags", "[]"),
         Field("orders[].items[]", "orders", "[]", "items", "[]"),
         Field("items[].tags[]:lower", "items", "[]", "tags", "[]",
               lower=True),
         Field("grid[]", "grid", "[]"),
         Field("grid[][]", "grid", "[]", "[]"),
         Field("s:split=;", "s", split=";"),
         Field("s:split=;:lower", "s", split=";", lower=True),
         Field("u:split=y", "u", split="y")]
JSON_FIELDS = PLAIN + LISTS
CSV_FIELDS = [Field("u", "u"), Field("u:lower", "u", lower=True),
              Field("w", "w"),
              Field("s:split=;", "s", split=";"),
              Field("s:split=;:lower", "s", split=";", lower=True),
              Field("t:split=b", "t", split="b"),
              Field("u:split=y", "u", split="y")]


# ---- what Python counts ----

def deepest(fields):
    """The lists of a histogram of FIELDS; None: they do not go together."""
    lists = []
    for field in fields:
        own = field.lists()
        if own[:len(lists)] != lists and lists[:len(own)] != own:
            return None
        lists = own if len(own) > len(lists) else lists
    return lists


def escape(text):
    if text is MISSING:
        return "\\N"
    if text is INVALID:
        return "\\invalid"
    text = re.sub(r"\\(?=[tn\\NiEe]|$)", r"\\\\", text)
    return text.replace("\t", "\\t").replace("\n", "\\n")


class Case:
    """An invocation, and what it must print."""

    def __init__(self, fields):
        self.groups = random.sample(fields, random.choice([0, 0, 0, 1, 1, 2]))
        if random.random() < 0.5:
            related = [f for f in fields if deepest([*self.groups, f])
                       is not None]
            fields = related if len(related) > 1 else fields
        rest = [f for f in fields if f not in self.groups]
        most = random.choice([1, 2, 2, 3, 3, 4, 6])
        self.fields = random.sample(rest, min(most, len(rest)))
        self.is_joint = not self.groups and 1 < len(self.fields) < 4 and \
            random.random() < 0.2
        self.weight = None
        if random.random() < 0.25:
            self.weight = random.choice(
                [f for f in fields if f.name in ("w", "w", "items[].q",
                                                 "orders[].id",
                                                 "orders[].items[].q")])
        self.where = None
        if random.random() < 0.35:
            self.where = (random.choice(fields), random.choice("=!"),
                          random.choice(["a", "x", "s1", "b"]))

    def arguments(self):
        out = []
        if self.groups:
            out += ["-g", ",".join(f.name for f in self.groups)]
        if self.is_joint:
            out += ["--joint"]
        out += ["-f", ",".join(f.name for f in self.fields)]
        if self.weight:
            out += ["--weights", self.weight.name]
        if self.where:
            field, sign, value = self.where
            out += ["--where", field.name + sign.replace("!", "!=") + value]
        return out

    def histograms(self):
        if self.is_joint:
            return [self.fields]
        return [[*self.groups, field] for field in self.fields]

    def is_possible(self):
        for fields in self.histograms():
            lists = deepest(fields)
            if lists is None:
                return False
            own = self.weight.lists() if self.weight else []
            if own != lists[:len(own)]:
                return False
        return True

    def holds(self, record):
        if not self.where:
            return True
        field, sign, wanted = self.where
        values = [field.value(c) for c in expand(record, field.lists())]
        if sign == "=":
            return wanted in values
        return any(v is not MISSING and v is not INVALID and v != wanted
                   for v in values)

    def count(self, records):
        """The rows, the elements of each histogram, and the ledger."""
        rows = collections.Counter()
        elements = [0] * len(self.histograms())
        ledger = collections.Counter()
        for record in records:
            if not self.holds(record):
                ledger["left_out"] += 1
                continue
            ledger["records"] += 1
            if self.weight and not self.weight.lists() and \
                    self.weight.value([record]) is MISSING:
                ledger["unweighted"] += 1
            for i, fields in enumerate(self.histograms()):
                for contexts in expand(record, deepest(fields)):
                    key = tuple(escape(f.value(contexts)) for f in fields)
                    if len(self.histograms()) > 1:
                        key = (self.fields[i].name,) + key
                    weight = 1
                    if self.weight:
                        weight = self.weight.value(contexts)
                        weight = (0 if weight is MISSING or weight is INVALID
                                  else float(weight))
                    rows[key] += weight
                    elements[i] += 1
        return rows, elements, ledger


# ---- what gpuhist counts ----

def run(arguments):
    """The output of gpuhist, and its message."""
    done = subprocess.run([GPUHIST, "-q", *arguments], check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return done.stdout.decode(), done.returncode, done.stderr.decode()


def rows_of(output, skipped=0):
    rows = collections.Counter()
    for line in output.splitlines():
        *key, count = line.split("\t")[skipped:]
        rows[tuple(key)] = float(count)
    return rows


def differ(got, wanted):
    return (sorted(set(got.items()) - set(wanted.items()))[:3],
            sorted(set(wanted.items()) - set(got.items()))[:3])


def ways_of(base, path):
    """Ways to the same output."""
    memory = random.choice([["--memory-limit=64M"], [], []])
    yield [*base, *memory, f"--threads={random.choice([1, 2, 4])}",
           f"--chunk-size={random.choice(['4K', '16K', '1M'])}", path]
    shards = random.choice([2, 3])
    names = []
    for i in range(shards):
        names.append(f"lists.part{i}")
        _, status, message = run([*base, f"--shard={i + 1}/{shards}",
                                  f"--state={names[-1]}", "-o", os.devnull,
                                  path])
        if status != 0:
            yield ["--version", message]
    yield ["--merge", *names]


def check_ledger(base, path, case, elements, ledger):
    """The figures of JSON; None: they are right."""
    output, _, message = run([*base, "--format=json", path])
    if not output:
        return message
    got = json.loads(output)
    if got["records"] != ledger["records"]:
        return ("records", got["records"], ledger)
    if got.get("left_out", 0) != ledger["left_out"] and case.where:
        return ("left out", got.get("left_out"), ledger)
    if case.weight and not case.weight.lists() and \
            got["unweighted"] != ledger["unweighted"]:
        return ("unweighted", got["unweighted"], ledger)
    values = [h["totals"]["values"] for h in got["histograms"]]
    return None if values == elements else ("values", values, elements)


def check_case(options, path, records, case):
    """Returns what is wrong, or None."""
    base = [*options, *case.arguments()]
    output, status, message = run([*base, path])
    if not case.is_possible():
        return None if status == 2 else ("must be refused", status, output)
    if status != 0:
        return message
    rows, elements, ledger = case.count(records)
    got = rows_of(output)
    if got != rows:
        return differ(got, rows)
    for way in ways_of(base, path):
        other = run(way)
        if other[0] != output:
            return (way, other[2], differ(rows_of(other[0]), rows))
    wrong = check_ledger(base, path, case, elements, ledger)
    if wrong:
        return wrong
    half = len(records) // 2
    both, status, message = run([*base, "--per-file", path + ".1", path + ".2"])
    halves = [case.count(records[:half])[0], case.count(records[half:])[0]]
    wanted = collections.Counter(
        {(path + f".{i + 1}",) + key: n
         for i in range(2) for key, n in halves[i].items()})
    got = rows_of(both)
    return None if got == wanted else ("per file", message, differ(got, wanted))


def write(path, lines):
    with open(path, "w", encoding="utf-8") as out:
        out.write("".join(lines))


def write_all(path, head, lines):
    half = len(lines) // 2
    write(path, head + lines)
    write(path + ".1", head + lines[:half])
    write(path + ".2", head + lines[half:])


def csv_line(record):
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(
        [record["u"], record["w"], record["s"], record["t"]])
    return text.getvalue()


def main():
    records = [make_record() for _ in range(400)]
    write_all("lists.jsonl", [], [json.dumps(r) + "\n" for r in records])
    table = [{"u": r["u"], "w": text_of(r.get("w", "")), "s": r.get("s", ""),
              "t": random.choice(["", "abc", "b", 'a"b', "a,b"])}
             for r in records]
    write_all("lists.csv", ["u,w,s,t\n"], [csv_line(r) for r in table])
    wrong = []
    refused = 0
    for _ in range(CASES):
        is_csv = random.random() < 0.25
        case = Case(CSV_FIELDS if is_csv else JSON_FIELDS)
        if is_csv and case.weight:
            case.weight = None
        refused += not case.is_possible()
        found = (check_case(["--csv", "--header-in"], "lists.csv", table, case)
                 if is_csv else
                 check_case(["--jsonl"], "lists.jsonl", records, case))
        if found:
            wrong.append((case.arguments(), found))
    holds(not wrong, f"{CASES} invocations, {refused} refused", wrong)


main()
