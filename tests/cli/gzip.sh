# gzip.sh -- gzip input: all that a stream of members may be, and BGZF
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

[ "$HAVE_GZIP" = yes ] || skip_all 'built without ISA-L and zlib'
command -v gzip >gzip-path || skip_all 'no gzip program'

# bytes NUMBER...: these bytes.
bytes()
{
    printf %b "$(printf '\\0%03o' "$@")"
}

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

noise 300000 >a
yes 'The quick brown fox jumps over the lazy dog.' | head -c 500001 >b
: >empty
cat a b >ab
for file in a b ab empty; do
    oracle <$file >$file.wanted
    gzip -c $file >$file.gz
done

# ---- that these tests can fail ----

gpuhist --decompress=none ab.gz >out
cmp -s out ab.wanted && echo "Bail out! gzip makes no difference" && exit 99

# ---- one member, by each tool ----

counts ab.wanted 'a gzip file' gpuhist ab.gz
counts ab.wanted 'without .gz in its name' gpuhist - <ab.gz
counts empty.wanted 'gzip of nothing' gpuhist empty.gz

# made NAME PROGRAM COMMAND: files that the shell COMMAND makes of "ab"; the
# PROGRAM may be missing.
made()
{
    if ! command -v "$2" >made-path; then
        skip "$1" "no $2"
        return
    fi
    sh -c "$3" <ab >x.gz 2>made-says
    gzip -dc x.gz 2>made-says | cmp -s - ab || {
        ok 1 "$1: $(cat made-says)"
        return
    }
    counts ab.wanted "$1" gpuhist x.gz
    counts ab.wanted "... in chunks of 1000" gpuhist --chunk-size=1000 x.gz
    counts ab.wanted '... in a pipe' sh -c 'cat x.gz | "$@"' sh "$GPUHIST"
}

for options in -1 -9 -n '--rsyncable -6'; do
    made "gzip $options" gzip "gzip -c $options"
done
made 'gzip, with a name and a time' gzip 'cp /dev/stdin named; gzip -c -N named'
for options in -1 -9 -11 '-p 4 -b 128' '-0' -i -H; do
    made "pigz $options" pigz "pigz -c $options"
done
for options in -0 -1 -2 -3 '-3 -T 2'; do
    made "igzip $options" igzip "igzip -z -c $options"
done
for options in '' '-l 0' '-l 9' '-@ 3'; do
    made "bgzip $options" bgzip "bgzip -c $options"
done
# shellcheck disable=SC2016 # for the other shell
for level in 0 1 9; do
    made "python's gzip, level $level" python3 'python3 -c "
import gzip, sys
sys.stdout.buffer.write(gzip.compress(sys.stdin.buffer.read(), '$level'))"'
done

for chunk in 7 4096 65535 65536 65537 524287 524288 800000 800001 800002 1Mi; do
    counts ab.wanted "in chunks of $chunk" gpuhist --chunk-size=$chunk ab.gz
done
head -c 3000 a | cat - b | head -c 6000 >x
oracle <x >wanted
gzip -c x >x.gz
counts wanted 'in chunks of 1' gpuhist --chunk-size=1 x.gz
head -c 20000000 /dev/zero | gzip -c >zeros.gz
printf '0\t20000000\n' >wanted
counts wanted 'long runs' gpuhist --nonzero zeros.gz

# ---- standard input ----

dribbled()
{
    {
        "$DRIBBLE" 1 1
        "$DRIBBLE" 30 1
        dd bs=77 2>dd-says
    } <ab.gz | gpuhist "$@"
}

from_offset()
{
    dd bs="$1" count=1 >dd-out 2>dd-says
    gpuhist
}

counts ab.wanted 'a pipe in small pieces' dribbled
counts ab.wanted '... --decompress=gzip' dribbled --decompress=gzip
counts ab.wanted 'a redirected file' gpuhist <ab.gz
cat b ab.gz >behind
counts ab.wanted 'a redirected file, from a member on' from_offset 500001 <behind
oracle <behind >wanted
counts wanted 'a member behind something else is no member' gpuhist behind

# ---- several members ----

# members WANTED NAME FILE...: the FILEs as one stream.
members()
{
    members_wanted=$1
    members_name=$2
    shift 2
    cat "$@" >stream.gz
    counts "$members_wanted" "$members_name" gpuhist stream.gz
    counts "$members_wanted" "$members_name, in chunks of 1000" \
        gpuhist --chunk-size=1000 stream.gz
    counts "$members_wanted" "$members_name, in a pipe" \
        sh -c 'cat stream.gz | "$@"' sh "$GPUHIST"
}

head -c 70000 /dev/zero >padding
members ab.wanted 'two members' a.gz b.gz
members ab.wanted 'empty members in between' \
    empty.gz a.gz empty.gz empty.gz b.gz empty.gz
