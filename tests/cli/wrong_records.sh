# SPDX-License-Identifier: MIT
# wrong_records.sh -- an error names the first wrong record of an input
# shellcheck shell=sh disable=SC2034,SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

python_checks "$srcdir/tests/cli/wrong_records.py"

# ---- an input that begins with no record, in the chunk of the one before ----

printf '>a\nACGT\n' >first
printf 'AC@T\n>b\nAC\n' >second
for options in --kmers=2 '--seq -f base' '--seq -f length'; do
    # shellcheck disable=SC2086 # several words
    says 1 "second: record 1 at byte 0: a record begins with > or @ at the start of a line, not 'A'" \
        "its bases are none of the last record: $options" \
        gpuhist -j1 $options first second
done

# ---- a reader that waits for a writer ----

mkfifo fifo
gpuhist_seconds=20
says 1 "second: record 1 at byte 0: a record begins with > or @ at the start of a line, not 'A'" \
    'nobody opens a pipe' \
    gpuhist --seq -j16 --every=1h --format=jsonl second fifo
gpuhist_seconds=120

# A process that feeds two inputs must not wait for the wrong one, whoever finds
# that it is: its reader, or an engine.
head -c 4000000 /dev/zero | tr '\0' A | fold -w 60 | sed '1i>c' >long
printf '>a\nAC7T\n' >third
while read -r wrong text; do
    # shellcheck disable=SC2016 # for the other shell
    timeout 20 sh -c '{
        exec 3>fifo
        cat "$1" long long
        cat long >&3
    } 2>writer-says | "$2" --seq -j4 --chunk-size=16k - fifo' sh \
        "$wrong" "$GPUHIST" >out 2>err
    is "$? $(wc -c <out) $(cat err)" \
        "1 0 gpuhist: standard input: record 1 $text" \
        'standard input is left'
done <<'EOT'
second at byte 0: a record begins with > or @ at the start of a line, not 'A'
third (a) at byte 5: '7' is no base
EOT

# ---- damage in front of a wrong weight, in parts side by side ----

if [ "$HAVE_ZSTD" = yes ] && command -v zstd >zstd-path; then
    seq 200000 | sed 's/$/\t1/' >lines
    zstd -q -c lines >good.zst
    sed '100000s/1$/none/' lines | zstd -q -c >wrong.zst
    size=$(($(wc -c <good.zst) / 2))
    {
        head -c $size good.zst
        printf '\377\377\377'
        tail -c +$((size + 4)) good.zst
    } >damaged.zst
    cat good.zst damaged.zst good.zst good.zst wrong.zst good.zst >parts.zst
    refused 1 'damage in front of a wrong weight' \
        gpuhist --tsv -f1 --weights=2 -j1 parts.zst
    mv err one
    for _ in 1 2 3; do
        refused 1 '... in parts' \
            gpuhist --tsv -f1 --weights=2 -j4 --chunk-size=16k parts.zst
        same err one '... is what the message is about'
    done
else
    skip 'damage in front of a wrong weight' 'no zstd'
fi

done_testing
