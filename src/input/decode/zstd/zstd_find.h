/* SPDX-License-Identifier: MIT */
/*
 * zstd_find.h -- find the next block of a zstd frame, and its needs
 *
 * The blocks of a frame are found in order, because tables are inherited.  Then
 * the blocks can be decoded in any order.
 */

#ifndef GPUHIST_ZSTD_FIND_H
#define GPUHIST_ZSTD_FIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "input/decode/zstd/zstd_frame.h"
#include "kernels/zstd/zstd_block.h"

/* The most bytes of a block, with header and checksum. */
#define ZSTD_FIND_MAX                                         \
    (ZSTD_FRAME_BLOCK_HEADER_BYTES + (size_t)ZSTD_BLOCK_MAX + \
     ZSTD_FRAME_CHECKSUM_BYTES)

/* The descriptions of tables, copied from their blocks. */
struct zstd_inherited {
    struct zstd_description table[ZSTD_DESCRIPTIONS];
    unsigned char data[ZSTD_DESCRIPTIONS][ZSTD_DESCRIPTION_MAX + ZSTD_MARGIN];
};

/* Copy the descriptions of TABLE to INHERITED, which may already have them. */
void zstd_find_inherit(struct zstd_inherited *inherited,
                       const struct zstd_description *table);

enum zstd_finding {
    ZSTD_FINDING_BLOCK,
    ZSTD_FINDING_START, /* of a block: more bytes are needed */
    ZSTD_FINDING_WRONG, /* libzstd says what is wrong */
};

struct zstd_find {
    struct zstd_block block;
    struct zstd_description table[ZSTD_DESCRIPTIONS]; /* for the next one */
    size_t bytes; /* in all, with the header and a checksum */
    bool is_last; /* the frame ends after this block, with */
    uint32_t sum; /* ... this checksum, if the frame has one */
};

/*
 * Find the block at the start of the SIZE bytes at DATA, in a frame whose
 * blocks have up to BLOCK_MAX of content.  TABLE is the table of the block
 * before; all 0 at the frame's start.
 */
enum zstd_finding zstd_find_block(struct zstd_find *find,
                                  const struct zstd_description *table,
                                  uint32_t block_max, bool has_checksum,
                                  const unsigned char *data, size_t size);

#endif
