/* SPDX-License-Identifier: MIT */
/*
 * bmp.c -- decode the pixels of a BMP image
 *
 * The pixels are converted block by block.  A row can be larger than any
 * block, so a block may start and end anywhere in a row.
 */

#include <stdbool.h>

#include "base/little_endian.h"
#include "input/image/bmp.h"

/* ---- the header ---- */

/* The size of the header that follows the file header gives its version. */
enum {
    BMP_CORE_HEADER = 12, /* OS/2 1.x, Windows 2.x */
    BMP_INFO_HEADER = 40,
    BMP_V2_HEADER = 52, /* with masks for R, G and B */
    BMP_V3_HEADER = 56, /* and for alpha */
    BMP_V4_HEADER = 108,
    BMP_V5_HEADER = 124,
};

/* The offsets of the fields, from the start of the file. */
enum {
    BMP_AT_PIXELS = 10,
    BMP_AT_HEADER = 14,
    BMP_AT_WIDTH = 18,

    BMP_CORE_AT_HEIGHT = 20,
    BMP_CORE_AT_PLANES = 22,
    BMP_CORE_AT_BITS = 24,

    BMP_AT_HEIGHT = 22,
    BMP_AT_PLANES = 26,
    BMP_AT_BITS = 28,
    BMP_AT_COMPRESSION = 30,
    BMP_AT_COLOURS = 46,
    BMP_AT_MASKS = 54,
};

enum {
    BI_RGB = 0,
    BI_BITFIELDS = 3,
    BI_ALPHABITFIELDS = 6,
};

struct bmp_header {
    uint32_t pixels; /* offset of the pixels, bytes */
    uint32_t bytes;  /* size of the header, which gives its version */
    uint32_t width;
    uint32_t height;
    bool is_bottom_up;
    unsigned int planes;
    unsigned int bits;
    uint32_t compression;
    uint32_t colours;
    uint32_t mask[4]; /* R, G, B, A */
};

/* Width and height are signed numbers; a negative height means top-down. */
static int
set_shape(struct image_stream *stream, struct bmp_header *header,
          uint32_t width, uint32_t height)
{
    header->is_bottom_up = height <= INT32_MAX;
    header->width = width;
    header->height = header->is_bottom_up ? height : 0 - height;
    if (width == 0 || width > INT32_MAX || height == 0)
        return image_stream_fail(stream, BMP_AT_WIDTH,
                                 "bad size: %d by %d pixels", (int)width,
                                 (int)height);
    return 0;
}

/* Read the fields of the headers and the masks.  Returns 0, or -1. */
static int
read_fields(struct image_stream *stream, struct bmp_header *header)
{
    if (image_stream_fill(stream, BMP_AT_WIDTH) < 0)
        return -1;
    if (image_stream_buffered(stream) < BMP_AT_WIDTH)
        return image_stream_fail_truncated(stream, "header");

    uint32_t bytes =
        little_endian_32(stream->buffer + stream->next + BMP_AT_HEADER);
    if (bytes != BMP_CORE_HEADER && bytes != BMP_INFO_HEADER &&
        bytes != BMP_V2_HEADER && bytes != BMP_V3_HEADER &&
        bytes != BMP_V4_HEADER && bytes != BMP_V5_HEADER)
        return image_stream_fail(
            stream, BMP_AT_HEADER,
            "no known BMP header has %u bytes; " IMAGE_STREAM_HINT, bytes);

    const unsigned char *file =
        image_stream_take(stream, BMP_AT_HEADER + bytes);
    if (file == NULL)
        return -1;
    header->pixels = little_endian_32(file + BMP_AT_PIXELS);
    header->bytes = bytes;
    if (bytes == BMP_CORE_HEADER) {
        header->planes = little_endian_16(file + BMP_CORE_AT_PLANES);
        header->bits = little_endian_16(file + BMP_CORE_AT_BITS);
        return set_shape(stream, header, little_endian_16(file + BMP_AT_WIDTH),
                         little_endian_16(file + BMP_CORE_AT_HEIGHT));
    }

    header->planes = little_endian_16(file + BMP_AT_PLANES);
    header->bits = little_endian_16(file + BMP_AT_BITS);
    header->compression = little_endian_32(file + BMP_AT_COMPRESSION);
    header->colours = little_endian_32(file + BMP_AT_COLOURS);
    if (set_shape(stream, header, little_endian_32(file + BMP_AT_WIDTH),
                  little_endian_32(file + BMP_AT_HEIGHT)) < 0)
        return -1;
    if (header->compression != BI_BITFIELDS &&
        header->compression != BI_ALPHABITFIELDS)
        return 0;

    /* Newer headers include the masks.  After an older header, at the same
       offset, the file has as many masks as its compression needs. */
    size_t masks = bytes == BMP_V2_HEADER ? 3 : 4;
    const unsigned char *data = file + BMP_AT_MASKS;
    if (bytes == BMP_INFO_HEADER) {
        masks = header->compression == BI_BITFIELDS ? 3 : 4;
        data = image_stream_take(stream, 4 * masks);
        if (data == NULL)
            return -1;
    }
    for (size_t i = 0; i < masks; i++)
        header->mask[i] = little_endian_32(data + 4 * i);
    return 0;
}

