/* SPDX-License-Identifier: MIT */
/* readers.c -- the threads that read the inputs of a run */

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/thread.h"
#include "run/readers.h"

/*
 * ---- a reader that counts ----
 *
 * A counting reader is a consumer without another thread: its chunks need not
 * leave the cache.
 */

/*
 * Add a consumer for the calling reader.  Returns it, or NULL: the plan allows
 * no more CPU threads, or out of memory.
 */
static struct consumer *
add_consumer(struct consumers *all)
{
    struct error ignored = ERROR_NONE;

    pthread_mutex_lock(&all->lock);
    bool may_add = all->host_count < all->plan->host_threads;
    all->host_count += may_add;
    all->host_readers += may_add;
    pthread_mutex_unlock(&all->lock);
    if (!may_add)
        return NULL;
    /* Without the lock: this takes so long that many readers would wait. */
    struct engine *engine = consumers_new_host(all);
    pthread_mutex_lock(&all->lock);
    struct consumer *self = consumers_next(all, engine, &ignored);
    if (self != NULL) {
        self->is_reader = true;
        self->state = CONSUMER_COUNTING;
        all->count++;
        atomic_fetch_add(&all->progress->host_threads, 1);
    } else {
        all->host_count--;
        all->host_readers--;
    }
    pthread_mutex_unlock(&all->lock);
    error_clear(&ignored);
    return self;
}

/*
 * Count CHUNK in the calling thread, the reader of SELF.  Returns 0, or -1 with
 * *ERROR set: out of memory.
 */
static int
count_chunk(struct consumer *self, struct chunk *chunk, struct error *error)
{
    if (self->engine->type->submit(self->engine, chunk, error) < 0)
        return -1;
    consumer_keep_counts(self);
    /* The bytes of leftovers are added already. */
    if (chunk->leftover_count == 0)
        self->bytes += chunk->used - chunk->synthetic.bytes;
    return 0;
}

/* The same for CHUNK, which the reader has filled: then it is empty, and
   *CAPACITY is what it is filled with next. */
static int
count_own(struct consumer *self, struct chunk *chunk, size_t *capacity,
          struct error *error)
{
    if (chunk->used > 0 && count_chunk(self, chunk, error) < 0)
        return -1;
    chunk->used = 0;
    *capacity = self->all->plan->cached_bytes;
    return 0;
}

/*
 * Count a chunk read by another thread; WAIT says how long to wait for a chunk.
 * Returns 1; 0: no chunk came; or -1 with *ERROR set: out of memory.
 */
static int
count_other(struct consumer *self, enum pool_wait wait, struct error *error)
{
    struct pool *pool = self->all->pool;
    struct chunk *chunk = pool_take(pool, CONSUMER_HOST, wait);

    if (chunk == NULL)
        return 0;
    if (count_chunk(self, chunk, error) < 0)
        return -1;
    pool_release(pool, chunk);
    return 1;
}

/*
 * The reader of SELF has read everything.  Count chunks of other readers until
 * none is left.  Returns 0, or -1 with *ERROR set: out of memory.
 */
static int
help_others(struct consumer *self, struct error *error)
{
    int counted;

    while ((counted = count_other(self, POOL_WAIT, error)) > 0)
        ;
    return counted;
}

/* ---- readers ---- */

/* Whether GPUs pay by the throughput of the CPU.  READ bytes are read. */
static bool
is_slow(struct readers *readers, uint64_t read)
{
    struct consumers *consumers = readers->consumers;
    double busy = clock_busy() - readers->busy_before;

    /* How much content a compressed input has is not known, in general. */
    if ((read > atomic_load(&consumers->progress->read_bytes) &&
         !consumers->plan->payoff.is_content) ||
        !throughput_is_due(&readers->throughput, busy))
        return false;
    const struct throughput_sample sight = {
        busy, read - atomic_load(&readers->bytes_before),
        atomic_load(&consumers->keys.bytes)};
    return throughput_look(&readers->throughput, consumers->plan, &sight,
                           field_counts_keys(&consumers->keys));
}

