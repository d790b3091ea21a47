# SPDX-License-Identifier: MIT
# progress.sh -- the line that says how far a run has come
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

if ! python3 -c '' 2>python-says; then
    skip_all 'no python3'
fi

for option in --progress --progress=always --progress=never --progress=auto; do
    printf abc | gpuhist $option >out 2>err
    is "$? $(wc -l <out) $(cat err)" '0 256 ' "a short run: $option"
done
for word in '' Auto autos 1; do
    refused 2 "--progress='$word'" gpuhist --progress="$word"
    is "$(cat err)" \
        "gpuhist: --progress: '$word' is not auto, always or never" '... named'
done

# ---- terminals of our own ----

python3 -BIS "$srcdir/tests/cli/progress.py" "$GPUHIST" >terminals 2>&1
sed '/^1\.\.[0-9]*$/d; s/^\(not \)\{0,1\}ok [0-9]* /\1ok /' terminals
tap_count=$((tap_count + $(grep -c -e '^ok ' -e '^not ok ' terminals)))
grep -q '^1\.\.' terminals
ok $? 'all of them'

# ---- a terminal that others made ----

# shellcheck disable=SC2016 # for the shell in there
if ! command -v tmux >tmux-path ||
    ! tmux -S socket -f /dev/null new-session -d -x 50 -y 9 \
        'echo $$ >pid; while [ ! -e end ]; do sleep 0.1; done | "$GPUHIST" >out
         echo over; while [ ! -e gone ]; do sleep 0.1; done' 2>err; then
    skip 'tmux' 'it is not there or cannot'
    done_testing
    exit
fi
shown '^0 bytes read in [0-9.]* s, 0 B/s; '
ok $? 'tmux shows how far it is'
is "$(grep -c . screen)" 1 '... in one row'
: >end
shown '^over'
is "$(cat screen)" over '... and nothing when it is over'
: >gone
tmux -S socket kill-server 2>err

done_testing
