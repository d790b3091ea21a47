# SPDX-License-Identifier: MIT
# seqkit.sh -- --format=seqkit and seqkit-tsv beside seqkit stats -a
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

# Three reads of 5, 2 and 0 bases, and what seqkit 2.10.1 prints.
printf '@a\nACgTN\n+\nI5?"!\n@b\nA.\n+\n>4\n@c\n\n+\n\n' >reads
header='file	format	type	num_seqs	sum_len	min_len	avg_len	max_len	Q1	Q2	Q3	sum_gap	N50	N50_num	Q20(%)	Q30(%)	AvgQual	GC(%)	sum_n'
printf '%s\n' "$header" \
    'reads	FASTQ	DNA	3	7	0	2.3	5	1	2	4	1	5	1	57	29	5.85	28.57	1' \
    >wanted
counts wanted 'three reads' gpuhist --seq --format=seqkit-tsv reads
printf '%s\n' \
    'file   format  type  num_seqs  sum_len  min_len  avg_len  max_len  Q1  Q2   Q3  sum_gap  N50  N50_num  Q20(%)  Q30(%)  AvgQual  GC(%)  sum_n' \
    'reads  FASTQ   DNA          3        7        0      2.3        5   1   2  3.5        1    5        1   57.14   28.57     5.85  28.57      1' \
    >wanted
counts wanted 'aligned' gpuhist --seq --format=seqkit reads
sed 's/^reads  /-     /; s/^file   /file  /' wanted >nameless
for size in '' --chunk-size=4096; do
    # shellcheck disable=SC2086 # options
    counts nameless "standard input $size" \
        gpuhist --seq --format=seqkit --threads=3 $size <reads
done

# One length: the quartiles are that length.
printf '>a\nACGU\n>b\nA-CU\n' >rna
printf '%s\n' 'rna	FASTA	RNA	2	8	4	4.0	4	4	4	4	1	4	1	0	0	0.00	37.50	0' >wanted
gpuhist --seq --format=seqkit-tsv rna 2>err | tail -n 1 >got
same got wanted 'one length'
: >none
same err none 'no warning of qualities that FASTA lacks'

# ... as seqkit 2.10.1 prints them: N50_num counts lengths, of which two reads
# have the greatest; 0.5 and 2.5 are rounded to the even number; sum_n is of X
# in proteins, and GC only of acids.
printf '@a\nACGTNA\n+\nIIIIII\n@b\nAAAAAA\n+\n!!#$%%+\n@c\nAAAA\n+\n5555\n@d\nCC\n+\nI~\n' \
    >ties.fq
printf '@a\nAC\n+\n??\n@b\nACG\n+\n???\n' >half.fq
printf '>p\nMKVLXEF*NNnx\nQ\n>q\nACG\n' >protein.fa
printf '>a\n' >bare.fa
printf '%s\n' "$header" \
    'ties.fq	FASTQ	DNA	4	18	2	4.5	6	3	5	6	0	6	1	67	44	6.90	22.22	1' \
    'half.fq	FASTQ	DNA	2	5	2	2.5	3	2	2	3	0	3	1	100	100	30.00	60.00	0' \
    'protein.fa	FASTA	Protein	2	16	3	8.0	13	3	8	13	0	13	1	0	0	0.00	0.00	2' \
    'bare.fa	FASTA	Unlimit	1	0	0	0.0	0	0	0	0	0	0	1	NaN	NaN	0.00	NaN	0' \
    >wanted
counts wanted 'the columns of seqkit 2.10' gpuhist --seq --per-file \
    --format=seqkit-tsv ties.fq half.fq protein.fa bare.fa

# ---- states and shards ----

awk 'BEGIN {
    srand(5)
    for (r = 0; r < 3000; r++) {
        n = int(rand() * 300)
        bases = quality = ""
        for (b = 0; b < n; b++) {
            bases = bases substr("ACGTNacgtn-.RY", 1 + int(rand() * 14), 1)
            quality = quality sprintf("%c", 33 + int(rand() * 60))
        }
        print "@r" r "\n" bases "\n+\n" quality
    }
}' >many.fq
gpuhist --seq --format=seqkit <many.fq >wanted
for shard in 1 2 3; do
    gpuhist --seq --format=seqkit --shard=$shard/3 --state=state$shard many.fq \
        >out
done
counts wanted 'shards, merged' \
    gpuhist -m --format=seqkit state1 state2 state3
gpuhist --seq -f length,base,quality many.fq >wanted
counts wanted 'the state of all fields' gpuhist -m state1 state2 state3
gpuhist --seq -f gc --state=other reads >out
says 1 'other: --format=seqkit is for states of --seq --fields=length --fields=base --fields=quality' \
    'another state' gpuhist -m --format=seqkit other
gpuhist --seq --format=seqkit many.fq >wanted
gpuhist --seq --format=seqkit --every=1ms -o out many.fq
same out wanted '--every'

# ---- what does not fit ----

