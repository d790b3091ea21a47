# equality.sh -- a real GPU counts what the CPU counts, on every kind of data
# shellcheck shell=sh

. "${srcdir:?run it by make check-gpu}/tests/tap.sh"

"$GPUHIST" --device=cuda </dev/null >/dev/null 2>&1 ||
    skip_all 'no usable GPU'

head -c 20000000 /dev/urandom >random
head -c 20000000 /dev/zero >constant
yes ACGTTGCAAC | head -c 20000000 >acgt
yes 'GET /index.html HTTP/1.1 200 1043 "Mozilla/5.0"' | head -c 20000000 >text
od -An -v -tx1 -w1 random | head -c 20000000 | LC_ALL=C sort >sorted

for data in random constant acgt text sorted; do
    "$GPUHIST" --device=cpu $data >cpu
    for chunk in 4095 65536 1Mi 2Mi 32Mi; do
        "$GPUHIST" --device=cuda --chunk-size=$chunk --explain $data \
            >gpu 2>explain
        same cpu gpu "$data in chunks of $chunk"
    done
done
grep -q "cuda:0 .*counted $(stat -c %s sorted) bytes" explain
ok $? 'it was the GPU that counted'

# Around every boundary: of a vector, of a chunk, of a pool.
bad=0
for size in 1 15 16 17 4095 4096 4097 65535 65536 65537 131071 131072 131073 \
    8388607 8388608 8388609; do
    head -c $size random >part
    "$GPUHIST" --device=cpu part >cpu
    "$GPUHIST" --device=cuda --chunk-size=65536 part >gpu
    cmp -s cpu gpu || bad=$((bad + 1))
done
is $bad 0 'sizes around the boundaries'

# The CPU begins, the GPU joins, both count.
"$GPUHIST" --device=cpu random random >cpu
{ cat random; sleep 2; cat random; } |
    "$GPUHIST" --gpu-after=1 --explain >both 2>explain
same cpu both 'CPU and GPU together'
bytes=$(sed -n 's/.* counted \([0-9]*\) bytes.*/\1/p' explain | tr '\n' ' ')
case "$bytes" in
    0\ * | *\ 0\ ) ok 1 "both counted: $bytes" ;;
    *) ok 0 "both counted: $bytes" ;;
esac

# Several GPUs share one input.
if "$GPUHIST" --list-devices | grep -q '^cuda:1'; then
    truncate -s 400M large
    cat random text >>large
    "$GPUHIST" --device=cpu large >cpu
    "$GPUHIST" --device=cuda:0,1 --explain large >gpu 2>explain
    same cpu gpu 'two GPUs together'
    is "$(grep -c 'cuda:[01] .*counted [1-9]' explain)" 2 'both counted'
else
    skip 'two GPUs together' 'there is one'
fi

# More than 32 bits in one bin.
truncate -s 5G sparse
"$GPUHIST" --device=cuda --nonzero sparse >gpu
is "$(cat gpu)" "0	5368709120" 'one value 5 Gi times'

done_testing
