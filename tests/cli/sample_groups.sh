# SPDX-License-Identifier: MIT
# sample_groups.sh -- groups of numbers of binary records, against Python
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

case ${GPUHIST_TEST_DEVICE-} in
    '') ;;
    *) skip_all 'GPUs count no groups of binary records' ;;
esac
numpy_script "$srcdir/tests/cli/sample_groups_oracle.py"
