# SPDX-License-Identifier: MIT
# members_7z.sh -- --members: the files in 7z archives
#
# What is wanted is what the program counts in the files themselves.
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

[ "$HAVE_ARCHIVE" = yes ] || skip_all 'built without libarchive'
command -v python3 >python-path || skip_all 'no python3'

# archives ARGUMENT...
archives()
{
    python3 "$srcdir/tests/cli/members_7z.py" "$@"
}

mkdir cases
archives all cases || exit 99
# write CASE ARCHIVE: an archive of members_7z.py.
write()
{
    cp "cases/$1" "$2"
}

if [ "$HAVE_LZMA" != yes ]; then
    write write x.7z
    says 1 'x.7z: a 7z archive, but this gpuhist is built without lzma' \
        'a build without liblzma' gpuhist --members x.7z
    done_testing
    exit 0
fi

# found ARCHIVE: what -v says of the archive.
found()
{
    gpuhist -v --members "$1" 2>&1 >out | sed -n "s/^gpuhist: $1: //p"
}
left='of links, directories and devices left out'

mkdir in in/d
noise 70000 >in/noise
printf 'hello, world\n' >in/one
: >in/empty
yes 'the quick brown fox' | head -n 5000 >in/d/fox
ln -s one in/sym
cat in/noise in/one in/d/fox | oracle >wanted

# ---- the archives of several programs ----

if command -v 7z >7z-path; then
    for method in LZMA LZMA2 BZip2 Deflate PPMd Copy 'BCJ -m1=LZMA' \
        'BCJ -m1=LZMA2' 'BCJ -m1=Deflate' 'BCJ2 -m1=LZMA' 'Delta -m1=LZMA2' \
        'ARM -m1=LZMA2' 'LZMA2 -ms=off' 'LZMA -mhc=off' 'LZMA2 -mx=9' \
        'LZMA -ms=2f'; do
        rm -f x.7z
        # shellcheck disable=SC2086 # several words
        (cd in && 7z a -snl -m0=$method ../x.7z . >../7z-says)
        counts wanted "7z's $method" gpuhist --members x.7z
        is "$(found x.7z)" "4 files; 2 $left" '... files'
        ! has_turn 3 || counts wanted '... in small chunks' \
            gpuhist --members -j1 --chunk-size=1000 x.7z
    done
    rm -f x.7z
    (cd in && 7z a -m0=Deflate64 ../x.7z . >../7z-says)
    says 1 'x.7z: d/fox: it is compressed by Deflate64, which libarchive does not read' \
        'a method that libarchive does not read' gpuhist --members x.7z
    rm -f x.7z
    (cd in && 7z a -psecret ../x.7z one >../7z-says)
    says 1 'x.7z: one: it is encrypted' 'an encrypted file' \
        gpuhist --members x.7z
    rm -f x.7z
    (cd in && 7z a -psecret -mhe ../x.7z one >../7z-says)
    says 1 'x.7z: it is encrypted, with its directory' \
        'an encrypted directory' gpuhist --members x.7z
    (cd in && 7z a -v20k ../v.7z noise >../7z-says)
    size=$(cat v.7z.* | wc -c)
    says 1 "v.7z.001: bad archive at byte 20480: it is cut short: it should have $size bytes (of several volumes, .001 and so on, this is the first: cat joins them)" \
        'the first volume' gpuhist --members v.7z.001
    cat v.7z.* >joined.7z
    oracle <in/noise >noise.wanted
    counts noise.wanted '... and all, joined' gpuhist --members joined.7z
    refused 1 'another volume' gpuhist --members v.7z.002
    if [ -e /usr/lib/p7zip/7zCon.sfx ]; then
        cat /usr/lib/p7zip/7zCon.sfx joined.7z >sfx
        at=$(($(wc -c </usr/lib/p7zip/7zCon.sfx) + 1))
        says 1 "sfx: a program with a 7z archive, which tail -c +$at copies" \
            'a program that extracts itself' gpuhist --members sfx
        tail -c +$at sfx >x.7z
        counts noise.wanted '... copied' gpuhist --members x.7z
    else
        skip 'a program that extracts itself' 'no 7zCon.sfx'
    fi
    # The dictionary of each takes as much as the files.
    head -c 20000000 /dev/zero >in/zeros
    rm -f x.7z
    (cd in && 7z a -m0=LZMA:d=16m ../x.7z zeros one >../7z-says)
    refused 1 'a dictionary, in little memory' gpuhist --members \
        --memory-limit=16M x.7z
    is "$(grep -c '^gpuhist: x.7z: needs [0-9]* bytes of memory, more than --memory-limit leaves ' err)" \
        1 '... says so'
    oracle <in/one | sed '1s/.*/0	20000000/' >zeros.wanted
    counts zeros.wanted '... in more' gpuhist --members --memory-limit=40M x.7z
    rm in/zeros
else
    skip '7z' 'no 7z'
