# SPDX-License-Identifier: MIT
# messages.sh -- messages that name what exists, what was typed, what helps
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

utf8=$(locale -a 2>locale-says | grep -i '^C.utf-\{0,1\}8$' | head -n 1)

# ---- names that do not exist ----

printf 'city, price ,b,qty\nparis,1,x,4\nrome,2,y,9\n' >csv
has="in the header of csv, which has"
says 1 "--fields: no field is named 'prise' $has ' price ', 'city', 'b', 'qty'" \
    'the nearest name comes first' gpuhist --csv -fprise csv
says 1 "--fields: no field is named 'price' $has ' price ', 'city', 'b', 'qty'" \
    '... with the blanks around it' gpuhist --csv -fprice csv
says 1 "--group-by: no field is named 'B' $has 'b', 'city', ' price ', 'qty'" \
    '... and another case' gpuhist --csv -g B csv
says 1 "--weights: no field is named 'x' $has 'city', ' price ', 'b', 'qty'" \
    '... or in their order' gpuhist --csv -f city --weights=x csv
says 1 "--where: no field is named 'cty' $has 'city', 'qty', ' price ', 'b'" \
    '... of a condition' gpuhist --csv -f city --where='cty=1' csv
printf 'a;b\r\n1;2\r\n' >semicolon
says 1 "--fields: no field is named 'b' in the header of semicolon, which has 'a;b'" \
    'a header that is not divided: CSV drops the CR' gpuhist --csv -fb semicolon
says 1 "--fields: no field is named 'b' in the header of semicolon, which has 'b\\r', 'a'" \
    'a name that ends with CR' gpuhist -d';' -fb semicolon
printf 'a\302\240\t\357\273\277b\t\342\200\256c\t\377\t\tx\0y\n' >odd
says 1 "--fields: no field is named 'b' in the header of odd, which has '\\xef\\xbb\\xbfb', 'a\\xc2\\xa0', '\\xe2\\x80\\xaec', '\\xff', '', 'x\\x00y'" \
    'what is hidden in names is shown' gpuhist --tsv -fb odd
awk 'BEGIN { for (i = 1; i <= 500; i++) printf "c%d%s", i, i < 500 ? "," : "\n" }' >many
gpuhist --csv -fd12 many 2>err
is "$(cut -c1-95 err)" "gpuhist: --fields: no field is named 'd12' in the header of many, which has 'c12', 'c1', 'c2', " \
    'the nearest of 500 names'
is "$(sed 's/.* and/and/' err)" 'and 476 more' '... how many are not listed'
printf '##format=1\n#CHROM\tPOS\nchr1\t1\n' >vcf
says 1 "--fields: no field is named 'CHROM' in the header of vcf, which has '##format=1'; if a comment has the names, add --header-in=comment" \
    'a comment instead of a header' gpuhist --tsv -f CHROM vcf
printf '%0100d,b\n' 7 >long
says 1 "--fields: no field is named 'x' in the header of long, which has '0000000000000000000000000000000000000000...', 'b'" \
    'a long name is cut' gpuhist --csv -fx long
printf '\n' >blank
says 1 "--fields: no field is named 'x' in the header of blank, which has no fields" \
    'a header without names' gpuhist -W -fx blank
says 2 "--fields: 'stat' is not a field of --clf (status, host, ident, user, time, minute, hour, day, request, method, target, path, query, protocol, bytes, referer, agent, vhost, and +1, +2, ... after them); other lines: --log-format=FORMAT" \
    'a field of a log' gpuhist --clf -f stat csv
says 2 "--where: 'len' is not a field of --seq (tlen, length, rname-length, cigar-length, full-length, base, position, quality, name, sequence, gc, mean-quality, mean-error-quality, flag, mapq, pos, strand, rname, mate-rname, rname-number, read-group, cigar, cigar-ops, cigar-cycle and 22 more; with --kmers=K kmer)" \
    'a field of sequences' gpuhist --seq --where='len>4' csv

