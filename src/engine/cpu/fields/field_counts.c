/* field_counts.c -- the tables of keys of a run, which its CPU threads share */

#include <stdlib.h>
#include <string.h>

#include "engine/cpu/fields/field_counts.h"
#include "engine/cpu/fields/key_spectrum.h"
#include "engine/cpu/keys/key_fold.h"
#include "engine/cpu/kmers/kmer_counter.h"
#include "engine/cpu/kmers/kmer_list.h"
#include "engine/cpu/sequences/sequence_fold.h"
#include "hist/key_amounts.h"
#include "hist/key_top.h"
#include "hist/number_check.h"
#include "hist/sum.h"

/* Set *ERROR to FAILURE of a temporary file.  Returns -1. */
static int
fail_in_files(const struct error *failure, struct error *error)
{
    error_set(error, failure->status, "keys beyond --memory-limit: %s",
              failure->text);
    return -1;
}

int
field_counts_fail(enum key_result result, const struct field_counts *sharing,
                  const struct error *failure, struct error *error)
{
    if (result == KEY_FAILED && failure != NULL)
        return fail_in_files(failure, error);
    if (result != KEY_LIMIT)
        return error_fail_memory(error);
    error_set(error, EXIT_DATA,
              "a key does not fit into --memory-limit: the tables of keys may "
              "take %zu bytes",
              sharing->memory_limit);
    return -1;
}

/* There is no room for the tables, or for one thread.  Returns -1. */
static int
fail_to_open(enum key_result result, const struct field_counts *sharing,
             struct error *error)
{
    if (result != KEY_LIMIT)
        return field_counts_fail(result, sharing, NULL, error);
    error_set(
        error, EXIT_DATA,
        "the tables of keys do not fit into --memory-limit: they may take "
        "%zu bytes",
        sharing->memory_limit);
    return -1;
}

uint64_t
field_counts_keys(struct field_counts *sharing)
{
    uint64_t keys = 0;

    for (size_t i = 0; i < sharing->fields; i++) {
        if (sharing->field[i].has_keys)
            keys += key_counts_look(&sharing->field[i].counts);
    }
    return keys;
}

/* The number of histograms with tables of keys. */
static size_t
key_histograms(const struct spec *spec)
{
    size_t count = 0;

    for (size_t i = 0; i < spec_histograms(spec); i++)
        count += spec_has_list(spec, i);
    return count;
}

/* Whether ranges of histogram I, which is sparse, are found while counting. */
static bool
has_growing(const struct spec *spec, size_t i)
{
    for (size_t d = 0; d < spec_dimensions(spec, i); d++) {
        if (spec_codes_grow(spec, spec_axis_of(spec, i, d)))
            return true;
    }
    return false;
}

static enum key_bringing
bringing_of(const struct spec *spec)
{
    if (spec->has_weights)
        return KEY_BRINGS_WEIGHT;
    return spec_has_counts(spec) ? KEY_BRINGS_COUNT : KEY_BRINGS_NOTHING;
}

/* Open what counts the tuples of histogram I, which is sparse. */
static enum key_result
open_tuples(struct field_counts *sharing, size_t i)
{
    const struct spec *spec = sharing->spec;
    struct key_field *field = &sharing->field[i];
    bool grows = has_growing(spec, i);
    size_t limit = sharing->memory_limit / key_histograms(spec) / (1 + grows);

    field->has_groups = group_cache_is_for(spec, i);
    if (field->has_groups)
        group_caches_open(&field->groups);
    field->has_keys = true;
    enum key_result result = key_counts_open(&field->counts, sharing->threads,
                                             limit, bringing_of(spec));
    if (result != KEY_OK || !grows)
        return result;
    field->has_folded = true;
    return key_counts_open(&field->folded, 1, limit, bringing_of(spec));
}

