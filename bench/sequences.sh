#!/bin/sh
# SPDX-License-Identifier: MIT
# sequences.sh -- compare whole processes that count FASTQ
#
# Prints TSV; time_command.c describes the columns.  A cell is a job; in its
# rounds all commands take turns.  After each job, comments say how gpuhist
# compares with the others.  The run fails if gpuhist prints something else with
# one thread than with all.

set -eu

usage()
{
    cat <<'END'
Usage: bench/sequences.sh [OPTION]... [BUILD_DIRECTORY]
Measure gpuhist and other programs that count FASTQ and print a table.  Run
`make bench` in BUILD_DIRECTORY (default: .) first.

  --size=SIZE       of the reads (default: 1G; K M G are powers of 1000)
  --genome=SIZE     bases of the genome that is covered 30 times (default: 5M)
  --jobs=LIST       fields    bases, qualities by position, lengths and GC
                    bgzf      the same of a BGZF file
                    length    lengths alone
                    bytes     of the file, which no sequences are
                    bases     of FASTA: a record of each chromosome
                    fasta     k-mers of 11 bases of these
                    k11 ... k15  k-mers of as many bases, as a spectrum
                    spectrum  of 21 bases, canonical, of the covered genome
                    (default: fields,bgzf,length,k11,k13,spectrum)
  --device=DEVICE   measure gpuhist on it, too, but not for spectrum: cuda, opencl
  --threads=N       for programs that take a number (default: all processors)
  --runs=N          rounds (default: 5)
  --seconds=S       measure a program for S seconds in each job (default: 20),
                    but at least once
  --scratch=DIR     directory of the inputs (default: /dev/shm)
  --gpuhist=PROGRAM measure PROGRAM, not the one in BUILD_DIRECTORY

Others are measured if they are installed: seqtk, seqkit, fastp, falco, kmc,
jellyfish, bgzip.
END
}

# shellcheck source=bench/measuring.sh
. "$(dirname "$0")/measuring.sh"

size=1G
genome=5M
jobs=fields,bgzf,length,k11,k13,spectrum
threads=$(nproc)
runs=5
seconds=20
device=
where=/dev/shm
gpuhist=
build=.
read_options 'size genome jobs threads runs seconds device' "$@"
jobs=$(words "$jobs")
for job in $jobs; do
    case $job in
        fields | bgzf | length | bytes | bases | fasta | k1[1-5] | spectrum) ;;
        *) usage >&2 && exit 2 ;;
    esac
done

open_tools time_command gpuhist-gen
open_scratch sequences
mkdir kmc-tmp

# ---- the machine ----

left_out=
for program in seqtk seqkit fastp falco kmc jellyfish bgzip; do
    has $program || left_out="$left_out $program"
done
cpu=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1)
echo "# CPU: ${cpu:-$(uname -m)}, $(nproc) processors, $threads threads"
echo "# $(uname -sr); $(date -u +%F); inputs in $where"
"$gpuhist" --version | sed -n '1s/^/# /p'
[ -z "$left_out" ] || echo "# left out, not installed:$left_out"

# KMC takes at least 2 GiB, and what there is.
memory=$(awk '/^MemAvailable/ { half = int($2 / 2 / 1048576)
    print (half < 2 ? 2 : half > 64 ? 64 : half) }' /proc/meminfo)

# ---- commands ----

# rival NAME WORD...: as row, if the program is installed.
rival()
{
    rival_name=$1
    shift
    ! has "$1" || row "$rival_name" '' "$@"
}

# ours WORD...: gpuhist with all threads, the limit, and with one; and on the
# device.
ours()
{
    "$gpuhist" "$@" >wanted
    row gpuhist c "$gpuhist" "$@"
    row 'gpuhist -j1' c "$gpuhist" -j1 "$@"
    [ -z "$device" ] || [ "$job" = spectrum ] ||
        row "gpuhist --device=$device" c "$gpuhist" --device="$device" "$@"
}

# shell NAME COMMAND: as rival, for a list of commands of a program.
shell()
{
    ! has "${2%% *}" || row "$1" '' sh -c "$2"
}

# fields FILE: what one pass over the reads counts.
fields()
{
    ours --seq --joint -f base -f position,quality -f length -f gc "$1"
}

