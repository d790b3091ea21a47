# SPDX-License-Identifier: MIT
# text.sh -- GPUs count fields of text, leave rests to the CPU, fail and hang in the middle
#
# Over the driver of tests/fake, whose streams are as late as they may be.
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

test "$HAVE_NVCC" = yes || skip_all "no kernels: no driver is ever loaded"
test -f "$FAKE_CUDA_DIR/libcuda.so.1" || exit 99
export LD_LIBRARY_PATH="$FAKE_CUDA_DIR" FAKE_CU_DEVICES=4

# Few keys, of which some are long; keys that differ in the last byte only; lines
# without the field, comments, blanks; records longer than a tile and its window.
LC_ALL=C awk 'function key(i) {
    if (i % 7 < 5)
        return "key" i % 90
    if (i % 7 == 5)
        return "a-longer-key-than-three-words-" i % 9
    return sprintf("%0*d", i % 3 * 300 + 24, i % 10)
}
BEGIN {
    for (i = 0; i < 9000; i++) {
        x = i * 7919 % 8999
        print x % 4 "\t" key(x) "\t" i
        if (x % 300 == 0)
            printf "#comment %d\n\nalone\n", x
        if (x % 4001 == 0)
            printf "%020000d\tfar\n", x
    }
}' >in
tr '\t' ' ' <in >blanks
sed 's/$/\r/' in >crlf
tr '\n' '\0' <in >nul
LC_ALL=C awk 'BEGIN {
    print "a,b,c"
    for (i = 0; i < 6000; i++) {
        x = i * 7919 % 5987
        if (x % 5 == 0)
            printf "\"x,\n%d\",\"k%d\",1\n", x, x % 40
        else if (x % 11 == 0)
            printf "%d,\"say \"\"k%d\"\"\",1\r\n", x, x % 8
        else
            printf "%d,k%d,1\n", x, x % 40
    }
    printf "1,k1"
}' >csv
cat csv csv csv csv >csvs
sed 's/^\([0-9]*7\),.*/&\n/; s/^1[0-9]*,/\n\r\n&/; s/9,1$/\n&\n\n/' csvs >gaps
LC_ALL=C awk 'BEGIN {
    for (i = 0; i < 4000; i++) {
        x = i * 7919 % 3989
        printf "10.0.0.%d - - [10/Oct/2026:13:%02d:36 +0000] ", x % 50, x % 60
        printf "\"GET /p%d?q=%d HTTP/1.1\" %d 99 \"-\" \"a \\\"b\\\"\"\n", \
            x % 30, x, x % 6 * 100 + 100
    }
}' >clf
awk 'NR % 17 == 0 { print "www.example.org " $0; next }
    NR % 19 == 0 { print "nginx: " $0; next } NR % 23 == 0 { print "" }
    NR % 29 == 0 { sub(/10.Oct/, "31/Feb") } { print }' clf >odd
sed 's/^/www.example.org /; 1s/^www[^ ]* //' clf >vhost
LC_ALL=C awk 'BEGIN { for (i = 0; i < 60000; i++) print i * 7919 }' >flood
# Short numbers, and all that is not one; lines without it, quotes around it.
LC_ALL=C awk 'BEGIN {
    split("1e2;-0;.5; 7 ;nan;-inf;1e-30;12345678901234567890123;12ms;;-;0x1F;" \
          "0.30000000000000000000000000000001;9007199254740993;1e400;+3.", odd, ";")
    for (i = 0; i < 12000; i++) {
        x = i * 7919 % 11987
        number = x % 9 ? (x % 1999 - 999) / 10 : odd[x % 16 + 1]
        if (x % 13 == 0)
            print "station" x % 40
        else if (x % 17 == 0)
            printf "station%d;\"%s\";q\n", x % 40, number
        else
            printf "station%d;%s;%d\n", x % 40, number, x % 7
    }
}' >numbers
head -c 300 in >few
: >empty

run()
{
    timeout 60 "$GPUHIST" --chunk-size=32Ki --memory-limit=64M "$@"
}

