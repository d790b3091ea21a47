# SPDX-License-Identifier: MIT
# count.sh -- the whole CUDA path counts exactly, for all sizes
#
# Over the driver of tests/fake, whose streams are as late as they may be.
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

test "$HAVE_NVCC" = yes || skip_all "no kernels: no driver is ever loaded"
test -f "$FAKE_CUDA_DIR/libcuda.so.1" || exit 99
export LD_LIBRARY_PATH="$FAKE_CUDA_DIR"

# When the fake driver does what it is told: at once, or as late as it may,
# which finds more.
eagers=0
! expensive || eagers='0 1 copies'

run()
{
    timeout 30 "$GPUHIST" "$@"
}

# The errors in a ledger: all figures that are not 0.
complaints()
{
    grep -E '^(outstanding|misuse|note) ' "$1" | grep -v ' 0$'
}

# total WORDS: the sum over the lines of the ledger that begin with WORDS.
total()
{
    awk -v words="$1 " 'index($0, words) == 1 { n += $NF }
        END { printf "%d\n", n }' ledger
}

# exact NAME OPTION...: exit 0, silent, the counts in the file "cpu".
exact()
{
    name=$1
    shift
    run --device=cuda "$@" >out 2>err
    is "$?:$(cat err)" "0:" "$name: exit 0, silent"
    same out cpu "$name: exact"
}

# Random, so that no two chunks are alike: stale ones cannot go unnoticed.
head -c 2100000 /dev/urandom >data
: >empty
head -c 100000 data >a
tail -c 77777 data >b
cat a b >ab

# ---- that these tests can fail ----

run --device=cpu --nonzero a >out
od -An -v -tu1 a | tr -s ' ' '\n' | grep . | sort -n | uniq -c |
    awk '{ print $2 "\t" $1 }' >oracle
same out oracle "the CPU counts what od sees"
run --device=cpu a >cpu

export FAKE_CU_LEDGER=ledger
run --device=cuda --explain --chunk-size=4096 a >out 2>err
is "$?" 0 "--device=cuda: exit 0"
same out cpu "--device=cuda: the CPU's counts"
grep 'cuda:0 (Fake GPU 0): .* counted 100000 bytes' err >line
is "$(wc -l <line)" 1 "--explain: the GPU counted all bytes"
is "$(grep -c 'counted' err)" 1 "--explain: and nobody else any"
is "$(total 'work kernels')" 25 "a kernel ran for each chunk"
is "$(total 'work kernel-bytes')" 100000 "and saw all bytes"
is "$(complaints ledger)" "" "the ledger is balanced"

sed 's/^outstanding streams 0/outstanding streams 1/' ledger >doctored
is "$(complaints doctored)" "outstanding streams 1" "a leak would be seen"
sed 's/^misuse all 0/misuse all 2/' ledger >doctored
is "$(complaints doctored)" "misuse all 2" "a misuse would be seen"

export FAKE_CU_LIE=1
run --device=cuda --chunk-size=4096 a >out 2>err
is "$?:$(cat out)" "3:" "a GPU that loses count: exit 3, no counts"
is "$(cat err)" "gpuhist: cuda:0 (Fake GPU 0): the counts do not add up" \
    "a GPU that loses count: one message"
unset FAKE_CU_LIE

# ---- sizes around every boundary ----

# check WAY CHUNK SIZE: one run over the file "in"; adds to $bad.
check()
{
    runs=$((runs + 1))
    bytes=$((bytes + $3))
    case $1 in
    file) run --device=cuda --chunk-size="$2" in >out 2>err ;;
    redirected) run --device=cuda --chunk-size="$2" <in >out 2>err ;;
    pipe) head -c "$3" data | run --device=cuda --chunk-size="$2" >out 2>err ;;
    esac
    status=$?
    if [ $status -ne 0 ] || [ -s err ] || ! cmp -s out wanted; then
        bad="$bad $1:$2:$3:$FAKE_CU_EAGER"
    fi
}

# sizes CHUNK: what to try with it.
sizes()
{
    printf '%s\n' 0 1 15 16 17
    for i in 1 2; do
        printf '%s\n' $((i * $1 - 1)) $((i * $1)) $((i * $1 + 1))
    done
}

