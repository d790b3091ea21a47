#!/bin/sh
# SPDX-License-Identifier: MIT
# files.sh -- what a file costs beside its content, when there are many
#
# Prints TSV.  The same content in one file of concatenated members is the
# measure: more processor time than this file takes is the cost of the files.
# The run fails if the counts differ.

set -eu

usage()
{
    cat <<'END'
Usage: bench/files.sh [OPTION]... [BUILD_DIRECTORY]
Count many files of log lines and print a table.  Run `make bench` in
BUILD_DIRECTORY (default: .) first.

    kind        gz; zst; both: half of the files are gz; plain
    program     gpuhist of all files; of one file with the same content; and
                xargs, which starts decoders that write to a gpuhist
    wall_ms     median of the wall time
    cpu_ms      median of the processor time
    us/file     processor time beyond that of the one file, for each file
    peak_KiB    resident memory
    vs_xargs    wall time of xargs / wall time of this program

  --files=LIST      numbers of files (default: 1000,10000,100000)
  --least=BYTES     of the smallest content (default: 4096)
  --most=BYTES      of the largest content (default: 1000000); the logarithms
                    of the sizes are uniform
  --distinct=N      thousands of files that differ; others are copies
                    (default: 5)
  --kinds=LIST      (default: gz,zst,both)
  --threads=LIST    (default: 1,2,16)
  --runs=N          (default: 3)
  --scratch=DIR     directory of the files (default: /dev/shm)
  --gpuhist=PROGRAM measure PROGRAM, not the one in BUILD_DIRECTORY
END
}

# shellcheck source=bench/measuring.sh
. "$(dirname "$0")/measuring.sh"

counts=1000,10000,100000
least=4096
most=1000000
distinct=5
kinds=gz,zst,both
threads=1,2,16
runs=3
where=/dev/shm
gpuhist=
build=.
read_options 'files:counts least most distinct kinds threads runs' "$@"
counts=$(words "$counts")
kinds=$(words "$kinds")
threads=$(words "$threads")
open_tools time_command
open_scratch files

# ---- the files ----

# write COUNT: write plain files of log lines, 1000 to a directory.
write()
{
    awk -v count="$1" -v least="$least" -v most="$most" '
    function line()
    {
        return sprintf("%d.%d.%d.%d - - [29/Nov/2026:%02d:%02d:%02d +0000] " \
            "\"GET /shop/%x/item-%d HTTP/1.1\" %d %d\n", 1 + rand() * 223,
            rand() * 255, rand() * 255, rand() * 255, rand() * 24, rand() * 60,
            rand() * 60, rand() * 65536, rand() * 1000,
            200 + 100 * int(rand() * 4), exp(rand() * 14))
    }
    BEGIN {
        srand(1)
        for (i = 0; i < 40000; i++)
            lines[i % 4000] = lines[i % 4000] line()
        for (i = 0; i < count; i++) {
            name = sprintf("d%03d/f%06d", i / 1000, i)
            if (i % 1000 == 0)
                system("mkdir " substr(name, 1, 4))
            left = int(least * exp(rand() * log(most / least)))
            while (left > 1) {
                text = lines[int(rand() * 4000)]
                if (left < length(text))
                    text = substr(text, 1, left - 1) "\n"
                printf "%s", text >name
                left -= length(text)
            }
            close(name)
        }
    }'
}

# pack COMMAND...: replace the files whose names standard input has, each ended
# by NUL, with COMMAND.
pack()
{
    xargs -0 -P "$(nproc)" -n 200 "$@"
}

# make_kind: make the directory $kind, and the list of its files.
make_kind()
{
    cp -r base "$kind"
    cd "$kind"
    case $kind in
        gz) find . -type f -print0 | pack gzip ;;
        zst) find . -type f -print0 | pack zstd -q --rm ;;
        both)
            find . -type f -name '*[02468]' -print0 | pack gzip
            find . -type f -name '*[13579]' -print0 | pack zstd -q --rm
            ;;
    esac
    i=$distinct
    while [ $((i * 1000)) -lt "$files_most" ]; do
        cp -r "$(printf 'd%03d' $((i % distinct)))" "$(printf 'd%03d' "$i")"
        i=$((i + 1))
    done
    find d* -type f | sort >list
    cd ..
}

# select_files: make the list "some" of the first $count files of $kind, and the
# list "one" of the fewest files that have the same content.
select_files()
{
    head -n "$count" "$kind/list" | sed "s:^:$kind/:" >names
    tr '\n' '\0' <names >some
    rm -f one.*
    for end in .gz .zst ''; do
        grep "[0-9]$end\$" names >part || continue
        tr '\n' '\0' <part | xargs -0 cat >"one.x$end"
    done
    printf '%s\0' one.* >one
}

files_most=0
for count in $counts; do
    [ "$count" -le "$files_most" ] || files_most=$count
done
[ $((distinct * 1000)) -le "$files_most" ] ||
    distinct=$(((files_most + 999) / 1000))
mkdir base
(cd base && write $((distinct * 1000)))

# ---- the table ----

cpu=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1)
echo "# CPU: ${cpu:-$(uname -m)}, $(nproc) processors"
echo "# $(uname -sr); $(date -u +%F); $least to $most bytes, in $where"
"$gpuhist" --version | sed -n '1s/^/# /p'

# decode: the command that decodes files of $kind.
decode()
{
    case $kind in
        gz) echo zcat ;;
        plain) echo cat ;;
        *) echo zstd -dcq ;; # decodes gzip, too
    esac
}

# measure: print the rows of $count files of $kind.
measure()
{
    "$gpuhist" -q --device=cpu --files0-from=one >counts
    : >plan
    for width in $threads; do
        set -- "$gpuhist" -q --device=cpu "--threads=$width"
        row "gpuhist -j$width, one file" c "$@" --files0-from=one
        row "gpuhist -j$width" c "$@" --files0-from=some
        # shellcheck disable=SC2046 # words
        row "xargs -P$width $(decode)" c xargs -0 -a some "-P$width" -n 200 \
            $(decode) '|' "$@"
    done
    "$tools/time_command" -n "$runs" -m "$runs" -e counts -i "$kind" -d log \
        -b 1 <plan >rows &
    timing=$!
    wait "$timing" || give_up "failed: $count files of $kind"
    timing=
    # The columns are those of time_command.c.
    awk -F '\t' -v OFS='\t' -v files="$count" '
        { program[NR] = $4; wall[NR] = $6; cpu[NR] = $9; peak[NR] = $11 }
        END {
            for (i = 1; i <= NR; i++) {
                one = i - (i - 1) % 3
                print $1, files, program[i], wall[i], cpu[i],
                    sprintf("%.1f", 1000 * (cpu[i] - cpu[one]) / files),
                    peak[i], sprintf("%.2f", wall[one + 2] / wall[i])
            }
        }' rows
}

printf 'kind\tfiles\tprogram\twall_ms\tcpu_ms\tus/file\tpeak_KiB\tvs_xargs\n'
for kind in $kinds; do
    make_kind
    for count in $counts; do
        select_files
        measure
    done
    rm -rf "$kind"
done
