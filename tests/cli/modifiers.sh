# SPDX-License-Identifier: MIT
# modifiers.sh -- fields with modifiers, and the elements of lists
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

python_checks "$srcdir/tests/cli/modifiers_oracle.py"

# ---- where a name ends ----

printf 'time,time:hour,a:b\n2026-11-28T06:41:00,x,P\n2026-11-28T06:50:00,y,p\n' \
    >data.csv
printf 'x\t1\ny\t1\n' >wanted
counts wanted 'a header has the whole name' \
    gpuhist --csv -f time:hour data.csv
printf '2026-11-28T06\t2\n' >wanted
counts wanted 'a name in quotes ends at its quote' \
    gpuhist --csv -f '"time":hour' data.csv
printf 'p\t2\n' >wanted
counts wanted 'the longest name of a header counts' \
    gpuhist --csv -f a:b:lower data.csv
counts wanted 'a number of a field' gpuhist --csv -H -f 3:lower data.csv
counts wanted 'the last field' gpuhist --csv -H -f NF:lower data.csv
printf 'a:b\tP\t1\na:b\tp\t1\na:b:lower\tp\t2\n' >wanted
counts wanted 'chains make other columns' \
    gpuhist --csv -f a:b,a:b:lower data.csv
says 1 "--fields: 'a:b:lower' is field 3, which is listed, too" \
    'equal chains are listed twice' \
    gpuhist --csv -f a:b:lower,3:lower data.csv
says 2 "--fields: 'lowr' is not a modifier (did you mean 'lower'?); write a \
name with a colon in double quotes" \
    'a near modifier is named' gpuhist --csv -f time:lowr data.csv
says 2 "--fields: the modifier lower takes no argument, and '3' is one" \
    'an argument too many' gpuhist --csv -f time:lower=3 data.csv

printf '{"a:b":"Q","a":"X"}\n{"a:b":"q","a":"x"}\n' >data.jsonl
printf 'q\t2\n' >wanted
counts wanted 'a colon of a path of JSON' \
    gpuhist --jsonl -f a:b:lower data.jsonl
printf 'Q\t1\nq\t1\n' >wanted
counts wanted 'no modifier: part of the path' gpuhist --jsonl -f a:b data.jsonl
says 2 "--fields: 'hours' is not a modifier (did you mean 'hour'?); write a \
name with a colon in double quotes" 'the names of --clf are known' \
    gpuhist --clf -f time:hours data.csv
says 2 "base:lower has modifiers, and of the fields of sequences only texts \
can have any, such as name and sequence" 'bases have none' \
    gpuhist --seq -f base:lower data.csv

# The first value, for messages, is one of the field before its modifiers.
printf 'x\n' >one
export MALLOC_PERTURB_=170
says 1 "field 1:duration: none of 1 values is a number (the first is 'x'); to \
count them as keys, use -g 1:duration" 'two fields of a source' \
    gpuhist --csv -j1 -f 1:day,1:duration one
unset MALLOC_PERTURB_

# ---- conditions ----

printf 'dur,url\n5ms,/A/b\n0.2s,/a/c\nbad,/a\n,/x\n' >d.csv
printf '/A/b\t1\n' >wanted
counts wanted 'a value with a unit' \
    gpuhist --csv -f url --where 'dur:duration<100ms' d.csv
counts wanted 'a value that is a number' \
    gpuhist --csv -f url --where 'dur:duration<=0.005' d.csv
printf '/a/c\t1\n' >wanted
counts wanted 'a modifier with an argument before the operator' \
    gpuhist --csv -f url --where 'url:lower:cut=1-3=/a/' \
    --where 'dur:duration>=200ms' d.csv
says 2 "--where: 'soon' is neither a number nor a value that the modifier \
duration of dur:duration reads" 'a value that is no duration' \
    gpuhist --csv -f url --where 'dur:duration<soon' d.csv

# ---- modifiers after one that gives a number ----

gives='which gives a number'
for before in decimal-comma duration duration=ms size size=iec; do
    for after in second minute hour day week month year hour-of-day weekday \
        utc lower upper trim host path query ext dir base net=24 \
        syslog-facility syslog-severity; do
        says 2 "--fields: the modifier ${after%=*} cannot follow \
${before%=*}, $gives" "$before:$after" \
            gpuhist --csv -f "dur:$before:$after" d.csv
    done
done
says 2 "--fields: the modifier floor cannot follow duration, $gives; \
--bin-width=N has intervals of numbers" 'an interval of durations' \
    gpuhist --csv -f dur:duration:floor=5min d.csv
says 2 "--fields: the modifier lower cannot follow number, $gives" \
    'a number has no case' gpuhist --csv -f dur:trim:number:lower d.csv
for option in fields group-by weights where; do
    [ $option = where ] && value='dur:duration:hour=1' ||
        value=dur:duration:hour
    [ $option = fields ] || set -- -f url
    says 2 "--$option: the modifier hour cannot follow duration, $gives" \
        "--$option" gpuhist --csv "$@" "--$option=$value" d.csv
    set --
