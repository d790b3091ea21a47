# SPDX-License-Identifier: MIT
# sequences.sh -- an OpenCL device and the CPU print the same of sequences
#
# All of it, and as devices of other kinds, by `make check-opencl`.
# shellcheck shell=sh disable=SC2154

is_whole=${GPUHIST_TEST_DEVICE:+yes}
GPUHIST_TEST_DEVICE=${GPUHIST_TEST_DEVICE:-opencl}
device=$GPUHIST_TEST_DEVICE

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"
# shellcheck source=tests/opencl/platform.sh
. "$srcdir/tests/opencl/platform.sh"

LC_ALL=C awk -v reads=300 -f "$srcdir/tests/reads.awk" >plain.fq
LC_ALL=C awk -v reads=500 -v odd=9 -f "$srcdir/tests/reads.awk" >odd.fq
awk 'BEGIN { for (i = 0; i < 300; i++)
    printf "@a\n%0150d\n+\n%0150d\n", 0, 0 }' | sed '2~4y/0/A/' >same.fq
: >empty.fq
head -c -1 plain.fq >no-end.fq
bgzip -c plain.fq >plain.fq.gz 2>/dev/null || cp plain.fq plain.fq.gz

# equal WORDS OPTION...: adds to "bad" if the device prints something else than
# the CPU.  "by_device" are the bytes that the device has counted.
equal()
{
    words=$1
    shift
    "$GPUHIST" --device=cpu "$@" >cpu 2>cpu.err
    cpu_status=$?
    through "$words" "$GPUHIST" --device="$device" --explain "$@" \
        >gpu 2>gpu.err
    status=$?
    grep -v '^gpuhist: explain: ' gpu.err >err
    by_device=$(sed -n 's/.*opencl:0.* counted \([0-9]*\) bytes.*/\1/p' gpu.err)
    [ $status = $cpu_status ] && cmp -s cpu gpu && cmp -s cpu.err err ||
        bad="$bad
$*: exit $status: $(cat err)"
}

# All that a device counts.
options='--seq --keep-case -f base -f gc
--seq -f position -f length -f quality --phred=64
--seq --joint -f position,base -f position,quality
--seq -g base -f position -b10 --range=1,300
--seq --format=fqchk
--kmers=3 --canonical
--kmers=7 -f kmer -f length --full
--kmers=11 --canonical'
many='--seq
--seq --spectrum
--seq --joint -f base,quality -f gc,length
--seq -f gc -b20 --range=0,1
--kmers=1
--kmers=10 --spectrum
--kmers=4 --top=9
--seq --joint -f position,quality,base --nonzero
--kmers=2
--kmers=5
--kmers=6 --canonical
--kmers=8
--kmers=9
--kmers=11
--kmers=12 --canonical
--kmers=13
--kmers=12 -j1'
all=as-it-is
if [ -n "$is_whole" ]; then
    options="$options
$many"
    all='as-it-is discrete gpu,discrete,noatomics64'
fi
for words in $all; do
    bad=
    left=
    while read -r line; do
        # shellcheck disable=SC2086 # they are options
        [ -z "$is_whole" ] || equal "$words" $line plain.fq
        [ -z "$is_whole" ] || [ "$by_device" = "$(stat -c %s plain.fq)" ] ||
            left="$left $line"
        # shellcheck disable=SC2086 # likewise
        equal "$words" $line --chunk-size=4096 odd.fq
        [ -n "$by_device" ] && [ "$by_device" -gt 0 ] &&
            [ "$by_device" -lt "$(stat -c %s odd.fq)" ] || left="$left $line"
    done <<EOT
$options
EOT
    is "$bad" '' "$words: the device prints what the CPU does"
    is "$left" '' "$words: it counts all that it can, and no other chunks"
done

# FASTA, in pieces of records; records of FASTQ are for the CPU.
LC_ALL=C awk -v bases=30000 -f "$srcdir/tests/contigs.awk" >contigs.fa
LC_ALL=C awk -v bases=30000 -v odd=1 -f "$srcdir/tests/contigs.awk" >odd.fa
options='--seq --keep-case
--kmers=7 --canonical'
many='--seq
--kmers=1
--kmers=3 --canonical
--kmers=11 --spectrum
--kmers=12
--kmers=13'
[ -z "$is_whole" ] || options="$options
$many"
for words in $all; do
    bad=
    while read -r line; do
        # shellcheck disable=SC2086 # they are options
        equal "$words" $line --chunk-size=4096 contigs.fa
        [ "$by_device" = "$(stat -c %s contigs.fa)" ] ||
            bad="$bad $line: $by_device"
        # shellcheck disable=SC2086 # likewise
        equal "$words" $line --chunk-size=65536 odd.fa
        [ "$by_device" -lt "$(stat -c %s odd.fa)" ] || bad="$bad $line: odd"
    done <<EOT
