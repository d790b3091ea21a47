# SPDX-License-Identifier: MIT
# columns.sh -- --columns: a line of figures for each group
# shellcheck shell=sh disable=SC2016,SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

python_checks "$srcdir/tests/cli/columns_oracle.py"

# prints WANTED NAME COMMAND...: it ends with 0 and prints the lines of WANTED,
# whose blanks are tabs; what it says is in the file "err".
prints()
{
    prints_wanted=$1
    prints_name=$2
    shift 2
    is "$("$@" 2>err; echo "status $?")" \
        "$(printf '%s\n' "$prints_wanted" | tr ' ' '\t'; echo 'status 0')" \
        "$prints_name"
}

printf '%s\n' a,1.5 b,2 a,0.1 a,0.2 b, b,foo c a,10 d,zz ,7 >data

# ---- what has no value is not lost ----

prints ' 1 7
a 4 11.8
b 1 2
c 0 0
d 0 0' 'a sum of decimals is exact' gpuhist -d, -g1 -f2 --columns=count,sum data
is "$(cat err)" 'gpuhist: warning: 4 records have no value for --columns: missing, empty, invalid or nan' \
    'what has no value is warned of'
prints ' 1 0 0 0
a 4 0 0 0
b 3 0 1 1
c 1 1 0 0
d 1 0 0 1' 'columns count what has no value' \
    gpuhist -d, -g1 -f2 --columns=records,missing,empty,invalid data
is "$(cat err)" '' '... and then there is no warning'
prints 'a 4 10
 1 7
\other 1 2' '--top has groups with the greatest counts, and a line for the rest' \
    gpuhist -q -d, -g1 -f2 --columns=count,max --top=2 data
prints ' 1 7
a 4 10' '--top with --sort=value' \
    gpuhist -q -d, -g1 -f2 --columns=count,max --top=2 --sort=value --no-other data

for option in top=2 sort=mean sort=count sort=value min-count=2 max-count=9; do
    is "$(gpuhist -d, -f2 --columns=mean "--$option" data 2>&1)" \
        "gpuhist: --${option%=*} is for groups, and --columns without --group-by prints one line, of all records" \
        "--$option without groups"
done

printf '%s\n' A,1 A,1 A,1 B,100 C,50 C,3 D, >prices
prints 'B 100 1
\other 50 5' '--top has the groups with the greatest first figure' \
    gpuhist -q -d, -g1 -f2 --columns=max,count --top=1 prices
prints 'B 100
C 53
\other 3' '--top has the greatest sums with --sort=sum' \
    gpuhist -q -d, -g1 -f2 --columns=sum --sort=sum --top=2 prices
prints 'C 26.5
A 1
\other 100' '... among the groups that --min-count leaves' \
    gpuhist -q -d, -g1 -f2 --columns=mean --sort=mean --top=2 --min-count=2 prices
prints 'A 3
\other 4' '... by a figure that is not printed' \
    gpuhist -q -d, -g1 -f2 --columns=count --sort=records --top=1 prices
prints 'A 1
C 3
\other 100' '... with keys in order the greatest counts' \
    gpuhist -q -d, -g1 -f2 --columns=min --sort=value --top=2 prices

printf '%s\n' 'a,' b,-7 c,0 d,1 >signs
prints 'd 1
c 0
b -7
a nan' 'an order by a figure that some group has not' \
    gpuhist -q -d, -g1 -f2 --dtype=int --columns=max --sort=max signs
prints 'd 1 2
c 0 1
b -inf 0
a nan nan' '... also of bins, where the least is below all of them' \
    gpuhist -q -d, -g1 -f2 --range=0,2 -b2 --columns=p50 --sort=p50 signs

# ---- the rest: figures of all values of the other groups ----

printf '%s\n' a,1 a,2 a,3 b,1 b,1 c,5 c,6 d,1 ',x' >others
prints 'a 3 2 3 3 1
\other 5 1 3 6 1' 'percentiles and different values of the rest' \
    gpuhist -q -d, -g1 -f2 --top=1 --columns=count,p50,distinct,p100,min others
prints 'a 3 2
b 2 1
\other 3 5' '... of what --min-count leaves out, too' \
    gpuhist -q -d, -g1 -f2 --top=2 --min-count=2 --columns=count,p50 others
