# SPDX-License-Identifier: MIT
# auto.sh -- --range=auto on GPUs: the same bytes from all engines
#
# Over the driver of tests/fake, whose streams are as late as they may be.
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

test "$HAVE_NVCC" = yes || skip_all "no kernels: no driver is ever loaded"
test -f "$FAKE_CUDA_DIR/libcuda.so.1" || exit 99
export LD_LIBRARY_PATH="$FAKE_CUDA_DIR" FAKE_CU_DEVICES=2 FAKE_CU_LEDGER=ledger

numpy_script "$srcdir/tests/cli/auto_oracle.py" cuda "cuda:0,1 --gpu-after=0"
