# SPDX-License-Identifier: MIT
# outfile.sh -- --output: all of the new file, or the old one
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

noise 100000 >data
oracle <data >wanted
mkdir d

# content: all that is in the directory d, by name.
content()
{
    find d -type f -exec cksum {} + | sort
    find d ! -type f | sort
}

# writes NAME FILE COMMAND...: one test: COMMAND ends with 0, prints nothing
# and the counts are in FILE; no other file changes in the directory d.
writes()
{
    writes_name=$1
    writes_file=$2
    shift 2
    content | grep -v -F " $writes_file" >before
    "$@" >out 2>err
    writes_status=$?
    content | grep -v -F " $writes_file" >after
    [ $writes_status -eq 0 ] && [ ! -s out ] && [ ! -s err ] &&
        cmp -s "$writes_file" wanted && cmp -s before after
    ok $? "$writes_name" || sed 's/^/# /' err
}

# keeps STATUS NAME COMMAND...: two tests: COMMAND fails with STATUS and one
# message; in the directory d nothing changes.
keeps()
{
    content >before
    refused "$@"
    content | cmp -s before -
    ok $? '... and nothing changes'
}

mode()
{
    stat -c %a "$1"
}

# ---- a new file, an old one ----

umask 027
writes 'a new file' d/new gpuhist -o d/new data
umask 022
is "$(mode d/new)" 640 'its mode is what the umask leaves'
writes '--output=FILE' d/long gpuhist --output=d/long data
writes 'in this directory' here gpuhist -o here data
writes 'by its whole path' d/new gpuhist -o "$tap_dir/d/new" data
counts wanted '-o - is standard output' gpuhist -o - data
[ ! -e ./- ]
ok $? '... not a file'
counts wanted 'the last one wins' gpuhist -o d/no -o - data
writes 'a name like an option' d/-n gpuhist -o d/-n data
for permissions in 600 664 755 222; do
    echo before >d/old
    chmod $permissions d/old
    exec 3<d/old
    writes "an old file of mode $permissions" d/old gpuhist -o d/old data
    is "$(mode d/old)" $permissions '... which it keeps'
    is "$(cat <&3)" before '... and who has it open keeps that'
    exec 3<&-
done
ln -s old d/link
echo before >d/old
writes 'a link' d/old gpuhist -o d/link data
[ -L d/link ] && [ ! -L d/old ]
ok $? '... stays one'

# ---- links to what does not exist: as a shell's `>` ----

# links DIRECTORY: make them there, whole paths below it.
links()
{
    mkdir "$1" "$1/sub" "$1/in"
    ln -s new "$1/plain"
    ln -s sub/new "$1/relative"
    ln -s "$PWD/$1/whole" "$1/absolute"
    ln -s ../new "$1/in/up"
    ln -s in "$1/directory"
    ln -s in/second "$1/first"
    ln -s ../third "$1/in/second"
    ln -s sub/last "$1/third"
    ln -s missing/new "$1/nowhere"
    ln -s new/ "$1/slash"
    ln -s loop "$1/self"
    ln -s self "$1/loop"
    ln -s plain/x "$1/below"
    ln -s "$(printf '%0300d' 0)" "$1/long"
}

# listing DIRECTORY: all that is in there, and what the links say.
listing()
{
    (cd "$1" && find . -printf '%p %y %m %l\n' | sed "s|/$1/|/DIR/|" | sort)
}

umask 027
for name in plain relative absolute in/up directory/up first third nowhere \
    slash plain/ self below long; do
    links like
    links links
    dd if=wanted of="like/$name" 2>like.err
    dd_status=$?
    gpuhist -o "links/$name" data >out 2>err
    is "$? $(sed 's/.*: //' err)" \
        "$dd_status $(sed -n '/fail/s/.*: //p' like.err)" "-o $name: as dd"
    listing like >like.list
    listing links >links.list
    same links.list like.list '... and the same files'
    find links -type f -size +0 >created
    [ $dd_status -ne 0 ] || same "$(cat created)" wanted '... with the counts'
    rm -r like links
done
umask 022

# ---- what cannot be replaced, found out before any input ----

echo before >d/old
mkfifo never
while IFS='|' read -r file text; do
    keeps 1 "-o '$file'" gpuhist -o "$file" never
    is "$(cat err)" "gpuhist: ${file:-"''"}: cannot write: $text" '... named'
