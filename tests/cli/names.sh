# SPDX-License-Identifier: MIT
# names.sh -- the names of columns, in every format, and --rename
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

# named HEADER NAME ARGUMENT...: the header that the arguments print as CSV.
named()
{
    named_header=$1
    named_name=$2
    shift 2
    is "$(gpuhist -q "$@" --format=csv | head -n 1)" "$named_header" \
        "$named_name"
}

cat >table.csv <<'END'
city,price,time,count
Rome,5,2024-01-01T10:00:00Z,1
"Oslo, N",7,2024-01-01T11:00:00Z,2
\N,3,2024-01-01T11:00:00Z,2
Rome,x
END

# ---- the names ----

named 'city,count' 'a name' --csv -f city table.csv
named 'city,price_lo,price_hi,count' 'groups and bins' \
    --csv -g city -f price -b5 --range=0:10 table.csv
named 'line,count' 'lines' -l table.csv
named 'word,count' 'words' --words table.csv
named 'value,count' 'bytes' table.csv
named 'value_lo,value_hi,count' 'bins of bytes' -b4 table.csv
named 'value,count' 'one field of records' --record=u1,u1 -f2 table.csv
named 'field1,field2,count' 'several' --record=u1,u1 --joint --nonzero table.csv
printf '>a\nACGTAC\n' >dna
named 'kmer,count' 'k-mers' --kmers=3 dna
named 'length,count' 'a field of sequences' --seq -f length dna
named 'value,count' 'a spectrum' --kmers=3 --spectrum dna
named 'field2,count' 'a number' --csv -H -f 2 table.csv
named 'fieldNF,fieldNF-1,count' 'numbers from the end' --csv -H -g NF,NF-1 \
    table.csv
named 'time:hour,field1:lower,count' 'modifiers' --csv -g time:hour,1:lower \
    table.csv
named 'field,value,count' 'several fields' --csv -f city,price table.csv
named 'city,count_2,count' 'an own column' --csv -g city,count table.csv
named 'field,field_2,value,count' 'another' --csv -g field -f a,b <<'END'
field,a,b
1,2,3
END
named 'field2,field2_2,count' 'a name that is there' --csv -H -g field2,2 <<'END'
field2,b
1,2
END
named '"a ""b"", c",count' 'a name in quotes' --csv -f '"a ""b"", c"' <<'END'
"a ""b"", c"
1
END
named 'city,count,p50,max' 'figures' --csv -g city -f price \
    --columns=count,p50,max --dtype=num table.csv
named 'price,count_2,count,percent' 'other columns' --csv -g price,count \
    --percent table.csv
named 'file,city,count' 'files' --csv -f city --per-file table.csv

# ---- the same in every format ----

set -- --csv -g city,time:hour table.csv
is "$(gpuhist --header-out "$@" | head -n 1 | tr '\t' ' ')" \
    'city time:hour count' 'tsv'
is "$(gpuhist --format=md "$@" | head -n 1)" '| city | time:hour | count |' 'md'
is "$(gpuhist --format=table "$@" | head -n 1 | tr -s ' ')" \
    'city time:hour count' 'table'
is "$(gpuhist --format=jsonl "$@" | sed -n 2p)" \
    '{"city":"Rome","time:hour":"2024-01-01T10","count":1}' 'jsonl'
is "$(gpuhist --format=jsonl "$@" | sed -n 3p)" \
    '{"city":"Rome","time:hour_flow":"missing","count":1}' \
    'jsonl, a field that is missing'
is "$(gpuhist --format=json "$@" | sed -n 3,4p)" \
    '{"axes":[{"field":"city","name":"city","type":"key"},
{"field":"time:hour","name":"time:hour","type":"key"}],' 'json'
is "$(gpuhist --format=prom "$@" | sed -n 3p)" \
    'gpuhist_values{city="Oslo, N",time_hour="2024-01-01T11"} 1' 'prom'
is "$(gpuhist -q --csv -g time:hour -f price --dtype=num --scale=0 \
    --closed=right --flow=hide --format=otlp table.csv |
    grep -o '"key":"[^"]*"' | sort -u)" '"key":"time_hour"' 'otlp'
is "$(gpuhist --csv -H -f 2 --format=uhi table.csv |
    grep -o '"label":"[^"]*"')" '"label":"field2"' 'uhi'
is "$(gpuhist --csv -g city -f price --range=0,9 -b3 --plot=only table.csv |
    head -n 1)" 'city by price (num): 4 counted, a scale for each group' 'plot'
