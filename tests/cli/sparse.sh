# SPDX-License-Identifier: MIT
# sparse.sh -- binary numbers without bins: those that occur, against numpy
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

case ${GPUHIST_TEST_DEVICE-} in
    '') ;;
    *) skip_all 'GPUs count in bins' ;;
esac
numpy_script "$srcdir/tests/cli/sparse_oracle.py"
