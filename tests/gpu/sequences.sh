# SPDX-License-Identifier: MIT
# sequences.sh -- a real GPU counts bases and k-mers as the CPU does
# shellcheck shell=sh

. "${srcdir:?run it by make check-gpu}/tests/tap.sh"

"$GPUHIST" --device=cuda </dev/null >/dev/null 2>&1 ||
    skip_all 'no usable GPU'

# Sequences: reads of many kinds, one base only, and some chunks that the GPU
# refuses.
LC_ALL=C awk -v reads=60000 -f "$srcdir/tests/reads.awk" >reads.fq
LC_ALL=C awk -v reads=60000 -v odd=500 -f "$srcdir/tests/reads.awk" >odd.fq
awk 'BEGIN { for (i = 0; i < 60000; i++)
    printf "@a\n%0150d\n+\n%0150d\n", 0, 0 }' | sed '2~4y/0/A/' >poly-a.fq
while read -r options; do
    bad=
    for file in reads.fq odd.fq poly-a.fq; do
        # shellcheck disable=SC2086 # they are options
        "$GPUHIST" --device=cpu $options $file >cpu
        for chunk in 65536 1Mi 8Mi; do
            # shellcheck disable=SC2086 # likewise
            "$GPUHIST" --device=cuda --chunk-size=$chunk --explain $options \
                $file >gpu 2>explain
            cmp -s cpu gpu || bad="$bad $file:$chunk"
            case $file:$(grep -c "cuda:0 .*counted $(stat -c %s $file) bytes" \
                explain) in
            odd.fq:0 | reads.fq:1 | poly-a.fq:1) ;;
            *) bad="$bad $file:$chunk: $(grep counted explain)" ;;
            esac
        done
    done
    is "$bad" '' "sequences: $options"
done <<'EOF'
--seq
--seq --keep-case -f base -f gc
--seq -f length -f position
--seq -f quality --phred=64
--seq -f quality -f gc -f length -f base -f position
--seq --joint -f base,quality -f gc,length
--seq --joint -f position,base
--seq --joint -f position,quality
--seq --joint -f position,base,quality --nonzero
--seq -g base -f position -b10 --range=1,300
--seq --format=fqchk
--kmers=1
--kmers=3
--kmers=4 -f kmer -f length --full
--kmers=7
--kmers=8 --canonical
--kmers=10
--kmers=11 --spectrum
--kmers=12
--kmers=13 --canonical
--kmers=12 --spectrum
EOF
# FASTA: long records in pieces, one base only, short records, CR LF, and a chunk
# that the GPU refuses.
LC_ALL=C awk -v bases=3000000 -f "$srcdir/tests/contigs.awk" >contigs.fa
LC_ALL=C awk -v bases=300000 -v odd=1 -f "$srcdir/tests/contigs.awk" >odd.fa
awk 'BEGIN { for (i = 0; i < 60000; i++)
    printf ">a\n%060d\n%090d\n", 0, 0 }' | sed '/^0/y/0/A/' >poly-a.fa
for file in contigs.fa odd.fa poly-a.fa; do
    bad=
    while read -r options; do
        # shellcheck disable=SC2086 # they are options
        "$GPUHIST" --device=cpu --format=json $options $file |
            sed 's/.*"bytes"//' >cpu
        for chunk in 65536 1Mi 8Mi; do
            # shellcheck disable=SC2086 # likewise
            "$GPUHIST" --device=cuda --chunk-size=$chunk --explain \
                --format=json $options $file 2>explain |
                sed 's/.*"bytes"//' >gpu
            cmp -s cpu gpu || bad="$bad $options:$chunk"
            case $file:$(grep -c "cuda:0 .*counted $(stat -c %s $file) bytes" \
                explain) in
            odd.fa:0 | contigs.fa:1 | poly-a.fa:1) ;;
            *) bad="$bad $options:$chunk: $(grep counted explain)" ;;
            esac
        done
    done <<'EOF'
--seq
--seq --keep-case
--kmers=1
--kmers=2 --canonical
--kmers=4
--kmers=7 --canonical
--kmers=8
--kmers=10
--kmers=11 --canonical
--kmers=12
--kmers=13 --canonical
EOF
    is "$bad" '' "FASTA: $file"
done
"$GPUHIST" --device=cpu --per-file --kmers=9 reads.fq odd.fq poly-a.fq >cpu
"$GPUHIST" --device=cuda --per-file --kmers=9 reads.fq odd.fq poly-a.fq >gpu
same cpu gpu 'sequences: --per-file'
if "$GPUHIST" --list-devices | grep -q '^cuda:1'; then
    for options in '--seq --format=fqchk' '--kmers=6' '--kmers=12'; do
        # shellcheck disable=SC2086 # likewise
        "$GPUHIST" --device=cpu $options reads.fq odd.fq >cpu
        # shellcheck disable=SC2086 # likewise
        "$GPUHIST" --gpu-after=0 --device=cuda:0,1 --chunk-size=64Ki $options \
            reads.fq odd.fq >gpu
        same cpu gpu "sequences, two GPUs: $options"
    done
else
    skip 'sequences, two GPUs' 'there is one'
fi

done_testing
