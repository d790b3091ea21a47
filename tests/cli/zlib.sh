# SPDX-License-Identifier: MIT
# zlib.sh -- zlib streams, with --decompress=zlib
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"
# shellcheck source=tests/packed.sh
. "$srcdir/tests/packed.sh"

[ "$HAVE_GZIP" = yes ] || skip_all 'built without ISA-L and zlib'
command -v python3 >python-path || skip_all 'no python3'

pack_each()
{
    python3 -c 'import sys, zlib
for name in sys.argv[1:]:
    with open(name, "rb") as source, open(name + ".packed", "wb") as packed:
        packed.write(zlib.compress(source.read(), 1))' "$@"
}
pack()
{
    python3 -c 'import sys, zlib
sys.stdout.buffer.write(zlib.compress(sys.stdin.buffer.read(), 1))'
}

packed_options=--decompress=zlib
packed_inputs
packed_format zlib

# ---- the tools ----

while read -r level bits; do
    made ab.wanted "python's zlib, level $level, a window of 2^$bits" python3 "python3 -c '
import sys, zlib
packer = zlib.compressobj($level, zlib.DEFLATED, $bits)
data = packer.compress(sys.stdin.buffer.read())
sys.stdout.buffer.write(data + packer.flush())' <ab"
done <<'EOF'
0 15
6 9
9 12
EOF
made ab.wanted 'pigz -z' pigz 'pigz -z -c <ab'
sum_of ab.wanted a.wanted >wanted
cat ab.packed empty.packed a.packed >x
counts wanted 'several streams' gpuhist --decompress=zlib x
counts wanted '... in chunks of 7' gpuhist --decompress=zlib --chunk-size=7 x

# ---- wrong ----

oracle <a.packed >wanted
counts wanted 'without the option it is data' gpuhist a.packed
size=$(wc -c <a.packed)
{
    cat a.packed
    echo garbage
} >x
bad 'garbage behind' \
    "not a zlib stream at byte $size: garbage after the last stream"
cp a x
bad 'no zlib stream' 'not a zlib stream at byte 0: its first bytes are no header'
: >x
refused 1 'no data' gpuhist --decompress=zlib x
printf x >x
bad 'a byte' 'truncated zlib stream at byte 1: unexpected end of file'
python3 -c 'import sys, zlib
packer = zlib.compressobj(zdict=b"words")
sys.stdout.buffer.write(packer.compress(b"text") + packer.flush())' >x
bad 'a dictionary' 'unsupported zlib stream at byte 0: it needs a dictionary'
replace a.packed $((size - 1)) 1 2 >y
head -c "$size" y >x
bad 'a wrong checksum' "corrupt zlib data at byte $((size - 4)): wrong checksum"

done_testing
