/*
 * image.c -- the pixels of PNM and BMP images, packed
 *
 * Headers are read through a small buffer.  The pixels of a PNM image are
 * canonical already: what the buffer holds of them is copied, all others go
 * from the callback straight into the caller's memory.  A BMP image is
 * converted block by block; a row can be larger than any block, so a block
 * may begin and end anywhere in a row.
 */

#include <assert.h>
#include <endian.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/image.h"

enum {
    /* Enough for the longest piece of a header, and no more than that: what
       it gets of a PNM image's pixels has to be copied. */
    HEADER_BLOCK_BYTES = 4096,
    PIXEL_BLOCK_BYTES = 65536,
    /* A compiler turns a loop of constant length into vector code. */
    CHECK_SAMPLES = 256,
    PALETTE_MAX = 256,
};

#define HINT "convert it with netpbm or ImageMagick: magick IN ppm:-"

enum kind {
    KIND_PNM,
    KIND_BMP,
};

struct pnm {
    uint64_t left;     /* bytes of this image's pixels still to come */
    bool has_high;     /* a sample was cut in two: ... */
    unsigned int high; /* ... the first byte of it */
};

struct bmp {
    unsigned int pixel_bytes; /* 1: an index into the palette; 3; 4 */
    unsigned int order[4];    /* which byte of a pixel is R, G, B, A */
    unsigned int padding;     /* bytes behind each row: 0 .. 3 */
    uint32_t rows_left;       /* not begun yet */
    uint32_t pixels_left;     /* in the row that has begun */
    unsigned int colours;     /* in the palette */
    unsigned char palette[PALETTE_MAX][3]; /* R, G, B */
    /* A pixel that did not fit into the caller's memory as a whole. */
    unsigned char rest[4];
    unsigned int rest_next, rest_end;
};

struct image_stream {
    image_read_fn *read;
    void *context;
    bool input_ended;
    uint64_t input_bytes; /* delivered by the callback */

    size_t block_bytes; /* how much of the buffer is used */
    size_t next, end;   /* what it holds that nobody has looked at yet */
    unsigned char buffer[PIXEL_BLOCK_BYTES];

    bool has_failed;
    char error[192]; /* "": the callback failed */
    uint64_t error_offset;

    enum kind kind;
    struct image_format format; /* no channels: not known yet */
    struct image_shape shape;
    struct pnm pnm;
    struct bmp bmp;
    size_t delivered; /* by the image_read() that is going on, or was last */
};

/* ---- the input ---- */

struct image_stream *
image_open(image_read_fn *read, void *context)
{
    struct image_stream *stream = calloc(1, sizeof *stream);

    if (stream != NULL) {
        stream->read = read;
        stream->context = context;
        stream->block_bytes = HEADER_BLOCK_BYTES;
    }
    return stream;
}

void
image_close(struct image_stream *stream)
{
    free(stream);
}

const char *
image_error(const struct image_stream *stream, uint64_t *offset)
{
    *offset = stream->error_offset;
    return stream->error[0] == '\0' ? NULL : stream->error;
}

struct image_shape
image_shape(const struct image_stream *stream)
{
    return stream->shape;
}

/* Record what is wrong at OFFSET; -1, to be returned. */
static int __attribute__((format(printf, 3, 4)))
fail(struct image_stream *stream, uint64_t offset, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    (void)vsnprintf(stream->error, sizeof stream->error, format, args);
    va_end(args);
    stream->error_offset = offset;
    stream->has_failed = true;
    return -1;
}

/* The same for a file that ends too early: PART says where. */
static int
fail_truncated(struct image_stream *stream, const char *part)
{
    return fail(stream, stream->input_bytes, "the file ends within the %s",
                part);
}

static size_t
buffered(const struct image_stream *stream)
{
    return stream->end - stream->next;
}

/* The offset of the next byte that nobody has looked at. */
static uint64_t
position(const struct image_stream *stream)
{
    return stream->input_bytes - buffered(stream);
}

