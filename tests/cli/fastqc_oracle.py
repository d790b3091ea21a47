# SPDX-License-Identifier: MIT
"""fastqc_oracle.py -- --format=fastqc beside FastQC

Usage: python3 fastqc_oracle.py GPUHIST
       python3 fastqc_oracle.py --write DIRECTORY

Prints "PASS name" or "FAIL name".  The folder fastqc beside this script has
what FastQC 0.12.1 printed of the same reads; --write writes the reads, for
FastQC to print that again: fastqc_data.txt of NAME.fq is fastqc/NAME.txt.  A
FastQC 0.12 in PATH is asked again, of other reads.
"""

import math
import os
import shutil
import subprocess
import sys
import tempfile

# FastQC adds thirds up in the order of the reads, and so rounds otherwise.
ROUNDED = {"Per sequence GC content"}
UNORDERED = "Overrepresented sequences"
ADAPTERS = ["AGATCGGAAGAG", "TGGAATTCTCGG", "GATCGTCGGACT", "CTGTCTCTTATA",
            "A" * 15, "G" * 14]


class Noise:
    """The same numbers with each version of Python."""

    def __init__(self, seed):
        self.state = seed

    def below(self, most):
        self.state = (self.state * 6364136223846793005
                      + 1442695040888963407) % 2**64
        return (self.state >> 33) % most


def read(noise, shortest, longest, letters, low, high, adapters):
    length = shortest + noise.below(longest - shortest + 1)
    bases = "".join(letters[noise.below(len(letters))] for _ in range(length))
    if noise.below(100) < adapters:
        at = noise.below(length + 1)
        adapter = ADAPTERS[noise.below(len(ADAPTERS))]
        bases = (bases[:at] + adapter + bases[at:])[:length]
    level = low + noise.below(high - low + 1)
    quality = [min(high, max(low, level - 6 + noise.below(13)))
               for _ in range(length)]
    return bases, quality


# Name: seed, reads, different reads, and the arguments of read(), the byte of
# quality 0.
CASES = {
    "short": (1, 600, 600, (36, 36, "ACGT", 2, 40, 0), 33),
    "trimmed": (2, 700, 600, (0, 120, "ACGTNacgtn.R", 2, 41, 20), 33),
    "illumina": (3, 900, 300, (151, 151, "ACGT" * 20 + "N", 15, 41, 30), 33),
    "long": (4, 30, 30, (300, 9000, "AACGTT", 5, 25, 0), 33),
    "old": (5, 400, 90, (50, 76, "ACGT", 2, 40, 0), 64),
    "oldest": (6, 200, 200, (40, 50, "ACGT", 1, 40, 0), 64),
    "few": (7, 90, 90, (80, 100, "ACGT", 20, 40, 0), 33),
    "tiny": (8, 150, 150, (1, 12, "ACGT", 20, 40, 0), 33),
    "skewed": (9, 300, 300, (100, 100, "GC", 20, 40, 0), 33),
    "unknown": (10, 120, 120, (30, 30, "N", 2, 2, 0), 33),
    "one": (11, 1, 1, (30, 30, "ACGT", 20, 40, 0), 33),
    "tiles": (12, 500, 500, (80, 101, "ACGT", 2, 40, 0), 33),
    "tiles-old": (13, 90, 90, (40, 76, "ACGT", 2, 40, 0), 64),
    "no-tile": (14, 90, 90, (40, 50, "ACGT", 2, 40, 0), 33),
}


def name_of(case, i):
    """The name of read I."""
    if case == "tiles":
        return f"M0:12:FC:1:{1101 + i * i % 7 * 101}:{i}:5 1:N:0:ACGT"
    if case == "tiles-old":
        return f"HWUSI-EAS_1:2:{i * i % 13:02}:{i}:16900#0/1"
    if case == "no-tile":
        return "M0:12:FC:1:" + ("" if i == 70 else str(i % 3)) + f":{i}:5"
    return f"r{i}"


