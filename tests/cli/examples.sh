# SPDX-License-Identifier: MIT
# examples.sh -- the examples of the man pages do what they say; cookbook.sh runs
# those of the README
#
# Each is run as it stands there, in a directory with small inputs of the names
# that it uses.  What cannot be had here (a GPU, jq) skips an example; that its
# options exist is tested all the same.
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

# examples_of_pages PAGE...: the blocks between .nf and .fi as shell commands, each in
# its own file "example.N".
examples_of_pages()
{
    awk '/^\.fi/ { inside = 0 }
        inside { print >file }
        /^\.nf/ {
            inside = 1
            file = sprintf("example.%03d", ++n)
        }' "$@"
    for page_file in example.*; do
        sed -e 's/\\-/-/g' -e "s/\\\\(aq/'/g" -e 's/\\(ha/^/g' \
            -e 's/\\e/\\/g' "$page_file" >unescaped
        mv unescaped "$page_file"
    done
}

# ---- what the examples read ----

# native OCTAL...: a number in the machine's order of bytes; its bytes are
# given, the most significant one first.
native()
{
    native_text=
    for native_byte in "$@"; do
        if [ "$lowest_first" = 1 ]; then
            native_text="\\0$native_byte$native_text"
        else
            native_text="$native_text\\0$native_byte"
        fi
    done
    printf '%b' "$native_text"
}
lowest_first=$(printf '\001\000' | od -An -td2 | tr -d ' ')

