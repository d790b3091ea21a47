# SPDX-License-Identifier: MIT
"""sample_oracle.py -- samples of reads against XXH64 in Python

XXH64 is written here from its specification, and compared with the module
xxhash where that is installed.
"""

import collections
import gzip
import math
import os
import random
import shutil
import subprocess
import sys

from checks import IS_SHORT, holds

GPUHIST = sys.argv[1]
random.seed(7)
READS = 3000 if IS_SHORT else 20000
MASK = (1 << 64) - 1
P1, P2, P3, P4, P5 = (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F,
                      0x165667B19E3779F9, 0x85EBCA77C2B2AE63,
                      0x27D4EB2F165667C5)


def rotate(x, bits):
    return (x << bits | x >> (64 - bits)) & MASK


def step(lane, word):
    return rotate((lane + word * P2) & MASK, 31) * P1 & MASK


def xxh64(data, seed):
    at = 0
    if len(data) >= 32:
        lanes = [(seed + P1 + P2) & MASK, (seed + P2) & MASK, seed,
                 (seed - P1) & MASK]
        while at + 32 <= len(data):
            for i in range(4):
                word = int.from_bytes(data[at:at + 8], "little")
                lanes[i] = step(lanes[i], word)
                at += 8
        h = sum(rotate(lane, bits)
                for lane, bits in zip(lanes, (1, 7, 12, 18))) & MASK
        for lane in lanes:
            h = ((h ^ step(0, lane)) * P1 + P4) & MASK
    else:
        h = (seed + P5) & MASK
    h = (h + len(data)) & MASK
    while at + 8 <= len(data):
        h ^= step(0, int.from_bytes(data[at:at + 8], "little"))
        h = (rotate(h, 27) * P1 + P4) & MASK
        at += 8
    if at + 4 <= len(data):
        h ^= int.from_bytes(data[at:at + 4], "little") * P1 & MASK
        h = (rotate(h, 23) * P2 + P3) & MASK
        at += 4
    for byte in data[at:]:
        h = rotate(h ^ byte * P5 & MASK, 11) * P1 & MASK
    h = (h ^ h >> 33) * P2 & MASK
    h = (h ^ h >> 29) * P3 & MASK
    return h ^ h >> 32


def pair(name):
    return name[:-2] if name.endswith(("/1", "/2")) else name


def is_sampled(name, percent, seed):
    """PERCENT is a text."""
    whole, _, digits = percent.partition(".")
    least = int(whole + digits) * 10**16 // 10**len(digits)
    return xxh64(pair(name).encode(), seed) * 10**18 >> 64 < least


def name_of(i):
    return random.choice([
        f"M01:12:FC:1:{random.randrange(1101, 1120)}:{i}:7",
        f"SRR9.{i}", "x" * (i % 99) + str(i), f"{i}"])


