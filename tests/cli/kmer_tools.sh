# SPDX-License-Identifier: MIT
# kmer_tools.sh -- k-mers, beside Jellyfish and KMC
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

# ---- by hand ----

printf '>a\nacgtACGTNnuURYSWKMBDHV*-.\n' >letters
: >nothing
printf 'AC\t2\nCG\t2\nGT\t2\nTA\t1\n\\invalid\t17\n' >wanted
counts wanted 'U is no T, and no other letter is in a k-mer' \
    gpuhist --kmers=2 letters
tr acgtnu ACGTNU <letters >capitals
counts wanted '... in either case' gpuhist --kmers=2 capitals

# A palindrome is one k-mer each time, and windows end with their read.
printf '>a\nACGT\n>b\nACGT\nACGT\n>c\nACG\n>d\nTTTT\n' >palindromes
printf 'AAAA\t1\nACGT\t3\nCGTA\t1\nGTAC\t1\n' >wanted
printf 'ACGT\t3\nCGTA\t1\nGTAC\t1\nTACG\t1\nTTTT\t1\n' >forward
counts forward 'k-mers' gpuhist --kmers=4 palindromes
sed 's/^CGTA\t1/CGTA\t2/' wanted >canonical
counts canonical '... the lesser of two strands' \
    gpuhist --kmers=4 --canonical palindromes
printf '1\t2\n2\t1\n3\t1\n' >wanted
counts wanted '... how many occur once, twice, ...' \
    gpuhist --kmers=4 --canonical --spectrum palindromes
counts nothing 'k-mers longer than all reads' gpuhist --kmers=9 palindromes

for option in --kmers=0 --kmers=65 --kmers=x --kmers= '--kmers=3 --keep-case' \
    '--kmers=3 --phred=64' '--kmers=4 --joint -f kmer,base' \
    '--kmers=4 -g quality -f kmer' '--seq --canonical' '--seq -f kmer'; do
    # shellcheck disable=SC2086 # several words
    refused 2 "$option" gpuhist $option letters
done

has()
{
    command -v "$1" >command-says
}

gen()
{
    "$GPUHIST_BENCH/gpuhist-gen" "$@"
}

# ---- inputs ----

# Lower case, N, IUPAC, U, empty reads, CR LF, many lines; repeats, from a small
# genome.
gen --genome=3k --coverage=20 --length=1,400 --unknown=0.02 --width=37 \
    --odd=crlf,empty,iupac,lower fasta >odd.fa
{
    # Palindromes, one base, records shorter than K, no base at all, names with
    # bases.
    printf '>ACGT ACGT\nACGTACGT\nGAATTCGAATTC\n\n>\n>a\nA\n>AA\nAA\n'
    printf '>poly\n%0600dN%040d\n' 0 0 | tr 0 A
    printf '>u\nACGUACGTUUUU\n>n\nNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN\n'
    printf '>t\nTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTT\n'
    printf '>at\nATATATATATATATATATATATATATATATATATATATATATATATATATATATATAT'
} >>odd.fa
gen --genome=5k --coverage=30 --length=10,300 --unknown=0.01 --odd=lower \
    fastq >reads.fq
gen --genome=5k --coverage=5 --length=10,300 --width=50 --odd=crlf,empty \
    fastq >lines.fq

# rows FILE: the rows of k-mers.
rows()
{
    grep '^[ACGT]' "$1"
}

# windows K FILE: how many windows of K bases FASTA or FASTQ of one line has.
windows()
{
    tr -d '\r' <"$2" | awk -v k="$1" '
        function end() { if (bases >= k) n += bases - k + 1; bases = 0 }
        /^@r[0-9]+ / { is_fastq = 1 }
        is_fastq { if (NR % 4 == 2) { bases = length; end() } next }
        /^>/ { end(); next }
        { bases += length }
        END { end(); print n + 0 }'
}

# tests/cli/kmers.sh has more of them, beside awk.
fasta='1 13 32 33 64'
fastq='5 21 47 63'
! expensive || {
    fasta='1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 20 21 24 25 27 28 29 30 31
        32 33 34 40 47 48 49 55 62 63 64'
    fastq=$fasta
}

# jellyfish_counts K FILE OPTION...: the files "wanted" and "wanted-histo".
jellyfish_counts()
{
    count_k=$1
    count_file=$2
    shift 2
    jellyfish count -m "$count_k" -s 1M -t 1 -o mers.jf "$@" "$count_file" &&
        jellyfish dump -c -t mers.jf | sort >wanted &&
        jellyfish histo -h 1000000 mers.jf >wanted-histo
}

# kmc_counts K FILE OPTION...: the file "wanted".
kmc_counts()
{
    count_k=$1
    count_file=$2
    shift 2
    case $count_file in
        *.fa) set -- "$@" -fm ;;
        *) set -- "$@" -fq ;;
    esac
    mkdir -p kmc-tmp
    kmc -k"$count_k" -m2 -t1 -ci1 -cs4294967295 "$@" "$count_file" mers \
        kmc-tmp >kmc-says 2>&1 &&
        kmc_tools transform mers dump -s wanted >kmc-says 2>&1
}

