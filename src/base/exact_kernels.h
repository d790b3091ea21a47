/* SPDX-License-Identifier: MIT */
/*
 * exact_kernels.h -- exact sums of a block of numbers, by vectors
 *
 * One set of functions for each instruction set; exact_lanes.h has the code of
 * all.  COUNT is a multiple of EXACT_STEP, up to EXACT_BLOCK.  Blocks are
 * aligned to 64 bytes.
 */

#ifndef GPUHIST_EXACT_KERNELS_H
#define GPUHIST_EXACT_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EXACT_STEP 32

#define EXACT_PARTS 8

/* The sums of a block of floats: those of all members of an array. */
struct exact_parts {
    double sum[EXACT_PARTS]; /* SUMS of them */
    int sums;
    double squares[6];
};

/* The sums of a block of integers. */
struct exact_integers {
    uint64_t least;
    uint64_t greatest;
    uint64_t sum[2];     /* in units of 1 and of 2^32 */
    uint64_t squares[4]; /* in units of 1, 2^32, 2^64 and 2^96 */
};

struct exact_kernels {
    /* Set *LEAST and *GREATEST to the extremes of the numbers in X; if all are
       NaN, to infinities.  Returns whether NaN is in X. */
    bool (*find_f4)(const float *x, size_t count, float *least,
                    float *greatest);
    bool (*find_f8)(const double *x, size_t count, double *least,
                    double *greatest);

    /*
     * Set *PARTS to sums of X, whose magnitudes are below 2^(EXPONENT + 1).
     * If HAS_SQUARES, then of squares, too.  Returns false if the numbers are
     * too different in magnitude; then *PARTS is undefined.
     */
    bool (*add_f4)(const float *x, size_t count, int exponent, bool has_squares,
                   struct exact_parts *parts);
    bool (*add_f8)(const double *x, size_t count, int exponent,
                   bool has_squares, struct exact_parts *parts);

    /* As add_f4() without squares, for any floats; takes longer.  Returns false
       if the processor has no vectors. */
    bool (*add_wide_f4)(const float *x, size_t count, int exponent,
                        struct exact_parts *parts);

    /* Set *PARTS to sums of X; without HAS_SQUARES, squares are undefined. */
    void (*add_u1)(const uint8_t *x, size_t count, bool has_squares,
                   struct exact_integers *parts);
    void (*add_u2)(const uint16_t *x, size_t count, bool has_squares,
                   struct exact_integers *parts);
    void (*add_u4)(const uint32_t *x, size_t count, bool has_squares,
                   struct exact_integers *parts);
    void (*add_u8)(const uint64_t *x, size_t count, bool has_squares,
                   struct exact_integers *parts);
};

/* EXPONENT is at most this far from 0; with squares, whose lowest bits must be
   above the least double, at most the second one. */
#define EXACT_EXPONENTS_FAR 900
#define EXACT_SQUARES_FAR 400

extern const struct exact_kernels exact_kernels_portable;

#ifdef EXACT_HAS_AVX2
extern const struct exact_kernels exact_kernels_avx2;
#endif

#ifdef EXACT_HAS_AVX512
extern const struct exact_kernels exact_kernels_avx512;
#endif

#endif
