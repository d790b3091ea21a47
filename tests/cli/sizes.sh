# SPDX-License-Identifier: MIT
# sizes.sh -- sizes around every boundary, in chunks of several sizes
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

MI=1048576

noise $((2 * MI + 1)) >random
head -c $((2 * MI + 1)) /dev/zero | tr '\0' x >constant
yes 'GET /index.html HTTP/1.1 200 1043 "Mozilla/5.0"' |
    head -c $((2 * MI + 1)) >text
tr '\0-\377' '[A*64][C*64][G*64][T*64]' <random >acgt

# The data can show what is wrong: a byte, or a piece, too few or twice.
head -c 100000 constant | oracle >out
is "$(awk '$2 > 0' out)" "120	100000" 'constant data are'
head -c 100000 acgt | oracle >out
is "$(awk '$2 > 0 { n++ } END { print n }' out)" 4 'ACGT data are'
head -c 100000 random | oracle >out
is "$(awk '$2 > 0 { n++ } END { print n }' out)" 256 'random data are'

# count: what to print for "data", in "wanted".  What is counted already of this
# kind, in "counted", need not be counted again.
counted=
count()
{
    case $counted in
        "$kind "*)
            [ "$size" -ge "${counted#* }" ] || counted=
            ;;
        *) counted= ;;
    esac
    : >counts
    [ -z "$counted" ] || mv wanted counts
    tail -c +$((${counted#* } + 1)) data | oracle |
        awk '{ n[$1] += $2 }
            END { for (v = 0; v < 256; v++) printf "%d\t%d\n", v, n[v] }' counts - >wanted
    counted="$kind $size"
}

# check SIZE CHUNK...: the kinds of data in $kinds, from a file and from a pipe,
# in chunks of each size; 0: of the default size.
check()
{
    size=$1
    shift
    wrong=
    for kind in $kinds; do
        head -c "$size" "$kind" >data
        count
        for chunk in "$@"; do
            option=--chunk-size=$chunk
            [ "$chunk" -gt 0 ] || option=--decompress=auto
            gpuhist "$option" data >out 2>err && cmp -s out wanted ||
                wrong="$wrong $kind:$chunk:file"
            # shellcheck disable=SC2002 # a pipe is what is wanted
            cat data | gpuhist "$option" >out 2>err &&
                cmp -s out wanted || wrong="$wrong $kind:$chunk:pipe"
        done
    done
    is "$wrong" '' "$size bytes, chunks of $*"
}

# around CHUNK: the sizes at which something may go wrong with it.
around()
{
    for n in 1 2; do
        echo $((n * $1 - 1)) $((n * $1)) $((n * $1 + 1))
    done
}

kinds='random constant'
for size in 0 1 2 3 15 16 17; do
    check $size 1 16 0
done
kinds='random text'
for size in $(around 16); do
    check "$size" 16
done
for size in $(around 4095); do
    check "$size" 4095
done
kinds='constant acgt'
for size in $(around 65536); do
    check "$size" 65536 0
done
kinds=random
for size in $(around $MI); do
    check "$size" 65536 $MI 0
done

done_testing
