/* SPDX-License-Identifier: MIT */
/* log_names.c -- the names of the fields of --log-format */

#include "text/log_names.h"

int
log_names_find(const char *option, const char *name, size_t length,
               struct text_field *field, struct error *error)
{
    (void)name;
    *field = (struct text_field){.part = TEXT_PART_MEMBER};
    if (length > 0)
        return 0;
    error_set(error, EXIT_USAGE,
              "--%s: '' is no field: a list has one between two commas",
              option);
    return -1;
}