rm -f ledger
runs=0
bytes=0
for chunk in 1 16 1000 4096 65537 1048576; do
    bad=
    for size in $(sizes $chunk | sort -nu); do
        head -c "$size" data >in
        run --device=cpu in >wanted
        for eager in $eagers; do
            export FAKE_CU_EAGER="$eager"
            check file $chunk "$size"
            check redirected $chunk "$size"
            check pipe $chunk "$size"
        done
    done
    is "$bad" "" "chunks of $chunk: all sizes, from files and pipes"
done
unset FAKE_CU_EAGER

is "$(complaints ledger)" "" "the ledgers are balanced"
is "$(grep -c '^calls cuInit 1$' ledger)" "$runs" "each run wrote one"
is "$(total 'work kernel-bytes')" "$bytes" "the kernels saw all bytes"

# ---- other inputs and settings ----

rm -f ledger
run --device=cpu ab >cpu
exact "default chunks" ab
exact "several files" --chunk-size=4096 a empty b
exact "a file and standard input" --chunk-size=4096 a - <b
exact "one reader" -j1 --chunk-size=4096 ab
# Three tables of 2 KiB, the one to print, and two chunks.
exact "two chunks only" --chunk-size=4096 --memory-limit=$((8192 + 8192)) ab

export FAKE_CU_START_MS=300
exact "a slow start" --chunk-size=4096 ab
unset FAKE_CU_START_MS

export FAKE_CU_NOREGISTER=1
exact "no pinned memory" --chunk-size=4096 ab
run --device=cuda --explain ab 2>err >out
is "$(grep -c 'cuda:0 .* counted 177777 bytes' err)" 1 \
    "no pinned memory: the GPU counted"
run --device=cuda -v ab 2>err >out
is "$(grep -c 'memory was refused.*: cuMemHostRegister: ' err):$(wc -l <err)" \
    1:1 "no pinned memory: -v says so, once"
unset FAKE_CU_NOREGISTER

export FAKE_CU_FAIL=cuMemHostAlloc:1:2:persist
exact "no pinned memory for counts" --chunk-size=4096 ab
run --device=cuda -v ab 2>err >out
is "$(grep -c 'memory was refused.*: cuMemHostAlloc: ' err):$(wc -l <err)" \
    1:1 "no pinned memory for counts: -v says so, once"
unset FAKE_CU_FAIL

run --device=cuda a missing >out 2>err
is "$?:$(cat out)" "1:" "a missing file: exit 1, no counts"
is "$(wc -l <err)" 1 "a missing file: one message"

if [ "$HAVE_ZSTD" = yes ] && command -v zstd >/dev/null; then
    zstd -q -c b >b.zst
    zstd -q -c a >ab.zst
    cat b.zst >>ab.zst
    exact "zstd" --chunk-size=4096 ab.zst
    exact "zstd redirected" --chunk-size=1000 <ab.zst
    exact "plain and zstd" --chunk-size=4096 a b.zst
else
    skip "zstd" "no zstd in this build, or no zstd command"
fi
is "$(complaints ledger)" "" "the ledgers are balanced"

# ---- two devices ----

rm -f ledger
export FAKE_CU_DEVICES=2
exact "cuda:1" --device=cuda:1 --chunk-size=4096 ab
exact "cuda:0,1" --gpu-after=0 --device=cuda:0,1 --chunk-size=4096 ab
exact "cuda:1,0" --gpu-after=0 --device=cuda:1,0 --chunk-size=4096 ab
exact "cuda:0,1, two chunks only" --gpu-after=0 --device=cuda:0,1 \
    --chunk-size=4096 --memory-limit=$((12288 + 8192)) ab

# While the kernels of one are slow, the other one finds chunks.
export FAKE_CU_KERNEL_MS=20
run --gpu-after=0 --device=cuda:0,1 --explain --chunk-size=4096 ab >out 2>err
is "$?" 0 "two slow GPUs: exit 0"
same out cpu "two slow GPUs: exact"
sed -n 's/.*\(cuda:[01]\) .* counted \([0-9]*\) bytes.*/\1 \2/p' err |
    awk '$2 > 0 { n++ } { sum += $2 } END { print n ":" sum }' >got
