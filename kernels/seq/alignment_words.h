/*
 * alignment_words.h -- the fields of an alignment, after the name of its read
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

/* Numbers are decimals; a name that is not available is '*'.  A reference in
   the header has only RNAME, its number and its length. */
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
    ALIGNMENT_WORDS
};

#endif
