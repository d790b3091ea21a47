# SPDX-License-Identifier: MIT
# csv_ranges.sh -- large files of CSV, which several readers share
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

# ---- a record that is longer than chunks ----

{
    seq 200000 | sed 's/.*/&,"a\nb"/'
    printf 'long,"'
    seq 300000
    printf '"\n'
    seq 200000 | sed 's/.*/&,"a\nb"/'
} >data
{
    printf 'a\\nb\t400000\n'
    printf '%s\t1\n' "$(seq 300000 | tr '\n' '#' | sed 's/#/\\n/g')"
} | LC_ALL=C sort >wanted
for options in -j1 -j2 -j8 '-j8 --chunk-size=10k'; do
    # shellcheck disable=SC2086 # two options
    gpuhist --csv -f2 $options data | LC_ALL=C sort >out
    same out wanted "a record of several chunks, $options"
done

# ---- a last range that fills a chunk ----

cp data other
awk 'BEGIN { for (i = 1; i < 16384; i++) print "abcdefg,1234567" }' >data
printf 'abcdefg,"2345678' >>data
for threads in 1 3 8; do
    says 1 'data: the quote at byte 262136 has no end' \
        "a quote at the end of the last range, -j$threads" \
        gpuhist --csv -g2 -j$threads --chunk-size=4096 data
done
mv other data

# ---- a part of a file ----

head -n 20000 data >part
gpuhist --csv -f1 part >wanted
bytes=$(wc -c <part)
gpuhist --csv -f1 -j4 --chunk-size=5k --read-bytes="$bytes" data >out
same out wanted '--read-bytes'
tail -n +20001 data >rest
gpuhist --csv -f1 -j1 rest >wanted
gpuhist --csv -f1 -j4 --chunk-size=5k --skip-bytes="$bytes" data >out
same out wanted '--skip-bytes'
(
    gpuhist --csv -f1 -j4 --chunk-size=5k >out
    cat >rest
) <data
gpuhist --csv -f1 -j1 data >wanted
same out wanted 'standard input'
is "$(wc -c <rest)" 0 '... is at its end then'

# ---- anything ----

python_checks "$srcdir/tests/cli/csv_ranges_oracle.py"

done_testing
