/* SPDX-License-Identifier: MIT */
/* regex_names.c -- the groups of an expression as fields */

#include "text/regex_names.h"

int
regex_names_find(const char *option, const char *name, size_t length,
                 struct text_field *field, struct error *error)
{
    (void)name;
    *field = (struct text_field){.part = TEXT_PART_MEMBER};
    if (length > 0)
        return 0;
    error_set(error, EXIT_USAGE,
              "--%s: '' is no group: a list has one between two commas",
              option);
    return -1;
}
