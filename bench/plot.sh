#!/bin/sh
# SPDX-License-Identifier: MIT
# plot.sh -- draw tables of bench/stream.sh or bench/kernels
#
#     bench/plot.sh TABLE [DIRECTORY]
#
# Writes SVG files to DIRECTORY (default: .) and prints their names.  A table of
# stream.sh becomes stream-DATA-INPUT.svg: the rate of each program against the
# size of the input.  A table of kernels becomes kernels-DATA.svg: each kernel
# compared with the plain read of the data.  Columns are found by their names;
# lines that start with # describe the machine.

set -eu
LC_ALL=C
export LC_ALL

[ $# -eq 1 ] || [ $# -eq 2 ] || {
    sed -n '3,/^$/s/^# \{0,1\}//p' "$0" >&2
    exit 2
}
table=$1
directory=${2:-.}
command -v gnuplot >/dev/null || {
    echo 'plot.sh: gnuplot is not installed' >&2
    exit 1
}
[ -r "$table" ] || {
    echo "plot.sh: cannot read $table" >&2
    exit 1
}
mkdir -p "$directory"

# The code for both kinds of pictures: columns, machine, strings of gnuplot.
# shellcheck disable=SC2016 # awk's $
common='
function quoted(text)
{
    gsub(/"/, "\\\"", text)
    return "\"" text "\""
}
function begin(file, height, title)
{
    gsub(/[^A-Za-z0-9.]+/, "-", file)
    print file ".svg" >names
    printf "reset\nunset label\n"
    printf "set terminal svg noenhanced size 900,%d font \"sans-serif,13\"" \
        " background \"#ffffff\"\n", height
    printf "set output %s\n", quoted(directory "/" file ".svg")
    printf "set lmargin at screen %g\nset rmargin at screen %g\n", left, right
    printf "set tmargin at screen %g\nset bmargin at screen %g\n", \
        1 - 56 / height, 58 / height
    printf "set label 1 %s at screen 0.02, screen %g font \",16\"\n", \
        quoted(title), 1 - 20 / height
    printf "set label 2 %s at screen 0.02, screen %g font \",11\"" \
        " textcolor \"#555555\"\n", quoted(machine), 1 - 40 / height
    print "set border 3 lc \"#555555\""
    print "set grid lc \"#dddddd\" lw 1 dt 1"
    print "set tics nomirror"
}
BEGIN { FS = "\t" }
/^# (GPU|CPU): / {
    machine = machine (machine == "" ? "" : "; ") substr($0, 3)
    next
}
/^#/ && !n && machine == "" { first = first == "" ? substr($0, 3) : first }
/^#/ || /^$/ { next }
!n {
    if (machine == "")
        machine = first
    for (n = 1; n <= NF; n++)
        column[$n] = n
    for (i = 1; i <= split(needed, need, ","); i++) {
        if (!(need[i] in column)) {
            print "plot.sh: no column " need[i] >"/dev/stderr"
            failed = 1
            exit 1
        }
    }
    next
}
'