/* The callback, which is left alone once it has come to the end. */
static ssize_t
read_input(struct image_stream *stream, void *buffer, size_t capacity)
{
    if (stream->input_ended)
        return 0;

    ssize_t got = stream->read(stream->context, buffer, capacity);
    if (got < 0) {
        stream->has_failed = true;
        return -1;
    }
    stream->input_ended = (size_t)got < capacity;
    stream->input_bytes += (uint64_t)got;
    return got;
}

/* Have WANTED bytes in the buffer, or all that there are.  0, or -1. */
static int
fill(struct image_stream *stream, size_t wanted)
{
    assert(wanted <= stream->block_bytes);
    if (buffered(stream) >= wanted)
        return 0;

    stream->end = buffered(stream);
    memmove(stream->buffer, stream->buffer + stream->next, stream->end);
    stream->next = 0;
    ssize_t got = read_input(stream, stream->buffer + stream->end,
                             stream->block_bytes - stream->end);
    if (got < 0)
        return -1;
    stream->end += (size_t)got;
    return 0;
}

/* The next SIZE bytes of the header, good until the next fill(); or NULL. */
static const unsigned char *
take_header(struct image_stream *stream, size_t size)
{
    if (fill(stream, size) < 0)
        return NULL;
    if (buffered(stream) < size) {
        fail_truncated(stream, "header");
        return NULL;
    }
    const unsigned char *data = stream->buffer + stream->next;
    stream->next += size;
    return data;
}

/* Pass over SIZE bytes, which belong to PART.  0, or -1. */
static int
skip(struct image_stream *stream, uint64_t size, const char *part)
{
    while (size > 0) {
        if (fill(stream, 1) < 0)
            return -1;
        if (buffered(stream) == 0)
            return fail_truncated(stream, part);
        size_t step = buffered(stream) < size ? buffered(stream) : (size_t)size;
        stream->next += step;
        size -= step;
    }
    return 0;
}

/* ---- samples that are too large ---- */

/* The index of the first byte above HIGHEST; SIZE if there is none. */
static size_t
find_above_8(const unsigned char *data, size_t size, unsigned int highest)
{
    size_t at = 0;

    for (; size - at >= CHECK_SAMPLES; at += CHECK_SAMPLES) {
        unsigned char top = 0;
        for (size_t i = 0; i < CHECK_SAMPLES; i++)
            top = data[at + i] > top ? data[at + i] : top;
        if (top > highest)
            break;
    }
    while (at < size && data[at] <= highest)
        at++;
    return at;
}

static unsigned int
big_endian_16(const unsigned char *data)
{
    return (unsigned int)data[0] << 8 | data[1];
}

/* The same for samples of 2 bytes; SIZE and the result are in bytes. */
static size_t
find_above_16(const unsigned char *data, size_t size, unsigned int highest)
{
    uint16_t sample[CHECK_SAMPLES];
    size_t at = 0;

    for (; size - at >= sizeof sample; at += sizeof sample) {
        uint16_t top = 0;
        memcpy(sample, data + at, sizeof sample);
        for (size_t i = 0; i < CHECK_SAMPLES; i++) {
            uint16_t value = be16toh(sample[i]);
            top = value > top ? value : top;
        }
        if (top > highest)
            break;
    }
    while (at < size && big_endian_16(data + at) <= highest)
        at += 2;
    return at;
}

static int
fail_sample(struct image_stream *stream, uint64_t offset, unsigned int sample)
{
    return fail(stream, offset, "a sample of %u is above the maxval of %u",
                sample, stream->format.maxval);
}

