# SPDX-License-Identifier: MIT
# hdr.sh -- what --format=hdr prints, read back by HdrHistogram's reader
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

if python3 -c '' 2>python-says; then
    checks hdr_oracle.py \
        python3 -B "$srcdir/tests/cli/hdr_oracle.py" "$GPUHIST"
else
    skip hdr_oracle.py 'no python3'
fi

# ---- what has no place ----

set -- gpuhist -l --dtype=int --log --subdiv=7 --format=hdr
printf '4\n-1\n-\n\n0\n' >some
"$@" some >out 2>err
is "$? $(cat out err)" "1 gpuhist: --format=hdr has no place for what is \
negative, NaN, above all bins or no number, 3 in all; --flow=hide leaves it \
out" 'what has no place is an error'
"$@" --flow=hide some >out 2>err
is "$? $(cat err)" '0 gpuhist: warning: 3 values are in no bin and not shown' \
    '... --flow=hide leaves it out'
printf '4\n0\n' >rest
counts out '... and has the rest' "$@" rest
printf '\377\377\377\377\377\377\377\177' >half
printf '\0\0\0\0\0\0\0\200' | cat half - >numbers
set -- gpuhist --dtype=u8 --log --subdiv=4 --format=hdr
"$@" numbers >out 2>err
is "$? $(grep -c ' 1 in all' err)" '1 1' '2^63 has no place'
"$@" --flow=hide -q numbers >rest
counts rest '... 2^63 - 1 has' "$@" half

# ---- what is refused ----

while read -r options; do
    # shellcheck disable=SC2086 # several options
    gpuhist $options --format=hdr </dev/null >out 2>err
    is "$? $(wc -l <err) $(wc -c <out)" '2 1 0' "refused: $options"
done <<'EOT'
--lines
--dtype=u2
--dtype=u2 --log
--dtype=u2 --log --subdiv=5
--dtype=u2 --log=10 --subdiv=4
--dtype=u2 --scale=4
--dtype=u2 --log --subdiv=4 --closed=right
--dtype=u2 --log --subdiv=4 --numpy
--dtype=u2 --log --subdiv=4 --range=2,100
--dtype=u2 --log --subdiv=4 --top=3
--dtype=u2 --log --subdiv=4 --flow=clamp
--dtype=u2 --log --subdiv=4 --percent
--dtype=u2 --log --subdiv=4 --metric=a
--dtype=f4 --log --subdiv=4
--lines --dtype=num --log --subdiv=4
--record=u2,u2 --joint --log --subdiv=4
--record=u2,u2 --weights=1 --log --subdiv=4
EOT

# ---- states ----

noise 8000 >samples
set -- --dtype=u2 --log --subdiv=4
gpuhist "$@" --format=hdr samples >wanted
gpuhist "$@" --shard=1/2 --format=state -o one samples
gpuhist "$@" --shard=2/2 --format=state -o two samples
counts wanted 'merged states have the log of one run' \
    gpuhist --merge --format=hdr one two

done_testing
