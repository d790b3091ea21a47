# SPDX-License-Identifier: MIT
# libraries.sh -- fetch the libraries that decode, for tests/ports/run.sh
#
#     libraries.sh PORT...
#
# Is run in the build directory; unpacks Debian's packages for other processors
# in ports/libraries.  The lists of packages are kept there, too, so that nothing of this system changes.
# shellcheck shell=sh

set -eu
for port in "$@"; do
    case $port in
        aarch64) arch=arm64 ;;
        *) arch=$port ;;
    esac
    dir=$PWD/ports/libraries/$port
    mkdir -p "$dir/lists/partial" "$dir/archives/partial" "$dir/sources"
    apt()
    {
        apt-get -q -o APT::Architecture="$arch" -o APT::Architectures="$arch" \
            -o Dir::State::Lists="$dir/lists" -o Dir::Cache="$dir" \
            -o Dir::Etc::SourceParts="$dir/sources" \
            -o APT::Sandbox::User=root "$@"
    }
    # Only Debian's own have all processors.
    if [ -f /etc/apt/sources.list.d/debian.sources ]; then
        cp /etc/apt/sources.list.d/debian.sources "$dir/sources"
    fi
    apt update || : # one list of several may be missing
    (cd "$dir" && apt download libzstd-dev zlib1g-dev)
    for package in "$dir"/*.deb; do
        dpkg-deb --fsys-tarfile "$package" | tar -xf - -C "$dir"
    done
    # Only the archives of objects: the program needs nothing to run.
    cp "$dir/usr/include"/z*.h "$dir/usr/lib"/*/libzstd.a \
        "$dir/usr/lib"/*/libz.a "$dir"
done
