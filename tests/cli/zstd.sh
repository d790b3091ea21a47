# zstd.sh -- zstd input: all that a stream of frames may be
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

[ "$HAVE_ZSTD" = yes ] || skip_all 'built without libzstd'
command -v zstd >zstd-path || skip_all 'no zstd program'

# bytes NUMBER...: these bytes.
bytes()
{
    printf %b "$(printf '\\0%03o' "$@")"
}

# skippable DIGIT FILE: a skippable frame around FILE.
skippable()
{
    skippable_size=$(wc -c <"$2")
    bytes $((80 + $1)) 42 77 24 $((skippable_size & 255)) \
        $((skippable_size >> 8 & 255)) $((skippable_size >> 16)) 0
    cat "$2"
}

noise 300000 >a
yes 'The quick brown fox jumps over the lazy dog.' | head -c 500001 >b
: >empty
cat a b >ab
for file in a b ab empty; do
    oracle <$file >$file.wanted
    zstd -q -c $file >$file.zst
done

# ---- that these tests can fail ----

gpuhist --decompress=none ab.zst >out
cmp -s out ab.wanted && echo "Bail out! zstd makes no difference" && exit 99

# ---- one frame ----

counts ab.wanted 'a zstd file' gpuhist ab.zst
counts ab.wanted 'without .zst in its name' gpuhist - <ab.zst
counts empty.wanted 'zstd of nothing' gpuhist empty.zst
for options in -1 -19 --fast=5 --no-check --rsyncable -T2 '-B100000 -T2'; do
    # shellcheck disable=SC2086 # several words
    zstd -q -c $options ab >x.zst
    counts ab.wanted "zstd $options" gpuhist x.zst
    counts ab.wanted "... in chunks of 1000" gpuhist --chunk-size=1000 x.zst
done
# shellcheck disable=SC2002 # from a pipe zstd cannot know the size
cat ab | zstd -q -c >unsized.zst
counts ab.wanted 'a frame without a content size' gpuhist unsized.zst
head -c 20000000 /dev/zero | zstd -q -c >zeros.zst
printf '0\t20000000\n' >wanted
counts wanted 'long runs' gpuhist --nonzero zeros.zst

for chunk in 7 4096 131071 131072 131073 800000 800001 800002 1Mi; do
    counts ab.wanted "in chunks of $chunk" gpuhist --chunk-size=$chunk ab.zst
done
head -c 3000 a | cat - b | head -c 6000 >x
oracle <x >wanted
zstd -q -c x >x.zst
counts wanted 'in chunks of 1' gpuhist --chunk-size=1 x.zst

# ---- standard input ----

piped()
{
    # shellcheck disable=SC2002 # a pipe is what is wanted
    cat ab.zst | gpuhist "$@"
}

dribbled()
{
    {
        "$DRIBBLE" 1 1
        "$DRIBBLE" 30 1
        dd bs=77 2>dd-says
    } <ab.zst | gpuhist "$@"
}

from_offset()
{
    dd bs="$1" count=1 >dd-out 2>dd-says
    gpuhist
}

counts ab.wanted 'a pipe' piped
counts ab.wanted 'a pipe, --decompress=zstd' piped --decompress=zstd
counts ab.wanted 'a pipe in small pieces' dribbled
counts ab.wanted 'a redirected file' gpuhist <ab.zst
cat b ab.zst >behind
counts ab.wanted 'a redirected file, from a frame on' from_offset 500001 <behind
oracle <behind >wanted
counts wanted 'a frame behind something else is no frame' gpuhist behind

# ---- several frames ----

# frames WANTED NAME FILE...: the frames in the FILEs as one stream.
frames()
{
    frames_wanted=$1
    frames_name=$2
    shift 2
    cat "$@" >stream.zst
    counts "$frames_wanted" "$frames_name" gpuhist stream.zst
    counts "$frames_wanted" "$frames_name, in chunks of 1000" \
        gpuhist --chunk-size=1000 stream.zst
}

skippable 0 empty >s0
skippable 15 b >s15
skippable 7 ab.zst >s7
frames ab.wanted 'two frames' a.zst b.zst
frames ab.wanted 'empty frames in between' \
    empty.zst a.zst empty.zst empty.zst b.zst empty.zst
