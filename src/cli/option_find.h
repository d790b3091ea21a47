/* option_find.h -- looking up options */

#ifndef GPUHIST_OPTION_FIND_H
#define GPUHIST_OPTION_FIND_H

#include <stddef.h>

#include "cli/option_row.h"

/* The row whose name is the LENGTH bytes at NAME; NULL if there is none. */
const struct option_row *option_find(const char *name, size_t length);

/*
 * The row whose name is the LENGTH bytes at NAME, else the only row whose name
 * starts with them; NULL if no row or several rows do.
 */
const struct option_row *option_find_abbreviated(const char *name,
                                                 size_t length);

/* The row with LETTER, which is not 0; NULL if there is none. */
const struct option_row *option_find_letter(char letter);

/*
 * The row after ROW in alphabetical order; the first row if ROW is NULL.
 * Returns NULL after the last row.
 */
const struct option_row *option_find_next(const struct option_row *row);

#endif
