/* SPDX-License-Identifier: MIT */
/*
 * count_tuples.c -- the counter of the tuples of several fields
 *
 * Each tuple is written as one key (keys/key_codes.h), which tables count.
 * Where ranges are found while counting, the keys have edges of bins as
 * numbers.  When the ranges are known, the keys are folded into separate
 * tables: each number is in one bin, and several keys become one.
 *
 * Where only a few figures of groups are wanted, each seat has a cache of them
 * (keys/group_cache.h) before the tables; or, where the numbers of groups have
 * bins, rows of counters (keys/group_bins.h).  Where reads of sequences have
 * the same fields, or their operations do, each seat has tables of these, also
 * for bases that are counted with fields of their reads
 * (sequences/read_groups.h).
 */

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/cpu/fields/counters.h"
#include "engine/cpu/fields/key_listing.h"
#include "engine/cpu/keys/group_bins.h"
#include "engine/cpu/keys/group_cache.h"
#include "engine/cpu/keys/key_codes.h"
#include "engine/cpu/keys/key_counter.h"
#include "engine/cpu/sequences/position_tuples.h"
#include "engine/cpu/sequences/read_groups.h"
#include "hist/key_code.h"
#include "hist/key_merge.h"

/* The most bytes that the tables of reads of a seat start with; untouched ones
   cost nothing. */
#define READS_BYTES ((size_t)32 << 20)

/* So many elements pass the tables of reads by, if these did not help. */
#define PASSED 65536

struct tuples_counter {
    struct counter counter; /* first: a struct counter * points to it */
    struct key_counts counts;
    bool has_groups;            /* before COUNTS ... */
    struct group_caches groups; /* ... are these, with ... */
    bool has_figures;           /* ... figures instead of bins */
    bool has_reads;             /* or these are, of the seats, with a
                                   count for each tuple */
    bool has_order;             /* ... and whose tuples are made at the end
                                   together, in order */
    struct thread_list reads;   /* of struct read_groups ... */
    enum key_result result;     /* ... that a seat has taken out; under the
                                   lock of the list */
    bool grows;                 /* ranges are found while counting ... */
    struct key_counts folded;   /* ... and then COUNTS are folded to these */
};

struct tuples_seat {
    struct counter_seat seat; /* first: a struct counter_seat * points to it */
    struct tuples_counter *all;
    struct key_counter *keys;
    struct read_groups *reads; /* or NULL ... */
    size_t passing; /* ... and so many elements pass them by, with ... */
    int64_t *ones;  /* ... a count each, of KEY_CODES_BATCH */
    struct group_cache *groups; /* the counter closes it; NULL: none */
    struct text_slice *kept;    /* of records that it has not counted; NULL:
                                   the batch's own, for no other counter */
};

static struct tuples_counter *
tuples_of(struct counter *counter)
{
    return (struct tuples_counter *)counter;
}

static struct tuples_seat *
seat_of(struct counter_seat *seat)
{
    return (struct tuples_seat *)seat;
}

/* Whether ranges of histogram I are found while counting. */
static bool
has_growing(const struct spec *spec, size_t i)
{
    for (size_t d = 0; d < spec_dimensions(spec, i); d++) {
        if (spec_codes_grow(spec, spec_axis_of(spec, i, d)))
            return true;
    }
    return false;
}

static enum key_result
tuples_open(struct counter *counter)
{
    const struct spec *spec = counter->spec;
    size_t i = counter->histogram;
    struct tuples_counter *all = tuples_of(counter);
    bool grows = has_growing(spec, i);
    size_t limit = counter->memory_limit / (1 + grows);

    all->has_groups = group_cache_is_for(spec, i);
    if (all->has_groups)
        group_caches_open(&all->groups, spec, i, &all->counts.memory, limit);
    all->has_figures = all->has_groups && !all->groups.has_bins;
    counter->failure = &all->counts.failure;
    counter->keys = &all->counts;
    all->has_reads = read_groups_are_for(spec, i);
    all->has_order =
        read_groups_have_runs(spec, i) && position_tuples_are_for(spec, i);
    thread_list_open(&all->reads);
    all->result = KEY_OK;
    enum key_result result = key_counts_open(
        &all->counts, counter->threads, limit,
        all->has_reads ? KEY_BRINGS_COUNT : key_listing_bringing(spec));
    if (result != KEY_OK || !grows)
        return result;
    all->grows = true;
    return key_counts_open(&all->folded, 1, limit, key_listing_bringing(spec));
}

