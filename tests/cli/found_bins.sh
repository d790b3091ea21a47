# SPDX-License-Identifier: MIT
# found_bins.sh -- bins that a first pass finds: inputs, states, messages
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

tab=$(printf '\t')

# tabs TEXT: TEXT with tabs instead of blanks.
tabs()
{
    printf '%s' "$1" | tr ' ' '\t'
}

# prints WANTED NAME OPTION...: it prints WANTED, which has blanks instead of tabs.
prints()
{
    wanted=$(tabs "$1")
    name=$2
    shift 2
    is "$(gpuhist "$@" 2>&1)" "$wanted" "$name"
}

# hints TEXT OPTION...: status 2 and a message with TEXT.
hints()
{
    text=$1
    shift
    refused 2 "$*" gpuhist "$@"
    grep -qF -e "$text" err
    ok $? "... says $text"
}

printf '%s\n' 1 2 3 4 5 6 7 8 9 11 >lines
minmax='1 6 5
6 11 5'

# ---- inputs ----

prints "$minmax" 'lines' -l --range=minmax -b2 lines
is "$(gpuhist -l --range=minmax -b2 <lines)" "$(tabs "$minmax")" \
    'a file as standard input'
# shellcheck disable=SC2002 # a pipe is wanted
is "$(cat lines | gpuhist -l --range=minmax -b2)" "$(tabs "$minmax")" 'a pipe'
# shellcheck disable=SC2002
cat lines | gpuhist -v -l --range=minmax -b2 2>err >out
grep -q '^gpuhist: standard input: cannot be read twice: 21 bytes are copied' err
ok $? '... -v says that it is copied'
# shellcheck disable=SC2002
cat lines | TMPDIR=$PWD/missing gpuhist -l --range=minmax >out 2>err
is "$?$(cat out)" 1 'a pipe, and no room for a copy'
grep -q 'TMPDIR' err
ok $? '... names TMPDIR'
mkfifo fifo
cat lines >fifo &
prints "$minmax" 'a FIFO' -l --range=minmax -b2 fifo
wait
echo 40 | gpuhist -l --range=minmax -b2 lines - lines >out
is "$(cat out)" "$(tabs '1 20.5 20
20.5 40 1')" 'several inputs, one a pipe'
(
    head -c 4 >skipped
    gpuhist -l --range=minmax -b1 >out
) <lines
is "$(cat out)" "3${tab}11${tab}8" 'the rest of a file as standard input'
yes 7 | head -n 100000 | gpuhist -l --range=minmax -b1 --read-bytes=10 >out
is "$(cat out)" "6.5${tab}7.5${tab}5" 'a part of a pipe'
printf 'a,b\n1,10\n3,30\n' >pairs.csv
prints 'a 1 2 1
a 2 3 1
b 10 20 1
b 20 30 1' 'each field has its own range' --csv -f a,b --range=minmax -b2 pairs.csv
prints 'a 0 5 2
b 10 30 2' 'one field has a fixed range' \
    --csv -f a,b --range=0,5 --range=minmax -b1 pairs.csv
prints '1 2 10 20 1
1 2 20 30 0
2 3 10 20 0
2 3 20 30 1' 'joint' --csv -f a,b --joint --range=minmax -b2 pairs.csv
printf 'x 1\ny 2\nx 5\n' >groups
prints 'x 1 3 1
x 3 5 1
y 1 3 1' 'groups have the range of the field' -W -g1 -f2 --range=minmax -b2 groups
prints '0 1 0' 'nothing' -l --range=minmax -b1 /dev/null
prints '0 1 0' 'nothing, by a rule' -l -b fd /dev/null
prints '0 1 0' 'nothing, quantiles' -l --edges=quantiles:3 /dev/null
printf '7\n7\n' >sevens
prints '6.5 7.5 2' 'one value, quantiles' -l --edges=quantiles:3 sevens
printf '%s\n' -1.5e308 1.5e308 >far
prints '-1.5e+308 0 1
0 1.5e+308 1' 'quantiles of numbers whose distance is no double' \
    -l --edges=quantiles:2 far
printf '%s\n' 1 1 1 1 3 4 6 >ties
prints '1 3.5 5
3.5 6 2' 'ties at an edge' -l --edges=quantiles:4 ties
prints '1 6 5
6 11 5' 'a range that is known' -l --range=minmax:1,11 -b2 lines
printf '5 1\n3 2\n' >weights
prints '3 5 3' 'weights' -W -f1 --weights=2 --range=minmax -b1 weights

# ---- the groups of FastQC ----

