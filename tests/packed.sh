# SPDX-License-Identifier: MIT
# packed.sh -- what must hold for each compressed format
#
# To be sourced after tap.sh by tests/cli/FORMAT.sh.  That says with pack() how
# to compress standard input, and with packed_options what decompressing needs.
# shellcheck shell=sh disable=SC2086,SC2154

packed_options=

# pack_each FILE...: what pack makes of each FILE, in FILE.packed.
pack_each()
{
    for file in "$@"; do
        pack <"$file" >"$file.packed"
    done
}

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

# skippable DIGIT FILE: a skippable frame of zstd or lz4 around FILE.
skippable()
{
    skippable_size=$(wc -c <"$2")
    bytes $((80 + $1)) 42 77 24 $((skippable_size & 255)) \
        $((skippable_size >> 8 & 255)) $((skippable_size >> 16)) 0
    cat "$2"
}

# sum_of FILE...: what to print for inputs together, where each FILE is what to
# print for one of them.
sum_of()
{
    awk '{ n[$1] += $2 }
        END { for (v = 0; v < 256; v++) printf "%d\t%d\n", v, n[v] }' "$@"
}

# bad NAME TEXT [WHERE]: the file "x" is refused with this message; with at
# least WHERE where it is read in smaller pieces.
bad()
{
    says 1 "x: $2" "$1" gpuhist $packed_options x
    refused 1 '... in small chunks' gpuhist $packed_options --chunk-size=1000 x
    message '... and where' "${3-$2}"
    refused 1 '... in a pipe' \
        sh -c 'cat x | "$@"' sh "$GPUHIST" $packed_options
    message '... and where' "${3-$2}"
}

# plain NAME: the file "x" is not compressed.
plain()
{
    oracle <x >wanted
    counts wanted "plain: $1" gpuhist x
    counts wanted '... in a pipe' sh -c 'cat x | "$@"' sh "$GPUHIST"
}

# dribbled OPTION...: what ab.packed has, from a pipe in small pieces.
dribbled()
{
    {
        "$DRIBBLE" 1 1
        "$DRIBBLE" 30 1
        dd bs=77 2>dd-says
    } <ab.packed | gpuhist "$@"
}

# from_offset BYTES OPTION...: standard input, after this many bytes.
from_offset()
{
    dd bs="$1" count=1 >dd-out 2>dd-says
    shift
    gpuhist "$@"
}

# damage FORMAT NAME CONTENT END...: what is in the file "x", cut off anywhere
# or with any bit flipped; it may end at each END.
damage()
{
    damage_format=$1
    damage_name=$2
    shift 2
    if instrumented; then
        skip "damage: $damage_name" 'it would take long'
        return
    fi
    # A step that meets each bit of a byte in turn.
    damage_step=3
    ! expensive || damage_step=1
    "$DAMAGE" $damage_step "$damage_format" x "$@" >damage-says
    ok $? "damage: $damage_name" || tail -n 20 damage-says
    sed 's/^/# /' damage-says | tail -n 3
}

# made WANTED NAME PROGRAM COMMAND: the file that the shell COMMAND makes of
# standard input; the PROGRAM may be missing.
made()
{
    if ! command -v "$3" >made-path; then
        skip "$2" "no $3"
        return
    fi
    sh -c "$4" >x 2>made-says
    [ -s x ]
    ok $? "$2: made" || sed 's/^/# /' made-says
    for threads in 1 3; do
        ! has_turn 3 || counts "$1" "$2, $threads threads" \
            gpuhist $packed_options -j $threads x
        ! has_turn 3 || counts "$1" "$2, $threads threads, in chunks of 1000" \
            gpuhist $packed_options -j $threads --chunk-size=1000 x
    done
    ! has_turn 3 || counts "$1" "$2, in a pipe" \
        sh -c 'cat x | "$@"' sh "$GPUHIST" $packed_options
}

# packed_inputs: the files a, b, ab, empty, and what to print for them.
packed_inputs()
{
    noise 300000 >a
    yes 'The quick brown fox jumps over the lazy dog.' | head -c 500001 >b
    : >empty
    cat a b >ab
    pack_each a b ab empty
    for file in a b empty; do
        oracle <$file >$file.wanted
    done
    sum_of a.wanted b.wanted >ab.wanted
    gpuhist --decompress=none ab.packed >out
    cmp -s out ab.wanted && echo 'Bail out! not compressed' && exit 99
}

