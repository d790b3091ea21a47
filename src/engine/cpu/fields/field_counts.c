/* SPDX-License-Identifier: MIT */
/*
 * field_counts.c -- the counts of fields of a run, which its CPU threads share
 */

#include <stdlib.h>

#include "engine/cpu/fields/counters.h"
#include "engine/cpu/fields/field_counts.h"
#include "engine/cpu/fields/key_listing.h"
#include "engine/cpu/sequences/sequence_fold.h"
#include "hist/key_list.h"
#include "hist/number_check.h"

/* Set *ERROR to FAILURE of a temporary file.  Returns -1. */
static int
fail_in_files(const struct error *failure, struct error *error)
{
    error_set(error, failure->status, "keys beyond --memory-limit: %s",
              failure->text);
    return -1;
}

int
field_counts_fail(enum key_result result, const struct field_counts *fields,
                  const struct error *failure, struct error *error)
{
    if (result == KEY_FAILED && failure != NULL)
        return fail_in_files(failure, error);
    if (result != KEY_LIMIT)
        return error_fail_memory(error);
    error_set(error, EXIT_DATA,
              "a key does not fit into --memory-limit: the tables of keys may "
              "take %zu bytes",
              fields->memory_limit);
    return -1;
}

/* There is no room for the tables, or for one thread.  Returns -1. */
static int
fail_to_open(enum key_result result, const struct field_counts *fields,
             struct error *error)
{
    if (result != KEY_LIMIT)
        return field_counts_fail(result, fields, NULL, error);
    error_set(
        error, EXIT_DATA,
        "the tables of keys do not fit into --memory-limit: they may take "
        "%zu bytes",
        fields->memory_limit);
    return -1;
}

/* ---- opening and closing ---- */

/* Of COUNTED_CELLS, engine_cpu.h counts. */
static const struct counter_type *const types[] = {
    [COUNTED_NUMBERS] = &count_numbers, [COUNTED_JOINT] = &count_numbers,
    [COUNTED_KEYS] = &count_keys,       [COUNTED_TUPLES] = &count_tuples,
    [COUNTED_KMERS] = &count_kmers,     [COUNTED_SUMS] = &count_sums,
};

static bool
is_by_position(const struct spec *spec, size_t i)
{
    return spec->kind == SPEC_SEQUENCES && spec->histogram[i].is_listed &&
           spec->histogram[i].unit == SEQUENCE_BASES &&
           spec_has_part(spec, i, TEXT_PART_POSITION);
}

/* A histogram of bases by position, which has millions of tuples if reads are
   long, has so many shares of the memory for keys; others with a list of keys
   have one.  If a thread had less than SHARE_MIN of a share, all have one. */
#define POSITION_SHARES 3
#define SHARE_MIN ((size_t)16 << 20)

/* Returns the memory for the keys of histogram I. */
static size_t
memory_of(const struct field_counts *fields, size_t i)
{
    const struct spec *spec = fields->spec;
    size_t lists = 0;
    size_t shares = 0;

    for (size_t h = 0; h < spec_histograms(spec); h++) {
        lists += spec->histogram[h].is_listed;
        shares += is_by_position(spec, h) ? POSITION_SHARES
                                          : spec->histogram[h].is_listed;
    }
    if (lists == 0)
        return fields->memory_limit;
    const size_t share = fields->memory_limit / shares;
    if (share / fields->threads < SHARE_MIN)
        return fields->memory_limit / lists;
    return is_by_position(spec, i) ? POSITION_SHARES * share : share;
}

/* Open the counter of histogram I. */
static enum key_result
open_counter(struct field_counts *fields, size_t i)
{
    const struct counted_histogram *counted = &fields->spec->histogram[i];
    const struct counter_type *type = types[counted->kind];
    struct counter *counter = calloc(1, type->bytes);

    if (counter == NULL)
        return KEY_NO_MEMORY;
    *counter = (struct counter){
        .type = type,
        .spec = fields->spec,
        .histogram = i,
        .counted = counted,
        .threads = fields->threads,
        .memory_limit = memory_of(fields, i),
        .ranges = &fields->ranges,
    };
    fields->counter[fields->counters++] = counter;
    return type->open(counter);
}

/* Prepare to find the fields of text.  Returns 0, or -1 with *ERROR set. */
static int
open_scan(struct field_counts *fields, struct error *error)
{
    const struct spec *spec = fields->spec;

    if (!spec->text.is_derived)
        return scan_open(&fields->scan, &spec->text, &spec->text_fields, error);
    if (derive_plan_open(&fields->derive, &spec->text, &spec->text_fields) < 0)
        return fail_to_open(KEY_NO_MEMORY, fields, error);
    return scan_open(&fields->scan, &fields->derive.format,
                     &fields->derive.source, error);
}

