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

chunk=1024
chunks=20
head -c $((chunks * chunk)) /dev/urandom >data
timeout 20 "$GPUHIST" --device=cpu data >cpu

# ---- what a healthy run calls, and how often ----

export FAKE_CU_LEDGER=ledger
timeout 20 "$GPUHIST" --device=cuda --chunk-size=$chunk data >out 2>err
is "$?:$(cat err)" 0: "a healthy run: exit 0, silent"
same out cpu "a healthy run: exact"
sed -n '/ 0$/d; s/^calls //p' ledger >healthy
is "$(($(wc -l <healthy) > 20))" 1 "a healthy run calls many functions"
events=$(sed -n 's/^cuEventCreate //p' healthy)

# ---- one run with one fault ----

export FAKE_CU_FAIL FAKE_CU_FIRED=fired
mkfifo gate

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
    timeout 20 "$GPUHIST" --device=cuda --chunk-size=$chunk data >out 2>err
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
    write_gated | FAKE_CU_GATE=cuEventCreate:$events:gate timeout 20 \
        "$GPUHIST" --gpu-after=0 -j1 --chunk-size=$chunk >out 2>err
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

# each FUNCTION SYMBOL N: with the Nth call failing in every way; sets
# has_fired.
each()
{
    has_fired=no
    for how in "" :persist :sticky; do
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

# How many buffers are pinned depends on the order of the threads.
is_certain()
{
    case $1 in
    cuMemHostRegister* | cuMemHostUnregister) return 1 ;;
    *) return 0 ;;
    esac
}

# ---- --device=cuda: every n, until there are no more calls ----

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
        is "$((n - 1))" "$count" "--device=cuda: $symbol failed each time"
    else
        is "$((n > 1))" 1 "--device=cuda: $symbol failed $((n - 1)) times"
    fi
    is "$bad" "" "--device=cuda: $symbol: exact counts or none"
done <healthy
is "$(grep -E '^(outstanding|misuse)' ledger | grep -v ' 0$' | sort -u)" "" \
    "--device=cuda: what was not left by _exit() was cleaned up"

# ---- auto: the first calls and some later ones ----

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
    if [ -z "$fired_n" ]; then
        each try_auto "$symbol" 1
        test $has_fired = no || fired_n=1
    fi
    is "${fired_n:-never}" "${fired_n:-1}" "auto: $symbol failed"
    is "$bad" "" "auto: $symbol: exact counts"
done <healthy
is "$(grep -E '^(outstanding|misuse)' ledger | grep -v ' 0$' | sort -u)" "" \
    "auto: what was not left by _exit() was cleaned up"

# ---- two devices, and one is lost in mid-stream ----

rm -f ledger
export FAKE_CU_DEVICES=2
export FAKE_CU_KERNEL_MS=1
bad=
lost=0
for symbol in cuMemcpyHtoDAsync_v2 cuEventRecord cuStreamWaitEvent \
    cuLaunchKernel cuMemcpyDtoHAsync_v2 cuEventSynchronize; do
    for n in 1 4 7 10; do
        FAKE_CU_FAIL=$symbol:$n:719:lost
        : >fired
        timeout 20 "$GPUHIST" --device=cuda:0,1 --chunk-size=$chunk data \
            >out 2>err
        status=$?
        read_messages
        test -s fired && lost=$((lost + 1))
        case $status:$messages:$message in
        "0:1:gpuhist: warning: its chunks were counted again: cuda:"[01]" "*)
            cmp -s out cpu || complain "$symbol"
            ;;
        *) complain "$symbol" ;;
        esac
    done
done
is "$lost" 24 "cuda:0,1: one was lost in each run"
is "$bad" "" "cuda:0,1: one is lost: exact, exit 0, one warning"
is "$(grep -E '^(outstanding|misuse)' ledger | grep -v ' 0$' | sort -u)" "" \
    "cuda:0,1: one is lost: everything was cleaned up"

FAKE_CU_FAIL=cuLaunchKernel:5:719:lost
timeout 20 "$GPUHIST" -q --device=cuda:0,1 --chunk-size=$chunk data \
    >out 2>err
is "$?:$(cat err)" 0: "cuda:0,1: one is lost: -q is silent"
same out cpu "cuda:0,1: one is lost: -q: exact"

FAKE_CU_FAIL=cuLaunchKernel:5:719:sticky
timeout 20 "$GPUHIST" --device=cuda:0,1 --chunk-size=$chunk data >out 2>err
is "$?:$(cat out):$(wc -l <err)" 3::1 \
    "cuda:0,1: both are lost: exit 3, no counts, one message"
unset FAKE_CU_KERNEL_MS

# ---- the devices' list: what a device does not tell stays empty ----

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
