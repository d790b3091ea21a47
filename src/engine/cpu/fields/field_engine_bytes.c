/* field_engine_bytes.c -- the memory of an engine that counts in key tables */

#include "engine/cpu/fields/field_engine.h"
#include "engine/cpu/fields/record_filter.h"
#include "engine/cpu/keys/group_cache.h"
#include "engine/cpu/keys/key_codes.h"
#include "engine/cpu/keys/written_keys.h"
#include "engine/cpu/kmers/kmer_counter.h"
#include "engine/cpu/sequences/sequence_batch.h"

/* What field_engine_new() takes for axis I. */
static uint64_t
axis_bytes(const struct spec *spec, size_t i)
{
    if (spec->shown[i].is_text || !spec->is_text)
        return number_counter_bytes() + KEY_CODES_BATCH * sizeof(int64_t);
    if (spec_is_sparse(spec, spec_histogram_of(spec, i)) ||
        !field_value_may_be_written(&spec->text,
                                    spec->text_fields.field[i].part))
        return 0;
    return WRITTEN_KEYS_BYTES +
           (spec_has_amounts(spec) ? WRITTEN_KEYS_WEIGHT_BYTES : 0);
}

uint64_t
field_engine_bytes(const struct spec *spec)
{
    uint64_t bytes = FIELD_ENGINE_BATCH * field_engine_slices(spec) *
                     sizeof(struct text_slice);

    if (spec_has_amounts(spec))
        bytes += 2 * FIELD_ENGINE_BATCH * sizeof(int64_t);
    if (spec->is_sparse)
        bytes += KEY_CODES_ROOM;
    if (spec->is_sparse && group_cache_is_for(spec, 0))
        bytes += group_cache_bytes();
    if (spec_is_sequences(spec))
        bytes += sequence_batch_bytes(spec);
    bytes += record_filter_bytes(spec);
    for (size_t i = 0; i < spec->axis_count; i++)
        bytes += axis_bytes(spec, i);
    for (size_t i = 0; i < spec_histograms(spec); i++) {
        if (spec_counts_kmers(spec, i))
            bytes +=
                kmer_counter_bytes(spec->text.kmer, !spec_has_list(spec, i));
    }
    return bytes;
}
