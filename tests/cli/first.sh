# SPDX-License-Identifier: MIT
# first.sh -- only the first records of each input: --first and --reads
# shellcheck shell=sh disable=SC2154,SC2016

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

printf 'a\nb\na\nc\n' >lines
printf '@a\nA\n+\nI\n@b\nC\n+\nI\n@c\nG\n+\nI\n' >reads.fq

# ---- what is refused ----

says 2 "--first: '0' is not a number of records from 1 on" 'no record' \
    gpuhist -l --first=0 lines
says 2 "--first: 'x' is not a number of records from 1 on" 'no number' \
    gpuhist -l --first=x lines
says 2 '--reads is of sequences: it needs --seq or --kmers; --first=N has the '\
'first N records of anything' '--reads of lines' gpuhist -l --reads=3 lines
says 2 '--reads and --first exclude each other' 'both' \
    gpuhist --seq --first=1 --reads=1 reads.fq
no_state='shards and states stand for all bytes of their inputs, of which --first and --reads '\
'leave some out: head -n N FILE | gpuhist has a state of lines'
for first in first reads; do
    for option in shard=1/2 state=file; do
        says 2 "$no_state" "--$first --$option" \
            gpuhist --seq --$first=1 --$option --format=json reads.fq
    done
    says 2 "--$first and --every exclude each other" "--$first --every" \
        gpuhist --seq --$first=1 --every=1M --format=json reads.fq
done
says 2 "$no_state" '--format=state' gpuhist -l --first=1 --format=state lines
says 2 '--first and --matches exclude each other' '--matches' \
    gpuhist --matches=a --first=1 lines
for option in image npy safetensors; do
    says 2 "--first and --$option exclude each other" "--$option" \
        gpuhist --first=1 --$option lines
done
says 2 "unknown option '--records' (here: --first)" '--records' \
    gpuhist --records=1 -l lines

# ---- which records ----

printf 'a\t1\nb\t1\n' >wanted
counts wanted 'two lines' gpuhist -l --first=2 lines
printf 'a\t2\nb\t1\nc\t1\n' >wanted
counts wanted 'as many as there are' gpuhist -l --first=4 lines
counts wanted 'more than there are' gpuhist -l --first=5 lines
printf 'a\t2\nb\t2\n' >wanted
counts wanted 'of each input' gpuhist -l --first=2 lines lines
printf 'lines\ta\t1\nlines\tb\t1\nreads.fq\t@a\t1\nreads.fq\tA\t1\n' >wanted
counts wanted '... by itself' gpuhist -l --first=2 --per-file lines reads.fq
printf 'A\t1\nC\t1\n' >wanted
counts wanted 'reads' gpuhist --seq --nonzero --reads=2 reads.fq
counts wanted '... are records' gpuhist --seq --nonzero --first=2 reads.fq
sed '5s/.*/x/' reads.fq >wrong.fq
printf 'A\t1\n' >wanted
counts wanted 'what follows is not looked at' \
    gpuhist --seq --nonzero --reads=1 wrong.fq
refused 1 '... unless it is read' gpuhist --seq --reads=2 wrong.fq
printf '97\t1\n98\t1\n' >wanted
printf 'a b' >bytes
printf '32\t1\n97\t1\n' >wanted
counts wanted 'bytes' gpuhist --nonzero --first=2 bytes
printf '25185\t1\n' >wanted
printf 'ab\0\0cdef' >samples
printf '0\t1\n25185\t1\n' >wanted
counts wanted 'samples' gpuhist --dtype='<u2' --nonzero --first=2 samples
counts wanted '... after skipped ones, and no more than bytes to read' \
    gpuhist --dtype='<u2' --nonzero --first=9 --read-bytes=4 samples

# ---- a stream ends with its last record ----

mkfifo fifo
exec 3<>fifo
printf 'a\nb\na\nc\nd' >&3
printf 'a\t2\nb\t1\nc\t1\n' >wanted
counts wanted 'a pipe that stays open' gpuhist -l --first=4 fifo
exec 3>&-
exec 3<>fifo
cat reads.fq >&3
printf 'A\t1\nC\t1\nG\t1\n' >wanted
counts wanted '... with reads' gpuhist --seq --nonzero --reads=3 fifo
exec 3>&-
printf 'y\t100000\n' >wanted
counts wanted 'a pipe without an end' \
    sh -c 'yes | timeout 60 "$0" -l --first=100000' "$GPUHIST"
is "$({ yes && echo ended; } 2>/dev/null | gpuhist -l --first=3)" "y	3" \
    'its writer ends, too'
seq 1000 >numbers
gpuhist --tsv -f 1 -b 7 --range=auto --first=123 numbers >wanted
# shellcheck disable=SC2002
counts wanted 'two passes over a pipe' \
    sh -c 'seq 1000 | "$0" --tsv -f 1 -b 7 --range=auto --first=123' "$GPUHIST"

counts wanted '... and over a file' sh -c \
    '"$0" --tsv -f 1 -b 7 --range=auto --first=123 <numbers' "$GPUHIST"
printf 'a\nc\n' >wanted
counts wanted 'another program goes on after the last record' \
    sh -c '"$0" -l --first=2 >/dev/null; cat' "$GPUHIST" <lines
seq 124 1000 >wanted
counts wanted '... of several chunks' \
    sh -c '"$0" -l --first=123 --chunk-size=128 >/dev/null; cat' "$GPUHIST" \
    <numbers
printf 'time,n\n1,2\n3,4\n5,6\n' >header
printf '3,4\n5,6\n' >wanted
counts wanted '... after a header' \
    sh -c '"$0" --csv -f n --first=1 >/dev/null; cat' "$GPUHIST" <header

if [ "$HAVE_ARCHIVE" = yes ]; then
    seq 5 >b
    tar cf both.tar lines numbers b
    printf 'both.tar: lines\ta\t1\nboth.tar: lines\tb\t1\n' >wanted
    for name in numbers b; do
        printf 'both.tar: %s\t1\t1\nboth.tar: %s\t2\t1\n' $name $name >>wanted
    done
    counts wanted 'of each member' \
        gpuhist -l --members --per-file --first=2 both.tar
    sed 's/^both.tar/-/' wanted >piped
    counts piped '... of a pipe' sh -c \
        'cat both.tar | "$0" -l --members --per-file --first=2' "$GPUHIST"
fi

gpuhist_seconds=600
python_checks "$srcdir/tests/cli/first_oracle.py"

done_testing
