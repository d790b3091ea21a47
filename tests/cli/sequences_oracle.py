# SPDX-License-Identifier: MIT
"""sequences_oracle.py -- fields of sequences, counted by Python

    sequences_oracle.py GPUHIST

Random files of all oddities, some of them damaged, by any threads and chunks,
as files, pipes and several inputs.  Each run must print what
sequences_model.py counts; with bins and the like, what gpuhist prints of a
table with the same fields.  A wrong file must be refused with the place, and
print nothing.  Prints a line for each test, "PASS name" or "FAIL name", for the
shell to count.
"""

import collections
import gzip
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import zlib

from checks import IS_SHORT, check
import sequences_model as model

GPUHIST = sys.argv[1]
READ = ["name", "sequence", "length", "gc", "mean-quality",
        "mean-error-quality"]
INTEGERS = ["position", "quality", "length"]
NUMBERS = INTEGERS + ["gc", "mean-quality", "mean-error-quality"]


def run(arguments, data=None):
    done = subprocess.run(
        [GPUHIST, *arguments], input=data, capture_output=True, timeout=300,
        check=False, **({} if data is not None else
                        {"stdin": subprocess.DEVNULL}))
    return done


def rounded(line):
    """A row whose numbers have 12 digits, and its count."""
    *cells, count = line.split(b"\t")
    return tuple(b"%.11e" % float(cell) if re.fullmatch(
        rb"-?[0-9]+(\.[0-9]+)?(e-?[0-9]+)?", cell) else cell for cell in cells), count


def merged(text):
    """The counts of rows that are the same but for the last digits."""
    counts = collections.Counter()
    for line in text.split(b"\n")[:-1]:
        row, count = rounded(line)
        counts[row] += int(count)
    return counts


def hide(text):
    """TEXT as a message shows it."""
    return bytes(b"?"[0] if byte < 32 or byte > 126 else byte
                 for byte in text)


def compare(got, wanted, about):
    """Different qualities may have the same mean error but for rounding."""
    if got == wanted or (b"mean-error" in about and
                         merged(got) == merged(wanted)):
        return
    got, wanted = got.split(b"\n"), wanted.split(b"\n")
    raise AssertionError((len(got), len(wanted), [
        pair for pair in zip(got, wanted) if pair[0] != pair[1]][:3]))


# ---- compressed files ----

def bgzf_block(data):
    packer = zlib.compressobj(1, zlib.DEFLATED, -15)
    body = packer.compress(data) + packer.flush()
    return (b"\x1f\x8b\x08\x04\0\0\0\0\0\xff\6\0BC\2\0" +
            struct.pack("<H", len(body) + 25) + body +
            struct.pack("<II", zlib.crc32(data), len(data)))


def pieces(source, data):
    """DATA in parts, some of them small; at least one."""
    most = source.choice([10, 300, 5000, 60000])
    parts = [b""]
    while data:
        size = source.randrange(1, most + 1)
        parts.append(data[:size])
        data = data[size:]
    return parts[1:] or parts


def zstd(data):
    return subprocess.run(["zstd", "-q", "-1", "-c"], input=data, check=True,
                          stdout=subprocess.PIPE, timeout=60).stdout


def pack(source, data):
    """DATA as a file, sometimes compressed, in one part or many."""
    ways = ["plain"] * 6
    if os.environ.get("HAVE_GZIP") == "yes":
        ways += ["gzip", "members", "bgzf", "bgzf"]
    if os.environ.get("HAVE_ZSTD") == "yes" and shutil.which("zstd"):
        ways += ["zstd", "frames"]
    way = source.choice(ways)
    if way == "gzip":
        return way, gzip.compress(data, 1)
    if way == "members":
        return way, b"".join(gzip.compress(part, 1)
                             for part in pieces(source, data))
    if way == "bgzf":
        return way, b"".join(map(bgzf_block, pieces(source, data) + [b""]))
    if way == "zstd":
        return way, zstd(data)
    if way == "frames":
        parts = pieces(source, data)
        return way, b"".join(zstd(part) for part in parts[:19] +
                             [b"".join(parts[19:])])
    return way, data


