# SPDX-License-Identifier: MIT
# descriptors.sh -- standard streams that are closed, full or out of reach
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

noise 20000 >data
oracle <data >wanted

# ---- closed descriptors, in all combinations ----

# close_some STREAMS ARGUMENT...: run with the standard streams that are
# named closed, those that are not for reading the data, into "out" and "err".
close_some()
{
    closed=$1
    shift
    : >out
    : >err
    (
        exec <data >out 2>err
        case $closed in *0*) exec <&- ;; esac
        case $closed in *1*) exec >&- ;; esac
        case $closed in *2*) exec 2>&- ;; esac
        exec timeout 60 "$GPUHIST" --device=cpu "$@"
    )
}

# An input is opened as the lowest descriptor that is free: neither it nor
# anything else may be taken for a standard stream.
for closed in none 0 1 2 01 02 12 012; do
    for what in data - 'data missing' 'data data data' --help \
        '--image --equalize=new image'; do
        printf 'P5\n20 10\n255\n%0200d' 0 >image
        cp image image.copy
        rm -f new
        # shellcheck disable=SC2086 # several words
        close_some $closed $what
        status=$?

        case $closed:$what in
            *1*:*) want_status=1 ;; # nowhere to print to
            *:*missing) want_status=1 ;;
            *0*:-) want_status=1 ;;
            *) want_status=0 ;;
        esac
        want_lines=$want_status
        case $closed in *2*) want_lines=0 ;; esac
        if [ $want_status -eq 0 ]; then
            case $what in
                data | -) cmp -s out wanted ;;
                *) [ -s out ] ;;
            esac
        else
            [ ! -s out ]
        fi
        is "$? $status $(wc -l <err)" "0 $want_status $want_lines" \
            "closed: $closed, $what"
        same image image.copy '... the input is as it was'
    done
done

# ---- a file that must not grow ----

# The system takes so many blocks and no more: each write but the last is taken
# as a whole, that one in part.
limited()
{
    (
        trap '' XFSZ
        # shellcheck disable=SC3045 # every shell that we meet has it
        ulimit -f "$1" || exit 126
        shift
        exec "$GPUHIST" --device=cpu -q --dtype=u2 -b 1000 "$@"
    )
}

gpuhist -q --dtype=u2 -b 1000 data >whole
bad=
refusals=0
blocks=0
while :; do
    limited $blocks data 2>&1 >out | cat >err
    if [ ! -s err ]; then
        same out whole 'a file that may become as large as it must'
        break
    fi
    refusals=$((refusals + 1))
    # What is there is how the output begins.
    [ "$(cat err)" = 'gpuhist: standard output: write error: File too large' ] &&
        head -c "$(wc -c <out)" whole | cmp -s - out &&
        [ "$(wc -c <out)" -lt "$(wc -c <whole)" ] || bad="$bad $blocks"
    blocks=$((blocks + 1))
done
is "$bad" '' 'files that must not become so large'
[ $refusals -gt 10 ]
ok $? "... of $refusals sizes"

# ---- messages that are lost ----

# The status is all that is left.
if [ -c /dev/full ]; then
    gpuhist missing >out 2>/dev/full
    is "$? $(wc -c <out)" '1 0' 'standard error is full'
    gpuhist -v --explain data >out 2>/dev/full
    is $? 0 '... which is no reason to fail'
    same out wanted '... and counts'
    gpuhist data >/dev/full 2>&1
    is $? 1 'both are full'
else
    skip 'standard error is full' 'no /dev/full'
fi

# ---- a standard stream that does not wait ----

# It has O_NONBLOCK, as where a parent shares a terminal, and is full at first.
if python3 -c '' 2>python-says; then
    python3 -BIS "$srcdir/tests/fault/nonblocking.py" 2 "$GPUHIST" missing \
        >status
    is "$(cat status) $(cat read)" \
        '1 gpuhist: missing: cannot open: No such file or directory' \
        'a message waits for room'
    while read -r fd options; do
        # shellcheck disable=SC2086 # several words
        gpuhist $options data >wanted.1 2>wanted.2
        # shellcheck disable=SC2086 # likewise
        python3 -BIS "$srcdir/tests/fault/nonblocking.py" "$fd" "$GPUHIST" \
            $options data >status
        is "$(cat status)" 0 "$options waits for room"
        [ -s read ] && cmp -s read "wanted.$fd"
        ok $? '... and all of it is there'
    done <<'EOT'
1 --help
1 --version
1 --list-devices --device=cuda
1 --list-strategies --device=cuda
1 --device=cpu
1 --device=cpu --stats=only
1 --device=cpu --plot=only
1 --device=cpu -o table --svg=/dev/stdout
2 --device=cpu -o table --stats
2 --device=cpu -o table --plot
2 --device=cpu -o table -j1 --explain
EOT
else
    skip 'a standard stream that does not wait' 'no python3'
fi

done_testing
