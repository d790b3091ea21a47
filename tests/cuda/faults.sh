# faults.sh -- every call of the driver fails once, for good, and with it all
#
# For each symbol and each n the nth call fails.  Whatever happens, the counts
# are exact or there are none:
#
#     --device=cuda   exit 0, exact and silent; or exit 3, no output and one
#                     message
#     auto            exit 0 and exact, with at most one warning
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

test "$HAVE_NVCC" = yes || skip_all "no kernels: no driver is ever loaded"
test -f "$FAKE_CUDA_DIR/libcuda.so.1" || exit 99
export LD_LIBRARY_PATH="$FAKE_CUDA_DIR"

# count FILE OPTION...: count the file in the way of the section.
count()
{
    timeout 20 "$GPUHIST" --chunk-size="$chunk" "$@"
}

# How the next fault fails: any code may come from anywhere.
code=2
next_code()
{
    case $code in
    2) code=700 ;;
    700) code=719 ;;
    719) code=999 ;;
    *) code=2 ;;
    esac
}

# The lines of the file "err": sets messages (how many) and message.
read_messages()
{
    messages=0
    message=
    while read -r line; do
        message=$line
        messages=$((messages + 1))
    done <err
}

# complain NAME: to be shown if the test fails.
complain()
{
    bad="$bad
$1: FAKE_CU_FAIL=$FAKE_CU_FAIL: exit $status, $messages messages: $message"
}

# try_demanded NAME: --device=cuda with $FAKE_CU_FAIL.
try_demanded()
{
    : >fired
    what --device=cuda data >out 2>err
    status=$?
    read_messages
    case $status:$messages:$message in
    0:0:*) cmp -s out cpu || complain "$1" ;;
    3:1:"gpuhist: cuda"*) test ! -s out || complain "$1" ;;
    *) complain "$1" ;;
    esac
}

# The data, once the GPU is ready or has failed.
write_gated()
{
    timeout 20 sh -c 'read -r line <gate; exec cat data'
}

# try_auto NAME: auto with $FAKE_CU_FAIL.
try_auto()
{
    : >fired
    write_gated | FAKE_CU_GATE=cuEventCreate:$events:gate \
        what --gpu-after=0 -j1 >out 2>err
    status=$?
    read_messages
    case $status:$messages:$message in
    0:0:*) cmp -s out cpu || complain "$1" ;;
    0:1:"gpuhist: warning: its chunks were counted again: cuda:0 "*)
        cmp -s out cpu || complain "$1"
        ;;
    *) complain "$1" ;;
    esac
}

# each FUNCTION SYMBOL N: with the Nth call failing in every way; in one of
# them, in turn, where a sanitizer makes each run slow.  Sets has_fired.
is_slow=no
instrumented && is_slow=yes
each()
{
    has_fired=no
    for how in "" :persist :sticky; do
        if [ $is_slow = yes ]; then
            case $(($3 % 3)):$how in
            0: | 1::persist | 2::sticky) ;;
            *) continue ;;
            esac
        fi
        FAKE_CU_FAIL=$2:$3:$code$how
        $1 "$2"
        if [ -s fired ]; then
            has_fired=yes
            read -r line <fired
            test "$line" = "fired $2 $3 $code" || complain "$line"
        fi
        next_code
    done
}

# How many buffers are pinned depends on the order of the threads; and how
# often a large table is copied, on whether the readers were waiting.
is_certain()
{
    case $1 in
    cuMemHostRegister* | cuMemHostUnregister) return 1 ;;
    cuMemcpyDto* | cuEvent[RS]* | cuStreamWaitEvent) test "$mode" = small ;;
    *) return 0 ;;
    esac
}

# balanced NAME: one test of the ledger.
balanced()
{
    is "$(grep -E '^(outstanding|misuse)' ledger | grep -v ' 0$' | sort -u)" \
        "" "$1"
}

