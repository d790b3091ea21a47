# SPDX-License-Identifier: MIT
# long.sh -- hours of input in minutes; not a part of make check: make check-long
#
# LONG_GIB says how many GiB the longest of the tests count (64 is for half a
# minute of an idle machine).  In one bin there are then more than 2^32, and
# memory must be what it was after two.
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

gib=${LONG_GIB:-64}
[ "$gib" -ge 8 ] || exit 99

# soak FLAGS BYTES INPUT WORD...: run a command, or several with | between
# them, and see that it prints what is in the file "expected"; "speed", "cpu"
# and "peak" (KiB) are what it took.  FLAGS as for time_command.
soak()
{
    flags=$1
    bytes=$2
    input=$3
    shift 3
    {
        printf 'soak\t%s\t%s' "$flags" "$input"
        printf '\t%s' "$@"
        echo
    } | "$GPUHIST_BENCH/time_command" -n 1 -e expected -b "$bytes" >row 2>says
    soak_status=$?
    speed=$(cut -f 12 row)
    cpu=$(cut -f 9 row)
    peak=$(cut -f 11 row)
    return $soak_status
}

# soaked NAME: one test: the last one printed what it should.
soaked()
{
    ok $soak_status "$1: $speed GB/s, $cpu ms of CPU, $peak KiB" ||
        sed 's/^/# /' says
}

# flat PEAK NAME: one test: the last one had hardly more memory than PEAK.
flat()
{
    [ "$peak" -le $(($1 + $1 / 8 + 4096)) ]
    ok $? "$2: $peak KiB, as after a fraction of it $1"
}

# times N WORD: "words", N of them.
times()
{
    words=$(awk -v n="$1" -v word="$2" \
        'BEGIN { for (i = 0; i < n; i++) print word }')
}

# ---- one bin ----

truncate -s 1G zeros || exit 99
cat zeros >copied # it is in the page cache now
rm copied
gpuhist=$GPUHIST
for options in --device=cpu '--device=cpu -j 1' '--device=cpu --dtype=u2' \
    '--device=cpu --dtype=f4 --range=0,1 -b 1'; do
    per_gib=$((1 << 30))
    value=0
    case $options in
        *u2*) per_gib=$((1 << 29)) ;;
        *f4*) per_gib=$((1 << 28)) value='0	1' ;;
    esac
    times 2 zeros
    printf '%s\t%s\n' "$value" $((2 * per_gib)) >expected
    # shellcheck disable=SC2086 # several words
    soak c $((2 << 30)) /dev/null "$gpuhist" --nonzero $options $words
    soaked "2 GiB in one bin ($options)"
    least=$peak
    times "$gib" zeros
    printf '%s\t%s\n' "$value" $((gib * per_gib)) >expected
    # shellcheck disable=SC2086
    soak c $((gib << 30)) /dev/null "$gpuhist" --nonzero $options $words
    soaked "$gib GiB in one bin ($options)"
    flat "$least" '... in the same memory'
done

# ---- all bins, and a sum ----

noise 16777216 >all
oracle <all | awk -v n="$gib" '{ printf "%d\t%.0f\n", $1, $2 * 16 * n }' >expected
times $((16 * gib)) all
# shellcheck disable=SC2086
soak c $((gib << 28)) /dev/null "$gpuhist" --device=cpu $words
soaked "$((gib / 4)) GiB of all values"

awk 'BEGIN { for (i = 0; i < 262144; i++) printf "\377\377\377\377" }' >most
times $((64 * gib)) most
printf '255\t%s\n' \
    "$(awk -v n="$gib" 'BEGIN { printf "%.0f", n * 64 * 262144 }')" >expected
# shellcheck disable=SC2086
soak c $((gib << 26)) /dev/null "$gpuhist" --device=cpu --nonzero \
    --record=u1,u1,u2 --fields=1 $words
soaked "$((gib / 16)) GiB of records"

# ---- pipes, fast and slow ----

printf '0\t%s\n' $((gib << 28)) >expected
for options in '-j 1' '-j 8' '-j 8 --chunk-size=64Ki'; do
    # shellcheck disable=SC2086
    soak cw $((gib << 28)) /dev/null head -c $((gib << 28)) /dev/zero '|' \
        "$gpuhist" --device=cpu --nonzero $options
    soaked "$((gib / 4)) GiB from a pipe ($options)"
done

# The engines wait for each byte; then the reader waits for the engine, which
# adds up what is all different.
printf '0\t100000\n' >expected
soak cw 100000 /dev/null dd if=/dev/zero bs=1 count=100000 status=none '|' \
    "$gpuhist" --device=cpu --nonzero
soaked '100,000 bytes from a pipe, one by one'
slow='--record=u1,f8,x*7 --fields=1 --weights=2'
# shellcheck disable=SC2086
"$gpuhist" --device=cpu -j 1 $slow all >expected
# shellcheck disable=SC2086
soak c $((1 << 24)) all "$gpuhist" --device=cpu -j 8 --chunk-size=64Ki $slow
soaked 'a reader that is faster than what counts'

# ---- zstd: a bomb ----

if [ "$HAVE_ZSTD" = yes ] && command -v zstd >zstd-path; then
    head -c 1G /dev/zero | zstd -q -c >bomb
    times 2 bomb
    printf '0\t%s\n' $((2 << 30)) >expected
    # shellcheck disable=SC2086
    soak c $((2 << 30)) /dev/null "$gpuhist" --device=cpu --nonzero $words
    soaked "2 GiB in $((2 * $(wc -c <bomb))) bytes"
    least=$peak
    times $((gib / 4)) bomb
    printf '0\t%s\n' $((gib << 28)) >expected
    # shellcheck disable=SC2086
    soak c $((gib << 28)) /dev/null "$gpuhist" --device=cpu --nonzero $words
    # shellcheck disable=SC2086
    soaked "$((gib / 4)) GiB in $(cat $words | wc -c) bytes"
    flat "$least" '... in the same memory'
else
    skip 'a bomb' 'no zstd in this build, or no zstd program'
fi

# ---- gzip: a member whose length has more than 32 bits, a bomb ----

if [ "$HAVE_GZIP" = yes ] && command -v gzip >gzip-path; then
    head -c 5G /dev/zero | gzip -1 -c >bomb
    printf '0\t%s\n' $((5 << 30)) >expected
    soak c $((5 << 30)) /dev/null "$gpuhist" --device=cpu --nonzero bomb
    soaked "5 GiB in one member of $(wc -c <bomb) bytes"
    flat "$least" '... in the same memory as 2 GiB of zstd'
else
    skip 'a gzip bomb' 'no gzip in this build, or no gzip program'
fi

# ---- 100,000 tiny files ----

mkdir tiny
(cd tiny && seq 100000 | split -l 1 -a 4 - '')
seq 100000 | oracle | awk '$2 > 0' >expected
(
    cd tiny || exit 99
    # shellcheck disable=SC3045 # every shell that we meet has it
    ulimit -n 20 || exit 99
    exec "$gpuhist" --device=cpu --nonzero -- *
) >out 2>err
same out expected "100,000 files with 20 descriptors ($(wc -c <err) bytes said)"
cp out expected
# shellcheck disable=SC2046 # many words
(
    cd tiny || exit 99
    cp ../expected .
    soak c 1 /dev/null "$gpuhist" --device=cpu --nonzero $(echo ????)
    soaked '100,000 files'
    [ "$peak" -le $((128 << 10)) ]
    ok $? "... in less than 128 MiB ($peak KiB)"
)
tap_count=$((tap_count + 2))

done_testing
