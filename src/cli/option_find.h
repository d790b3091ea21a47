/* option_find.h -- which option is meant */

#ifndef GPUHIST_OPTION_FIND_H
#define GPUHIST_OPTION_FIND_H

#include <stddef.h>

#include "cli/option_row.h"

/* The row whose name is the LENGTH bytes at NAME; NULL: none. */
const struct option_row *option_find(const char *name, size_t length);

/* That, or the only one whose name begins with them. */
const struct option_row *option_find_abbreviated(const char *name,
                                                 size_t length);

/* The row with LETTER, which is not 0; NULL: none. */
const struct option_row *option_find_letter(char letter);

/* The row that follows ROW in the order of names, or the first; NULL: none. */
const struct option_row *option_find_next(const struct option_row *row);

#endif
