/* SPDX-License-Identifier: MIT */
/*
 * lz4_blocks.h -- decode the blocks of lz4 frames, with helping threads
 *
 * Sets of blocks go round a ring (sync/ring.h).  The owner fills the sets in
 * order, and takes them in order when they are decoded.  The first stage reads
 * and decodes sets side by side and verifies the checksums of blocks; the owner
 * helps while waiting, if helpers are few.  The content's checksum is a chain,
 * so the second stage continues it in order.  Helpers never wait for anything
 * but sets to decode.
 *
 * Without helpers the ring has one set of one block, for linked blocks, too.
 */

#ifndef GPUHIST_LZ4_BLOCKS_H
#define GPUHIST_LZ4_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/xxh.h"
#include "input/decode/lz4/lz4_frame.h"
#include "input/source.h"
#include "sync/ring.h"

enum {
    /* So many helpers keep one thread busy that copies to chunks, and
       hashes. */
    LZ4_BLOCKS_HELPERS_MAX = 6
};

/* Consecutive blocks, each with its size and checksum. */
struct lz4_block_set {
    /* Set by the owner before lz4_blocks_submit(). */
    unsigned char *packed; /* room for the blocks */
    size_t packed_bytes;
    off_t offset;   /* in the file */
    bool is_unread; /* PACKED must be read from OFFSET */
    bool is_start;  /* the first content of the only block is enough */

    /* Set before lz4_blocks_await() returns. */
    unsigned char *content;
    size_t content_bytes; /* before the WRONG block */
    const char *wrong;    /* NULL: nothing */
    off_t wrong_at;       /* offset of the block */
    struct error failure; /* of reading */
};

/* All 0 before lz4_blocks_open(). */
struct lz4_blocks {
    /* Constant while the ring is open, or while it is empty. */
    struct lz4_frame frame; /* of the blocks */
    const struct source *source;
    struct lz4_block_set *set; /* the slots of RING ... */
    unsigned int set_blocks;   /* ... with up to so many blocks */

    struct xxh32 sum; /* for the second stage, or the owner */
    size_t history;   /* of linked blocks: bytes before the content */

    struct ring_crew crew;
    struct ring ring;
};

/* Returns the memory of a ring for frames like FRAME, with up to HELPERS. */
uint64_t lz4_blocks_bytes(const struct lz4_frame *frame, unsigned int helpers);

/*
 * Open a ring with up to HELPERS threads; fewer if the system refuses more.
 * Returns 0, or -1: out of memory.
 */
int lz4_blocks_open(struct lz4_blocks *blocks, const struct lz4_frame *frame,
                    unsigned int helpers);

/* Whether the ring serves FRAME, too. */
bool lz4_blocks_fit(const struct lz4_blocks *blocks,
                    const struct lz4_frame *frame);

/* Empty the ring, which need not be open. */
void lz4_blocks_discard(struct lz4_blocks *blocks);

/* Start with the blocks of FRAME, which must fit, in the regular file SOURCE if
   sets are unread.  The ring is empty. */
void lz4_blocks_start(struct lz4_blocks *blocks, const struct lz4_frame *frame,
                      const struct source *source);

/* Whether all sets are released. */
bool lz4_blocks_are_empty(const struct lz4_blocks *blocks);

/* Returns a set to fill, or NULL if the ring is full. */
struct lz4_block_set *lz4_blocks_next(const struct lz4_blocks *blocks);

/* The set of lz4_blocks_next() is filled. */
void lz4_blocks_submit(struct lz4_blocks *blocks);

/*
 * Decode the set of lz4_blocks_next() at once, to CONTENT instead of its own
 * memory.  The ring is empty, and the blocks are independent.
 */
void lz4_blocks_decode(struct lz4_blocks *blocks, struct lz4_block_set *set,
                       unsigned char *content);

/* Returns the first set, once it is done; NULL if the ring is empty. */
struct lz4_block_set *lz4_blocks_await(struct lz4_blocks *blocks);

/* Decode all of the first set, of which only the start is decoded. */
void lz4_blocks_complete(struct lz4_blocks *blocks);

/* The first set's content has been used. */
void lz4_blocks_release(struct lz4_blocks *blocks);

/* End the helpers and release all memory.  May be called twice. */
void lz4_blocks_close(struct lz4_blocks *blocks);

#endif
