/* SPDX-License-Identifier: MIT */
/*
 * gen_random.h -- random words
 *
 * The generator is xoshiro256++ 1.0: D. Blackman and S. Vigna, "Scrambled
 * linear pseudorandom number generators", ACM Transactions on Mathematical
 * Software 47 (2021); <https://prng.di.unimi.it/>.  SplitMix64 fills its state,
 * as the authors of xoshiro advise: G. L. Steele, D. Lea and C. H. Flood, "Fast
 * splittable pseudorandom number generators", OOPSLA 2014.
 */

#ifndef GPUHIST_GEN_RANDOM_H
#define GPUHIST_GEN_RANDOM_H

#include <stdint.h>

#include "base/wide_integer.h"

struct gen_random {
    uint64_t state[4];
};

/* Set the state of RANDOM from SEED. */
void gen_random_seed(struct gen_random *random, uint64_t seed);

static inline uint64_t
gen_random_rotate(uint64_t word, int bits)
{
    return word << bits | word >> (64 - bits);
}

/* 64 random bits. */
static inline uint64_t
gen_random_word(struct gen_random *random)
{
    uint64_t *s = random->state;
    uint64_t word = gen_random_rotate(s[0] + s[3], 23) + s[0];
    uint64_t shifted = s[1] << 17;

    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = gen_random_rotate(s[3], 45);
    return word;
}

/* A random multiple of 2^-53 in [0, 1); all are equally likely. */
static inline double
gen_random_unit(struct gen_random *random)
{
    return (double)(gen_random_word(random) >> 11) * 0x1p-53;
}

/*
 * Returns the high half of the product of *WORD and BELOW, which is a random
 * number below BELOW if *WORD is random; *WORD becomes the low half.
 */
static inline uint64_t
gen_random_multiply(uint64_t *word, uint64_t below)
{
    struct wide product = wide_product(*word, below);

    *word = product.low;
    return product.high;
}

/*
 * Write COUNT random integers from 0 to BELOW - 1 to INTEGER; all are exactly
 * equally likely.  BELOW is not 0.  INTEGER needs space for 7 more, which may
 * be overwritten.  One random word gives several integers: N. Brackett-Rozinsky
 * and D. Lemire, "Batched ranged random integer generation", Software: Practice
 * and Experience 55 (2025).
 */
void gen_random_integers(struct gen_random *random, uint64_t below,
                         uint64_t *integer, uint64_t count);

#endif
