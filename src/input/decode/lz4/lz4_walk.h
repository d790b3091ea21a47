/* SPDX-License-Identifier: MIT */
/*
 * lz4_walk.h -- find where the parts of an lz4 file start
 *
 * Parts are frames of any kind, and the blocks of frames with parts
 * (lz4_frame.h).  The walk jumps from the size of one block to the next and
 * does not read compressed data.
 */

#ifndef GPUHIST_LZ4_WALK_H
#define GPUHIST_LZ4_WALK_H

#include "input/decode/lz4/lz4_frame.h"
#include "input/decoder.h"
#include "input/file_window.h"

struct lz4_walk {
    struct decoder_walk base;
    bool in_frame;          /* the offset is that of a block, or of its end */
    struct lz4_frame frame; /* the current one */
    struct file_window window;
};

/* See struct decoder_walk and struct decoder_type. */
struct decoder_walk *lz4_walk_open(int fd, off_t offset);
int lz4_walk_step(struct decoder_walk *base);
bool lz4_walk_is_at_part(struct decoder_walk *base);

/*
 * Parse the block of FRAME, or the end of the frame, at OFFSET of the file of
 * WINDOW.  Returns 0; or -1 if neither is there, or it is cut off.
 */
int lz4_walk_look(struct file_window *window, const struct lz4_frame *frame,
                  off_t offset, struct lz4_frame_block *block);

#endif
