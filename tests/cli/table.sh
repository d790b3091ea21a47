# SPDX-License-Identifier: MIT
# table.sh -- --format=table, for people; --round and --thousands
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

# ---- golden outputs ----

# As gpuhist-format(5) has it.
printf 'a||\n' >few
cat >wanted <<'EOT'
value  count
\n         1
a          1
|          2
EOT
counts wanted 'labels' gpuhist --format=table --nonzero --labels=char few
counts wanted '--header-out: the header is there once' \
    gpuhist --format=table --nonzero --labels=char --header-out few

cat >wanted <<'EOT'
field  value  count  percent
1         97      1       50
1        124      1       50

field  value  count  percent
2         10      1       50
2        124      1       50
EOT
counts wanted 'several fields' \
    gpuhist --format=table --record=u1,u1 --nonzero --percent few

echo 'value  count' >wanted
: >empty
counts wanted 'nothing' gpuhist --format=table --nonzero empty

printf 'city,price\nRom,1234567.125\nBrünn,0.5\nRom,3.5\n,7\nRom,x\n' >prices
cat >wanted <<'EOT'
city   count           sum        mean          sd  mode
           1          7.00        7.00        0.00  7.00
Brünn      1          0.50        0.50        0.00  0.50
Rom        2  1,234,570.62  617,285.31  617,281.81  3.50
EOT
gpuhist -q --csv -g city -f price --columns=count,sum,mean,sd,mode \
    --format=table --thousands --round=2 prices >out
same out wanted '--round and --thousands'
gpuhist -q --csv -f city,price --joint --percent --round=1 --format=table \
    prices >numbers
grep -q '^Rom    1234567.125      1     20.0$' numbers
ok $? 'labels are texts as they were'

printf 'a,y\na,y\na,xx\nbb,x\\xff\nc\n' >modes
cat >wanted <<'EOT'
field1  mode    count
a       y           3
bb      x\\xff      1
c       \N          0
EOT
gpuhist -q -d, -g1 -f2 --columns=mode,count --format=table modes >out
same out wanted 'figures that are keys'

# ---- a file is printed as to a terminal ----

gpuhist -l --format=table few >out
gpuhist -l --format=table -o file few
same out file '-o prints the same'
if command -v script >script-path; then
    script -qec "$GPUHIST -l --format=table few" /dev/null </dev/null |
        tr -d '\r' >shown
    same out shown '... as a terminal gets'
else
    skip '... as a terminal gets' 'no script'
fi

# ---- several inputs: a table for each ----

echo longer >long
gpuhist -l --per-file --format=table few long >out
cat >wanted <<'EOT'
file  line  count
few   a||       1

file  line    count
long  longer      1
EOT
same out wanted '--per-file'

# ---- what is refused ----

for option in --round=2 --thousands; do
    for format in tsv csv md json jsonl uniq; do
        refused 2 "$option, $format" gpuhist "$option" --format=$format few
        is "$(cat err)" "gpuhist: ${option%=*} needs --format=table" '... why'
    done
done
for value in '' -1 31 2.5 x; do
    refused 2 "--round=$value" gpuhist --format=table --round="$value" few
done
is "$(cat err)" "gpuhist: --round: 'x' is not a number of decimals from 0 to 30" \
    '... why'
refused 2 '--every: tables do not say where one ends' \
    gpuhist --format=table --every=1k few

# ---- against tsv ----

python_checks "$srcdir/tests/cli/table_oracle.py"

done_testing
