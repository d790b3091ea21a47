# SPDX-License-Identifier: MIT
# gen.sh -- bench/gpuhist-gen, which makes samples for tests and benchmarks
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

gen()
{
    timeout 60 "$GPUHIST_BENCH/gpuhist-gen" "$@"
}

every='uniform normal binomial poisson exponential zipf constant acgt log text'

# ---- --help ----

gen --help >help 2>err
is "$? $(wc -c <err) $(head -n 1 help)" \
    '0 0 Usage: gpuhist-gen [OPTION]... DISTRIBUTION' '--help'
is "$(awk 'length > 79' help)" '' '--help fits 80 columns'
sed -n '/^static const struct option long_options/,/^};/p' \
    "$srcdir/bench/gen_options.c" | grep -o '"[a-z]*"' | tr -d '"' |
    sort >in-table
grep -o -e '--[a-z]*' help | sed 's/^--//' | sort -u >in-help
[ "$(wc -l <in-table)" -gt 10 ] && cmp -s in-table in-help
ok $? '--help names the options of the table, and no other'
for name in $every sorted fasta fastq; do
    grep -q "^  $name  " help
    ok $? "--help names $name"
done

# ---- sizes, the same bytes, other seeds ----

for name in $every; do
    gen --size=1234567 --dtype=u1 --seed=7 "$name" >long
    gen --size=777 --seed=7 "$name" >short
    head -c 777 long | cmp -s - short
    is "$? $(wc -c <long)" '0 1234567' "$name: a longer one begins with it"
    # In another rhythm: a reader that takes little makes writes short.
    head -c 1001000 long >begin
    gen --seed=7 "$name" 2>err | dd ibs=1001 count=1000 iflag=fullblock \
        2>dd-err | cmp -s - begin
    is "$? $(wc -c <err)" '0 0' "$name: endless until the reader has enough"
    gen --size=1234567 --seed=8 "$name" >other
    cmp -s long other
    if [ "$name" = constant ]; then
        is $? 0 "$name: the seed has no effect"
    else
        is $? 1 "$name: another seed"
    fi
done
for size in 0 1 7 8 262143 262144 262145 1M 1Mi; do
    gen --dtype=f8 --size=$size normal >out
    is "$(wc -c <out)" "$(numfmt --from=auto $size)" "--size=$size"
done
gen --dtype=f8 --count=3 uniform >out
gen --dtype=f8 --size=23 uniform | cmp - out >cmp-says 2>&1
is "$(wc -c <out) $(sed 's/.* EOF/EOF/' cmp-says)" \
    '24 EOF on - after byte 23, in line 1' 'the last sample may be cut'

# ---- sequences: whole records, and no end but that of the options ----

for name in fasta fastq; do
    gen --size=1234567 --length=1,3000 --seed=7 $name >long
    gen --size=77777 --length=1,3000 --seed=7 $name >short
    gen --count=500 --length=1,3000 --seed=7 $name >some
    head -c "$(wc -c <short)" long | cmp -s - short
    is $? 0 "$name: a longer one begins with it"
    head -c "$(wc -c <some)" long | cmp -s - some
    is "$? $(grep -c '^[>@]r[0-9]* [0-9]*[-+]$' some)" '0 500' \
        "$name: --count=500"
    size=$(wc -c <long)
    [ "$size" -le 1234567 ] && [ "$size" -gt 1200000 ]
    ok $? "$name: --size is reached but for a record"
    head -c 600600 long >begin
    gen --seed=7 --length=1,3000 $name 2>err |
        dd ibs=1001 count=600 iflag=fullblock 2>dd-err | cmp -s - begin
    is "$? $(wc -c <err)" '0 0' "$name: endless until the reader has enough"
    gen --size=1234567 --length=1,3000 --seed=8 $name | cmp -s - long
    is $? 1 "$name: another seed"
    gen --coverage=3 --genome=10000 --length=100 $name | grep -c '^[>@]' >out
    is "$(cat out)" 300 "$name: --coverage"
    gen --count=0 $name >out
    gen --coverage=0 $name >>out
    gen --size=10 $name >>out
    is "$(wc -c <out)" 0 "$name: nothing"
done

# ---- the two orders of bytes ----

for name in uniform normal zipf sorted; do
    for type in u2 i4 u8 f2 f4 f8; do
        size=${type#?}
        gen "--dtype=<$type" --count=5000 $name >little
        gen "--dtype=>$type" --count=5000 $name |
            od -An -v -w"$size" -tx1 | awk '{ for (i = NF; i > 0; i--)
                printf "%s%s", $i, (i > 1 ? " " : "\n") }' >turned
        od -An -v -w"$size" -tx1 little | sed 's/^ //' | cmp -s - turned
        is "$? $(wc -c <little)" "0 $((5000 * size))" "$name: <$type and >$type"
    done