gpuhist --csv -f city --rename=city=town --svg=city.svg table.csv >lost
grep -q '>town: 4 counted<' city.svg
ok $? 'svg, with --rename'
gpuhist --csv -f city --state=state table.csv >lost
is "$(gpuhist --merge --format=csv state | head -n 1)" 'city,count' \
    'names are in states'

# ---- special rows ----

printf '%s\n' '\N,a' '\\N,a' '\other,a' '\empty' 'N,a' '"\,""",a' >special
is "$(gpuhist --csv -g1,2 --format=csv special)" 'field1,field2,count
N,a,1
"\,""",a,1
\\N,a,1
\\\N,a,1
\\empty,\N,1
\\other,a,1' 'keys that look like special rows in CSV'
is "$(gpuhist --csv -f1 --top=1 --format=csv special)" 'field1,count
N,1
\other,5' 'the row for others'

# ---- --rename ----

named 'town,n' '--rename' --csv -f city --rename=city=town,count=n table.csv
named 'city,from,to,count' '... of edges' --csv -g city -f price -b5 \
    --range=0:10 --rename=price_lo=from,price_hi=to table.csv
named 'city,cost_lo,cost_hi,count' '... of a field with edges' --csv -g city \
    -f price -b5 --range=0:10 --rename=price=cost table.csv
named 'price,city,count' '... to each other' --csv -g city,price \
    --rename=city=price,price=city table.csv
named '"a, ""b""=",count' '... in quotes' --csv -f city \
    '--rename="city"="a, ""b""="' table.csv
named 'city,count,median' '... of a figure' --csv -g city -f price \
    --columns=count,p50 --rename=p50=median table.csv
named 'path,city,count' '... of files' --csv -f city --per-file \
    --rename=file=path table.csv
named 'f,v,count' '... of shared columns' --csv -f city,price \
    --rename=field=f,value=v table.csv
is "$(gpuhist --csv -f city --rename=city=t:own --format=prom table.csv |
    sed -n 3p)" 'gpuhist_values{t_own="Oslo, N"} 1' '... of a label'
is "$(gpuhist -q --csv -g city -f price --columns=p99.9 --format=prom \
    --rename=p99.9=most table.csv | sed -n 2p)" \
    '# TYPE gpuhist_values_most gauge' '... of a metric'
is "$(gpuhist --csv -g city -f price -b1 --range=0,9 --format=jsonl \
    --rename=price=p,city=c,count=n table.csv | head -n 1)" \
    '{"c":"Oslo, N","lo":0,"hi":9,"n":1}' '... in JSON'
gpuhist --csv -f city --rename=city=town --header-out --state=renamed \
    table.csv >lost
grep -q town renamed
is "$?" 1 'no state has the new name'
is "$(gpuhist --merge --rename=city=place --header-out renamed | head -n 1 |
    tr '\t' ' ')" 'place count' '--merge renames'

says 2 "--rename: no column is called 'cty'; there is 'city', 'count', 'price'" \
    'a wrong name' \
    gpuhist --csv -g city,price --format=csv --rename=cty=town table.csv
says 2 "--rename: no column is called 'city'; there is 'field', 'count', \
'value'" 'a name in a shared column' \
    gpuhist --csv -f city,price --format=csv --rename=city=town table.csv
says 2 "--rename: 'price' would be the name of two columns, or of a column and \
a member of JSON" 'a name twice' \
    gpuhist --csv -g city,price --format=csv --rename=city=price table.csv
for format in tsv csv md; do
    for name in count price; do
        refused 2 "--rename=$name=x, which --pivot prints not in $format" \
            gpuhist --csv -g city,price --pivot --header-out \
            --format=$format --rename=$name=x table.csv
    done
done
says 2 "--rename: no column is called 'price'; there is 'mean', 'city'" \
    'figures have columns instead of the field' \
    gpuhist --csv -g city -f price --columns=mean --format=csv \
    --rename=price=cost table.csv
for new in count other flow; do
    refused 2 "--rename=city=$new" gpuhist --csv -f city --format=csv \
        --rename=city=$new table.csv
done
for wrong in city city= =town 'city=a,city=b' 'city="a' 'city="a"b'; do
    refused 2 "--rename=$wrong" gpuhist --csv -f city --format=csv \
        --rename="$wrong" table.csv
done
says 2 '--rename is for output with names: --header-out or --format=csv, md, '\
'table, json, jsonl, prom, uhi, otlp or prom-native, --plot or --svg' \
    'no names' gpuhist --csv -f city --rename=city=town table.csv
refused 2 'no names in another format' \
    gpuhist --csv -f city --rename=city=town --format=uniq table.csv

python_checks "$srcdir/tests/cli/names_oracle.py"
python_checks "$srcdir/tests/cli/schema_oracle.py"

done_testing
