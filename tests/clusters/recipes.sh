# SPDX-License-Identifier: MIT
# recipes.sh -- the recipes of doc/clusters.md, and workers that die
#
# To be sourced after tap.sh.  The recipes run as they are in the document, with
# eight tasks instead of 64.
# shellcheck shell=sh disable=SC2154

# recipe NAME: put the block of the document with this name to the file NAME.
recipe()
{
    awk -v name="$1" '
        /^```/ { inside = !inside && $2 == name; next }
        inside' "$srcdir/doc/clusters.md" |
        sed -e 's/\([^e]\)64/\18/g' -e 's/range(1, 65)/range(1, 9)/' >"$1"
    [ -s "$1" ]
    ok $? "doc/clusters.md has $1" || exit 1
}

# Lines of some words, no two alike, and what one run makes of them.
mkdir logs bin began
awk 'BEGIN {
    for (i = 0; i < 600; i++)
        print i * i % 37, "line", i % 101 >"logs/" (i % 5) ".log"
}'
gpuhist --lines logs/* >wanted

# The program, as the tasks find it.  The first attempt at a task with a file
# faults/TASK, the number of its shard, runs this file instead.
cat >bin/gpuhist <<END
#!/bin/sh
task=
for argument in "\$@"; do
    case \$argument in
        --shard=*) task=\${argument#--shard=} task=\${task%/*} ;;
    esac
done
# Mappers have no number, but there is a first one.
case "\$*" in
    '--lines --format=state') task=mapper ;;
esac
if [ -n "\$task" ] && [ -e '$tap_dir/faults/'"\$task" ] &&
    mkdir '$tap_dir/began/'"\$task" 2>/dev/null; then
    . '$tap_dir/faults/'"\$task"
fi
exec '$GPUHIST' "\$@"
END
chmod +x bin/gpuhist
PATH=$tap_dir/bin:$PATH
export PATH

# faulty TASK COMMAND: the first attempt at TASK runs COMMAND.
faulty()
{
    mkdir -p faults
    rm -rf "began/$1"
    printf '%s\n' "$2" >"faults/$1"
}

# died TASK...: whether the first attempts at these tasks have run their
# commands; a test that nothing hit shows nothing.
died()
{
    for died_task in "$@"; do
        [ -d "began/$died_task" ] || return
    done
}

# fails SCRIPT: whether it does; what it says is in the file "err".
fails()
{
    ! timeout 60 sh "./$1" >out 2>err
}

# within SECONDS COMMAND...: wait until COMMAND succeeds.
within()
{
    within_tries=$(($1 * 20))
    shift
    until "$@" >within.out 2>&1; do
        within_tries=$((within_tries - 1))
        [ "$within_tries" -gt 0 ] || return
        sleep 0.05
    done
}
