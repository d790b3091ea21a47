# SPDX-License-Identifier: MIT
# modified_values.sh -- what modifiers make, as the manual has it and as other
# programs do
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

# The rows of the tables of the manual: modifier, text, and what it gives.
awk -F '\t' '/^\.SH / { is_in = /PARTS OF TEXTS|NUMBERS, DURATIONS/ }
    is_in && NF == 3 && $1 != "modifier"' "$srcdir/man/gpuhist-text.1" |
    sed 's/\\-/-/g' >table
while IFS='	' read -r modifier text gives; do
    is "$(printf '%s\n' "$text" | "$PRINT_MODIFIED" "$modifier")" "$gives" \
        "the manual: $modifier of '$text'"
done <table
is "$(wc -l <table)" 37 'all rows of the tables'

# As fields of text.
printf '%s\n' '1.50,http://A/b?c,10KiB,a:b' '1.5,https://a:80/d,10240,c:b' >data
printf '1.5\t2\n' >wanted
counts wanted 'equal numbers are one' gpuhist --csv -f 1:number data
printf 'a\t2\n' >wanted
counts wanted 'hosts' gpuhist --csv -f 2:host data
printf '10240\t2\n' >wanted
counts wanted 'sizes' gpuhist --csv -f 3:size data
printf 'b\t2\n' >wanted
counts wanted 'a colon as a separator' gpuhist --csv -f '4:field=2":"' data
printf '/b\t10240\n/d\t10240\n' >wanted
counts wanted 'sizes as weights' gpuhist --csv -f 2:path --weights=3:size data

GPUHIST=$PRINT_MODIFIED
python_checks "$srcdir/tests/cli/modified_values_oracle.py"

done_testing
