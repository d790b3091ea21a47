/*
 * engine.h -- what the pipeline asks of an engine
 *
 * An engine counts chunks into a private histogram.  It may work on several
 * at a time; it says when the counts of the oldest are safe in host memory,
 * and its histogram holds exactly the counts of the chunks that it has
 * completed: after a failure the others can be counted by another engine.
 * Where there is no other engine, and so a failure is the end of the run, it
 * may complete chunks before that; but not the last one that it holds.
 *
 * All functions of one engine are called by one thread, but for close(),
 * which comes after the threads of all engines have ended.
 *
 * A device may hang.  Then its thread is left where it is, the chunks that it
 * holds are counted elsewhere, and what complete() made of ENGINE->histogram
 * the last time stands: before it returns once more, neither the engine nor
 * its device writes to the values there.  Should the call return after all,
 * submit() or complete() goes on to its end: so submit() looks at *CHUNK first
 * of all, and later only at its data, whatever they are by then.
 */

#ifndef GPUHIST_ENGINE_H
#define GPUHIST_ENGINE_H

#include <stdbool.h>
#include <stddef.h>

#include "hist/histogram.h"
#include "hist/spec.h"
#include "sync/pool.h"
#include "util/error.h"

enum device {
    DEVICE_AUTO, /* the CPU at once, a GPU where it pays */
    DEVICE_CPU,
    DEVICE_CUDA,   /* these GPUs only */
    DEVICE_OPENCL, /* these OpenCL devices only */
};

/* In place of an ordinal: the best device. */
#define ENGINE_BEST (-1)

struct engine;

struct engine_type {
    enum consumer_kind kind; /* how it shares the work: pool_take() */

    /*
     * Get ready to count chunks of POOL, which outlives the engine; may take
     * long.  Returns 0, or -1 with *ERROR set.
     */
    int (*open)(struct engine *engine, const struct pool *pool,
                struct error *error);

    /*
     * Begin to count CHUNK, which stays in place until it is completed.
     * Returns 0, or -1 with *ERROR set: then the engine is unusable, and no
     * chunk that it holds will be completed.
     */
    int (*submit)(struct engine *engine, struct chunk *chunk,
                  struct error *error);

    /*
     * Wait until the oldest chunks submitted and not yet completed, *COUNT of
     * them and at least one, are counted and ENGINE->histogram includes them.
     * Returns as submit() does.
     */
    int (*complete)(struct engine *engine, size_t *count, struct error *error);

    /* Release everything, ENGINE too; also before or after a failed open(). */
    void (*close)(struct engine *engine);
};

/* The common head of all engines. */
struct engine {
    const struct engine_type *type;
    const struct spec *spec; /* what to count; outlives the engine */
    /* Of what it completed; without values: it counts into another one. */
    struct histogram histogram;
    const struct spec *histogram_spec; /* its axes: SPEC, or a later one */
    /* Once open: */
    size_t depth;       /* how many chunks it may hold: 1 or more */
    bool is_patient;    /* it had rather wait for more than complete few */
    char name[128];     /* "cpu"; "cuda:0 (NVIDIA H200)" once open */
    char strategy[128]; /* how it counts, for --explain */
    /* The driver's call that was begun last, should it hang, if it is known. */
    const char *_Atomic call;
    struct error shortage; /* what it has to do without, if anything */
    /*
     * Memory from which it copies faster, for a chunk, or NULL.  Before the
     * next submit() the pipeline may take it, with pool_replace().  It goes
     * when the engine is closed.
     */
    void *spare;
};

#endif
