# SPDX-License-Identifier: MIT
# text.sh -- lines and fields of text as keys, beside the commands they replace
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

# ---- a log ----

awk 'BEGIN {
    srand(1)
    for (i = 0; i < 40000; i++)
        printf "10.0.%d.%d - - [22/Nov/2026:08:%02d:%02d +0000] \"GET /%d" \
            " HTTP/1.1\" %d %d \"-\" \"Mozilla/5.0 (X11; Linux)\"\n",
            rand() * 3, rand() * 250, rand() * 60, rand() * 60,
            1 / (rand() + 1e-4), 200 + 100 * int(rand() * 4), rand() * 1e5
}' >log

# counted NAME OPTION...: the program prints what is in the file "keys", sorted
# and counted.
counted()
{
    counted_name=$1
    shift
    sort keys | uniq -c >wanted
    counts wanted "$counted_name" gpuhist --format=uniq "$@"
}

awk '{ print $1 }' log >keys
counted 'field 1 of a log: addresses' -W -f1 log
counted '... in small chunks' -W -f1 --chunk-size=1000 log
counted '... by 4 threads' -W -f1 -j4 log
sed -i '1d' wanted
gpuhist --format=uniq -W -f1 log >out
! cmp -s out wanted
ok $? 'a lost key would be seen'
awk '{ print $9 }' log >keys
counted 'field 9: the status' -W -f9 log
awk '{ print $7 }' log >keys
counted 'field 7: the target' --whitespace --fields=7 log
sort keys | uniq -c >wanted
sed '' log | gpuhist --format=uniq -W -f7 >out
same out wanted '... of a pipe'
counted '... of a redirected file' -W -f7 <log
cut -d '"' -f 2 log >keys
counted 'between quotes, as cut' -d '"' -f2 log
cp log keys
counted 'whole lines' -l log
awk '{ print $1 }' log log >keys
counted 'two files' -W -f1 log log
if [ "$HAVE_ZSTD" = yes ]; then
    zstd -q -c log >log.zst
    awk '{ print $1 }' log >keys
    counted 'a compressed file' -W -f1 log.zst
else
    skip 'a compressed file' 'built without zstd'
fi

gpuhist -W -f1 --top=10 --sort=count log >out
awk '{ print $1 }' log | sort | uniq -c | sort -k1,1nr -k2 | head -n 10 |
    awk '{ print $2 "\t" $1 }' >wanted
head -n 10 out >top
same top wanted 'the ten most frequent, equal counts by key'

awk '{ print $7 }' log | sort | uniq -c | awk '
    $1 < 40 { rest += $1; next }
    { print $2 "\t" $1 }
    END { if (rest) print "\\other\t" rest }' >wanted
counts wanted '--min-count: the rarer ones in one line' \
    gpuhist -W -f7 --min-count=40 log
sed '$d' wanted >frequent
gpuhist -W -f7 --min-count=40 --no-other log >out 2>err
same out frequent '... without that line'
is "$(cat err)" "gpuhist: warning: $(sed -n '$s/.*\t//p' wanted) records of \
other keys are not shown" '... which is said'
gpuhist -W -f7 --min-count=40 --format=uniq log >out 2>err
awk '{ print $7 }' log | sort | uniq -c | awk '$1 >= 40' >wanted
same out wanted '... as uniq'
grep -q 'records of other keys are not shown' err
ok $? '... which says it, too'
gpuhist --min-count=2 --nonzero log >out
gpuhist --nonzero log | awk '$2 < 2 { rest += $2; next } { print }
    END { if (rest) print "other\t" rest }' >wanted
same out wanted '--min-count of bytes'
refused 2 '--no-other without a rest' gpuhist -l --no-other log

cut -c 1-5 log >keys
counted '--prefix' -l --prefix=5 log
awk '{ print substr($7, 1, 2) }' log >keys
counted '... of a field' -W -f7 --prefix=2 log
refused 2 '... of numbers' gpuhist -l --dtype=num --prefix=2 log
cp log keys
counted '... longer than any key' -l --prefix=1000 log
counted '... longer than keys can be' -l --prefix=8Gi log
printf 'a\\tb\t2\na\\tc\t3\nab\t1\n\\N\t4\n' >counted
printf 'a\\t\t5\nab\t1\n\\N\t4\n' >wanted
counts wanted '... of values that are counted already' \
    gpuhist --counts --prefix=2 counted
printf '      2 abc\n      3 abd\n' >counted
printf 'ab\t5\n' >wanted
counts wanted '... by uniq' gpuhist --counts=uniq --prefix=2 counted
refused 2 '--prefix=0' gpuhist -l --prefix=0 log
refused 2 '--prefix of bytes' gpuhist --prefix=3 log
grep -q '^gpuhist: --prefix needs --lines, --delimiter, --tsv, ' err
ok $? '... says what it is for'

# ---- lines ----

