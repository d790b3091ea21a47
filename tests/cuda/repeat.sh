# SPDX-License-Identifier: MIT
# repeat.sh -- auto: a GPU that holds nothing back fails, the CPU counts again
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

test "$HAVE_NVCC" = yes || skip_all "no kernels: no driver is ever loaded"
test -f "$FAKE_CUDA_DIR/libcuda.so.1" || exit 99
export LD_LIBRARY_PATH="$FAKE_CUDA_DIR"
export FAKE_CU_FIRED=fired

# A table of 3 MiB.  The file is large enough that the GPU gets a part of it.
wide()
{
    timeout 60 "$GPUHIST" --dtype=u4 --range=0,4294967295 -b400000 \
        --nonzero --chunk-size=64Ki -j1 "$@"
}

head -c 8000000 /dev/urandom >data
files='data data data data data data'
# shellcheck disable=SC2086 # they are words
wide --device=cpu $files >cpu
counted='warning: a device failed, the inputs are counted again: cuda:0 '

# try FAULT OPTION...: like wide, with FAULT, until a call has failed so.
try()
{
    fault=$1
    shift
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        : >fired
        FAKE_CU_FAIL=$fault wide --gpu-after=0 --gpu-timeout=0.5 "$@" \
            >out 2>err
        status=$?
        [ ! -s fired ] || break
    done
}

for call in cuMemcpyHtoDAsync_v2:9 cuLaunchKernel:2 cuEventRecord:5 \
    cuMemcpyDtoHAsync_v2:1; do
    for way in 719 700:sticky 719:persist 719:lost 1:hang; do
        # shellcheck disable=SC2086 # they are words
        try $call:$way $files
        test "$status:$(wc -l <err)" = 0:1 && grep -q "$counted" err &&
            cmp -s out cpu && test -s fired
        ok $? "$call:$way: counted again" || sed 's/^/# /' err fired
    done
done

# Before it has counted a chunk, it is not missed.
try cuMemAlloc_v2:1:2:persist data data data data data data
is "$status:$(cat err)" 0: 'it cannot be opened: silent'
same out cpu '... exact'

try cuLaunchKernel:2:719 -q -o file data data data data data data
is "$status:$(cat out err)" 0: '-q, -o: silent'
same file cpu '... exact'
is "$(find . -name '*file*' | wc -l)" 1 '... no other file is left'

try cuLaunchKernel:2:719 --explain data data data data data data
is "$(sed -n 's/.*explain: cpu: .* counted \([0-9]*\) bytes.*/\1/p' err |
    awk '{ bytes += $1 } END { print bytes }')" 48000000 \
    'the CPU counted all of it'

# What cannot be read twice is held back.
cat data data data data data data >large
: >fired
FAKE_CU_FAIL=cuLaunchKernel:2:719 wide --gpu-after=0 <large >out 2>err
is "$?:$(grep -c 'the inputs are counted again' err)" 0:0 \
    'a redirected file is not read again'
same out cpu '... exact'
(
    sleep 0.5
    cat large
) | FAKE_CU_FAIL=cuLaunchKernel:2:719 wide --gpu-after=0 data - >out 2>err
is "$?:$(grep -c 'its chunks were counted again' err)" 0:1 'a pipe'
wide --device=cpu data large >cpu
same out cpu '... exact'

done_testing
