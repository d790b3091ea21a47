/* SPDX-License-Identifier: MIT */
/*
 * test_image.c -- every pixel of an image once, in order, and nothing else
 *
 * The images are put together here byte by byte, next to the packed pixels
 * that must come out.
 */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../tap.h"
#include "input/image/image.h"

#define WATCHDOG_SECONDS 120
#define COUNT(table) (sizeof(table) / sizeof *(table))

static const size_t capacities[] = {1, 2, 3, 5, 7, 12, 4096, 1 << 20};

/* ---- bytes put one after the other ---- */

struct bytes {
    unsigned char *data;
    size_t size;
    size_t capacity;
};

static void
put(struct bytes *bytes, const void *data, size_t size)
{
    if (bytes->size + size > bytes->capacity) {
        bytes->capacity = 2 * (bytes->size + size);
        bytes->data = realloc(bytes->data, bytes->capacity);
        if (bytes->data == NULL)
            abort();
    }
    if (size > 0)
        memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
}

static void
put_text(struct bytes *bytes, const char *text)
{
    put(bytes, text, strlen(text));
}

/* SIZE bytes of VALUE, the least significant first. */
static void
put_number(struct bytes *bytes, uint32_t value, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        unsigned char byte = (unsigned char)(value >> 8 * i);
        put(bytes, &byte, 1);
    }
}

static void
put_byte(struct bytes *bytes, unsigned int value)
{
    put_number(bytes, value, 1);
}

static void
put_zeros(struct bytes *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        put_byte(bytes, 0);
}

static void
set_number(struct bytes *bytes, size_t at, uint32_t value, size_t size)
{
    for (size_t i = 0; i < size; i++)
        bytes->data[at + i] = (unsigned char)(value >> 8 * i);
}

static void
release(struct bytes *bytes)
{
    free(bytes->data);
    *bytes = (struct bytes){0};
}

/* ---- reading an image from memory ---- */

struct file {
    const unsigned char *data;
    size_t size;
    size_t next;
    unsigned int calls_left; /* then it fails */
    bool ended;
    bool was_misused; /* called again after the end */
};

static ssize_t
read_file(void *context, void *buffer, size_t capacity)
{
    struct file *file = context;
    size_t size = file->size - file->next;

    file->was_misused |= file->ended;
    if (file->calls_left-- == 0)
        return -1;
    if (size > capacity)
        size = capacity;
    if (size > 0)
        memcpy(buffer, file->data + file->next, size);
    file->next += size;
    file->ended = size < capacity;
    return (ssize_t)size;
}

struct result {
    bool is_good;
    bool is_sound; /* all promises of image.h were kept */
    struct image_format format;
    struct image_shape shape;
    struct bytes pixels;
    char error[256]; /* "": none */
    uint64_t offset;
    size_t used; /* of the file */
};

/* Read until the end or a failure, CAPACITY bytes at a time. */
static void
read_pixels(struct image *image, size_t capacity, struct result *result)
{
    unsigned char *buffer = malloc(capacity);
    size_t pixel = result->format.channels * result->format.sample_bytes;
    ssize_t got;

    if (buffer == NULL)
        abort();
    do {
        got = image_read(image, buffer, capacity);
        if (got < 0)
            break;
        put(&result->pixels, buffer, (size_t)got);
        if ((size_t)got > capacity ||
            (capacity % pixel == 0 && (size_t)got % pixel != 0))
            result->is_sound = false;
    } while ((size_t)got == capacity);
    result->is_good = got >= 0;
    /* After the end or a failure, later calls return the same. */
    if (image_read(image, buffer, capacity) != (got < 0 ? -1 : 0))
        result->is_sound = false;
    free(buffer);
}

/* Read the SIZE bytes at DATA; the callback fails after CALLS calls. */
static struct result
decode_until(const void *data, size_t size, size_t capacity, unsigned int calls)
{
    struct result result = {.is_sound = true};
    /* A separate block, so that a sanitizer sees its end. */
    unsigned char *copy = malloc(size > 0 ? size : 1);
    struct file file = {.data = copy, .size = size, .calls_left = calls};
    struct image *image = image_open(read_file, &file);

    if (copy == NULL || image == NULL)
        abort();
    if (size > 0)
        memcpy(copy, data, size);
    if (image_read_header(image, &result.format) == 0)
        read_pixels(image, capacity, &result);
    const char *error = image_error(image, &result.offset);
    if (error != NULL)
        snprintf(result.error, sizeof result.error, "%s", error);
    if (result.is_good == (error != NULL) && calls == UINT32_MAX)
        result.is_sound = false;
    if (file.was_misused)
        result.is_sound = false;
    result.shape = image_shape(image);
    result.used = file.next;
    image_close(image);
    free(copy);
    return result;
}

