/* engine_cpu.c -- one thread of the CPU */

#include <stdio.h>
#include <stdlib.h>

#include "count.h"
#include "engine_cpu.h"

static int
cpu_open(struct engine *engine, const struct pool *pool, struct error *error)
{
    (void)engine;
    (void)pool;
    (void)error;
    return 0;
}

static int
cpu_submit(struct engine *engine, struct chunk *chunk, struct error *error)
{
    (void)error;
    count_fast(chunk->data, chunk->used, &engine->histogram);
    return 0;
}

/* Nothing is left to do: submit() counts. */
static int
cpu_complete(struct engine *engine, struct error *error)
{
    (void)engine;
    (void)error;
    return 0;
}

static void
cpu_close(struct engine *engine)
{
    free(engine);
}

static const struct engine_type cpu_type = {
    .taker = TAKER_HOST,
    .depth = 1,
    .open = cpu_open,
    .submit = cpu_submit,
    .complete = cpu_complete,
    .close = cpu_close,
};

struct engine *
engine_cpu_new(void)
{
    struct engine *engine = calloc(1, sizeof *engine);

    if (engine != NULL) {
        engine->type = &cpu_type;
        snprintf(engine->name, sizeof engine->name, "cpu");
        snprintf(engine->strategy, sizeof engine->strategy, "eight tables");
    }
    return engine;
}
