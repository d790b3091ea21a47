/* digest.h -- a hash of 128 bits that tells data apart, XXH3 of xxHash */

#ifndef GPUHIST_DIGEST_H
#define GPUHIST_DIGEST_H

#include <stddef.h>
#include <stdint.h>

struct digest {
    uint64_t low;
    uint64_t high;
};

/*
 * Returns the digest of the SIZE bytes at DATA.  It depends on SEED, but not on
 * the processor.
 */
struct digest digest_of(const void *data, size_t size, uint64_t seed);

/* Add DIGEST to SUM: a sum does not depend on the order. */
static inline void
digest_add(struct digest *sum, struct digest digest)
{
    sum->low += digest.low;
    sum->high += digest.high;
}

#endif
