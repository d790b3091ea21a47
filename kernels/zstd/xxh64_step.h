/* SPDX-License-Identifier: MIT */
/*
 * xxh64_step.h -- XXH64 of xxHash: the only definition
 *
 * This file is written in the common subset of C11 and CUDA C++.
 *
 * Words of 8 bytes, little-endian, are of four lanes in turn.  A lane is a
 * serial chain, which limits the hash; but the product of a word does not
 * depend on the lane.
 */

#ifndef GPUHIST_XXH64_STEP_H
#define GPUHIST_XXH64_STEP_H

#include "kernels/binning/binning.h"

#define XXH64_LANES 4
#define XXH64_WORD_BYTES 8
#define XXH64_STRIPE_BYTES 32 /* a word of each lane */

#define XXH64_PRIME_1 0x9e3779b185ebca87u
#define XXH64_PRIME_2 0xc2b2ae3d27d4eb4fu
#define XXH64_PRIME_3 0x165667b19e3779f9u
#define XXH64_PRIME_4 0x85ebca77c2b2ae63u
#define XXH64_PRIME_5 0x27d4eb2f165667c5u

DEVICE_FN binning_u64
xxh64_rotate(binning_u64 word, unsigned int bits)
{
    return word << bits | word >> (64 - bits);
}

/* LANE, 0 to 3, before the first word, with the seed 0; a seed is added. */
DEVICE_FN binning_u64
xxh64_lane(unsigned int lane)
{
    const binning_u64 first = (binning_u64)XXH64_PRIME_2;

    return lane == 0   ? first + XXH64_PRIME_1
           : lane == 1 ? first
           : lane == 2 ? 0
                       : 0 - (binning_u64)XXH64_PRIME_1;
}

/* The addend of WORD. */
DEVICE_FN binning_u64
xxh64_product(binning_u64 word)
{
    return word * XXH64_PRIME_2;
}

/* LANE after a word with PRODUCT. */
DEVICE_FN binning_u64
xxh64_step(binning_u64 lane, binning_u64 product)
{
    return xxh64_rotate(lane + product, 31) * XXH64_PRIME_1;
}

DEVICE_FN binning_u64
xxh64_merge(binning_u64 hash, binning_u64 lane)
{
    return (hash ^ xxh64_step(0, xxh64_product(lane))) * XXH64_PRIME_1 +
           XXH64_PRIME_4;
}

/* The hash of the four lanes. */
DEVICE_FN binning_u64
xxh64_join(binning_u64 a, binning_u64 b, binning_u64 c, binning_u64 d)
{
    binning_u64 hash = xxh64_rotate(a, 1) + xxh64_rotate(b, 7) +
                       xxh64_rotate(c, 12) + xxh64_rotate(d, 18);

    return xxh64_merge(xxh64_merge(xxh64_merge(xxh64_merge(hash, a), b), c), d);
}

/* The number in the BYTES at AT, up to 8. */
DEVICE_FN binning_u64
xxh64_word(const unsigned char *at, unsigned int bytes)
{
    binning_u64 word = 0;

    for (unsigned int i = 0; i < bytes; i++)
        word |= (binning_u64)at[i] << (8 * i);
    return word;
}

/*
 * The hash of BYTES.  HASH is the hash of the lanes or, if BYTES has no stripe,
 * the seed and XXH64_PRIME_5.  The last bytes, less than a stripe, are at TAIL.
 */
DEVICE_FN binning_u64
xxh64_finish_from(binning_u64 hash, binning_u64 bytes,
                  const unsigned char *tail)
{
    unsigned int left = (unsigned int)(bytes % XXH64_STRIPE_BYTES);

    hash += bytes;
    for (; left >= 8; left -= 8, tail += 8) {
        hash ^= xxh64_step(0, xxh64_product(xxh64_word(tail, 8)));
        hash = xxh64_rotate(hash, 27) * XXH64_PRIME_1 + XXH64_PRIME_4;
    }
    for (; left >= 4; left -= 4, tail += 4) {
        hash ^= xxh64_word(tail, 4) * XXH64_PRIME_1;
        hash = xxh64_rotate(hash, 23) * XXH64_PRIME_2 + XXH64_PRIME_3;
    }
    for (; left > 0; left--, tail++)
        hash = xxh64_rotate(hash ^ *tail * XXH64_PRIME_5, 11) * XXH64_PRIME_1;
    hash = (hash ^ hash >> 33) * XXH64_PRIME_2;
    hash = (hash ^ hash >> 29) * XXH64_PRIME_3;
    return hash ^ hash >> 32;
}

/* As xxh64_finish_from(), with the seed 0; without a stripe HASH is not looked
   at. */
DEVICE_FN binning_u64
xxh64_finish(binning_u64 hash, binning_u64 bytes, const unsigned char *tail)
{
    if (bytes < XXH64_STRIPE_BYTES)
        hash = (binning_u64)XXH64_PRIME_5;
    return xxh64_finish_from(hash, bytes, tail);
}

#endif
