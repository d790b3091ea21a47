#!/bin/sh
# SPDX-License-Identifier: MIT
# conflicts.sh -- compare bench/conflicts with NVIDIA's profiler
#
#     bench/conflicts.sh BUILD_DIRECTORY [FILE]...
#
# Run `make bench` first.  The data are the first 64 MiB of each FILE, which is
# repeated if it is shorter; without FILEs, samples that gpuhist-gen writes.
# The script prints TSV with the columns
#
#     data
#     layout, load, accesses, degree, same
#                 of bench/conflicts; the last two are means
#     atomics     shared atomics of warps, measured by ncu for the kernel of
#                 bench/kernels with this layout and load
#     wavefronts  per atomic; to be compared with the degree
#     conflicts   bank conflicts per atomic; to be compared with the degree - 1
#
# The environment variable SIZE sets another size for the data, in bytes; NCU
# names the profiler.  Without a profiler, or without the permission to use it,
# its columns are "-".

set -eu
build=$1
shift
size=${SIZE-67108864}
ncu=${NCU-ncu}
if ! command -v "$ncu" >/dev/null && [ "$ncu" = ncu ]; then
    ncu=/usr/local/cuda/bin/ncu
fi
scratch=$(mktemp -d "${TMPDIR:-/tmp}/gpuhist-conflicts.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

atomics=smsp__inst_executed_op_shared_atom.sum
wavefronts=l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum
conflicts=l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum

# kernel_of LAYOUT LOAD: print the name of a kernel of bench/kernels, if one has
# this layout and load
kernel_of()
{
    case $1.$2 in
        lane.vector) echo 'u1 lane' ;;
        lane.sample) echo 'u1 records lane' ;;
        copies.vector) echo 'u1 16 copies, 16-byte loads' ;;
        block.vector) echo 'u1 block, 16-byte loads' ;;
        block.sample) echo 'u1 block, grid-stride, non-zero' ;;
        warp.vector) echo 'u1 warp, 16-byte loads' ;;
        spread.vector) echo 'u2 packed' ;;
        packed.sample) echo 'u2 records packed' ;;
    esac
}

# measure KERNEL: print the three columns of the profiler for the file "data"
measure()
{
    "$ncu" --csv --metrics "$atomics,$wavefronts,$conflicts" \
        "$build/bench/kernels" -f "$scratch/data" -k "$1" -n 0 \
        >"$scratch/ncu" 2>&1 || :
    # The value is two fields after the name; it may have commas, as in 1,234.
    awk -F '","' -v a="$atomics" -v w="$wavefronts" \
        -v c="$conflicts" '
        {
            for (i = 1; i + 2 <= NF; i++) {
                if ($i == a || $i == w || $i == c) {
                    value = $(i + 2)
                    gsub(/[",]/, "", value)
                    sum[$i] += value
                    seen[$i] = value ~ /^[0-9.]+$/
                }
            }
        }
        END {
            if (seen[a] && seen[w] && seen[c] && sum[a] > 0)
                printf "%.0f\t%.6f\t%.6f\n", sum[a], sum[w] / sum[a],
                    sum[c] / sum[a]
            else
                print "-\t-\t-"
        }' "$scratch/ncu"
}

# rows NAME: print all rows for the file "data", with NAME in the first column
rows()
{
    "$build/bench/conflicts" "$scratch/data" | grep -v '^#' >"$scratch/rows"
    while read -r layout load accesses degree _ same _; do
        kernel=$(kernel_of "$layout" "$load")
        measured=$(printf -- '-\t-\t-')
        if [ -n "$kernel" ] && [ "$has_ncu" = yes ]; then
            measured=$(measure "$kernel" </dev/null)
        fi
        printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$1" "$layout" "$load" \
            "$accesses" "$degree" "$same" "$measured"
    done <"$scratch/rows"
}

has_ncu=yes
if ! command -v "$ncu" >/dev/null; then
    has_ncu=no
    echo '# no ncu: nothing is measured'
elif [ ! -x "$build/bench/kernels" ]; then
    has_ncu=no
    echo '# no bench/kernels: nothing is measured'
fi
printf '#data\tlayout\tload\taccesses\tdegree\tsame\tatomics\twavefronts\t'
printf 'conflicts\n'

if [ $# -eq 0 ]; then
    for name in uniform text acgt log sorted constant; do
        "$build/bench/gpuhist-gen" --size="$size" "$name" >"$scratch/data"
        rows "$name"
    done
fi
for file in "$@"; do
    [ -s "$file" ] || {
        echo "conflicts.sh: $file: missing or empty" >&2
        exit 1
    }
    head -c "$size" "$file" >"$scratch/data"
    have=$(wc -c <"$scratch/data")
    # Repeat the file, because bench/conflicts does not.
    while [ "$have" -lt "$size" ]; do
        cat "$scratch/data" "$scratch/data" | head -c "$size" >"$scratch/twice"
        mv "$scratch/twice" "$scratch/data"
        have=$(wc -c <"$scratch/data")
    done
    rows "$(basename "$file")"
done