printf '%s\n' '' '{"a":1,"b":{"c":"x","d":[{"e":1},{"f":2}]},"x.y":3,"h":[1,2],"":1,"q\"":2,"last":null}' \
    '{"other":1}' >deep
members="'a', 'b.c', 'b.d[].e', '[\"x.y\"]', 'h[]', '[\"\"]', '[\"q\\\"\"]'"
warns()
{
    warns_text=$1
    shift
    gpuhist "$@" 2>err >out
    is "$? $(cat err)" "0 gpuhist: warning: $warns_text" "warns: $*"
}
for options in -j1 '-j4 --chunk-size=1k'; do
    # shellcheck disable=SC2086 # several words
    warns "no record has field zz; the first record has $members, 'last'" \
        --jsonl $options -fzz deep
    # shellcheck disable=SC2086 # several words
    warns "no record has field lst; the first record has 'last', $members" \
        --jsonl $options -flst deep deep
    # shellcheck disable=SC2086 # several words
    warns "no record has field lst; the first record has 'last', $members" \
        --jsonl $options --per-file -flst deep deep
done
warns "no record has field x.y, which --where names; the first record has '[\"x.y\"]', $(
    echo "$members, 'last'" | sed "s/ '[[]\"x.y\"[]]',//")" \
    --jsonl -fa --where=x.y=1 deep
echo "$members, 'last'" | sed "s/', '/\n/g; s/^'//; s/'$//" |
    while read -r member; do
        gpuhist --jsonl -f "$member" deep 2>>says >out
        grep -q -v '^\\N' out || echo "no $member" >>says
    done
is "$(cat says)" '' '... paths that can be asked for'
printf '{"a":{"b":[1' >half
printf '\\invalid\t4\n' >wanted
counts wanted 'lines that are no objects have no members' \
    gpuhist --jsonl -fz --invalid=count csv half

for field in ip:host url:target code:status date:day size:bytes ua:agent; do
    gpuhist --clf -f "${field%:*}" csv 2>err
    grep -q "'${field%:*}' is not a field of --clf (${field#*:}, " err
    ok $? "a field of a log has another name: $field"
done
says 2 "--columns: there is no figure 'SUM' (did you mean sum?)" 'capitals' \
    gpuhist -l --columns=SUM csv

# ---- lists of fields: a message for one cause ----

no_field="is not a field (1, 3-5, NF, NF-1, or a name)"
says 2 "--min-count is greater than --max-count: no value has such a count" \
    'limits without a count between' \
    gpuhist -l --min-count=3 --max-count=2 csv
says 2 "--fields=1,1: '1' is listed twice" 'a field twice' gpuhist --csv -f1,1 csv
says 2 "--fields=city,b,city: 'city' is listed twice" '... by name' \
    gpuhist --csv -fcity,b,city csv
says 2 "--fields=a.b,a.b: 'a.b' is listed twice" '... of JSON' \
    gpuhist --jsonl -fa.b,a.b csv
says 2 "--fields=status,status: 'status' is listed twice" '... of a log' \
    gpuhist --clf -fstatus,status csv
says 2 "--fields=gc,gc: 'gc' is listed twice" '... of sequences' \
    gpuhist --seq -fgc,gc csv
says 2 "--fields=2,1-3: '1-3' has a field that is listed already" \
    '... in a range' gpuhist --csv -f2,1-3 csv
says 2 "--group-by=0: '0' is not a field: the first one is 1" 'field 0' \
    gpuhist --csv -g0 csv
says 2 "--where: '0' is not a field: the first one is 1" '... of a condition' \
    gpuhist --csv -f1 --where='0=1' csv
says 2 "--fields=3-1: '3-1' is not a field: the range ends before it starts" \
    'a range from back to front' gpuhist --csv -f3-1 csv
says 2 "--fields=1-2000: '1-2000' makes more than 1024 fields" 'too many' \
    gpuhist --csv -f1-2000 csv
