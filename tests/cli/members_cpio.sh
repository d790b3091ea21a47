# SPDX-License-Identifier: MIT
# members_cpio.sh -- --members: the files in cpio archives
#
# What is wanted is what the program counts in the files themselves.
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

[ "$HAVE_ARCHIVE" = yes ] || skip_all 'built without libarchive'
command -v python3 >python-path || skip_all 'no python3'

tell_length
# make KIND ARCHIVE ENTRY... [-- KIND ARCHIVE ENTRY...]...
make()
{
    python3 "$srcdir/tests/cli/members_cpio.py" make "$@"
}

# warns TEXT NAME COMMAND...: two tests: COMMAND counts "wanted", and warns of
# TEXT.
warns()
{
    warns_text=$1
    warns_name=$2
    shift 2
    "$@" >out 2>err
    is "$? $(cat err)" "0 gpuhist: warning: $warns_text" "$warns_name"
    same out wanted '... counts'
}

# found ARCHIVE: what -v says of the archive.
found()
{
    gpuhist -v --members "$1" 2>&1 >out | sed -n "s/^gpuhist: $1: //p"
}

# A tree with files of one, two and three names, and what is no file.
mkdir in in/d
noise 70000 >in/noise
printf 'hello, world\n' >in/a
: >in/empty
: >in/e1
yes 'the quick brown fox' | head -n 5000 >in/d/fox
ln in/a in/d/hard
ln in/a in/zz
ln in/e1 in/e2
ln -s a in/sym
mkfifo in/fifo
oracle <in/noise >noise.wanted
cat in/noise in/a in/d/fox | oracle >wanted
left='of links, directories and devices left out'

# ---- the archives of several programs ----

tar -C in -cf tree.tar .
counts wanted 'tar, for comparison' gpuhist --members tree.tar
if command -v cpio >cpio-path; then
    for format in newc crc odc bin hpbin hpodc; do
        (cd in && find . | cpio -o -H $format 2>../cpio-says) >tree.cpio
        counts wanted "GNU cpio's $format" gpuhist --members tree.cpio
        # shellcheck disable=SC2002 # a pipe is what is wanted
        counts wanted '... from a pipe' sh -c 'cat tree.cpio | "$@"' sh \
            "$GPUHIST" --members
        counts wanted '... in small chunks' gpuhist --members -j1 \
            --chunk-size=100 tree.cpio
        is "$(found tree.cpio)" "5 files; 7 $left" '... files, as in tar'
    done
    (cd in && find . | cpio -o -H newc --renumber-inodes --ignore-devno \
        2>../cpio-says) >tree.cpio
    counts wanted "GNU cpio's renumbered inodes" gpuhist --members tree.cpio
    (cd in && printf 'zz\n' | cpio -o -H newc 2>../cpio-says) >one.cpio
    oracle <in/a >a.wanted
    counts a.wanted 'one name of three' gpuhist --members one.cpio
    (cd in && printf 'e1\n' | cpio -o -H newc 2>../cpio-says) >one.cpio
    is "$(found one.cpio)" "1 file; 0 $left" '... of an empty file'
    python3 "$srcdir/tests/cli/members_cpio.py" extract "$GPUHIST" 40
    ok $? 'random archives, as GNU cpio extracts them'
else
    skip 'GNU cpio' 'no cpio'
fi
if command -v bsdcpio >bsdcpio-path; then
    for format in newc odc; do
        (cd in && find . | bsdcpio -o -H $format 2>../cpio-says) >tree.cpio
        counts wanted "bsdcpio's $format" gpuhist --members tree.cpio
        is "$(found tree.cpio)" "5 files; 7 $left" '... files, as in tar'
    done
else
    skip 'bsdcpio' 'no bsdcpio'
fi

# ---- files with several names ----

printf 'xyz' | oracle >xyz.wanted
for kind in newc crc; do
    make $kind x.cpio '("a", b"", {"links": 3})' '("b", b"", {"links": 3})' \
        '("c", b"xyz", {"links": 3})' -- \
        $kind first.cpio '("a", b"xyz", {"links": 3})' \
        '("b", b"", {"links": 3})' '("c", b"", {"links": 3})' -- \
        $kind few.cpio '("a", b"", {"links": 9})' '("b", b"", {"links": 9})'
    counts xyz.wanted "$kind: the last name has the data" \
        gpuhist --members x.cpio
    gpuhist --members --per-file --nonzero --format=csv x.cpio >out
    is "$(sed -n '2s/,.*//p' out)" 'x.cpio: c' '... and gives the name'
    counts xyz.wanted "$kind: ... the first" gpuhist --members first.cpio
    is "$(found first.cpio)" "1 file; 2 $left" '... one file'
    is "$(found few.cpio)" "1 file; 1 $left" \
        "$kind: an empty file, of which some names are absent"
