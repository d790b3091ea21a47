/* SPDX-License-Identifier: MIT */
/* clf_names.h -- the names of the fields of CLF */

#ifndef GPUHIST_CLF_NAMES_H
#define GPUHIST_CLF_NAMES_H

#include <stddef.h>

#include "base/error.h"
#include "kernels/text/fields.h"

/*
 * Set *FIELD to the field of the LENGTH bytes at NAME: "host" and others, or
 * "+N", field N of the fields that a server adds.  OPTION is the option's name,
 * for messages.  Returns 0, or -1 with *ERROR set; for a number of awk's, the
 * message gives the name of the field.
 */
int clf_names_find(const char *option, const char *name, size_t length,
                   struct text_field *field, struct error *error);

/* The fields that a line consists of, as a list. */
extern const char clf_names_of_line[];

#endif
