/* SPDX-License-Identifier: MIT */
/* decoding_crew.c -- threads that help the owner of a device that decodes */

#include <string.h>

#include "base/thread.h"
#include "input/device/decoding_crew.h"

/* Bytes that a thread copies at once. */
#define SLICE_BYTES ((size_t)256 << 10)

static void
wake_helper(struct decoding_crew *crew)
{
    if (crew->idle > 0)
        pthread_cond_signal(&crew->has_work);
}

static void
wake_helpers(struct decoding_crew *crew)
{
    if (crew->idle > 0)
        pthread_cond_broadcast(&crew->has_work);
}

void
decoding_crew_tell_owner(struct decoding_crew *crew)
{
    pthread_cond_broadcast(&crew->belt->has_changed);
}

static bool
can_copy(const struct decoding_crew *crew)
{
    return crew->copy.next < crew->copy.size;
}

static void
copy_slice(struct decoding_crew *crew)
{
    struct decoding_crew_copy *copy = &crew->copy;
    size_t at = copy->next;
    size_t size = copy->size - at;

    if (size > SLICE_BYTES)
        size = SLICE_BYTES;
    copy->next += size;
    copy->copying++;
    pthread_mutex_unlock(crew->belt->lock);
    memcpy(copy->to + at, copy->from + at, size);
    pthread_mutex_lock(crew->belt->lock);
    if (--copy->copying == 0)
        decoding_crew_tell_owner(crew);
}

static bool
can_fill(struct decoding_crew *crew)
{
    return !crew->is_filling && !crew->is_walked &&
           decoding_belt_vacant(crew->belt) != NULL;
}

static void
fill_batch(struct decoding_crew *crew)
{
    struct decoding_belt *belt = crew->belt;
    struct decoding_batch *batch = decoding_belt_vacant(belt);
    uint64_t number = belt->filled;
    bool is_over = false;

    crew->is_filling = true;
    pthread_mutex_unlock(belt->lock);
    bool has_blocks = crew->type->fill(crew, batch, number, &is_over);
    pthread_mutex_lock(belt->lock);
    crew->is_filling = false;
    crew->is_walked = is_over;
    if (has_blocks)
        decoding_belt_submit(belt, batch);
    decoding_crew_tell_owner(crew);
    if (can_fill(crew))
        wake_helper(crew);
}

static bool
can_work(struct decoding_crew *crew)
{
    return crew->type->can_work != NULL && crew->type->can_work(crew);
}

static void *
helper_main(void *argument)
{
    struct decoding_crew *crew = argument;
    pthread_mutex_t *lock = crew->belt->lock;

    pthread_mutex_lock(lock);
    while (!crew->is_closing) {
        if (can_copy(crew)) {
            copy_slice(crew);
        } else if (decoding_reads_can_help(&crew->reads)) {
            decoding_reads_help(&crew->reads);
        } else if (can_fill(crew)) {
            fill_batch(crew);
        } else if (can_work(crew)) {
            crew->type->work(crew);
        } else {
            crew->idle++;
            pthread_cond_wait(&crew->has_work, lock);
            crew->idle--;
        }
    }
    pthread_mutex_unlock(lock);
    return NULL;
}

void
decoding_crew_wake(struct decoding_crew *crew)
{
    if (can_work(crew) || can_fill(crew))
        wake_helpers(crew);
}

void
decoding_crew_copy(struct decoding_crew *crew, unsigned char *to,
                   const unsigned char *from, size_t size)
{
    crew->copy =
        (struct decoding_crew_copy){.to = to, .from = from, .size = size};
    if (size > SLICE_BYTES)
        wake_helpers(crew);
    else if (can_work(crew) || can_fill(crew))
        wake_helper(crew);
    while (can_copy(crew))
        copy_slice(crew);
    while (crew->copy.copying > 0)
        decoding_belt_wait(crew->belt);
}

void
decoding_crew_wait(struct decoding_crew *crew)
{
    if (can_fill(crew))
        fill_batch(crew);
    else if (decoding_reads_can_help(&crew->reads))
        decoding_reads_help(&crew->reads);
    else if (crew->helpers == 0 && can_work(crew))
        crew->type->work(crew);
    else
        decoding_belt_wait(crew->belt);
}

void
decoding_crew_wait_for_work(struct decoding_crew *crew)
{
    if (can_work(crew))
        crew->type->work(crew);
    else
        decoding_belt_wait(crew->belt);
}

/* ---- start and end ---- */

void
decoding_crew_open(struct decoding_crew *crew,
                   const struct decoding_crew_type *type,
                   struct decoding_belt *belt, const struct source *source)
{
    *crew = (struct decoding_crew){.type = type, .belt = belt};
    pthread_cond_init(&crew->has_work, NULL);
    decoding_reads_open(&crew->reads, source, belt->lock, &crew->has_work);
}

void
decoding_crew_start(struct decoding_crew *crew, struct budget_loan *loan)
{
    unsigned int belts = crew->belt->sizes->belts;
    /* The owners of other belts have their share. */
    unsigned int share = (DECODING_CREW_HELPERS + belts - 1) / belts;

    loan->helpers = budget_take_helpers(loan->budget, share);
    while (crew->helpers < loan->helpers &&
           thread_start(&crew->helper[crew->helpers], helper_main, crew) == 0)
        crew->helpers++;
}

void
decoding_crew_close(struct decoding_crew *crew)
{
    struct decoding_belt *belt = crew->belt;

    pthread_mutex_lock(belt->lock);
    crew->is_closing = true;
    pthread_cond_broadcast(&crew->has_work);
    pthread_mutex_unlock(belt->lock);
    for (unsigned int i = 0; i < crew->helpers; i++)
        pthread_join(crew->helper[i], NULL);
    pthread_cond_destroy(&crew->has_work);
    decoding_reads_close(&crew->reads);
    decoding_belt_drop(belt);
}

bool
decoding_crew_lease(struct decoding_crew *crew,
                    const struct decoding_batch *batch, unsigned char *left,
                    const unsigned char *front, size_t size,
                    struct lease *lease)
{
    size_t inside = (size_t)(left - batch->content);

    if (!lease_front_fits(left, inside, front, size))
        return false;
    lease_put_front(left, inside, front, size);
    pthread_mutex_lock(crew->belt->lock);
    bool is_leased = decoding_belt_lease(crew->belt, lease);
    decoding_crew_wake(crew);
    pthread_mutex_unlock(crew->belt->lock);
    lease->data = left;
    return is_leased;
}
