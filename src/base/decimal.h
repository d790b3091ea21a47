/* SPDX-License-Identifier: MIT */
/* decimal.h -- doubles to decimals, decimals to doubles, and their order */

#ifndef GPUHIST_DECIMAL_H
#define GPUHIST_DECIMAL_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/text/text_number.h"

/* DIGITS * 10^EXPONENT: at most 17 digits, which may end with zeros. */
struct decimal {
    uint64_t digits;
    int exponent;
};

/*
 * Returns the decimal with the fewest digits that rounds to VALUE, a finite
 * number above 0; of several decimals, the closest to VALUE; of two equally
 * close, the even one.
 */
struct decimal decimal_shortest(double value);

/*
 * Returns the double nearest to NUMBER, which is finite and was found in TEXT;
 * of two equally near, the even double.  TEXT may be NULL if no digits are cut.
 * The result is infinite if the magnitude rounds to more than a double can
 * hold, and never -0.
 */
double decimal_round(const struct text_number *number,
                     const unsigned char *text);

/*
 * Returns the double nearest to BITS * 2^EXPONENT, ties to even, where the
 * first or the second bit of BITS is 1.  IS_MORE: the number exceeds BITS *
 * 2^EXPONENT by less than 2^EXPONENT.
 */
double decimal_scale(uint64_t bits, bool is_more, int exponent);

/*
 * Returns less than 0, 0, or more, as A is less than, equal to, or more than B.
 * Both are finite or infinite, and were found in TEXT_A and TEXT_B.  All digits
 * count.  The exponent of A or of B, as typed, is at most 10^11 in magnitude;
 * otherwise the result may be wrong.
 */
int decimal_order(const struct text_number *a, const unsigned char *text_a,
                  const struct text_number *b, const unsigned char *text_b);

#endif
