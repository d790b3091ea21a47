/* SPDX-License-Identifier: MIT */
/*
 * lz4_stream.c -- decode lz4 frames with liblz4
 *
 * Frames are parts, and so are the independent blocks of a frame without a
 * checksum or size of its content.  The checksum is a chain through all of the
 * content: a reader that waits for the content of another reader would hold
 * memory and a chunk meanwhile.  So one reader decodes such a frame, and if it
 * is long and in a regular file, with independent blocks, helpers do most of
 * the work (lz4_blocks.h).  Helpers read the blocks, too; the owner reads only
 * the sizes.
 */

#include <stdio.h>
#include <string.h>

#include "base/little_endian.h"
#include "input/ahead.h"
#include "input/decode/lz4/lz4_blocks.h"
#include "input/decode/lz4/lz4_stream.h"
#include "input/decode/lz4/lz4_walk.h"

#define INPUT_BYTES (1 << 16)
#define WHAT "lz4 frame"

/* Compressed bytes of a frame after which helpers pay off ... */
#define BYTES_WORTH_HELPERS (1 << 20)

/* ... and bytes for each helper. */
#define BYTES_WORTH_A_HELPER (1 << 18)

/* The next bytes of the input. */
enum lz4_place {
    PLACE_FRAME,
    PLACE_SKIPPED,
    PLACE_BLOCKS, /* the first block of a frame or a part */
    PLACE_BLOCK,
    PLACE_BLOCK_DATA,
    PLACE_SUM, /* of the frame's content */
    PLACE_END, /* nothing, until all blocks of the frame are used */
};

struct lz4_stream {
    struct decoder base;
    enum lz4_place place;
    struct lz4_frame frame;
    off_t frame_start;
    uint32_t skipped_left;
    uint32_t content_sum; /* that the frame says */
    uint64_t content_bytes;
    struct error failure; /* of the source, after the blocks in the ring */
    bool is_part;         /* other readers decode parts of the file */

    struct lz4_blocks blocks;
    struct budget_loan loan;    /* of the helpers */
    struct file_window window;  /* blocks that helpers will read */
    struct lz4_block_set *next; /* being filled: PACKED_DONE bytes */
    size_t packed_done;
    struct lz4_block_set *first; /* being used: USED bytes; or NULL */
    size_t used;
};

static void
start_stream(struct decoder *decoder)
{
    struct lz4_stream *stream = (struct lz4_stream *)decoder;

    /* Blocks of another input must not be taken for blocks of this input. */
    lz4_blocks_discard(&stream->blocks);
    stream->place = PLACE_FRAME;
    stream->first = NULL;
    error_clear(&stream->failure);
    stream->is_part = false;
    stream->window = (struct file_window){.fd = decoder->source->fd};
}

static void
start_part(struct decoder *decoder, const struct decoder_walk *base)
{
    struct lz4_stream *stream = (struct lz4_stream *)decoder;
    const struct lz4_walk *walk = (const struct lz4_walk *)base;

    stream->is_part = true;
    if (!walk->in_frame)
        return;
    stream->frame = walk->frame;
    stream->frame_start = decoder_offset(decoder);
    stream->place = PLACE_BLOCKS;
}

/* Release the ring, but not its reservation. */
static void
close_blocks(struct lz4_stream *stream)
{
    lz4_blocks_close(&stream->blocks);
    budget_loan_return(&stream->loan);
}

static void
close_stream(struct decoder *decoder)
{
    struct lz4_stream *stream = (struct lz4_stream *)decoder;

    close_blocks(stream);
    error_clear(&stream->failure);
}

/* ---- the ring ---- */

/* Whether so much of the frame has been read that helpers pay off. */
static bool
is_long(const struct lz4_stream *stream)
{
    return decoder_offset(&stream->base) - stream->frame_start >=
           BYTES_WORTH_HELPERS;
}

