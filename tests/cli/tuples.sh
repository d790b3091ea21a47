# SPDX-License-Identifier: MIT
# tuples.sh -- combinations of keys and numbers
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

cat >table.csv <<'END'
city,temp,wind
Oslo,3.5,1
Bonn,12,2
Bonn,39,3
Bonn,41,nan
Oslo,-1,x
Oslo,,5
Bonn,foo
Rome
Bonn,12.5,7
END

# ---- groups ----

prints 'Bonn 10 15 2
Bonn 35 40 1
Bonn 40 inf 1
Bonn \invalid \invalid 1
Oslo -inf 0 1
Oslo 0 5 1
Oslo \empty \empty 1
Rome \N \N 1' 'a histogram for each group, of the bins that occur' \
    --csv -g city -f temp --range=0,40 -b8 table.csv
prints 'Bonn 12 1
Bonn 12.5 1
Bonn 39 1
Bonn 41 1
Bonn \invalid 1
Oslo -1 1
Oslo 3.5 1
Oslo \empty 1
Rome \N 1' 'numbers without bins' --csv -g city -f temp --dtype=num table.csv
gpuhist --csv -f temp -b4 table.csv | cut -f 1,2 | head -n 4 >alone
gpuhist --csv -g city -f temp -b4 table.csv | cut -f 2,3 |
    grep -v -e inf -e '\\[Nei]' | sort -un >out
is "$(grep -vxcFf alone out)" 0 'all groups have the range of the field'
prints 'temp Bonn 0 16 2
temp Bonn 32 48 2
temp Bonn \invalid \invalid 1
temp Oslo -16 0 1
temp Oslo 0 16 1
temp Oslo \empty \empty 1
temp Rome \N \N 1
wind Bonn 2 4 2
wind Bonn 6 8 1
wind Bonn nan nan 1
wind Bonn \N \N 1
wind Oslo 0 2 1
wind Oslo 4 6 1
wind Oslo \invalid \invalid 1
wind Rome \N \N 1' 'several fields, each with its range' \
    --csv -g city -f temp,wind -b4 table.csv
prints 'temp Bonn 0 16 2
temp Bonn 32 48 2
temp Bonn \invalid \invalid 1
temp \other \other \other 4
wind Bonn 2 2 1
wind Bonn 3 3 1
wind Bonn 7 7 1
wind Bonn nan nan 1
wind Bonn \N \N 1
wind \other \other \other 4' '--top chooses groups, and a key has two columns' \
    --csv -g city -f temp,wind -b4 -b- --top=1 table.csv --dtype=num
is "$(gpuhist --csv -g city -f temp -b4 --format=csv table.csv)" \
    'city,temp_lo,temp_hi,count
Bonn,0,16,2
Bonn,32,48,2
Bonn,\invalid,\invalid,1
Oslo,-16,0,1
Oslo,0,16,1
Oslo,\empty,\empty,1
Rome,\N,\N,1' 'csv'
gpuhist --csv -g city -f temp --range=0,40 -b8 --format=json table.csv >json
python3 -c 'import json; json.load(open("json"))' &&
    grep -q '"rule":"even","bins":8,"lo":0,"hi":40' json && grep -qF \
    '{"city":"Oslo","lo":0,"hi":5,"count":1}],' json && grep -qF \
    '{"city":"Bonn","lo":40,"hi":"inf","flow":"overflow","count":1},' json &&
    grep -qF '{"city":"Rome","flow":"missing","count":1}],' json
ok $? 'json'
printf '      2 Bonn,0,16\n      2 Bonn,32,48\n' >wanted
printf '      1 Oslo,-16,0\n      1 Oslo,0,16\n' >>wanted
gpuhist --csv -g city -f temp -b4 --format=uniq table.csv >out 2>err
same out wanted 'uniq has no special rows'
is "$(cat err)" 'gpuhist: warning: 3 values are in no bin and not shown' \
    '... says so'
printf '3\n\nx\n' >few
is "$(gpuhist -l --dtype=int --format=uniq -q few)" '      1 3' \
    '... nor of numbers alone'

# ---- joint fields ----

prints '-16 0 Oslo 1
0 16 Bonn 2
0 16 Oslo 1
32 48 Bonn 2
\N \N Rome 1
\empty \empty Oslo 1
\invalid \invalid Bonn 1' 'a number with bins, then a key' \
    --csv -f temp,city --joint -b4 -b- table.csv
