# SPDX-License-Identifier: MIT
# errors.sh -- after an error: no counts, one line, the right status
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

noise 200000 >data
oracle <data >wanted
: >empty

# message TEXT NAME: what "refused" got is exactly "gpuhist: TEXT".
message()
{
    is "$(cat err)" "gpuhist: $1" "$2"
}

# ---- that these tests can fail ----

for command in true 'cat data' 'echo gpuhist: no >&2; exit 2' \
    'echo gpuhist: no >&2; echo 0; exit 1' 'echo no >&2; exit 1' \
    'echo gpuhist: no >&2; echo gpuhist: no >&2; exit 1'; do
    case $(refused 1 x sh -c "$command") in
        'not ok'*) ;;
        *)
            echo "Bail out! \"$command\" is no refusal"
            exit 99
            ;;
    esac
done

# ---- files ----

mkdir dir
ln -s loop loop
long=$(printf '%0300d' 0)
while IFS='|' read -r file text; do
    short=$(printf %.30s "$file")
    refused 1 "$short" gpuhist "$file"
    message "$file: $text" "... named"
    refused 1 "$short among good ones" gpuhist data "$file" data
    message "$file: $text" "... named"
done <<EOF
missing|cannot open: No such file or directory
dir|is a directory
dir/|is a directory
data/x|cannot open: Not a directory
loop|cannot open: Too many levels of symbolic links
$long|cannot open: File name too long
/proc/self/mem|read error at byte 0: Input/output error
EOF
refused 1 'an empty name' gpuhist ''
message "'': cannot open: No such file or directory" '... named'
refused 1 'a directory on standard input' gpuhist <dir
message 'standard input: is a directory' '... named'
refused 1 'standard input is not for reading' gpuhist 0>writeonly
message 'standard input: read error at byte 0: Bad file descriptor' \
    '... named'
refused 1 'standard input is closed' gpuhist <&-
message 'standard input: read error at byte 0: Bad file descriptor' \
    '... named'
refused 1 'standard input is closed, files are good' gpuhist data - data <&-
counts wanted 'standard input is closed and not needed' gpuhist data <&-
cp data unreadable
chmod 0 unreadable
if [ -r unreadable ]; then
    skip 'an unreadable file' 'this user may read everything'
else
    refused 1 'an unreadable file' gpuhist unreadable
    message 'unreadable: cannot open: Permission denied' '... named'
fi

# Every bad one is named, in their order, once for each time it is given.
cat >wanted-err <<'EOF'
gpuhist: missing: cannot open: No such file or directory
gpuhist: dir: is a directory
gpuhist: standard input: is a directory
gpuhist: /proc/self/mem: read error at byte 0: Input/output error
gpuhist: missing: cannot open: No such file or directory
EOF
for options in '-j 1' '-j 16 --chunk-size=1000' -q -v --decompress=none; do
    # shellcheck disable=SC2086,SC2094 # several words, only read
    gpuhist --device=cpu $options missing data dir data - data \
        /proc/self/mem empty missing - <dir >out 2>err
    is "$? $(wc -c <out)" '1 0' "many bad files ($options)"
    same err wanted-err "... are all named"
done

# ---- names that could steer a terminal ----

name=$(printf 'a\033[31mb\tc\nd\177\rx')
refused 1 'a name with control characters' gpuhist "$name"
message 'a?[31mb?c?d??x: cannot open: No such file or directory' '... is masked'
refused 2 'an option with control characters' gpuhist "--$name"
message "unknown option '--a?[31mb?c?d??x' (try --help)" \
    '... is masked'
refused 2 'a value with control characters' gpuhist --device="$name"
message "--device: 'a?[31mb?c?d??x' is not auto, cpu, cuda, opencl, cuda:N[,N]... or opencl:N[,N]..." \
    '... is masked'
