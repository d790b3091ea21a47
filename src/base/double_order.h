/* SPDX-License-Identifier: MIT */
/* double_order.h -- doubles as whole numbers in the same order */

#ifndef GPUHIST_DOUBLE_ORDER_H
#define GPUHIST_DOUBLE_ORDER_H

#include <stdint.h>

#include "kernels/binning/binning.h"

#define DOUBLE_ORDER_SIGN (UINT64_C(1) << 63)

/* Returns the order of the double with BITS: greater for greater doubles.  -0
   is before 0. */
static inline uint64_t
double_order_of_bits(uint64_t bits)
{
    return (bits & DOUBLE_ORDER_SIGN) != 0 ? ~bits : bits | DOUBLE_ORDER_SIGN;
}

/* Returns the bits of the double with ORDER. */
static inline uint64_t
double_order_bits(uint64_t order)
{
    return (order & DOUBLE_ORDER_SIGN) != 0 ? order ^ DOUBLE_ORDER_SIGN
                                            : ~order;
}

/* Returns the order of VALUE, which is not NaN; -0 and 0 have the same. */
static inline uint64_t
double_order(double value)
{
    return double_order_of_bits(binning_double_bits(value == 0 ? 0 : value));
}

#endif
