# SPDX-License-Identifier: MIT
# log_format.sh -- --log-format
# shellcheck shell=sh disable=SC2154,SC2016

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

python_checks "$srcdir/tests/cli/log_format_oracle.py"
python_checks "$srcdir/tests/cli/log_kinds_oracle.py"
python_checks "$srcdir/tests/cli/log_goaccess_oracle.py"

cat >log <<'END'
10.0.0.1 - bob [28/Nov/2026:06:41:12 +0000] "GET /a?x=1 HTTP/1.1" 200 512 "http://r/" "M \"q\"" rt=0.012
10.0.0.2 - - [28/Nov/2026:06:42:12 +0000] "POST /b HTTP/1.1" 404 - "-" "curl" rt=1.500

10.0.0.2 - - [28/Nov/2026:06:42:12 +0000] "POST /b HTTP/1.1" 2x4 - "-" "curl" rt=1.500
END
combined='$remote_addr - $remote_user [$time_local] "$request" $status '\
'$body_bytes_sent "$http_referer" "$http_user_agent"'

rows() { # FIELD ROW... -- check the counts of FIELD
    field=$1
    shift
    printf '%b\t1\n' "$@" >wanted
    counts wanted "$field" gpuhist -q --log-format="$combined rt=\$request_time" \
        -f "$field" log
}
rows host 10.0.0.1 10.0.0.2 '\\N' '\\invalid'
rows '$status' 200 404 '\\N' '\\invalid'
rows path /a /b '\\N' '\\invalid'
rows method GET POST '\\N' '\\invalid'
rows duration 0.012 1.5 '\\N' '\\invalid'
rows request_time 0.012 1.500 '\\N' '\\invalid'
rows minute 2026-11-28T06:41 2026-11-28T06:42 '\\N' '\\invalid'
rows agent 'M \\"q\\"' curl '\\N' '\\invalid'

says_rows() { # TEXT NAME COMMAND... -- check a warning of a run that succeeds
    text=$1
    name=$2
    shift 2
    "$@" >out 2>err
    is "$? $(cat err)" "0 gpuhist: $text" "$name"
}
says_rows "warning: 1 line does not fit --log-format, and counts as \\invalid: \
log: the text at byte 254, '2x4 - \"-\" \"curl\" rt=1.500', is no status of three \
digits" 'a warning of a line that does not fit' gpuhist \
    --log-format="$combined rt=\$request_time" -f status log
says 1 "log: the text at byte 254, '2x4 - \"-\" \"curl\" rt=1.500', is no status \
of three digits" '--invalid=error' gpuhist --invalid=error \
    --log-format="$combined rt=\$request_time" -f status log
says 1 "log: the text at byte 0, '10.0.0.1 - bob [28/Nov/2026:06:41:12 +00...', \
lacks ' : ' after \$a; no line fits --log-format" 'no line fits' gpuhist \
    --log-format='$a : $b' -f a log

printf '0.001234\t1\n0.25\t1\n' >wanted
printf '1234 a\n250000 b\n' >micro
counts wanted 'microseconds' gpuhist --log-format='%D %v' -f duration micro
printf '250000\t1\n' >wanted
counts wanted 'a condition on them' gpuhist --log-format='%D %v' -f %D \
    --where='duration>100ms' micro
printf '1.234\t1\n250\t1\n' >wanted
counts wanted 'milliseconds' gpuhist -W -f 1:duration=ms micro
printf '%s\t1\n' -0.197 -0.001 0 0.005 >wanted
printf '%s\n' -197 -1 -0 '  +5 ' >signs
counts wanted '... with a sign' gpuhist -d, -f 1:duration=ms signs
refused 2 'another unit' gpuhist -W -f 1:duration=h micro
printf 'a\t1\nb\t1\n' >wanted
printf 'x  [%s] a\nx [%s] b\n' '2026-11-28 06:41' '2026-11-28 06:42' >padded
counts wanted 'padding' gpuhist --log-format='%{w->} [%{t}] %{n}' -f n padded
printf 'b\t1\nx, b\t1\n' >wanted
printf '0.1, 0.2 x, b\n0.1 b\n' >lists
counts wanted 'lists of nginx' gpuhist \
    --log-format='$upstream_response_time $n' -f n lists
