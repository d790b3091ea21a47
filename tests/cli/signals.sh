# SPDX-License-Identifier: MIT
# signals.sh -- INT, TERM, HUP and USR1
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

if ! python3 -c '' 2>python-says; then
    skip_all 'no python3'
fi
noise 300000 >data
oracle <data >wanted
: >empty
oracle <empty >nothing
mkfifo never
mkdir d
truncate -s 100G sparse
all_read='ask: 300000 bytes '

# signalled ARGUMENT...: run signalled.py, which prints the status.
signalled()
{
    python3 -BIS "$srcdir/tests/cli/signalled.py" "$@" 2>&1
}

# ends STATUS NAME ARGUMENT...: one test: it ends with STATUS, without a word.
ends()
{
    ends_status=$1
    ends_name=$2
    shift 2
    is "$(signalled "$@") $(wc -c <out) $(cat err)" "$ends_status 0 " \
        "$ends_name"
}

# ---- the end of a run ----

for signal in INT:130 TERM:143 HUP:129; do
    name=${signal%:*}
    status=${signal#*:}
    is "$(signalled -f data feed "$all_read" "$name" -- "$GPUHIST") \
$(wc -c <out) $(grep -c -v ' read in ' err)" "$status 0 0" \
        "$name while a pipe stays open"
    is "$(signalled -f data -i "$name" feed USR1 "$name" "$all_read" close -- \
        "$GPUHIST") $(cksum <out)" "0 $(cksum <wanted)" "$name is ignored: kept"
done
ends 130 'INT before any data' INT -- "$GPUHIST"
ends 143 'TERM and a FIFO that never opens' TERM -- "$GPUHIST" data never
ends 129 'HUP and a big file' HUP -- "$GPUHIST" sparse
ends 130 'INT came before it was started' -p INT -- "$GPUHIST"
ends 143 'TERM, several inputs' \
    TERM -- "$GPUHIST" -j 3 --chunk-size=64Ki data never sparse

# ---- files ----

echo before >d/old
ends 130 'INT with -o' INT -- "$GPUHIST" -o d/old data never
is "$(ls -A d) $(cat d/old)" 'old before' '... the old file stays, alone'
ends 143 'TERM with -o and standard input' -f data feed TERM -- \
    "$GPUHIST" -o d/old
is "$(ls -A d) $(cat d/old)" 'old before' '... the old file stays, alone'
mkfifo d/fifo
ends 143 'TERM while nobody reads the output' \
    TERM -- "$GPUHIST" -o d/fifo data
rm d/fifo
printf 'P5 3 2 255\nABCDEF' >image
ends 141 'a closed pipe, and an image' -o closed -- \
    "$GPUHIST" --image --equalize=d/old image
is "$(ls -A d) $(cat d/old)" 'old before' '... the old file stays, alone'

# ---- USR1 ----

# progressed NAME: two tests: the last run counted all of the data, and printed
# only lines of progress on standard error.
progressed()
{
    is "$status $(cksum <out)" "0 $(cksum <wanted)" "$1"
    [ "$(wc -l <err)" -gt 0 ] && ! grep -v -E "$progress" err
    ok $? "... its lines ($(wc -l <err))"
}
progress='^gpuhist: [0-9]+ bytes?( \([0-9.]+ [KMGT]iB\))? read in [0-9.]+ s,'
progress="$progress [0-9.]+ [kMG]?B/s(, [0-9]+ %(, [0-9:]+ left)?)?"
progress="$progress(; ([0-9]+ CPU threads?(, )?)?([0-9]+ GPUs?(, )?)?"
progress="$progress([0-9]+ GPUs? starting)?|; starting|; printing)?\$"
for options in '-j 1' '-j 4 --chunk-size=1000'; do
    # shellcheck disable=SC2086 # several words
    status=$(signalled -f data storm close -- "$GPUHIST" $options)
    progressed "USR1 all the time ($options)"
done
status=$(signalled -f data -p USR1 'says:read in' feed close -- "$GPUHIST")
progressed 'USR1 came before it was started'
is "$(signalled 'ask:, 0 %, [0-9:]+ left; .*CPU thread' TERM -- "$GPUHIST" sparse)" 143 \
    'how much of a file, and who counts'
status=$(signalled -i USR1 -f data storm close -- "$GPUHIST")
is "$status $(cksum <out) $(cat err)" "0 $(cksum <wanted) " 'USR1 is ignored: kept'
is "$(signalled 'ask:read in' TERM -- "$GPUHIST" never)" 143 \
    'USR1 and a FIFO that never opens'
is "$(signalled -o unread 'ask:; printing' TERM -- \
    "$GPUHIST" --dtype=u2 data)" 143 'USR1 while nobody reads the output'

# ---- standard error is not read ----

for kind in pipe terminal socket; do
    for signal in INT:130 TERM:143 HUP:129; do
        is "$(signalled -e $kind flood ${signal%:*} -- "$GPUHIST")" \
            ${signal#*:} "${signal%:*} after more USR1 than a $kind has room for"
    done
    is "$(signalled -f data -e $kind flood feed close -- "$GPUHIST") \
$(cksum <out)" "0 $(cksum <wanted)" '... and the counts are those of all data'
done

# ---- standard error is a broken pipe ----

is "$(signalled -e closed -- "$GPUHIST" -o d/old missing) $(ls -A d)" '1 old' \
    'a message ends nothing, and leaves no file'
is "$(signalled -e closed -f data feed close -- "$GPUHIST" -o d/old --explain) \
$(ls -A d)" '141 old' '--explain: SIGPIPE leaves no file'

# ---- --interrupted=print ----

# prints STATUS SIGNAL BYTES NAME ARGUMENT...: two tests: the run ends with
# STATUS; the counts are those of the first BYTES of the data, with a mark.
prints()
{
    prints_status=$1
    prints_mark="interrupted by SIG$2 after $3 bytes"
    case $3 in
        300000) cp wanted expected ;;
        *) head -c "$3" data | oracle >expected ;;
    esac
    echo "# incomplete: $prints_mark" >>expected
    prints_name=$4
    shift 4
    is "$(signalled "$@") $(grep -v ' read in ' err)" \
        "$prints_status gpuhist: incomplete: $prints_mark" "$prints_name"
    same "${prints_file:-out}" expected '... what was read is printed'
}

