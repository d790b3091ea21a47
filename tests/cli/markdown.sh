# SPDX-License-Identifier: MIT
# markdown.sh -- --format=md, as readers of GitHub's Markdown see it
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

# ---- golden outputs ----

cat >wanted <<'EOT'
| value | count |
| :--- | ---: |
| \\n | 1 |
| a | 1 |
| \| | 2 |
EOT
# As gpuhist-format(5) has it.
printf 'a||\n' >few
counts wanted 'labels' gpuhist --format=md --nonzero --labels=char few
counts wanted '--header-out: the header is there once' \
    gpuhist --format=md --nonzero --labels=char --header-out few

cat >wanted <<'EOT'
| field | value | count | percent |
| :--- | ---: | ---: | ---: |
| 1 | 97 | 1 | 50 |
| 1 | 124 | 1 | 50 |

| field | value | count | percent |
| :--- | ---: | ---: | ---: |
| 2 | 10 | 1 | 50 |
| 2 | 124 | 1 | 50 |
EOT
counts wanted 'several fields' \
    gpuhist --format=md --record=u1,u1 --nonzero --percent few

printf '| value | count |\n| ---: | ---: |\n' >wanted
: >empty
counts wanted 'nothing' gpuhist --format=md --nonzero empty

# ---- a part of the input ----

if python3 -c '' 2>python-says; then
    status=$(python3 -BIS "$srcdir/tests/cli/signalled.py" -f few feed \
        'ask: 4 bytes ' TERM -- "$GPUHIST" --format=md --interrupted=print \
        --nonzero --labels=char)
    # The empty line keeps the mark out of the table.
    cat >wanted <<'EOT'
| value | count |
| :--- | ---: |
| \\n | 1 |
| a | 1 |
| \| | 2 |

*incomplete: interrupted by SIGTERM after 4 bytes*
EOT
    is "$status" 143 'a run that a signal ends'
    same out wanted '... has a mark below the table'
    if command -v cmark-gfm >cmark-path; then
        cmark-gfm -e table out | tail -n 1 >last
        sed -n 's|^[*]\(.*\)[*]$|<p><em>\1</em></p>|p' out >wanted
        same last wanted '... which is a paragraph'
    else
        skip '... which is a paragraph' 'no cmark-gfm'
    fi
else
    skip 'a run that a signal ends' 'no python3'
fi

# ---- what follows what was printed before ----

refused 2 '--every: tables do not say where one ends' \
    gpuhist --format=md --every=1k few

# ---- against tsv ----

python_checks "$srcdir/tests/cli/markdown_oracle.py"
command -v cmark-gfm >cmark-path ||
    skip 'what cmark-gfm makes of it' 'no cmark-gfm'

done_testing
