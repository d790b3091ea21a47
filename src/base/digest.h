/* SPDX-License-Identifier: MIT */
/* digest.h -- hashes that tell data apart, XXH3 of xxHash */

#ifndef GPUHIST_DIGEST_H
#define GPUHIST_DIGEST_H

#include <stddef.h>
#include <stdint.h>

struct digest {
    uint64_t low;
    uint64_t high;
};

/*
 * Returns the digest of the SIZE bytes at DATA.  The digest depends on SEED,
 * but not on the processor.
 */
struct digest digest_of(const void *data, size_t size, uint64_t seed);

/* Add DIGEST to SUM: a sum does not depend on the order. */
static inline void
digest_add(struct digest *sum, struct digest digest)
{
    sum->low += digest.low;
    sum->high += digest.high;
}

/* ---- of bytes that come piece by piece: XXH3 of 64 bits ---- */

struct digest_stream;

/* Returns a stream without bytes, for digest_stream_free(); NULL: no memory. */
struct digest_stream *digest_stream_new(void);

/* Forget all bytes. */
void digest_stream_start(struct digest_stream *stream);

void digest_stream_add(struct digest_stream *stream, const void *data,
                       size_t size);

/* Returns the hash of all bytes so far, which depends on these bytes alone. */
uint64_t digest_stream_value(const struct digest_stream *stream);

void digest_stream_free(struct digest_stream *stream);

/* ---- the form for AVX2, for digest.c ---- */

#ifdef DIGEST_HAS_AVX2
/* As digest_of(), at twice the speed: sets *HIGH and returns the low word. */
uint64_t digest_of_avx2(const void *data, size_t size, uint64_t seed,
                        uint64_t *high);

#endif

#endif
