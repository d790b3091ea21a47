/* SPDX-License-Identifier: MIT */
/*
 * count_keys.c -- the counter of the keys of one field
 *
 * Most keys are the bytes of their slices.  The value of other slices must be
 * written first: quotes are removed, escapes replaced, times cut.  A seat keeps
 * such keys (written_keys.h) until there are many, at most to the end of the
 * chunk.
 */

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "engine/cpu/fields/counters.h"
#include "engine/cpu/fields/device_keys.h"
#include "engine/cpu/fields/key_listing.h"
#include "engine/cpu/keys/key_counter.h"
#include "engine/cpu/keys/written_keys.h"
#include "hist/sum.h"
#include "text/field_value.h"

struct keys_counter {
    struct counter counter; /* first: a struct counter * points to it */
    size_t field;           /* of the records */
    binning_u32 part;       /* of the field */
    struct key_counts counts;
    atomic_uint_fast64_t missing; /* records without the field */
    atomic_uint_fast64_t invalid; /* ... of another format, or whose field no
                                     modifier reads */
    pthread_mutex_t lock;
    /* Under LOCK: the sums of their weights. */
    struct decimal_sum missing_sum;
    struct decimal_sum invalid_sum;
};

struct keys_seat {
    struct counter_seat seat; /* first: a struct counter_seat * points to it */
    struct keys_counter *all;
    struct key_counter *keys;
    struct written_keys written;
};

static struct keys_counter *
keys_of(struct counter *counter)
{
    return (struct keys_counter *)counter;
}

static struct keys_seat *
seat_of(struct counter_seat *seat)
{
    return (struct keys_seat *)seat;
}

static enum key_result
keys_open(struct counter *counter)
{
    struct keys_counter *keys = keys_of(counter);
    const struct spec *spec = counter->spec;

    keys->field = spec_own_axis(spec, counter->histogram);
    keys->part = spec->text_fields.field[keys->field].part;
    pthread_mutex_init(&keys->lock, NULL);
    counter->failure = &keys->counts.failure;
    counter->keys = &keys->counts;
    return key_counts_open(&keys->counts, counter->threads,
                           counter->memory_limit, key_listing_bringing(spec));
}

static void
keys_close(struct counter *counter)
{
    key_counts_close(&keys_of(counter)->counts);
    pthread_mutex_destroy(&keys_of(counter)->lock);
}

/* ---- one thread ---- */

static struct counter_seat *
keys_join(struct counter *counter, const struct counter_buffers *buffers)
{
    struct keys_seat *seat = calloc(1, sizeof *seat);
    enum key_result result;

    if (seat == NULL)
        return NULL;
    seat->seat = (struct counter_seat){&count_keys, buffers};
    seat->all = keys_of(counter);
    seat->keys = key_counter_new(&seat->all->counts, &result);
    if (seat->keys != NULL)
        return &seat->seat;
    free(seat);
    return NULL;
}

static void
keys_leave(struct counter_seat *base)
{
    struct keys_seat *seat = seat_of(base);

    key_counter_close(seat->keys);
    written_keys_close(&seat->written);
    free(seat);
}

static void
keys_settle_seat(struct counter_seat *seat)
{
    key_counter_settle(seat_of(seat)->keys);
}

static enum key_result
keys_end_chunk(struct counter_seat *base)
{
    struct keys_seat *seat = seat_of(base);

    return written_keys_count(&seat->written, seat->keys);
}

/* Returns the weights of the keys in the buffer, from key K on, of BATCH, which
   has weights. */
static struct key_weights
weights_at(const struct keys_seat *seat, const struct counter_batch *batch,
           size_t k)
{
    return (struct key_weights){seat->seat.buffers->key_weight + k,
                                batch->weights->wide,
                                batch->weights->are_counts};
}

/* Whether all elements of BATCH have the field. */
static bool
all_have(const struct keys_counter *all, const struct counter_batch *batch)
{
    size_t fields = all->counter.spec->text_fields.count;
    const struct text_slice *slice = batch->slice + all->field;
    bool has_all = true;

    for (size_t r = 0; r < batch->count; r++)
        has_all &= !text_slice_is_missing(slice[r * fields]);
    return has_all;
}

/*
 * Returns the keys of BATCH: slices of the batch, or copies in the buffer where
 * other fields or longer keys lie between the keys.  NULL: an element lacks the
 * field.
 */
static const struct text_slice *
take_all(const struct keys_seat *seat, const struct counter_batch *batch)
{
    const struct spec *spec = seat->all->counter.spec;
    const size_t fields = spec->text_fields.count;
    const struct text_slice *slice = batch->slice + seat->all->field;
    struct text_slice *key = seat->seat.buffers->key;
    const uint32_t most = spec->prefix;
    const size_t count = batch->count;
    bool has_all = true;

    if (fields == 1 && most == KEY_BYTES_MAX)
        return all_have(seat->all, batch) ? slice : NULL;
    for (size_t r = 0; r < count; r++, slice += fields) {
        struct text_slice own = *slice;
        has_all &= !text_slice_is_missing(own);
        own.size = own.size < most ? own.size : most;
        key[r] = own;
    }
    return has_all ? key : NULL;
}

