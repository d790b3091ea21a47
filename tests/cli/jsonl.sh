# SPDX-License-Identifier: MIT
# jsonl.sh -- objects of JSON, one a line
# shellcheck shell=sh disable=SC2016,SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

python_checks "$srcdir/tests/cli/jsonl_oracle.py"

# ---- the first bytes of a value ----

printf '%s\n' '{"a":"\u0061bcd"}' '{"a":"abce"}' '{"a":"\"\\x"}' \
    '{"a":12345}' '{"a":"\u00e9"}' '{"b":1}' >data
printf '"\\x\t1\n123\t1\nabc\t2\n\303\251\t1\n\\N\t1\n' >wanted
counts wanted '--prefix cuts values without escapes' \
    gpuhist --jsonl -f a --prefix=3 data
printf '"\t1\n1\t1\na\t2\n\303\t1\n\\N\t1\n' >wanted
counts wanted '... to the first byte' gpuhist --jsonl -f a --prefix=1 data
printf '"\t1\t1\n1\t1\t1\na\ta\t2\n\303\t\303\t1\n\\N\t\\N\t1\n' >wanted
sed 's/"a":\(.*\)}/"a":\1,"c":\1}/' data >both
sed 's/^"\t1\t/"\t"\t/; s/^1\t1\t/1\t1\t/' wanted >pairs
counts pairs '... of groups' gpuhist --jsonl -g a,c --prefix=1 both

# ---- jq agrees ----

if command -v jq >jq-path; then
    printf '%s\n' '{"a":{"b":1.5},"c":["\u00e9\ud83d\ude00"],"x y":true}' \
        '{"a":{"b":"1.5"},"a":{"b":"\u00fc-"},"c":[0]}' \
        '' '  {"c":["a\tb"],"x y":false,"a":{"b":"\/"}}  ' >data
    for path in .a.b '.c[0]' '.["x y"]'; do
        # What is not there is null.
        jq -r "$path | tostring" data |
            sed 's/^null$/\\N/; s/\t/\\t/' | sort >wanted
        "$GPUHIST" --jsonl -f "$path" data | cut -f1 | sort >got
        cmp -s wanted got
        ok $? "jq has the same keys: $path"
    done
else
    skip 'jq has the same keys' 'jq is not installed'
fi

done_testing
