# SPDX-License-Identifier: MIT
# sequence_options.sh -- what is refused of sequences, and why
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

printf '@a b\nACGTN\n+\nIIIII\n' >data

# said MESSAGE OPTION...: a usage error.
said() {
    message=$1
    shift
    says 2 "$message" "$*" gpuhist "$@" data
}

# ---- fields ----

said "--fields: 'foo' is not a field of --seq (base, position, quality, name, \
sequence, length, gc, mean-quality, mean-error-quality, flag, mapq, pos, tlen, strand, rname, mate-rname, rname-number, rname-length, read-group, cigar, cigar-ops, cigar-length, cigar-cycle, full-length and 22 more; with --kmers=K kmer)" \
    --seq -f base,foo
said "--fields: '1' is not a field of --seq (base, position, quality, name, \
sequence, length, gc, mean-quality, mean-error-quality, flag, mapq, pos, tlen, strand, rname, mate-rname, rname-number, rname-length, read-group, cigar, cigar-ops, cigar-length, cigar-cycle, full-length and 22 more; with --kmers=K kmer)" \
    --seq -f 1
refused 2 'a field twice' gpuhist --seq -f base,base data
refused 2 'a group that is a field' gpuhist --seq -g base -f base data
said 'the field kmer needs --kmers=K' --seq -f kmer
said 'the field kmer needs --kmers=K' --seq -g kmer
said '--kmers counts the field kmer, which --fields and --group-by do not have: add it to --fields' \
    --kmers=3 -f base
said 'kmer and base do not go into one histogram: a k-mer has several bases' \
    --kmers=3 --joint -f kmer,base
said 'kmer and quality do not go into one histogram: a k-mer has several bases' \
    --kmers=3 -g kmer -f length,quality
said '--joint is for 2 to 64 fields, not 1' --seq --joint

# ---- types ----

types='the fields of sequences have types of their own: no --dtype'
said "$types" --seq --dtype=int
said '--kmers and --weights exclude each other' --kmers=4 --weights=length
bins='the options for bins are for fields that are numbers: position, quality,'
bins="$bins length, gc and mean qualities"
said "$bins" --seq -b4
said "$bins" --seq -f base,name --log
said '--log=2: the field base has keys, not numbers; - holds its place' \
    --seq -f base,length --log=2 --log=2
said 'the fields of --group-by are keys: --dtype and the options for bins are '\
'for --fields' --seq -g length,gc -b4

# ---- GC content in percent ----

printf '>a\nGGAA\n>b\nGGGA\n' >gc
for bins in --edges=0,40,100 '-b5 --range=0,100'; do
    # shellcheck disable=SC2086 # two options
    "$GPUHIST" --seq -f gc $bins gc >/dev/null 2>err
    is "$? $(cat err)" '0 gpuhist: warning: gc is from 0 to 1, and the bins go beyond: write '\
'0.4 for 40 %' "gc, $bins"
done
for bins in --edges=0,0.6,1.01 --log '-b4 --range=0,1'; do
    # shellcheck disable=SC2086 # likewise
    "$GPUHIST" --seq -f gc $bins gc >/dev/null 2>err
    is "$? $(cat err)" '0 ' "gc, $bins"
done

# ---- a number of bases ----

for options in --columns=count '--columns=records --where=length>3'; do
    # shellcheck disable=SC2086 # two options
    "$GPUHIST" --seq $options gc >out 2>err
    is "$(cat out) $(cat err)" '8 gpuhist: warning: these are bases; -f length --columns=count '\
'counts reads' "--seq $options"
done
for options in '-f base --columns=count' '-f length --columns=count' --columns=distinct; do
    # shellcheck disable=SC2086 # likewise
    "$GPUHIST" --seq $options gc >out 2>err
    is "$(cat err)" '' "--seq $options"
done

# ---- two framings ----

# Of two options that say what a record is, none is ignored.
framings='lines words tsv csv whitespace clf jsonl logfmt seq'
for one in $framings; do
    for other in $framings; do
        if [ "$one" != "$other" ]; then
            said "--$one and --$other exclude each other" "--$one" "--$other"
            said "--$one and --$other exclude each other" -f base "--$one" \
                "--$other"
        fi
    done
done
gpuhist --seq --seq data >once
gpuhist --seq data | cmp -s - once
ok $? 'one framing may be given twice'

# ---- options without an effect ----

said '--canonical needs --kmers' --seq --canonical
said '--phred needs --seq or --kmers' --phred=64
said '--keep-case needs --seq or --kmers' --keep-case
said '--phred=64 is for the fields quality, mean-quality and '\
'mean-error-quality, and for --min-quality' --seq -f length --phred=64
said '--min-quality is for the fields base, sequence, gc and kmer' \
    --seq -f length --min-quality=9
said '--keep-case is for the fields base and sequence' \
    --seq -f name --keep-case
said '--prefix is for the fields name and sequence' --seq --prefix=3
full='--full is for k-mers of at most 13 bases, in a histogram of their own'
said "$full" --kmers=14 --full
said "$full" --kmers=3 --full -g name -f kmer
said '--full needs --kmers' --seq --full
said '--full and --top exclude each other' --kmers=3 --full --top=3
for kmers in 0 65 -1 x 1e1; do
    said "--kmers: '$kmers' is not a number of bases from 1 to 64" \
        --kmers=$kmers
done
said "--phred: '50' is not 33 or 64" --seq --phred=50

# ---- other inputs ----

for option in --record=u1 --endian=big --image --npy \
    --list-strategies; do
    said "--seq and ${option%=[ubd][1ir]*} exclude each other" --seq $option
    said "--kmers and ${option%=[ubd][1ir]*} exclude each other" \
        --kmers=3 $option
done
for option in --lines --words --tsv --csv --whitespace --clf; do
    case $option in
        --lines | --words) fields= ;;
        *) fields=-f1 ;;
    esac
    # shellcheck disable=SC2086 # nothing, or one word
    said "--kmers and $option exclude each other" --kmers=3 $option $fields
done
said '--seq and --delimiter exclude each other' --seq -d, -f base
refused 2 'no --header-in' gpuhist --seq -H data
for byte in '>' @; do
    said '--comment: this byte begins a record of FASTA and FASTQ' --seq \
        --comment="$byte"
done
for byte in A n z '*' - .; do
    said '--comment: this byte is a base of FASTA and FASTQ' --kmers=3 \
        --comment="$byte"
done
said '--comment: this byte ends a line of FASTA and FASTQ' --seq --comment='
'
said '--comment=##: of sequences, one byte marks comments' --seq --comment='##'
refused 2 'no -z' gpuhist --seq -z data
said "--format=npy has no place for keys; tsv, csv, md, table, json, jsonl, prom \
and uniq have" --seq --format=npy

done_testing
