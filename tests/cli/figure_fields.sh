# SPDX-License-Identifier: MIT
# figure_fields.sh -- --columns=price:mean,quantity:sum: figures of several
# fields in a line for each group
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

python_checks "$srcdir/tests/cli/figure_fields_oracle.py"

printf '%s\n' city,price,quantity,name A,1.5,3,x B,2,4,y A,0.1,,x A,abc,7,z \
    C,5,1 >data

# ---- what is said ----

is "$(gpuhist --csv -g city --columns=count,price:mean,name:distinct \
    --header-out data 2>err)" 'city	count	price_mean	name_distinct
A	3	0.8	2
B	1	2	1
C	1	5	0' 'fields that only --columns names, and texts beside numbers'
is "$(cat err)" 'gpuhist: warning: 2 records have no value for --columns: missing, empty, invalid or nan' \
    '... records without a value are warned of'
is "$(gpuhist -q --csv -g city --columns=price:mean --sort=quantity:sum \
    --top=1 --no-other data)" 'A	0.8' 'the order is by a field that is not printed'
is "$(gpuhist -q --csv --columns=price:count,quantity:max,count,price:sum \
    data)" '4	7	5	8.6' 'without groups'
is "$(gpuhist -q --csv -g city -f price --columns=price:max,count,min data)" \
    'A	1.5	3	0.1
B	2	1	2
C	5	1	5' 'a figure without a field is of the only one'
is "$(gpuhist -q --csv -g city -f price,quantity --columns=price:max \
    --header-out --rename=price_max=most data | head -n 1)" 'city	most' '--rename'
is "$(gpuhist -q --csv --per-file -g city --columns=price:max,quantity:max \
    data | head -n 1)" 'data	A	1.5	7' '--per-file'
printf '%s\n' '{"k":1,"a:b":2,"c,d":3}' '{"k":1,"a:b":5,"c,d":9}' >lines
printf '%s\n' 'k,a:b,"c,d"' 1,2,3 1,5,9 >names
is "$(gpuhist --csv -g k --columns='a:b:sum,"c,d":sum' names)" '1	7	12' \
    'names with colons and commas'
is "$(gpuhist --jsonl -g k --columns='"a:b":sum' --header-out lines)" \
    'k	a:b_sum
1	7' 'a name between quotes'
printf '1 2 3\n4 5 6\n' | gpuhist -W --columns=1:sum,NF:max --header-out >out
is "$(cat out)" 'field1_sum	fieldNF_max
5	6' 'fields with numbers'

printf 'P6 2 1 255\n\1\2\3\5\6\7' >image
is "$(gpuhist --image --columns=red:mean,blue:max --header-out image)" \
    'field1_mean	field3_max
3	7' 'channels of images'

# ---- what is refused ----

for option in columns sort; do
    for case in \
        'price:meen|there is no figure '\''meen'\'' (did you mean mean?)' \
        'avg(price)|there is no figure '\''avg(price)'\'' (did you mean price:mean?)' \
        'mean:price|there is no figure '\''price'\'' (did you mean price:mean?)' \
        'price_p50|there is no figure '\''price_p50'\'' (did you mean price:p50?)' \
        'price:p101|'\''p101'\'' has no percentage: a number above 0, up to 100, with up to 9 decimals' \
        ':mean|'\'':mean'\'' has no field before the colon' \
        'price:|'\''price:'\'' has no figure after the colon' \
        'mean|mean is of one of several fields: write which, as in price:mean' \
        'pric:mean|no field of --fields is called '\''pric'\''; there is '\''price'\'', '\''quantity'\'''
    do
        says 2 "--$option: ${case#*|}" "--$option=${case%%|*}" \
            gpuhist --csv -g city -f price,quantity --columns=price:mean \
            "--$option=${case%%|*}$([ $option = sort ] || echo ,price:mean)" data
    done
done
says 1 "--fields: no field is named 'pric' in the header of data, which has 'price', 'city', 'quantity', 'name'" \
    'a field that no header has' gpuhist --csv -g city --columns=pric:mean data
says 2 '--sort of a figure with its field needs --columns with fields, too: FIELD:FIGURE' \
    'an order by a field of figures without' \
    gpuhist --csv -g city -f price,quantity --columns=mean --sort=price:mean data
says 2 "--stats: 'price:mean' has a field, as only figures of --columns have" \
    '--stats has no fields' gpuhist -q --csv -f price --stats=price:mean,mean data
says 2 '--columns: figures of records and of parts of them, as the elements of a list, share no lines: one run for each' \
    'records and elements' gpuhist --jsonl -g k -f 'a,l[]' --columns='a:sum,l[]:count' lines
says 2 '--columns: sum is of numbers, and the field name has keys' \
    'a figure of numbers, merged from texts' gpuhist --merge --columns=name:sum \
    "$(gpuhist -q --csv -g city --columns=price:sum,name:mode --state=s data \
        >out; echo s)"

done_testing
