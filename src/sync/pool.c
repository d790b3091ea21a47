/* SPDX-License-Identifier: MIT */
/* pool.c -- the fixed set of chunks between readers and engines */

#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "sync/pool.h"

#define HUGE_PAGE_BYTES ((size_t)2 << 20)

/* The EMPTY chunks among which a reader looks for a chunk of its own. */
#define OWN_AMONG 64

/* After the CPU has counted a chunk, so many other chunks are filled first.
   The chunk is in the cache of another processor, and later would be in no
   cache. */
#define QUEUE_CHUNKS 12

static size_t
round_up(size_t value, size_t unit)
{
    return (value + unit - 1) / unit * unit;
}

size_t
pool_stride(size_t chunk_bytes)
{
    return round_up(chunk_bytes, (size_t)sysconf(_SC_PAGESIZE));
}

static void
list_push(struct chunk_list *list, struct chunk *chunk)
{
    chunk->next = list->first;
    if (list->first == NULL)
        list->last = chunk;
    list->first = chunk;
}

static void
list_append(struct chunk_list *list, struct chunk *chunk)
{
    chunk->next = NULL;
    if (list->first == NULL)
        list->first = chunk;
    else
        list->last->next = chunk;
    list->last = chunk;
}

/* Insert CHUNK into LIST after the first COUNT chunks, which is not 0, or at
   the end. */
static void
list_insert(struct chunk_list *list, struct chunk *chunk, int count)
{
    struct chunk *before = list->first;

    while (--count > 0 && before != NULL)
        before = before->next;
    if (before == NULL || before->next == NULL) {
        list_append(list, chunk);
        return;
    }
    chunk->next = before->next;
    before->next = chunk;
}

/* Remove the first chunk of LIST, which is not empty. */
static struct chunk *
list_pop(struct chunk_list *list)
{
    struct chunk *chunk = list->first;

    list->first = chunk->next;
    return chunk;
}

/* Remove the chunk of LIST after BEFORE, or the first one if that is NULL. */
static struct chunk *
list_remove(struct chunk_list *list, struct chunk *before)
{
    if (before == NULL)
        return list_pop(list);
    struct chunk *chunk = before->next;
    before->next = chunk->next;
    if (list->last == chunk)
        list->last = before;
    return chunk;
}

int
pool_open(struct pool *pool, size_t chunk_count, size_t chunk_bytes,
          bool huge_pages, struct error *error)
{
    size_t stride = pool_stride(chunk_bytes);
    size_t align = huge_pages ? HUGE_PAGE_BYTES : 1;

    *pool = (struct pool){.chunk_bytes = chunk_bytes,
                          .chunk_count = chunk_count,
                          .memory_bytes = stride * chunk_count + align - 1};
    pool->chunks = calloc(chunk_count, sizeof *pool->chunks);
    if (pool->chunks == NULL)
        return error_fail_memory(error);
    pool->memory = mmap(NULL, pool->memory_bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pool->memory == MAP_FAILED) {
        error_set(error, EXIT_DATA, "cannot get %zu bytes of memory: %s",
                  pool->memory_bytes, strerror(errno));
        free(pool->chunks);
        return -1;
    }

    unsigned char *first = pool->memory;
    if (huge_pages) {
        first += round_up((uintptr_t)first, align) - (uintptr_t)first;
        /* Advice only: without huge pages the run is slower, not wrong. */
        if (madvise(first, stride * chunk_count, MADV_HUGEPAGE) < 0)
            pool->huge_pages_refused = errno;
    }
    for (size_t i = 0; i < chunk_count; i++)
        pool->chunks[i].data = first + i * stride;
    pool->first = first;

    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->empty_ready, NULL);
    pthread_cond_init(&pool->host_ready, NULL);
    pthread_cond_init(&pool->device_ready, NULL);
    pthread_cond_init(&pool->large_ready, NULL);
    clock_cond_init(&pool->idle);
    return 0;
}

void
pool_add(struct pool *pool, size_t count)
{
    pthread_mutex_lock(&pool->lock);
    assert(count <= pool->chunk_count - pool->used_count);
    for (size_t i = 0; i < count; i++)
        list_append(&pool->empty, &pool->chunks[pool->used_count++]);
    pthread_cond_broadcast(&pool->empty_ready);
    pthread_mutex_unlock(&pool->lock);
}