# shellcheck disable=SC2016
stream='
function style(program)
{
    if (program == "drop")
        return "lc \"#000000\" lw 2 dt 2 pt -1"
    if (program == "gpuhist")
        return "lc \"#0072b2\" lw 3 pt 7 ps 0.6"
    if (program == "gpuhist --device=cpu")
        return "lc \"#56b4e9\" lw 2 pt 5 ps 0.5"
    if (program == "gpuhist --device=cpu -j1")
        return "lc \"#56b4e9\" lw 2 dt 3 pt 4 ps 0.5"
    if (program == "gpuhist --device=cuda")
        return "lc \"#d55e00\" lw 2 pt 9 ps 0.6"
    if (program == "CuPy")
        return "lc \"#009e73\" lw 2 pt 11 ps 0.6"
    # The other programs have one colour and different points.
    return "lc \"#888888\" lw 1.5 pt " (program in point ? point[program] : 3) \
        " ps 0.6"
}
# Ticks at each power of 32, or of 4 if the range is small.
function size_tics(least, most,  step, value)
{
    step = most / least > 8192 ? 32 : 4
    printf "set xtics ("
    for (value = 1024; value < 1e15; value *= step)
        printf "%s\"%d %s\" %.0f", (value > 1024 ? ", " : ""), \
            value / (value < 2^20 ? 1024 : value < 2^30 ? 2^20 : 2^30), \
            (value < 2^20 ? "KiB" : value < 2^30 ? "MiB" : "GiB"), value
    print ")"
}
# Ticks at each power of 10; in a small range also at 2 and 5 times each.
function rate_tics(least, most,  power, i, value, comma)
{
    printf "set ytics ("
    for (power = 1e-7; power < 1e4; power *= 10) {
        for (i = 1; i <= (most / least > 100 ? 1 : 5); i += 1 + 2 * (i > 1)) {
            # Round, because repeated multiplication by 10 is inexact.
            value = sprintf("%.1e", power * i) + 0
            printf "%s\"%s\" %g", comma, \
                (value < 0.999e-3 ? sprintf("%.0f kB/s", value * 1e6) : \
                value < 0.999 ? sprintf("%.0f MB/s", value * 1e3) : \
                sprintf("%.0f GB/s", value)), value
            comma = ", "
        }
    }
    print ")"
}
BEGIN {
    point["wc -c"] = 1
    point["wc -l"] = 2
    point["naive"] = 6
    point["numpy"] = 8
    point["ent -c"] = 10
    point["od | sort | uniq -c"] = 12
    point["zstd -dc | drop"] = 14
    what["pipe"] = "A pipe from cat"
    what["splice"] = "A pipe from a writer that splices"
    what["redirect"] = "A redirected file in the page cache"
    what["file"] = "A file in the page cache"
    what["zstd"] = "A zstd file of one frame"
    what["frames"] = "A zstd file of frames of 4 MiB"
    what["many"] = "Files of 1 MiB in the page cache"
    left = 0.095
    right = 0.64
}
{
    input = $column["input"]
    sub(/,.*/, "", input)
    program = $column["program"]
    bytes = $column["bytes"] + 0
    # A program that only asks for the size of a file has no rate.
    if (program ~ /size only/)
        next
    rate = $column["GB/s"] + 0
    if (rate <= 0)
        next
    cell = $column["data"] "\t" input
    if (!(cell in programs)) {
        cells[++cell_count] = cell
        programs[cell] = 0
        size_least[cell] = size_most[cell] = bytes
        rate_least[cell] = rate_most[cell] = rate
    }
    size_least[cell] = bytes < size_least[cell] ? bytes : size_least[cell]
    size_most[cell] = bytes > size_most[cell] ? bytes : size_most[cell]
    rate_least[cell] = rate < rate_least[cell] ? rate : rate_least[cell]
    rate_most[cell] = rate > rate_most[cell] ? rate : rate_most[cell]
    line = cell "\t" program
    if (!(line in points))
        name[cell, ++programs[cell]] = program
    points[line] = points[line] sprintf("%.0f %g\n", bytes, rate)
    last[line] = rate
}
END {
    for (c = 1; c <= cell_count && !failed; c++) {
        split(cells[c], part, "\t")
        begin("stream-" part[1] "-" part[2], 500, (part[2] in what ? \
            what[part[2]] : part[2]) "; data: " part[1])
        # Sort the key as the lines are at their right ends.
        count = programs[cells[c]]
        for (i = 2; i <= count; i++) {
            moved = name[cells[c], i]
            a = cells[c] "\t" moved
            for (j = i - 1; j > 0; j--) {
                b = cells[c] "\t" name[cells[c], j]
                if (last[b] + 0 >= last[a] + 0)
                    break
                name[cells[c], j + 1] = name[cells[c], j]
            }
            name[cells[c], j + 1] = moved
        }
        print "set logscale x 2\nset logscale y 10"
        print "set xlabel \"size of the input, decoded\""
        size_tics(size_least[cells[c]], size_most[cells[c]])
        rate_tics(rate_least[cells[c]], rate_most[cells[c]])
        print "set autoscale xfix\nset autoscale yfix"
        print "set offsets graph 0.03, graph 0.03, graph 0.03, graph 0.03"
        print "set key at screen 0.655, screen 0.885 left top Left reverse" \
            " spacing 1.4 samplen 2.5 title \"at its largest input\" left"
        for (i = 1; i <= count; i++)
            printf "$p%d << EOD\n%sEOD\n", i, \
                points[cells[c] "\t" name[cells[c], i]]
        printf "plot "
        for (i = 1; i <= count; i++) {
            program = name[cells[c], i]
            line = cells[c] "\t" program
            if (program == "drop")
                title = "limit: " (part[2] ~ /^(zstd|frames)$/ ? \
                    "decode" : "read") " and drop"
            else
                title = program
            printf "%s$p%d with linespoints %s title %s", \
                (i > 1 ? ", " : ""), i, style(program), \
                quoted(title sprintf(": %.3g GB/s", last[line]))
        }
        printf "\nunset output\n"
    }
}
'

