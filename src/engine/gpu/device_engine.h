/*
 * device_engine.h -- an engine whose chunks are counted by a device
 *
 * The protocol that CUDA and OpenCL share, once.  A chunk is copied to one of
 * a few slots on the device, by one queue; another queue counts it into the
 * histogram on the device, and copies that to a checkpoint (checkpoint.h) in
 * host memory.  So the copy of one chunk overlaps with the counting of the one
 * before.
 *
 * A device is a set of operations.  Commands of one queue run in the order in
 * which they were given; what else a command waits for is said with it.  Each
 * command on the histogram waits for the one before, so that a failure reaches
 * the next checkpoint also where a queue goes on after it.
 */

#ifndef GPUHIST_DEVICE_ENGINE_H
#define GPUHIST_DEVICE_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "counting.h"
#include "engine/engine.h"
#include "engine/gpu/checkpoint.h"
#include "engine/gpu/kernel.h"
#include "util/error.h"

enum device_queue {
    QUEUE_COPYING,  /* chunks to the device */
    QUEUE_COUNTING, /* all that changes the histogram */
    QUEUE_FETCHING, /* a large histogram to checkpoints: with a SHADOW only */
    QUEUES
};

/* That a command is done.  Each one given it makes it a new event. */
struct device_event {
    void *handle;            /* the operations'; NULL: none */
    enum device_queue queue; /* of the last command that was given it */
    bool is_awaited;         /* the host waits for it */
};

/* How a command runs. */
struct device_command {
    enum device_queue queue;
    const struct device_event *after[2]; /* what it waits for; NULL: nothing */
    struct device_event *event; /* NULL: the call returns when it is done */
};

/* Host memory that the device copies from and to faster than from any other. */
struct host_memory {
    void *address; /* NULL: there is none */
    uintptr_t handle;
};

enum device_kernel {
    DEVICE_COUNT, /* count a chunk: struct kernel */
    DEVICE_CARRY, /* make room for more weights: weighing_carry() */
};

struct device_engine;

/*
 * What a device does.  Memory is a number, of which the operations know what
 * it means; 0 is none.  Those that return int return 0, or -1 with *ERROR set:
 * then nothing is asked of them any more but finish(), releases and close().
 */
struct device_operations {
    /* Find the device and set what it can: see below. */
    int (*open)(struct device_engine *device, struct error *error);

    /*
     * Make DEVICE->kernel ready, and the other one where there are weights.
     * All memory is there but that of chunks.  Sets BLOCKS_MAX and
     * ENGINE.strategy.
     */
    int (*open_kernels)(struct device_engine *device, struct error *error);

    /* *EVENT, which has no handle yet, will be used.  NULL: no need. */
    int (*open_event)(struct device_engine *device, struct device_event *event,
                      struct error *error);

    /*
     * *MEMORY is SIZE bytes of the device; or those at IN_PLACE, if that is
     * not NULL: only for a device that IS_IN_PLACE.
     */
    int (*allocate)(struct device_engine *device, uintptr_t *memory,
                    size_t size, void *in_place, struct error *error);

    /* Sets *HOST.  A failure matters to nothing but speed. */
    int (*allocate_host)(struct device_engine *device, struct host_memory *host,
                         size_t size, struct error *error);

    /*
     * Make a chunk's memory, SIZE bytes at DATA, such as allocate_host()
     * returns; likewise.  NULL: it cannot.  Then chunks move to host memory of
     * the engine's (engine.h: spare).
     */
    int (*pin)(struct device_engine *device, void *data, size_t size,
               struct error *error);

    /* Set the SIZE bytes of MEMORY to 0; returns when that is done. */
    int (*clear)(struct device_engine *device, uintptr_t memory, size_t size,
                 struct error *error);

    int (*write)(struct device_engine *device,
                 const struct device_command *command, uintptr_t to,
                 const void *from, size_t size, struct error *error);
    int (*read)(struct device_engine *device,
                const struct device_command *command, void *to, uintptr_t from,
                size_t size, struct error *error);

