# SPDX-License-Identifier: MIT
# logs.sh -- --clf: virtual hosts, and lines that do not fit the format
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

right='1.2.3.4 - - [22/Nov/2026:08:01:02 +0000] "GET / HTTP/1.1" 200 12 "-" "x y"'
time='no time as [22/Nov/2026:08:01:02 +0000]'

# ---- one line that does not fit beside one that does ----

# misfit NAME LINE: one that is counted as \invalid, and whose place is known.
misfit()
{
    printf '%s\n%s\n' "$right" "$2" >log
    printf '200\t1\n\\invalid\t1\n' >wanted
    for options in -j1 '-j3 --chunk-size=4096'; do
        # shellcheck disable=SC2086 # several words
        gpuhist $options --clf -f status log >out 2>err
        same out wanted "$1, $options"
        is "$(grep -c '^gpuhist: warning: 1 line does not fit --clf, and counts as \\invalid: log: the text at byte ' err)" \
            1 '... a warning'
    done
    printf '%s\n' "$2" >alone
    gpuhist --clf -f host alone >out 2>err
    is "$? $(cat out) $(grep -c '; no line fits --clf$' err)" '1  1' '... alone'
}

misfit 'a line in quotes' "\"$right\""
misfit 'blanks in a user' "1.2.3.4 - a b ${right#* - - }"
misfit '... in quotes' "1.2.3.4 - \"a b\" ${right#* - - }"
misfit '... behind a virtual host' "www.example.org 1.2.3.4 - a b ${right#* - - }"
misfit 'a virtual host without a client' "www.example.org - - - ${right#* - - }"
misfit '... a client without a dot' "www.example.org client - - ${right#* - - }"
misfit '... a user in brackets' "www.example.org 1.2.3.4 - [x] ${right#* - - }"
misfit '... a wrong status' "www.example.org $(echo "$right" | sed 's/ 200 / 20 /')"
misfit 'two virtual hosts' "www.example.org www.example.org $right"
while read -r vhost; do
    misfit "no virtual host: $vhost" "$vhost $right"
done <<'END'
1.2.3.4,
example.org:
example.org:80x
:80
::1
[::1]:80
"example.org"
exam"ple.org
2026-11-22T08:01:02Z
nginx:
END
while read -r day; do
    misfit "a day: $day" "$(echo "$right" | sed "s|22/Nov/2026|$day|")"
done <<'END'
31/Feb/2026
99/Feb/2026
29/Feb/2026
29/Feb/1900
30/Feb/2024
31/Apr/2026
31/Nov/2026
00/Nov/2026
1/Nov/2026
01/nov/2026
01/November/2026
01/11/2026
01/Nov/26
01-Nov-2026
END
while read -r clock; do
    misfit "a time: $clock" "$(echo "$right" | sed "s|08:01:02 +0000|$clock|")"
done <<'END'
24:01:02 +0000
08:60:02 +0000
08:01:61 +0000
08:01:02 +000?
08:01:02 0000
08:01:02 *0000
08:01:02
08:01:02+0000
08:01 +0000
08:01:02 +00000
08:01:02 UTC
END
while read -r status; do
    misfit "a status: $status" "$(echo "$right" | sed "s| 200 | $status |")"
done <<'END'
20
2000
20x
OK
"200"
[200]
-1
END
for bytes in 1.5 -1 12x '"12"' ''; do
    misfit "bytes: $bytes" "$(echo "$right" | sed "s| 12 | $bytes |")"
done
misfit 'a request without quotes' "$(echo "$right" | tr -d '"')"
misfit '... that is not closed' "${right%% 200*}"
misfit '... that goes on' "$(echo "$right" | sed 's|1.1" |1.1"|')"
misfit '... with a quote' "$(echo "$right" | sed 's|GET /|GET /"x|')"
misfit 'a word' word
misfit 'a line of JSON' '{"status":200}'
misfit 'the begin of a line' "${right%% 12*}"
misfit '... up to a backslash' "${right%/1.1*}\\"

