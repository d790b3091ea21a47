# SPDX-License-Identifier: MIT
# sequence_pieces.sh -- records of FASTA that are longer than chunks
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

# make_genome BASES: one record, whose lines are of several lengths, with N, lower
# case, blanks and CR LF; one without a base, and one with two and no end.
make_genome()
{
    awk -v bases="$1" '
        function below(n)
        {
            seed = (seed * 1103515245 + 12345) % 2147483648
            return int(seed / 65536) % n
        }
        BEGIN {
            printf ">chr1 a genome\r\n"
            for (i = 0; i < bases; i += n) {
                n = 1 + below(60)
                for (j = 0; j < n; j++)
                    printf "%s", substr("ACGTACGTACGTacgtACGTNAC", \
                                        1 + below(23), 1)
                printf n % 7 == 0 ? "\r\n" : n % 11 == 0 ? " \t\n\n" : "\n"
            }
            printf ">empty\n>chr2\nAC"
        }'
}

# piped FILE OPTION...: its bytes as a pipe.
piped()
{
    piped_file=$1
    shift
    # shellcheck disable=SC2002 # as a pipe
    cat "$piped_file" | gpuhist "$@" -
}

# definition K FILE: the windows of K bases of FASTA, by their definition.
definition()
{
    tr -d ' \t\r' <"$2" | awk -v k="$1" '
        function end(i)
        {
            for (i = 1; i + k - 1 <= length(bases); i++)
                n[substr(bases, i, k)]++
            bases = ""
        }
        /^>/ { end(); next }
        { bases = bases toupper($0) }
        END {
            end()
            for (window in n)
                print window "\t" n[window]
        }' | sort
}

# kmers: the same, with one line for those that are no k-mers.
kmers()
{
    awk '$1 ~ /^[ACGT]*$/ { print; next }
        { n += $2 }
        END { if (n > 0) print "\\invalid\t" n }'
}

# ---- every border ----

make_genome 100 >small
for k in 1 4 21; do
    definition $k small | kmers >wanted
    tried=0
    for chunk in 1 2 3 100 128 129 130 131 132 133 140 151 162 173 184 195 206 \
        230 300; do
        piped small --kmers=$k -j$((chunk % 2 + 1)) --chunk-size=$chunk \
            >out || break
        cmp -s out wanted || break
        tried=$chunk
    done
    is $tried 300 "$k bases, in chunks of all lengths"
done

# ---- files that readers share, and pipes ----

make_genome 150000 >genome
ways='gpuhist:genome piped:genome'
if command -v bgzip >bgzip_path; then
    bgzip -c genome >genome.gz
    ways="$ways gpuhist:genome.gz piped:genome.gz"
