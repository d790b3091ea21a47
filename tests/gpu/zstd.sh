# SPDX-License-Identifier: MIT
# zstd.sh -- a real GPU decodes and counts zstd as the CPU does
# shellcheck shell=sh

. "${srcdir:?run it by make check-gpu}/tests/tap.sh"

"$GPUHIST" --device=cuda </dev/null >/dev/null 2>&1 ||
    skip_all 'no usable GPU'
test "$HAVE_ZSTD" = yes || skip_all 'built without libzstd'
command -v zstd >/dev/null || skip_all 'no zstd'

# Several batches of a GPU, of lines that repeat others near and far.
LC_ALL=C awk 'BEGIN {
    for (i = 0; i < 3000000; i++) {
        x = i * 7919 % 899809
        printf "10.%d.%d.%d - - [22/Nov/2026:%02d:%02d:%02d] \"GET /item/%d\" " \
            "%d %d \"https://example.org/start\" \"agent %d\"\n", \
            x % 9, x % 250, x % 90, i / 3600 % 24, i / 60 % 60, i % 60, x, \
            200 + x % 3, x % 9973, x % 40
    }
}' >text
{
    cat text
    head -c 100000000 /dev/zero
    head -c 30000000 /dev/urandom
    cat text
} >mixed
zstd -qc text >text.zst || exit 99
zstd -qc --no-check mixed >mixed.zst
# Windows so large that there is no room for more than three batches.
zstd -qc --long=27 mixed >long.zst
split -b 1000000 --filter='zstd -qc' mixed >frames.zst
split -b 100000 --filter='zstd -qc --no-check' text >small.zst
split -b 7000000 --filter='zstd -qc' mixed >large.zst

while read -r file options; do
    # shellcheck disable=SC2086 # they are several options
    "$GPUHIST" -q --device=cpu --gpu-decode=never $options "$file" >cpu
    # In 500 MiB there is no room for the largest windows.
    for device in 'cuda --memory-limit=500Mi' 'cuda --chunk-size=1000003' \
        auto cuda; do
        # shellcheck disable=SC2086 # likewise
        "$GPUHIST" -q --gpu-decode=always --explain --device=$device $options \
            "$file" >gpu 2>explain
        same cpu gpu "$file $options, $device"
    done
    grep -q 'decoded by a GPU' explain
    ok $? '... it was the GPU that decoded'
done <<'INPUTS'
text.zst
text.zst -W -f 7
mixed.zst
mixed.zst --dtype=u4 -b1000 --range=0,4294967296 --partial=drop
long.zst
long.zst --record=x*1,u2 --bins=10 --partial=drop
frames.zst
frames.zst --dtype=u4 -b1000 --range=0,4294967296 --partial=drop
small.zst -W -f 1
small.zst
large.zst
large.zst --dtype=f4 -b300 --range=-9,9 --partial=drop
INPUTS

"$GPUHIST" -q --device=cpu text.zst long.zst frames.zst small.zst >cpu
"$GPUHIST" -q --device=cuda --gpu-decode=always text.zst long.zst frames.zst \
    small.zst >gpu
same cpu gpu 'several files'

# Several at a time, of which one is damaged, one has no checksums, and one ends
# too early.
split -n l/6 text part.
n=0
for part in part.*; do
    n=$((n + 1))
    zstd -qc -$n "$part" >part$n.zst || exit 99
done
zstd -qc --no-check part.ab >part2.zst
cp part3.zst damaged.zst
printf '\377' | dd of=damaged.zst bs=1 seek=3000000 conv=notrunc 2>/dev/null
head -c 2000000 part4.zst >cut.zst
for files in 'part1.zst part2.zst part3.zst part4.zst part5.zst part6.zst' \
    'part1.zst damaged.zst part2.zst cut.zst part3.zst text.zst'; do
    # shellcheck disable=SC2086 # they are several files
    "$GPUHIST" -q --device=cpu --gpu-decode=never -W -f 7 $files >cpu 2>cpu.err
    status=$?
    for device in auto cuda; do
        # shellcheck disable=SC2086 # likewise
        "$GPUHIST" -q --device=$device --gpu-decode=always -W -f 7 $files \
            >gpu 2>gpu.err
        is $? $status "$device, at a time: $files"
        same cpu gpu '... the same counts'
        same cpu.err gpu.err '... the same messages'
    done
done

done_testing
