/*
 * checkpoint.h -- which of the chunks that a device has are safe
 *
 * A device adds chunks to a histogram of its own.  A checkpoint is a copy of
 * that in host memory.  Once it has been made it is the exact sum of all chunks
 * up to there: they are safe, and what the device does afterwards cannot touch
 * them any more.  The last one that was made stands while others are under way.
 *
 * A small histogram is copied after each chunk, and checked.  A large one is
 * copied less often, so that the copies remain a fraction of the input; until
 * then its chunks are held back.  Without another engine, that could count
 * again what this one loses, nothing is held back: then a large histogram is
 * copied when there is no other chunk, which is the end.
 *
 * This keeps the books, for device_engine.c, which makes the copies.
 */

#ifndef GPUHIST_CHECKPOINT_H
#define GPUHIST_CHECKPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/engine.h"
#include "hist/spec.h"
#include "util/error.h"

enum {
    CHECKPOINT_SLOTS = 8, /* chunks that are on the device at a time */
    /* One is the last good one, the others are under way. */
    CHECKPOINTS_MAX = CHECKPOINT_SLOTS + 1,
};

struct checkpoint {
    uint64_t *value; /* the histogram's cells and planes: the engine's */
    const struct spec *spec;
    uint64_t chunks;  /* that it includes */
    uint64_t records; /* likewise */
};

struct checkpoints {
    /* Set by checkpoint_plan() for good. */
    struct engine *engine;
    bool is_large;     /* the histogram is not copied after each chunk */
    bool is_alone;     /* there is no other engine */
    uint64_t interval; /* chunks between two checkpoints */
    size_t count;      /* of those there are ... */

    struct checkpoint all[CHECKPOINTS_MAX]; /* ... here */
    uint64_t submitted; /* chunks; number n is in slot n % CHECKPOINT_SLOTS */
    uint64_t submitted_records;
    uint64_t completed; /* chunks */
    uint64_t begun;     /* checkpoints; number n is all[n % COUNT] */
    uint64_t made;      /* and so many are: the last is ENGINE's histogram */
    uint64_t included;  /* chunks in the last one begun */
};

/*
 * How many chunks of CHUNK_BYTES a device holds back between two copies of its
 * histogram of TABLE_BYTES, if that is a large one.
 */
size_t checkpoint_held_chunks(uint64_t table_bytes, size_t chunk_bytes);

/*
 * Plan how often ENGINE makes checkpoints of its histogram of TABLE_BYTES, with
 * chunks of CHUNK_BYTES; sets its depth and whether it is patient.  IS_ALONE:
 * there is no other engine.  Each checkpoint is to be given its VALUE then.
 */
void checkpoint_plan(struct checkpoints *checkpoints, struct engine *engine,
                     size_t table_bytes, size_t chunk_bytes, bool is_alone);

/*
 * A chunk of so many RECORDS has been submitted.  Whether a checkpoint is due,
 * and there is one that is not under way: completing a chunk makes it so.
 */
bool checkpoint_submit(struct checkpoints *checkpoints, uint64_t records);

/*
 * A checkpoint of all that was submitted is being copied, a histogram of SPEC.
 * Returns which of ALL it is; only those before it stand.
 */
size_t checkpoint_begin(struct checkpoints *checkpoints,
                        const struct spec *spec);

/*
 * Whether the oldest chunk is to be completed, by the engine alone, as soon as
 * the device has it.
 */
bool checkpoint_releases(const struct checkpoints *checkpoints);

/* Whether one has been begun that is not made; the oldest is MADE % COUNT. */
bool checkpoint_is_under_way(const struct checkpoints *checkpoints);

/*
 * The oldest one under way is made: it becomes the histogram of the engine,
 * with *COUNT chunks more than the last one.  Returns 0, or -1 with *ERROR set:
 * the device has lost count.
 */
int checkpoint_end(struct checkpoints *checkpoints, size_t *count,
                   struct error *error);

#endif
