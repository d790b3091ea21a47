/*
 * zstd_crew.h -- threads that help the owner of a device that decodes zstd
 *
 * The threads fill batches (zstd_batch.h): one thread walks, and others read
 * for the walk (zstd_reads.h).  They compute checksums of decoded batches, and
 * copy content.  A waiting owner does any of this that nobody else does.
 */

#ifndef GPUHIST_ZSTD_CREW_H
#define GPUHIST_ZSTD_CREW_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/xxh.h"
#include "input/decode/zstd/zstd_batch.h"
#include "input/decode/zstd/zstd_device.h"
#include "input/decode/zstd/zstd_reads.h"

enum {
    /* One fills, one or several sum, and the others read. */
    ZSTD_CREW_HELPERS = 6,
};

/* Content to copy, slice by slice. */
struct zstd_crew_copy {
    unsigned char *to;
    const unsigned char *from;
    size_t size;
    size_t next;          /* first byte that no thread copies yet */
    unsigned int copying; /* threads */
};

struct zstd_crew {
    /* Constant. */
    struct zstd_device *device;
    pthread_t helper[ZSTD_CREW_HELPERS]; /* HELPERS of them */
    unsigned int helpers;

    struct zstd_batch_walk walk; /* for the thread that IS_FILLING ... */
    struct zstd_reads reads;     /* ... which others help to read */

    pthread_cond_t has_work; /* or IS_CLOSING; IDLE helpers wait */
    /* Under the lock of the device. */
    unsigned int idle;
    bool is_closing;
    bool is_filling;
    bool is_walked;          /* all batches are filled: WALK is over */
    uint64_t measured;       /* batches whose frames' CONTENT is set */
    uint64_t summed;         /* batches */
    uint32_t started_frames; /* of the next batch: being summed, or more */
    struct xxh64 hash;       /* of a frame, up to the batches that are summed */
    struct zstd_batch_frames frames[ZSTD_DEVICE_BATCHES];
    struct zstd_crew_copy copy;
};

/* Open CREW of DEVICE, whose owner it helps, for SOURCE, a regular file. */
void zstd_crew_open(struct zstd_crew *crew, struct zstd_device *device,
                    const struct source *source);

/* Get memory, and open the walk: see zstd_batch_open().  Returns 0, or -1: out
   of memory. */
int zstd_crew_open_walk(struct zstd_crew *crew, off_t offset, off_t pause_at,
                        uint32_t history);

/* Start up to HELPERS threads, at most ZSTD_CREW_HELPERS. */
void zstd_crew_start(struct zstd_crew *crew, unsigned int helpers);

/* End the helpers, drop all batches of the device, and release the memory.
   Returns up to where the file has been read. */
off_t zstd_crew_close(struct zstd_crew *crew);

/*
 * ---- under the lock of the device, which those that work or wait release ----
 */

/* Returns the frames of the batch with NUMBER. */
struct zstd_batch_frames *zstd_crew_frames(struct zstd_crew *crew,
                                           uint64_t number);

/* Returns the batch with NUMBER, which is fetched and measured; or NULL. */
const struct zstd_device_batch *zstd_crew_look(struct zstd_crew *crew,
                                               uint64_t number);

/* Wake helpers if there is something to fill or to sum. */
void zstd_crew_wake(struct zstd_crew *crew);

/* Copy SIZE bytes, with the help of the crew. */
void zstd_crew_copy(struct zstd_crew *crew, unsigned char *to,
                    const unsigned char *from, size_t size);

/* The owner waits for something: do any work that nobody else does. */
void zstd_crew_wait(struct zstd_crew *crew);

/* Wait until FRAME is summed; or, if FRAME is NULL, all frames of the batch
   with NUMBER. */
void zstd_crew_await_sum(struct zstd_crew *crew, uint64_t number,
                         const struct zstd_batch_frame *frame);

#endif
