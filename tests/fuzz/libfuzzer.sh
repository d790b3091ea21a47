# SPDX-License-Identifier: MIT
# libfuzzer.sh -- what run.sh and soak.sh share: build targets, run one of them
#
# "here" is the directory of this file.
# shellcheck shell=sh disable=SC2034,SC2154

# What a finding makes the program end with.
fuzz_checks='-g -O1 -fsanitize=address,undefined -fno-sanitize-recover=all'

# Print the names of all targets.
fuzz_targets()
{
    (cd "$here" && echo fuzz_*.c | sed 's/\.c//g')
}

# fuzz_build FLAGS TARGET...: in the current directory, with clang.
fuzz_build()
{
    fuzz_flags=$1
    shift
    [ -f Makefile ] ||
        "$here/../../configure" --without-nvcc CC=clang \
            CFLAGS="$fuzz_flags -fsanitize=fuzzer-no-link" || return
    # By itself: configure could not work with libFuzzer's main().
    make Makefile || return
    # shellcheck disable=SC2046 # several words
    make -j"$(nproc)" fuzz_main= LDFLAGS=-fsanitize=fuzzer \
        $(printf 'tests/fuzz/%s ' "$@")
}

# fuzz_build_replay FLAGS TARGET...: the same with the main() of replay.c, by any compiler.
fuzz_build_replay()
{
    fuzz_flags=$1
    shift
    [ -f Makefile ] ||
        "$here/../../configure" --without-nvcc CFLAGS="$fuzz_flags" || return
    # shellcheck disable=SC2046 # several words
    make -j"$(nproc)" $(printf 'tests/fuzz/%s ' "$@")
}

# fuzz_unpack TARGET...: put the data of the tree into corpus/TARGET.
fuzz_unpack()
{
    for fuzz_target in "$@"; do
        mkdir -p "corpus/$fuzz_target"
        (cd "corpus/$fuzz_target" && ar x "$here/corpus/$fuzz_target.ar") ||
            return
    done
}

# fuzz_run PROGRAM SEED LOG OPTION...: run the target PROGRAM with libFuzzer.
# New data go to corpus/TARGET, and data that it fails with to found/.
fuzz_run()
{
    fuzz_program=$1
    fuzz_target=${1##*/}
    fuzz_seed=$2
    fuzz_log=$3
    shift 3
    case $fuzz_target in
        fuzz_options | fuzz_tally) set -- -dict="$here/options.dict" "$@" ;;
        # liblzma allocates a dictionary of any size before it uses it.
        fuzz_members) set -- -malloc_limit_mb=8000 "$@" ;;
    esac
    "$fuzz_program" -seed="$fuzz_seed" -max_len=1500 -timeout=60 \
        -print_final_stats=1 -artifact_prefix="found/$fuzz_target-" "$@" \
        "corpus/$fuzz_target" >"$fuzz_log" 2>&1
}

# fuzz_change BUILD TARGET SEED RUNS LOG: run the TARGET in the directory BUILD with data of the
# corpus that are changed at random.  Data that it fails with go to found/.
fuzz_change()
{
    # A fake stack of gcc 13 puts vectors to addresses that they cannot have.
    (
        ASAN_OPTIONS=detect_stack_use_after_return=0:${ASAN_OPTIONS:-}
        export ASAN_OPTIONS
        cd "$1" && exec "tests/fuzz/$2" -n "$4" -s "$3" "$here/corpus/$2.ar"
    ) >"$5" 2>&1
    fuzz_status=$?
    case $fuzz_status in
        0 | 129 | 130 | 143) rm -f "$1/$2.$3.last" ;;
        *) mv "$1/$2.$3.last" "found/$1.$2.$3.last" ;;
    esac
    return $fuzz_status
}

# fuzz_said LOG: what a target said when it failed.
fuzz_said()
{
    grep -a -E '^fuzz: |ERROR: |runtime error: |^ *#[0-9] |^Base64: ' "$1"
}