/* Refuse variants of the format that are not supported.  Returns 0, or -1. */
static int
check_fields(struct image_stream *stream, const struct bmp_header *header)
{
    static const char *const names[] = {
        [1] = "RLE8", [2] = "RLE4", [4] = "JPEG", [5] = "PNG"};
    bool is_core = header->bytes == BMP_CORE_HEADER;
    uint64_t bits_at = is_core ? BMP_CORE_AT_BITS : BMP_AT_BITS;
    uint32_t compression = header->compression;

    if (header->planes != 1)
        return image_stream_fail(stream, bits_at - 2,
                                 "a BMP image with %u planes, not 1",
                                 header->planes);
    if (compression < sizeof names / sizeof *names && names[compression])
        return image_stream_fail(
            stream, BMP_AT_COMPRESSION,
            "a BMP image in %s compression; " IMAGE_STREAM_HINT,
            names[compression]);
    if (header->bits != 8 && header->bits != 24 && header->bits != 32)
        return image_stream_fail(
            stream, bits_at,
            "a BMP image of %u-bit pixels, not 8, 24 or 32; " IMAGE_STREAM_HINT,
            header->bits);
    if (compression != BI_RGB &&
        (header->bits != 32 ||
         (compression != BI_BITFIELDS && compression != BI_ALPHABITFIELDS)))
        return image_stream_fail(
            stream, BMP_AT_COMPRESSION,
            "a BMP image of %u-bit pixels, compression %u; " IMAGE_STREAM_HINT,
            header->bits, compression);
    if (header->pixels < image_stream_position(stream))
        return image_stream_fail(
            stream, BMP_AT_PIXELS,
            "the pixels begin at byte %u, within the header", header->pixels);
    return 0;
}

/* Find the byte of each channel in a 32-bit pixel.  Returns 0, or -1. */
static int
set_order(struct bmp *bmp, const struct bmp_header *header)
{
    struct image_stream *stream = bmp->stream;
    uint32_t all = 0;

    stream->format.channels = header->mask[3] != 0 ? 4 : 3;
    for (unsigned int c = 0; c < stream->format.channels; c++) {
        unsigned int byte = 0;
        while (byte < 4 && header->mask[c] != (uint32_t)UINT8_MAX << 8 * byte)
            byte++;
        if (byte == 4 || (all & header->mask[c]) != 0)
            return image_stream_fail(
                stream, BMP_AT_MASKS,
                "the masks of a BMP image are not one byte for each "
                "channel; " IMAGE_STREAM_HINT);
        all |= header->mask[c];
        bmp->order[c] = byte;
    }
    return 0;
}

