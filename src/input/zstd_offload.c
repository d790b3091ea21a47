/* zstd_offload.c -- let a device decode zstd frames that follow each other */

#include <stdlib.h>
#include <string.h>

#include "input/zstd_offload.h"
#include "util/thread.h"

/* What a thread copies at once. */
#define SLICE_BYTES ((size_t)256 << 10)

/* Most frames have smaller windows; then those that follow fit, too. */
#define HISTORY_USUAL ((uint32_t)8 << 20)
#define HISTORY_UNIT 16

static struct zstd_batch_parts *
parts_of(struct zstd_offload *offload, uint64_t number)
{
    return &offload->parts[number % ZSTD_DEVICE_BATCHES];
}

/* ---- work, under the lock, which is released meanwhile ---- */

static void
wake_helper(struct zstd_offload *offload)
{
    if (offload->idle > 0)
        pthread_cond_signal(&offload->has_work);
}

static void
wake_helpers(struct zstd_offload *offload)
{
    if (offload->idle > 0)
        pthread_cond_broadcast(&offload->has_work);
}

static void
tell_owner(struct zstd_offload *offload)
{
    pthread_cond_broadcast(&offload->device->has_changed);
}

static bool
can_copy(const struct zstd_offload *offload)
{
    return offload->copy.next < offload->copy.size;
}

static void
copy_slice(struct zstd_offload *offload)
{
    struct zstd_offload_copy *copy = &offload->copy;
    size_t at = copy->next;
    size_t size = copy->size - at;

    if (size > SLICE_BYTES)
        size = SLICE_BYTES;
    copy->next += size;
    copy->copying++;
    pthread_mutex_unlock(&offload->device->lock);
    memcpy(copy->to + at, copy->from + at, size);
    pthread_mutex_lock(&offload->device->lock);
    if (--copy->copying == 0)
        tell_owner(offload);
}

static bool
can_fill(struct zstd_offload *offload)
{
    return !offload->is_filling && !offload->is_walked &&
           zstd_device_vacant(offload->device) != NULL;
}

static void
fill_batch(struct zstd_offload *offload)
{
    struct zstd_device *device = offload->device;
    struct zstd_device_batch *batch = zstd_device_vacant(device);
    struct zstd_batch_parts *parts = parts_of(offload, device->filled);

    offload->is_filling = true;
    pthread_mutex_unlock(&device->lock);
    bool has_blocks = zstd_batch_fill(&offload->walk, batch, parts);
    pthread_mutex_lock(&device->lock);
    offload->is_filling = false;
    offload->is_walked = offload->walk.is_over;
    if (has_blocks)
        zstd_device_submit(device, batch);
    tell_owner(offload);
    if (can_fill(offload))
        wake_helper(offload);
}

/* Go on to the next batch that has parts to sum. */
static void
pass_summed(struct zstd_offload *offload)
{
    while (offload->summed < offload->measured &&
           parts_of(offload, offload->summed)->unsummed == 0) {
        offload->summed++;
        offload->begun_parts = 0;
    }
}

/* Set how much content the parts of the next batch have, which is fetched, and
   what the device has summed.  A device that says what cannot be is not
   believed. */
static void
measure(struct zstd_offload *offload, const struct zstd_device_batch *batch)
{
    struct zstd_batch_parts *parts = parts_of(offload, offload->measured);
    uint32_t left = batch->left->content - parts->front_bytes;
    uint32_t block = parts->front_blocks;

    parts->is_refused = batch->left->is_refused ||
                        batch->left->content > batch->room ||
                        batch->left->content < parts->front_bytes;
    parts->unsummed = 0;
    for (uint32_t i = 0; i < parts->count && !parts->is_refused; i++) {
        struct zstd_batch_part *part = &parts->part[i];
        uint64_t content = 0;
        bool is_summed = batch->task[block].summed_blocks > 0;
        part->found_sum = is_summed ? batch->sums[block] : 0;
        part->is_summed = is_summed || !part->has_checksum;
        parts->unsummed += !part->is_summed;
        for (uint32_t n = 0; n < part->blocks; n++)
            content += batch->found[block++].content;
        parts->is_refused = content > left;
        part->content_at = batch->left->content - left;
        part->content = (uint32_t)content;
        left -= (uint32_t)content;
    }
    parts->is_refused |= left > 0;
    if (parts->is_refused)
        parts->unsummed = 0;
    offload->measured++;
    pass_summed(offload);
}

