# SPDX-License-Identifier: MIT
# merge.sh -- --state and --merge: the sum of states is one run over all inputs
#
# What is wanted is what the program prints of all inputs together.
# shellcheck shell=sh disable=SC2154,SC2086

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

# A GPU counts none of this.
device=--device=cpu

# like STATE STATE: whether two states have the same lines, but for the inputs.
like()
{
    awk 'FNR == 1 { file++ }
        /^part\t/ || /^end\t/ { next }
        { sub(/\thash=.*/, "") } # it includes the inputs
        file == 1 { line[++first] = $0 }
        file == 2 && line[++second] != $0 { print FILENAME ": " $0; bad = 1 }
        END { exit bad || first != second }' "$1" "$2"
}

# merges NAME COUNTING PRINTING [PART...]: one test: states of the files PART (p1
# and p2) that are made with the options COUNTING and merged in another order
# print with PRINTING what one run prints, and are the state of one run.
merges()
{
    merges_name=$1
    merges_counting=$2
    merges_printing=$3
    shift 3
    [ $# -gt 0 ] || set -- p1 p2
    merges_states=
    for merges_part in "$@"; do
        gpuhist $device -q $merges_counting --format=state "$merges_part" \
            >"$merges_part.state"
        merges_states="$merges_part.state $merges_states"
    done
    gpuhist $device -q $merges_counting $merges_printing --state=all "$@" \
        >wanted 2>&1
    # The last two first, and their sum before the others.
    if [ $# -gt 2 ]; then
        gpuhist -m --state=sum-of-some -o sum-of-some.rows "$3.state" "$2.state"
        merges_states="sum-of-some $1.state"
    fi
    gpuhist -mq $merges_printing --state=sum $merges_states >got 2>&1 &&
        [ -s wanted ] && cmp wanted got >why && like all sum >why
    ok $? "$merges_name: $merges_counting $merges_printing" ||
        cat why got | head -n 6 | tr -c '\n\t -~' '?' | sed 's/^/# /'
}

# ---- samples ----

noise 3200 >all-noise
head -c 640 all-noise >p1
tail -c +641 all-noise >p2
merges bytes '' ''
merges bytes --shift=4 '--format=csv --percent --cumulative'
merges bytes '' '--stats=only --percentiles=1,50,99.9'
merges 'range=auto, 16 bits' '--dtype=i2 --bins=9' --plot=only
merges 'range=auto, 64 bits' '--dtype=i8 --bins=11' --format=npy
merges logarithmic '--dtype=u2 --log --subdiv=2' --sort=count
merges logarithmic '--dtype=i4 --log=10 --closed=right' --format=prom
merges joint '--record=u1,i2,u1 --fields=1,2 --joint -b 5 -b 4' --header-out
merges weights '--record=u1,i2,u1 --weights=2 --fields=1,3 --mask=3' ''
merges 'weights f4' \
    '--record=u1,f4,u1 --weights=2 --fields=1 --mask=7 --partial=drop' ''
merges 'weights, joint' \
    '--record=u1,i4,u1,x*2 --weights=2 --joint --fields=1,3 --mask=1' ''
merges 'what occurs' '--dtype=u4 --nonzero' --top=3
merges 'what occurs' '--record=>f8,u1 --nonzero --partial=drop' \
    '--nonzero --format=md'
# Numbers whose ranges are far apart.
awk 'BEGIN { for (i = 0; i < 99; i++) print i * i / 7 > "p1"
    for (i = 0; i < 30; i++) print 3 - i * 1e-3 > "p2"; print 1e9 > "p3"
    print "x" > "p3"; print "" > "p3" }'
merges 'ranges that grow' '-W -f1 --bins=8' '--flow=show --stats' p1 p2 p3

# ---- text ----

awk 'BEGIN {
    for (i = 0; i < 300; i++) {
        s = (s * 69069 + 1) % 4294967296
        r = int(s / 65536)
        print "name," (r % 3 ? "" : "\"a") "k" r % 17 (r % 3 ? "" : ",\"") \
            "," r % 1000 / 100 "," r % 5 > "rows" i % 2 + 1
    }
}'
for part in 1 2; do
    { echo 'who,"what, where",amount,kind' && cat rows$part; } >p$part
