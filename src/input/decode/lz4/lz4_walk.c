/* SPDX-License-Identifier: MIT */
/* lz4_walk.c -- find where the parts of an lz4 file start */

#include <stdlib.h>

#include "input/decode/lz4/lz4_walk.h"

static struct lz4_walk *
walk_of(struct decoder_walk *base)
{
    return (struct lz4_walk *)base;
}

int
lz4_walk_look(struct file_window *window, const struct lz4_frame *frame,
              off_t offset, struct lz4_frame_block *block)
{
    size_t size;
    const unsigned char *data =
        file_window_look(window, offset, LZ4_FRAME_WORD_BYTES, &size);

    if (size < LZ4_FRAME_WORD_BYTES)
        return -1;
    /* A legacy frame ends where another frame starts. */
    if (frame->is_legacy && lz4_frame_match(data, size) == MAGIC_YES) {
        *block = (struct lz4_frame_block){.is_end = true};
        return 0;
    }
    return lz4_frame_read_block(block, frame, data);
}

/* Read the header at the walk's offset.  Returns 0, or -1. */
static int
look_at_frame(struct lz4_walk *walk, struct lz4_frame *frame)
{
    size_t size;
    const unsigned char *data = file_window_look(
        &walk->window, walk->base.offset, LZ4_FRAME_HEADER_MAX, &size);

    return lz4_frame_read(frame, data, size) == NULL ? 0 : -1;
}

struct decoder_walk *
lz4_walk_open(int fd, off_t offset)
{
    struct lz4_walk *walk = calloc(1, sizeof *walk);

    if (walk == NULL)
        return NULL;
    walk->base.offset = offset;
    walk->window.fd = fd;
    /* Usually the file has one frame, and then this is known at once. */
    walk->base.is_sized = look_at_frame(walk, &walk->frame) == 0 &&
                          (walk->frame.is_skippable || walk->frame.is_sized);
    return &walk->base;
}

static int
step_into_frame(struct lz4_walk *walk)
{
    const struct lz4_frame *frame = &walk->frame;

    if (look_at_frame(walk, &walk->frame) < 0)
        return -1;
    walk->base.offset += (off_t)frame->header_bytes;
    walk->base.offset += (off_t)frame->skipped_bytes;
    walk->in_frame = !frame->is_skippable;
    walk->base.is_sized &= frame->is_skippable || frame->is_sized;
    walk->base.content_bytes += frame->content_bytes;
    return 0;
}

int
lz4_walk_step(struct decoder_walk *base)
{
    struct lz4_walk *walk = walk_of(base);
    struct lz4_frame_block block;

    if (!walk->in_frame)
        return step_into_frame(walk);
    if (lz4_walk_look(&walk->window, &walk->frame, base->offset, &block) < 0)
        return -1;
    base->offset += (off_t)block.whole_bytes;
    if (block.is_end) {
        walk->in_frame = false;
        base->offset += walk->frame.has_content_sum ? LZ4_FRAME_WORD_BYTES : 0;
    }
    return 0;
}

bool
lz4_walk_is_at_part(struct decoder_walk *base)
{
    struct lz4_walk *walk = walk_of(base);
    struct lz4_frame_block block;
    size_t size;

    if (walk->in_frame)
        return lz4_frame_has_parts(&walk->frame) &&
               lz4_walk_look(&walk->window, &walk->frame, base->offset,
                             &block) == 0 &&
               !block.is_end;
    const unsigned char *data = file_window_look(&walk->window, base->offset,
                                                 LZ4_FRAME_MAGIC_BYTES, &size);
    return lz4_frame_match(data, size) == MAGIC_YES;
}
