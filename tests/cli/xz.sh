# SPDX-License-Identifier: MIT
# xz.sh -- xz and lzma input: all that a row of streams may be
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"
# shellcheck source=tests/packed.sh
. "$srcdir/tests/packed.sh"

[ "$HAVE_LZMA" = yes ] || skip_all 'built without liblzma'
command -v xz >xz-path || skip_all 'no xz program'

pack()
{
    xz -1 -c --block-size=100000
}

packed_inputs
packed_format xz
packed_start xz

# ---- the tools ----

for options in '-0 --flush-timeout=1' '-6e -C crc32' '-C none' '-C sha256' \
    '--block-size=70000' '-T2 --block-size=20000' \
    '--delta=dist=4 --lzma2=preset=1' '--x86 --lzma2=dict=64KiB'; do
    made ab.wanted "xz $options" xz "xz -c $options <ab"
done
made ab.wanted 'pixz' pixz 'pixz -t -p 2 <ab'
made ab.wanted "python's lzma" python3 'python3 -c "
import lzma, sys
sys.stdout.buffer.write(lzma.compress(sys.stdin.buffer.read()))" <ab'
zeros()
{
    head -c "$1" /dev/zero
}
sum_of ab.wanted ab.wanted >wanted
# shellcheck disable=SC2016 # for the other shell
made wanted 'several streams, some of them empty, and padding' xz '
    for name in empty a empty b empty ab; do
        xz -c --block-size=30000 <$name
        head -c 4 /dev/zero
    done
    head -c 70000 /dev/zero'
for threads in 2 3 9; do
    counts wanted "... $threads threads" \
        gpuhist -j $threads --chunk-size=7000 x
done

# ---- wrong ----

size=$(wc -c <ab.packed)
printf 'abcdefgh' | cat ab.packed - >x
bad 'garbage behind' \
    "not an xz stream at byte $size: garbage after the last stream"
for more in 1 2 3 7; do
    { cat ab.packed && zeros $more; } >x
    bad "padding of $more" \
        "corrupt xz padding at byte $((size + more)): not a multiple of 4 bytes"
done
{ cat ab.packed && zeros 3 && cat a.packed; } >x
bad 'padding of 3 between' \
    "corrupt xz padding at byte $((size + 3)): not a multiple of 4 bytes"
as_it_is='(--decompress=none counts the bytes as they are)'
for at in 4 5; do
    replace ab.packed $at 1 >x
    bad "a damaged magic number, byte $at" \
        "corrupt xz stream header at byte $at: a damaged magic number $as_it_is"
    oracle <x >wanted
    counts wanted '... --decompress=none' gpuhist --decompress=none x
done
head -c 5 ab.packed >x
bad 'most of a magic number' \
    'truncated xz stream at byte 5: unexpected end of file'
replace ab.packed $((size - 30)) 1 2 3 >x
refused 1 'a wrong index' gpuhist x
message '... and where' 'x: corrupt xz index at byte '
# The magic number, the flags, and nothing in between: no such check.
if command -v python3 >python3-path; then
    python3 -c "
import sys, zlib
def crc(data):
    return zlib.crc32(data).to_bytes(4, 'little')
flags = b'\\0\\2'
index = b'\\0\\0\\0\\0'
footer = b'\\0\\0\\0\\0' + flags
sys.stdout.buffer.write(b'\\xfd7zXZ\\0' + flags + crc(flags) + index +
                        crc(index) + crc(footer) + footer + b'YZ')" >x
    bad 'an unknown check' \
        "cannot verify the xz stream at byte 0: liblzma does not know its type of check"
fi

# A bad block in the middle: its offset, whoever decodes it.
xz -c --block-size=50000 ab >good
xz --robot -lvv good 2>list-says |
    awk '$1 == "block" { print $5 }' >offsets
at=$(sed -n 4p offsets)
replace good $((at + 300)) 1 2 3 4 >x
for threads in 1 3; do
    says 1 "x: corrupt xz block at byte $at: damaged data or a wrong checksum" \
        "a bad block, $threads threads" \
        gpuhist -j $threads --chunk-size=7000 x
done
# A header that looks like the beginning of an index, in one stream of many
# blocks and in several of a few: nobody takes what follows for counted.
head -c 40000 a >part
{ xz -0 -c --block-size=2000 part && xz -0 -c --block-size=20000 part; } >many
xz --robot -lvv many 2>list-says |
    awk '$1 == "block" { print $5 }' >offsets
