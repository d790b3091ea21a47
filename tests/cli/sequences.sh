# SPDX-License-Identifier: MIT
# sequences.sh -- FASTA and FASTQ: reads, bases and their fields
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

# ---- what other readers find hard ----

# A quality that begins with @ or +, as a line of its own, too; a name after +;
# a sequence of several lines.
printf '@a\nACG\n+a\nI+I\n@b\nTTA\n+\n@I+\n@c\nAA\nCC\n+\n+I\n@>\n' >tricky.fq
printf 'A\t4\nC\t3\nG\t1\nT\t2\n' >wanted
counts wanted 'qualities that look like other lines' gpuhist --seq tricky.fq
printf '+\t3\n>\t1\n@\t2\nI\t4\n' | while IFS="$(printf '\t')" read -r byte n; do
    printf '%d\t%d\n' $(($(printf %d "'$byte") - 33)) "$n"
done >wanted
counts wanted '... their values' gpuhist --seq -f quality tricky.fq
printf '3\t2\n4\t1\n' >wanted
counts wanted '... the lengths' gpuhist --seq -f length tricky.fq
counts wanted '... in chunks of a few bytes' \
    gpuhist --seq -f length --chunk-size=5 -j4 tricky.fq

# All qualities that a byte can have, from both zeros.
awk 'BEGIN {
    printf "@all\n"
    for (i = 33; i < 127; i++) printf "A"
    printf "\n+\n"
    for (i = 33; i < 127; i++) printf "%c", i
    printf "\n" }' >full.fq
seq 0 93 | sed 's/$/\t1/' >wanted
counts wanted 'qualities from 0 to 93' gpuhist --seq -f quality full.fq
seq -31 62 | sed 's/$/\t1/' >wanted
counts wanted '... from -31 to 62' gpuhist --seq -f quality --phred=64 full.fq

# The name ends at a blank; it may be empty, and be that of several reads.
printf '@a 1:N:0\nA\n+\nI\n@a\t2\nA\n+\nI\n@ a\nA\n+\nI\n>a/1\nA\n' >names
printf '\t1\na\t2\na/1\t1\n' >wanted
counts wanted 'names' gpuhist --seq -f name names

# More reads with the same fields than a small count of a cell can hold, and one more read.
printf '@s\nG\n+\n!\n' >many
awk 'BEGIN { for (i = 0; i < 70000; i++) printf "@r\nAC\n+\nI%d\n", i % 2 }' >>many
printf '1\t1\t0\t1\n2\t1\t40\t70000\n2\t2\t15\t35000\n2\t2\t16\t35000\n' >wanted
counts wanted 'qualities by position of 70,001 reads' \
    gpuhist --seq -j1 --joint -f length,position,quality many

# Groups of reads: more than a table has, few reads each; then many reads of few
# groups, more than a small count can hold; then the first again.
awk 'function put(flag, mapq, tlen) {
        printf "r\t%d\t*\t0\t%d\t*\t*\t0\t%d\tA\tI\n", flag, mapq, tlen
    }
    BEGIN {
        for (i = 0; i < 20000; i++) put(i % 2, i % 9, i % 7000)
        for (i = 0; i < 210000; i++) put(0, 60, i % 3)
        for (i = 0; i < 20000; i++) put(i % 2, i % 9, i % 7000)
    }' >groups.sam
awk -F'\t' '{ print $2 "\t" $5 "\t" $9 }' groups.sam | sort -n -k1 -k2 -k3 | uniq -c |
    awk '{ print $2 "\t" $3 "\t" $4 "\t" $1 }' >wanted
for options in -j1 -j3 '-j1 --memory-limit=40M'; do
    # shellcheck disable=SC2086
    counts wanted "groups of reads: $options" \
        gpuhist --seq --all-alignments $options --joint -f flag,mapq,tlen groups.sam
done

# Groups of reads of many lengths, whose bases have cells in blocks of positions:
# with few cells, these are taken out again and again.
awk 'BEGIN {
    srand(5)
    for (i = 0; i < 400; i++) {
        size = i % 7 == 0 ? 1 + int(rand() * 5000) : 60 + int(rand() * 75)
        bases = qualities = ""
        for (k = 0; k < size; k++) {
            bases = bases substr("ACGTN", 1 + int(rand() * 5), 1)
            qualities = qualities sprintf("%c", 35 + int(rand() * (i < 200 ? 3 : 30)))
        }
        if (i % 11 == 0) qualities = "*"
        printf "r\t%d\t*\t0\t%d\t*\t*\t0\t0\t%s\t%s\n", i % 3 * 4, i % 2, bases, qualities
    }
}' >long.sam
awk -F'\t' -v bases=bases -v qualities=qualities 'BEGIN {
        for (i = 33; i < 127; i++) value[sprintf("%c", i)] = i - 33
    }
    {
        for (k = 1; k <= length($10); k++) {
            print $2 "\t" $5 "\t" k "\t" substr($10, k, 1) >bases
            print $2 "\t" $5 "\t" k "\t" ($11 == "*" ? "\\N" : value[substr($11, k, 1)]) >qualities
        }
    }' long.sam
