# SPDX-License-Identifier: MIT
# per_file.sh -- --per-file: a histogram for each input or member
#
# What is wanted is what the program prints of each file alone.
# shellcheck shell=sh disable=SC2154,SC2016,SC2094

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

# ---- what is refused ----

for format in prom uniq npy; do
    says 2 "--per-file: --format=$format has no place for the names of files; \
tsv, csv, md, table, json and jsonl have" "--format=$format" \
        gpuhist --per-file --format=$format </dev/null
done
says 2 '--per-file and --every exclude each other' '--every' \
    gpuhist --per-file --every=1s --format=json </dev/null
says 2 '--per-file and --interrupted=print exclude each other' \
    '--interrupted=print' gpuhist --per-file --interrupted=print </dev/null
says 2 '--per-file and --equalize exclude each other' '--equalize' \
    gpuhist --per-file --image --equalize=file </dev/null
for option in --plot --plot=only --svg=file; do
    says 2 '--per-file prints no pictures: no --plot and no --svg' $option \
        gpuhist --per-file $option </dev/null
done
for option in --stats --percentiles=50; do
    says 2 '--per-file prints no statistics beside the counts: give '\
'--stats=only' $option gpuhist --per-file $option </dev/null
done

# ---- which inputs, in which order ----

# wanted FILE...: what is wanted in the file "wanted".
wanted()
{
    for wanted_name in "$@"; do
        gpuhist --nonzero -q "$wanted_name" |
            awk -v name="$wanted_name" '{ print name "\t" $0 }'
    done >wanted
}

printf 'aab' >a
: >empty
printf 'hello\n' >b
noise 3000000 >noise
wanted b a noise empty a
counts wanted 'in the order of the command line, one twice' \
    gpuhist --per-file --nonzero b a noise empty a
wanted a - b </dev/null
printf -- '-\t99\t1\n' >between
sed '/^a\t98/r between' wanted >piped
counts piped 'standard input' \
    sh -c 'printf c | "$0" --per-file --nonzero a - b' "$GPUHIST"
printf -- '-\t99\t1\n' >wanted
counts wanted 'only standard input' \
    sh -c 'printf c | "$0" --per-file --nonzero' "$GPUHIST"
printf '{"file":"-","value":99,"count":1}\n' >wanted
sh -c 'printf c | "$0" --per-file --nonzero --format=jsonl - -' "$GPUHIST" >out
grep -v totals out | cmp -s - wanted && [ "$(grep -c totals out)" -eq 2 ]
ok $? 'standard input twice: the second one is empty'
wanted a b
counts wanted '--files0-from' sh -c \
    'printf "a\0b\0" | "$0" --per-file --nonzero --files0-from=-' "$GPUHIST"
counts /dev/null '... of no files' sh -c \
    '"$0" --per-file --files0-from=- </dev/null' "$GPUHIST"
printf 'a\n' >wanted
gpuhist --per-file --stats=only a | sed 1d | cut -f 1 >out
same out wanted 'statistics of one file'
mkfifo first second
cat noise >first &
cat a >second &
wanted noise a
sed 's/^noise/first/; s/^a/second/' wanted >piped
counts piped 'pipes' gpuhist --per-file --nonzero first second
wait

# ---- outputs ----

gpuhist --per-file --nonzero a b >wanted
echo old >file
counts /dev/null '-o' gpuhist --per-file --nonzero -o file a b
same file wanted '... replaces the file'
if [ -c /dev/full ]; then
    gpuhist --per-file a >/dev/full 2>err
    is "$? $(cat err)" \
        '1 gpuhist: standard output: write error: No space left on device' \
        'standard output is full'
fi
printf 'file\tvalue\tcount\na\t97\t2\na\t98\t1\nb\t10\t1\n' >wanted
gpuhist --per-file --header-out --nonzero a b | head -n 4 >out
same out wanted '--header-out: one header'
cat >wanted <<'EOF'
| file | value | count |
| :--- | ---: | ---: |
| a | 97 | 2 |
| a | 98 | 1 |
| b | 10 | 1 |
EOF
gpuhist --per-file --format=md --nonzero a empty b | head -n 5 >out
same out wanted 'one table in Markdown'
printf 'x,1\ny,2\n' >t.csv
printf 01 >two
cat >wanted <<'EOF'
| file | field | value | count |
| :--- | :--- | ---: | ---: |
| two | 1 | 48 | 1 |

| file | field | value | count |
| :--- | :--- | ---: | ---: |
| two | 2 | 49 | 1 |

EOF
cat wanted wanted | sed '$d' >twice
counts twice '... or one for each field' \
    gpuhist --per-file --format=md --record=u1,u1 --nonzero two two