/* Read the palette and set the number of channels.  Returns 0, or -1. */
static int
read_palette(struct bmp *bmp, const struct bmp_header *header)
{
    struct image_stream *stream = bmp->stream;
    uint32_t entry_bytes = header->bytes == BMP_CORE_HEADER ? 3 : 4;
    uint32_t room = (header->pixels - (uint32_t)image_stream_position(stream)) /
                    entry_bytes;
    uint32_t colours = header->colours;

    /* 0 means all 256, but some files store only the entries they use. */
    if (colours == 0)
        colours = room < BMP_PALETTE_MAX ? room : BMP_PALETTE_MAX;
    if (colours == 0)
        return image_stream_fail(stream, BMP_AT_PIXELS,
                                 "a BMP image without its palette");
    if (colours > room)
        return image_stream_fail(
            stream, BMP_AT_COLOURS,
            "a palette of %u colours reaches into the pixels", colours);
    /* No pixel can use more entries; they are skipped with the gap. */
    if (colours > BMP_PALETTE_MAX)
        colours = BMP_PALETTE_MAX;

    const unsigned char *entry =
        image_stream_take(stream, colours * entry_bytes);
    if (entry == NULL)
        return -1;
    bool is_grey = true;
    for (uint32_t i = 0; i < colours; i++, entry += entry_bytes) {
        bmp->palette[i][0] = entry[2];
        bmp->palette[i][1] = entry[1];
        bmp->palette[i][2] = entry[0];
        is_grey &= entry[0] == entry[1] && entry[0] == entry[2];
    }
    bmp->colours = colours;
    stream->format.channels = is_grey ? 1 : 3;
    return 0;
}

int
bmp_open(struct bmp *bmp, struct image_stream *stream)
{
    struct bmp_header header = {0};

    *bmp = (struct bmp){.stream = stream};
    if (read_fields(stream, &header) < 0 || check_fields(stream, &header) < 0)
        return -1;

    /* Without masks the order is B, G, R, and a fourth byte is unused. */
    bmp->order[0] = 2;
    bmp->order[1] = 1;
    bmp->order[2] = 0;
    stream->format = (struct image_format){3, 1, UINT8_MAX};
    if (header.compression != BI_RGB && set_order(bmp, &header) < 0)
        return -1;
    if (header.bits == 8 && read_palette(bmp, &header) < 0)
        return -1;
    if (image_stream_skip(stream, header.pixels - image_stream_position(stream),
                          "header") < 0)
        return -1;

    bmp->pixel_bytes = header.bits / 8;
    /* Rows are padded to multiples of 4 bytes.  If the product wraps, its
       remainder is still right. */
    bmp->padding = -(header.width * bmp->pixel_bytes) & 3;
    bmp->rows_left = header.height;
    stream->shape.width = header.width;
    stream->shape.height = header.height;
    stream->shape.is_bottom_up = header.is_bottom_up;
    stream->shape.images = 1;
    stream->block_bytes = IMAGE_STREAM_PIXEL_BYTES;
    return 0;
}

/* ---- the pixels ---- */

/*
 * Callers pass constants for CHANNELS and PIXEL_BYTES, so the compiler makes a
 * specialised loop for each call.
 */
static inline void
pick_channels(unsigned char *restrict out, unsigned int channels,
              const unsigned char *restrict in, unsigned int pixel_bytes,
              size_t pixels, const unsigned int *restrict order)
{
    for (size_t i = 0; i < pixels; i++) {
        out[0] = in[order[0]];
        out[1] = in[order[1]];
        out[2] = in[order[2]];
        if (channels == 4)
            out[3] = in[order[3]];
        out += channels;
        in += pixel_bytes;
    }
}

static void
look_up_grey(unsigned char *restrict out, const unsigned char *restrict in,
             size_t pixels, const unsigned char palette[restrict][3])
{
    for (size_t i = 0; i < pixels; i++)
        out[i] = palette[in[i]][0];
}

static void
look_up_colour(unsigned char *restrict out, const unsigned char *restrict in,
               size_t pixels, const unsigned char palette[restrict][3])
{
    for (size_t i = 0; i < pixels; i++) {
        const unsigned char *rgb = palette[in[i]];
        out[0] = rgb[0];
        out[1] = rgb[1];
        out[2] = rgb[2];
        out += 3;
    }
}

