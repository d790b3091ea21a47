# count.sh -- the whole CUDA path counts exactly, whatever the sizes
#
# Over the driver of tests/fake, whose streams are as late as they may be.
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

test "$HAVE_NVCC" = yes || skip_all "no kernels: no driver is ever loaded"
test -f "$FAKE_CUDA_DIR/libcuda.so.1" || exit 99
export LD_LIBRARY_PATH="$FAKE_CUDA_DIR"

run()
{
    timeout 30 "$GPUHIST" "$@"
}

# What a ledger says is wrong: whatever is not 0.
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
        for eager in 0 1 copies; do
            export FAKE_CU_EAGER=$eager
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
exact "two chunks only" --chunk-size=4096 --memory-limit=8192 ab

export FAKE_CU_START_MS=300
exact "a slow start" --chunk-size=4096 ab
unset FAKE_CU_START_MS

export FAKE_CU_NOREGISTER=1
exact "no pinned memory" --chunk-size=4096 ab
run --device=cuda --explain ab 2>err >out
is "$(grep -c 'cuda:0 .* counted 177777 bytes' err)" 1 \
    "no pinned memory: the GPU counted"
unset FAKE_CU_NOREGISTER

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
exact "cuda:0,1" --device=cuda:0,1 --chunk-size=4096 ab
exact "cuda:1,0" --device=cuda:1,0 --chunk-size=4096 ab
exact "cuda:0,1, two chunks only" --device=cuda:0,1 --chunk-size=4096 \
    --memory-limit=8192 ab

# While the kernels of one are slow, the other one finds chunks.
export FAKE_CU_KERNEL_MS=20
run --device=cuda:0,1 --explain --chunk-size=4096 ab >out 2>err
is "$?" 0 "two slow GPUs: exit 0"
same out cpu "two slow GPUs: exact"
sed -n 's/.*\(cuda:[01]\) .* counted \([0-9]*\) bytes.*/\1 \2/p' err |
    awk '$2 > 0 { n++ } { sum += $2 } END { print n ":" sum }' >got
is "$(cat got)" "2:177777" "two slow GPUs: both counted, all in all everything"
unset FAKE_CU_KERNEL_MS

run --device=cpu empty >cpu
exact "cuda:0,1, empty input" --device=cuda:0,1 empty
is "$(complaints ledger)" "" "the ledgers are balanced"

done_testing
