# SPDX-License-Identifier: MIT
# bam.sh -- the reads of BAM and SAM
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

[ "$HAVE_GZIP" = yes ] || skip_all 'without zlib there is no BGZF'

# ---- by hand ----

t=$(printf '\t')
cat >reads.sam <<END
@HD${t}VN:1.6
@SQ${t}SN:chr1${t}LN:99
forward${t}0${t}chr1${t}1${t}60${t}5M${t}*${t}0${t}0${t}AACGN${t}!"#\$%
reverse${t}16${t}chr1${t}1${t}60${t}3M${t}*${t}0${t}0${t}ARC${t}!"#
second${t}256${t}chr1${t}1${t}60${t}2M${t}*${t}0${t}0${t}TT${t}II
absent${t}4${t}*${t}0${t}0${t}*${t}*${t}0${t}0${t}GG${t}*
END
printf 'AACGN\t1\nGG\t1\nGYT\t1\n' >wanted
counts wanted 'reads as sequenced' gpuhist --seq -f sequence reads.sam
printf 'AACGN\t1\nARC\t1\nGG\t1\n' >wanted
counts wanted '... as stored' gpuhist --seq -f sequence --as-aligned reads.sam
printf 'AACGN\t1\nGG\t1\nGYT\t1\nTT\t1\n' >wanted
counts wanted '... and secondary ones' \
    gpuhist --seq -f sequence --all-alignments reads.sam
printf '1\t0\t1\n1\t2\t1\n2\t1\t2\n3\t0\t1\n3\t2\t1\n4\t3\t1\n5\t4\t1\n' >wanted
counts wanted 'qualities turn with the bases, and may be absent' \
    gpuhist --seq --joint -f position,quality --where=length!=2 reads.sam
says 1 'reads.sam: BAM and SAM have no comments (--comment)' 'comments' \
    gpuhist --seq --comment='#' reads.sam
says 2 '--as-aligned needs --seq or --kmers' 'an option without sequences' \
    gpuhist --lines --as-aligned reads.sam
printf '60\t1\n' >wanted
counts wanted 'a flag by its name' \
    gpuhist --seq --where=!unmapped\&\&REVERSE -f mapq reads.sam
says 2 "--where: 'secondry' is not a flag of BAM and SAM (secondary, paired, \
proper-pair, unmapped, mate-unmapped, reverse, mate-reverse, read1, read2, qcfail, duplicate, \
supplementary, mate-elsewhere, has-bases, out-of-order, UNMAP, MUNMAP, MREVERSE, DUP)" 'a flag that is misspelt' \
    gpuhist --seq --where='!secondry' reads.sam
says 2 '--where: mapq is no flag: write FIELD OP VALUE' 'a field alone' \
    gpuhist --seq --where=mapq reads.sam
sed 1,2d reads.sam >bare.sam
printf 'AACGN\t1\nGG\t1\nGYT\t1\n' >wanted
counts wanted 'without a header' gpuhist --seq -f sequence bare.sam
for size in 1 12 20 30 36; do
    head -c "$size" bare.sam >start
    refused 1 "the first $size bytes" gpuhist --seq start
done
printf '@CO\tACGT\nACGT\n+\nIIII\n@HD x\nA\n+\nI\n' >names.fq
printf 'CO\t1\nHD\t1\n' >wanted
counts wanted 'FASTQ with such names' gpuhist --seq -f name names.fq
printf '@RG\tfoo\nACGT\n+\nIIII\n' >names.fq
gpuhist --seq -f length names.fq >out 2>err
is "$(cat out err)" "4${t}1" '... and a tab, which is not taken for SAM'
# A comment is one if another line of SAM follows.
printf 'r\t4\t*\t0\t0\t*\t*\t0\t0\tA\tI\n' >record
long=$(printf '%2000s' '')
for second in '' '@CO\ty\n' '@SQ\tSN:a\tLN:5\n' '@CO\t\n@HD\tVN:1.6\n' \
    "@CO\t$long\n"; do
    { printf '@CO\tx\n%b' "$second" && cat record; } >comment.sam
    gpuhist --seq -f name comment.sam >out 2>err
    is "$(cat out err)" "r${t}1" "a comment of SAM first, then '$(printf '%.20s' "$second")'"
