/* xxh64_avx512.c -- XXH64 with products by AVX-512 */

#include <immintrin.h>

/* Per function, not per file: see scan_avx512.c. */
#define TARGET __attribute__((target("avx512f,avx512dq")))

#include "util/xxh64_ring.h"

TARGET XXH64_INLINE void
multiply(uint64_t *products, const unsigned char *data)
{
    const __m512i prime = _mm512_set1_epi64((long long)XXH64_PRIME_2);

    _mm512_store_si512(products,
                       _mm512_mullo_epi64(_mm512_loadu_si512(data), prime));
}

TARGET void
xxh64_avx512(uint64_t *lane, const unsigned char *data, size_t count)
{
    ring_hash(lane, data, count);
}

bool
xxh64_avx512_is_possible(void)
{
    return __builtin_cpu_supports("avx512dq");
}
