# SPDX-License-Identifier: MIT
# files0.sh -- the names of the inputs from a file: --files0-from
# shellcheck shell=sh disable=SC2016,SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

printf 'a\nb\n' >one
printf 'b\nc\n' >'two
lines'
printf 'a\t1\nb\t2\nc\t1\n' >wanted
printf 'one\0two\nlines\0' >list
counts wanted 'two names' gpuhist -l --files0-from=list
counts wanted '... of a pipe' \
    sh -c 'cat list | "$GPUHIST" -l --files0-from=-'
counts wanted '... as find prints them' sh -c \
    'find . -name one -print0 -o -name "two*" -print0 |
        "$GPUHIST" -l --files0-from=-'
printf 'one\0two\nlines' >list
counts wanted '... no NUL at the end' gpuhist -l --files0-from=list
gpuhist -l --files0-from=list --format=json >out
grep -q '"inputs":\["one","two\\u000alines"\],"bytes":8' out
ok $? '... in JSON'
cat one one >both
oracle <both >wanted
printf 'one\0-\0' >list
counts wanted 'standard input is one of them' \
    gpuhist --files0-from=list <one
: >empty
counts empty 'no names' gpuhist -l --files0-from=empty
counts empty '... standard input is not read' \
    gpuhist -l --files0-from=empty <one
gpuhist -l --files0-from=- --format=json </dev/null >out
grep -q '"inputs":\[\],"bytes":0,"records":0' out
ok $? '... in JSON'
awk 'BEGIN { for (i = 0; i < 3000; i++) printf "one%c", 0 }' >list
printf 'a\t3000\nb\t3000\n' >wanted
counts wanted 'many names' gpuhist -l --files0-from=list
printf 'one\0\0one\0' >list
says 1 '--files0-from=list: name 2 is empty' 'an empty name' \
    gpuhist -l --files0-from=list
says 1 '--files0-from=-: name 2 is standard input, which has the names' \
    'standard input twice' sh -c 'printf "one\0-\0" | "$GPUHIST" -l --files0-from=-'
says 1 '--files0-from=nothing: No such file or directory' 'no list' \
    gpuhist -l --files0-from=nothing
says 1 '--files0-from=.: read error: Is a directory' 'a directory' \
    gpuhist -l --files0-from=.
printf 'nothing\0one' >list
refused 1 'a file that is not there' gpuhist -l --files0-from=list
grep -q '^gpuhist: nothing: ' err
ok $? '... is named'
says 2 '--files0-from names all inputs: no other files' 'other files' \
    gpuhist -l --files0-from=list one
says 1 '--files0-from=empty: names no image' 'no image' \
    gpuhist --image --files0-from=empty

# is_small NAME OPTION...: with the names in LIST, the program has no more than
# 40 MiB more in memory than with one.
is_small()
{
    small_name=$1
    shift
    if ! command -v python3 >/dev/null || instrumented; then
        skip "$small_name" 'no python3, or a sanitizer, which keeps memory'
        return
    fi
    small_alone=$(peak "$@" --files0-from=single -o out)
    small_many=$(peak "$@" --files0-from=list -o out)
    [ "$((small_many))" -le "$((small_alone + 40960))" ]
    ok $? "$small_name ($small_alone and $small_many KiB)"
}
printf 'one\0' >single
awk 'BEGIN { for (i = 0; i < 100000; i++) printf "one%c", 0 }' >list
printf 'a\t100000\nb\t100000\n' >wanted
counts wanted 'very many names' gpuhist -l --files0-from=list
is_small '... in little memory' -l
is_small '... with --per-file' -l --per-file
says 1 '--files0-from=list: 100000 names or more do not fit into --memory-limit, 1048576 bytes: each takes its length and 40 bytes' \
    '... in less than they need' \
    gpuhist -l --memory-limit=1Mi --files0-from=list

