/* SPDX-License-Identifier: MIT */
/*
 * count_numbers.c -- the counter of one or several fields that are numbers
 *
 * A number with bins is counted in cells.  If each number that occurs is a row,
 * the codes of the numbers (hist/key_code.h) are counted as keys.  Several
 * numbers with bins are counted jointly.
 *
 * Where only a few figures of all numbers are wanted, each seat keeps these
 * before the tables of keys, for one group without a key (keys/group_cache.h).
 */

#include <stdlib.h>
#include <string.h>

#include "engine/cpu/fields/counters.h"
#include "engine/cpu/fields/key_listing.h"
#include "engine/cpu/keys/group_cache.h"
#include "engine/cpu/keys/number_counts.h"

struct numbers_counter {
    struct counter counter; /* first: a struct counter * points to it */
    size_t first;           /* axis, and field of the records */
    struct key_counts keys; /* of codes, if each number that occurs is a row */
    struct number_counts numbers;
    bool has_figures;            /* before KEYS ... */
    struct group_caches figures; /* ... are these */
};

struct numbers_seat {
    struct counter_seat seat; /* first: a struct counter_seat * points to it */
    struct numbers_counter *all;
    struct key_counter *keys; /* NULL: a cell for each bin */
    struct number_counter *numbers;
    struct group_cache *figures; /* the counter closes it; NULL: none */
    struct text_slice *kept;     /* of records that it has not counted; NULL:
                                    these may be kept in the batch */
};

static struct numbers_counter *
numbers_of(struct counter *counter)
{
    return (struct numbers_counter *)counter;
}

static struct numbers_seat *
seat_of(struct counter_seat *seat)
{
    return (struct numbers_seat *)seat;
}

static enum key_result
numbers_open(struct counter *counter)
{
    struct numbers_counter *all = numbers_of(counter);
    const struct spec *spec = counter->spec;

    all->first = spec_axis_of(spec, counter->histogram, 0);
    if (number_counts_open(&all->numbers, spec, all->first,
                           spec_dimensions(spec, counter->histogram)) < 0)
        return KEY_NO_MEMORY;
    if (!counter->counted->is_listed)
        return KEY_OK;
    all->has_figures = group_cache_is_for(spec, counter->histogram);
    if (all->has_figures)
        group_caches_open(&all->figures, spec, counter->histogram,
                          &all->keys.memory, counter->memory_limit);
    counter->failure = &all->keys.failure;
    counter->keys = &all->keys;
    return key_counts_open(&all->keys, counter->threads, counter->memory_limit,
                           key_listing_bringing(spec));
}

static void
numbers_close(struct counter *counter)
{
    struct numbers_counter *all = numbers_of(counter);

    if (all->has_figures)
        group_caches_close(&all->figures);
    number_counts_close(&all->numbers);
    if (counter->keys != NULL)
        key_counts_close(counter->keys);
}

/* ---- one thread ---- */

static void
numbers_leave(struct counter_seat *base)
{
    struct numbers_seat *seat = seat_of(base);

    if (seat->figures != NULL)
        group_cache_leave(seat->figures);
    if (seat->numbers != NULL)
        number_counter_close(seat->numbers);
    if (seat->keys != NULL)
        key_counter_close(seat->keys);
    free(seat->kept);
    free(seat);
}

static struct counter_seat *
numbers_join(struct counter *counter, const struct counter_buffers *buffers)
{
    struct numbers_counter *all = numbers_of(counter);
    struct numbers_seat *seat = calloc(1, sizeof *seat);
    bool keeps = all->has_figures && spec_histograms(counter->spec) > 1;
    enum key_result result;

    if (seat == NULL)
        return NULL;
    seat->seat = (struct counter_seat){&count_numbers, buffers};
    seat->all = all;
    if (counter->keys != NULL)
        seat->keys = key_counter_new(counter->keys, &result);
    if (keeps)
        seat->kept = malloc(group_cache_kept_bytes(counter->spec));
    if (all->has_figures)
        seat->figures =
            group_cache_new(&all->figures, counter->spec, counter->histogram,
                            seat->keys, &all->keys.hash_key);
    seat->numbers = number_counter_new(&all->numbers);
    if (seat->numbers != NULL &&
        (counter->keys == NULL) == (seat->keys == NULL) &&
        all->has_figures == (seat->figures != NULL) &&
        keeps == (seat->kept != NULL))
        return &seat->seat;
    numbers_leave(&seat->seat);
    return NULL;
}

static enum key_result
numbers_add(struct counter_seat *base, const struct counter_batch *batch)
{
    struct numbers_seat *seat = seat_of(base);
    const struct numbers_counter *all = seat->all;
    const struct spec *spec = all->counter.spec;

    if (batch->slice == NULL)
        return number_counter_add_samples(seat->numbers, seat->keys,
                                          batch->data,
                                          batch->count * spec->record.bytes);
    struct text_slice *slice = seat->kept != NULL ? seat->kept : batch->slice;
    size_t left = batch->count;
    if (seat->figures != NULL) {
        left = group_cache_add(seat->figures, batch->data, batch->slice, left,
                               batch->are_plain, slice);
        number_counter_note(seat->numbers, batch->count - left);
    }
    if (left == batch->count)
        slice = batch->slice;
    return number_counter_add(seat->numbers, seat->keys, batch->data,
                              slice + all->first, left, spec->text_fields.count,
                              batch->weights);
}

