/*
 * lz4_blocks.h -- decode the blocks of lz4 frames, with helping threads
 *
 * Blocks are in a ring.  The owner fills them in order, and takes them in order
 * when they are decoded.  In between helpers, and the owner while it waits,
 * decode them side by side and verify their checksums.  The content's checksum
 * is a chain, so one thread at a time continues it, as far as blocks are
 * decoded.  Helpers never wait for anything but blocks to decode.
 *
 * Linked blocks need a ring of one.
 */

#ifndef GPUHIST_LZ4_BLOCKS_H
#define GPUHIST_LZ4_BLOCKS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "input/lz4_frame.h"
#include "util/xxh32.h"

struct lz4_block {
    /* Set by the owner before lz4_blocks_submit(). */
    unsigned char *packed; /* the block, and its checksum if it has one */
    uint32_t packed_bytes; /* without the checksum */
    bool is_stored;        /* not compressed */
    off_t offset;          /* in the file */

    /* Set before lz4_blocks_await() returns. */
    unsigned char *content;
    size_t content_bytes;
    const char *wrong; /* NULL: nothing */

    bool is_decoded; /* under the lock */
};

/* All 0 before lz4_blocks_open(). */
struct lz4_blocks {
    /* Constant while the ring is open. */
    struct lz4_frame frame;  /* that the blocks are of */
    struct lz4_block *block; /* COUNT of them */
    unsigned int count;
    pthread_t *helper; /* HELPERS of them */
    unsigned int helpers;

    struct xxh32 sum; /* for the thread that IS_ADDING, or the owner */
    size_t history;   /* of linked blocks: bytes before the content */

    pthread_mutex_t lock;
    pthread_cond_t filled_one; /* or IS_CLOSING */
    pthread_cond_t done_one;
    /* Blocks of the frame: numbers that go round the ring, in this order.
       Under the lock. */
    uint64_t released;
    uint64_t done; /* decoded, and in SUM */
    uint64_t taken;
    uint64_t filled;
    bool is_adding; /* some thread adds to SUM */
    bool is_closing;
};

/* Returns the memory of a ring of COUNT blocks for frames like FRAME. */
uint64_t lz4_blocks_bytes(const struct lz4_frame *frame, unsigned int count);

/*
 * Open a ring of COUNT blocks with up to HELPERS threads; fewer if the system
 * refuses more.  Returns 0, or -1: out of memory.
 */
int lz4_blocks_open(struct lz4_blocks *blocks, const struct lz4_frame *frame,
                    unsigned int count, unsigned int helpers);

/* Returns how many bytes a compressed block of FRAME may have. */
uint32_t lz4_blocks_packed_most(const struct lz4_frame *frame);

/* Whether the ring serves FRAME, too. */
bool lz4_blocks_fit(const struct lz4_blocks *blocks,
                    const struct lz4_frame *frame);

/* Empty the ring, which need not be open. */
void lz4_blocks_discard(struct lz4_blocks *blocks);

/* Empty the ring, and start with the blocks of FRAME, which must fit. */
void lz4_blocks_begin(struct lz4_blocks *blocks, const struct lz4_frame *frame);

/* Whether all blocks are released. */
bool lz4_blocks_are_empty(const struct lz4_blocks *blocks);

/* Returns a block to fill, or NULL if the ring is full. */
struct lz4_block *lz4_blocks_next(const struct lz4_blocks *blocks);

/* The block of lz4_blocks_next() is filled. */
void lz4_blocks_submit(struct lz4_blocks *blocks);

/* Returns the first block, once it is done; NULL if the ring is empty. */
struct lz4_block *lz4_blocks_await(struct lz4_blocks *blocks);

/* The first block's content has been used. */
void lz4_blocks_release(struct lz4_blocks *blocks);

/* End the helpers and release all memory.  May be called twice. */
void lz4_blocks_close(struct lz4_blocks *blocks);

#endif
