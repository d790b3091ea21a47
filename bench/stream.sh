#!/bin/sh
# SPDX-License-Identifier: MIT
# stream.sh -- compare whole processes on inputs of all kinds and sizes
#
# Prints TSV; time_command.c describes the columns.  A cell is an input of one
# kind and size.  Each cell is measured in rounds; in a round all commands take
# turns, the limit first.  The run fails if a program prints wrong counts.

set -eu

usage()
{
    cat <<'END'
Usage: bench/stream.sh [OPTION]... [BUILD_DIRECTORY]
Measure gpuhist and other programs on inputs of many kinds and sizes and print
a table.  Run `make bench` in BUILD_DIRECTORY (default: .) first.

  --max=SIZE        size of the largest input (default: 8G; K M G are powers of
                    1024)
  --data=LIST       data: uniform (default), acgt, log, text, zeros
  --inputs=LIST     pipe      a pipe from `cat`
                    splice    a pipe from a writer that does not copy
                    redirect  a file in the page cache as standard input
                    file      a file in the page cache, by name
                    zstd      a zstd file of one frame
                    frames    a zstd file of frames of 4 MiB
                    many      files of 1 MiB
  --seconds=S       measure a program for S seconds in each cell (default: 1),
                    but at least three times
  --quick           check that everything works: few runs, up to 64 MiB
  --scratch=DIR     directory of the inputs (default: /dev/shm); it must be in
                    memory, or leave room for them in the page cache
  --gpuhist=PROGRAM measure PROGRAM, not the one in BUILD_DIRECTORY
END
}

# shellcheck source=bench/measuring.sh
. "$(dirname "$0")/measuring.sh"

max=
datas=uniform
inputs=pipe,splice,redirect,file,zstd,frames,many
seconds=
quick=no
where=/dev/shm
gpuhist=
build=.
read_options 'max data:datas inputs seconds quick' "$@"
if [ "$quick" = yes ]; then
    : "${max:=64M}" "${seconds:=0.1}"
    least_runs=1
else
    : "${max:=8G}" "${seconds:=1}"
    least_runs=3
fi
max=$(numfmt --from=iec "$max") || exit 2
for kind in $(words "$inputs"); do
    case $kind in
        pipe | splice | redirect | file | zstd | frames | many) ;;
        *) usage >&2 && exit 2 ;;
    esac
done

open_tools drop naive splice time_command gpuhist-gen
open_scratch stream

# ---- programs and machine ----

# Count with numpy, or with CuPy, which has the same functions.
cat >bincount.py <<'END'
import sys
import numpy
module = __import__(sys.argv[1])
counts = module.zeros(256, module.int64)
while True:
    block = sys.stdin.buffer.read(1 << 24)
    if not block:
        break
    block = module.asarray(numpy.frombuffer(block, numpy.uint8))
    counts += module.bincount(block, minlength=256)
for value, count in enumerate(counts.tolist()):
    print(value, count, sep='\t')
END

# python_with MODULE: print a python that can use MODULE
python_with()
{
    for python in python3 /usr/bin/python3; do
        if echo x | "$python" bincount.py "$1" >/dev/null 2>&1; then
            command -v "$python"
            return
        fi
    done
}

left_out=
numpy=
cupy=
case $inputs in
    *pipe* | *redirect*) # see plan
        numpy=$(python_with numpy)
        cupy=$(python_with cupy)
        [ -n "$numpy" ] || left_out="$left_out numpy"
        [ -n "$cupy" ] || left_out="$left_out CuPy"
        has ent || left_out="$left_out ent"
        ;;
esac
has zstd || left_out="$left_out zstd"
has_cuda=no
"$gpuhist" --list-devices >devices
if grep -q '^cuda' devices; then
    has_cuda=yes
else
    left_out="$left_out --device=cuda"
fi
[ -x "$tools/frames" ] ||
    left_out="$left_out zstd-inputs(built-without-libzstd)"

# version COMMAND...: print the first line of its output, as a comment
version()
{
    "$@" 2>&1 | sed -n '1s/^/# /p'
}

