# SPDX-License-Identifier: MIT
# where.sh -- --where: only records that meet conditions are counted
# shellcheck shell=sh disable=SC1003,SC2016,SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

python_checks "$srcdir/tests/cli/where_oracle.py"

# ---- what is refused, and where ----

# place CONDITION TEXT [OPTION...]: what the message says of CONDITION.
place()
{
    place_condition=$1
    place_text=$2
    shift 2
    [ $# -gt 0 ] || set -- --csv -f1
    says 2 "--where=$place_condition: $place_text" "'$place_condition'" \
        gpuhist "$@" --where="$place_condition" </dev/null
}

other='another operator; quote a value that has one, and write && or || '\
'between conditions'
bare='no operator (= != < <= > >= =~ !~): write FIELD OP VALUE, and quote < '\
'and >, which the shell takes'
place '' "at character 1: $bare"
place 'a b' "at character 4: $bare"
place '!a' "at character 3: $bare"
place '"a" b' 'at character 5: no operator (= != < <= > >= =~ !~) after the field'
place '  =5' 'at character 3: no field in front of the operator'
place '""=5' 'at character 1: the name of a field is empty'
place 'a<' "at character 3: no value after the operator; '' is the empty text"
place 'a >=  ' \
    "at character 7: no value after the operator; '' is the empty text"
while read -r wrong right note; do
    place "a${wrong}5" \
        "at character 2: write $right instead of $wrong${note:+; $note}"
    place "a $wrong 5 || b=1" \
        "at character 3: write $right instead of $wrong${note:+; $note}"
done <<'END'
=== =
==~ =~
!== !=
!=~ !~ quote a value that begins with ~
=! != quote a value that begins with !
=!= != quote a value that begins with !
=!~ !~ quote a value that begins with !
<> !=
=< <=
=> >=
END
for op in '>>' '<=>' '=<=' '====' '><'; do
    place "a${op}5" \
        'at character 2: no such operator; there are = != < <= > >= =~ !~'
done
tilde='quote a value that begins with ~'
for op in '=~' '!~'; do
    place "a${op}~5" "at character 4: $tilde"
done
place 'a<~5' "at character 3: $tilde"
place 'a = ~5' "at character 5: $tilde"
place 'a != ~5' "at character 6: $tilde"
place 'a=~' "at character 4: no value after the operator; '' is the empty text"
place '1<a<5' "at character 4: $other"
# Where no letter can be printed, each byte is a mark.
says 2 "--where=??<??=5: at character 4: $other" 'characters, not bytes' \
    gpuhist --csv -f1 --where='ü<é=5' </dev/null
place 'a=1 b=2' "at character 6: $other"
place 'a="x" b' 'at character 7: the condition goes on after the quoted value; '\
'write && or || between conditions'
both='a condition stands on both sides of || and &&'
place '|| a=1' "at character 1: $both"
place 'a=1 &&' "at character 7: $both"
place 'a=1 || && b=2' "at character 8: $both"
place 'a=1||2' "at character 7: $bare"
place 'a||b=1' "at character 2: $bare"
round='there are no parentheses: give --where for each part that must hold; '\
'quote a name that begins with ('
place ' (a=1)' "at character 2: $round"
place 'a=1 || (b=2)' "at character 8: $round"
shell='the shell leaves the \ before a ! in double quotes: write the '\
'condition in single quotes; quote a name that ends with \'
place 'a\!=1' "at character 2: $shell"
place 'a=1 && b\ !~1' "at character 9: $shell"
place "a='x" 'at character 3: this quote is not closed'
place '"a=5' 'at character 1: this quote is not closed'
place 'a["x=5' 'at character 3: this quote is not closed' --jsonl -fa
place 'a=nan' 'at character 3: no number compares with nan; quote it if it is '\
'text'
place 'a<\N' 'at character 3: a missing field (\N) is only = or != another one'
place 'a=1e100000000001' 'at character 3: this exponent is too large'
says 2 "--where: '1-3' is not one field (1, NF, NF-1, or a name)" 'several' \
    gpuhist --csv -f1 --where=1-3=5 </dev/null
says 2 "--where: the fields of --clf have names: for awk's \$9 write status" \
    'a number of a log' gpuhist --clf -f path --where=9=5 </dev/null
refused 2 'a field that no log has' gpuhist --clf -fpath --where=x=5 </dev/null
refused 2 'a path that is none' gpuhist --jsonl -fa --where=a..b=5 </dev/null
says 2 "--where: '2' is no field: a whole line is field 1" 'a field of lines' \
    gpuhist -l --where=2=5 </dev/null
says 2 "--where: '1' is no field: a whole word is field 1" 'a name of words' \
    gpuhist --words --where="'1'=5" </dev/null
echo a,b >header
says 1 "--where: no field is named 'c' in the header of header, which has 'a', 'b'" 'no such name' \
    gpuhist --csv -f1 --where=c=5 header
needs='--where is for fields of text: it needs --lines, --delimiter, --tsv, '\
'--csv, --whitespace, --clf, --jsonl, --logfmt, --regex, --matches, '\
'--log-format, --words, --counts, --seq or --kmers'
for options in '' --dtype=u4 --npy --image; do
    # shellcheck disable=SC2086 # one word or none
    says 2 "$needs" "binary samples: $options" gpuhist $options --where=1=5 \
        </dev/null
done
says 2 '--where: quality is of each base, and this counts whole sequences: '\
'base, position, quality and kmer are no fields of these' 'a field of bases' \
    gpuhist --seq -f gc --where='quality>=5' </dev/null
says 2 "--where: length is a number, and '5' is none" 'text and a number' \
    gpuhist --seq --where="length='5'" </dev/null
refused 2 'a field that no sequence has' gpuhist --seq --where=x=5 </dev/null
says 2 '--where and --device=cuda exclude each other' 'sequences on a GPU' \
    gpuhist --seq --where='length>=5' --device=cuda </dev/null
yes -- --where=1=1 | head -n 65 >many
xargs "$GPUHIST" --csv -f1 <many >out 2>err
is "$(cat err)" 'gpuhist: --where is given more than 64 times' \
    'too many conditions'
yes '1=1 && 1=1' | head -n 33 | sed 's/^/--where=/' >many
tr '\n' '\0' <many | xargs -0 "$GPUHIST" --csv -f1 >out 2>err
is "$(cat err)" 'gpuhist: --where: more than 64 conditions' \
    '... in fewer options'

# ---- wrong lines, and lines without fields ----

printf '%s\n' '{' '{"a":1}' '{"b":1}' >wrong
printf '\\N\t1\n' >wanted
counts wanted 'a wrong line is not missing a field' \
    gpuhist -q --jsonl -fa --invalid=count --where='a=\N' wrong
printf '1\t1\n' >wanted
counts wanted '... nor has it another one' \
    gpuhist --jsonl -fa --invalid=count --where='a!=\N' wrong
refused 1 'a wrong line is an error that no condition leaves out' \
    gpuhist --jsonl -fa --where=a=1 wrong
counts /dev/null 'no input' gpuhist --csv -fa --where=b=1 /dev/null
printf 'a,b\n' >empty
counts /dev/null 'a header alone' gpuhist --csv -fa --where=b=1 empty
counts /dev/null 'nothing is left' gpuhist -q --csv -f1 --where=1=x empty
counts /dev/null '... of numbers' \
    gpuhist -q --csv -f1 -b2 --range=0,1 --nonzero --where=1=x empty

# ---- nothing is left ----

# warned WANTED TEXT NAME COMMAND...: it prints WANTED, and a warning.
warned()
{
    warned_wanted=$1
    warned_text=$2
    warned_name=$3
    shift 3
    gpuhist "$@" >out 2>err
    is "$?" 0 "$warned_name"
    same out "$warned_wanted" '... the rows'
    is "$(cat err)" "gpuhist: warning: $warned_text" '... a warning'
    gpuhist -q "$@" >out 2>err
    is "$(cat err)" '' '... not with -q'
}

printf '%s\n' 'a ~x' 'b' 'c' >some
printf 'a\t1\n' >wanted
counts wanted 'a value that begins with ~' gpuhist -W -f1 --where='2="~x"' some
counts wanted '... in other quotes' gpuhist -W -f1 --where="2 = '~x'" some
printf 'a||b,(c\na||b,1\na|b,2\n' >bars.csv
printf 'a||b\t1\n' >wanted
counts wanted 'a value that has ||' gpuhist --csv -Hf1 --where='1="a||b"' bars.csv
counts wanted '... and a name that begins with (' \
    gpuhist --csv -Hf1 --where='"(c"=1' bars.csv
printf 'a|b\t1\n' >wanted
counts wanted 'a single | needs no quotes' \
    gpuhist --csv -Hf1 --where='1=a|b' bars.csv
printf 'a||b,1\n"a\\",2\n' >names.csv
printf '2\t1\n' >wanted
counts wanted '... and a name with ||' \
    gpuhist --csv -f2 --where='"a||b"=a\' names.csv
printf 'a\\,b\n1,x\n2,y\n' >names.csv
printf 'y\t1\n' >wanted
counts wanted '... and a name that ends with a backslash' \
    gpuhist --csv -fb --where='"a\"!=1' names.csv
printf 'a\t1\n' >wanted
printf 'b\t1\nc\t1\n' >rest
counts rest 'a field that some records lack' gpuhist -W -f1 --where='2=\N' some
printf '!x,1\nx,2\n' >marks.csv
printf '1\t1\n' >wanted
for value in ' !x' '"!x"' " '!x'"; do
    counts wanted 'a value that begins with !' \
        gpuhist --csv -f2 --where="1=$value" marks.csv
done
printf 'a\t1\n' >wanted
log_rest='[28/Nov/2026:06:41:00 +0000] "GET / HTTP/1.1" 200 1'
for host in a b c; do echo "$host - - $log_rest"; done >log
fulfils='no record fulfils --where=1=x'
printf '%s\n' '{"1":"a"}' '{"1":"b"}' >some.json
tr ' ' '\t' <some >some.tsv
tr ' ' , <some >some.csv
for options in '-W some' '--tsv some.tsv' '-l some' '--words some' \
    '--csv some.csv' "-d, some.csv" '--jsonl some.json' \
    '-W some -j3 --chunk-size=4096' '-W --per-file some some'; do
    case $options in -l* | --words*) set -- ;; *) set -- -f1 ;; esac
    # shellcheck disable=SC2086 # several words
    warned /dev/null "$fulfils" "no record: $options" "$@" --where=1=x $options