/* Open what counts for histogram I. */
static enum key_result
open_field(struct field_counts *sharing, size_t i)
{
    const struct spec *spec = sharing->spec;
    struct key_field *field = &sharing->field[i];
    size_t own = spec_own_axis(spec, i);
    enum key_result result = KEY_OK;

    if (spec_is_sparse(spec, i))
        return open_tuples(sharing, i);
    if (spec_counts_kmers(spec, i)) {
        const struct kmer_codes codes =
            kmer_codes_of(spec->text.kmer, spec->text.is_canonical != 0);
        /* Dense tables are no list. */
        size_t lists = key_histograms(spec);
        field->has_kmers = true;
        result = kmer_counts_open(
            &field->kmers, &codes, sharing->threads, !spec_has_list(spec, i),
            sharing->memory_limit / (lists > 0 ? lists : 1));
        if (result == KEY_OK && !spec_has_list(spec, i) && !spec->shows_all)
            kmer_counts_list_few(&field->kmers);
        return result;
    }
    if (spec_dimensions(spec, i) > 1) {
        field->has_joint = true;
        return joint_counts_open(&field->joint, spec) == 0 ? KEY_OK
                                                           : KEY_NO_MEMORY;
    }
    if (spec->shown[own].is_text || !spec->is_text) {
        field->has_numbers = true;
        if (number_counts_open(&field->numbers, spec, own) < 0)
            return KEY_NO_MEMORY;
    }
    if (axis_is_key(&spec->shown[own])) {
        field->has_keys = true;
        result = key_counts_open(&field->counts, sharing->threads,
                                 sharing->memory_limit / key_histograms(spec),
                                 bringing_of(spec));
    }
    return result;
}

int
field_counts_open(struct field_counts *sharing, const struct spec *spec,
                  unsigned int threads, size_t memory_limit,
                  struct error *error)
{
    *sharing = (struct field_counts){
        .spec = spec, .threads = threads, .memory_limit = memory_limit};
    pthread_mutex_init(&sharing->lock, NULL);
    key_memory_open(&sharing->spectrum_memory, SIZE_MAX);
    bool has_ranges = code_ranges_open(&sharing->ranges, spec) == 0;
    bool is_sequences = spec_is_sequences(spec);
    if (is_sequences && sequence_counts_open(&sharing->sequences, spec, threads,
                                             memory_limit) < 0)
        return fail_to_open(KEY_NO_MEMORY, sharing, error);
    if (spec->is_text && !is_sequences &&
        scan_open(&sharing->scan, &spec->text, &spec->text_fields, error) < 0)
        return -1;
    size_t histograms = spec_histograms(spec);
    sharing->field = calloc(histograms, sizeof *sharing->field);
    if (!has_ranges || sharing->field == NULL ||
        first_values_open(&sharing->first, spec) < 0)
        return fail_to_open(KEY_NO_MEMORY, sharing, error);
    while (sharing->fields < histograms) {
        enum key_result result = open_field(sharing, sharing->fields++);
        if (result != KEY_OK)
            return fail_to_open(result, sharing, error);
    }
    return 0;
}

/* Add COUNT to *SUM, of SHARING. */
static void
add_to_sum(struct field_counts *sharing, atomic_uint_fast64_t *sum,
           uint64_t count)
{
    uint64_t before = atomic_fetch_add(sum, count);

    if (before + count < before)
        atomic_store(&sharing->overflows, true);
}

void
field_counts_tell(struct field_counts *sharing, uint64_t count,
                  uint64_t left_out)
{
    add_to_sum(sharing, &sharing->elements[SEQUENCE_READS], count - left_out);
    add_to_sum(sharing, &sharing->left_out, left_out);
}

/*
 * Add up the numbers of all axes for NAMES, which get the ranges.  Unless
 * IS_COUNTING, each axis must have numbers.  Returns 0, or -1 with *ERROR set.
 */
static int
settle_numbers(struct field_counts *sharing, bool is_counting,
               struct key_names *names, struct error *error)
{
    const struct spec *spec = sharing->spec;

    for (size_t i = 0; i < spec->axis_count; i++) {
        struct binning_axis *shown = &names->spec.shown[i];
        const struct code_range *range = &sharing->ranges.range[i];
        struct key_field *field = &sharing->field[spec_histogram_of(spec, i)];
        uint64_t numbers = range->numbers;
        bool is_settled = true;

        if (!shown->is_text && spec->is_text)
            continue;
        if (spec_codes_grow(spec, i)) {
            lattice_set(shown, &range->extent);
        } else if (field->has_joint) {
            is_settled = i > 0 || joint_counts_settle(&field->joint) == 0;
            *shown = field->joint.table.spec.counted[i];
            numbers = field->joint.table.axis[i].numbers;
        } else if (field->has_numbers) {
            is_settled = number_counts_settle(&field->numbers) == 0;
            numbers = field->numbers.table.numbers;
            if (!axis_is_key(shown))
                *shown = field->numbers.table.axis;
        }
        if (!is_settled)
            return field_counts_fail(KEY_NO_MEMORY, sharing, NULL, error);
        /* Another part of the inputs may have numbers. */
        if (!is_counting && !spec->is_part &&
            number_check(spec, i, numbers,
                         atomic_load(&sharing->elements[SEQUENCE_READS]),
                         first_values_of(&sharing->first, i), error) < 0)
            return -1;
    }
    return 0;
}

