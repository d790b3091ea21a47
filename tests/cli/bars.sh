# SPDX-License-Identifier: MIT
# bars.sh -- pictures of keys: bars with names, as text and as SVG
# shellcheck shell=sh disable=SC2154,SC2034

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

unset NO_COLOR COLORTERM
TERM=xterm COLUMNS=40 LINES=24
export TERM COLUMNS LINES
printf '%s\n' apple pear apple fig fig fig kiwi >fruits

# ---- to the last byte ----

cat >wanted <<'END'
line: 7 counted
apple 2 ==================-
fig   3 ================================
kiwi  1 =========
pear  1 =========
END
sed -i 's/=*-*$//' wanted
gpuhist -l --plot=only fruits | sed 's/=*-*$//' >out
same out wanted 'all keys, in their order'
printf '%s\n' 'line: 7 counted' 'fig' 'apple' 'kiwi' 'pear' >wanted
names()
{
    gpuhist --plot=only "$@" | awk 'NR > 1 { print $1; next } { print }' >out
}
names -l --sort=count fruits
same out wanted '... by count'
printf '%s\n' 'line: 7 counted, 2 of 4 keys' 'fig' 'apple' '\other' >wanted
names -l --top=2 fruits
same out wanted '--top: the greatest ones, and the others'
LINES=5
names -l fruits
same out wanted '... as many as there is room for'
LINES=24
names -l --min-count=2 --sort=count fruits
same out wanted '--min-count'
printf '%s\n' 'line: 5 counted, 2 of 4 keys' 'apple' 'fig' >wanted
names -l --top=2 --no-other --sort=value fruits
same out wanted '--no-other, --sort=value'
printf '%s\n' 'field2: 7 counted' '\N' >wanted
names -d, -f2 fruits
same out wanted 'records without the field'
printf '%s\n' 'field2: 0 counted' >wanted
names -d, -f2 --flow=hide fruits
same out wanted '... hidden'
is "$(gpuhist -l --plot=only --top=100 --svg=x.svg log-of-nothing 2>&1 | wc -l)" \
    1 'no picture of a file that is not there'
seq 3000 >many
is "$(gpuhist -l --plot=only --top=2000 many | wc -l)" 1002 \
    'at most a thousand keys'
gpuhist -l --top=3 --plot many >out 2>err
is "$(wc -l <out) $(wc -l <err)" '4 5' '--plot: the lines, and bars'

# ---- numbers and combinations ----

# bars_are LINES NAME ARGUMENT...: what is drawn, but for the bars.
bars_are()
{
    bars_lines=$1
    bars_name=$2
    shift 2
    gpuhist --plot=only "$@" | sed 's/ *=*-*$//' >out
    is "$(cat out)" "$bars_lines" "$bars_name"
}

printf 'Oslo,3.5\nBonn,12\nBonn,39\nOslo,-1\nOslo,\nBonn,x\nRome\n' >temp
bars_are 'field2 (num): 7 counted
-1       1
3.5      1
12       1
39       1
\N       1
\empty   1
\invalid 1' 'numbers without bins, in their order' --csv -f2 --dtype=num temp
bars_are 'field2 (num): 7 counted, 1 of 4 values
-1       1
\N       1
\empty   1
\invalid 1
\other   3' '... the greatest ones' --csv -f2 --dtype=num --top=1 temp
COLUMNS=60
bars_are 'field1 by field2 (num): 7 counted
Bonn, [0, 20)   1
Bonn, [20, 40)  1
Bonn, \invalid  1
Oslo, [-inf, 0) 1
Oslo, [0, 20)   1
Oslo, \empty    1
Rome, \N        1' 'bins beside keys' --csv -f1,2 --joint --range=- \
    --range=0,40 -b- -b2 temp
bars_are 'field1 by field2 (num): 3 counted
Bonn, [0, 20)  1
Bonn, [20, 40) 1
Oslo, [0, 20)  1' '... --flow=hide' --csv -f1,2 --joint --range=- --range=0,40 \
    -b- -b2 --flow=hide temp
bars_are 'field2 (num) by field1: 7 counted, 2 of 7 combinations
[-20, 0), Oslo 1
[0, 20), Bonn  1
\other         5' 'bins before keys' --csv -f2,1 --joint --range=-20,40 \
    --range=- -b3 -b- --top=2 temp
COLUMNS=32
bars_are 'field1 by field2: 7 counted
Bonn, 12  1
Bonn, 39  1
Bonn, x   1
Oslo,     1
Oslo, -1  1
Oslo, 3.5 1
Rome, \N  1' 'combinations of keys' --csv -g1,2 temp
printf '%s\n' 'a long name of a place,1' 'a,2' >places
bars_are 'field1 by field2 (num): 2
a, [2, 3)       1
a lo..., [1, 2) 1' 'a long key leaves room for a bin' --csv -f1,2 --joint \
    --range=- --range=0,4 -b- -b4 places
gpuhist --csv -f1,2 --joint --range=- --range=0,40 -b- -b2 --svg=svg temp \
    >/dev/null
python3 -c 'import xml.dom.minidom; xml.dom.minidom.parse("svg")' &&
    grep -q '<title>Oslo, \[0, 20): 1</title>' svg
ok $? '--svg'
COLUMNS=40

# ---- what cannot be drawn ----

refused 2 '--top of a picture of bytes' gpuhist --plot=only --top=3 many
refused 2 '--min-count of bytes' gpuhist --plot=only --min-count=3 many
refused 2 '--sort=count of bytes' gpuhist --plot=only --sort=count many
refused 2 '--header-out' gpuhist -l --plot=only --header-out many

# ---- any key ----

python_checks "$srcdir/tests/cli/bars_oracle.py"

done_testing