mkdir inputs bin
(
    cd inputs || exit 99
    mkdir archive logs
    noise 5000 >big.bin
    noise 4800 >data.bin
    cp data.bin data.rec
    cp big.bin ttyS0
    for minute in 01 02; do
        echo "a - - [22/Nov/2026:08:$minute:59 +0000] \"GET /$minute\" 200 9 1"
    done >access.log
    echo '203.0.113.7 - - [22/Nov/2026:08:03:00 +0000] "GET /" 503 9 1' \
        >www.log
    echo >>access.log
    while read -r vhost host minute path referer took; do
        printf '%s:443 %s - - [28/Nov/2026:%s:59 +0000] "GET %s HTTP/1.1" ' \
            "$vhost" "$host" "$minute" "$path"
        printf '200 9 "%s" "curl/8" %s\n' "$referer" "$took"
    done >hosts.log <<'END'
www.example.org 203.0.113.7 06:41 /a.png https://example.net/x 1500
www.example.org 203.0.113.9 06:59 /b - 250
shop.example.org 2001:db8:1::5 07:00 /a.png https://example.net/y 2500
END
    for status in 200 404; do
        echo "a - - [23/Nov/2026:08:00:00 +0000] \"GET /\" $status 9"
    done >today.log
    "$GPUHIST" --clf -f status --state=total access.log >/dev/null
    printf 'price,city\n3.5,a\n4,"b, c"\n' >sales.csv
    printf 'to be or not\nto be\n' >book.txt
    printf '{"day":"2026-11-%s","user":{"id":"%s"}}\n' 01 a 02 b 01 a 02 c >events.jsonl
    {
        echo '2026-11-28T06:41:12+0100 web sshd[812]: session opened'
        echo '2026-11-28T06:59:59+0100 web sshd[813]: session opened'
        echo '2026-11-28T07:00:00+0100 web kernel: eth0 is up'
    } >journal.log
    for seconds in 0.012 1.5; do
        echo "192.0.2.1 [28/Nov/2026:06:41:12 +0000] \"GET /a HTTP/1.1\" 200" \
            "rt=$seconds"
    done >nginx.log
    printf '%s\n' 'refused 203.0.113.7 and 198.51.100.2' 'from 203.0.113.7:22' \
        'version 1.2.3' >auth.log
    for time in 12ms 8ms 1500ms; do
        printf '%s %s %s\n' '192.0.2.1 - - [28/Nov/2026:06:41:12 +0000] "GET /' \
            'HTTP/1.1" 200 12 "-" "curl/8" 7' "\"web@docker\" \"http://a:80\" $time"
    done >traefik.log
    for status in 200 502 200; do
        printf '%s %s %s %s\n' 'http 2026-11-28T06:41:12.123456Z app/lb/50dc6c49' \
            '192.0.2.1:2817 10.0.0.1:80 0.000 0.001 0.000' \
            "$status 200 34 366 \"GET http://a:80/ HTTP/1.1\" \"curl/8\" - -" \
            'arn:aws:elasticloadbalancing:eu-west-1:1:targetgroup/a "Root=1-58"'
    done >alb.log
    echo '{"time":"2026-11-28T06:41:12Z"}' >app.jsonl
    printf 'url,took\n/a,12ms\n/b,1.5s\n' >calls.csv
    {
        echo '{"time":"2026-11-28T06:41:12Z","labels":["app","prod"]}'
        echo '{"time":"2026-11-28T07:00:00Z","labels":["app"]}'
        echo '{"time":"2026-11-28T07:59:59Z","labels":[]}'
    } >cluster.jsonl
    {
        echo '{"customer":"a","orders":[{"items":[{"sku":"x"},{"sku":"y"}]}]}'
        echo '{"customer":"a","orders":[{"items":[{"sku":"x"}]},{"items":[]}]}'
    } >orders.jsonl
    printf '@M:1:F:1:%s:2:3\n%s\n+\n%s\n' 1101 AC I5 1102 G I 1101 A I >tiles.fq
    printf '%s\n' 'Oslo;-1.5' 'Rome;12.3' 'Oslo;2' 'Oslo;0.4' >stations.txt
    printf 'b\na\nb' >keys.txt
    printf '##x\n#CHROM\tPOS\nchr1\t5\nchr2\t7\nchr1\t9\n' >calls.vcf
    printf 'a\tb\t0.5\nc\td\t1.25\n' >table.txt
    printf '>chr1 with ACGT\nACGTNacgtn\nGGGCA\n>chr2\nTT\n' >genome.fa
    printf '@a\nACGT\n+\nII5!\n@b\nGG\n+\nI5\n' >reads.fq
    cp reads.fq mates.fq
    # As text: the content says what the file is.
    printf '%s\t4\t*\t0\t0\t*\t*\t0\t0\t%s\t%s\n' a ACGT 'II5!' b GG I5 >reads.bam
    # 10 windows of 21 bases, all the same.
    echo '>a' >sample.fq
    printf '%030d\n' 0 | tr 0 A >>sample.fq
    printf 'P6\n2 2\n255\n\001\002\003\001\020\003\001\002\377\001\002\003' >photo.ppm
    : >photo.jpg
    printf 'P5\n3 1\n255\n\001\001\200' >scan.pgm
    # 7, 8, 4095, 4096 and 65535 after the header.
    noise 512 >adc.raw
    printf '\000\007\000\010\017\377\020\000\377\377' >>adc.raw
    # (1, -1) twice, (0, 32767).
    printf '\001\000\377\377\001\000\377\377\000\000\377\177' >iq.raw
    # 98 of 1000, one of 5000 and one of 10^6.
    for _ in $(seq 98); do
        native 0 0 0 0 0 0 003 350
    done >latency.u8
    native 0 0 0 0 0 0 023 210 >>latency.u8
    native 0 0 0 0 0 017 102 100 >>latency.u8
    # 0.5, 2, 2; 0.5, 2.
    (native 077 0 0 0 && native 100 0 0 0 && native 100 0 0 0) >latency.f4
    (native 077 340 0 0 0 0 0 0 && native 100 0 0 0 0 0 0 0) >sensor.f8
    cp latency.f4 samples.f4
    # 0.5 and -0.25 in one file, another array in the other.
    for tensor in embed.weight out.weight; do
        tensors='{"'$tensor'":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}'
        printf '%b%s%b' "\\0$(printf %o ${#tensors})\\0\\0\\0\\0\\0\\0\\0" \
            "$tensors" '\0\0\0\077\0\0\0200\0276' >model-$tensor.safetensors
    done
    # 0.5, 2 and NaN, after a header of 128 bytes.
    (
        printf '\223NUMPY\001\000v\000'
        printf '%-117s\n' \
            "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }"
        printf '\000\000\000\000\000\000\340\077\000\000\000\000\000\000\000\100'
        printf '\000\000\000\000\000\000\370\177'
    ) >norms.npy
    # (7, 0.5), (7, 2), (9, 2).
    (
        printf '\007\000\000\000\000\077\007\000\000\000\000\100'
        printf '\011\000\000\000\000\100'
    ) >readings.bin
    if command -v zstd >/dev/null; then
        for directory in archive logs; do
            zstd -q -c access.log >$directory/a.zst
            zstd -q -c big.bin >$directory/b.zst
        done
        tar -c access.log book.txt | zstd -q >logs.tar.zst
    fi
)
cat inputs/access.log inputs/big.bin | oracle >archives