static struct result
decode(const struct bytes *image, size_t capacity)
{
    return decode_until(image->data, image->size, capacity, UINT32_MAX);
}

/* Whether IMAGE becomes EXPECTED for any capacity of the reads. */
static bool
becomes(const struct bytes *image, const struct bytes *expected,
        struct image_format format)
{
    bool is_same = true;

    for (size_t i = 0; i < COUNT(capacities); i++) {
        /* Large images byte by byte would take too long. */
        if (image->size > 100000 && capacities[i] < 12)
            continue;
        struct result result = decode(image, capacities[i]);
        is_same &=
            result.is_good && result.is_sound &&
            result.format.channels == format.channels &&
            result.format.sample_bytes == format.sample_bytes &&
            result.format.maxval == format.maxval &&
            result.pixels.size == expected->size &&
            memcmp(result.pixels.data, expected->data, expected->size) == 0 &&
            result.used == image->size;
        release(&result.pixels);
    }
    return is_same;
}

/* Whether IMAGE is refused with a TEXT and an OFFSET. */
static bool
is_refused(const struct bytes *image, const char *text, uint64_t offset)
{
    bool is_right = true;

    for (size_t i = 0; i < COUNT(capacities); i++) {
        struct result result = decode(image, capacities[i]);
        bool is_this = !result.is_good && result.is_sound &&
                       strstr(result.error, text) != NULL &&
                       result.offset == offset;
        if (!is_this)
            printf("# capacity %zu: \"%s\" at %llu\n", capacities[i],
                   result.error, (unsigned long long)result.offset);
        is_right &= is_this;
        release(&result.pixels);
    }
    return is_right;
}

/* Whether every image that ends before byte SIZE is refused where it ends. */
static bool
is_refused_truncated(const struct bytes *image, size_t size)
{
    for (size_t cut = 0; cut < size; cut++) {
        for (size_t i = 0; i < COUNT(capacities); i++) {
            struct result result =
                decode_until(image->data, cut, capacities[i], UINT32_MAX);
            bool is_this = !result.is_good && result.is_sound &&
                           result.error[0] != '\0' &&
                           result.offset == (cut < 2 ? 0 : cut);
            release(&result.pixels);
            if (!is_this) {
                printf("# cut at %zu: \"%s\" at %llu\n", cut, result.error,
                       (unsigned long long)result.offset);
                return false;
            }
        }
    }
    return true;
}

/* Whether a failure of the callback, at each of its calls, is passed on. */
static bool
passes_failure_on(const struct bytes *image)
{
    for (unsigned int calls = 0;; calls++) {
        struct result result = decode_until(image->data, image->size, 5, calls);
        bool is_good = result.is_good;
        bool is_right = result.is_sound && (is_good || result.error[0] == '\0');
        release(&result.pixels);
        if (is_good || !is_right)
            return calls > 0 && is_right;
    }
}

/* ---- PNM ---- */

/* A sample that depends on its place and is not above MAXVAL. */
static unsigned int
sample(uint32_t index, unsigned int maxval)
{
    return (index * 2654435761u >> 7) % (maxval + 1);
}

static void
put_pnm_pixels(struct bytes *bytes, uint32_t samples, unsigned int maxval)
{
    for (uint32_t i = 0; i < samples; i++) {
        if (maxval > 255)
            put_byte(bytes, sample(i, maxval) >> 8);
        put_byte(bytes, sample(i, maxval));
    }
}

static struct bytes
pnm(unsigned int channels, uint32_t width, uint32_t height, unsigned int maxval)
{
    struct bytes image = {0};
    char header[64];

    snprintf(header, sizeof header, "P%c\n%u %u\n%u\n",
             channels == 1 ? '5' : '6', width, height, maxval);
    put_text(&image, header);
    put_pnm_pixels(&image, channels * width * height, maxval);
    return image;
}

