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

static uint64_t
noise(void)
{
    static uint64_t state = 88172645463325252u;

    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * UINT64_C(2685821657736338717);
}

#endif
