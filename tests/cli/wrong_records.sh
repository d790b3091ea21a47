# wrong_records.sh -- an error names the first wrong record of an input
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

python_checks "$srcdir/tests/cli/wrong_records.py"

done_testing
