/* SPDX-License-Identifier: MIT */
/*
 * decoding_walk.h -- a walk through a file, which fills the batches of a belt
 *
 * A format parses the bytes of a batch, and takes blocks from them.  The walk
 * reads the bytes, lets helpers read ahead, and keeps for the next batch what
 * has been read in vain.  The first batch is small, and each batch has twice as
 * much content as the batch before, so that the first content comes early.
 */

#ifndef GPUHIST_DECODING_WALK_H
#define GPUHIST_DECODING_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "input/device/decoding_device.h"
#include "input/device/decoding_reads.h"
#include "input/source.h"

/* The bytes that a walk keeps for the next batch, at most: bytes that are read
   at once, and LEAST bytes with which a format goes on. */
#define DECODING_WALK_TAIL(least) ((size_t)DECODING_READS_SLICE + (least))

enum decoding_step {
    DECODING_STEP_DONE,
    DECODING_STEP_SHORT, /* more must be read */
    DECODING_STEP_FULL,  /* the rest is of the next batch */
    DECODING_STEP_OVER,  /* the library decodes the rest */
};

struct decoding_walk {
    /* Constant. */
    const struct source *source; /* a regular file */
    const struct decoding_sizes *sizes;
    off_t pause_at; /* nothing that starts here, or later, is taken */
    struct decoding_reads *reads; /* of SOURCE; or NULL: nobody helps to read */

    off_t next;   /* of the file: not read yet */
    bool is_over; /* no more batches follow; the file goes on at END */
    off_t end;

    /* Of the next batch. */
    uint32_t most;   /* content */
    size_t expected; /* bytes that it will have in the file, or 0 */
    bool is_first;
    unsigned char *tail; /* read by the batch before: TAIL_BYTES */
    size_t tail_bytes;
};

/* A batch that is being filled. */
struct decoding_filling {
    struct decoding_walk *walk;
    struct decoding_batch *batch;
    size_t front; /* packed bytes before those of the file */
    size_t used;  /* of the packed bytes, FRONT included ... */
    size_t size;  /* ... and has been read */
};

/* Start at OFFSET of SOURCE, with up to FIRST bytes of content in the first
   batch, and a tail of TAIL_ROOM bytes.  Returns 0, or -1: out of memory. */
int decoding_walk_open(struct decoding_walk *walk, const struct source *source,
                       const struct decoding_sizes *sizes, off_t offset,
                       off_t pause_at, uint32_t first, size_t tail_room);

/* Release the memory.  May be called twice. */
void decoding_walk_close(struct decoding_walk *walk);

/* Start FILLING, which has its walk and its batch, after FRONT bytes.  Sets the
   fields of the batch that no format sets otherwise. */
void decoding_filling_start(struct decoding_filling *filling, size_t front);

/* Returns where in the file the next byte is. */
static inline off_t
decoding_filling_offset(const struct decoding_filling *filling)
{
    return filling->walk->next - (off_t)(filling->size - filling->used);
}

/* Read more.  Returns DONE; FULL; or OVER: no more bytes, or they cannot be
   read, as the library will find, too. */
enum decoding_step decoding_filling_read(struct decoding_filling *filling);

/* The batch is full, or the walk is over: keep bytes for the next batch. */
void decoding_filling_end(struct decoding_filling *filling);

#endif
