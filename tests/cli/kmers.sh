# SPDX-License-Identifier: MIT
# kmers.sh -- --kmers, beside awk
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

# kmers_of K CANONICAL: the k-mers of standard input, a sequence a line.
kmers_of() {
    awk -v k="$1" -v canonical="$2" '
        BEGIN { comp["A"] = "T"; comp["C"] = "G"; comp["G"] = "C"
                comp["T"] = "A" }
        { line = toupper($0)
          for (i = 1; i + k - 1 <= length(line); i++) {
              kmer = substr(line, i, k)
              if (kmer ~ /[^ACGT]/) { broken++; continue }
              if (canonical) {
                  other = ""
                  for (b = k; b > 0; b--) other = other comp[substr(kmer, b, 1)]
                  if (other < kmer) kmer = other
              }
              count[kmer]++ } }
        END { for (kmer in count) print kmer "\t" count[kmer]
              if (broken) print "~\t" broken }' |
        LC_ALL=C sort | sed 's/^~/\\invalid/'
}

awk 'BEGIN { srand(3); for (r = 0; r < 120; r++) {
                 letters = r % 3 ? "ACGTacgt" : "ACGTNu-"; s = ""
                 length_of = r % 4 ? 90 : r % 40
                 for (i = 0; i < length_of; i++)
                     s = s substr(letters, 1 + int(rand() * length(letters)), 1)
                 print r % 10 ? s : "" } }' >sequences
printf 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\nACGTACGTACGTACGT\n' \
    >>sequences
# Lines of 23 bases, with CR LF; and FASTQ.
awk '{ printf ">%d\r\n", NR
       for (i = 1; i <= length($0); i += 23)
           printf "%s\r\n", substr($0, i, 23) }' sequences >reads.fa
awk '{ printf "@%d\n%s\n+\n", NR, $0; gsub(/./, "@"); print }' sequences \
    >reads.fq

for k in 1 2 7 10 11 13 14 21 32; do
    for canonical in '' --canonical; do
        kmers_of $k "${canonical:+1}" <sequences >wanted
        counts wanted "FASTA, K = $k $canonical" \
            gpuhist --kmers=$k $canonical reads.fa
        counts wanted "FASTQ, K = $k $canonical" \
            gpuhist --kmers=$k $canonical reads.fq
    done
    gpuhist --kmers=$k --joint -f kmer,position reads.fa |
        awk -F '\t' '{ count[$1] += $3 }
            END { for (kmer in count) print kmer "\t" count[kmer] }' |
        sed 's/^\\invalid/~/' | LC_ALL=C sort | sed 's/^~/\\invalid/' >out
    gpuhist --kmers=$k reads.fa | cmp -s - out
    ok $? "K = $k: by position, they are as many"
done

printf '>a\nTTTTTTTTACGTN\n' >last.fa
# With little memory there are no cells for all 4^K k-mers, and at the end of
# longer input cells of 8 bits: what is printed is the same.
{
    cat reads.fa
    awk 'BEGIN { srand(5); for (r = 0; r < 400; r++) {
                     s = ""; print ">" r
                     for (i = 0; i < 500; i++)
                         s = s substr("ACGT", 1 + int(rand() * 4), 1)
                     print s } }'
    awk 'BEGIN { for (r = 0; r < 60; r++)
                     print ">" r "\nAAAAAAAAAAAAAAAAAAAAACACACACACACACACACAC" }'
} >many.fa
for options in '' --canonical --spectrum '--format=json' '--top=3 --format=md' \
    '--sort=count' '--min-count=2 --percent --cumulative' '--flow=show' \
    '--per-file' '--every=30K --format=json --top=50' '--plot=only --top=5' \
    '-f kmer -f kmer,length' '--format=csv' '--min-count=300'; do
    for limit in 300M 40M 12M; do
        # shellcheck disable=SC2086 # several words
        gpuhist --kmers=11 $options --threads=2 --memory-limit=$limit \
            many.fa last.fa | sed 's/"options":[^]]*]//' >"out-$limit"
    done
    same out-40M out-300M "less memory, no cells $options"
    same out-12M out-300M "... and little $options"
done
gpuhist --kmers=13 many.fa >wanted
counts wanted '13 bases' gpuhist --kmers=13 --memory-limit=60M many.fa
gpuhist --kmers=12 many.fa >wanted
counts wanted '12 bases, with cells in the end' \
    gpuhist --kmers=12 --memory-limit=100M many.fa
