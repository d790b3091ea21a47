# SPDX-License-Identifier: MIT
# profile.sh -- --profile: a line of figures for each field
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

header='field type count missing empty invalid nan distinct min max mean sd '\
'p50 mode mode_count'

# prints LINES NAME ARGUMENT...: what the arguments print below the header, with
# bars for tabs.
prints()
{
    prints_lines=$1
    prints_name=$2
    shift 2
    gpuhist --profile "$@" >out 2>err
    is "$(head -n 1 out | tr '\t' ' ')" "$header" "$prints_name: the header"
    is "$(sed 1d out | tr '\t' '|')" "$prints_lines" "$prints_name"
}

cat >table.csv <<'END'
id,price,day,name,mix
1,2.50,2026-01-02,ann,1
2,10,2026-01-10T10:00:00Z,bob,x
3,,2025-12-31 23:59,"c, d",
10,2.5,2026-01-02,bob
10,-1e3,2026-01-02,,nan
END

prints 'id|integer|5|0|0|0|0|4|1|10|5.2|3.9698866482558417|3|10|2
price|decimal|4|0|1|0|0|4|-1000|10|-246.25|435.1885367286229|2.5|-1e3|1
day|time|5|0|0|0|0|3|2025-12-31 23:59|2026-01-10T10:00:00Z||||2026-01-02|3
name|text|4|0|1|0|0|3|ann|c, d||||bob|2
mix|text|3|1|1|0|0|3|1|x||||1|1' 'csv has a header' --csv table.csv
is "$(cat err)" '' '... and no warning'
prints 'name|text|4|0|1|0|0|3|ann|c, d||||bob|2
id|integer|5|0|0|0|0|4|1|10|5.2|3.9698866482558417|3|10|2' \
    'chosen fields, in the order of the list' --csv -f name,id table.csv
prints '1|text|3|0|0|0|0|3|1|a||||1|1
2|text|3|0|0|0|0|3|2|b||||2|1' 'csv without a header' --csv \
    --header-in=none <<'END'
a,b
1,2
3,4
END
prints '1|integer|2|0|0|0|0|2|1|3|2|1|1|1|1
2|integer|2|0|0|0|0|2|2|4|3|1|2|2|1
3|integer|1|1|0|0|0|1|5|5|5|0|5|5|1' 'a record with more fields' -W <<'END'
1 2
3 4 5 6
END
is "$(cat err)" 'gpuhist: warning: 1 record has more than 2 fields; field 3 '\
'has a line, and later ones have with --fields' '... is reported'
prints 'a|integer|1|0|0|0|0|1|7|7|7|0|7|7|1
b||0|1|0|0|0|0|||||||' 'a header in tsv' --tsv -H <<'END'
a	b
7
END
prints 'a|integer|1|0|0|0|0|1|1|1|1|0|1|1|1
a|integer|1|0|0|0|0|1|2|2|2|0|2|2|1
3|integer|1|0|0|0|0|1|3|3|3|0|3|3|1' 'names that are equal or empty' \
    --csv <<'END'
a,a,
1,2,3
END
prints 'a||0|0|0|0|0|0|||||||' 'no records' --csv <<'END'
a
END
prints '' 'an empty input' --csv </dev/null
prints 'a|decimal|1|0|0|0|2|3|1|1|1|0|1|1|1' 'nan is no value' --csv <<'END'
a
nan
NaN
1
END
prints 'a|decimal|2|0|0|0|0|2|1|inf|inf|nan|1|1|1' 'an infinity' --csv <<'END'
a
1
inf
END
prints 'a|decimal|2|0|0|0|0|2|1|1e+50|||1|1|1' 'too many digits for a sum' \
    --csv <<'END'
a
1
1e50
END
prints 'a|text|2|0|0|0|0|2|1|1e999||||1|1' 'beyond all doubles' --csv <<'END'
a
1
1e999
END
prints 'a|integer|3|0|0|0|0|2|7|123456789012345678901234567890|'\
'4.115226300411523e+28|5.819808846276432e+28|7|007|2' \
    'all digits, and the most frequent text' --csv <<'END'
a
007
007
123456789012345678901234567890
END

# ---- other formats of text ----

cat >access.log <<'END'
1.2.3.4 - bob [10/Oct/2026:13:55:36 +0000] "GET /x HTTP/1.1" 200 10
1.2.3.5 - - [09/Oct/2026:23:55:36 +0000] "GET /y HTTP/1.1" 404 -
no request
END
prints 'host|text|2|0|0|1|0|2|1.2.3.4|1.2.3.5||||1.2.3.4|1
ident||0|0|2|1|0|0|||||||
user|text|1|0|1|1|0|1|bob|bob||||bob|1
time|time|2|0|0|1|0|2|09/Oct/2026:23:55:36 +0000|'\
'10/Oct/2026:13:55:36 +0000||||09/Oct/2026:23:55:36 +0000|1
method|text|2|0|0|1|0|1|GET|GET||||GET|2
target|text|2|0|0|1|0|2|/x|/y||||/x|1
protocol|text|2|0|0|1|0|1|HTTP/1.1|HTTP/1.1||||HTTP/1.1|2
status|integer|2|0|0|1|0|2|200|404|302|102|200|200|1
bytes|integer|1|0|1|1|0|1|10|10|10|0|10|10|1
referer||0|2|0|1|0|0|||||||
agent||0|2|0|1|0|0|||||||' 'a log of requests' --clf access.log
# shellcheck disable=SC2016 # a pattern of nginx
prints 'remote_addr|text|2|0|0|0|0|2|1.1.1.1|2.2.2.2||||1.1.1.1|1
status|integer|2|0|0|0|0|2|200|404|302|102|200|200|1
http_user_agent|text|2|0|0|0|0|2|x|y||||x|1' 'a pattern of a log' \
    --log-format '$remote_addr $status "$http_user_agent"' <<'END'
