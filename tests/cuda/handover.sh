# SPDX-License-Identifier: MIT
# handover.sh -- auto: the CPU begins, the GPU joins, each helps the other
#
# The driver of tests/fake opens a gate (a FIFO) when the GPU is all but
# ready; what is to happen after that is sent then.
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

test "$HAVE_NVCC" = yes || skip_all "no kernels: no driver is ever loaded"
test -f "$FAKE_CUDA_DIR/libcuda.so.1" || exit 99
export LD_LIBRARY_PATH="$FAKE_CUDA_DIR"

chunk=4096

run()
{
    timeout 30 "$GPUHIST" --chunk-size=$chunk --explain "$@"
}

# A fresh gate for a run.
new_gate()
{
    rm -f gate ledger
    mkfifo gate
}

# Wait until the GPU is ready.
wait_for_gpu()
{
    timeout 20 head -n 1 gate >line
    sleep 0.05
}

# send FIRST COUNT: COUNT chunks of the data, from number FIRST on.
send()
{
    dd if=data bs=$chunk skip="$1" count="$2" 2>/dev/null
}

# Who counted how much: sets cpu_bytes and gpu_bytes from the file "err".
read_shares()
{
    cpu_bytes=$(sed -n 's/.*: cpu: .* counted \([0-9]*\) bytes.*/\1/p' err)
    gpu_bytes=$(sed -n 's/.*: cuda:0 .* counted \([0-9]*\) bytes.*/\1/p' err)
    cpu_bytes=${cpu_bytes:-none}
    gpu_bytes=${gpu_bytes:-none}
}

# truth EXPRESSION NAME: an arithmetic expression is not 0.
truth()
{
    test "$(($1))" -ne 0
    ok $? "$2"
}

head -c $((200 * chunk)) /dev/urandom >data
run --device=cpu data >cpu 2>err
head -c $((4 * chunk)) data >small
run --device=cpu small >cpu.small 2>err

# The last thing that an engine does to get ready: its last event.
export FAKE_CU_LEDGER=ledger
run --device=cuda small >out 2>err
events=$(sed -n 's/^calls cuEventCreate //p' ledger)
truth "${events:-0} > 0" "the number of events is known: $events"
export FAKE_CU_GATE="cuEventCreate:$events:gate"

# ---- small inputs never touch the driver ----

new_gate
run --gpu-after=$((5 * chunk)) small >out 2>err
is "$?" 0 "a small file: exit 0"
same out cpu.small "a small file: exact"
test -e ledger
is "$?" 1 "a small file: no driver is loaded"
run --gpu-after=$((5 * chunk)) <small >out 2>err
same out cpu.small "a small standard input: exact"
head -c $((4 * chunk)) data | run --gpu-after=$((5 * chunk)) >out 2>err
is "$?" 0 "a short stream: exit 0"
same out cpu.small "a short stream: exact"
test -e ledger
is "$?" 1 "a short stream: no driver is loaded"
run --gpu-after=$((4 * chunk)) small >out 2>err
is "$(grep -c 'gpu: from the start' err)" 1 "a file of just that size: at once"

# ---- the GPU joins ----

new_gate
export FAKE_CU_START_MS=300
{
    send 0 20
    wait_for_gpu
    # In pieces: on a busy machine, the GPU's thread is late for one.
    for first in 20 40 60 80 100 120 140 160 180; do
        send $first 20
        sleep 0.05
    done
} | run --gpu-after=$((8 * chunk)) >out 2>err
is "$?" 0 "the GPU joins: exit 0"
same out cpu "the GPU joins: exact"
read_shares
truth "$cpu_bytes > 0" "the GPU joins: the CPU counted $cpu_bytes bytes"
truth "$gpu_bytes > 0" "the GPU joins: the GPU counted $gpu_bytes bytes"
is "$((cpu_bytes + gpu_bytes))" $((200 * chunk)) "the GPU joins: together all"
is "$(grep -c 'counted' err)" 2 "the GPU joins: nobody else counted"
is "$(grep -E '^(outstanding|misuse|note) ' ledger | grep -v ' 0$')" "" \
    "the GPU joins: the ledger is balanced"

# ---- the GPU joins, with a table that it copies now and then ----

# 72,024 bytes, after each 70 chunks, or at the end: it holds many meanwhile.
large()
{
    run --dtype=f8 --bins=9000 --range=-1,1 "$@"
}

