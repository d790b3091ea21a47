# SPDX-License-Identifier: MIT
# hostile.sh -- names, values, files and surroundings that mean no good
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

noise 30000 >data
oracle <data >wanted
: >empty

# message TEXT NAME: what "refused" got is exactly "gpuhist: TEXT".
message()
{
    is "$(cat err)" "gpuhist: $1" "$2"
}

# printable NAME: nothing in the file "err" could steer a terminal.
printable()
{
    is "$(LC_ALL=C tr -d ' -~\n' <err | wc -c)" 0 "$1"
}

# ---- files of edges ----

esc=$(printf '\033]0;x\007')
while IFS='|' read -r name bytes; do
    printf %b "$bytes" >edges
    refused 2 "edges: $name" gpuhist --dtype=f4 --edges=@edges empty
    printable '... and nothing but text is said of it'
done <<'EOF'
control characters|0 1 \0033[31m2
control characters in a long word|0 1 \0033[31m222222222222222222222222222222222222222222222222222222222222
bytes that are no text|0 1 \0377\0376
half a character where the message ends|0 1 aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\0303\0251
a byte 0|0 1\0000 2
a carriage return among them|0 1\r\r2\r1
EOF
cp edges "$esc"
refused 2 'a file of edges with such a name' gpuhist --edges=@"$esc-" empty
message '--edges=@?]0;x?-: cannot read: No such file or directory' '... is masked'
refused 2 'edges in such a file' gpuhist --dtype=f4 --edges=@"$esc" empty
printable '... and it is masked'
head -c 3000000 /dev/zero | tr '\0' 7 >edges
refused 2 'a word without an end' gpuhist --dtype=f4 --edges=@edges empty
[ "$(wc -c <err)" -lt 200 ]
ok $? '... of which not all is said'
refused 2 'edges without an end' gpuhist --edges=@/dev/zero empty
refused 2 'edges in a directory' gpuhist --edges=@. empty
message '--edges=@.: cannot read: Is a directory' '... named'
{
    echo 0 | "$DRIBBLE" 2 1
    echo 9 99
} | gpuhist -q --edges=@/dev/stdin data >out 2>err
is "$?:$(wc -l <out):$(cat err)" 0:3: 'edges from a pipe'

# ---- names that begin with a dash, and none at all ----

for name in -- --edges -j ---; do
    cp data "./$name"
    counts wanted "a file named $name" gpuhist -- "$name" <empty
    rm "./$name"
done
counts wanted 'standard input behind --' gpuhist -- - <data
refused 1 'a name between - and a file' gpuhist -- -x- <data
message '-x-: cannot open: No such file or directory' '... is a name'

# ---- long names, and many ----

name=$(printf '%0255d' 7)
cp data "$name"
counts wanted 'a name of 255 bytes' gpuhist "$name"
refused 1 'and one of 256' gpuhist "${name}7"
message "${name}7: cannot open: File name too long" '... in full'

part=$(printf '%0250d' 7)
path=$part/$part/$part/$part/$part/$part/$part/$part/$part/$part/$part/$part
mkdir -p "$path/$part/$part/$part"
cp data "$path/$part/$part/$part/deep"
counts wanted 'a path of 3770 bytes' gpuhist "$path/$part/$part/$part/deep"
refused 1 'a path that is too long' gpuhist "$path/$path/deep"
message "$path/$path/deep: cannot open: File name too long" '... in full'

# Not one of them stays open; and there are 16 descriptors.
with_few_descriptors()
{
    (
        # shellcheck disable=SC3045 # every shell that we meet has it
        ulimit -n 16 || exit 126
        exec "$GPUHIST" --device=cpu "$@"
    )
}

printf '0123456789' >digits
awk 'BEGIN { for (v = 0; v < 256; v++)
    printf "%d\t%d\n", v, (v >= 48 && v < 58) ? 10000 : 0 }' >many
names=$(awk 'BEGIN { for (i = 0; i < 10000; i++) print "digits" }')
# shellcheck disable=SC2086 # many words
if instrumented; then
    counts many '10,000 names' gpuhist $names
else
    counts many '10,000 names, 16 descriptors' with_few_descriptors $names
fi
names=$(awk 'BEGIN { for (i = 0; i < 1000; i++) print "none" i }')
# shellcheck disable=SC2086
gpuhist $names >out 2>err
is "$? $(wc -c <out) $(sort -u err | wc -l)" '1 0 1000' '1000 files that are missing'

# ---- numbers that are too large ----

# None of them may wrap around: modulo 2^32, 2^64 or 2^128 they are 1.  As a
# number of bytes the first one makes sense.
while read -r options; do
    for number in 4294967297 18446744073709551617 \
        340282366920938463463374607431768211457 1e99 -1 0x1 1,1 '' nan inf; do
        case $options:$number in
            # Bytes and 64 bits; what may be hexadecimal; lists: from the begin.
            *=NB*:4294967297 | --m*=N*:4294967297) continue ;;
            --m*=N*:0x1 | --[bs]*=N*:0x1) continue ;;
            --*=NB*:0x1) continue ;;
            --fields=N*:1,1 | --fields=N*:-1) continue ;;
        esac
        has_turn 3 || continue
        words=$(echo "$options" | sed "s/NB*/$number/")
        # shellcheck disable=SC2086 # several words
        gpuhist $words data >out 2>err
        [ "$? $(wc -c <out) $(wc -l <err)" = '2 0 1' ] || echo "$words"
    done
