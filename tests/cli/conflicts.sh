# SPDX-License-Identifier: MIT
# conflicts.sh -- bench/conflicts and bench/conflicts.sh, against known answers
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

conflicts()
{
    timeout 60 "$GPUHIST_BENCH/conflicts" "$@"
}

# row WANTED NAME LAYOUT LOAD: one test: what is said of the file "data", in
# words: accesses, degree (mean, most), same (mean, most), bank_free, free.
row()
{
    is "$(conflicts data | awk -v wanted_layout="$3" -v wanted_load="$4" '
        $1 == wanted_layout && $2 == wanted_load {
            print $3, $4 + 0, $5 + 0, $6 + 0, $7 + 0, $8 + 0, $9 + 0 }')" \
        "$1" "$3, $4: $2"
}

# bytes SIZE EXPRESSION: SIZE bytes, each from awk's EXPRESSION in i from 0.
bytes()
{
    # shellcheck disable=SC2059 # octal
    printf "$(awk "BEGIN { for (i = 0; i < $1; i++) printf \"\\\\%03o\", $2 }")"
}

# ---- --help ----

conflicts --help >help 2>err
is "$? $(wc -c <err) $(head -n 1 help)" \
    '0 0 Usage: conflicts [OPTION]... [FILE]' '--help'
is "$(awk 'length > 79' help)" '' '--help fits 80 columns'
sed -n '/^static const struct option long_options/,/^};/p' \
    "$srcdir/bench/conflicts.c" | grep -o '"[a-z]*"' | tr -d '"' |
    sort >in-table
grep -o -e ' --[a-z]*[= ]' help | tr -d ' =-' | grep -v '^metrics$' |
    sort -u >in-help
[ "$(wc -l <in-table)" -eq 3 ] && cmp -s in-table in-help
ok $? '--help names the options of the table, and no other'

# ---- known answers ----

bytes 32 i >data
for layout in lane block warp; do
    row '1 1 1 1 1 1 1' '32 values, no two in a bank' $layout sample
done
row '1 2 2 1 1 0 0' 'lanes 0 and 16 have even values: one bank' copies sample
row '16 1 1 1 1 1 1' 'two vectors' block vector

bytes 32 'i % 8 * 32' >data
row '1 8 8 4 4 0 0' '8 values in bank 0, of four lanes each' block sample
row '1 8 8 4 4 0 0' '8 values in bank 0, of four lanes each' warp sample
row '1 1 1 2 2 1 0' 'lanes 0 and 16 have one value, and one copy' copies sample
row '1 1 1 1 1 1 1' '8 values of four lanes each' lane sample

bytes 512 255 >data
row '16 1 1 32 32 1 0' 'one value' block vector
row '16 1 1 32 32 1 0' 'one value' block sample
row '16 1 1 2 2 1 0' 'one value' copies vector
row '16 1 1 1 1 1 1' 'one value' lane vector
row '1 1 1 32 32 1 0' 'one value: one add for each vector' packed vector
row '8 1 1 32 32 1 0' 'one value' packed sample

bytes 32 'int(i / 16)' >data
row '1 1 1 1 1 1 1' 'copies of two values side by side' copies sample
bytes 32 '2 * int(i / 16)' >data
row '1 2 2 1 1 0 0' 'copies of two values in the same banks' copies sample

# 48 bytes: a whole warp, and half of one.
bytes 48 'i < 32 ? 32 * (i % 2) : 7' >data
row '2 1.5 2 16 16 0.5 0' 'half a warp' block sample
row '16 1 1 2 2 1 0' 'the first two vectors are the same, the third is 7' \
    block vector

# Bytes beyond the last vector are for the first lanes.
bytes 21 'i < 16 ? i : 9' >data
row '17 1 1 1.23529 5 1 0.941176' '16 bytes, and five more' block vector
row '1 1 1 6 6 1 0' '21 bytes' block sample

# 16-bit samples: low byte first.
bytes 64 'i % 2 ? 0 : i / 2' >data
row '1 1 1 2 2 1 0' 'two values in each word' packed sample
bytes 64 'i % 2 ? int(i / 8) : int(i / 2) % 4 * 64' >data
row '1 32 32 1 1 0 0' '32 words in bank 0' packed sample
row '8 4 4 1 1 0 0' '32 words in bank 0: of four vectors' packed vector
row '1 4 4 1 1 0 0' '32 words in eight banks' spread sample

# Lane 0 has a run; lane 1 eight values in words 0 to 7.
bytes 32 'i < 16 ? 0 : i % 2 ? 0 : i - 16' >data
row '9 1 1 1 1 1 1' 'a run is one add' packed vector
bytes 33 'i < 16 ? 0 : i % 2 ? 0 : i - 16' >data
row '9 1 1 1 1 1 1' 'half a sample is left out' packed vector

# ---- a plain count of all accesses ----