missed=
while read -r at; do
    replace many "$at" 0 >x
    for threads in 1 2 3 3 3 8; do
        has_turn 5 || continue
        gpuhist -j $threads --chunk-size=1000 x >out 2>err
        [ "$? $(wc -c <out)" = '1 0' ] &&
            [ "$(cat err)" = "gpuhist: x: corrupt xz index at byte $at: damaged data or a wrong checksum" ] ||
            missed="$missed $at"
    done
done <offsets
is "$(wc -l <offsets)$missed" 22 'a block header of 0, anywhere'

# An index that is right in itself, but not what the blocks say.
if command -v python3 >python3-path; then
    python3 - good x <<'EOT'
import sys, zlib
data = bytearray(open(sys.argv[1], 'rb').read())
size = 4 * (int.from_bytes(data[-8:-4], 'little') + 1)
index = len(data) - 12 - size
# The content size of the first block, 50000: another number of this length.
at = data.index(b'\xd0\x86\x03', index)
data[at] = 0xd1
data[-16:-12] = zlib.crc32(data[index:-16]).to_bytes(4, 'little')
open(sys.argv[2], 'wb').write(data)
EOT
    for threads in 1 3; do
        refused 1 "another index, $threads threads" \
            gpuhist -j $threads --chunk-size=7000 x
        message '... and why' 'x: corrupt xz index at byte '
    done
fi

printf 'The quick brown fox jumps over the lazy dog, then jumps over it.' >s
cat s s >ss
for options in '' '-C sha256' '-C crc32' --block-size=40; do
    # shellcheck disable=SC2086 # several words
    xz -c $options s >x
    damage xz "xz $options" s
done
xz -c s >x
one=$(wc -c <x)
{ cat x && zeros 4 && cat x; } >y
mv y x
damage xz 'two streams, and padding' ss "$one" $((one + 4))

# ---- memory ----

head -c 5000 b | xz -c --lzma2=preset=0,dict=1536MiB >x
refused 1 'a dictionary of 1.5 GiB' gpuhist --memory-limit=1Gi x
message '... and why' 'x: the xz block at byte 12 needs 161' \
    'more than --memory-limit leaves'
head -c 5000 b | oracle >wanted
counts wanted '... and room for it' gpuhist --memory-limit=1700Mi x

# ---- lzma: no magic number ----

pack()
{
    xz -1 -c --format=lzma
}

packed_options=--decompress=lzma
pack_each a b ab empty
packed_format lzma
counts ab.wanted 'lzma is recognized by its first bytes' gpuhist ab.packed
xz -1 -c --format=lzma --lzma1=lc=2 <ab >other.packed
oracle <other.packed >wanted
counts wanted '... but not with other properties' gpuhist other.packed
counts ab.wanted '... unless it is demanded' \
    gpuhist --decompress=lzma other.packed
xz -1 -c --format=lzma - <ab >piped.packed
counts ab.wanted 'lzma without a size' sh -c 'cat piped.packed | "$@"' sh \
    "$GPUHIST"
# Numbers as f4 that xz takes for a header of lzma.
bytes 0 0 0 64 0 0 0 0 0 0 0 0 0 0 0 0 >x
plain 'floats that start like lzma'
for at in 1 5 13; do
    replace ab.packed $at 5 >x
    plain "lzma with byte $at changed"
done
made ab.wanted 'lzma -9' xz 'xz -9 -c --format=lzma <ab'
made ab.wanted "python's .lzma" python3 'python3 -c "
import lzma, sys
sys.stdout.buffer.write(
    lzma.compress(sys.stdin.buffer.read(), lzma.FORMAT_ALONE))" <ab'
cat ab.packed b.packed >x
bad 'two lzma files' \
    "not lzma data at byte $(wc -c <ab.packed): garbage after the end"
{
    "$DRIBBLE" 1000000 1 <ab.packed
    sleep 1 # for a snapshot, in which the reader is interrupted
    echo garbage
} | gpuhist --decompress=lzma --every=50ms --stats=only \
    >out 2>err
is "$? $(cat err)" \
    "1 gpuhist: standard input: not lzma data at byte $(wc -c <ab.packed): garbage after the end" \
    '... the second one later'
: >x
bad 'no data' 'truncated lzma data at byte 0: unexpected end of file'

done_testing