done
warned /dev/null "$fulfils" 'a pipe' -W -f1 --where=1=x - <some
warned /dev/null 'no record fulfils all 2 conditions of --where: 1=b leaves none' \
    'two conditions that some records fulfil' -W -f1 --where=1=a --where=1=b some
warned /dev/null 'no record fulfils all 3 conditions of --where: 1=x leaves none' \
    '... with &&' -W -f1 --where='1=a && 1=x' --where=1=b some
warned /dev/null 'no record fulfils --where=1 = "a=b"' 'quotes, as typed' \
    -W -f1 --where='1 = "a=b"' some
warned /dev/null 'no record fulfils all 2 conditions of --where: 1=1k leaves none' \
    '... and a unit' -W -f1 --where=1=a --where=1=1k some
warned /dev/null 'no record fulfils --where=1=x || 2 = y' 'alternatives' \
    -W -f1 --where='1=x || 2 = y' some
warned /dev/null 'no record fulfils all 2 conditions of --where: 1=x||1=y leaves none' \
    '... and another condition' -W -f1 --where='1=x||1=y' --where=1=a some
warned /dev/null 'no record fulfils all 2 conditions of --where: 1=a leaves none' \
    '... that none of the rest fulfils' -W -f1 --where='1=b||1=c' --where=1=a some
