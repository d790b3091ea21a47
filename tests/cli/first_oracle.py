# SPDX-License-Identifier: MIT
"""first_oracle.py -- the first records of inputs against other programs

What is wanted are the counts of a file that ends after record N: csv of Python
finds it for CSV, json for JSON, seqkit for FASTA and FASTQ, samtools for BAM
and SAM, and str.split() for lines and words.
"""

import csv
import gzip
import json
import random
import shutil
import subprocess
import sys

from checks import IS_SHORT, holds

GPUHIST = sys.argv[1]
random.seed(11)
RECORDS = 1000 if IS_SHORT else 4000


def run(*arguments, data=None):
    done = subprocess.run([GPUHIST, "-q", *arguments], check=False, input=data,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return done.stdout or done.stderr


WAYS = [["--threads=1", "--chunk-size=4K"], ["--threads=4"],
        ["--threads=3", "--chunk-size=64K"]]


def check(what, arguments, data, numbers, cut):
    """CUT gives the bytes of the first N records of DATA."""
    name = what.replace(" ", "-")
    with open(name, "wb") as out:
        out.write(data)
    with gzip.open(name + ".gz", "wb", 1) as out:
        out.write(data)
    for n in numbers:
        first = [*arguments, f"--first={n}"]
        wanted = run(*arguments, data=cut(n))
        others = [run(*first, *way, path) for way in WAYS
                  for path in (name, name + ".gz")]
        others += [run(*first, data=data)]
        holds(all(other == wanted for other in others), f"{what}: {n}",
              [(wanted[:99], other[:99]) for other in others
               if other != wanted][:2])
        # The numbers of bytes and records do not depend on chunks either.
        totals = [json.loads(run(*first, *way, "--format=json", name))
                  for way in WAYS]
        holds(all((t["bytes"], t["records"]) ==
                  (totals[0]["bytes"], totals[0]["records"]) for t in totals),
              "... bytes and records", [t["bytes"] for t in totals])


def numbers_up_to(most):
    return [1, random.randrange(2, most), most, most + 1]


def word():
    return "".join(random.choice("ab#\r,;") for _ in range(random.randrange(5)))


def lines_of(data, keeps, n):
    """The lines up to the one that is number N of those that KEEPS."""
    lines = data.split(b"\n")
    kept = 0
    for i, line in enumerate(lines):
        kept += keeps(line)
        if kept == n:
            return b"\n".join(lines[:i + 1]) + b"\n"
    return data


def check_lines():
    data = "".join(word() + "\n" for _ in range(RECORDS)).encode() + b"a"
    check("lines", ["-l"], data, numbers_up_to(RECORDS + 1),
          lambda n: lines_of(data, lambda line: True, n))
    count = data.count(b"\n") - data.count(b"\n##") - data.startswith(b"##") + 1
    check("lines with comments", ["-l", "--comment=##"], data,
          numbers_up_to(count),
          lambda n: lines_of(data, lambda line: not line.startswith(b"##"), n))
    words = data.replace(b",", b" ").replace(b";", b"\t")
    count = len(words.decode().replace("\r", "r").split())

    def cut(n):
        at = 0
        for _ in range(n):
            while at < len(words) and words[at] in b" \t\n":
                at += 1
            while at < len(words) and words[at] not in b" \t\n":
                at += 1
        return words[:at + 1]

    check("words", ["--words"], words, numbers_up_to(count), cut)
    zeros = data.replace(b"\n", b"\0")
    check("records of NUL", ["-lz"], zeros, [1, 77, RECORDS + 1],
          lambda n: lines_of(data, lambda line: True,
                             n).replace(b"\n", b"\0"))


def check_json():
    lines = [random.choice(["", "  ", "\t\r"]) if random.random() < 0.2 else
             json.dumps({"a": word(), "b": i}) for i in range(RECORDS)]
    data = "\n".join(lines).encode() + b"\n"
    count = sum(line.strip() != "" for line in lines)
    check("json", ["--jsonl", "-f", "a"], data, numbers_up_to(count),
          lambda n: lines_of(data, lambda line: line.strip() != b"", n))
    data = "\n".join(line.replace("{", "a=").replace('"', "") if line.strip()
                     else line for line in lines).encode()
    check("logfmt", ["--logfmt", "-f", "a"], data, numbers_up_to(count),
          lambda n: lines_of(data, lambda line: line.strip() != b"", n))


def check_csv():
    rows = []
    for i in range(RECORDS):
        value = random.choice(["x", 'a"b', "a\nb", "a,\n\nb", "", "#"])
        rows.append([str(i % 7), value])
    with open("rows", "w", encoding="ascii", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["n", "value"])
        for i, row in enumerate(rows):
            writer.writerow(row)
            if i % 9 == 0:
                out.write(random.choice(["\n", "\r\n", "#,\"\n"]))
    with open("rows", "rb") as text:
        data = text.read()

    def cut(n):
        with open("cut", "w", encoding="ascii", newline="") as out:
            writer = csv.writer(out, lineterminator="\n")
            writer.writerows([["n", "value"], *rows[:n]])
        with open("cut", "rb") as text:
            return text.read()

    check("csv", ["--csv", "-f", "value,n", "--comment=#,"], data,
          numbers_up_to(RECORDS), cut)


def bases():
    # Some are longer than small chunks.
    most = random.choice([1, 40, 150, 150, 150, 9000])
    return "".join(random.choices("ACGTN", k=random.randrange(1, most + 1)))


def seqkit(data, n):
    return subprocess.run(["seqkit", "head", "-w", "0", "-n", str(n)],
                          check=True, input=data, capture_output=True).stdout


def check_sequences():
    reads = [(f"r{i} x", bases()) for i in range(RECORDS // 4)]
    fasta = "".join(
        f">{n}\n" + "".join(b[i:i + 60] + "\n" for i in range(0, len(b), 60)) +
        ("\n" if len(b) % 3 == 0 else "") for n, b in reads)
    fastq = "".join(f"@{n}\n{b}\n+\n{'@' * len(b)}\n" +
                    ("\n" if len(b) % 3 == 0 else "") for n, b in reads)
    if shutil.which("seqkit") is None:
        return
    for what, text in (("FASTA", fasta), ("FASTQ", fastq)):
        data = text.encode()
        plain = text.replace("\n\n", "\n").encode()
        for arguments in (["--seq", "-f", "name,length"], ["--kmers=5"],
                          ["--seq", "-f", "position,base"]):
            check(what + " " + arguments[-1], arguments, data,
                  numbers_up_to(len(reads)), lambda n: seqkit(plain, n))


def check_alignments():
    if shutil.which("samtools") is None:
        return
    sam = "@HD\tVN:1.6\n"
    for i in range(RECORDS // 4):
        b = bases()
        # A supplementary record is none that counts.
        sam += f"q{i}\t4\t*\t0\t0\t*\t*\t0\t0\t{b}\t{'I' * len(b)}\n"
        if i % 5 == 0:
            sam += f"q{i}\t2048\t*\t0\t0\t*\t*\t0\t0\t{b}\t*\n"
    data = sam.encode()

    primary = subprocess.run(["samtools", "view", "-F", "0x900"], check=True,
                             input=data, capture_output=True).stdout

    def head(n):
        return b"@HD\tVN:1.6\n" + b"".join(primary.splitlines(True)[:n])

    numbers = numbers_up_to(RECORDS // 4)
    check("SAM", ["--seq", "-f", "name"], data, numbers, head)
    bam = subprocess.run(["samtools", "view", "-b"], check=True, input=data,
                         capture_output=True).stdout
    with open("reads.bam", "wb") as out:
        out.write(bam)
    for n in numbers:
        wanted = run("--seq", "-f", "name", data=head(n))
        got = [run("--seq", "-f", "name", f"--reads={n}", *way, "reads.bam")
               for way in WAYS]
        holds(all(g == wanted for g in got), f"BAM: {n}", got[0][:99])


check_lines()
check_json()
check_csv()
check_sequences()
check_alignments()