says 2 "--fields=1,,2: '' $no_field: a list has one between two commas" \
    'an empty name' gpuhist --csv -f1,,2 csv
says 2 "--fields=2-: '2-' $no_field: a range has two ends" 'an open range' \
    gpuhist --csv -f2- csv
says 2 "--fields=1: '1' is a field of --group-by, too" 'a group and a field' \
    gpuhist --csv -g1 -f1 csv
says 2 "--fields=2,1-3: '1-3' has a field of --group-by" '... in a range' \
    gpuhist --csv -g1 -f2,1-3 csv
not_divided='lines are not divided yet (fields of text need -W, --tsv, --csv, --clf, --jsonl, --logfmt, --seq or -d)'
says 2 "--fields=2: '2' is not a field from 1 to 1: $not_divided" \
    'a field of lines' gpuhist -f2 csv
says 2 "--fields=2: '2' is not a field from 1 to 1" '... of samples' \
    gpuhist --dtype=u1 -f2 csv
says 2 "--fields=3: '3' is not a field from 1 to 2" '... of records' \
    gpuhist --record=u1,u2 -f3 csv
says 2 "--fields=1,1-2: '1-2' has a field that is listed already" \
    '... twice' gpuhist --record=u1,u2 -f1,1-2 csv
says 2 "--fields=2-1: '2-1' is not a field: the range ends before it starts" \
    '... from back to front' gpuhist --record=u1,u2 -f2-1 csv
says 2 "--fields=1,: '' is not a field: a list has one between two commas" \
    '... and an empty one' gpuhist --record=u1,u2 -f1, csv

# ---- values that are no numbers ----

printf '%s\n' '- - - [10/Oct/2000:13:55:36 +0000] "GET / HTTP/1.0" 200 1 "r" "a" rt=0.097' \
    '- - - [10/Oct/2000:13:55:36 +0000] "GET / HTTP/1.0" 200 1 "r" "a" rt=0.1' >log
first="(the first is 'rt=0.097'); to count them as keys, use -g +1"
says 1 "field +1: none of 2 values is a number $first" 'no number in a log' \
    gpuhist --device=cpu --clf -f+1 --dtype=num log
says 1 "field +1: none of 2 values is a number $first" '... nor for --columns' \
    gpuhist --device=cpu --clf -g host -f+1 --columns=p50 log
printf 'x\n"a ""b""\n",1\n' >quoted
says 1 "field x: none of 1 values is a number (the first is 'a \"b\"\\n'); to count them as keys, use -g x" \
    'a value in quotes' gpuhist --device=cpu --csv -fx -b4 quoted
printf '{"a":"\\u00e4\\t"}\n' >string
says 1 "field a: none of 1 values is a number (the first is '??\\t'); to count them as keys, use -g a" \
    '... of JSON' gpuhist --jsonl -fa --dtype=num string
printf '12ms,2K\n1.5h,3\n' >units
says 1 "field 1: none of 2 values is a number (the first is '12ms', which 1:duration reads); to count them as keys, use -g 1" \
    'a modifier reads it' gpuhist --device=cpu --csv -f1 -b4 units
says 1 "field 1: none of 2 values is a number (the first is '12ms', which 1:duration reads); to count them as keys, use -g 1" \
    '... a figure' gpuhist --device=cpu --csv -g2 -f1 --columns=mean units
head -n 1 units >sizes
says 1 "field 2: none of 1 values is a number (the first is '2K', which 2:size reads); to count them as keys, use -g 2" \
    '... a size' gpuhist --device=cpu --csv -f2 --dtype=num sizes
printf ',x\n,y\nz\n' >empties
says 1 "field 1: none of 3 values is a number (the first is 'z'); to count them as keys, use -g 1" \
    'the first that is not empty' gpuhist --device=cpu --csv -f1 -b4 empties
