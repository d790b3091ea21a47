#!/bin/sh
# measure.sh -- whole processes beside what limits them, as a table
#
#     bench/measure.sh BUILD_DIRECTORY [SCRATCH_DIRECTORY]
#
# Run `make bench` first.  Needs 8 GiB in SCRATCH_DIRECTORY (/dev/shm, or any
# place whose files stay in the page cache).  Prints TSV: what was run; the
# median and the least wall-clock time in ms; user and system time in ms; the
# peak of resident memory in KiB; GB/s (10^9 bytes a second, by the median).

set -eu
build=$1
scratch=$(mktemp -d "${2:-/dev/shm}/gpuhist-bench.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
gpuhist=$build/gpuhist

# row NAME BYTES [OPTION]... COMMAND: one line of the table.
row()
{
    name=$1
    bytes=$2
    shift 2
    cost=$("$build/bench/time_command" "$@") || cost='failed'
    printf '%s\t%s\n' "$name" "$cost" |
        awk -F '\t' -v OFS='\t' -v bytes="$bytes" \
            '{ print $0, ($2 > 0 ? sprintf("%.2f", bytes / $2 / 1e6) : "-") }'
}

"$gpuhist" --list-devices | sed 's/^/# /'
sed -n 's/^model name[^:]*: /# /p' /proc/cpuinfo | sort -u
printf '#what\tmedian_ms\tleast_ms\tcpu_ms\tpeak_KiB\tGB/s\n'

# Random bytes, made once and repeated: no program here remembers them.
head -c 67108864 /dev/urandom >"$scratch/64M"
head -c 1048576 "$scratch/64M" >"$scratch/1M"
head -c 1024 "$scratch/64M" >"$scratch/1K"
i=0
while [ "$i" -lt 128 ]; do
    cat "$scratch/64M"
    i=$((i + 1))
done >"$scratch/8G"
head -c 4294967296 "$scratch/8G" >"$scratch/4G"

for size in 1K 1M; do
    bytes=$(wc -c <"$scratch/$size")
    row "$size < wc -c" "$bytes" -n 201 -i "$scratch/$size" wc -c
    row "$size < gpuhist" "$bytes" -n 201 -i "$scratch/$size" "$gpuhist"
    row "$size gpuhist FILE" "$bytes" -n 201 "$gpuhist" "$scratch/$size"
done

bytes=8589934592
row '8G cat | drop' "$bytes" -n 5 -p "$scratch/8G" "$build/bench/drop"
for device in cpu auto cuda; do
    row "8G cat | gpuhist --device=$device" "$bytes" -n 5 -p "$scratch/8G" \
        "$gpuhist" --device=$device
done
row '8G cat | drop, again' "$bytes" -n 5 -p "$scratch/8G" "$build/bench/drop"

for size in 64M 4G 8G; do
    bytes=$(stat -c %s "$scratch/$size")
    row "$size < drop" "$bytes" -n 3 -i "$scratch/$size" "$build/bench/drop"
    for device in cpu auto cuda; do
        row "$size gpuhist --device=$device FILE" "$bytes" -n 5 \
            "$gpuhist" --device=$device "$scratch/$size"
    done
done

# What each engine did, and how long without the driver's start.
for size in 4G 8G; do
    for device in auto cuda; do
        "$gpuhist" --device=$device --explain "$scratch/$size" 2>&1 >/dev/null |
            sed "s/^gpuhist: explain:/# $size $device:/"
    done
done
