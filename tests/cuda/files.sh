# SPDX-License-Identifier: MIT
# files.sh -- a GPU decodes several zstd files at a time
#
# Over the driver of tests/fake.  Whatever is in the files, and whatever the
# driver does, output and messages are those of --gpu-decode=never.
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"
# shellcheck source=tests/driver_calls.sh
. "$srcdir/tests/driver_calls.sh"
# shellcheck source=tests/zstd_files.sh
. "$srcdir/tests/zstd_files.sh"

need_zstd 2
test "$(nproc)" -gt 1 || skip_all 'one processor decodes one file at a time'
make_zstd_files 6
head -c -1 good/5.zst >bad/5.zst
printf 'x' >>bad/5.zst
cp good/6.zst bad/6.zst
printf 'garbage' >>bad/6.zst

# Blocks of BGZF have other batches on the same belts.
blocks=
if test "$HAVE_GZIP" = yes && command -v bgzip >/dev/null; then
    bgzip -c part.ab >good.gz
    head -c -1000 good.gz >cut.gz
    blocks='good/1.zst good.gz bad/2.zst cut.gz'
fi

# Two belts, of which each has small batches.
run()
{
    timeout 100 "$GPUHIST" --chunk-size=64Ki --memory-limit=240M "$@"
}

streams()
{
    sed -n 's/^calls cuStreamCreate //p' ledger
}

rm -f ledger
FAKE_CU_LEDGER=ledger run --gpu-decode=always good/1.zst >out || exit 99
one=$(streams)
rm -f ledger
FAKE_CU_LEDGER=ledger run --gpu-decode=always good/1.zst good/2.zst >out || exit 99
is "$(streams)" $((2 * one)) "two files have a belt each"
rm -f ledger
FAKE_CU_LEDGER=ledger run --gpu-decode=always --per-file good/1.zst good/2.zst \
    >out || exit 99
is "$(streams)" "$one" "... but one if they are counted one after the other"

# ---- nobody fails ----

turn=0
for files in 'good/1.zst good/2.zst good/3.zst good/4.zst good/5.zst good/6.zst' \
    'good/1.zst bad/2.zst good/3.zst' 'good/4.zst bad/3.zst good/5.zst' \
    'bad/4.zst good/1.zst good/2.zst' 'good/6.zst good/4.zst bad/5.zst' \
    'good/5.zst bad/6.zst text good/1.zst' 'bad/2.zst bad/3.zst bad/5.zst' \
    "$blocks"; do
    test -n "$files" || continue
    while read -r options; do
        turn=$((turn + 1))
        expensive || test $((turn % 4)) = 1 || continue
        # shellcheck disable=SC2086 # they are several options, and files
        run --gpu-decode=never $options $files >cpu 2>cpu.err
        status=$?
        rm -f ledger
        # shellcheck disable=SC2086 # likewise
        FAKE_CU_LEDGER=ledger run --gpu-decode=always $options $files >out 2>err
        is "$?:$(complaints)" "$status:" "$options $files: the ledger is balanced"
        same out cpu "... exact"
        same err cpu.err "... same messages"
    done <<'OPTIONS'

-j4 -l
-j1
--per-file -l
--csv -f2 -j3
--csv -f3 --bins=9 --range=0,45000 --device=cuda:1
-l --shard=2/3
--skip-bytes=4321 --read-bytes=300000
--device=cuda --record=x*1,u2 --bins=10 --partial=drop
OPTIONS
done
run --gpu-decode=always --explain good/*.zst 2>err >out
decoded=$(sed -n 's/.*zstd: \([0-9]*\) frames* decoded by a GPU.*/\1/p' err)
is "$((${decoded:-0} > 5))" 1 "the GPU decodes most files: $decoded frames"
run --gpu-decode=always --state=gpu.state good/*.zst >out
run --gpu-decode=never --state=cpu.state good/*.zst >out
same gpu.state cpu.state '--state: the same parts, with the same digests'

# ---- each call fails, or hangs, on one belt ----

rm -f ledger
run --gpu-decode=never good/*.zst >cpu
FAKE_CU_LEDGER=ledger run --gpu-decode=always good/*.zst >out
list_calls
while read -r symbol count; do
    for part in 1 2 3 4 5 6 7; do
        n=$((1 + count * part / 8))
        for how in 719 999:sticky 1:hang; do
            has_turn 19 || continue
            call_fails "$symbol:$n:$how" good/*.zst
        done
    done
done <calls
calls_failed

# ---- auto ----

# The GPU starts late, or fails as it starts.
for how in FAKE_CU_START_MS=400 FAKE_CU_FAIL=cuMemAlloc_v2:1:2; do
    env "$how" timeout 100 "$GPUHIST" good/*.zst >out 2>err
    is "$?:$(cat err)" 0: "auto, $how: exit 0"
    same out cpu "auto, $how: exact"
done

done_testing
