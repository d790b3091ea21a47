# SPDX-License-Identifier: MIT
"""members_7z.py -- 7z archives for members_7z.sh, written byte by byte

usage: members_7z.py write ARCHIVE            files a, b/c and e, not compressed
       members_7z.py NAME ARCHIVE             a directory that is wrong, or that
                                              asks for much: see CASES
       members_7z.py all DIRECTORY            an archive of each NAME, and write
       members_7z.py py7zr DIRECTORY          archives by py7zr, if it is there
       members_7z.py damage GPUHIST ARCHIVE   cut anywhere, bits changed
"""

import binascii
import lzma
import os
import random
import struct
import subprocess
import sys

SIGNATURE = b"7z\xbc\xaf\x27\x1c"
FILES = (("a", b"hello, world\n"), ("b/c", b"0123456789" * 30), ("e", b""))
EMPTY_STREAM, EMPTY_FILE, ANTI, NAMES = 0x0e, 0x0f, 0x10, 0x11
COPY = b"\x01\x01\x00"


def number(value):
    """A number: as many leading ones as bytes follow."""
    for extra in range(8):
        if value < 1 << (7 * (extra + 1)):
            first = 0xff << (8 - extra) & 0xff | value >> (8 * extra)
            return bytes([first]) + value.to_bytes(9, "little")[:extra]
    return b"\xff" + struct.pack("<Q", value)


def crc(data):
    return struct.pack("<I", binascii.crc32(data))


