/* SPDX-License-Identifier: MIT */
/* engine_cpu.c -- the engine of one CPU thread */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/cpu/cells/record_count.h"
#include "engine/cpu/engine_cpu.h"
#include "hist/rebin.h"
#include "kernels/binning/weighing.h"

struct engine_cpu {
    struct engine engine; /* first: a struct engine * points to it */
    /* Of a table that threads share; NULL: counts in engine.histogram. */
    struct shared_counter *counter;
    uint64_t added; /* records since the last carry */
};

static struct engine_cpu *
cpu_of(struct engine *engine)
{
    return (struct engine_cpu *)engine;
}

/* Forget all counts, before a chunk that is counted by SPEC. */
static void
start_over(struct engine_cpu *cpu, const struct spec *spec)
{
    if (histogram_is_open(&cpu->engine.histogram))
        histogram_clear(&cpu->engine.histogram);
    cpu->added = 0;
    cpu->engine.histogram_spec = spec;
    cpu->engine.starts_over = false;
}

static int
cpu_submit(struct engine *engine, struct chunk *chunk, struct error *error)
{
    struct engine_cpu *cpu = cpu_of(engine);

    if (engine->starts_over)
        start_over(cpu, chunk->spec);
    const struct spec *spec = engine->histogram_spec;
    if (spec->generation < chunk->spec->generation) {
        if (rebin_histogram(spec, chunk->spec, &engine->histogram) < 0)
            return error_fail_memory(error);
        spec = chunk->spec;
        engine->histogram_spec = spec;
    }
    if (cpu->counter != NULL) {
        record_count_shared(spec, chunk->data, chunk->used, cpu->counter);
        return 0;
    }
    if (spec->has_weights) {
        uint64_t records =
            chunk->used / spec->record.bytes * spec_histograms(spec);
        if (cpu->added + records > WEIGHING_ADDS_MAX) {
            histogram_carry(&engine->histogram, spec->weight.type);
            cpu->added = 0;
        }
        cpu->added += records;
    }
    record_count_fast(spec, chunk->data, chunk->used, &engine->histogram);
    return 0;
}

static void
cpu_settle(struct engine *engine)
{
    struct engine_cpu *cpu = cpu_of(engine);

    if (cpu->counter != NULL)
        shared_counter_settle(cpu->counter);
}

static void
cpu_close(struct engine *engine)
{
    struct engine_cpu *cpu = cpu_of(engine);

    if (cpu->counter != NULL)
        shared_counter_close(cpu->counter);
    histogram_close(&engine->histogram);
    free(engine);
}

static const struct engine_type cpu_type = {
    .kind = CONSUMER_HOST,
    .open = engine_cpu_open,
    .submit = cpu_submit,
    .complete = engine_cpu_complete,
    .settle = cpu_settle,
    .close = cpu_close,
};

struct engine *
engine_cpu_new(const struct spec *spec, struct shared_counts *shared)
{
    struct engine_cpu *cpu = calloc(1, sizeof *cpu);

    if (cpu == NULL)
        return NULL;
    cpu->engine.type = &cpu_type;
    cpu->engine.spec = spec;
    cpu->engine.histogram_spec = spec;
    cpu->engine.depth = 1;
    snprintf(cpu->engine.name, sizeof cpu->engine.name, "cpu");
    snprintf(cpu->engine.strategy, sizeof cpu->engine.strategy, "%s",
             shared != NULL ? "one table for all threads"
                            : "a table for each thread");
    if (shared != NULL)
        cpu->counter = shared_counter_new(shared);
    if (shared != NULL ? cpu->counter == NULL
                       : histogram_open(&cpu->engine.histogram, spec->cells,
                                        spec->planes) < 0) {
        free(cpu);
        return NULL;
    }
    return &cpu->engine;
}

/* ---- for other engines of CPU threads ---- */

int
engine_cpu_open(struct engine *engine, const struct pool *pool,
                struct error *error)
{
    (void)engine;
    (void)pool;
    (void)error;
    return 0;
}

int
engine_cpu_complete(struct engine *engine, size_t *count, struct error *error)
{
    (void)engine;
    (void)error;
    *count = 1;
    return 0;
}
