# SPDX-License-Identifier: MIT
"""bgzf_ahead_oracle.py -- BAM and other BGZF that one reader and helpers decode

    bgzf_ahead_oracle.py GPUHIST

One thread has no helpers: with more threads, in a file and in a pipe, the counts
must be the same, and those that Python counts; and damage must be the same
message.  Prints a line for each test, for the shell to count.
"""

import collections
import gzip
import os
import random
import subprocess
import sys

from checks import IS_SHORT, holds
import bam_model as model

GPUHIST = sys.argv[1]
PROCESSORS = len(os.sched_getaffinity(0))
# Where helpers start, in compressed bytes.
LONG_BYTES = 1 << 20


def run(*arguments, pipe=None):
    """Run the program: its status, its output, and its message."""
    if pipe is None:
        done = subprocess.run([GPUHIST, "--device=cpu", *arguments],
                              stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=300, check=False)
    else:
        with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE) as cat:
            done = subprocess.run([GPUHIST, "--device=cpu", *arguments],
                                  stdin=cat.stdout, capture_output=True,
                                  timeout=300, check=False)
            cat.stdout.close()
    return (done.returncode, done.stdout,
            done.stderr.decode().replace(": standard input: ", ": x: "))


def write(name, data):
    with open(name, "wb") as file:
        file.write(data)


def read(name):
    with open(name, "rb") as file:
        return file.read()


def bam(records, copies):
    """RECORDS, COPIES times, in blocks that end anywhere."""
    plain = b"".join(record.bam() for record in records)
    packed = model.bgzf(plain, random.Random(5))[:-len(model.END)]
    return (model.bgzf(model.header())[:-len(model.END)] + copies * packed +
            model.END)


def same_ways(name, wanted, *arguments):
    """The file NAME gives WANTED, whoever decodes it."""
    for more in (["-j1"], ["-j2"], ["-j7"], ["-j3", "--chunk-size=4096"]):
        got = run(*arguments, *more, name)
        holds(got == (0, wanted, ""), f"{arguments} {more} {name}", got)
    got = run(*arguments, "-j2", pipe=name)
    holds(got == (0, wanted, ""), f"{arguments}, a pipe of {name}", got)


def try_counts(records, copies):
    """What Python counts."""
    lengths = collections.Counter(len(record.bases) for record in records
                                  if record.is_primary())
    wanted = "".join(f"{length}\t{count * copies}\n"
                     for length, count in sorted(lengths.items())).encode()
    same_ways("x.bam", wanted, "--seq", "-f", "length")
    _, _, text = run("--seq", "-f", "length", "--explain", "-j2", "x.bam")
    helped = " decoded by several threads; " in text
    holds(helped or PROCESSORS == 1, "helpers decode", text)
    _, _, text = run("--seq", "-f", "length", "--explain", "-j1", "x.bam")
    holds("several threads" not in text, "one thread has none", text)


# What helpers write of records, and what depends on records before.
FIELDS = [
    ["-f", "sequence,name", "--joint", "--spectrum"],
    ["--joint", "-f", "flag,mapq,out-of-order,rname,mate-rname,read-group"],
    ["--joint", "-f", "pos,tlen,cigar,edit-distance", "--all-alignments",
     "--spectrum"],
    ["--format=flagstat"], ["--format=idxstats"], ["--format=samtools-stats"],
]


def try_fields(records, copies):
    """Blocks that end after records, as htslib's do, and anywhere."""
    blocks = b"".join(model.block(b"".join(record.bam() for record in
                                           records[i:i + 50]))
                      for i in range(0, len(records), 50))
    # More empty blocks than helpers take at a time.
    write("y.bam", model.block(model.header()) + copies * blocks +
          200 * model.END)
    for fields in FIELDS if not IS_SHORT else FIELDS[1:4]:
        wanted = run("--seq", *fields, "-j1", "x.bam")[1]
        same_ways("x.bam", wanted, "--seq", *fields)
        same_ways("y.bam", wanted, "--seq", *fields)


def try_parts(records):
    """Shards, the first records, states."""
    whole = run("--seq", "-f", "flag", "-j1", "x.bam")[1]
    for shard in "1/2", "2/2":
        run("--seq", "-f", "flag", "-j2", f"--shard={shard}",
            f"--state=s{shard[0]}", "x.bam")
    got = subprocess.run([GPUHIST, "--merge", "s1", "s2"], capture_output=True,
                         check=False)
    holds(got.stdout == whole, "shards", got)
    for option in "--first=1", f"--first={3 * len(records)}", "--reads=999":
        wanted = run("--seq", "-f", "name", option, "-j1", "x.bam")[1]
        same_ways("x.bam", wanted, "--seq", "-f", "name", option)
    every = run("--seq", "-f", "flag", "-j2", "--per-file", "x.bam", "x.bam")
    holds(every[1].count(b"\n") == 2 * whole.count(b"\n"), "--per-file", every)


