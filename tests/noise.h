/* SPDX-License-Identifier: MIT */
/*
 * noise.h -- random words for unit tests and benchmarks, the same in each run
 *
 * xorshift64*: S. Vigna, "An experimental exploration of Marsaglia's xorshift
 * generators, scrambled", ACM Transactions on Mathematical Software 42 (2016).
 */

#ifndef GPUHIST_NOISE_H
#define GPUHIST_NOISE_H

#include <stdint.h>

static uint64_t noise_state = 88172645463325252u;

static uint64_t
noise(void)
{
    noise_state ^= noise_state << 13;
    noise_state ^= noise_state >> 7;
    noise_state ^= noise_state << 17;
    return noise_state * UINT64_C(2685821657736338717);
}

/*
 * Go on elsewhere, as SEED and ROUND say.  Words that only are so many calls
 * later are no others: what takes more or less of them in each round soon has
 * the rounds of the other seed.  The mix is splitmix64's, of the same author.
 */
static inline void
noise_start(uint32_t seed, uint32_t round)
{
    uint64_t mix = (uint64_t)seed << 32 | round;

    mix += UINT64_C(0x9e3779b97f4a7c15);
    mix = (mix ^ mix >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    mix = (mix ^ mix >> 27) * UINT64_C(0x94d049bb133111eb);
    mix ^= mix >> 31;
    noise_state = mix != 0 ? mix : 1;
}

#endif