static void
tuples_close(struct counter *counter)
{
    struct tuples_counter *all = tuples_of(counter);

    if (all->has_groups)
        group_caches_close(&all->groups);
    key_counts_close(&all->counts);
    thread_list_close(&all->reads);
    if (all->grows)
        key_counts_close(&all->folded);
}

/* ---- one thread ---- */

static void
tuples_leave(struct counter_seat *base)
{
    struct tuples_seat *seat = seat_of(base);

    if (seat->groups != NULL)
        group_cache_leave(seat->groups);
    if (seat->reads != NULL) {
        thread_list_remove(&seat->all->reads,
                           (struct thread_link *)seat->reads);
        read_groups_close(seat->reads);
    }
    if (seat->keys != NULL)
        key_counter_close(seat->keys);
    free(seat->kept);
    free(seat->ones);
    free(seat);
}

/* Returns the bytes of the tables of reads of a seat. */
static size_t
reads_bytes(const struct counter *counter)
{
    size_t bytes = counter->memory_limit / 16 / counter->threads;

    return bytes < READS_BYTES ? bytes : READS_BYTES;
}

static struct counter_seat *
tuples_join(struct counter *counter, const struct counter_buffers *buffers)
{
    struct tuples_counter *all = tuples_of(counter);
    struct tuples_seat *seat = calloc(1, sizeof *seat);
    enum key_result result;

    if (seat == NULL)
        return NULL;
    seat->seat = (struct counter_seat){&count_tuples, buffers};
    seat->all = all;
    seat->keys = key_counter_new(&all->counts, &result);
    if (all->has_groups)
        seat->groups =
            group_cache_new(&all->groups, counter->spec, counter->histogram,
                            seat->keys, &all->counts.hash_key);
    if (all->has_reads)
        seat->reads =
            read_groups_new(counter->spec, counter->histogram,
                            reads_bytes(counter), &all->counts.memory);
    if (seat->reads != NULL)
        thread_list_add(&all->reads, (struct thread_link *)seat->reads);
    if (all->has_reads)
        seat->ones = malloc(KEY_CODES_BATCH * sizeof *seat->ones);
    for (size_t c = 0; seat->ones != NULL && c < KEY_CODES_BATCH; c++)
        seat->ones[c] = 1;
    bool keeps = all->has_groups && spec_histograms(counter->spec) > 1;
    if (keeps)
        seat->kept = malloc(group_cache_kept_bytes(counter->spec));
    if (seat->keys != NULL && all->has_groups == (seat->groups != NULL) &&
        all->has_reads == (seat->reads != NULL) &&
        all->has_reads == (seat->ones != NULL) && keeps == (seat->kept != NULL))
        return &seat->seat;
    tuples_leave(&seat->seat);
    return NULL;
}

/*
 * Move the elements of READS to the tables of keys: through the list KEYS of a
 * thread, or, if KEYS is NULL, while no thread counts.  CODE has room for
 * KEY_CODES_BATCH tuples of CODES.
 */
static enum key_result
move_reads(struct tuples_counter *all, struct read_groups *reads,
           struct key_codes *codes, struct text_slice *code,
           struct key_counter *keys)
{
    const size_t fields = all->counter.spec->text_fields.count;
    enum key_result result = KEY_OK;
    struct read_groups_batch batch;
    size_t made;

    while (result == KEY_OK && read_groups_next(reads, &batch)) {
        for (size_t r = 0; r < batch.elements && result == KEY_OK; r += made) {
            const struct key_weights weights = {.weight = batch.count + r,
                                                .are_counts = true};
            result = key_codes_make(codes, all->counter.histogram, batch.data,
                                    batch.slice + r * fields,
                                    batch.elements - r, code, &made);
            if (result == KEY_OK && keys != NULL)
                result =
                    key_counter_add(keys, codes->byte, code, made, &weights);
            for (size_t c = 0; c < made && result == KEY_OK && keys == NULL;
                 c++) {
                const struct key_amount amount = {
                    .count = (uint64_t)batch.count[r + c]};
                result = key_counter_add_amount(&all->counts,
                                                codes->byte + code[c].at,
                                                code[c].size, &amount);
            }
        }
    }
    return result;
}