static void
test_pnm(void)
{
    static const unsigned int maxvals[] = {1, 200, 255, 256, 1000, 65535};
    static const uint32_t sizes[][2] = {{1, 1}, {3, 5}, {37, 41}, {300, 301}};

    for (unsigned int channels = 1; channels <= 3; channels += 2) {
        for (size_t m = 0; m < COUNT(maxvals); m++) {
            unsigned int maxval = maxvals[m];
            bool is_right = true;
            for (size_t s = 0; s < COUNT(sizes); s++) {
                struct bytes image =
                    pnm(channels, sizes[s][0], sizes[s][1], maxval);
                struct bytes expected = {0};
                put_pnm_pixels(&expected, channels * sizes[s][0] * sizes[s][1],
                               maxval);
                is_right &=
                    becomes(&image, &expected,
                            (struct image_format){
                                channels, maxval > 255 ? 2 : 1, maxval});
                release(&image);
                release(&expected);
            }
            ok(is_right, "P%c, maxval %u", channels == 1 ? '5' : '6', maxval);

            struct bytes image = pnm(channels, 3, 2, maxval);
            ok(is_refused_truncated(&image, image.size),
               "P%c, maxval %u: refused wherever it is cut off",
               channels == 1 ? '5' : '6', maxval);
            release(&image);
        }
    }

    struct bytes image = pnm(1, 7, 3, 255);
    struct result result = decode(&image, 4096);
    ok(result.shape.width == 7 && result.shape.height == 3 &&
           !result.shape.is_bottom_up && result.shape.images == 1,
       "PNM: the shape");
    release(&result.pixels);
    ok(passes_failure_on(&image), "PNM: the callback's failure");
    release(&image);
}

/* What may be between the parts of a header; the pixels are "##\n ". */
static void
test_pnm_headers(void)
{
    static const char *const headers[] = {
        "P5 4 1 255\n",
        "P5\n4\n1\n255\n",
        "P5\r\n4\r\n1\r\n255\r",
        "P5\t4 \n\t\r1  255\t",
        "P5#\n4 1 255 ",
        "P5 #a comment 9 9 9\n4 1 255 ",
        "P5\n# one\n# two\r#\n\n4 # three\n#four\n1 # five\r255\n",
        "P5 0004 00000000000001 0255 ",
    };
    struct bytes expected = {0};

    put_text(&expected, "##\n ");
    for (size_t i = 0; i < COUNT(headers); i++) {
        struct bytes image = {0};
        put_text(&image, headers[i]);
        put(&image, expected.data, expected.size);
        ok(becomes(&image, &expected, (struct image_format){1, 1, 255}),
           "PNM: header %zu", i);
        ok(is_refused_truncated(&image, image.size), "PNM: header %zu, cut off",
           i);
        release(&image);
    }
    release(&expected);

    /* A header of many blocks. */
    struct bytes image = {0};
    put_text(&image, "P5 #");
    for (int i = 0; i < 30000; i++)
        put_byte(&image, 'x');
    put_text(&image, "\n1 1 255\nA");
    put_text(&expected, "A");
    ok(becomes(&image, &expected, (struct image_format){1, 1, 255}),
       "PNM: a long comment");
    release(&image);
    release(&expected);
}

