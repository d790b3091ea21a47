/* SPDX-License-Identifier: MIT */
/* consumers.c -- the engines of a run and the threads that feed the engines */

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/thread.h"
#include "engine/cpu/engine_cpu.h"
#include "engine/cpu/fields/field_engine.h"
#include "engine/gpu/cuda/engine_cuda.h"
#include "engine/gpu/opencl/engine_opencl.h"
#include "run/consumers.h"
#include "run/gpu_decoding.h"

/* So many bytes are read until the next look at a GPU that starts to decode. */
#define LOOK_BYTES ((uint64_t)256 << 10)

int
consumer_is_device(const struct consumer *consumer)
{
    return consumer->engine->type->kind == CONSUMER_DEVICE;
}

void
consumers_note_refusal(struct consumers *all, int result)
{
    error_set(&all->shortage, EXIT_DATA,
              "running with fewer threads than planned: %s", strerror(result));
}

/* ---- starting ---- */

static void *consumer_main(void *argument);

struct consumer *
consumers_next(struct consumers *all, struct engine *engine,
               struct error *error)
{
    if (engine == NULL) {
        (void)error_fail_memory(error);
        return NULL;
    }
    assert(all->count < all->max);
    struct consumer *consumer = &all->consumer[all->count];
    *consumer = (struct consumer){.all = all, .engine = engine};
    memcpy(consumer->name, engine->name, sizeof consumer->name);
    return consumer;
}

/* Close ENGINE, which may be NULL. */
static void
close_engine(struct engine *engine)
{
    if (engine != NULL)
        engine->type->close(engine);
}

/*
 * Start a thread for ENGINE (NULL: out of memory), to which leases with
 * TOKEN are tied, unless that is NULL.  If ENGINE cannot be opened and SECOND
 * is not NULL, the thread opens SECOND.  Under the lock.  Returns 0, or -1 with
 * *ERROR set, when ENGINE is still the caller's.
 */
static int
start_consumer(struct consumers *all, struct engine *engine,
               struct engine *second, const void *token, struct error *error)
{
    struct consumer *consumer = consumers_next(all, engine, error);

    if (consumer == NULL) {
        close_engine(second);
        return -1;
    }
    consumer->second = second;
    consumer->token = token;
    int result = thread_start(&consumer->thread, consumer_main, consumer);
    if (result != 0) {
        close_engine(second);
        consumers_note_refusal(all, result);
        error_set(error, EXIT_DATA, "cannot start a thread: %s",
                  strerror(result));
        return -1;
    }
    all->count++;
    return 0;
}

struct engine *
consumers_new_host(struct consumers *all)
{
    struct engine *spare = atomic_exchange(&all->spare, NULL);

    if (spare != NULL)
        return spare;
    if (all->spec->uses_tables)
        return field_engine_new(all->spec, &all->keys);
    return engine_cpu_new(all->ranging->start,
                          all->plan->host_shares ? &all->shared : NULL);
}

/* Whether a thread that only counts may be one more than the plan allows: where
   all that it allows are readers, a GPU makes these only read. */
static bool
may_exceed(const struct consumers *all)
{
    return all->gpus_started && plan_readers_count(all->plan) &&
           all->host_readers == all->plan->host_threads;
}

/*
 * Start another CPU thread, if the plan allows it.  Under the lock.  Returns 0,
 * or -1 with *ERROR set.
 */
static int
start_host(struct consumers *all, struct error *error)
{
    if (all->host_count >= all->plan->host_threads + may_exceed(all))
        return 0;
    struct engine *engine = consumers_new_host(all);
    if (start_consumer(all, engine, NULL, NULL, error) < 0) {
        atomic_store(&all->spare, engine);
        return -1;
    }
    all->host_count++;
    atomic_fetch_add(&all->working, 1);
    atomic_fetch_add(&all->progress->host_threads, 1);
    return 0;
}

int
consumers_start_host(struct consumers *all, size_t bytes, struct error *error)
{
    int result = 0;

    if (!plan_readers_count(all->plan))
        return 0;
    pthread_mutex_lock(&all->lock);
    if (all->host_count == (bytes > 0 ? all->host_readers : 0))
        result = start_host(all, error);
    pthread_mutex_unlock(&all->lock);
    return result;
}

