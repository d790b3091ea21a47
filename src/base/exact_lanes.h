/* SPDX-License-Identifier: MIT */
/*
 * exact_lanes.h -- exact sums of a block of numbers, for one instruction set
 *
 * The includer defines VEC, a vector of LANES doubles, and the operations of
 * the lanes_...() functions; then EXACT_KERNELS is the name of the set.
 *
 * Floats are added in fixed point, by an idea of Rump, Ogita and Oishi
 * ("Accurate floating-point summation part I", 2008; also Demmel and Nguyen,
 * "Fast reproducible floating-point summation", 2013).  A sum starts at 1.5
 * times a power of two, which is so great that the sum stays between two powers
 * of two.  Then the sum is always a multiple of one unit, and the part of an
 * addend that rounding loses is a double.  A second sum, with a smaller unit,
 * gets these parts.  If its rounding loses nothing, both sums are exact;
 * otherwise the caller adds the block in another way.
 */

#ifndef GPUHIST_EXACT_LANES_H
#define GPUHIST_EXACT_LANES_H

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/exact_kernels.h"

/* Independent sums of vectors: an addition need not wait for the one before. */
#define TURNS (LANES > 1 ? 2 : 4)

/*
 * Numbers below 2^(E + 1), at most 2^10 of them, are summed from 1.5 * 2^(E +
 * LEVEL_TOP) on.  The unit is 2^(E - LEVEL_STEP + 2), and what rounding loses
 * of an addend is at most half of it: 2^(E - LEVEL_STEP + 1).
 */
#define LEVEL_TOP 13
#define LEVEL_STEP 41

/* The levels of squares. */
#define SQUARE_LEVELS 3

/* The sums of one level. */
struct level {
    VEC sum[TURNS];
    double start;
};

/* Returns 1.5 * 2^EXPONENT. */
static inline double
level_start(int exponent)
{
    uint64_t bits = (uint64_t)(exponent + 1023) << 52 | (uint64_t)1 << 51;
    double start;

    memcpy(&start, &bits, sizeof start);
    return start;
}

/* Make LEVEL number N, from 0 on, for numbers below 2^(EXPONENT + 1). */
static inline void
level_open(struct level *level, int exponent, int n)
{
    level->start = level_start(exponent + LEVEL_TOP - n * LEVEL_STEP);
    for (int t = 0; t < TURNS; t++)
        level->sum[t] = lanes_set(level->start);
}

/* Add X to sum T.  Returns what rounding loses. */
static inline VEC
level_add(struct level *level, int t, VEC x)
{
    VEC before = level->sum[t];
    VEC after = lanes_add(before, x);

    level->sum[t] = after;
    return lanes_subtract(x, lanes_subtract(after, before));
}

/* Returns the sum of LEVEL, which is exact. */
static inline double
level_total(const struct level *level)
{
    double total = 0;

    for (int t = 0; t < TURNS; t++) {
        double lane[LANES];
        lanes_store(lane, level->sum[t]);
        for (int l = 0; l < LANES; l++)
            total += lane[l] - level->start;
    }
    return total;
}

/* Whether a lane of X is not 0. */
static inline bool
lanes_are_left(VEC x)
{
    uint64_t bits[LANES];
    uint64_t all = 0;

    memcpy(bits, &x, sizeof bits);
    for (int l = 0; l < LANES; l++)
        all |= bits[l] << 1;
    return all != 0;
}

/* The sums of a block: of the numbers; of the squares; and of what the rounded
   squares lack. */
struct sums {
    struct level sum[2];
    struct level square[SQUARE_LEVELS];
    struct level rest[SQUARE_LEVELS];
    VEC left;
};

static inline void
sums_open(struct sums *sums, int exponent, bool has_squares)
{
    for (int n = 0; n < 2; n++)
        level_open(&sums->sum[n], exponent, n);
    for (int n = 0; n < SQUARE_LEVELS && has_squares; n++) {
        level_open(&sums->square[n], 2 * exponent + 1, n);
        level_open(&sums->rest[n], 2 * exponent - 53, n);
    }
    sums->left = lanes_set(0);
}

/* Add X, and its square, which floats have without a REST, to sum T. */
static inline void
sums_add(struct sums *sums, int t, VEC x, bool has_squares, bool has_rest)
{
    VEC left = level_add(&sums->sum[1], t, level_add(&sums->sum[0], t, x));

    if (has_squares) {
        VEC square = lanes_square(x);
        VEC part = square;
        VEC rest = has_rest ? lanes_square_rest(x, square) : part;
        for (int n = 0; n < SQUARE_LEVELS; n++) {
            part = level_add(&sums->square[n], t, part);
            if (has_rest)
                rest = level_add(&sums->rest[n], t, rest);
        }
        left = lanes_or(left, part);
        if (has_rest)
            left = lanes_or(left, rest);
    }
    sums->left = lanes_or(sums->left, left);
}