/* Whether other readers decode blocks of the same frame. */
static bool
is_shared(const struct lz4_stream *stream)
{
    return stream->is_part && lz4_frame_has_parts(&stream->frame);
}

static uint64_t
memory_of(const void *frame, unsigned int helpers)
{
    return lz4_blocks_bytes(frame, helpers);
}

/*
 * Take helpers for the frame, and the memory for them, if helpers are useful
 * and both are free now: without helpers it takes longer, but no memory.
 */
static void
take_helpers(struct lz4_stream *stream)
{
    const struct decoder *base = &stream->base;
    const struct ahead_need need = {.helper_bytes = BYTES_WORTH_A_HELPER,
                                    .memory = memory_of,
                                    .context = &stream->frame};
    off_t left = base->source->size - decoder_offset(base);
    unsigned int worth = 0;

    if (is_long(stream) && !stream->frame.is_linked && !is_shared(stream))
        worth = ahead_worth(&need, base->source, base->budget, left,
                            LZ4_BLOCKS_HELPERS_MAX);
    if (worth > 0)
        (void)ahead_reserve(&stream->loan, &need, base->budget, worth,
                            base->reserved);
}

/*
 * Make a ring for the frame; the old one is empty.  The old ring is kept if it
 * fits, and has helpers or no helper is free.  Returns 0, or -1 with the
 * source's error set.
 */
static int
prepare_blocks(struct lz4_stream *stream)
{
    struct decoder *base = &stream->base;
    struct lz4_blocks *blocks = &stream->blocks;
    struct xxh32 sum = blocks->sum;
    /* Helpers read ahead, also where the part of another reader starts. */
    bool fits = lz4_blocks_fit(blocks, &stream->frame) &&
                !(stream->loan.helpers > 0 && is_shared(stream));

    if (fits && stream->loan.helpers > 0)
        return 0;
    if (!fits)
        close_blocks(stream);
    take_helpers(stream);
    if (fits && stream->loan.helpers == 0)
        return 0;
    lz4_blocks_close(blocks);
    uint64_t bytes = lz4_blocks_bytes(&stream->frame, stream->loan.helpers);
    if (base->reserved + stream->loan.bytes < bytes &&
        decoder_reserve(base, bytes, WHAT) < 0)
        return -1;
    if (lz4_blocks_open(blocks, &stream->frame, stream->loan.helpers) < 0)
        return source_fail_memory(base->source);
    lz4_blocks_start(blocks, &stream->frame, base->source);
    blocks->sum = sum;
    return 0;
}

/*
 * Let helpers read and decode the next blocks.  Returns 1; 0: the next blocks
 * are bad, incomplete or none; or -1 with the source's error set.
 */
static int
submit_set(struct lz4_stream *stream)
{
    struct decoder *base = &stream->base;
    struct lz4_block_set *set = lz4_blocks_next(&stream->blocks);
    off_t start = decoder_offset(base);
    off_t end = start;

    for (unsigned int i = 0; i < stream->blocks.set_blocks; i++) {
        struct lz4_frame_block block;
        if (lz4_walk_look(&stream->window, &stream->frame, end, &block) < 0 ||
            block.is_end || end + (off_t)block.whole_bytes > base->source->size)
            break;
        end += (off_t)block.whole_bytes;
    }
    if (end == start)
        return 0;
    if (decoder_seek(base, end) < 0)
        return -1;
    set->packed_bytes = (size_t)(end - start);
    set->offset = start;
    set->is_unread = true;
    set->is_start = false;
    lz4_blocks_submit(&stream->blocks);
    return 1;
}

/* A block of SET is wrong or unreadable.  Returns -1. */
static int
fail_set(struct lz4_stream *stream, struct lz4_block_set *set)
{
    struct source *source = stream->base.source;
    char text[120];

    if (set->wrong == NULL) {
        error_move(&source->error, &set->failure);
        return -1;
    }
    if (stream->frame.dictionary_id == 0)
        return source_fail(source, set->wrong_at, "corrupt lz4 data",
                           set->wrong);
    snprintf(text, sizeof text,
             "%s (its frame names the dictionary with ID %lu)", set->wrong,
             (unsigned long)stream->frame.dictionary_id);
    return source_fail(source, set->wrong_at, "corrupt lz4 data", text);
}

