# SPDX-License-Identifier: MIT
# total.sh -- --per-file --total: the counts of all inputs after those of each
#
# What is wanted is what one run over all inputs prints.
# shellcheck shell=sh disable=SC2154,SC2016,SC2094

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

printf 'aab' >a
printf 'hello\n' >b
: >empty
noise 1000000 >noise

# ---- what is refused ----

says 2 '--total needs --per-file' 'alone' gpuhist --total a
says 2 "--total adds up counts of keys, and --spectrum has none: leave one of \
them out" '--spectrum' gpuhist --per-file --total --kmers=3 --spectrum a
says 2 '--merge and --total exclude each other' '--merge' \
    gpuhist --merge --total a
says 2 "--per-file: --format=prom has no place for the names of files; tsv, \
csv, md, table, json and jsonl have" '--format=prom' \
    gpuhist --per-file --total --format=prom a
cp a total
says 2 "--total: the rows of all inputs have the name 'total': write ./total \
for the file" 'a file called total' gpuhist --per-file --total b total
printf '%s\t97\t2\n%s\t98\t1\n' ./total ./total total total >wanted
counts wanted '... by another name; one input has a total, too' \
    gpuhist --per-file --total --nonzero ./total
printf 'b\0total\0' >names
refused 2 '... in --files0-from' gpuhist --per-file --total --files0-from=names
if test "$HAVE_ARCHIVE" = yes; then
    tar -cf archive total
    printf '%s\t97\t2\n%s\t98\t1\n' 'archive: total' 'archive: total' total \
        total >wanted
    counts wanted '... in an archive' \
        gpuhist --per-file --total --nonzero --members archive
    mv archive total
    sed 's/^archive/total/' wanted >renamed
    counts renamed 'an archive called total' \
        gpuhist --per-file --total --nonzero --members total
else
    skip 'names in archives' 'built without libarchive'
fi

# ---- a total ----

gpuhist --nonzero a b empty noise a | sed 's/^/total	/' >total.rows
gpuhist --per-file --nonzero a b empty noise a | cat - total.rows >wanted
for options in -j1 -j8 '-j3 --chunk-size=4096'; do
    # shellcheck disable=SC2086 # several options
    counts wanted "bytes: $options" \
        gpuhist --per-file --total --nonzero $options a b empty noise a
done
echo old >file
counts /dev/null '-o' \
    gpuhist --per-file --total --nonzero -ofile a b empty noise a
same file wanted '... replaces the file'
gpuhist --per-file --total --nonzero - a <b | tail -n 7 >out
cat a b | gpuhist --nonzero | sed 's/^/total	/' >wanted
same out wanted 'standard input'
gpuhist --per-file --total --stats=only a b | tail -n 1 >out
cat a b >both
gpuhist --per-file --stats=only both | tail -n 1 | sed 's/^both/total/' >wanted
same out wanted 'statistics'
is "$(gpuhist --per-file --total --format=json a b |
    grep -c '"file":"total","bytes":9,')" 1 'an object of JSON'

# Warnings are of the inputs, once.
gpuhist --per-file --total --flow=hide --range=0,98 a b 2>err >out
is "$(cat err)" 'gpuhist: warning: 6 values are in no bin and not shown' \
    'values that no file shows'

# ---- as --merge adds up ----

awk 'BEGIN { for (i = 0; i < 40000; i++) print i * 7919 % 30011, i % 7, i / 8 }' >one
awk 'BEGIN { for (i = 9000; i < 30000; i++) print i * 31 % 50021, i % 5, i / 3 }' >two
# merged OPTION...: one test
merged()
{
    for merged_name in one two; do
        gpuhist -W "$@" --state=$merged_name.state $merged_name >/dev/null
    done
    gpuhist -W "$@" one two | sed 's/^/total	/' >wanted
    gpuhist --merge one.state two.state | sed 's/^/total	/' >merged.rows
    gpuhist -W --per-file --total "$@" one two | grep '^total	' >out
    cmp -s merged.rows wanted && cmp -s out wanted
    ok $? "as --merge: $*"
}
merged -g1
# What one run over all inputs writes.
for options in -g1 '-g2 -f3 -b7 --range=auto' '-g2 -f3 --columns=p50' '-g2 -f3 --columns=mean'; do
    # shellcheck disable=SC2086 # several options
    gpuhist -W $options --state=wanted.state one two >/dev/null
    # shellcheck disable=SC2086
    gpuhist -W $options --per-file --total --state=got.state one two >/dev/null
    same got.state wanted.state "--state: $options"
done
says 2 '--state with --per-file is of all inputs: give --total' 'only --state' \
    gpuhist --per-file --state=no.state one
merged -g2 -f3 -b7 --range=auto
merged -f1 --weights=3

# ---- more keys than memory ----

for name in one two; do
    gpuhist -q -W -f1 --sort=count $name | sed "s/^/$name	/"
done >wanted
gpuhist -q -W -f1 --sort=count one two one | sed 's/^/total	/' >total.rows
grep '^one' wanted | cat wanted - total.rows >all.rows
for threads in 1 8; do
    counts all.rows "more keys than memory, $threads threads" gpuhist -q -W -f1 \
        --sort=count --per-file --total --memory-limit=4Mi -j$threads one two one