# Warnings are of all inputs together.
gpuhist -q --per-file --flow=hide --range=0,98 a b 2>&1 >out |
    cmp -s - /dev/null
ok $? '-q: no warnings'
gpuhist --per-file --flow=hide --range=0,98 a b 2>err >out
is "$(cat err)" 'gpuhist: warning: 6 values are in no bin and not shown' \
    'values that no file shows'
gpuhist --per-file -d, -g3 t.csv t.csv 2>err >out
is "$(cat err)" 'gpuhist: warning: no record has field 3' 'a field of no file'
gpuhist --per-file -d, -g2 t.csv a 2>err >out
is "$(cat err)" '' 'a field of some file'

# ---- an input that fails ----

refused 1 'a file that is not there' gpuhist --per-file a missing b
is "$(cat err)" 'gpuhist: missing: cannot open: No such file or directory' \
    '... is named'
echo old >file
refused 1 '... and -o' gpuhist --per-file -o file a missing b
is "$(cat file)" old '... leaves the old file'
printf 'x\n' >text
printf '1\n2\n' >numbers
no_number="text: field 1: none of 1 values is a number (the first is 'x'); to count them as keys, "
no_number="${no_number}use -g 1"
says 1 "$no_number" 'a file without numbers' \
    gpuhist --per-file -d, -f1 -b4 text
says 1 "$no_number" 'a file without numbers behind another' \
    gpuhist --per-file -d, -f1 -b4 numbers text numbers
if [ "$HAVE_GZIP" = yes ] && command -v gzip >gzip-path; then
    gzip -c noise >noise.gz
    head -c 2000000 noise.gz >cut.gz
    refused 1 'one that is cut off' gpuhist --per-file -j4 a noise.gz cut.gz b
    grep -q '^gpuhist: cut.gz: ' err
    ok $? '... is named'
    wanted a noise
    sed 's/^noise/noise.gz/' wanted >named
    counts named 'compressed' gpuhist --per-file --nonzero a noise.gz
fi
if [ "$HAVE_ZSTD" = yes ] && command -v zstd >zstd-path; then
    zstd -qc noise >frame.zst
    cat frame.zst frame.zst frame.zst frame.zst frame.zst frame.zst >frames.zst
    cat noise noise noise noise noise noise >frames
    wanted a frames a frames
    sed 's/^frames/frames.zst/' wanted >named
    for threads in 1 2 8; do
        counts named "frames side by side, $threads threads" \
            gpuhist --per-file --nonzero -j$threads a frames.zst a frames.zst
    done
fi

# ---- members ----

if [ "$HAVE_ARCHIVE" = yes ] && command -v python3 >python-path; then
    mkdir in in/d
    cp a b empty noise in
    printf 'x' >in/d/last
    tar -C in -cf ar.tar a empty d noise b
    (cd in && python3 -c '
import sys, zipfile
with zipfile.ZipFile("../ar.zip", "w", zipfile.ZIP_DEFLATED) as archive:
    for name in sys.argv[1:]:
        archive.write(name)' a empty d/last noise b)
    (cd in && wanted a empty d/last noise b && mv wanted ..)
    for archive in ar.tar ar.zip; do
        sed "s/^/$archive: /" wanted >named
        for threads in 1 2 8; do
            counts named "members of $archive, $threads threads" \
                gpuhist --members --per-file --nonzero -j$threads $archive
        done
    done
    sed 's/^/-: /' wanted >named
    counts named 'members of standard input' sh -c \
        '"$0" --members --per-file --nonzero <ar.tar' "$GPUHIST"
    sed 's/^/ar.tar: /' wanted >named
    sed 's/^/ar.zip: /' wanted >>named
    sed 's/^/ar.tar: /' wanted >>named
    tar -cf none.tar -T /dev/null
    counts named 'several archives, and one without members' gpuhist --members \
        --per-file --nonzero ar.tar none.tar ar.zip ar.tar
    head -c 1000000 ar.tar >cut.tar
    refused 1 'an archive that is cut off' \
        gpuhist --members --per-file ar.zip cut.tar ar.tar
    grep -q '^gpuhist: cut.tar: noise: ' err
    ok $? '... is named, with its member'
    if [ "$HAVE_GZIP" = yes ] && [ -f noise.gz ]; then
        cp a in/0
        cp cut.gz in/1.gz
        tar -C in -cf damaged.tar 0 1.gz b
        refused 1 'a damaged member in the middle' \
            gpuhist --members --per-file damaged.tar
        grep -q '^gpuhist: damaged.tar: 1.gz: ' err
        ok $? '... is named'
    fi
fi

# ---- $TMPDIR ----

mkdir tmp
TMPDIR=$PWD/tmp
export TMPDIR
head -c 30000 noise >some
yes some | head -n 500 | tr '\n' '\0' >names
gpuhist some | sed 's/^/some\t/' >one
for _ in 1 2 3 4 5 6 7 8 9 10; do cat one one one one one; done >ten
for _ in 1 2 3 4 5 6 7 8 9 10; do cat ten; done >wanted
counts wanted 'many rows wait in a file' \
    gpuhist --per-file --read-bytes=30000 --files0-from=names
is "$(find tmp -mindepth 1 | wc -l)" 0 '... and nothing is left'
says 1 "rows of --per-file: cannot make a temporary file in $PWD/none (TMPDIR): No such file or \
directory" 'TMPDIR does not exist' \
    env TMPDIR="$PWD/none" timeout 120 "$GPUHIST" --per-file --files0-from=names
gpuhist --per-file a b >wanted
counts wanted '... which few rows do not need' \
    env TMPDIR="$PWD/none" timeout 120 "$GPUHIST" --per-file a b
refused 1 'no room' sh -c "trap '' XFSZ; ulimit -f 1; exec \"\$0\" \"\$@\"" \
    "$GPUHIST" --per-file --files0-from=names
grep -q "^gpuhist: rows of --per-file: cannot write [0-9]* more bytes to a temporary file in \
$TMPDIR (TMPDIR) after [0-9]* bytes: File too large" err
ok $? '... is said'

# Keys beyond the memory of some files, and of the file behind them.
awk 'BEGIN { for (i = 0; i < 100000; i++)
    printf "%020d\t%d\n", i % 95000 * 7919919 % 1000000007, i % 1000 }' >many
