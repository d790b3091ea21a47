# SPDX-License-Identifier: MIT
# fastqc.sh -- --format=fastqc beside FastQC, and read by MultiQC
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

if command -v python3 >/dev/null; then
    checks fastqc_oracle.py \
        python3 -B "$srcdir/tests/cli/fastqc_oracle.py" "$GPUHIST"
    python3 -B "$srcdir/tests/cli/fastqc_oracle.py" --write .
else
    skip 'FastQC' 'no python3'
    printf '@r\nGATTACA\n+\nIIII!!~\n@s\nA\n+\n#\n' >illumina.fq
fi

# ---- the same of any threads, chunks, shards and states ----

gpuhist --seq --format=fastqc illumina.fq >wanted
for options in '--threads=1' '--threads=3 --chunk-size=4096' \
    '--memory-limit=40M'; do
    # shellcheck disable=SC2086
    counts wanted "$options" gpuhist --seq --format=fastqc $options illumina.fq
done
sed 's/^Filename.*/Filename	stdin/' wanted >renamed
counts renamed 'standard input' gpuhist --seq --format=fastqc <illumina.fq
for i in 1 2 3; do
    gpuhist --seq --format=fastqc --shard=$i/3 --state=s$i illumina.fq >out
done
sed 's/^Filename.*/Filename	s1 and 2 more/' wanted >renamed
counts renamed 'shards' gpuhist --merge --format=fastqc s1 s2 s3
gpuhist --seq --format=fqchk --state=other illumina.fq >out
refused 1 'a state of another format' gpuhist -m --format=fastqc other
refused 1 '... and the reverse' gpuhist -m --format=fqchk s1

# ---- duplicates ----

# More different reads than FastQC looks at, in a file larger than the memory;
# reads 1, 2 and 3 of a hundred occur 5, 2 and 2 times.
awk 'BEGIN { for (n = 0; n < 130000; n++) {
        for (i = n % 100 == 1 ? 5 : n % 100 < 4 && n % 100 > 1 ? 2 : 1; i > 0; i--) {
            bases = ""
            for (k = n; length(bases) < 50; k = int(k / 4))
                bases = bases substr("ACGT", k % 4 + 1, 1)
            print ">" n; print bases (i % 2 ? "A" : "CC") } } }' >many.fa
for options in '' '--memory-limit=20M --threads=2'; do
    # shellcheck disable=SC2086
    gpuhist --seq --format=fastqc $options many.fa >got
    sed -n '/^>>Sequence Dup/,/^>>Over/p' got | sed -n '2p;4,5p;8p' >lines
    # 130000 of 137800, of which 126100, 2 * 2600 and 5 * 1300 ...
    awk 'BEGIN { printf "#Total Deduplicated Percentage\t%.10f\n", 130000 / 1378
        printf "1\t%.10f\n2\t%.10f\n5\t%.10f\n", 126100 / 1378, 5200 / 1378,
            6500 / 1378 }' >levels
    awk -F'\t' '{ printf "%s\t%.10f\n", $1, $2 }' lines >got
    same got levels "duplicates among all reads $options"
done

# ---- tiles ----

if [ -e tiles.fq ]; then
    gpuhist --seq --format=fastqc tiles.fq >levels
    for options in '--threads=3 --chunk-size=4096' '--memory-limit=24M --threads=1'; do
        # shellcheck disable=SC2086
        counts levels "tiles $options" gpuhist --seq --format=fastqc $options tiles.fq
    done
    sed 's/^Filename.*/Filename	s1 and 1 more/' levels >renamed
    for i in 1 2; do
        gpuhist --seq --format=fastqc --shard=$i/2 --state=s$i tiles.fq >out
    done
    counts renamed 'tiles of shards' gpuhist --merge --format=fastqc s1 s2
fi

# ---- odd input ----

awk '{ print $0 "\r" }' illumina.fq >crlf.fq
sed 's/^Filename.*/Filename	crlf.fq/' wanted >renamed
counts renamed 'carriage returns' gpuhist --seq --format=fastqc crlf.fq
sed -n 's/^@/>/p; n; p; n; n' illumina.fq >reads.fa
gpuhist --seq --format=fastqc reads.fa | grep '^>>' >got
! grep -q quality got
ok $? 'FASTA has no modules of quality'
for option in -flength -gname --joint --kmers=3 --keep-case -b5 --log; do
    refused 2 "$option" gpuhist --seq --format=fastqc $option illumina.fq
done
says 2 '--format=fastqc finds the byte of quality 0 as FastQC does: leave out --phred' \
    'the byte of quality 0' gpuhist --seq --format=fastqc --phred=64 illumina.fq
says 2 '--format=fastqc needs --seq' 'samples' \
    gpuhist --format=fastqc illumina.fq
says 2 '--top does not apply to --format=fastqc' '--top' \
    gpuhist --seq --format=fastqc --top=3 illumina.fq
refused 2 'conditions on bases' \
    gpuhist --seq --format=fastqc --where='position<5' illumina.fq

# ---- the field fastqc-gc ----

awk 'BEGIN { for (n = 1; n < 3000; n += 37) {
        bases = ""
        for (i = 0; i < n; i++)
            bases = bases substr("ACGTgcNn", i * n % 8 + 1, 1)
        print ">" n; print bases } }' >lengths.fa
awk '!/^>/ { n = length($0)
    n -= n > 1000 ? n % 1000 : n > 100 ? n % 100 : 0
    first = substr($0, 1, n)
    print length($0) "\t" gsub(/[CGcg]/, "", first) "\t1" }' lengths.fa | sort -n >wanted
counts wanted 'fastqc-gc' gpuhist --seq --joint -f length,fastqc-gc lengths.fa

printf '>a\nACGT\n' >plain.fa
is "$(gpuhist --seq --format=fastqc plain.fa | sed -n 's/^Encoding.//p')" none 'FASTA has no encoding'

# ---- MultiQC ----

if command -v multiqc >/dev/null; then
    mkdir -p sample
    gpuhist --seq --format=fastqc illumina.fq >sample/fastqc_data.txt
    multiqc --quiet --outdir read sample >says 2>&1 && ! grep -i error says
    ok $? 'MultiQC reads the report'
    cut -f 1,5 read/multiqc_data/multiqc_fastqc.txt >got
    printf 'Sample\tTotal Sequences\nillumina\t%s.0\n' \
        "$(awk 'END { print NR / 4 }' illumina.fq)" >wanted
    same got wanted '... and finds the reads'
    if [ -e tiles.fq ]; then
        mkdir -p ours theirs
        gpuhist --seq --format=fastqc tiles.fq >ours/fastqc_data.txt
        cp "$srcdir/tests/cli/fastqc/tiles.txt" theirs/fastqc_data.txt
        for i in ours theirs; do
            multiqc --quiet --outdir "$i/read" "$i" >says 2>&1
        done
        same ours/read/multiqc_data/multiqc_fastqc.txt \
            theirs/read/multiqc_data/multiqc_fastqc.txt \
            '... with the verdicts of all modules, as of FastQC'
    fi
else
    skip 'MultiQC' 'not installed'
fi
done_testing
