/*
 * pool.h -- the fixed set of chunks between readers and engines
 *
 * A chunk changes state in one direction only, except that an engine which
 * fails gives back what it took:
 *
 *     EMPTY --pool_fill_begin--> FILLING --pool_fill_end--> FULL
 *     FULL --pool_take--> TAKEN --pool_release--> EMPTY
 *                         TAKEN --pool_give_back--> FULL
 *
 * This is the ledger that keeps counts exact: a chunk is released only when
 * its counts are safe in host memory, so at any moment every byte read is
 * either in a chunk that is not EMPTY or in some engine's counts, never in
 * both and never in neither.
 *
 * Memory is bounded by the number of chunks: a reader that finds none EMPTY
 * waits.  It gets the first in the list of the EMPTY ones.  A chunk that a
 * device has counted goes to the front: it is still in the reader's cache.
 * One that the CPU has counted goes to the end: it is in the cache of another
 * processor, and writing to it is cheaper once it has left that.
 */

#ifndef GPUHIST_POOL_H
#define GPUHIST_POOL_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "util/error.h"

enum chunk_state {
    CHUNK_EMPTY,
    CHUNK_FILLING,
    CHUNK_FULL,
    CHUNK_TAKEN,
};

/* Who takes a chunk: see pool_take(). */
enum consumer_kind {
    CONSUMER_HOST,
    CONSUMER_DEVICE,
};

/* How long pool_take() waits for a chunk. */
enum pool_wait {
    POOL_NO_WAIT,
    POOL_WAIT_UNLESS_STARVED, /* not where no chunk is EMPTY */
    POOL_WAIT,
};

/* What pool_wait() found. */
enum pool_event {
    POOL_DRAINED, /* every chunk is counted after pool_end(); or pool_stop() */
    POOL_AT_REST, /* what was FULL at pool_pause(), or since, is counted */
    POOL_TIME_OVER,
};

struct spec;

struct chunk {
    /*
     * Room for pool->chunk_bytes; whole pages of the pool's, until
     * pool_replace().
     */
    unsigned char *data;

    /* Under the pool's lock. */
    enum chunk_state state;
    enum consumer_kind kind; /* of a TAKEN one: who has it */
    struct chunk *next;      /* in the list of the EMPTY or of the FULL ones */

    /* Only for the thread that holds the chunk FILLING or TAKEN. */
    size_t used;             /* bytes to count */
    const struct spec *spec; /* how: it may know more than an earlier one */
    bool pinning_tried;      /* a device engine tried to pin DATA ... */
    const void *pinned_with; /* ... and this one did; NULL: none */
};

/* Chunks in a row; FIRST is NULL where there is none. */
struct chunk_list {
    struct chunk *first;
    struct chunk *last;
};

struct pool {
    /* Set by pool_open() for good. */
    size_t chunk_bytes;
    size_t chunk_count;
    struct chunk *chunks; /* all of them */
    void *memory;
    size_t memory_bytes;
    int huge_pages_refused; /* why, an error number; 0: they were not */

    pthread_mutex_t lock;
    /* All below: under the lock. */
    pthread_cond_t empty_ready; /* EMPTY grew, or STOPPED */
    pthread_cond_t host_ready;  /* a CONSUMER_HOST may find work, or an end */
    pthread_cond_t device_ready;
    pthread_cond_t idle;     /* DRAINED or AT_REST: see pool_wait() */
    struct chunk_list empty; /* the next to fill first */
    struct chunk_list full;  /* the longest waiting first */
    size_t used_count;       /* chunks that pool_add() has handed out */
    size_t full_count;
    size_t taken_count;
    unsigned int devices_up; /* device engines that are taking chunks */
    bool ended;              /* no reader will fill another chunk */
    bool paused;             /* none will for a moment */
    bool stopped;            /* the run failed: every wait returns */
};

/*
 * How much memory a chunk of CHUNK_BYTES takes: whole pages, since pages are
 * what gets pinned.
 */
size_t pool_stride(size_t chunk_bytes);

/*
 * Make room for CHUNK_COUNT chunks of CHUNK_BYTES; pool_add() hands them out.
 * With HUGE_PAGES the memory is aligned for and asks for huge pages.  Nothing
 * is touched before a reader fills it.  Returns 0, or -1 with *ERROR set.
 */
int pool_open(struct pool *pool, size_t chunk_count, size_t chunk_bytes,
              bool huge_pages, struct error *error);

/*
 * Let COUNT more chunks go round: they are EMPTY now.  No more than a run
 * needs: those of a few readers stay in the processors' caches.
 */
void pool_add(struct pool *pool, size_t count);

void pool_close(struct pool *pool);

/* Wait for an EMPTY chunk; it is FILLING now.  NULL: the run has stopped. */
struct chunk *pool_fill_begin(struct pool *pool);

/* CHUNK->used bytes are there: FULL.  None: EMPTY again. */
void pool_fill_end(struct pool *pool, struct chunk *chunk);

/* The readers have all finished. */
void pool_end(struct pool *pool);

/* The run has failed: wake everybody, hand out nothing any more. */
void pool_stop(struct pool *pool);

/* A device engine begins (+1) or ends (-1) taking chunks. */
void pool_count_device(struct pool *pool, int change);

/*
 * Take the chunk that has been FULL the longest; it is TAKEN now.  While a
 * device is up, a CONSUMER_HOST finds something only when no chunk is EMPTY,
 * which is when a reader would have to wait, or when the readers have
 * finished: as long as the device keeps up, the CPU stays free for reading
 * and for the rest of the pipeline.
 *
 * NULL with POOL_WAIT: nothing to take ever: stopped, or ended and no chunk is
 * left that could be given back.  NULL otherwise: nothing to take now, and
 * with POOL_WAIT_UNLESS_STARVED, for a CONSUMER_DEVICE, also nothing to come
 * until some kind releases a chunk.
 */
struct chunk *pool_take(struct pool *pool, enum consumer_kind kind,
                        enum pool_wait wait);

/*
 * Have the TAKEN chunk at *SPARE from now on, with what it holds, and set that
 * to NULL; its pages go back to the system.  Nothing is done without memory
 * there, or if the chunk has been replaced before.
 */
void pool_replace(const struct pool *pool, struct chunk *chunk, void **spare);

/* The counts of the TAKEN chunk are safe in host memory. */
void pool_release(struct pool *pool, struct chunk *chunk);

/* The counts of the TAKEN chunk are lost: FULL again, for another engine. */
void pool_give_back(struct pool *pool, struct chunk *chunk);

/* Whether a device engine is taking chunks. */
bool pool_has_devices(struct pool *pool);

/*
 * Whether a device will soon have nothing to take: another FULL chunk is
 * worth more to it than to a reader that could count it.
 */
bool pool_wants_more(struct pool *pool);

/* Whether FULL chunks are waiting that a CONSUMER_HOST may take. */
bool pool_has_work(struct pool *pool);

/*
 * From now on, until pool_resume(), no chunk becomes FULL but by
 * pool_give_back(): have what there is counted and released.
 */
void pool_pause(struct pool *pool);

void pool_resume(struct pool *pool);

/*
 * Wait for one of the first two events, for so many SECONDS at most, if not 0.
 * Where it has DRAINED, that is what it says.
 */
enum pool_event pool_wait(struct pool *pool, double seconds);

#endif
