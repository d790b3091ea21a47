/* zstd_places.c -- memory for the content of a zstd frame, which may be lent */

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/pages.h"
#include "input/decode/zstd/zstd_places.h"

struct place {
    unsigned char *memory; /* with a front */
    atomic_uint users;     /* the owner, and leases */
};

struct zstd_places {
    unsigned int count;
    struct place place[ZSTD_PLACES_MAX];
    atomic_uint users; /* places that have some */
};

uint64_t
zstd_places_bytes(uint64_t room)
{
    return LEASE_FRONT_BYTES + room;
}

/* PLACE has one user less.  The last one releases its memory. */
static void
leave(struct zstd_places *places, unsigned int place)
{
    if (atomic_fetch_sub(&places->place[place].users, 1) > 1)
        return;
    free(places->place[place].memory);
    if (atomic_fetch_sub(&places->users, 1) == 1)
        free(places);
}

void
zstd_places_close(struct zstd_places *places)
{
    /* PLACES may be gone after the last one. */
    for (unsigned int i = places != NULL ? places->count : 0; i > 0; i--)
        leave(places, i - 1);
}

struct zstd_places *
zstd_places_open(size_t room, unsigned int count)
{
    uint64_t bytes = zstd_places_bytes(room);
    struct zstd_places *places =
        bytes <= SIZE_MAX ? calloc(1, sizeof *places) : NULL;
    bool is_complete = true;

    assert(count >= 1 && count <= ZSTD_PLACES_MAX);
    if (places == NULL)
        return NULL;
    places->count = count;
    atomic_init(&places->users, count);
    for (unsigned int i = 0; i < count; i++) {
        struct place *place = &places->place[i];
        place->memory = malloc((size_t)bytes);
        atomic_init(&place->users, 1);
        if (place->memory == NULL)
            is_complete = false;
        else
            pages_advise(place->memory, (size_t)bytes);
    }
    if (is_complete)
        return places;
    zstd_places_close(places);
    return NULL;
}

unsigned char *
zstd_places_at(const struct zstd_places *places, unsigned int place)
{
    return places->place[place].memory + LEASE_FRONT_BYTES;
}

unsigned int
zstd_places_next(const struct zstd_places *places, unsigned int place)
{
    for (unsigned int i = 0; i < places->count; i++)
        /* What holders of leases have read may be overwritten from now on. */
        if (i != place && atomic_load(&places->place[i].users) == 1)
            return i;
    return place;
}

/* The END of a lease. */
static void
end_lease(void *lender, unsigned int place)
{
    leave(lender, place);
}

bool
zstd_places_lend(struct zstd_places *places, unsigned int place,
                 struct lease *lease)
{
    if (zstd_places_next(places, place) == place)
        return false;
    atomic_fetch_add(&places->place[place].users, 1);
    *lease = (struct lease){.end = end_lease, .lender = places, .place = place};
    return true;
}
