# SPDX-License-Identifier: MIT
# counts.sh -- input that is counted already
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

# same FILE NAME ARGUMENT...: what the arguments print is FILE.
same()
{
    same_file=$1
    same_name=$2
    shift 2
    gpuhist "$@" >out 2>err && cmp "$same_file" out >&2
    ok $? "$same_name"
}

# fails MESSAGE NAME ARGUMENT...: the run of wrong data prints only this.
fails()
{
    fails_message=$1
    fails_name=$2
    shift 2
    is "$(gpuhist "$@" 2>&1; echo "status $?")" "gpuhist: $fails_message
status 1" "$fails_name"
}

# refuses NAME ARGUMENT...: a usage error.
refuses()
{
    refuses_name=$1
    shift
    gpuhist "$@" >out 2>err </dev/null
    is "$?" 2 "$refuses_name"
}

python3 "$srcdir/tests/cli/counts_oracle.py" 5 || exit 99

# ---- keys, in every way ----

same sum.tsv 'lines are counted as the oracle says' --lines raw
for threads in 1 4; do
    same sum.tsv "value and count, $threads threads" -j "$threads" \
        --chunk-size=4k --counts counted.tsv
    same sum.tsv "... in a pipe, $threads threads" -j "$threads" --counts \
        <counted.tsv
    same sum.tsv "what uniq -c prints, $threads threads" -j "$threads" \
        --chunk-size=4k --counts=uniq counted.uniq
done
same sum.uniq '... and prints' --counts=uniq --format=uniq counted.uniq
head -n 300 raw >a
tail -n +301 raw >b
gpuhist -l a >a.tsv
gpuhist -l b >b.tsv
same sum.tsv 'what gpuhist prints adds up' --counts a.tsv b.tsv
LC_ALL=C sort raw | uniq -c >c
same sum.tsv 'what uniq prints adds up' --counts=uniq c
tr '\n' '\0' <c >z
same sum.tsv '... with NUL' --counts=uniq -z z
if [ "$HAVE_GZIP" = yes ]; then
    gzip <counted.tsv >counted.gz
    same sum.tsv '... compressed' --counts counted.gz
fi
gpuhist --counts --shard=1/3 --state=s1 counted.tsv
gpuhist --counts --shard=2/3 --state=s2 counted.tsv
gpuhist --counts --shard=3/3 --state=s3 counted.tsv
same sum.tsv 'shards add up' --merge s3 s1 s2
gpuhist -l --spectrum raw >want
same want 'the counts of counts' --counts --spectrum counted.tsv
gpuhist -l --top=5 raw >want
same want 'the greatest counts' --counts --top=5 counted.tsv
gpuhist -v -j2 --memory-limit=2M --counts many.tsv >out 2>err
cmp many.sum out && grep 'runs in temporary files' err >err2
ok $? 'keys beyond the memory'

# ---- numbers and several fields ----

for options in '--dtype=num' '--bins=8 --range=0,100 --closed=right' \
    '--bins=8' '--bin-width=10 --stats=only' '--bins=8 --percentiles=5,50' \
    '--bins=8 --range=0,100 --plot=only'; do
    # shellcheck disable=SC2086
    gpuhist -l $options numbers >want 2>&1
    # shellcheck disable=SC2086
    gpuhist -j2 --chunk-size=4k --counts $options numbers.tsv >out 2>&1
    # A picture says what is counted.
    sed '1s/^field1 /line /' out | cmp want - >&2
    ok $? "numbers: $options"
done
gpuhist -l --dtype=num numbers >counted
same counted 'special rows are read' --counts --dtype=num counted
for options in '-g 1,2' '-g 2 -f 1 --bins=4 --range=0,8' '-f 1,2' \
    '-f 1 -g 2 --dtype=num' '-f 1,2 --joint --bins=4 --range=0,8' \
    '-f 1,2 --joint --bins=4' '-f 2 --dtype=num'; do
    # shellcheck disable=SC2086
    gpuhist --tsv $options pairs >want 2>&1
    # shellcheck disable=SC2086
    gpuhist --counts $options pairs.tsv >out 2>&1
    cmp want out >&2
    ok $? "fields: $options"