prints 'a 3 2 4
\other 5 0 2' '... of bins' \
    gpuhist -q -d, -g1 -f2 --top=1 --columns=count,p50 --range=0,10 -b5 others
prints 'a 3
\other 4' '... of texts' \
    gpuhist -q -d, -g1 -f2 --top=1 --columns=distinct others
printf '%s\n' a,1 a,2 b,x >others
prints 'a 2 1 2
\other 0 nan 0' '... of no values' \
    gpuhist -q -d, -g1 -f2 --top=1 --columns=count,p50,distinct others

# ---- groups without a field: their records ----

prints ' 1
a 4
b 3
c 1
d 1' 'groups without a field' gpuhist -d, -g1 --columns=count data
prints 'field1 records
a 4
b 3
\other 3' '... ranked' \
    gpuhist -q -d, -g1 --columns=records --top=2 --header-out data
prints 'a 0.1 \N 1
\N \N 2' '... combinations' \
    sh -c 'printf "a,0.1\nx\n" | "$GPUHIST" -d, -g1,2,3 --columns=count | sed 1q
           printf "a,0.1\nx\n" | "$GPUHIST" -d, -g3,4 --columns=count'
gpuhist -d, -g1 --columns=count --state=groups data >lost
prints 'a 4
b 3
 1
c 1
d 1' '... of a state' gpuhist --merge --columns=count --sort=count groups
refused 2 '... which has no sums' gpuhist --merge --columns=sum groups
is "$(gpuhist -d, -g1 --columns=count --format=json data |
    sed -n '/"groups"/,$p' | tr -d '\n')" \
    '"groups":[{"field1":"","count":1},{"field1":"a","count":4},{"field1":"b","count":3},{"field1":"c","count":1},{"field1":"d","count":1}]}]}' \
    '... as JSON'

# ---- the number of lines of each input ----

printf 'x\ny\nx\n' >few
printf 'data\t10\t10\nfew\t3\t2\n' >wanted
counts wanted 'lines and different lines of each input' \
    gpuhist -l --columns=records,distinct --per-file data few
for file in data few; do
    echo "$file $(wc -l <$file) $(sort -u $file | wc -l)"
done | awk '{ print $1 "\t" $2 "\t" $3 }' >again
same again wanted '... as wc and sort -u say'

# ---- bins ----

prints 'a 4 0 2 10 inf 0 2' 'percentiles of bins are their edges' \
    gpuhist -q -d, -g1 -f2 --columns=count,p50,max,p75 --range=0,10 -b5 --top=1 --no-other data
prints '6 0 2 10 inf' 'without groups, too' \
    gpuhist -q -d, -f2 --columns=count,p50,max --range=0,10 -b5 data

# ---- inputs of nothing ----

prints '0 0 nan nan' 'nothing has one line' \
    gpuhist -l --columns=count,sum,mean,p50 /dev/null
counts /dev/null 'no groups have none' gpuhist -d, -g1 -f2 --columns=count,p50 /dev/null

# ---- numbers with many digits ----

awk 'BEGIN { for (i = 0; i < 100000; i++) printf "9"; print ""; print "1e300"
             printf "0."; for (i = 0; i < 1000; i++) printf "3"; print "" }' >long
prints '3 2 1' 'what no type holds is invalid' gpuhist -l --columns=records,count,invalid long
says 1 'field 1: 1e+300 has more than 38 digits before or after its decimal point, so sum, mean and sd would not be exact' \
    'a sum that would not be exact' gpuhist -l --columns=sum long
prints '0.3333333333333333 1e+300' '... but such numbers have an order' \
    gpuhist -q -l --columns=min,max long
prints '0.3333333333333333 1e+300' '... a state has them' \
    sh -c '"$GPUHIST" -q -l --columns=min,max --state=s long >/dev/null && "$GPUHIST" -q --merge --columns=min,max s'
refused 1 '... and their sum is refused, too' gpuhist -q --merge --columns=sum s

# ---- sequences ----

awk 'BEGIN { for (r = 0; r < 50; r++) {
    s = q = ""
    for (i = 0; i < 1 + r * 7 % 23; i++) {
        s = s substr("ACGT", 1 + (r * i + r) % 4, 1)
        q = q sprintf("%c", 33 + (r * r + i) % 40) }
    printf "@r%d\n%s\n+\n%s\n", r, s, q } }' >reads.fq
