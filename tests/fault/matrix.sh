# SPDX-License-Identifier: MIT
# matrix.sh -- every call of the system fails once, and for good
#
# Thousands of runs, each with another fault: see matrix.c for what must hold
# after each of them.  Most of what ways to run the program do is the same, so
# each way tries other ones of the calls, unless all are wanted.
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

instrumented && skip_all 'a sanitizer comes between, too'
[ -f "$FAULT_DIR/shim.so" ] || exit 99

noise 60000 >data
mkdir to
matrix_step=37
! expensive || matrix_step=1

# matrix OPTIONS WANTED ARGUMENT...: all faults of one way to run the program.
matrix()
{
    matrix_options=$1
    matrix_wanted=$2
    shift 2
    matrix_nth=$((tap_count % matrix_step + 1)),$matrix_step
    # shellcheck disable=SC2086 # several words
    "$FAULT_DIR/matrix" -n $matrix_nth $matrix_options "$FAULT_DIR/shim.so" \
        "$matrix_wanted" \
        "$GPUHIST" -j 2 "$@"
}

# ---- that these tests can fail ----

# It complains, but not in our name.
if "$FAULT_DIR/matrix" "$FAULT_DIR/shim.so" data cat data >log 2>&1 ||
    ! grep -q '^# memory 1 and on, Cannot .*: exit 1, 0 bytes' log; then
    echo 'Bail out! a program that fails otherwise passes'
    exit 99
fi

# ---- the matrix ----

fired=0
: >all

# faults NAME OPTIONS ARGUMENT...: one test.  What is right is what the
# program prints without a fault; that this is right others test.
faults()
{
    name=$1
    options=$2
    shift 2
    gpuhist -j 2 "$@" <piped >wanted
    matrix "$options" wanted "$@" >log 2>&1
    status=$?
    n=$(sed -n 's/^fired //p' log)
    ok $status "$name: ${n:-no} faults" || grep -v '^[a-z]* ' log | head -n 20
    fired=$((fired + ${n:-0}))
    cat log >>all
}

cp data piped
faults 'a pipe' '-p piped'
faults 'a file' '' data
faults 'one thread' '-p piped' -j 1
faults 'a file in many chunks' '' --chunk-size=5000 --decompress=none data
head -c 7000 data >few
printf x >one
: >empty
cp one piped
faults 'several files and a pipe' '-m 6 -p piped' few one - empty data few
# The first ones are read in batches.
awk 'BEGIN { for (i = 0; i < 257; i++) printf "one%c", 0 }' >list
faults 'many small files' '-m 257' --files0-from=list
head -c 400000 /dev/zero >zeros
faults 'a shared file' '' --chunk-size=60000 zeros
faults 'each file' '' --per-file --stats=only few one empty data
faults '... with rows that wait in a file' '' \
    --per-file --dtype=u2 -o /dev/null data data
# tensors BYTES: an array of BYTES between two short ones, in a safetensors file.
tensors()
{
    header='{"a":{"dtype":"U8","shape":[3],"data_offsets":[0,3]}'
    header="$header,\"b\":{\"dtype\":\"U8\",\"shape\":[$1],"
    header="$header\"data_offsets\":[3,$((3 + $1))]},\"c\":{\"dtype\":\"U8\","
    header="$header\"shape\":[1],\"data_offsets\":[$((3 + $1)),$((4 + $1))]}}"
    printf '%b%s' "\\0$(printf %o ${#header})\\0\\0\\0\\0\\0\\0\\0" "$header"
    noise $((4 + $1))
}
tensors 400000 >arrays
faults 'a file of arrays' '' --safetensors --chunk-size=60000 arrays
faults '... each by itself' '' --safetensors --per-file --chunk-size=60000 \
    arrays
tensors 40000 >piped
faults '... one of them, from a pipe' '-p piped' --safetensors --array=b
cp data piped
faults '--skip-bytes and --read-bytes' '' --skip-bytes=9 --read-bytes=3000 data
if [ "$HAVE_ZSTD" = yes ] && command -v zstd >zstd-path; then
    zstd -q -c data >piped
    faults 'zstd from a pipe' '-p piped'
    zstd -q -c few >frame
    cat frame frame frame frame frame frame >frames
    faults 'a zstd file of many frames' '' --chunk-size=2000 frames