counts /dev/null '... no record at all' \
    gpuhist -W -f1 --where=1=a --where=1=b /dev/null
warned /dev/null 'no record has field 3, which --where names' \
    'a field that no record has' -W -f1 --where=3=x some
warned /dev/null 'no record has field 3, which --where names' \
    '... behind one that all have' -W -f1 --where=1=b --where='3!=\N' some
printf 'a\t1\nb\t1\nc\t1\n' >wanted
warned wanted 'no record has field 3, which --where names' \
    '... in an alternative' -W -f1 --where='1!=x || 3=x' some
counts wanted '... which is what was asked for' \
    gpuhist -W -f1 --where='3=\N' some
counts wanted '... or one of two things' \
    gpuhist -W -f1 --where='3=\N || 1=a' some
counts wanted '... of lines of a log' \
    gpuhist --clf -f host --where='vhost=\N' log
warned wanted 'no record has field 3, which --where names' \
    '... and another condition wants a value' -W -f1 --where='3=\N || 3=x' some
warned /dev/null 'no record fulfils all 2 conditions of --where: 1=x leaves none' \
    '... and no record fulfils another condition' \
    -W -f1 --where='3=\N' --where=1=x some
warned /dev/null 'no record fulfils --where=1=\N' \
    'absence of a field that all records have' -W -f1 --where='1=\N' some