class Case:
    """Files, options, and what must come of them."""

    def __init__(self, source, number, directory="."):
        self.source = source
        self.names = []
        self.data = []
        self.packed = []
        about = []
        is_big = source.random() < .05
        for i in range(source.choice([1, 1, 1, 2, 3])):
            data = model.make_file(source, source.choice(
                [0, 1, 100, 1000, 5000, 300000 if is_big else 300]))
            if source.random() < .05:
                data = model.damage(source, data)
            name = os.path.join(directory, "case%d" % i)
            way, packed = pack(source, data)
            with open(name, "wb") as file:
                file.write(packed)
            self.names.append(name)
            self.data.append(data)
            self.packed.append(packed)
            about.append("%s %d" % (way, len(data)))
        self.how = ["-j" + source.choice("1248")]
        if source.random() < .6:
            self.how.append("--chunk-size=" + source.choice(
                ["64", "100", "1000", "4k", "64k"]))
        self.is_piped = len(self.data) == 1 and source.random() < .4
        self.choose()
        self.name = "case %d: %s" % (number, " ".join(
            self.arguments + self.how + about + ["piped"] * self.is_piped))

    def choose(self):
        source = self.source
        self.options = model.Options(
            source.choice([33, 33, 64]), source.random() < .2)
        self.groups = []
        way = source.randrange(8)
        if way == 0:
            self.lists = [["base"]]
            self.arguments = ["--seq"]
        elif way == 1:
            self.choose_kmer()
            self.lists = [["kmer"]]
            self.arguments = source.choice([[], ["--seq"], ["-f", "kmer"]])
        else:
            self.choose_lists(way)
        self.options.limit([field for fields in self.lists
                            for field in fields])
        self.arguments = self.arguments + self.options.arguments()

    def choose_kmer(self):
        source = self.source
        self.options.kmer = source.choice(
            [1, 2, 3, 4, 5, 7, 11, 12, 13, 15, 16, 21, 31, 32])
        self.options.canonical = source.random() < .5

    def choose_lists(self, way):
        """-f of one field or several, --joint, -g."""
        source = self.source
        fields = READ + ["base", "position", "quality"]
        if way == 2 and source.random() < .7:
            self.choose_kmer()
            fields = READ + ["position", "kmer"]
        if way == 3:
            self.choose_joints(fields)
            return
        some = source.sample(fields, source.choice([1, 1, 2, 3]))
        self.arguments = ["--seq", "-f", ",".join(some)]
        if len(some) > 1 and source.random() < .5:
            self.arguments.append("--joint")
            self.lists = [some]
        elif len(some) > 1 and source.random() < .4 and (
                some[0] not in NUMBERS):
            self.groups = some[:1]
            self.arguments = ["--seq", "-g", some[0], "-f",
                              ",".join(some[1:])]
            self.lists = [some[:1] + [field] for field in some[1:]]
        else:
            self.lists = [[field] for field in some]
        if self.options.kmer and not any("kmer" in x for x in self.lists):
            self.options.kmer = 0
            self.options.canonical = False

    def choose_joints(self, fields):
        """--joint and several -f, one of them of several fields."""
        source = self.source
        group = source.choice(["name", "base", None, None])
        self.groups = [group] if group else []
        rest = [field for field in fields if field != group]
        lists = [source.sample(rest, 2)]
        for _ in range(source.choice([1, 2, 3])):
            some = source.sample(rest, source.choice([1, 1, 2, 3]))
            if sorted(some) not in map(sorted, lists):
                lists.append(some)
        source.shuffle(lists)
        self.arguments = ["--seq", "--joint"]
        self.arguments += ["-g" + group] if group else []
        for some in lists:
            self.arguments += ["-f", ",".join(some)]
        self.lists = [self.groups + some for some in lists]

    def inputs(self):
        return [] if self.is_piped else self.names

    def run(self, *more):
        return run([*self.arguments, *self.how, *more, *self.inputs()],
                   self.packed[0] if self.is_piped else None)

    def prove(self):
        records = []
        wrongs = []
        for name, data in zip(self.names, self.data):
            try:
                records += model.read_records(data)
            except model.Wrong as wrong:
                name = "standard input" if self.is_piped else name
                wrongs.append(wrong.place(name))
        done = self.run()
        if wrongs:
            self.prove_refused(done, wrongs)
            return
        wanted = b""
        has_name = len(self.lists) > 1
        for fields in self.lists:
            name = ",".join(fields[len(self.groups):])
            wanted += model.table(records, fields, self.options,
                                  name if has_name else None)
        assert done.returncode == 0, done
        compare(done.stdout, wanted, repr(self.arguments).encode())

    def prove_refused(self, done, wrongs):
        """Each wrong file has a message, of its first wrong record."""
        assert done.returncode == 1 and done.stdout == b"", done
        places = [re.match(rb".*? at byte \d+: |", line)[0]
                  for line in done.stderr.splitlines()]
        assert places == [hide(wrong) for wrong in wrongs], (wrongs, done)


# ---- the same fields in a table ----

BIN_OPTIONS = [
    ["-b10", "--range=0,100"], ["-b7"], ["--log"], ["--edges=0,1,5,20.5,100"],
    ["-b5", "--range=auto"], ["-b20", "--range=-10,60", "--nonzero"],
    ["--log=2", "--range=1,1024"], ["-b4", "--range=0,1"],
    ["-b10", "--range=0,100", "--closed=right"], ["-b10", "--stats"],
    ["--log", "--percentiles=50,99.9"],
]
ROW_OPTIONS = [
    ["--sort=count"], ["--top=3"], ["--min-count=2"], ["--max-count=9"],
    ["--top=2", "--sort=value"], ["--top=2", "--max-count=9"],
    ["--percent"], ["--cumulative"], ["--format=csv"], ["--format=md"],
]