/* Count BATCH, from element *DONE on, each with its tuple; at most as many as
   are passing.  Moves *DONE. */
static enum key_result
pass_groups(struct tuples_seat *seat, const struct counter_batch *batch,
            size_t *done)
{
    const struct counter *counter = &seat->all->counter;
    const struct counter_buffers *buffers = seat->seat.buffers;
    const struct key_weights weights = {.weight = seat->ones,
                                        .are_counts = true};
    const size_t left = batch->count - *done;
    size_t made;

    enum key_result result = key_codes_make(
        buffers->codes, counter->histogram, batch->data,
        batch->slice + *done * counter->spec->text_fields.count,
        left < seat->passing ? left : seat->passing, buffers->key, &made);
    if (result == KEY_OK)
        result = key_counter_add(seat->keys, buffers->codes->byte, buffers->key,
                                 made, &weights);
    seat->passing -= made;
    *done += made;
    return result;
}

/* Count the reads or operations of BATCH, in groups. */
static enum key_result
add_groups(struct tuples_seat *seat, const struct counter_batch *batch)
{
    const struct counter_buffers *buffers = seat->seat.buffers;
    const size_t fields = seat->all->counter.spec->text_fields.count;
    enum key_result result = KEY_OK;
    size_t done = 0;

    while (done < batch->count && result == KEY_OK) {
        if (seat->passing > 0) {
            result = pass_groups(seat, batch, &done);
        } else if (read_groups_add_one(seat->reads, batch->data,
                                       batch->slice + done * fields)) {
            done++;
        } else {
            if (!read_groups_are_worth_it(seat->reads))
                seat->passing = PASSED;
            result = move_reads(seat->all, seat->reads, buffers->codes,
                                buffers->key, seat->keys);
        }
    }
    return result;
}

/* Count the bases of the reads of BATCH. */
static enum key_result
add_reads(struct tuples_seat *seat, const struct counter_batch *batch)
{
    const struct counter_buffers *buffers = seat->seat.buffers;
    const size_t fields = seat->all->counter.spec->text_fields.count;
    enum key_result result = KEY_OK;

    for (size_t r = 0; r < batch->count && result == KEY_OK; r++) {
        const struct text_slice *field = batch->slice + r * fields;
        uint32_t first = 0;
        uint32_t before = UINT32_MAX;
        while (result == KEY_OK &&
               !read_groups_add(seat->reads, batch->data, batch->runs, field,
                                &first)) {
            /* Without a base more, empty tables have no room. */
            if (first == before)
                return KEY_NO_MEMORY;
            before = first;
            result = move_reads(seat->all, seat->reads, buffers->codes,
                                buffers->key, seat->keys);
        }
    }
    return result;
}

static void
tuples_settle_seat(struct counter_seat *seat)
{
    struct tuples_counter *all = seat_of(seat)->all;

    if (seat_of(seat)->reads != NULL && !all->has_order) {
        enum key_result result =
            move_reads(all, seat_of(seat)->reads, seat->buffers->codes,
                       seat->buffers->key, seat_of(seat)->keys);
        key_codes_settle(seat->buffers->codes);
        pthread_mutex_lock(&all->reads.lock);
        if (result != KEY_OK)
            all->result = result;
        pthread_mutex_unlock(&all->reads.lock);
    }
    if (seat_of(seat)->groups != NULL && seat_of(seat)->all->groups.has_bins)
        (void)group_bins_settle(seat_of(seat)->groups, NULL);
    key_counter_settle(seat_of(seat)->keys);
}

/* Count the binary records of BATCH. */
static enum key_result
add_samples(struct tuples_seat *seat, const struct counter_batch *batch)
{
    const struct counter *counter = &seat->all->counter;
    const struct counter_buffers *buffers = seat->seat.buffers;
    enum key_result result = KEY_OK;
    size_t count;

    for (size_t r = 0; r < batch->count && result == KEY_OK; r += count) {
        count = key_codes_make_samples(buffers->codes, counter->histogram,
                                       batch->data +
                                           r * counter->spec->record.bytes,
                                       batch->count - r, buffers->key);
        result = key_counter_add(seat->keys, buffers->codes->byte, buffers->key,
                                 count, NULL);
    }
    return result;
}

