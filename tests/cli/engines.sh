# SPDX-License-Identifier: MIT
# engines.sh -- threads, chunks and devices change nothing but the time
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

noise 3000000 >data
oracle <data >wanted
head -c 2999999 data | oracle >wrong

gpuhist data >out
cmp -s out wrong && echo "Bail out! a missing byte is not seen" && exit 99

# ---- the same bytes on all engines ----

for device in cpu auto; do
    for threads in 1 2 3 16 4096; do
        failed=
        for pair in 1000:200M 65536:1G 1000000:7e18 1Mi:200M 3000000:1G \
            10M:7e18 10M:200M; do
            set -- --device=$device -j $threads --chunk-size="${pair%:*}" \
                --memory-limit="${pair#*:}"
            gpuhist "$@" data >out 2>err && cmp -s out wanted ||
                failed="$failed $pair:file"
            gpuhist "$@" <data >out 2>err && cmp -s out wanted ||
                failed="$failed $pair:stdin"
        done
        is "$failed" '' "--device=$device -j $threads, chunks of all sizes"
    done
done
for after in 0 1 1M 1E; do
    gpuhist --gpu-after=$after -q data >out
    same out wanted "--gpu-after=$after"
done
counts wanted '--device=cpu -v says nothing' gpuhist --device=cpu -v data
i=0
failed=0
runs=100
! instrumented || runs=20
while [ $i -lt $runs ]; do
    gpuhist --device=cpu -j 4 --chunk-size=4096 data data >out
    echo $? >>out
    [ $i -gt 0 ] || mv out first
    [ $i -eq 0 ] || cmp -s out first || failed=$((failed + 1))
    i=$((i + 1))
done
is $failed 0 "$runs runs, $runs times the same"

# ---- --explain ----

gpuhist --device=cpu -j 3 --chunk-size=4096 --explain data >out 2>err
same out wanted '--explain leaves standard output alone'
is "$(grep -v -c '^gpuhist: explain: ' err)" 0 'every line says what it is'
is "$(sed -n 's/.* chunks: [0-9]* of \([0-9]*\) bytes$/\1/p' err)" 4096 \
    'the size of a chunk'
readers=$(sed -n 's/.* readers: \([0-9]*\)$/\1/p' err)
[ "$readers" -ge 1 ] && [ "$readers" -le 3 ]
ok $? "1 to 3 readers ($readers)"
is "$(grep -c 'explain: gpu: never$' err)" 1 '--device=cpu: no GPU, ever'
is "$(grep -c 'explain: cpu: .* of up to 3 threads; ' err)" 1 \
    'the CPU, with up to 3 threads'
is "$(grep 'counted' err | grep -v -c 'explain: cpu: ')" 0 'and nobody else'

# Sizes of what is counted, in all: from files, pipes, nowhere.
counted()
{
    sed -n 's/.*counted \([0-9]*\) bytes.*/\1/p' err |
        awk '{ sum += $1 } END { print sum + 0 }'
}

for device in cpu auto; do
    # shellcheck disable=SC2094 # both only read
    gpuhist --device=$device --explain data data - <data >out 2>err
    is "$(counted)" 9000000 "--device=$device: counted bytes add up"
    # shellcheck disable=SC2002 # a pipe is what is wanted
    cat data | gpuhist --device=$device --explain >out 2>err
    is "$(counted)" 3000000 "--device=$device: those of a pipe"
    gpuhist --device=$device --explain /dev/null >out 2>err
    is "$(counted)" 0 "--device=$device: those of nothing"
done
gpuhist --explain missing data >out 2>err
is "$? $(wc -c <out) $(grep -v explain err)" \
    "1 0 gpuhist: missing: cannot open: No such file or directory" \
    '--explain of a failure'

# ---- --list-devices ----

gpuhist --list-devices >out 2>err
is "$? $(wc -c <err)" '0 0' '--list-devices: exit 0, silent'
is "$(head -n 1 out | grep -c '^cpu	[1-9][0-9]* threads$')" 1 'first the CPU'
is "$(tail -n +2 out | grep -v -c '^cuda:[0-9]*	.*	[0-9]* MiB	sm_[0-9]*$')" \
    0 'then GPUs, if any'

