# SPDX-License-Identifier: MIT
# bgzf_ahead.sh -- blocks of BGZF that helpers decode ahead of one reader
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

[ "$HAVE_GZIP" = yes ] || skip_all 'without zlib there is no BGZF'

python_checks "$srcdir/tests/cli/bgzf_ahead_oracle.py"

# A writer that pauses: what has come is counted, and the rest is not waited for.
if command -v bgzip >/dev/null; then
    seq 1 1100000 | bgzip -c >numbers.gz
    # Helpers begin after 1 MiB.
    size=$(wc -c <numbers.gz)
    for threads in 1 4; do
        mkfifo pipe
        {
            head -c $((size * 9 / 10)) numbers.gz
            sleep 100
        } >pipe 2>err &
        writer=$!
        timeout 60 "$GPUHIST" -q -l -j$threads --first=900000 --spectrum pipe >out
        is "$? $(cat out)" "0 1$(printf '\t')900000" "$threads threads do not wait"
        kill $writer
        rm pipe
    done
else
    skip 'a writer that pauses' 'no bgzip'
fi

done_testing
