/* pipeline.c -- the threads of a run */

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine_cpu.h"
#include "engine_cuda.h"
#include "pipeline.h"
#include "tally.h"

static double
now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* What others are told of this run. */
static struct progress *
progress_of(const struct pipeline *pipeline)
{
    return pipeline->inputs->reading.progress;
}

/* What threads keep on their stacks (src/tally.c), and plenty. */
#define STACK_BYTES_MIN ((size_t)1 << 20)

/* pthread_create(), whatever the user's limit for stacks is. */
static int
start_thread(pthread_t *thread, void *(*function)(void *), void *argument)
{
    pthread_attr_t attributes;
    size_t stack_bytes;
    int result = pthread_attr_init(&attributes);

    if (result != 0)
        return result;
    if (pthread_attr_getstacksize(&attributes, &stack_bytes) == 0 &&
        stack_bytes < STACK_BYTES_MIN)
        (void)pthread_attr_setstacksize(&attributes, STACK_BYTES_MIN);
    result = pthread_create(thread, &attributes, function, argument);
    pthread_attr_destroy(&attributes);
    return result;
}

/* ---- consumers ---- */

static void *consumer_main(void *argument);
/*
 * The next consumer, of ENGINE, that is not counted yet; under the lock.
 * NULL with *ERROR set where there is no ENGINE: out of memory.
 */
static struct consumer *
next_consumer(struct pipeline *pipeline, struct engine *engine,
              struct error *error)
{
    if (engine == NULL) {
        error_set(error, EXIT_DATA, "out of memory");
        return NULL;
    }
    assert(pipeline->consumer_count < pipeline->consumer_max);
    struct consumer *consumer = &pipeline->consumer[pipeline->consumer_count];
    *consumer = (struct consumer){.pipeline = pipeline, .engine = engine};
    return consumer;
}

/* Start a thread for ENGINE (NULL: out of memory); under the lock. */
static int
start_consumer(struct pipeline *pipeline, struct engine *engine,
               struct error *error)
{
    struct consumer *consumer = next_consumer(pipeline, engine, error);

    if (consumer == NULL)
        return -1;
    int result = start_thread(&consumer->thread, consumer_main, consumer);
    if (result != 0) {
        engine->type->close(engine);
        error_set(error, EXIT_DATA, "cannot start a thread: %s",
                  strerror(result));
        return -1;
    }
    pipeline->consumer_count++;
    return 0;
}

/* An engine for one more thread that counts; under the lock.  Or NULL. */
static struct engine *
new_host_engine(struct pipeline *pipeline)
{
    return engine_cpu_new(ranging_current(&pipeline->ranging),
                          pipeline->plan->host_shares ? &pipeline->histogram
                                                      : NULL);
}

/* Have one more CPU thread count, if the plan allows; under the lock. */
static int
start_host(struct pipeline *pipeline, struct error *error)
{
    if (pipeline->host_count == pipeline->plan->host_threads)
        return 0;
    if (start_consumer(pipeline, new_host_engine(pipeline), error) < 0)
        return -1;
    pipeline->host_count++;
    atomic_fetch_add(&progress_of(pipeline)->host_threads, 1);
    return 0;
}

/* Start the GPUs of the plan, once; under the lock. */
static int
start_gpus(struct pipeline *pipeline, struct error *error)
{
    const struct plan *plan = pipeline->plan;

    if (pipeline->gpus_started)
        return 0;
    pipeline->gpus_started = true;
    for (size_t i = 0; i < plan->gpu_count; i++) {
        struct engine *engine =
            engine_cuda_new(plan->gpu[i], ranging_current(&pipeline->ranging),
                            plan->strategy, plan->gpu_is_alone);
        if (start_consumer(pipeline, engine, error) < 0)
            return -1;
    }
    return 0;
}

/*
 * A CPU thread has just taken a chunk and there are more: get help.  Where
 * the system refuses another thread, those that are there go on.
 */
static void
call_help(struct pipeline *pipeline)
{
    struct error ignored = ERROR_NONE;

    if (!pool_has_work(&pipeline->pool))
        return;
    pthread_mutex_lock(&pipeline->lock);
    start_host(pipeline, &ignored);
    pthread_mutex_unlock(&pipeline->lock);
    error_clear(&ignored);
}

