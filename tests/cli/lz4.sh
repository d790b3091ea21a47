# SPDX-License-Identifier: MIT
# lz4.sh -- lz4 input: all that a row of frames may be
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"
# shellcheck source=tests/packed.sh
. "$srcdir/tests/packed.sh"

[ "$HAVE_LZ4" = yes ] || skip_all 'built without liblz4'
command -v lz4 >lz4-path || skip_all 'no lz4 program'

pack()
{
    lz4 -q -c -B4
}

packed_inputs
packed_format lz4
packed_start lz4

# ---- the tool, with each kind of block and checksum ----

for options in -1 -9 --fast=9 -BD '-B4 -BD' '-B5 -BX' '-B7 -BD -BX' \
    --no-frame-crc '-B4 --no-frame-crc -BX' -l '-l -9'; do
    made ab.wanted "lz4 $options" lz4 "lz4 -q -c $options <ab"
done
made ab.wanted 'lz4 --content-size' lz4 \
    'lz4 -q -f --content-size -B4 ab x.lz4 && cat x.lz4'

skippable 0 empty >s0
skippable 15 b >s15
lz4 -q -c -l <b >legacy
lz4 -q -c -BD <b >linked
made ab.wanted 'several frames, some of them skippable' lz4 '
    cat empty.packed a.packed s0 s15 empty.packed b.packed s0'
sum_of ab.wanted b.wanted b.wanted >wanted
made wanted 'other kinds of frames' lz4 \
    'cat a.packed legacy linked s15 legacy'
cat s15 s0 ab.packed >x
counts ab.wanted '--decompress=lz4: a skippable frame first' \
    gpuhist --decompress=lz4 x
cp x skipped.lz4
counts empty.wanted 'nothing but a skippable frame' \
    gpuhist --decompress=lz4 s15

# Skippable frames first: what follows says whether they are of zstd or of lz4.
# first NAME: the file "x" counts as ab, from a file, a pipe, and in an archive.
first()
{
    counts ab.wanted "skippable frames first, then $1" gpuhist x
    counts ab.wanted '... 1 thread, in chunks of 1000' \
        gpuhist -j1 --chunk-size=1000 x
    counts ab.wanted '... many threads, in chunks of 3000' \
        gpuhist -j16 --chunk-size=3000 x
    counts ab.wanted '... in a pipe' sh -c 'cat x | "$@"' sh "$GPUHIST"
    {
        "$DRIBBLE" 1 1
        "$DRIBBLE" 30 1
        dd bs=77 2>dd-says
    } <x | gpuhist >out 2>err
    cmp out ab.wanted && [ ! -s err ]
    ok $? '... in a pipe, in small pieces'
    for k in 1 2 3; do
        gpuhist --shard=$k/3 --state=x.$k x >out 2>err
    done
    counts ab.wanted '... in three shards' gpuhist --merge x.1 x.2 x.3
    if command -v tar >tar-path && [ "$HAVE_ARCHIVE" = yes ]; then
        tar cf x.tar x
        counts ab.wanted '... in an archive' gpuhist --members x.tar
    else
        skip '... in an archive' 'no tar, or no libarchive'
    fi
}
i=0
while [ $i -lt 1000 ]; do
    cat s0
    i=$((i + 1))
done >s0s
cp skipped.lz4 x
first 'an lz4 frame'
lz4 -q -c --no-frame-crc -B4 <ab | cat s0s s15 - >x
first 'an lz4 frame in parts, after a thousand'
lz4 -q -c -l <ab | cat s0 - s15 >x
first 'a legacy frame'
cat s15 a.packed s0 b.packed >x
first 'lz4 frames with skippable ones in between'
if [ "$HAVE_ZSTD" = yes ] && command -v zstd >zstd-path; then
    zstd -q -c <ab | cat s15 s0 - >x
    first 'a zstd frame'
    cat s0 ab.packed >y
    sum_of ab.wanted ab.wanted b.wanted >wanted
    counts wanted '... both in one run' gpuhist x y b
fi
cat s15 s0 >x
counts empty.wanted 'nothing but skippable frames' gpuhist x
counts empty.wanted '... in a pipe' sh -c 'cat x | "$@"' sh "$GPUHIST"
if [ "$HAVE_ZSTD" = yes ]; then
    for cut in 3 9 1000; do
        cat s15 s15 | head -c $(($(cat s15 s15 | wc -c) - cut)) >x
        bad "a skippable frame that lacks $cut bytes" \
            "truncated zstd frame at byte $(wc -c <x): unexpected end of file"
    done
    cat s0 s15 | head -c 13 >x
    bad 'a skippable frame with half of a header' \
        'truncated zstd frame at byte 13: unexpected end of file'
    cat s15 text >x
    bad 'text after a skippable frame' \
        "not a zstd frame at byte $(wc -c <s15): garbage after the last frame"
