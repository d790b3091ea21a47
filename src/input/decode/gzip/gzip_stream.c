/* SPDX-License-Identifier: MIT */
/*
 * gzip_stream.c -- decode the members of gzip data
 *
 * A library decodes the deflate data of a member (inflate.h) directly into the
 * chunk that will be counted; headers, checksums and lengths are checked here.
 * A block of BGZF that fits into the chunk is decoded by one call, which needs
 * no window.
 *
 * Helpers may decode stretches of a long member at the same time
 * (gzip_ahead.h), or blocks of BGZF (bgzf_ahead.h), and a device many of these
 * (bgzf_offload.h).
 */

#include "input/decode/gzip/gzip_stream.h"
#include "base/crc32_join.h"
#include "base/little_endian.h"
#include "input/decode/gzip/bgzf_ahead.h"
#include "input/decode/gzip/bgzf_offload.h"
#include "input/decode/gzip/gzip_header.h"
#include "input/decode/gzip/gzip_walk.h"
#include "input/decode/gzip/inflate_decoder.h"

/* A block of BGZF, and further bytes of a read(). */
#define INPUT_BYTES ((size_t)128 << 10)

#define WHAT "gzip member"

/* A header of BGZF has 18 bytes, unless it has more fields. */
#define BLOCK_HEADER_BYTES 64

/* The part of a member that the next byte of input belongs to. */
enum gzip_place {
    PLACE_BETWEEN, /* a member starts there, or nothing follows */
    PLACE_HEADER,
    PLACE_DATA,
    PLACE_TRAILER,
    PLACE_PADDING, /* zeros after the last member */
};

struct gzip_stream {
    struct decoder base;
    struct inflate *inflate; /* NULL until the first member */

    enum gzip_place place;
    bool had_member; /* at least one has ended */

    /* Of the current member, or the last one. */
    off_t offset; /* where it starts */
    struct gzip_header header;
    bool is_started;     /* some of the data was decoded */
    bool is_starved;     /* the library needs more input than it had */
    uint32_t block_left; /* of a block of BGZF: bytes of deflate data */
    uint32_t crc;        /* of the content so far */
    uint64_t length;     /* of the content so far */
    uint64_t taken;      /* bytes of deflate data */

    struct gzip_ahead ahead;
    struct bgzf_ahead blocks;
    struct bgzf_offload offload;
};

void
gzip_stream_set_sizes(struct decoder *decoder,
                      const struct gzip_ahead_sizes *sizes)
{
    ((struct gzip_stream *)decoder)->ahead.sizes = sizes;
}

/* Close all but the library. */
static void
close_parts(struct gzip_stream *stream)
{
    gzip_ahead_close(&stream->ahead);
    bgzf_ahead_close(&stream->blocks);
    (void)bgzf_offload_close(&stream->offload);
    decoding_belt_return(&stream->offload.belt);
}

static void
start_stream(struct decoder *decoder)
{
    struct gzip_stream *stream = (struct gzip_stream *)decoder;

    close_parts(stream);
    bgzf_ahead_start(&stream->blocks, decoder);
    stream->offload = (struct bgzf_offload){.is_open = false};
    if (stream->ahead.sizes == NULL)
        stream->ahead.sizes = &gzip_ahead_usual;
    stream->place = PLACE_BETWEEN;
    stream->had_member = false;
}

static bool
is_block(const struct gzip_stream *stream)
{
    return stream->header.block_bytes > 0;
}

/* ---- failures; each returns -1 ---- */

/*
 * The current member is bad.  The offset is that of the next byte.  But headers
 * and blocks may be read in one piece or in several: for them, the offset is
 * the start of the member.
 */
static int
fail_bad(struct gzip_stream *stream, const char *detail)
{
    bool is_whole = is_block(stream) || stream->place == PLACE_HEADER;

    return source_fail(stream->base.source,
                       is_whole ? stream->offset
                                : decoder_offset(&stream->base),
                       "corrupt gzip data", detail);
}