/* Whether another consumer counts, or has counted, what this one cannot. */
static bool
has_substitute(const struct pipeline *pipeline, const struct consumer *consumer)
{
    /* A CPU thread fails only for lack of memory, and then all is over. */
    if (consumer->engine->type->taker == TAKER_HOST)
        return false;
    if (pipeline->host_count > 0)
        return true;
    for (size_t i = 0; i < pipeline->consumer_count; i++) {
        const struct consumer *other = &pipeline->consumer[i];
        /* One that is DONE may have counted everything already. */
        if (other != consumer && other->state != CONSUMER_FAILED)
            return true;
    }
    return false;
}

/*
 * The engine of CONSUMER failed; its chunks are back in the pool.  A GPU that
 * the user demanded must at least have started; one that fails later may be
 * replaced by any other engine.
 */
static void
consumer_fail(struct consumer *consumer, struct error *failure)
{
    struct pipeline *pipeline = consumer->pipeline;

    pthread_mutex_lock(&pipeline->lock);
    consumer->was_open = consumer->state == CONSUMER_COUNTING;
    consumer->state = CONSUMER_FAILED;
    bool is_fatal = !has_substitute(pipeline, consumer) ||
                    (pipeline->plan->gpu_is_demanded && !consumer->was_open);
    error_move(is_fatal ? &pipeline->error : &consumer->error, failure);
    pthread_mutex_unlock(&pipeline->lock);
    if (is_fatal)
        pool_stop(&pipeline->pool);
}

static void
consumer_set_state(struct consumer *consumer, enum consumer_state state)
{
    pthread_mutex_lock(&consumer->pipeline->lock);
    consumer->state = state;
    pthread_mutex_unlock(&consumer->pipeline->lock);
}

/* The first COUNT of the chunks in HELD are counted for good. */
static void
release(struct consumer *consumer, struct chunk **held, size_t *held_count,
        size_t count)
{
    assert(count >= 1 && count <= *held_count);
    for (size_t i = 0; i < count; i++) {
        consumer->bytes += held[i]->used;
        pool_release(&consumer->pipeline->pool, held[i]);
    }
    *held_count -= count;
    memmove(held, held + count, *held_count * sizeof *held);
}

/* How long a consumer that holds HELD_COUNT chunks should wait for more. */
static enum pool_wait
patience(const struct engine *engine, size_t held_count)
{
    if (held_count == 0)
        return POOL_WAIT;
    return engine->is_patient ? POOL_WAIT_UNLESS_STARVED : POOL_NO_WAIT;
}

/*
 * Keep the engine supplied until nothing is left to take.  The chunks that
 * it holds are in HELD, the oldest first.  Returns 0, or -1 with *ERROR set;
 * those that it still holds then, *HELD_COUNT, are not counted.
 */
static int
feed(struct consumer *consumer, struct chunk **held, size_t *held_count,
     struct error *error)
{
    struct pool *pool = &consumer->pipeline->pool;
    struct engine *engine = consumer->engine;
    const struct engine_type *type = engine->type;
    double begin = 0;

    for (;;) {
        struct chunk *chunk = NULL;
        size_t count;

        if (*held_count < engine->depth)
            chunk = pool_take(pool, type->taker, patience(engine, *held_count));
        if (chunk == NULL && *held_count == 0)
            return 0;
        if (chunk != NULL) {
            if (begin == 0)
                begin = now();
            held[(*held_count)++] = chunk;
            if (type->taker == TAKER_HOST)
                call_help(consumer->pipeline);
            if (type->submit(engine, chunk, error) < 0)
                return -1;
            continue;
        }
        if (type->complete(engine, &count, error) < 0)
            return -1;
        release(consumer, held, held_count, count);
        consumer->count_seconds = now() - begin;
    }
}

/* Feed the engine, which is open; after a failure its chunks are given back. */
static int
count_chunks(struct consumer *consumer, struct error *error)
{
    struct pool *pool = &consumer->pipeline->pool;
    size_t depth = consumer->engine->depth;
    struct chunk **held = calloc(depth, sizeof *held);
    size_t held_count = 0;

    if (held == NULL) {
        error_set(error, EXIT_DATA, "out of memory");
        return -1;
    }
    int result = feed(consumer, held, &held_count, error);
    while (held_count > 0)
        pool_give_back(pool, held[--held_count]);
    free(held);
    return result;
}

