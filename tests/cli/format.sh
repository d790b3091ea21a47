# SPDX-License-Identifier: MIT
# format.sh -- formats, columns and the order of lines
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

printf 'aab,"\n\000\377 ' >few
: >empty

# ---- golden outputs ----

printf 'value,count\n\\x00,1\n\\n,1\n\\x20,1\n"""",1\n",",1\na,2\nb,1\n\\xff,1\n' \
    >wanted
counts wanted 'csv' gpuhist --format=csv --nonzero --labels=char few
counts wanted 'csv --header-out: the header is there once' \
    gpuhist --format=csv --nonzero --labels=char --header-out few

printf 'value\tcount\tcumulative\tpercent\na\t2\t2\t50\nb\t1\t3\t25\nother\t1\t4\t25\n' \
    >wanted
printf 'aabc' >abc
counts wanted '--top, with columns' gpuhist --top=2 --labels=char --percent \
    --cumulative --header-out abc
printf '97\t2\n99\t1\n98\t1\n' | sort -k2,2nr -k1,1n >wanted
counts wanted '--top=3: nothing is left over' gpuhist --top=3 abc
counts empty '--top of nothing' gpuhist --top=3 empty
printf '      2 97\n      1 98\n      1 99\n' >wanted
counts wanted 'uniq' gpuhist --format=uniq abc
printf '      2 97\n' >wanted
gpuhist --format=uniq --top=1 abc >out 2>err
same wanted out 'uniq --top: no row that is no line'
is "$(cat err)" 'gpuhist: warning: 2 values of other lines are not shown' \
    '... but a warning'
cat >wanted <<'EOT'
{"value":97,"count":2}
{"value":98,"count":1}
{"value":99,"count":1}
{"totals":[{"values":4,"in_bins":4}],"gpuhist":"VERSION","options":["--format=jsonl","--nonzero"],"inputs":["abc"],"bytes":4,"records":4}
EOT
version=$(gpuhist --version | sed -n 's/gpuhist //p')
sed -i "s/VERSION/$version/" wanted
counts wanted 'jsonl' "$GPUHIST" --format=jsonl --nonzero abc
cat >wanted <<'EOT'
{"gpuhist":"VERSION","options":["--format=json","-b2","--range=0,98"],"inputs":["abc"],"bytes":4,"records":4,"joint":false,
"histograms":[
{"axes":[{"field":1,"name":"value","type":"u1","rule":"even","bins":2,"lo":0,"hi":98,"closed":"left"}],
"bins":[
{"lo":0,"hi":49,"count":0},
{"lo":49,"hi":98,"count":2}],
"flow":[
{"lo":98,"hi":"inf","flow":"overflow","count":2}],
"totals":{"values":4,"in_bins":2}}]}
EOT
sed -i "s/VERSION/$version/" wanted
counts wanted 'json' "$GPUHIST" --format=json -b2 --range=0,98 abc
cat >wanted <<'EOT'
# HELP chars Values, counted by gpuhist.
# TYPE chars histogram
chars_bucket{le="97.0"} 2
chars_bucket{le="98.0"} 3
chars_bucket{le="99.0"} 4
chars_bucket{le="+Inf"} 4
chars_sum 391.0
chars_count 4
# EOF
EOT
counts wanted 'prom' gpuhist --format=prom --metric=chars --nonzero abc
# Prometheus compares reports: the buckets do not depend on the values.
for value in a b; do
    printf '%s000' $value | gpuhist --format=prom --dtype=u4 --log \
        --closed=right | sed -n 's/.*le="\([^"]*\)".*/\1/p' >buckets-$value
done
same buckets-a buckets-b 'prom: --log has the same buckets for other values'
is "$(wc -l <buckets-a)" 36 '... 0, 0.5, 1 to 2^32, and +Inf'
{
    printf '\223NUMPY\001\000v\000'
    printf "{'descr': '<u8', 'fortran_order': False, 'shape': (3, ), }%59s\n" ''
    printf '\002\0\0\0\0\0\0\0\001\0\0\0\0\0\0\0\001\0\0\0\0\0\0\0'
} >wanted
counts wanted 'npy' gpuhist --format=npy --range=97,100 abc
printf '\002\0\0\0\0\0\0\0\002\0\0\0\0\0\0\0' >wanted
gpuhist --format=npy -b2 --range=97,99 --flow=clamp abc | tail -c 16 |
    cmp -s - wanted
ok $? 'npy --flow=clamp'
gpuhist --format=npy --range=98,100 abc >out 2>err
is "$? $(cat err)" '0 gpuhist: warning: 2 values are in no bin and not shown' \
    'npy: values in no bin are not lost silently'
gpuhist --format=npy --range=98,100 --plot abc 2>err >out
is "$? $(grep warning err)" \
    '0 gpuhist: warning: 2 values are in no bin and not shown' \
    '... where bars are drawn, too, that show them'