static void
numbers_settle_seat(struct counter_seat *seat)
{
    if (seat_of(seat)->keys != NULL)
        key_counter_settle(seat_of(seat)->keys);
}

/* ---- all threads ---- */

static enum key_result
numbers_add_counted(struct counter *counter,
                    const struct counter_buffers *buffers,
                    const struct counter_batch *batch)
{
    struct numbers_counter *all = numbers_of(counter);
    const struct text_slice *slice = batch->slice + all->first;
    enum key_result result = KEY_OK;

    (void)buffers;
    for (size_t r = 0; r < batch->count && result == KEY_OK;
         r++, slice += counter->spec->text_fields.count)
        result = number_counts_add(&all->numbers, &all->keys, batch->data,
                                   slice, key_weights_count(batch->weights, r));
    return result;
}

static enum key_result
numbers_add_zeros(struct counter *counter, uint64_t count)
{
    struct numbers_counter *all = numbers_of(counter);

    return number_counts_add_zeros(&all->numbers, &all->keys, count);
}

static void
numbers_add_cells(struct counter *counter, uint64_t *cell, uint64_t none)
{
    (void)none;
    number_counts_add_cells(&numbers_of(counter)->numbers, cell);
}

static enum key_result
numbers_settle(struct counter *counter, bool is_counting)
{
    struct numbers_counter *all = numbers_of(counter);

    (void)is_counting;
    if (counter->keys != NULL)
        key_counter_settle_all(counter->keys);
    return number_counts_settle(&all->numbers) == 0 ? KEY_OK : KEY_NO_MEMORY;
}

static uint64_t
numbers_find_range(const struct counter *counter, size_t axis,
                   struct binning_axis *shown)
{
    const struct numbers_counter *all = (const struct numbers_counter *)counter;

    axis -= all->first;
    if (counter->keys == NULL)
        *shown = *number_table_axis(&all->numbers.table, axis);
    return all->numbers.table.axis[axis].numbers;
}

static enum key_result
numbers_list(struct counter *counter, bool is_counting, struct key_names *names)
{
    struct numbers_counter *all = numbers_of(counter);
    enum key_result result = KEY_OK;

    if (counter->keys == NULL)
        return KEY_OK;
    if (all->has_figures)
        result = group_caches_settle(&all->figures, counter->keys);
    return result == KEY_OK
               ? key_listing_make(counter, counter->keys, is_counting, names)
               : result;
}

static enum key_result
numbers_make_spectrum(struct counter *counter, bool is_counting,
                      struct key_memory *memory, struct key_array *array,
                      uint64_t *total)
{
    struct numbers_counter *all = numbers_of(counter);
    enum key_result result = key_listing_spectrum(
        &all->keys, NULL, 1, is_counting, memory, array, total);

    /* The histogram of a sparse axis has no other cells. */
    *total += histogram_total(&all->numbers.table.histogram, 0, AXIS_SPECIALS);
    return result;
}

static void
numbers_put(struct counter *counter, bool is_counting,
            const struct key_names *names, struct histogram *sum, uint64_t base)
{
    const struct numbers_counter *all = numbers_of(counter);
    const struct histogram *from = &all->numbers.table.histogram;
    const struct binning_axis *axis = &names->spec.shown[all->first];

    (void)is_counting;
    for (unsigned int p = 0; p < sum->planes; p++) {
        uint64_t *to = sum->value + p * sum->cells + base;
        const uint64_t *value = from->value + p * from->cells;
        if (counter->keys == NULL)
            memcpy(to, value, (size_t)from->cells * sizeof *to);
        for (int s = 0;
             counter->keys != NULL && counter->spec->kind != SPEC_SAMPLES &&
             s < AXIS_SPECIALS;
             s++)
            to[axis_special_cell(axis, (enum axis_special)s)] = value[s];
    }
}

static void
numbers_restart(struct counter *counter)
{
    struct numbers_counter *all = numbers_of(counter);

    if (all->has_figures)
        group_caches_restart(&all->figures);
    number_counts_restart(&all->numbers);
    if (counter->keys != NULL)
        key_counter_restart_all(counter->keys);
}

const struct counter_type count_numbers = {
    .bytes = sizeof(struct numbers_counter),
    .open = numbers_open,
    .close = numbers_close,
    .join = numbers_join,
    .add = numbers_add,
    .settle_seat = numbers_settle_seat,
    .leave = numbers_leave,
    .add_counted = numbers_add_counted,
    .add_zeros = numbers_add_zeros,
    .add_cells = numbers_add_cells,
    .settle = numbers_settle,
    .find_range = numbers_find_range,
    .list = numbers_list,
    .make_spectrum = numbers_make_spectrum,
    .put = numbers_put,
    .restart = numbers_restart,
};