awk 'BEGIN { for (i = 33; i < 127; i++) of[sprintf("%c", i)] = i - 33 }
    NR % 4 == 2 { s = $0 }
    NR % 4 == 0 { for (i = 1; i <= length(s); i++) print substr(s, i, 1) ";" of[substr($0, i, 1)] }' \
    reads.fq >bases
gpuhist -d';' -g1 -f2 --columns=count,distinct,sum,p50,max --dtype=int bases >wanted
counts wanted 'qualities by base' \
    gpuhist --seq -g base -f quality --columns=count,distinct,sum,p50,max reads.fq
awk 'NR % 4 == 2 && length > 10 { print length }' reads.fq >lengths
gpuhist -l --columns=count,mean,sd,p90 lengths >wanted
counts wanted 'lengths of some' gpuhist --seq -f length --where='length>10' \
    --columns=count,mean,sd,p90 reads.fq

# ---- n50: half of the sum is reached from the greatest value down ----

awk 'NR % 4 == 2 { print length }' reads.fq | sort -rn >descending
awk '{ half += $1 / 2; length_of[NR] = $1 }
    END { for (i = 1; (sum += length_of[i]) < half; i++) {} print length_of[i] }' \
    descending >wanted
counts wanted 'n50 of reads' gpuhist --seq -f length --columns=n50 reads.fq
printf '%s\n' a,1 a,2 a,3 b,0 b,0 c,4 c,-1 d,inf d,1 e,0.5 f, >halves
prints 'a 3 3
b 0 0
c nan 4
d nan inf
e 0.5 0.5
f nan nan' 'n50 of zeros; none of negative and infinite values' \
    gpuhist -q -d, -g1 -f2 --columns=n50,max halves
prints 'a 3
e 0.5
\other 0' '... groups in its order, and the rest' \
    sh -c 'grep "[abe]" halves | "$GPUHIST" -q -d, -g1 -f2 --columns=n50 --sort=n50 --top=2'
says 2 '--columns: n50 is of numbers, and the field base has keys; -f length has lengths' \
    'n50 of keys' \
    gpuhist --seq -f base --columns=n50 reads.fq
says 2 '--columns: bins do not have the figure n50, only count, min, max, mode, percentiles, entropy and bounds of mean, sd and distinct; leave out the bins' \
    'n50 of bins' gpuhist -d, -f2 -b5 --range=0,9 --columns=n50 data

# ---- quartiles, the most frequent value, all words ----

printf '%s\n' a,1 a,2 a,2 a,10 b,5 b,inf c, >quartiles
prints 'a 2 1.75 2 4 2.25 1
b 5 inf inf inf nan nan
c nan nan nan nan nan nan' 'quartiles between values, and infinities' \
    gpuhist -q -d, -g1 -f2 --columns=mode,q1,median,q3,iqr,l50 quartiles
printf '%s\n' 'a,x\y' a,y 'a,x\y' b,q c >modes
prints 'a x\y 2
b q 1
c \N 0' 'the mode of texts' gpuhist -q -d, -g1 -f2 --columns=mode,distinct modes
is "$(gpuhist -q -d, -g1 -f2 --columns=mode --format=jsonl modes | head -3 | tr '\n' ' ')" \
    '{"field1":"a","mode":"x\\y"} {"field1":"b","mode":"q"} {"field1":"c","mode":null} ' \
    '... in JSON'
is "$(gpuhist -q -d, -g1 -f2 --columns=mode --format=md modes | tail -n +3)" \
    "$(printf '%s\n' '| a | x\\y |' '| b | q |' '| c | \\N |')" '... in Markdown'
prints 'a y 2
\other q 3' '... of the groups left out' \
    sh -c 'printf "%s\n" a,y a,y b,q c,q c,z | "$GPUHIST" -q -d, -g1 -f2 --columns=mode,count --top=1'
prints '2 10' 'the mode of bins has edges' \
    sh -c '"$GPUHIST" -q -d, -f2 -b2 --range=2,18 --columns=mode quartiles'
says 2 '--sort=mode is of numbers, and the field 2 has keys' 'texts by their mode' \
    gpuhist -d, -g1 -f2 --columns=count --sort=mode modes
