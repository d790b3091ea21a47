# SPDX-License-Identifier: MIT
# minmax.sh -- bins that are found from all values, against numpy
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

numpy_script "$srcdir/tests/cli/minmax_oracle.py"
