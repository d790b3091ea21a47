# SPDX-License-Identifier: MIT
# listed.sh -- how many of the GPUs that the user lists are opened, and when
#
# By the sizes of the inputs, or by --gpu-after; the kernel says nothing about
# the GPUs of the driver of tests/fake.  tests/unit/test_plan.c has the sizes,
# which depend on the processors, and tests/unit/test_cu_visible.c what the
# driver shows.
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

test "$HAVE_NVCC" = yes || skip_all "no kernels: no driver is ever loaded"
test -f "$FAKE_CUDA_DIR/libcuda.so.1" || exit 99
export LD_LIBRARY_PATH="$FAKE_CUDA_DIR" FAKE_CU_DEVICES=4

run()
{
    timeout 60 "$GPUHIST" "$@"
}

# So that there are many chunks.
small=--chunk-size=4096

head -c 1000000 /dev/urandom >in
head -c 300000 /dev/urandom >other
run --device=cpu in >cpu
mkfifo gate pipe

# opened: how many GPUs the last run has opened.
opened()
{
    sed -n 's/^calls cuDevicePrimaryCtxRetain //p' ledger
}

# order: the GPUs that the last run names in --explain, in its order.
order()
{
    sed -n 's/.*explain: cuda:\([0-9]\) (.*/\1/p' err | tr -d '\n'
}

# planned: what --explain says of the plan for GPUs.
planned()
{
    sed -n 's/^gpuhist: explain: gpu: //p' err
}

# counts NAME WANTED ORDER OPTION... FILE...: counts exactly, says WANTED, and
# opens the GPUs of ORDER in this order.
counts()
{
    name=$1 wanted=$2 gpus=$3
    shift 3
    rm -f ledger
    FAKE_CU_LEDGER=ledger run --explain "$@" >out 2>err
    is "$?" 0 "$name: status 0"
    is "$(planned)" "$wanted" "$name: the plan"
    is "$(opened):$(order)" "${#gpus}:$gpus" "$name: opens $gpus"
}

# ---- files ----

# Whether few processors or few bytes are the reason depends on the machine.
rm -f ledger
FAKE_CU_LEDGER=ledger run --explain --device=cuda:2,0,1 in >out 2>err
is "$?:$(opened):$(order)" 0:1:2 "a small file: opens the first one"
same out cpu "a small file: exact"
is "$(planned | sed 's/[0-9]* bytes on/N bytes on/
    s/another one pays from N bytes on/WHY/
    s/the processors cannot feed another one/WHY/')" \
    "from the start, 1 of the 3 listed; WHY" "a small file: the plan"
counts "as many bytes" "from the start, 3 of the 3 listed" 201 \
    --gpu-after=1000000 --device=cuda:2,0,1 in
same out cpu "as many bytes: exact"
counts "too few bytes" \
    "from the start, 1 of the 3 listed; another one pays from 1000001 bytes on" \
    2 --gpu-after=1000001 --device=cuda:2,0,1 in
same out cpu "too few bytes: exact"

# A sparse file that is interrupted when all are being opened.
if test "$(nproc)" -ge 32; then
    wanted="from the start, 4 of the 4 listed" gpus=0123
elif test "$(nproc)" -lt 15; then
    wanted="from the start, 1 of the 4 listed; the processors cannot feed \
another one"
    gpus=0
else
    wanted=
