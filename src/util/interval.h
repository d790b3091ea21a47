/* interval.h -- a length of time or of the input, as users write it */

#ifndef GPUHIST_INTERVAL_H
#define GPUHIST_INTERVAL_H

#include <stdbool.h>
#include <stdint.h>

/* One of the two is 0; both are for none. */
struct interval {
    double seconds;
    uint64_t bytes;
};

/*
 * Read TEXT: a number with one of ms s min h d, from a millisecond to a
 * thousand years; or a size (size.h), but not 0.  Returns 0, or -1 if TEXT is
 * anything else.
 */
int interval_parse(const char *text, struct interval *interval);

/* Whether it is one. */
bool interval_is_set(const struct interval *interval);

#endif
