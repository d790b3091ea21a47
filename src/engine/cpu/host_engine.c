/* host_engine.c -- what the engines of CPU threads have in common */

#include "engine/cpu/host_engine.h"

int
host_engine_open(struct engine *engine, const struct pool *pool,
                 struct error *error)
{
    (void)engine;
    (void)pool;
    (void)error;
    return 0;
}

int
host_engine_complete(struct engine *engine, size_t *count, struct error *error)
{
    (void)engine;
    (void)error;
    *count = 1;
    return 0;
}