fi
definition 7 genome | kmers >wanted-7
definition 1 genome >wanted-1
bytes=$(wc -c <genome)
for way in $ways; do
    for options in -j1 '-j3 --chunk-size=1000' '-j2 --chunk-size=140k'; do
        # shellcheck disable=SC2086 # two options
        counts wanted-7 "7 bases, $options, $way" \
            ${way%:*} ${way#*:} --kmers=7 $options
        # shellcheck disable=SC2086 # two options
        counts wanted-1 '... and bases' ${way%:*} ${way#*:} --seq $options
    done
    is "$(${way%:*} "${way#*:}" --seq -j2 --chunk-size=2k --format=json |
        grep -o '"bytes":[0-9]*,"records":[0-9]*')" \
        "\"bytes\":$bytes,\"records\":3" '... the bytes and records'
done

# ---- several inputs, and one after the other ----

definition 4 small | kmers >small-4
awk '{ n[$1] += 3 * $2 } END { for (i in n) print i "\t" n[i] }' small-4 |
    sort >wanted
for chunk in 7 150 1000 1M; do
    counts wanted "several inputs, chunks of $chunk" \
        gpuhist --kmers=4 -j2 --chunk-size=$chunk small small small
done
gpuhist --kmers=4 --per-file small genome >wanted
counts wanted '--per-file' \
    gpuhist --kmers=4 --per-file -j2 --chunk-size=2k small genome

# ---- a snapshot is of whole records ----

cat small small small | sed 's/^AC>/AC\n>/' >three
gpuhist --kmers=4 --every=100 --format=jsonl three >wanted
gpuhist --kmers=4 --every=100 --format=jsonl --chunk-size=64 three |
    sed 's/,"--chunk-size=64"//' >got
is "$(grep -c '"snapshot"' wanted)" 3 'snapshots'
same got wanted '... in chunks of a few bytes'

# ---- a record beyond the memory ----

for way in gpuhist piped; do
    counts wanted-7 "a record that is longer than the memory allows, $way" \
        $way genome --kmers=7 --memory-limit=2M --chunk-size=64k
done
for options in '-f base,length' '-f length --where=sequence!=A' '-f sequence' \
    '-f base --where=length>5'; do
    # shellcheck disable=SC2086 # several words
    refused 1 "... if it must be whole, $options" \
        gpuhist --seq $options --memory-limit=2M --chunk-size=64k genome
done

# Of its name, its length and GC, no base is kept.
{
    cat small
    echo
    cat genome
    printf '\n>line and no description\n'
    grep -v '>' genome | tr -d ' \t\r\n'
    printf '\n>chr3\nAC GT\n'
    sed 's/chr/other/' genome
} >several
gzip -c several >several.gz
if command -v bgzip >bgzip-is; then
    bgzip -c several >several.bgz
else
    cp several.gz several.bgz
fi
{
    printf '>tail\n'
    tail -n +50 genome | sed '/>/d'
    printf '\n@read\nACGG\n+\nIIII\n'
    cat several
} >mixed
all='--seq --joint -f name,length,gc'
little='--memory-limit=2M --chunk-size=64k'
if python3 -c 1; then
    python3 "$srcdir/tests/cli/long_records_oracle.py" several >wanted
    # shellcheck disable=SC2086 # several words
    counts wanted 'a record of any length by its definition' \
        gpuhist $all $little several
else
    skip 'a record of any length by its definition' 'no python3'
fi
for options in "$all" '--seq -f length,gc,name' '--seq -f gc --where=gc>0.4' \
    '--seq -f name --where=length>=1000 --where=name!=line' \
    '-q --seq -g name -f mean-quality,length' '--seq -f length -b 5' \
    '--seq -f length -b 9 --stats=only'; do
    for file in several mixed; do
        # shellcheck disable=SC2086 # several words
        gpuhist $options --memory-limit=1G $file >wanted-$file
        for threads in 1 3; do
            # shellcheck disable=SC2086 # several words
            counts wanted-$file "a record of any length: $options, $file" \
                gpuhist $options $little -j$threads $file
        done
    done
    # shellcheck disable=SC2086 # several words
    counts wanted-several '... from a pipe' piped several $options $little
    for kind in gz bgz; do
        # shellcheck disable=SC2086 # several words
        counts wanted-several "... of $kind" \
            gpuhist $options --memory-limit=6M --chunk-size=64k several.$kind
    done
done
# shellcheck disable=SC2086 # several words
gpuhist --seq -f name,gc --per-file small several genome >wanted
# shellcheck disable=SC2086 # several words
counts wanted '... file by file' \
    gpuhist --seq -f name,gc --per-file $little small several genome
gpuhist --seq -f name,gc small several genome >wanted
for shard in 1 2 3; do
    # shellcheck disable=SC2086 # several words
    gpuhist --seq -f name,gc $little --shard=$shard/3 --state=part-$shard \
        small several genome >part
done
counts wanted '... in shards' gpuhist --merge part-1 part-2 part-3
for line in 20 2000 $(($(wc -l <several) - 9)); do
    sed "${line}s/[a-zA-Z]/!/" several >damaged
    gpuhist --seq -f length --memory-limit=1G damaged 2>wanted
    # shellcheck disable=SC2086 # several words
    gpuhist --seq -f length $little -j2 damaged 2>out
    same out wanted "... and an error in line $line: $(cat wanted)"
done

# ---- errors ----

lines=$(wc -l <genome)
sed "$((lines * 9 / 10))s/^\(.*\)[a-zA-Z]/\11/" genome >wrong
at=$(($(tail -c +10 wrong | tr '\n' ' ' | sed 's/1.*//' | wc -c) + 9))
for way in gpuhist piped; do
    name=wrong
    [ $way = gpuhist ] || name='standard input'
    for options in '-j1' '-j3 --chunk-size=1000'; do
        # shellcheck disable=SC2086 # two options
        says 1 "$name: record 1 (chr1) at byte $at: '1' is no base" \
            "an error in a late piece, $options" $way wrong --kmers=7 $options
    done
done

# Of FASTQ, the last range goes on with the record that it begins in.
awk 'BEGIN { for (i = 0; i < 1400; i++)
                 bases = bases "ACGGT"
             for (i = 0; i < 12; i++)
                 printf "@r%d\n%s%s\n+\n%s\n", i, bases, i == 11 ? 1 : "A", bases "I" }' >last
at=$(($(wc -c <last) - 7000 - 6))
for options in -j1 '-j3 --chunk-size=20k'; do
    # shellcheck disable=SC2086 # two options
    says 1 "last: record 12 (r11) at byte $at: '1' is no base" \
        "an error in a long record of FASTQ, $options" \
        gpuhist --kmers=7 $options last
done

done_testing