/* Whether CHUNK has other than its usual memory. */
static bool
has_other(const struct chunk *chunk)
{
    return chunk->large_bytes > 0 || pool_is_leased(chunk);
}

/* Give CHUNK back the usual memory. */
static void
end_other(struct chunk *chunk)
{
    if (!has_other(chunk))
        return;
    if (chunk->large_bytes > 0)
        munmap(chunk->data, chunk->large_bytes);
    lease_end(&chunk->lease);
    chunk->data = chunk->usual;
    chunk->large_bytes = 0;
}

int
pool_enlarge(struct pool *pool, struct chunk *chunk, size_t bytes)
{
    pthread_mutex_lock(&pool->lock);
    while (pool->large != NULL && pool->large != chunk && !pool->stopped)
        pthread_cond_wait(&pool->large_ready, &pool->lock);
    bool is_mine = pool->large == NULL || pool->large == chunk;
    if (is_mine)
        pool->large = chunk;
    pthread_mutex_unlock(&pool->lock);
    if (!is_mine)
        return -1;
    end_other(chunk);
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return -1;
    chunk->usual = chunk->data;
    chunk->data = memory;
    chunk->large_bytes = bytes;
    return 0;
}

void
pool_lease(struct chunk *chunk, struct lease *lease)
{
    assert(chunk->state == CHUNK_FILLING && !has_other(chunk));
    chunk->usual = chunk->data;
    chunk->data = lease->data;
    chunk->lease = *lease;
    *lease = (struct lease){.data = NULL};
}

void
pool_own(struct chunk *chunk)
{
    if (!pool_is_leased(chunk))
        return;
    memcpy(chunk->usual, chunk->data, chunk->used);
    end_other(chunk);
}

void
pool_restore(struct pool *pool, struct chunk *chunk)
{
    end_other(chunk);
    pthread_mutex_lock(&pool->lock);
    if (pool->large == chunk) {
        pool->large = NULL;
        pthread_cond_signal(&pool->large_ready);
    }
    pthread_mutex_unlock(&pool->lock);
}

void
pool_close(struct pool *pool)
{
    for (size_t i = 0; i < pool->used_count; i++)
        end_other(&pool->chunks[i]);
    for (size_t i = 0; i < pool->chunk_count; i++) {
        origins_close(&pool->chunks[i].origins);
        free(pool->chunks[i].leftovers);
    }
    pthread_cond_destroy(&pool->large_ready);
    pthread_mutex_destroy(&pool->lock);
    pthread_cond_destroy(&pool->empty_ready);
    pthread_cond_destroy(&pool->host_ready);
    pthread_cond_destroy(&pool->device_ready);
    pthread_cond_destroy(&pool->idle);
    munmap(pool->memory, pool->memory_bytes);
    free(pool->chunks);
}

/* Whether the device of TOKEN leaves CHUNK to another one. */
static bool
is_of_other(const struct pool *pool, const struct chunk *chunk,
            const void *token)
{
    const void *own = chunk->lease.token;

    for (unsigned int i = 0; i < pool->ties && own != token; i++) {
        if (pool->tie[i] == own)
            return true;
    }
    return false;
}

/* Whether some FULL chunk may go to KIND. */
static bool
may_take(const struct pool *pool, enum consumer_kind kind)
{
    if (kind != CONSUMER_DEVICE && pool->refused_count > 0)
        return true;
    if (kind == CONSUMER_RESERVE || pool->full_count == 0)
        return false;
    if (kind == CONSUMER_DEVICE || pool->devices_up == 0 || pool->ended)
        return true;
    return pool->empty.first == NULL && pool->filling_count == 0;
}

/*
 * Whether readers wait or have ended: engines should release chunks.  The CPU
 * will soon release chunks counted for devices.
 */
static bool
is_starved(const struct pool *pool)
{
    bool is_empty = pool->empty.first == NULL && pool->refused_count == 0;

    return is_empty || pool->ended || pool->paused || pool->stopped;
}

/* Returns whether some FULL chunk may go to the device of TOKEN.  Sets *BEFORE
   to the chunk before it in the list, or NULL. */
