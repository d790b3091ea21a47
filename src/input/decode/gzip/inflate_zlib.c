/* SPDX-License-Identifier: MIT */
/* inflate_zlib.c -- decode raw deflate data with zlib */

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>

#define ZLIB_CONST
#include <zlib.h>

#include "input/decode/gzip/inflate.h"

/* A window of 2^15 bytes, the largest, and no header. */
#define RAW_WINDOW (-15)

struct inflate {
    z_stream stream;
};

struct inflate *
inflate_open(void)
{
    struct inflate *decoder = calloc(1, sizeof *decoder);

    if (decoder != NULL && inflateInit2(&decoder->stream, RAW_WINDOW) != Z_OK) {
        free(decoder);
        decoder = NULL;
    }
    return decoder;
}

void
inflate_close(struct inflate *decoder)
{
    if (decoder == NULL)
        return;
    inflateEnd(&decoder->stream);
    free(decoder);
}

void
inflate_start(struct inflate *decoder)
{
    inflateReset(&decoder->stream);
}

/* Call zlib once. */
static enum inflate_result
call_zlib(struct inflate *decoder, struct inflate_span *span, int flush)
{
    z_stream *stream = &decoder->stream;

    stream->next_in = span->in;
    stream->avail_in =
        span->in_size < UINT_MAX ? (unsigned)span->in_size : UINT_MAX;
    stream->next_out = span->out;
    stream->avail_out =
        span->out_size < UINT_MAX ? (unsigned)span->out_size : UINT_MAX;
    int result = inflate(stream, flush);
    span->in_size -= (size_t)(stream->next_in - span->in);
    span->in = stream->next_in;
    span->out_size -= (size_t)(stream->next_out - span->out);
    span->out = stream->next_out;
    switch (result) {
    case Z_STREAM_END:
        return INFLATE_END;
    case Z_OK:
    case Z_BUF_ERROR: /* nothing to do with this input and this room */
        return INFLATE_MORE;
    case Z_MEM_ERROR: /* zlib allocates the window when needed */
        return INFLATE_NO_MEMORY;
    default:
        return INFLATE_BAD;
    }
}

/* The position of zlib, in its DATA_TYPE. */
enum {
    AFTER_BLOCK = 128,
    IN_LAST_BLOCK = 64,
    HELD_BITS = 63,
};

/* Whether a block has ended, and another block follows. */
static bool
is_after_block(const struct inflate *decoder)
{
    int where = decoder->stream.data_type;

    return (where & AFTER_BLOCK) != 0 && (where & IN_LAST_BLOCK) == 0;
}

enum inflate_result
inflate_run(struct inflate *decoder, struct inflate_span *span)
{
    enum inflate_result result = INFLATE_MORE;
    unsigned int stalls = 0;

    /* With Z_BLOCK, zlib returns at the end of each block, which may be in bits
       that it has; it must not look at those behind before there are more. */
    while (result == INFLATE_MORE && stalls < 2 && span->out_size > 0 &&
           (span->in_size > 0 || !is_after_block(decoder))) {
        size_t before = span->in_size + span->out_size;
        result = call_zlib(decoder, span, Z_BLOCK);
        stalls = before == span->in_size + span->out_size ? stalls + 1 : 0;
    }
    return result;
}

void
inflate_start_at(struct inflate *decoder, struct inflate_span *span,
                 unsigned int bit, const unsigned char *window)
{
    z_stream *stream = &decoder->stream;

    inflateReset(stream);
    inflateSetDictionary(stream, window, (unsigned)INFLATE_WINDOW_BYTES);
    if (bit > 0) {
        inflatePrime(stream, CHAR_BIT - (int)bit, *span->in++ >> bit);
        span->in_size--;
    }
}

int
inflate_bits_after_block(const struct inflate *decoder)
{
    return is_after_block(decoder) ? decoder->stream.data_type & HELD_BITS : -1;
}

enum inflate_result
inflate_all(struct inflate *decoder, struct inflate_span *span)
{
    return call_zlib(decoder, span, Z_FINISH);
}

uint32_t
inflate_crc(uint32_t crc, const unsigned char *data, size_t size)
{
    return (uint32_t)crc32_z(crc, data, size);
}

uint32_t
inflate_adler(uint32_t adler, const unsigned char *data, size_t size)
{
    return (uint32_t)adler32_z(adler, data, size);
}
