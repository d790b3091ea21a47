# SPDX-License-Identifier: MIT
# comment_header.sh -- names of fields in comments, and where a header is
# shellcheck shell=sh disable=SC2016,SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

# ---- formats that people have ----

{
    printf '##fileformat=VCFv4.3\n##contig=<ID=20,length=62435964>\n'
    printf '#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\n'
    printf '20\t14370\trs6054257\tG\tA\t29\tPASS\tNS=3\n'
    printf '20\t17330\t.\tT\tA\t3\tq10\tNS=3\n19\t1\t.\tT\tA\t3\tPASS\tNS=3\n'
} >calls.vcf
printf '19\t1\n20\t2\n' >wanted
counts wanted 'a VCF by CHROM' \
    gpuhist -f CHROM --tsv --header-in=comment calls.vcf
printf '20\t1\n' >wanted
counts wanted '... with a condition' gpuhist -f CHROM --tsv \
    --header-in=comment --where=FILTER=q10 calls.vcf
gpuhist -v -f CHROM --tsv --header-in=comment calls.vcf >out 2>err
is "$(grep -c '3 comments left out' err)" 1 '... -v says how many comments'
{
    printf '#separator \\x09\n#path\tconn\n#fields\tts\tid.orig_h\tproto\n'
    printf '#types\ttime\taddr\tenum\n1.5\t10.0.0.1\ttcp\n2.5\t10.0.0.2\tudp\n'
    printf '3.5\t10.0.0.1\tudp\n#close\t2026-11-28-00-00-01\n'
} >conn.log
printf 'tcp\t1\nudp\t2\n' >wanted
counts wanted 'a log of Zeek' \
    gpuhist -f proto --tsv --header-in=comment conn.log
printf '10.0.0.1\t2\n10.0.0.2\t1\n' >wanted
counts wanted '... another field' \
    gpuhist -f id.orig_h --tsv --header-in=comment conn.log
printf '%s\r\n' '#Software: IIS 10.0' '#Fields: date time c-ip sc-status ' \
    '#Date: 2026-11-28 00:00:01' '2026-11-28 00:00:01 10.0.0.1 200' \
    '2026-11-28 00:00:02 10.0.0.1 404' '#Remark: x' \
    '2026-11-28 00:00:03 10.0.0.2 200' >iis.log
printf '10.0.0.1\t2\n10.0.0.2\t1\n' >wanted
counts wanted 'a log of the W3C' gpuhist -f c-ip -W --header-in=comment iis.log
tr -d '\r' <iis.log >iis-unix.log
printf '200\t2\n404\t1\n' >wanted
counts wanted '... the last field' \
    gpuhist -f sc-status -W --header-in=comment iis-unix.log
counts wanted '... between single blanks' \
    gpuhist -f sc-status -d ' ' --header-in=comment iis-unix.log
printf '#Version: 1.0\n#Fields: date c-ip\nd\t1\nd\t2\nd\t1\n' >cloud.log
printf '1\t2\n2\t1\n' >wanted
counts wanted '... whose records have tabs' \
    gpuhist -f c-ip --tsv --header-in=comment cloud.log

# ---- which comment, and which names ----

# names NAMES HEADER: with these lines before the record "1<TAB>2", the error
# about an unknown name lists NAMES.
names()
{
    printf '%b' "$2" '1\t2\n' >data
    # shellcheck disable=SC2086 # they are options
    gpuhist -f zzz --tsv --header-in=comment ${3-} data >out 2>err
    is "$(sed "s/.*which has //" err)" "$1" "the names of ${2%??}"
}
names "'a', 'b'" '#a\tb\n'
names "'a', 'b'" '#x\ty\n#a\tb\n'
names "'a', 'b'" '# a\tb\n'
names "'a', 'b'" '#a\tb\r\n'
names "'a', 'b'" '#fields\ta\tb\n#x\ty\n'
names "'a', 'b'" '#fields\tx\ty\n#fields a\tb\n#x\ty\n'
names "'a', 'b'" '# Fields: a b\n#x\ty\n'
names "'a b', 'c'" '#Fields: a b\tc\n'
names "'fields'" '#fields\n'
names "'fieldsets', 'b'" '#a\tb\n#fieldsets\tb\n'
names "'a', 'b'" '//a\tb\n//x\ty\n//a\tb\n' --comment=//
names "'#a', 'b'" '##x\n###a\tb\n' --comment=##
printf '#a,"b,c"\n\n1,2\n1,3\n' >data
printf '2\t1\n3\t1\n' >wanted
counts wanted 'names of CSV, in quotes, a blank line' \
    gpuhist --csv --header-in=comment -f '"b,c"' data