name=$(printf 'gr\303\274n')
refused 1 'a name in UTF-8, in the C locale' gpuhist "$name"
message 'gr??n: cannot open: No such file or directory' '... is masked'
utf8=$(locale -a 2>locale-says | grep -i '^C.utf-\{0,1\}8$' | head -n 1)
if [ -n "$utf8" ]; then
    gpuhist_locale=$utf8
    refused 1 'a name in UTF-8' gpuhist "$name"
    message "$name: cannot open: No such file or directory" '... is printed'
    # Cut, overlong, a C1 control, a lone byte, cut at the end.
    refused 1 'a bad name in UTF-8' \
        gpuhist "$(printf 'a\303b\300\200c\302\233d\377\303')"
    message 'a?b??c?d??: cannot open: No such file or directory' \
        '... is masked'
    gpuhist_locale=C
else
    skip 'a name in UTF-8' 'no such locale'
fi

# ---- standard output ----

write_error='gpuhist: standard output: write error'
for options in data --help --version --list-devices; do
    if [ -c /dev/full ]; then
        gpuhist "$options" >/dev/full 2>err
        is "$?:$(cat err)" "1:$write_error: No space left on device" \
            "$options >/dev/full"
    else
        skip "$options >/dev/full" 'no /dev/full'
    fi
    gpuhist "$options" >&- 2>err
    is "$?:$(cat err)" "1:$write_error: Bad file descriptor" "$options >&-"
    gpuhist "$options" >out 2>err <&-
    is "$?:$(cat err)" '0:' "$options <&-"
done
gpuhist missing >out 2>&-
is "$?:$(cat out)" '1:' 'standard error is closed'
gpuhist missing >&- 2>&- <&-
is $? 1 'everything is closed'
gpuhist data data data <&- >out 2>&-
is $? 0 'nothing but standard output'

# closed_pipe: run into a pipe without a reader.  An open for reading and
# writing does not wait.
mkfifo closed
closed_pipe()
{
    (
        exec 4<>closed
        exec 5>closed 4<&-
        "$GPUHIST" data >&5 2>err
        echo $? >status
    )
}

# Only if SIGPIPE is not ignored already.
if sh -c 'kill -PIPE $$' 2>kill-says; then
    skip 'a closed pipe' 'SIGPIPE is ignored here'
else
    closed_pipe
    is "$(cat status):$(cat err)" '141:' 'a closed pipe: silent, by SIGPIPE'
fi
(
    trap '' PIPE
    closed_pipe
)
is "$(cat status):$(cat err)" "1:$write_error: Broken pipe" \
    'a closed pipe, SIGPIPE ignored'

# ---- signals ----

# It has read all that there is, and waits for more.
mkfifo slow
exec 9<>slow
for signal in INT:130 TERM:143 HUP:129; do
    {
        "$DRIBBLE" 1000000 1 <data >&9
        kill -s ${signal%:*} "$(cat pid)"
    } &
    # shellcheck disable=SC2016 # for the shell in there
    timeout 60 sh -c 'echo $$ >pid; exec "$GPUHIST" <slow >out 2>err' 2>sh-says
    is "$? $(wc -c <out) $(wc -c <err)" "${signal#*:} 0 0" \
        "SIG${signal%:*}: dies of it, silently"
    wait
done
exec 9>&-

# ---- compressed data ----

# Whether the run that left "status", "out" and "err" refused the file x, and
# said where it is bad; or took it, and counted what is in the file WANTED.
has_refused()
{
    [ $status -eq 1 ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] &&
        grep -q '^gpuhist: x: .* at byte [0-9]' err
}

has_counted()
{
    [ $status -eq 0 ] && [ ! -s err ] && cmp -s out "$1"
}

# replace_byte FILE OFFSET VALUE
replace_byte()
{
    head -c "$2" "$1"
    printf %b "$(printf '\\0%03o' "$3")"
    tail -c +$(($2 + 2)) "$1"
}

