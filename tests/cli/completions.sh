# SPDX-License-Identifier: MIT
# completions.sh -- what shells complete, beside what the program takes
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

from=$srcdir/completions
generate=${GPUHIST%/*}/completions/generate
printf aab >data

# ---- they are what the table of options says ----

for shell in bash:gpuhist.bash zsh:_gpuhist fish:gpuhist.fish; do
    script=$from/${shell#*:}
    "$generate" "${shell%:*}" <"$script" >made
    is "$?" 0 "${shell%:*}: it is made"
    same "$script" made "... up to date; if not: make completions"
    sed '/BEGIN/,/END/{/--help/d
        /-l help/d
    }' "$script" >stale
    "$generate" "${shell%:*}" <stale >made
    same "$script" made '... what is missing is made'
    sed '/# END/d' "$script" >stale
    "$generate" "${shell%:*}" <stale >made
    is "$?" 1 '... a script without an end is an error'
done
"$generate" csh </dev/null >made 2>err
is "$? $(cat err)" '2 usage: generate bash|zsh|fish <SCRIPT >NEW' 'no other shell'

# ---- the same options, with a value where there is one, as in --help ----

gpuhist --help | sed 's/^  -\(.\), /\1     /' |
    sed -n 's/^\([ a-zA-Z]\)     \(--[a-z0-9-]*\)\(\[\{0,1\}=\{0,1\}\)[^ ]*\( .*\)*$/\2 \3 \1/p' |
    sed 's/ *$//; s/ \[=/ ?/' | sort >wanted
[ "$(wc -l <wanted)" -gt 10 ]
ok $? "--help is read ($(wc -l <wanted) options)"

# bash: "--log --log=" for a value that may be left out; no letters.
sed -n "/local options='/,/'\$/p" "$from/gpuhist.bash" | tr -d "'" |
    tr -s ' ' '\n' | grep -e '^--' | sort >in-bash
cut -d ' ' -f 1,2 wanted | sed 's/^\([^ ]*\) ?$/\1\n\1=/; s/ .$/=/' |
    tr -d ' ' | sort >wanted-bash
same in-bash wanted-bash 'bash: the options'
diff wanted-bash in-bash | sed 's/^/# /'

sed -n "s/^    '.*{-\(.\)+\{0,1\},\(--[a-z0-9-]*\)\(=\{0,1\}\)}'\[.*/\2 \3 \1/p
    s/^    '\((-. --[a-z0-9-]*)\)\{0,1\}\*\{0,1\}\(--[a-z0-9-]*\)\(=\{0,1\}-\{0,1\}\)\[.*/\2 \3/p
    s/^    '.*'-\(.\)\[.*/-\1/p" \
    "$from/_gpuhist" | sed 's/=-/?/; s/ *$//; s/  / /' | sort >in-zsh
# A letter takes no value that may be left out.
sed 's/  */ /; s/ ? \(.\)$/ ?\n-\1/' wanted | sort >wanted-once
same in-zsh wanted-once 'zsh: the options'
diff wanted-once in-zsh | sed 's/^/# /'

sed -n 's/^complete -c gpuhist \(-s \(.\) \)\{0,1\}-l \([a-z0-9-]*\) \(-[rxf]\)\{0,1\}.*/--\3 \4 \2/p
    s/^complete -c gpuhist -s \(.\) -d.*/-\1/p' \
    "$from/gpuhist.fish" | sed 's/ -[rx]/ =/; s/ -f/ ?/; s/ *$//; s/  / /' |
    sort >in-fish
same in-fish wanted-once 'fish: the options'
diff wanted-once in-fish | sed 's/^/# /'

# ---- the same values, those that a message about a wrong one names ----

sed -n "s/^complete -c gpuhist .*-l \([a-z0-9-]*\) .*-a '\([^']*\)' .*/--\1 \2/p" \
    "$from/gpuhist.fish" | sort >values
sed -n "s/^    '.*\(--[a-z0-9-]*\)=.*:(\(.*\))'$/\1 \2/p" "$from/_gpuhist" |
    sort >values-zsh
same values-zsh values 'zsh and fish: the same values'
diff values values-zsh | sed 's/^/# /'
[ "$(wc -l <values)" -gt 8 ]
ok $? "some options have them ($(wc -l <values))"
while read -r option words; do
    # What belongs together without a field or a range is refused later.
    case $option in
        --range) continue ;;
    esac
    missing=
    gpuhist "$option=/" data >out 2>err
    for word in $words; do
        grep -q -w -e "$word" err || missing="$missing $word"
    done
    is "$missing" '' "$option: $words"
done <values

# ---- bash ----

if ! command -v bash >bash-path; then
    skip 'bash' 'it is not there'
else
    # completes WANTED WORD...: what bash offers for the last word, and how.
    # shellcheck disable=SC2016 # for bash
    completes()
    {
        completes_wanted=$1
        shift
        is "$(bash --norc -c '. "$1" && shift || exit
            compopt() { printf "[%s] " "$2"; }
            COMP_WORDS=(gpuhist "$@")
            COMP_CWORD=$#
            _gpuhist
            echo "${COMPREPLY[@]}"' bash "$from/gpuhist.bash" "$@" 2>&1)" \
            "$completes_wanted" "bash: $*"
    }
    : >file1
    completes '[nospace] --device=' --dev
    completes '--header-in --header-in= --header-out --help --help=' --he
    completes '--log --log= --log-format= --logfmt' --log
    completes 'auto cpu cuda opencl' --device =
    completes 'cpu cuda' --device = c
    completes 'cpu cuda' --device c
    completes 'left' -q --closed = l
    completes '' --bin-width =
    completes '' -b ''
    completes '' --output = f
    completes '' -o f
    completes '' f
    completes '' --log ''
    completes 'only' --plot = ''
    completes '2 10 e' --log =
    completes 'auto always' --progress = a
    completes '[filenames] @file1' --edges = @f
    completes '' -- file1 --dev
    completes 'strategy' --tune = st
    completes 'f2 f4 f8 f8e4m3 f8e5m2' --dtype f
    # Each value that the others have.
    while read -r option words; do
        completes "$words" "$option" =
    done <values
fi

# ---- as it is typed ----

# types WANTED NAME TEXT SHELL ARGUMENT...: what "gpuhist" gets when TEXT is
# typed into an interactive SHELL.
types()
{
    types_wanted=$1
    types_name=$2
    types_text=$3
    shift 3
    rm -f typed
    python3 -BIS "$srcdir/tests/cli/typed.py" "$types_text" "$@" >screen 2>&1
    is "$(cat typed 2>&1)" "$types_wanted" "$types_name" || sed 's/^/# /' screen
}
if ! python3 -c '' 2>python-says; then
    skip 'typed' 'no python3'
elif command -v bash >bash-path; then
    cat >rc <<END
. "$from/gpuhist.bash"
gpuhist() { echo "\$@" >typing; mv typing typed; }
END
    types '--device=cpu --partial=drop file1' 'bash: typed' \
        "gpuhist --devi\tcp\t--part\tdr\tfile1" bash --noprofile --rcfile rc
fi
if ! command -v zsh >zsh-path; then
    skip 'zsh' 'it is not there'
else
    zsh -f -n "$from/_gpuhist" >out 2>&1
    is "$? $(cat out)" '0 ' 'zsh reads it'
    if python3 -c '' 2>python-says; then
        mkdir zdot
        cat >zdot/.zshrc <<END
fpath=("$from" \$fpath)
autoload -U compinit && compinit -u -D
gpuhist() { echo "\$@" >typing; mv typing typed; }
END
        types '--device=cpu --partial=drop file1' 'zsh: typed' \
            "gpuhist --devi\tcp\t--part\tdr\tfile1" env ZDOTDIR="$PWD/zdot" zsh
    fi
fi
if ! command -v fish >fish-path; then
    skip 'fish' 'it is not there'
else
    HOME=$PWD
    export HOME
    # offers WANTED TEXT: what fish offers, without the descriptions.
    offers()
    {
        is "$(fish --no-config -c "source '$from/gpuhist.fish'
            complete -C '$2'" 2>&1 | cut -f 1 | tr '\n' ' ')" "$1" "fish: $2"
    }
    fish -n "$from/gpuhist.fish" >out 2>&1
    is "$? $(cat out)" '0 ' 'fish reads it'
    offers '--device=auto --device=cpu --device=cuda --device=opencl ' 'gpuhist --device='
    offers 'left right ' 'gpuhist --closed '
    offers '--log=2 --log=10 --log=e ' 'gpuhist --log='
    offers '--header-in --header-in= --header-out --help --help= ' 'gpuhist --he'
    offers 'file1 ' 'gpuhist -o file'
    offers 'file1 ' 'gpuhist --log file'
    offers '' 'gpuhist -b fi'
fi

done_testing
