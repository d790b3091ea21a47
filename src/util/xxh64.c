/* xxh64.c -- the hash XXH64, as zstd uses it */

#include <assert.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "util/xxh64.h"

static_assert(sizeof(XXH64_state_t) <= sizeof(struct xxh64),
              "a state of xxHash has room");

static XXH64_state_t *
state_of(struct xxh64 *hash)
{
    return (XXH64_state_t *)(void *)hash->state;
}

void
xxh64_begin(struct xxh64 *hash)
{
    (void)XXH64_reset(state_of(hash), 0);
}

void
xxh64_add(struct xxh64 *hash, const unsigned char *data, size_t size)
{
    (void)XXH64_update(state_of(hash), data, size);
}

uint64_t
xxh64_end(const struct xxh64 *hash)
{
    return XXH64_digest((const XXH64_state_t *)(const void *)hash->state);
}
