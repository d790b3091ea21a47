#!/bin/sh
# SPDX-License-Identifier: MIT
# opencl.sh -- how fast an OpenCL device counts, compared with other engines
#
# Prints TSV: the options; the device; GB/s from the first chunk to the last,
# with the copies to the device; for OpenCL, also GB/s of the kernels alone,
# with chunks so large that launches take no time.  All counts are compared
# with those of the CPU.

set -eu

usage()
{
    cat <<'END'
Usage: bench/opencl.sh [-s MEBIBYTES] [BUILD_DIRECTORY] [DEVICE]...
Measure gpuhist on the CPU and on each DEVICE, such as cuda or opencl:1
(default: opencl).  Run `make check TESTS=` in BUILD_DIRECTORY (default: .)
first.
END
}

mebibytes=1024
while getopts hs: option; do
    case $option in
    h) usage && exit ;;
    s) mebibytes=$OPTARG ;;
    *) usage >&2 && exit 2 ;;
    esac
done
shift $((OPTIND - 1))
build=$(cd "${1:-.}" && pwd)
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- opencl

where=$(mktemp -d "${TMPDIR:-/dev/shm}/gpuhist-opencl.XXXXXX")
trap 'rm -rf "$where"' EXIT
trap 'exit 1' HUP INT TERM
cd "$where"
real=$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p |
    awk '$1 == "libOpenCL.so.1" { print $NF; exit }')

head -c 64M /dev/urandom >part
i=0
while [ $i -lt "$mebibytes" ]; do
    cat part
    i=$((i + 64))
done >data
size=$(wc -c <data)

# rate NAME: print GB/s of the engine NAME, as --explain has it
rate()
{
    sed -n "s/.*explain: $1:[0-9].* counted \([0-9]*\) bytes in \([0-9.]*\) s\$/\1 \2/p" \
        explain | awk '{ printf "%.2f", $1 / ($2 + 1e-9) / 1e9 }'
}

printf 'counted\tdevice\tGB/s\tkernel GB/s\n'
while read -r options; do
    all="$options --partial=drop -q"
    begin=$(date +%s.%N)
    # shellcheck disable=SC2086 # they are options
    "$build/gpuhist" --device=cpu $all data >wanted
    end=$(date +%s.%N)
    printf '%s\tcpu\t%s\t-\n' "${options:-bytes}" \
        "$(echo "$begin $end $size" | awk '{ printf "%.2f", $3 / ($2 - $1) / 1e9 }')"
    for device; do
        # shellcheck disable=SC2086 # they are options
        "$build/gpuhist" --device="$device" --explain $all data \
            >counted 2>explain
        cmp wanted counted
        kernel=-
        case $device in
        opencl*)
            # shellcheck disable=SC2086 # they are options
            env LD_LIBRARY_PATH="$build/tests/fake/opencl" \
                FAKE_CL_REAL="$real" FAKE_CL_PROFILE=1 FAKE_CL_LEDGER=ledger \
                "$build/gpuhist" --device="$device" --chunk-size=256Mi \
                $all data >counted
            cmp wanted counted
            kernel=$(sed -n 's/^kernels //p' ledger |
                awk -v size="$size" '{ printf "%.2f", size / ($1 + 1) }')
            ;;
        esac
        printf '%s\t%s\t%s\t%s\n' "${options:-bytes}" "$device" \
            "$(rate "${device%%:*}")" "$kernel"
    done
done <<'END'

--dtype=f4 -b100 --range=-1,1
--dtype=u2 -b1000
--dtype=i4 --mod=1000
--dtype=u4 -b1000000 --range=0,4e9
--record=u4,f4 --weights=2 -f1 --mod=50
END