$options
EOT
    is "$bad" '' "$words: the device counts FASTA as the CPU does"
done

# K-mers wait in lists on a GPU without a cache.  Those of 6 bases are drained
# several times.
bad=
[ -z "$is_whole" ] || while read -r words line; do
    # shellcheck disable=SC2086 # they are options
    equal "$words" --chunk-size=4096 $line
    grep -q '(sequence_fields, sequence_lists)' gpu.err || bad="$bad $line"
done <<'EOT'
gpu,discrete,uncached --kmers=6 --canonical odd.fq
gpu,uncached --kmers=6 odd.fq
gpu,discrete,uncached,noatomics64 --kmers=7 odd.fq
gpu,discrete,uncached --kmers=6 --per-file odd.fq plain.fq odd.fq
gpu,discrete,uncached --kmers=10 -f kmer -f base odd.fq same.fq
gpu,discrete --kmers=12 --spectrum odd.fq
gpu,discrete --kmers=13 --canonical --top=99 odd.fq same.fq
EOT
is "$bad" '' 'lists of k-mers'

# Chunks of all sizes, and inputs of all kinds.
bad=
for file in same.fq empty.fq no-end.fq plain.fq.gz; do
    equal as-it-is --seq "$file"
done
[ "$by_device" = "$(stat -c %s plain.fq)" ] || bad="$bad $by_device"
for size in 100 700 65536; do
    equal as-it-is --seq --joint -f base,quality --chunk-size=$size odd.fq
done
equal as-it-is --kmers=3 plain.fq odd.fq same.fq plain.fq.gz
equal as-it-is --seq --per-file --chunk-size=4096 -f base plain.fq odd.fq same.fq
equal as-it-is --kmers=8 --per-file --chunk-size=4096 odd.fq plain.fq odd.fq
"$GPUHIST" --device=cpu --seq -f length odd.fq plain.fq >cpu
cat odd.fq plain.fq |
    through as-it-is "$GPUHIST" --device="$device" --seq -f length >gpu
cmp -s cpu gpu || bad="$bad pipe"
is "$bad" '' 'any chunks, any inputs'

# A record that is wrong is one for the CPU, which says where it is.
{
    cat plain.fq
    printf '@short\nACGT\n+\nII\n'
} >wrong.fq
bad=
equal as-it-is --seq wrong.fq
is "$bad:$status" :1 'a wrong record: the message of the CPU'

# A platform twice: two devices.
second=$(($(through twice "$GPUHIST" --list-devices | grep -c '^opencl:') / 2))
"$GPUHIST" --device=cpu --kmers=5 odd.fq plain.fq >cpu
through twice "$GPUHIST" --device=opencl:0,$second --kmers=5 \
    --chunk-size=4096 odd.fq plain.fq >gpu
same cpu gpu 'two devices'

# What devices cannot count.
while read -r options; do
    # shellcheck disable=SC2086 # they are options
    "$GPUHIST" --device="$device" ${options%%: *} plain.fq >out 2>err
    is "$?:$(cat out err)" "3:gpuhist: opencl: ${options#*: }" "$options"
done <<'EOT'
--seq -f name: this is counted by the CPU only: name
--seq -g name -f base: this is counted by the CPU only: base
--kmers=3 -f kmer -g length: k-mers beside other fields are counted by the CPU only
--kmers=14: k-mers of more than 13 bases are counted by the CPU only
--seq --every=1M -o out: with --every, sequences are counted by the CPU only
EOT
"$GPUHIST" --device="$device" --strategy=global --seq plain.fq >out 2>err
is "$?:$(wc -c <out):$(grep -c 'sequences have no strategies$' err)" 3:0:1 \
    'sequences have no strategies'

# A device that loses count, and says nothing.
# The first copy is that of a status.
FAKE_CL_LOSE=2 through discrete "$GPUHIST" --device="$device" -f length --seq \
    plain.fq >out 2>err
is "$?:$(wc -c <out):$(grep -c ': the counts do not add up$' err)" 3:0:1 \
    'a device that loses count'

done_testing
