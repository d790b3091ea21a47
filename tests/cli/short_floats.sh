# SPDX-License-Identifier: MIT
# short_floats.sh -- bf16, f8e4m3 and f8e5m2, against their definitions
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

numpy_script "$srcdir/tests/cli/short_floats_oracle.py"
