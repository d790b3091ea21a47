/* digest.c -- a hash of 128 bits that tells data apart, XXH3 of xxHash */

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "util/digest.h"
#include "util/digest_avx2.h"

struct digest
digest_of(const void *data, size_t size, uint64_t seed)
{
#ifdef DIGEST_HAS_AVX2
    if (__builtin_cpu_supports("avx2")) {
        struct digest digest;
        digest.low = digest_of_avx2(data, size, seed, &digest.high);
        return digest;
    }
#endif
    XXH128_hash_t hash = XXH3_128bits_withSeed(data, size, seed);

    return (struct digest){hash.low64, hash.high64};
}
