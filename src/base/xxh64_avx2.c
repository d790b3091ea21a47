/* SPDX-License-Identifier: MIT */
/*
 * xxh64_avx2.c -- XXH64 with products that vectors make ahead
 *
 * Products go through a ring in the first-level cache, far enough ahead to be
 * ready when the lanes need them.
 */

#include <immintrin.h>

/* Per function, not per file: see scan_avx512.c. */
#define TARGET __attribute__((target("avx2")))

#include "base/xxh.h"

#define BLOCK_BYTES 64
#define BLOCK_WORDS (BLOCK_BYTES / XXH64_WORD_BYTES)
#define RING_BLOCKS 8
#define RING_AHEAD 4

#define HALF_BITS 32
#define VECTOR_WORDS 4

struct product_ring {
    _Alignas(BLOCK_BYTES) uint64_t product[RING_BLOCKS][BLOCK_WORDS];
};

/* AVX2 multiplies 32 bits by 32 bits only. */
TARGET XXH64_INLINE __m256i
multiply_words(__m256i words)
{
    const __m256i low = _mm256_set1_epi64x((long long)XXH64_PRIME_2);
    const __m256i high =
        _mm256_set1_epi64x((long long)(XXH64_PRIME_2 >> HALF_BITS));
    __m256i crossed = _mm256_add_epi64(
        _mm256_mul_epu32(words, high),
        _mm256_mul_epu32(_mm256_srli_epi64(words, HALF_BITS), low));

    return _mm256_add_epi64(_mm256_mul_epu32(words, low),
                            _mm256_slli_epi64(crossed, HALF_BITS));
}

/* Make the PRODUCTS of the words of the BLOCK_BYTES at DATA. */
TARGET XXH64_INLINE void
multiply(uint64_t *products, const unsigned char *data)
{
    const __m256i *words = (const __m256i *)(const void *)data;

    for (size_t i = 0; i < BLOCK_WORDS / VECTOR_WORDS; i++)
        _mm256_store_si256((__m256i *)(void *)products + i,
                           multiply_words(_mm256_loadu_si256(words + i)));
}

/* Let LANES take block I. */
TARGET XXH64_INLINE void
ring_take(const struct product_ring *ring, struct xxh64_lanes *lanes, size_t i)
{
    const uint64_t *products = ring->product[i % RING_BLOCKS];

    xxh64_lanes_step(lanes, products);
    xxh64_lanes_step(lanes, products + XXH64_LANES);
}

TARGET size_t
xxh64_avx2(uint64_t *lane, const unsigned char *data, size_t count)
{
    const size_t blocks = count / 2;
    const size_t ahead = blocks < RING_AHEAD ? blocks : RING_AHEAD;
    struct xxh64_lanes lanes = xxh64_lanes_load(lane);
    struct product_ring ring;
    size_t i = 0;

    for (size_t n = 0; n < ahead; n++)
        multiply(ring.product[n], data + n * BLOCK_BYTES);
    for (; i < blocks - ahead; i++) {
        const unsigned char *next = data + (i + RING_AHEAD) * BLOCK_BYTES;
        xxh64_ask(next);
        multiply(ring.product[(i + RING_AHEAD) % RING_BLOCKS], next);
        ring_take(&ring, &lanes, i);
    }
    for (; i < blocks; i++)
        ring_take(&ring, &lanes, i);
    xxh64_lanes_store(&lanes, lane);
    return blocks * (BLOCK_BYTES / XXH64_STRIPE_BYTES);
}

bool
xxh64_avx2_is_possible(void)
{
    return __builtin_cpu_supports("avx2");
}