for name in base quality; do
    if [ "$name" = base ]; then file=bases; else file=qualities; fi
    LC_ALL=C sort "$file" | uniq -c | awk '{ print $2 "\t" $3 "\t" $4 "\t" $5 "\t" $1 }' |
        LC_ALL=C sort >wanted
    for options in -j1 '-j1 --memory-limit=4M' '-j3 --chunk-size=30000 --memory-limit=8M'; do
        # shellcheck disable=SC2086
        gpuhist --seq --all-alignments $options --joint -f "flag,mapq,position,$name" long.sam |
            LC_ALL=C sort >got
        same got wanted "$name by position of groups of reads: $options"
    done
done

# Reads without a base: with and without their lines.
printf '@a\n\n+\n\n@b\nAC\n+\nII\n@c\n+\n\n>d\n>e\n\n\n>f\nG\n@g\n+\n' >empty
printf '0\t5\n1\t1\n2\t1\n' >wanted
counts wanted 'empty reads' gpuhist --seq -f length empty
printf '0.5\t0\n' >wanted
printf '1\t2\n\\empty\t5\n' >wanted
sed -i 's/^1\t2/0.5\t1\n1\t1/' wanted
counts wanted '... have no GC' gpuhist --seq -f gc empty
printf '40\t1\n\\N\t3\n\\empty\t3\n' >wanted
counts wanted '... and no mean quality, FASTA has none at all' \
    gpuhist --seq -f mean-quality empty
counts wanted '... of errors' gpuhist --seq -f mean-error-quality empty
printf '40\t2\n\\N\t1\n' >wanted
counts wanted 'each base of FASTA lacks its quality' \
    gpuhist --seq -f quality empty

# Lines of other ends and widths, blanks, and blank lines.
printf '\r\n \n@a\r\nAC\r\nG T\r\n+\r\nIIII\r\n\r\n\n>b\nA\tC\n\nG\r\n' >blanks
printf 'A\t2\nC\t2\nG\t2\nT\t1\n' >wanted
counts wanted 'CR LF, blanks and blank lines' gpuhist --seq blanks
: >nothing
printf '\n \r\n\n' >lines
counts nothing 'no reads' gpuhist --seq nothing
counts nothing '... blank lines' gpuhist --seq lines
counts nothing '... of several files' gpuhist --seq nothing lines nothing

# Case, N, IUPAC, U, and what is no letter.
printf '>a\nacgtACGTnNuURYSWKMBDHV*-.\n' >letters
printf '*\t1\n-\t1\n.\t1\n' >marks
printf 'A\t2\nB\t1\nC\t2\nD\t1\nG\t2\nH\t1\nK\t1\nM\t1\nN\t2\nR\t1\nS\t1\n' \
    >upper
printf 'T\t2\nU\t2\nV\t1\nW\t1\nY\t1\n' >>upper
cat marks upper >wanted
counts wanted 'upper-case letters' gpuhist --seq letters
printf 'a\t1\nc\t1\ng\t1\nn\t1\nt\t1\nu\t1\n' >lower
sed 's/\([ACGTNU]\)\t2/\1\t1/' upper | cat marks - lower >wanted
counts wanted '--keep-case' gpuhist --seq --keep-case letters

# ---- what is wrong ----

# wrong FILE AT NAME: three tests: FILE is refused, by name or not, with the
# place.
wrong()
{
    refused 1 "$3" gpuhist --seq "$1"
    case $(cat err) in
        "gpuhist: $1: "*"at byte ${2}"[:,]*) ok 0 '... says where' ;;
        *) is "$(cat err)" "gpuhist: $1: ... at byte $2" '... says where' ;;
    esac
    refused 1 '... of a pipe' gpuhist --seq -j1 - <"$1"
    case $(cat err) in
        "gpuhist: standard input: "*"at byte ${2}"[:,]*)
            ok 0 '... says where'
            ;;
        *) is "$(cat err)" "gpuhist: standard input: ... at byte $2" \
            '... says where' ;;
    esac
}

