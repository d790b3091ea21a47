/* SPDX-License-Identifier: MIT */
/*
 * wide_integer.h -- integers of 128 bits, two's complement
 *
 * Compilers offer a 128-bit type for 64-bit processors only.  All functions
 * compute modulo 2^128, unless their comment says otherwise.
 */

#ifndef GPUHIST_WIDE_INTEGER_H
#define GPUHIST_WIDE_INTEGER_H

#include <stdbool.h>
#include <stdint.h>

struct wide {
    uint64_t low;
    uint64_t high; /* the top bit is the sign */
};

/* Returns VALUE, which has no sign. */
static inline struct wide
wide_of(uint64_t value)
{
    return (struct wide){value, 0};
}

static inline struct wide
wide_of_signed(int64_t value)
{
    return (struct wide){(uint64_t)value, value < 0 ? UINT64_MAX : 0};
}

static inline bool
wide_is_negative(struct wide a)
{
    return a.high >> 63 != 0;
}

static inline struct wide
wide_add(struct wide a, struct wide b)
{
    uint64_t low = a.low + b.low;

    return (struct wide){low, a.high + b.high + (low < a.low)};
}

static inline struct wide
wide_negate(struct wide a)
{
    return (struct wide){-a.low, ~a.high + (a.low == 0)};
}

static inline struct wide
wide_subtract(struct wide a, struct wide b)
{
    return wide_add(a, wide_negate(b));
}

/* Returns -1, 0 or 1: A is less than, equal to or greater than B. */
static inline int
wide_compare(struct wide a, struct wide b)
{
    int64_t left = (int64_t)a.high;
    int64_t right = (int64_t)b.high;

    if (left != right)
        return left < right ? -1 : 1;
    return (a.low > b.low) - (a.low < b.low);
}

/* wide_product() by products of 32 bits. */
static inline struct wide
wide_product_by_halves(uint64_t a, uint64_t b)
{
    const uint64_t half = 0xffffffff;
    uint64_t low = (a & half) * (b & half);
    uint64_t left = (a >> 32) * (b & half);
    uint64_t right = (a & half) * (b >> 32);
    uint64_t middle = (low >> 32) + (left & half) + (right & half);

    return (struct wide){
        .low = middle << 32 | (low & half),
        .high = (a >> 32) * (b >> 32) + (left >> 32) + (right >> 32) +
                (middle >> 32),
    };
}

/* Returns A * B; both factors and the product are unsigned. */
static inline struct wide
wide_product(uint64_t a, uint64_t b)
{
#ifdef __SIZEOF_INT128__
    __extension__ unsigned __int128 product = (unsigned __int128)a * b;

    return (struct wide){(uint64_t)product, (uint64_t)(product >> 64)};
#else
    return wide_product_by_halves(a, b);
#endif
}

/* Returns A * B; B has no sign. */
static inline struct wide
wide_multiply(struct wide a, uint64_t b)
{
    struct wide product = wide_product(a.low, b);

    product.high += a.high * b;
    return product;
}

/*
 * Returns the quotient of A, an unsigned number, and DIVISOR, not 0.  Sets
 * *REMAINDER to the remainder.
 */
struct wide wide_divide(struct wide a, uint64_t divisor, uint64_t *remainder);

/* Returns the nearest double, ties to even. */
double wide_double(struct wide a);

/* Returns the integer VALUE, a whole number with a magnitude below 2^127. */
struct wide wide_of_double(double value);

#endif
