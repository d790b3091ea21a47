# zstd.sh -- fetch libzstd for other processors, for tests/ports/run.sh
#
#     zstd.sh PORT...
#
# Is run in the build directory; unpacks Debian's packages in ports/zstd.  The
# lists of packages are kept there, too, so that nothing of this system changes.
# shellcheck shell=sh

set -eu
for port in "$@"; do
    case $port in
        aarch64) arch=arm64 ;;
        *) arch=$port ;;
    esac
    dir=$PWD/ports/zstd/$port
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
    (cd "$dir" && apt download libzstd-dev)
    dpkg-deb --fsys-tarfile "$dir"/libzstd-dev_*.deb | tar -xf - -C "$dir"
    # Only the archive of objects: the program needs nothing to run.
    cp "$dir/usr/include"/z*.h "$dir/usr/lib"/*/libzstd.a "$dir"
done
