# packed.sh -- what must hold for each compressed format
#
# To be sourced after tap.sh by tests/cli/FORMAT.sh.  That says with pack() how
# to compress standard input, and with packed_options what decompressing needs.
# shellcheck shell=sh disable=SC2086,SC2154

packed_options=

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

# bad NAME TEXT: the file "x" is refused with this message.
bad()
{
    says 1 "x: $2" "$1" gpuhist $packed_options x
    refused 1 '... in small chunks' gpuhist $packed_options --chunk-size=1000 x
    message '... and where' "$2"
    refused 1 '... in a pipe' \
        sh -c 'cat x | "$@"' sh "$GPUHIST" $packed_options
    message '... and where' "$2"
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
    "$DAMAGE" "$damage_format" x "$@" >damage-says
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
        counts "$1" "$2, $threads threads" gpuhist $packed_options -j $threads x
        counts "$1" "$2, $threads threads, in chunks of 1000" \
            gpuhist $packed_options -j $threads --chunk-size=1000 x
    done
    counts "$1" "$2, in a pipe" \
        sh -c 'cat x | "$@"' sh "$GPUHIST" $packed_options
}

# packed_inputs: the files a, b, ab, empty, and what to print for them.
packed_inputs()
{
    noise 300000 >a
    yes 'The quick brown fox jumps over the lazy dog.' | head -c 500001 >b
    : >empty
    cat a b >ab
    for file in a b ab empty; do
        oracle <$file >$file.wanted
        pack <$file >$file.packed
    done
    gpuhist --decompress=none ab.packed >out
    cmp -s out ab.wanted && echo 'Bail out! not compressed' && exit 99
}

# packed_format FORMAT: what does not depend on the format's details.
packed_format()
{
    counts ab.wanted "$1" gpuhist $packed_options ab.packed
    counts ab.wanted 'on standard input' gpuhist $packed_options - <ab.packed
    counts ab.wanted "--decompress=$1" gpuhist --decompress="$1" ab.packed
    counts empty.wanted 'no content' gpuhist $packed_options empty.packed
    oracle <ab.packed >wanted
    counts wanted '--decompress=none: as it is' \
        gpuhist --decompress=none ab.packed
    for chunk in 7 4096 65536 800000 800001 800002 1Mi; do
        counts ab.wanted "in chunks of $chunk" \
            gpuhist $packed_options --chunk-size=$chunk ab.packed
    done
    head -c 3000 a | cat - b | head -c 6000 >part
    oracle <part >wanted
    pack <part >part.packed
    counts wanted 'in chunks of 1' \
        gpuhist $packed_options --chunk-size=1 part.packed
    {
        "$DRIBBLE" 1 1
        "$DRIBBLE" 30 1
        dd bs=77 2>dd-says
    } <ab.packed | gpuhist $packed_options >out 2>err
    same out ab.wanted 'a pipe in small pieces'
    cat b ab.packed >behind
    { dd bs=500001 count=1 >dd-out 2>dd-says && gpuhist $packed_options; } \
        <behind >out 2>err
    same out ab.wanted 'a redirected file, from its middle on'
    cat ab ab a | oracle >wanted
    counts wanted 'several inputs' gpuhist $packed_options -j 3 \
        ab.packed b.packed a.packed a.packed
    tail -c +1001 ab | head -c 500000 | oracle >wanted
    counts wanted '--skip-bytes and --read-bytes' gpuhist $packed_options \
        --skip-bytes=1000 --read-bytes=500000 ab.packed
    head -c 20000000 /dev/zero | pack >zeros.packed
    printf '0\t20000000\n' >wanted
    counts wanted 'long runs' \
        gpuhist $packed_options --memory-limit=48Mi --nonzero zeros.packed

    # Text, and numbers in pairs of bytes.
    awk 'BEGIN { for (i = 0; i < 100000; i++)
        printf "%d line %d\t%s\n", i * 7919 % 5003, i % 17, i % 3 ? "x" : "" }' \
        >text
    pack <text >text.packed
    gpuhist -l text >wanted.l
    gpuhist -W -f2 text >wanted.w
    gpuhist --dtype=u2 --partial=drop -q --nonzero text >wanted.2
    for threads in 1 2 7; do
        for chunk in 30000 2Mi; do
            where="$threads threads, by $chunk"
            set -- $packed_options -j $threads --chunk-size=$chunk
            counts wanted.l "lines, $where" gpuhist -l "$@" text.packed
            counts wanted.w "fields, $where" gpuhist -W -f2 "$@" text.packed
            counts wanted.2 "numbers, $where" gpuhist --dtype=u2 \
                --partial=drop -q --nonzero "$@" text.packed
        done
    done
    printf 'name\n' | cat - text | pack >named.packed
    printf 'name\n' | cat - text >named
    gpuhist --tsv -f name named >wanted
    counts wanted 'with a header' \
        gpuhist $packed_options -j 3 --tsv -f name named.packed
    size=$(wc -c <ab.packed)
    for cut in 1 4 5 1000; do
        head -c $((size - cut)) ab.packed >x
        refused 1 "without the last $cut bytes" gpuhist $packed_options x
        message '... and where' 'x: truncated ' "at byte $((size - cut)): "
        refused 1 '... in a pipe' \
            sh -c 'cat x | "$@"' sh "$GPUHIST" $packed_options
        message '... and where' "at byte $((size - cut)): "
    done
    refused 1 'a good and a bad file' gpuhist $packed_options ab.packed x
    refused 1 'no memory' gpuhist $packed_options --memory-limit=100Ki \
        --chunk-size=4Ki ab.packed
    message '... and why' 'ab.packed: ' 'at byte ' 'memory' '--memory-limit'
}
