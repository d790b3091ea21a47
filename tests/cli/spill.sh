# SPDX-License-Identifier: MIT
# spill.sh -- more distinct keys than memory: sorted runs in $TMPDIR
#
# SPILL_LINES sets the lines, of 20 digits: 20000000 are 420 MB of distinct keys
# for 32 MiB.
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

count=${SPILL_LINES:-200000}
limit=32Mi
[ "$count" -gt 1000000 ] || limit=9Mi

# Most lines are distinct; the others occur again much later.
# shellcheck disable=SC2094 # the name of a variable
awk -v lines="$count" 'BEGIN {
    for (i = 0; i < lines; i++)
        printf "%020.0f\n", (i % (lines * 0.95)) * 7919919 % 1000000007 * 12345
}' >lines
sort lines | uniq -c >wanted
mkdir tmp
TMPDIR=$PWD/tmp
export TMPDIR

# spills ARGUMENT...: with too little memory for the keys.
spills()
{
    gpuhist -l --memory-limit=$limit "$@"
}

# nothing_left NAME: no file is in the directory.
nothing_left()
{
    is "$(find tmp -mindepth 1 | wc -l)" 0 "$1"
}

# ---- what is counted ----

spills -v --format=uniq lines >out 2>err
runs=$(sed -n 's/.*keys beyond --memory-limit: \([0-9]*\) runs in .*/\1/p' err)
[ "${runs:-0}" -gt 2 ]
ok $? "keys in ${runs:-no} runs"
same out wanted '... are counted as sort and uniq do'
nothing_left '... and leave nothing'
sed '$d' wanted >wrong
! cmp -s out wrong
ok $? 'a lost key would be seen'
spills --explain lines >out 2>err
grep -q '^gpuhist: explain: keys beyond --memory-limit: [0-9]* runs' err
ok $? '--explain says it, too'

for threads in 1 3 16; do
    counts wanted "$threads threads" spills -j$threads --format=uniq lines
done
counts wanted 'small chunks' spills --chunk-size=70000 --format=uniq lines
counts wanted 'a pipe' sh -c 'cat lines | "$@"' - \
    timeout 120 "$GPUHIST" -l --memory-limit=$limit --format=uniq

# as_ever NAME OPTION...: with little memory as with enough; with a sanitizer, one
# case of five.
as_ever()
{
    ! instrumented || has_turn 5 || return 0
    name=$1
    shift
    gpuhist -q "$@" lines >enough
    counts enough "$name" gpuhist -q --memory-limit=$limit "$@" lines
}

as_ever 'tsv' -l
as_ever '--top' -l --top=20
as_ever '--top of many' -l --top=10000
as_ever '--top, sorted by key' -l --top=70 --sort=value
as_ever '--sort=count' -l --sort=count
as_ever '--percent, --cumulative' -l --percent --cumulative
as_ever 'csv' -l --format=csv
as_ever 'Markdown' -l --format=md --sort=count
as_ever 'aligned' -l --format=table
as_ever 'two fields' -d 3 -f1,2
as_ever 'two fields, by count' -d 3 -f1,2 --sort=count
as_ever 'two fields of which one is short' -d 3 -f1,NF --top=10
for options in --reset '--reset --sort=count'; do
    # shellcheck disable=SC2086 # several words
    set -- --every=$((count * 10)) $options --format=jsonl lines
    gpuhist -l "$@" | grep -v '"options"' >enough
    spills "$@" | grep -v '"options"' >out
    same out enough "--every, $options"
done
sed 's/$/0/; 1~3s/.*/x/' lines >longer
cat longer lines >both
sort both | uniq -c >wanted
counts wanted 'a frequent key among them' spills -j3 --format=uniq both
for threads in 1 4 16; do
    counts wanted "$threads threads that merge parts" gpuhist -l -j$threads \
        --memory-limit=24Mi --format=uniq both
done
gpuhist -v -l --memory-limit=24Mi -o/dev/null both 2>err
grep -q 'keys beyond --memory-limit: [2-9] runs' err
ok $? '... of several runs'

# ---- memory ----

if instrumented; then
    skip 'memory' 'a sanitizer has memory of its own'
else
    is_within=0
    while read -r times options; do
        # shellcheck disable=SC2086 # several words
        kib=$(peak $options --memory-limit=$limit -o/dev/null lines)
        echo "# $options: $kib KiB"
        [ "$kib" -lt $((times * ${limit%Mi} * 1024 + 14336)) ] || is_within=1
    done <<'END'
1 -l -j2 --sort=value
1 -l -j2 --sort=count
1 -l -j2 --top=10
1 -W -f1 -j2 --dtype=int
1 -d 3 -g1,2 -j16
1 -d 0 -f1-8 -j16
2 -l -j2 --every=2M --reset
END
    ok $is_within 'the memory is the limit and a little more'
