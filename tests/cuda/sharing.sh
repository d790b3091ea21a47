# SPDX-License-Identifier: MIT
# sharing.sh -- several GPUs decode zstd and BGZF files, and count what they decode
#
# Over the driver of tests/fake.  Whatever is in the files, and whatever a GPU
# does, output and messages are those of --gpu-decode=never.
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"
# shellcheck source=tests/driver_calls.sh
. "$srcdir/tests/driver_calls.sh"
# shellcheck source=tests/zstd_files.sh
. "$srcdir/tests/zstd_files.sh"

need_zstd 4
test "$(nproc)" -gt 1 || skip_all 'one processor decodes one file at a time'
make_zstd_files 8
blocks=
if test "$HAVE_GZIP" = yes && command -v bgzip >/dev/null; then
    bgzip -c part.ab >good.gz
    bgzip -c part.ac >more.gz
    head -c -1000 good.gz >cut.gz
    blocks='good/1.zst good.gz more.gz bad/2.zst cut.gz'
fi

# All GPUs listed start at once; each has small batches.  The fake driver fills
# all memory that it gives, which takes most of the time if the limit is high.
gpus=--device=cuda:0,1
run()
{
    timeout 100 "$GPUHIST" $gpus --gpu-after=0 --chunk-size=64Ki \
        --memory-limit=240M "$@"
}

# ---- nobody fails ----

turn=0
for files in 'good/1.zst good/2.zst good/3.zst good/4.zst good/5.zst good/6.zst' \
    'good/1.zst bad/2.zst good/3.zst' 'good/4.zst bad/3.zst good/5.zst' \
    'bad/4.zst good/1.zst good/2.zst' 'good/5.zst text good/1.zst' \
    "${blocks:+good.gz more.gz good/7.zst}" "$blocks"; do
    test -n "$files" || continue
    while read -r options; do
        turn=$((turn + 1))
        expensive || test $((turn % 4)) = 1 || continue
        # shellcheck disable=SC2086 # they are several options, and files
        "$GPUHIST" --device=cpu $options $files >cpu 2>cpu.err
        status=$?
        rm -f ledger
        # shellcheck disable=SC2086 # likewise
        FAKE_CU_LEDGER=ledger run --gpu-decode=always $options $files >out 2>err
        is "$?:$(complaints)" "$status:" "$options $files: the ledger is balanced"
        same out cpu "... exact"
        # Which inputs were looked at when one failed is left to chance.
        sed -i '/look like text/d' err cpu.err
        same err cpu.err "... same messages"
    done <<'OPTIONS'

-j4 -l
-j1
--per-file -l
--csv -f2 -j3
--csv -f3 --bins=9 --range=0,45000
-l --shard=2/3
--skip-bytes=4321 --read-bytes=300000
--record=x*1,u2 --bins=10 --partial=drop
--dtype=u4 --bins=300000 --range=0,4294967296 --partial=drop
OPTIONS
done

# decoders ERR: how many GPUs have decoded, and how much all have.
decoders()
{
    sed -n 's/.*cuda:[0-3] .*: decoded \([0-9]*\) bytes.*/\1/p' "$1" |
        awk '{ n++; sum += $1 } END { print n + 0 ":" sum + 0 }'
}

# Kernels that take time let the others start.
size=$(wc -c <text)
gpus=--device=cuda:0,1,2,3
FAKE_CU_KERNEL_MS=20 run --gpu-decode=always -j8 --explain good/*.zst >out 2>err
is "$?:$(decoders err | sed 's/^[234]:/several:/')" "0:several:$size" \
    "four GPUs share the files"
same out "$("$GPUHIST" --device=cpu good/*.zst >cpu; echo cpu)" "... exact"
gpus=--device=cuda:0,1
FAKE_CU_KERNEL_MS=5 run --gpu-decode=always --explain good/3.zst >out 2>err
is "$?:$(decoders err)" 0:0:0 "a file has one GPU"
run --gpu-decode=always --state=gpu.state good/*.zst >out
run --gpu-decode=never --state=cpu.state good/*.zst >out
same gpu.state cpu.state '--state: the same parts, with the same digests'

# ---- each call fails, or hangs, on one of them ----

rm -f ledger
run --gpu-decode=never good/*.zst >cpu
FAKE_CU_LEDGER=ledger run --gpu-decode=always good/*.zst >out
list_calls
while read -r symbol count; do
    for part in 1 2 3 4 5 6 7; do
        n=$((1 + count * part / 8))
        for how in 719 719:lost 999:sticky 1:hang; do
            has_turn 23 || continue
            call_fails "$symbol:$n:$how" good/*.zst
        done
    done
done <calls
calls_failed

# A GPU is lost while it decodes: the others go on, and say so; unless it was to
# count later.
warning='^gpuhist: warning: a device failed, '
for how in cuStreamWaitEvent:90:719:lost cuEventSynchronize:40:1:hang; do
    rm -f fired
    FAKE_CU_FIRED=fired FAKE_CU_FAIL=$how FAKE_CU_KERNEL_MS=2 \
        run --gpu-decode=always --gpu-timeout=1 good/*.zst >out 2>err
    status=$?
    is "$(wc -l <fired)" 1 "$how: it has fired"
    if test $status = 0; then
        same out cpu "$how: exact"
        is "$(grep -c "$warning" err | sed 's/[1-9]/1/')" 1 "$how: a warning"
    else
        is "$status:$(cat out):$(wc -l <err)" 3::1 "$how: one message"
    fi
done

# ---- the start ----

# The second one starts late: the first one may have done everything by then.
FAKE_CU_FAIL=cuDevicePrimaryCtxRetain:3:1:late FAKE_CU_LATE_MS=700 \
    run --gpu-decode=always good/*.zst >out 2>err
is "$?:$(cat err)" 0: "the second GPU starts late: exit 0, silent"
same out cpu "... exact"
# First the GPU that decodes and counts; then the second one decodes.
FAKE_CU_FAIL=cuDevicePrimaryCtxRetain:3:2 FAKE_CU_KERNEL_MS=5 \
    run --gpu-decode=always good/*.zst >out 2>err
is "$?:$(grep -c 'warning: a device failed, others decoded' err)" 0:1 \
    "the second GPU does not start to decode: exit 0, a warning"
same out cpu "... exact"
# As many as there is memory for.
run --gpu-decode=always --memory-limit=150M --explain good/*.zst >out 2>err
is $? 0 "little memory: exit 0"
same out cpu "... exact"

done_testing