done
{ printf '@CO\t%s\n' "$long" && cat record; } >comment.sam
gpuhist --seq -f name comment.sam >out 2>err
is "$(cat out err)" "r${t}1" '... a long one'
for read in 'ACGT\n+\nIIII' '\n+\n' 'A\n+\n@' 'AC GT\n+\nIIII'; do
    printf '@CO\tx\n%b\n' "$read" >names.fq
    gpuhist --seq -f name names.fq >out 2>err
    is "$(cat out err)" "CO${t}1" "FASTQ with that name: $read"
done
printf '@CO\tx\nACGT' >start
refused 1 '... cut off' gpuhist --seq start

# ---- references without reads ----

sq="@SQ${t}SN:a${t}LN:5\n@SQ${t}SN:b${t}LN:6\n"
{ printf %b "$sq" && for name in r s t; do
    printf '%s\t0\ta\t1\t9\t1M\t*\t0\t0\tA\tI\n' "$name"
done; } >places.sam
printf '1\t3\n' >wanted
counts wanted 'rname-length is a field of reads' \
    gpuhist --seq -f length --where='rname-length<6' places.sam
is "$(gpuhist --seq -f length --where='rname-length>5' places.sam 2>&1)" \
    'gpuhist: warning: no record fulfils --where=rname-length>5' 'a condition on it'
printf '5\t3\n' >wanted
counts wanted '... alone' gpuhist --seq -f rname-length places.sam
fields=rname-number,rname,rname-length,unmapped
printf '1\ta\t5\t0\t3\n' >wanted
counts wanted '... with others' \
    gpuhist --seq --all-alignments --joint -f "$fields" places.sam
printf 'a\t5\t2\t0\nb\t6\t0\t0\n*\t0\t0\t0\n' >wanted
counts wanted 'references are no first reads' \
    gpuhist --seq --format=idxstats --reads=2 places.sam
counts wanted '... with --first' gpuhist --seq --format=idxstats --first=2 places.sam
gpuhist --seq --format=idxstats --state=with places.sam >/dev/null
gpuhist --seq --all-alignments --joint -f "$fields" --state=without places.sam >/dev/null
printf '1\ta\t5\t0\t3\n1\ta\t5\t\\N\t1\n2\tb\t6\t\\N\t1\n' >wanted
counts wanted 'a state has them' gpuhist --merge with
says 1 "without: --format=idxstats is for states of --joint --fields=$fields \
--all-alignments, made with this format" '... or not' gpuhist --merge --format=idxstats without
refused 1 '... as the other' gpuhist --merge with without

printf '>x\t\00116\t30\t5\t7\t-\tchr1\tchr2' >mark.fa
printf 'chr2\t1\n' >wanted
counts wanted 'FASTA with the words of alignments, without an end' \
    gpuhist --seq -f mate-rname mark.fa
printf '>x\t\001%s\nAC\n' -.......................... >mark.fa
printf '0\t1\n' >wanted
counts wanted '... with no number' gpuhist --seq -f flag mark.fa

printf '>x\t\001\t\t\t\t\t\t\t\t\t*\t%s\nAC\n' 12M99999999999x~4Q7 >mark.fa
printf 'M\t12\t1\nQ\t4\t1\nx\t2147483647\t1\n~\t0\t1\n' >wanted
counts wanted '... with no CIGAR string' gpuhist --seq --joint -f cigar-ops,cigar-length mark.fa
printf '*\t1\n' >wanted
counts wanted '... and a read group *' gpuhist --seq -f read-group mark.fa

# ---- tags ----

# tagged TAGS: tag.sam has one record with these tags.
tagged()
{
    printf '@SQ\tSN:c\tLN:9\nr\t0\tc\t1\t60\t1M\t*\t0\t0\tA\tI\t%b\n' "$1" >tag.sam
}
# samtools refuses these as "Incomplete aux field", too.
for tag in RG RG: RG:Z; do
    tagged "NM:i:1\t$tag"
    says 1 "tag.sam: bad SAM at byte 14: record 1 has the incomplete tag '$tag'" "the tag $tag" \
        gpuhist --seq -f read-group tag.sam
done
printf '\\N\t1\n' >wanted
for tag in RG:Z: RG:i:1 NM:i:1; do
    tagged "$tag"
    counts wanted "no read group: $tag" gpuhist -q --seq -f read-group tag.sam
