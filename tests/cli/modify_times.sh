# SPDX-License-Identifier: MIT
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

for second in 00 59; do
    for hour in 06 07; do
        echo "10.0.0.1 - - [28/Nov/2026:$hour:41:$second +0100]" \
            '"GET / HTTP/1.1" 200 5'
    done
done >data
printf '2026-11-28T06\t2\n2026-11-28T07\t2\n' >wanted
counts wanted 'the hours of a log' gpuhist --clf -f time:hour data
printf '2026-11-28T05:40\t1\n2026-11-28T06:40\t1\n' >wanted
counts wanted 'intervals in UTC, and a condition on another part' \
    gpuhist --clf -f time:utc:floor=5min \
    --where='time:second!=2026-11-28T06:41:00' \
    --where='time:second!=2026-11-28T07:41:00' data
says 2 "--fields: the modifier floor needs a whole number and s, min, h, d or \
w, such as 5min, not '5m'" 'minutes are min' \
    gpuhist --clf -f time:floor=5m data

done_testing
