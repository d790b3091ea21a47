# SPDX-License-Identifier: MIT
# bzip2.sh -- bzip2 input: all that a row of streams may be
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"
# shellcheck source=tests/packed.sh
. "$srcdir/tests/packed.sh"

[ "$HAVE_BZIP2" = yes ] || skip_all 'built without libbz2'
command -v bzip2 >bzip2-path || skip_all 'no bzip2 program'

pack()
{
    bzip2 -1 -c
}

packed_inputs
packed_format bzip2
packed_start bz2

# ---- the tools ----

for level in 1 5 9; do
    made ab.wanted "bzip2 -$level" bzip2 "bzip2 -c -$level <ab"
done
for options in '' '-1' '-n 3'; do
    made ab.wanted "lbzip2 $options" lbzip2 "lbzip2 -c $options <ab"
done
made ab.wanted "python's bz2" python3 'python3 -c "
import bz2, sys
sys.stdout.buffer.write(bz2.compress(sys.stdin.buffer.read(), 3))" <ab'
sum_of ab.wanted ab.wanted >wanted
# shellcheck disable=SC2016 # for the other shell
made wanted 'several streams, some of them empty' bzip2 '
    for name in empty a empty empty b empty ab; do bzip2 -c <$name; done'

# ---- wrong ----

for text in BZh BZh0 BZha BZ0h; do
    printf %s "$text" >x
    plain "$text"
done
as_it_is='(--decompress=none counts the bytes as they are)'
no_block="no block after the header $as_it_is"
while read -r at text; do
    printf %s "$text" >x
    bad "$text" "corrupt bzip2 data at byte $at: $no_block"
    oracle <x >wanted
    counts wanted '... --decompress=none' gpuhist --decompress=none x
done <<'EOF'
4 BZh9 is the number of a car, not the start of a file
9 BZh91AY&SX
5 BZh11XY
EOF
for text in BZh9 'BZh91AY&S'; do
    printf %s "$text" >x
    bad "$text" \
        "truncated bzip2 stream at byte ${#text}: unexpected end of file"
done
for at in 4 5 6 7 8 9; do
    replace ab.packed $at 0 >x
    bad "the magic number of the first block, byte $at" \
        "corrupt bzip2 data at byte $at: $no_block"
done
size=$(wc -c <ab.packed)
for text in x BZ 'BZh0' 'BZi9'; do
    printf %s "$text" | cat ab.packed - >x
    case $text in
        BZ)
            bad "garbage behind: $text" \
                "truncated bzip2 stream at byte $((size + 2)): unexpected end of file"
            ;;
        *)
            bad "garbage behind: $text" \
                "not a bzip2 stream at byte $size: garbage after the last stream"
            ;;
    esac
done
cat ab.packed a.packed >x
replace x $((size + 5)) 0 >y
mv y x
bad 'the magic number of the second block' \
    "corrupt bzip2 data at byte $((size + 6)): a block is damaged or has a wrong checksum"
replace ab.packed 11 1 2 >x
refused 1 'a wrong checksum of a block' gpuhist x
message '... and where' 'x: corrupt bzip2 data at byte ' 'wrong checksum'

printf 'The quick brown fox jumps over the lazy dog, then jumps over it.' >s
cat s s >ss
bzip2 -c s >x
one=$(wc -c <x)
damage bzip2 'one stream' s
bzip2 -c s >>x
damage bzip2 'two streams' ss "$one"
bzip2 -c empty >x
damage bzip2 'an empty stream' empty

done_testing
