/* SPDX-License-Identifier: MIT */
/* ring.c -- slots that go round between an owner and the threads of a crew */

#include <assert.h>
#include <stdlib.h>

#include "base/thread.h"
#include "sync/ring.h"

/* ---- work: the lock is held at the start and at the end ---- */

/* A stage for a slot. */
struct ring_work {
    struct ring *ring;
    uint32_t stage;
    uint64_t number;
};

static struct ring_slot *
slot_of(const struct ring *ring, uint64_t number)
{
    return &ring->slot[ring_at(ring, number)];
}

/* Find the first slot of WORK's ring, ready for WORK's stage. */
static bool
find_slot(struct ring_work *work)
{
    const struct ring *ring = work->ring;
    const struct ring_stage *stage = &ring->stage[work->stage];

    for (uint64_t n = ring->released; n < ring->filled; n++) {
        const struct ring_slot *slot = slot_of(ring, n);
        if (slot->passed > work->stage)
            continue;
        if (slot->passed == work->stage && !slot->is_busy &&
            (stage->can == NULL || stage->can(ring->context, n))) {
            work->number = n;
            return true;
        }
        if (stage->is_in_order)
            return false;
    }
    return false;
}

/* Find work of RING, in late stages first. */
static bool
find_in(struct ring *ring, struct ring_work *work)
{
    work->ring = ring;
    for (uint32_t i = ring->is_stopped ? 0 : ring->stages; i > 0; i--) {
        work->stage = i - 1;
        if (find_slot(work))
            return true;
    }
    return false;
}

static bool
find_work(const struct ring_crew *crew, struct ring_work *work)
{
    for (unsigned int i = 0; i < crew->rings; i++)
        if (find_in(crew->ring[i], work))
            return true;
    return false;
}

/* Whether the owner works for RING while it waits. */
static bool
owner_works(const struct ring *ring)
{
    if (ring->owner != RING_OWNER_STARTS)
        return ring->owner == RING_OWNER_WORKS;
    return !ring_is_empty(ring) && !slot_of(ring, ring->released)->is_busy;
}

/* Find work for the owner, who waits for LAST. */
static bool
find_for_owner(const struct ring *last, struct ring_work *work)
{
    const struct ring_crew *crew = last->crew;

    for (unsigned int i = 0; i < crew->rings; i++) {
        struct ring *ring = crew->ring[i];
        if (owner_works(ring) && find_in(ring, work))
            return true;
        if (ring == last)
            return false;
    }
    return false;
}

/* Wake an idle thread if some work is possible.  Each thread does this before
   working, so one signal is enough for much work. */
static void
wake_one(struct ring_crew *crew)
{
    struct ring_work more;

    if (crew->idle > 0 && find_work(crew, &more))
        pthread_cond_signal(&crew->has_work);
}

static void
do_work(const struct ring_work *work, unsigned int member)
{
    struct ring *ring = work->ring;
    struct ring_crew *crew = ring->crew;
    struct ring_slot *slot = slot_of(ring, work->number);

    slot->is_busy = true;
    ring->busy++;
    wake_one(crew);
    pthread_mutex_unlock(&crew->lock);
    bool goes_on =
        ring->stage[work->stage].work(ring->context, work->number, member);
    pthread_mutex_lock(&crew->lock);
    slot->passed = goes_on ? work->stage + 1 : ring->stages;
    slot->is_busy = false;
    ring->busy--;
    if (crew->owner_waits &&
        (work->number == ring->released || ring->is_stopped))
        pthread_cond_signal(&crew->has_changed);
}

static void *
crew_main(void *argument)
{
    struct ring_crew *crew = argument;
    struct ring_work work;

    pthread_mutex_lock(&crew->lock);
    unsigned int member = crew->started++;
    while (!crew->is_closing) {
        if (find_work(crew, &work)) {
            do_work(&work, member);
        } else {
            crew->idle++;
            pthread_cond_wait(&crew->has_work, &crew->lock);
            crew->idle--;
        }
    }
    pthread_mutex_unlock(&crew->lock);
    return NULL;
}

/* The owner waits until its slot may have changed. */
static void
wait_for_change(struct ring_crew *crew)
{
    crew->owner_waits = true;
    pthread_cond_wait(&crew->has_changed, &crew->lock);
    crew->owner_waits = false;
}

/* ---- start and end ---- */

int
ring_crew_open(struct ring_crew *crew, unsigned int threads_max)
{
    *crew = (struct ring_crew){.threads_max = threads_max};
    crew->thread = calloc((size_t)threads_max + 1, sizeof *crew->thread);
    if (crew->thread == NULL)
        return -1;
    pthread_mutex_init(&crew->lock, NULL);
    pthread_cond_init(&crew->has_work, NULL);
    pthread_cond_init(&crew->has_changed, NULL);
    return 0;
}