printf 'b\t1\n' >wanted
printf 'd e f\n' >third
counts wanted '... in one input of two' \
    gpuhist -W -f1 --where='3=\N' --where=1=b some third
warned /dev/null "no record has field a.b, which --where names; the first record has '1'" \
    'a path that no line has' --jsonl -f1 --where=a.b=1 some.json
printf '%s\n' 'k	\N	1' 'l	\N	2' >tuples
warned /dev/null 'no record has field 2, which --where names' \
    'the text of a missing field' --counts -f1 --where=2=1 tuples
printf '>r\nACGT\n' >one.fa
for options in '' -fname --kmers=3 '-f length' '-f position,base --joint'; do
    # shellcheck disable=SC2086 # several words
    gpuhist $options --seq --where='length>4' one.fa 2>err >out
    is "$(cat err)" 'gpuhist: warning: no record fulfils --where=length>4' \
        "sequences, $options"
done
warned /dev/null 'no record has field mean-quality, which --where names' \
    'qualities of FASTA' --seq -f name --where='mean-quality>4' one.fa
# shellcheck disable=SC2094 # the name of a variable
gpuhist -W -f1 --where=1=x --state=none some 2>err >out
is "$(cat err)" "gpuhist: warning: $fulfils" 'a state'
warned /dev/null "$fulfils" '... that is merged' -m none
gpuhist -W -f1 --where=1=x --state=more third 2>err >out
warned /dev/null "$fulfils" '... and two' -m none more
printf 'x y\n' >x
gpuhist -W -f1 --where=1=x --state=more x 2>err >out
printf 'x\t1\n' >wanted
counts wanted '... one of which has such a record' gpuhist -m none more
gpuhist -W -f1 --where=1=x --state=none-read /dev/null >out 2>err
is "$(cat err)" '' '... of no record'
counts /dev/null '... that is merged' gpuhist -m none-read

# ---- the figure ----

awk 'BEGIN {
    for (i = 0; i < 60000; i++) {
        s = (s * 69069 + 1) % 4294967296
        k = int(s / 65536)
        printf "key%d;%d;%.2f;%d\n", k % 997, k % 7, i / 100, k % 3 + 1
    }
}' >data
awk -F';' '$2 >= 3 && $3 < 500.5 && $1 != "key5"' data >kept
left=$(($(wc -l <data) - $(wc -l <kept)))
set -- -d';' --where='2>=3' --where='3<500.5' --where='1!=key5'
cut -d';' -f1 kept | sort | uniq -c | awk '{ print $2 "\t" $1 }' >wanted
counts wanted 'three conditions, as awk' gpuhist "$@" -f1 data
gpuhist "$@" -f1 --format=json data >json
grep -q "\"records\":$(wc -l <kept),\"left_out\":$left," json
ok $? '... in JSON'
! gpuhist -d';' -f1 --format=json data | grep -q left_out
ok $? '... not without conditions'
gpuhist "$@" -f1 --explain data 2>err >out
grep -qx "gpuhist: explain: records left out by --where: $left" err
ok $? '... in --explain'
gpuhist "$@" -f3 -b5 --range=0,1000 --stats=only data >out
is "$(head -n1 out) $(tail -n1 out)" \
    "values	$(wc -l <kept) left-out	$left" '... in --stats'
