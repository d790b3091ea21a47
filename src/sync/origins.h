/*
 * origins.h -- where the bytes of a chunk come from, for messages
 *
 * A chunk may have bytes of several inputs, and of several places of one.
 */

#ifndef GPUHIST_ORIGINS_H
#define GPUHIST_ORIGINS_H

#include <stddef.h>
#include <stdint.h>

#define ORIGIN_UNKNOWN UINT64_MAX

/* From byte BEGIN on, a chunk has what NAME has from byte AT on, or from
   ORIGIN_UNKNOWN on. */
struct origin {
    size_t begin;
    const char *name; /* of the input; not owned */
    uint64_t at;
};

/* All 0: none. */
struct origins {
    struct origin *origin; /* COUNT of them, ascending; room for ROOM */
    size_t count;
    size_t room;
};

/* Append ORIGIN.  Without memory it is left out, and so are later ones. */
void origins_add(struct origins *origins, struct origin origin);

/* Returns the origin of byte AT of the chunk, or NULL: it is not known. */
const struct origin *origins_find(const struct origins *origins, size_t at);

/* Remove all. */
static inline void
origins_clear(struct origins *origins)
{
    origins->count = 0;
}

void origins_close(struct origins *origins);

#endif
