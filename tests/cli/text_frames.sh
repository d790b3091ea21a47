# SPDX-License-Identifier: MIT
# text_frames.sh -- text in a zstd file of several frames, by several readers
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

[ "$HAVE_ZSTD" = yes ] || skip_all 'built without libzstd'
command -v zstd >zstd-path || skip_all 'no zstd program'

awk 'BEGIN {
    srand(1)
    for (i = 0; i < 4000; i++)
        printf "10.0.%d.%d - - [22/Nov/2026:08:%02d:%02d +0000] \"GET /%d" \
            " HTTP/1.1\" %d %d \"-\" \"Mozilla/5.0 (X11; Linux)\"\n",
            rand() * 3, rand() * 250, rand() * 60, rand() * 60,
            1 / (rand() + 1e-4), 200 + 100 * int(rand() * 4), rand() * 1e5
}' >log
awk 'BEGIN {
    srand(2)
    printf "name,size,\"a\nb\"\r\n"
    for (i = 0; i < 9000; i++)
        printf "n%d,%.2f,\"%d\n,%d\"\r\n", rand() * 50, rand() * 1000,
            rand() * 9, rand() * 9
}' >table
awk 'BEGIN {
    srand(3)
    printf "#\nkey\tnumber\r\n"
    for (i = 0; i < 20000; i++)
        printf rand() < 0.1 ? "#%d\n" : "%d\t%d\r\n", rand() * 90, rand() * 1e6
}' >crlf
tr '\n' '\0' <log >nul
# Longer than a chunk below, and than several frames.
awk 'BEGIN {
    for (i = 0; i < 30; i++) {
        for (k = 0; k < 9000 + i % 3; k++)
            printf "%c", 97 + i % 5
        print ""
        print i
    }
}' >long
printf 'x%.0s' 1 2 3 4 5 6 7 8 9 >>long

# framed FILE BYTES: FILE in frames of BYTES, and others in between.
: | zstd -q -c >empty.zst
printf '\120\052\115\030\003\000\000\000\n\n\n' >skippable
framed()
{
    split -b "$2" -a 5 "$1" piece.
    set -- "$1" piece.*
    framed_name=$1.zst
    shift
    zstd -q --rm "$@"
    for framed_piece in "$@"; do
        cat "$framed_piece.zst" empty.zst skippable
    done >"$framed_name"
    rm -f piece.*
}

# alike FILE OPTION...: what is printed of the frames is what is printed of the
# FILE.
alike()
{
    alike_file=$1
    shift
    gpuhist -j1 "$@" "$alike_file" >wanted || echo 'a failure' >>wanted
    for readers in 1 2 8; do
        for chunk in 1000 64Ki 2Mi; do
            has_turn 4 || continue
            gpuhist -j$readers --chunk-size=$chunk "$@" "$alike_file.zst" >out &&
                cmp out wanted || echo "-j$readers --chunk-size=$chunk"
        done
    done >differs 2>&1
    is "$(cat differs)" '' "$alike_file, frames of $bytes: $*"
}

for bytes in 700 4099 100000; do
    for file in log table crlf nul long; do
        framed $file $bytes
    done
    alike log -l
    alike log -W -f9
    alike log --clf -f path,minute
    alike log --clf -f bytes --dtype=int --top=20
    alike log --clf -g status -f host
    alike log --words
    alike log -W -f10 --bin-width=1000 --range=0,100000
    alike crlf -d '\t' -H --comment='#' -f key
    alike crlf -d '\t' --comment='#' -f 2 -H --range=auto
    alike table --csv -f 3
    alike table --csv -f size --dtype=num --top=5
    alike nul -z -l
    alike long -l
done

# ---- damage ----

# A byte in the middle: the message of several readers is that of one.
framed log 20000
size=$(wc -c <log.zst)
for part in 3 5 8; do
    at=$((size * part / 10))
    { head -c $at log.zst && printf '\377\377\377' &&
        tail -c +$((at + 4)) log.zst; } >bad.zst
    refused 1 'a damaged frame' gpuhist -j1 -l bad.zst
    mv err wanted
    for readers in 2 8; do
        gpuhist -j$readers -l --chunk-size=1000 bad.zst >out 2>err
        is "$? $(wc -c <out) $(cat err)" "1 0 $(cat wanted)" \
            "... the same by $readers readers"
    done
done
head -c $((size - 2)) log.zst >bad.zst
refused 1 'a frame that is cut' gpuhist -j8 -l --chunk-size=1000 bad.zst

# ---- inputs that end before their first record ----

# Their decoders must leave the memory to that of the next input.
: | zstd -qc >empty.zst
printf '#\n' | zstd -qc >comment.zst
printf 'key\na\n' | zstd -qc >table.zst
printf 'a\t1\n' >wanted
for inputs in 'empty.zst empty.zst table.zst' 'comment.zst table.zst' \
    'empty.zst table.zst comment.zst'; do
    # shellcheck disable=SC2086 # several inputs
    counts wanted "a header behind $inputs" timeout 60 "$GPUHIST" --tsv -H -g1 \
        --comment='#' --memory-limit=4M $inputs
done

done_testing
