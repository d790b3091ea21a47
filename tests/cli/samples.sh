# SPDX-License-Identifier: MIT
# samples.sh -- typed samples in records and bins: what must hold for all
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

# warns WANTED MESSAGE NAME COMMAND...: COMMAND ends with 0, prints what is in
# the file WANTED, and says MESSAGE.
warns()
{
    warns_wanted=$1
    warns_message=$2
    warns_name=$3
    shift 3
    "$@" >out 2>err
    is "$? $(cat err)" "0 $warns_message" "$warns_name: the message"
    same out "$warns_wanted" "$warns_name: the counts"
}

# piped FILE ARGUMENT...: the program on a pipe.
piped()
{
    piped_file=$1
    shift
    # shellcheck disable=SC2002 # a redirected file would not be a pipe
    cat "$piped_file" | gpuhist "$@"
}

# total: the sum of the last column of standard input.
total()
{
    awk -F '\t' '{ sum += $NF } END { printf "%d\n", sum }'
}

has_zstd=no
if [ "$HAVE_ZSTD" = yes ] && command -v zstd >zstd-says; then
    has_zstd=yes
fi

# ---- the same bytes out, however they come in ----

# Both lengths, and those of all parts, are whole numbers of all records below.
noise 300000 >data
head -c 12000 data >short
head -c 240 data >part1
tail -c +241 data | head -c 1200 >part2
tail -c +1441 data >part3
: >part4
[ "$has_zstd" = no ] || zstd -q data part2 part3

# 2, 2, 4, 8, 8, 4, 4, 8, 15, 10, 8 bytes long; the last is of many cells.
cat >specs <<'EOT'
--dtype=u2
--dtype=>i2 -b300 --closed=right
--dtype=f4 -b7 --range=-1e-3,1e3
--dtype=>f8 --log=10 --flow=show
--record=u1,>i4,x,f2 -f3,1 -b9 --range=-3,99
--record=u1,>u2,u1 --joint --shift=5 --mod=3
--record=<f2,i1,x -f1,2 --edges=-1,0,1 --edges=- --range=- --range=-9,4
--record=u2,f4,x*2 --weights=2 --shift=8
--record=i4,f8,x*3 --weights=2 --mod=10
--record=u1,>i8,x --weights=2 --nonzero
--record=u4,u4 --joint --shift=22 --nonzero --memory-limit=1Gi
EOT
while read -r spec; do
    # shellcheck disable=SC2086 # several words
    set -- $spec
    gpuhist "$@" data >wanted
    gpuhist "$@" short >wanted-short
    if [ ! -s wanted ] || cmp -s wanted wanted-short; then
        echo "Bail out! $spec: nothing to compare"
        exit 99
    fi
    for size in 1 7 64 4099; do
        counts wanted-short "$spec: --chunk-size=$size" \
            gpuhist "$@" --chunk-size=$size short
    done
    counts wanted "$spec: chunks, one thread" \
        gpuhist "$@" --chunk-size=4Ki -j1 data
    counts wanted "$spec: chunks, many threads" \
        gpuhist "$@" --chunk-size=10007 -j5 data
    counts wanted "$spec: a pipe" piped data "$@" --chunk-size=5000
    counts wanted "$spec: parts" gpuhist "$@" part1 part2 part3 part4
    counts wanted "$spec: parts, another order" \
        piped part2 "$@" --chunk-size=333 part4 part3 - part1
    if [ $has_zstd = yes ]; then
        counts wanted "$spec: zstd" gpuhist "$@" --chunk-size=9999 data.zst
        counts wanted "$spec: zstd and not" \
            gpuhist "$@" -j3 part3.zst part1 part2.zst
    else
        skip "$spec: zstd" 'no zstd'
    fi
done <specs

# ---- --skip-bytes and --read-bytes ----

# between SKIP READ: what is left of standard input.
between()
{
    tail -c "+$(($1 + 1))" | head -c "$2"
}