static bool
may_take_tied(const struct pool *pool, const void *token, struct chunk **before)
{
    struct chunk *chunk = pool->full.first;

    *before = NULL;
    if (!may_take(pool, CONSUMER_DEVICE))
        return false;
    if (pool->ties == 0 || is_starved(pool))
        return true;
    for (; chunk != NULL && is_of_other(pool, chunk, token);
         chunk = chunk->next)
        *before = chunk;
    return chunk != NULL;
}

/* Whether an engine has or gets a chunk. */
static bool
has_chunks(const struct pool *pool)
{
    return pool->full_count + pool->refused_count + pool->taken_count > 0;
}

/* No chunk can become FULL again: neither filled nor given back. */
static bool
is_drained(const struct pool *pool)
{
    return pool->stopped || (pool->ended && !has_chunks(pool));
}

/* No chunk will become FULL before pool_resume(). */
static bool
is_idle(const struct pool *pool)
{
    return pool->paused && !has_chunks(pool);
}

/* After FULL grew by one: wake a thread for the chunk. */
static void
signal_full(struct pool *pool)
{
    if (pool->ties > 0)
        pthread_cond_broadcast(&pool->device_ready);
    else if (pool->devices_up > 0)
        pthread_cond_signal(&pool->device_ready);
    if (may_take(pool, CONSUMER_HOST))
        pthread_cond_signal(&pool->host_ready);
}

/* Wake all threads waiting for work. */
static void
wake_takers(struct pool *pool)
{
    pthread_cond_broadcast(&pool->device_ready);
    pthread_cond_broadcast(&pool->host_ready);
    if (is_drained(pool) || is_idle(pool))
        pthread_cond_broadcast(&pool->idle);
}

/* Whether the calling thread was the last to fill CHUNK. */
static bool
is_own(const struct chunk *chunk)
{
    return chunk->was_filled && pthread_equal(chunk->filler, pthread_self());
}

/* Remove the chunk of the EMPTY list, which is not empty, to fill next. */
static struct chunk *
pop_empty(struct pool *pool)
{
    struct chunk_list *list = &pool->empty;
    struct chunk *before = NULL;
    struct chunk *chunk = list->first;

    if (pool->devices_up == 0)
        return list_pop(list);
    for (int i = 0; i < OWN_AMONG && chunk != NULL && !is_own(chunk); i++) {
        before = chunk;
        chunk = chunk->next;
    }
    return list_remove(list, chunk != NULL && is_own(chunk) ? before : NULL);
}

struct chunk *
pool_fill_start(struct pool *pool)
{
    struct chunk *chunk = NULL;

    pthread_mutex_lock(&pool->lock);
    while (pool->empty.first == NULL && !pool->stopped)
        pthread_cond_wait(&pool->empty_ready, &pool->lock);
    if (!pool->stopped) {
        chunk = pop_empty(pool);
        chunk->state = CHUNK_FILLING;
        pool->filling_count++;
        chunk->was_filled = true;
        chunk->filler = pthread_self();
        /* After the last EMPTY chunk, devices should release theirs. */
        if (pool->devices_up > 0 && is_starved(pool))
            pthread_cond_broadcast(&pool->device_ready);
    }
    pthread_mutex_unlock(&pool->lock);
    return chunk;
}

static void
append_full(struct pool *pool, struct chunk *chunk)
{
    chunk->state = CHUNK_FULL;
    list_append(&pool->full, chunk);
    pool->full_count++;
    signal_full(pool);
}

void
pool_fill_end(struct pool *pool, struct chunk *chunk)
{
    assert(chunk->used <= pool->chunk_bytes ||
           chunk->used <= chunk->large_bytes);
    if (chunk->used == 0)
        pool_restore(pool, chunk);
    pthread_mutex_lock(&pool->lock);
    assert(chunk->state == CHUNK_FILLING);
    pool->filling_count--;
    if (chunk->used > 0) {
        append_full(pool, chunk);
    } else {
        chunk->state = CHUNK_EMPTY;
        list_push(&pool->empty, chunk);
        pthread_cond_signal(&pool->empty_ready);
    }
    pthread_mutex_unlock(&pool->lock);
}