/* Count BYTES more as read, and start the GPUs when it is time. */
static void
count_read(struct readers *readers, size_t bytes)
{
    struct consumers *consumers = readers->consumers;
    uint64_t after = consumers->plan->gpu_after;
    uint64_t before = atomic_fetch_add(&readers->bytes, bytes);
    struct error ignored = ERROR_NONE;

    consumers_note_read(consumers, before + bytes);
    /* One reader passes the mark; 0 is passed before the readers start. */
    if ((before >= after || before + bytes < after) &&
        (!consumers->plan->gpu_is_adaptive ||
         !is_slow(readers, before + bytes)))
        return;
    pthread_mutex_lock(&consumers->lock);
    /* An error is ignored: the GPUs are optional, and the CPU counts. */
    consumers_start_gpus(consumers, &ignored);
    pthread_mutex_unlock(&consumers->lock);
    error_clear(&ignored);
}

static void *reader_main(void *argument);

/* Start another reader.  Under the lock.  Returns 0 or an error number. */
static int
start_reader(struct readers *readers)
{
    int result =
        thread_start(&readers->thread[readers->count], reader_main, readers);

    if (result == 0) {
        readers->count++;
        readers->reading++;
        atomic_fetch_add(&readers->consumers->working, 1);
    } else {
        consumers_note_refusal(readers->consumers, result);
    }
    return result;
}

/*
 * Start another reader if READER decodes and there is more to
 * read.  If the system refuses a thread, the existing ones continue.
 */
static void
call_reader(struct readers *readers, const struct input_reader *reader)
{
    struct consumers *consumers = readers->consumers;
    const struct plan *plan = consumers->plan;

    if (plan->decoders == plan->readers ||
        !inputs_want_reader(readers->inputs, reader))
        return;
    pthread_mutex_lock(&consumers->lock);
    /* The chunks of the first plan->readers are in the pool already. */
    if (readers->count < plan->decoders && start_reader(readers) == 0 &&
        readers->count > plan->readers)
        pool_add(consumers->pool, plan->decoder_chunks);
    pthread_mutex_unlock(&consumers->lock);
}

/*
 * Whether nothing can be read until the bytes of READER are counted: the bytes
 * end an input with separate counts.
 */
static bool
is_awaited(const struct readers *readers, const struct input_reader *reader)
{
    return readers->consumers->plan->is_per_input && reader->has_more &&
           inputs_have_read_one(readers->inputs);
}

/*
 * Whether there is work for each processor, and for one more, because a thread
 * may wait for the system; but see plan_readers_count().  Where some readers
 * have nothing to read, the others only read, unless chunks wait to be counted:
 * while a reader counts, the helpers that write for it would wait, and so would
 * the threads that only count.
 */
static bool
has_work_for_all(const struct readers *readers)
{
    struct consumers *consumers = readers->consumers;
    const struct plan *plan = consumers->plan;
    unsigned int idle = inputs_idle_readers(readers->inputs);
    bool lacks_host =
        plan_readers_count(plan) && !consumers_have_host(consumers);

    if (idle > 0 && !pool_has_work(consumers->pool, CONSUMER_HOST))
        return false;
    return atomic_load(&consumers->working) + lacks_host > plan->cpus + idle;
}

/*
 * Whether READER should count the bytes that READER read to CHUNK.  Makes the
 * reader's consumer, *SELF, the first time.  For a device the reader only
 * reads: the device counts faster, and all processors are needed to feed the
 * device.  If the bytes are leased, the reader only reads, too: a device or
 * helpers decode faster than one thread counts.
 */
static bool
counts_itself(struct readers *readers, const struct input_reader *reader,
              const struct chunk *chunk, struct consumer **self)
{
    struct consumers *consumers = readers->consumers;

    if (consumers->plan->host_threads == 0 ||
        consumers->plan->hosts_are_reserve)
        return false;
    bool is_useful = !pool_is_leased(chunk) &&
                     (is_awaited(readers, reader) || has_work_for_all(readers));
    if (is_useful && *self == NULL)
        *self = add_consumer(consumers);
    return *self != NULL && !pool_has_devices(consumers->pool) &&
           (is_useful || consumers_are_readers(consumers));
}

/* Whether an engine may have to say where a byte of a chunk is from. */
static bool
keeps_origins(const struct readers *readers)
{
    const struct spec *spec = readers->consumers->keys.spec;

    if (spec == NULL || spec->kind == SPEC_SAMPLES)
        return false;
    for (size_t i = 0; i < spec->axis_count; i++) {
        if (spec->shown[i].is_text)
            return true;
    }
    return spec->has_weights || spec->adds == ADDS_COUNT ||
           spec->kind == SPEC_SEQUENCES || spec->may_misfit ||
           first_values_have_members(spec);
}

