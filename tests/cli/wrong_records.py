# SPDX-License-Identifier: MIT
"""wrong_records.py -- an error names the first wrong record of an input

    wrong_records.py GPUHIST

Files with wrong records at several places, read in all ways by any threads:
each run must say the same, which sequences_model.py tells: the number of the
first one, and where it is.  Prints a line for each test, "PASS name" or "FAIL
name", for the shell to count.
"""

import gzip
import io
import os
import random
import re
import struct
import subprocess
import sys
import tarfile
import time
import zlib

from checks import IS_SHORT, check
import sequences_model as model

GPUHIST = sys.argv[1]
RANGES = ["-j4", "--chunk-size=4k"]
HOWS = [["-j1"], ["-j2", "--chunk-size=150k"], RANGES]
BASES = b"ACGT" * 64
QUALITIES = bytes(33 + i % 94 for i in range(256))
BLOCK_BYTES = 128 << 10
# A pipe that stays open keeps no run waiting.
SOON = 30


def run(arguments, data=None):
    return subprocess.run([GPUHIST, *arguments], input=data or b"",
                          capture_output=True, timeout=300, check=False)


def prove(arguments, wanted, data=None):
    """All places that the run names are those WANTED, and it prints nothing."""
    done = run(arguments, data)
    places = [re.sub(rb"( at byte \d+[:,]).*", rb"\1", line)
              for line in done.stderr.splitlines()]
    assert (done.returncode, done.stdout) == (1, b""), (arguments, done)
    assert places == [place.rstrip() for place in wanted], (
        arguments, wanted, done)


# ---- files ----

def fastq(source, count):
    """Records that hardly shrink when they are compressed."""
    records = []
    for number in range(count):
        size = source.randrange(1, 300)
        bases = source.randbytes(size).translate(BASES)
        quality = source.randbytes(size).translate(QUALITIES)
        records.append([b"@read%d x" % number, bases, b"+", quality])
    return records


def fasta(source, count, usual):
    """Each seventh record is long, in several lines."""
    records = []
    for number in range(count):
        size = usual if number % 7 else 30 * usual
        lines = [source.randbytes(61).translate(BASES) for _ in range(size)]
        records.append([b">chr%d\t1" % number] + lines)
    return records


def text(records):
    return b"".join(line + b"\n" for lines in records for line in lines)


def put_digit(lines, source):
    """A digit among the last bases, so that a long record has read pieces."""
    at = len(lines) - 1 if lines[0][:1] == b">" else 1
    line = lines[at]
    base = source.randrange(len(line))
    lines[at] = line[:base] + b"7" + line[base + 1:]


DAMAGES = {
    "no base": put_digit,
    "no +": lambda lines, _: lines.pop(2),
    "a long quality": lambda lines, _: lines.__setitem__(3, lines[3] + b"I"),
    "a short quality": lambda lines, _: lines.__setitem__(3, lines[3][1:]),
    "no begin": lambda lines, _: lines.__setitem__(0, b"x" + lines[0]),
    "the rest is cut off": None,
}


def damage(source, records, places):
    """Damage the records at PLACES, of which each is a share of all."""
    records = [list(lines) for lines in records]
    names = []
    for share in places:
        lines = records[min(int(share * len(records)), len(records) - 1)]
        is_fasta = lines[0][:1] == b">"
        name = source.choice(["no base", "no begin"] if is_fasta
                             else sorted(DAMAGES))
        names.append(name)
        if DAMAGES[name] is None:
            del records[records.index(lines) + 1:]
            del lines[2:]
            break
        DAMAGES[name](lines, source)
    return ", ".join(names), text(records)


def wrong_of(data):
    try:
        model.read_records(data)
    except model.Wrong as wrong:
        return wrong
    raise AssertionError("nothing is wrong")


def bgzf(data, size=30000):
    blocks = []
    for at in [*range(0, len(data), size), len(data)]:
        part = data[at:at + size]
        packer = zlib.compressobj(1, zlib.DEFLATED, -15)
        body = packer.compress(part) + packer.flush()
        blocks.append(b"\x1f\x8b\x08\x04\0\0\0\0\0\xff\6\0BC\2\0" +
                      struct.pack("<H", len(body) + 25) + body +
                      struct.pack("<II", zlib.crc32(part), len(part)))
    return b"".join(blocks)


def tar(members):
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        for name, data in members:
            about = tarfile.TarInfo(name)
            about.size = len(data)
            archive.addfile(about, io.BytesIO(data))
    return file.getvalue()


def write(name, data):
    with open(name, "wb") as file:
        file.write(data)


# ---- one input ----

