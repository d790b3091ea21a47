/* SPDX-License-Identifier: MIT */
/*
 * decoding_device.h -- a device that decodes, and the batches that go to it
 *
 * Batches go round: an owner fills a batch with blocks; the device decodes the
 * blocks, and copies their content to the host's memory; the owner takes the
 * content, and gives the batch back.  They go round on a belt, which has one
 * owner at a time, and batches of one kind.  With several belts a device
 * decodes several files at a time, whose owners read, and compute checksums,
 * side by side.
 *
 * Calls of the device's driver are made by threads of the device, because a
 * call may hang.  Most calls wait, so each kind of call has a thread: a call
 * that waits must not hold up calls of other kinds.
 *
 * The host's memory has a few slots for batches.  The owner may lease content
 * (lease.h).  Then the slot is free once the batch is given back and all
 * leases have ended, perhaps long after the belt has another owner.  Nobody
 * waits for this: content is leased only while some other slot of the belt has
 * no leases, so a slot is always free for the next batch.
 *
 * All memory that the device or its driver may write to belongs to the device.
 * So once a call has not returned in time, the device is lost, and nothing
 * else: the owner goes on without a device, and the threads and the memory stay
 * untouched until the process ends with _exit().
 */

#ifndef GPUHIST_DECODING_DEVICE_H
#define GPUHIST_DECODING_DEVICE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "kernels/inflate/inflate_work.h"
#include "kernels/seq/sequence_sketch.h"
#include "kernels/zstd/zstd_work.h"
#include "sync/cancel.h"
#include "sync/lease.h"
#include "sync/watchdog.h"

enum {
    /* Some are filled or decoded, the content of one is taken, and that of
       one before is leased. */
    DECODING_BATCHES = 5,
    /* One is filled, one is decoded, and the content of one is taken. */
    DECODING_BATCHES_LEAST = 3,
    /* Each has its window in the batch before; the third batch is summed. */
    DECODING_AT_ONCE = 3,
    DECODING_BELTS = 8, /* the most */
};

/* Limits of a batch, or of its device. */
struct decoding_sizes {
    uint32_t content;   /* bytes: the sum of CONTENT_MAX */
    uint32_t packed;    /* bytes */
    uint32_t literals;  /* bytes that are compressed */
    uint32_t sequences; /* the sum of ZSTD_SEQUENCES_ROOM() */
    uint32_t blocks;    /* up to ZSTD_TASKS_MAX */
    uint32_t history;   /* bytes of the largest window, a multiple of 16 */
    uint32_t slots;     /* of a belt, for up to DECODING_BATCHES */
    uint32_t belts;     /* up to DECODING_BELTS */
};

/* Up to 2 GB of a device's memory, and windows as of zstd --long. */
extern const struct decoding_sizes decoding_device_usual;

/* What the blocks of a batch are, and so which fields the batch has. */
enum decoding_kind {
    DECODING_ZSTD,    /* blocks of zstd: kernels/zstd/zstd_work.h */
    DECODING_INFLATE, /* members of gzip: kernels/inflate/inflate_work.h */
};

/* Consecutive blocks of a file. */
struct decoding_batch {
    unsigned int belt; /* its number; constant */
    unsigned int slot; /* slot of this belt in the host's memory; constant */

    /* Set by open_batch() of the driver. */
    unsigned char *packed;       /* with ZSTD_WORK_MARGIN before and after */
    struct zstd_task *task;      /* of zstd ... */
    struct inflate_task *member; /* ... or of gzip, in the same memory */

    /* Set by the owner. */
    enum decoding_kind kind;
    uint32_t packed_bytes;
    uint32_t blocks;
    uint32_t room;     /* bytes: the sum of CONTENT_MAX, or of CONTENT */
    uint32_t history;  /* bytes: the same for all batches of an owner; 0: the
                         kind has no windows */
    bool has_sums;     /* a task has SUMMED_BLOCKS */
    bool has_sketches; /* the owner wants them, of gzip */
    /* of an owner: needs no earlier batch, and starts with these: */
    bool is_first;
    struct zstd_offsets offsets;

    /* Set by open_batch(), too.  What they hold, await() and await_content()
       say. */
    unsigned char *content; /* decoding_batch_content() bytes, and
                               LEASE_FRONT_BYTES of room in front */
    /* Of zstd: */
    const struct zstd_found *found;
    const struct zstd_left *left;
    const uint64_t *sums; /* of tasks with SUMMED_BLOCKS: XXH64 */
    /* Of gzip, in the memory of FOUND: refusals of members, or 0. */
    const uint32_t *refused;
    /* ... and in the memory of SUMS, if HAS_SKETCHES: of each member. */
    const struct sequence_sketch *sketches;
};

/* Returns how many members of gzip a device has accepted before the first one
   that is refused. */