def write(path, case, seed, count, different, arguments, offset):
    noise = Noise(seed)
    reads = [read(noise, *arguments) for _ in range(different)]
    with open(path, "w", encoding="ascii") as file:
        for i in range(count):
            # Some of the reads are frequent.
            bases, quality = reads[i] if i < different else \
                reads[noise.below(1 + noise.below(different))]
            letters = "".join(chr(offset + q) for q in quality)
            file.write(f"@{name_of(case, i)}\n{bases}\n+\n{letters}\n")


def modules(text):
    """The modules of a report: a list of lines by name."""
    found = {}
    for line in text.splitlines():
        if line.startswith(">>") and line != ">>END_MODULE":
            name = line[2:].split("\t")[0]
            found[name] = []
        if not line.startswith("##"):
            found[name].append(line)
    return found


def without_order(lines):
    """The rows of overrepresented sequences without the source, which gpuhist
    does not look for.  FastQC leaves the order of equal counts to a hash."""
    rows = [line.split("\t")[:3] for line in lines[2:] if "\t" in line]
    return lines[:2] + sorted(rows, key=lambda row: (-int(row[1]), row[0]))


def is_near(got, wanted):
    """Whether the texts are equal, but for the last digits of numbers."""
    try:
        return math.isclose(float(got), float(wanted), rel_tol=1e-12)
    except ValueError:
        return got == wanted


def compare(got, wanted):
    """What is wrong with the report GOT; None: nothing."""
    got, wanted = modules(got), modules(wanted)
    if list(got) != list(wanted):
        return f"modules {list(got)}, not {list(wanted)}"
    for name, lines in got.items():
        if name == UNORDERED:
            counts = [int(line.split("\t")[1]) for line in lines[2:]
                      if "\t" in line]
            if counts == sorted(counts, reverse=True):
                lines = without_order(lines)
            wanted[name] = without_order(wanted[name])
        if name in ROUNDED and len(lines) == len(wanted[name]):
            if all(len(a.split("\t")) == len(b.split("\t"))
                   and all(map(is_near, a.split("\t"), b.split("\t")))
                   for a, b in zip(lines, wanted[name])):
                continue
        if lines != wanted[name]:
            return "\n# ".join(map(str, lines + ["instead of"] + wanted[name]))
    return None


def report(gpuhist, path):
    return subprocess.run([gpuhist, "--seq", "--format=fastqc", path],
                          check=True, capture_output=True, text=True).stdout


def check(name, got, wanted):
    wrong = compare(got, wanted)
    if wrong:
        print("#", wrong)
    print("FAIL" if wrong else "PASS", name)


def check_live(gpuhist):
    """Compare with the FastQC of this machine, if there is one."""
    if shutil.which("fastqc") is None or "v0.12" not in subprocess.run(
            ["fastqc", "--version"], check=False, capture_output=True,
            text=True).stdout:
        return
    for name, (seed, *rest) in CASES.items():
        write(f"{name}.fq", name, seed + 100, *rest)
        subprocess.run(["fastqc", "-q", "--extract", f"{name}.fq"], check=True,
                       capture_output=True)
        with open(f"{name}_fastqc/fastqc_data.txt", encoding="ascii") as file:
            check(f"{name}: FastQC here", report(gpuhist, f"{name}.fq"),
                  file.read())


def main():
    if sys.argv[1] == "--write":
        for name, case in CASES.items():
            write(os.path.join(sys.argv[2], f"{name}.fq"), name, *case)
        return
    gpuhist = os.path.abspath(sys.argv[1])
    recorded = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                            "fastqc")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name, case in CASES.items():
            write(f"{name}.fq", name, *case)
            with open(os.path.join(recorded, f"{name}.txt"),
                      encoding="ascii") as file:
                check(f"{name}: FastQC 0.12.1",
                      report(gpuhist, f"{name}.fq"), file.read())
        check_live(gpuhist)
        os.chdir("/")


main()
