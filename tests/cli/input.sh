# SPDX-License-Identifier: MIT
# input.sh -- every way for bytes to come in
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

noise 300000 >data
oracle <data >wanted
: >empty
oracle <empty >nothing

# ---- that these tests can fail ----

gpuhist empty >out
if cmp -s out wanted; then
    echo "Bail out! no input counts as much as some"
    exit 99
fi

# ---- standard input ----

piped()
{
    # shellcheck disable=SC2002 # a pipe is what is wanted
    cat data | gpuhist "$@"
}

# The head that is looked at comes in pieces, and so does all the rest.
dribbled()
{
    {
        "$DRIBBLE" 1 6
        dd bs=7 count=713 2>dd-says
        "$DRIBBLE" 3 1
        dd bs=1234 2>dd-says
    } <data | gpuhist "$@"
}

counts wanted 'a pipe' piped
counts wanted 'a pipe named -' piped -
counts wanted 'a pipe named - twice' piped - -
counts wanted 'a pipe in small pieces' dribbled
counts wanted 'a pipe in small pieces, not looked at' dribbled --decompress=none
counts wanted 'a redirected file' gpuhist <data
counts wanted 'a redirected file named -' gpuhist - <data
counts wanted 'a redirected file named - three times' gpuhist - - - <data
counts nothing '/dev/null' gpuhist </dev/null
counts nothing 'an empty file' gpuhist <empty

from_offset()
{
    dd bs="$1" count=1 >dd-out 2>dd-says
    shift
    gpuhist "$@"
}

for offset in 1 4 4097 299999 300000; do
    tail -c +$((offset + 1)) data | oracle >wanted-rest
    for chunk in 4096 1Mi; do
        counts wanted-rest "a redirected file from $offset on, in $chunk" \
            from_offset $offset --chunk-size=$chunk <data
    done
done

# As with cat, the next reader finds no bytes left; also with small chunks,
# when several threads have read the input.
for options in '' --chunk-size=4096 '--chunk-size=4096 --decompress=none'; do
    {
        # shellcheck disable=SC2086 # several words
        gpuhist $options >out
        cat >left
    } <data
    is "$(wc -c <left)" 0 "nothing is left of a redirected file ($options)"
    same out wanted "and all of it is counted ($options)"
done

# ---- files ----

counts wanted 'a file' gpuhist data
counts nothing 'an empty file by name' gpuhist empty
counts nothing '/dev/null by name' gpuhist /dev/null

head -c 100000 data >part-1
tail -c +100001 data | head -c 1 >part-2
tail -c +100002 data >part-3
counts wanted 'several files' gpuhist part-1 empty part-2 /dev/null part-3
counts wanted 'in any order' gpuhist part-3 part-1 part-2
counts wanted 'standard input first' gpuhist - part-2 part-3 <part-1
counts wanted 'standard input last' gpuhist part-1 part-2 - <part-3
counts wanted 'standard input in between' gpuhist part-1 - part-3 <part-2
counts wanted 'and again' gpuhist part-1 - part-3 - <part-2

cat data data | oracle >twice
counts twice 'a file twice' gpuhist data data
ln -s data link
counts twice 'a file and a link to it' gpuhist data link
# shellcheck disable=SC2094 # both only read
counts twice 'a file by name and redirected' gpuhist data - <data

for name in 'with space' ' ' -q --help --nonzero= '*' "it's" 'back\slash' \
    'new
line' "$(printf 'b\377d')" -; do
    cp data "./$name" || exit 99
    case $name in
        -) counts wanted 'a file named ./-' gpuhist ./- <empty ;;
        *) counts wanted "a file with an odd name ($(printf %s "$name" |
            tr -c ' -~' '?'))" gpuhist -- "$name" <empty ;;
    esac
    rm "./$name"
done
counts wanted 'options behind files' gpuhist part-1 --decompress none \
    part-2 part-3

# ---- what is neither a file nor a pipe from a shell ----

mkfifo fifo-1 fifo-2 fifo-3
cat data >fifo-1 &
counts wanted 'a FIFO' gpuhist fifo-1
for i in 1 2 3; do
    cat part-$i >fifo-$i &
done
counts wanted 'several FIFOs' gpuhist fifo-1 fifo-2 fifo-3
cat part-2 >fifo-2 &
counts wanted 'a FIFO among files' gpuhist part-1 fifo-2 part-3
"$DRIBBLE" 1000000 1 fifo-1 <part-1 &
counts wanted 'a FIFO that is late' gpuhist fifo-1 part-2 part-3

