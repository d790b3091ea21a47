/* SPDX-License-Identifier: MIT */
/*
 * fuzz_image.c -- PNM and BMP images
 *
 * How much is read at a time must make no difference, neither to pixels nor
 * to what is said of a bad image.
 */

#include "fuzz.h"
#include "input/image/image.h"

#define PIXELS_MAX ((size_t)1 << 18)
#define READS_MAX 1024

struct file {
    const uint8_t *data;
    size_t size;
    size_t next;
    bool has_ended;
};

static ssize_t
read_file(void *context, void *buffer, size_t capacity)
{
    struct file *file = context;
    size_t size = file->size - file->next;

    fuzz_must(!file->has_ended, "nothing is read behind the end");
    if (size > capacity)
        size = capacity;
    if (size > 0)
        memcpy(buffer, file->data + file->next, size);
    file->next += size;
    file->has_ended = size < capacity;
    return (ssize_t)size;
}

struct result {
    unsigned char *pixels;
    size_t size;
    bool is_good;
    struct image_format format;
    struct image_shape shape;
    char error[200];
    uint64_t offset;
};

static void
read_pixels(struct image *image, size_t capacity, struct result *result)
{
    size_t pixel = result->format.channels * result->format.sample_bytes;
    ssize_t got;

    do {
        unsigned char *buffer = malloc(capacity);
        if (buffer == NULL)
            abort();
        got = image_read(image, buffer, capacity);
        if (got > 0) {
            fuzz_must((size_t)got <= capacity, "no more than was wanted");
            fuzz_must(capacity % pixel != 0 || (size_t)got % pixel == 0,
                      "whole pixels");
            fuzz_must((size_t)got <= PIXELS_MAX - result->size,
                      "no more pixels than the file can hold");
            memcpy(result->pixels + result->size, buffer, (size_t)got);
            result->size += (size_t)got;
        }
        free(buffer);
    } while (got == (ssize_t)capacity);
    result->is_good = got >= 0;
    unsigned char byte;
    fuzz_must(image_read(image, &byte, 1) == (got < 0 ? -1 : 0),
              "an end remains one");
}

static void
read_image(const uint8_t *data, size_t size, size_t capacity,
           struct result *result)
{
    struct file file = {.data = data, .size = size};
    struct image *image = image_open(read_file, &file);

    if (image == NULL)
        abort();
    if (image_read_header(image, &result->format) == 0) {
        const struct image_format *format = &result->format;
        fuzz_must(format->channels == 1 || format->channels == 3 ||
                      format->channels == 4,
                  "channels");
        fuzz_must(format->maxval >= 1 && format->maxval <= 65535 &&
                      format->sample_bytes == (format->maxval > 255 ? 2 : 1),
                  "a maximum");
        read_pixels(image, capacity, result);
    }
    const char *error = image_error(image, &result->offset);
    fuzz_must((error == NULL) == result->is_good, "an error, or none");
    snprintf(result->error, sizeof result->error, "%s",
             error != NULL ? error : "");
    fuzz_must(error == NULL || result->offset <= size, "an offset in the file");
    result->shape = image_shape(image);
    if (result->is_good)
        fuzz_must(result->shape.width > 0 && result->shape.height > 0 &&
                      result->shape.images > 0,
                  "an image has pixels");
    image_close(image);
}

/* No sample may be above the maximum. */
static void
check_samples(const struct result *result)
{
    size_t bytes = result->format.sample_bytes;

    for (size_t i = 0; i < result->size; i += bytes) {
        unsigned int sample = result->pixels[i];
        if (bytes == 2)
            sample = sample << 8 | result->pixels[i + 1];
        fuzz_must(sample <= result->format.maxval, "samples up to maxval");
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static unsigned char pixels[2][PIXELS_MAX];
    struct fuzz fuzz = {data, size};
    struct result whole = {.pixels = pixels[0]};
    struct result parts = {.pixels = pixels[1]};
    size_t capacity = 1 + (size_t)fuzz_take(&fuzz, 1);

    /* The pixels of a palette are three bytes each. */
    if (fuzz.size * 4 > PIXELS_MAX)
        return 0;
    if (capacity < fuzz.size / READS_MAX)
        capacity = fuzz.size / READS_MAX;
    read_image(fuzz.data, fuzz.size, PIXELS_MAX, &whole);
    read_image(fuzz.data, fuzz.size, capacity, &parts);
    fuzz_must(whole.is_good == parts.is_good &&
                  strcmp(whole.error, parts.error) == 0 &&
                  whole.offset == parts.offset,
              "the same error");
    if (!whole.is_good)
        return 0;
    fuzz_must(whole.size == parts.size &&
                  memcmp(pixels[0], pixels[1], whole.size) == 0,
              "the same pixels");
    fuzz_must(whole.shape.width == parts.shape.width &&
                  whole.shape.height == parts.shape.height &&
                  whole.shape.images == parts.shape.images,
              "the same shape");
    check_samples(&whole);
    return 0;
}
