# SPDX-License-Identifier: MIT
# text.sh -- a real GPU counts keys and numbers of text as the CPU does
# shellcheck shell=sh

. "${srcdir:?run it by make check-gpu}/tests/tap.sh"

"$GPUHIST" --device=cuda </dev/null >/dev/null 2>&1 ||
    skip_all 'no usable GPU'

# Keys of text.
LC_ALL=C awk 'BEGIN {
    for (i = 0; i < 1500000; i++) {
        x = i * 7919 % 1499977
        printf "%d key%d %s%d\n", x % 5, x % 700, x % 1000 ? "" : \
            "a-longer-key-than-three-words-of-8-bytes", x
        if (x % 100000 == 0)
            printf "%030000d far\n\n#no\n", x
    }
}' >words
tr ' ' '\t' <words >tsv
tr '\n' '\0' <words >nuls
LC_ALL=C awk 'BEGIN {
    for (i = 0; i < 700000; i++) {
        x = i * 7919 % 699967
        if (x % 5 == 0)
            printf "\"x,\n%d\",\"k%d\",1\n", x, x % 400
        else if (x % 1100 == 0)
            printf "%d,\"say \"\"k%d\"\"\",1\r\n", x, x % 80
        else
            printf "%d,k%d,1\n", x, x % 400
    }
    printf "1,k1"
}' >csv
LC_ALL=C awk 'BEGIN {
    for (i = 0; i < 300000; i++) {
        x = i * 7919 % 299993
        printf "10.0.%d.%d - - [10/Oct/2026:13:%02d:36 +0000] ", x % 9, \
            x % 250, x % 60
        printf "\"GET /p%d?q=%d HTTP/1.1\" %d 99 \"-\" \"a \\\"b\\\"\"\n", \
            x % 3000, x, x % 6 * 100
    }
}' >clf
awk 'NR % 3 == 0 { $0 = "www" NR % 7 ".example.org:443 " $0 }
    NR % 1009 == 0 { $0 = "nginx: " $0 } { print }' clf >vhost
LC_ALL=C awk 'BEGIN {
    split("1e2;-0;nan;1e-30;12345678901234567890123;12ms;;9007199254740993", odd, ";")
    for (i = 0; i < 900000; i++) {
        x = i * 7919 % 899981
        if (x % 13 == 0)
            print "station" x % 400
        else
            printf "station%d;%s;%d\n", x % 400, \
                x % 90 ? (x % 1999 - 999) / 10 : odd[x % 8 + 1], x
    }
}' >numbers
while read -r file options; do
    # shellcheck disable=SC2086 # they are several options
    "$GPUHIST" --device=cpu $options "$file" >cpu
    for chunk in 4095 64Ki 2Mi; do
        # shellcheck disable=SC2086 # likewise
        "$GPUHIST" --device=cuda --chunk-size=$chunk --explain $options \
            "$file" >gpu 2>explain
        same cpu gpu "text in chunks of $chunk: $options $file"
    done
    sed -n 's/.*explain: cuda:0/# cuda:0/p' explain
done <<'EOF'
words -W -f2
words -W -f NF
words -d 1 -f2 --comment=#
words --words
words -l
words -l --prefix=9
tsv --tsv -f1
tsv --tsv -f2
nuls -z -W -f2
csv --csv -f2
csv --csv -f1
clf --clf -f status
clf --clf -f path
clf --clf -f host
vhost --clf -f host
vhost --clf -f vhost
vhost --clf -f agent
numbers -d; -f2 --bins=20 --range=-50,50
numbers -d; -f2 --edges=-50,-.5,0,.3,12.5,100 --closed=right
numbers -d; -f2 --log=2 --subdiv=4 --range=1,64
numbers -d; -f2 --bins=20
numbers -d; -f2 --dtype=decimal
numbers -d; -f3 --dtype=int
numbers -d; -f3 --bins=1000 --range=0,900000
numbers --csv -d; -f3 --dtype=int --range=0,100000
numbers -d; -g1 -f2 --columns=count,sum,min,max
numbers -d; -g1 -f2 --bins=5
numbers -d; --joint -f2,3 --bins=4 --range=-50,50
numbers -d; -f3,1
clf --clf -f +1 --dtype=int
EOF
"$GPUHIST" --device=cpu -W -f2 words >cpu
# shellcheck disable=SC2002 # a pipe
cat words | "$GPUHIST" --device=cuda -W -f2 >gpu
same cpu gpu 'text from a pipe'
if "$GPUHIST" --list-devices | grep -q '^cuda:1'; then
    "$GPUHIST" --gpu-after=0 --device=cuda:0,1 --chunk-size=64Ki -W -f2 \
        words >gpu
    same cpu gpu 'text, two GPUs'
else
    skip 'text, two GPUs' 'there is one'
fi
cases=300
! expensive || cases=10000
is "$(python3 -B "$srcdir/tests/cuda/text_random.py" "$GPUHIST" $cases 1 4)" '' \
    "$cases random texts"

done_testing
