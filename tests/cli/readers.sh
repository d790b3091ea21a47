# SPDX-License-Identifier: MIT
# readers.sh -- what is printed, read by programs that others wrote
#
# Each must find the counts of od and awk in it.  format.sh has more formats,
# and readers in Python.
# shellcheck shell=sh disable=SC2154,SC2016,SC2094

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

{
    noise 20000
    head -c 30000 "$GPUHIST"
} >data

# Value and count of what occurs, and of all.
oracle <data >all
awk '$2 > 0' all >values
# Sixteen values in a bin, from 64 to 191, and what is below and above.
awk '{ n[$1 < 64 ? -1 : $1 > 191 ? 8 : int(($1 - 64) / 16)] += $2 }
    END {
        print "-inf\t64\t" n[-1]
        for (i = 0; i < 8; i++)
            print 64 + 16 * i "\t" 80 + 16 * i "\t" n[i]
        print "192\tinf\t" n[8]
    }' all >bins
bin_options='-b8 --range=64,192'

# same_lines FILE FILE NAME: one test: they have the same lines, in any order.
same_lines()
{
    sort "$1" >sorted
    sort "$2" | cmp -s - sorted
    ok $? "$3"
}

# has PROGRAM: whether it is here; else its tests are one that is skipped.
has()
{
    command -v "$1" >has-says && return
    skip "$1" "no $1"
    return 1
}

if has jq; then
    gpuhist --format=json data | jq -r \
        '.histograms[0].bins[] | select(.count > 0) | [.value, .count] | @tsv' \
        >out
    same out values 'jq: json'
    # shellcheck disable=SC2086 # two options, here and below
    gpuhist --format=json $bin_options data | jq -r \
        '.histograms[0] | (.bins + .flow)[] | [.lo, .hi, .count] | @tsv' \
        >out
    same_lines out bins 'jq: json, bins'
    gpuhist --format=jsonl --nonzero data |
        jq -r 'select(.count) | [.value, .count] | @tsv' >out
    same out values 'jq: jsonl'
fi

if has python3; then
    # Of what is printed one thing a line.
    pretty='/"lo":/ { lo = $2 } /"hi":/ { hi = $2 }
        /"count":/ { print lo "\t" hi "\t" $2 }'
    # shellcheck disable=SC2086
    gpuhist --format=json $bin_options data | python3 -m json.tool |
        tr -d '",' | sed 's/\([a-z]*\): /"\1": /' | awk "$pretty" >out
    same_lines out bins 'json.tool: json'
    # shellcheck disable=SC2086
    gpuhist --format=jsonl $bin_options data |
        python3 -m json.tool --json-lines |
        tr -d '",' | sed 's/\([a-z]*\): /"\1": /' | awk "$pretty" >out
    same out bins 'json.tool: jsonl'
fi

if has mlr; then
    printf 'value_lo\tvalue_hi\tcount\n' | cat - bins >wanted
    # shellcheck disable=SC2086
    gpuhist --format=csv $bin_options data | mlr --icsv --otsv cat >out
    same out wanted 'Miller: csv'
    # shellcheck disable=SC2086
    gpuhist --header-out $bin_options data |
        mlr --itsv --ocsv --headerless-csv-output stats1 -a sum -f count >out
    is "$(cat out)" "$(wc -c <data)" 'Miller: tsv, all counts added up'
    gpuhist --format=jsonl --nonzero data | mlr --ijson --otsv \
        --headerless-csv-output filter 'is_present($count)' >out
    same out values 'Miller: jsonl'
    # A comma and a quote, which csv has in quotes.
    printf ',"",' | gpuhist --format=csv --labels=char --nonzero |
        mlr --icsv --ojson --jvstack cat | tr -d ' {}[]\n' >out
    is "$(cat out)" '"value":"\"","count":2,"value":",","count":2' \
        'Miller: csv, quotes'
fi

# stored FILE: what Prometheus keeps of the metrics in FILE, one sample a line.
# It takes none without a time; and it looks for its log, which is empty.
stored()
{
    rm -rf database
    mkdir -p database/wal
    sed '/^#/!s/$/ 1/' "$1" >timed
    promtool tsdb create-blocks-from openmetrics timed database >promtool-says &&
        promtool tsdb dump database |
        awk '/e[+]/ { $(NF - 1) = sprintf("%.0f", $(NF - 1)) } 1'
}

# buckets: samples as stored() has them: of lines "LE COUNT", each with what is
# before it, and a last one for all.
buckets()
{
    awk -v bucket='{__name__="gpuhist_values_bucket", le="%s"} %d 1000\n' '
        { printf bucket, $1, n += $2 }
        END {
            printf bucket, "+Inf", n
            printf "{__name__=\"gpuhist_values_count\"} %d 1000\n", n
        }'
}

if has promtool; then
    gpuhist --format=prom --nonzero data >metrics
    promtool check metrics <metrics >out 2>&1
    is "$? $(cat out)" '0 ' 'promtool: nothing to say about values'
    awk '{ print $1 ".0", $2 }' values | buckets >wanted
    awk '{ sum += $1 * $2 } END {
        printf "{__name__=\"gpuhist_values_sum\"} %d 1000\n", sum }' all >>wanted
    stored metrics >out
    same_lines out wanted 'promtool: what Prometheus keeps'

    # (63, 79] has the values from 64 to 79.
    gpuhist --format=prom --closed=right -b8 --range=63,191 data >metrics
    promtool check metrics <metrics >out 2>&1
    is "$? $(cat out)" '0 ' 'promtool: nothing to say about bins'
    awk '$2 != "inf" { print $2 - 1 ".0", $3 } $2 == "inf" { print "+Inf", $3 }' \
        bins | buckets | sort -u >wanted
    echo '{__name__="gpuhist_values_sum"} NaN 1000' >>wanted
    stored metrics >out
    same_lines out wanted 'promtool: bins'
fi

# plotted SEPARATOR COMMAND: what gnuplot has read, as it would draw it.
plotted()
{
    echo "set datafile separator $1; set table; $2" | gnuplot |
        awk -v OFS='\t' '/^ *[^# ]/ { $1 = $1; print }'
}

if has gnuplot; then
    # shellcheck disable=SC2086
    gpuhist $bin_options data >table
    plotted tab 'plot "table" using 1:2:3 with table' >out
    same out bins 'gnuplot: tsv'
    # shellcheck disable=SC2086
    gpuhist --format=csv $bin_options data >table
    plotted 'comma columnheaders' \
        'plot "table" using "value_lo":"value_hi":"count" with table' >out
    same out bins 'gnuplot: csv, columns by name'
    # As a histogram is drawn: the middle of a box, its height, its two sides.
    plotted 'comma columnheaders' \
        'plot "table" using (($1+$2)/2):3:($2-$1) with boxes' |
        awk '$NF == "i"' >out
    awk '$1 != "-inf" && $2 != "inf" {
        print ($1 + $2) / 2 "\t" $3 "\t" $1 "\t" $2 "\ti" }' bins >wanted
    same out wanted 'gnuplot: boxes'
fi

done_testing