/* Returns the batch with NUMBER, which is fetched and measured; or NULL. */
static const struct zstd_device_batch *
look_at(struct zstd_offload *offload, uint64_t number)
{
    const struct zstd_device_batch *batch =
        zstd_device_fetched(offload->device, number);

    if (batch != NULL && offload->measured == number)
        measure(offload, batch);
    return batch;
}

/* Returns the next part to sum, or NULL: there is none.  Parts of one batch are
   of different frames. */
static struct zstd_batch_part *
next_to_sum(struct zstd_offload *offload)
{
    uint64_t number;

    /* One that is looked at for the first time may be passed. */
    do {
        number = offload->summed;
        if (look_at(offload, number) == NULL)
            return NULL;
    } while (number != offload->summed);
    struct zstd_batch_parts *parts = parts_of(offload, offload->summed);
    while (offload->begun_parts < parts->count &&
           parts->part[offload->begun_parts].is_summed)
        offload->begun_parts++;
    return offload->begun_parts < parts->count
               ? &parts->part[offload->begun_parts]
               : NULL;
}

static bool
can_sum(struct zstd_offload *offload)
{
    return next_to_sum(offload) != NULL;
}

/* Sum the next part. */
static void
sum_part(struct zstd_offload *offload)
{
    struct zstd_device *device = offload->device;
    struct zstd_batch_part *part = next_to_sum(offload);
    const struct zstd_device_batch *batch = look_at(offload, offload->summed);
    struct zstd_batch_parts *parts = parts_of(offload, offload->summed);
    struct xxh64 hash = offload->hash;

    offload->begun_parts++;
    pthread_mutex_unlock(&device->lock);
    if (part->is_first)
        xxh64_begin(&hash);
    xxh64_add(&hash, batch->content + part->content_at, part->content);
    part->found_sum = xxh64_end(&hash);
    pthread_mutex_lock(&device->lock);
    if (!part->is_last)
        offload->hash = hash;
    part->is_summed = true;
    parts->unsummed--;
    pass_summed(offload);
    tell_owner(offload);
}

static void *
helper_main(void *argument)
{
    struct zstd_offload *offload = argument;
    pthread_mutex_t *lock = &offload->device->lock;

    pthread_mutex_lock(lock);
    while (!offload->is_closing) {
        if (can_copy(offload)) {
            copy_slice(offload);
        } else if (zstd_reads_can_help(&offload->reads)) {
            zstd_reads_help(&offload->reads);
        } else if (can_fill(offload)) {
            fill_batch(offload);
        } else if (can_sum(offload)) {
            sum_part(offload);
        } else {
            offload->idle++;
            pthread_cond_wait(&offload->has_work, lock);
            offload->idle--;
        }
    }
    pthread_mutex_unlock(lock);
    return NULL;
}

/* The owner waits for something: do what there is, if nobody else does. */
static void
work_or_wait(struct zstd_offload *offload)
{
    if (can_fill(offload))
        fill_batch(offload);
    else if (offload->helpers == 0 && can_sum(offload))
        sum_part(offload);
    else
        zstd_device_wait(offload->device);
}

/* ---- begin and end ---- */

bool
zstd_offload_take_device(struct zstd_offload *offload, struct decoder *decoder)
{
    struct zstd_device *device = decoder->budget->zstd_device;

    if (offload->device != NULL)
        return true;
    if (device == NULL || !zstd_device_await_start(device) ||
        !zstd_device_take(device))
        return false;
    offload->device = device;
    return true;
}

void
zstd_offload_give_device(struct zstd_offload *offload)
{
    if (offload->device != NULL)
        zstd_device_give(offload->device);
    offload->device = NULL;
}

bool
zstd_offload_fits(const struct decoder *decoder, const struct zstd_frame *frame)
{
    const struct zstd_device *device = decoder->budget->zstd_device;

    return device != NULL &&
           (frame->is_skippable ||
            (frame->is_plain && frame->window_bytes <= device->sizes.history));
}

