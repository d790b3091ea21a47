# SPDX-License-Identifier: MIT
"""members_odd.py -- odd archives for members_odd.sh, in the current directory

usage: members_odd.py zips|tars|holes
       members_odd.py measure COMMAND...    run it; print its status and its peak
                                         memory in MiB, then what it says
"""

import gzip
import io
import lzma
import resource
import struct
import subprocess
import sys
import zipfile
import zlib

TEXT = b"hello, world\n" * 50


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)


# ---- zip ----

def info(name, mode=None, system=3, attributes=0):
    entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
    entry.create_system = system
    entry.external_attr = attributes if mode is None else mode << 16
    return entry


def python_zip(*entries, method=zipfile.ZIP_STORED, comment=b"", prefix=b""):
    out = io.BytesIO()
    out.write(prefix)
    with zipfile.ZipFile(out, "a", method) as archive:
        for entry, data in entries:
            archive.writestr(entry, data, method)
        archive.comment = comment
    return out.getvalue()


def raw_zip(entries, between=b""):
    """A zip archive of (name, packed, size, crc, flags, method, behind, extra).

    BEHIND is a data descriptor, or nothing; BETWEEN goes before the directory.
    """
    out, directory = b"", b""
    for name, packed, size, crc, flags, method, behind, extra in entries:
        here = (0, 0, 0) if flags & 8 else (crc, len(packed), size)
        directory += struct.pack(
            "<4sHHHHHHIIIHHHHHII", b"PK\1\2", 0x31e, 20, flags, method, 0,
            0x21, crc, len(packed), size, len(name), 0, 0, 0, 0,
            0o100644 << 16, len(out)) + name
        out += struct.pack("<4sHHHHHIIIHH", b"PK\3\4", 20, flags, method, 0,
                           0x21, *here, len(name), len(extra))
        out += name + extra + packed + behind
    out += between
    end = struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, len(entries),
                      len(entries), len(directory), len(out), 0)
    return out + directory + end


def deflated(data):
    coder = zlib.compressobj(9, zlib.DEFLATED, -15)
    return coder.compress(data) + coder.flush()


def stored(name, data, extra=b""):
    return (name, data, len(data), zlib.crc32(data), 0, 0, b"", extra)


def lzma_zip(size):
    """A file in LZMA that says that its dictionary has SIZE bytes."""
    coder = lzma.LZMACompressor(lzma.FORMAT_RAW, filters=[
        {"id": lzma.FILTER_LZMA1, "dict_size": 1 << 16}])
    packed = coder.compress(TEXT) + coder.flush()
    start = struct.pack("<BBHBI", 9, 4, 5, 0x5d, size)
    return raw_zip([(b"packed", start + packed, len(TEXT), zlib.crc32(TEXT), 2,
                     14, b"", b"")])


