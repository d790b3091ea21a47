# SPDX-License-Identifier: MIT
# csv.sh -- CSV, logs of requests, words and headers
# shellcheck shell=sh disable=SC2016,SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

# ---- CSV ----

printf 'a,"b\nx",c\r\n1,"q""uo",3\n2,"two",4\n' >data
printf 'b\\nx\t1\nq"uo\t1\ntwo\t1\n' >wanted
counts wanted 'quotes are not part of a key' gpuhist --csv -f2 data
printf '3\t1\n4\t1\nc\t1\n' >wanted
counts wanted 'a carriage return is not part of the last field' \
    gpuhist --csv -fNF data
printf 'a;"x;y"\n' >data
printf 'x;y\t1\n' >wanted
counts wanted 'another delimiter' gpuhist --csv -d ';' -f2 data
printf 'aa"a,"b"c\n' >data
printf '1\taa"a\t1\n2\tbc\t1\n' >wanted
counts wanted 'a quote within a field, bytes after a quote' \
    gpuhist --csv -f1,2 data
printf 'a\0b,\n\n,"\0"\n' >data
printf '\t1\na\0b\t1\n' >wanted
counts wanted 'NUL bytes, blank lines' gpuhist --csv -f1 data
printf 'a,b\nc,"d\ne,f\n' >data
says 1 'data: the quote at byte 6 has no end' 'a quote without an end' \
    gpuhist --csv -f1 data
says 1 'standard input: the quote at byte 6 has no end' '... in a pipe' \
    sh -c 'cat data | "$GPUHIST" --csv -f1'
says 1 'data: the quote at byte 4 has no end' '... with a header' \
    gpuhist --csv -f1 -H --skip-bytes=2 data
printf 'x,"y\n' >data
says 1 'data: the quote at byte 2 has no end' '... in the header' \
    gpuhist --csv -fx data
{
    printf 'x\n"'
    head -c 3000000 /dev/zero | tr '\0' '\n'
} >data
says 1 'data: the quote at byte 2 has no end' \
    '... nor in a chunk' gpuhist --csv -f1 data
seq 200000 | sed 's/.*/"&\n",x/' >data
seq 200000 | sort | sed 's/$/\\n\t1/' >wanted
for options in -j1 -j3 --chunk-size=5k; do
    counts wanted "lines in quotes, $options" gpuhist --csv -f1 $options data
done

# ---- headers ----

printf '\357\273\277name,"st\nat",x\na,1,2\nb,1,3\n' >data
: >empty
printf 'a\t1\nb\t1\n' >wanted
counts wanted 'a name' gpuhist --csv -fname data
counts wanted '... with -H' gpuhist --csv -H -fname data
counts wanted '... of a pipe' sh -c 'cat data | "$GPUHIST" --csv -fname'
counts wanted '... in several inputs, some are empty' \
    gpuhist --csv -fname empty data empty
printf 'a\t2\nb\t2\n' >wanted
counts wanted '... two headers' gpuhist --csv -fname data data
counts wanted '... and a number' gpuhist --csv -H -f1 data data
counts empty '... no records at all' gpuhist --csv -fname empty empty
printf 'x\t2\t1\nx\t3\t1\n2\t1\t2\n' >wanted
counts wanted 'lines with names' gpuhist --csv -fx,2 data
printf '{"field":"x","value":"2","count":1}\n' >wanted
gpuhist --csv -fx,2 --format=jsonl data | head -n 1 >out
same out wanted '... in JSON'
gpuhist --csv -fname --format=json data >out
grep -q '"bytes":30,"records":2' out
ok $? 'the bytes of a header are counted, it is no record'
printf '# a "\nA  B\n1 2\n# c\n3 4\n' >blanks
printf '2\t1\n4\t1\n' >wanted
counts wanted 'blanks, comments before' gpuhist -W -fB --comment='#' blanks
gpuhist -v -W -fB --comment='#' blanks 2>&1 >out | grep comment >err
is "$(cat err)" 'gpuhist: 2 comments left out' '... all of them are counted'

# ---- blank lines ----

