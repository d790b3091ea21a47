# SPDX-License-Identifier: MIT
# help.sh -- the examples of --help=TOPIC do what they say
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

# shellcheck source=tests/cookbook_files.sh
. "$srcdir/tests/cookbook_files.sh"

for topic in text logs bins figures seq archives output gpu state; do
    "$GPUHIST" --help=$topic | grep -e '^  gpuhist' -e '^  find' >../examples
    while read -r example; do
        sh -c "$example" >../out 2>../err
        ok $? "an example: $example" || sed 's/^/# /' ../err
        [ -s ../out ] || case $example in
            *' -o '*) ;;
            *) ok 1 '... which prints nothing' ;;
        esac
    done <../examples
    [ -s ../examples ]
    ok $? "a topic with examples: $topic"
done

done_testing
