# SPDX-License-Identifier: MIT
# sequence_ranges.sh -- large files of FASTA and FASTQ, which readers share
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

# reads NUMBER: qualities look like names, and some records have more lines.
reads()
{
    awk -v reads="$1" 'BEGIN {
        for (i = 1; i <= reads; i++) {
            bases = substr("ACGTTGCANNACGTACGGTACCATGCAAACTG", i % 13 + 1)
            quality = substr("@I>I+I@@>>IIII++II@II>IIIIIIII@>I", i % 13 + 1)
            quality = substr(quality, 1, length(bases))
            if (i % 50 == 0) {
                sub(/....../, "&\n", bases)
                sub(/...../, "&\n", quality)
            }
            printf "@r%d @>+\n%s\n+\n%s\n", i, bases, quality
        }
    }'
}

# shared NAME: what one reader counts, others count together.
shared()
{
    gpuhist --seq -f name,length,base -j1 - <data >wanted
    files=data
    if command -v bgzip >bgzip_path; then
        bgzip -c data >data.gz
        files='data data.gz'
    fi
    for file in $files; do
        for options in -j1 -j3 '-j8 --chunk-size=5k' '-j8 --chunk-size=150k'; do
            # shellcheck disable=SC2086 # two options
            gpuhist --seq -f name,length,base $options "$file" >out
            same out wanted "$1, $file, $options"
        done
    done
}

# ---- what may look like a record ----

reads 8000 >data
shared 'reads'
tr -d '\n' <data | cut -c 1 >first
is "$(cat first)" '@' '... of FASTQ'
awk 'NR % 4 == 1 { print ">" $0 } NR % 4 == 2 { print; print "acgtn" }' data |
    sed 's/>@/>/; s/+//' | grep '^[>A-Za-z]' >other
mv other data
shared 'FASTA'

# ---- a record that is longer than chunks ----

{
    reads 3000
    printf '>long\n'
    awk 'BEGIN { for (i = 0; i < 9000; i++)
                     print "ACGTACGTTGCACCAATTGGACGTACGTTGCACCAATTGG" }'
    printf '@long\n'
    awk 'BEGIN { for (i = 0; i < 5000; i++) printf "ACGTACGTTG"
                 printf "\n+\n"
                 for (i = 0; i < 5000; i++) printf "@I>+IIII@@"
                 printf "\n" }'
    reads 3000
} >data
shared 'long records'

# ---- errors ----

reads 6000 >data
bytes=$(wc -c <data)
printf '@bad\nACGT\n+\nIIIII\n' >>data
reads 6000 >>data
for threads in 1 3 8; do
    message="the quality has another length than the sequence (4 bases)"
    says 1 "data: record 6001 (bad) at byte $bytes: $message" \
        "an error in the middle, -j$threads" \
        gpuhist --seq -j$threads --chunk-size=5k data
done

done_testing