seq 200000 | sed 's/^/w/' >words
: >nothing
for options in -j1 -j2 '-j4 --chunk-size=4k'; do
    wanted="field 1: none of 200002 values is a number (the first is '- - - [10/Oct/2000:13:55:36 +0000] \"GET ...'); to count them as keys, use -g 1"
    # shellcheck disable=SC2086 # several words
    says 1 "$wanted" "the first of all inputs: $options" \
        gpuhist --device=cpu -l --dtype=num $options nothing log words
    # shellcheck disable=SC2016,SC2086 # for sh; several words
    says 1 "$(echo "$wanted" | sed "s/(.*)/(the first is 'w1')/; s/200002/200000/")" \
        "... of a pipe: $options" sh -c 'exec "$0" "$@" <words' "$GPUHIST" \
        --device=cpu -l --dtype=num $options
done
printf '%s\n' 9223372036854775808 -99999999999999999999 >large
says 1 "field 1: none of 2 values is in the range of int, -2^63 to 2^63 - 1 (the first is '9223372036854775808'); --dtype=decimal has 38 digits" \
    'integers beyond int' gpuhist --device=cpu -l --dtype=int large
printf -- '-99999999999999999999\t1\n9223372036854775808\t1\n' >wanted
counts wanted '... are decimals' gpuhist -l --dtype=decimal large

# ---- types ----

said()
{
    said_option=$1
    shift
    says 2 "${said_option%%=*}: '${said_option#*=}'$*" "$said_option" \
        gpuhist "$said_option" csv
}

for type in BF16:bf16 e4m3fn:f8e4m3 F8_E5M2:f8e5m2; do
    said --dtype="${type%:*}" " is not a type (did you mean ${type#*:}?)"
done
for type in f64:f8 u16:u2 float:f4 double:f8 half:f2; do
    said --dtype="${type%:*}" " is not a type (did you mean ${type#*:}? The digit is the size in bytes)"
done
gpuhist --dtype=f8e4m3 --state=patterns csv >out
says 2 '--stats and --percentiles are of numbers; f8e4m3 without bins has a line for each pattern of bits: add --bins, --range, --edges, --log or --scale' \
    'patterns have no mean' gpuhist --merge --stats patterns
said --dtype=foo ' is not a type (u1 i1 u2 i2 u4 i4 u8 i8 f2 f4 f8 bf16 f8e4m3 f8e5m2, or a name like uint16; int, num and decimal are for text)'
said --record='u4*30000' ' makes the record too long'
said --record='u4*90000' ': the number after * is from 1 to 65536'

# ---- names that would change what is seen ----

name=$(printf 'a\342\200\256fdp.exe')
if [ -n "$utf8" ]; then
    gpuhist_locale=$utf8
    says 1 'a\xe2\x80\xaefdp.exe: cannot open: No such file or directory' \
        'a name that turns the text round' gpuhist "$name"
    gpuhist_locale=C
else
    skip 'a name that turns the text round' 'no locale of UTF-8'
fi
says 1 'a???fdp.exe: cannot open: No such file or directory' \
    '... in the C locale' gpuhist "$name"
for character in '\342\200\252' '\342\200\256' '\342\201\246' '\342\201\251' \
    '\342\200\216' '\342\200\217' '\330\234' '\357\273\277' '\342\200\250' \
    '\302\205' '\342\200\213'; do
    # shellcheck disable=SC2059 # a format
    printf "x${character}y\n" >key
    hex=$(od -An -v -tx1 key | tr -d '\n' | sed 's/^ 78//; s/ 79 0a$//; s/ /\\\\\\\\x/g')
    gpuhist -l --format=md --header-out key 2>err | tail -n 1 >got
    is "$(cat got)" "| x$(printf '%s' "$hex" | sed 's/\\\\\\\\/\\\\/g')y | 1 |" \
        "Markdown shows $character"
done
printf 'gr\303\274n \360\237\221\251\342\200\215\360\237\224\254\n' >key
is "$(gpuhist -l --format=md key | tail -n 1)" "| $(cat key) | 1 |" \
    '... but umlauts and joined emoji as they are'

