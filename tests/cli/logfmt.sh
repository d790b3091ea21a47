# logfmt.sh -- lines of pairs KEY=VALUE
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

python_checks "$srcdir/tests/cli/logfmt_oracle.py"

printf '%s\n' 'level=info msg="it is on" took=1.5' 'level=warn took=0.5' \
    '# level=no' 'level=info took=-' >data
printf 'info\t2\nwarn\t1\n' >wanted
counts wanted 'a key' gpuhist --logfmt --comment='#' -f level data
printf 'info\t1\n' >wanted
counts wanted 'a condition on a number' \
    gpuhist --logfmt --comment='#' -f level --where='took>1' data
printf 'info\t1\nwarn\t1\n' >wanted
counts wanted 'a condition on presence' gpuhist --logfmt -f level \
    --where='took!=-' --comment='#' data
printf 'info\t1.5\nwarn\t0.5\n' >wanted
counts wanted 'weights' gpuhist --logfmt --where='took!=-' --comment='#' \
    -f level --weights=took data

says 2 "--fields: 'a b' is no key of logfmt (UTF-8 without blanks or =)" \
    'a name with a blank' gpuhist --logfmt -f '"a b"' data

# A state has the format, and merges with its own kind only.
"$GPUHIST" --logfmt --comment='#' -f level --state=one data >rows &&
    "$GPUHIST" --merge --duplicates=allow one one >twice
printf 'info\t4\nwarn\t2\n' >wanted
cmp -s wanted twice
ok $? 'states add up'

done_testing
