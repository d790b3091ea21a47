# SPDX-License-Identifier: MIT
# group_plots.sh -- a small histogram for each group, as text and as SVG
# shellcheck shell=sh disable=SC2154,SC2034

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

unset NO_COLOR COLORTERM
TERM=xterm COLUMNS=60 LINES=24
export TERM COLUMNS LINES
printf '%s\n' Oslo,3.5 Bonn,12 Bonn,39 Oslo,-1 Oslo, Bonn,x Rome ,1 \
    '"New York, NY",41' Rome,19.5 Rome,1 >temp

# ---- to the last byte ----

# draws NAME ARGUMENT...: the picture of groups in "temp" is in "wanted".
draws()
{
    draws_name=$1
    shift
    counts wanted "$draws_name" gpuhist -q --csv -g1 -f2 --plot=only "$@"
}

sed 's/|$//' >wanted <<'END'
field1 by field2 (num): 11 counted, a scale for each group
                    @@@@@@                                1
Bonn                @@@@@@@@@@@@                   @@@@@@ 3
New York, NY                     @@@@@@                   1
Oslo         @@@@@@ @@@@@@                   @@@@@@       3
Rome                @@@@@@             ******             3
             b      0     20     a     m     e     i     |
count: 0 .:-+*%#@ most in the row, b: below, a: above,
m: missing, e: empty, i: invalid
END
draws 'a row for each group' --range=0,40 -b2 temp
sed 's/\*/@/' wanted >wrong
is "$(gpuhist --csv -g1 -f2 --plot=only --range=0,40 -b2 temp | cmp - wrong |
    wc -l)" 1 '... and a wrong bar is noticed'
gpuhist --csv -g1 -f2 --plot=only --range=0,40 -b2 --top=2 temp >out
is "$(sed 's/  *[@-]*//g; s/,.*//' out | head -n 4 | tr '\n' ' ')" \
    'field1byfield2(num):11counted Bonn3 Oslo3 \other5 ' \
    '--top chooses groups, as in tables'
cat >wanted <<'END'
field1 by field2 (num): 6 counted
Bonn   @@@@@@@@@@@@ 2
Rome   @@@@@@       2
\other @@@@@@       2
       0     20
count: 0 .:-+*%#@ most in the row
END
COLUMNS=40
draws '--flow=hide, a narrow terminal' --range=0,40 -b2 --top=2 --flow=hide \
    temp
cat >wanted <<'END'
field1 by field2 (num): 6 counted
Bonn @@@@@@@@@@@@ 2
Rome @@@@@@       2
     0     20
count: 0 .:-+*%#@ most in the row
END
sed -i 's/6 counted/4 counted/' wanted
draws '... --no-other' --range=0,40 -b2 --top=2 --flow=hide --no-other temp
COLUMNS=60
{
    printf 'a,%d\n' 1 1 1 1 1 1 1 3 3 3 3 3 3 3 2 4
    printf 'b,%d\n' 1 4
} >whole
gpuhist --csv -g1 -f2 --plot=only --dtype=int whole >out
is "$(sed -n '2,4s/  */ /gp' out)" 'a @@@@@@::::::@@@@@@:::::: 16
b @@@@@@ @@@@@@ 2
 2 4' 'integers without bins: one for each'
gpuhist --csv -g1 -f2 --plot=only --dtype=int --plot-scale=log whole >out
is "$(sed -n '1p; 2,4s/  */ /gp' out)" \
    'field1 by field2 (int): 18 counted, logarithmic
a @@@@@@------@@@@@@------ 16
b @@@@@@ @@@@@@ 2
 2 4' '... on a logarithmic scale'

printf 'a,3,-1\nb,4,2\nb,5,-0.3\nb,9,-.01\n' >sums
gpuhist --csv -g1 -f2 --plot=only --range=0,16 -b2 --weights=3 sums >out
is "$(sed -n '1p; 2,3s/  */ /gp; $p' out)" \
    'field1 by field2 (num): 4 counted, sum of field3
a VVVVVV -1
b @@@@@@vvvvvv 1.69
sum of field3: 0 .:-+*%#@ most in the row, vV below 0' 'sums, also below 0'
gpuhist --csv -g1 -f2 --range=0,16 -b2 --weights=3 --svg=sums.svg sums >out
is "$(grep -c 'fill="#c0392b"><title>' sums.svg) $(grep -c 'red: below 0' \
    sums.svg)" '2 1' '... as SVG'
printf '1,a,x\n2,a,x\n3,b,y\n' >two
gpuhist --csv -g2,3 -f1 --range=0,4 --plot=only two >out
is "$(sed -n '2,3s/ *[0-9]*$//p' out | cut -c1-4)" 'a, x
b, y' 'groups of two fields'
: >empty
is "$(gpuhist --csv -g1 -f2 --range=0,4 --plot=only empty)" \
    'field1 by field2 (num): 0 counted, a scale for each group' 'no input'

# ---- keys in groups: bars beside each other ----

cat >sales <<'END'
Kyoto,book,1
Oslo,pen,-4
Kyoto,pen,7
Lima,"lamp, big",2
Oslo,book,3
Oslo,pen,1
Lima,pen
Oslo
,pen,2
END
cat >wanted <<'END'
field1 by field2: 9 counted
      book          lamp, big     pen           \N
                                  1 =====
Kyoto 1 =====                     1 =====
Lima                1 =====       1 =====
Oslo  1 =====                     2 ==========  1 =====
END
pairs()
{
    pairs_name=$1
    shift
    counts wanted "$pairs_name" gpuhist -q --csv -g1 -f2 --plot=only "$@"
}
COLUMNS=62
pairs 'keys in groups: a bar for each' sales
for options in -j1 '-j3 --tune=chunk-size=11'; do
    # shellcheck disable=SC2086 # several words
    pairs "... $options" $options sales
