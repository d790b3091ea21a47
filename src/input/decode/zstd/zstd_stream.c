/* SPDX-License-Identifier: MIT */
/*
 * zstd_stream.c -- decode zstd frames with libzstd
 *
 * libzstd writes the decoded bytes directly into the chunk that will be
 * counted. libzstd gets one block at a time, in the sizes that it asks for.
 * This costs nothing, because blocks have up to 128 KiB, and a message can give
 * the offset of a bad block in the file.
 *
 * Helpers may decode the blocks of a long frame instead (zstd_ahead.h), or a
 * device the blocks of many frames (zstd_offload.h); or the device goes on with
 * a frame that helpers have started.
 */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <zstd.h>
#include <zstd_errors.h>

#include "base/xxh.h"
#include "input/decode/zstd/zstd_ahead.h"
#include "input/decode/zstd/zstd_frame.h"
#include "input/decode/zstd/zstd_offload.h"
#include "input/decode/zstd/zstd_stream.h"
#include "input/decode/zstd/zstd_walk.h"

/* The most that libzstd asks for: a block, and the header of the next block. */
#define INPUT_BYTES (ZSTD_BLOCKSIZE_MAX + ZSTD_FRAME_BLOCK_HEADER_BYTES)

#define WHAT "zstd frame"

/* An upper bound of libzstd's memory besides the window. */
#define DECODER_BYTES (1 << 20)

/* The first bytes of a frame that libzstd needs: see ZSTD_initDStream(). */
#define FIRST_BYTES 5

/* Content that was delivered before libzstd decodes the frame. */
struct zstd_delivered {
    uint64_t left; /* bytes that libzstd has still to decode */
    bool has_sum;  /* their XXH64 is known: */
    uint64_t sum;
    struct xxh64 hash; /* of those that libzstd has decoded */
};

struct zstd_stream {
    struct decoder base;
    ZSTD_DCtx *decoder; /* NULL until the first frame */

    size_t wanted;      /* the bytes that libzstd asks for next */
    bool in_frame;      /* between a frame's start and its end */
    bool may_flush;     /* libzstd may hold decoded bytes */
    off_t piece_offset; /* of the last piece of input, for a message ... */
    bool in_piece;      /* ... whose end libzstd has not seen yet */
    bool is_early;      /* the device gets nothing of the file */

    struct zstd_ahead ahead;
    struct zstd_offload offload;
    struct zstd_delivered delivered; /* of the frame, by one of these */
};

void
zstd_stream_set_sizes(struct decoder *decoder,
                      const struct zstd_ahead_sizes *sizes)
{
    ((struct zstd_stream *)decoder)->ahead.sizes = sizes;
}

/* Close all but libzstd. */
static void
close_parts(struct zstd_stream *stream)
{
    (void)zstd_ahead_close(&stream->ahead);
    (void)zstd_offload_close(&stream->offload);
    decoding_belt_return(&stream->offload.belt);
}

