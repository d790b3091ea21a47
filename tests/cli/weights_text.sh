# SPDX-License-Identifier: MIT
# weights_text.sh -- sums of decimals in text
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

# prints LINES NAME ARGUMENT...: what the arguments print, with blanks for tabs.
prints()
{
    prints_lines=$1
    prints_name=$2
    shift 2
    is "$(gpuhist "$@" | tr '\t' ' ')" "$prints_lines" "$prints_name"
}

# says LINES NAME ARGUMENT...: the messages of a run that ends well.
says()
{
    says_lines=$1
    says_name=$2
    shift 2
    is "$(gpuhist "$@" 2>&1 >out; echo "status $?")" "$says_lines
status 0" "$says_name"
}

# ---- what a weight is, and a sum ----

printf '%s\n' 'a;0.1' 'b;12.50' 'a;0.2' 'b; 0.5 ' 'c;-1e-2' 'c;+.01' 'd;5' \
    'd;-7.000' >sums
prints 'a 0.3
b 13
c 0
d -2' 'sums of decimals are exact' -d ';' -f1 --weights=2 sums
prints 'b 13
a 0.3
c 0
d -2' '... and order the keys' -d ';' -f1 --weights=2 --sort=count sums
prints 'b 13
\other -1.7' '... and add up to the rest' -d ';' -f1 --weights=2 --top=1 sums
prints 'a 0.3 0.3 2.654867256637168
b 13 13.3 115.04424778761062
c 0 13.3 0
d -2 11.3 -17.699115044247787' 'percent and cumulative sums' \
    -d ';' -f1 --weights=2 --percent --cumulative sums

nines=$(printf '%038d' 0 | tr 0 9)
{
    echo "a;$nines.$nines"
    echo "a;$nines.$nines"
    echo "b;-1e-38"
    echo "b;-000e999999999999"
    echo "c;$nines"
    echo "c;1"
} >large
prints "a 1${nines}.${nines%9}8
b -0.00000000000000000000000000000000000001
c 1$(printf '%038d' 0)" '38 digits before and after the point' \
    -d ';' -f1 --weights=2 large

# wrong TEXT WHY NAME: a weight that is an error.
wrong()
{
    printf 'a;1\nb;%s\n' "$1" >input
    refused 1 "$3" gpuhist -d ';' -f1 --weights=2 input
    is "$(cat err)" "gpuhist: input: the weight at byte 6, '$1', $2" '... named'
}

many='has more than 38 digits before or after the decimal point'
for text in x 12ms 0x1F 5,3 nan inf -Infinity 1e - . '1 2' 1_0; do
    wrong "$text" 'is no number' "a weight that is no number: $text"
done
for text in 1e38 1e300 "${nines}9" 1e-39 "0.${nines}1" -1e999999999999; do
    printf 'a;1\nb;%s\n' "$text" >input
    refused 1 "a weight with too many digits: $text" \
        gpuhist -d ';' -f1 --weights=2 input
    is "$(grep -c "at byte 6, .* $many" err)" 1 '... named'
done

# The last of many small inputs; a part of a large one; a record of CSV.
mkdir many
for i in $(seq 100); do
    echo "k;$i" >"many/$(printf %03d "$i")"
