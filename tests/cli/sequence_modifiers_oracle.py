# SPDX-License-Identifier: MIT
"""sequence_modifiers_oracle.py -- modifiers of sequences against Python

Random reads in FASTQ and FASTA are counted by modified names and sequences,
alone and beside fields of reads, of bases and of windows.
"""

import collections
import os
import random
import subprocess
import sys

from checks import IS_SHORT, holds

GPUHIST = sys.argv[1]
random.seed(43)
READS = 500 if IS_SHORT else 4000


class Read:
    def __init__(self, number):
        lane, tile = random.randrange(1, 3), random.choice([1101, 1102, 2203])
        self.name = random.choice([
            f"M01:12:FC:{lane}:{tile}:{number}:7",
            f"SRR{random.randrange(3)}.{number}", "x" * random.randrange(1, 99),
            "", f"a:b:c:d:{tile}"])
        self.bases = "".join(random.choice("ACGT")
                             for _ in range(random.randrange(1, 60)))
        self.quality = [random.randrange(41) for _ in self.bases]

    def fastq(self):
        quality = "".join(chr(33 + q) for q in self.quality)
        return f"@{self.name} more words\n{self.bases}\n+\n{quality}\n"

    def fasta(self):
        at = len(self.bases) // 2
        return f">{self.name}\tmore\n{self.bases[:at]}\n{self.bases[at:]}\n"


def part(text, n, separator=":"):
    parts = text.split(separator)
    return parts[n - 1] if n <= len(parts) else "\\invalid"


def tile(r):
    return part(r.name, 5)


def illumina_tile(r):
    parts = r.name.split(":")
    return parts[4] if len(parts) == 7 else "\\invalid"


def windows(r, k):
    return [r.bases[i:i + k] for i in range(len(r.bases) - k + 1)]