/* Check the SIZE bytes at DATA, the last ones that were taken.  0, or -1. */
static int
pnm_check(struct image_stream *stream, const unsigned char *data, size_t size)
{
    struct pnm *pnm = &stream->pnm;
    unsigned int maxval = stream->format.maxval;
    uint64_t offset = position(stream) - size;

    if (maxval == UINT8_MAX || maxval == UINT16_MAX || size == 0)
        return 0;
    if (stream->format.sample_bytes == 1) {
        size_t bad = find_above_8(data, size, maxval);
        return bad == size ? 0 : fail_sample(stream, offset + bad, data[bad]);
    }

    size_t first = 0;
    if (pnm->has_high) {
        unsigned int sample = pnm->high << 8 | data[0];
        if (sample > maxval)
            return fail_sample(stream, offset - 1, sample);
        first = 1;
    }
    pnm->has_high = (size - first) % 2 != 0;
    pnm->high = data[size - 1];

    size_t end = pnm->has_high ? size - 1 : size;
    size_t bad = first + find_above_16(data + first, end - first, maxval);
    return bad == end
               ? 0
               : fail_sample(stream, offset + bad, big_endian_16(data + bad));
}

/* ---- PNM ---- */

static bool
is_space(int byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

static bool
is_digit(int byte)
{
    return byte >= '0' && byte <= '9';
}

/* The next byte of the header; or -1. */
static int
take_byte(struct image_stream *stream)
{
    const unsigned char *data = take_header(stream, 1);

    return data == NULL ? -1 : *data;
}

/* The next byte that is neither white space nor in a comment; or -1. */
static int
take_byte_after_space(struct image_stream *stream)
{
    for (;;) {
        int byte = take_byte(stream);
        if (byte == '#') {
            while (byte >= 0 && byte != '\n' && byte != '\r')
                byte = take_byte(stream);
        }
        if (!is_space(byte))
            return byte;
    }
}

/*
 * A number from 1 to HIGHEST, and the one byte of white space behind it.
 * NAME says what it is.  0, or -1.
 */
static int
pnm_take_number(struct image_stream *stream, const char *name, uint32_t highest,
                uint32_t *number)
{
    uint64_t value = 0;
    int byte = take_byte_after_space(stream);
    uint64_t offset = position(stream) - 1;

    if (byte >= 0 && !is_digit(byte))
        return fail(stream, offset, "the %s is not a number", name);
    for (; is_digit(byte); byte = take_byte(stream)) {
        value = value * 10 + (uint64_t)(byte - '0');
        if (value > highest)
            return fail(stream, offset, "the %s is above %u", name, highest);
    }
    if (byte < 0)
        return -1;
    if (byte == '#')
        return fail(stream, position(stream) - 1,
                    "the comment must not touch the %s", name);
    if (!is_space(byte))
        return fail(stream, position(stream) - 1, "the %s is not a number",
                    name);
    if (value == 0)
        return fail(stream, offset, "the %s is 0", name);
    *number = (uint32_t)value;
    return 0;
}

/* The header from its magic number on: *FORMAT and the shape.  0, or -1. */
static int
pnm_read_header(struct image_stream *stream, struct image_format *format)
{
    const unsigned char *magic = take_header(stream, 2);
    uint32_t width = 0, height = 0, maxval = 0;

    if (magic == NULL)
        return -1;
    format->channels = magic[1] == '5' ? 1 : 3;

    int byte = take_byte(stream);
    if (byte < 0)
        return -1;
    if (!is_space(byte) && byte != '#')
        return fail(stream, position(stream) - 1,
                    "no white space after the magic number");
    stream->next--; /* a comment may begin here */

    if (pnm_take_number(stream, "width", INT32_MAX, &width) < 0 ||
        pnm_take_number(stream, "height", INT32_MAX, &height) < 0 ||
        pnm_take_number(stream, "maxval", UINT16_MAX, &maxval) < 0)
        return -1;
    format->maxval = maxval;
    format->sample_bytes = maxval > UINT8_MAX ? 2 : 1;

    uint64_t pixels = (uint64_t)width * height;
    if (__builtin_mul_overflow(pixels, format->channels * format->sample_bytes,
                               &stream->pnm.left))
        return fail(stream, position(stream), "%u by %u pixels are too many",
                    width, height);
    stream->shape.width = width;
    stream->shape.height = height;
    stream->shape.images++;
    return 0;
}

/* After an image: go on to the next.  1; 0: there is none; -1. */
static int
pnm_next_image(struct image_stream *stream)
{
    struct image_format format = {0};
    const struct image_format *first = &stream->format;

    for (;;) {
        if (fill(stream, 2) < 0)
            return -1;
        if (buffered(stream) == 0)
            return 0;
        if (!is_space(stream->buffer[stream->next]))
            break;
        stream->next++;
    }

    uint64_t offset = position(stream);
    const unsigned char *magic = stream->buffer + stream->next;
    if (buffered(stream) < 2 || magic[0] != 'P' ||
        (magic[1] != '5' && magic[1] != '6'))
        return fail(stream, offset,
                    "garbage after the image: neither P5 nor P6");
    if (pnm_read_header(stream, &format) < 0)
        return -1;
    if (format.channels != first->channels || format.maxval != first->maxval)
        return fail(stream, offset,
                    "this image has %u channels and a maxval of %u, the first "
                    "%u and %u",
                    format.channels, format.maxval, first->channels,
                    first->maxval);
    return 1;
}

static ssize_t
pnm_read(struct image_stream *stream, unsigned char *buffer, size_t capacity)
{
    size_t done = 0;

    while (done < capacity) {
        if (stream->pnm.left == 0) {
            int more = pnm_next_image(stream);
            if (more < 0)
                return -1;
            if (more == 0)
                break;
        }

        size_t size = capacity - done;
        if (size > stream->pnm.left)
            size = (size_t)stream->pnm.left;
        if (buffered(stream) > 0) {
            if (size > buffered(stream))
                size = buffered(stream);
            memcpy(buffer + done, stream->buffer + stream->next, size);
            stream->next += size;
        } else {
            ssize_t got = read_input(stream, buffer + done, size);
            if (got < 0)
                return -1;
            if (got == 0)
                return fail_truncated(stream, "pixels");
            size = (size_t)got;
        }
        if (pnm_check(stream, buffer + done, size) < 0)
            return -1;
        stream->pnm.left -= size;
        done += size;
        stream->delivered = done;
    }
    return (ssize_t)done;
}

/* ---- BMP: the header ---- */

/* The sizes of the headers behind the file header tell their versions. */
enum {
    BMP_CORE_HEADER = 12, /* OS/2 1.x, Windows 2.x */
    BMP_INFO_HEADER = 40,
    BMP_V2_HEADER = 52, /* with masks for R, G and B */
    BMP_V3_HEADER = 56, /* and for alpha */
    BMP_V4_HEADER = 108,
    BMP_V5_HEADER = 124,
};

/* Where the fields are, from the begin of the file. */
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
    uint32_t pixels; /* where they begin */
    uint32_t bytes;  /* the size of the header, which tells its version */
    uint32_t width;
    uint32_t height;
    bool is_bottom_up;
    unsigned int planes;
    unsigned int bits;
    uint32_t compression;
    uint32_t colours;
    uint32_t mask[4]; /* R, G, B, A */
};