static int
allocate(struct zstd_offload *offload)
{
    for (int i = 0; i < ZSTD_DEVICE_BATCHES; i++) {
        offload->parts[i].part =
            calloc(offload->device->sizes.blocks, sizeof *offload->parts->part);
        if (offload->parts[i].part == NULL)
            return -1;
    }
    return 0;
}

/* Returns the largest window of frames, if one of them is FRAME. */
static uint32_t
history_for(const struct zstd_device *device, const struct zstd_frame *frame)
{
    uint32_t history = ((uint32_t)frame->window_bytes + HISTORY_UNIT - 1) /
                       HISTORY_UNIT * HISTORY_UNIT;

    if (history < HISTORY_USUAL)
        history = HISTORY_USUAL;
    return history < device->sizes.history ? history : device->sizes.history;
}

/* Open for FRAME, which begins at BEGIN, and those that follow.  Returns 0, or
   -1: then it is to be closed. */
static int
open_offload(struct zstd_offload *offload, struct decoder *decoder,
             const struct zstd_frame *frame, off_t begin)
{
    struct zstd_device *device = offload->device;
    struct budget *budget = decoder->budget;
    uint64_t bytes = zstd_batch_walk_bytes(&device->sizes);

    pthread_mutex_lock(&device->lock);
    uint64_t first = device->filled;
    pthread_mutex_unlock(&device->lock);
    *offload = (struct zstd_offload){.device = device,
                                     .refused_until = offload->refused_until,
                                     .is_open = true,
                                     .begin = begin,
                                     .loan.lender = budget,
                                     .measured = first,
                                     .summed = first,
                                     .number = first};
    pthread_cond_init(&offload->has_work, NULL);
    zstd_reads_open(&offload->reads, decoder->source, &device->lock,
                    &offload->has_work);
    if (!budget_try(budget, bytes))
        return -1;
    offload->loan.bytes = bytes;
    if (allocate(offload) < 0 ||
        zstd_batch_open(&offload->walk, decoder->source, &device->sizes, begin,
                        decoder->pause_at, history_for(device, frame)) < 0)
        return -1;
    offload->walk.reads = &offload->reads;
    return 0;
}

static void
start_helpers(struct zstd_offload *offload)
{
    offload->loan.helpers =
        budget_take_helpers(offload->loan.lender, ZSTD_OFFLOAD_HELPERS);
    while (offload->helpers < offload->loan.helpers &&
           thread_start(&offload->helper[offload->helpers], helper_main,
                        offload) == 0)
        offload->helpers++;
}

bool
zstd_offload_begin(struct zstd_offload *offload, struct decoder *decoder,
                   const struct zstd_frame *frame)
{
    off_t begin = decoder_offset(decoder);

    if (frame->is_skippable || begin < offload->refused_until ||
        source_is_cut_short(decoder->source) ||
        !zstd_offload_fits(decoder, frame) ||
        !zstd_offload_take_device(offload, decoder))
        return false;
    if (open_offload(offload, decoder, frame, begin) < 0) {
        (void)zstd_offload_close(offload);
        return false;
    }
    start_helpers(offload);
    return true;
}

/* Whether DEVICE may go on with FRAME, which begins at BEGIN. */
static bool
may_continue(const struct zstd_offload *offload, const struct decoder *decoder,
             const struct zstd_frame *frame, off_t begin)
{
    const struct zstd_device *device = decoder->budget->zstd_device;

    return zstd_offload_fits(decoder, frame) && offload->device == NULL &&
           begin >= offload->refused_until &&
           !source_is_cut_short(decoder->source) &&
           frame->window_bytes <= zstd_batch_front_max(&device->sizes);
}

bool
zstd_offload_may_follow(const struct zstd_offload *offload,
                        const struct decoder *decoder,
                        const struct zstd_frame *frame)
{
    return may_continue(offload, decoder, frame, decoder_offset(decoder)) &&
           zstd_device_is_starting(decoder->budget->zstd_device);
}