# Two devices that are both ready before the data come, one of which is lost.
# try_lost NAME: with $FAKE_CU_FAIL; adds to lost, and to counted_before those
# where it had released chunks before.
try_lost()
{
    : >fired
    write_gated | FAKE_CU_GATE=cuEventCreate:$((2 * events)):gate \
        what --device=cuda:0,1 --explain >out 2>all
    status=$?
    grep -v ': explain: ' all >err
    sed -n 's/.*: explain: \(cuda:[01]\) .* counted \([0-9]*\) bytes.*/\1 \2/p' \
        all >shares
    read_messages
    test -s fired && lost=$((lost + 1))
    case $status:$messages:$message in
    "0:1:gpuhist: warning: its chunks were counted again: cuda:"[01]" "*)
        cmp -s out cpu || complain "$1"
        message=${message#*again: }
        dead=$(sed -n "s/^${message%% *} //p" shares)
        test "${dead:-0}" -eq 0 || counted_before=$((counted_before + 1))
        bytes=$(awk '{ n += $2 } END { printf "%d", n }' shares)
        test "$bytes" -eq "$size" || complain "$1: counted $bytes bytes"
        ;;
    *) complain "$1" ;;
    esac
}

# ---- everything, with a small table and with a large one ----

mkfifo gate

# section NAME SIZE CHUNK WHAT: sets chunk, size and mode, and makes what() be
# WHAT; the file "data" of SIZE bytes, its counts in "cpu".
section()
{
    mode=$1
    size=$2
    chunk=$3
    FAKE_CU_FAIL=
    head -c "$size" /dev/urandom >data
    what --device=cpu data >cpu
}

# Bytes; or records whose table of 103 KiB needs everything that there is on
# the device: axes, edges, a lookup table and sums.
seq 0 698 >edges
what()
{
    case $mode in
    small) count "$@" ;;
    large) count --record=u1,f8,f4,x*3 --weights=3 --edges=- \
        --edges=@edges "$@" ;;
    esac
}

healthy_run()
{
    rm -f ledger
    what --device=cuda data >out 2>err
    is "$?:$(cat err)" 0: "$mode: a healthy run: exit 0, silent"
    same out cpu "$mode: a healthy run: exact"
    sed -n '/ 0$/d; s/^calls //p' ledger >healthy
    is "$(($(wc -l <healthy) > 20))" 1 \
        "$mode: a healthy run calls many functions"
    events=$(sed -n 's/^cuEventCreate //p' healthy)
}

# --device=cuda: every n, until there are no more calls.
all_demanded()
{
    rm -f ledger
    while read -r symbol count; do
        bad=
        n=1
        each try_demanded "$symbol" $n
        while [ $has_fired = yes ]; do
            n=$((n + 1))
            each try_demanded "$symbol" $n
        done
        if is_certain "$symbol"; then
            is "$((n - 1))" "$count" \
                "$mode: --device=cuda: $symbol failed each time"
        else
            is "$((n > 1))" 1 \
                "$mode: --device=cuda: $symbol failed $((n - 1)) times"
        fi
        is "$bad" "" "$mode: --device=cuda: $symbol: exact counts or none"
    done <healthy
    balanced "$mode: --device=cuda: what was not left by _exit() was cleaned up"
}

# auto: the first calls and some later ones.
some_auto()
{
    rm -f ledger
    while read -r symbol count; do
        bad=
        fired_n=
        for n in 1 2 3 5 8 13 21; do
            each try_auto "$symbol" $n
            test $has_fired = yes || break
            fired_n=$n
        done
        # The CPU may have been quick enough to leave it almost nothing.
        for again in 1 2 3 4 5; do
            test -z "$fired_n" || break
            each try_auto "$symbol" 1
            test $has_fired = no || fired_n=1.$again
        done
        is "${fired_n:-never}" "${fired_n:-1}" "$mode: auto: $symbol failed"
        is "$bad" "" "$mode: auto: $symbol: exact counts"
    done <healthy
    balanced "$mode: auto: what was not left by _exit() was cleaned up"
}

