# SPDX-License-Identifier: MIT
# lists.sh -- elements of several lists in an invocation
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

cat >list.jsonl <<'END'
{"u":"x","t":["a","b","a"],"items":[{"sku":"s1","q":2},{"sku":"s2"}],"w":1}
{"u":"y","t":[],"items":[{"sku":"s1","q":1.5},{"q":1},7]}
{"u":"x","items":null,"w":2}
END
printf 't[]\t%s\t%s\n' a 2 b 1 '\N' 1 >wanted
printf 'items[].sku\t%s\t%s\n' s1 2 s2 1 '\N' 3 >>wanted
printf 'u\t%s\t%s\n' x 2 y 1 >>wanted
counts wanted 'two lists and records' \
    gpuhist --jsonl -f 't[],items[].sku,u' list.jsonl
printf 't[]\t%s\t%s\n' a 2 b 1 '\N' 2 >wanted
printf 'items[].sku\t%s\t%s\n' s1 1 s2 1 '\N' 2 >>wanted
counts wanted 'weights of records with two lists' \
    gpuhist -q --jsonl -f 't[],items[].sku' --weights=w list.jsonl
"$GPUHIST" --jsonl -f 't[],items[].sku' --weights=w list.jsonl >out 2>says
is "$(cat says)" 'gpuhist: warning: 1 record has no weight' \
    'records without a weight, not elements'
"$GPUHIST" --jsonl -f 'items[].sku' --weights='items[].q' list.jsonl >out 2>says
is "$(cat says)" 'gpuhist: warning: 3 elements have no weight' \
    'elements without a weight'
says 2 "--weights: items[].q has a weight for each element of its list, and \
field t[] is of another list" 'weights of one of two lists' \
    gpuhist --jsonl -f 'items[].sku,t[]' --weights='items[].q' list.jsonl
says 2 "--weights: items[].q has a weight for each element of its list, and \
field u has no elements" 'weights of elements, and records' \
    gpuhist --jsonl -f 'items[].sku,u' --weights='items[].q' list.jsonl
says 2 "t[] and items[].sku are two lists: a histogram has the elements of one \
list" 'a group of another list' \
    gpuhist --jsonl -g 't[],u' -f 'u:lower,items[].sku' list.jsonl
printf 'a;b,x-y-z\na,x\n' >list.csv
printf '1:split=;\t%s\t%s\n' a 2 b 1 >wanted
printf '2:split=-\t%s\t%s\n' x 2 y 1 z 1 >>wanted
counts wanted 'two texts that are divided' \
    gpuhist --csv -f '1:split=;,2:split=-' list.csv

# Lists inside of each other.
cat >orders.jsonl <<'END'
{"id":"r1","orders":[{"id":"o1","w":2,"items":[{"sku":"a"},{"sku":"b"}]},
 {"id":"o2","items":[]},{"id":"o3"},7,{"id":"o4","items":"x"}]}
{"id":"r2","orders":[{"id":"o5","w":3,"items":[{"sku":"a"}]}]}
END
sed -i -e ':a' -e 'N' -e '$!ba' -e 's/,\n/,/g' orders.jsonl
printf '%s\t%s\n' a 2 b 1 '\N' 2 '\invalid' 1 >wanted
counts wanted 'a list inside of a list' \
    gpuhist --jsonl -f 'orders[].items[].sku' orders.jsonl
printf '%s\n' 'o1	a	1' 'o1	b	1' 'o3	\N	1' 'o4	\invalid	1' 'o5	a	1' \
    '\N	\N	1' >wanted
counts wanted 'the outer element is repeated' \
    gpuhist --jsonl -g 'orders[].id' -f 'orders[].items[].sku' orders.jsonl
printf '%s\t%s\n' a 5 b 2 '\N' 0 '\invalid' 0 >wanted
"$GPUHIST" -q --jsonl -f 'orders[].items[].sku' --weights='orders[].w' \
    orders.jsonl >out
