# SPDX-License-Identifier: MIT
# keys.sh -- keys in each format, as other programs read them
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

python_checks "$srcdir/tests/cli/keys_oracle.py"

done_testing
