# SPDX-License-Identifier: MIT
# bgzf.sh -- a real GPU decodes and counts BGZF as the CPU does
# shellcheck shell=sh

. "${srcdir:?run it by make check-gpu}/tests/tap.sh"

"$GPUHIST" --device=cuda </dev/null >/dev/null 2>&1 ||
    skip_all 'no usable GPU'
test "$HAVE_GZIP" = yes || skip_all 'built without ISA-L and zlib'
command -v bgzip >/dev/null || skip_all 'no bgzip'

# Several batches of a GPU: reads, and lines that repeat others near and far.
LC_ALL=C awk 'BEGIN {
    srand(1)
    for (i = 0; i < 300000; i++) {
        s = q = ""
        for (k = 0; k < 50; k++) {
            s = s substr("ACGT", 1 + int(rand() * 4), 1)
            q = q substr("FFFFFF:,#", 1 + int(rand() * 9), 1)
        }
        printf "@A:1:H:%d:%d\n%s%s\n+\n%s%s\n", i % 90, i, s, s, q, q
    }
}' >reads.fq
LC_ALL=C awk 'BEGIN {
    for (i = 0; i < 1500000; i++) {
        x = i * 7919 % 899809
        printf "10.%d.%d.%d - - [22/Nov/2026:%02d:%02d:%02d] \"GET /item/%d\" " \
            "%d %d \"https://example.org/start\" \"agent %d\"\n", \
            x % 9, x % 250, x % 90, i / 3600 % 24, i / 60 % 60, i % 60, x, \
            200 + x % 3, x % 9973, x % 40
    }
}' >text
{
    cat text
    head -c 50000000 /dev/zero
    head -c 30000000 /dev/urandom
    cat reads.fq
} >mixed
# Some reads do not have four lines, so that the GPU's sketches do not fit.
LC_ALL=C awk 'NR % 40000 == 2 {
    print substr($0, 1, 7)
    $0 = substr($0, 8)
} NR % 40000 == 1 {
    print ">f" NR "\nACGT\nA"
} { print }' reads.fq >odd.fq
for file in reads.fq odd.fq text mixed; do
    bgzip -c $file >$file.gz || exit 99
done
# A longer member, which is no block, between blocks.
{
    cat text.gz
    gzip -c reads.fq
    cat reads.fq.gz
} >between.gz
# A bad block in the middle.
cp text.gz bad.gz
printf '\377\377\377' | dd of=bad.gz bs=1 seek=2000000 conv=notrunc 2>/dev/null

while read -r file options; do
    # shellcheck disable=SC2086 # they are several options
    "$GPUHIST" -q --device=cpu --gpu-decode=never $options "$file" >cpu 2>cpu.err
    status=$?
    for device in 'cuda --memory-limit=500Mi' 'cuda --chunk-size=1000003' \
        auto cuda; do
        # shellcheck disable=SC2086 # likewise
        "$GPUHIST" -q --gpu-decode=always --explain --device=$device $options \
            "$file" >gpu 2>explain
        is $? $status "$file $options, $device: status"
        same cpu gpu "$file $options, $device"
    done
    grep -q 'BGZF: .* decoded by a GPU' explain
    ok $? '... it was the GPU that decoded'
    is "$(grep corrupt explain)" "$(grep corrupt cpu.err)" '... same message'
    case $options in
    --seq*)
        grep -q 'a GPU found the records' explain
        ok $? '... and found the records'
        ;;
    esac
done <<'INPUTS'
text.gz
text.gz -W -f 7
reads.fq.gz
reads.fq.gz --seq
reads.fq.gz --seq -f position,quality
reads.fq.gz --seq -f length
odd.fq.gz --seq
odd.fq.gz --seq -f length
mixed.gz
mixed.gz --dtype=u4 -b1000 --range=0,4294967296 --partial=drop
between.gz
between.gz -l --top=50
bad.gz
INPUTS

"$GPUHIST" -q --device=cpu text.gz reads.fq.gz mixed.gz >cpu
"$GPUHIST" -q --device=cuda --gpu-decode=always text.gz reads.fq.gz mixed.gz >gpu
same cpu gpu 'several files'

done_testing
