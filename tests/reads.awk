# SPDX-License-Identifier: MIT
# reads.awk -- FASTQ with all that a device counts, and with odd records
#
#     awk -v reads=N -v odd=EVERY -f reads.awk
#
# With odd, each so many reads, there is a record that a device refuses, of
# another kind each time, in the middle third of the reads.

function letters(from, size, text, i) {
    text = ""
    for (i = 0; i < size; i++)
        text = text substr(from, 1 + int(rand() * length(from)), 1)
    return text
}

function repeat(letter, size, text) {
    text = sprintf("%" size "s", "")
    gsub(/ /, letter, text)
    return text
}

function record(name, bases, qualities) {
    printf "@%s\n%s\n+\n%s\n", name, bases, qualities
}

function put_odd(kind) {
    if (kind == 0)
        printf ">fasta\nACGTNNACGT\nAC\n"
    else if (kind == 1)
        record("iupac", "ACGTRYKM", "IIIIIIII")
    else if (kind == 2)
        printf "@lines\nACGT\nAC\n+\nIII\nIII\n"
    else if (kind == 3)
        printf "@cr\r\nACGT\r\n+\r\nIIII\r\n"
    else if (kind == 4)
        record("long", repeat("ACGT", 300), repeat("IIII", 300))
    else if (kind == 5)
        record("gaps", "AC.G-*", "IIIIII")
    else if (kind == 6)
        printf "\n \n"
    else
        record("control", "ACGT", "\001~II")
}

BEGIN {
    srand(1)
    for (i = 33; i < 75; i++)
        qualities = qualities sprintf("%c", i)
    for (r = 0; r < reads; r++) {
        size = r % 7 == 0 ? int(rand() * 4) : r % 3 == 0 ? int(rand() * 300) : 151
        record("read" r " of " reads,
               letters(r % 5 == 0 ? "ACGTNacgtn" : "ACGT", size),
               letters(qualities, size))
        if (odd > 0 && r % odd == 0 && r > reads / 3 && r < reads * 2 / 3)
            put_odd(r / odd % 8)
    }
}
