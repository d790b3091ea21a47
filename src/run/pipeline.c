/* pipeline.c -- the threads of a run */

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/cpu/engine_cpu.h"
#include "engine/cpu/record_count.h"
#include "engine/gpu/engine_cuda.h"
#include "engine/gpu/engine_opencl.h"
#include "hist/rebin.h"
#include "run/pipeline.h"
#include "util/clock.h"

/* What others are told of this run. */
static struct progress *
progress_of(const struct pipeline *pipeline)
{
    return pipeline->inputs->reading.progress;
}

/* 1 or 0: it can be counted. */
static int
is_device(const struct consumer *consumer)
{
    return consumer->engine->type->kind == CONSUMER_DEVICE;
}

/* What threads keep on their stacks (record_count.c), and plenty. */
#define STACK_BYTES_MIN ((size_t)1 << 20)

/*
 * Somebody looks so often at a device before its time is over.  To open it
 * takes longer than any call later on.
 */
#define WATCH_TICKS 8
#define WATCH_TICKS_OPENING (4 * WATCH_TICKS)

/* A shorter wait is as good as none. */
#define SECONDS_MIN 1e-6

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

/* The system refused a thread, with an error number; under the lock. */
static void
note_refusal(struct pipeline *pipeline, int result)
{
    error_set(&pipeline->shortage, EXIT_DATA,
              "fewer threads than there might be: %s", strerror(result));
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
    memcpy(consumer->name, engine->name, sizeof consumer->name);
    return consumer;
}

/* Close ENGINE, if there is one. */
static void
close_engine(struct engine *engine)
{
    if (engine != NULL)
        engine->type->close(engine);
}

/*
 * Start a thread for ENGINE (NULL: out of memory), or for the SECOND one, if
 * there is one and ENGINE cannot be opened; under the lock.
 */
static int
start_consumer(struct pipeline *pipeline, struct engine *engine,
               struct engine *second, struct error *error)
{
    struct consumer *consumer = next_consumer(pipeline, engine, error);

