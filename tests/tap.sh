# SPDX-License-Identifier: MIT
# tap.sh -- the Test Anything Protocol for the command-line tests
#
# To be sourced:   . "$srcdir/tests/tap.sh"
# It makes a scratch directory, goes there and removes it at the end.
#
# From Makefile.am: GPUHIST (the program), GPUHIST_BENCH (where bench/* were
# built), DAMAGE (tests/damage), DRIBBLE (tests/dribble), PRINT_FIELDS
# (tests/print_fields), PRINT_MODIFIED (tests/print_modified), srcdir,
# FAKE_CUDA_DIR, FAKE_OPENCL_DIR, FAULT_DIR, HAVE_ZSTD, HAVE_GZIP, HAVE_LZMA,
# HAVE_LZ4, HAVE_BZIP2, HAVE_ARCHIVE, HAVE_NVCC, HAVE_OPENCL, HARDENING;
# XDG_CACHE_HOME, which all share; and under `make check-gpu` or check-opencl
# GPUHIST_TEST_DEVICE.  From whoever calls make: RUN_EXPENSIVE_TESTS.
# shellcheck shell=sh

set -u
tap_count=0
tap_dir=$(mktemp -d "${TMPDIR:-/tmp}/gpuhist-test.XXXXXX") || exit 99
trap 'cd /; rm -rf "$tap_dir"' EXIT
trap 'exit 99' HUP INT TERM
cd "$tap_dir" || exit 99
LC_ALL=C
# A driver that is still starting is abandoned on purpose.
TSAN_OPTIONS=report_thread_leaks=0:atexit_sleep_ms=0${TSAN_OPTIONS:+:$TSAN_OPTIONS}
export LC_ALL TSAN_OPTIONS
# OpenCL is there only for tests of it.
case ${GPUHIST_TEST_DEVICE-} in
    opencl*) ;;
    *) export OCL_ICD_VENDORS="$tap_dir/no-opencl" ;;
esac

# gpuhist runs the program on the tested engine, for at most gpuhist_seconds, in
# gpuhist_locale (some shells complain if their own locale is set).
gpuhist_seconds=120
gpuhist_locale=C
gpuhist()
{
    LC_ALL=$gpuhist_locale timeout "$gpuhist_seconds" "$GPUHIST" \
        ${GPUHIST_TEST_DEVICE:+--device="$GPUHIST_TEST_DEVICE"} "$@"
}

# ok STATUS NAME: one test; STATUS is that of the command that decides, and
# is returned.
ok()
{
    tap_count=$((tap_count + 1))
    ok_word=ok
    [ "$1" -eq 0 ] || ok_word='not ok'
    printf '%s\n' "$ok_word $tap_count - $2"
    return "$1"
}

# is GOT WANTED NAME: two strings are the same.
is()
{
    if [ "$1" = "$2" ]; then
        ok 0 "$3"
    else
        ok 1 "$3"
        printf '# got:    %s\n# wanted: %s\n' "$1" "$2" | sed '2,$s/^\([^#]\)/# \1/'
    fi
}

# same FILE FILE NAME: two files hold the same bytes.
same()
{
    cmp -s "$1" "$2"
    ok $? "$3"
}

# counts WANTED NAME COMMAND...: one test: COMMAND ends with 0, says nothing on
# standard error and prints what is in the file WANTED.
counts()
{
    counts_wanted=$1
    counts_name=$2
    shift 2
    "$@" >out 2>err
    counts_status=$?
    [ "$counts_status" -eq 0 ] && [ ! -s err ] && cmp -s out "$counts_wanted"
    ok $? "$counts_name" || {
        echo "# status $counts_status"
        diff "$counts_wanted" out | head -n 5 | cat err - | sed 's/^/# /'
    }
}

# refused STATUS NAME COMMAND...: one test: COMMAND ends with STATUS, prints no
# counts and one message.  It is left in the file "err", and in refused_line.
# There are thousands: the shell looks by itself, and starts nothing.
refused()
{
    refused_status=$1
    refused_name=$2
    shift 2
    "$@" >out 2>err
    refused_got=$?
    refused_line=
    refused_rest=
    {
        IFS= read -r refused_line && ! IFS= read -r refused_rest
    } <err && [ "$refused_got:$refused_rest" = "$refused_status:" ] &&
        [ ! -s out ] && [ "${refused_line#gpuhist: }" != "$refused_line" ]
    ok $? "$refused_name" || {
        printf '%s\n' "status $refused_got, $(wc -c <out) bytes of counts" \
            "$(head -n 5 err)" | sed 's/^/# /'
    }
}

# says STATUS TEXT NAME COMMAND...: two tests: COMMAND is refused, and says TEXT.
says()
{
    says_status=$1
    says_text=$2
    says_name=$3
    shift 3
    refused "$says_status" "$says_name" "$@"
    is "$refused_line" "gpuhist: $says_text" '... says so'
}

# oracle: what to print for the bytes of standard input, by other tools.
oracle()
{
    od -An -v -tu1 | awk '{ for (i = 1; i <= NF; i++) n[$i]++ }
        END { for (v = 0; v < 256; v++) printf "%d\t%d\n", v, n[v] }'
}