/* Convert PIXELS pixels of the stream's buffer to OUT.  Returns 0, or -1. */
static int
convert(const struct bmp *bmp, unsigned char *out, size_t pixels)
{
    struct image_stream *stream = bmp->stream;
    unsigned int channels = stream->format.channels;
    const unsigned char *in = stream->buffer + stream->next;

    if (bmp->pixel_bytes == 1) {
        size_t bad = image_stream_find_above(in, pixels, bmp->colours - 1);
        if (bad < pixels)
            return image_stream_fail(
                stream, image_stream_position(stream) + bad,
                "index %u into a palette of %u colours", in[bad], bmp->colours);
    }
    if (bmp->pixel_bytes == 1 && channels == 1)
        look_up_grey(out, in, pixels, bmp->palette);
    else if (bmp->pixel_bytes == 1)
        look_up_colour(out, in, pixels, bmp->palette);
    else if (bmp->pixel_bytes == 3)
        pick_channels(out, 3, in, 3, pixels, bmp->order);
    else if (channels == 3)
        pick_channels(out, 3, in, 4, pixels, bmp->order);
    else
        pick_channels(out, 4, in, 4, pixels, bmp->order);
    stream->next += pixels * bmp->pixel_bytes;
    return 0;
}

/*
 * Convert the buffered pixels of the current row that fit into BUFFER.  If not
 * even one fits, keep it in bmp->tail.  Returns the number of bytes in BUFFER,
 * or -1.
 */
static ssize_t
read_piece(struct bmp *bmp, unsigned char *buffer, size_t capacity)
{
    struct image_stream *stream = bmp->stream;
    unsigned int channels = stream->format.channels;

    if (image_stream_fill(stream, bmp->pixel_bytes) < 0)
        return -1;
    size_t pixels = image_stream_buffered(stream) / bmp->pixel_bytes;
    if (pixels == 0)
        return image_stream_fail_truncated(stream, "pixels");
    if (pixels > bmp->pixels_left)
        pixels = bmp->pixels_left;

    size_t given;
    if (capacity >= channels) {
        if (pixels > capacity / channels)
            pixels = capacity / channels;
        given = pixels * channels;
        if (convert(bmp, buffer, pixels) < 0)
            return -1;
    } else {
        pixels = 1;
        given = 0;
        if (convert(bmp, bmp->tail, 1) < 0)
            return -1;
        bmp->tail_next = 0;
        bmp->tail_end = channels;
    }

    bmp->pixels_left -= (uint32_t)pixels;
    if (bmp->pixels_left == 0 &&
        image_stream_skip(stream, bmp->padding, "pixels") < 0)
        return -1;
    return (ssize_t)given;
}

/*
 * Read to the end of the file: the writer of a pipe must not get SIGPIPE, and
 * a decoder verifies its checksum at the end.
 */
static int
skip_trailer(struct image_stream *stream)
{
    do {
        stream->next = stream->end;
        if (image_stream_fill(stream, 1) < 0)
            return -1;
    } while (image_stream_buffered(stream) > 0);
    return 0;
}

ssize_t
bmp_read(struct bmp *bmp, unsigned char *buffer, size_t capacity)
{
    struct image_stream *stream = bmp->stream;
    size_t done = 0;

    while (done < capacity) {
        if (bmp->tail_next < bmp->tail_end) {
            buffer[done++] = bmp->tail[bmp->tail_next++];
            continue;
        }
        if (bmp->pixels_left == 0) {
            if (bmp->rows_left == 0) {
                if (skip_trailer(stream) < 0)
                    return -1;
                break;
            }
            bmp->rows_left--;
            bmp->pixels_left = stream->shape.width;
        }
        ssize_t got = read_piece(bmp, buffer + done, capacity - done);
        if (got < 0)
            return -1;
        done += (size_t)got;
        stream->delivered = done;
    }
    return (ssize_t)done;
}
