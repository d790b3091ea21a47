/* SPDX-License-Identifier: MIT */
/* regex_names.h -- the groups of an expression as fields */

#ifndef GPUHIST_REGEX_NAMES_H
#define GPUHIST_REGEX_NAMES_H

#include <stddef.h>

#include "base/error.h"
#include "kernels/text/fields.h"

/* Set *FIELD to a group, whose number regex_scan_resolve() finds.  As a
   field_finder. */
int regex_names_find(const char *option, const char *name, size_t length,
                     struct text_field *field, struct error *error);

#endif
