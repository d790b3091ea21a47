# SPDX-License-Identifier: MIT
# equality.sh -- a real GPU counts bytes and records as the CPU does
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
    wait_for reports "$gpus GPU"
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