# Arguments, and the rows of a read.
CASES = [
    (["--seq", "-f", 'name:field=5":"'], lambda r: [(tile(r),)]),
    (["--seq", "-f", "name:field=1.:lower"],
     lambda r: [(part(r.name, 1, ".").lower(),)]),
    (["--seq", "-f", "name:prefix=4,sequence:cut=3-7"],
     lambda r: [("name:prefix=4", r.name[:4]),
                ("sequence:cut=3-7", r.bases[2:7])]),
    (["--seq", "-f", "sequence:index=GATTA,name:index=\":\""],
     lambda r: [("sequence:index=GATTA", str(r.bases.find("GATTA") + 1)),
                ("name:index=\":\"", str(r.name.find(":") + 1))]),
    (["--seq", "-f", "length", "--where", "sequence:index=CAT>0"],
     lambda r: [(str(len(r.bases)),)] if "CAT" in r.bases else []),
    (["--seq", "-g", 'name:field=5":"', "-f", "sequence:prefix=2,length"],
     lambda r: [("sequence:prefix=2", tile(r), r.bases[:2]),
                ("length", tile(r), str(len(r.bases)))]),
    (["--seq", "-g", 'name:field=5":"', "-f", "base"],
     lambda r: [(tile(r), b) for b in r.bases]),
    (["--seq", "-g", 'name:field=5":"', "-f", "position,base"],
     lambda r: [("position", tile(r), str(i + 1))
                for i in range(len(r.bases))] +
     [("base", tile(r), b) for b in r.bases]),
    (["--seq", "-f", 'base,name:field=4":",position'],
     lambda r: [("base", b) for b in r.bases] +
     [('name:field=4":"', part(r.name, 4))] +
     [("position", str(i + 1)) for i in range(len(r.bases))]),
    (["--seq", "-f", "name:tile"], lambda r: [(illumina_tile(r),)]),
    (["--kmers=3", "-g", 'name:field=5":"', "-f", "kmer"],
     lambda r: [(tile(r), w) for w in windows(r, 3)]),
    (["--seq", "--joint", "-f", "sequence,name:prefix=3"],
     lambda r: [(r.bases, r.name[:3])]),
    (["--seq", "-f", "length", "--where", 'name:field=5":"=1101'],
     lambda r: [(str(len(r.bases)),)] if tile(r) == "1101" else []),
    (["--seq", "-f", "name", "--where",
      'name:field=5":":number>1101 || sequence:prefix=2=AC'],
     lambda r: [(r.name,)] if tile(r) in ("1102", "2203") or
     r.bases[:2] == "AC" else []),
    (["--seq", "-f", "base", "--where",
      "name:prefix=3:lower!='srr' && position<4"],
     lambda r: [(b,) for b in r.bases[:3]]
     if r.name[:3].lower() != "srr" else []),
    (["--seq", "-f", "base", "--where",
      'name:field=4":"=1 || position=2'],
     lambda r: [(b,) for i, b in enumerate(r.bases)
                if part(r.name, 4) == "1" or i == 1]),
    (["--seq", "-f", "name:prefix=4", "--where",
      'name:field=5":"!=1101', "--where", "sequence:cut=2-3=GT"],
     lambda r: [(r.name[:4],)] if tile(r) not in ("1101", "\\invalid") and
     r.bases[1:3] == "GT" else []),
    (["--seq", "-f", "sequence:lower:prefix=5", "--where", "length>20"],
     lambda r: [(r.bases.lower()[:5],)] if len(r.bases) > 20 else []),
]
FASTQ_CASES = [
    (["--seq", "--joint", "-f", 'position,name:field=5":",quality,length'],
     lambda r: [(str(i + 1), tile(r), str(q), str(len(r.bases)))
                for i, q in enumerate(r.quality)]),
    (["--seq", "--joint", "-f", "name:tile,position,quality"],
     lambda r: [(illumina_tile(r), str(i + 1), str(q))
                for i, q in enumerate(r.quality)]),
    (["--seq", "-g", 'name:field=5":"', "-f", "quality"],
     lambda r: [(tile(r), str(q)) for q in r.quality]),
    (["--seq", "-g", 'name:field=5":"', "-f", "base", "--where",
      "quality>=30"],
     lambda r: [(tile(r), b) for b, q in zip(r.bases, r.quality) if q >= 30]),
]

WAYS = [["--threads=4"], ["--threads=1", "--chunk-size=4K"],
        ["--threads=3", "--chunk-size=64K"]]


def run(*arguments):
    done = subprocess.run([GPUHIST, "-q", *arguments], check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return done.stdout.decode() or done.stderr.decode()


def rows_of(output):
    rows = collections.Counter()
    for line in output.splitlines():
        *key, count = line.split("\t")
        rows[tuple(key)] = count
    return rows


def check(path, arguments, wanted):
    output = run(*arguments, "--device=cpu", path)
    rows = collections.Counter({key: str(n) for key, n in wanted.items()})
    got = rows_of(output)
    label = f"{path}: {' '.join(arguments)}"
    holds(got == rows, label, (sorted(set(got.items()) - set(rows.items()))[:4],
                               sorted(set(rows.items()) - set(got.items()))[:4]))
    others = [run(*arguments, *way, path) for way in WAYS]
    for i in (1, 2):
        run(*arguments, f"--shard={i}/2", f"--state=reads{i}", "-o",
            os.devnull, path)
    others.append(run("--merge", "reads1", "reads2"))
    holds(all(other == output for other in others),
          f"{label}: threads, chunks and shards",
          [other[:200] for other in others if other != output])


def main():
    reads = [Read(i) for i in range(READS)]
    for path, cases in (("reads.fastq", CASES + FASTQ_CASES),
                        ("reads.fasta", CASES)):
        with open(path, "w", encoding="ascii") as out:
            out.write("".join(r.fastq() if path.endswith("q") else r.fasta()
                              for r in reads))
        for arguments, rows in cases:
            check(path, arguments,
                  collections.Counter(row for r in reads for row in rows(r)))


main()