done
mkdir tmp
TMPDIR=$PWD/tmp timeout 120 "$GPUHIST" --per-file --total -l one two >/dev/null
is "$? $(find tmp -mindepth 1 | wc -l)" '0 0' '... and nothing is left'
TMPDIR="$PWD/none" timeout 120 "$GPUHIST" --per-file --total -l one two >out 2>err
is "$? $(cat out)" '1 ' 'no $TMPDIR for keys'
grep -q "^gpuhist: .*cannot make a temporary file in $PWD/none (TMPDIR): No such" err
ok $? '... says so'
printf 'x\t9223372036854775807\n' >large
says 1 '--total: the counts add up to more than 18446744073709551615' \
    'a total above 64 bits' gpuhist --counts --tsv -g1 --per-file --total \
    large large large

# ---- an input that fails ----

refused 1 'a file that is not there' gpuhist --per-file --total a missing b
is "$(cat err)" 'gpuhist: missing: cannot open: No such file or directory' \
    '... is named'

# ---- members and arrays ----

if [ "$HAVE_ARCHIVE" = yes ] && command -v tar >tar-path; then
    tar -cf ar.tar a empty b
    tar -cf none.tar -T /dev/null
    {
        gpuhist --members --per-file --nonzero ar.tar
        gpuhist --members --nonzero ar.tar | sed 's/^/total	/'
    } >wanted
    counts wanted 'members' \
        gpuhist --members --per-file --total --nonzero none.tar ar.tar
    printf 'file,line,count\n' >wanted
    counts wanted 'an archive without files' \
        gpuhist --members --per-file --total -l --format=csv none.tar
fi

# ---- a column for each input ----

gpuhist -W -g1 --per-file one two one | gpuhist --counts --tsv -g2 -f1 --pivot \
    --header-out --rename=field2=field1 >wanted
counts wanted 'the table of the rows' gpuhist -W -g1 --per-file --pivot one two one
printf 'key,file\nx,y\n' >file.csv
printf 'key\tfile\tfile.csv\nx\ty\t1\n' >wanted
counts wanted 'a key called file' \
    gpuhist --csv -g key,file --per-file --pivot file.csv
is "$(gpuhist --csv -g 'file,"key"' --per-file --pivot --format=json file.csv |
    grep -c '"file_2":"file.csv","count":1')" 1 '... in JSON'
for options in '-W -g1 -f3 -b4' '-W -f1 --dtype=int' '-W -g1 --weights=3' --nonzero; do
    # shellcheck disable=SC2086 # several options
    says 2 '--per-file --pivot counts keys: --lines, --words, --kmers, --group-by or --fields '\
'without numbers, bins and weights' "$options" gpuhist $options --per-file --pivot one
done
says 2 '--pivot and --total exclude each other' '--total' \
    gpuhist -l --per-file --pivot --total one
printf '>a\nACGTN\n' >a.fa
printf '>b\nACACA\n' >b.fa
printf '%s\t%s\t%s\n' kmer a.fa b.fa AC 1 2 CA 0 2 CG 1 0 GT 1 0 >wanted
gpuhist --kmers=2 --per-file --pivot a.fa b.fa 2>err >out
same out wanted 'k-mers'
is "$(cat err)" 'gpuhist: warning: 1 value is in no bin and not shown' '... but those with N'
gpuhist -W -g1,4 --per-file --pivot one 2>err >out
is "$(cat err)" 'gpuhist: warning: no record has field 4' 'a warning'
refused 1 'a table of a file that is not there' \
    gpuhist -l --per-file --pivot one missing

# ---- many inputs ----

i=0
while [ $i -lt 300 ]; do
    echo one two both a
    i=$((i + 1))
done | tr ' \n' '\0\0' >few
cat few few few >many
if instrumented || ! python3 -c '' 2>python-says; then
    skip 'memory' 'a sanitizer has memory of its own, or no python3'
else
    small='-j2 --chunk-size=64Ki --per-file --total --read-bytes=4000 -ofile'
    for options in '-l --memory-limit=16Mi' '--dtype=u1 -b5 --range=auto' --stats=only; do
        # shellcheck disable=SC2086 # several options
        few=$(peak $small $options --files0-from=few)
        # shellcheck disable=SC2086
        many=$(peak $small $options --files0-from=many)
        [ "$many" -lt $((few + 1000)) ]
        ok $? "$few KiB for 1200 inputs, $many for 3600: $options"
    done
fi

# Runs of keys are merged as they become many, and moved to wider bins.
mkdir growing
awk 'BEGIN { for (f = 1; f <= 60; f++) { name = "growing/" f
    for (i = 0; i < 90; i++) print i * 31 % 11 * f, f * f * i / 7 >name
    close(name) } }'
(cd growing && printf '%s\0' *) >growing.names
# growing OPTION...: one test
growing()
{
    (cd growing && gpuhist -q -W "$@" --files0-from=../growing.names) |
        sed 's/^/total	/' >wanted
    (cd growing && gpuhist -q -W "$@" --per-file --total --memory-limit=8Mi \
        --files0-from=../growing.names) | grep '^total	' >out
    [ -s wanted ] && cmp -s wanted out
    ok $? "runs of many inputs: $*"
}
growing -g1
growing -g1 --weights=2
growing -g1 -f2 -b20 --range=auto
growing -g1 -f2 --columns=count,mean,p50,distinct

# ---- oracles ----

oracle()
{
    python3 -B "$srcdir/tests/cli/total_oracle.py" "$@"
}

if ! python3 -c '' 2>python-says; then
    skip 'oracles' 'no python3'
    done_testing
    exit
fi
drivers=
[ "$HAVE_NVCC" = no ] || drivers=$FAKE_CUDA_DIR
step=1
! instrumented || step=9
tell_length
checks rows oracle rows "$GPUHIST" "$drivers" $step
checks counts oracle counts "$GPUHIST"
# What threads do for it they do for the rows, too.
instrumented || checks table oracle table "$GPUHIST"

done_testing
