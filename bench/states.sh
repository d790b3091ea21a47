#!/bin/sh
# SPDX-License-Identifier: MIT
# states.sh -- how fast states are written and merged, beside sort -m | awk
#
# Prints TSV.  Needs the program, a shell and awk only, and no other tools of
# bench/.  Each sum is compared with that of `sort -m FILES | awk`.

set -eu

usage()
{
    cat <<'END'
Usage: bench/states.sh [OPTION]... [BUILD_DIRECTORY]
Merge states with some numbers of threads and print a table:

    what        keys: lines of text; cells: a table of numbers
    program     gpuhist -jN; or sort -m | awk, of the same rows as TSV
    add_ms      time to add the states up, and to print one key, or the counts
                of the cells in binary
    Mrows/s     the rate of that, in millions of rows of all states
    print_ms    time to add up and to print all rows to /dev/null
    state_ms    time to add up and to write the sum as a state to /dev/null

All are medians.

  --states=N        states that are merged (default: 8)
  --keys=N          lines that are drawn for each of them, of four times as many
                    different ones (default: 2000000)
  --cells=N         cells of each table (default: 4000000)
  --small=N         also merge N states of 1000 keys each (default: 1000)
  --threads=LIST    (default: 1,2,4,16)
  --runs=N          (default: 3)
  --scratch=DIR     directory of the states (default: /dev/shm)
  --gpuhist=PROGRAM or the variable GPUHIST: not the one in BUILD_DIRECTORY
                    (default: .)
END
}

# shellcheck source=bench/measuring.sh
. "$(dirname "$0")/measuring.sh"

states=8
keys=2000000
cells=4000000
small=1000
threads=1,2,4,16
runs=3
where=/dev/shm
gpuhist=${GPUHIST-}
build=.
read_options 'states keys cells small threads runs' "$@"
threads=$(words "$threads")
gpuhist=$(absolute "${gpuhist:-$build/gpuhist}")
[ -x "$gpuhist" ] || give_up "no $gpuhist"
open_scratch states

# ---- the machine ----

cpu=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1)
echo "# CPU: ${cpu:-$(uname -m)}, $(nproc) processors"
echo "# $(uname -sr); $(date -u +%F); states in $where"
"$gpuhist" --version | sed -n '1s/^/# /p'

# ---- measuring ----

# median COMMAND...: the median of its times, in ms.
median()
{
    run=0
    while [ $run -lt "$runs" ]; do
        run=$((run + 1))
        begin=$(date +%s%N)
        "$@" >/dev/null || give_up "failed: $*"
        end=$(date +%s%N)
        echo $(((end - begin) / 1000000))
    done | sort -n | sed -n "$(((runs + 1) / 2))p"
}

# add_rows FILE...: what others do, of files that are sorted as OPTION says.
add_rows()
{
    # shellcheck disable=SC2154 # measuring.sh sets it
    sort -m -t "$tab" "$option" "$@" | awk -F '\t' -v OFS='\t' '
        $1 != key || NR == 1 { if (NR > 1) print key, count
            key = $1; count = 0 }
        { count += $2 }
        END { print key, count }'
}

# merge THREADS ARGUMENT...
merge()
{
    merge_threads=$1
    shift
    "$gpuhist" -m -q "-j$merge_threads" --duplicates=allow "$@"
}

# measure WHAT FEW FILE...: FEW is the option to print little.
measure()
{
    what=$1
    few=$2
    shift 2
    rows=$(awk '/^end\t/ { split($2, part, "="); rows += part[2] }
        END { print rows }' "$@")
    for count in $threads; do
        add=$(median merge "$count" "$few" "$@")
        # The sum of few rows is faster than the clock.
        [ "$add" -gt 0 ] || add=1
        print=$(median merge "$count" "$@")
        state=$(median merge "$count" --format=state "$@")
        printf '%s\tgpuhist -j%s\t%s\t%s\t%s\t%s\n' "$what" "$count" "$add" \
            "$(awk "BEGIN { printf \"%.1f\", $rows / $add / 1000 }")" "$print" \
            "$state"
    done
    for file; do
        merge 1 "$file" >"$file.tsv"
    done
    merge 1 "$@" >wanted
    # shellcheck disable=SC2046 # names without spaces
    set -- $(printf '%s.tsv ' "$@")
    add_rows "$@" | cmp - wanted || give_up "$what: another sum"
    time=$(median add_rows "$@")
    printf '%s\tsort -m | awk\t-\t%s\t%s\t-\n' "$what" \
        "$(awk "BEGIN { printf \"%.1f\", $rows / $time / 1000 }")" "$time"
    rm -f "$@"
}

# ---- states ----

# draw SEED LINES KINDS
draw()
{
    awk -v seed="$1" -v lines="$2" -v kinds="$3" 'BEGIN {
        srand(seed)
        for (i = 0; i < lines; i++)
            printf "user%08d\n", int(rand() * kinds)
    }'
}

# draw_table SEED: numbers, of which each cell has one at least.
draw_table()
{
    awk -v seed="$1" -v cells="$cells" 'BEGIN {
        for (i = 0; i < cells; i++)
            print i
        srand(seed)
        for (i = 0; i < cells / 4; i++)
            print int(rand() * cells)
    }'
}

printf 'what\tprogram\tadd_ms\tMrows/s\tprint_ms\tstate_ms\n'
i=0
while [ $i -lt "$states" ]; do
    i=$((i + 1))
    draw $i "$keys" $((4 * keys)) |
        "$gpuhist" -q --device=cpu --lines --format=state >"keys$i"
done
option=-k1,1
measure keys --top=1 keys*
rm -f keys*

# Two tables, several times: making them takes longer than adding them.
for i in 1 2; do
    draw_table $i | "$gpuhist" -q --device=cpu --lines --dtype=int \
        --range=0,"$cells" --format=state >"cells$i"
done
i=2
while [ $i -lt "$states" ]; do
    i=$((i + 1))
    ln -s "cells$((2 - i % 2))" "cells$i"
done
option=-nk1,1
measure cells --format=npy cells*
rm -f cells*

i=0
while [ $i -lt "$small" ]; do
    i=$((i + 1))
    draw $i 1000 4000 |
        "$gpuhist" -q --device=cpu --lines --format=state >"small$i"
done
option=-k1,1
[ "$small" -eq 0 ] || measure small --top=1 small*
