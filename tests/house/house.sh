# SPDX-License-Identifier: MIT
# house.sh -- the files of src/ keep the rules of the house (rooms.sh)
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

rooms=$srcdir/tests/house/rooms.sh
library=$(dirname "$GPUHIST")/libgpuhist.a

# ---- this tree ----

is "$(sh "$rooms" "$srcdir")" '' 'no breach of a rule'
if nm "$library" >nm-library 2>nm-says; then
    sh "$rooms" --calls nm-library "$srcdir" >found
    is "$? $(cat found)" '0 ' 'nor by a call'
else
    skip 'calls' 'no nm'
fi

# ---- licence ----

# unlicensed DIRECTORY: its sources that do not name their licence at the top.
unlicensed()
{
    (
        cd "$1" || exit
        find bootstrap configure.ac Makefile.am src kernels tests bench man completions \
            packaging doc -type f \( -name '*.[chS15]' -o -name '*.cu' -o -name '*.cuh' \
            -o -name '*.cl' -o -name '*.py' -o -name '*.sh' -o -name '*.awk' \
            -o -name '*.a[cm]' -o -name '*.css' -o -name bootstrap \) |
            LC_ALL=C sort | xargs awk '
                FNR == 1 { if (name != "" && !has) print name; name = FILENAME; has = 0 }
                FNR <= 3 && / SPDX-License-Identifier: MIT/ { has = 1 }
                END { if (!has) print name }'
    )
}
mkdir -p sources/src sources/kernels sources/tests sources/bench sources/man \
    sources/completions sources/packaging sources/doc
cp "$srcdir/bootstrap" "$srcdir/configure.ac" "$srcdir/Makefile.am" sources
echo '/* bare.c -- no licence */' >sources/src/bare.c
is "$(unlicensed sources)" src/bare.c 'a source without its licence is found'
is "$(unlicensed "$srcdir")" '' 'each source names its licence'

# ---- git ----

# An archive without a zero byte looks like text to it.
if git -C "$srcdir" ls-files '*.ar' >archives 2>git-says &&
    [ -s archives ]; then
    git -C "$srcdir" check-attr --stdin text diff <archives >attributes
    is "$? $(grep -v ': unset$' attributes)" '0 ' 'corpora are binary for git'
else
    skip 'corpora are binary for git' 'this is no work tree of git'
fi

# ---- planted breaches, in a copy ----

mkdir copy copy/tests copy/tests/house copy/bench
cp -R "$srcdir/src" "$srcdir/kernels" "$srcdir/HACKING.md" copy
cp "$srcdir/tests/house/EXCEPTIONS" copy/tests/house
chmod -R u+w copy
sh "$rooms" --write copy

# plant PATH [LINE]...: a new file of the copy.
plant()
{
    plant_path=copy/$1
    mkdir -p "$(dirname "$plant_path")"
    shift
    printf '%s\n' "/* ${plant_path##*/} -- planted */" "$@" >"$plant_path"
}

# expects NAME BREACH...: what was planted last has these breaches, which
# found_all looks for: to read the copy takes most of a second.
expects()
{
    expects_name=$1
    shift
    for breach; do
        printf '%s\t%s\n' "$expects_name" "$breach" >>expected
    done
}

# found_all: a test for each name of what is expected, and one that these breaches,
# and no others, are found besides those of the copy as it was; the status says so.
# What was planted is removed.
found_all()
{
    sh "$rooms" copy >found
    found_status=$?
    LC_ALL=C sort found | LC_ALL=C comm -13 before - >got
    cut -f1 expected | uniq | while IFS= read -r name; do
        grep -F "$name	" expected | cut -f2 | LC_ALL=C sort |
            LC_ALL=C comm -23 - got >missed
        printf '%s\t%s\n' "$name" "$(tr '\n' ';' <missed)"
    done >results
    while IFS='	' read -r name missed; do
        is "$missed" '' "$name"
    done <results
    cut -f2 expected | LC_ALL=C sort -u >wanted
    is "$found_status: $(LC_ALL=C comm -13 wanted got)" '1: ' '... and no other breach'
    find copy -name 'planted*' -exec rm -rf {} +
    rm expected
}

