# SPDX-License-Identifier: MIT
# combinations.sh -- random combinations of options on text
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

python_checks "$srcdir/tests/cli/combinations_oracle.py"

done_testing
