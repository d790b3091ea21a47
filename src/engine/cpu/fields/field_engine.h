/* SPDX-License-Identifier: MIT */
/* field_engine.h -- the engine of a CPU thread that counts fields */

#ifndef GPUHIST_FIELD_ENGINE_H
#define GPUHIST_FIELD_ENGINE_H

#include "engine/cpu/fields/field_counts.h"
#include "engine/cpu/keys/number_counts.h"
#include "engine/engine.h"

/* Records that are scanned before counting: the slices of a few fields fit into
   the second-level cache. */
#define FIELD_ENGINE_BATCH NUMBER_COUNTS_BATCH

/* Returns the slices for each record of a batch: of its fields, and of a
   key. */
static inline size_t
field_engine_slices(const struct spec *spec)
{
    return spec->text_fields.count + 1;
}

/* Returns the bytes of the buffers of an engine for SPEC, beside its tables. */
uint64_t field_engine_bytes(const struct spec *spec);

/* Returns an engine that counts in FIELDS, or NULL: out of memory. */
struct engine *field_engine_new(const struct spec *spec,
                                struct field_counts *fields);

#endif
