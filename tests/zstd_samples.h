/* SPDX-License-Identifier: MIT */
/*
 * zstd_samples.h -- content of several kinds, and zstd frames of it
 *
 * The includer defines CONTENT_MAX, and includes noise.h.
 */

#ifndef GPUHIST_ZSTD_SAMPLES_H
#define GPUHIST_ZSTD_SAMPLES_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <zstd.h>

static unsigned char content[CONTENT_MAX];
static size_t content_size;
static unsigned char packed[CONTENT_MAX + 100000];
static size_t packed_size;

/* ---- content ---- */

enum kind {
    KIND_TEXT,
    KIND_NOISE,
    KIND_ZEROS,
    KIND_FEW,     /* few symbols, at random */
    KIND_RECORDS, /* repeated, with changes */
    KIND_FAR,     /* matches that are far away */
    KIND_LONG,    /* literals and matches that are long */
    KIND_MIXED,
    KINDS
};

static const char *const kind_names[KINDS] = {
    "text",    "noise",       "zeros",        "few symbols",
    "records", "far matches", "long matches", "a mixture"};

static void
append(const void *data, size_t size)
{
    if (size > CONTENT_MAX - content_size)
        size = CONTENT_MAX - content_size;
    memcpy(content + content_size, data, size);
    content_size += size;
}

static void
append_noise(size_t size, unsigned int symbols)
{
    for (size_t i = 0; i < size && content_size < CONTENT_MAX; i++)
        content[content_size++] = (unsigned char)(noise() % symbols * 7);
}

static void
append_text(size_t size)
{
    static const char *const words[] = {"the ",   "quick ", "brown ",  "fox ",
                                        "jumps ", "over\n", "a lazy ", "dog "};
    size_t end = content_size + size;

    while (content_size < end) {
        char number[24];
        const char *word = words[noise() % 8];
        append(word, strlen(word));
        if (noise() % 4 == 0)
            append(number, (size_t)snprintf(number, sizeof number, "%u ",
                                            (unsigned)(noise() % 100000)));
    }
    content_size = end;
}

/* Repeat SIZE bytes that are DISTANCE bytes back. */
static void
append_match(size_t distance, size_t size)
{
    for (size_t i = 0; i < size && content_size < CONTENT_MAX; i++) {
        content[content_size] = content[content_size - distance];
        content_size++;
    }
}

/* Make SIZE bytes of KIND. */
static void
make(enum kind kind, size_t size)
{
    content_size = 0;
    while (content_size < size) {
        size_t left = size - content_size;
        switch (kind) {
        case KIND_TEXT:
            append_text(left);
            break;
        case KIND_NOISE:
            append_noise(left, 256);
            break;
        case KIND_ZEROS:
            append_noise(left, 1);
            break;
        case KIND_FEW:
            append_noise(left, 5);
            break;
        case KIND_RECORDS:
            append_noise(left < 3 ? left : 3, 256);
            if (content_size < 40)
                append_text(40);
            append_match(40, 37);
            break;
        case KIND_FAR:
            append_noise(left < 300 ? left : 300, 256);
            if (content_size > 1000)
                append_match(1 + noise() % content_size, 10 + noise() % 90);
            break;
        case KIND_LONG:
            append_noise(1 + noise() % 140000, 256);
            append_match(1 + noise() % content_size, noise() % 300000);
            break;
        default:
            append_noise(noise() % 2000, 1 + noise() % 256);
            append_text(noise() % 3000);
            append_match(1 + noise() % content_size, noise() % 5000);
            append_match(1 + noise() % 20 % content_size, noise() % 500);
        }
    }
    content_size = size;
}

/* ---- frames ---- */

struct shape {
    int level;
    bool has_checksum;
    bool is_unsized;
    int window_log;
    bool is_long; /* --long */
    size_t flush; /* a block for each of these bytes; 0: as libzstd likes */
};

static void
check(size_t code)
{
    if (!ZSTD_isError(code))
        return;
    printf("Bail out! %s\n", ZSTD_getErrorName(code));
    exit(99);
}

/* Append a frame of all of the content. */
static void
pack(const struct shape *shape)
{
    ZSTD_CCtx *encoder = ZSTD_createCCtx();
    ZSTD_inBuffer in = {content, 0, 0};
    ZSTD_outBuffer out = {packed, sizeof packed, packed_size};

    if (encoder == NULL)
        abort();
    check(
        ZSTD_CCtx_setParameter(encoder, ZSTD_c_compressionLevel, shape->level));
    check(ZSTD_CCtx_setParameter(encoder, ZSTD_c_checksumFlag,
                                 shape->has_checksum));
    check(ZSTD_CCtx_setParameter(encoder, ZSTD_c_windowLog, shape->window_log));
    check(ZSTD_CCtx_setParameter(encoder, ZSTD_c_enableLongDistanceMatching,
                                 shape->is_long));
    if (!shape->is_unsized)
        check(ZSTD_CCtx_setPledgedSrcSize(encoder, content_size));
    while (shape->flush > 0 && content_size - in.size > shape->flush) {
        in.size += shape->flush;
        check(ZSTD_compressStream2(encoder, &out, &in, ZSTD_e_flush));
    }
    in.size = content_size;
    check(ZSTD_compressStream2(encoder, &out, &in, ZSTD_e_end));
    ZSTD_freeCCtx(encoder);
    packed_size = out.pos;
}

#endif
