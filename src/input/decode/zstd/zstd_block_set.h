/* SPDX-License-Identifier: MIT */
/*
 * zstd_block_set.h -- some blocks of a zstd frame, read for decoding
 *
 * A walk reads the blocks of a frame in order, set by set, and passes on where
 * tables are described.  Then sets can be decoded in any order, into literals
 * and sequences, of which zstd_window.h makes the content.
 */

#ifndef GPUHIST_ZSTD_BLOCK_SET_H
#define GPUHIST_ZSTD_BLOCK_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "input/decode/zstd/zstd_find.h"
#include "input/decode/zstd/zstd_window.h"
#include "input/source.h"

enum {
    ZSTD_BLOCK_SET_BLOCKS = 16,
    /* The needs of the largest block, or more. */
    ZSTD_BLOCK_SET_PACKED = (256 << 10) + 16,
    ZSTD_BLOCK_SET_LITERALS = 256 << 10,
    ZSTD_BLOCK_SET_SEQUENCES = 48 << 10,
};

struct zstd_block_set {
    bool is_there; /* set by zstd_blocks.h: it has been read */

    /* Set by zstd_block_set_read(). */
    unsigned char *packed;
    struct zstd_inherited inherited;
    struct zstd_block block[ZSTD_BLOCK_SET_BLOCKS]; /* COUNT of them */
    unsigned int count;
    off_t end;    /* in the file: end of the last block */
    bool is_last; /* the frame ends after the last block, with */
    uint32_t sum; /* ... this checksum, if the frame has one */
    /* data after these blocks, or the block that is next in PARTS */
    bool is_refused;

    /* Set by zstd_block_set_decode(). */
    unsigned char *literal;
    struct zstd_sequence *sequence;
    struct zstd_parts parts[ZSTD_BLOCK_SET_BLOCKS]; /* DECODED of them */
    unsigned int decoded;
};

/* Reads the blocks of a frame.  One thread at a time uses it. */
struct zstd_blocks_walk {
    /* Set by the owner. */
    const struct source *source; /* a regular file */
    uint32_t block_max;          /* content of a block in this frame */
    bool has_checksum;
    off_t next; /* of the file: not read yet */

    bool is_over;                    /* there are no more sets */
    struct zstd_inherited inherited; /* by the next set */
    /* Private. */
    unsigned char *tail; /* read, but of the next set: TAIL_BYTES */
    size_t tail_bytes;
};

/* Returns the memory of a set, and of a walk. */
uint64_t zstd_block_set_bytes(void);
uint64_t zstd_block_set_walk_bytes(void);

/* Allocate.  Return 0, or -1: out of memory. */
int zstd_block_set_open(struct zstd_block_set *set);
int zstd_block_set_open_walk(struct zstd_blocks_walk *walk);

/* Read the next set: the walk is not over. */
void zstd_block_set_read(struct zstd_block_set *set,
                         struct zstd_blocks_walk *walk);

/* Decode all blocks of SET, with TABLES for this thread. */
void zstd_block_set_decode(struct zstd_block_set *set,
                           struct zstd_tables *tables, uint32_t block_max);

/* Returns where in the file the next set starts. */
off_t zstd_block_set_walk_offset(const struct zstd_blocks_walk *walk);

/* Release the memory.  May be called twice. */
void zstd_block_set_close(struct zstd_block_set *set);
void zstd_block_set_close_walk(struct zstd_blocks_walk *walk);

#endif
