# SPDX-License-Identifier: MIT
# native.sh -- --scale, and the formats of OpenTelemetry and Prometheus for it
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

if python3 -c '' 2>python-says; then
    checks native_oracle.py \
        python3 -B "$srcdir/tests/cli/native_oracle.py" "$GPUHIST"
else
    skip native_oracle.py 'no python3'
fi

# ---- what has no bucket ----

printf '4\n-1\n-\n\n0\nnan\ninf\n' >some
for format in otlp prom-native; do
    set -- gpuhist -l --dtype=num --scale=3 --closed=right --format=$format
    "$@" some >out 2>err
    is "$? $(cat out err)" "1 gpuhist: --format=$format has no place for what \
is negative, NaN, above all bins or no number, 5 in all; --flow=hide leaves it \
out" "$format: what has no bucket is an error"
    "$@" --flow=hide some >out 2>err
    is "$? $(cat err)" \
        '0 gpuhist: warning: 5 values are in no bin and not shown' \
        "... --flow=hide leaves it out"
    printf '4\n0\n' >rest
    "$@" rest | cmp -s - out
    ok $? '... and has the rest, with what is zero'
done
gpuhist -l --dtype=num --scale=3 --closed=right --format=otlp --range=1,4 some \
    >out 2>err
is $? 1 'a value above a range is an error'
printf '4\n9\n' >some
gpuhist -l --dtype=num --scale=3 --closed=right --format=otlp --range=1,8 some \
    >out 2>err
is "$? $(wc -c <out)" '1 0' '... with nothing printed'

# ---- what is refused ----

while read -r options; do
    # shellcheck disable=SC2086 # several options
    gpuhist $options </dev/null >out 2>err
    is "$? $(wc -l <err) $(wc -c <out)" '2 1 0' "refused: $options"
done <<'EOT'
--scale=21
--scale=-11
--scale=1.5
--scale=
--scale=--1
--scale=3 --log
--scale=3 --subdiv=1
--scale=3 --range=auto
--scale=3 --range=0,1
--dtype=f8 --scale=20
--scale=3 --format=otlp
--log --closed=right --format=otlp
--closed=right --format=otlp
--lines --closed=right --format=otlp
--scale=3 --format=prom-native
--scale=9 --closed=right --format=prom-native
--scale=-5 --closed=right --format=prom-native
--record=u1,u1 --joint --scale=3 --closed=right --format=otlp
--record=u1,u1 --weights=1 --scale=3 --closed=right --format=otlp
--scale=3 --closed=right --format=otlp --flow=clamp
--scale=3 --closed=right --format=otlp --top=3
--scale=3 --closed=right --format=otlp --cumulative
--scale=3 --closed=right --metric=a
EOT
grep -q 'needs --format=prom, --format=prom-native or --format=otlp' err
ok $? '... with the options to give'

# ---- states ----

noise 8000 >samples
set -- --dtype=u2 --scale=4 --closed=right
gpuhist "$@" --format=otlp samples >wanted
gpuhist "$@" --shard=1/2 --format=state -o one samples
gpuhist "$@" --shard=2/2 --format=state -o two samples
gpuhist --merge --format=otlp one two >out
same out wanted 'merged states have the points of one run'
gpuhist --dtype=u2 --scale=3 --closed=right --format=state -o three samples
says 1 "one and three do not count the same: spec line 2 has 'bins=257 lo=\
0.9576032806985736 scale=4' and 'bins=129 lo=0.9170040432046712 scale=3'" 'states of different scales do not merge' \
    gpuhist --merge one three

done_testing
