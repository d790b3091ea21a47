/* SPDX-License-Identifier: MIT */
/* merge.c -- add up the counts of the engines of a run */

#include "run/merge.h"
#include "engine/cpu/cells/record_count.h"
#include "engine/cpu/fields/device_counts.h"
#include "hist/rebin.h"

/*
 * Add the counts of CONSUMER to SUM, with the axes of SPEC.  If IS_COUNTING,
 * leave the counts of CONSUMER unchanged.  Returns 0, or -1: out of memory.
 */
static int
add_counted(struct histogram *sum, const struct spec *spec,
            struct consumer *consumer, bool is_counting)
{
    struct histogram copy = {0};
    struct histogram *part = &consumer->counted;
    int result = 0;

    if (!histogram_is_open(part))
        return 0;
    if (is_counting && (spec->has_weights || spec->grows)) {
        if (histogram_copy(&copy, part) < 0)
            return -1;
        part = &copy;
    }
    result = rebin_histogram(consumer->counted_spec, spec, part);
    if (result == 0) {
        if (spec->has_weights)
            histogram_carry(part, spec->weight.type);
        histogram_add(sum, part);
    }
    histogram_close(&copy);
    return result;
}

/* Add up the histograms of all engines.  As merge_counts(). */
static int
add_histograms(struct consumers *consumers, bool is_counting,
               struct snapshot *counts, struct error *error)
{
    const struct spec *spec = counts->spec;
    struct histogram *shared = &consumers->shared.histogram;
    struct histogram *sum = &counts->histogram;
    int result = 0;

    pthread_mutex_lock(&consumers->lock);
    size_t consumer_count = consumers->count;
    pthread_mutex_unlock(&consumers->lock);
    if (consumers->plan->host_shares)
        shared_counts_settle(&consumers->shared);
    if (!histogram_is_open(shared))
        result = histogram_open(sum, spec->cells, spec->planes);
    else if (is_counting)
        result = histogram_copy(sum, shared);
    else
        histogram_take(sum, shared);
    for (size_t i = 0; i < consumer_count && result == 0; i++)
        result = add_counted(sum, spec, &consumers->consumer[i], is_counting);
    if (result < 0)
        return error_fail_memory(error);
    record_count_zeros(spec, inputs_zero_records(consumers->inputs), sum);
    return 0;
}

/* Add the counts of CONSUMER, a device, to the counts of the CPU.  Returns 0,
   or -1 with *ERROR set. */
static int
add_device(struct field_counts *keys, const struct consumer *consumer,
           struct error *error)
{
    const struct text_dictionary *dictionary = consumer->engine->dictionary;

    if (dictionary != NULL)
        return device_counts_add_keys(keys, &consumer->counted, dictionary,
                                      consumer->leftovers, consumer->name,
                                      error);
    return device_counts_add(keys, &consumer->counted, consumer->name, error);
}

/*
 * Add the sequences and keys counted by devices to the counts of the CPU, and
 * make *COUNTS of all.  As merge_counts().
 */
static int
finish_keys(struct consumers *consumers, bool is_counting,
            struct snapshot *counts, struct error *error)
{
    uint64_t zeros = inputs_zero_records(consumers->inputs);
    uint64_t new_zeros = zeros - consumers->zero_records;

    consumers->zero_records = zeros;
    if (new_zeros > 0 &&
        field_counts_add_zeros(&consumers->keys, new_zeros, error) < 0)
        return -1;
    pthread_mutex_lock(&consumers->lock);
    size_t consumer_count = consumers->count;
    pthread_mutex_unlock(&consumers->lock);
    for (size_t i = 0; i < consumer_count; i++) {
        const struct consumer *consumer = &consumers->consumer[i];
        if (histogram_is_open(&consumer->counted) &&
            add_device(&consumers->keys, consumer, error) < 0)
            return -1;
    }
    return field_counts_finish(&consumers->keys, is_counting, counts, error);
}

int
merge_counts(struct consumers *consumers, uint64_t bytes, uint64_t start_bytes,
             bool is_counting, struct snapshot *counts, struct error *error)
{
    const struct spec *spec = auto_range_current(consumers->ranging);

    bytes += inputs_zero_records(consumers->inputs) * spec->record.bytes;
    *counts = (struct snapshot){
        .spec = spec,
        .bytes = bytes,
        .elements = {[SEQUENCE_READS] = bytes / spec->record.bytes}};
    int result = spec->uses_tables
                     ? finish_keys(consumers, is_counting, counts, error)
                     : add_histograms(consumers, is_counting, counts, error);
    if (spec->sums_series)
        counts->series = inputs_series(consumers->inputs);
    if (result == 0 && (counts->bytes != bytes || !snapshot_adds_up(counts))) {
        error_set(error, EXIT_DATA,
                  "internal error: the counts do not add up to the %llu bytes "
                  "read",
                  (unsigned long long)bytes);
        result = -1;
    }
    counts->bytes += start_bytes;
    if (result < 0)
        snapshot_close(counts);
    else
        spec_find_ranges(counts->spec, &counts->histogram);
    return result;
}