static void
test_pnm_malformed(void)
{
    static const struct {
        const char *content;
        const char *text;
        uint64_t offset;
    } table[] = {
        {"P54 1 255\nABCD", "no white space", 2},
        {"P5x4 1 255\nABCD", "no white space", 2},
        {"P5 0 1 255\n", "the width is 0", 3},
        {"P5 1 000 255\n", "the height is 0", 5},
        {"P5 1 1 0\n", "the maxval is 0", 7},
        {"P5 1 1 65536\nAAAA", "the maxval is above 65535", 7},
        {"P5 1 1 99999999999999999999999\nAAAA", "the maxval is above", 7},
        {"P5 2147483648 1 255\nA", "the width is above 2147483647", 3},
        {"P5 18446744073709551617 1 255\nA", "the width is above", 3},
        {"P5 1 4294967297 255\nA", "the height is above", 5},
        {"P5 -1 1 255\nA", "the width is not a number", 3},
        {"P5 1x 1 255\nA", "the width is not a number", 4},
        {"P5 1 0x1 255\nA", "the height is not a number", 6},
        {"P5 1 1 255.\nA", "the maxval is not a number", 10},
        {"P5 1 1 high\nA", "the maxval is not a number", 7},
        {"P5 1#c\n1 255\nA", "must not touch the width", 4},
        {"P5 1 1#c\n 255\nA", "must not touch the height", 6},
        {"P5 1 1 255#c\n\nA", "must not touch the maxval", 10},
        {"P5 1 1 # no end", "ends within the header", 15},
        {"P5 2 1 1\n\1\2", "a sample of 2 is above the maxval of 1", 10},
        {"P6 2147483647 2147483647 65535\nA", "are too many", 31},
        {"P5 2147483647 2147483647 65535\nA", "ends within the pixels", 32},
        {"P5 1 1 255\nAB", "garbage after the image", 12},
        {"P5 1 1 255\nA \nP", "garbage after the image", 14},
        {"P5 1 1 255\nAP4 1 1\nA", "garbage after the image", 12},
        {"P5 1 1 255\nAP5", "ends within the header", 14},
        {"P5 1 1 255\nAP6 1 1 255\nABC", "3 channels and a maxval of 255", 12},
        {"P5 1 1 255\nAP5 1 1 254\nA", "a maxval of 254, the first 1", 12},
        {"P5 1 1 255\nAP5 1 1 256\n\1\1", "a maxval of 256", 12},
    };

    for (size_t i = 0; i < COUNT(table); i++) {
        struct bytes image = {0};
        put_text(&image, table[i].content);
        ok(is_refused(&image, table[i].text, table[i].offset),
           "PNM: refused: %s at %llu", table[i].text,
           (unsigned long long)table[i].offset);
        release(&image);
    }
}

/* One sample above maxval is found wherever it is. */
static void
test_pnm_samples(void)
{
    enum {
        SAMPLES = 5000
    };

    for (unsigned int sample_bytes = 1; sample_bytes <= 2; sample_bytes++) {
        unsigned int maxval = sample_bytes == 1 ? 99 : 999;
        struct bytes image = pnm(1, SAMPLES, 1, maxval);
        size_t first = image.size - SAMPLES * sample_bytes;
        bool is_right = true;
        for (size_t i = 0; i < SAMPLES; i = i < 20 ? i + 1 : i + 83) {
            unsigned char *at = image.data + first + i * sample_bytes;
            const unsigned char kept[2] = {at[0], at[sample_bytes - 1]};
            at[0] = (unsigned char)((maxval + 1) >> 8 * (sample_bytes - 1));
            at[sample_bytes - 1] = (unsigned char)(maxval + 1);
            is_right &= is_refused(&image, "is above the maxval",
                                   first + i * sample_bytes);
            at[0] = kept[0];
            at[sample_bytes - 1] = kept[1];
        }
        ok(is_right, "PNM: a sample of %u byte(s) above maxval", sample_bytes);
        release(&image);
    }
}

static void
test_pnm_several(void)
{
    struct bytes image = {0}, expected = {0};

    /* Of different sizes, some more than one block; white space between. */
    for (uint32_t i = 1; i < 200; i++) {
        struct bytes one = pnm(3, i, i % 7 + 1, 999);
        put(&image, one.data, one.size);
        if (i % 3 == 0)
            put_text(&image, " \t\r\n");
        put_pnm_pixels(&expected, 3 * i * (i % 7 + 1), 999);
        release(&one);
    }
    ok(becomes(&image, &expected, (struct image_format){3, 2, 999}),
       "PNM: several images");

    struct result result = decode(&image, 4096);
    ok(result.shape.images == 199 && result.shape.width == 199 &&
           result.shape.height == 4,
       "PNM: the shape of the last");
    release(&result.pixels);
    release(&image);
    release(&expected);
}

/* ---- BMP ---- */

struct bmp {
    const char *name;
    uint32_t header_bytes;
    unsigned int bits;
    uint32_t compression;
    uint32_t mask[4];
    unsigned int channels; /* expected */
    uint32_t colours;      /* in the header */
    uint32_t entries;      /* in the file */
    bool is_grey;
    uint32_t gap;
};

