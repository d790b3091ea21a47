#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""wheel.py -- make a wheel for pip: the program, its libraries and the module

    packaging/wheel.py TARBALL DIRECTORY

TARBALL is that of packaging/tarball.sh.  DIRECTORY gets
gpuhist-VERSION-py3-none-manylinux_2_N_MACHINE.whl, where 2.N is the version of
glibc that the program needs.  The wheel has what is in the tarball, and
python/gpuhist; the same tarball gives the same wheel.
"""

import argparse
import base64
import hashlib
import pathlib
import re
import sys
import tarfile
import time
import zipfile

SOURCE = pathlib.Path(__file__).resolve().parent.parent
METADATA = '''\
Metadata-Version: 2.4
Name: gpuhist
Version: {version}
Summary: Count how often each value occurs, exactly, on a GPU or on all processors
License: MIT; the libraries inside have licences of their own
{files}Requires-Python: >=3.8
Provides-Extra: numpy
Requires-Dist: numpy; extra == "numpy"
Classifier: Environment :: GPU
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: Python :: 3
Description-Content-Type: text/markdown

'''
WHEEL = '''\
Wheel-Version: 1.0
Generator: gpuhist {version}
Root-Is-Purelib: false
Tag: py3-none-{platform}
'''


def read_tarball(path):
    """The members without their folder, the version, the platform and the time."""
    name = re.fullmatch(r'gpuhist-(.+)-linux-(.+)\.tar\.xz', path.name)
    if name is None:
        sys.exit('wheel.py: %s is not a tarball of tarball.sh' % path)
    members = {}
    with tarfile.open(path) as archive:
        for member in archive:
            if member.isfile():
                members[member.name.partition('/')[2]] = \
                    archive.extractfile(member).read()
            elif not member.isdir():
                sys.exit('wheel.py: a wheel cannot have %s' % member.name)
        moment = member.mtime
    libc = re.search(rb'with glibc (\d+)\.(\d+) or later', members['README'])
    platform = 'manylinux_%s_%s_' % tuple(part.decode() for part in libc.groups())
    return members, name.group(1), platform + name.group(2), moment


def place(name, version):
    """Where the file NAME of the tarball is in the wheel; None if it is left out.

    pip install --target leaves out a folder lib, so libraries are in libexec,
    where the program looks, too.
    """
    data = 'gpuhist-%s.data/' % version
    if name == 'README':
        return None
    if name == 'bin/gpuhist':
        return data + 'scripts/gpuhist'
    if name.startswith('share/doc/gpuhist/licences/'):
        return 'gpuhist-%s.dist-info/licenses/%s' % (version, name.rpartition('/')[2])
    if name == 'share/doc/gpuhist/gpuhist.spdx':
        return 'gpuhist-%s.dist-info/sboms/gpuhist.spdx' % version
    return data + 'data/' + re.sub('^lib/', 'libexec/', name)


def contents(members, version, platform):
    """All files of the wheel but its RECORD."""
    files = {place(name, version): content for name, content in members.items()}
    del files[None]
    for path in (SOURCE / 'python/gpuhist').glob('*.py'):
        files['gpuhist/' + path.name] = path.read_bytes()
    information = 'gpuhist-%s.dist-info/' % version
    sbom = information + 'sboms/gpuhist.spdx'
    files[sbom] = files[sbom].replace(b'FileName: lib/', b'FileName: libexec/')
    licences = sorted(name[len(information + 'licenses/'):] for name in files
                      if name.startswith(information + 'licenses/'))
    listed = ''.join('License-File: %s\n' % name for name in licences)
    files[information + 'METADATA'] = METADATA.format(
        version=version, files=listed).encode() + \
        (SOURCE / 'doc/python.md').read_bytes()
    files[information + 'WHEEL'] = WHEEL.format(version=version,
                                                platform=platform).encode()
    return files


def record(files, name):
    """The list of FILES, with their hashes; it is the file NAME itself."""
    lines = []
    for path in sorted(files):
        digest = base64.urlsafe_b64encode(hashlib.sha256(files[path]).digest())
        lines.append('%s,sha256=%s,%d\n' % (path, digest.rstrip(b'=').decode(),
                                            len(files[path])))
    return ''.join(lines + [name + ',,\n']).encode()


def write(path, files, moment):
    """Write FILES, sorted, as of MOMENT, to the wheel PATH."""
    date = time.gmtime(max(moment, 315532800))[:6]  # zip begins in 1980
    with zipfile.ZipFile(path, 'w', zipfile.ZIP_DEFLATED) as wheel:
        # RECORD comes last, and what tells the contents before it.
        for name in sorted(files, key=lambda name: ('.dist-info/' in name,
                                                    name.endswith('/RECORD'), name)):
            entry = zipfile.ZipInfo(name, date)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            mode = 0o755 if '/scripts/' in name else 0o644
            entry.external_attr = (0o100000 | mode) << 16
            wheel.writestr(entry, files[name])


def main():
    parser = argparse.ArgumentParser(description='Make a wheel.')
    parser.add_argument('tarball', type=pathlib.Path)
    parser.add_argument('directory', type=pathlib.Path)
    arguments = parser.parse_args()
    members, version, platform, moment = read_tarball(arguments.tarball)
    files = contents(members, version, platform)
    name = 'gpuhist-%s.dist-info/RECORD' % version
    files[name] = record(files, name)
    arguments.directory.mkdir(parents=True, exist_ok=True)
    path = arguments.directory / ('gpuhist-%s-py3-none-%s.whl' % (version, platform))
    write(path, files, moment)
    print('%s: %d bytes' % (path, path.stat().st_size))


main()
