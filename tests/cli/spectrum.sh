# SPDX-License-Identifier: MIT
# spectrum.sh -- --spectrum: how many keys have each count
# shellcheck shell=sh disable=SC2016,SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

# spectrum_of: the spectrum of the lines on standard input.
spectrum_of() {
    LC_ALL=C sort | uniq -c | awk '{ number[$1]++ }
        END { for (count in number) print count "\t" number[count] }' |
        sort -n
}

# ---- lines, fields and words ----

# Line N stands N % 60 times; one stands often, another 5,000 times.
awk 'BEGIN { for (n = 0; n < 2000; n++)
                 for (i = 0; i < n % 60; i++) print n, n % 7
             for (i = 0; i < 5000; i++) print "often 3" }' >lines
spectrum_of <lines >wanted
is "$(tail -n 1 wanted)" "$(printf '5000\t1')" 'a count that is not small'
counts wanted 'lines' gpuhist -l --spectrum lines
counts wanted 'one thread' gpuhist -l --spectrum --threads=1 lines
counts wanted 'a pipe' gpuhist -l --spectrum <lines
counts wanted 'in files' gpuhist -l --spectrum --memory-limit=2M lines

# KMC's -ci: keys with a lesser count are left out.
for least in 1 2 30 60 6000; do
    awk -v least=$least '$1 >= least { print; next } { rest += $2 }
        END { if (rest) print "\\other\t" rest }' wanted >frequent
    counts frequent "keys of at least $least" \
        gpuhist -l --spectrum --min-count=$least lines
done
printf '58\t33\n59\t33\n\\other\t1901\n' >frequent
counts frequent '... of them those with the greatest counts' \
    gpuhist -l --spectrum --min-count=58 --top=2 --sort=value lines

cut -d ' ' -f 2 lines | spectrum_of >wanted
counts wanted 'a field' gpuhist -d ' ' -f 2 --spectrum lines
printf 'a\nb x\nb y\n' >odd
gpuhist -d ' ' -f 2 --spectrum odd >out
is "$(cat out)" "$(printf '1\t2')" 'a record without the field has no key'
printf '3\n1\n3\n03\n' >numbers
printf '1\t1\n3\t1\n' >wanted
counts wanted 'numbers: 3 three times' \
    gpuhist -l --dtype=int --spectrum numbers
gpuhist -l --spectrum /dev/null >out
is "$? $(cat out)" '0 ' 'no keys'

# ---- combinations ----

# Those without any value are none; an empty text at the end is a value.
awk 'BEGIN { for (n = 0; n < 3000; n++) {
                 line = ""
                 for (f = 0; f < n % 4; f++)
                     line = line (f ? ";" : "") (n * (f + 7) % (11 + 9 * f))
                 print line (n % 3 ? "" : ";") }
             for (n = 0; n < 100; n++) print "a" }' >records
awk -F ';' '{ a = NF < 2 ? "missing" : "_" $2; b = NF < 3 ? "missing" : "_" $3
              if (a b != "missingmissing") print a, b }' records | spectrum_of >wanted
for keys in '-g 2,3' '-f 2,3 --joint' '-g 2 -f 3'; do
    # shellcheck disable=SC2086
    counts wanted "combinations of $keys" gpuhist -d ';' $keys --spectrum records
    # shellcheck disable=SC2086
    gpuhist -d ';' $keys --state=combinations records >out
    counts wanted '... of a state' gpuhist --merge --spectrum combinations
done
counts wanted '... in files' \
    gpuhist -d ';' -g 2,3 --spectrum --memory-limit=2M --threads=2 records
printf '%s\n' a,1 a,1.0 a,x b,2 b, b '' >odd
printf '1\t5\n2\t1\n' >wanted
counts wanted 'keys and numbers' gpuhist -d, -g1 -f2 --dtype=int --spectrum odd

gpuhist -q -d, -f2 --state=none odd --where=2='\N' >out
gpuhist --merge --spectrum none >out
is "$? $(cat out)" '0 ' 'a state without keys'

