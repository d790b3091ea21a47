/* key_engine.h -- the engine of a CPU thread that counts in tables of keys */

#ifndef GPUHIST_KEY_ENGINE_H
#define GPUHIST_KEY_ENGINE_H

#include "engine/cpu/fields/key_sharing.h"
#include "engine/cpu/keys/number_counts.h"
#include "engine/engine.h"

/* Records that are scanned before their keys are counted: the slices of a few
   fields fit into the second-level cache. */
#define KEY_ENGINE_BATCH NUMBER_COUNTS_BATCH

/* Returns the slices for each record of a batch: of its fields, and of a
   key. */
static inline size_t
key_engine_slices(const struct spec *spec)
{
    return spec->text_fields.count + 1;
}

/* Returns the bytes of the buffers of an engine for SPEC, beside its tables. */
uint64_t key_engine_bytes(const struct spec *spec);

/* Returns an engine that counts in SHARING, or NULL: out of memory. */
struct engine *key_engine_new(const struct spec *spec,
                              struct key_sharing *sharing);

#endif