printf 'b\na\n\nb' >lines
printf '\t1\na\t1\nb\t2\n' >wanted
counts wanted 'an empty line, a last line without an end' gpuhist -l lines
printf 'a\r\nb\r\na\r\n' >lines
printf 'a\r\t2\nb\r\t1\n' >wanted
counts wanted 'a carriage return belongs to the line' gpuhist -l lines
printf 'a\nb\0a\nb\0' >lines
LC_ALL=C sort -z lines | uniq -zc >wanted
counts wanted '-z: a line feed belongs to the record' \
    gpuhist -lz --format=uniq lines
printf '#x\na\n#y\n#\nb#\n' >lines
printf 'a\t1\nb#\t1\n' >wanted
counts wanted '--comment' gpuhist -l --comment='#' lines
gpuhist -lv --comment='#' lines >out 2>err
is "$(grep comment err)" 'gpuhist: 3 comments left out' '... -v says how many'
printf '//x\ta\n/a\t1\n//\n/\t2\n/' >lines
printf '/\t2\n/a\t1\n' >wanted
for format in --tsv --lines --whitespace --csv '--csv -d/' --words \
    '--delimiter=\t'; do
    case $format in
        --lines) printf '/\t1\n/\\t2\t1\n/a\\t1\t1\n' >now ;;
        --csv) sort wanted | sed 's/^\/\t2/\/\t1\n\/\\t2\t1/;s/a\t/a\\t1\t/' >now ;;
        *-d/) printf '\t3\n' >now ;;
        --words) printf '/\t2\n/a\t1\n1\t1\n2\t1\na\t1\n' >now ;;
        *) cp wanted now ;;
    esac
    field=-f1
    case $format in --lines | --words) field='' ;; esac
    # shellcheck disable=SC2086
    counts now "a mark of two bytes, $format" \
        gpuhist $format $field --comment=// lines
done
printf '{"a":1}\n//{\n{"a":2}\n//\n' >lines
printf '1\t1\n2\t1\n' >wanted
counts wanted '... of lines of JSON' gpuhist --jsonl -f a --comment=// lines
printf '/\n{"a":2}\n' >lines
refused 1 '... half of it is a line that is wrong' \
    gpuhist --jsonl -f a --comment=// lines
printf 'a=1\n//a=2\na=2\n/\n' >lines
counts wanted '... of pairs' \
    gpuhist --logfmt -f a --where='a!=\N' --comment=// lines
seq 1 30000 | sed 's/.*7$/##&,"/;s/.*3$/#,&/' >lines
grep -v '^##' lines | sed 's/,.*//' | LC_ALL=C sort | LC_ALL=C uniq -c |
    awk '{ print $2 "\t" $1 }' | LC_ALL=C sort >wanted
for options in --csv '--csv -j3 --chunk-size=100' '--csv -j2 --chunk-size=4k' \
    '-d, -j3 --chunk-size=5k'; do
    # shellcheck disable=SC2086
    gpuhist $options -f1 --comment='##' lines | LC_ALL=C sort >out
    cmp -s out wanted
    ok $? "... in many chunks, $options"
done
for shard in 1 2 3; do
    gpuhist --csv -f1 --comment='##' --shard=$shard/3 --state=part-$shard lines \
        >out || echo failed
done
gpuhist --merge part-1 part-2 part-3 | LC_ALL=C sort >out
cmp -s out wanted
ok $? '... in shards'
gpuhist --csv -f1 --comment='#,' --state=part-4 - </dev/null >out
refused 1 '... states of other marks' gpuhist --merge part-1 part-4
: >empty
counts empty 'no lines' gpuhist -l empty
printf '\n\n\n' >lines
printf '\t3\n' >wanted
counts wanted 'empty lines' gpuhist -l lines

# ---- lines longer than a chunk ----

# long_lines N...: lines of so many bytes.
long_lines()
{
    for size; do
        head -c "$size" /dev/zero | tr '\0' x
        echo
    done
}
long_lines 1 2097151 0 2097152 5 2097153 5000000 5000000 3 9000000 2097151 1 >keys
printf 'no end' >>keys
cp keys long
counted 'lines longer than a chunk' -l long
counted '... by 16 threads' -l -j16 long
counted '... in small chunks' -l -j3 --chunk-size=1000 long
sed '' keys | gpuhist --format=uniq -l >out
same out wanted '... of a pipe'
echo >line-end
cat long line-end long line-end long >keys
counted '... of several files' -l -j8 long long long
if [ "$HAVE_ZSTD" = yes ]; then
    zstd -q -c long >long.zst
    counted '... compressed' -l -j8 long.zst long.zst long.zst
else
    skip '... compressed' 'built without zstd'
fi
long_lines 700000 1200000 700000 900000 1900000 1500000 600000 1000000 >long
cat long long long long long long >keys
counted '... longer than a reader counts at a time' \
    -l -j8 long long long long long long
sed 's/^/a /' long >two
counted '... as fields' -W -f2 -j4 two two two two two two
long_lines 100000000 3 >keys
counted 'a line of 100 MB' -l keys
long_lines 3 100000000 >long
refused 1 'not in little memory' gpuhist -l --memory-limit=64M - <long
limit='[0-9]* bytes (--memory-limit allows longer ones)$'
grep -q "^gpuhist: standard input: the record at byte 4 is longer than $limit" \
    err