uint32_t decoding_batch_accepted(const struct decoding_batch *batch);

/* Returns the bytes of content of BATCH, which has been awaited.  Impossible
   results of a device count as 0. */
uint32_t decoding_batch_content(const struct decoding_batch *batch);

struct decoding_driver;

/* The kinds of calls of a driver. */
enum decoding_call {
    DECODING_CALL_DECODE, /* and to start it */
    DECODING_CALL_AWAIT,
    DECODING_CALL_FETCH,
    DECODING_CALL_OPEN,
    DECODING_CALLS
};

/*
 * The calls of a driver.  They return 0, or -1 with *ERROR set; then only
 * close() follows, once all other calls have returned.  But the device goes on
 * if it lacks only slots beyond DECODING_BATCHES_LEAST. open() comes first,
 * and open_batch() for a slot before its first batch; otherwise one call of
 * each kind may run at a time, each in its own thread.  The batches of a belt
 * have numbers, in the order in which they are decoded.
 */
struct decoding_driver_type {
    /* Start the device, and get all of its memory. */
    int (*open)(struct decoding_driver *driver,
                const struct decoding_sizes *sizes, struct error *error);

    /* Get the host's memory of the slot of BATCH, so that open_batch() takes
       less time, from its thread.  This may run beside open().  NULL: there is
       nothing that could be done so early. */
    void (*take_batch)(struct decoding_driver *driver,
                       const struct decoding_sizes *sizes,
                       const struct decoding_batch *batch);

    /* Get the host's memory of the slot of BATCH, unless take_batch() has,
       for the device. */
    int (*open_batch)(struct decoding_driver *driver,
                      struct decoding_batch *batch, struct error *error);

    /* Start to decode BATCH.  Of those before, on its belt, all but
       DECODING_AT_ONCE - 1 have been awaited. */
    int (*decode)(struct decoding_driver *driver, uint64_t number,
                  const struct decoding_batch *batch, struct error *error);

    /* Wait for what is found, and then start to copy the content: see
       decoding_batch_content(). */
    int (*await)(struct decoding_driver *driver, uint64_t number,
                 const struct decoding_batch *batch, struct error *error);

    /* Wait for the content and the sums. */
    int (*await_content)(struct decoding_driver *driver, uint64_t number,
                         const struct decoding_batch *batch,
                         struct error *error);

    /* Release everything, and DRIVER. */
    void (*close)(struct decoding_driver *driver);
};

/* The first member of a driver's struct. */
struct decoding_driver {
    const struct decoding_driver_type *type;
    void *token;    /* of the leases of content (lease.h), or NULL */
    char name[128]; /* "cuda:0 (NVIDIA H200)" after open() */
    const char *_Atomic call[DECODING_CALLS]; /* the last ones, to name one that
                                             hangs */
};

enum decoding_device_state {
    DECODING_DEVICE_STARTING,
    DECODING_DEVICE_READY,
    DECODING_DEVICE_FAILED,
    DECODING_DEVICE_LOST,    /* a call hangs */
    DECODING_DEVICE_WAITING, /* until the one before has started */
};

/* The use of a device. */
struct decoding_device_use {
    uint64_t content; /* bytes, about: for them it gets memory as it starts */
    double timeout;   /* seconds for a call; 0: any time.  The start may take
                         four times as long */
    pthread_mutex_t *lock;       /* of all devices of a run */
    pthread_cond_t *has_changed; /* for those that have no belt of any */
    /* The device starts once this one has started, or has failed; NULL: at
       once.  It is stopped later. */
    const struct decoding_device *before;
    /* If that one has started, not before decoding_device_allow(). */
    bool is_held;
};

/* The thread for a kind of call. */
struct decoding_caller {
    struct decoding_device *device;
    enum decoding_call call;
    struct watchdog watch;
    pthread_t thread;
};

/* The way of the batches of one owner. */
struct decoding_belt {
    /* Constant. */
    struct decoding_device *device;
    pthread_mutex_t *lock; /* of all devices */
    const struct decoding_sizes *sizes;

    pthread_cond_t has_changed; /* for the owner and its helpers */
    /* Under the lock. */
    bool is_taken;
    unsigned int opened; /* slots that have memory, the first ones ... */
    unsigned int slots;  /* ... of these */
    /* How many batches are, of all: those from RELEASED to FILLED are in the
       device, or have content that the owner has not taken. */
    uint64_t filled;
    uint64_t started; /* to be decoded */
    uint64_t awaited;
    uint64_t fetched;
    uint64_t released;

    /* Where number N is: at N % DECODING_BATCHES. */
    unsigned int slot[DECODING_BATCHES];
    uint64_t turn[DECODING_BATCHES];       /* of all that the device started */
    unsigned int leases[DECODING_BATCHES]; /* of each slot */
    unsigned int next; /* slot to fill; DECODING_BATCHES: not chosen */

