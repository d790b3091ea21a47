# SPDX-License-Identifier: MIT
# gzip.sh -- gzip input: all that a stream of members may be, and BGZF
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"
# shellcheck source=tests/packed.sh
. "$srcdir/tests/packed.sh"

[ "$HAVE_GZIP" = yes ] || skip_all 'built without ISA-L and zlib'
command -v gzip >gzip-path || skip_all 'no gzip program'

pack()
{
    gzip -c
}

packed_inputs
packed_format gzip
packed_start GZ
for chunk in 65535 65537 524287 524288; do
    counts ab.wanted "in chunks of $chunk" gpuhist --chunk-size=$chunk ab.packed
done

# ---- the tools ----

for options in -1 -9 -n '--rsyncable -6'; do
    made ab.wanted "gzip $options" gzip "gzip -c $options <ab"
done
made ab.wanted 'gzip, with a name and a time' gzip 'gzip -c -N ab'
for options in -1 -9 '-p 4 -b 128' '-0' -i -H; do
    made ab.wanted "pigz $options" pigz "pigz -c $options <ab"
done
# This level takes seconds for a megabyte.
{ head -c 3000 a && head -c 17000 b; } >little
oracle <little >little.wanted
made little.wanted 'pigz -11' pigz 'pigz -c -11 <little'
for options in -0 -1 -2 -3 '-3 -T 2'; do
    made ab.wanted "igzip $options" igzip "igzip -z -c $options <ab"
done
for options in '' '-l 0' '-l 9' '-@ 3'; do
    made ab.wanted "bgzip $options" bgzip "bgzip -c $options <ab"
done
# shellcheck disable=SC2016 # for the other shell
for level in 0 1 9; do
    made ab.wanted "python's gzip, level $level" python3 'python3 -c "
import gzip, sys
sys.stdout.buffer.write(gzip.compress(sys.stdin.buffer.read(), '$level'))" <ab'
done

# ---- several members ----

head -c 70000 /dev/zero >padding
head -c 1 padding >zero
made ab.wanted 'two members' cat 'cat a.packed b.packed'
made ab.wanted 'empty members in between' cat '
    cat empty.packed a.packed empty.packed empty.packed b.packed empty.packed'
made empty.wanted 'nothing but empty members' cat \
    'cat empty.packed empty.packed'
made ab.wanted 'zeros behind' cat 'cat ab.packed padding'
made ab.wanted 'one zero behind' cat 'cat a.packed b.packed zero'
made parts.wanted '40 members' cat 'cat part-*.packed'
if [ "$HAVE_ZSTD" = yes ] && command -v zstd >zstd-path; then
    zstd -q -c a >a.zst
    sum_of ab.wanted ab.wanted a.wanted >wanted
    counts wanted 'gzip and zstd' gpuhist ab.packed a.zst b a.packed
else
    skip 'gzip and zstd' 'no zstd in this build, or no zstd program'
fi

# What the header of a member may have; the last two bytes are its checksum.
tail -c +11 ab.packed >rest
{ bytes 31 139 8 1 1 2 3 4 5 6; cat rest; } >text.gz
{ bytes 31 139 8 4 0 0 0 0 0 3 0 0; cat rest; } >extra-0.gz
{ bytes 31 139 8 4 0 0 0 0 0 3 6 0 65 66 2 0 9 9; cat rest; } >extra.gz
{ bytes 31 139 8 4 0 0 0 0 0 3 3 0 65 66 2; cat rest; } >extra-cut.gz
{ bytes 31 139 8 8 0 0 0 0 0 3; printf 'name\0'; cat rest; } >name.gz
{ bytes 31 139 8 8 0 0 0 0 0 3; noise 200000 | tr -d '\0'; cat zero rest; } \
    >long-name.gz
{ bytes 31 139 8 16 0 0 0 0 0 3; printf 'x\0'; cat rest; } >comment.gz
{ bytes 31 139 8 2 0 0 0 0 0 3 167 119; cat rest; } >crc.gz
{
    bytes 31 139 8 31 9 8 7 6 5 4 5 0 88 89 1 0 7
    printf 'name\0comment\0'
    bytes 156 129
    cat rest
} >all.gz
for name in text extra-0 extra extra-cut name long-name comment crc all; do
    counts ab.wanted "header: $name" gpuhist $name.gz
    counts ab.wanted '... in a pipe, in chunks of 1000' \
        sh -c "cat $name.gz | "'"$@"' sh "$GPUHIST" --chunk-size=1000
done

# What only looks similar: cut magic numbers, another method.
for numbers in 31 '31 139' '31 139 8' '31 138 8 0 0 0 0 0 0 0' \
    '31 139 7 0 0 0 0 0 0 0' '31 158 144 97 0'; do
    # shellcheck disable=SC2086 # several words
    bytes $numbers >x
    plain "$numbers"
