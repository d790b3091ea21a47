# SPDX-License-Identifier: MIT
"""sequence_fields_oracle.py -- make odd sequences, and count their fields

Each line of standard input is a command:

make FILE SEED READS [LONGEST]: write reads of FASTA and FASTQ to FILE.
count OUT FILE [--joint] [--group=LIST] [--phred=64] [--keep-case]
    [--min-quality=Q]
[--where=COND]... LIST: write to OUT what gpuhist should print of the fields
LIST.
"""

import math
import operator
import random
import re
import sys
from collections import Counter

READ = ("name", "sequence", "length", "gc", "mean-quality",
        "mean-error-quality")
MISSING = (2, 0)
EMPTY = (3, 0)


def make(path, seed, reads, longest=200):
    rng = random.Random(int(seed))
    letters = b"ACGT" * 20 + b"acgtNNnURYKM*-."
    usual = bytes(range(33, 75))
    odd = bytes(b for b in range(256) if b not in (10, 13))
    with open(path, "wb") as out:
        for i in range(int(reads)):
            end = rng.choice((b"\n", b"\n", b"\n", b"\r\n"))
            n = rng.choice((0, 1, 30, 150, 150, rng.randint(0, int(longest))))
            bases = bytes(rng.choices(letters, k=n))
            if rng.random() < 0.3:
                bases = bytes(rng.choices(b"ACGT", k=n))
            name = b"read%d" % (i % 50)
            if rng.random() < 0.3:
                out.write(b">" + name + b" of FASTA" + end)
                line = rng.choice((1, 7, 60, 10 ** 9))
                for at in range(0, n, line):
                    out.write(bases[at:at + line] + end)
                continue
            quality = bytes(rng.choices(usual, k=n))
            if rng.random() < 0.1:
                quality = bytes(rng.choices(odd, k=n))
            elif rng.random() < 0.3:
                quality = b"I" * n
            out.write(b"@" + name + end)
            line = rng.choice((13, 10 ** 9, 10 ** 9, 10 ** 9))
            for at in range(0, n, line):
                out.write(bases[at:at + line] + end)
            out.write(b"+" + (name if rng.random() < 0.2 else b"") + end)
            for at in range(0, n, line):
                out.write(quality[at:at + line] + end)
            if n == 0:
                out.write(end)
            if rng.random() < 0.1:
                out.write(b" \n\n")


def records(data):
    lines = data.split(b"\n")
    at = 0
    while at < len(lines):
        line = lines[at].rstrip(b"\r")
        at += 1
        if not line.strip(b" \t\r"):
            continue
        assert line[:1] in b">@", line
        name = line[1:].split(b" ")[0]
        bases = b""
        while at < len(lines) and lines[at][:1] not in (b">", b"@", b"+"):
            bases += lines[at].rstrip(b"\r")
            at += 1
        if line[:1] == b">":
            yield name, bases, None
            continue
        at += 1
        quality = b""
        while True:
            text = lines[at]
            quality += text[:-1] if text.endswith(b"\r") else text
            at += 1
            if len(quality) >= len(bases):
                break
        assert len(quality) == len(bases)
        yield name, bases, quality


def real(value):
    return (1, value)


def of_read(field, name, bases, quality, phred):
    if field == "name":
        return (1, name)
    if field == "sequence":
        return (1, bases)
    if field == "length":
        return (1, len(bases))
    if field == "gc":
        return real(sum(b in b"GCgc" for b in bases) / len(bases)) \
            if bases else EMPTY
    if quality is None:
        return MISSING
    if not bases:
        return EMPTY
    if field == "mean-quality":
        return real(sum(q - phred for q in quality) / len(quality))
    raise ValueError(field)


def elements(fields, name, bases, quality, phred):
    base_fields = [f for f in fields if f not in READ]
    columns = {f: of_read(f, name, bases, quality, phred)
               for f in fields if f in READ}
    if not base_fields:
        yield tuple(columns[f] for f in fields)
        return
    for i, base in enumerate(bases):
        columns["base"] = (1, bytes([base]))
        columns["position"] = (1, i + 1)
        columns["quality"] = MISSING if quality is None \
            else (1, quality[i] - phred)
        yield tuple(columns[f] for f in fields)


OPS = {"=": operator.eq, "!=": operator.ne, "<": operator.lt,
       "<=": operator.le, ">": operator.gt, ">=": operator.ge}


def condition(text):
    """A function of what fields of bases have: whether the condition holds."""
    field, op, value = re.fullmatch(r"([a-z]+)([=!<>]+)(.+)", text).groups()

    def holds(values):
        part = values[field]
        if value == "\\N":
            return (part == MISSING) == (op == "=")
        if part == MISSING:
            return False
        wanted = value.encode() if field == "base" else float(value)
        return OPS[op](part[1], wanted)
    return field, holds


def chosen(conditions, fields, name, bases, quality, phred):
    """The elements that meet the conditions."""
    wanted = [field for field, _ in conditions]
    rows = elements([*fields, *wanted], name, bases, quality, phred)
    for row in rows:
        values = dict(zip(wanted, row[len(fields):]))
        if all(holds(values) for _, holds in conditions):
            yield row[:len(fields)]


def shown(part):
    if part == MISSING:
        return b"\\N"
    if part == EMPTY:
        return b"\\empty"
    value = part[1]
    if isinstance(value, bytes):
        return value
    if isinstance(value, float):
        if math.isfinite(value) and value == int(value):
            value = int(value)
        return repr(value).encode()
    return str(value).encode()


def count(out_path, path, *words):
    phred = 33
    least = -math.inf
    joint = keeps = False
    groups = []
    conditions = []
    for word in words[:-1]:
        if word == "--joint":
            joint = True
        elif word == "--keep-case":
            keeps = True
        elif word == "-q":
            pass
        elif word == "--phred=64":
            phred = 64
        elif word.startswith("--min-quality="):
            least = int(word.split("=")[1])
        elif word.startswith("--where="):
            conditions.append(condition(word.split("=", 1)[1]))
        else:
            groups = word.split("=")[1].split(",")
    fields = words[-1].split(",")
    histograms = [fields] if joint else [groups + [f] for f in fields]
    counts = [Counter() for _ in histograms]
    with open(path, "rb") as file:
        for name, bases, quality in records(file.read()):
            if quality is not None:
                bases = bytes(b if q - phred >= least else b"N"[0]
                              for b, q in zip(bases, quality))
            if not keeps:
                bases = bases.upper()
            for one, list_ in zip(counts, histograms):
                one.update(chosen(conditions, list_, name, bases, quality,
                                  phred))
    with open(out_path, "wb") as out:
        for one, list_ in zip(counts, histograms):
            for row in sorted(one):
                label = [list_[-1].encode()] if len(counts) > 1 else []
                out.write(b"\t".join(label + [shown(p) for p in row] +
                                     [str(one[row]).encode()]) + b"\n")


for command in sys.stdin:
    words = command.split()
    {"make": make, "count": count}[words[0]](*words[1:])
