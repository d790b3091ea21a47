/* SPDX-License-Identifier: MIT */
/*
 * xxh.h -- the hashes XXH32, of lz4, and XXH64, of zstd
 *
 * Both hash bytes that arrive in pieces, with the seed 0 unless a function
 * takes another one.  A hash has four lanes, each a chain of additions,
 * rotations and products: no later part of the data can be hashed before an
 * earlier one.
 */

#ifndef GPUHIST_XXH_H
#define GPUHIST_XXH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/zstd/xxh64_step.h"

/* ---- XXH32 ---- */

enum {
    XXH32_STRIPE_BYTES = 16
};

struct xxh32 {
    uint32_t lane[4];
    uint64_t bytes;                         /* hashed */
    unsigned char tail[XXH32_STRIPE_BYTES]; /* BYTES % 16 of them */
};

/* Start with a seed of 0. */
void xxh32_start(struct xxh32 *hash);

/* Hash the SIZE bytes at DATA. */
void xxh32_add(struct xxh32 *hash, const unsigned char *data, size_t size);

/* Returns the hash of all bytes so far. */
uint32_t xxh32_end(const struct xxh32 *hash);

/* Returns the hash of the SIZE bytes at DATA. */
uint32_t xxh32_of(const unsigned char *data, size_t size);

/* ---- XXH64 ---- */

struct xxh64 {
    uint64_t lane[XXH64_LANES];
    uint64_t bytes;
    unsigned char tail[XXH64_STRIPE_BYTES]; /* BYTES % XXH64_STRIPE_BYTES */
};

/* Start with no bytes. */
void xxh64_start(struct xxh64 *hash);

/* Add the SIZE bytes at DATA. */
void xxh64_add(struct xxh64 *hash, const unsigned char *data, size_t size);

/* Returns the hash of all bytes so far. */
uint64_t xxh64_end(const struct xxh64 *hash);

/* Returns the hash of the SIZE bytes at DATA with SEED. */
uint64_t xxh64_of(const unsigned char *data, size_t size, uint64_t seed);

/* ---- forms of XXH64, for xxh.c and for tests ---- */

/* Let the XXH64_LANES at LANE take the COUNT stripes at DATA, or all but the
   last stripe.  Returns the number of stripes taken. */
typedef size_t xxh64_form(uint64_t *lane, const unsigned char *data,
                          size_t count);

xxh64_form xxh64_portable;

#ifdef XXH64_HAS_AVX2
bool xxh64_avx2_is_possible(void);
xxh64_form xxh64_avx2;
#endif

/*
 * The four lanes, for the forms.  A step of a lane takes 5 cycles, and a word
 * two products.  If one multiplier makes both products, four lanes take 8
 * cycles.  If vectors make the products that do not depend on the lanes, 5
 * cycles are possible.
 */

/* The distance of prefetching.  The hash waits for data that a device has
   written to memory (bench/NOTES.md). */
#define XXH64_ASKED_BYTES ((size_t)4096)

#define XXH64_INLINE static inline __attribute__((always_inline))

/* Prefetch data XXH64_ASKED_BYTES after DATA; the data may end before. */
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

/* Let LANE take a word with PRODUCT, before NEXT does.  Without the barrier,
   compilers let all lanes take the same step at a time: with vectors, which
   take several times as long, or so that on Zen 3 rotations wait for products.
 */
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