done

# ---- wrong ----

as_it_is='(--decompress=none counts the bytes as they are)'
for flags in 32 64 128 224 255; do
    replace ab.packed 3 $flags >x
    bad "reserved flags: $flags" \
        "corrupt gzip header at byte 3: reserved flags are set $as_it_is"
done
says 1 "x: corrupt gzip header at byte 3: reserved flags are set $as_it_is" \
    '... --decompress=gzip' gpuhist --decompress=gzip x
oracle <x >wanted
counts wanted '... --decompress=none' gpuhist --decompress=none x

size=$(wc -c <ab.packed)
for most in 3 9 12; do
    head -c $most ab.packed | cat a.packed - >x
    most=$((most + $(wc -c <a.packed)))
    bad 'a second header is cut off' \
        "truncated gzip member at byte $most: unexpected end of file"
done
for garbage in 120 '31 138' '31 139 8 32 0 0 0' '0 0 0 0 0 1'; do
    # shellcheck disable=SC2086 # several words
    bytes $garbage | cat ab.packed - >x
    at=$size
    [ "$garbage" != '0 0 0 0 0 1' ] || at=$((size + 5))
    bad "garbage behind: $garbage" \
        "not a gzip member at byte $at: garbage after the last member"
done
cat a.packed padding b.packed >x
at=$(($(cat a.packed padding | wc -c)))
bad 'a member behind zeros' \
    "not a gzip member at byte $at: garbage after the last member"

# The number of a byte of ab.packed, plus 1.
other_byte()
{
    other=$(tail -c +$(($1 + 1)) ab.packed | head -c 1 | od -An -tu1)
    echo $(((other + 1) % 256))
}

replace ab.packed $((size - 8)) "$(other_byte $((size - 8)))" >x
bad 'a wrong checksum' \
    "corrupt gzip data at byte $((size - 8)): wrong checksum"
replace ab.packed $((size - 1)) "$(other_byte $((size - 1)))" >x
bad 'a wrong length' \
    "corrupt gzip data at byte $((size - 8)): wrong length"
# The first block has a reserved type, or is stored with a wrong length.
replace a.packed 10 7 >x
bad 'a bad block' 'corrupt gzip data at byte 11: invalid deflate data' \
    'corrupt gzip data at byte 1'
{ bytes 31 139 8 2 0 0 0 0 0 3 167 118; cat rest; } >x
bad 'a wrong checksum of the header' \
    'corrupt gzip data at byte 0: wrong checksum of the header'
refused 1 'a good and a bad file' gpuhist ab.packed x

# ---- a long member, decoded at several places by four threads or more ----

if [ "$(nproc)" -ge 4 ]; then
    seq 3000000 >long
    gzip -1 -c long >long.gz
    gpuhist long >wanted
    counts wanted 'a long member' gpuhist -j16 long.gz
    gzip -c a >short.gz
    cat short.gz long.gz short.gz long.gz >longs.gz
    cat a long a long | gpuhist >wanted
    counts wanted '... among others' gpuhist -j16 longs.gz
    counts wanted '... with little memory' \
        gpuhist -j16 --memory-limit=64Mi longs.gz
    as_alone 'the lines of a long member' --lines --top=9 long.gz
    as_alone '... as numbers' --lines --dtype=num -b10 --range=auto long.gz
    head -c 5000000 long.gz >x.gz
    as_alone 'a long member that is cut off' x.gz
    { head -c 4000000 long.gz; printf x; tail -c +4000002 long.gz; } >x.gz
    as_alone '... that is damaged' x.gz
    cat long.gz a >x.gz
    as_alone '... with garbage behind' x.gz
    rm long long.gz longs.gz short.gz
else
    skip 'a long member' 'fewer than four processors (test_gzip_stretches runs)'
fi

# ---- BGZF ----

