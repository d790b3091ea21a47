# SPDX-License-Identifier: MIT
# wide.sh -- more than a million lines, which several threads print
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

noise 60000 >data

# wide ARGUMENT...: in the order of values, so by several threads.
wide()
{
    gpuhist -q "$@" data
}

# ---- an oracle ----

lines=1060000
od -An -v -tu4 data | awk -v lines=$lines '
    { for (i = 1; i <= NF; i++) $i < lines ? n[$i]++ : over++ }
    END {
        for (v = 0; v < lines; v++) printf "%d\t%d\n", v, n[v]
        if (over) printf "inf\t%d\n", over
    }' >wanted
awk -v OFS='\t' '{ sum += $2; print $1, $2, sum }' wanted >wanted-cumulative
tr '\t' , <wanted | sed '1i\
value,count' >wanted-csv
values=--range=0,$lines

sed '700000s/0$/1/' wanted >wrong
wide -j3 --dtype=u4 "$values" >out
cmp -s out wrong && echo "Bail out! a wrong count is not seen" && exit 99

for threads in 1 2 3 40; do
    ! has_turn 3 || counts wanted "$threads threads: a table" \
        wide -j $threads --dtype=u4 "$values"
done

# ---- threads that count in one table ----

# The records in turn, and most of them in one bin.
turn=0
while [ $turn -lt 3 ]; do
    cat data
    head -c 120000 /dev/zero
    turn=$((turn + 1))
done >many
awk -v OFS='\t' '{ print $1, 3 * $2 + ($1 == "0" ? 90000 : 0) }' \
    wanted >wanted-many
# many ARGUMENT...: in chunks of a few records.
many()
{
    gpuhist -q --device=cpu --chunk-size=4Ki --dtype=u4 "$values" "$@" many
}
for threads in 1 2 3 40; do
    ! has_turn 3 || counts wanted-many "most records in one bin, $threads threads" \
        many -j $threads
done
many -j 3 --every=256Ki -o written-many
same written-many wanted-many '... and snapshots'
counts wanted-many '... and little memory' many -j 3 --memory-limit=14Mi

# ---- as other tests print it ----

counts wanted-cumulative 'cumulative counts' \
    wide -j 3 --dtype=u4 "$values" --cumulative
counts wanted-csv 'csv' wide -j 3 --dtype=u4 "$values" --format=csv
grep -v '	0$' wanted >wanted-nonzero
counts wanted-nonzero '--nonzero' wide -j 3 --dtype=u4 "$values" --nonzero
awk '{ printf "%7s %s\n", $2, $1 }' wanted-nonzero >wanted-uniq
counts wanted-uniq 'uniq' wide -j 3 --dtype=u4 "$values" --format=uniq
wide -o written -j 3 --dtype=u4 "$values"
same written wanted '-o FILE'

# ---- as one thread prints it, which other tests check ----

# alike ARGUMENT...: one test: three threads print what one does.
alike()
{
    wide -j 1 "$@" >one 2>one-says
    one=$?
    wide -j 3 "$@" >three 2>three-says
    three=$?
    # In json the options are printed.
    case $* in *json*) sed -i 's/"-j","[13]"/"-j"/' one three ;; esac
    cmp -s one three
    is "$? $one $three" '0 0 0' "$*"
}

columns='--cumulative --density --percent --flow=show'
for format in tsv csv md json jsonl; do
    # shellcheck disable=SC2086 # several words
    ! has_turn 2 || alike --format=$format $columns --dtype=f4 -b 1060000 --range=-1,1
done
alike --format=npy --dtype=f4 -b 1060000 --range=-1,1
alike --format=uniq --dtype=f4 -b 1060000 --range=-1,1
# Slices that do not fit into a buffer.
alike --format=json --record=u1,u1,u2 --joint --shift=0 --shift=0 --shift=11
alike --record=f4,i4 --weights=2 -b 1060000 --range=0,5 --cumulative
alike --record=i4,f4 --weights=2 -b 1060000 --range=0,1e9 --format=npy

# ---- what fails ----

write_error='gpuhist: standard output: write error'
if [ -c /dev/full ]; then
    wide -j 3 --dtype=u4 "$values" >/dev/full 2>err
    is "$?:$(cat err)" "1:$write_error: No space left on device" 'a full disk'
    wide -j 3 --dtype=u4 "$values" -o /dev/full 2>err
    is "$?:$(cat err)" \
        '1:gpuhist: /dev/full: cannot write: No space left on device' \
        'a full disk, -o'
else
    skip 'a full disk' 'no /dev/full'
fi
if sh -c 'kill -PIPE $$' 2>kill-says; then
    skip 'a pipe that is closed early' 'SIGPIPE is ignored here'
else
    {
        "$GPUHIST" -q -j 3 --dtype=u4 "$values" data 2>err
        echo $? >status
    } | head -n 3 >out
    head -n 3 wanted >wanted-three
    same out wanted-three 'a pipe that is closed early: the first lines'
    is "$(cat status):$(cat err)" '141:' '... silent, by SIGPIPE'
fi
(
    trap '' PIPE
    {
        "$GPUHIST" -q -j 3 --dtype=u4 "$values" data 2>err
        echo $? >status
    } | head -n 3 >out
)
is "$(cat status):$(cat err)" "1:$write_error: Broken pipe" \
    'a pipe that is closed early, SIGPIPE ignored'

done_testing
