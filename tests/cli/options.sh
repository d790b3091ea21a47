# SPDX-License-Identifier: MIT
# options.sh -- the command line, and what is said of it everywhere
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

printf 'aab' >data
gpuhist data >wanted

# ---- --help and --version ----

for option in -h --usage --help; do
    gpuhist $option >out 2>err
    is "$? $(wc -c <err) $(head -n 1 out)" \
        '0 0 Usage: gpuhist [OPTION]... [FILE]...' $option
    [ $option != --usage ] || cp out usage
done
cp out help
is "$(awk 'END { print NR <= 40 }
    length > 79' usage)" 1 '-h has at most 40 lines of at most 79 columns'
is "$(awk 'length > 79' help)" '' '--help fits 80 columns'
is "$(grep -c '[[:cntrl:]]' help) $(grep -c ' $' help)" '0 0' \
    '--help is plain text'
for option in --version -V; do
    gpuhist $option >out 2>err
    is "$? $(wc -c <err) $(wc -l <out) $(grep -c '^gpuhist [0-9.]*$' out)" \
        '0 0 6 1' $option
done
sed -n 2p out | grep -qx 'https://[a-z./]*'
ok $? '... with the address of the project'
number='[0-9][0-9.]*[0-9]'
libraries=$(sed -n 3p out)
[ "$HAVE_ZSTD" = yes ] && zstd="libzstd $number" || zstd='not built in'
[ "$HAVE_GZIP" = yes ] && gzip="ISA-L|zlib $number" || gzip='not built in'
[ "$HAVE_LZMA" = yes ] && lzma="liblzma $number" || lzma='not built in'
[ "$HAVE_LZIP" = yes ] && lzip="liblzma $number" || lzip='not built in'
[ "$HAVE_LZ4" = yes ] && lz4="liblz4 $number" || lz4='not built in'
[ "$HAVE_BZIP2" = yes ] && bzip2="libbz2 $number" || bzip2='not built in'
wanted="zstd \($zstd\), gzip \(($gzip)\), xz \($lzma\), lzma \($lzma\)"
wanted="$wanted, lz4 \($lz4\), bzip2 \($bzip2\), lzip \($lzip\)"
wanted="$wanted, compress \(built in\), zlib \(($gzip)\)"
echo "$libraries" | grep -qxE "compressed input: $wanted"
ok $? "... says which libraries are in: $libraries"
library='not built in'
[ "$HAVE_ARCHIVE" != yes ] || library="libarchive $number|no library .*"
sed -n 4p out | grep -qxE "archives: tar, zip, 7z and cpio \(($library)\)"
ok $? '... and for archives'
library='not built in'
[ "$HAVE_PCRE2" != yes ] || library="PCRE2 \((libpcre2-8 $number|no library .*)\)"
sed -n 5p out | grep -qxE "regular expressions: ($library)"
ok $? '... and for expressions'

# What could be a driver is found, and would not start.
head -c 64 "$GPUHIST" >libcuda.so.1
ln -s libcuda.so.1 libOpenCL.so.1
cuda=$(pwd -P)/libcuda.so.1
opencl=$cuda
[ "$HAVE_NVCC" = yes ] || cuda='not built in'
[ "$HAVE_OPENCL" = yes ] || opencl='not built in'
LD_LIBRARY_PATH=$PWD gpuhist --version >out 2>err
is "$? $(wc -c <err) $(sed -n 6p out)" "0 0 GPUs: CUDA ($cuda), OpenCL ($opencl)" \
    '... and which engines of GPUs have a library, which is not loaded'
counts help '--help reads nothing' gpuhist --help missing
counts help 'the last of --version and --help wins' gpuhist --version --help
refused 2 '--help does not hide an error' gpuhist --help --unknown

# ---- --help, which is made from the table, and the man page ----

# "--name no", "--name required" or "--name optional".
sed 's/^  -., /      /' help |
    sed -n 's/^      \(--[a-z0-9-]*\)\(\[\{0,1\}=\{0,1\}\)[^ ]*\( .*\)*$/\1 \2/p' |
    sed 's/ \[=$/ optional/; s/ =$/ required/; s/ $/ no/' | sort >table
[ "$(wc -l <table)" -gt 10 ]
ok $? "--help has options ($(wc -l <table))"
is "$(sort -u table | wc -l)" "$(wc -l <table)" 'no option is there twice'

# The entries of all man pages are those of --help: letter, name, argument.  So
# an option has one page.
sed -n 's/^  \(\(-., \|    \)--[^ ]*\).*/\1/p' help | sed 's/^    //' |
    sort >in-help
