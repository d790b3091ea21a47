#!/bin/sh
# SPDX-License-Identifier: MIT
# rooms.sh -- what the files of src/ may include and call, and what they do
#
#     rooms.sh [DIRECTORY]            list the breaches of the rules below
#     rooms.sh --calls NM [DIRECTORY] the breaches by calls; NM is a file with
#                                     what nm prints of libgpuhist.a
#     rooms.sh --map [DIRECTORY]      print the map of the rooms
#     rooms.sh --write [DIRECTORY]    write it into HACKING.md
#
# DIRECTORY is the top of the tree.  The status is 0 if there is no breach, 1 if
# there is one, 2 if the tree cannot be read.  src/ROOMS is the table of rooms.
# The rules:
#
# - a file lies in a room and includes only what the row of its room allows;
# - no room includes, or calls, a room on a higher floor;
# - includes are written from src/, or name a file of kernels/;
# - kernels/ includes nothing of src/;
# - no module includes or calls itself through others: foo.c and foo.h are one
#   module;
# - the kinds of axes in kernels/binning/binning.h are named in hist and engine only;
# - no C, CUDA or OpenCL file of src/ or kernels/ has more than 1000 lines, and
#   no function there has more than 60;
# - a tag of a struct, enum or union is defined once in src/ and kernels/;
# - each room, and each folder of kernels/, has a README.md of at most 60 lines
#   of at most 100 columns;
# - tests/house/EXCEPTIONS lists what may break one of the last three rules;
#   each entry is needed;
# - no line of a C, CUDA or OpenCL file of src/ or kernels/ has more than 80
#   columns;
# - no two C or CUDA files of the tree have one name, and each begins with its
#   own;
# - the map in HACKING.md is the one that --map prints.

set -u
mode=check
nm=
case ${1-} in
    --calls)
        mode=calls
        nm=${2-}
        [ -r "$nm" ] || {
            echo "rooms.sh: cannot read '$nm'" >&2
            exit 2
        }
        case $nm in
            /*) ;;
            *) nm=$PWD/$nm ;;
        esac
        shift 2
        ;;
    --map | --write)
        mode=${1#--}
        shift
        ;;
esac

here=$(cd "$(dirname "$0")" && pwd) || exit 2
cd "${1:-$here/../..}" || exit 2

scan()
{
    find src kernels tests bench -type f | LC_ALL=C sort |
        LC_ALL=C awk -v mode="$1" -v nm="$nm" -f "$here/rooms.awk"
}

if [ "$mode" = write ]; then
    map=$(scan map) || exit 2
    [ -n "$map" ] || exit 2
    {
        sed -n '1,/^<!-- rooms -->$/p' HACKING.md
        printf '%s\n' "$map"
        sed -n '/^<!-- \/rooms -->$/,$p' HACKING.md
    } >HACKING.md-t && mv HACKING.md-t HACKING.md
else
    scan "$mode"
fi
