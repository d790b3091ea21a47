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

# automatic MESSAGE: auto says so, with -v, and counts.
automatic()
{
    {
        head -c 30000 in
        sleep 0.3
        tail -c 20000 in
    } | CUDA_VISIBLE_DEVICES='' timeout 60 "$GPUHIST" --gpu-after=0 \
        --chunk-size=4096 -v >out 2>err
    is "$?:$(sed 's/.*; //' err)" "0:$1" "auto -v: $1"
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
demanded "opencl:0 ($name): --strategy=packed is not possible: there is no such OpenCL kernel" \
    --device=opencl:0 --strategy=packed
"$GPUHIST" --device=opencl --list-strategies >list
is "$(grep -c '^opencl:0	.*	auto$' list)" 1 '--list-strategies'

# ---- devices that cannot do everything: the library of tests/fake ----

head -c 40000 in >f4
through nodoubles "$GPUHIST" --device=opencl:0 --dtype=f4 -b9 --range=0,1 f4 \
    >out 2>err
is "$?:$(cat out):$(cat err)" "3::gpuhist: opencl:0 ($name): it has no double \
precision, which these bins need" 'no doubles: refused'
bad=
while read -r options; do
    # shellcheck disable=SC2086 # they are options
    "$GPUHIST" --device=cpu $options f4 >cpu.f4
    # shellcheck disable=SC2086 # likewise
    through nodoubles "$GPUHIST" --device=opencl:0 $options f4 >out 2>err &&
        cmp -s cpu.f4 out || bad="$bad $options"
done <<'EOT'
--dtype=>i4 --shift=20 --mod=100
--record=f2,f2,u4 --weights=3 -b3 -b3 --range=-1,1 --range=-2,2
EOT
is "$bad" '' 'no doubles: what needs none is counted'

# auto takes GPUs only, and those that can.
if ! is_apart_from_cuda; then
    skip 'auto' 'without CUDA, the OpenCL device is gone, too'
    done_testing
    exit
fi
automatic_through()
{
    words=$1
    shift
    {
        head -c 20000 f4
        sleep 0.5
        tail -c 20000 f4
    } | CUDA_VISIBLE_DEVICES='' through "$words" "$GPUHIST" -v --gpu-after=0 \
        --dtype=f4 -b9 --range=0,1 --chunk-size=4096 >out 2>err
    is "$?:$(sed 's/.*; //' err)" "0:$*" "auto: devices that are $words"
}
automatic_through gpu,nodoubles "opencl:0 ($name): it has no double \
precision, which these bins need"
if "$GPUHIST" --list-devices | grep -q '(GPU)$'; then
    skip 'auto: no GPU' 'there is one'
else
    automatic_through as-it-is "opencl: no GPU among $count device$(
        [ "$count" -eq 1 ] || echo s)"
fi

done_testing
