# SPDX-License-Identifier: MIT
# series.sh -- serial correlation and pi of bytes, against integers and ent
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

numpy_script "$srcdir/tests/cli/series_oracle.py"