    if (consumer == NULL) {
        close_engine(second);
        return -1;
    }
    consumer->second = second;
    int result = start_thread(&consumer->thread, consumer_main, consumer);
    if (result != 0) {
        close_engine(engine);
        close_engine(second);
        note_refusal(pipeline, result);
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
    return engine_cpu_new(auto_range_current(&pipeline->ranging),
                          pipeline->plan->host_shares ? &pipeline->histogram
                                                      : NULL);
}

/* Have one more CPU thread count, if the plan allows; under the lock. */
static int
start_host(struct pipeline *pipeline, struct error *error)
{
    if (pipeline->host_count == pipeline->plan->host_threads)
        return 0;
    if (start_consumer(pipeline, new_host_engine(pipeline), NULL, error) < 0)
        return -1;
    pipeline->host_count++;
    atomic_fetch_add(&progress_of(pipeline)->host_threads, 1);
    return 0;
}

/*
 * An engine for GPU number I of the plan, or NULL.  With auto, a GPU of CUDA;
 * then *SECOND is for where there is none, or NULL.
 */
static struct engine *
new_gpu_engine(struct pipeline *pipeline, size_t i, struct engine **second)
{
    const struct plan *plan = pipeline->plan;
    const struct spec *spec = auto_range_current(&pipeline->ranging);

    if (plan->device == DEVICE_OPENCL)
        return engine_opencl_new(plan->gpu[i], spec, plan->strategy,
                                 plan->gpu_is_alone, plan->spare_chunks > 0);
    if (plan->device == DEVICE_AUTO)
        *second = engine_opencl_new(OPENCL_GPU, spec, plan->strategy,
                                    plan->gpu_is_alone, plan->spare_chunks > 0);
    return engine_cuda_new(plan->gpu[i], spec, plan->strategy,
                           plan->gpu_is_alone);
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
        struct engine *second = NULL;
        struct engine *engine = new_gpu_engine(pipeline, i, &second);
        if (start_consumer(pipeline, engine, second, error) < 0)
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
    if (!is_device(consumer))
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
    if (!consumer->was_open)
        atomic_fetch_add(&progress_of(pipeline)->gpus_starting,
                         -is_device(consumer));
    bool is_fatal = !has_substitute(pipeline, consumer) ||
                    (pipeline->plan->gpu_is_demanded && !consumer->was_open);
    error_move(is_fatal ? &pipeline->error : &consumer->error, failure);
    pthread_cond_signal(&pipeline->ended);
    pthread_mutex_unlock(&pipeline->lock);
    if (is_fatal)
        pool_stop(&pipeline->pool);
}

static void
consumer_set_state(struct consumer *consumer, enum consumer_state state)
{
    pthread_mutex_lock(&consumer->pipeline->lock);
    consumer->state = state;
    pthread_cond_signal(&consumer->pipeline->ended);
    pthread_mutex_unlock(&consumer->pipeline->lock);
}

/* The engine of CONSUMER is open. */
static void
consumer_begin(struct consumer *consumer)
{
    struct progress *progress = progress_of(consumer->pipeline);

    pthread_mutex_lock(&consumer->pipeline->lock);
    consumer->state = CONSUMER_COUNTING;
    memcpy(consumer->name, consumer->engine->name, sizeof consumer->name);
    pthread_mutex_unlock(&consumer->pipeline->lock);
    if (is_device(consumer))
        pool_count_device(&consumer->pipeline->pool, 1);
    /* From now on whoever sees this may rely on it. */
    atomic_fetch_add(&progress->gpus_starting, -is_device(consumer));
    atomic_fetch_add(&progress->gpus_counting, is_device(consumer));
}

/*
 * The engine of CONSUMER is open no more: what it holds is for others.  Its
 * device may still be reading these chunks when they are filled again, which
 * matters to nobody: what that counts is never looked at.
 */
static void
consumer_end(struct consumer *consumer)
{
    struct pool *pool = &consumer->pipeline->pool;

    while (consumer->held_count > 0)
        pool_give_back(pool, consumer->held[--consumer->held_count]);
    atomic_fetch_add(&progress_of(consumer->pipeline)->gpus_counting,
                     -is_device(consumer));
    if (is_device(consumer))
        pool_count_device(pool, -1);
}

/* What the engine of CONSUMER has counted, for merge(). */
static void
keep_counts(struct consumer *consumer)
{
    consumer->counted = consumer->engine->histogram;
    consumer->counted_spec = consumer->engine->histogram_spec;
}

/* The first COUNT of the chunks held are counted for good. */
static void
release(struct consumer *consumer, size_t count)
{
    struct chunk **held = consumer->held;

    assert(count >= 1 && count <= consumer->held_count);
    keep_counts(consumer);
    for (size_t i = 0; i < count; i++) {
        consumer->bytes += held[i]->used;
        pool_release(&consumer->pipeline->pool, held[i]);
    }
    consumer->held_count -= count;
    memmove(held, held + count, consumer->held_count * sizeof *held);
}

/* How long a consumer that holds HELD_COUNT chunks should wait for more. */
static enum pool_wait
batch_preference(const struct engine *engine, size_t held_count)
{
    if (held_count == 0)
        return POOL_WAIT;
    return engine->is_patient ? POOL_WAIT_UNLESS_STARVED : POOL_NO_WAIT;
}

/* How the use of an engine ended. */
enum outcome {
    OUTCOME_DONE,
    OUTCOME_FAILED,
    OUTCOME_LOST, /* too late: everything belongs to somebody else now */
};

/* One call of an engine returned RESULT. */
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
    watchdog_begin(&consumer->watch);
    return outcome_of(
        consumer, engine->type->open(engine, &consumer->pipeline->pool, error));
}