frames ab.wanted 'a skippable frame before' s15 ab.zst
frames ab.wanted 'a skippable frame behind' ab.zst s15
frames ab.wanted 'an empty skippable frame before' s0 ab.zst
frames ab.wanted 'an empty skippable frame behind' ab.zst s0
frames ab.wanted 'skippable frames everywhere' s7 s0 a.zst s15 s7 b.zst s0 s0
frames empty.wanted 'nothing but a skippable frame' s7
frames empty.wanted 'nothing but an empty one' s0
frames a.wanted 'a frame with and one without a content size' empty.zst a.zst
head -c 200 a >tiny
zstd -q -c tiny >tiny.zst
for i in 1 2 3 4 5 6 7 8 9; do
    cat tiny tiny.zst >both # noise, so that no two streams are alike
    cat tiny.zst tiny.zst tiny.zst tiny.zst tiny.zst >>many.zst
    cat tiny tiny tiny tiny tiny >>many
done
oracle <many >wanted
frames wanted '45 tiny frames' many.zst

# ---- what is decoded is data ----

zstd -q -c ab.zst >twice.zst
oracle <ab.zst >wanted
counts wanted 'zstd in zstd is decoded once' gpuhist twice.zst
cat s7 b | zstd -q -c >x.zst
cat s7 b | oracle >wanted
counts wanted 'a skippable frame in zstd is data' gpuhist x.zst
oracle <ab.zst >wanted
counts wanted '--decompress=none: as it is' gpuhist --decompress=none ab.zst
counts wanted '--decompress=none, redirected' gpuhist --decompress=none <ab.zst
# What only looks similar: cut magic numbers, and those of other formats.
for numbers in '40' '40 181' '40 181 47' '80 42 77' '39 181 47 253 0 0' \
    '253 47 181 40 0 0' '31 139 7 0 0 0' '79 42 77 24 0 0 0 0' \
    '96 42 77 24 0 0 0 0'; do
    # shellcheck disable=SC2086 # several words
    bytes $numbers >x
    oracle <x >wanted
    counts wanted "plain: $numbers" gpuhist x
    # shellcheck disable=SC2002 # a pipe is what is wanted
    counts wanted '... in a pipe' sh -c 'cat x | "$@"' sh "$GPUHIST"
done

# ---- several inputs ----

cat ab ab a | oracle >wanted
counts wanted 'plain and zstd files' gpuhist a b.zst b a.zst a
counts wanted 'plain and zstd files, and zstd on standard input' \
    gpuhist a b - ab.zst <a.zst
counts ab.wanted '--decompress=zstd' gpuhist --decompress=zstd a.zst b.zst s0

i=0
while [ $i -lt 200 ]; do
    { head -c $((i * 7)) b; tail -c $((i * 11)) a; } >part
    cat part >>parts
    zstd -q -c part >part-$i.zst
    i=$((i + 1))
done
oracle <parts >wanted
counts wanted '200 zstd files' gpuhist part-*.zst
counts wanted '200 zstd files, in small chunks' \
    gpuhist --chunk-size=1000 part-*.zst

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

# message NAME TEXT...: the message that "refused" got has each of the TEXTs.
message()
{
    message_name=$1
    shift
    for text in "$@"; do
        grep -q -F -e "$text" err || {
            is "$(cat err)" "$text" "$message_name"
            return
        }
    done
    ok 0 "$message_name"
}

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
cat ab ab a | oracle >wanted
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

refused 1 '--decompress=zstd: plain data' gpuhist --decompress=zstd a
message '... and why' a: 'not zstd' 'byte 0'
refused 1 '--decompress=zstd: no data' gpuhist --decompress=zstd - </dev/null
message '... and why' 'standard input:' 'empty'
refused 1 '--decompress=zstd: plain after zstd' \
    gpuhist --decompress=zstd ab.zst a
head -c 5000 b >x
zstd -q -c -D b x >dictionary.zst
refused 1 'a frame with a dictionary' gpuhist dictionary.zst

done_testing