/* Entry I of a palette: R, G, B. */
static void
palette_entry(const struct bmp *bmp, uint32_t i, unsigned char rgb[3])
{
    for (uint32_t c = 0; c < 3; c++)
        rgb[c] = (unsigned char)(255 - i * (bmp->is_grey ? 1 : c + 1));
}

static void
put_bmp_header(struct bytes *image, const struct bmp *bmp, uint32_t width,
               uint32_t height)
{
    uint32_t entry_bytes = bmp->header_bytes == 12 ? 3 : 4;
    uint32_t masks_after = bmp->header_bytes != 40 ? 0
                           : bmp->compression == 3 ? 3
                           : bmp->compression == 6 ? 4
                                                   : 0;
    uint32_t pixels = 14 + bmp->header_bytes + 4 * masks_after +
                      entry_bytes * bmp->entries + bmp->gap;

    put_text(image, "BM");
    put_zeros(image, 8); /* the file's size: ignored */
    put_number(image, pixels, 4);
    put_number(image, bmp->header_bytes, 4);
    size_t size = bmp->header_bytes == 12 ? 2 : 4;
    put_number(image, width, size);
    put_number(image, height, size);
    put_number(image, 1, 2);
    put_number(image, bmp->bits, 2);
    if (bmp->header_bytes > 12) {
        put_number(image, bmp->compression, 4);
        put_zeros(image, 12);
        put_number(image, bmp->colours, 4);
        put_zeros(image, 4);
        size_t end = 14 + bmp->header_bytes + 4 * masks_after;
        for (size_t i = 0; i < 4 && image->size < end; i++)
            put_number(image, bmp->mask[i], 4);
        put_zeros(image, end - image->size);
    }
    for (uint32_t i = 0; i < bmp->entries; i++) {
        unsigned char rgb[3];
        palette_entry(bmp, i, rgb);
        put_byte(image, rgb[2]);
        put_byte(image, rgb[1]);
        put_byte(image, rgb[0]);
        put_number(image, 0xEE, entry_bytes - 3);
    }
    for (uint32_t i = 0; i < bmp->gap; i++)
        put_byte(image, 0xDD);
}

/* Which byte of a pixel channel C is; -1: the channel is not there. */
static int
channel_byte(const struct bmp *bmp, unsigned int c)
{
    if (c >= bmp->channels)
        return -1;
    if (bmp->compression == 0)
        return 2 - (int)c;
    for (int byte = 0; byte < 4; byte++) {
        if (bmp->mask[c] == 0xFFu << 8 * byte)
            return byte;
    }
    return -1;
}

/* One pixel as the file has it, and as it must come out. */
static void
put_bmp_pixel(struct bytes *image, struct bytes *expected,
              const struct bmp *bmp, uint32_t index)
{
    unsigned char raw[4] = {0xCC, 0xCC, 0xCC, 0xCC};

    if (bmp->bits == 8) {
        uint32_t limit = bmp->entries < 256 ? bmp->entries : 256;
        unsigned char rgb[3];
        raw[0] = (unsigned char)sample(index, limit - 1);
        palette_entry(bmp, raw[0], rgb);
        put(expected, rgb, bmp->channels);
    } else {
        for (unsigned int c = 0; c < bmp->channels; c++) {
            unsigned char value =
                (unsigned char)sample(bmp->channels * index + c, 255);
            raw[channel_byte(bmp, c)] = value;
            put_byte(expected, value);
        }
    }
    put(image, raw, bmp->bits / 8);
}

/* The whole image; EXPECTED gets the pixels that must come out. */
static struct bytes
make_bmp(const struct bmp *bmp, uint32_t width, uint32_t height,
         bool is_bottom_up, struct bytes *expected)
{
    struct bytes image = {0};
    uint32_t index = 0;

    put_bmp_header(&image, bmp, width, is_bottom_up ? height : 0 - height);
    size_t first = image.size;
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++)
            put_bmp_pixel(&image, expected, bmp, index++);
        while ((image.size - first) % 4 != 0)
            put_byte(&image, 0xBB);
    }
    return image;
}

#define B0 0xFFu
#define B1 0xFF00u
#define B2 0xFF0000u
#define B3 0xFF000000u

