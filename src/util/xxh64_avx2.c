/* xxh64_avx2.c -- XXH64 with products by AVX2 */

#include <immintrin.h>

/* Per function, not per file: see scan_avx512.c. */
#define TARGET __attribute__((target("avx2")))

#include "util/xxh64_ring.h"

#define HALF_BITS 32
#define VECTOR_WORDS 4

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

TARGET XXH64_INLINE void
multiply(uint64_t *products, const unsigned char *data)
{
    const __m256i *words = (const __m256i *)(const void *)data;

    for (size_t i = 0; i < BLOCK_WORDS / VECTOR_WORDS; i++)
        _mm256_store_si256((__m256i *)(void *)products + i,
                           multiply_words(_mm256_loadu_si256(words + i)));
}

TARGET void
xxh64_avx2(uint64_t *lane, const unsigned char *data, size_t count)
{
    ring_hash(lane, data, count);
}

bool
xxh64_avx2_is_possible(void)
{
    return __builtin_cpu_supports("avx2");
}
