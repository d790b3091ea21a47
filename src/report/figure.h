/* SPDX-License-Identifier: MIT */
/*
 * figure.h -- the figures, one row for each: all figures of --columns and
 * --stats
 *
 * A figure is a number computed of the values of a group.  --columns prints
 * figures of each group.  --stats and --percentiles print figures of one group
 * of all values: in bins, or the keys of a spectrum.
 *
 * The row of a figure gives the name, the need for values, and the function
 * that finds the figure.  The order of groups by a figure and the text of the
 * figure follow from its value.
 *
 * The values of a group are the values of its records in one field.  COUNT is
 * the number of values: in a field of numbers the numbers without NaN; in any
 * other field the texts, empty texts included.  So RECORDS is the sum of COUNT,
 * MISSING, EMPTY, INVALID and NAN.
 */

#ifndef GPUHIST_FIGURE_H
#define GPUHIST_FIGURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/decimal_sum.h"
#include "base/error.h"
#include "base/percentile.h"
#include "hist/spec.h"

enum figure_kind {
    /* The words of --columns. */
    FIGURE_COUNT,
    FIGURE_RECORDS,
    FIGURE_MISSING,
    FIGURE_EMPTY,
    FIGURE_INVALID,
    FIGURE_NAN,
    FIGURE_DISTINCT,
    FIGURE_MIN,
    FIGURE_MAX,
    FIGURE_SUM,
    FIGURE_MEAN,
    FIGURE_SD,        /* of a population */
    FIGURE_SAMPLE_SD, /* of a sample */
    FIGURE_MODE,      /* the least of the most frequent values */
    FIGURE_MEDIAN,    /* between values: linear, as numpy has quantiles */
    FIGURE_Q1,
    FIGURE_Q3,
    FIGURE_IQR, /* Q3 - Q1 */
    FIGURE_ALL, /* the end of the figures that the word "all" means */

    /* Of the bytes of whole inputs in their order. */
    FIGURE_SERIAL = FIGURE_ALL,
    FIGURE_PI,
    FIGURE_WORDS,

    /* Of any percentage: of --columns and --percentiles ... */
    FIGURE_PERCENTILE = FIGURE_WORDS,

    /* ... and of --columns alone.  Of values in descending order, the first
       with which the sum reaches the percentage of the sum of all (N50), and
       how many values the sum then has (L50). */
    FIGURE_N,
    FIGURE_L,
    FIGURE_LETTERS_END,

    /* Of --stats alone: of bins ... */
    FIGURE_VALUES = FIGURE_LETTERS_END,
    FIGURE_OUTSIDE,
    FIGURE_ENTROPY,
    FIGURE_CHI_SQUARE,
    FIGURE_P_VALUE,

    /* ... and of a spectrum. */
    FIGURE_UNIQUE,
    FIGURE_TOTAL,
    FIGURE_KINDS,
};

/* The needs of figures, or'ed: facts about the values of a group. */
enum figure_need {
    FIGURE_NEEDS_FIELD = 1 << 0,   /* values: no group without a field */
    FIGURE_NEEDS_NUMBERS = 1 << 1, /* the values are numbers, not keys */
    FIGURE_NEEDS_EXACT = 1 << 2,   /* the values are exact: no bins */
    FIGURE_NEEDS_EXTREMES = 1 << 3,
    FIGURE_NEEDS_SUM = 1 << 4,
    FIGURE_NEEDS_SQUARES = 1 << 5, /* the sum of squares */
    FIGURE_NEEDS_EVENNESS = 1 << 6,

    /* Figures of groups do not add up: all values are looked at. */
    FIGURE_NEEDS_DISTINCT = 1 << 7, /* each value once */
    FIGURE_NEEDS_ORDER = 1 << 8,    /* values in their order, and the counts */
    FIGURE_NEEDS_ABOVE = 1 << 9,    /* ... and the sum of all values above a
                                       value */
    FIGURE_NEEDS_QUARTILES = 1 << 10,
    FIGURE_NEEDS_MOST = 1 << 11, /* the most frequent value */

    /* The figure tells of records without a value. */
    FIGURE_OF_VALUELESS = 1 << 12,

    FIGURE_NEEDS_SERIES = 1 << 13, /* the bytes in their order */
};

#define FIGURE_NEEDS_VALUES                                            \
    (FIGURE_NEEDS_DISTINCT | FIGURE_NEEDS_ORDER | FIGURE_NEEDS_ABOVE | \
     FIGURE_NEEDS_QUARTILES | FIGURE_NEEDS_MOST)

/* How many cells a figure has in a table if values share bins. */
enum figure_shape {
    FIGURE_PLAIN,    /* one */
    FIGURE_PLACE,    /* the figure is a value: the edges of its bin */
    FIGURE_ESTIMATE, /* the figure, a lower and an upper bound */
    FIGURE_BOUNDS,   /* a lower and an upper bound */
    FIGURE_SHAPES,
};

