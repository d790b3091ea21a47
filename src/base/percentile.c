/* SPDX-License-Identifier: MIT */
/* percentile.c -- which of some numbers in order is a percentile */

#include "base/percentile.h"
#include "base/wide_integer.h"

uint64_t
percentile_rank(uint64_t nano, uint64_t count)
{
    struct wide product = wide_product(count, nano);
    uint64_t left;
    uint64_t whole = wide_divide(product, PERCENTILE_NANO_MAX, &left).low;

    return whole + (left > 0);
}

uint64_t
quartile_rank(unsigned int q, uint64_t count, unsigned int *part)
{
    uint64_t quarters = (count - 1) % 4 * q;

    *part = (unsigned int)(quarters % 4);
    return (count - 1) / 4 * q + quarters / 4 + 1;
}