    /* By slot.  The owner has those from RELEASED to FETCHED, and the one that
       is vacant; the threads have the others. */
    struct decoding_batch batch[DECODING_BATCHES];
};

struct decoding_device {
    /* Constant. */
    struct decoding_driver *driver;
    struct decoding_sizes sizes;
    double tick;        /* seconds between two looks at a call that may hang */
    unsigned int ticks; /* that it may take; 0: any time */
    unsigned int ahead; /* slots whose memory owners will need at once */
    pthread_mutex_t *lock;
    pthread_cond_t *has_changed;
    const struct decoding_device *before; /* see struct decoding_device_use */

    struct decoding_caller caller[DECODING_CALLS];

    pthread_cond_t has_work; /* for the threads */
    /* Under the lock. */
    enum decoding_device_state state;
    bool is_held;       /* see struct decoding_device_use */
    struct error error; /* why it FAILED or is LOST */
    double looked;      /* at the calls, by clock_now() */
    bool is_started;    /* open() has returned; READY has a slot, too */
    bool is_closing;
    unsigned int running; /* threads that have not ended */
    uint64_t turns;       /* batches started, of all belts */
    uint64_t content;     /* bytes that it has decoded */

    struct decoding_belt belt[DECODING_BELTS]; /* SIZES.belts of them */
};

/* Set SIZES to the largest sizes for which a device with BELTS needs up to
   BYTES of the host's memory.  Returns false if even the least sizes need
   more. */
bool decoding_device_fit(struct decoding_sizes *sizes, unsigned int belts,
                         uint64_t bytes);

/* Returns the host's memory that a device of SIZES needs. */
uint64_t decoding_device_bytes(const struct decoding_sizes *sizes);

/*
 * Start DRIVER, which then belongs to the device, in a thread.  Returns a
 * device for decoding_device_close(), or NULL with *ERROR set; then DRIVER is
 * closed.  Owners see all devices of a run: decoding_devices.h.
 */
struct decoding_device *decoding_device_open(
    struct decoding_driver *driver, const struct decoding_sizes *sizes,
    const struct decoding_device_use *use, struct error *error);

/* ---- under the lock ---- */

/* DEVICE is no longer held. */
void decoding_device_allow(struct decoding_device *device);

/* Look for a call that hangs, unless another thread has just looked. */
void decoding_device_look(struct decoding_device *device);

/* Returns how many belts of DEVICE have owners; and, unless that is all, sets
   *BELT to one that has none. */
unsigned int decoding_device_owners(struct decoding_device *device,
                                    struct decoding_belt **belt);

/* Give BELT, of those without an owner, an owner. */
void decoding_belt_take(struct decoding_belt *belt);

/* ---- without the lock ---- */

/* Release all batches, once none is being decoded.  Leases stay. */
void decoding_belt_drop(struct decoding_belt *belt);

/* Stop being the owner, who has dropped all batches. */
void decoding_belt_give(struct decoding_belt *belt);

/* The same, unless *BELT is NULL, which it is then. */
void decoding_belt_return(struct decoding_belt **belt);

/* ---- for the owner, under the lock ---- */

/* Whether the device is READY. */
bool decoding_belt_is_ready(const struct decoding_belt *belt);

/* Returns a batch to fill, or NULL: none is free now, or the device is not
   READY. */
struct decoding_batch *decoding_belt_vacant(struct decoding_belt *belt);

/* BATCH, which was vacant, is filled: decode it. */
void decoding_belt_submit(struct decoding_belt *belt,
                          const struct decoding_batch *batch);

/* Returns the batch with NUMBER, once its content is there; or NULL. */
const struct decoding_batch *decoding_belt_fetched(struct decoding_belt *belt,
                                                   uint64_t number);

/*
 * Lend content of the first batch that is not released: set *LEASE, except for
 * DATA and BYTES.  The holder of the lease may end it at any time before
 * decoding_device_close(), without the lock.  Returns false if no other slot is
 * without leases.
 */
bool decoding_belt_lease(struct decoding_belt *belt, struct lease *lease);

/* Release the first batch that is not released. */
void decoding_belt_release(struct decoding_belt *belt);

/*
 * Wait until something has changed, or for some time.  Everyone who waits for
 * the device's threads must wait here, because this function detects a call
 * that hangs.
 */
void decoding_belt_wait(struct decoding_belt *belt);

/* ---- the end ---- */

/*
 * Have the threads of DEVICE, which has no owner, end.  Returns whether they
 * have; if not, the process must end with _exit().
 */
bool decoding_device_stop(struct decoding_device *device);

/* Close DEVICE, which has stopped. */
void decoding_device_close(struct decoding_device *device);

#endif
