/*
 * bzip2_stream.c -- decode bzip2 streams with libbz2
 *
 * Blocks begin at any bit, and libbz2 does not say where.  So there are no
 * parts, and the offset in a message is where libbz2 noticed the damage.
 */

#include <limits.h>
#include <stdlib.h>

#include <bzlib.h>

#include "input/bzip2_stream.h"
#include "input/magic.h"

#define INPUT_BYTES (1 << 17)

/* What bzip2(1) says decoding needs, for each 100 kB of the block size. */
#define DECODER_BYTES (100 << 10)
#define DECODER_BYTES_PER_LEVEL 400000

/* The magic number's last byte is the block size, '1' to '9'. */
#define HEADER_BYTES 4

struct bzip2_stream {
    struct decoder base;
    bz_stream bz;
    bool is_open;   /* BZ holds memory */
    bool in_stream; /* between a stream's start and its end */
};

static struct bzip2_stream *
stream_of(struct decoder *decoder)
{
    return (struct bzip2_stream *)decoder;
}

static struct decoder *
open_stream(void)
{
    struct bzip2_stream *stream = calloc(1, sizeof *stream);

    if (stream == NULL)
        return NULL;
    stream->base.input_capacity = INPUT_BYTES;
    return &stream->base;
}

static void
close_stream(struct decoder *decoder)
{
    struct bzip2_stream *stream = stream_of(decoder);

    if (stream->is_open)
        BZ2_bzDecompressEnd(&stream->bz);
    stream->is_open = false;
}

static void
begin_stream(struct decoder *decoder)
{
    close_stream(decoder);
    stream_of(decoder)->in_stream = false;
}

/*
 * Start the next stream.  Returns 1; 0: the end; or -1 with the source's error
 * set.
 */
static int
begin_next(struct bzip2_stream *stream)
{
    struct decoder *base = &stream->base;
    struct source *source = base->source;

    if (decoder_fill(base, HEADER_BYTES) < 0)
        return -1;
    if (cancel_is_asked(source->cancel))
        return 0;
    const unsigned char *header = base->input + base->input_next;
    size_t size = base->input_end - base->input_next;
    if (size == 0 || (size < HEADER_BYTES && source->is_interrupted))
        return 0;
    /* If what follows the header is damaged, libbz2 will say so. */
    enum magic match =
        magic_is_bzip2(header, size < HEADER_BYTES ? size : HEADER_BYTES);
    if (match == MAGIC_NO)
        return source_fail(source, decoder_offset(base), "not a bzip2 stream",
                           "garbage after the last stream");
    if (size < HEADER_BYTES)
        return source_fail(source, decoder_offset(base) + (off_t)size,
                           "truncated bzip2 stream", "unexpected end of file");
    close_stream(base);
    uint64_t level = (uint64_t)(header[HEADER_BYTES - 1] - '0');
    uint64_t need = DECODER_BYTES + DECODER_BYTES_PER_LEVEL * level;
    if (base->reserved < need &&
        decoder_reserve(base, need, "bzip2 stream") < 0)
        return -1;
    stream->bz = (bz_stream){0};
    if (BZ2_bzDecompressInit(&stream->bz, 0, 0) != BZ_OK)
        return source_fail_memory(source);
    stream->is_open = true;
    stream->in_stream = true;
    return 1;
}

/* Returns what is wrong with the data, for a message. */
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

/* Call libbz2 once.  Returns the number of bytes in BUFFER, or -1. */
static ssize_t
decode(struct bzip2_stream *stream, void *buffer, size_t capacity)
{
    struct decoder *base = &stream->base;
    struct source *source = base->source;
    bz_stream *bz = &stream->bz;

    if (base->input_next == base->input_end && decoder_fill(base, 1) < 0)
        return -1;
    size_t size = base->input_end - base->input_next;
    if (size == 0 && source_is_cut_short(source))
        return 0;
    if (capacity > UINT_MAX)
        capacity = UINT_MAX;
    bz->next_in = (char *)base->input + base->input_next;
    bz->avail_in = (unsigned int)size;
    bz->next_out = buffer;
    bz->avail_out = (unsigned int)capacity;
    int result = BZ2_bzDecompress(bz);
    size_t got = capacity - bz->avail_out;
    base->input_next += size - bz->avail_in;
    if (result == BZ_MEM_ERROR)
        return source_fail_memory(source);
    if (result == BZ_STREAM_END)
        stream->in_stream = false;
    else if (result != BZ_OK)
        return source_fail(source, decoder_offset(base), "corrupt bzip2 data",
                           detail_of(result));
    else if (size == 0 && got == 0)
        return source_fail(source, decoder_offset(base),
                           "truncated bzip2 stream", "unexpected end of file");
    return (ssize_t)got;
}

static ssize_t
read_stream(struct decoder *decoder, void *buffer, size_t capacity)
{
    struct bzip2_stream *stream = stream_of(decoder);
    size_t done = 0;

    while (done < capacity && !source_is_cut_short(decoder->source)) {
        if (!stream->in_stream) {
            int more = begin_next(stream);
            if (more < 0)
                return -1;
            if (more == 0)
                break;
        }
        ssize_t got =
            decode(stream, (unsigned char *)buffer + done, capacity - done);
        if (got < 0)
            return -1;
        done += (size_t)got;
    }
    return (ssize_t)done;
}

const struct decoder_type bzip2_stream_type = {
    .open = open_stream,
    .begin = begin_stream,
    .read = read_stream,
    .close = close_stream,
};
