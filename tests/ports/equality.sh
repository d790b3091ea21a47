# SPDX-License-Identifier: MIT
# equality.sh -- another processor's program prints the same bytes
#
# PORT runs the program that was built for another processor, and PORT_GEN its
# bench/gpuhist-gen; GPUHIST is the program of this processor, which the other
# tests compare with programs that count another way.
# shellcheck shell=sh disable=SC2094,SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

gen()
{
    timeout 60 "$GPUHIST_BENCH/gpuhist-gen" "$@"
}

# each NAME FILE <LINES: both programs print the same for FILE and each line of
# options, and end with the same status.
each()
{
    each_name=$1
    each_file=$2
    each_wrong=
    each_count=0
    while read -r options; do
        each_count=$((each_count + 1))
        # $options are words; eval keeps quoted ones.
        eval "set -- $options"
        gpuhist "$@" <"$each_file" >wanted 2>wanted.err
        echo $? >>wanted.err
        timeout 120 "$PORT" "$@" <"$each_file" >got 2>got.err
        echo $? >>got.err
        # The C library's logarithms differ in their last digits.
        sed -i 's/\(p-value.0\.[0-9]\{10\}\)[0-9]*$/\1/' wanted wanted.err got got.err
        cmp -s wanted got && cmp -s wanted.err got.err ||
            each_wrong="$each_wrong [$options]"
    done
    [ "$each_count" -gt 0 ]
    is "$?$each_wrong" 0 "$each_name: $each_count runs"
}

# some N NAME FILE <LINES: the same for one of N lines, in turn, or for all if all
# are wanted.
some()
{
    some_of=$1
    shift
    while read -r some_line; do
        ! has_turn "$some_of" || printf '%s\n' "$some_line"
    done >lines
    each "$@" <lines
}

# ---- inputs ----

noise 100003 >noise
gen --count=4000 --dtype='<f8' normal >f8
gen --count=4000 --dtype='<f4' exponential >f4
gen --count=4000 --dtype='<f2' normal >f2
gen --count=4000 --dtype='>u4' zipf --values=1000 >big
gen --count=4000 --dtype='<i8' uniform --range=-9223372036854775808,9223372036854775807 >i8
gen --size=300000 text >text
gen --size=50000 acgt >acgt
cat text acgt noise text /dev/null >mixed
head -c 70000 /dev/zero | cat acgt - noise >runs
{
    printf 'P6\n97 31\n255\n'
    head -c 9021 noise
} >rgb.ppm
{
    printf 'P5\n97 31\n65535\n'
    head -c 6014 noise
} >grey.pgm
# A BMP of 3 x 2 pixels of 24 bits; its rows take 12 bytes.
{
    printf 'BM\116\0\0\0\0\0\0\0\066\0\0\0\050\0\0\0\003\0\0\0\002\0\0\0'
    printf '\001\0\030\0\0\0\0\0\030\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'
    head -c 24 noise
} >small.bmp

# ---- bytes, and every type in kinds of bins in turn ----
#
# test_binning and test_record_count have every type in every kind.

for data in noise text acgt runs; do
    each "bytes of $data" $data <<'END'

--nonzero --labels=char
--threads=1 --chunk-size=1000
--threads=3 --chunk-size=4097
--skip-bytes=777 --read-bytes=50000
--mask=0xdf --top=7 --percent
END
done

for order in '<' '>'; do
    for type in u1 i1 u2 i2 u4 i4 u8 i8; do
        some 3 "$order$type" noise <<END
--partial=drop --dtype='$order$type' -b 10 --range=0,200
--partial=drop --dtype='$order$type' -b 13 --range=-7.5,1e9 --closed=right
--partial=drop --dtype='$order$type' --edges=-5,0,3,100,70000,1e18 --numpy
--partial=drop --dtype='$order$type' --log --subdiv=2 --nonzero
--partial=drop --dtype='$order$type' --shift=3 --mod=37
--partial=drop --dtype='$order$type' --mask=0x7f --format=json
--partial=drop --dtype='$order$type' -b 20 --range=auto --stats
END
    done
    for type in f2 f4 f8; do
        some 5 "$order$type" noise <<END
--partial=drop --dtype='$order$type' -b 10 --range=0,1
--partial=drop --dtype='$order$type' -b 300 --range=-1e4,1e4 --closed=right
--partial=drop --dtype='$order$type' --edges=-1e5,0,0.1,3,100,7e4,1e18 --numpy
--partial=drop --dtype='$order$type' --log --nonzero
--partial=drop --dtype='$order$type' --log --range=0.001,1000 --subdiv=3
--partial=drop --dtype='$order$type' -b 20 --range=auto
END
    done
done

for type in f2 f4 f8; do
    each "$type, normal numbers" $type <<END
