/* SPDX-License-Identifier: MIT */
/* count_kmers.c -- the counter of the k-mers in the windows of sequences */

#include <stdlib.h>

#include "engine/cpu/fields/counters.h"
#include "engine/cpu/fields/key_listing.h"
#include "engine/cpu/kmers/kmer_counter.h"
#include "engine/cpu/kmers/kmer_list.h"

struct kmers_counter {
    struct counter counter; /* first: a struct counter * points to it */
    struct kmer_counts counts;
    uint64_t broken; /* windows; set by settle() */
};

struct kmers_seat {
    struct counter_seat seat; /* first: a struct counter_seat * points to it */
    struct kmer_counter *kmers;
};

static struct kmers_counter *
kmers_of(struct counter *counter)
{
    return (struct kmers_counter *)counter;
}

static enum key_result
kmers_open(struct counter *counter)
{
    const struct spec *spec = counter->spec;
    struct kmers_counter *kmers = kmers_of(counter);
    const struct kmer_codes codes =
        kmer_codes_of(spec->text.kmer, spec->text.is_canonical != 0);
    bool has_cells = !counter->counted->is_listed;

    counter->failure = &kmers->counts.failure;
    enum key_result result =
        kmer_counts_open(&kmers->counts, &codes, counter->threads, has_cells,
                         counter->memory_limit);
    if (result == KEY_OK && has_cells && !spec->shows_all)
        kmer_counts_list_few(&kmers->counts);
    return result;
}

static void
kmers_close(struct counter *counter)
{
    kmer_counts_close(&kmers_of(counter)->counts);
}

/* ---- one thread ---- */

static struct counter_seat *
kmers_join(struct counter *counter, const struct counter_buffers *buffers)
{
    struct kmers_seat *seat = calloc(1, sizeof *seat);

    if (seat == NULL)
        return NULL;
    seat->seat = (struct counter_seat){&count_kmers, buffers};
    seat->kmers = kmer_counter_new(&kmers_of(counter)->counts);
    if (seat->kmers != NULL)
        return &seat->seat;
    free(seat);
    return NULL;
}

static enum key_result
kmers_add(struct counter_seat *base, const struct counter_batch *batch)
{
    struct kmers_seat *seat = (struct kmers_seat *)base;
    enum key_result result = KEY_OK;

    for (size_t r = 0; r < batch->count && result == KEY_OK; r++)
        result = kmer_counter_add(seat->kmers, batch->data + batch->slice[r].at,
                                  batch->slice[r].size);
    return result;
}

static void
kmers_leave(struct counter_seat *base)
{
    struct kmers_seat *seat = (struct kmers_seat *)base;

    kmer_counter_close(seat->kmers);
    free(seat);
}

/* ---- all threads ---- */

static void
kmers_add_cells(struct counter *counter, uint64_t *cell, uint64_t none)
{
    kmer_counter_add_table(&kmers_of(counter)->counts, cell, none);
}

static enum key_result
kmers_settle(struct counter *counter, bool is_counting)
{
    struct kmers_counter *kmers = kmers_of(counter);

    (void)is_counting;
    return kmer_counter_settle_all(&kmers->counts, &kmers->broken);
}

static enum key_result
kmers_list(struct counter *counter, bool is_counting, struct key_names *names)
{
    struct kmer_counts *counts = &kmers_of(counter)->counts;
    size_t i = counter->histogram;

    /* Snapshots are subtracted key by key. */
    counts->has_snapshots |= is_counting;
    bool is_by_count = counter->spec->ranks_keys && !counts->has_snapshots;
    if (kmer_counts_are_cells(counts))
        return KEY_OK;
    spec_list_kmers(&names->spec, i);
    return kmer_list_make(counts, is_counting,
                          is_by_count ? KEY_RUN_BY_COUNT : KEY_RUN_BY_KEY,
                          &names->array[i], &names->file[i], &names->list[i]);
}

static enum key_result
kmers_make_spectrum(struct counter *counter, bool is_counting,
                    struct key_memory *memory, struct key_array *array,
                    uint64_t *total)
{
    struct kmers_counter *kmers = kmers_of(counter);
    enum key_result result = key_listing_spectrum(
        NULL, &kmers->counts, 1, is_counting, memory, array, total);

    *total += kmers->broken;
    return result;
}

static void
kmers_put(struct counter *counter, bool is_counting,
          const struct key_names *names, struct histogram *sum, uint64_t base)
{
    struct kmers_counter *kmers = kmers_of(counter);
    const struct spec *spec = &names->spec;
    const struct binning_axis *axis =
        &spec->shown[spec_own_axis(spec, counter->histogram)];

    if (kmer_counts_are_cells(&kmers->counts))
        kmer_counts_put(&kmers->counts, is_counting, spec_histograms(spec) == 1,
                        sum, base);
    sum->value[base + axis_special_cell(axis, AXIS_INVALID)] = kmers->broken;
}

static void
kmers_restart(struct counter *counter)
{
    kmer_counter_restart_all(&kmers_of(counter)->counts);
    kmers_of(counter)->broken = 0;
}

static void
kmers_add_use(const struct counter *counter, struct counter_use *use)
{
    const struct kmer_counts *counts =
        &((const struct kmers_counter *)counter)->counts;

    use->memory += atomic_load(&counts->memory.used);
    use->spills += kmer_counts_spills(counts);
    use->spilled_bytes += atomic_load(&counts->spilled_bytes);
}

const struct counter_type count_kmers = {
    .bytes = sizeof(struct kmers_counter),
    .takes_runs = true,
    .open = kmers_open,
    .close = kmers_close,
    .join = kmers_join,
    .add = kmers_add,
    .leave = kmers_leave,
    .add_cells = kmers_add_cells,
    .settle = kmers_settle,
    .list = kmers_list,
    .make_spectrum = kmers_make_spectrum,
    .put = kmers_put,
    .restart = kmers_restart,
    .add_use = kmers_add_use,
};