# noise SIZE: SIZE bytes of all values, the same in each call.  The bytes repeat
# one piece, each time with all values shifted.
noise()
{
    printf %b "$(awk 'BEGIN {
        for (i = 0; i < 4099; i++) {
            s = (s * 69069 + 1) % 4294967296
            printf "\\0%03o", int(s / 65536) % 256
        }
    }')" >noise.part
    noise_shift=1
    while [ "$(wc -c <noise.part)" -lt "$1" ]; do
        # shellcheck disable=SC2094 # both only read
        tr '\0-\377' "$(printf '\\%03o-\\377\\0-\\%03o' \
            $noise_shift $((noise_shift - 1)))" <noise.part |
            cat noise.part - >noise.twice
        mv noise.twice noise.part
        noise_shift=$((noise_shift * 2 % 255))
    done
    head -c "$1" noise.part
    rm noise.part
}

# instrumented: whether a sanitizer is built in, with threads and memory of its
# own.
instrumented()
{
    if [ -z "${instrumented_status-}" ]; then
        grep -q '__[a-z]*san_init' "$GPUHIST"
        instrumented_status=$?
    fi
    return "$instrumented_status"
}

# peak ARGUMENT...: print what the program has in memory at most, in KiB.
peak()
{
    python3 -c '
import os, sys
pid = os.spawnvp(os.P_NOWAIT, sys.argv[1], sys.argv[1:])
status, usage = os.wait4(pid, 0)[1:]
sys.exit("it failed") if status else print(usage.ru_maxrss)' "$GPUHIST" "$@"
}

# wait_for COMMAND...: until the command succeeds; after a minute, a test fails.
wait_for()
{
    wait_for_turns=0
    until "$@"; do
        wait_for_turns=$((wait_for_turns + 1))
        [ "$wait_for_turns" -lt 1200 ] || {
            ok 1 "in time: $*"
            return
        }
        sleep 0.05
    done
}

# reports ENGINES: whether the process in "pid" says that it has them, if asked.
reports()
{
    kill -USR1 "$(cat pid)"
    grep -q "[;,] $1" explain
}

is_shown()
{
    tmux -S socket capture-pane -p >screen && grep -q -e "$1" screen
}

# shown PATTERN: wait for it on the screen of the tmux at "socket", and keep the
# screen in the file "screen".
shown()
{
    wait_for is_shown "$1"
}

# skip NAME REASON: a test that cannot run here.
skip()
{
    tap_count=$((tap_count + 1))
    echo "ok $tap_count - $1 # SKIP $2"
}

# skip_all REASON: nothing of this file can run here.
skip_all()
{
    echo "1..0 # SKIP $1"
    exit 0
}

# expensive: whether to try all cases, which takes minutes, and not only some of
# each kind; a sanitizer makes each of them take long.
expensive()
{
    [ "${RUN_EXPENSIVE_TESTS-}" = yes ] && ! instrumented
}

# has_turn N: whether to try the next of many cases that are alike: one of N, in
# turn, or all if all are wanted.  N has no divisor in common with the lengths of
# the loops, so that each of their values has its turn.
turns_had=0
has_turn()
{
    turns_had=$((turns_had + 1))
    [ $((turns_had % $1)) -eq 1 ] || expensive
}

# tell_length: IS_SHORT=yes tells a script to try fewer cases, and
# IS_INSTRUMENTED=yes that a sanitizer makes each take long.
tell_length()
{
    IS_SHORT=yes
    ! expensive || IS_SHORT=no
    IS_INSTRUMENTED=no
    ! instrumented || IS_INSTRUMENTED=yes
    export IS_SHORT IS_INSTRUMENTED
}

# numpy_script FILE ARGUMENT...: all tests of this file are those of a script
# that needs numpy.
numpy_script()
{
    tell_length
    # The system's python may have it where the first one in the path has not.
    # Numpy takes a fifth of a second to start: only who fails is asked for it.
    for python in python3 /usr/bin/python3; do
        # -B: nothing is left beside the scripts that are imported.
        "$python" -B "$@" && exit
        numpy_status=$?
        ! has_numpy || exit "$numpy_status"
    done
    skip_all 'no python3 with numpy'
}

has_numpy()
{
    "$python" -c 'import numpy' 2>python-says
}

# checks NAME COMMAND...: a test for each line "PASS name" or "FAIL name" that
# COMMAND prints, and one of NAME if it fails itself.
checks()
{
    checks_name=$1
    shift
    "$@" >checks
    put_checks "$checks_name" $?
}

# put_checks NAME STATUS: those in the file "checks".
put_checks()
{
    echo "FAIL $1 ended with $2" | sed '/ 0$/d' >>checks
    while read -r word name; do
        case $word in
            PASS | FAIL)
                [ "$word" = PASS ]
                ok $? "$name"
                ;;
            *) echo "# $name" ;;
        esac
    done <checks
}

# python_checks SCRIPT: the checks of a script about the program that is its
# argument; it needs numpy.
python_checks()
{
    tell_length
    for python in python3 /usr/bin/python3; do
        "$python" -B "$1" "$GPUHIST" >checks
        numpy_status=$?
        [ "$numpy_status" -eq 0 ] || has_numpy || continue
        put_checks "${1##*/}" "$numpy_status"
        return
    done
    skip "${1##*/}" 'no python3 with numpy'
}

done_testing()
{
    echo "1..$tap_count"
}
