# SPDX-License-Identifier: MIT
# state_page.sh -- gpuhist-state(5) says what a state is, to the byte
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

page=$srcdir/man/gpuhist-state.5

# follows NAME FILE OPTION...: one test: the state of FILE is as the page says.
follows()
{
    follows_name=$1
    shift
    if ! gpuhist --state=state "$@" >/dev/null 2>says; then
        ok 1 "$follows_name: $(cat says)"
        return
    fi
    python3 "$srcdir/tests/cli/state_page_oracle.py" state "$page" >differs 2>&1
    follows_status=$?
    rm -f state
    if [ $follows_status -eq 77 ]; then
        skip "$follows_name" "no python3 with xxhash"
    else
        is "$follows_status: $(cat differs)" '0: ' "$follows_name"
    fi
}

noise 300000 >bytes
printf 'a,b\n1,x\n2.5,y\n,z\nq,\n' >rows.csv
printf 'a b\tc\\d\n' >lines
printf '@a\nACGT\n+\nIIII\n' >reads
printf 'P5 2 1 255\nab' >grey.pgm

follows 'bytes' bytes
follows 'two elements with weights' bytes --record='<u2,>f4,u2' -f 1-2 --weights=3 \
    -b 5 --range=0,9
follows 'joint, on a logarithmic axis' bytes --record=u2,u2 --joint --log \
    --range=1,9
follows 'groups of numbers' rows.csv --csv -g b -f a --dtype=decimal \
    --where='b!=y'
follows 'a range that is found' rows.csv --csv -f a -b 4
follows 'edges' rows.csv --csv -f a --edges=0,1,2 --where='a=\N'
follows 'weights of text' rows.csv --csv -f b --weights=a --where='b=x'
follows 'lines' lines --lines
follows 'names' lines -W -f NF,1
printf '{"a":[1,2],"o":[{"s":["x","y"]},{"s":[]}],"w":2}\n' >lists
follows 'elements of lists' lists --jsonl -f 'a[],o[].s[]'
follows 'elements with weights' lists --jsonl -f 'o[].s[]' --weights=w
follows 'modifiers of names' reads --seq -f name:lower --where='name:prefix=1=a'
follows 'bases' reads --seq -f position,quality
follows 'k-mers' reads --kmers=3
follows 'an image' grey.pgm --image

done_testing
