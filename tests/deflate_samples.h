/* SPDX-License-Identifier: MIT */
/* deflate_samples.h -- content of several kinds, and deflate data of it */

#ifndef GPUHIST_DEFLATE_SAMPLES_H
#define GPUHIST_DEFLATE_SAMPLES_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "noise.h"

enum deflate_kind {
    DEFLATE_KIND_TEXT,
    DEFLATE_KIND_READS, /* as in FASTQ */
    DEFLATE_KIND_LINES, /* as of a log */
    DEFLATE_KIND_BASES,
    DEFLATE_KIND_NOISE,
    DEFLATE_KIND_ZEROS,
    DEFLATE_KIND_HOT,  /* nearly all the same */
    DEFLATE_KIND_EVEN, /* symbols that are equally frequent */
    DEFLATE_KIND_FAR,  /* matches that are far away */
    DEFLATE_KIND_NEAR, /* matches that repeat themselves */
    DEFLATE_KIND_MIXED,
    DEFLATE_KINDS
};

static const char *const deflate_kind_names[DEFLATE_KINDS] = {
    "text",        "reads",        "log lines", "bases",
    "noise",       "zeros",        "hot bytes", "even symbols",
    "far matches", "near matches", "a mixture"};

/* Content of up to ROOM bytes. */
struct deflate_sample {
    unsigned char *byte;
    size_t size;
    size_t room;
};

static inline void
deflate_sample_add(struct deflate_sample *sample, const void *data, size_t size)
{
    if (size > sample->room - sample->size)
        size = sample->room - sample->size;
    memcpy(sample->byte + sample->size, data, size);
    sample->size += size;
}

static inline void
deflate_sample_noise(struct deflate_sample *sample, size_t size,
                     const char *symbols, unsigned int count)
{
    for (size_t i = 0; i < size && sample->size < sample->room; i++) {
        const unsigned int n = (unsigned int)(noise() % count);
        sample->byte[sample->size++] =
            (unsigned char)(symbols != NULL ? (unsigned char)symbols[n] : n);
    }
}

/* Repeat SIZE bytes that are DISTANCE bytes back. */
static inline void
deflate_sample_match(struct deflate_sample *sample, size_t distance,
                     size_t size)
{
    if (distance == 0 || distance > sample->size)
        return;
    for (size_t i = 0; i < size && sample->size < sample->room; i++) {
        sample->byte[sample->size] = sample->byte[sample->size - distance];
        sample->size++;
    }
}

static inline void
deflate_sample_text(struct deflate_sample *sample)
{
    static const char *const words[] = {"the ",   "quick ", "brown ",  "fox ",
                                        "jumps ", "over\n", "a lazy ", "dog "};
    char number[24];
    const char *word = words[noise() % 8];

    deflate_sample_add(sample, word, strlen(word));
    if (noise() % 4 == 0)
        deflate_sample_add(sample, number,
                           (size_t)snprintf(number, sizeof number, "%u ",
                                            (unsigned)(noise() % 100000)));
}

static inline void
deflate_sample_read(struct deflate_sample *sample)
{
    const size_t length = 150;
    char name[80];
    unsigned char quality = 'I';

    deflate_sample_add(
        sample, name,
        (size_t)snprintf(
            name, sizeof name, "@A00%u:%u:HX:1:%u:%u:%u 1:N:0:AC\n",
            (unsigned)(noise() % 4), (unsigned)(noise() % 9),
            (unsigned)(1101 + noise() % 99), (unsigned)(noise() % 32768),
            (unsigned)(noise() % 32768)));
    deflate_sample_noise(sample, length, "ACGT", 4);
    deflate_sample_add(sample, "\n+\n", 3);
    for (size_t i = 0; i < length; i++) {
        if (noise() % 3 == 0)
            quality = (unsigned char)('#' + noise() % 40);
        deflate_sample_add(sample, &quality, 1);
    }
    deflate_sample_add(sample, "\n", 1);
}

