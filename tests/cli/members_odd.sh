# SPDX-License-Identifier: MIT
# members_odd.sh -- --members: odd archives, from a file and from a pipe
#
# Other programs, unzip and GNU tar, see the same files in the archives.  An
# archive never has two answers, one of a file and one of a pipe.
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

[ "$HAVE_ARCHIVE" = yes ] || skip_all 'no libarchive'
command -v python3 >python-path || skip_all 'no python3'

archives()
{
    python3 "$srcdir/tests/cli/members_odd.py" "$@"
}

# from_pipe ARCHIVE OPTION...
from_pipe()
{
    archive=$1
    shift
    # shellcheck disable=SC2002 # a pipe is wanted
    cat "$archive" | gpuhist --members "$@"
}

# each ARCHIVE NAME: a file and a pipe count as the file "wanted".
each()
{
    counts wanted "$2" gpuhist --members "$1"
    counts wanted '... from a pipe' from_pipe "$1"
}

# warned ARCHIVE TEXT NAME: each counts as "wanted", and warns of TEXT.
warned()
{
    for how in file pipe; do
        if [ $how = file ]; then
            gpuhist --members "$1" >out 2>err
            input=$1
        else
            from_pipe "$1" >out 2>err
            input='standard input'
        fi
        is "$? $(cat err)" "0 gpuhist: warning: $input: $2" "$3, $how"
        same out wanted '... counts'
    done
}

# bad ARCHIVE TEXT NAME: each is refused; TEXT follows the input's name.
bad()
{
    says 1 "$1: $2" "$3" gpuhist --members "$1"
    says 1 "standard input: $2" '... from a pipe' from_pipe "$1"
}

# ---- zip: what only the directory tells ----

archives zips
remedy='; a regular file can be read'
{
    python3 -c 'print("hello, world\n" * 50, end = "")'
} >plain
oracle <plain >plain-counts
cp plain-counts wanted
for kind in link directory-empty; do
    counts wanted "a $kind is left out" gpuhist --members $kind.zip
    what='a symbolic link'
    [ $kind = link ] || what='a directory'
    says 1 "standard input: odd: the directory of the archive shows $what, which was counted as a file$remedy" \
        '... from a pipe: refused' from_pipe $kind.zip
done
each slash-empty.zip 'a directory with a slash is left out'
counts wanted 'a link where the comment is long' gpuhist --members comment.zip
refused 1 '... from a pipe: refused' from_pipe comment.zip
for options in -l --per-file '-j 1' --chunk-size=100; do
    # shellcheck disable=SC2086 # several words
    refused 1 "a link from a pipe, $options" from_pipe link.zip -q $options
done
says 1 'type.zip: odd: bad archive at byte 718: the type of the file does not exist' \
    'a type that does not exist' gpuhist --members type.zip
for kind in directory dos; do
    says 1 "$kind.zip: odd/: bad archive at byte 718: a directory has data" \
        "a directory that has data, $kind" gpuhist --members $kind.zip
done
for kind in device socket; do
    says 1 "$kind.zip: odd: bad archive at byte 718: a device has data" \
        "a $kind that has data" gpuhist --members $kind.zip
done
for kind in directory dos device socket type; do
    refused 1 "a $kind with data, from a pipe" from_pipe $kind.zip
    is "$(grep -c 'odd: the directory of the archive shows .*, which was counted as a file$' err)" \
        1 '... says so'
done
bad slash.zip 'odd/: bad archive at byte 719: a directory has data' \
    'a name of a directory that has data'
{
    cat plain
    printf target
} | oracle >wanted
each fifo.zip 'what zip has made from a pipe is a file'
is "$(unzip -p fifo.zip 2>unzip-says | oracle | cmp - wanted 2>&1)" '' \
    '... as unzip has it'

# ---- zip: the directory and the entries ----

{
    cat plain
    printf 'other\n'
} | oracle >wanted
each good.zip 'a good archive'
refused 1 'a deleted entry, from a pipe' from_pipe deleted.zip
is "$(cat err)" "gpuhist: standard input: bad archive: its directory has 1 entry, but 2 are there$remedy" \
    '... says so'
printf 'other\n' | oracle >other-counts
counts other-counts '... of a file' gpuhist --members deleted.zip
for name in lies twice size; do
    refused 1 "a directory that lies, $name" gpuhist --members $name.zip
    refused 1 '... from a pipe' from_pipe $name.zip
done
is "$(cat err)" 'gpuhist: standard input: other: bad archive: its directory says 7 bytes, but the file has 6' \
    '... says so'

# ---- zip: what other programs write ----

for name in windows linux shell; do
    counts wanted "a program that extracts itself, $name" \
        gpuhist --members $name.zip
    says 1 'standard input: a program: a zip archive that extracts itself can be read from a regular file' \
        '... from a pipe' from_pipe $name.zip
