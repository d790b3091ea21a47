# SPDX-License-Identifier: MIT
# prom.sh -- --format=prom: keys as labels, groups of bins, --metric-type
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

# ---- golden outputs ----

# As gpuhist-format(5) has it.
cat >requests.csv <<'EOT'
path,status,time
/a,500,0.1
/a,500,3
"/b""\",200,2
,404,x
\N,200,1
EOT
cat >wanted <<'EOT'
# HELP requests_total Values, counted by gpuhist.
# TYPE requests_total counter
requests_total{path="",status="404"} 1
requests_total{path="/a",status="500"} 2
requests_total{path="/b\"\\",status="200"} 1
requests_total{path="\\\\N",status="200"} 1
# EOF
EOT
counts wanted 'groups are labels' gpuhist --csv -g path,status --format=prom \
    --metric=requests_total requests.csv

cat >wanted <<'EOT'
# HELP gpuhist_values Values, counted by gpuhist.
# TYPE gpuhist_values histogram
gpuhist_values_bucket{status="200",le="0.0"} 0
gpuhist_values_bucket{status="200",le="1.5"} 1
gpuhist_values_bucket{status="200",le="3.0"} 2
gpuhist_values_bucket{status="200",le="+Inf"} 2
gpuhist_values_sum{status="200"} NaN
gpuhist_values_count{status="200"} 2
gpuhist_values_bucket{status="404",le="0.0"} 0
gpuhist_values_bucket{status="404",le="1.5"} 0
gpuhist_values_bucket{status="404",le="3.0"} 0
gpuhist_values_bucket{status="404",le="+Inf"} 1
gpuhist_values_sum{status="404"} NaN
gpuhist_values_count{status="404"} 1
gpuhist_values_bucket{status="500",le="0.0"} 0
gpuhist_values_bucket{status="500",le="1.5"} 1
gpuhist_values_bucket{status="500",le="3.0"} 2
gpuhist_values_bucket{status="500",le="+Inf"} 2
gpuhist_values_sum{status="500"} NaN
gpuhist_values_count{status="500"} 2
# EOF
EOT
counts wanted 'bins with groups have equal buckets' gpuhist --csv -g status \
    -f time -b2 --range=0,3 --closed=right --format=prom requests.csv

cat >wanted <<'EOT'
# HELP t_seconds_count Values, counted by gpuhist.
# TYPE t_seconds_count gauge
t_seconds_count{status="200"} 2
t_seconds_count{status="404"} 0
t_seconds_count{status="500"} 2
# HELP t_seconds_mean Values, counted by gpuhist.
# TYPE t_seconds_mean gauge
t_seconds_mean{status="200"} 1.5
t_seconds_mean{status="404"} NaN
t_seconds_mean{status="500"} 1.55
# HELP t_seconds_p99_9 Values, counted by gpuhist.
# TYPE t_seconds_p99_9 gauge
t_seconds_p99_9{status="200"} 2
t_seconds_p99_9{status="404"} NaN
t_seconds_p99_9{status="500"} 3
# EOF
EOT
counts wanted 'each figure is a gauge' gpuhist -q --csv -g status -f time \
    --columns=count,mean,p99.9 --format=prom --metric=t_seconds requests.csv

cat >wanted <<'EOT'
# HELP m_p50 Values, counted by gpuhist.
# TYPE m_p50 gauge
m_p50{status="200"} 1
m_p50{status="\\other"} 0
# HELP m_p50_hi Values, counted by gpuhist.
# TYPE m_p50_hi gauge
m_p50_hi{status="200"} 2
m_p50_hi{status="\\other"} 1
# EOF
EOT
counts wanted 'figures of bins, and the line for others' gpuhist -q --csv \
    -g status -f time -b4 --range=0,4 --columns=p50 --top=1 --format=prom \
    --metric=m requests.csv
printf 'x,y\n-inf,inf\nnan,inf\n' >infinite.csv
is "$(gpuhist -q --csv -f x,y --columns=min,sd,nan --format=prom --metric=m \
    infinite.csv | grep -v '^#' | tr '\n' ' ')" \
    'm_min{field="x"} -Inf m_min{field="y"} +Inf m_sd{field="x"} NaN '\
'm_sd{field="y"} NaN m_nan{field="x"} 1 m_nan{field="y"} 0 ' \
    'infinities, and several fields'
is "$(gpuhist --csv -g path,status --columns=records --format=prom \
    requests.csv | sed -n '3s/.*{/{/p')" '{path="",status="404"} 1' \
    'records of groups without a field'
is "$(gpuhist --csv --joint -f path,status --top=1 --sort=count --format=prom \
    requests.csv | grep -v '^#')" 'gpuhist_values{path="/a",status="500"} 2
gpuhist_values{path="\\other",status="\\other"} 3' 'the most frequent pair'
is "$(gpuhist --csv -f path --min-count=2 --no-other --format=prom -q \
    requests.csv | grep -v '^#')" 'gpuhist_values{path="/a"} 2' 'frequent keys'

printf '\1\0\2\0\1\0\7\0' >pairs
is "$(gpuhist --record='<u2,<u2' -g1 --format=prom pairs | grep -v '^#')" \
    'gpuhist_values{value="1"} 2' 'a number of a group is a label'
is "$(gpuhist --record='<u2,<u2' -g1 -f2 -b2 --range=0,4 --closed=right \
    --format=prom pairs | sed -n '4,6p')" \
    'gpuhist_values_bucket{field1="1",le="2.0"} 1
gpuhist_values_bucket{field1="1",le="4.0"} 1
gpuhist_values_bucket{field1="1",le="+Inf"} 2' '... and of bins'

