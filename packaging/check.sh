#!/bin/sh
# SPDX-License-Identifier: MIT
# check.sh -- build the Debian package of what is committed, and look at it
#
#     packaging/check.sh DIRECTORY
#
# DIRECTORY is made, and the package, a tarball and, where there is rpmbuild, an RPM
# are in it afterwards, without CUDA and without running the tests of the tree.
# lintian and rpmlint look, too, where they are, and one of 16 objects is compiled
# again for comparison.

set -eu

die()
{
    echo "check.sh: $*" >&2
    exit 1
}

[ $# -eq 1 ] || die 'usage: packaging/check.sh DIRECTORY'
mkdir "$1"
work=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."

# One version, in all files that say it.
version=$(sed -n 's/^AC_INIT(\[gpuhist], \[\([^]]*\)].*/\1/p' configure.ac)
[ -n "$version" ] || die 'configure.ac: no version'
grep -q "^gpuhist ($version-" debian/changelog ||
    die "debian/changelog: not $version"
grep -q "^Version: *$version\$" packaging/gpuhist.spec ||
    die "packaging/gpuhist.spec: not $version"
# And one address.
url=$(sed -n 's/^m4_define(\[project_url], \[\(.*\)])$/\1/p' configure.ac)
for line in "debian/control:Homepage: $url" "debian/copyright:Source: $url" \
    "packaging/gpuhist.spec:URL:            $url"; do
    grep -qxF "${line#*:}" "${line%%:*}" || die "${line%%:*}: not '${line#*:}'"
done
for file in debian/watch debian/upstream/metadata; do
    ! grep -oE 'https://[^ ]*' $file | grep -v "^$url" || die "$file: not $url"
done

# Not in the tree itself: a package lands beside its source.
git archive --prefix=gpuhist/ HEAD | tar -x -C "$work"
mkdir "$work/source"
cp -r "$work/gpuhist/debian" "$work/source"
cd "$work/gpuhist"
DEB_BUILD_OPTIONS="nocheck parallel=$(nproc)" \
    dpkg-buildpackage -us -uc -b -Pnocheck,pkg.gpuhist.nocuda
cd ..

# The program and the tarball of `make dist` are the same, built elsewhere.
gpuhist/packaging/reproduce.sh gpuhist/debian/build other 16

# The source package is that tarball, with debian/.  Code and kernels have the
# letters of words that are spelled wrong by chance.
cp gpuhist/debian/build/gpuhist-"$version".tar.gz \
    source/gpuhist_"$version".orig.tar.gz
tar -C source -xf source/gpuhist_"$version".orig.tar.gz
mv source/debian "source/gpuhist-$version"
(cd source && dpkg-source -b "gpuhist-$version")
if command -v lintian >/dev/null; then
    lintian --display-info --pedantic --fail-on error,warning,info,pedantic \
        --suppress-tags spelling-error-in-binary gpuhist_*.changes \
        source/gpuhist_*.dsc
fi
if command -v rpmbuild >/dev/null; then
    rpmspec -P gpuhist/packaging/gpuhist.spec >spec
    gpuhist/packaging/rpm.sh gpuhist/debian/build rpm
    mkdir unpacked
    (cd unpacked && rpm2cpio ../rpm/gpuhist-*.rpm | cpio -idm --quiet)
fi
# rpmlint looks at the spec only: Debian's rpm does not strip and compress.
if command -v rpmlint >/dev/null; then
    rpmlint --strict --rpmlintrc gpuhist/packaging/gpuhist.rpmlintrc \
        gpuhist/packaging/gpuhist.spec
fi

# All is where it is looked for, and the program starts.
dpkg-deb -x gpuhist_*.deb installed
for file in bin/gpuhist share/man/man1/gpuhist.1.gz share/man/man1/gpuhist-text.1.gz \
    share/man/man5/gpuhist-format.5.gz share/man/man5/gpuhist-state.5.gz \
    share/bash-completion/completions/gpuhist.bash \
    share/fish/vendor_completions.d/gpuhist.fish \
    share/zsh/vendor-completions/_gpuhist; do
    [ -f "installed/usr/$file" ] || die "/usr/$file is not in the package"
done
for root in installed unpacked; do
    [ -d $root ] || continue
    for test in counts formats; do
        mkdir -p "tests/$root/$test"
        PATH=$PWD/$root/usr/bin:$PATH AUTOPKGTEST_TMP=$PWD/tests/$root/$test \
            "gpuhist/debian/tests/$test"
    done
done

# A machine without a GPU needs nothing for one.
dpkg-deb -f gpuhist_*.deb Depends | tee depends
! grep -qiE 'cuda|nvidia|opencl' depends || die 'it depends on a driver'
dpkg-deb -f gpuhist_*.deb Suggests | grep -q libcuda1 || die 'no libcuda1'

# The tarball: the same from another directory, and complete.  A root with
# nothing but libc needs /proc, where the loader finds $ORIGIN.
for copy in one two; do
    XZ_OPT=-0 gpuhist/packaging/tarball.sh gpuhist/debian/build $copy
done
tarball=$(ls one)
cmp "one/$tarball" "two/$tarball" || die 'the tarball changes'
mkdir -p root/proc root/tmp root/lib root/lib64
tar -C root --strip-components=1 -xf "one/$tarball"
for library in libc.so.6 libm.so.6; do
    cp -L "$(PATH=$PATH:/sbin ldconfig -p |
        awk -v name=$library '$1 == name && !f { print $NF; f = 1 }')" root/lib
done
loader=$(readelf -l root/bin/gpuhist |
    sed -n 's/.*interpreter: \(.*\)]/\1/p')
cp -L "$loader" "root$loader"
printf 'aab\n' >root/tmp/text
xz -k root/tmp/text
tar -cf root/tmp/text.tar -C root/tmp text
if mount -t proc proc root/proc; then
    for options in '-l /tmp/text' '-l /tmp/text.xz' '-l --members /tmp/text.tar' \
        '--regex=(a+b) /tmp/text'; do
        # shellcheck disable=SC2086 # they are several options
        chroot root /bin/gpuhist $options | grep -q '^aab.*1$' ||
            die "in an empty root: gpuhist $options"
    done
    umount root/proc
else
    echo 'skipped: an empty root, for which /proc cannot be mounted'
fi

# The same for pip.
gpuhist/packaging/check_wheel.sh "one/$tarball" wheel
