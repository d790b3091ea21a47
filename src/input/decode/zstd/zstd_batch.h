/* SPDX-License-Identifier: MIT */
/*
 * zstd_batch.h -- fill the batches of a device with blocks of zstd frames
 *
 * A walk reads frames that follow each other in a file.  A batch has many small
 * frames, or a part of a long one.  Frames after the walk, and wrong frames,
 * are left to libzstd.
 */

#ifndef GPUHIST_ZSTD_BATCH_H
#define GPUHIST_ZSTD_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "input/decode/zstd/zstd_find.h"
#include "input/decode/zstd/zstd_handover.h"
#include "input/device/decoding_device.h"
#include "input/device/decoding_walk.h"
#include "input/source.h"

/* The blocks of a frame that are in a batch. */
struct zstd_batch_frame {
    uint32_t blocks; /* at least 1 */
    off_t start;     /* of the frame, in the file */
    off_t end;       /* of these blocks, and of a checksum */
    bool is_first;   /* the frame starts with them; or it has started before */
    bool is_last;    /* the frame ends with them */
    bool has_checksum;
    uint32_t sum;           /* at the end, if it has */
    bool is_sized;          /* the frame says that it has ... */
    uint64_t content_bytes; /* ... so much content */

    /* Set by zstd_crew.c. */
    uint32_t content;    /* bytes of these blocks ... */
    uint32_t content_at; /* ... in the content of the batch */
    bool is_summed;      /* or needs no sum; if the frame has a checksum: */
    uint64_t found_sum;  /* of the frame up to here */
};

/* The host's side of a batch. */
struct zstd_batch_frames {
    struct zstd_batch_frame *frame; /* COUNT of them, in room for each block */
    uint32_t count;
    /* Before the first frame: earlier content. */
    uint32_t front_blocks;
    uint32_t front_bytes;

    /* Set by zstd_crew.c. */
    bool is_refused;   /* no content */
    uint32_t unsummed; /* frames that are not SUMMED */
};

struct zstd_batch_walk {
    /* If it is over, libzstd decodes the frame that starts at its END again, of
       which batches may have blocks; or END is where the file goes on, behind
       whole frames. */
    struct decoding_walk base;
    bool is_refused; /* END is of a frame */

    uint32_t history; /* constant: bytes of the largest window of a frame */

    /* Private.  The first batch starts with ... */
    struct zstd_offsets offsets; /* ... these offsets, and with a window of ...
                                  */
    size_t front_bytes;          /* ... so many bytes */
    bool is_in_frame;            /* this one: */
    bool is_at_start;            /* no block of this frame is found */
    off_t frame_start;           /* in the file */
    struct zstd_frame frame;
    struct zstd_inherited inherited;
};

/* The least sizes of a device for which batches can be filled. */
extern const struct decoding_sizes zstd_batch_least;

/* Returns the memory of a walk, and of the frames of a batch. */
uint64_t zstd_batch_walk_bytes(const struct decoding_sizes *sizes);

/*
 * Start at OFFSET of SOURCE, where a frame starts whose window has up to
 * HISTORY bytes.  Returns 0, or -1: out of memory.
 */
int zstd_batch_open(struct zstd_batch_walk *walk, const struct source *source,
                    const struct decoding_sizes *sizes, off_t offset,
                    off_t pause_at, uint32_t history);

/* Returns the largest window of a frame that can be handed over. */
uint64_t zstd_batch_front_max(const struct decoding_sizes *sizes);

/* Returns where this window goes, before BATCH is filled as the first batch. */
unsigned char *zstd_batch_front(const struct decoding_batch *batch);

/* After zstd_batch_open(): start where HANDOVER says. */
void zstd_batch_continue(struct zstd_batch_walk *walk,
                         const struct zstd_handover *handover);

/*
 * Fill BATCH with the next blocks: the walk is not over.  Returns whether there
 * are any; if not, the walk may be over.
 */
bool zstd_batch_fill(struct zstd_batch_walk *walk, struct decoding_batch *batch,
                     struct zstd_batch_frames *frames);

/* Release the memory.  May be called twice. */
void zstd_batch_close(struct zstd_batch_walk *walk);

#endif
