/* SPDX-License-Identifier: MIT */
/*
 * checkpoint.h -- the safe chunks of a device
 *
 * A device adds chunks to its own histogram.  A checkpoint is a copy of this
 * histogram in host memory.  A finished checkpoint is the exact sum of all
 * chunks submitted before the copy.  These chunks are safe: the device cannot
 * change their counts any more.  The last finished checkpoint stays valid
 * during later copies.
 *
 * A small histogram is copied and checked after each chunk.  A large histogram
 * is copied less often: the copies remain a fraction of the input.  Until the
 * copy is finished, its chunks are held back for another engine, which may have
 * to count the chunks again.  Without another engine, no chunk is held back,
 * and a large histogram is copied once, after the last chunk.
 *
 * This module only decides; device_engine.c makes the copies.
 */

#ifndef GPUHIST_CHECKPOINT_H
#define GPUHIST_CHECKPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "engine/engine.h"
#include "hist/spec.h"

enum {
    CHECKPOINT_SLOTS = 8, /* chunks on the device at a time */
    /* The last good checkpoint, and checkpoints being copied. */
    CHECKPOINTS_MAX = CHECKPOINT_SLOTS + 1,
};

struct checkpoint {
    uint64_t *value; /* cells and planes; the engine owns them */
    const struct spec *spec;
    uint64_t chunks;  /* number of chunks included */
    uint64_t records; /* number of records included */
};

struct checkpoints {
    /* Set by checkpoint_plan(), constant afterwards. */
    struct engine *engine;
    bool is_large;     /* the histogram is not copied after each chunk */
    bool is_alone;     /* without another engine */
    uint64_t interval; /* chunks from one checkpoint to the next */
    size_t count;      /* number of entries of ALL in use */

    /* Set by the caller: the histogram, and whether RECORDS is its sum. */
    uint64_t cells;
    unsigned int planes;
    bool (*adds_up)(const struct spec *spec, const struct histogram *histogram,
                    uint64_t records);

    struct checkpoint all[CHECKPOINTS_MAX];
    uint64_t submitted;         /* chunk n is in slot n % CHECKPOINT_SLOTS */
    uint64_t submitted_records; /* since the histogram was empty */
    uint64_t completed;         /* number of chunks */
    uint64_t started;           /* checkpoints; number n is all[n % COUNT] */
    uint64_t made;              /* finished checkpoints; ENGINE has the last */
    uint64_t included;          /* number of chunks in the last started
                                   checkpoint */
    bool has_released;          /* a chunk outside all checkpoints */
};

/*
 * Returns how many chunks of CHUNK_BYTES a device holds back between two copies
 * of a large histogram of TABLE_BYTES.
 */
size_t checkpoint_held_chunks(uint64_t table_bytes, size_t chunk_bytes);

/*
 * Plan how often ENGINE copies its histogram of TABLE_BYTES, with chunks of
 * CHUNK_BYTES.  Sets the engine's depth and batch.  IS_ALONE: without another
 * engine.  The caller then sets the VALUE of each checkpoint, and the fields
 * above for the caller.
 */
void checkpoint_plan(struct checkpoints *checkpoints, struct engine *engine,
                     size_t table_bytes, size_t chunk_bytes, bool is_alone);

/*
 * A chunk with RECORDS records has been submitted.  Returns whether to start a
 * checkpoint now: the interval is over and an entry of ALL is free.
 */
bool checkpoint_submit(struct checkpoints *checkpoints, uint64_t records);

/* All chunks are completed, and the histogram is empty again. */
void checkpoint_start_over(struct checkpoints *checkpoints);

/*
 * The copy of the histogram, with all submitted chunks, starts.  SPEC is the
 * histogram's.  Returns the index of the checkpoint in ALL.
 */
size_t checkpoint_start(struct checkpoints *checkpoints,
                        const struct spec *spec);

/*
 * Returns whether checkpoint_release() may complete the oldest chunk as soon as
 * it is on the device.
 */
bool checkpoint_may_release(const struct checkpoints *checkpoints);

/*
 * Complete the oldest chunk without a checkpoint.  Do nothing if the chunk is
 * the last and the histogram must be copied for this or an earlier chunk.
 * IS_REFUSED: no histogram includes the chunk.  Returns the number of chunks
 * completed, 0 or 1.
 */
size_t checkpoint_release(struct checkpoints *checkpoints, bool is_refused);

/* Returns whether a checkpoint is being copied; the oldest is MADE % COUNT. */
bool checkpoint_is_under_way(const struct checkpoints *checkpoints);

/*
 * The copy of the oldest unfinished checkpoint has ended.  Makes the checkpoint
 * the engine's histogram.  Sets *COUNT to the number of chunks added since the
 * previous checkpoint.  Returns 0, or -1 with *ERROR set: the counts do not add
 * up.
 */
int checkpoint_end(struct checkpoints *checkpoints, size_t *count,
                   struct error *error);

#endif