gpuhist "$@" -f3 -b5 --range=0,1000 --percentiles=50 -q data 2>&1 >out |
    grep -q left-out
is $? 1 '... not beside percentiles alone'

# ---- other tools ----

if command -v mlr >mlr-path; then
    mlr --icsvlite --ifs ';' --implicit-csv-header --onidx \
        filter '$2 >= 3 && $3 < 500.5 && $1 != "key5"' data 2>err |
        awk '{ n[$1]++ } END { for (k in n) print k "\t" n[k] }' | sort >got
    sort wanted | cmp -s - got
    ok $? 'Miller keeps the same records'
else
    skip 'Miller keeps the same records' 'it is not installed'
fi
if command -v jq >jq-path; then
    sed 's/\(.*\);\(.*\);\(.*\);.*/{"k":"\1","x":{"n":\2},"y":\3}/' data >lines
    jq -r 'select(.x.n >= 3 and .y < 500.5 and .k != "key5") | .k' lines |
        sort | uniq -c | awk '{ print $2 "\t" $1 }' >got
    gpuhist --jsonl -fk --where='x.n>=3' --where='y<500.5' \
        --where='k!=key5' lines >out
    same out got 'jq keeps the same lines'
else
    skip 'jq keeps the same lines' 'it is not installed'
fi

# ---- the same bytes, however it is counted ----

gzip -k data
for options in -j1 -j3 -j16 '-j2 --chunk-size=4096' '-j3 --chunk-size=64Ki' \
    --memory-limit=9Mi; do
    # shellcheck disable=SC2086 # several words
    counts wanted "$options" gpuhist $options "$@" -f1 data
    # shellcheck disable=SC2086,SC2094 # several words; the name of a variable
    counts wanted '... a pipe' gpuhist $options "$@" -f1 - <data
done
[ "$HAVE_GZIP" = no ] || counts wanted 'gzip' gpuhist "$@" -f1 data.gz
counts wanted 'the field of a condition is counted, too' \
    gpuhist "$@" -f1 --where='1>=key' data
cut -d';' -f1,2 kept | sort | uniq -c | awk '{ print $2 "\t" $1 }' |
    tr ';' '\t' | sort -t "$(printf '\t')" -k1,1 -k2,2 >tuples
counts tuples 'groups' gpuhist "$@" -g1,2 data
cut -d';' -f1,3 kept |
    awk -F';' '{ n[$1 "\t" int($2 / 100)]++ } END { for (k in n) print k, n[k] }' |
    sort >bins
gpuhist "$@" -g1 -f3 --bin-width=100 --range=0,600 data |
    awk -F'\t' '$4 > 0 { print $1 "\t" $2 / 100, $4 }' | sort >out
same out bins 'bins by group'
awk -F';' '{ n[$1] += $3 } END { for (k in n) print k }' kept | sort >got
if command -v datamash >datamash-path; then
    datamash -t';' -s -g1 sum 4 <kept | tr ';' '\t' >sums
else
    awk -F';' '{ n[$1] += $4 } END { for (k in n) print k "\t" n[k] }' kept |
        sort >sums
fi
counts sums 'weights' gpuhist "$@" -f1 --weights=4 data

# ---- keys beyond the memory ----

seq 1000000 1600000 | awk '{ print $1 % 3 "\t" $1 }' >numbers
awk '$1 != 1 { print $2 "\t1" }' numbers >spilled
counts spilled 'keys in runs' gpuhist -q --tsv -f2 --where='1!=1' \
    --memory-limit=9Mi numbers
