/* SPDX-License-Identifier: MIT */
/* fastqc_bases.h -- qualities and letters by position, as in FastQC */

#ifndef GPUHIST_FASTQC_BASES_H
#define GPUHIST_FASTQC_BASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/base_groups.h"
#include "report/fastqc_text.h"
#include "report/rows.h"

/* The letters that FastQC knows; FASTQC_OTHER is any other. */
enum fastqc_letter {
    FASTQC_G,
    FASTQC_A,
    FASTQC_T,
    FASTQC_C,
    FASTQC_N,
    FASTQC_OTHER,
    FASTQC_LETTERS
};

/* The figures of the qualities: the mean and five percentiles. */
enum fastqc_figure {
    FASTQC_MEAN,
    FASTQC_MEDIAN,
    FASTQC_LOWER_QUARTILE,
    FASTQC_UPPER_QUARTILE,
    FASTQC_10TH,
    FASTQC_90TH,
    FASTQC_FIGURES
};

/* A group of positions. */
struct fastqc_group {
    uint64_t letter[FASTQC_LETTERS];
    double sum[FASTQC_FIGURES]; /* of the figures of PLACES positions */
    uint64_t places[FASTQC_FIGURES];
};

struct fastqc_bases {
    unsigned int phred;  /* the byte of quality 0 in the input, ... */
    unsigned int offset; /* ... and as FastQC guesses */
    unsigned int lowest; /* the lowest byte of a quality; 126: none is lower */
    bool has_qualities;
    uint64_t letter[FASTQC_LETTERS]; /* of all positions */
    struct base_group range[BASE_GROUPS_MAX];
    struct fastqc_group group[BASE_GROUPS_MAX];
    size_t groups;
};

/*
 * The lists of two histograms.  Qualities are not counted with their base: long
 * reads would have millions of combinations.  The tile comes after the
 * position, so that the rows of a position follow each other.
 */
#define FASTQC_LETTERS_FIELD "position,base"
#define FASTQC_QUALITIES_FIELD "position,name:tile,quality"

/* The columns of the qualities; the first one is also that of the letters. */
enum fastqc_column {
    FASTQC_COLUMN_POSITION,
    FASTQC_COLUMN_TILE,
    FASTQC_COLUMN_QUALITY,
};

/* Read the histograms LETTERS and QUALITIES of REPORT. */
void fastqc_bases_read(struct fastqc_bases *bases, const struct report *report,
                       size_t letters, size_t qualities);

/* Set *BYTE to that of the quality of the current row of ROWS, of qualities.
   Returns false: it has none. */
bool fastqc_bases_quality(const struct fastqc_bases *bases,
                          const struct rows *rows, unsigned int *byte);

/* Returns the name of the encoding. */
const char *fastqc_bases_encoding(const struct fastqc_bases *bases);

/* Returns the byte of QUALITY in the input, or the nearest one that FastQC
   reads. */
unsigned int fastqc_bases_byte(const struct fastqc_bases *bases,
                               int64_t quality);

/* Put a module each.  Without qualities the first one puts nothing. */
void fastqc_bases_put_quality(const struct fastqc_bases *bases,
                              struct writer *out);
void fastqc_bases_put_content(const struct fastqc_bases *bases,
                              struct writer *out);
void fastqc_bases_put_n(const struct fastqc_bases *bases, struct writer *out);

#endif
