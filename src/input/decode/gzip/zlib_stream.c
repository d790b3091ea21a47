/* SPDX-License-Identifier: MIT */
/* zlib_stream.c -- decode a zlib stream: deflate data with Adler-32 */

#include "input/decode/gzip/zlib_stream.h"
#include "input/decode/gzip/inflate_decoder.h"

#define INPUT_BYTES ((size_t)128 << 10)
#define WHAT "zlib stream"

#define HEADER_BYTES 2
#define TRAILER_BYTES 4

/* Of the first byte of a header: deflate, with a window up to 2^(7 + 8). */
#define METHOD_MASK 15
#define METHOD_DEFLATE 8
#define WINDOW_MOST 7

/* Of the second byte. */
#define FLAG_DICTIONARY 0x20

enum zlib_place {
    PLACE_BETWEEN, /* a stream starts there, or nothing follows */
    PLACE_DATA,
    PLACE_TRAILER,
};

struct zlib_stream {
    struct decoder base;
    struct inflate *inflate; /* NULL until the first stream */
    enum zlib_place place;
    bool had_stream; /* at least one has ended */
    bool is_starved; /* the library needs more input than it had */
    uint32_t adler;  /* of the content so far */
};

static void
start_stream(struct decoder *decoder)
{
    struct zlib_stream *stream = (struct zlib_stream *)decoder;

    stream->place = PLACE_BETWEEN;
    stream->had_stream = false;
}

/* Whether HEADER, of HEADER_BYTES, starts a zlib stream. */
static bool
is_header(const unsigned char *header)
{
    return (header[0] & METHOD_MASK) == METHOD_DEFLATE &&
           header[0] >> 4 <= WINDOW_MOST &&
           ((unsigned int)header[0] << 8 | header[1]) % 31 == 0;
}

/* Returns as step() does. */
static int
read_between(struct zlib_stream *stream)
{
    struct decoder *base = &stream->base;

    if (decoder_fill(base, HEADER_BYTES) < 0)
        return -1;
    if (cancel_is_asked(base->source->cancel))
        return 0;
    size_t size = decoder_left(base);
    if (size < HEADER_BYTES && source_is_cut_short(base->source))
        return 0;
    if (size == 0 && stream->had_stream)
        return 0;
    const unsigned char *header = decoder_next(base);
    if (size < HEADER_BYTES && !stream->had_stream)
        return decoder_fail_short(base, WHAT);
    if (size < HEADER_BYTES || !is_header(header))
        return decoder_fail(base, "not a zlib stream",
                            stream->had_stream
                                ? "garbage after the last stream"
                                : "its first bytes are no header");
    if ((header[1] & FLAG_DICTIONARY) != 0)
        return decoder_fail(base, "unsupported zlib stream",
                            "it needs a dictionary");
    if (inflate_decoder_open(&stream->inflate, base, WHAT) < 0)
        return -1;
    base->input_next += HEADER_BYTES;
    inflate_start(stream->inflate);
    stream->adler = 1;
    stream->is_starved = false;
    stream->place = PLACE_DATA;
    return 1;
}

/* Returns as step() does. */
static int
read_data(struct zlib_stream *stream, unsigned char *buffer, size_t capacity,
          size_t *size)
{
    struct decoder *base = &stream->base;
    size_t left = decoder_left(base);

    if (stream->is_starved) {
        size_t before = left;
        if (decoder_fill(base, before + 1) < 0)
            return -1;
        left = decoder_left(base);
        if (left == before)
            return decoder_fail_short(base, WHAT);
    }
    struct inflate_span span = {decoder_next(base), left, buffer, capacity};
    enum inflate_result result = inflate_run(stream->inflate, &span);
    *size = (size_t)(span.out - buffer);
    base->input_next += (size_t)(span.in - decoder_next(base));
    /* Without room left, the library may have more content. */
    stream->is_starved = span.out_size > 0;
    if (result == INFLATE_NO_MEMORY)
        return source_fail_memory(base->source);
    if (result == INFLATE_BAD)
        return decoder_fail(base, "corrupt zlib data", "invalid deflate data");
    stream->adler = inflate_adler(stream->adler, buffer, *size);
    if (result == INFLATE_END)
        stream->place = PLACE_TRAILER;
    return 1;
}

/* Returns as step() does. */
static int
read_trailer(struct zlib_stream *stream)
{
    struct decoder *base = &stream->base;
    int more = decoder_need(base, TRAILER_BYTES, WHAT);
    uint32_t sum = 0;

    if (more <= 0)
        return more;
    for (int i = 0; i < TRAILER_BYTES; i++)
        sum = sum << 8 | decoder_next(base)[i];
    if (sum != stream->adler)
        return decoder_fail(base, "corrupt zlib data", "wrong checksum");
    base->input_next += TRAILER_BYTES;
    stream->place = PLACE_BETWEEN;
    stream->had_stream = true;
    return 1;
}

static int
step_stream(struct decoder *decoder, unsigned char *buffer, size_t capacity,
            size_t *size)
{
    struct zlib_stream *stream = (struct zlib_stream *)decoder;

    switch (stream->place) {
    case PLACE_BETWEEN:
        return read_between(stream);
    case PLACE_TRAILER:
        return read_trailer(stream);
    case PLACE_DATA:
        break;
    }
    return read_data(stream, buffer, capacity, size);
}

static void
close_stream(struct decoder *decoder)
{
    inflate_close(((struct zlib_stream *)decoder)->inflate);
}

const struct decoder_type zlib_stream_type = {
    .struct_bytes = sizeof(struct zlib_stream),
    .input_capacity = INPUT_BYTES,
    .start = start_stream,
    .step = step_stream,
    .close = close_stream,
};