good=$(printf '@a x\nACGT\n+\nIIII\n@b\nTTTT\n+b\n@II+')
# after_good NAME FORMAT AT: a good FASTQ file, and then what is wrong.
after_good()
{
    # shellcheck disable=SC2059 # it is a format
    {
        echo "$good"
        printf "$2"
    } >bad
    at=$(($(printf '%s\n' "$good" | wc -c) + $3))
    wrong bad "$at" "$1"
}

printf 'ACGT\n' >bad
wrong bad 0 'no begin'
printf '\n\n  x' >bad
wrong bad 4 '... after blanks'
printf '\357\273\277 a\nA\n' >bad
wrong bad 4 'a byte order mark and a blank'
printf ' >a\nA\n' >bad
wrong bad 1 'a blank before the begin'
after_good 'lines after a record' 'IIII\n' 0
after_good 'a second + and quality' '+\n@II+\n' 0
after_good 'no +' '@c\nAC\n' 0
after_good '... nor quality, before the next record' '@c\nAC\n@d\nA\n+\nI\n' 0
after_good '... before FASTA' '@c\nAC\n>d\nA\n' 0
after_good 'no bases either' '@c' 0
after_good 'a longer quality' '@c\nAC\n+\nIII\n@d\nAC\n+\nII\n' 0
after_good 'a shorter quality' '@c\nACGT\n+\nII\n' 0
after_good '... into the next record' '@c\nACGT\n+\nII\n@d\nA\n+\nI\n' 16
after_good 'no quality' '@c\nACGT\n+\n' 0
after_good '... not even its line' '@c\nACGT\n+' 0
after_good 'a number is no base' '@c\nAC4T\n+\nIIII\n' 5
after_good 'nor is NUL' '@c\nAC\\0T\n+\nIIII\n' 5
after_good 'nor is a plus behind a base' '@c\nACGT+\nIIII\n' 7
after_good 'nor is a begin behind a base' '>c\nAC>d\nA\n' 5
after_good 'blanks in both lines' '@c\nAC GT\n+\nII II\n' 0
printf '>c\nAC\n' >second
echo "$good" >first
refused 1 'in the third file' gpuhist --seq first second bad
grep -q "^gpuhist: bad: .*at byte ${at}[:,]" err
ok $? '... says in which, and where'

# ---- what makes no sense ----

for option in --keep-case --phred=64; do
    refused 2 "--seq -f length $option" gpuhist --seq -f length $option first
done
for option in --canonical '-f kmer' '-f gcc' --phred=34 --dtype=u4 --csv; do
    # shellcheck disable=SC2086 # several words
    refused 2 "--seq $option" gpuhist --seq $option first
done
for option in --canonical --keep-case --phred=64 '-f base'; do
    # shellcheck disable=SC2086 # several words
    refused 2 "$option without --seq" gpuhist $option first
done

# ---- anything ----

python_checks "$srcdir/tests/cli/sequences_oracle.py"

# ---- the start of an input ----

# A byte order mark is left out; old line ends, which end no line, are named.
printf '>a\nACGT\n>b\nAC\n' >plain
printf '@a\nACGT\n+\nIIII\n' >plain.fq
for file in plain plain.fq; do
    {
        printf '\357\273\277'
        cat $file
    } >marked
    gzip -c marked >marked.gz
    for options in '--seq' '--seq -f name,length' '--kmers=3'; do
        # shellcheck disable=SC2086 # several words
        gpuhist $options $file >wanted
        for input in marked marked.gz; do
            # shellcheck disable=SC2086 # several words
            counts wanted "a byte order mark, $file, $input $options" \
                gpuhist $options $input
            # shellcheck disable=SC2086 # several words
            gpuhist $options - <$input | cmp -s - wanted
            ok $? '... from standard input'
            # shellcheck disable=SC2002,SC2086 # as a pipe, several words
            cat $input | gpuhist $options | cmp -s - wanted
            ok $? '... from a pipe'
        done
    done
    for shard in 1 2; do
        gpuhist --seq -f name --shard=$shard/2 --state=part-$shard marked >out
    done
    gpuhist --seq -f name $file >wanted
    counts wanted '... in shards' gpuhist --merge part-1 part-2