large --device=cpu data >cpu.large 2>err
rm -f ledger
large --device=cuda small >out 2>err
large_events=$(sed -n 's/^calls cuEventCreate //p' ledger)
new_gate
{
    send 0 20
    wait_for_gpu
    i=20
    while [ $i -lt 200 ]; do
        send $i 10
        i=$((i + 10))
        sleep 0.01
    done
} | FAKE_CU_GATE="cuEventCreate:$large_events:gate" \
    large --gpu-after=$((8 * chunk)) >out 2>err
is "$?" 0 "a large table: exit 0"
same out cpu.large "a large table: exact"
read_shares
truth "$cpu_bytes > 0" "a large table: the CPU counted $cpu_bytes bytes"
truth "$gpu_bytes > 100 * $chunk" \
    "a large table: the GPU counted $gpu_bytes bytes"
is "$((cpu_bytes + gpu_bytes))" $((200 * chunk)) "a large table: together all"
copies=$(sed -n 's/^calls cuMemcpyDtoHAsync_v2 //p' ledger)
truth "$copies <= 20" "a large table: it was copied $copies times"
is "$(grep -E '^(outstanding|misuse|note) ' ledger | grep -v ' 0$')" "" \
    "a large table: the ledger is balanced"

# With a few chunks the GPU must not hold all, or the readers stop for ever.
new_gate
{
    send 0 20
    wait_for_gpu
    send 20 180
} | FAKE_CU_GATE="cuEventCreate:$large_events:gate" \
    large --gpu-after=$((8 * chunk)) -j1 \
    --memory-limit=$((4 * 72024 + 6 * chunk)) >out 2>err
is "$?" 0 "a large table, few chunks: exit 0"
same out cpu.large "a large table, few chunks: exact"
is "$(grep -c 'explain: chunks: 3 of' err)" 1 "a large table, few chunks: 3"
read_shares
is "$((cpu_bytes + gpu_bytes))" $((200 * chunk)) \
    "a large table, few chunks: together all"

# ---- the run does not wait for a GPU that is no longer needed ----

# in_time NAME WANTED: after a run with these counts, shorter than the start.
in_time()
{
    is "$status" 0 "$1: exit 0"
    same out "$2" "$1: exact"
    is "$(grep -c 'gpu: still starting when the input ended' err)" 1 \
        "$1: the driver was starting"
    test -e ledger
    is "$?" 1 "$1: it was left alone"
}

# If it waits for that, it runs into the time limit.
export FAKE_CU_START_MS=60000
new_gate
run --gpu-after=0 small >out 2>err
status=$?
in_time "a file ends before the start" cpu.small
send 0 200 | run --gpu-after=$chunk >out 2>err
status=$?
in_time "a stream ends before the start" cpu
run --gpu-after=0 /dev/null >out 2>err
status=$?
run --device=cpu /dev/null >cpu.empty 2>err.cpu
in_time "an empty input ends before the start" cpu.empty

export FAKE_CU_START_MS=500
run --device=cuda small >out 2>err
is "$?" 0 "a demanded GPU is waited for: exit 0"
read_shares
is "$cpu_bytes:$gpu_bytes" none:$((4 * chunk)) "a demanded GPU counts all"
unset FAKE_CU_START_MS

# ---- the CPU helps ----

# All at once to a GPU that takes 0.1 s for a chunk: 20 s for all of them.
new_gate
export FAKE_CU_KERNEL_MS=100
{
    wait_for_gpu
    send 0 200
} | run --gpu-after=0 >out 2>err
is "$?" 0 "a slow GPU: exit 0"
same out cpu "a slow GPU: exact"
read_shares
truth "$gpu_bytes > 0" "a slow GPU: it counted $gpu_bytes bytes"
truth "$cpu_bytes > 150 * $chunk" "a slow GPU: the CPU counted $cpu_bytes bytes"
is "$((cpu_bytes + gpu_bytes))" $((200 * chunk)) "a slow GPU: together all"
unset FAKE_CU_KERNEL_MS

# ---- and stays out of the way ----

new_gate
{
    wait_for_gpu
    i=0
    while [ $i -lt 200 ]; do
        send $i 2
        i=$((i + 2))
        sleep 0.01
    done
} | run --gpu-after=0 >out 2>err
is "$?" 0 "a GPU that keeps up: exit 0"
same out cpu "a GPU that keeps up: exact"
read_shares
truth "$cpu_bytes * 4 <= 200 * $chunk" \
    "a GPU that keeps up: the CPU counted only $cpu_bytes bytes"
is "$((cpu_bytes + gpu_bytes))" $((200 * chunk)) "a GPU that keeps up: all"

done_testing
