/* field_number.h -- the number of a field, as the user writes it */

#ifndef GPUHIST_FIELD_NUMBER_H
#define GPUHIST_FIELD_NUMBER_H

#include "text/text_format.h"

/*
 * Parse the decimal digits at the start of TEXT, which ends with a NUL.
 * Returns the text after them, or NULL if they are no number from 1 to
 * FIELD_NUMBER_MAX.
 */
const char *field_number_parse(const char *text, binning_u32 *number);

#endif