fi

# The decoder of one file serves the next one, too.
head -c 70000 ab | oracle >wanted
for threads in 1 5; do
    counts wanted "... after a file that is not read to its end, $threads threads" \
        gpuhist -j $threads --decompress=lz4 --read-bytes=70000 \
        ab.packed s15 s0
done

# Many blocks: helpers decode them, and nothing depends on who does.
set -- ab.wanted b.wanted a.wanted
cat ab b a ab b a ab b a ab b a >many
sum_of "$@" "$@" "$@" "$@" >many.wanted
cp many.wanted wanted
for options in '-B4' '-B5 -BX' '--no-frame-crc -B4' '-B4 -BD'; do
    # shellcheck disable=SC2086 # several words
    lz4 -q -c $options <many >x
    for threads in 1 2 5 16; do
        ! has_turn 3 ||
            counts wanted "$options, $threads threads" gpuhist -j $threads x
    done
    counts wanted "$options, in little memory" \
        gpuhist -j 4 --memory-limit=2500Ki --chunk-size=64Ki x
done
cat x x x | head -c $(($(wc -c <x) * 3 - 5)) >y
mv y x
refused 1 'the last of many frames is cut off' gpuhist -j 5 x
message '... and where' "x: truncated lz4 frame at byte $(wc -c <x): "

# ---- parts: blocks of frames without a checksum of the content, and frames ----

# The record of 300,000 bytes goes on in the next blocks.
{
    cat text text
    head -c 300000 b | tr -d '\n'
    cat text text text text
} >lines
gpuhist -l lines >wanted.l
gpuhist --dtype=u2 --partial=drop -q --nonzero lines >wanted.2
gpuhist lines >wanted
for options in '--no-frame-crc -B4' '--no-frame-crc -B5 -BX' --no-frame-crc \
    '--no-frame-crc -B4 -BD' -l; do
    # shellcheck disable=SC2086 # several words
    lz4 -q -c $options <lines >x
    for how in '-j 1' '-j 2' '-j 2 --chunk-size=30000' \
        '-j 7 --chunk-size=30000'; do
        # shellcheck disable=SC2086
        set -- $how x
        ! has_turn 5 || counts wanted "bytes of lz4 $options, $how" gpuhist "$@"
        ! has_turn 5 || counts wanted.l "lines of lz4 $options, $how" \
            gpuhist -l "$@"
        ! has_turn 5 || counts wanted.2 "numbers of lz4 $options, $how" \
            gpuhist --dtype=u2 --partial=drop -q --nonzero "$@"
    done
done
{
    head -c 300000 text
    head -c 300000 b | tr -d '\n'
    head -c 700000 text
} >mixed
split -b 70000 mixed piece.
for piece in piece.*; do
    lz4 -q -c "$piece" && cat s15 && lz4 -q -c -BD "$piece" &&
        lz4 -q -c --no-frame-crc -B4 -BX "$piece" && lz4 -q -c -l "$piece"
    cat "$piece" "$piece" "$piece" "$piece" >>frames
done >x
gpuhist -l frames >wanted.l
oracle <mixed >mixed.wanted
sum_of mixed.wanted mixed.wanted mixed.wanted mixed.wanted >wanted
for threads in 1 2 7; do
    for chunk in 30000 2Mi; do
        where="$threads threads, by $chunk"
        set -- -j $threads --chunk-size=$chunk x
        counts wanted "all kinds of frames, $where" gpuhist "$@"
        counts wanted.l "... lines" gpuhist -l "$@"
    done
done

# However many readers there are, damage is found, where it is.
head -c 400000 many | lz4 -q -c --no-frame-crc -B4 >good
size=$(wc -c <good)
for cut in 1 4 5 8 9 100 65600 65601 65604 65605 65608 100000 200000; do
    head -c $((size - cut)) good >x
    refused 1 "parts without the last $cut bytes" \
        gpuhist -j 5 --chunk-size=1000 x
    message '... and where' \
        "x: truncated lz4 frame at byte $((size - cut)): unexpected end of file"
done
replace good $((size - 4)) 1 >x
refused 1 'parts without an end mark' gpuhist -j 5 --chunk-size=1000 x
message '... and where' "x: truncated lz4 frame at byte $size: "
replace good 65547 255 255 255 127 >x
for threads in 1 2 5; do
    refused 1 "a part with a long block, $threads threads" \
        gpuhist -j $threads --chunk-size=1000 x
    message '... and where' \
        'x: corrupt lz4 frame at byte 65547: a block is longer than'
done

# ---- wrong ----

