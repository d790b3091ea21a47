#!/bin/sh
# SPDX-License-Identifier: MIT
# plan.sh -- compare --device=auto with the better of the CPU and a GPU
#
# Prints TSV: the kind of work, the MiB of input, the processors that the
# process may use, the median seconds of each device, and the seconds of the
# better one / those of auto.  Where that is below 0.97, the model of
# run/plan.c is wrong for this machine.

set -eu

usage()
{
    cat <<'END'
Usage: bench/plan.sh [OPTION]... [BUILD_DIRECTORY]
Compare --device=auto with cpu and with a GPU.  Run `make bench` in
BUILD_DIRECTORY (default: .) first.

  --kinds=LIST       bytes,floats,wide,hot,weights,joint,log,bases,kmers
                     (default: all)
  --sizes=LIST       MiB of input, multiples of 64 (default: 64,1024,8192)
  --cpus=LIST        processors (default: 2, 4, 8 and all)
  --runs=N           of each command (default: 3)
  --gpu=DEVICE       the GPU (default: cuda)
  --scratch=DIR      directory of the inputs, in memory (default: /dev/shm)
  --gpuhist=PROGRAM  measure PROGRAM, not the one in BUILD_DIRECTORY
END
}

# shellcheck source=bench/measuring.sh
. "$(dirname "$0")/measuring.sh"

kinds=bytes,floats,wide,hot,weights,joint,log,bases,kmers
sizes=64,1024,8192
cpus=2,4,8,$(nproc)
runs=3
gpu=cuda
where=/dev/shm
gpuhist=
build=.
read_options 'kinds sizes cpus runs gpu' "$@"

for kind in $(words "$kinds"); do
    case $kind in
        bytes | floats | wide | hot | weights | joint | log | bases | kmers) ;;
        *) usage >&2 && exit 2 ;;
    esac
done
build=$(cd "$build" && pwd)
gpuhist=${gpuhist:-$build/gpuhist}
open_scratch plan

# data KIND: what its inputs have
data()
{
    case $1 in
        # On its axis nearly all samples are in a few bins.
        hot) echo exponential ;;
        log) echo log ;;
        bases | kmers) echo fastq ;;
        *) echo uniform ;;
    esac
}

# An input is parts of 64 MiB; a large one names them several times.
PARTS=16
for kind in $(words "$kinds"); do
    name=$(data "$kind")
    [ ! -e "$scratch/$name.1" ] || continue
    dtype=u1
    [ "$name" = log ] || [ "$name" = fastq ] || dtype=f4
    for i in $(seq "$PARTS"); do
        "$build/bench/gpuhist-gen" --seed="$i" --size=64Mi --dtype=$dtype \
            "$name" >"$scratch/$name.$i" &
    done
    wait
done

# options KIND: the options for it
options()
{
    case $1 in
        bytes) ;;
        floats) echo --dtype=f4 --range=0,1 -b100 ;;
        wide) echo --dtype=f4 --range=0,1 -b4194304 ;;
        hot) echo --dtype=f4 --range=-1e6,1e6 -b4194304 ;;
        weights) echo --record=f4,u4 -f1 --weights=2 --range=0,1 -b100 ;;
        joint) echo '--record=u1*4' -f1-3 --joint ;;
        log) echo -W -f4 ;;
        bases) echo --seq -f base ;;
        kmers) echo --kmers=11 --spectrum ;;
    esac
}

# inputs KIND MIB: the names of its files
inputs()
{
    for i in $(seq $(($2 / 64))); do
        echo "$scratch/$(data "$1").$(((i - 1) % PARTS + 1))"
    done
}

# measure KIND MIB CPUS: print a row
measure()
{
    for device in cpu "$gpu" auto; do
        # shellcheck disable=SC2046 # these are words
        printf '%s\t' "$device" - /dev/null "$gpuhist" --device="$device" \
            --top=1 $(options "$1") $(inputs "$1" "$2")
        echo
    done | sed "s/$tab\$//" >"$scratch/commands"
    taskset -c "0-$(($3 - 1))" "$build/bench/time_command" -n "$runs" \
        -m "$runs" -b $(($2 << 20)) <"$scratch/commands" >"$scratch/table"
    cut -f 6 "$scratch/table" | paste -s - |
        awk -v row="$1$tab$2$tab$3" '{
            best = $1 < $2 ? $1 : $2
            printf "%s\t%.3f\t%.3f\t%.3f\t%.2f\n", row,
                   $1 / 1e3, $2 / 1e3, $3 / 1e3, best / $3
        }'
}

printf 'kind\tMiB\tcpus\tcpu_s\tgpu_s\tauto_s\tbest/auto\n'
for kind in $(words "$kinds"); do
    for size in $(words "$sizes"); do
        for count in $(words "$cpus"); do
            measure "$kind" "$size" "$count"
        done
    done
done
