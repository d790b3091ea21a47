/* SPDX-License-Identifier: MIT */
/*
 * pool.h -- the fixed set of chunks between readers and engines
 *
 * A chunk changes state in one direction only, except that engines give chunks
 * back when they fail or cannot count them:
 *
 *     EMPTY --pool_fill_start--> FILLING --pool_fill_end--> FULL
 *     FULL --pool_take--> TAKEN --pool_release--> EMPTY
 *                         TAKEN --pool_give_back--> FULL
 *                         TAKEN --pool_refuse--> FULL, for the CPU only
 *
 * A device may have counted a refused chunk except for some records; then only
 * these records are uncounted.
 *
 * This ledger keeps counts exact: a chunk is released only when its counts are
 * safe in host memory.  So at any moment every byte read is either in a
 * non-EMPTY chunk or in the counts of one engine, never in both and never in
 * neither.
 *
 * The number of chunks bounds the memory: a reader that finds no EMPTY chunk
 * waits.  A reader takes the first chunk of the EMPTY list.  A chunk counted by
 * a device returns to the front of the list, because it is still in the
 * reader's cache.  So while a device is up, a reader prefers a chunk from its
 * own cache.  A chunk counted by the CPU returns to the end: it is in the cache
 * of another core, and is cheaper to overwrite after it has left this cache.
 *
 * The data of a chunk may be leased (lease.h) until the chunk is EMPTY.  If the
 * memory of one of several devices has them, too, the engine of this device
 * counts the chunk, except when chunks run short.
 */

#ifndef GPUHIST_POOL_H
#define GPUHIST_POOL_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "sync/lease.h"
#include "sync/origins.h"

enum chunk_state {
    CHUNK_EMPTY,
    CHUNK_FILLING,
    CHUNK_FULL,
    CHUNK_TAKEN,
};

/* The kind of engine that takes a chunk: see pool_take(). */
enum consumer_kind {
    CONSUMER_HOST,
    CONSUMER_DEVICE,
    CONSUMER_RESERVE, /* a CPU thread for refused chunks */
};

/* How long pool_take() waits for a chunk. */
enum pool_wait {
    POOL_NO_WAIT,
    POOL_WAIT_UNLESS_STARVED, /* only while chunks are EMPTY */
    POOL_WAIT,
};

/* The result of pool_wait(). */
enum pool_event {
    POOL_DRAINED, /* all chunks are counted after pool_end(); or pool_stop() */
    POOL_IDLE,    /* paused, and all FULL chunks are counted and released */
    POOL_TIME_OVER,
};

struct spec;

/* Synthetic bytes of a chunk, which are not in the input, and records that
   start there: headers before pieces of records (see framing.h).  A long record
   whose bases are left out is a separate chunk, with their numbers here. */
struct synthetic {
    /* Of a long record: bytes of the chunk minus bytes of the input, modulo
       2^64. */
    size_t bytes;
    size_t records;
    bool is_long;
    uint64_t length; /* the bases left out ... */
    uint64_t gc;     /* ... and how many are G or C */
};

struct chunk {
    /*
     * pool->chunk_bytes of room.  Whole pages of the pool's memory, until
     * pool_replace().  A lease has no room.
     */
    unsigned char *data;
    unsigned char *usual; /* DATA, unless changed by pool_enlarge() ... */
    size_t large_bytes;   /* ... and how many bytes DATA has then; else 0 */
    struct lease lease;   /* ... or by pool_lease(), if this is not 0 */

    /* Under the pool's lock. */
    enum chunk_state state;
    enum consumer_kind kind; /* the kind of engine of a TAKEN chunk */
    struct chunk *next;      /* in a list */
    bool was_filled;         /* before, by FILLER */
    pthread_t filler;

    /* Only for the thread with the FILLING or TAKEN chunk. */
    size_t used;                /* bytes to count ... */
    struct synthetic synthetic; /* ... and how many are synthetic */
    struct origins origins;     /* of these bytes, if an engine may ask */
    uint32_t *leftovers;        /* see pool_keep_leftovers(); owned */
    size_t leftover_room;       /* pairs */
    size_t leftover_count;      /* 0: all of the chunk is to be counted */
    const struct spec *spec;    /* how to count; ranges grow between chunks */

    /* Of chunks that are pinned together, only the first has these. */
    atomic_bool pinning_tried; /* a device engine tried to pin them ... */
    const void *pinned_with;   /* ... and this engine did; NULL: none */
};