is "$(cat got)" "2:177777" "two slow GPUs: both counted, all in all everything"
unset FAKE_CU_KERNEL_MS

run --device=cpu empty >cpu
exact "cuda:0,1, empty input" --gpu-after=0 --device=cuda:0,1 empty
is "$(complaints ledger)" "" "the ledgers are balanced"

# ---- records and axes, with each strategy ----

# A multiple of all records below, and small enough for all strategies' runs.
head -c 240240 data >records
seq -10 0.5 10 >edges

# How a strategy that is not possible is refused: sets why.
why_not()
{
    case $1:$2 in
    *--weights*:lane | *--weights*:packed)
        why="it cannot add up weights"
        ;;
    *) why="the device has too little shared memory" ;;
    esac
}

# one_strategy STRATEGY OPTION...: one run over "records", whose counts are in
# "cpu"; adds to $bad.  Sets done: whether it was possible.
one_strategy()
{
    strategy=$1
    shift
    done=no
    run --device=cuda --explain --strategy="$strategy" --chunk-size=8000 \
        "$@" records >out 2>err
    status=$?
    if [ $status -eq 0 ]; then
        done=yes
        grep -q "cuda:0 .*: $strategy (.* counted 240240 bytes" err &&
            cmp -s out cpu && return
    else
        why_not "$*" "$strategy"
        message="gpuhist: cuda:0 (Fake GPU 0): --tune=strategy=$strategy is not \
possible: $why"
        says=$(grep -v -e ': explain: counts ' -e ': explain: adds up ' err)
        [ "$status:$(cat out):$says" = "3::$message" ] && return
    fi
    bad="$bad $strategy:$status"
}

# strategies WANTED OPTION...: the strategies that are WANTED are possible, and
# no others; all that are possible count as the CPU does.
strategies()
{
    wanted=$1
    shift
    run --device=cpu "$@" records >cpu
    is "$?" 0 "$*: the CPU counts"
    bad=
    possible=
    for strategy in lane shared packed global; do
        one_strategy $strategy "$@"
        test $done = no || possible="$possible $strategy"
    done
    is "$possible" " $wanted" "$*: these strategies and no others"
    is "$bad" "" "$*: exact, or a clear no"
}

# kernel WANTED OPTION...: the kernel that is chosen for it, and it is exact.
kernel()
{
    wanted=$1
    shift
    run --device=cpu "$@" records >cpu
    run --device=cuda --explain --chunk-size=8000 "$@" records >out 2>err
    is "$?:$(sed -n 's/.*: \([a-z]* (.*)\), up to.*/\1/p' err)" "0:$wanted" \
        "$*: counted by $wanted"
    same out cpu "$*: exact"
}

rm -f ledger
for eager in $eagers; do
    export FAKE_CU_EAGER="$eager"
    strategies "lane shared packed global" --dtype=u1
    strategies "lane shared packed global" --record='u1*3'
    strategies "lane shared packed global" --record='u1,i1*2,u1' --fields=4,2
    strategies "packed global" --dtype=u2
    strategies "packed global" --dtype='>i2' --bins=77 --range=-1000,2000
    strategies "packed global" --dtype='>bf16' --bins=77 --range=-1000,2000
    strategies "lane shared packed global" --dtype=f8e4m3
    strategies "shared global" --record=u1,bf16 --weights=2
    strategies "lane shared packed global" \
        --dtype=f4 --bins=13 --range=-1,1
    strategies "lane shared packed global" --dtype=f4 --bins=14 --range=-1,1
    strategies "shared packed global" --dtype=f4 --bins=5000 --range=-1,1 \
        --numpy
    strategies "lane shared packed global" --dtype=f4 --edges=@edges
    strategies "lane shared packed global" --dtype=f8 \
        --edges=-1e9,0,0.5,1e300 --closed=right
    strategies "lane shared packed global" --dtype='>f4' --log --subdiv=2 \
        --range=1e-3,1e6
    strategies "lane shared packed global" --dtype=u4 --log=10
    strategies "packed global" --record=u1,u1 --joint
    strategies "lane shared packed global" --record=u1,i2,x --joint \
        --bins=2 --range=0,200
    strategies "global" --record=u2,u2,f4 --bins=- --bins=- --bins=9 \
        --range=- --range=- --range=-8,8
    strategies "lane shared packed global" --record=u1,u1,f4 --fields=1,3 \
        --bins=- --bins=9 --range=- --range=-8,8
    strategies "shared global" --record=u1,f4 --weights=2
    strategies "shared global" --record=u2,i8 --weights=2 --bins=20 \
        --range=0,65536
    strategies "shared global" --record=i2,u2,f8 --weights=3 --joint --bins=7 \
        --range=-20000,20000
    strategies "global" --record=u1,u1,f8 --weights=3