for option in -flength -gname --joint --kmers=3 --keep-case -b5 --flow=show \
    --nonzero --header-out --columns=mean --where=quality=3; do
    refused 2 "$option" gpuhist --seq --format=seqkit $option reads
done
says 2 '--format=seqkit needs --seq' 'samples' gpuhist --format=seqkit reads

# ---- seqkit ----

version=$(seqkit version 2>seqkit-says | sed -n 's/^.*v2\.\([0-9]*\).*/\1/p')
if [ -z "$version" ]; then
    skip 'seqkit stats' 'seqkit 2 is not installed'
    done_testing
    exit
fi

# The columns that the installed seqkit has, of the table on standard input.
# Before 2.10 it had more decimals with tabs, and counted all letters of
# proteins.
columns_of_seqkit()
{
    awk -v version="$version" -v columns="$(head -n 1 wanted)" -v is_tsv="$1" '
    BEGIN { n = split(columns, names); for (i in names) has[names[i]] = 1
            FS = is_tsv ? "\t" : " " }
    NR == 1 { $0 = $0; n = split($0, names) }
    {
        line = ""
        # Format and type of an empty file are blanks.
        for (i = 1; i <= n; i++) {
            value = $(NF - n + i > 0 ? NF - n + i : 1)
            if (NR > 1 && is_tsv && names[i] ~ /^Q/ && value != "NaN")
                value = sprintf("%.0f", value)
            if (version < 10 && $3 == "Protein" && names[i] ~ /^GC|^sum_n/)
                value = "-"
            if (names[i] in has)
                line = line "\t" value
        }
        print line
    }'
}

# NAME ARGUMENT...: what gpuhist prints with ARGUMENT is what seqkit printed
# into "wanted".
alike()
{
    alike_name=$1
    shift
    if [ "$version" -lt 10 ]; then
        is_tsv=
        case "$*" in *seqkit-tsv*) is_tsv=yes ;; esac
        gpuhist "$@" | columns_of_seqkit "$is_tsv" >got
        columns_of_seqkit "$is_tsv" <wanted >wanted.columns
        same got wanted.columns "$alike_name"
    else
        counts wanted "$alike_name" gpuhist "$@"
    fi
}

# The files $@, whose first sequences have letters of the whole file, and not
# all of one length unless that is 0.
beside()
{
    seqkit stats -a -T "$@" >wanted
    alike "$* with tabs" --seq --per-file --format=seqkit-tsv "$@"
    seqkit stats -a "$@" >wanted
    alike "$*" --seq --per-file --format=seqkit "$@"
}

gen()
{
    "$GPUHIST_BENCH/gpuhist-gen" "$@"
}

gen --genome=20k --coverage=20 --length=1,700 --unknown=0.02 --odd=lower \
    fastq >reads.fq
gen --genome=300k --coverage=4 --length=1000,90000 --width=60 \
    --odd=lower,crlf fasta >long.fa
gzip -c reads.fq >reads.fq.gz
tr 'Tt' 'Uu' <long.fa | sed 's/^>.*/>r/' >rna.fa
printf '>d\nACGT-\n>e\nAC..GTRYSWKMBDHVN\n' >gaps.fa
: >empty
for file in reads.fq reads.fq.gz long.fa many.fq reads ties.fq half.fq rna.fa \
    protein.fa gaps.fa bare.fa empty; do
    beside "$file"
done
# seqkit 2.10 takes FASTA behind FASTQ for FASTQ.
beside gaps.fa empty long.fa
beside reads.fq empty reads.fq.gz
# The rows of many files wait in a temporary file.
mkdir copies
for i in $(seq 400); do
    ln -s ../gaps.fa "copies/$i-------------------------------------------.fa"
done
beside copies/*
seqkit stats -a -T - <many.fq >wanted
alike 'standard input' --seq --format=seqkit-tsv - <many.fq
cat reads.fq many.fq >total
seqkit stats -a - <total >wanted
alike 'two files in one row' --seq --format=seqkit reads.fq many.fq
seqkit stats -a -T reads.fq many.fq total >wanted
alike '--total: both files in one' --seq --format=seqkit-tsv --per-file \
    --total reads.fq many.fq
# seqkit 2.3 halves the first and the third quartile.
gen --genome=20k --coverage=2 --length=40 fastq >equal.fq
seqkit stats -a -T equal.fq | awk -F '\t' -v OFS='\t' -v version="$version" \
    'NR == 2 && version < 4 { $9 *= 2; $11 *= 2 } 1' >wanted
alike 'reads of one length' --seq --format=seqkit-tsv equal.fq
awk 'NR % 4 == 0 { for (i = 1; i <= length($0); i++)
        line = line sprintf("%c", 33 + int(i % 40) + 31)
    $0 = line; line = "" } 1' reads.fq >old.fq
seqkit stats -a -E illumina-1.3+ old.fq >wanted
alike '--phred=64' --seq --phred=64 --format=seqkit old.fq
done_testing
