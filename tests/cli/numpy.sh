# SPDX-License-Identifier: MIT
# numpy.sh -- types, records and bins, against numpy
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

numpy_script "$srcdir/tests/cli/numpy_oracle.py"
