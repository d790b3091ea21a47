/*
 * zstd_device.h -- a device that decodes zstd, and the batches that go to it
 *
 * Batches go round: an owner fills a batch with blocks
 * (kernels/zstd/zstd_work.h); the device decodes the blocks, and copies their
 * content to the host's memory; the owner takes the content, and gives the
 * batch back.  One owner at a time has the device.
 *
 * Calls of the device's driver are made by threads of the device, because a
 * call may hang.  Most calls wait, so each kind of call has a thread: a call
 * that waits must not hold up calls of other kinds.
 *
 * The host's memory has a few slots for batches.  The owner may lease content
 * (lease.h).  Then the slot is free once the batch is given back and all
 * leases have ended, perhaps long after the device has another owner.  Nobody
 * waits for this: content is leased only while some other slot has no leases,
 * so a slot is always free for the next batch.
 *
 * All memory that the device or its driver may write to belongs to the device.
 * So once a call has not returned in time, the device is lost, and nothing
 * else: the owner goes on without a device, and the threads and the memory stay
 * untouched until the process ends with _exit().
 */

#ifndef GPUHIST_ZSTD_DEVICE_H
#define GPUHIST_ZSTD_DEVICE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "kernels/zstd/zstd_work.h"
#include "sync/cancel.h"
#include "sync/lease.h"
#include "sync/watchdog.h"

enum {
    /* Some are filled or decoded, the content of one is taken, and that of
       one before is leased. */
    ZSTD_DEVICE_BATCHES = 5,
    /* One is filled, one is decoded, and the content of one is taken. */
    ZSTD_DEVICE_BATCHES_LEAST = 3,
    /* Each has its window in the batch before; the third batch is summed. */
    ZSTD_DEVICE_DECODING = 3,
};

/* Limits of a batch, or of its device. */
struct zstd_device_sizes {
    uint32_t content;   /* bytes: the sum of CONTENT_MAX */
    uint32_t packed;    /* bytes */
    uint32_t literals;  /* bytes that are compressed */
    uint32_t sequences; /* the sum of ZSTD_SEQUENCES_ROOM() */
    uint32_t blocks;    /* up to ZSTD_TASKS_MAX */
    uint32_t history;   /* bytes of the largest window, a multiple of 16 */
    uint32_t slots;     /* of the host, for up to ZSTD_DEVICE_BATCHES */
};

/* Up to 2 GB of a device's memory, and windows as of zstd --long. */
extern const struct zstd_device_sizes zstd_device_usual;

/* Consecutive blocks of a file. */
struct zstd_device_batch {
    unsigned int slot; /* slot in the host's memory; constant */

    /* Set by open_batch() of the driver. */
    unsigned char *packed; /* with ZSTD_WORK_MARGIN before and after */
    struct zstd_task *task;

    /* Set by the owner. */
    uint32_t packed_bytes;
    uint32_t blocks;
    uint32_t room;    /* bytes: the sum of CONTENT_MAX */
    uint32_t history; /* bytes: the same for all batches of an owner */
    bool has_sums;    /* a task has SUMMED_BLOCKS */
    /* of an owner: needs no earlier batch, and starts with these: */
    bool is_first;
    struct zstd_offsets offsets;

    /* Set by open_batch(), too.  What they hold, await() and await_content()
       say. */
    const struct zstd_found *found;
    const struct zstd_left *left;
    unsigned char *content; /* LEFT->content bytes, and LEASE_FRONT_BYTES of
                               room in front */
    const uint64_t *sums;   /* of tasks with SUMMED_BLOCKS: XXH64 */
};

struct zstd_driver;

/* The kinds of calls of a driver. */
enum zstd_call {
    ZSTD_CALL_DECODE, /* and to start it */
    ZSTD_CALL_AWAIT,
    ZSTD_CALL_FETCH,
    ZSTD_CALL_OPEN,
    ZSTD_CALLS
};

