# SPDX-License-Identifier: MIT
# stats.sh -- statistics and percentiles
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

printf aab >aab
cat >wanted <<'EOT'
values	3
outside	0
min	97
max	98
mean	97.33333333333333
sd	0.4714045207910317
mode	97
entropy	0.9182958340544896
chi-square	423.6666666666667
p-value	PVALUE
distinct	2
p50	97
p99.9	98
EOT
# Its last digits are libm's.
gpuhist --stats=only aab | awk '$1 == "p-value"' >p-value
awk '$2 < 1.58998e-10 || $2 > 1.58999e-10 || NF != 2 { bad = 1 }
    END { exit bad || NR != 1 }' p-value
ok $? 'the p-value of aab'
sed -i "s/PVALUE/$(cut -f 2 p-value)/" wanted
counts wanted '--stats=only' gpuhist --stats=only --percentiles=50,99.9 aab
gpuhist aab >table
gpuhist --stats --percentiles=50,99.9 aab >out 2>err
is $? 0 '--stats'
same out table '... the counts on standard output'
same err wanted '... the statistics on standard error'
gpuhist -q --percentiles=50,99.9 aab >out 2>err
tail -n 2 wanted | cmp -s - err && cmp -s out table
ok $? '--percentiles alone'
# Names of --columns, in their order; percentiles are such names.
gpuhist --stats=only,entropy,mean,n50,p50 --percentiles=99.9 aab >out
is "$(tr '\t\n' '  ' <out)" \
    'entropy 0.9182958340544896 mean 97.33333333333333 n50 97 p50 97 p99.9 98 ' \
    'figures by name'
gpuhist --stats=p50,p99.9 aab >out 2>err
gpuhist --percentiles=50,99.9 aab 2>wanted >table
cmp -s out table && cmp -s err wanted
ok $? '--percentiles is a list of names'
is "$(printf 'k\nb\nk\n\n' | gpuhist -l --stats=only,values,distinct,entropy | tr '\t\n' '  ')" \
    'values 4 distinct 3 entropy 1.5 ' 'figures of keys'
gpuhist -l --spectrum --stats=only,unique,total aab >out
is "$(tr '\t\n' '  ' <out)" 'unique 1 total 1 ' '... and of a spectrum'
while read -r name wanted; do
    refused 2 "--stats=$name" gpuhist --stats="$name" -b 4 aab
    is "$(cat err)" "gpuhist: --stats: $wanted" '... says why'
done <<'EOT'
entrpy there is no figure 'entrpy' (did you mean entropy?)
mean,avg there is no figure 'avg' (did you mean mean?)
onyl 'onyl' is not only, nor a figure: count, records, missing, empty, invalid, nan, distinct, min, max, sum, mean, sd, sample_sd, mode, median, q1, q3, iqr, values, outside, entropy, chi-square, p-value, serial, pi, unique, total and percentages, as p50, p99.9, n50 and l50
p101 'p101' has no percentage: a number above 0, up to 100, with up to 9 decimals
unique unique is how many keys occur once, of --spectrum (did you mean distinct?)
sum bins do not have the figure sum, only count, min, max, mode, percentiles, entropy and bounds of mean, sd and distinct; leave out the bins
EOT
# --top prints few numbers, and the figures are of all.
printf '%s\n' 5 9 9 1 7 7 7 3 >few
gpuhist -q -l --stats=only,min,max,mode,p50 few >wanted
gpuhist -q -l --top=1 --stats=min,max,mode,p50 few >out 2>err
same err wanted '--top leaves no number out of the figures'
printf 'k\n' >keys
says 2 '--stats: chi-square compares bins, as of --bins, with equal counts' 'no bins' \
    gpuhist -l --stats=chi-square keys
says 2 '--stats: mode: --columns=mode prints a key' 'a key' gpuhist -l --stats=mode keys

printf 'Zcx' | gpuhist --stats=only --percentiles=50 -b2 --range=90,110 |
    grep -v '^chi\|^p-\|^ent' >out