: >data
row '0 0 0 0 0 0 0' 'nothing' lane vector
is "$(conflicts </dev/null | tail -n 1)" \
    'spread	sample	0	-	-	-	-	-	-' 'nothing: no means'
for python in python3 /usr/bin/python3; do
    if "$python" -c pass 2>python-says; then
        "$python" -B "$srcdir/tests/cli/conflicts_oracle.py" make
        for data in few.* many.*; do
            "$python" -B "$srcdir/tests/cli/conflicts_oracle.py" "$data" >wanted
            counts wanted "as brute force says: $data" conflicts "$data"
        done
        for layout in lane copies block warp packed spread; do
            conflicts --layout=$layout <many.text >out
            conflicts many.text | grep -e '^#' -e "^$layout	" >part
            same part out "--layout=$layout"
        done
        break
    fi
done
[ -e few.0 ] || skip 'brute force' 'no python3'

noise 700000 >data
conflicts data >wanted
[ "$(wc -l <wanted)" -eq 13 ]
ok $? 'a row for each layout and load'
dd if=data bs=1001 2>dd-err | conflicts >out
same wanted out 'short reads change nothing'
conflicts - <data >out
same wanted out '- is standard input'
head -c 300007 data | conflicts >wanted
for size in 300007 0.300007M; do
    conflicts --size=$size data >out
    same wanted out "--size=$size"
done
conflicts --size=0 data | awk '{ print $3 }' | sort -u >out
is "$(tr '\n' ' ' <out)" '0 accesses ' '--size=0'

# ---- failures ----

# wrong STATUS ARGUMENT...: one test: it fails so, in one line, without a row.
wrong()
{
    wrong_status=$1
    shift
    conflicts "$@" </dev/null >out 2>err
    is "$? $(wc -c <out) $(grep -c '^conflicts: ' err) $(wc -l <err)" \
        "$wrong_status 0 1 1" "refused: $*"
}

wrong 2 --unknown
wrong 2 -x
wrong 2 --layout
wrong 2 --layout=
wrong 2 --layout=Lane
wrong 2 --size=1x
wrong 2 --size=-1
wrong 2 --help=1
wrong 2 data data
wrong 1 missing
wrong 1 .
conflicts data >/dev/full 2>err
is "$? $(cat err)" '1 conflicts: standard output: write error: No space left on device' \
    'a full device'
conflicts --help >/dev/full 2>err
is "$? $(wc -l <err)" '1 1' '--help to a full device'

# ---- bench/conflicts.sh, with a profiler that knows what it will see ----

mkdir -p build/bench path
ln -s "$GPUHIST_BENCH/conflicts" build/bench/conflicts
ln -s "$GPUHIST_BENCH/gpuhist-gen" build/bench/gpuhist-gen
cat >path/ncu <<'EOS'
#!/bin/sh
# Six adds of two passes each.
echo '==PROF== Connected'
echo '"ID","Kernel Name","Metric Name","Metric Unit","Metric Value"'
echo '"0","k(a, b)","l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum","","6,000"'
echo '"0","k(a, b)","l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum","","12,000"'
echo '"0","k(a, b)","smsp__inst_executed_op_shared_atom.sum","inst","6,000"'
printf '%s\n' "$*" >>"$NCU_LOG"
EOS
chmod +x path/ncu
: >build/bench/kernels
chmod +x build/bench/kernels
NCU_LOG=$PWD/log
# A few of them are as good as 64 MiB.
SIZE=1048576
export NCU_LOG SIZE

bytes 512 'i * 7 % 256' >small
conflicts small >whole
NCU=none sh "$srcdir/bench/conflicts.sh" build small >out 2>err
is "$? $(grep -c '^#' out) $(grep -c '	-	-	-$' out) $(wc -c <err)" \
    '0 2 12 0' 'without ncu: the rows, and a word about it'
is "$(sed -n 's/^small	//p' out | cut -f 1-2,4-5)" \
    "$(grep -v '^#' whole | cut -f 1-2,4,6)" \
    'a file is repeated as bench/kernels does it'
NCU="$PWD/path/ncu" sh "$srcdir/bench/conflicts.sh" build small >out 2>err
is "$? $(grep -c '^#' out) $(grep -c '	6000	2.000000	1.000000$' out) $(wc -c <err)" \
    '0 1 8 0' 'with ncu: its figures for eight kernels'
is "$(grep -c -e "-f .* -k u1 lane -n 0$" log)" 1 'it is given the kernel'
sed 's/.* -k //; s/ -n 0$//' log | sort >asked
for label in $(tr ' ' '~' <asked); do
    label=$(echo "$label" | tr '~' ' ')
    grep -q -F -- "${label#u[12] }\"" "$srcdir/bench/kernel_bench.cu" \
        "$srcdir/bench/kernel_rows.cuh"
    ok $? "bench/kernels has a kernel with that name: $label"
done
: >empty
sh "$srcdir/bench/conflicts.sh" build empty >out 2>err
is "$? $(wc -l <err)" '1 1' 'an empty file'

done_testing