int
field_counts_open(struct field_counts *fields, const struct spec *spec,
                  unsigned int threads, size_t memory_limit,
                  struct error *error)
{
    *fields = (struct field_counts){
        .spec = spec, .threads = threads, .memory_limit = memory_limit};
    pthread_mutex_init(&fields->lock, NULL);
    key_memory_open(&fields->spectrum_memory, SIZE_MAX);
    bool has_ranges = code_ranges_open(&fields->ranges, spec) == 0;
    if (spec->kind == SPEC_SEQUENCES &&
        sequence_counts_open(&fields->sequences, spec, threads, memory_limit) <
            0)
        return fail_to_open(KEY_NO_MEMORY, fields, error);
    if (spec->kind == SPEC_SEQUENCES && spec->text.is_derived &&
        derive_plan_open_in_place(&fields->derive, &spec->text,
                                  &spec->text_fields) < 0)
        return fail_to_open(KEY_NO_MEMORY, fields, error);
    if (spec->kind == SPEC_FIELDS && open_scan(fields, error) < 0)
        return -1;
    size_t histograms = spec_histograms(spec);
    fields->counter = calloc(histograms, sizeof(struct counter *));
    if (!has_ranges || fields->counter == NULL ||
        first_values_open(&fields->first, spec) < 0)
        return fail_to_open(KEY_NO_MEMORY, fields, error);
    for (size_t i = 0; i < histograms; i++) {
        enum key_result result = open_counter(fields, i);
        if (result != KEY_OK)
            return fail_to_open(result, fields, error);
    }
    return 0;
}

void
field_counts_restart(struct field_counts *fields)
{
    for (size_t i = 0; i < fields->counters; i++)
        fields->counter[i]->type->restart(fields->counter[i]);
    code_ranges_restart(&fields->ranges, fields->spec);
    first_values_restart(&fields->first);
    for (int u = 0; u < COUNTED_UNITS; u++)
        atomic_store(&fields->elements[u], 0);
    atomic_store(&fields->bytes, 0);
    atomic_store(&fields->overflows, false);
    atomic_store(&fields->unweighted, 0);
    atomic_store(&fields->left_out, 0);
    for (int c = 0; c < ALIGNMENT_CHECKSUMS; c++)
        atomic_store(&fields->checksum[c], 0);
    atomic_store(&fields->met, 0);
    atomic_store(&fields->fulfilled, 0);
    atomic_store(&fields->matches, false);
    misfits_move(&fields->all_misfits, &fields->misfits);
}

void
field_counts_close(struct field_counts *fields)
{
    for (size_t i = 0; i < fields->counters; i++) {
        fields->counter[i]->type->close(fields->counter[i]);
        free(fields->counter[i]);
    }
    free(fields->counter);
    first_values_close(&fields->first);
    misfits_close(&fields->misfits);
    misfits_close(&fields->all_misfits);
    code_ranges_close(&fields->ranges);
    key_memory_close(&fields->spectrum_memory);
    pthread_mutex_destroy(&fields->lock);
    sequence_counts_close(&fields->sequences);
    scan_close(&fields->scan);
    derive_plan_close(&fields->derive);
}

/* ---- while threads count ---- */

/* Add COUNT to *SUM, of FIELDS. */
static void
add_to_sum(struct field_counts *fields, atomic_uint_fast64_t *sum,
           uint64_t count)
{
    uint64_t before = atomic_fetch_add(sum, count);

    if (before + count < before)
        atomic_store(&fields->overflows, true);
}

void
field_counts_tell(struct field_counts *fields, uint64_t count,
                  uint64_t left_out)
{
    add_to_sum(fields, &fields->elements[SEQUENCE_READS], count - left_out);
    add_to_sum(fields, &fields->left_out, left_out);
}

void
field_counts_tell_elements(struct field_counts *fields, size_t unit,
                           uint64_t count)
{
    add_to_sum(fields, &fields->elements[unit], count);
}

uint64_t
field_counts_keys(struct field_counts *fields)
{
    uint64_t keys = 0;

    for (size_t i = 0; i < fields->counters; i++) {
        struct counter *counter = fields->counter[i];
        if (counter->keys != NULL)
            keys += key_counts_look(counter->keys);
    }
    return keys;
}

/* ---- while no thread counts ---- */

