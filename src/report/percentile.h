/* percentile.h -- a percentage, as the user writes it */

#ifndef GPUHIST_PERCENTILE_H
#define GPUHIST_PERCENTILE_H

#include <stddef.h>
#include <stdint.h>

/* A percentage, in units of 10^-9 and as the user wrote it. */
struct percentile {
    uint64_t nano;
    const char *text; /* into argv: TEXT_LENGTH digits and a point */
    int text_length;
};

/*
 * Set *PERCENTILE to the LENGTH bytes at TEXT, which outlives it: a number
 * above 0, up to 100, with up to 9 decimals.  Returns 0, or -1: it is none.
 */
int percentile_parse(struct percentile *percentile, const char *text,
                     size_t length);

/*
 * Returns how many of COUNT numbers in order are at or below PERCENTILE at
 * least: the number of the one that it is, from 1 on; 0 if there are none.
 */
uint64_t percentile_rank(uint64_t nano, uint64_t count);

#endif
