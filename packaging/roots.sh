#!/bin/sh
# SPDX-License-Identifier: MIT
# roots.sh -- install, test and remove the Debian package in bare systems
#
#     packaging/roots.sh PACKAGE DIRECTORY [SUITE]...
#
# PACKAGE is the .deb.  A root of each SUITE, of Debian 12 and 13 without others,
# with essential packages and apt alone, is made in DIRECTORY.  There apt installs
# PACKAGE, the tests of debian/tests run, and nothing is left when the package is
# purged.  It takes root, mmdebstrap and a mirror: $MIRROR, or what mmdebstrap
# knows; what cannot be made is skipped.

set -eu

die()
{
    echo "roots.sh: $*" >&2
    exit 1
}

skip()
{
    echo "skipped: $*"
    exit 0
}

[ $# -ge 2 ] || die 'usage: packaging/roots.sh PACKAGE DIRECTORY [SUITE]...'
source=$(cd "$(dirname "$0")/.." && pwd)
package=$(realpath "$1")
mkdir -p "$2"
work=$(cd "$2" && pwd)
shift 2
[ $# -gt 0 ] || set -- bookworm trixie
[ "$(id -u)" -eq 0 ] || skip 'bare systems, which take root'
command -v mmdebstrap >/dev/null || skip 'bare systems, which take mmdebstrap'

# What the tests need beside the package: debian/tests/control, without "@".
needed=$(awk '/^Depends:/ { sub(/^Depends:/, ""); is = 1 } /^$|^Tests:/ { is = 0 }
    is { gsub(/[@,]/, " "); print }' "$source/debian/tests/control" | xargs)

# inside COMMAND...: run it in the root, without the network and with nothing of
# this environment.
inside()
{
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive chroot "$root" "$@"
}

# All files, but those that dpkg, apt and the index of the manual change in any
# case; with what they are.
files()
{
    (cd "$root" && find . -path ./proc -prune -o -path ./var/lib/dpkg -prune -o \
        -path ./var/log -prune -o -path ./var/cache -prune -o \
        -path ./var/lib/apt -prune -o -path ./tmp -prune -o \
        -printf '%p %y %s %m %l\n' | sort)
}

for suite; do
    root=$work/$suite
    # shellcheck disable=SC2086 # packages are several words
    if ! mmdebstrap --quiet --variant=apt --include="$(echo $needed | tr ' ' ',')" \
        "$suite" "$root" ${MIRROR:+"$MIRROR"} >"$work/$suite.log" 2>&1; then
        tail -n 3 "$work/$suite.log"
        echo "skipped: a root of $suite, which cannot be made"
        continue
    fi
    cp "$package" "$root/var/cache/gpuhist.deb"
    cp -r "$source/debian/tests" "$root/var/cache/tests"
    [ -e "$root/etc/resolv.conf" ] || cp /etc/resolv.conf "$root/etc"
    # Its libraries first, so that only the package itself is compared.
    {
        inside apt-get update -q
        inside apt-get install -q -y --no-install-recommends /var/cache/gpuhist.deb
        inside dpkg --purge gpuhist
        files >"$work/$suite.before"
        inside dpkg --install /var/cache/gpuhist.deb
    } >>"$work/$suite.log"
    mount -t proc proc "$root/proc" || die "$suite: no /proc"
    status=0
    for test in counts formats beside; do
        inside mkdir /tmp/gpuhist
        inside env AUTOPKGTEST_TMP=/tmp/gpuhist "/var/cache/tests/$test" \
            >"$work/said" 2>&1 || status=1
        sed "s/^/$suite: /" "$work/said"
        inside rm -r /tmp/gpuhist
        [ $status -eq 0 ] || break
    done
    umount "$root/proc"
    [ $status -eq 0 ] || die "$suite: $test fails"
    inside dpkg --purge gpuhist >>"$work/$suite.log"
    files >"$work/$suite.after"
    diff "$work/$suite.before" "$work/$suite.after" ||
        die "$suite: the package leaves a trace"
    rm -r "$root"
    echo "$suite: installed, tested and removed without a trace"
done
