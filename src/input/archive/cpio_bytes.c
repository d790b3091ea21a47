/* SPDX-License-Identifier: MIT */
/* cpio_bytes.c -- the bytes of cpio archives, in order */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/archive/cpio_bytes.h"

static struct source *
source_of(const struct cpio_bytes *bytes)
{
    return bytes->packed != NULL ? &bytes->packed->content.source
                                 : &bytes->outer->file.source;
}

const char *
cpio_bytes_name(const struct cpio_bytes *bytes)
{
    return source_of(bytes)->display_name;
}

bool
cpio_bytes_are_cancelled(const struct cpio_bytes *bytes)
{
    return cancel_is_asked(bytes->outer->file.source.cancel);
}

/* Set *ERROR to that of SOURCE.  Returns -1; or 0 without an error after
   cancel_ask(). */
static int
fail_read(const struct cpio_bytes *bytes, struct source *source,
          struct error *error)
{
    if (cpio_bytes_are_cancelled(bytes)) {
        error_clear(&source->error);
        return 0;
    }
    error_move(error, &source->error);
    return -1;
}

/* Whether WINDOW has a byte at its BLOCK. */
static bool
window_has(struct cpio_window *window)
{
    if (window->left == 0) {
        window->block = window->next_block;
        window->left = window->next_left;
        window->next_left = 0;
    }
    return window->left > 0;
}

/* Have one byte or more.  Returns as cpio_bytes_pass_zeros(). */
static int
fill(struct cpio_bytes *bytes, struct error *error)
{
    struct cpio_window *window = &bytes->window;
    ssize_t got;

    if (window_has(window))
        return 1;
    if (bytes->packed != NULL) {
        window->block = bytes->packed->block;
        got = content_read(&bytes->packed->content, bytes->packed->block,
                           ARCHIVE_BLOCK_BYTES);
    } else {
        got = archive_bytes_read(bytes->outer, &window->block);
    }
    if (got < 0)
        return fail_read(bytes, source_of(bytes), error);
    window->left = (size_t)got;
    return got > 0;
}

/* Pass the first COUNT bytes of the block. */
static void
pass(struct cpio_window *window, size_t count)
{
    window->block += count;
    window->left -= count;
}

ssize_t
cpio_bytes_pass(struct cpio_bytes *bytes, const unsigned char **data,
                uint64_t size, struct error *error)
{
    struct cpio_window *window = &bytes->window;
    int result = size > 0 ? fill(bytes, error) : 0;

    if (result <= 0)
        return result;
    size_t part = window->left < size ? window->left : (size_t)size;
    *data = window->block;
    pass(window, part);
    bytes->at += part;
    return (ssize_t)part;
}

int64_t
cpio_bytes_take(struct cpio_bytes *bytes, unsigned char *out, uint64_t size,
                struct error *error)
{
    uint64_t done = 0;

    while (done < size) {
        const unsigned char *data;
        ssize_t got = cpio_bytes_pass(bytes, &data, size - done, error);
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        if (out != NULL)
            memcpy(out + done, data, (size_t)got);
        done += (uint64_t)got;
    }
    return (int64_t)done;
}

void
cpio_bytes_return(struct cpio_bytes *bytes, const unsigned char *data,
                  size_t count)
{
    struct cpio_window *window = &bytes->window;

    memcpy(bytes->back, data, count);
    window->next_block = window->block;
    window->next_left = window->left;
    window->block = bytes->back;
    window->left = count;
    bytes->at -= count;
}

int
cpio_bytes_pass_zeros(struct cpio_bytes *bytes, struct error *error)
{
    struct cpio_window *window = &bytes->window;
    int result;

    while ((result = fill(bytes, error)) > 0 && *window->block == 0) {
        size_t count = 1;
        while (count < window->left && window->block[count] == 0)
            count++;
        pass(window, count);
        bytes->at += count;
    }
    return result;
}

/* ---- the compressed archive ---- */

/* Read the compressed bytes, as struct source_supply says. */
static ssize_t
read_packed(struct source_supply *supply, void *buffer, size_t capacity,
            struct error *error)
{
    struct cpio_packed *packed = (struct cpio_packed *)supply;
    struct cpio_window *window = &packed->window;

    if (!window_has(window)) {
        ssize_t got = archive_bytes_read(packed->outer, &window->block);
        if (got < 0) {
            error_move(error, &packed->outer->file.source.error);
            return -1;
        }
        window->left = (size_t)got;
    }
    size_t part = window->left < capacity ? window->left : capacity;
    if (part > 0)
        memcpy(buffer, window->block, part);
    pass(window, part);
    return (ssize_t)part;
}

/* No zeros are known without reading. */
static uint64_t
packed_zeros(const struct source_supply *supply)
{
    (void)supply;
    return 0;
}

static void
close_packed(struct cpio_packed *packed)
{
    if (packed == NULL)
        return;
    content_free(&packed->content);
    free(packed->block);
    free(packed->name);
    free(packed);
}

/* Returns the bytes at the start of BYTES as a source that may be compressed,
   or NULL: no memory. */
static struct cpio_packed *
make_packed(struct cpio_bytes *bytes)
{
    const struct source *file = &bytes->outer->file.source;
    struct cpio_packed *packed = calloc(1, sizeof *packed);

    if (packed == NULL)
        return NULL;
    packed->supply =
        (struct source_supply){.read = read_packed, .zeros = packed_zeros};
    packed->outer = bytes->outer;
    packed->block = malloc(ARCHIVE_BLOCK_BYTES);
    if (packed->block == NULL ||
        asprintf(&packed->name, "%s from byte %llu on", file->display_name,
                 (unsigned long long)bytes->at) < 0) {
        packed->name = NULL;
        close_packed(packed);
        return NULL;
    }
    packed->content.source = (struct source){
        .path = file->path,
        .display_name = packed->name,
        .supply = &packed->supply,
        .fd = -1,
    };
    return packed;
}

int
cpio_bytes_unpack(struct cpio_bytes *bytes, struct error *error)
{
    struct reading reading = *bytes->reading;

    if (bytes->packed != NULL || reading.decompress == DECOMPRESS_NONE)
        return 0;
    struct cpio_packed *packed = make_packed(bytes);
    if (packed == NULL)
        return error_fail_memory(error);
    reading.decompress = DECOMPRESS_AUTO;
    reading.progress = NULL;
    packed->window = bytes->window;
    int result =
        content_open_archive(&packed->content, &reading, &bytes->outer->share);
    bytes->packed = packed;
    bytes->window = (struct cpio_window){.left = 0};
    if (result < 0)
        return fail_read(bytes, &packed->content.source, error);
    if (packed->content.decoder == NULL)
        return 0;
    bytes->at = 0;
    return 1;
}

/* ---- the end ---- */

bool
cpio_bytes_lack_end_mark(const struct cpio_bytes *bytes)
{
    const struct decoder *outer = bytes->outer->file.decoder;
    const struct decoder *inner =
        bytes->packed != NULL ? bytes->packed->content.decoder : NULL;

    return (outer != NULL && outer->lacks_end_mark) ||
           (inner != NULL && inner->lacks_end_mark);
}

void
cpio_bytes_close(struct cpio_bytes *bytes)
{
    close_packed(bytes->packed);
    archive_bytes_close(bytes->outer);
}