printf 'a,b\n\n1,2\n\r\n1,"\n\n"\n,\n\n' >gaps
printf 'a,b\n1,2\n1,"\n\n"\n,\n' >whole
for options in '-f1' '-f2' '-fNF' '-f a' '-g a -f b --columns=count,distinct' \
    '-f1 --where=2=2' '-f1 --where=1!=2' '-g 1,2' '-f1 --spectrum' \
    '--joint -f1,2' '-f1 --weights=1 --where=1=1'; do
    for how in -j1 '-j4 --chunk-size=4k'; do
        # shellcheck disable=SC2086 # several words
        gpuhist --csv $options $how whole >wanted 2>err-wanted
        # shellcheck disable=SC2086
        counts wanted "blank lines are left out: $options $how" \
            gpuhist --csv $options $how gaps
    done
done
gpuhist --csv -f1 --format=json gaps | grep -o '"bytes":[0-9]*,"records":[0-9]*' >out
is "$(cat out)" '"bytes":21,"records":4' '... and no records'
is "$(gpuhist -v --csv -f1 gaps 2>&1 >out | grep left)" \
    'gpuhist: 3 blank lines left out' '... -v says how many'
printf 'x,2\n\ny,1\n\r\n' >sums
printf 'x\t2\ny\t1\n' >wanted
counts wanted '... of values that are counted already' gpuhist --csv -f1 --counts sums
printf '#\n' >noted
cat gaps >>noted
is "$(gpuhist -v --csv -f1 --comment='#' noted 2>&1 >out | grep left)" \
    'gpuhist: 4 comments and blank lines left out' '... and comments'
gpuhist --csv -f1 gaps >wanted
"$GPUHIST" --csv -f1 <gaps >out
same out wanted '... of standard input'
printf '\n\r\n' | cat - gaps >before
counts wanted '... before the first record' gpuhist --csv -f1 before
counts wanted '... in which is the only input with records' \
    gpuhist --csv -f1 empty gaps empty
gpuhist --csv -f a gaps >wanted
counts wanted '... before a header' gpuhist --csv -f a before
printf 'x\n\n1\n\r\n1\n' >single
printf '\t2\n1\t2\n' >wanted
counts wanted 'blank lines of a single column are values' \
    gpuhist --csv -f x single
printf '1\t2\nx\t1\n' >wanted
counts wanted '... but not without a header' gpuhist --csv -f 1 single
printf '\n\n' >blank
counts empty '... nothing but blank lines' gpuhist --csv -f 1 blank
printf 'a\t1\nx\t1\n' >wanted
printf 'x\n\n\na,1\n' >mixed
counts wanted '... whatever columns later records have' gpuhist --csv -f 1 mixed
gpuhist --csv -f 1 gaps mixed >wanted
gpuhist --csv -f 1 --state=1.state gaps >out
gpuhist --csv -f 1 --state=2.state mixed >out
counts wanted '... as in states' gpuhist --merge 2.state 1.state
counts wanted '... and in another order' gpuhist --csv -f 1 mixed gaps
awk 'BEGIN {
    for (i = 0; i < 30000; i++)
        printf "%s%d,%s\n", i % 7 ? "" : i % 2 ? "\n\n" : "\r\n", i % 100,
            i % 11 ? i : "\"\n\n\"\"\n\""
}' >long
python3 -c 'import csv, collections
rows = [row[0] for row in csv.reader(open("long", newline="")) if row]
for key, count in sorted(collections.Counter(rows).items()):
    print(key, count, sep="\t")' >wanted
for how in -j1 '-j4 --chunk-size=4k' '-j4 --chunk-size=100k'; do
    # shellcheck disable=SC2086 # several words
    counts wanted "blank lines in ranges of a file: $how" \
        gpuhist --csv -f1 $how long
done
for i in 1 2 3; do
    gpuhist --csv -f1 --shard=$i/3 --state=part$i long >out
done
gpuhist --merge part1 part2 part3 >out
same out wanted '... in shards'
gpuhist --csv -f1 --per-file gaps single long >out
{
    for file in gaps single long; do
        gpuhist --csv -f1 $file >one
        [ $file != single ] || printf '1\t2\nx\t1\n' >one
        sed "s/^/$file\t/" one
    done
} >wanted
same out wanted '... --per-file: the first input tells how many columns there are'

# ---- names in double quotes ----

printf '2024,"a,b",x,2024-1,NF,"q""r",1\n1,2,3,4,5,6,7\n' >names
while read -r list wanted; do
    printf '%s\t1\n' "$wanted" >wanted
    counts wanted "a name in double quotes: $list" gpuhist --csv -f "$list" names
    counts wanted '... of --group-by' gpuhist --csv -g "$list" names
    counts wanted '... of --where' \
        gpuhist --csv -f "$list" --where="$list=$wanted" names
    printf '3\t%s\n' "$wanted" >wanted
    counts wanted '... of --weights' \
        gpuhist --csv -g x --weights="$list" names