# The errors in a ledger: all figures that are not 0.
complaints()
{
    grep -E '^(outstanding|misuse|note) ' ledger | grep -v ' 0$'
}

# The bytes that engines have counted, one line for each.
counted()
{
    sed -n 's/.* counted \([0-9]*\) bytes.*/\1/p' err
}

# ---- nobody fails ----

lines=0
while read -r file options; do
    bytes=$(stat -c %s "$file")
    case $options in
    *--csv*-fb*) bytes=$((bytes - 6)) ;;
    esac
    # shellcheck disable=SC2086 # they are several options
    run --device=cpu $options "$file" >cpu
    # One GPU or two, in turn.
    lines=$((lines + 1))
    for device in cuda 'cuda:0,1 --gpu-after=0'; do
        case $((lines % 2)):$device in
        0:cuda | 1:cuda:*) expensive || continue ;;
        esac
        rm -f ledger
        # shellcheck disable=SC2086 # likewise
        FAKE_CU_LEDGER=ledger run --device=$device --explain $options "$file" \
            >out 2>err
        is "$?:$(complaints)" 0: "$options $file, $device: the ledger is balanced"
        same out cpu "$options $file, $device: exact"
        is "$(counted | awk '{ sum += $1 } END { print sum + 0 }')" "$bytes" \
            "$options $file, $device: everything is counted once"
    done
done <<'EOF'
in --tsv -f2
in --tsv -f2 --comment=#
in --tsv -f NF --top=7
in -d 1 -f 2
in -l
in -l --prefix=5
in -l --spectrum
crlf --tsv -f3
blanks -W -f2
blanks -W -fNF-1
blanks --words --comment=#
nul -z -l
nul -z --tsv -f2
csvs --csv -f2
csvs --csv -fb
gaps --csv -f2
gaps --csv -f1,2
gaps --csv -f NF
clf --clf -f status
clf --clf -f path
clf --clf -f agent
odd --clf -f status
odd --clf -f agent --comment=w
odd --clf -f bytes --bins=5 --range=0,100
odd --clf -f vhost
vhost --clf -f host
vhost --clf -f vhost
numbers -d; -f2 --bins=20 --range=-50,50
numbers -d; -f2 --bins=20 --range=-50,50 --closed=right
numbers -d; -f2 --bins=20
numbers -d; -f2 --edges=-50,-.5,0,.3,12.5,100
numbers -d; -f2 --log=2 --subdiv=4
numbers -d; -f2 --log --range=1,100
numbers -d; -f2 --bin-width=.5 --range=-10,10 --numpy
numbers -d; -f2 --dtype=num
numbers -d; -f2 --dtype=decimal
numbers -d; -f2 --dtype=int
numbers -d; -f2 --dtype=int --range=-5,20
numbers -d; -f2 --dtype=int --bins=7 --range=-50,90
numbers -d; -f2 --dtype=num --spectrum
numbers --csv -d; -f2 --bins=20 --range=-50,50
numbers --csv -d; -f2 --dtype=num
numbers -d; -g1 -f2 --bins=5 --range=-50,50
numbers -d; -g1 -f2 --bins=5
numbers -d; -g1 -f2 --columns=count,sum,min,max,p50
numbers -d; -g1 -f2 --columns=count,sum,max
numbers --csv -d; -g1 -f3,2
numbers --csv -d; -f1,3
numbers -d; -f1,2 --prefix=8
numbers --csv -d; -g1,2 --top=9
numbers -d; --joint -f1,3
numbers -d; --joint -f2,3 --bins=4 --range=-50,50
numbers -d; --joint -f2,3 --bins=4
numbers -W -f1,2
numbers -d; -f3,1
clf --clf -f bytes --bins=5 --range=0,100
clf --clf -f status --dtype=int
flood -l --bins=100 --range=0,1e9
flood -l --dtype=int
few -l
empty -l
EOF

