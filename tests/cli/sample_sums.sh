# SPDX-License-Identifier: MIT
# sample_sums.sh -- figures that need no order of values, in constant memory
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

case ${GPUHIST_TEST_DEVICE-} in
    '') ;;
    *) skip_all 'GPUs find no figures of numbers without bins' ;;
esac

figures=count,records,nan,min,max,sum,mean,sd,sample_sd

# both NAME ARGUMENT...: figures without p50, which are found from sums, are
# those with p50, for which all values are kept.  p50 is cut off again.
both()
{
    both_name=$1
    shift
    gpuhist --columns=$figures "$@" >sums
    both_status=$?
    gpuhist --columns=$figures,p50 "$@" >values
    sed 's/\t[^\t]*$//' values | diff - sums >difference
    is "$? $both_status $(head -n 3 difference)" '0 0 ' "$both_name"
}

noise 150000 >data
size=150000
instrumented || size=1500000
noise $size >many

# explained ARGUMENT...: what --explain says of fields and threads.
explained()
{
    gpuhist --explain --dtype=f8 "$@" data 2>&1 >out |
        grep -o -e 'field 1: .*' -e 'cpu: [a-z ]*'
}

is "$(explained --columns=$figures)" 'field 1: exact sums, and no table of the numbers
cpu: sums for each thread' 'sums are enough'
is "$(explained --columns=mean,p50)" 'field 1: a bin for each number
cpu: keys in tables for all threads' '... but not for percentiles'

# ---- every type ----

for type in i4 u4 i8 u8 f2 f4 f8 bf16 u1 i2; do
    for order in little big; do
        has_turn 3 || continue
        both "$type, $order-endian" --dtype=$type --endian=$order many
    done
done
for type in f4 f8 i8; do
    head -c 8000 /dev/zero >zeros
    both "$type, one value" --dtype=$type zeros
    head -c 8 zeros >one
    both "$type, two bytes of one" --dtype=$type one
    : >none
    both "$type, no values" --dtype=$type none
done

# Values of all magnitudes, of some, evenly spread, and special ones.
python3 -c '
import math, random, struct
random.seed(7)
def put(name, code, values):
    with open(name, "wb") as out:
        out.write(struct.pack("<%d%s" % (len(values), code), *values))
spread = [random.random() for _ in range(20000)]
put("even.f8", "d", spread)
put("even.f4", "f", spread)
put("wide.f8", "d", [x * 10.0 ** random.randint(-308, 307) for x in spread])
put("wide.f4", "f", [x * 10.0 ** random.randint(-45, 38) for x in spread])
put("tiny.f8", "d", [x * 1e-308 for x in spread])
put("tiny.f4", "f", [x * 1e-38 for x in spread])
put("great.f8", "d", [(x - 0.25) * 1.7e308 for x in spread])
put("normal.f8", "d", [random.gauss(5, 2) for _ in spread])
put("normal.f4", "f", [random.gauss(-5, 2) for _ in spread])
put("sorted.f8", "d", sorted(spread))
put("hot.f8", "d", [x if x < 0.01 else 0.1 for x in spread])
put("some.f8", "d", [math.nan if x < 0.3 else x for x in spread])
put("all.f8", "d", [math.nan] * 3000)
put("ends.f8", "d", [math.inf, -math.inf, 1.5] * 1000)
put("end.f4", "f", [-math.inf, -0.0, 0.0] * 1000)
put("minus.f8", "d", [-0.0] * 5)
' 2>says && for file in *.f8 *.f4; do
    both "$file" --dtype="${file#*.}" "$file"
done

# ---- every way to read ----

for threads in 1 3; do
    for chunk in 4096 100000; do
        both "$threads threads, chunks of $chunk" \
            --dtype=f8 --threads=$threads --chunk-size=$chunk many
    done
