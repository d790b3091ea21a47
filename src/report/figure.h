/* SPDX-License-Identifier: MIT */
/*
 * figure.h -- the figures, one row for each, and their names
 *
 * A figure is a number computed of the values of a group.  --columns prints
 * figures of each group, or of one group of all values, as a table; --stats
 * prints figures of all values beside the counts.  --percentiles=50 is p50 of
 * --stats.  All find a figure by its name, and print the same digits.
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

    /* Of all values: stats.h finds these. */
    FIGURE_VALUES = FIGURE_ALL, /* records, with and without a value */
    FIGURE_OUTSIDE,             /* of these, the ones in no bin */
    FIGURE_ENTROPY,
    FIGURE_CHI_SQUARE,
    FIGURE_P_VALUE,

    /* Of the bytes of whole inputs in their order. */
    FIGURE_SERIAL,
    FIGURE_PI,

    /* Of a spectrum. */
    FIGURE_UNIQUE,
    FIGURE_TOTAL,
    FIGURE_WORDS,

    /* Of any percentage. */
    FIGURE_PERCENTILE = FIGURE_WORDS,

    /* Of values in descending order, the first with which the sum reaches the
       percentage of the sum of all (N50), and how many values the sum then has
       (L50). */
    FIGURE_N,
    FIGURE_L,
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

    FIGURE_NEEDS_SERIES = 1 << 13,   /* the bytes in their order */
    FIGURE_NEEDS_ALL = 1 << 14,      /* all values: no groups */
    FIGURE_NEEDS_BINS = 1 << 15,     /* also bins without a value */
    FIGURE_NEEDS_SPECTRUM = 1 << 16, /* the values are counts of keys */
    FIGURE_OF_SPECTRUM = 1 << 17,    /* a spectrum has the figure */
};

#define FIGURE_NEEDS_VALUES                                            \
    (FIGURE_NEEDS_DISTINCT | FIGURE_NEEDS_ORDER | FIGURE_NEEDS_ABOVE | \
     FIGURE_NEEDS_QUARTILES | FIGURE_NEEDS_MOST | FIGURE_NEEDS_ALL)

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

    /* Set *VALUE to the figure of a group.  NULL: figure_search.h finds the
       figure among all values, or with FIGURE_NEEDS_ALL stats.h does. */
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

/* "price:mean" has a field. */
struct figure {
    enum figure_kind kind;
    int field_length;
    const char *field; /* into argv: FIELD_LENGTH bytes; NULL: not named */
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

/* Whether the LENGTH bytes at TEXT resemble the name of a figure, or are what
   other programs call one. */
bool figure_resembles(const char *text, size_t length);

/* Set *ERROR: the LENGTH bytes at TEXT, of the option OPTION, name no figure.
   Names the figure that was meant.  Returns -1. */
int figure_fail_name(const char *option, const char *text, size_t length,
                     struct error *error);

/* The same of "FIELD:NAME", or of "NAME" alone. */
int figure_find_of_field(struct figure *figure, const char *text,
                         size_t length);

/* The same of "FIELD:NAME", or of "NAME" alone, which name no figure. */
int figure_fail_of_field(const char *option, const char *text, size_t length,
                         struct error *error);

/*
 * Add the figures of LIST, "NAME,...", to FIGURES; "all" names several.  If
 * HAVE_FIELDS, "FIELD:NAME" is a figure of FIELD.  LIST must outlive FIGURES.
 * Returns 0, or -1 with *ERROR set, which names OPTION.
 */
int figures_read(struct figures *figures, const char *option, const char *list,
                 bool have_fields, struct error *error);

/* The same of percentiles: "50,99" adds what "p50,p99" names.  Returns 0, or
   -1: not a list of percentages. */
int figures_read_percentiles(struct figures *figures, const char *list);

/* Room for the name of a figure, and for the names of all words. */
#define FIGURE_NAME_BYTES 48
#define FIGURE_WORDS_BYTES 320

/* Write the name of FIGURE, and SUFFIX, to NAME.  Returns NAME. */
const char *figure_name(const struct figure *figure, const char *suffix,
                        char name[FIGURE_NAME_BYTES]);

/* The most texts of a figure. */
#define FIGURE_TEXTS_MAX 3

/*
 * Returns the suffix of the name for text T of FIGURE; NULL after the last
 * text.  HAS_BOUNDS: values share bins.
 */
const char *figure_suffix(const struct figure *figure, bool has_bounds,
                          size_t t);

/* Write all names to TEXT: "count, records, ... and percentages".  Returns
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
    return figure->kind <= FIGURE_DISTINCT || figure->kind == FIGURE_L ||
           figure->kind == FIGURE_VALUES || figure->kind == FIGURE_OUTSIDE ||
           figure->kind == FIGURE_UNIQUE || figure->kind == FIGURE_TOTAL;
}

/* Returns the needs of all FIGURES. */
unsigned int figures_needs(const struct figures *figures);

/* Check that the values of axis I of SPEC have FIGURE, of the option OPTION.
   Returns 0, or -1 with *ERROR set. */
int figure_check(const struct figure *figure, const char *option,
                 const struct spec *spec, size_t i, struct error *error);

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