bool
consumers_have_host(struct consumers *all)
{
    pthread_mutex_lock(&all->lock);
    bool have_host = all->host_count > all->host_readers;
    pthread_mutex_unlock(&all->lock);
    return have_host;
}

bool
consumers_are_readers(struct consumers *all)
{
    pthread_mutex_lock(&all->lock);
    bool are_readers = all->host_readers == all->plan->host_threads;
    pthread_mutex_unlock(&all->lock);
    return are_readers;
}

/*
 * Returns an engine to count SPEC with GPU number I of PLAN, or NULL: out of
 * memory.  With auto the engine is a CUDA device, and *SECOND is an OpenCL GPU,
 * for a machine without CUDA, or NULL.
 */
static struct engine *
new_gpu(const struct plan *plan, const struct spec *spec, size_t i,
        struct engine **second)
{
    if (plan->device == DEVICE_OPENCL)
        return engine_opencl_new(plan->gpu[i], spec, plan->strategy,
                                 plan->gpu_is_alone, plan->spare_chunks > 0);
    /* With OpenCL, devices do not count text that has keys. */
    if (plan->device == DEVICE_AUTO && plan->gpu_keys == 0)
        *second = engine_opencl_new(OPENCL_GPU, spec, plan->strategy,
                                    plan->gpu_is_alone, plan->spare_chunks > 0);
    return engine_cuda_new(plan->cuda, plan->gpu[i], spec, plan->strategy,
                           plan->gpu_is_alone, plan->gpu_keys);
}

/* Start the next GPU of the plan, if any.  As consumers_start_gpus(). */
static int
start_gpu(struct consumers *all, struct error *error)
{
    struct engine *second = NULL;

    if (all->gpu_count == all->plan->gpu_count)
        return 0;
    size_t i = all->gpu_count++;
    struct engine *engine = new_gpu(all->plan, all->ranging->start, i, &second);
    const struct decoding_device *decoder =
        gpu_decoding_device(all->inputs->budget, i);
    const void *token = all->plan->gpu_count > 1 && decoder != NULL
                            ? decoder->driver->token
                            : NULL;
    if (start_consumer(all, engine, second, token, error) < 0) {
        close_engine(engine);
        return -1;
    }
    return 0;
}

int
consumers_start_gpus(struct consumers *all, struct error *error)
{
    if (all->gpus_started || all->plan->gpu_count == 0)
        return 0;
    all->gpus_started = true;
    /* Readers will hand over their chunks, also if the GPU fails then. */
    if (plan_readers_count(all->plan) && all->host_count == all->host_readers &&
        start_host(all, error) < 0)
        return -1;
    return start_gpu(all, error);
}

/* Whether the run ends early: no other GPU is of use.  Under the lock. */
static bool
is_ending(const struct consumers *all)
{
    return all->error.status != EXIT_DONE || inputs_have_failed(all->inputs) ||
           cancel_is_asked(all->inputs->reading.cancel);
}

/* GPU number ALL->gpu_count - 1 counts, or never will: let the next one decode,
   and pass over those that have failed to.  Under the lock. */
static void
allow_next(struct consumers *all)
{
    const struct budget *budget = all->inputs->budget;
    const struct decoding_device *decoder;

    gpu_decoding_allow(budget, all->gpu_count);
    while (all->gpu_count < all->plan->gpu_count &&
           (decoder = gpu_decoding_device(budget, all->gpu_count)) != NULL &&
           gpu_decoding_error(decoder) != NULL)
        gpu_decoding_allow(budget, ++all->gpu_count);
}

/*
 * Returns the mark of the next GPU, after BYTES.  A GPU that decodes starts to
 * decode, and has nothing to count before: opened now, it would hold up the
 * start of the one that is opened to decode.  Under the lock.
 */
static uint64_t
mark_of_next(const struct consumers *all, uint64_t bytes)
{
    size_t next = all->gpu_count;
    uint64_t mark = all->plan->gpu_mark[next];
    const struct decoding_device *decoder =
        gpu_decoding_device(all->inputs->budget, next);

    return mark <= bytes && decoder != NULL && gpu_decoding_is_starting(decoder)
               ? bytes + LOOK_BYTES
               : mark;
}

