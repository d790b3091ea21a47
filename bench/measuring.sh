# SPDX-License-Identifier: MIT
# measuring.sh -- what scripts share that measure whole processes
#
# To be sourced:   . "$(dirname "$0")/measuring.sh"
# shellcheck shell=sh disable=SC2034,SC2154

give_up()
{
    echo "${0##*/}: $*" >&2
    exit 1
}

has()
{
    command -v "$1" >/dev/null 2>&1
}

# absolute FILE
absolute()
{
    echo "$(cd "$(dirname "$1")" && pwd)/$(basename "$1")"
}

# words LIST: print the entries of LIST, which have commas between them.
words()
{
    echo "$1" | tr , ' '
}

# read_options NAMES ARGUMENT...: --NAME=VALUE sets a variable, which is named
# after a colon if not as the option; --NAME alone sets it to yes if it is no.
# The argument that is no option is the directory in $build.
read_options()
{
    known=" $1 scratch:where gpuhist "
    shift
    for argument; do
        option=${argument%%=*}
        option=${option#--}
        case $argument in
            --help)
                usage
                exit
                ;;
            --*) set_option "$option" "$argument" || { usage >&2 && exit 2; } ;;
            -*) usage >&2 && exit 2 ;;
            *) build=$argument ;;
        esac
    done
}

# set_option OPTION ARGUMENT: false if there is none.
set_option()
{
    case $known in
        *" $1:"*)
            variable=${known#*" $1:"}
            variable=${variable%% *}
            ;;
        *" $1 "*) variable=$1 ;;
        *) return 1 ;;
    esac
    case $2 in
        *=*) eval "$variable=\${2#*=}" ;;
        *) eval "[ \"\$$variable\" = no ] && $variable=yes" ;;
    esac
}

# open_tools PROGRAM...: set $tools to the directory of the PROGRAMs of bench/
# in $build, and $gpuhist, if that is empty, to the program there.
open_tools()
{
    tools=$(absolute "$build/bench/$1")
    tools=${tools%/*}
    gpuhist=$(absolute "${gpuhist:-$build/gpuhist}")
    for program; do
        [ -x "$tools/$program" ] ||
            give_up "no $tools/$program: run \`make bench\` first"
    done
    [ -x "$gpuhist" ] || give_up "no $gpuhist: run \`make\` first"
}

# Running commands die with time_command, which started them: its process.
timing=
stop()
{
    if [ -n "$timing" ]; then
        kill "$timing" || :
        wait "$timing" || :
    fi
    exit 1
}

# open_scratch NAME: go to a new directory in $where, until the script ends.
open_scratch()
{
    where=$(cd "$where" && pwd)
    scratch=$(mktemp -d "$where/gpuhist-$1.XXXXXX")
    trap 'cd / && rm -rf "$scratch"' EXIT
    trap stop HUP INT TERM
    cd "$scratch" || exit
    LC_ALL=C
    TMPDIR=$scratch
    export LC_ALL TMPDIR
    tab=$(printf '\t')
}

# row NAME FLAGS WORD...: add a command to the plan of time_command, with
# $writer before it, standard input from $stdin, and $names after it.
writer=
stdin=/dev/null
names=
row()
{
    row_name=$1
    row_flags=$2
    shift 2
    {
        printf '%s\t%s%s\t%s\t%s' "$row_name" "${writer:+w}" "$row_flags" \
            "$stdin" "$writer"
        (
            IFS=$tab
            printf '%s%s\n' "$*" "$names"
        )
    } >>plan
}
