# SPDX-License-Identifier: MIT
# snakemake.sh -- Snakemake does again what was killed, and nothing else
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

# Debian: snakemake; or from Python's index.
command -v snakemake >path || skip_all 'no snakemake'

# shellcheck source=tests/clusters/recipes.sh
. "$srcdir/tests/clusters/recipes.sh"
recipe Snakefile
recipe snakemake.sh
# What it keeps for the user.
XDG_CACHE_HOME=$tap_dir/cache HOME=$tap_dir
export XDG_CACHE_HOME HOME

# shellcheck disable=SC2016 # for another shell
faulty 3 'kill -s KILL $$'
timeout 60 sh ./snakemake.sh >out 2>err
is "$?" 0 'a task is killed' || sed 's/^/# /' err
died 3
ok $? '... and done again'
same wanted total.tsv '... what is merged is one run'

# A task that dies each time.
rm states/3 total.tsv
# shellcheck disable=SC2016 # for another shell
faulty 3 "rmdir '$tap_dir/began/3'; "'kill -s KILL $$'
sed 's/--retries 2//' snakemake.sh >once.sh
fails once.sh && [ ! -e total.tsv ]
ok $? 'a task that cannot be done is a failure'
says 1 'shard 3 of 8 is missing, of the run of states/4 (--incomplete accepts that)' \
    '... and is missing in the sum' gpuhist --merge states/*

# Only what is missing is counted.
rm faults/3
for task in 1 2 4 5 6 7 8; do
    faulty $task 'exit 1'
done
timeout 60 sh ./once.sh >out 2>err
same wanted total.tsv 'only the missing task is done then' || sed 's/^/# /' err

done_testing