/*
 * No GPU is being opened: start the next GPU if its mark is at most BYTES, or
 * else let consumers_note_read() wait for the mark.  A driver opens one GPU at
 * a time: started together, all GPUs would open late, and no GPU could count
 * before.
 */
static void
start_next_gpu(struct consumers *all, uint64_t bytes)
{
    struct error failure = ERROR_NONE;
    int result = 0;

    pthread_mutex_lock(&all->lock);
    allow_next(all);
    bool is_left = all->gpu_count < all->plan->gpu_count && !is_ending(all);
    uint64_t mark = is_left ? mark_of_next(all, bytes) : UINT64_MAX;
    atomic_store(&all->next_mark, mark > bytes ? mark : UINT64_MAX);
    if (is_left && mark <= bytes)
        result = start_gpu(all, &failure);
    pthread_mutex_unlock(&all->lock);
    /* Only GPUs that the user requests are several. */
    if (result < 0)
        consumers_stop(all, &failure);
    error_clear(&failure);
}

void
consumers_note_read(struct consumers *all, uint64_t bytes)
{
    uint64_t mark = atomic_load(&all->next_mark);

    /* One reader passes the mark. */
    if (bytes >= mark && mark != UINT64_MAX &&
        atomic_compare_exchange_strong(&all->next_mark, &mark, UINT64_MAX))
        start_next_gpu(all, bytes);
}

int
consumers_start(struct consumers *all, struct error *error)
{
    const struct plan *plan = all->plan;
    struct error no_gpu = ERROR_NONE;

    if (plan->host_threads > 0 && !plan->hosts_are_reserve &&
        !plan_readers_count(plan) && start_host(all, error) < 0)
        return -1;
    if (plan->gpu_after == 0 && consumers_start_gpus(all, &no_gpu) < 0 &&
        plan->gpu_is_demanded) {
        error_move(error, &no_gpu);
        return -1;
    }
    error_clear(&no_gpu);
    return 0;
}

/*
 * Start another CPU thread if chunks that KIND counts are waiting.  If the
 * system refuses a thread, the existing ones continue.
 */
static void
call_help(struct consumers *all, enum consumer_kind kind)
{
    struct error ignored = ERROR_NONE;

    if (!pool_has_work(all->pool, kind))
        return;
    pthread_mutex_lock(&all->lock);
    start_host(all, &ignored);
    pthread_mutex_unlock(&all->lock);
    error_clear(&ignored);
}

/*
 * A device has refused chunks.  If no CPU thread can be started for these
 * chunks, stop the run.
 */
static void
call_reserve(struct consumers *all)
{
    struct error failure = ERROR_NONE;
    int result = 0;

    pthread_mutex_lock(&all->lock);
    if (all->host_count == all->host_readers)
        result = start_host(all, &failure);
    pthread_mutex_unlock(&all->lock);
    if (result < 0)
        consumers_stop(all, &failure);
    error_clear(&failure);
}

/* ---- the life of a consumer ---- */

/* Which chunks CONSUMER gets. */
static enum consumer_kind
kind_of(const struct consumer *consumer)
{
    if (consumer_is_device(consumer))
        return CONSUMER_DEVICE;
    return consumer->all->plan->hosts_are_reserve ? CONSUMER_RESERVE
                                                  : CONSUMER_HOST;
}

/* Whether another consumer counts the chunks of CONSUMER, which failed. */
static bool
has_substitute(const struct consumers *all, const struct consumer *consumer)
{
    bool has_hosts = all->host_count > 0 && !all->plan->hosts_are_reserve;

    /* A CPU thread fails only if out of memory, which ends the run. */
    if (!consumer_is_device(consumer))
        return false;
    if (all->plan->gpu_is_alone && consumer->was_open)
        return false;
    for (size_t i = 0; i < all->count && !has_hosts; i++) {
        const struct consumer *other = &all->consumer[i];
        /* A consumer that is DONE may have counted everything already. */
        if (other != consumer && other->state != CONSUMER_FAILED &&
            kind_of(other) != CONSUMER_RESERVE)
            return true;
    }
    return has_hosts;
}

