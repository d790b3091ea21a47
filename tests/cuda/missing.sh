# SPDX-License-Identifier: MIT
# missing.sh -- no usable GPU: auto does without, --device=cuda says why
#
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

test "$HAVE_NVCC" = yes || skip_all "no kernels: no driver is ever loaded"
test -f "$FAKE_CUDA_DIR/libcuda.so.1" || exit 99
export LD_LIBRARY_PATH="$FAKE_CUDA_DIR"

run()
{
    timeout 20 "$GPUHIST" "$@"
}

head -c 50000 /dev/urandom >in
: >empty
run --device=cpu in >cpu

# slowly SECONDS: the input stays open for SECONDS, so that the GPU is tried.
slowly()
{
    head -c 30000 in
    sleep "$1"
    tail -c 20000 in
}

# try_until PATTERN OPTION...: a run with auto, open until the GPU has been
# tried, as PATTERN on standard error says: on a busy machine that takes a
# while.  Sets status, and seconds.
try_until()
{
    pattern=$1
    shift
    for seconds in 0.1 0.5 2 10; do
        slowly $seconds | run --gpu-after=0 --chunk-size=4096 -v "$@" >out 2>err
        status=$?
        ! grep -q "$pattern" err || return
    done
}

# The file "err", without what it says of OpenCL.
why()
{
    sed '/^gpuhist: no GPU: opencl: /d; s/; opencl: .*//' err
}

# demanded MESSAGE DEVICE NAME: what --device=DEVICE must do with any input.
demanded()
{
    run --device="$2" in >out 2>err
    is "$?:$(cat out):$(cat err)" "3::gpuhist: $1" "$3: --device=$2 fails"
    run --device="$2" <empty >out 2>err
    is "$?:$(cat out):$(cat err)" "3::gpuhist: $1" \
        "$3: --device=$2 fails for empty input, too"
}

# automatic MESSAGE NAME: what auto must do.
automatic()
{
    run --gpu-after=0 --chunk-size=4096 in >out 2>err
    is "$?:$(cat err)" "0:" "$2: auto: exit 0, silent"
    same out cpu "$2: auto: exact"
    try_until 'no GPU: cuda'
    is "$status:$(why)" "0:gpuhist: no GPU: $1" "$2: auto -v: says why"
    same out cpu "$2: auto -v: exact"
    # As long as that took, and what may be said with -v alone is not.
    slowly "$seconds" | run --gpu-after=0 --chunk-size=4096 >out 2>err
    is "$?:$(cat err)" "0:" "$2: auto, in time: exit 0, silent"
    same out cpu "$2: auto, in time: exact"
}

# unusable MESSAGE NAME: all of it.
unusable()
{
    automatic "$1" "$2"
    demanded "$1" cuda "$2"
    run --list-devices -v >out 2>err
    is "$?:$(grep -c '^cpu' out):$(wc -l <out)" 0:1:1 "$2: --list-devices"
    is "$(why)" "gpuhist: no GPU: $1" "$2: --list-devices -v says why"
}

# ---- that these tests can fail: with a driver, nothing of this happens ----

try_until 'cuda:0 (Fake GPU 0)' --explain
is "$status:$(grep -c 'no GPU' err)" 0:0 "a GPU: auto -v has nothing to excuse"
is "$(grep -c 'cuda:0 (Fake GPU 0)' err)" 1 "a GPU: auto starts it"
run --device=cuda in >out 2>err
is "$?:$(cat err)" 0: "a GPU: --device=cuda works"
run --list-devices -v >out 2>err
is "$(sed -n '2p' out)" "cuda:0	Fake GPU 0	1024 MiB	sm_90" \
    "a GPU: --list-devices"
run --list-devices --device=cpu >out 2>err
is "$?:$(cut -f 1 out):$(cat err)" 0:cpu: "a GPU: --list-devices --device=cpu"

# ---- drivers that cannot be loaded ----

no_driver="cuda: no CUDA driver (libcuda.so.1)"
mkdir none text libc partial
export LD_LIBRARY_PATH="$tap_dir/none"
if run --list-devices -v 2>&1 | grep -F "$no_driver" >line; then
    unusable "$no_driver" "no driver"
else
    skip "no driver" "this machine has one where every program finds it"
fi

echo 'not a shared object' >text/libcuda.so.1
export LD_LIBRARY_PATH="$tap_dir/text"
unusable "$no_driver" "a driver that is a text file"

# The C library has none of the symbols.
c_library=$(ldd "$GPUHIST" | awk '$1 ~ /^libc\.so/ { print $3 }')
if [ -f "$c_library" ]; then
    ln -s "$c_library" libc/libcuda.so.1
    export LD_LIBRARY_PATH="$tap_dir/libc"
    unusable "cuda: the CUDA driver is too old" "a driver without symbols"
else
    skip "a driver without symbols" "no C library to put in its place"
fi

