# SPDX-License-Identifier: MIT
# members.sh -- --members: the files in tar and zip archives
#
# What is wanted is what the program counts in the same files, outside the
# archive or as Python extracts them.
# shellcheck shell=sh disable=SC2154,SC2034

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

if [ "$HAVE_ARCHIVE" != yes ]; then
    says 2 '--members: this gpuhist is built without libarchive' \
        'a build without libarchive' gpuhist --members
    done_testing
    exit 0
fi
command -v python3 >python-path || skip_all 'no python3'

tell_length
# archives ACTION ARGUMENT...
archives()
{
    python3 "$srcdir/tests/cli/members.py" "$@"
}

# The files: a last line without an end, nothing, every byte, long lines.
mkdir in in/d
printf 'id,size\nb,1\na,2\nb,3' >in/one.csv
printf 'id,size\nc,4\n' >in/d/two.csv
: >in/empty
noise 70000 >in/noise
noise 4096 >in/d/words
yes 'the quick brown fox' | head -n 20000 >in/fox

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

# extract ARCHIVE: its files, by Python.
extract()
{
    rm -rf extracted
    archives extract "$1" extracted || exit 99
}

# members ARCHIVE NAME OPTION...: extract ARCHIVE, and count the same.
members()
{
    extract "$1"
    like_extracted "$@"
}

# files_are FILE...: these of in/ are extracted.
files_are()
{
    rm -rf extracted
    mkdir extracted
    for file in "$@"; do
        cp "in/$file" "extracted/${file##*/}"
    done
}

# packed FILES ARCHIVE NAME OPTION...: make ARCHIVE of these files of in/, and
# count the same.
packed()
{
    # shellcheck disable=SC2086 # several files
    tar -C in -cf "$2" $1
    # shellcheck disable=SC2086 # likewise
    files_are $1
    shift
    like_extracted "$@"
}

