/* SPDX-License-Identifier: MIT */
/*
 * profile_numbers.h -- the figures of a field whose values are all numbers
 *
 * The figures are exact: sums have all digits, and the order of values has all
 * digits of their texts.  Memory does not grow with the number of values,
 * unless very many values round to the same double.
 */

#ifndef GPUHIST_PROFILE_NUMBERS_H
#define GPUHIST_PROFILE_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "report/group_figures.h"
#include "report/profile_keys.h"

/* A number: the first of the keys that have its value. */
struct profile_number {
    double real; /* the nearest double */
    struct profile_value value;
};

struct profile_numbers {
    bool are_integers; /* all are written as integers */
    bool are_short;    /* no number has too many digits for a sum */
    uint64_t nan;
    struct profile_number min; /* if COUNT of FIGURES is not 0 */
    struct profile_number max;
    struct profile_number p50;
    struct group_figures figures; /* COUNT, SUM, SQUARES and INFINITE */
};

/*
 * Find the figures of the values of KEYS, which are at their start, in
 * *NUMBERS.  Returns 1; 0: a value is not a number, or -1 with *ERROR set.
 */
int profile_numbers_find(struct profile_numbers *numbers,
                         const struct profile_keys *keys, struct error *error);

/* Write NUMBER at AT, with room for DECIMAL_SUM_TEXT_BYTES.  Returns the end of
   the text. */
char *profile_number_put(const struct profile_number *number, char *at);

#endif
