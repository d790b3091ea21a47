/* SPDX-License-Identifier: MIT */
/*
 * csv_line.h -- lines of a fixed number of values of CSV
 *
 * A value is in "...", where two quotes are one quote, or bare, without a
 * quote.  A line has as many values as the pattern has fields.
 */

#ifndef GPUHIST_CSV_LINE_H
#define GPUHIST_CSV_LINE_H

#include "text/pattern/pattern_match.h"

/* As pattern_match(). */
bool csv_line_match(const struct pattern *pattern, const unsigned char *data,
                    uint32_t at, uint32_t end, struct text_slice *value,
                    struct pattern_fault *fault);

/*
 * Returns where the quote is that ends the value in quotes whose bytes start at
 * AT; END: the value has no end.
 */
uint32_t csv_line_find_quote(const unsigned char *data, uint32_t at,
                             uint32_t end);

#endif
