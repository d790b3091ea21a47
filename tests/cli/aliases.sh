# SPDX-License-Identifier: MIT
# aliases.sh -- letters of awk, sort, head and uniq
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

printf 'b,1 x\na,2  y\nb,1 x\n\nc\t3\n' >lines

# prints WANTED NAME ARGUMENT...: the arguments print what is in WANTED.
prints()
{
    prints_wanted=$1
    prints_name=$2
    shift 2
    counts "$prints_wanted" "$prints_name" gpuhist "$@"
}

sort lines | uniq -c >wanted
prints wanted '-c is uniq -c' -c lines
tr -s ' ' '\n' <lines | tr '\t' '\n' | grep . | sort | uniq -c >wanted
prints wanted '-c --words counts words' -c --words lines
gpuhist -q -W -f1 --format=uniq lines >wanted
prints wanted '-cW counts fields' -qcW -f1 lines
gpuhist --dtype=u1 --format=uniq lines >wanted
prints wanted '-c --dtype counts values' -c --dtype=u1 lines

sort lines | uniq -c >wanted
prints wanted '-c writes a state' -c --state=1.state lines
prints wanted '... which --merge -c prints' --merge -c 1.state
gpuhist -l lines >wanted
prints wanted '... and which is of lines' --merge 1.state
gpuhist --shard=1/2 -c --state=1.state lines >out &&
    gpuhist --shard=2/2 -l --state=2.state lines >out
ok $? '-c and -l are shards'
prints wanted '... of one run' --merge 1.state 2.state

cut -d, -f1 lines | sort | uniq -c >wanted
prints wanted '-F,' -c -F, -f1 lines
prints wanted '-t,' -c -t , -f1 lines
gpuhist --tsv -f1 lines >wanted
prints wanted '-F\t' '-F\t' -f1 lines
gpuhist -d' ' -f2 lines >wanted
prints wanted "-t ' ' is one blank" -t ' ' -f2 lines
awk '{print $2}' lines | grep . | sort | uniq -c >wanted
prints wanted "-F ' ' is blanks" -q -c -F ' ' -f2 --state=1.state lines
prints wanted '... in a state, too' --merge -qc 1.state

gpuhist -l --top=1 lines >wanted
prints wanted '-n 1 is --top=1' -l -n 1 lines
prints wanted '-ln1' -ln1 lines

fields='-c counts whole lines: fields need an option that divides lines, as -W, --csv, --tsv or -d C'
says 2 "$fields" 'fields of whole lines' gpuhist -c -f1 lines
says 2 "$fields" '... and groups' gpuhist -c -g1 lines
says 2 '-c with -d C, a delimiter, needs -f or -g (the -d of uniq, repeated lines, is --min-count=2)' \
    'the -d of uniq' gpuhist -cd, lines
says 2 '--merge and --tune=strategy exclude each other' \
    'a key beside states' gpuhist --merge --tune=strategy=lane 1.state
refused 2 'the -n of sort' gpuhist -l -n lines
refused 2 'an expression for -F' gpuhist -F '::' -f1 lines
refused 2 'one that awk would take for a byte' gpuhist -F '\|' -f1 lines
refused 2 'no byte for -t' gpuhist -t '' -f1 lines
refused 2 'no value for -n' gpuhist -l lines -n
for word in top=3 nonzero columns=mean csv; do
    refused 2 "-$word" gpuhist "-$word" lines
    is "$(grep -c "did you mean --$word?" err)" 1 "... is not --$word"
done

done_testing
