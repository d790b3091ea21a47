# SPDX-License-Identifier: MIT
# svg.sh -- pictures as SVG, read back by Python's XML parser
# shellcheck shell=sh disable=SC2154,SC2094

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

command -v python3 >python-says || skip_all 'no python3'

# read_svg WHAT FILE...
read_svg()
{
    python3 -B "$srcdir/tests/cli/svg_oracle.py" "$@"
}

# heights SCALE: beside the figures of bars, whether the heights are theirs.
heights()
{
    awk -F '\t' -v scale="$1" '
        { count[NR] = $2; sub(/.*: /, "", count[NR]); height[NR] = $3
          if (count[NR] + 0 > most) most = count[NR] + 0 }
        END {
            for (i = 1; i <= NR; i++) {
                wanted = 260 * count[i] / most
                if (scale == "log")
                    wanted = 260 * log(count[i] / 0.5) / log(most / 0.5)
                if (wanted < 1) wanted = 1
                if (height[i] < wanted - 0.01 || height[i] > wanted + 0.01)
                    wrong++
            }
            print NR, wrong + 0
        }' bars
}

awk 'BEGIN { for (v = 0; v < 256; v++) for (i = 0; i <= v * v / 9; i++)
    printf "\\0%03o", v }' >octal
printf %b "$(cat octal)" >all
gpuhist all >table

# ---- bars ----

counts table '--svg: the lines as ever' gpuhist --svg=all.svg all
read_svg bars all.svg >bars
is "$? $(cut -f 2 bars | sed 's/ .*: /: /; s/: /:/' | tr ':' '\t' |
    cmp - table)" '0 ' '... and a bar for each, with its count'
is "$(heights linear)" '256 0' '... which is its height'
sed 's/: \(.\)\(.*\)	/: \12\2	/' bars >wrong
is "$(cp bars right && cp wrong bars && heights linear | grep -c ' 0$'
    cp right bars)" 0 '... and a wrong one is noticed'
is "$(sed -n '98s/^1	\(.*\): .*/\1/p' bars)" '97 a' '... and its character'
read_svg titles all.svg >titles
is "$(cat titles)" "all
value (u1): $(wc -c <all | tr -d ' ') counted" 'titles'
read_svg texts all.svg | sed 1,2d | tr '\n' ' ' >texts
is "$(cat texts)" "0 1000 2000 3000 4000 5000 6000 7000 count 0 20 40 60 80 \
100 120 140 160 180 200 220 240 value (u1) " 'ticks and names of axes'
gpuhist --svg=log.svg --plot-scale=log all >out
read_svg bars log.svg >bars
is "$(heights log)" '256 0' 'logarithmic'
refused 2 '--svg=-: standard output is for the counts' gpuhist --svg=- all
gpuhist --svg=./- all >out 2>err
is "$? $(wc -l <out) $(wc -c <err) $(read_svg titles ./- | wc -l)" \
    '0 256 0 2' '--svg=./-: a file like any other'
gpuhist --nonzero --svg=a.svg --plot=only all -o plot >out 2>err
is "$? $(wc -c <out) $(wc -c <err) $(wc -l <plot) $(cmp a.svg all.svg)" \
    '0 0 0 17 ' 'beside --plot and --output'

gpuhist --svg=b.svg -b 4 --range=64,128 all >lines
read_svg bars b.svg >bars
is "$(cut -f 2,5 bars)" "$(awk -F '\t' '{
    colour = NR == 1 || NR == 6 ? "\t#d98b2b" : ""
    print "[" $1 ", " $2 ($2 == "inf" ? "]" : ")") ": " $3 colour }' lines)" \
    'flow cells have bars of another colour'
read_svg texts b.svg | grep -c -x -e below -e above >out
is "$(cat out) $(heights linear)" '2 6 0' '... and words'