static int
fail_garbage(struct gzip_stream *stream)
{
    return decoder_fail(&stream->base, "not a gzip member",
                        "garbage after the last member");
}

/* ---- steps: 1: go on; 0: the end, a pause or an interruption; -1 ---- */

/* The data end here: note whether BGZF lacks its last, empty block. */
static void
note_end(struct gzip_stream *stream)
{
    stream->base.lacks_end_mark =
        stream->had_member && is_block(stream) && stream->length > 0;
    gzip_ahead_close(&stream->ahead);
    bgzf_ahead_close(&stream->blocks);
    decoding_belt_return(&stream->offload.belt);
}

/*
 * Let a device decode the member that is next, and those after the member.  If
 * several readers divide a file, the device gets only the rest, with
 * take_remainder().  Returns 1: it does; 0; or -1.
 */
static int
start_offload(struct gzip_stream *stream)
{
    struct decoder *base = &stream->base;
    struct bgzf_offload *offload = &stream->offload;
    off_t start = decoder_offset(base);

    if (base->budget->devices == NULL || base->is_finishing ||
        (base->pause_at != DECODER_NO_PAUSE && offload->belt == NULL))
        return 0;
    if (decoder_fill(base, BLOCK_HEADER_BYTES) < 0)
        return -1;
    if (!bgzf_offload_fits(offload, base, start, decoder_next(base),
                           decoder_left(base))) {
        /* It may go on after a block that it has refused. */
        if (start >= offload->refused_until)
            decoding_belt_return(&offload->belt);
        return 0;
    }
    if (!bgzf_offload_start(offload, base))
        return 0;
    return decoder_seek(base, start) < 0 ? -1 : 1;
}

static int
start_member(struct gzip_stream *stream)
{
    struct decoder *base = &stream->base;

    if (decoder_pauses(base)) {
        decoding_belt_return(&stream->offload.belt);
        return 0;
    }
    if (decoder_fill(base, GZIP_HEADER_MAGIC_BYTES) < 0)
        return -1;
    if (cancel_is_asked(base->source->cancel))
        return 0;
    size_t size = decoder_left(base);
    const unsigned char *data = decoder_next(base);
    enum magic match = gzip_header_match(data, size);
    if (match == MAGIC_SHORT && source_is_cut_short(base->source))
        return 0;
    if (size == 0) {
        note_end(stream);
        return 0;
    }
    if (match == MAGIC_NO && data[0] == 0 && stream->had_member) {
        stream->place = PLACE_PADDING;
        return 1;
    }
    if (match == MAGIC_NO && !stream->had_member &&
        gzip_header_looks_like(data, size) == MAGIC_YES)
        return source_fail(
            base->source, decoder_offset(base) + GZIP_HEADER_FLAGS_AT,
            "corrupt gzip header", "reserved flags are set " DECODER_HINT_NONE);
    if (match == MAGIC_NO)
        return fail_garbage(stream);
    int started = start_offload(stream);
    if (started != 0)
        return started;
    if (bgzf_ahead_help(&stream->blocks, base))
        return 1;
    if (inflate_decoder_open(&stream->inflate, base, WHAT) < 0)
        return -1;
    stream->place = PLACE_HEADER;
    stream->offset = decoder_offset(base);
    stream->header = (struct gzip_header){0};
    return 1;
}

static int
read_header(struct gzip_stream *stream)
{
    struct decoder *base = &stream->base;
    struct gzip_header *header = &stream->header;

    int more = decoder_need(base, 1, WHAT);
    if (more <= 0)
        return more;
    ptrdiff_t taken =
        gzip_header_take(header, decoder_next(base), decoder_left(base));
    if (taken < 0)
        return fail_bad(stream, "wrong checksum of the header");
    base->input_next += (size_t)taken;
    if (header->field != GZIP_HEADER_END)
        return 1;
    if (is_block(stream)) {
        uint64_t around = header->bytes + GZIP_HEADER_TRAILER_BYTES;
        if (header->block_bytes < around)
            return fail_bad(stream, "wrong size of a BGZF block");
        stream->block_left = header->block_bytes - (uint32_t)around;
    }
    inflate_start(stream->inflate);
    stream->place = PLACE_DATA;
    stream->is_started = false;
    stream->is_starved = false;
    stream->crc = 0;
    stream->length = 0;
    stream->taken = 0;
    gzip_ahead_start(&stream->ahead);
    return 1;
}

