# SPDX-License-Identifier: MIT
# safetensors.sh -- safetensors files and arrays of .npz, by name
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

numpy_script "$srcdir/tests/cli/safetensors_oracle.py"
