/* SPDX-License-Identifier: MIT */
/*
 * device_engine.h -- an engine that counts on a device
 *
 * CUDA and OpenCL share this protocol.  One queue copies a chunk to one of a
 * few slots on the device.  Another queue counts one chunk or several into the
 * histogram on the device, and copies the histogram to a checkpoint
 * (checkpoint.h) in host memory.  So the copy of a chunk overlaps with the
 * counting of earlier chunks.
 *
 * A job says what is counted; a device is a set of operations.  The commands of
 * one queue run in the order of submission.  A command names the other events
 * to wait for.  Each command on the histogram waits for the previous command.
 * So a failure reaches the next checkpoint even if the queue continues after a
 * failed command.
 */

#ifndef GPUHIST_DEVICE_ENGINE_H
#define GPUHIST_DEVICE_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "engine/engine.h"
#include "engine/gpu/device/checkpoint.h"
#include "engine/gpu/device/kernel.h"
#include "engine/text_dictionary.h"
#include "kernels/binning/counting.h"
#include "kernels/seq/sequence_work.h"
#include "kernels/text/text_work.h"

enum device_queue {
    QUEUE_COPYING,  /* chunks to the device */
    QUEUE_COUNTING, /* all changes of the histogram */
    QUEUE_FETCHING, /* a large histogram to checkpoints; only with a SHADOW */
    QUEUES
};

enum device_event_use {
    EVENT_LOOSE, /* a waiting command may also wait for all earlier commands of
                    that queue */
    EVENT_EXACT,
    EVENT_AWAITED, /* exact; the host waits for the event */
};

/*
 * The end of a command.  Each command that names the event replaces the
 * previous command.
 */
struct device_event {
    void *handle;            /* set by the operations; NULL: none */
    enum device_queue queue; /* of the last command */
    enum device_event_use use;
};

/* How a command runs. */
struct device_command {
    enum device_queue queue;
    const struct device_event *after[2]; /* to wait for; NULL: nothing */
    struct device_event *event; /* NULL: the call returns when it is done */
};

/* Host memory for fast copies from and to the device. */
struct host_memory {
    void *address; /* NULL: no such memory */
    uintptr_t handle;
};

enum device_kernel {
    DEVICE_COUNT, /* count a chunk: struct kernel */
    DEVICE_CARRY, /* make room for more weights: weighing_carry() */

    /* Count chunks of sequences, in this order: sequence_work.h. */
    DEVICE_LINES,
    DEVICE_CLASSIFY,
    DEVICE_CHECK,
    DEVICE_FIELDS,
    DEVICE_KMERS,
    DEVICE_LISTS, /* or put its k-mers into lists ... */
    DEVICE_DRAIN, /* ... which are counted later */

    /* Count chunks of other text, in this order: text_work.h. */
    DEVICE_LEARN, /* after new keys */
    DEVICE_PREPARE,
    DEVICE_FIND, /* or one of the next two */
    DEVICE_FIND_SPANS,
    DEVICE_FIND_NUMBERS,
    DEVICE_CELLS,
    DEVICE_KERNELS
};

struct device_slot {
    uintptr_t data; /* memory that has a chunk, on the device or in place */
    size_t at;      /* the start of the chunk there */
    size_t size;    /* of the chunk */
    uint64_t end;   /* number of the first chunk after its batch */
    struct device_event copied;
    struct device_event counted; /* the batch, if its last chunk is here */
};

/* The launch of a kernel. */
struct device_launch {
    enum device_kernel kernel;
    size_t blocks; /* for each chunk */
    size_t chunks;
    const struct device_slot *slot; /* has the first chunk */

    /* The parameter, whose addresses are 0: the device has all memory. */
    const struct counting *task;      /* of DEVICE_COUNT and DEVICE_CARRY */
    const struct sequence_work *work; /* of sequences */
    const struct text_work *text;     /* of other text */
};

struct device_engine;

/*
 * The operations of a device.  Memory is a number that only the operations
 * interpret; 0 means no memory.  Functions of type int return 0, or -1 with
 * *ERROR set.  After a failure only finish(), the releases and close() are
 * called.
 */
struct device_operations {
    /* Find the device and set the fields under "What the device can" below. */
    int (*open)(struct device_engine *device, struct error *error);

    /*
     * Make the kernels in DEVICE->kernels ready.  All memory except for chunks
     * is allocated.  Sets BLOCKS_MAX and ENGINE.strategy.
     */
    int (*open_kernels)(struct device_engine *device, struct error *error);