printf 'a\t1\n' >wanted
printf '28/Nov/2026 06:41:12 a\n' >blanks
counts wanted 'blanks in times' gpuhist --log-format='%{%d/%b/%Y %T}t %u' \
    -f user blanks
line='10.0.0.1 - - [28/Nov/2026:06:41:12 +0000] "GET / HTTP/1.1" 200 5'
printf 'w.example:80 %s\nw.example %s\r\n' "$line" "$line" >hosts
printf 'w.example\t5\t2\n' >wanted
counts wanted 'virtual hosts' gpuhist --log-format=VCommon -g vhost,bytes hosts

# Formats with a name: host, status, bytes, path and duration of each.
printf '10.0.0.1\t404\t51\t/x\t0.058\t1\n' >wanted
named() { # NAME LINE
    printf '%s\n' "$2" | sed -e ':a' -e '/\\$/{N;s/\\\n//;ba' -e '}' >named
    counts wanted "$1" gpuhist --log-format="$1" \
        -g host,status,bytes,path,duration named
}
named squid '1764312072.603     58 10.0.0.1 TCP_MISS/404 51 GET /x - \
HIER_DIRECT/192.0.2.1 text/html'
named AWSS3 'a1 bucket [28/Nov/2026:06:41:12 +0000] 10.0.0.1 - 3E57 \
REST.GET.OBJECT x "GET /x?y HTTP/1.1" 404 NoSuchKey 51 - 58 - "-" "a \"b" - \
s9= SigV4 ECDHE AuthHeader b.example TLSv1.3 - Yes'
named traefikclf '10.0.0.1 - - [28/Nov/2026:06:41:12 +0000] \
"GET /x HTTP/2.0" 404 51 "-" "curl" 7 "r@docker" "http://192.0.2.1:80" 58ms'

named alb 'h2 2026-11-28T06:41:12.000000Z app/lb/1 10.0.0.1:53 - 0.0 0.058 0.0 404 - \
34 51 "GET https://a.example:443/x?y HTTP/2.0" "curl \"x\"" - - arn:t "Root=1"'
printf 'a.example\ty\t53\tcurl \\"x\\"\t\\N\t1\n' >wanted
counts wanted 'names of alb' gpuhist -q --log-format=AWSALB \
    -g vhost,query,port,agent,domain_name named
printf '10.0.0.1\t404\t51\t/x\t0.058\t1\n' >wanted
named elb '2026-11-28T06:41:12.000000Z lb 10.0.0.1:53 - 0.0 0.058 0.0 404 - \
34 51 "GET http://a.example:80/x HTTP/1.1"'
cat >system <<'END'
<34>1 2026-11-28T06:41:12.003Z a su - ID47 [x@1 a="b\"]"] 'su root' failed
<38>Nov  1 06:41:12 a sshd[123]: Accepted
2026-11-28T06:41:12+0100 a systemd[1]: Started Session 1.
2026-11-28T06:42:12+0100 a last message repeated 2 times
-- Boot 1 --
END
printf '%b\t1\n' 'sshd\t123\t\\N\t11-01T06:41\tauth\tinfo' \
    'su\t-\t[x@1 a="b\\"]"]\t2026-11-28T06:41\tauth\tcrit' \
    'systemd\t1\t\\N\t2026-11-28T06:41\t\\N\t\\N' \
    '\\N\t\\N\t\\N\t2026-11-28T06:42\t\\N\t\\N' >wanted
counts wanted 'three forms of syslog' gpuhist --log-format=syslog --comment=-- \
    -g program,pid,structured-data,minute,facility,severity system
says_rows "warning: 1 line does not fit --log-format, and counts as \invalid: \
system: the text at byte 232, '-- Boot 1 --', is no time of syslog" \
    'a line of journalctl' gpuhist --log-format=Syslog -f host system
cat >haproxy <<'END'
Feb  6 12:14:14 h haproxy[1]: 10.0.0.1:53 [06/Feb/2026:12:14:14.655] in b/s 10/0/30/69/109 -1 51 - - ---- 1/1/1/1/0 0/0 {a.b} {} "GET /x HTTP/1.1"
Feb  6 12:14:14 h haproxy[1]: ::1:53 [06/Feb/2026:12:14:14.655] in~ b/s 0/0/+507 212 -- 0/0/0/0/3 0/0
10.0.0.1:53 [06/Feb/2026:12:14:14.655] in/1: SSL handshake failure
10.0.0.1:53 [06/Feb/2026:12:14:14.655] in/1
END
printf '%b\t1\n' '10.0.0.1\t-1\t/x\t0.109\ta.b\t\\N' \
    '10.0.0.1\t\\N\t\\N\t\\N\t\\N\tSSL handshake failure' \
    '::1\t\\N\t\\N\t0.507\t\\N\t\\N' \
    '\\invalid\t\\invalid\t\\invalid\t\\invalid\t\\invalid\t\\invalid' >wanted
