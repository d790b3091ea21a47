/* SPDX-License-Identifier: MIT */
/*
 * bzip2_stream.c -- decode bzip2 streams with libbz2
 *
 * Blocks start at any bit, and libbz2 does not say where.  So a file has no
 * parts, and the offset in a message is where libbz2 noticed the damage.
 */

#include <limits.h>
#include <stdlib.h>

#include <bzlib.h>

#include "input/decode/bzip2/bzip2_stream.h"
#include "input/magic.h"

#define INPUT_BYTES (1 << 17)
#define WHAT "bzip2 stream"

/* The memory for decoding that bzip2(1) states, for each 100 kB of the block
   size. */
#define DECODER_BYTES (100 << 10)
#define DECODER_BYTES_PER_LEVEL 400000

/* The magic number's last byte is the block size, '1' to '9'. */
#define HEADER_BYTES 4

/* The first bytes of a block, and of the end of a stream. */
#define BLOCK_MAGIC_BYTES 6

struct bzip2_stream {
    struct decoder base;
    bz_stream bz;
    bool is_open;   /* BZ holds memory */
    bool in_stream; /* between a stream's start and its end */
    bool is_first;  /* no stream has ended */
};

static void
close_stream(struct decoder *decoder)
{
    struct bzip2_stream *stream = (struct bzip2_stream *)decoder;

    if (stream->is_open)
        BZ2_bzDecompressEnd(&stream->bz);
    stream->is_open = false;
}

static void
start_stream(struct decoder *decoder)
{
    struct bzip2_stream *stream = (struct bzip2_stream *)decoder;

    close_stream(decoder);
    stream->in_stream = false;
    stream->is_first = true;
}

/* Whether all that libbz2 has read is the start of the input, up to the magic
   number of the first block at most. */
static bool
is_at_start(const struct bzip2_stream *stream)
{
    return stream->is_first && stream->bz.total_in_hi32 == 0 &&
           stream->bz.total_in_lo32 <= HEADER_BYTES + BLOCK_MAGIC_BYTES;
}

/*
 * Start the next stream.  Returns 1; 0: the end; or -1 with the source's error
 * set.
 */
static int
start_next(struct bzip2_stream *stream)
{
    struct decoder *base = &stream->base;
    struct source *source = base->source;

    if (decoder_fill(base, HEADER_BYTES) < 0)
        return -1;
    if (cancel_is_asked(source->cancel))
        return 0;
    const unsigned char *header = decoder_next(base);
    size_t size = decoder_left(base);
    if (size == 0 || (size < HEADER_BYTES && source->is_interrupted))
        return 0;
    enum magic match = magic_is_bzip2(header, size);
    if (match == MAGIC_NO)
        return decoder_fail(base, "not a bzip2 stream",
                            "garbage after the last stream");
    if (size < HEADER_BYTES)
        return decoder_fail_short(base, WHAT);
    close_stream(base);
    uint64_t level = (uint64_t)(header[HEADER_BYTES - 1] - '0');
    uint64_t need = DECODER_BYTES + DECODER_BYTES_PER_LEVEL * level;
    if (base->reserved < need && decoder_reserve(base, need, WHAT) < 0)
        return -1;
    stream->bz = (bz_stream){0};
    if (BZ2_bzDecompressInit(&stream->bz, 0, 0) != BZ_OK)
        return source_fail_memory(source);
    stream->is_open = true;
    stream->in_stream = true;
    return 1;
}

/* Returns an error text for a message. */
static const char *
detail_of(int result)
{
    switch (result) {
    case BZ_DATA_ERROR_MAGIC:
        return "not a bzip2 header";
    case BZ_DATA_ERROR:
        return "a block is damaged or has a wrong checksum";
    default:
        return "libbz2 failed";
    }
}

static int
step_stream(struct decoder *base, unsigned char *buffer, size_t capacity,
            size_t *size)
{
    struct bzip2_stream *stream = (struct bzip2_stream *)base;
    bz_stream *bz = &stream->bz;

    if (!stream->in_stream)
        return start_next(stream);
    if (decoder_fill(base, 1) < 0)
        return -1;
    size_t left = decoder_left(base);
    if (left == 0 && source_is_cut_short(base->source))
        return 0;
    if (capacity > UINT_MAX)
        capacity = UINT_MAX;
    bz->next_in = (char *)base->input + base->input_next;
    bz->avail_in = (unsigned int)left;
    bz->next_out = (char *)buffer;
    bz->avail_out = (unsigned int)capacity;
    int result = BZ2_bzDecompress(bz);
    *size = capacity - bz->avail_out;
    base->input_next += left - bz->avail_in;
    if (result == BZ_MEM_ERROR)
        return source_fail_memory(base->source);
    if (result == BZ_STREAM_END) {
        stream->in_stream = false;
        stream->is_first = false;
    } else if (result == BZ_DATA_ERROR && is_at_start(stream)) {
        return source_fail(base->source, decoder_offset(base) - 1,
                           "corrupt bzip2 data",
                           "no block after the header " DECODER_HINT_NONE);
    } else if (result != BZ_OK)
        return decoder_fail(base, "corrupt bzip2 data", detail_of(result));
    else if (left == 0 && *size == 0)
        return decoder_fail_short(base, WHAT);
    return 1;
}

const struct decoder_type bzip2_stream_type = {
    .struct_bytes = sizeof(struct bzip2_stream),
    .input_capacity = INPUT_BYTES,
    .start = start_stream,
    .step = step_stream,
    .close = close_stream,
};