run --device=cuda --explain --tsv -f2 in >out 2>err
is "$(counted | head -n 1 | awk '{ print ($1 > 100000) }'):$(
    grep -c 'cuda:0 .*: knows 1[0-9][0-9] keys; of [0-9]* records' err
)" 1:1 'the GPU counts most, and learns the keys'

# Numbers with bins need no keys; those without, and several fields, do.
LC_ALL=C awk 'BEGIN {
    for (i = 0; i < 60000; i++)
        printf "%d;%d;%.1f\n", i % 7, i % 13, i % 9001 / 10 - 450
}' >decimals
while read -r keys options; do
    # shellcheck disable=SC2086 # they are several options
    run --device=cuda --explain -d';' $options decimals >out 2>err
    is "$(counted | head -n 1 | awk '{ print ($1 > 200000) }'):$(
        grep -c "cuda:0 .*: knows $keys keys;" err
    )" 1:1 "the GPU counts most with $keys keys: $options"
done <<'EOF'
0 -f3 --bins=20 --range=-500,500
7 -f1 --dtype=num
7 -f1 --bins=4
91 -g1 -f2 --columns=count,sum
EOF

# What a quote of CSV doubles, and records beyond the window, stay with the CPU.
run --device=cuda --chunk-size=4096 --explain --csv -f2 csvs >out 2>err
is "$(sed -n 's/.* records in its chunks, the CPU counted //p' err |
    awk '{ print ($1 > 100 && $1 < 6000) }')" 1 'the CPU counts what is listed'

# Where keys never repeat, the CPU is left alone.
run --device=cuda --explain --memory-limit=4M -l flood flood flood flood \
    flood flood flood flood flood flood >out 2>err
is "$(grep -c '; and [1-9][0-9]* unseen, since keys hardly repeat' err)" 1 \
    'a flood of keys is left to the CPU'
run --device=cpu --memory-limit=4M -l flood flood flood flood flood flood \
    flood flood flood flood >cpu
same out cpu 'a flood of keys: exact'

# ---- other inputs and outputs ----

for options in '--per-file --tsv -f2 in few in' '-l --per-file flood in empty'; do
    # shellcheck disable=SC2086 # likewise
    run --device=cpu $options >cpu
    # shellcheck disable=SC2086 # likewise
    run --device=cuda $options >out
    same out cpu "$options: exact"
done
run --device=cpu --tsv -f2 in >cpu
"$DRIBBLE" 5000 500 <in | run --device=cuda --tsv -f2 >out
same out cpu 'a slow pipe: exact'
"$DRIBBLE" 5000 500 <in | run --gpu-after=0 --device=cuda:0,1 --tsv -f2 >out
same out cpu 'a slow pipe, two GPUs: exact'
if test "$HAVE_GZIP" = yes; then
    gzip -k in
    run --device=cuda --tsv -f2 in.gz >out
    same out cpu 'gzip: exact'
fi
for chunk in 700 4095 1Mi; do
    run --device=cuda --chunk-size=$chunk --tsv -f2 in >out
    same out cpu "chunks of $chunk bytes: exact"
done
run --device=cuda --tsv -f2 --state=state in >out
same out cpu 'with a state: exact'
"$GPUHIST" --merge state >out
same out cpu 'from the state: exact'
run --device=cpu -l --memory-limit=4M in flood >cpu
run --device=cuda -l --memory-limit=4M --explain in flood >out 2>err
same out cpu 'keys beyond the memory: exact'
is "$(grep -c 'keys beyond --memory-limit' err)" 1 '... which were there'

cases=80
! expensive || cases=10000
if command -v python3 >/dev/null; then
    is "$(python3 -B "$srcdir/tests/cuda/text_random.py" "$GPUHIST" $cases)" '' \
        "$cases random texts: exact"
else
    skip 'random texts' 'no python3'
fi

# ---- what GPUs do not count ----

while read -r why options; do
    # shellcheck disable=SC2086 # likewise
    says 3 "cuda: this is counted by the CPU only: $(echo "$why" | tr _ ' ')" \
        "$options" run --device=cuda $options in