/*
 * Sort the keys of histogram I, which are in runs, too, for NAMES.  Returns 0,
 * or -1 with *ERROR set.
 */
static int
sort_in_files(struct field_counts *sharing, size_t i, bool is_counting,
              struct key_counts *counts, struct key_names *names,
              struct error *error)
{
    enum key_result result = key_counter_spill(counts);

    if (result != KEY_OK)
        return field_counts_fail(result, sharing, &counts->failure, error);
    /* Snapshots are subtracted key by key, and groups are in order. */
    bool is_by_count = sharing->spec->ranks_keys &&
                       !spec_is_sparse(sharing->spec, i) &&
                       !counts->has_snapshots;
    if (key_file_open(&names->file[i], &counts->runs,
                      is_by_count ? KEY_RUN_BY_COUNT : KEY_RUN_BY_KEY,
                      sharing->threads, counts->memory.limit, !is_counting,
                      &names->list[i], &counts->failure) == 0)
        return 0;
    return fail_in_files(&counts->failure, error);
}

/*
 * Put the keys of histogram I, which are in the tables of COUNTS, in order for
 * NAMES.
 */
static enum key_result
sort_in_memory(const struct field_counts *sharing, size_t i,
               struct key_counts *counts, struct key_names *names)
{
    const struct spec *spec = sharing->spec;
    size_t keys = key_counts_keys(counts);
    uint64_t top = spec->top_keys < SIZE_MAX ? spec->top_keys : 0;
    struct key_order *order = &names->order[i];
    enum key_result result = KEY_LIMIT;

    /* Snapshots are subtracted key by key, and groups are in order. */
    if (spec_is_sparse(spec, i) || counts->has_snapshots ||
        !key_top_is_useful((size_t)top, keys, sharing->threads))
        top = 0;
    if (top > 0)
        result = key_counts_top(counts, (size_t)top, sharing->threads, order);
    if (result == KEY_LIMIT) {
        if (top > 0)
            key_order_close(order);
        top = 0;
        result = key_counts_order(counts, sharing->threads, order);
    }
    if (result == KEY_OK) {
        key_names_list(names, i);
        names->list[i].top = top;
    }
    return result;
}

/* Sort the keys of histogram I for NAMES.  Returns 0, or -1 with *ERROR set. */
static int
sort_keys(struct field_counts *sharing, size_t i, bool is_counting,
          struct key_names *names, struct error *error)
{
    struct key_field *field = &sharing->field[i];
    struct key_counts *counts =
        field->has_folded ? &field->folded : &field->counts;
    enum key_result result =
        field->has_folded
            ? key_fold(&names->spec, i, &field->counts, &field->folded)
            : KEY_OK;

    if (result == KEY_OK && field->has_groups)
        result = group_caches_settle(&field->groups, counts);
    if (result != KEY_OK)
        return field_counts_fail(result, sharing, &counts->failure, error);
    result = KEY_LIMIT;
    key_counter_settle_all(counts);
    counts->has_snapshots |= is_counting;
    if (counts->runs.count == 0) {
        if (!is_counting)
            key_counts_release_slots(counts);
        result = sort_in_memory(sharing, i, counts, names);
    }
    /* Tables that keep their slots may have no room for an order. */
    if (result == KEY_LIMIT)
        return sort_in_files(sharing, i, is_counting, counts, names, error);
    return result == KEY_OK
               ? 0
               : field_counts_fail(result, sharing, &counts->failure, error);
}

/* Add what all threads have of the k-mers of FIELD to its tables. */
static enum key_result
settle_kmers(struct key_field *field)
{
    uint64_t broken = 0;
    enum key_result result = kmer_counter_settle_all(&field->kmers, &broken);

    atomic_store(&field->missing, broken);
    return result;
}