done <<'EOT'
"2024" 1
"a,b" 2
"2024-1" 4
"NF" 5
"q""r" 6
"1" 7
EOT
printf '2024\t1\t1\na,b\t2\t1\nx\t3\t1\n' >wanted
counts wanted '... several' gpuhist --csv -f '"2024","a,b","x"' names
printf '1\t2\t1\n' >wanted
counts wanted '... of --joint' gpuhist --csv --joint -f '"2024","a,b"' names
printf '1\t4\t5\n' >wanted
counts wanted '... of --columns' \
    gpuhist --csv -g '"2024","2024-1"' -f '"NF"' --columns=sum names
gpuhist --csv -f '"2024"' --state=state names >out
gpuhist --merge state >merged
same merged out '... in a state'
printf '"2024"\tb\n1\t2\n' >quoted
printf '1\t1\n' >wanted
counts wanted 'a header that has quotes itself' gpuhist --tsv -f '"2024"' quoted
counts wanted '... which may be doubled' gpuhist --tsv -f '"""2024"""' quoted
says 1 "--fields: no field is named 'nix' in the header of quoted, which has '\"2024\"', 'b'" \
    'a name that is not there' gpuhist --tsv -f '"nix"' quoted
says 2 "--fields: '' is no name of a field" '... no name' \
    gpuhist --csv -f '""' names
says 2 "--fields: 'x' is listed twice" '... twice' gpuhist --csv -f 'x,"x"' names
says 1 "--fields: '2024' is field 1, which is listed, too" '... by number' \
    gpuhist --csv -f '1,"2024"' names
echo '{"a.b":1,"a":{"b":2},"2024":3}' >json
for path in '"a.b" 2' '"[""a.b""]" 1' '"2024" 3'; do
    printf '%s\t1\n' "${path##* }" >wanted
    counts wanted "a path in double quotes: $path" \
        gpuhist --jsonl -f "${path% *}" json
done
echo '127.0.0.1 - - [22/Nov/2026:08:01:05 +0100] "GET / HTTP/1.1" 200 5' >log
printf 'host\t127.0.0.1\t1\nstatus\t200\t1\n' >wanted
counts wanted 'names of --clf in double quotes' \
    gpuhist --clf -f '"host","status"' log

printf 'a:b\n1:2\n' >colons
printf '2\t1\n' >wanted
counts wanted 'fields between delimiters' gpuhist -d: -fb colons
counts wanted '... after --skip-bytes' gpuhist -d: -fb --skip-bytes=0 colons
printf 'junk\na:b\n1:2\n' >junk
counts wanted '... after the skipped bytes' gpuhist -d: -fb --skip-bytes=5 junk
counts empty '... --read-bytes includes the header' \
    gpuhist -d: -fb --skip-bytes=5 --read-bytes=4 junk
printf 'name,stat,x\na,1,2\n' >other
says 1 "other: field 2 of the header is 'stat', but 'st\nat' in data" \
    'headers that differ' gpuhist --csv -fname data other
printf 'name,stat\na,1\n' >shorter
says 1 'shorter: the header has 2 fields, but 3 in other' '... a shorter one' \
    gpuhist --csv -fname other shorter
says 1 "--fields: no field is named 'nix' in the header of data, which has 'name', 'st\nat', 'x'" \
    'a name that is not there' gpuhist --csv -fnix data
printf 'a,b,a\n1,2,3\n' >twice
says 1 "--fields: several fields are named 'a' in the header of twice" \
    '... that is there twice' gpuhist --csv -fa twice
printf '2\t1\n' >wanted
counts wanted '... but is not asked for' gpuhist --csv -fb twice
says 1 "--fields: 'b' is field 2, which is listed, too" \
    'a field by name and by number' gpuhist --csv -f2,b twice
seq -s, 400000 | sed 's/[0-9]*/f&/g' >long
seq -s, 400000 >>long
printf '399999\t1\n' >wanted
counts wanted 'a header of 3 MB' gpuhist --csv -ff399999 long
"$GPUHIST" --csv -ff399999 <long >out
same out wanted '... in a file that standard input is'
# shellcheck disable=SC2002 # a pipe
cat long | "$GPUHIST" --csv -ff399999 >out
same out wanted '... in a pipe'
says 1 'long: the header is longer than 2097152 bytes (--memory-limit allows longer ones)' \
    '... that does not fit' gpuhist --csv -fx --memory-limit=16Mi long