/*
 * Open the engine of CONSUMER, or else its second one, which becomes the
 * first then.  With OUTCOME_FAILED *ERROR says what is wrong with each.
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
        pthread_mutex_lock(&consumer->pipeline->lock);
        consumer->engine = second;
        consumer->second = first;
        pthread_mutex_unlock(&consumer->pipeline->lock);
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

/* Have the engine begin to count the chunk held last. */
static enum outcome
submit(struct consumer *consumer, struct error *error)
{
    struct engine *engine = consumer->engine;
    struct chunk *chunk = consumer->held[consumer->held_count - 1];

    pool_replace(&consumer->pipeline->pool, chunk, &engine->spare);
    watchdog_begin(&consumer->watch);
    return outcome_of(consumer, engine->type->submit(engine, chunk, error));
}

/* Have the engine complete the chunks held first, and release them. */
static enum outcome
complete(struct consumer *consumer, struct error *error)
{
    struct engine *engine = consumer->engine;
    size_t count;

    watchdog_begin(&consumer->watch);
    enum outcome outcome =
        outcome_of(consumer, engine->type->complete(engine, &count, error));
    if (outcome == OUTCOME_DONE)
        release(consumer, count);
    return outcome;
}

/*
 * Keep the engine supplied until nothing is left to take.  With
 * OUTCOME_FAILED *ERROR is set; the chunks still held then are not counted.
 */
static enum outcome
feed(struct consumer *consumer, struct error *error)
{
    struct pipeline *pipeline = consumer->pipeline;
    struct engine *engine = consumer->engine;
    enum consumer_kind kind = engine->type->kind;
    enum outcome outcome = OUTCOME_DONE;
    double begin = 0;

    while (outcome == OUTCOME_DONE) {
        struct chunk *chunk = NULL;

        if (consumer->held_count < engine->depth)
            chunk = pool_take(&pipeline->pool, kind,
                              batch_preference(engine, consumer->held_count));
        if (chunk == NULL && consumer->held_count == 0)
            break;
        if (chunk != NULL) {
            if (begin == 0)
                begin = clock_now();
            consumer->held[consumer->held_count++] = chunk;
            if (kind == CONSUMER_HOST)
                call_help(pipeline);
            outcome = submit(consumer, error);
        } else {
            outcome = complete(consumer, error);
            if (outcome == OUTCOME_DONE)
                consumer->count_seconds = clock_now() - begin;
        }
    }
    return outcome;
}

/* Count with the engine, which is open. */
static enum outcome
count_chunks(struct consumer *consumer, struct error *error)
{
    enum outcome outcome = OUTCOME_FAILED;

    consumer->held = calloc(consumer->engine->depth, sizeof(struct chunk *));
    if (consumer->held != NULL)
        outcome = feed(consumer, error);
    else
        error_set(error, EXIT_DATA, "out of memory");
    if (outcome != OUTCOME_LOST)
        consumer_end(consumer);
    return outcome;
}

static void *
consumer_main(void *argument)
{
    struct consumer *consumer = argument;
    struct error failure = ERROR_NONE;

    double begin = clock_now();
    atomic_fetch_add(&progress_of(consumer->pipeline)->gpus_starting,
                     is_device(consumer));
    enum outcome outcome = open_engine(consumer, &failure);
    if (outcome == OUTCOME_DONE) {
        consumer->open_seconds = clock_now() - begin;
        consumer_begin(consumer);
        outcome = count_chunks(consumer, &failure);
    }
    if (outcome == OUTCOME_DONE)
        consumer_set_state(consumer, CONSUMER_DONE);
    else if (outcome == OUTCOME_FAILED)
        consumer_fail(consumer, &failure);
    /* If it is lost, the run need not wait for this thread any more. */
    error_clear(&failure);
    return NULL;
}

/* ---- devices that hang ---- */

/*
 * So many ticks of the watch are too many for CONSUMER; 0: no number is.  A
 * GPU that nobody demanded may take any time to start.
 */