done
printf '>a\rACGT\r>b\rAC\r' >returns
for options in '--seq' '--seq -f length' '--kmers=3'; do
    # shellcheck disable=SC2086 # several words
    gpuhist $options returns >out 2>err
    is "$(cat err)" "gpuhist: warning: returns: carriage returns, but no line \
feed, which ends a line: all is one line (tr '\\r' '\\n' divides it)" \
        "old ends of lines, $options"
done

# ---- an input that ends in a record ----

# A cut file has the records before the one that is cut.
awk 'BEGIN { for (r = 0; r < 3000; r++) {
                 n = 1 + r * 7 % 150; s = q = ""
                 for (i = 0; i < n; i++) {
                     s = s substr("ACGTN", 1 + (i * r) % 5, 1)
                     q = q substr("@+I>5", 1 + (i + r) % 5, 1)
                 }
                 printf "@r%d\n%s\n+\n%s\n", r, s, q } }' >whole.fq
size=$(wc -c <whole.fq)
for less in 1 2 5 60 150 200 300000; do
    head -c $((size - less)) whole.fq >cut.fq
    awk '{ line[NR % 4] = $0
           if (NR % 4 == 0 && length($0) == length(line[2]))
               print line[1] "\n" line[2] "\n+\n" $0 }' cut.fq >before.fq
    gzip -c cut.fq >cut.gz
    for options in '--seq --joint -f name,length' '--seq -f quality' \
        '--kmers=3' '--seq -f base --where=length>9'; do
        # shellcheck disable=SC2086 # several words
        gpuhist $options before.fq >wanted
        for input in cut.fq cut.gz; do
            for how in '-j1' '-j3 --chunk-size=64K'; do
                has_turn 3 || continue
                # shellcheck disable=SC2086 # several words
                gpuhist $options --partial=drop $how $input 2>err |
                    cmp -s - wanted
                ok $? "an input cut by $less, $input $options $how"
            done
        done
        has_turn 3 || continue
        # shellcheck disable=SC2002,SC2086 # as a pipe, several words
        cat cut.fq | gpuhist $options --partial=drop 2>err | cmp -s - wanted
        ok $? "... $options, from a pipe"
    done
    left=$(($(wc -c <cut.fq) - $(wc -c <before.fq)))
    if [ $left -gt 1 ]; then
        gpuhist --seq --partial=drop cut.fq >out 2>err
        is "$(cat err)" "gpuhist: warning: cut.fq: left out $left bytes of an \
incomplete record at the end" '... with a warning'
    fi
done
refused 1 'without it, that is an error' gpuhist --seq cut.fq
printf '@a\nAC!T' >bad.fq
refused 1 '... and so is another error' gpuhist --seq --partial=drop bad.fq
printf '>a\nACGT\n>b\nAC' >end.fa
gpuhist --seq end.fa >wanted
counts wanted 'FASTA is never incomplete' gpuhist --seq --partial=drop end.fa

# ---- comments ----

# commented WHAT: the input data is counted as wanted.in is, without its
# comments, and -v says how many these are.
commented()
{
    gzip -c data >data.gz
    tar cf data.tar data
    { printf 'junk' && cat data && printf 'A'; } >within
    left=$(($(wc -l <data) - $(wc -l <wanted.in)))
    bytes=$(wc -c <data)
    for options in '--seq' '--seq --joint -f name,length' '--seq -f quality' \
        '--kmers=3' '--seq -f sequence --where=length>20'; do
        # shellcheck disable=SC2086 # several words
        gpuhist $options wanted.in >wanted
        for how in '-j1' '-j4 --chunk-size=7' '-j3 --chunk-size=64K'; do
            for input in data data.gz '--members data.tar' \
                "--skip-bytes=4 --read-bytes=$bytes within"; do
                has_turn 7 || continue
                # shellcheck disable=SC2086 # several words
                gpuhist $options --comment=';' $how -v $input 2>err |
                    cmp -s - wanted
                ok $? "$1: $options $how $input"
            done
            has_turn 7 || continue
            # shellcheck disable=SC2002,SC2086 # as a pipe, several words
            cat data | gpuhist $options --comment=';' $how | cmp -s - wanted
            ok $? "$1: $options $how, from a pipe"
        done
    done
    is "$(grep 'comments left' err)" "gpuhist: $left comments left out" "$1: -v"
}

awk 'BEGIN {
    for (long = "x"; length(long) < 99999;)
        long = long long
    printf "; before\n;\n"
    for (r = 0; r < 6000; r++) {
        if (r % 7 == 0)
            printf ";>r%d ACGT\n", r
        if (r == 1000)
            print ";" long
        printf ">r%d ;no comment\n", r
        for (line = 0; line < r % 5; line++) {
            if ((r + line) % 11 == 0)
                printf ";ACGTACGT\n;\n"
            if (r % 9 == 0)
                printf "\n"
            print substr("ACGTNacgtTTGACCGATTACA", 1 + (r + line) % 9)
        }
    }
    printf ";@ at the end\n" }' >data
