# SPDX-License-Identifier: MIT
"""samples.py -- make the files that doc/cookbook.md counts

Usage: python3 samples.py DIRECTORY

The files are the same on every machine.  random() is the only source of
numbers, because Python promises its sequence.
"""

import gzip
import io
import json
import math
import os
import random
import struct
import sys
import tarfile

TIME = 1772359200  # 2026-03-01 10:00:00 UTC
DAYS = ["01/Mar/2026", "02/Mar/2026"]
dice = random.Random(0)


def below(n):
    return int(dice.random() * n)


def choose(items):
    return items[below(len(items))]


def skewed(items):
    """The first items are chosen more often."""
    return items[int(len(items) * dice.random() ** 3)]


def normal():
    return sum(dice.random() for _ in range(12)) - 6


def write(name, content):
    if isinstance(content, str):
        content = content.encode()
    folder = os.path.dirname(name)
    if folder:
        os.makedirs(folder, exist_ok=True)
    with open(name, "wb") as file:
        file.write(content)


def packed(content):
    """content as gzip, without a time or a name."""
    buffer = io.BytesIO()
    with gzip.GzipFile("", "wb", 9, buffer, mtime=0) as file:
        file.write(content.encode() if isinstance(content, str) else content)
    return buffer.getvalue()


# ---- logs ----

HOSTS = ["203.0.113.7", "198.51.100.23", "203.0.113.99", "192.0.2.14",
         "198.51.100.200", "2001:db8::1"]
PATHS = ["/", "/api/cart", "/api/items?id=7", "/img/logo.png", "/app.js",
         "/login", "/api/items?id=9", "/img/cat.jpg"]
REFERERS = ["-", "https://example.org/", "https://search.example/?q=x",
            "https://example.org/shop"]


def request(day, minute):
    path = skewed(PATHS)
    status = skewed([200, 200, 200, 304, 404, 500, 503])
    size = 0 if status == 304 else 200 + below(60) * 37
    return ('%s - - [%s:%02d:%02d:%02d +0000] "%s %s HTTP/1.1" %d %d "%s" '
            '"Mozilla/5.0" %.3f\n'
            % (skewed(HOSTS), DAYS[day], 10 + minute // 60, minute % 60,
               below(60), "POST" if path == "/login" else "GET", path, status,
               size, skewed(REFERERS), math.exp(normal() - 3)))


