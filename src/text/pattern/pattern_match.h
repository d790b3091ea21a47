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

/*
 * Set VALUE[i] to the value of field i of PATTERN in the line of DATA from AT
 * to END; a field that the line lacks is missing.  Returns whether the line
 * fits; if not, sets *FAULT.
 */
bool pattern_match(const struct pattern *pattern, const unsigned char *data,
                   uint32_t at, uint32_t end, struct text_slice *value,
                   struct pattern_fault *fault);

#endif