done
unset FAKE_CU_EAGER
is "$(complaints ledger)" "" "the ledgers are balanced"

# ---- devices with less shared memory ----

rm -f ledger
kernel "lane (count_bytes)" --dtype=u1
kernel "packed (count_words)" --dtype=u2
kernel "lane (count_bytes_2)" --record='u1*2'
kernel "lane (count_bytes_3)" --record='u1*3'
kernel "lane (count_bytes_3)" --record=u2,u1 --fields=2
kernel "lane (count_bytes_4)" --record='u1*4' --fields=1,3
kernel "lane (count_records_lane)" --record='u1*5'
kernel "lane (count_floats)" --dtype=f4 --bins=1000 --range=-1,1
kernel "shared (count_floats)" --dtype=f4 --bins=20000 --range=-1,1
kernel "lane (count_samples_lane)" --dtype=f8 --bins=1000 --range=-1,1
kernel "shared (count_samples_shared)" --dtype=f8 --bins=20000 --range=-1,1
kernel "packed (count_records_packed)" --record=u1,u1 --joint
kernel "global (count_records_global)" --record=u2,u2
kernel "shared (add_weights_shared)" --record=u1,f4 --weights=2
rm ledger
kernel "global (add_weights_global)" --record=u2,f4 --weights=2
is "$(total 'calls cuModuleGetFunction')" 2 \
    "weights: the kernel that carries is at hand"
for shared in 49152 65536 101376; do
    export FAKE_CU_SHARED=$shared
    kernel "lane (count_bytes)" --dtype=u1
    kernel "global (count_samples_global)" --dtype=u2
    kernel "lane (count_bytes_4)" --record='u1*4'
    kernel "lane (count_floats)" --dtype=f4 --bins=1000 --range=-1,1
    cells=$((shared / 8))
    kernel "shared (count_floats)" --dtype=f4 --range=-1,1 --bins=$((cells - 3))
    kernel "shared (count_samples_shared)" --dtype=f4 --range=-1,1 \
        --bins=$((cells - 2))
    # 71 planes, and just as many cells as have room.
    bins=$((shared / 72 / 8 - 3))
    kernel "shared (add_weights_shared)" --record=f8,f8 --weights=2 \
        --bins=$bins --range=-1,1
    kernel "global (add_weights_global)" --record=f8,f8 --weights=2 \
        --bins=$((bins + 10)) --range=-1,1
    cells=$((shared / 128))
    kernel "lane (count_samples_lane)" --dtype=u4 --range=0,1e9 \
        --bins=$((cells - 2))
    kernel "shared (count_samples_shared)" --dtype=u4 --range=0,1e9 \
        --bins=$((cells - 1))
    cells=$((shared / 4))
    kernel "shared (count_samples_shared)" --dtype=u4 --range=0,1e9 \
        --bins=$((cells - 2))
    kernel "packed (count_samples_packed)" --dtype=u4 --range=0,1e9 \
        --bins=$((cells - 1))
    kernel "packed (count_samples_packed)" --dtype=u4 --range=0,1e9 \
        --bins=$((cells * 2 - 2))
    kernel "global (count_samples_global)" --dtype=u4 --range=0,1e9 \
        --bins=$((cells * 2 - 1))
    run --device=cuda --dtype=u2 --strategy=packed records >out 2>err
    is "$?:$(cat out):$(cat err)" "3::gpuhist: cuda:0 (Fake GPU 0): \
--tune=strategy=packed is not possible: the device has too little shared memory" \
        "$shared bytes of shared memory: too little for u2 packed"