/* List the k-mers of histogram I for NAMES.  Returns 0, or -1 with *ERROR
   set. */
static int
list_kmers(struct field_counts *sharing, size_t i, bool is_counting,
           struct key_names *names, struct error *error)
{
    struct kmer_counts *kmers = &sharing->field[i].kmers;
    enum key_result result = settle_kmers(&sharing->field[i]);

    /* Snapshots are subtracted key by key. */
    kmers->has_snapshots |= is_counting;
    bool is_by_count = sharing->spec->ranks_keys && !kmers->has_snapshots;
    if (result == KEY_OK && !kmer_counts_are_cells(kmers)) {
        spec_list_kmers(&names->spec, i);
        result = kmer_list_make(
            kmers, is_counting, is_by_count ? KEY_RUN_BY_COUNT : KEY_RUN_BY_KEY,
            &names->array[i], &names->file[i], &names->list[i]);
    }
    return result == KEY_OK
               ? 0
               : field_counts_fail(result, sharing, &kmers->failure, error);
}

/* The elements of histogram I that have no key. */
static uint64_t
without_key(const struct field_counts *sharing, size_t i)
{
    const struct key_field *field = &sharing->field[i];
    uint64_t count =
        atomic_load(&field->missing) + atomic_load(&field->invalid);

    for (int s = 0; s < AXIS_SPECIALS && field->has_numbers; s++)
        count += field->numbers.table.special[s];
    return count;
}

/*
 * Give NAMES the multiplicities of histogram I as its keys.  All elements with
 * a key must be in the spectrum.  Returns 0, or -1 with *ERROR set.
 */
static int
make_spectrum(struct field_counts *sharing, size_t i, bool is_counting,
              struct key_names *names, struct error *error)
{
    struct key_field *field = &sharing->field[i];
    uint64_t elements =
        atomic_load(&sharing->elements[spec_unit(sharing->spec, i)]);
    struct key_memory *memory = &sharing->spectrum_memory;
    enum key_result result = KEY_OK;
    uint64_t total = 0;

    if (field->has_kmers)
        result = settle_kmers(field);
    else
        key_counter_settle_all(&field->counts);
    if (result == KEY_OK)
        result =
            key_spectrum_make(field->has_kmers ? NULL : &field->counts,
                              &field->kmers, spec_dimensions(sharing->spec, i),
                              is_counting, memory, &names->array[i], &total);
    if (result != KEY_OK)
        return field_counts_fail(result, sharing,
                                 field->has_kmers ? &field->kmers.failure
                                                  : &field->counts.failure,
                                 error);
    names->list[i] = key_array_list(&names->array[i]);
    spec_show_spectrum(&names->spec, i);
    if (total + without_key(sharing, i) == elements)
        return 0;
    error_set(error, EXIT_DATA,
              "internal error: the spectrum has %llu of %llu elements",
              (unsigned long long)total, (unsigned long long)elements);
    return -1;
}

/* List the keys of histogram I for NAMES, if it has any.  Returns 0, or -1 with
   *ERROR set. */
static int
list_keys(struct field_counts *sharing, size_t i, bool is_counting,
          struct key_names *names, struct error *error)
{
    const struct key_field *field = &sharing->field[i];