static inline void
deflate_sample_line(struct deflate_sample *sample)
{
    static const char *const paths[] = {"/", "/index.html", "/a/b/c.png",
                                        "/api/v1/items", "/style.css"};
    char line[200];

    deflate_sample_add(
        sample, line,
        (size_t)snprintf(
            line, sizeof line,
            "10.%u.%u.%u - - [28/Nov/2026:12:%02u:%02u +0000] \"GET %s "
            "HTTP/1.1\" %u %u \"-\" \"Mozilla/5.0 (X11; Linux x86_64)\"\n",
            (unsigned)(noise() % 4), (unsigned)(noise() % 256),
            (unsigned)(noise() % 256), (unsigned)(noise() % 60),
            (unsigned)(noise() % 60), paths[noise() % 5],
            noise() % 9 == 0 ? 404 : 200, (unsigned)(noise() % 100000)));
}

/* Add some bytes of KIND. */
static inline void
deflate_sample_some(struct deflate_sample *sample, enum deflate_kind kind)
{
    switch (kind) {
    case DEFLATE_KIND_TEXT:
        deflate_sample_text(sample);
        break;
    case DEFLATE_KIND_READS:
        deflate_sample_read(sample);
        break;
    case DEFLATE_KIND_LINES:
        deflate_sample_line(sample);
        break;
    case DEFLATE_KIND_BASES:
        deflate_sample_noise(sample, 100, "ACGT", 4);
        break;
    case DEFLATE_KIND_NOISE:
        deflate_sample_noise(sample, 100, NULL, 256);
        break;
    case DEFLATE_KIND_ZEROS:
        deflate_sample_noise(sample, 100, NULL, 1);
        break;
    case DEFLATE_KIND_HOT:
        deflate_sample_noise(sample, noise() % 5000, NULL, 1);
        deflate_sample_noise(sample, 1, NULL, 256);
        break;
    case DEFLATE_KIND_EVEN:
        deflate_sample_noise(sample, 100, NULL, 64);
        break;
    case DEFLATE_KIND_FAR:
        deflate_sample_noise(sample, 100, NULL, 256);
        deflate_sample_match(sample, noise() % 32768, 3 + noise() % 400);
        break;
    case DEFLATE_KIND_NEAR:
        deflate_sample_noise(sample, noise() % 20, NULL, 256);
        deflate_sample_match(sample, 1 + noise() % 60, noise() % 900);
        break;
    default:
        for (int i = 0; i < 20; i++)
            deflate_sample_some(
                sample, (enum deflate_kind)(noise() % DEFLATE_KIND_MIXED));
    }
}

/* Make SAMPLE of SIZE bytes of KIND, up to its room. */
static inline void
deflate_sample_make(struct deflate_sample *sample, enum deflate_kind kind,
                    size_t size)
{
    const size_t room = sample->room;

    sample->room = size < room ? size : room;
    sample->size = 0;
    if (kind == DEFLATE_KIND_MIXED)
        deflate_sample_some(sample,
                            (enum deflate_kind)(noise() % DEFLATE_KIND_MIXED));
    while (sample->size < sample->room)
        deflate_sample_some(sample, kind);
    sample->room = room;
}

/* How zlib makes deflate data. */
struct deflate_shape {
    int level;
    int strategy;
    int memory;   /* 1 to 9: the size of blocks */
    size_t flush; /* ends a block after each of these bytes; or 0 */
    int flush_how;
};

/* Returns the size of the deflate data of SAMPLE, of at most ROOM bytes, or 0
   if these are too few. */
static inline size_t
deflate_sample_pack(const struct deflate_sample *sample,
                    const struct deflate_shape *shape, unsigned char *packed,
                    size_t room)
{
    z_stream stream = {.next_out = packed, .avail_out = (unsigned)room};
    size_t size = 0;
    int result = Z_OK;

    if (deflateInit2(&stream, shape->level, Z_DEFLATED, -15, shape->memory,
                     shape->strategy) != Z_OK)
        abort();
    stream.next_in = sample->byte;
    while (result == Z_OK) {
        size_t left = sample->size - (size_t)(stream.next_in - sample->byte);
        bool is_end = shape->flush == 0 || left <= shape->flush;
        stream.avail_in = (unsigned)(is_end ? left : shape->flush);
        result = deflate(&stream, is_end ? Z_FINISH : shape->flush_how);
        if (stream.avail_out == 0)
            break;
    }
    size = result == Z_STREAM_END ? stream.total_out : 0;
    deflateEnd(&stream);
    return size;
}

#endif