# ---- what is quoted of the input ----

printf 'a\t1\nb\tx\0y\n' >nul
says 1 "nul: the count at byte 6, 'x\\x00y', is no whole number from 0 to 18446744073709551615" 'a NUL in a line' \
    gpuhist --counts nul
printf '@r\0s\nAC\n+\nI\n' >nul
says 1 'nul: record 1 (r\x00s) at byte 0: the quality has another length than the sequence (2 bases)' \
    '... and in a name' gpuhist --seq nul

# ---- advice that can be taken ----

# leads COMMAND...: each option that the refusal of COMMAND names works beside
# it, and those after "instead of them" without --stats and --percentiles.
# The bins are few: two fields have each with each.
leads()
{
    leads_command="$*"
    refused 2 "refused: $leads_command" gpuhist "$@"
    # shellcheck disable=SC2020 # a list of characters
    sed 's/ needs none.*//; s/^.*\( needs\? \|: give \|of numbers, \)/ /' err | tr ' ,;' '\n\n\n' |
        sed 's/=N$/=4/; s/=LO$/=0,8/; s/^--edges$/--edges=0,1,2/
            s/^--scale$/--scale=-4/; s/^--bins$/--bins=4/; s/^--range$/--range=0,8/
            s/^--columns=p50$/--columns=p50,mean,sd/' |
        grep '^--' | sort -u >advice
    is "$(test "$(wc -l <advice)" -gt 0 && echo some)" some '... with advice'
    while read -r leads_option; do
        set -- "$@" "$leads_option"
        case $leads_option in
            --columns=*)
                # shellcheck disable=SC2046 # several words
                gpuhist $(echo "$*" | sed 's/--stats //; s/--percentiles=50 //') \
                    >out 2>err
                ;;
            *) gpuhist --device=cpu "$@" >out 2>err ;;
        esac
        is "$? $(wc -c <out | tr -d ' ' | sed 's/^[1-9].*/some/') $(grep -c '^gpuhist: [^w]' err)" \
            '0 some 0' "... that works: $leads_option"
        # shellcheck disable=SC2086 # several words
        set -- $leads_command
    done <advice
}

noise 4096 >samples
seq 30 >numbers
printf 'a,1\nb,2\n' >two
printf '>r1\nACGT\nAC\n>r2\nGGCC\n' >fasta
for command in '--dtype=f8 samples' '--dtype=u4 samples' \
    '--dtype=f4 --format=npy samples' '--dtype=f4 --density samples' \
    '--dtype=f4 --flow=clamp samples' '--dtype=f4 --plot=only samples' \
    '--record=f8,f8 --weights=1 samples' \
    '--record=f8,f8 --joint samples'; do
    # shellcheck disable=SC2086 # several words
    leads $command
done
for edges in 0,,1 ,0,1 '0,1,' '0, ,1'; do
    says 2 "--edges=$edges: an edge is missing beside a comma" "edges with a gap: $edges" \
        gpuhist --dtype=u1 --edges="$edges" </dev/null
done
is "$(printf '\1' | gpuhist --dtype=u1 --edges='0 , 1 2' | head -n 1)" '0	1	0' \
    'blanks beside a comma'
for command in '--dtype=f4 --stats samples' '--dtype=u4 --stats samples' \
    '--dtype=f8 --percentiles=50 samples' '--dtype=i8 --percentiles=50 samples' \
    '--dtype=i8 --nonzero --percentiles=50 samples' \
    '-l --dtype=num --stats numbers' '-l --dtype=int --percentiles=50 numbers' \
    '-l --stats numbers' '--words --percentiles=50 numbers' \
    '-W -f1 --stats numbers' '--seq -f length --stats fasta' \
    '--seq -f gc --percentiles=50 fasta'; do
    # shellcheck disable=SC2086 # several words
    gpuhist $command >out 2>err
    is "$? $(test -s out && test -s err && echo both)" '0 both' \
        "statistics of numbers without bins: $command"
