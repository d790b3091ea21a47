/*
 * group_columns.h -- the figures of --columns: which there are
 *
 * They are of the values that the records of a group have in one field.  COUNT
 * is how many values there are: of a field of numbers the numbers, NaN left
 * out; of any other field the texts, also empty ones.  So RECORDS is the sum of
 * COUNT, MISSING, EMPTY, INVALID and NAN.
 */

#ifndef GPUHIST_GROUP_COLUMNS_H
#define GPUHIST_GROUP_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

#include "report/percentile.h"

enum group_column_kind {
    GROUP_COUNT,
    GROUP_RECORDS,
    GROUP_MISSING,
    GROUP_INVALID,
    GROUP_DISTINCT,

    /* Only of numbers, from here on ... */
    GROUP_EMPTY,
    GROUP_NAN,
    GROUP_MIN,
    GROUP_MAX,
    GROUP_PERCENTILE,

    /* ... and here, of numbers that are known exactly. */
    GROUP_SUM,
    GROUP_MEAN,
    GROUP_SD,        /* of a population */
    GROUP_SAMPLE_SD, /* of a sample */
    GROUP_COLUMN_KINDS,
};

struct group_column {
    enum group_column_kind kind;
    struct percentile percentile; /* of GROUP_PERCENTILE */
};

#define GROUP_COLUMNS_MAX 64

/* All 0: no columns. */
struct group_columns {
    struct group_column column[GROUP_COLUMNS_MAX];
    size_t count;
};

/* Returns the name of KIND, or NULL: each percentile has its own. */
const char *group_column_name(enum group_column_kind kind);

/*
 * Set *COLUMN to the one whose name is the LENGTH bytes at TEXT, which outlives
 * it: "p99.9" is a percentile.  Returns 0, or -1: there is none.
 */
int group_column_find(struct group_column *column, const char *text,
                      size_t length);

/* Whether any column is of a kind from LEAST on. */
bool group_columns_have(const struct group_columns *columns,
                        enum group_column_kind least);

/* Whether any column is of KIND. */
bool group_columns_show(const struct group_columns *columns,
                        enum group_column_kind kind);

#endif
