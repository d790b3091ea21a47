# SPDX-License-Identifier: MIT
# sequence_fields.sh -- the fields of sequences: units, tables, errors
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

# What gpuhist should print of files, by fields.
cat >cases <<'END'
odd.fq base
odd.fq position
odd.fq quality
odd.fq length
odd.fq gc
odd.fq mean-quality
odd.fq name
odd.fq sequence
odd.fq base,length,gc,quality,name,position,mean-quality,sequence
odd.fq --joint position,quality
odd.fq --joint position,base
odd.fq --joint base,quality
odd.fq --joint position,base,quality
odd.fq --joint gc,length
odd.fq --joint length,base
odd.fq --joint name,quality
odd.fq --joint sequence,position
odd.fq --group=name base,length
odd.fq --group=base,length position,quality
odd.fq --keep-case base,sequence
odd.fq --keep-case --joint position,base
odd.fq --phred=64 quality,mean-quality
odd.fq --where=position=50 base
odd.fq --where=position=50 quality
odd.fq --where=position=50 base,quality,position
odd.fq --where=position<=7 --joint position,base
odd.fq --where=position!=3 --where=position!=149.0 --where=position>1 --joint position,quality
odd.fq -q --where=position=1 --where=position=2 base
odd.fq --where=position>2.5 --where=length<100 --joint position,base,quality
odd.fq --where=position<4294967297 base
odd.fq -q --where=position>=1e99 base
odd.fq -q --where=position=\N base
odd.fq --where=position!=\N base
odd.fq --where=quality>=20 base
odd.fq --where=quality<20 --where=base!=N --joint position,quality
odd.fq --where=quality=\N base
odd.fq --where=quality!=\N --where=length>=10 base
odd.fq --where=base=A quality
odd.fq --where=base>T position
odd.fq --keep-case --where=base=a base
odd.fq --phred=64 --where=quality>=-20 --where=quality<-3 quality
odd.fq --where=position=5 --group=name base
odd.fq --min-quality=20 base
odd.fq --min-quality=20 sequence,gc,length
odd.fq --min-quality=20 --keep-case base
odd.fq --min-quality=30 --joint position,base,quality
odd.fq --min-quality=30 --joint gc,length
odd.fq --min-quality=25 --where=base=N quality,base
odd.fq --min-quality=25 --where=base!=N quality,base
odd.fq --min-quality=2 --phred=64 base
odd.fq --min-quality=93 --group=name base,mean-quality
odd.fq --where=position=5 --joint base,length
long.fq --joint position,base,quality
long.fq --joint position,quality
long.fq --joint base,quality
long.fq --joint gc,length
long.fq position,base,length,quality,gc
long.fq --where=position>=9000 --joint position,base
long.fq --where=quality=31 position
long.fq --min-quality=31 base,gc
long.fq --min-quality=31 --joint position,base
END
{
    echo make odd.fq 1 200
    echo make second.fq 2 100
    echo make long.fq 3 25 15000
    awk '{ print "count wanted-" NR, $0 }' cases
    echo count lengths odd.fq length
    echo count pairs odd.fq --joint position,quality
    echo count positions odd.fq position
    echo count first odd.fq base,length
    echo count second second.fq base,length
} >commands
python3 -B "$srcdir/tests/cli/sequence_fields_oracle.py" <commands
ok $? 'the oracle'

n=0
while read -r file words; do
    n=$((n + 1))
    list=${words##* }
    options=$(echo "${words%"$list"}" | sed 's/--group=/--group-by=/')
    # shellcheck disable=SC2086  # each word is an option
    counts wanted-$n "$file: $words" \
        gpuhist --seq $options -f "$list" -j3 "$file"
    # Tables for some of the positions only.
    # shellcheck disable=SC2086
    [ "$file" = odd.fq ] || counts wanted-$n '... in little memory' \
        gpuhist --seq $options -f "$list" -j2 --memory-limit=4M "$file"
done <cases

# More reads than a counter of a position can count at a time.
awk 'BEGIN { for (i = 0; i < 140000; i++) print "@\nAC\n+\nI5" }' >many.fq
printf '1\tA\t40\t140000\n2\tC\t20\t140000\n' >wanted
counts wanted 'many short reads' \
    gpuhist --seq --joint -f position,base,quality -j1 many.fq
printf '1\t40\t140000\n2\t20\t140000\n' >wanted
counts wanted '... without bases' \
    gpuhist --seq --joint -f position,quality -j1 many.fq

# ---- bins, that --range=auto finds, and what is beside them ----

awk '{ b = int($1 / 50) * 50; n[b] += $2 }
    END { for (b = 0; b < 250; b += 50) printf "%d\t%d\t%d\n", b, b + 50, n[b] }' \
    lengths >wanted
counts wanted 'lengths in bins' \
    gpuhist --seq -f length --bin-width=50 --range=0:250 odd.fq
awk '$2 != "\\N" && $1 <= 100 && $2 < 40 && $2 >= 0 {
        n[int(($1 - 1) / 50) * 50 + 1, int($2 / 10) * 10] += $3 }
    END { for (p = 1; p < 101; p += 50) for (q = 0; q < 40; q += 10)
        printf "%d\t%d\t%d\t%d\t%d\n", p, p + 50, q, q + 10, n[p, q] }' \
    pairs >wanted
