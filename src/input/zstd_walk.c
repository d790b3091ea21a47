/* zstd_walk.c -- find where the frames of a zstd file start */

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "input/zstd_frame.h"
#include "input/zstd_walk.h"

struct zstd_walk {
    struct decoder_walk base;
    int fd;
    bool in_frame;     /* the offset is that of a block */
    bool has_checksum; /* of the current frame */

    unsigned char data[4096]; /* DATA_BYTES of the file ... */
    size_t data_bytes;
    off_t data_offset; /* ... from this offset on */
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
    walk->fd = fd;
    return &walk->base;
}

/*
 * Read the bytes at WALK->offset: WANTED of them, or fewer at the end of the
 * file.  Returns them, valid until the next call, with their number in *SIZE.
 */
static const unsigned char *
look(struct zstd_walk *walk, size_t wanted, size_t *size)
{
    off_t ahead = walk->base.offset - walk->data_offset;

    if (ahead < 0 || ahead + (off_t)wanted > (off_t)walk->data_bytes) {
        ssize_t got;
        do {
            got = pread(walk->fd, walk->data, sizeof walk->data,
                        walk->base.offset);
        } while (got < 0 && errno == EINTR);
        walk->data_offset = walk->base.offset;
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
    struct zstd_block block;
    size_t size;

    if (!walk->in_frame)
        return step_into_frame(walk);

    const unsigned char *data =
        look(walk, ZSTD_FRAME_BLOCK_HEADER_BYTES, &size);
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
    const unsigned char *data = look(walk, ZSTD_FRAME_HEADER_MAX, &size);
    return zstd_frame_is_magic(data, size);
}
