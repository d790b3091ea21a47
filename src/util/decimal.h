/* decimal.h -- the shortest decimal that reads back to a double */

#ifndef GPUHIST_DECIMAL_H
#define GPUHIST_DECIMAL_H

#include <stdint.h>

/* DIGITS * 10^EXPONENT: at most 17 digits, which may end with zeros. */
struct decimal {
    uint64_t digits;
    int exponent;
};

/*
 * Returns the decimal with the fewest digits that rounds to VALUE, a finite
 * number above 0; of several such decimals, the closest one to VALUE; of two
 * equally close ones, the even one.
 */
struct decimal decimal_shortest(double value);

#endif
