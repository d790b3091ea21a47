# modified_values.sh -- what modifiers make, against other programs
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

GPUHIST=$PRINT_MODIFIED
python_checks "$srcdir/tests/cli/modified_values_oracle.py"

done_testing
