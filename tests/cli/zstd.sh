# SPDX-License-Identifier: MIT
# zstd.sh -- zstd input: all that a stream of frames may be
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"
# shellcheck source=tests/packed.sh
. "$srcdir/tests/packed.sh"

[ "$HAVE_ZSTD" = yes ] || skip_all 'built without libzstd'
command -v zstd >zstd-path || skip_all 'no zstd program'

pack()
{
    zstd -q -c
}

packed_inputs
packed_format zstd
packed_start zst
for chunk in 131071 131072 131073; do
    counts ab.wanted "in chunks of $chunk" gpuhist --chunk-size=$chunk ab.packed
done

# ---- the tool ----

for options in -1 -19 --fast=5 --no-check --rsyncable -T2 '-B100000 -T2'; do
    made ab.wanted "zstd $options" zstd "zstd -q -c $options ab"
done
made ab.wanted 'a frame without a content size' zstd 'cat ab | zstd -q -c'
mv x unsized.zst

# ---- a long frame, decoded by several threads ----

skippable 0 empty >s0
seq 900000 | awk '{ print $1 * 7919 % 1000003 }' >long
gpuhist long >long.wanted
# What one thread prints, of content and of errors, is what all threads print.
for options in -1 --fast=3 '--no-check -3' '--long=23 -3'; do
    # shellcheck disable=SC2086 # several words
    zstd -q -c $options long >x.zst
    cp long.wanted wanted
    for threads in 1 2 16; do
        ! has_turn 2 || counts wanted "a long frame, $options, $threads threads" \
            gpuhist -j $threads x.zst
    done
done
cp long.wanted wanted
counts wanted '... in small chunks' gpuhist -j 16 --chunk-size=7001 x.zst
counts wanted '... in a pipe' sh -c 'cat x.zst | "$@"' sh "$GPUHIST" -j 16
counts wanted '... with little memory' \
    gpuhist -j 16 --memory-limit=24Mi --chunk-size=64Ki x.zst
zstd -q -c - <long >x
counts wanted '... without a content size' gpuhist -j 16 x
zstd -q -c long >long.zst
as_alone 'lines of a long frame' --lines --top=9 long.zst
as_alone '... as numbers' --lines --dtype=num -b10 --range=auto long.zst
as_alone '... some bytes' --skip-bytes=70001 --read-bytes=5000000 long.zst
as_alone '... as records of three bytes' --record=u1,u1,u1 --nonzero long.zst
cat a.packed long.zst s0 b.packed long.zst >longs.zst
cat a long b long | gpuhist >wanted
counts wanted '... among others' gpuhist -j 16 longs.zst
if [ "$(nproc)" -ge 2 ]; then
    gpuhist -j 2 --explain long.zst >out 2>err
    is "$(grep 'explain: zstd: ' err)" \
        "gpuhist: explain: zstd: 1 frame decoded by several threads; \
$(wc -c <long) bytes of content" '--explain says so'
fi
long_size=$(wc -c <long.zst)
for at in 1000000 $((long_size - 2000)) $((long_size - 1)); do
    { head -c "$at" long.zst; printf x; tail -c +$((at + 2)) long.zst; } >x.zst
    as_alone "a long frame that is damaged at $at" x.zst
    head -c "$at" long.zst >x.zst
    as_alone '... that is cut off' x.zst
    cat a.packed x.zst >y.zst
    as_alone '... behind another one' y.zst
done
cat long.zst b >x.zst
as_alone '... with garbage behind it' x.zst

# ---- several frames ----

skippable 15 b >s15
skippable 7 ab.packed >s7
zstd -q -c a >a.zst
zstd -q -c empty >empty.zst
made ab.wanted 'two frames' cat 'cat a.zst b.packed'
made ab.wanted 'empty frames in between' cat '
    cat empty.zst a.zst empty.packed empty.zst b.packed empty.zst'
made ab.wanted 'a skippable frame before' cat 'cat s15 ab.packed'
made ab.wanted 'a skippable frame behind' cat 'cat ab.packed s15'
made ab.wanted 'an empty skippable frame before' cat 'cat s0 ab.packed'
made ab.wanted 'an empty skippable frame behind' cat 'cat ab.packed s0'
made ab.wanted 'skippable frames everywhere' cat '
    cat s7 s0 a.zst s15 s7 b.packed s0 s0'
made empty.wanted 'nothing but a skippable frame' cat 'cat s7'
made empty.wanted 'nothing but an empty one' cat 'cat s0'
made a.wanted 'a frame with and one without a content size' cat '
    cat empty.zst a.packed'
head -c 200 a >tiny
zstd -q -c tiny >tiny.zst
for i in 1 2 3 4 5 6 7 8 9; do
    cat tiny tiny.zst >both # noise, so that no two streams are alike
    cat tiny.zst tiny.zst tiny.zst tiny.zst tiny.zst >>many.zst
    cat tiny tiny tiny tiny tiny >>many
