# SPDX-License-Identifier: MIT
# bgzf_ahead.sh -- blocks of BGZF that helpers decode ahead of one reader
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

[ "$HAVE_GZIP" = yes ] || skip_all 'without zlib there is no BGZF'

python_checks "$srcdir/tests/cli/bgzf_ahead_oracle.py"

done_testing
