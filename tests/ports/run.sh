# SPDX-License-Identifier: MIT
# run.sh -- build and test gpuhist for other processors, for make check-ports
#
#     run.sh MAKE PORT...
#
# Is run in the build directory of this processor's program, and builds the
# others in ports/PORT.  A port whose compiler or emulator is missing is
# skipped.  Debian: gcc-aarch64-linux-gnu, gcc-s390x-linux-gnu,
# gcc-i686-linux-gnu, gcc-arm-linux-gnueabihf, qemu-user.  zstd and gzip are tested
# if tests/ports/libraries.sh has fetched the libraries.
# shellcheck shell=sh

set -u
srcdir=$(cd "$(dirname "$0")/../.." && pwd)
build=$PWD
make=$1
shift
failed=

# describe PORT: set what is known of it.
describe()
{
    bits=64
    case $1 in
        aarch64) triplet=aarch64-linux-gnu qemu=qemu-aarch64 ;;
        s390x) triplet=s390x-linux-gnu qemu=qemu-s390x ;;
        i386) triplet=i686-linux-gnu qemu=qemu-i386 bits=32 ;;
        armhf) triplet=arm-linux-gnueabihf qemu=qemu-arm bits=32 ;;
        *)
            echo "run.sh: no port is called $1" >&2
            exit 2
            ;;
    esac
    emulator="$qemu -L /usr/$triplet"
    # Most x86-64 systems run it without an emulator.
    loader=/usr/$triplet/lib/ld-linux.so.2
    if [ "$1" = i386 ] && "$loader" --version >/dev/null 2>&1; then
        emulator="$loader --library-path /usr/$triplet/lib"
    fi
}

# wrap FILE PROGRAM: make FILE run PROGRAM, or any if that is empty.
wrap()
{
    # shellcheck disable=SC2016 # for the other shell
    printf '#!/bin/sh\nexec %s %s "$@"\n' "$emulator" "$2" >"$1"
    chmod +x "$1"
}

# Configure and build in the current directory.
build_port()
{
    libraries="$build/ports/libraries/$1"
    if [ -f "$libraries/zlib.h" ]; then
        set -- --with-zstd --with-zlib LDFLAGS="-L$libraries"
    else
        set -- --without-zstd --without-zlib
    fi
    [ -f Makefile ] || "$srcdir/configure" "$@" --host="$triplet" \
        --enable-werror --without-isal --without-nvcc CFLAGS=-O1 \
        CPPFLAGS="-DTESTS_ARE_EMULATED -DMASKS_ARE_CALLED -I$libraries" >configure.log || return
    "$make" -s all bench/gpuhist-gen
}

# It builds only what these tests need.  Some have warnings that only the
# compilers for other processors give.  The script takes longest and comes
# first; the programs that it runs by itself are those of this processor.
# shellcheck disable=SC2016 # a variable of the makefile
test_port()
{
    port_zstd=no
    ! grep -q 'define HAVE_ZSTD 1' config.log || port_zstd=yes
    port_gzip=no
    ! grep -q 'define HAVE_ZLIB 1' config.log || port_gzip=yes
    PORT=$PWD/run-gpuhist PORT_GEN=$PWD/run-gen PORT_BITS=$bits \
        PORT_ZSTD=$port_zstd PORT_GZIP=$port_gzip \
        "$make" -s check-TESTS check_PROGRAMS= check_DATA= \
        WARNING_CFLAGS=-Wall LOG_COMPILER="$PWD/emulate" \
        abs_top_builddir="$build" TESTS='tests/ports/equality.sh $(port_tests)'
}

for port in "$@"; do
    describe "$port"
    if ! command -v "$triplet-gcc" >/dev/null ||
        ! command -v "${emulator%% *}" >/dev/null; then
        echo "$port: SKIP: it needs $triplet-gcc and $qemu"
        continue
    fi
    echo "$port: $emulator"
    mkdir -p "ports/$port"
    cd "ports/$port" || exit
    wrap emulate ''
    wrap run-gpuhist "$PWD/gpuhist"
    wrap run-gen "$PWD/bench/gpuhist-gen"
    build_port "$port" && test_port || failed="$failed $port"
    cd "$build" || exit
done
[ -z "$failed" ] || echo "failed:$failed"
[ -z "$failed" ]