static void
start_stream(struct decoder *decoder)
{
    struct zstd_stream *stream = (struct zstd_stream *)decoder;

    close_parts(stream);
    if (stream->ahead.sizes == NULL)
        stream->ahead.sizes = &zstd_ahead_usual;
    stream->offload = (struct zstd_offload){.is_open = false};
    stream->delivered.left = 0;
    /* --read-bytes may have stopped the last source within a frame. */
    if (stream->in_frame)
        ZSTD_DCtx_reset(stream->decoder, ZSTD_reset_session_only);
    stream->in_frame = false;
    stream->may_flush = false;
    stream->in_piece = false;
    stream->is_early = false;
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
start_alone(struct zstd_stream *stream, const struct zstd_frame *frame)
{
    if (reserve_decoder(stream, frame->window_bytes) < 0)
        return -1;
    stream->in_frame = true;
    stream->wanted = FIRST_BYTES;
    return 1;
}

/* Whether the device of STREAM is starting, and gets nothing of the file, which
   is decoded before. */
static bool
is_early(struct zstd_stream *stream)
{
    const struct decoder *base = &stream->base;

    if (!stream->is_early)
        stream->is_early = decoding_devices_pass_early(
            base->budget->devices, base->source->size - decoder_offset(base));
    return stream->is_early;
}

/*
 * Whether a device may decode FRAME, which is next.  If several readers divide
 * a file, the device gets only long frames, each of one reader; and the rest,
 * with take_remainder().
 */
static bool
can_offload(struct zstd_stream *stream, const struct zstd_frame *frame)
{
    const struct decoder *base = &stream->base;

    if (!base->source->is_regular || base->is_finishing ||
        base->budget->devices == NULL || is_early(stream))
        return false;
    return base->pause_at == DECODER_NO_PAUSE || stream->offload.belt != NULL ||
           zstd_ahead_is_long(&stream->ahead, base, frame);
}

/* Let helpers or a device decode FRAME, which is next.  Returns where the frame
   starts; or -1: neither does. */
static off_t
start_parts(struct zstd_stream *stream, const struct zstd_frame *frame)
{
    struct decoder *base = &stream->base;
    struct zstd_ahead *ahead = &stream->ahead;
    struct zstd_offload *offload = &stream->offload;
    bool may_offload = can_offload(stream, frame);

    /* Helpers decode while the device starts. */
    if (may_offload && zstd_offload_may_follow(offload, base, frame) &&
        zstd_ahead_start(ahead, base, frame))
        return ahead->start;
    if (may_offload && zstd_offload_start(offload, base, frame))
        return offload->start;
    return zstd_ahead_start(ahead, base, frame) ? ahead->start : -1;
}

/* The next frame needs the dictionary ID, which is missing.  Returns -1. */
static int
fail_dictionary(const struct decoder *base, uint32_t id)
{
    error_set(&base->source->error, EXIT_DATA,
              "%s: the zstd frame at byte %lld needs the dictionary with ID "
              "%lu (zstd -d -D DICTIONARY decodes it)",
              base->source->display_name, (long long)decoder_offset(base),
              (unsigned long)id);
    return -1;
}

/*
 * Start the next frame.  Returns 1; 0: the end or a pause; or -1 with the
 * source's error set.
 */
static int
start_frame(struct zstd_stream *stream)
{
    struct decoder *base = &stream->base;
    struct source *source = base->source;
    struct zstd_frame frame;

    if (decoder_pauses(base)) {
        decoding_belt_return(&stream->offload.belt);
        return 0;
    }
    /* zstd_frame_read() needs the whole header at once. */
    if (decoder_fill(base, ZSTD_FRAME_HEADER_MAX) < 0)
        return -1;
    if (cancel_is_asked(source->cancel))
        return 0;
    const unsigned char *header = decoder_next(base);
    size_t size = decoder_left(base);
    if (size == 0) {
        decoding_belt_return(&stream->offload.belt);
        return 0;
    }
    if (size >= ZSTD_FRAME_MAGIC_BYTES && !zstd_frame_is_magic(header, size))
        return decoder_fail(base, "not a zstd frame",
                            magic_is_lz4(header, size) == MAGIC_YES
                                ? "an lz4 frame (see --decompress=lz4)"
                                : "garbage after the last frame");
    /* After an interruption the rest may follow; else libzstd will fail. */
    if (zstd_frame_read(&frame, header, size) < 0 && source->is_interrupted)
        return 0;
    if (frame.dictionary_id != 0)
        return fail_dictionary(base, frame.dictionary_id);
    off_t start = start_parts(stream, &frame);
    if (start >= 0)
        return decoder_seek(base, start) < 0 ? -1 : 1;
    return start_alone(stream, &frame);
}

/* The frame at START was refused: start it again.  Returns as start_frame(). */
static int
start_again(struct zstd_stream *stream, off_t start)
{
    struct decoder *base = &stream->base;
    struct zstd_frame frame;

    if (decoder_seek(base, start) < 0 ||
        decoder_fill(base, ZSTD_FRAME_HEADER_MAX) < 0)
        return -1;
    /* Without a header, because the file has changed, libzstd will fail. */
    (void)zstd_frame_read(&frame, decoder_next(base), decoder_left(base));
    return start_alone(stream, &frame);
}

/* The device has refused a frame.  Returns as start_frame(). */
static int
start_without_device(struct zstd_stream *stream)
{
    struct zstd_offload *offload = &stream->offload;

    /* A frame without content yet may be skippable, or garbage. */
    if (offload->content_bytes == 0)
        return decoder_seek(&stream->base, offload->start) < 0 ? -1 : 1;
    stream->delivered = (struct zstd_delivered){.left = offload->content_bytes,
                                                .has_sum = offload->has_sum,
                                                .sum = offload->sum};
    xxh64_start(&stream->delivered.hash);
    return start_again(stream, offload->start);
}

/* If the device is idle, take it, and let it go on with the frame that helpers
   decode, once they have finished the blocks that they started. */
static void
look_for_device(struct zstd_stream *stream)
{
    struct decoder *base = &stream->base;
    struct zstd_ahead *ahead = &stream->ahead;
    off_t remainder = base->source->size - decoder_offset(base);

    if (!base->is_finishing && remainder >= ahead->sizes->remainder_bytes &&
        zstd_offload_take_idle(&stream->offload, base, &ahead->frame,
                               ahead->start))
        zstd_ahead_stop(ahead);
}

/* Let the device go on.  Returns as start_frame(). */
static int
hand_over(struct zstd_stream *stream)
{
    struct decoder *base = &stream->base;
    struct zstd_handover handover;

    zstd_ahead_hand_over(&stream->ahead, base, &handover,
                         stream->offload.front);
    if (zstd_offload_continue(&stream->offload, base, &handover))
        return decoder_seek(base, handover.next) < 0 ? -1 : 1;
    return start_without_device(stream);
}

/* Content that helpers have decoded was taken with RESULT.  As step_stream().
 */
static int
end_ahead(struct zstd_stream *stream, enum zstd_ahead_result result)
{
    switch (result) {
    case ZSTD_AHEAD_REFUSED:
        stream->delivered =
            (struct zstd_delivered){.left = stream->ahead.content_bytes};
        return start_again(stream, stream->ahead.start);
    case ZSTD_AHEAD_STOPPED:
        return hand_over(stream);
    case ZSTD_AHEAD_FAILED:
        return -1;
    default:
        return 1;
    }
}

/* Content that a device has decoded was taken with RESULT.  As step_stream().
 */
static int
end_offload(struct zstd_stream *stream, enum zstd_offload_result result)
{
    switch (result) {
    case ZSTD_OFFLOAD_REFUSED:
        return start_without_device(stream);
    case ZSTD_OFFLOAD_FAILED:
        return -1;
    default:
        return 1;
    }
}

/*
 * Remove bytes that were delivered before from the *SIZE bytes at BUFFER.
 * Returns 0, or -1 with the source's error set: the bytes differ.
 */
static int
skip_delivered(struct zstd_stream *stream, unsigned char *buffer, size_t *size)
{
    struct zstd_delivered *delivered = &stream->delivered;
    size_t part = delivered->left < *size ? (size_t)delivered->left : *size;

    if (part == 0)
        return 0;
    if (delivered->has_sum)
        xxh64_add(&delivered->hash, buffer, part);
    memmove(buffer, buffer + part, *size - part);
    *size -= part;
    delivered->left -= part;
    if (delivered->left > 0 || !delivered->has_sum ||
        xxh64_end(&delivered->hash) == delivered->sum)
        return 0;
    return source_fail(stream->base.source, stream->offload.start,
                       "a GPU has decoded the zstd frame wrongly",
                       "use --tune=gpu-decode=never");
}

/* Call libzstd once, with at most one block of input. */
static int
step_stream(struct decoder *base, unsigned char *buffer, size_t capacity,
            size_t *size)
{
    struct zstd_stream *stream = (struct zstd_stream *)base;

    if (stream->offload.is_open)
        return end_offload(stream, zstd_offload_take(&stream->offload, base,
                                                     buffer, capacity, size));
    if (stream->ahead.is_open) {
        look_for_device(stream);
        return end_ahead(stream, zstd_ahead_take(&stream->ahead, base, buffer,
                                                 capacity, size));
    }
    if (!stream->in_frame)
        return start_frame(stream);
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
    *size = out.pos;
    if (skip_delivered(stream, buffer, size) < 0)
        return -1;
    if (stream->in_frame || stream->delivered.left == 0)
        return 1;
    /* The frame is shorter than its delivered content. */
    stream->delivered.left = 0;
    return source_fail(base->source, stream->piece_offset, "wrong zstd data",
                       "changed while it was read");
}

static int
lease_stream(struct decoder *decoder, const unsigned char *front,
             size_t front_bytes, size_t capacity, struct lease *lease)
{
    struct zstd_stream *stream = (struct zstd_stream *)decoder;
    int more = 1;

    /* Reading would copy the first content of a frame, or all of it. */
    if (decoder->budget->devices != NULL && !stream->offload.is_open &&
        !stream->ahead.is_open && !stream->in_frame)
        more = start_frame(stream);
    if (more <= 0)
        return more;
    if (stream->offload.is_open) {
        more = end_offload(stream,
                           zstd_offload_lease(&stream->offload, decoder, front,
                                              front_bytes, capacity, lease));
    } else if (stream->ahead.is_open && !decoder->budget->feeds_device) {
        look_for_device(stream);
        more =
            end_ahead(stream, zstd_ahead_lease(&stream->ahead, decoder, front,
                                               front_bytes, capacity, lease));
    }
    return more < 0 ? -1 : 0;
}

static bool
wants_remainder(struct decoder *decoder)
{
    struct zstd_stream *stream = (struct zstd_stream *)decoder;
    const struct source *source = decoder->source;
    struct decoding_devices *devices = decoder->budget->devices;
    unsigned char header[ZSTD_FRAME_HEADER_MAX];
    struct zstd_frame frame;

    /* With a frame that helpers have started the device may go on, if it is
       nobody's then. */
    if (devices == NULL || stream->ahead.is_open)
        return false;
    bool is_starting = decoding_devices_are_starting(devices);
    if (!is_starting && stream->offload.belt == NULL &&
        !decoding_devices_are_ready(devices))
        return false;
    /* A header may have been read. */
    off_t at = stream->in_frame ? source->first : decoder_offset(decoder);
    size_t size = source_look_at(source, header, sizeof header, at);
    if (at < stream->offload.refused_until ||
        zstd_frame_read(&frame, header, size) < 0 ||
        !zstd_offload_fits(decoder, &frame))
        return false;
    if (!is_starting)
        return true;
    if (is_early(stream))
        return false;
    /* While all processors decode, it starts so late that this does not pay
       (bench/NOTES.md). */
    if (!zstd_ahead_is_long(&stream->ahead, decoder, &frame))
        return true;
    /* Nobody waits for a device that may go on with a frame. */
    return decoder->budget->guessers == 0 ||
           !zstd_offload_may_follow(&stream->offload, decoder, &frame);
}

static enum decoder_remainder
take_remainder(struct decoder *decoder)
{
    struct zstd_stream *stream = (struct zstd_stream *)decoder;
    struct decoding_devices *devices = decoder->budget->devices;

    if (decoding_devices_hold(decoder->budget->devices, decoder->source->cancel,
                              &stream->offload.belt))
        return DECODER_REMAINDER_TAKEN;
    if (stream->in_frame || cancel_is_asked(decoder->source->cancel) ||
        !decoding_devices_are_ready(devices))
        return DECODER_REMAINDER_LEFT;
    /* Other decoders, for which it waits, may need the memory. */
    ZSTD_freeDCtx(stream->decoder);
    stream->decoder = NULL;
    return decoder_reserve(decoder, 0, WHAT) < 0 ? DECODER_REMAINDER_LEFT
                                                 : DECODER_REMAINDER_BUSY;
}

static void
wait_for_remainder(struct decoder *decoder)
{
    decoding_devices_wait_for_belt(decoder->budget->devices);
}

static void
close_stream(struct decoder *decoder)
{
    close_parts((struct zstd_stream *)decoder);
    ZSTD_freeDCtx(((struct zstd_stream *)decoder)->decoder);
}

const struct decoder_type zstd_stream_type = {
    .struct_bytes = sizeof(struct zstd_stream),
    .input_capacity = INPUT_BYTES,
    .is_kept = true,
    .start = start_stream,
    .step = step_stream,
    .lease = lease_stream,
    .close = close_stream,
    .wants_remainder = wants_remainder,
    .take_remainder = take_remainder,
    .wait_for_remainder = wait_for_remainder,
    .walk_open = zstd_walk_open,
    .walk_step = zstd_walk_step,
    .walk_is_at_part = zstd_walk_is_at_frame,
};