members empty.wanted 'nothing but empty members' empty.gz empty.gz
members ab.wanted 'zeros behind' ab.gz padding
head -c 1 padding >zero
members ab.wanted 'one zero behind' a.gz b.gz zero
i=0
while [ $i -lt 100 ]; do
    { head -c $((i * 7)) b; tail -c $((i * 11)) a; } >part
    cat part >>parts
    gzip -c part >part-$i.gz
    i=$((i + 1))
done
oracle <parts >wanted
members wanted '100 members' part-*.gz
counts wanted '100 gzip files' gpuhist part-*.gz
counts wanted '100 gzip files, in small chunks' \
    gpuhist --chunk-size=1000 part-*.gz
cat ab ab a | oracle >wanted
counts wanted 'plain and gzip files' gpuhist a b.gz b a.gz a
counts wanted 'plain and gzip files, and gzip on standard input' \
    gpuhist a b - ab.gz <a.gz
if [ "$HAVE_ZSTD" = yes ] && command -v zstd >zstd-path; then
    zstd -q -c a >a.zst
    counts wanted 'gzip and zstd' gpuhist ab.gz a.zst b a.gz
else
    skip 'gzip and zstd' 'no zstd in this build, or no zstd program'
fi

# What the header of a member may have; the last two bytes are its checksum.
gzip -nc ab | tail -c +11 >rest
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

# ---- what is decoded is data ----

gzip -c ab.gz >twice.gz
oracle <ab.gz >wanted
counts wanted 'gzip in gzip is decoded once' gpuhist twice.gz
counts wanted '--decompress=none: as it is' gpuhist --decompress=none ab.gz
counts wanted '--decompress=none, redirected' gpuhist --decompress=none <ab.gz
# What only looks similar: cut magic numbers, another method, unknown flags.
for numbers in 31 '31 139' '31 139 8' '31 138 8 0 0 0 0 0 0 0' \
    '31 139 7 0 0 0 0 0 0 0' '31 139 8 32 0 0 0 0 0 3' \
    '31 139 8 224 0 0 0 0 0 3' '31 157 144 97 0'; do
    # shellcheck disable=SC2086 # several words
    bytes $numbers >x
    oracle <x >wanted
    counts wanted "plain: $numbers" gpuhist x
    counts wanted '... in a pipe' sh -c 'cat x | "$@"' sh "$GPUHIST"
done

# ---- a part of the content ----

tail -c +1001 ab | head -c 500000 | oracle >wanted
counts wanted '--skip-bytes and --read-bytes' \
    gpuhist --skip-bytes=1000 --read-bytes=500000 ab.gz
counts wanted '... in a pipe' sh -c 'cat ab.gz | "$@"' sh "$GPUHIST" \
    --skip-bytes=1000 --read-bytes=500000
cat a.gz b >x
counts a.wanted '--read-bytes: nothing behind is looked at' \
    gpuhist --read-bytes=300000 x
says 1 'ab.gz: too short for --skip-bytes: it has 800001 bytes, not 900000' \
    '--skip-bytes beyond the end' gpuhist --skip-bytes=900000 ab.gz

# ---- wrong ----

refused 1 '--decompress=gzip: plain data' gpuhist --decompress=gzip a
message '... and why' a: 'not gzip' 'byte 0'
refused 1 '--decompress=gzip: no data' gpuhist --decompress=gzip - </dev/null
message '... and why' 'standard input:' 'empty'
refused 1 '--decompress=gzip: plain after gzip' \
    gpuhist --decompress=gzip ab.gz a
size=$(wc -c <ab.gz)

# bad NAME OFFSET TEXT: "x.gz" is refused with this offset and this text.
bad()
{
    says 1 "x.gz: $3" "$1" gpuhist x.gz
    refused 1 '... in small chunks' gpuhist --chunk-size=1000 x.gz
    message '... and where' "$2"
    refused 1 '... in a pipe' sh -c 'cat x.gz | "$@"' sh "$GPUHIST"
    message '... and where' "$2"
}

for cut in 1 4 5 9 1000; do
    head -c $((size - cut)) ab.gz >x.gz
    bad "without the last $cut bytes" "byte $((size - cut)):" \
        "truncated gzip member at byte $((size - cut)): unexpected end of file"
done
for most in 3 9 12; do
    head -c $most ab.gz | cat a.gz - >x.gz
    most=$((most + $(wc -c <a.gz)))
    bad 'a second header is cut off' "byte $most:" \
        "truncated gzip member at byte $most: unexpected end of file"
done
for garbage in x '31 138' '31 139 8 32 0 0 0' '0 0 0 0 0 1'; do
    case $garbage in
        x) printf x ;;
        *)
            # shellcheck disable=SC2086 # several words
            bytes $garbage
            ;;
    esac | cat ab.gz - >x.gz
    at=$size
    [ "$garbage" != '0 0 0 0 0 1' ] || at=$((size + 5))
    bad "garbage behind: $garbage" "byte $at:" \
        "not a gzip member at byte $at: garbage after the last member"