def access_logs():
    write("access.log", "".join(request(0, m // 2) for m in range(240)))
    for day in range(2):
        write("archive/access.log.%d.gz" % (2 - day),
              packed("".join(request(day, m) for m in range(120))))
    write("nginx.log", "".join(
        '%s [%s:10:%02d:00 +0000] "GET %s HTTP/1.1" %d rt=%.3f up=%s\n'
        % (skewed(HOSTS), DAYS[0], i // 4, skewed(PATHS), skewed([200, 404]),
           dice.random(), choose(["blue", "green"])) for i in range(80)))


def json_log():
    services = ["cart", "search", "login"]
    lines = []
    for i in range(200):
        line = {"time": "2026-03-%02dT%02d:%02d:00Z"
                % (1 + i // 100, 10 + i % 100 // 50, i % 50),
                "level": skewed(["info", "info", "warn", "error"]),
                "service": skewed(services),
                "latency_ms": round(math.exp(normal() + 3), 1),
                "user": {"id": below(40)},
                "tags": [choose(["eu", "us"])] + ["beta"] * (i % 5 == 0)}
        lines.append(json.dumps(line, separators=(",", ":")) + "\n")
    write("events.jsonl", "".join(lines))
    write("app.log", "".join(
        'time=2026-03-01T10:%02d:00Z level=%s msg="request done" took=%dms\n'
        % (i % 60, skewed(["info", "warn", "error"]), 1 + below(400))
        for i in range(120)))


def system_logs():
    programs = ["sshd", "cron", "kernel", "systemd"]
    write("journal.log", "".join(
        "Mar  1 %02d:%02d:00 host1 %s[%d]: message %d\n"
        % (9 + i // 40, i % 60, skewed(programs), 100 + below(50), i)
        for i in range(120)))
    names = ["root", "admin", "alice", "oracle"]
    write("auth.log", "".join(
        "Mar  1 10:%02d:00 host1 sshd[7]: %s password for %s from %s port %d "
        "ssh2\n" % (i, skewed(["Failed", "Failed", "Accepted"]), skewed(names),
                    skewed(HOSTS[:5]), 40000 + i) for i in range(60)))


# ---- tables ----

CITIES = ["Lima", "Oslo", "Rome", "Kyoto"]


def tables():
    rows = ["date,city,product,price,quantity\n"]
    for i in range(150):
        product = skewed(["pen", "book", '"lamp, small"', "desk"])
        price = "" if i % 50 == 49 else "%.2f" % math.exp(normal() / 2 + 3)
        rows.append("2026-%02d-%02d,%s,%s,%s,%d\n"
                    % (1 + i // 50, 1 + i % 28, skewed(CITIES), product, price,
                       1 + below(5)))
    write("sales.csv", "".join(rows))
    write("stations.txt", "".join(
        "%s;%.1f\n" % (skewed(CITIES), 10 * normal() + 15) for _ in range(200)))
    write("book.txt", "".join(
        " ".join(skewed(["the", "a", "of", "counting", "words", "The", "stream",
                         "ends"]) for _ in range(8)) + "\n" for _ in range(40)))
    write("counted.tsv", "red\t70\nblue\t12\nred\t5\n")
    write("emails.txt", "".join(
        "%s@example.%s\n" % (skewed(["ann", "Bob", "bob", "cy"]),
                             choose(["org", "com"])) for _ in range(30)))


def accounting():
    rows = ["JobID|User|State|CPUTimeRAW|Partition\n"]
    for i in range(120):
        rows.append("%d|%s|%s|%d|%s\n"
                    % (1000 + i, skewed(["ann", "bob", "cy"]),
                       skewed(["COMPLETED", "COMPLETED", "FAILED", "TIMEOUT"]),
                       60 * (1 + below(600)), skewed(["cpu", "gpu"])))
    write("sacct.txt", "".join(rows))
    write("sizes.txt", "".join(
        "%d\n" % math.exp(2 * normal() + 9) for _ in range(300)))
    for node in range(1, 4):
        write("nodes/node%d.log" % node, "".join(
            "%s %s\n" % (skewed(["ok", "ok", "retry", "ecc"]), i)
            for i in range(40)))


# ---- numbers ----

def npy(shape, kind, content):
    header = "{'descr': '%s', 'fortran_order': False, 'shape': %s, }" % (
        kind, shape)
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    return (b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header))
            + header.encode() + content)


def numbers():
    values = [normal() for _ in range(1000)]
    write("energy.f4", struct.pack("<1000f", *values))
    write("energy.npy", npy((1000,), "<f8", struct.pack("<1000d", *values)))
    write("times.f8", struct.pack(
        "<500d", *(1 / (1 - dice.random()) - 1 for _ in range(500))))
    write("adc.u2", struct.pack(
        "<2000H", *(int(2048 + 200 * normal()) for _ in range(2000))))
    events = b""
    for _ in range(600):
        x = normal()
        events += struct.pack("<Hff", below(3), x, x / 2 + normal())
    write("hits.bin", events)


def model():
    weights = [normal() / 10 for _ in range(512)]
    weights[7] = float("nan")
    tensors = {"embed.weight": {"dtype": "F32", "shape": [16, 32],
                                "data_offsets": [0, 2048]},
               "norm.weight": {"dtype": "F32", "shape": [8],
                               "data_offsets": [2048, 2080]}}
    header = json.dumps(tensors).encode()
    write("model.safetensors", struct.pack("<Q", len(header)) + header
          + struct.pack("<520f", *weights, *([1.0] * 8)))
    write("tokens.u2", struct.pack(
        "<3000H", *(int(32000 * dice.random() ** 6) for _ in range(3000))))
    write("labels.u1", bytes(skewed([0, 1, 2]) for _ in range(500)))
    write("train.jsonl", "".join(json.dumps(
        {"lang": skewed(["en", "de", "fr"]), "n_tokens": 20 + below(200),
         "source": skewed(["web", "books"])}) + "\n" for _ in range(150)))


# ---- bytes, pictures, sequences ----

def binaries():
    text = b"usage: firmware [options]\n" * 40
    secret = bytes(below(256) for _ in range(4096))
    write("bin/plain.bin", text)
    write("bin/secret.bin", secret)
    write("bin/firmware.bin", text + secret + b"\xff" * 2048)


def pictures():
    pixels = bytearray()
    for y in range(48):
        for x in range(64):
            light = min(255, 4 * x + below(20))
            pixels += bytes((light, light // 2, 255 if y < 8 else 80))
    write("photo.ppm", b"P6\n64 48\n255\n" + bytes(pixels))
    grey = bytes(60 + int(40 * dice.random() ** 2) for _ in range(64 * 48))
    write("scan.pgm", b"P5\n64 48\n255\n" + grey)


def sequences():
    genome = "".join(choose("ACGT") for _ in range(2000))
    lines = [genome[i:i + 60] for i in range(0, 2000, 60)]
    write("genome.fa", ">chr1\n" + "\n".join(lines[:20]) + "\n>chr2\n"
          + "\n".join(lines[20:]) + "\n")
    reads, mates = [], []
    for i in range(200):
        start, length = below(1900), 60 + below(40)
        quality = "".join(chr(33 + min(40, max(2, int(38 - p / 8 + 3 * normal()))))
                          for p in range(length))
        read = genome[start:start + length].ljust(length, "N")
        reads.append("@run1:%d:tile%d\n%s\n+\n%s\n"
                     % (i, 1 + i % 4, read, quality))
        # The mate starts at the other end, with lower qualities.
        mates.append("@run1:%d:tile%d/2\n%s\n+\n%s\n" % (
            i, 1 + i % 4, read[::-1].translate(str.maketrans("ACGT", "TGCA")),
            "".join(chr(max(35, ord(q) - 3)) for q in quality)))
    write("reads.fq", "".join(reads))
    write("mates.fq", "".join(mates))
    write("reads.fq.gz", packed("".join(reads)))
    write("calls.vcf", "##fileformat=VCFv4.2\n"
          "#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\n" + "".join(
              "%s\t%d\t.\t%s\t%s\t%d\t%s\n"
              % (skewed(["chr1", "chr2", "chrX"]), 100 + 7 * i, choose("ACGT"),
                 choose("ACGT"), 10 + below(50), skewed(["PASS", "q10"]))
              for i in range(90)))


def archive():
    with tarfile.open("logs.tar.gz", "w:gz", format=tarfile.USTAR_FORMAT) as tar:
        for node in range(1, 4):
            tar.add("nodes/node%d.log" % node)


def alignments():
    """Pairs of reads on one reference, with insertions, deletions and clips."""
    lines = ["@HD\tVN:1.6\tSO:unsorted", "@SQ\tSN:chr1\tLN:5000",
             "@RG\tID:lane1\tSM:x", "@RG\tID:lane2\tSM:x"]
    cigars = ["50M", "50M", "50M", "20M1I29M", "20M3D30M", "44M6S", "9M2I9M1D30M"]
    for i in range(100):
        place, insert = 1 + below(4000), 120 + below(40)
        group = "RG:Z:" + skewed(["lane1", "lane2"])
        flags = (4 + 64 + 9, 4 + 128 + 9) if i % 10 == 9 else (99, 147)
        for mate, flag in enumerate(flags):
            mapped = not flag & 4
            at = place + mate * (insert - 50) if mapped else 0
            other = place + (1 - mate) * (insert - 50) if mapped else 0
            lines.append("\t".join([
                "pair%d" % i, str(flag), "chr1" if mapped else "*", str(at),
                str(skewed([60, 30, 0]) if mapped else 0),
                choose(cigars) if mapped else "*", "=" if mapped else "*",
                str(other), str((insert, -insert)[mate] if mapped else 0),
                "".join(choose("ACGT") for _ in range(50)),
                "".join(chr(33 + 30 + below(8)) for _ in range(50)), group]))
    write("aligned.sam", "\n".join(lines) + "\n")


def main():
    if len(sys.argv) != 2:
        sys.exit("Usage: python3 samples.py DIRECTORY")
    os.makedirs(sys.argv[1], exist_ok=True)
    os.chdir(sys.argv[1])
    for make in (access_logs, json_log, system_logs, tables, accounting, numbers,
                 model, binaries, pictures, sequences, archive, alignments):
        make()


main()