# The arguments of a macro that alternates fonts are joined.
awk '/^\.SH/ { is_option = $2 == "OPTIONS" }
    is_option && is_entry {
        rest = $0
        sub(/^\.[A-Z]* /, "", rest)
        text = ""
        while (rest != "") {
            if (sub(/^"/, "", rest)) {
                end = index(rest, "\"")
                text = text substr(rest, 1, end - 1)
                rest = substr(rest, end + 1)
            } else if (match(rest, /^[^ ]+/)) {
                text = text substr(rest, 1, RLENGTH)
                rest = substr(rest, RLENGTH + 1)
            }
            sub(/^ +/, "", rest)
        }
        gsub(/\\f[A-Z]/, "", text)
        gsub(/\\-/, "-", text)
        if (text ~ /^-/)
            print text
    }
    { is_entry = /^\.T[PQ]/ }' "$srcdir"/man/*.[15] | sort >in-man
same in-help in-man 'one man page has an entry for each option, as in --help'
diff in-help in-man | sed 's/^/# /'

# Each topic has the text that --help has, and each option has a topic.
topics=$(grep -A 9 -e '--help\[=TOPIC\]' help | tr -s ' ,\n' ' ' |
    sed 's/.* exit: //; s/ *-V.*//; s/ or / /')
is "$topics" 'text logs bins figures seq sequences archives output format gpu '\
'state states' 'the topics'
for topic in $topics; do
    gpuhist --help="$topic" >"topic.$topic" 2>err
    is "$? $(sed '/^Keys of --tune:$/,/^More: /d' "topic.$topic" |
        grep -v -x -F -f help | grep -v -e '^  gpuhist' -e '^  find' -e ':$' -e '^More: ')" '0 ' \
        "--help=$topic has text of --help"
done
same topic.seq topic.sequences 'a topic has two names'
same topic.output topic.format '... output'
same topic.state topic.states '... state'
sed -n 's/^  \(-.,\|   \) --\([a-z0-9-]*\).*/\2/p' topic.* | sort -u >of-topics
is "$(sed -n 's/^--\([^ ]*\).*/\1/p' table | sort | comm -23 - of-topics |
    tr '\n' ' ')" 'help usage version ' 'the options without a topic'
# The keys of --tune stand in one topic and one page; each is an option, too.
sed -n '/^Keys of --tune:$/,/^More: /s/^      \([a-z-]*=[A-Z]*\).*/\1/p' topic.gpu >keys
sed 's/[\]//g' "$srcdir/man/gpuhist-gpu.1" |
    sed -n '/^.BI --tune/,/^.BR -j/s/^.BI \([a-z][a-z-]*=\) /\1/p' >keys-in-man
same keys-in-man keys 'the manual has the keys of --tune'
while IFS='=' read -r key value; do
    case $value in
        SIZE) value=3 ;;
        SECONDS) value=none ;;
        *) value=auto ;;
    esac
    counts wanted "--tune=$key=$value" gpuhist --tune="$key=$value" data
    counts wanted "--$key=$value" gpuhist "--$key=$value" data
    is "$(grep -c -e "--$key" help)" 0 '... is not in --help'
    is "$(cat "$srcdir"/completions/*gpuhist* | grep -c -e "--$key" -e "-l $key")" 0 \
        '... nor in completions'
done <keys
refused 2 'no such topic' gpuhist --help=sequence
is "$(cut -c1-45 err)" "gpuhist: --help: 'sequence' is not sequences," \
    '... the nearest one comes first'

# In the man pages: at the start of an entry, "--name" or "--name=VALUE".
sed 's/\\-/-/g; s/\\f[A-Z]//g' "$srcdir"/man/*.1 "$srcdir/man/gpuhist-state.5" >page
sed -n 's/^\.BR\{0,1\}I\{0,1\} //p' page | tr -s ' ,"' '[\n*]' >words
cut -d ' ' -f 1 table >names
is "$(sed -n 's/^\(--[a-z0-9-]*\)=\{0,1\}$/\1/p' words | sort -u |
    comm -23 names - | tr '\n' ' ')" '' 'the man pages name every option'
is "$(grep -o -e '--[a-z][a-z0-9-]*' page | sort -u | comm -13 names - |
    grep -v -x -e --long -e --no-frame-crc -e --ultra | tr '\n' ' ')" '' \
    'and no other, but for those of lz4 and zstd'
for letter in b d f g h H i j l m o q v V W z; do
    grep -q "^  -$letter, " help && grep -q -x -e "-$letter" words
    ok $? "--help and the man pages name -$letter"
done
is "$(grep -c '^  -., ' help)" 16 'and no other letter'

if command -v mandoc >/dev/null; then
    mandoc -T utf8 "$srcdir/man/gpuhist.1" | wc -l >length
    [ "$(cat length)" -le 600 ]
    ok $? "gpuhist(1) is short enough to be read: $(tr -d ' ' <length) lines"
else
    skip 'gpuhist(1) is short enough to be read' 'no mandoc'
fi
# A page that is named exists, and the first page names all others.
named()
{
    cat "$@" | sed -n 's/^\.BR \(gpuhist[a-z\\-]*\) (\([15]\)).*/\1.\2/p' |
        sed 's/\\//g' | sort -u
}
find "$srcdir/man" -name '*.[15]' -exec basename {} \; | sort >pages
is "$(named "$srcdir"/man/*.[15] | comm -23 - pages)" '' 'a page that is named exists'
is "$(named "$srcdir/man/gpuhist.1" | comm -13 - pages)" gpuhist.1 \
    'the first page names all others'