if command -v bgzip >bgzip-path; then
    bgzip -c ab >x
    whole=$(wc -c <x)
    blocks=$((whole - 28))
    for threads in 1 3 16; do
        for chunk in 7000 65535 65536 300000; do
            ! has_turn 5 || counts ab.wanted "BGZF, $threads threads, by $chunk" \
                gpuhist -j $threads --chunk-size=$chunk x
        done
    done
    head -c $blocks x >open.gz
    warning='no empty block at the end of BGZF: it may be cut off'
    for threads in 1 3; do
        gpuhist -j $threads --chunk-size=7000 open.gz >out 2>err
        is "$? $(cat err)" "0 gpuhist: warning: open.gz: $warning" \
            'no empty block at the end'
        same out ab.wanted '... all is counted'
    done
    gpuhist open.gz x open.gz b.packed >out 2>err
    is "$? $(cat err)" "0 gpuhist: warning: open.gz and 1 more input: $warning" \
        'no empty block at the end of two files'
    counts ab.wanted '... -q: no warning' gpuhist -q open.gz
    head -c 600 /dev/zero | cat open.gz - >padded.gz
    gpuhist padded.gz >out 2>err
    is "$? $(cat err)" "0 gpuhist: warning: padded.gz: $warning" \
        'no empty block before zeros'
    cat open.gz x >twice.gz
    sum_of ab.wanted ab.wanted >wanted
    counts wanted 'two BGZF files' gpuhist -j 3 --chunk-size=7000 twice.gz
    cat a.packed x b.packed >mixed.gz
    sum_of ab.wanted ab.wanted >wanted
    counts wanted 'BGZF between other members' \
        gpuhist -j 3 --chunk-size=7000 mixed.gz
    cat x a.packed >mixed.gz
    sum_of ab.wanted a.wanted >wanted
    counts wanted 'BGZF before another member' \
        gpuhist -j 3 --chunk-size=7000 mixed.gz

    pack()
    {
        bgzip -c
    }
    packed_text

    # A block in the middle is bad: its offset, whoever decodes it.
    python3 - x >offsets <<'EOT' || : >offsets
import struct, sys
data = open(sys.argv[1], 'rb').read()
at = 0
while at < len(data):
    print(at)
    at += struct.unpack('<H', data[at + 16:at + 18])[0] + 1
EOT
    at=$(sed -n 4p offsets)
    next=$(sed -n 5p offsets)
    mv x good.gz
    for place in $((at + 3000)) $((next - 7)) $((next - 1)); do
        replace good.gz $place 250 251 252 | head -c "$whole" >x
        cmp -s x good.gz && replace good.gz $place 1 2 3 | head -c "$whole" >x
        for threads in 1 3; do
            refused 1 "byte $place is bad, $threads threads" \
                gpuhist -j $threads --chunk-size=7000 x
            message '... and where' "x: corrupt gzip data at byte $at: "
        done
    done
    for threads in 1 3; do
        replace good.gz $((at + 16)) 99 0 >x
        refused 1 "a wrong size, $threads threads" \
            gpuhist -j $threads --chunk-size=7000 x
        message '... and where' \
            "x: corrupt gzip data at byte $at: wrong size of a BGZF block"
        replace good.gz $((at + 16)) 1 0 >x
        refused 1 "a size less than the header, $threads threads" \
            gpuhist -j $threads --chunk-size=7000 x
        message '... and where' \
            "x: corrupt gzip data at byte $at: wrong size of a BGZF block"
        head -c $((next - 100)) good.gz >x
        refused 1 "a block is cut off, $threads threads" \
            gpuhist -j $threads --chunk-size=7000 x
        message '... and where' \
            "x: truncated gzip member at byte $((next - 100)): "
    done
else
    skip BGZF 'no bgzip'
fi

# ---- damage: each cut, each bit ----

printf 'The quick brown fox jumps over the lazy dog, then jumps over it again.' >s
cat s s >ss
gzip -c s >x
damage gzip 'gzip' s
gzip -nc s >x
damage gzip 'gzip -n' s
one=$(wc -c <x)
gzip -nc s | cat - x >y
mv y x
damage gzip 'two members' ss "$one"
head -c 300 a >n
gzip -nc n >x
damage gzip 'a stored block' n
{
    bytes 31 139 8 31 9 8 7 6 5 4 5 0 88 89 1 0 7
    printf 'name\0comment\0'
    bytes 156 129
    gzip -nc s | tail -c +11
} >x
damage gzip 'all fields of the header' s
gzip -nc s >x
head -c 20 padding >>x
# shellcheck disable=SC2046 # several words
damage gzip 'zeros behind' s $(seq "$one" $((one + 19)))
for tool in pigz igzip bgzip; do
    command -v $tool >tool-path || {
        skip "damage, $tool" "no $tool"
        continue
    }
    case $tool in
        igzip) igzip -z -c s >x ;;
        *) $tool -c s >x ;;
    esac
    if [ $tool = bgzip ]; then
        one=$(wc -c <x)
        damage gzip "$tool" s $((one - 28))
    else
        damage gzip "$tool" s
    fi
done

# ---- memory ----

gpuhist_seconds=20
gzip -c b >b-1.gz
for i in 2 3 4 5 6 7 8 9; do
    cp b-1.gz b-$i.gz
done
awk '{ print $1 "\t" 9 * $2 }' b.wanted >wanted
counts wanted 'no memory for more than one of 9 at a time' \
    gpuhist -j 9 --memory-limit=5000Ki --chunk-size=2Mi b-?.gz
refused 1 'no memory for one' gpuhist --memory-limit=200Ki b.packed
message '... and why' b.packed: 'at byte 0' 'memory' '--memory-limit'
gpuhist_seconds=120

done_testing
