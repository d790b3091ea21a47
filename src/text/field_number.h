/* SPDX-License-Identifier: MIT */
/* field_number.h -- the number of a field, as the user writes it */

#ifndef GPUHIST_FIELD_NUMBER_H
#define GPUHIST_FIELD_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

#include "text/text_format.h"

/*
 * Parse the decimal digits at the start of TEXT, which ends with a NUL.
 * Returns the text after the digits, or NULL if the digits are not a number
 * from 1 to FIELD_NUMBER_MAX.
 */
const char *field_number_parse(const char *text, binning_u32 *number);

/* Whether ITEM, LENGTH bytes of a list of fields, is meant as a range of
   numbers, as 3-5. */
bool field_number_is_range(const char *item, size_t length);

#endif
