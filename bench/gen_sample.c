/* SPDX-License-Identifier: MIT */
/* gen_sample.c -- numbers as the bytes of a type */

#include <math.h>
#include <string.h>

#include "gen_sample.h"

/*
 * After adding this to a number below 2^51, the lowest bits of the sum are the
 * nearest integer.
 */
#define ROUNDER 0x1.8p52

/* Write the low bytes of BITS, as many as TYPE has, as sample i. */
#define PUT(type, bits)                                          \
    do {                                                         \
        type value_ = (type)(bits);                              \
        memcpy(out + i * sizeof value_, &value_, sizeof value_); \
    } while (0)

static double
clamp(double x, double least, double most)
{
    x = x < least ? least : x;
    return x > most ? most : x;
}

/* The nearest integer, in two's complement, for a type of 8 bytes. */
static uint64_t
round_wide(double x, int is_signed)
{
    double magnitude = x < 0 ? -x : x;

    /* All doubles from 2^52 on are whole numbers. */
    if (magnitude < 0x1p52)
        magnitude = (magnitude + 0x1p52) - 0x1p52;
    if (!is_signed)
        return x < 0                ? 0
               : magnitude < 0x1p64 ? (uint64_t)magnitude
                                    : UINT64_MAX;
    if (magnitude >= 0x1p63)
        return ((uint64_t)1 << 63) - (x > 0);
    return x < 0 ? 0 - (uint64_t)magnitude : (uint64_t)magnitude;
}

/* The maximum of A - B and 0, without a branch; A and B are below 2^63. */
static uint64_t
above(uint64_t a, uint64_t b)
{
    uint64_t difference = a - b;

    return difference & ((difference >> 63) - 1);
}

static uint64_t
least_of(uint64_t a, uint64_t b)
{
    return a - above(a, b);
}

/*
 * The bits of the f2 nearest to X.  The sum of X and 2^42 times a power of two
 * has X in units of f2 in its lowest bits: 1024 units if X is that power, and
 * fewer if X is below the smallest normal number.
 */
static uint64_t
half_bits(double x)
{
    uint64_t bits = binning_double_bits(x);
    uint64_t sign = bits >> 63 << 15;
    /* Numbers that round to 2^16 or more become infinite. */
    uint64_t magnitude = least_of(bits << 1 >> 1, (uint64_t)1039 << 52);
    uint64_t exponent = 1009 + above(magnitude >> 52, 1009);
    uint64_t adder = (exponent + 42) << 52;
    uint64_t units = binning_double_bits(binning_bits_double(magnitude) +
                                         binning_bits_double(adder)) -
                     adder;
    return sign | (((exponent - 1009) << 10) + units);
}

/* Each size has a loop of its own, which the compiler can vectorize. */
void
gen_sample_put(enum sample_type type, const double *number, size_t count,
               unsigned char *out)
{
    size_t size = binning_size(type);
    size_t i;

    if (type == SAMPLE_F8)
        memcpy(out, number, count * sizeof *number);
    else if (type == SAMPLE_F4) {
        for (i = 0; i < count; i++)
            PUT(float, number[i]);
    } else if (type == SAMPLE_F2) {
        for (i = 0; i < count; i++)
            PUT(uint16_t, half_bits(number[i]));
    } else if (size == 8) {
        for (i = 0; i < count; i++)
            PUT(uint64_t, round_wide(number[i], type == SAMPLE_I8));
    } else {
        double least = gen_sample_least(type);
        double most = gen_sample_most(type);
#define ROUND(x) binning_double_bits(clamp(x, least, most) + ROUNDER)
        if (size == 1) {
            for (i = 0; i < count; i++)
                PUT(uint8_t, ROUND(number[i]));
        } else if (size == 2) {
            for (i = 0; i < count; i++)
                PUT(uint16_t, ROUND(number[i]));
        } else {
            for (i = 0; i < count; i++)
                PUT(uint32_t, ROUND(number[i]));
        }
#undef ROUND
    }
}

void
gen_sample_put_integers(enum sample_type type, const uint64_t *integer,
                        size_t count, unsigned char *out)
{
    size_t i;

    switch (binning_size(type)) {
    case 1:
        for (i = 0; i < count; i++)
            PUT(uint8_t, integer[i]);
        break;
    case 2:
        for (i = 0; i < count; i++)
            PUT(uint16_t, integer[i]);
        break;
    case 4:
        for (i = 0; i < count; i++)
            PUT(uint32_t, integer[i]);
        break;
    default:
        memcpy(out, integer, count * sizeof *integer);
    }
}

void
gen_sample_swap(size_t size, unsigned char *sample, size_t count)
{
    unsigned char *out = sample;
    uint16_t half;
    uint32_t word;
    uint64_t wide;
    size_t i;

    if (size == 2) {
        for (i = 0; i < count; i++) {
            memcpy(&half, sample + 2 * i, 2);
            PUT(uint16_t, __builtin_bswap16(half));
        }
    } else if (size == 4) {
        for (i = 0; i < count; i++) {
            memcpy(&word, sample + 4 * i, 4);
            PUT(uint32_t, __builtin_bswap32(word));
        }
    } else if (size == 8) {
        for (i = 0; i < count; i++) {
            memcpy(&wide, sample + 8 * i, 8);
            PUT(uint64_t, __builtin_bswap64(wide));
        }
    }
}

double
gen_sample_least(enum sample_type type)
{
    unsigned int bits = 8 * binning_size(type);

    return binning_is_signed(type) ? -(double)((uint64_t)1 << (bits - 1)) : 0;
}

/* Rounded up to 2^63 or 2^64 for the types of 8 bytes. */
double
gen_sample_most(enum sample_type type)
{
    unsigned int bits = 8 * binning_size(type);

    return (double)(UINT64_MAX >> (64 - bits) >> binning_is_signed(type));
}

double
gen_sample_at_or_above(enum sample_type type, double x)
{
    if (type == SAMPLE_F8)
        return x;
    if (type == SAMPLE_F4) {
        float nearest = (float)x;
        return nearest < x ? nextafterf(nearest, INFINITY) : nearest;
    }
    uint64_t bits = half_bits(x);
    if (binning_half(bits) < x) {
        /* Negative numbers go up to -0, which is not below any X. */
        bits = bits >> 15 != 0 ? bits - 1 : bits + 1;
    }
    return binning_half(bits);
}