# ---- k-mers ----

awk 'BEGIN { srand(7); for (r = 0; r < 400; r++) {
                 print ">" r; s = ""
                 for (i = 0; i < 100; i++)
                     s = s substr(r % 3 ? "ACGT" : "ACN", \
                                  1 + int(rand() * (r % 3 ? 4 : 3)), 1)
                 print s } }' >reads
for k in 2 6 11 16; do
    awk -v k=$k '/^>/ { next }
        { for (i = 1; i + k - 1 <= length($0); i++) {
              kmer = substr($0, i, k); if (kmer !~ /N/) print kmer } }' reads |
        spectrum_of >wanted
    counts wanted "k-mers of $k" gpuhist --kmers=$k --spectrum reads
    counts wanted "... in little memory" \
        gpuhist --kmers=$k --spectrum --memory-limit=300M reads
done

# ---- --plot ----

# Fewer lines than multiplicities.
LINES=20 gpuhist --kmers=6 --spectrum --min-count=6 --plot=only --no-other \
    reads | awk 'NR > 1 { if ($1 < 6 || $1 < last) exit 1; last = $1 }'
ok $? 'a picture ascends'
printf '%s\n' a b b c c d d d >few
is "$(gpuhist -l --spectrum --plot=only --top=2 few |
    awk 'NR == 2 { print $1 }')" 2 '... unless --top chooses the lines'

# ---- --format=histo ----

gpuhist --kmers=6 --spectrum reads | tr '\t' ' ' >wanted
counts wanted '--format=histo' \
    gpuhist --kmers=6 --spectrum --format=histo reads
gpuhist -l --spectrum lines | tr '\t' ' ' >wanted
counts wanted '... of lines' gpuhist -l --spectrum --format=histo lines
gpuhist --kmers=6 --spectrum --format=histo /dev/null >out
is "$? $(cat out)" '0 ' '... of nothing'
# All of its lines are two numbers.
awk '$1 >= 30' wanted >frequent
rest=$(awk '$1 < 30 { n += $2 } END { print n }' wanted)
gpuhist -q -l --state=keys lines >out
for options in --min-count=30 '--min-count=30 --no-other'; do
    # shellcheck disable=SC2086
    counts frequent "... $options" \
        gpuhist -q -l --spectrum --format=histo $options lines
    # shellcheck disable=SC2086
    counts frequent '... of a state' \
        gpuhist -q --merge --spectrum --format=histo $options keys
    # shellcheck disable=SC2086
    gpuhist -l --spectrum --format=histo $options lines 2>err >out
    is "$(cat err)" "gpuhist: warning: $rest keys of other lines are not shown" \
        '... says how many are left out'
