# SPDX-License-Identifier: MIT
# auto.sh -- --range=auto, against exact integers
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

numpy_script "$srcdir/tests/cli/auto_oracle.py"
