/* SPDX-License-Identifier: MIT */
/*
 * weighing.h -- exact sums of weights, for every engine
 *
 * This file is written in the common subset of C11, CUDA C++ and OpenCL C, with
 * integer arithmetic only.
 *
 * A sum is held in fixed point, wide enough for every value of its type:
 * Kulisch's exact accumulator, in the form of Neal's "small superaccumulator"
 * (Fast exact summation using small and large superaccumulators, 2015).  Its
 * digits are signed, 64 bits wide, and 32 bits apart:
 *
 *     sum = (digit[0] + digit[1] * 2^32 + digit[2] * 2^64 + ...) * unit
 *
 * where the unit, a power of two, is the smallest value of the type.  Adding a
 * value adds to up to three adjacent digits; the upper halves of the digits
 * collect the carries until weighing_carry().  Additions commute, so the sum
 * does not depend on the order, and partial sums add up digit by digit.
 *
 * The unit of decimals is 10^-38 (src/base/decimal_sum.h).
 *
 * For floating-point types, NaN and infinities are counted in counters after
 * the digits.  Digits and counters are "planes": u64 words for additions modulo
 * 2^64 only.
 */

#ifndef GPUHIST_WEIGHING_H
#define GPUHIST_WEIGHING_H

#include "kernels/binning/binning.h"

#define WEIGHING_DIGITS_MAX 67
#define WEIGHING_PLANES_MAX (WEIGHING_DIGITS_MAX + WEIGHING_SPECIALS)
#define WEIGHING_PARTS_MAX 3

/* 320 bits: 63 bits and the 253 of 10^76 units, and the sign. */
#define WEIGHING_DECIMAL_DIGITS 9

/*
 * The most values that may be added to a cell between two calls of
 * weighing_carry().  A value adds at most 2^32 - 1 to a digit; a digit starts
 * with at most 2^32 - 1; the carry from the digit below is less than 2^31.  The
 * sum is at most 2^63 - 1.  Adding another cell, normalized by
 * weighing_carry(), counts as adding one value.
 */
#define WEIGHING_ADDS_MAX 0x7fffffffu

/* The counters, as planes after the last digit. */
enum weighing_special {
    WEIGHING_NAN,
    WEIGHING_PLUS_INFINITY,
    WEIGHING_MINUS_INFINITY,
    WEIGHING_SPECIALS /* the number of counters */
};

/* The addends of one value: addend[i] for plane FIRST + i, for all i < COUNT.
 */
struct weighing_parts {
    binning_u32 first;
    binning_u32 count;
    binning_i64 addend[WEIGHING_PARTS_MAX]; /* 0 from COUNT on, and possibly
                                               before */
};

/*
 * The number of digits of a sum of TYPE: enough for 2^63 values.  The top digit
 * takes carries only, no values.
 */
DEVICE_FN binning_u32
weighing_digits(binning_u32 type)
{
    switch (binning_wide_type(type)) {
    case SAMPLE_F2:
        return 3; /* 63 + 40 bits, and the sign */
    case SAMPLE_F4:
        return 10; /* 63 + 277 */
    case SAMPLE_F8:
        return WEIGHING_DIGITS_MAX; /* 63 + 2098 */
    case SAMPLE_DECIMAL:
        return WEIGHING_DECIMAL_DIGITS;
    default:
        return binning_size(type) > 4 ? 3 : 2; /* 63 + 64, 63 + 32 */
    }
}

/* The number of planes of a sum of TYPE: digits and counters. */
DEVICE_FN binning_u32
weighing_planes(binning_u32 type)
{
    int has_specials = binning_is_float(type) && type != SAMPLE_DECIMAL;

    return weighing_digits(type) + (has_specials ? WEIGHING_SPECIALS : 0);
}

/* The exponent of the unit of TYPE: the unit is 2 to this power. */
DEVICE_FN binning_i32
weighing_unit(binning_u32 type)
{
    switch (binning_wide_type(type)) {
    case SAMPLE_F2:
        return type == SAMPLE_E4M3 ? -16 : -24;
    case SAMPLE_F4:
        return -149;
    case SAMPLE_F8:
        return -1074;
    default:
        return 0;
    }
}