def prove_all_ways(data, fields):
    wrong = wrong_of(data)
    place = wrong.place("file")
    piped = wrong.place("standard input")
    write("file", data)
    for how in HOWS:
        prove([*fields, *how, "file"], [place])
    prove([*fields, *RANGES], [piped], data)
    if os.environ.get("HAVE_GZIP") != "yes":
        return
    write("file", bgzf(data))
    for how in [["-j1"], ["-j4", "--chunk-size=140k"]]:
        prove([*fields, *how, "file"], [place])
    write("file", gzip.compress(data, 1))
    prove([*fields, *RANGES, "file"], [place])
    # What is wrong with the compressed data is behind the wrong record.
    if wrong.at < len(data) / 2:
        write("file", gzip.compress(data, 1)[:-100])
        prove([*fields, *RANGES, "file"], [place])


def test_one(source):
    fields = [["--seq", "-f", "base,length"], ["--kmers=5"],
              ["--seq", "-f", "position,base", "--joint"], ["--seq"]]
    cases = [(.5,), (.2, .4), (.9, .95), (0, .999), (.01, .02, .5)]
    some = fastq(source, 1000)
    for i, places in enumerate(cases[:2 if IS_SHORT else None]):
        name, data = damage(source, some, places)
        chosen = fields[i % len(fields)]
        check("FASTQ %s, %s" % (" ".join(chosen), name), prove_all_ways, data,
              chosen)
    some = fasta(source, 40, 12)
    for i, places in enumerate(cases[:2 if IS_SHORT else None]):
        name, data = damage(source, some, places)
        chosen = fields[(i + 1) % len(fields)]
        check("FASTA %s, %s" % (" ".join(chosen), name), prove_all_ways, data,
              chosen)
    name, data = damage(source, some, (.4, .41, .7))
    check("FASTA that must be whole, %s" % name, prove_all_ways, data,
          ["--seq", "-f", "length"])


# ---- several inputs ----

def prove_several(source):
    """Each wrong one has a message, also if one chunk has all of them."""
    records = fastq(source, 60)
    datas = [damage(source, records, places)[1]
             for places in [(.5,), (.1, .3), (0,), (.95,)]]
    datas.insert(2, text(records))
    names = ["input%d" % i for i in range(len(datas))]
    for name, data in zip(names, datas):
        write(name, data)
    wanted = [wrong_of(datas[i]).place(names[i]) for i in [0, 1, 3, 4]]
    missing = (b"gpuhist: missing: cannot open: No such file or directory")
    for how in HOWS:
        prove(["--seq", *how, *names], wanted)
        prove(["--seq", *how, *names[2:], "missing"], wanted[2:] + [missing])
        prove(["--kmers=4", *how, *names], wanted)
        prove(["--seq", "--per-file", *how, *names[2:]], wanted[2:3])


def prove_members(source):
    """Of an archive, it is the first member with a wrong record."""
    records = fastq(source, 300)
    members = [("good", text(records))]
    members += [(name, damage(source, records, places)[1])
                for name, places in [("bad", (.4, .5)), ("worse", (.1,))]]
    archive = tar(members)
    write("archive.tar", archive)
    wrong = wrong_of(members[1][1])
    for how in HOWS:
        prove(["--seq", "--members", *how, "archive.tar"],
              [wrong.place("archive.tar: bad")])
    prove(["--seq", "--members", *RANGES], [
        wrong.place("standard input: bad")], archive)


# ---- a run ends ----