# tsv is the default format.
gpuhist few >wanted
counts wanted '--format=tsv' gpuhist --format=json --format=tsv few
counts wanted '--sort=value, --labels=dec' gpuhist --sort=value --labels=dec few
sort -k2,2nr -k1,1n wanted >wanted-order
counts wanted-order '--sort=count, as sort(1) does' gpuhist --sort=count few

# What is sorted takes memory of its own; a few lines take none to speak of.
refused 2 '--sort=count beyond --memory-limit' gpuhist --dtype=u4 \
    --range=0,4194304 --sort=count --memory-limit=60M empty
counts empty '--top within --memory-limit' gpuhist --dtype=u4 \
    --range=0,4194304 --top=3 --memory-limit=60M empty

# ---- against uniq -c ----

noise 30000 >data
od -An -v -tu1 -w1 data | tr -d ' ' | sort -n | uniq -c >wanted
counts wanted 'uniq -c: bytes' gpuhist --format=uniq data
od -An -v -tu1 -w2 data | sed 's/^ *//; s/  */\t/' | sort -n -k1,1 -k2,2 |
    uniq -c >wanted
counts wanted 'uniq -c: pairs of bytes' \
    gpuhist --format=uniq --record=u1,u1 --joint data

# ---- other readers, in Python; for more see readers.sh ----

python_checks "$srcdir/tests/cli/format_oracle.py"

# ---- what the system does not take ----

if [ -w /dev/full ]; then
    for format in tsv csv md table json jsonl prom uniq npy; do
        gpuhist --format=$format data 2>err >/dev/full
        is "$? $(grep -c '^gpuhist: standard output: ' err)" '1 1' \
            "$format: a full disk"
    done
    gpuhist --stats=only data 2>err >/dev/full
    is "$? $(grep -c '^gpuhist: standard output: ' err)" '1 1' \
        '--stats=only: a full disk'
    gpuhist --stats data 2>err >/dev/full
    is "$? $(wc -l <err)" '1 1' '--stats: a full disk, and no statistics'
    # What was asked for is output, wherever it goes; what explains is not.
    for option in --stats --percentiles=50 --plot; do
        echo old >replaced
        gpuhist $option -o replaced data 2>/dev/full
        is "$? $(cat replaced)" '1 old' "$option: standard error is full"
    done
    gpuhist --explain data 2>/dev/full >out
    is "$? $(wc -l <out)" '0 256' '--explain: standard error is full'
else
    skip 'a full disk' 'no /dev/full'
fi

# A bad input: no histogram in any format, and no statistics.
for format in csv md table json jsonl prom uniq npy; do
    refused 1 "$format: a missing file" gpuhist --format=$format data missing
done
refused 1 '--stats: a missing file' gpuhist --stats data missing

# ---- what makes no sense is refused before anything is read ----

# A FIFO without a writer: a reader waits.
mkfifo fifo
exec 3<>fifo
gpuhist_seconds=20
while read -r line; do
    # shellcheck disable=SC2086 # several words
    refused 2 "$line" gpuhist $line <&3
done <<'EOT'
--format=xml
--format=
--format=TSV
--top=0
--top=-1
--top=1.5
--top=x
--sort=name
--labels=oct
--stats=all
--percentiles=
--percentiles=0
--percentiles=101
--percentiles=100.000000001
--percentiles=18446744074
--percentiles=100000000000000000000
--percentiles=50,
--percentiles=,50
--percentiles=5e1
--percentiles=-1
--percentiles=50,x
--percentiles=1.0000000001
--percentiles=.
--metric=x
--format=prom --metric=
--format=prom --metric=9a
--format=prom --metric=a-b
--format=prom --metric=a{
--format=prom -b2
--format=prom --dtype=f4 --range=0,1
--format=prom --dtype=f4 --range=0,1 --numpy
--format=prom --record=u1,u1 --joint
--format=prom --record=u1,u1 --weights=1
--format=prom --top=3
--format=prom --header-out
--format=prom --cumulative
--format=prom --labels=hex
--format=json --header-out
--format=jsonl --header-out
--format=uniq --header-out
--format=uniq --percent
--format=npy --nonzero
--format=npy --header-out
--format=npy --density
--format=npy --top=3
--format=npy --sort=count
--format=npy --labels=char
--format=npy --flow=show
--format=npy --record=u1,u1 -b2 -b3
--format=npy --image --lut
--labels=char --dtype=i1
--labels=hex --dtype=u2
--labels=char -b2
--labels=char --record=u1,u2
--stats --record=u1,u1 --joint
--stats --record=u1,u1 --weights=1
--percentiles=50 --record=u1,u1 --joint
--stats=only --format=json
--stats=only --nonzero
--stats=only --header-out
--stats=only --top=3
--stats=only --percent
--stats=only --labels=hex
--stats=only --flow=hide
EOT
exec 3<&-

done_testing