fi

# ---- long keys ----

head -c 500000 /dev/zero | tr '\0' y >long
{
    cat long
    echo 1
    cat long
    echo 2
    cat long
    echo 1
    cat lines
} >some
sort some | uniq -c >wanted
counts wanted 'long keys in several runs' spills --format=uniq some
refused 1 'a key that is longer than the tables of its field' \
    gpuhist -d , -f1-12 --memory-limit=9Mi long
grep -q 'a key does not fit into --memory-limit' err
ok $? '... is named'

# ---- directories ----

# fails NAME DIRECTORY REASON
fails()
{
    refused 1 "$1" env TMPDIR="$2" timeout 120 "$GPUHIST" -l \
        --memory-limit=$limit lines
    is "$(cat err)" "gpuhist: keys beyond --memory-limit: cannot make a \
temporary file in $2 (TMPDIR): $3" '... is said'
}

fails 'TMPDIR does not exist' "$PWD/none" 'No such file or directory'
fails 'TMPDIR is a file' "$PWD/lines" 'Not a directory'
if [ "$(id -u)" -ne 0 ]; then
    mkdir -m 500 readable
    fails 'TMPDIR is not writable' "$PWD/readable" 'Permission denied'
else
    skip 'TMPDIR is not writable' 'root may write everywhere'
fi
counts wanted 'TMPDIR is empty: /tmp' env TMPDIR= timeout 120 "$GPUHIST" -l \
    --memory-limit=$limit --format=uniq some

# Of the runs, of the list, of the pointers and of the counts.
for blocks in 100 3000 $((count / 20)); do
    refused 1 "a file may have $blocks blocks" sh -c "trap '' XFSZ
        ulimit -f $blocks; exec \"\$@\"" - timeout 120 "$GPUHIST" -l \
        --memory-limit=$limit lines
    grep -q "cannot write [0-9]* more bytes to a temporary file in $TMPDIR \
(TMPDIR) after [0-9]* bytes: File too large" err
    ok $? '... is said'
done
nothing_left 'failures leave nothing'

# ---- signals ----

# spilling: whether $program has made a temporary file, $deleted.
spilling()
{
    deleted=$(find /proc/$program/fd -lname "$TMPDIR/*" 2>/dev/null |
        head -n 1)
    [ -n "$deleted" ]
}

# start_spilling: $program has read the lines and waits for more.
start_spilling()
{
    # A shell without job control would let it ignore INT, and nohup HUP.
    env --default-signal=HUP,INT,TERM "$GPUHIST" -l --memory-limit=$limit \
        <input >out 2>err &
    program=$!
    exec 9>input
    cat lines >&9
    deleted=
    wait_for spilling
}

# During a run: the input does not end.
mkfifo input
for signal in INT:2 TERM:15 HUP:1 KILL:9; do
    number=${signal#*:} # dash has no `kill -l NAME`
    signal=${signal%:*}
    start_spilling
    mode=$(stat -L -c %a "${deleted:-/nothing}" 2>/dev/null)
    is "$mode" 600 "before $signal: a file that only its owner may read"
    nothing_left '... without a name'
    kill -"$signal" $program
    wait $program 2>/dev/null
    is "$? $(wc -c <out)" "$((128 + number)) 0" \
        "... $signal ends it, and nothing is printed"
    exec 9>&-
    nothing_left "$signal leaves nothing"
done

# ---- a directory that vanishes, a disk that is full ----

start_spilling
rmdir tmp
sed 's/$/x/' lines >&9
exec 9>&-
wait $program
is "$? $(wc -c <out) $(cat err)" "1 0 gpuhist: keys beyond --memory-limit: \
cannot make a temporary file in $TMPDIR (TMPDIR): No such file or directory" \
    'TMPDIR vanishes while keys are written'
mkdir tmp

# on_disk SIZE COMMAND...: where $TMPDIR has so much room and no more.
on_disk()
{
    # shellcheck disable=SC2016 # for the inner shell
    unshare -rm sh -c 'mount -t tmpfs -o size="$0" none tmp || exit 126
        "$@"' "$@"
}

if on_disk 1m true 2>mount-says; then
    for size in 1m $((count / 50000))m; do
        refused 1 "a disk of $size" on_disk $size timeout 120 "$GPUHIST" -l \
            --memory-limit=$limit lines
        grep -q "^gpuhist: keys beyond --memory-limit: cannot write [0-9]* more \
bytes to a temporary file in $TMPDIR (TMPDIR) after [0-9]* bytes: No space" err
        ok $? '... is said'
    done
    sort lines | uniq -c >wanted
    counts wanted 'a disk with enough room' on_disk 100m timeout 120 \
        "$GPUHIST" -l --memory-limit=$limit --format=uniq lines
else
    skip 'a full disk' 'no disks of our own'
fi

done_testing
