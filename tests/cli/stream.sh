# SPDX-License-Identifier: MIT
# stream.sh -- scripts of bench/ and their tools measure what they say
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

mkdir scratch
stream()
{
    timeout 60 "$srcdir/bench/stream.sh" --scratch=scratch --quick "$@" \
        "$GPUHIST_BENCH/.."
}

# rows INPUT BYTES: the programs of a cell of "table", in their order
rows()
{
    awk -F '\t' -v input="$1" -v bytes="$2" \
        '$1 == input && $3 == bytes { printf "%s%s", comma, $4; comma = ", " }' \
        table
}

# ---- the table ----

stream --max=16K >table 2>err
is "$? $(cat err) $(ls scratch)" '0  ' 'a run, nothing left behind'
awk '/^#/ && !head { next } !head { head = $0; next } { n++ }
    NF < 13 || /^#/ { bad = 1 } END { exit bad || n < 20 }' table
ok $? 'comments, a header, lines'
is "$(grep -v '^#' table | head -n 1 | tr '\t' ' ')" \
    'input data bytes program runs wall_ms least_ms deviation_ms cpu_ms '\
'cpu_s_per_GB peak_KiB GB/s of_limit' 'the names of the columns'
grep -v '^#' table | awk -F '\t' 'NR == 1 { next }
    NF != 13 { exit bad = 1 }
    { for (i = 5; i <= 13; i++) if ($i !~ /^[0-9]+([.][0-9]+)?$/) exit bad = 1 }
    $7 > $6 || $5 < 1 || $5 > 3 || $11 < 100 { exit bad = 1 }
    # GB/s, and the seconds of a processor for each of them
    { rate = $3 / $6 / 1e6 - $12; cpu = $9 / $3 * 1e6 - $10 }
    rate * rate > 1e-6 + $12 * $12 * 1e-4 { exit bad = 1 }
    cpu * cpu > 1e-6 + $10 * $10 * 1e-4 { exit bad = 1 }
    $4 == "drop" && $13 != 1 { exit bad = 1 }
    END { exit bad }'
ok $? 'what is in the columns'
ours='gpuhist, gpuhist --device=cpu, gpuhist --device=cpu -j1'
for bytes in 1024 16384; do
    for input in pipe redirect; do
        # Those that are not everywhere:
        is "$(rows $input $bytes | sed 's/numpy, //; s/CuPy, //; s/ent -c, //
            s/od | sort | uniq -c, //; s/, [^,]*=cuda$//; s/ (asks.*only)//')" \
            "drop, wc -c, wc -l, naive, $ours" "$input, $bytes bytes"
    done
    is "$(rows file $bytes | sed 's/, [^,]*=cuda$//')" "drop, $ours" \
        "file, $bytes bytes"
done

# Not of small sizes.
stream --max=4M --inputs=splice,zstd,frames,many >table 2>err
is "$? $(cat err) $(ls scratch)" '0  ' 'longer inputs'
is "$(rows splice 262144 | sed 's/, [^,]*=cuda$//')" "drop, $ours" \
    'splice, 262144 bytes'
for input in splice many; do
    is "$(rows $input 4194304 | sed 's/, [^,]*=cuda$//')" "drop, $ours" "$input"
done
if [ "$HAVE_ZSTD" = yes ]; then
    for input in zstd frames; do
        is "$(rows $input 4194304 |
            sed 's/zstd -dc | drop, //; s/, [^,]*=cuda$//')" "drop, $ours" \
            "$input"
    done
else
    is "$(rows zstd 4194304)$(rows frames 4194304)" '' 'no zstd input'
fi
stream --max=20000 --data=zeros,acgt --inputs=file >table 2>err
is "$? $(cat err) $(grep -v '^#' table | cut -f 1-3 | uniq | tr '\t\n' ' ,')" \
    '0  input data bytes,file zeros 1024,file zeros 16384,'\