static const struct bmp kinds[] = {
    {"core, 8 bits", 12, 8, 0, {0}, 3, 0, 256, false, 0},
    {"core, 8 bits, grey", 12, 8, 0, {0}, 1, 0, 256, true, 0},
    {"core, 8 bits, short palette", 12, 8, 0, {0}, 3, 0, 9, false, 2},
    {"core, 24 bits", 12, 24, 0, {0}, 3, 0, 0, false, 0},
    {"core, 32 bits", 12, 32, 0, {0}, 3, 0, 0, false, 0},
    {"info, 8 bits", 40, 8, 0, {0}, 3, 0, 256, false, 0},
    {"info, 8 bits, grey", 40, 8, 0, {0}, 1, 256, 256, true, 0},
    {"info, 8 bits, 5 colours", 40, 8, 0, {0}, 3, 5, 5, false, 0},
    {"info, 8 bits, 5 greys", 40, 8, 0, {0}, 1, 5, 5, true, 7},
    {"info, 8 bits, 300 colours", 40, 8, 0, {0}, 3, 300, 300, false, 0},
    {"info, 8 bits, short palette", 40, 8, 0, {0}, 3, 0, 9, false, 0},
    {"info, 24 bits", 40, 24, 0, {0}, 3, 0, 0, false, 0},
    {"info, 24 bits, a gap", 40, 24, 0, {0}, 3, 0, 0, false, 70001},
    {"info, 24 bits, unused palette", 40, 24, 0, {0}, 3, 7, 7, false, 0},
    {"info, 32 bits", 40, 32, 0, {0}, 3, 0, 0, false, 0},
    {"info, masks", 40, 32, 3, {B2, B1, B0}, 3, 0, 0, false, 0},
    {"info, other masks", 40, 32, 3, {B1, B3, B2}, 3, 0, 0, false, 3},
    {"info, alpha", 40, 32, 6, {B2, B1, B0, B3}, 4, 0, 0, false, 0},
    {"info, no alpha", 40, 32, 6, {B3, B2, B1, 0}, 3, 0, 0, false, 0},
    {"V2, masks", 52, 32, 3, {B0, B1, B2}, 3, 0, 0, false, 0},
    {"V3, alpha", 56, 32, 3, {B0, B1, B2, B3}, 4, 0, 0, false, 0},
    {"V4, 8 bits", 108, 8, 0, {0}, 3, 0, 256, false, 0},
    {"V4, 24 bits", 108, 24, 0, {0}, 3, 0, 0, false, 0},
    {"V4, 32 bits", 108, 32, 0, {B0, B1, B2, B3}, 3, 0, 0, false, 0},
    {"V4, alpha", 108, 32, 3, {B1, B2, B3, B0}, 4, 0, 0, false, 0},
    {"V5, 8 bits, grey", 124, 8, 0, {0}, 1, 0, 256, true, 0},
    {"V5, 24 bits", 124, 24, 0, {0}, 3, 0, 0, false, 9},
    {"V5, masks", 124, 32, 3, {B2, B1, B0, 0}, 3, 0, 0, false, 0},
    {"V5, alpha", 124, 32, 6, {B2, B1, B0, B3}, 4, 0, 0, false, 0},
};

/* Whether an image of this kind and size comes out as it must. */
static bool
decodes(const struct bmp *bmp, uint32_t width, uint32_t height,
        bool is_bottom_up)
{
    struct bytes expected = {0};
    struct bytes image = make_bmp(bmp, width, height, is_bottom_up, &expected);
    struct image_format format = {bmp->channels, 1, 255};

    bool is_right = becomes(&image, &expected, format);
    struct result result = decode(&image, 4096);
    is_right &= result.shape.width == width && result.shape.height == height &&
                result.shape.is_bottom_up == is_bottom_up &&
                result.shape.images == 1;
    release(&result.pixels);

    /* A trailer of many blocks is read and ignored. */
    put_zeros(&image, 70000);
    is_right &= becomes(&image, &expected, format);
    release(&image);
    release(&expected);
    return is_right;
}

