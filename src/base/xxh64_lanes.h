/*
 * xxh64_lanes.h -- the four lanes of XXH64, for its forms
 *
 * A step of a lane takes 5 cycles, and a word two products.  With both by one
 * multiplier, four lanes take 8 cycles; with those that do not depend on the
 * lanes by vectors, 5 are possible.
 */

#ifndef GPUHIST_XXH64_LANES_H
#define GPUHIST_XXH64_LANES_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/zstd/xxh64_step.h"

/* What is asked for ahead of the words.  The hash waits for what a device has
   written to memory (bench/NOTES.md). */
#define XXH64_ASKED_BYTES ((size_t)4096)

#define XXH64_INLINE static inline __attribute__((always_inline))

/* Ask for what is so far behind DATA, where nothing need be. */
XXH64_INLINE void
xxh64_ask(const unsigned char *data)
{
    __builtin_prefetch((const void *)((uintptr_t)data + XXH64_ASKED_BYTES));
}

struct xxh64_lanes {
    uint64_t a;
    uint64_t b;
    uint64_t c;
    uint64_t d;
};

XXH64_INLINE struct xxh64_lanes
xxh64_lanes_load(const uint64_t *lane)
{
    return (struct xxh64_lanes){lane[0], lane[1], lane[2], lane[3]};
}

XXH64_INLINE void
xxh64_lanes_store(const struct xxh64_lanes *lanes, uint64_t *lane)
{
    lane[0] = lanes->a;
    lane[1] = lanes->b;
    lane[2] = lanes->c;
    lane[3] = lanes->d;
}

/* Let LANE take a word with PRODUCT, before NEXT does.  Compilers would have
   all lanes do the same at a time: with vectors, which takes several times as
   long, or so that on Zen 3 rotations wait for products. */
XXH64_INLINE void
xxh64_lanes_step_one(uint64_t *lane, uint64_t *next, uint64_t product)
{
    *lane = xxh64_step(*lane, product);
    __asm__("" : "+r"(*lane), "+r"(*next));
}

/* Let each lane take its word of the PRODUCTS. */
XXH64_INLINE void
xxh64_lanes_step(struct xxh64_lanes *lanes, const uint64_t *products)
{
    xxh64_lanes_step_one(&lanes->a, &lanes->b, products[0]);
    xxh64_lanes_step_one(&lanes->b, &lanes->c, products[1]);
    xxh64_lanes_step_one(&lanes->c, &lanes->d, products[2]);
    xxh64_lanes_step_one(&lanes->d, &lanes->a, products[3]);
}

#endif
