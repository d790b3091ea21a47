# SPDX-License-Identifier: MIT
# faults.sh -- every OpenCL call fails once, and for good
#
# For each symbol and some n the nth call fails.  Whatever happens, the counts
# are exact or there are none:
#
#     --device=opencl   exit 0, exact and silent; or exit 3, no output and one
#                       message, which names the call
#     auto              exit 0 and exact, with at most one warning
# shellcheck shell=sh disable=SC2154

GPUHIST_TEST_DEVICE=${GPUHIST_TEST_DEVICE:-opencl}

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"
# shellcheck source=tests/opencl/platform.sh
. "$srcdir/tests/opencl/platform.sh"

# Records whose table needs everything that there is on the device: axes,
# edges, a lookup table and sums.  And bytes.
head -c 60000 /dev/urandom >data
what()
{
    kind=$1
    shift
    case $kind in
    bytes)
        set -- "$@" --chunk-size=4000 data
        ;;
    sums)
        set -- "$@" --chunk-size=12000 --record=u1,f8,f4,x*2 --weights=3 \
            --edges=- --edges=-1,0,1 data
        ;;
    esac
    through discrete "$GPUHIST" "$@"
}
export FAKE_CL_LEDGER FAKE_CL_FAIL FAKE_CL_FIRED=
for kind in bytes sums; do
    FAKE_CL_FAIL=
    FAKE_CL_LEDGER=
    what "$kind" --device=cpu >"$kind.cpu"
    what "$kind" --device="$GPUHIST_TEST_DEVICE" >out 2>err
    is "$?:$(cat err)" 0: "$kind: a healthy run: exit 0, silent"
    same out "$kind.cpu" "$kind: a healthy run: exact"
    FAKE_CL_LEDGER=$kind.ledger
    what "$kind" --device="$GPUHIST_TEST_DEVICE" >out 2>err
    is "$(grep '^outstanding' "$kind.ledger")" 'outstanding 0' \
        "$kind: a healthy run releases everything"
done
FAKE_CL_LEDGER=

# complain: to be shown if the test fails.
complain()
{
    bad="$bad
$kind: $FAKE_CL_FAIL: exit $status: $(cat err)"
}

# try_demanded SYMBOL N HOW
try_demanded()
{
    FAKE_CL_FAIL=$1:$2:$code$3
    FAKE_CL_FIRED=fired
    rm -f fired
    what "$kind" --device="$GPUHIST_TEST_DEVICE" >out 2>err
    status=$?
    [ ! -s fired ] || fired=$((fired + 1))
    messages=$(wc -l <err)
    case $status:$messages:$(cat err) in
    0:0:) cmp -s out "$kind.cpu" || complain ;;
    3:1:"gpuhist: opencl"*": $1: "*) [ ! -s out ] || complain ;;
    *) complain ;;
    esac
}

# What may fail without harm: what only says more, or what comes afterwards.
is_harmless()
{
    case $1 in
    clGetProgram* | clRelease* | clFinish) return 0 ;;
    clEnqueueMapBuffer | clEnqueueUnmapMemObject) return 0 ;;
    *) return 1 ;;
    esac
}

code=-5
# With sums, only the calls that are more than those with bytes.
for kind in bytes sums; do
    sed -n '/ 0$/d; s/^calls //p' "$kind.ledger" >calls
    [ $kind = bytes ] || grep -v -x -F -f bytes.calls calls >rest
    [ $kind = bytes ] || mv rest calls
    cp calls $kind.calls
    while read -r symbol count; do
        bad=
        fired=0
        tried=0
        last=
        for n in 1 "$count"; do
            [ "$n" != "$last" ] || continue
            last=$n
            has_turn 3 || continue
            try_demanded "$symbol" "$n" ''
            tried=$((tried + 1))
            case $code in
            -5) code=-14 ;;
            -14) code=-9999 ;;
            *) code=-5 ;;
            esac
        done
        try_demanded "$symbol" 1 :persist
        is "$fired" $((tried + 1)) "$kind: $symbol failed each time"
        if ! is_harmless "$symbol" && [ "$status" -ne 3 ]; then
            complain
        fi
        is "$bad" '' "$kind: $symbol: exact counts or none"
    done <calls
done
FAKE_CL_FAIL=

# Pinned memory.  Checkpoints have it from the start, chunks when they first
# come by.  What is refused is done without, at once or later on.
# copies FAULT [OPTION]...: the ledger has how many bytes were copied.
copies()
{
    FAKE_CL_FAIL=$1
    shift
    rm -f ledger
    FAKE_CL_LEDGER=ledger through discrete "$GPUHIST" -v \
        --device="$GPUHIST_TEST_DEVICE" --chunk-size=500 "$@" data >out 2>err
    copies_status=$?
    FAKE_CL_FAIL=
    cmp -s out bytes.cpu || copies_status=different
    echo "$copies_status:$(sed 's/ opencl:.*: cl/ cl/' err)"
}
refused='gpuhist: memory was refused, so it is slower: clEnqueueMapBuffer: CL_OUT_OF_RESOURCES'
is "$(copies '')" 0: 'pinned memory'
is "$(grep -c -e '^written 60000 0$' -e '^read [1-9][0-9]* 0$' ledger)" 2 \
    '... for all chunks and checkpoints'