done <<'EOF'
several_fields_of_such_text --clf -f status,path
several_fields_of_such_text --tsv -f1,NF
text_with_weights_or_counts --tsv -f2 --weights=3
the_parts_of_a_time --clf -f minute
lines_that_must_fit_their_format --clf -f status --invalid=error
CSV_with_comments --csv -f2 --comment=#
EOF
says 3 'cuda: with --every, text is counted by the CPU only' '--every' \
    run --device=cuda -l --every=1M -o file in
refused 2 '--jsonl' run --device=cuda --jsonl -f a in
refused 2 '--where' run --device=cuda --tsv -f2 --where=1=2 in
refused 2 '--counts' run --device=cuda --counts in
refused 2 'OpenCL' run --device=opencl -l in
says 3 'cuda:0 (Fake GPU 0): --tune=strategy=global is not possible: text has no strategies' \
    '--strategy' run --device=cuda --strategy=global -l in
run --explain --tsv -f1,NF in >out 2>err
is "$(grep -c 'gpu: never, .* by the CPU only: several fields of such text$' err
)" 1 '... and why'

run --explain --tsv -f2 --where='1=2' in >out 2>err
is "$(grep -c 'gpu: never, .* by the CPU only: records that meet conditions$' \
    err)" 1 '... of some records'
run --explain --every=1M -o file -l in >out 2>err
is "$(grep -c 'gpu: never$' err)" 1 'with --every, the CPU counts'

# ---- auto: the CPU counts, too ----

# auto OPTION...: a GPU that starts at once, or after --gpu-after.
auto()
{
    run --device=auto -j1 --gpu-timeout=none "$@"
}

# repeated FILE COUNT: its name, so many times: at 200 the GPU is open before the
# end.
repeated()
{
    awk -v name="$1" -v count="$2" \
        'BEGIN { for (i = 0; i < count; i++) print name }'
}

while read -r count file options; do
    inputs=$(repeated "$file" "$count")
    # shellcheck disable=SC2086 # they are several options and names
    run --device=cpu $options $inputs >cpu
    rm -f ledger
    # shellcheck disable=SC2086 # likewise
    FAKE_CU_LEDGER=ledger auto --gpu-after=0 --explain $options $inputs \
        >out 2>err
    is "$?:$(complaints)" 0: "auto, $options $file: the ledger is balanced"
    same out cpu "auto, $options $file: exact"
    is "$(counted | awk '{ sum += $1 } END { print sum + 0 }')" \
        "$((count * $(stat -c %s "$file")))" \
        "auto, $options $file: everything is counted once"
    # Of keys that hardly repeat, it counts nothing.
    [ "$file" = flood ] ||
        is "$(counted | awk '{ print ($1 > 0) }' | paste -s -d ' ')" '1 1' \
            "auto, $options $file: the GPU and the CPU have counted"
done <<'EOF'
200 in --tsv -f2
200 blanks -W -f2 --top=9
200 csvs --csv -f2
200 clf --clf -f path
40 flood -l
EOF

run --device=cpu --tsv -f2 in in in >cpu
for after in 1 200000 300000; do
    cat in in in | auto --gpu-after=$after --tsv -f2 >out
    same out cpu "auto, a pipe, --gpu-after=$after: exact"
done
run --device=cpu --per-file -l in flood in >cpu
auto --gpu-after=0 --per-file -l in flood in >out
same out cpu 'auto, --per-file: exact'
auto --explain --tsv -f2 in >out 2>err
is "$(grep -c 'gpu: after [0-9]* bytes, or as soon as it will save time$' err
)" 1 'auto: --explain says when the GPU starts'
run --explain --memory-limit=1M --tsv -f2 in >out 2>err
is "$(grep -c 'gpu: never$' err)" 1 'auto: no GPU where memory is short'

# ---- one fails or hangs ----

# A GPU that loses count.
FAKE_CU_LIE=1 run --device=cuda --tsv -f2 in >out 2>err
is "$?:$(cat out):$(cat err)" \
    "3::gpuhist: cuda:0 (Fake GPU 0): the counts do not add up" \
    'a GPU that loses count: no counts'
