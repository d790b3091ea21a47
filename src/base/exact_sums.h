/* SPDX-License-Identifier: MIT */
/*
 * exact_sums.h -- exact sums of many binary numbers, of one type
 *
 * A number is one of a sample type: an integer of up to 64 bits, or a float of
 * up to 64 bits.  Sums of floats are in fixed point, in units of 2^-1074, the
 * least double; sums of squares in units of 2^-2148 (real_sum.h).  2^64 numbers
 * cannot overflow them.  So the sums do not depend on the order of additions.
 */

#ifndef GPUHIST_EXACT_SUMS_H
#define GPUHIST_EXACT_SUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/natural.h"
#include "base/real_sum.h"
#include "base/wide_integer.h"
#include "kernels/binning/binning.h"

/* The unit of sums of floats is 2^-EXACT_PLACES; of squares, likewise. */
#define EXACT_PLACES 1074
#define EXACT_SQUARE_PLACES (2 * EXACT_PLACES)

#define EXACT_SUM_WORDS REAL_SUM_WORDS
#define EXACT_SQUARE_WORDS \
    (REAL_SQUARES_WORDS + 1) /* see long_sum_add_bits() */

/* What to compute besides the numbers of values; or'ed. */
enum exact_want {
    EXACT_EXTREMES = 1 << 0,
    EXACT_SUM = 1 << 1,
    EXACT_SQUARES = 1 << 2, /* with EXACT_SUM */
    EXACT_ALL = EXACT_EXTREMES | EXACT_SUM | EXACT_SQUARES,
};

/* The facts about some numbers.  All 0: of none. */
struct exact_sums {
    uint64_t count; /* of numbers: not NaN */
    uint64_t nan;
    uint64_t infinite[2]; /* how many are positive, and negative */

    /* If COUNT is not 0, and the extremes are wanted: exact_code_real() or
       exact_code_integer() returns the number. */
    uint64_t least;
    uint64_t greatest;

    /* Of finite numbers, the lowest word first: the positive numbers minus the
       negative numbers.  After exact_sums_reduce() one of both is 0. */
    uint64_t sum[2][EXACT_SUM_WORDS];
    uint64_t squares[EXACT_SQUARE_WORDS];
};

/* Add MORE, of the same type, to SUMS. */
void exact_sums_add(struct exact_sums *sums, const struct exact_sums *more);

/* Make SUMS equal for equal numbers, in whatever order they were added. */
void exact_sums_reduce(struct exact_sums *sums);

/* Whether some numbers of TYPE may have SUMS, which are reduced: a check of
   sums that others wrote, as far as figures need it. */
bool exact_sums_are_possible(const struct exact_sums *sums,
                             enum sample_type type);

/* Set *SUM and *SQUARES to the sums of SUMS, of floats. */
void exact_sums_real(const struct exact_sums *sums, struct real_sum *sum);
void exact_sums_real_squares(const struct exact_sums *sums,
                             struct real_squares *squares);

/* Set *MAGNITUDE, without a sign, to that of the sum of SUMS, which are reduced
   and of integers.  Returns whether the sum is below 0. */
bool exact_sums_integer(const struct exact_sums *sums, struct wide *magnitude);

/* Set *A to the sum of squares of SUMS, of integers. */
void exact_sums_integer_squares(const struct exact_sums *sums,
                                struct natural *a);

/* Returns the number with CODE, of a type of floats; never -0. */
double exact_code_real(uint64_t code);

/* Returns the number with CODE, of TYPE, a type of integers. */
struct wide exact_code_integer(uint64_t code, enum sample_type type);

/* Returns the code of 0, of TYPE. */
uint64_t exact_code_zero(enum sample_type type);

/* ---- one thread ---- */

/* Numbers that are added together. */
#define EXACT_BLOCK 1024

/* Adds numbers.  Aligned for vectors: see exact_adder_new(). */
struct exact_adder {
    _Alignas(64) double f8[EXACT_BLOCK];
    union {
        float f4[EXACT_BLOCK];
        uint8_t u1[EXACT_BLOCK];
        uint16_t u2[EXACT_BLOCK];
        uint32_t u4[EXACT_BLOCK];
        uint64_t u8[EXACT_BLOCK];
    } block; /* in the byte order of this machine */
    const struct exact_kernels *kernels;
    enum sample_type type;
    bool is_swapped;    /* numbers are not in the byte order of this machine */
    unsigned int wants; /* enum exact_want, or'ed */
    unsigned int slow;  /* blocks not to try with vectors: these are wide */
    struct exact_sums sums;
};

/*
 * Returns an adder of numbers of TYPE, with the highest byte first if
 * IS_SWAPPED; for exact_adder_close().  NULL: out of memory.  WANTS is of enum
 * exact_want, or'ed.
 */
struct exact_adder *exact_adder_new(enum sample_type type, bool is_swapped,
                                    unsigned int wants);

/* Add COUNT numbers: the first is at DATA, the next STRIDE bytes further. */
void exact_adder_add(struct exact_adder *adder, const unsigned char *data,
                     size_t count, size_t stride);

void exact_adder_close(struct exact_adder *adder);

#endif