1.1.1.1 200 "x"
2.2.2.2 404 "y"
END
prints 'date|time|2|0|0|0|0|1|2026-11-28|2026-11-28||||2026-11-28|2
sc-status|integer|2|0|0|0|0|2|200|404|302|102|200|200|1' 'a log of the W3C' \
    --log-format=w3c <<'END'
#Fields: date sc-status
2026-11-28 200
2026-11-28 404
END
prints 'a|integer|2|0|0|0|0|2|1|3|2|1|1|1|1
b.c|text|1|0|1|0|0|1|x|x||||x|1' 'JSON' --jsonl -f a,b.c <<'END'
{"a":1,"b":{"c":null}}
{"a":3,"b":{"c":"x"}}
END
prints 'a|text|1|1|0|0|0|1|x|x||||x|1' 'logfmt' --logfmt -f a <<'END'
a=x b=2
b=3
END
cat >objects.jsonl <<'END'
{"a":1,"b":{"c":null},"x.y":"z"}
{"a":3,"q":[1,2],"a":4}
{}
{"\u0061":7,"e":"","n":null, "t":"2026-01-01T00:00:00Z" }
END
prints 'a|integer|3|1|0|0|0|3|1|7|4|2.449489742783178|4|1|1
b|text|1|3|0|0|0|1|{"c":null}|{"c":null}||||{"c":null}|1
e||0|3|1|0|0|0|||||||
n||0|3|1|0|0|0|||||||
q|text|1|3|0|0|0|1|[1,2]|[1,2]||||[1,2]|1
t|time|1|3|0|0|0|1|2026-01-01T00:00:00Z|2026-01-01T00:00:00Z||||'\
'2026-01-01T00:00:00Z|1
x.y|text|1|3|0|0|0|1|z|z||||z|1' 'all members of JSON' --jsonl objects.jsonl
prints 'a|integer|1|0|0|1|0|1|5|5|5|0|5|5|1' 'a line that is no object' \
    --jsonl --invalid=count <<'END'
{"a":5}
a
END
prints 'a|text|1|1|0|0|0|1|x|x||||x|1
b|integer|2|0|0|0|0|2|3|4|3.5|0.5|3|3|1
c||0|1|1|0|0|0|||||||' 'all keys of logfmt' --logfmt <<'END'
a=x b=2 b=4 c

b=3
END
members=$(seq 20000 | sed 's/.*/"&":1/' | tr '\n' ',' | sed 's/,$//')
printf '{%s}\n{%s,"20000":2}\n' "$members" "$members" >many.jsonl
gpuhist --jsonl --profile many.jsonl >out
is "$(wc -l <out) $(grep -c 'integer	2	0	0	0	0	1	1	1	1	0' out) $(
    grep '^20000	' out | tr '\t' ' ')" \
    '20001 19999 20000 integer 2 0 0 0 0 2 1 2 1.5 0.5 1 1 1' 'many members'
gpuhist --jsonl --profile --memory-limit=32Mi many.jsonl >out 2>err
is "$? $(wc -l <out) $(sed 's/[0-9][0-9]*/N/' err)" '1 0 gpuhist: --profile: '\
'records have more than N different members, for which --memory-limit has '\
'no room: choose by --fields' 'too many members'
seq 5 >lines
prints '1|integer|5|0|0|0|0|5|1|5|3|1.4142135623730951|3|1|1' 'lines' -l lines
prints 'x|integer|6|0|0|0|0|2|1|2|1.8333333333333333|0.37267799624996495|2|2|5'\
 'counted already' --counts=tsv -H -f x <<'END'
x	n
1	1
2	5
END

# ---- formats ----

is "$(gpuhist --csv --profile --format=jsonl -f price,name table.csv |
    head -n 2)" \
    '{"field":"price","type":"decimal","count":4,"missing":0,"empty":1,"invalid":0,"nan":0,"distinct":4,"min":-1000,"max":10,"mean":-246.25,"sd":435.1885367286229,"p50":2.5,"mode":"-1e3","mode_count":1}
{"field":"name","type":"text","count":4,"missing":0,"empty":1,"invalid":0,"nan":0,"distinct":3,"min":"ann","max":"c, d","mean":null,"sd":null,"p50":null,"mode":"bob","mode_count":2}' \
    'jsonl'