done
says 1 "field 1: none of 2 values is a number (the first is 'a'); to count them as keys, use -g 1" \
    'statistics of keys' gpuhist -d, -f1 --stats=only two

otlp='--format=otlp needs --scale and --closed=right: the bins of OpenTelemetry, with their upper edges'
for command in --dtype=u8 '--dtype=u8 --log' '-l --dtype=num'; do
    # shellcheck disable=SC2086 # several words
    says 2 "$otlp" "bins of a format: $command" \
        gpuhist $command --format=otlp samples
done
refused 2 '... which another one has' gpuhist --dtype=f8 --format=hdr samples
grep -q -e '--log and --subdiv=4' err
ok $? '... is named'
gpuhist --dtype=u8 --format=otlp --scale=2 --closed=right samples >out 2>err
is $? 0 '... and can be taken'

# ---- numbers as they were typed ----

says 2 '10 bins between 0.1 and 0.10000000000000002 are too narrow for 64-bit floats' \
    'the ends of a range' \
    gpuhist --dtype=f8 -b10 --range=0.1,0.10000000000000002 samples
says 2 '1000 bins between 0.30 and 0.3000000000000001000 are too narrow for 64-bit floats' \
    '... with all their digits' \
    gpuhist -l -b1000 --range=0.30,0.3000000000000001000 numbers

# ---- words, sizes, names of files ----

formats='tsv, csv, md, table, json, jsonl, prom, uniq, npy, uhi, fqchk, seqkit, seqkit-tsv, flagstat, idxstats, samtools-stats, fastqc, histo, otlp, prom-native, hdr or state'
says 2 "--format: 'foo' is not $formats" 'a format that does not exist' \
    gpuhist --format=foo csv
says 2 "--format: 'jsom' is not json, $(echo "$formats" | sed 's/json, //')" \
    'the nearest one comes first' gpuhist --format=jsom csv
says 2 "--closed: 'rihgt' is not right or left" '... of two' \
    gpuhist --closed=rihgt csv
figures='count, records, missing, empty, invalid, nan, distinct, min, max, sum, mean, sd, sample_sd, mode, median, q1, q3, iqr, values, outside, entropy, chi-square, p-value, serial, pi, unique, total and percentages, as p50, p99.9, n50 and l50'
says 2 "--sort: 'foo' is not value or count, nor with --columns a figure: $figures" \
    'an order' gpuhist --csv -gcity -fqty --columns=sum --sort=foo csv
says 2 "--sort: 'p101' has no percentage: a number above 0, up to 100, with up to 9 decimals" \
    '... of no percentile' \
    gpuhist --csv -gcity -fqty --columns=sum --sort=p101 csv
for option in --skip-bytes=8EiB --read-bytes=1e30 --memory-limit=16E \
    --top=18446744073709551616 --every=9.3EB --skip-bytes=0x8000000000000000; do
    says 2 "${option%%=*}: '${option#*=}' is too large: at most 2^63 - 1" \
        "$option" gpuhist $option csv
done
says 2 "--skip-bytes: '1.5' is not a size, such as 4096, 64k or 1.5GiB" \
    'no whole number' gpuhist --skip-bytes=1.5 csv
says 2 "--chunk-size: '8EiB' is not a size from 1 to 1GiB" 'a lower limit' \
    gpuhist --chunk-size=8EiB csv

seq 3000 >lines-of-names
ends="is not a file: a NUL ends a name, not a line feed (tr '\\n' '\\0' makes them NULs)"
says 1 "--files0-from=lines-of-names: name 1, '1\\n2\\n3\\n4\\n5\\n6\\n7\\n8\\n9\\n10\\n11\\n12\\n13\\n14\\n15\\n16\\n1...', $ends" \
    'a list of lines' gpuhist --files0-from=lines-of-names