for skip in 0 1 5000 131072 300000; do
    for read in 0 3 4096 150001 1000000000; do
        has_turn 2 || continue
        between $skip $read <data | oracle >wanted
        set -- --skip-bytes=$skip --read-bytes=$read
        counts wanted "a file: $*" gpuhist "$@" data
        counts wanted "a file in chunks: $*" \
            gpuhist "$@" --chunk-size=10000 -j3 data
        counts wanted "a pipe: $*" piped data "$@" --chunk-size=1000
        [ $has_zstd = no ] || counts wanted "zstd: $*" gpuhist "$@" data.zst
    done
done
tail -c +4097 data | oracle >wanted
counts wanted '--skip-bytes=4Ki' gpuhist --skip-bytes=4Ki data
head -c 1500 data | oracle >wanted
counts wanted '--read-bytes=1.5k' gpuhist --read-bytes=1.5k data
# Of each input; and standard input begins where it stands.
for file in data part2 part3; do
    between 100 1001 <$file
done | oracle >wanted
counts wanted 'both, of three files' \
    gpuhist --skip-bytes=100 --read-bytes=1001 data part2 part3
counts wanted 'both, of a pipe between files' \
    gpuhist --skip-bytes=100 --read-bytes=1001 data - part3 <part2
[ $has_zstd = no ] || counts wanted 'both, of zstd between files' \
    gpuhist --skip-bytes=100 --read-bytes=1001 data part2.zst part3
between 110 50 <data | oracle >wanted
{
    dd bs=10 count=1 of=skipped status=none
    counts wanted 'a file that is being read' \
        gpuhist --skip-bytes=100 --read-bytes=50
} <data
# A record need not begin where a chunk would.
between 3 4000 <data | gpuhist --dtype=u2 >wanted
counts wanted 'skip to an odd place' \
    gpuhist --dtype=u2 --skip-bytes=3 --read-bytes=4000 data
counts wanted 'skip to an odd place, in chunks' \
    gpuhist --dtype=u2 --skip-bytes=3 --read-bytes=4000 --chunk-size=64 data
for input in data -; do
    refused 1 "too short for --skip-bytes: $input" \
        gpuhist --skip-bytes=300001 $input <data
    grep -q '300001.*300000\|300000.*300001' err
    ok $? '... the message has both numbers' || sed 's/^/# /' err
done
refused 1 'one of two is too short' gpuhist --skip-bytes=1k data part1
grep -q '^gpuhist: part1: ' err
ok $? '... named'

# ---- --partial ----

head -c 10 data >ten
head -c 8 data | gpuhist --dtype=u4 --mod=9 >wanted
left_out='left out 2 bytes of an incomplete record at the end'
for how in a-file a-pipe chunks zstd skipped; do
    set -- --dtype=u4 --mod=9
    file=ten
    case $how in
        a-pipe) file=- ;;
        chunks) set -- "$@" --chunk-size=4 ;;
        zstd)
            [ $has_zstd = yes ] || continue
            zstd -q ten
            file=ten.zst
            ;;
        skipped)
            { printf abc; cat ten; printf defgh; } >longer
            set -- "$@" --skip-bytes=3 --read-bytes=10
            file=longer
            ;;
    esac
    name=$file
    [ $file != - ] || name='standard input'
    for partial in '' --partial=error; do
        refused 1 "$how: a record is cut off $partial" \
            gpuhist "$@" $partial $file <ten
        is "$(cat err)" "gpuhist: $name: ends with 2 bytes of a record of 4 \
(--partial=drop leaves them out)" '... the message'
    done
    warns wanted "gpuhist: warning: $name: $left_out" "$how: --partial=drop" \
        gpuhist "$@" --partial=drop $file <ten
    counts wanted "$how: --partial=drop -q" \
        gpuhist "$@" --partial=drop -q $file <ten
