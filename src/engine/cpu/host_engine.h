/* host_engine.h -- what the engines of CPU threads have in common */

#ifndef GPUHIST_HOST_ENGINE_H
#define GPUHIST_HOST_ENGINE_H

#include "engine/engine.h"

/* open() of an engine that needs nothing from the pool. */
int host_engine_open(struct engine *engine, const struct pool *pool,
                     struct error *error);

/* complete() of an engine whose submit() counts the chunk. */
int host_engine_complete(struct engine *engine, size_t *count,
                         struct error *error);

#endif