counts wanted 'positions and qualities in bins' \
    gpuhist --seq --joint -f position,quality --bin-width=50 --bin-width=10 \
    --range=1:101 --range=0:40 --flow=hide -q odd.fq
for threads in 1 3; do
    gpuhist --seq --joint -f position,quality -b 8 -j$threads odd.fq >auto
    is "$(awk '{ n += $NF } END { print n }' auto)" \
        "$(awk '{ n += $NF } END { print n }' pairs)" \
        "--range=auto: all bases, by $threads threads"
    [ "$threads" = 1 ] && mv auto one
done
same one auto '... the same counts'

# ---- conditions on each base ----

awk 'BEGIN { for (i = 0; i < 60000; i++)
    printf "@read%d\nACGT%s\n+\nIIII%s\n", i, i % 2 ? "A" : "",
        i % 2 ? "I" : "" }' >names.fq
# Of windows, on the position of the first base.
awk -v k=3 'NR % 4 == 2 { for (i = 1; i <= length - k + 1; i++)
        if (i != 2 && i <= 4) print substr($0, i, k) }' \
    names.fq >windows
sort windows | uniq -c | awk '{ print $2 "\t" $1 }' >wanted
for device in cpu auto; do
    counts wanted "k-mers at some positions, $device" \
        gpuhist --kmers=3 --where='position<=4' --where='position!=2' \
        --device=$device names.fq
done
sort windows | uniq -c | awk '{ n[$1]++ } END { for (c in n) print c "\t" n[c] }' |
    sort -n >spectrum
counts spectrum '... a spectrum' gpuhist --kmers=3 --spectrum \
    --where='position<=4' --where='position!=2' names.fq
gpuhist --kmers=20 --where='position=7' -q odd.fq >got
awk '{ n += $2 } END { print n }' got >some
gpuhist --seq -f position --where='position=7' --where='length>=26' odd.fq |
    cut -f 2 >all
same some all '... long ones'
gpuhist --seq -f base --where='position=50' --format=json odd.fq >json
all=$(gpuhist --seq -f position odd.fq | awk '{ n += $2 } END { print n }')
is "$(sed -n 's/.*"left_out":\([0-9]*\).*/\1/p' json)" \
    "$((all - $(awk '$1 == 50 { print $2 }' positions)))" \
    'all other bases are left out'
gpuhist --seq -f base --where='position=50' --where='length>60' --explain odd.fq \
    2>&1 >got | sed -n 's/.*bases left out by --where: //p' >out
is "$(cat out)" "$((all - $(awk '{ n += $2 } END { print n }' got)))" \
    '... those of other sequences, too'
gpuhist --seq -f quality --where='position=50' -b41 --range=0,41 --stats=only \
    odd.fq | sed -n 's/^left-out.//p' >out
is "$(cat out)" "$((all - $(awk '$1 == 50 { print $2 }' positions)))" \
    '... as statistics say'
gpuhist --seq -f base --where='position=50' odd.fq second.fq >wanted
for shard in 1 2 3; do
    gpuhist --seq -f base --where='position=50' --shard=$shard/3 \
        --state=shard$shard odd.fq second.fq >out
done
counts wanted '... of shards' gpuhist --merge shard3 shard1 shard2
gpuhist --seq -f base --where='position=50' --every=10000 -o last odd.fq second.fq
same last wanted '... the last snapshot'
for file in odd.fq second.fq; do
    gpuhist --seq -f base --where='position=50' $file | sed "s/^/$file\t/"
done >wanted
counts wanted '... --per-file' gpuhist --seq -f base --where='position=50' \
    --per-file odd.fq second.fq
