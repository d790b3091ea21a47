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
lines: 7 counted
apple 2 ==================-
fig   3 ================================
kiwi  1 =========
pear  1 =========
END
sed -i 's/=*-*$//' wanted
gpuhist -l --plot=only fruits | sed 's/=*-*$//' >out
same out wanted 'all keys, in their order'
printf '%s\n' 'lines: 7 counted' 'fig' 'apple' 'kiwi' 'pear' >wanted
names()
{
    gpuhist --plot=only "$@" | awk 'NR > 1 { print $1; next } { print }' >out
}
names -l --sort=count fruits
same out wanted '... by count'
printf '%s\n' 'lines: 7 counted, 2 of 4 keys' 'fig' 'apple' '\other' >wanted
names -l --top=2 fruits
same out wanted '--top: the greatest ones, and the others'
LINES=5
names -l fruits
same out wanted '... as many as there is room for'
LINES=24
names -l --min-count=2 --sort=count fruits
same out wanted '--min-count'
printf '%s\n' 'lines: 5 counted, 2 of 4 keys' 'apple' 'fig' >wanted
names -l --top=2 --no-other --sort=value fruits
same out wanted '--no-other, --sort=value'
printf '%s\n' 'field 2: 7 counted' '\N' >wanted
names -d, -f2 fruits
same out wanted 'records without the field'
printf '%s\n' 'field 2: 0 counted' >wanted
names -d, -f2 --flow=hide fruits
same out wanted '... hidden'
is "$(gpuhist -l --plot=only --top=100 --svg=x.svg log-of-nothing 2>&1 | wc -l)" \
    1 'no picture of a file that is not there'
seq 3000 >many
is "$(gpuhist -l --plot=only --top=2000 many | wc -l)" 1002 \
    'at most a thousand keys'
gpuhist -l --top=3 --plot many >out 2>err
is "$(wc -l <out) $(wc -l <err)" '4 5' '--plot: the lines, and bars'

# ---- what cannot be drawn ----

refused 2 '--top of a picture of bytes' gpuhist --plot=only --top=3 many
refused 2 '--min-count of bytes' gpuhist --plot=only --min-count=3 many
refused 2 '--sort=count of bytes' gpuhist --plot=only --sort=count many
refused 2 '--header-out' gpuhist -l --plot=only --header-out many

# ---- any key ----

python_checks "$srcdir/tests/cli/bars_oracle.py"

done_testing
