# SPDX-License-Identifier: MIT
# faults.sh -- every call of the driver goes wrong, in every way
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

test "$HAVE_NVCC" = yes || skip_all "no kernels: no driver is ever loaded"
test -f "$FAKE_CUDA_DIR/libcuda.so.1" || exit 99
command -v python3 >/dev/null || skip_all 'no python3'

thin=thin
! expensive || thin=
# -B: nothing is left beside the script.
python3 -B "$srcdir/tests/cuda/faults.py" "$GPUHIST" "$FAKE_CUDA_DIR" $thin
