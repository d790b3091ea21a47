# SPDX-License-Identifier: MIT
# process.sh -- what an OpenCL platform may do to the process, and what not
# shellcheck shell=sh disable=SC2154

GPUHIST_TEST_DEVICE=${GPUHIST_TEST_DEVICE:-opencl}

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"
# shellcheck source=tests/opencl/platform.sh
. "$srcdir/tests/opencl/platform.sh"

head -c 60000 /dev/urandom >data
"$GPUHIST" --device=cpu data >cpu
mkfifo gate
# What is written there stays until it is read.
exec 9<>gate

# ---- abort() and exit() ----

# aborted NAME [WHAT]: a run that is aborted is like one whose device fails.
aborted()
{
    is "$aborted_status:$(tail -n 1 err)" \
        "3:gpuhist: ${2-opencl: the driver called abort()}" \
        "$1: exit 3 and says so"
    is "$(wc -c <out):$(find . -name 'table*' -o -name '.gpuhist*')" 0: \
        "$1: nothing is printed, nothing is left behind"
}

while read -r symbol n; do
    FAKE_CL_FAIL=$symbol:$n:-5:abort through discrete "$GPUHIST" \
        --device="$GPUHIST_TEST_DEVICE" --chunk-size=4000 -o table data \
        >out 2>err
    aborted_status=$?
    aborted "$symbol aborts"
    FAKE_CL_FAIL=$symbol:$n:-5:exit through discrete "$GPUHIST" \
        --device="$GPUHIST_TEST_DEVICE" --chunk-size=4000 -o table data \
        >out 2>err
    aborted_status=$?
    aborted "$symbol exits" \
        "a device's driver called exit() before all was counted and printed"
done <<'EOT'
clGetDeviceInfo 5
clBuildProgram 1
clEnqueueNDRangeKernel 3
clWaitForEvents 4
EOT

# auto: the CPU can count what is in files; many, so that it has not by then.
i=0
while [ $i -lt 20000 ]; do
    printf 'data\0'
    i=$((i + 1))
done >names
awk '{ print $1 "\t" 20000 * $2 }' cpu >cpu-all
for how in abort exit; do
    FAKE_CL_FAIL=clBuildProgram:1:-5:$how through gpu,discrete "$GPUHIST" \
        --gpu-after=0 -j1 --files0-from=names -o table >out 2>err
    is "$?:$(cat err)" "0:gpuhist: warning: a device's driver called $how(), \
the inputs are counted again" "auto: clBuildProgram calls $how(): counted again"
    same table cpu-all '... exact'
    rm table
done

# USR1 is how it is told: that may be ignored.
(
    trap '' USR1
    FAKE_CL_FAIL=clWaitForEvents:4:-5:abort through discrete "$GPUHIST" \
        --device="$GPUHIST_TEST_DEVICE" --chunk-size=4000 -o table data \
        >out 2>err
)
aborted_status=$?
aborted 'USR1 is ignored, a call aborts'

# PoCL links what it has compiled, with the ld that is in PATH.
if ! "$GPUHIST" --list-devices | grep -q 'Portable Computing Language'; then
    skip 'no ld in PATH' 'it is PoCL that needs it'
else
    mkdir fresh
    env -i PATH="$tap_dir/none" POCL_CACHE_DIR="$tap_dir/fresh" "$GPUHIST" \
        --device=opencl -o table data >out 2>err
    aborted_status=$?
    if [ $aborted_status -eq 0 ] && cmp -s table cpu; then
        rm table
        skip 'no ld in PATH' 'this PoCL needs none'
    else
        aborted 'no ld in PATH'
    fi
fi

# ---- signals that are ignored ----

# exposed PID: how many of its threads could be made to call a handler.
exposed()
{
    exposed_count=0
    for task in "/proc/$1/task"/*; do
        mask=0
        # One that has ended meanwhile is no matter.
        cat "$task/status" >thread 2>/dev/null || continue
        for field in SigBlk SigIgn; do
            bits=$(sed -n "s/^$field:[[:space:]]*/0x/p" thread)
            mask=$((mask | ${bits:-0}))
        done
        # HUP, INT, QUIT, USR2 and TERM.
        [ $((mask & 0x4807)) -eq $((0x4807)) ] ||
            exposed_count=$((exposed_count + 1))
    done
    echo $exposed_count
}

# stream BYTES: so many, then those that are left, once the gate is open and
# signals have been sent to the process whose number is in "pid".
stream()
{
    head -c "$1" data
    timeout 60 sh -c 'read -r _ <gate'
    exposed "$(cat pid)" >exposed.n
    for signal in HUP INT TERM QUIT USR2; do
        kill -$signal "$(cat pid)" || echo "$signal: no process" >&2
    done
    grep -c 'libOpenCL' "/proc/$(cat pid)/maps" >loaded
    tail -c +$(($1 + 1)) data
}

# ignores NAME OPTION...: a run that ignores them all counts to its end.
ignores()
{
    ignores_name=$1
    shift
    rm -f pid
    mkfifo in
    (
        trap '' HUP INT TERM QUIT USR2
        sh -c 'echo $$ >pid; exec "$@"' sh env \
            LD_LIBRARY_PATH="$FAKE_OPENCL_DIR" FAKE_CL_GATE="$gated:gate" \
            "$GPUHIST" "$@" <in >out 2>err
        echo "$?" >status
    ) &
    stream 20000 >in 2>stream.err
    wait
    rm in
    is "$(cat status):$(cat err stream.err)" 0: "$ignores_name: goes on"
    is "$(cat exposed.n)" 0 "$ignores_name: no handler is called"
    same out cpu "$ignores_name: exact"
}

gated=clEnqueueNDRangeKernel:2 ignores 'ignored signals, OpenCL demanded' \
    --device="$GPUHIST_TEST_DEVICE" --chunk-size=4000

# ---- auto ----

if ! is_apart_from_cuda || "$GPUHIST" --list-devices | grep -q '(GPU)$'; then
    skip 'auto' 'there is a GPU'
    done_testing
    exit
fi
export CUDA_VISIBLE_DEVICES=''
gated=clGetDeviceIDs:1 ignores 'ignored signals, auto' --gpu-after=0 \
    --chunk-size=4000
is "$(cat loaded)" 0 'auto: no OpenCL library where there is no GPU'

# automatic HOW NAME: what happens to the list of devices is no matter.
automatic()
{
    {
        head -c 20000 data
        timeout 60 sh -c 'read -r _ <gate'
        # It is told what came of it, with -v, if it is known in time.
        sleep 0.5
        tail -c +20001 data
    } | FAKE_CL_GATE=clGetDeviceIDs:1:gate FAKE_CL_FAIL=clGetDeviceIDs:1:$1 \
        through as-it-is "$GPUHIST" -v --gpu-after=0 --chunk-size=4000 \
        >out 2>err
    is "$?:$(sed 's/.*; //' err)" "0:$3" "auto: $2: goes on"
    same out cpu "auto: $2: exact"
}
automatic -5:abort 'a platform aborts' 'opencl: the list of devices failed'
automatic -5 'a platform fails' \
    'opencl: no device: clGetDeviceIDs: CL_OUT_OF_RESOURCES'

done_testing