done

# ---- operations ----

says 2 'base does not go into one histogram with fields of CIGAR operations, which have none' \
    'operations and bases' gpuhist --seq --joint -f base,cigar-ops reads.sam
says 2 '--weights: quality is of bases, and cigar-ops is of CIGAR operations' \
    '... as weights' gpuhist --seq -f cigar-ops --weights=quality reads.sam
says 2 "--where: cigar-ops is of each operation of a CIGAR string, and fields of others are \
counted: give cigar-ops or cigar-length" '... in conditions' \
    gpuhist --seq --where=cigar-ops=M reads.sam
says 2 '--where: quality is of each base, and operations of CIGAR strings are counted' \
    '... of bases' gpuhist --seq -f cigar-ops --where='quality>2' reads.sam
says 2 "--where: an operation is one of M, I, D, N, S, H, P, =, X and B, and 'm' is none" \
    'no operation' gpuhist --seq -f cigar-ops --where=cigar-ops=m reads.sam
is "$(gpuhist --seq -f cigar-ops --where=cigar-ops=H reads.sam 2>&1)" \
    'gpuhist: warning: no CIGAR operation fulfils --where=cigar-ops=H' 'none of them'
is "$(gpuhist --seq -f cigar-ops names.fq 2>&1)" \
    'gpuhist: warning: no record has field cigar-ops' 'FASTQ has none'
for bins in --log '-b 2 --range=0,9' '--edges=0,5,9' '--joint -g cigar-ops --log'; do
    # shellcheck disable=SC2086 # several words
    is "$(gpuhist --seq -f cigar-length $bins reads.sam 2>&1 >got)" '' \
        "no warning with bins: $bins"
done
gpuhist --seq -f cigar-length --log --format=state reads.sam >bins.state
is "$(gpuhist -m bins.state 2>&1)" "$(gpuhist --seq -f cigar-length --log reads.sam)" \
    '... of a state'
is "$(gpuhist --seq -f cigar-length --log names.fq 2>&1 >got)" \
    'gpuhist: warning: no record has field cigar-length' 'bins, and FASTQ has none'

# ---- a long file, of which helpers write text ----

awk 'BEGIN {
    OFS = "\t"; print "@SQ", "SN:a", "LN:90000"; print "@SQ", "SN:b", "LN:90000"
    for (i = 1; i <= 30000; i++) {
        bases = substr("GATTACACATTAGGATCCATACGGTAATTGCCGTAAACATTAGACACGATGACAGTTAC", 1 + i % 7)
        print "r" i, (i * 7 % 32) * 16, i % 3 ? "a" : "b", i, i % 61, length(bases) "M", "=",
            i + 200, 250, bases, bases, "NM:i:" i % 4, "RG:Z:g" i % 3
    }
}' >long.sam
gpuhist --seq --format=samtools-stats -j1 long.sam >wanted
counts wanted 'helpers write text of SAM' gpuhist --seq --format=samtools-stats -j4 long.sam
gpuhist --seq --format=samtools-stats -j4 --chunk=64Ki <long.sam >got
counts got '... from standard input, in short chunks' cat wanted
# What comes before a wrong line, and the number and place of it, do not change.
sed '25000s/NM:i:/NM:i:x/' long.sam >wrong.sam
at=$(head -n 24999 wrong.sam | wc -c)
wrong="bad SAM at byte $((at)): record 24998 has the edit distance 'x$((24998 % 4))' (NM)"
says 1 "wrong.sam: $wrong" '... up to a wrong line' \
    gpuhist --seq --format=samtools-stats -j4 wrong.sam
mkfifo pipe
{
    head -n 25000 wrong.sam
    sleep 100
} >pipe 2>err &
writer=$!
timeout 60 "$GPUHIST" --seq --format=samtools-stats -j4 pipe >out 2>&1
is "$? $(cat out)" "1 gpuhist: pipe: $wrong" '... of a writer that pauses'
kill $writer
if command -v samtools >samtools-is; then
    samtools flagstat long.sam >wanted
    counts wanted '... beside samtools' gpuhist --seq --format=flagstat -j4 long.sam
else
    skip '... beside samtools' 'no samtools'
fi

# ---- beside a model, and samtools ----

python_checks "$srcdir/tests/cli/bam_oracle.py"

done_testing