fi
if command -v bsdtar >bsdtar-path; then
    bsdtar -C in --format=7zip -cf x.7z .
    counts wanted "bsdtar's" gpuhist --members x.7z
    is "$(found x.7z)" "4 files; 3 $left" '... files'
else
    skip 'bsdtar' 'no bsdtar'
fi
cp in/d/fox in/two
cat in/one in/two | oracle >two.wanted
if archives py7zr in >list 2>py7zr-says; then
    while read -r archive; do
        counts two.wanted "py7zr's $archive" gpuhist --members "$archive"
    done <list
else
    skip 'py7zr' 'no py7zr'
fi

# ---- options ----

write write x.7z
{
    printf 'hello, world\n'
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        printf 012345678901234567890123456789
    done
} | oracle >wanted
counts wanted 'an archive that is not compressed' gpuhist --members x.7z
gpuhist --members --per-file --nonzero --format=csv x.7z >out
is "$(sed -n 's/,.*//p' out | uniq)" 'file
x.7z: a
x.7z: b/c' '... and its names'
redirected()
{
    gpuhist --members <"$1"
}
counts wanted '... as standard input' redirected x.7z
# shellcheck disable=SC2002 # a pipe is what is wanted
says 1 'standard input: a 7z archive, whose directory is at its end, can be read only from a regular file that is not compressed' \
    'a pipe' sh -c 'cat x.7z | "$@"' sh "$GPUHIST" --members
if [ "$HAVE_GZIP" = yes ] && command -v gzip >gzip-path; then
    gzip -c x.7z >x.7z.gz
    says 1 'x.7z.gz: a 7z archive, whose directory is at its end, can be read only from a regular file that is not compressed' \
        'compressed' gpuhist --members x.7z.gz
else
    skip 'compressed' 'no gzip'
fi
printf garbage | cat x.7z - >y.7z
gpuhist --members y.7z >out 2>err
is "$? $(cat err)" '0 gpuhist: warning: y.7z: left out what follows the end of the archive' \
    'garbage behind'
same out wanted '... counts'

write hostile x.7z
before=$(find . | sort)
gpuhist --members --per-file --nonzero --format=jsonl x.7z >out 2>err
is "$? $(cat err) $(find . | sort | grep -c -v -x -F "$before")" '0  0' \
    'strange names: no file is written'
is "$(sed 's/.*"x.7z: \([^"]*\)".*/\1/' out | cut -c 1-20 | uniq)" '../up
/etc/absolute
a\u000ab
tab\u0009and \\n
-rf
nnnnnnnnnnnnnnnnnnnn
λ.txt
member 8
e\u001b[2J
member 10' '... and named'

# ---- directories that are odd ----

write undigested x.7z
counts wanted 'files without checksums' gpuhist --members x.7z
write anti x.7z
counts wanted 'a file to be deleted' gpuhist --members x.7z
oracle </dev/null >none.wanted
for name in none none-listed no-files packed; do
    write $name x.7z
    counts none.wanted "no files, $name" gpuhist --members x.7z
done

# bad CASE TEXT: the archive is refused; N stands for long numbers.
bad()
{
    write "$1" x.7z
    refused 1 "a bad archive, $1" gpuhist --members --memory-limit=1G x.7z
    is "$(sed 's/[0-9]\{6,\}/N/g' err)" "gpuhist: x.7z: $2" '... says so'
}
memory='bytes of memory, more than --memory-limit leaves (N)'
write sizes x.7z
refused 1 'files of other sizes than said' gpuhist --members x.7z
is "$(grep -c '^gpuhist: x.7z: a: bad archive at byte .*: 7-Zip bad CRC' err)" \
    1 '... says so'
bad twice 'bad archive at byte 60: its directory is compressed twice'
bad digest 'bad archive at byte 32: its directory is damaged'
bad long 'bad archive at byte 32: its directory is damaged'
bad huge "its directory needs N $memory"
bad dictionary "its directory needs N $memory"
bad method 'bad archive at byte 46: its directory is compressed by a method that is not supported'
bad encrypted 'it is encrypted, with its directory'
bad many "needs N $memory"
bad folder-dictionary "needs N $memory"
bad coders 'it has files that are compressed by more than four methods together, which libarchive does not read'
bad version 'bad archive at byte 6: its version is unknown'
bad unended 'bad archive at byte 393: Damaged 7-Zip archive'

write write good.7z
cp good.7z x.7z
printf x | dd of=x.7z bs=1 seek=20 conv=notrunc 2>dd-says
says 1 'x.7z: bad archive at byte 8: its first header is damaged' \
    'a damaged first header' gpuhist --members x.7z
cp good.7z x.7z
printf x | dd of=x.7z bs=1 seek=40 conv=notrunc 2>dd-says
refused 1 'damaged data' gpuhist --members x.7z
is "$(grep -c '^gpuhist: x.7z: a: bad archive at byte .*: 7-Zip bad CRC' err)" \
    1 '... says where'
tell_length
if instrumented; then
    skip 'damage' 'it would take long'
else
    archives damage "$GPUHIST" good.7z
    ok $? 'damage'
fi

done_testing
