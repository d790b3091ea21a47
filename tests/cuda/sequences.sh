# SPDX-License-Identifier: MIT
# sequences.sh -- GPUs count FASTA and FASTQ, refuse chunks, fail and hang in the middle
#
# Over the driver of tests/fake, whose streams are as late as they may be.
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

test "$HAVE_NVCC" = yes || skip_all "no kernels: no driver is ever loaded"
test -f "$FAKE_CUDA_DIR/libcuda.so.1" || exit 99
export LD_LIBRARY_PATH="$FAKE_CUDA_DIR" FAKE_CU_DEVICES=4

LC_ALL=C awk -v reads=1500 -v odd=11 -f "$srcdir/tests/reads.awk" >in
bytes=$(stat -c %s in)

run()
{
    timeout 60 "$GPUHIST" --chunk-size=4096 "$@"
}

# The errors in a ledger: all figures that are not 0.
complaints()
{
    grep -E '^(outstanding|misuse|note) ' ledger | grep -v ' 0$'
}

# What is small is copied after each chunk; what is large once, at the end, or
# with two GPUs and a pipe seldom.
small='--seq -f base -f length'
large='--kmers=9 --canonical'

# ---- nobody fails ----

for what in "$small" "$large" '--seq --joint -f position,base,quality' \
    '--seq --format=fqchk'; do
    # shellcheck disable=SC2086 # they are several options
    run --device=cpu $what in >cpu
    rm -f ledger
    # shellcheck disable=SC2086 # likewise
    FAKE_CU_LEDGER=ledger run --device=cuda --explain $what in >out 2>err
    is "$?" 0 "$what: exit 0"
    same out cpu "$what: exact"
    sed -n 's/.* counted \([0-9]*\) bytes.*/\1/p' err >counted
    is "$(wc -l <counted):$(awk '$1 > 50000 { n++ } { sum += $1 }
        END { print n ":" sum }' counted)" "2:2:$bytes" \
        "$what: the GPU and the CPU have counted everything together"
    is "$(complaints)" "" "$what: the ledger is balanced"
done

# Comments are no matter of a device.
{ printf ';a\n;@b\n' && cat in; } >commented
for what in "$small" "$large"; do
    # shellcheck disable=SC2086 # they are several options
    run --device=cpu $what in >cpu
    # shellcheck disable=SC2086 # likewise
    run --device=cuda --explain --comment=';' $what commented >out 2>err
    same out cpu "$what: exact without comments"
    is "$(sed -n 's/.* counted \([0-9]*\) bytes.*/\1/p' err |
        awk '$1 > 50000 { n++ } { sum += $1 } END { print n ":" sum }')" \
        "2:$bytes" '... which no engine gets'
done

# shellcheck disable=SC2086 # likewise
run --device=cpu $small in >small.cpu
# shellcheck disable=SC2086 # likewise
run --device=cpu $large in >large.cpu
head -c 20000 in | sed '/^@/,$!d' | head -n 40 >small.fq
# shellcheck disable=SC2086 # likewise
run --device=cpu $small --per-file in small.fq in >inputs
# shellcheck disable=SC2086 # likewise
run --device=cuda $small --per-file in small.fq in >out
same out inputs "--per-file: exact"

# ---- auto: the CPU counts, too ----

many=$(awk 'BEGIN { for (i = 0; i < 200; i++) print "in" }')
for what in "$small" "$large"; do
    # shellcheck disable=SC2086 # they are several options and names
    run --device=cpu $what $many >cpu
    rm -f ledger
    # shellcheck disable=SC2086 # likewise
    FAKE_CU_LEDGER=ledger run --device=auto -j1 --gpu-after=0 \
        --gpu-timeout=none --explain $what $many >out 2>err
    same out cpu "auto, $what: exact"
    sed -n 's/.* counted \([0-9]*\) bytes.*/\1/p' err >counted
    is "$(wc -l <counted):$(awk '$1 > 0 { n++ } { sum += $1 }
        END { print n ":" sum }' counted)" "2:2:$((200 * bytes))" \
        "auto, $what: the GPU and the CPU have counted everything together"
    is "$(complaints)" "" "auto, $what: the ledger is balanced"
