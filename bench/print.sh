#!/bin/sh
# SPDX-License-Identifier: MIT
# print.sh -- how fast gpuhist prints, beside cat and seq
#
#     bench/print.sh [-n RUNS] [BUILD_DIRECTORY] [GPUHIST...]
#
# Run `make bench` in BUILD_DIRECTORY (default: .) first.  Each further GPUHIST,
# of another version for example, is measured beside the one there.  Prints a
# table (TSV).  Its rows are outputs of a few bytes of input, so that next to
# nothing is counted:
#
#     integers   a line for each of 16.7 million values
#     joint      three columns of values, 16.7 million lines
#     doubles    edges of 2 million bins, which need 17 digits
#     figures    4 million lines with cumulative counts, density and percent
#     csv, jsonl the integers in these formats
#
# and its columns:
#
#     MB            of the output, in millions of bytes
#     core_ms       processor time to print it to /dev/null with one thread,
#                   less that of a run with --nonzero, which prints next to
#                   nothing
#     core_MB/s     the rate of one core
#     pipe_ms       wall-clock time of a whole run with all threads into a pipe
#                   from which `drop` reads
#     pipe_MB/s     its rate
#
# All are medians of RUNS runs (default: 5), in which the programs take turns.

set -eu

# shellcheck source=bench/measuring.sh
. "$(dirname "$0")/measuring.sh"

runs=5
if [ "${1-}" = -n ] && [ $# -gt 1 ]; then
    runs=$2
    shift 2
fi
build=${1:-.}
[ $# -eq 0 ] || shift
gpuhist=
open_tools drop time_command
programs=$gpuhist
for program; do
    programs="$programs $(absolute "$program")"
    [ -x "$program" ] || give_up "no $program"
done

where=/dev/shm
[ -w "$where" ] || where=${TMPDIR:-/tmp}
open_scratch print

# Less than 2^24, and as floating-point numbers between 0 and 1.
printf '\0\0\200\077\001\002\003\0' >few

# plan NAME FORMAT COMMAND: a line of the list; FORMAT says where it prints.
plan()
{
    # shellcheck disable=SC2059 # it is a format
    printf "%s\t\t/dev/null\tsh\t-c\t$2\n" "$1" "$3"
}

# medians: the programs' names and median times of the list, in ms: wall, cpu
medians()
{
    "$tools/time_command" -n "$runs" -m "$runs" -s 1000 <list >timed ||
        give_up "$(cat list)"
    cut -f 4,6,9 timed
}

# measure WHAT ARGUMENT...
measure()
{
    what=$1
    shift
    set -- -q "$@" few
    # shellcheck disable=SC2086 # several programs
    "${programs%% *}" "$@" >out
    for program in $programs; do
        "$program" "$@" | cmp -s - out ||
            give_up "$program prints other bytes: $*"
    done
    : >list
    plan 'cat FILE' '%s >/dev/null' 'cat out' >>list
    for program in $programs; do
        plan "$program" '%s >/dev/null' "exec $program -j1 $*" >>list
        plan "$program less" '%s >/dev/null' \
            "exec $program -j1 --nonzero $*" >>list
    done
    medians >cores
    : >list
    for program in 'cat out' $programs; do
        case $program in
            cat*) plan 'cat FILE' "%s | $tools/drop" "$program" ;;
            *) plan "$program" "%s | $tools/drop" "$program $*" ;;
        esac >>list
    done
    medians >pipes
    awk -F '\t' -v OFS='\t' -v what="$what" -v bytes="$(wc -c <out)" '
        NR == FNR { core[$1] = $3; next }
        {
            time = core[$1] - core[$1 " less"]
            print what, $1, sprintf("%.1f", bytes / 1e6), time,
                sprintf("%.0f", time ? bytes / time / 1e3 : 0), $2,
                sprintf("%.0f", bytes / $2 / 1e3)
        }' cores pipes
}

cpu=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1)
echo "# CPU: ${cpu:-$(uname -m)}, $(nproc) processors"
echo "# $(uname -sr); $(date -u +%F)"
for program in $programs; do
    echo "# $program: $("$program" --version | head -n 1)"
done
printf 'what\tprogram\tMB\tcore_ms\tcore_MB/s\tpipe_ms\tpipe_MB/s\n'

: >list
plan 'seq' '%s >/dev/null' 'exec seq 16777216' >>list
plan 'seq | drop' "%s | $tools/drop" 'seq 16777216' >>list
medians >cores
awk -F '\t' -v OFS='\t' -v bytes="$(seq 16777216 | wc -c)" '
    { ms[$1] = NR == 1 ? $3 : $2 }
    END {
        print "integers", "seq", sprintf("%.1f", bytes / 1e6), ms["seq"],
            sprintf("%.0f", bytes / ms["seq"] / 1e3), ms["seq | drop"],
            sprintf("%.0f", bytes / ms["seq | drop"] / 1e3)
    }' cores

integers='--dtype=u4 --range=0,16777216'
# shellcheck disable=SC2086 # several words
{
    measure integers $integers
    measure joint '--record=u1*3' --joint --partial=drop
    measure doubles --dtype=f4 --range=0,1 -b 2000003
    measure figures --dtype=u4 --range=0,4194304 --cumulative --density \
        --percent
    measure csv $integers --format=csv
    measure jsonl $integers --format=jsonl
}
