#!/bin/sh
# SPDX-License-Identifier: MIT
# tarball.sh -- pack a program that runs wherever it is unpacked
#
#     packaging/tarball.sh BUILD_DIRECTORY DIRECTORY
#
# BUILD_DIRECTORY is configured and made.  DIRECTORY gets
# gpuhist-VERSION-linux-MACHINE.tar.xz: the program, the libraries beside libc
# that it needs or loads, manual, completions, licences, and a list of all in
# SPDX's format.  Drivers of GPUs come from the machine where it runs.  The same
# build gives the same tarball.

set -eu

# Of libc, and of drivers.
left_out='^(ld-linux.*|lib(c|m|dl|rt|pthread|resolv)|libcuda|libOpenCL)\.so\.'

die()
{
    echo "tarball.sh: $*" >&2
    exit 1
}

[ $# -eq 2 ] || die 'usage: packaging/tarball.sh BUILD_DIRECTORY DIRECTORY'
for program in patchelf readelf dpkg-query sha256sum sha1sum xz; do
    command -v $program >/dev/null || die "no $program"
done
source=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "$1" && pwd)
mkdir -p "$2"
output=$(cd "$2" && pwd)
version=$(sed -n 's/^AC_INIT(\[gpuhist], \[\([^]]*\)].*/\1/p' "$source/configure.ac")
name=gpuhist-$version-linux-$(uname -m)
date=$(sed -n 's/^[.]TH [^ ]* 1 \([0-9-]*\) .*/\1/p' "$source/man/gpuhist.1")
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(date -u -d "$date" +%s)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/$name
LC_ALL=C
export LC_ALL
umask 022

# ---- the libraries ----

# needs FILE: the names of the libraries that FILE needs.
needs()
{
    readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)]/\1/p'
}

# Those that the program loads only when it uses them.
loads()
{
    grep -rh --include='*.c' '^ *\.name = "lib.*\.so\.[0-9]*",$' "$source/src" |
        sed 's/.*"\(.*\)".*/\1/'
}

# find_library NAME: where the dynamic loader finds NAME.
find_library()
{
    PATH=$PATH:/sbin:/usr/sbin ldconfig -p | awk -v name="$1" '
        $1 == name && !found { print $NF; found = 1 }'
}

# copy_libraries NAME...: copy them, and what they need, to lib/gpuhist.
copy_libraries()
{
    for library; do
        ! echo "$library" | grep -Eq "$left_out" || continue
        copy=$root/lib/gpuhist/$library
        [ ! -e "$copy" ] || continue
        path=$(find_library "$library")
        [ -n "$path" ] || die "no $library here"
        cp -L "$path" "$copy"
        chmod 644 "$copy"
        # shellcheck disable=SC2016 # for the dynamic loader
        patchelf --set-rpath '$ORIGIN' "$copy"
        add_package "$library" "$(realpath "$path")"
        # shellcheck disable=SC2046 # no name has a blank
        copy_libraries $(needs "$copy")
    done
}

# ---- licences and the list ----

# add_package LIBRARY PATH: note the package of the file PATH, and its licence.
add_package()
{
    package=$(dpkg-query -S "$2" 2>/dev/null ||
        dpkg-query -S "${2#/usr}" 2>/dev/null) ||
        die "$2: of no package, so its licence is not known"
    package=${package%%: *}
    short=${package%%:*}
    cp "/usr/share/doc/$short/copyright" "$root/share/doc/gpuhist/licences/$short"
    dpkg-query -W -f "$1\t$short\t\${Version}\t\${source:Package}\t\${Homepage}\n" \
        "$package" >>"$work/packages"
}

# The version of xxHash, whose header is compiled into the program.
header_version()
{
    echo '#include <xxhash.h>
        XXH_VERSION_MAJOR XXH_VERSION_MINOR XXH_VERSION_RELEASE' | cc -E -P - |
        awk 'END { print $1 "." $2 "." $3 }'
}

# list: in SPDX 2.3's tag:value format.
list()
{
    stamp=$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)
    sum=$(sha256sum "$root/bin/gpuhist")
    cat <<END