def zips():
    plain = (info("plain", 0o100644), TEXT)
    kinds = {
        "link": info("odd", 0o120777),
        "directory": info("odd", 0o040755),
        "slash": info("odd/", 0o100644),
        "dos": info("odd", None, 0, 0x10),
        "device": info("odd", 0o020644),
        "socket": info("odd", 0o140644),
        "type": info("odd", 0o150644),
        "fifo": info("odd", 0o010644),
    }
    for name, entry in kinds.items():
        write(name + ".zip", python_zip(plain, (entry, b"target")))
    for name in ("directory", "slash"):
        write(name + "-empty.zip", python_zip(plain, (kinds[name], b"")))
    good = python_zip(plain, (info("other", 0o100644), b"other\n"),
                      method=zipfile.ZIP_DEFLATED)
    write("good.zip", good)
    write("comment.zip", python_zip(plain, (kinds["link"], b"target"),
                                    comment=b"c" * 40000))
    write("lzma.zip", python_zip(plain, (info("e"), b""),
                                 method=zipfile.ZIP_LZMA))
    # The directory lacks an entry, has one twice, or says another size.
    end = good.rindex(b"PK\5\6")
    start = struct.unpack("<I", good[end + 16:end + 20])[0]
    second = good.index(b"PK\1\2", start + 4)

    def with_directory(directory, entries):
        return good[:start] + directory + struct.pack(
            "<4sHHHHIIH", b"PK\5\6", 0, 0, entries, entries, len(directory),
            start, 0)

    write("deleted.zip", with_directory(good[second:end], 1))
    write("lies.zip", with_directory(good[second:end], 2))
    write("twice.zip", with_directory(2 * good[second:end], 2))
    size = bytearray(good)
    size[second + 24] ^= 1
    write("size.zip", bytes(size))
    # Programs that extract themselves, with and without their own offsets.
    write("windows.zip", b"MZ" + bytes(5000) + good)
    write("linux.zip", python_zip(plain, (info("other"), b"other\n"),
                                  prefix=b"\x7fELF" + bytes(5000)))
    write("shell.zip", b"#!/bin/sh\nexec unzip $0\n" + good)
    # Of Android: padding for zipalign, and a block of signatures.
    block = bytes(range(256)) * 4
    size = struct.pack("<Q", len(block) + 24)
    write("android.zip", raw_zip(
        [stored(b"a", TEXT, b"\0" * 3), stored(b"b", b"other\n", b"\0" * 2)],
        size + block + size + b"APK Sig Block 42"))
    # Descriptors, of data that say where they end or not; and without sign.
    packed = deflated(TEXT)
    numbers = struct.pack("<III", zlib.crc32(TEXT), len(packed), len(TEXT))
    write("descriptor.zip", raw_zip(
        [(b"a", packed, len(TEXT), zlib.crc32(TEXT), 8, 8,
          b"PK\7\10" + numbers, b""), stored(b"b", b"other\n")]))
    numbers = struct.pack("<III", zlib.crc32(TEXT), len(TEXT), len(TEXT))
    write("unsigned.zip", raw_zip(
        [(b"a", TEXT, len(TEXT), zlib.crc32(TEXT), 8, 0, numbers, b""),
         stored(b"b", b"other\n")]))
    # As with more than 4 GiB: 8 bytes for each size, without a notice before.
    numbers = struct.pack("<IQQ", zlib.crc32(TEXT), len(packed), len(TEXT))
    write("long.zip", raw_zip(
        [(b"a", packed, len(TEXT), zlib.crc32(TEXT), 8, 8,
          b"PK\7\10" + numbers, b""), stored(b"b", b"other\n")]))
    write("dictionary.zip", lzma_zip(320 << 20))
    write("little.zip", lzma_zip(1 << 16))


# ---- tar ----

def header(name, size, kind=b"0"):
    out = bytearray(512)
    out[:len(name)] = name
    out[100:124] = b"0000644\0" + b"0000000\0" * 2
    out[124:136] = b"%011o\0" % size
    out[136:148] = b"%011o\0" % 0
    out[156:157] = kind
    out[257:265] = b"ustar\x0000"
    out[148:156] = b" " * 8
    out[148:156] = b"%06o\0 " % sum(out)
    return bytes(out)


def padded(data):
    return data + bytes(-len(data) % 512)


def file(name, data, kind=b"0"):
    return header(name, len(data), kind) + padded(data)


def pax(*records):
    body = b""
    for key, value in records:
        rest = b" " + key + b"=" + value + b"\n"
        length = len(rest)
        while length != len(rest) + len(b"%d" % length):
            length = len(rest) + len(b"%d" % length)
        body += b"%d" % length + rest
    return file(b"pax", body, b"x")


def sparse(size, runs, data):
    """A file of SIZE bytes with DATA in RUNS, pairs of offset and length."""
    list_of_runs = b",".join(b"%d,%d" % run for run in runs)
    return (pax((b"GNU.sparse.size", b"%d" % size),
                (b"GNU.sparse.numblocks", b"%d" % len(runs)),
                (b"GNU.sparse.map", list_of_runs)) + file(b"hole", data))


