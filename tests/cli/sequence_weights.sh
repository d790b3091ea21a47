# SPDX-License-Identifier: MIT
# sequence_weights.sh -- --weights of sequences beside sums in awk
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

"$GPUHIST_BENCH/gpuhist-gen" --genome=20k --coverage=10 --length=1,700 \
    --unknown=0.02 fastq >reads.fq

# A line for each base: the fields of its read, and its own.
awk -v OFS='\t' '
    BEGIN {
        for (i = 33; i < 127; i++)
            code[sprintf("%c", i)] = i - 33
    }
    NR % 4 == 1 { name = substr($1, 2) }
    NR % 4 == 2 { bases = $0 }
    NR % 4 == 0 {
        for (i = 1; i <= length(bases); i++)
            print name, length(bases), substr(bases, i, 1),
                code[substr($0, i, 1)], i
    }' reads.fq >bases

# The columns of a field, of one that is a weight, and its name.
sums()
{
    awk -v field="$1" -v weight="$2" -v of_reads="$3" -F '\t' -v OFS='\t' '
        !of_reads || $5 == 1 { sum[$field] += $weight }
        END { for (key in sum) print key, sprintf("%.0f", sum[key]) }' bases |
        sort
}

agree()
{
    field=$1
    weight=$2
    wanted=$3
    for plan in '--threads=1' '--threads=4 --chunk-size=4096' '--every=1ms -o out'
    do
        # shellcheck disable=SC2086 # options
        gpuhist --seq -f "$field" --weights="$weight" $plan reads.fq >got
        case $plan in
        *-o*) mv out got ;;
        esac
        sort got >sorted
        same sorted "$wanted" "$field by $weight, $plan"
    done
    for shard in 1 2 3; do
        gpuhist --seq -f "$field" --weights="$weight" --shard=$shard/3 \
            --state=state$shard reads.fq >out
    done
    gpuhist -m state1 state2 state3 | sort >sorted
    same sorted "$wanted" "$field by $weight, shards"
}

sums 2 2 1 >by_length
agree length length by_length
sums 1 2 1 >by_name
agree name length by_name
sums 3 2 '' >by_base
agree base length by_base
sums 3 4 '' >by_quality
agree base quality by_quality
sums 4 5 '' >by_position
agree quality position by_position

# Bins, groups and tuples.
awk -F '\t' '$5 == 1 && $2 < 800 { sum[int($2 / 100)] += $2 }
    END {
        for (b = 0; b < 8; b++)
            print b * 100 "\t" b * 100 + 100 "\t" sum[b] + 0
    }' bases >wanted
counts wanted 'bins' gpuhist --seq -f length -b8 --range=0,800 \
    --weights=length --flow=hide reads.fq
awk -F '\t' -v OFS='\t' '{ sum[$3 OFS $4] += $2 }
    END { for (key in sum) print key, sum[key] }' bases | sort >wanted
gpuhist --seq -g base -f quality --weights=length reads.fq | sort >got
same got wanted 'groups'
awk -F '\t' -v OFS='\t' '$2 > 500 { sum[$3] += $4 }
    END { for (key in sum) print key, sum[key] }' bases | sort >wanted
counts wanted 'a condition' gpuhist --seq -f base --weights=quality \
    --where='length>500' reads.fq
# The sum of a FASTA record in pieces, and of one with its length.
awk 'BEGIN {
    print ">long"
    for (i = 0; i < 30000; i++)
        print "ACGTACGTAC"
}' >long.fa
printf 'A\t27000000000\nC\t27000000000\nG\t18000000000\nT\t18000000000\n' >wanted
counts wanted 'a long record' gpuhist --seq -f base --weights=length \
    --chunk-size=4096 long.fa
printf '0.5\t300000\n' >wanted
counts wanted 'GC of a long record' gpuhist --seq -f gc --weights=length long.fa
printf '>a\nAC\n' >short.fa
printf 'A\t0\nC\t0\n' >wanted
gpuhist --seq -f base --weights=quality short.fa >got 2>err
same got wanted 'no qualities'
echo 'gpuhist: warning: 2 elements have no weight' >wanted
same err wanted 'a warning'

# ---- what is no weight ----

for field in gc name mean-quality length,quality kmer; do
    says 2 "--weights=$field: of sequences, only one field of whole numbers is a weight, such as length or quality" \
        "$field" gpuhist --seq -f length --weights=$field reads.fq
done
says 2 '--weights: quality is of bases, and length is of reads' 'a finer unit' \
    gpuhist --seq -f length --weights=quality reads.fq
for option in --kmers=3 --format=fqchk --format=seqkit --spectrum \
    --columns=mean; do
    refused 2 "$option" gpuhist --seq --weights=length $option reads.fq
done
done_testing
