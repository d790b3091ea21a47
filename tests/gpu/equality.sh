# equality.sh -- a real GPU counts what the CPU counts, on every kind of data
# shellcheck shell=sh

. "${srcdir:?run it by make check-gpu}/tests/tap.sh"

"$GPUHIST" --device=cuda </dev/null >/dev/null 2>&1 ||
    skip_all 'no usable GPU'

used=
head -c 20000000 /dev/urandom >random
head -c 20000000 /dev/zero >constant
yes ACGTTGCAAC | head -c 20000000 >acgt
yes 'GET /index.html HTTP/1.1 200 1043 "Mozilla/5.0"' | head -c 20000000 >text
od -An -v -tx1 -w1 random | head -c 20000000 | LC_ALL=C sort >sorted

for data in random constant acgt text sorted; do
    "$GPUHIST" --device=cpu $data >cpu
    for chunk in 4095 65536 1Mi 2Mi 32Mi; do
        "$GPUHIST" --device=cuda --chunk-size=$chunk --explain $data \
            >gpu 2>explain
        same cpu gpu "$data in chunks of $chunk"
    done
done
grep -q "cuda:0 .*counted $(stat -c %s sorted) bytes" explain
ok $? 'it was the GPU that counted'

# Around every boundary: of a vector, of a chunk, of a pool.
bad=0
for size in 1 15 16 17 4095 4096 4097 65535 65536 65537 131071 131072 131073 \
    8388607 8388608 8388609; do
    head -c $size random >part
    "$GPUHIST" --device=cpu part >cpu
    "$GPUHIST" --device=cuda --chunk-size=65536 part >gpu
    cmp -s cpu gpu || bad=$((bad + 1))
done
is $bad 0 'sizes around the boundaries'

# Samples that fill the last vector, or not.
bad=0
for size in 4 12 16 20 28 4092 16380 16384 16388; do
    head -c "$size" random >part
    for options in '--dtype=u4 --mod=7' '--dtype=f4 -b3000 --range=-9,9' \
        '--record=u2,u2 --fields=2'; do
        # shellcheck disable=SC2086 # they are options
        "$GPUHIST" --device=cpu $options part >cpu
        # shellcheck disable=SC2086
        "$GPUHIST" --device=cuda $options part >gpu
        cmp -s cpu gpu || bad=$((bad + 1))
    done
done
is $bad 0 'samples around the end of a vector'

# Records of a few bytes that end within a vector, a warp, a block.
bad=0
for record in 'u1*2' 'u1*3' 'u1*4'; do
    for size in 3 8 15 18 47 48 50 98 479 482 15361 65539; do
        head -c $size random >part
        "$GPUHIST" --device=cpu -q --record="$record" --partial=drop part >cpu
        "$GPUHIST" --device=cuda -q --record="$record" --partial=drop part >gpu
        cmp -s cpu gpu || bad=$((bad + 1))
    done
done
is $bad 0 'records of 2, 3 and 4 bytes'

# Records and axes with each strategy that is possible for them.
LC_ALL=C awk 'BEGIN {
    srand(1)
    for (i = 0; i < 500000; i++)
        printf "%.6f\n", 3 * (rand() + rand() + rand() - 1.5)
    for (i = -2000; i < 2000; i++)
        print i / 100
    print "nan"; print "inf"; print "-inf"; print "-0.0"; print "1e-40"
}' >numbers
python3 -c '
import array, sys
numbers = [float(line) for line in open("numbers")]
array.array("f", numbers).tofile(open("f4", "wb"))
array.array("d", numbers).tofile(open("f8", "wb"))
'
seq -5 0.01 5 >edges
head -c 6000000 constant >zeros
head -c 6000000 random >bits
while read -r file options; do
    # shellcheck disable=SC2086 # they are options
    set -- $options --partial=drop
    "$GPUHIST" --device=cpu -q "$@" "$file" >cpu
    bad=
    for strategy in $("$GPUHIST" --list-strategies "$@" |
        awk -F '\t' '$1 == "cuda:0" && $5 !~ /^no/ { print $2 }'); do
        "$GPUHIST" --device=cuda -q --strategy="$strategy" "$@" "$file" >gpu
        cmp -s cpu gpu || bad="$bad $strategy"
        used="$used $strategy"
    done
    is "$bad" '' "$file: $options"