# ---- lines that fit ----

{
    echo "$right"
    echo "$right" | sed 's|22/Nov/2026|29/Feb/2024|; s|:02 |:60 |'
    echo "$right" | sed 's|22/Nov/2026|29/Feb/2000|; s|+0000|-0930|'
    echo "$right" | sed 's|GET / HTTP/1.1|-|; s| 200 12 | - - |'
    echo "$right" | sed 's|GET / HTTP/1.1||; s|- - |- "" |'
    echo "$right" | sed 's|GET / HTTP/1.1|GET /\\"x HTTP/1.1|'
    echo "$right" | sed 's|1.2.3.4 - -|  ::1   -	bob|; s| 200|	  200|'
    echo "$right" | sed 's|1.2.3.4|a.name.of.a.host.that.is.longer.than.one.block.of.64.bytes.example.org|'
    echo "$right" | sed 's| 12 .*| 123456789012345|'
    echo "$right" | sed 's| 12 .*| 12|; s|$|\r|'
} >log
gpuhist --clf -f status log >out 2>err
is "$? $(cat err)" '0 ' 'lines that fit'
printf -- '-\t1\n200\t9\n' >wanted
same out wanted '... counted'
printf '%s\n' - 12 12 12 12 12 12 12 12 123456789012345 | sort | uniq -c |
    awk '{ print $2 "\t" $1 }' >wanted
counts wanted '... to their end' gpuhist --clf -f bytes log
{
    echo "$right"
    echo "www.example.org:443 $right"
    echo "- $right" | sed 's|1.2.3.4|unix:|; s|$|\r|'
    echo "$right" | sed 's|1.2.3.4 -|  www	2001:db8::1  a|; s|- \[|bob  [|'
    echo "${right%% \"-*}" | sed 's|1.2.3.4 - -|::1 a.b:c "x.y"|'
    echo "~.*_x:1 ${right%% \"-*} 0.5" | sed 's|1.2.3.4 -|a.example.org [x]|'
    echo "1.2.3.4 4.3.2.1 - - ${right#* - - }" | sed 's|22/Nov/2026|29/Feb/2024|'
} >vhosts
{
    printf '%s\t' - unix: - - GET 200 12 'x y'; printf '\\N\t1\n'
    printf '%s\t' 1.2.3.4 4.3.2.1 - - GET 200 12 'x y'; printf '\\N\t1\n'
    printf '%s\t' www 2001:db8::1 a bob GET 200 12 'x y'; printf '\\N\t1\n'
    printf '%s\t' www.example.org 1.2.3.4 - - GET 200 12 'x y'
    printf '\\N\t1\n'
    printf '%s\t' '~.*_x' a.example.org x - GET 200 12 '\N'; printf '0.5\t1\n'
    printf '%s\t' '\N' 1.2.3.4 - - GET 200 12 'x y'; printf '\\N\t1\n'
    printf '%s\t' '\N' ::1 a.b:c x.y GET 200 12 '\N'; printf '\\N\t1\n'
} >wanted
for options in -j1 '-j3 --chunk-size=4096'; do
    # shellcheck disable=SC2086 # several words
    gpuhist $options --clf --joint \
        -f vhost,host,ident,user,method,status,bytes,agent,+1 vhosts >out 2>err
    is "$? $(cat err)" '0 ' "virtual hosts, $options"
    same out wanted '... and what follows'
done
printf '1.2.3.4\t1\nunix:\t1\n' >wanted
counts wanted '... in conditions' gpuhist --clf -f host \
    --where='vhost!=\N' --where='host!=4.3.2.1' --where='bytes>0' \
    --where='agent!=\N' --where='ident=-' vhosts
if command -v goaccess >/dev/null && command -v python3 >/dev/null; then
    checks goaccess_oracle.py \
        python3 -B "$srcdir/tests/cli/goaccess_oracle.py" "$GPUHIST"