    /* Prepare *EVENT, which has no handle yet.  NULL: not needed. */
    int (*open_event)(struct device_engine *device, struct device_event *event,
                      struct error *error);

    /*
     * Set *MEMORY to SIZE bytes of the device.  If IN_PLACE is not NULL, to the
     * SIZE bytes of host memory there; only if DEVICE->is_in_place.
     */
    int (*allocate)(struct device_engine *device, uintptr_t *memory,
                    size_t size, void *in_place, struct error *error);

    /* Set *HOST.  After a failure the engine runs on, with slower copies. */
    int (*allocate_host)(struct device_engine *device, struct host_memory *host,
                         size_t size, struct error *error);

    /*
     * Make the memory of chunks, SIZE bytes at DATA, as fast as memory of
     * allocate_host().  After a failure copies are slower.  NULL: not possible.
     * Then chunks move to host memory of the engine (engine.h: spare).
     */
    int (*pin)(struct device_engine *device, void *data, size_t size,
               struct error *error);

    /* Set the SIZE bytes of MEMORY, a multiple of 8, to 0. */
    int (*clear)(struct device_engine *device,
                 const struct device_command *command, uintptr_t memory,
                 size_t size, struct error *error);

    /* Write to TO, from byte AT on. */
    int (*write)(struct device_engine *device,
                 const struct device_command *command, uintptr_t to, size_t at,
                 const void *from, size_t size, struct error *error);

    /* As write(), of bytes leased with TOKEN (lease.h), perhaps from memory of
       the same device.  NULL: never leased from there. */
    int (*write_leased)(struct device_engine *device,
                        const struct device_command *command, uintptr_t to,
                        size_t at, void *token, const void *from, size_t size,
                        struct error *error);
    int (*read)(struct device_engine *device,
                const struct device_command *command, void *to, uintptr_t from,
                size_t size, struct error *error);

    /* Copy within the device; NULL: the device never has a SHADOW. */
    int (*copy)(struct device_engine *device,
                const struct device_command *command, uintptr_t to,
                uintptr_t from, size_t size, struct error *error);

    int (*launch)(struct device_engine *device,
                  const struct device_command *command,
                  const struct device_launch *launch, struct error *error);

    /* Start the commands of QUEUE.  NULL: commands start by themselves. */
    int (*flush)(struct device_engine *device, enum device_queue queue,
                 struct error *error);

    /* Sleep until EVENT, which is an EVENT_AWAITED, has occurred. */
    int (*wait)(struct device_engine *device, const struct device_event *event,
                struct error *error);

    /*
     * Wait until all commands have ended or failed; also without open() or
     * after a failed open().  Returns whether anything must be released.
     */
    bool (*finish)(struct device_engine *device);

    /*
     * Missing objects and failures are ignored.  Commands may still use memory
     * in place during its release; everything else is released after finish().
     */
    void (*close_event)(struct device_engine *device,
                        struct device_event *event);
    void (*release)(struct device_engine *device, uintptr_t *memory);
    void (*release_host)(struct device_engine *device,
                         struct host_memory *host);
    void (*unpin)(struct device_engine *device, void *data);

    /* Release everything else from open() and open_kernels(). */
    void (*close)(struct device_engine *device);
};

/*
 * A job: the content of the histogram.  device_engine.c decides when chunks are
 * copied and counted, and when the histogram is copied; a job has the cells of
 * the histogram, and launches the kernels.  Functions of type int return 0, or
 * -1 with *ERROR set.
 */
struct device_job {
    /* Set *CELLS and *PLANES of the histogram of the spec. */
    void (*shape)(const struct device_engine *device, uint64_t *cells,
                  unsigned int *planes);

    /*
     * The device can be queried now: choose the kernels.  Sets KERNEL, KERNELS
     * and HOW of DEVICE, BATCH unless the batch is 1, and BLOCK_THREADS if the
     * kernels need a fixed number.
     */
    int (*choose)(struct device_engine *device, struct error *error);

    /* Allocate and fill further memory of the kernels, beside histogram and
       chunks. */
    int (*open)(struct device_engine *device, struct error *error);

    /*
     * Launch the kernels for a batch of CHUNKS, in SLOT and the slots after it,
     * and all following commands; the last event is COUNTED of the last slot.
     * If the device can refuse chunks, DEVICE->refusal gets its answers, from
     * number LAUNCHED on.
     */
    int (*count)(struct device_engine *device, struct device_slot *slot,
                 size_t chunks, struct error *error);

