# SPDX-License-Identifier: MIT
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

# As Go's log/slog, go-logfmt and logrus write values: one with blanks, equals
# signs, quotes or escapes stands in quotes.
cat >written <<'EOF'
time=2026-11-28T06:41:00.123Z level=INFO msg="a=b" n=1
time=2026-11-28T06:41:00.123Z level=INFO msg="say \"hi\"" n="x y"
time="2026-11-28T06:41:00Z" level=warning msg="C:\\dir\\file" n=""
ts=2 msg=café n=3
ts=2 msg="caf\u00e9" n=3
ts=3 msg="it's msg=no, n=\"4\"" n=5
ts=4 msg="two\nlines" n=6
ts=5 msg="no string of JSON: \x1b" n=7
EOF
cat >wanted <<'EOF'
C:\dir\file		1
a=b	1	1
café	3	2
it's msg=no, n="4"	5	1
no string of JSON: \x1b	7	1
say "hi"	x y	1
two\nlines	6	1
EOF
counts wanted 'values as writers quote them' gpuhist --logfmt -g msg,n written

# A key that no line has.
printf '%s\n' ' ' 'a="x"level=w =3 b c="q\"" a=2 d=' >first
"$GPUHIST" --logfmt -f lvel first >rows 2>err
is "$(cat err)" "gpuhist: warning: no record has field lvel; the first record \
has 'level', 'a', 'b', 'c', 'd'" 'the keys that there are, nearest first'
"$GPUHIST" --logfmt -f a --where='D=1' first >rows 2>err
is "$(cat err)" "gpuhist: warning: no record has field D, which --where \
names; the first record has 'd', 'a', 'level', 'b', 'c'" '... of a condition'

# A state has the format, and merges with its own kind only.
"$GPUHIST" --logfmt --comment='#' -f level --state=one data >rows &&
    "$GPUHIST" --merge --duplicates=allow one one >twice
printf 'info\t4\nwarn\t2\n' >wanted
cmp -s wanted twice
ok $? 'states add up'

done_testing
