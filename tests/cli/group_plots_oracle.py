# SPDX-License-Identifier: MIT
"""group_plots_oracle.py -- pictures of groups, from the lines of the same run

    group_plots_oracle.py GPUHIST

Groups are chosen, and each row of --plot and each bar of --svg is made again,
from the lines that gpuhist prints without a choice of groups.  Prints a line
for each test, "PASS name" or "FAIL name".
"""

import collections
import math
import os
import random
import re
import subprocess
import sys
import unicodedata
import xml.etree.ElementTree

from checks import IS_SHORT, check
from limits import some_limits

GPUHIST = sys.argv[1]
SVG = "{http://www.w3.org/2000/svg}"
STEPS = {"C": ".:-+*%#@", "C.UTF-8": "▁▂▃▄▅▆▇"}
PANEL = 72

# What follows the bins, in lines and in pictures, and the initials.
FLOWS = {"nan": "n", r"\N": "m", r"\empty": "e", r"\invalid": "i"}


def run(data, *options, columns=80, lines=24, locale="C"):
    done = subprocess.run(
        [GPUHIST, "--csv", "-g3", "-f2", "-q", *options], input=data,
        capture_output=True,
        env=dict(os.environ, LC_ALL=locale, COLUMNS=str(columns),
                 LINES=str(lines)))
    assert done.returncode == 0 and not done.stderr, done.stderr
    return done.stdout.decode()


def band_of(fields, is_log_axis):
    """Where a line is on the axis: a word for a flow cell, else its edges."""
    if fields[0] in FLOWS:
        return FLOWS[fields[0]]
    lo, hi = float(fields[0]), float(fields[-1])
    if is_log_axis and lo <= 0 and len(fields) > 1:
        return "negative" if hi == 0 > lo else "zero" if hi == 0 else "b"
    if lo == -math.inf:
        return "b"
    return "a" if hi == math.inf else (lo, hi)


class Wanted:
    """What is to be drawn: ROWS of a name, a total and amounts by band."""

    def __init__(self, data, bins, choice, room):
        top, limits, other, sort, flow = choice
        groups = collections.defaultdict(collections.Counter)
        totals = collections.Counter()
        rest = collections.Counter()
        self.keyless = 0
        for line in run(data, *bins).splitlines():
            group, *fields, count = line.split("\t")
            count, band = int(count), band_of(
                fields, "--log=2" in bins)
            if flow == "hide" and (isinstance(band, str) or group == r"\N"):
                continue
            lacks_all = band in ("m", "e", "i") and group == r"\N"
            totals[group] += count
            if count not in limits and not lacks_all:
                rest[band] += count
            else:
                groups[group][band] += count
        last = {g: b for g, b in groups.items() if g == r"\N"}
        names = [g for g in groups if g not in last]
        # A group is ranked by all of its lines; without those that are drawn
        # it has no row.
        order = sorted((g for g in (totals if top else names) if g != r"\N"),
                       key=lambda g: (-totals[g], g.encode()))
        most = top or max(room - len(last), 1)
        if not top and other and most > 1 and (len(names) > most or rest):
            most -= 1
        shown = [name for name in order[:most] if name in groups]
        for name in order[most:]:
            rest += groups.get(name, {})
        if sort == "value" or (sort is None and not top
                               and len(names) == len(shown)):
            shown.sort(key=str.encode)
        self.rows = [(name, groups[name]) for name in [*shown, *last]]
        if other and rest:
            self.rows.append((r"\other", rest))
        self.groups, self.shown = len(names), len(shown)
        self.bands = {band for _, row in self.rows for band in row}
        self.values = sum(sum(row.values()) for _, row in self.rows)


def part(n, most, is_log):
    if not is_log:
        return n / most
    return ((math.log10(n) - math.log10(0.5)) /
            (math.log10(most) - math.log10(0.5)))


def step(n, most, is_log, steps):
    if n == 0:
        return " "
    return steps[min(int(part(n, most, is_log) * len(steps)), len(steps) - 1)]