done >bad <<'EOF'
--bins=N --dtype=f4 --range=0,1
--shift=N --dtype=u4 --bins=4 --range=0,16
--mod=N --dtype=u1
--mask=N --dtype=u1
--subdiv=N --log --dtype=f4
--fields=N --record=u1,u1
--weights=N --record=u1,f4
--record=u1*N,u1
--record=u1,x*N
--threads=N
--device=cuda:N
--chunk-size=NB
--memory-limit=NB
--gpu-after=NB
--skip-bytes=NB
--read-bytes=NB
EOF
is "$(cat bad)" '' 'numbers that are too large, or none, are refused'

# ---- devices and files that are odd ----

head -c 1000000 /dev/zero | oracle >zeros
counts zeros '/dev/zero with --read-bytes' gpuhist --read-bytes=1e6 /dev/zero
counts zeros '... on standard input' gpuhist --read-bytes=1e6 </dev/zero
counts zeros '... and --skip-bytes' \
    gpuhist --skip-bytes=3e6 --read-bytes=1e6 --chunk-size=1000 /dev/zero
gpuhist --read-bytes=70001 /dev/urandom | awk '{ n += $2 } END { print n }' >out
is "$(cat out)" 70001 '/dev/urandom with --read-bytes'

# Files of the system that do not say how long they are, of a process that
# stands still, and a long one.
sleep 100 &
i=0
until [ "$(tr '\0' ' ' </proc/$!/cmdline)" = 'sleep 100 ' ] || [ $i -eq 500 ]; do
    i=$((i + 1))
done
for path in maps environ cmdline limits mountinfo ../kallsyms; do
    path=/proc/$!/$path
    for options in '' --chunk-size=77 '--chunk-size=5Ki --decompress=none'; do
        if ! cat "$path" >once 2>cat-says; then
            skip "/proc/PID/${path##*/} $options" 'it cannot be read'
            continue
        fi
        # shellcheck disable=SC2086 # several words
        gpuhist $options "$path" >out 2>err
        status=$?
        cat "$path" >again
        if cmp -s once again; then
            gpuhist once | cmp -s out - && [ $status -eq 0 ]
            ok $? "/proc/PID/${path##*/} $options"
        else
            skip "/proc/PID/${path##*/} $options" 'it has changed'
        fi
    done
done
kill $!
wait

if python3 -c 'import socket
socket.socket(socket.AF_UNIX).bind("socket")' 2>python-says; then
    refused 1 'a socket' gpuhist socket
    message 'socket: cannot open: No such device or address' '... named'
else
    skip 'a socket' 'no python3'
fi
if command -v setsid >setsid-path; then
    refused 1 'no terminal' setsid -w "$GPUHIST" --device=cpu /dev/tty
    message '/dev/tty: cannot open: No such device or address' '... named'
else
    skip 'no terminal' 'no setsid'