FAKE_CU_SHARED=16384 run --device=cuda --tsv -f2 in >out 2>err
is "$?:$(grep -c 'text needs .* bytes of shared memory' err)" 3:1 \
    'a GPU that is too small'

# one_fails HOW OPTION...: a run in which a GPU fails, as HOW says; sets status
# and "fired".
one_fails()
{
    how=$1
    shift
    rm -f fired
    # A busy machine must not look like a GPU that hangs.
    case $how in
    *:hang) timeout=1 ;;
    *) timeout=none ;;
    esac
    FAKE_CU_FIRED=fired FAKE_CU_FAIL=$how run --gpu-timeout=$timeout "$@" \
        >out 2>err
    status=$?
}

# try_auto HOW OPTION...: the same with auto, until the failure is in time.
many=$(repeated csvs 200)
try_auto()
{
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        # shellcheck disable=SC2086 # they are several names
        one_fails "$@" -j1 --chunk-size=4096 --gpu-after=0 --csv -f2 $many
        test ! -s fired || break
    done
}

warning='^gpuhist: warning: a device failed, its chunks were counted again: '
run --device=cpu --csv -f2 csvs >csv.cpu
# shellcheck disable=SC2086 # they are several names
run --device=cpu --csv -f2 $many >many.cpu
for how in cuLaunchKernel:13:719:lost cuLaunchKernel:23:700 \
    cuMemcpyHtoDAsync_v2:9:719:lost cuMemcpyDtoHAsync_v2:5:719:lost \
    cuMemcpyDtoHAsync_v2:6:700 cuStreamWaitEvent:4:1:hang \
    cuEventSynchronize:3:719:lost cuEventSynchronize:3:1:hang; do
    one_fails "$how" --chunk-size=4096 --device=cuda --csv -f2 csvs
    is "$(wc -l <fired):$status:$(cat out)" 1:3: "$how: no counts"
    is "$(grep -c "^gpuhist: cuda:0 (Fake GPU 0): ${how%%[_:]*}" err):$(
        wc -l <err
    )" 1:1 "$how: one message"

    # shellcheck disable=SC2002 # a pipe: it runs in a subshell
    cat csvs | one_fails "$how" --chunk-size=4096 --gpu-after=0 \
        --device=cuda:0,1 --csv -f2
    same out csv.cpu "$how, two GPUs, a pipe: exact"
    is "$(wc -l <fired):$(grep -c "${warning}cuda:[01] " err):$(
        wc -l <err
    )" 1:1:1 "$how, two GPUs, a pipe: one warning"

    # With auto the CPU is there, too.
    has_turn 3 || continue
    try_auto "$how"
    is "$(wc -l <fired):$status:$(grep -c "${warning}cuda:0 " err):$(
        wc -l <err
    )" 1:0:1:1 "$how, auto: one warning"
    same out many.cpu "$how, auto: exact"
done

# Where a GPU knows many keys, it holds no chunks back: all is counted again.
for how in cuLaunchKernel:13:719:lost cuMemcpyDtoHAsync_v2:6:700; do
    try_auto "$how" --memory-limit=1G
    is "$(wc -l <fired):$status:$(
        grep -c 'warning: a device failed, the inputs are counted again' err
    ):$(wc -l <err)" 1:0:1:1 "$how, auto, many keys: one warning"
    same out many.cpu "$how, auto, many keys: exact"
done

# ---- no value is a number ----

seq 6000 | sed 's/^/word/' >words
for how in -j1 '-j3 --chunk-size=10k'; do
    # shellcheck disable=SC2086 # several words
    says 1 "field 1: none of 6000 values is a number (the first is 'word1'); to count them as keys, use -g 1" \
        "no value is a number: $how" \
        gpuhist --gpu-after=0 --device=cuda:0,1 --memory-limit=64M $how \
        -l -b4 --range=0,9 words
done

done_testing