prints '6 1 2' 'all words' sh -c '"$GPUHIST" -q -d, -f2 --columns=all quartiles | cut -f1,8,14'

# ---- figures of all values, and of bins ----

# figures_of OPTIONS...: --columns prints what --stats prints.
figures_of()
{
    gpuhist -q "$@" --stats=only,mean,sd,distinct,entropy,values,outside >lines
    gpuhist -q "$@" --columns=mean,sd,distinct,entropy,values,outside --header-out >out
    awk -F '\t' 'NR == 1 { n = split($0, name); next }
        { split($0, cell); for (i = 1; i <= n; i++) print name[i] "\t" cell[i] }' out |
        awk -F '\t' '$2 != ""' >turned
    # A bound that is the figure itself has no line of --stats.
    cmp -s lines turned
    ok $? "the figures of --stats: $*"
}
head -c 4096 "$GPUHIST" >bytes
figures_of bytes
figures_of -b 16 bytes
figures_of --dtype=u2 --log bytes
figures_of -d, -f2 -b3 --range=2,18 --chunk-size=4096 quartiles
figures_of -d, -f2 --dtype=num --threads=3 data
gpuhist bytes | awk '$2 { n += $2; s += $2 * log($2); q += $2 * $2 }
    END { printf "%.9f %.6f\n", (log(n) - s / n) / log(2), q * 256 / n - n }' >wanted
is "$(gpuhist --columns=entropy,chi-square bytes | awk '{ printf "%.9f %.6f\n", $1, $2 }')" \
    "$(cat wanted)" 'entropy and chi-square as awk has them'
gpuhist --columns=entropy,p-value,mean bytes >wanted
gpuhist --shard=1/2 --format=state bytes >first
gpuhist --shard=2/2 --format=state bytes >second
counts wanted '... of shards' gpuhist --merge --columns=entropy,p-value,mean first second
prints '1.5 4 3' 'of keys' sh -c 'printf "k\nb\nk\n\n" | "$GPUHIST" -l --columns=entropy,values,distinct'
is "$(printf 'k\nb\nk\n\n' | gpuhist -l --spectrum --columns=unique,total,max,p50 --format=jsonl |
    head -n 1)" '{"unique":2,"total":4,"max":2,"p50":1}' 'of a spectrum'
is "$(gpuhist -b 4 --columns=mean,distinct --format=jsonl bytes | head -n 1 | sed 's/:[^,}]*//g')" \
    '{"mean","mean_least","mean_most","distinct_least","distinct_most"}' 'names of bounds'
says 2 '--columns: entropy is of all records: no --group-by' 'a figure of groups' \
    gpuhist -d, -g1 -f2 --columns=entropy data
says 2 '--columns: bins do not have the figure mean, only count, min, max, mode and percentiles; leave out the bins' \
    'a mean of bins in groups' gpuhist -d, -g1 -f2 -b4 --range=0,9 --columns=mean data
says 2 '--columns: mean is no figure of a spectrum, only unique, distinct, total, max and percentiles' \
    'no mean of a spectrum' gpuhist -l --spectrum --columns=mean data

# ---- refused ----

says 2 "--columns: there is no figure 'cuont' (did you mean count?)" \
    'a name that is nearly right' gpuhist -l --columns=cuont data
for name in avg:mean stddev:sd average:mean entrpy:entropy; do
    says 2 "--columns: there is no figure '${name%:*}' (did you mean ${name#*:}?)" \
        "$name" gpuhist -l --columns="${name%:*}" data
done
for name in p101 p0 n0 l100.5; do
    says 2 "--columns: '$name' has no percentage: a number above 0, up to 100, with up to 9 decimals" \
        "a percentage that is none: $name" gpuhist -l --columns=$name data
done
refused 2 'no name' gpuhist -l --columns= data
refused 2 'an empty name' gpuhist -l --columns=count,,sum data
refused 2 'too many' gpuhist -l --columns="$(yes p1 | head -n 65 | paste -sd,)" data
says 1 "field 1: none of 10 values is a number (the first is 'a'); to count them as keys, use -g 1" \
    'figures of numbers of a text' gpuhist -d, -f1 --columns=p50 data
