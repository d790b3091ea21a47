# SPDX-License-Identifier: MIT
# sequence_tools.sh -- the fields of sequences, beside seqtk and seqkit
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

has()
{
    command -v "$1" >command-says
}

gen()
{
    "$GPUHIST_BENCH/gpuhist-gen" "$@"
}

gen --genome=20k --coverage=20 --length=1,700 --unknown=0.02 --odd=lower \
    fastq >reads.fq
gen --genome=20k --coverage=20 --length=1,700 --unknown=0.02 --width=50 \
    --odd=crlf,lower fastq >lines.fq
gen --genome=20k --coverage=20 --length=1,700 --unknown=0.02 --width=60 \
    --odd=iupac,empty fasta >odd.fa

# ---- seqtk ----

if has seqtk; then
    for file in reads.fq lines.fq odd.fa; do
        seqtk comp $file | awk -v OFS='\t' '{
            for (i = 3; i <= 6; i++)
                if ($i) print $1, substr("ACGT", i - 2, 1), $i }' |
            sort >wanted
        gpuhist --seq -g name -f base $file >out
        awk -F '\t' '$2 ~ /^[ACGT]$/' out | sort >got
        same got wanted "$file: seqtk comp, bases of each read"
        seqtk comp $file | cut -f 2 | sort -n | uniq -c |
            awk '{ print $2 "\t" $1 }' >wanted
        counts wanted "$file: seqtk comp, lengths" gpuhist --seq -f length $file
    done
    for file in reads.fq lines.fq; do
        seqtk fqchk -q0 "$file" >distribution
        # The distribution of qualities, with two decimals of its percents.
        awk -F '\t' '
            NR == 2 { split($0, name) }
            NR == 3 { for (i = 10; i <= NF; i++)
                print substr(name[i], 3) "\t" $i }' distribution >wanted
        gpuhist --seq -f quality $file | awk -F '\t' '
            { value[NR] = $1; n[NR] = $2; sum += $2 }
            END { for (i = 1; i <= NR; i++)
                printf "%d\t%.2f\n", value[i], 100 * n[i] / sum }' >got
        same got wanted "$file: seqtk fqchk, qualities"
        # At each position: the number of bases, the percents of A, C, G, T
        # and N, and the mean quality.
        awk -F '\t' -v OFS='\t' 'NR > 3 {
            print $1, $2, $3, $4, $5, $6, $7, $8 }' distribution >wanted
        gpuhist --seq --joint -f position,quality $file >qualities
        gpuhist --seq --joint -f position,base $file |
            awk -F '\t' '
                FILENAME == "qualities" {
                    quality[$1] += $2 * $3
                    next
                }
                { n[$1] += $3; base[$1 $2] += $3
                  most = $1 > most ? $1 : most }
                END {
                    for (i = 1; i <= most; i++) {
                        printf "%d\t%d", i, n[i]
                        for (j = 1; j <= 5; j++)
                            printf "\t%.1f", 100 * base[i substr("ACGTN", j,
                                1)] / n[i]
                        printf "\t%.1f\n", quality[i] / n[i]
                    }
                }' qualities - >got
        same got wanted "$file: seqtk fqchk, each position"
    done
else
    skip 'seqtk' 'not installed'
fi

# ---- seqkit ----

# rounded: the fields name, length, gc, and mean-error-quality with two
# decimals, as those of seqkit; an empty read has 0.
rounded()
{
    awk -F '\t' -v OFS='\t' -v wants_quality="$1" '{
        gc = sprintf("%.2f", $3 == "\\empty" ? 0 : 100 * $3)
        quality = sprintf("%.2f", $4 == "\\empty" ? 0 : $4)
        print $1, $2, gc (wants_quality ? "\t" quality : "") }' | sort
}

if has seqkit; then
    for file in reads.fq lines.fq; do
        seqkit fx2tab -n -i -l -g -q $file | sort >wanted
        gpuhist --seq --joint -f name,length,gc,mean-error-quality $file |
            rounded 1 >got
        same got wanted "$file: seqkit fx2tab: length, GC, quality"
    done
    seqkit fx2tab -n -i -l -g odd.fa | sort >wanted
    gpuhist --seq --joint -f name,length,gc odd.fa | rounded '' >got
    same got wanted 'odd.fa: seqkit fx2tab: length, GC'
    for file in reads.fq lines.fq odd.fa; do
        seqkit stats -a -T $file | awk -F '\t' 'NR == 2 {
            print $4, $5, $6, $8 }' >wanted
        gpuhist --seq -f length $file | awk '
            NR == 1 { least = $1 }
            { n += $2; sum += $1 * $2; most = $1 }
            END { print n, sum, least, most }' >got
        same got wanted "$file: seqkit stats: reads, bases, lengths"
        seqkit seq -s -u -w 0 $file | sort | uniq -c |
            awk '{ print $2 "\t" $1 }' >wanted
        counts wanted "$file: seqkit seq: sequences" \
            gpuhist --seq -f sequence $file
    done
else
    skip 'seqkit' 'not installed'
fi

done_testing