# More readers than chunks: those that wait for their FIFOs must not keep the
# one from going on that the writer wants to be read first.
timeout 30 sh -c 'head -c 3000000 /dev/zero >fifo-1
    cat part-2 >fifo-2
    cat part-3 >fifo-3' &
{
    head -c 3000000 /dev/zero
    cat part-2 part-3
} | oracle >wanted
gpuhist_seconds=20
counts wanted 'FIFOs written in turn, two chunks only' \
    gpuhist -j 3 --chunk-size=64Ki --memory-limit=140Ki fifo-1 fifo-2 fifo-3
gpuhist_seconds=120

# ---- O_NONBLOCK, which another process has set on standard input ----

# The pipe is empty at first: a read() of it fails with EAGAIN.
if python3 -c '' 2>python-says; then
    oracle <data >all
    for options in '' '-j 1 --chunk-size=1000' --decompress=none \
        '--every=10ms -o snapshot'; do
        # shellcheck disable=SC2086 # several words
        status=$(python3 -BIS "$srcdir/tests/cli/signalled.py" -n 0 -f data \
            'ask: 0 bytes ' feed 'ask: 300000 bytes ' close -- \
            "$GPUHIST" $options)
        case $options in
            *snapshot) mv snapshot out ;;
        esac
        is "$status $(grep -v ' read in ' err)" '0 ' \
            "O_NONBLOCK on a pipe ($options)"
        same out all '... and all of it is counted'
    done
    # A signal ends the wait.
    is "$(python3 -BIS "$srcdir/tests/cli/signalled.py" -n 0 -f data feed \
        'ask: 300000 bytes ' INT -- "$GPUHIST" --interrupted=print) \
$(tail -n 1 out)" \
        '130 # incomplete: interrupted by SIGINT after 300000 bytes' \
        'O_NONBLOCK on a pipe, and INT'
    is "$(sed '$d' out | cksum)" "$(cksum <all)" '... what came is counted'
    # The flag is the other processes', too: it stays.
    python3 -c '
import fcntl, os, subprocess, sys
fd = os.pipe()
os.set_blocking(fd[0], False)
run = subprocess.Popen(sys.argv[1:], stdin=fd[0], stdout=subprocess.DEVNULL)
while run.poll() is None:
    if os.get_blocking(fd[0]):
        sys.exit("changed")
    if fd[1] is not None:
        os.write(fd[1], b"abc")
        os.close(fd[1])
        fd = fd[0], None
sys.exit(run.returncode or os.get_blocking(fd[0]))' "$GPUHIST"
    is $? 0 'O_NONBLOCK is left as it is'
else
    skip 'O_NONBLOCK' 'no python3'
fi

# Files that do not say how long they are, or say it wrong: their st_size is 0
# under /proc, and a page under /sys.
for path in /proc/version /proc/filesystems /sys/kernel/profiling \
    /sys/devices/system/cpu/online /sys/devices/system/cpu/possible; do
    if ! cat "$path" >copy 2>cat-says; then
        skip "$path" "cannot be read here"
        continue
    fi
    oracle <copy >wanted-copy
    for options in '' --chunk-size=1 '--chunk-size=16 --decompress=none'; do
        # shellcheck disable=SC2086 # several words
        counts wanted-copy "$path $options" gpuhist $options "$path"
    done
done

# ---- a terminal ----

# One end of file is enough, as for wc.
if python3 -c 'import pty' 2>python-says; then
    cat >terminal.py <<'EOF'
import os, pty, sys
child, terminal = pty.fork()
if child == 0:
    os.dup2(os.open("terminal.out", os.O_WRONLY | os.O_CREAT), 1)
    os.execvp(sys.argv[1], sys.argv[1:])
os.write(terminal, b"ab\n\4")
os.waitpid(child, 0)
EOF
    printf '10\t1\n97\t1\n98\t1\n' >wanted-terminal
    timeout 20 python3 terminal.py "$GPUHIST" --nonzero
    same terminal.out wanted-terminal 'a terminal, one end of file'
else
    skip 'a terminal, one end of file' 'no python3'
fi

# ---- many ----

mkdir many
i=0
while [ $i -lt 3000 ]; do
    echo "file $i" >many/$i
    i=$((i + 1))
done
cat many/* | oracle >wanted
counts wanted '3000 tiny files' gpuhist many/*
counts wanted '3000 tiny files, in tiny chunks' gpuhist --chunk-size=5 many/*
head -c 9000 data >many/big
cat many/* | oracle >wanted
counts wanted '3000 tiny files and a bigger one' \
    gpuhist --chunk-size=4096 many/*

done_testing
