# gpuhist.bash -- what bash completes behind "gpuhist"
# shellcheck shell=bash
#
# Whoever adds an option adds it here, in _gpuhist and in gpuhist.fish, with an
# = where it takes a value (tests/cli/completions.sh).

_gpuhist()
{
    local options='
        --bin-width= --bins= --chunk-size= --closed= --cumulative --decompress=
        --density --device= --dtype= --edges= --endian= --equalize= --every=
        --explain --fields= --flow= --format= --gpu-after= --gpu-timeout=
        --header-out --help --image --interrupted= --joint --labels=
        --list-devices --list-strategies --log --log= --lut --mask=
        --memory-limit= --metric= --mod= --nonzero --numpy --output= --partial=
        --percent --percentiles= --plot --plot= --plot-scale= --progress
        --progress= --quiet --range= --read-bytes= --record= --reset --shift=
        --skip-bytes= --sort= --stats --stats= --strategy= --subdiv= --svg=
        --threads= --top= --verbose --version --weights='
    local types='u1 i1 u2 i2 u4 i4 u8 i8 f2 f4 f8'
    local current=${COMP_WORDS[COMP_CWORD]}
    local before=$((COMP_CWORD - 1))
    local has_equal=
    local words=
    local IFS=$' \t\n'
    local word

    COMPREPLY=()
    # "--option=value" are three words, "--option=" are two.
    if [[ $current == = ]]; then
        current=
        has_equal=yes
    elif [[ ${COMP_WORDS[before]} == = ]]; then
        before=$((before - 1))
        has_equal=yes
    fi
    local option=${COMP_WORDS[before]}
    for word in "${COMP_WORDS[@]:1:before}"; do
        # Only files are behind it.
        [[ $word != -- ]] || option=--
    done
    # The values of these are behind an = only.
    [[ -n $has_equal || ! $option =~ ^--(log|plot|progress|stats)$ ]] ||
        option=

    case $option in
        --closed) words='left right' ;;
        --decompress) words='auto none zstd' ;;
        --device) words='auto cpu cuda opencl' ;;
        --dtype | --record) words=$types ;;
        --endian) words='little big' ;;
        --flow) words='auto show hide clamp' ;;
        --format) words='tsv csv json jsonl prom uniq npy' ;;
        --gpu-timeout) words='none' ;;
        --interrupted) words='discard print' ;;
        --labels) words='dec hex char' ;;
        --log) words='2 10 e' ;;
        --partial) words='error drop' ;;
        --plot | --stats) words='only' ;;
        --plot-scale) words='linear log' ;;
        --progress) words='auto always never' ;;
        --range) words='auto' ;;
        --sort) words='value count' ;;
        --strategy) words='auto lane shared packed global' ;;
        --bin-width | -b | --bins | --chunk-size | --every | -f | --fields | \
            --gpu-after | -j | --threads | --mask | --memory-limit | --metric | \
            --mod | --percentiles | --read-bytes | --shift | --skip-bytes | \
            --subdiv | --top | --weights)
            # A number, a list of them, or a name.
            return
            ;;
        --edges)
            # Numbers, or @FILE.
            if [[ $current == @* ]]; then
                compopt -o filenames
                mapfile -t COMPREPLY < <(compgen -P @ -f -- "${current#@}")
            fi
            return
            ;;
        --) ;;
        *) [[ $current != -* ]] || words=$options ;;
    esac
    if [[ -n $words ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
        # A value follows.
        [[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} != *= ]] ||
            compopt -o nospace
    fi
}

# Where there is nothing else to offer: files.
complete -o bashdefault -o default -F _gpuhist gpuhist