done
for kind in newc odc bin swap; do
    make $kind same.cpio '("a", b"xyz", {"links": 2})' \
        '("b", b"xyz", {"links": 2})' -- \
        $kind x.cpio '("a", b"xyz", {"links": 2})' \
        '("b", b"xyy", {"links": 2})' -- \
        $kind size.cpio '("a", b"xy", {"links": 2})' \
        '("b", b"z", {"links": 2})' -- \
        $kind one.cpio '("a", b"xy", {"links": 1})' '("b", b"z", {"links": 1})'
    counts xyz.wanted "$kind: each name has the data" \
        gpuhist --members same.cpio
    refused 1 "$kind: ... other data" gpuhist --members x.cpio
    is "$(sed 's/ at byte [0-9]*//' err)" \
        'gpuhist: x.cpio: b: bad archive: it has the device and inode number of a file before it, but other data' \
        '... says so'
    counts xyz.wanted "$kind: ... of another size" gpuhist --members size.cpio
    counts xyz.wanted "$kind: a number of inodes that are not used" \
        gpuhist --members one.cpio
done
python3 "$srcdir/tests/cli/members_cpio.py" many x.cpio 20000
is "$(found x.cpio)" "20000 files; 20000 $left" 'many files with two names'
says 1 'x.cpio: has more files with several names than fit into --memory-limit' \
    '... in little memory' gpuhist --members --memory-limit=1M x.cpio

# ---- what is no file ----

for mode in 0o40755 0o20666 0o60666 0o10666 0o140666; do
    make newc empty.cpio '("a", b"xyz")' "('b', b'', {'mode': $mode})" -- \
        newc x.cpio '("a", b"xyz")' "('b', b'data', {'mode': $mode})"
    is "$(found empty.cpio)" "1 file; 1 $left" "mode $mode"
    refused 1 '... with data' gpuhist --members x.cpio
    is "$(grep -c 'x.cpio: b: bad archive at byte 116: a .* has data' err)" 1 \
        '... says so'
done
make newc x.cpio '("a", b"xyz")' "('b', b'data', {'mode': 0o30000})" -- \
    newc link.cpio '("a", b"xyz")' "('b', b'data', {'mode': 0o120777})" -- \
    odc none.cpio -- newc a.cpio '("a", b"x")' -- odc b.cpio '("b", b"yz")' -- \
    newc c.cpio '("c", b"", {"links": 2})' '("d", b"xyz", {"links": 2})' -- \
    newc d.cpio '("e", b"", {"links": 2})' '("f", b"", {"links": 2})'
says 1 'x.cpio: b: bad archive at byte 116: the type of the file does not exist' \
    'a type that does not exist' gpuhist --members x.cpio
counts xyz.wanted 'a symbolic link' gpuhist --members link.cpio
for kind in newc odc bin; do
    python3 "$srcdir/tests/cli/members_cpio.py" hostile $kind x.cpio
    before=$(find . | sort)
    gpuhist --members --per-file --nonzero --format=jsonl x.cpio >out 2>err
    is "$? $(cat err) $(find . | sort | grep -c -v -x -F "$before")" '0  0' \
        "strange names, $kind: no file is written"
    is "$(grep -c '"x.cpio: /etc/absolute"' out)" 11 '... and named'
done
oracle </dev/null >none.wanted
counts none.wanted 'no files' gpuhist --members none.cpio

# ---- several archives; compression ----

cat a.cpio b.cpio >two.cpio
counts xyz.wanted 'two archives' gpuhist --members two.cpio
{
    cat a.cpio
    head -c 1000 /dev/zero
    cat b.cpio
    head -c 999 /dev/zero
} >two.cpio
counts xyz.wanted '... with zeros between and behind' gpuhist --members two.cpio
cp xyz.wanted wanted
{
    cat two.cpio
    printf garbage
} >x.cpio
warns 'x.cpio: left out what follows the end of the archive' \
    'garbage behind' gpuhist --members x.cpio
cat d.cpio c.cpio d.cpio >x.cpio
counts wanted 'inode numbers hold in one archive' gpuhist --members x.cpio