/* An open GPU has failed: if others wait for their marks, open the next one.
   Under the lock. */
static void
start_substitute(struct consumers *all)
{
    struct error ignored = ERROR_NONE;

    if (is_ending(all) ||
        atomic_exchange(&all->next_mark, UINT64_MAX) == UINT64_MAX)
        return;
    start_gpu(all, &ignored);
    error_clear(&ignored);
}

void
consumer_fail(struct consumer *consumer, struct error *failure)
{
    struct consumers *all = consumer->all;

    pthread_mutex_lock(&all->lock);
    consumer->was_open = consumer->state == CONSUMER_COUNTING;
    consumer->state = CONSUMER_FAILED;
    if (!consumer->was_open)
        atomic_fetch_add(&all->progress->gpus_starting,
                         -consumer_is_device(consumer));
    else if (consumer_is_device(consumer))
        start_substitute(all);
    bool is_fatal = !has_substitute(all, consumer) ||
                    (all->plan->gpu_is_demanded && !consumer->was_open);
    error_move(is_fatal ? &all->error : &consumer->error, failure);
    pthread_cond_signal(&all->ended);
    pthread_mutex_unlock(&all->lock);
    if (is_fatal)
        pool_stop(all->pool);
}

static void
consumer_set_state(struct consumer *consumer, enum consumer_state state)
{
    pthread_mutex_lock(&consumer->all->lock);
    consumer->state = state;
    pthread_cond_signal(&consumer->all->ended);
    pthread_mutex_unlock(&consumer->all->lock);
}

void
consumer_finish(struct consumer *consumer)
{
    const struct engine_type *type = consumer->engine->type;

    /*
     * If the run takes snapshots, merge.c may be settling the counts of all
     * engines now, and settles the counts at the end anyway.
     */
    if (type->settle != NULL && !consumer->all->plan->takes_snapshots)
        type->settle(consumer->engine);
    consumer_set_state(consumer, CONSUMER_DONE);
}

/* The engine of CONSUMER has been opened. */
static void
consumer_start(struct consumer *consumer)
{
    struct progress *progress = consumer->all->progress;

    pthread_mutex_lock(&consumer->all->lock);
    consumer->state = CONSUMER_COUNTING;
    memcpy(consumer->name, consumer->engine->name, sizeof consumer->name);
    pthread_mutex_unlock(&consumer->all->lock);
    if (consumer_is_device(consumer)) {
        pool_add(consumer->all->pool, consumer->all->plan->held_chunks);
        pool_count_device(consumer->all->pool, 1);
        if (consumer->token != NULL)
            pool_tie(consumer->all->pool, consumer->token);
    }
    /* Last: an observer of these counters may rely on the state above. */
    atomic_fetch_add(&progress->gpus_starting, -consumer_is_device(consumer));
    atomic_fetch_add(&progress->gpus_counting, consumer_is_device(consumer));
}

void
consumer_end(struct consumer *consumer)
{
    struct pool *pool = consumer->all->pool;

    while (consumer->held_count > 0)
        pool_give_back(pool, consumer->held[--consumer->held_count]);
    atomic_fetch_add(&consumer->all->progress->gpus_counting,
                     -consumer_is_device(consumer));
    if (consumer_is_device(consumer))
        pool_count_device(pool, -1);
    if (consumer->token != NULL)
        pool_untie(pool, consumer->token);
}

void
consumer_keep_counts(struct consumer *consumer)
{
    consumer->counted = consumer->engine->histogram;
    consumer->counted_spec = consumer->engine->histogram_spec;
}

/* The engine has completed CHUNK: note the counts of CONSUMER. */
static void
add_bytes(struct consumer *consumer, const struct chunk *chunk)
{
    struct consumers *all = consumer->all;
    size_t bytes = chunk->used - chunk->synthetic.bytes;

    /* The bytes of leftovers are added already. */
    if (chunk->leftover_count > 0)
        return;
    consumer->bytes += bytes;
    /* The engines of the CPU report their own counts. */
    if (all->spec->uses_tables && consumer_is_device(consumer)) {
        atomic_fetch_add(&all->keys.bytes, bytes);
        atomic_fetch_sub(&all->keys.elements[SEQUENCE_READS],
                         chunk->synthetic.records);
    }
}