gpuhist_print="$GPUHIST --interrupted=print"
for signal in INT:130 TERM:143 HUP:129; do
    name=${signal%:*}
    status=${signal#*:}
    # shellcheck disable=SC2086 # several words, here and below
    prints "$status" "$name" 300000 "$name, printed" \
        -f data feed "$all_read" "$name" -- $gpuhist_print
done
# shellcheck disable=SC2086
prints 143 TERM 0 'TERM before any data, printed' \
    'ask:CPU thread' TERM -- $gpuhist_print
# shellcheck disable=SC2086
prints 129 HUP 0 'HUP and a FIFO that never opens, printed' \
    'ask:CPU thread' HUP -- $gpuhist_print never
for options in '-j 1' '-j 4 --chunk-size=1000'; do
    # shellcheck disable=SC2086
    prints 143 TERM 300000 "several inputs ($options)" -f data "$all_read" \
        TERM -- $gpuhist_print $options empty data never
done
# The system hands out the one with the lower number first.
# shellcheck disable=SC2086
prints 129 HUP 300000 'two signals that come together' -f data feed \
    "$all_read" STOP HUP TERM CONT -- $gpuhist_print
# shellcheck disable=SC2086
counts wanted 'nothing interrupts it' $gpuhist_print data
if command -v prlimit >/dev/null; then
    # Thread to thread: the kernel has no room to note who has sent a signal.
    # shellcheck disable=SC2086
    timeout -s KILL 60 prlimit --sigpending=0 $gpuhist_print data >out 2>err
    is "$? $(grep -v ' read in ' err)" '0 ' 'too many signals are pending'
    same out wanted '... exact'
else
    skip 'too many signals are pending' 'no prlimit'
    skip '... exact' 'no prlimit'
fi

# shellcheck disable=SC2086
is "$(signalled -f data feed "$all_read" TERM -- $gpuhist_print --stats=only \
    ) $(sed -n '1p; $p' out | tr '\n' ' ')" \
    "143 values	300000 # incomplete: interrupted by SIGTERM after 300000 bytes " \
    'statistics of what was read'

head -c 299999 data >odd
# shellcheck disable=SC2086
is "$(signalled -f odd feed 'ask: 299999 bytes ' TERM -- $gpuhist_print \
    --dtype=u2) $(tail -n 1 out)" \
    '143 # incomplete: interrupted by SIGTERM after 299998 bytes' \
    'half a record is not counted'
is "$(awk '!/^#/ { n += $2 } END { print n }' out)" 149999 '... and the others are'

echo before >d/old
prints_file=d/old
# shellcheck disable=SC2086
prints 143 TERM 300000 'with -o' -f data feed "$all_read" TERM -- \
    $gpuhist_print -o d/old
prints_file=
is "$(ls -A d) $(wc -c <out)" 'old 0' '... and nothing else'
printf 'P5 300 2000 255\n' | cat - data >image
# shellcheck disable=SC2086
is "$(signalled -f image feed 'ask: 300016 bytes ' TERM -- $gpuhist_print \
    --image --equalize=d/image) $(ls -A d) $(tail -n 1 out)" \
    '143 old # incomplete: interrupted by SIGTERM after 300000 bytes' \
    'a part of an image is counted, but not equalised'

# The message is not read: it is dropped, and the run continues.
for kind in pipe terminal socket; do
    cp wanted expected
    echo '# incomplete: interrupted by SIGTERM after 300000 bytes' >>expected
    # shellcheck disable=SC2086
    is "$(signalled -f data -e $kind feed taken fill TERM -- $gpuhist_print)" \
        143 "TERM, printed, and a full $kind is standard error"
    same out expected '... what was read is printed'
done
# shellcheck disable=SC2086
is "$(signalled -f data -e pipe feed taken fill TERM -- $gpuhist_print \
    -o d/old)" 143 '... with -o'
same d/old expected '... what was read is printed'

# A big file: the mark gives the number of bytes that were counted.
for options in '-j 1' '-j 4' '--range=auto --dtype=f4'; do
    # shellcheck disable=SC2086
    status=$(signalled 'ask: [0-9]{7,} bytes ' TERM -- \
        $gpuhist_print $options sparse)
    case $options in
        *f4) bytes=4 ;;
        *) bytes=1 ;;
    esac
    is "$status $(awk -v bytes=$bytes '/^#/ { mark = $7 }
        !/^#/ { n += $NF * bytes } END { print (n > 0), (n == mark) }' out)" \
        '143 1 1' "a big file ($options)"