'file acgt 1024,file acgt 16384,' '--max, --data and --inputs'
if [ "$HAVE_NVCC" = yes ]; then
    LD_LIBRARY_PATH=$FAKE_CUDA_DIR stream --max=1K --inputs=file >table 2>err
    is "$? $(cat err) $(rows file 1024)" \
        "0  drop, $ours, gpuhist --device=cuda" 'with a GPU'
else
    skip 'with a GPU' 'no kernels'
fi

# ---- runs that must fail ----

# fake NAME COMMAND: a program that is gpuhist, but counts by COMMAND
fake()
{
    cat >"$1" <<END
#!/bin/sh
case \$1 in
    --list-devices | --version) exec "$GPUHIST" "\$1" ;;
esac
$2
END
    chmod +x "$1"
}

# fails NAME STATUS SAYS: one test: a run with the program NAME
fails()
{
    stream --max=1K --inputs=file --gpuhist="./$1" >table 2>err
    is "$? $(grep -c "$2" err) $(ls scratch) $(rows file 1024)" '1 1  ' "$1"
}

"$GPUHIST" /dev/null >zeros
# Twice as many, one elsewhere, a line too many, none at all.
fake sum-is-wrong "exec '$GPUHIST' \"\$@\" \"\$1\""
fake sum-is-right "'$GPUHIST' \"\$@\" | awk -v OFS='\t' 'NR == 3 { \$2 += 1 }
    NR == 4 { \$2 -= 1 } { print \$1, \$2 }'"
fake too-long "'$GPUHIST' \"\$@\" && echo 256 0"
fake too-short "'$GPUHIST' \"\$@\" | head -n 255"
fake nothing true
fake fails-at-the-end "'$GPUHIST' \"\$@\"; exit 1"
sed -i 's/"\$1"$/"${2-$1}"/' sum-is-wrong
for name in sum-is-wrong sum-is-right too-long too-short nothing; do
    fails $name WRONG
done
fails fails-at-the-end 'the command failed'
fake right "exec '$GPUHIST' \"\$@\""
stream --max=1K --inputs=file --gpuhist=./right >table 2>err
is "$? $(cat err)" '0 ' 'the same with one that counts right'
for option in --unknown --inputs=pipe,unknown --max=x; do
    stream "$option" >table 2>err
    is "$? $(wc -c <table) $(ls scratch)" '2 0 ' "refused: $option"
done
stream --max=1K --data=unknown >table 2>err
is "$? $(grep -c 'gpuhist-gen: ' err) $(ls scratch)" '2 1 ' 'unknown data'
stream --help >out 2>err
is "$? $(wc -c <err) $(awk 'length > 79' out)" '0 0 ' '--help'
timeout 60 "$srcdir/bench/stream.sh" --quick . >table 2>err
is "$? $(grep -c 'run .make bench. first' err)" '1 1' 'nothing built there'

# ---- interrupted ----

# gone PID: whether this process ends within 10 seconds
gone()
{
    gone_tries=100
    while grep -q '^State:[^Z]*$' "/proc/$1/status" 2>/dev/null; do
        gone_tries=$((gone_tries - 1))
        [ "$gone_tries" -gt 0 ] || return 1
        sleep 0.1
    done
}

# shellcheck disable=SC2016 # the script's own
fake slow 'echo $$ >pid-part; mv pid-part '"'$tap_dir/pid'"'
 exec sleep 50'
for signal in TERM HUP; do
    rm -f pid
    "$srcdir/bench/stream.sh" --scratch=scratch --quick --max=256K \
        --inputs=splice --gpuhist=./slow "$GPUHIST_BENCH/.." >table 2>err &
    run=$!
    wait_for [ -e pid ]
    before=$(ls scratch)
    kill -$signal $run
    wait $run
    is "$? ${before%.*} $(ls scratch)" '1 gpuhist-stream ' \
        "SIG$signal: no file is left"
    gone "$(cat pid)"
    ok $? "SIG$signal: no process is left"
done

# ---- the tools ----

noise 300000 >data
: >empty
"$GPUHIST_BENCH/naive" <data >counts
oracle <data | cmp -s - counts
ok $? 'naive'
"$GPUHIST_BENCH/splice" data empty data | cat >out
cat data data | cmp -s - out
ok $? 'splice'
"$GPUHIST_BENCH/splice" data missing 2>err | cat >out
is "$(cat err)" 'splice: missing: No such file or directory' \
    'splice, no such file'