static void
test_bmp(void)
{
    for (size_t k = 0; k < COUNT(kinds); k++) {
        const struct bmp *bmp = &kinds[k];
        bool is_core = bmp->header_bytes == 12;
        bool is_right = true;
        for (uint32_t width = 1; width <= 9; width++) {
            is_right &= decodes(bmp, width, 3, true);
            /* The core header has no sign. */
            is_right &= is_core || decodes(bmp, width, 2, false);
        }
        ok(is_right, "BMP: %s, widths 1 to 9", bmp->name);

        ok(decodes(bmp, 65533, 3, true) && decodes(bmp, 309, 307, true) &&
               decodes(bmp, 1, 40000, true),
           "BMP: %s, more than a block", bmp->name);

        struct bytes expected = {0};
        struct bytes image = make_bmp(bmp, 3, 2, true, &expected);
        if (image.size < 4096) {
            ok(is_refused_truncated(&image, image.size),
               "BMP: %s, refused wherever it is cut off", bmp->name);
        }
        ok(passes_failure_on(&image), "BMP: %s, the callback's failure",
           bmp->name);
        release(&image);
        release(&expected);
    }
}

/* Each field of a good header in turn with a value that is refused. */
static void
test_bmp_malformed(void)
{
    static const struct bmp rgb = {"", 40, 24, 0, {0}, 3, 0, 0, false, 0};
    static const struct bmp indexed = {"", 40, 8, 0, {0}, 3, 5, 5, false, 0};
    static const struct bmp bare = {"", 40, 8, 0, {0}, 3, 0, 0, false, 3};
    static const struct bmp core = {"", 12, 8, 0, {0}, 3, 0, 1, false, 0};
    static const struct bmp masks = {"", 124, 32, 3,     {B2, B1, B0, B3},
                                     4,  0,   0,  false, 0};
    static const struct {
        const struct bmp *bmp;
        size_t at, size;
        uint32_t value;
        const char *text;
        uint64_t offset;
    } table[] = {
        {&rgb, 10, 4, 0, "begin at byte 0, within the header", 10},
        {&rgb, 10, 4, 53, "begin at byte 53, within the header", 10},
        {&masks, 10, 4, 137, "begin at byte 137, within the header", 10},
        {&rgb, 14, 4, 0, "no known BMP header has 0 bytes", 14},
        {&rgb, 14, 4, 64, "no known BMP header has 64 bytes", 14},
        {&rgb, 14, 4, UINT32_MAX, "no known BMP header has 4294967295", 14},
        {&rgb, 18, 4, 0, "bad size: 0 by 2", 18},
        {&rgb, 18, 4, 0u - 3, "bad size: -3 by 2", 18},
        {&rgb, 18, 4, 1u << 31, "bad size: -2147483648 by 2", 18},
        {&rgb, 22, 4, 0, "bad size: 3 by 0", 18},
        {&core, 20, 2, 0, "bad size: 3 by 0", 18},
        {&rgb, 26, 2, 0, "0 planes", 26},
        {&rgb, 26, 2, 3, "3 planes", 26},
        {&core, 22, 2, 3, "3 planes", 22},
        {&core, 24, 2, 4, "4-bit pixels", 24},
        {&rgb, 28, 2, 0, "0-bit pixels", 28},
        {&rgb, 28, 2, 1, "1-bit pixels", 28},
        {&rgb, 28, 2, 4, "4-bit pixels", 28},
        {&rgb, 28, 2, 16, "16-bit pixels", 28},
        {&masks, 28, 2, 16, "16-bit pixels", 28},
        {&rgb, 28, 2, 48, "48-bit pixels", 28},
        {&rgb, 30, 4, 1, "RLE8", 30},
        {&rgb, 30, 4, 2, "RLE4", 30},
        {&rgb, 30, 4, 3, "24-bit pixels, compression 3", 30},
        {&indexed, 30, 4, 3, "8-bit pixels, compression 3", 30},
        {&rgb, 30, 4, 4, "JPEG", 30},
        {&rgb, 30, 4, 5, "PNG", 30},
        {&masks, 30, 4, 7, "compression 7", 30},
        {&masks, 30, 4, UINT32_MAX, "compression 4294967295", 30},
        {&indexed, 46, 4, 6, "6 colours reaches into the pixels", 46},
        {&indexed, 46, 4, UINT32_MAX, "reaches into the pixels", 46},
        {&masks, 54, 4, 0, "masks", 54},
        {&masks, 54, 4, 0xFF00, "masks", 54},
        {&masks, 54, 4, 0xFF0, "masks", 54},
        {&masks, 58, 4, 0xFFFF, "masks", 54},
        {&masks, 62, 4, 0x3FF, "masks", 54},
        {&masks, 66, 4, 0xFF, "masks", 54},
        {&masks, 66, 4, 1, "masks", 54},
        {&bare, 46, 4, 0, "without its palette", 10},
        {&rgb, 18, 4, INT32_MAX, "ends within the pixels", 78},
        {&rgb, 22, 4, INT32_MAX, "ends within the pixels", 78},
        {&rgb, 22, 4, 1u << 31, "ends within the pixels", 78},
        {&rgb, 10, 4, UINT32_MAX, "ends within the header", 78},
        /* Pixels 0, 2 and 5: rows of 3 are 4 bytes long. */
        {&indexed, 74, 1, 5, "index 5 into a palette of 5 colours", 74},
        {&indexed, 76, 1, 255, "index 255 into a palette", 76},
        {&indexed, 80, 1, 6, "index 6 into a palette of 5 colours", 80},
        {&core, 29, 1, 1, "index 1 into a palette of 1 colours", 29},
    };

    for (size_t i = 0; i < COUNT(table); i++) {
        struct bytes expected = {0};
        struct bytes image = {0};
        if (table[i].bmp == &bare)
            put_bmp_header(&image, &bare, 3, 2);
        else
            image = make_bmp(table[i].bmp, 3, 2, true, &expected);
        set_number(&image, table[i].at, table[i].value, table[i].size);
        ok(is_refused(&image, table[i].text, table[i].offset),
           "BMP: refused: %s", table[i].text);
        release(&image);
        release(&expected);
    }

    struct bytes expected = {0};
    struct bytes image = make_bmp(&indexed, 3, 2, true, &expected);
    image.data[77] = 0xFF;
    ok(becomes(&image, &expected, (struct image_format){3, 1, 255}),
       "BMP: padding is no index");
    release(&image);
    release(&expected);
}