done <<'EOF'
f4 --dtype=f4 -b10 --range=-3,3
f4 --dtype=f4 -b100 --range=-3,3
f4 --dtype=f4 -b3000 --range=-3,3 --closed=right
f4 --dtype=f4 -b370 --range=-3,3 --numpy
f4 --dtype=f4 -b4093 --range=-3,3
f4 --dtype=f4 -b4094 --range=-3,3 --closed=right
f4 --dtype=f4 -b20000 --range=-3,3
f4 --dtype=f4 -b100000 --range=-3,3 --numpy
f4 --dtype=f4 -b4000000 --range=-3,3
f4 --dtype=f4 -b64 --range=auto
f4 --dtype=f4 -b64 --range=minmax
f4 --dtype=f4 --log --subdiv=2
f8 --dtype=f8 -b50 --range=-3,3 --numpy
f8 --dtype=f8 --log=10 --closed=right
f4 --dtype=f4 --edges=@edges --numpy
f8 --dtype=f8 --edges=-5,-1,-.5,0,.1,.2,3
f8 --dtype=f8 --edges=@edges --closed=right
f8 --dtype=f8 -b1000 --range=auto
f8 --dtype=f8 -b1000 --range=minmax
f8 --dtype=f8 --edges=quantiles:9
bits
bits --dtype=u2
zeros --dtype=i2
sorted --dtype=u2
bits --dtype=>u2 -b16
bits --dtype=f2 -b20 --range=-10,10
bits --dtype=bf16 -b20 --range=-10,10
bits --dtype=f8e4m3
bits --record=>bf16,f8e5m2 --weights=1 -b9 --range=-10,10
bits --record=f8e4m3,bf16 --joint -b8
bits --dtype=i4 --mod=7
bits --dtype=i4 -b70000 --range=-2e9,2e9
bits --dtype=i8 --mod=1000
bits --dtype=u8 --log --subdiv=3
bits --dtype=u4 --shift=25
bits --dtype=i4 --mask=0xff --range=0,200
bits --dtype=>u4 --mod=100
bits --dtype=i4 -b100000 --range=-2e9,2e9 --closed=right
bits --dtype=u4 -b4194304 --range=0,4294967296
bits --dtype=f4 -b4194304 --range=-1,1
bits --dtype=f4 --edges=-1e9,-5,-1,0,1e-9,3,1e20 --closed=right
bits --dtype=f4 --edges=-1e-45,0,1e-45,3e-45,1e300 --closed=right
bits --dtype=i4 --edges=-2147483648,-1,0,7,2147483647 --numpy
bits --dtype=>u4 --edges=0,1,1000,4294967296 --closed=right
bits --dtype=u8 --edges=0,1,9007199254740993,1e19
bits --dtype=f4 --log=10 --numpy
bits --dtype=u4 --log --subdiv=2
bits --record=x,u1,u2,u4 --fields=3 --mod=50
bits --record=u1,u4 --fields=2 --mod=9
f8 --dtype=f8 -b200000 --range=-3,3
bits --record=u1*2
bits --record=u1*3
zeros --record=u1*3
sorted --record=u1*4
bits --record=u1,x,i1 -b4 -b5 --range=10,200
bits --record=u1,i1*2,u1 --fields=4,2
bits --record=u2,u1 --fields=2
bits --record=u1*3 --joint -b16
bits --record=u1*3 --joint --nonzero
zeros --record=u1*3 --joint --nonzero
bits --record=u1,x,u2 -b4 -b5
bits --record=u1,>u2 --weights=2
f8 --record=u4,f4 --weights=2 -f1 --mod=5
zeros --record=u2,u2 --weights=2
bits --record=u4,i4 --weights=2 --mod=50000
EOF
is "$(echo "$used" | tr ' ' '\n' | sort -u | tr '\n' ' ')" \
    ' global lane packed shared ' 'each strategy was used'

# Sequences: reads of many kinds, one base only, and some chunks that the GPU
# refuses.
LC_ALL=C awk -v reads=60000 -f "$srcdir/tests/reads.awk" >reads.fq
LC_ALL=C awk -v reads=60000 -v odd=500 -f "$srcdir/tests/reads.awk" >odd.fq
awk 'BEGIN { for (i = 0; i < 60000; i++)
    printf "@a\n%0150d\n+\n%0150d\n", 0, 0 }' | sed '2~4y/0/A/' >poly-a.fq
while read -r options; do
    bad=
    for file in reads.fq odd.fq poly-a.fq; do
        # shellcheck disable=SC2086 # they are options
        "$GPUHIST" --device=cpu $options $file >cpu
        for chunk in 65536 1Mi 8Mi; do
            # shellcheck disable=SC2086 # likewise
            "$GPUHIST" --device=cuda --chunk-size=$chunk --explain $options \
                $file >gpu 2>explain
            cmp -s cpu gpu || bad="$bad $file:$chunk"
            case $file:$(grep -c "cuda:0 .*counted $(stat -c %s $file) bytes" \
                explain) in
            odd.fq:0 | reads.fq:1 | poly-a.fq:1) ;;
            *) bad="$bad $file:$chunk: $(grep counted explain)" ;;
            esac
        done
    done
    is "$bad" '' "sequences: $options"
