/*
 * zstd_stream.c -- decode zstd frames with libzstd
 *
 * libzstd writes the decoded bytes directly into the chunk that will be
 * counted.  It gets one block at a time, in the sizes that it asks for.  That
 * costs nothing, because blocks have up to 128 KiB, and a message can give the
 * offset of a bad block in the file.
 */

#include <stdint.h>
#include <stdlib.h>

#include <zstd.h>

#include "input/lz4_frame.h"
#include "input/zstd_frame.h"
#include "input/zstd_stream.h"
#include "input/zstd_walk.h"

/* An upper bound of libzstd's memory besides the window. */
#define DECODER_BYTES (1 << 20)

/* The first bytes of a frame that libzstd needs: see ZSTD_initDStream(). */
#define FIRST_BYTES 5

struct zstd_stream {
    struct decoder base;
    ZSTD_DCtx *decoder; /* NULL until the first frame */

    size_t wanted;      /* the bytes that libzstd asks for next */
    bool in_frame;      /* between a frame's start and its end */
    bool may_flush;     /* libzstd may hold decoded bytes */
    off_t piece_offset; /* of the last piece of input, for a message ... */
    bool in_piece;      /* ... whose end libzstd did not get yet */
};

static struct zstd_stream *
stream_of(struct decoder *decoder)
{
    return (struct zstd_stream *)decoder;
}

static struct decoder *
open_stream(void)
{
    struct zstd_stream *stream = calloc(1, sizeof *stream);

    if (stream == NULL)
        return NULL;
    stream->base.input_capacity = ZSTD_DStreamInSize();
    return &stream->base;
}

static void
begin_stream(struct decoder *decoder)
{
    struct zstd_stream *stream = stream_of(decoder);

    /* --read-bytes may have stopped the last source within a frame. */
    if (stream->in_frame)
        ZSTD_DCtx_reset(stream->decoder, ZSTD_reset_session_only);
    stream->in_frame = false;
    stream->may_flush = false;
    stream->in_piece = false;
}

/* Reserve memory for a window of WINDOW bytes.  Returns 0, or -1. */
static int
reserve_decoder(struct zstd_stream *stream, uint64_t window)
{
    struct source *source = stream->base.source;
    uint64_t need = window < UINT64_MAX - DECODER_BYTES ? window + DECODER_BYTES
                                                        : UINT64_MAX;

    if (stream->decoder != NULL && need <= stream->base.reserved)
        return 0;

    ZSTD_freeDCtx(stream->decoder);
    stream->decoder = NULL;
    if (decoder_reserve(&stream->base, need, "zstd frame") < 0)
        return -1;
    stream->decoder = ZSTD_createDCtx();
    if (stream->decoder == NULL)
        return source_fail_memory(source);
    /* The budget limits the window, not libzstd's default of 128 MiB. */
    ZSTD_DCtx_setParameter(
        stream->decoder, ZSTD_d_windowLogMax,
        ZSTD_dParam_getBounds(ZSTD_d_windowLogMax).upperBound);
    return 0;
}

/*
 * Start the next frame.  Returns 1; 0: the end or a pause; or -1 with the
 * source's error set.
 */
static int
begin_frame(struct zstd_stream *stream)
{
    struct decoder *base = &stream->base;
    struct source *source = base->source;
    struct zstd_frame frame;

    if (decoder_pauses(base))
        return 0;
    /* zstd_frame_read() needs the whole header at once. */
    if (decoder_fill(base, ZSTD_FRAME_HEADER_MAX) < 0)
        return -1;
    if (cancel_is_asked(source->cancel))
        return 0;
    const unsigned char *header = base->input + base->input_next;
    size_t size = base->input_end - base->input_next;
    if (size == 0)
        return 0;
    if (size >= ZSTD_FRAME_MAGIC_BYTES && !zstd_frame_is_magic(header, size))
        return source_fail(source, decoder_offset(base), "not a zstd frame",
                           lz4_frame_match(header, size) == MAGIC_YES
                               ? "an lz4 frame (see --decompress=lz4)"
                               : "garbage after the last frame");
    /* After an interruption the rest may follow; else libzstd will fail. */
    if (zstd_frame_read(&frame, header, size) < 0 && source->is_interrupted)
        return 0;
    if (reserve_decoder(stream, frame.window_bytes) < 0)
        return -1;
    stream->in_frame = true;
    stream->wanted = FIRST_BYTES;
    return 1;
}

/*
 * Call libzstd once, with at most one block of input and CAPACITY bytes of
 * output.  Returns the number of bytes in BUFFER, or -1.
 */
static ssize_t
decode(struct zstd_stream *stream, void *buffer, size_t capacity)
{
    struct decoder *base = &stream->base;
    struct source *source = base->source;

    if (!stream->may_flush && decoder_fill(base, stream->wanted) < 0)
        return -1;

    size_t size = base->input_end - base->input_next;
    off_t offset = decoder_offset(base);
    if (size == 0 && !stream->may_flush) {
        if (source_is_cut_short(source))
            return 0;
        return source_fail(source, offset, "truncated zstd frame",
                           "unexpected end of file");
    }
    if (size > stream->wanted)
        size = stream->wanted;
    else if (stream->may_flush && size < stream->wanted)
        size = 0; /* flush the decoded bytes before the next piece */
    /*
     * libzstd asks for a block together with the header of the next one, or
     * for that header alone if the buffer was full.  The offset in a message
     * must be the same in both cases.
     */
    if (stream->wanted != ZSTD_FRAME_BLOCK_HEADER_BYTES && !stream->in_piece)
        stream->piece_offset = offset;
    /* After an interruption libzstd gets an incomplete piece. */
    stream->in_piece =
        source->is_interrupted && size < stream->wanted && !stream->may_flush;

    ZSTD_inBuffer in = {base->input + base->input_next, size, 0};
    ZSTD_outBuffer out = {buffer, capacity, 0};
    size_t hint = ZSTD_decompressStream(stream->decoder, &out, &in);
    if (ZSTD_isError(hint))
        return source_fail(source, stream->piece_offset, "corrupt zstd data",
                           ZSTD_getErrorName(hint));
    base->input_next += in.pos;
    stream->in_frame = hint > 0;
    stream->wanted = hint;
    /* If BUFFER is full, libzstd may hold more bytes, without new input. */
    stream->may_flush = hint > 0 && out.pos == capacity;
    return (ssize_t)out.pos;
}

static ssize_t
read_stream(struct decoder *decoder, void *buffer, size_t capacity)
{
    struct zstd_stream *stream = stream_of(decoder);
    size_t done = 0;

    while (done < capacity && !source_is_cut_short(decoder->source)) {
        if (!stream->in_frame) {
            int more = begin_frame(stream);
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

static void
close_stream(struct decoder *decoder)
{
    ZSTD_freeDCtx(stream_of(decoder)->decoder);
}

const struct decoder_type zstd_stream_type = {
    .open = open_stream,
    .begin = begin_stream,
    .read = read_stream,
    .close = close_stream,
    .walk_open = zstd_walk_open,
    .walk_step = zstd_walk_step,
    .walk_is_at_part = zstd_walk_is_at_frame,
};
