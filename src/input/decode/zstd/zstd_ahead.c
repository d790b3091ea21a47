/* SPDX-License-Identifier: MIT */
/* zstd_ahead.c -- who decodes a zstd frame: libzstd or helpers */

#include "input/decode/zstd/zstd_ahead.h"
#include "input/ahead.h"
#include "input/file_window.h"

/* So many threads decode enough for one thread that makes content.  More
   threads slow that thread down (bench/NOTES.md). */
#define HELPERS_MAX 3

/* Finding the end of a longer frame does not pay. */
#define LOOK_MAX ((off_t)64 << 20)

/* Memory for all slots, if there is more than one. */
#define SLOTS_BYTES ((uint64_t)64 << 20)

/* Offsets have a bit less than their type. */
#define WINDOW_MAX ((uint64_t)1 << 30)

const struct zstd_ahead_sizes zstd_ahead_usual = {
    .long_bytes = (off_t)1 << 20,
    .helper_bytes = (off_t)256 << 10,
    .remainder_bytes = (off_t)16 << 20,
    .slot_extra_bytes = (size_t)4 << 20, /* two chunks */
};

/*
 * Returns how many bytes the FRAME at START in SOURCE has, or all following
 * bytes if the frame does not end within LOOK_MAX.  A wrong block ends the
 * frame.
 */
static off_t
frame_bytes(const struct source *source, const struct zstd_frame *frame,
            off_t start)
{
    struct file_window window = {.fd = source->fd};
    struct zstd_block_header block = {.is_last = false};
    off_t at = start + (off_t)frame->header_bytes;

    while (!block.is_last) {
        size_t size;
        if (at - start > LOOK_MAX || at >= source->size)
            return source->size - start;
        const unsigned char *data =
            file_window_look(&window, at, ZSTD_FRAME_BLOCK_HEADER_BYTES, &size);
        if (zstd_frame_read_block(&block, data, size) < 0)
            break;
        at += ZSTD_FRAME_BLOCK_HEADER_BYTES + (off_t)block.bytes;
    }
    return at - start;
}

bool
zstd_ahead_is_long(const struct zstd_ahead *ahead,
                   const struct decoder *decoder,
                   const struct zstd_frame *frame)
{
    return !frame->is_skippable &&
           frame_bytes(decoder->source, frame, decoder_offset(decoder)) >=
               ahead->sizes->long_bytes;
}

/* Returns the bytes that a window of SLOTS keeps. */
static size_t
kept_bytes(const struct zstd_ahead *ahead, unsigned int slots)
{
    return ZSTD_BLOCKS_KEPT + (slots > 1 ? ahead->sizes->slot_extra_bytes : 0);
}

/* Returns the memory of SLOTS for the window of FRAME. */
static uint64_t
slots_bytes(const struct zstd_ahead *ahead, const struct zstd_frame *frame,
            unsigned int slots)
{
    return slots *
           zstd_window_bytes(frame->window_bytes, kept_bytes(ahead, slots));
}

/* CONTEXT of struct ahead_need points to this. */
struct frame_need {
    const struct zstd_ahead *ahead;
    const struct zstd_frame *frame;
};

/* Returns the least memory that HELPERS need. */
static uint64_t
memory_of(const void *context, unsigned int helpers)
{
    const struct frame_need *need = context;

    return slots_bytes(need->ahead, need->frame, 1) +
           zstd_blocks_bytes(helpers);
}

/* Returns how many helpers would be useful for FRAME. */
static unsigned int
helpers_worth(const struct zstd_ahead *ahead, const struct decoder *decoder,
              const struct zstd_frame *frame)
{
    const struct zstd_ahead_sizes *sizes = ahead->sizes;
    const struct budget *budget = decoder->budget;
    const struct source *source = decoder->source;
    const struct frame_need context = {ahead, frame};
    const struct ahead_need need = {.helper_bytes = sizes->helper_bytes,
                                    .memory = memory_of,
                                    .context = &context};
    off_t start = decoder_offset(decoder);

    if (!source->is_regular || !frame->is_plain ||
        source_is_cut_short(source) || frame->window_bytes > WINDOW_MAX ||
        source->size - start < sizes->long_bytes || budget->guessers == 0)
        return 0;
    off_t bytes = frame_bytes(source, frame, start);
    if (bytes < sizes->long_bytes)
        return 0;
    /* Other readers decode other frames: this frame has its share of all
       helpers. */
    off_t left = source->size - start;
    off_t share = (off_t)budget->guessers + 1;
    share = (share * bytes + left / 2) / left - 1;
    return share > 0
               ? ahead_worth(&need, decoder->source, decoder->budget, bytes,
                             share < HELPERS_MAX ? (unsigned int)share
                                                 : HELPERS_MAX)
               : 0;
}