done
printf 'name,\\\\,-1.5e3,\\t\nname,	tab,,9\nname,\\N\nname,,x,0\n' >>p2
: >empty
merges lines -l '' p1 empty p2
merges lines '-l --prefix=9' --top=5
merges words --words '--min-count=2 --no-other'
merges words --words '--max-count=2 --top=9'
merges 'CSV by name' '--csv -f kind,who' --format=uniq empty p2 p1
merges groups '--csv -g kind -f amount --dtype=num' --top=2
merges 'groups with bins' '--csv -H -g kind -f 3 -b 6' --flow=show p2 p1 empty
merges tuples '--csv -H --joint -f 2,4' --sort=count
merges 'tuples of numbers' '--csv -H --joint -f 3,4 --dtype=num' --svg=picture
merges 'keys, numbers and bins' '--csv -H -g 2 -f 3,4 -b 5 -b 4' --format=csv
merges 'whole numbers' '-d, -H -f 4 --dtype=int' --plot=only
merges 'joint bins' '--csv -H --joint -f 3,4 --range=0,10 --bins=5' ''
merges 'sums of decimals' '--csv -g 4,1 --weights=3' --percent rows1 rows2
merges 'sums in bins' '--csv -f 4 --weights=3 --bins=4' '' rows1 rows2
printf '0 2.5\n1e1,\n40\n' >edges
merges 'edges of a file' '--csv -f 3 --edges=@edges' --header-out
rm edges
counts wanted '... which is not needed for the sum' \
    gpuhist -mq --header-out sum

# A spectrum has no state of its own.
gpuhist $device --csv -f 2 --spectrum p1 p2 >wanted
for part in 1 2; do
    gpuhist $device --csv -f 2 --state=s$part p$part >out
done
counts wanted 'the spectrum of a sum' gpuhist -m --spectrum s1 s2

# ---- sequences, images and arrays ----

printf '>a\nACGTNacgtta\nGGATTACA\n>b\nTTTTTTTT\n>c\n\n>d\nACG\n' >p1
printf '@r\nGATTACA\n+\nIIII!!~\n' >p2
merges bases --seq --format=csv
merges 'k-mers in cells' --kmers=3 --full
merges 'k-mers' '--kmers=9 --canonical' --top=4
merges 'several histograms' \
    '--seq -f base --joint -f position,base -f length' ''
merges lengths '--seq -f length,gc -b 4' --stats
for part in 1 2; do
    printf '@r\nGAT%sA\n+\nI!#I%s\n' $part $part | tr 12 AN >p$part
    gpuhist $device --seq --format=fqchk --state=s$part p$part >out
done
gpuhist $device --seq --format=fqchk p1 p2 >wanted
counts wanted fqchk gpuhist -m --format=fqchk s1 s2
gpuhist $device --seq --joint -f position,base,quality p1 p2 >wanted
counts wanted '... whose state other formats print' gpuhist -m s2 s1
for part in 1 2; do
    printf 'P6 2 1 255\nab%scde' $part >p$part
done
merges images '--image --bins=4 --range=0,255' ''
merges 'a channel by its name' '--image -f blue,red --joint -b4 --range=0,256' ''
header="{'descr': [('x', '<u2'), ('', '|V1'), ('y', '>i2')], "
header="$header'fortran_order': False, 'shape': (2,), }"
for part in 1 2; do
    printf '\223NUMPY\1\0\166\0%-117s\nabcdefgh%s%s' "$header" $part $part \
        >p$part
done
merges arrays '--npy -f x,y --bins=4' ''
gpuhist $device --npy -f y --nonzero --format=json p1 p2 |
    sed '1s/"options.*"bytes"/"bytes"/' >wanted
for part in 1 2; do
    gpuhist $device --npy -f y --state=s$part -o out p$part
done
gpuhist -m --nonzero --format=json s1 s2 | sed '1s/"options.*"bytes"/"bytes"/' |
    cmp - wanted
ok $? 'JSON, but for the inputs'

# ---- files with states ----

printf 'a\nb\n' >p1
printf 'b\nc\n' >p2
: >p3
gpuhist -l p1 p2 p3 >wanted
for part in 1 2 3; do
    gpuhist -l --state=s$part p$part >out
done
cat s1 s3 s2 >several
counts wanted 'several states in a file' gpuhist -m several
counts wanted 'standard input' gpuhist -m <several
counts wanted 'standard input and files' gpuhist -m s1 - s3 - <s2
if [ "$HAVE_GZIP" = yes ]; then
    gzip -c several >several.gz
    counts wanted 'compressed' gpuhist --merge several.gz
