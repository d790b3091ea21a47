/* SPDX-License-Identifier: MIT */
/*
 * sequence_cut.h -- where data of FASTA and FASTQ may be cut
 *
 * Data may be cut at the start of a record, or of a line of blanks before a
 * record.  Where records start depends on all bytes before.  So the state of an
 * unfinished record is passed from data to data.
 *
 * Up to the first error, the records are those of sequence.h.  Not all errors
 * are found, because bases are not looked at: the engines find the others.
 */

#ifndef GPUHIST_SEQUENCE_CUT_H
#define GPUHIST_SEQUENCE_CUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/seq/sequence_sketch.h"

enum sequence_place {
    SEQUENCE_AT_START,   /* a line starts, before a record */
    SEQUENCE_IN_BLANKS,  /* in a line of blanks before a record */
    SEQUENCE_IN_NAME,    /* in the first line of a record */
    SEQUENCE_AT_LINE,    /* a line starts, after the name */
    SEQUENCE_IN_LINE,    /* in a line of bases */
    SEQUENCE_IN_PLUS,    /* in the line of the '+' */
    SEQUENCE_IN_QUALITY, /* in a line of quality, or at its start */
    SEQUENCE_IN_ERROR,   /* after an error in a record, for ever */
};

/* Where data end.  All 0: at a line's start, before a record. */
struct sequence_cut {
    enum sequence_place place;
    bool is_fastq;        /* this record */
    bool is_after_return; /* IN_QUALITY: the last byte is '\r' */
    uint64_t bases;       /* of FASTQ, so far ... */
    uint64_t quality;     /* ... and of quality bytes, with this '\r' */
};

/* Whether a record has started before data end, and goes on. */
static inline bool
sequence_cut_is_in_record(const struct sequence_cut *cut)
{
    return cut->place != SEQUENCE_AT_START && cut->place != SEQUENCE_IN_BLANKS;
}

/* Whether data end in the name or the bases of a record of FASTA. */
static inline bool
sequence_cut_is_fasta(const struct sequence_cut *cut)
{
    return !cut->is_fastq &&
           (cut->place == SEQUENCE_IN_NAME || cut->place == SEQUENCE_AT_LINE ||
            cut->place == SEQUENCE_IN_LINE);
}

/* The ends of records, or of lines of blanks before them, in some data. */
struct text_ends {
    bool has_any;
    size_t first; /* the number of bytes up to the first end */
    size_t last;
    uint64_t records;  /* of sequences: how many start there ... */
    uint64_t sketched; /* ... and bytes of those that were not looked at */
};

/*
 * Find the ends in the SIZE bytes at DATA, which follow bytes that end at *CUT.
 * Sets *CUT to where DATA ends.  IS_FOLLOWED: a line starts after DATA, with
 * '>' or '@'.  SKETCHES, which may be NULL, are of spans of DATA, and perhaps
 * of more behind DATA: most of the bytes there are not looked at.
 */
struct text_ends sequence_cut_find(struct sequence_cut *cut,
                                   const unsigned char *data, size_t size,
                                   bool is_followed,
                                   const struct sequence_sketches *sketches);

/*
 * Records start at DATA, which has SIZE bytes, at least 1.  Returns the bytes
 * of the records before the first record that does not have four lines, or is
 * long.  Adds the number of these records to *RECORDS.
 */
typedef size_t sequence_lines_form(const unsigned char *data, uint32_t size,
                                   uint64_t *records);
sequence_lines_form sequence_lines_avx2;
sequence_lines_form sequence_lines_avx512;

/*
 * A record, or blanks, start at DATA.  Returns how many of the SIZE bytes lie
 * before the first end, end included; 0: no end is found.
 */
size_t sequence_cut_first(const unsigned char *data, size_t size);

/*
 * Returns the offset at which a record seems to start, with a line in DATA;
 * SIZE if no record seems to.  A line starts at DATA only if IS_LINE.  The
 * guess may be wrong, if the quality looks like a record.
 */
size_t sequence_guess_first(const unsigned char *data, size_t size,
                            bool is_line);

/* The same for the last such record; 0: none. */
size_t sequence_guess_last(const unsigned char *data, size_t size);

#endif
