# SPDX-License-Identifier: MIT
# tracks.sh -- --per-file of many files, several at a time (run/tracks.h)
#
# One thread has one track, so what is wanted is what one thread prints; and of
# some options, what the program prints of each file alone.
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

# ---- files of all kinds ----

: >empty
awk 'BEGIN { for (i = 0; i < 3000; i++)
    printf "%s,%d,%.2f\n", substr("abcdefgh", i % 7 + 1, 2), i * 37 % 1009,
        i % 97 / 8 }' >lines
head -n 7 lines >few
tail -n 900 lines >ending
{
    echo '# no record'
    head -n 40 lines
} >comment
printf '%s\n' lines few empty ending comment >names
# packed HAVE COMMAND: more files, if both are there
packed()
{
    if [ "$1" = yes ] && command -v "$2" >path; then
        "$2" -c lines >"lines.$2"
        "$2" -c ending >"ending.$2"
        cat "lines.$2" "ending.$2" >"two.$2"
        printf '%s\n' "lines.$2" "ending.$2" "two.$2" >>names
    fi
}
packed "$HAVE_GZIP" gzip
packed "$HAVE_ZSTD" zstd
packed "$HAVE_LZMA" xz
# 300 names, in no order; beside a sanitizer each takes long.
names=300
! instrumented || names=192
awk -v names=$names '{ name[NR] = $0 } END { for (i = 0; i < names; i++)
    printf "%s%c", name[i * i * 7 % 31 % NR + 1], 0 }' names >list

# same_as_one THREADS OPTION...: one test
same_as_one()
{
    threads=$1
    shift
    gpuhist -v --per-file -j1 "$@" --files0-from=list >one 2>one.err
    one=$?
    gpuhist -v --per-file -j"$threads" "$@" --files0-from=list >out 2>err
    is "$? $(grep -v ': the inputs are counted again, one at a time: ' err)" \
        "$one $(cat one.err)" "-j$threads $*: messages"
    same out one "-j$threads $*"
}

while read -r name; do
    gpuhist -d, -f1 -q "$name" | sed "s/^/$name	/" >"counts.$name"
done <names
tr '\0' '\n' <list | sed 's/^/counts./' | xargs cat >wanted
for threads in 1 2 4 8; do
    counts wanted "$names files, $threads threads" \
        gpuhist --per-file -q -d, -f1 -j$threads --files0-from=list
done
gpuhist --explain --per-file -j4 -d, -f1 --files0-from=list 2>err >out
is "$(grep -c "explain: tracks: $((names / 64)) inputs at a time" err)" 1 \
    '--explain says how many at a time'
is "$(sed -n 's/.*counted \([0-9]*\) bytes$/\1/p' err)" \
    "$(gpuhist --explain --per-file -j1 -d, -f1 --files0-from=list 2>&1 >out |
        sed -n 's/.*counted \([0-9]*\) bytes$/\1/p')" '... and what all have counted'
gpuhist --explain --per-file -j4 -d, -f1 lines few 2>err >out
is "$(grep -c 'explain: tracks' err)" 0 'few small files are not worth it'

same_as_one 3 --columns=count,serial,pi
same_as_one 4 --dtype=u2 --partial=drop --range=auto -b 9 --total
same_as_one 4 -d, -f2 --dtype=num -b 5 --total
same_as_one 5 -d, -g1 -f3 --columns=count,mean,p50 --pivot
same_as_one 4 -d, -f1 --comment='#' --where='2>500'
same_as_one 4 -d, -f9
same_as_one 4 -d, -f1 --first=3 --total --format=table
same_as_one 16 --csv -f ab
same_as_one 4 --tsv -f1 --sort=count --memory-limit=90M

# ---- messages of all files ----

printf 'a b\n' >odd
awk 'BEGIN { for (i = 0; i < 9; i++)
    printf "::1 - - [30/Nov/2026:10:00:0%d +0000] \"GET /%d HTTP/1.1\" 200 %d\n", i,
        i % 3, i * 99 }' >clf
cat clf odd clf odd >odder
for _ in 0 1 2 3 4 5 6 7 8 9; do
    printf 'clf\0clf\0clf\0odder\0empty\0clf\0clf\0odder\0clf\0clf\0clf\0clf\0clf\0'
done >list
same_as_one 4 --clf -f path
is "$(grep -c '40 lines do not fit .* first one is odder: the text at byte 564' err)" 1 \
    '... of the first one'
printf '{"one":1}\n' >first
printf '{"two":2}\n' >second
for _ in 0 1 2 3 4 5 6 7 8 9; do
    printf 'empty\0empty\0empty\0empty\0empty\0second\0first\0first\0first\0first\0'
    printf 'first\0first\0first\0'
done >list
same_as_one 4 --json -f tow
is "$(grep -c 'the first record has .two.' err)" 1 '... of the first record'

# ---- a file that fails ----

# of_which FILE...: 128 names, of which some are these
of_which()
{
    for _ in 1 2 3 4; do
        printf 'lines\0few\0ending\0empty\0few\0few\0few\0few\0'
    done >before
    {
        cat before before
        printf '%s\0' "$@"
        cat before before
    } >list
}

of_which missing few absent
same_as_one 4 -d, -f1
is "$(cat err)" 'gpuhist: missing: cannot open: No such file or directory' \
    'a file that is not there is named, and no later one'
if [ -f lines.gzip ]; then
    head -c 3000 lines.gzip >short
    of_which few short missing
    same_as_one 4 -d, -f1
    is "$(sed 's/ at .*//' err)" 'gpuhist: short: truncated gzip member' \
        'one that is cut off'
fi
printf 'a,b\n' >text
of_which few few text missing
same_as_one 4 -d, -f1 -b4
echo old >file
gpuhist --per-file -j4 -o file -d, -f1 --files0-from=list >out 2>err
is "$? $(cat file)" '1 old' '... leaves the old file'

# ---- short of memory, and of threads ----

if [ "$HAVE_ZSTD" = yes ] && command -v zstd >path; then
    # Written from a pipe, it wants a window of 128 MiB.
    zstd -q --long=27 <lines >wide.zst
    of_which wide.zst wide.zst wide.zst wide.zst wide.zst wide.zst wide.zst
    same_as_one 8 -d, -f1 --memory-limit=700M
    # Now one track alone has the memory.
    same_as_one 8 -d, -f1 --memory-limit=500M
    is "$(grep -c 'one at a time: short of memory' err)" 1 '... which is said'
fi
for letter in x y; do
    head -c 18000000 /dev/zero | tr '\0' $letter
    echo
done >long
of_which few long
for _ in 1 2 3; do cat before before before before; done >>list
if instrumented; then
    skip 'long keys' 'they take long'
else
    same_as_one 8 -d, -f1 --memory-limit=320M
    is "$(grep -c 'one at a time: a key does not fit' err)" 1 \
        'long keys have the memory of all'
fi
of_which few
if instrumented; then
    skip 'few threads' 'a sanitizer needs much more memory'
else
    gpuhist --per-file -d, -f1 -j1 --files0-from=list >wanted
    # Stacks of 300 MB, and room for some.
    (
        # shellcheck disable=SC3045 # every shell that we meet has it
        ulimit -s 300000 && ulimit -v 1700000 || exit 126
        exec "$GPUHIST" --device=cpu -v --per-file -d, -f1 -j4 --files0-from=list
    ) >out 2>err
    is "$?:$(sed 's/: Res.*//' err)" \
        '0:gpuhist: running with fewer threads than planned: cannot start a thread' 'few threads: -v'
    same out wanted 'few threads'
fi

done_testing
