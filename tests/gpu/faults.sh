# SPDX-License-Identifier: MIT
# faults.sh -- the calls of a real driver go wrong
# shellcheck shell=sh disable=SC2154

. "${srcdir:?run it by make check-gpu}/tests/tap.sh"

"$GPUHIST" --device=cuda </dev/null >/dev/null 2>&1 ||
    skip_all 'no usable GPU'
command -v python3 >/dev/null || skip_all 'no python3'

# The interposer needs the real driver's path: the one that the dynamic loader
# finds without it.
real=$(LD_DEBUG=libs "$GPUHIST" --list-devices 2>&1 >/dev/null |
    sed -n 's/.*calling init: \(\/.*\/libcuda\.so\.1\)$/\1/p' | head -n 1)
test -n "$real" || skip_all 'the path of the driver is not known'
FAKE_CU_REAL=$real
export FAKE_CU_REAL

# -B: nothing is left beside the script.
python3 -B "$srcdir/tests/cuda/faults.py" "$GPUHIST" \
    "$FAKE_CUDA_DIR/interposed" gpu
