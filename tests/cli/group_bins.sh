# SPDX-License-Identifier: MIT
# group_bins.sh -- the numbers of groups in bins
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

# prints LINES NAME ARGUMENT...: what the arguments print, with blanks for tabs.
prints()
{
    prints_lines=$1
    prints_name=$2
    shift 2
    is "$(gpuhist -q --csv -g city -f price "$@" table.csv | tr '\t' ' ')" \
        "$prints_lines" "$prints_name"
}

cat >table.csv <<'END'
city,price
Bern,1.50
"Bern",25
Bern,-0
Bern,nan
Bern,
"Be""rn",30
Ulm,4x
Ulm,1e2
Ulm,-1e-20
Ulm,inf
Rom
,3
END

prints ' 0 25 1
Be"rn 25 50 1
Bern 0 25 2
Bern 25 50 1
Bern nan nan 1
Bern \empty \empty 1
Rom \N \N 1
Ulm -inf 0 1
Ulm 100 inf 2
Ulm \invalid \invalid 1' 'bins, and records that are in none' \
    -b4 --range=0,100
prints ' 0 64 1
Be"rn 0 64 1
Bern 0 64 3
Bern nan nan 1
Bern \empty \empty 1
Rom \N \N 1
Ulm -64 0 1
Ulm 64 128 1
Ulm 192 inf 1
Ulm \invalid \invalid 1' 'bins that are found' -b4 --range=auto
prints ' 0 3 1
Be"rn 3 99 1
Bern -1 0 1
Bern 0 3 1
Bern 3 99 1
Bern nan nan 1
Bern \empty \empty 1
Rom \N \N 1
Ulm -1 0 1
Ulm 99 inf 2
Ulm \invalid \invalid 1' 'listed edges' --edges=-1,0,3,99 --closed=right

python_checks "$srcdir/tests/cli/group_bins_oracle.py"

done_testing