# packed_start SUFFIX: damage in any of the first bytes, of which a sanitizer sees
# some, never makes plain bytes of a file with that name in silence; nor, in what
# has no such name, damage after the magic number's first four bytes.
packed_start()
{
    start_silent=
    start_turns=2
    ! instrumented || start_turns=5
    head -c 400 b | pack >start.packed
    for start_at in 0 1 2 3 4 5 6 7 8 9 10 11; do
        start_byte=$(od -An -tu1 -j $start_at -N 1 start.packed)
        for start_bit in 1 32 128; do
            has_turn $start_turns || continue
            replace start.packed $start_at $((start_byte ^ start_bit)) >x.$1
            cp x.$1 x
            for file in x.$1 x; do
                [ $file = x.$1 ] || [ $start_at -ge 4 ] || continue
                gpuhist $file >out 2>err
                start_status=$?
                [ -s err ] || ! oracle <x | cmp -s out - ||
                    start_silent="$start_silent $file:$start_at:$start_bit"
                [ "$start_status $(grep -c . err)" != '1 0' ] ||
                    start_silent="$start_silent no-message"
            done
        done
    done
    is "$start_silent" '' 'damage at the start is never silent'
}

# packed_text: text, and numbers in pairs and quads of bytes.
packed_text()
{
    awk 'BEGIN { for (i = 0; i < 100000; i++)
        printf "%d line %d\t%s\n", i * 7919 % 5003, i % 17, i % 3 ? "x" : "" }' \
        >text
    pack <text >text.packed
    gpuhist -l text >wanted.l
    gpuhist -W -f2 text >wanted.w
    for type in u2 u4; do
        gpuhist --dtype=$type --partial=drop -q --nonzero text >wanted.$type
    done
    for threads in 1 2 7; do
        for chunk in 30000 2Mi; do
            where="$threads threads, by $chunk"
            set -- $packed_options -j $threads --chunk-size=$chunk
            ! has_turn 5 || counts wanted.l "lines, $where" \
                gpuhist -l "$@" text.packed
            ! has_turn 5 || counts wanted.w "fields, $where" \
                gpuhist -W -f2 "$@" text.packed
            for type in u2 u4; do
                ! has_turn 5 || counts wanted.$type "$type, $where" gpuhist --dtype=$type \
                    --partial=drop -q --nonzero "$@" text.packed
            done
        done
    done
}

