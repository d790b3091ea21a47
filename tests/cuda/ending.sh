# SPDX-License-Identifier: MIT
# ending.sh -- a driver that ends the process: exit(), abort(), a crash
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

test "$HAVE_NVCC" = yes || skip_all "no kernels: no driver is ever loaded"
test -f "$FAKE_CUDA_DIR/libcuda.so.1" || exit 99
export LD_LIBRARY_PATH="$FAKE_CUDA_DIR"
export FAKE_CU_FIRED="$tap_dir/fired"

run()
{
    timeout 60 "$GPUHIST" --chunk-size=16Ki "$@"
}

# leftovers: the temporary files that are left.
leftovers()
{
    find . -name '.gpuhist*'
}

noise 400000 >data
run --device=cpu data >cpu
run --device=cpu data data data >cpu3
ended="gpuhist: a device's driver called exit() before all was counted and \
printed"
again=', the inputs are counted again'

# A sanitizer handles signals itself.
hard='abort crash'
! instrumented || hard=abort

# ---- a GPU that is demanded: no run ends with 0 ----

for call in cuInit:1 cuDevicePrimaryCtxRetain:1 cuModuleLoadData:1 \
    cuMemAlloc_v2:1 cuStreamCreate:2 cuMemcpyHtoDAsync_v2:1 cuLaunchKernel:3 \
    cuEventSynchronize:1 cuMemcpyDtoHAsync_v2:1; do
    for way in exit quick thread; do
        has_turn 2 || continue
        : >fired
        FAKE_CU_FAIL=$call:1:$way run --device=cuda -o table data >out 2>err
        is "$? $(cat out err) $(wc -l <fired) $(ls table 2>&1) $(leftovers)" \
            "3 $ended 1 $(ls table 2>&1) " "cuda: $call: $way: status 3"
    done
done
for way in $hard; do
    (FAKE_CU_FAIL=cuInit:1:1:$way run --device=cuda data >out) 2>err
    [ $? -ge 128 ] && [ ! -s out ]
    ok $? "cuda: $way is no success"
done
FAKE_CU_FAIL=cuInit:1:1:exit run --list-devices --device=cuda >out 2>err
is "$? $(cat err)" "3 $ended" 'the list of devices'
if [ "$HAVE_ZSTD" = yes ] && command -v zstd >zstd-path; then
    zstd -q data -o data.zst
    FAKE_CU_FAIL=cuModuleLoadData:1:1:exit run --gpu-decode=always data.zst \
        >out 2>err
    is "$? $(cat out err)" "3 $ended" 'a GPU that decodes'
else
    skip 'a GPU that decodes' 'no zstd'
fi

# Once all is printed the status is known.
for call in cuMemFree_v2:1 cuDevicePrimaryCtxRelease_v2:1; do
    for way in exit thread; do
        FAKE_CU_FAIL=$call:1:$way run --device=cuda data >out 2>err
        is "$? $(cat err)" '0 ' "$call: $way: all is printed"
        same out cpu '... exact'
        FAKE_CU_FAIL=$call:1:$way run --device=cuda data missing >out 2>err
        is "$? $(cat out err)" '1 gpuhist: missing: cannot open: No such file '\
'or directory' '... or is an error'
    done
done

# ---- auto: the CPU counts what is in files ----

# until_fired COMMAND...: run it, with the files out and err, until a call goes
# wrong and the warning is there: the CPU may have counted all before.  Sets
# status.
until_fired()
{
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        : >fired
        "$@" >out 2>err
        status=$?
        [ ! -s fired ] || [ ! -s err ] || break
    done
}

# automatic CALL WAY OPTION...: a run with auto whose CALL ends the process.
automatic()
{
    automatic_fault=$1:1:$2
    shift 2
    FAKE_CU_FAIL=$automatic_fault run --gpu-after=0 -j1 "$@"
}

# try CALL WAY OPTION...: as automatic(), until it has.
try()
{
    until_fired automatic "$@"
}

# did WAY: what the warning says of it.
did()
{
    case $1 in
        crash) echo 'crashed (SIGSEGV)' ;;
        abort) echo 'called abort()' ;;
        *) echo 'called exit()' ;;
    esac
}