done
unset FAKE_CU_SHARED
is "$(complaints ledger)" "" "the ledgers are balanced"

# A strategy concerns only the GPU: if it is not possible, auto does without.
run --device=cpu --dtype=u2 records >cpu
run --gpu-after=0 --dtype=u2 --strategy=lane records >out 2>err
is "$?:$(cat err)" 0: "auto with a strategy that is not possible: exit 0"
same out cpu "auto with a strategy that is not possible: exact"

# ---- tables above 64 KiB are copied only now and then ----

# The last small one and the first large one: with 8192 cells, and with more.
rm -f ledger
run --device=cpu --dtype=u4 --bins=8190 --range=0,1e9 records >cpu
exact "64 KiB" --dtype=u4 --bins=8190 --range=0,1e9 --chunk-size=4096 records
is "$(total 'calls cuMemcpyDtoHAsync_v2')" 59 "64 KiB: copied for each chunk"
is "$(total 'calls cuMemcpyDtoDAsync_v2')" 0 "64 KiB: never on the device"
rm -f ledger
run --device=cpu --dtype=u4 --bins=8191 --range=0,1e9 records >cpu
exact "64 KiB and 8" --dtype=u4 --bins=8191 --range=0,1e9 --chunk-size=4096 \
    records
is "$(total 'calls cuMemcpyDtoHAsync_v2')" 1 "64 KiB and 8: copied at the end"
is "$(total 'calls cuMemcpyDtoDAsync_v2')" 0 "64 KiB and 8: never on the device"

# With two devices a large table is copied now and then: each must be ready to
# go on for the other.
rm -f ledger
export FAKE_CU_DEVICES=2
run --device=cpu --dtype=f8 --bins=9000 --range=-1,1 data >cpu
for chunk in 4096 16384; do
    exact "cuda:0,1: 72 KiB, chunks of $chunk" --gpu-after=0 \
        --device=cuda:0,1 --dtype=f8 --bins=9000 --range=-1,1 \
        --chunk-size=$chunk data
done
unset FAKE_CU_DEVICES
copies=$(total 'calls cuMemcpyDtoHAsync_v2')
is "$((copies >= 4 && copies < 200))" 1 \
    "cuda:0,1: 72 KiB: copied $copies times, for 641 chunks"
is "$(total 'calls cuMemcpyDtoDAsync_v2')" "$copies" \
    "cuda:0,1: 72 KiB: each time first on the device"

# trickle FILE SIZE TIMES: some bytes at a time, then the rest.
trickle()
{
    {
        "$DRIBBLE" "$2" "$3"
        cat
    } <"$1"
}

# large OPTION...: the file "big" in every way; adds to $bad.
large()
{
    run --device=cpu "$@" big >cpu
    for chunk in 1 1000 4096 30000 65536 1048576; do
        # Chunks of a record each are for less.
        case $chunk in
        1)
            head -c 6000 big >in
            run --device=cpu "$@" in >wanted
            ;;
        *)
            cp big in
            cp cpu wanted
            ;;
        esac
        for way in file pipe trickle; do
            case $way in
            file) run --device=cuda --chunk-size=$chunk "$@" in >out 2>err ;;
            pipe)
                # shellcheck disable=SC2002 # a pipe is wanted
                cat in | run --device=cuda --chunk-size=$chunk "$@" >out 2>err
                ;;
            trickle)
                trickle in 501 3 |
                    run --device=cuda --chunk-size=$chunk "$@" >out 2>err
                ;;
            esac
            status=$?
            if [ $status -ne 0 ] || [ -s err ] || ! cmp -s out wanted; then
                bad="$bad $way:$chunk:$status"
            fi
        done
    done
}