TERA = 1 << 40


def holes():
    """Files with a hole of 1 TiB or a little less."""
    last = TERA - 4
    write("tera.tar", sparse(TERA, [(0, 3), (last, 4)], b"abcwxyz") + END)
    write("twice.tar", 2 * sparse(TERA, [(0, 4), (TERA, 0)], b"abcd") + END)
    for name, start in (("grey", b"P5 1048576 1048576 255\n"),
                        ("colour", b"P6 65536 65536 65535\n\1\2")):
        size = len(start) + (TERA if name == "grey" else 6 * 65536**2 - 2)
        write(name + ".tar", sparse(size, [(0, len(start)), (size, 0)],
                                    start) + END)
    header = (b"{'descr': '<u4', 'fortran_order': False, 'shape': (%d,), }"
              % 2**38).ljust(117) + b"\n"
    header = b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header
    write("npy.tar", sparse(TERA + len(header), [(0, len(header)),
                                                 (TERA + len(header), 0)],
                            header) + END)
    for name, packed in (("gzip", gzip.compress(TEXT, mtime=0)),
                         ("xz", lzma.compress(TEXT))):
        write(name + ".tar", sparse(TERA, [(0, len(packed)), (TERA, 0)],
                                    packed) + END)
    huge = sparse(2**62, [(0, 2), (2**62, 0)], b"ab")
    write("huge.tar", 2 * huge + END)


END = bytes(1024)


def tars():
    a, b = file(b"a", TEXT), file(b"b", b"other\n")
    write("good.tar", a + b + END)
    write("unended.tar", a + b)
    write("zeros.tar", a + b + END + bytes(300))
    write("text.tar", a + b + END + b"text")
    write("blocks.tar", a + b + END + b"text" * 1000)
    write("far.tar", a + b + END + bytes(1 << 20) + b"text")
    # Damage is no end: of the header of another archive, or of a first one.
    bad = bytearray(a)
    bad[0] ^= 1
    write("damaged.tar", b + END + bytes(bad) + END)
    write("lone.tar", b + bytes(512) + b"text" * 1000)
    write("directory.tar", a + file(b"d/", bytes(600)) + b + END)
    write("pax-directory.tar", a + pax((b"size", b"600")) +
          file(b"d/", b"x" * 600, b"5") + b + END)
    write("names.tar", a + file(b"d/", b"Yb\0\0", b"D") + b + END)
    write("unknown.tar", a + file(b"b", b"other\n", b"Z") + END)
    write("size.tar", a + pax((b"size", b"6")) + header(b"b", 0) +
          padded(b"other\n") + END)
    for key in (b"GNU.sparse.size", b"GNU.sparse.realsize",
                b"SCHILY.realsize"):
        write(key.decode() + ".tar",
              pax((key, b"%d" % 2**53)) + file(b"hole", b"ab") + END)
    write("negative.tar", sparse(-5, [(0, 3)], b"abc") + END)
    write("short.tar", sparse(200, [(0, 1), (100, 50)], b"ab") + END)
    # The map of a sparse file, before its data.
    numbers = [b"1000000"]
    for i in range(1000000):
        numbers += [b"%d" % (2 * i), b"0"]
    runs = padded(b"\n".join(numbers) + b"\n")
    write("map.tar", pax((b"GNU.sparse.major", b"1"),
                         (b"GNU.sparse.minor", b"0"),
                         (b"GNU.sparse.name", b"holes"),
                         (b"GNU.sparse.realsize", b"2000000")) +
          file(b"map", runs) + END)


def measure(command):
    run = subprocess.run(command, capture_output=True, check=False)
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    print(run.returncode, used)
    sys.stdout.write((run.stdout + run.stderr).decode())


def main():
    actions = {"zips": zips, "tars": tars, "holes": holes,
               "measure": lambda *command: measure(command)}
    actions[sys.argv[1]](*sys.argv[2:])


main()