done
# K-mers that occur have no cells on a device.
run --explain --kmers=21 in >out 2>err
is "$(grep -c 'gpu: never, .* by the CPU only: these fields of sequences$' err
)" 1 'auto: the CPU counts long k-mers'
run --explain --seq --where='length>9' in >out 2>err
is "$(grep -c 'gpu: never, .* by the CPU only: records that meet conditions$' \
    err)" 1 '... and records that meet conditions'

# ---- k-mers wait in lists, since a GPU has no cache ----

# Those of 7 bases are drained several times, those of 9 once.
for k in 7 9; do
    run --device=cpu --kmers=$k in >cpu
    rm -f ledger
    FAKE_CU_CACHE=0 FAKE_CU_LEDGER=ledger run --device=cuda --explain \
        --kmers=$k in >out 2>err
    same out cpu "lists, $k bases: exact"
    is "$(grep -c '(sequence_fields, sequence_lists)' err):$(complaints)" 1: \
        "lists, $k bases: they are used; the ledger is balanced"
done
run --device=cpu --kmers=7 --per-file in small.fq in >cpu
FAKE_CU_CACHE=0 run --device=cuda --kmers=7 --per-file in small.fq in >out
same out cpu "lists, --per-file: exact"
run --device=cpu --kmers=7 in >lists.cpu
# The memory for the histogram, for marks, and then for lists.
FAKE_CU_CACHE=0 FAKE_CU_FIRED=fired FAKE_CU_FAIL=cuMemAlloc_v2:3:2 \
    run --device=cuda --kmers=7 --explain in >out 2>err
same out lists.cpu "half of the memory for lists: exact"
is "$(wc -l <fired):$(grep -c sequence_lists err)" 1:1 \
    "half of the memory for lists: they are used"

# ---- refusals ----

# All is refused, also what is the last and the only chunk.
printf '>a\nACGT\nACGT\n' >fasta
# shellcheck disable=SC2086 # likewise
run --device=cpu $small fasta >cpu
# shellcheck disable=SC2086 # likewise
run --device=cuda --explain $small fasta >out 2>err
same out cpu "lengths of FASTA: exact"
is "$(grep -c -e 'cuda:0 .* counted 0 bytes' -e 'cpu: .* counted 13 bytes' \
    err)" 2 "lengths of FASTA: the CPU has counted it"

# Its bases and k-mers are counted, in pieces of records: each record once.
LC_ALL=C awk -v bases=30000 -f "$srcdir/tests/contigs.awk" >contigs.fa
bytes=$(stat -c %s contigs.fa)
for what in --seq '--seq --keep-case' '--kmers=9 --canonical' --kmers=4; do
    # shellcheck disable=SC2086 # likewise
    run --device=cpu --format=json $what contigs.fa | sed 's/.*"bytes"//' >cpu
    rm -f ledger
    # shellcheck disable=SC2086 # likewise
    FAKE_CU_LEDGER=ledger run --device=cuda --explain --format=json $what \
        contigs.fa 2>err | sed 's/.*"bytes"//' >out
    same out cpu "FASTA, $what: exact"
    is "$(grep -c -e "cuda:0 .* counted $bytes bytes" \
        -e 'cpu: .* counted 0 bytes' err)$(complaints)" 1 \
        "FASTA, $what: the GPU has counted everything"
done

# ---- batches of chunks ----

# While the GPU starts, eight chunks become full; one is refused.
LC_ALL=C awk -v reads=95 -v odd=23 -f "$srcdir/tests/reads.awk" >eight
# shellcheck disable=SC2086 # likewise
run --device=cpu $small eight >cpu
rm -f ledger
# shellcheck disable=SC2086 # likewise
FAKE_CU_START_MS=300 FAKE_CU_LEDGER=ledger run --device=cuda --explain \
    $small eight >out 2>err
same out cpu "a chunk of a batch is refused: exact"
is "$(sed -n 's/^calls cuLaunchKernel //p' ledger)" 8 \
    "two batches of four chunks, four kernels"
is "$(sed -n 's/.* counted \([0-9]*\) bytes.*/\1/p' err |
    awk '$1 > 0 { n++ } END { print n }')$(complaints)" 2 \
    "the GPU and the CPU have counted"

