# SPDX-License-Identifier: MIT
# compress.sh -- .Z files of compress(1)
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"
# shellcheck source=tests/packed.sh
. "$srcdir/tests/packed.sh"

command -v compress >compress-path || skip_all 'no compress program'

pack()
{
    compress -c -f
}

packed_inputs
packed_text
packed_demanded compress
counts ab.wanted 'compress' gpuhist ab.packed
counts ab.wanted 'on standard input' gpuhist - <ab.packed
counts ab.wanted '--decompress=compress' gpuhist --decompress=compress ab.packed
counts empty.wanted 'no content' gpuhist empty.packed
for chunk in 7 4096 800000 800001 1Mi; do
    counts ab.wanted "in chunks of $chunk" \
        gpuhist --chunk-size=$chunk ab.packed
done
counts ab.wanted 'a pipe in small pieces' dribbled

# ---- the tools: 9 bits are not what they say (README.md of the room) ----

for bits in 10 11 12 13 14 15 16; do
    made ab.wanted "compress -b $bits" compress "compress -c -f -b $bits <ab"
done
# Long runs, and the table full and emptied.
head -c 3000000 /dev/zero >zeros
noise 1000000 | od -An -tx1 >letters
cat letters b zeros letters b >mixed
oracle <letters >letters.wanted
printf '0\t3000000\n' | sum_of letters.wanted letters.wanted b.wanted b.wanted - >wanted
for bits in 10 12 16; do
    made wanted "mixed, -b $bits" compress "compress -c -f -b $bits <mixed"
done
tail -c +1001 ab | head -c 500000 | oracle >wanted
counts wanted '--skip-bytes and --read-bytes' gpuhist --skip-bytes=1000 \
    --read-bytes=500000 ab.packed

# ---- wrong ----

for start in '\037\235' '\037\235\010' '\037\235\221' '\037\235\260' \
    '\037\234\220'; do
    # shellcheck disable=SC2059 # it is a format
    printf "$start" >x
    plain "$start"
done
as_it_is='(--decompress=none counts the bytes as they are)'
bytes 31 157 144 0 1 >x
bad 'the first code' \
    "corrupt compress data at byte 5: the first code is no byte $as_it_is"
bytes 31 157 144 97 4 6 >x
bad 'a code without a string' \
    "corrupt compress data at byte 6: a code without a string $as_it_is"
bytes 31 157 144 97 >x
bad 'half a code' \
    'truncated compress data at byte 4: unexpected end of file'
# Of 9 bits: 256 codes for "a" fill the table, and then codes have 10 bits.
{
    printf '\037\235\211'
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 \
        25 26 27 28 29 30 31 32; do
        printf '\141\302\204\011\023\046\114\230\060'
    done
} >x
printf '97\t256\n' >wanted
counts wanted '9 bits' gpuhist --nonzero x
{
    cat x
    printf '\141\000'
} >y
printf '97\t257\n' >wanted
counts wanted '... and a code of 10' gpuhist --nonzero y
printf '\000\002' >>x
bad '... that 9 bits do not have' \
    "corrupt compress data at byte 293: a code without a string $as_it_is"
size=$(wc -c <a.packed)
head -c $((size - 1)) a.packed >y
refused 1 'within a code' gpuhist y
message '... and where' "y: truncated compress data at byte $((size - 1)): "
refused 1 'no memory' gpuhist --memory-limit=100Ki --chunk-size=4Ki ab.packed

# Whatever gzip decodes, and nothing that it refuses.
if command -v gzip >gzip-path; then
    head -c 3000 letters | pack >start
    size=$(wc -c <start)
    : >differences
    at=3
    while [ $at -lt "$size" ]; do
        byte=$(od -An -tu1 -j $at -N 1 start)
        replace start $at $((byte ^ (1 << at % 8))) >x
        : >wanted
        if gzip -dc <x >content 2>says; then
            oracle <content >wanted
        fi
        gpuhist x >out 2>err || : >out
        # gzip takes the rest of a code for padding.
        cmp -s out wanted || grep -q truncated err ||
            echo $at >>differences
        at=$((at + 13))
    done
    is "$(cat differences)" '' 'flipped bits: as gzip'
else
    skip 'flipped bits: as gzip' 'no gzip'
fi

done_testing