for options in --columns=sum --columns=count,distinct \
    '--columns=count --sort=p50'; do
    # shellcheck disable=SC2086
    says 2 '--columns needs --fields: the field in each group that the figures are of; without it there are only count and records' \
        "groups without a field: $options" gpuhist -d, -g1 $options data
done
refused 2 'bins do not have' gpuhist --dtype=u1 --range=0,9 --columns=sum data
for option in --format=uniq --format=state --format=npy --stats --percentiles=50 \
    --plot --svg=x --cumulative --percent --joint --weights=2 --flow=show; do
    refused 2 "$option" gpuhist -d, -g1 -f2 --columns=count "$option" data
done
refused 2 'bins have no sum' gpuhist -d, -g1 -f2 --columns=sum -b4 data
refused 2 'an order by a figure without --columns' gpuhist -l --sort=p99 data
gpuhist -q -d, -g1 -f2 --state=keys data >/dev/null
refused 2 'keys of a state have no percentiles' gpuhist --merge --columns=p50 keys
prints 'a 4 4
b 3 3
 1 1
d 1 1
c 0 0' '... but counts' gpuhist -q --merge --columns=count,distinct --sort=count keys

# ---- other programs agree ----

awk 'BEGIN { for (i = 0; i < 3000; i++) {
    s = (s * 69069 + 1) % 4294967296; t = (t * 1103515245 + 12345) % 2147483648
    printf "n%d\t%d\n", int(s / 65536) % 7, int(t / 65536) % 997 } }' >pairs
gpuhist --tsv -g1 -f2 --columns=count,sum,min,max,mean,sd,sample_sd,distinct pairs >got
if command -v datamash >path; then
    datamash -s --format=%.9g -g1 count 2 sum 2 min 2 max 2 mean 2 pstdev 2 \
        sstdev 2 countunique 2 <pairs >wanted
    awk -F '\t' 'BEGIN { OFS = "\t" } { for (i = 2; i <= NF; i++)
        $i = sprintf("%.9g", $i); print }' got >rounded
    same rounded wanted 'datamash has the same figures'
else
    skip 'datamash has the same figures' 'datamash is not installed'
fi
if command -v mlr >path; then
    mlr --inidx --ifs tab --onidx --ofs tab stats1 -a count,sum,min,max \
        -f 2 -g 1 pairs | sort >wanted
    cut -f1-5 got >some
    same some wanted 'Miller has the same figures'
    mlr --inidx --ifs tab --onidx --ofs tab stats1 -a sum,mean -f 2 -g 1 \
        'then' sort -nr 2_mean 'then' head -n 3 pairs >wanted
    gpuhist -q --tsv -g1 -f2 --columns=sum,mean --sort=mean --top=3 --no-other \
        pairs >got
    same got wanted '... and the same groups with the greatest means'
else
    skip 'Miller has the same figures' 'mlr is not installed'
fi
if python3 -c 'import duckdb' 2>/dev/null; then
    gpuhist --tsv -g1 -f2 --columns=count,sum,p50,p99,distinct pairs >got
    python3 -c '
import duckdb
for row in duckdb.sql("""select column0, count(*), sum(column1),
    quantile_disc(column1, 0.5), quantile_disc(column1, 0.99),
    count(distinct column1) from read_csv("pairs", header=false)
    group by 1 order by 1""").fetchall():
    print(*row, sep="\t")' >wanted
    same got wanted 'DuckDB has the same percentiles'
else
    skip 'DuckDB has the same percentiles' 'duckdb is not installed'
fi

# ---- jobs ----

# Percentiles of a latency behind the usual fields, by path.
awk 'BEGIN { for (i = 0; i < 999; i++)
    printf "10.0.0.%d - - [22/Nov/2026:08:%02d:01 +0000] \"GET /p%d?q=%d HTTP/1.1\" 200 17 \"-\" \"a b\" 0.%03d\n", \
        i % 9, i % 60, i % 3, i, (i * 7919) % 1000 }' >access.log
for p in 0 1 2; do
    awk -v p="$p" 'NR % 3 == (p + 1) % 3 { print $NF + 0 }' access.log | sort -g >took
    printf '/p%d\t333\t%s\t%s\n' "$p" "$(sed -n 167p took)" "$(sed -n 330p took)"
