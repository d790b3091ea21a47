/*
 * figure.h -- the figures, one row for each: all that --columns and --stats
 * print
 *
 * A figure is a number computed of the values of a group.  --columns prints
 * figures of each group.  --stats and --percentiles print figures of one group
 * that has all values: in bins, or the keys of a spectrum.
 *
 * The row of a figure says its name, what must be known of the values, and how
 * the figure is found.  The order of groups by a figure and the text of the
 * figure follow from its value.
 *
 * The values of a group are those that its records have in one field.  COUNT is
 * their number: of a field of numbers the numbers, NaN left out; of any other
 * field the texts, also empty ones.  So RECORDS is the sum of COUNT, MISSING,
 * EMPTY, INVALID and NAN.
 */

#ifndef GPUHIST_FIGURE_H
#define GPUHIST_FIGURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/decimal_sum.h"
#include "base/error.h"
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
    FIGURE_N50,
    FIGURE_WORDS,

    /* Of --columns and --percentiles: any percentage. */
    FIGURE_PERCENTILE = FIGURE_WORDS,

    /* Of --stats alone: of bins ... */
    FIGURE_VALUES,
    FIGURE_OUTSIDE,
    FIGURE_MODE,
    FIGURE_ENTROPY,
    FIGURE_CHI_SQUARE,
    FIGURE_P_VALUE,

    /* ... and of a spectrum. */
    FIGURE_UNIQUE,
    FIGURE_TOTAL,
    FIGURE_KINDS,
};

/* What figures need of the values of a group, or'ed. */
enum figure_need {
    FIGURE_NEEDS_FIELD = 1 << 0,   /* values: no group without a field */
    FIGURE_NEEDS_NUMBERS = 1 << 1, /* values that are numbers, not keys */
    FIGURE_NEEDS_EXACT = 1 << 2,   /* values that are known exactly: no bins */
    FIGURE_NEEDS_EXTREMES = 1 << 3,
    FIGURE_NEEDS_SUM = 1 << 4,
    FIGURE_NEEDS_SQUARES = 1 << 5, /* the sum of squares */
    FIGURE_NEEDS_EVENNESS = 1 << 6,

    /* Figures of groups do not add up: all values are looked at. */
    FIGURE_NEEDS_DISTINCT = 1 << 7, /* each value once */
    FIGURE_NEEDS_ORDER = 1 << 8,    /* values in their order, and the counts */
    FIGURE_NEEDS_ABOVE = 1 << 9,    /* ... and the sum of those above a value */

    /* The figure tells of records without a value. */
    FIGURE_OF_VALUELESS = 1 << 10,
};

#define FIGURE_NEEDS_VALUES \
    (FIGURE_NEEDS_DISTINCT | FIGURE_NEEDS_ORDER | FIGURE_NEEDS_ABOVE)

/* How many cells a figure has in a table if values share bins. */
enum figure_shape {
    FIGURE_PLAIN,    /* one */
    FIGURE_PLACE,    /* the figure is a value: the edges of its bin */
    FIGURE_ESTIMATE, /* the figure, a lower and an upper bound */
    FIGURE_BOUNDS,   /* a lower and an upper bound */
    FIGURE_SHAPES,
};

/* What a value of a figure is. */
enum figure_form {
    FIGURE_NONE,    /* the group has no such figure: nan */
    FIGURE_WHOLE,   /* WHOLE */
    FIGURE_REAL,    /* REAL */
    FIGURE_DECIMAL, /* DECIMAL */
    FIGURE_ROW,     /* the value in ROW of the histogram */
};

/* What orders figures: MAJOR first. */
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
    const char *name;    /* of a percentile, what is before the percentage */
    const char *aliases; /* words of other programs for EXAMPLE, else for NAME;
                            NULL: none */
    const char *example;
    unsigned int needs; /* enum figure_need, or'ed */
    enum figure_shape shape;

    /* Set *VALUE to the figure of a group.  NULL: group_walk.h finds the figure
       in the order of values, or stats.h in bins. */
    void (*find)(const struct group_figures *figures,
                 struct figure_value *value);
};

extern const struct figure_row figure_rows[FIGURE_KINDS];

/* ---- figures that are wanted ---- */

/* A percentage, in units of 10^-9 and as the user wrote it. */
struct percentile {
    uint64_t nano;
    const char *text; /* into argv: TEXT_LENGTH digits and a point */
    int text_length;
};

struct figure {
    enum figure_kind kind;
    struct percentile percentile; /* of FIGURE_PERCENTILE, else all 0 */
};

#define FIGURES_MAX 64

/* All 0: no figures. */
struct figures {
    struct figure figure[FIGURES_MAX];
    size_t count;
};

/* The figures of --stats: of bins, and of a spectrum. */
extern const struct figures figures_of_bins;
extern const struct figures figures_of_spectrum;

/*
 * Set *FIGURE to the one whose name is the LENGTH bytes at TEXT, which outlives
 * it: "p99.9" is a percentile.  Returns 0, or -1: there is none.
 */
int figure_find(struct figure *figure, const char *text, size_t length);

/*
 * Set *FIGURE to the percentile whose percentage is the LENGTH bytes at TEXT,
 * which outlives it: a number above 0, up to 100, with up to 9 decimals.
 * Returns 0, or -1: TEXT is none.
 */
int figure_find_percentile(struct figure *figure, const char *text,
                           size_t length);

/* Returns the name of the figure that other programs call by the LENGTH bytes
   at TEXT; NULL: none. */
const char *figure_alias(const char *text, size_t length);

/* Room for the name of a figure, and for the names of all words. */
#define FIGURE_NAME_BYTES 48
#define FIGURE_WORDS_BYTES 160

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

/* Returns all that FIGURES need. */
unsigned int figures_needs(const struct figures *figures);

/* Check that the values of axis I of SPEC have FIGURE.  Returns 0, or -1 with
   *ERROR set. */
int figure_check(const struct figure *figure, const struct spec *spec, size_t i,
                 struct error *error);

/* ---- values of figures ---- */

/*
 * Returns how many of COUNT numbers in order are at or below the percentile
 * NANO at least: the number of the one that it is, from 1 on; 0 if there are
 * none.
 */
uint64_t percentile_rank(uint64_t nano, uint64_t count);

/* Returns less than 0, 0, or more, as A is before B, equal, or after it. */
int figure_rank_compare(const struct figure_rank *a,
                        const struct figure_rank *b);

/* Returns the rank of NUMBER; NaN is before all others. */
struct figure_rank figure_rank_of_double(double number);

/* Returns the rank of VALUE, whose rank is known if it is a row. */
struct figure_rank figure_rank_of(const struct figure_value *value);

/* Write VALUE, which is no row, at AT, which has DECIMAL_SUM_TEXT_BYTES.
   Returns its end. */
char *figure_put(const struct figure_value *value, char *at);

#endif