/* Whether values of the field may have to be written in BATCH. */
static bool
may_be_written(const struct keys_counter *all,
               const struct counter_batch *batch)
{
    return !batch->are_plain &&
           field_value_may_be_written(&all->counter.spec->text, all->part);
}

/* As take_present().  BY_QUOTE: field_values_are_by_quote(), and no times. */
static inline __attribute__((always_inline)) size_t
take_present_form(const struct keys_seat *seat,
                  const struct counter_batch *batch, const bool by_quote,
                  size_t *written)
{
    const struct spec *spec = seat->all->counter.spec;
    const binning_u32 part = seat->all->part;
    const size_t fields = spec->text_fields.count;
    const struct text_slice *slice = batch->slice + seat->all->field;
    const unsigned char *data = batch->data;
    const size_t count = batch->count;
    const uint32_t most = spec->prefix;
    const bool may_write = !by_quote && may_be_written(seat->all, batch);
    const int64_t *weight =
        batch->weights != NULL ? batch->weights->weight : NULL;
    struct text_slice *to = seat->seat.buffers->key;
    int64_t *to_weight = seat->seat.buffers->key_weight;
    size_t present = 0;
    size_t later = 0;

    for (size_t r = 0; r < count; r++, slice += fields) {
        struct text_slice key = *slice;
        bool is_there = !text_slice_is_missing(key);
        bool is_written =
            by_quote ? text_is_quoted(data, key)
                     : may_write && is_there &&
                           field_value_is_written(&spec->text, part, data, key);
        /* 0, or all bits. */
        size_t from_end = 0 - (size_t)is_written;
        size_t place = present ^ ((present ^ (count - 1 - later)) & from_end);
        uint32_t cut = key.size < most ? key.size : most;
        key.size = cut ^ ((cut ^ key.size) & (uint32_t)from_end);
        to[place] = key;
        if (weight != NULL)
            to_weight[place] = weight[r];
        present += is_there & !is_written;
        later += is_written;
    }
    *written = later;
    return present;
}

/*
 * Copy the field of the elements of BATCH to the buffer, where an element has
 * the field, and the weights likewise: from the start of the buffer on what is
 * a key as it stands, no longer than a prefix, and from its end back what must
 * be written.  Sets *WRITTEN to the number of these, and returns that of the
 * others.  Which one an element is cannot be guessed, so no branch asks.
 */
static size_t
take_present(const struct keys_seat *seat, const struct counter_batch *batch,
             size_t *written)
{
    const struct text_format *format = &seat->all->counter.spec->text;

    return field_values_are_by_quote(format) && !clf_is_of_time(seat->all->part)
               ? take_present_form(seat, batch, true, written)
               : take_present_form(seat, batch, false, written);
}

/* Write the values of the WRITTEN keys at the end of the buffer of BATCH. */
static enum key_result
write_keys(struct keys_seat *seat, const struct counter_batch *batch,
           size_t written)
{
    const struct spec *spec = seat->all->counter.spec;
    const struct text_slice *key = seat->seat.buffers->key;
    const bool has_weights = batch->weights != NULL;
    enum key_result result = KEY_OK;
    struct key_weights weight = {0};

    for (size_t k = batch->count; k-- > batch->count - written;) {
        if (has_weights)
            weight = weights_at(seat, batch, k);
        result = written_keys_add(&seat->written, &spec->text, seat->all->part,
                                  batch->data, key[k], spec->prefix,
                                  has_weights ? &weight : NULL, seat->keys);
        if (result != KEY_OK)
            break;
    }
    return result;
}

/* Add the weight of element R to *SUM.  Returns how often it counts. */
static uint64_t
weigh(const struct key_weights *weights, size_t r, struct decimal_sum *sum)
{
    if (weights == NULL)
        return 1;
    if (key_weights_have_sums(weights)) {
        struct decimal_sum weight = key_weight_read(weights, r);
        decimal_sum_add(sum, &weight);
    }
    return key_weights_count(weights, r);
}

/* Count the elements of BATCH that lack the field. */
static void
add_missing(struct keys_counter *all, const struct counter_batch *batch)
{
    size_t fields = all->counter.spec->text_fields.count;
    const struct text_slice *slice = batch->slice + all->field;
    struct decimal_sum sum = {{0}};
    struct decimal_sum invalid_sum = {{0}};
    uint64_t missing = 0;
    uint64_t invalid = 0;

    for (size_t r = 0; r < batch->count; r++, slice += fields) {
        if (text_slice_is_invalid(*slice))
            invalid += weigh(batch->weights, r, &invalid_sum);
        else if (text_slice_is_missing(*slice))
            missing += weigh(batch->weights, r, &sum);
    }
    atomic_fetch_add(&all->missing, missing);
    atomic_fetch_add(&all->invalid, invalid);
    if (!key_weights_have_sums(batch->weights))
        return;
    pthread_mutex_lock(&all->lock);
    decimal_sum_add(&all->missing_sum, &sum);
    decimal_sum_add(&all->invalid_sum, &invalid_sum);
    pthread_mutex_unlock(&all->lock);
}