static unsigned int
ticks_max(struct consumer *consumer)
{
    struct pipeline *pipeline = consumer->pipeline;

    if (!is_device(consumer))
        return 0;
    pthread_mutex_lock(&pipeline->lock);
    bool is_opening = consumer->state == CONSUMER_STARTING;
    pthread_mutex_unlock(&pipeline->lock);
    if (!is_opening)
        return WATCH_TICKS;
    return pipeline->plan->gpu_is_demanded ? WATCH_TICKS_OPENING : 0;
}

/* A call that the thread of CONSUMER made did not return for so many TICKS. */
static void
consumer_lose(struct consumer *consumer, unsigned int ticks)
{
    struct pipeline *pipeline = consumer->pipeline;
    struct error failure = ERROR_NONE;

    pthread_mutex_lock(&pipeline->lock);
    consumer->is_lost = true;
    bool is_counting = consumer->state == CONSUMER_COUNTING;
    const char *call = atomic_load(&consumer->engine->call);
    error_set(&failure, EXIT_NO_DEVICE, "%s: %s did not return for %g s",
              consumer->name, call != NULL ? call : "its driver",
              pipeline->plan->gpu_timeout * ticks / WATCH_TICKS);
    pthread_mutex_unlock(&pipeline->lock);
    if (is_counting)
        consumer_end(consumer);
    consumer_fail(consumer, &failure);
}

/* Take everything away from devices that hang.  To be called every so often. */
static void
watch_devices(struct pipeline *pipeline)
{
    pthread_mutex_lock(&pipeline->lock);
    size_t count = pipeline->consumer_count;
    pthread_mutex_unlock(&pipeline->lock);
    for (size_t i = 0; i < count; i++) {
        struct consumer *consumer = &pipeline->consumer[i];
        unsigned int ticks = ticks_max(consumer);
        if (ticks > 0 && watchdog_tick(&consumer->watch, ticks))
            consumer_lose(consumer, ticks);
    }
}

/* How long to wait before watch_devices(); 0: there is nothing to watch. */
static double
watch_seconds(const struct plan *plan)
{
    return plan->gpu_count > 0 ? plan->gpu_timeout / WATCH_TICKS : 0;
}

/* Wait until CONSUMER has done all that it will do, or is lost. */
static void
await(struct pipeline *pipeline, const struct consumer *consumer)
{
    double seconds = watch_seconds(pipeline->plan);

    pthread_mutex_lock(&pipeline->lock);
    while (seconds > 0 && (consumer->state == CONSUMER_STARTING ||
                           consumer->state == CONSUMER_COUNTING)) {
        struct timespec end = clock_after(seconds);
        if (pthread_cond_timedwait(&pipeline->ended, &pipeline->lock, &end) ==
            0)
            continue;
        pthread_mutex_unlock(&pipeline->lock);
        watch_devices(pipeline);
        pthread_mutex_lock(&pipeline->lock);
    }
    pthread_mutex_unlock(&pipeline->lock);
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
    } else {
        note_refusal(pipeline, result);
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
    chunk->spec =
        auto_range_extend(&pipeline->ranging, chunk->data, chunk->used);
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
    keep_counts(self);
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
        capacity = snapshot_gate_room(pipeline->inputs->gate, capacity);
        if (fill(pipeline, &claim, chunk, capacity) < 0)
            return -1;
        size_t bytes = chunk->used;
        bool is_end = bytes < capacity && !claim.has_more;
        capacity = pool->chunk_bytes;
        /* Where nothing was read it is outside: merge() may be at work. */
        if (bytes > 0 && counts_itself(pipeline, self)) {
            if (count_here(*self, chunk) < 0)
                return -1;
            /* A GPU would have to be given whole chunks. */
            if (!pool_has_devices(pool))
                capacity = pipeline->plan->cached_bytes;
        }
        call_reader(pipeline, &claim);
        bool is_handed_over = is_end || chunk->used > 0;
        if (is_handed_over)
            pool_fill_end(pool, chunk);
        inputs_hand_over(pipeline->inputs, &claim, bytes);
        if (is_end)
            chunk = NULL;
        else if (is_handed_over)
            chunk = pool_fill_begin(pool);
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
 * it is not waited for.  Nor is one that hangs.
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
                            is_device(consumer) &&
                            !pipeline->plan->gpu_is_demanded;
        pthread_mutex_unlock(&pipeline->lock);
        if (!consumer->is_late && !consumer->is_reader)
            await(pipeline, consumer);
        if (consumer->is_late || consumer->is_lost)
            pipeline->is_abandoned = true;
        else if (!consumer->is_reader)
            pthread_join(consumer->thread, NULL);
    }
}

