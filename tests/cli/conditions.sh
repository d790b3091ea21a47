# SPDX-License-Identifier: MIT
# conditions.sh -- --where with alternatives and expressions
# shellcheck shell=sh disable=SC2016,SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

awk 'BEGIN {
    for (i = 0; i < 40000; i++) {
        s = (s * 69069 + 1) % 4294967296
        k = int(s / 65536)
        printf "/%s/%d,%d,%s\n", k % 5 ? "api" : "img", k % 97, k % 7 * 100,
            k % 3 ? k % 11 "ms" : ""
    }
}' >data
# rows CONDITION: the counts of the first field of what awk keeps.
rows()
{
    awk -F, "$1" data | cut -d, -f1 | LC_ALL=C sort | uniq -c |
        awk '{ print $2 "\t" $1 }'
}

# ---- or, and ----

rows '$2 >= 500 || $1 == "/api/7" && $3 != ""' >wanted
set -- --csv --header-in=none -f1 \
    --where='2>=500 || 1=/api/7 && 3!='"''"
for options in -j1 '-j3 --chunk-size=4096' '-j2 --chunk-size=64Ki'; do
    # shellcheck disable=SC2086 # several words
    counts wanted "alternatives, $options" gpuhist "$@" $options data
done
rows '$2 >= 500 && $1 == "/api/7" || $3 == "" && $2 < 100' >wanted
counts wanted '&& on both sides' gpuhist --csv -Hf1 --header-in=none \
    --where='2>=500&&1=/api/7||3="" && 2<100' data
rows '($2 == 100 || $2 == 200) && ($3 == "" || $1 > "/b")' >wanted
counts wanted 'two --where' gpuhist --csv --header-in=none -f1 \
    --where='2=100||2=200' --where="3='' || 1>/b" data
rows '$3 + 0 > 5 || $2 == 0' >wanted
counts wanted 'modifiers' gpuhist --csv --header-in=none -f1 \
    --where='3:duration>5ms||2=0' data
counts wanted '... beside alternatives without' gpuhist --csv \
    --header-in=none -f1 --where='3:number>5 || 2=0 || 1=none' data
awk -F, '$3 + 0 > 5 || $2 == 0 { n++ } END { print 40000 - n }' data >left
gpuhist --csv --header-in=none -f1 --where='3:number>5||2=0' --explain data \
    2>err >out
grep -qx "gpuhist: explain: records left out by --where: $(cat left)" err
ok $? 'how many are left out'

# ---- lists ----

printf '%s\n' '{"t":["a","b"],"s":1}' '{"t":[],"s":2}' '{"s":3}' \
    '{"t":["b"],"s":4}' '{"t":["c"],"s":5}' >list.jsonl
# keeps NUMBERS CONDITION: it holds for the records with these NUMBERS.
keeps()
{
    printf '%s' "$1" | sed 's/./&	1\
/g' >keeps
    counts keeps "$2" gpuhist --jsonl -f s --where="$2" list.jsonl
}
keeps 1245 't[]=b || s=2 || s=5'
keeps 14 't[]=b || t[]=a && s=1'
keeps 12345 't[]=\N || s>0'
keeps 24 's=2 || s=4 && t[]=b && t[]!=a'
printf '%s\n' '{"s":1,"t":["x"]}' '{"s":2}' >late.jsonl
printf '1\t1\n' >wanted
counts wanted 'a list that only other records have' \
    gpuhist --jsonl -f s --where='s=1 || s=3 && t[]=x' late.jsonl

# ---- states ----

gpuhist "$@" --state=all data >wanted
for i in 1 2; do
    gpuhist "$@" --shard=$i/2 --state=s$i data >out
done
counts wanted 'states' gpuhist -m s2 s1
gpuhist --csv --header-in=none -f1 --where='2>=500 || 1=/api/7' \
    --where='3="a b" && 2=\N' -q --state=some data >out
grep '^spec	where' all some | cut -d: -f2- >lines
printf '%s\n' 'spec	where	field=2	>=	number	500	or	field=1	=	text	/api/7	'\
'and	field=3	!=	text	' \
    'spec	where	field=2	>=	number	500	or	field=1	=	text	/api/7' \
    'spec	where	field=3	=	text	a b	and	field=2	=	missing' >typed
same lines typed '... have each --where'
gpuhist --csv --header-in=none -f1 --where='2>=500 && 1=/api/7' \
    --where="3!=''" -q --state=and data >out
