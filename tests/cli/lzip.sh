# SPDX-License-Identifier: MIT
# lzip.sh -- lzip input: members, their walk, and damage
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"
# shellcheck source=tests/packed.sh
. "$srcdir/tests/packed.sh"

[ "$HAVE_LZIP" = yes ] || skip_all 'built without liblzma 5.4'
command -v lzip >lzip-path || skip_all 'no lzip program'

pack()
{
    lzip -1 -c
}

packed_inputs
packed_format lzip
packed_start lz

# ---- the tools ----

for options in -0 -6 -9 -b100000 -s100000; do
    made ab.wanted "lzip $options" lzip "lzip -c $options <ab"
done
made ab.wanted 'plzip' plzip 'plzip -B 100000 -c <ab'
sum_of ab.wanted ab.wanted >wanted
# shellcheck disable=SC2016 # for the other shell
made wanted 'several members, some of them empty' lzip '
    for name in empty a empty empty b empty ab; do lzip -c <$name; done'
awk 'BEGIN { for (i = 0; i < 100000; i++) print i * 7919 % 5003 }' >text
gpuhist -l text >wanted
lzip -c -b 100000 <text >text.lz
for shard in 1 2 3; do
    gpuhist -l --shard=$shard/3 --state=state.$shard text.lz
done
counts wanted 'shards of members' gpuhist --merge state.1 state.2 state.3

# ---- wrong ----

lzip -c a >x
size=$(wc -c <x)
cp x member
{
    cat member
    echo garbage
} >x
bad 'garbage behind' \
    "not a lzip member at byte $size: garbage after the last member"
{
    cat member
    printf LZ
} >x
bad 'half a magic number behind' \
    "truncated lzip member at byte $((size + 2)): unexpected end of file"
as_it_is='(--decompress=none counts the bytes as they are)'
wrong='corrupt lzip header at byte 0: an unknown version or a wrong size'
for version in 2 255; do
    replace member 4 $version >x
    bad "version $version" "$wrong $as_it_is"
done
for bits in 0 11 30 31 44; do
    replace member 5 $bits >x
    bad "a dictionary of $bits" "$wrong $as_it_is"
done
for back in 1 8 9 16 17 20; do
    byte=$(od -An -tu1 -j $((size - back)) -N 1 member)
    replace member $((size - back)) $((byte ^ 1)) >x
    bad "byte $back of the trailer, from its end" \
        'corrupt lzip member at byte 0: damaged data or a wrong checksum'
    cat member member member >three
    replace three $((3 * size - back)) $((byte ^ 1)) >x
    refused 1 '... of the third member' gpuhist -j4 --chunk-size=1000 x
    message '... and where' "x: corrupt lzip member at byte $((2 * size)): "
done

printf 'The quick brown fox jumps over the lazy dog, then jumps over it.' >s
cat s s >ss
lzip -c s >x
one=$(wc -c <x)
damage lzip 'one member' s
lzip -c s >>x
damage lzip 'two members' ss "$one"
lzip -c empty >x
damage lzip 'an empty member' empty

done_testing