/* Set *PARTS to SUMS.  Returns whether all is exact. */
static inline bool
sums_close(const struct sums *sums, bool has_squares, bool has_rest,
           struct exact_parts *parts)
{
    if (lanes_are_left(sums->left))
        return false;
    parts->sums = 2;
    for (int n = 0; n < 2; n++)
        parts->sum[n] = level_total(&sums->sum[n]);
    for (int n = 0; n < SQUARE_LEVELS && has_squares; n++) {
        parts->squares[n] = level_total(&sums->square[n]);
        parts->squares[SQUARE_LEVELS + n] =
            has_rest ? level_total(&sums->rest[n]) : 0;
    }
    return true;
}

static inline bool
add_f4_with(const float *x, size_t count, int exponent, bool has_squares,
            struct exact_parts *parts)
{
    struct sums sums;

    sums_open(&sums, exponent, has_squares);
    for (size_t i = 0; i < count; i += LANES * TURNS) {
        for (int t = 0; t < TURNS; t++)
            sums_add(&sums, t, lanes_load_f4(x + i + LANES * t), has_squares,
                     false);
    }
    return sums_close(&sums, has_squares, false, parts);
}

static bool
add_f4(const float *x, size_t count, int exponent, bool has_squares,
       struct exact_parts *parts)
{
    if (!LANES_ARE_EXACT)
        return false;
    return has_squares ? add_f4_with(x, count, exponent, true, parts)
                       : add_f4_with(x, count, exponent, false, parts);
}

/* As many levels as there are parts hold any bit of any float. */
static bool
add_wide_f4(const float *x, size_t count, int exponent,
            struct exact_parts *parts)
{
    struct level level[EXACT_PARTS];
    VEC left = lanes_set(0);

    /* One number at a time is added faster by its bits. */
    if (!LANES_ARE_EXACT || LANES == 1)
        return false;
    for (int n = 0; n < EXACT_PARTS; n++)
        level_open(&level[n], exponent, n);
    for (size_t i = 0; i < count; i += LANES * TURNS) {
        for (int t = 0; t < TURNS; t++) {
            VEC part = lanes_load_f4(x + i + LANES * t);
            for (int n = 0; n < EXACT_PARTS; n++)
                part = level_add(&level[n], t, part);
            left = lanes_or(left, part);
        }
    }
    parts->sums = EXACT_PARTS;
    for (int n = 0; n < EXACT_PARTS; n++)
        parts->sum[n] = level_total(&level[n]);
    return !lanes_are_left(left);
}

static inline bool
add_f8_with(const double *x, size_t count, int exponent, bool has_squares,
            struct exact_parts *parts)
{
    struct sums sums;

    sums_open(&sums, exponent, has_squares);
    for (size_t i = 0; i < count; i += LANES * TURNS) {
        for (int t = 0; t < TURNS; t++)
            sums_add(&sums, t, lanes_load_f8(x + i + LANES * t), has_squares,
                     true);
    }
    return sums_close(&sums, has_squares, true, parts);
}

static bool
add_f8(const double *x, size_t count, int exponent, bool has_squares,
       struct exact_parts *parts)
{
    if (!LANES_ARE_EXACT || (has_squares && !LANES_HAVE_REST))
        return false;
    return has_squares ? add_f8_with(x, count, exponent, true, parts)
                       : add_f8_with(x, count, exponent, false, parts);
}

static bool
find_f8(const double *x, size_t count, double *least, double *greatest)
{
    VEC low[TURNS];
    VEC high[TURNS];
    VEC unordered = lanes_set(0);
    double lane[LANES];

    for (int t = 0; t < TURNS; t++) {
        low[t] = lanes_set((double)INFINITY);
        high[t] = lanes_set(-(double)INFINITY);
    }
    for (size_t i = 0; i < count; i += LANES * TURNS) {
        for (int t = 0; t < TURNS; t++) {
            VEC value = lanes_load_f8(x + i + LANES * t);
            low[t] = lanes_min(value, low[t]);
            high[t] = lanes_max(value, high[t]);
            unordered = lanes_or(unordered, lanes_nan(value));
        }
    }
    *least = (double)INFINITY;
    *greatest = -(double)INFINITY;
    for (int t = 0; t < TURNS; t++) {
        lanes_store(lane, low[t]);
        for (int l = 0; l < LANES; l++)
            *least = lane[l] < *least ? lane[l] : *least;
        lanes_store(lane, high[t]);
        for (int l = 0; l < LANES; l++)
            *greatest = lane[l] > *greatest ? lane[l] : *greatest;
    }
    return lanes_are_left(unordered);
}

