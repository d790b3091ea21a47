# SPDX-License-Identifier: MIT
"""members.py -- archives for members.sh, by Python's tarfile and zipfile

usage: members.py make FORMAT ARCHIVE FILE...     an archive of these files
       members.py all PREFIX FILE...              PREFIX-FORMAT of each format
       members.py extract ARCHIVE DIRECTORY       its files, as 0, 1, 2, ...
       members.py many FORMAT ARCHIVE COUNT       COUNT files with a number
       members.py hostile FORMAT ARCHIVE          files with strange names
       members.py damage GPUHIST ARCHIVE HOW      cut off anywhere, bits flipped
"""

import collections
import io
import os
import random
import subprocess
import sys
import tarfile
import zipfile

FORMATS = {
    "ustar": tarfile.USTAR_FORMAT,
    "pax": tarfile.PAX_FORMAT,
    "gnu": tarfile.GNU_FORMAT,
    "stored": zipfile.ZIP_STORED,
    "deflated": zipfile.ZIP_DEFLATED,
    "bzip2": zipfile.ZIP_BZIP2,
    "lzma": zipfile.ZIP_LZMA,
}
TARS = ("ustar", "pax", "gnu")


class Archive:
    """An archive that is written."""

    def __init__(self, name, path):
        self.is_tar = name in TARS
        if self.is_tar:
            self.archive = tarfile.open(path, "w", format=FORMATS[name])
        else:
            self.archive = zipfile.ZipFile(path, "w", FORMATS[name])

    def add(self, name, data):
        if self.is_tar:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            self.archive.addfile(info, io.BytesIO(data))
        else:
            self.archive.writestr(name, data)

    def close(self):
        self.archive.close()


def contents(path):
    """The contents of the files in an archive, or of an exception."""
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            return [archive.read(info) for info in archive.infolist()
                    if not info.is_dir()]
    with tarfile.open(path) as archive:
        return [archive.extractfile(info).read() for info in archive
                if info.isreg()]


def make(name, path, files):
    archive = Archive(name, path)
    for file in files:
        with open(file, "rb") as data:
            archive.add(file, data.read())
    archive.close()


def make_all(prefix, files):
    for name in FORMATS:
        make(name, prefix + "-" + name, files)


def extract(path, directory):
    os.mkdir(directory)
    for i, data in enumerate(contents(path)):
        with open(os.path.join(directory, "%06d" % i), "wb") as file:
            file.write(data)


def many(name, path, count):
    archive = Archive(name, path)
    for i in range(int(count)):
        archive.add("file-%d" % i, b"%d\n" % (i % 100))
    archive.close()


def hostile(name, path):
    archive = Archive(name, path)
    for strange in ("../up", "/etc/absolute", "a\nb", "tab\tand \\n", "-rf",
                    "d/" * 40 + "deep", "n" * 99,
                    "\N{GREEK SMALL LETTER LAMDA}.txt", "e\x1b[2J"):
        archive.add(strange, strange.encode())
    archive.close()


def rows(parts):
    counts = collections.Counter(b"".join(parts))
    return b"".join(b"%d\t%d\n" % (v, counts[v]) for v in range(256)
                    if v in counts)


def data_of_tar(path):
    """For each byte whether no checksum protects it: data, padding, end."""
    free = bytearray(os.path.getsize(path))
    with tarfile.open(path) as archive:
        end = 0
        for info in archive:
            size = -(-info.size // 512) * 512
            end = info.offset_data + size
            free[info.offset_data:end] = b"\1" * size
        # Long names and attributes are data of other headers.
        for at in range(0, end, 512):
            if free[at] == 0:
                archive.fileobj.seek(at)
                block = archive.fileobj.read(512)
                if block[257:262] != b"ustar":
                    free[at:at + 512] = b"\1" * 512
    free[end:] = b"\1" * (len(free) - end)
    return free


def ends_of_tar(path):
    """Where the files of an archive end."""
    with tarfile.open(path) as archive:
        return [info.offset_data + -(-info.size // 512) * 512
                for info in archive]


def damage(gpuhist, path, how):
    with open(path, "rb") as file:
        good = file.read()
    is_zip = zipfile.is_zipfile(path)
    wanted = rows(contents(path))
    free = bytearray(len(good)) if is_zip else data_of_tar(path)
    ends = [] if is_zip else ends_of_tar(path)
    found = 0

    def count(data, what, may_pass, wanted=wanted):
        """Bad archives are refused, and say so once, or counted right."""
        nonlocal found
        if how == "pipe":
            run = subprocess.run([gpuhist, "--members", "--nonzero"],
                                 input=data, capture_output=True, check=False)
        else:
            with open("damaged", "wb") as file:
                file.write(data)
            run = subprocess.run(
                [gpuhist, "--members", "--nonzero", "damaged"],
                capture_output=True, check=False)
        if run.returncode == 0 and (
                not run.stderr or
                b"what follows the end of the archive" in run.stderr or
                b"no end of the tar archive" in run.stderr):
            bad = run.stdout != wanted and not may_pass
        else:
            bad = (run.returncode != 1 or run.stdout != b"" or
                   not run.stderr.startswith(b"gpuhist: ") or
                   run.stderr.count(b"\n") != 1)
        if bad:
            found += 1
            print("# %s: %d %r" % (what, run.returncode, run.stderr[:200]))
        return run.returncode

    if count(good, "good", False) != 0:
        sys.exit("the good archive is refused")
    last = len(good.rstrip(b"\0"))
    step = 37 if is_zip else 512
    for cut in range(0, len(good), step):
        # The blocks at the end of a tar archive are more than one.
        is_whole = not is_zip and cut >= -(-last // 512) * 512 + 512
        before = rows(contents(path)[:ends.index(cut) + 1]
                      if cut in ends else contents(path))
        status = count(good[:cut], "cut at %d" % cut, False, before)
        if (status == 0) != (is_whole or cut in ends):
            found += 1
            print("# cut at %d of %d: status %d" % (cut, len(good), status))
    choice = random.Random(17)
    for _ in range(25 if os.environ.get("IS_SHORT") == "yes" else 150):
        bit = choice.randrange(len(good) * 8)
        bad = bytearray(good)
        bad[bit // 8] ^= 1 << bit % 8
        # The file's type in the directory of a zip archive is not protected.
        in_mode = is_zip and any(
            good[bit // 8 - back:][:4] == b"PK\1\2" for back in range(38, 42))
        count(bytes(bad), "bit %d of byte %d" % (bit % 8, bit // 8),
              in_mode or free[bit // 8])
    sys.exit(1 if found else 0)


def main():
    actions = {"make": lambda name, path, *files: make(name, path, files),
               "all": lambda prefix, *files: make_all(prefix, files),
               "extract": extract, "many": many, "hostile": hostile,
               "damage": damage}
    actions[sys.argv[1]](*sys.argv[2:])


main()
