/* SPDX-License-Identifier: MIT */
/* gzip_walk.c -- find where the blocks of a BGZF file start */

#include <stdlib.h>

#include "base/little_endian.h"
#include "input/decode/gzip/gzip_header.h"
#include "input/decode/gzip/gzip_walk.h"
#include "input/decode/gzip/inflate.h"
#include "input/file_window.h"

/* Headers of BGZF have 18 bytes, unless they have more fields. */
#define HEADER_BYTES 64

/* The length of the content, at the end of a block. */
#define LENGTH_BYTES 4

/* A survey looks at so many blocks of a file.  They state what no decoder has
   checked, but no more than a block may have. */
#define SURVEYED_BLOCKS 64
#define SURVEYED_CONTENT ((uint64_t)SURVEYED_BLOCKS << 16)

struct gzip_walk {
    struct decoder_walk base;
    struct file_window window;
};

static struct gzip_walk *
walk_of(struct decoder_walk *base)
{
    return (struct gzip_walk *)base;
}

struct decoder_walk *
gzip_walk_open(int fd, off_t offset)
{
    struct gzip_walk *walk = calloc(1, sizeof *walk);

    if (walk == NULL)
        return NULL;
    walk->base = (struct decoder_walk){.offset = offset, .is_sized = true};
    walk->window.fd = fd;
    return &walk->base;
}

/* Returns the size of the block at WALK->offset, or 0: no block. */
static uint32_t
block_size(struct gzip_walk *walk)
{
    static const size_t wanted[] = {HEADER_BYTES, FILE_WINDOW_BYTES};

    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        struct gzip_header header = {0};
        size_t size;
        const unsigned char *data = file_window_look(
            &walk->window, walk->base.offset, wanted[i], &size);
        if (gzip_header_match(data, size) != MAGIC_YES ||
            gzip_header_take(&header, data, size) < 0)
            return 0;
        if (header.field == GZIP_HEADER_END)
            return header.block_bytes;
    }
    return 0;
}

int
gzip_walk_step(struct decoder_walk *base)
{
    struct gzip_walk *walk = walk_of(base);
    uint32_t bytes = block_size(walk);
    size_t size;

    if (bytes < LENGTH_BYTES)
        return -1;
    /* One read for the length and for the next header. */
    const unsigned char *length = file_window_look(
        &walk->window, base->offset + (off_t)bytes - LENGTH_BYTES,
        LENGTH_BYTES + HEADER_BYTES, &size);
    if (size < LENGTH_BYTES)
        return -1;
    base->offset += (off_t)bytes;
    base->content_bytes += little_endian_32(length);
    return 0;
}

bool
gzip_walk_is_at_block(struct decoder_walk *base)
{
    return block_size(walk_of(base)) > 0;
}

/* Decode the first bytes of the block at START. */
static void
look_inside(struct decodable *decodable, struct gzip_walk *walk, off_t start)
{
    struct gzip_header header = {0};
    struct inflate *inflate = inflate_open();
    size_t size;
    const unsigned char *data =
        file_window_look(&walk->window, start, FILE_WINDOW_BYTES, &size);

    decodable->head_bytes = 0;
    if (inflate == NULL)
        return;
    ptrdiff_t taken = gzip_header_take(&header, data, size);
    if (taken >= 0 && header.field == GZIP_HEADER_END) {
        struct inflate_span span = {
            .in = data + taken,
            .in_size = size - (size_t)taken,
            .out = decodable->head,
            .out_size = sizeof decodable->head,
        };
        inflate_start(inflate);
        inflate_run(inflate, &span);
        decodable->head_bytes = sizeof decodable->head - span.out_size;
    }
    inflate_close(inflate);
}

void
gzip_walk_survey(struct decodable *decodable, int fd, off_t start,
                 uint64_t bytes, uint64_t least)
{
    struct decoder_walk *walk = gzip_walk_open(fd, start);
    int blocks = 0;

    (void)least;
    while (walk != NULL && blocks < SURVEYED_BLOCKS &&
           gzip_walk_step(walk) == 0)
        blocks++;
    if (blocks > 0 && walk->content_bytes > 0) {
        uint64_t content = walk->content_bytes < SURVEYED_CONTENT
                               ? walk->content_bytes
                               : SURVEYED_CONTENT;
        decodable->block_bytes += bytes;
        decodable->block_content += (uint64_t)((double)content * (double)bytes /
                                               (double)(walk->offset - start));
        if (decodable->wants_head)
            look_inside(decodable, walk_of(walk), start);
    }
    free(walk);
}
