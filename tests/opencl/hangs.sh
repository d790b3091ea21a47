# SPDX-License-Identifier: MIT
# hangs.sh -- an OpenCL call does not return, or returns late
#
# No count is lost, no thread waits for ever, and the message names the call.
# shellcheck shell=sh disable=SC2154

GPUHIST_TEST_DEVICE=${GPUHIST_TEST_DEVICE:-opencl}

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"
# shellcheck source=tests/opencl/platform.sh
. "$srcdir/tests/opencl/platform.sh"

head -c 60000 /dev/urandom >data
"$GPUHIST" --device=cpu data >cpu

# What is compiled for this is kept: it would take too long below.
for words in as-it-is discrete gpu,discrete,noatomics64; do
    through "$words" "$GPUHIST" --device="$GPUHIST_TEST_DEVICE" \
        --chunk-size=4000 data >out 2>err
    is "$?:$(cat err)" 0: "$words: no fault"
    same out cpu "$words: exact"
done

# Alone: no counts, and what it is that did not return.  They wait side by side,
# for longer than a call takes that is only slow on a busy machine; a call at
# the start has four times as long.  ALL_SECONDS has what can be meant, with |
# between: a device that needs more buffers at the start is still there.
# alone WORDS SYMBOL N SECONDS ALL_SECONDS
alone()
{
    FAKE_CL_FAIL=$2:$3:-5:hang through "$1" "$GPUHIST" \
        --device="$GPUHIST_TEST_DEVICE" --chunk-size=4000 --gpu-timeout="$4" \
        data >"$2.$3.out" 2>"$2.$3.err"
    alone_status=$?
    echo "$alone_status:$(wc -c <"$2.$3.out"):$(cat "$2.$3.err")" >"$2.$3"
    sed -E "/^3:0:gpuhist: opencl.*: $2 did not return for ($5) s\$/d
        s/^/$2:$3: /" "$2.$3" >"$2.$3.bad"
}
while read -r arguments; do
    # shellcheck disable=SC2086 # they are several
    alone $arguments &
done <<'EOT'
as-it-is clGetPlatformIDs 1 0.5 2
as-it-is clCreateBuffer 9 3 3|12
discrete clCreateBuffer 22 3 3
discrete clEnqueueMapBuffer 12 3 3
discrete clEnqueueWriteBuffer 3 3 3
discrete clEnqueueNDRangeKernel 2 3 3
discrete clEnqueueReadBuffer 2 3 3
discrete clFlush 4 3 3
discrete clWaitForEvents 2 3 3
EOT
wait
is "$(cat ./*.bad)" '' 'a call that hangs is named'

# The run ends although the message is not read.
if python3 -c '' 2>python-says; then
    is "$(FAKE_CL_FAIL=clGetPlatformIDs:1:-5:hang through as-it-is \
        python3 -BIS "$srcdir/tests/cli/signalled.py" -e pipe fill -- \
        "$GPUHIST" --list-devices --gpu-timeout=1 2>&1)" 3 \
        '--list-devices, and a full pipe is standard error'
else
    skip '--list-devices' 'no python3'
fi

# auto: the CPU counts what the device had, also where the call returns later,
# when others have that.  Data come until the call has gone wrong, and for a
# while after that.
if ! is_apart_from_cuda; then
    skip 'auto' 'without CUDA, the OpenCL device is gone, too'
    done_testing
    exit
fi
# together SYMBOL:N HOW SECONDS: what is printed is in out and err.
together()
{
    rm -f gate fired sent
    mkfifo gate
    {
        timeout 60 sh -c 'read -r _ <gate'
        for _ in 1 2 3 4 5 6 7 8 9 10; do
            for _ in 1 2 3 4 5 6 7 8 9 10; do
                tee -a sent <data
                sleep 0.02
            done
            [ ! -s fired ] || break
        done
        for _ in 1 2 3 4 5 6 7 8 9 10; do
            tee -a sent <data
            sleep 0.1
        done
    } | {
        export CUDA_VISIBLE_DEVICES='' FAKE_CL_GATE=clEnqueueMapBuffer:10:gate
        export FAKE_CL_FAIL="$1:-5:$2" FAKE_CL_FIRED=fired
        through gpu,discrete,noatomics64 "$GPUHIST" --gpu-after=0 -j1 \
            --chunk-size=2000 --gpu-timeout="$3" >out 2>err
    }
    together_status=$?
    "$GPUHIST" --device=cpu sent >sent.cpu
    [ -s fired ] || echo "$1: not called"
    case $together_status:$(cat err) in
    0: | 0:"gpuhist: warning: a device failed, its chunks were counted again: opencl:0 "*)
        cmp -s out sent.cpu || echo "$1:$2: other counts"
        ;;
    *) echo "$1:$2: exit $together_status: $(cat err)" ;;
    esac
}
bad=
for call in clEnqueueWriteBuffer:3 clWaitForEvents:2; do
    bad="$bad$(together "$call" hang 1)"
    grep -q ": ${call%:*} did not return for 1 s\$" err ||
        bad="$bad $call: $(cat err)"
done
is "$bad" '' 'auto: a call that hangs: the CPU has counted all'
bad=
export FAKE_CL_LATE_MS=600
for call in clEnqueueMapBuffer:12 clWaitForEvents:2; do
    bad="$bad$(together "$call" late 0.2)"
done
is "$bad" '' 'auto: a call that returns when it is too late'

done_testing
