/* SPDX-License-Identifier: MIT */
/* zstd_offload.c -- let a device decode consecutive zstd frames */

#include <string.h>

#include "input/decode/zstd/zstd_offload.h"

/* Most frames have smaller windows, so later frames fit, too. */
#define HISTORY_USUAL ((uint32_t)8 << 20)
#define HISTORY_UNIT 16

/* ---- start and end ---- */

bool
zstd_offload_fits(const struct decoder *decoder, const struct zstd_frame *frame)
{
    const struct decoding_devices *devices = decoder->budget->devices;

    return devices != NULL &&
           decoder->source->size >= devices->use.file_bytes_min &&
           (frame->is_skippable ||
            (frame->is_plain && frame->window_bytes <= devices->sizes.history));
}

/* Returns the largest window of frames, if one of them is FRAME. */
static uint32_t
history_for(const struct decoding_belt *belt, const struct zstd_frame *frame)
{
    uint32_t history = ((uint32_t)frame->window_bytes + HISTORY_UNIT - 1) /
                       HISTORY_UNIT * HISTORY_UNIT;

    if (history < HISTORY_USUAL)
        history = HISTORY_USUAL;
    return history < belt->sizes->history ? history : belt->sizes->history;
}

/* Open for FRAME, which starts at START, and later frames.  Returns 0, or -1:
   then OFFLOAD must be closed. */
static int
open_offload(struct zstd_offload *offload, struct decoder *decoder,
             const struct zstd_frame *frame, off_t start)
{
    struct decoding_belt *belt = offload->belt;
    struct budget *budget = decoder->budget;
    uint64_t bytes = zstd_batch_walk_bytes(belt->sizes);

    *offload = (struct zstd_offload){.belt = belt,
                                     .refused_until = offload->refused_until,
                                     .is_open = true,
                                     .start = start,
                                     .loan.budget = budget};
    zstd_crew_open(&offload->crew, belt, decoder->source);
    offload->number = offload->crew.measured;
    if (!budget_try(budget, bytes))
        return -1;
    offload->loan.bytes = bytes;
    return zstd_crew_open_walk(&offload->crew, start, decoder->pause_at,
                               history_for(belt, frame));
}

bool
zstd_offload_start(struct zstd_offload *offload, struct decoder *decoder,
                   const struct zstd_frame *frame)
{
    off_t start = decoder_offset(decoder);

    if (frame->is_skippable || start < offload->refused_until ||
        start >= decoder->source->size ||
        source_is_cut_short(decoder->source) ||
        !zstd_offload_fits(decoder, frame) ||
        !decoding_devices_hold(decoder->budget->devices,
                               decoder->source->cancel, &offload->belt))
        return false;
    if (open_offload(offload, decoder, frame, start) < 0) {
        (void)zstd_offload_close(offload);
        return false;
    }
    decoding_crew_start(&offload->crew.base, &offload->loan);
    return true;
}

/* Whether DEVICE may go on with FRAME, which starts at START. */
static bool
may_continue(const struct zstd_offload *offload, const struct decoder *decoder,
             const struct zstd_frame *frame, off_t start)
{
    const struct decoding_devices *devices = decoder->budget->devices;

    return zstd_offload_fits(decoder, frame) && offload->belt == NULL &&
           start >= offload->refused_until &&
           !source_is_cut_short(decoder->source) &&
           frame->window_bytes <= zstd_batch_front_max(&devices->sizes);
}

bool
zstd_offload_may_follow(const struct zstd_offload *offload,
                        const struct decoder *decoder,
                        const struct zstd_frame *frame)
{
    struct decoding_devices *devices = decoder->budget->devices;

    /* Without a checksum, or with several belts, the device decodes so fast
       that going on with a frame takes longer than what helpers do meanwhile
       (bench/NOTES.md). */
    return frame->has_checksum &&
           may_continue(offload, decoder, frame, decoder_offset(decoder)) &&
           devices->sizes.belts == 1 && decoding_devices_are_starting(devices);
}

