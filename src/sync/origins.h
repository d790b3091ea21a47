/* SPDX-License-Identifier: MIT */
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

#include "sync/wrong_record.h"

/* A chunk with so many should be counted, because they take memory. */
#define ORIGINS_MANY ((size_t)1 << 12)

/* From byte START on, a chunk has the bytes of NAME from byte AT on, where a
   record starts. */
struct origin {
    size_t start;
    char *name; /* of the input; owned */
    uint64_t at;
    /* AT counts from the start of a part, whose own place is unknown. */
    bool is_part;
    size_t synthetic;           /* synthetic bytes before START: see pool.h */
    uint64_t records;           /* of sequences: how many end before AT */
    uint64_t content;           /* see wrong_record_note() */
    struct wrong_record *wrong; /* of the input; held */
};

/* The place of a byte in all inputs. */
struct input_place {
    size_t input; /* its number */
    uint64_t content;
    uint64_t at; /* as in struct origin */
};

/* All 0: none. */
struct origins {
    struct origin *origin; /* COUNT of them, ascending; room for ROOM */
    size_t count;
    size_t room;
};

/*
 * Append ORIGIN with a copy of NAME, because a file in an archive has a name
 * only while it is read.  Without memory, this origin and all later ones are
 * left out.
 */
void origins_add(struct origins *origins, struct origin origin,
                 const char *name);

/* Whether the chunk should be handed over; ORIGINS may be NULL. */
static inline bool
origins_are_many(const struct origins *origins)
{
    return origins != NULL && origins->count >= ORIGINS_MANY;
}

/* Returns the origin of byte AT of the chunk, or NULL: unknown. */
const struct origin *origins_find(const struct origins *origins, size_t at);

/* Set *PLACE to the place of byte AT of the chunk.  Returns false if the origin
   is unknown. */
bool origins_place(const struct origins *origins, size_t at,
                   struct input_place *place);

/* Whether A is before B in the order of the inputs. */
bool input_place_is_before(const struct input_place *a,
                           const struct input_place *b);

/*
 * Byte AT of the chunk is wrong: moves ERROR to the wrong record of its input.
 * Returns 0, or -1: the origin is unknown.
 */
int origins_note_wrong(const struct origins *origins, size_t at,
                       struct error *error);

/* Returns where the next origin, with its synthetic bytes, starts after byte AT
   of a chunk of SIZE bytes; SIZE: no origin follows. */
size_t origins_next(const struct origins *origins, size_t at, size_t size);

/* Remove all. */
void origins_clear(struct origins *origins);

void origins_close(struct origins *origins);

#endif