done
gpuhist --dtype=u4 --mod=9 </dev/null >zeros
head -c 1 ten >one
warns zeros "gpuhist: warning: one: \
left out 1 byte of an incomplete record at the end" 'less than a record' \
    gpuhist --dtype=u4 --mod=9 --partial=drop one
head -c 2 ten >two
counts zeros 'halves of two files make no record' \
    gpuhist --dtype=u4 --mod=9 --partial=drop -q two two
gpuhist --dtype=u4 --mod=9 two data ten >out 2>err
is "$? $(wc -c <out) $(sed 's/: ends.*//' err | sort | tr '\n' ';')" \
    '1 0 gpuhist: ten;gpuhist: two;' 'every bad input is named'
# Many readers share it; the last of them has the rest.
{ cat data; printf xyz; } >odd
gpuhist --dtype=u4 --mod=9 data >wanted
for round in 1 2 3 4 5; do
    counts wanted "a big file, --partial=drop, round $round" \
        gpuhist --dtype=u4 --mod=9 --partial=drop -q -j4 --chunk-size=4Ki odd
    refused 1 "a big file, round $round" \
        gpuhist --dtype=u4 --mod=9 -j4 --chunk-size=4Ki odd
done
grep -q 'odd: ends with 3 bytes of a record of 4 ' err
ok $? '... how many bytes'
counts wanted 'nothing is cut off: --partial=drop is silent' \
    gpuhist --dtype=u4 --mod=9 --partial=drop data

# ---- many values ----

# 9999999 10000000 10000007 305419896 4294967295
printf '\177\226\230\0\200\226\230\0\207\226\230\0' >large
printf '\170\126\064\022\377\377\377\377' >>large
printf '0\t1\n7\t1\n4967295\t1\n5419896\t1\n9999999\t1\n' >wanted
counts wanted 'ten million values, listed' \
    gpuhist --dtype='<u4' --mod=10000000 --nonzero large
is "$(gpuhist --dtype=u4 --mod=100000 -j2 data | wc -l)" 100000 \
    '... with a line for each'

# ---- --flow ----

# In 32 bits: -1 0.5 1.5 1.5 2 infinity nan
printf '\0\0\200\277\0\0\0\077\0\0\300\077\0\0\300\077' >floats
printf '\0\0\0\100\0\0\200\177\0\0\300\177' >>floats
bins='--dtype=<f4 -b2 --range=0,2'
printf '0\t1\t1\n1\t2\t2\n' >inside
{
    printf -- '-inf\t0\t1\n'
    cat inside
    printf '2\tinf\t2\nnan\tnan\t1\n'
} >all
printf '0\t1\t2\n1\t2\t4\nnan\tnan\t1\n' >clamped
# shellcheck disable=SC2086 # several words
{
    counts all 'flows are shown where there are any' gpuhist $bins floats
    counts all '--flow=auto' gpuhist $bins --flow=auto floats
    counts all '--flow=show' gpuhist $bins --flow=show floats
    counts clamped '--flow=clamp' gpuhist $bins --flow=clamp floats
    warns inside 'gpuhist: warning: 4 values are in no bin and not shown' \
        '--flow=hide' gpuhist $bins --flow=hide floats
    counts inside '--flow=hide -q' gpuhist $bins --flow=hide -q floats
    # Where there are none.
    set -- --skip-bytes=4 --read-bytes=12
    counts inside 'no flow' gpuhist $bins "$@" floats
    counts inside 'no flow: --flow=hide is silent' \
        gpuhist $bins "$@" --flow=hide floats
    counts inside 'no flow: --flow=clamp' gpuhist $bins "$@" --flow=clamp floats
    {
        printf -- '-inf\t0\t0\n'
        cat inside
        printf '2\tinf\t0\nnan\tnan\t0\n'
    } >zeros
    counts zeros 'no flow: --flow=show' gpuhist $bins "$@" --flow=show floats
    counts inside 'no flow: --flow=show --nonzero' \
        gpuhist $bins "$@" --flow=show --nonzero floats
    printf '1\t2\t2\n' >wanted
    counts wanted '--nonzero' \
        gpuhist $bins --skip-bytes=8 --read-bytes=8 --nonzero floats
}
printf -- '-inf\t0\t1\n0\t0\t0\n0\t0.5\t0\n0.5\t1\t1\n1\t2\t2\n2\tinf\t2\n' >wanted
printf 'nan\tnan\t1\n' >>wanted
counts wanted 'zero and negative numbers have no logarithm' \
    gpuhist --dtype='<f4' --log --range=.5,2 --flow=show floats