bool
zstd_offload_take_idle(struct zstd_offload *offload,
                       const struct decoder *decoder,
                       const struct zstd_frame *frame, off_t start)
{
    struct decoding_devices *devices = decoder->budget->devices;

    if (!may_continue(offload, decoder, frame, start))
        return false;
    struct decoding_belt *belt = decoding_devices_take(devices);
    if (belt == NULL)
        return false;
    pthread_mutex_lock(belt->lock);
    const struct decoding_batch *batch = decoding_belt_vacant(belt);
    pthread_mutex_unlock(belt->lock);
    if (batch == NULL) {
        decoding_belt_give(belt);
        return false;
    }
    offload->belt = belt;
    offload->front = zstd_batch_front(batch);
    return true;
}

off_t
zstd_offload_close(struct zstd_offload *offload)
{
    if (!offload->is_open)
        return 0;
    off_t end = zstd_crew_close(&offload->crew);
    budget_loan_return(&offload->loan);
    offload->is_open = false;
    return end;
}

/* ---- content ---- */

/* The content of FRAME, here and in earlier batches, has been taken. */
static enum zstd_offload_result
refuse(struct zstd_offload *offload, const struct zstd_batch_frame *frame)
{
    offload->has_sum = frame->has_checksum && offload->content_bytes > 0;
    offload->sum = offload->has_sum ? frame->found_sum : 0;
    /* The device would refuse this frame again. */
    if (offload->refused_until <= offload->start)
        offload->refused_until = offload->start + 1;
    return ZSTD_OFFLOAD_REFUSED;
}

bool
zstd_offload_continue(struct zstd_offload *offload, struct decoder *decoder,
                      const struct zstd_handover *handover)
{
    const struct zstd_frame *frame = &handover->frame;
    bool is_open = open_offload(offload, decoder, frame, handover->start) == 0;

    offload->content_bytes = handover->content_bytes;
    offload->started_bytes = handover->content_bytes;
    offload->crew.hash = handover->hash;
    offload->last =
        (struct zstd_batch_frame){.has_checksum = frame->has_checksum,
                                  .found_sum = xxh64_end(&handover->hash)};
    if (is_open) {
        zstd_batch_continue(&offload->crew.walk, handover);
        decoding_crew_start(&offload->crew.base, &offload->loan);
        return true;
    }
    (void)zstd_offload_close(offload);
    (void)refuse(offload, &offload->last);
    /* Bytes that helpers have read will be read again. */
    progress_add(decoder->source->progress,
                 -(uint64_t)(handover->next - handover->start));
    progress_add_refused(decoder->source->progress);
    return false;
}

/*
 * All content of FRAME has been taken, and the frame ends with it.  Returns
 * MORE if the content agrees with the frame; or REFUSED.
 */
static enum zstd_offload_result
end_frame(struct zstd_offload *offload, const struct decoder *decoder,
          const struct zstd_batch_frame *frame)
{
    if (frame->has_checksum) {
        pthread_mutex_lock(offload->belt->lock);
        zstd_crew_await_sum(&offload->crew, offload->number, frame);
        pthread_mutex_unlock(offload->belt->lock);
    }
    if ((frame->is_sized && frame->content_bytes != offload->content_bytes) ||
        /* The frame has the lower half. */
        (frame->has_checksum && frame->sum != (uint32_t)frame->found_sum))
        return refuse(offload, frame);
    progress_add_device(decoder->source->progress, offload->content_bytes,
                        offload->started_bytes);
    offload->start = frame->end;
    offload->content_bytes = 0;
    offload->started_bytes = 0;
    return ZSTD_OFFLOAD_MORE;
}

