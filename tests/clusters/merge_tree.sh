# SPDX-License-Identifier: MIT
# merge_tree.sh -- groups of many states, and the sums of the groups
#
# 400 states; 10,000 with RUN_EXPENSIVE_TESTS.
# shellcheck shell=sh disable=SC2154,SC2046

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

last=19
! expensive || last=99

# shellcheck source=tests/clusters/recipes.sh
. "$srcdir/tests/clusters/recipes.sh"
recipe tree.sh
sed "s/99/$last/g" tree.sh >tree && mv tree tree.sh

# names DIRECTORY: those of all there, in order: the group, and which it is.
names()
{
    for group in $(seq -w 0 $last); do
        seq -f "$1/$group%02g" 0 $last
    done
}
mkdir objects states
names objects | awk '{ for (i = 0; i < 5; i++)
        print "line", i ? NR * i % 101 : NR >$0
    close($0) }'
names objects | xargs cat | gpuhist --lines >wanted
# shellcheck disable=SC2016 # for another shell
make_states='for object in "$@"; do
    "$GPUHIST" --lines --threads=1 --format=state "$object" \
        >"states/${object#*/}" || exit 255
done'
names objects | xargs -P 2 -n 100 sh -c "$make_states" sh
is "$(find states -type f | wc -l)" "$(names states | wc -l)" 'states of objects'

counts wanted 'all at once' gpuhist --merge --state=flat $(names states)
sh ./tree.sh
same wanted total.tsv 'as a tree'
counts wanted 'the groups in another order' \
    gpuhist --merge $(seq -f sums/%02g $last -1 0)
gpuhist --merge --state=tree $(seq -f sums/%02g 0 $last) >out
same flat tree 'the state of the tree is that of all at once'
cat states/* >all
counts wanted 'all in one file' gpuhist --merge all

# What is wrong is found where the groups meet.
mv sums/01 01
gpuhist --merge --format=state -o sums/01 01 states/0007
says 1 'sums/01: objects/0007 is already in sums/00 (--duplicates=allow counts it again)' \
    'a state in two groups' gpuhist --merge $(seq -f sums/%02g 0 $last)
mv states/0107 0107
sh ./tree.sh >out 2>err
is "$? $(grep -c '^gpuhist: states/0107: cannot open' err)" '123 1' \
    'a state that is missing'

for shard in $(seq 16); do
    gpuhist --lines --shard="$shard/16" --format=state -o "$shard.state" logs/*
done
gpuhist --merge --incomplete --format=state -o left [1-8].state
gpuhist --merge --incomplete --format=state -o right 9.state 1[0-46].state
says 1 'shard 15 of 16 is missing, of the run of right (--incomplete accepts that)' \
    'a shard in no group' gpuhist --merge left right
gpuhist --lines logs/* >wanted
counts wanted '... and later' gpuhist --merge left 15.state right

done_testing
