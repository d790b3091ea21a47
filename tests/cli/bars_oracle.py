# SPDX-License-Identifier: MIT
"""bars_oracle.py -- pictures of keys of any bytes

    bars_oracle.py GPUHIST

Reads what --plot and --svg draw: the names can be read back, no byte could
change a terminal, no line is too wide, and bars and amounts are those of
Python's Counter.  Prints a line for each test, "PASS name" or "FAIL name".
"""

import collections
import os
import random
import re
import subprocess
import sys
import unicodedata
import xml.etree.ElementTree

from checks import check

GPUHIST = sys.argv[1]
PIECES = [b"", b"\t", b"\n", b"\r", b"\\", b"\\", b"t", b"N", b"o", b"x41",
          b"\x1b[31m", b"\x7f", b"\x1f", b"\xc2\x85", b"<b>", b"&", b"]]>",
          "ä".encode(), "語".encode(), "😀".encode(), "e\u0301".encode(),
          "\u0301".encode(), "\u202e".encode(), "\u200b".encode(),
          "\ufffe".encode(), "\u2028".encode(), b"\x80", b"\xc0\xaf",
          b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x82", b"\xff", b" ",
          b"/path", b"\\other", b"\\N", b"\\x", b'"', b"'"]
ESCAPES = {b"t": b"\t", b"n": b"\n", b"\\": b"\\"}


def some_keys(random_, most):
    return [b"".join(random_.choices(PIECES, k=random_.randrange(5)))
            for _ in range(random_.randrange(1, most))]


def draw(keys, columns, locale, *options):
    done = subprocess.run(
        [GPUHIST, "-lz", *options], capture_output=True,
        input=b"".join(key + b"\0" for key in keys),
        env=dict(os.environ, LC_ALL=locale, COLUMNS=str(columns), LINES="24"))
    assert done.returncode == 0 and not done.stderr, done.stderr
    return done.stdout


def width(text):
    """At least the columns of TEXT; combining characters take none."""
    return sum(0 if unicodedata.combining(c) else
               2 if unicodedata.east_asian_width(c) in "WF" else 1
               for c in text)


def is_safe(text):
    return not any(unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp", "Cn",
                                               "Co", "Cs") for c in text)


def read_name(name):
    """The key with this name."""
    return re.sub(rb"\\(?:([tn\\])|x(..))", lambda found:
                  ESCAPES[found[1]] if found[1] else
                  bytes([int(found[2], 16)]), name)


def lines_of(text, columns):
    """Whether TEXT is safe for a terminal; returns its lines."""
    lines = text.decode().split("\n")
    assert lines.pop() == ""
    for line in lines:
        assert is_safe(line), line
        assert width(line) <= columns, (line, width(line))
    return lines


def whole_names(locale):
    """Names that are not cut can be read back, with their counts."""
    random_ = random.Random(3)
    for _ in range(60):
        keys = some_keys(random_, 30)
        text = draw(keys, 400, locale, "--plot=only", "--top=1000",
                    "--sort=value")
        lines = lines_of(text, 400)[1:]
        wanted = sorted(collections.Counter(keys).items())
        assert len(lines) == len(wanted), lines
        names = [re.match(r"(.*?) *(\d+) [^0-9]+$", line) for line in lines]
        wide = max(width(name[1]) for name in names)
        for name, (key, count) in zip(names, wanted):
            assert int(name[2]) == count, (name[0], count)
            # Blanks at the end of a name cannot be told from the filling.
            assert read_name(name[1].encode()) == key.rstrip(b" "), name[0]
            # Bars begin in one column.
            assert locale == "C" or re.search("[^ ]", name[0][len(name[1]):])
        assert wide <= 200


def cut_names(locale):
    """Whatever is cut: safe, and not too wide."""
    random_ = random.Random(4)
    for columns in 9, 16, 40, 80, 200:
        for _ in range(15):
            keys = some_keys(random_, 60)
            keys += [b"".join(random_.choices(PIECES, k=99)) for _ in range(9)]
            text = draw(keys, columns, locale, "--plot=only")
            lines = lines_of(text, columns - 1)
            assert 1 < len(lines) <= 23
            text.decode("ascii" if locale == "C" else "utf-8")


def long_key():
    """A long key, and many marks: read no further than the picture needs."""
    keys = [b"x" * 1000000, "a\u0301".encode() * 300000,
            b"a" + "\u0301".encode() * 300000]
    text = draw(keys, 80, "C.UTF-8", "--plot=only")
    assert len(text) < 2000, len(text)
    lines_of(text, 79)


def bars_are_exact():
    """Half a column of ASCII for each half: the count that Counter has."""
    keys = [b"%d" % i for i in range(1, 20) for _ in range(i)]
    text = draw(keys, 80, "C", "--plot=only").decode()
    for line in text.split("\n")[1:-1]:
        key, count, bar = line.split()
        assert key == count
        # "2 19 " leave 73 columns of the 79.
        halves = 2 * bar.count("=") + bar.count("-")
        assert abs(halves - 2 * 73 * int(count) / 19) <= 0.51, line


def svg():
    random_ = random.Random(5)
    ns = "{http://www.w3.org/2000/svg}"
    for _ in range(30):
        keys = some_keys(random_, 30)
        draw(keys, 80, random_.choice(["C", "C.UTF-8"]), "--svg=keys.svg",
             "--output=/dev/null", "--top=100", "--sort=value")
        root = xml.etree.ElementTree.parse("keys.svg").getroot()
        bars = [(bar.find(ns + "title").text, float(bar.get("width")))
                for bar in root.iter(ns + "rect")
                if bar.find(ns + "title") is not None]
        wanted = sorted(collections.Counter(keys).items())
        assert len(bars) == len(wanted), bars
        most = max(count for _, count in wanted)
        widest = max(size for _, size in bars)
        for (title, size), (key, count) in zip(bars, wanted):
            assert is_safe(title), title
            name, _, number = title.rpartition(": ")
            assert read_name(name.encode()) == key and int(number) == count
            assert abs(size - widest * count / most) < 0.01, title


for LOCALE in "C", "C.UTF-8":
    check("%s: names that are read back" % LOCALE, whole_names, LOCALE)
    check("%s: names that are cut" % LOCALE, cut_names, LOCALE)
check("long keys", long_key)
check("the lengths of bars", bars_are_exact)
check("svg", svg)
