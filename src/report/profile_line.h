/* SPDX-License-Identifier: MIT */
/* profile_line.h -- a line of --profile: cells */

#ifndef GPUHIST_PROFILE_LINE_H
#define GPUHIST_PROFILE_LINE_H

#include <stddef.h>

#include "hist/spec.h"

enum profile_column {
    PROFILE_FIELD,
    PROFILE_TYPE,
    PROFILE_COUNT, /* of values: not missing, empty, invalid or NaN */
    PROFILE_MISSING,
    PROFILE_EMPTY,
    PROFILE_INVALID,
    PROFILE_NAN,
    PROFILE_DISTINCT,
    PROFILE_MIN,
    PROFILE_MAX,
    PROFILE_MEAN,
    PROFILE_SD,
    PROFILE_P50,
    PROFILE_MODE,
    PROFILE_MODE_COUNT,
    PROFILE_COLUMNS,
};

enum profile_kind {
    PROFILE_NONE, /* the field has no such figure */
    PROFILE_WORD, /* a word of ASCII */
    PROFILE_WHOLE,
    PROFILE_NUMBER,
    PROFILE_TEXT, /* any bytes */
};

struct profile_cell {
    enum profile_kind kind;
    const unsigned char *byte; /* of a text, SIZE bytes, in the spec or in the
                                  list of keys; else NULL: they are in TEXT */
    size_t size;
    char text[SPEC_HISTOGRAM_BYTES];
};

struct profile_line {
    unsigned char *name; /* the bytes of the first cell, owned; or NULL */
    struct profile_cell cell[PROFILE_COLUMNS];
};

/* Returns the bytes of CELL. */
static inline const unsigned char *
profile_bytes(const struct profile_cell *cell)
{
    return cell->byte != NULL ? cell->byte : (const unsigned char *)cell->text;
}

#endif
