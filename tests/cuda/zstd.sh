# SPDX-License-Identifier: MIT
# zstd.sh -- a GPU decodes zstd, refuses, fails and hangs in the middle
#
# Over the driver of tests/fake, whose streams are as late as they may be.
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"
# shellcheck source=tests/driver_calls.sh
. "$srcdir/tests/driver_calls.sh"
# shellcheck source=tests/zstd_files.sh
. "$srcdir/tests/zstd_files.sh"

need_zstd 2

LC_ALL=C awk 'BEGIN {
    for (i = 0; i < 45000; i++) {
        x = i * 7919 % 89989
        printf "10.0.%d.%d,key%d,%d,\"GET /p%d\"\n", x % 9, x % 250, x % 90, x, \
            x % 3000
    }
}' >text
head -c 100000 text >short
for level in 1 3 7 19; do
    zstd -q -$level --check <text >"l$level.zst" || exit 99
done
zstd -q --no-check -B32768 text -o plain.zst || exit 99
{
    for i in 1 2 3 4 5 6 7 8 9 10; do
        tail -c "+${i}0000" short | head -c $((i * 7000)) | zstd -q -c --check
    done
    printf '\120\052\115\030\003\000\000\000abc'
    zstd -qc short l3.zst
    : | zstd -qc
} >many.zst
# One of many checksums is wrong: the last byte of the sixth frame.
for i in 1 2 3 4 5 6 7 8 9; do
    tail -c "+${i}0000" short | head -c $((i * 3000)) | zstd -q -c --check >frame
    test "$i" != 6 || {
        head -c -1 frame
        tail -c 1 frame | tr '\000-\377' '\001-\377\000'
    } >other
    test "$i" != 6 || mv other frame
    cat frame
done >wrong.zst
zstd -qt wrong.zst 2>/dev/null && exit 99
head -c 90000 l3.zst >cut.zst
cp l3.zst flip.zst
printf '\377' | dd of=flip.zst bs=1 seek=120000 conv=notrunc 2>/dev/null
cat many.zst cut.zst >tail.zst
cp text text.bin
: | zstd -q --check -o empty.zst || exit 99

run()
{
    timeout 60 "$GPUHIST" --chunk-size=64Ki --memory-limit=120M "$@"
}

# ---- nobody fails ----

turn=0
while read -r frames file options; do
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
        is "$(sed -n 's/.*zstd: \([0-9]*\) frames* decoded by a GPU.*/\1/p' err)" \
            "${frames#-}" "$options $file $more: by the GPU"
        # A failed input is named as ever.
        is "$(grep 'corrupt\|truncated' err)" "$(grep 'corrupt\|truncated' cpu.err)" \
            "$options $file $more: same message"
    done
done <<'INPUTS'
1 l1.zst
1 l3.zst
1 l7.zst
1 l19.zst
1 plain.zst
13 many.zst
1 l3.zst --csv -f2
1 l3.zst --csv -f3 --bins=9 --range=0,45000 --device=auto
1 l3.zst -l --shard=1/3
1 l3.zst --dtype=u2
1 plain.zst --record=x*1,u2 --bins=10 --partial=drop
1 l7.zst --csv -f2,4 --skip-bytes=4321
10 many.zst --read-bytes=300000
- text.bin
- cut.zst
- flip.zst
- l3.zst --read-bytes=1
1 empty.zst
5 wrong.zst
5 wrong.zst -l --per-file
13 tail.zst
INPUTS

# Files wait for the GPU, which decodes one file at a time. With -l a reader has
# decoded the first frame when it learns that the GPU is busy. The reader goes on
# with the next 8 KiB, 8 frames, and then waits. While it decodes these, an idle
# reader may cut off the next 8 frames. How often this happens depends on the
# scheduler: 0 to 4 times of the 39 that are possible. If nobody waited, the CPU
# would decode one file of two. So at least three quarters must be the GPU's.
split -b 5000 --filter='zstd -qc --check' text >frames.zst
frames=$(split -b 5000 --filter='echo 1' text | wc -l)
cp frames.zst more.zst
for options in '-j4 frames.zst more.zst' '-l -j4 frames.zst l3.zst more.zst'; do
    # shellcheck disable=SC2086 # they are several options
    run --device=cpu $options >cpu
    # shellcheck disable=SC2086 # likewise
    run --gpu-decode=always --explain $options >out 2>err
    same out cpu "several files, $options: exact"
    decoded=$(sed -n 's/.*zstd: \([0-9]*\) frames* decoded by a GPU.*/\1/p' err)
    is $((${decoded:-0} * 4 >= 3 * 2 * frames)) 1 '... by the GPU'
done
# What is decoded first, to know the format, is no reason to decode what other
# shards have.
split -b 5000 --filter="printf '\\120\\052\\115\\030\\003\\000\\000\\000abc'
    zstd -qc --check" text >skips.zst
