# SPDX-License-Identifier: MIT
# fqchk.sh -- --format=fqchk beside seqtk
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

# Two reads of 3 and 1 bases: 40, 20, 1 and 0.
printf '@a\nACg\n+\nI5"\n@b\nN\n+\n!\n' >data
# The mean error of 40 and 0 is that of 0 (0.5 for seqtk) by half.
printf '%s\n' \
    'min_len: 1; max_len: 3; avg_len: 2.00; 4 distinct quality values' \
    'POS	#bases	%A	%C	%G	%T	%N	avgQ	errQ	%low	%high' \
    'ALL	4	25.0	25.0	25.0	0.0	25.0	15.2	6.0	50.0	50.0' \
    '1	2	50.0	0.0	0.0	0.0	50.0	20.0	6.0	50.0	50.0' \
    '2	1	0.0	100.0	0.0	0.0	0.0	20.0	20.0	0.0	100.0' \
    '3	1	0.0	0.0	100.0	0.0	0.0	1.0	3.0	100.0	0.0' >wanted
counts wanted 'two reads' gpuhist --seq --format=fqchk data
printf '%s\n' \
    'min_len: 1; max_len: 3; avg_len: 2.00; 4 distinct quality values' \
    'POS	#bases	%A	%C	%G	%T	%N	avgQ	errQ	%Q0	%Q1	%Q20	%Q40' \
    'ALL	4	25.0	25.0	25.0	0.0	25.0	15.2	6.0	25.00	25.00	25.00	25.00' \
    '1	2	50.0	0.0	0.0	0.0	50.0	20.0	6.0	50.00	0.00	0.00	50.00' \
    '2	1	0.0	100.0	0.0	0.0	0.0	20.0	20.0	0.00	0.00	100.00	0.00' \
    '3	1	0.0	0.0	100.0	0.0	0.0	1.0	3.0	0.00	100.00	0.00	0.00' >wanted
counts wanted 'a column for each quality' \
    gpuhist --seq --format=fqchk --low-quality=0 data
printf '@a\nACg\n+\nhTA\n@b\nN\n+\n@\n' >old
gpuhist --seq --format=fqchk data >wanted
counts wanted '--phred=64' gpuhist --seq --format=fqchk --phred=64 old
printf '%s\n' \
    'min_len: 0; max_len: 0; avg_len: 0.00; 0 distinct quality values' \
    'POS	#bases	%A	%C	%G	%T	%N	avgQ	errQ	%low	%high' \
    'ALL	0	0.0	0.0	0.0	0.0	0.0	0.0	0.0	0.0	0.0' >wanted
printf '@a\n\n+\n\n' >none
counts wanted 'no bases' gpuhist --seq --format=fqchk none

for option in -flength -gname --joint --kmers=3 --keep-case -b5 --log; do
    refused 2 "$option" gpuhist --seq --format=fqchk $option data
done
says 2 '--format=fqchk needs --seq' 'samples' gpuhist --format=fqchk data
says 2 '--top does not apply to --format=fqchk' '--top' \
    gpuhist --seq --format=fqchk --top=3 data
for low in 3 20; do
    says 2 '--low-quality needs --format=fqchk' "another format: $low" \
        gpuhist --seq --low-quality=$low data
done
says 2 "--low-quality: '95' is not a quality from 0 to 94" 'too high' \
    gpuhist --seq --format=fqchk --low-quality=95 data

command -v seqtk >/dev/null || {
    skip 'seqtk fqchk' 'not installed'
    done_testing
    exit
}
# shellcheck disable=SC2016 # awk
reads='BEGIN {
    srand(seed)
    for (r = 0; r < 500; r++) {
        length_of = int(rand() * 150)
        bases = quality = ""
        for (b = 0; b < length_of; b++) {
            bases = bases substr("ACGTNacgtnRUu", 1 + int(rand() * 13), 1)
            quality = quality sprintf("%c", 33 + int(rand() * 94))
        }
        print "@r" r "\n" bases "\n+\n" quality
    }
}'
for seed in 1 2 3; do
    awk -v seed=$seed "$reads" >data
    for low in 20 0 30 94; do
        seqtk fqchk -q $low data >wanted
        counts wanted "seed $seed: seqtk fqchk -q $low" gpuhist --seq \
            --format=fqchk --low-quality=$low data
    done
done
done_testing
