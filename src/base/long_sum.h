/* SPDX-License-Identifier: MIT */
/*
 * long_sum.h -- long integers of words, for exact sums of doubles
 *
 * The words hold all binary places of all doubles, the lowest word first, so an
 * addition is one of integers: Kulisch, "Computer Arithmetic and Validity", 2nd
 * edition, 2013, chapter 8.
 */

#ifndef GPUHIST_LONG_SUM_H
#define GPUHIST_LONG_SUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/binning/binning.h"

/* The unit is 2^-LONG_SUM_PLACES, the least double. */
#define LONG_SUM_PLACES 1074

/* The bits of a fraction of a double, and the greatest exponent. */
#define LONG_SUM_FRACTION_BITS 52
#define LONG_SUM_EXPONENTS 0x7ff

/* A finite double without the sign: DIGITS * 2^BIT units. */
struct long_sum_digits {
    uint64_t digits;
    unsigned int bit;
};

/* Returns the digits of the double with BITS. */
static inline struct long_sum_digits
long_sum_digits(uint64_t bits)
{
    const uint64_t one = (uint64_t)1 << LONG_SUM_FRACTION_BITS;
    unsigned int exponent = bits >> LONG_SUM_FRACTION_BITS & LONG_SUM_EXPONENTS;
    unsigned int is_normal = exponent > 0;

    return (struct long_sum_digits){
        (bits & (one - 1)) | (uint64_t)is_normal << LONG_SUM_FRACTION_BITS,
        exponent - is_normal};
}

/*
 * Add VALUE * 2^BIT to the COUNT words at WORD.  There is a word above those
 * that VALUE has bits in.
 */
static inline void
long_sum_add_bits(uint64_t *word, size_t count, unsigned int bit,
                  uint64_t value)
{
    size_t w = bit / 64;
    unsigned int shift = bit % 64;
    uint64_t low = value << shift;
    uint64_t high = value >> 1 >> (63 - shift); /* below 2^63 */

    word[w] += low;
    high += word[w] < low;
    word[++w] += high;
    for (bool carry = word[w] < high; carry && ++w < count;)
        carry = ++word[w] == 0;
}

/* Subtract VALUE * 2^BIT in the same way, modulo 2^(64 COUNT). */
static inline void
long_sum_subtract_bits(uint64_t *word, size_t count, unsigned int bit,
                       uint64_t value)
{
    size_t w = bit / 64;
    unsigned int shift = bit % 64;
    uint64_t low = value << shift;
    uint64_t high = value >> 1 >> (63 - shift);

    high += word[w] < low;
    word[w] -= low;
    bool borrow = word[++w] < high;
    word[w] -= high;
    while (borrow && ++w < count)
        borrow = word[w]-- == 0;
}

/* Add the COUNT words at MORE, modulo 2^(64 COUNT). */
static inline void
long_sum_add(uint64_t *word, const uint64_t *more, size_t count)
{
    uint64_t carry = 0;

    for (size_t w = 0; w < count; w++) {
        uint64_t sum = word[w] + carry;
        carry = sum < carry;
        word[w] = sum + more[w];
        carry += word[w] < sum;
    }
}

/* Subtract the COUNT words at LESS, modulo 2^(64 COUNT). */
static inline void
long_sum_subtract(uint64_t *word, const uint64_t *less, size_t count)
{
    uint64_t borrow = 0;

    for (size_t w = 0; w < count; w++) {
        uint64_t before = word[w];
        uint64_t rest = before - less[w];
        word[w] = rest - borrow;
        borrow = (uint64_t)(before < less[w]) + (rest < borrow);
    }
}

#endif
