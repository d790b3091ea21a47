/* SPDX-License-Identifier: MIT */
/* zstd_walk.c -- find where the frames of a zstd file start */

#include <stdlib.h>
#include <unistd.h>

#include "input/decode/zstd/zstd_frame.h"
#include "input/decode/zstd/zstd_walk.h"
#include "input/file_window.h"

/* More content than files have, and little enough to be added up. */
#define CONTENT_MAX 1e15

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

/* ---- a survey ---- */

struct first_frame {
    struct zstd_frame frame;
    uint64_t bytes;   /* LEAST or more: it is long */
    uint64_t content; /* that the frame states, or that its blocks may have */
};

/* Find the first frame from START in FD on that has blocks.  Walks through up
   to LEAST bytes of the frame, and of skippable frames before it.  Returns
   whether a frame is found. */
static bool
find_first(int fd, off_t start, uint64_t least, struct first_frame *first)
{
    unsigned char header[ZSTD_FRAME_HEADER_MAX];
    struct decoder_walk *walk = zstd_walk_open(fd, start);
    off_t end = start + (off_t)least;
    bool is_found = false;

    if (walk == NULL)
        return false;
    do {
        start = walk->offset;
        ssize_t size = pread(fd, header, sizeof header, start);
        is_found = size > 0 &&
                   zstd_frame_read(&first->frame, header, (size_t)size) == 0;
    } while (is_found && first->frame.is_skippable && walk->offset < end &&
             zstd_walk_step(walk) == 0);
    is_found = is_found && !first->frame.is_skippable;
    bool goes_on = is_found && zstd_walk_step(walk) == 0;
    uint64_t blocks = 0;
    while (goes_on && (uint64_t)(walk->offset - start) < least) {
        goes_on = zstd_walk_step(walk) == 0 && !zstd_walk_is_at_frame(walk);
        blocks++;
    }
    first->bytes = (uint64_t)(walk->offset - start);
    first->content = first->frame.is_sized
                         ? first->frame.content_bytes
                         : blocks * zstd_frame_block_max(&first->frame);
    free(walk);
    return is_found && first->bytes > 0;
}

/* Add a file of BYTES that starts with FIRST. */
static void
add_file(struct decodable *decodable, const struct first_frame *first,
         uint64_t bytes, uint64_t least)
{
    /* The statements of a frame are unchecked. */
    double content = (double)first->content;
    double whole = content * (double)bytes / (double)first->bytes;

    if (decodable->window < first->frame.window_bytes)
        decodable->window = first->frame.window_bytes;
    if (first->bytes >= least) {
        double stated = first->frame.is_sized ? content : whole;
        uint64_t said = stated < CONTENT_MAX ? (uint64_t)stated : 0;
        bool is_unsummed = !first->frame.has_checksum;
        decodable->long_files++;
        decodable->long_bytes += bytes;
        decodable->long_content += said;
        decodable->unsummed_bytes += is_unsummed ? bytes : 0;
        decodable->unsummed_content += is_unsummed ? said : 0;
        return;
    }
    decodable->many_bytes += bytes;
    if (whole < CONTENT_MAX)
        decodable->many_content += (uint64_t)whole;
}

void
zstd_walk_survey(struct decodable *decodable, int fd, off_t start,
                 uint64_t bytes, uint64_t least)
{
    struct first_frame first = {0};

    if (find_first(fd, start, least, &first))
        add_file(decodable, &first, bytes, least);
}
