# SPDX-License-Identifier: MIT
# oracles.sh -- a few megabytes, against programs that count another way
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

# Noise, an executable, text, a long run, decimal digits.
{
    noise 1000000
    cat "$GPUHIST"
    cat "$srcdir"/src/*/*.c
    head -c 300000 /dev/zero
    od -An -tu1 "$GPUHIST" | head -c 300000
} | head -c 3000000 >data
gpuhist data >counts
gpuhist --nonzero data >nonzero


has()
{
    command -v "$1" >command-says
}

is "$(awk '{ sum += $2 } END { print sum }' counts)" "$(wc -c <data)" \
    'the counts add up to the size'
oracle <data >wanted
same counts wanted 'against od and awk'

od -An -v -tu1 data | tr -s ' ' '\n' | sed '/^$/d' | sort -n | uniq -c |
    awk '{ print $2 "\t" $1 }' >wanted
same nonzero wanted 'against od, sort and uniq'

if has python3; then
    python3 -c '
import sys
counts = [0] * 256
for value in sys.stdin.buffer.read():
    counts[value] += 1
for value, count in enumerate(counts):
    print(value, count, sep="\t")' <data >wanted
    same counts wanted 'against python3'
else
    skip 'against python3' 'not installed'
fi

# The system's python may have it where the first one in the path has not.
numpy_python=
for python in python3 /usr/bin/python3; do
    if "$python" -c 'import numpy' 2>python-says; then
        numpy_python=$python
        break
    fi
done
if [ -n "$numpy_python" ]; then
    "$numpy_python" -c '
import numpy, sys
data = numpy.frombuffer(sys.stdin.buffer.read(), dtype=numpy.uint8)
for value, count in enumerate(numpy.bincount(data, minlength=256)):
    print(value, count, sep="\t")' <data >wanted
    same counts wanted 'against numpy'
else
    skip 'against numpy' 'not installed'
fi

if has ent; then
    ent -c -t data | awk -F, '$1 == 3 && $2 != "Value" { print $2 "\t" $3 }' \
        >wanted
    same counts wanted 'against ent'
else
    skip 'against ent' 'not installed'
fi

# By what it says of a part, and of the rest: nothing is lost in between.
head -c 1234567 data >first
tail -c +1234568 data >second
gpuhist first >counts-first
gpuhist second | paste counts-first - |
    awk '{ print $1 "\t" ($2 + $4) }' >wanted
same counts wanted 'two parts add up'
# Order does not matter, nor does a change of all values that is undone.
tr '\0-\377' '\200-\377\0-\177' <data | gpuhist |
    awk '{ print ($1 + 128) % 256 "\t" $2 }' | sort -n >wanted
same counts wanted 'all values shifted by 128'

done_testing
