# SPDX-License-Identifier: MIT
# kmer_spill.sh -- more k-mers than memory: counts in $TMPDIR
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

gen()
{
    "$GPUHIST_BENCH/gpuhist-gen" "$@"
}

# Reads of a small genome, of one at random, and a frequent k-mer.
gen --genome=30k --coverage=8 --length=40,300 --unknown=0.01 fasta >reads.fa
awk 'BEGIN { srand(5); for (r = 0; r < 500; r++) {
                 s = ""; print ">" r
                 for (i = 0; i < 500; i++)
                     s = s substr("ACGT", 1 + int(rand() * 4), 1)
                 print s }
             for (r = 0; r < 300; r++) {
                 print ">a"; printf "%0300d\n", 0 } }' | tr 0 A >other.fa
mkdir tmp
TMPDIR=$PWD/tmp
export TMPDIR

# kmers_of K: lines `KMER<tab>COUNT` of the files, by awk and sort.
kmers_of()
{
    cat reads.fa other.fa | awk -v k="$1" '
        function flush(i, n) {
            s = toupper(s); n = length(s)
            for (i = 1; i + k - 1 <= n; i++) {
                w = substr(s, i, k)
                if (w !~ /[^ACGT]/) counts[w]++
            }
            s = ""
        }
        /^>/ { flush(); next }
        { s = s $0 }
        END { flush(); for (w in counts) print w "\t" counts[w] }' | sort
}

# spills LIMIT ARGUMENT...
spills()
{
    limit=$1
    shift
    gpuhist -q --memory-limit="$limit" "$@" reads.fa other.fa
}

# Codes of 28 to 128 bits.
lengths='32 55'
! expensive || lengths='14 21 32 33 47 55 63 64'
for k in $lengths; do
    kmers_of "$k" >wanted
    for limit in 3M 9M; do
        for threads in 1 3; do
            has_turn 3 || continue
            spills $limit -j$threads --kmers="$k" | grep -v invalid >out
            same out wanted "K = $k, $limit, $threads threads"
        done
    done
done
gpuhist -v --memory-limit=3M --kmers=21 reads.fa other.fa >out 2>err
grep -q 'keys beyond --memory-limit: [0-9]* runs in temporary files' err
ok $? '... in files'

set -- '--kmers=17 --canonical' '--kmers=21 --spectrum' \
    '--kmers=21 --top=20' '--kmers=31 --sort=count' \
    '--kmers=21 --min-count=2 --percent --cumulative' \
    '--kmers=21 --per-file --spectrum' \
    '--kmers=21 --every=100K --spectrum --format=json' \
    '--kmers=55 --canonical --top=20' '--kmers=63 --canonical --spectrum' \
    '--kmers=64 --every=300K --reset --format=json' \
    '--kmers=21 --per-file'
! expensive || set -- "$@" '--kmers=21 --every=200K --reset --format=json' \
    '--kmers=21 --every=300K --format=json' \
    '--kmers=47 --every=100K --spectrum --format=json' \
    '--kmers=14 --every=300K --format=json'
for options; do
    for limit in 1G 3M; do
        # shellcheck disable=SC2086 # several words
        spills $limit $options | sed 's/"options":[^]]*]//' >"out-$limit"
    done
    same out-3M out-1G "$options"
done

# ---- states ----

for k in 21 64; do
    for part in 1 2; do
        spills 3M --kmers=$k --shard=$part/2 --state=state-$part >nothing
    done
    spills 1G --kmers=$k >wanted
    gpuhist -q --merge state-1 state-2 >out
    same out wanted "the states of two shards, K = $k"
done

# ---- failures ----

for blocks in 20 1000 3000; do
    refused 1 "a file may have $blocks blocks" sh -c "trap '' XFSZ
        ulimit -f $blocks; exec \"\$@\"" - timeout 120 "$GPUHIST" --kmers=32 \
        --memory-limit=3M reads.fa other.fa
    grep -q "cannot write [0-9]* more bytes to a temporary file in $TMPDIR \
(TMPDIR) after [0-9]* bytes: File too large" err
    ok $? '... is said'
done
refused 1 'TMPDIR does not exist' env TMPDIR="$PWD/none" timeout 120 \
    "$GPUHIST" --kmers=21 --memory-limit=3M reads.fa other.fa
grep -q "cannot make a temporary file in $PWD/none (TMPDIR)" err
ok $? '... is said'
is "$(find tmp -mindepth 1 | wc -l)" 0 'nothing is left'

done_testing
