# SPDX-License-Identifier: MIT
# several.sh -- four GPUs, of which one fails or hangs in the middle
#
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

test "$HAVE_NVCC" = yes || skip_all "no kernels: no driver is ever loaded"
test -f "$FAKE_CUDA_DIR/libcuda.so.1" || exit 99
export LD_LIBRARY_PATH="$FAKE_CUDA_DIR" FAKE_CU_DEVICES=4

run()
{
    timeout 60 "$GPUHIST" --device=cuda:0,1,2,3 --gpu-after=0 \
        --chunk-size=4096 "$@"
}

head -c 4000000 /dev/urandom >in
# A table of 2.4 MB: the chunks of files are not held back.
wide='--dtype=u4 --bins=300000 --range=0,4294967296'
"$GPUHIST" --device=cpu in >small
# shellcheck disable=SC2086 # they are several options
"$GPUHIST" --device=cpu $wide in >large

# ---- nobody fails ----

rm -f ledger
FAKE_CU_LEDGER=ledger FAKE_CU_KERNEL_MS=1 run --explain in >out 2>err
is "$?" 0 "four GPUs: exit 0"
same out small "four GPUs: exact"
sed -n 's/.*cuda:\([0-3]\) .* counted \([0-9]*\) bytes.*/\1 \2/p' err |
    awk '$2 > 0 { n++ } { sum += $2 } END { print n ":" sum }' >got
is "$(cat got)" "4:4000000" "four GPUs: all counted, together everything"
is "$(sed -n 's/^calls cuMemHostRegister_v2 //p' ledger)" 1 \
    "four GPUs: the chunks are pinned together"
rm -f ledger
# shellcheck disable=SC2086 # likewise
FAKE_CU_LEDGER=ledger run $wide in >out 2>err
is "$?:$(cat err)" 0: "four GPUs, a large table: exit 0, silent"
same out large "four GPUs, a large table: exact"
is "$(grep -E '^(outstanding|misuse|note) ' ledger | grep -v ' 0$')" "" \
    "four GPUs, a large table: the ledger is balanced"
copies=$(sed -n 's/^calls cuMemcpyDtoHAsync_v2 //p' ledger)
is "$((copies <= 16)):$(sed -n 's/^calls cuMemcpyDtoDAsync_v2 //p' ledger)" \
    1:0 "four GPUs, a large table: copied $copies times, not for each chunk"

# ---- one fails or hangs ----

# one_fails HOW OPTION...: a run over standard input in which one GPU fails, as
# HOW says; sets status and "fired".
one_fails()
{
    how=$1
    shift
    rm -f fired
    # A busy machine must not look like a GPU that hangs.
    case $how in
    *:hang) timeout=3 ;;
    *) timeout=none ;;
    esac
    FAKE_CU_FIRED=fired FAKE_CU_FAIL=$how run --gpu-timeout=$timeout "$@" \
        >out 2>err
    status=$?
}

warning='^gpuhist: warning: a device failed, its chunks were counted again: '

for how in cuLaunchKernel:300:719:lost cuLaunchKernel:300:700 \
    cuMemcpyHtoDAsync_v2:200:719:lost cuMemcpyHtoDAsync_v2:200:1:hang \
    cuEventSynchronize:150:719:lost; do
    one_fails $how in
    is "$(wc -l <fired)" 1 "$how: it has fired"
    is "$status" 0 "$how: exit 0"
    same out small "$how: exact"
    is "$(grep -c "${warning}cuda:[0-3] (Fake GPU [0-3]): ${how%%[_:]*}" err):$(
        wc -l <err
    )" 1:1 "$how: one warning"

    # shellcheck disable=SC2086 # likewise
    one_fails $how $wide in
    is "$(wc -l <fired):$status:$(cat out)" 1:3: \
        "$how, a large table: no counts"
    is "$(grep -c "^gpuhist: cuda:[0-3] (Fake GPU [0-3]): ${how%%[_:]*}" \
        err):$(wc -l <err)" 1:1 "$how, a large table: one message"

    # What is in a pipe comes once, so its chunks are held back; then few calls
    # wait for an event.
    how=$(echo "$how" | sed 's/\(cuEventSynchronize\):150/\1:1/')
    # shellcheck disable=SC2002,SC2086 # likewise; it runs in a subshell
    cat in | one_fails $how $wide
    is "$(wc -l <fired)" 1 "$how, a large table, a pipe: it has fired"
    is "$(grep -c "$warning" err):$(wc -l <err)" 1:1 \
        "$how, a large table, a pipe: one warning"
    same out large "$how, a large table, a pipe: exact"
done

# Three of four.
one_fails cuEventSynchronize:150:719:persist in
is "$status:$(cat out)" 3: "all fail: no counts"

# One does not start: the others do not count without it.
one_fails cuDevicePrimaryCtxRetain:3:2 in
is "$status:$(cat out)" 3: "the third does not start: no counts"
is "$(cat err)" "gpuhist: cuda:2 (Fake GPU 2): cuDevicePrimaryCtxRetain: \
CUDA_ERROR_OUT_OF_MEMORY (out of memory)" "the third does not start: one message"
one_fails cuDevicePrimaryCtxRetain:2:2:hang in
is "$status:$(cat out)" 3: "the second hangs at the start: no counts"
is "$(grep -c '^gpuhist: cuda:1: cuDevicePrimaryCtxRetain did not' \
    err):$(wc -l <err)" 1:1 "the second hangs at the start: one message"

# ---- the run ends before all are open ----

mkfifo late input
mkdir directory
printf '\050\265\057\375 no frame' >damaged

# start OPTION...: begin a run whose first GPU is open when somebody writes to
# the FIFO "late"; sets pid.
start()
{
    rm -f ledger
    FAKE_CU_LEDGER=ledger FAKE_CU_FAIL=cuDevicePrimaryCtxRetain:1:1:late \
        FAKE_CU_LATE_FIFO=late timeout 60 "$GPUHIST" --device=cuda:0,1,2,3 \
        --gpu-after=0 --gpu-timeout=none -j1 "$@" input >out 2>err &
    pid=$!
}

# opened NAME WANTED COUNT: the run of start() ends with status and counts
# WANTED and has opened COUNT GPUs.
opened()
{
    wait $pid
    is "$?:$(cat out)" "$2" "$1: status ${2%%:*}"
    is "$(sed -n 's/^calls cuDevicePrimaryCtxRetain //p' ledger)" "$3" \
        "$1: opens $3"
}

# The single reader opens the FIFO "input" after it has failed.
for file in missing directory damaged; do
    start $file
    timeout 20 sh -c ': >input; : >late'
    opened "$file" 1: 1
done
start in
timeout 20 sh -c ': >input; : >late'
opened "no failure" "0:$(cat small)" 4

# The reader closes the FIFO when it is told to stop.
start --interrupted=print --explain
(
    echo
    kill -TERM $pid
    while echo; do
        sleep 0.01
    done
) >input
timeout 20 sh -c ': >late'
wait $pid
is "$?:$(grep -c ': cuda:[0-3] (Fake GPU [0-3]): ' err)" 143:1 \
    "an interrupted run: opens 1"

done_testing
