# SPDX-License-Identifier: MIT
"""modifiers_oracle.py -- chains of modifiers and lists against Python

The same records are written in each format of text with names.  What Python
makes of the values is what gpuhist must count, whatever the number of threads,
the size of the chunks, the shards and the ways of the counts.
"""

import collections
import csv
import decimal
import io
import json
import os
import random
import re
import subprocess
import sys

from checks import IS_SHORT, holds

GPUHIST = sys.argv[1]
random.seed(43)
RECORDS = 2000 if IS_SHORT else 20000

KEYS = ["Ab", "aB", "x,Y", 'q"Q', "", "Zz" * 40, "tab\there", "\\N", "\\x"]
TIMES = ["1ms", "20ms", "1.5s", "3s", "0.25s", "2m", "bad", "-1s"]


def make_record():
    """A record: a key, a duration, a list as a text, and a list of objects."""
    return {
        "k": random.choice(KEYS),
        "d": random.choice(TIMES),
        "t": ";".join(random.choice("aBcA") for _ in range(random.randrange(4))),
        "items": [{"s": random.choice(["P", "p", "q"]),
                   "n": random.randrange(9)}
                  for _ in range(random.randrange(4))],
    }


def write_csv(records):
    text = io.StringIO()
    out = csv.writer(text, lineterminator="\n")
    out.writerow("kdt")
    for r in records:
        out.writerow([r["k"], r["d"], r["t"]])
    return text.getvalue()


def write_tsv(records):
    return "k\td\tt\n" + "".join(
        f"{r['k']}\t{r['d']}\t{r['t']}\n" for r in records)


def write_jsonl(records):
    return "".join(json.dumps(r) + "\n" for r in records)


def write_logfmt(records):
    return "".join(f"k={json.dumps(r['k'])} d={r['d']} t={json.dumps(r['t'])}\n"
                   for r in records)


def seconds(text):
    """What duration makes of TEXT, as a decimal; None: it is no duration."""
    if text == "bad":
        return None
    number = text.rstrip("ms")
    unit = {"ms": decimal.Decimal("0.001"), "s": 1,
            "m": 60}[text[len(number):]]
    return decimal.Decimal(number) * unit


def number(value):
    """A decimal as a row has it."""
    if value is None:
        return "\\invalid"
    text = format(value.normalize(), "f")
    return text


def escape(key):
    """A key as a row has it."""
    plain = re.sub(r"\\(?=[tn\\]|$)", r"\\\\", key)
    return plain.replace("\t", "\\t").replace("\n", "\\n")


def parts(record):
    return record["t"].split(";") if record["t"] else []


def lower(text):
    return text.lower()


# Arguments, and the rows that a record makes: tuples of texts.
CASES = [
    (["-f", "k:lower"], lambda r: [(escape(lower(r["k"])),)]),
    (["-f", "k:upper:lower:prefix=3"],
     lambda r: [(escape(lower(r["k"])[:3]),)]),
    (["-f", "d:duration"], lambda r: [(number(seconds(r["d"])),)]),
    (["-g", "k:lower", "-f", "d:duration"],
     lambda r: [(escape(lower(r["k"])), number(seconds(r["d"])))]),
    (["-f", "t:split=;"], lambda r: [(p,) for p in parts(r)]),
    (["-f", 't:split=";":lower'], lambda r: [(p.lower(),) for p in parts(r)]),
    (["-g", "d:duration", "-f", "t:split=;"],
     lambda r: [(key_number(r["d"]), p) for p in parts(r)]),
    (["--joint", "-f", "t:split=;,t:split=;:lower"],
     lambda r: [(p, p.lower()) for p in parts(r)]),
    (["-f", "k:lower", "--where", "d:duration>=20ms"],
     lambda r: [(escape(lower(r["k"])),)]
     if (seconds(r["d"]) or 0) >= decimal.Decimal("0.02") else []),
    (["-f", "k:lower", "--where", "k:lower=ab", "--where", "d:duration<1s"],
     lambda r: [("ab",)] if r["k"].lower() == "ab" and
     seconds(r["d"]) is not None and seconds(r["d"]) < 1 else []),
    (["-f", "k:lower", "--where", "t:split=;=a"],
     lambda r: [(escape(lower(r["k"])),)] if "a" in parts(r) else []),
    (["-f", "t:split=;:lower", "--where", "t:split=;!=a"],
     lambda r: [(p.lower(),) for p in parts(r)]
     if any(p != "a" for p in parts(r)) else []),
]

