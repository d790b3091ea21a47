/* SPDX-License-Identifier: MIT */
/* origins.c -- where the bytes of a chunk come from, for messages */

#include <stdlib.h>
#include <string.h>

#include "sync/origins.h"

#define ROOM_MIN 16

/* Make room for one more origin.  Returns 0, or -1: out of memory. */
static int
make_room(struct origins *origins)
{
    size_t room = 2 * origins->room + ROOM_MIN;

    if (origins->count < origins->room)
        return 0;
    struct origin *grown = realloc(origins->origin, room * sizeof *grown);
    if (grown == NULL)
        return -1;
    origins->origin = grown;
    origins->room = room;
    return 0;
}

/* Returns a copy of NAME, or NULL: out of memory. */
static char *
copy_name(const char *name)
{
    size_t bytes = strlen(name) + 1;
    char *copy = malloc(bytes);

    return copy != NULL ? memcpy(copy, name, bytes) : NULL;
}

void
origins_add(struct origins *origins, struct origin origin, const char *name)
{
    /* In a list that is not complete, the last origin has no name. */
    bool is_complete =
        origins->count == 0 || origins->origin[origins->count - 1].name != NULL;

    if (!is_complete)
        return;
    if (make_room(origins) == 0) {
        origin.name = copy_name(name);
        wrong_record_hold(origin.wrong);
        origins->origin[origins->count++] = origin;
    } else if (origins->count > 0) {
        struct origin *last = &origins->origin[origins->count - 1];
        free(last->name);
        last->name = NULL;
    }
}

const struct origin *
origins_find(const struct origins *origins, size_t at)
{
    for (size_t i = origins->count; i-- > 0;) {
        const struct origin *origin = &origins->origin[i];
        if (origin->start <= at)
            return origin->name != NULL ? origin : NULL;
    }
    return NULL;
}

bool
origins_place(const struct origins *origins, size_t at,
              struct input_place *place)
{
    const struct origin *origin = origins_find(origins, at);

    if (origin == NULL)
        return false;
    *place = (struct input_place){
        .input = origin->wrong->input,
        .content = origin->content,
        .at = origin->at + at - origin->start,
    };
    return true;
}

bool
input_place_is_before(const struct input_place *a, const struct input_place *b)
{
    if (a->input != b->input)
        return a->input < b->input;
    return a->content != b->content ? a->content < b->content : a->at < b->at;
}

int
origins_note_wrong(const struct origins *origins, size_t at,
                   struct error *error)
{
    const struct origin *origin = origins_find(origins, at);

    if (origin == NULL)
        return -1;
    wrong_record_note(origin->wrong, origin->content,
                      origin->at + at - origin->start, error);
    return 0;
}

size_t
origins_next(const struct origins *origins, size_t at, size_t size)
{
    size_t low = 0;
    size_t high = origins->count;

    /* Of thousands of small inputs, each is looked for. */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct origin *origin = &origins->origin[middle];
        if (origin->start - origin->synthetic > at)
            high = middle;
        else
            low = middle + 1;
    }
    if (low == origins->count)
        return size;
    return origins->origin[low].start - origins->origin[low].synthetic;
}

void
origins_clear(struct origins *origins)
{
    for (size_t i = 0; i < origins->count; i++) {
        free(origins->origin[i].name);
        wrong_record_release(origins->origin[i].wrong);
    }
    origins->count = 0;
}

void
origins_close(struct origins *origins)
{
    origins_clear(origins);
    free(origins->origin);
    *origins = (struct origins){0};
}
