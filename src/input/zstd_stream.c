/*
 * zstd_stream.c -- decode zstd frames with libzstd
 *
 * libzstd writes the decoded bytes directly into the chunk that will be
 * counted.  It gets one block at a time, in the sizes that it asks for.  That
 * costs nothing, because blocks have up to 128 KiB, and a message can give the
 * offset of a bad block in the file.
 *
 * Helpers may decode the blocks of a long frame instead (zstd_ahead.h).
 */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <zstd.h>
#include <zstd_errors.h>

#include "input/lz4_frame.h"
#include "input/zstd_ahead.h"
#include "input/zstd_frame.h"
#include "input/zstd_stream.h"
#include "input/zstd_walk.h"

/* What libzstd asks for at most: a block, and the header of the next one. */
#define INPUT_BYTES (ZSTD_BLOCKSIZE_MAX + ZSTD_FRAME_BLOCK_HEADER_BYTES)

#define WHAT "zstd frame"

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

    struct zstd_ahead ahead;
    uint64_t skipped; /* content of the frame that helpers have delivered */
};

void
zstd_stream_set_sizes(struct decoder *decoder,
                      const struct zstd_ahead_sizes *sizes)
{
    ((struct zstd_stream *)decoder)->ahead.sizes = sizes;
}

static void
begin_stream(struct decoder *decoder)
{
    struct zstd_stream *stream = (struct zstd_stream *)decoder;

    (void)zstd_ahead_close(&stream->ahead);
    if (stream->ahead.sizes == NULL)
        stream->ahead.sizes = &zstd_ahead_usual;
    stream->skipped = 0;
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
    uint64_t need = window < UINT64_MAX - DECODER_BYTES ? window + DECODER_BYTES
                                                        : UINT64_MAX;

    if (stream->decoder != NULL && need <= stream->base.reserved)
        return 0;

    ZSTD_freeDCtx(stream->decoder);
    stream->decoder = NULL;
    if (decoder_reserve(&stream->base, need, WHAT) < 0)
        return -1;
    stream->decoder = ZSTD_createDCtx();
    if (stream->decoder == NULL)
        return source_fail_memory(stream->base.source);
    /* The budget limits the window, not libzstd's default of 128 MiB. */
    ZSTD_DCtx_setParameter(
        stream->decoder, ZSTD_d_windowLogMax,
        ZSTD_dParam_getBounds(ZSTD_d_windowLogMax).upperBound);
    return 0;
}

/* Let libzstd decode the next FRAME.  Returns 1, or -1. */
static int
begin_alone(struct zstd_stream *stream, const struct zstd_frame *frame)
{
    if (reserve_decoder(stream, frame->window_bytes) < 0)
        return -1;
    stream->in_frame = true;
    stream->wanted = FIRST_BYTES;
    return 1;
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
    const unsigned char *header = decoder_next(base);
    size_t size = decoder_left(base);
    if (size == 0)
        return 0;
    if (size >= ZSTD_FRAME_MAGIC_BYTES && !zstd_frame_is_magic(header, size))
        return decoder_fail(base, "not a zstd frame",
                            lz4_frame_match(header, size) == MAGIC_YES
                                ? "an lz4 frame (see --decompress=lz4)"
                                : "garbage after the last frame");
    /* After an interruption the rest may follow; else libzstd will fail. */
    if (zstd_frame_read(&frame, header, size) < 0 && source->is_interrupted)
        return 0;
    if (zstd_ahead_begin(&stream->ahead, base, &frame))
        return decoder_seek(base, stream->ahead.begin) < 0 ? -1 : 1;
    return begin_alone(stream, &frame);
}

/* Helpers have refused a frame: start it again.  Returns as begin_frame(). */
static int
begin_again(struct zstd_stream *stream)
{
    struct decoder *base = &stream->base;
    struct zstd_frame frame;

    if (decoder_seek(base, stream->ahead.begin) < 0 ||
        decoder_fill(base, ZSTD_FRAME_HEADER_MAX) < 0)
        return -1;
    /* Without a header, because the file has changed, libzstd will fail. */
    (void)zstd_frame_read(&frame, decoder_next(base), decoder_left(base));
    stream->skipped = stream->ahead.content_bytes;
    return begin_alone(stream, &frame);
}

