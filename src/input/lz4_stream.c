/*
 * lz4_stream.c -- decode lz4 frames with liblz4
 *
 * The blocks of a frame are no parts: lz4(1) makes one frame of a file, whose
 * checksum is a chain through all of its content, and a reader that waits for
 * another one's content would hold memory and a chunk meanwhile.  Instead one
 * reader has helpers (lz4_blocks.h) if the blocks are independent and in a
 * regular file.  The blocks of a pipe are decoded as they come.
 */

#include <string.h>

#include "input/lz4_blocks.h"
#include "input/lz4_stream.h"
#include "util/little_endian.h"

#define INPUT_BYTES (1 << 16)
#define WHAT "lz4 frame"

/* Compressed bytes for which one more helper pays off. */
#define BYTES_WORTH_A_HELPER (1 << 18)

/* Blocks that are done or being filled while each helper decodes one. */
#define BLOCKS_SPARE 2

/* The helpers of one decoder leave memory for other decoders. */
#define HELPERS_SHARE 2

/* What comes next in the input. */
enum place {
    PLACE_FRAME,
    PLACE_SKIPPED,
    PLACE_BLOCK,
    PLACE_BLOCK_DATA,
    PLACE_SUM, /* of the frame's content */
    PLACE_END, /* nothing, until all blocks of the frame are used */
};

struct lz4_stream {
    struct decoder base;
    enum place place;
    struct lz4_frame frame;
    off_t frame_begin;
    uint32_t skipped_left;
    uint32_t content_sum; /* that the frame says */
    uint64_t content_bytes;
    struct error failure; /* of the source, after the blocks in the ring */

    struct lz4_blocks blocks;
    unsigned int helpers;   /* of the budget */
    struct lz4_block *next; /* being filled: PACKED_DONE bytes */
    size_t packed_done;
    struct lz4_block *first; /* being used: USED bytes; or NULL */
    size_t used;
};

static void
begin_stream(struct decoder *decoder)
{
    struct lz4_stream *stream = (struct lz4_stream *)decoder;

    /* What is left of another input must not be taken for this one's. */
    lz4_blocks_discard(&stream->blocks);
    stream->place = PLACE_FRAME;
    stream->first = NULL;
    error_clear(&stream->failure);
}

/* Release the ring, but not its reservation. */
static void
close_blocks(struct lz4_stream *stream)
{
    lz4_blocks_close(&stream->blocks);
    if (stream->helpers > 0)
        budget_return_helpers(stream->base.budget, stream->helpers);
    stream->helpers = 0;
}

static void
close_stream(struct decoder *decoder)
{
    struct lz4_stream *stream = (struct lz4_stream *)decoder;

    close_blocks(stream);
    error_clear(&stream->failure);
}

/* ---- the ring ---- */

/* How many helpers would be useful for the frame. */
static unsigned int
helpers_worth(const struct lz4_stream *stream)
{
    const struct decoder *base = &stream->base;
    const struct source *source = base->source;
    off_t left = source->size - decoder_offset(base);
    uint64_t most = budget_total(base->budget) / HELPERS_SHARE /
                    lz4_blocks_bytes(&stream->frame, 1);

    /* Memory that an archive held would lack for the files in it. */
    if (base->budget->whole != NULL)
        return 0;
    if (stream->frame.is_linked || !source->is_regular || left <= 0 ||
        most <= BLOCKS_SPARE)
        return 0;
    uint64_t worth = (uint64_t)left / BYTES_WORTH_A_HELPER;
    uint64_t room = most - BLOCKS_SPARE;
    return (unsigned int)(worth < room ? worth : room);
}

/*
 * Make a ring for the frame; the old one is empty.  That is kept if it fits,
 * and has helpers or no helper is free.  Returns 0, or -1 with the source's
 * error set.
 */
static int
prepare_blocks(struct lz4_stream *stream)
{
    struct decoder *base = &stream->base;
    struct xxh32 sum = stream->blocks.sum;
    bool fits = lz4_blocks_fit(&stream->blocks, &stream->frame);

    if (fits && stream->helpers > 0)
        return 0;
    if (!fits)
        close_blocks(stream);
    unsigned int helpers =
        budget_take_helpers(base->budget, helpers_worth(stream));
    if (fits && helpers == 0)
        return 0;
    close_blocks(stream);
    stream->helpers = helpers;
    unsigned int count = helpers > 0 ? helpers + BLOCKS_SPARE : 1;
    uint64_t bytes = lz4_blocks_bytes(&stream->frame, count);
    if (base->reserved < bytes && decoder_reserve(base, bytes, WHAT) < 0)
        return -1;
    if (lz4_blocks_open(&stream->blocks, &stream->frame, count, helpers) < 0)
        return source_fail_memory(base->source);
    stream->blocks.sum = sum;
    return 0;
}