done
each android.zip 'an archive for Android'
each descriptor.zip 'sizes behind the data'
for name in unsigned long; do
    counts wanted "... that are odd, $name" gpuhist --members $name.zip
    refused 1 '... from a pipe' from_pipe $name.zip
    is "$(grep -c ' (a regular file is read by its directory)$' err)" 1 \
        '... says what helps'
done
cp plain-counts wanted
each lzma.zip 'an empty file in LZMA'
if command -v zip >zip-path; then
    # shellcheck disable=SC2002 # a pipe is wanted
    cat plain | zip -q whole.zip -
    each whole.zip 'zip, of a pipe'
    # shellcheck disable=SC2002
    cat plain | zip -q - - | cat >whole.zip
    each whole.zip '... to a pipe'
    is "$(unzip -p whole.zip | oracle | cmp - wanted 2>&1)" '' \
        '... as unzip has it'
    mkdir tree
    ln -s target tree/link
    cp plain tree/plain
    (cd tree && zip -q -y -r ../tree.zip .)
    counts wanted 'links of zip -y' gpuhist --members tree.zip
    says 1 "standard input: link: the directory of the archive shows a symbolic link, which was counted as a file$remedy" \
        '... from a pipe' from_pipe tree.zip
else
    skip 'zip' 'no zip'
fi

# ---- tar: the end ----

archives tars
{
    cat plain
    printf 'other\n'
} | oracle >wanted
# as_tar ARCHIVE: GNU tar sees the files that are wanted.
as_tar()
{
    tar -xOf "$1" 2>tar-says | oracle >seen
    same seen wanted '... as GNU tar has it'
}
each good.tar 'a good tar'
each zeros.tar 'zeros behind the end'
for name in text blocks far; do
    warned $name.tar 'left out what follows the end of the archive' \
        "text behind the end, $name"
    as_tar $name.tar
    counts wanted '... no warning with -q' gpuhist -q --members $name.tar
done
warned unended.tar 'no end of the tar archive: it may be cut off' 'no end'
as_tar unended.tar
for name in damaged lone; do
    refused 1 "$name is no end" gpuhist --members $name.tar
    refused 1 '... from a pipe' from_pipe $name.tar
done
if command -v pixz >pixz-path && [ "$HAVE_LZMA" = yes ]; then
    pixz good.tar good.tpxz
    warned good.tpxz 'left out what follows the end of the archive' 'pixz'
else
    skip 'pixz' 'no pixz, or no xz in this build'
fi

# ---- tar: kinds ----

bad directory.tar 'd/: bad archive at byte 2048: a directory has data' \
    'a name of a directory with data'
bad pax-directory.tar 'd/: bad archive at byte 3072: a directory has data' \
    'a directory with a size of its own'
for name in names unknown size; do
    each $name.tar "tar: $name"
done

# ---- holes and memory ----

for key in GNU.sparse.size GNU.sparse.realsize SCHILY.realsize; do
    bad $key.tar 'hole: bad archive at byte 2048: it has fewer data than its size, and no map of holes' \
        "a hole without a map, $key"
done
bad negative.tar 'hole: bad archive at byte 2048: its size is negative' 'a size below zero'
bad short.tar 'hole: bad archive at byte 2048: it has fewer data than its map' \
    'a map without data'
# bounded ARCHIVE TEXT NAME: 32 MiB do not suffice, and no more are used.
bounded()
{
    if instrumented; then
        skip "$3" 'it takes more memory'
        return
    fi
    archives measure "$GPUHIST" -j1 --members --memory-limit=32Mi "$1" >measured
    read -r status used <measured
    is "$status $(sed 1d measured)" "1 gpuhist: $1: $2" "$3"
    [ "$used" -le 48 ]
    ok $? '... takes little memory' || echo "# $used MiB"
}
bounded map.tar 'holes: bad archive at byte 1048576: its header needs more memory than --memory-limit leaves (16772096)' \
    'a long map of a sparse file'
bounded dictionary.zip 'packed: needs 336068608 bytes of memory, more than --memory-limit leaves (16772096)' \
    'a long dictionary of LZMA'
oracle <plain >wanted
counts wanted '... a short one' \
    gpuhist --members --memory-limit=32Mi little.zip
printf '0\t2000000\n' >wanted
counts wanted 'a long map without a limit' \
    gpuhist --members --nonzero map.tar

# ---- holes that are counted, but not read ----

