/* SPDX-License-Identifier: MIT */
/*
 * number_check.h -- whether a field of numbers has one
 *
 * Where no value of such a field is a number, the field is likely a mistake.
 */

#ifndef GPUHIST_NUMBER_CHECK_H
#define GPUHIST_NUMBER_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/visible.h"
#include "hist/snapshot.h"
#include "hist/spec.h"

/* The first value of a field, for a message. */
struct number_first {
    bool is_known;
    bool is_whole; /* digits alone: perhaps more than a type can hold */
    char text[VISIBLE_BYTES];
    const char *modifier; /* that makes a number of the value; or NULL */
};

/*
 * Check that axis I of SPEC, if it is of numbers in text, has any number: it
 * has NUMBERS in RECORDS records.  FIRST is the first value of the axis; NULL:
 * not known.  Returns 0, or -1 with *ERROR set.
 */
int number_check(const struct spec *spec, size_t i, uint64_t numbers,
                 uint64_t records, const struct number_first *first,
                 struct error *error);

/* Check all axes of COUNTS, which has shown axes. */
int number_check_all(const struct snapshot *counts, struct error *error);

#endif
