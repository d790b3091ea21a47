# SPDX-License-Identifier: MIT
# bgzf.sh -- a GPU decodes BGZF, refuses, fails and hangs in the middle
#
# Over the driver of tests/fake, whose streams are as late as they may be.
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"
# shellcheck source=tests/driver_calls.sh
. "$srcdir/tests/driver_calls.sh"

test "$HAVE_NVCC" = yes || skip_all "no kernels: no driver is ever loaded"
test "$HAVE_GZIP" = yes || skip_all 'built without ISA-L and zlib'
test -f "$FAKE_CUDA_DIR/libcuda.so.1" || exit 99
command -v bgzip >/dev/null || skip_all 'no bgzip'
export LD_LIBRARY_PATH="$FAKE_CUDA_DIR" FAKE_CU_DEVICES=2

# flip FILE BYTE NEW: NEW is FILE with other bits in a byte.
flip()
{
    flip_byte=$(od -An -tu1 -j "$2" -N 1 "$1")
    cp "$1" "$3"
    # shellcheck disable=SC2059 # an escape
    printf "\\$(printf %o $((flip_byte ^ 255)))" |
        dd of="$3" bs=1 seek="$2" conv=notrunc 2>/dev/null
}

LC_ALL=C awk 'BEGIN {
    for (i = 0; i < 45000; i++) {
        x = i * 7919 % 89989
        printf "10.0.%d.%d,key%d,%d,\"GET /p%d\"\n", x % 9, x % 250, x % 90, x, \
            x % 3000
    }
}' >text
head -c 100000 text >short
noise 300000 >random
for level in 0 1 6 9; do
    bgzip -l $level -c text >l$level.gz || exit 99
done
bgzip -c random >random.gz
head -c 3000000 /dev/zero | bgzip -c >zeros.gz
: | bgzip -c >empty.gz
# Blocks end in the middle, and blocks without content are between others.
for i in 1 2 3 4 5 6 7 8 9; do
    tail -c "+${i}0000" short | head -c $((i * 7000)) | bgzip -c
done >many.gz
# The file lacks the empty block at its end, which has 28 bytes.
head -c -28 l6.gz >endless.gz
# A member between blocks that is no block, longer ones, and zeros at the end.
{
    cat many.gz
    gzip -c short
    cat l6.gz
    gzip -c text
    cat many.gz
    head -c 5000 /dev/zero
} >mixed.gz
cat many.gz text >garbage.gz
size=$(wc -c <l6.gz)
head -c $((size / 2)) l6.gz >cut.gz
flip l6.gz $((size / 2)) flip.gz
# Of the last block with content: the checksum, the length.
flip l6.gz $((size - 36)) sum.gz
flip l6.gz $((size - 30)) length.gz
cp text text.bin

run()
{
    timeout 60 "$GPUHIST" --chunk-size=64Ki --memory-limit=120M "$@"
}

# The blocks that a GPU has decoded.
decoded()
{
    sed -n 's/.*BGZF: \([0-9]*\) blocks* decoded by a GPU.*/\1/p' err
}

# The blocks of a file.
blocks_of()
{
    bgzip -dc "$1" >whole && echo $((($(wc -c <whole) + 65279) / 65280 + 1))
}

# ---- nobody fails ----

all=$(blocks_of l6.gz)
turn=0
while read -r blocks file options; do
    turn=$((turn + 1))
    # shellcheck disable=SC2086 # they are several options
    run --device=cpu $options "$file" >cpu 2>cpu.err
    status=$?
    way=0
    for more in '' -j1 '--device=cuda:1 -j3'; do
        way=$((way + 1))
        expensive || test $((turn % 3)) = $((way % 3)) || continue
        rm -f ledger
        # shellcheck disable=SC2086 # likewise
        FAKE_CU_LEDGER=ledger run --gpu-decode=always --explain $more $options \
            "$file" >out 2>err
        is "$?:$(complaints)" "$status:" "$options $file $more: the ledger is balanced"
        same out cpu "$options $file $more: exact"
        is "$(decoded)" "${blocks#-}" "$options $file $more: by the GPU"
        # A failed input is named as ever.
        is "$(grep 'corrupt\|truncated\|not a gzip' err)" \
            "$(grep 'corrupt\|truncated\|not a gzip' cpu.err)" \
            "$options $file $more: same message"
    done