def some_data(random_):
    """Records of a few groups; some lack a field or have no number."""
    lines = []
    for i in range(random_.choice([1, 3, 8, 40])):
        middle = random_.uniform(-5, 50)
        for _ in range(int(400 / (i + 1) ** random_.uniform(0, 1.5))):
            value = "%.1f" % random_.gauss(middle, 9)
            if random_.random() < 0.02:
                value = random_.choice(["", "x", "nan", "1e9", "-1e9"])
            lines.append("0,%s,g%d\n" % (value, i))
    # Records without a group, and without a value either.
    for _ in range(random_.choice([0, 0, 1, 3, 30])):
        lines.append(random_.choice(["0,7.5\n", "0,\n", "0\n", "0\n"]))
    random_.shuffle(lines)
    return "".join(lines).encode()


def some_choice(random_):
    """Options for the groups, and what they say."""
    top = random_.choice([0, 0, 1, 3, 100])
    limits = some_limits(random_)
    other = random_.random() < 0.7
    sort = random_.choice([None, None, "value", "count"])
    flow = random_.choice(["auto", "auto", "hide"])
    options = ["--flow=" + flow]
    options += ["--top=%d" % top] * (top > 0)
    options += limits.options()
    options += ["--no-other"] * (not other and bool(top or limits))
    options += ["--sort=%s" % sort] * (sort is not None)
    return options, (top, limits, other or not (top or limits), sort, flow)


