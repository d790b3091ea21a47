# SPDX-License-Identifier: MIT
"""every_keys_oracle.py -- snapshots of keys

    every_keys_oracle.py GPUHIST

Snapshots come at times that no test can know, but each must add up, none may
lose a key of the one before, those of --reset must add up to the total, and
the total is that of Python's Counter.  Prints a line for each test, "PASS name"
or "FAIL name".
"""

import collections
import json
import os
import random
import subprocess
import sys
import time

from checks import IS_SHORT, check

GPUHIST = sys.argv[1]


def make_lines():
    random_ = random.Random(4)
    lines = []
    for i in range(12000 if IS_SHORT else 60000):
        # New keys until the end, and a third of the lines without field 2.
        key = random_.choice(["%d" % (i // 7), "%d" % random_.randrange(30),
                              "x" * random_.randrange(60)])
        lines.append(key if i % 3 == 0 else key + " b%d" % (i // 999))
    return lines


LINES = make_lines()
# How many snapshots a run has, which takes as long as its input.
LEAST = 2 if IS_SHORT else 4
OFTEN = "--every=%dms" % (4 if IS_SHORT else 1)


FIELDS, GROUPS = ["-f1,2"], ["-g1,2"]


def key_of(line, options):
    """The key of a line, or both; None: it is missing."""
    if options[0] in FIELDS:
        return line.get("value")
    return line.get("field1"), line.get("field2")


def snapshots(options, pieces):
    """The counters of each field, and the records, of what is printed."""
    run = subprocess.Popen([GPUHIST, "-d", " ", OFTEN, "--format=json",
                            *options],
                           stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    text = ("\n".join(LINES) + "\n").encode()
    size = len(text) // pieces + 1
    # What is printed fits into no pipe: a file takes it.
    with open("printed", "wb") as file:
        reader = subprocess.Popen(["cat"], stdin=run.stdout, stdout=file)
        for at in range(0, len(text), size):
            run.stdin.write(text[at:at + size])
            run.stdin.flush()
            time.sleep(0.02)
        run.stdin.close()
        assert run.wait() == 0 and reader.wait() == 0
    decoder = json.JSONDecoder()
    with open("printed") as file:
        rest = file.read()
    found = []
    while rest:
        report, end = decoder.raw_decode(rest)
        rest = rest[end:].lstrip()
        fields = []
        for histogram in report["histograms"]:
            keys = [key_of(line, options) for line in histogram["bins"]]
            assert keys == sorted(set(keys))
            lines = histogram["bins"] + histogram["flow"]
            counts = collections.Counter(
                {key_of(line, options): line["count"] for line in lines})
            assert len(counts) == len(lines) and 0 not in counts.values()
            assert sum(counts.values()) == report["records"]
            fields.append(counts)
        found.append((fields, report["records"], report.get("snapshot")))
    return found


def total(options):
    rows = [(*line.split(" "), None)[:2] for line in LINES]
    if options[0] in FIELDS:
        return [collections.Counter(keys) for keys in zip(*rows)]
    return [collections.Counter(rows)]


def equal(a, b):
    return all(+x == +y for x, y in zip(a, b))


def so_far(options):
    found = snapshots(options, 9)
    assert len(found) >= LEAST, len(found)
    assert equal(found[-1][0], total(options)) and found[-1][2] is None
    assert [number for _, _, number in found[:-1]] == list(
        range(1, len(found)))
    for before, now in zip(found, found[1:]):
        for a, b in zip(before[0], now[0]):
            assert all(b[key] >= count for key, count in a.items())


def since(options):
    found = snapshots([*options, "--reset"], 9)
    assert len(found) >= LEAST, len(found)
    wanted = total(options)
    assert equal(found[-1][0], wanted)
    sums = [collections.Counter() for _ in wanted]
    for fields, _, _ in found[:-1]:
        for i, counts in enumerate(fields):
            sums[i] += counts
    assert equal(sums, wanted)
    assert sum(records for _, records, _ in found[:-1]) == found[-1][1]


os.environ["LC_ALL"] = "C"
for OPTIONS in (FIELDS, [*FIELDS, "-j1"], [*FIELDS, "-j4", "--chunk-size=999"],
                [*FIELDS, "--chunk-size=64"], GROUPS,
                [*FIELDS, "-j2", "--chunk-size=9999", "--memory-limit=2Mi"],
                [*GROUPS, "-j4", "--chunk-size=999"],
                [*GROUPS, "-j2", "--chunk-size=9999", "--memory-limit=2Mi"]):
    check("all so far %s" % " ".join(OPTIONS), so_far, OPTIONS)
    check("--reset %s" % " ".join(OPTIONS), since, OPTIONS)