/*
 * The engine has completed CHUNK except for LEFTOVERS, which may be NULL:
 * release CHUNK, or let the CPU count LEFTOVERS.  Returns whether LEFTOVERS is
 * not NULL.
 */
static bool
release_chunk(struct consumer *consumer, struct chunk *chunk,
              const struct engine_leftovers *leftovers)
{
    struct consumers *all = consumer->all;
    struct error error = ERROR_NONE;

    add_bytes(consumer, chunk);
    if (leftovers == NULL || leftovers->count == 0) {
        pool_release(all->pool, chunk);
        return false;
    }
    if (pool_keep_leftovers(chunk, leftovers->pair, leftovers->count) < 0) {
        (void)error_fail_memory(&error);
        consumers_stop(all, &error);
        error_clear(&error);
    }
    consumer->leftovers += leftovers->count;
    pool_refuse(all->pool, chunk);
    return true;
}

/*
 * The engine has completed the first COUNT chunks held: release each chunk, or
 * let the CPU count the chunk or its leftovers.
 */
static void
release(struct consumer *consumer, size_t count)
{
    const bool *refused = consumer->engine->refused;
    const struct engine_leftovers *leftovers = consumer->engine->leftovers;
    struct chunk **held = consumer->held;
    bool is_left = false;

    assert(count >= 1 && count <= consumer->held_count);
    consumer_keep_counts(consumer);
    for (size_t i = 0; i < count; i++) {
        if (refused == NULL || !refused[i]) {
            is_left |= release_chunk(consumer, held[i],
                                     leftovers != NULL ? &leftovers[i] : NULL);
            continue;
        }
        pool_refuse(consumer->all->pool, held[i]);
        consumer->left++;
        is_left = true;
    }
    consumer->held_count -= count;
    memmove(held, held + count, consumer->held_count * sizeof *held);
    if (is_left)
        call_reserve(consumer->all);
}

/* How long a consumer that holds HELD_COUNT chunks should wait for more. */
static enum pool_wait
batch_preference(const struct engine *engine, size_t held_count)
{
    if (held_count == 0)
        return POOL_WAIT;
    return held_count < engine->batch ? POOL_WAIT_UNLESS_STARVED : POOL_NO_WAIT;
}

/* Take a chunk for CONSUMER, or return NULL: as pool_take(). */
static struct chunk *
take(const struct consumer *consumer)
{
    struct pool *pool = consumer->all->pool;
    enum pool_wait wait =
        batch_preference(consumer->engine, consumer->held_count);

    return consumer_is_device(consumer)
               ? pool_take_tied(pool, consumer->token, wait)
               : pool_take(pool, kind_of(consumer), wait);
}

/* How the use of an engine ended. */
enum outcome {
    OUTCOME_DONE,
    OUTCOME_FAILED,
    OUTCOME_LOST, /* the call returned too late: the watcher is the owner */
};

/* The outcome of a call of an engine that returned RESULT. */
static enum outcome
outcome_of(struct consumer *consumer, int result)
{
    if (!watchdog_end(&consumer->watch))
        return OUTCOME_LOST;
    return result < 0 ? OUTCOME_FAILED : OUTCOME_DONE;
}

static enum outcome
open_one(struct consumer *consumer, struct engine *engine, struct error *error)
{
    watchdog_start(&consumer->watch);
    return outcome_of(consumer,
                      engine->type->open(engine, consumer->all->pool, error));
}

/*
 * Open the engine of CONSUMER.  If this fails, swap the engine with the second
 * engine and open the second.  With OUTCOME_FAILED, *ERROR has the errors of
 * both.
 */