int
field_counts_add_zeros(struct field_counts *fields, uint64_t records,
                       struct error *error)
{
    for (size_t i = 0; i < fields->counters; i++) {
        struct counter *counter = fields->counter[i];
        enum key_result result = counter->type->add_zeros(counter, records);
        if (result != KEY_OK)
            return field_counts_fail(result, fields, counter->failure, error);
    }
    atomic_fetch_add(&fields->elements[SEQUENCE_READS], records);
    atomic_fetch_add(&fields->bytes, records * fields->spec->record.bytes);
    return 0;
}

/* Returns the memory and the files of all counters. */
static struct counter_use
find_use(const struct field_counts *fields)
{
    struct counter_use use = {0};

    for (size_t i = 0; i < fields->counters; i++) {
        const struct counter *counter = fields->counter[i];
        if (counter->keys != NULL)
            key_listing_add_use(counter->keys, &use);
        if (counter->type->add_use != NULL)
            counter->type->add_use(counter, &use);
    }
    return use;
}

uint64_t
field_counts_spills(const struct field_counts *fields, uint64_t *bytes)
{
    struct counter_use use = find_use(fields);

    *bytes = use.spilled_bytes;
    return use.spills;
}

/* Let all counters add up what the threads have counted.  Returns 0, or -1 with
   *ERROR set. */
static int
settle(struct field_counts *fields, bool is_counting, struct error *error)
{
    for (size_t i = 0; i < fields->counters; i++) {
        struct counter *counter = fields->counter[i];
        enum key_result result = counter->type->settle(counter, is_counting);
        if (result != KEY_OK)
            return field_counts_fail(result, fields, counter->failure, error);
    }
    return 0;
}

/*
 * Set the ranges of the axes of NAMES that have numbers.  Unless IS_COUNTING,
 * each such axis must have counted a number.  Returns 0, or -1 with *ERROR set.
 */
static int
find_ranges(struct field_counts *fields, bool is_counting,
            struct key_names *names, struct error *error)
{
    const struct spec *spec = fields->spec;

    for (size_t i = 0; i < spec->axis_count; i++) {
        const struct counter *counter =
            fields->counter[spec_histogram_of(spec, i)];
        struct binning_axis *shown = &names->spec.shown[i];
        if (!shown->is_text && spec->kind != SPEC_SAMPLES)
            continue;
        uint64_t numbers = counter->type->find_range(counter, i, shown);
        /* Another part of the inputs may have numbers. */
        if (!is_counting && !spec->is_part &&
            number_check(spec, i, numbers,
                         atomic_load(&fields->elements[counter->counted->unit]),
                         first_values_of(&fields->first, i), error) < 0)
            return -1;
    }
    return 0;
}

/*
 * Give NAMES the multiplicities of histogram I as its keys.  All elements with
 * a key must be in the spectrum.  Returns 0, or -1 with *ERROR set.
 */
static int
make_spectrum(struct field_counts *fields, size_t i, bool is_counting,
              struct key_names *names, struct error *error)
{
    struct counter *counter = fields->counter[i];
    uint64_t elements =
        atomic_load(&fields->elements[fields->spec->histogram[i].unit]);
    uint64_t total = 0;
    enum key_result result = counter->type->make_spectrum(
        counter, is_counting, &fields->spectrum_memory, &names->array[i],
        &total);

    if (result != KEY_OK)
        return field_counts_fail(result, fields, counter->failure, error);
    names->list[i] = key_array_list(&names->array[i]);
    spec_show_spectrum(&names->spec, i);
    if (total == elements)
        return 0;
    error_set(error, EXIT_DATA,
              "internal error: the spectrum has %llu of %llu elements",
              (unsigned long long)total, (unsigned long long)elements);
    return -1;
}

/* List the keys of histogram I for NAMES, if the histogram has a list.  Returns
   0, or -1 with *ERROR set. */
static int
list_keys(struct field_counts *fields, size_t i, bool is_counting,
          struct key_names *names, struct error *error)
{
    struct counter *counter = fields->counter[i];

    if (fields->spec->is_spectrum)
        return make_spectrum(fields, i, is_counting, names, error);
    enum key_result result = counter->type->list(counter, is_counting, names);
    return result == KEY_OK
               ? 0
               : field_counts_fail(result, fields, counter->failure, error);
}

/* Open a histogram of SPEC.  Returns 0, or -1 with *ERROR set. */
static int
open_counts(struct histogram *histogram, const struct spec *spec,
            bool is_mapped, struct error *error)
{
    uint64_t cells = spec->shown_cells;
    struct error failure = ERROR_NONE;

    if (is_mapped) {
        int result =
            histogram_open_mapped(histogram, cells, spec->planes, &failure);
        if (result < 0)
            fail_in_files(&failure, error);
        error_clear(&failure);
        return result;
    }
    if (histogram_open(histogram, cells, spec->planes) == 0)
        return 0;
    return error_fail_memory(error);
}

