# SPDX-License-Identifier: MIT
"""inputs.py -- the inputs of tests/record/commands, in the current directory

The same bytes on each machine: a generator of its own, and no text that depends
on the locale.
"""

import bz2
import gzip
import io
import lzma
import struct
import tarfile
import zipfile


class Random:
    """xorshift64*, so that no version of Python changes an input."""

    def __init__(self, seed):
        self.state = seed

    def word(self):
        x = self.state
        x ^= x >> 12
        x ^= (x << 25) & (1 << 64) - 1
        x ^= x >> 27
        self.state = x
        return (x * 0x2545F4914F6CDD1D & (1 << 64) - 1) >> 16

    def below(self, n):
        return self.word() % n

    def share(self):
        return self.below(1 << 30) / (1 << 30)

    def choice(self, items):
        return items[self.below(len(items))]

    def normal(self):
        return sum(self.share() for _ in range(12)) - 6


def save(name, data):
    with open(name, "wb") as file:
        file.write(data if isinstance(data, bytes) else data.encode())


def samples():
    r = Random(1)
    save("noise", bytes(r.below(256) for _ in range(60000)))
    save("f8", struct.pack("<4000d", *(r.normal() for _ in range(4000))))
    save("f4", struct.pack("<4000f", *(r.normal() ** 3 for _ in range(4000))))
    special = [0.0, -0.0, float("nan"), float("inf"), float("-inf"), 1.5]
    save("special", struct.pack("<600d", *(r.choice(special) for _ in range(600))))
    save("u2", struct.pack("<8000H", *(r.below(300) ** 2 % 65536 for _ in range(8000))))
    save("i4", struct.pack("<4000i", *(r.below(2000) - 1000 for _ in range(4000))))
    save("u8", struct.pack("<2000Q", *(r.word() << 16 for _ in range(2000))))
    rows = ((r.below(5), r.below(9) - 4, r.normal()) for _ in range(3000))
    save("records", b"".join(struct.pack("<BhdB", a, b, c, 7) for a, b, c in rows))
    shape = "{'descr': '<f4', 'fortran_order': False, 'shape': (1000,), }"
    header = (shape + " " * (117 - len(shape)) + "\n").encode()
    body = struct.pack("<1000f", *(r.normal() for _ in range(1000)))
    save("array.npy", b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + body)
    pixels = bytes(min(255, max(0, int(128 + 40 * r.normal()))) for _ in range(9021))
    save("rgb.ppm", b"P6\n97 31\n255\n" + pixels)
    save("grey.pgm", b"P5\n97 31\n255\n" + pixels[:3007])
    save("zero", bytes(30000))
    save("empty", b"")


def text():
    r = Random(2)
    words = ["to", "be", "or", "not", "question", "\u00e9t\u00e9", "a\\b", "x" * 40]
    lines = (" ".join(r.choice(words) for _ in range(r.below(9))) for _ in range(3000))
    save("words", "\n".join(lines) + "\n")
    save("distinct", "".join("%09d\n" % (i * 7919 % 19801) for i in range(15000)))
    save("nul", "".join("k%d\0" % r.below(30) for _ in range(500)))
    save("crlf", "".join("k%d,%d\r\n" % (r.below(5), r.below(9)) for _ in range(300)))
    save("uniq", "".join("%7d k%d\n" % (r.below(99), i) for i in range(40)))
    save("counted", "".join("k%d\t%d\n" % (i, r.below(99)) for i in range(40)))
    cities = ["Oslo", "Rome", "b, c", 'say "hi"', "", "Lima"]
    rows = ["city,price,date,note\r\n"]
    for _ in range(3000):
        city = r.choice(cities)
        if "," in city or '"' in city:
            city = '"%s"' % city.replace('"', '""')
        price = r.choice(["", "n/a", "1e3", "-0.5"]) if r.below(9) == 0 else "%d.%02d" % (r.below(200), r.below(100))
        note = '"two\nlines"' if r.below(20) == 0 else "n%d" % r.below(4)
        rows.append("%s,%s,2026-11-%02d,%s\r\n" % (city, price, 1 + r.below(28), note))
    save("table.csv", "".join(rows))
    save("table.tsv", "name\tvalue\n" + "".join("n%d\t%d\n" % (r.below(50), r.below(1000) - 500) for _ in range(2000)))
    save("semi", "".join("%s;%d.%d\n" % (r.choice(["Oslo", "Rome", "Lima"]), r.below(60) - 20, r.below(10)) for _ in range(4000)))
    logs = []
    for _ in range(3000):
        size = "-" if r.below(10) == 0 else str(r.below(1000000))
        logs.append('10.0.%d.%d - %s [22/Nov/2026:08:%02d:%02d +0000] "%s /%s HTTP/1.1" %d %s "-" "Mozilla/5.0 (X11; \\"L\\")"\n' % (
            r.below(3), r.below(250), r.choice(["-", "ann"]), r.below(60), r.below(60), r.choice(["GET", "POST"]),
            r.choice(["", "a", "b?x=1", "c/d"]), r.choice([200, 301, 404, 500]), size))
    save("access.log", "".join(logs))
    objects = []
    for i in range(2000):
        objects.append('{"t":"2026-11-28T06:%02d:00Z","http":{"status":%d,"path":"/%s"},"ms":%d.%03d,"tags":["a","b%d"],"n":null}\n' % (
            r.below(60), r.choice([200, 404, 500]), r.choice("abc"), r.below(300), r.below(1000), r.below(3)))
    save("events.jsonl", "".join(objects))
    save("wrong.jsonl", "".join(objects[:50]) + "{\"a\":}\n" + "".join(objects[50:60]))


def sequences():
    r = Random(3)
    genome = "".join(r.choice("ACGTACGTACGTNacgt") for _ in range(20000))
    lines = "".join(genome[i : i + 60] + "\n" for i in range(0, len(genome), 60))
    save("genome.fa", ">one first\n" + lines + ">two\nACGTNNRY\nAC\n>three\n\n")
    reads = []
    for i in range(600):
        at = r.below(19000)
        read = genome[at : at + 30 + r.below(70)].upper()
        reads.append("@r%d/1 x\n%s\n+\n%s\n" % (i, read, "".join(chr(35 + r.below(39)) for _ in read)))
    save("reads.fq", "".join(reads))
    save("cut.fq", "".join(reads)[:-7])


def archives():
    with open("words", "rb") as file:
        words = file.read()
    with open("table.csv", "rb") as file:
        table = file.read()
    save("words.gz", gzip.compress(words, mtime=0) + gzip.compress(table, mtime=0))
    save("words.xz", lzma.compress(words))
    save("words.lzma", lzma.compress(words, format=lzma.FORMAT_ALONE))
    save("words.bz2", bz2.compress(words))
    save("cut.gz", gzip.compress(words, mtime=0)[:-20])
    save("bad.bz2", bz2.compress(words)[:-30] + b"x" * 30)
    block = struct.pack("<I", 0xFD2FB528) + b"\x00\x58\x19\x00\x00hey"
    save("raw.zst", block * 3)
    files = [("a/words", words), ("a/empty", b""), ("table.csv", table)]
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for name, data in files:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    save("files.tar", archive.getvalue())
    save("files.tar.gz", gzip.compress(archive.getvalue(), mtime=0))
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in files:
            packed.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), data)
    save("files.zip", archive.getvalue())
    save("names", b"words\0table.csv\0access.log\0")


samples()
text()
sequences()
archives()