static enum key_result
tuples_add(struct counter_seat *base, const struct counter_batch *batch)
{
    struct tuples_seat *seat = seat_of(base);
    const struct counter *counter = &seat->all->counter;
    const struct spec *spec = counter->spec;
    const struct counter_buffers *buffers = base->buffers;
    enum key_result result = KEY_OK;
    struct text_slice *slice = seat->kept != NULL ? seat->kept : batch->slice;
    size_t records = batch->count;
    size_t count;

    if (batch->slice == NULL)
        return add_samples(seat, batch);
    if (seat->reads != NULL)
        return read_groups_have_runs(spec, counter->histogram)
                   ? add_reads(seat, batch)
                   : add_groups(seat, batch);
    if (seat->groups != NULL && seat->all->groups.has_bins) {
        result =
            group_bins_add(seat->groups, buffers->codes, batch->data,
                           batch->slice, &records, batch->are_plain, slice);
    } else if (seat->groups != NULL) {
        records = group_cache_add(seat->groups, batch->data, batch->slice,
                                  records, batch->are_plain, slice);
        key_codes_add_numbers(buffers->codes,
                              spec_own_axis(spec, counter->histogram),
                              batch->count - records);
    }
    if (records == batch->count)
        slice = batch->slice;
    for (size_t r = 0; r < records && result == KEY_OK; r += count) {
        struct key_weights weights;
        result = key_codes_make(buffers->codes, counter->histogram, batch->data,
                                slice + r * spec->text_fields.count,
                                records - r, buffers->key, &count);
        if (batch->weights != NULL)
            weights = (struct key_weights){batch->weights->weight + r,
                                           batch->weights->wide,
                                           batch->weights->are_counts};
        if (result == KEY_OK)
            result = key_counter_add(seat->keys, buffers->codes->byte,
                                     buffers->key, count,
                                     batch->weights != NULL ? &weights : NULL);
    }
    return result;
}

/* ---- all threads ---- */

static enum key_result
tuples_add_counted(struct counter *counter,
                   const struct counter_buffers *buffers,
                   const struct counter_batch *batch)
{
    struct key_codes *codes = buffers->codes;
    const struct text_slice *code = buffers->key;
    enum key_result result = KEY_OK;
    size_t made;

    for (size_t r = 0; r < batch->count && result == KEY_OK; r += made) {
        result =
            key_codes_make(codes, counter->histogram, batch->data,
                           batch->slice + r * counter->spec->text_fields.count,
                           batch->count - r, buffers->key, &made);
        for (size_t c = 0; c < made && result == KEY_OK; c++) {
            const struct key_amount amount = {
                .count = key_weights_count(batch->weights, r + c)};
            result = key_counter_add_amount(&tuples_of(counter)->counts,
                                            codes->byte + code[c].at,
                                            code[c].size, &amount);
        }
    }
    return result;
}

static enum key_result
tuples_add_zeros(struct counter *counter, uint64_t count)
{
    const struct key_amount amount = {.count = count};
    unsigned char *record = calloc(1, counter->spec->record.bytes);
    struct key_codes codes;
    struct text_slice code;

    enum key_result result =
        key_codes_open(&codes, counter->spec, counter->ranges);
    if (record == NULL)
        result = KEY_NO_MEMORY;
    if (result == KEY_OK) {
        (void)key_codes_make_samples(&codes, counter->histogram, record, 1,
                                     &code);
        key_codes_settle(&codes);
        result =
            key_counter_add_amount(&tuples_of(counter)->counts,
                                   codes.byte + code.at, code.size, &amount);
    }
    key_codes_close(&codes);
    free(record);
    return result;
}

/* Move the elements of the tables of reads of all seats. */
static enum key_result
settle_reads(struct tuples_counter *all)
{
    struct text_slice *code = calloc(KEY_CODES_BATCH, sizeof *code);
    struct key_codes codes;
    enum key_result result =
        key_codes_open(&codes, all->counter.spec, all->counter.ranges);

    if (code == NULL)
        result = KEY_NO_MEMORY;
    pthread_mutex_lock(&all->reads.lock);
    if (all->result != KEY_OK)
        result = all->result;
    for (struct thread_link *at = all->reads.first;
         at != NULL && result == KEY_OK; at = at->next)
        result = move_reads(all, (struct read_groups *)at, &codes, code, NULL);
    pthread_mutex_unlock(&all->reads.lock);
    if (result == KEY_OK)
        key_codes_settle(&codes);
    key_codes_close(&codes);
    free(code);
    return result;
}