# Each is accepted, with a value exactly if it takes one, also after files.
while read -r option argument; do
    value=none
    case $option in
        --memory-limit) value=1M ;;
        --tune) value=chunk-size=1M,gpu-after=1k ;;
        --threads) value=2 ;;
        --device) value=cpu ;;
        --decompress) value=none ;;
        # About samples and bins: see samples.sh.
        *) [ "$argument" = no ] || value= ;;
    esac
    if [ "$argument" = optional ]; then
        : "$option may have a value or not"
    elif [ "$argument" = required ] && [ -z "$value" ]; then
        refused 2 "$option without a value" gpuhist data "$option"
        is "$(cat err)" "gpuhist: option '$option' needs a value" '... named'
    elif [ "$argument" = required ]; then
        counts wanted "$option=$value" gpuhist "$option=$value" data
        counts wanted "$option $value" gpuhist data "$option" $value
        refused 2 "$option without a value" gpuhist data "$option"
        is "$(cat err)" "gpuhist: option '$option' needs a value" '... named'
        refused 2 "$option=" gpuhist data "$option="
        refused 2 "$option=/" gpuhist data "$option=/"
        grep -q -F -e "gpuhist: $option: '/' is not " err
        ok $? '... named'
    else
        case $option in
            # Not with these data alone: see samples.sh, every.sh, text.sh,
            # members.sh, merge.sh, sequence_options.sh, table.sh, pivot.sh,
            # profile.sh, safetensors.sh, total.sh.
            --image | --incomplete | --joint | --lut | --no-other) ;;
            --npy | --numpy | --safetensors) ;;
            --members | --merge | --reset) ;;
            --clf | --csv | --header-in | --jsonl | --logfmt) ;;
            --tsv | --whitespace) ;;
            --all-alignments | --as-aligned | --canonical | --full | --ignore-case | --keep-case) ;;
            --pivot | --profile | --seq | --spectrum | --thousands | --total) ;;
            --zero-terminated) ;;
            *)
                gpuhist "$option" data >out 2>err
                is $? 0 "$option"
                ;;
        esac
        refused 2 "$option=$value" gpuhist data "$option=$value"
        is "$(cat err)" "gpuhist: option '$option' takes no value" '... named'
    fi
    refused 2 "${option}x" gpuhist "${option}x" data
done <table

# ---- what is refused: one line, nothing else done ----

while read -r line; do
    # shellcheck disable=SC2086 # several words
    refused 2 "$line" gpuhist data $line
done <<'EOF'
-x
-qx
-xq
-j
-qj
-j0
-j -1
-j 1x
-j 4097
-j 1.5
--unknown
--unknown=1
--d=cpu
--he
--ver
--=
-=
--chunk-size=0
--chunk-size=-1
--chunk-size=1x
--chunk-size=0x10k
--chunk-size=10B
--chunk-size=1.5
--chunk-size=inf
--chunk-size=nan
--chunk-size=1e400
--chunk-size=1Gi1
--chunk-size=1025Mi
--chunk-size=16E
--memory-limit=0
--memory-limit=-1
--memory-limit=1Zi
--memory-limit=1 --chunk-size=1
--memory-limit=100k
--memory-limit=1M --chunk-size=1Mi
--gpu-after=-1
--gpu-after=now
--gpu-after=1e30
--gpu-timeout=0
--gpu-timeout=-1
--gpu-timeout=0.001
--gpu-timeout=1e7
--gpu-timeout=nan
--gpu-timeout=never
--gpu-timeout=10s
--gpu-timeout=10 --device=cpu
--device=gpu
--device=CPU
--device=cuda:
--device=cuda:x
--device=cuda:0,0
--device=cuda:0,
--device=cuda:-1
--decompress=gz
--decompress=zst
EOF
for value in '' ' ' ' 1' '1 ' '1 k' '1
'; do
    for option in --chunk-size --threads --gpu-after; do
        shown=$(printf %s. "$value" | tr '\n' '?')
        refused 2 "$option='${shown%.}'" gpuhist "$option=$value" data
    done
