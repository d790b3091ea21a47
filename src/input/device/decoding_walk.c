/* SPDX-License-Identifier: MIT */
/* decoding_walk.c -- a walk through a file, which fills the batches of a belt
 */

#include <stdlib.h>
#include <string.h>

#include "input/device/decoding_walk.h"

/* Bytes that are read at once. */
#define READ_BYTES ((size_t)DECODING_READS_SLICE)

/* Helpers read this part of the expected bytes of a batch: bytes of the next
   batch would be read again. */
#define EXPECTED(bytes) ((bytes) / 16 * 15)

int
decoding_walk_open(struct decoding_walk *walk, const struct source *source,
                   const struct decoding_sizes *sizes, off_t offset,
                   off_t pause_at, uint32_t first, size_t tail_room)
{
    *walk = (struct decoding_walk){.source = source,
                                   .sizes = sizes,
                                   .pause_at = pause_at,
                                   .next = offset,
                                   .most = first,
                                   .is_first = true};
    walk->tail = malloc(tail_room);
    return walk->tail != NULL ? 0 : -1;
}

void
decoding_walk_close(struct decoding_walk *walk)
{
    free(walk->tail);
    walk->tail = NULL;
}

/* Let helpers read most of the batch's bytes. */
static void
start_reads(const struct decoding_filling *filling)
{
    const struct decoding_walk *walk = filling->walk;
    off_t end = walk->source->size;
    size_t most = walk->sizes->packed - filling->size;
    size_t wanted = EXPECTED(walk->expected);

    if (end > walk->pause_at)
        end = walk->pause_at;
    if (walk->reads == NULL || walk->next >= end)
        return;
    if ((uint64_t)(end - walk->next) < most)
        most = (size_t)(end - walk->next);
    wanted -= wanted < walk->tail_bytes ? wanted : walk->tail_bytes;
    size_t slices = (wanted < most ? wanted : most) / READ_BYTES;
    if (slices > DECODING_READS_SLICES)
        slices = DECODING_READS_SLICES;
    if (slices > 1)
        decoding_reads_start(walk->reads,
                             filling->batch->packed + filling->size, slices,
                             walk->next);
}

void
decoding_filling_start(struct decoding_filling *filling, size_t front)
{
    const struct decoding_walk *walk = filling->walk;
    struct decoding_batch *batch = filling->batch;

    filling->front = front;
    filling->used = front;
    filling->size = front + walk->tail_bytes;
    memcpy(batch->packed + front, walk->tail, walk->tail_bytes);
    batch->blocks = 0;
    batch->room = 0;
    batch->is_first = walk->is_first;
    batch->has_sums = false;
    start_reads(filling);
}

enum decoding_step
decoding_filling_read(struct decoding_filling *filling)
{
    struct decoding_walk *walk = filling->walk;
    struct error error = ERROR_NONE;
    off_t left = walk->source->size - walk->next;
    size_t wanted = READ_BYTES;

    if (walk->reads != NULL && decoding_reads_take(walk->reads)) {
        walk->next += (off_t)READ_BYTES;
        filling->size += READ_BYTES;
        return DECODING_STEP_DONE;
    }
    if (left <= 0 || cancel_is_asked(walk->source->cancel))
        return DECODING_STEP_OVER;
    if (wanted > walk->sizes->packed - filling->size)
        return DECODING_STEP_FULL;
    if ((off_t)wanted > left)
        wanted = (size_t)left;
    int result =
        source_read_at(walk->source, filling->batch->packed + filling->size,
                       wanted, walk->next, &error);
    error_clear(&error);
    if (result < 0)
        return DECODING_STEP_OVER;
    walk->next += (off_t)wanted;
    filling->size += wanted;
    return DECODING_STEP_DONE;
}

void
decoding_filling_end(struct decoding_filling *filling)
{
    struct decoding_walk *walk = filling->walk;
    struct decoding_batch *batch = filling->batch;
    uint32_t before = walk->most;

    batch->packed_bytes = (uint32_t)filling->used;
    if (walk->reads != NULL)
        decoding_reads_end(walk->reads);
    if (walk->is_over)
        return;
    walk->tail_bytes = filling->size - filling->used;
    memcpy(walk->tail, batch->packed + filling->used, walk->tail_bytes);
    walk->is_first = false;
    walk->most =
        before < walk->sizes->content / 2 ? 2 * before : walk->sizes->content;
    walk->expected = filling->used - filling->front;
    if (walk->most > before)
        walk->expected *= 2;
}
