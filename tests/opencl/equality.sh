# SPDX-License-Identifier: MIT
# equality.sh -- an OpenCL device and the CPU print the same, for every kind of
# data, device and strategy
#
# All of it by `make check-opencl`.  PoCL compiles for a second each time that a
# program is a new one: so `make check` does what takes a dozen of them.
# shellcheck shell=sh disable=SC2154

is_whole=${GPUHIST_TEST_DEVICE:+yes}
GPUHIST_TEST_DEVICE=${GPUHIST_TEST_DEVICE:-opencl}
device=$GPUHIST_TEST_DEVICE

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"
# shellcheck source=tests/opencl/platform.sh
. "$srcdir/tests/opencl/platform.sh"

size=300000
[ -z "$is_whole" ] || size=6000000
head -c $size /dev/urandom >bits
head -c $size /dev/zero >zeros
yes 'GET /index.html HTTP/1.1 200 1043 "Mozilla/5.0"' | head -c $size >text
od -An -v -tx1 -w1 bits | head -c $size | LC_ALL=C sort >sorted

# Numbers at edges, and on either side of them: so an edge that is not rounded
# as on the CPU is seen.
numpy_numbers='
import struct
edges = [i / 10 for i in range(-40, 41)] + [-3 + i * (6 / n)
         for n in (10, 50, 100, 3000) for i in range(n + 1)]
def next_to(x, code, bits):
    n = struct.unpack(bits, struct.pack(code, x))[0]
    return [struct.unpack(code, struct.pack(bits, m))[0]
            for m in (n - 1 if n else 1, n, n + 1)]
special = [0.0, -0.0, 1e-40, -1e-40, 1e-45, float("nan"), float("inf"),
           -float("inf"), 3.0, -3.0]
for name, code, bits in (("f4", "<f", "<I"), ("f8", "<d", "<Q")):
    with open(name, "wb") as out:
        for x in edges:
            for y in next_to(x, code, bits):
                out.write(struct.pack(code, y))
        for x in special * 7:
            out.write(struct.pack(code, x))
'
python3 -c "$numpy_numbers" || exit 99
cat bits >>f4
cat bits >>f8

# equal WORDS FILE OPTION...: adds to "bad" where a strategy prints something
# else than the CPU, and to "used" those that are possible.
equal()
{
    words=$1
    file=$2
    shift 2
    "$GPUHIST" --device=cpu -q --partial=drop "$@" "$file" >cpu
    for strategy in $strategies; do
        through "$words" "$GPUHIST" --device="$device" -q --partial=drop \
            --strategy="$strategy" "$@" "$file" >gpu 2>err
        case $?:$(cat err) in
        0:*)
            cmp -s cpu gpu || bad="$bad $strategy"
            used="$used $strategy"
            ;;
        *"--tune=strategy=$strategy is not possible: "*) ;;
        *) bad="$bad $strategy: $(cat err)" ;;
        esac
    done
}

# equal_all WORDS: for all lines of standard input.
equal_all()
{
    while read -r file options; do
        bad=
        # shellcheck disable=SC2086 # they are options
        equal "$1" "$file" $options
        is "$bad" '' "$1: $file: $options"
    done
}

# As they are, and as devices of other kinds, whose kernels differ: work-groups
# of many, memory that is not shared, 64-bit sums of two halves.
other=gpu,discrete,noatomics64
used=
strategies='auto lane'
equal_all as-it-is <<'EOT'
bits
text
zeros
f4 --dtype=f4 -b100 --range=-3,3
bits --record=u1,>i2,u4 --joint -b4 --range=- --range=- --range=1e5,3e9
bits --record=u1,u1,>i4 --weights=3
EOT
strategies='auto global'
equal_all $other <<'EOT'
bits --record=u1,>i2,u4 --joint -b4 --range=- --range=- --range=1e5,3e9
EOT
strategies=global
equal_all $other <<'EOT'
bits --record=u1,u1,>i4 --weights=3
EOT
strategies='lane packed'
equal_all $other <<'EOT'
bits
EOT
if [ -n "$is_whole" ]; then
    for words in as-it-is gpu,discrete noatomics64,discrete $other; do
        strategies='auto lane shared global packed'
        equal_all "$words" <<'EOT'
