/* SPDX-License-Identifier: MIT */
/* log_names.h -- the names of the fields of --log-format */

#ifndef GPUHIST_LOG_NAMES_H
#define GPUHIST_LOG_NAMES_H

#include <stddef.h>

#include "base/error.h"
#include "kernels/text/fields.h"

/* Set *FIELD to a field that pattern_scan_resolve() finds.  As a
   field_finder. */
int log_names_find(const char *option, const char *name, size_t length,
                   struct text_field *field, struct error *error);

#endif