void
ring_crew_start(struct ring_crew *crew, unsigned int threads)
{
    if (threads > crew->threads_max)
        threads = crew->threads_max;
    while (crew->threads < threads &&
           thread_start(&crew->thread[crew->threads], crew_main, crew) == 0)
        crew->threads++;
}

void
ring_crew_close(struct ring_crew *crew)
{
    if (crew->thread == NULL)
        return;
    pthread_mutex_lock(&crew->lock);
    crew->is_closing = true;
    pthread_cond_broadcast(&crew->has_work);
    pthread_mutex_unlock(&crew->lock);
    for (unsigned int i = 0; i < crew->threads; i++)
        pthread_join(crew->thread[i], NULL);
    for (unsigned int i = 0; i < crew->rings; i++) {
        free(crew->ring[i]->slot);
        *crew->ring[i] = (struct ring){.crew = NULL};
    }
    pthread_mutex_destroy(&crew->lock);
    pthread_cond_destroy(&crew->has_work);
    pthread_cond_destroy(&crew->has_changed);
    free(crew->thread);
    *crew = (struct ring_crew){.thread = NULL};
}

int
ring_open(struct ring *ring, struct ring_crew *crew,
          const struct ring_stage *stage, uint32_t stages, unsigned int count,
          void *context)
{
    assert(crew->rings < RING_CREW_RINGS);
    *ring = (struct ring){.crew = crew,
                          .stage = stage,
                          .stages = stages,
                          .count = count,
                          .context = context};
    ring->slot = calloc(count, sizeof *ring->slot);
    if (ring->slot == NULL)
        return -1;
    pthread_mutex_lock(&crew->lock);
    crew->ring[crew->rings++] = ring;
    pthread_mutex_unlock(&crew->lock);
    return 0;
}

/* ---- the owner ---- */

void
ring_lock(struct ring *ring)
{
    pthread_mutex_lock(&ring->crew->lock);
}

void
ring_unlock(struct ring *ring)
{
    wake_one(ring->crew);
    pthread_mutex_unlock(&ring->crew->lock);
}

static void
submit(struct ring *ring)
{
    *slot_of(ring, ring->filled) = (struct ring_slot){.passed = 0};
    ring->filled++;
}

void
ring_submit(struct ring *ring)
{
    pthread_mutex_lock(&ring->crew->lock);
    submit(ring);
    if (ring->crew->idle > 0)
        pthread_cond_signal(&ring->crew->has_work);
    pthread_mutex_unlock(&ring->crew->lock);
}

void
ring_submit_quietly(struct ring *ring)
{
    pthread_mutex_lock(&ring->crew->lock);
    submit(ring);
    pthread_mutex_unlock(&ring->crew->lock);
}

/* Under the lock. */
static void
await_first(struct ring *ring, uint32_t stages)
{
    const struct ring_slot *first = slot_of(ring, ring->released);
    struct ring_work work;

    if (stages > ring->stages)
        stages = ring->stages;
    while (first->passed < stages) {
        if (find_for_owner(ring, &work)) {
            do_work(&work, ring->crew->threads_max);
        } else {
            /* The last work of the owner may have made other work possible. */
            wake_one(ring->crew);
            wait_for_change(ring->crew);
        }
    }
}

bool
ring_await(struct ring *ring, uint32_t stages)
{
    if (ring_is_empty(ring))
        return false;
    ring_lock(ring);
    await_first(ring, stages);
    ring_unlock(ring);
    return true;
}

void
ring_release(struct ring *ring)
{
    ring_lock(ring);
    while (slot_of(ring, ring->released)->is_busy)
        wait_for_change(ring->crew);
    ring->released++;
    ring_unlock(ring);
}

unsigned int
ring_reap(struct ring *ring)
{
    pthread_mutex_lock(&ring->crew->lock);
    while (!ring_is_empty(ring) &&
           slot_of(ring, ring->released)->passed == ring->stages)
        ring->released++;
    pthread_mutex_unlock(&ring->crew->lock);
    return (unsigned int)(ring->filled - ring->released);
}

void
ring_drain(struct ring *ring)
{
    ring_lock(ring);
    while (!ring_is_empty(ring)) {
        await_first(ring, ring->stages);
        ring->released++;
    }
    ring_unlock(ring);
}

void
ring_discard(struct ring *ring)
{
    pthread_mutex_lock(&ring->crew->lock);
    ring->is_stopped = true;
    while (ring->busy > 0)
        wait_for_change(ring->crew);
    ring->released = ring->filled;
    ring->is_stopped = false;
    pthread_mutex_unlock(&ring->crew->lock);
}
