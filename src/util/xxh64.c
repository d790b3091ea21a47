/* xxh64.c -- the hash XXH64, as zstd uses it */

#include <assert.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "util/xxh64.h"

/*
 * The hash waits for the bytes that a device has written to memory: what comes
 * so far ahead is asked for, piece by piece, and it is half as fast again.
 */
#define AHEAD_BYTES ((size_t)4096)
#define PIECE_BYTES ((size_t)512)
#define LINE_BYTES ((size_t)64)

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
    for (size_t at = 0; at < size; at += PIECE_BYTES) {
        size_t left = size - at;
        for (size_t i = AHEAD_BYTES; i < AHEAD_BYTES + PIECE_BYTES && i < left;
             i += LINE_BYTES)
            __builtin_prefetch(data + at + i);
        (void)XXH64_update(state_of(hash), data + at,
                           left < PIECE_BYTES ? left : PIECE_BYTES);
    }
}

uint64_t
xxh64_end(const struct xxh64 *hash)
{
    return XXH64_digest((const XXH64_state_t *)(const void *)hash->state);
}
