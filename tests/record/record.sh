#!/bin/sh
# SPDX-License-Identifier: MIT
# record.sh -- what a program prints, to be compared with another version of it
#
#     tests/record/record.sh PROGRAM DIRECTORY
#     diff -r BEFORE AFTER
#
# Runs each line of tests/record/commands with PROGRAM as "gpuhist" and writes
# its number, the line, the status and all that it printed, messages included,
# to a file of DIRECTORY, which is made.  For a change that no user shall
# notice: record with both versions, and the directories are equal.

set -u
here=$(cd "$(dirname "$0")" && pwd)
if [ $# -ne 2 ] || [ ! -x "$1" ]; then
    echo 'usage: record.sh PROGRAM DIRECTORY' >&2
    exit 2
fi
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
mkdir -p "$2" || exit
to=$(cd "$2" && pwd)
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

gpuhist()
{
    timeout 60 "$program" "$@"
}

LC_ALL=C
COLUMNS=80
LINES=24
TERM=dumb
OCL_ICD_VENDORS=$work/none
export LC_ALL COLUMNS LINES TERM OCL_ICD_VENDORS
mkdir "$work/inputs"
cd "$work/inputs" || exit
python3 "$here/inputs.py" || exit

number=0
while read -r line; do
    case $line in
        '' | '#'*) continue ;;
    esac
    number=$((number + 1))
    # Each command finds the inputs as they were made, and nothing else.
    rm -rf "$work/run"
    mkdir "$work/run"
    cd "$work/run" || exit
    ln -s ../inputs/* .
    {
        printf '%s\n' "$line"
        # A subshell: no command changes the next one.
        (eval "$line") </dev/null >"$work/out" 2>"$work/err"
        printf 'status %s\n' $?
        cat "$work/out"
        echo '---- messages'
        cat "$work/err"
        for file in new*; do
            [ ! -f "$file" ] || {
                printf '%s\n' "---- $file"
                cat "$file"
            }
        done
    } >"$to/$(printf %03d "$number")"
done <"$here/commands"
echo "$number commands"
