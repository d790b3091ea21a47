/* option_foreign.h -- options of other programs, and what they are called here
 */

#ifndef GPUHIST_OPTION_FOREIGN_H
#define GPUHIST_OPTION_FOREIGN_H

#include <stddef.h>

/*
 * Returns what to use instead of the option LETTER, or of the one whose name is
 * the LENGTH bytes at NAME, which are none of gpuhist; NULL: it is not known.
 */
const char *option_foreign_letter(char letter);
const char *option_foreign_name(const char *name, size_t length);

#endif