# type NAME OPTION...: the type of the metric of keys.
type_is()
{
    wanted=$1
    shift
    is "$(gpuhist -l --format=prom "$@" requests.csv |
        sed -n 's/^# TYPE [^ ]* //p')" "$wanted" "the type of $*"
}
type_is gauge --metric=requests
type_is counter --metric=requests_total
type_is gauge --metric=requests_total --metric-type=gauge
type_is counter --metric=requests --metric-type=counter

# label NAME OPTION...: the first label of the first sample.
label_is()
{
    wanted=$1
    shift
    is "$(gpuhist -q --format=prom "$@" |
        sed -n '3s/^[^{]*{\([^=]*\)=.*/\1/p')" "$wanted" "the label of $*"
}
printf '%s\n' 'a b,a-b,1st,ü,x_b_hex,t,field' '1,2,3,4,5,2026-01-02T03:04:05,7' \
    >names.csv
label_is line -l names.csv
label_is word --words names.csv
label_is field2 -d, -f2 names.csv
label_is fieldNF_1 -d, -fNF-1 names.csv
label_is a_b --csv -f 'a b' names.csv
label_is _1st --csv -f 1st names.csv
label_is _ --csv -f ü names.csv
label_is t_hour --csv -f t:hour names.csv
label_is field --csv -f field names.csv
printf '>a\nACGT\n' >fasta
label_is kmer --kmers=2 fasta
label_is base --seq -f base fasta

# ---- keys that are not there, or not text ----

printf 'x y\n\nx\n\\N y\n\\\\N \\other\n' >words
printf 'gpuhist_values{field1="%s",field2="%s"} 1\n' '\\N' '\\N' x '\\N' \
    x y '\\\\N' y '\\\\\\N' '\\\\other' | sort >wanted
gpuhist -W -g1,2 --format=prom words | grep -v '^#' | sort >out
same out wanted 'rows without a key, and keys that look so'
printf 'a\377\n' >bytes
is "$(gpuhist -l --format=prom bytes | sed -n 3p)" \
    'gpuhist_values{line_hex="61ff"} 1' 'a key that is not UTF-8'
printf 'a\nb' >newline
is "$(gpuhist -z -l --format=prom newline | sed -n 3p)" \
    'gpuhist_values{line="a\nb"} 1' 'a line feed'
is "$(gpuhist -l --format=prom </dev/null | grep -c '^[^#]')" 0 'no keys'

# ---- what is refused, by name ----

for name in 'a b,a-b' 'a-b,a b'; do
    refused 2 "-g $name" gpuhist --csv -g "$name" --format=prom names.csv
done
is "$(cat err)" "gpuhist: --format=prom: the label of field 'a b' would be a_b, \
which field 'a-b' may have, too" '... why'
printf 'le,__a,a,a_hex,field\n1,2,3,4,5\n' >names.csv
while read -r fields reason; do
    # shellcheck disable=SC2086 # several words
    refused 2 "$fields" gpuhist --csv $fields --format=prom names.csv
    is "$(cat err)" "gpuhist: --format=prom: the label of field $reason" '... why'
done <<'EOT'
-gle 'le' would be le, which is the label of buckets
-g__a '__a' would be __a, which Prometheus keeps for itself
EOT
is "$(gpuhist --csv -g a,a_hex --format=prom names.csv | sed -n 3p)" \
    'gpuhist_values{a="3",a_hex_2="4"} 1' 'a name that another key may have'
is "$(gpuhist --csv -g field -f a,le --range=0,9 -b1 --closed=right \
    --format=prom names.csv | sed -n 3p)" \
    'gpuhist_values_bucket{field="a",field_2="5",le="0.0"} 0' \
    'a name that several fields have'
long=n$(printf '%0127d' 0)
echo "$long" >long.csv
refused 2 'a long name' gpuhist --csv -f "$long" --format=prom long.csv
grep -q 'is too long for a label: at most 127 bytes$' err
ok $? '... why'
for options in '--metric-type=counter' '-f a -b2 --csv --closed=right' \
    '-l --spectrum' '-l --columns=count' '-l --percent' \
    '--csv -f a --dtype=num' '--csv -f a --metric-type=summary'; do
    # shellcheck disable=SC2086 # several words
    refused 2 "$options" gpuhist --format=prom --metric-type=gauge $options \
        names.csv
done
refused 2 '--metric-type of another format' gpuhist -l --metric-type=gauge \
    --format=csv names.csv
is "$(cat err)" 'gpuhist: --metric-type needs --format=prom' '... why'

for options in '-b4 --top=1' '-b4 --min-count=2' '-b4 --sort=count' \
    '--columns=mode --dtype=key' '--columns=count --header-out' \
    '--group-by=le --top-each=1' '-g le --pivot' '-b4 --joint'; do
    # shellcheck disable=SC2086 # several words
    refused 2 "$options" gpuhist --csv -f a --range=0,4 --closed=right \
        --format=prom $options names.csv
done

# ---- as other readers see it ----

python_checks "$srcdir/tests/cli/prom_oracle.py"
if command -v promtool >promtool-path; then
    gpuhist --csv -g path,status --format=prom --metric=requests_total \
        requests.csv | promtool check metrics >out 2>&1
    is "$? $(cat out)" '0 ' 'promtool: nothing to say about labels'
    gpuhist -q --csv -g status -f time --columns=mean,p99.9 --format=prom \
        --metric=time_seconds requests.csv | promtool check metrics >out 2>&1
    is "$? $(cat out)" '0 ' '... nor about figures'
else
    skip 'promtool: nothing to say about labels' 'no promtool'
    skip '... nor about figures' 'no promtool'
fi

done_testing