counts wanted 'lines of haproxy' gpuhist -q --log-format=haproxy \
    -g host,status,path,duration,captured_request_headers,message haproxy
# Names in the data.
cat >iis <<'END'
#Software: Internet Information Services
#Fields: date time cs-method cs-uri-stem c-ip cs(User-Agent) sc-status time-taken
2026-11-28 06:41:12 GET /x 10.0.0.1 a+b 404 58
#Fields: date time cs-method cs-uri-stem c-ip cs(User-Agent) sc-status time-taken 
2026-11-28 06:42:12 GET /x 10.0.0.1 "a b" 404 58
2026-11-28 06:42:12 GET /x 10.0.0.1 a b 404 58
END
printf '%b\t1\n' '10.0.0.1\t404\t/x\t0.058\t2026-11-28T06:41\ta+b\t06:41:12' \
    '10.0.0.1\t404\t/x\t0.058\t2026-11-28T06:42\ta b\t06:42:12' \
    '\\invalid\t\\invalid\t\\invalid\t\\invalid\t\\invalid\t\\invalid\t\\invalid' \
    >wanted
counts wanted 'fields named in the data' gpuhist -q --log-format=w3c \
    -g 'host,status,path,duration,minute,cs(User-Agent),time-of-day' iis
printf '2026-11-28 06:42:12\t1\n' >wanted
counts wanted '... and conditions on them' gpuhist -q --log-format=w3c -f time \
    --where='minute=2026-11-28T06:42' --where='duration<100ms' iis
for i in 1 2 3; do
    "$GPUHIST" -q --shard=$i/3 --log-format=w3c -f c-ip --format=state iis >part.$i
done
"$GPUHIST" -q --merge part.1 part.2 part.3 >got
printf '10.0.0.1\t2\n\\invalid\t1\n' >wanted
cmp -s wanted got
ok $? '... in shards'
says 1 "standard input: the text at byte 20, '#Fields: c-ip', has other fields than \
the first #Fields: line: split the log there, count each part with --state=FILE, \
and add the states up with --merge" 'names that change' \
    sh -c 'printf "#Fields: c-ip a\n1 2\n#Fields: a\n#Fields: c-ip\n" | sed 3d |
        "$1" --log-format=w3c -f host' sh "$GPUHIST"
printf '#Fields: a\n' >other
states='count each log with --state=FILE, and add the states up with --merge'
says 1 "other: field 1 of the header is 'a', but 'date' in iis: $states" \
    'other names' \
    gpuhist -q --log-format=w3c -f date iis other
printf '#Fields: c-ip date\n10.0.0.1 2026-11-28\n' >other
for file in iis other; do
    "$GPUHIST" -q --log-format=w3c -f date --format=state $file >part.$file
done
printf '2026-11-28\t3\n\\invalid\t1\n' >wanted
counts wanted '... are counted apart' gpuhist --merge part.iis part.other
printf '#Fields: c-ip\n10.0.0.1\n' >fewer
says 1 "fewer: the header has 1 field, but 2 in other: $states" 'fewer names' \
    gpuhist -q --log-format=w3c -f c-ip other fewer

