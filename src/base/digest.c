/* SPDX-License-Identifier: MIT */
/* digest.c -- hashes that tell data apart, XXH3 of xxHash */

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/digest.h"

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

/* The library aligns its state for vectors. */
static XXH3_state_t *
state_of(struct digest_stream *stream)
{
    return (XXH3_state_t *)(void *)stream;
}

struct digest_stream *
digest_stream_new(void)
{
    XXH3_state_t *state = XXH3_createState();

    if (state != NULL)
        (void)XXH3_64bits_reset(state);
    return (struct digest_stream *)(void *)state;
}

void
digest_stream_start(struct digest_stream *stream)
{
    (void)XXH3_64bits_reset(state_of(stream));
}

void
digest_stream_add(struct digest_stream *stream, const void *data, size_t size)
{
    (void)XXH3_64bits_update(state_of(stream), data, size);
}

uint64_t
digest_stream_value(const struct digest_stream *stream)
{
    return XXH3_64bits_digest((const XXH3_state_t *)(const void *)stream);
}

void
digest_stream_free(struct digest_stream *stream)
{
    (void)XXH3_freeState(state_of(stream));
}