void
pool_end(struct pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->ended = true;
    wake_takers(pool);
    pthread_mutex_unlock(&pool->lock);
}

void
pool_stop(struct pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->stopped = true;
    pthread_cond_broadcast(&pool->empty_ready);
    pthread_cond_broadcast(&pool->large_ready);
    wake_takers(pool);
    pthread_mutex_unlock(&pool->lock);
}

void
pool_count_device(struct pool *pool, int change)
{
    pthread_mutex_lock(&pool->lock);
    assert(change > 0 || pool->devices_up > 0);
    pool->devices_up += (unsigned int)change;
    /* may_take() depends on this. */
    wake_takers(pool);
    pthread_mutex_unlock(&pool->lock);
}

void
pool_tie(struct pool *pool, const void *token)
{
    pthread_mutex_lock(&pool->lock);
    assert(pool->ties < POOL_TIES_MAX);
    pool->tie[pool->ties++] = token;
    pthread_mutex_unlock(&pool->lock);
}

void
pool_untie(struct pool *pool, const void *token)
{
    pthread_mutex_lock(&pool->lock);
    for (unsigned int i = 0; i < pool->ties; i++) {
        if (pool->tie[i] != token)
            continue;
        pool->tie[i] = pool->tie[--pool->ties];
        pthread_cond_broadcast(&pool->device_ready);
    }
    pthread_mutex_unlock(&pool->lock);
}

/* KIND takes CHUNK, which is in no list any more.  Returns CHUNK. */
static struct chunk *
take(struct pool *pool, struct chunk *chunk, enum consumer_kind kind)
{
    pool->taken_count++;
    chunk->state = CHUNK_TAKEN;
    chunk->kind = kind;
    return chunk;
}

/* Take a chunk that KIND, a CPU, may take. */
static struct chunk *
take_first(struct pool *pool, enum consumer_kind kind)
{
    bool is_refused = pool->refused_count > 0;

    pool->refused_count -= is_refused;
    pool->full_count -= !is_refused;
    return take(pool, list_pop(is_refused ? &pool->refused : &pool->full),
                kind);
}

/* Whether a thread that WAITS no longer waits for a chunk. */
static bool
is_over(const struct pool *pool, enum pool_wait wait)
{
    return wait == POOL_NO_WAIT || is_drained(pool) ||
           (wait == POOL_WAIT_UNLESS_STARVED && is_starved(pool));
}

struct chunk *
pool_take_tied(struct pool *pool, const void *token, enum pool_wait wait)
{
    struct chunk *chunk = NULL;
    struct chunk *before;

    pthread_mutex_lock(&pool->lock);
    while (!may_take_tied(pool, token, &before) && !is_over(pool, wait))
        pthread_cond_wait(&pool->device_ready, &pool->lock);
    if (may_take_tied(pool, token, &before) && !pool->stopped) {
        pool->full_count--;
        chunk = take(pool, list_remove(&pool->full, before), CONSUMER_DEVICE);
    }
    pthread_mutex_unlock(&pool->lock);
    return chunk;
}

struct chunk *
pool_take(struct pool *pool, enum consumer_kind kind, enum pool_wait wait)
{
    struct chunk *chunk = NULL;

    if (kind == CONSUMER_DEVICE)
        return pool_take_tied(pool, NULL, wait);
    pthread_mutex_lock(&pool->lock);
    while (!may_take(pool, kind) && !is_over(pool, wait))
        pthread_cond_wait(&pool->host_ready, &pool->lock);
    if (may_take(pool, kind) && !pool->stopped)
        chunk = take_first(pool, kind);
    pthread_mutex_unlock(&pool->lock);
    return chunk;
}

struct chunk *
pool_take_refused(struct pool *pool)
{
    struct chunk *chunk = NULL;

    pthread_mutex_lock(&pool->lock);
    while (pool->empty.first == NULL && pool->refused_count == 0 &&
           !pool->stopped)
        pthread_cond_wait(&pool->empty_ready, &pool->lock);
    if (pool->empty.first == NULL && !pool->stopped)
        chunk = take_first(pool, CONSUMER_HOST);
    pthread_mutex_unlock(&pool->lock);
    return chunk;
}