refused 1 'an input that is missing' gpuhist --csv -fx nothing data
{
    echo name,number
    seq 1000000 | sed 's/^/x,/'
} >data
gpuhist --csv -j4 -fname data >out
is "$(cat out)" "x$(printf '\t')1000000" 'a header of a large file is read once'
if [ "$HAVE_ZSTD" = yes ]; then
    head -n 1 data | zstd -q -c >data.zst
    tail -n +2 data | zstd -q -c >>data.zst
    gpuhist --csv -j4 -fname data.zst >out
    is "$(cat out)" "x$(printf '\t')1000000" '... of a compressed one, too'
else
    skip 'a compressed file with a header' 'built without zstd'
fi

# ---- a byte order mark before the first record ----

for format in '-l' '--csv -f1' '--csv -f1 -d;' '--tsv -f1' '-W -f1' '--words' \
    '-l -z'; do
    case $format in
        *-f*) text='"x, y";z\n"x, y";z\nw;v\n' ;;
        *) text='x\ny\nx\n' ;;
    esac
    # shellcheck disable=SC2059 # it is a format
    printf "$text" >plain
    {
        printf '\357\273\277'
        cat plain
    } >marked
    case $format in
        *-z)
            tr '\n' '\0' <marked >both
            mv both marked
            tr '\n' '\0' <plain >both
            mv both plain
            ;;
    esac
    # shellcheck disable=SC2086 # several words
    gpuhist $format plain >wanted
    # shellcheck disable=SC2086
    counts wanted "it is left out: $format" gpuhist $format marked
    # shellcheck disable=SC2086
    "$GPUHIST" $format <marked >out
    same out wanted '... of standard input'
    cat plain plain >twice
    # shellcheck disable=SC2086
    gpuhist $format twice >wanted
    # shellcheck disable=SC2086
    counts wanted '... of one input of two' gpuhist $format plain marked
    for i in 1 2 3; do
        # shellcheck disable=SC2086
        gpuhist $format --shard=$i/3 --state=state$i marked marked >out
    done
    gpuhist --merge state1 state2 state3 >out
    same out wanted '... of shards'
done
printf '\357\273\277' >mark
counts empty 'nothing but a mark' gpuhist -l mark
printf '\357\273' >half
printf '\357\273\t1\n' >wanted
counts wanted 'half a mark is a line' gpuhist -l half

# ---- carriage returns, but no line feed ----

unlined="carriage returns, but no line feed, which ends a line: all is one line (tr '\\r' '\\n' divides it)"
printf 'name,n\ra,1\rb,2\r' >returns
seq 100000 | tr '\n' '\r' >long
seq 100000 | sed 's/$/\r/' >pairs
for options in '--csv -f name' '--csv -f1' -l '--tsv -f1' '-W -f1' --words; do
    # shellcheck disable=SC2086 # several words
    gpuhist $options returns >out 2>err
    is "$? $(cat err)" "0 gpuhist: warning: returns: $unlined" \
        "a warning names them: $options"
    # shellcheck disable=SC2086
    "$GPUHIST" $options <returns 2>err >out
    is "$? $(cat err)" "0 gpuhist: warning: standard input: $unlined" \
        '... of standard input'
done
for options in '--csv -f1' -l --words '-d, -f1'; do
    for how in -j1 '-j4 --chunk-size=4k' -j8; do
        # shellcheck disable=SC2086
        gpuhist $options $how pairs long returns 2>err >out
        is "$(cat err)" "gpuhist: warning: long and 1 more input: $unlined" \
            "two of three files, $options $how"
        # shellcheck disable=SC2086,SC2002
        cat long | "$GPUHIST" $options $how 2>err >out
        is "$(cat err)" "gpuhist: warning: standard input: $unlined" \
            '... a pipe'
        # shellcheck disable=SC2086
        gpuhist $options $how pairs 2>err >out
        is "$(cat err)" '' '... none before line feeds'
    done
