#!/bin/sh
# SPDX-License-Identifier: MIT
# check_wheel.sh -- make the wheel, install it, and test the module with it
#
#     packaging/check_wheel.sh TARBALL DIRECTORY
#
# TARBALL is that of tarball.sh.  DIRECTORY is made, and the wheel is in it
# afterwards.  The wheel is installed into new environments of the system's
# Python and of the newest other version, or of all with RUN_EXPENSIVE_TESTS=yes;
# and tested without numpy and with the newest one of the index of packages, where
# that can be had.  auditwheel looks, too, where it is.

set -eu

die()
{
    echo "check_wheel.sh: $*" >&2
    exit 1
}

[ $# -eq 2 ] || die 'usage: packaging/check_wheel.sh TARBALL DIRECTORY'
source=$(cd "$(dirname "$0")/.." && pwd)
tarball=$(realpath "$1")
mkdir "$2"
cd "$2"
unset GPUHIST PYTHONPATH
PIP_DISABLE_PIP_VERSION_CHECK=1
PIP_NO_COMPILE=1
export PIP_DISABLE_PIP_VERSION_CHECK PIP_NO_COMPILE

# Built twice, it is the same.
for copy in one two; do
    /usr/bin/python3 "$source/packaging/wheel.py" "$tarball" $copy
done
wheel=$(cd one && ls)
cmp "one/$wheel" "two/$wheel" || die 'the wheel changes'
mv "one/$wheel" .
rm -r one two

# test_in DIRECTORY PYTHON: install the wheel for PYTHON, and test it.
test_in()
{
    "$2" -m venv "$1"
    "$1/bin/pip" install -q --no-index "$wheel"
    # The command is the program itself, with its status, and in any directory.
    [ "$(printf aab | (cd / && env -i "$OLDPWD/$1/bin/gpuhist" --nonzero) |
        tr '\t\n' '  ')" = '97 2 98 1 ' ] || die "$1: the command does not count"
    status=0
    "$1/bin/gpuhist" --dtype=x 2>said || status=$?
    [ $status -eq 2 ] || die "$1: the status $status"
    for libraries in "$1"/libexec/gpuhist/*; do
        ! ldd "$libraries" | grep -F 'not found' || die "$libraries: not complete"
    done
    run_tests "$1" module
    if "$1/bin/pip" install -q --only-binary=:all: numpy; then
        run_tests "$1" module
        run_tests "$1" histogram
    else
        echo "skipped: numpy for $2"
    fi
    "$1/bin/pip" uninstall -q -y gpuhist
    # The folders of others may stay.
    left=$(find "$1" -name '*gpuhist*' -not -type d)
    [ -z "$left" ] || die "$1: it leaves $left"
}

# run_tests DIRECTORY TESTS: with the module and the program that are installed.
run_tests()
{
    IS_SHORT=yes "$1/bin/python" -B "$source/tests/python/$2.py" >checks ||
        die "$1: $2.py ended with $?"
    ! grep -A 1 '^FAIL' checks || die "$1: $2.py"
    echo "$("$1/bin/python" -V): $2.py: $(grep -c '^PASS' checks) passed"
}

# list_others: the other versions from 3.8 on that work, the newest first.
list_others()
{
    for python in /usr/bin/python3.[0-9] /usr/bin/python3.[1-9][0-9] \
        "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.*/bin/python3; do
        # A name may be there alone, or a Python without some of its modules.
        [ ! -x "$python" ] || "$python" -c '
import ctypes, sys, venv
if sys.version_info >= (3, 8):
    print(*sys.version_info[:2], sys.executable)' 2>said || :
    done | sort -u -k 1,1n -k 2,2nr | grep -v "^$system " | cut -d ' ' -f 3
}

system=$(/usr/bin/python3 -c 'import sys; print(*sys.version_info[:2])')
test_in venv-system /usr/bin/python3
pythons=$(list_others)
[ -n "$pythons" ] || echo 'skipped: another version of Python'
count=0
for python in $pythons; do
    count=$((count + 1))
    [ $count -eq 1 ] || [ "${RUN_EXPENSIVE_TESTS-}" = yes ] || break
    test_in venv-$count "$python"
done

# Without an environment: a folder that PYTHONPATH names.
venv-system/bin/pip install -q --no-index --target=folder "$wheel"
got=$(PYTHONPATH=folder /usr/bin/python3 -B -c '
import gpuhist
print(gpuhist.run(["--nonzero"], b"aab").split())')
[ "$got" = "[b'97', b'2', b'98', b'1']" ] || die "in a folder: $got"

if command -v auditwheel >/dev/null; then
    platform=${wheel##*-none-}
    auditwheel show "$wheel" >said
    tr '\n' ' ' <said | grep -q "platform tag: \"${platform%.whl}\"\." || {
        cat said
        die 'auditwheel says another platform'
    }
else
    echo 'skipped: auditwheel'
fi
