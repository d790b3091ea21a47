/* SPDX-License-Identifier: MIT */
/* scale.h -- from an amount to the length of a bar, and round numbers */

#ifndef GPUHIST_SCALE_H
#define GPUHIST_SCALE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/number.h"

/*
 * A scale of magnitudes: -5 is as long as 5.  An amount of 0 has length 0 on
 * every scale.
 */
struct scale {
    bool is_log;
    bool is_whole; /* ticks are whole numbers */
    double least;  /* if logarithmic: magnitudes up to LEAST, which is above 0,
                      have length 0 */
    double most;   /* magnitudes from MOST on have length 1; 0 if all amounts
                      are 0 */
    double
        below; /* the greatest magnitude of the amounts below 0, and of ... */
    double above; /* ... those above */
};

struct tick {
    double value;
    char text[NUMBER_TEXT_BYTES];
};

/* The most ticks that a function here or in ticks.h writes. */
#define SCALE_TICKS_MAX 32

/* The length of AMOUNT, from 0 to 1; 0 for NaN. */
double scale_part(const struct scale *scale, double amount);

/*
 * The place of AMOUNT, from 0 to 1, on a line of all amounts: it ends at the
 * greatest amount, and starts at 0 or at the least amount below 0.
 */
double scale_place(const struct scale *scale, double amount);

/*
 * The shade of AMOUNT, from 1 to SHADES; 0 if AMOUNT is 0 or NaN.
 */
size_t scale_shade(const struct scale *scale, double amount, size_t shades);

/*
 * The smallest number of the form 1, 2 or 5 times a power of ten that fits at
 * most MOST times between LO and HI.  MOST is at least 1, and LO < HI.
 */
double scale_step(double lo, double hi, size_t most);

/*
 * Find round numbers on SCALE, ascending.  A linear scale has multiples of a
 * step, as scale_step() finds it, from 0 on.  A logarithmic scale has powers of
 * ten, also 2 and 5 times each power if these fit, or without two of them
 * multiples of a step.  Large numbers are written
 * with a prefix: "20k".  Returns the number of ticks written to TICK: at most
 * MOST and SCALE_TICKS_MAX; none if MOST is below 2.
 */
size_t scale_ticks(const struct scale *scale, size_t most, struct tick *tick);

/*
 * Find round numbers on the line of scale_place(), ascending; below 0 they are
 * those above 0 with a sign.  Returns their number: at most MOST, about, and
 * SCALE_PLACES_MAX.
 */
#define SCALE_PLACES_MAX (2 * SCALE_TICKS_MAX)
size_t scale_places(const struct scale *scale, size_t most, struct tick *tick);

/* Write VALUE rounded to 12 digits: 0.1 + 0.2 is "0.3". */
void scale_round_text(double value, char text[NUMBER_TEXT_BYTES]);

#endif