printf '0.5\t1\t2\n1\t2\t4\nnan\tnan\t1\n' >wanted
counts wanted '... and are clamped to the first bin' \
    gpuhist --dtype='<f4' --log --range=.5,2 --flow=clamp floats
# -3 0 0 1 9, the first, zero and the last of two fields.
printf '\375\0\0\1\11' >signed
printf '1\t2\t4\n2\t4\t1\n' >wanted
counts wanted '... of integers' \
    gpuhist --dtype=i1 --log --range=1,4 --flow=clamp signed
gpuhist --dtype='<f4' --log --range=.5,2 --flow=clamp --format=json floats >out
grep -q '"lo":0.5,"hi":1,"count":2}' out && ! grep -q negative out
ok $? '... in JSON'
# Without a range: from the first to the last bin that occurs.
printf '1\t2\t0\n' >wanted
counts wanted 'no logarithmic bin occurs' gpuhist --dtype=f8 --log /dev/null
printf '%s\t0\t1\n0\t0\t2\n1\t2\t1\n2\t4\t0\n4\t8\t0\n8\t16\t1\n' -inf >wanted
counts wanted 'two of all logarithmic bins' gpuhist --dtype=i1 --log signed
printf '1\t2\t4\n2\t4\t0\n4\t8\t0\n8\t16\t1\n' >wanted
counts wanted '... clamped' gpuhist --dtype=i1 --log --flow=clamp signed
printf '1\t2\t1\n8\t16\t1\n' >wanted
warns wanted 'gpuhist: warning: 3 values are in no bin and not shown' \
    '... hidden, --nonzero' \
    gpuhist --dtype=i1 --log --flow=hide --nonzero signed
printf '%s\n' '1 2 0.5 0.5' '2 4 0 0.5' '4 8 0 0.5' '8 16 0.0625 1' |
    tr ' ' '\t' >wanted
gpuhist --dtype=i1 --log --skip-bytes=3 --density --cumulative signed |
    awk -F '\t' -v OFS='\t' '{ print $1, $2, $5, $4 / 2 }' >got
same got wanted '... --density, --cumulative'
is "$(gpuhist --dtype=i1 --log --format=npy -q signed | wc -c)" 160 '... npy'
refused 2 'arrays that may differ in length' \
    gpuhist --record=u1,u1 --log --format=npy signed
grep -q -e '--range' err
ok $? '... the message says what to do' || sed 's/^/# /' err
printf '%s\t0\t1\n0\t0\t2\n1\t2\t1\n2\t4\t0\n4\t8\t0\n8\t16\t1\n' -inf >wanted
printf '16\t32\t0\n32\t64\t0\n64\t128\t0\n' >>wanted
counts wanted 'all bins of a range' gpuhist --dtype=i1 --log --range=1,128 signed
# Values, not bins.
printf 'aabcdz' >letters
printf -- '-inf\t2\n98\t1\n99\t1\ninf\t2\n' >wanted
counts wanted 'values of a range' gpuhist --range=98,100 letters
printf '98\t3\n99\t3\n' >wanted
counts wanted 'values of a range, clamped' \
    gpuhist --range=98,100 --flow=clamp letters