prints '-1 \invalid 1
3.5 1 1
12 2 1
12.5 7 1
39 3 1
41 nan 1
\N \N 1
\empty 5 1
\invalid \N 1' 'numbers without bins' --csv -f temp,wind --joint --dtype=num \
    table.csv
prints '-1 \invalid 1
3.5 1 1
\N \N 1
\invalid \N 1
\other \other 5' '... lines without any value are never left out' --csv \
    -f temp,wind --joint --dtype=num --top=2 --sort=count table.csv
prints '0 20 0 20 3
0 20 20 40 0
20 40 0 20 1
20 40 20 40 0' 'bins alone have all cells' \
    --csv -f temp,wind --joint -b2 --range=0,40 --flow=hide -q table.csv
prints '0 20 0 20 1
0 20 \invalid \invalid 1
20 40 0 20 1
\N \N \N \N 1' '--flow=clamp leaves what is no number' --csv -f temp,wind \
    --joint -b2 --range=0,40 --flow=clamp --nonzero - <<'END'
city,temp,wind
a,5,-3
b,-5,x
c,50,1
d
END
gpuhist --csv -f temp,wind --joint -b4 --plot=only table.csv >out
grep -q '^temp (num) by wind (num): 9 counted$' out &&
    grep -q '^ *missing ' out
ok $? '--plot draws them'
gpuhist --csv -f temp,wind --joint -b4 --svg=svg table.csv >/dev/null &&
    grep -q '<title>' svg
ok $? '--svg, too'

# ---- what makes no sense ----

says 1 "field city: none of 9 values is a number (the first is 'Oslo'); to count them as keys, use -g city" \
    'no value of a group is a number' \
    gpuhist --csv -g temp -f city -b4 table.csv
refused 1 '... of joint fields' gpuhist --csv -f temp,city --joint -b4 table.csv
says 2 'the fields of --group-by are keys: --dtype and the options for bins are for --fields' \
    'options for groups alone' gpuhist --csv -g city,temp -b4 table.csv
refused 2 '... --dtype' gpuhist --csv -g temp --dtype=int table.csv
refused 2 'as many options as --fields has' \
    gpuhist --csv -g city -f temp -b4 -b5 table.csv
for option in --stats --density --format=npy --format=prom \
    --flow=clamp --percentiles=50; do
    refused 2 "groups with bins: $option" \
        gpuhist --csv -g city -f temp -b4 $option table.csv
done

says 2 '--every with groups or keys beside bins needs --range=LO,HI or --edges' \
    'snapshots of groups whose range is not known' \
    gpuhist --csv -g city -f temp -b4 --every=1s --format=json table.csv

# ---- many: files, threads, chunks ----

awk 'BEGIN {
    srand(3)
    for (i = 0; i < 100000; i++)
        print int(rand() * 60000), exp(rand() * 9 * i / 100000), i % 97
}' >many
little='--memory-limit=3Mi --chunk-size=64Ki'
for options in '-g1 -f2 -b50' '-f2,1 --joint -b50 -b-' '-g3 -f2 -b1000' \
    '-g1 -f2,3 --dtype=num' '-f2,3 --joint -b20' '-f1,2 --joint --dtype=num'; do
    # shellcheck disable=SC2086 # several options
    gpuhist -W $options -j1 many >wanted
    # shellcheck disable=SC2086
    counts wanted "$options, by 4 threads" \
        gpuhist -W $options -j4 --chunk-size=5000 many
    # shellcheck disable=SC2086
    gpuhist -W $options -v $little many >out 2>err
    same out wanted '... in 3 MiB'
    case $options in
        *-b20 | -g3*) continue ;; # they fit
    esac
    grep -q 'keys beyond --memory-limit' err
    ok $? '... and files'
done

printf '%s\n' 1, 1, 1, ,1 ,1 >few.csv
prints '0 2 \empty \empty 3
\other \other \other \other 2' 'a row with one number is ranked' \
    --csv -f1,2 --joint -b2 --range=0,4 --top=1 few.csv
sed 's/\(.*\),\(.*\)/\2,\1/' few.csv >turned.csv
prints '\empty \empty 0 2 3
\other \other \other \other 2' '... the other one' \
    --csv -f1,2 --joint -b2 --range=0,4 --top=1 turned.csv

# ---- anything ----

python_checks "$srcdir/tests/cli/tuples_oracle.py"

done_testing
