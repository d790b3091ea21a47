/* SPDX-License-Identifier: MIT */
/*
 * w3c_line.h -- lines of the Extended Log File Format of the W3C
 *
 * The names of the fields stand in the data, after "#Fields:".  Values lie
 * between tabs if a tab follows the first value, as in logs of CloudFront;
 * otherwise between blanks, and a value may be in "...", where two quotes are
 * one quote.  A line has as many values as there are names.
 *
 * If the fields date and time are next to each other, "time" is both, and the
 * field time has the name "time-of-day".
 */

#ifndef GPUHIST_W3C_LINE_H
#define GPUHIST_W3C_LINE_H

#include "text/pattern/pattern_match.h"

/*
 * Set *PATTERN to the fields with NAMES, which lie between single blanks.
 * Returns 0, or -1 with *ERROR set; the caller calls pattern_close() in both
 * cases.
 */
int w3c_line_make(struct pattern *pattern, const char *names,
                  struct error *error);

/* As pattern_match(), for a pattern of w3c_line_make(). */
bool w3c_line_match(const struct pattern *pattern, const unsigned char *data,
                    uint32_t at, uint32_t end, struct text_slice *value,
                    struct pattern_fault *fault);

/*
 * Whether the comment of DATA from AT to END changes the fields: the comment
 * starts with "#Fields:", and other names than NAMES follow.
 */
bool w3c_line_changes(const char *names, const unsigned char *data, uint32_t at,
                      uint32_t end);

#endif
