/* engine_cpu.h -- one thread of the CPU */

#ifndef GPUHIST_ENGINE_CPU_H
#define GPUHIST_ENGINE_CPU_H

#include "engine.h"

/* NULL: out of memory. */
struct engine *engine_cpu_new(void);

#endif