/* A linked list of chunks; FIRST is NULL if it is empty. */
struct chunk_list {
    struct chunk *first;
    struct chunk *last;
};

/* The limit of tokens of leases that are tied to an engine: see pool_tie(). */
#define POOL_TIES_MAX 8

struct pool {
    /* Constant after pool_open(). */
    size_t chunk_bytes;
    size_t chunk_count;
    struct chunk *chunks; /* all CHUNK_COUNT */
    void *memory;
    size_t memory_bytes;
    unsigned char *first;   /* the usual memory of the first chunk */
    int huge_pages_refused; /* errno of madvise(), or 0 */

    pthread_mutex_t lock;
    /* All below: under the lock. */
    pthread_cond_t empty_ready;  /* EMPTY or REFUSED grew, or STOPPED */
    pthread_cond_t host_ready;   /* a CONSUMER_HOST should look again */
    pthread_cond_t device_ready; /* a CONSUMER_DEVICE should look again */
    pthread_cond_t idle;         /* DRAINED or IDLE: see pool_wait() */
    pthread_cond_t large_ready;  /* LARGE is NULL, or STOPPED */
    struct chunk *large;         /* the enlarged chunk, or NULL */
    struct chunk_list empty;     /* the next to fill first */
    struct chunk_list full;      /* the longest waiting first */
    struct chunk_list refused;   /* FULL, too, but not for devices */
    size_t used_count;           /* chunks handed out by pool_add() */
    size_t filling_count;
    size_t full_count;    /* in the list FULL */
    size_t refused_count; /* in the list REFUSED */
    size_t taken_count;
    atomic_uint devices_up;         /* device engines taking chunks */
    const void *tie[POOL_TIES_MAX]; /* TIES tokens of leases */
    unsigned int ties;
    bool ended;   /* no reader will fill another chunk */
    bool paused;  /* no reader fills a chunk until pool_resume() */
    bool stopped; /* the run failed: every wait returns */
};

/*
 * Returns the bytes of memory of a chunk of CHUNK_BYTES: whole pages, because a
 * device engine pins pages.
 */
size_t pool_stride(size_t chunk_bytes);

/*
 * Returns the usual memory of chunk I; the memory of the next chunk follows.
 * The chunk may have different memory now.
 */
static inline unsigned char *
pool_usual(const struct pool *pool, size_t i)
{
    return pool->first + i * pool_stride(pool->chunk_bytes);
}

/*
 * Allocate memory for CHUNK_COUNT chunks of CHUNK_BYTES; pool_add() hands
 * them out.  With HUGE_PAGES the memory is aligned to huge pages and the
 * kernel is advised to use them.  No page is touched before a reader fills
 * it.  Returns 0, or -1 with *ERROR set.
 */
int pool_open(struct pool *pool, size_t chunk_count, size_t chunk_bytes,
              bool huge_pages, struct error *error);

/*
 * Hand out COUNT more chunks; they are EMPTY now.  Add only what a run needs:
 * few chunks stay in the caches of the readers' cores.
 */
void pool_add(struct pool *pool, size_t count);

void pool_close(struct pool *pool);

/*
 * Wait for an EMPTY chunk that the calling thread fills.  Returns it FILLING,
 * or NULL after pool_stop().
 */
struct chunk *pool_fill_start(struct pool *pool);

/*
 * Give the FILLING chunk more memory, for BYTES; the data are lost.  Only one
 * chunk at a time is enlarged, until EMPTY or restored: waits meanwhile.  So a
 * thread with an enlarged chunk must not wait for a reader who may wait for a
 * chunk.  Returns 0, or -1: out of memory, or pool_stop().
 */
int pool_enlarge(struct pool *pool, struct chunk *chunk, size_t bytes);

/*
 * Let the FILLING chunk, which has its usual memory, have the bytes of LEASE
 * instead.  The lease then belongs to the chunk.  Nobody writes to leased
 * bytes.
 */
void pool_lease(struct chunk *chunk, struct lease *lease);

/* Whether the data of the chunk are leased. */
static inline bool
pool_is_leased(const struct chunk *chunk)
{
    return chunk->lease.data != NULL;
}

/* Give the FILLING chunk its usual memory back; the data are lost. */
void pool_restore(struct pool *pool, struct chunk *chunk);