done <<'END'
|No such file or directory
d|Is a directory
d/|Is a directory
d/new/|Not a directory
d/old/x|Not a directory
d/missing/|Is a directory
missing/x|No such file or directory
/proc/x|No such file or directory
END
keeps 1 '--equalize in no directory' \
    gpuhist --image --equalize=missing/x never
keeps 2 'one file for two' gpuhist --image --equalize=d/x -o d/x data
keeps 2 'a list' gpuhist -o d/old --list-devices
keeps 2 'an unknown option' gpuhist -o d/old --unknown data

# as_nobody COMMAND...
as_nobody()
{
    if [ "$(id -u)" -eq 0 ]; then
        setpriv --reuid=65534 --clear-groups "$@"
    else
        "$@"
    fi
}
chmod 711 .
if as_nobody test -x "$GPUHIST" 2>nobody-says && as_nobody test -r data; then
    mkdir nobody
    echo before >nobody/readonly
    [ "$(id -u)" -ne 0 ] || chown -R 65534 nobody
    chmod 444 nobody/readonly
    refused 1 'a file that we may not write' \
        as_nobody timeout 20 "$GPUHIST" -o nobody/readonly never
    is "$(cat err) $(cat nobody/readonly)" \
        'gpuhist: nobody/readonly: cannot write: Permission denied before' \
        '... named, and kept'
    chmod 555 nobody
    refused 1 'a directory that we may not write' \
        as_nobody timeout 20 "$GPUHIST" -o nobody/new never
    is "$(cat err)" 'gpuhist: nobody/new: cannot write: Permission denied' \
        '... named'
else
    skip 'what we may not write' 'no other user can be had'
fi

# ---- what is no regular file ----

is "$("$GPUHIST" -o /dev/stdout data | cksum)" "$(cksum <wanted)" /dev/stdout
{
    printf 'first,'
    "$GPUHIST" -o /dev/stdout data
    printf 'last'
} >d/old
{
    printf 'first,'
    cat wanted
    printf 'last'
} >expected
same d/old expected '/dev/stdout, a file, is written to where it is'
gpuhist -o /dev/null data
is "$?:$(stat -c %F /dev/null)" '0:character special file' '/dev/null stays one'
mkfifo fifo
cat fifo >out &
gpuhist -o fifo data
is "$?:$(stat -c %F fifo)" 0:fifo 'a FIFO stays one'
wait
same out wanted '... and gets all'
# One file by two names: one of the outputs would be lost.
echo before >d/one
ln -s one d/link-to-one
for name in ./d/one d/../d/one d/link-to-one "$PWD/d/one"; do
    keeps 2 "-o d/one --svg=$name" gpuhist -o d/one --svg="$name" data
done
keeps 2 '... that is new' gpuhist -o d/none --svg=d/./none data
rm d/one d/link-to-one
ln -s none d/dangling
keeps 2 '... that a dangling link names' \
    gpuhist -o d/dangling --svg=d/none data
rm d/dangling

if [ -c /dev/full ]; then
    keeps 1 /dev/full gpuhist -o /dev/full data
    is "$(cat err)" \
        'gpuhist: /dev/full: cannot write: No space left on device' '... named'
fi

# ---- an old file survives ----

echo before >d/old
printf '(\265/\375' >bad
keeps 1 'no such input' gpuhist -o d/old missing
[ "$HAVE_ZSTD" != yes ] || keeps 1 'a bad input' gpuhist -o d/old data bad
keeps 2 'bins that make no sense' gpuhist -o d/old -b 0 data
# More than a block of a file that may have one.
keeps 1 'no room' sh -c "trap '' XFSZ; ulimit -f 1; exec \"\$0\" \"\$@\"" \
    "$GPUHIST" -o d/old data
is "$(cat err)" 'gpuhist: d/old: cannot write: File too large' '... named'

sh -c 'ulimit -f 1; exec "$0" "$@"' "$GPUHIST" -o d/old data >out 2>err
is "$? $(cat d/old) $(find d -name '.gpuhist*')" '153 before ' \
    '... by SIGXFSZ: likewise'

# With an image the same; it is replaced once the counts are accepted.
printf 'P5 3 2 255\nABCDEF' >image
echo before >d/image
if [ -c /dev/full ]; then
    content >before
    gpuhist --image --equalize=d/image image >/dev/full 2>err
    is "$? $(wc -l <err)" '1 1' 'an image, and standard output fails'
    content | cmp -s before -
    ok $? '... and nothing changes'
    keeps 1 'an image, and --output fails' \
        gpuhist --image --equalize=d/image -o /dev/full image
