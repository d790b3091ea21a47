/* SPDX-License-Identifier: MIT */
/*
 * zstd_blocks.h -- decode the blocks of a zstd frame, with helping threads
 *
 * Sets of blocks go round a ring (sync/ring.h).  The first stage reads one set
 * after the other, because a set inherits tables; the second stage decodes a
 * set to literals and sequences, beside other sets.  The owner takes the sets
 * in order and makes content of them (zstd_window.h).  A second ring has pieces
 * of content.  Its stage copies each piece to the owner's buffer, unless the
 * piece is leased, and adds it to the frame's checksum, in order.
 *
 * Helpers work on both rings; so does the owner, while waiting, if helpers are
 * few.  Nothing that they find is an error: see zstd_ahead.h.
 */

#ifndef GPUHIST_ZSTD_BLOCKS_H
#define GPUHIST_ZSTD_BLOCKS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/xxh.h"
#include "input/decode/zstd/zstd_block_set.h"
#include "input/decode/zstd/zstd_frame.h"
#include "input/source.h"
#include "sync/ring.h"

enum {
    ZSTD_BLOCKS_PIECES = 16, /* that wait */
    /* Content that zstd_blocks_drain() may not have copied. */
    ZSTD_BLOCKS_KEPT = (ZSTD_BLOCKS_PIECES + 2) * (int)ZSTD_BLOCK_MAX,
};

/* Content to copy, and to add to the checksum. */
struct zstd_piece {
    const unsigned char *from;
    unsigned char *to; /* NULL: the piece is leased */
    size_t size;
};

/* All 0 before zstd_blocks_open(). */
struct zstd_blocks {
    /* Constant while it is open. */
    struct zstd_block_set *set; /* the slots of SETS */
    struct zstd_tables *tables; /* of each helper, and of the owner */
    bool has_checksum;

    struct zstd_blocks_walk walk; /* for the stage that reads */
    struct xxh64 sum;             /* for the stage that copies */
    atomic_bool is_stopped;       /* no set starts */

    struct ring_crew crew;
    struct ring sets;
    struct ring pieces;
    struct zstd_piece piece[ZSTD_BLOCKS_PIECES]; /* the slots of PIECES */
};

/* Returns the memory that HELPERS use. */
uint64_t zstd_blocks_bytes(unsigned int helpers);

/*
 * Start up to HELPERS threads; fewer if the system refuses more.  They start
 * with the blocks of FRAME at OFFSET of SOURCE, a regular file that stays
 * open.  Returns 0, or -1: out of memory, or no thread could be started.
 */
int zstd_blocks_open(struct zstd_blocks *blocks, const struct zstd_frame *frame,
                     const struct source *source, off_t offset,
                     unsigned int helpers);

/* Start no more sets. */
void zstd_blocks_stop(struct zstd_blocks *blocks);

/* Returns the first set, once decoded; or NULL: no set follows after
   zstd_blocks_stop(). */
const struct zstd_block_set *zstd_blocks_await(struct zstd_blocks *blocks);

/* The first set is not needed any more. */
void zstd_blocks_release(struct zstd_blocks *blocks);

/* Copy the SIZE bytes of content at FROM to TO, unless TO is NULL, and add them
   to the checksum, now or before zstd_blocks_drain() returns. */
void zstd_blocks_put(struct zstd_blocks *blocks, unsigned char *to,
                     const unsigned char *from, size_t size);

/* Have all pieces copied. */
void zstd_blocks_drain(struct zstd_blocks *blocks);

/* Returns the checksum of all pieces, which are copied. */
uint32_t zstd_blocks_sum(const struct zstd_blocks *blocks);

/* All sets are released.  Returns where in the file the next block is, and sets
   *INHERITED to its inherited tables. */
off_t zstd_blocks_next(const struct zstd_blocks *blocks,
                       struct zstd_inherited *inherited);

/*
 * End the helpers and release all memory.  Returns up to where the file has
 * been read.  May be called twice, and then returns 0.
 */
off_t zstd_blocks_close(struct zstd_blocks *blocks);

#endif