printf '#a\tb\0#x y\n\tc\0001\t2\0' >data
printf '2\t1\n' >wanted
gpuhist -z --tsv --header-in=comment -f '"c"' data >out
cmp -s out wanted
ok $? 'records that end with NUL'
printf '#a\tb\n1\t2\n#b\tx\n' >data
printf '1\t1\n' >wanted
counts wanted 'later comments are no header' \
    gpuhist --tsv --header-in=comment -f a data

return_mark=$(printf '#\r')
printf '#\r\n1\n' >data
gpuhist --csv --header-in=comment --comment="$return_mark" -f zzz data >out 2>err
is "$? $(sed 's/.*which has //' err)" "1 ''" 'a mark that is all of a comment'
for text in '#' '#fields' '# ' '#Fields:' '#fields ' '#Fields: '; do
    printf '%s' "$text" >data
    printf '\n1\n' >>data
    gpuhist --tsv --header-in=comment -f zzz data >out 2>err
    is "$? $(grep -c 'no field is named' err)" '1 1' "nearly nothing: '$text'"
done

# ---- where the header is ----

printf 'a\tb\n1\t2\n1\t3\n' >data
printf '2\t1\n3\t1\n' >wanted
counts wanted 'the first record' gpuhist --tsv --header-in=first -f2 data
counts wanted '... by default' gpuhist --tsv --header-in -f2 data
counts wanted '... as -H, and a field' gpuhist --tsv -Hf2 data
counts wanted '... as -H, and a file' gpuhist --tsv -f2 -H data
counts wanted '... because of a name' gpuhist --tsv -fb data
printf '2\t1\n3\t1\nb\t1\n' >wanted
counts wanted 'nowhere' gpuhist --tsv -f2 --header-in=none data
says 2 '--fields has the name of a field, but with --header-in=none fields have numbers only' \
    '... so that there are no names' gpuhist --tsv -fb --header-in=none data
says 2 '--where has the name of a field, but with --header-in=none fields have numbers only' \
    '... in a condition' gpuhist --tsv -f1 --where=b=2 --header-in=none data
says 2 '--group-by has the name of a field, but with --header-in=none fields have numbers only' \
    '... of a group' gpuhist --tsv -gb --header-in=none data
refused 2 'another word' gpuhist --tsv -f1 --header-in=last data
refused 2 'not for lines of JSON' gpuhist --jsonl -fa --header-in=comment data
says 2 "--header-in comment: there is no file 'comment' (did you mean --header-in=comment?)" \
    'a word without =' gpuhist --tsv -fb --header-in comment data
says 1 "data: no line that starts with '#' precedes the first record, so fields have no names (--header-in=comment)" \
    'no comment' gpuhist --tsv -fb --header-in=comment data
printf '\n#a\tb\n1\t2\n' >late
says 1 "late: no line that starts with '#' precedes the first record, so fields have no names (--header-in=comment)" \
    'a blank line is a record' gpuhist --tsv -fb --header-in=comment late
says 1 "data: no line that starts with '//' precedes the first record, so fields have no names (--header-in=comment)" \
    '... with another mark' \
    gpuhist --tsv -fb --header-in=comment --comment=// data
