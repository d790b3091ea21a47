# SPDX-License-Identifier: MIT
# driver_calls.sh -- each call of a driver goes wrong while a GPU decodes
#
# To be sourced after tap.sh by tests/cuda/FORMAT.sh, over the driver of
# tests/fake.  That says with run() how the program is run; the file cpu has
# what is right.
# shellcheck shell=sh disable=SC2154

# The errors in a ledger: all figures that are not 0.
complaints()
{
    grep -E '^(outstanding|misuse|note) ' ledger | grep -v ' 0$'
}

# list_calls: the file calls gets the calls of the ledger, and how often each
# was made.
list_calls()
{
    sed -n 's/^calls \(cu[A-Za-z0-9_]*\) \([1-9][0-9]*\)$/\1 \2/p' ledger |
        grep -v 'cuGetError' >calls
    wrong=
    tried=0
}

# call_fails FAULT ARGUMENT...: a run with FAULT, which FAKE_CU_FAIL takes.
call_fails()
{
    call_fault=$1
    shift
    rm -f fired
    FAKE_CU_FIRED=fired FAKE_CU_FAIL=$call_fault \
        run --gpu-decode=always --gpu-timeout=0.2 "$@" >out 2>err
    status=$?
    test -s fired || return 0
    tried=$((tried + 1))
    case $status in
    0) cmp -s out cpu || wrong="$wrong $call_fault" ;;
    # What goes wrong at the start is told, and nothing is counted.
    3) test ! -s out && test "$(wc -l <err)" = 1 ||
        wrong="$wrong $call_fault" ;;
    *) wrong="$wrong $call_fault:$status" ;;
    esac
}

# each_call_fails SKIP ARGUMENT...: most calls from the 12th on are alike, so
# SKIP of them are left out after each.
each_call_fails()
{
    calls_skip=$1
    shift
    turn=0
    while read -r symbol count; do
        n=1
        while test "$n" -le "$count"; do
            for how in 719 719:lost 999:sticky 1:hang; do
                turn=$((turn + 1))
                expensive || test $((turn % 41)) = 0 ||
                    test "$n$how" = 11:hang || continue
                call_fails "$symbol:$n:$how" "$@"
            done
            n=$((n + 1))
            expensive || test "$n" -lt 12 || n=$((n + calls_skip))
        done
    done <calls
}

# calls_failed: the tests of what failed.
calls_failed()
{
    is "$wrong" '' "each call goes wrong: $tried cases"
    is $((tried > 8)) 1 '... which were there'
}