cat >wanted <<'EOT'
values	3
outside	1
min_lo	90
min_hi	100
max_lo	110
max_hi	inf
mean	100
mean_least	96.66666666666667
mean_most	inf
sd	7.0710678118654755
sd_least	0
sd_most	inf
mode_lo	90
mode_hi	100
distinct_least	2
distinct_most	3
p50_lo	90
p50_hi	100
EOT
same out wanted 'bounds have names of their own'
printf '\3\3\3\4' | gpuhist --stats=only --percentiles=50 --dtype=i1 -b6 --range=-6,6 |
    cut -f 1 | tr '\n' ' ' >out
is "$(cat out)" 'values outside min_lo min_hi max_lo max_hi mean mean_least mean_most sd sd_least sd_most mode_lo mode_hi entropy chi-square p-value distinct_least distinct_most p50_lo p50_hi ' \
    '... all of them'
printf '\3\3\3\4' >four
gpuhist --per-file --stats=only --percentiles=50 -b6 --range=-6,6 four >out
is "$(sed -n '1p' out | tr '\t' ' ')" 'file values outside min_lo min_hi max_lo max_hi mean mean_least mean_most sd sd_least sd_most mode_lo mode_hi entropy chi-square p-value distinct_least distinct_most p50_lo p50_hi' \
    '... as with --per-file'

printf '%s\n' 'a 5' 'a 500' 'a 600' 'a 700' 'a 7' 'a 12' 'b 300' 'b 12' >outer
bins='-W -b2 --range=0,20'
# shellcheck disable=SC2086
is "$(gpuhist $bins -f2 --stats=only,mode,p50,p20 outer | cut -f 2 | tr '\n' ' ')
$(gpuhist $bins -f2 --columns=mode,p50,p20 outer)
$(gpuhist $bins -g1 -f2 --columns=mode,count --top=1 --sort=count outer)
$(gpuhist -W -b2 --range=0,3 -g1 -f2 --columns=mode outer)" \
    '0 10 10 20 0 10 
0	10	10	20	0	10
a	0	10	6
\other	10	20	2
a	nan	nan
b	nan	nan' 'the mode is no value outside all bins, for groups either'

# ---- ent ----

# near NAME WANTED [FACTOR]: a figure, as far as ent prints it.
near()
{
    awk -v name="$1" -v wanted="$2" -v factor="${3:-1}" '
        $1 == name && NF == 2 {
            difference = $2 * factor - wanted
            found = difference * difference <= (factor == 1 ? 4e-12 : 4e-4)
        }
        END { exit !found }' figures
}

if command -v ent >ent-says; then
    noise 100000 >random
    head -c 3000 random >short
    head -c 256 random >tiny
    cat "$srcdir/src/cli/option_table.c" >text
    tr '\141-\172' '\200-\377' <text >shifted
    cat text random random random >mixed
    for file in random short tiny text shifted mixed; do
        gpuhist --stats=only $file >figures
        # 1,bytes,entropy,chi-square,mean,...
        ent -t $file | tail -n 1 | tr ',' ' ' >ent-says
        read -r _ bytes entropy chi_square mean _ <ent-says
        near values "$bytes" && near entropy "$entropy" &&
            near chi-square "$chi_square" && near mean "$mean"
        ok $? "ent -t: $file: $bytes $entropy $chi_square $mean"
        percent=$(ent $file |
            sed -n 's/^would exceed this value \(.*\) percent.*/\1/p')
        # Beyond its last decimal ent says "less than" or "more than".
        near p-value "${percent##* }" 100
        ok $? "ent: $file: $percent percent"
    done
else
    skip 'ent' 'no ent'
fi

printf 'a b\n' >pairs
for options in '-W -g1,2' '--record=u1,u1 -g1,2 --partial=drop'; do
    # shellcheck disable=SC2086 # several words
    refused 2 "figures of all records of groups: $options" \
        gpuhist --stats=only,distinct $options pairs
done
for option in --mod=3 --shift=1 --mask=1; do
    refused 2 "a series of other values: $option" gpuhist --columns=serial $option pairs
done

python_checks "$srcdir/tests/cli/stats_oracle.py"

done_testing