printf '#a\tb' >data
: >empty
counts empty 'comments alone' gpuhist --tsv -fb --header-in=comment data
counts empty '... are known' gpuhist --tsv -fb --header-in=comment data data
counts empty 'no bytes' gpuhist --tsv -fb --header-in=comment empty
counts empty '... twice' gpuhist --tsv -fb --header-in=comment empty empty

# ---- several inputs, of all kinds ----

printf '\357\273\277#a\tb\n1\t2\n' >bom
printf '## more\n#a\tb\n1\t2\n2\t3\n' >./more
printf '#a\tc\n1\t2\n' >other
printf '2\t3\n3\t1\n' >wanted
counts wanted 'several inputs, a byte order mark' \
    gpuhist --tsv -fb --header-in=comment empty bom more empty bom
says 1 "other: field 2 of the header is 'c', but 'b' in bom" \
    'other names' gpuhist --tsv -fb --header-in=comment bom other
gpuhist --tsv -fb --header-in=comment --per-file bom more >out
grep -v '^#' out | awk -F '\t' '{ print $1, $(NF - 1), $NF }' >now
printf 'bom 2 1\nmore 2 1\nmore 3 1\n' >wanted
cmp -s now wanted
ok $? '--per-file'
printf '2\t2\n3\t1\n' >wanted
printf 'bom\0more\0' >names0
counts wanted '--files0-from' \
    gpuhist --tsv -fb --header-in=comment --files0-from=names0
if [ "${HAVE_GZIP-}" = yes ]; then
    gzip -c more >more.gz
    counts wanted 'a compressed input' \
        gpuhist --tsv -fb --header-in=comment bom more.gz
fi
if [ "${HAVE_ARCHIVE-}" = yes ]; then
    tar cf both.tar empty bom more
    counts wanted 'members' \
        gpuhist --tsv -fb --header-in=comment --members both.tar
fi
counts wanted 'a pipe that gives few bytes' sh -c \
    'cat bom more | sed "4,\$s/^#a.*/#x/" | tr -d "\r" |
        while IFS= read -r line; do printf "%s\n" "$line"; done |
        "$GPUHIST" --tsv -fb --header-in=comment'
printf '\357\273\277"a",b\n1,2\n' >data
printf '1\t1\n' >wanted
counts wanted 'a quote after a byte order mark' gpuhist --csv -fa data
printf '\357\273\277"1",2\n' >data
counts wanted '... without a header' gpuhist --csv -f1 data

# A megabyte of comments, and records that many readers share.
{
    printf '#fields\ta\tb\n'
    seq 20000 | sed 's/.*/##contig=<ID=&,length=123456789,assembly=unknown>/'
    seq 30000 | sed 's/.*/&\t&x/;s/^[0-9]*7\t/#&/'
} >long
seq 30000 | sed '/7$/d;s/$/x/' | LC_ALL=C sort | sed 's/$/\t1/' >wanted
for options in -j1 -j3 '-j3 --chunk-size=100' '-j2 --chunk-size=4k'; do
    # shellcheck disable=SC2086
    gpuhist --tsv -fb --header-in=comment $options long | LC_ALL=C sort >out
    cmp -s out wanted
    ok $? "a megabyte of comments, $options"
done
# shellcheck disable=SC2002 # a pipe
cat long | "$GPUHIST" --tsv -fb --header-in=comment | LC_ALL=C sort >out
cmp -s out wanted
ok $? '... of a pipe'
for shard in 1 2 3; do
    gpuhist --tsv -fb --header-in=comment --shard=$shard/3 \
        --state=part-$shard long >/dev/null || echo failed
done
gpuhist --merge part-1 part-2 part-3 | LC_ALL=C sort >out
cmp -s out wanted
ok $? '... in shards'
gpuhist --tsv -fb --header-in=comment --memory-limit=1M long >out 2>err
is "$?" 1 '... not in little memory'
is "$(grep -c 'the header is longer than' err)" 1 '... which is said'

done_testing
