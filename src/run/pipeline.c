/* SPDX-License-Identifier: MIT */
/* pipeline.c -- a run, from its first thread to its counts */

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "run/merge.h"
#include "run/pipeline.h"
#include "run/watcher.h"

/* The shortest wait. */
#define SECONDS_MIN 1e-6

/* Open the parts of PIPELINE.  Returns 0, or -1 with *ERROR set. */
static int
open_parts(struct pipeline *pipeline, const struct spec *spec,
           struct inputs *inputs, struct error *error)
{
    const struct plan *plan = pipeline->plan;

    if (auto_range_open(&pipeline->ranging, spec) < 0)
        return error_fail_memory(error);
    if (consumers_open(&pipeline->consumers, plan, spec, &pipeline->pool,
                       &pipeline->ranging, inputs, error) < 0)
        return -1;
    if (readers_open(&pipeline->readers, &pipeline->consumers) < 0)
        return error_fail_memory(error);
    size_t more_chunks =
        plan->decoder_chunks * (plan->decoders - plan->readers) +
        plan->held_chunks * plan->gpu_count;
    if (pool_open(&pipeline->pool, plan->chunk_count + more_chunks,
                  plan->chunk_bytes, plan->huge_pages, error) < 0)
        return -1;
    pool_add(&pipeline->pool, plan->chunk_count);
    return 0;
}

/* Start the threads of the plan. */
static int
start(struct pipeline *pipeline, struct error *error)
{
    struct consumers *consumers = &pipeline->consumers;

    pthread_mutex_lock(&consumers->lock);
    int result = consumers_start(consumers, error);
    if (result == 0)
        result = readers_start(&pipeline->readers, error);
    pthread_mutex_unlock(&consumers->lock);
    return result;
}

int
pipeline_start(struct pipeline *pipeline, const struct plan *plan,
               const struct spec *spec, struct inputs *inputs,
               const struct interval *every, struct error *error)
{
    double now = clock_now();

    /* Readers that wait for input must leave a chunk for the others. */
    assert(plan->readers < plan->chunk_count);
    *pipeline = (struct pipeline){.plan = plan,
                                  .inputs = inputs,
                                  .every = *every,
                                  .next_snapshot = now + every->seconds};
    /* Until pipeline_finish() has joined all threads. */
    pipeline->is_abandoned = true;

    /* Snapshots at certain bytes need all bytes. */
    inputs->skips_zeros = spec->kind == SPEC_SAMPLES && every->bytes == 0;
    inputs->sums_series = spec->sums_series;
    if (open_parts(pipeline, spec, inputs, error) < 0)
        return -1;
    pipeline->next_watch = now + watcher_seconds(&pipeline->consumers);
    if (plan->takes_snapshots) {
        assert(plan->is_per_input || plan->decoders == 1);
        if (snapshot_gate_open(
                &pipeline->gate, &pipeline->pool, every->seconds > 0,
                every->bytes,
                spec->kind == SPEC_SAMPLES ? spec->record.bytes : 0, error) < 0)
            return -1;
        inputs_set_gate(inputs, &pipeline->gate);
    }
    return start(pipeline, error);
}

/* The seconds until WHEN; never 0, which would mean no limit. */
static double
seconds_until(double when)
{
    double seconds = when - clock_now();

    return seconds > SECONDS_MIN ? seconds : SECONDS_MIN;
}

/*
 * Wait for an event of the pool.  When it is time to shut the gate or to call
 * watcher_tick(), do so and return POOL_TIME_OVER.
 */
static enum pool_event
wait_for_event(struct pipeline *pipeline)
{
    double watch = watcher_seconds(&pipeline->consumers);
    double every = pipeline->every.seconds;
    bool is_for_snapshot =
        every > 0 &&
        (watch == 0 || pipeline->next_snapshot < pipeline->next_watch);
    double seconds = 0;

    if (is_for_snapshot)
        seconds = seconds_until(pipeline->next_snapshot);
    else if (watch > 0)
        seconds = seconds_until(pipeline->next_watch);
    enum pool_event event = pool_wait(&pipeline->pool, seconds);
    if (event != POOL_TIME_OVER)
        return event;
    if (is_for_snapshot) {
        snapshot_gate_shut(&pipeline->gate);
        /* Skip snapshots whose time has passed. */
        double late = clock_now() - pipeline->next_snapshot;
        double missed = late > 0 ? floor(late / every) : 0;
        pipeline->next_snapshot += every * (missed + 1);
    } else {
        watcher_tick(&pipeline->consumers);
        pipeline->next_watch = clock_now() + watch;
    }
    return event;
}