/*
 * The calls of a driver.  They return 0, or -1 with *ERROR set; then only
 * close() follows, once all other calls have returned.  But the device goes on
 * if it lacks only slots beyond ZSTD_DEVICE_BATCHES_LEAST. open() comes first,
 * and open_batch() for a slot before its first batch; otherwise one call of
 * each kind may run at a time, each in its own thread.  Batches have numbers,
 * in the order in which they are decoded.
 */
struct zstd_driver_type {
    /* Start the device, and get all of its memory. */
    int (*open)(struct zstd_driver *driver,
                const struct zstd_device_sizes *sizes, struct error *error);

    /* Get the host's memory of the slot of BATCH, so that open_batch() takes
       less time, from its thread.  This may run beside open().  NULL: there is
       nothing that could be done so early. */
    void (*take_batch)(struct zstd_driver *driver,
                       const struct zstd_device_sizes *sizes,
                       const struct zstd_device_batch *batch);

    /* Get the host's memory of the slot of BATCH, unless take_batch() has,
       for the device. */
    int (*open_batch)(struct zstd_driver *driver,
                      struct zstd_device_batch *batch, struct error *error);

    /* Start to decode BATCH.  Of those before, all but
       ZSTD_DEVICE_DECODING - 1 have been awaited. */
    int (*decode)(struct zstd_driver *driver, uint64_t number,
                  const struct zstd_device_batch *batch, struct error *error);

    /* Wait for what is found, and then start to copy the content: LEFT says how
       much. */
    int (*await)(struct zstd_driver *driver, uint64_t number,
                 const struct zstd_device_batch *batch, struct error *error);

    /* Wait for the content and the sums. */
    int (*await_content)(struct zstd_driver *driver, uint64_t number,
                         const struct zstd_device_batch *batch,
                         struct error *error);

    /* Release everything, and DRIVER. */
    void (*close)(struct zstd_driver *driver);
};

/* The first member of a driver's struct. */
struct zstd_driver {
    const struct zstd_driver_type *type;
    void *token;    /* of the leases of content (lease.h), or NULL */
    char name[128]; /* "cuda:0 (NVIDIA H200)" after open() */
    const char *_Atomic call[ZSTD_CALLS]; /* the last ones, to name one that
                                             hangs */
};

enum zstd_device_state {
    ZSTD_DEVICE_STARTING,
    ZSTD_DEVICE_READY,
    ZSTD_DEVICE_FAILED,
    ZSTD_DEVICE_LOST, /* a call hangs */
};

/* The use of a device. */
struct zstd_device_use {
    uint64_t content; /* bytes, about: for them it gets memory as it starts */
    double timeout;   /* seconds for a call; 0: any time.  The start may take
                         four times as long */
    double
        patience; /* nobody waits longer for the start; 0: that is no limit */
    off_t file_bytes_min; /* smaller files are not worth it */
};

/* The thread for a kind of call. */
struct zstd_caller {
    struct zstd_device *device;
    enum zstd_call call;
    struct watchdog watch;
    pthread_t thread;
};

struct zstd_device {
    /* Constant. */
    struct zstd_driver *driver;
    struct zstd_device_sizes sizes; /* but SLOTS, under the lock: fewer if
                                       memory is short */
    double tick;        /* seconds between two looks at a call that may hang */
    unsigned int ticks; /* that it may take; 0: any time */
    double patient_until; /* owners wait for the start until then, by
                             clock_now(); 0: as long as that may take */
    off_t file_bytes_min; /* as in struct zstd_device_use */
    unsigned int ahead;   /* slots whose memory the owner will need at once */

    struct zstd_caller caller[ZSTD_CALLS];

    pthread_mutex_t lock;
    pthread_cond_t has_work;    /* for the threads */
    pthread_cond_t has_changed; /* for the owner and its helpers */
    /* Under the lock. */
    enum zstd_device_state state;
    struct error error; /* why it FAILED or is LOST */
    double looked;      /* at the calls, by clock_now() */
    bool is_started;    /* open() has returned; READY has a slot, too */
    bool is_taken;
    bool is_closing;
    unsigned int running; /* threads that have not ended */
    unsigned int opened;  /* slots that have memory, the first ones */
    /* How many batches are, of all: those from RELEASED to FILLED are in the
       device, or have content that the owner has not taken. */
    uint64_t filled;
    uint64_t started; /* to be decoded */
    uint64_t awaited;
    uint64_t fetched;
    uint64_t released;

