# SPDX-License-Identifier: MIT
# sample_columns.sh -- figures of binary numbers, against Python
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

case ${GPUHIST_TEST_DEVICE-} in
    '') ;;
    *) skip_all 'GPUs find no figures of numbers without bins' ;;
esac
numpy_script "$srcdir/tests/cli/sample_columns_oracle.py"
