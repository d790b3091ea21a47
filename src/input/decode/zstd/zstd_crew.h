/* SPDX-License-Identifier: MIT */
/*
 * zstd_crew.h -- threads that help the owner of a device that decodes zstd
 *
 * A crew (decoding_crew.h) that fills batches with blocks (zstd_batch.h).  Its
 * other work is to compute checksums of decoded batches.
 */

#ifndef GPUHIST_ZSTD_CREW_H
#define GPUHIST_ZSTD_CREW_H

#include <stdint.h>
#include <sys/types.h>

#include "base/xxh.h"
#include "input/decode/zstd/zstd_batch.h"
#include "input/device/decoding_crew.h"

struct zstd_crew {
    struct decoding_crew base;   /* first: pointers to it point to this */
    struct zstd_batch_walk walk; /* for the thread that IS_FILLING */

    /* Under the lock of the device. */
    uint64_t measured;       /* batches whose frames' CONTENT is set */
    uint64_t summed;         /* batches */
    uint32_t started_frames; /* of the next batch: being summed, or more */
    struct xxh64 hash;       /* of a frame, up to the batches that are summed */
    struct zstd_batch_frames frames[DECODING_BATCHES];
};

/* Open CREW of BELT, whose owner it helps, for SOURCE, a regular file. */
void zstd_crew_open(struct zstd_crew *crew, struct decoding_belt *belt,
                    const struct source *source);

/* Get memory, and open the walk: see zstd_batch_open().  Returns 0, or -1: out
   of memory. */
int zstd_crew_open_walk(struct zstd_crew *crew, off_t offset, off_t pause_at,
                        uint32_t history);

/* End the helpers, drop all batches of the belt, and release the memory.
   Returns up to where the file has been read. */
off_t zstd_crew_close(struct zstd_crew *crew);

/*
 * ---- under the lock of the device, which those that work or wait release ----
 */

/* Returns the frames of the batch with NUMBER. */
struct zstd_batch_frames *zstd_crew_frames(struct zstd_crew *crew,
                                           uint64_t number);

/* Returns the batch with NUMBER, which is fetched and measured; or NULL. */
const struct decoding_batch *zstd_crew_look(struct zstd_crew *crew,
                                            uint64_t number);

/* Wait until FRAME is summed; or, if FRAME is NULL, all frames of the batch
   with NUMBER. */
void zstd_crew_await_sum(struct zstd_crew *crew, uint64_t number,
                         const struct zstd_batch_frame *frame);

#endif
