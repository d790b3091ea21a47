/* SPDX-License-Identifier: MIT */
/* field_number.c -- the number of a field, as the user writes it */

#include <string.h>

#include "base/ascii.h"
#include "text/field_number.h"

const char *
field_number_parse(const char *text, binning_u32 *number)
{
    const char *at = text;

    *number = 0;
    for (; ascii_is_digit(*at); at++) {
        *number = *number * 10 + (binning_u32)(*at - '0');
        if (*number > FIELD_NUMBER_MAX)
            return NULL;
    }
    return at > text && *number > 0 ? at : NULL;
}

bool
field_number_is_range(const char *item, size_t length)
{
    return memchr(item, '-', length) != NULL &&
           strspn(item, "0123456789-") == length;
}