bits
zeros
text
sorted --dtype=u2
f4 --dtype=f4 -b10 --range=-3,3
f4 --dtype=f4 -b3000 --range=-3,3 --closed=right
f4 --dtype=f4 -b64 --range=auto --chunk-size=4096
f4 --dtype=f4 --log --subdiv=2
f8 --dtype=f8 -b50 --range=-3,3 --numpy
f8 --dtype=f8 --log=10 --closed=right
f8 --dtype=f8 --edges=-5,-1,-.5,0,.1,.2,3
f8 --dtype=f8 -b1000 --range=auto --chunk-size=1000
bits --dtype=f2 -b20 --range=-10,10
bits --dtype=bf16 -b20 --range=-10,10
bits --dtype=f8e4m3
bits --record=f8e5m2,>bf16 --weights=2 -b9 --range=-10,10
bits --record=f8e4m3,bf16 --joint -b8
bits --dtype=i4 --mod=7
bits --dtype=i8 --mod=1000
bits --dtype=u8 --log --subdiv=3
bits --record=u1*3 --joint --nonzero
bits --record=u1,x,u2 -b4 -b5
bits --record=u1,>u2 --weights=2
f8 --record=u4,f4 --weights=2 -f1 --mod=5
f8 --record=u4,f8 --weights=2 -f1 --mod=5
zeros --record=u2,u2 --weights=2
bits --record=u4,i4 --weights=2 --mod=5000
EOT
    done
fi
is "$(echo "$used" | tr ' ' '\n' | sort -u | grep -c -x -e lane -e global)" 2 \
    'strategies that were demanded were used'

# Around every boundary: of a vector, of a chunk, of a pool.
bad=
for part in 1 15 16 17 4095 4097 65536 131073 299999; do
    head -c "$part" bits >piece.$part
done
"$GPUHIST" --device=cpu --per-file -q piece.* >cpu
for words in as-it-is $other; do
    through "$words" "$GPUHIST" --device="$device" --per-file -q --chunk-size=65536 \
        piece.* >gpu && cmp -s cpu gpu || bad="$bad $words"
done
is "$bad" '' 'sizes around the boundaries'

# A table that is copied seldom, with and without somebody else.
bad=
for words in as-it-is discrete; do
    for options in '--dtype=u2' '--dtype=u2 -b700'; do
        # shellcheck disable=SC2086 # they are options
        "$GPUHIST" --device=cpu --partial=drop -q $options bits >cpu
        # shellcheck disable=SC2086 # likewise
        through $words "$GPUHIST" --device="$device" --chunk-size=4096 \
            --partial=drop -q $options bits >gpu && cmp -s cpu gpu ||
            bad="$bad $words:$options"
    done
done
is "$bad" '' 'many chunks, large tables'

# The first device twice: both threads start the platform.
second=$(($(through twice "$GPUHIST" --list-devices | grep -c '^opencl:') / 2))
bad=
for words in twice twice,discrete; do
    for dtype in u1 u2 u1 u2; do
        has_turn 3 || continue
        "$GPUHIST" --device=cpu --dtype=$dtype bits >cpu
        through $words "$GPUHIST" --device=opencl:0,$second --dtype=$dtype \
            --chunk-size=4096 bits >gpu 2>err && cmp -s cpu gpu ||
            bad="$bad $words:$dtype: $(cat err)"
    done
done
is "$bad" '' 'two devices'

# auto: a GPU that OpenCL has, where CUDA has none.  Data come until the GPU
# counts, as USR1 says, and then until it has launched more kernels than without
# data: on a busy machine the CPU may take the first chunks from a GPU whose
# thread has not run yet.
if ! is_apart_from_cuda; then
    skip 'auto' 'without CUDA, the OpenCL device is gone, too'
    done_testing
    exit
fi
FAKE_CL_LEDGER=ledger through $other "$GPUHIST" --device="$device" </dev/null \
    >none
launches=$(awk '$2 == "clEnqueueNDRangeKernel" { print $3 }' ledger)
mkfifo gate data
timeout 60 head -n 1 gate >launched &
(
    export CUDA_VISIBLE_DEVICES=''
    export FAKE_CL_GATE=clEnqueueNDRangeKernel:$((launches + 1)):gate
    # shellcheck disable=SC2016 # for the shell in there
    through $other sh -c 'echo $$ >pid; exec "$GPUHIST" "$@"' sh \
        --gpu-after=1 --chunk-size=65536 --explain data >both 2>explain
) &
exec 3>data
cat bits >&3
wait_for reports '1 GPU$'
copies=1
until [ -s launched ] || [ $copies -ge 1000 ]; do
    cat bits >&3
    copies=$((copies + 1))
    sleep 0.02
done
exec 3>&-
wait
i=0
while [ $((i += 1)) -le $copies ]; do
    cat bits
done | "$GPUHIST" --device=cpu >cpu
same cpu both 'auto: the CPU and a GPU by OpenCL together'
bytes=$(sed -n 's/.* counted \([0-9]*\) bytes.*/\1/p' explain | tr '\n' ' ')
case "$bytes" in
0\ * | *\ 0\  | '')
    ok 1 "both counted: $bytes"
    sed 's/^/# /' explain
    ;;
*) ok 0 "both counted: $bytes" ;;
esac
grep -q 'explain: opencl:0 .*counted [1-9]' explain
ok $? 'and it was OpenCL'

done_testing
