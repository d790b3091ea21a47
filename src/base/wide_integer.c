/* SPDX-License-Identifier: MIT */
/* wide_integer.c -- integers of 128 bits, two's complement */

#include <math.h>

#include "base/wide_integer.h"

struct wide
wide_divide(struct wide a, uint64_t divisor, uint64_t *remainder)
{
    struct wide quotient = {0, a.high / divisor};
    uint64_t left = a.high % divisor;

    if (left == 0) {
        quotient.low = a.low / divisor;
        *remainder = a.low % divisor;
        return quotient;
    }
    for (int bit = 63; bit >= 0; bit--) {
        /* Twice the remainder may have 65 bits. */
        bool is_above = left >> 63 != 0;
        left = left << 1 | (a.low >> bit & 1);
        if (is_above || left >= divisor) {
            left -= divisor;
            quotient.low |= (uint64_t)1 << bit;
        }
    }
    *remainder = left;
    return quotient;
}

double
wide_double(struct wide a)
{
    bool is_negative = wide_is_negative(a);
    int exponent = 0;

    if (is_negative)
        a = wide_negate(a);
    uint64_t bits = a.low;
    if (a.high != 0) {
        int zeros = __builtin_clzll(a.high);
        exponent = 64 - zeros;
        bits = a.high;
        if (zeros > 0)
            bits = a.high << zeros | a.low >> exponent;
        /* The last bit is 1 if any later bit is 1: one rounding. */
        bits |= a.low << zeros != 0;
    }
    double value = ldexp((double)bits, exponent);
    return is_negative ? -value : value;
}

struct wide
wide_of_double(double value)
{
    double magnitude = fabs(value);
    double high = floor(magnitude * 0x1p-64);
    struct wide whole = {(uint64_t)(magnitude - high * 0x1p64), (uint64_t)high};

    return value < 0 ? wide_negate(whole) : whole;
}