# Thousands of bins, joined to the pixels that there are.
awk 'BEGIN { for (i = 0; i < 5000; i++) printf "\\0%03o\\0%03o",
    i * 7 % 256, i * 13 % 64 }' >octal
printf %b "$(cat octal)" >words
gpuhist --dtype='<u2' --svg=w.svg words >lines
read_svg bars w.svg >bars
is "$(wc -l <lines) $(wc -l <bars)" "65536 $(awk '$2 != 0 {
    n[int($1 / 32)] = 1 } END { for (b in n) k++; print k }' lines)" \
    '65536 bins: the empty end is left out, 32 are joined'
is "$(sed 's/.*: //' bars | cut -f 1 | awk '{ n += $1 } END { print n }')" \
    5000 '... and added up'
gpuhist --nonzero --dtype='<u2' --shift=1 -b 4194304 --range=0,4194304 \
    --svg=x.svg words >lines
is "$? $(read_svg bars x.svg | sed 's/.*: //' | cut -f 1 |
    awk '{ n += $1 } END { print n }')" '0 5000' '2^22 bins'

# ---- several, weights ----

gpuhist --record=u1,u1 --svg=two.svg --range=0,256 -b 4 words >lines
read_svg bars two.svg >bars
is "$(awk -F '\t' '$4 != 0 { print $1 "\t[" $2 ", " $3 "): " $4 }' lines)" \
    "$(cut -f 1,2 bars)" 'two fields: two pictures'
is "$(read_svg titles two.svg | sed 1d)" 'field1 (u1): 5000 counted
field2 (u1): 5000 counted' '... with titles'
gpuhist -q --partial=drop --record=u1,i1 -f 1 --shift=6 --weights=2 \
    --svg=sum.svg all >lines
read_svg bars sum.svg >bars
is "$? $(cut -f 1,2,5 bars | sed 's/^1	//; s/: /	/')" "0 $(awk '$2 != 0 {
    print $0 ($2 < 0 ? "\t#c0392b" : "") }' lines)" 'sums, also below 0'
awk -F '\t' '{ sum = $2; sub(/.*: /, "", sum); sum += 0
        least = sum < least ? sum : least
        most = sum > most ? sum : most; sums[NR] = sum; tall[NR] = $3 }
    END { for (i = 1; i <= NR; i++) {
        wanted = sums[i] / (most - least) * 260
        if ((wanted < 0 ? -wanted : wanted) - tall[i] > 0.01) wrong++ }
        print (least < 0) (most > 0) wrong + 0 }' bars >found
is "$(cat found)" 110 '... from 0 upwards and downwards, to one scale'
read_svg texts sum.svg | grep -c '^-[0-9]' >found
ok $? '... with numbers below 0 on the axis'

# ---- times ----

awk 'BEGIN { for (m = 0; m < 100; m++) for (i = 0; i <= m % 7; i++)
    if (m < 20 || m > 40) printf "2026-03-05T%02d:%02d\n", 9 + int(m / 60), m % 60 }' >minutes
gpuhist -l --svg=minutes.svg minutes >lines
read_svg bars minutes.svg >bars
is "$(cut -f 2 bars | sed 's/: /\t/' | cmp - lines) $(heights linear)" ' 79 0' \
    'times: a bar beside the other for each'
is "$(sed -n 's/<rect x="\([^"]*\)".*<title>2026.*/\1/p' minutes.svg |
    awk 'NR > 1 { print int(($1 - last) / 6.9) } { last = $1 }' | sort | uniq -c | tr -s ' \n' ' ')" \
    ' 77 1 1 22 ' '... with the gap'
read_svg texts minutes.svg | grep -c '^2026-03-05T[01][0-9]:[024]0$' >out
is "$(cat out)" 5 '... and round times below'
awk 'BEGIN { for (m = 0; m < 700; m++)
    if (m < 20 || m > 682) printf "2026-03-05T%02d:%02d\n", 9 + int(m / 60), m % 60 }' >apart