grep -v '^;' data >wanted.in
commented FASTA
sed 's/$/\r/' data >returns
sed 's/$/\r/' wanted.in >wanted.returns
mv returns data
mv wanted.returns wanted.in
commented '... CR LF'
awk '/^>/ { n += length($1) - 1 } END { print n }' wanted.in >length
is "$(gpuhist --seq -f name --comment=';' data |
    awk '{ n += length($1) * $2 } END { print n }')" "$(cat length)" \
    '... names as awk has them'

# Shards, states and inputs of their own.
for shard in 1 2 3; do
    gpuhist --seq --comment=';' --shard=$shard/3 -v --state=part-$shard \
        data data.gz data 2>>uncut >out
done
gpuhist --seq wanted.in wanted.in wanted.in >wanted
counts wanted '... in shards' gpuhist --merge part-1 part-2 part-3
is "$(grep -c 'all of what cannot be cut' uncut)" 2 '... which cut no input'
gpuhist --seq --state=whole wanted.in >out
is "$(LC_ALL=C tr -cd '[:print:]' <part-1 | grep -c 'comment=59')" 1 \
    '... states record them'
is "$(LC_ALL=C tr -cd '[:print:]' <whole | grep -c 'comment=')" 0 'a state without comments has no word of them'
refused 1 '... and is not merged with one that has' gpuhist --merge whole part-1
mkdir -p with without
cp data with/in
cp wanted.in without/in
(cd without && gpuhist --seq --per-file in in) >wanted
(cd with && gpuhist --seq --per-file --comment=';' in in) >out
same out wanted '... --per-file'
gpuhist --seq --every=20000 --format=jsonl --comment=';' data | tail -n 1 |
    sed 's/.*"bytes"//' >out
gpuhist --seq --format=jsonl wanted.in | tail -n 1 | sed 's/.*"bytes"//' >wanted
same out wanted '... --every, at the end'

# In FASTQ, they are before the first record only.
{
    printf ';a\n;@\n\n;b\n'
    sed '4~4s/^./;/' whole.fq
} >data
{
    echo
    sed '4~4s/^./;/' whole.fq
} >wanted.in
commented FASTQ
{
    printf ';\n>f\nAC\n;T\nGT\n'
    sed '4~4s/^./;/' whole.fq
    printf '>g\nAC\n'
} >data
sed '1,4{/^;/d}' data >wanted.in
commented 'FASTA before FASTQ'
{
    sed '4~4s/^./;/' whole.fq
    printf '>g\nAC\n;T\n'
} >data
refused 1 '... after it, a comment is wrong' gpuhist --seq --comment=';' data

# A byte order mark, before and after comments, and pieces of one.
printf '\357\273\277;c\n>a\nACG\n' >data
printf ';c\n\357\273\277@a\nACG\n+\n;;;\n' >later
printf 'A\t1\nC\t1\nG\t1\n' >wanted
for size in 1 64K; do
    counts wanted "a byte order mark, --chunk-size=$size" \
        gpuhist --seq --comment=';' --chunk-size=$size data
    counts wanted '... after a comment' \
        gpuhist --seq --comment=';' --chunk-size=$size later
done
printf '\357\273;c\n>a\nACG\n' >data
refused 1 '... half of one is an error' gpuhist --seq --comment=';' data
printf ';only\n;comments' >data
gpuhist -v --seq --comment=';' data >out 2>err
is "$?:$(cat out):$(grep left err)" '0::gpuhist: 2 comments left out' \
    'comments only are an empty input'
gpuhist -v --seq --comment=';' - <data >out 2>err
is "$?:$(cat out):$(grep left err)" '0::gpuhist: 2 comments left out' \
    '... from a pipe'
printf ';x\r>a\rACGT\r' >data
gpuhist --seq --comment=';' data 2>&1 | grep -c 'carriage returns' >out
is "$(cat out)" 1 'a comment with old ends of lines is named'
printf '>a\nACG\n#c\nT' >data
printf 'A\t1\nC\t1\nG\t1\nT\t1\n' >wanted
counts wanted 'another byte' gpuhist --seq --comment='#' data
refused 1 '... is wrong without the option' gpuhist --seq data

done_testing
