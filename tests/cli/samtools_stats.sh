# SPDX-License-Identifier: MIT
# samtools_stats.sh -- --format=samtools-stats beside samtools, read by MultiQC
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

t=$(printf '\t')
cat >some.sam <<END
@SQ${t}SN:chr1${t}LN:99
a${t}99${t}chr1${t}1${t}60${t}2H3M1I2M${t}=${t}9${t}14${t}AACGNT${t}IIII#!${t}NM:i:1
a${t}147${t}chr1${t}9${t}0${t}4M2D2M${t}=${t}1${t}-14${t}ACGTRA${t}*${t}NM:i:2
b${t}0${t}chr1${t}5${t}9${t}1D4M3S${t}*${t}0${t}0${t}GGGGGGG${t}IIIIIII
b${t}2064${t}chr1${t}7${t}9${t}2M${t}*${t}0${t}0${t}GG${t}II${t}NM:i:7
c${t}4${t}*${t}0${t}0${t}*${t}*${t}0${t}0${t}*${t}*
d${t}256${t}chr1${t}1${t}9${t}2M${t}*${t}0${t}0${t}*${t}*
END

# ---- by hand ----

gpuhist --seq --format=samtools-stats some.sam >got
for line in "sequences:${t}3" "is sorted:${t}0" "1st fragments:${t}2" "last fragments:${t}1" \
    "reads mapped and paired:${t}2" "non-primary alignments:${t}1" "supplementary alignments:${t}1" \
    "total length:${t}19" "bases mapped (cigar):${t}18" "mismatches:${t}10" "reads MQ0:${t}1" \
    "maximum first fragment length:${t}8" "insert size average:${t}14.0" \
    "inward oriented pairs:${t}1"; do
    grep -q "^SN${t}$line" got
    ok $? "$line"
done
is "$(head -n 1 got | grep -c 'by gpuhist [0-9]')" 1 'the first line says who wrote it'
printf 'ID\t1\t1\t0\nID\t2\t0\t1\n' >wanted
sed -n '/^ID/p' got >lines
same lines wanted 'a deletion before the first base is none'
printf 'MAPQ\t0\t1\nMAPQ\t9\t1\nMAPQ\t60\t1\n' >wanted
sed -n '/^MAPQ/p' got >lines
same lines wanted 'mapping qualities of mapped reads with bases'
printf 'IC\t2\t0\t0\t0\t1\nIC\t4\t1\t0\t0\t0\n' >wanted
sed -n '/^IC/p' got >lines
same lines wanted 'indels by cycle'

# ---- by hand: what has other rules since samtools 1.17, 1.18 and 1.22 ----

# Pairs at one place, of which either read is first; one at two places.
cat >new.sam <<END
@SQ${t}SN:chr1${t}LN:99
a${t}99${t}chr1${t}5${t}60${t}4M${t}=${t}5${t}4${t}ACGT${t}IIII
a${t}147${t}chr1${t}5${t}60${t}5M${t}=${t}5${t}-4${t}ACGTA${t}IIII#
b${t}83${t}chr1${t}5${t}30${t}5M${t}=${t}5${t}4${t}ACGTA${t}*
b${t}163${t}chr1${t}5${t}30${t}4M${t}=${t}5${t}-4${t}ACGT${t}#III
c${t}1171${t}chr1${t}5${t}7${t}5M${t}=${t}6${t}4${t}ACGTA${t}IIIII
c${t}611${t}chr1${t}6${t}8${t}5M${t}=${t}5${t}-4${t}ACGTA${t}IIIII
END
gpuhist --seq --format=samtools-stats new.sam >got
for line in "average length:${t}5\$" "inward oriented pairs:${t}2\$" \
    "outward oriented pairs:${t}1\$" "is sorted:${t}1${t}# sorted by coordinate\$"; do
    grep -q "^SN${t}$line" got
    ok $? "$line"
done
printf 'MAPQ\t30\t2\nMAPQ\t60\t2\n' >wanted
sed -n '/^MAPQ/p' got >lines
same lines wanted 'neither duplicates nor reads that failed'
# By zlib: the CRC-32 of the six reads' bytes in BAM, added up.
is "$(sed -n 's/^CHK.*\t//p' got)" b3cb37af 'the checksum of all qualities'
cat new.sam some.sam | sed '2,$ { /^@/d }' >both.sam
gpuhist --seq --format=samtools-stats both.sam >got
is "$(sed -n 's/^SN.is sorted:.//p' got)" "0${t}# not sorted by coordinate" 'not sorted'

# ---- the fields ----