/* All content of the next frame of the batch has been taken. */
static enum zstd_offload_result
end_blocks(struct zstd_offload *offload, const struct decoder *decoder)
{
    const struct zstd_batch_frames *frames =
        zstd_crew_frames(&offload->crew, offload->number);
    const struct zstd_batch_frame *frame = &frames->frame[offload->next++];

    return frame->is_last ? end_frame(offload, decoder, frame)
                          : ZSTD_OFFLOAD_MORE;
}

/* All content of the batch has been taken. */
static void
end_batch(struct zstd_offload *offload)
{
    struct decoding_belt *belt = offload->belt;
    const struct zstd_batch_frames *frames =
        zstd_crew_frames(&offload->crew, offload->number);

    pthread_mutex_lock(belt->lock);
    zstd_crew_await_sum(&offload->crew, offload->number, NULL);
    offload->last = frames->frame[frames->count - 1];
    decoding_belt_release(belt);
    decoding_crew_wake(&offload->crew.base);
    pthread_mutex_unlock(belt->lock);
    offload->batch = NULL;
    offload->number++;
}

/* Wait for the next batch.  Returns MORE: the batch is there, unless the run is
   cancelled; END: no batch follows; or REFUSED. */
static enum zstd_offload_result
await_batch(struct zstd_offload *offload, struct decoder *decoder)
{
    struct decoding_belt *belt = offload->belt;
    const struct zstd_batch_frames *frames =
        zstd_crew_frames(&offload->crew, offload->number);
    enum zstd_offload_result result = ZSTD_OFFLOAD_MORE;

    pthread_mutex_lock(belt->lock);
    while ((offload->batch = zstd_crew_look(&offload->crew, offload->number)) ==
               NULL &&
           result == ZSTD_OFFLOAD_MORE &&
           !cancel_is_asked(decoder->source->cancel)) {
        if (offload->crew.base.is_walked && offload->number == belt->filled)
            result = ZSTD_OFFLOAD_END;
        else if (!decoding_belt_is_ready(belt))
            result = ZSTD_OFFLOAD_REFUSED;
        else
            decoding_crew_wait(&offload->crew.base);
    }
    pthread_mutex_unlock(belt->lock);
    if (result == ZSTD_OFFLOAD_END) {
        /* PAUSE_AT, at a frame to skip, may have been set since the walk passed
           it: then libzstd skips the frames from START, and pauses there. */
        if (offload->crew.walk.base.end <= decoder->pause_at)
            offload->start = offload->crew.walk.base.end;
        if (offload->crew.walk.is_refused)
            result = ZSTD_OFFLOAD_REFUSED;
    }
    if (result == ZSTD_OFFLOAD_REFUSED)
        return refuse(offload, &offload->last);
    if (offload->batch == NULL)
        return result;
    const struct zstd_batch_frame *last = &frames->frame[frames->count - 1];
    offload->next = 0;
    if (frames->is_refused) {
        offload->start = frames->frame[0].start;
        offload->refused_until = last->end;
        return refuse(offload, &offload->last);
    }
    /* Other readers see the position of the source. */
    return decoder_seek(decoder, last->end) < 0 ? ZSTD_OFFLOAD_FAILED
                                                : ZSTD_OFFLOAD_MORE;
}

/* Whether all frames of the batch have been taken. */
static bool
is_batch_taken(struct zstd_offload *offload)
{
    const struct zstd_batch_frames *frames =
        zstd_crew_frames(&offload->crew, offload->number);

    return !offload->is_in_frame && offload->next == frames->count;
}

/* Have the next frame's content, even if it is empty. */
static enum zstd_offload_result
advance(struct zstd_offload *offload, struct decoder *decoder)
{
    const struct zstd_batch_frames *frames =
        zstd_crew_frames(&offload->crew, offload->number);

    if (offload->batch == NULL)
        return await_batch(offload, decoder);
    if (offload->is_in_frame) {
        offload->is_in_frame = false;
        return end_blocks(offload, decoder);
    }
    if (is_batch_taken(offload)) {
        end_batch(offload);
        return ZSTD_OFFLOAD_MORE;
    }
    const struct zstd_batch_frame *frame = &frames->frame[offload->next];
    /* It may have been set since the offload began.  Frames to skip are between
       START, the end of the last frame, and FRAME. */
    if (frame->is_first && frame->start >= decoder->pause_at)
        return ZSTD_OFFLOAD_END;
    offload->start = frame->start;
    offload->left = offload->batch->content + frame->content_at;
    offload->left_bytes = frame->content;
    offload->is_in_frame = true;
    return ZSTD_OFFLOAD_MORE;
}