same out wanted 'weights of the outer element'
printf 'r1\t1\n' >wanted
counts wanted 'a condition on inner elements' \
    gpuhist --jsonl -f id --where='orders[].items[].sku=b' orders.jsonl
says 2 "orders[].items[].sku and orders[].tags[] are two lists: a histogram has \
the elements of one list" 'two lists inside of one' gpuhist --jsonl \
    -g 'orders[].items[].sku' -f 'orders[].tags[]' orders.jsonl
says 2 "--fields: 'a[][][][][][][][][]' is no path of a member of JSON (of the \
elements of lists: a[], a[].b, a[].b[].c)" 'nine lists' \
    gpuhist --jsonl -f 'a[][][][][][][][][]' orders.jsonl
printf '{"a":[[[[[[[[1,2],[3]]]]]]]]}\n' >deep.jsonl
printf '1\t1\n2\t1\n3\t1\n' >wanted
counts wanted 'eight lists' gpuhist --jsonl -f 'a[][][][][][][][]' deep.jsonl

# Inner lists that batches of elements, and memory for values, end in.
python3 - >long.jsonl <<'END'
import json
for r in range(3):
    print(json.dumps({"a": [{"k": f"k{i % 7}" + "x" * 90,
                             "b": [f"v{j % 10}" for j in range(i * 40 % 9000)]}
                            for i in range(60)]}))
END
python3 - long.jsonl >wanted <<'END'
import collections, json, sys
counts = collections.Counter()
for line in open(sys.argv[1]):
    for a in json.loads(line)["a"]:
        for b in a["b"]:
            counts[a["k"] + "\t" + b] += 1
for key in sorted(counts):
    print(key, counts[key], sep="\t")
END
counts wanted 'long lists inside of lists' \
    gpuhist --jsonl -g 'a[].k' -f 'a[].b[]' long.jsonl

# As jq does it, where each list is one.
if command -v jq >/dev/null; then
    jq -r '.a[] | .k as $k | .b[] | [$k, .] | @tsv' long.jsonl | LC_ALL=C sort |
        uniq -c | awk -v OFS='\t' '{ print $2, $3, $1 }' >counted
    same counted wanted 'jq has the same elements'
else
    skip 'jq has the same elements' 'no jq'
fi

# Strings that start as an array does, or have the text of null.
for text in '[1,2]' '[a' '[' '[[' 'null' '[\"x' '[\u0041]' ''; do
    printf '{"t":"%s"}\n' "$text"
done >strings.jsonl
printf '\\invalid\t8\n' >wanted
counts wanted 'strings are no lists' gpuhist --jsonl -f 't[]' strings.jsonl

# 65 lists, and 64.
many()
{
    seq "$1" | sed 's/.*/t&[]/' | paste -sd, -
}
echo '{"t1":["a","b"],"t64":["c"]}' >many.jsonl
"$GPUHIST" -q --jsonl -f "$(many 64)" many.jsonl | grep -v '\\N' >out
printf 't1[]\ta\t1\nt1[]\tb\t1\nt64[]\tc\t1\n' >wanted
same out wanted '64 lists'
says 2 'more than 64 lists of elements' '65 lists' \
    gpuhist --jsonl -f "$(many 65)" many.jsonl

# The state has the elements of each list.
"$GPUHIST" --jsonl -f 'u,t[],items[].sku' --state=state list.jsonl >out
is "$(tr '\t' '\n' <state | grep '^elements=' | tr '\n' ' ')" \
    'elements=4 elements=6 ' 'elements in a state'
"$GPUHIST" --merge state >merged
same merged out 'a state gives the same rows'
tr '\n' '\f' <state | sed 's/elements=4/elements=5/' | tr '\f' '\n' >damaged
refused 1 'a damaged number of elements' gpuhist --merge damaged

python_checks "$srcdir/tests/cli/lists_oracle.py"

done_testing
