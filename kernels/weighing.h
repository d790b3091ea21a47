/*
 * weighing.h -- exact sums of weights, for every engine
 *
 * The common subset of C11, CUDA C++ and OpenCL C; no floating-point
 * arithmetic, only bits.
 *
 * A sum is held in fixed point, wide enough for every value of its type:
 * Kulisch's exact accumulator, in the form of Neal's "small superaccumulator"
 * (Fast exact summation using small and large superaccumulators, 2015).  Its
 * digits are signed, 64 bits wide, and 32 bits apart:
 *
 *     sum = (digit[0] + digit[1] * 2^32 + digit[2] * 2^64 + ...) * unit
 *
 * where the unit, a power of two, is the smallest value of the type.  A value
 * is added by adding to up to three neighbouring digits; the upper halves
 * give room to put the carries off.  Such additions commute, so the sum does
 * not depend on their order, and partial sums add up digit by digit.
 *
 * Of a floating-point type, the NaN and infinities are counted, after the
 * digits.  Digits and counters are "planes": u64 words that are only ever
 * added to, modulo 2^64.
 */

#ifndef GPUHIST_WEIGHING_H
#define GPUHIST_WEIGHING_H

#include "binning.h"

#define WEIGHING_DIGITS_MAX 67
#define WEIGHING_PLANES_MAX (WEIGHING_DIGITS_MAX + WEIGHING_SPECIALS)
#define WEIGHING_PARTS_MAX 3

/*
 * So many values may be added to a cell between two weighing_carry().  One
 * adds at most 2^32 - 1 to a digit, the digit held that much at the start, and
 * the carry from below is less than 2^31: together at most 2^63 - 1.  Another
 * cell that weighing_carry() has normalised counts as one value.
 */
#define WEIGHING_ADDS_MAX 0x7fffffffu

/* The counters, as planes after the last digit. */
enum weighing_special {
    WEIGHING_NAN,
    WEIGHING_PLUS_INFINITY,
    WEIGHING_MINUS_INFINITY,
    WEIGHING_SPECIALS /* how many */
};

/* What one value adds: addend[i] to the plane FIRST + i, for all i < COUNT. */
struct weighing_parts {
    binning_u32 first;
    binning_u32 count;
    binning_i64 addend[WEIGHING_PARTS_MAX]; /* 0 from COUNT on; before, too,
                                               some may be 0 */
};

/*
 * How many digits a sum has: enough for 2^63 values of any size.  The top one
 * is never added to: it takes carries only.
 */
BINNING_FUNCTION binning_u32
weighing_digits(binning_u32 type)
{
    switch (type) {
    case SAMPLE_F2:
        return 3; /* 63 + 40 bits, and the sign */
    case SAMPLE_F4:
        return 10; /* 63 + 277 */
    case SAMPLE_F8:
        return WEIGHING_DIGITS_MAX; /* 63 + 2098 */
    default:
        return binning_size(type) > 4 ? 3 : 2; /* 63 + 64, 63 + 32 */
    }
}

BINNING_FUNCTION binning_u32
weighing_planes(binning_u32 type)
{
    binning_u32 specials = binning_is_float(type) ? WEIGHING_SPECIALS : 0;

    return weighing_digits(type) + specials;
}

/* The unit is 2 to the power of this. */
BINNING_FUNCTION binning_i32
weighing_unit(binning_u32 type)
{
    switch (type) {
    case SAMPLE_F2:
        return -24;
    case SAMPLE_F4:
        return -149;
    case SAMPLE_F8:
        return -1074;
    default:
        return 0;
    }
}

/* Fill PARTS with a magnitude, HIGH * 2^64 + LOW, and its sign. */
BINNING_FUNCTION void
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

BINNING_FUNCTION void
weighing_split_integer(binning_u32 type, binning_u64 bits,
                       struct weighing_parts *parts)
{
    binning_u32 size = binning_size(type);
    binning_u64 sign_bit = (binning_u64)1 << (8 * size - 1);
    int is_negative = binning_is_signed(type) && (bits & sign_bit) != 0;
    /* Twice the sign bit is 2^64, or 0, where size is 8. */
    binning_u64 magnitude = is_negative ? 2 * sign_bit - bits : bits;
    binning_u32 count = size > 4 ? 2 : 1;

    weighing_set(parts, 0, magnitude == 0 ? 0 : count, magnitude, 0,
                 is_negative);
}

/* Of an IEEE format; its specials are counted from plane DIGITS on. */
BINNING_FUNCTION void
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
    /* In two steps: by 64 at once would be undefined. */
    binning_u64 high = significand >> 1 >> (63 - offset);
    weighing_set(parts, shift / 32, significand == 0 ? 0 : count,
                 significand << offset, high, is_negative);
}

/*
 * What the element of TYPE with these BITS, zero-extended, adds to a sum:
 * nothing if it is 0 or -0.  Made for a TYPE that the compiler knows.
 */
BINNING_FUNCTION void
weighing_split(binning_u32 type, binning_u64 bits, struct weighing_parts *parts)
{
    binning_u32 digits = weighing_digits(type);

    switch (type) {
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
 * Normalise one cell, whose digit k of COUNT is DIGIT[k * STRIDE]: the same
 * sum, with all digits but the top one in [0, 2^32).  Nobody else may be
 * adding to the cell.
 */
BINNING_FUNCTION void
weighing_carry(BINNING_GLOBAL binning_u64 *digit, binning_u32 count,
               binning_u64 stride)
{
    for (binning_u32 k = 0; k + 1 < count; k++, digit += stride) {
        /* Every compiler we know shifts the sign in: this rounds down. */
        digit[stride] += (binning_u64)((binning_i64)digit[0] >> 32);
        digit[0] &= 0xffffffffu;
    }
}

#endif
