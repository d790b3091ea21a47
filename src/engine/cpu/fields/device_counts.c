/* device_counts.c -- the sequences and keys that a device has counted */

#include "engine/cpu/fields/device_counts.h"
#include "engine/cpu/fields/device_keys.h"
#include "engine/cpu/fields/device_records.h"
#include "engine/cpu/kmers/kmer_counter.h"
#include "engine/sequence_layout.h"
#include "engine/text_layout.h"

/* Add the dense tables of HISTOGRAM.  Returns 0, or -1: out of memory. */
static int
add_tables(struct field_counts *sharing, const struct sequence_work *work,
           const struct histogram *histogram)
{
    for (binning_u32 s = 0; s < SEQUENCE_SOURCES; s++) {
        if (sequence_work_has(work, s) &&
            sequence_counts_add(&sharing->sequences, (enum sequence_source)s,
                                histogram->value + work->first[s],
                                sequence_work_rows(s)) < 0)
            return -1;
    }
    return 0;
}

static void
add_kmers(struct field_counts *sharing, const struct sequence_work *work,
          const struct histogram *histogram)
{
    for (size_t i = 0; i < sharing->fields; i++) {
        if (sharing->field[i].has_kmers)
            kmer_counter_add_table(&sharing->field[i].kmers,
                                   histogram->value + work->first_kmer,
                                   histogram->value[SEQUENCE_TOTAL_BROKEN]);
    }
}

int
device_counts_add(struct field_counts *sharing,
                  const struct histogram *histogram, const char *name,
                  struct error *error)
{
    static const enum sequence_total totals[SEQUENCE_UNITS] = {
        [SEQUENCE_READS] = SEQUENCE_TOTAL_READS,
        [SEQUENCE_BASES] = SEQUENCE_TOTAL_BASES,
        [SEQUENCE_WINDOWS] = SEQUENCE_TOTAL_WINDOWS,
    };
    struct sequence_work work;

    sequence_layout_make(sharing->spec, &work);
    if (!sequence_layout_adds_up(sharing->spec, histogram)) {
        error_set(error, EXIT_NO_DEVICE, "%s: the counts do not add up", name);
        return -1;
    }
    if (add_tables(sharing, &work, histogram) < 0)
        return field_counts_fail(KEY_NO_MEMORY, sharing, NULL, error);
    for (int u = 0; u < SEQUENCE_UNITS; u++)
        atomic_fetch_add(&sharing->elements[u], histogram->value[totals[u]]);
    add_kmers(sharing, &work, histogram);
    return 0;
}

/* ---- text ---- */

int
device_counts_add_keys(struct field_counts *sharing,
                       const struct histogram *histogram,
                       const struct text_dictionary *dictionary, uint64_t rests,
                       const char *name, struct error *error)
{
    const uint64_t *total = histogram->value;
    struct key_counts *counts = &sharing->field[0].counts;

    if (!text_layout_adds_up(histogram) || total[TEXT_TOTAL_LISTED] != rests) {
        error_set(error, EXIT_NO_DEVICE, "%s: the counts do not add up", name);
        return -1;
    }
    bool has_records = device_records_are_for(sharing->spec);
    if (has_records) {
        if (device_records_add(sharing, histogram, dictionary, error) < 0)
            return -1;
    } else {
        enum key_result result =
            device_keys_add(counts, histogram, dictionary, sharing->threads);
        if (result != KEY_OK)
            return field_counts_fail(result, sharing, &counts->failure, error);
    }
    atomic_fetch_add(&sharing->elements[SEQUENCE_READS],
                     total[TEXT_TOTAL_RECORDS] - total[TEXT_TOTAL_COMMENTS]);
    atomic_fetch_add(&sharing->comments, total[TEXT_TOTAL_COMMENTS]);
    if (!has_records)
        atomic_fetch_add(&sharing->field[0].missing, total[TEXT_TOTAL_MISSING]);
    return 0;
}