describe_machine()
{
    if [ "$has_cuda" = yes ]; then
        awk -F '\t' '/^cuda/ { print "# GPU: " $2 ", " $3 }' devices
    else
        echo '# GPU: none that gpuhist can use'
    fi
    cpu=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1)
    echo "# CPU: ${cpu:-$(uname -m)}, $(nproc) processors"
    echo "# $(uname -sr); $(date -u +%F); inputs in $where"
    version "$gpuhist" --version
    version cat --version
    ! has zstd || version zstd --version
    module_version='import sys
print(sys.argv[1], __import__(sys.argv[1]).__version__)'
    [ -z "$numpy" ] || version "$numpy" -c "$module_version" numpy
    [ -z "$cupy" ] || version "$cupy" -c "$module_version" cupy
    echo "# bytes: 64 MiB of data (uniform: random), repeated"
    echo "# limit: drop, on the same input; it reads, or decodes, with one\
 thread and drops the result"
    echo "# cpu_ms: without the writer of a pipe"
    [ -z "$left_out" ] || echo "# left out, not installed:$left_out"
}

# ---- inputs ----

# room: print the bytes that all inputs may take: most of what is free in the
# directory and in memory
room()
{
    {
        df -P -B1 . | awk 'NR == 2 { printf "%.0f\n", $4 }'
        awk '/^MemAvailable/ { printf "%.0f\n", $2 * 1024 }' /proc/meminfo
        # The limit of a container, if there is one.
        cgroup=/sys/fs/cgroup/memory
        if [ -r $cgroup.max ] && [ -r $cgroup.current ]; then
            paste $cgroup.max $cgroup.current |
                awk '$1 != "max" { printf "%.0f\n", $1 - $2 }'
        fi
    } | sort -n | awk 'NR == 1 { printf "%.0f\n", $1 * 0.8 }'
}

# repeat TIMES FILE: print FILE as many times, with a tab before each
repeat()
{
    repeat_i=0
    while [ "$repeat_i" -lt "$1" ]; do
        printf '\t%s' "$2"
        repeat_i=$((repeat_i + 1))
    done
}

piece_bytes=$((64 << 20))
[ "$max" -ge "$piece_bytes" ] || piece_bytes=$max

# make_piece DATA: make the file "piece", which all inputs consist of
make_piece()
{
    case $1 in
        zeros) head -c "$piece_bytes" /dev/zero ;;
        *) "$tools/gpuhist-gen" --size="$piece_bytes" "$1" ;;
    esac >piece
    "$tools/naive" <piece >piece-counts
}

# make_file BYTES: make the files "data" and "counts".  If BYTES do not fit,
# "data" is shorter, and $times is the number of times to name it.
make_file()
{
    if [ "$1" -le "$piece_bytes" ]; then
        head -c "$1" piece >data
        "$tools/naive" <data >counts
        times=1
        return
    fi
    base=$(wc -c <data)
    if [ "$1" -le "$(($(room) + base))" ]; then
        # shellcheck disable=SC2046 # many words
        cat $(repeat $(($1 / piece_bytes)) piece) >data
        times=1
    else
        times=$(($1 / base))
    fi
    awk -v n=$(($1 / piece_bytes)) '{ printf "%d\t%.0f\n", $1, $2 * n }' \
        piece-counts >counts
    [ "$(($(wc -c <data) * times))" -eq "$1" ] || give_up 'data: wrong size'
    awk -v bytes="$1" '{ n += $2 } END { exit n != bytes }' counts ||
        give_up 'counts: wrong sum'
}

# make_input KIND BYTES: make the files of an input; false if there is no input
# of this kind and size
make_input()
{
    case $1 in
        pipe | file) return ;;
        redirect) needed=0 ;;
        splice)
            [ "$2" -ge $((1 << 18)) ]
            return
            ;;
        *)
            # Small inputs of this kind would show no difference.
            [ "$2" -ge $((4 << 20)) ] || return
            needed=$2
            ;;
    esac
    if [ "$times" -gt 1 ] || [ "$needed" -gt "$(room)" ]; then
        echo "# left out, no room: $1, $2 bytes"
        return 1
    fi
    case $1 in
        zstd) "$tools/frames" <data >data.zst ;;
        frames) "$tools/frames" -s 4Mi <data >data.zst ;;
        many) mkdir many && split -a 5 -b 1M data many/ ;;
    esac || give_up "no input: $1, $2 bytes"
}