/* The form of a figure's value. */
enum figure_form {
    FIGURE_NONE,    /* the group has no such figure: nan */
    FIGURE_WHOLE,   /* WHOLE */
    FIGURE_REAL,    /* REAL */
    FIGURE_DECIMAL, /* DECIMAL */
    FIGURE_ROW,     /* the value in ROW of the histogram */
};

/* The order of figures: by MAJOR, then by MINOR. */
struct figure_rank {
    uint64_t major;
    struct decimal_sum minor;
};

/* The figure of a group. */
struct figure_value {
    enum figure_form form;
    uint64_t whole;
    uint64_t whole_most; /* of FIGURE_BOUNDS: WHOLE is the lower bound */
    double real;
    double least; /* of FIGURE_ESTIMATE; if exact, both are REAL */
    double most;
    bool is_exact;
    struct decimal_sum decimal;
    uint64_t row;
    const struct figure_rank *rank; /* of ROW; NULL: not known */
};

struct group_figures;

struct figure_row {
    const char *name;    /* of a percentage, the text before the number */
    const char *aliases; /* words of other programs for NAME; NULL: none */
    unsigned int needs;  /* enum figure_need, or'ed */
    enum figure_shape shape;

    /* Set *VALUE to the figure of a group.  NULL: group_walk.h finds the figure
       among all values, or stats.h in bins. */
    void (*find)(const struct group_figures *figures,
                 struct figure_value *value);
};

extern const struct figure_row figure_rows[FIGURE_KINDS];

/* ---- wanted figures ---- */

/* A percentage, in units of 10^-9 and as the user wrote it. */
struct percentile {
    uint64_t nano;
    const char *text; /* into argv: TEXT_LENGTH digits and a point */
    int text_length;
};

struct figure {
    enum figure_kind kind;
    struct percentile percentile; /* of a percentage, else all 0 */
};

#define FIGURES_MAX 64

/* All 0: no figures. */
struct figures {
    struct figure figure[FIGURES_MAX];
    size_t count;
};

/* The figures of --stats: of bins, of numbers without bins, and of a
   spectrum. */
extern const struct figures figures_of_bins;
extern const struct figures figures_of_numbers;
extern const struct figures figures_of_spectrum;

/*
 * Set *FIGURE to the figure named by the LENGTH bytes at TEXT; TEXT must
 * outlive FIGURE.  "p99.9" is a percentile, "n50" a figure with a percentage.
 * Returns 0, or -1: no figure has the name.
 */
int figure_find(struct figure *figure, const char *text, size_t length);

/*
 * Set *FIGURE to a percentile.  The percentage is the LENGTH bytes at TEXT: a
 * number above 0, up to 100, with up to 9 decimals.  TEXT must outlive FIGURE.
 * Returns 0, or -1: not a percentage.
 */
int figure_find_percentile(struct figure *figure, const char *text,
                           size_t length);

/* Whether the LENGTH bytes at TEXT can only be meant as a letter and a
   percentage: "p50", but "p101", too. */
bool figure_has_letter(const char *text, size_t length);

/* Returns the name of the figure for an alias, the LENGTH bytes at TEXT; NULL:
   not an alias. */
const char *figure_alias(const char *text, size_t length);

/* Room for the name of a figure, and for the names of all words. */
#define FIGURE_NAME_BYTES 48
#define FIGURE_WORDS_BYTES 192

/* Write the name of FIGURE, and SUFFIX, to NAME.  Returns NAME. */
const char *figure_name(const struct figure *figure, const char *suffix,
                        char name[FIGURE_NAME_BYTES]);

/* Write the words of --columns to TEXT: "count, records, ...".  Returns
   TEXT. */
const char *figure_words(char text[FIGURE_WORDS_BYTES]);

/* Returns the row of FIGURE. */
static inline const struct figure_row *
figure_row(const struct figure *figure)
{
    return &figure_rows[figure->kind];
}

/* Whether FIGURE is a number of records or of values. */
static inline bool
figure_is_count(const struct figure *figure)
{
    return figure->kind <= FIGURE_DISTINCT || figure->kind == FIGURE_L;
}

/* Returns the needs of all FIGURES. */
unsigned int figures_needs(const struct figures *figures);

/* Check that the values of axis I of SPEC have FIGURE.  Returns 0, or -1 with
   *ERROR set. */
int figure_check(const struct figure *figure, const struct spec *spec, size_t i,
                 struct error *error);

/* ---- values of figures ---- */

/*
 * Returns less than 0, 0, or more than 0, as A is before, equal to, or after B.
 */
int figure_rank_compare(const struct figure_rank *a,
                        const struct figure_rank *b);

/* Returns the rank of NUMBER; NaN comes first. */
struct figure_rank figure_rank_of_double(double number);

/* Returns the rank of VALUE, which has a known rank if VALUE is a row. */
struct figure_rank figure_rank_of(const struct figure_value *value);

/* Write VALUE, not a row, at AT, with room for DECIMAL_SUM_TEXT_BYTES.  Returns
   the end of the text. */
char *figure_put(const struct figure_value *value, char *at);

#endif
