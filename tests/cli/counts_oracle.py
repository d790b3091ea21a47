# SPDX-License-Identifier: MIT
"""counts_oracle.py SEED -- inputs for counts.sh, and what they add up to

Writes the lines `raw`, the same counted in any way as `counted.tsv` and
`counted.uniq`, and what must be printed: `sum.tsv`, `sum.uniq`; numbers with
counts as `numbers.tsv`, and each as often as it counts as `numbers`; pairs as
`pairs.tsv` and `pairs`; and keys that need memory, `many.tsv` and `many.sum`.
"""

import random
import sys
from collections import Counter


def escape(key):
    """As gpuhist-format(5) says, byte by byte."""
    out = bytearray()
    for at, byte in enumerate(key):
        if byte == 9:
            out += b"\\t"
        elif byte == 10:
            out += b"\\n"
        elif byte == 92 and (at + 1 == len(key) or
                             key[at + 1] in b"\\tn\t\nNoei"):
            out += b"\\\\"
        else:
            out.append(byte)
    return bytes(out)


def parts(total):
    """Natural numbers, also 0, that add up to TOTAL."""
    while total > 0:
        part = random.randint(0, min(total, random.choice((1, 3, 10**6))))
        total -= part
        yield part


def write(name, lines):
    with open(name, "wb") as file:
        file.write(b"\n".join(lines))


random.seed(int(sys.argv[1]))
odd = [b"", b"\t", b"\\", b"\\\\", b"\\N", b"\\other", b"\\t", b"\\n", b"a\tb",
       b"\xff\xfe", b"x\r", b"\r", b" 3 b", b"\\empty", b"\\invalid", b"\\x",
       b"c:\\temp\\new", b"tab\\\t", b"long" * 500]
alphabet = b"ab\\\\tnNoe \t\xff\r"
keys = odd + [bytes(random.choice(alphabet) for _ in range(random.randint(0, 9)))
              for _ in range(900)]
raw = Counter()
for key in keys:
    raw[key] += random.choice((1, 2, 3, 70))
counted = [(key, part) for key, count in raw.items() for part in parts(count)]
counted += [(b"never", 0)]
random.shuffle(counted)
lines = list(raw.elements())
random.shuffle(lines)
lines.append(b"")  # the last line end
ordered = sorted(raw.items())
write("raw", lines)
write("counted.tsv", [b"%s\t%d" % (escape(k), n) for k, n in counted])
write("counted.uniq", [b"%7d %s" % (n, k) for k, n in counted])
write("sum.tsv", [b"%s\t%d" % (escape(k), n) for k, n in ordered] + [b""])
write("sum.uniq", [b"%7d %s" % (n, k) for k, n in ordered] + [b""])

numbers = [(random.choice((b"%d" % random.randint(-50, 150),
                           b"%.2f" % random.uniform(-9, 120), b"nan", b"x",
                           b"")),
            random.randint(0, 9)) for _ in range(3000)] + [(b"7", 60)]
numbers += [(b"9999", 0)]
write("numbers.tsv", [b"%s\t%d" % pair for pair in numbers])
write("numbers", [v for v, n in numbers for _ in range(n)] + [b""])
many = Counter()
with open("many.tsv", "wb") as file:
    for i in range(30000):
        key = b"%0100d" % (random.randint(0, 120) ** 4 if i % 2 else i * i)
        count = random.choice((1, 2**33 + 1, 7))
        many[key] += count
        file.write(b"%s\t%d\n" % (key, count))
write("many.sum", [b"%s\t%d" % row for row in sorted(many.items())] + [b""])
pairs = [(b"%d" % random.randint(0, 9), random.choice((b"1", b"x", b"7.5", b"")),
          random.randint(0, 5)) for _ in range(2000)]
write("pairs.tsv", [b"%s\t%s\t%d" % row for row in pairs])
write("pairs", [b"%s\t%s" % row[:2] for row in pairs for _ in range(row[2])] +
      [b""])
