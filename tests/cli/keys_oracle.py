# SPDX-License-Identifier: MIT
"""keys_oracle.py -- keys in each format, read by Python's csv and json

    keys_oracle.py GPUHIST

print_keys, beside the program, prints keys that are made here.  What a format
says is read by other programs and by the rules of gpuhist-format(5), and
compared with what was made.  Prints a line for each test, "PASS name" or "FAIL
name", for the shell to count.
"""

import csv
import io
import json
import os
import random
import re
import subprocess
import sys
import tempfile

from checks import IS_SHORT, check
from limits import Limits
from markdown_cells import read_tables

PRINT_KEYS = os.path.join(os.path.dirname(sys.argv[1]), "tests", "print_keys")
MISSING, OTHER = object(), object()

# csv reads NUL bytes from Python 3.11 on; no other byte decodes to this.
NUL = "\ue000"


def run(fields, *options):
    """What is printed of FIELDS, and the number of values that are hidden."""
    lines = []
    for number, (keys, missing) in enumerate(fields, 1):
        lines += ["%d %d x%s\n" % (number, count, key.hex())
                  for key, count in sorted(keys.items())]
        lines.append("%d %d -\n" % (number, missing))
    done = subprocess.run([PRINT_KEYS, str(len(fields))] + list(options),
                          input="".join(lines).encode(), capture_output=True)
    assert done.returncode == 0, done.stderr
    return done.stdout, int(done.stderr or b"0")


def rows_of(keys, missing, top=0, by_count=False, limits=Limits()):
    """The rows that there must be."""
    ranked = sorted(item for item in keys.items() if item[1] in limits)
    if top or by_count:
        ranked.sort(key=lambda item: (-item[1], item[0]))
    shown = ranked[:top] if top else ranked
    rest = sum(keys.values()) - sum(count for _, count in shown)
    return (shown + [(MISSING, missing)] * (missing > 0) +
            [(OTHER, rest)] * (rest > 0))


# ---- readers: [[(key, count)] of each field] ----

def by_field(rows, count):
    """ROWS, [field, row] if there are several, as a list for each field."""
    if count == 1:
        return [rows]
    lists = [[] for _ in range(count)]
    for field, *row in rows:
        lists[int(field) - 1].append(row)
    return lists


ESCAPES = {b"\\t": b"\t", b"\\n": b"\n", b"\\\\": b"\\"}


def read_tsv(text, count):
    assert text == b"" or text.endswith(b"\n")
    rows = by_field([line.split(b"\t") for line in text.split(b"\n")[:-1]],
                    count)

    def key_of(cell):
        if cell in (b"\\N", b"\\other"):
            return MISSING if cell == b"\\N" else OTHER
        assert not re.match(rb"\\[Noei]", cell), cell
        return re.sub(rb"\\[tn\\]", lambda found: ESCAPES[found[0]], cell)

    return [[(key_of(cell), int(number)) for cell, number in part]
            for part in rows]


def read_csv(text, count):
    decoded = text.decode("latin-1").replace("\0", NUL)
    # A newline alone ends a line; csv would take a carriage return, too.
    rows = list(csv.reader(io.StringIO(decoded, newline=""), strict=True))
    assert rows[0] == header_of(count), rows[0]
    rows = by_field(rows[1:], count)

    def key_of(cell):
        if cell in ("\\N", "\\other"):
            return MISSING if cell == "\\N" else OTHER
        if re.fullmatch(r"\\+(N|other|empty|invalid)", cell):
            cell = cell[1:]
        return cell.replace(NUL, "\0").encode("latin-1")

    return [[(key_of(cell), int(number)) for cell, number in part]
            for part in rows]


def header_of(count):
    return ["field"] * (count > 1) + ["value", "count"]


def json_key(line):
    if "flow" in line:
        assert line == {"flow": "missing", "count": line["count"]}
        return MISSING
    if "other" in line:
        assert line == {"other": True, "count": line["count"]}
        return OTHER
    if "value" in line:
        assert line == {"value": line["value"], "count": line["count"]}
        return line["value"].encode()
    assert line == {"value_hex": line["value_hex"], "count": line["count"]}
    key = bytes.fromhex(line["value_hex"])
    try:
        key.decode()
    except UnicodeDecodeError:
        return key
    raise AssertionError("could be a string: %r" % key)