JSON_CASES = [
    (["-f", "items[].s:lower"],
     lambda r: [(i["s"].lower(),) for i in r["items"]]),
    (["-g", "items[].s", "-f", "items[].n", "--dtype=int"],
     lambda r: [(i["s"], str(i["n"])) for i in r["items"]]),
    (["-g", "k:lower", "-f", "items[].s"],
     lambda r: [(escape(lower(r["k"])), i["s"]) for i in r["items"]]),
    (["-f", "items[].s", "--where", "items[].n>7"],
     lambda r: [(i["s"],) for i in r["items"]]
     if any(i["n"] > 7 for i in r["items"]) else []),
]


def key_number(text):
    """A duration as a key of --group-by, which is a text."""
    return {"1ms": "0.001", "20ms": "0.02", "1.5s": "1.5", "3s": "3",
            "0.25s": "0.25", "2m": "120", "bad": "\\invalid",
            "-1s": "-1"}[text]


WAYS = [["--threads=1"], ["--threads=4"],
        ["--threads=4", "--chunk-size=64K"], ["--threads=3", "--chunk-size=8K"]]


def run(arguments, stdin=None):
    """The output of gpuhist, or its message."""
    done = subprocess.run([GPUHIST, *arguments], stdin=stdin, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode != 0:
        return done.stderr.decode()
    return done.stdout.decode()


def rows_of(output):
    rows = collections.Counter()
    for line in output.splitlines():
        *key, count = line.split("\t")
        rows[tuple(key)] = int(count) if count.isdigit() else count
    return rows


def check_case(name, options, path, arguments, wanted):
    """All ways of one case."""
    base = [*options, *arguments]
    outputs = [run([*base, *way, path]) for way in WAYS]
    label = f"{name} {' '.join(arguments)}"
    got = rows_of(outputs[0])
    holds(got == wanted, f"{label}: counts",
          (set(got.items()) - set(wanted.items()),
           set(wanted.items()) - set(got.items())))
    with open(path, "rb") as stdin:
        outputs.append(run(base, stdin))
    for i in (1, 2):
        run([*base, f"--shard={i}/2", f"--state=part{i}", "-o", os.devnull, path])
    outputs.append(run(["--merge", "part1", "part2"]))
    holds(all(o == outputs[0] for o in outputs),
          f"{label}: threads, chunks, a pipe and shards",
          [o[:200] for o in outputs if o != outputs[0]])


def main():
    records = [make_record() for _ in range(RECORDS)]
    formats = [
        ("csv", ["--csv", "--header-in"], write_csv, CASES),
        ("tsv", ["--tsv", "--header-in"],
         write_tsv, CASES),
        ("jsonl", ["--jsonl"], write_jsonl, CASES + JSON_CASES),
        ("logfmt", ["--logfmt"], write_logfmt, CASES),
    ]
    for name, options, write, cases in formats:
        usable = records
        if name == "tsv":
            usable = [r for r in records if "\t" not in r["k"]]
        path = f"modifiers.{name}"
        with open(path, "w", encoding="utf-8") as out:
            out.write(write(usable))
        for arguments, rows in cases:
            wanted = collections.Counter(
                row for r in usable for row in rows(r))
            check_case(name, options, path, arguments, wanted)


main()