bool
zstd_offload_take_idle(struct zstd_offload *offload,
                       const struct decoder *decoder,
                       const struct zstd_frame *frame, off_t begin)
{
    struct zstd_device *device = decoder->budget->zstd_device;

    if (!may_continue(offload, decoder, frame, begin) ||
        !zstd_device_take(device))
        return false;
    pthread_mutex_lock(&device->lock);
    const struct zstd_device_batch *batch = zstd_device_vacant(device);
    pthread_mutex_unlock(&device->lock);
    if (batch == NULL) {
        zstd_device_give(device);
        return false;
    }
    offload->device = device;
    offload->front = zstd_batch_front(batch);
    return true;
}

off_t
zstd_offload_close(struct zstd_offload *offload)
{
    struct zstd_device *device = offload->device;

    if (!offload->is_open)
        return 0;
    pthread_mutex_lock(&device->lock);
    offload->is_closing = true;
    pthread_cond_broadcast(&offload->has_work);
    pthread_mutex_unlock(&device->lock);
    for (unsigned int i = 0; i < offload->helpers; i++)
        pthread_join(offload->helper[i], NULL);
    pthread_cond_destroy(&offload->has_work);
    zstd_reads_close(&offload->reads);
    zstd_device_drop(device);
    off_t end = offload->walk.next;
    zstd_batch_close(&offload->walk);
    for (int i = 0; i < ZSTD_DEVICE_BATCHES; i++) {
        free(offload->parts[i].part);
        offload->parts[i].part = NULL;
    }
    budget_loan_return(&offload->loan);
    offload->is_open = false;
    return end;
}

/* ---- content ---- */

/* The content that was taken of the frame is that of PART and those before. */
static enum zstd_offload_result
refuse(struct zstd_offload *offload, const struct zstd_batch_part *part)
{
    offload->has_sum = part->has_checksum && offload->content_bytes > 0;
    offload->sum = offload->has_sum ? part->found_sum : 0;
    /* The same frame would be refused again. */
    if (offload->refused_until <= offload->begin)
        offload->refused_until = offload->begin + 1;
    return ZSTD_OFFLOAD_REFUSED;
}

bool
zstd_offload_continue(struct zstd_offload *offload, struct decoder *decoder,
                      const struct zstd_handover *handover)
{
    const struct zstd_frame *frame = &handover->frame;
    bool is_open = open_offload(offload, decoder, frame, handover->begin) == 0;

    offload->content_bytes = handover->content_bytes;
    offload->begun_bytes = handover->content_bytes;
    offload->hash = handover->hash;
    offload->last =
        (struct zstd_batch_part){.has_checksum = frame->has_checksum,
                                 .found_sum = xxh64_end(&handover->hash)};
    if (is_open) {
        zstd_batch_continue(&offload->walk, handover);
        start_helpers(offload);
        return true;
    }
    (void)zstd_offload_close(offload);
    (void)refuse(offload, &offload->last);
    /* What helpers have read will be read again. */
    progress_add(decoder->source->progress,
                 -(uint64_t)(handover->next - handover->begin));
    progress_add_refused(decoder->source->progress);
    return false;
}

/* Wait until PART is summed; or, if it is NULL, all parts of the batch.  Under
   the lock. */
static void
await_sum(struct zstd_offload *offload, const struct zstd_batch_part *part)
{
    while (part != NULL ? !part->is_summed
                        : offload->summed == offload->number) {
        if (can_sum(offload))
            sum_part(offload);
        else
            zstd_device_wait(offload->device);
    }
}

/*
 * All content of PART has been taken, and the frame ends with it.  Returns MORE
 * if it is what the frame says; or REFUSED.
 */
static enum zstd_offload_result
end_frame(struct zstd_offload *offload, const struct decoder *decoder,
          const struct zstd_batch_part *part)
{
    if (part->has_checksum) {
        pthread_mutex_lock(&offload->device->lock);
        await_sum(offload, part);
        pthread_mutex_unlock(&offload->device->lock);
    }
    if ((part->is_sized && part->content_bytes != offload->content_bytes) ||
        /* The frame has the lower half. */
        (part->has_checksum && part->sum != (uint32_t)part->found_sum))
        return refuse(offload, part);
    progress_add_device(decoder->source->progress, offload->content_bytes,
                        offload->begun_bytes);
    offload->begin = part->end;
    offload->content_bytes = 0;
    offload->begun_bytes = 0;
    return ZSTD_OFFLOAD_MORE;
}

