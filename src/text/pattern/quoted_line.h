/* SPDX-License-Identifier: MIT */
/*
 * quoted_line.h -- lines of values between blanks, some of them in marks
 *
 * The logs of Amazon have such lines.  One blank is between two values.  A
 * value that the pattern has between "..." or [...] stands there between these
 * marks, or is a bare -; any other value is bare.  "..." ends before the first
 * quote that a blank or the line's end follows and no backslash protects; [...]
 * accordingly.  A bare value has a byte, and no quote: so a quote in "..." that
 * seems to end the value does not shift the values after it.
 *
 * Fields have come with the years: a line has the first NEEDED fields of the
 * pattern, then any of the others, then any text after a blank.
 */

#ifndef GPUHIST_QUOTED_LINE_H
#define GPUHIST_QUOTED_LINE_H

#include "text/pattern/pattern_match.h"

/* As pattern_match(). */
bool quoted_line_match(const struct pattern *pattern, const unsigned char *data,
                       uint32_t at, uint32_t end, struct text_slice *value,
                       struct pattern_fault *fault);

/* Returns the mark that opens the values of FIELD, a quote or a bracket; or
   0. */
unsigned char quoted_line_opening(const struct pattern_field *field);

#endif