size=$(wc -c <ab.packed)
for text in x abcdefgh; do
    printf %s "$text" | cat ab.packed - >x
    bad "garbage behind: $text" \
        "not an lz4 frame at byte $size: garbage after the last frame"
done
bytes 4 34 77 | cat ab.packed - >x
bad 'garbage behind: the start of a frame' \
    "corrupt lz4 frame at byte $size: unexpected end of file"
replace ab.packed $((size - 2)) 1 2 >x
bad 'a wrong checksum of the content' \
    'corrupt lz4 frame at byte 0: the content has a wrong checksum'
replace ab.packed 6 1 >x
bad 'a wrong checksum of the header' \
    'corrupt lz4 frame at byte 0: the header has a wrong checksum'
replace ab.packed 10 1 >x
bad 'a long block' \
    'corrupt lz4 frame at byte 7: a block is longer than the frame allows'

# Of several bad blocks the first one is reported, whoever decodes it.
head -c 65536 many | oracle >first.wanted
lz4 -q -c --no-frame-crc -B4 -BX <many >parts
lz4 -q -c -B4 -BX <many >good
for threads in 1 2 5; do
    replace parts 1000 1 2 3 | head -c 700000 >y
    replace y 300000 1 2 3 >x
    refused 1 "three faults in parts, $threads threads" \
        gpuhist -j $threads --chunk-size=10000 x
    message '... and where' \
        'x: corrupt lz4 data at byte 7: the block has a wrong checksum'
    replace good 1000 1 2 3 | head -c 700000 >y
    replace y 300000 1 2 3 >x
    says 1 'x: corrupt lz4 data at byte 7: the block has a wrong checksum' \
        "three faults, $threads threads" gpuhist -j $threads x
    counts a.wanted '... that --read-bytes does not reach' \
        sh -c 'head -c 700000 good >x; "$@" x' sh "$GPUHIST" -j $threads \
        --read-bytes=300000
done

# The same damage, seen by a helper.
lz4 -q -f --content-size -B4 -BX many sized
counts many.wanted 'with a size of the content' gpuhist -j 5 sized
for file in good sized; do
    replace $file 1800000 1 2 3 >x
    refused 1 "a late fault in $file" gpuhist -j 1 x
    late=$(cat err)
    refused 1 '... with helpers' gpuhist -j 5 x
    message '... at the same block' "$late"
    head -c 1900000 $file >x
    refused 1 '... cut off' gpuhist -j 5 x
    message '... and where' 'x: truncated lz4 frame at byte 1900000: '
    size=$(wc -c <$file)
    replace $file $((size - 2)) 1 2 >x
    refused 1 '... another checksum' gpuhist -j 5 x
    message '... and which' 'x: corrupt lz4 frame at byte 0: the content has'
done

# The size of the second block is bad, too.
replace good 1000 1 2 3 >y
replace y 65551 255 255 255 127 >x
for threads in 1 2 5; do
    says 1 'x: corrupt lz4 data at byte 7: the block has a wrong checksum' \
        "two blocks are bad, $threads threads" gpuhist -j $threads x
    replace good 65551 255 255 255 127 >y
    says 1 'y: corrupt lz4 frame at byte 65551: a block is longer than the frame allows' \
        "... and one, $threads threads" gpuhist -j $threads y
    counts first.wanted '... that --read-bytes does not reach' \
        gpuhist -j $threads --read-bytes=65536 y
done

# A decoder whose helpers have read a frame with a checksum decodes parts next.
noise 1000000 >half
cat half half half half >long
lz4 -q -c -B4 --no-frame-crc long >parts
head -c 2000000 long | lz4 -q -c -B4 >summed
cat summed parts summed parts summed parts summed parts >x
oracle <half | awk '{ print $1 "\t" 4 * (2 + 4) * $2 }' >wanted
for threads in 2 3 4 4 4 8; do
    counts wanted "frames with and without parts, $threads threads" \
        gpuhist -j $threads x
done

printf 'The quick brown fox jumps over the lazy dog, then jumps over it.' >s
cat s s >ss
for options in -BX '-BD -BX' --content-size ''; do
    # shellcheck disable=SC2086 # several words
    lz4 -q -f $options s x
    damage lz4 "lz4 $options" s
done
one=$(wc -c <x)
lz4 -q -c s >>x
damage lz4 'two frames' ss "$one"

# A dictionary that is not there: the frame names it, and a block refers to it.
bytes 4 34 77 24 97 64 77 0 0 0 222 10 0 0 0 16 97 244 1 80 104 101 108 108 111 \
    0 0 0 0 >x
bad 'a dictionary' 'corrupt lz4 data at byte 11: the block is damaged (its frame names the dictionary with ID 77)'

done_testing