# kmers K FILE OPTION...: k-mers; KMC counts canonical ones without -b.
kmers()
{
    k=$1
    file=$2
    shift 2
    ours --kmers="$k" "$@" --spectrum "$file"
    strands=-b
    both=''
    lines=-fq
    [ "$file" != genome.fa ] || lines=-fm
    [ $# -eq 0 ] || { strands=''; both=-C; }
    shell "kmc -t$threads" "kmc -k$k -t$threads -m$memory -ci1 -cs4294967295 \
$strands $lines $file mers kmc-tmp >said && \
kmc_tools transform mers histogram histo -ci1 -cx10000 >said"
    # With 4^K entries or more, Jellyfish takes minutes.
    entries=200M
    [ "$k" -gt 13 ] || entries=32M
    [ "$k" -gt 11 ] || entries=2M
    shell "jellyfish -t $threads" "jellyfish count -m $k -t $threads -s $entries \
$both -o mers.jf $file && jellyfish histo mers.jf >histo"
}

plan()
{
    : >plan
    case $1 in
        fields)
            fields reads.fq
            rival 'seqtk fqchk' seqtk fqchk -q0 reads.fq
            rival "seqkit stats -a -j $threads" seqkit stats -a -j "$threads" \
                reads.fq
            rival "fastp -w $threads" fastp -i reads.fq -A -G -Q -L -w \
                "$((threads < 16 ? threads : 16))" -j fastp.json -h fastp.html
            rival 'falco' falco -q -o . reads.fq
            ;;
        bgzf)
            fields reads.fq.gz
            rival "bgzip -@$threads -dc | seqtk fqchk" bgzip "-@$threads" -dc \
                reads.fq.gz '|' seqtk fqchk -q0 -
            ;;
        length)
            ours --seq -f length reads.fq
            # Old versions do not have it.
            ! seqtk 2>&1 | grep -q '^ *size ' ||
                rival 'seqtk size' seqtk size reads.fq
            rival "seqkit stats -j $threads" seqkit stats -j "$threads" reads.fq
            ;;
        bytes) ours reads.fq ;;
        bases)
            ours --seq -f base genome.fa
            rival 'seqtk comp' seqtk comp genome.fa
            ;;
        fasta) kmers 11 genome.fa ;;
        k1?) kmers "${1#k}" reads.fq ;;
        spectrum) kmers 21 genome.fq --canonical ;;
    esac
}

# ---- jobs ----

# compare: say how the first command compares with the others.
compare()
{
    awk -F '\t' '
        NR == 1 { ms = $6; rate = $12 }
        NR > 1 {
            printf "# %s: gpuhist %.3g GB/s, %.3g times %s\n", $1, rate,
                $6 / ms, $4
        }' timed
}

measure()
{
    case $1 in
        spectrum) input=genome.fq ;;
        bases | fasta) input=genome.fa ;;
        *) input=reads.fq ;;
    esac
    plan "$1"
    # In the background, so that a signal can stop it.  Bytes are those that
    # are decoded.
    "$tools/time_command" -n "$runs" -m 1 -s "$seconds" -e wanted -i "$1" \
        -d "$input" -b "$(wc -c <$input)" <plan >timed 2>failed &
    timing=$!
    wait "$timing" || give_up "failed: $1: $(cat failed)"
    timing=
    cat timed
    compare
}

"$tools/gpuhist-gen" --size="$size" --genome=100M fastq >reads.fq
case " $jobs " in
    *' bases '* | *' fasta '*)
        "$tools/gpuhist-gen" --size="$size" --genome=100M --length=10M fasta \
            >genome.fa
        ;;
esac
case " $jobs " in
    *' spectrum '*)
        "$tools/gpuhist-gen" --genome="$genome" --coverage=30 fastq >genome.fq
        ;;
esac
"$tools/time_command" -H
for job in $jobs; do
    if [ "$job" = bgzf ]; then
        if ! has bgzip; then
            echo '# left out: bgzf, which bgzip makes'
            continue
        fi
        bgzip -@"$threads" -c reads.fq >reads.fq.gz
    fi
    measure "$job"
done