static bool
find_f4(const float *x, size_t count, float *least, float *greatest)
{
    VEC4 low[TURNS];
    VEC4 high[TURNS];
    VEC4 unordered = lanes4_set(0);
    float lane[LANES4];
    uint32_t bits[LANES4];
    uint32_t all = 0;

    for (int t = 0; t < TURNS; t++) {
        low[t] = lanes4_set((float)INFINITY);
        high[t] = lanes4_set(-(float)INFINITY);
    }
    for (size_t i = 0; i < count; i += LANES4 * TURNS) {
        for (int t = 0; t < TURNS; t++) {
            VEC4 value = lanes4_load(x + i + LANES4 * t);
            low[t] = lanes4_min(value, low[t]);
            high[t] = lanes4_max(value, high[t]);
            unordered = lanes4_or(unordered, lanes4_nan(value));
        }
    }
    *least = (float)INFINITY;
    *greatest = -(float)INFINITY;
    for (int t = 0; t < TURNS; t++) {
        lanes4_store(lane, low[t]);
        for (int l = 0; l < LANES4; l++)
            *least = lane[l] < *least ? lane[l] : *least;
        lanes4_store(lane, high[t]);
        for (int l = 0; l < LANES4; l++)
            *greatest = lane[l] > *greatest ? lane[l] : *greatest;
    }
    memcpy(bits, &unordered, sizeof bits);
    for (int l = 0; l < LANES4; l++)
        all |= bits[l];
    return all != 0;
}

/* ---- integers: loops that compilers turn into vectors ---- */

#define HALF UINT64_C(0xffffffff)

/* Define NAME(), for integers of TYPE whose square SQUARE holds, 2^10 of them
   in a sum of 64 bits. */
#define ADD_SMALL(name, type, square)                               \
    static void name(const type *x, size_t count, bool has_squares, \
                     struct exact_integers *parts)                  \
    {                                                               \
        type least = (type)-1;                                      \
        type greatest = 0;                                          \
        uint64_t sum = 0;                                           \
        uint64_t squares = 0;                                       \
        *parts = (struct exact_integers){0};                        \
        for (size_t i = 0; i < count; i++) {                        \
            least = x[i] < least ? x[i] : least;                    \
            greatest = x[i] > greatest ? x[i] : greatest;           \
            sum += x[i];                                            \
        }                                                           \
        for (size_t i = 0; i < count && has_squares; i++)           \
            squares += (square)x[i] * x[i];                         \
        parts->least = least;                                       \
        parts->greatest = greatest;                                 \
        parts->sum[0] = sum;                                        \
        parts->squares[0] = squares;                                \
    }

ADD_SMALL(add_u1, uint8_t, uint32_t)
ADD_SMALL(add_u2, uint16_t, uint32_t)

static void
add_u4(const uint32_t *x, size_t count, bool has_squares,
       struct exact_integers *parts)
{
    uint32_t least = UINT32_MAX;
    uint32_t greatest = 0;
    uint64_t sum = 0;
    uint64_t low = 0;
    uint64_t high = 0;

    *parts = (struct exact_integers){0};
    for (size_t i = 0; i < count; i++) {
        least = x[i] < least ? x[i] : least;
        greatest = x[i] > greatest ? x[i] : greatest;
        sum += x[i];
    }
    for (size_t i = 0; i < count && has_squares; i++) {
        uint64_t square = (uint64_t)x[i] * x[i];
        low += square & HALF;
        high += square >> 32;
    }
    parts->least = least;
    parts->greatest = greatest;
    parts->sum[0] = sum;
    parts->squares[0] = low;
    parts->squares[1] = high;
}

static void
add_u8(const uint64_t *x, size_t count, bool has_squares,
       struct exact_integers *parts)
{
    uint64_t least = UINT64_MAX;
    uint64_t greatest = 0;
    uint64_t low = 0;
    uint64_t high = 0;
    uint64_t square[4] = {0};

    *parts = (struct exact_integers){0};
    for (size_t i = 0; i < count; i++) {
        least = x[i] < least ? x[i] : least;
        greatest = x[i] > greatest ? x[i] : greatest;
        low += x[i] & HALF;
        high += x[i] >> 32;
    }
    for (size_t i = 0; i < count && has_squares; i++) {
        uint64_t a = x[i] & HALF;
        uint64_t b = x[i] >> 32;
        square[0] += (a * a) & HALF;
        square[1] += ((a * a) >> 32) + 2 * ((a * b) & HALF);
        square[2] += 2 * ((a * b) >> 32) + ((b * b) & HALF);
        square[3] += (b * b) >> 32;
    }
    parts->least = least;
    parts->greatest = greatest;
    parts->sum[0] = low;
    parts->sum[1] = high;
    memcpy(parts->squares, square, sizeof square);
}

const struct exact_kernels EXACT_KERNELS = {
    .find_f4 = find_f4,
    .find_f8 = find_f8,
    .add_f4 = add_f4,
    .add_f8 = add_f8,
    .add_wide_f4 = add_wide_f4,
    .add_u1 = add_u1,
    .add_u2 = add_u2,
    .add_u4 = add_u4,
    .add_u8 = add_u8,
};

#endif