static enum outcome
open_engine(struct consumer *consumer, struct error *error)
{
    struct engine *first = consumer->engine;
    struct engine *second = consumer->second;
    struct error failure = ERROR_NONE;
    struct error other = ERROR_NONE;

    enum outcome outcome = open_one(consumer, first, &failure);
    if (outcome == OUTCOME_FAILED && second != NULL) {
        pthread_mutex_lock(&consumer->all->lock);
        consumer->engine = second;
        consumer->second = first;
        pthread_mutex_unlock(&consumer->all->lock);
        outcome = open_one(consumer, second, &other);
        if (outcome == OUTCOME_FAILED)
            error_set(error, EXIT_NO_DEVICE, "%s; %s", failure.text,
                      other.text);
    } else if (outcome == OUTCOME_FAILED) {
        error_move(error, &failure);
    }
    error_clear(&failure);
    error_clear(&other);
    return outcome;
}

/* Submit the newest chunk held to the engine. */
static enum outcome
submit(struct consumer *consumer, struct error *error)
{
    struct engine *engine = consumer->engine;
    struct chunk *chunk = consumer->held[consumer->held_count - 1];

    if (engine->needs_own)
        pool_own(chunk);
    pool_replace(consumer->all->pool, chunk, &engine->spare);
    watchdog_start(&consumer->watch);
    return outcome_of(consumer, engine->type->submit(engine, chunk, error));
}

/* Have the engine complete the oldest chunks held, and release them. */
static enum outcome
complete(struct consumer *consumer, struct error *error)
{
    struct engine *engine = consumer->engine;
    size_t count;

    watchdog_start(&consumer->watch);
    enum outcome outcome =
        outcome_of(consumer, engine->type->complete(engine, &count, error));
    if (outcome == OUTCOME_DONE)
        release(consumer, count);
    return outcome;
}

/* Whether CHUNK is not for the engine of CONSUMER, which is a device. */
static bool
is_skipped(struct consumer *consumer, const struct chunk *chunk)
{
    struct engine *engine = consumer->engine;

    /* A device has no memory for it. */
    if (chunk->large_bytes > 0)
        return true;
    if (engine->skips == 0)
        return false;
    engine->skips--;
    consumer->skipped++;
    return true;
}

/*
 * Feed the engine chunks until none is left.  With OUTCOME_FAILED, *ERROR is
 * set, and the chunks still held are not counted.
 */
static enum outcome
feed(struct consumer *consumer, struct error *error)
{
    struct consumers *all = consumer->all;
    struct engine *engine = consumer->engine;
    enum consumer_kind kind = kind_of(consumer);
    enum outcome outcome = OUTCOME_DONE;
    double start = 0;

    while (outcome == OUTCOME_DONE) {
        struct chunk *chunk = NULL;

        if (consumer->held_count < engine->depth)
            chunk = take(consumer);
        if (chunk == NULL && consumer->held_count == 0)
            break;
        if (chunk != NULL && kind == CONSUMER_DEVICE &&
            is_skipped(consumer, chunk)) {
            pool_refuse(all->pool, chunk);
            call_reserve(all);
        } else if (chunk != NULL) {
            if (start == 0)
                start = clock_now();
            consumer->held[consumer->held_count++] = chunk;
            if (kind != CONSUMER_DEVICE)
                call_help(all, kind);
            outcome = submit(consumer, error);
        } else {
            outcome = complete(consumer, error);
            if (outcome == OUTCOME_DONE)
                consumer->count_seconds = clock_now() - start;
        }
    }
    return outcome;
}

/* Count with the engine of CONSUMER, which is open. */
static enum outcome
count_chunks(struct consumer *consumer, struct error *error)
{
    enum outcome outcome = OUTCOME_FAILED;

    consumer->held = calloc(consumer->engine->depth, sizeof(struct chunk *));
    if (consumer->held != NULL)
        outcome = feed(consumer, error);
    else
        (void)error_fail_memory(error);
    if (outcome != OUTCOME_LOST)
        consumer_end(consumer);
    return outcome;
}