done >wanted
gpuhist --clf -g path -f +1 --columns=count,p50,p99 access.log >got
same got wanted 'percentiles of a latency, by path'
tail -n 1 wanted >last
gpuhist --clf -g path -f +1 --columns=count,p50,p99 --top=3 --sort=p99 access.log |
    cut -f4 | sort -rgc 2>/dev/null
ok $? '... the slowest first'

# The busiest paths of failed requests, and their number per minute.
awk '{ $9 = NR % 7 < 2 ? 500 + NR % 4 : 200 + NR % 205; print }' access.log >failed.log
awk '$9 >= 500 { sub(/\?.*/, "", $7); print $7 }' failed.log | sort | uniq -c |
    sort -k1,1nr -k2,2 | head -n 2 | awk '{ print $2 "\t" $1 }' >wanted
gpuhist --clf -f path --where='status>=500' --top=2 --no-other -q failed.log >got
same got wanted 'paths that failed most often'
awk '$9 >= 500 { print "2026-11-22T" substr($4, 14, 5) }' failed.log | sort |
    uniq -c | awk '{ print $2 "\t" $1 }' >wanted
gpuhist --clf -f minute --where='status>=500' failed.log >got
same got wanted 'failures per minute'

# Different users a day, of lines of JSON.
awk 'BEGIN { for (i = 0; i < 500; i++)
    printf "{\"day\":\"2026-11-%02d\",\"user\":{\"id\":\"u%d\"}}\n", i % 3 + 1, (i * i) % 37 }' >events
sed 's/.*"\(2026-[^"]*\)".*"\(u[0-9]*\)".*/\1\t\2/' events | sort -u | cut -f1 |
    uniq -c | awk '{ print $2 "\t" $1 }' >wanted
gpuhist --jsonl -g day -f user.id --columns=distinct events >got
same got wanted 'different users a day'

# Figures by name, of lines of a name and a number.
awk 'BEGIN { for (i = 0; i < 2000; i++)
    printf "S%02d;%s%d.%d\n", i % 13, i % 5 ? "" : "-", i % 41, i % 10 }' >names
awk -F ';' 'BEGIN { OFS = "\t" }
    { n[$1]++; s[$1] += $2 * 10
      if (n[$1] == 1 || $2 * 10 < lo[$1]) lo[$1] = $2 * 10
      if (n[$1] == 1 || $2 * 10 > hi[$1]) hi[$1] = $2 * 10 }
    END { for (k in n) print k, n[k], s[k] / 10, lo[k] / 10, hi[k] / 10 }' names |
    sort >wanted
gpuhist -d ';' -g1 -f2 --columns=count,sum,min,max names >got
same got wanted 'figures by name'

# Sums beyond 2^63 in units of 10^-9, of addends far below that.
awk 'BEGIN { for (i = 0; i < 12000; i++) {
    print "A;999999.5"; print "B;-999999.5"; printf "C;%d.5\n", 999000 + i % 1000 }
    print "A;0.5"; print "B;0.5" }' >large
awk -F ';' '{ n[$1]++; s[$1] += $2 }
    END { for (k in n) printf "%s\t%d\t%.1f\n", k, n[k], s[k] }' large |
    sed 's/[.]0$//' | sort >wanted
gpuhist -d ';' -g1 -f2 --columns=count,sum large >got
same got wanted 'large sums of short numbers'

# Figures of all records: of numbers that are short, and of others.
awk 'BEGIN { for (i = 0; i < 3001; i++) {
    n = i % 3 ? i % 997 + i % 99 * 1000003 : -9000000 - i
    print "a;" (i % 50 == 7 ? "12ms" : i % 70 == 8 ? 123456789012 : n) } }' >far
for file in names far; do
    awk -F ';' 'BEGIN { OFS = "\t" } $2 !~ /m/ { x = $2 * 10; n++; s += x
          if (n == 1 || x < lo) lo = x; if (n == 1 || x > hi) hi = x }
        END { printf "%d\t%.1f\t%.1f\t%.1f\n", n, s / 10, lo / 10, hi / 10 }' $file |
        sed 's/[.]0\>//g' >wanted
    gpuhist -q -d ';' -f2 --columns=count,sum,min,max $file >got
    same got wanted "figures of all records: $file"
done

done_testing
