/*
 * xxh64_ring.h -- XXH64 with products that vectors make ahead
 *
 * A file that includes this one defines TARGET, the attribute of its
 * functions, and before that
 *
 *     multiply(products, data)    make the PRODUCTS of the words of the
 *                                 BLOCK_BYTES at DATA
 *
 * Products go through a ring in the first-level cache, so far ahead that they
 * are there when the lanes need them.
 */

#ifndef GPUHIST_XXH64_RING_H
#define GPUHIST_XXH64_RING_H

#include "util/xxh64.h"
#include "util/xxh64_lanes.h"

#define BLOCK_BYTES 64
#define BLOCK_WORDS (BLOCK_BYTES / XXH64_WORD_BYTES)
#define RING_BLOCKS 8
#define RING_AHEAD 4

struct ring {
    _Alignas(BLOCK_BYTES) uint64_t product[RING_BLOCKS][BLOCK_WORDS];
};

TARGET XXH64_INLINE void multiply(uint64_t *products,
                                  const unsigned char *data);

/* Let LANES take block I. */
TARGET XXH64_INLINE void
ring_take(const struct ring *ring, struct xxh64_lanes *lanes, size_t i)
{
    const uint64_t *products = ring->product[i % RING_BLOCKS];

    xxh64_lanes_step(lanes, products);
    xxh64_lanes_step(lanes, products + XXH64_LANES);
}

/* The form for COUNT stripes. */
TARGET XXH64_INLINE void
ring_hash(uint64_t *lane, const unsigned char *data, size_t count)
{
    const size_t blocks = count / 2;
    const size_t begun = blocks < RING_AHEAD ? blocks : RING_AHEAD;
    struct xxh64_lanes lanes = xxh64_lanes_load(lane);
    struct ring ring;
    size_t i = 0;

    for (size_t n = 0; n < begun; n++)
        multiply(ring.product[n], data + n * BLOCK_BYTES);
    for (; i < blocks - begun; i++) {
        const unsigned char *next = data + (i + RING_AHEAD) * BLOCK_BYTES;
        __builtin_prefetch(next + XXH64_ASKED_BYTES);
        multiply(ring.product[(i + RING_AHEAD) % RING_BLOCKS], next);
        ring_take(&ring, &lanes, i);
    }
    for (; i < blocks; i++)
        ring_take(&ring, &lanes, i);
    xxh64_lanes_store(&lanes, lane);
    xxh64_portable(lane, data + blocks * BLOCK_BYTES, count % 2);
}

#endif