done
both 'several inputs' --dtype=f4 data many data
both 'each input' --dtype=f4 --per-file data normal.f4 none wide.f4
# shellcheck disable=SC2002 # a pipe, and no file
cat many | gpuhist --dtype=f4 --columns=$figures >sums
gpuhist --dtype=f4 --columns=$figures many | diff - sums >says
is "$(cat says)" '' 'a pipe'
both 'records' --record='f4,u1,>f8,i4,x*7' many
both 'some fields of records' --record='f4,u1,>f8,i4,x*7' -f 3,1 many
both 'a field with an operation' --record=u4,i8 --mod=1000 --shift=3 many

# A file with a hole: its zeros count without being read.
cp normal.f8 hole
dd if=normal.f8 of=hole bs=8 seek=1000000 2>says
for type in f8 i4; do
    both "a hole, $type" --dtype=$type hole
done

# ---- snapshots ----

for reset in '' --reset; do
    # shellcheck disable=SC2086 # an option, or none
    set -- --dtype=f8 --every=50k --format=jsonl --chunk-size=8k --threads=1 \
        $reset many
    gpuhist --columns=$figures "$@" | grep '^{"count"' >sums
    gpuhist --columns=$figures,p50 "$@" | grep '^{"count"' |
        sed 's/,"p50":[^,}]*//' >values
    same sums values "snapshots ${reset:-of all so far}"
    [ "$(wc -l <sums)" -gt 2 ]
    ok $? '... and there are some'
done

# ---- states and shards ----

for type in f4 f8 i8; do
    for shard in 1 2 3; do
        gpuhist --dtype=$type --columns=mean --shard=$shard/3 \
            --state=state.$shard many >out
    done
    gpuhist --merge --columns=$figures state.1 state.2 state.3 >sums
    gpuhist --dtype=$type --columns=$figures many | diff - sums >says
    is "$(cat says)" '' "shards add up, $type"
    gpuhist --merge --format=state state.1 state.2 state.3 >state
    gpuhist --merge --columns=$figures state | diff - sums >says
    is "$(cat says)" '' '... and their sum is a state'
done
gpuhist --record='f4,u1,>f8,i4,x*7' --columns=sd --state=state many >says
gpuhist --merge --columns=$figures state >sums
gpuhist --record='f4,u1,>f8,i4,x*7' --columns=$figures many | diff - sums >says
is "$(cat says)" '' 'states of several fields'

says 2 '--columns=p50: the states have the sums of the numbers, and not the numbers; count with --columns=p50, too' \
    'a state without the numbers has no percentiles' \
    gpuhist --merge --columns=count,p50 state
says 2 'the states have only the sums of the numbers: --columns=count,min,max,sum,mean,sd' \
    '... and no counts of numbers' gpuhist --merge state
gpuhist --dtype=f4 --columns=p50 --state=kept data >out
gpuhist --dtype=f4 --columns=mean --state=state many >out
gpuhist --merge --columns=mean state kept 2>says
is "$? $(cat says)" "1 gpuhist: state and kept do not count the same: spec line 2 has 'sums' and 'values'" \
    'states with and without the numbers do not mix'
gpuhist --merge --columns=mean,p50 kept >out
gpuhist --dtype=f4 --columns=mean,p50 data | diff - out >says
is "$(cat says)" '' 'a state with the numbers has all figures'

# ---- formats ----

for format in csv json md; do
    gpuhist --columns=count,min,mean --dtype=f8 --format=$format data >sums
    gpuhist --columns=count,min,mean,p50 --dtype=f8 --format=$format data >values
    is "$(grep -c . sums)" "$(grep -c . values)" "--format=$format"
done

printf '1234567812345678' >two
gpuhist --columns=sum --dtype=u8 --format=json two >out
is "$(sed -n 's/.*"axes"://p' out)" \
    '[{"field":1,"name":"value","type":"u8"}],' \
    'JSON does not say that sums are bins'

# ---- memory ----

if instrumented; then
    skip 'memory is constant' 'a sanitizer has memory of its own'
else
    cat many many many many many many many many >most
    few=$(peak -q -o out --columns=$figures --dtype=f8 --threads=2 most)
    more=$(peak -q -o out --columns=$figures,p50 --dtype=f8 --threads=2 most)
    [ "$few" -lt $((more * 3 / 4)) ]
    ok $? "memory is constant: $few, not $more KiB"
fi

done_testing