is "$(gpuhist --csv --profile --format=md -f id table.csv)" \
    '| field | type | count | missing | empty | invalid | nan | distinct | min | max | mean | sd | p50 | mode | mode_count |
| :--- | :--- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | :--- | ---: |
| id | integer | 5 | 0 | 0 | 0 | 0 | 4 | 1 | 10 | 5.2 | 3.9698866482558417 | 3 | 10 | 2 |' \
    'md'
printf 'a,b\n1,%s\n2,\n' 'a text that is too long for a table' >long.csv
is "$(gpuhist --csv --profile --format=table --round=1 long.csv)" \
    'field  type     count  missing  empty  invalid  nan  distinct  min                       max                       mean   sd  p50  mode                      mode_count
a      integer      2        0      0        0    0         2  1.0                       2.0                        1.5  0.5  1.0  1                                  1
b      text         1        0      1        0    0         1  a text that is too lo...  a text that is too lo...                  a text that is too lo...           1' \
    'table'
printf 'a,b\nx,y\n' >short.csv
gpuhist --csv --profile --per-file long.csv short.csv -f a >out
is "$(cut -f 1-3 out | tr '\t' ' ')" 'file field type
long.csv a integer
short.csv a text' 'a profile for each file'
gpuhist --csv --profile --where='id>=10' table.csv >out
is "$(cut -f 1,3 out | tr '\t' ' ')" 'field count
id 2
price 2
day 2
name 1
mix 0' 'of some records'

# ---- samples ----

printf '\001\377\002\377\001\000' >pairs
prints '1|integer|3|0|0|0|0|2|1|2|1.3333333333333333|0.4714045207910317|1|1|2
2|integer|3|0|0|0|0|2|-1|0|-0.6666666666666666|0.4714045207910317|-1|-1|2' \
    'records' --record=u1,i1 pairs
prints '2|integer|3|0|0|0|0|2|-1|0|-0.6666666666666666|0.4714045207910317|-1|'\
'-1|2' 'a chosen element' --record=u1,i1 -f 2 pairs
# 1, NaN, 0.5 and NaN of two bytes
printf '\000\074\000\176\000\070\000\176' >halves
prints '1|decimal|2|0|0|0|2|2|0.5|1|0.75|0.25|0.5|0.5|1' 'nan' \
    --dtype='<f2' halves
prints '1|integer|0|0|0|0|0|0|||||||' 'no samples' --dtype=u4 /dev/null

# ---- many columns ----

awk 'BEGIN { for (i = 1; i <= 1000; i++) printf "c%d%s", i, i < 1000 ? "," : "\n"
    for (r = 1; r <= 3; r++) for (i = 1; i <= 1000; i++)
        printf "%d%s", r * i, i < 1000 ? "," : "\n" }' >wide.csv
gpuhist --csv --profile wide.csv >out
is "$(wc -l <out) $(tail -n 1 out | cut -f 1,3,11)" \
    "1001 c1000	3	2000" 'a thousand columns'
awk 'BEGIN { for (i = 1; i <= 2000; i++) printf "c,"; print "d" }' >wider.csv
says 2 '--profile: the records have 2001 fields, and lines are for 1023 at '\
'most: choose by --fields' 'more columns' gpuhist --csv --profile wider.csv

# ---- what is refused ----

printf 'a\t3\nb\t2\n' >counts.tsv
prints '1|text|5|0|0|0|0|2|a|b||||a|3' 'counts' --counts counts.tsv
is "$(cat err)" '' '... and no warning of more fields'
printf '' >nothing
prints '1||0|0|0|0|0|0|||||||' 'no counts' --counts nothing

# States that were counted without --profile have numbers instead of texts.
printf 'v\n1\n2.50\nnan\n2.5\nfoo\n' >numbers.csv
gpuhist -q --csv -f v --columns=min --state=numbers.state -o out numbers.csv
gpuhist --merge --profile numbers.state >out
is "$(sed 1d out | tr '\t' '|')" \
    'v|decimal|3|0|0|1|1|2|1|2.5|2|0.7071067811865476|2.5|2.5|2' \
    'a state of decimal numbers'
gpuhist -q --csv -f v --dtype=int --state=numbers.state -o out numbers.csv
gpuhist --merge --profile numbers.state >out
is "$(sed 1d out | tr '\t' '|')" 'v|integer|1|0|0|4|0|1|1|1|1|0|1|1|1' \
    'a state of integers'

says 2 '--profile and --group-by exclude each other' 'groups' \
    gpuhist --csv --profile -g id table.csv
says 2 '--profile has the figures of values, not of bins: no options for bins' \
    'bins' gpuhist --csv --profile -f id -b3 table.csv
says 2 '--profile does not apply to --format=uniq' 'uniq' \
    gpuhist --csv --profile --format=uniq table.csv
says 2 '--profile needs --csv, --tsv, --delimiter, --whitespace, --clf, '\
'--jsonl, --logfmt, --regex, --matches, --lines, --words, --log-format, '\
'--counts, --dtype, --record, --npy, --safetensors or --merge' 'no type' \
    gpuhist --profile table.csv

python_checks "$srcdir/tests/cli/profile_oracle.py"

done_testing