/*
 * Add to SUM, whose axes are those of SPEC, what CONSUMER has counted; and
 * leave that as it is, if it IS_COUNTING on.  Returns 0, or -1: out of memory.
 */
static int
add_counted(struct histogram *sum, const struct spec *spec,
            struct consumer *consumer, bool is_counting)
{
    struct histogram copy = {0};
    struct histogram *part = &consumer->counted;
    int result = 0;

    if (part->value == NULL)
        return 0;
    if (is_counting && (spec->has_weights || spec_is_growing(spec))) {
        if (histogram_open(&copy, part->cells, part->planes) < 0)
            return -1;
        histogram_add(&copy, part);
        part = &copy;
    }
    result = rebin_histogram(consumer->counted_spec, spec, part);
    if (result == 0) {
        if (spec->has_weights)
            record_count_carry(spec, part);
        histogram_add(sum, part);
    }
    histogram_close(&copy);
    return result;
}

/*
 * Add up what the engines counted, which nobody does now, in *COUNTS; nothing
 * may be lost or counted twice.  Leave it to them, if they are COUNTING on.
 * Returns 0, or -1 with *ERROR set.
 */
static int
merge(struct pipeline *pipeline, bool is_counting, struct snapshot *counts,
      struct error *error)
{
    const struct spec *spec = auto_range_current(&pipeline->ranging);
    struct histogram *sum = &counts->histogram;
    int result = 0;

