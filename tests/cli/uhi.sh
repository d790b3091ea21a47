# SPDX-License-Identifier: MIT
# uhi.sh -- what --format=uhi prints, read back by hist and by numpy
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

numpy_script "$srcdir/tests/cli/uhi_oracle.py"