static unsigned int
little_endian_16(const unsigned char *data)
{
    return data[0] | (unsigned int)data[1] << 8;
}

static uint32_t
little_endian_32(const unsigned char *data)
{
    return little_endian_16(data) | (uint32_t)little_endian_16(data + 2) << 16;
}

/* The sizes as signed numbers of 32 bits: a height below 0 means top-down. */
static int
bmp_set_shape(struct image_stream *stream, struct bmp_header *header,
              uint32_t width, uint32_t height)
{
    header->is_bottom_up = height <= INT32_MAX;
    header->width = width;
    header->height = header->is_bottom_up ? height : 0 - height;
    if (width == 0 || width > INT32_MAX || height == 0)
        return fail(stream, BMP_AT_WIDTH, "no image is %d by %d pixels",
                    (int)width, (int)height);
    return 0;
}

/* Read the fields of the headers and the masks.  0, or -1. */
static int
bmp_read_fields(struct image_stream *stream, struct bmp_header *header)
{
    if (fill(stream, BMP_AT_WIDTH) < 0)
        return -1;
    if (buffered(stream) < BMP_AT_WIDTH)
        return fail_truncated(stream, "header");

    uint32_t bytes =
        little_endian_32(stream->buffer + stream->next + BMP_AT_HEADER);
    if (bytes != BMP_CORE_HEADER && bytes != BMP_INFO_HEADER &&
        bytes != BMP_V2_HEADER && bytes != BMP_V3_HEADER &&
        bytes != BMP_V4_HEADER && bytes != BMP_V5_HEADER)
        return fail(stream, BMP_AT_HEADER,
                    "no known BMP header has %u bytes; " HINT, bytes);

    const unsigned char *file = take_header(stream, BMP_AT_HEADER + bytes);
    if (file == NULL)
        return -1;
    header->pixels = little_endian_32(file + BMP_AT_PIXELS);
    header->bytes = bytes;
    if (bytes == BMP_CORE_HEADER) {
        header->planes = little_endian_16(file + BMP_CORE_AT_PLANES);
        header->bits = little_endian_16(file + BMP_CORE_AT_BITS);
        return bmp_set_shape(stream, header,
                             little_endian_16(file + BMP_AT_WIDTH),
                             little_endian_16(file + BMP_CORE_AT_HEIGHT));
    }

    header->planes = little_endian_16(file + BMP_AT_PLANES);
    header->bits = little_endian_16(file + BMP_AT_BITS);
    header->compression = little_endian_32(file + BMP_AT_COMPRESSION);
    header->colours = little_endian_32(file + BMP_AT_COLOURS);
    if (bmp_set_shape(stream, header, little_endian_32(file + BMP_AT_WIDTH),
                      little_endian_32(file + BMP_AT_HEIGHT)) < 0)
        return -1;
    if (header->compression != BI_BITFIELDS &&
        header->compression != BI_ALPHABITFIELDS)
        return 0;

    /* Newer headers have fields for the masks.  Behind the older one, at the
       same place, are as many as the compression needs. */
    size_t masks = bytes == BMP_V2_HEADER ? 3 : 4;
    const unsigned char *data = file + BMP_AT_MASKS;
    if (bytes == BMP_INFO_HEADER) {
        masks = header->compression == BI_BITFIELDS ? 3 : 4;
        data = take_header(stream, 4 * masks);
        if (data == NULL)
            return -1;
    }
    for (size_t i = 0; i < masks; i++)
        header->mask[i] = little_endian_32(data + 4 * i);
    return 0;
}

