# SPDX-License-Identifier: MIT
# zstd_files.sh -- zstd files, good and bad, for GPUs that decode several
#
# To be sourced after tap.sh by tests over the driver of tests/fake.
# shellcheck shell=sh disable=SC2154

# need_zstd DEVICES: go on only if a fake driver with DEVICES can decode zstd.
need_zstd()
{
    test "$HAVE_NVCC" = yes || skip_all "no kernels: no driver is ever loaded"
    test "$HAVE_ZSTD" = yes || skip_all 'built without libzstd'
    test -f "$FAKE_CUDA_DIR/libcuda.so.1" || exit 99
    command -v zstd >/dev/null || skip_all 'no zstd'
    export LD_LIBRARY_PATH="$FAKE_CUDA_DIR" FAKE_CU_DEVICES="$1"
}

# size_of FILE
size_of()
{
    stat -c %s "$1"
}

# make_zstd_files COUNT: write text, its parts part.aa and so on, and
# good/N.zst and bad/N.zst, N from 1 to COUNT.  Files that a reader takes whole,
# or waits with, have some hundred kilobytes.
make_zstd_files()
{
    LC_ALL=C awk 'BEGIN {
        for (i = 0; i < 150000; i++) {
            x = i * 7919 % 89989 + i % 1013 * 31
            printf "10.0.%d.%d,key%d,%d,\"GET /p%d\"\n", x % 9, x % 250, x % 90, \
                x, x * 17 % 30011
        }
    }' >text
    split -n "l/$1" text part.
    mkdir good
    n=0
    for part in part.*; do
        n=$((n + 1))
        zstd -q -$n --check <"$part" >good/$n.zst || exit 99
    done
    zstd -q -5 --no-check <part.ab >good/2.zst || exit 99
    # Many frames, with frames to skip.
    {
        printf '\120\052\115\030\003\000\000\000abc'
        split -b 70000 --filter='zstd -qc --check' part.ad
    } >good/4.zst
    cp -r good bad
    printf '\377' | dd of=bad/2.zst bs=1 seek=$(($(size_of bad/2.zst) / 2)) \
        conv=notrunc 2>/dev/null
    head -c $(($(size_of good/3.zst) * 2 / 3)) good/3.zst >bad/3.zst
    # The frame needs the dictionary 1234.
    printf '\050\265\057\375\003\130\322\004\000\000\031\000\000abc' >bad/4.zst
}
