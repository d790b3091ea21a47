# SPDX-License-Identifier: MIT
# security.sh -- what SECURITY.md promises, as the system sees it
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

noise 3000 >data
oracle <data >wanted
printf 'P5\n50 40\n255\n%02000d' 0 >image
echo 0 100 200 >edges

# ---- libraries ----

# The loader would complain of these if it ever looked at them.
for name in libcuda.so.1 libcuda.so libzstd.so.1 libc.so.6; do
    echo 'not a library' >$name
done
counts wanted 'libraries in the current directory' gpuhist data
refused 3 'a driver in the current directory' \
    timeout 60 "$GPUHIST" --device=cuda data
is "$(grep -c 'invalid ELF\|file too short' err)" 0 '... is not even looked at'
rm lib*

# ---- confinement ----

# confined WANTED NAME ARGUMENT...: one test: whether a run that waits for its
# input has no new privileges and a filter of system calls: WANTED, "1 2" or "0 0".
confined()
{
    confined_wanted=$1
    confined_name=$2
    shift 2
    mkfifo waiting
    "$GPUHIST" "$@" waiting >out 2>err &
    confined_pid=$!
    # It confines itself before it opens its input.
    exec 9>waiting
    is "$(awk '/^(NoNewPrivs|Seccomp):/ { print $2 }' /proc/$confined_pid/status |
        tr '\n' ' ')" "$confined_wanted" "$confined_name"
    exec 9>&-
    wait $confined_pid
    rm waiting
}

# Where the kernel or a container cannot, there is nothing to see.
if [ "$HARDENING" = yes ] && grep -q '^Seccomp:' /proc/self/status && gpuhist -v --device=cpu data 2>&1 |
    grep -q -v 'not confined'; then
    set -- "$(awk '/^NoNewPrivs:/ { print $2 }' /proc/self/status)" \
        "$(awk '/^Seccomp:/ { print $2 }' /proc/self/status)"
    confined '1 2 ' 'a run without devices is confined' --device=cpu
    confined "$1 $2 " '... and one that may use a GPU is not' --device=auto
    gpuhist --device=cpu --state=first data >out
    confined '1 2 ' '... a merge is' --merge --state=sum first
else
    skip 'confinement' 'the kernel cannot, or configured without hardening'
fi

# What it allows: a link to another directory that does not exist yet, a FIFO, and
# temporary files.
mkdir out-of-here temporary
ln -s out-of-here/new link
mkfifo fifo
cat fifo >got &
TMPDIR=$PWD/temporary gpuhist --device=cpu -l --memory-limit=2M --svg=link \
    --output=fifo --state=out-of-here/state data
status=$?
wait
[ -s got ]
is "$status $? $(echo out-of-here/*)" '0 0 out-of-here/new out-of-here/state' \
    'outputs of a confined run'

# ---- system calls ----

# traced ARGUMENT...: run, with all that concerns files, processes and the
# network in the file "trace".
traced()
{
    strace -f -qq -o trace -e trace=%file,%process,%network \
        "$GPUHIST" "$@" >out 2>err
}

if instrumented; then
    skip 'system calls' 'a sanitizer makes some, too'
    done_testing
    exit
fi
if ! command -v strace >strace-path || ! traced --version; then
    skip 'system calls' 'strace is not there or cannot'
    done_testing
    exit
fi

# called PATTERN: how many calls there were that match.
called()
{
    grep -c -E "^[0-9]+ +($1)" trace
}

for options in '--device=cpu data' 'data data' '--dtype=u1 --edges=@edges data' \
    '--image --equalize=new image' '-l data' '--help' '--list-devices' \
    'missing'; do
    # shellcheck disable=SC2086 # several words
    PAGER=./no SHELL=./no EDITOR=./no TMPDIR=$PWD/nowhere HOME=$PWD/nowhere \
        traced $options
    is "$(called 'exec') $(called '(v?fork|socket|connect|bind)\(')" '1 0' \
        "nothing is executed, nothing connected: $options"
    # Threads only.
    is "$(grep -E '^[0-9]+ +clone' trace | grep -v -c CLONE_THREAD)" 0 \
        '... and no process started'
    # What is opened: our files, and libraries and tables of the system.
    grep -E '^[0-9]+ +open(at)?\(' trace |
        sed 's/^[^"]*"\([^"]*\)", \([A-Z_|]*\).*/\1 \2/' |
        grep -v -E '^(/lib|/usr/lib|/usr/local/lib|/usr/share/locale|/etc/ld\.so|/sys/devices/system|/dev/null|/proc/self/|/proc/driver/nvidia/capabilities)' \
            >opened
    is "$(grep -v -E '^(data|edges|image|missing|\.gpuhist-|\. .*O_DIRECTORY|.*/no-opencl |.*/nowhere .*O_PATH)' opened)" '' \
        '... and no other file opened'
    is "$(grep -v '^\.gpuhist-' opened | grep -c -E 'WRONLY|RDWR|CREAT')" 0 \
        '... nor any of them to be written'
done

# ---- the file beside ----

names=
for i in 1 2; do
    mkdir -p to
    traced --image --equalize=to/new image
    name=$(sed -n 's/.*open[at]*(.*"\([^"]*to\/\.gpuhist-[0-9a-f]\{16\}\)", O_WRONLY|O_CREAT|O_EXCL|.*/\1/p' trace)
    [ -n "$name" ]
    ok $? "the new file is created, in the directory of the old one ($i)"
    is "$(called "rename.*\"$name\".*to/new\"")" 1 '... and renamed'
    is "$(ls -A to)" new '... nothing else is left'
    names="$names $name"
done
# shellcheck disable=SC2086 # two words
[ "$(printf '%s\n' $names | sort -u | wc -l)" -eq 2 ]
ok $? '... with another name each time'

# A link is not replaced, what it points to is.
mkdir other
echo old >other/target
ln -s ../other/target to/link
gpuhist --image --equalize=to/link image >out
[ -h to/link ] && cmp -s to/new other/target
ok $? 'a link stays a link'

done_testing
