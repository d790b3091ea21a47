#!/bin/sh
# SPDX-License-Identifier: MIT
# soak.sh -- run each fuzz target a given number of times, before a release
#
# usage: soak.sh [-c] [-r RUNS] [-u RUNS] [-s SEED] [-j JOBS] [-t TARGETS] DIRECTORY
#
#   -c          with data of the corpus that are changed at random (replay.c),
#               which learn nothing, built by any compiler; without clang
#   -r RUNS     how often each target runs with ASan and UBSan (10000000);
#               fuzz_inflate runs ten times as often without them, too
#   -u RUNS     ... and how often in one process, which has a seed (1000000)
#   -s SEED     the seed of the first process of each target (1): other data
#   -j JOBS     how many processes run at once (all processors)
#   -t TARGETS  which targets: words (all)
#
# It builds in DIRECTORY and keeps a row for each process there, in "done".  So
# the next call goes on where this one ended or was stopped, unless the program
# of a target has changed.  At the end it prints how often each target ran, in
# seconds of all its processes together, and how many of them found something.
# The exit status is 0 if all targets have run and none found anything.  The
# data that a target fails with are in DIRECTORY/found.  Without -c it needs
# clang with libFuzzer.

set -u
runs=10000000
unit=1000000
jobs=$(nproc)
targets=
first_seed=1
learns=true

usage()
{
    sed -n '/^# usage/s/^# //p' "$0" >&2
    exit 2
}

while getopts cr:u:s:j:t: option; do
    case $option in
        c) learns=false ;;
        r) runs=$OPTARG ;;
        u) unit=$OPTARG ;;
        s) first_seed=$OPTARG ;;
        j) jobs=$OPTARG ;;
        t) targets=$OPTARG ;;
        *) usage ;;
    esac
done
shift $((OPTIND - 1))

here=$(cd "$(dirname "$0")" && pwd) || exit 1
# shellcheck source=tests/fuzz/libfuzzer.sh
. "$here/libfuzzer.sh"

# ---- one process: soak.sh DIRECTORY BUILD TARGET SEED RUNS ----

# A row of "done": build, target, seed, wanted runs, program, runs, seconds and
# whether something was found.  One write, as other processes append rows, too.
run_process()
{
    program=$1/tests/fuzz/$2
    log=log/$1.$2.$3
    begin=$(date +%s)
    if [ -e "$1/learns" ]; then
        fuzz_run "$program" "$3" "$log" -runs="$4"
        status=$?
        ran=$(awk '/^stat::number_of_executed_units/ { print $2 }' "$log")
    else
        fuzz_change "$1" "$2" "$3" "$4" "$log"
        status=$?
        ran=$(sed -n 's/^ok .*: \([0-9]*\) runs .*/\1/p' "$log")
    fi
    seconds=$(($(date +%s) - begin))
    # How libFuzzer and the shell end at a signal.
    case $status in
        72 | 129 | 130 | 143) return ;;
    esac
    printf '%s\t' "$1" "$2" "$3" "$4" "$(cksum <"$program" | tr ' ' .)" \
        "${ran:-0}" "$seconds" >"$log.row"
    echo $((status != 0)) >>"$log.row"
    cat "$log.row" >>"done"
    if [ $status -eq 0 ]; then
        rm "$log" "$log.row"
        echo "$1 $2, seed $3: $ran runs, $seconds s"
    else
        echo "$1 $2, seed $3: FOUND after ${ran:-0} runs ($PWD/$log)"
        fuzz_said "$log"
    fi
}

if [ $# -eq 5 ]; then
    cd "$1" && run_process "$2" "$3" "$4" "$5"
    exit
fi

# ---- all of them ----

[ $# -eq 1 ] || usage
case $runs$unit$first_seed$jobs in
    *[!0-9]*) usage ;;
esac
[ "$unit" -gt 0 ] || usage
: "${targets:=$(fuzz_targets)}"
fast=$(echo "$targets" | tr ' ' '\n' | grep -E '^fuzz_inflate$')
mkdir -p "$1" && cd "$1" && mkdir -p checked fast log found || exit 1

# build HOW NAME FLAGS TARGET...
build()
(
    cd "$2" || exit
    how=$1
    shift 2
    "$how" "$@" >build.log 2>&1 && return
    tail -n 20 build.log >&2
    exit 1
)

# processes BUILD RUNS TARGET...: the words of each process, the seeds in turn.
processes()
{
    build=$1
    left=$2
    shift 2
    seed=$first_seed
    while [ "$left" -gt 0 ]; do
        for target in "$@"; do
            echo "$build $target $seed $((left < unit ? left : unit))"
        done
        left=$((left - unit))
        seed=$((seed + 1))
    done
}

# The words of the processes that are not in "done" with programs as they are.
remaining()
{
    for target in $targets; do
        for build in checked fast; do
            [ ! -x $build/tests/fuzz/"$target" ] ||
                echo "$build $target $(cksum <$build/tests/fuzz/"$target" | tr ' ' .)"
        done
    done >programs
    awk '
        FILENAME == "programs" { program[$1, $2] = $3; next }
        FILENAME == "done" {
            if ($5 == program[$1, $2])
                is_done[$1, $2, $3, $4] = 1
            next
        }
        !(($1, $2, $3, $4) in is_done)' programs "done" wanted
}

# The table; an exit status of 1 if something was found.
report()
{
    awk '
        BEGIN { OFS = "\t" }
        FILENAME == "programs" { program[$1, $2] = $3; next }
        $5 == program[$1, $2] {
            row = $1 OFS $2
            runs[row] += $6
            seconds[row] += $7
            found[row] += $8
            all += $6
            all_seconds += $7
            all_found += $8
        }
        END {
            for (row in runs)
                print row, runs[row], seconds[row], found[row] | "sort"
            close("sort")
            print "all", "", all + 0, all_seconds + 0, all_found + 0
            exit all_found > 0
        }' programs "done" >table
    status=$?
    printf 'build\ttarget\texecutions\tseconds\tfound\n'
    cat table
    return $status
}

did_learn=false
[ ! -e checked/learns ] || did_learn=true
if [ -f checked/Makefile ] && [ $did_learn != $learns ]; then
    echo "soak.sh: $PWD is of a soak with -c, or of one without" >&2
    exit 2
fi
# shellcheck disable=SC2086 # several words
if $learns; then
    touch checked/learns
    build fuzz_build checked "$fuzz_checks" $targets && fuzz_unpack $targets
else
    build fuzz_build_replay checked "$fuzz_checks" $targets
fi || exit 1
# shellcheck disable=SC2086
[ -z "$fast" ] || build fuzz_build_replay fast '-g -O3' $fast || exit 1

# What found something runs again.
touch "done"
awk '$8 == 0' "done" >clean && mv clean "done" || exit 1
# shellcheck disable=SC2086
{
    [ -z "$fast" ] || processes fast $((10 * runs)) $fast
    processes checked "$runs" $targets
} >wanted
remaining >words
echo "$(wc -l <words) of $(wc -l <wanted) processes to run, $jobs at a time"
xargs -r -n 4 -P "$jobs" sh "$here/soak.sh" "$PWD" <words
report || {
    echo "data to give to the target again: $PWD/found"
    exit 1
}
[ -z "$(remaining)" ] || {
    echo 'stopped before the end; the same command goes on'
    exit 1
}
