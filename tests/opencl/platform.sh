# SPDX-License-Identifier: MIT
# platform.sh -- what the tests of OpenCL need; to be sourced after tap.sh
#
# Skips all where there is no OpenCL device.  The library of tests/fake is in
# between only where LD_LIBRARY_PATH is set to FAKE_OPENCL_DIR.
# shellcheck shell=sh disable=SC2154

test "$HAVE_OPENCL" = yes || skip_all 'built with --disable-opencl'
test -f "$FAKE_OPENCL_DIR/libOpenCL.so.1" || exit 99

# Drivers have threads that a sanitizer does not know, and leaks.
! grep -q '__tsan_init' "$GPUHIST" ||
    skip_all 'an OpenCL driver under the thread sanitizer'
ASAN_OPTIONS=use_sigaltstack=0:detect_leaks=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}
export ASAN_OPTIONS

"$GPUHIST" --device=opencl </dev/null >platform 2>&1 ||
    skip_all "no OpenCL device: $(cat platform)"
FAKE_CL_REAL=$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p |
    awk '$1 == "libOpenCL.so.1" { print $NF; exit }')
test -n "$FAKE_CL_REAL" || skip_all 'no libOpenCL.so.1 where ldconfig looks'
export FAKE_CL_REAL

# through WORDS COMMAND...: COMMAND, a program, with the library of tests/fake
# in between, whose devices say that they are WORDS.
through()
{
    through_is=$1
    shift
    env LD_LIBRARY_PATH="$FAKE_OPENCL_DIR" FAKE_CL_IS="$through_is" \
        timeout 60 "$@"
}

# is_apart_from_cuda: an empty CUDA_VISIBLE_DEVICES leaves the first device as
# it is.  It hides a GPU from NVIDIA's OpenCL, too.
is_apart_from_cuda()
{
    "$GPUHIST" --list-devices | grep '^opencl:0' >with-cuda
    CUDA_VISIBLE_DEVICES='' "$GPUHIST" --list-devices |
        grep '^opencl:0' >without-cuda
    cmp -s with-cuda without-cuda
}