/* The content is complete.  Check it. */
static int
read_trailer(struct gzip_stream *stream)
{
    struct decoder *base = &stream->base;
    int more = decoder_need(base, GZIP_HEADER_TRAILER_BYTES, WHAT);

    if (more <= 0)
        return more;
    if (little_endian_32(decoder_next(base)) != stream->crc)
        return fail_bad(stream, "wrong checksum");
    /* The length is modulo 2^32. */
    if (little_endian_32(decoder_next(base) + 4) != (uint32_t)stream->length)
        return fail_bad(stream, "wrong length");
    base->input_next += GZIP_HEADER_TRAILER_BYTES;
    stream->place = PLACE_BETWEEN;
    stream->had_member = true;
    return 1;
}

static int
read_padding(struct gzip_stream *stream)
{
    struct decoder *base = &stream->base;

    if (decoder_fill(base, 1) < 0)
        return -1;
    if (decoder_left(base) == 0) {
        note_end(stream);
        return 0;
    }
    decoder_skip_zeros(base);
    return decoder_left(base) > 0 ? fail_garbage(stream) : 1;
}

/* ---- data; each returns the number of bytes of content, or -1 ---- */

/* Copy content that helpers have decoded, or let the library go on. */
static ssize_t
take_stretch(struct gzip_stream *stream, unsigned char *buffer, size_t room)
{
    struct gzip_ahead_taken taken;

    stream->is_starved = false;
    if (!gzip_ahead_take(&stream->ahead, &stream->base, buffer, room, &taken))
        return gzip_ahead_resume(&stream->ahead, &stream->base,
                                 stream->inflate);
    if (taken.is_whole) {
        stream->crc = crc32_join(stream->crc, taken.crc, taken.content);
        stream->length += taken.content;
    }
    return (ssize_t)taken.got;
}

/*
 * The library has used SPAN, with RESULT: note its input, and its output at
 * OUT.
 */
static ssize_t
note_data(struct gzip_stream *stream, const struct inflate_span *span,
          const unsigned char *out, enum inflate_result result)
{
    struct decoder *base = &stream->base;
    size_t taken = (size_t)(span->in - decoder_next(base));
    size_t got = (size_t)(span->out - out);

    base->input_next += taken;
    stream->is_started = true;
    if (result == INFLATE_BAD)
        return fail_bad(stream, "invalid deflate data");
    if (result == INFLATE_NO_MEMORY)
        return source_fail_memory(base->source);
    stream->crc = inflate_crc(stream->crc, out, got);
    stream->length += got;
    stream->taken += taken;
    gzip_ahead_keep(&stream->ahead, out, got);
    if (is_block(stream))
        stream->block_left -= (uint32_t)taken;
    if (result == INFLATE_END) {
        if (is_block(stream) && stream->block_left > 0)
            return fail_bad(stream, "wrong size of a BGZF block");
        stream->place = PLACE_TRAILER;
        gzip_ahead_end(&stream->ahead);
    }
    return (ssize_t)got;
}

/*
 * Decode a whole block of BGZF, if all of it is read and has room.  Otherwise
 * nothing changes, except that more input may be read.
 */
static ssize_t
decode_block(struct gzip_stream *stream, unsigned char *buffer, size_t room)
{
    size_t size = stream->block_left + GZIP_HEADER_TRAILER_BYTES;

    if (decoder_fill(&stream->base, size) < 0)
        return -1;
    if (decoder_left(&stream->base) < size)
        return 0;
    struct inflate_span span = {decoder_next(&stream->base), stream->block_left,
                                buffer, room};
    if (little_endian_32(span.in + size - 4) > room)
        return 0;
    enum inflate_result result = inflate_all(stream->inflate, &span);
    if (result != INFLATE_MORE)
        return note_data(stream, &span, buffer, result);
    inflate_start(stream->inflate);
    return 0;
}

