# SPDX-License-Identifier: MIT
# cookbook.sh -- the recipes of doc/cookbook.md and the commands of README.md
# print what stands there, and what the lines print that they replace
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

[ "$HAVE_PCRE2" = yes ] || skip_all 'built without PCRE2'
# shellcheck source=tests/cookbook_files.sh
. "$srcdir/tests/cookbook_files.sh"

python3 "$srcdir/tests/cli/cookbook.py" "$srcdir/doc/cookbook.md" \
    "$srcdir/README.md"