def run(*arguments):
    done = subprocess.run([GPUHIST, "-q", *arguments], check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return done.stdout.decode() or done.stderr.decode()


def write(path, names, mate, bases):
    lines = "".join(
        f">{n}{mate}\n{b}\n" if path.endswith("fa")
        else f"@{n}{mate}\n{b}\n+\n{'I' * len(b)}\n"
        for n, b in zip(names, bases))
    with open(path, "w", encoding="ascii") as out:
        out.write(lines)


def sam_of(names, bases):
    header = "@HD\tVN:1.6\n"
    return header + "".join(
        f"{n}\t{flag}\t*\t0\t0\t*\t*\t0\t0\t{b}\t{'I' * len(b)}\n"
        for n, b in zip(names, bases) for flag in (77, 141))


def check_files(names):
    bases = ["".join(random.choice("ACGT")
                     for _ in range(random.randrange(1, 40))) for _ in names]
    write("r1.fq", names, "/1", bases)
    write("r2.fq", names, " 2:N:0:ACG", bases)
    write("r.fa", names, "/2 x", bases)
    with open("r.sam", "w", encoding="ascii") as out:
        out.write(sam_of(names, bases))
    with open("r1.fq", "rb") as data, gzip.open("r1.fq.gz", "wb") as out:
        shutil.copyfileobj(data, out)
    files = ["r1.fq", "r2.fq", "r.fa", "r1.fq.gz", "r.sam"]
    if shutil.which("samtools") is not None:
        subprocess.run(["samtools", "view", "-b", "-o", "r.bam", "r.sam"],
                       check=True)
        files.append("r.bam")
    return files, bases


def main():
    names = [name_of(i) for i in range(READS)]
    files, bases = check_files(names)
    for percent, seed in (("10", 0), ("0.5", 1), ("33.333", MASK >> 1)):
        chosen = [is_sampled(n, percent, seed) for n in names]
        sample = [f"--sample={percent}%", f"--seed={seed}"]
        rows = collections.Counter(
            n for n, is_in in zip(names, chosen) if is_in)
        for path in files:
            twice = 2 if path.endswith("am") else 1
            wanted = "".join(f"{n}\t{twice * c}\n"
                             for n, c in sorted(rows.items()))
            got = run("--seq", "-f", "name:pair", *sample, path)
            holds(got == wanted, f"{percent}% of {path}", got[:300])
            ways = [run("--seq", "-f", "name:pair", *sample, *way, path)
                    for way in (["--threads=4"],
                                ["--threads=3", "--chunk-size=4K"],
                                ["--threads=1", "--chunk-size=64K"])]
            for i in (1, 2, 3):
                run("--seq", "-f", "name:pair", *sample, f"--shard={i}/3",
                    f"--state=part{i}", "-o", os.devnull, path)
            ways.append(run("--merge", "part1", "part2", "part3"))
            holds(all(way == wanted for way in ways),
                  "... threads, chunks and shards",
                  [way[:200] for way in ways if way != wanted])
        kept = collections.Counter(
            b[i:i + 5] for b, is_in in zip(bases, chosen) if is_in
            for i in range(len(b) - 4))
        got = run("--kmers=5", *sample, "--nonzero", "r.fa")
        holds(got == "".join(f"{k}\t{c}\n" for k, c in sorted(kept.items())),
              f"... and its k-mers, {percent}%", got[:300])
        where = f"name:pair:hash={seed}<{percent}e-2"
        holds(run("--seq", "-f", "length", "--where", where, "r1.fq") ==
              run("--seq", "-f", "length", *sample, "r1.fq"),
              "the condition that it stands for")
    check_statistics()
    check_hash()


def check_statistics():
    """About P % of names that count up, with any seed, and no seed says
    anything about another one."""
    number = 100000
    write("many.fa", [f"read.{i}" for i in range(number)], "", ["A"] * number)
    p = 0.05
    sets = []
    for seed in range(8):
        got = run("--seq", "-f", "name", "--sample=5%", f"--seed={seed}",
                  "many.fa")
        sets.append({line.split("\t")[0] for line in got.splitlines()})
    sd = math.sqrt(number * p * (1 - p))
    sizes = [len(s) for s in sets]
    holds(all(abs(s - number * p) < 5 * sd for s in sizes), "about 5 %", sizes)
    q = p * p
    sd = math.sqrt(number * q * (1 - q))
    both = [len(a & b) for i, a in enumerate(sets) for b in sets[:i]]
    holds(all(abs(n - number * q) < 5 * sd for n in both),
          "seeds choose independently", both)
    # Of the same seed, a smaller sample is a part of a larger one.
    part = run("--seq", "-f", "name", "--sample=1%", "many.fa")
    holds({line.split("\t")[0] for line in part.splitlines()} < sets[0],
          "1 % is a part of 5 %")


def check_hash():
    texts = ["x" * i + str(i) for i in range(70)]
    with open("texts", "w", encoding="ascii") as out:
        out.write("".join(t + "\n" for t in texts))
    for seed in (0, 1, MASK):
        values = sorted(xxh64(t.encode(), seed) * 10**18 >> 64 for t in texts)
        wanted = ["0." + f"{v:018}".rstrip("0") for v in values]
        got = [line.split("\t")[0] for line in
               run("--tsv", "-f", f"1:hash={seed}", "texts").splitlines()]
        holds(got == wanted, f"hashes with the seed {seed}", got[:3])
    try:
        import xxhash  # pylint: disable=import-outside-toplevel
    except ImportError:
        return
    holds(all(xxhash.xxh64(t.encode(), seed=s).intdigest()
              == xxh64(t.encode(), s)
              for t in texts for s in (0, 1, MASK)), "XXH64 of xxhash")


main()