# shellcheck disable=SC2016 # for sh
says 1 "--files0-from=-: name 1, 'csv\\n', $ends" '... of one' \
    sh -c 'echo csv | "$0" --files0-from=-' "$GPUHIST"
name=$(printf 'two\nlines')
printf a >"$name"
printf 'two\nlines\0' >names
printf '97\t1\n' >wanted
counts wanted 'a name with a line feed' \
    gpuhist --nonzero --files0-from=names
printf 'two\nlines' >names
counts wanted '... without a NUL' gpuhist --nonzero --files0-from=names
says 1 "'': cannot open: No such file or directory" 'an empty name' gpuhist ''

# ---- archives, .npy ----

# An archive with a file without a name, and one that ends within LZMA data.
if [ "$HAVE_ARCHIVE" = yes ] && command -v python3 >python3-path; then
    python3 - <<'END'
import io, tarfile, zipfile
with tarfile.open("nameless.tar", "w") as tar:
    info = tarfile.TarInfo("n")
    info.size = 3
    tar.addfile(info, io.BytesIO(b"abc"))
data = bytearray(open("nameless.tar", "rb").read())
data[0] = 0
total = sum(data[:148]) + 8 * 32 + sum(data[156:512])
data[148:156] = b"%06o\0 " % total
open("nameless.tar", "wb").write(data)
with zipfile.ZipFile("lzma.zip", "w", zipfile.ZIP_LZMA) as file:
    file.writestr("a", b"".join(b"%d\n" % (i * i) for i in range(1000)))
END
    head -c 400 lzma.zip >short.zip
    says 1 'nameless.tar: member 1: ends with 1 byte of a record of 2 (--partial=drop leaves them out)' \
        'a file without a name' gpuhist --members --dtype=u2 --nonzero nameless.tar
    # shellcheck disable=SC2016 # for sh
    refused 1 'LZMA that is cut short' sh -c 'exec "$0" --members - <short.zip' \
        "$GPUHIST"
    grep -q -e 'unknown' -e ': :' err
    is $? 1 '... no unknown error'
else
    skip 'archives' 'no libarchive or no python3'
fi

# npy TYPE: a .npy file with that type.
npy()
{
    npy_text="{'descr': '$1', 'fortran_order': False, 'shape': (2,), }"
    printf '\223NUMPY\1\0\166\0%-117s\n1234' "$npy_text"
}

view='; of bfloat16, array.tofile(FILE) writes what --dtype=bf16 reads'
npy bfloat16 >bf16.npy
says 1 "bf16.npy: bad .npy header at byte 20: 'bfloat16' is no type of numpy$view" \
    'bfloat16 in .npy' gpuhist --npy bf16.npy
npy '<V2' >v2.npy
says 1 "v2.npy: bad .npy header at byte 20: '<V2' is no type of numbers$view" \
    '... as two bytes' gpuhist --npy v2.npy
npy '<u2' >u2.npy
printf '12849\t1\n13363\t1\n' >wanted
counts wanted '... as numbers' gpuhist --npy --nonzero u2.npy

# ---- options of other programs ----

# here WORD TEXT: the option is not known, but what it is here.  A later version
# may know it.
here()
{
    gpuhist "$1" csv >out 2>err
    grep -q -e "(here: .*$2" err || grep -q -v 'unknown option' err
    ok $? "$1: $2"
}

here -k2 '-f, .* -g'
here -r '--sort=count'
here -u 'each value is printed once'
here -i 'tr A-Z a-z'
here --header '--header-in: .*--header-out: '
here --min=3 '--range=LO,HI; .*--min-count=N'
here --max=3 '--range=LO,HI; .*--max-count=N'
here --upper-count=3 '--max-count'
here --entropy '--columns=entropy'
here --count '-l counts lines'
here --quality '--seq -f quality'
here --median '--columns=median .*--percentiles=50'
here --mean '--columns=mean'
here --sep=, '--delimiter'
here --head=3 '--top'
here --int '--dtype=int'
says 2 "'-t u4': -t C is --delimiter=C, one byte (a type is --dtype=TYPE)" \
    'a type by its letter' gpuhist -t u4 csv