# few TABLE OTHER OPTION...: the same with 2 to 9 chunks, beside tables of
# TABLE bytes and OTHER bytes that are there once; adds to $bad.
few()
{
    table=$1
    other=$2
    shift 2
    for chunk in 4096 65536; do
        for chunks in 2 3 5 9; do
            limit=$((3 * table + other + 2 * chunks * chunk))
            run --device=cuda --explain --chunk-size=$chunk \
                --memory-limit=$limit "$@" big >out 2>err
            status=$?
            if [ $status -ne 0 ] || ! cmp -s out cpu; then
                bad="$bad $chunks:$chunk:$status"
            fi
            # A chunk is whole records.
            grep -q "chunks: $chunks of" err || bad="$bad $(grep chunks err)"
            trickle big 10001 3 | run --device=cuda --chunk-size=$chunk \
                --memory-limit=$limit "$@" >out 2>err
            status=$?
            if [ $status -ne 0 ] || [ -s err ] || ! cmp -s out cpu; then
                bad="$bad trickle:$chunks:$chunk:$status"
            fi
        done
    done
}

head -c 1081080 data >big
rm -f ledger
for eager in $eagers; do
    export FAKE_CU_EAGER="$eager"
    bad=
    large --dtype=u2
    is "$bad" "" "u2: all chunk sizes, from files and pipes"
    bad=
    few 524288 524288 --dtype=u2
    is "$bad" "" "u2: few chunks"
    bad=
    large --dtype=f8 --bins=9000 --range=-1,1
    is "$bad" "" "f8: all chunk sizes, from files and pipes"
    bad=
    few 72024 0 --dtype=f8 --bins=9000 --range=-1,1
    is "$bad" "" "f8: few chunks"
    bad=
    large --record=u1,f8,f4,x*2 --weights=3 --edges=- --edges=@edges
    is "$bad" "" "weights: all chunk sizes, from files and pipes"
    # 299 cells, 14 planes; 41 edges, and a table of 256 cells
    bad=
    few 33488 1352 --record=u1,f8,f4,x*2 --weights=3 --edges=- --edges=@edges
    is "$bad" "" "weights: few chunks"
done
unset FAKE_CU_EAGER
is "$(complaints ledger)" "" "the ledgers are balanced"

# A device waits for more before it copies a large table.
rm -f ledger
run --device=cpu --dtype=f8 --bins=9000 --range=-1,1 big >cpu
trickle big 4096 20 | run --device=cuda --chunk-size=4096 --dtype=f8 \
    --bins=9000 --range=-1,1 >out 2>err
is "$?:$(cat err)" 0: "a trickle: exit 0, silent"
same out cpu "a trickle: exact"
copies=$(total 'calls cuMemcpyDtoHAsync_v2')
is "$((copies <= 8))" 1 "a trickle: the table was copied $copies times"

export FAKE_CU_LIE=1
run --device=cuda --chunk-size=4096 --dtype=f8 --bins=9000 --range=-1,1 big \
    >out 2>err
is "$?:$(cat out):$(cat err)" "1::gpuhist: internal error: the counts do not \
add up to the 1081080 bytes read" \
    "a GPU that loses count in a large table: internal error"
run --device=cuda --chunk-size=4096 --record=f4,f4 --weights=2 --bins=9 \
    --range=-1,1 big >out 2>err
is "$?:$(cat out):$(cat err)" \
    "3::gpuhist: cuda:0 (Fake GPU 0): the counts do not add up" \
    "a GPU that loses count in a small table with weights"
unset FAKE_CU_LIE

# Two devices, each with held chunks, and few chunks for both.
rm -f ledger
export FAKE_CU_DEVICES=2
for chunks in 2 3 4 20; do
    exact "cuda:0,1, a large table, $chunks chunks" --gpu-after=0 \
        --device=cuda:0,1 --chunk-size=4096 \
        --memory-limit=$((5 * 72024 + 2 * 4096 * chunks)) \
        --dtype=f8 --bins=9000 --range=-1,1 big
done
export FAKE_CU_KERNEL_MS=1
exact "cuda:0,1, a large table, slow" --gpu-after=0 --device=cuda:0,1 \
    --chunk-size=8192 --dtype=f8 --bins=9000 --range=-1,1 big
unset FAKE_CU_KERNEL_MS FAKE_CU_DEVICES
is "$(complaints ledger)" "" "the ledgers are balanced"

done_testing
