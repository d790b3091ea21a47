# SPDX-License-Identifier: MIT
# many_keys.sh -- many distinct keys: sorted by several threads, and --top
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

LC_ALL=C
export LC_ALL

# 150,000 lines: most keys once, some twice, a few more often; two fields and a
# weight.  Many begin with the same bytes.
awk 'BEGIN {
    for (i = 0; i < 150000; i++) {
        key = i * 7919 % 120011
        if (i % 3 == 0)
            key = "https://www.example.com/items/" key % 40009
        if (i % 1000 == 0)
            key = "often" i % 7000
        printf "%s\t%d\t%d.%d\n", key, i % 11, i % 97 - 40, i % 10
    }
}' >lines
cut -f1 lines | sort | uniq -c >wanted

# The order of --top: by count, then by key.
sort -k1,1nr -k2 wanted | awk '{ print $2 "\t" $1 }' >ranked

for threads in 1 2 3 8; do
    gpuhist --tsv -f1 -j$threads --format=uniq lines >out
    same out wanted "$threads threads: as sort and uniq"
    for top in 1 10 100 50000; do
        gpuhist --tsv -f1 -j$threads --top=$top --no-other lines >out 2>/dev/null
        head -n $top ranked >first
        same out first "$threads threads: --top=$top"
    done
done
sed '$d' wanted >wrong
! cmp -s wrong wanted
ok $? 'a missing line would be seen'

gpuhist --tsv -f1 --top=10 lines >out
awk 'NR <= 10 { print; next } { rest += $2 } END { print "\\other\t" rest }' \
    ranked >first
same out first 'the others are in one row'
gpuhist --tsv -f1 --top=10 --min-count=20 lines >out
awk '$2 >= 20 && n++ < 10 { print; next } { rest += $2 }
     END { print "\\other\t" rest }' ranked >first
same out first '--min-count'
gpuhist --tsv -f1 --top=20 --sort=value --no-other lines >out 2>/dev/null
head -n 20 ranked | sort >first
same out first '--sort=value'
gpuhist --tsv -f1,2 --top=3 lines >out
{ awk 'NR <= 3 { print "1\t" $0; next } { rest += $2 }
       END { print "1\t\\other\t" rest }' ranked
  cut -f2 lines | sort | uniq -c | sort -k1,1nr -k2 |
      awk 'NR <= 3 { print "2\t" $2 "\t" $1; next } { rest += $1 }
           END { print "2\t\\other\t" rest }'; } >first
same out first 'two fields, one with few keys'

# Lines of many groups come from several threads; half of the rows are of three.
awk -F'\t' -v OFS='\t' 'NR % 2 { $1 = "items" NR % 3 } { print }' lines >grouped
sort -t'	' -k1,1 -k3,3n grouped | awk -F'\t' '
    function end_group() {
        text = sprintf("%.1f", sum / 10)
        sub(/\.0$/, "", text)
        if (n > 0)
            print key "\t" n "\t" text "\t" value[1] "\t" value[n] "\t" \
                value[int((n + 1) / 2)]
        n = sum = 0
    }
    $1 "" != key "" { end_group(); key = $1 }
    { value[++n] = $3 + 0; sum += int($3 * 10 + ($3 < 0 ? -0.5 : 0.5)) }
    END { end_group() }' >figures
for threads in 1 2 8; do
    gpuhist --tsv -g1 -f3 --columns=count,sum,min,max,p50 -j$threads grouped >out
    same out figures "$threads threads: figures of groups, as awk"
done
sort -t'	' -k6,6nr -k1,1 figures >by-p50
gpuhist --tsv -g1 -f3 --columns=count,sum,min,max,p50 --sort=p50 -j8 grouped >out
same out by-p50 '... in the order of a figure'
gpuhist --tsv -g1 -f3 --columns=count,p50 --format=json -j8 grouped |
    sed -n 's/^{"field1":"\([^"]*\)","count":\([0-9]*\),"p50":\([-0-9.]*\)}.*/\1	\2	\3/p' >out
cut -f1,2,6 figures >wanted
same out wanted '... as objects of JSON'

# Most k-mers do not occur, nor do the first ones.
for read in ACGTACGTTTGCAACGTCCAGTTGACCATGCATTTTTTTTTGGC TGTTTTGGTTTGTTTTGTTGGTGTGTTTTT; do
    awk -v read=$read 'BEGIN { for (i = 0; i < 2000; i++) print ">a\n" read }' >few.fa
    for order in value count; do
        gpuhist --seq --kmers=8 -g kmer --columns=count --sort=$order -j1 few.fa >wanted
        gpuhist --seq --kmers=8 -g kmer --columns=count --sort=$order -j8 few.fa >out
        same out wanted "8 threads: groups of which few occur, by $order"
    done
done

# Sums in tenths, which awk adds exactly; the lines have -0.5, too.
awk -F '\t' '{ t = $3; sub(/\./, "", t); sum[$1] += t }
             END { for (k in sum) print sum[k] "\t" k }' lines |
    sort -t '	' -k1,1nr -k2,2 >sums
gpuhist --tsv -f1 --weights=3 -j2 --top=10 --no-other lines 2>/dev/null |
    awk -F '\t' '{ printf "%s\t%.0f\n", $1, 10 * $2 }' >out
head -n 10 sums | awk -F '\t' '{ print $2 "\t" $1 }' >first
same out first 'the greatest sums of weights'
gpuhist --tsv -f1 --weights=3 --top=10 --min-count=7 --no-other lines \
    2>/dev/null | awk -F '\t' '{ printf "%s\t%.0f\n", $1, 10 * $2 }' >out
awk 'NR == FNR { count[$1] = $2; next } count[$2] >= 7' ranked sums |
    head -n 10 | awk -F '\t' '{ print $2 "\t" $1 }' >first
same out first '... of the keys that are not rare'

done_testing