/* Refuse what cannot be decoded, and say what it is.  0, or -1. */
static int
bmp_check_fields(struct image_stream *stream, const struct bmp_header *header)
{
    static const char *const names[] = {
        [1] = "RLE8", [2] = "RLE4", [4] = "JPEG", [5] = "PNG"};
    bool is_core = header->bytes == BMP_CORE_HEADER;
    uint64_t bits_at = is_core ? BMP_CORE_AT_BITS : BMP_AT_BITS;
    uint32_t compression = header->compression;

    if (header->planes != 1)
        return fail(stream, bits_at - 2, "a BMP image with %u planes, not 1",
                    header->planes);
    if (compression < sizeof names / sizeof *names && names[compression])
        return fail(stream, BMP_AT_COMPRESSION,
                    "a BMP image in %s compression; " HINT, names[compression]);
    if (header->bits != 8 && header->bits != 24 && header->bits != 32)
        return fail(stream, bits_at,
                    "a BMP image of %u bits a pixel, not 8, 24 or 32; " HINT,
                    header->bits);
    if (compression != BI_RGB &&
        (header->bits != 32 ||
         (compression != BI_BITFIELDS && compression != BI_ALPHABITFIELDS)))
        return fail(stream, BMP_AT_COMPRESSION,
                    "a BMP image of %u bits a pixel in compression %u; " HINT,
                    header->bits, compression);
    if (header->pixels < position(stream))
        return fail(stream, BMP_AT_PIXELS,
                    "the pixels begin at byte %u, within the header",
                    header->pixels);
    return 0;
}

