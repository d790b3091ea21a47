/*
 * lease.h -- memory that is lent to a chunk, until the chunk is EMPTY again
 *
 * A decoder may have the next content in memory that it shares with a device.
 * It lends this memory instead of copying it.  The holder of the lease may read
 * the bytes, and ends the lease exactly once.
 */

#ifndef GPUHIST_LEASE_H
#define GPUHIST_LEASE_H

#include <stddef.h>

/* What a lender has room for in front of the first byte that it lends. */
#define LEASE_FRONT_BYTES ((size_t)64 << 10)

/* All 0: nothing is lent. */
struct lease {
    unsigned char *data; /* the first byte */
    size_t bytes;

    /* Of the lender, which outlives its leases. */
    void (*end)(void *lender, unsigned int place);
    void *lender;
    unsigned int place;
};

/* End LEASE, if anything is lent. */
static inline void
lease_end(struct lease *lease)
{
    if (lease->end != NULL)
        lease->end(lease->lender, lease->place);
    *lease = (struct lease){.data = NULL};
}

#endif