/* Decode a piece of the data. */
static ssize_t
decode_piece(struct gzip_stream *stream, unsigned char *buffer, size_t room)
{
    struct decoder *base = &stream->base;
    size_t size = decoder_left(base);
    bool is_all = is_block(stream) && size >= stream->block_left;

    if (stream->is_starved && !is_all) {
        size_t before = size;
        if (decoder_fill(base, before + 1) < 0)
            return -1;
        size = decoder_left(base);
        if (size == before)
            return decoder_fail_short(base, WHAT);
        is_all = is_block(stream) && size >= stream->block_left;
    }
    size = is_all ? stream->block_left
                  : gzip_ahead_limit(&stream->ahead, base, size);

    struct inflate_span span = {decoder_next(base), size, buffer, room};
    enum inflate_result result = inflate_run(stream->inflate, &span);
    bool is_stuck = span.in_size == size && span.out == buffer;
    /* Without room left, the library may have more content. */
    stream->is_starved = span.out_size > 0;
    if (is_all && is_stuck && result == INFLATE_MORE)
        return fail_bad(stream, "wrong size of a BGZF block");
    ssize_t got = note_data(stream, &span, buffer, result);
    if (stream->is_starved && result == INFLATE_MORE &&
        gzip_ahead_meet(&stream->ahead, base, stream->inflate, span.in_size))
        stream->is_starved = false;
    return got;
}

static ssize_t
decode_data(struct gzip_stream *stream, unsigned char *buffer, size_t room)
{
    if (is_block(stream) && !stream->is_started) {
        ssize_t got = decode_block(stream, buffer, room);
        if (got != 0 || stream->is_started)
            return got;
        if (source_is_cut_short(stream->base.source))
            return 0;
    }
    if (stream->ahead.mode == GZIP_AHEAD_STRETCHES)
        return take_stretch(stream, buffer, room);
    if (!is_block(stream))
        gzip_ahead_look(&stream->ahead, &stream->base, stream->taken,
                        stream->length);
    return decode_piece(stream, buffer, room);
}

/* Others have decoded blocks of BGZF: as if the last of them, which has CONTENT
   bytes, were decoded here. */
static void
note_blocks(struct gzip_stream *stream, uint32_t content)
{
    stream->had_member = true;
    stream->header = (struct gzip_header){.block_bytes = 1};
    stream->length = content;
}

/* Content that a device has decoded was taken with RESULT.  As step_stream().
 */
static int
end_offload(struct gzip_stream *stream, enum bgzf_offload_result result)
{
    if (result == BGZF_OFFLOAD_FAILED)
        return -1;
    if (stream->offload.had_block)
        note_blocks(stream, stream->offload.last_content);
    return 1;
}

/* Take content that helpers have decoded.  As step_stream(). */
static int
take_blocks(struct gzip_stream *stream, unsigned char *buffer, size_t capacity,
            size_t *size)
{
    struct bgzf_ahead *blocks = &stream->blocks;

    if (bgzf_ahead_take(blocks, &stream->base, buffer, capacity, size) < 0)
        return -1;
    note_blocks(stream, blocks->last_content);
    return 1;
}

static int
step_stream(struct decoder *decoder, unsigned char *buffer, size_t capacity,
            size_t *size)
{
    struct gzip_stream *stream = (struct gzip_stream *)decoder;

    if (stream->offload.is_open)
        return end_offload(stream, bgzf_offload_take(&stream->offload, decoder,
                                                     buffer, capacity, size));
    if (bgzf_ahead_is_busy(&stream->blocks))
        return take_blocks(stream, buffer, capacity, size);
    switch (stream->place) {
    case PLACE_BETWEEN:
        return start_member(stream);
    case PLACE_HEADER:
        return read_header(stream);
    case PLACE_TRAILER:
        return read_trailer(stream);
    case PLACE_PADDING:
        return read_padding(stream);
    case PLACE_DATA:
        break;
    }
    ssize_t got = decode_data(stream, buffer, capacity);
    *size = got > 0 ? (size_t)got : 0;
    return got < 0 ? -1 : 1;
}

