/* SPDX-License-Identifier: MIT */
/*
 * ordered_decimal.h -- decimals as integers in the same order
 *
 * A decimal of at most 19 digits is a digit string times a power of ten.  The
 * first 17 digits and the power are one integer of 64 bits: as in a floating
 * point number, the power stands above the digits.  The last 2 digits, which
 * few decimals have, are a second integer.  An infinity is beyond all decimals.
 */

#ifndef GPUHIST_ORDERED_DECIMAL_H
#define GPUHIST_ORDERED_DECIMAL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/decimal_sum.h"
#include "base/wide_integer.h"
#include "kernels/text/text_number.h"

/* LOW is below this. */
#define ORDERED_DECIMAL_LOWS 100

/* HIGH of an infinity. */
#define ORDERED_DECIMAL_INFINITE INT64_MAX

/* The decimals A and B have the order of (A.high, A.low) and (B.high, B.low),
   and are equal only if both are. */
struct ordered_decimal {
    int64_t high;
    uint32_t low;
};

/* Returns less than 0, 0, or more, as A is less than, equal to, or more. */
static inline int
ordered_decimal_compare(const struct ordered_decimal *a,
                        const struct ordered_decimal *b)
{
    if (a->high != b->high)
        return a->high < b->high ? -1 : 1;
    return (a->low > b->low) - (a->low < b->low);
}

static inline bool
ordered_decimal_is_infinite(const struct ordered_decimal *decimal)
{
    return decimal->high == ORDERED_DECIMAL_INFINITE ||
           decimal->high == -ORDERED_DECIMAL_INFINITE;
}

/*
 * Set *DECIMAL to NUMBER.  Returns whether it is an infinity or an addend
 * (decimal_sum.h) of at most 19 digits; -0 is 0.
 */
bool ordered_decimal_read(struct ordered_decimal *decimal,
                          const struct text_number *number);

/* Returns NANO, in units of 10^-9. */
struct ordered_decimal ordered_decimal_of_nano(int64_t nano);

/* Returns DECIMAL, without zeros at its end. */
struct text_number
ordered_decimal_number(const struct ordered_decimal *decimal);

/* Returns DECIMAL, which is finite, as a sum. */
struct decimal_sum ordered_decimal_sum(const struct ordered_decimal *decimal);

/* ---- sums of many ---- */

/* A sum has a part for so many powers of ten: an addend has its first digit
   there. */
#define ORDERED_SUM_PARTS 4

/* The digits of finite decimals, summed in each part: integers of 192 bits in
   two's complement, the lowest word first.  All 0: no addends. */
struct ordered_sums {
    uint64_t word[ORDERED_SUM_PARTS][3];
};

/* Add DECIMAL, which is finite, to SUMS. */
void ordered_sums_add(struct ordered_sums *sums,
                      const struct ordered_decimal *decimal);

/* Add the addends of MORE to SUMS. */
void ordered_sums_join(struct ordered_sums *sums,
                       const struct ordered_sums *more);

/* Returns the sum of all addends, fewer than 2^63. */
struct decimal_sum ordered_sums_total(const struct ordered_sums *sums);

#endif
