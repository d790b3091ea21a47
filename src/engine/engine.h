/* SPDX-License-Identifier: MIT */
/*
 * engine.h -- the interface between the pipeline and an engine
 *
 * An engine counts chunks into a private histogram.  It may hold several chunks
 * at a time.  The engine completes its chunks in order, when their counts are
 * safe in host memory.  Its histogram holds exactly the counts of the completed
 * chunks, so after a failure another engine can count the other chunks.  If
 * there is no other engine, a failure ends the run; then the engine may
 * complete a chunk earlier, but not its last chunk.
 *
 * An engine may also refuse a chunk: it completes the chunk, and its histogram
 * does not include the chunk.  Or it counts a chunk except for some records,
 * the leftovers, which the CPU counts.
 *
 * One thread calls all functions of an engine, except close(), which is called
 * after the threads of all engines have ended.
 *
 * A device may hang.  Then its thread is abandoned, and other engines count its
 * chunks.  ENGINE->histogram stays valid as the last complete() left it:
 * neither the engine nor its device writes to the values before the next
 * complete() returns.  If the driver's call returns after the timeout, submit()
 * or complete() still runs to its end.  After a timeout the chunk may be
 * reused, so submit() reads the fields of *CHUNK first.  Later it may use only
 * the chunk's data, which may have been replaced; the counts are discarded.
 */

#ifndef GPUHIST_ENGINE_H
#define GPUHIST_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "hist/histogram.h"
#include "hist/spec.h"
#include "sync/pool.h"

enum device {
    DEVICE_AUTO, /* the CPU at once, and a GPU if it makes the run faster */
    DEVICE_CPU,
    DEVICE_CUDA,   /* only the CUDA devices that the user lists */
    DEVICE_OPENCL, /* only the OpenCL devices that the user lists */
};

/* Instead of a device's ordinal: the best device. */
#define ENGINE_BEST (-1)

struct engine;
struct text_dictionary; /* text_dictionary.h */

/*
 * The leftovers of a chunk, records that its engine has not counted: COUNT
 * pairs, the offset and the size of a field, or of a record and
 * TEXT_WHOLE_RECORD (text_work.h).
 */
struct engine_leftovers {
    const uint32_t *pair;
    size_t count;
};

struct engine_type {
    enum consumer_kind kind; /* which chunks it gets: see pool_take() */

    /*
     * Prepare to count chunks of POOL.  POOL outlives the engine.  May take
     * seconds.  Returns 0, or -1 with *ERROR set.
     */
    int (*open)(struct engine *engine, const struct pool *pool,
                struct error *error);

    /*
     * Start counting CHUNK, which stays unchanged until completion.  Returns 0,
     * or -1 with *ERROR set: then the engine is unusable and completes none of
     * its chunks.
     */
    int (*submit)(struct engine *engine, struct chunk *chunk,
                  struct error *error);

    /*
     * Wait until at least one chunk is counted or refused, in the order of
     * submission.  Sets *COUNT to the number of completed chunks, the oldest
     * chunks of the engine.  ENGINE->histogram now includes all of them, except
     * refused chunks.  Returns as submit() does.
     */
    int (*complete)(struct engine *engine, size_t *count, struct error *error);

    /*
     * After the last chunk: add the counts that the engine keeps in a shorter
     * form.  NULL: there are none.
     */
    void (*settle)(struct engine *engine);

    /*
     * Release everything, including ENGINE.  Also without open(), or after
     * open() failed.
     */
    void (*close)(struct engine *engine);
};

/* The common head of all engines. */
struct engine {
    const struct engine_type *type;
    const struct spec *spec; /* what to count; outlives the engine */
    /* Counts of the completed chunks; not open if a shared histogram has the
       counts. */
    struct histogram histogram;
    const struct spec *histogram_spec; /* its axes: SPEC, or a later one */
    /*
     * Set between two inputs: all counts so far are of earlier inputs, and
     * HISTOGRAM_SPEC is gone.  The next submit() forgets the counts first.
     */
    bool starts_over;
    /* Valid after open(): */
    size_t depth; /* how many chunks it may hold: 1 or more */
    size_t batch; /* how many it prefers to hold before it completes */
    /*
     * Of the chunks of the last complete(): number I was not counted.  NULL:
     * the engine refuses none.  The engine owns it.
     */
    const bool *refused;
    /* Likewise: the leftovers of chunk number I, unless it is refused; valid
       until the next call. */
    const struct engine_leftovers *leftovers;
    /* The data of a leased chunk must be in its usual memory: see
       pool_own(). */
    bool needs_own;
    /* How many of the next chunks another engine should count. */
    size_t skips;
    /* Of the cells of HISTOGRAM; NULL: the cells are not of keys. */
    const struct text_dictionary *dictionary;
    char name[128];     /* "cpu"; "cuda:0 (NVIDIA H200)" after open() */
    char strategy[128]; /* how it counts, for --explain */
    /*
     * The last driver call, for a message if the call hangs; NULL: not known.
     */
    const char *_Atomic call;
    struct error shortage; /* the engine's shortage, if the status is set */
    /*
     * Memory of pool_stride() bytes from which the engine copies faster, or
     * NULL.  The pipeline may take it before the next submit(), with
     * pool_replace().  The engine owns it and frees it in close().
     */
    void *spare;
};

#endif