static void *
consumer_main(void *argument)
{
    struct consumer *consumer = argument;
    struct pool *pool = &consumer->pipeline->pool;
    struct progress *progress = progress_of(consumer->pipeline);
    const struct engine_type *type = consumer->engine->type;
    int is_device = type->taker == TAKER_DEVICE;
    struct error failure = ERROR_NONE;

    double begin = now();
    atomic_fetch_add(&progress->gpus_starting, is_device);
    int result = type->open(consumer->engine, pool, &failure);
    atomic_fetch_add(&progress->gpus_starting, -is_device);
    consumer->open_seconds = now() - begin;
    if (result == 0) {
        consumer_set_state(consumer, CONSUMER_COUNTING);
        atomic_fetch_add(&progress->gpus_counting, is_device);
        if (is_device)
            pool_count_device(pool, 1);
        result = count_chunks(consumer, &failure);
        if (is_device)
            pool_count_device(pool, -1);
        atomic_fetch_add(&progress->gpus_counting, -is_device);
    }
    if (result == 0)
        consumer_set_state(consumer, CONSUMER_DONE);
    else
        consumer_fail(consumer, &failure);
    return NULL;
}

/* ---- readers ---- */

/* A chunk with BYTES more has been filled. */
static void
count_read(struct pipeline *pipeline, size_t bytes)
{
    struct error ignored = ERROR_NONE;

    pthread_mutex_lock(&pipeline->lock);
    pipeline->bytes_read += bytes;
    /* No thread for a GPU?  It was an offer; the CPU is counting. */
    if (pipeline->bytes_read >= pipeline->plan->gpu_after)
        start_gpus(pipeline, &ignored);
    pthread_mutex_unlock(&pipeline->lock);
    error_clear(&ignored);
}

/* A reader is out of memory: nothing can be counted without its chunk. */
static void
fail_reader(struct pipeline *pipeline)
{
    pthread_mutex_lock(&pipeline->lock);
    error_set(&pipeline->error, EXIT_DATA, "out of memory");
    pthread_mutex_unlock(&pipeline->lock);
    pool_stop(&pipeline->pool);
}

static void *reader_main(void *argument);

/* Start one more reader; under the lock.  Returns 0 or an error number. */
static int
start_reader(struct pipeline *pipeline)
{
    int result = start_thread(&pipeline->reader[pipeline->reader_count],
                              reader_main, pipeline);

    if (result == 0) {
        pipeline->reader_count++;
        pipeline->readers_reading++;
    }
    return result;
}

/*
 * The reader of CLAIM is kept busy by decoding and there is more to do: get
 * help.  Where the system refuses another thread, those that are there go on.
 */
static void
call_reader(struct pipeline *pipeline, const struct claim *claim)
{
    const struct plan *plan = pipeline->plan;

    if (plan->decoders == plan->readers ||
        !inputs_want_reader(pipeline->inputs, claim))
        return;
    pthread_mutex_lock(&pipeline->lock);
    /* Where not all of the first could be started, their chunks are there. */
    if (pipeline->reader_count < plan->decoders &&
        start_reader(pipeline) == 0 && pipeline->reader_count > plan->readers)
        pool_add(&pipeline->pool, plan->decoder_chunks);
    pthread_mutex_unlock(&pipeline->lock);
}

/*
 * Whether a reader should count itself what it has read, as *SELF; that is
 * NULL until it does so for the first time.
 */
static bool
counts_itself(struct pipeline *pipeline, struct consumer **self)
{
    const struct plan *plan = pipeline->plan;
    struct error ignored = ERROR_NONE;

    pthread_mutex_lock(&pipeline->lock);
    unsigned int threads = pipeline->readers_reading + pipeline->host_count -
                           pipeline->host_readers;
    bool is_crowded =
        threads > plan->cpus + atomic_load(&pipeline->inputs->waiting);
    if (is_crowded && *self == NULL &&
        pipeline->host_count < plan->host_threads) {
        *self = next_consumer(pipeline, new_host_engine(pipeline), &ignored);
        if (*self != NULL) {
            (*self)->is_reader = true;
            (*self)->state = CONSUMER_COUNTING;
            pipeline->consumer_count++;
            pipeline->host_count++;
            pipeline->host_readers++;
            atomic_fetch_add(&progress_of(pipeline)->host_threads, 1);
        }
    }
    pthread_mutex_unlock(&pipeline->lock);
    error_clear(&ignored);
    return is_crowded && *self != NULL && !pool_wants_more(&pipeline->pool);
}

