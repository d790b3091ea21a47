/* engine_cpu.h -- the engine of one CPU thread */

#ifndef GPUHIST_ENGINE_CPU_H
#define GPUHIST_ENGINE_CPU_H

#include "engine/cpu/cells/shared_counts.h"
#include "engine/engine.h"

/*
 * Returns an engine with its own histogram or, if SHARED is not NULL, an engine
 * that counts in SHARED, as other engines do at the same time.  Returns NULL:
 * out of memory.
 */
struct engine *engine_cpu_new(const struct spec *spec,
                              struct shared_counts *shared);

#endif