else
    skip 'compressed' 'built without gzip'
fi
printf 's1\0s2\0' | gpuhist -m --files0-from=- >out
same out wanted '--files0-from'
is "$(gpuhist -m --explain several 2>&1 >out | tail -n 1 |
    cut -d' ' -f 1-6)" 'merge: 3 states with 4 rows' '--explain'
gpuhist -l --state=both -o rows p1 p2
cmp rows wanted && gpuhist -m --state=other -o rows s1 s2 && like both other
ok $? '--state beside --output'

# ---- what is refused ----

says 1 'p1: line 1: no state of gpuhist begins here' 'a file that is no state' gpuhist -m p1
says 1 'p3: has no state' 'an empty file' gpuhist -m s1 p3
refused 1 'a missing file' gpuhist -m s1 missing
gpuhist -l -z --state=other p1 >out
refused 1 'other records' gpuhist -m s1 other
gpuhist --words --state=other p1 >out
refused 1 'other options' gpuhist -m s1 other
sed "\$d" s1 >short
refused 1 'no end' gpuhist -m s2 short
sed 's/^option	--lines$/option	--edges=@s1/' s1 >hostile
refused 1 'a hostile option' gpuhist -m hostile
for option in -l --dtype=u1 -W; do
    refused 2 "$option" gpuhist -m $option s1
done
for option in --every=1s --per-file --skip-bytes=1 --members; do
    refused 2 "$option" gpuhist -m $option s1
done
says 2 '--state and --format=state exclude each other' 'one state' \
    gpuhist --state=x --format=state p1
for option in --state=x --format=state; do
    says 2 'a state has keys, and no spectrum: --merge --spectrum makes one '\
'from states' "$option --spectrum" gpuhist -l --spectrum $option p1
done
refused 2 'the same file' gpuhist -l --state=s1 -o ./s1 p1

# ---- a state without --merge ----

a_state='s1: a state of gpuhist; use --merge (standard input may have any bytes)'
for options in '' -l --dtype=u2 '--tsv -f 1 -H' '--threads=1 -W -f 2' --npy; do
    says 1 "$a_state" "a state without --merge: $options" gpuhist $options s1
done
refused 1 '... beside other files' gpuhist -l p1 s1
grep 's1: a state of' err >why
ok $? '... of which it is said'
if [ "$HAVE_GZIP" = yes ]; then
    gzip -c s1 >s1.gz
    refused 1 '... compressed' gpuhist -l s1.gz
else
    skip '... compressed' 'built without gzip'
fi
gpuhist -l <s1 >bytes && [ -s bytes ]
ok $? 'the bytes of a state are counted from standard input'
counts bytes '... which has a name' gpuhist -l - <s1

# Blocks of rows are added side by side: the first wrong line is named.
seq 200000 300000 | gpuhist -l --state=long -o out
seq 300000 | gpuhist -l --state=longer -o out
sed 's/^30000	1$/30000	x/; s/^99999	1$/99999	x/' longer >bad
line=$(awk '/	x$/ { print FNR; exit }' bad)
for threads in 1 2 7; do
    says 1 "bad: line $line: the row is damaged" "a wrong row, -j$threads" \
        gpuhist -m -j$threads long bad short
done
{ sed '/^rows	/,$d' s1 && printf 'rows\t1\t1\n' && head -c 1500000 /dev/zero; } \
    >endless
says 1 "endless: line $(wc -l <endless | awk '{ print $1 + 1 }'): the line does \
not fit into --memory-limit: it may have 1048576 bytes" 'a line without an end' \
    gpuhist -m --memory-limit=4M endless
rm -f long longer bad endless

# ---- inputs that two states have ----

says 1 's1: p1 is already in both (--duplicates=allow counts it again)' \
    'twice' gpuhist -m both s1
refused 1 'a state twice' gpuhist -m s1 s2 s1
counts rows 'a state is left out' gpuhist -m --duplicates=skip both s1 s2
says 1 'both: p1 is already in another state, but p2 is not: nothing of this '\
'state can be skipped' 'a state that is left out in part' \
    gpuhist -m --duplicates=skip s1 both
gpuhist -l p1 p2 p1 >wanted-twice
counts wanted-twice 'a state is added again' \
    gpuhist -m --duplicates=allow both s1