static uint64_t
blocks_memory(const void *context, unsigned int helpers)
{
    (void)context;
    return zstd_blocks_bytes(helpers);
}

/* Reserve memory for the window of AHEAD and open the window, with more than
   one slot if memory allows.  Returns 0, or -1. */
static int
open_window(struct zstd_ahead *ahead, struct budget *budget)
{
    const struct zstd_frame *frame = &ahead->frame;
    uint64_t most = ahead_memory_max(budget) - ahead->loan.bytes;
    unsigned int slots = ZSTD_WINDOW_SLOTS;

    if (most > SLOTS_BYTES)
        most = SLOTS_BYTES;
    uint64_t bytes = slots_bytes(ahead, frame, slots);
    while (slots > 1 && (bytes > most || !budget_try(budget, bytes)))
        bytes = slots_bytes(ahead, frame, --slots);
    if (slots == 1 && !budget_try(budget, bytes))
        return -1;
    ahead->loan.bytes += bytes;
    return zstd_window_open(&ahead->window, frame->window_bytes,
                            kept_bytes(ahead, slots), slots);
}

bool
zstd_ahead_start(struct zstd_ahead *ahead, struct decoder *decoder,
                 const struct zstd_frame *frame)
{
    struct budget *budget = decoder->budget;
    struct source *source = decoder->source;
    off_t start = decoder_offset(decoder);
    off_t blocks = start + (off_t)frame->header_bytes;
    unsigned int worth = helpers_worth(ahead, decoder, frame);
    /* The window, which comes later, has the rest of the memory. */
    const struct ahead_need need = {.memory = blocks_memory};

    if (worth == 0)
        return false;
    *ahead = (struct zstd_ahead){.sizes = ahead->sizes,
                                 .is_open = true,
                                 .start = start,
                                 .frame = *frame};
    if (!ahead_reserve(&ahead->loan, &need, budget, worth, 0) ||
        open_window(ahead, budget) < 0 ||
        zstd_blocks_open(&ahead->blocks, frame, source, blocks,
                         ahead->loan.helpers) < 0) {
        (void)zstd_ahead_close(ahead); /* libzstd decodes the frame alone */
        return false;
    }
    /* The header has been read; other threads read the rest. */
    progress_add(source->progress, frame->header_bytes);
    return true;
}

off_t
zstd_ahead_close(struct zstd_ahead *ahead)
{
    off_t end = zstd_blocks_close(&ahead->blocks);

    zstd_window_close(&ahead->window);
    budget_loan_return(&ahead->loan);
    ahead->is_open = false;
    return end;
}

/* ---- content ---- */

/* Have the next block's content.  Returns MORE, even if it is empty; END: no
   more content; REFUSED; STOPPED; or FAILED. */
static enum zstd_ahead_result
make_content(struct zstd_ahead *ahead, struct decoder *decoder)
{
    const struct zstd_block_set *set = ahead->set;

    if (set == NULL) {
        set = zstd_blocks_await(&ahead->blocks);
        if (set == NULL)
            return ZSTD_AHEAD_STOPPED;
        ahead->set = set;
        ahead->next = 0;
        /* Other readers see the position of the source. */
        if (decoder_seek(decoder, set->end) < 0)
            return ZSTD_AHEAD_FAILED;
    }
    if (ahead->next < set->decoded) {
        const struct zstd_parts *parts = &set->parts[ahead->next++];
        ahead->left = zstd_window_add(&ahead->window, parts);
        ahead->left_bytes = parts->content;
        return ahead->left != NULL ? ZSTD_AHEAD_MORE : ZSTD_AHEAD_REFUSED;
    }
    if (set->is_refused)
        return ZSTD_AHEAD_REFUSED;
    if (set->is_last)
        return ZSTD_AHEAD_END;
    zstd_blocks_release(&ahead->blocks);
    ahead->set = NULL;
    return ZSTD_AHEAD_MORE;
}

/* Whether all of the content, now taken, agrees with the frame's header and
   checksum. */
static bool
is_right(const struct zstd_ahead *ahead)
{
    const struct zstd_frame *frame = &ahead->frame;

    return (!frame->is_sized || frame->content_bytes == ahead->content_bytes) &&
           (!frame->has_checksum ||
            zstd_blocks_sum(&ahead->blocks) == ahead->set->sum);
}