is "$(copies clEnqueueMapBuffer:1:-5)" "0:$refused" 'no pinned memory'
is "$(grep -c -e '^written 0 60000$' -e '^read 0' -e '^outstanding 0$' \
    ledger)" 3 '... none at all'
is "$(copies clEnqueueMapBuffer:12:-5)" "0:$refused" 'little pinned memory'
is "$(grep -c -e '^written [1-9][0-9]* [1-9]' -e '^outstanding 0$' ledger)" 2 \
    "... for some chunks: $(grep '^written' ledger)"
is "$(copies '' --memory-limit=24Ki)" 0: 'a small --memory-limit'
is "$(grep -c -e '^written 0 60000$' -e '^read [1-9][0-9]* 0$' ledger)" 2 \
    '... has no room for other chunks'

# A device that loses count, and says nothing.
FAKE_CL_LOSE=3 what bytes --device="$GPUHIST_TEST_DEVICE" >out 2>err
is "$?:$(wc -c <out):$(grep -c ': the counts do not add up$' err)" 3:0:1 \
    'a device that loses count'

# A platform fails, and its devices are not there: the last one has no number
# then, and it is said why.
count=$(through twice "$GPUHIST" --list-devices | grep -c '^opencl:')
bad=
kind=platform
for symbol in clGetDeviceIDs clGetDeviceInfo; do
    FAKE_CL_FAIL=$symbol:1:-5
    through twice "$GPUHIST" --device="opencl:$((count - 1))" data >out 2>err
    status=$?
    case $status:$(wc -c <out):$(cat err) in
    3:0:"gpuhist: opencl:$((count - 1)): no such device (this machine shows "*"): \
$symbol: CL_OUT_OF_RESOURCES") ;;
    *) complain ;;
    esac
    through twice "$GPUHIST" --device=opencl:0 data >out 2>err
    status=$?
    cmp -s out bytes.cpu || complain
done
FAKE_CL_FAIL=
is "$bad" '' 'a platform fails: another one is used, or it is said why'

# The list of devices: what a device does not tell stays empty.
bad=
kind=list
for symbol in clGetPlatformIDs clGetDeviceIDs clGetDeviceInfo \
    clGetPlatformInfo; do
    for n in 1 2 3 4; do
        FAKE_CL_FAIL=$symbol:$n:-30
        through as-it-is "$GPUHIST" --list-devices >out 2>err
        status=$?
        [ "$status:$(wc -l <err):$(grep -c '^cpu' out)" = 0:0:1 ] || complain
    done
done
is "$bad" '' '--list-devices: exit 0 whatever fails'

# auto: the device is lost in the middle, and the CPU counts again what it had.
# It has to count first: so the data wait for it.
if ! is_apart_from_cuda; then
    skip 'auto' 'without CUDA, the OpenCL device is gone, too'
    done_testing
    exit
fi
mkfifo gate
for _ in 1 2 3 4 5 6 7 8 9 10; do cat data data; done >long
"$GPUHIST" --device=cpu long >long.cpu
warned=0
bad=
kind=auto
for fault in clEnqueueWriteBuffer:1 clEnqueueWriteBuffer:5 \
    clEnqueueNDRangeKernel:1 clEnqueueNDRangeKernel:4 clSetKernelArg:12 \
    clWaitForEvents:2 clWaitForEvents:4 clEnqueueReadBuffer:2 clFlush:5; do
    FAKE_CL_FAIL=$fault:-36:persist
    rm -f fired
    {
        timeout 60 sh -c 'read -r _ <gate'
        cat long
    } | {
        export CUDA_VISIBLE_DEVICES='' FAKE_CL_GATE=clEnqueueMapBuffer:10:gate
        through gpu,discrete,noatomics64 "$GPUHIST" --gpu-after=0 -j1 --chunk-size=2000 \
            >out 2>err
    }
    status=$?
    case $status:$(cat err) in
    0:) cmp -s out long.cpu || complain ;;
    0:"gpuhist: warning: a device failed, its chunks were counted again: opencl:0 "*)
        cmp -s out long.cpu || complain
        warned=$((warned + 1))
        ;;
    *) complain ;;
    esac
done
is "$bad" '' 'auto: exact, exit 0, a warning at most'
[ $warned -ge 5 ]
ok $? "auto: the device was lost $warned times, while it was counting"

done_testing
