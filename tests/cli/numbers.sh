# SPDX-License-Identifier: MIT
# numbers.sh -- fields of text that are numbers
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

tab=$(printf '\t')

# prints LINES NAME ARGUMENT...: what the arguments print, with blanks for tabs.
prints()
{
    prints_lines=$1
    prints_name=$2
    shift 2
    is "$(gpuhist "$@" | tr '\t' ' ')" "$prints_lines" "$prints_name"
}

# ---- which texts are numbers ----

printf '%s\n' 5 +5 ' 5 ' "${tab}5" 5. 5.0 05 0.5e1 50e-1 -0 0 '' ' ' 12ms 0x1F \
    5,3 1e999 nan inf -Infinity . - 1e 1_0 >texts
prints '-inf 1
0 2
5 9
inf 1
nan 1
\empty 2
\invalid 8' 'numbers, and texts that are none' -l --dtype=num texts
prints '0 2
5 9
\empty 2
\invalid 11' '... of integers: neither nan nor inf' -l --dtype=int texts
printf '1e400\n-1e400\n1e-400\n-1e-400\n' >large
prints '0 2
\invalid 2' 'what no double can hold is invalid, unless it is near 0' \
    -l --dtype=num large
printf '9223372036854775807\n-9223372036854775808\n9223372036854775808\n' >wide
prints '-9223372036854775808 1
9223372036854775807 1
\invalid 1' 'integers of 64 bits are exact' -l --dtype=int wide
prints '0.1 1
0.30000000000000004 1' 'a double is the shortest decimal' -l --dtype=num - <<END
0.1
0.30000000000000004
END
prints '-1 1
2 1
10 1' 'numeric order' -l --dtype=int - <<END
10
2
-1
END
{
    printf '9007199254740993.'
    head -c 100000 /dev/zero | tr '\0' 0
    printf '1\n'
} >long
prints '9007199254740994 1' '100,000 digits are rounded once' -l --dtype=num \
    long

# ---- fields ----

printf 'a\t0.3\tx\nb\t0.25\nc\nd\t\n' >table
prints '0.25 0.3 1
0.3 0.35 1
\N \N 1
\empty \empty 1' 'a field that is missing, and one that is empty' --tsv -f2 \
    --bin-width=0.05 --range=0,1 --nonzero table
is "$(gpuhist --tsv -f1,2 -b- -b2 --range=- --range=0,1 table | tr '\t' ' ')" \
    '1 a a 1
1 b b 1
1 c c 1
1 d d 1
2 0 0.5 2
2 0.5 1 0
2 \N \N 1
2 \empty \empty 1' 'keys and numbers side by side'

printf 'a,b\n"1",x\n"2""",5\n"3"4,\n7,6\n' >quoted.csv
prints '1 1
7 1
34 1
\invalid 1' 'quotes of CSV are no part of a number' --csv -f a --dtype=num \
    quoted.csv
cat >access.log <<'END'
1.2.3.4 - - [22/Nov/2026:08:01:02 +0000] "GET / HTTP/1.1" 200 123
1.2.3.4 - - [22/Nov/2026:08:01:02 +0000] "GET / HTTP/1.1" 200 -
END
prints '123 1
\empty 1' 'a lone - in a log is empty' --clf -f bytes --dtype=int access.log

# ---- bins ----

printf '0.1\n0.2\n0.3\n0.6\n0.7\n' >tenths
prints '0.1 0.2 1
0.2 0.3 1
0.3 0.4 1
0.6 0.7 1
0.7 0.8 1' '0.3 is in [0.3,0.4)' -l -b10 --range=0,1 --nonzero tenths
prints '0.1 0.2 1
0.2 0.30000000000000004 2
0.5 0.6000000000000001 1
0.6000000000000001 0.7000000000000001 1' '... but not with the edges of numpy' \
    -l -b10 --range=0,1 --nonzero --numpy tenths
prints '0.1 0.2 1
0.2 0.3 1
0.3 0.4 1
0.6 0.7 1
0.7 0.8 1' '... and with a width that does not divide the range' \
    -l --bin-width=0.1 --range=0,0.75 --nonzero tenths
prints '0 0.25 2
0.25 0.5 1
0.5 0.75 2' '-b alone finds the range' -l -b4 tenths

# ---- special rows in the formats ----

printf '3\n\nx\n4\nnan\n' >few
is "$(gpuhist -l -b2 --range=0,4 --format=csv few)" 'line_lo,line_hi,count
0,2,0
2,4,1
4,inf,1
nan,nan,1
\empty,\empty,1
\invalid,\invalid,1' 'csv spells them as tsv does'
is "$(gpuhist -l --dtype=num --format=csv few)" 'line,count
3,1
4,1
nan,1
\empty,1
\invalid,1' '... also without bins'
gpuhist -l -b2 --range=0,4 --format=json few >json
grep -q '"type":"num","rule":"even","bins":2' json && grep -q \
    '^{"lo":4,"hi":"inf","flow":"overflow","count":1},$' json && grep -q \
    '^{"flow":"empty","count":1},$' json && grep -q \
    '^{"flow":"invalid","count":1}],$' json