    /* Where number N is: at N % ZSTD_DEVICE_BATCHES. */
    unsigned int slot[ZSTD_DEVICE_BATCHES];
    unsigned int leases[ZSTD_DEVICE_BATCHES]; /* of each slot */
    unsigned int next; /* slot to fill; ZSTD_DEVICE_BATCHES: not chosen */

    /* By slot.  The owner has those from RELEASED to FETCHED, and the one that
       is vacant; the threads have the others. */
    struct zstd_device_batch batch[ZSTD_DEVICE_BATCHES];
};

/* Set SIZES to the largest sizes for which a device needs up to BYTES of the
   host's memory.  Returns false if even the least sizes need more. */
bool zstd_device_fit(struct zstd_device_sizes *sizes, uint64_t bytes);

/* Returns the host's memory that a device of SIZES needs. */
uint64_t zstd_device_bytes(const struct zstd_device_sizes *sizes);

/*
 * Start DRIVER, which then belongs to the device, in a thread.  Returns a
 * device for zstd_device_close(), or NULL with *ERROR set; then DRIVER is
 * closed.
 */
struct zstd_device *zstd_device_open(struct zstd_driver *driver,
                                     const struct zstd_device_sizes *sizes,
                                     const struct zstd_device_use *use,
                                     struct error *error);

/* Wait until the device has started, or the common time for waiting is over, or
   CANCEL, which may be NULL, is asked.  Returns whether it is READY. */
bool zstd_device_await_start(struct zstd_device *device,
                             const struct cancel *cancel);

/* Whether the device is still starting. */
bool zstd_device_is_starting(struct zstd_device *device);

/* Whether the device is READY, even if somebody has it. */
bool zstd_device_is_ready(struct zstd_device *device);

/* Wait until something has changed, or for some time, if somebody has it. */
void zstd_device_wait_for_owner(struct zstd_device *device);

/* Become the owner.  Returns false if the device has an owner, or is not
   READY. */
bool zstd_device_take(struct zstd_device *device);

/* Release all batches, once none is being decoded.  Leases stay. */
void zstd_device_drop(struct zstd_device *device);

/* Stop being the owner, who has dropped all batches. */
void zstd_device_give(struct zstd_device *device);

/* ---- for the owner, under the lock ---- */

/* Returns a batch to fill, or NULL: none is free now, or the device is not
   READY. */
struct zstd_device_batch *zstd_device_vacant(struct zstd_device *device);

/* BATCH, which was vacant, is filled: decode it. */
void zstd_device_submit(struct zstd_device *device,
                        const struct zstd_device_batch *batch);

/* Returns the batch with NUMBER, once its content is there; or NULL. */
const struct zstd_device_batch *zstd_device_fetched(struct zstd_device *device,
                                                    uint64_t number);

/*
 * Lend content of the first batch that is not released: set *LEASE, except for
 * DATA and BYTES.  The holder of the lease may end it at any time before
 * zstd_device_close(), without the lock.  Returns false if no other slot is
 * without leases.
 */
bool zstd_device_lease(struct zstd_device *device, struct lease *lease);

/* Release the first batch that is not released. */
void zstd_device_release(struct zstd_device *device);

/*
 * Wait until something has changed, or for some time.  Everyone who waits for
 * the device's threads must wait here, because this function detects a call
 * that hangs.
 */
void zstd_device_wait(struct zstd_device *device);

/* ---- the end ---- */

/*
 * Close DEVICE, which has no owner and may be NULL.  Returns whether its
 * threads have ended; if not, the process must end with _exit().
 */
bool zstd_device_close(struct zstd_device *device);

#endif
