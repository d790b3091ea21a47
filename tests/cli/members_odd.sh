# members_odd.sh -- --members: odd archives, from a file and from a pipe
#
# What is wanted is what other programs see in the archives: unzip, GNU tar.  An
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
    # shellcheck disable=SC2002 # a pipe is what is wanted
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
    # shellcheck disable=SC2002 # a pipe is what is wanted
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
    warned $name.tar 'left out what follows the end of the tar archive' \
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
    warned good.tpxz 'left out what follows the end of the tar archive' 'pixz'
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

done_testing
