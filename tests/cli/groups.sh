# SPDX-License-Identifier: MIT
# groups.sh -- combinations of fields, beside the commands they replace
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

# ---- a log ----

awk 'BEGIN {
    srand(7)
    for (i = 0; i < 40000; i++)
        printf "10.0.%d.%d - - [22/Nov/2026:08:%02d:%02d +0000] \"GET /%d" \
            " HTTP/1.1\" %d %d\n",
            rand() * 3, rand() * 50, rand() * 60, rand() * 60,
            1 / (rand() + 1e-4), 200 + 100 * int(rand() * 4), rand() * 1e5
}' >log

# byte for byte as awk, sort and uniq: no key has a byte below the blank.
awk '{ print $1, $9 }' log | sort | uniq -c >wanted
counts wanted 'two fields of a log' gpuhist --format=uniq -W -g1,9 log
counts wanted '... as --joint' gpuhist --format=uniq -W -f1,9 --joint log
counts wanted '... as a group and a field' \
    gpuhist --format=uniq -W --group-by=1 -f9 log
for threads in 1 4; do
    counts wanted "... in small chunks, by $threads threads" \
        gpuhist --format=uniq -W -g1,9 -j$threads --chunk-size=1000 log
done
awk '{ c[$1 "\t" $9]++ } END { for (k in c) print k "\t" c[k] }' log |
    sort >wanted
counts wanted '... as awk counts them' gpuhist -W -g1,9 log
sed -i '1d' wanted
gpuhist -W -g1,9 log >out
! cmp -s out wanted
ok $? 'a lost combination would be seen'
cut -d '"' -f 1,2 log | sort | uniq -c >wanted
counts wanted 'long fields, as cut' gpuhist --format=uniq -d '"' -g1,2 log
gpuhist -W -g9 log >wanted
counts wanted 'one group alone is a field' gpuhist -W -f9 log

# The greatest groups, each whole: those of field 9 by lines.
awk '{ c[$9]++ } END { for (k in c) print c[k] "\t" k }' log |
    sort -k1,1nr -k2 | head -n 2 | cut -f 2 >top
while read -r status; do
    awk -v s="$status" '$9 == s { print $9 "\t" $1 }' log | sort | uniq -c |
        awk '{ print $2 "\t" $3 "\t" $1 }'
done <top >wanted
rest=$(awk 'NR == FNR { top[$1]; next } !($9 in top)' top log | wc -l)
printf '\\other\t\\other\t%d\n' "$rest" >>wanted
counts wanted '--top: groups by their totals' gpuhist -W -g9 -f1 --top=2 log
sed '$d' wanted >shorter
gpuhist -W -g9 -f1 --top=2 --no-other log >out 2>err
same out shorter '... --no-other'
is "$(cat err)" "gpuhist: warning: $rest records of other keys are not shown" \
    '... says how many'

# ---- --min-count leaves lines out of the groups that --top chooses ----

printf '%s\n' 'a x' 'a x' 'a y' 'b x' 'b y' 'b z' 'b z' 'c q' >lines
printf 'b\tz\t2\n\\other\t\\other\t6\n' >wanted
gpuhist -W -g1 -f2 --state=whole lines >lost
for shard in 1 2 3; do
    gpuhist -W -g1 -f2 --shard=$shard/3 --state=part$shard lines >lost
done
counts wanted 'a group is ranked by all of its lines' \
    gpuhist -W -g1 -f2 --top=1 --min-count=2 lines
counts wanted '... of a state' gpuhist --merge --top=1 --min-count=2 whole
counts wanted '... of shards' \
    gpuhist --merge --top=1 --min-count=2 part2 part3 part1
gpuhist -W -g1 -f2 --top=1 --min-count=2 --every=1 -o last lines
same last wanted '... of a snapshot'
sed 's/^/lines\t/' wanted >wanted_file
counts wanted_file '... --per-file' \
    gpuhist -W -g1 -f2 --top=1 --min-count=2 --per-file lines
printf 'b\tz\t2\na\tx\t2\n\\other\t\\other\t4\n' >wanted
counts wanted '... --sort=count' gpuhist -W -g1 -f2 --sort=count --min-count=2 lines
printf '\\other\t\\other\t8\n' >wanted
counts wanted '... a group without such a line' \
    gpuhist -W -g1 -f2 --top=1 --min-count=3 lines
awk '$1 == "a" { print $0, 9; next } { print $0, 1 }' lines >weights
printf 'a\tx\t18\n\\other\t\\other\t14\n' >wanted
counts wanted '... by the sum of its weights' \
    gpuhist -W -g1 -f2 --weights=3 --top=1 --min-count=2 weights
printf 'a 1\na 1\nb\n' >lines
printf '      2 a 1\n' >wanted
gpuhist -W -g1 -f2 --format=uniq --min-count=2 lines >out 2>err
same out wanted 'a line that has no place in a format'
is "$(cat err)" 'gpuhist: warning: 1 record lacks a field and is not shown' \
    '... is named once'

# ---- small ones ----

printf 'b\t1\na\t2\tx\na\t1\n\tz\nb\n' >lines
printf 'a\t1\t1\na\t2\t1\n' >a
printf 'b\t1\t1\nb\t\\N\t1\n' >b
printf '\tz\t1\n' >none
cat none a b >wanted
counts wanted 'a field that is missing, and an empty one' \
    gpuhist --tsv -g1 -f2 lines
cat a b none >wanted
counts wanted '--sort=count: groups, equal ones by value' \
    gpuhist --tsv -g1 -f2 --sort=count lines