printf '98\t1\n99\t1\n' >wanted
warns wanted 'gpuhist: warning: 4 values are in no bin and not shown' \
    'values of a range, hidden' gpuhist --range=98,100 --flow=hide letters
printf -- '-inf\t98\t2\n98\t99\t1\n99\t100\t1\n100\tinf\t2\n' >wanted
counts wanted 'the same as bins' gpuhist --range=98,100 -b2 letters
# Two at a time, weighed by the third: (a,1) twice, (b,9), (z,5).
printf 'a\1\12a\1\24b\11\36z\5\50' >triples
triple='--record=u1,u1,u1 --range=98,100 --range=5,6 --weights=3 --joint'
printf -- '-inf\t-inf\t30\n98\tinf\t30\n99\t5\t0\ninf\t5\t40\n' >wanted
# shellcheck disable=SC2086 # several words
{
    gpuhist $triple triples | grep -v '^98	5	0$' >out
    same out wanted 'joint, with weights'
    printf '98\t5\t60\n99\t5\t40\n' >wanted
    counts wanted 'joint, clamped, with weights' \
        gpuhist $triple --flow=clamp triples
    printf '98\t5\t0\n99\t5\t0\n' >wanted
    counts wanted 'joint, hidden' gpuhist $triple --flow=hide -q triples
}
# What is not hidden is all there is.
for flow in auto show clamp; do
    for spec in '--dtype=f4 -b9 --range=-1,1' '--dtype=i4 --log=10' \
        '--dtype=u4 --range=3,99' '--dtype=f4 --edges=0,1e9' \
        '--record=u2,>i2 --joint -b7 --range=100,999'; do
        # shellcheck disable=SC2086 # several words
        is "$(gpuhist $spec --flow=$flow data | total)" 75000 \
            "$spec --flow=$flow: all are there"
    done
done

# ---- --header-out ----

while read -r options; do
    read -r header
    # shellcheck disable=SC2086 # several words
    {
        gpuhist $options data >rows
        printf '%s\n' "$header" | tr ' ' '\t' >wanted
        counts wanted "$options --header-out --nonzero of nothing" \
            gpuhist $options --header-out --nonzero /dev/null
        cat rows >>wanted
        counts wanted "$options --header-out" \
            gpuhist $options --header-out data
    }
    is "$(awk -F '\t' '{ print NF }' wanted | sort -u | wc -l)" 1 \
        '... with as many columns as the rows'
done <<'EOF'
--dtype=u2
value count
--range=3,9
value count
-b9
value_lo value_hi count
--dtype=f4 --log=10
value_lo value_hi count
--record=u1,x,u1,u1
field value count
--record=u1,x,u1,u1 -f3
value count
--record=u1,f4,x -f2,1 --range=0,1 --range=-
field value_lo value_hi count
--record=u1,f4,x -f2,1 --joint --range=0,1 --range=-
field2_lo field2_hi field1 count
--record=u1,u1,u1,x --joint -f3,1 --mod=3
field3 field1 count
--record=u1,u1 --weights=1
value sum
--record=u1,f4,x --weights=1 -b3 --range=0,1
value_lo value_hi sum
--record=u1,u1,u1,x --weights=2 --joint --mod=3
field1 field3 sum
--record=u1,u1,u1,x --weights=2
field value sum
EOF

# ---- what is refused: one line, before any input is opened ----

# Nobody writes to it: who opens it waits for ever.
mkfifo fifo
gpuhist_seconds=10
while read -r line; do
    # shellcheck disable=SC2086 # several words
    refused 2 "$line" gpuhist $line fifo