refused 1 'or is not and' gpuhist -m all and

# ---- sequences ----

printf '>a1\nACGT\n>a2\nGG\n>b1\nACCCC\n' >some.fa
printf '@q\nAAC\n+\nI!I\n' >>some.fa
printf 'a1\t1\nb1\t1\n' >wanted
counts wanted 'sequences' \
    gpuhist --seq -f name --where='name=a1 || length>4' some.fa
printf 'b1\t1\n' >wanted
counts wanted '... two --where' gpuhist --seq -f name --where='gc>=0.5' \
    --where='name=b1 || name=q' some.fa
printf 'A\t3\nC\t4\n' >wanted
counts wanted 'bases' gpuhist --seq -f base \
    --where='position=1 && base=A || base=C && length=5' some.fa
printf 'A\t1\nC\t1\nG\t2\n' >wanted
counts wanted '... of some sequences' gpuhist --seq -f base \
    --where='quality=40 || name=a2' --where='base!=T' some.fa
printf 'A\t1\nG\t1\n' >wanted
counts wanted '... missing and other qualities' gpuhist --seq -f base \
    --where='quality=\N && position=1 && length<3 || quality<5' some.fa
printf 'AC\t1\nCC\t1\nGT\t1\n' >wanted
counts wanted 'k-mers' gpuhist --kmers=2 --where='name=b1 || length=4' \
    --where='position=1 && length=5 || position=3' some.fa
gpuhist --seq -f base --where='quality=40 || name=a2' --explain some.fa 2>err \
    >out
grep -qx 'gpuhist: explain: bases left out by --where: 10' err
ok $? '... how many are left out'

# ---- expressions ----

if [ "$HAVE_PCRE2" != yes ]; then
    says 2 "--where: 'x': this gpuhist is built without PCRE2, which reads \
regular expressions" 'a build without PCRE2' gpuhist --csv -f1 --where='1=~x' data
    done_testing
    exit
fi

python_checks "$srcdir/tests/cli/conditions_oracle.py"

set -- --csv --header-in=none -f1
rows '$1 ~ "^/a.*[37]$"' >wanted
for options in -j1 '-j3 --chunk-size=4096'; do
    # shellcheck disable=SC2086 # several words
    counts wanted "an expression, $options" \
        gpuhist "$@" $options --where='1=~^/a.*[37]$' data
done
counts wanted '... in quotes' gpuhist "$@" --where='1 =~ "^/a.*[37]$"' data
counts wanted '... of a lower case' gpuhist "$@" \
    --where='1:upper=~^/A.*[37]$' data
rows '$1 !~ "^/a.*[37]$"' >wanted
counts wanted '!~' gpuhist "$@" --where='1!~^/a.*[37]$' data
rows '$1 ~ /7|9$/ || $2 == 100 && $1 !~ /[0-4]/' >wanted
counts wanted '... and alternatives' gpuhist "$@" \
    --where='1=~7|9$ || 2=100 && 1!~[0-4]' data
printf 'a=1,<b>\n' >odd
printf 'a=1\t1\n' >wanted
counts wanted 'an expression with operators' \
    gpuhist "$@" --where='1=~^a=1(?!x) && 2=~(?<=<)b>' odd
counts wanted '... with ||' gpuhist "$@" --where='1=~"^a=|||" && 2!~"&&"' odd
keeps 14 't[]=~[ab]'
keeps 15 't[]!~b'
keeps 4 't[]=~^b$ && s!=1'
printf 'a1\t1\nb1\t1\n' >wanted
counts wanted 'names of sequences' \
    gpuhist --seq -f name --where='name=~1$' some.fa
printf 'C\t6\n' >wanted
counts wanted '... and bases' \
    gpuhist --seq -f base --where='name=~1$ && base=C || base=C' some.fa
printf 'a1\t1\n' >wanted
counts wanted 'sequences' gpuhist --seq -f name --where='sequence=~^ACG' some.fa
says 2 '--where: =~ and !~ are for texts, such as name, not for length' \
    '... not numbers' gpuhist --seq -f name --where='length=~3' some.fa
says 2 "--where: '(': missing closing parenthesis, at byte 2 of it" \
    'a wrong expression' gpuhist "$@" --where='1=~(' odd