--dtype='<$type' -b 100 --range=-4,4
--dtype='<$type' -b 100 --range=-4,4 --closed=right --density
--dtype='<$type' -b 7 --range=-4,4 --numpy --format=npy
--dtype='<$type' --bin-width=0.1 --range=0,3 --cumulative
--dtype='<$type' -b 1000 --range=auto --stats --percentiles=1,50,99.9
--dtype='<$type' -b 100 --range=0,1 --weights=1 --fields=1
END
done
each 'i8' i8 <<'END'
--dtype='<i8' -b 1000 --range=auto --stats
--dtype='<i8' --log --nonzero
--dtype='<i8' --shift=40 --mod=1000003 --nonzero --format=csv
END
each 'u4, the highest byte first' big <<'END'
--dtype='>u4' --range=0,1000 --stats --percentiles=50
--endian=big --dtype=u4 --range=1,1001 --sort=count --top=20
--dtype='>u4' --log=10 --subdiv=1 --range=1,1000
--dtype='>u4' --log=e --range=1,1000
END
each 'thousands of logarithmic bins' f8 <<'END'
--dtype='<f8' --log=10 --subdiv=3 --range=1e-300,1e300
--dtype='<f8' --log=e --subdiv=5 --range=1e-300,1e300
--dtype='<f8' --log=e --subdiv=14 --range=1,2
END

# ---- records, sums, tables ----

each 'records' noise <<'END'
--partial=drop --record='<u2,u1,x*3,>u4,<f4' --fields=1,2 --mod=100
--partial=drop --record='<u2,u1,x*3,>u4,<f4' --fields=3 --weights=4 --mod=7
--partial=drop --record='u1,<i8' --fields=1 --weights=2
--partial=drop --record='u1,<u8' --fields=1 --weights=2 --sort=count --top=9
--partial=drop --record='u1,>f8' --fields=1 --weights=2 --top=9
--partial=drop --record='u1,<f2' --fields=1 --weights=2 --format=npy
--partial=drop --record='<u2,u1' --joint -b 6 --range=0,65536 -b 5 --range=0,256
--partial=drop --record='u1,u1' --joint --format=npy
--partial=drop --record='<f4,<f4' --joint -b 9 --range=-1,1 --format=json
--partial=drop --dtype='<u2' --nonzero --threads=4
--partial=drop --dtype='<u4' --mod=300000 --nonzero
--partial=drop --dtype='<u4' --mod=3000000 --nonzero --threads=4
END
each 'formats' text <<'END'
--format=tsv --header-out
--format=csv --labels=hex
--format=json
--format=jsonl
--format=prom --closed=right
--format=uniq
--format=md --nonzero --labels=char
--format=npy
--stats=only
--plot
--svg
--plot=only
END
for image in rgb.ppm grey.pgm small.bmp; do
    each "$image" $image <<'END'
--image
--image --nonzero --format=json
--image -b 16 --stats
--image --svg
END
done

# ---- text ----

awk 'BEGIN {
    srand(5)
    for (i = 0; i < 3000; i++)
        printf "10.0.%d.%d - - [22/Nov/2026:08:%02d:%02d +0000] \"GET /%d" \
            " HTTP/1.1\" %d %s \"-\" \"Mozilla/5.0 (X11; Linux)\"\n",
            rand() * 3, rand() * 250, rand() * 60, rand() * 60,
            1 / (rand() + 1e-3), 200 + 100 * int(rand() * 4),
            rand() < 0.1 ? "-" : int(rand() * 1e6)
}' >log
awk 'BEGIN {
    srand(6)
    print "name,value,\"with \"\"quotes\"\"\""
    for (i = 0; i < 3000; i++) {
        exponent = int(rand() * 640) - 320
        value = rand() < 0.5 ? rand() * 200 - 100 : rand() "e" exponent
        printf "n%d,%s,\"%d\n, \"\"%d\"\"\"\r\n", rand() * 50,
            rand() < 0.05 ? "none" : value, rand() * 9, rand() * 9
    }
    print "n1,12345678901234567890123456789012345678901234567890e-30,x"
    print "n1,-0.1000000000000000055511151231257827021181583404541015625,"
}' >table
awk 'BEGIN { for (i = 0; i < 20000; i++)
    printf "%020d\t%d\n", i * 7919 % 19801, i * 104729 % 2000003 - 1000000
}' >distinct
each 'lines and fields of a log' log <<'END'
--lines --top=5
-W -f 9
-W -f 1,7,NF -j4 --chunk-size=4000 --sort=count --top=9
-d '"' -f 2 --prefix=7 --format=json
--words --min-count=20
--clf -f status,host,minute --format=csv
--clf -f bytes -b 20
--clf -f bytes --dtype=int --top=10 --sort=count
--clf -g status,method
--clf -g minute -f status --top=3 --format=jsonl
--clf -f status,method --joint
--lines --every=30000 --format=json --top=2
--clf -f bytes --range=auto -b 6 --every=90000 --reset --format=json
END
each 'a table of numbers' table <<'END'
--csv -f name,3 --format=uniq
--csv -f value --dtype=num
--csv -f value --dtype=num --sort=count --top=5 --format=json
--csv -f value -b 12 --range=-100,100
--csv -f value -b 7 --range=-0.3,0.4 --closed=right -j3 --chunk-size=3000
--csv -f value --edges=-1e300,-0.1,0,1e-300,0.1,5,1e300
--csv -f value --log=10
--csv -f value -b 10 --range=auto --stats
--csv -f 9
END
each 'keys beyond the memory' distinct <<'END'
-l --memory-limit=1Mi --chunk-size=20000 -j1
-l --memory-limit=1Mi --chunk-size=20000 -j3 --top=9 --sort=count
-d '\t' -f 2 --dtype=int --memory-limit=1Mi --chunk-size=20000 -j2
-d '\t' -g 1,2 --memory-limit=1Mi --chunk-size=20000 -j2
END