# finds NAME BREACH...: the same of what was planted alone.
finds()
{
    expects "$@"
    found_all
}

sh "$rooms" copy | LC_ALL=C sort >before

plant src/report/planted_report.h '#include "plot/planted_plot.h"'
plant src/plot/planted_plot.h
plant src/plot/planted_plot.c '#include "report/planted_report.h"'
expects 'two rooms of one floor' \
    'src/report/planted_report.h: includes "plot/planted_plot.h", but report may not include plot' \
    'src/plot/planted_plot.c: includes "report/planted_report.h", but plot may not include report' \
    'circle: plot/planted_plot -> report/planted_report -> plot/planted_plot' \
    'HACKING.md: not the map that tests/house/rooms.sh --map prints (--write mends it)'

plant src/cli/planted_high.h
plant src/base/planted_low.c '#include <stdio.h>' '#  include "cli/planted_high.h"'
expects 'a lower floor that includes a higher one' \
    'src/base/planted_low.c: includes "cli/planted_high.h", which reaches up from base to cli' \
    'HACKING.md: not the map that tests/house/rooms.sh --map prints (--write mends it)'

plant src/hist/planted_a.h '#include "hist/planted_b.h"'
plant src/hist/planted_b.h
plant src/hist/planted_b.c '#include "hist/planted_b.h"' '#include "hist/planted_c.h"'
plant src/hist/planted_c.c '#include "hist/planted_d.h"' '#include "hist/planted_a.h"'
plant src/hist/planted_c.h
plant src/hist/planted_d.h
expects 'a circle of three' \
    'circle: hist/planted_a -> hist/planted_b -> hist/planted_c -> hist/planted_a'

plant src/base/planted_in.h
plant src/base/planted_in.c '#include "planted_in.h"' '#include "../base/planted_in.h"' \
    '#include <base/planted_in.h>' '#include PLANTED' '#include "base/planted_out.h"'
expects 'includes that are not written from src/' \
    'src/base/planted_in.c: includes "planted_in.h", which is not written as a path from src/' \
    'src/base/planted_in.c: includes "../base/planted_in.h", which is not written as a path from src/' \
    'src/base/planted_in.c: includes <base/planted_in.h>, which is not written as a path from src/' \
    'src/base/planted_in.c: includes a macro, which is not written as a path from src/' \
    'src/base/planted_in.c: includes "base/planted_out.h", which is not written as a path from src/'

plant src/hist/planted_kind.c 'BINNING_EVEN'
plant src/plot/planted_kinds.c 'if (kind == BINNING_LOG2)' BINNING_LEFT
expects 'a kind of axis' \
    'src/plot/planted_kinds.c: names a kind of axis, which is for hist and engine'

plant src/base/planted_long.c "$(awk 'BEGIN { while (n++ < 1000) print "/**/" }')"
plant kernels/planted_long.h "$(awk 'BEGIN { while (n++ < 1001) print "/**/" }')"
plant src/base/planted_full.c "$(awk 'BEGIN { while (n++ < 999) print "/**/" }')"
expects 'files that are too long' \
    'src/base/planted_long.c: has more than 1000 lines (1001)' \
    'kernels/planted_long.h: has more than 1000 lines (1002)'

lines_60=$(awk 'BEGIN { while (n++ < 60) print "    ;" }')
plant src/base/planted_function.c 'static int' 'planted_short(void)' '{' "$lines_60" '}' '' \
    'static int' 'planted_long(int a,' '             int b)' '{' "$lines_60" '    ;' '}'
plant kernels/planted_function.cuh 'extern "C" __global__ void' '__launch_bounds__(32)' \
    '    planted_kernel(int a)' '{' "$lines_60" '' '}'
expects 'functions that are too long' \
    'src/base/planted_function.c: planted_long() has more than 60 lines (61): make it several functions' \
    'kernels/planted_function.cuh: planted_kernel() has more than 60 lines (61): make it several functions'

plant src/base/planted_tag.c 'struct planted_same {' '    int a;' '};' \
    'enum planted_kind { PLANTED };' 'struct planted_user { struct planted_same same; };'
