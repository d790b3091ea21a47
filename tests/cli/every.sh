# SPDX-License-Identifier: MIT
# every.sh -- snapshots
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

# ---- what is refused ----

for word in '' 0 0s -1s 1x s min 0.0001s 1e9h nans infs 1ss 1m '1 s' 0x1s; do
    refused 2 "--every='$word'" gpuhist --every="$word" --format=json </dev/null
    is "$(cat err)" "gpuhist: --every: '$word' is not a time from 1ms on (with \
ms, s, min, h or d) or a size" '... named'
done
for format in tsv csv prom uniq npy; do
    refused 2 "--format=$format again and again" \
        gpuhist --every=1s --format=$format </dev/null
done
refused 2 'pictures' gpuhist --every=1s --image --format=json </dev/null
refused 2 '--reset alone' gpuhist --reset </dev/null

# ---- a file ----

yes abcdefg | head -c 3000 >data
gpuhist data >wanted
for every in 1ms 0.001s 2.5min 1h 1d 1000 1k 1Gi; do
    counts /dev/null "--every=$every -o" gpuhist --every=$every -o file data
    same file wanted '... the totals in the end'
done
counts /dev/null '--reset -o' gpuhist --every=700 --reset -o file data
same file wanted '... likewise'

# The reader of this pipe is there until the file has what it was given.
mkfifo pipe
"$GPUHIST" --every=10ms -o live pipe &
gpuhist_pid=$!
exec 3>pipe
ls >before
head -c 1000 data >&3
gpuhist <data --read-bytes=1000 >wanted-live
wait_for cmp -s live wanted-live
same live wanted-live 'a file while the stream goes on'
kill -TERM $gpuhist_pid
wait $gpuhist_pid
is $? 143 'TERM'
exec 3>&-
same live wanted-live '... leaves the last one'
is "$(find . -name '.gpuhist*')" '' '... and nothing else'

# ---- standard output ----

gpuhist --every=1k --stats=only data >out
is "$? $(grep -c '^$' out) $(grep -c '^entropy' out)" '0 3 4' '--stats=only'
gpuhist --every=1k --plot=only --nonzero data >out
is "$? $(grep -c '^$' out)" '0 3' '--plot=only'
gpuhist --every=1k --plot --stats --svg=a.svg -o file data 2>err
is "$? $(grep -c '^$' err) $(grep -c '^entropy' err)" '0 3 4' \
    'bars and statistics beside'
gpuhist --format=jsonl --nonzero --every=1k data | grep totals >out
is "$(sed 's/.*"bytes":\([0-9]*\).*"records":[0-9]*\(.*\)}/\1 \2/' out |
    tr '\n' ';')" \
    '1000 ,"snapshot":1;2000 ,"snapshot":2;3000 ,"snapshot":3;3000 ;' \
    '--format=jsonl: where each ends'
counts /dev/null 'nothing but zeros' \
    gpuhist --every=1h -o file --stats=only /dev/null

# ---- what goes wrong ----

refused 1 'a full disk ends it' gpuhist --every=20ms -o /dev/full </dev/zero
grep -q '/dev/full' err
ok $? '... named'
if [ -c /dev/full ]; then
    gpuhist --every=20ms --format=json </dev/zero >/dev/full 2>err
    is "$? $(cat err)" \
        '1 gpuhist: standard output: write error: No space left on device' \
        'standard output is full'
fi
(
    gpuhist --every=20ms --format=json </dev/zero
    echo $? >status
) | head -c 1 >out
is "$(cat status)" 141 'nobody reads it any more'
gpuhist --every=10 --format=json none data >out 2>err
is "$? $(wc -c <out) $(cat err)" \
    '1 0 gpuhist: none: cannot open: No such file or directory' \
    'no snapshots after a bad input'
refused 1 'the first bad input ends it' \
    gpuhist --every=20ms --format=json none /dev/zero
is "$(cat err)" 'gpuhist: none: cannot open: No such file or directory' \
    '... named'
printf 'abcdefgh' | gpuhist --every=1 --dtype=u4 --nonzero --format=json \
    --memory-limit=1000 >out 2>err
is "$? $(wc -c <out)" '2 0' 'no room'

# The bytes that are needed for everything, of 2048 for each table.
needed()
{
    gpuhist --device=cpu --format=json --memory-limit=1 "$@" </dev/null 2>&1 |
        sed 's/.*bytes: \([0-9]*\) would be needed (2048 bytes .*/\1/'
}
alone=$(needed)
is "$(needed --every=1) $(needed --every=1 --reset)" \
    "$((alone + 2 * 2048)) $((alone + 3 * 2048))" \
    '--memory-limit knows of what snapshots take'

# ---- beside what should be in them ----

if ! python3 -c '' 2>python-says; then
    skip 'every.py' 'no python3'
    done_testing
    exit
fi
fake=
[ "$HAVE_NVCC" = no ] || fake=$FAKE_CUDA_DIR
python3 -B "$srcdir/tests/cli/every.py" "$GPUHIST" "$fake" >snapshots 2>says
sed '/^1\.\.[0-9]*$/d; s/^\(not \)\{0,1\}ok [0-9]* /\1ok /' snapshots
tap_count=$((tap_count + $(grep -c -e '^ok ' -e '^not ok ' snapshots)))
grep -q '^1\.\.' snapshots
ok $? 'all of them' || sed 's/^/# /' says

# ---- keys ----

printf 'b\na\nb\nc' >lines
gpuhist -l lines >wanted
counts /dev/null '--every -o: keys' gpuhist -l --every=1h -o file lines
same file wanted '... the total in the end'
counts /dev/null '... and --reset' gpuhist -l --every=1h --reset -o file lines
same file wanted '... likewise'
counts /dev/null '--every -o: a size' gpuhist -l --every=2 -o file lines
same file wanted '... the total in the end'
printf 'x\nx\n' >none
refused 1 'no number at the end' gpuhist -d, -f1 -b4 --every=2 -o file none
refused 2 'keys for numpy' \
    gpuhist -l --every=1s --format=npy -o file lines
refused 2 'keys in tsv, again and again' gpuhist -l --every=1s lines
printf 'a\t1\nb\t2\n' >wanted-live
"$GPUHIST" -l --every=10ms -o live pipe &
gpuhist_pid=$!
exec 3>pipe
printf 'b\na\nb\nc' >&3
wait_for cmp -s live wanted-live
same live wanted-live 'keys while the stream goes on, without half a line'
exec 3>&-
wait $gpuhist_pid
same live wanted '... and in the end'

"$GPUHIST" -l --interrupted=print --progress=always -o live pipe 2>err &
gpuhist_pid=$!
exec 3>pipe
printf 'b\na\nb\nc' >&3
wait_for grep -q '7 bytes read' err
kill -TERM $gpuhist_pid
exec 3>&-
wait $gpuhist_pid
is "$? $(grep -c '^b.2$' live) $(grep -c '^# incomplete' live)" '143 1 1' \
    '--interrupted=print of keys'

python_checks "$srcdir/tests/cli/every_keys_oracle.py"
export HAVE_ZSTD
python_checks "$srcdir/tests/cli/every_size_oracle.py"

# Two bytes are no byte order mark that is not complete.
# shellcheck disable=SC2094 # that is what it waits for
{
    printf '1\n'
    wait_for grep -q '"values":1,' out
    echo 2
} | "$GPUHIST" -l --every=100ms --format=jsonl >out
grep -q '"values":1,' out
ok $? 'a first line of two bytes is in a snapshot'

done_testing