# like_extracted ARCHIVE NAME OPTION...: with these options, the files in
# ARCHIVE count as those that are extracted.
like_extracted()
{
    members_archive=$1
    members_name=$2
    shift 2
    if ! gpuhist "$@" extracted/* >wanted 2>err; then
        echo "Bail out! $members_name: $(cat err)"
        exit 99
    fi
    counts wanted "$members_name" gpuhist --members "$@" "$members_archive"
    # shellcheck disable=SC2002 # a pipe is what is wanted
    cat "$members_archive" >piped
    counts wanted '... from a pipe' sh -c 'cat piped | "$@"' sh \
        "$GPUHIST" ${GPUHIST_TEST_DEVICE:+--device="$GPUHIST_TEST_DEVICE"} \
        --members "$@"
}

# ---- the archives of several programs ----

files_are one.csv d/two.csv empty noise d/words fox
# all ARCHIVE NAME: the files of in/ count, in each way.
all()
{
    for options in '' -l --words --chunk-size=1000 '-j 1'; do
        # shellcheck disable=SC2086 # several words, or none
        ! has_turn 3 || like_extracted "$1" "$2: ${options:-bytes}" $options
    done
}

(cd in && archives all ../python one.csv d/two.csv empty noise d/words fox)
for format in ustar pax gnu stored deflated bzip2 lzma; do
    all python-$format "python's $format"
done
for format in ustar pax gnu v7 oldgnu; do
    tar -C in --format=$format -cf gnu.tar .
    all gnu.tar "GNU tar's $format"
done
if command -v bsdtar >bsdtar-path; then
    for format in ustar pax gnutar zip; do
        bsdtar -C in --format=$format -cf bsd.archive .
        all bsd.archive "bsdtar's $format"
    done
else
    skip 'bsdtar' 'no bsdtar'
fi
if command -v zip >zip-path; then
    (cd in && zip -q -r ../zip.zip .)
    all zip.zip 'zip'
    (cd in && zip -q -0 -r - . | cat) >stream.zip
    all stream.zip 'a stream of zip'
else
    skip 'zip' 'no zip'
fi
if command -v 7z >7z-path; then
    for method in Deflate Deflate64 BZip2 LZMA Copy; do
        rm -f 7z.zip
        (cd in && 7z a -tzip -mm=$method ../7z.zip . >../7z-says)
        # Python does not know the method.
        gpuhist in/d/* in/empty in/fox in/noise in/one.csv >wanted
        if [ $method != Deflate64 ]; then
            counts wanted "7z's $method" gpuhist --members 7z.zip
        else
            refused 1 "7z's $method" gpuhist --members 7z.zip
        fi
    done
    rm -f 7z.zip
    (cd in && 7z a -tzip -psecret ../7z.zip fox >../7z-says)
    says 1 '7z.zip: fox: it is encrypted' 'an encrypted file' \
        gpuhist --members 7z.zip
else
    skip '7z' 'no 7z'
fi

# ---- what a file in an archive is: an input ----

packed 'one.csv d/two.csv' csv.tar 'each has a header' --csv -fid
like_extracted csv.tar 'numbers of fields with a header' --csv -fsize --dtype=int
like_extracted csv.tar 'weights' --csv -g id --weights=size
like_extracted csv.tar '--skip-bytes of each' -l --skip-bytes=8
like_extracted csv.tar '--read-bytes of each' --read-bytes=5
packed 'empty d/words' wide.tar 'samples' --dtype=u4 --bins=16 --range=auto
like_extracted wide.tar '... at the range of the values' --dtype=i2 --nonzero
printf 'id,length\nc,4\n' >in/three.csv
tar -C in -cf csv.tar one.csv d/two.csv three.csv
says 1 "csv.tar: three.csv: field 2 of the header is 'length', but 'size' in csv.tar: one.csv" \
    'another header' gpuhist --members --csv -fid csv.tar
printf 'id,size\nb,x\n' >in/four.csv
tar -C in -cf weights.tar one.csv four.csv
says 1 "weights.tar: four.csv: the weight at byte 10, 'x', is no number" \
    'a bad weight, and where it is' \
    gpuhist --members --csv -g id --weights=size weights.tar
printf abcde >in/five
cp in/noise in/seven
tar -C in -cf ragged.tar d/words five empty seven
refused 1 'a record that is not whole' gpuhist --members --dtype=u4 --nonzero ragged.tar
is "$(grep -c 'ragged.tar: five: ' err)" 1 '... in a file that is named'
head -c 4 in/five | cat in/d/words - in/seven >data
gpuhist --dtype=u4 --nonzero data >wanted
gpuhist --members --dtype=u4 --nonzero --partial=drop ragged.tar >out 2>err
is "$? $(cat err)" '0 gpuhist: warning: ragged.tar: five: left out 1 byte of an incomplete record at the end' \
    '--partial=drop'
same out wanted '... counts the rest'
printf abc >in/six
tar -C in -cf ragged.tar five six
gpuhist --members --dtype=u4 --nonzero --partial=drop ragged.tar >out 2>err
is "$? $(cat err)" '0 gpuhist: warning: ragged.tar: five and 1 more of its files: left out 4 bytes of incomplete records at their ends' \
    '... in several files'
tar -C in -cf text.tar fox empty one.csv noise
gpuhist --members --dtype=u2 --nonzero --partial=drop text.tar 2>&1 >out | grep look >err
is "$(cat err)" 'gpuhist: warning: text.tar: fox and 1 more input look like text, but were counted as binary numbers' \
    'files that look like text'
if python3 -c 'import numpy' 2>numpy-says; then
    python3 -c 'import numpy
numpy.save("in/a.npy", numpy.arange(1000, dtype="<u2"))
numpy.save("in/b.npy", numpy.arange(5, 90, dtype="<u2"))
numpy.save("in/c.npy", numpy.arange(5, 90, dtype="<f8"))'
    packed 'a.npy b.npy' npy.tar '.npy files' --npy
    tar -C in -cf npy.tar a.npy c.npy
    refused 1 '.npy files of several types' gpuhist --members --npy npy.tar
    if [ "$HAVE_LZMA" = yes ] && command -v xz >xz-path; then
        # The dictionary of each takes 64 MiB.
        tar -C in -cf - a.npy | xz -9 >npy.tar.xz
        tar -C in -cf - fox | xz -9 >fox.tar.xz
        refused 1 'archives behind one that is wrong' timeout 60 "$GPUHIST" \
            --members --npy --memory-limit=100M fox.tar.xz npy.tar.xz npy.tar.xz
    else
        skip 'archives behind one that is wrong' 'no xz'
    fi
else
    skip '.npy files' 'no numpy'
fi
printf 'P5 2 2 255\nabcd' >in/a.pgm
printf 'P5 1 3 255\nefg' >in/b.pgm
printf 'P6 1 1 255\nefg' >in/c.ppm
packed 'a.pgm b.pgm' images.tar 'images' --image
tar -C in -cf images.tar a.pgm c.ppm
says 1 'images.tar: c.ppm: has 3 channels and maxval 255, but the first image has 1 and 255' \
    'images of several kinds' gpuhist --members --image images.tar

# ---- what is no file, and files that are special ----

mkdir kinds
printf data >kinds/file
ln kinds/file kinds/hard
ln -s file kinds/soft
mkfifo kinds/fifo
mkdir kinds/directory
tar -C kinds -cf kinds.tar .
printf data | oracle >wanted
counts wanted 'links, pipes and directories are left out' \
    gpuhist --members kinds.tar
gpuhist -v --members kinds.tar 2>&1 >out | grep kinds.tar >err
is "$(cat err)" 'gpuhist: kinds.tar: 1 file; 5 of links, directories and devices left out' \
    '... -v says so'
truncate -s 3000000 sparse
printf 'x' | dd of=sparse bs=1 seek=1000000 conv=notrunc 2>dd-says
printf x | oracle | sed 's/^0\t.*/0\t2999999/' >wanted
for options in --format=gnu '--format=pax --sparse-version=0.0' \
    '--format=pax --sparse-version=0.1' '--format=pax --sparse-version=1.0'; do
    # shellcheck disable=SC2086 # several words
    tar -S $options -cf sparse.tar sparse
    counts wanted "a sparse file, $options" gpuhist --members sparse.tar
    [ "$(wc -c <sparse.tar)" -lt 100000 ] || exit 99
done
for format in pax gnu deflated; do
    archives hostile $format hostile
    before=$(find . | sort)
    members hostile "strange names, $format"
    is "$(find . ! -path './extracted*' ! -name piped ! -name wanted | sort)" \
        "$(echo "$before" | grep -v -e '^./extracted' -e '^./piped$' -e '^./wanted$')" \
        '... write no file'
    gpuhist --members --per-file --nonzero --format=csv hostile >out
    is "$(grep -c '^hostile: λ.txt,' out)" 5 \
        '... are UTF-8, also where the locale is C'
done
tar -C in -cf a.tar fox
tar -C in -cf b.tar noise
cat a.tar b.tar >both.tar
cat in/fox in/noise | oracle >wanted
counts wanted 'an archive behind an archive' gpuhist --members both.tar
printf x >>both.tar
warns 'both.tar: left out what follows the end of the archive' \
    'garbage behind an archive' gpuhist --members both.tar
tar -cf none.tar -T /dev/null
oracle </dev/null >wanted
counts wanted 'an archive without files' gpuhist --members none.tar
says 1 'none.tar: the archive has no files, but the first one says what to count' \
    '... of images' gpuhist --members --image none.tar
cat in/a.pgm >x && tar -cf one.tar x
gpuhist --image x >wanted
counts wanted '... before one with an image' \
    gpuhist --members --image none.tar one.tar
many=1000
! expensive || many=10000
for format in gnu deflated; do
    archives many $format many $many
    members many "$many files, $format" -l
    like_extracted many '... in small chunks' -l --chunk-size=100
done

# ---- compression ----

tar -C in -cf plain.tar noise fox
cat in/noise in/fox | oracle >wanted
if [ "$HAVE_ZSTD" = yes ] && command -v zstd >zstd-path; then
    zstd -q -k plain.tar
    counts wanted 'tar.zst' gpuhist --members plain.tar.zst
    counts wanted '... --decompress=zstd' \
        gpuhist --members --decompress=zstd plain.tar.zst
    refused 1 '... --decompress=none' \
        gpuhist --members --decompress=none plain.tar.zst
    head -c 20000 plain.tar.zst >cut.tar.zst
    refused 1 'tar.zst that is cut off' gpuhist --members cut.tar.zst
    is "$(grep -c '^gpuhist: cut.tar.zst: truncated zstd frame' err)" 1 \
        '... says why'
    printf garbage | cat plain.tar.zst - >garbage.tar.zst
    refused 1 'garbage behind tar.zst' gpuhist --members garbage.tar.zst
    zstd -q -c in/noise >in/noise.zst
    tar -C in -cf inner.tar noise.zst fox
    counts wanted 'a file in zstd' gpuhist --members inner.tar
    counts wanted '... in small chunks' \
        gpuhist --members --chunk-size=100 inner.tar
    zstd -q -c inner.tar >inner.tar.zst
    counts wanted '... in an archive in zstd' gpuhist --members inner.tar.zst
    counts wanted '... that zstd is demanded of' \
        gpuhist --members --decompress=zstd inner.tar.zst
    cat in/noise.zst in/fox | oracle >wanted
    counts wanted '--decompress=none: as it is' \
        gpuhist --members --decompress=none inner.tar
    tar -C in -cf truncated.tar noise.zst
    head -c 999 in/noise.zst >in/short.zst
    tar -C in -cf short.tar fox short.zst
    refused 1 'a file in zstd that is cut off' gpuhist --members short.tar
    is "$(grep -c '^gpuhist: short.tar: short.zst: truncated zstd frame' err)" \
        1 '... says where'
    # Memory for both decoders; none for those of many archives.
    head -c 8000000 /dev/zero | zstd -q --zstd=wlog=21 >in/zeros.zst
    for i in 1 2 3 4 5 6 7 8 9; do
        tar -C in -c zeros.zst | zstd -q --zstd=wlog=21 >window-$i.tar.zst
    done
    printf '0\t72000000\n' >wanted
    gpuhist_seconds=20
    counts wanted 'archives side by side' \
        gpuhist -j 9 --members --nonzero window-?.tar.zst
    gpuhist -j 9 --members --memory-limit=14Mi --nonzero window-?.tar.zst \
        >out 2>err
    status=$?
    if [ $status -eq 0 ]; then
        cmp -s out wanted
    else
        [ $status -eq 1 ] && grep -q -e --memory-limit err
    fi
    ok $? '... in little memory end, too'
    counts wanted '... one after the other' \
        gpuhist -j 1 --members --memory-limit=14Mi --nonzero window-?.tar.zst
    gpuhist_seconds=120
else
    skip 'zstd' 'no zstd in this build, or no zstd program'
fi

if [ "$HAVE_LZ4$HAVE_LZMA" = yesyes ] && command -v lz4 >lz4-path &&
    command -v xz >xz-path; then
    # Helpers of the archive's decoder would take the memory of the other one.
    noise 500000 >third
    cat third third third third third third >in/window
    oracle <third | awk '{ print $1 "\t" 6 * $2 }' >wanted
    xz -0 -c --lzma2=preset=0,dict=40MiB in/window >in/window.xz
    tar -C in -c window.xz | lz4 -q -c -B7 >window.tar.lz4
    for threads in 1 8; do
        counts wanted "a file in xz in tar.lz4, $threads threads" \
            gpuhist -j $threads --members --chunk-size=64Ki \
            --memory-limit=66M window.tar.lz4
    done
else
    skip 'a file in xz in tar.lz4' 'no lz4 or xz in this build, or no program'
fi

cat in/noise in/fox | oracle >wanted
if [ "$HAVE_GZIP" = yes ] && command -v gzip >gzip-path; then
    gzip -c plain.tar >plain.tar.gz
    counts wanted 'tar.gz' gpuhist --members plain.tar.gz
    gzip -c in/noise >in/noise.gz
    tar -C in -cf inner.tar noise.gz fox
    counts wanted 'a file in gzip' gpuhist --members inner.tar
    head -c 20000 plain.tar.gz >cut.tar.gz
    refused 1 'tar.gz that is cut off' gpuhist --members cut.tar.gz
else
    skip 'gzip' 'no gzip in this build, or no gzip program'
fi
if [ "$HAVE_GZIP" = yes ] && command -v bgzip >bgzip-path; then
    bgzip -c plain.tar | head -c -28 >plain.tar.bgz
    bgzip -c in/noise | head -c -28 >in/noise.bgz
    tar -C in -cf inner.tar noise.bgz fox
    for archive in plain.tar.bgz inner.tar; do
        gpuhist --members $archive >out 2>err
        is "$? $(cat err)" "0 gpuhist: warning: $archive: no empty block at the end of BGZF: it may be cut off" \
            "BGZF without its end, $archive"
        same out wanted '... counts'
    done
else
    skip 'BGZF' 'no gzip in this build, or no bgzip program'
fi

# ---- several inputs, snapshots, signals ----

cat in/fox in/noise in/fox in/noise in/fox | oracle >wanted
tar -cf both.tar -C in fox noise
counts wanted 'several archives, side by side' \
    gpuhist -j 4 --members plain.tar both.tar a.tar
says 1 'in/fox: not an archive (--members counts the files in tar, zip, 7z and cpio archives)' \
    'a file that is no archive' gpuhist --members in/fox
refused 1 '... between archives' gpuhist --members a.tar in/fox b.tar
refused 1 'an empty file' gpuhist --members in/empty
refused 1 'no file' gpuhist --members absent
says 1 'in: is a directory' 'a directory' gpuhist --members in
# lines: without what differs in any case.
lines()
{
    sed 's/"options":.*"bytes"/"bytes"/'
}
gpuhist --members --every=100k --format=jsonl plain.tar | lines >out
cat in/noise in/fox | gpuhist --every=100k --format=jsonl | lines >wanted
same out wanted '--every: as of the files as one input'
[ "$(grep -c totals out)" -gt 4 ]
ok $? '... several times'

mkfifo fifo
for how in print discard; do
    "$GPUHIST" --members --interrupted=$how --progress=always --nonzero \
        <fifo >out 2>err &
    pid=$!
    exec 3>fifo
    head -c 100000 a.tar >&3
    wait_for grep -q ' read in ' err
    kill -TERM $pid
    wait $pid 2>wait-says
    status=$?
    exec 3>&-
    is "$status $(grep -c '^# incomplete' out)" \
        "143 $([ $how = print ] && echo 1 || echo 0)" \
        "TERM within a file, --interrupted=$how"
done

# ---- damage ----

# patch FILE BYTE TEXT: TEXT, for printf, in place of what is there.
patch()
{
    printf %b "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>dd-says
}

# A tar archive that is cut off behind a file, which ends with zeros.
{
    printf 'text'
    head -c 5116 /dev/zero
} >in/zeros
tar --format=ustar -C in -cf zeros.tar zeros
head -c 5632 zeros.tar >cut.tar
oracle <in/zeros >wanted
warns 'cut.tar: no end of the tar archive: it may be cut off' \
    'zeros of a file are no end' gpuhist --members cut.tar
cat zeros.tar cut.tar >cut-later.tar
cat in/zeros in/zeros | oracle >wanted
warns 'cut-later.tar: no end of the tar archive: it may be cut off' \
    '... of a second archive' gpuhist --members cut-later.tar

# Two zip archives: those who read from the begin see the first, others the last.
(cd in && archives make deflated ../first.zip one.csv)
(cd in && archives make deflated ../last.zip d/two.csv)
cat first.zip last.zip >both.zip
gpuhist --members both.zip >out
gpuhist --members last.zip >wanted
same out wanted 'the last of two zip archives'
# shellcheck disable=SC2002 # a pipe is what is wanted
says 1 'standard input: bad archive: its directory is not at its place' \
    '... from a pipe' sh -c 'cat both.zip | "$@"' sh "$GPUHIST" --members

# What libarchive does not look at, or only warns of.
(cd in && archives make deflated ../count.zip one.csv d/two.csv)
end=$(($(wc -c <count.zip) - 22))
for count in 1 3; do
    patch count.zip $((end + 8)) "\\000$count\\0000\\000$count\\0000"
    says 1 "count.zip: bad archive: its directory has $count entr$([ $count = 1 ] && echo y || echo ies), but 2 are there" \
        "a directory of $count files" gpuhist --members count.zip
    # shellcheck disable=SC2002 # a pipe is what is wanted
    refused 1 '... from a pipe' sh -c 'cat count.zip | "$@"' sh \
        "$GPUHIST" --members
done
tar -C in --format=pax --pax-option=comment:=abc -cf pax.tar one.csv
sed 's/15 comment=abc/99 comment=abc/' pax.tar >bad.tar
members pax.tar 'an attribute' -l
says 1 'bad.tar: bad archive at byte 1536: Ignoring malformed pax extended attribute' \
    '... that is damaged' gpuhist --members bad.tar
{
    printf 'something else'
    cat count.zip pax.tar
} >behind
oracle <in/one.csv >wanted
from_offset()
{
    dd bs="$1" count=1 >dd-out 2>dd-says
    gpuhist --members
}
counts wanted 'a redirected file, from a tar archive on' \
    from_offset $((14 + end + 22)) <behind
(cd in && archives make stored ../one.zip one.csv)
{
    printf 'something else'
    cat one.zip
} >behind
counts wanted '... from a zip archive on' from_offset 14 <behind

mkdir small
printf 'hello, world\n' >small/a
noise 700 >small/b
: >small/c
for format in ustar pax gnu stored deflated; do
    if instrumented; then
        skip "damage of $format" 'it would take long'
        continue
    fi
    (cd small && archives make $format ../good a b c)
    for how in file pipe; do
        has_turn 3 || continue
        archives damage "$GPUHIST" good $how
        ok $? "damage of $format, $how"
    done
done

done_testing
