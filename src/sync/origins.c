/* origins.c -- where the bytes of a chunk come from, for messages */

#include <stdlib.h>

#include "sync/origins.h"

#define ROOM_MIN 16

/* In a list that is not complete, the last origin has no name. */
static const struct origin unknown = {0};

void
origins_add(struct origins *origins, struct origin origin)
{
    if (origins->count == origins->room) {
        size_t room = 2 * origins->room + ROOM_MIN;
        struct origin *grown = realloc(origins->origin, room * sizeof *grown);
        if (grown == NULL) {
            if (origins->count > 0)
                origins->origin[origins->count - 1] = unknown;
            return;
        }
        origins->origin = grown;
        origins->room = room;
    }
    origins->origin[origins->count++] = origin;
}

const struct origin *
origins_find(const struct origins *origins, size_t at)
{
    for (size_t i = origins->count; i-- > 0;) {
        const struct origin *origin = &origins->origin[i];
        if (origin->begin <= at)
            return origin->name != NULL ? origin : NULL;
    }
    return NULL;
}

void
origins_close(struct origins *origins)
{
    free(origins->origin);
    *origins = (struct origins){0};
}