    if (sharing->spec->is_spectrum)
        return make_spectrum(sharing, i, is_counting, names, error);
    if (field->has_kmers)
        return list_kmers(sharing, i, is_counting, names, error);
    return field->has_keys ? sort_keys(sharing, i, is_counting, names, error)
                           : 0;
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
 * Whether the histogram of SPEC, which has weights, should be in a file: it
 * does not fit into the memory that the tables leave.
 */
static bool
is_too_large(const struct field_counts *sharing, const struct spec *spec)
{
    uint64_t bytes = spec->shown_cells * spec->planes * sizeof(uint64_t);
    uint64_t used = 0;

    if (!spec->has_weights)
        return false;
    for (size_t i = 0; i < sharing->fields; i++) {
        if (sharing->field[i].has_keys)
            used += atomic_load(&sharing->field[i].counts.memory.used);
        if (sharing->field[i].has_folded)
            used += atomic_load(&sharing->field[i].folded.memory.used);
        if (sharing->field[i].has_kmers)
            used += atomic_load(&sharing->field[i].kmers.memory.used);
    }
    return used + bytes > sharing->memory_limit;
}

/* Set the sum of CELL, which is 0, to WEIGHTS. */
static void
set_sum(struct histogram *sum, uint64_t cell, const struct decimal_sum *weights)
{
    sum_add_decimal(weights, sum->value + sum->cells + cell,
                    (size_t)sum->cells);
}

/* Set the counts, and the sums of weights, of histogram I. */
static void
set_counts(const struct field_counts *sharing, size_t i, bool is_counting,
           const struct key_names *names, struct histogram *sum)
{
    const struct spec *spec = &names->spec;
    struct key_field *field = &sharing->field[i];
    const struct number_table *table = &field->numbers.table;
    uint64_t base = spec_first_cell(spec, i);

    key_amounts_put(&names->list[i], sum, base, sharing->threads);
    if (spec->is_spectrum)
        return;
    if (field->has_kmers && kmer_counts_are_cells(&field->kmers))
        kmer_counts_put(&field->kmers, is_counting, spec_histograms(spec) == 1,
                        sum, base);
    uint64_t *value = sum->value + base;
    if (field->has_joint) {
        memcpy(value, field->joint.table.histogram.value,
               (size_t)sum->cells * sum->planes * sizeof *value);
        return;
    }
    for (unsigned int p = 0;
         field->has_numbers && !field->has_keys && p < sum->planes; p++)
        memcpy(value + p * sum->cells,
               table->histogram.value + p * table->histogram.cells,
               (size_t)table->histogram.cells * sizeof *value);
    if (spec_is_sparse(spec, i) || !spec->is_text)
        return;
    const struct binning_axis *axis = &spec->shown[spec_own_axis(spec, i)];
    if (!field->has_numbers) {
        uint64_t cell = axis_special_cell(
            axis, axis_is_kmers(axis) ? AXIS_INVALID : AXIS_KEY_MISSING);
        value[cell] = atomic_load(&field->missing);
        if (spec->has_weights)
            set_sum(sum, base + cell, &field->missing_sum);
        if (axis->has_invalid)
            value[axis_special_cell(axis, AXIS_INVALID)] =
                atomic_load(&field->invalid);
        return;
    }
    for (int s = 0; s < AXIS_SPECIALS; s++) {
        uint64_t cell = axis_special_cell(axis, (enum axis_special)s);
        value[cell] = table->special[s];
        if (spec->has_weights)
            set_sum(sum, base + cell, &table->special_sum[s]);
    }
}

/* Add what the dense tables of sequences have to all histograms.  Returns 0, or
   -1 with *ERROR set. */
static int
fold_sequences(struct field_counts *sharing, struct error *error)
{
    struct sequence_target *target;
    enum key_result result = KEY_NO_MEMORY;
    size_t failed = 0;

    if (!sharing->sequences.is_used)
        return 0;
    target = calloc(sharing->fields, sizeof *target);
    for (size_t i = 0; target != NULL && i < sharing->fields; i++) {
        struct key_field *field = &sharing->field[i];
        target[i] = (struct sequence_target){
            .keys = field->has_keys ? &field->counts : NULL,
            .numbers = field->has_numbers ? &field->numbers : NULL,
            .joint = field->has_joint ? &field->joint : NULL,
        };
    }
    if (target != NULL && sequence_counts_settle(&sharing->sequences) == 0)
        result = sequence_fold(&sharing->sequences, sharing->spec,
                               &sharing->ranges, target, &failed);
    free(target);
    return result == KEY_OK
               ? 0
               : field_counts_fail(result, sharing,
                                   &sharing->field[failed].counts.failure,
                                   error);
}

int
field_counts_finish(struct field_counts *sharing, bool is_counting,
                    struct snapshot *counts, struct error *error)
{
    struct key_names *names = key_names_new(sharing->spec);
    bool is_mapped = false;

