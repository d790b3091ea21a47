# SPDX-License-Identifier: MIT
# sample.sh -- samples of reads by their names: --sample, --seed, pair, hash
# shellcheck shell=sh disable=SC2154,SC2016

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

printf '@a/1 x\nAC\n+\nII\n@b/1\nACG\n+\nIII\n' >reads.fq
for sample in 0.01 0% 0.0% 101% % .5% 1.% 1e-2% -1% 1%% ' 1%' \
    1.0000000000000000001%; do
    says 2 "--sample: '$sample' is not a percentage above 0% and up to 100%, \
such as 1% or 0.1%" "--sample=$sample" gpuhist --seq --sample="$sample" reads.fq
done
says 2 "--sample is of reads: it needs --seq or --kmers; of text \
--where='FIELD:hash<0.01' chooses 1 % of the values of a field" 'lines' \
    gpuhist -l --sample=1% reads.fq
says 2 '--seed needs --sample' 'a seed alone' gpuhist --seq --seed=3 reads.fq
says 2 "--seed: 'x' is not a whole number" 'no seed' \
    gpuhist --seq --sample=1% --seed=x reads.fq
for seed in 18446744073709551616 -1 '' 1k; do
    says 2 "--fields: the modifier hash needs a seed, a whole number up to \
2^64 - 1, or no argument, not '$seed'" "hash=$seed" \
        gpuhist --seq -f name:hash="$seed" reads.fq
done
says 2 '--sample and --device=cuda exclude each other' 'a device' \
    gpuhist --seq --sample=1% --device=cuda reads.fq

printf '2\t1\n3\t1\n' >wanted
counts wanted 'all reads' gpuhist --seq -f length --sample=100% reads.fq
counts wanted 'a percentage with digits after the point' \
    gpuhist --seq -f length --sample=99.99999999999999% reads.fq
gpuhist --seq -f length --sample=0.000001% reads.fq >out 2>err
is "$? $(cat out err)" "0 gpuhist: warning: no record fulfils --sample=0.000001%" \
    'a warning of an empty sample'
is "$(gpuhist --seq -f length --sample=0.000001% --where='length>0' reads.fq 2>&1)" \
    'gpuhist: warning: no record fulfils all 2 conditions of --where and --sample' \
    '... beside a condition'
gpuhist --seq -f length --sample=1% --seed=5 --state=state reads.fq \
    >/dev/null 2>&1
says 2 '--sample and --merge exclude each other: the states say what was counted' \
    'a sample of a state' gpuhist --merge --sample=1% state
gpuhist --seq -f length --sample=2% --seed=5 --state=other reads.fq \
    >/dev/null 2>&1
gpuhist --merge --duplicates=allow state other >out 2>err
is "$? $(wc -c <out)" '1 0' 'states of two samples do not add up'

# xxhsum -H64 prints 44bc2cf5ad770999.
printf 'abc\n' | gpuhist --tsv -f 1:hash >out
is "$(cut -f 1 out)" 0.268496332149393301 'the hash of "abc"'

python_checks "$srcdir/tests/cli/sample_oracle.py"

done_testing