else
    skip 'zstd' 'no zstd in this build, or no zstd program'
fi
if [ "$HAVE_GZIP" = yes ] && command -v gzip >gzip-path; then
    gzip -c data >piped
    faults 'gzip from a pipe' '-p piped'
else
    skip 'gzip' 'no gzip in this build, or no gzip program'
fi
if [ "$HAVE_GZIP" = yes ] && command -v bgzip >bgzip-path; then
    bgzip -c few >block
    cat block block block block block block >blocks
    faults 'a BGZF file of many blocks' '' --chunk-size=2000 blocks
    noise 1600000 | bgzip -c >blocks
    faults 'BGZF for one reader, with a helper' '' --skip-bytes=1 blocks
else
    skip 'BGZF' 'no gzip in this build, or no bgzip program'
fi
# packed NAME HAVE COMMAND...: data from a pipe, compressed by COMMAND.
packed()
{
    packed_name=$1
    if [ "$2" != yes ] || ! command -v "$3" >packed-path; then
        skip "$1" "no $1 in this build, or no $3 program"
        return
    fi
    shift 2
    "$@" <data >piped
    faults "$packed_name from a pipe" '-p piped'
    "$@" <few >member
    cat member member member member member member >members
    faults "$packed_name, many members" '' --chunk-size=2000 members
}
packed xz "$HAVE_LZMA" xz -1 -c --block-size=3000
packed lz4 "$HAVE_LZ4" lz4 -q -c -B4
if [ "$HAVE_LZ4" = yes ] && command -v lz4 >lz4-path; then
    noise 1600000 | lz4 -q -c -B4 >blocks
    faults 'lz4, with a helper' '' blocks
    lz4 -q -c --no-frame-crc -B4 <data >parts
    faults 'lz4, blocks as parts' '' --chunk-size=2000 parts
else
    skip 'lz4, with a helper' 'no lz4 in this build, or no lz4 program'
fi
packed bzip2 "$HAVE_BZIP2" bzip2 -c -1
if [ "$HAVE_ARCHIVE" = yes ]; then
    # Where libarchive runs out of memory for a text, it ends the process.
    fatal='-m 2 -c Fatal'
    tar -cf tar few one empty data
    faults 'a tar archive' "$fatal" --members tar
    faults '... in chunks' "$fatal" --members --chunk-size=2000 tar
    faults '... each file' "$fatal" --members --per-file tar
    tar -cf piped few one
    faults '... from a pipe' "$fatal -p piped" --members
    if command -v zip >zip-path; then
        zip -q zip.zip few one empty data
        faults 'a zip archive' "$fatal" --members zip.zip
    else
        skip 'a zip archive' 'no zip'
    fi
    if command -v cpio >cpio-path; then
        ln few second
        printf 'few\nsecond\none\ndata\n' | cpio -o -H newc >files.cpio 2>cpio-says
        faults 'a cpio archive' '' --members files.cpio
        if [ "$HAVE_GZIP" = yes ] && command -v gzip >gzip-path; then
            gzip -c files.cpio | cat files.cpio - >initramfs
            faults 'an initramfs' '' --members initramfs
        fi
    else
        skip 'a cpio archive' 'no cpio'
    fi
    if [ "$HAVE_LZMA" = yes ] && command -v 7z >7z-path; then
        7z a 7z.7z few one empty data >7z-says
        faults 'a 7z archive' "$fatal" --members 7z.7z
    else
        skip 'a 7z archive' 'no 7z'
    fi
else
    skip 'archives' 'no libarchive in this build'
fi
# Every third line without a number or a second field.
awk 'BEGIN {
    print "key,number"
    for (i = 0; i < 3000; i++)
        print i % 3 ? "k" i % 70 "," i * 1.25 : i % 2 ? "\"a\nb\"" : "x,-"
}' >table
faults 'lines of text' '' -l table
cp table piped
faults 'fields with names' '-p piped' --csv -f key,number --sort=count -
faults 'numbers in text, and a range' '' --csv -f number -b 9 \
    --chunk-size=5000 table
