/* SPDX-License-Identifier: MIT */
/*
 * decimal_sum.h -- exact sums of decimals
 *
 * An addend has at most 38 digits before the decimal point and 38 after it,
 * without zeros at its ends.  A sum is in fixed point: a multiple of 10^-38, an
 * integer of 320 bits in two's complement.  2^63 addends cannot overflow a sum,
 * so no partial sum does, in any order of addition.
 */

#ifndef GPUHIST_DECIMAL_SUM_H
#define GPUHIST_DECIMAL_SUM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/wide_integer.h"
#include "kernels/text/text_number.h"

/* The digits of an addend before its decimal point, and after it. */
#define DECIMAL_SUM_PLACES 38

#define DECIMAL_SUM_WORDS 5
#define DECIMAL_SUM_BYTES (DECIMAL_SUM_WORDS * sizeof(uint64_t))

/* All 0: no addends.  It may be copied to and from any address as bytes. */
struct decimal_sum {
    uint64_t word[DECIMAL_SUM_WORDS]; /* the lowest one first */
};

/* Room for the text of any sum and a NUL. */
#define DECIMAL_SUM_TEXT_BYTES 104

/* Add MORE to SUM. */
static inline void
decimal_sum_add(struct decimal_sum *sum, const struct decimal_sum *more)
{
    uint64_t carry = 0;

    for (int w = 0; w < DECIMAL_SUM_WORDS; w++) {
        uint64_t word = sum->word[w] + carry;
        carry = word < carry;
        sum->word[w] = word + more->word[w];
        carry += sum->word[w] < word;
    }
}

static inline bool
decimal_sum_is_negative(const struct decimal_sum *sum)
{
    return sum->word[DECIMAL_SUM_WORDS - 1] >> 63 != 0;
}

struct decimal_sum decimal_sum_negate(const struct decimal_sum *sum);

/* Returns less than 0, 0, or more, as A is less than, equal to, or more. */
int decimal_sum_compare(const struct decimal_sum *a,
                        const struct decimal_sum *b);

/*
 * Set *SUM to NUMBER, which was found in TEXT.  Returns 0, or -1: NUMBER is not
 * finite, or has too many digits for an addend.
 */
int decimal_sum_read(struct decimal_sum *sum, const struct text_number *number,
                     const unsigned char *text);

/*
 * Write SUM at AT, exactly: "-12.5", without an exponent and without zeros at
 * the end of a fraction.  Returns the end of the text.
 */
char *decimal_sum_put(const struct decimal_sum *sum, char *at);

/* Returns the double nearest to SUM, ties to even; never -0. */
double decimal_sum_double(const struct decimal_sum *sum);

/* Returns SUM, of one addend, COUNT times. */
struct decimal_sum decimal_sum_multiply(const struct decimal_sum *sum,
                                        uint64_t count);

/* Returns SUM * 10^PLACES, which must be a sum. */
struct decimal_sum decimal_sum_scale(const struct decimal_sum *sum,
                                     unsigned int places);

/* Returns SUM * PART / WHOLE, rounded down.  SUM is not negative, and PART is
   not above WHOLE, which is below 2^63 and not 0. */
struct decimal_sum decimal_sum_part(const struct decimal_sum *sum,
                                    uint64_t part, uint64_t whole);

/* Returns VALUE, which is in [-2^64, 2^64), as a sum. */
struct decimal_sum decimal_sum_of_integer(struct wide value);

/* Set *SUM to the shortest text of VALUE (number.h), as a number.  Returns 0,
   or -1: the number is not an addend. */
int decimal_sum_of_double(double value, struct decimal_sum *sum);

/* ---- short addends ---- */

/* Most addends are short multiples of 10^-9: a nano is such an addend. */
#define DECIMAL_NANO_PLACES 9

/* The greatest magnitude of a nano.  Two of them may be added, and the integers
   below -DECIMAL_NANO_MOST are free for other uses. */
#define DECIMAL_NANO_MOST (((int64_t)1 << 62) - 1)

static inline bool
decimal_is_nano(int64_t value)
{
    return value >= -DECIMAL_NANO_MOST && value <= DECIMAL_NANO_MOST;
}

/*
 * Set *NANO to NUMBER in units of 10^-9.  Returns whether NUMBER is a nano;
 * decimal_sum_read() may read other numbers.
 */
bool decimal_nano_read(int64_t *nano, const struct text_number *number);

/* Returns NANO, in units of 10^-9, as a sum. */
struct decimal_sum decimal_sum_of_nano(int64_t nano);

/* Set *NANO to SUM in units of 10^-9.  Returns whether SUM is a nano. */
bool decimal_sum_nano(const struct decimal_sum *sum, int64_t *nano);

#endif
