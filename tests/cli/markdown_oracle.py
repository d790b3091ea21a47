# SPDX-License-Identifier: MIT
"""markdown_oracle.py -- Markdown tables, read as GitHub's Markdown defines them

    markdown_oracle.py GPUHIST

The tables must have the cells of the tsv of the same run.  They are read by a
parser of the table extension (markdown_cells.py), and by cmark-gfm(1), if it is
there.  Prints a line for each test, "PASS name" or "FAIL name", for the shell
to count.
"""

import html.parser
import random
import shutil
import string
import struct
import subprocess
import sys

from checks import check
from markdown_cells import read_tables

GPUHIST = sys.argv[1]
CMARK = shutil.which("cmark-gfm")


def run(*arguments):
    done = subprocess.run([GPUHIST, "-q", "--device=cpu"] + list(arguments),
                          stdin=subprocess.DEVNULL, capture_output=True)
    assert done.returncode == 0 and not done.stderr, (arguments, done.stderr)
    return done.stdout.decode("ascii")


# ---- reading ----

class Page(html.parser.HTMLParser):
    """What read_tables() returns, of HTML that has nothing but tables."""

    def __init__(self, text):
        super().__init__()
        self.tables, self.cell = [], None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        if tag == "table":
            self.tables.append(([], [], []))
        elif tag == "tr":
            self.row = []
        elif tag in ("th", "td"):
            self.side, self.cell = dict(attributes).get("align", ""), ""
        else:
            # <em>, <code>, <p>: something was interpreted.
            assert tag in ("thead", "tbody"), tag

    def handle_endtag(self, tag):
        if tag == "th":
            self.tables[-1][0].append(self.cell)
            self.tables[-1][1].append(self.side)
        elif tag == "td":
            assert self.side == self.tables[-1][1][len(self.row)]
            self.row.append(self.cell)
        elif tag == "tr" and self.row:
            self.tables[-1][2].append(self.row)
        self.cell = None

    def handle_data(self, text):
        if self.cell is None:
            assert not text.strip(), text
        else:
            self.cell += text


def read_page(text):
    page = subprocess.run([CMARK, "-e", "table", "-e", "strikethrough", "-e",
                           "autolink"], input=text.encode(),
                          capture_output=True, check=True)
    return Page(page.stdout.decode()).tables


# ---- tests ----

AMOUNTS = {"count", "sum", "percent", "density", "cumulative"}


def check_tables(read, options, wanted):
    header, *lines = [line.split("\t") for line in
                      run("--header-out", *options).split("\n")[:-1]]
    label = "left" if "--labels=char" in options else "right"
    sides = ["left" if name == "field" else
             "right" if name in AMOUNTS else label
             for name in header]
    tables = read(run("--format=md", *options))
    for table in tables:
        assert table[:2] == (header, sides), table[:2]
    rows = [table[2] for table in tables]
    assert sum(rows, []) == lines, (rows, lines)
    assert len(tables) == wanted, len(tables)
    if wanted > 1:
        assert header[0] == "field"
        for of_one in rows:
            assert len({row[0] for row in of_one}) <= 1


def check_every_way(options, tables=1):
    name = " ".join(options)
    check(name, check_tables, read_tables, options, tables)
    if CMARK:
        check("cmark-gfm: " + name, check_tables, read_page, options, tables)


def must_fail(function, *arguments):
    try:
        function(*arguments)
    except (AssertionError, ValueError):
        return
    raise AssertionError("not seen: %r" % (arguments,))


def check_parser():
    head = "| value | count |\n| :--- | ---: |\n"
    assert read_tables(head + "| \\| | 1 |\n| \\\\\\| | 2 |\n") == [
        (["value", "count"], ["left", "right"],
         [["|", "1"], ["\\|", "2"]])]
    for row in ["| | | 1 |", "| * | 1 |", "| ` | 1 |", "| \\n | 1 |", "| 1 |",
                "| a | 1", "a | 1 |", "| a | 1 | 2 |", "", "# incomplete"]:
        must_fail(read_tables, head + row + "\n")
    must_fail(read_tables, "| value | count |\n| a | 1 |\n")


def write(name, content):
    with open(name, "wb") as out:
        out.write(content)


rng = random.Random(14)
write("all", bytes(range(256)) * 2 + bytes(range(0, 256, 3)))
write("twice", bytes(x for x in range(256) for _ in range(2)))
write("marks", string.punctuation.encode() * 3)
write("none", b"")
write("bytes", bytes(rng.choices(range(256), k=6000)))
write("floats", struct.pack(
    "<3006f", *[rng.gauss(0, 1) for _ in range(3000)], float("nan"),
    float("inf"), float("-inf"), 0, 1, -1))
write("doubles", struct.pack(
    "<1004d", *[rng.lognormvariate(0, 4) for _ in range(1000)], 0, -1,
    float("nan"), float("inf")))
write("pairs", b"".join(
    struct.pack("<BQd", rng.randrange(9), rng.randrange(2**63, 2**64),
                rng.gauss(0, 1e10)) for _ in range(500)))
write("grey.pgm", b"P5 30 60 255\n" + bytes(rng.choices(range(99), k=1800)))
write("rgb.ppm", b"P6 30 20 255\n" + bytes(rng.choices(range(256), k=1800)))

check("the parser sees what is wrong", check_parser)
for order in [], ["--sort=count"], ["--top=9"], ["--cumulative", "--percent"]:
    for file in "all", "none", "marks", "bytes":
        for labels in "dec", "hex", "char":
            check_every_way(["--labels=" + labels] + order + [file])
COLUMNS = ["--percent", "--density", "--cumulative"]
JOINT = ["--record=u1,u1", "--joint"]
for columns in [], COLUMNS[:1], COLUMNS[1:2], COLUMNS[2:], COLUMNS:
    for options in [
            ["--nonzero", "none"],
            ["--range=80,120", "--flow=show", "bytes"],
            ["--range=80,120", "--flow=hide", "bytes"],
            ["--range=80,120", "--flow=clamp", "--top=3", "bytes"],
            ["--range=33,127", "--labels=char", "--flow=show", "bytes"],
            ["--dtype=f4", "-b9", "--range=-1,1.1", "floats"],
            ["--dtype=f4", "-b16", "--range=auto", "floats"],
            ["--dtype=f8", "--log=10", "--subdiv=1", "--range=1e-3,1e3",
             "--flow=show", "doubles"],
            ["--dtype=f8", "--edges=-1,0,0.1,7,1e300", "doubles"],
            JOINT + ["--range=33,40", "--range=90,127", "--labels=char",
                     "--nonzero", "bytes"],
            JOINT + ["--labels=char", "--nonzero", "twice"],
            JOINT + ["-b4", "-b-", "--top=7", "bytes"],
            ["--record=u1,u8,f8", "-f1", "--weights=2", "--mod=10", "pairs"],
            ["--record=u1,u8,f8", "-f1", "--weights=3", "--mod=5",
             "--range=1,4", "pairs"]]:
        check_every_way(columns + options)
    check_every_way(columns + ["--image", "--lut", "--top=5", "grey.pgm"])
    check_every_way(columns + ["--image", "--lut", "grey.pgm"])
    check_every_way(columns + ["--image", "rgb.ppm"], 3)
    check_every_way(columns + ["--image", "--nonzero", "--labels=char",
                               "--top=4", "rgb.ppm"], 3)
    check_every_way(columns + ["--record=u1,u1,u1,u1", "-f4,2", "-b5", "-b-",
                               "bytes"], 2)
    check_every_way(columns + ["--record=u1,u1", "--nonzero", "none"], 2)