/* ---- a step at each place; each returns as step_stream() does ---- */

static int
read_frame(struct lz4_stream *stream)
{
    struct decoder *base = &stream->base;

    if (decoder_pauses(base))
        return 0;
    if (decoder_fill(base, LZ4_FRAME_HEADER_MAX) < 0)
        return -1;
    size_t size = decoder_left(base);
    if (size == 0)
        return 0;
    stream->frame_start = decoder_offset(base);
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
    stream->place = PLACE_BLOCKS;
    return 1;
}

static int
start_blocks(struct lz4_stream *stream)
{
    if (prepare_blocks(stream) < 0)
        return -1;
    lz4_blocks_start(&stream->blocks, &stream->frame, stream->base.source);
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

/* Whether a legacy frame ends here: at another frame or the end of the file. */
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
    struct lz4_frame_block block;
    int more = 0;

    if (lz4_frame_has_parts(frame) && decoder_pauses(base))
        return 0;
    /* Helpers may be useful or free by now. */
    if (lz4_blocks_are_empty(&stream->blocks) && prepare_blocks(stream) < 0)
        return -1;
    if (stream->loan.helpers > 0 && is_long(stream))
        more = submit_set(stream);
    if (more != 0)
        return more;
    if (decoder_fill(base, LZ4_FRAME_WORD_BYTES) < 0)
        return -1;
    if (frame->is_legacy && ends_legacy(stream)) {
        stream->place = PLACE_END;
        return 1;
    }
    more = decoder_need(base, LZ4_FRAME_WORD_BYTES, WHAT);
    if (more <= 0)
        return more;
    if (lz4_frame_read_block(&block, frame, decoder_next(base)) < 0)
        return decoder_fail(base, "corrupt lz4 frame",
                            "a block is longer than the frame allows");
    if (block.is_end) {
        base->input_next += LZ4_FRAME_WORD_BYTES;
        stream->place = frame->has_content_sum ? PLACE_SUM : PLACE_END;
        return 1;
    }
    struct lz4_block_set *set = lz4_blocks_next(&stream->blocks);
    set->packed_bytes = block.whole_bytes;
    set->offset = decoder_offset(base);
    set->is_unread = false;
    /* The rest of the last record of a part: see parts.h. */
    set->is_start = stream->is_part && lz4_frame_has_parts(frame) &&
                    base->pause_at == DECODER_NO_PAUSE;
    stream->next = set;
    stream->packed_done = 0;
    stream->place = PLACE_BLOCK_DATA;
    return 1;
}

/* As step_stream(): decodes the block at once if this saves a copy. */
static int
read_block_data(struct lz4_stream *stream, unsigned char *buffer,
                size_t capacity, size_t *size)
{
    struct decoder *base = &stream->base;
    struct lz4_block_set *set = stream->next;
    const struct lz4_frame *frame = &stream->frame;
    ssize_t got = decoder_take(base, set->packed + stream->packed_done,
                               set->packed_bytes - stream->packed_done);

    if (got < 0)
        return -1;
    stream->packed_done += (size_t)got;
    if (stream->packed_done < set->packed_bytes)
        return decoder_fail_short(base, WHAT);
    stream->place = PLACE_BLOCK;
    if (capacity < frame->block_bytes || frame->is_linked || set->is_start ||
        !lz4_blocks_are_empty(&stream->blocks)) {
        lz4_blocks_submit(&stream->blocks);
        return 1;
    }
    lz4_blocks_decode(&stream->blocks, set, buffer);
    if (set->wrong != NULL)
        return fail_set(stream, set);
    *size = set->content_bytes;
    stream->content_bytes += set->content_bytes;
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
        return source_fail(stream->base.source, stream->frame_start,
                           "corrupt lz4 frame",
                           "the content has another size than the header says");
    if (frame->has_content_sum &&
        xxh32_end(&stream->blocks.sum) != stream->content_sum)
        return source_fail(stream->base.source, stream->frame_start,
                           "corrupt lz4 frame",
                           "the content has a wrong checksum");
    stream->place = PLACE_FRAME;
    return 1;
}