# gpuhist as in the examples, with a note of each exit status, which a pipe
# would hide; or only a look at the options.
cat >bin/gpuhist <<'END'
#!/bin/sh
if [ "$EXAMPLE_RUN" = yes ]; then
    timeout 60 "$GPUHIST" "$@"
else
    "$GPUHIST" "$@" --help >/dev/null
fi
status=$?
echo "$status" >>"$EXAMPLE_STATUS"
exit "$status"
END
# The photo is not what is tested.
printf '#!/bin/sh\ncat photo.ppm\n' >bin/magick
# Nor what comes in from somewhere.
printf '#!/bin/sh\ncat latency.f4\n' >bin/service
printf '#!/bin/sh\ncat adc.raw\n' >bin/receiver
cp bin/receiver bin/sensor
chmod +x bin/*
EXAMPLE_STATUS=$PWD/status
export EXAMPLE_STATUS

# ---- what comes out ----

# right FILE: whether what the example FILE printed, which is in the file "out"
# and in those that it made in "here", is what other tools say.  An example of
# which nothing is known here is asked for some output only.
right()
{
    command=$(cat "$1")
    known=
    case $command in
        'cat big.bin | gpuhist > counts.tsv' | *--interrupted=print*)
            known=bytes
            oracle <here/big.bin | cmp - here/*.tsv
            ;;
        *'-o archive.tsv'*)
            known=archives
            cmp archives here/archive.tsv
            ;;
        *--merge*)
            known=states
            printf '200\t3\n404\t1\n\\N\t1\n' | cmp - here/total.tsv
            ;;
        *--safetensors*--columns*)
            known=figures
            printf '2\t0\t-0.25\t0.5\t0.125\t0.375\n' | cmp - out
            ;;
        *--safetensors*)
            known=tensors
            printf '%s\t%s\t%s\n' -1 -0.5 0 -0.5 0 1 0 0.5 0 0.5 1 1 | cmp - out
            ;;
        *--members*)
            known=members
            grep -q -e '^to	2$' -e '^to be	1$' out
            ;;
        *--top=10*.zst)
            known=top
            sort -k2,2nr -k1,1n archives | head -n 10 | cut -f 2 >wanted
            head -n 10 out | cut -f 2 | cmp wanted - &&
                awk '{ all += $NF } END { exit !(all > 99.99 && all < 100.01) }' out
            ;;
        *hosts.log*)
            known=hosts
            {
                printf 'shop.example.org\t2026-11-28T07\t1\n'
                printf 'www.example.org\t2026-11-28T06\t2\n'
                printf '203.0.113.0/24\t2\n2001:db8:1::/48\t1\n'
                printf 'example.net\t2\n-\t1\npng\t2\n\t1\n'
                printf '/a.png\t2\t0.0025\n/b\t1\t0.00025\n'
            } | cmp - out
            ;;
        *access.log*awk*)
            known=lines
            [ "$(cat out)" = "3 $(wc -c <here/access.log | awk '{ print $1 / 3 }')" ]
            ;;
        *'-f +1 --columns='*)
            known=latencies
            printf '/%s\t1\t1\t1\n' 01 02 >wanted
            printf '\\N\t0\tnan\tnan\n' >>wanted
            cmp wanted out
            ;;
        *--where=*'||'*)
            known=alternatives
            printf '203.0.113.7\t1\n' >wanted
            cmp wanted out
            ;;
        *--where=*)
            known=failures
            case $command in
                *path*) printf '/\t1\n' ;;
            esac >wanted
            case $command in
                *minute*) printf '2026-11-22T08:03\t1\n' ;;
            esac >>wanted
            case $command in
                *hour*) printf '2026-11-22T08\t1\n' ;;
            esac >>wanted
            cmp wanted out
            ;;
        *--columns=distinct*)
            known=users
            printf '2026-11-%s\t%s\n' 01 1 02 2 | cmp - out
            ;;
        *journal.log*)
            known=journal
            printf '%s\t%s\t%s\n' 2026-11-28T06 sshd 2 2026-11-28T07 kernel 1 |
                cmp - out
            ;;
        *nginx.log*)
            known=nginx
            printf '/a\t%s\t1\n' 0.012 1.5 | cmp - out
            ;;
        *auth.log*)
            known=addresses
            printf '%s\t%s\n' 198.51.100.2 1 203.0.113.7 2 | cmp - out
            ;;
        *traefik.log*)
            known=routers
            printf 'web@docker\t3\t1.5\n' | cmp - out
            ;;
        *alb.log*)
            known=responses
            printf '2026-11-28T06\t%s\t%s\n' 200 2 502 1 | cmp - out
            ;;
        *orders.jsonl*)
            known=orders
            printf 'a\t%s\n' 'x	2' 'y	1' | cmp - out
            ;;
        *tiles.fq*)
            known=tiles
            printf '1101\t33.333333333333336\n1102\t40\n' | cmp - out
            ;;
        *cluster.jsonl*)
            known=labels
            printf '2026-11-28T%s\t%s\t1\n' 06 app 06 prod 07 app | cmp - out
            ;;
        *stations.txt*)
            known=stations
            printf 'Oslo\t3\t0.9\t-1.5\t0.3\t2\nRome\t1\t12.3\t12.3\t12.3\t12.3\n' |
                cmp - out
            ;;
        *--weights=bytes*)
            known=traffic
            printf '/01\t9\n/02\t9\n\\N\t0\n' | cmp - out &&
                [ "$(cat err)" = 'gpuhist: warning: 1 record has no weight' ]
            ;;
        *genome.fa*)
            known=bases
            printf 'A\t3\nC\t3\nG\t5\nN\t2\nT\t4\n' >wanted
            cut -f 1,2 out | cmp wanted -
            ;;
        *--format=fqchk*)
            known=fqchk
            sed -n '1p; $p' out >got
            printf '%s\n' 'min_len: 2; max_len: 4; avg_len: 3.00; 3 distinct quality values' \
                '4	1	0.0	0.0	0.0	100.0	0.0	0.0	3.0	100.0	0.0' | cmp - got
            ;;
        *--format=seqkit*)
            known=pairs
            awk '{ print $1, $4, $5 }' out >got
            printf '%s\n' 'file num_seqs sum_len' 'reads.fq 2 6' 'mates.fq 2 6' \
                'total 4 12' | cmp - got
            ;;
        *--format=flagstat*)
            known=flagstat
            sed -n '1p; 9p; $p' out >got
            printf '%s\n' '2 + 0 in total (QC-passed reads + QC-failed reads)' \
                '0 + 0 paired in sequencing' \
                '0 + 0 with mate mapped to a different chr (mapQ>=5)' | cmp - got
            ;;
        *position,quality*-b*)
            known=heat
            grep -q '^position (int) by quality (int): 6 counted' out
            ;;
        *'-f gc -b'*)
            known=gc
            printf '%s\t%s\t1\n' 0.5 0.55 0.95 1 >wanted
            grep -v '	0$' out | cmp wanted -
            ;;
        *sample.fq*)
            known=kmers
            printf 'AAAAAAAAAAAAAAAAAAAAA\t10\n10 1\n' | cmp - out
            ;;
        *position,quality*)
            known=reads
            [ "$(awk '{ n[$1] += $NF } END {
                print n["base"], n["position,quality"], n["length"], n["gc"] }' \
                out)" = '6 6 2 2' ]
            ;;
        *logo.tsv*)
            known=logo
            printf '%s\t%s\t1\n' 1 A 1 G 2 C 2 G 3 G 4 T | cmp - here/logo.tsv
            ;;
        *--svg=photo.svg*)
            known=photo
            awk -F '\t' '$3 != 0' here/rgb.tsv >got
            printf '%s\t%s\t%s\n' 1 1 4 2 2 3 2 16 1 3 3 3 3 255 1 | cmp - got &&
                grep -q '</svg>' here/photo.svg
            ;;
        *--equalize=*)
            known=grey
            # The image that is not scan.pgm.
            tail -c 3 here/*[!n].pgm | od -An -tu1 >got
            [ "$(awk '{ print $1, $2, $3 }' got)" = '0 0 255' ]
            ;;
        receiver*)
            known=minutes
            od -An -v -tu2 here/adc.raw >numbers
            awk '{ for (i = 1; i <= NF; i++) n += $i >= 1000 } END { print n }' \
                numbers | cmp - out
            ;;
        *adc.raw*)
            known=samples
            awk '$3 != 0' out >got
            printf '%s\t%s\t%s\n' 0 64 2 4032 4096 1 4096 inf 2 | cmp - got
            ;;
        *iq.raw*)
            known=channels
            printf '%s\t%s\t%s\t%s\t%s\n' 0 1024 -1024 0 2 0 1024 31744 32768 1 |
                cmp - here/iq.tsv && grep -q '</svg>' here/iq.svg
            ;;
        *--range=minmax*norms.npy*)
            known=minmax
            # 0.5, 2 and NaN: ten bins.
            head -n 1 out | grep -q '^0.5.0.65.1$' && tail -n 2 out | head -n 1 |
                grep -q '^1.8499999999999999.2.1$'
            ;;
        *quantiles*norms.npy*)
            known=quantiles
            [ "$(cut -f 3 out | tr '\n' ' ')" = '1 1 1 1 0 0 1 1 ' ]
            ;;
        *norms.npy*)
            known=numbers
            tail -n 1 out | tr '\t' ' ' |
                grep -qx '2 1 0.5 2 1.25 0.75 0.875 1.25 1.625 2'
            ;;
        *readings.bin*)
            known=readings
            [ "$(tr '\t\n' ' ,' <out)" = '7 2 1.25 2,9 1 2 2,' ]
            ;;
        *--percentiles=*)
            known=percentiles
            awk '$1 == "values" && $2 == 100 { n++ }
                $1 ~ /_lo$/ { lo = $2 }
                $1 == "p50_hi" && lo <= 1000 && 1000 <= $2 && $2 < lo * 1.04 { n++ }
                $1 == "p99_hi" && lo <= 5000 && 5000 <= $2 && $2 < lo * 1.04 { n++ }
                END { exit n != 3 }' out
            ;;
        *--metric=requests_total*)
            known=textfile
            grep -qx 'requests_total{status="200"} 2' here/requests.prom
            ;;
        *--metric=request_seconds*)
            known=prometheus
            grep -qx 'request_seconds_count 3' here/request.prom &&
                grep -qx 'request_seconds_bucket{le="0.5"} 1' here/request.prom &&
                grep -qx 'request_seconds_bucket{le="2.0"} 3' here/request.prom
            ;;
        *jq*counts.npy*)
            known=programs
            # 98 numbers are 1000; numpy's header is 128 bytes, counts are 8.
            [ "$(cat out) $(wc -c <here/counts.npy) $(wc -l <here/counts.csv)" = \
                '512 2176 257' ]
            ;;
        *) true ;;
    esac || return 1
    [ -z "$known" ] || echo "$known" >>known
    # Nothing that it made is empty, and it made something.
    [ -z "$(find here -type f -newer started -size 0)" ] || return 1
    [ -s out ] || [ -n "$(find here -type f -newer started)" ]
}

# missing FILE: what the example FILE needs and this machine lacks.
missing()
{
    if grep -q -e '--device=opencl' "$1"; then
        echo 'an OpenCL device'
    elif grep -q -e '--device=cuda' "$1" && [ "$HAVE_NVCC" != yes ]; then
        echo 'CUDA kernels'
    elif grep -q -e --members "$1" && [ "$HAVE_ARCHIVE" != yes ]; then
        echo 'libarchive'
    elif grep -q -e --matches -e '=~' "$1" && [ "$HAVE_PCRE2" != yes ]; then
        echo 'PCRE2'
    elif grep -q '\.zst' "$1" && [ "$HAVE_ZSTD" != yes ]; then
        echo 'libzstd'
    elif grep -q '\.zst' "$1" && ! command -v zstd >/dev/null; then
        echo 'the zstd program'
    elif grep -q '| *$' "$1" && grep -q '^ *jq ' "$1" || grep -q '| jq ' "$1"; then
        command -v jq >/dev/null || echo 'jq'
    fi
}

# try NAME FILE: run the example FILE.
try()
{
    try_lacks=$(missing "$2")
    EXAMPLE_RUN=yes
    [ -z "$try_lacks" ] || EXAMPLE_RUN=no
    export EXAMPLE_RUN
    rm -rf here
    cp -R inputs here
    # No serial line here, and a GPU only in the tests' own driver.
    sed 's|/dev/ttyS0|ttyS0|' "$2" >example
    try_library=${LD_LIBRARY_PATH-}
    ! grep -q -e '--device=cuda' example || try_library=$FAKE_CUDA_DIR
    : >status
    find here -exec touch -t 200001010000 {} +
    touch -t 200101010000 started
    (
        cd here || exit 99
        PATH=$PWD/../bin:$PATH LD_LIBRARY_PATH=$try_library \
            sh ../example >../out 2>../err
    )
    try_status=$?
    [ -s status ] && ! grep -qvx 0 status
    ok $? "$1: exit status 0${try_lacks:+ (only its options)}" || {
        sed 's/^/# /' err
        return
    }
    if [ -n "$try_lacks" ]; then
        skip "... and what it prints" "it needs $try_lacks"
        return
    fi
    # Only what was done is told besides.
    { [ ! -s err ] || grep -q -e '--explain' -e '--weights=bytes' -e '-f +1' example; } &&
        right "$2" &&
        [ "$try_status" -eq 0 ]
    ok $? '... and what it prints' ||
        cat err out | head -n 20 | sed 's/^/# /'
}

# An option that does not exist would be seen, in whatever way it is run.
echo 'cat big.bin | gpuhist --no-such-option | cat' >wrong
for EXAMPLE_RUN in yes no; do
    export EXAMPLE_RUN
    : >status
    (cd inputs && PATH=$PWD/../bin:$PATH sh ../wrong >../out 2>../err)
    is "$(cat status)" 2 "a wrong option is noticed (run: $EXAMPLE_RUN)"
done

examples_of_pages "$srcdir"/man/*.1
: >known
for file in example.*; do
    try "${file#example.}: $(head -n 1 "$file")" "$file"
done

# What is known above belongs to an example that is there.
is "$(cat "$srcdir"/man/*.1 | grep -c '^\.nf') $(find . -name 'example.[0-9]*' | wc -l)" \
    "$(find . -name 'example.[0-9]*' | wc -l) $(cat "$srcdir"/man/*.1 | grep -c '^\.fi')" \
    'the examples are all that there is between .nf and .fi'
find . -name 'example.*' | wc -l >number
[ "$(cat number)" -ge 30 ]
ok $? "... and there are $(cat number) of them"
if [ "$HAVE_ZSTD$HAVE_PCRE2" = yesyes ] && command -v zstd >/dev/null &&
    command -v jq >/dev/null; then
    is "$(sort -u known | tr '\n' ' ')" \
        'addresses alternatives archives bases bytes channels failures figures flagstat fqchk gc grey heat hosts journal kmers labels latencies lines logo members minmax minutes nginx numbers orders pairs percentiles photo programs prometheus quantiles readings reads responses routers samples states stations tensors textfile tiles top traffic users ' \
        'each answer that is known here belongs to an example'
else
    skip 'each answer that is known here belongs to an example' \
        'no zstd, no PCRE2 or no jq'
fi

done_testing