gpuhist -l --state=s4 p1 p1 >out
counts out 'a run may count a file twice' gpuhist -m s4
few='s1 s2 s3 s1 s2 s3 s1 s2 s3 s1 s2 s3 s1 s2 s3'
# shellcheck disable=SC3045 # every shell that we meet has it
(ulimit -n 16 && gpuhist -m --duplicates=allow $few $few) >out
is "$(cat out)" "$(printf 'a\t10\nb\t20\nc\t10')" \
    'more states than descriptors'
if instrumented; then
    skip 'memory of a state' 'a sanitizer has memory of its own'
else
    # The parts are kept, and where the runs are.
    awk '{ line[NR] = $0 } END {
        for (i = 0; i < 9000; i++)
            for (n = 1; n <= NR; n++)
                print line[n]
    }' s1 >many
    few=$(peak -m -o out s1)
    many=$(peak -m -o out --duplicates=allow many)
    [ "$many" -lt $((few + 9000 * 2)) ]
    ok $? "$few KiB for a state, $many for 9000"
fi
seq 100 >log
gpuhist -l --state=old log >out
seq 150 >log
gpuhist -l --state=new log >out
refused 1 'a log that has grown' gpuhist -m old new
gpuhist -l --state=s5 p3 >out
gpuhist -m s5 s1 s3 s2 >out
same out wanted 'empty inputs are no duplicates'
# A log of each day has a head, and may have nothing else.
printf '# a log\n# of requests\n' >empty-log
for part in 1 2; do
    gpuhist --tsv -f1 --comment='#' --state=log$part empty-log >out
done
printf 'x\t1\n' >>empty-log
gpuhist --tsv -f1 --comment='#' --state=log3 empty-log >wanted-log
counts wanted-log 'comments are no duplicates' gpuhist -m log1 log2 log3
refused 2 '--duplicates without --merge' gpuhist --duplicates=skip p1

# A part without a number is no mistake: others may have some.
printf 'a\nb\n' >letters
printf '1\nc\n5\n' >digits
for part in letters digits; do
    gpuhist -l --dtype=num -b2 --range=0,10 --state=$part.state $part >out
done
gpuhist -l --dtype=num -b2 --range=0,10 letters digits >numbers
gpuhist -m digits.state letters.state >out
same out numbers 'a part without a number'
refused 1 'no number at all' gpuhist -l --dtype=num -b2 --range=0,10 letters
# A state does not tell which value is the first one.
sed 's/ (the first is .*);/;/' err >no-number
refused 1 '... in a merge' gpuhist -m letters.state
same err no-number '... is the same error'
gpuhist -m --state=still letters.state >out && gpuhist -m still digits.state >out
same out numbers '... unless the sum is a part, too'
for options in '-f1 --dtype=int' '-g2 -f1 -b3 --range=0,9' \
    '--joint -f2,3 --dtype=num' '--joint -f2,3 -b4 -b4'; do
    printf 'a 1 x\nb  y\n' | gpuhist -W $options --state=none >out
    refused 1 "no number: $options" gpuhist -m none
done

# A file without a state may be one long line.
head -c 3000000 /dev/zero >zeros
refused 1 'zeros' gpuhist -m zeros
is "$(grep -c 'no state of gpuhist begins here' err)" 1 '... are no state'

# ---- a file that is replaced by itself and more ----

cp s1 total
gpuhist -m --state=total total s2 >out
same out wanted 'the new sum is printed'
counts wanted '... and is the state' gpuhist -m total
cp total old
refused 1 'a sum with a bad state' gpuhist -m --state=total total short
same total old '... leaves the old file'

# Who replaces it waits for the others: none of their counts is lost.
for turn in 1 2 3 4 5 6; do
    echo "$turn" | gpuhist -l --state=new$turn >out
done
for turn in 1 2 3 4 5 6; do
    gpuhist -m --state=total total new$turn >out$turn &
done
wait
is "$(gpuhist -m total | grep -c '^[1-6]	1$')" 6 'several at once'

refused 1 'what has been counted' gpuhist -m --state=total total new3

# One that is killed while it reads leaves the old file.
cp total old
mkfifo fifo
"$GPUHIST" -m --state=total total fifo >out 2>err &
killed=$!
exec 9>fifo
kill -9 $killed
wait $killed 2>err
exec 9>&-
same total old 'killed'
gpuhist -m --duplicates=allow --state=total total s1 >out
ok $? '... and the lock is gone'

done_testing