# Messages about inputs that are done: the first one, how many, each error.
printf 'text that is long enough to be known!!!\n' >text
awk 'BEGIN { for (i = 0; i < 300; i++) printf "text%c", 0 }' >list
gpuhist --dtype=u2 -b4 --range=0,65535 --files0-from=list >out 2>err
grep -qx 'gpuhist: warning: text and 299 more inputs look like text, but were counted as binary numbers' err
ok $? 'all are text'
printf '{"a":1}\n' >right
printf '{"a":1}\n{\n' >wrong
printf '{"a":1}\n[\n' >wrong-too
awk 'BEGIN {
    for (i = 0; i < 3000; i++)
        printf "%s%c", i == 1700 ? "wrong" : i == 2500 ? "wrong-too" : "right", 0
}' >list
for threads in 1 4; do
    gpuhist --jsonl -f a --threads=$threads --files0-from=list >out 2>err
    is "$? $(wc -c <out)" '1 0' "wrong records, $threads threads"
    sed 's/^gpuhist: \([^:]*\): the text at byte \([0-9]*\),.*/\1 \2/' err >found
    printf 'wrong 8\nwrong-too 8\n' | cmp -s - found
    ok $? '... each one, in the order of the inputs'
done

# Readers take several small files at a time; an odd file among them has its own
# message, and the others are counted.
mkfifo fifo
awk 'BEGIN {
    odd[200] = "gone"
    odd[203] = "."
    odd[300] = "fifo"
    odd[899] = "gone-too"
    for (i = 0; i < 900; i++)
        printf "%s%c", i in odd ? odd[i] : "one", 0
}' >list
awk 'BEGIN { for (i = 0; i < 900; i++) printf "%s%c", i == 300 ? "fifo" : "one", 0 }' \
    >list-right
printf 'gpuhist: gone: cannot open: No such file or directory\n' >messages
printf 'gpuhist: .: is a directory\n' >>messages
printf 'gpuhist: gone-too: cannot open: No such file or directory\n' >>messages
printf 'a\t899\nb\t899\npiped\t1\n' >wanted
for threads in 1 16; do
    echo piped >fifo &
    gpuhist -l --threads=$threads --files0-from=list >out 2>err
    is "$? $(wc -c <out)" '1 0' "odd ones among small files, $threads threads"
    wait
    cmp -s messages err
    ok $? '... each named, in the order of the inputs'
    echo piped >fifo &
    counts wanted '... without them' \
        gpuhist -l --threads=$threads --files0-from=list-right
    wait
done

# Compressed files of two formats in turn: each reader keeps a decoder of both.
if [ "$HAVE_GZIP" = yes ] && [ "$HAVE_ZSTD" = yes ] &&
    command -v gzip >gzip-path && command -v zstd >zstd-path; then
    awk 'BEGIN { for (i = 0; i < 2000; i++) print i % 37 }' >lines
    gzip -c lines >lines.gz
    zstd -q --check -c lines >lines.zst
    # Without a size, the decoder needs a window of 8 MiB; there is memory for one
    # with --memory-limit=56Mi.
    zstd -q --check --long=23 -c <lines >wide.zst
    head -c 60 lines.zst >cut.zst
    awk 'BEGIN {
        split("lines.gz lines.zst wide.zst lines", name, " ")
        for (i = 0; i < 4000; i++)
            printf "%s%c", name[i % 4 + 1], 0
    }' >list
    awk 'BEGIN { for (i = 0; i < 2000; i++) print i % 37 }' | sort -n |
        uniq -c | awk -v OFS='\t' '{ print $2, 4000 * $1 }' |
        sort >wanted
    for options in --threads=1 --threads=5 '--threads=5 --memory-limit=56Mi' \
        '--threads=3 --chunk-size=4Ki'; do
        # shellcheck disable=SC2086 # words
        gpuhist -l $options --files0-from=list >out 2>err
        status=$?
        sort out | cmp -s - wanted && [ "$status" = 0 ]
        ok $? "two formats in turn, $options"
    done
    (
        # shellcheck disable=SC3045 # dash has it
        ulimit -n 64 || exit
        gpuhist -l --threads=16 --files0-from=list 2>err | sort | cmp -s - wanted
    )
    ok $? '... with few descriptors'
    awk 'BEGIN {
        for (i = 0; i < 4000; i++) {
            name = i % 2 == 0 ? "lines.gz" : "lines.zst"
            if (i == 1700 || i == 2500)
                name = "cut.zst"
            printf "%s%c", name, 0
        }
    }' >list-cut
    for threads in 1 5; do
        gpuhist -l --threads=$threads --files0-from=list-cut >out 2>err
        is "$? $(wc -c <out)" '1 0' "... one is cut, $threads threads"
        [ "$(grep -c '^gpuhist: cut.zst: truncated zstd frame' err)" -eq 2 ]
        ok $? '... each one is named'
    done
else
    skip 'two formats in turn' 'no gzip or zstd, or no program for it'
fi

done_testing
