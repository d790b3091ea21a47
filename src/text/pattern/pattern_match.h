/* SPDX-License-Identifier: MIT */
/* pattern_match.h -- the values of a line that fits a pattern */

#ifndef GPUHIST_PATTERN_MATCH_H
#define GPUHIST_PATTERN_MATCH_H

#include <stdint.h>

#include "kernels/text/fields.h"
#include "text/pattern/pattern.h"

/* Why a line does not fit. */
struct pattern_fault {
    uint32_t at;        /* where the wrong bytes start */
    const char *reason; /* lives as long as the pattern */
};

/*
 * Returns NULL if the SIZE bytes at TEXT may be the value of FIELD; otherwise
 * the reason why not, a constant.
 */
const char *pattern_wrong_value(const struct pattern_field *field,
                                const unsigned char *text, uint32_t size);

/* Whether the byte at AT, in a value that starts at START in a line that ends
   at END, is of the ", " or the " : " of a list of nginx. */
static inline bool
pattern_is_in_list(const unsigned char *data, uint32_t start, uint32_t at,
                   uint32_t end)
{
    if (data[at] != ' ')
        return data[at] == ',' && end - at > 1 && data[at + 1] == ' ';
    if (at > start && data[at - 1] == ',')
        return true;
    if (end - at > 2 && data[at + 1] == ':' && data[at + 2] == ' ')
        return true;
    return at - start > 1 && data[at - 1] == ':' && data[at - 2] == ' ';
}

/*
 * Set VALUE[i] to the value of field i of PATTERN in the line of DATA from AT
 * to END; a field that the line lacks is missing.  Returns whether the line
 * fits; if not, sets *FAULT.
 */
bool pattern_match(const struct pattern *pattern, const unsigned char *data,
                   uint32_t at, uint32_t end, struct text_slice *value,
                   struct pattern_fault *fault);

#endif
