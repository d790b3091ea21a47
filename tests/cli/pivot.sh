# SPDX-License-Identifier: MIT
# pivot.sh -- --pivot: a column for each value of the last key
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

# prints LINES NAME ARGUMENT...: what the arguments print, with blanks for tabs.
prints()
{
    prints_lines=$1
    prints_name=$2
    shift 2
    is "$(gpuhist --csv --pivot "$@" table.csv 2>err | tr '\t' ' ')" \
        "$prints_lines" "$prints_name"
}

cat >table.csv <<'END'
status,method
200,GET
200,GET
200,"HEAD,x"
200,POST
404,GET
404
404,GET
,PUT
END

prints 'status GET HEAD,x POST PUT \N
 0 0 0 1 0
200 2 1 1 0 0
404 2 0 0 0 1' 'a column for each value, with zeros' -g status,method
prints 'status GET HEAD,x POST PUT \N
 0 0 0 1 0
200 2 1 1 0 0
404 2 0 0 0 1' 'of a field in each group' -g status -f method
prints 'status GET HEAD,x POST PUT \N
 0 0 0 1 0
200 2 1 1 0 0
404 2 0 0 0 1' 'of joint fields' -f status,method --joint
prints 'status GET \N \other
200 2 0 2
\other 2 1 1' 'the greatest row and column' -g status,method --top=1
prints 'status GET \N
200 2 0' '... without the others' -g status,method --top=1 --no-other
is "$(cat err)" 'gpuhist: warning: 6 records of other keys are not shown' \
    'a warning counts all that is not shown'
prints 'status GET \N \other
200 2 0 2
404 2 1 0
\other 0 0 1' 'rows and columns that are not rare' -g status,method --min-count=2
prints 'status,GET,"HEAD,x",POST,PUT,\N
,0,0,0,1,0
200,2,1,1,0,0
404,2,0,0,0,1' 'csv' -g status,method --format=csv
prints '| status | GET | HEAD,x | POST | PUT | \\N |
| :--- | ---: | ---: | ---: | ---: | ---: |
|  | 0 | 0 | 0 | 1 | 0 |
| 200 | 2 | 1 | 1 | 0 | 0 |
| 404 | 2 | 0 | 0 | 0 | 1 |' 'md' -g status,method --format=md
is "$(gpuhist --csv -g status,method --pivot --top=1 --format=jsonl table.csv |
    head -n 2)" \
    '{"status":"200","cells":[{"method":"GET","count":2},{"method_flow":"missing","count":0},{"other":true,"count":2}]}
{"other":true,"cells":[{"method":"GET","count":2},{"method_flow":"missing","count":1},{"other":true,"count":1}]}' \
    'jsonl'
prints 'status' 'no records' -g status,method --where='status=1'

# ---- aligned ----

is "$(gpuhist --csv -g status,method --pivot --format=table table.csv)" \
    'status  GET  HEAD,x  POST  PUT  \N
          0       0     0    1   0
200       2       1     1    0   0
404       2       0     0    0   1' 'an aligned table'
# The lines are walked twice, and --top and --min-count leave out groups.
for options in '' --top=1 --min-count=2 '--top=2 --no-other' --sort=count \
    '--min-count=2 --no-other' --weights=status; do
    # shellcheck disable=SC2086 # some options
    gpuhist -q --csv -g status,method --pivot $options table.csv |
        tr '\t' ' ' >wanted
    # shellcheck disable=SC2086 # some options
    gpuhist -q --csv -g status,method --pivot $options --format=table \
        table.csv | tr -s ' ' >out
    same wanted out "... has what the lines have: $options"
done

# ---- what is refused ----

says 2 '--pivot needs rows and columns: --group-by with two or more keys or '\
'with --fields, or --joint' 'one key' \
    gpuhist --csv -f method --pivot table.csv
says 2 '--pivot is one table: give one field beside --group-by' 'two fields' \
    gpuhist --tsv -g 1 -f 2,3 --pivot table.csv
says 2 '--pivot has a column for each value: no bins for the last field' \
    'bins' gpuhist --csv -g method -f status -b4 --pivot table.csv
says 2 '--pivot and --percent exclude each other' 'another column' \
    gpuhist --csv -g status,method --pivot --percent table.csv
awk 'BEGIN { for (i = 0; i < 90000; i++) printf "%d\t%020d\n", i % 7, i }' >many
refused 1 'values of the last key that do not fit into the memory' \
    gpuhist --tsv -g1,2 --pivot --memory-limit=9Mi many
is "$(sed 's/[0-9][0-9]*/N/' err)" 'gpuhist: --pivot: the last key has more '\
'than N values, for which --memory-limit has no room; the key with fewer '\
'values comes last' '... says so'
gpuhist --tsv -g2,1 --pivot --memory-limit=9Mi many >out
is "$(wc -l <out) $(head -n 1 out | tr '\t' ' ')" '90001 field2 0 1 2 3 4 5 6' \
    '... which the rows need not'
says 2 '--pivot does not apply to --format=uniq' 'uniq' \
    gpuhist --csv -g status,method --pivot --format=uniq table.csv

python_checks "$srcdir/tests/cli/pivot_oracle.py"

done_testing