    counts->names = names;
    if (names == NULL)
        return field_counts_fail(KEY_NO_MEMORY, sharing, NULL, error);
    if (atomic_load(&sharing->overflows)) {
        error_set(error, EXIT_DATA,
                  "the counts add up to more than 18446744073709551615");
        return -1;
    }
    /* Another part of the inputs may have lines that fit. */
    if (!is_counting && !sharing->spec->is_part &&
        misfits_check(&sharing->misfits,
                      atomic_load(&sharing->elements[SEQUENCE_READS]) +
                          atomic_load(&sharing->left_out),
                      error) < 0)
        return -1;
    if (fold_sequences(sharing, error) < 0 ||
        settle_numbers(sharing, is_counting, names, error) < 0)
        return -1;
    for (size_t i = 0; i < sharing->fields; i++) {
        if (list_keys(sharing, i, is_counting, names, error) < 0)
            return -1;
        is_mapped |= names->list[i].is_mapped;
    }
    key_names_complete(names);
    is_mapped |= is_too_large(sharing, &names->spec);
    if (open_counts(&counts->histogram, &names->spec, is_mapped, error) < 0)
        return -1;
    for (size_t i = 0; i < sharing->fields; i++)
        set_counts(sharing, i, is_counting, names, &counts->histogram);
    counts->spec = &names->spec;
    counts->bytes = atomic_load(&sharing->bytes);
    for (int u = 0; u < SEQUENCE_UNITS; u++)
        counts->elements[u] = atomic_load(&sharing->elements[u]);
    counts->unweighted = atomic_load(&sharing->unweighted);
    counts->left_out = atomic_load(&sharing->left_out);
    counts->met = atomic_load(&sharing->met);
    return 0;
}

void
field_counts_restart(struct field_counts *sharing)
{
    for (size_t i = 0; i < sharing->fields; i++) {
        struct key_field *field = &sharing->field[i];
        if (field->has_groups)
            group_caches_restart(&field->groups);
        if (field->has_keys)
            key_counter_restart_all(&field->counts);
        if (field->has_numbers)
            number_counts_restart(&field->numbers);
        if (field->has_folded)
            key_counter_restart_all(&field->folded);
        if (field->has_joint)
            joint_counts_restart(&field->joint);
        if (field->has_kmers)
            kmer_counter_restart_all(&field->kmers);
        atomic_store(&field->missing, 0);
        atomic_store(&field->invalid, 0);
        field->missing_sum = (struct decimal_sum){{0}};
    }
    code_ranges_restart(&sharing->ranges, sharing->spec);
    first_values_restart(&sharing->first);
    for (int u = 0; u < SEQUENCE_UNITS; u++)
        atomic_store(&sharing->elements[u], 0);
    atomic_store(&sharing->bytes, 0);
    atomic_store(&sharing->overflows, false);
    atomic_store(&sharing->unweighted, 0);
    atomic_store(&sharing->left_out, 0);
    atomic_store(&sharing->met, 0);
    misfits_move(&sharing->all_misfits, &sharing->misfits);
}

uint64_t
field_counts_spills(const struct field_counts *sharing, uint64_t *bytes)
{
    uint64_t spills = 0;

    *bytes = 0;
    for (size_t i = 0; i < sharing->fields; i++) {
        spills += sharing->field[i].counts.spills +
                  sharing->field[i].folded.spills +
                  sharing->field[i].kmers.spills;
        *bytes += sharing->field[i].counts.spilled_bytes +
                  sharing->field[i].folded.spilled_bytes +
                  sharing->field[i].kmers.spilled_bytes;
    }
    return spills;
}

void
field_counts_close(struct field_counts *sharing)
{
    for (size_t i = 0; i < sharing->fields; i++) {
        if (sharing->field[i].has_groups)
            group_caches_close(&sharing->field[i].groups);
        if (sharing->field[i].has_keys)
            key_counts_close(&sharing->field[i].counts);
        if (sharing->field[i].has_numbers)
            number_counts_close(&sharing->field[i].numbers);
        if (sharing->field[i].has_folded)
            key_counts_close(&sharing->field[i].folded);
        if (sharing->field[i].has_joint)
            joint_counts_close(&sharing->field[i].joint);
        if (sharing->field[i].has_kmers)
            kmer_counts_close(&sharing->field[i].kmers);
    }
    free(sharing->field);
    first_values_close(&sharing->first);
    misfits_close(&sharing->misfits);
    misfits_close(&sharing->all_misfits);
    code_ranges_close(&sharing->ranges);
    key_memory_close(&sharing->spectrum_memory);
    pthread_mutex_destroy(&sharing->lock);
    sequence_counts_close(&sharing->sequences);
    scan_close(&sharing->scan);
}