/* Fill CHUNK with up to CAPACITY bytes.  Returns 0, or -1: out of memory. */
static int
fill(struct pipeline *pipeline, struct claim *claim, struct chunk *chunk,
     size_t capacity)
{
    chunk->used = inputs_read(pipeline->inputs, claim, chunk->data, capacity);
    chunk->spec = ranging_extend(&pipeline->ranging, chunk->data, chunk->used);
    if (chunk->spec == NULL)
        return -1;
    if (chunk->used > 0)
        count_read(pipeline, chunk->used);
    return 0;
}

/* Count CHUNK here and now.  Returns 0, or -1: out of memory. */
static int
count_here(struct consumer *self, struct chunk *chunk)
{
    struct error ignored = ERROR_NONE;

    if (self->engine->type->submit(self->engine, chunk, &ignored) < 0) {
        error_clear(&ignored);
        return -1;
    }
    self->bytes += chunk->used;
    chunk->used = 0;
    return 0;
}

/*
 * Read until there is nothing more to do.  *SELF is the consumer that this
 * reader is, too, once it counts.  Returns 0, or -1: out of memory.
 */
static int
read_chunks(struct pipeline *pipeline, struct consumer **self)
{
    struct pool *pool = &pipeline->pool;
    struct claim claim = {0};
    struct chunk *chunk = pool_fill_begin(pool);
    size_t capacity = pool->chunk_bytes;

    while (chunk != NULL) {
        if (fill(pipeline, &claim, chunk, capacity) < 0)
            return -1;
        bool is_end = chunk->used < capacity;
        capacity = pool->chunk_bytes;
        if (counts_itself(pipeline, self)) {
            if (count_here(*self, chunk) < 0)
                return -1;
            /* A GPU would have to be given whole chunks. */
            if (!pool_has_devices(pool))
                capacity = pipeline->plan->cached_bytes;
        }
        call_reader(pipeline, &claim);
        if (is_end || chunk->used > 0) {
            pool_fill_end(pool, chunk);
            chunk = is_end ? NULL : pool_fill_begin(pool);
        }
    }
    return 0;
}

static void *
reader_main(void *argument)
{
    struct pipeline *pipeline = argument;
    struct pool *pool = &pipeline->pool;
    struct consumer *self = NULL;

    if (read_chunks(pipeline, &self) < 0)
        fail_reader(pipeline);
    if (self != NULL)
        consumer_set_state(self, CONSUMER_DONE);

    pthread_mutex_lock(&pipeline->lock);
    bool is_last = --pipeline->readers_reading == 0;
    pthread_mutex_unlock(&pipeline->lock);
    if (is_last)
        pool_end(pool);
    return NULL;
}

/* One reader can do the work of all, so only the first must start. */
static int
start_readers(struct pipeline *pipeline, struct error *error)
{
    int result = 0;

    for (unsigned int i = 0; i < pipeline->plan->readers && result == 0; i++)
        result = start_reader(pipeline);
    if (pipeline->reader_count > 0)
        return 0;
    error_set(error, EXIT_DATA, "cannot start a thread: %s", strerror(result));
    return -1;
}

/* ---- the run ---- */

/* Start the threads of the plan; under the lock. */
static int
start(struct pipeline *pipeline, struct error *error)
{
    const struct plan *plan = pipeline->plan;
    struct error no_gpu = ERROR_NONE;

    if (plan->host_threads > 0 && start_host(pipeline, error) < 0)
        return -1;
    if (plan->gpu_after == 0 && start_gpus(pipeline, &no_gpu) < 0 &&
        plan->gpu_is_demanded) {
        error_move(error, &no_gpu);
        return -1;
    }
    error_clear(&no_gpu);
    return start_readers(pipeline, error);
}

/*
 * Wait for the threads.  A GPU that nobody demanded may still be starting:
 * it is not waited for.
 */
static void
join(struct pipeline *pipeline)
{
    for (unsigned int i = 0; i < pipeline->reader_count; i++)
        pthread_join(pipeline->reader[i], NULL);
    /* All is counted and no reader is left: no consumer can be added now. */
    for (size_t i = 0; i < pipeline->consumer_count; i++) {
        struct consumer *consumer = &pipeline->consumer[i];
        pthread_mutex_lock(&pipeline->lock);
        consumer->is_late = consumer->state == CONSUMER_STARTING &&
                            consumer->engine->type->taker == TAKER_DEVICE &&
                            !pipeline->plan->gpu_is_demanded;
        pthread_mutex_unlock(&pipeline->lock);
        if (consumer->is_late)
            pipeline->is_abandoned = true;
        else if (!consumer->is_reader)
            pthread_join(consumer->thread, NULL);
    }
}

