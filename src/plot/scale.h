/* scale.h -- how long a bar is for an amount, and where round numbers are */

#ifndef GPUHIST_SCALE_H
#define GPUHIST_SCALE_H

#include <stdbool.h>
#include <stddef.h>

#include "util/number.h"

/*
 * Of magnitudes: an amount below 0 is as long as the same one above it.  What
 * is 0 has no length, whatever the scale.
 */
struct scale {
    bool is_log;
    bool is_whole; /* no tick between whole numbers */
    double least;  /* logarithmic: this and less has no length; above 0 */
    double most;   /* this and more is as long as can be; 0: nothing is */
};

struct tick {
    double value;
    char text[NUMBER_TEXT_BYTES];
};

/* No picture has more. */
#define SCALE_TICKS_MAX 32

/* The length of AMOUNT, from 0 to 1.  Not a number has none. */
double scale_part(const struct scale *scale, double amount);

/*
 * Which of SHADES shades stands for AMOUNT, from 1 on; 0 for what is 0, or not
 * a number.
 */
size_t scale_shade(const struct scale *scale, double amount, size_t shades);

/*
 * The least of the numbers 1, 2, 5, 10, 20, 50, ... and 0.5, 0.2, 0.1, ... of
 * which no more than MOST, at least 1, fit between LO and HI; LO < HI.
 */
double scale_step(double lo, double hi, size_t most);

/*
 * Round numbers on SCALE, ascending: multiples of such a step from 0 on, or
 * powers of ten, and between them 2 and 5 times a power where there is room.
 * Returns how many: no more than MOST and SCALE_TICKS_MAX.
 */
size_t scale_ticks(const struct scale *scale, size_t most, struct tick *tick);

/* VALUE rounded to 12 digits: what is left of 0.1 + 0.2 is 0.3. */
void scale_round_text(double value, char text[NUMBER_TEXT_BYTES]);

#endif