/*
 * Whether the histogram of SPEC, which has weights, should be in a file: the
 * memory that the tables leave is too small.
 */
static bool
is_too_large(const struct field_counts *fields, const struct spec *spec)
{
    uint64_t bytes = spec->shown_cells * spec->planes * sizeof(uint64_t);

    return spec->has_weights &&
           find_use(fields).memory + bytes > fields->memory_limit;
}

/* Set the counts, and the sums of weights, of histogram I. */
static void
set_counts(const struct field_counts *fields, size_t i, bool is_counting,
           const struct key_names *names, struct histogram *sum)
{
    struct counter *counter = fields->counter[i];
    uint64_t base = spec_first_cell(&names->spec, i);

    key_list_put_counts(&names->list[i], sum, base, fields->threads);
    if (!fields->spec->is_spectrum && counter->type->put != NULL)
        counter->type->put(counter, is_counting, names, sum, base);
}

/* Add what the dense tables of sequences have to the histograms, as elements or
   as tuples in ORDER.  Returns 0, or -1 with *ERROR set. */
static int
fold_sequences(struct field_counts *fields, enum sequence_order order,
               struct error *error)
{
    size_t failed = 0;

    if (!fields->sequences.is_used)
        return 0;
    enum key_result result =
        sequence_fold(&fields->sequences, fields->spec, &fields->ranges,
                      fields->counter, order, &failed);
    return result == KEY_OK
               ? 0
               : field_counts_fail(result, fields,
                                   fields->counter[failed]->failure, error);
}

/* Add the dense tables of sequences, and what the threads have counted, to the
   tables of all counters.  Returns 0, or -1 with *ERROR set. */
static int
add_all(struct field_counts *fields, bool is_counting, struct error *error)
{
    if (fields->sequences.is_used &&
        sequence_counts_settle(&fields->sequences) < 0)
        return field_counts_fail(KEY_NO_MEMORY, fields, NULL, error);
    /* Tuples in order follow all others. */
    if (fold_sequences(fields, is_counting ? SEQUENCE_ALL : SEQUENCE_UNORDERED,
                       error) < 0 ||
        settle(fields, is_counting, error) < 0 ||
        (!is_counting && fold_sequences(fields, SEQUENCE_ORDERED, error) < 0))
        return -1;
    sequence_counts_clear(&fields->sequences);
    return 0;
}

int
field_counts_finish(struct field_counts *fields, bool is_counting,
                    struct snapshot *counts, struct error *error)
{
    struct key_names *names = key_names_new(fields->spec);
    bool is_mapped = false;

    counts->names = names;
    if (names == NULL)
        return field_counts_fail(KEY_NO_MEMORY, fields, NULL, error);
    if (atomic_load(&fields->overflows)) {
        error_set(error, EXIT_DATA,
                  "the counts add up to more than 18446744073709551615");
        return -1;
    }
    /* Another part of the inputs may have lines that fit. */
    if (!is_counting && !fields->spec->is_part &&
        misfits_check(&fields->misfits, &fields->spec->text,
                      atomic_load(&fields->elements[SEQUENCE_READS]) +
                          atomic_load(&fields->left_out),
                      error) < 0)
        return -1;
    if (add_all(fields, is_counting, error) < 0 ||
        find_ranges(fields, is_counting, names, error) < 0)
        return -1;
    for (size_t i = 0; i < fields->counters; i++) {
        if (list_keys(fields, i, is_counting, names, error) < 0)
            return -1;
        is_mapped |= names->list[i].is_mapped;
    }
    key_names_complete(names);
    is_mapped |= is_too_large(fields, &names->spec);
    if (open_counts(&counts->histogram, &names->spec, is_mapped, error) < 0)
        return -1;
    for (size_t i = 0; i < fields->counters; i++)
        set_counts(fields, i, is_counting, names, &counts->histogram);
    counts->spec = &names->spec;
    counts->bytes = atomic_load(&fields->bytes);
    for (int u = 0; u < COUNTED_UNITS; u++)
        counts->elements[u] = atomic_load(&fields->elements[u]);
    counts->unweighted = atomic_load(&fields->unweighted);
    counts->left_out = atomic_load(&fields->left_out);
    for (int c = 0; c < ALIGNMENT_CHECKSUMS; c++)
        counts->checksum[c] = atomic_load(&fields->checksum[c]);
    counts->met = atomic_load(&fields->met);
    counts->fulfilled = atomic_load(&fields->fulfilled);
    counts->matches = atomic_load(&fields->matches);
    return 0;
}
