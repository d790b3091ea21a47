/* SPDX-License-Identifier: MIT */
/* recognition.c -- which compressed format an input has */

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/little_endian.h"
#include "input/decode/lz4/lz4_frame.h"
#include "input/decode/recognition.h"
#include "input/file_window.h"

/* ---- skippable frames ---- */

/* The header of a skippable frame: a magic number and a size. */
#define SKIPPABLE_BYTES 8

/* Whether the SIZE bytes at HEAD start a frame of lz4, and only of lz4. */
static bool
is_lz4(const unsigned char *head, size_t size)
{
    return magic_is_skippable(head, size) == MAGIC_NO &&
           lz4_frame_match(head, size) == MAGIC_YES;
}

/* Whether SIZE bytes at HEAD, which follow skippable frames taken for FORMAT,
   are lz4.  In a build without this FORMAT, no bytes at all are lz4, too. */
static bool
is_for_lz4(const struct decoders_format *format, const unsigned char *head,
           size_t size)
{
    return is_lz4(head, size) || (size == 0 && format->type == NULL);
}

/* Whether lz4 follows the skippable frames of the regular file SOURCE. */
static bool
file_is_for_lz4(const struct source *source,
                const struct decoders_format *format)
{
    struct file_window window = {.fd = source->fd};
    off_t offset = source->first;

    for (;;) {
        size_t size;
        const unsigned char *data =
            file_window_look(&window, offset, SKIPPABLE_BYTES, &size);
        if (size < SKIPPABLE_BYTES ||
            magic_is_skippable(data, size) != MAGIC_YES)
            return is_for_lz4(format, data, size);
        offset += SKIPPABLE_BYTES + (off_t)little_endian_32(data + 4);
    }
}

/* Read the head of SOURCE up to WANTED bytes, or to the end.  Returns 0, or -1
   with the error of SOURCE set. */
static int
fill_head(struct source *source, size_t wanted)
{
    while (source->head_used < wanted) {
        ssize_t got = source_read_head(source);
        if (got < 0)
            return -1;
        if (got == 0)
            break;
    }
    return 0;
}

/*
 * Leave out the skippable frame whose header starts the head of SOURCE.
 * Messages name it a frame of WHAT.  Returns 0, or -1 with the error of SOURCE
 * set, or after cancel_ask() without an error.
 */
static int
skip_frame(struct source *source, const char *what)
{
    uint32_t left = little_endian_32(source->head + 4);
    unsigned char scratch[4096];
    char text[40];

    source_drop_head(source, SKIPPABLE_BYTES);
    /* The head may have more of the frame, and of the next one. */
    size_t ahead = left < source->head_used ? left : source->head_used;
    source_drop_head(source, ahead);
    left -= (uint32_t)ahead;
    while (left > 0) {
        ssize_t got = source_read(
            source, scratch, left < sizeof scratch ? left : sizeof scratch);
        if (got < 0 || (got == 0 && source_is_cut_short(source)))
            return -1;
        if (got == 0) {
            snprintf(text, sizeof text, "truncated %s frame", what);
            return source_fail(source, source->offset, text,
                               "unexpected end of file");
        }
        left -= (uint32_t)got;
    }
    return 0;
}

/* Leave out all skippable frames at the start of SOURCE, no regular file.
   Returns as skip_frame(). */
static int
skip_frames(struct source *source, const char *what)
{
    for (;;) {
        if (fill_head(source, LZ4_FRAME_MAGIC_BYTES) < 0)
            return -1;
        if (magic_is_skippable(source->head, source->head_used) != MAGIC_YES)
            return 0;
        if (fill_head(source, SKIPPABLE_BYTES) < 0)
            return -1;
        if (source->head_used < SKIPPABLE_BYTES)
            return 0; /* the decoder will report the cut */
        if (skip_frame(source, what) < 0)
            return -1;
    }
}

/*
 * SOURCE starts with a skippable frame: set *FORMAT to the format of the first
 * other frame.  Without another frame *FORMAT stays.  Returns as
 * recognition_find().
 */
static int
look_after_skippable(struct source *source,
                     const struct decoders_format **format)
{
    bool is_other;

    if (source->is_regular) {
        is_other = file_is_for_lz4(source, *format);
    } else {
        if (skip_frames(source, (*format)->name) < 0)
            return -1;
        is_other = is_for_lz4(*format, source->head, source->head_used);
    }
    if (is_other)
        *format = decoders_find("lz4");
    return 0;
}

/* ---- names ---- */

/* Returns the format of the name of SOURCE, or NULL. */
static const char *
format_of_name(const struct source *source)
{
    static const char *const ends[][2] = {
        {".gz", "gzip"},   {".bgz", "gzip"},   {".tgz", "gzip"},
        {".xz", "xz"},     {".txz", "xz"},     {".zst", "zstd"},
        {".tzst", "zstd"}, {".lz4", "lz4"},    {".bz2", "bzip2"},
        {".tbz", "bzip2"}, {".tbz2", "bzip2"}, {".lzma", "lzma"},
        {".tlz", "lzma"},  {".lz", "lzip"},    {".Z", "compress"},
    };
    const char *name =
        source->supply != NULL ? source->display_name : source->path;
    size_t length = name != NULL ? strlen(name) : 0;

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        size_t size = strlen(ends[i][0]);
        if (length >= size && strcasecmp(name + length - size, ends[i][0]) == 0)
            return ends[i][1];
    }
    return NULL;
}

/* ---- the first bytes ---- */

/* HOW requires a format that SOURCE does not have.  Returns -1. */
static int
fail_other(struct source *source, enum decompress how)
{
    char what[64];

    snprintf(what, sizeof what, "not %s data", decoders_demanded(how)->name);
    return source_fail(source, source->first, what,
                       source->head_used == 0 ? "the input is empty"
                                              : "no magic number");
}

int
recognition_find(struct source *source, enum decompress how,
                 const struct decoders_format **format, const char **seems)
{
    enum magic match;

    *format = NULL;
    *seems = NULL;
    if (how == DECOMPRESS_NONE)
        return 0;
    while ((match = decoders_match(how, source->head, source->head_used,
                                   format)) == MAGIC_SHORT) {
        ssize_t got = source_read_head(source);
        if (got < 0)
            return -1;
        if (got == 0)
            break; /* data shorter than a magic number */
    }
    bool is_demanded = decoders_demanded(how) != NULL;
    if (match != MAGIC_YES && is_demanded)
        return fail_other(source, how);
    if (match != MAGIC_YES) {
        if (source->head_used > 0)
            *seems = format_of_name(source);
        return 0;
    }
    return !is_demanded && magic_is_skippable(source->head,
                                              source->head_used) == MAGIC_YES
               ? look_after_skippable(source, format)
               : 0;
}