# ---- commands ----

# row_gpuhist BYTES: add gpuhist with several devices
row_gpuhist()
{
    row gpuhist c "$gpuhist"
    row 'gpuhist --device=cpu' c "$gpuhist" --device=cpu
    [ "$1" -gt $((1 << 30)) ] ||
        row 'gpuhist --device=cpu -j1' c "$gpuhist" --device=cpu -j1
    [ "$has_cuda" = no ] ||
        row 'gpuhist --device=cuda' c "$gpuhist" --device=cuda
}

# peers KIND BYTES: add other programs that read standard input, unless they
# would take too long for this size
peers()
{
    if [ "$2" -le $((1 << 30)) ]; then
        if [ "$1" = redirect ]; then
            row 'wc -c (asks for the size only)' '' wc -c
        else
            row 'wc -c' '' wc -c
        fi
        row 'wc -l' '' wc -l
        row naive c "$tools/naive"
    fi
    # CuPy takes seconds to start.
    [ -z "$cupy" ] || [ "$2" -lt $((4 << 20)) ] ||
        [ "$2" -gt $((8 << 30)) ] || row CuPy c "$cupy" bincount.py cupy
    [ -z "$numpy" ] || [ "$2" -gt $((1 << 26)) ] ||
        row numpy c "$numpy" bincount.py numpy
    ! has ent || [ "$2" -gt $((1 << 26)) ] || row 'ent -c' '' ent -c
    [ "$2" -gt $((1 << 20)) ] ||
        row 'od | sort | uniq -c' '' \
            od -An -v -tu1 -w1 '|' sort '|' uniq -c
}

# plan KIND BYTES: make the plan with all commands for this input
plan()
{
    writer=
    stdin=/dev/null
    names=
    : >plan
    case $1 in
        pipe) writer=cat$(repeat "$times" data)$tab\|$tab ;;
        splice) writer=$tools/splice$(repeat "$times" data)$tab\|$tab ;;
        redirect) stdin=data ;;
        file) names=$(repeat "$times" data) ;;
        zstd | frames) names=${tab}data.zst ;;
        many) names=$(printf '\t%s' many/*) ;;
    esac
    case $1 in
        zstd | frames)
            row drop '' "$tools/frames" -d
            ! has zstd || {
                names=
                row 'zstd -dc | drop' '' zstd -dc data.zst '|' "$tools/drop"
                names=${tab}data.zst
            }
            ;;
        *) row drop '' "$tools/drop" ;;
    esac
    case $1 in
        pipe | redirect) peers "$1" "$2" ;;
    esac
    row_gpuhist "$2"
}

# runs BYTES: print the largest number of rounds
runs()
{
    if [ "$quick" = yes ]; then
        echo 3
    elif [ "$1" -le $((1 << 14)) ]; then
        echo 101
    elif [ "$1" -le $((1 << 22)) ]; then
        echo 51
    elif [ "$1" -le $((1 << 26)) ]; then
        echo 21
    elif [ "$1" -le $((1 << 33)) ]; then
        echo 5
    else
        echo 3
    fi
}

# measure DATA KIND BYTES: print the lines of one cell
measure()
{
    plan "$2" "$3"
    kind=$2
    [ "$times" -eq 1 ] || kind="$2, the same $times times"
    # In the background, so that a signal can stop it.
    "$tools/time_command" -n "$(runs "$3")" -m "$least_runs" -s "$seconds" \
        -e counts -i "$kind" -d "$1" -b "$3" <plan &
    timing=$!
    wait "$timing" || give_up "failed: $kind, $3 bytes of $1"
    timing=
}

describe_machine
"$tools/time_command" -H
for data in $(words "$datas"); do
    make_piece "$data"
    for size in 1K 16K 256K 4M 64M 1G 8G 16G 32G 64G; do
        bytes=$(numfmt --from=iec "$size")
        [ "$bytes" -le "$max" ] || continue
        make_file "$bytes"
        for kind in $(words "$inputs"); do
            case $kind in
                zstd | frames) [ -x "$tools/frames" ] || continue ;;
            esac
            ! make_input "$kind" "$bytes" || measure "$data" "$kind" "$bytes"
            rm -rf data.zst many
        done
    done
done
