/* SPDX-License-Identifier: MIT */
/*
 * count_sums.c -- the counter of a field of binary numbers whose figures need
 * no order of values
 *
 * Each thread adds up the numbers, in constant memory.  hist/sum_rows.h tells
 * what the rows of the histogram are.
 */

#include <stdlib.h>

#include "base/exact_sums.h"
#include "engine/cpu/fields/counters.h"
#include "hist/sum_rows.h"
#include "sync/thread_list.h"

struct sums_counter {
    struct counter counter; /* first: a struct counter * points to it */
    const struct binning_axis *axis;
    struct key_memory memory; /* of the list, without a limit: it is short */
    struct thread_list seats;
    struct exact_sums sums; /* settled; under the lock of the list */
};

struct sums_seat {
    struct counter_seat seat; /* first: a struct counter_seat * points to it */
    struct thread_link link;
    struct sums_counter *all;
    struct exact_adder *adder;
};

static struct sums_counter *
sums_of(struct counter *counter)
{
    return (struct sums_counter *)counter;
}

static struct sums_seat *
seat_of(struct counter_seat *seat)
{
    return (struct sums_seat *)seat;
}

/* The seat with LINK. */
static struct sums_seat *
seat_of_link(struct thread_link *link)
{
    return (struct sums_seat *)((char *)link -
                                offsetof(struct sums_seat, link));
}

static enum key_result
sums_open(struct counter *counter)
{
    struct sums_counter *all = sums_of(counter);
    const struct spec *spec = counter->spec;

    all->axis = &spec->counted[spec_own_axis(spec, counter->histogram)];
    key_memory_open(&all->memory, SIZE_MAX);
    thread_list_open(&all->seats);
    return KEY_OK;
}

static void
sums_close(struct counter *counter)
{
    struct sums_counter *all = sums_of(counter);

    key_memory_close(&all->memory);
    thread_list_close(&all->seats);
}

/* ---- one thread ---- */

static struct counter_seat *
sums_join(struct counter *counter, const struct counter_buffers *buffers)
{
    struct sums_counter *all = sums_of(counter);
    struct sums_seat *seat = calloc(1, sizeof *seat);

    if (seat == NULL)
        return NULL;
    seat->seat = (struct counter_seat){&count_sums, buffers};
    seat->all = all;
    seat->adder =
        exact_adder_new((enum sample_type)all->axis->type,
                        all->axis->is_swapped != 0, counter->spec->wants_sums);
    if (seat->adder == NULL) {
        free(seat);
        return NULL;
    }
    thread_list_add(&all->seats, &seat->link);
    return &seat->seat;
}

static void
sums_leave(struct counter_seat *base)
{
    struct sums_seat *seat = seat_of(base);

    thread_list_remove(&seat->all->seats, &seat->link);
    exact_adder_close(seat->adder);
    free(seat);
}

static enum key_result
sums_add(struct counter_seat *base, const struct counter_batch *batch)
{
    struct sums_seat *seat = seat_of(base);
    const struct binning_axis *axis = seat->all->axis;

    exact_adder_add(seat->adder, batch->data + axis->offset, batch->count,
                    seat->all->counter.spec->record.bytes);
    return KEY_OK;
}

/* ---- all threads ---- */

static enum key_result
sums_add_zeros(struct counter *counter, uint64_t count)
{
    struct sums_counter *all = sums_of(counter);
    uint64_t zero = exact_code_zero((enum sample_type)all->axis->type);
    const struct exact_sums zeros = {
        .count = count, .least = zero, .greatest = zero};

    exact_sums_add(&all->sums, &zeros);
    return KEY_OK;
}

static enum key_result
sums_settle(struct counter *counter, bool is_counting)
{
    struct sums_counter *all = sums_of(counter);

    (void)is_counting;
    pthread_mutex_lock(&all->seats.lock);
    for (struct thread_link *at = all->seats.first; at != NULL; at = at->next) {
        struct exact_sums *own = &seat_of_link(at)->adder->sums;
        exact_sums_add(&all->sums, own);
        *own = (struct exact_sums){0};
    }
    exact_sums_reduce(&all->sums);
    pthread_mutex_unlock(&all->seats.lock);
    return KEY_OK;
}

static uint64_t
sums_find_range(const struct counter *counter, size_t axis,
                struct binning_axis *shown)
{
    const struct sums_counter *all = (const struct sums_counter *)counter;

    (void)axis;
    (void)shown;
    return all->sums.count + all->sums.nan;
}

static enum key_result
sums_list(struct counter *counter, bool is_counting, struct key_names *names)
{
    struct sums_counter *all = sums_of(counter);

    (void)is_counting;
    names->sums[counter->histogram] = all->sums;
    return sum_rows_make(names, counter->histogram, &all->memory);
}

static void
sums_restart(struct counter *counter)
{
    sums_of(counter)->sums = (struct exact_sums){0};
}

const struct counter_type count_sums = {
    .bytes = sizeof(struct sums_counter),
    .open = sums_open,
    .close = sums_close,
    .join = sums_join,
    .add = sums_add,
    .leave = sums_leave,
    .add_zeros = sums_add_zeros,
    .settle = sums_settle,
    .find_range = sums_find_range,
    .list = sums_list,
    .restart = sums_restart,
};