SPDXVersion: SPDX-2.3
DataLicense: CC0-1.0
SPDXID: SPDXRef-DOCUMENT
DocumentName: $name
DocumentNamespace: https://spdx.org/spdxdocs/$name-${sum%% *}
Creator: Tool: tarball.sh
Created: $stamp

PackageName: gpuhist
SPDXID: SPDXRef-gpuhist
PackageVersion: $version
PackageFileName: bin/gpuhist
PackageChecksum: SHA256: ${sum%% *}
PackageDownloadLocation: NOASSERTION
FilesAnalyzed: false
PackageLicenseConcluded: MIT
PackageLicenseDeclared: MIT
PackageCopyrightText: NOASSERTION
Relationship: SPDXRef-DOCUMENT DESCRIBES SPDXRef-gpuhist

PackageName: xxHash
SPDXID: SPDXRef-xxHash
PackageVersion: $(header_version)
PackageDownloadLocation: NOASSERTION
PackageSourceInfo: its header is compiled into bin/gpuhist
FilesAnalyzed: false
PackageLicenseConcluded: BSD-2-Clause
PackageLicenseDeclared: BSD-2-Clause
PackageCopyrightText: <text>Copyright (C) 2012-2023 Yann Collet</text>
Relationship: SPDXRef-gpuhist CONTAINS SPDXRef-xxHash
END
    sort -u "$work/packages" | while IFS=$(printf '\t') read -r library package \
        of origin home; do
        sum=$(sha256sum "$root/lib/gpuhist/$library")
        # An identifier has neither "+" nor "_".
        id=SPDXRef-$(echo "$library" | tr +_ ..)
        cat <<END

PackageName: $package
SPDXID: $id
PackageVersion: $of
PackageFileName: lib/gpuhist/$library
PackageChecksum: SHA256: ${sum%% *}
PackageDownloadLocation: NOASSERTION
PackageHomePage: ${home:-NOASSERTION}
PackageSourceInfo: built from the source package $origin
FilesAnalyzed: false
PackageLicenseConcluded: NOASSERTION
PackageLicenseDeclared: NOASSERTION
PackageCopyrightText: NOASSERTION
Relationship: SPDXRef-gpuhist DEPENDS_ON $id
END
    done
}

# The newest version of libc that a file in the tarball asks for.
oldest_libc()
{
    find "$root/bin" "$root/lib" -type f -exec readelf -V {} + |
        grep -o 'GLIBC_[0-9][0-9.]*' | sed 's/GLIBC_//' | sort -uV | tail -n 1
}

# ---- the tarball ----

make -s -C "$build" install DESTDIR= prefix="$root" >/dev/null
mkdir -p "$root/lib/gpuhist" "$root/share/doc/gpuhist/licences"
strip "$root/bin/gpuhist"
# Beside this folder, in a wheel that is installed, and in one that is not.
# shellcheck disable=SC2016 # for the dynamic loader
up='$ORIGIN/..'
patchelf --set-rpath "$up/lib/gpuhist:$up/libexec/gpuhist:$up/data/libexec/gpuhist" \
    "$root/bin/gpuhist"
: >"$work/packages"
# shellcheck disable=SC2046 # no name has a blank
copy_libraries $(needs "$root/bin/gpuhist") $(loads)
cp "$source/COPYING" "$root/share/doc/gpuhist/licences/gpuhist"
cp "$source/README.md" "$source/NEWS.md" "$source/SECURITY.md" \
    "$source/doc/cookbook.md" "$root/share/doc/gpuhist"
list >"$root/share/doc/gpuhist/gpuhist.spdx"
libc=$(oldest_libc)
cat >"$root/README" <<END
gpuhist $version for Linux on $(uname -m), with glibc $libc or later

Run bin/gpuhist, wherever this directory is; bin/gpuhist -h says how.  A link to
it may be in a directory of your PATH; "man -M share/man gpuhist" is the manual.
Nothing needs to be installed.  For a GPU the driver of the machine is used.

Licences are in share/doc/gpuhist/licences, and versions and sums of all
libraries in share/doc/gpuhist/gpuhist.spdx.
END
tar -C "$work" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 \
    --numeric-owner -cf - "$name" | xz -T1 >"$output/$name.tar.xz"
echo "$output/$name.tar.xz: $(stat -c %s "$output/$name.tar.xz") bytes, glibc $libc"
