/*
 * zstd_places.h -- memory for the content of a zstd frame, which may be lent
 *
 * The owner fills one place after the other, and lends content where it lies
 * (lease.h).  A place is free if it has no leases.  Nobody waits for the end of
 * a lease: while a place is lent, there is another one that is free.  Leases
 * may outlast the owner: the last one of a place releases its memory.  That is
 * not reserved any more: a thread that waits for memory may have to fill other
 * chunks before a device gives this one back.
 */

#ifndef GPUHIST_ZSTD_PLACES_H
#define GPUHIST_ZSTD_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sync/lease.h"

enum {
    ZSTD_PLACES_MAX = 6
};

struct zstd_places; /* opaque */

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

/* The owner uses PLACES, which may be NULL, no more.  Leases stay. */
void zstd_places_close(struct zstd_places *places);

#endif
