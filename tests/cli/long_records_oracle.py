# SPDX-License-Identifier: MIT
"""The name, length and GC of each sequence of FASTA, as --seq --joint prints."""

import sys

rows = {}
for record in open(sys.argv[1], "rb").read().split(b">")[1:]:
    first, _, lines = record.partition(b"\n")
    name = first.split()[0].decode()
    bases = bytes(byte for byte in lines if byte not in b" \t\r\n")
    gc = sum(bases.count(letter) for letter in (b"G", b"C", b"g", b"c"))
    row = (name, len(bases), repr(gc / len(bases)) if bases else "\\empty")
    rows[row] = rows.get(row, 0) + 1
for row in sorted(rows):
    print(*row, rows[row], sep="\t")