# packed_format FORMAT: what does not depend on the format's details.
packed_format()
{
    counts ab.wanted "$1" gpuhist $packed_options ab.packed
    counts ab.wanted 'on standard input' gpuhist $packed_options - <ab.packed
    counts ab.wanted "--decompress=$1" gpuhist --decompress="$1" ab.packed
    counts empty.wanted 'no content' gpuhist $packed_options empty.packed
    oracle <ab.packed >packed.wanted
    counts packed.wanted '--decompress=none: as it is' \
        gpuhist --decompress=none ab.packed
    counts packed.wanted '... redirected' gpuhist --decompress=none <ab.packed
    pack <ab.packed >twice.packed
    counts packed.wanted "$1 in $1 is decoded once" \
        gpuhist $packed_options twice.packed
    for chunk in 7 4096 65536 800000 800001 800002 1Mi; do
        counts ab.wanted "in chunks of $chunk" \
            gpuhist $packed_options --chunk-size=$chunk ab.packed
    done
    head -c 3000 a | cat - b | head -c 6000 >part
    oracle <part >wanted
    pack <part >part.packed
    counts wanted 'in chunks of 1' \
        gpuhist $packed_options --chunk-size=1 part.packed
    counts ab.wanted 'a pipe in small pieces' dribbled $packed_options
    counts ab.wanted "... --decompress=$1" dribbled --decompress="$1"
    cat b ab.packed >behind
    counts ab.wanted 'a redirected file, from its middle on' \
        from_offset 500001 $packed_options <behind
    sum_of b.wanted packed.wanted >wanted
    counts wanted 'behind something else it is data' gpuhist behind
    sum_of ab.wanted ab.wanted a.wanted >wanted
    counts wanted 'several inputs' gpuhist $packed_options -j 3 \
        ab.packed b.packed a.packed a.packed
    i=0
    : >parts
    rm -f part-*
    while [ $i -lt 40 ]; do
        { head -c $((i * 17)) b; tail -c $((i * 29)) a; } >part
        cat part >>parts
        mv part part-$i
        i=$((i + 1))
    done
    pack_each part-*
    oracle <parts >parts.wanted
    counts parts.wanted '40 files' gpuhist $packed_options part-*.packed
    counts parts.wanted '... in small chunks' \
        gpuhist $packed_options --chunk-size=1000 part-*.packed
    tail -c +1001 ab | head -c 350000 | oracle >wanted
    part_options="$packed_options --skip-bytes=1000 --read-bytes=350000"
    counts wanted '--skip-bytes and --read-bytes' \
        gpuhist $part_options ab.packed
    counts wanted '... in a pipe' \
        sh -c 'cat ab.packed | "$@"' sh "$GPUHIST" $part_options
    says 1 'ab.packed: too short for --skip-bytes: it has 800001 bytes, not 900000' \
        '--skip-bytes beyond the end' \
        gpuhist $packed_options --skip-bytes=900000 ab.packed
    head -c 20000000 /dev/zero | pack >zeros.packed
    printf '0\t20000000\n' >wanted
    counts wanted 'long runs' \
        gpuhist $packed_options --memory-limit=48Mi --nonzero zeros.packed

    packed_text
    printf 'name\n' | cat - text | pack >named.packed
    printf 'name\n' | cat - text >named
    gpuhist --tsv -f name named >wanted
    counts wanted 'with a header' \
        gpuhist $packed_options -j 3 --tsv -f name named.packed
    size=$(wc -c <ab.packed)
    for cut in 1 4 5 9 1000; do
        head -c $((size - cut)) ab.packed >x
        refused 1 "without the last $cut bytes" gpuhist $packed_options x
        message '... and where' 'x: truncated ' \
            "at byte $((size - cut)): unexpected end of file"
        refused 1 '... in small chunks' \
            gpuhist $packed_options --chunk-size=1000 x
        message '... and where' "at byte $((size - cut)): "
        refused 1 '... in a pipe' \
            sh -c 'cat x | "$@"' sh "$GPUHIST" $packed_options
        message '... and where' "at byte $((size - cut)): "
    done
    refused 1 'a good and a bad file' gpuhist $packed_options ab.packed x
    refused 1 'no memory' gpuhist $packed_options --memory-limit=100Ki \
        --chunk-size=4Ki ab.packed
    message '... and why' 'ab.packed: ' 'at byte ' 'memory' '--memory-limit'
    [ -n "$packed_options" ] || packed_demanded "$1"
}

# packed_demanded FORMAT: what has no magic number is refused.
packed_demanded()
{
    says 1 "a: not $1 data at byte 0: no magic number" \
        "--decompress=$1: plain data" gpuhist --decompress="$1" a
    says 1 "standard input: not $1 data at byte 0: the input is empty" \
        "--decompress=$1: no data" gpuhist --decompress="$1" - </dev/null
    refused 1 "--decompress=$1: plain after $1" \
        gpuhist --decompress="$1" ab.packed a
    sum_of ab.wanted ab.wanted a.wanted >wanted
    counts wanted "plain and $1 files" gpuhist a b.packed b a.packed a
    counts wanted "... and $1 on standard input" gpuhist a b - ab.packed <a.packed
    cat a.packed b >x
    counts a.wanted '--read-bytes: nothing behind is looked at' \
        gpuhist --read-bytes=300000 x
}

# as_alone NAME ARGUMENT...: what all threads print is what one prints.
as_alone()
{
    as_alone_name=$1
    shift
    gpuhist -j1 "$@" >wanted 2>wanted-err
    gpuhist -j16 "$@" >out 2>err
    cat err >>out
    cat wanted-err >>wanted
    cmp out wanted >says || {
        is "$(cat says)" '' "$as_alone_name"
        return
    }
    ok 0 "$as_alone_name"
}