done
gpuhist --tsv -g 1,2 pairs >counted
same counted 'combinations of keys add up' --counts -g 1,2 counted
is "$(printf 'x\t\\N\t5\nx\ty\t2\n' | gpuhist --counts -f 1,2 | tr '\t' ' ')" \
    '1 x 7
2 y 2
2 \N 5' 'a missing field counts as often'
tr '\t' ',' <pairs.tsv >pairs.csv
gpuhist --tsv -f 2 pairs >want
same want 'CSV has the count last' --counts --csv -f 2 pairs.csv
same want '... and so has any delimiter' --counts -d, -f 2 pairs.csv
printf 'word n\n a 3\nb\t2 \na 1\n' >blanks
is "$(gpuhist --counts -W -f word blanks | tr '\t' ' ')" 'a 4
b 2' 'blanks, and a header'
is "$(printf 'x\t2\n' | gpuhist --counts -H | tr '\t' ' ')" '' \
    'only a header'

# ---- great counts ----

printf 'a\t9223372036854775808\nb\t5\na\t9223372036854775802\n' >great
is "$(gpuhist --counts great | tr '\t' ' ')" 'a 18446744073709551610
b 5' 'counts up to 2^64 - 1'
{ cat great && printf 'a\t1\n'; } >beyond
fails 'the counts add up to more than 18446744073709551615' '... and no more' \
    --counts beyond
gpuhist --counts --state=great1 great >out
printf 'b\t2\n' | gpuhist --counts --state=great2 >out
fails 'great2: the counts add up to more than 18446744073709551615' \
    '... also in a merge' -m great1 great2
range='is no whole number from 0 to 18446744073709551615'
printf 'a\t18446744073709551616\n' >wrong
fails "wrong: the count at byte 2, '18446744073709551616', $range" \
    'a count that is too great' --counts wrong
printf 'a\t0018446744073709551615 \r\n' >right
is "$(gpuhist --counts right | tr '\t' ' ')" 'a 18446744073709551615' \
    'zeros in front and blanks'

# ---- what is wrong ----

for count in -1 1.0 1e3 +1 '' 0x1 nan; do
    printf 'a\t1\nb\t%s\n' "$count" >wrong
    fails "wrong: the count at byte 6, '$count', $range" "count '$count'" \
        --counts wrong
done
head -c 30000 /dev/zero | tr '\0' '\n' | sed 's/.*/key	1/' >wrong
printf 'first\t-3\n' >>wrong
cat wrong wrong >wrong2
for threads in 1 2 5; do
    fails "wrong2: the count at byte 180006, '-3', $range" \
        "the first wrong one, $threads threads" -j "$threads" --chunk-size=4k \
        --counts wrong2
done
printf 'a\t1\n\n' >wrong
fails "wrong: the record at byte 4, '', has no count" 'an empty line' \
    --counts wrong
printf ' 3\n' >wrong
fails "wrong: the record at byte 1, '3', has no count" 'one field' \
    --counts -W -f 2 wrong
printf '      3' >wrong
fails "wrong: the count at byte 6, '3', is not followed by a blank and a value" \
    'a line of uniq that is cut off' --counts=uniq wrong
printf '0\t1\t5\n' | gpuhist --counts >out 2>err
ok "$((! $(grep -c 'rows of bins can be added up with --state' err)))" \
    'rows of bins have a hint'
printf '\\other\t5\n' | gpuhist --counts >out 2>err
ok "$((! $(grep -c 'no-other' err)))" '... and so have other values'
printf '\\invalid\t5\n' | gpuhist --counts >out 2>err
ok "$((! $(grep -c 'dtype' err)))" '... and what is no number'

# As many as there may be.
printf '7\t18446744073709551615\n' >most
is "$(gpuhist --counts --columns=p50,p100,median,mode,n50,count most | tr '\t' ' ')" \
    '7 7 7 7 7 18446744073709551615' 'figures of 2^64-1 values'
printf 'x\t7\t18446744073709551615\n' >most
is "$(gpuhist --counts -g1 -f2 --columns=p50,mode most | tr '\t' ' ')" 'x 7 7' '... of a group'

refuses 'no weights' --counts --weights=2 -f 1
refuses 'no lines' --counts --lines
refuses 'no fields of uniq' --counts=uniq -f 1
refuses 'no binary numbers' --counts --dtype=u4
refuses 'no other form' --counts=csv

done_testing