class Table:
    """Fields of sequences, and a table with the same values."""

    def __init__(self, source, number):
        self.source = source
        data = model.make_file(source, source.choice([300, 3000, 20000]))
        self.options = model.Options(source.choice([33, 33, 64]))
        self.choose(number)
        self.name = "table %d: %s" % (number, " ".join(self.same))
        with open("sequences", "wb") as file:
            file.write(data)
        try:
            self.records = model.read_records(data)
        except model.Wrong:
            self.records = []
            with open("sequences", "wb"):
                pass
        self.write_table()

    def choose(self, number):
        """Fields of one type, since --dtype is of all of them."""
        source = self.source
        unit = source.choice(["read", "base"])
        if number % 2 == 0:
            kind = INTEGERS if unit == "base" else source.choice(
                [["length"], ["gc", "mean-quality"]])
            self.dtype = ["--dtype=int" if "length" in kind else
                          "--dtype=num"]
            self.fields = source.sample(kind, source.choice(
                [1, min(2, len(kind))]))
            self.same = list(source.choice(BIN_OPTIONS))
            group = [] if source.random() < .6 else [source.choice(
                ["name", "base"] if unit == "base" else ["name"])]
        else:
            kind = ["name", "sequence"] if unit == "read" else ["base", "name"]
            self.dtype = []
            self.fields = source.sample(kind, source.choice([1, 1, 2]))
            self.same = (["--prefix=2"] if source.random() < .5 and
                         {"name", "sequence"} & set(self.fields) else [])
            group = []
        if source.random() < .6:
            self.same += source.choice(ROW_OPTIONS)
        self.all = group + self.fields
        self.options.limit(self.all)
        self.is_joint = len(self.fields) > 1
        self.same += ["-g" + ",".join(group)] * bool(group)
        self.same += ["-f" + ",".join(self.fields)]
        self.same += ["--joint"] * self.is_joint
        self.columns = sorted(self.all, key=lambda field: (
            "quality" in field, field))

    def write_table(self):
        """What is missing is at the end of a line, and never all of it."""
        with open("table", "wb") as file:
            file.write("\t".join(["-"] + self.columns).encode() + b"\n")
            for row in model.elements(self.records, self.columns,
                                      self.options):
                cells = [b"" if value == model.EMPTY else model.show(value)
                         for value in row]
                while cells and cells[-1] == model.MISSING.encode():
                    cells.pop()
                file.write(b"\t".join([b"-"] + cells) + b"\n")

    def rows(self, text):
        """Without a header: it has names there, and numbers here."""
        return (text.partition(b"\n")[2] if "--format=csv" in self.same or
                "--format=md" in self.same else text)

    def prove(self):
        wanted = run(["--tsv", "-H", *self.dtype, *self.same, "table"])
        if b"is a number" in wanted.stderr:  # sequences have only numbers
            return
        for how in [["-j1"], ["-j4", "--chunk-size=300"]]:
            done = run(["--seq", *self.options.arguments(), *self.same, *how,
                        "sequences"])
            assert done.returncode == wanted.returncode, (done, wanted)
            if done.returncode == 0:
                compare(self.rows(done.stdout), self.rows(wanted.stdout), b"")
                assert done.stderr == wanted.stderr, (done, wanted)


# ---- small files, cut off anywhere ----

SMALL = {
    "FASTQ": b"@a x\nACGTN\n+\nII@+>\n\n@b\nAC\nGT\n+b\n@+\n>I\n@c\n\n+\n\n",
    "FASTQ with CR LF": b"@a\r\nAC\r\n+\r\n@I\r\n@b\r\nA C\r\n+\r\nII\r\n",
    "FASTA": b">a b\nACGT\nAC\n\n>b\n>c\nnnacGU*-.\n",
    "both": b">a\nAC\n@b\nACG\n+\n>>>\n>c\nA\n@d\n\n+\n\n",
}


def prove_cut(data, chunk, is_piped):
    """Each begin of DATA is counted as the model does, or refused."""
    options = model.Options(kmer=2)
    fields = ["position", "base"]
    for size in range(len(data) + 1):
        part = data[:size]
        with open("part", "wb") as file:
            file.write(part)
        done = run(["--seq", "-f", ",".join(fields), "--joint", "-j2",
                    "--chunk-size=%d" % chunk] +
                   ["part"] * (not is_piped), part if is_piped else None)
        try:
            wanted = model.table(model.read_records(part), fields, options)
            assert done.returncode == 0, (size, done)
            compare(done.stdout, wanted, b"")
        except model.Wrong as wrong:
            assert (done.returncode, done.stdout) == (1, b""), (size, done)
            name = "standard input" if is_piped else "part"
            assert done.stderr.startswith(hide(wrong.place(name))), (
                wrong.place(name), done)


def main():
    for number in range(12 if IS_SHORT else 600):
        case = Case(random.Random(number), number)
        check(case.name, case.prove)
    for number in range(5 if IS_SHORT else 200):
        case = Table(random.Random(number), number)
        check(case.name, case.prove)
    for kind, data in SMALL.items():
        for chunk in [16] if IS_SHORT else [1, 7, 16, 1000]:
            for is_piped in [False, True]:
                check("%s cut off anywhere, in chunks of %d%s" % (
                    kind, chunk, ", a pipe" * is_piped), prove_cut, data,
                      chunk, is_piped)


if __name__ == "__main__":
    main()