done
# shellcheck disable=SC2086
is "$(signalled -o unread 'ask:CPU thread' TERM says:incomplete later INT -- \
    $gpuhist_print --dtype=u2 sparse)" 130 'a second signal ends it at once'

if [ "$HAVE_ZSTD" = yes ] && command -v zstd >zstd-path; then
    zstd -q -c data >frame
    cp frame whole
    size=$(wc -c <frame)
    # shellcheck disable=SC2086
    prints 143 TERM 300000 'a whole zstd frame' -f frame feed \
        "ask: $size bytes " TERM -- $gpuhist_print
    ends 143 'a zstd frame, nothing printed' -f frame feed TERM -- "$GPUHIST"
    # Half a frame: its decoded part is printed.  The cut is within a block,
    # or where libzstd has all that it asked for: after the first block, whose
    # 128 KiB are stored, and the header of the second.
    mv data kept
    head -c 200000 /dev/urandom >data
    # shellcheck disable=SC2002 # from a pipe: the frame's header has 6 bytes
    cat data | zstd -q -c >frame
    for size in $((6 + 3 + 131072 + 3)) 150000; do
        head -c $size frame >half
        # shellcheck disable=SC2086
        prints 143 TERM $((size - 6 - 3 - 3)) "$size bytes of a zstd frame" -f half feed \
            "ask: $size bytes " TERM -- $gpuhist_print
    done
    mv kept data
    # Several readers decode a file of many frames, beside a FIFO.
    cat whole whole whole whole whole whole whole whole >frames
    cat frames frames frames frames frames frames frames frames >frame
    # shellcheck disable=SC2086
    status=$(signalled 'ask: [0-9]{8,} bytes ' TERM -- \
        $gpuhist_print -j 4 --chunk-size=64Ki frame frame never)
    is "$status $(awk '/^#/ { mark = $7 } !/^#/ { n += $2 }
        END { print (n > 0), (n == mark) }' out)" '143 1 1' 'many zstd frames'
else
    skip 'zstd' 'no zstd in this build, or no zstd program'
fi

if [ "$HAVE_GZIP" = yes ] && command -v gzip >gzip-path; then
    gzip -nc data >member
    size=$(wc -c <member)
    # shellcheck disable=SC2086
    prints 143 TERM 300000 'a whole gzip member' -f member feed \
        "ask: $size bytes " TERM -- $gpuhist_print
    ends 143 'a gzip member, nothing printed' -f member feed TERM -- "$GPUHIST"
    # What the library has decoded of half a member, whatever that is.
    head -c $((size / 2)) member >half
    # shellcheck disable=SC2086
    status=$(signalled -f half feed "ask: $((size / 2)) bytes " TERM -- \
        $gpuhist_print)
    is "$status $(awk '/^#/ { mark = $7 } !/^#/ { n += $2 }
        END { print (n > 9000), (n == mark) }' out)" '143 1 1' 'half a gzip member'
    ! command -v bgzip >bgzip-path || bgzip -c data >member
    cat member member member member member member member member >members
    cat members members members members members members members >member
    # shellcheck disable=SC2086
    status=$(signalled 'ask: [0-9]{8,} bytes ' TERM -- \
        $gpuhist_print -j 4 --chunk-size=64Ki member member never)
    is "$status $(awk '/^#/ { mark = $7 } !/^#/ { n += $2 }
        END { print (n > 0), (n == mark) }' out)" '143 1 1' 'many blocks of BGZF'
    # 51 GB of zeros in as many MB.
    head -c 12500000 /dev/zero | gzip -1 -c >bomb
    for times in 8 8 8 8; do
        yes bomb | head -n $times | xargs cat >bombs
        mv bombs bomb
    done
    # shellcheck disable=SC2086
    status=$(signalled 'ask: [0-9]{6,} bytes ' INT -- $gpuhist_print \
        --nonzero bomb never)
    is "$status $(awk '/^#/ { mark = $7 } !/^#/ { n += $2 }
        END { print n == mark }' out)" '130 1' 'a bomb'