done <<INPUTS
$(blocks_of l0.gz) l0.gz
$all l1.gz
$all l6.gz
$all l9.gz
$(blocks_of random.gz) random.gz
$(blocks_of zeros.gz) zeros.gz
1 empty.gz
18 many.gz
$((all - 1)) endless.gz
$((all + 36)) mixed.gz
18 garbage.gz
$all l6.gz --csv -f2
$all l6.gz --csv -f3 --bins=9 --range=0,45000 --device=auto
$all l6.gz --dtype=u2
$all l1.gz --record=x*1,u2 --bins=10 --partial=drop
$all l6.gz --csv -f2,4 --skip-bytes=4321
- text.bin
INPUTS
# Readers would divide the blocks of records that may go on anywhere.  Most
# reads have four lines, so that their sketches count; in odd ones some do not.
LC_ALL=C awk 'BEGIN {
    for (i = 0; i < 9000; i++) {
        s = substr("ACGTTGCAAGCTTCGAACGGTTAACCAGTC", 1 + i * 7 % 20, 10)
        printf "@%d\n%s%s%s%s\n+\n%s%s%s%s\n", i * 7919, s, s, s, s, s, s, s, s
    }
}' >reads
bgzip -l 1 -c reads >reads.gz
LC_ALL=C awk 'NR % 4000 == 2 {
    print substr($0, 1, 7)
    $0 = substr($0, 8)
} NR % 4000 == 1 {
    print ">f" NR "\nACGT\nA"
} { print }' reads | bgzip -l 1 -c >odd.gz
awk 'NR == 20000 { $0 = $0 "x" } { print }' reads | bgzip -l 1 -c >wrong.gz
for options in '--csv -f2 l0.gz' '--csv -f2 l1.gz' '--seq reads.gz' \
    '--seq -f length reads.gz' '--seq odd.gz' '--seq -f length odd.gz'; do
    file=${options##* }
    for threads in 1 4; do
        # shellcheck disable=SC2086 # they are several options
        "$GPUHIST" --device=cpu $options >cpu || exit 99
        # shellcheck disable=SC2086 # likewise
        timeout 60 "$GPUHIST" --gpu-decode=always --explain -j$threads \
            $options >out 2>err
        same out cpu "$options, $threads threads, larger chunks: exact"
        is "$(decoded)" "$(blocks_of "$file")" '... all by the GPU'
    done
done
# The reader looks at the first chunk, at the blocks of which another chunk has a
# part, and at those with an odd read.
for file in reads:3 odd:16; do
    timeout 60 "$GPUHIST" --gpu-decode=always --explain --chunk-size=256Ki --seq \
        ${file%:*}.gz 2>err >out
    found=$(sed -n 's/.*found the records in \([0-9]*\) bytes.*/\1/p' err)
    bgzip -dc ${file%:*}.gz >whole
    is $((found * ${file#*:} > $(wc -c <whole))) 1 "${file%:*}.gz: by sketches"
done

for chunk in 4096 64Ki 1Mi; do
    run --device=cpu --seq wrong.gz >cpu 2>cpu.err
    status=$?
    run --gpu-decode=always --chunk-size=$chunk --seq wrong.gz >out 2>err
    is "$?:$(cat err)" "$status:$(cat cpu.err)" "a wrong read, $chunk: same message"
    run --gpu-decode=always --chunk-size=$chunk --device=cuda --seq odd.gz >out
    run --device=cpu --seq odd.gz >cpu
    same out cpu "odd reads, $chunk: exact"
done

# What is wrong, the library says.
for file in cut flip sum length; do
    run --device=cpu $file.gz >cpu 2>cpu.err
    status=$?
    run --gpu-decode=always --explain $file.gz >out 2>err
    is "$?" $status "$file.gz: same status"
    same out cpu "$file.gz: as by the CPU"
    is "$(grep 'corrupt\|truncated' err)" "$(grep 'corrupt\|truncated' cpu.err)" \
        "$file.gz: same message"
    is $(($(decoded) > 3)) 1 "$file.gz: the GPU has decoded the blocks before"
    run --device=cpu --per-file many.gz $file.gz l6.gz >cpu 2>cpu.err
    run --gpu-decode=always --per-file many.gz $file.gz l6.gz >out 2>err
    same out cpu "$file.gz among others, --per-file: as by the CPU"
done

# Several files, one after the other, and shards of them.
cp l6.gz more.gz
for options in '-j4 l6.gz more.gz' '-l -j4 l6.gz l0.gz more.gz'; do
    # shellcheck disable=SC2086 # they are several options
    run --device=cpu $options >cpu
    # shellcheck disable=SC2086 # likewise
    run --gpu-decode=always --explain $options >out 2>err
    same out cpu "several files, $options: exact"
    is $(($(decoded) * 4 >= 3 * 2 * all)) 1 '... by the GPU'
done
for shard in 1 2 3; do
    run --device=cpu -l -j4 --shard=$shard/3 l6.gz many.gz >cpu || exit 99
    run --gpu-decode=always -l -j4 --shard=$shard/3 l6.gz many.gz >out
    same out cpu "shard $shard: exact"
done

# What the same GPU counts it copies from its own memory, but for what precedes
# it in a chunk.
while read -r file options; do
    # shellcheck disable=SC2086 # they are several options
    run --device=cpu $options "$file" >cpu
    for device in cuda:1,0 cuda; do
        rm -f ledger
        # shellcheck disable=SC2086 # likewise
        FAKE_CU_LEDGER=ledger run --memory-limit=400M --device=$device \
            --gpu-decode=always $options "$file" >out
        is "$?:$(complaints)" 0: "$device, $options $file: the ledger is balanced"
        same out cpu "$device, $options $file: exact"
    done
    copies=$(sed -n 's/^calls cuMemcpyDtoDAsync_v2 //p' ledger)
    is $((copies > 0)) 1 '... copied within the GPU'
done <<'INPUTS'
l6.gz
l1.gz -l
l6.gz --csv -f2
many.gz --record=x*1,u2 --bins=10 --partial=drop
reads.gz --seq
odd.gz --seq -f length
INPUTS

if test "$HAVE_ZSTD" = yes && command -v zstd >/dev/null; then
    zstd -qc text >text.zst
    run --device=cpu text.zst l6.gz text.zst many.gz >cpu
    FAKE_CU_LEDGER=ledger run --gpu-decode=always --explain text.zst l6.gz \
        text.zst many.gz >out 2>err
    same out cpu 'files of zstd and of BGZF: exact'
    is "$(complaints)" '' '... and the ledger is balanced'
    is "$(grep -c 'decoded by a GPU' err)" 2 '... both by the GPU'
else
    skip 'files of zstd and of BGZF' 'no zstd'
fi

run --state=cpu.state l1.gz many.gz >/dev/null
run --gpu-decode=always --state=gpu.state l1.gz many.gz >/dev/null
same gpu.state cpu.state '--state: the same parts, with the same digests'
# shellcheck disable=SC2002 # a pipe is what is wanted
cat l6.gz | run --gpu-decode=always -v >out 2>err
run --device=cpu l6.gz >cpu
same out cpu 'a pipe: exact'
is "$(grep -c 'a GPU had nothing to decode' err)" 1 'a pipe: -v says that it has no use'

# What a file has got since the walk through it, the CPU decodes.
mkfifo gate go
cp many.gz grows.gz
{
    timeout 60 head -n 1 gate >line
    cat many.gz >>grows.gz
    echo >go
} &
FAKE_CU_GATE=cuLaunchKernel:1:gate FAKE_CU_FAIL=cuLaunchKernel:1:1:late \
    FAKE_CU_LATE_FIFO=go run --gpu-decode=always grows.gz >out
status=$?
wait
cat many.gz many.gz >twice.gz
run --device=cpu twice.gz >cpu
is "$status:$(wc -l <line)" 0:1 'a file grows while the GPU decodes'
same out cpu '... exact'

# ---- each call fails, or hangs ----

rm -f ledger
FAKE_CU_LEDGER=ledger run --gpu-decode=always -j2 l6.gz >cpu
list_calls
each_call_fails 0 -j2 l6.gz
calls_failed

# Its own checksum finds out what is wrong.
FAKE_CU_LIE=1 run --gpu-decode=always --explain l6.gz >out 2>err
same out cpu 'a device that decodes wrongly: exact'
is $(($(decoded) < all)) 1 '... the CPU has decoded the rest'

done_testing