/* Add the elements of the tables of reads of all seats in order.  Returns
   KEY_LIMIT, if this is not possible. */
static enum key_result
put_reads(struct tuples_counter *all)
{
    pthread_mutex_lock(&all->reads.lock);
    enum key_result result =
        all->result != KEY_OK
            ? all->result
            : read_groups_put(&all->reads, all->counter.ranges, &all->counts);
    pthread_mutex_unlock(&all->reads.lock);
    return result;
}

static enum key_result
tuples_settle(struct counter *counter, bool is_counting)
{
    struct tuples_counter *all = tuples_of(counter);
    enum key_result result = KEY_LIMIT;

    key_counter_settle_all(&all->counts);
    if (all->has_order && !is_counting)
        result = put_reads(all);
    if (result == KEY_LIMIT)
        result = all->has_reads ? settle_reads(all) : KEY_OK;
    if (result != KEY_OK)
        return result;
    return all->has_groups && all->groups.has_bins
               ? group_caches_settle_bins(&all->groups, &all->counts)
               : KEY_OK;
}

static uint64_t
tuples_find_range(const struct counter *counter, size_t axis,
                  struct binning_axis *shown)
{
    const struct code_range *range = &counter->ranges->range[axis];

    if (spec_codes_grow(counter->spec, axis))
        lattice_set(shown, &range->extent);
    return range->numbers;
}

/* ---- folding ---- */

struct code_folding {
    const struct spec *spec; /* whose ranges are known */
    size_t histogram;
    struct key_counts *to;
    unsigned char *code; /* ROOM bytes */
    size_t room;
};

/* Write the row of the bin, or flow cell, of NUMBER at AT.  Returns its end. */
static unsigned char *
put_row(const struct binning_axis *axis, double number, unsigned char *at)
{
    const struct binning_tables none = {NULL, NULL};
    uint64_t cell = binning_number_cell(axis, &none, number);

    return key_code_put_cell(at, (uint32_t)axis_row_of(axis, cell));
}

/* Write the folded code of ENTRY, which is not longer than its code.  Returns
   its size. */
static uint32_t
fold_code(const struct code_folding *folding, const struct key_entry *entry)
{
    const struct spec *spec = folding->spec;
    const unsigned char *from = entry->key;
    const unsigned char *end = entry->key + entry->size;
    size_t dimensions = spec_dimensions(spec, folding->histogram);
    unsigned char *to = folding->code;

    for (size_t d = 0; d < dimensions; d++) {
        size_t axis = spec_axis_of(spec, folding->histogram, d);
        bool grows = spec_codes_grow(spec, axis);
        struct key_component component;
        const unsigned char *next = key_code_read(
            from, end, grows ? KEY_REAL : spec_key_kind(spec, axis),
            d + 1 == dimensions, &component);
        assert(next != NULL);
        if (grows && component.tag == KEY_TAG_VALUE) {
            to = put_row(&spec->shown[axis], component.real, to);
        } else {
            memcpy(to, from, (size_t)(next - from));
            to += next - from;
        }
        from = next;
    }
    return (uint32_t)(to - folding->code);
}

/* Add AMOUNT to the key that ENTRY's becomes. */
static enum key_result
fold_entry(struct code_folding *folding, const unsigned char *entry,
           const struct key_amount *amount)
{
    const struct key_entry key = key_entry_key(entry);

    if (key.size > folding->room) {
        free(folding->code);
        folding->room = 0;
        folding->code = malloc((size_t)key.size * 2);
        if (folding->code == NULL)
            return KEY_NO_MEMORY;
        folding->room = (size_t)key.size * 2;
    }
    return key_counter_add_amount(folding->to, folding->code,
                                  fold_code(folding, &key), amount);
}

