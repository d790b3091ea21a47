/*
 * gen_random.h -- random words
 *
 * xoshiro256++ 1.0: D. Blackman and S. Vigna, "Scrambled linear pseudorandom
 * number generators", ACM Transactions on Mathematical Software 47 (2021);
 * <https://prng.di.unimi.it/>.  Its state is filled by SplitMix64: G. L.
 * Steele, D. Lea and C. H. Flood, "Fast splittable pseudorandom number
 * generators", OOPSLA 2014, as the authors of xoshiro advise.
 */

#ifndef GPUHIST_GEN_RANDOM_H
#define GPUHIST_GEN_RANDOM_H

#include <stdint.h>

__extension__ typedef unsigned __int128 gen_random_wide;

struct gen_random {
    uint64_t state[4];
};

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

/* A multiple of 2^-53 in [0, 1), each as likely as the other. */
static inline double
gen_random_unit(struct gen_random *random)
{
    return (double)(gen_random_word(random) >> 11) * 0x1p-53;
}

/* The high half of *WORD times BELOW; *WORD becomes the low half. */
static inline uint64_t
gen_random_multiply(uint64_t *word, uint64_t below)
{
    gen_random_wide product = (gen_random_wide)*word * below;

    *word = (uint64_t)product;
    return (uint64_t)(product >> 64);
}

/*
 * COUNT whole numbers from 0 to BELOW - 1, each exactly as likely as the
 * other; BELOW is not 0.  Up to 7 more are written behind them.  Several come
 * from one word: N. Brackett-Rozinsky and D. Lemire, "Batched ranged random
 * integer generation", Software: Practice and Experience 55 (2025).
 */
void gen_random_integers(struct gen_random *random, uint64_t below,
                         uint64_t *integer, uint64_t count);

#endif