plant src/hist/planted_tag.h 'struct planted_same;' 'union planted_kind { int a; };' \
    'enum planted_kind planted(struct planted_same *same);'
plant kernels/planted_tag.cl 'static const struct planted_same {' '    int b;' '} planted;' \
    'enum planted_kind' 'planted(void) {}'
plant src/base/planted_tags.h 'enum planted_kind { PLANTED_TOO };'
expects 'tags that are defined twice' \
    'struct planted_same: defined more than once (kernels/planted_tag.cl, src/base/planted_tag.c): rename all but one' \
    'enum planted_kind: defined more than once (src/base/planted_tag.c, src/base/planted_tags.h): rename all but one'

columns_80="// $(awk 'BEGIN { while (n++ < 77) printf "x" }')"
plant src/base/planted_wide.c "$columns_80" "${columns_80}x" "${columns_80}xx"
plant src/base/planted_wide.h "$columns_80"
plant kernels/planted_wide.cl '' "${columns_80}x"
expects 'lines that are too long' \
    'src/base/planted_wide.c: line 3 has more than 80 columns (81)' \
    'src/base/planted_wide.c: line 4 has more than 80 columns (82)' \
    'kernels/planted_wide.cl: line 3 has more than 80 columns (81)'

plant src/base/planted.h
plant src/hist/planted.h
plant kernels/planted.cl
plant bench/planted.cl
plant tests/unit/planted.S
plant src/engine/gpu/cuda/planted.S
expects 'names that are not unique' \
    'src/hist/planted.h: has the name of src/base/planted.h' \
    'kernels/planted.cl: has the name of bench/planted.cl' \
    'tests/unit/planted.S: has the name of src/engine/gpu/cuda/planted.S'

plant src/base/planted_once.c
mv copy/src/base/planted_once.c copy/src/base/planted_twice.c
expects 'a file that begins with the name of another' \
    'src/base/planted_twice.c: does not begin with "planted_twice.c -- what it is for"'

plant src/planted_hall.c
plant src/planted_room/planted_chair.c
expects 'files in no room' \
    'src/planted_hall.c: lies in no room of src/ROOMS' \
    'src/planted_room/planted_chair.c: lies in no room of src/ROOMS'

plant src/base/planted_error.h
plant kernels/planted_kernel.h '#include "base/planted_error.h"'
expects 'a kernel that includes the house' \
    'kernels/planted_kernel.h: includes "base/planted_error.h", which is no file of kernels/'
found_all

cp copy/src/ROOMS kept-rooms
sed 's/^hist  *| base/&  run/' kept-rooms >copy/src/ROOMS
finds 'a table that allows a higher floor' \
    'src/ROOMS: hist may include run, which is not on a lower floor'
cp kept-rooms copy/src/ROOMS

# ---- READMEs, and exceptions ----

# A copy of its own, in which all rooms have one.
cp -R copy with
while IFS='|' read -r room _; do
    case $room in
        ''|'#'*) continue ;;
    esac
    mkdir -p "with/src/${room%% *}"
    [ -z "$(find "with/src/${room%% *}" -type f)" ] ||
        echo 'A room.' >"with/src/${room%% *}/README.md"