/* ---- anything else ---- */

static void
test_unknown(void)
{
    static const struct {
        const char *head;
        size_t size;
        const char *text;
    } table[] = {
        {"", 0, "the input is empty"},
        {"P", 1, "neither PNM"},
        {"B", 1, "neither PNM"},
        {"P0 1 1 255\nA", 12, "neither PNM"},
        {"p5 1 1 255\nA", 12, "neither PNM"},
        {"hello, world\n", 13, "neither PNM"},
        {"P1\n1 1\n1\n", 9, "plain PBM (P1)"},
        {"P2\n1 1\n1\n1", 10, "plain PGM (P2)"},
        {"P3\n1 1\n1\n1", 10, "plain PPM (P3)"},
        {"P4\n1 1\n1", 8, "PBM (P4)"},
        {"P7\nWIDTH 1", 10, "PAM (P7)"},
        {"\x89PNG\r\n\x1A\n", 8, "a PNG image"},
        {"\xFF\xD8\xFF\xE0", 4, "a JPEG image"},
        {"II*\0....", 8, "a TIFF image"},
        {"MM\0*....", 8, "a TIFF image"},
        {"II+\0....", 8, "a BigTIFF image"},
        {"MM\0+....", 8, "a BigTIFF image"},
        {"GIF89a", 6, "a GIF image"},
    };

    for (size_t i = 0; i < COUNT(table); i++) {
        struct bytes image = {0};
        put(&image, table[i].head, table[i].size);
        struct result result = decode(&image, 4096);
        bool has_hint = strstr(result.error, "magick IN ppm:-") != NULL;
        ok(is_refused(&image, table[i].text, 0) &&
               has_hint == (table[i].size > 0),
           "refused: %s", table[i].text);
        release(&result.pixels);
        release(&image);
    }
}

int
main(void)
{
    alarm(WATCHDOG_SECONDS);
    test_pnm();
    test_pnm_headers();
    test_pnm_malformed();
    test_pnm_samples();
    test_pnm_several();
    test_bmp();
    test_bmp_malformed();
    test_unknown();
    return done_testing();
}