# Less than a magic number is plain data; less than the frame is bad.
check_truncated()
{
    bad=
    size=0
    while [ $size -lt "$(wc -c <frame)" ]; do
        head -c $size frame >x
        for chunk in 100 1Mi; do
            gpuhist --chunk-size=$chunk x >out 2>err
            status=$?
            if [ $size -lt 4 ]; then
                oracle <x >x.wanted
                has_counted x.wanted
            else
                has_refused
            fi || bad="$bad $size:$chunk"
        done
        size=$((size + 1))
    done
    is "$bad" '' "$1: cut to each of $size sizes"
}

# No zstd any more is plain data; anything else is bad, or unused.  One bit of
# each byte, in turn: test_zstd_damage flips them all.
check_flipped()
{
    bad=
    offset=0
    harmless=0
    for byte in $(od -An -v -tu1 frame); do
        bit=$((1 << offset % 8))
        replace_byte frame $offset $((byte ^ bit)) >x
        gpuhist x >out 2>err
        status=$?
        if [ $offset -lt 4 ]; then
            oracle <x >x.wanted
            has_counted x.wanted
        elif has_counted plain.wanted; then
            harmless=$((harmless + 1))
        else
            has_refused
        fi || bad="$bad $offset:$bit"
        offset=$((offset + 1))
    done
    is "$bad" '' "$1: a bit of each of $offset bytes flipped"
    [ $harmless -le 3 ]
    ok $? "... hardly any is harmless ($harmless)"
}

if [ "$HAVE_ZSTD" = yes ] && command -v zstd >zstd-path; then
    # All that a frame may have: a content size, literals, sequences, a
    # checksum.
    {
        yes 'abcdefgh, the same again' | head -c 600
        head -c 30 data
    } >plain
    oracle <plain >plain.wanted
    zstd -q -c plain >frame
    counts plain.wanted 'a small frame' gpuhist frame
    check_truncated 'a small frame'
    check_flipped 'a small frame'

    # Garbage after it: short, long, zeros, the start of another frame.
    for bytes in x xx xxx xxxx '\00' '\00\00\00\00\00' '(\0265/' \
        '(\0265/\0375' 'P*M' 'P*M\030' 'P*M\030\01\00\00\00' 'text\n' \
        '(\0265/\0375\04X\031\00\00' '\037\0213\010\00'; do
        {
            cat frame
            printf %b "$bytes"
        } >x
        refused 1 "a frame, then '$bytes'" gpuhist x
        status=1
        has_refused
        ok $? '... named'
    done

    # shellcheck disable=SC2002 # from a pipe zstd cannot know the size
    cat plain | zstd -q -c >frame
    check_truncated 'a frame without a content size'

    # What has no checksum may become anything, but there is an end to it.
    zstd -q -c --no-check plain >frame
    bad=
    offset=0
    for byte in $(od -An -v -tu1 frame); do
        replace_byte frame $offset $((byte ^ 255)) >x
        gpuhist x >out 2>err
        status=$?
        [ $status -eq 0 ] || has_refused || bad="$bad $offset"
        offset=$((offset + 1))
    done
    is "$bad" '' "no checksum: each of $offset bytes inverted"

    # Where it is bad is said in bytes of the file, not far from there: in the
    # second of two raw blocks of the second frame, which begins at 131081.
    zstd -q -c data >first
    head -c 200000 /dev/urandom | zstd -q -c >second
    replace_byte second 131081 255 | cat first - >x
    refused 1 'bad in a second frame' gpuhist x
    offset=$(sed -n 's/^gpuhist: x: .* at byte \([0-9]*\): .*/\1/p' err)
    offset=$((${offset:-0} - $(wc -c <first)))
    [ $offset -gt 0 ] && [ $offset -le $((131081 + 3)) ]
    ok $? "... named, with the offset in the file ($offset in the frame)"
    for size in "$(wc -c <x)" 60000; do
        head -c "$size" x | gpuhist >out 2>err
        is "$?:$(wc -c <out)" 1:0 "$size bytes of it in a pipe"
        grep -q '^gpuhist: standard input: .* at byte [0-9]*: ' err
        ok $? '... named'
    done
else
    skip 'damaged frames' 'no zstd in this build, or no zstd program'
    printf '(\265/\375\004X\001\000\000' >x
    [ "$HAVE_ZSTD" = yes ] ||
        refused 1 'zstd in a build without it' gpuhist x