done
for shard in 1/2 2/2; do
    gpuhist -q --csv -g1 -f2 --shard=$shard --format=state sales >"${shard%/2}.state"
done
counts wanted '... merged' gpuhist --merge --plot=only 1.state 2.state
gpuhist -q --csv -g1 -f2 --weights=3 --plot=only sales >out
is "$(sed -n '1p; $p' out)" 'field1 by field2: 9 counted, sum of field3
Oslo   3 ====                     -3 ::::' '... sums, also below 0'
gpuhist -q --csv -g1 -f2 --plot=only --plot-scale=log sales >out
is "$(sed -n 's/^Oslo//p' out | tr -s ' ')" ' 1 ===== 2 ========== 1 =====' '... logarithmic'
LINES=5 gpuhist -q --csv -g1 -f2 --plot=only sales >out
is "$(sed '2d' out | tr -s ' ')" 'field1 by field2: 9 counted, 2 of 4 groups
Oslo 1 ===== 2 ========== 1 =====
Kyoto 1 ===== 1 =====
\other 1 ===== 2 ==========' '... the greatest groups'
gpuhist -q --csv -g1 -f2 --plot=only --flow=hide sales >out
is "$(sed -n '1p; $p' out | tr -s ' ')" 'field1 by field2: 8 counted
Oslo 1 =======- 2 ===============' '... --flow=hide'
for options in --top=9 --sort=count --min-count=2; do
    gpuhist -q --csv -g1 -f2 --plot=only $options sales >out
    grep -q '^Oslo, pen  *2' out
    ok $? "... of combinations with $options"
done
COLUMNS=59 gpuhist -q --csv -g1 -f2 --plot=only sales >out
grep -q '^Oslo, pen  *2' out
ok $? '... and where they do not fit'
gpuhist -q --csv -g1 -f2 --svg=pairs.svg sales | sed 's/\t/, /; s/\t/: /' >wanted
sed -n 's/.*<rect.*<title>\(.*\)<\/title>.*/\1/p' pairs.svg >out
same wanted out '... as SVG'
is "$(grep -c '<rect x="[0-9.]*" y="0" width="12" height="12" fill' pairs.svg) $(
    sed -n 's/.*fill="\(#[^"]*\)"><title>[^,]*, pen:.*/\1/p' pairs.svg | sort -u | wc -l)" \
    '4 1' '... a legend, and a colour for each key'
is "$(sed -n 's/.*width="\([0-9.]*\)" height="10".*: \([0-9]*\)<.*/\1 \2/p' pairs.svg |
    awk '{ print $1 / $2 }' | sort -u | wc -l)" 1 '... as long as the counts'
COLUMNS=60

# ---- however they are counted ----

awk 'BEGIN {
    for (i = 0; i < 20000; i++) {
        s = (s * 69069 + 1) % 4294967296
        printf "%s,%d.%d\n", substr("aaaabbcdefgh", int(s / 65536) % 12 + 1, 1),
            int(s / 7001) % 97 - 5, s % 10
    }
}' >many
set -- --csv -g1 -f2 --range=0,64 -b32 --plot=only
gpuhist "$@" many >wanted
is "$(wc -l <wanted) $(sed -n 1p wanted)" \
    '11 field1 by field2 (num): 20000 counted' 'many numbers'
for options in -j1 '-j3 --chunk-size=4099'; do
    # shellcheck disable=SC2086 # several words
    counts wanted "... $options" gpuhist "$@" $options many
done
head -c 70001 many | sed '$d' >first
tail -n +$(($(wc -l <first) + 1)) many >second
counts wanted '... in two files' gpuhist "$@" first second
gpuhist --csv -g1 -f2 --range=0,64 -b32 --state=first.state first >out
gpuhist --csv -g1 -f2 --range=0,64 -b32 --state=second.state second >out
counts wanted '... merged' gpuhist --merge --plot=only first.state second.state
counts wanted '... beside the lines' \
    sh -c '"$@" 2>&1 >lines' - "$GPUHIST" --csv -g1 -f2 --range=0,64 -b32 \
    --plot many
gpuhist "$@" --every=40000 many >out 2>err
is "$? $(wc -c <err) $(grep -c ^field out)" \
    "0 0 $(($(wc -c <many) / 40000 + 1))" '--every: drawn again'
tail -n "$(wc -l <wanted)" out | cmp -s - wanted
ok $? '... the last time with all'
awk 'BEGIN {
    for (i = 0; i < 300000; i++) {
        s = (s * 69069 + 1) % 4294967296
        # mawk ends %d at 2^31.
        printf "g%d,%.0f\n", i % 37, s
    }
}' >distinct
sed 90000q distinct >>distinct.more
cat distinct.more >>distinct
set -- --csv -g1 -f2 --dtype=num --sort=count --plot=only distinct
gpuhist "$@" >wanted
gpuhist "$@" -j2 --memory-limit=20Mi --explain >out 2>err
is "$(cmp out wanted) $(grep -c 'runs in temporary files' err)" ' 1' \
    'more numbers than fit into memory'
gpuhist --csv -g1 -f2 --range=0,64 -b32 --svg=a.svg --plot=only many >out
gpuhist --csv -g1 -f2 --range=0,64 -b32 --svg=b.svg -j1 --plot=only many >out
same a.svg b.svg '--svg: the same with one thread'

# ---- any numbers and names ----

if command -v python3 >python-says; then
    tell_length
    checks group_plots_oracle.py python3 -B \
        "$srcdir/tests/cli/group_plots_oracle.py" "$GPUHIST"
else
    skip 'the oracle' 'no python3'
fi

done_testing
