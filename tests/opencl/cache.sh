# cache.sh -- compiled programs are kept, and a bad file never matters
# shellcheck shell=sh disable=SC2154

GPUHIST_TEST_DEVICE=${GPUHIST_TEST_DEVICE:-opencl}

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"
# shellcheck source=tests/opencl/platform.sh
. "$srcdir/tests/opencl/platform.sh"

head -c 5000 /dev/urandom >data
"$GPUHIST" --device=cpu data >cpu

# compiles WANTED NAME [OPTION]...: one test: exact, and so many programs were
# compiled from source.
compiles()
{
    compiles_wanted=$1
    compiles_name=$2
    shift 2
    rm -f ledger
    FAKE_CL_LEDGER=ledger through as-it-is "$GPUHIST" \
        --device="$GPUHIST_TEST_DEVICE" "$@" data >out 2>err
    compiles_status=$?
    cmp -s cpu out || compiles_status=different
    is "$compiles_status:$(cat err):$(sed -n \
        's/^calls clCreateProgramWithSource //p' ledger)" \
        "0::$compiles_wanted" "$compiles_name"
}

# What the platform keeps itself stays, or each compilation takes a second.
export POCL_CACHE_DIR="$XDG_CACHE_HOME/pocl/kcache"

unset XDG_CACHE_HOME
export HOME="$tap_dir/home"
compiles 1 'in ~/.cache: the first time'
cache=$HOME/.cache/gpuhist
# Drivers have their own files in $HOME.
is "$(find "$cache" -type f | wc -l) $(find "$cache" -perm /077 | wc -l)" '1 0' \
    'one file, for the user alone'
compiles 0 'in ~/.cache: the second time'
rm -r "$HOME"

export XDG_CACHE_HOME="$tap_dir/deep/er/cache"
cache=$XDG_CACHE_HOME/gpuhist
compiles 1 'in XDG_CACHE_HOME: the first time'
compiles 0 'in XDG_CACHE_HOME: the second time'
compiles 1 'another program' --strategy=global
is "$(find "$cache" -type f | wc -l)" 2 'one file for each'
is "$(find "$tap_dir/home" -name gpuhist 2>/dev/null | wc -l)" 0 \
    'and nothing elsewhere'

rm -r "$cache"
compiles 1 'again'
file=$(find "$cache" -type f)
cp "$file" good
size=$(wc -c <good)

# damaged NAME: what is in the file "bad" instead is not used, but replaced.
damaged()
{
    cp bad "$file"
    compiles 1 "$1: not used"
    compiles 0 "$1: replaced"
    cp good "$file"
}
: >bad
damaged 'an empty file'
head -c $((size / 2)) good >bad
damaged 'half a file'
head -c $((size - 1)) good >bad
damaged 'a byte less'
{ head -c $((size / 2)) good; printf '\252\125'; tail -c +$((size / 2 + 3)) good; } >bad
damaged 'another byte in the middle'
{ head -c 8 good; printf '\377\377\377\377\377\377\377\177'; tail -c +17 good; } >bad
damaged 'a size beyond all'
tail -c +2 good >bad
damaged 'a byte less at the begin'

# The file of another program, whole as it is.
"$GPUHIST" --device="$GPUHIST_TEST_DEVICE" --strategy=global data >out
cp "$(find "$cache" -type f ! -path "$file")" bad
damaged 'the file of another program'

# Intact, but the platform does not want it.
FAKE_CL_FAIL=clCreateProgramWithBinary:1:-42 compiles 1 'an invalid binary'
FAKE_CL_FAIL=clBuildProgram:1:-11 compiles 1 'a binary that cannot be built'

chmod go+w "$file"
compiles 1 'a file that others may write: not used'
is "$(find "$file" -perm /022)" '' 'a file that others may write: replaced'
rm "$file"
mkdir "$file"
compiles 1 'a directory in its place'
rmdir "$file"
ln -s "$tap_dir/good" "$file"
compiles 1 'a symbolic link: not used'
rm "$file"
mkfifo "$file"
compiles 1 'a FIFO: nobody waits for it'
compiles 0 'a FIFO: replaced'

# No cache.
rm -r "$tap_dir/deep"
: >"$tap_dir/deep"
compiles 1 'a file where the directory should be'
XDG_CACHE_HOME=relative
compiles 1 'a relative name: ignored'
is "$(find relative "$HOME" 2>/dev/null | wc -l)" \
    "$(find "$HOME" 2>/dev/null | wc -l)" 'nothing is written there'
XDG_CACHE_HOME=/proc/gpuhist-cannot-write-here
compiles 1 'a directory that cannot be made'
unset XDG_CACHE_HOME HOME
compiles 1 'neither XDG_CACHE_HOME nor HOME'
is "$(find "$tap_dir" -name '*.opencl.*' | wc -l)" 0 \
    'nothing half-written is left behind'

done_testing