/* ---- a step at each place; each returns as step_stream() does ---- */

static int
read_frame(struct lz4_stream *stream)
{
    struct decoder *base = &stream->base;

    if (decoder_fill(base, LZ4_FRAME_HEADER_MAX) < 0)
        return -1;
    size_t size = decoder_left(base);
    if (size == 0)
        return 0;
    stream->frame_begin = decoder_offset(base);
    if (lz4_frame_match(decoder_next(base), size) == MAGIC_NO)
        return decoder_fail(base, "not an lz4 frame",
                            "garbage after the last frame");
    const char *wrong =
        lz4_frame_read(&stream->frame, decoder_next(base), size);
    if (wrong != NULL && source_is_cut_short(base->source))
        return 0; /* the rest of the header may follow */
    if (wrong != NULL)
        return decoder_fail(base, "corrupt lz4 frame", wrong);
    base->input_next += stream->frame.header_bytes;
    if (stream->frame.is_skippable) {
        stream->skipped_left = stream->frame.skipped_bytes;
        stream->place = PLACE_SKIPPED;
        return 1;
    }
    if (prepare_blocks(stream) < 0)
        return -1;
    lz4_blocks_begin(&stream->blocks, &stream->frame);
    stream->content_bytes = 0;
    stream->place = PLACE_BLOCK;
    return 1;
}

static int
read_skipped(struct lz4_stream *stream)
{
    struct decoder *base = &stream->base;

    if (stream->skipped_left == 0) {
        stream->place = PLACE_FRAME;
        return 1;
    }
    int more = decoder_need(base, 1, WHAT);
    if (more <= 0)
        return more;
    size_t size = decoder_left(base);
    if (size > stream->skipped_left)
        size = stream->skipped_left;
    base->input_next += size;
    stream->skipped_left -= (uint32_t)size;
    return 1;
}

/* Whether a legacy frame ends here: at another one or the end of the file. */
static bool
ends_legacy(const struct lz4_stream *stream)
{
    const struct decoder *base = &stream->base;
    size_t size = decoder_left(base);

    return size == 0 ? base->source_has_ended
                     : lz4_frame_match(decoder_next(base), size) == MAGIC_YES;
}

static int
read_block(struct lz4_stream *stream)
{
    struct decoder *base = &stream->base;
    const struct lz4_frame *frame = &stream->frame;

    /* Helpers may be free since the frame began. */
    if (lz4_blocks_are_empty(&stream->blocks) && prepare_blocks(stream) < 0)
        return -1;
    if (decoder_fill(base, LZ4_FRAME_WORD_BYTES) < 0)
        return -1;
    if (frame->is_legacy && ends_legacy(stream)) {
        stream->place = PLACE_END;
        return 1;
    }
    int more = decoder_need(base, LZ4_FRAME_WORD_BYTES, WHAT);
    if (more <= 0)
        return more;
    off_t offset = decoder_offset(base);
    uint32_t word = little_endian_32(decoder_next(base));
    if (word == 0 && !frame->is_legacy) {
        base->input_next += LZ4_FRAME_WORD_BYTES;
        stream->place = frame->has_content_sum ? PLACE_SUM : PLACE_END;
        return 1;
    }
    bool is_stored = !frame->is_legacy && (word & LZ4_FRAME_STORED) != 0;
    uint32_t bytes = is_stored ? word & ~LZ4_FRAME_STORED : word;
    if (bytes > lz4_blocks_packed_most(frame))
        return decoder_fail(base, "corrupt lz4 frame",
                            "a block is longer than the frame allows");
    base->input_next += LZ4_FRAME_WORD_BYTES;
    stream->next = lz4_blocks_next(&stream->blocks);
    stream->next->packed_bytes = bytes;
    stream->next->is_stored = is_stored;
    stream->next->offset = offset;
    stream->packed_done = 0;
    stream->place = PLACE_BLOCK_DATA;
    return 1;
}

