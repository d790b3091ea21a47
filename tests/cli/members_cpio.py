# SPDX-License-Identifier: MIT
"""members_cpio.py -- cpio archives that no program writes, for members_cpio.sh

usage: members_cpio.py make KIND ARCHIVE ENTRY...   KIND: newc crc odc bin swap;
                                                    more behind each --
       members_cpio.py hostile KIND ARCHIVE         files with strange names
       members_cpio.py many ARCHIVE COUNT           COUNT pairs of names
       members_cpio.py damage GPUHIST ARCHIVE       cut anywhere, bits changed
       members_cpio.py extract GPUHIST COUNT        COUNT random archives, as
                                                    GNU cpio extracts them

An ENTRY is a Python tuple (name, data) with, if wanted, a dictionary of fields:
mode, ino, dev, links, size, sum, name_bytes.  The name TRAILER!!! ends the
archive; it is not added.
"""

import ast
import collections
import os
import random
import re
import shutil
import stat
import struct
import subprocess
import sys

FILE = 0o100644
TRAILER = ("TRAILER!!!", b"", {"mode": 0})


def pad(data, unit):
    return data + b"\0" * (-len(data) % unit)


def entry(kind, name, data, fields=None):
    """The bytes of one entry."""
    value = {"mode": FILE, "ino": 7, "dev": 1, "links": 1, "size": len(data),
             "sum": sum(data) & 0xffffffff}
    path = name.encode("utf-8", "surrogateescape") + b"\0"
    value["name_bytes"] = len(path)
    value.update(fields or {})
    if kind in ("newc", "crc"):
        head = b"070701" if kind == "newc" else b"070702"
        numbers = (value["ino"], value["mode"], 0, 0, value["links"], 0,
                   value["size"], 0, value["dev"], 0, 0, value["name_bytes"],
                   value["sum"] if kind == "crc" else 0)
        head += b"".join(b"%08x" % number for number in numbers)
        return pad(pad(head + path, 4) + data, 4)
    if kind == "odc":
        return (b"070707%06o%06o%06o%06o%06o%06o%06o%011o%06o%011o" %
                (value["dev"], value["ino"], value["mode"], 0, 0,
                 value["links"], 0, 0, value["name_bytes"],
                 value["size"])) + path + data
    order = "<" if kind == "bin" else ">"
    head = struct.pack(order + "13H", 0o70707, value["dev"], value["ino"],
                       value["mode"], 0, 0, value["links"], 0, 0, 0,
                       value["name_bytes"], value["size"] >> 16,
                       value["size"] & 0xffff)
    return pad(head, 2) + pad(path, 2) + pad(data, 2)


def write(kind, path, entries):
    with open(path, "wb") as file:
        for item in entries:
            file.write(entry(kind, *item))
        file.write(entry(kind, *TRAILER))


def make(*arguments):
    arguments = list(arguments) + ["--"]
    while arguments:
        end = arguments.index("--")
        kind, path, *entries = arguments[:end]
        write(kind, path, [ast.literal_eval(text) for text in entries])
        del arguments[:end + 1]


def hostile(kind, path):
    names = ("../up", "/etc/absolute", "a\nb", "tab\tand \\n", "-rf",
             "d/" * 40 + "deep", "n" * 5000, "\udcff\udcfe",
             "\N{GREEK SMALL LETTER LAMDA}.txt", "e\x1b[2J", "", "a\0b")
    write(kind, path, [(name, name.encode("utf-8", "surrogateescape"))
                       for name in names])


def many(path, count):
    """Two names of each file; the data come with the second one."""
    first = [("a%d" % i, b"", {"ino": i + 1, "links": 2})
             for i in range(int(count))]
    second = [("b%d" % i, b"%d\n" % (i % 100), {"ino": i + 1, "links": 2})
              for i in range(int(count))]
    write("newc", path, first + second)


def read(data):
    """The data of all regular files in an archive of newc or crc, or None."""
    files = []
    at = 0
    while True:
        head = data[at:at + 110]
        if len(head) < 110 or head[:6] not in (b"070701", b"070702"):
            return None
        fields = [head[i:i + 8] for i in range(6, 110, 8)]
        if not all(re.fullmatch(b" *[0-9a-fA-F]+", field) for field in fields):
            return None
        value = [int(field, 16) for field in fields]
        name = data[at + 110:at + 110 + value[11]]
        if not name or name[-1] != 0:
            return None
        start = (at + 110 + value[11] + 3) & ~3
        end = start + value[6]
        at = (end + 3) & ~3
        if len(name) < value[11] or at > len(data):
            return None
        if name.split(b"\0")[0] == b"TRAILER!!!":
            return files
        kind = value[1] & 0o170000
        content = data[start:end]
        if kind in (0, 0o100000):
            if (head[5:6] == b"2" and content and
                    sum(content) & 0xffffffff != value[12]):
                return None
            files.append(content)
        elif kind == 0o120000:
            continue
        elif content or kind not in (0o40000, 0o60000, 0o20000, 0o10000,
                                     0o140000):
            return None