# A driver that lacks just one symbol, for each one.
export LD_LIBRARY_PATH="$FAKE_CUDA_DIR"
FAKE_CU_LEDGER=ledger timeout 20 "$GPUHIST" --device=cuda in >out
sed -n 's/^calls \(cu[A-Za-z0-9_]*\) .*/\1/p' ledger >symbols
export LD_LIBRARY_PATH="$tap_dir/partial"
tried=0
bad=
while read -r symbol; do
    # Another first letter leaves every length in the file as it is.
    sed "s/\([^A-Za-z]\)c\(${symbol#c}[^A-Za-z0-9_]\)/\1X\2/g" \
        "$FAKE_CUDA_DIR/libcuda.so.1" >partial/libcuda.so.1
    run --device=cuda in >out 2>err
    status=$?
    if [ "$status:$(cat out)" != 3: ] ||
        [ "$(cat err)" != "gpuhist: cuda: the CUDA driver is too old" ]; then
        bad="$bad $symbol"
    fi
    tried=$((tried + 1))
done <symbols
is "$((tried > 20))" 1 "a driver without one symbol: there are many"
is "$bad" "" "a driver without one symbol: each is missed"

# ---- drivers that do not work ----

export LD_LIBRARY_PATH="$FAKE_CUDA_DIR"
export FAKE_CU_INIT
FAKE_CU_INIT=34
unusable "cuda: cuInit: CUDA error 34" "the toolkit's stub"
FAKE_CU_INIT=35
unusable "cuda: cuInit: CUDA error 35" "an error without a name"
FAKE_CU_INIT=100
unusable "cuda: cuInit: CUDA_ERROR_NO_DEVICE (no CUDA-capable device is \
detected)" "cuInit: no device"
FAKE_CU_INIT=999
unusable "cuda: cuInit: CUDA_ERROR_UNKNOWN (unknown error)" "cuInit: unknown"
unset FAKE_CU_INIT

export FAKE_CU_DEVICES=0
unusable "cuda: cuDeviceGetCount: CUDA_ERROR_NO_DEVICE (no CUDA-capable \
device is detected)" "no devices"
unset FAKE_CU_DEVICES

export FAKE_CU_FAIL=cuDeviceGetCount:1:999
unusable "cuda: cuDeviceGetCount: CUDA_ERROR_UNKNOWN (unknown error)" \
    "cuDeviceGetCount fails"

# ---- a driver that works, and a device that does not ----

export FAKE_CU_FAIL=cuModuleLoadData:1:209
message="cuda:0 (Fake GPU 0): cuModuleLoadData: CUDA_ERROR_NO_BINARY_FOR_GPU \
(no kernel image is available for execution on the device)"
automatic "$message" "no kernel for the device"
demanded "$message" cuda "no kernel for the device"
unset FAKE_CU_FAIL

# A driver that has no such kernel: that of another gpuhist.
export FAKE_CU_FAIL=cuModuleGetFunction:1:500
message="cuda:0 (Fake GPU 0): cuModuleGetFunction: CUDA_ERROR_NOT_FOUND (named \
symbol not found)"
automatic "$message" "no such kernel"
demanded "$message" cuda "no such kernel"
export FAKE_CU_FAIL=cuFuncSetAttribute:1:1
message="cuda:0 (Fake GPU 0): cuFuncSetAttribute: CUDA_ERROR_INVALID_VALUE \
(invalid argument)"
automatic "$message" "no shared memory"
demanded "$message" cuda "no shared memory"
unset FAKE_CU_FAIL

# A strategy that is not possible, for empty input, too.
message="cuda:0 (Fake GPU 0): --tune=strategy=lane is not possible: it cannot add \
up weights"
weights='--record=u1,u1 --weights=2'
# shellcheck disable=SC2086 # they are two options
run --device=cpu $weights in >cpu.weights
for input in in empty; do
    # shellcheck disable=SC2086 # likewise
    run --device=cuda --strategy=lane $weights $input >out 2>err
    is "$?:$(cat out):$(cat err)" "3::gpuhist: $message" \
        "--strategy=lane for weights: $input: fails"
done
# shellcheck disable=SC2086 # likewise
try_until 'no GPU: cuda' --strategy=lane $weights
is "$status:$(why)" "0:gpuhist: no GPU: $message" \
    "--strategy=lane for weights: auto -v: says why"
same out cpu.weights "--strategy=lane for weights: auto -v: exact"

demanded "cuda:7: no such device (this machine shows 1)" cuda:7 "one device"
demanded "cuda:1: no such device (this machine shows 1)" cuda:0,1 "one device"
demanded "cuda:1: no such device (this machine shows 1)" cuda:1,0 "one device"

# ---- texts of errors: where the driver gives none, the number ----

export FAKE_CU_INIT=100
export FAKE_CU_FAIL=cuGetErrorName:1:1:persist
demanded "cuda: cuInit: CUDA error 100" cuda "no name"
export FAKE_CU_FAIL=cuGetErrorString:1:1:persist
demanded "cuda: cuInit: CUDA_ERROR_NO_DEVICE" cuda "no text"
unset FAKE_CU_FAIL

# ---- where the input does not end, that is no reason to wait ----

mkfifo pipe
sleep 100 >pipe &
writer=$!
timeout 60 "$GPUHIST" --device=cuda <pipe >out 2>err
is "$?:$(cat out):$(wc -l <err)" 3::1 "nobody waits for the input"
kill "$writer"

done_testing