/* Fold the keys of FROM, all of which are in the tables. */
static enum key_result
fold_tables(struct code_folding *folding, const struct key_counts *from)
{
    enum key_result result = KEY_OK;

    for (size_t p = 0; p < key_counts_partitions(from); p++) {
        const struct key_table *table = &from->partition[p].table;
        struct key_cursor cursor = {0, 0};
        const unsigned char *entry;

        while (result == KEY_OK &&
               (entry = key_table_next(table, &cursor)) != NULL) {
            const struct key_amount amount =
                key_entry_amount(entry, table->sum_bytes);
            result = fold_entry(folding, entry, &amount);
        }
    }
    return result;
}

/* Fold the keys of FROM, which are in runs, too. */
static enum key_result
fold_runs(struct code_folding *folding, struct key_counts *from)
{
    struct error *failure = &folding->to->failure;
    struct key_runs *runs = &from->runs;
    size_t memory = from->memory.limit;
    struct key_merge merge = {0};
    enum key_result result = key_counter_spill(from);

    if (result == KEY_FAILED)
        error_move(failure, &from->failure);
    if (result != KEY_OK)
        return result;
    if (key_merge_reduce(runs, memory, failure) < 0 ||
        key_merge_open(&merge, runs, runs->run, runs->count, memory, true,
                       failure) < 0)
        result = KEY_FAILED;
    while (result == KEY_OK && key_merge_next(&merge))
        result = fold_entry(folding, merge.entry, &merge.amount);
    key_merge_close(&merge);
    return result;
}

/*
 * Move the keys of ALL to its folded tables, which are empty: the codes of bins
 * of SPEC, whose ranges are known.
 */
static enum key_result
fold(struct tuples_counter *all, const struct spec *spec)
{
    struct key_counts *from = &all->counts;
    struct code_folding folding = {
        .spec = spec, .histogram = all->counter.histogram, .to = &all->folded};
    enum key_result result = from->runs.count == 0 ? fold_tables(&folding, from)
                                                   : fold_runs(&folding, from);

    free(folding.code);
    return result;
}

/* ---- lists ---- */

static enum key_result
tuples_list(struct counter *counter, bool is_counting, struct key_names *names)
{
    struct tuples_counter *all = tuples_of(counter);
    struct key_counts *counts = all->grows ? &all->folded : &all->counts;
    enum key_result result = KEY_OK;

    counter->failure = &counts->failure;
    if (all->grows)
        result = fold(all, &names->spec);
    if (result == KEY_OK && all->has_figures)
        result = group_caches_settle(&all->groups, counts);
    if (all->has_figures && all->groups.has_numbers) {
        names->numbers[counter->histogram] =
            (struct group_numbers){&all->groups, group_caches_find};
        names->spec.numbers = names->numbers;
    }
    return result == KEY_OK
               ? key_listing_make(counter, counts, is_counting, names)
               : result;
}

static enum key_result
tuples_make_spectrum(struct counter *counter, bool is_counting,
                     struct key_memory *memory, struct key_array *array,
                     uint64_t *total)
{
    return key_listing_spectrum(
        &tuples_of(counter)->counts, NULL,
        spec_dimensions(counter->spec, counter->histogram), is_counting, memory,
        array, total);
}

static void
tuples_restart(struct counter *counter)
{
    struct tuples_counter *all = tuples_of(counter);

    if (all->has_groups)
        group_caches_restart(&all->groups);
    for (struct thread_link *at = all->reads.first; at != NULL; at = at->next)
        read_groups_restart((struct read_groups *)at);
    all->result = KEY_OK;
    key_counter_restart_all(&all->counts);
    if (all->grows)
        key_counter_restart_all(&all->folded);
    counter->failure = &all->counts.failure;
}

static void
tuples_add_use(const struct counter *counter, struct counter_use *use)
{
    const struct tuples_counter *all = (const struct tuples_counter *)counter;

    if (all->grows)
        key_listing_add_use(&all->folded, use);
}

const struct counter_type count_tuples = {
    .bytes = sizeof(struct tuples_counter),
    .open = tuples_open,
    .close = tuples_close,
    .join = tuples_join,
    .add = tuples_add,
    .settle_seat = tuples_settle_seat,
    .leave = tuples_leave,
    .add_counted = tuples_add_counted,
    .add_zeros = tuples_add_zeros,
    .settle = tuples_settle,
    .find_range = tuples_find_range,
    .list = tuples_list,
    .make_spectrum = tuples_make_spectrum,
    .restart = tuples_restart,
    .add_use = tuples_add_use,
};