    /* Complete the histogram of all chunks.  NULL: always complete. */
    int (*settle)(struct device_engine *device, struct error *error);

    /* The chunks from now on have SPEC, which is newer.  NULL: never. */
    int (*change)(struct device_engine *device, const struct spec *spec,
                  struct error *error);

    /* The histogram is 0 again, and the next chunk has SPEC.  NULL: nothing
       else changes. */
    int (*start_over)(struct device_engine *device, const struct spec *spec,
                      struct error *error);

    /* The next submitted chunk has the SIZE bytes at DATA.  NULL: the job need
       not know. */
    void (*hold)(struct device_engine *device, const unsigned char *data,
                 size_t size);

    /*
     * The COUNT chunks from number FIRST on are completed, and DEVICE->refused
     * is set: look at the other data of these chunks.  NULL: no other data.
     */
    int (*complete)(struct device_engine *device, uint64_t first, size_t count,
                    struct error *error);

    /* Release the host memory of open(), also after a failed open().  NULL: no
       such memory. */
    void (*close)(struct device_engine *device);

    /* Returns the records in SIZE bytes.  NULL: the host does not find them. */
    uint64_t (*records)(const struct spec *spec, size_t size);

    /* Whether HISTOGRAM can be the counts of RECORDS records. */
    bool (*adds_up)(const struct spec *spec, const struct histogram *histogram,
                    uint64_t records);
};

/* The bytes of a chunk. */
struct device_chunk {
    const unsigned char *data;
    size_t size;
};

/* How a device counts the keys of text and lists new keys (text_job.c). */
struct device_text {
    uint32_t keys_max;     /* before open(); 0: not a job of keys */
    struct text_work work; /* for the last batch */
    struct text_dictionary dictionary;

    /* Memory of the device. */
    uintptr_t slots;
    uintptr_t arena;
    uintptr_t learned;
    uintptr_t lists;

    /* Of each chunk that the engine holds; chunk n is n % REFUSAL_COUNT. */
    struct device_chunk *chunk;
    struct host_memory listed; /* the lists, or malloc() */
    uint32_t *list;

    struct engine_leftovers *leftovers; /* of the chunks of a complete() */
    uint64_t looked;      /* chunks whose lists the host has looked at */
    unsigned int useless; /* refused chunks, one after the other */
    unsigned int pause;   /* chunks that are left to the CPU then */
};

struct device_engine {
    struct engine engine; /* first: a struct engine * points to it */
    const struct device_operations *operations;
    const struct device_job *job;
    enum strategy wanted;
    bool is_alone;    /* without another engine */
    bool may_replace; /* may allocate one chunk more than the pool has */

    /* Set before open(). */
    const struct pool *pool; /* of the chunks to count */
    size_t table_bytes;      /* of the histogram */
    bool has_shadow; /* a large histogram is copied on the device first */

    /* The abilities of the device: set by open(). */
    enum kernel_platform platform;
    size_t shared_bytes;   /* the most that a block can have */
    uint64_t memory_bytes; /* 0: not known */
    uint64_t cache_bytes;  /* of the cache that all blocks share; likewise */
    bool is_in_place;      /* uses the host's memory */

    struct kernel kernel;       /* of sequences, shared by the kernels */
    unsigned int kernels;       /* the bit of each enum device_kernel in use */
    char how[80];               /* for ENGINE.strategy: strategy and kernels */
    unsigned int block_threads; /* of a block; 0: enough to fill the device */
    size_t blocks_max;          /* of a launch: set by open_kernels() */

    /* Memory of the device. */
    uintptr_t histogram; /* the sum of all chunks */
    uintptr_t shadow;
    uintptr_t axes; /* of the spec; 0: none */
    uintptr_t edges;
    uintptr_t lookup;       /* or the table of count_floats */
    uintptr_t scratch;      /* of sequences and other text */
    uintptr_t refusals;     /* uint32_t of each chunk of a batch; likewise */
    uintptr_t list_entries; /* of k-mers; 0: they are not listed */
    uintptr_t list_sizes;
    struct device_slot slot[CHECKPOINT_SLOTS];