# ---- wrong input ----

each 'errors' rgb.ppm <<'END'
--dtype=u4
--dtype='<u4' --range=5,3
--dtype='<u4'
--dtype='<i8' --range=9223372036854775807,9223372036854775809
--bins=2147483649 --dtype='<f8' --range=0,1
--image --skip-bytes=1
--chunk-size=2G
END

# ---- gzip ----

if [ "$HAVE_GZIP$PORT_GZIP" = yesyes ]; then
    {
        gzip -nc text
        gzip -1 -c mixed
        head -c 999 /dev/zero
    } >members.gz
    each 'gzip' members.gz <<'END'

--threads=4 --nonzero
--dtype='<u2' --partial=drop --mod=50
END
    head -c 200000 members.gz >cut.gz
    each 'a gzip member without its end' cut.gz <<'END'

--threads=3
END
else
    skip 'gzip' 'one of the two builds has no zlib'
fi

# ---- zstd ----

if [ "$HAVE_ZSTD$PORT_ZSTD" = yesyes ]; then
    {
        zstd -q -c text
        zstd -q -c --long=24 mixed
        printf '\120\052\115\030\004\0\0\0skip'
        zstd -q -c -19 acgt
    } >frames.zst
    head -c 200000 frames.zst >cut.zst
    each 'zstd' frames.zst <<'END'

--threads=1
--threads=4 --nonzero
--dtype='<u2' --partial=drop --mod=50
END
    each 'a zstd frame without its end' cut.zst <<'END'

--threads=3
END
    cat frames.zst frames.zst >twice.zst
    gpuhist twice.zst frames.zst >wanted
    counts wanted 'zstd files' timeout 120 "$PORT" twice.zst frames.zst
else
    ok 0 'zstd # SKIP one of the programs lacks it'
fi

# ---- files ----

gpuhist text noise acgt >wanted
counts wanted 'several files' timeout 120 "$PORT" text noise acgt
timeout 120 "$PORT" -o table text noise acgt
same table wanted '-o FILE'
gpuhist --equalize=wanted.pgm grey.pgm >wanted --image
timeout 120 "$PORT" --equalize=got.pgm --image grey.pgm >got
same got.pgm wanted.pgm '--equalize'

# Offsets beyond 32 bits, in a file that is a hole up to there.
truncate -s 4294967301 large
cat acgt >>large
gpuhist --skip-bytes=4294967290 large >wanted
counts wanted 'the end of a file beyond 4 GiB' \
    timeout 120 "$PORT" --skip-bytes=4294967290 large
if [ "$PORT_BITS" -eq 32 ]; then
    gpuhist large >wanted
    counts wanted 'more than 2^32 bytes in a bin' timeout 600 "$PORT" large
    for size in 2147480000 1073741824 536870912; do
        timeout 120 "$PORT" --dtype='<f8' -b $size --range=0,1 f8 >got 2>err
        echo "$?$(wc -c <got)"
        grep -q 'do not fit into --memory-limit\|out of memory' err ||
            cat err
    done >refused
    is "$(uniq refused)" 20 'tables beyond its addresses are refused'
else
    ok 0 'more than 2^32 bytes in a bin # SKIP it takes long'
fi

# ---- the generator ----

for distribution in uniform normal exponential zipf poisson binomial sorted; do
    for type in u1 '>i4' '<f8'; do
        gen --count=3000 --dtype="$type" $distribution >wanted
        timeout 60 "$PORT_GEN" --count=3000 --dtype="$type" $distribution |
            cmp -s - wanted || echo "$distribution:$type"
    done
done >wrong
is "$(cat wrong)" '' 'gpuhist-gen'

done_testing