/*
 * A chunk with BYTES is about to be handed over: have a thread that counts it.
 * Returns 0; 1, if the system refuses a thread: then the reader of *SELF has to
 * count, which is made if it is not there; or -1 with *ERROR set.
 */
static int
find_counter(struct readers *readers, size_t bytes, struct consumer **self,
             struct error *error)
{
    struct error refusal = ERROR_NONE;

    if (consumers_start_host(readers->consumers, bytes, &refusal) == 0)
        return 0;
    if (*self == NULL)
        *self = add_consumer(readers->consumers);
    if (*self == NULL) {
        error_move(error, &refusal);
        return -1;
    }
    error_clear(&refusal);
    return 1;
}

/* Fill CHUNK with up to CAPACITY bytes.  Returns 0, or -1: out of memory. */
static int
fill(struct readers *readers, struct input_reader *reader, struct chunk *chunk,
     size_t capacity)
{
    origins_clear(&chunk->origins);
    struct lease lease = {.data = NULL};
    reader->origins = keeps_origins(readers) ? &chunk->origins : NULL;
    /* A large chunk has memory of its own. */
    reader->lease = chunk->large_bytes == 0 ? &lease : NULL;
    chunk->used = inputs_read(readers->inputs, reader, chunk->data, capacity);
    reader->lease = NULL;
    if (lease.data != NULL)
        pool_lease(chunk, &lease);
    chunk->spec = auto_range_extend(readers->consumers->ranging, chunk->data,
                                    chunk->used);
    if (chunk->spec == NULL)
        return -1;
    chunk->synthetic = reader->synthetic;
    if (chunk->used > 0)
        count_read(readers, chunk->used - chunk->synthetic.bytes);
    return 0;
}

/*
 * Give CHUNK room for CAPACITY bytes, or for a record of at least WANTED bytes,
 * at most record_max, if WANTED is more.  Returns the capacity; 0: out of
 * memory.
 */
static size_t
make_room(struct readers *readers, struct chunk *chunk, size_t capacity,
          size_t wanted)
{
    struct pool *pool = readers->consumers->pool;
    size_t most = readers->inputs->record_max;

    if (wanted <= pool->chunk_bytes) {
        if (chunk->large_bytes > 0 || pool_is_leased(chunk))
            pool_restore(pool, chunk);
        return wanted > capacity ? pool->chunk_bytes : capacity;
    }
    /* Nobody knows the length: each buffer is twice as long as the last. */
    if (wanted > chunk->large_bytes &&
        pool_enlarge(pool, chunk, wanted < most / 2 ? 2 * wanted : most) < 0)
        return 0;
    return chunk->large_bytes;
}

/*
 * Returns the next chunk to fill, or NULL: the run has failed.  Until a chunk
 * is empty, a counting reader, SELF, counts chunks left by devices: SELF is one
 * of the CPU threads of the plan, perhaps the only thread.  If counting fails,
 * *ERROR is set.
 */
static struct chunk *
next_chunk(struct pool *pool, struct consumer *self, struct error *error)
{
    struct chunk *chunk;

    while (self != NULL && (chunk = pool_take_refused(pool)) != NULL) {
        if (count_chunk(self, chunk, error) < 0)
            return NULL;
        pool_release(pool, chunk);
    }
    return pool_fill_start(pool);
}

/*
 * Read until nothing is left for READER, or the pool is stopped.  Sets *SELF to
 * the reader's consumer once READER counts.  Returns 0, or -1 with *ERROR set:
 * out of memory.
 */
static int
read_chunks(struct readers *readers, struct input_reader *reader,
            struct consumer **self, struct error *error)
{
    struct field_counts *keys = &readers->consumers->keys;
    struct pool *pool = readers->consumers->pool;
    struct chunk *chunk = pool_fill_start(pool);
    size_t capacity = pool->chunk_bytes;