gpuhist --explain --tsv -f2 --where='1!=1' --memory-limit=9Mi numbers \
    2>err >out
grep -q 'runs in temporary files' err
ok $? '... which there are'

# ---- states, shards, snapshots, inputs ----

gpuhist "$@" -f1 --state=all data >out
same out wanted 'with a state'
grep -q "^total.*	left-out=$left	" all
ok $? '... which has what is left out'
for i in 1 2 3; do
    gpuhist "$@" -f1 --shard=$i/3 --state=s$i data >out
done
counts wanted 'shards' gpuhist -m s3 s1 s2
gpuhist -m s2 s3 s1 --state=sum >out
awk '$1 != "part"' all | sed 's/	hash=.*//' >one
awk '$1 != "part"' sum | sed 's/	hash=.*//' >three
same one three '... are the same state'
gpuhist -m sum --format=json | grep -q "\"left_out\":$left,"
ok $? '... with what is left out'
gpuhist -m sum --explain 2>err >out
grep -qx "gpuhist: explain: records left out by --where: $left" err
ok $? '... in --explain'
grep '^option	--where\|^spec	where' all >lines
printf '%s\n' 'option	--where=2>=3' 'option	--where=3<500.5' \
    'option	--where=1!=key5' 'spec	where	field=2	>=	number	3' \
    'spec	where	field=3	<	number	500.5' \
    'spec	where	field=1	!=	text	key5' >typed
same lines typed 'a state has the conditions'
gpuhist -d';' -f1 --where='2>=4' --state=other data >out
refused 1 'states of other conditions do not add up' gpuhist -m all other
gpuhist -d';' -f1 --state=other data >out
refused 1 '... nor of none' gpuhist -m all other
refused 2 'the states say what was counted' gpuhist -m --where=1=5 all
# A tab and a line feed in a value.
gpuhist -d';' -f1 --where="$(printf '1!="\t\n\\t"')" --state=odd data >out
gpuhist -m odd >again
same out again 'a value of odd bytes'
sed '/^total/s/left-out=[0-9]*/left-out=x/' all >bad
refused 1 'a figure that is no number' gpuhist -m bad
printf 'a;b\n' >names
for file in one two; do
    cat names data >$file.csv
done
gpuhist -d';' -fa --where='b>=3' --state=named one.csv >out
gpuhist -d';' -fa --where='b>=3' --state=named2 two.csv >out
gpuhist -m --duplicates=allow named named2 >out
gpuhist -d';' -fa --where='b>=3' one.csv two.csv >again
same out again 'a name in a state'

gpuhist "$@" -f1 --every=100k --format=jsonl data |
    sed -n 's/.*"records":\([0-9]*\),"left_out":\([0-9]*\).*/\1 \2/p' >steps
awk -v left="$left" -v all="$(wc -l <data)" '
    $1 < before || $2 < before_left { bad = 1 }
    { before = $1; before_left = $2 }
    END { exit bad || NR < 5 || $2 != left || $1 + $2 != all }' steps
ok $? 'each snapshot has its figure'
gpuhist "$@" -f1 --every=100k --reset --format=jsonl data |
    sed -n 's/.*"records":\([0-9]*\),"left_out":\([0-9]*\).*/\1 \2/p' |
    sed '$d' >steps
awk -v left="$left" -v all="$(wc -l <data)" '{ sum += $2; n += $1 }
    END { exit NR < 5 || sum != left || n + sum != all }' steps
ok $? '... with --reset only its own'

head -n 1000 data >first
gpuhist "$@" --per-file -f1 --format=json first data >per-file
for file in first data; do
    figure=$(gpuhist "$@" -f1 --format=json $file |
        sed -n 's/.*"left_out":\([0-9]*\),.*/\1/p')
    grep -q "\"file\":\"$file\",.*\"left_out\":$figure," per-file
    ok $? "--per-file: $file"
done
gpuhist "$@" --per-file -f3 -b5 --range=0,1000 --stats=only first data |
    awk '{ print $1, $NF }' >out
