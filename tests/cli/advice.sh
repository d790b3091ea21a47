# SPDX-License-Identifier: MIT
# advice.sh -- content that is something else, and what a terminal sees
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

python3 -c 'import pty, sqlite3, tarfile, wave' 2>python-says ||
    skip_all 'no python3 with its modules'
export HAVE_GZIP HAVE_ARCHIVE
checks advice.py python3 -B "$srcdir/tests/cli/advice.py" "$GPUHIST"

done_testing
