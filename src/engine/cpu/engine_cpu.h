/* engine_cpu.h -- one thread of the CPU */

#ifndef GPUHIST_ENGINE_CPU_H
#define GPUHIST_ENGINE_CPU_H

#include "engine/engine.h"

/*
 * An engine with a histogram of its own; or, with SHARED, one that adds to
 * that, as others do at the same time.  NULL: no memory.
 */
struct engine *engine_cpu_new(const struct spec *spec,
                              struct histogram *shared);

#endif