# within TOOL FILE K OPTION...: the k-mers that occur 2 to 5 times, as TOOL
# leaves out the others.
within()
{
    within_name="$1: -ci and -cx, or -L and -U, of $3 bases"
    case $1 in
        jellyfish)
            jellyfish dump -c -t -L 2 -U 5 mers.jf | sort >wanted ;;
        *)
            # KMC 3.2 with -cx leaves out a k-mer of 32 bases too much.
            kmc_tools transform mers -ci2 -cx5 dump -s wanted >kmc-says 2>&1
            ;;
    esac
    ok $? "$within_name: it ends" || return
    shift
    within_file=$1 within_k=$2
    shift 2
    gpuhist "--kmers=$within_k" "$@" --min-count=2 --max-count=5 --no-other \
        "$within_file" >out 2>err
    rows out >got
    same got wanted "$within_name"
}

# beside TOOL FILE K...: the same k-mers as TOOL.
beside()
{
    beside_tool=$1
    beside_file=$2
    shift 2
    for k; do
        for kind in '' --canonical; do
            name="$beside_file, $k bases${kind:+, $kind}, beside $beside_tool"
            case $beside_tool$kind in
                jellyfish) jellyfish_counts "$k" "$beside_file" ;;
                jellyfish*) jellyfish_counts "$k" "$beside_file" -C ;;
                kmc) kmc_counts "$k" "$beside_file" -b ;;
                *) kmc_counts "$k" "$beside_file" ;;
            esac
            ok $? "$name: it ends" || continue
            gpuhist "--kmers=$k" $kind "$beside_file" >out
            is $? 0 "$name: status"
            rows out >got
            same got wanted "$name"
            [ "$beside_tool" = jellyfish ] || {
                within kmc "$beside_file" "$k" $kind
                continue
            }
            is "$(awk '{ n += $NF } END { print n + 0 }' out)" \
                "$(windows "$k" "$beside_file")" '... all windows are counted'
            gpuhist "--kmers=$k" $kind --spectrum "$beside_file" |
                grep '^[0-9]' | tr '\t' ' ' >got
            same got wanted-histo '... the spectrum'
            within jellyfish "$beside_file" "$k" $kind
        done
    done
}

# shellcheck disable=SC2086 # several words
if has jellyfish; then
    beside jellyfish odd.fa $fasta
    beside jellyfish reads.fq $fastq
else
    skip 'Jellyfish' 'not installed'
fi
# shellcheck disable=SC2086 # several words
if has kmc && has kmc_tools; then
    # It takes a second for each.
    expensive || { fasta='14 64' && fastq='32 47'; }
    beside kmc odd.fa $fasta
    beside kmc reads.fq $fastq
else
    skip 'KMC' 'not installed'
fi

# ---- bases of a low quality ----

# Jellyfish has the byte of the quality: '5' is 20.
if has jellyfish; then
    for k in 5 21 40; do
        jellyfish_counts $k reads.fq -C -Q 5
        ok $? "K = $k, bases of a low quality: Jellyfish ends" || continue
        gpuhist --kmers=$k --canonical --min-quality=20 reads.fq >out
        rows out >got
        same got wanted '... the same k-mers'
        is "$(awk '{ n += $NF } END { print n + 0 }' out)" \
            "$(windows $k reads.fq)" '... all windows are counted'
    done
else
    skip 'Jellyfish, bases of a low quality' 'not installed'
fi
gpuhist --kmers=5 odd.fa >wanted
counts wanted 'FASTA has no qualities' gpuhist --kmers=5 --min-quality=90 odd.fa
gpuhist --kmers=5 reads.fq >wanted
counts wanted 'no base has a quality below 0' \
    gpuhist --kmers=5 --min-quality=0 reads.fq
gpuhist -j1 --kmers=11 --min-quality=30 reads.fq >wanted
for part in 1 2; do
    gpuhist -q --kmers=11 --min-quality=30 --chunk-size=4096 -j3 \
        --shard=$part/2 --state=state-$part reads.fq >nothing
done
gpuhist -q --merge state-1 state-2 >got
same got wanted 'the states of two shards'
gpuhist --kmers=11 --min-quality=29 --state=state-1 reads.fq >nothing
refused 1 'states of two least qualities' gpuhist --merge state-1 state-2
for option in --min-quality=94 --min-quality=-1 --min-quality=x \
    '--min-quality=3 -f length' '--min-quality=3 -f quality,position'; do
    # shellcheck disable=SC2086 # several words
    refused 2 "$option" gpuhist --seq $option reads.fq
done
refused 2 '--min-quality of lines' gpuhist --lines --min-quality=3 reads.fq

# Neither reads FASTQ of several lines as it is.
tr -d '\r' <lines.fq | awk '
    state == 2 { quality += length; if (quality >= bases) state = 0; next }
    state == 1 && /^[+]/ { state = 2; quality = 0; print ""; next }
    state == 1 { bases += length; printf "%s", $0; next }
    { state = 1; bases = 0; print ">" substr($0, 2) }' >lines.fa
for k in 3 11 21; do
    gpuhist --kmers=$k --canonical lines.fa >wanted
    counts wanted "FASTQ of several lines, $k bases" \
        gpuhist --kmers=$k --canonical lines.fq
    rows wanted | awk '{ n[$2]++ } END { for (i in n) print i "\t" n[i] }' |
        sort -n >spectrum
    counts spectrum '... the spectrum' \
        gpuhist --kmers=$k --canonical --spectrum lines.fq
done

done_testing
