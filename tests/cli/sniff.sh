# SPDX-License-Identifier: MIT
# sniff.sh -- text, or a .npy file, that is counted as binary numbers
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

# 4096 bytes, as numbers and as what is no text.
awk 'BEGIN { for (i = 0; i < 1024; i++) printf "%03d\n", i % 1000 }' >text
awk 'BEGIN { for (i = 0; i < 65536; i++) printf "%03d\n", i % 1000 }' >long
noise 4096 >data
counts='-b 4 --range=auto --dtype=u4'
as_text='looks like text, but was counted as binary numbers'

# warns NAME MESSAGE COMMAND...: two tests: it ends with 0 and warns so; it
# prints what it prints without the warning.
warns()
{
    warns_name=$1
    warns_message=$2
    shift 2
    "$@" >out 2>err
    is "$? $(cat err)" "0 gpuhist: warning: $warns_message" "$warns_name"
}

piped()
{
    # shellcheck disable=SC2002 # a pipe is what is wanted
    cat text | gpuhist "$@"
}

# ---- text ----

# shellcheck disable=SC2086 # several words, here and below
{
    gpuhist $counts -q text >wanted
    warns 'text as u4' "text: $as_text" gpuhist $counts text
    same out wanted '... is counted all the same'
    counts wanted '... -q: no warning' gpuhist $counts -q text
    warns '... of a pipe' "standard input: $as_text" piped $counts
    for chunk in 4 8 1000; do
        warns "... in chunks of $chunk" "text: $as_text" \
            gpuhist $counts --chunk-size=$chunk text
        warns "... of a pipe in chunks of $chunk" \
            "standard input: $as_text" piped $counts --chunk-size=$chunk
        warns "... in ranges, in chunks of $chunk" "long: $as_text" \
            gpuhist $counts --chunk-size=$chunk long
    done
    for type in u2 i8 f2 f4 f8; do
        warns "text as $type" "text: $as_text" \
            gpuhist --dtype=$type -b 4 --range=0,1 --flow=show text
    done
    warns 'a record of bytes and numbers' "text: $as_text" \
        gpuhist --record=u1,u2,u1 --fields=1 text
    warns 'text among data' "text: $as_text" gpuhist $counts data text data
    warns 'two texts' 'text and 1 more input look like text, but were counted as binary numbers' \
        gpuhist $counts text data text
    warns 'three texts' 'text and 2 more inputs look like text, but were counted as binary numbers' \
        gpuhist $counts text long text
    warns 'behind --skip-bytes' "mixed: $as_text" \
        sh -c 'cat data text >mixed; "$@"' sh "$GPUHIST" $counts \
        --skip-bytes=4096 mixed
    printf 'half a number' | cat text - >odd
    gpuhist $counts odd >out 2>err
    is "$? $(sed -n 2p err)" "1 gpuhist: warning: odd: $as_text" \
        'text that is cut off is an error, and warned of'

    gpuhist $counts data >wanted
    counts wanted 'data as u4: no warning' gpuhist $counts data
    head -c 4096 /dev/zero >zeros
    gpuhist $counts -q zeros >wanted
    counts wanted 'zeros: no warning' gpuhist $counts zeros
    cat data text >mixed
    gpuhist $counts -q mixed >wanted
    counts wanted 'text behind data: no warning' gpuhist $counts mixed
    head -c 12 text >short
    gpuhist $counts -q short >wanted
    counts wanted '12 bytes of text: no warning' gpuhist $counts short
    oracle <text >wanted
    counts wanted 'the bytes of text: no warning' gpuhist text
    gpuhist -q --record=u1,u1 --joint -b 16 --range=0,256 text >wanted
    counts wanted 'pairs of bytes: no warning' \
        gpuhist --record=u1,u1 --joint -b 16 --range=0,256 text
    : >empty
    gpuhist -q $counts empty >wanted
    counts wanted 'nothing: no warning' gpuhist $counts empty
}

# ---- .npy ----

{
    printf '\223NUMPY\001\000v\000%-117s\n' \
        "{'descr': '<u4', 'fortran_order': False, 'shape': (1024,), }"
    cat data
} >a.npy
is "$(wc -c <a.npy)" $((128 + 4096)) 'a .npy file'
message()
{
    is "$(cat err)" "gpuhist: $1: a numpy file; use --npy, not a type \
(--skip-bytes=$2 skips its header)" "... and why"
}