faults 'distinct numbers' '' --csv -f number --dtype=num --top=9 table
faults 'tuples' '' --csv -g key,number --format=json table
faults 'each file of text' '' --csv -g key -f number -b 9 --per-file table table
faults '... as a table' '' --csv -g key --per-file --pivot table table
faults '... and their total' '' --csv -g key -f number -b 9 --per-file --total table table
faults 'snapshots of text' '' -d, -f1 -o /dev/null --every=9000 --reset table
if [ "$HAVE_ZSTD" = yes ] && command -v zstd >zstd-path; then
    zstd -q -c table >frame
    cat frame frame frame frame frame frame >frames
    faults 'lines in many frames' '' -l --chunk-size=2000 frames
else
    skip 'lines in many frames' 'no zstd in this build, or no zstd program'
fi
# Keys in sorted runs, in files that have no name.
mkdir runs
awk 'BEGIN { for (i = 0; i < 3000; i++) printf "%020d\n", i * 7919 % 2971 }' \
    >distinct
TMPDIR=$PWD/runs
export TMPDIR
gpuhist -v -j 1 -l --chunk-size=20000 --memory-limit=900Ki distinct >out 2>err
grep -q 'keys beyond --memory-limit: [0-9]* runs' err
ok $? 'keys beyond the memory'
for option in --sort=value --sort=count --top=5; do
    faults "keys beyond the memory, $option" "-o $PWD/runs/counts" -j 1 -l \
        --chunk-size=20000 --memory-limit=900Ki $option -o runs/counts distinct
done
unset TMPDIR
cp data piped
faults 'many lines' '-p piped' --dtype=u2 -b 3000
# Enough rows for several threads to print.
faults 'a million rows' '' --dtype=u4 --range=0,1200000 --format=uniq data
faults 'two fields' '' -q --record=u1,f4,u1 --partial=drop --fields=1,3 data
faults 'a joint histogram' '' -q --record=u1,u2,f4 --fields=1,2 --joint -b 4 -b 5 \
    --weights=3 --partial=drop data
faults 'exact sums' '' -q --record=u1,f4 --fields=1 --weights=2 --partial=drop data
# Both ranges grow again and again.
awk 'BEGIN { for (i = 0; i < 5000; i++) printf "%04d%04d", i, i }' >growing
faults '--range=auto' '' --record=u4,u4 --endian=big --range=auto -b 10 \
    --chunk-size=4000 --decompress=none growing
awk 'BEGIN { for (i = 0; i < 3000; i++) print i * 70000 }' >edges
faults '--edges=@FILE' '' -q --dtype=u4 --edges=@edges data
{
    printf 'P5\n240 200\n255\n'
    head -c 48000 data
} >image
faults 'an image' '' --image --lut image
faults '--equalize' "-o $PWD/to/equalized" --image --equalize=to/equalized image
mkdir at
faults '--output' "-o $PWD/at/counts" -o at/counts data
if [ "$HAVE_NVCC" = yes ]; then
    LD_LIBRARY_PATH=$FAKE_CUDA_DIR
    export LD_LIBRARY_PATH
    faults 'a GPU' '' --device=cuda --chunk-size=9000 --decompress=none data
    faults 'a GPU and ranges that grow' '' --device=cuda --chunk-size=9000 \
        --record=u4,u4 --endian=big --range=auto -b 10 --decompress=none growing
    unset LD_LIBRARY_PATH
else
    skip 'a GPU' 'no kernels: no driver is ever loaded'
fi
faults '--help' '' --help
faults '--explain' '' --list-devices --device=cpu

echo "# $fired faults: $(awk '/^[a-z]+ [0-9]+$/ { n[$1] += $2 }
    END { delete n["fired"]; for (k in n) printf "%s %d, ", k, n[k] }' all)"
[ $((fired * matrix_step)) -ge 12000 ]
ok $? "thousands of faults, or one of $matrix_step ($fired)"

done_testing