head -n 75000 many | sed 's/^/x/' >other
printf '2\t2\n1\t3\n' >few

# spills OPTION...: one test
spills()
{
    for name in many few empty other; do
        gpuhist -q "$@" $name | sed "s/^/$name	/" >alone.$name
    done
    cat alone.many alone.few alone.empty alone.other alone.few alone.many >wanted
    gpuhist -v --per-file --memory-limit=9Mi "$@" many few empty other few many \
        2>err | cmp -s - wanted && grep -q ' runs in temporary files' err
    ok $? "more keys than memory: $*"
}

spills --tsv -f1 -j8 --sort=count
if ! instrumented; then
    spills --tsv -f1
    spills --tsv -f1 --weights=2
    spills --tsv -g1 -f2 -b8
fi

# ---- signals ----

mkfifo endless
echo old >file
"$GPUHIST" --per-file -o file a endless 2>err &
program=$!
exec 9>endless
cat noise >&9
kill -TERM $program
wait $program
is "$? $(cat file) $(find . -name '.gpuhist*')" '143 old ' \
    'TERM: nothing is printed'
exec 9>&-

# ---- memory ----

if ! python3 -c '' 2>python-says; then
    skip 'oracles' 'no python3'
    done_testing
    exit
fi

oracle()
{
    python3 -B "$srcdir/tests/cli/per_file_oracle.py" "$@"
}

if [ "$HAVE_ARCHIVE" = yes ]; then
    oracle archive tar 3000 >few.tar
    oracle archive tar 9000 >many.tar
    small='-j2 --chunk-size=64Ki --members --per-file -ofile'
    for options in -l '--dtype=u1 -b5 --range=auto' --stats=only; do
        if instrumented; then
            skip 'memory' 'a sanitizer has memory of its own'
            break
        fi
        # shellcheck disable=SC2086 # several options
        few=$(peak $small $options few.tar)
        # shellcheck disable=SC2086
        many=$(peak $small $options many.tar)
        [ "$many" -lt $((few + 1000)) ]
        ok $? "$few KiB for 3000 members, $many for 9000: $options"
    done
    ! instrumented || gpuhist --members --per-file --stats=only -ofile many.tar
    is "$(wc -l <file)" 9001 '... which have a row each'
fi

# ---- oracles ----

if [ "$HAVE_ARCHIVE" = yes ]; then
    tar -cf one.tar a
    gpuhist --members --per-file --stats=only one.tar |
        sed 's/^one.tar/-/' >wanted
    gpuhist --members --per-file --stats=only - - <one.tar >out
    same out wanted 'standard input is read once, and has no row of its own'
    tar -cf none.tar -T /dev/null
    gpuhist --members --per-file --format=csv none.tar >out 2>err
    is "$? $(cat out err)" '0 ' 'an archive without files'
fi

drivers=
[ "$HAVE_NVCC" = no ] || drivers=$FAKE_CUDA_DIR
checks stats oracle stats "$GPUHIST" a empty b noise t.csv
step=1
! instrumented || step=9
tell_length
checks rows oracle rows "$GPUHIST" "$drivers" $step
checks names oracle names "$GPUHIST"

done_testing