    pthread_mutex_lock(&pipeline->lock);
    size_t consumer_count = pipeline->consumer_count;
    *counts = (struct snapshot){.spec = spec, .bytes = pipeline->bytes_read};
    pthread_mutex_unlock(&pipeline->lock);
    if (!is_counting && pipeline->histogram.value != NULL) {
        *sum = pipeline->histogram;
        pipeline->histogram.value = NULL;
    } else {
        result = histogram_open(sum, spec->cells, spec->planes);
        if (result == 0 && pipeline->histogram.value != NULL)
            histogram_add(sum, &pipeline->histogram);
    }
    for (size_t i = 0; i < consumer_count && result == 0; i++)
        result = add_counted(sum, spec, &pipeline->consumer[i], is_counting);
    if (result < 0)
        error_set(error, EXIT_DATA, "out of memory");
    else if (!spec_adds_up(spec, sum, counts->bytes / spec->record.bytes))
        error_set(error, EXIT_DATA,
                  "internal error: the counts do not add up to the %llu bytes "
                  "read",
                  (unsigned long long)counts->bytes);
    if (error->status != EXIT_DONE) {
        snapshot_close(counts);
        return -1;
    }
    spec_find_ranges(spec, sum);
    return 0;
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

/* The parts of PIPELINE that may be refused.  Returns 0, or -1. */
static int
open_parts(struct pipeline *pipeline, struct error *error)
{
    const struct plan *plan = pipeline->plan;
    const struct spec *spec = pipeline->spec;

    pipeline->consumer_max = plan->host_threads + plan->gpu_count;
    pipeline->consumer =
        calloc(pipeline->consumer_max, sizeof *pipeline->consumer);
    pipeline->reader = calloc(plan->decoders, sizeof *pipeline->reader);
    if (pipeline->consumer == NULL || pipeline->reader == NULL) {
        error_set(error, EXIT_DATA, "out of memory");
        return -1;
    }
    if (auto_range_open(&pipeline->ranging, spec) < 0 ||
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
    return 0;
}

int
pipeline_start(struct pipeline *pipeline, const struct plan *plan,
               const struct spec *spec, struct inputs *inputs,
               const struct interval *every, struct error *error)
{
    double now = clock_now();

    /* A reader that waits for its input must not hold the last chunk. */
    assert(plan->readers < plan->chunk_count);
    *pipeline = (struct pipeline){.plan = plan,
                                  .spec = spec,
                                  .inputs = inputs,
                                  .every = *every,
                                  .next_snapshot = now + every->seconds,
                                  .next_watch = now + watch_seconds(plan)};
    pthread_mutex_init(&pipeline->lock, NULL);
    clock_cond_init(&pipeline->ended);
    /* Until it is known that all threads will end. */
    pipeline->is_abandoned = true;

    if (open_parts(pipeline, error) < 0)
        return -1;
    if (interval_is_set(&pipeline->every)) {
        assert(plan->decoders == 1);
        if (snapshot_gate_open(&pipeline->gate, &pipeline->pool, every->bytes,
                               spec->record.bytes, error) < 0)
            return -1;
        inputs->gate = &pipeline->gate;
    }
    pthread_mutex_lock(&pipeline->lock);
    int result = start(pipeline, error);
    pthread_mutex_unlock(&pipeline->lock);
    return result;
}

/* The seconds until WHEN; 0 would be for ever. */
static double
seconds_until(double when)
{
    double seconds = when - clock_now();

    return seconds > SECONDS_MIN ? seconds : SECONDS_MIN;
}

/*
 * Wait for an event of the pool, and meanwhile look at the devices and shut
 * the gate when it is time.  Returns POOL_TIME_OVER after either.
 */
static enum pool_event
wait_for_event(struct pipeline *pipeline)
{
    double watch = watch_seconds(pipeline->plan);
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
        /* Those that are late by now are left out. */
        double late = clock_now() - pipeline->next_snapshot;
        double missed = late > 0 ? floor(late / every) : 0;
        pipeline->next_snapshot += every * (missed + 1);
    } else {
        watch_devices(pipeline);
        pipeline->next_watch = clock_now() + watch;
    }
    return event;
}

int
pipeline_snapshot(struct pipeline *pipeline, struct snapshot *counts,
                  struct error *error)
{
    enum pool_event event;

    do {
        event = wait_for_event(pipeline);
    } while (event == POOL_TIME_OVER);
    if (event == POOL_DRAINED)
        return 0;
    int result = merge(pipeline, true, counts, error);
    snapshot_gate_reopen(&pipeline->gate);
    return result < 0 ? -1 : 1;
}

int
pipeline_finish(struct pipeline *pipeline, struct snapshot *counts,
                struct error *error)
{
    if (check_stopped(pipeline, error) < 0)
        return -1;
    pipeline->is_abandoned = false;
    join(pipeline);
    /* A demanded GPU may have failed to start after an empty input. */
    if (check_stopped(pipeline, error) < 0)
        return -1;
    return merge(pipeline, false, counts, error);
}

void
pipeline_close(struct pipeline *pipeline)
{
    assert(!pipeline->is_abandoned);
    for (size_t i = 0; i < pipeline->consumer_count; i++) {
        close_engine(pipeline->consumer[i].engine);
        close_engine(pipeline->consumer[i].second);
        error_clear(&pipeline->consumer[i].error);
        free(pipeline->consumer[i].held);
    }
    error_clear(&pipeline->shortage);
    if (interval_is_set(&pipeline->every))
        snapshot_gate_close(&pipeline->gate);
    pool_close(&pipeline->pool);
    histogram_close(&pipeline->histogram);
    auto_range_close(&pipeline->ranging);
    pthread_cond_destroy(&pipeline->ended);
    pthread_mutex_destroy(&pipeline->lock);
    free(pipeline->consumer);
    free(pipeline->reader);
}