# ---- --list-strategies ----

gpuhist --list-strategies --dtype=u2 >out 2>err
is "$? $(wc -c <err)" '0 0' '--list-strategies: exit 0, silent'
is "$(cut -f 2 out | sort -u | tr '\n' ' ')" \
    'global lane packed shared ' 'all strategies'
is "$(cut -f 2-4 out | grep -x -c 'packed	count_words	131072')" \
    "$(cut -f 1 out | sort -u | wc -l)" 'kernel and shared memory'
gpuhist --list-strategies --record=u2,f4 --weights=2 >out 2>err
is "$(grep -c '	lane	.*	no: it cannot add up weights$' out)" \
    "$(cut -f 1 out | sort -u | wc -l)" 'why one is not possible'
gpuhist --list-strategies --dtype=f4 >out 2>err
is "$? $(wc -c <out)" '2 0' '... for bins that are not possible: status 2'

# ---- --explain: the bins ----

# explained WANTED OPTION...: the lines about fields for no input.
explained()
{
    wanted=$1
    shift
    gpuhist --device=cpu --explain "$@" </dev/null 2>&1 >out |
        sed -n 's/^gpuhist: explain: field //p' >lines
    is "$(cat lines)" "$wanted" "--explain: $*"
}

explained '1 (u1): 256 bins, one for each value, from 0 to 255'
explained '1 (i2): 7 bins, one for each value, from -3 to 3' \
    --dtype=i2 --range=-3,4
explained '1 (f4): 1 bin, even, from -1.5 to 2, [lo,hi)' \
    --dtype=f4 -b1 --range=-1.5,2
explained "1 (u2): 5 bins, even, on a lattice, (lo,hi], shown from the first to \
the last that occurs" \
    --dtype=u2 -b5 --range=auto --closed=right
explained "2 (f8): 2 bins, between edges, from 0 to 5, [lo,hi), the last one \
[lo,hi]
1 (u4): 32 bins, logarithmic, from 1 to 4294967296, [lo,hi), the last one \
[lo,hi], shown from the first to the last that occurs" --record=u4,f8 -f2,1 --edges=0,1,5 --edges=- --log=- --log --numpy

# ---- few descriptors ----

few_descriptors()
{
    (
        # shellcheck disable=SC3045 # every shell that we meet has it
        ulimit -n 20 || exit
        gpuhist --device=cpu "$@"
    )
}

mkdir many
i=0
while [ $i -lt 300 ]; do
    head -c $((i * 50)) data >many/$i
    i=$((i + 1))
done
cat many/* | oracle >wanted
counts wanted '300 files, 20 descriptors' \
    few_descriptors -j 8 --chunk-size=1000 many/*

# ---- memory ----

# The most memory that the program ever had while it read a big file, a pipe
# and a compressed file is known before it ends: it waits for the pipe's end.
mkfifo fifo
size=$((1 << 28)) # of each: twice the memory that it may take
! instrumented || size=$((1 << 26))
truncate -s $size sparse
: >zeros.zst
if [ "$HAVE_ZSTD" = yes ] && command -v zstd >zstd-path; then
    head -c $size /dev/zero | zstd -q -c >zeros.zst
fi
"$GPUHIST" --device=cpu -j 64 --nonzero zeros.zst sparse - <fifo >out &
pid=$!
exec 9>fifo
head -c $((2 * size)) /dev/zero >&9
i=0
while [ $i -lt 500 ]; do # until all of the others has been read, too
    read -r _ bytes <"/proc/$pid/io"
    [ "$bytes" -lt $((3 * size)) ] || break
    sleep 0.02
    i=$((i + 1))
done
peak=$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\) kB$/\1/p' "/proc/$pid/status")
exec 9>&-
wait $pid
is $? 0 'much input: exit 0'
zeros=$((3 * size))
[ -s zeros.zst ] && zeros=$((zeros + size))
is "$(cat out)" "0	$zeros" 'much input: counted'
if instrumented; then
    skip 'much input: memory' 'a sanitizer needs much more'
else
    [ "$peak" -gt 1000 ] && [ "$peak" -le $((128 << 10)) ]
    ok $? "much input: never more than 128 MiB of memory ($peak KiB)"
fi

done_testing
