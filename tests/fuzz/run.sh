#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh -- run the fuzz targets with libFuzzer, for a while
#
# usage: run.sh [-s SECONDS] [-r RUNS] [-j JOBS] [-f FLAGS] [-k] DIRECTORY
#
#   -s SECONDS  how long each target runs, one after the other (2)
#   -r RUNS     ... and how often each process of it at most (no limit); what
#               has one thread does the same each time
#   -j JOBS     how many processes run it at once (all processors)
#   -f FLAGS    what clang is told (ASan and UBSan, which end at any finding)
#   -k          keep what is new: pack the corpora of the source directory again
#
# It builds in DIRECTORY, and leaves there what it finds.  It begins with the
# corpora of the source directory.  It needs clang with libFuzzer.  The exit
# status is 0 if nothing was found.

set -u
seconds=2
runs=-1
jobs=$(nproc)
flags=
keeps=no

usage()
{
    sed -n '/^# usage/s/^# //p' "$0" >&2
    exit 2
}

while getopts s:r:j:f:k option; do
    case $option in
        s) seconds=$OPTARG ;;
        r) runs=$OPTARG ;;
        j) jobs=$OPTARG ;;
        f) flags=$OPTARG ;;
        k) keeps=yes ;;
        *) usage ;;
    esac
done
shift $((OPTIND - 1))
[ $# -eq 1 ] || usage

here=$(cd "$(dirname "$0")" && pwd) || exit 1
# shellcheck source=tests/fuzz/libfuzzer.sh
. "$here/libfuzzer.sh"
flags=${flags:-$fuzz_checks}
targets=$(fuzz_targets)
mkdir -p "$1" && cd "$1" || exit 1

# fuzz TARGET N: with its own random numbers.
fuzz()
{
    fuzz_run "tests/fuzz/$1" "$2" "log/$1.$2" -runs="$runs" \
        -max_total_time="$seconds" || {
        echo "$1:"
        fuzz_said "log/$1.$2"
    } >>found/list
}

# all N: each target.
all()
{
    for target in $targets; do
        fuzz "$target" "$1"
    done
}

# How often each target was run.
count()
{
    awk '/^stat::number_of_executed_units/ {
            target = FILENAME
            gsub(/.*\/|\..*/, "", target)
            runs[target] += $2
            sum += $2
        }
        END {
            for (target in runs)
                printf "%s\t%d\n", target, runs[target]
            printf "together\t%d\n", sum
        }' log/* | sort
}

# Put what is needed into the corpus: what does something that no smaller data
# do, and what has a name.  The same bytes for the same data.
pack()
{
    rm -rf new && mkdir new
    "tests/fuzz/$1" -merge=1 new "corpus/$1" >"log/$1.merge" 2>&1 || return
    (
        cd new || exit
        number=0
        for name in *; do
            number=$((number + 1))
            mv "$name" "$(printf %04d $number)" || exit
        done
        for name in "../corpus/$1"/*-*; do
            [ ! -f "$name" ] || cp "$name" . || exit
        done
        rm -f "$here/corpus/$1.ar"
        ar rcSD "$here/corpus/$1.ar" ./*
    )
}

# shellcheck disable=SC2086 # several words
fuzz_build "$flags" $targets >build.log 2>&1 || {
    tail -n 20 build.log >&2
    exit 1
}
rm -rf found log
mkdir -p found log
# shellcheck disable=SC2086
fuzz_unpack $targets || exit 1

n=0
while [ $n -lt "$jobs" ]; do
    n=$((n + 1))
    all $n &
done
wait
count
if [ -s found/list ]; then
    cat found/list
    echo "data to give to the target again: $PWD/found"
    exit 1
fi
if [ $keeps = yes ]; then
    for target in $targets; do
        pack "$target" || exit 1
    done
fi
