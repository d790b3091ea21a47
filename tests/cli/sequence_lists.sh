# SPDX-License-Identifier: MIT
# sequence_lists.sh -- several lists of fields in one run
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

awk 'BEGIN {
    srand(5)
    for (r = 0; r < 300; r++) {
        length_of = int(rand() * 90)
        bases = quality = ""
        for (b = 0; b < length_of; b++) {
            bases = bases substr("ACGTNacgt", 1 + int(rand() * 9), 1)
            quality = quality sprintf("%c", 33 + int(rand() * 42))
        }
        if (r % 5 == 4)
            print ">f" r "\n" bases
        else
            print "@r" r "\n" bases "\n+\n" quality
    }
}' >reads

# alone NAME OPTION...: the lines of a run, behind NAME.
alone() {
    name=$1
    shift
    gpuhist --seq "$@" reads | sed "s/^/$name	/"
}

{
    alone base -f base
    alone position,quality --joint -f position,quality
    alone length,gc --joint -f length,gc
    alone length -f length
} >wanted
counts wanted 'joint lists: as many histograms' gpuhist --seq --joint -f base \
    -f position,quality -f length,gc -f length reads
for chunk in 100 1000; do
    for threads in 1 3; do
        counts wanted "... with chunks of $chunk bytes, $threads threads" \
            gpuhist --seq --joint -f base -f position,quality -f length,gc \
            -f length --chunk-size=$chunk -j $threads reads
    done
done
{
    alone base -f base
    alone length -f length
    alone gc -f gc
    alone name -f name
} >wanted
counts wanted 'without --joint, they are one list' gpuhist --seq -f base \
    -f length,gc -f name reads
{
    alone length -f length --log=2
    alone base -f base
    alone position,quality --joint -f position,quality --bins=5 --bins=- \
        --range=0,100 --range=- | awk -F '\t' '$NF > 0'
} >wanted
counts wanted 'each field has bins of its own; the empty ones of one field' \
    gpuhist --seq --joint -f length -f base -f position,quality --log=2 \
    --log=- --log=- --log=- --bins=- --bins=- --bins=5 --bins=- \
    --range=- --range=- --range=0,100 --range=- reads
{
    alone base -g name -f base
    alone length,gc -g name --joint -f length,gc
} >wanted
counts wanted 'beside groups' gpuhist --seq -g name --joint -f base \
    -f length,gc reads
gpuhist --seq --joint -f base -f position,quality --format=json reads >out
python3 -c '
import json
run = json.load(open("out"))
fields = [[a["field"] for a in h["axes"]] for h in run["histograms"]]
totals = [h["totals"]["values"] for h in run["histograms"]]
assert fields == [["base"], ["position", "quality"]], fields
assert totals[0] == totals[1], totals
'
is $? 0 'JSON lists them'
gpuhist --seq --joint -f base -f position,quality --format=md reads >out
is "$(grep -c '^| field ' out) $(grep -c '^$' out)" '2 1' 'md: a table each'
gpuhist --seq --joint -f base -f length -f position,quality --plot=only reads |
    grep ' counted' | sed 's/:.*//' >out
printf '%s\n' base 'length (int)' 'position (int) by quality (int)' >wanted
same wanted out 'a picture each'

# ---- warnings ----

# As many bases without a quality as there are reads.
printf '>a\nAC\n@b\nA\n+\nI\n' >mixed
gpuhist --seq -f quality mixed >out 2>err
is "$(wc -c <err)" 0 'a field that some bases have'
printf '>a\nAC\n' >fasta
gpuhist --seq -f quality,length fasta >out 2>err
is "$(cat err)" 'gpuhist: warning: no record has field quality' \
    '... and one that none has'

# ---- errors ----

for option in --header-out --format=csv; do
    says 2 'several joint lists of fields have no header in common: no '\
'--header-out and no --format=csv; tsv, md, table, json and jsonl have a place for '\
'each' "$option" gpuhist --seq --joint -f base -f position,quality $option reads
done
gpuhist --seq -f base,length reads >wanted
counts wanted 'lists of one field each' \
    gpuhist --seq --joint -f base -f length reads
gpuhist --seq -f gc,name reads >wanted
counts wanted '... gc and name' gpuhist --seq --joint -f gc -f name reads
refused 2 'a field twice in a list' gpuhist --seq --joint -f base \
    -f length,length reads
refused 2 'a field that is a group' gpuhist --seq -g name --joint -f base \
    -f length,name reads
says 2 '--joint takes several lists of --fields only with --seq' '... of CSV' \
    gpuhist --csv --joint -f1 -f2,3 reads
says 2 '--fields is given 2 times; one list has all fields of samples, as '\
'--fields=1,2' '... of samples' gpuhist --record=u1,u1 -f1 -f2 reads
done_testing
