/* key_engine.h -- the engine of a CPU thread that counts in tables of keys */

#ifndef GPUHIST_KEY_ENGINE_H
#define GPUHIST_KEY_ENGINE_H

#include "engine/cpu/key_sharing.h"
#include "engine/engine.h"

/* Returns the bytes of the buffers of an engine for SPEC, beside its tables. */
uint64_t key_engine_bytes(const struct spec *spec);

/* Returns an engine that counts in SHARING, or NULL: out of memory. */
struct engine *key_engine_new(const struct spec *spec,
                              struct key_sharing *sharing);

#endif
