# SPDX-License-Identifier: MIT
# shard.sh -- --shard: the counts of all shards add up to those of one run
#
# awk adds them up by key.  Some shards have several readers and short chunks,
# so that a file has ranges, parts and records that go on in the next chunk.
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

# A thousand lines of letters, some CSV with quotes around commas and ends of
# lines, and sequences whose quality has '@', '>' and '+' at its begin, or looks
# like a record.
awk -v seed=1 '
    function random(n) { seed = (seed * 16807) % 2147483647; return seed % n }
    function word(n, letters,  text) {
        for (text = ""; n > 0; n--)
            text = text substr(letters, 1 + random(length(letters)), 1)
        return text
    }
    BEGIN {
        print "# a comment, and\ncity\tn" >"tsv"
        print "\"a\nname\",n" >"csv"
        for (i = 0; i < 1500; i++) {
            print word(1 + random(3), "abcd") >"lines"
            print word(1 + random(2), "abc") "\t" random(9) >"tsv"
            quoted = "\"" word(1, "ab") (random(2) ? "\n" : ",\"\"") "c\n\""
            print (random(3) ? word(2, "ab") : quoted) "," random(9) >"csv"
            n = 1 + random(20)
            bases = word(n, "ACGTN")
            print "@read\n" bases "\n+\n" word(n, "@>+I5") >"fastq"
            if (i % 10 == 0)
                print ">contig\n" word(random(60), "ACGT") "\n" bases >"fasta"
            if (i % 10 == 0) {
                print "@read" >"folded"
                print "ACGTA\nACGTA\nACGTA\nACGTA\nACGTA\n+" >"folded"
                if (random(2))
                    print "@AAAA\nACGTA\n+AAAA\nIIIII\nIIIII" >"folded"
                else
                    print ">AAAA\nACGTA\nCCCCC\nIIIII\nIIIII" >"folded"
            }
        }
    }'
head -c 700 lines >few
: >empty
printf 'a\nb\nc\nd\n' >four

# What is given as "key TAB count", with the sums of equal keys.
add_up()
{
    awk -F '\t' '{ n = $NF; sub(/\t[^\t]*$/, ""); sum[$0] += n }
        END { for (key in sum) if (sum[key] != 0) print key "\t" sum[key] }' |
        sort
}

# adds_up "N..." NAME ARGUMENT...: the shards of N are the whole.  All N with
# RUN_EXPENSIVE_TESTS.
adds_up()
{
    shards_counts=$1
    shards_name=$2
    shift 2
    [ -z "${RUN_EXPENSIVE_TESTS-}" ] || shards_counts='1 2 3 7 64'
    gpuhist "$@" >one || { ok 1 "$shards_name"; return; }
    add_up <one >wanted
    for shards in $shards_counts; do
        shard=0
        : >all
        while [ "$shard" -lt "$shards" ]; do
            shard=$((shard + 1))
            case $((shard % 3)) in
                0) how='--threads=1' ;;
                1) how='--threads=3 --chunk-size=4k' ;;
                *) how='--threads=2' ;;
            esac
            # shellcheck disable=SC2086 # two options
            gpuhist $how --shard="$shard/$shards" "$@" >>all ||
                printf 'shard %s failed\t1\n' "$shard" >>all
        done
        add_up <all >got
        [ -s wanted ] && cmp -s wanted got
        ok $? "$shards shards add up: $shards_name" || diff wanted got |
            sed 's/^/# /;5q'
    done
}

adds_up '1 3 64' 'lines of several files' --lines \
    lines few empty lines empty
adds_up '3' 'words' --words lines few
adds_up '7' 'bytes' lines few empty
adds_up '3' 'samples' --dtype=u2 -b9 --range=0,65536 --partial=drop lines few
adds_up '2' 'records' --record=u1,x*2,u1 -f2 -b9 --range=90,110 --partial=drop \
    lines few
adds_up '3' 'bytes from one on' --skip-bytes=100 --read-bytes=999 lines few
adds_up '3' 'fields with a header' --tsv --comment='#' -f city,n --joint tsv tsv
adds_up '2' 'weights' --tsv --comment='#' -f city --weights=n tsv tsv
adds_up '2 7' 'CSV' --csv -f n,1 --joint csv csv
adds_up '2 7' 'FASTQ' --seq -f position,quality --joint --nonzero fastq fastq
adds_up '7' 'folded FASTQ' --seq -f length --nonzero folded
adds_up '3' 'FASTA' --seq --kmers=3 fasta fastq
{
    printf '\223NUMPY\001\000\166\000%-117s\n' \
        "{'descr': '<u2', 'fortran_order': False, 'shape': (250,), }"
    head -c 500 lines
} >npy
adds_up '3' 'npy' --npy -b9 --range=0,65536 npy npy
{
    printf 'P5\n20 30\n255\n'
    head -c 600 lines
} >image
adds_up '2' 'images' --image image image image

# ---- compressed ----

