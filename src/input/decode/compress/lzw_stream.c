/* SPDX-License-Identifier: MIT */
/*
 * lzw_stream.c -- decode .Z files of compress(1)
 *
 * A code stands for a string: of one byte, or the string of an earlier code and
 * one byte more.  Each code adds a string to the table: the string of the code
 * before, and the first byte of its own string.
 */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "input/decode/compress/lzw_stream.h"

#define INPUT_BYTES ((size_t)128 << 10)
#define WHAT "compress data"

#define HEADER_BYTES 3

/* Of the header's last byte. */
#define FLAG_CLEARS 0x80 /* the code CODE_CLEAR empties the table */
#define WIDTH_MASK 0x1f

#define WIDTH_LEAST 9
#define WIDTH_MOST 16
#define CODES ((size_t)1 << WIDTH_MOST)

/* The codes below are single bytes. */
#define CODE_CLEAR 256

/* The strings of all codes. */
struct lzw_table {
    uint16_t prefix[CODES]; /* the code of all bytes but the last */
    unsigned char last[CODES];

    /* The string of the last code, backwards. */
    unsigned char text[CODES];
};

struct lzw_stream {
    struct decoder base;
    struct lzw_table *table; /* owned */
    bool has_header;
    bool has_first;      /* the first code has been read */
    bool clears;         /* the file may have CODE_CLEAR ... */
    bool is_clearing;    /* ... and the last code was this */
    unsigned int most;   /* bits: the greatest width of a code ... */
    uint32_t codes;      /* ... but these are all codes that there are */
    unsigned int width;  /* bits of the next code */
    uint32_t end;        /* the last code of the table */
    uint32_t previous;   /* the code before ... */
    unsigned char first; /* ... and the first byte of its string */
    uint32_t bits;       /* HAS_BITS bits that were read ahead */
    unsigned int has_bits;
    off_t group;      /* where the groups of eight codes started */
    size_t text_left; /* bytes of TEXT for the caller */
};

static void
start_stream(struct decoder *decoder)
{
    struct lzw_stream *stream = (struct lzw_stream *)decoder;

    stream->has_header = false;
    stream->text_left = 0;
}

static void
close_stream(struct decoder *decoder)
{
    free(((struct lzw_stream *)decoder)->table);
}

/* Returns as step() does. */
static int
read_header(struct lzw_stream *stream)
{
    struct decoder *base = &stream->base;
    int more = decoder_need(base, HEADER_BYTES, WHAT);

    if (more <= 0)
        return more;
    unsigned int flags = decoder_next(base)[2];
    stream->most = flags & WIDTH_MASK;
    stream->codes = UINT32_C(1) << stream->most;
    if (stream->most == WIDTH_LEAST)
        stream->most++;
    stream->clears = (flags & FLAG_CLEARS) != 0;
    if (stream->table == NULL) {
        if (decoder_reserve(base, sizeof *stream->table, WHAT) < 0)
            return -1;
        stream->table = malloc(sizeof *stream->table);
        if (stream->table == NULL)
            return source_fail_memory(base->source);
    }
    base->input_next += HEADER_BYTES;
    stream->has_header = true;
    stream->has_first = false;
    stream->is_clearing = false;
    stream->width = WIDTH_LEAST;
    stream->end = stream->clears ? CODE_CLEAR : CODE_CLEAR - 1;
    stream->group = decoder_offset(base);
    stream->bits = 0;
    stream->has_bits = 0;
    return 1;
}

/*
 * Leave out the rest of a group of eight codes, of WIDTH bytes.  Returns as
 * decoder_need() does; 1 also if the file ends before.
 */
static int
end_group(struct lzw_stream *stream)
{
    struct decoder *base = &stream->base;
    off_t done = (decoder_offset(base) - stream->group) % stream->width;

    if (done > 0) {
        size_t rest = (size_t)(stream->width - done);
        if (decoder_fill(base, rest) < 0)
            return -1;
        if (decoder_left(base) < rest && source_is_cut_short(base->source))
            return 0;
        base->input_next +=
            decoder_left(base) < rest ? decoder_left(base) : rest;
    }
    stream->group = decoder_offset(base);
    stream->bits = 0;
    stream->has_bits = 0;
    return 1;
}

/* The file has ended before the next code.  Returns 0, or -1: the bits that are
   left are part of a code. */
static int
check_end(struct lzw_stream *stream)
{
    bool is_padding = stream->has_bits < 8 && stream->bits == 0;

    return is_padding ? 0 : decoder_fail_short(&stream->base, WHAT);
}

