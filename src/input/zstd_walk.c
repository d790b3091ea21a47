/* zstd_walk.c -- where the frames of a zstd file begin */

#include <errno.h>
#include <unistd.h>

#include "input/zstd_frame.h"
#include "input/zstd_walk.h"

/*
 * Have the bytes at WALK->offset in memory, WANTED of them unless the file
 * ends.  Returns where they are and, in *SIZE, how many.
 */
static const unsigned char *
look(struct zstd_walk *walk, size_t wanted, size_t *size)
{
    off_t ahead = walk->offset - walk->data_offset;

    if (ahead < 0 || ahead + (off_t)wanted > (off_t)walk->data_bytes) {
        ssize_t got;
        do {
            got = pread(walk->fd, walk->data, sizeof walk->data, walk->offset);
        } while (got < 0 && errno == EINTR);
        walk->data_offset = walk->offset;
        walk->data_bytes = got > 0 ? (size_t)got : 0;
        ahead = 0;
    }
    *size = walk->data_bytes - (size_t)ahead;
    return walk->data + ahead;
}

static int
step_into_frame(struct zstd_walk *walk)
{
    struct zstd_frame frame;
    size_t size;
    const unsigned char *data = look(walk, ZSTD_FRAME_HEADER_MAX, &size);

    if (zstd_frame_read(&frame, data, size) < 0)
        return -1;
    walk->offset += frame.header_bytes;
    walk->offset += frame.skipped_bytes;
    walk->in_frame = !frame.is_skippable;
    walk->has_checksum = frame.has_checksum;
    walk->is_sized &= frame.is_sized;
    walk->content_bytes += frame.content_bytes;
    return 0;
}

int
zstd_walk_step(struct zstd_walk *walk)
{
    struct zstd_block block;
    size_t size;

    if (!walk->in_frame)
        return step_into_frame(walk);

    const unsigned char *data =
        look(walk, ZSTD_FRAME_BLOCK_HEADER_BYTES, &size);
    if (zstd_frame_read_block(&block, data, size) < 0)
        return -1;
    walk->offset += ZSTD_FRAME_BLOCK_HEADER_BYTES + (off_t)block.bytes;
    if (block.is_last) {
        walk->in_frame = false;
        walk->offset += walk->has_checksum ? ZSTD_FRAME_CHECKSUM_BYTES : 0;
    }
    return 0;
}

bool
zstd_walk_is_at_frame(struct zstd_walk *walk)
{
    size_t size;
    const unsigned char *data = look(walk, ZSTD_FRAME_HEADER_MAX, &size);

    return !walk->in_frame && zstd_frame_is_magic(data, size);
}
