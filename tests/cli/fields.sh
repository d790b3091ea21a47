# SPDX-License-Identifier: MIT
# fields.sh -- the fields of text, as other programs find them
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

GPUHIST=$PRINT_FIELDS
python_checks "$srcdir/tests/cli/fields_oracle.py"

done_testing
