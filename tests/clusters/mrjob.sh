# SPDX-License-Identifier: MIT
# mrjob.sh -- Hadoop Streaming's conventions, as mrjob has them on this machine
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

# From Python's index.
python3 -c 'import mrjob' 2>python-says || skip_all 'no mrjob'
command -v bash >path || skip_all 'no bash'

# shellcheck source=tests/clusters/recipes.sh
. "$srcdir/tests/clusters/recipes.sh"
recipe count.py
recipe mrjob.sh

timeout 60 sh ./mrjob.sh 2>err
same wanted total.tsv 'what is reduced is one run' || sed 's/^/# /' err

# shellcheck disable=SC2016 # for another shell
faulty mapper 'kill -s KILL $$'
fails mrjob.sh && died mapper && [ ! -s total.tsv ]
ok $? 'a mapper that dies is a failure'
timeout 60 sh ./mrjob.sh 2>err
same wanted total.tsv '... and is done again'

# Without it, nobody would see that.
sed 's/ -o pipefail//' count.py >careless
mv careless count.py
sed -i 's/ && echo/; echo/' count.py
rm -r began/mapper
timeout 60 sh ./mrjob.sh 2>err
is "$? $(cmp -s wanted total.tsv || echo differs)" '0 differs' \
    'without pipefail it is not noticed'

# Two blocks with the same bytes.
cp logs/1.log logs/9.log
rm faults/mapper
sed -e 's/-o pipefail//' -e 's/ --duplicates=allow//' -i count.py
fails mrjob.sh && grep -q 'is already in' err
ok $? 'blocks with the same bytes want --duplicates=allow'

done_testing