# shellcheck disable=SC2086
{
    refused 1 '.npy as u4' gpuhist $counts a.npy
    message a.npy 128
    refused 1 '.npy among others, -q' gpuhist $counts -q data a.npy data
    message a.npy 128
    for chunk in 4 8 1Mi; do
        # shellcheck disable=SC2002
        refused 1 ".npy from a pipe, in chunks of $chunk" \
            sh -c 'cat a.npy | "$@"' sh "$GPUHIST" $counts --chunk-size=$chunk
        message 'standard input' 128
    done
    gpuhist $counts data >wanted
    counts wanted 'the header is left out' gpuhist $counts --skip-bytes=128 a.npy
    oracle <a.npy >wanted
    counts wanted 'the bytes of .npy' gpuhist a.npy
    cat data a.npy >mixed
    refused 1 '.npy behind --skip-bytes' \
        gpuhist $counts --skip-bytes=4096 mixed
    message mixed 4224
    gpuhist --format=npy --dtype=u2 data >own.npy
    refused 1 '.npy that gpuhist has written' gpuhist --dtype=u8 -b 4 \
        --range=auto own.npy
}

# ---- the content counts, not the compressed bytes ----

if [ "$HAVE_ZSTD" = yes ] && command -v zstd >zstd-path; then
    zstd -q text long a.npy
    # shellcheck disable=SC2086
    {
        warns 'compressed text' "text.zst: $as_text" gpuhist $counts text.zst
        cat text.zst text.zst text.zst >frames.zst
        warns '... in frames, in small chunks' "frames.zst: $as_text" \
            gpuhist $counts --chunk-size=16 frames.zst
        refused 1 'compressed .npy' gpuhist $counts a.npy.zst
        message a.npy.zst 128
    }
else
    skip 'compressed' 'no zstd in this build, or no zstd program'
fi

# ---- names that say compressed ----

printf 'the content\n' >plain
oracle <plain >wanted
while read -r suffix format; do
    cp plain "x$suffix"
    warns "$suffix" "x$suffix: $format data, its name says, but not recognized: the bytes are counted as they are" \
        gpuhist "x$suffix"
    same out wanted '... and they are'
done <<'EOF'
.gz gzip
.GZ gzip
.bgz gzip
.tgz gzip
.xz xz
.txz xz
.zst zstd
.Zst zstd
.lz4 lz4
.bz2 bzip2
.lz lzip
.Z compress
.z compress
EOF
warns 'one of lzma' 'x.lzma: lzma data, its name says, but only --decompress=lzma decodes that: the bytes are counted as they are' \
    sh -c 'cp plain x.lzma; "$@"' sh "$GPUHIST" x.lzma
several='compressed, their names say, but not recognized: the bytes are counted as they are'
warns 'two of them' "x.gz and 1 more input: $several" \
    gpuhist plain x.gz plain x.xz
warns 'four of them, by two threads' "x.gz and 3 more inputs: $several" \
    gpuhist -j2 x.gz x.lzma x.Z x.bz2
warns '... each by itself' "x.gz and 1 more input: $several" \
    gpuhist --per-file x.gz plain x.xz
warns 'lines' 'x.gz: gzip data, its name says, but not recognized: the bytes are counted as they are' \
    gpuhist -l x.gz
: >empty.gz
: >empty-wanted
counts empty-wanted 'an empty one' gpuhist --nonzero empty.gz
counts wanted '-q' gpuhist -q x.gz
counts wanted '--decompress=none' gpuhist --decompress=none x.gz
counts wanted 'standard input has no name' gpuhist <x.gz
cp plain .gzip
cp plain gz
cp plain x.gz.old
for name in .gzip gz x.gz.old; do
    counts wanted "no such name: $name" gpuhist $name
done
if [ "$HAVE_GZIP" = yes ] && command -v gzip >gzip-path; then
    gzip -c plain >right.bz2
    counts wanted 'the name of another format' gpuhist right.bz2
fi
if [ "$HAVE_ARCHIVE" = yes ] && command -v tar >tar-path; then
    tar cf two.tar x.gz plain x.xz
    warns 'in an archive' "two.tar: x.gz and 1 more input: $several" \
        gpuhist --members two.tar
    tar cf one.tgz plain
    warns 'an archive' 'one.tgz: gzip data, its name says, but not recognized: the bytes are counted as they are' \
        gpuhist --members one.tgz
    same out wanted '... is read'
else
    skip 'in an archive' 'no libarchive, or no tar'
fi

done_testing
