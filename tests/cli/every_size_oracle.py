# SPDX-License-Identifier: MIT
"""every_size_oracle.py -- snapshots of text after each SIZE bytes

    every_size_oracle.py GPUHIST

Python cuts the input at the ends of records.  Snapshot N has the counts of the
records up to the N-th cut, with --reset those after the cut before.  Keys and
numbers are counted here, too; bins that are found while counting are those of a
run over the same records.  Prints a line for each test, "PASS name" or "FAIL
name".
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

from checks import IS_SHORT, check, has_turn

GPUHIST = sys.argv[1]


def make_data():
    """The bytes, and a pattern of a record with its end."""
    random_ = random.Random(11)
    lines = []
    for i in range(2000):
        number = random_.choice(
            ["%d" % random_.randrange(-9, 40), "%.2f" % random_.expovariate(.01),
             "", "none", "1e%d" % (i // 99)])
        lines.append("%d\t%s" % (random_.randrange(40), number))
        if i % 400 == 7:
            lines[-1] += "\t" + "x" * random_.randrange(20000)
    text = "\n".join(lines)
    quoted = "".join("k%d,\"%s\"\r\n" % (random_.randrange(9), "a\n" *
                                         random_.randrange(6))
                     for _ in range(900))
    return {
        "lines": ("\n".join(lines[:300]) + "\n", r"[^\n]*\n|[^\n]+\Z"),
        "table": (text, r"[^\n]*\n|[^\n]+\Z"),
        "header": ("key\tnumber\n" + text, r"[^\n]*\n|[^\n]+\Z"),
        "csv": ("name,\"v\n\"\r\n" + quoted, r'(?:"[^"]*"|[^"\n])*\n'),
        "words": (" \n a bb\n" + text + " ", r"\S*\s|\S+\Z"),
        "nul": (text.replace("\n", "\0"), r"[^\0]*\0|[^\0]+\Z"),
        "comments": ("#\n" + text.replace("\n7", "\n#7"),
                     r"[^\n]*\n|[^\n]+\Z"),
    }


DATA = make_data()


def cuts_of(data, pattern, size):
    """Where snapshots end."""
    cuts, wanted = [], size
    for match in re.finditer(pattern, data, re.S):
        if match.end() >= wanted:
            cuts.append(match.end())
            wanted = (match.end() // size + 1) * size
    return cuts


def histograms(report):
    """What a report has of each histogram; only counted bins."""
    found = []
    for histogram in report["histograms"]:
        lines = collections.Counter()
        for line in histogram["bins"] + histogram["flow"]:
            count = line.pop("count")
            if count > 0:
                lines[json.dumps(line, sort_keys=True)] = count
        found.append(lines)
    return found


def run(options, data, how):
    """All reports that are printed of DATA."""
    with open("data", "wb") as file:
        file.write(data.encode())
    command = [GPUHIST, "--format=json", *options]
    given = None
    if how == "zstd":
        subprocess.run("split -b 3001 --filter='zstd -q -c' data >data.zst",
                       shell=True, check=True)
        command.append("data.zst")
    elif how == "pipe":
        given = data.encode()
    else:
        command.append("data")
    text = subprocess.run(command, input=given, check=True,
                          stdout=subprocess.PIPE).stdout.decode()
    reports = []
    while text:
        report, end = json.JSONDecoder().raw_decode(text)
        text = text[end:].lstrip()
        reports.append(report)
    return reports


def so_far(name, options, size, how):
    data, pattern = DATA[name]
    cuts = cuts_of(data, pattern, size)
    reports = run([*options, "--every=%d" % size], data, how)
    assert [report.get("snapshot") for report in reports] == [
        *range(1, len(cuts) + 1), None], (len(reports), len(cuts))
    assert [report["bytes"] for report in reports] == [*cuts, len(data)]
    # Those in the header alone have no fields to compare.
    for report in reports[::len(reports) // (3 if IS_SHORT else 12) + 1]:
        if report["records"] == 0:
            continue
        wanted = run(options, data[:report["bytes"]], "file")[0]
        assert histograms(report) == histograms(wanted)
        assert report["records"] == wanted["records"]


def rows_of(data, options):
    if "--csv" in options:
        return list(csv.reader(io.StringIO(data, newline="")))
    return [line.split("\t") for line in data.split("\n")]


def since(name, options, size, how):
    """The keys of field 1 since the cut before, and all others add up."""
    data, pattern = DATA[name]
    cuts = cuts_of(data, pattern, size)
    reports = run([*options, "--every=%d" % size, "--reset"], data, how)
    ends = cuts if cuts[-1:] == [len(data)] else [*cuts, len(data)]
    assert len(reports) == len(ends) + 1
    begin = 0
    for report, end in zip(reports, ends):
        assert report["bytes"] == end - begin
        part = data[begin:end]
        if part.endswith("\n"):
            part = part[:-1]
        wanted = collections.Counter(
            json.dumps({"field1": row[0]}) for row in rows_of(part, options))
        assert histograms(report)[0] == wanted
        begin = end


def numbers(row):
    """The number that a row has, or None."""
    try:
        return float(row[1])
    except (IndexError, ValueError):
        return None


def since_bins(options, size, how):
    """Bins cover all numbers so far, and have those since the cut before."""
    data, pattern = DATA["table"]
    cuts = cuts_of(data, pattern, size)
    reports = run([*options, "-f2", "--every=%d" % size, "--reset"], data, how)
    begin = 0
    for report, end in zip(reports, cuts):
        part = data[begin:end]
        if part.endswith("\n"):
            part = part[:-1]
        values = [numbers(row) for row in rows_of(part, options)]
        lines = report["histograms"][0]["bins"]
        lines += [line for line in report["histograms"][0]["flow"]
                  if "lo" in line]
        for line in lines:
            if "field2" in line:
                wanted = sum(value == line["field2"] for value in values)
            else:
                low, high = float(line["lo"]), float(line["hi"])
                wanted = sum(value is not None and
                             (low <= value < high or low == value == high)
                             for value in values)
            assert line["count"] == wanted, (line, wanted)
        assert sum(line["count"] for line in lines) == sum(
            value is not None for value in values)
        begin = end


os.environ["LC_ALL"] = "C"
HOWS = ["file", "pipe"]
if os.environ.get("HAVE_ZSTD") == "yes":
    HOWS.append("zstd")
TSV = ["-d", r"\t"]
for HOW in HOWS:
    for NAME, OPTIONS in (
            ("lines", ["-l"]),
            ("table", [*TSV, "-f1,2", "-j4", "--chunk-size=999"]),
            ("table", [*TSV, "-g1,2"]),
            ("table", [*TSV, "-f2", "--dtype=num"]),
            ("table", [*TSV, "-f2", "-b20", "-j4", "--chunk-size=999"]),
            ("table", [*TSV, "-f2", "--bin-width=5", "--range=0,100"]),
            ("table", [*TSV, "-f2", "--log=10"]),
            ("header", [*TSV, "-H", "-f", "key"]),
            ("header", [*TSV, "-f", "number", "--edges=0,5,100"]),
            ("csv", ["--csv", "-f1"]),
            ("csv", ["--csv", "-H", "-f", "name", "--chunk-size=60"]),
            ("words", ["--words"]),
            ("nul", ["-z", *TSV, "-f1"]),
            ("comments", [*TSV, "-f1", "--comment=#"])):
        SIZES = (1, 37) if NAME == "lines" else (2, 1000, 7001, 1 << 20)
        for SIZE in SIZES:
            if SIZE < 1000 and (HOW == "zstd" or NAME != "lines"):
                continue
            if not has_turn(4):
                continue
            check("%s of a %s each %d bytes: %s" % (
                NAME, HOW, SIZE, " ".join(OPTIONS)),
                so_far, NAME, OPTIONS, SIZE, HOW)
    for NAME, OPTIONS in (("table", [*TSV, "-f1"]), ("csv", ["--csv", "-f1"])):
        check("%s of a %s, --reset: %s" % (NAME, HOW, " ".join(OPTIONS)),
              since, NAME, OPTIONS, 1000, HOW)
    for OPTIONS in (["--dtype=num"], ["-b20"], ["-b9", "-j4"],
                    ["--bin-width=5", "--range=0,100"], ["--edges=0,1,9"],
                    ["--log=2"]):
        check("bins of a %s, --reset: %s" % (HOW, " ".join(OPTIONS)),
              since_bins, [*TSV, *OPTIONS], 1500, HOW)