done
refused 2 'a wrong option hides missing files' \
    gpuhist missing --unknown missing
is "$(cat err)" \
    "gpuhist: unknown option '--unknown' (try --help)" '... named'

# Each with a letter less, one more, another one, and two that are exchanged:
# the right one is suggested, unless it is an abbreviation, or so short that it
# may be another option.  Some of these five for each.
while read -r option argument; do
    case $option in
        --??? | --????) continue ;;
    esac
    name=${option#--}
    first=${name%"${name#?}"}
    rest=${name#?}
    second=${rest%"${rest#?}"}
    for wrong in "$rest" "x$name" "x$rest" "$second$first${rest#?}" \
        "${name}x"; do
        [ "$wrong" != "$name" ] || continue
        has_turn 3 || continue
        refused 2 "--$wrong" gpuhist "--$wrong=1" data
        is "$(cat err)" \
            "gpuhist: unknown option '--$wrong' (did you mean $option?)" \
            "... suggests $option"
    done
done <table
# A value after a space is a file, unless the option needs a value.
while read -r option value; do
    refused 2 "$option $value" gpuhist data "$option" "$value"
    is "$(cat err)" "gpuhist: $option $value: there is no file '$value' (did \
you mean $option=$value?)" '... says what was meant'
done <<'EOF'
--log 2
--log 10
--log e
--plot only
--progress auto
--progress always
--progress never
--stats only
EOF
refused 1 'another file that is missing' gpuhist --plot only-this
cp data only
counts wanted 'a file with that name' gpuhist --progress -- only
counts wanted '... and no --' gpuhist --progress only
rm only
refused 2 'one - for two' gpuhist -strtegy=lane data
is "$(cat err)" "gpuhist: unknown option '-s' (did you mean --tune=strategy?)" \
    '... suggests the right one'
refused 2 'an ambiguous one' gpuhist --he data
is "$(cat err)" "gpuhist: option '--he' is ambiguous: --header-in, --header-out, --help" \
    '... which ones'

# What a value can be is listed.
while read -r option words; do
    refused 2 "$option=auot" gpuhist "$option=auot" data
    is "$(cat err)" "gpuhist: $option: 'auot' is not $words" '... says what is'
done <<'EOF'
--closed left or right
--decompress auto, none, zstd, gzip, xz, lzma, lz4, bzip2, lzip, compress or zlib
--device auto, cpu, cuda, opencl, cuda:N[,N]... or opencl:N[,N]...
--duplicates error, skip or allow
--endian little or big
--format tsv, csv, md, table, json, jsonl, prom, uniq, npy, uhi, fqchk, seqkit, seqkit-tsv, flagstat, idxstats, samtools-stats, fastqc, histo, otlp, prom-native, hdr or state
--flow auto, show, hide or clamp
--interrupted discard or print
--labels dec, hex or char
--partial error or drop
--plot only
--plot-scale linear or log
--progress auto, always or never
--sort value or count, nor with --columns a figure: count, records, missing, empty, invalid, nan, distinct, min, max, sum, mean, sd, sample_sd, mode, median, q1, q3, iqr, values, outside, entropy, chi-square, p-value, serial, pi, unique, total and percentages, as p50, p99.9, n50 and l50
--stats only, nor a figure: count, records, missing, empty, invalid, nan, distinct, min, max, sum, mean, sd, sample_sd, mode, median, q1, q3, iqr, values, outside, entropy, chi-square, p-value, serial, pi, unique, total and percentages, as p50, p99.9, n50 and l50
--strategy auto, lane, shared, packed or global
EOF

# ---- what is not an option ----

cp data ./--help
counts wanted '--: --help is a file' gpuhist -- --help
counts wanted './--help is a file' gpuhist ./--help
counts wanted '- is standard input' gpuhist - <data
counts wanted '-- alone' gpuhist -- <data
counts wanted '-- and -' gpuhist -- - <data
printf 'aabaab' | oracle >twice
counts twice 'POSIXLY_CORRECT: --help behind a file is a file' \
    env POSIXLY_CORRECT=1 "$GPUHIST" data --help

# ---- the pages fit a terminal ----

for page in "$srcdir"/man/*.[15]; do
    if command -v groff >groff-path; then
        # One long page: none ends in a table.
        is "$(printf '.pl 99999\n' | cat - "$page" |
            groff -t -man -ww -rLL=78n -Tutf8 2>&1 >/dev/null)" '' \
            "no line of ${page##*/} is wider than a terminal"
    else
        skip "${page##*/}" 'no groff'
    fi
done

done_testing
