/*
 * zstd_places.h -- memory for the content of a zstd frame, which may be lent
 *
 * The owner fills one place after the other, and lends content where it lies
 * (lease.h).  A place is free if it has no leases.  Leases may outlast the
 * owner: the last one of them releases the memory.  Nobody waits for the end of
 * a lease: while a place is lent, there is another one that is free.
 */

#ifndef GPUHIST_ZSTD_PLACES_H
#define GPUHIST_ZSTD_PLACES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sync/budget.h"
#include "sync/lease.h"

enum {
    ZSTD_PLACES_MAX = 6
};

struct zstd_places {
    /* Memory that was reserved for them: it is given back with the last lease.
       Set by the owner. */
    struct budget_loan loan;

    /* Private. */
    unsigned int count;
    unsigned char *memory[ZSTD_PLACES_MAX]; /* with a front */
    atomic_uint leases[ZSTD_PLACES_MAX];
    atomic_uint users; /* the owner, and all leases */
};

/* Returns the memory of a place that has room for ROOM bytes. */
uint64_t zstd_places_bytes(uint64_t room);

/* Returns COUNT places, 1 to ZSTD_PLACES_MAX, each with room for ROOM bytes; or
   NULL: out of memory. */
struct zstd_places *zstd_places_open(size_t room, unsigned int count);

/* Returns PLACE, with LEASE_FRONT_BYTES in front of it. */
unsigned char *zstd_places_at(const struct zstd_places *places,
                              unsigned int place);

/* Returns a free place other than PLACE; or PLACE, if there is none. */
unsigned int zstd_places_next(const struct zstd_places *places,
                              unsigned int place);

/*
 * Begin a lease of PLACE, the one being filled, unless no other is free.
 * Returns whether that is so; then *LEASE lacks only DATA and BYTES.
 */
bool zstd_places_lend(struct zstd_places *places, unsigned int place,
                      struct lease *lease);

/* The owner uses PLACES, which may be NULL, no more. */
void zstd_places_close(struct zstd_places *places);

#endif