def bits(flags):
    """Flags, the first one in the highest bit."""
    value = bytearray(-(-len(flags) // 8))
    for i, flag in enumerate(flags):
        value[i // 8] |= 0x80 >> i % 8 if flag else 0
    return bytes(value)


def prop(kind, data):
    return bytes([kind]) + number(len(data)) + data


def names(files):
    return prop(NAMES, b"\0" + b"".join(
        name.encode("utf-16-le", "surrogatepass") + b"\0\0"
        for name, _ in files))


def streams(packed, folder, sizes, counts="", digests=(), start=0):
    """The property of all streams: PACKED sizes, one FOLDER."""
    info = b"\x06" + number(start) + number(len(packed)) + b"\x09"
    info += b"".join(number(size) for size in packed) + b"\0"
    info += b"\x07\x0b\x01\x00" + folder + b"\x0c"
    info += b"".join(number(size) for size in sizes)
    if counts == "":
        info += b"\x0a\x01" + b"".join(digests)
    info += b"\0"
    if counts != "":
        info += b"\x08" + counts + b"\0"
    return info + b"\0"


def archive(data, header):
    rest = struct.pack("<QQ", len(data), len(header)) + crc(header)
    return SIGNATURE + b"\0\4" + crc(rest) + rest + data + header


def plain(files, folder=COPY, counts=None, more=b"", end=b"\0\0", outs=1):
    """An archive of FILES in one folder, which is not compressed."""
    full = [content for _, content in files if content]
    data = b"".join(full)
    if counts is None:
        counts = b"\x0d" + number(len(full))
        counts += b"\x09" + b"".join(number(len(content))
                                     for content in full[:-1])
        counts += b"\x0a\x01" + b"".join(crc(content) for content in full)
    header = b"\x01\x04" + streams([len(data)], folder, [len(data)] * outs, counts)
    empty = [not content for _, content in files]
    header += b"\x05" + number(len(files))
    if any(empty):
        header += prop(EMPTY_STREAM, bits(empty))
        header += prop(EMPTY_FILE, bits([True] * sum(empty)))
    return archive(data, header + more + names(files) + end)


def packed_header(header, props=b"\x5d\0\0\x01\0", method=b"\x03\x01\x01",
                  size=None, digest=None):
    """An archive without files but with HEADER, compressed by LZMA."""
    filters = [{"id": lzma.FILTER_LZMA1, "dict_size": 65536}]
    data = lzma.compress(header, lzma.FORMAT_RAW, filters=filters)
    folder = b"\x01" + bytes([0x20 | len(method)]) + method
    folder += number(len(props)) + props
    info = b"\x17" + streams(
        [len(data)], folder, [len(header) if size is None else size], "",
        [crc(header) if digest is None else digest])
    return archive(data, info)


def many_empty(count):
    """A small archive whose directory has COUNT files."""
    header = b"\x01\x05" + number(count)
    header += prop(EMPTY_STREAM, b"\xff" * (count // 8))
    return header + b"\0\0"


STRANGE = ("../up", "/etc/absolute", "a\nb", "tab\tand \\n", "-rf",
           "n" * 5000, "\N{GREEK SMALL LETTER LAMDA}.txt", "\ud800", "e\x1b[2J",
           "")

CASES = {
    "hostile": lambda: plain([(name, b"%d" % i)
                              for i, name in enumerate(STRANGE)]),
    "write": lambda: plain(FILES),
    "sizes": lambda: plain(FILES[:2], counts=(
        b"\x0d\x02\x09" + number(14) + b"\x0a\x01" +
        b"".join(crc(content) for _, content in FILES[:2]))),
    "undigested": lambda: plain(FILES[:2], counts=(
        b"\x0d\x02\x09" + number(13))),
    "none": lambda: archive(b"", b""),
    "none-listed": lambda: archive(b"", b"\x01\0"),
    "no-files": lambda: archive(b"", b"\x01\x05\0\0\0"),
    "packed": lambda: packed_header(b"\x01\x05\0\0\0"),
    "twice": lambda: packed_header(b"\x17" + streams([1], COPY, [1], b"\0")),
    "digest": lambda: packed_header(b"\x01\x05\0\0\0", digest=b"abcd"),
    "long": lambda: packed_header(b"\x01\x05\0\0\0", size=6),
    "huge": lambda: packed_header(b"\x01\x05\0\0\0", size=1 << 40),
    "dictionary": lambda: packed_header(b"\x01\x05\0\0\0",
                                        props=b"\x5d\0\0\0\xf0"),
    "method": lambda: packed_header(b"\x01\x05\0\0\0", method=b"\x03\x04\x01"),
    "encrypted": lambda: packed_header(b"\x01\x05\0\0\0",
                                       method=b"\x06\xf1\x07\x01"),
    "many": lambda: packed_header(many_empty(1 << 26)),
    "anti": lambda: plain(FILES, more=prop(ANTI, b"\x80")),
    "folder-dictionary": lambda: plain(
        FILES, folder=b"\x01\x23\x03\x01\x01\x05\x5d\0\0\0\xf0"),
    "coders": lambda: plain(FILES, outs=5, folder=(
        b"\x05" + b"\x01\0" * 5 + b"\1\0\2\1\3\2\4\3")),
    "version": lambda: plain(FILES).replace(SIGNATURE + b"\0",
                                            SIGNATURE + b"\1"),
    "unended": lambda: plain(FILES, end=b""),
}


def py7zr(directory):
    """Archives by py7zr of the files one, two and empty in the DIRECTORY."""
    import py7zr as library
    filters = {
        "lzma2": [{"id": library.FILTER_LZMA2, "preset": 6}],
        "lzma": [{"id": library.FILTER_LZMA, "preset": 6}],
        "ppmd": [{"id": library.FILTER_PPMD, "order": 6, "mem": 24}],
        "deflate": [{"id": library.FILTER_DEFLATE}],
        "bzip2": [{"id": library.FILTER_BZIP2}],
        "copy": [{"id": library.FILTER_COPY}],
        "delta": [{"id": library.FILTER_DELTA},
                  {"id": library.FILTER_LZMA2, "preset": 6}],
        "x86": [{"id": library.FILTER_X86},
                {"id": library.FILTER_LZMA2, "preset": 6}],
        "arm": [{"id": library.FILTER_ARM},
                {"id": library.FILTER_LZMA2, "preset": 6}],
    }
    for name, chain in filters.items():
        for is_encoded in (False, True):
            path = "py-%s-%d.7z" % (name, is_encoded)
            with library.SevenZipFile(path, "w", filters=chain) as file:
                file.set_encoded_header_mode(is_encoded)
                for member in ("one", "empty", "two"):
                    file.write(os.path.join(directory, member), member)
            print(path)


def damage(gpuhist, path):
    """An archive that is cut or changed is refused, or counts the same."""
    with open(path, "rb") as file:
        good = file.read()
    wanted = None
    found = refusals = 0
    choice = random.Random(45)
    cases = [good] + [good[:cut] for cut in range(0, len(good), 11)]
    for _ in range(80 if os.environ.get("IS_SHORT") == "yes" else 200):
        bad = bytearray(good)
        bit = choice.randrange(8 * len(good))
        bad[bit // 8] ^= 1 << bit % 8
        cases.append(bytes(bad))
    for data in cases:
        with open("damaged.7z", "wb") as file:
            file.write(data)
        run = subprocess.run([gpuhist, "--members", "--nonzero", "damaged.7z"],
                             capture_output=True, check=False)
        if wanted is None:
            wanted = run.stdout
        refusals += run.returncode != 0
        if run.returncode == 0:
            bad = run.stdout != wanted or run.stderr
        else:
            bad = (run.returncode != 1 or run.stdout != b"" or
                   not run.stderr.startswith(b"gpuhist: ") or
                   run.stderr.count(b"\n") != 1)
        if bad:
            found += 1
            print("# %d %r" % (run.returncode, run.stderr[:200]))
    # Bytes that nobody reads: the minor version.
    if refusals < len(cases) - 20 or not wanted:
        sys.exit("only %d of %d are refused" % (refusals, len(cases)))
    sys.exit(1 if found else 0)


def write(name, path):
    with open(path, "wb") as file:
        file.write(CASES[name]())


def write_all(directory):
    for name in CASES:
        write(name, os.path.join(directory, name))


def main():
    action = sys.argv[1]
    if action in CASES:
        write(action, sys.argv[2])
    else:
        actions = {"all": write_all, "py7zr": py7zr, "damage": damage}
        actions[action](*sys.argv[2:])


main()
