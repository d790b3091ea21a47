/* SPDX-License-Identifier: MIT */
/*
 * xz_walk.h -- find where the blocks of an xz file start, by its indexes
 *
 * liblzma has verified the indexes, the headers and the footers of all streams
 * when the walk starts.  Damaged blocks may differ from the index.
 */

#ifndef GPUHIST_XZ_WALK_H
#define GPUHIST_XZ_WALK_H

#include <lzma.h>

#include "input/decoder.h"

/* A block, as its index describes it. */
struct xz_record {
    off_t start;
    uint64_t unpadded_bytes;
    uint64_t content_bytes;
    off_t stream_end; /* of its stream */
    lzma_check check;
};

struct xz_walk {
    struct decoder_walk base;
    uint64_t next; /* the number of the block after BASE.offset */
    uint64_t count;
    struct xz_record record[]; /* COUNT of them */
};

/* See struct decoder_walk and struct decoder_type. */
struct decoder_walk *xz_walk_open(int fd, off_t offset);
int xz_walk_step(struct decoder_walk *base);
bool xz_walk_is_at_block(struct decoder_walk *base);

#endif
