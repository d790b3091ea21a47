/* SPDX-License-Identifier: MIT */
/*
 * image.c -- the packed pixels of PNM and BMP images
 *
 * The pixels of a PNM image are already canonical: buffered pixels are copied,
 * and the callback delivers all others directly into the caller's memory.  A
 * BMP image is converted block by block.
 */

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "input/image/bmp.h"
#include "input/image/image.h"
#include "input/image/pnm.h"

enum kind {
    KIND_PNM,
    KIND_BMP,
};

struct image {
    struct image_stream stream;
    enum kind kind;
    struct pnm pnm;
    struct bmp bmp;
};

struct image *
image_open(image_read_fn *read, void *context)
{
    struct image *image = calloc(1, sizeof *image);

    if (image != NULL) {
        image->stream.read = read;
        image->stream.context = context;
        image->stream.block_bytes = IMAGE_STREAM_HEADER_BYTES;
    }
    return image;
}

void
image_close(struct image *image)
{
    free(image);
}

const char *
image_error(const struct image *image, uint64_t *offset)
{
    *offset = image->stream.error_offset;
    return image->stream.error[0] == '\0' ? NULL : image->stream.error;
}

struct image_shape
image_shape(const struct image *image)
{
    return image->stream.shape;
}

/* Fail with the format that the SIZE bytes at HEAD suggest.  Returns -1. */
static int
fail_unknown(struct image_stream *stream, const unsigned char *head,
             size_t size)
{
    static const struct {
        const char *magic;
        size_t size;
        const char *name;
    } known[] = {
        {"P1", 2, "a plain PBM (P1)"}, {"P2", 2, "a plain PGM (P2)"},
        {"P3", 2, "a plain PPM (P3)"}, {"P4", 2, "a PBM (P4)"},
        {"P7", 2, "a PAM (P7)"},       {"\x89PNG", 4, "a PNG"},
        {"\xFF\xD8\xFF", 3, "a JPEG"}, {"II*\0", 4, "a TIFF"},
        {"MM\0*", 4, "a TIFF"},        {"II+\0", 4, "a BigTIFF"},
        {"MM\0+", 4, "a BigTIFF"},     {"GIF8", 4, "a GIF"},
    };

    if (size == 0)
        return image_stream_fail(stream, 0, "the input is empty");
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (size >= known[i].size &&
            memcmp(head, known[i].magic, known[i].size) == 0)
            return image_stream_fail(
                stream, 0, "this seems to be %s image; " IMAGE_STREAM_HINT,
                known[i].name);
    }
    return image_stream_fail(
        stream, 0, "neither PNM (P5, P6) nor BMP; " IMAGE_STREAM_HINT);
}

int
image_read_header(struct image *image, struct image_format *format)
{
    struct image_stream *stream = &image->stream;

    assert(stream->format.channels == 0);
    if (image_stream_fill(stream, 4) < 0)
        return -1;

    const unsigned char *head = stream->buffer;
    size_t size = image_stream_buffered(stream);
    int result;
    if (size >= 2 && head[0] == 'P' && (head[1] == '5' || head[1] == '6')) {
        image->kind = KIND_PNM;
        result = pnm_open(&image->pnm, stream);
    } else if (size >= 2 && head[0] == 'B' && head[1] == 'M') {
        image->kind = KIND_BMP;
        result = bmp_open(&image->bmp, stream);
    } else {
        result = fail_unknown(stream, head, size);
    }
    *format = stream->format;
    return result;
}

ssize_t
image_read(struct image *image, void *buffer, size_t capacity)
{
    struct image_stream *stream = &image->stream;

    if (stream->has_failed)
        return -1;
    assert(stream->format.channels != 0);
    stream->delivered = 0;
    return image->kind == KIND_PNM ? pnm_read(&image->pnm, buffer, capacity)
                                   : bmp_read(&image->bmp, buffer, capacity);
}

uint64_t
image_zeros(const struct image *image, uint64_t zeros)
{
    const struct image_stream *stream = &image->stream;

    /* Pixels of BMP have palettes and padding. */
    if (image->kind != KIND_PNM || stream->has_failed ||
        image_stream_buffered(stream) > 0)
        return 0;
    return pnm_zeros(&image->pnm, zeros);
}

void
image_skip_zeros(struct image *image, uint64_t bytes)
{
    image->stream.input_bytes += bytes;
    pnm_skip_zeros(&image->pnm, bytes);
}

size_t
image_delivered(const struct image *image)
{
    return image->stream.delivered;
}