/*
 * Wait until the pool is idle.  Returns false if the pool is drained
 * instead, or will be soon: a record is wrong, and the counts are useless.
 */
static bool
is_idle(struct pipeline *pipeline)
{
    enum pool_event event;

    do {
        event = wait_for_event(pipeline);
    } while (event == POOL_TIME_OVER);
    if (event == POOL_DRAINED)
        return false;
    bool is_wrong = atomic_load(&pipeline->inputs->wrongs.has_any);
    if (is_wrong)
        snapshot_gate_reopen(&pipeline->gate);
    return !is_wrong;
}

/* Call merge_counts() for the bytes read so far. */
static int
merge(struct pipeline *pipeline, uint64_t start_bytes, bool is_counting,
      struct snapshot *counts, struct error *error)
{
    uint64_t bytes = atomic_load(&pipeline->readers.bytes);

    return merge_counts(&pipeline->consumers, bytes - pipeline->bytes_reported,
                        start_bytes, is_counting, counts, error);
}

int
pipeline_snapshot(struct pipeline *pipeline, struct snapshot *counts,
                  struct error *error)
{
    if (!is_idle(pipeline))
        return 0;
    int result = merge(pipeline, atomic_load(&pipeline->inputs->start_bytes),
                       true, counts, error);
    snapshot_gate_reopen(&pipeline->gate);
    return result < 0 ? -1 : 1;
}

int
pipeline_input(struct pipeline *pipeline, char **name, struct snapshot *counts,
               struct error *error)
{
    struct error wrong = ERROR_NONE;
    uint64_t start_bytes;

    if (!is_idle(pipeline))
        return 0;
    *name = inputs_unreported(pipeline->inputs, &start_bytes);
    if (*name == NULL)
        return error_fail_memory(error);
    if (merge(pipeline, start_bytes, false, counts, &wrong) == 0)
        return 1;
    size_t length = strlen(*name);
    /* Without a text, memory ran out. */
    if (wrong.text == NULL ||
        (strncmp(wrong.text, *name, length) == 0 && wrong.text[length] == ':'))
        error_move(error, &wrong);
    else
        error_set(error, wrong.status, "%s: %s", *name, wrong.text);
    error_clear(&wrong);
    free(*name);
    return -1;
}

int
pipeline_go_on(struct pipeline *pipeline, struct error *error)
{
    if (consumers_restart(&pipeline->consumers, error) < 0)
        return -1;
    pipeline->bytes_reported = atomic_load(&pipeline->readers.bytes);
    readers_restart(&pipeline->readers);
    inputs_end_report(pipeline->inputs);
    snapshot_gate_reopen(&pipeline->gate);
    return 0;
}

int
pipeline_finish(struct pipeline *pipeline, struct snapshot *counts,
                struct error *error)
{
    int result = consumers_check(&pipeline->consumers, error);

    /* A reader may wait for its pipe for ever.  So only a repeatable run, which
       reads files, waits for its readers. */
    if (result < 0 && !pipeline_may_repeat(pipeline, error))
        return -1;
    readers_await(&pipeline->readers);
    pipeline->is_abandoned = watcher_await(&pipeline->consumers);
    if (result < 0)
        return -1;
    /* A requested GPU may fail to start after the end of a short input. */
    if (consumers_check(&pipeline->consumers, error) < 0)
        return -1;
    result = merge(pipeline, atomic_load(&pipeline->inputs->start_bytes), false,
                   counts, error);
    if (result == 0 || error->status != EXIT_DATA ||
        !inputs_have_failed(pipeline->inputs))
        return result;
    error_clear(error);
    *counts = (struct snapshot){0};
    return 1;
}

bool
pipeline_may_repeat(const struct pipeline *pipeline, const struct error *error)
{
    return error->status == EXIT_NO_DEVICE && pipeline->plan->gpu_is_alone &&
           !pipeline->plan->gpu_is_demanded;
}

void
pipeline_stop(struct pipeline *pipeline)
{
    assert(pipeline->plan->gpu_count == 0);
    pool_stop(&pipeline->pool);
    inputs_stop_track(pipeline->inputs);
    readers_await(&pipeline->readers);
    pipeline->is_abandoned = watcher_await(&pipeline->consumers);
}

void
pipeline_close(struct pipeline *pipeline)
{
    assert(!pipeline->is_abandoned);
    if (pipeline->plan->takes_snapshots)
        snapshot_gate_close(&pipeline->gate);
    readers_close(&pipeline->readers);
    consumers_close(&pipeline->consumers);
    pool_close(&pipeline->pool);
    auto_range_close(&pipeline->ranging);
}
