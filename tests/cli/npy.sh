# SPDX-License-Identifier: MIT
# npy.sh -- numpy files, whose headers say what they hold, against numpy
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

numpy_script "$srcdir/tests/cli/npy_oracle.py"