/* All content of the next part of the batch has been taken. */
static enum zstd_offload_result
end_part(struct zstd_offload *offload, const struct decoder *decoder)
{
    const struct zstd_batch_parts *parts = parts_of(offload, offload->number);
    const struct zstd_batch_part *part = &parts->part[offload->next++];

    return part->is_last ? end_frame(offload, decoder, part)
                         : ZSTD_OFFLOAD_MORE;
}

/* All content of the batch has been taken. */
static void
end_batch(struct zstd_offload *offload)
{
    struct zstd_device *device = offload->device;
    const struct zstd_batch_parts *parts = parts_of(offload, offload->number);

    pthread_mutex_lock(&device->lock);
    await_sum(offload, NULL);
    offload->last = parts->part[parts->count - 1];
    zstd_device_release(device);
    if (can_fill(offload))
        wake_helper(offload);
    pthread_mutex_unlock(&device->lock);
    offload->batch = NULL;
    offload->number++;
}

/* Wait for the next batch.  Returns MORE: it is there, unless the run is
   cancelled; END: there is none; or REFUSED. */
static enum zstd_offload_result
await_batch(struct zstd_offload *offload, struct decoder *decoder)
{
    struct zstd_device *device = offload->device;
    const struct zstd_batch_parts *parts = parts_of(offload, offload->number);
    enum zstd_offload_result result = ZSTD_OFFLOAD_MORE;

    pthread_mutex_lock(&device->lock);
    while ((offload->batch = look_at(offload, offload->number)) == NULL &&
           result == ZSTD_OFFLOAD_MORE &&
           !cancel_is_asked(decoder->source->cancel)) {
        if (offload->is_walked && offload->number == device->filled)
            result = ZSTD_OFFLOAD_END;
        else if (device->state != ZSTD_DEVICE_READY)
            result = ZSTD_OFFLOAD_REFUSED;
        else
            work_or_wait(offload);
    }
    pthread_mutex_unlock(&device->lock);
    if (result == ZSTD_OFFLOAD_END) {
        offload->begin = offload->walk.end;
        if (offload->walk.is_refused)
            result = ZSTD_OFFLOAD_REFUSED;
    }
    if (result == ZSTD_OFFLOAD_REFUSED)
        return refuse(offload, &offload->last);
    if (offload->batch == NULL)
        return result;
    const struct zstd_batch_part *last = &parts->part[parts->count - 1];
    offload->next = 0;
    if (parts->is_refused) {
        offload->begin = parts->part[0].begin;
        offload->refused_until = last->end;
        return refuse(offload, &offload->last);
    }
    /* This is how far the source is for other readers. */
    return decoder_seek(decoder, last->end) < 0 ? ZSTD_OFFLOAD_FAILED
                                                : ZSTD_OFFLOAD_MORE;
}

/* Whether all parts of the batch have been taken. */
static bool
is_batch_taken(const struct zstd_offload *offload)
{
    const struct zstd_batch_parts *parts =
        &offload->parts[offload->number % ZSTD_DEVICE_BATCHES];

    return !offload->is_in_part && offload->next == parts->count;
}

/* Have the next part's content, even if it is empty. */
static enum zstd_offload_result
advance(struct zstd_offload *offload, struct decoder *decoder)
{
    const struct zstd_batch_parts *parts = parts_of(offload, offload->number);

    if (offload->batch == NULL)
        return await_batch(offload, decoder);
    if (offload->is_in_part) {
        offload->is_in_part = false;
        return end_part(offload, decoder);
    }
    if (is_batch_taken(offload)) {
        end_batch(offload);
        return ZSTD_OFFLOAD_MORE;
    }
    const struct zstd_batch_part *part = &parts->part[offload->next];
    offload->begin = part->begin;
    offload->left = offload->batch->content + part->content_at;
    offload->left_bytes = part->content;
    offload->is_in_part = true;
    return ZSTD_OFFLOAD_MORE;
}

/* SIZE bytes of what is left have been taken. */
static void
pass_left(struct zstd_offload *offload, size_t size)
{
    offload->left += size;
    offload->left_bytes -= size;
    offload->content_bytes += size;
}