# Two devices, and one is lost in mid-stream, also after it has released some
# of its chunks: they must not be counted again.
some_lost()
{
    rm -f ledger
    export FAKE_CU_DEVICES=2 FAKE_CU_KERNEL_MS=1
    bad=
    lost=0
    tried=0
    counted_before=0
    # Call n of each; those that are made with each chunk more often.
    for symbol in cuMemcpyHtoDAsync_v2:8 cuMemcpyHtoDAsync_v2:11 \
        cuMemcpyHtoDAsync_v2:14 cuMemcpyHtoDAsync_v2:17 cuEventRecord:1 \
        cuEventRecord:4 cuEventRecord:13 cuEventRecord:22 cuEventRecord:31 \
        cuStreamWaitEvent:1 cuStreamWaitEvent:7 cuStreamWaitEvent:13 \
        cuLaunchKernel:1 cuLaunchKernel:4 cuLaunchKernel:7 cuLaunchKernel:10 \
        cuLaunchKernel:13 cuLaunchKernel:16 cuLaunchKernel:20 \
        cuLaunchKernel:24 cuLaunchKernel:28 cuLaunchKernel:32 \
        cuMemcpyDtoHAsync_v2:1 cuMemcpyDtoHAsync_v2:2 cuMemcpyDtoHAsync_v2:4 \
        cuEventSynchronize:1 cuEventSynchronize:2 cuEventSynchronize:3 \
        cuEventSynchronize:4 cuEventSynchronize:5 "$@"; do
        FAKE_CU_FAIL=$symbol:719:lost
        tried=$((tried + 1))
        try_lost "$symbol"
    done
    is "$lost" "$tried" "$mode: cuda:0,1: one was lost in each run"
    is "$((counted_before >= 3))" 1 "$mode: cuda:0,1: one was lost \
$counted_before times after it had released chunks"
    is "$bad" "" "$mode: cuda:0,1: one is lost: exact, exit 0, one warning"
    balanced "$mode: cuda:0,1: one is lost: everything was cleaned up"

    FAKE_CU_FAIL=cuLaunchKernel:5:719:lost
    what -q --device=cuda:0,1 data >out 2>err
    is "$?:$(cat err)" 0: "$mode: cuda:0,1: one is lost: -q is silent"
    same out cpu "$mode: cuda:0,1: one is lost: -q: exact"

    FAKE_CU_FAIL=cuLaunchKernel:5:719:sticky
    what --device=cuda:0,1 data >out 2>err
    is "$?:$(cat out):$(wc -l <err)" 3::1 \
        "$mode: cuda:0,1: both are lost: exit 3, no counts, one message"
    unset FAKE_CU_DEVICES FAKE_CU_KERNEL_MS
}

export FAKE_CU_LEDGER=ledger FAKE_CU_FIRED=fired FAKE_CU_FAIL=
section small $((20 * 1024)) 1024
healthy_run
all_demanded
some_auto
section small $((60 * 1024)) 1024
some_lost cuEventSynchronize:20 cuEventSynchronize:40 cuLaunchKernel:50

section large $((12 * 131072)) 131072
healthy_run
all_demanded
# Where there are other engines, a large table is copied on the device, too.
events=$((events + 1))
echo 'cuMemcpyDtoDAsync_v2 1' >>healthy
some_auto
section large $((40 * 131072)) 131072
some_lost cuMemcpyDtoDAsync_v2:1 cuMemcpyDtoDAsync_v2:2 cuMemcpyDtoDAsync_v2:3

# ---- the devices' list: what a device does not tell stays empty ----

export FAKE_CU_DEVICES=2
FAKE_CU_FAIL=
timeout 20 "$GPUHIST" --list-devices >list
is "$(wc -l <list)" 3 "--list-devices: two devices"
bad=
for symbol in cuInit cuDeviceGetCount cuDeviceGet cuDeviceGetName \
    cuDeviceTotalMem_v2 cuDeviceGetAttribute; do
    for n in 1 2 3 4; do
        for how in "" :persist :sticky; do
            FAKE_CU_FAIL=$symbol:$n:999$how
            : >fired
            timeout 20 "$GPUHIST" --list-devices >out 2>err
            status=$?
            read_messages
            lines=$(wc -l <out)
            case $status:$messages:$lines in
            0:0:[13]) ;;
            *) complain "$symbol" ;;
            esac
            if [ ! -s fired ] && ! cmp -s out list; then
                complain "$symbol without a fault"
            fi
        done
    done
done
is "$bad" "" "--list-devices: exit 0 whatever fails"

done_testing