/* Find the bytes of the channels of 32-bit pixels.  0, or -1. */
static int
bmp_set_order(struct image_stream *stream, const struct bmp_header *header)
{
    struct bmp *bmp = &stream->bmp;
    uint32_t all = 0;

    stream->format.channels = header->mask[3] != 0 ? 4 : 3;
    for (unsigned int c = 0; c < stream->format.channels; c++) {
        unsigned int byte = 0;
        while (byte < 4 && header->mask[c] != (uint32_t)UINT8_MAX << 8 * byte)
            byte++;
        if (byte == 4 || (all & header->mask[c]) != 0)
            return fail(stream, BMP_AT_MASKS,
                        "the masks of a BMP image are not one byte for each "
                        "channel; " HINT);
        all |= header->mask[c];
        bmp->order[c] = byte;
    }
    return 0;
}

/* Read the palette and see whether it is grey.  0, or -1. */
static int
bmp_read_palette(struct image_stream *stream, const struct bmp_header *header)
{
    struct bmp *bmp = &stream->bmp;
    uint32_t entry_bytes = header->bytes == BMP_CORE_HEADER ? 3 : 4;
    uint32_t room = (header->pixels - (uint32_t)position(stream)) / entry_bytes;
    uint32_t colours = header->colours;

    /* 0 means all, but some files have no more than they use. */
    if (colours == 0)
        colours = room < PALETTE_MAX ? room : PALETTE_MAX;
    if (colours == 0)
        return fail(stream, BMP_AT_PIXELS, "a BMP image without its palette");
    if (colours > room)
        return fail(stream, BMP_AT_COLOURS,
                    "a palette of %u colours reaches into the pixels", colours);
    /* More cannot be used: skipped with the rest of the gap. */
    if (colours > PALETTE_MAX)
        colours = PALETTE_MAX;

    const unsigned char *entry = take_header(stream, colours * entry_bytes);
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

static int
bmp_read_header(struct image_stream *stream)
{
    struct bmp_header header = {0};
    struct bmp *bmp = &stream->bmp;

    if (bmp_read_fields(stream, &header) < 0 ||
        bmp_check_fields(stream, &header) < 0)
        return -1;

    /* Without masks the order is B, G, R, and a fourth byte is nothing. */
    bmp->order[0] = 2;
    bmp->order[1] = 1;
    bmp->order[2] = 0;
    stream->format = (struct image_format){3, 1, UINT8_MAX};
    if (header.compression != BI_RGB && bmp_set_order(stream, &header) < 0)
        return -1;
    if (header.bits == 8 && bmp_read_palette(stream, &header) < 0)
        return -1;
    if (skip(stream, header.pixels - position(stream), "header") < 0)
        return -1;

    bmp->pixel_bytes = header.bits / 8;
    /* Rows begin at multiples of 4 bytes from the first; a product that
       wraps has the same remainder. */
    bmp->padding = -(header.width * bmp->pixel_bytes) & 3;
    bmp->rows_left = header.height;
    stream->shape.width = header.width;
    stream->shape.height = header.height;
    stream->shape.is_bottom_up = header.is_bottom_up;
    stream->shape.images = 1;
    stream->block_bytes = PIXEL_BLOCK_BYTES;
    return 0;
}

/* ---- BMP: the pixels ---- */

/*
 * Called with constants for CHANNELS and PIXEL_BYTES, so that each call
 * becomes a loop of its own.
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

/* PIXELS pixels from the buffer, which holds them, to OUT.  0, or -1. */
static int
bmp_convert(struct image_stream *stream, unsigned char *out, size_t pixels)
{
    const struct bmp *bmp = &stream->bmp;
    unsigned int channels = stream->format.channels;
    const unsigned char *in = stream->buffer + stream->next;

    if (bmp->pixel_bytes == 1) {
        size_t bad = find_above_8(in, pixels, bmp->colours - 1);
        if (bad < pixels)
            return fail(stream, position(stream) + bad,
                        "index %u into a palette of %u colours", in[bad],
                        bmp->colours);
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
 * Some pixels of a row: as many as there are and fit.  If not even one fits,
 * it becomes the rest.  Returns the bytes in BUFFER, or -1.
 */
static ssize_t
bmp_read_piece(struct image_stream *stream, unsigned char *buffer,
               size_t capacity)
{
    struct bmp *bmp = &stream->bmp;
    unsigned int channels = stream->format.channels;

    if (fill(stream, bmp->pixel_bytes) < 0)
        return -1;
    size_t pixels = buffered(stream) / bmp->pixel_bytes;
    if (pixels == 0)
        return fail_truncated(stream, "pixels");
    if (pixels > bmp->pixels_left)
        pixels = bmp->pixels_left;

    size_t given;
    if (capacity >= channels) {
        if (pixels > capacity / channels)
            pixels = capacity / channels;
        given = pixels * channels;
        if (bmp_convert(stream, buffer, pixels) < 0)
            return -1;
    } else {
        pixels = 1;
        given = 0;
        if (bmp_convert(stream, bmp->rest, 1) < 0)
            return -1;
        bmp->rest_next = 0;
        bmp->rest_end = channels;
    }

    bmp->pixels_left -= (uint32_t)pixels;
    if (bmp->pixels_left == 0 && skip(stream, bmp->padding, "pixels") < 0)
        return -1;
    return (ssize_t)given;
}

/*
 * Read on to the end: a writer into a pipe must not be cut off, and a decoder
 * checks its input there.
 */
static int
bmp_skip_trailer(struct image_stream *stream)
{
    do {
        stream->next = stream->end;
        if (fill(stream, 1) < 0)
            return -1;
    } while (buffered(stream) > 0);
    return 0;
}

static ssize_t
bmp_read(struct image_stream *stream, unsigned char *buffer, size_t capacity)
{
    struct bmp *bmp = &stream->bmp;
    size_t done = 0;

    while (done < capacity) {
        if (bmp->rest_next < bmp->rest_end) {
            buffer[done++] = bmp->rest[bmp->rest_next++];
            continue;
        }
        if (bmp->pixels_left == 0) {
            if (bmp->rows_left == 0) {
                if (bmp_skip_trailer(stream) < 0)
                    return -1;
                break;
            }
            bmp->rows_left--;
            bmp->pixels_left = stream->shape.width;
        }
        ssize_t got = bmp_read_piece(stream, buffer + done, capacity - done);
        if (got < 0)
            return -1;
        done += (size_t)got;
        stream->delivered = done;
    }
    return (ssize_t)done;
}

/* ---- any image ---- */

/* Say what the file that begins with these SIZE bytes seems to be; -1. */
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
        return fail(stream, 0, "the input is empty");
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (size >= known[i].size &&
            memcmp(head, known[i].magic, known[i].size) == 0)
            return fail(stream, 0, "this seems to be %s image; " HINT,
                        known[i].name);
    }
    return fail(stream, 0, "neither PNM (P5, P6) nor BMP; " HINT);
}

int
image_read_header(struct image_stream *stream, struct image_format *format)
{
    assert(stream->format.channels == 0);
    if (fill(stream, 4) < 0)
        return -1;

    const unsigned char *head = stream->buffer;
    size_t size = buffered(stream);
    int result;
    if (size >= 2 && head[0] == 'P' && (head[1] == '5' || head[1] == '6')) {
        stream->kind = KIND_PNM;
        result = pnm_read_header(stream, &stream->format);
    } else if (size >= 2 && head[0] == 'B' && head[1] == 'M') {
        stream->kind = KIND_BMP;
        result = bmp_read_header(stream);
    } else {
        result = fail_unknown(stream, head, size);
    }
    *format = stream->format;
    return result;
}

ssize_t
image_read(struct image_stream *stream, void *buffer, size_t capacity)
{
    if (stream->has_failed)
        return -1;
    assert(stream->format.channels != 0);
    stream->delivered = 0;
    return stream->kind == KIND_PNM ? pnm_read(stream, buffer, capacity)
                                    : bmp_read(stream, buffer, capacity);
}

size_t
image_delivered(const struct image_stream *stream)
{
    return stream->delivered;
}