# shellcheck disable=SC2016
kernels='
# CUB is grey, the kernels of gpuhist are blue.
function color(name)
{
    if (name ~ /CUB/)
        return "0x999999"
    return name ~ / records | lane$| packed$/ ? "0x0072b2" : "0xe69f00"
}
BEGIN {
    left = 0.35
    right = 0.97
}
$column["of_read"] ~ /^[0-9.]+$/ && $column["kernel"] != "plain read" {
    data = $column["data"]
    if (!(data in rows)) {
        order[++data_count] = data
        rows[data] = 0
    }
    i = ++rows[data]
    kernel[data, i] = $column["kernel"]
    of_read[data, i] = $column["of_read"]
    text = sprintf("%.0f GB/s", $column["GB/s"])
    if ("of_cub" in column && $column["of_cub"] ~ /^[0-9.]+$/ &&
        $column["kernel"] !~ /CUB/)
        text = text ", " $column["of_cub"] " times CUB"
    if ("verdict" in column && tolower($column["verdict"]) ~ /wrong|fail/)
        text = text ": " $column["verdict"]
    label[data, i] = text
}
END {
    for (d = 1; d <= data_count && !failed; d++) {
        data = order[d]
        count = rows[data]
        begin("kernels-" data, 130 + 24 * count, "Kernels alone, data: " \
            data " (blue: those of gpuhist; orange: others)")
        printf "set yrange [%g:0.4]\nset xrange [0:1.45]\n", count + 0.6
        print "set xtics 0, 0.25, 1"
        print "set xlabel \"rate, of the plain read of the data\""
        print "set grid xtics noytics\nunset key\nset style fill solid"
        print "set arrow 1 from 1, graph 0 to 1, graph 1 nohead dt 2" \
            " lc \"#000000\" lw 2 front"
        printf "set ytics ("
        for (i = 1; i <= count; i++)
            printf "%s%s %d", (i > 1 ? ", " : ""), quoted(kernel[data, i]), i
        print ")\n$rows << EOD"
        for (i = 1; i <= count; i++)
            print of_read[data, i], i, \
                color(kernel[data, i]), \
                quoted(label[data, i])
        print "EOD"
        # Place the label to the right of the bar and of the limit.
        print "plot $rows using ($1/2):2:($1/2):(0.36):3 with boxxyerror" \
            " lc rgb variable, $rows using ($1 > 0.72 ? 1 : $1):2:4 with" \
            " labels left offset 0.6,0 font \",11\""
        print "unset output"
    }
}
'

names=$(mktemp)
trap 'rm -f "$names"' EXIT
if grep -v '^#' "$table" | head -n 1 | grep -q program; then
    program=$common$stream
    needed=input,data,bytes,program,GB/s
else
    program=$common$kernels
    needed=kernel,data,GB/s,of_read
fi
script=$(awk -v directory="$directory" -v names="$names" -v needed="$needed" \
    "$program" "$table")
printf '%s\n' "$script" | gnuplot
[ -s "$names" ] || {
    echo "plot.sh: $table: nothing to draw" >&2
    exit 1
}
sed "s|^|$directory/|" "$names"
