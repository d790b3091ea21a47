# SPDX-License-Identifier: MIT
# gpuhist.bash -- what bash completes behind "gpuhist"
# shellcheck shell=bash

_gpuhist()
{
    # BEGIN src/cli/option_table.c; `make completions` writes this
    local options='
        --all-alignments --array= --as-aligned --bin-width= --bins= --canonical
        --clf --closed= --columns= --comment= --counts --counts= --csv
        --cumulative --decompress= --delimiter= --density --device= --dtype=
        --duplicates= --edges= --endian= --equalize= --every= --explain
        --fields= --files0-from= --first= --flow= --format= --full --group-by=
        --header-in --header-in= --header-out --help --help= --ignore-case
        --image --incomplete --interrupted= --invalid= --joint --jsonl
        --keep-case --kmers= --labels= --lines --list-devices --list-strategies
        --log --log= --log-format= --logfmt --low-quality= --lut --mask=
        --matches= --max-count= --members --memory-limit= --merge --metric=
        --metric-type= --min-count= --min-quality= --mod= --no-other --nonzero
        --npy --numpy --output= --partial= --per-file --percent --percent=
        --percentiles= --phred= --pivot --plot --plot= --plot-scale= --prefix=
        --profile --progress --progress= --quiet --range= --read-bytes=
        --reads= --record= --regex= --rename= --reset --round= --safetensors
        --sample= --scale= --seed= --seq --shard= --shift= --skip-bytes=
        --sort= --spectrum --state= --stats --stats= --subdiv= --svg=
        --thousands --threads= --top= --top-each= --total --tsv --tune= --usage
        --verbose --version --weights= --where= --whitespace --words
        --zero-terminated
        '
    local optional='
        --counts --header-in -H --help --log --percent --plot --progress
        --stats
        '
    local free='
        --array --bin-width --comment --delimiter -d --every --fields -f
        --first --group-by -g --kmers --log-format --low-quality --mask
        --matches --max-count --memory-limit --metric --min-count --min-quality
        --mod --percentiles --prefix --read-bytes --reads --regex --rename
        --round --sample --scale --seed --shard --shift --skip-bytes --subdiv
        --threads -j --top --top-each --weights --where
        '
    local at_file='
        --edges
        '
    local -A words_of=(
        [--bins]='auto fd doane scott stone rice sturges sqrt'
        [--closed]='left right'
        [--columns]='count records missing empty invalid nan distinct min max sum mean sd sample_sd mode median q1 q3 iqr values outside entropy chi-square p-value serial pi unique total'
        [--counts]='tsv uniq'
        [--decompress]='auto none zstd gzip xz lzma lz4 bzip2 lzip compress zlib'
        [--device]='auto cpu cuda opencl'
        [--dtype]='u1 i1 u2 i2 u4 i4 u8 i8 f2 f4 f8 bf16 f8e4m3 f8e5m2 int num decimal'
        [--duplicates]='error skip allow'
        [--endian]='little big'
        [--flow]='auto show hide clamp'
        [--format]='tsv csv md table json jsonl prom uniq npy uhi fqchk seqkit seqkit-tsv flagstat idxstats samtools-stats fastqc histo otlp prom-native hdr state'
        [--header-in]='first comment none'
        [--help]='text logs bins figures seq sequences archives output format gpu state states'
        [--interrupted]='discard print'
        [--invalid]='error count'
        [--labels]='dec hex char'
        [--log]='2 10 e'
        [--metric-type]='counter gauge'
        [--partial]='error drop'
        [--percent]='group'
        [--phred]='33 64'
        [--plot]='only'
        [--plot-scale]='linear log'
        [--progress]='auto always never'
        [--range]='auto minmax'
        [--record]='u1 i1 u2 i2 u4 i4 u8 i8 f2 f4 f8 bf16 f8e4m3 f8e5m2'
        [--sort]='value count records missing empty invalid nan distinct min max sum mean sd sample_sd mode median q1 q3 iqr'
        [--stats]='only count records missing empty invalid nan distinct min max sum mean sd sample_sd mode median q1 q3 iqr values outside entropy chi-square p-value serial pi unique total'
        [--tune]='gpu-after gpu-decode gpu-timeout strategy chunk-size'
    )
    # END
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
    local option=${COMP_WORDS[before]:-none}
    for word in "${COMP_WORDS[@]:1:before}"; do
        # Only files follow it.
        [[ $word != -- ]] || option=--
    done
    # The values of these are behind an = only.
    [[ -n $has_equal || ! $optional == *[[:space:]]"$option"[[:space:]]* ]] ||
        option=none

    if [[ -n ${words_of[$option]} ]]; then
        words=${words_of[$option]}
    elif [[ $free == *[[:space:]]"$option"[[:space:]]* ]]; then
        # A number, a list of them, or a name.
        return
    elif [[ $at_file == *[[:space:]]"$option"[[:space:]]* ]]; then
        # Numbers, or @FILE.
        if [[ $current == @* ]]; then
            compopt -o filenames
            mapfile -t COMPREPLY < <(compgen -P @ -f -- "${current#@}")
        fi
        return
    elif [[ $option != -- && $current == -* ]]; then
        words=$options
    fi
    if [[ -n $words ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
        # A value follows.
        [[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} != *= ]] ||
            compopt -o nospace
    fi
}

# Where there is nothing else to offer: files.
complete -o bashdefault -o default -F _gpuhist gpuhist