done
cat a.gz padding b.gz >x.gz
at=$(($(cat a.gz padding | wc -c)))
bad 'a member behind zeros' "byte $at:" \
    "not a gzip member at byte $at: garbage after the last member"

# replace FILE OFFSET NUMBER...: print FILE with these bytes at OFFSET.
replace()
{
    replace_file=$1
    replace_at=$2
    shift 2
    head -c "$replace_at" "$replace_file"
    bytes "$@"
    tail -c +$((replace_at + $# + 1)) "$replace_file"
}

# The number of a byte of ab.gz, plus 1.
other_byte()
{
    echo $((($(tail -c +$(($1 + 1)) ab.gz | head -c 1 | od -An -tu1) + 1) % 256))
}

replace ab.gz $((size - 8)) "$(other_byte $((size - 8)))" >x.gz
bad 'a wrong checksum' "byte $((size - 8)):" \
    "corrupt gzip data at byte $((size - 8)): wrong checksum"
replace ab.gz $((size - 1)) "$(other_byte $((size - 1)))" >x.gz
bad 'a wrong length' "byte $((size - 8)):" \
    "corrupt gzip data at byte $((size - 8)): wrong length"
# The first block has a reserved type, or is stored with a wrong length.
replace a.gz 12 7 >x.gz
bad 'a bad block' 'corrupt gzip data at byte 1' \
    "corrupt gzip data at byte 13: invalid deflate data"
{ bytes 31 139 8 2 0 0 0 0 0 3 167 118; cat rest; } >x.gz
bad 'a wrong checksum of the header' 'byte 0:' \
    'corrupt gzip data at byte 0: wrong checksum of the header'
refused 1 'a good and a bad file' gpuhist ab.gz x.gz

# ---- many threads, text, types ----

awk 'BEGIN { for (i = 0; i < 400000; i++)
    printf "%d line %d\t%s\n", i * 7919 % 5003, i % 17, i % 3 ? "x" : "" }' >text
gpuhist -l text >wanted.l
gpuhist -W -f2 text >wanted.w
head -c 4000000 text >quads
gpuhist --dtype=u4 --nonzero -q quads >wanted.4
gzip -c text >text.gz
gzip -c quads >quads.gz
for name in gzip bgzf; do
    if [ $name = bgzf ]; then
        command -v bgzip >bgzip-path || break
        bgzip -c text >text.gz
        bgzip -c quads >quads.gz
    fi
    for threads in 1 2 7; do
        for chunk in 30000 2Mi; do
            counts wanted.l "$name: lines, $threads threads, by $chunk" \
                gpuhist -l -j $threads --chunk-size=$chunk text.gz
            counts wanted.w "$name: fields, $threads threads, by $chunk" \
                gpuhist -W -f2 -j $threads --chunk-size=$chunk text.gz
            counts wanted.4 "$name: numbers, $threads threads, by $chunk" \
                gpuhist --dtype=u4 --nonzero -q -j $threads \
                --chunk-size=$chunk quads.gz
        done
    done
done

# ---- BGZF ----

if command -v bgzip >bgzip-path; then
    bgzip -c ab >x.gz
    whole=$(wc -c <x.gz)
    blocks=$((whole - 28))
    for threads in 1 3 16; do
        for chunk in 7000 65535 65536 300000; do
            counts ab.wanted "BGZF, $threads threads, by $chunk" \
                gpuhist -j $threads --chunk-size=$chunk x.gz
        done
    done
    head -c $blocks x.gz >open.gz
    warning='no empty block at the end of BGZF: it may be cut off'
    for threads in 1 3; do
        gpuhist -j $threads --chunk-size=7000 open.gz >out 2>err
        is "$? $(cat err)" "0 gpuhist: warning: open.gz: $warning" \
            'no empty block at the end'
        same out ab.wanted '... all is counted'
    done
    gpuhist open.gz x.gz open.gz b.gz >out 2>err
    is "$? $(cat err)" "0 gpuhist: warning: open.gz and 1 more input: $warning" \
        'no empty block at the end of two files'
    counts ab.wanted '... -q: no warning' gpuhist -q open.gz
    head -c 600 /dev/zero | cat open.gz - >padded.gz
    gpuhist padded.gz >out 2>err
    is "$? $(cat err)" "0 gpuhist: warning: padded.gz: $warning" \
        'no empty block before zeros'
    cat open.gz x.gz >twice.gz
    cat ab ab | oracle >wanted
    counts wanted 'two BGZF files' gpuhist -j 3 --chunk-size=7000 twice.gz
    cat a.gz x.gz b.gz >mixed.gz
    cat a ab b | oracle >wanted
    counts wanted 'BGZF between other members' \
        gpuhist -j 3 --chunk-size=7000 mixed.gz
    cat x.gz a.gz >mixed.gz
    cat ab a | oracle >wanted
    counts wanted 'BGZF before another member' \
        gpuhist -j 3 --chunk-size=7000 mixed.gz

    # A block in the middle is bad: its offset, whoever decodes it.
    python3 - x.gz >offsets <<'EOT' || : >offsets
import struct, sys
data = open(sys.argv[1], 'rb').read()
at = 0
while at < len(data):
    print(at)
    at += struct.unpack('<H', data[at + 16:at + 18])[0] + 1
EOT
    at=$(sed -n 4p offsets)
    next=$(sed -n 5p offsets)
    mv x.gz good.gz
    for place in $((at + 3000)) $((next - 7)) $((next - 1)); do
        replace good.gz $place 250 251 252 | head -c "$whole" >x.gz
        cmp -s x.gz good.gz && replace good.gz $place 1 2 3 | head -c "$whole" >x.gz
        for threads in 1 3; do
            refused 1 "byte $place is bad, $threads threads" \
                gpuhist -j $threads --chunk-size=7000 x.gz
            message '... and where' "x.gz: corrupt gzip data at byte $at: "
        done
    done
    for threads in 1 3; do
        replace good.gz $((at + 16)) 99 0 >x.gz
        refused 1 "a wrong size, $threads threads" \
            gpuhist -j $threads --chunk-size=7000 x.gz
        message '... and where' \
            "x.gz: corrupt gzip data at byte $at: wrong size of a BGZF block"
        replace good.gz $((at + 16)) 1 0 >x.gz
        refused 1 "a size less than the header, $threads threads" \
            gpuhist -j $threads --chunk-size=7000 x.gz
        message '... and where' \
            "x.gz: corrupt gzip data at byte $at: wrong size of a BGZF block"
        head -c $((next - 100)) good.gz >x.gz
        refused 1 "a block is cut off, $threads threads" \
            gpuhist -j $threads --chunk-size=7000 x.gz
        message '... and where' \
            "x.gz: truncated gzip member at byte $((next - 100)): "
    done
else
    skip BGZF 'no bgzip'
fi

# ---- damage: each cut, each bit ----

# damage NAME CONTENT END...: what is in "x.gz".
damage()
{
    damage_name=$1
    shift
    "$DAMAGE" gzip x.gz "$@" >damage-says
    ok $? "$damage_name: $(grep -c . damage-says) lines" || tail damage-says
    sed 's/^/# /' damage-says | tail -n 3
}

printf 'The quick brown fox jumps over the lazy dog, then jumps over it again.' >s
cat s s >ss
if instrumented; then
    skip 'damage' 'the unit tests take long enough'
else
    gzip -c s >x.gz
    damage 'gzip' s
    gzip -nc s >x.gz
    damage 'gzip -n' s
    one=$(wc -c <x.gz)
    gzip -nc s | cat - x.gz >y
    mv y x.gz
    damage 'two members' ss "$one"
    head -c 300 a >n
    gzip -nc n >x.gz
    damage 'a stored block' n
    { bytes 31 139 8 31 9 8 7 6 5 4 5 0 88 89 1 0 7
        printf 'name\0comment\0'
        bytes 156 129
        gzip -nc s | tail -c +11; } >x.gz
    damage 'all fields of the header' s
    gzip -nc s >x.gz
    head -c 20 padding >>x.gz
    # shellcheck disable=SC2046 # several words
    damage 'zeros behind' s $(seq "$one" $((one + 19)))
    for tool in pigz igzip bgzip; do
        command -v $tool >tool-path || {
            skip "damage, $tool" "no $tool"
            continue
        }
        case $tool in
            igzip) igzip -z -c s >x.gz ;;
            *) $tool -c s >x.gz ;;
        esac
        if [ $tool = bgzip ]; then
            one=$(wc -c <x.gz)
            damage "$tool" s $((one - 28))
        else
            damage "$tool" s
        fi
    done
fi

# ---- memory ----

gpuhist_seconds=20
gzip -c b >b-1.gz
for i in 2 3 4 5 6 7 8 9; do
    cp b-1.gz b-$i.gz
done
for i in 1 2 3 4 5 6 7 8 9; do
    cat b
done | oracle >wanted
counts wanted 'no memory for more than one of 9 at a time' \
    gpuhist -j 9 --memory-limit=5000Ki --chunk-size=2Mi b-?.gz
refused 1 'no memory for one' gpuhist --memory-limit=200Ki b.gz
message '... and why' b.gz: 'at byte 0' 'memory' '--memory-limit'
gpuhist_seconds=120

done_testing