static int
step(struct lz4_stream *stream, unsigned char *buffer, size_t capacity,
     size_t *size)
{
    switch (stream->place) {
    case PLACE_FRAME:
        return read_frame(stream);
    case PLACE_SKIPPED:
        return read_skipped(stream);
    case PLACE_BLOCKS:
        return start_blocks(stream);
    case PLACE_BLOCK:
        return read_block(stream);
    case PLACE_BLOCK_DATA:
        return read_block_data(stream, buffer, capacity, size);
    case PLACE_SUM:
        return read_sum(stream);
    case PLACE_END:
        break;
    }
    return end_frame(stream);
}

/* ---- the content ---- */

/* Whether the next step waits for no set that is in the ring. */
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

/* Copy up to CAPACITY bytes of the first set.  As step_stream(). */
static int
use_first(struct lz4_stream *stream, unsigned char *buffer, size_t capacity,
          size_t *size)
{
    struct lz4_block_set *set = stream->first;

    if (set->is_start && stream->used == set->content_bytes &&
        set->wrong == NULL)
        lz4_blocks_complete(&stream->blocks);
    bool is_bad = set->wrong != NULL || set->failure.status != EXIT_DONE;
    if (is_bad && stream->used >= set->content_bytes)
        return fail_set(stream, set);
    *size = set->content_bytes - stream->used;
    if (*size > capacity)
        *size = capacity;
    memcpy(buffer, set->content + stream->used, *size);
    stream->used += *size;
    if (stream->used == set->content_bytes && !is_bad && !set->is_start) {
        stream->content_bytes += set->content_bytes;
        lz4_blocks_release(&stream->blocks);
        stream->first = NULL;
    }
    return 1;
}

/* Have a first set, or some content in BUFFER.  As step_stream(). */
static int
await_first(struct lz4_stream *stream, unsigned char *buffer, size_t capacity,
            size_t *size)
{
    struct error *error = &stream->base.source->error;
    int more = 1;

    while (more > 0 && *size == 0 && may_step(stream))
        more = step(stream, buffer, capacity, size);
    /* Blocks before the damage may be damaged, too. */
    if (more < 0)
        error_move(&stream->failure, error);
    stream->first = lz4_blocks_await(&stream->blocks);
    stream->used = 0;
    if (stream->first == NULL && stream->failure.status != EXIT_DONE) {
        error_move(error, &stream->failure);
        return -1;
    }
    return stream->first != NULL ? 1 : more;
}

static int
step_stream(struct decoder *decoder, unsigned char *buffer, size_t capacity,
            size_t *size)
{
    struct lz4_stream *stream = (struct lz4_stream *)decoder;

    if (stream->first == NULL) {
        int more = await_first(stream, buffer, capacity, size);
        if (more <= 0)
            return more;
    }
    /* Even if the step that read ahead was cut short. */
    return stream->first != NULL ? use_first(stream, buffer, capacity, size)
                                 : 1;
}

const struct decoder_type lz4_stream_type = {
    .struct_bytes = sizeof(struct lz4_stream),
    .input_capacity = INPUT_BYTES,
    .start = start_stream,
    .start_part = start_part,
    .step = step_stream,
    .close = close_stream,
    .walk_open = lz4_walk_open,
    .walk_step = lz4_walk_step,
    .walk_is_at_part = lz4_walk_is_at_part,
};