gpuhist --seq -f base --where='position=9999' odd.fq 2>err >out
is "$(cat err)" 'gpuhist: warning: no base fulfils --where=position=9999' \
    'no such position'
says 2 '--where: position is of each base, and this counts whole sequences: base, position, quality and kmer are no fields of these' \
    'whole sequences' gpuhist --seq -f length --where=position=5 odd.fq
says 2 '--where: position is of bases or of k-mers, and both are counted: give fields of one of them' \
    'bases and k-mers' gpuhist --kmers=3 -f kmer,base --where=position=5 odd.fq
says 2 '--where: quality is of each base, and a k-mer has several bases' \
    'a quality of k-mers' gpuhist --kmers=3 --where='quality>5' odd.fq
for byte in 7 _ @; do
    says 2 "--where: a base is one letter, and '$byte' is none" "the base $byte" \
        gpuhist --seq -f base --where="base!=$byte" odd.fq
done
says 2 "--where: a base is one letter, and 'AC' is none" 'two bases' \
    gpuhist --seq -f base --where='base!=AC' odd.fq
says 2 "--where: without --keep-case a base is a capital letter, and 'n' is none" \
    'a base in lower case' gpuhist --seq -f base --where='base!=n' odd.fq
gpuhist --seq --keep-case -f base --where='base=n' odd.fq >out
is $? 0 '... with --keep-case'
says 2 '--where: there are no conditions on kmer, only on its position and on fields of the whole sequence' \
    'a k-mer' gpuhist --kmers=3 --where=kmer=ACG odd.fq
says 2 '--where: position is a number, and '"'x' is none" 'a text' \
    gpuhist --seq -f base --where=position=x odd.fq
says 2 '--format=fqchk is of all bases: no conditions on base, position or quality' \
    'fqchk' gpuhist --seq --format=fqchk --where='position<5' odd.fq

# ---- runs of several inputs ----

sed 's/^/odd.fq\t/' first >wanted
sed 's/^/second.fq\t/' second >>wanted
counts wanted '--per-file' gpuhist --seq -f base,length --per-file \
    odd.fq second.fq
cat odd.fq second.fq >both.fq
gpuhist --seq -f gc,base both.fq >wanted
counts wanted 'two inputs' gpuhist --seq -f gc,base odd.fq second.fq

# of_base NAME OPTION...: the counts of base A in JSON, one line each.
of_base()
{
    gpuhist --seq --format=json -f base,length --every=10000 "$@" odd.fq |
        sed -n 's/^{"value":"A","count":\([0-9]*\)},$/\1/p'
}
all=$(gpuhist --seq odd.fq | sed -n 's/^A.//p')
is "$(of_base | tail -n 1)" "$all" '--every: the last counts are of all'
is "$(of_base --reset | sed '$d' | awk '{ n += $1 } END { print NR, n }')" \
    "3 $all" '... and --reset adds up'

# Keys beyond the memory.
awk 'NR % 4 == 1 { n = substr($0, 2) } NR % 4 == 2 { print n "\t" length "\t1" }' \
    names.fq | sort >wanted
gpuhist --seq -g name -f length -j2 --memory-limit=1M names.fq >out 2>err
same out wanted 'names beyond the memory'
is "$(grep -c temporary err)" 0 '... without a word'
gpuhist --seq -g name -f length -j2 --memory-limit=1M -v names.fq \
    >out 2>err
is "$(grep -c 'in temporary files' err)" 1 '... but with -v'

# ---- errors ----

printf '@r1 x\nACGTN\n+\nIIIII\n@r2\nACG\n+\nII\n' >bad
says 1 'bad: record 2 (r2) at byte 20: the quality has another length than the sequence (3 bases)' \
    'a short quality' gpuhist --seq -f base bad
printf '>r1\nACGT\nAC1\n' >bad
says 1 "bad: record 1 (r1) at byte 11: '1' is no base" 'a digit' \
    gpuhist --seq -f length bad
says 1 "standard input: record 1 (r1) at byte 11: '1' is no base" \
    '... of standard input' gpuhist --seq -f length <bad
printf '@r1\nACGT\n' >bad
says 1 'bad: record 1 (r1) at byte 0: the sequence is not followed by a line that begins with +' \
    'the input ends before the quality' gpuhist --seq bad
printf 'r1\nACGT\n' >bad
says 1 "bad: record 1 at byte 0: a record begins with > or @ at the start of a line, not 'r'" \
    'no record' gpuhist --seq bad
printf '\n \n' >none
: >wanted
counts wanted 'no record at all' gpuhist --seq -f base none

done_testing
