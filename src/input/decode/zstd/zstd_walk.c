/* zstd_walk.c -- find where the frames of a zstd file start */

#include <stdlib.h>

#include "input/decode/zstd/zstd_frame.h"
#include "input/decode/zstd/zstd_walk.h"
#include "input/file_window.h"

struct zstd_walk {
    struct decoder_walk base;
    bool in_frame;     /* the offset is that of a block */
    bool has_checksum; /* of the current frame */
    struct file_window window;
};

static struct zstd_walk *
walk_of(struct decoder_walk *base)
{
    return (struct zstd_walk *)base;
}

struct decoder_walk *
zstd_walk_open(int fd, off_t offset)
{
    struct zstd_walk *walk = calloc(1, sizeof *walk);

    if (walk == NULL)
        return NULL;
    walk->base = (struct decoder_walk){.offset = offset, .is_sized = true};
    walk->window.fd = fd;
    return &walk->base;
}

static int
step_into_frame(struct zstd_walk *walk)
{
    struct zstd_frame frame;
    size_t size;
    const unsigned char *data = file_window_look(
        &walk->window, walk->base.offset, ZSTD_FRAME_HEADER_MAX, &size);

    if (zstd_frame_read(&frame, data, size) < 0)
        return -1;
    walk->base.offset += frame.header_bytes;
    walk->base.offset += frame.skipped_bytes;
    walk->in_frame = !frame.is_skippable;
    walk->has_checksum = frame.has_checksum;
    walk->base.is_sized &= frame.is_sized;
    walk->base.content_bytes += frame.content_bytes;
    return 0;
}

int
zstd_walk_step(struct decoder_walk *base)
{
    struct zstd_walk *walk = walk_of(base);
    struct zstd_block_header block;
    size_t size;

    if (!walk->in_frame)
        return step_into_frame(walk);

    const unsigned char *data = file_window_look(
        &walk->window, walk->base.offset, ZSTD_FRAME_BLOCK_HEADER_BYTES, &size);
    if (zstd_frame_read_block(&block, data, size) < 0)
        return -1;
    walk->base.offset += ZSTD_FRAME_BLOCK_HEADER_BYTES + (off_t)block.bytes;
    if (block.is_last) {
        walk->in_frame = false;
        walk->base.offset += walk->has_checksum ? ZSTD_FRAME_CHECKSUM_BYTES : 0;
    }
    return 0;
}

bool
zstd_walk_is_at_frame(struct decoder_walk *base)
{
    struct zstd_walk *walk = walk_of(base);
    size_t size;

    if (walk->in_frame)
        return false;
    const unsigned char *data = file_window_look(
        &walk->window, walk->base.offset, ZSTD_FRAME_HEADER_MAX, &size);
    return zstd_frame_is_magic(data, size);
}