/* Copy SIZE bytes of what is left to TO. */
static void
copy_left(struct zstd_offload *offload, unsigned char *to, size_t size)
{
    struct zstd_device *device = offload->device;

    pthread_mutex_lock(&device->lock);
    offload->copy = (struct zstd_offload_copy){
        .to = to, .from = offload->left, .size = size};
    if (size > SLICE_BYTES)
        wake_helpers(offload);
    else if (can_sum(offload) || can_fill(offload))
        wake_helper(offload);
    while (can_copy(offload))
        copy_slice(offload);
    while (offload->copy.copying > 0)
        zstd_device_wait(device);
    pthread_mutex_unlock(&device->lock);
    pass_left(offload, size);
}

/* Take no more: RESULT, which is not MORE, has come.  Returns it, or FAILED. */
static enum zstd_offload_result
end_taking(struct zstd_offload *offload, struct decoder *decoder,
           enum zstd_offload_result result)
{
    struct progress *progress = decoder->source->progress;
    off_t end = zstd_offload_close(offload);

    /* What has been read, and will be read again. */
    progress_add(progress, -(uint64_t)(end - offload->begin));
    if (result == ZSTD_OFFLOAD_REFUSED)
        progress_add_refused(progress);
    else if (result == ZSTD_OFFLOAD_END &&
             decoder_seek(decoder, offload->begin) < 0)
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
        size_t part = capacity - done;
        if (part > offload->left_bytes)
            part = offload->left_bytes;
        if (part == 0) {
            result = advance(offload, decoder);
            continue;
        }
        copy_left(offload, buffer + done, part);
        done += part;
    }
    *size = done;
    return result == ZSTD_OFFLOAD_MORE ? result
                                       : end_taking(offload, decoder, result);
}

/*
 * Put the SIZE bytes at FRONT in front of what is left, of which there may be
 * some already: the content before, which others may read now.  Returns false
 * if it is something else, or if there is no room.
 */
static bool
put_front(const struct zstd_offload *offload, const unsigned char *front,
          size_t size)
{
    size_t inside = (size_t)(offload->left - offload->batch->content);

    if (size > LEASE_FRONT_BYTES)
        return false;
    if (inside > size)
        inside = size;
    if (inside > 0 &&
        memcmp(offload->left - inside, front + size - inside, inside) != 0)
        return false;
    if (size > inside)
        memcpy(offload->left - size, front, size - inside);
    return true;
}

/* Begin to lend what is left, behind the SIZE bytes at FRONT.  Returns whether
   *LEASE is set. */
static bool
begin_lease(struct zstd_offload *offload, const unsigned char *front,
            size_t size, struct lease *lease)
{
    struct zstd_device *device = offload->device;

    if (!put_front(offload, front, size))
        return false;
    pthread_mutex_lock(&device->lock);
    bool is_lent = zstd_device_lend(device, lease);
    if (can_sum(offload) || can_fill(offload))
        wake_helpers(offload);
    pthread_mutex_unlock(&device->lock);
    lease->data = offload->left;
    return is_lent;
}

enum zstd_offload_result
zstd_offload_lend(struct zstd_offload *offload, struct decoder *decoder,
                  const unsigned char *front, size_t front_bytes,
                  size_t capacity, struct lease *lease)
{
    enum zstd_offload_result result = ZSTD_OFFLOAD_MORE;

    while (result == ZSTD_OFFLOAD_MORE && lease->bytes < capacity &&
           !cancel_is_asked(decoder->source->cancel)) {
        size_t part = capacity - lease->bytes;
        if (part > offload->left_bytes)
            part = offload->left_bytes;
        if (part == 0) {
            /* The next batch is elsewhere. */
            if (lease->bytes > 0 && is_batch_taken(offload))
                break;
            result = advance(offload, decoder);
            continue;
        }
        if (lease->bytes == 0 &&
            !begin_lease(offload, front, front_bytes, lease))
            break;
        pass_left(offload, part);
        lease->bytes += part;
    }
    return result == ZSTD_OFFLOAD_MORE ? result
                                       : end_taking(offload, decoder, result);
}