def prove_open(arguments, data, place):
    """The writer keeps the pipe open."""
    with subprocess.Popen([GPUHIST, *arguments], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as process:
        try:
            process.stdin.write(data)
            process.stdin.flush()
        except BrokenPipeError:
            pass  # it has said so already
        begin = time.monotonic()
        process.wait(timeout=SOON)
        assert time.monotonic() - begin < SOON
        said = process.stderr.read()
        assert said.startswith(place), (place, said)
        process.stdin = None


def test_open(source):
    _, data = damage(source, fastq(source, 200), (.3, .31))
    place = wrong_of(data).place("standard input")
    for how in [["-j1", "--chunk-size=4k"], RANGES]:
        check("a pipe that stays open, %s" % " ".join(how), prove_open,
              ["--seq", *how], data, place)
    check("... with snapshots", prove_open,
          ["--seq", "-j1", "--chunk-size=4k", "--every=3600s",
           "--format=jsonl"], data, place)
    # It is read in large blocks.
    check("... of an archive", prove_open, ["--seq", "--members", *RANGES],
          tar([("bad", data), ("long", bytes(2 * BLOCK_BYTES))]),
          wrong_of(data).place("standard input: bad"))


def prove_snapshots(source):
    """No snapshot has the wrong record; the last one may be left out, too."""
    _, data = damage(source, fastq(source, 300), (.5, .7))
    wrong = wrong_of(data)
    for size in [100, 4000, 100000]:
        every = ["--seq", "--every=%d" % (wrong.at * 2 // 5), "--format=jsonl",
                 "--chunk-size=%d" % size]
        done = run(every, data)
        assert done.returncode == 1, done
        assert done.stdout.count(b'"snapshot"') <= 2, done
        assert done.stderr.startswith(wrong.place("standard input")), done
        # The writer of the other input says nothing.
        write("file", data)
        prove_open([*every, "file", "-"], b"", wrong.place("file"))


# ---- weights ----

def prove_weights():
    lines = [b"key%d,%d" % (i % 50, i) for i in range(15000)]
    for i in [8000, 8001, 11000, 14000]:
        lines[i] = b"key,none%d" % i
    data = b"\n".join(lines) + b"\n"
    at = data.index(b"none")
    place = b": the weight at byte %d," % at
    write("weights", data)
    for how in HOWS:
        prove(["--csv", "-f1", "--weights=2", *how, "weights"],
              [b"gpuhist: weights" + place])
    prove(["--csv", "-f1", "--weights=2", *RANGES],
          [b"gpuhist: standard input" + place], data)
    prove(["--csv", "-f1", "--weights=2", *RANGES, "weights", "-"],
          [b"gpuhist: weights" + place, b"gpuhist: standard input" + place],
           data)
    if os.environ.get("HAVE_GZIP") != "yes":
        return
    # In parts that are decoded side by side, its offset may be unknown.
    write("weights", bgzf(data.replace(b",", b"\t"), 3000))
    for how in [["-j4", "--chunk-size=1k"]] * 5:
        done = run(["--tsv", "-f1", "--weights=2", *how, "weights"])
        assert done.returncode == 1 and b"'none8000'" in done.stderr, done


# ---- no value is a number ----

def prove_no_number(source):
    """What is wrong in an input comes before what its values are not."""
    lines = [b'{"a":"x%d","w":1}' % (i % 9) for i in range(40000)]
    weights = [b"x%d\t1" % (i % 9) for i in range(40000)]
    for share in [.1, .5, .9]:
        at = source.randrange(int(share * 30000), int(share * 40000))
        wrong, behind = lines[:], at + source.randrange(1, 900)
        wrong[at], wrong[behind] = b"wrong", b"worse"
        data = b"\n".join(wrong) + b"\n"
        place = b": the text at byte %d," % data.index(b"wrong")
        write("wrong", data)
        wrong = weights[:]
        wrong[at], wrong[behind] = b"x\tnone", b"x\tno"
        data = b"\n".join(wrong) + b"\n"
        weight = b"gpuhist: weights: the weight at byte %d," % (
            data.index(b"none"))
        write("weights", data)
        for how in HOWS + [["-j8"]]:
            number = ["--jsonl", "-f", "a", "--dtype=num", *how]
            prove([*number, "wrong"], [b"gpuhist: wrong" + place])
            said = run([*number, "--explain", "wrong"]).stderr.splitlines()
            assert said[-1].startswith(b"gpuhist: wrong" + place), said
            prove([*number, "--per-file", "wrong"], [b"gpuhist: wrong" + place])
            prove(["--tsv", "-f1", "--dtype=num", "--weights=2", *how,
                   "weights"], [weight])
    write("good", b"\n".join(lines))
    missing = b"gpuhist: missing: cannot open: No such file or directory"
    for how in HOWS:
        number = ["--jsonl", "-f", "a", "--dtype=num", *how]
        prove([*number, "good", "missing"], [missing])
        # The number of values is that of the whole input.
        prove([*number, "good"], [
            b"gpuhist: field a: none of 40000 values is a number (the first "
            b"is 'x0'); to count them as keys, use -g a"])
        if os.environ.get("HAVE_GZIP") == "yes":
            write("cut.gz", gzip.compress(b"\n".join(lines), 1)[:-100])
            prove([*number, "cut.gz"], [
                b"gpuhist: cut.gz: truncated gzip member at byte %d:" % (
                    os.path.getsize("cut.gz"))])


def main():
    source = random.Random(18)
    test_one(source)
    check("several inputs", prove_several, source)
    check("members of an archive", prove_members, source)
    test_open(source)
    check("snapshots", prove_snapshots, source)
    check("weights of text", prove_weights)
    check("no value is a number", prove_no_number, source)


if __name__ == "__main__":
    main()