static void *
consumer_main(void *argument)
{
    struct consumer *consumer = argument;
    struct error failure = ERROR_NONE;

    double start = clock_now();
    atomic_fetch_add(&consumer->all->progress->gpus_starting,
                     consumer_is_device(consumer));
    enum outcome outcome = open_engine(consumer, &failure);
    if (outcome == OUTCOME_DONE) {
        consumer->open_seconds = clock_now() - start;
        if (consumer_is_device(consumer))
            start_next_gpu(consumer->all, 0);
        consumer_start(consumer);
        outcome = count_chunks(consumer, &failure);
    }
    if (outcome == OUTCOME_DONE)
        consumer_finish(consumer);
    else if (outcome == OUTCOME_FAILED)
        consumer_fail(consumer, &failure);
    /* With OUTCOME_LOST, the run may end without waiting for this thread. */
    error_clear(&failure);
    return NULL;
}

/* ---- errors ---- */

void
consumers_stop(struct consumers *all, struct error *error)
{
    pthread_mutex_lock(&all->lock);
    error_move(&all->error, error);
    pthread_mutex_unlock(&all->lock);
    pool_stop(all->pool);
}

int
consumers_check(struct consumers *all, struct error *error)
{
    pthread_mutex_lock(&all->lock);
    bool has_stopped = all->error.status != EXIT_DONE;
    error_move(error, &all->error);
    pthread_mutex_unlock(&all->lock);
    return has_stopped ? -1 : 0;
}

/* ---- all of them ---- */

/* Open the tables that CPU threads share.  Returns 0, or -1 with *ERROR set. */
static int
open_shared(struct consumers *all, struct error *error)
{
    const struct plan *plan = all->plan;

    if (all->spec->uses_tables)
        return field_counts_open(&all->keys, all->spec, plan->host_threads,
                                 (size_t)plan->host_bytes, error);
    if (!plan->host_shares ||
        shared_counts_open(&all->shared, all->spec->cells, plan->host_threads,
                           plan->host_bytes) == 0)
        return 0;
    return error_fail_memory(error);
}

int
consumers_open(struct consumers *all, const struct plan *plan,
               const struct spec *spec, struct pool *pool,
               struct auto_range *ranging, struct inputs *inputs,
               struct error *error)
{
    *all = (struct consumers){.plan = plan,
                              .spec = spec,
                              .pool = pool,
                              .ranging = ranging,
                              .inputs = inputs,
                              .progress = inputs->reading.progress,
                              .next_mark = UINT64_MAX,
                              .max = plan->host_threads + plan->gpu_count +
                                     plan_readers_count(plan)};
    pthread_mutex_init(&all->lock, NULL);
    clock_cond_init(&all->ended);
    all->consumer = calloc(all->max, sizeof *all->consumer);
    if (all->consumer == NULL)
        return error_fail_memory(error);
    return open_shared(all, error);
}

int
consumers_restart(struct consumers *all, struct error *error)
{
    bool is_any_lost = false;

    pthread_mutex_lock(&all->lock);
    for (size_t i = 0; i < all->count; i++) {
        struct consumer *consumer = &all->consumer[i];
        consumer->counted = (struct histogram){0};
        consumer->leftovers = 0;
        is_any_lost |= consumer->is_lost;
        if (!consumer->is_lost)
            consumer->engine->starts_over = true;
    }
    pthread_mutex_unlock(&all->lock);
    all->zero_records = 0;
    if (all->spec->uses_tables)
        field_counts_restart(&all->keys);
    /* A call that hangs may still read the spec of its chunk. */
    auto_range_restart(all->ranging, is_any_lost);
    if (!all->plan->host_shares || shared_counts_restart(&all->shared) == 0)
        return 0;
    return error_fail_memory(error);
}

void
consumers_close(struct consumers *all)
{
    for (size_t i = 0; i < all->count; i++) {
        struct consumer *consumer = &all->consumer[i];
        close_engine(consumer->engine);
        close_engine(consumer->second);
        error_clear(&consumer->error);
        free(consumer->held);
    }
    close_engine(atomic_load(&all->spare));
    error_clear(&all->shortage);
    if (all->plan->host_shares)
        shared_counts_close(&all->shared);
    if (all->spec->uses_tables)
        field_counts_close(&all->keys);
    pthread_cond_destroy(&all->ended);
    pthread_mutex_destroy(&all->lock);
    free(all->consumer);
}
