# SPDX-License-Identifier: MIT
# output.sh -- every byte of what is printed
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

# The value v comes v+1 times, so that no two lines can be mixed up.
printf %b "$(awk 'BEGIN { for (v = 0; v < 256; v++) for (i = 0; i <= v; i++)
    printf "\\0%03o", v }')" >all
awk 'BEGIN { for (v = 0; v < 256; v++) printf "%d\t%d\n", v, v + 1 }' >wanted
: >empty
awk 'BEGIN { for (v = 0; v < 256; v++) printf "%d\t0\n", v }' >zeros
printf 'value\tcount\n' >header

# ---- that these tests can fail, then the shape ----

sed '256s/256/257/' wanted >wrong
gpuhist all >out
cmp -s out wrong && echo "Bail out! a wrong count is not seen" && exit 99

counts wanted '256 lines: value, tab, count' gpuhist all
counts zeros 'no input: 256 zeros' gpuhist empty
counts wanted '--nonzero: all, where all occur' gpuhist --nonzero all
counts empty '--nonzero of nothing: nothing' gpuhist --nonzero empty
cat header wanted >wanted-header
counts wanted-header '--header-out' gpuhist --header-out all
cat header zeros >zeros-header
counts zeros-header '--header-out of nothing' gpuhist --header-out empty
counts header '--header-out --nonzero of nothing' \
    gpuhist --header-out --nonzero empty

printf 'aab\n\377' >few
printf '10\t1\n97\t2\n98\t1\n255\t1\n' >wanted-few
counts wanted-few '--nonzero' gpuhist --nonzero few
cat header wanted-few >wanted-few-header
counts wanted-few-header '--nonzero --header-out' \
    gpuhist --nonzero --header-out few
counts wanted-few-header 'given twice' \
    gpuhist --nonzero --header-out few --nonzero --header-out
counts wanted '-q and -v change nothing' gpuhist -q -v all

# ---- where it goes ----

{
    echo before
    gpuhist all
    gpuhist few --nonzero
} >out
{
    echo before
    cat wanted wanted-few
} >wanted-three
same out wanted-three 'one behind the other'
gpuhist all | cat >out
same out wanted 'into a pipe'
echo before >out
gpuhist all >>out
{
    echo before
    cat wanted
} | cmp -s - out
ok $? 'appended'

# ---- more than 32 bits ----

printf '0\t4299161600\n' >wanted-zeros
if instrumented; then
    skip 'a count beyond 2^32' 'a sanitizer takes long'
else
    counts wanted-zeros 'a count beyond 2^32' \
        gpuhist --nonzero --read-bytes=4299161600 /dev/zero
fi

# A file of 4.1 GB, of which little is read: that takes seconds.
if truncate -s 4100M sparse && printf xyz >>sparse; then
    printf '0\t16777216\n120\t1\n121\t1\n122\t1\n' >wanted-sparse
    counts wanted-sparse 'what is behind 2^32 bytes' \
        gpuhist --nonzero --skip-bytes=4084Mi sparse
    rm sparse
else
    skip 'what is behind 2^32 bytes' 'no sparse files'
fi

# ---- the locale ----

for locale in $(locale -a 2>locale-says | head -n 20) de_DE.UTF-8 fr_FR hi_IN \
    fa_IR.UTF-8 nonsense; do
    gpuhist_locale=$locale
    counts wanted "LC_ALL=$locale" gpuhist --chunk-size=1.5k all
done

done_testing