    /* From memory of the device to other; NULL: there is never a SHADOW. */
    int (*copy)(struct device_engine *device,
                const struct device_command *command, uintptr_t to,
                uintptr_t from, size_t size, struct error *error);

    /*
     * Run KERNEL with so many BLOCKS for TASK, whose addresses are 0: its
     * records are in DATA, the rest is where DEVICE says.
     */
    int (*launch)(struct device_engine *device,
                  const struct device_command *command,
                  enum device_kernel kernel, size_t blocks,
                  const struct counting *task, uintptr_t data,
                  struct error *error);

    /* See that what QUEUE was given begins.  NULL: it does so by itself. */
    int (*flush)(struct device_engine *device, enum device_queue queue,
                 struct error *error);

    /* Sleep until EVENT, which IS_AWAITED. */
    int (*wait)(struct device_engine *device, const struct device_event *event,
                struct error *error);

    /*
     * Wait for all commands, whatever became of them; also before or after a
     * failed open().  Returns whether there is anything to be released.
     */
    bool (*finish)(struct device_engine *device);

    /*
     * What is none needs no release, and no failure here matters.  Memory in
     * place stays as long as commands that were given use it; all else is
     * released after finish().
     */
    void (*close_event)(struct device_engine *device,
                        struct device_event *event);
    void (*release)(struct device_engine *device, uintptr_t *memory);
    void (*release_host)(struct device_engine *device,
                         struct host_memory *host);
    void (*unpin)(struct device_engine *device, void *data);

    /* The rest, all that open() and open_kernels() made. */
    void (*close)(struct device_engine *device);
};

struct device_slot {
    uintptr_t data; /* a chunk on the device, or in place */
    struct device_event copied;
    struct device_event counted;
};

struct device_engine {
    struct engine engine; /* first: a struct engine * points to it */
    const struct device_operations *operations;
    enum strategy wanted;
    bool is_alone;    /* there is no other engine */
    bool may_replace; /* chunks: one more than the pool has may be there */

    /* Set before open(). */
    const struct pool *pool; /* of the chunks to count */
    size_t table_bytes;
    bool has_shadow; /* a large histogram is copied on the device first */

    /* What the device can: set by open(). */
    enum kernel_platform platform;
    size_t shared_bytes; /* of a block, at most */
    bool is_in_place;    /* it uses the host's memory */

    struct kernel kernel;
    size_t blocks_max; /* of a launch: set by open_kernels() */

    /* Memory of the device. */
    uintptr_t histogram; /* the persistent sum */
    uintptr_t shadow;
    uintptr_t axes; /* what the spec has; 0: it has none */
    uintptr_t edges;
    uintptr_t lookup; /* or the table of count_floats */
    struct device_slot slot[CHECKPOINT_SLOTS];

    /* Host memory; is_pinning: none was refused yet. */
    bool is_pinning;
    struct host_memory value[CHECKPOINTS_MAX]; /* of checkpoints; or malloc() */
    struct host_memory *spare;                 /* for the pool's chunks ... */
    size_t spares;          /* ... and so many of them were asked for */
    struct histogram moved; /* a failed copy may still use it */

    const struct spec *spec; /* of the histogram on the device */
    struct checkpoints checkpoints;
    struct device_event made[CHECKPOINTS_MAX]; /* each of them */
    struct device_event shadowed;
    struct device_event carried;
    const struct device_event *last; /* change of the histogram; NULL: none */
    uint64_t added;                  /* weights since the last carry */
};

/*
 * DEVICE, all 0, is to count SPEC with a STRATEGY or the best one, by
 * OPERATIONS.  IS_ALONE: nobody could count again what it loses, so it need
 * not hold chunks back until they are safe (engine.h).  Its memory is for
 * free(), which closing the engine does.
 */
void device_engine_init(struct device_engine *device,
                        const struct device_operations *operations,
                        const struct spec *spec, enum strategy strategy,
                        bool is_alone);

#endif
