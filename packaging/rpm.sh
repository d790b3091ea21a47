#!/bin/sh
# SPDX-License-Identifier: MIT
# rpm.sh -- build the RPM as its spec says, with objects that are compiled already
#
#     packaging/rpm.sh BUILD_DIRECTORY DIRECTORY
#
# BUILD_DIRECTORY is configured and made, and has what `make dist` packs.  DIRECTORY is
# made, and gets the RPM, without CUDA.  It is for a look at the spec: the objects have
# the flags of BUILD_DIRECTORY, and the tests of the tree are not run.  For a release
# `rpmbuild -ta` of the tarball compiles all.

set -eu

die()
{
    echo "rpm.sh: $*" >&2
    exit 1
}

[ $# -eq 2 ] || die 'usage: packaging/rpm.sh BUILD_DIRECTORY DIRECTORY'
build=$(cd "$1" && pwd)
mkdir "$2"
top=$(cd "$2" && pwd)
spec=$top/SPECS/gpuhist.spec
mkdir "$top/SOURCES" "$top/SPECS"
cp "$build"/gpuhist-*.tar.gz "$top/SOURCES"
tar -xzOf "$top"/SOURCES/gpuhist-*.tar.gz --wildcards '*/packaging/gpuhist.spec' >"$spec"

# stage OPTION...: dependencies are those of another system.
stage()
{
    rpmbuild --nodeps --nocheck --without cuda --define "_topdir $top" "$@" "$spec" \
        >"$top/log" 2>&1 || {
        tail -n 40 "$top/log" >&2
        die "rpmbuild $1 fails"
    }
}

stage -bp
cd "$top"/BUILD/gpuhist-*
# Newer than their sources, and than the marks of directories.
(cd "$build" && find src -name .dirstamp -o -path 'src/*.o') | while read -r file; do
    mkdir -p "$(dirname "$file")"
    case $file in
        *.o) cp "$build/$file" "$file" ;;
        *) touch -d '2000-01-01' "$file" ;;
    esac
done
stage -bc --short-circuit
stage -bi --short-circuit
stage -bb --short-circuit
mv "$top"/RPMS/*/gpuhist-[0-9]*.rpm "$top"
