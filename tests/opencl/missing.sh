# SPDX-License-Identifier: MIT
# missing.sh -- no usable OpenCL device: what is said then, and what is not
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

head -c 50000 /dev/urandom >in
"$GPUHIST" --device=cpu in >cpu

# demanded MESSAGE OPTION...: exit 3, no counts and this, for empty input, too.
demanded()
{
    message=$1
    shift
    for input in in /dev/null; do
        timeout 60 "$GPUHIST" "$@" $input >out 2>err
        is "$?:$(cat out):$(cat err)" "3::gpuhist: $message" "$*: $input"
    done
}

# automatic MESSAGE: auto says so, with -v, and counts.  That it has tried is
# seen at its end only: the input stays open for longer until it had the time.
automatic()
{
    for seconds in 0.1 0.5 2 10; do
        {
            head -c 30000 in
            sleep $seconds
            tail -c 20000 in
        } | CUDA_VISIBLE_DEVICES='' timeout 60 "$GPUHIST" --gpu-after=0 \
            --chunk-size=4096 -v >out 2>err
        automatic_status=$?
        ! grep -q -F "$1" err || break
    done
    is "$automatic_status:$(sed 's/.*; //' err)" "0:$1" "auto -v: $1"
    same out cpu 'auto: exact'
}

if [ "$HAVE_OPENCL" = no ]; then
    demanded 'opencl: this gpuhist has no OpenCL code' --device=opencl
    done_testing
    exit
fi

# ---- no library ----

no_library='opencl: no OpenCL library (libOpenCL.so.1)'
mkdir text libc
echo 'not a shared object' >text/libOpenCL.so.1
export LD_LIBRARY_PATH="$tap_dir/text"
demanded "$no_library" --device=opencl
demanded "$no_library" --device=opencl:1,0
automatic "$no_library"
timeout 60 "$GPUHIST" --list-devices -v >out 2>err
is "$?:$(grep -c "^gpuhist: no GPU: $no_library\$" err)" 0:1 \
    '--list-devices -v says why'

# The C library has none of the symbols.
c_library=$(ldd "$GPUHIST" | awk '$1 ~ /^libc\.so/ { print $3 }')
if [ -f "$c_library" ]; then
    ln -s "$c_library" libc/libOpenCL.so.1
    export LD_LIBRARY_PATH="$tap_dir/libc"
    demanded 'opencl: the OpenCL library is older than OpenCL 1.2' \
        --device=opencl
else
    skip 'a library without symbols' 'no C library to put in its place'
fi
unset LD_LIBRARY_PATH

# The CPU never needs it.
export LD_LIBRARY_PATH="$tap_dir/text"
counts cpu 'the CPU does not' "$GPUHIST" --device=cpu in
unset LD_LIBRARY_PATH

# ---- a library without a platform ----

# As tap.sh has it, but under check-opencl.
export OCL_ICD_VENDORS="$tap_dir/no-opencl"
if "$GPUHIST" --device=opencl </dev/null 2>&1 |
    grep -q 'CL_PLATFORM_NOT_FOUND_KHR$'; then
    demanded 'opencl: no device: clGetPlatformIDs: CL_PLATFORM_NOT_FOUND_KHR' \
        --device=opencl
    automatic 'opencl: no device: clGetPlatformIDs: CL_PLATFORM_NOT_FOUND_KHR'
else
    skip 'no platform' 'no OpenCL library, or one that always finds some'
fi

# ---- devices that are there ----

unset OCL_ICD_VENDORS
if instrumented || ! "$GPUHIST" --device=opencl </dev/null >out 2>err; then
    skip 'devices' 'no OpenCL device, or a sanitizer'
    done_testing
    exit
fi
# shellcheck source=tests/opencl/platform.sh
. "$srcdir/tests/opencl/platform.sh"

"$GPUHIST" --list-devices >list
count=$(grep -c '^opencl:' list)
is "$(awk -F '\t' '/^opencl:/ && NF == 4 && $3 ~ /^[1-9][0-9]* MiB$/' list |
    wc -l)" "$count" '--list-devices: name, memory, platform'
demanded "opencl:$count: no such device (this machine shows $count)" \
    --device=opencl:"$count"
name=$(sed -n 's/^opencl:0\t\([^\t]*\)\t.*/\1/p' list)
demanded "opencl:0 ($name): --tune=strategy=packed is not possible: there is no such OpenCL kernel" \
    --device=opencl:0 --strategy=packed