done
oracle <many >wanted
made wanted '45 tiny frames' cat 'cat many.zst'

# ---- what is decoded is data ----

skippable 7 tiny.zst | cat - tiny >x
zstd -q -c x >x.zst
oracle <x >wanted
counts wanted 'a skippable frame in zstd is data' gpuhist x.zst
# What only looks similar: cut magic numbers, and those of other formats.
for numbers in '40' '40 181' '40 181 47' '80 42 77' '39 181 47 253 0 0' \
    '253 47 181 40 0 0' '31 139 7 0 0 0' '79 42 77 24 0 0 0 0' \
    '96 42 77 24 0 0 0 0'; do
    # shellcheck disable=SC2086 # several words
    bytes $numbers >x
    plain "$numbers"
done

counts ab.wanted 'a file without content' \
    gpuhist --decompress=zstd a.zst b.packed s0

# ---- memory ----

# Readers that wait for memory must not keep those who have it from going on.
gpuhist_seconds=20
head -c 8000000 /dev/zero | zstd -q --zstd=wlog=22 >window-4Mi.zst
for i in 1 2 3 4 5 6 7 8 9; do
    cp window-4Mi.zst window-$i.zst
done
printf '0\t72000000\n' >wanted
counts wanted 'no memory for more than one of 9 at a time' \
    gpuhist -j 9 --memory-limit=12Mi --nonzero window-?.zst
counts wanted 'nor for more than 2 chunks' \
    gpuhist -j 9 --memory-limit=10300Ki --chunk-size=2Mi --nonzero window-?.zst

gpuhist_seconds=120

# Windows as large as they come; what is in them is small.
for log in 26 27 31; do
    # shellcheck disable=SC2002 # from a pipe zstd cannot know the size
    cat ab | zstd -q -c --long=$log >long-$log.zst
done
cat a.zst long-27.zst >second.zst
counts ab.wanted '--long=27' gpuhist long-27.zst
counts ab.wanted '--long=27, --memory-limit=200Mi' \
    gpuhist --memory-limit=200Mi long-27.zst
cat long-26.zst long-27.zst a.zst >growing.zst
sum_of ab.wanted ab.wanted a.wanted >wanted
gpuhist_seconds=20
counts wanted 'a window that grows, no room for both' \
    gpuhist -j 1 --memory-limit=160Mi growing.zst
gpuhist_seconds=120
counts ab.wanted '--long=31, --memory-limit=3Gi' \
    gpuhist --memory-limit=3Gi long-31.zst
refused 1 '--long=27, --memory-limit=100Mi' \
    gpuhist --memory-limit=100Mi long-27.zst
message '... and why' long-27.zst: 'at byte 0' 'memory' '--memory-limit'
refused 1 '--long=31, --memory-limit=1Gi' \
    gpuhist --memory-limit=1Gi - <long-31.zst
message '... and why' 'standard input:' '--memory-limit'
refused 1 'a second frame with --long=27' \
    gpuhist --memory-limit=100Mi second.zst
message '... and where' "at byte $(wc -c <a.zst) " '--memory-limit'
refused 1 'a small window, and a smaller limit' \
    gpuhist --memory-limit=2Mi unsized.zst
counts ab.wanted 'plain files need none' gpuhist --memory-limit=2Mi a b

# Headers that ask for the impossible, each before an empty last block.
bytes 40 181 47 253 0 255 1 0 0 >huge-window
bytes 40 181 47 253 224 255 255 255 255 255 255 255 255 1 0 0 >huge-size
bytes 40 181 47 253 224 0 0 0 0 0 0 0 128 1 0 0 >half-size
for name in huge-window huge-size half-size; do
    refused 1 "$name" gpuhist $name
    message '... and why' $name: 'memory' '--memory-limit'
    refused 1 "$name, no limit" gpuhist --memory-limit=9e18 $name
done

# ---- not zstd ----

head -c 5000 b >x
zstd -q -c -D b x >dictionary.zst
refused 1 'a frame with a dictionary' gpuhist dictionary.zst
# Without an ID nothing says that there was one.
message '... without an ID' 'dictionary.zst: corrupt zstd data at byte '
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    tail -c +$((i * 3000)) a | head -c 2000 >train-$i
done
if zstd -q --train train-* --dictID=4200000042 -o dictionary 2>train-says; then
    for sizes in '' --no-content-size --single-thread; do
        zstd -q -c $sizes -D dictionary train-1 >x
        bad "the dictionary's ID $sizes" 'the zstd frame at byte 0 needs the dictionary with ID 4200000042 (zstd -d -D DICTIONARY decodes it)'
    done
    cat ab.packed s7 x >y
    mv y x
    bad "the dictionary's ID, after other frames" \
        "the zstd frame at byte $(cat ab.packed s7 | wc -c) needs the dictionary with ID 4200000042 (zstd -d -D DICTIONARY decodes it)"
else
    skip "the dictionary's ID" 'zstd makes no dictionary'
fi

done_testing
