# SPDX-License-Identifier: MIT
# sequence_modifiers.sh -- modifiers of the names and sequences of reads
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

cat >reads.fq <<'END'
@M01:12:FC:1:1101:15:20 1:N:0:AC
ACGTAC
+
IIIIII
@M01:12:FC:1:1102:15:20 1:N:0:AC
ACGG
+
II!I
@M01:12:FC:1:1102:77:20 2:N:0:AC
TTTT
+
IIII
@x
A
+
I
END
printf '%s\t%s\n' 1101 1 1102 2 '\invalid' 1 >wanted
counts wanted 'the tile of a name' gpuhist --seq -f 'name:field=5":"' reads.fq
printf '%s\t%s\n' '1101	6' 40 '1102	8' 35 '\invalid	1' 40 >wanted
counts wanted 'the mean quality of each tile' gpuhist --seq \
    -g 'name:field=5":"' -f quality --columns=count,mean reads.fq
printf '%s\t%s\n' A 1 ACG 2 TTT 1 >wanted
counts wanted 'how sequences start' gpuhist --seq -f sequence:prefix=3 reads.fq
printf '1000\t1100\t0\n1100\t1200\t3\n' >wanted
"$GPUHIST" -q --seq -f 'name:field=5":":number' -b 2 --range=1000,1200 \
    reads.fq >out
is "$(cut -f 1-3 out | head -n 2)" "$(cat wanted)" 'bins of a number in a name'
printf '4\t2\n' >wanted
counts wanted 'a condition on a tile' \
    gpuhist --seq -f length --where='name:field=5":"=1102' reads.fq
says 2 "length:number has modifiers, and of the fields of sequences only \
texts can have any, such as name and sequence" 'a condition on a number' \
    gpuhist --seq -f name --where='length:number>3' reads.fq
says 2 "length:number has modifiers, and of the fields of sequences only \
texts can have any, such as name and sequence" 'a number has no modifiers' \
    gpuhist --seq -f length:number reads.fq
says 2 "sequence:index=ac: without --keep-case bases are capital letters, and 'ac' has others" \
    'small letters to look for' gpuhist --seq -f sequence:index=ac reads.fq
for where in sequence=ttt 'sequence!=ttt' sequence:prefix=3=ttt 'sequence:cut=1-3:index=ttt>0'; do
    says 2 "--where: without --keep-case bases are capital letters, and 'ttt' has others" \
        "small letters: $where" gpuhist --seq -f length --where="$where" reads.fq
done
printf '>a\nacgt\n' >small.fa
printf '2\t1\n' >wanted
counts wanted '... with --keep-case' \
    gpuhist --seq --keep-case -f sequence:index=cg --where=sequence=acgt small.fa
counts wanted '... made by lower' \
    gpuhist --seq -f sequence:lower:index=cg --where=sequence:lower=acgt small.fa
says 2 'name:split=";" gives several elements, and a sequence has no lists' \
    'no lists' gpuhist --seq -f 'name:split=";"' reads.fq
says 2 "--fields: 'lowr' is not a modifier (did you mean 'lower'?); write a \
name with a colon in double quotes" 'a misspelt modifier' \
    gpuhist --seq -f name:lowr reads.fq

# Tables of reads with the same fields have room for a part of a read only; a
# condition that holds for all bases has each base counted by itself.
awk 'BEGIN { for (n = 0; n < 60; n++) {
        bases = quality = ""
        for (i = 0; i < n * n * 3; i++) {
            bases = bases "A"
            quality = quality sprintf("%c", 33 + i * (n + 7) % 89)
        }
        print (n % 11 ? "@M:1:F:1:" n % 5 ":7:" n : "@x") "\n" bases "\n+\n" quality } }' \
    >long.fq
for fields in name:tile,position,quality quality,length,position,mean-quality; do
    gpuhist --seq --joint -f $fields --where='position>0' long.fq >wanted
    for options in --threads=1 '--threads=3 --chunk-size=4096' --memory-limit=24M; do
        # shellcheck disable=SC2086
        counts wanted "groups of reads: $fields $options" \
            gpuhist --seq --joint -f $fields $options long.fq
    done
done
sed -n 's/^@/>/p; n; p; n; n' long.fq >long.fa
gpuhist --seq --joint -f name:tile,position,quality --where='position>0' \
    long.fa >wanted
gpuhist --seq --joint -f name:tile,position,quality long.fa >got
same got wanted 'groups of reads without qualities'

python_checks "$srcdir/tests/cli/sequence_modifiers_oracle.py"

done_testing