fi
if test -n "$wanted"; then
    truncate -s 500G holes
    FAKE_CU_GATE=cuDevicePrimaryCtxRetain:${#gpus}:gate timeout 60 "$GPUHIST" \
        --explain --interrupted=print --gpu-timeout=none \
        --device=cuda:0,1,2,3 holes >out 2>err &
    pid=$!
    timeout 20 head -n 1 gate >line
    kill -TERM $pid
    wait $pid
    is "$?:$(planned):$(order)" "143:$wanted:$gpus" "500 GB: opens $gpus"
    rm holes
else
    skip "500 GB" "how many GPUs $(nproc) processors feed is not known here"
fi

# All that are listed must exist, whether they are used or not.
FAKE_CU_DEVICES=2
for option in --gpu-after=0 --gpu-after=1G -q; do
    run $option --device=cuda:0,1,2 in >out 2>err
    is "$?:$(cat out):$(cat err)" "3::gpuhist: cuda:2: no such device (this \
machine shows 2)" "one is missing, $option: status 3"
done
run --device=cuda:1,0 in >out 2>err
is "$?:$(cat err)" 0: "none is missing: status 0, silent"
FAKE_CU_DEVICES=4

# ---- the same bytes ----

for after in 0 500000 1G; do
    for options in --per-file '-l --per-file' '--range=0,100 -b10' '-W -f1' \
        '--dtype=u2 --partial=drop'; do
        # shellcheck disable=SC2086 # they are several options
        run --device=cpu $options in other >one
        # shellcheck disable=SC2086 # likewise
        run $small --gpu-after=$after --device=cuda:0,1 $options in other \
            >out 2>err
        is "$?:$(cat err)" 0: "--gpu-after=$after $options: silent"
        same out one "--gpu-after=$after $options: exact"
    done
    for shard in 1/2 2/2; do
        run $small --gpu-after=$after --device=cuda:3,0 \
            --state=gpu.${shard%/2} --shard=$shard in other >out
        run --device=cpu --state=cpu.${shard%/2} --shard=$shard in other >one
        same gpu.${shard%/2} cpu.${shard%/2} \
            "--gpu-after=$after, shard $shard: the same state"
    done
    run --device=cpu in other >one
    run --merge gpu.1 gpu.2 >out
    same out one "--gpu-after=$after: both shards together"
done

# ---- pipes ----

rm -f ledger
FAKE_CU_LEDGER=ledger run --explain --device=cuda:0,1,2,3 <in >out 2>err
is "$?:$(opened):$(order)" 0:1:0 "standard input that is a file: opens one"
same out cpu "standard input that is a file: exact"
# shellcheck disable=SC2002 # a pipe
cat in | FAKE_CU_LEDGER=ledger run --explain --device=cuda:0,1,2,3 >out 2>err
is "$?:$(order)" 0:0 "a pipe: opens one"
same out cpu "a pipe: exact"

later="from the start, 4 of the 4 listed, cuda:3 after 600000 bytes, cuda:1 \
after 600000 bytes, cuda:2 after 600000 bytes"
rm -f ledger
head -c 599999 in >part
run --device=cpu part >one
# shellcheck disable=SC2002 # a pipe
cat part | FAKE_CU_LEDGER=ledger run $small --explain --gpu-after=600000 \
    --device=cuda:0,3,1,2 >out 2>err
is "$?:$(planned):$(opened):$(order)" "0:$later:1:0" \
    "a pipe that ends before the mark: opens one"
same out one "a pipe that ends before the mark: exact"

# grow CALL OPTION...: a run over a pipe that delivers 599,999 bytes, and then a
# chunk now and then until the driver opens its GPU number CALL; sets status.
grow()
{
    call=$1
    shift
    rm -f ledger fired gate
    mkfifo gate
    touch growing
    {
        read -r _
        rm growing
        cat >/dev/null
    } <gate &
    gate=$!
    {
        cat part
        while test -e growing; do
            head -c 4096 in || break
            sleep 0.01
        done
        cat other
    } 2>/dev/null | tee sent 2>/dev/null | FAKE_CU_LEDGER=ledger \
        FAKE_CU_FIRED=fired FAKE_CU_GATE=cuDevicePrimaryCtxRetain:$call:gate \
        run $small --explain --gpu-after=600000 --device=cuda:0,3,1,2 "$@" \
        >out 2>err
    status=$?
    # A run that fails does not open the gate.
    kill $gate 2>/dev/null
    wait $gate
    run --device=cpu sent >cpu
}

grow 4 --gpu-timeout=none
is "$status:$(planned):$(opened):$(order)" "0:$later:4:0312" \
    "a pipe that grows: opens all, in order"
same out cpu "a pipe that grows: exact"
is "$(grep -E '^(outstanding|misuse|note) ' ledger | grep -v ' 0$')" "" \
    "a pipe that grows: the ledger is balanced"
grow 2 --gpu-timeout=none
is "$status:$(order | head -c 2)" 0:03 "a pipe that grows little: opens two"
same out cpu "a pipe that grows little: exact"

# The second one does not start, or is lost: as if it had started with the first.
FAKE_CU_FAIL=cuDevicePrimaryCtxRetain:2:2 grow 2
is "$(wc -l <fired):$status:$(cat out)" 1:3: "the second fails: no counts"
is "$(grep -v explain: err)" "gpuhist: cuda:3 (Fake GPU 3): \
cuDevicePrimaryCtxRetain: CUDA_ERROR_OUT_OF_MEMORY (out of memory)" \
    "the second fails: one message"
FAKE_CU_FAIL=cuDevicePrimaryCtxRetain:2:2:hang grow 2 --gpu-timeout=0.5
is "$(wc -l <fired):$status:$(cat out)" 1:3: "the second hangs: no counts"
is "$(grep -v explain: err)" \
    "gpuhist: cuda:3: cuDevicePrimaryCtxRetain did not return for 2 s" \
    "the second hangs: one message"
# one_lost NAME: the last run of grow() has lost a GPU, and counts all.
one_lost()
{
    is "$(wc -l <fired):$status" 1:0 "$1: status 0"
    same out cpu "$1: exact"
    is "$(grep -c '^gpuhist: warning: a device failed' err)" 1 "$1: one warning"
}

FAKE_CU_FAIL=cuMemcpyHtoDAsync_v2:200:719:lost grow 2 --gpu-timeout=none
one_lost "one of two is lost"
# Until the mark there is one.  If it is lost, the next one replaces it.
FAKE_CU_FAIL=cuMemcpyHtoDAsync_v2:9:719:lost grow 2 --gpu-timeout=none
one_lost "the first is lost"
is "$(order | head -c 2)" 03 "the first is lost: opens another"
FAKE_CU_FAIL=cuMemcpyHtoDAsync_v2:9:1:hang grow 2 --gpu-timeout=2
one_lost "the first hangs"
FAKE_CU_FAIL=cuMemcpyHtoDAsync_v2:9:719:persist grow 4 --gpu-timeout=none
is "$status:$(cat out)" 3: "each one fails: no counts"

# Interrupted before the mark, the run opens no other GPU.  The signal is not sent
# by way of timeout(1), which may be slower than the pipe.
rm -f ledger
FAKE_CU_LEDGER=ledger "$GPUHIST" $small --explain \
    --interrupted=print --gpu-after=600000 --gpu-timeout=none \
    --device=cuda:0,1,2,3 pipe >out 2>err &
pid=$!
{
    cat part
    kill -TERM $pid
    cat in in
} >pipe 2>/dev/null
wait $pid
is "$?:$(order)" 143:0 "an interrupted pipe: opens one"

done_testing