ok $? 'json'
gpuhist -l --dtype=int --format=json few >json
grep -q '"type":"int","bins":2' json && grep -q '^{"line":3,"count":1},$' json
ok $? 'json without bins'
prints '2 4 1
\invalid \invalid 1
\other \other 2' 'they come last, but for the rest' -l -b2 --range=0,4 --top=1 \
    --flow=auto --sort=count - <<END
3
5
nan
x
END
prints '0 2 0
2 4 2
nan nan 1
\empty \empty 1
\invalid \invalid 1' '--flow=clamp leaves them' -l -b2 --range=0,4 \
    --flow=clamp few
gpuhist -l -b2 --range=0,4 --flow=hide few >out 2>err
is "$(cat err)" 'gpuhist: warning: 4 values are in no bin and not shown' \
    '--flow=hide says how many'
prints '-inf 0 0
0 2 0
2 4 1
4 inf 1
nan nan 1
\N \N 0
\empty \empty 1
\invalid \invalid 1' '--flow=show has a row for each' -l -b2 --range=0,4 \
    --flow=show few
gpuhist -l -b2 --range=0,4 --format=npy -q few | tail -c16 | od -An -tu8 |
    tr -s ' ' >npy
is "$(cat npy)" ' 0 1' 'npy has the bins'
gpuhist -l -b2 --range=0,4 --closed=right --format=prom few >prom
grep -q '^gpuhist_values_bucket{le="4.0"} 2$' prom &&
    grep -q '^gpuhist_values_count 5$' prom
ok $? 'prom'
gpuhist -l -b2 --range=0,4 --plot=only few >plot
grep -q '^line (num): 5 counted' plot && grep -q '^ *invalid 1 ' plot
ok $? '--plot'
gpuhist -l -b2 --range=0,4 --svg=svg few >/dev/null && grep -q invalid svg
ok $? '--svg'
gpuhist -l -b4 --range=0,4 --stats=only --percentiles=50 few >stats
is "$(sed -n '/^values/p; /^min/p; /^p50/p' stats | tr '\t' ' ')" 'values 5
min_lo 3
min_hi 4
p50_lo 3
p50_hi 4' '--stats and --percentiles are of the numbers'

echo '3 1' >pair
is "$(gpuhist -W -fNF,NF-1 -b2 --range=0,4 --stats=only --percentiles=50 pair |
    grep p50 | tr '\t' ' ')" 'NF p50_lo 0
NF p50_hi 2
NF-1 p50_lo 2
NF-1 p50_hi 4' '... and name their fields'
gpuhist -W -fNF,NF-1 -b2 --range=0,4 --closed=right --format=prom pair >prom
grep -q '^gpuhist_values_count{field="NF-1"} 1$' prom
ok $? 'prom names the fields, too'

# ---- what makes no sense ----

printf 'a\nb\n' >words
refused 1 'no number' gpuhist -l -b4 words
grep -q 'field 1: none of 2 values is a number (.*); .* -g 1$' err
ok $? '... names -g'
refused 1 'no number, without bins' gpuhist -l --dtype=int words
is "$(gpuhist -l -b4 </dev/null)" "0${tab}1${tab}0" 'no value at all is no error'
for option in --dtype=u4 --dtype=f8 --dtype=INT --dtype=; do
    refused 2 "a type of samples: $option" gpuhist -l $option few
    grep -q 'dtype=int, num or decimal' err
    ok $? '... says what a field of text may be'
done
refused 2 'a type of text' gpuhist --dtype=num few
refused 2 'operations on num' gpuhist -l --dtype=num --mod=2 few
refused 2 '--numpy without bins' gpuhist -l --dtype=num --numpy few
refused 2 '--closed without bins' gpuhist -l --dtype=int --closed=right few
refused 2 '--subdiv without --log' gpuhist -l --subdiv=1 few
for option in --density --format=npy --format=prom --flow=clamp; do
    refused 2 "numbers without bins: $option" gpuhist -l --dtype=num $option few
    grep -q 'bins' err
    ok $? '... names what is needed'
done
refused 2 'more bins than memory' gpuhist -l -b1000000 --range=0,1 \
    --memory-limit=1M few

# ---- names of fields ----

name='a "long" name of a field that is longer than thirty-two bytes'
printf '%s\n' '"a ""long"" name of a field that is longer than thirty-two bytes",b\c' \
    1,2 >named.csv
gpuhist --csv -f "$name,b\\c" -b4 --range=0,4 --stats=only named.csv >out
is "$(sed -n 1p out)" "$name	values	1" 'a long name in statistics'
gpuhist --csv -f "$name,b\\c" -b4 --range=0,4 --closed=right --format=prom \
    named.csv | grep '_count' >out
is "$(cat out)" 'gpuhist_values_count{field="a \"long\" name of a field that is longer than thirty-two bytes"} 1
gpuhist_values_count{field="b\\c"} 1' 'names are escaped for Prometheus'

# ---- anything ----

python_checks "$srcdir/tests/cli/numbers_oracle.py"

done_testing
