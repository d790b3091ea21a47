/* SPDX-License-Identifier: MIT */
/* engine_cpu.h -- the engine of one CPU thread */

#ifndef GPUHIST_ENGINE_CPU_H
#define GPUHIST_ENGINE_CPU_H

#include "engine/cpu/cells/shared_counts.h"
#include "engine/engine.h"

/*
 * Returns an engine with its own histogram; or if SHARED is not NULL, an engine
 * that counts in SHARED together with other engines.  Returns NULL: out of
 * memory.
 */
struct engine *engine_cpu_new(const struct spec *spec,
                              struct shared_counts *shared);

/* ---- for other engines of CPU threads ---- */

/* open() of an engine that needs nothing from the pool. */
int engine_cpu_open(struct engine *engine, const struct pool *pool,
                    struct error *error);

/* complete() of an engine whose submit() counts the chunk. */
int engine_cpu_complete(struct engine *engine, size_t *count,
                        struct error *error);

#endif