ok $? '... which is said, with the place'
refused 1 'nor of a file' gpuhist -l --memory-limit=64M keys
grep -q "^gpuhist: keys: the record at byte 0 is longer than $limit" err
ok $? '... which is said, with the place'
rm keys long two

# ---- fields ----

printf 'a b\n\nc\n d  e \n' >lines
printf 'b\t1\ne\t1\n\\N\t2\n' >wanted
counts wanted '-W: blanks in front, records without the field' \
    gpuhist -W -f2 lines
printf 'a,b,\nc\n,\n' >lines
printf '\t1\nb\t1\n\\N\t1\n' >wanted
counts wanted '-d: empty fields, a record without the delimiter' \
    gpuhist -d, -f2 lines
printf '\t2\n\\N\t1\n' >wanted
printf 'a,b,\nc\n,,\n' >lines
counts wanted '... an empty field at the end' gpuhist -d, -f3 lines
printf 'a\tb\nc\td\na\td\n' >lines
printf '1\ta\t2\n1\tc\t1\n2\tb\t1\n2\td\t2\n' >wanted
counts wanted 'several fields' gpuhist --tsv -f1,2 lines
counts wanted '... as -d "\\t"' gpuhist -d '\t' -f1-2 lines
printf 'NF\tb\t1\nNF\td\t2\nNF-1\ta\t2\nNF-1\tc\t1\n' >wanted
counts wanted 'fields from the end' gpuhist --tsv -fNF,NF-1 lines
printf '| NF | b | 1 |\n| NF | d | 2 |\n' >wanted
gpuhist --tsv -fNF,1 --format=md lines | sed -n 3,4p >out
same out wanted '... in Markdown'
printf '{"field":"NF","value":"b","count":1}\n{"field":1,"value":"a","count":2}\n' \
    >wanted
gpuhist --tsv -fNF,1 --format=jsonl lines | sed -n '1p;3p' >out
same out wanted '... in JSON'
gpuhist --tsv -fNF-1 --explain lines 2>&1 >out | grep 'explain: field' >got
is "$(cat got)" 'gpuhist: explain: field NF-1: a bin for each key' \
    '... in --explain'
gpuhist --tsv -f3 --format=uniq lines >out 2>err
is "$?:$(cat out err)" '0:gpuhist: warning: 3 records lack the field and are not shown' \
    'a field that no record has'

# explains WORDS ARGUMENT...: what --explain says first.
explains()
{
    explains_words=$1
    shift
    is "$(gpuhist --device=cpu --explain "$@" </dev/null 2>&1 >out | head -n 1)" \
        "gpuhist: explain: counts $explains_words" "--explain $*"
}
explains 'lines' -l
explains 'values of type u1'
explains 'a of lines of JSON that fulfil --where' --jsonl -f a --where=b=1
explains 'field 2:lower of records of CSV' --csv -f2:lower
explains 'field 9 of lines divided at blanks' -W -f9
explains "field 2 of lines divided at ';'" -d';' -f2
explains 'path, status of lines of a log of requests' --clf -f path,status
explains 'path with status of lines of a log of requests' --clf --joint -f path,status
explains 'a.b for each c of lines of JSON' --jsonl -g c -f a.b --columns=mean

# ---- memory ----

seq 300000 >lines
cp lines keys
counted '300,000 keys in 32 MiB' -l --memory-limit=32Mi lines
for threads in 1 16 64; do
    refused 1 "... not even the first of $threads threads in 300 kB" \
        gpuhist -l -j$threads --memory-limit=300k lines
    grep -q 'keys do not fit into --memory-limit' err
    ok $? '... says so'
done

# ---- what makes no sense ----

refused 2 '--lines has one field' gpuhist -l -f1 lines
refused 2 '-W needs a field' gpuhist -W lines
refused 2 '-d takes a byte' gpuhist -d ab -f1 lines
refused 2 '... not the end of a line' gpuhist -d "$(printf '\nx' | tr -d x)" \
    -f1 lines
refused 2 '-z without text' gpuhist -z lines
refused 2 '--comment without text' gpuhist --comment='#' lines
refused 2 '--comment without a byte' gpuhist -l --comment= lines
refused 2 '... with too many' \
    gpuhist -l --comment=123456789012345678901234567890123 lines
refused 2 '... with the end of a line' gpuhist -l --comment='#
' lines
refused 2 '... with a quote of CSV' gpuhist --csv -f1 --comment='#"' lines
refused 2 '... with a blank between words' gpuhist --words --comment='# ' lines
refused 2 '... of sequences, two bytes' gpuhist --seq --comment=';;' lines
for option in --dtype=u4 --record=u1 --joint --image \
    --weights=1 --every=1k --device=opencl --list-strategies --partial=drop \
    --density --format=npy --labels=hex \
    --equalize=x --flow=clamp; do
    refused 2 "-l $option" gpuhist -l $option lines
done

# ---- anything ----

python_checks "$srcdir/tests/cli/text_oracle.py"

done_testing
