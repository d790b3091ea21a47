# SPDX-License-Identifier: MIT
# top_each.sh -- --top-each and --percent=group: the values of each group
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

# prints LINES NAME ARGUMENT...: what the arguments print, with blanks for tabs.
prints()
{
    prints_lines=$1
    prints_name=$2
    shift 2
    is "$(gpuhist --csv "$@" table.csv 2>err | tr '\t' ' ')" "$prints_lines" \
        "$prints_name"
}

cat >table.csv <<'END'
status,path
200,/a
200,/a
200,/b
200,/c
200,/d
404,/x
404
404,/a
404,/a
,/z
END

prints ' /z 1
200 /a 2
200 /b 1
200 \other 2
404 /a 2
404 /x 1
404 \N 1' 'the most frequent values of each group' \
    -g status,path --top-each=2
prints ' /z 1 100
200 /a 2 40
200 \other 3 60
404 /a 2 50
404 \N 1 25
404 \other 1 25' 'of a field, with the percentage of the group' \
    -g status -f path --top-each=1 --percent=group
prints '200 /a 2 40
200 \other 3 60
\other \other 5 nan' 'of the most frequent group' \
    -g status,path --top-each=1 --top=1 --percent=group
prints '200 /a 2 2
200 /b 1 3
200 \other 2 5
404 /a 2 7
404 /x 1 8
404 \N 1 9
 /z 1 10' 'groups by their totals' \
    -g status,path --top-each=2 --sort=count --cumulative
prints ' \other 1
200 /a 2
200 \other 3
404 /a 2
404 \other 2' 'rare values are among the others of their group' \
    -g status,path --top-each=2 --min-count=2
gpuhist --csv -g status,path --top-each=1 --no-other table.csv >out 2>err
is "$(cat err)" 'gpuhist: warning: 4 records of other keys are not shown' \
    'a warning counts the others of all groups'
is "$(gpuhist --csv -g status,path --top-each=1 --format=jsonl table.csv |
    sed -n '3p;5p;6p')" '{"status":"200","other":true,"count":3}
{"status":"404","path_flow":"missing","count":1}
{"status":"404","other":true,"count":1}' 'jsonl'
is "$(gpuhist --csv -g status,path --top-each=1 --format=uniq table.csv |
    tr -s ' ')" ' 1 ,/z
 2 200,/a
 2 404,/a' 'uniq'

# ---- what is refused ----

groups='needs groups and their values: --group-by with two or more keys, or '\
'with --fields'
says 2 "--top-each $groups" 'one key' \
    gpuhist --csv -g path --top-each=2 table.csv
says 2 "--top-each $groups" 'no groups' \
    gpuhist --csv -f path --top-each=2 table.csv
says 2 "--percent=group $groups" 'a percentage of no group' \
    gpuhist --percent=group table.csv
says 2 '--top-each and --columns exclude each other' 'figures of groups' \
    gpuhist --csv -g status -f path --top-each=2 --columns=count table.csv
says 2 '--top-each is for tables: no --plot and no --svg' 'a picture' \
    gpuhist --csv -g status,path --top-each=2 --plot table.csv
says 2 '--top-each does not apply to --format=state' 'a state' \
    gpuhist --csv -g status,path --top-each=2 --format=state table.csv

python_checks "$srcdir/tests/cli/top_each_oracle.py"

done_testing