# Batches do not wait for chunks that come late, or never.
rm -f ledger
# shellcheck disable=SC2086 # likewise
"$DRIBBLE" 5000 500 <in | FAKE_CU_LEDGER=ledger run --device=cuda $small >out
same out small.cpu "a slow pipe: exact"
is "$(complaints)" "" "a slow pipe: the ledger is balanced"
"$DRIBBLE" 5000 500 <in | FAKE_CU_CACHE=0 run --device=cuda --kmers=7 >out
same out lists.cpu "a slow pipe, lists: exact"

# A record beyond the chunks needs more memory than a GPU has for it.
{
    cat small.fq
    printf '@long\n%09000d\n+\n%09000d\n' 0 0 | sed '2s/0/A/g'
    cat small.fq
} >long
run --device=cpu --seq long >cpu
run --device=cuda --seq long >out
same out cpu "a record longer than chunks: exact"

# It is in the first chunk, whose neighbours are pinned meanwhile.
{
    printf '@long\n%06000d\n+\n%06000d\n' 0 0 | sed '2s/0/A/g'
    awk 'BEGIN { for (i = 0; i < 12000; i++)
        printf "@s\n%0100d\n+\n%0100d\n", 0, 0 }' | sed '2~4s/0/A/g'
} >long
run --device=cpu --seq long >cpu
rm -f ledger
bad=0
for _ in 1 2 3 4 5 6; do
    # shellcheck disable=SC2002 # a pipe
    cat long | FAKE_CU_LEDGER=ledger run --device=cuda --seq >out
    cmp -s out cpu || bad=$((bad + 1))
done
is "$bad:$(complaints)" 0: "the usual memory of chunks is pinned"

# A GPU that loses count.
for what in "$small" "$large -f kmer -f length"; do
    # shellcheck disable=SC2086 # likewise
    FAKE_CU_LIE=1 run --device=cuda $what in >out 2>err
    is "$?:$(cat out):$(cat err)" \
        "3::gpuhist: cuda:0 (Fake GPU 0): the counts do not add up" \
        "$what: a GPU that loses count: no counts"
done

# ---- one fails or hangs ----

# one_fails HOW OPTION...: a run over standard input in which a GPU fails, as
# HOW says; sets status and "fired".
one_fails()
{
    how=$1
    shift
    rm -f fired
    # A busy machine must not look like a GPU that hangs.
    case $how in
    *:hang) timeout=1 ;;
    *) timeout=none ;;
    esac
    FAKE_CU_FIRED=fired FAKE_CU_FAIL=$how run --gpu-timeout=$timeout "$@" \
        >out 2>err
    status=$?
}

warning='^gpuhist: warning: a device failed, its chunks were counted again: '

for how in cuLaunchKernel:43:719:lost cuLaunchKernel:60:700 \
    cuMemcpyHtoDAsync_v2:20:719:lost cuMemcpyDtoHAsync_v2:21:719:lost \
    cuStreamWaitEvent:15:1:hang cuEventSynchronize:9:719:lost; do
    # shellcheck disable=SC2086 # likewise
    one_fails $how --device=cuda $small in
    is "$(wc -l <fired):$status:$(cat out)" 1:3: "$how: no counts"
    is "$(grep -c "^gpuhist: cuda:0 (Fake GPU 0): ${how%%[_:]*}" err):$(
        wc -l <err
    )" 1:1 "$how: one message"

    # shellcheck disable=SC2086 # likewise
    one_fails $how --gpu-after=0 --device=cuda:0,1 $small in
    is "$(wc -l <fired):$status" 1:0 "$how, two GPUs: exit 0"
    same out small.cpu "$how, two GPUs: exact"
    is "$(grep -c "${warning}cuda:[01] (Fake GPU [01]): ${how%%[_:]*}" err):$(
        wc -l <err
    )" 1:1 "$how, two GPUs: one warning"

    # With few copies and waits.
    how=$(echo "$how" | sed 's/\(cuEventSynchronize\):9/\1:1/')
    # shellcheck disable=SC2002,SC2086 # likewise; it runs in a subshell
    cat in | one_fails $how --gpu-after=0 --device=cuda:0,1 $large
    is "$(wc -l <fired)" 1 "$how, a large table, a pipe: it has fired"
    same out large.cpu "$how, a large table, a pipe: exact"

    # shellcheck disable=SC2002,SC2086 # likewise
    cat in | FAKE_CU_CACHE=0 one_fails $how --gpu-after=0 \
        --device=cuda:0,1 --kmers=7
    same out lists.cpu "$how, lists, a pipe: exact"
done

done_testing