done
gpuhist -l --spectrum --format=histo --min-count=9999 lines >out 2>err
is "$? $(cat out)" '0 ' '... all keys'
if command -v jellyfish >command-says; then
    for options in '-m 5' '-m 5 -C' '-m 12 -C' '-m 21' '-m 32 -C'; do
        # shellcheck disable=SC2086
        jellyfish count $options -s 1M -o counted reads &&
            jellyfish histo -h 1000000 counted >wanted
        k=${options#-m }
        both=
        [ "${k% -C}" = "$k" ] || both=--canonical
        counts wanted "jellyfish $options" gpuhist --kmers="${k% -C}" \
            $both --spectrum --format=histo reads
        awk '$1 >= 2' wanted >frequent
        counts frequent '... of those that occur twice, as with -ci2 of KMC' \
            gpuhist -q --kmers="${k% -C}" $both --spectrum --format=histo \
            --min-count=2 --no-other reads
    done
else
    skip 'jellyfish histo' 'not installed'
fi
says 2 '--format=histo needs --spectrum' 'k-mers' \
    gpuhist --kmers=6 --format=histo reads
says 2 '--format=histo prints one spectrum: give one field' 'two fields' \
    gpuhist --seq -f base,length --spectrum --format=histo reads
for option in --top=3 --header-out --percent --interrupted=print --per-file \
    --sort=count --flow=show --nonzero; do
    refused 2 "$option" gpuhist --kmers=6 --spectrum --format=histo \
        $option reads
done

# ---- --stats: of all keys ----

# totals: what there is of the keys on standard input, one a line.
totals() {
    LC_ALL=C sort | uniq -c | sort -n | awk '
        { of[NR] = $1; once += $1 == 1; all += $1 }
        END { print "unique\t" once + 0; print "distinct\t" NR
              print "total\t" all + 0; print "max\t" of[NR] + 0
              print "p50\t" of[int((NR + 1) / 2)]
              print "p99.9\t" of[int((NR * 999 + 999) / 1000)] }'
}

set -- --spectrum --stats=only --percentiles=50,99.9
totals <lines >wanted
counts wanted '--stats of lines' gpuhist -l "$@" lines
counts wanted '... in files' gpuhist -l "$@" --memory-limit=2M lines
counts wanted '... whatever --min-count leaves out' \
    sh -c '"$GPUHIST" -l --spectrum --min-count=58 --stats --percentiles=50,99.9 lines \
        2>&1 >lost' stats
counts wanted '... of a state' gpuhist --merge "$@" keys
cut -d ' ' -f 2 lines | totals >wanted
counts wanted '... of a field' gpuhist -d ' ' -f 2 "$@" lines
awk -F ';' '{ a = NF < 2 ? "missing" : "_" $2; b = NF < 3 ? "missing" : "_" $3
              if (a b != "missingmissing") print a, b }' records | totals >wanted
counts wanted '... of combinations' gpuhist -d ';' -f 2,3 --joint "$@" records
counts wanted '... of groups' gpuhist -d ';' -g 2 -f 3 "$@" records
{
    cut -d ' ' -f 1 lines | totals | sed 's/^/1\t/'
    cut -d ' ' -f 2 lines | totals | sed 's/^/2\t/'
} >wanted
counts wanted '... of each field' gpuhist -d ' ' -f 1,2 "$@" lines
{
    printf 'file\tunique\tdistinct\ttotal\tmax\tp50\tp99.9\n'
    for file in lines records; do
        { echo "$file"; totals <$file | cut -f 2; } | paste -s -
    done
} >wanted
counts wanted '... of each file' gpuhist -l "$@" --per-file lines records
printf 'unique\t0\ndistinct\t0\ntotal\t0\nmax\t0\np50\tnan\np99.9\tnan\n' >wanted
counts wanted '... of no keys' gpuhist -l "$@" /dev/null
if command -v jellyfish >command-says; then
    for k in 6 12 21; do
        jellyfish count -C -m $k -s 1M -o counted reads &&
            jellyfish stats counted | awk '{ print $2 }' >wanted
        gpuhist --kmers=$k --canonical --spectrum --stats=only reads |
            cut -f 2 >out
        same out wanted "... as jellyfish stats, $k"
    done
else
    skip '... as jellyfish stats' 'not installed'
fi
says 2 '--stats and --percentiles do not work with --joint or --weights' \
    '... of combinations that are no keys' \
    gpuhist -d ';' -f 2,3 --joint --stats records

# ---- what is refused ----

refused 2 'numbers with bins' gpuhist -l --dtype=int -b4 --spectrum numbers
says 2 '--spectrum counts keys and numbers with the same count; bins are none: leave them out' \
    'groups of bins' gpuhist -d ' ' -g 1 -f 2 -b4 --spectrum lines
says 2 '--spectrum of combinations has one histogram: give one field beside --group-by, or one list with --joint' \
    'combinations beside others' gpuhist -d ' ' -g 1 -f 2,3 --spectrum lines
says 2 '--spectrum is of what is counted as text: keys, numbers, combinations and k-mers; samples have none' \
    'samples' gpuhist --dtype=u2 --nonzero --spectrum lines
refused 2 'bins of lengths' gpuhist --seq -f length -b4 --spectrum reads

done_testing