done <<'EOF'
--dtype=u3
--dtype=
--dtype=U1
--dtype=uint
--dtype=f16
--dtype=<
--dtype=u1,u1
--dtype=u1*2
--dtype=x
--record=
--record=x
--record=x*4
--record=u1,
--record=,u1
--record=u1,,u1
--record=u1*0
--record=u1*
--record=u1*-1
--record=u1*1x
--record=u1*65537
--record=u8*4097
--record=x*65536,u1
--record=u1,q1
--dtype=u1 --record=u1
--endian=native
--record=u1,u1 -f0
--record=u1,u1 -f3
--record=u1,u1 -f1,1
--record=u1,u1 -f2-1
--record=u1,u1 -f1-3
--record=u1,u1 -f-
--record=u1,u1 -f1,
--record=u1,u1 -f1x
-f2
--joint
--record=u1,u1 --joint -f1
--weights=1
--record=u1,u1 --weights=0
--record=u1,u1 --weights=3
--record=u1,u1 --weights=1-2
--record=u1,u1 --weights=1x
--dtype=f4
--dtype=u4
--dtype=i8
--dtype=u4 --mod=2147483649
--dtype=u4 --mod=10000000 --memory-limit=80M
--dtype=f4 -b3
--dtype=f4 -b10 --numpy
--dtype=u4 --bin-width=5
-b0
-b-1
-b1.5
-b2x
-b4e9
-b10 --range=5,5
-b10 --range=6,5
-b10 --range=5
-b10 --range=5,
-b10 --range=,5
-b10 --range=1,2,3
-b10 --range=nan,5
-b10 --range=0,inf
-b10 --range=0,1e999
-b10 --range=0x1,0x5g
-b10 --range=0x1.8,0x5
-b0x
--edges=0,0x
-b10 --range=a,b
-b10 --range=1,1.0000000000000002
--range=1.5,2.5
--range=5,5
--range=9,5
--range=300,400
--dtype=i1 --range=200,300
--dtype=u8 --range=18446744073709551616,18446744073709551617
--dtype=f8 -b2 --range=-1.7e308,1.7e308
--bin-width=0
--bin-width=-1
--bin-width=nan
--bin-width=1e-300
--edges=1
--edges=
--edges=1,1
--edges=2,1
--edges=1,nan
--edges=1,inf
--edges=-inf,1
--edges=1,2x
--edges=@missing
--edges=@/dev/null
--edges=@
--edges=1,2 --range=0,3
--edges=1,2 -b2
--bin-width=1 -b2
--log -b2
--log=3
--log=
--log=1e
--log --range=0,4
--log --range=-1,4
--log --edges=1,2
--log --subdiv=21
--log --subdiv=-1
--log --subdiv=x
--subdiv=2
--shift=8
--shift=-1
--shift=1.5
--dtype=u8 --shift=64
--mask=0xg
--mask=-1
--mask=0x10000000000000000
--mod=0
--mod=-3
--mod=18446744073709551615
--dtype=f4 -b2 --range=0,1 --shift=1
--dtype=f4 -b2 --range=0,1 --mask=1
--dtype=f4 -b2 --range=0,1 --mod=2
--closed=both
--numpy
--range=2,5 --numpy
--flow=none
--flow=
--partial=keep
--partial=
--skip-bytes=-1
--skip-bytes=1.5
--read-bytes=all
-b 5B
-b 1kb
-b 0x1k
-b ++5
-b 3Gi
-b2 -b3
--record=u1,u1,u1 -b2 -b3
--record=u1,u1 --range=1,2 --range=3,4 --range=5,6
--record=u4,u4 --joint --range=0,100000
--dtype=u4 --range=0,4294967296
--dtype=f4 --range=0,1 -b1000000 --memory-limit=1M
--record=u2,u2 --joint --memory-limit=1Gi
--record=f4,f8 --weights=2 -b100000 --range=0,1 --memory-limit=20M
--range=0,1 -b1000000 --memory-limit=8M
--dtype=f8 --log=10 --subdiv=20 --memory-limit=1G
--record=f8,f8 --log=e --subdiv=16 --memory-limit=400M
EOF
for value in '' ' ' '1 ' ' 1' '1
'; do
    for option in --bins --shift --mod --weights --fields; do
        shown=$(printf %s. "$value" | tr '\n' '?')
        refused 2 "$option='${shown%.}'" \
            gpuhist --record=u1,u1 "$option=$value" fifo
    done