static int
read_block_data(struct lz4_stream *stream)
{
    struct decoder *base = &stream->base;
    struct lz4_block *block = stream->next;
    size_t size = block->packed_bytes;

    if (stream->frame.has_block_sums)
        size += LZ4_FRAME_WORD_BYTES;
    ssize_t got = decoder_take(base, block->packed + stream->packed_done,
                               size - stream->packed_done);
    if (got < 0)
        return -1;
    stream->packed_done += (size_t)got;
    if (stream->packed_done < size)
        return decoder_fail_short(base, WHAT);
    lz4_blocks_submit(&stream->blocks);
    stream->place = PLACE_BLOCK;
    return 1;
}

static int
read_sum(struct lz4_stream *stream)
{
    struct decoder *base = &stream->base;
    int more = decoder_need(base, LZ4_FRAME_WORD_BYTES, WHAT);

    if (more <= 0)
        return more;
    stream->content_sum = little_endian_32(decoder_next(base));
    base->input_next += LZ4_FRAME_WORD_BYTES;
    stream->place = PLACE_END;
    return 1;
}

/* All blocks of the frame are used.  Returns 1, or -1. */
static int
end_frame(struct lz4_stream *stream)
{
    const struct lz4_frame *frame = &stream->frame;

    if (frame->is_sized && frame->content_bytes != stream->content_bytes)
        return source_fail(stream->base.source, stream->frame_begin,
                           "corrupt lz4 frame",
                           "the content has another size than the header says");
    if (frame->has_content_sum &&
        xxh32_end(&stream->blocks.sum) != stream->content_sum)
        return source_fail(stream->base.source, stream->frame_begin,
                           "corrupt lz4 frame",
                           "the content has a wrong checksum");
    stream->place = PLACE_FRAME;
    return 1;
}

static int
step(struct lz4_stream *stream)
{
    switch (stream->place) {
    case PLACE_FRAME:
        return read_frame(stream);
    case PLACE_SKIPPED:
        return read_skipped(stream);
    case PLACE_BLOCK:
        return read_block(stream);
    case PLACE_BLOCK_DATA:
        return read_block_data(stream);
    case PLACE_SUM:
        return read_sum(stream);
    case PLACE_END:
        break;
    }
    return end_frame(stream);
}

/* ---- the content ---- */

/* Whether the next step waits for no block that is in the ring. */
static bool
may_step(const struct lz4_stream *stream)
{
    if (stream->failure.status != EXIT_DONE)
        return false;
    switch (stream->place) {
    case PLACE_BLOCK:
        return lz4_blocks_next(&stream->blocks) != NULL;
    case PLACE_END:
        return lz4_blocks_are_empty(&stream->blocks);
    default:
        return true;
    }
}

/* Copy up to CAPACITY bytes of the first block.  Returns how many. */
static size_t
use_first(struct lz4_stream *stream, unsigned char *buffer, size_t capacity)
{
    struct lz4_block *block = stream->first;
    size_t size = block->content_bytes - stream->used;

    if (size > capacity)
        size = capacity;
    memcpy(buffer, block->content + stream->used, size);
    stream->used += size;
    if (stream->used == block->content_bytes) {
        lz4_blocks_release(&stream->blocks);
        stream->first = NULL;
    }
    return size;
}

/* Have a first block.  Returns 1; 0: the end, or cut short; or -1. */
static int
await_first(struct lz4_stream *stream)
{
    struct error *error = &stream->base.source->error;
    int more = 1;

    while (more > 0 && may_step(stream))
        more = step(stream);
    /* Blocks before the damage may be damaged, too. */
    if (more < 0)
        error_move(&stream->failure, error);
    stream->first = lz4_blocks_await(&stream->blocks);
    stream->used = 0;
    if (stream->first == NULL && stream->failure.status != EXIT_DONE) {
        error_move(error, &stream->failure);
        return -1;
    }
    if (stream->first == NULL)
        return more;
    if (stream->first->wrong != NULL)
        return source_fail(stream->base.source, stream->first->offset,
                           "corrupt lz4 data", stream->first->wrong);
    stream->content_bytes += stream->first->content_bytes;
    return 1;
}

static int
step_stream(struct decoder *decoder, unsigned char *buffer, size_t capacity,
            size_t *size)
{
    struct lz4_stream *stream = (struct lz4_stream *)decoder;

    if (stream->first == NULL) {
        int more = await_first(stream);
        if (more <= 0)
            return more;
    }
    /* Even if the step that read ahead was cut short. */
    if (stream->first != NULL)
        *size = use_first(stream, buffer, capacity);
    return 1;
}

const struct decoder_type lz4_stream_type = {
    .struct_bytes = sizeof(struct lz4_stream),
    .input_capacity = INPUT_BYTES,
    .begin = begin_stream,
    .step = step_stream,
    .close = close_stream,
};