else
    skip 'as goaccess counts' 'no goaccess, or no python3'
fi
printf 'a\n \n\n\t\r\n%s\n' "$right" >blank
printf '1.2.3.4\t1\n\\N\t3\n\\invalid\t1\n' >wanted
gpuhist --clf -f host blank >out 2>err
same out wanted 'lines of blanks lack all fields'
printf 'a\n \n\n' >blank
says 1 "blank: the text at byte 0, 'a', ends before the identity; no line fits --clf" \
    '... and fit nothing' gpuhist --clf -f host blank
printf '\357\273\277%s\n' "$right" >marked
printf '1.2.3.4\t1\n' >wanted
counts wanted 'a byte order mark is left out' gpuhist --clf -f host marked
printf '\n\n' >blank
printf '\\N\t2\n' >wanted
counts wanted '... alone' gpuhist -q --clf -f host blank
counts /dev/null 'no line' gpuhist --clf -f host /dev/null

# ---- conditions, groups, weights, numbers ----

{
    echo "$right"
    echo "$right" | sed 's|^|nginx: |; s| 200 | 500 |'
    echo "$right" | sed 's| 200 | 500 |'
    echo "$right" | sed 's|22/Nov|31/Feb|'
} >log
place="log: the text at byte $((${#right} + 18)), '- [22/Nov/2026:08:01:02 +0000] \"GET / HT...', is $time"
warning="gpuhist: warning: 2 lines do not fit --clf, and count as \\invalid; the first one is $place"

# warned WANTED NAME OPTION...: it prints WANTED, and the warning.
warned()
{
    warned_wanted=$1
    warned_name=$2
    shift 2
    gpuhist --clf "$@" >out 2>err
    is "$? $(cat err)" "0 $warning" "$warned_name"
    same out "$warned_wanted" '... the rows'
}

printf '500\t1\n' >wanted
warned wanted 'a condition' -f status --where='status>=500' log
warned wanted '... on what is not counted' -f status --where='status!=200' \
    --where='agent!=\N' log
printf 'GET\t2\n' >wanted
warned wanted '... that other lines meet' -f method --where='host=1.2.3.4' log
gpuhist --clf -f host --where='host=\N' log >out 2>err
is "$(cat out err)" "$warning
gpuhist: warning: no record fulfils --where=host=\\N" 'they lack no field'
printf '200\t/\t1\n500\t/\t1\n\\invalid\t\\invalid\t2\n' >wanted
warned wanted 'groups' -g status,path log
printf '200\t12\n500\t12\n\\invalid\t0\n' >wanted
counts wanted 'they have no weight' \
    gpuhist -q --clf -f status --weights=bytes log
printf '2026-11-22T08:01\t2\n\\invalid\t2\n' >wanted
warned wanted 'a part of a time' -f minute log
printf 'x y\t2\n\\invalid\t2\n' >wanted
warned wanted 'the agent' -f agent log
printf '12\t2\n\\invalid\t2\n' >wanted
warned wanted 'numbers' -f bytes --dtype=int log
gpuhist --clf -f status,bytes --format=json log 2>err >json
is "$(grep -o '"flow":"invalid","count":2' json | wc -l)" 2 'fields in JSON'
grep -q '"records":4,' json
ok $? '... all of the lines'
gpuhist -q --clf -f status log 2>err >out
is "$(cat err)" '' 'no warning with -q'

# ---- --invalid ----

printf '200\t1\n500\t1\n\\invalid\t2\n' >wanted
warned wanted '--invalid=count' -f status --invalid=count log
for options in -j1 '-j3 --chunk-size=4096' '--where=status=200' '-g host'; do
    # shellcheck disable=SC2086 # several words
    says 1 "$place" "--invalid=error $options" \
        gpuhist --clf -f status --invalid=error $options log