def try_lines():
    """Content that is not cut: comments, bytes skipped, members of any kind."""
    rng = random.Random(3)
    lines = b"".join(b"@r%d\n%s\n+\n%s\n" % (i, bytes(rng.choices(b"ACGT", k=90)),
                                            bytes(rng.choices(range(35, 74), k=90)))
                     for i in range(9000))
    block = model.bgzf(lines, random.Random(7))[:-len(model.END)]
    odd = gzip.compress(b"@odd\nACGT\n+\nIIII\n")
    few = lines[:lines.index(b"@r99\n")]
    last = model.block(few)
    named = b"\x1f\x8b\x08\x0c" + last[4:18] + b"a name\0" + last[18:]
    size = len(named) - 1
    named = named[:16] + bytes([size & 255, size >> 8]) + named[18:]
    content = 2 * lines + b"@odd\nACGT\n+\nIIII\n" + lines + 2 * few
    write("x.fq.gz", 2 * block + odd + model.END + block + named + last +
          model.END)
    wanted = run("--seq", "--comment=#", "-j1", pipe="x.fq.gz")
    write("x.fq", content)
    holds(wanted == run("--seq", "-j1", "x.fq"), "FASTQ", wanted)
    same_ways("x.fq.gz", wanted[1], "--seq", "--comment=#")
    wanted = collections.Counter(content[5:])
    wanted = "".join(f"{i}\t{wanted[i]}\n" for i in range(256)).encode()
    same_ways("x.fq.gz", wanted, "--skip-bytes=5")


def damaged(data, rng):
    """DATA with some damage, and what it is."""
    at = rng.randrange(LONG_BYTES, len(data))
    if rng.random() < .5:  # at a header or trailer
        at = min(data.find(b"\x1f\x8b\x08\x04", at) + rng.randrange(-8, 20),
                 len(data) - 1)
    kind = rng.choice(["flip", "cut", "zeros", "insert", "number"])
    if kind == "flip":
        return data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1:], kind, at
    if kind == "cut":
        return data[:at], kind, at
    if kind == "zeros":
        return data[:at] + bytes(1000) + data[at + 1000:], kind, at
    if kind == "insert":
        return data[:at] + b"\x1f" + data[at:], kind, at
    return data[:at] + bytes(rng.choices(range(256), k=2)) + data[at + 2:], kind, at


def try_damage(count):
    data = read("x.bam")
    rng = random.Random(11)
    for _ in range(count):
        bad, *what = damaged(data, rng)
        write("x", bad)
        alone = run("--seq", "-f", "flag", "-j1", "x")
        for got in (run("--seq", "-f", "flag", "-j2", "x"),
                    run("--seq", "-f", "flag", "-j2", pipe="x")):
            holds(got == alone, f"damage: {what}", (got, alone))
        holds(alone[0] == 0 or (alone[1] == b"" and alone[2].startswith("gpuhist: x: ")),
              f"... is said: {what}", alone)


def try_bad_record(records):
    """Good blocks with a bad record, far behind."""
    plain = b"".join(record.bam() for record in records)
    wrong = bytes([31]) + bytes(3)  # block_size
    head = model.header()
    bad = head + 12 * plain + wrong + plain
    write("x", model.bgzf(bad, random.Random(9)))
    text = (f"gpuhist: x: bad BAM at byte {len(head) + 12 * len(plain)}: record "
            f"{12 * len(records) + 1} has 31 bytes, but at least 32 are needed\n")
    for threads in "-j1", "-j2":
        got = run("--seq", "-f", "flag", threads, "x")
        holds(got == (1, b"", text), f"a bad record, {threads}", got)


def main():
    records = model.random_records(1, 800)
    copies = 24
    write("x.bam", bam(records, copies))
    holds(os.path.getsize("x.bam") > 2 * LONG_BYTES, "a long file",
          os.path.getsize("x.bam"))
    try_counts(records, copies)
    try_parts(records)
    try_fields(records, copies)
    try_lines()
    try_damage(12 if IS_SHORT else 60)
    try_bad_record(records)


main()