/* Set *CODE to the next code.  Returns 1; 0: the end, or the source is cut
   short; or -1 with the source's error set. */
static int
read_code(struct lzw_stream *stream, uint32_t *code)
{
    struct decoder *base = &stream->base;

    if (stream->end + 1 >= UINT32_C(1) << stream->width &&
        stream->width < stream->most) {
        int more = end_group(stream);
        if (more <= 0)
            return more;
        stream->width++;
    }
    size_t wanted = (stream->width - stream->has_bits + 7) / 8;
    if (decoder_left(base) < wanted) {
        if (decoder_fill(base, wanted) < 0)
            return -1;
        size_t size = decoder_left(base);
        if (size < wanted && source_is_cut_short(base->source))
            return 0;
        if (size < wanted)
            return size == 0 ? check_end(stream)
                             : decoder_fail_short(base, WHAT);
    }
    const unsigned char *byte = decoder_next(base);
    for (size_t i = 0; i < wanted; i++, stream->has_bits += 8)
        stream->bits |= (uint32_t)byte[i] << stream->has_bits;
    base->input_next += wanted;
    *code = stream->bits & ((UINT32_C(1) << stream->width) - 1);
    stream->bits >>= stream->width;
    stream->has_bits -= stream->width;
    return 1;
}

/* Write the string of CODE to TEXT, and add a string to the table.  Returns 1,
   or -1: the table lacks CODE. */
static int
take_code(struct lzw_stream *stream, uint32_t code)
{
    struct lzw_table *table = stream->table;
    uint32_t at = code;
    size_t size = 0;

    if (!stream->has_first && code >= CODE_CLEAR)
        return decoder_fail(&stream->base, "corrupt " WHAT,
                            "the first code is no byte " DECODER_HINT_NONE);
    if (code > stream->end || code >= stream->codes) {
        if (code != stream->end + 1 || stream->previous > stream->end ||
            code >= stream->codes)
            return decoder_fail(&stream->base, "corrupt " WHAT,
                                "a code without a string " DECODER_HINT_NONE);
        /* The string of the code before, and its first byte again. */
        table->text[size++] = stream->first;
        at = stream->previous;
    }
    for (; at >= CODE_CLEAR; at = table->prefix[at])
        table->text[size++] = table->last[at];
    table->text[size++] = (unsigned char)at;
    stream->first = (unsigned char)at;
    if (stream->has_first && stream->end + 1 < UINT32_C(1) << stream->width) {
        stream->end++;
        table->prefix[stream->end] = (uint16_t)stream->previous;
        table->last[stream->end] = stream->first;
    }
    stream->has_first = true;
    stream->previous = code;
    stream->text_left = size;
    return 1;
}

/* Move bytes of TEXT to BUFFER, which has ROOM.  Returns how many. */
static size_t
put_text(struct lzw_stream *stream, unsigned char *buffer, size_t room)
{
    size_t size = stream->text_left < room ? stream->text_left : room;

    for (size_t i = 0; i < size; i++)
        buffer[i] = stream->table->text[--stream->text_left];
    return size;
}

/* Empty the table, and read the next code.  Returns as read_code() does. */
static int
clear_table(struct lzw_stream *stream, uint32_t *code)
{
    int more = end_group(stream);

    if (more <= 0)
        return more;
    stream->is_clearing = false;
    stream->width = WIDTH_LEAST;
    stream->end = CODE_CLEAR - 1;
    return read_code(stream, code);
}

static int
step_stream(struct decoder *decoder, unsigned char *buffer, size_t capacity,
            size_t *size)
{
    struct lzw_stream *stream = (struct lzw_stream *)decoder;
    uint32_t code;
    int more = 1;

    if (!stream->has_header)
        return read_header(stream);
    *size = put_text(stream, buffer, capacity);
    while (*size < capacity) {
        more = stream->is_clearing ? clear_table(stream, &code)
                                   : read_code(stream, &code);
        if (more <= 0)
            break;
        stream->is_clearing =
            code == CODE_CLEAR && stream->clears && stream->has_first;
        if (stream->is_clearing)
            continue;
        if (take_code(stream, code) < 0)
            return -1;
        *size += put_text(stream, buffer + *size, capacity - *size);
    }
    return more == 0 && *size > 0 ? 1 : more;
}

const struct decoder_type lzw_stream_type = {
    .struct_bytes = sizeof(struct lzw_stream),
    .input_capacity = INPUT_BYTES,
    .start = start_stream,
    .step = step_stream,
    .close = close_stream,
};
