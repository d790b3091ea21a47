# SPDX-License-Identifier: MIT
# redraw.sh -- pictures of --every that replace each other on a terminal
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

# Ten thousand lines, of which each hundredth is a key of its own.
awk 'BEGIN { for (i = 0; i < 10000; i++) print "k" i % 5 }' >lines
gpuhist -l --every=20k --plot=only lines >out 2>err
ok $? 'a file has all pictures'
is "$(grep -c counted out)" 2 '... one after the other'
! grep -q "$(printf '\033')" out
ok $? '... and no escape sequences'

mkfifo fifo
if ! command -v tmux >tmux-path || ! tmux -S socket -f /dev/null new-session -d \
    -x 50 -y 30 "$GPUHIST --device=cpu -l --every=25k --progress=never --plot=only <fifo & \
        echo \$! >pid; wait; echo over; sleep 100" 2>err; then
    skip 'tmux' 'it is not there or cannot'
    done_testing
    exit
fi
trap 'tmux -S socket kill-server 2>err; cd /; rm -rf "$tap_dir"' EXIT

# has_pictures N NAME: the screen shows as many.
has_pictures()
{
    is "$(grep -c counted screen)" "$1" "$2" || sed 's/^/# /' screen
}

exec 3>fifo
cat lines >&3
shown '^k4 166'
ok $? 'the first picture'
cat lines >&3
shown '^k4 333'
ok $? 'a later one'
has_pictures 1 '... is in its place'
kill -s STOP "$(cat pid)" && kill -s CONT "$(cat pid)"
cat lines >&3
shown '^k4 \(5000\|4999\)'
has_pictures 2 'after a stop it is below'
tmux -S socket resize-window -x 40 -y 30 2>err
cat lines >&3
shown '^k4 666'
grep -q '^k4 \(5000\|4999\)' screen
ok $? 'after a resize, too'
exec 3>&-
shown '^over'
is "$(grep -c '^k4 8000' screen)" 1 'the result comes last'
is "$(grep -c '^k4 666' screen)" 0 '... in the place of the one before'

# What else is written to the terminal stays, and no picture covers it.
tmux -S socket kill-server 2>err
sleep 0.5
if ! tmux -S socket -f /dev/null new-session -d \
    -x 50 -y 40 "$GPUHIST --device=cpu -l --every=25k --progress=never --plot=only \
        --explain <fifo & echo \$! >pid; wait; echo over; sleep 100" 2>err; then
    skip 'messages and pictures' "tmux cannot: $(cat err)"
else
    exec 3>fifo
    cat lines >&3
    shown '^k4 166'
    cat lines >&3
    shown '^k4 333'
    exec 3>&-
    shown '^over'
    is "$(grep -c '^k4 333' screen) $(grep -c '^k4 4000' screen)" '1 1' \
        'an explanation between two pictures'
fi

# Statistics stand above the picture, and both fit into the screen.
tmux -S socket kill-server 2>err
sleep 0.5
if ! tmux -S socket -f /dev/null new-session -d \
    -x 50 -y 24 "$GPUHIST --device=cpu --every=10k --progress=never --plot=only --stats <fifo & \
        echo \$! >pid; wait; echo over; sleep 100" 2>err; then
    skip 'statistics above a picture' 'tmux cannot'
else
    exec 3>fifo
    cat lines >&3
    shown 'values *30000'
    ok $? 'statistics and a picture'
    has_pictures 1 '... each in the place of the one before'
    is "$(grep -c '^values' screen) $(sed -n '/^values/,/counted/p' screen | grep -c .)" '1 12' \
        '... the statistics above'
    exec 3>&-
    shown '^over'
    is "$(grep -c '^values' screen) $(grep -c ': [0-9]* counted' screen)" '1 1' '... to the end'
fi

done_testing
