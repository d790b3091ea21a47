/* SPDX-License-Identifier: MIT */
/*
 * lease.h -- memory that is leased to a chunk until the chunk is EMPTY again
 *
 * A decoder may have the next content in memory that a device or other threads
 * have filled.  The decoder leases this memory instead of copying the bytes.
 * The holder of the lease may read the bytes, and ends the lease exactly once.
 */

#ifndef GPUHIST_LEASE_H
#define GPUHIST_LEASE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "kernels/seq/sequence_sketch.h"

/* The room of an owner before the first byte of a lease. */
#define LEASE_FRONT_BYTES ((size_t)64 << 10)

/* All 0: nothing is leased. */
struct lease {
    unsigned char *data; /* the first byte */
    size_t bytes;

    /* Of the owner, which outlives its leases. */
    void (*end)(void *owner, unsigned int slot);
    void *owner;
    unsigned int slot;

    /* For an engine: the device of the owner may have the bytes, too.  NULL:
       no device has them. */
    void *token;

    /* Of spans of the content; the last ones may reach beyond BYTES.  The
       sketches are there until the lease ends. */
    struct sequence_sketches sketches;
};

/*
 * Whether the SIZE bytes at FRONT can stand before DATA.  The INSIDE bytes of
 * content before DATA may be in use, so they must equal the end of FRONT.
 */
static inline bool
lease_front_fits(const unsigned char *data, size_t inside,
                 const unsigned char *front, size_t size)
{
    size_t same = inside < size ? inside : size;

    return size <= LEASE_FRONT_BYTES &&
           (same == 0 || memcmp(data - same, front + size - same, same) == 0);
}

/* Copy the bytes of FRONT that are not there yet before DATA.  FRONT fits. */
static inline void
lease_put_front(unsigned char *data, size_t inside, const unsigned char *front,
                size_t size)
{
    if (inside < size)
        memcpy(data - size, front, size - inside);
}

/* End LEASE, if anything is leased. */
static inline void
lease_end(struct lease *lease)
{
    if (lease->end != NULL)
        lease->end(lease->owner, lease->slot);
    *lease = (struct lease){.data = NULL};
}

#endif