done <copy/src/ROOMS
for room in with/kernels/*/; do
    echo 'Kernels.' >"$room/README.md"
done
grep -v '^readme ' copy/tests/house/EXCEPTIONS >with/tests/house/EXCEPTIONS

# says NAME BREACH...: one test: these breaches of this copy are found.
says()
{
    says_name=$1
    shift
    sh "$rooms" with >found
    says_status=$?
    printf '%s\n' "$@" | LC_ALL=C sort >wanted
    LC_ALL=C sort found >got
    is "$says_status: $(cat got)" "$(($# > 0 && ${#1} > 0)): $(cat wanted)" "$says_name"
}

says 'all rooms have a README.md' ''
rm with/src/base/README.md with/kernels/zstd/README.md
awk 'BEGIN { while (n++ < 61) print "line" }' >with/src/hist/README.md
printf '%0100d\n%0101d\n' 0 0 >with/src/sync/README.md
says 'a README.md that is missing, long or wide' \
    'src/base/README.md: is missing: each room has one' \
    'kernels/zstd/README.md: is missing: each room has one' \
    'src/hist/README.md: has more than 60 lines (61)' \
    'src/sync/README.md: line 2 has more than 100 columns (101)'
for room in base hist sync; do
    echo 'A room.' >"with/src/$room/README.md"
done

cat >>with/tests/house/EXCEPTIONS <<'EOF'
readme kernels/zstd | planted
readme src/base | planted
tag struct planted | planted
function src/base/planted.c planted | planted
function src/base/planted.c planted_new |
EOF
says 'exceptions that nothing needs' \
    'tests/house/EXCEPTIONS: "readme src/base" is not needed: remove the entry' \
    'tests/house/EXCEPTIONS: "tag struct planted" is not needed: remove the entry' \
    'tests/house/EXCEPTIONS: "function src/base/planted.c planted" is not needed: remove the entry' \
    'tests/house/EXCEPTIONS: "function src/base/planted.c planted_new" is not needed: remove the entry' \
    'tests/house/EXCEPTIONS: "function src/base/planted.c planted_new" has no reason'

# As many functions as may be, and one more.
grep -v '^readme ' copy/tests/house/EXCEPTIONS >with/tests/house/EXCEPTIONS
echo 'readme kernels/zstd | planted' >>with/tests/house/EXCEPTIONS
for name in $(seq "$((7 - $(grep -c '^function ' with/tests/house/EXCEPTIONS)))"); do
    plant_path=with/src/base/planted_$name.c
    {
        echo "/* planted_$name.c -- planted */"
        printf '%s\n' 'int' "planted_$name(void)" '{' "$lines_60" '    ;' '}'
    } >"$plant_path"
    echo "function src/base/planted_$name.c planted_$name | planted" >>with/tests/house/EXCEPTIONS
done
says 'more than six functions' \
    'tests/house/EXCEPTIONS: has more than six functions (7)'
rm -rf with

# ---- the map ----

sh "$rooms" --map copy >map
awk '/^<!-- \/rooms -->$/ { inside = 0 } inside { print }
    /^<!-- rooms -->$/ { inside = 1 }' "$srcdir/HACKING.md" >in-hacking
same map in-hacking 'the map in HACKING.md'
is "$(sed -n 's/^\([a-z0-9/]*\) .*/\1/p' map | tr '\n' ' ')" \
    "room $(sed -n 's/^\([a-z0-9/]*\) .*/\1/p' copy/src/ROOMS | while read -r room; do
        [ ! -d "copy/src/$room" ] || printf '%s ' "$room"
    done)" 'it has all rooms in their order'
is "$(awk 'length($0) > 100' map)" '' '... in lines of 100 columns'

cp copy/HACKING.md kept-hacking
sed 's/^base .*/base/' kept-hacking >copy/HACKING.md
finds 'a map that has drifted' \
    'HACKING.md: not the map that tests/house/rooms.sh --map prints (--write mends it)'
sh "$rooms" --write copy
same copy/HACKING.md kept-hacking '--write mends it'

# ---- calls ----

# What nm prints of a library.
cat >nm-planted <<'EOF'

planted_low.o:
                 U planted_high
0000000000000000 T planted_low
                 U printf

planted_high.o:
0000000000000000 T planted_high
                 U planted_table

planted_table.o:
0000000000000000 D planted_table
                 U planted_high
EOF
plant src/base/planted_low.c
plant src/cli/planted_high.c
plant src/cli/planted_table.c
sh "$rooms" --calls nm-planted copy >found
is "$? $(cat found)" '1 src/base/planted_low.c: uses planted_high, which reaches up from base to cli
circle: cli/planted_high -> cli/planted_table -> cli/planted_high' \
    'calls that reach up, and in a circle'

sh "$rooms" --calls nm-planted "$srcdir" >found 2>err
is "$? $(cat found err)" '2 rooms.sh: planted_low.o is made of no file of src/' \
    'objects of another tree'
rm copy/src/ROOMS
sh "$rooms" copy >found 2>err
is "$? $(cat found err)" '2 rooms.sh: no rooms in src/ROOMS' 'no table'

done_testing