done
says 2 "--log-format: the modifier hour cannot follow duration, $gives" \
    'a field of a log that has a modifier of its own' \
    gpuhist --log-format='%D %s' -f duration:hour d.csv
printf '%s\n' ts=1795848072 day-20261128 x >numbers
printf '2026-11-28\t2\n\\invalid\t1\n' >wanted
counts wanted 'the first number may be an epoch or a day' \
    gpuhist --csv -f 1:number:day numbers
printf '%s\n' 12ms 1.25s 19 x >numbers
printf '0\t1\n1\t1\n19\t1\n\\invalid\t1\n' >wanted
counts wanted 'a number is a text that can be divided' \
    gpuhist --csv -g '1:duration:field=1"."' numbers
printf '1\t3\n\\invalid\t1\n' >wanted
counts wanted '... or cut' gpuhist --csv -f 1:number:prefix=1 numbers
printf '12\t1\n' >wanted
counts wanted '... or read as another number' \
    gpuhist --csv -f 1:number:duration --nonzero --flow=hide \
    --where='1=12ms' numbers

printf '/a/c\t1\n' >wanted
counts wanted 'an argument with quotes inside' \
    gpuhist --csv -f url --where 'url:field=3"/"=c' d.csv
counts wanted '... of a list of fields' \
    gpuhist --csv -f 'url:field=1","' --where 'url=/a/c' d.csv

# ---- numbers ----

printf '0.005\t1\n0.2\t1\n\\empty\t1\n\\invalid\t1\n' >wanted
counts wanted 'decimals are in the order of numbers' \
    gpuhist --csv -f dur:duration d.csv
printf '0\t0.25\t2\n0.25\t0.5\t0\n0.5\t0.75\t0\n0.75\t1\t0\n' >wanted
"$GPUHIST" --csv -f dur:duration --bins=4 --range=0,1 d.csv 2>says |
    head -n 4 >got
cmp -s wanted got
ok $? 'decimals have bins'
printf '/A/b\t0.005\n/a/c\t0.2\n/x\t0\n' >wanted
counts wanted 'weights with a unit' gpuhist -q --csv -f url \
    --weights=dur:duration --where 'url!=/a' d.csv
says 1 "d.csv: the weight at byte 27, 'bad', is no number" \
    'a weight that is no duration is named at its place' \
    gpuhist --csv -f url --weights=dur:duration d.csv
says 3 'cuda: this is counted by the CPU only: fields with modifiers' \
    'devices refuse modifiers' gpuhist --csv -f url:lower --device=cuda d.csv

# ---- formats ----

printf 'h - - [22/Nov/2026:08:01:02 +0000] "GET /AB HTTP/1.1" 200 5\nbad\n' \
    >log
printf '/ab\t1\n\\invalid\t1\n' >wanted
counts wanted 'a line that does not fit' gpuhist -q --clf -f path:lower log
printf 'A b\na B\n' >words
printf 'NF-1:lower\ta\t2\n2:lower\tb\t2\n' >wanted
counts wanted 'columns of blanks' gpuhist --whitespace -f NF-1:lower,2:lower \
    words
printf 'A b\t1\n' >wanted
counts wanted 'a condition on whole lines' \
    gpuhist --lines --where '1:cut=1=A' words
printf 'A\t5\na\t7\n\\N\t2\n' >rows
printf 'a\t12\n\\N\t2\n' >wanted
counts wanted 'rows with counts' gpuhist --counts -f 1:lower rows
printf 'a;b\t5\nb\t7\n' >rows
printf 'a\t5\nb\t12\n' >wanted
counts wanted 'elements of rows with counts' \
    gpuhist --counts -f '1:split=;' rows

printf '2026-11-28\t5\nx\t7\n' >rows
printf '2026-11\t5\n\\invalid\t7\n' >wanted
counts wanted 'rows that no modifier reads keep their counts' \
    gpuhist --counts -f 1:month rows
counts wanted 'records that no modifier reads keep their weights' \
    gpuhist --tsv -f 1:month --weights=2 rows

printf '0.2\t1\n\\invalid\t1\n' >wanted
counts wanted 'groups are keys' gpuhist --csv -g dur:duration \
    --where 'url>=/a' --where 'url<=/a/c' d.csv

# Combinations ascend by their columns; only options that choose or order groups
# put those without any key last.
printf '%s\n' '{"t":"2026-11-28","b":"x"}' '{"t":"no","b":"a"}' '{}' \
    '{"t":"no"}' '{"t":"2026-11-28"}' '{"b":"a"}' >tuples.jsonl
printf '%s\t%s\t1\n' 2026-11-28 x 2026-11-28 '\N' '\N' a '\N' '\N' \
    '\invalid' a '\invalid' '\N' >wanted
counts wanted 'combinations ascend by each column' \
    gpuhist --jsonl -g t:day,b tuples.jsonl