/* Whether the data of CHUNK is in the pool's memory: not replaced yet. */
static bool
is_in_place(const struct pool *pool, const struct chunk *chunk)
{
    uintptr_t start = (uintptr_t)pool->memory;
    uintptr_t data = (uintptr_t)chunk->data;

    return data >= start && data - start < pool->memory_bytes;
}

void
pool_replace(const struct pool *pool, struct chunk *chunk, void **spare)
{
    if (*spare == NULL || !is_in_place(pool, chunk))
        return;
    memcpy(*spare, chunk->data, chunk->used);
    /* If this fails, the pages stay until munmap(). */
    (void)madvise(chunk->data, pool_stride(pool->chunk_bytes), MADV_DONTNEED);
    chunk->data = *spare;
    *spare = NULL;
}

void
pool_release(struct pool *pool, struct chunk *chunk)
{
    if (has_other(chunk))
        pool_restore(pool, chunk);
    pthread_mutex_lock(&pool->lock);
    assert(chunk->state == CHUNK_TAKEN);
    chunk->state = CHUNK_EMPTY;
    chunk->leftover_count = 0;
    if (chunk->kind == CONSUMER_DEVICE)
        list_push(&pool->empty, chunk);
    else
        list_insert(&pool->empty, chunk, QUEUE_CHUNKS);
    pool->taken_count--;
    pthread_cond_signal(&pool->empty_ready);
    if (is_drained(pool) || is_idle(pool))
        wake_takers(pool);
    pthread_mutex_unlock(&pool->lock);
}

void
pool_give_back(struct pool *pool, struct chunk *chunk)
{
    pthread_mutex_lock(&pool->lock);
    assert(chunk->state == CHUNK_TAKEN);
    pool->taken_count--;
    append_full(pool, chunk);
    pthread_mutex_unlock(&pool->lock);
}

int
pool_keep_leftovers(struct chunk *chunk, const uint32_t *pair, size_t count)
{
    if (count > chunk->leftover_room) {
        free(chunk->leftovers);
        chunk->leftovers = malloc(2 * count * sizeof *chunk->leftovers);
        chunk->leftover_room = chunk->leftovers != NULL ? count : 0;
    }
    if (chunk->leftovers == NULL)
        return -1;
    memcpy(chunk->leftovers, pair, 2 * count * sizeof *pair);
    chunk->leftover_count = count;
    return 0;
}

void
pool_refuse(struct pool *pool, struct chunk *chunk)
{
    pthread_mutex_lock(&pool->lock);
    assert(chunk->state == CHUNK_TAKEN && chunk->kind == CONSUMER_DEVICE);
    pool->taken_count--;
    chunk->state = CHUNK_FULL;
    list_append(&pool->refused, chunk);
    pool->refused_count++;
    pthread_cond_signal(&pool->host_ready);
    /* If this wakes a non-counting reader, a CPU thread gets the chunk. */
    pthread_cond_signal(&pool->empty_ready);
    pthread_mutex_unlock(&pool->lock);
}

bool
pool_has_devices(struct pool *pool)
{
    return pool->devices_up > 0;
}

bool
pool_has_work(struct pool *pool, enum consumer_kind kind)
{
    pthread_mutex_lock(&pool->lock);
    bool has_work = may_take(pool, kind);
    pthread_mutex_unlock(&pool->lock);
    return has_work;
}

void
pool_pause(struct pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->paused = true;
    wake_takers(pool);
    pthread_mutex_unlock(&pool->lock);
}

void
pool_resume(struct pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->paused = false;
    pthread_mutex_unlock(&pool->lock);
}

enum pool_event
pool_wait(struct pool *pool, double seconds)
{
    struct timespec end = clock_after(seconds);
    enum pool_event event = POOL_TIME_OVER;
    int result = 0;

    pthread_mutex_lock(&pool->lock);
    while (!is_drained(pool) && !is_idle(pool) && result == 0)
        result = seconds > 0
                     ? pthread_cond_timedwait(&pool->idle, &pool->lock, &end)
                     : pthread_cond_wait(&pool->idle, &pool->lock);
    if (is_drained(pool))
        event = POOL_DRAINED;
    else if (is_idle(pool))
        event = POOL_IDLE;
    pthread_mutex_unlock(&pool->lock);
    return event;
}