static enum key_result
keys_add(struct counter_seat *base, const struct counter_batch *batch)
{
    struct keys_seat *seat = seat_of(base);
    struct keys_counter *all = seat->all;
    struct key_weights kept;
    const struct text_slice *key =
        may_be_written(all, batch) ? NULL : take_all(seat, batch);

    if (key != NULL)
        return key_counter_add(seat->keys, batch->data, key, batch->count,
                               batch->weights);
    size_t written;
    size_t present = take_present(seat, batch, &written);
    if (present + written < batch->count)
        add_missing(all, batch);
    enum key_result result = write_keys(seat, batch, written);
    if (result != KEY_OK)
        return result;
    if (batch->weights != NULL)
        kept = weights_at(seat, batch, 0);
    return key_counter_add(seat->keys, batch->data, seat->seat.buffers->key,
                           present, batch->weights != NULL ? &kept : NULL);
}

/* ---- all threads ---- */

static enum key_result
keys_add_counted(struct counter *counter, const struct counter_buffers *buffers,
                 const struct counter_batch *batch)
{
    struct keys_counter *all = keys_of(counter);
    size_t fields = counter->spec->text_fields.count;
    const struct text_slice *slice = batch->slice + all->field;
    uint32_t most = counter->spec->prefix;
    struct field_text text = {.format = &counter->spec->text};
    enum key_result result = KEY_OK;

    (void)buffers;
    for (size_t r = 0; r < batch->count && result == KEY_OK;
         r++, slice += fields) {
        const struct key_amount amount = {
            .count = key_weights_count(batch->weights, r)};
        uint32_t size;
        if (text_slice_is_missing(*slice)) {
            atomic_fetch_add(&all->missing, amount.count);
            continue;
        }
        const unsigned char *key =
            field_text_find(&text, batch->data, *slice, &size);
        result = key == NULL ? KEY_NO_MEMORY
                             : key_counter_add_amount(&all->counts, key,
                                                      size < most ? size : most,
                                                      &amount);
    }
    field_text_close(&text);
    return result;
}

static enum key_result
keys_add_keys(struct counter *counter, const struct histogram *histogram,
              const struct text_dictionary *dictionary, uint64_t none)
{
    struct keys_counter *all = keys_of(counter);

    atomic_fetch_add(&all->missing, none);
    return device_keys_add(&all->counts, histogram, dictionary,
                           counter->threads);
}

static enum key_result
keys_settle(struct counter *counter, bool is_counting)
{
    (void)is_counting;
    key_counter_settle_all(&keys_of(counter)->counts);
    return KEY_OK;
}

static enum key_result
keys_list(struct counter *counter, bool is_counting, struct key_names *names)
{
    return key_listing_make(counter, &keys_of(counter)->counts, is_counting,
                            names);
}

static enum key_result
keys_make_spectrum(struct counter *counter, bool is_counting,
                   struct key_memory *memory, struct key_array *array,
                   uint64_t *total)
{
    struct keys_counter *all = keys_of(counter);
    enum key_result result = key_listing_spectrum(
        &all->counts, NULL, 1, is_counting, memory, array, total);

    *total += atomic_load(&all->missing) + atomic_load(&all->invalid);
    return result;
}

static void
keys_put(struct counter *counter, bool is_counting,
         const struct key_names *names, struct histogram *sum, uint64_t base)
{
    const struct keys_counter *all = keys_of(counter);
    const struct binning_axis *axis = &names->spec.shown[all->field];
    uint64_t missing = base + axis_special_cell(axis, AXIS_KEY_MISSING);

    (void)is_counting;
    sum->value[missing] = atomic_load(&all->missing);
    if (counter->spec->has_weights)
        sum_add_decimal(&all->missing_sum, sum->value + sum->cells + missing,
                        (size_t)sum->cells);
    if (!axis->has_invalid)
        return;
    uint64_t invalid = base + axis_special_cell(axis, AXIS_INVALID);
    sum->value[invalid] = atomic_load(&all->invalid);
    if (counter->spec->has_weights)
        sum_add_decimal(&all->invalid_sum, sum->value + sum->cells + invalid,
                        (size_t)sum->cells);
}

static void
keys_restart(struct counter *counter)
{
    struct keys_counter *all = keys_of(counter);

    key_counter_restart_all(&all->counts);
    atomic_store(&all->missing, 0);
    atomic_store(&all->invalid, 0);
    all->missing_sum = (struct decimal_sum){{0}};
    all->invalid_sum = (struct decimal_sum){{0}};
}

const struct counter_type count_keys = {
    .bytes = sizeof(struct keys_counter),
    .open = keys_open,
    .close = keys_close,
    .join = keys_join,
    .add = keys_add,
    .end_chunk = keys_end_chunk,
    .settle_seat = keys_settle_seat,
    .leave = keys_leave,
    .add_counted = keys_add_counted,
    .add_keys = keys_add_keys,
    .settle = keys_settle,
    .list = keys_list,
    .make_spectrum = keys_make_spectrum,
    .put = keys_put,
    .restart = keys_restart,
};