# A server writes the lines of its header again when it starts again.
for format in w3c cloudfront; do
    [ $format = w3c ] && blank=' ' || blank='\t'
    head='#Software: S\n#Version: 1.0\n#Date: 2026-11-28 00:00:00\n'
    head="$head#Fields: date time c-ip sc-status time-taken\n"
    for part in 1 2 3; do
        # shellcheck disable=SC2059 # escapes
        printf "$head"
        noise 200 $part | od -An -v -t u1 -w1 | awk -v blank="$blank" '{
            print "2026-11-28" blank "06:41:12" blank "10.0.0.1" blank 200 + $1 \
                blank 12 }'
    done >again
    grep -v '^#' again | tr '\t' ' ' | cut -d' ' -f4 | LC_ALL=C sort | uniq -c |
        awk '{ print $2 "\t" $1 }' >wanted
    for options in '-j1' '-j3 --chunk-size=4096' '--per-file'; do
        # shellcheck disable=SC2086 # several words
        gpuhist --log-format=$format -f status $options again >got 2>says
        [ "$options" != --per-file ] || sed 's/^again\t//' got >got.rows
        [ "$options" != --per-file ] || mv got.rows got
        same got wanted "the names stand there again: $format $options"
        is "$(cat says)" '' '... no warning'
    done
    sed 's/$/\r/' again >again.cr
    gpuhist --log-format=$format -f status again.cr >got
    same got wanted "... in lines of Windows: $format"
done
printf '10.0.0.1\t404\t51\t/x\t0.058\t1\n' >wanted
printf '%s\n' '#Fields: date time x-edge-location sc-bytes c-ip cs-uri-stem sc-status time-taken' \
    '2026-11-28	06:41:12	FRA	51	10.0.0.1	/x	404	0.058' >cloudfront
counts wanted 'cloudfront' gpuhist --log-format=CLOUDFRONT \
    -g host,status,bytes,path,duration cloudfront
printf '%s\n' '"time_micros","c_ip"' '"1764312072000000","10.0.0.1","1","","GET","/x?y","404"'\
',"0","51","58000","h","","a, ""b""","i","GET_Object","b","o"' >cloudstorage
counts wanted 'cloudstorage' gpuhist --log-format=cloudstorage \
    -g host,status,bytes,path,duration cloudstorage
printf '404\t1\n' >wanted
echo '{"request":{"method":"GET"},"status":404}' >caddy
counts wanted 'caddy' gpuhist --log-format=Caddy -f status \
    --where=request.method=GET caddy
no() { # MESSAGE PATTERN
    says 2 "--log-format: $1" "$2" gpuhist --log-format="$2" -f status log
}
of="a pattern has the names of nginx (\$status), Apache (%>s) or dissect \
(%{status})"
no "'\$status' and '%h' are of two spellings: $of" '%h $status'
no "'%h' and '%{x}' are of two spellings: $of" '%h %{x} z'
no "'%{b}' follows another name at once: where a value ends, text must be \
between them" '%{a}%{b}'
no "'%^' is goaccess': $of" '%^ %h'
no "'%d' is goaccess': $of" '%d'
no "'~h' is goaccess': $of" '~h{, } %h'
no "'%{+a}': + of dissect is not read; %{} leaves a value out, and each name \
is a field" '%{+a} b'
no "the pattern has no name; put it in single quotes, or the shell takes \
\$names" '%% $ -'
no "' -  []' has no name with \$ or %; put the pattern in single quotes, or \
the shell takes \$names" ' -  []'
no "'combind' is no format (combined, vcombined, common, vcommon, \
squid, s3, elb, alb, traefik, haproxy, syslog, cloudstorage, w3c, cloudfront, caddy), and no pattern, which has names with \$ or %" combind
no "'%h' is in the pattern twice" '%h %h'
no "the pattern has no name 'status' (remote_addr, and those of --clf that \
they stand for)" '$remote_addr'
no "'%{a' has no }" '%{a'
printf '5 %%\t1\n' >wanted
echo 'x 5 %' >percent
counts wanted '% at the end' gpuhist --log-format='x $a' -f a percent
printf '5\t1\n' >wanted
counts wanted '... of the pattern' gpuhist --log-format='x $a %' -f a percent
no "'%J' is no name of Apache's; % itself is %%" '%J'
says 2 "--log-format: 'time' may be \$time_local or \$msec: write the name that \
is meant" 'two times' gpuhist --log-format='$time_local $msec' -f time log
says 2 "--log-format and --csv exclude each other" 'another format' gpuhist \
    --csv --log-format=common -f 1 log

for i in 1 2 3; do
    "$GPUHIST" -q --shard=$i/3 --log-format="$combined rt=\$request_time" \
        -f status --format=state log >part.$i
done
"$GPUHIST" -q --merge part.1 part.2 part.3 >got
printf '200\t1\n404\t1\n\\N\t1\n\\invalid\t1\n' >wanted
cmp -s wanted got
ok $? 'shards'

done_testing