done
printf 'k;1\nk;2\nk;none' >many/last
refused 1 'one of many inputs' gpuhist -d ';' -f1 --weights=2 many/*
is "$(cat err)" \
    "gpuhist: many/last: the weight at byte 10, 'none', is no number" '... named'
seq 100000 | sed 's/$/;1.5/' >numbered
printf 'x;?\n' >>numbered
seq 25000 | sed 's/$/;1.5/' >>numbered
at=$(($(grep -obF '?' numbered | cut -d: -f1)))
for options in '--threads=1 --chunk-size=256k' '--threads=4 --chunk-size=64k'; do
    # shellcheck disable=SC2086 # several options
    refused 1 "a large input, $options" \
        gpuhist -d ';' -f1 --weights=2 $options numbered
    is "$(cat err)" \
        "gpuhist: numbered: the weight at byte $at, '?', is no number" '... named'
    # shellcheck disable=SC2086
    refused 1 "... from a pipe, $options" \
        gpuhist -d ';' -f1 --weights=2 $options <numbered
    is "$(cat err)" \
        "gpuhist: standard input: the weight at byte $at, '?', is no number" \
        '... named'
done
printf 'name,w\n"a\nb","1"\nc,"2""5"\n' >quoted
refused 1 'in quotes' gpuhist --csv -f name --weights=w quoted
is "$(cat err)" \
    "gpuhist: quoted: the weight at byte 19, '\"2\"\"5\"', is no number" '... named'

# ---- which field ----

printf 'name,n,w\na,1,0.1\nb,2,12.50\na,3,0.2\n"b",4,"0.5"\n' >named
prints 'a 0.3
b 13' 'a name implies a header' --csv -f 1 --weights=w named
prints 'a 0.3
b 13' 'NF' --csv -H -f 1 --weights=NF named
prints 'a 4
b 6' 'NF-1' --csv -H -f name --weights=NF-1 named
prints '0.1 0.1
0.2 0.2
0.5 0.5
12.50 12.5' 'a field may be key and weight' --csv -f w --weights=w named
refused 1 'no such name' gpuhist --csv -f name --weights=x named
refused 2 'two fields' gpuhist --csv -f name --weights=n,w named
refused 2 'no field' gpuhist --csv -f name --weights=0 named
refused 2 'of lines' gpuhist -l --weights=1 named
refused 2 'of words' gpuhist --words --weights=1 named
refused 2 'for Prometheus' gpuhist --csv -f n --edges=0,2,9 --closed=right \
    --weights=w --format=prom named
refused 2 'with statistics' gpuhist --csv -f n --edges=0,2,9 --weights=w \
    --stats named
{
    echo 'h - - [22/Nov/2026:08:01:59 +0000] "GET /a?x HTTP/1.1" 200 9000000000'
    echo 'h - - [22/Nov/2026:08:01:59 +0000] "GET /b HTTP/1.1" 304 -'
    echo 'i - - [22/Nov/2026:08:02:00 +0000] "GET /a HTTP/1.1" 200 1'
} >log
prints '/a 9000000001
/b 0' 'bytes of a log' --clf -f path --weights=bytes log
says 'gpuhist: warning: 1 record has no weight' '... where "-" is none' \
    --clf -f minute --weights=bytes log

# ---- records without a weight, or without a key ----

printf 'a\t1\nb\t\nc\t \nd\na\t2\nb\t\t9\n' >lacking
says 'gpuhist: warning: 4 records have no weight' 'no weight: a warning' \
    --tsv -f1 --weights=2 lacking
is "$(tr '\t' ' ' <out)" 'a 3
b 0
c 0
d 0' '... and 0'
is "$(gpuhist -q --tsv -f1 --weights=2 --format=json lacking |
    grep -o '"unweighted":[0-9]*')" '"unweighted":4' '... a number in JSON'
prints '9 0
\N 3' 'no key: a row with the sum' -q --tsv -f3 --weights=2 lacking
printf '1;0.5\n;2\nx;4\n3;8\n9;16\n' >mixed
prints '0 5 8.5
5 10 16
\empty \empty 2
\invalid \invalid 4' 'no number: rows with the sums' \
    -d ';' -f1 --range=0:10 -b2 --weights=2 mixed
prints '1 0.5
3 8
9 16
\empty 2
\invalid 4' '... without bins, too' -d ';' -f1 --dtype=int --weights=2 mixed
prints 'a,9 0.5' 'a comment has no weight' -d ';' --comment='#' -f1 \
    --weights=2 - <<END
#x;y
a,9;0.5
END
: >empty
prints '' 'no input, no sums' -d ';' -f1 --weights=2 empty

# ---- formats ----

is "$(gpuhist --csv -f name --weights=w --format=csv named)" 'name,sum
a,0.3
b,13' 'CSV'
is "$(gpuhist --csv -f name --weights=w --format=jsonl named | head -n 2)" \
    '{"name":"a","sum":0.3}
{"name":"b","sum":13}' 'JSON has numbers'
is "$(gpuhist --csv -f name --weights=w --format=md named)" '| name | sum |
| :--- | ---: |
| a | 0.3 |
| b | 13 |' 'Markdown'
is "$(gpuhist -d ';' -f1 --weights=2 --format=jsonl large | head -n 1)" \
    "{\"field1\":\"a\",\"sum\":1${nines}.${nines%9}8}" '... of any length'
is "$(gpuhist -d ';' -f1 --weights=2 --format=uniq large | tail -n 1)" \
    "1$(printf '%038d' 0) c" '... and as uniq -c'
gpuhist -q --csv -f name --weights=w --plot=only named >out
is "$(sed -n 1p out; grep -c '^[ab]  *[0-9.]* ' out)" \
    'name: 4 counted, sum of w
2' 'a plot'

# ---- against other programs ----

awk 'BEGIN {
    srand(1)
    for (i = 0; i < 60000; i++)
        printf "k%d %d\n", int(rand() * 5000), int(rand() * 1e6) - 3e5
}' >integers
awk '{ sum[$1] += $2 } END { for (k in sum) printf "%s\t%d\n", k, sum[k] }' \
    integers | LC_ALL=C sort >wanted
for options in --threads=1 --threads=3 '--memory-limit=3M --chunk-size=64k'; do
    # shellcheck disable=SC2086 # several options
    counts wanted "against awk, $options" \
        gpuhist -W -f1 --weights=2 $options integers
done
python_checks "$srcdir/tests/cli/weights_text_oracle.py"

done_testing