gpuhist -l --svg=apart.svg apart >lines
read_svg texts apart.svg | grep -e '^2026' -e '^(' >out
is "$(grep -c -x -F '(663 minutes)' out) $(grep -c -x 2026-03-05T20:23 out)" '1 1' \
    '... a long gap has its length, and a time after it'
awk 'BEGIN { for (m = 0; m < 600; m++)
    printf "2026-03-05T%02d:%02d\n", 9 + int(m / 60), m % 60 }' >minutes
gpuhist -l --svg=minutes.svg minutes >lines
is "$(read_svg titles minutes.svg | sed -n 2p) $(read_svg bars minutes.svg |
    grep -c ' *2026.*: 5	')" 'line: 600 counted, 5 joined 120' '... more share bars'

# ---- heat maps ----

gpuhist --record=u1,u1 --joint --range=0,256 -b 64 --nonzero \
    --svg=map.svg words >lines
read_svg cells8 map.svg | sort >cells
awk -F '\t' '{ n[NR] = $5; at[NR] = $1 / 4 " " $3 / 4
        if ($5 > most) most = $5 }
    END { for (i = 1; i <= NR; i++) {
        shade = int(n[i] / most * 32) + 1
        print at[i], (shade > 32 ? 32 : shade) } }' lines | sort >wanted
same cells wanted 'a heat map: the shade of each cell'
is "$(read_svg titles map.svg | sed 1d)" \
    'field1 (u1) by field2 (u1): 5000 counted' '... and its title'
printf '\0\0\0\0\377\077\377\077' >>words
gpuhist --record='<u2,<u2' --joint --nonzero -b 1024 --range=0,16384 \
    --svg=map2.svg words >lines
is "$? $(read_svg titles map2.svg | sed 1d)" "0 field1 (u2) by field2 \
(u2): 2502 counted, 4 x 4 joined" '... with cells joined'
read_svg cells2 map2.svg | sed 's/ [0-9]*$//' | sort -u >cells
awk '{ print int($1 / 64), int($3 / 64) }' lines | sort -u >wanted
same cells wanted '... to those that there are'

# ---- channels ----

{
    printf 'P6\n4 2\n255\n'
    printf '\1\2\3\0\2\4\1\7\4\5\2\4\2\2\3\1\2\4\1\7\4\377\3\4'
} >image
gpuhist --image --svg=rgb.svg image >lines
read_svg curves rgb.svg >curves
awk -F '\t' '
    { count[$1, $2] = $3; if ($3 > most) most = $3 }
    END {
        split("red green blue", name, " ")
        for (f = 1; f <= 3; f++) {
            printf "%s", name[f]
            for (v = 0; v < 256; v++)
                printf " %.1f", 260 * count[f, v] / most
            print ""
        }
    }' lines >wanted
awk '{ printf "%s", $1
    for (i = 2; i <= NF; i++) printf " %.1f", $i
    print "" }' curves >got
same got wanted 'three channels: three curves, one scale'
is "$(read_svg titles rgb.svg)" 'image
red, green and blue: 8 counted' '... one picture'
gpuhist --image --fields=1,3 --svg=rb.svg image >lines
is "$(read_svg titles rb.svg | sed 1d)" 'red: 8 counted
blue: 8 counted' 'two channels: two pictures'
gpuhist --image --range=2,6 --svg=cut.svg image >lines
is "$(read_svg titles cut.svg | wc -l)" 4 'values in no bin: three pictures'
printf 'P5 2 1 7 \1\7' >grey
gpuhist --image --lut --equalize=e.pgm --svg=grey.svg grey >lines
is "$? $(read_svg titles grey.svg | sed 1d) $(read_svg bars grey.svg |
    cut -f 2 | tr '\n' ' ')" '0 grey: 2 counted 1: 1 7: 1 ' 'a grey one, with --lut'

# ---- shapes ----

