# SPDX-License-Identifier: MIT
# regex.sh -- --regex and --matches
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

printf '%s\n' 'GET "a" 200 x' 'no' 'POST "b" 404' 'q "" 200 500' >data
if [ "$HAVE_PCRE2" != yes ]; then
    says 2 "--regex: 'a': this gpuhist is built without PCRE2, which reads \
regular expressions" 'a build without PCRE2' gpuhist --regex=a data
    done_testing
    exit
fi

python_checks "$srcdir/tests/cli/regex_oracle.py"

printf '200\t2\n404\t1\n\\N\t1\n' >wanted
counts wanted 'a group' gpuhist --regex='" (\d{3})' data
counts wanted '... by its name' gpuhist --regex='" (?<status>\d{3})' -f status \
    data
counts wanted '... on many threads' gpuhist -j4 --chunk-size=16 \
    --regex='" (\d{3})' data
printf '" 200\t2\n" 404\t1\n\\N\t1\n' >wanted
counts wanted 'no group is the whole match' gpuhist --regex='" \d{3}' data
printf '200\t2\n404\t1\n500\t1\n' >wanted
counts wanted 'all matches' gpuhist --matches='\d{3}' data
counts wanted '... by a group' gpuhist --matches='\b(\d+)\b' data
printf '200\t1\n404\t1\n' >wanted
counts wanted 'a condition on a group' gpuhist \
    --regex='"(.)" (?<status>\d+)' -f status --where='1!=q' data
printf 'a\t200\nb\t404\n' >wanted
counts wanted 'weights' gpuhist --regex='"(.)" (\d+)' -f 1 --weights=2 \
    --where='2>0' data
printf '2\t2\n4\t1\n\\N\t1\n' >wanted
counts wanted 'modifiers' gpuhist --regex='" (\d{3})' -f 1:prefix=1 data
printf '200\t1\n' >wanted
printf 'x 200\0x\n200' | "$GPUHIST" -z --regex='^x (\d+)' --where='1!=\N' >got
cmp -s wanted got
ok $? 'records that end with NUL'

# A carriage return is not part of a line; $ is its end.
printf 'x1\r\nx2\nx3\r\r\n' >lines
printf '1\t1\n2\t1\n\\N\t1\n' >wanted
counts wanted 'the end of a line' gpuhist --regex='x(\d)$' lines
printf 'b\t1\n' >wanted
printf '#a\nb\n' >lines
counts wanted 'comments' gpuhist --comment='#' --matches='[ab]' lines

# Bytes: no text is invalid.
printf '\377a\303\251\n' >lines
printf '\303\251\t1\n' >wanted
counts wanted 'bytes, not characters' gpuhist --matches='a(..)$' lines

says 2 "--regex: '((': missing closing parenthesis, at byte 3 of it" \
    'a wrong expression' gpuhist --regex='((' data
says 2 "--regex: the expression has no group '2': it has 1, and 0 is the \
whole match" 'no such group' gpuhist --regex='(a)' -f 2 data
says 2 "--regex: the expression has no group 'x': it has 1 ('y'), and 0 is the \
whole match" '... and no such name' gpuhist --regex='(?<y>a)' -f x data
says 2 "--regex: the expression has no group 'statsu': it has 4 ('status', 'a', 'z'), \
and 0 is the whole match" '... the nearest name first' \
    gpuhist --regex='(?<z>a)(?<status>b)(?<a>c)(d)' -f z,statsu data
says 2 "--regex and --csv exclude each other" 'another format' gpuhist --csv \
    --regex=a -f 1 data
says 2 "--regex and --matches exclude each other" 'both' gpuhist --regex=a \
    --matches=b data

# A line that takes for ever ends the run, with its place.
{
    echo aaa
    head -c 4000 /dev/zero | tr '\0' a
    echo '!'
} >slow
"$GPUHIST" --regex='^(a+)+$' slow >got 2>err
test $? -eq 1 && test ! -s got && grep -q "^gpuhist: slow: the text at byte 4, \
.* takes too many steps for the expression$" err
ok $? 'an expression that takes for ever'

# A long line has many matches: more than a batch of records.
head -c 100000 /dev/zero | tr '\0' a >long
printf 'a\t100000\n' >wanted
counts wanted 'many matches in a line' gpuhist --matches=a long
printf 'aa\t50000\n' >wanted
counts wanted '... that do not overlap' gpuhist --matches=aa long
printf '1\t1\n' >wanted
{
    head -c 200000 /dev/zero | tr '\0' '\n'
    echo 'x=1'
} >blank
counts wanted 'few lines have the byte of a match' gpuhist --matches='x=(\d)' \
    blank

# ---- no match ----

# unmatched WANTED NAME OPTION...: it prints WANTED, and a warning.
unmatched()
{
    unmatched_wanted=$1
    unmatched_name=$2
    shift 2
    gpuhist "$@" >out 2>err
    is "$? $(cat err)" \
        '0 gpuhist: warning: the expression matches no line' "$unmatched_name"
    same out "$unmatched_wanted" '... the rows'
    gpuhist -q "$@" >out 2>err
    is "$(cat err)" '' '... not with -q'
}
printf '\\N\t4\n' >wanted
unmatched wanted 'no line matches' --regex='z(.)' data
unmatched /dev/null '... anywhere' --matches=z data
unmatched wanted '... and a condition on a group' --regex='z(.)' \
    --where='1=\N' data
unmatched /dev/null '... that none fulfils' --regex='z(.)' --where='1=a' data
printf 'data\t\\N\t4\nlong\t\\N\t1\n' >wanted
unmatched wanted '... of several files' --per-file --regex='z(.)' data long
"$GPUHIST" --matches=z --shard=2/2 data 2>err >out
is "$(cat err)" 'gpuhist: warning: the expression matches no line' '... of a shard'
counts /dev/null 'no line at all' gpuhist --matches=z /dev/null
printf '\\N\t4\n' >wanted
gpuhist --regex='\w(z)?' data >out 2>err
same out wanted 'a group that is in no match'
is "$(cat err)" 'gpuhist: warning: no record has field 1' '... is told'

# ---- states, shards ----

"$GPUHIST" --regex='" (\d{3})' --state=one data >rows &&
    "$GPUHIST" --merge --duplicates=allow one one >twice
printf '200\t4\n404\t2\n\\N\t2\n' >wanted
cmp -s wanted twice
ok $? 'states add up'
"$GPUHIST" --regex='(\d{3})' --state=other data >rows
refused 1 'another expression is another state' gpuhist --merge one other
for i in 1 2 3; do
    "$GPUHIST" --shard=$i/3 --matches='\d{3}' --format=state data >part.$i
done
"$GPUHIST" --merge part.1 part.2 part.3 >got
printf '200\t2\n404\t1\n500\t1\n' >wanted
cmp -s wanted got
ok $? 'shards'

done_testing
