/* SPDX-License-Identifier: MIT */
/* pattern_names.h -- the names of the fields of a pattern */

#ifndef GPUHIST_PATTERN_NAMES_H
#define GPUHIST_PATTERN_NAMES_H

#include <stdint.h>

#include "kernels/text/fields.h"
#include "text/pattern/log_formats.h"

/* What a name stands for. */
struct pattern_column {
    size_t place;      /* of the field in the pattern */
    uint32_t part;     /* enum text_part: all, or a part of a request */
    const char *chain; /* modifiers of the field's value; or NULL */
};

enum pattern_found {
    PATTERN_FOUND,
    PATTERN_FOUND_NONE,
    PATTERN_FOUND_TWO, /* the name may be the field of either column */
};

/*
 * Find NAME in PATTERN: a name as it is spelled there, or without its marks, or
 * a name of --clf that a field, or a part of a field, has.  Sets COLUMN[0]; for
 * PATTERN_FOUND_TWO, both.
 */
enum pattern_found pattern_names_find(const struct pattern *pattern,
                                      const char *name,
                                      struct pattern_column column[2]);

/*
 * The same in the first of PATTERNS that has NAME.  Returns 0, or -1 with
 * *ERROR set.
 */
int pattern_names_find_first(const struct log_patterns *patterns,
                             const char *name, struct pattern_column *column,
                             struct error *error);

#endif