/* Set PARTS to a magnitude, HIGH * 2^64 + LOW, with a sign. */
DEVICE_FN void
weighing_set(struct weighing_parts *parts, binning_u32 first, binning_u32 count,
             binning_u64 low, binning_u64 high, int is_negative)
{
    binning_i64 part0 = (binning_i64)(low & 0xffffffffu);
    binning_i64 part1 = (binning_i64)(low >> 32);
    binning_i64 part2 = (binning_i64)high;

    parts->first = first;
    parts->count = count;
    parts->addend[0] = is_negative ? -part0 : part0;
    parts->addend[1] = is_negative ? -part1 : part1;
    parts->addend[2] = is_negative ? -part2 : part2;
}

/* Split an integer of TYPE with these BITS. */
DEVICE_FN void
weighing_split_integer(binning_u32 type, binning_u64 bits,
                       struct weighing_parts *parts)
{
    binning_u32 size = binning_size(type);
    binning_u64 sign_bit = (binning_u64)1 << (8 * size - 1);
    int is_negative = binning_is_signed(type) && (bits & sign_bit) != 0;
    /* If the size is 8, twice the sign bit is 2^64, which wraps to 0. */
    binning_u64 magnitude = is_negative ? 2 * sign_bit - bits : bits;
    binning_u32 count = size > 4 ? 2 : 1;

    weighing_set(parts, 0, magnitude == 0 ? 0 : count, magnitude, 0,
                 is_negative);
}

/* Split a float of an IEEE format; its counters start at plane DIGITS. */
DEVICE_FN void
weighing_split_float(binning_u64 bits, binning_u32 fraction_bits,
                     binning_u32 exponent_bits, binning_u32 digits,
                     struct weighing_parts *parts)
{
    binning_u64 hidden_bit = (binning_u64)1 << fraction_bits;
    binning_u32 exponent_max = ((binning_u32)1 << exponent_bits) - 1;
    binning_u64 significand = bits & (hidden_bit - 1);
    binning_u32 exponent = (binning_u32)(bits >> fraction_bits) & exponent_max;
    int is_negative = (int)(bits >> (fraction_bits + exponent_bits)) & 1;

    if (exponent == exponent_max) {
        binning_u32 special = significand != 0 ? WEIGHING_NAN
                              : is_negative    ? WEIGHING_MINUS_INFINITY
                                               : WEIGHING_PLUS_INFINITY;
        weighing_set(parts, digits + special, 1, 1, 0, 0);
        return;
    }

    /* Subnormals have the exponent of the smallest normals. */
    binning_u32 shift = 0;
    if (exponent != 0) {
        significand |= hidden_bit;
        shift = exponent - 1;
    }
    binning_u32 offset = shift % 32;
    binning_u32 count = fraction_bits + 32 > 64 ? 3 : 2;
    /* Shift in two steps, because a shift by 64 is undefined. */
    binning_u64 high = significand >> 1 >> (63 - offset);
    weighing_set(parts, shift / 32, significand == 0 ? 0 : count,
                 significand << offset, high, is_negative);
}

/*
 * Set PARTS to the addends of an element of TYPE with these BITS,
 * zero-extended.  The values 0 and -0 add nothing: COUNT is 0.  The function is
 * fast if TYPE is a constant at compile time.
 */
DEVICE_FN void
weighing_split(binning_u32 type, binning_u64 bits, struct weighing_parts *parts)
{
    binning_u32 digits = weighing_digits(type);

    bits = binning_wide_bits(type, bits);
    switch (binning_wide_type(type)) {
    case SAMPLE_F2:
        weighing_split_float(bits, 10, 5, digits, parts);
        break;
    case SAMPLE_F4:
        weighing_split_float(bits, 23, 8, digits, parts);
        break;
    case SAMPLE_F8:
        weighing_split_float(bits, 52, 11, digits, parts);
        break;
    default:
        weighing_split_integer(type, bits, parts);
        break;
    }
}

/*
 * Normalize one cell with COUNT digits at DIGIT[k * STRIDE].  The sum does not
 * change; all digits below the top digit end in [0, 2^32).  No other thread may
 * add to the cell meanwhile.
 */
DEVICE_FN void
weighing_carry(DEVICE_GLOBAL binning_u64 *digit, binning_u32 count,
               binning_u64 stride)
{
    for (binning_u32 k = 0; k + 1 < count; k++, digit += stride) {
        /* Known compilers shift arithmetically here, which rounds down. */
        digit[stride] += (binning_u64)((binning_i64)digit[0] >> 32);
        digit[0] &= 0xffffffffu;
    }
}

#endif