else
    skip 'gzip' 'no gzip in this build, or no gzip program'
fi
# 10 GB of zeros each.
for format in "xz $HAVE_LZMA" "lz4 $HAVE_LZ4" "bzip2 $HAVE_BZIP2"; do
    tool=${format% *}
    if [ "$format" != "$tool yes" ] || ! command -v "$tool" >tool-path; then
        skip "a bomb of $tool" "no $tool in this build, or no $tool program"
        continue
    fi
    head -c 2500000 /dev/zero | "$tool" -1 -c >bomb
    for times in 8 8 8 8; do
        yes bomb | head -n $times | xargs cat >bombs
        mv bombs bomb
    done
    # shellcheck disable=SC2086
    status=$(signalled 'ask: [0-9]{3,} bytes ' INT -- $gpuhist_print \
        --nonzero -j 4 bomb never)
    is "$status $(awk '/^#/ { mark = $7 } !/^#/ { n += $2 }
        END { print n == mark }' out)" '130 1' "a bomb of $tool"
done

if [ "$HAVE_NVCC" = yes ]; then
    fake="env LD_LIBRARY_PATH=$FAKE_CUDA_DIR $gpuhist_print"
    for device in cuda auto --gpu-after=0; do
        [ $device = --gpu-after=0 ] || device=--device=$device
        # shellcheck disable=SC2086
        prints 143 TERM 300000 "$device" -f data feed "$all_read" TERM -- \
            $fake $device
    done
    # shellcheck disable=SC2086
    is "$(signalled -f data feed 'ask:300000 bytes .*; 1 GPU$' TERM -- \
        $fake --device=cuda --chunk-size=1000)" 143 'USR1 and a GPU'
else
    skip 'a GPU' 'no kernels in this build'
fi

# ---- the first and the last moment ----

if instrumented || ! command -v strace >strace-path ||
    ! strace -f -qq -o trace -e inject=getppid:error=EPERM:when=1 \
        "$GPUHIST" --version >out 2>err; then
    skip 'the first and the last moment' 'strace is not there or cannot'
    done_testing
    exit
fi
# The first call of main() that is not about signals is an fcntl().
for call in fcntl sysinfo sched_getaffinity; do
    strace -f -qq -o trace -e trace=$call -e inject=$call:signal=USR1:when=1 \
        "$GPUHIST" data >out 2>err
    is "$? $(cksum <out) $(grep -v ' read in ' err)" "0 $(cksum <wanted) " \
        "USR1 at the first $call()"
    grep -q "$call" trace
    ok $? '... was sent'
done
strace -f -qq -o trace -e trace=fcntl -e inject=fcntl:signal=USR1:when=1 \
    "$GPUHIST" --version >out 2>err
is "$? $(cksum <out) $(cat err)" "0 $("$GPUHIST" --version | cksum) " \
    'USR1 at the first fcntl(), --version'

# USR1 is pending again whenever a line has been printed.
is "$(signalled hail 'says:read in' TERM -- strace -D -f -qq -o trace \
    -e trace=poll -e inject=poll:delay_exit=50000 "$GPUHIST")" 143 \
    'TERM while USR1 comes without a pause'

# ---- no thread for signals ----

no_thread="strace -f -qq -o trace -e trace=clone,clone3"
no_thread="$no_thread -e inject=clone,clone3:error=EAGAIN:when=1"
# shellcheck disable=SC2086
counts wanted 'no thread for signals' $no_thread "$GPUHIST" data
reason='cannot start a thread for signals: Resource temporarily unavailable'
# shellcheck disable=SC2086
$no_thread "$GPUHIST" -v --device=cpu data >out 2>err
is "$? $(cat err)" "0 gpuhist: $reason" '... said with -v'
for options in '-o d/old' --svg=d/new --interrupted=print; do
    # shellcheck disable=SC2086
    refused 1 "... nor with $options" $no_thread "$GPUHIST" $options data
    is "$(cat err)" "gpuhist: $reason" '... named'
done

done_testing