    while (chunk != NULL) {
        capacity = snapshot_gate_room(readers->inputs->gate, capacity);
        capacity = make_room(readers, chunk, capacity, reader->wanted);
        if (capacity == 0)
            return error_fail_memory(error);
        if (fill(readers, reader, chunk, capacity) < 0)
            return error_fail_memory(error);
        size_t bytes = chunk->used - chunk->synthetic.bytes;
        bool is_end = chunk->used < capacity && !reader->has_more;
        capacity = pool->chunk_bytes;
        /* Until a reader has read something, it is outside the gate, and
           merge.c may be reading the counts. */
        int counts = bytes > 0 && counts_itself(readers, reader, chunk, self);
        if (counts == 0 && (is_end || chunk->used > 0))
            counts = find_counter(readers, chunk->used, self, error);
        if (counts < 0 ||
            (counts > 0 && count_own(*self, chunk, &capacity, error) < 0))
            return -1;
        call_reader(readers, reader);
        bool is_handed_over = is_end || chunk->used > 0;
        if (is_handed_over && chunk->used > 0 && keys->spec != NULL)
            first_values_scan(&keys->first, &keys->scan, chunk);
        if (is_handed_over)
            pool_fill_end(pool, chunk);
        inputs_hand_over(readers->inputs, reader, bytes);
        if (is_end)
            chunk = NULL;
        else if (is_handed_over)
            chunk = next_chunk(pool, *self, error);
        if (error->status != EXIT_DONE)
            return -1;
    }
    return 0;
}

/* A reader that may have to wait. */
struct helper {
    struct consumers *consumers;
    struct consumer *self; /* NULL: it has not counted yet */
};

/* A counting reader is one of the CPU threads of the plan: count a chunk.
   Returns false if no chunk is there. */
static bool
help(void *argument)
{
    const struct helper *helper = argument;
    struct error failure = ERROR_NONE;

    if (helper->self == NULL)
        return false;
    int counted = count_other(helper->self, POOL_NO_WAIT, &failure);
    if (counted < 0)
        consumers_stop(helper->consumers, &failure);
    return counted > 0;
}

static void *
reader_main(void *argument)
{
    struct readers *readers = argument;
    struct consumers *consumers = readers->consumers;
    struct helper helper = {consumers, NULL};
    struct input_reader reader = {.help = help, .helper = &helper};
    struct error failure = ERROR_NONE;

    /* All readers first get their stacks: this takes long while memory of the
       process is touched for the first time. */
    pthread_mutex_lock(&consumers->lock);
    pthread_mutex_unlock(&consumers->lock);
    /* The bytes of this reader's chunk are lost, so the run fails. */
    if (read_chunks(readers, &reader, &helper.self, &failure) < 0)
        consumers_stop(consumers, &failure);
    inputs_leave(readers->inputs, &reader);

    pthread_mutex_lock(&consumers->lock);
    bool is_last = --readers->reading == 0;
    atomic_fetch_sub(&consumers->working, 1);
    pthread_mutex_unlock(&consumers->lock);
    if (is_last)
        pool_end(consumers->pool);
    if (helper.self == NULL)
        return NULL;
    /* Few threads do nothing but count, and many chunks may be waiting. */
    if (help_others(helper.self, &failure) < 0)
        consumers_stop(consumers, &failure);
    consumer_finish(helper.self);
    return NULL;
}

int
readers_open(struct readers *readers, struct consumers *consumers)
{
    *readers =
        (struct readers){.consumers = consumers, .inputs = consumers->inputs};
    readers->thread =
        calloc(consumers->plan->decoders, sizeof *readers->thread);
    return readers->thread == NULL ? -1 : 0;
}

int
readers_start(struct readers *readers, struct error *error)
{
    unsigned int wanted = readers->consumers->plan->readers;
    int result = 0;

    readers->busy_before = clock_busy();
    throughput_open(&readers->throughput, readers->consumers->plan);
    for (unsigned int i = 0; i < wanted && result == 0; i++)
        result = start_reader(readers);
    if (readers->count > 0)
        return 0;
    error_set(error, EXIT_DATA, "cannot start a thread: %s", strerror(result));
    return -1;
}

void
readers_restart(struct readers *readers)
{
    atomic_store(&readers->bytes_before, atomic_load(&readers->bytes));
}

void
readers_await(struct readers *readers)
{
    for (unsigned int i = 0; i < readers->count; i++)
        pthread_join(readers->thread[i], NULL);
}

void
readers_close(struct readers *readers)
{
    free(readers->thread);
}
