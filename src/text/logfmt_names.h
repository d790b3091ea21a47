/* SPDX-License-Identifier: MIT */
/* logfmt_names.h -- the keys of lines of logfmt */

#ifndef GPUHIST_LOGFMT_NAMES_H
#define GPUHIST_LOGFMT_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "kernels/text/fields.h"

/* Whether BYTE lies between two pairs. */
static inline bool
logfmt_is_blank(unsigned char byte)
{
    return byte <= ' ';
}

/* Set *FIELD to the value of the key that is the LENGTH bytes at NAME.  As a
   field_finder. */
int logfmt_names_find(const char *option, const char *name, size_t length,
                      struct text_field *field, struct error *error);

/* Returns the path of the member of an object of JSON whose name is the LENGTH
   bytes at NAME, which the caller frees; NULL: out of memory. */
char *logfmt_names_path(const char *name, size_t length);

#endif