printf 'a\t1\t1\na\t2\t1\n\tz\t1\nb\t1\t1\n' >wanted
gpuhist --tsv -g1 -f2 --sort=count --flow=hide lines >out 2>err
same out wanted '--flow=hide'
is "$(cat err)" 'gpuhist: warning: 1 record lacks a field and is not shown' \
    '... says so'
printf '2\ta\t1\t1\n2\ta\t2\t1\n2\tb\t1\t1\n2\tb\t\\N\t1\n2\t\tz\t1\n' >wanted
printf '3\ta\tx\t1\n3\ta\t\\N\t1\n3\tb\t\\N\t2\n3\t\t\\N\t1\n' >>wanted
gpuhist --tsv -g1 -f2,3 --sort=count lines >out
same out wanted 'several fields, each beside the groups'
printf 'field,field1,value,count\n2,,z,1\n2,a,1,1\n' >wanted
gpuhist --tsv -g1 -f2,3 --format=csv lines | head -n 3 >out
same out wanted '... in CSV'
printf 'field1,field3,count\n,\\N,1\na,x,1\n' >wanted
printf 'a,\\N,1\nb,\\N,2\n' >>wanted
counts wanted 'special rows in CSV' \
    gpuhist --tsv -g1 -f3 --format=csv lines
printf 'fieldNF\tfieldNF-1\tcount\tpercent\n1\ta\t1\t20\n1\tb\t1\t20\n' >wanted
gpuhist --tsv -gNF,NF-1 --header-out --percent lines | head -n 3 >out
same out wanted 'fields from the end, by name'
printf 'a\0b\tc\n' >zero
printf '{"axes":[{"field":1,"name":"field1","type":"key"},\n' >wanted
printf '{"field":2,"name":"field2","type":"key"}],\n' >>wanted
printf '"bins":[\n{"field1":"a\\u0000b","field2":"c","count":1}],\n' >>wanted
gpuhist --tsv -g1,2 --format=json zero | sed -n 3,6p >out
same out wanted 'a NUL in JSON'
printf 'a\0b\tc\t1\n' >wanted
counts wanted '... in TSV' gpuhist --tsv -g1 -f2 zero
: >empty
counts empty 'nothing' gpuhist --tsv -g1 -f2 empty
counts empty '... ranked' gpuhist --tsv -g1 -f2,3 --top=3 empty
printf '\n' >lines
printf '\\N\t\\N\t1\n' >wanted
counts wanted 'a record without fields' gpuhist -q -W -g1,2 --top=1 lines

# ---- long tuples: the buffer grows ----

head -c 300000 /dev/zero | tr '\0' x >long
head -c 300000 /dev/zero >zeros
{
    printf 'a\tb\n'
    cat long
    printf '\tb\nc\t'
    cat long
    printf '\na\tb\n'
    cat zeros
    printf '\t'
    cat long
    printf '\na\tb\n'
} >lines
sort lines | uniq -c >wanted
counts wanted 'fields of 300 kB' gpuhist --tsv -g1,2 --format=uniq lines
{
    cat zeros
    printf '\t'
    cat long
    printf '\t1\n'
} >wanted
gpuhist --tsv -g1,2 lines | head -n 1 >out
same out wanted '... of NUL'
seq 300000 | sed 's/$/ x/' >lines
awk '{ n = $1 % 250000; print n % 1000, n * 7 % 90001 }' lines >pairs
sort lines | uniq -c >wanted
counts wanted '300,000 combinations in 64 MiB' \
    gpuhist -W -g1,2 --format=uniq --memory-limit=64Mi lines
counts wanted '... in 9 MiB and files' \
    gpuhist -W -g1,2 --format=uniq --memory-limit=9Mi lines
gpuhist -W -g1,2 --memory-limit=9Mi -v lines >out 2>err
grep -q 'keys beyond --memory-limit' err
ok $? '... says so'
for groups in '-g1 -f2' '-g2 -f1' '-g1,2'; do
    for order in '' '--sort=count' '--top=7' '--min-count=2'; do
        has_turn 5 || continue
        # shellcheck disable=SC2086 # several options
        gpuhist -W $groups $order pairs >wanted
        # shellcheck disable=SC2086
        gpuhist -W $groups $order --memory-limit=9Mi -v pairs >out 2>err
        same out wanted "... $groups $order"
        grep -q 'keys beyond --memory-limit' err
        ok $? '... from files'
    done
done
refused 1 '... not even one thread in 400 kB' \
    gpuhist -W -g1,2 --memory-limit=400k lines

# ---- what makes no sense ----

refused 2 'groups of binary samples' gpuhist -g1 lines
grep -q -e '--group-by needs --delimiter, ' err
ok $? '... names what is missing'
refused 2 'groups of whole lines' gpuhist -l -g1 lines
refused 2 'one field is not joint' gpuhist -W -f1 --joint lines
refused 2 'a field twice' gpuhist -W -g1 -f1 lines
grep -q -e "--fields=1: '1' is " err
ok $? '... is named'
refused 2 'no field' gpuhist -W -g0 lines
grep -q -e "--group-by=0: '0' is not a field" err
ok $? '... is named'
refused 2 '65 fields' gpuhist -W -g1-64 -f65 lines
refused 2 '... joint' gpuhist -W -f1-65 --joint lines
for option in --stats --density --format=npy --flow=clamp --percentiles=50; do
    refused 2 "-g1,2 $option" gpuhist -W -g1,2 $option lines
done

printf 'a 1\na 1\nb\n' >lines
printf 'a\t1\t2\n' >wanted
counts wanted 'rows that --flow hides are no others' \
    gpuhist -q -W -g1,2 --flow=hide --min-count=2 lines

# ---- anything ----

python_checks "$srcdir/tests/cli/groups_oracle.py"

done_testing
