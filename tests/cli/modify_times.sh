# modify_times.sh -- modifiers of times beside Python's datetime
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

tell_length
if command -v python3 >python-is; then
    checks modify_times_oracle.py \
        python3 -B "$srcdir/tests/cli/modify_times_oracle.py" "$PRINT_MODIFIED"
else
    skip modify_times_oracle.py 'no python3'
fi

done_testing