/* Returns how many bytes are left to take, up to MOST. */
static size_t
left_of(const struct zstd_ahead *ahead, size_t most)
{
    return ahead->left_bytes < most ? ahead->left_bytes : most;
}

/* SIZE more bytes have been taken. */
static void
pass_left(struct zstd_ahead *ahead, size_t size)
{
    ahead->left += size;
    ahead->left_bytes -= size;
    ahead->content_bytes += size;
}

/* Taking ends with RESULT.  Returns RESULT, or REFUSED. */
static enum zstd_ahead_result
end_taking(struct zstd_ahead *ahead, const struct decoder *decoder,
           enum zstd_ahead_result result)
{
    struct progress *progress = decoder->source->progress;

    if (result == ZSTD_AHEAD_MORE)
        return result;
    zstd_blocks_drain(&ahead->blocks);
    if (result == ZSTD_AHEAD_STOPPED)
        return result;
    if (result == ZSTD_AHEAD_END && !is_right(ahead))
        result = ZSTD_AHEAD_REFUSED;
    /* Bytes that other threads have read, and that will be read again. */
    off_t needed = result == ZSTD_AHEAD_END ? ahead->set->end : ahead->start;
    off_t end = zstd_ahead_close(ahead);
    progress_add(progress, -(uint64_t)(end - needed));
    if (result == ZSTD_AHEAD_END)
        progress_add_helped(progress, ahead->content_bytes);
    else if (result == ZSTD_AHEAD_REFUSED)
        progress_add_refused(progress);
    return result;
}

enum zstd_ahead_result
zstd_ahead_take(struct zstd_ahead *ahead, struct decoder *decoder,
                unsigned char *buffer, size_t capacity, size_t *size)
{
    enum zstd_ahead_result result = ZSTD_AHEAD_MORE;
    size_t done = 0;

    while (result == ZSTD_AHEAD_MORE && done < capacity &&
           !cancel_is_asked(decoder->source->cancel)) {
        size_t part = left_of(ahead, capacity - done);
        if (part == 0) {
            result = make_content(ahead, decoder);
            continue;
        }
        zstd_blocks_put(&ahead->blocks, buffer + done, ahead->left, part);
        pass_left(ahead, part);
        done += part;
    }
    zstd_blocks_drain(&ahead->blocks);
    *size = done;
    return end_taking(ahead, decoder, result);
}

enum zstd_ahead_result
zstd_ahead_lease(struct zstd_ahead *ahead, struct decoder *decoder,
                 const unsigned char *front, size_t front_bytes,
                 size_t capacity, struct lease *lease)
{
    enum zstd_ahead_result result = ZSTD_AHEAD_MORE;

    while (result == ZSTD_AHEAD_MORE && lease->bytes < capacity &&
           !cancel_is_asked(decoder->source->cancel)) {
        size_t part = left_of(ahead, capacity - lease->bytes);
        if (part == 0) {
            result = make_content(ahead, decoder);
            continue;
        }
        if (lease->bytes == 0) {
            if (!zstd_window_lease(&ahead->window, ahead->left, front,
                                   front_bytes, lease))
                break;
        } else if (ahead->left != lease->data + lease->bytes) {
            break; /* The content goes on in another slot. */
        }
        zstd_blocks_put(&ahead->blocks, NULL, ahead->left, part);
        pass_left(ahead, part);
        lease->bytes += part;
    }
    return end_taking(ahead, decoder, result);
}

void
zstd_ahead_stop(struct zstd_ahead *ahead)
{
    zstd_blocks_stop(&ahead->blocks);
}

void
zstd_ahead_hand_over(struct zstd_ahead *ahead, struct decoder *decoder,
                     struct zstd_handover *handover, unsigned char *front)
{
    *handover = (struct zstd_handover){
        .frame = ahead->frame,
        .start = ahead->start,
        .offsets = ahead->window.offsets,
        .front_bytes = zstd_window_copy(&ahead->window, front),
        .content_bytes = ahead->content_bytes,
        .hash = ahead->blocks.sum,
    };
    handover->next = zstd_blocks_next(&ahead->blocks, &handover->inherited);
    off_t end = zstd_ahead_close(ahead);
    /* Bytes that other threads have read, and that will be read again. */
    progress_add(decoder->source->progress, -(uint64_t)(end - handover->next));
}
