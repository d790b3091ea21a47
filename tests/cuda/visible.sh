# SPDX-License-Identifier: MIT
# visible.sh -- the driver starts the GPUs of the run, and no others
#
# The numbers of --device=cuda:N are those of --list-devices, also under a list
# in CUDA_VISIBLE_DEVICES.  The ledger of the driver of tests/fake tells how
# many devices it has started.
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

test "$HAVE_NVCC" = yes || skip_all "no kernels: no driver is ever loaded"
test -f "$FAKE_CUDA_DIR/libcuda.so.1" || exit 99
export LD_LIBRARY_PATH="$FAKE_CUDA_DIR" FAKE_CU_DEVICES=4

run()
{
    timeout 30 "$GPUHIST" "$@"
}

head -c 100000 /dev/urandom >in
run --device=cpu in >cpu

# listed: "N=G" for each line of the list, cuda:N being Fake GPU G.
listed()
{
    run --list-devices 2>&1 |
        sed -n 's/^cuda:\([0-9]*\)	Fake GPU \([0-9]*\)	.*/\1=\2/p' | tr '\n' ' '
}

# counts DEVICE WANTED STARTED: a run counts exactly with the GPUs WANTED, in
# the form of the list, and the driver starts STARTED of them.
counts()
{
    rm -f ledger
    case $1 in
    *,*) all=--gpu-after=0 ;;
    *) all= ;;
    esac
    # shellcheck disable=SC2086 # it is empty, or one option
    FAKE_CU_LEDGER=ledger run --device="$1" $all --explain \
        --chunk-size=4096 in >out 2>err
    status=$?
    used=$(sed -n 's/.*: cuda:\([0-9]*\) (Fake GPU \([0-9]*\)): .*/\1=\2/p' \
        err | tr '\n' ' ')
    same out cpu "$name: $1: exact"
    is "$status:$used$(sed -n 's/^work devices //p' ledger)" "0:$2$3" \
        "$name: $1: uses $2and starts $3"
}

# none DEVICE MESSAGE: no such GPU; the message is that of all GPUs at once.
none()
{
    run --device="$1" in >out 2>err
    is "$?:$(cat out):$(cat err)" "3::gpuhist: $2" "$name: $1: $2"
}

none_detected="cuda: cuInit: CUDA_ERROR_NO_DEVICE (no CUDA-capable device is \
detected)"

# ---- without a list ----

name="no list"
unset CUDA_VISIBLE_DEVICES
is "$(listed)" "0=0 1=1 2=2 3=3 " "$name: four devices"
counts cuda "0=0 " 1
counts cuda:0 "0=0 " 1
counts cuda:2 "2=2 " 1
counts cuda:3,1 "3=3 1=1 " 2
counts cuda:3,2,1,0 "3=3 2=2 1=1 0=0 " 4
none cuda:4 "cuda:4: no such device (this machine shows 4)"
none cuda:4,0 "cuda:4: no such device (this machine shows 4)"
none cuda:0,17 "cuda:17: no such device (this machine shows 4)"
none cuda:2147483647 "cuda:2147483647: no such device (this machine shows 4)"

FAKE_CU_DEVICES=0
none cuda:0 "cuda: cuDeviceGetCount: CUDA_ERROR_NO_DEVICE (no CUDA-capable \
device is detected)"
FAKE_CU_DEVICES=4

# auto starts one, too; the input is open until it has counted.
rm -f ledger
{
    head -c 50000 in
    sleep 1
    tail -c 50000 in
} | FAKE_CU_LEDGER=ledger run --gpu-after=0 --chunk-size=4096 >out 2>err
same out cpu "$name: auto: exact"
# Another process has tried the driver before: the ledger has both.
is "$(sed -n 's/^work devices //p' ledger | sort -u)" 1 "$name: auto: starts 1"

# ---- with lists ----

# under LIST: this is the list of the user.
under()
{
    name="list '$1'"
    export CUDA_VISIBLE_DEVICES="$1"
}

under 2
is "$(listed)" "0=2 " "$name: one device"
counts cuda "0=2 " 1
none cuda:1 "cuda:1: no such device (this machine shows 1)"

under 1,3
is "$(listed)" "0=1 1=3 " "$name: two devices"
counts cuda:0 "0=1 " 1
counts cuda:1 "1=3 " 1
counts cuda:1,0 "1=3 0=1 " 2
none cuda:2 "cuda:2: no such device (this machine shows 2)"

# A greater number before it might name no GPU, so it stays.
under 3,1,2,0
counts cuda:0 "0=3 " 1
counts cuda:1 "1=1 " 2
counts cuda:2 "2=2 " 2
counts cuda:3,0 "3=0 0=3 " 4
none cuda:4 "cuda:4: no such device (this machine shows 4)"

# What names no GPU ends the list.
under 0,9,1
is "$(listed)" "0=0 " "$name: one device"
counts cuda "0=0 " 1
none cuda:1 "cuda:1: no such device (this machine shows 1)"
none cuda:2 "cuda:2: no such device (this machine shows 1)"
none cuda:0,2 "cuda:2: no such device (this machine shows 1)"
none cuda:3 "cuda:3: no such device (this machine shows 1)"
under 9
none cuda "$none_detected"
none cuda:1 "$none_detected"

for list in '' -1 NoDevFiles ,1; do
    under "$list"
    is "$(listed)" "" "$name: no device"
    none cuda "$none_detected"
    none cuda:1 "$none_detected"
done
under 0,-1,1
counts cuda "0=0 " 1
none cuda:1 "cuda:1: no such device (this machine shows 1)"

# Of these only the driver knows the meaning.
for list in ' 2' 02 '2 ,1' +2; do
    under "$list"
    counts cuda "0=2 " "$(listed | wc -w)"
done
for list in 0,0 1,2,1 1,01 1,GPU-1 GPU-1,1 GPU-1,GPU-10000000; do
    under "$list"
    none cuda "cuda: cuInit: CUDA_ERROR_INVALID_DEVICE (invalid device ordinal)"
done

under GPU-20000000,GPU-1
is "$(listed)" "0=2 1=1 " "$name: two devices"
counts cuda:0 "0=2 " 1
counts cuda:1 "1=1 " 2
counts cuda:1,0 "1=1 0=2 " 2
# A number and a UUID might be the same GPU, which is an error of the driver.
under 3,GPU-1,2
counts cuda:1 "1=1 " 3
counts cuda:2 "2=2 " 3
under GPU-7,1
none cuda "$none_detected"
none cuda:1 "$none_detected"

# Longer than any sensible list: as it is.
under "2,1,GPU-9$(printf ',%0500d' 1 2 3 4 5)"
name="a long list"
counts cuda "0=2 " 2

# ---- another error than a missing device is told at once ----

name="cuInit fails"
unset CUDA_VISIBLE_DEVICES
export FAKE_CU_INIT=999
none cuda:2 "cuda: cuInit: CUDA_ERROR_UNKNOWN (unknown error)"

done_testing