# tool NAME HAVE: an initramfs: archives, the last one compressed.
tool()
{
    if [ "$2" != yes ] || ! command -v "$1" >tool-path; then
        skip "an initramfs with $1" "no $1"
        return
    fi
    "$1" -c <b.cpio >b.packed
    {
        cat a.cpio
        head -c 600 /dev/zero
        cat b.packed
    } >x.img
    counts wanted "an initramfs with $1" gpuhist --members x.img
    # shellcheck disable=SC2002 # a pipe is what is wanted
    counts wanted '... from a pipe' sh -c 'cat x.img | "$@"' sh "$GPUHIST" \
        --members
    at=$(($(wc -c <a.cpio) + 600))
    is "$(gpuhist --members --per-file --nonzero --format=csv x.img |
        sed -n '$s/,.*//p')" "x.img from byte $at on: b" '... and names'
    "$1" -c <two.cpio >two.packed
    counts wanted "... all with $1" gpuhist --members two.packed
    head -c -3 x.img >cut.img
    refused 1 '... that is cut short' gpuhist --members cut.img
    is "$(grep -c "cut.img from byte $at on: truncated" err)" 1 '... says where'
    "$1" -c <in/a >other.packed
    cat two.cpio other.packed >x.img
    warns 'x.img: left out what follows the end of the archive' \
        "other data with $1 behind" gpuhist --members x.img
    cat two.cpio b.packed >x.img
    warns 'x.img: left out what follows the end of the archive' \
        '... and --decompress=none' gpuhist --members --decompress=none x.img
}
tool gzip "$HAVE_GZIP"
tool zstd "$HAVE_ZSTD"
tool xz "$HAVE_LZMA"
tool lz4 "$HAVE_LZ4"
tool bzip2 "$HAVE_BZIP2"

# ---- damage ----

make crc x.cpio '("a", b"xyz", {"sum": 1})' -- newc good.cpio '("a", b"xyz")' -- \
    newc unended.cpio '("a", b"xyz", {"name_bytes": 1})' -- \
    newc long.cpio '("a", b"xyz", {"name_bytes": 0x10001})' -- \
    crc all.cpio '("a", b"hello, world")' \
    '("b/c", b"0123456789012345678901234567890123456789")' \
    '("l", b"target", {"mode": 0o120777})' '("d", b"", {"mode": 0o40755})' -- \
    newc files.cpio '("a", b"hello, world")' \
    '("b/c", b"0123456789012345678901234567890123456789")'
says 1 'x.cpio: a: bad archive at byte 115: the checksum of its data is wrong' \
    'a wrong checksum' gpuhist --members x.cpio
head -c 114 good.cpio >x.cpio
says 1 'x.cpio: a: bad archive at byte 114: it is cut short: 1 bytes of its data are missing' \
    'cut in the data' gpuhist --members x.cpio
head -c 116 good.cpio >x.cpio
says 1 'x.cpio: bad archive at byte 116: it is cut short: no trailer ends it' \
    'no trailer' gpuhist --members x.cpio
head -c 150 good.cpio >x.cpio
says 1 'x.cpio: bad archive at byte 150: it is cut short: a header is not whole' \
    'cut in a header' gpuhist --members x.cpio
{
    head -c 116 good.cpio
    printf 'xxxxxxxx'
    tail -c +117 good.cpio
} >x.cpio
says 1 'x.cpio: bad archive at byte 116: a header or the trailer should be here' \
    'bytes between entries' gpuhist --members x.cpio
sed 's/07070100000007/0707010000000g/' good.cpio >x.cpio
says 1 'x.cpio: bad archive at byte 0: a header is damaged' \
    'a number that is none' gpuhist --members x.cpio
says 1 'unended.cpio: bad archive at byte 0: a header is damaged: its name does not end' \
    'a name without an end' gpuhist --members unended.cpio
says 1 'long.cpio: bad archive at byte 0: a header is damaged: its name is too long' \
    'a name that is too long' gpuhist --members long.cpio
for archive in all.cpio files.cpio; do
    if instrumented; then
        skip 'damage' 'it would take long'
    else
        python3 "$srcdir/tests/cli/members_cpio.py" damage "$GPUHIST" $archive
        ok $? "damage of $archive"
    fi
done

# ---- near misses ----

for magic in 07070X 070727; do
    sed "s/070701/$magic/" good.cpio >x.cpio
    refused 1 "the magic number $magic" gpuhist --members x.cpio
    is "$(grep -c 'x.cpio: a cpio archive of .* (--members counts the files in tar, zip, 7z and cpio archives)' err)" \
        1 '... says why'
done
printf 'text' >in/070701
printf 'text' >in/070707
tar -C in -cf x.tar 070701 070707
printf 'texttext' | oracle >text.wanted
counts text.wanted 'names of tar that look like headers' \
    gpuhist --members x.tar

done_testing
