# SPDX-License-Identifier: MIT
# contigs.awk -- FASTA with all that a device counts, and with an odd record
#
#     awk -v bases=N -v odd=1 -f contigs.awk
#
# The first record has so many bases in lines of 60, the second one in one line;
# then there are short ones.  With odd, there is a record of FASTQ among these.

function letters(from, size, text, i) {
    text = ""
    for (i = 0; i < size; i++)
        text = text substr(from, 1 + int(rand() * length(from)), 1)
    return text
}

function record(name, text, width, end, i) {
    printf ">%s%s", name, end
    for (i = 1; i <= length(text); i += width)
        printf "%s%s", substr(text, i, width), end
}

BEGIN {
    srand(2)
    block = letters("ACGT", 400) letters("acgtn", 150) letters("N", 80) \
        letters("ACGTRYKM*-.", 60) letters("A", 70) letters("ACGT", 241)
    while (length(genome) < bases)
        genome = genome block
    genome = substr(genome, 1, bases)
    record("chromosome 1 > @ +", genome, 60, "\n")
    record("chromosome-2", genome, bases, "\n")
    for (r = 0; r < 120; r++) {
        if (odd && r == 60)
            printf "@read\nACGT\n+\nIIII\n"
        text = substr(genome, 1 + int(rand() * bases), rand() * 300)
        record(letters("name >@+", r), text, 1 + int(rand() * 80),
               r % 10 == 0 ? "\r\n" : r % 11 == 0 ? "\n\n" : "\n")
    }
    record("empty", "", 60, "\n")
    printf ">the last\nACGTA"
}