    /* Host memory; is_pinning: no request was refused so far. */
    bool is_pinning;
    struct host_memory value[CHECKPOINTS_MAX]; /* of checkpoints, or malloc() */
    struct host_memory *spare; /* memory for the pool's chunks */
    size_t spares;             /* number of them that were requested */
    struct histogram moved;    /* a failed copy may still use it */
    struct host_memory status; /* uint32_t of each chunk held, or malloc() */
    uint32_t *refusal;         /* there; NULL: the device refuses nothing */
    size_t refusal_count;      /* chunk n has number n % REFUSAL_COUNT */
    bool *refused;             /* of the chunks of a complete() */

    const struct spec *spec;   /* of the histogram on the device */
    struct sequence_work work; /* of sequences; for the last batch */
    struct device_text text;
    struct checkpoints checkpoints;

    /*
     * Chunks are counted in batches.  The slots of a batch are side by side, in
     * memory allocated together: a batch that does not start in the first of
     * BATCH slots has fewer chunks.
     */
    size_t batch;      /* the most chunks; CHECKPOINT_SLOTS is a multiple */
    size_t stride;     /* bytes from one chunk to the next */
    uint64_t launched; /* chunks whose batch the device counts */
    uint64_t awaited;  /* known to be counted */
    uint64_t reused;   /* whose end QUEUE_COPYING has awaited */
    struct device_event made[CHECKPOINTS_MAX]; /* of the checkpoints */
    struct device_event shadowed;
    struct device_event carried;
    struct device_event stepped;     /* the last command before COUNTED */
    const struct device_event *last; /* change of the histogram; NULL: none */
    uint64_t added;                  /* weights since the last carry */
    uint64_t listed; /* bytes of chunks whose k-mers are in lists */
};

/* ---- for jobs ---- */

/* Allocate SIZE bytes of fast host memory; after a refusal, do without. */
void device_open_host(struct device_engine *device, struct host_memory *host,
                      size_t size);

/* Prepare EVENT for USE.  As operations. */
int device_open_event(struct device_engine *device, struct device_event *event,
                      enum device_event_use use, struct error *error);

/*
 * Write SIZE bytes at FROM after the last change of the histogram, and wait.
 * As operations.
 */
int device_write_now(struct device_engine *device, uintptr_t to,
                     const void *from, size_t size, struct error *error);

/* Allocate *TO and copy SIZE bytes at FROM there; nothing if SIZE is 0.  As
   operations. */
int device_upload(struct device_engine *device, uintptr_t *to, const void *from,
                  size_t size, struct error *error);

/*
 * Launch after the last change of the histogram and after AFTER, if not NULL.
 * EVENT is then the event of the last change.  As operations.
 */
int device_launch(struct device_engine *device,
                  const struct device_launch *launch,
                  const struct device_event *after, struct device_event *event,
                  struct error *error);

/* Returns the event that the kernels of a batch wait for; SLOT has the last
   chunk of the batch.  NULL: no event. */
const struct device_event *
device_slot_filled(const struct device_engine *device,
                   const struct device_slot *slot);

/* Returns the name of KERNEL in CUDA and OpenCL, but for DEVICE_COUNT. */
const char *device_kernel_name(enum device_kernel kernel);

/* ---- for devices ---- */

/*
 * Prepare DEVICE, all 0, to count SPEC, which is for JOB, by OPERATIONS, with
 * STRATEGY or the best strategy.  IS_ALONE: no other engine can count the
 * chunks again, so the device need not hold chunks back until they are safe
 * (engine.h).  The device may know TEXT_KEYS keys of text.  The caller
 * allocates DEVICE; closing the engine frees it.
 */
void device_engine_init(struct device_engine *device,
                        const struct device_operations *operations,
                        const struct device_job *job, const struct spec *spec,
                        enum strategy strategy, bool is_alone,
                        uint32_t text_keys);

/* ---- jobs ---- */

/* Samples; devices count only samples with bins (sample_job.c). */
extern const struct device_job sample_job;

/* The fields and k-mers of sequences (sequence_job.c). */
extern const struct device_job sequence_job;

/* The keys of other text (text_job.c). */
extern const struct device_job text_job;

/* Returns the job of SPEC, which devices can count. */
static inline const struct device_job *
device_job_of(const struct spec *spec)
{
    static const struct device_job *const jobs[] = {
        [SPEC_SAMPLES] = &sample_job,
        [SPEC_FIELDS] = &text_job,
        [SPEC_SEQUENCES] = &sequence_job,
    };

    return jobs[spec->kind];
}

#endif