gpuhist --jsonl -g t:day,b --state=tuples.state tuples.jsonl >out 2>err
gpuhist --merge tuples.state >merged
same merged wanted '... in states, too'
counts wanted '... and groups with figures' \
    gpuhist --jsonl -g t:day,b --columns=count tuples.jsonl
printf '%s\t%s\t1\n' 2026-11-28 x 2026-11-28 '\N' '\N' a '\invalid' a \
    '\N' '\N' '\invalid' '\N' >wanted
for options in --top=9 --sort=count '--top=9 --columns=count' \
    '--min-count=1 --columns=count' '--sort=count --columns=count'; do
    # shellcheck disable=SC2086 # several words
    counts wanted "the last ones have no key: $options" \
        gpuhist --jsonl -g t:day,b $options tuples.jsonl
done

# ---- keys in lower case ----

printf 'a b\t2\n' >wanted
counts wanted 'whole lines in lower case' gpuhist -l -i words
printf '1\ta\t2\n2\tb\t2\n' >wanted
counts wanted 'fields in lower case' gpuhist --whitespace -i -f 1,2 words
printf '2\tb\t1\n1\ta\t1\n' >wanted
counts wanted 'conditions are of the field as it is' \
    gpuhist --whitespace -i -f 2,1 --where 2=B words
printf 'a \t2\n' >wanted
counts wanted 'prefixes in lower case' gpuhist -l -i --prefix=2 words
says 2 '--ignore-case is for keys, and all fields are numbers' \
    'numbers have no case' gpuhist --whitespace -i -f 1:number words

printf 'get\t2\n' >wanted
printf 'a GET\nb get\n' >requests
if [ "$HAVE_PCRE2" = yes ]; then
    counts wanted 'groups of an expression in lower case' \
        gpuhist --regex='(?<m>[a-zA-Z]+)$' -i -f m requests
fi

# ---- elements ----

cat >list.jsonl <<'END'
{"t":["a","B","a"],"u":"x","items":[{"sku":"s1","q":2},{"sku":"s2","q":3}]}
{"t":[],"u":"y","items":[{"sku":"s1","q":1.5},{"q":1},7]}
{"u":"x"}
{"t":null,"u":"z","items":[]}
{"t":"scalar","u":"z"}
{"t":["\u0041\"",1,null,{"k":[1,2]},[3,"]"],true],"u":"w"}
END
printf '%s\t%s\n' 1 1 'A"' 1 B 1 '[3,"]"]' 1 a 2 null 1 true 1 '{"k":[1,2]}' 1 \
    '\N' 2 '\invalid' 1 >wanted
counts wanted 'elements of an array' gpuhist --jsonl -f 't[]' list.jsonl
printf 's1\t3.5\ns2\t3\n\\N\t1\n' >wanted
counts wanted 'weights of the same list go together' \
    gpuhist -q --jsonl -f 'items[].sku' --weights='items[].q' list.jsonl
printf 'w\t1\nx\t1\n' >wanted
counts wanted 'some element differs' \
    gpuhist --jsonl -f u --where='t[]!=a' list.jsonl
printf 'x\t1\n' >wanted
counts wanted 'some element is equal' \
    gpuhist --jsonl -f u --where='t[]=a' list.jsonl
printf 't[]\tB\t1\nt[]\ta\t2\nu\tx\t1\n' >wanted
counts wanted 'records beside elements' \
    gpuhist --jsonl -f 't[],u' --where='t[]=a' list.jsonl
says 2 "t[] and items[].q are two lists: a histogram has the elements of one \
list" 'two lists in a histogram' \
    gpuhist --jsonl -g 't[]' -f 'items[].q' list.jsonl
says 2 "--fields: 't[]u' is no path of a member of JSON (of the elements of \
lists: a[], a[].b, a[].b[].c)" 'no path of elements' \
    gpuhist --jsonl -f 't[]u' list.jsonl
says 2 "--fields=t[]:split=x: 't[]:split=x' divides parts of a list again, and \
only arrays of JSON may be inside of each other" 'parts of elements' \
    gpuhist --jsonl -f 't[]:split=x' list.jsonl
"$GPUHIST" --jsonl -f 't[]' --per-file list.jsonl list.jsonl >got &&
    [ "$(wc -l <got)" -eq 20 ]
ok $? 'elements of each file'
"$GPUHIST" --jsonl -f 't[]' --format=json list.jsonl >got &&
    grep -q '"records":6,' got && grep -q '"values":12,"in_bins":9' got
ok $? 'the records stay a figure, and totals are of elements'
python3 - >long.jsonl <<'END'
import json
for i in range(3):
    print(json.dumps({"t": [f"v{j % 1000}" for j in range(100000)]}))
END
"$GPUHIST" --jsonl -f 't[]' --memory-limit=64M long.jsonl >got &&
    [ "$(awk '$2 == 300' got | wc -l)" -eq 1000 ]
ok $? 'lists that are longer than a batch'

done_testing