"$GPUHIST_BENCH/drop" data missing >out 2>err
is "$? $(wc -c <out) $(wc -l <err)" '1 0 1' 'drop, no such file'

# headers FILE: of all frames, in hexadecimal, the byte of flags
headers()
{
    od -An -v -tx1 "$1" | tr -d ' \n' | grep -o 28b52ffd.. | cut -c 9-
}

if [ "$HAVE_ZSTD" = yes ]; then
    # Zeros: no magic number can be in them by chance.
    head -c 300000 /dev/zero >blank
    for case in '0:1:blank' '300000:1:blank' '100000:3:blank' \
        '299999:2:blank' '64Ki:5:blank' '1Mi:1:blank' '7:1:empty' '0:1:empty'; do
        size=${case%%:*}
        data=${case##*:}
        number=${case#*:}
        number=${number%:*}
        "$GPUHIST_BENCH/frames" -s "$size" <"$data" >file.zst
        is "$? $(headers file.zst | wc -l)" "0 $number" \
            "frames -s $size <$data"
        "$GPUHIST" --decompress=zstd file.zst >out
        "$GPUHIST" "$data" | cmp -s - out
        ok $? "frames -s $size <$data: the same bytes"
        # shellcheck disable=SC2002 # it must be a pipe
        cat "$data" | "$GPUHIST_BENCH/frames" -n -s "$size" >out
        is "$(headers out | wc -l)" "$number" "frames -s $size, from a pipe"
    done
    "$GPUHIST_BENCH/frames" -l 5 -c -s 70000 <data >file.zst
    if command -v zstd >/dev/null; then
        zstd -dc file.zst 2>err | cmp -s - data
        is "$? $(wc -c <err)" '0 0' 'frames: zstd decodes them'
        zstd -lv file.zst >out 2>&1
        grep -q 'Frames: 5$' out && grep -q 'Check: XXH64' out
        ok $? 'frames: how many there are, by zstd'
    else
        skip 'frames: zstd decodes them' 'no zstd'
    fi
    # Flags: 4 a checksum; 20 and c0 the size of what is in it.
    for case in ':1:yes:no' '-c:1:yes:yes' '-n:1:no:no' '-c -n:1:no:yes'; do
        options=${case%%:*}
        # shellcheck disable=SC2086 # several words
        "$GPUHIST_BENCH/frames" $options <blank >file.zst
        flags=0x$(headers file.zst)
        is "$((flags & 0xe0 ? 1 : 0)) $((flags & 4 ? 1 : 0))" \
            "$(echo "${case#*:1:}" | sed 's/yes/1/g; s/no/0/g; s/:/ /')" \
            "frames $options: what the header says"
    done
    "$GPUHIST_BENCH/frames" -d file.zst file.zst
    ok $? 'frames -d'
    head -c 20 file.zst >short.zst
    "$GPUHIST_BENCH/frames" -d short.zst 2>err
    is "$? $(cat err)" '1 frames: short.zst: truncated' 'frames -d, truncated'
    "$GPUHIST_BENCH/frames" -d data 2>err
    is "$? $(wc -l <err)" '1 1' 'frames -d, not zstd'
    "$GPUHIST_BENCH/frames" <data >/dev/full 2>err
    is "$? $(wc -l <err)" '1 1' 'frames, a full device'
else
    skip 'frames' 'no libzstd'
fi

# ---- pictures ----

PATH='' /bin/sh "$srcdir/bench/plot.sh" table 2>err
is "$? $(cat err)" '1 plot.sh: gnuplot is not installed' \
    'plot.sh without gnuplot'
if command -v gnuplot >/dev/null; then
    # Columns in another order, and some that it does not know.
    cat >table <<'END'
# GPU: "none"
x	program	GB/s	bytes	data	input
-	drop	1.0	1024	text	pipe
-	gpuhist --device=cpu	0.5	1024	text	pipe
-	drop	2.0	1048576	text	pipe
-	gpuhist --device=cpu	1.9	1048576	text	pipe
-	drop	2.0	34359738368	text	pipe, the same 4 times
END
    "$srcdir/bench/plot.sh" table pictures >out 2>err
    is "$? $(cat err) $(cat out)" '0  pictures/stream-text-pipe.svg' \
        'plot.sh, a table of stream.sh'
    grep -q '>gpuhist --device=cpu: 1.9 GB/s<' pictures/stream-text-pipe.svg
    ok $? 'plot.sh: what is in the key'
    cat >table <<'END'
# NVIDIA H200
kernel	data	runs	GB/s	deviation	of_read	of_cub	verdict
plain read	zeros	9	4300	1	1	-	-
u1 lane	on edges	9	4250	1	0.988	2.1	ok
u1 CUB	on edges	9	2100	1	0.488	1	ok
END
    "$srcdir/bench/plot.sh" table pictures >out 2>err
    is "$? $(cat err) $(cat out)" '0  pictures/kernels-on-edges.svg' \
        'plot.sh, a table of kernels'
    grep -q '>4250 GB/s, 2.1 times CUB<' pictures/kernels-on-edges.svg
    ok $? 'plot.sh: what is at a bar'
    sed 's/of_read/other/' table >other
    "$srcdir/bench/plot.sh" other pictures >out 2>err
    is "$? $(cat err) $(wc -c <out)" '1 plot.sh: no column of_read 0' \
        'plot.sh, a column is missing'
else
    skip 'plot.sh' 'no gnuplot'
fi

# ---- bench/print.sh ----

if instrumented; then
    skip 'print.sh' 'a sanitizer takes long'
else
    sh "$srcdir/bench/print.sh" -n 1 "$GPUHIST_BENCH/.." >table 2>err
    is "$? $(cat err) $(grep -v '^#' table | cut -f 1 | uniq | tr '\n' ' ')" \
        '0  what integers joint doubles figures csv jsonl ' \
        'print.sh: all outputs'
    grep -v '^#' table | awk -F '\t' 'NR == 1 { next }
        { for (i = 3; i <= 7; i++) if ($i <= 0) bad = 1 }
        NF != 7 { bad = 1 } END { exit bad || NR != 14 }'
    ok $? '... and a rate for each'
    cat >liar <<'END'
#!/bin/sh
"$GPUHIST" "$@" | sed '$s/$/0/'
END
    chmod +x liar
    sh "$srcdir/bench/print.sh" -n 1 "$GPUHIST_BENCH/.." liar >table 2>err
    is "$? $(grep -c 'prints other bytes' err)" '1 1' \
        'print.sh: programs that print other bytes are not compared'
fi

# ---- bench/plan.sh ----

if instrumented; then
    skip 'plan.sh' 'a sanitizer takes long'
else
    sh "$srcdir/bench/plan.sh" --runs=1 --sizes=64 --cpus=1 --gpu=cpu \
        --scratch=. "$GPUHIST_BENCH/.." >table 2>err
    is "$? $(cat err) $(cut -f 1-3 table | tr '\t\n' '  ')" \
        "0  kind MiB cpus $(printf '%s 64 1 ' bytes floats wide hot weights joint log bases \
            kmers)" \
        'plan.sh: all kinds of work'
    awk -F '\t' 'NR == 1 { next }
        { best = $4 < $5 ? $4 : $5 }
        NF != 7 || best <= 0 || $6 <= 0 { bad = 1 }
        # The seconds are rounded.
        $7 > best / $6 * 1.1 + 0.01 || $7 < best / $6 / 1.1 - 0.01 { bad = 1 }
        END { exit bad || NR != 10 }' table
    ok $? '... the times and their ratio'
    sh "$srcdir/bench/plan.sh" --kinds=nothing "$GPUHIST_BENCH/.." 2>err
    is "$? $(head -n 1 err)" \
        '2 Usage: bench/plan.sh [OPTION]... [BUILD_DIRECTORY]' \
        '... and no other'
fi

done_testing