fi
gpuhist --image --equalize=d/image -o d/counts image >out 2>err
is "$? $(wc -c <out) $(wc -l <d/counts) $(wc -c <d/image)" '0 0 256 17' \
    'an image and counts'
cat image image >two
gpuhist --image --equalize=d/two two >out 2>err
is "$? $(cat err)" '1 gpuhist: two: has 2 images; --equalize takes only one' \
    'two images in one file'
[ ! -e d/two ]
ok $? '... and none is written'

mkdir small
if [ "$(id -u)" -eq 0 ] &&
    mount -t tmpfs -o size=4k tmpfs small 2>mount-says; then
    head -c 4096 /dev/zero >small/old
    refused 1 'a full disk' gpuhist -o small/old data
    is "$(ls -A small):$(wc -c <small/old)" old:4096 '... and nothing changes'
    # What comes first has room; by the end the reason has not been forgotten.
    rm small/old
    refused 1 'a disk that fills up' gpuhist --dtype=u2 -o small/new data
    is "$(ls -A small) $(cat err)" \
        ' gpuhist: small/new: cannot write: No space left on device' \
        '... and nothing is left there'
    umount small
    echo before >small/old
    mount --bind small/old small/old
    refused 1 'a file that is mounted' gpuhist -o small/old never
    is "$(cat err) $(cat small/old)" "gpuhist: small/old: cannot write: \
Device or resource busy before" '... named before any input, and kept'
    umount small/old
else
    skip 'a full disk' 'nothing can be mounted'
fi

# ---- system calls ----

# inject CALL HOW ARGUMENT...
inject()
{
    inject_call=$1
    inject_how=$2
    shift 2
    strace -f -qq -o trace -e "trace=$inject_call" \
        -e "inject=$inject_call:$inject_how" "$GPUHIST" --device=cpu "$@"
}

if ! command -v strace >strace-path ||
    ! inject getppid error=EPERM:when=1 --version >out 2>err; then
    skip 'system calls that fail' 'strace is not there or cannot'
    done_testing
    exit
fi
strace -f -qq -o trace -e trace=fsync,rename "$GPUHIST" -o d/old data
is "$(sed 's/^[0-9]* *\([a-z]*\).*/\1/' trace | tr '\n' ' ')" \
    'fsync rename fsync ' 'the file is on the disk before it is renamed'
echo before >d/old
for fault in fsync:1 rename:1 fchmod:1; do
    keeps 1 "${fault%:*}() fails" \
        inject "${fault%:*}" "error=EIO:when=${fault#*:}" -o d/old data
    is "$(cat err)" 'gpuhist: d/old: cannot write: Input/output error' \
        '... named'
done
# Behind rename() there is no way back.  The message says which file is there.
echo before >d/old
refused 1 'fsync() of the directory fails' \
    inject fsync error=EIO:when=2 -o d/old data
is "$(cat err)" "gpuhist: d/old: the new file is in place, but its directory \
cannot be synced: Input/output error" '... named'
same d/old wanted '... and the file is the new one'
is "$(find d -name '.gpuhist*')" '' '... alone'
for when in 3 4; do
    echo before >d/old
    echo before >d/image
    inject fsync error=EIO:when=$when --image --equalize=d/image -o d/old image \
        >out 2>err
    is "$? $(wc -c <d/image) $(wc -l <d/old) $(grep -c 'in place, but' err)" \
        '1 17 256 1' "... of two files ($when): both are new"
done
echo before >d/old
echo before >d/image
inject rename error=EIO:when=1 --image --equalize=d/image -o d/old image \
    >out 2>err
is "$? $(cat d/image) $(cat d/old)" '1 before before' \
    'where the first of two cannot be renamed, neither is'
is "$(cat err)" 'gpuhist: d/image: cannot write: Input/output error' '... named'
inject rename error=EIO:when=2 --image --equalize=d/image -o d/old image \
    >out 2>err
is "$? $(wc -c <d/image) $(cat d/old)" '1 17 before' \
    'where the second cannot be renamed, the first is'
is "$(cat err)" "gpuhist: d/old: cannot write: Input/output error; \
already replaced: d/image" '... named'

done_testing