split -b 999 lines lines.
if [ "$HAVE_ZSTD" = yes ] && command -v zstd >zstd-path; then
    for file in lines.a?; do zstd -q -c "$file"; done >sized.zst
    for file in lines.a?; do zstd -q <"$file"; done >unsized.zst
    # The header is in several frames.
    head -c 40 tsv | split -b 2 - tsv.
    head -c 2000 tsv | tail -c +41 | split -b 999 - tsv.z
    for file in tsv.*; do zstd -q -c "$file"; done >tsv.zst
    zstd -q -c csv >csv.zst
    # The first look at an input may decode several frames.
    for letter in a b '\n' c d '\n' a b '\n'; do
        printf %b "$letter" | zstd -q -c
    done >letters.zst
    adds_up '7' 'frames of letters' --lines letters.zst
    adds_up '3 7' 'frames of zstd' --lines sized.zst few sized.zst
    adds_up '2' 'samples in frames' --dtype=u2 -b9 --range=0,65536 \
        --partial=drop sized.zst
    adds_up '3' 'frames without a size' --lines unsized.zst unsized.zst
    adds_up '16' 'frames of a header' --tsv --comment='#' -f city tsv.zst
    adds_up '2' 'compressed CSV' --csv -f n csv.zst csv

    gpuhist -v --shard=1/2 --csv -f n csv.zst >out 2>err
    is "$(grep shard err)" \
        'gpuhist: this shard counts all of what cannot be cut: csv.zst' \
        'what cannot be cut is named'
    # Each shard checks that its last frame ends where the next shard begins.
    head -c 500 sized.zst >cut.zst
    tail -c +502 sized.zst >>cut.zst
    failed=0
    for shard in 1 2 3; do
        gpuhist --lines --shard=$shard/3 cut.zst >out 2>err ||
            failed=$((failed + 1))
    done
    [ "$failed" -ge 1 ]
    ok $? 'damage is in some shard'
fi
if [ "$HAVE_GZIP" = yes ]; then
    if command -v bgzip >bgzip-path; then
        split -b 300 lines short.
        for file in short.a?; do bgzip -c "$file"; done >lines.bgz
        adds_up '7' 'blocks of BGZF' --lines lines.bgz lines.bgz
    fi
    gzip -c lines >lines.gz
    adds_up '2' 'gzip' --words lines.gz few lines.gz
fi
if [ "$HAVE_LZMA" = yes ] && command -v xz >xz-path; then
    xz -c --block-size=700 lines >lines.xz
    adds_up '7' 'blocks of xz' --lines lines.xz lines.xz
fi
if [ "$HAVE_LZ4" = yes ] && command -v lz4 >lz4-path; then
    for file in lines.a?; do lz4 -q -c "$file"; done >lines.lz4
    adds_up '3' 'frames of lz4' --lines lines.lz4 few
fi
if [ "$HAVE_ARCHIVE" = yes ] && command -v tar >tar-path; then
    tar cf tar lines few
    adds_up '2' 'archives' --members --lines tar tar
fi

# ---- states ----

# merges NAME ARGUMENT...: the states of three shards make what one run prints.
merges()
{
    merges_name=$1
    shift
    for shard in 3 1 2; do
        gpuhist --shard=$shard/3 --state=state.$shard "$@" >out
    done
    gpuhist "$@" >wanted
    counts wanted "states of shards: $merges_name" \
        gpuhist --merge state.3 state.1 state.2
}

merges 'a range that is found' --csv -f n -b4 csv csv
merges 'sums of keys' --tsv --comment='#' -f city --weights=n tsv tsv
merges 'canonical k-mers' --seq --kmers=5 --canonical fasta fastq
merges 'a shard without records' --words empty four empty

# ---- the header and all bytes are counted once ----

for shard in 1 2 3; do
    gpuhist --shard=$shard/3 --format=json --tsv --comment='#' -f city tsv tsv
done | grep -o '"bytes":[0-9]*,"records":[0-9]*' |
    awk -F '[:,]' '{ bytes += $2; records += $4 } END { print bytes, records }' \
        >out
is "$(cat out)" "$(($(wc -c <tsv) * 2)) 3000" 'bytes and records add up'

# A shard opens what it needs.
if [ "$HAVE_GZIP" = yes ]; then
    head -c 900 lines >whole
    { printf '\037\213\010\000'; head -c 896 lines; } >damaged
    gpuhist --shard=1/2 --lines whole damaged >out
    is $? 0 'damage in a file of another shard'
    refused 1 '... which finds it' gpuhist --shard=2/2 --lines whole damaged
fi

# ---- which shard has what ----

is "$(for shard in 1 2 3 4; do
    gpuhist --lines --shard=$shard/4 four
    echo .
done | tr '\t\n' '  ')" 'a 1 . b 1 . c 1 . d 1 . ' \
    'a record that begins at the edge'
if [ -r /proc/version ]; then
    gpuhist --lines /proc/version >wanted
    : >got
    for shard in 1 2; do
        gpuhist --lines --shard=$shard/2 /proc/version >>got
    done
    same got wanted 'a file without a size is counted once'
fi

# ---- errors ----

refused 2 'shard 0' gpuhist --shard=0/4 lines
is "$(cat err)" "gpuhist: --shard: there is no shard 0 of 4: they have the \
numbers 1 to 4 (Slurm: --array=1-4)" '... with a hint'
refused 2 'shard 5 of 4' gpuhist --shard=5/4 lines
for value in 1 1/0 /3 1/ 1/x -1/3 1/3/4 99999999999999999999/3; do
    refused 2 "--shard=$value" gpuhist --shard=$value lines
done
refused 2 'a pipe by its name' gpuhist --shard=1/2 /dev/null
refused 2 'standard input' gpuhist --shard=1/2 <lines
is "$(cat err)" \
    'gpuhist: --shard needs the names of files, not standard input' '... named'
refused 2 '-' gpuhist --shard=1/2 lines -
for shard in 1 2; do
    refused 1 "shard $shard of a missing file" \
        gpuhist --shard=$shard/2 missing lines
done
is "$(cat err)" 'gpuhist: missing: cannot open: No such file or directory' \
    '... named'

done_testing