def read_json(text, count):
    report = json.loads(text.decode())
    assert len(report["histograms"]) == count and report["records"] == 5
    fields = []
    for number, histogram in enumerate(report["histograms"], 1):
        axis, = histogram["axes"]
        assert axis == {"field": number, "name": "value", "type": "key",
                        "bins": axis["bins"]}
        rows = [(json_key(line), line["count"]) for line in histogram["bins"]]
        flow = [(json_key(line), line["count"]) for line in histogram["flow"]]
        assert [key for key, _ in flow] in ([], [MISSING])
        # The rest comes last.
        at = len(rows) - (rows[-1:] != [] and rows[-1][0] is OTHER)
        fields.append(rows[:at] + flow + rows[at:])
        totals = histogram["totals"]
        keys = totals["in_bins"]
        # --no-other leaves something out of the lines, not out of the totals.
        assert keys >= sum(n for key, n in rows)
        assert totals["values"] == keys + sum(n for _, n in flow)
    return fields


def read_jsonl(text, count):
    lines = [json.loads(line) for line in text.decode().split("\n")[:-1]]
    assert len(lines.pop()["totals"]) == count
    fields = [[] for _ in range(count)]
    for line in lines:
        field = line.pop("field") if count > 1 else 1
        fields[field - 1].append((json_key(line), line["count"]))
    return fields


def read_md(text, count):
    tables = read_tables(text.decode())
    assert len(tables) == count

    def key_of(cell):
        if cell in ("\\N", "\\other"):
            return MISSING if cell == "\\N" else OTHER
        return re.sub(rb"\\(?:([tn\\])|x(..))", lambda found:
                      ESCAPES[found[0]] if found[1] else
                      bytes([int(found[2], 16)]), cell.encode())

    fields = []
    for header, sides, rows in tables:
        assert header == header_of(count), header
        assert sides[-2:] == ["left", "right"]
        fields.append([(key_of(row[-2]), int(row[-1])) for row in rows])
    return fields


READERS = {"tsv": read_tsv, "csv": read_csv, "json": read_json,
           "jsonl": read_jsonl, "md": read_md}


# ---- keys ----

PIECES = [b"", b"\0", b"\t", b"\n", b"\r", b"\\", b"\\", b"t", b"n", b"N", b"o",
          b"x", b"other", b"missing", b'"', b",", b"|", b"'", b" ", b"*_~`<&[",
          b"\x7f", b"\x1f", "ä".encode(), "語".encode(), "😀".encode(),
          b"\x80", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x82",
          b"\xff\xfe", b"key", b"#", b"-1.5e3", b"nan", b"inf"]

HOSTILE = {key: number for number, key in enumerate(PIECES + [
    b"\\N", b"\\\\N", b"\\other", b"\\empty", b"\\invalid", b"\\x22", b"\\x09",
    b"\\\\", b"\\\\\\", b"\\\t", b"\\\n", b"\\\0", b"\\ ", b"a\\", b" a ", b'""',
    b"a,b", b"\r\n", b"# incomplete: x", b"C:\\temp\\new"], 1)}


def some_keys(random_, most):
    return {b"".join(random_.choices(PIECES, k=random_.randrange(6))):
            random_.choice([1, 1, 2, 2, 3, 10**7, 2**40])
            for _ in range(random_.randrange(most))}


# ---- tests ----

def compare(name, fields, top=0, by_count=False, limits=Limits(),
            no_other=False):
    options = ["--format=" + name]
    options += ["--top=%d" % top] if top else []
    options += ["--sort=count"] if by_count and not top else []
    options += limits.options()
    options += ["--no-other"] if no_other else []
    text, hidden = run(fields, *options)
    wanted = [rows_of(*field, top, by_count, limits) for field in fields]
    rest = 0
    for rows in wanted if no_other else []:
        rest += sum(count for key, count in rows if key is OTHER)
        rows[:] = [row for row in rows if row[0] is not OTHER]
    assert hidden == rest, hidden
    got = [[tuple(row) for row in field]
           for field in READERS[name](text, len(fields))]
    for a, b in zip(wanted, got):
        assert a == b, [pair for pair in zip(a, b) if pair[0] != pair[1]][:3]
    assert len(wanted) == len(got)