# groups LONGEST WIDTH: the edges for reads of LONGEST bases, of which FastQC has
# all behind the ninth in groups of WIDTH.
groups()
{
    awk -v longest="$1" -v width="$2" 'BEGIN {
        for (first = 1; first <= longest; first = last + 1) {
            last = first < 10 ? first : first + width - 1
            if (first == 10 && width > 10) last = width - 1
            if (last > longest) last = longest
            print first "\t" last + 1 "\t" last + 1 - first
        } }'
}

for lengths in '75 1' '76 2' '139 2' '140 5' '334 5' '335 10' '660 20' \
    '100000 2000'; do
    # shellcheck disable=SC2086 # two words
    groups $lengths >wanted
    seq 1 "${lengths% *}" >positions
    counts wanted "fastqc, $lengths" gpuhist -l --edges=fastqc positions
done
prints '1 2 0' 'nothing, fastqc' -l --edges=fastqc /dev/null
for length in 400 20 90 333; do
    awk -v n=$length 'BEGIN { printf "@r%d\n", n
        for (i = 0; i < n; i++) s = s substr("ACGT", i * i % 7 % 4 + 1, 1)
        q = s
        gsub(/[AC]/, "I", q)
        print s "\n+\n" q }'
done >reads.fq
groups 400 10 >edges
gpuhist --seq -f position reads.fq >alone
awk 'NR == FNR { n[$1] = $2; next }
     { sum = 0; for (p = $1; p < $2; p++) sum += n[p]
       print $1 "\t" $2 "\t" sum }' alone edges >wanted
counts wanted 'positions' gpuhist --seq -f position --edges=fastqc reads.fq
says 2 '--edges=fastqc groups positions and lengths, not quality: give one --edges for each field, as -f position,quality --joint --edges=fastqc --edges=-' \
    'no positions' gpuhist --seq -g position -f quality --edges=fastqc reads.fq
gpuhist --seq -f length --edges=fastqc reads.fq >out 2>err
is $? 0 'lengths'
gpuhist --seq -f position,quality --joint --edges=fastqc --edges=- reads.fq |
    awk '{ n[$1 "\t" $2] += $4 } END { for (g in n) print g "\t" n[g] }' |
    sort -n >out
same out wanted '... with their qualities'
for i in 1 2 3; do
    gpuhist --seq -f position --edges=fastqc --shard=$i/3 --state=part$i \
        --chunk-size=4096 --threads=$i reads.fq >out
done
counts wanted '... of shards' gpuhist --merge part2 part1 part3
printf '1 5 12\n' >fastqc
prints '1 5 4
5 12 6' 'a file of edges may have the name' -l --edges=@fastqc lines

# ---- states ----

for i in 1 2 3; do
    gpuhist -l --range=minmax -b2 --shard=$i/3 --state=state$i lines >out
done
prints "$minmax" 'shards have the range of all' --merge state1 state2 state3
gpuhist -l --edges=quantiles:2 --state=quantiles lines >out
prints '1 5.5 5
5.5 11 5' 'a state of quantiles' --merge quantiles
gpuhist -l -b sqrt --state=rule lines >out
is "$(gpuhist --merge rule)" "$(cat out)" 'a state of a rule'
printf '1\n12\n' >others
gpuhist -l --range=minmax -b2 --state=others.state others >out
gpuhist --merge state1 others.state >out 2>err
is "$?$(cat out)" 1 'states with other edges do not add up'

# ---- messages ----

hints '(did you mean sturges?)' -l -b sturgess lines
hints '(did you mean fd?)' -l -b FD lines
hints '(did you mean minmax?)' -l --range=min-max lines
hints '(did you mean auto?)' -l --range=atuo lines
hints 'did you mean --edges=quantiles:4?' -l --edges=quantile:4 lines
hints 'not quantiles:N' -l --edges=quantiles:0 lines
hints 'did you mean --edges=fastqc?' -l --edges=FastQC lines
hints 'did you mean --edges=fastqc?' -l --edges=fastq lines
hints 'fastqc reads all' -l --edges=fastqc --closed=right lines
hints '--bins=fd finds the range' -l -b fd --range=0,5 lines
hints 'exclude each other' -l --range=minmax --every=1s --format=jsonl lines
hints 'exclude each other' -l --range=minmax --per-file lines
hints 'exclude each other' -l --range=minmax --closed=right lines
hints 'exclude each other' -W -f1 -b fd --weights=2 weights
hints 'it excludes' -l --range=minmax --bin-width=1 lines
hints 'it excludes' -l --range=minmax --log lines
hints 'no effect' -l --range=minmax --edges=1,2 lines
hints 'too narrow for 16-bit floats' --dtype=f2 --range=minmax:1,2 -b5000 \
    /dev/null

done_testing