done

# ---- failures ----

gen --size=1M uniform >/dev/full 2>err
is "$? $(cat err)" "1 gpuhist-gen: standard output: write error: No space left \
on device" 'a full device'
gen --size=1M uniform >&- 2>err
is "$? $(cat err)" "1 gpuhist-gen: standard output: write error: Bad file \
descriptor" 'closed standard output'
gen --help >/dev/full 2>err
is "$? $(wc -l <err)" '1 1' '--help to a full device'

# wrong ARGUMENT...: one test: it is refused as wrong usage, in one line.
wrong()
{
    gen "$@" >out 2>err
    is "$? $(wc -c <out) $(wc -l <err) $(grep -c '^gpuhist-gen: ' err)" \
        '2 0 1 1' "refused: $*"
}

wrong
wrong ''
wrong --size=1 --seed=1e30 uniform
while read -r line; do
    # shellcheck disable=SC2086 # several words
    wrong --size=10 $line
done <<'EOF'
unknown
Uniform
uniform normal
--unknown uniform
--x=1 uniform
-x uniform
--=1 uniform
--help=1 uniform
--s=1 uniform
--dtype
--dtype= uniform
--dtype=u3 uniform
--dtype=x uniform
--dtype=u1,u1 uniform
--dtype=u1*2 uniform
--dtype=x,u1 uniform
--dtype=u2 acgt
--dtype=f4 log
--dtype=i1 text
--size=1x uniform
--size=-1 uniform
--size= uniform
--count=10 uniform
--seed=-1 uniform
--seed=0.5 uniform
--seed=18446744073709551616 uniform
--seed=x uniform
--mean=1 uniform
--range=0,1 normal
--rate=1 zipf
--values=7 poisson
--value=7 zipf
--trials=7 poisson
--exponent=1 exponential
--genome=7 acgt
--mean=1 fastq
--dtype=u2 fastq
--size=1 --count=1 fastq
--length=151 --genome=150 fastq
--length=0 fastq
--length=9,8 fastq
--length=1,2,3 fastq
--length=,1 fastq
--length= fastq
--genome=0 --length=0 fastq
--genome=17G fastq
--errors=0.6 fastq
--errors=-1 fasta
--unknown=x fasta
--coverage=-1 fasta
--coverage=inf fasta
--width=-1 fasta
--odd= fasta
--odd=crl fasta
--odd=crlf, fasta
--odd=crlf,other fasta
--sd=1 acgt
--range=0,1 text
--probability=0 constant
--range=1 uniform
--range=1, uniform
--range=,1 uniform
--range=1,2,3 uniform
--range=9,8 uniform
--range=0,256 uniform
--range=-1,5 uniform
--range=0.5,5 uniform
--dtype=i1 --range=0,128 uniform
--dtype=i1 --range=-129,0 uniform
--dtype=i2 --range=5,-5 sorted
--dtype=u8 --range=0,18446744073709551616 uniform
--dtype=f8 --range=1,1 uniform
--dtype=f8 --range=2,1 uniform
--dtype=f8 --range=0,inf uniform
--dtype=f8 --range=nan,1 uniform
--dtype=f8 --range=-1e308,1e308 uniform
--dtype=f4 --range=1.00000001,1.00000002 uniform
--dtype=f2 --range=1.0001,1.0002 sorted
--mean=x normal
--mean=inf normal
--sd=-1 normal
--sd=nan normal
--trials=-1 binomial
--trials=1.5 binomial
--trials=1e16 binomial
--trials=1e10 binomial
--probability=1.1 binomial
--probability=-0.1 binomial
--rate=-1 poisson
--rate=1.1e8 poisson
--rate=0 exponential
--rate=-1 exponential
--values=0 zipf
--values=1.5 zipf
--values=1e16 zipf
--exponent=-1 zipf
--exponent=101 zipf
--value=256 constant
--value=1.5 constant
--value=x constant
--dtype=f4 --value=inf constant
EOF
gen --count=9223372036854775807 --dtype=u8 uniform >out 2>err
is "$? $(wc -c <out) $(wc -l <err)" '2 0 1' 'more bytes than can be counted'
gen sorted >out 2>err
is "$? $(wc -c <out) $(cat err)" \
    '2 0 gpuhist-gen: sorted needs --size or --count' 'sorted without end'

# ---- what the samples are ----

for python in python3 /usr/bin/python3; do
    if "$python" -c 'import numpy' 2>python-says; then
        "$python" "$srcdir/tests/cli/gen_oracle.py" "$tap_count"
        exit
    fi
done
skip 'distributions' 'no python3 with numpy'
done_testing