/* SIZE more bytes have been taken. */
static void
pass_left(struct zstd_offload *offload, size_t size)
{
    offload->left += size;
    offload->left_bytes -= size;
    offload->content_bytes += size;
}

/* Copy the next SIZE bytes to TO. */
static void
copy_left(struct zstd_offload *offload, unsigned char *to, size_t size)
{
    pthread_mutex_lock(offload->belt->lock);
    decoding_crew_copy(&offload->crew.base, to, offload->left, size);
    pthread_mutex_unlock(offload->belt->lock);
    pass_left(offload, size);
}

/* Taking ends with RESULT, which is not MORE.  Returns RESULT, or FAILED. */
static enum zstd_offload_result
end_taking(struct zstd_offload *offload, struct decoder *decoder,
           enum zstd_offload_result result)
{
    struct progress *progress = decoder->source->progress;
    off_t end = zstd_offload_close(offload);

    if (!decoding_devices_replace(decoder->budget->devices, &offload->belt))
        offload->refused_until = DECODER_NO_PAUSE;
    /* Bytes that have been read, and that will be read again. */
    progress_add(progress, -(uint64_t)(end - offload->start));
    if (result == ZSTD_OFFLOAD_REFUSED)
        progress_add_refused(progress);
    else if (result == ZSTD_OFFLOAD_END &&
             decoder_seek(decoder, offload->start) < 0)
        result = ZSTD_OFFLOAD_FAILED;
    return result;
}

enum zstd_offload_result
zstd_offload_take(struct zstd_offload *offload, struct decoder *decoder,
                  unsigned char *buffer, size_t capacity, size_t *size)
{
    enum zstd_offload_result result = ZSTD_OFFLOAD_MORE;
    size_t done = 0;

    while (result == ZSTD_OFFLOAD_MORE && done < capacity &&
           !cancel_is_asked(decoder->source->cancel)) {
        size_t more = capacity - done;
        if (more > offload->left_bytes)
            more = offload->left_bytes;
        if (more == 0) {
            result = advance(offload, decoder);
            continue;
        }
        copy_left(offload, buffer + done, more);
        done += more;
    }
    *size = done;
    return result == ZSTD_OFFLOAD_MORE ? result
                                       : end_taking(offload, decoder, result);
}

enum zstd_offload_result
zstd_offload_lease(struct zstd_offload *offload, struct decoder *decoder,
                   const unsigned char *front, size_t front_bytes,
                   size_t capacity, struct lease *lease)
{
    enum zstd_offload_result result = ZSTD_OFFLOAD_MORE;

    while (result == ZSTD_OFFLOAD_MORE && lease->bytes < capacity &&
           !cancel_is_asked(decoder->source->cancel)) {
        size_t size = capacity - lease->bytes;
        if (size > offload->left_bytes)
            size = offload->left_bytes;
        if (size == 0) {
            /* The next batch is elsewhere. */
            if (lease->bytes > 0 && is_batch_taken(offload))
                break;
            result = advance(offload, decoder);
            continue;
        }
        if (lease->bytes == 0 &&
            !decoding_crew_lease(&offload->crew.base, offload->batch,
                                 offload->left, front, front_bytes, lease))
            break;
        pass_left(offload, size);
        lease->bytes += size;
    }
    return result == ZSTD_OFFLOAD_MORE ? result
                                       : end_taking(offload, decoder, result);
}