says 2 "unknown option '-=' (here: a value follows its letter without =, as in -f2; -H has no value, but --header-in=PLACE has)" \
    'a letter without a value' gpuhist --tsv -H=comment -f1 csv
rm -f g
says 2 "'-log' is several letters: did you mean --log? (if not, divide them: -l -og)" \
    'a name with one -, which would write to a file' gpuhist -log csv
[ ! -e g ]
ok $? '... and is not read as letters'
for value in -f=1 -g=1 -b=3 -j=2 -o=out -vj=2 -d==; do
    letter=$(printf %s "$value" | sed "s/=.*//; s/.*\(.\)/\1/")
    says 2 "option '-$letter': a value follows its letter without =: write \
-$letter${value#*=}, or -$letter '=${value#*=}' for a value that starts with =" \
        "a letter with =: $value" gpuhist --tsv "$value" csv
done
[ ! -e =out ]
ok $? '... no file has the value as its name'
printf '=1,b\nx,y\n' >equals
printf 'x\t1\n' >wanted
counts wanted '... a value in a word of its own' gpuhist --csv -f =1 equals
printf 'a=b\n' >equals
printf 'b\t1\n' >wanted
counts wanted '... the delimiter =' gpuhist -d= -f2 equals
says 2 "'-top=3' is several letters: did you mean --top=3? (if not, divide them: -t -op=3)" \
    'a word with one -' gpuhist -top=3 csv
says 2 "option '--m' is ambiguous: --mask, --matches, --max-count, --members, --memory-limit, --merge, --metric, --metric-type, --min-count, --min-quality, --mod" \
    'an abbreviation' gpuhist --m csv

printf '{"a":1}\n{"a":2}\n' >json
printf '1\t1\n2\t1\n' >wanted
counts wanted '--json is short for --jsonl' gpuhist --json -fa json
says 2 '--jsonl needs --fields, --group-by or --profile (it is for input; output in JSON is --format=json)' \
    '... and no format of output' gpuhist --json json
for word in combined common nginx; do
    says 2 "--log=$word: not a base: 2, 10 or e (--log is for bins; a log of requests is read with --clf)" \
        "--log=$word" gpuhist --log=$word csv
done

# hints ARGUMENT...: the last warning, from a file and from a pipe; the counts
# are those without it.
hints()
{
    hints_text=$1
    shift
    for hints_input in few lines; do
        gpuhist "$@" $hints_input >out 2>err
        is "$(cat err)" "gpuhist: warning: $hints_input: looks like text, but $hints_text" \
            "$* $hints_input"
        gpuhist "$@" <$hints_input >got 2>err
        is "$(cat err)" "gpuhist: warning: standard input: looks like text, but $hints_text" \
            '... of a pipe'
        same out got '... the same counts'
    done
    gpuhist -q "$@" lines 2>err >out
    is "$(cat err)" '' '... -q'
}

printf 'a 1\n' >few
awk 'BEGIN { for (i = 0; i < 5000; i++) print "gr\303\274n", i }' >lines
hints 'its lines are not divided yet, so bytes were counted (fields of text need -W, --tsv, --csv, --clf, --jsonl, --logfmt, --seq or -d)' \
    -f1
hints '--log is for bins, so bytes were counted in these (numbers in lines: -l --dtype=num; a log of requests: --clf -f FIELD)' \
    --log
noise 3000 >binary
for options in -f1 --log; do
    gpuhist $options binary 2>err >out
    is "$? $(cat err)" '0 ' "no such warning of other bytes: $options"
    gpuhist --dtype=u1 $options few 2>err >out
    is "$? $(cat err)" '0 ' '... nor of bytes that are asked for'
done

done_testing
