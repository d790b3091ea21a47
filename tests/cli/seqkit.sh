# SPDX-License-Identifier: MIT
# seqkit.sh -- --format=seqkit and seqkit-tsv beside seqkit stats -a
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

# Three reads of 5, 2 and 0 bases.
printf '@a\nACgTN\n+\nI5?"!\n@b\nA.\n+\n>4\n@c\n\n+\n\n' >reads
printf '%s\n' \
    'file	format	type	num_seqs	sum_len	min_len	avg_len	max_len	Q1	Q2	Q3	sum_gap	N50	Q20(%)	Q30(%)	GC(%)' \
    'reads	FASTQ	DNA	3	7	0	2.3	5	1.0	2.0	3.5	1	5	57.14	28.57	28.57' \
    >wanted
counts wanted 'three reads' gpuhist --seq --format=seqkit-tsv reads
printf '%s\n' \
    'file   format  type  num_seqs  sum_len  min_len  avg_len  max_len  Q1  Q2   Q3  sum_gap  N50  Q20(%)  Q30(%)  GC(%)' \
    'reads  FASTQ   DNA          3        7        0      2.3        5   1   2  3.5        1    5   57.14   28.57  28.57' \
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
printf '%s\n' 'rna	FASTA	RNA	2	8	4	4.0	4	4.0	4.0	4.0	1	4	0.00	0.00	37.50' >wanted
gpuhist --seq --format=seqkit-tsv rna 2>err | tail -n 1 >got
same got wanted 'one length'
: >none
same err none 'no warning of qualities that FASTA lacks'

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

case $(seqkit version 2>/dev/null) in
*v2.3.*) ;;
*)
    skip 'seqkit stats' 'seqkit 2.3 is not installed'
    done_testing
    exit
    ;;
esac

# The files $@, whose first sequences have letters of the whole file, and not
# all of one length unless that is 0.
beside()
{
    seqkit stats -a -T "$@" >wanted
    counts wanted "$* with tabs" \
        gpuhist --seq --per-file --format=seqkit-tsv "$@"
    seqkit stats -a "$@" >wanted
    counts wanted "$*" gpuhist --seq --per-file --format=seqkit "$@"
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
printf '>p\nMKVLXEF*\nQ\n>q\nACG\n' >protein.fa
printf '>d\nACGT-\n>e\nAC..GTRYSWKMBDHVN\n' >gaps.fa
printf '>a\n' >bare.fa
: >empty
for file in reads.fq reads.fq.gz long.fa many.fq reads rna.fa protein.fa \
    gaps.fa bare.fa empty; do
    beside "$file"
done
beside reads.fq empty long.fa gaps.fa reads.fq.gz
# The rows of many files wait in a temporary file.
mkdir copies
for i in $(seq 400); do
    ln -s ../gaps.fa "copies/$i-------------------------------------------.fa"
done
beside copies/*
seqkit stats -a -T - <many.fq >wanted
counts wanted 'standard input' gpuhist --seq --format=seqkit-tsv <many.fq
cat reads.fq many.fq | seqkit stats -a - >wanted
counts wanted 'two files in one row' \
    gpuhist --seq --format=seqkit reads.fq many.fq
gen --genome=20k --coverage=2 --length=40 fastq >equal.fq
seqkit stats -a -T equal.fq | awk -F '\t' -v OFS='\t' \
    'NR == 2 { $9 *= 2; $11 *= 2; $9 = $9 ".0"; $11 = $11 ".0" } 1' >wanted
counts wanted 'reads of one length' gpuhist --seq --format=seqkit-tsv equal.fq
awk 'NR % 4 == 0 { for (i = 1; i <= length($0); i++)
        line = line sprintf("%c", 33 + int(i % 40) + 31)
    $0 = line; line = "" } 1' reads.fq >old.fq
seqkit stats -a -E illumina-1.3+ old.fq >wanted
counts wanted '--phred=64' gpuhist --seq --phred=64 --format=seqkit old.fq
done_testing