/*
 * The FILLING chunk holds CHUNK->used bytes: it is FULL now, or EMPTY again if
 * it holds none.
 */
void pool_fill_end(struct pool *pool, struct chunk *chunk);

/* All readers have finished. */
void pool_end(struct pool *pool);

/* The run has failed: wake all threads and hand out no more chunks. */
void pool_stop(struct pool *pool);

/* A device engine starts (+1) or stops (-1) taking chunks. */
void pool_count_device(struct pool *pool, int change);

/* Until pool_untie(), other devices leave leases with TOKEN, which is not
   NULL, to the one that takes chunks with TOKEN: see pool_take_tied(). */
void pool_tie(struct pool *pool, const void *token);

/* Does nothing if leases with TOKEN are not tied. */
void pool_untie(struct pool *pool, const void *token);

/*
 * Take the chunk that has been FULL the longest.  While a device is up, a
 * CONSUMER_HOST gets a chunk only when all readers wait: no chunk is EMPTY or
 * FILLING; or when the readers have finished.  As long as the device keeps up,
 * the processors and the memory are left to the readers.  A refused chunk goes
 * to a CONSUMER_HOST or a CONSUMER_RESERVE at once.
 *
 * Returns the chunk TAKEN, or NULL.  With POOL_WAIT, NULL is the end: the pool
 * is stopped, or the readers have finished and all chunks are counted.
 * Otherwise NULL means that no chunk can be taken now.  With
 * POOL_WAIT_UNLESS_STARVED, NULL tells a CONSUMER_DEVICE to expect no chunk
 * until some engine releases one.
 */
struct chunk *pool_take(struct pool *pool, enum consumer_kind kind,
                        enum pool_wait wait);

/*
 * The same for a CONSUMER_DEVICE, which gets a chunk whose lease is tied to
 * another one only if no chunk is EMPTY, or the readers have finished.  TOKEN
 * is that of its own leases, or NULL.
 */
struct chunk *pool_take_tied(struct pool *pool, const void *token,
                             enum pool_wait wait);

/*
 * For a counting reader: wait until a chunk is EMPTY, or a device has refused a
 * chunk.  If no chunk is EMPTY, returns the refused chunk, TAKEN as by a
 * CONSUMER_HOST; or NULL: pool_fill_start() is next.
 */
struct chunk *pool_take_refused(struct pool *pool);

/*
 * Copy the TAKEN chunk to the memory at *SPARE, of pool_stride() bytes, which
 * is the chunk's from now on; set *SPARE to NULL and return the chunk's pages
 * to the system.  Does nothing if *SPARE is NULL or the chunk has been
 * replaced before.
 */
void pool_replace(const struct pool *pool, struct chunk *chunk, void **spare);

/* If the data of the TAKEN chunk are leased, copy them to the chunk's usual
   memory. */
void pool_own(struct chunk *chunk);

/* The counts of the TAKEN chunk are safe in host memory: the chunk is EMPTY
   now. */
void pool_release(struct pool *pool, struct chunk *chunk);

/* The counts of the TAKEN chunk are lost: FULL again, for another engine. */
void pool_give_back(struct pool *pool, struct chunk *chunk);

/*
 * All of the TAKEN chunk is counted but COUNT records, at least 1, which PAIR
 * tells (engine.h): keep a copy until the chunk is EMPTY.  Returns 0, or -1:
 * out of memory.
 */
int pool_keep_leftovers(struct chunk *chunk, const uint32_t *pair,
                        size_t count);

/* A device cannot count the TAKEN chunk, or some of the records: FULL again,
   for the CPU only. */
void pool_refuse(struct pool *pool, struct chunk *chunk);

/* Whether a device engine is taking chunks.  Takes no lock: each reader asks
   for each chunk. */
bool pool_has_devices(struct pool *pool);

/* Whether some FULL chunk may go to KIND. */
bool pool_has_work(struct pool *pool, enum consumer_kind kind);

/*
 * The caller guarantees that no reader fills a chunk until pool_resume().
 * Engines count and release all chunks, without waiting for more.
 */
void pool_pause(struct pool *pool);

void pool_resume(struct pool *pool);

/*
 * Wait until the pool is drained or idle, SECONDS at most; 0: no limit.
 * Returns what happened: POOL_DRAINED if both are true.
 */
enum pool_event pool_wait(struct pool *pool, double seconds);

#endif