small=$(grep -c . first)
small=$((small - $(awk -F';' '$2 >= 3 && $3 < 500.5 && $1 != "key5"' first |
    grep -c .)))
printf '%s\n' 'file left-out' "first $small" "data $left" >got
same out got '... and a column of statistics'
gpuhist "$@" --per-file -f1 --explain first data 2>err >out
grep -qx "gpuhist: explain: records left out by --where: $((small + left))" err
ok $? '... their sum in --explain'

# ---- sequences ----

awk 'BEGIN {
    srand(1)
    for (i = 0; i < 9000; i++) {
        bases = quality = ""
        for (n = int(rand() * 60); n > 0; n--) {
            bases = bases substr("ACGTN", int(rand() * 5) + 1, 1)
            quality = quality substr("#5?I", int(rand() * 4) + 1, 1)
        }
        printf "@r%d\n%s\n+\n%s\n", i, bases, quality
    }
}' >reads.fq
paste - - - - <reads.fq | awk -F'\t' 'length($2) >= 30 && $1 != "@r77"' |
    tr '\t' '\n' >long.fq
left=$((9000 - $(wc -l <long.fq) / 4))
set -- --seq --where='length>=30' --where=name!=r77
for job in '' '-f length,gc,mean-quality' --kmers=7 '--kmers=7 --spectrum' \
    '--joint -f position,quality' '-f mean-error-quality -b9 --range=0,45'; do
    # shellcheck disable=SC2086 # several words
    gpuhist --seq $job long.fq >wanted
    for options in -j1 '-j3 --chunk-size=4096'; do
        # shellcheck disable=SC2086 # several words
        counts wanted "reads, $job $options" gpuhist "$@" $job $options reads.fq
    done
    for i in 1 2; do
        # shellcheck disable=SC2086 # several words
        gpuhist "$@" $job --shard=$i/2 --state=s$i reads.fq >out
    done
    # A spectrum is an option of what is printed.
    case $job in *--spectrum) spectrum=--spectrum ;; *) spectrum= ;; esac
    counts wanted '... shards' gpuhist -m $spectrum s1 s2
done
gpuhist -m s1 s2 --format=json | grep -q "\"left_out\":$left,"
ok $? 'what is left out of all shards'
grep -q '^spec	where	name	length	>=	number	30$' s1
ok $? '... with the conditions'
gpuhist "$@" --explain reads.fq 2>err >out
grep -qx "gpuhist: explain: records left out by --where: $left" err
ok $? '... in --explain'
gpuhist "$@" -f length --every=100k --format=jsonl reads.fq |
    sed -n 's/.*"records":\([0-9]*\),"left_out":\([0-9]*\).*/\1 \2/p' >steps
is "$(tail -n1 steps)" "$((9000 - left)) $left" '... in snapshots'
# A long record of FASTA is not cut.
awk 'BEGIN {
    for (r = 0; r < 3; r++) {
        print ">r" r
        for (i = 0; i < 20000 * r; i++)
            print "ACGTTGCAACGATTTACGCAT"
    }
}' >long.fa
sed -n '/^>r1/,/^>r2/{/^>/!p;}' long.fa | tr -d '\n' | fold -w1 | sort | uniq -c |
    awk '{ print $2 "\t" $1 }' >wanted
counts wanted 'long records' gpuhist --seq --where='length=420000' long.fa
counts wanted '... in small chunks' gpuhist --seq --where='length=420000' \
    --chunk-size=4096 -j3 long.fa

# ---- weights that are no numbers ----

printf '%s\n' 'a 1 5' 'b 2 x' 'a 1 6' >weighed
printf 'a\t11\n' >wanted
counts wanted 'a record that is left out has no weight' \
    gpuhist -W -f1 --weights=3 --where=2=1 weighed
says 1 "weighed: the weight at byte 10, 'x', is no number" 'one that is kept' \
    gpuhist -W -f1 --weights=3 --where=2=2 weighed
printf '%s\n' 'a	x' 'b	2' >counted
refused 1 'a count is read in any case' gpuhist --counts --where=1=b counted

done_testing