"$GPUHIST" --device=opencl --list-strategies >list
is "$(grep -c '^opencl:0	.*	auto$' list)" 1 '--list-strategies'

# ---- devices that cannot do everything: the library of tests/fake ----

head -c 40000 in >numbers
no_doubles="opencl:0 ($name): it has no double precision, which these bins need"
bad=
while read -r options; do
    # shellcheck disable=SC2086 # they are options
    through nodoubles "$GPUHIST" --device=opencl:0 $options numbers >out 2>err
    is "$?:$(cat out):$(cat err)" "3::gpuhist: $no_doubles" \
        "no doubles: refused: $options"
done <<'EOT'
--dtype=f8 -b9 --range=0,1
--dtype=f4 -b9 --range=1e6,1000001
--dtype=>f4 -b9 --range=0,1
--dtype=u4 -b9 --range=0,1e9
EOT
while read -r options; do
    # shellcheck disable=SC2086 # they are options
    "$GPUHIST" --device=cpu $options numbers >cpu.numbers
    # shellcheck disable=SC2086 # likewise
    through nodoubles "$GPUHIST" --device=opencl:0 $options numbers >out \
        2>err && cmp -s cpu.numbers out || bad="$bad $options: $(cat err)"
done <<'EOT'
--dtype=>i4 --shift=20 --mod=100
--record=f2,f2,u4 --weights=3 -b3 -b3 --range=-1,1 --range=-2,2
--dtype=f4 -b9 --range=0,1
--dtype=f4 -b9000 --range=-1e9,1e9
EOT
is "$bad" '' 'no doubles: what needs none is counted'

through embedded "$GPUHIST" --device=opencl:0 in >out 2>err
is "$?:$(cat out):$(cat err)" \
    "3::gpuhist: opencl:0 ($name): it has OpenCL's embedded profile only" \
    'the embedded profile: refused'

# A compiler that cannot make the largest groups is asked for any.
FAKE_CL_FAIL=clBuildProgram:1:-11 \
    FAKE_CL_FIRED=fired through gpu "$GPUHIST" --device=opencl:0 in >out 2>err
is "$?:$(cat err):$(cat fired)" "0::fired clBuildProgram 1 -11" \
    'the compiler fails once'
same out cpu 'the compiler fails once: exact'
FAKE_CL_FAIL=clBuildProgram:1:-11:persist \
    through gpu "$GPUHIST" --device=opencl:0 in >out 2>err
is "$?:$(cat out):$(cat err)" \
    "3::gpuhist: opencl:0 ($name): clBuildProgram: CL_BUILD_PROGRAM_FAILURE" \
    'the compiler always fails'

# So is one that made them, where the device cannot launch them: which is not
# always what drivers say.
"$GPUHIST" --device=cpu --record=u1,i1 --weights=2 in >cpu.weights
while read -r word items; do
    FAKE_CL_LEDGER=ledger through "gpu,$word" "$GPUHIST" --explain \
        --device=opencl:0 --record=u1,i1 --weights=2 in >out 2>err
    is "$?:$(grep -o 'groups of [0-9]* work-items' err)" \
        "0:groups of $items work-items" "groups of a device that is $word"
    is "$(grep outstanding ledger)" 'outstanding 0' \
        "groups of a device that is $word: nothing is left of the first program"
    same out cpu.weights "groups of a device that is $word: exact"
done <<'EOT'
small 64
modest 1024
EOT

# auto takes GPUs only, and those that can.
if ! is_apart_from_cuda; then
    skip 'auto' 'without CUDA, the OpenCL device is gone, too'
    done_testing
    exit
fi
mkfifo gate
automatic_through()
{
    words=$1
    shift
    # Some drivers take a second until there are devices to be asked.
    {
        head -c 20000 numbers
        timeout 60 sh -c 'read -r _ <gate'
        sleep 0.5
        tail -c 20000 numbers
    } | CUDA_VISIBLE_DEVICES='' FAKE_CL_GATE=clGetDeviceInfo:1:gate \
        through "$words" "$GPUHIST" -v --gpu-after=0 --dtype=f8 -b9 \
        --range=0,1 --chunk-size=4096 >out 2>err
    is "$?:$(sed 's/.*; //' err)" "0:$*" "auto: devices that are $words"
}
automatic_through gpu,nodoubles "$no_doubles"
if "$GPUHIST" --list-devices | grep -q '(GPU)$'; then
    skip 'auto: no GPU' 'there is one'
else
    automatic_through as-it-is "opencl: no GPU among $count device$(
        [ "$count" -eq 1 ] || echo s)"
fi

done_testing