static bool
find_page(struct decoder *decoder, struct decoder_place *place)
{
    struct gzip_stream *stream = (struct gzip_stream *)decoder;

    if (!bgzf_ahead_is_busy(&stream->blocks))
        return false;
    const bool is_found = bgzf_ahead_find_page(&stream->blocks, decoder, place);
    /* Not found: the last block, which is empty, may have been consumed. */
    note_blocks(stream, stream->blocks.last_content);
    return is_found;
}

static void
skip_stream(struct decoder *decoder, size_t size)
{
    struct gzip_stream *stream = (struct gzip_stream *)decoder;

    bgzf_ahead_skip(&stream->blocks, decoder, size);
    note_blocks(stream, stream->blocks.last_content);
}

static int
check_stream(struct decoder *decoder)
{
    const struct gzip_stream *stream = (struct gzip_stream *)decoder;
    unsigned char rest[4096];
    size_t size;
    int more = 1;

    while (more > 0 && is_block(stream) &&
           (stream->place == PLACE_DATA || stream->place == PLACE_TRAILER))
        more = step_stream(decoder, rest, sizeof rest, &size);
    return more < 0 ? -1 : 0;
}

static int
lease_stream(struct decoder *decoder, const unsigned char *front,
             size_t front_bytes, size_t capacity, struct lease *lease)
{
    struct gzip_stream *stream = (struct gzip_stream *)decoder;

    if (!stream->offload.is_open)
        return 0;
    int more =
        end_offload(stream, bgzf_offload_lease(&stream->offload, decoder, front,
                                               front_bytes, capacity, lease));
    return more < 0 ? -1 : 0;
}

static bool
wants_remainder(struct decoder *decoder)
{
    struct gzip_stream *stream = (struct gzip_stream *)decoder;
    struct decoding_devices *devices = decoder->budget->devices;
    unsigned char header[BLOCK_HEADER_BYTES];

    if (devices == NULL)
        return false;
    if (stream->offload.belt == NULL &&
        !decoding_devices_are_starting(devices) &&
        !decoding_devices_are_ready(devices))
        return false;
    /* A header may have been read. */
    off_t at = stream->place == PLACE_BETWEEN ? decoder_offset(decoder)
                                              : decoder->source->first;
    size_t size = source_look_at(decoder->source, header, sizeof header, at);
    return stream->offload.is_open ||
           bgzf_offload_fits(&stream->offload, decoder, at, header, size);
}

static enum decoder_remainder
take_remainder(struct decoder *decoder)
{
    struct gzip_stream *stream = (struct gzip_stream *)decoder;

    if (decoding_devices_hold(decoder->budget->devices, decoder->source->cancel,
                              &stream->offload.belt))
        return DECODER_REMAINDER_TAKEN;
    return stream->place != PLACE_BETWEEN ||
                   cancel_is_asked(decoder->source->cancel) ||
                   !decoding_devices_are_ready(decoder->budget->devices)
               ? DECODER_REMAINDER_LEFT
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
    close_parts((struct gzip_stream *)decoder);
    inflate_close(((struct gzip_stream *)decoder)->inflate);
}

const struct decoder_type gzip_stream_type = {
    .struct_bytes = sizeof(struct gzip_stream),
    .input_capacity = INPUT_BYTES,
    .is_kept = true,
    .start = start_stream,
    .step = step_stream,
    .lease = lease_stream,
    .find_page = find_page,
    .skip = skip_stream,
    .check = check_stream,
    .close = close_stream,
    .wants_remainder = wants_remainder,
    .take_remainder = take_remainder,
    .wait_for_remainder = wait_for_remainder,
    .part_bytes = INFLATE_DECODER_BYTES,
    .walk_open = gzip_walk_open,
    .walk_step = gzip_walk_step,
    .walk_is_at_part = gzip_walk_is_at_block,
};