for limit in 2G 40M; do
    gpuhist --kmers=12 --every=150K --reset --format=json --top=50 \
        --memory-limit=$limit many.fa | sed 's/"options":[^]]*]//' >"out-$limit"
done
same out-40M out-2G '... between snapshots'
# The lines of all k-mers, and of their cells in groups.
for k in 3 5; do
    gpuhist --kmers=$k many.fa >some
    awk -v k=$k '
        FNR == NR { count[$1] = $2; next }
        function put(kmer, left, i) {
            if (left == 0) {
                print kmer "\t" 0 + count[kmer]
                return
            }
            for (i = 1; i <= 4; i++) put(kmer substr("ACGT", i, 1), left - 1)
        }
        END { put("", k) }' some >wanted
    grep '^.invalid' some >>wanted
    counts wanted "all k-mers of $k bases" gpuhist --kmers=$k --full many.fa
done
refused 2 'all k-mers need their cells' \
    gpuhist --kmers=11 --full --memory-limit=40M many.fa

# A k-mer is the same beside other fields, whatever they are.
printf '>name\nTTacNgggTT\n' >cases.fa
cat >wanted <<'END'
kmer,name	GGG	na	1
kmer,name	GGT	na	1
kmer,name	GTT	na	1
kmer,name	TAC	na	1
kmer,name	TTA	na	1
kmer,name	\invalid	na	3
base	N	1
base	T	4
base	a	1
base	c	1
base	g	3
END
counts wanted 'k-mers of lower case, beside a name that is cut' \
    gpuhist --kmers=3 --joint -f kmer,name -f base --keep-case --prefix=2 \
    cases.fa
# The first k-mer of all and the last one; a table that is moved to the rows of
# one file has none of the counts of the next one.
printf '>b\nAAAAAAAA\n' >first.fa
kmers_of 6 '' >wanted <<'END'
TTTTTTTTACGTN
END
sed 's/^/last.fa\t/' wanted >both
printf 'first.fa\tAAAAAA\t3\n' >>both
counts both "a table for each file" \
    gpuhist --kmers=6 --per-file last.fa first.fa
# The first k-mers of each file are a list, until there are too many; so are
# those before a snapshot.
awk 'BEGIN { srand(9); for (r = 0; r < 90; r++) {
                 s = ""; print ">" r
                 for (i = 0; i < 70; i++)
                     s = s substr("ACGT", 1 + int(rand() * 4), 1)
                 print s s } }' >large.fa
head -n 40 large.fa >small.fa
grep -v '>' large.fa >large
grep -v '>' small.fa >small
for k in 9 12; do
    for file in small large last small large; do
        if [ $file = last ]; then
            echo TTTTTTTTACGTN
        else
            cat $file
        fi | kmers_of $k '' | sed "s/^/$file.fa\t/"
    done >wanted
    counts wanted "few and many k-mers of $k bases, file by file" \
        gpuhist --kmers=$k --per-file small.fa large.fa last.fa small.fa \
        large.fa
    counts wanted '... with a small chunk' \
        gpuhist --kmers=$k --per-file --chunk-size=64K --threads=2 small.fa \
        large.fa last.fa small.fa large.fa
    for options in --reset --spectrum '--sort=count'; do
        for limit in 2G 20M; do
            # shellcheck disable=SC2086 # several words
            gpuhist --kmers=$k --every=2K --format=json $options \
                --memory-limit=$limit large.fa small.fa large.fa |
                sed 's/"options":[^]]*]//' >"out-$limit"
        done
        same out-20M out-2G "... between snapshots, $options"
    done
done
# 4^13 cells for each file would take a tenth of a second.
yes last.fa | head -n 300 | tr '\n' '\0' >names
kmers_of 13 '' <<'END' | sed 's/^/last.fa\t/' >once
TTTTTTTTACGTN
END
awk '{ line[NR] = $0 }
    END { for (n = 0; n < 300; n++) for (i = 1; i <= NR; i++) print line[i] }' \
    once >wanted
(
    # shellcheck disable=SC3045 # dash and bash have it
    ulimit -t 8
    gpuhist --kmers=13 --per-file --files0-from=names
) >out
same out wanted '300 small files with K = 13 take little time'
printf 'AAAAAA\t3\nTTTTTT\t3\n\\invalid\t1\n\\other\t4\n' >wanted
counts wanted "frequent k-mers far apart" \
    gpuhist --kmers=6 --min-count=2 last.fa first.fa

done_testing