/* Take content that helpers have decoded.  As step_stream(). */
static int
take_ahead(struct zstd_stream *stream, unsigned char *buffer, size_t capacity,
           size_t *size)
{
    switch (zstd_ahead_take(&stream->ahead, &stream->base, buffer, capacity,
                            size)) {
    case ZSTD_AHEAD_REFUSED:
        return begin_again(stream);
    case ZSTD_AHEAD_FAILED:
        return -1;
    default:
        return 1;
    }
}

/* Remove from the SIZE bytes at BUFFER what helpers have delivered before.
   Returns how many are left. */
static size_t
skip_delivered(struct zstd_stream *stream, unsigned char *buffer, size_t size)
{
    size_t part = stream->skipped < size ? (size_t)stream->skipped : size;

    if (part > 0)
        memmove(buffer, buffer + part, size - part);
    stream->skipped -= part;
    return size - part;
}

/* Call libzstd once, with at most one block of input. */
static int
step_stream(struct decoder *base, unsigned char *buffer, size_t capacity,
            size_t *size)
{
    struct zstd_stream *stream = (struct zstd_stream *)base;

    if (stream->ahead.is_open)
        return take_ahead(stream, buffer, capacity, size);
    if (!stream->in_frame)
        return begin_frame(stream);
    if (!stream->may_flush && decoder_fill(base, stream->wanted) < 0)
        return -1;

    size_t left = decoder_left(base);
    if (left == 0 && !stream->may_flush)
        return decoder_fail_short(base, WHAT);
    if (left > stream->wanted)
        left = stream->wanted;
    else if (stream->may_flush && left < stream->wanted)
        left = 0; /* flush the decoded bytes before the next piece */
    /*
     * libzstd asks for a block together with the header of the next one, or
     * for that header alone if the buffer was full.  The offset in a message
     * must be the same in both cases.
     */
    if (stream->wanted != ZSTD_FRAME_BLOCK_HEADER_BYTES && !stream->in_piece)
        stream->piece_offset = decoder_offset(base);
    /* After an interruption libzstd gets an incomplete piece. */
    stream->in_piece = base->source->is_interrupted && left < stream->wanted &&
                       !stream->may_flush;

    ZSTD_inBuffer in = {decoder_next(base), left, 0};
    ZSTD_outBuffer out = {buffer, capacity, 0};
    size_t hint = ZSTD_decompressStream(stream->decoder, &out, &in);
    if (ZSTD_getErrorCode(hint) == ZSTD_error_memory_allocation)
        return source_fail_memory(base->source);
    if (ZSTD_isError(hint))
        return source_fail(base->source, stream->piece_offset,
                           "corrupt zstd data", ZSTD_getErrorName(hint));
    base->input_next += in.pos;
    stream->in_frame = hint > 0;
    stream->wanted = hint;
    /* If BUFFER is full, libzstd may hold more bytes, without new input. */
    stream->may_flush = hint > 0 && out.pos == capacity;
    *size = skip_delivered(stream, buffer, out.pos);
    return 1;
}

static void
close_stream(struct decoder *decoder)
{
    (void)zstd_ahead_close(&((struct zstd_stream *)decoder)->ahead);
    ZSTD_freeDCtx(((struct zstd_stream *)decoder)->decoder);
}

const struct decoder_type zstd_stream_type = {
    .struct_bytes = sizeof(struct zstd_stream),
    .input_capacity = INPUT_BYTES,
    .begin = begin_stream,
    .step = step_stream,
    .close = close_stream,
    .walk_open = zstd_walk_open,
    .walk_step = zstd_walk_step,
    .walk_is_at_part = zstd_walk_is_at_frame,
};
