/* zstd_places.c -- memory for the content of a zstd frame, which may be lent */

#include <assert.h>
#include <stdlib.h>

#include "input/zstd_places.h"
#include "util/pages.h"

uint64_t
zstd_places_bytes(uint64_t room)
{
    return LEASE_FRONT_BYTES + room;
}

static void
free_places(struct zstd_places *places)
{
    for (unsigned int i = 0; i < places->count; i++)
        free(places->memory[i]);
    if (places->loan.lender != NULL)
        budget_loan_return(&places->loan);
    free(places);
}

struct zstd_places *
zstd_places_open(size_t room, unsigned int count)
{
    uint64_t bytes = zstd_places_bytes(room);
    struct zstd_places *places =
        bytes <= SIZE_MAX ? calloc(1, sizeof *places) : NULL;

    assert(count >= 1 && count <= ZSTD_PLACES_MAX);
    if (places == NULL)
        return NULL;
    atomic_init(&places->users, 1);
    for (; places->count < count; places->count++) {
        unsigned char *memory = malloc((size_t)bytes);
        if (memory == NULL) {
            free_places(places);
            return NULL;
        }
        pages_advise(memory, (size_t)bytes);
        places->memory[places->count] = memory;
        atomic_init(&places->leases[places->count], 0);
    }
    return places;
}

unsigned char *
zstd_places_at(const struct zstd_places *places, unsigned int place)
{
    return places->memory[place] + LEASE_FRONT_BYTES;
}

unsigned int
zstd_places_next(const struct zstd_places *places, unsigned int place)
{
    for (unsigned int i = 0; i < places->count; i++)
        /* What its holders have read is overwritten from now on. */
        if (i != place && atomic_load(&places->leases[i]) == 0)
            return i;
    return place;
}

/* One user less. */
static void
leave(struct zstd_places *places)
{
    if (atomic_fetch_sub(&places->users, 1) == 1)
        free_places(places);
}

/* The END of a lease. */
static void
end_lease(void *lender, unsigned int place)
{
    struct zstd_places *places = lender;

    atomic_fetch_sub(&places->leases[place], 1);
    leave(places);
}

bool
zstd_places_lend(struct zstd_places *places, unsigned int place,
                 struct lease *lease)
{
    if (zstd_places_next(places, place) == place)
        return false;
    atomic_fetch_add(&places->leases[place], 1);
    atomic_fetch_add(&places->users, 1);
    *lease = (struct lease){.end = end_lease, .lender = places, .place = place};
    return true;
}

void
zstd_places_close(struct zstd_places *places)
{
    if (places != NULL)
        leave(places);
}
