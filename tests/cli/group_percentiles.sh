# SPDX-License-Identifier: MIT
# group_percentiles.sh -- percentiles and quartiles of the numbers of groups
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
"Bern",2.5
Bern,-0
Bern,nan
Bern,
Ulm,4
Ulm,1e300
Ulm,0.0000000001
Ulm,4611686018.427387903
Ulm,4611686018.427387904
Ulm,inf
Rom,7
,3
END

prints ' 1 3 3 3
Bern 3 1.5 0 2.5
Rom 1 7 7 7
Ulm 6 4611686018.427387903 1e-10 inf' 'short and long numbers' \
    --columns=count,p50,p1,p100
prints 'Ulm 4611686018.427387903
Rom 7
 3
Bern 1.5' 'groups in the order of a percentile' --columns=p50 --sort=p50
prints 'Ulm 6 4611686018.427387903
\other 5 2.5' 'the line for others has the numbers of its groups' \
    --columns=count,p50 --top=1

cat >infinite <<'END'
a;inf
a;-inf
a;1
b;-inf
b;0.12345678901
b;12345678901234567890.5
c;inf
c;-1e-12
END
is "$(gpuhist -q -d';' -g1 -f2 --columns=count,min,max,sum,mean infinite |
    tr '\t' ' ')" 'a 3 -inf inf nan nan
b 3 -inf 12345678901234567890.5 -inf -inf
c 2 -1e-12 inf inf inf' 'infinities beside long numbers, and no percentile'

cat >two.csv <<'END'
city,kind,price,weight
Bern,a,1,10
Bern,b,2,20
Bern,a,3,x
Ulm,,4,40
Ulm,a,0.1234567890123,50
,a,6,60
"U""m",a,7,70
Ulm,a,8,
END
is "$(gpuhist -q --csv -g city,kind -f price --columns=count,p50 two.csv |
    tr '\t' ' ')" ' a 1 6
Bern a 2 1
Bern b 1 2
U"m a 1 7
Ulm  1 4
Ulm a 2 0.1234567890123' 'groups of two keys'
is "$(gpuhist -q --csv -g city,kind -f price,weight --columns=count,p50 \
    --top=1 two.csv | tr '\t' ' ')" 'price Bern a 2 1
price \other \other 6 4
weight  a 1 60
weight \other \other 5 40' 'groups of two keys, of two fields, and others'

# Of the larger group, all threads look at the numbers.
awk 'BEGIN {
    for (i = 0; i < 600000; i++)
        printf "%s;%.3f\n", i % 50 ? "large" : "small", i * 7919 % 600011 / 1e3
}' >large
for options in '-g1 -f2' '-f2' '-g1 -f2 --top=1'; do
    for threads in 1 3; do
        # shellcheck disable=SC2086 # several options
        gpuhist -q -d';' $options -j$threads \
            --columns=count,mean,p1,p50,p99 large >out$threads
    done
    is "$(cat out3)" "$(cat out1)" "a large group with several threads: $options"
done
LC_ALL=C grep large large | sort -t';' -k2,2n | sed -n '294000s/.*;//p' >median
is "$(gpuhist -q -d';' -g1 -f2 -j3 --columns=p50 large | sed -n 's/large.//p')" \
    "$(cat median)" 'the median of a large group'

python_checks "$srcdir/tests/cli/group_percentiles_oracle.py"

done_testing