done
printf '%s\n' "$right" >ok
gpuhist --clf -f status --invalid=error ok >out 2>err
is "$? $(cat out err)" "0 200	1" '... where all fit'
refused 2 '--invalid without logs or JSON' gpuhist --tsv -f1 --invalid=count log

# ---- the same bytes, however it is counted ----

# Not by sub(), which takes mawk 20 seconds.
awk -v right="$right" 'BEGIN {
    split(right, part, / 12 |^1.2.3.4/)
    for (i = 0; i < 60000; i++)
        printf "%s10.0.%d.%d%s %d %s\n",
            (i > 40000 && i % 4001 == 0) ? "nginx: " : "", int(i / 256) % 7,
            i % 256, part[2], i * 7919 % 100003, part[3]
}' >log
awk '!/^nginx/ { n[$1]++ } /^nginx/ { bad++ }
    END { for (k in n) print k "\t" n[k]; print "\\invalid\t" bad }' log |
    LC_ALL=C sort >wanted
bad=$(grep -c '^nginx' log)
at=$(sed '/^nginx/,$d' log | wc -c)
gzip -k log
for options in -j1 -j3 -j16 '-j2 --chunk-size=4096' '-j3 --chunk-size=64Ki'; do
    for input in log - log.gz; do
        [ "$input" != log.gz ] || [ "$HAVE_GZIP" = yes ] || continue
        # shellcheck disable=SC2086 # several words
        gpuhist $options --clf -f host $input <log >out 2>err
        same out wanted "$options $input"
        name=$input
        [ "$input" != - ] || name='standard input'
        # The place is that of the time, behind the host, "- -" and the name.
        is "$(sed "s/byte \([0-9]*\), .*/\1/" err)" \
            "gpuhist: warning: $bad lines do not fit --clf, and count as \\invalid; \
the first one is $name: the text at $((at + $(grep -m1 '^nginx' log |
                sed 's/ - \[.*/ /' | wc -c) - 1))" '... the first one'
    done
done
for i in 1 2 3; do
    gpuhist -q --clf -f host --shard=$i/3 --state=s$i log >out
done
counts wanted 'shards' gpuhist -m s2 s3 s1
grep -q '^spec	text	clf	.*invalid=count' s1
ok $? '... their states say how they count'
gpuhist -q --clf -f host --invalid=error --state=strict ok >out
refused 1 '... and do not add up with others' gpuhist -m s1 strict
sed 's/^#gpuhist-state 2/#gpuhist-state 1/' s1 >old
says 1 'old: line 1: the state was made by an older version of gpuhist: its format is 1, and 2 is the only one that is known' \
    'a state of version 1' gpuhist -m old
echo "nginx: $right" >alone
gpuhist --clf -f host --shard=1/2 --state=part alone >out 2>err
is "$? $(sed 's/:.*//' err | uniq) $(cat out)" '0 gpuhist \invalid	1' \
    'another shard may have lines that fit'

# ---- several inputs ----

printf '%s\n' "$right" >ok
printf '%s\n%s\n' "$right" word >one
printf '%s\n' "$right" 'a b' word >two
gpuhist --clf -f host ok one two >out 2>err
printf '1.2.3.4\t3\n\\invalid\t3\n' >wanted
same out wanted 'several inputs'
first="the first one is one: the text at byte $((${#right} + 1)), 'word', ends before the identity"
is "$(cat err)" "gpuhist: warning: 3 lines do not fit --clf, and count as \\invalid; $first" \
    '... the first one'
gpuhist --clf -f host --per-file ok one two >out 2>err
is "$(cat err)" "gpuhist: warning: 3 lines do not fit --clf, and count as \\invalid; $first" \
    '... with --per-file'
says 1 "alone: the text at byte 17, '- [22/Nov/2026:08:01:02 +0000] \"GET / HT...', is $time; no line fits --clf" \
    '... one without a line that fits' gpuhist --clf -f host --per-file ok alone one
gpuhist -q --clf -f host ok alone one >out
is "$?" 0 '... which the others have'

done_testing
