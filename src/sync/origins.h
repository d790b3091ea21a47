/*
 * origins.h -- where the bytes of a chunk come from, for messages
 *
 * A chunk may have bytes of several inputs, and of several places of one.
 */

#ifndef GPUHIST_ORIGINS_H
#define GPUHIST_ORIGINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ORIGIN_UNKNOWN UINT64_MAX

/* A chunk with so many should be counted, because they take memory. */
#define ORIGINS_MANY ((size_t)1 << 12)

/* From byte BEGIN on, a chunk has what NAME has from byte AT on, or from
   ORIGIN_UNKNOWN on. */
struct origin {
    size_t begin;
    char *name; /* of the input; owned */
    uint64_t at;
};

/* All 0: none. */
struct origins {
    struct origin *origin; /* COUNT of them, ascending; room for ROOM */
    size_t count;
    size_t room;
};

/*
 * Append an origin with a copy of NAME, because a file in an archive has a name
 * only while it is read.  Without memory it is left out, and so are later ones.
 */
void origins_add(struct origins *origins, size_t begin, const char *name,
                 uint64_t at);

/* Whether the chunk should be handed over; ORIGINS may be NULL. */
static inline bool
origins_are_many(const struct origins *origins)
{
    return origins != NULL && origins->count >= ORIGINS_MANY;
}

/* Returns the origin of byte AT of the chunk, or NULL: it is not known. */
const struct origin *origins_find(const struct origins *origins, size_t at);

/* Remove all. */
void origins_clear(struct origins *origins);

void origins_close(struct origins *origins);

#endif