archives holes
gpuhist_seconds=20
tera=1099511627776
# tera NAME OPTION... ARCHIVE: it counts as the file "wanted", in no time.
tera()
{
    counts wanted "$1" from_file "$@"
}
from_file()
{
    shift
    gpuhist --members "$@"
}
# rows VALUE COUNT...: they are wanted.
rows()
{
    printf '%s\t%s\n' "$@" >wanted
}
rows 0 $((tera - 7)) 97 1 98 1 99 1 119 1 120 1 121 1 122 1
tera 'a hole of 1 TiB' --nonzero tera.tar
tera '... with one thread' -j 1 --nonzero tera.tar
tera '... in small chunks' --chunk-size=100 --nonzero tera.tar
counts wanted '... from a pipe' from_pipe tera.tar --nonzero
sed 's/^/tera.tar: hole\t/' wanted >named
mv named wanted
tera '... each file' --per-file --nonzero tera.tar
rows 0 $((tera / 4 - 2)) 6513249 1 2054781047 1
tera '... of keys' --dtype='<u4' --nonzero tera.tar
printf '0\t1073741824\t%d\n1073741824\t2147483648\t1\n' $((tera / 4 - 1)) \
    >wanted
tera '... of bins' --dtype='<u4' --bins=2 --range=0,2147483648 tera.tar
rows 119 1 120 1 121 1 122 1
tera '... that is skipped' --skip-bytes=$((tera - 4)) --nonzero tera.tar
rows 0 $((tera / 2 - 3)) 97 1 98 1 99 1
tera '... up to a limit' --read-bytes=$((tera / 2)) --nonzero tera.tar
rows 0 $((2 * tera - 8)) 97 2 98 2 99 2 100 2
tera '... in two files' --nonzero twice.tar
rows 0 $tera
tera 'an image' --image --nonzero grey.tar
printf '1\t0\t%d\n1\t258\t1\n2\t0\t%d\n3\t0\t%d\n' 4294967295 4294967296 \
    4294967296 >wanted
tera '... of three channels' --image --nonzero colour.tar
rows 0 $((tera / 4))
tera 'a .npy file' --npy --nonzero npy.tar
cp plain-counts wanted
[ "$HAVE_GZIP" != yes ] || tera 'zeros behind gzip' gzip.tar
[ "$HAVE_LZMA" != yes ] || tera 'zeros behind xz' xz.tar
refused 1 'more than can be counted' gpuhist --members huge.tar
is "$(cat err)" 'gpuhist: huge.tar: hole: the holes of sparse files have more than 2^62 bytes' \
    '... says so'
gpuhist --members --nonzero --state=state tera.tar >wanted
counts wanted 'a state of a hole' gpuhist --merge --nonzero state
if ! instrumented; then
    refused 1 'a line without an end' \
        gpuhist --members -l --memory-limit=64Mi tera.tar
    is "$(grep -c 'gpuhist: tera.tar: hole: the record at byte 0 is longer than' err)" \
        1 '... says so'
fi
# Each byte is a record that ends: this takes hours.
timeout 3 "$GPUHIST" --members -z -l --progress=always tera.tar >out 2>err
is "$? $(tr '\r' '\n' <err | grep -c ' 0 %, .* left') $(grep -c ' 100 %' err)" \
    "124 $(tr '\r' '\n' <err | grep -c ' read in ') 0" 'progress is honest'

# A file on this disk has the same counts.
gpuhist_seconds=120
truncate -s 9000001 holes
for at in 3 2500000 2500007 8999990; do
    noise 1000 | head -c $((at % 9 + 1)) |
        dd of=holes bs=1 seek="$at" conv=notrunc 2>dd-says
done
tar -S -cf holes.tar holes
# Without what differs in any case.
figures()
{
    sed 's/"options":.*"bytes"/"bytes"/'
}
# alike OPTION...
alike()
{
    gpuhist --partial=drop "$@" holes >wanted 2>wanted-err
    [ -s wanted ] || echo "Bail out! $*: $(cat wanted-err)"
    gpuhist --members --partial=drop "$@" holes.tar 2>err | figures >out
    figures <wanted >wanted-figures
    same out wanted-figures "holes: $*"
}
for type in i1 u2 '>i2' u4 i8 f2 f4 '>f8'; do
    alike --dtype=$type --bins=4 --range=auto
    alike --dtype=$type --nonzero
done
alike --dtype=u2 --log --range=1,65536
alike --dtype=i4 --edges=-5,0,5,1000 --closed=right
alike --dtype=u4 --shift=1 --mask=0xff --nonzero
alike --dtype=f4 --bins=4 --range=0,1 --flow=clamp
alike --record='u2,x*1,i4' --bins=4 --range=auto
alike --record=u1,u1,u1 --joint --bins=4
alike --record='u2,x*1,i4' --weights=1 -f 2 --bins=4 --range=auto
alike --record=f4,u1 --weights=1 -f 2 --nonzero
alike --dtype=u1 --stats=only
alike --dtype=u2 --format=jsonl --bins=8 --every=1000000

done_testing