: >empty
number=0
for options in '' '--joint --record=u1,u1' '--dtype=f8 --range=auto' \
    '--dtype=f4 --log' '--dtype=f8 --log=10' '--flow=show --range=3,5' \
    '-b 1' '--nonzero --dtype=u4 -b 4194304 --range=0,1' \
    '--record=u1,f8 --weights=2'; do
    for scale in linear log; do
        number=$((number + 1))
        # shellcheck disable=SC2086 # several words
        gpuhist $options --plot-scale=$scale --svg=empty$number.svg \
            empty >out 2>err
        is "$? $(wc -c <err)" '0 0' "no input, $scale $options"
    done
done
is "$(read_svg titles empty?*.svg | grep -c ': 0 counted')" $number \
    '... and all are pictures'

# ---- the one in the README ----

"$GPUHIST_BENCH/gpuhist-gen" --dtype=f4 --count=1M exponential >latency.f4
gpuhist --dtype='<f4' --log=10 --subdiv=4 --svg=latency.svg latency.f4 >out
same latency.svg "$srcdir/doc/latency.svg" 'doc/latency.svg is what is drawn'

# ---- names ----

# name FILE TITLE NAME
name()
{
    cp empty "$1"
    gpuhist --svg=name.svg "./$1" >out
    is "$? $(read_svg titles name.svg | sed -n 1p)" "0 ./$2" "$3"
}
name "a & b <i>'\"]]>--&amp;" "a & b <i>'\"]]>--&amp;" 'XML in a name'
name "$(printf 'a\tb\nc\033[31md\177e')" 'a?b?c?[31md?e' 'control characters'
name "$(printf 'caf\303\251 \342\202\254 \360\235\204\236')" \
    "$(printf 'caf\303\251 \342\202\254 \360\235\204\236')" 'UTF-8'
name "$(printf 'a\377b\303(\355\240\200\357\277\277\300\257\342\202')" \
    'a?b?(??????????' 'what is no UTF-8, and what XML may not have'
long=$(printf '%0100d' 7)
cp empty "$long"
gpuhist --svg=name.svg "$long" >out
is "$(read_svg titles name.svg | sed -n 1p)" "…$(printf '%080d' 7)" \
    'the end of a long name'
gpuhist --svg=name.svg <empty >out
is "$(read_svg titles name.svg | sed -n 1p)" 'standard input' 'standard input'
gpuhist --svg=name.svg all empty - <empty >out
is "$(read_svg titles name.svg | sed -n 1p)" 'all and 2 more' 'several inputs'

# ---- what fails, and leaves everything as it was ----

mkdir directory
echo old >old.svg
gpuhist --svg=old.svg missing >out 2>err
is "$? $(wc -c <out) $(cat old.svg)" '1 0 old' 'a missing file: no picture'
gpuhist --svg=old.svg all >/dev/full 2>err
is "$? $(wc -l <err) $(cat old.svg)" '1 1 old' \
    'lines that are not accepted: no picture'
refused 1 'a picture that is not accepted' gpuhist --svg=/dev/full all
grep -q '^gpuhist: /dev/full: cannot write: ' err
ok $? '... named'
for path in none/a.svg directory '' all/a.svg; do
    refused 1 "--svg=$path" gpuhist "--svg=$path" missing
    is "$(grep -c "^gpuhist: ${path:-''}: cannot write: " err)" 1 \
        '... before anything is read'
done
refused 2 'three fields jointly' \
    gpuhist --svg=old.svg --record=u1,u1,u1 --joint -b 4 missing
is "$(cat err)" "gpuhist: --svg: at most 2 joint fields can be drawn, \
not 3" '... named'
refused 2 'the file of --output' gpuhist --svg=a.svg -o a.svg all
refused 2 'the file of --equalize' \
    gpuhist --svg=e.pgm --image --equalize=e.pgm grey
is "$(cat old.svg) $(find . -name '.gpuhist*')" 'old ' \
    'nothing is left behind'

done_testing
