#!/bin/sh
# SPDX-License-Identifier: MIT
# reproduce.sh -- build again, elsewhere and later, and compare
#
#     packaging/reproduce.sh BUILD_DIRECTORY DIRECTORY [N]
#
# BUILD_DIRECTORY is configured and made.  DIRECTORY is made, and gets what `make
# dist` packs, and a build of that with the same options.  The objects, the
# program and the tarball must be the same, byte for byte.  To save time only
# each N-th object is compiled again; the others are copied.

set -eu

die()
{
    echo "reproduce.sh: $*" >&2
    exit 1
}

[ $# -eq 2 ] || [ $# -eq 3 ] ||
    die 'usage: packaging/reproduce.sh BUILD_DIRECTORY DIRECTORY [N]'
source=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "$1" && pwd)
mkdir "$2"
other=$(cd "$2" && pwd)
every=${3:-1}

# Another directory, whose files are older, and another umask.  A build inside of
# the sources has the same place in them: debuggers are told of it.
make -s -C "$build" dist
tarball=$(cd "$build" && ls gpuhist-*.tar.gz)
umask 077
case $build in
    "$source"/*) there=$other/source/${build#"$source"/} ;;
    *) there=$other/build ;;
esac
mkdir -p "$other/source" "$there"
tar -C "$other/source" --strip-components=1 -xf "$build/$tarball"
cd "$there"
(
    # As the options would be in this directory.
    eval "set -- $("$build/config.status" --config | sed "s|$source|$other/source|g")"
    "$(realpath --relative-to=. "$other/source")/configure" "$@" >configure.log ||
        die 'configure fails; see configure.log'
)

# What is copied is newer than its sources, and than the marks of directories.
(cd "$build" && find src -name .dirstamp) | while read -r mark; do
    mkdir -p "$(dirname "$mark")"
    : >"$mark"
done
(cd "$build" && find src -name '*.o' | sort) >objects
awk -v every="$every" 'NR % every != 0' objects | while read -r object; do
    mkdir -p "$(dirname "$object")"
    cp "$build/$object" "$object"
done
awk -v every="$every" 'NR % every == 0' objects >compiled
make -j"$(nproc)" gpuhist >make.log 2>&1 || {
    tail make.log
    die 'make fails; see make.log'
}

while read -r object; do
    [ "$(grep -c -e "-o $object " -e "CC  *$object$" -e "CPPAS  *$object$" make.log)" -eq 1 ] ||
        die "$object was not compiled again"
    cmp "$build/$object" "$object" || die "$object changes"
done <compiled
cmp "$build/gpuhist" gpuhist || die 'the program changes'
make -s dist
cmp "$build/$tarball" "$tarball" || die 'the tarball of make dist changes'
echo "the same: $(wc -l <compiled) of $(wc -l <objects) objects, gpuhist and $tarball"