def rows(parts):
    counts = collections.Counter(b"".join(parts))
    return b"".join(b"%d\t%d\n" % (v, counts[v]) for v in range(256)
                    if v in counts)


def damage(gpuhist, path):
    with open(path, "rb") as file:
        good = file.read()
    choice = random.Random(45)
    found = refusals = 0
    cases = [good[:cut] for cut in range(0, len(good), 13)]
    is_short = os.environ.get("IS_SHORT") == "yes"
    for _ in range(100 if is_short else 300):
        bad = bytearray(good)
        for _ in range(choice.choice((1, 1, 2))):
            at = choice.randrange(len(bad))
            bad[at] = choice.choice((bad[at] ^ 1 << choice.randrange(8),
                                     choice.choice(b"0123456789abcdefg \0")))
        cases.append(bytes(bad))
    for data in cases:
        wanted = read(data)
        run = subprocess.run([gpuhist, "--members", "--nonzero"], input=data,
                             capture_output=True, check=False)
        refusals += wanted is None
        if wanted is None:
            bad = (run.returncode != 1 or run.stdout != b"" or
                   not run.stderr.startswith(b"gpuhist: ") or
                   run.stderr.count(b"\n") != 1)
        else:
            bad = run.returncode != 0 or run.stdout != rows(wanted)
        if bad:
            found += 1
            with open("found-%d" % found, "wb") as file:
                file.write(data)
            print("# %r %d %r" % (wanted and len(wanted), run.returncode,
                                  run.stderr[:200]))
    if not len(cases) / 4 < refusals < len(cases) - 20:
        sys.exit("%d of %d archives are bad" % (refusals, len(cases)))
    sys.exit(1 if found else 0)


def random_entries(choice, kind):
    """Files of one or several names, directories and links, in any order."""
    entries = []
    is_last = kind in ("newc", "crc")  # only the last name has the data
    for group in range(choice.randrange(9)):
        fields = {"ino": group + 2}
        size = choice.choice((0, 1, 2, 3, 4, 5, 100, 513))
        data = bytes(choice.randrange(256) for _ in range(size))
        what = choice.random()
        if what < .45:
            entries.append(("f%d" % group, data, fields))
        elif what < .85:
            names = choice.randrange(2, 5)
            fields["links"] = names + (choice.random() < .2)
            for name in range(names):
                has_data = name == names - 1 or not is_last
                entries.append(("l%d-%d" % (group, name),
                                data if has_data else b"", fields))
        elif what < .93:
            fields.update(mode=0o40755, links=2)
            entries.append(("d%d" % group, b"", fields))
        else:
            fields["mode"] = 0o120777
            entries.append(("s%d" % group, b"target", fields))
    # The names of one file keep their order.
    groups = collections.defaultdict(list)
    for item in entries:
        groups[item[2]["ino"]].append(item)
    order = [item[2]["ino"] for item in entries]
    choice.shuffle(order)
    return [groups[ino].pop(0) for ino in order]


def files_of_cpio(path):
    """The data of the files that GNU cpio extracts, each once."""
    shutil.rmtree("extracted", ignore_errors=True)
    os.mkdir("extracted")
    with open(path, "rb") as file:
        subprocess.run(["cpio", "-idu", "--quiet"], stdin=file,
                       cwd="extracted", check=True)
    files = {}
    for root, _, names in os.walk("extracted"):
        for name in names:
            file = os.path.join(root, name)
            status = os.lstat(file)
            if stat.S_ISREG(status.st_mode):
                with open(file, "rb") as data:
                    files[status.st_ino] = data.read()
    return list(files.values())


def extract(gpuhist, count):
    choice = random.Random(45)
    found = 0
    for number in range(int(count)):
        kind = choice.choice(("newc", "crc", "odc", "bin", "swap"))
        write(kind, "random.cpio", random_entries(choice, kind))
        files = files_of_cpio("random.cpio")
        run = subprocess.run([gpuhist, "-v", "--members", "--nonzero",
                              "random.cpio"], capture_output=True, check=False)
        if (run.returncode != 0 or run.stdout != rows(files) or
                b"random.cpio: %d file%s;" % (
                    len(files), b"" if len(files) == 1 else b"s")
                not in run.stderr):
            found += 1
            print("# archive %d, %s: %d %r" % (number, kind, run.returncode,
                                               run.stderr[:200]))
    sys.exit(1 if found else 0)


def main():
    actions = {"make": make, "hostile": hostile, "many": many,
               "damage": damage, "extract": extract}
    actions[sys.argv[1]](*sys.argv[2:])


main()
