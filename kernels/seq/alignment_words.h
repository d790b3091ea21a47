/* SPDX-License-Identifier: MIT */
/*
 * alignment_words.h -- the fields of an alignment, after the name of its read,
 * and the bits of its flag
 *
 * src/input/alignment writes them, and src/seq reads them.  In a record of
 * FASTA or FASTQ that was made of BAM or SAM, the name is followed by a tab,
 * this mark and the words, with a tab between two of them, up to the end of the
 * line.  A word that nobody wants may be empty, and the last ones may be left
 * out.
 */

#ifndef GPUHIST_ALIGNMENT_WORDS_H
#define GPUHIST_ALIGNMENT_WORDS_H

/* A byte that the name lines of FASTA and FASTQ do not have; another one where
   the record stands for a reference in the header, and has no name. */
#define ALIGNMENT_WORDS_MARK 1
#define ALIGNMENT_REFERENCE_MARK 2

/* Bits of the flag: "Sequence Alignment/Map Format Specification" (SAMv1),
   section 1.4. */
enum alignment_flag {
    ALIGNMENT_PAIRED = 0x1,
    ALIGNMENT_PROPER_PAIR = 0x2,
    ALIGNMENT_UNMAPPED = 0x4,
    ALIGNMENT_MATE_UNMAPPED = 0x8,
    ALIGNMENT_REVERSE = 0x10,
    ALIGNMENT_MATE_REVERSE = 0x20,
    ALIGNMENT_READ1 = 0x40,
    ALIGNMENT_READ2 = 0x80,
    ALIGNMENT_SECONDARY = 0x100,
    ALIGNMENT_QCFAIL = 0x200,
    ALIGNMENT_DUPLICATE = 0x400,
    ALIGNMENT_SUPPLEMENTARY = 0x800,
};

/* Numbers are decimals; a name or a CIGAR string that is not available is '*',
   but for the read group, which is empty, as is an edit distance or orientation
   that there is not.  A reference in the header has only RNAME, its number and
   its length. */
enum alignment_word {
    ALIGNMENT_WORD_FLAG,
    ALIGNMENT_WORD_MAPQ,
    ALIGNMENT_WORD_POS, /* from 1 on; 0: none */
    ALIGNMENT_WORD_TLEN,
    ALIGNMENT_WORD_STRAND, /* '+' or '-' */
    ALIGNMENT_WORD_RNAME,
    ALIGNMENT_WORD_MATE_RNAME,
    ALIGNMENT_WORD_RNAME_NUMBER, /* in the header, from 1 on; empty: none */
    ALIGNMENT_WORD_RNAME_LENGTH, /* in the header; empty: none */
    ALIGNMENT_WORD_READ_GROUP,
    ALIGNMENT_WORD_CIGAR,
    ALIGNMENT_WORD_HAS_BASES,     /* 1; 0: none are stored */
    ALIGNMENT_WORD_FULL_LENGTH,   /* bases, with those that are hard-clipped */
    ALIGNMENT_WORD_EDIT_DISTANCE, /* the tag NM */
    ALIGNMENT_WORD_ORIENTATION,   /* of a pair, as a name */
    ALIGNMENT_WORD_OUT_OF_ORDER,  /* 1: before the place of the record before */
    ALIGNMENT_WORD_CHECKSUMS,     /* each as 8 hexadecimal digits */
    ALIGNMENT_WORDS
};

/* CRC-32 of what BAM stores of a record: src/input/alignment/
   alignment_checksums.h. */
enum alignment_checksum {
    ALIGNMENT_CHECKSUM_NAME,
    ALIGNMENT_CHECKSUM_BASES,
    ALIGNMENT_CHECKSUM_QUALITY,
    ALIGNMENT_CHECKSUMS
};

#define ALIGNMENT_CHECKSUM_DIGITS 8

#endif