every='--seq --all-alignments'
field() {
    # shellcheck disable=SC2086
    gpuhist $every -f "$1" some.sam | tr '\t\n' ' ;'
}
is "$(field has-bases)" '0 2;1 4;' 'has-bases'
is "$(field full-length)" '0 2;2 1;6 1;7 1;8 1;' 'full-length'
is "$(field edit-distance)" '1 1;2 1;7 1;\N 3;' 'edit-distance'
is "$(field orientation)" 'inward 2;\N 4;' 'orientation'
is "$(field insert-size)" '14 2;\N 4;' 'insert-size'
is "$(field out-of-order)" '0 5;1 1;' 'out-of-order'
is "$(field cigar-cycle)" '0 10;2 1;4 1;' 'cigar-cycle'
# shellcheck disable=SC2086
is "$(gpuhist $every -f cigar-ops --where='cigar-cycle>2' some.sam)" "I${t}1" '... as a condition'
# shellcheck disable=SC2086
is "$(gpuhist $every -f name --where='!has-bases' some.sam | tr '\t\n' ' ;')" 'c 1;d 1;' 'a flag'

# ---- refused ----

printf '@r\nACGT\n+\nIIII\n' >r.fq
says 1 '--format=samtools-stats is of BAM and SAM; reads of FASTA and FASTQ have no flag, 1 in all' \
    'reads of FASTQ' gpuhist --seq --format=samtools-stats r.fq
sed 's/NM:i:7/NM:i:x/' some.sam >wrong.sam
says 1 "wrong.sam: bad SAM at byte 158: record 4 has the edit distance 'x' (NM)" 'a wrong NM' \
    gpuhist --seq --format=samtools-stats wrong.sam
sed 's/	=	9	14/	=	x	14/' some.sam >wrong.sam
says 1 "wrong.sam: bad SAM at byte 18: record 1 has the position of the mate 'x'" 'a wrong place' \
    gpuhist --seq --format=samtools-stats wrong.sam
refused 2 'fields of its own' gpuhist --seq --format=samtools-stats -f flag some.sam
gpuhist --seq --format=flagstat --state=other some.sam >out
refused 1 'a state of another format' gpuhist -m --format=samtools-stats other
gpuhist --seq --format=samtools-stats --state=with some.sam >got
# edited OLD NEW: the state `with` where OLD is NEW, with the hashes of that.
edited()
{
    python3 - "$@" <<'END'
import re
import sys

import xxhash

old, new = (text.encode() for text in sys.argv[1:])
state = open("with", "rb").read()
assert old in state
state = state.replace(old, new)
for found in re.finditer(rb"\thash=([0-9a-f]{16})$", state, re.M):
    hashed = b"%016x" % xxhash.xxh3_64_intdigest(state[:found.start()])
    state = state[:found.start(1)] + hashed + state[found.end(1):]
sys.stdout.buffer.write(state)
END
}

if python3 -c 'import xxhash' 2>python3-says; then
    edited --format=samtools-stats --nonzero >without
    gpuhist -m --format=samtools-stats without 2>says
    is "$(cut -c1-73 says)" \
        'gpuhist: without: --format=samtools-stats is for states of --joint --fiel' \
        'a state without checksums'
    edited checksums=2 checksums=1 >before
    says 1 "before: line 1 of 'spec' is not what its options mean in this version" \
        'a state of other rules' gpuhist -m --format=samtools-stats before
else
    skip 'edited states' 'no python3 with xxhash'
fi
counts got '... with them' gpuhist -m --format=samtools-stats with
gpuhist --seq --format=samtools-stats some.sam some.sam >twice
counts twice '... twice' gpuhist -m \
    --duplicates=allow --format=samtools-stats with with

# ---- samtools ----

if command -v samtools >samtools-is && command -v python3 >python3-is; then
    case $(samtools --version | head -n 1) in
        samtools\ 1.1[6-9]* | samtools\ 1.[2-9][0-9]*)
            tell_length
            checks samtools_stats_oracle.py \
                python3 -B "$srcdir/tests/cli/samtools_stats_oracle.py" "$GPUHIST"
            ;;
        *) skip 'samtools stats' 'an older version than 1.16' ;;
    esac
else
    skip 'samtools stats' 'no samtools or python3'
fi

# ---- plot-bamstats ----

# merge FILE: FILE and itself merged by plot-bamstats, which needs no gnuplot.
merge()
{
    plot-bamstats -m "$1" "$1" 2>says | sed '/^# The command line/d'
}

if command -v plot-bamstats >plot-is && [ -e a.stats ]; then
    gpuhist --seq --format=samtools-stats a.bam >got
    merge got >merged
    is "$(grep -c '^SN' merged)" 39 'plot-bamstats reads it'
    sed '/^COV/d; /^GCD/d' a.stats >their.stats
    merge their.stats >wanted
    same merged wanted '... and finds the same'
else
    skip 'plot-bamstats' 'not installed'
fi

# ---- MultiQC ----

if command -v multiqc >multiqc-is && [ -e a.stats ]; then
    mkdir -p ours theirs
    gpuhist --seq --format=samtools-stats a.bam >ours/a.stats
    mv a.stats theirs
    for i in ours theirs; do
        multiqc --quiet --outdir "$i/read" "$i" >says 2>&1 && ! grep -i error says
        ok $? "MultiQC reads $i"
    done
    same ours/read/multiqc_data/multiqc_samtools_stats.txt \
        theirs/read/multiqc_data/multiqc_samtools_stats.txt '... and finds the same'
else
    skip 'MultiQC' 'not installed'
fi
done_testing