/* Add up what the engines counted; nothing may be lost or counted twice. */
static int
merge(struct pipeline *pipeline, struct error *error)
{
    const struct spec *spec = ranging_current(&pipeline->ranging);
    struct histogram *sum = &pipeline->histogram;

    pipeline->spec = spec;
    if (sum->value == NULL &&
        histogram_open(sum, spec->cells, spec->planes) < 0) {
        error_set(error, EXIT_DATA, "out of memory");
        return -1;
    }
    for (size_t i = 0; i < pipeline->consumer_count; i++) {
        struct consumer *consumer = &pipeline->consumer[i];
        struct histogram *part = &consumer->engine->histogram;
        if (consumer->is_late || part->value == NULL)
            continue;
        if (ranging_move(consumer->engine->histogram_spec, spec, part) < 0) {
            error_set(error, EXIT_DATA, "out of memory");
            return -1;
        }
        if (spec->has_weights)
            tally_carry(spec, part);
        histogram_add(sum, part);
    }
    if (spec_adds_up(spec, sum, pipeline->bytes_read / spec->record.bytes))
        return 0;
    error_set(error, EXIT_DATA,
              "internal error: the counts do not add up to the %llu bytes read",
              (unsigned long long)pipeline->bytes_read);
    return -1;
}

/* Move the error that stopped the run, if any, to *ERROR. */
static int
check_stopped(struct pipeline *pipeline, struct error *error)
{
    pthread_mutex_lock(&pipeline->lock);
    bool has_stopped = pipeline->error.status != EXIT_DONE;
    error_move(error, &pipeline->error);
    pthread_mutex_unlock(&pipeline->lock);
    return has_stopped ? -1 : 0;
}

int
pipeline_run(struct pipeline *pipeline, const struct plan *plan,
             const struct spec *spec, struct inputs *inputs,
             struct error *error)
{
    /* A reader that waits for its input must not hold the last chunk. */
    assert(plan->readers < plan->chunk_count);
    *pipeline = (struct pipeline){.plan = plan, .spec = spec, .inputs = inputs};
    pthread_mutex_init(&pipeline->lock, NULL);
    /* Until it is known that all threads will end. */
    pipeline->is_abandoned = true;

    pipeline->consumer_max = plan->host_threads + plan->gpu_count;
    pipeline->consumer =
        calloc(pipeline->consumer_max, sizeof *pipeline->consumer);
    pipeline->reader = calloc(plan->decoders, sizeof *pipeline->reader);
    if (pipeline->consumer == NULL || pipeline->reader == NULL) {
        error_set(error, EXIT_DATA, "out of memory");
        return -1;
    }
    if (ranging_open(&pipeline->ranging, spec) < 0 ||
        (plan->host_shares &&
         histogram_open(&pipeline->histogram, spec->cells, spec->planes) < 0)) {
        error_set(error, EXIT_DATA, "out of memory");
        return -1;
    }
    size_t more_chunks =
        plan->decoder_chunks * (plan->decoders - plan->readers);
    if (pool_open(&pipeline->pool, plan->chunk_count + more_chunks,
                  plan->chunk_bytes, plan->huge_pages, error) < 0)
        return -1;
    pool_add(&pipeline->pool, plan->chunk_count);

    pthread_mutex_lock(&pipeline->lock);
    int result = start(pipeline, error);
    pthread_mutex_unlock(&pipeline->lock);
    if (result < 0)
        return -1;

    pool_wait_drained(&pipeline->pool);
    if (check_stopped(pipeline, error) < 0)
        return -1;
    pipeline->is_abandoned = false;
    join(pipeline);
    /* A demanded GPU may have failed to start after an empty input. */
    if (check_stopped(pipeline, error) < 0)
        return -1;
    return merge(pipeline, error);
}

void
pipeline_close(struct pipeline *pipeline)
{
    assert(!pipeline->is_abandoned);
    for (size_t i = 0; i < pipeline->consumer_count; i++) {
        struct engine *engine = pipeline->consumer[i].engine;
        engine->type->close(engine);
        error_clear(&pipeline->consumer[i].error);
    }
    pool_close(&pipeline->pool);
    histogram_close(&pipeline->histogram);
    ranging_close(&pipeline->ranging);
    pthread_mutex_destroy(&pipeline->lock);
    free(pipeline->consumer);
    free(pipeline->reader);
}
