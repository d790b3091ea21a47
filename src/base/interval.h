/* SPDX-License-Identifier: MIT */
/* interval.h -- an interval of time or bytes, as users write it */

#ifndef GPUHIST_INTERVAL_H
#define GPUHIST_INTERVAL_H

#include <stdbool.h>
#include <stdint.h>

/* At least one of the two is 0; both are 0: not set. */
struct interval {
    double seconds;
    uint64_t bytes;
};

/*
 * Parse TEXT: a number with a unit of ms, s, min, h or d, from a millisecond to
 * a thousand years; or a size (size.h) above 0.  Returns 0, or -1: TEXT is
 * neither.
 */
int interval_parse(const char *text, struct interval *interval);

/* Whether either of the two is not 0. */
bool interval_is_set(const struct interval *interval);

#endif