printf '%s\n' 'a' '"b",c' >short
gpuhist -q "$@" --where='2=~.' --where='2!~.' short >out
same out /dev/null 'a missing field fulfils neither'
gpuhist "$@" --where='1=~x && 2=~c' short >out 2>err
is "$(cat err)" 'gpuhist: warning: no record fulfils all 2 conditions of '\
'--where: 1=~x leaves none' 'none is left'

gpuhist "$@" --where='1=~^a' --state=s1 short >out
grep '^spec	where' s1 >lines
printf 'spec\twhere\tfield=1\t=~\texpression\t^a\n' >typed
same lines typed 'a state has the expression'
gpuhist "$@" --where='1=^a' -q --state=s2 short >out
refused 1 '... which is no text' gpuhist -m s1 s2

# A text of many a and a b takes 2^n steps.
long=$(printf 'a%.0s' $(seq 50))b
printf '%s\n' "x,1" "$long,2" "y,3" >slow
says 1 "slow: the value at byte 4, '$(printf 'a%.0s' $(seq 40))...', takes \
too many steps for the expression of --where" 'too many steps' \
    gpuhist "$@" --where='1=~^(a+)+$' slow
says 1 "slow: the value at byte 4, '$(printf 'a%.0s' $(seq 40))...', takes \
too many steps for the expression of --where" '... of a changed value' \
    gpuhist "$@" --where='1:lower=~^(a+)+$' slow
printf 'x\t1\n' >wanted
counts wanted '... not of a record that is left out' \
    gpuhist "$@" --where='2=1 || 2=3' --where='1=~^(a+)+$|x' slow
counts wanted '... nor of a decided one' gpuhist "$@" \
    --where='2=1 || 2>5 && 1=~^(a+)+$' slow
printf '>r\nA\n>%s\nC\n' "$long" >slow.fa
says 1 "slow.fa: record 2 ($(printf 'a%.0s' $(seq 40))...) at byte 5: a field \
takes too many steps for the expression of --where" '... of sequences' \
    gpuhist --seq -f base --where='name=~^(a+)+$' slow.fa
printf '{"t":["x","%s"]}\n' "$long" >slow.jsonl
gpuhist --jsonl -f t --where='t[]=~^(a+)+$' slow.jsonl >out 2>err
is "$? $(sed 's/,.*,/,/' err)" "1 gpuhist: slow.jsonl: the value at byte 5, \
takes too many steps for the expression of --where" '... of a list'

# A text with a unit is compared as a text, which is told.
printf '%s\n' '9k,1' '10k,2' >units
printf '2\t1\n' >wanted
"$GPUHIST" --csv -f2 --where='1<5k' units >got 2>err
cmp -s got wanted &&
    grep -q "^gpuhist: warning: --where compares 1 with the text '5k', not with a \
number; 1:size is a number$" err
ok $? 'a unit without a modifier is told'
# A part of a condition is shown as it was typed.
while IFS=@ read -r where part; do
    "$GPUHIST" --csv -f2 --where="$where" units >got 2>err
    is "$(cat err)" "gpuhist: warning: no record fulfils all 2 conditions of --where: $part" \
        "a part of a condition: $where"
done <<'EOT'
2>0&&1='x y'@1='x y' leaves none
EOT
printf '"1,500",1\n900,2\n"12,000",3\n' >commas
while read -r where wanted; do
    "$GPUHIST" --csv -f2 --where="1$where" commas >got 2>err
    is "$(head -n 1 err)" "gpuhist: warning: --where compares 1 with the text '${where#?}', not with \
a number; 1:$wanted is a number" "commas: $where"
done <<'EOT'
>1,000 number
<1,234.5 number
>-1,234,567 number
<1,5 decimal-comma
>1.234,5 decimal-comma
EOT
is "$("$GPUHIST" -q --csv -f2 --where='1:number>1,000' commas | cut -f1 | tr '\n' ' ')" '1 3 ' \
    '... with the modifier'
for where in '1=1,000' "1>'1,000'" '1>a,b' '1<,' '1>2026-01-02,x'; do
    is "$("$GPUHIST" --csv -f2 --where="$where" commas 2>&1 | grep -c compares)" 0 \
        "... but not with $where"
done
for where in '1:size<50k' "1<'5k'" '1!=5k' '1<k5' '1<5'; do
    is "$("$GPUHIST" --csv -f2 --where="$where" units 2>&1 | grep -c compares)" 0 \
        "... but not with $where"
done

done_testing
