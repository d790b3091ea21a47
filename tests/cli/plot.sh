# SPDX-License-Identifier: MIT
# plot.sh -- bars and heat maps as text
# shellcheck shell=sh disable=SC2154,SC2034

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

unset NO_COLOR COLORTERM
TERM=xterm COLUMNS=60 LINES=24
export TERM COLUMNS LINES
printf 'aaaaaaaab\n\377cc' >few
: >empty
gpuhist few >table

# ---- bars, to the last byte ----

cat >wanted <<'END'
value (u1): 13 counted, 16 joined
   0..15       1 ====
  16..31       0
  32..47 !../  0
  48..63 0..?  0
  64..79 @..O  0
  80..95 P.._  0
 96..111 `..o 11 ==========================================
112..127 p..~  0
128..143       0
144..159       0
160..175       0
176..191       0
192..207       0
208..223       0
224..239       0
240..255       1 ====
END
sed 's/11 =/11 -/' wanted >wrong
gpuhist --plot=only few >out
cmp -s out wrong && echo "Bail out! a wrong bar is not seen" && exit 99
counts wanted '--plot=only: bytes' gpuhist --plot=only few
gpuhist --plot few >out 2>err
is "$? $(cmp out table) $(cmp err wanted)" '0  ' \
    '--plot: the lines as ever, bars on standard error'
gpuhist --plot few --output=file >out 2>err
is "$? $(cmp file table) $(cmp err wanted) $(wc -c <out)" '0   0' \
    '... the lines in a file'
gpuhist --plot=only few --output=file >out 2>err
is "$? $(cmp file wanted) $(wc -c <err) $(wc -c <out)" '0  0 0' \
    '--plot=only: bars in a file'
counts wanted 'linear is the default' \
    gpuhist --plot=only --plot-scale=linear few
counts wanted 'the last --plot wins' gpuhist --plot --plot=only few
for threads in 1 3; do
    counts wanted "$threads threads, small chunks" \
        gpuhist -j $threads --chunk-size=3 --plot=only few
done

grep -v ' 0$' wanted >wanted-nonzero
counts wanted-nonzero '--nonzero' gpuhist --plot=only --nonzero few

cat >wanted <<'END'
value (u1): 13 counted
[-inf, 97)   1 =====-
        97 a 8 ============================================
        98 b 1 =====-
 [99, inf]   3 ================-
END
counts wanted 'one by one, and what is in no bin' \
    gpuhist --plot=only --range=97,99 few
gpuhist --plot=only --range=97,99 --flow=hide few >out 2>err
is "$(sed 1d out | tr -d '= -' | tr '\n' ' ') $(cat err)" \
    "97a8 98b1  gpuhist: warning: 4 values are in no bin and not shown" \
    '--flow=hide, with a warning'
gpuhist --plot=only --range=97,99 --flow=clamp few >out
is "$(tr -d '= -' <out | tr '\n' ' ')" 'value(u1):13counted 97a9 98b4 ' \
    '--flow=clamp'

# What is asked of the bars beside statistics, and of the lines beside bars.
gpuhist --stats=only few >figures
gpuhist --stats=only --plot --nonzero few 2>err >out
same figures out '--stats=only --plot --nonzero: the statistics'
same wanted-nonzero err '... and the bars'
gpuhist --stats=only --range=97,99 --flow=hide --svg=hidden.svg few >out 2>err
is "$? $(cat err) $(grep -c '<title>9[78]' hidden.svg) $(grep -c inf hidden.svg)" \
    '0 gpuhist: warning: 4 values are in no bin and not shown 2 0' \
    '--stats=only --flow=hide, and a picture'
printf 'P5 2 1 255\n\007\011' >grey
gpuhist --image --lut --nonzero --plot grey >out 2>err
is "$(tr '\t\n' '  ' <out)$(sed 1d err | tr -d ' =' | tr '\n' ' ')" \
    '7 1 0 9 1 255 71 91 ' '--lut in the lines, beside bars'

cat >wanted <<'END'
value (u1): 13 counted, logarithmic
   [0, 64)  1 ==========
 [64, 128) 11 =============================================
[128, 192)  0
[192, 256)  1 ==========
END
counts wanted 'logarithmic' gpuhist --plot=only -b 4 --plot-scale=log few

awk 'BEGIN { for (i = 0; i < 5000; i++) printf "a"; printf "b" }' >rare
cat >wanted <<'END'
value (u1): 5001 counted
97 a 5000 =================================================
98 b    1 -
END
counts wanted 'what occurs can be seen' \
    gpuhist --plot=only --range=97,99 rare
printf '\0\377\0\376\1\5\2\201' >pairs
cat >wanted <<'END'
value (u1): 4 counted, sum of field2
0  -3 ::::::::::::::::::::::::::::::::
1   5 =====================================================
2 nan
END
# -1, -2, 5 and NaN
printf '\0\0\0\200\277\0\0\0\0\300\1\0\0\240\100\2\0\0\300\177' >sums
gpuhist --plot=only --record='u1,<f4' -f 1 --range=0,3 --weights=2 sums >out
same out wanted 'sums, also below 0 and none'

cat >wanted <<'END'
field1 (u1): 4 counted
[0, 1) 2 ==================================================
[1, 2) 1 =========================
[2, 3) 1 =========================
field2 (u1): 4 counted
    [0, 1) 0
    [1, 2) 0
    [2, 3) 0
[3, inf] 4 ================================================
END
gpuhist --plot=only --record=u1,u1 -b 3 --range=0,3 pairs >out
sed 's/^ *//' wanted >wanted-left
sed 's/^ *//' out | cmp -s - wanted-left
ok $? 'two fields: one below the other'

# ---- UTF-8 ----

if locale -a 2>locale-says | grep -q -i '^C.utf-\{0,1\}8$'; then
    gpuhist_locale=C.UTF-8
    cat >wanted <<'END'
value (u1): 13 counted
[-inf, 97)   1 █████▌
        97 a 8 ████████████████████████████████████████████
        98 b 1 █████▌
 [99, inf]   3 ████████████████▌
END
    counts wanted 'eighths of blocks' gpuhist --plot=only --range=97,99 few
    cat >wanted <<'END'
field1 (u1) by field2 (u1): 4 counted
[2, inf]                          ▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓
  [1, 2)                          ▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓
  [0, 1) █████████████████████████                         
         0           0.5          1           1.5
         count: 0 ░▒▓█ 2
END
    printf '\0\0\0\0\1\1\1\2' >cells
    gpuhist --plot=only --record=u1,u1 --joint -b 2 --range=0,2 cells >out
    same out wanted 'shades'
    sed -n '/^value (u1): /,/^\$ /p' "$srcdir/README.md" | grep -v '^\$' >wanted
    COLUMNS=80 LINES=24
    counts wanted 'the picture in the README' \
        gpuhist --plot=only "$srcdir/COPYING"
    COLUMNS=60 LINES=24
    gpuhist_locale=C
else
    skip 'eighths of blocks' 'no C.UTF-8'
    skip 'shades' 'no C.UTF-8'
    skip 'the picture in the README' 'no C.UTF-8'
fi

# ---- heat maps ----

printf '\0\0\0\0\1\1\1\2\3\1\3\1' >cells
cat >wanted <<'END'
field1 (u1) by field2 (u1): 6 counted
[2, inf]                      **********************       
  [1, 2)                      ********************** @@@@@@
  [0, 1) @@@@@@@@@@@@@@@@@@@@@                             
         0         0.5        1          1.5         a     
         count: 0 .:-+*%#@ 2, a: above
END
counts wanted 'heat map' \
    gpuhist --plot=only --record=u1,u1 --joint -b 2 --range=0,2 cells
cat >wanted <<'END'
field1 (num) by field2 (num): 5 counted, sum of field3
[1, 2)                           VVVVVVVVVVVVVVVVVVVVVVVVVV
[0, 1) @@@@@@@@@@@@@@@@@@@@@@@@@@..........................
       0            0.5          1            1.5
       sum of field3: -12 VVVVvvvv 0 .:-+*%#@ 12
END
printf '0,0,9\n0,0,3\n1,1,-7\n1,0,1\n1,1,0\n' >signs
counts wanted '... of sums below 0' gpuhist --plot=only --csv -f1,2 --joint \
    --dtype=num -b2 --range=0,2 --weights=3 signs
# Each pair comes once, so all joined cells are alike.
awk 'BEGIN { for (i = 0; i < 16; i++) for (j = 0; j < 16; j++)
    printf "\\0%03o\\0%03o", i, j }' >octal
printf %b "$(cat octal)" >all
cat >wanted <<'END'
field1 (u1) by
[12, 16) @@@@@@@@@@
 [8, 12) @@@@@@@@@@
  [4, 8) @@@@@@@@@@
  [0, 4) @@@@@@@@@@
         0       16
count: 0 .:-+*%#@ 8
END
LINES=8 COLUMNS=20 gpuhist --plot=only --record=u1,u1 --joint -b 16 \
    --range=0,16 all >out
same out wanted 'cells of a heat map are joined, and their counts added'
LINES=8 COLUMNS=80 gpuhist --plot=only --record=u1,u1 --joint -b 16 \
    --range=0,16 all >out
is "$(sed 1d out)" "$(
    for label in '[12, 16)' ' [8, 12)' '  [4, 8)' '  [0, 4)'; do
        printf '%s %070d\n' "$label" 0 | sed 'y/,/;/
            s/0\{50,\}/@&@/; h; s/^[^@]*@//; s/@$//; s/0/@/g
            x; s/@.*//; G; s/\n//; y/;/,/'
    done
    printf '%9s0                    5                     10                    15\n' ''
    printf '%9scount: 0 .:-+*%%#@ 4' '')" '... and fill the width'

# The axes have two numbers each, which are whole: each is an edge, or what
# rounding to fewer digits makes of it.
awk 'BEGIN { srand(7); for (i = 0; i < 400; i++)
    printf "%d,%.3f\n", 118000 + 15000 * rand(), 123456 + 9 * rand() }' >wide
for columns in 20 24 30 37 40 60 79 100 132 200; do
    for bins in 4 7 40 "4 --log=10"; do
        has_turn 3 || continue
        case $bins in
            *log*) axes='--log=10 --log=10 --range=1,1e9' ;;
            *) axes="-b $bins -b $bins --range=118000,133000
                --range=123456,123466" ;;
        esac
        # shellcheck disable=SC2086 # several words
        COLUMNS=$columns LINES=14 gpuhist --plot=only --csv -f1,2 --joint \
            --dtype=num $axes wide >out
        is "$? $(awk -v columns="$columns" '
            NR == 1 { next }
            /count: 0/ { next }
            NR == 2 { match($0, /^ *([[(][^])]*[])]|[^ ]+) /); label = RLENGTH }
            { line[++n] = $0 }
            # A label: an edge, or two in brackets.
            function is_bad(text) {
                return text !~ /^ *[[(]?-?[0-9.]+(e[+-]?[0-9]+)?(, -?[0-9.]+(e[+-]?[0-9]+)?[])])?$/ &&
                    text !~ /^ *(below|above|zero|negative)$/ &&
                    text !~ /^ *\[-inf, .*\)$/ && text !~ /^ *[[(].*, inf\]$/
            }
            END {
                ticks = line[n]
                for (i = 1; i < n; i++) {
                    text = substr(line[i], 1, label - 1)
                    if (is_bad(text))
                        print "label", text
                    if (length(line[i]) != columns - 1)
                        print "width", length(line[i])
                }
                if (split(ticks, words) < 2)
                    print "ticks", ticks
                if (n < 2)
                    print "rows", n
            }' out)" '0 ' "a map of $bins in $columns columns" ||
            sed 's/^/# /' out
    done
done

for columns in 10 14 17 20 25 30; do
    COLUMNS=$columns gpuhist --plot=only --csv -f1 --dtype=num -b5 \
        --range=118000,133000 --flow=show wide >out
    is "$(sed 1d out | grep -v -E -e '^ *[[(].*[])]( |$)' \
        -e '^ *-?[0-9.]+(e\+[0-9]+)?( |$)' -e '^ *(below|above|nan|missing|empty|invalid)( |$)')" '' \
        "bars in $columns columns: whole numbers" || sed 's/^/# /' out
done

# ---- keys that are times ----

if command -v python3 >python-says; then
    tell_length
    checks times.py python3 -B "$srcdir/tests/cli/times.py" "$GPUHIST"
    awk 'BEGIN { for (i = 0; i < 60; i++) for (j = 0; j <= i * 7 % 13; j++)
        printf "2026-03-05T10:%02d,%d\n", i, j }' >minutes
    LINES=12 gpuhist --plot=only --csv -g1 -f2 --dtype=int minutes |
        grep '^2026' | cut -d' ' -f1 >out
    [ "$(wc -l <out)" -gt 4 ] && sort -c out
    ok $? 'rows of groups that are times: in their order'
else
    skip 'keys that are times' 'no python3'
fi

# Between times that "floor" makes there are no others, in a state either.
for time in 08:00:05 08:01:05 08:04:59 08:10:05; do
    printf '1.2.3.4 - - [22/Nov/2026:%s +0100] "GET / HTTP/1.1" 200 5\n' "$time"
done >floor.log
printf '2026-11-22T08:%s\n' '00 3' '05 0' '10 1' >wanted
gpuhist --clf -f time:floor=5min --plot=only --state=floor floor.log >out
sed 1d out | cut -d' ' -f1,2 >rows
same rows wanted 'rows of five minutes'
counts out '... of a state' gpuhist --merge --plot=only floor
gpuhist --clf -f time:minute --plot=only floor.log | sed 1d | cut -d' ' -f1,2 >out
is "$(wc -l <out)" 11 '... of each minute'
sed 's/08:10/20:10/' floor.log | gpuhist --clf -f time:floor=2h --plot=only | sed 1d |
    cut -d' ' -f1,2 >out
printf '2026-11-22T%s\n' '08 3' '10 0' '12 0' '14 0' '16 0' '18 0' '20 1' >wanted
same out wanted '... of two hours'
sed 's/08:10/20:10/' floor.log | LINES=10 gpuhist --clf -f time:floor=5min --plot=only >out
grep -q '^(725 minutes)  *0$' out
ok $? '... a long gap' || cat out

# Pairs of numbers without bins are drawn as those with bins for all of them.
awk 'BEGIN { srand(4); print "0,0"; print "63.9,63.9"; print "3,"; print "x,9"
             for (i = 0; i < 3000; i++)
                 printf "%.1f,%.1f\n", rand() * 63, rand() * rand() * 63 }' >pairs
gpuhist --csv -f1,2 --joint --plot=only --dtype=num --range=0,63.9375 -b1023 \
    pairs >wanted
counts wanted 'a heat map of numbers without bins' \
    gpuhist --csv -f1,2 --joint --plot=only --dtype=num pairs
awk -v OFS=, \
    'BEGIN { for (i = 0; i < 4000; i++) print 90000 - i, i - 9000000 }' >pairs
gpuhist --csv -f1,2 --joint --plot=only --dtype=int \
    --range=86000,90004 --range=-9000000,-8996000 -b1001 -b1000 pairs >wanted
counts wanted '... many integers' \
    gpuhist --csv -f1,2 --joint --plot=only --dtype=int pairs
counts wanted '... beside one with bins' gpuhist --csv -f1,2 --joint \
    --plot=only --dtype=int --range=- --range=-9000000,-8996000 -b- -b1000 pairs
printf '@r\nACGT\n+\nIII5\n@s\nAC\n+\n5I\n' >reads
gpuhist --seq --joint -f position,quality --range=1,5 --range=20,41 \
    --plot=only --svg=wanted.svg reads >wanted
counts wanted '... of sequences' gpuhist --seq --joint -f position,quality \
    --plot=only --svg=svg reads
same svg wanted.svg '... --svg'
gpuhist --seq --joint -f position,quality --plot=only --top=1 reads >out
is "$(awk 'NR == 2 { print $1, $2, $3 }' out)" '2, 40 2' \
    '... bars if --top chooses'

# ---- what it fits into ----

# joined LINES: bars for at most LINES lines; the greatest number of lines, and
# whether all counts add up.
for lines in 3 4 7 24 100 257 258 9999; do
    LINES=$lines gpuhist --plot=only few "$srcdir/README.md" >out
    [ "$(wc -l <out)" -lt "$lines" ] && tr -d '=-' <out | awk -v size="$(
        cat few "$srcdir/README.md" | wc -c)" '
        NR == 1 { title = $3; next }
        { sum += $NF }
        END { exit !(sum == size && title == size) }'
    ok $? "$lines lines: $(wc -l <out) used, and the counts add up"
done
LINES=258 gpuhist --plot=only few | sed 1d | tr -d '=-' |
    awk '{ print $1 "\t" $NF }' >out
same out table '258 lines: a bar for each byte, as in the table'
for columns in 1 2 9 20 79 1000; do
    COLUMNS=$columns gpuhist --plot=only few >out
    is "$? $(awk -v columns="$columns" 'length > columns - (columns > 1)' \
        out)" '0 ' "$columns columns"
    COLUMNS=$columns gpuhist --plot=only --record=u1,u1 --joint all >out
    is "$? $(grep -v -e counted -e count: out | awk -v columns="$columns" \
        'columns >= 20 && length > columns - 1')" '0 ' '... of a heat map'
done
while read -r columns title; do
    is "$(COLUMNS=$columns LINES=4 gpuhist --plot=only few | head -n 1)" \
        "$title" "$columns columns: whole numbers in the title"
done <<'END'
35 value (u1): 13 counted, 128 joined
34 value (u1): 13 counted
23 value (u1): 13 counted
22 value (u1): 13
9 value
END
for wrong in 0 -1 x '' 99999999999999999999; do
    COLUMNS=$wrong LINES=$wrong gpuhist --plot=only few >out
    is "$(wc -l <out) $(awk '{ if (length > most) most = length }
        END { print most }' out)" '17 79' "COLUMNS=LINES='$wrong': 80x24"
done

# ---- shapes ----

cat >wanted <<'END'
value (u1): 0 counted
[0, 128) 0
[128, 256) 0
END
gpuhist --plot=only -b 2 empty | sed 's/^ *//' >out
same out wanted 'no input: no bars'
printf 'value (u1): 13 counted\n[0, 256) 13 %s\n' \
    '===============================================' >wanted
counts wanted 'one bin' gpuhist --plot=only -b 1 few
for scale in linear log; do
    for options in '' '--joint --record=u1,u1' '--dtype=f8 --range=auto' \
        '--dtype=f4 --log' '--dtype=f8 --log=10' '--record=u1,f4 --weights=2' \
        '--nonzero' '--flow=show --range=3,5'; do
        # shellcheck disable=SC2086 # several words
        gpuhist --plot=only --plot-scale=$scale $options empty >out 2>err
        is "$? $(wc -c <err) $(grep -c '^[^=]*0 counted' out) $(
            grep -c '[=@]$' out)" '0 0 1 0' "no input, $scale $options" ||
            sed 's/^/# /' out
    done
done

dd if=/dev/zero bs=4096 count=4 2>dd-says | tr '\0' '\1' >ones
cat >wanted <<'END'
value (u4): 4096 counted
16843009 4096 =============================================
END
counts wanted '2^25 values, one of them there' \
    gpuhist --dtype=u4 --range=0,33554432 --plot=only ones
awk 'BEGIN { for (i = 0; i < 4096; i++) printf "\\0000\\0%03o\\0%03o\\0000",
    int(i * 4) % 256, int(i / 64) }' >octal
printf %b "$(cat octal)" >spread
gpuhist --dtype='<u4' -b 4194304 --range=0,4194304 --plot=only spread >out
is "$(sed -n '2s/  *=*$//p' out) $(wc -l <out) $(tr -d '=-' <out |
    sed 1d | awk '{ n += $NF } END { print n }')" \
    "$(sed -n '2s/  *=*$//p' out) 17 4096" '2^22 bins are joined'
is "$(head -n 1 out)" 'value (u4): 4096 counted, 262144 joined' '... so many'

# ---- terminals ----

cat >run_on_pty.py <<'END'
"""run_on_pty.py ROWS COLUMNS STREAM COMMAND...: run it with STREAM, 1 or 2,
on a terminal of that size; print what arrives there."""
import fcntl, os, pty, struct, subprocess, sys, termios
rows, columns, stream = map(int, sys.argv[1:4])
ours, theirs = pty.openpty()
fcntl.ioctl(theirs, termios.TIOCSWINSZ,
            struct.pack("HHHH", rows, columns, 0, 0))
outputs = {1: subprocess.DEVNULL, 2: subprocess.DEVNULL, stream: theirs}
process = subprocess.Popen(sys.argv[4:], stdout=outputs[1], stderr=outputs[2])
os.close(theirs)
while True:
    try:
        data = os.read(ours, 65536)
    except OSError:  # the other side is closed
        break
    if not data:
        break
    sys.stdout.buffer.write(data.replace(b"\r\n", b"\n"))
sys.stdout.flush()
sys.exit(process.wait())
END
# on_terminal ROWS COLUMNS STREAM ARGUMENT...
on_terminal()
{
    terminal_rows=$1
    terminal_columns=$2
    terminal_stream=$3
    shift 3
    timeout "$gpuhist_seconds" python3 -B run_on_pty.py "$terminal_rows" \
        "$terminal_columns" "$terminal_stream" "$GPUHIST" "$@"
}
test_terminals()
{
    for size in '24 80' '10 40' '300 200'; do
        # shellcheck disable=SC2086 # two numbers
        set -- $size
        LINES=$1 COLUMNS=$2 gpuhist --plot=only few >wanted
        NO_COLOR=1 on_terminal "$1" "$2" 2 --plot few >out
        is "$? $(cmp out wanted)" '0 ' \
            "a terminal of $1 lines and $2 columns, rather than COLUMNS"
        NO_COLOR=1 on_terminal "$1" "$2" 1 --plot=only few >out
        is "$? $(cmp out wanted)" '0 ' '... standard output'
    done
    gpuhist --plot=only few >wanted
    NO_COLOR=1 on_terminal 0 0 1 --plot=only few >out
    is "$? $(cmp out wanted)" '0 ' 'a terminal without a size: COLUMNS'

    escape=$(printf '\033')
    on_terminal 24 60 1 --plot=only few >out
    is "$? $(grep -c "$escape\\[36m=*$escape\\[m\$" out)" '0 3' 'colours'
    sed "s/$escape\\[[0-9;]*m//g" out >plain
    same plain wanted '... and nothing else'
    on_terminal 24 60 1 --plot=only --range=97,99 few >out
    is "$(grep -c "$escape\\[33m" out)" 2 '... others for what is in no bin'
    NO_COLOR='' on_terminal 24 60 1 --plot=only few >out
    is "$(grep -c "$escape" out)" 3 'an empty NO_COLOR is none'
    TERM=dumb on_terminal 24 60 1 --plot=only few >out
    is "$(grep -c "$escape" out)" 0 'TERM=dumb: no colours'
    (unset TERM && on_terminal 24 60 1 --plot=only few >out)
    is "$(grep -c "$escape" out)" 0 'no TERM: no colours'
    gpuhist --plot=only few >out
    is "$(grep -c "$escape" out)" 0 'no terminal: no colours'
    # The most of a heat map, by TERM, COLORTERM, COLORFGBG.
    while IFS='|' read -r term colour background most; do
        TERM=$term COLORTERM=$colour COLORFGBG=$background on_terminal 24 60 1 \
            --plot=only --record=u1,u1 --joint -b 2 --range=0,2 cells >out
        is "$? $(grep -c "$escape\\[${most}m  " out)" '0 2' \
            "a heat map: ${term:-no TERM} $colour $background" || sed -n l out
    done <<'END'
xterm|||47
linux||15;0|47
linux||0;15|40
xterm-256color||12;8|48;5;227
xterm-256color||0;default;15|48;5;17
xterm-kitty|no||48;5;227
xterm|truecolor||48;2;255;245;130
tmux-256color|24bit|0;15|48;2;10;20;75
xterm-direct|||48;2;255;245;130
END
    for terminal in vt100 xterm-mono dumb; do
        TERM=$terminal COLORTERM=truecolor on_terminal 24 60 1 --plot=only \
            --record=u1,u1 --joint -b 2 --range=0,2 cells >out
        is "$? $(grep -c "$escape" out)" '0 0' "$terminal has no colours"
    done
    COLORFGBG='0;15' on_terminal 24 60 1 --plot=only few >out
    is "$(grep -c "$escape\\[34m=" out)" 3 'darker bars on a light terminal'
}
if command -v python3 >python-says; then
    test_terminals
else
    skip 'terminals' 'no python3'
fi

# ---- what is refused, before anything is read ----

while read -r line; do
    # shellcheck disable=SC2086 # several words
    refused 2 "$line" gpuhist missing $line
    ! grep -q missing err
    ok $? '... reading nothing'
done <<'END'
--plot=always
--plot=
--plot-scale=log
--plot --plot-scale=ln
--plot --plot-scale=
--plot=only --header-out
--plot=only --format=json
--plot=only --stats=only
--plot=only --record=u1,u1 --joint -b 4 --nonzero
--plot --record=u1,u1,u1 --joint -b 4
END
refused 2 'three fields jointly' \
    gpuhist --plot --record=u1,u1,u1 --joint -b 4 few
is "$(cat err)" "gpuhist: --plot: at most 2 joint fields can be drawn, \
not 3" '... named'
gpuhist --plot missing >out 2>err
is "$? $(wc -c <out) $(wc -l <err)" '1 0 1' 'a missing file: no bars'
gpuhist --plot=only few >/dev/full 2>err
is "$? $(wc -l <err)" '1 1' 'bars that are not accepted'

done_testing