def compare_all(fields):
    for name in READERS:
        compare(name, fields)
        compare(name, fields, by_count=True)
        for limits in map(Limits, (1, 2, 3, 2**40, 0, 0, 2, 3, 0),
                          (0, 0, 0, 0, 1, 2, 2, 2**40, 2**40 - 1)):
            compare(name, fields, limits=limits)
            compare(name, fields, by_count=True, limits=limits)
            compare(name, fields, top=2, limits=limits)
            compare(name, fields, limits=limits, no_other=True)
        for top in 1, 3, 1000:
            compare(name, fields, top)
            compare(name, fields, top, no_other=True)


def random_keys():
    random_ = random.Random(16)
    for _ in range(8 if IS_SHORT else 40):
        compare_all([(some_keys(random_, 40), random_.choice([0, 7]))
                     for _ in range(random_.randrange(1, 4))])


def long_key():
    """1 MB, of everything; tables have no limit that a test could meet."""
    random_ = random.Random(1)
    keys = {b"a": 1, b"".join(random_.choices(PIECES, k=500000)): 2,
            b"b" * 10**6: 3}
    for name in READERS:
        csv.field_size_limit(10**8)
        compare(name, [(keys, 1)])


def sort_and_uniq(keys, delimiter):
    """--format=uniq prints what sort and uniq print of the lines."""
    lines = [key for key, count in keys.items() for _ in range(count)]
    random.Random(2).shuffle(lines)
    with tempfile.TemporaryDirectory() as place:
        path = os.path.join(place, "lines")
        with open(path, "wb") as file:
            file.write(b"".join(line + delimiter for line in lines))
        zero = "z" if delimiter == b"\0" else ""
        wanted = subprocess.run(
            "LC_ALL=C sort -%ss '%s' | LC_ALL=C uniq -%sc" %
            (zero, path, zero), shell=True, capture_output=True, check=True)
    text, hidden = run([(keys, 9)], "--format=uniq")
    assert hidden == 9, hidden
    # Lines end with a newline here, whatever ended those of the input.
    assert text == wanted.stdout.replace(delimiter, b"\n")


def uniq_of_lines():
    sort_and_uniq({key: count for key, count in HOSTILE.items()
                   if b"\n" not in key}, b"\n")


def uniq_of_zero():
    sort_and_uniq({key: count for key, count in HOSTILE.items()
                   if b"\0" not in key}, b"\0")


def uniq_top():
    keys = {b"a": 1, b"b": 3, b"c": 3, b"d": 10**8}
    text, hidden = run([(keys, 0)], "--format=uniq", "--top=2")
    assert (text, hidden) == (b"100000000 d\n      3 b\n", 4), text


def columns():
    """--percent and --cumulative: of all rows, in their order."""
    text, _ = run([({b"a": 1, b"b": 2}, 1)], "--percent", "--cumulative",
                  "--header-out", "--sort=count")
    assert text == (b"value\tcount\tcumulative\tpercent\n"
                    b"b\t2\t2\t50\na\t1\t3\t25\n\\N\t1\t4\t25\n"), text


for READER in READERS:
    check("%s: hostile keys" % READER, compare, READER, [(HOSTILE, 5)])
check("fields without keys, and without anything", compare_all,
      [({}, 0), ({}, 3), ({b"": 1}, 0)])
check("nothing", compare_all, [({}, 0)])
check("ties", compare_all, [({b"%d" % i: 1 + i % 2 for i in range(50)}, 9)])
check("random keys", random_keys)
check("long keys", long_key)
check("uniq: as sort and uniq", uniq_of_lines)
check("uniq: with keys of several lines", uniq_of_zero)
check("uniq: --top", uniq_top)
check("columns", columns)