def cut(begin, end, joined):
    """The number of bands."""
    return -(-end // joined) - begin // joined


def axis_of(wanted, edges, title, room):
    """The bands in their order: flow cells, bins as (lo, hi), flow cells."""
    bins = list(zip(edges, edges[1:]))
    before = [b for b in "b" if b in wanted.bands]
    behind = [b for b in "anmei" if b in wanted.bands]
    room -= len(before) + len(behind)
    begin, end = 0, len(bins)
    used = [i for i, b in enumerate(bins) if b in wanted.bands]
    if end > room and used:
        begin, end = used[0], used[-1] + 1
    least = -(-(end - begin) // room)
    while cut(begin, end, least) > room:
        least += 1
    joined = next((n for n in range(least, 2 * least)
                   if len(bins) % n == 0 and cut(begin, end, n) <= room), least)
    begin -= begin % joined
    found = re.search(r", (\d+) joined", title)
    assert found is None or int(found[1]) == joined, (title, joined)
    bands = [bins[i:i + joined] for i in range(begin, end, joined)]
    return ([[b] for b in before], bands, [[b] for b in behind])


def rows_of_text(locale):
    """Each row, to the last character, and the ticks."""
    random_ = random.Random(11)
    for _ in range(25 if IS_SHORT else 250):
        data = some_data(random_)
        options, choice = some_choice(random_)
        count = random_.choice([4, 20, 80])
        edges = [i * 40 / count for i in range(count + 1)]
        bins = ["--range=0,40", "-b%d" % count]
        is_log = random_.random() < 0.3
        columns = random_.choice([60, 80, 200])
        lines = random_.choice([8, 24, 60])
        text = run(data, *bins, *options, "--plot=only", "--plot-scale=" +
                   ("log" if is_log else "linear"), columns=columns,
                   lines=lines, locale=locale).split("\n")
        wanted = Wanted(data, bins, choice, max(lines - 5, 1))
        title = text.pop(0)
        groups = (", %d of %d groups" % (wanted.shown, wanted.groups)
                  if wanted.shown < wanted.groups else "")
        assert title.startswith("field3 by field2 (num): %d counted%s" % (
            wanted.values, groups)), (title, wanted.values, groups)
        if not wanted.rows:
            assert text == [""], text
            continue
        totals = [str(sum(row.values())) for _, row in wanted.rows]
        label = max(len(name) for name, _ in wanted.rows)
        amount = max(map(len, totals))
        room = columns - 1 - label - 1 - amount - 1
        assert len(title) < columns
        before, inner, behind = axis_of(wanted, edges, title, room - 2)
        gaps = bool(before) + bool(behind)
        width = min(6, (room - gaps) // len(before + inner + behind))
        for (name, row), total in zip(wanted.rows, totals):
            most = max([sum(row[b] for b in band)
                        for band in before + inner + behind])
            parts = ["".join(step(sum(row[b] for b in band), most, is_log,
                                  STEPS[locale]) * width for band in bands)
                     for bands in (before, inner, behind) if bands]
            line = "%-*s %s %*s" % (label, name, " ".join(parts), amount,
                                    total)
            got = text.pop(0)
            assert got == line, "%r is not %r" % (got, line)
        ticks = text.pop(0)
        start = label + 1 + (len(before) * width + 1 if before else 0)
        for found in re.finditer(r"-?[\d.]+", ticks):
            bin_at = next(i for i, band in enumerate(inner)
                          if band[0][0] <= float(found[0]) < band[-1][1])
            lo, hi = inner[bin_at][0][0], inner[bin_at][-1][1]
            at = bin_at + (float(found[0]) - lo) / (hi - lo)
            assert found.start() == start + int(at * width), (ticks, found[0])
        assert [c for c in ticks if c.isalpha()] == [
            band[0] for band in before + behind], ticks
        assert "count: 0 %s most in the row" % STEPS[locale] in text[0], text
        for band in before + behind:
            assert re.search(r"(^|, )%s: " % band[0],
                             "\n".join(text), re.M), text


def panels_of(data, *options):
    """The panels of a picture: name, total, and of each bar its title, its
    height, its left and right side."""
    run(data, *options, "--svg=groups.svg", "--plot=only")
    root = xml.etree.ElementTree.parse("groups.svg").getroot()
    height = float(root.get("height"))
    picture, = root.findall(SVG + "g")
    left, top = map(float, re.findall(r"[\d.]+", picture.get("transform")))
    panels = []
    for panel in picture.findall(SVG + "g"):
        if panel.find(SVG + "title") is None:
            continue
        x, y = map(float, re.findall(r"[\d.]+", panel.get("transform")))
        name, _, total = panel.find(SVG + "title").text.rpartition(": ")
        bars = []
        for bar in panel.iter(SVG + "rect"):
            at, below, width, tall = (float(bar.get(a)) for a in (
                "x", "y", "width", "height"))
            assert 0 <= at and width > 0 and left + x + at + width <= 800
            assert tall >= 1 and abs(below + tall - PANEL) < 0.01
            assert top + y + PANEL < height
            bars.append((bar.find(SVG + "title").text, tall, at, at + width))
        panels.append((name, int(total), bars))
    return picture.find(SVG + "text").text, panels


def has(band, lo, hi):
    return not isinstance(band, str) and lo <= band[0] and (
        band[1] <= hi and (band[0] < hi or band[0] == band[1] == lo))


def bars_of_svg():
    """Each bar has the values between its edges, and the height for them."""
    random_ = random.Random(12)
    kinds = [["--range=0,40", "-b40"], ["--edges=0,1,5,10,20,45"],
             ["--range=auto", "-b400"], ["--range=auto", "-b8"],
             ["--log=2", "--range=1,64"], ["--dtype=num"], ["--dtype=int"]]
    words = {"[-inf, 0)": "negative", "[-inf": "b", "nan": "n", "missing": "m", "empty": "e",
             "invalid": "i"}
    for number in range(28 if IS_SHORT else 280):
        kind = kinds[number % len(kinds)]
        data = some_data(random_)
        # Without bins, numbers that are far away would leave one bar.
        data = re.sub(rb",(-?1e9|nan),", b",7,", data)
        if kind == ["--dtype=int"]:
            data = re.sub(rb"\.\d", b"", data)
        options, choice = some_choice(random_)
        is_log = random_.random() < 0.3
        title, panels = panels_of(
            data, *kind, *options,
            "--plot-scale=" + ("log" if is_log else "linear"))
        wanted = Wanted(data, kind, choice, 24)
        assert len(panels) == len(wanted.rows), (len(panels), wanted.rows)
        assert ": %d counted" % wanted.values in title, title
        places = {}
        for (name, total, bars), (group, row) in zip(panels, wanted.rows):
            assert name == group and total == sum(row.values()), (name, group)
            got = []
            for text, tall, left, right in bars:
                band, _, count = text.rpartition(": ")
                got.append((int(count), tall))
                word = next((words[w] for w in words if band.startswith(w)
                             and (kind[0] == "--log=2" or
                                  words[w] != "negative")), None)
                if kind[0] == "--log=2" and band == "0":
                    word = "zero"
                edges = re.fullmatch(r"[\[(]?(-?[\d.e+-]+?)(?:(?:, |\.\.)"
                                     r"(-?[\d.e+-]+|inf))?[])]?", band)
                if word is None and edges[2] == "inf":
                    word = "a"
                if word is None and band.startswith("(0, "):
                    word = "b"
                elif word is None and ".." in band or edges and not edges[2]:
                    # Integers, one or more.
                    lo, hi = float(edges[1]), float(edges[2] or edges[1])
                    values = sum(n for b, n in row.items() if not isinstance(
                        b, str) and lo <= b[0] <= hi)
                elif word is None:
                    lo, hi = float(edges[1]), float(edges[2])
                    values = sum(n for b, n in row.items() if has(b, lo, hi))
                if word is not None:
                    values = row[word]
                assert values == int(count), (text, values, row)
                # The same place on the axis in all panels.
                assert places.setdefault(band, (left, right)) == (left, right)
            assert sum(n for n, _ in got) == total, (name, got)
            most = max(n for n, _ in got)
            for n, tall in got:
                high = max(1, PANEL * part(n, most, is_log))
                assert abs(tall - high) < 0.01, (name, n, tall, high)


def as_tables_choose():
    """--top chooses the groups that it chooses for tables, in their order."""
    random_ = random.Random(13)
    for _ in range(10 if IS_SHORT else 100):
        data = some_data(random_)
        for top in 1, 2, 5, 30:
            options = ["--range=0,40", "-b10", "--top=%d" % top]
            lines = run(data, *options).splitlines()
            groups = list(dict.fromkeys(l.split("\t")[0] for l in lines))
            text = run(data, *options, "--plot=only", columns=200)
            rows = text.split("\n")[1:1 + len(groups)]
            label = max(map(len, groups))
            assert [row[:label].rstrip() for row in rows] == groups, rows


def any_name(locale):
    """No line is too wide, and none has what could change a terminal."""
    random_ = random.Random(14)
    pieces = ["ä", "語", "😀", "e\u0301", "\u202e", "\x1b[31m", "\x07", "a",
              "/long/path", " ", "\u200b"]
    for columns in 20, 40, 80, 300:
        for _ in range(8):
            data = "".join(
                "0,%d,%s\n" % (random_.randrange(99), "".join(
                    random_.choices(pieces, k=random_.randrange(30))))
                for _ in range(random_.randrange(1, 60))).encode()
            bins = random_.choice([["-b20", "--range=0,80"], ["--log"],
                                   ["--dtype=int"]])
            text = run(data, *bins, "--plot=only", columns=columns,
                       locale=locale)
            lines = text.split("\n")
            assert lines.pop() == "" and 3 <= len(lines) <= 23, lines
            for line in lines:
                wide = sum(0 if unicodedata.combining(c) else
                           2 if unicodedata.east_asian_width(c) in "WF" else 1
                           for c in line)
                assert wide < columns, (columns, line)
                assert not any(unicodedata.category(c) in ("Cc", "Cf")
                               for c in line), line
                assert locale != "C" or line.isascii(), line
            run(data, *bins, "--svg=names.svg", "--plot=only", locale=locale)
            xml.etree.ElementTree.parse("names.svg")


for LOCALE in "C", "C.UTF-8":
    check("%s: rows of --plot" % LOCALE, rows_of_text, LOCALE)
    check("%s: names" % LOCALE, any_name, LOCALE)
check("bars of --svg", bars_of_svg)
check("--top as in tables", as_tables_choose)