fi

# As somebody who may not read everything.
cp data secret
mkdir closed
cp data closed
chmod 0 secret closed
set -- "$GPUHIST" --device=cpu
if [ -r secret ]; then
    cp "$GPUHIST" program
    chmod 711 .
    set -- setpriv --reuid=65534 --regid=65534 --clear-groups ./program
fi
if "$@" data >out 2>err && cmp -s out wanted; then
    for name in secret closed/data; do
        refused 1 "not for us: $name" "$@" data $name
        message "$name: cannot open: Permission denied" '... named'
    done
else
    skip 'files that are not for us' 'this user may read everything'
fi
chmod 700 . closed

# ---- a file that becomes another one ----

# What has been found out of "victim" at first, its size, is not true any more
# when its turn comes.
mkfifo gate fifo

# become COMMAND...: what makes "victim" another file.
become()
{
    gpuhist -j 1 gate victim >out 2>err &
    # It is opened for reading now, so all files have been looked at.
    exec 3>gate
    rm -rf victim
    "$@"
    exec 3>&-
    wait $!
    become_status=$?
}

head -c 1000 data >few
oracle <few >wanted-few
oracle <empty >nothing
while IFS=: read -r name first command wanted_counts; do
    cp "$first" victim
    # shellcheck disable=SC2086 # several words
    become $command
    is "$become_status:$(cat err)" 0: "a file becomes $name"
    same out "$wanted_counts" '... and is what it is now'
    rm victim
done <<'EOF'
shorter:data:cp few victim:wanted-few
longer:few:cp data victim:wanted
a link:few:ln -s data victim:wanted
a device:few:ln -s /dev/null victim:nothing
EOF
while IFS=: read -r name command text; do
    cp data victim
    # shellcheck disable=SC2086 # several words
    become $command
    is "$become_status:$(wc -c <out):$(cat err)" "1:0:gpuhist: victim: $text" \
        "a file becomes $name"
done <<'EOF'
a directory:mkdir victim:is a directory
nothing:true:cannot open: No such file or directory
EOF

# ---- what never ends ----

# A FIFO without a writer: first, after other inputs, with many threads.
for options in 'fifo' 'data fifo' '-j 4 data fifo gate data' \
    '--edges=@fifo data' '--image fifo'; do
    # shellcheck disable=SC2086 # several words
    timeout --preserve-status -k 20 -s INT 0.2 "$GPUHIST" --device=cpu \
        $options >out 2>err
    is "$? $(wc -c <out)" '130 0' "nobody opens the FIFO: $options"
done

# ---- the locale ----

# Where people write 1,5: nothing is read or printed so.
mkdir locales
if command -v localedef >localedef-path &&
    localedef -i de_DE -f UTF-8 ./locales/de_DE.UTF-8 2>localedef-says; then
    LOCPATH=$PWD/locales
    export LOCPATH
fi
if [ "$(LC_ALL=de_DE.UTF-8 locale decimal_point 2>locale-says)" = , ]; then
    printf '0.5 1.25\n1.75,2e3' >edges
    while read -r options; do
        # shellcheck disable=SC2086 # several words
        gpuhist --explain -j 1 $options data >wanted-c 2>wanted-err
        status=$?
        gpuhist_locale=de_DE.UTF-8
        # shellcheck disable=SC2086
        gpuhist --explain -j 1 $options data >out 2>err
        is $? $status "de_DE: $options"
        gpuhist_locale=C
        same out wanted-c '... prints the same'
        same err wanted-err '... says the same'
    done <<'EOF'
--dtype=f4 -b 7 --range=0.5,1.25
--dtype=f4 --bin-width=0.25 --range=-1.5,1.5
--dtype=f4 --edges=@edges
--dtype=f4 --edges=0.5,1.5
--dtype=f4 --log --subdiv=1
--dtype=f4 --range=auto
--record=u1,f4 --partial=drop --weights=2
--chunk-size=1.5Ki
--chunk-size=1,5Ki
--dtype=f4 --bins=3 --range=0,5:1,5
missing
EOF
else
    skip 'de_DE' 'no such locale, and no localedef to make it'
fi

done_testing
