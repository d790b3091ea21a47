/* SPDX-License-Identifier: MIT */
/* checkpoint.c -- the safe chunks of a device */

#include <assert.h>

#include "engine/gpu/device/checkpoint.h"

/* A larger histogram is neither copied nor checked after each chunk. */
#define SMALL_TABLE_BYTES ((size_t)64 << 10)
#define COUNT_LARGE 2

/* Keeps the copies of a large histogram to a fraction of the input. */
#define INPUT_PER_TABLE 8 /* held-back bytes per byte of histogram */
#define CHUNKS_HELD_MIN 8
#define CHUNKS_HELD_MAX 4096

size_t
checkpoint_held_chunks(uint64_t table_bytes, size_t chunk_bytes)
{
    uint64_t chunks = table_bytes * INPUT_PER_TABLE / chunk_bytes;

    if (chunks < CHUNKS_HELD_MIN)
        return CHUNKS_HELD_MIN;
    return chunks < CHUNKS_HELD_MAX ? (size_t)chunks : CHUNKS_HELD_MAX;
}

void
checkpoint_plan(struct checkpoints *checkpoints, struct engine *engine,
                size_t table_bytes, size_t chunk_bytes, bool is_alone)
{
    bool is_large = table_bytes > SMALL_TABLE_BYTES;

    *checkpoints = (struct checkpoints){
        .engine = engine,
        .is_large = is_large,
        .is_alone = is_alone,
        .interval = 1,
        .count = is_large ? COUNT_LARGE : CHECKPOINTS_MAX,
    };
    engine->depth = CHECKPOINT_SLOTS;
    engine->batch = 1;
    if (is_large && is_alone) {
        checkpoints->interval = UINT64_MAX;
        /* To complete the last chunk, the histogram must be copied. */
        engine->batch = 2;
    } else if (is_large) {
        size_t held = checkpoint_held_chunks(table_bytes, chunk_bytes);
        /*
         * Copy after half of the chunks: the device counts the other half
         * meanwhile.
         */
        checkpoints->interval = held / 2;
        engine->depth = held;
        engine->batch = held;
    }
}

/* Whether a checkpoint can start without overwriting the last good checkpoint.
 */
static bool
has_room(const struct checkpoints *checkpoints)
{
    return checkpoints->started - checkpoints->made < checkpoints->count - 1;
}

bool
checkpoint_submit(struct checkpoints *checkpoints, uint64_t records)
{
    checkpoints->submitted++;
    checkpoints->submitted_records += records;
    return checkpoints->submitted - checkpoints->included >=
               checkpoints->interval &&
           has_room(checkpoints);
}

void
checkpoint_start_over(struct checkpoints *checkpoints)
{
    assert(checkpoints->completed == checkpoints->submitted &&
           checkpoints->made == checkpoints->started);
    checkpoints->submitted_records = 0;
}

size_t
checkpoint_start(struct checkpoints *checkpoints, const struct spec *spec)
{
    size_t i = (size_t)(checkpoints->started % checkpoints->count);

    assert(has_room(checkpoints));
    checkpoints->all[i].spec = spec;
    checkpoints->all[i].chunks = checkpoints->submitted;
    checkpoints->all[i].records = checkpoints->submitted_records;
    checkpoints->started++;
    checkpoints->included = checkpoints->submitted;
    checkpoints->has_released = false;
    return i;
}

bool
checkpoint_may_release(const struct checkpoints *checkpoints)
{
    return checkpoints->is_large && checkpoints->is_alone;
}

size_t
checkpoint_release(struct checkpoints *checkpoints, bool is_refused)
{
    bool is_last = checkpoints->submitted - checkpoints->completed == 1;

    if (is_last && (!is_refused || checkpoints->has_released))
        return 0;
    checkpoints->has_released |= !is_refused;
    checkpoints->completed++;
    return 1;
}

bool
checkpoint_is_under_way(const struct checkpoints *checkpoints)
{
    return checkpoints->made < checkpoints->started;
}

int
checkpoint_end(struct checkpoints *checkpoints, size_t *count,
               struct error *error)
{
    struct engine *engine = checkpoints->engine;
    const struct checkpoint *checkpoint =
        &checkpoints->all[checkpoints->made % checkpoints->count];
    struct histogram histogram = {.value = checkpoint->value,
                                  .cells = checkpoints->cells,
                                  .planes = checkpoints->planes};

    assert(checkpoint_is_under_way(checkpoints));
    /*
     * This detects a device that loses counts without an error.  Adding up a
     * large histogram takes too long here; the pipeline adds up at the end.
     */
    if (!checkpoints->is_large &&
        !checkpoints->adds_up(engine->spec, &histogram, checkpoint->records)) {
        error_set(error, EXIT_NO_DEVICE, "%s: the counts do not add up",
                  engine->name);
        return -1;
    }
    engine->histogram = histogram;
    engine->histogram_spec = checkpoint->spec;
    *count = (size_t)(checkpoint->chunks - checkpoints->completed);
    checkpoints->completed = checkpoint->chunks;
    checkpoints->made++;
    return 0;
}