decoded=0
for shard in 1 2 3; do
    for file in skips.zst frames.zst; do
        run --device=cpu -l -j4 --shard=$shard/3 $file >cpu || exit 99
        run --gpu-decode=always --explain -l -j4 --shard=$shard/3 $file >out 2>err
        same out cpu "shard $shard of many frames, $file: exact"
    done
    n=$(sed -n 's/.*zstd: \([0-9]*\) frames* decoded by a GPU.*/\1/p' err)
    decoded=$((decoded + ${n:-0}))
done
is $((decoded * 4 > frames)) 1 '... the rest of each by the GPU'

# A reader may cut off a frame to skip, at the end, that the GPU's has passed.
{
    cat l3.zst
    printf '\120\052\115\030\003\000\000\000abc'
} >ends.zst
run --device=cpu -l ends.zst >cpu || exit 99
two='cuda:0,1 --gpu-after=0'
for devices in auto "$two" "$two"; do
    # shellcheck disable=SC2086 # a device, or with an option
    run --memory-limit=300M --gpu-decode=always --device=$devices -l -j2 ends.zst \
        >out 2>err
    is "$?:$(cat err)" 0: "$devices, a frame to skip at the end"
    same out cpu '... exact'
done

# What the same GPU counts it copies from its own memory, but for what precedes
# it in a chunk.
while read -r file options; do
    # shellcheck disable=SC2086 # they are several options
    run --device=cpu $options "$file" >cpu
    for device in 'cuda:1,0 --gpu-after=0' cuda; do
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
frames.zst
l3.zst -l
plain.zst --csv -f2
frames.zst --record=x*1,u2 --bins=10 --partial=drop
INPUTS

# A record of text goes on in the next batch, and some are longer than the room
# in front of one.
{
    cat short
    awk 'BEGIN { s = "0123456789"; for (i = 0; i < 13; i++) s = s s
                 for (i = 0; i < 20; i++) print i substr(s, i * i * 170) ",x" }'
    cat text
} >long
zstd -q --check long -o long.zst || exit 99
for options in -l '--csv -f1' '-W -f1' \
    '--record=x*1,u2 --bins=10 --partial=drop --every=70001 --stats=only'; do
    # shellcheck disable=SC2086 # they are several options
    run --device=cpu $options long.zst >cpu
    # shellcheck disable=SC2086 # likewise
    run --gpu-decode=always $options long.zst >out
    same out cpu "records longer than what is in front of a batch, $options: exact"
done

run --per-file l1.zst many.zst plain.zst >cpu
run --per-file --gpu-decode=always l1.zst many.zst plain.zst >out
same out cpu '--per-file: exact'
run --state=cpu.state l1.zst many.zst >/dev/null
run --gpu-decode=always --state=gpu.state l1.zst many.zst >/dev/null
same gpu.state cpu.state '--state: the same parts, with the same digests'
run --gpu-decode=always -v <l3.zst >out 2>err
run l3.zst >cpu
same out cpu 'redirected: exact'
# shellcheck disable=SC2002 # a pipe is what is wanted
cat l3.zst | run --gpu-decode=always -v >out 2>err
same out cpu 'a pipe: exact'
is "$(grep -c 'a GPU had nothing to decode' err)" 1 'a pipe: -v says that it has no use'

# What a file has got since the walk through it, the CPU decodes.
mkfifo gate go
cp many.zst grows.zst
{
    timeout 60 head -n 1 gate >line
    cat many.zst >>grows.zst
    echo >go
} &
FAKE_CU_GATE=cuLaunchKernel:1:gate FAKE_CU_FAIL=cuLaunchKernel:1:1:late \
    FAKE_CU_LATE_FIFO=go run --gpu-decode=always grows.zst >out
status=$?
wait
cat many.zst many.zst >twice.zst
run --device=cpu twice.zst >cpu
is "$status:$(wc -l <line)" 0:1 'a file grows while the GPU decodes'
same out cpu '... exact'

# ---- what makes no sense, or is not there ----

run --gpu-decode=always --device=cpu l3.zst >out 2>err
is "$?:$(cat out)" 2: 'not without GPUs'
FAKE_CU_INIT=100 run --gpu-decode=always l3.zst >out 2>err
is "$?:$(cat out)" 3: 'always, but no GPU'
is "$(grep -c 'CUDA_ERROR_NO_DEVICE' err)" 1 'no GPU: a message'
run --gpu-decode=always --memory-limit=5M l3.zst >out 2>err
is "$?:$(cat out)" 2: 'always, but no memory'

# ---- each call fails, or hangs ----

rm -f ledger
FAKE_CU_LEDGER=ledger run --gpu-decode=always -j2 l3.zst >cpu
list_calls
each_call_fails 13 -j2 l3.zst
calls_failed

FAKE_CU_FIRED=fired FAKE_CU_FAIL=cuLaunchKernel:40:719:lost \
    run --gpu-decode=always l19.zst >out 2>err
same out cpu 'a device is lost in the middle: exact'
FAKE_CU_LIE=1 run --gpu-decode=always l3.zst >out 2>err
is "$?:$(cat out)" 1: 'a device that lies is found out'
is "$(grep -c 'a GPU has decoded the zstd frame wrongly' err)" 1 '... and told'

done_testing