done

# 1000000 bins and three flow cells of 8 bytes.
refused 2 'too many cells' \
    gpuhist --dtype=f4 --range=0,1 -b1000000 --memory-limit=1M fifo
grep -q '\<8000024\>' err && grep -q '\<1000000\>' err
ok $? '... the message has both sizes' || sed 's/^/# /' err
# 2^31 are as many as a table can have; fewer must fit into memory.
refused 2 'too many values' gpuhist --dtype=u4 fifo
grep -q 'u4 has more than 2147483648 values' err
ok $? '... the message has the limit' || sed 's/^/# /' err
refused 2 'too many values for the memory' \
    gpuhist --dtype=u4 --mod=10000000 --memory-limit=80M fifo
grep -q '80000000 bytes' err
ok $? '... the message has the size' || sed 's/^/# /' err
refused 2 'an unsorted edge' gpuhist --edges=1,3,2.50,4 fifo
grep -q '\<3\>.*2\.50' err
ok $? '... the message says which' || sed 's/^/# /' err
printf '1\n2\nthree\n' >edges
refused 2 'a file that has no edges' gpuhist --edges=@edges fifo
grep -q '^gpuhist: edges: .*three' err
ok $? '... the message says which' || sed 's/^/# /' err

# Their neighbours are fine.
while read -r line; do
    # shellcheck disable=SC2086 # several words
    gpuhist $line </dev/null >out 2>err
    is "$? $(cat err)" '0 ' "$line"
done <<'EOF'
--dtype=uint8
--dtype=>float64 --log
--dtype=<u1
--record=u1*4096 --range=0,2
--record=x*65535,u1
--record=u1,u1 -f2,1
--record=u1,u1 -f-1
--record=u1,u1 -f2-
--record=u1,u1 -f1 --weights=1
--record=u1,u1 --joint --range=0,3
--record=u1,u1 --joint -b2 -b3
-b1e3
-b10 --range=5:6
-b10 --range=-5.5e0,+.5
-b10 --range=1,1.00000000000001
--range=0,300
--dtype=u8 --range=18446744073709551615,18446744073709551616
--dtype=i8 --range=-9223372036854775808,-9223372036854775807
--edges=1,2
--edges=-1e300,-0,1e-300
--log=10 --range=1e-300,4 --subdiv=4
--log=e
--shift=7
--dtype=u8 --shift=63
--mask=0xFFFFFFFFFFFFFFFF
--mod=9223372036854775808 --range=0,9
--dtype=f4 --range=0,1
--dtype=f4 --range=0,1 -b100000 --memory-limit=20M
--numpy -b4
EOF

# The same in hexadecimal digits, as registers and file offsets are written.
while read -r decimal hexadecimal; do
    # shellcheck disable=SC2086 # several words
    gpuhist ${decimal} --dtype=i2 data >wanted
    # shellcheck disable=SC2086
    counts wanted "$hexadecimal" gpuhist ${hexadecimal} --dtype=i2 data
done <<'EOF'
--range=-16,30 --range=-0x10,0x1e
--edges=-16,0,30,4095 --edges=-0x10,0x0,0X1E,0xfff
--bin-width=4096 --bin-width=0x1000
--bins=16 --bins=0x10
EOF

# A number of bins may have a unit, as sizes do.
while read -r plain unit; do
    gpuhist --bins="$plain" --dtype=i2 data >wanted
    counts wanted "--bins=$unit" gpuhist --bins="$unit" --dtype=i2 data
done <<'EOF'
1000 1k
1000 1KB
1024 1Ki
1024 1KiB
1500 1.5k
2000000 2M
5 +5
EOF

done_testing
