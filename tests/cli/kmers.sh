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
printf '>a\nTTTTTTTTACGTN\n' >last.fa
printf '>b\nAAAAAAAA\n' >first.fa
kmers_of 6 '' >wanted <<'END'
TTTTTTTTACGTN
END
sed 's/^/last.fa\t/' wanted >both
printf 'first.fa\tAAAAAA\t3\n' >>both
counts both "a table for each file" \
    gpuhist --kmers=6 --per-file last.fa first.fa
printf 'AAAAAA\t3\nTTTTTT\t3\n\\invalid\t1\n\\other\t4\n' >wanted
counts wanted "frequent k-mers far apart" \
    gpuhist --kmers=6 --min-count=2 last.fa first.fa

done_testing