done <<'EOF'
--seq
--seq --keep-case -f base -f gc
--seq -f length -f position
--seq -f quality --phred=64
--seq -f quality -f gc -f length -f base -f position
--seq --joint -f base,quality -f gc,length
--seq --joint -f position,base
--seq --joint -f position,quality
--seq --joint -f position,base,quality --nonzero
--seq -g base -f position -b10 --range=1,300
--seq --format=fqchk
--kmers=1
--kmers=3
--kmers=4 -f kmer -f length --full
--kmers=7
--kmers=8 --canonical
--kmers=10
--kmers=11 --spectrum
--kmers=12
--kmers=13 --canonical
--kmers=12 --spectrum
EOF
# FASTA: long records in pieces, one base only, short records, CR LF, and a chunk
# that the GPU refuses.
LC_ALL=C awk -v bases=3000000 -f "$srcdir/tests/contigs.awk" >contigs.fa
LC_ALL=C awk -v bases=300000 -v odd=1 -f "$srcdir/tests/contigs.awk" >odd.fa
awk 'BEGIN { for (i = 0; i < 60000; i++)
    printf ">a\n%060d\n%090d\n", 0, 0 }' | sed '/^0/y/0/A/' >poly-a.fa
for file in contigs.fa odd.fa poly-a.fa; do
    bad=
    while read -r options; do
        # shellcheck disable=SC2086 # they are options
        "$GPUHIST" --device=cpu --format=json $options $file |
            sed 's/.*"bytes"//' >cpu
        for chunk in 65536 1Mi 8Mi; do
            # shellcheck disable=SC2086 # likewise
            "$GPUHIST" --device=cuda --chunk-size=$chunk --explain \
                --format=json $options $file 2>explain |
                sed 's/.*"bytes"//' >gpu
            cmp -s cpu gpu || bad="$bad $options:$chunk"
            case $file:$(grep -c "cuda:0 .*counted $(stat -c %s $file) bytes" \
                explain) in
            odd.fa:0 | contigs.fa:1 | poly-a.fa:1) ;;
            *) bad="$bad $options:$chunk: $(grep counted explain)" ;;
            esac
        done
    done <<'EOF'
--seq
--seq --keep-case
--kmers=1
--kmers=2 --canonical
--kmers=4
--kmers=7 --canonical
--kmers=8
--kmers=10
--kmers=11 --canonical
--kmers=12
--kmers=13 --canonical
EOF
    is "$bad" '' "FASTA: $file"
done
"$GPUHIST" --device=cpu --per-file --kmers=9 reads.fq odd.fq poly-a.fq >cpu
"$GPUHIST" --device=cuda --per-file --kmers=9 reads.fq odd.fq poly-a.fq >gpu
same cpu gpu 'sequences: --per-file'
if "$GPUHIST" --list-devices | grep -q '^cuda:1'; then
    for options in '--seq --format=fqchk' '--kmers=6' '--kmers=12'; do
        # shellcheck disable=SC2086 # likewise
        "$GPUHIST" --device=cpu $options reads.fq odd.fq >cpu
        # shellcheck disable=SC2086 # likewise
        "$GPUHIST" --gpu-after=0 --device=cuda:0,1 --chunk-size=64Ki $options \
            reads.fq odd.fq >gpu
        same cpu gpu "sequences, two GPUs: $options"
    done
else
    skip 'sequences, two GPUs' 'there is one'
fi

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

# join COUNT OPTION...: count random twice, the second time when COUNT GPUs are
# open.
join()
{
    gpus=$1
    shift
    mkfifo pipe
    # shellcheck disable=SC2016 # for the shell in there
    sh -c 'echo $$ >pid; exec "$GPUHIST" "$@"' sh --explain \
        --chunk-size=64Ki "$@" pipe >both 2>explain &
    exec 3>pipe
    cat random >&3
    tries=0
    until grep -q "[;,] $gpus GPU" explain || [ $((tries += 1)) -gt 1000 ]; do
        kill -USR1 "$(cat pid)"
        sleep 0.05
    done
    cat random >&3
    exec 3>&-
    wait $!
    rm pipe
}

# The CPU begins, the GPU joins, both count.
"$GPUHIST" --device=cpu random random >cpu
join 1 --gpu-after=1
same cpu both 'CPU and GPU together'
bytes=$(sed -n 's/.* counted \([0-9]*\) bytes.*/\1/p' explain | tr '\n' ' ')
case "$bytes" in
    0\ * | *\ 0\ ) ok 1 "both counted: $bytes" ;;
    *) ok 0 "both counted: $bytes" ;;
esac

# Several GPUs share one input.
if "$GPUHIST" --list-devices | grep -q '^cuda:1'; then
    join 2 --gpu-after=0 --device=cuda:0,1
    same cpu both 'two GPUs together'
    is "$(grep -c 'cuda:[01] .*counted [1-9]' explain)" 2 'both counted'
else
    skip 'two GPUs together' 'there is one'
fi

# More than 32 bits in one bin.
truncate -s 5G sparse
"$GPUHIST" --device=cuda --nonzero sparse >gpu
is "$(cat gpu)" "0	5368709120" 'one value 5 Gi times'

done_testing
