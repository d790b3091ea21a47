# SPDX-License-Identifier: MIT
# overwrite.sh -- no output replaces an input, nor what is no state
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

noise 3000 >data
oracle <data >wanted
mkdir d
cp data d/in
ln d/in d/hard
ln -s in d/soft
printf 'P5 1 1 255\nA' >d/image
printf 'in\0' >d/names
echo 0 128 256 >d/edges
gpuhist --state=d/state data >out

# content: all that is in the directory d, by name.
content()
{
    find d -type f -exec cksum {} + | sort
    find d ! -type f | sort
}
content >before

# keeps NAME COMMAND...: two tests: COMMAND, run in the directory d, ends with
# status 2 and one message; nothing there changes.
keeps()
{
    keeps_name=$1
    shift
    (cd d && gpuhist "$@") >out 2>err
    is "$? $(wc -c <out) $(wc -l <err)" '2 0 1' "$keeps_name"
    content | cmp -s before -
    ok $? '... and nothing changes'
}

# ---- files that options name ----

for file in in ./in ../d/in hard soft "$PWD/d/in" d/../in; do
    mkdir -p d/d
    content >before
    for option in output svg state; do
        keeps "--$option=$file, an input" --$option="$file" in
        is "$(cat err)" "gpuhist: in: is also the file of --$option=$file, \
which would replace it" '... said with both names'
    done
    keeps "-o $file, the last of the inputs" -o "$file" image edges soft
    is "$(cat err)" "gpuhist: soft: is also the file of --output=$file, \
which would replace it" '... said with both names'
done
keeps 'an image' --image --equalize=image image
keeps 'an image that is another output, too' --image --equalize=image \
    -o image image
keeps 'bytes of a device' -o in --device=cpu --threads=1 --dtype=u2 in
keeps 'lines' -l -o in in
keeps 'for each file' --per-file -o in image in
keeps 'every second' --every=1s -o in image in
keeps 'strategies' --list-strategies --dtype=u4 -b 10 --svg=in in
keeps 'one of a list of names' --files0-from=names -o hard
is "$(cat err)" 'gpuhist: in: is also the file of --output=hard, which would '\
'replace it' '... said'
keeps '... the list' --files0-from=names -o ./names
is "$(cat err)" 'gpuhist: --files0-from=names: is also the file of '\
'--output=./names, which would replace it' '... said'
keeps '... of states' --merge --files0-from=names --state=in
keeps '... the list of states' --merge --files0-from=names --state=names
keeps 'edges' --edges=@edges --svg=./edges in
is "$(cat err)" 'gpuhist: --edges=@edges: is also the file of --svg=./edges, '\
'which would replace it' '... said'
keeps 'a state that is no sum' --merge -o state state
keeps '... or a picture' --merge --svg=state state
keeps '... beside a sum' --merge --state=new -o state --format=state state
keeps 'a state that is not merged' --state=state state
if gpuhist --version | grep -q 'libarchive'; then
    (cd d && tar cf ../archive.tar in && mv ../archive.tar .)
    content >before
    keeps 'an archive' --members -o archive.tar archive.tar
else
    skip 'an archive' 'built without libarchive'
fi

# ---- standard input and output ----

# shell NAME TEXT COMMAND: two tests: as keeps(), but COMMAND is a line of the
# shell that redirects, and the message is TEXT.
shell()
{
    (cd d && eval "$3") >out 2>err
    is "$? $(cat err)" "2 gpuhist: $2" "$1"
    content | cmp -s before -
    ok $? '... and nothing changes'
}
shell 'standard input' 'standard input: is also the file of --output=in, '\
'which would replace it' 'gpuhist -o in <soft'
shell '... by name' 'standard input: is also the file of --svg=in, which '\
'would replace it' 'gpuhist image --svg=in - <hard'
shell '... as a device' '/dev/stdin: is also the file of --output=in, which '\
'would replace it' 'gpuhist -o in /dev/stdin <in'
shell '... that has names' '--files0-from=-: is also the file of '\
'--output=names, which would replace it' \
    'gpuhist --files0-from=- -o names <names'
shell 'standard output' 'in: is also standard output' 'gpuhist in >>in'
shell '... by a link' 'soft: is also standard output' 'gpuhist soft >>hard'
shell '... named' 'in: is also the file of --output=/dev/stdout, which would '\
'replace it' \
    'gpuhist -o /dev/stdout image in >>in'
shell '... and input' 'standard input: is also standard output' \
    'gpuhist <in >>in'
shell '... that are one' 'standard input: is also standard output' \
    'gpuhist - 0<>in >&0'
shell '... for a state' 'state: is also standard output' \
    'gpuhist --merge --format=state state >>state'
for option in --svg=in --state=in; do
    shell "... with $option" "$option: would replace the file of standard \
output, whose text would be lost" "gpuhist $option image >>in"
done
(cd d && gpuhist --stats --svg=new image 2>>new >../out)
is "$? $(tail -n 1 d/new)" "2 gpuhist: --svg=new: would replace the file of \
standard error, whose text would be lost" 'standard error'
rm d/new
cp data d/new
# shellcheck disable=SC2094 # that is the mistake
(cd d && gpuhist new >new) 2>err
is "$? $(cat err)" '2 gpuhist: new: is also standard output' \
    'an input that the shell has emptied'
rm d/new

gpuhist </dev/null >/dev/null 2>err
is "$? $(cat err)" '0 ' 'a device may be both'
gpuhist -o /dev/null /dev/null 2>err
is "$? $(cat err)" '0 ' '... by name, too'
cp data own
# shellcheck disable=SC2094 # nothing is written
gpuhist -o one own >>own 2>err
is "$? $(cat err)" '0 ' 'standard output that gets nothing may be an input'
same one wanted '... which is counted'
same own data '... and stays'
gpuhist --svg=/dev/stdout data >both 2>err
is "$? $(cat err) $(grep -c '</svg>' both)" '0  1' \
    'a link to standard output is standard output'