fi
printf '\037\213\010\000\000\000' >x
if [ "$HAVE_GZIP" = yes ]; then
    says 1 'x: truncated gzip member at byte 6: unexpected end of file' \
        'the start of gzip' gpuhist x
else
    says 1 'x: gzip data, but this gpuhist is built without gzip (--decompress=none counts the compressed bytes)' \
        'gzip in a build without it' gpuhist x
fi

printf 'BZh91AY&SY' >bz
printf '\3757zXZ\0' >xz
printf '\004\042\115\030' >lz4
while read -r file what have text; do
    if [ "$have" = yes ]; then
        says 1 "$file: $text: unexpected end of file" "the start of $what" \
            gpuhist "$file"
    else
        says 1 "$file: $what data, but this gpuhist is built without $what (--decompress=none counts the compressed bytes)" \
            "$what in a build without it" gpuhist "$file"
    fi
done <<EOF
bz bzip2 $HAVE_BZIP2 truncated bzip2 stream at byte 10
xz xz $HAVE_LZMA truncated xz stream at byte 6
lz4 lz4 $HAVE_LZ4 corrupt lz4 frame at byte 0
EOF

# ---- small stacks ----

with_small_stacks()
{
    (
        # shellcheck disable=SC3045 # every shell that we meet has it
        ulimit -s 100 || exit 126
        # The environment lies there, too, and that of make is long.
        exec env -i "$GPUHIST" --device=cpu "$@"
    )
}

if instrumented; then
    skip 'small stacks' 'a sanitizer needs large ones'
else
    for options in --dtype=u2 '--record=u1,f8 --weights=2'; do
        # shellcheck disable=SC2086 # several words
        gpuhist --partial=drop -q $options data >few
        # shellcheck disable=SC2086
        counts few "$options on small stacks" \
            with_small_stacks --partial=drop -q $options data
    done
fi

# ---- few threads ----

# with_few_threads KIB ARGUMENT...: stacks of 400 MB, and room for KIB KiB.
with_few_threads()
{
    (
        # shellcheck disable=SC3045 # every shell that we meet has it
        ulimit -s 400000 && ulimit -v "$1" || exit 126
        shift
        exec "$GPUHIST" --device=cpu "$@"
    )
}

if instrumented; then
    skip 'few threads' 'a sanitizer needs much more memory'
else
    gpuhist data data data data data data data data >eight
    # Which of the threads is refused, a reader or one that only counts, differs.
    for room in 1100000 1500000 1900000 2300000 2700000; do
        counts eight "few threads: room for $room KiB" \
            with_few_threads $room -j 8 data data data data data data data data
    done
    with_few_threads 1500000 -v -j 8 data data data data data data data data \
        >out 2>err
    is "$?:$(sed 's/: Res.*//' err)" \
        '0:gpuhist: running with fewer threads than planned' 'few threads: -v'
fi

# ---- no memory ----

# with_kilobytes SIZE ARGUMENT...: run in an address space of SIZE KiB.
with_kilobytes()
{
    (
        # shellcheck disable=SC3045 # every shell that we meet has it
        ulimit -v "$1" || exit 126
        shift
        exec "$GPUHIST" --device=cpu "$@"
    )
}

# Less and less of it: all is well, or there are no counts and one message.
# Where nothing runs any more at all, the loader has failed; less than these
# the program itself takes, with the kernels in it.
bad=
refusals=0
if instrumented; then
    skip 'less and less memory' 'a sanitizer needs much more'
else
    for kilobytes in 400000 200000 100000 60000 40000 30000 20000 15000 12000 \
        10000 9000 8000 7000 6000; do
        with_kilobytes $kilobytes -j 8 --chunk-size=4Mi data data >out 2>err
        case $?:$(wc -l <out):$(wc -l <err):$(head -c 9 err) in
            0:256:0:) ;;
            '1:0:1:gpuhist: ') refusals=$((refusals + 1)) ;;
            12[67]:0:*) ;;
            *) bad="$bad $kilobytes" ;;
        esac
    done
    is "$bad" '' "less and less memory ($refusals refusals)"
    [ $refusals -gt 0 ]
    ok $? '... refused at last'