for call in cuInit:1 cuModuleLoadData:1 cuMemAlloc_v2:1 cuLaunchKernel:1; do
    for way in exit quick thread $hard; do
        has_turn 2 || continue
        try "$call" "$way" data data data
        is "$status $(cat err) $(wc -l <fired)" \
            "0 gpuhist: warning: a device's driver $(did "$way")$again 1" \
            "auto: $call: $way: counted again"
        same out cpu3 '... exact'
    done
done
try cuInit:1 exit -q -o table --stats=only data data data
is "$status $(cat out err) $(leftovers)" '0  ' 'auto: -q, -o: silent'
run --device=cpu --stats=only data data data | cmp -s - table
ok $? '... exact'
try cuInit:1 exit data data missing
is "$status $(sed 1d err)" \
    '1 gpuhist: missing: cannot open: No such file or directory' \
    'auto: an error stays one'
try cuInit:1 exit --format=json -- data data data
run --gpu-after=0 -j1 --format=json -- data data data | cmp -s - out
ok $? 'auto: the command line stays the same'
redirected()
{
    {
        dd bs=100000 count=1 of=skipped 2>dd-says
        automatic cuInit:1 abort
    } <data
}
until_fired redirected
is "$status $(wc -l <err)" '0 1' 'auto: a redirected file, not from its start'
tail -c +100001 data | run --device=cpu >wanted
same out wanted '... exact'
printf 'data\0data\0data\0' >names
named()
{
    automatic cuInit:1 exit --files0-from=- <names
}
until_fired named
is "$status $(wc -l <err)" '0 1' 'auto: names from a redirected file'
same out cpu3 '... exact'
# A signal in the process that was started again has its usual effect.  It has
# much to count: zeros of a file without blocks.
dd if=/dev/null of=large bs=1048576 seek=40000 2>dd-says
rm -f table fired err
FAKE_CU_FAIL=cuInit:1:1:exit "$GPUHIST" --gpu-after=0 large -o table \
    >out 2>err &
child=$!
while ! grep -q again err 2>gone && kill -0 $child 2>gone; do
    sleep 0.01
done
kill -USR1 $child 2>gone
kill -TERM $child 2>gone
wait $child
is "$? $(ls table 2>gone) $(leftovers) $(wc -l <fired)" '143   1' \
    'auto: TERM ends the process that was started again'

# ---- auto: another process tries the driver if the input is then gone ----

# stream: data that the CPU cannot have counted before the GPU is tried.
stream()
{
    head -c 200000 data
    sleep "$1"
    tail -c +200001 data
}

# try_stream CALL WAY OPTION...: as try(), of a pipe.
try_stream()
{
    fault=$1:1:$2
    shift 2
    for seconds in 0.2 1 5; do
        : >fired
        stream $seconds | FAKE_CU_FAIL=$fault run --gpu-after=0 -v "$@" \
            >out 2>err
        status=$?
        [ ! -s fired ] || break
    done
}

for way in exit quick thread abort crash; do
    try_stream cuInit:1 $way
    is "$status $(grep -c 'cuda: the list of devices failed' err) \
$(wc -l <fired)" '0 1 1' "auto: a pipe: cuInit: $way: goes on"
    same out cpu '... exact'
done
mkfifo edges
edged()
{
    echo 0 128 256 >edges &
    automatic cuInit:1 exit --edges=@edges data data data
}
until_fired edged
is "$status $(cat err)" '0 ' 'auto: edges from a pipe'
wait
run --device=cpu --edges=0,128,256 data data data | cmp -s - out
ok $? '... exact'
try_stream cuModuleLoadData:1 exit
is "$status $(tail -n 1 err) $(wc -c <out)" "3 $ended 0" \
    'auto: a pipe: a later call: status 3'

# ---- nobody else's variable ----

FAKE_CU_INIT=100 GPUHIST_RESTARTED=1 run --device=cuda data >out 2>err
is "$? $(wc -c <out)" '3 0' 'a variable of another process changes nothing'

done_testing