done
gpuhist -q -l long 2>err >out
is "$(cat err)" '' '... none with -q'
tr '\n' '\0' <data | "$GPUHIST" -z -l 2>err >out
is "$(cat err)" '' '... none where NUL ends lines'
if [ "$HAVE_ARCHIVE" = yes ]; then
    tar cf returns.tar pairs long returns
    gpuhist --members -l returns.tar 2>err >out
    is "$(cat err)" "gpuhist: warning: returns.tar: long and 1 more input: $unlined" \
        '... members of an archive'
else
    skip '... members of an archive' 'built without libarchive'
fi

printf 'a,b\n1,2\n' >data
for fields in 3 NF-7; do
    gpuhist --csv -f1,$fields data >out 2>err
    is "$? $(cat err)" "0 gpuhist: warning: no record has field $fields" \
        "field $fields, which no record has"
done
gpuhist -q --csv -f3 data >out 2>err
is "$(cat out err)" "\\N$(printf '\t')2" '... -q: no warning'
printf 'x,y,z\n1,2\n' >data
gpuhist --csv -fz data >out 2>err
is "$(cat err)" 'gpuhist: warning: no record has field z' \
    'a name in the header only'
says 2 "--fields=9: '9' is not a field from 1 to 1: lines are not divided yet (fields of text need -W, --tsv, --csv, --clf, --jsonl, --logfmt, --seq or -d)" \
    'a field of text without a format' gpuhist -f9 data
says 2 "--fields=name: 'name' is not a field from 1 to 1: lines are not divided yet (fields of text need -W, --tsv, --csv, --clf, --jsonl, --logfmt, --seq or -d)" \
    '... by name' gpuhist -fname data

# ---- logs ----

cat >log <<'EOF'
1.2.3.4 - bob [22/Nov/2026:08:01:05 +0100] "GET /a?b=1 HTTP/1.1" 200 12 "ref" "agent x" extra
1.2.3.5 - - [22/Nov/2026:08:02:05 +0100] "-" 400 0 foo bar
EOF
while read -r field first second; do
    printf '%s\n%s\n' "$first" "$second" | LC_ALL=C sort | uniq -c |
        awk '{ n = $1; sub(/^ *[0-9]+ /, ""); print $0 "\t" n }' |
        awk '/^\\N/ { last = $0; next } { print } END { if (last) print last }' \
        >wanted
    counts wanted "--clf -f $field" gpuhist --clf -f "$field" log
done <<'EOF'
host 1.2.3.4 1.2.3.5
user bob -
minute 2026-11-22T08:01 2026-11-22T08:02
hour 2026-11-22T08 2026-11-22T08
day 2026-11-22 2026-11-22
path /a \N
query b=1 \N
method GET \N
target /a?b=1 \N
protocol HTTP/1.1 \N
status 200 400
referer ref \N
+1 extra foo
+2 \N bar
EOF
number=0
for name in host ident user time time method target protocol status bytes \
    referer agent; do
    number=$((number + 1))
    says 2 "--fields: the fields of --clf have names: for awk's \$$number write $name" \
        "--clf -f $number" gpuhist --clf -f $number log
done
refused 2 '--clf and another name' gpuhist --clf -f nine log
refused 2 '... +0' gpuhist --clf -f +0 log
refused 2 '... NF' gpuhist --clf -f NF log

# ---- words ----

printf 'a b\n\nc  a\tb\r\n' >data
printf 'a\t2\nb\t1\nb\r\t1\nc\t1\n' >wanted
counts wanted 'words' gpuhist --words data
yes 'a line of words without an end' | head -n 200000 | tr '\n' ' ' >data
gpuhist --words -j2 data >out
is "$(cut -f 2 out | sort -u | tr '\n' ' ')$(wc -l <out)" '200000 7' \
    '... on a line that is longer than a chunk'

# ---- what makes no sense ----

refused 2 '--csv needs a field' gpuhist --csv data
refused 2 '... no NUL' gpuhist --csv -z -f1 data
refused 2 '... no quote as delimiter' gpuhist --csv -d '"' -f1 data
refused 2 '... no number 0' gpuhist --csv -f0 data
refused 2 '--clf needs a field' gpuhist --clf data
refused 2 '... no delimiter' gpuhist --clf -d, -fhost data
refused 2 '... no header' gpuhist --clf -H -fhost data
refused 2 '--words has no fields' gpuhist --words -f1 data
refused 2 '--lines has no header' gpuhist -l -H data

# ---- anything ----

python_checks "$srcdir/tests/cli/records_oracle.py"

done_testing