# ---- a state replaces a state only ----

# other NAME FILE OPTION...: as keeps(), for a file that is no state.
other()
{
    other_name=$1
    other_file=$2
    shift 2
    keeps "$other_name" --state="$other_file" "$@"
    is "$(cat err)" "gpuhist: --state=$other_file: the file is no state, so it \
is not replaced" '... said'
}
printf '#gpuhist-sta' >d/short
gzip -c data >d/data.gz
content >before
other 'what is no state' in edges
other '... of lines' ./hard -l edges
other '... in place of a sum' soft --merge state
other 'the start of a state' short edges
other 'what is compressed' data.gz edges

: >d/empty
rm -f d/fresh
for file in d/state d/empty d/fresh; do
    gpuhist --state=$file data >out 2>err
    is "$? $(gpuhist -m $file | cksum)" "0 $(cksum <wanted)" \
        "--state=$file: replaced or made"
done
gpuhist --merge --state=d/state ./d/state >out 2>err
is "$? $(cat err)" '0 ' 'a sum may be one of the states'
same out wanted '... and is printed'
gpuhist --merge --format=state -o d/state d/state 2>err
is "$? $(gpuhist -m d/state | cksum)" "0 $(cksum <wanted)" '... with -o, too'
if [ "$HAVE_GZIP" = yes ]; then
    gzip d/state
    gpuhist --merge --state=d/state.gz d/state.gz >out 2>err
    is "$? $(cat err)" '0 ' '... compressed, too'
    same out wanted '... and is printed'
else
    skip '... compressed, too' 'built without gzip'
fi

# ---- an argument that was forgotten ----

mkdir lg
printf 'first line of a\nx\n' >lg/a.log
printf 'first line of b\nx\n' >lg/b.log
cp lg/b.log lg/c.log
printf 'city,price\nOslo,2\n' >lg/a.csv
printf 'city,price\nRome,3\n' >lg/b.csv
printf 'a\tb\n1\t2\n' >lg/a.tsv
printf 'a\tb\n3\t4\n' >lg/b.tsv
printf '{"count":1}\n' >lg/a.jsonl
cp lg/a.jsonl lg/b.jsonl
noise 100 >lg/a.bin
noise 200 >lg/b.bin
mkdir kept
cp lg/* kept
# forgotten FILE OPTION... INPUT...: one test: FILE of lg is not replaced.
forgotten()
{
    forgotten_file=lg/$1
    shift
    gpuhist "$@" >out 2>err
    is "$? $(cat out err)" "2 gpuhist: --output=$forgotten_file: the file looks \
like an input, as ${forgotten_file%/*}/b.${forgotten_file##*.}, and would be \
replaced; name another file, or remove this one" "forgotten: $*"
    cmp "$forgotten_file" "kept/${forgotten_file#lg/}"
    ok $? '... and stays'
}
forgotten a.log -l -o lg/*.log
forgotten a.log -o lg/a.log -W -f1 lg/b.log
forgotten a.csv --csv -f city -o lg/*.csv
forgotten a.csv --csv -f city --format=csv -o lg/a.csv lg/b.csv
forgotten a.tsv --tsv -f a -o lg/*.tsv
forgotten a.jsonl --jsonl -f count -o lg/*.jsonl
forgotten a.bin -o lg/*.bin
# What the program has printed it replaces, in each format.
for format in tsv csv md table json jsonl prom uniq npy uhi state; do
    gpuhist --format=$format -o "lg/counts.log" lg/a.log lg/b.log >out 2>err &&
        gpuhist --format=$format -o "lg/counts.log" lg/a.log >out 2>err
    is "$? $(cat out err)" '0 ' "counts beside inputs are replaced: $format"
done
for options in '--stats=only' '--plot=only' '-q --log --subdiv=7 --format=hdr' \
    '--scale=3 --closed=right --format=otlp' \
    '--scale=3 --closed=right --format=prom-native' \
    '--csv -f city --format=csv' '-l --spectrum --format=histo'; do
    # shellcheck disable=SC2086 # several words
    gpuhist $options -o lg/counts.csv lg/a.csv lg/b.csv >out 2>err &&
        gpuhist $options -o lg/counts.csv lg/a.csv >out 2>err
    is "$? $(cat out err)" '0 ' "counts beside inputs are replaced: $options"
done
: >lg/empty.log
gpuhist -o lg/empty.log lg/b.log
is "$?" 0 'so is an empty file'
gpuhist -o lg/new.log lg/b.log
is "$?" 0 'and a new one'
gpuhist -o lg/a.log lg/a.csv
is "$?" 0 'and one whose name ends otherwise'

# ---- many inputs cost no more calls ----

i=0
while [ $i -lt 300 ]; do
    echo $i >"small$i"
    printf 'small%d\0' $i
    i=$((i + 1))
done >many
# calls OPTION...: how often the status of a file is asked for.
calls()
{
    strace -f -qq -o trace -e trace=/stat "$GPUHIST" --device=cpu -j1 \
        --files0-from=many "$@" >out 2>err && wc -l <trace
}
if command -v strace >strace-path && calls >without; then
    calls -o counts >with
    [ $(($(cat with) - $(cat without))) -lt 20 ]
    ok $? "300 inputs: $(cat without) calls, and $(cat with) with an output" 
else
    skip '300 inputs' 'strace is not there or cannot'
fi

done_testing
