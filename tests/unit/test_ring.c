/* SPDX-License-Identifier: MIT */
/*
 * test_ring.c -- slots that go round between an owner and a crew
 *
 * Three stages: side by side, in order and only after the next slot has passed
 * the first one, and side by side again.  Some slots skip the later stages.
 * Each stage checks that the stages before it are done; the owner checks that
 * all are.
 */

#include <string.h>

#include "../noise.h"
#include "../tap.h"
#include "sync/ring.h"

#define SLOTS 5
#define THREADS_MAX 4

enum {
    STAGE_FILL,
    STAGE_CHAIN,
    STAGE_LAST,
    STAGES
};

struct slot {
    uint64_t number;
    unsigned int done; /* stages */
    bool is_short;     /* it skips the stages after the first one */
};

static struct {
    struct ring_crew crew;
    struct ring ring;
    struct slot slot[SLOTS];
    uint64_t chain; /* the number of the next slot in the chain */
    bool chain_is_wrong;
    bool is_wrong; /* for the owner */
    uint64_t last; /* no slot has this number or a later one */
} world;

static struct slot *
slot_of(uint64_t number)
{
    return &world.slot[ring_at(&world.ring, number)];
}

static bool
work_fill(void *context, uint64_t number, unsigned int member)
{
    struct slot *slot = slot_of(number);

    if (context != &world || member > world.crew.threads_max ||
        slot->number != number || slot->done != 0)
        abort();
    slot->done++;
    return !slot->is_short;
}

static bool
can_chain(const void *context, uint64_t number)
{
    (void)context;
    return number + 1 == world.last ||
           ring_has_passed(&world.ring, number + 1, STAGE_FILL + 1);
}

static bool
work_chain(void *context, uint64_t number, unsigned int member)
{
    struct slot *slot = slot_of(number);

    (void)context;
    (void)member;
    world.chain_is_wrong |= number < world.chain || slot->done != 1;
    world.chain = number + 1;
    slot->done++;
    return true;
}

static bool
work_last(void *context, uint64_t number, unsigned int member)
{
    struct slot *slot = slot_of(number);

    (void)context;
    (void)member;
    if (slot->done != 2)
        abort();
    slot->done++;
    return true;
}

static const struct ring_stage stages[STAGES] = {
    [STAGE_FILL] = {.work = work_fill},
    [STAGE_CHAIN] = {.work = work_chain, .can = can_chain, .is_in_order = true},
    [STAGE_LAST] = {.work = work_last},
};

/* Submit the next slot. */
static void
fill(bool is_quiet)
{
    uint64_t number = world.ring.filled;

    *slot_of(number) =
        (struct slot){.number = number, .is_short = noise() % 7 == 0};
    if (is_quiet)
        ring_submit_quietly(&world.ring);
    else
        ring_submit(&world.ring);
}

static void
check_first(void)
{
    const struct slot *slot = slot_of(world.ring.released);

    world.is_wrong |= slot->number != world.ring.released ||
                      slot->done != (slot->is_short ? 1 : STAGES);
}

static bool
is_wrong(void)
{
    return world.is_wrong || world.chain_is_wrong;
}

/* Open the ring, with up to THREADS. */
static void
open_world(unsigned int threads, enum ring_owner owner)
{
    memset(&world, 0, sizeof world);
    if (ring_crew_open(&world.crew, threads) < 0 ||
        ring_open(&world.ring, &world.crew, stages, STAGES, SLOTS, &world) < 0)
        abort();
    world.ring.owner = owner;
    world.last = UINT64_MAX;
}

static void
test_rounds(unsigned int threads, enum ring_owner owner, uint64_t rounds)
{
    open_world(threads, owner);
    world.last = rounds;
    ring_crew_start(&world.crew, threads);
    while (world.ring.released < rounds) {
        while (!ring_is_full(&world.ring) && world.ring.filled < rounds)
            fill(false);
        if (!ring_await(&world.ring, RING_ALL))
            abort();
        check_first();
        ring_release(&world.ring);
    }
    ok(!is_wrong() && !ring_await(&world.ring, RING_ALL),
       "%u threads, the owner %s: all slots come back in order", threads,
       owner == RING_OWNER_WAITS ? "waits" : "works");
    ring_crew_close(&world.crew);
    ring_crew_close(&world.crew);
}

/* Slots that nobody hurries for, a crew that starts late, and an end before all
   is done. */
static void
test_others(void)
{
    open_world(THREADS_MAX, RING_OWNER_WORKS);
    world.last = SLOTS;
    while (!ring_is_full(&world.ring))
        fill(true);
    ok(ring_reap(&world.ring) == SLOTS, "nobody works before a crew starts");
    (void)ring_await(&world.ring, STAGE_FILL + 1);
    ok(slot_of(0)->done >= 1, "the owner awaits one stage");
    ring_drain(&world.ring);
    ok(ring_is_empty(&world.ring) && !is_wrong(),
       "the owner drains the ring alone");
    world.last = UINT64_MAX;
    for (unsigned int i = 0; i < 200; i++) {
        while (!ring_is_full(&world.ring))
            fill(false);
        ring_crew_start(&world.crew, i % (THREADS_MAX + 2));
        ring_release(&world.ring);
        ring_discard(&world.ring);
    }
    ok(ring_is_empty(&world.ring) && !is_wrong() &&
           world.crew.threads <= THREADS_MAX,
       "slots are discarded while a crew works");
    fill(false);
    ring_crew_close(&world.crew);
    ok(world.ring.slot == NULL, "the crew ends with slots in the ring");
}

int
main(void)
{
    const uint64_t rounds = IS_INSTRUMENTED ? 3000 : 20000;

    test_rounds(0, RING_OWNER_WORKS, rounds);
    for (unsigned int threads = 1; threads <= THREADS_MAX; threads++) {
        test_rounds(threads, RING_OWNER_WAITS, rounds);
        test_rounds(threads, RING_OWNER_STARTS, rounds);
        test_rounds(threads, RING_OWNER_WORKS, rounds);
    }
    test_others();
    return done_testing();
}
