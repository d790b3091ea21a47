/* SPDX-License-Identifier: MIT */
/*
 * ring.h -- slots that go round between an owner and the threads of a crew
 *
 *     slot = next(ring);      the owner fills it
 *     ring_submit(ring);      the crew takes it through the stages of the ring
 *     ring_await(ring, ...);  the first slot has passed them
 *     ring_release(ring);     the owner has used the first slot
 *
 * The owner submits slots in order and gets them back in order.  In between,
 * each slot passes the stages of the ring one after the other: a stage may work
 * on several slots at a time, in any order, or on one slot at a time, in
 * order.  A crew prefers late stages to early stages, and first slots to later
 * slots, because the owner waits for the first slot.
 *
 * Slots have numbers, which only grow: slot N is element N % COUNT of an array
 * of the owner.  One thread at a time has a slot:
 *
 *     owner's -> submitted -> a thread's, stage by stage -> passed -> owner's
 *
 * A crew may serve several rings of one owner.  The owner may help the crew
 * while waiting.  No thread of a crew waits for anything but work, and no
 * thread holds the lock while working.
 */

#ifndef GPUHIST_RING_H
#define GPUHIST_RING_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    RING_CREW_RINGS = 2, /* the most rings of a crew */
};

/* For ring_await(): all stages. */
#define RING_ALL UINT32_MAX

struct ring_stage {
    /*
     * Work on the slot NUMBER of CONTEXT as member MEMBER of the crew, without
     * the lock.  Returns whether the slot goes on to the next stage; otherwise
     * the slot has passed all stages.
     */
    bool (*work)(void *context, uint64_t number, unsigned int member);

    /* Whether this work is possible yet; under the lock.  NULL: possible at
       once.  The answer may change only by a stage of the ring, or between
       ring_lock() and ring_unlock(). */
    bool (*can)(const void *context, uint64_t number);

    /* One slot at a time, after all earlier slots. */
    bool is_in_order;
};

/* What the owner does while waiting. */
enum ring_owner {
    RING_OWNER_WAITS,
    RING_OWNER_STARTS, /* the owner works if nobody works on the first slot */
    RING_OWNER_WORKS,
};

/* Of one slot; under the lock. */
struct ring_slot {
    uint32_t passed; /* stages */
    bool is_busy;    /* some thread works on the slot */
};

struct ring_crew;

/* All 0 before ring_open(). */
struct ring {
    /* Constant while the ring is open. */
    struct ring_crew *crew;
    const struct ring_stage *stage; /* STAGES elements */
    uint32_t stages;
    unsigned int count; /* of slots */
    void *context;
    struct ring_slot *slot;

    enum ring_owner owner; /* for the owner */

    /* Numbers of slots.  Only the owner changes them, under the lock. */
    uint64_t released;
    uint64_t filled;

    /* Under the lock. */
    unsigned int busy; /* slots */
    bool is_stopped;   /* no more work starts */
};

/* All 0 before ring_crew_open(). */
struct ring_crew {
    /* Constant while the crew is open. */
    pthread_t *thread;
    unsigned int threads_max;

    /* For the owner. */
    unsigned int threads;

    pthread_mutex_t lock;
    pthread_cond_t has_work;    /* or IS_CLOSING; IDLE threads wait */
    pthread_cond_t has_changed; /* the owner waits, if OWNER_WAITS */
    /* Under the lock. */
    struct ring *ring[RING_CREW_RINGS]; /* the first ones go first */
    unsigned int rings;
    unsigned int started; /* threads that know their number */
    unsigned int idle;
    bool owner_waits;
    bool is_closing;
};

/* Open a crew of no threads, which may become THREADS_MAX.  Returns 0, or -1:
   out of memory. */
int ring_crew_open(struct ring_crew *crew, unsigned int threads_max);

/*
 * Start threads until the crew has THREADS, up to THREADS_MAX; fewer if the
 * system refuses more.  Their numbers of members start at 0; the owner is
 * member THREADS_MAX.
 */
void ring_crew_start(struct ring_crew *crew, unsigned int threads);

/* End the threads, after the work in progress, and close the rings.  May be
   called twice. */
void ring_crew_close(struct ring_crew *crew);

/*
 * Open a ring of COUNT slots with STAGES stages, which stay in place.  CREW
 * serves this ring after the rings opened before.  Returns 0, or -1: out of
 * memory.
 */
int ring_open(struct ring *ring, struct ring_crew *crew,
              const struct ring_stage *stage, uint32_t stages,
              unsigned int count, void *context);

/* ---- for the owner ---- */

static inline bool
ring_is_empty(const struct ring *ring)
{
    return ring->released == ring->filled;
}

static inline bool
ring_is_full(const struct ring *ring)
{
    return ring->filled - ring->released == ring->count;
}

/* Returns where the slot NUMBER is in the array of slots. */
static inline unsigned int
ring_at(const struct ring *ring, uint64_t number)
{
    return (unsigned int)(number % ring->count);
}

/* The slot FILLED, which the owner has filled, goes to the crew.  The ring was
   not full. */
void ring_submit(struct ring *ring);

/* The same, but nobody needs to hurry: no idle thread is woken up. */
void ring_submit_quietly(struct ring *ring);

/*
 * Wait until the first slot has passed so many STAGES, or all.  The owner may
 * work meanwhile, for this ring and earlier rings.  Returns false if the ring
 * is empty.
 */
bool ring_await(struct ring *ring, uint32_t stages);

/* Release the first slot, once nobody works on it.  The slot need not have
   passed all stages. */
void ring_release(struct ring *ring);

/* Release the first slots, as far as they have passed all stages.  Returns how
   many are left. */
unsigned int ring_reap(struct ring *ring);

/* Wait until all slots have passed all stages, and release all slots. */
void ring_drain(struct ring *ring);

/* Empty the ring, after the work in progress. */
void ring_discard(struct ring *ring);

/* Change data that a stage's CAN reads between these two calls. */
void ring_lock(struct ring *ring);
void ring_unlock(struct ring *ring);

/* ---- for CAN ---- */

/* Whether the slot NUMBER is submitted and has passed STAGES. */
static inline bool
ring_has_passed(const struct ring *ring, uint64_t number, uint32_t stages)
{
    return number < ring->filled &&
           ring->slot[ring_at(ring, number)].passed >= stages;
}

#endif
