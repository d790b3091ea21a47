# jsonl.sh -- objects of JSON, one a line
# shellcheck shell=sh disable=SC2016,SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

python_checks "$srcdir/tests/cli/jsonl_oracle.py"

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