fi

# ---- system calls that fail ----

# inject CALLS HOW ARGUMENT...: run with CALLS failing as HOW says, on the
# file $inject_path if there is one.
inject()
{
    inject_calls=$1
    inject_how=$2
    shift 2
    # shellcheck disable=SC2086 # two words or none
    strace -f -qq -o trace ${inject_path:+-P "$PWD/$inject_path"} \
        -e "trace=$inject_calls" -e "inject=$inject_calls:$inject_how" \
        "$GPUHIST" --device=cpu "$@"
}

# fired: the fault that the last test is about happened.
fired()
{
    grep -q INJECTED trace
    ok $? '... it happened'
}

inject_path=
if ! command -v strace >strace-path ||
    ! inject getppid error=EPERM:when=1..3 --version >out 2>err; then
    skip 'system calls that fail' 'strace is not there or cannot'
    done_testing
    exit
fi

# A pipe's length is not known: it is read into huge pages.
if instrumented; then
    skip 'no huge pages' 'a sanitizer gives advice of its own'
else
    # shellcheck disable=SC2002
    cat data | inject madvise error=EINVAL -v >out 2>err
    is "$?:$(cat err)" '0:gpuhist: no huge pages: Invalid argument' \
        'no huge pages: -v'
    fired
    same out wanted 'no huge pages'
fi

cp data in
inject_path=in
for call in read pread64; do
    chunk=4Mi
    [ $call = read ] || chunk=10000
    counts wanted "EINTR in $call()" \
        inject $call error=EINTR:when=1..3 --chunk-size=$chunk in
    fired
    for n in 1 2 3; do
        refused 1 "EIO in $call() number $n" \
            inject $call error=EIO:when=$n --chunk-size=$chunk in
        fired
        is "$(sed 's/byte [0-9]*:/byte N:/' err)" \
            'gpuhist: in: read error at byte N: Input/output error' \
            "... named"
    done
done
counts wanted 'EINTR on standard input' inject read error=EINTR:when=1..3 <in
fired
refused 1 'EIO on standard input' inject read error=EIO:when=2 <in
fired
message 'standard input: read error at byte 16: Input/output error' '... named'
refused 1 'no descriptor left' inject openat error=EMFILE:when=1 "$PWD/in"
fired
message "$PWD/in: cannot open: Too many open files" '... named'

# Two programs that complain to one log must not tear each other's lines.
inject_path=
strace -f -qq -o trace -e trace=write "$GPUHIST" nosuch 2>err
is "$(grep -c 'write(2,' trace)" 1 'a message is one write'

inject_path=result
while IFS=: read -r call code text; do
    inject "$call" error="$code":when=1 in >result 2>err
    is "$?:$(cat err)" "1:$write_error: $text" "$code in $call() of the output"
    fired
done <<'EOF'
write:ENOSPC:No space left on device
write:EIO:Input/output error
close:EIO:Input/output error
close:EDQUOT:Disk quota exceeded
EOF

# Threads that cannot be started: without any there are no counts, with some
# there are.  The first of them waits for signals.
inject_path=
for n in 1 2 3 4 5 6; do
    if instrumented; then
        skip 'threads that cannot be started' 'a sanitizer starts some, too'
        break
    fi
    inject clone,clone3 error=EAGAIN:when=$n+ -j 4 --chunk-size=1000 in \
        >out 2>err
    status=$?
    case $status:$(cat err) in
        0:) [ $n -gt 2 ] && cmp -s out wanted ;;
        '1:gpuhist: cannot start a thread: Resource temporarily unavailable')
            [ $n -le 3 ] && [ ! -s out ]
            ;;
        *) false ;;
    esac
    ok $? "no thread from number $n on: status $status"
    [ $n -gt 3 ] || fired
done

done_testing
