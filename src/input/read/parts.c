/* SPDX-License-Identifier: MIT */
/* parts.c -- decode the parts of a compressed file in parallel */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "input/read/parts.h"

/* Limits in compressed bytes.  Finding shorter parts takes longer than decoding
   them.  If a walk is too far ahead, an uncached file is read twice. */
#define PART_BYTES_MIN(capacity) ((off_t)(capacity) / 8 + 1)
#define AHEAD_BYTES_MAX(capacity) ((off_t)(capacity)*32)

/* Whether INPUT may be cut: not if offsets in the content matter, nor if the
   start of a record of text cannot be found. */
static bool
may_divide(const struct inputs *inputs, const struct input *input,
           size_t capacity)
{
    const struct content *content = &input->content;
    const struct source *source = &content->source;

    return content_has_parts(content) && source->is_regular &&
           !inputs->reading.is_image && !inputs->reading.is_npy &&
           (inputs->reading.text == NULL ||
            framing_is_local(&inputs->framing)) &&
           reading_is_whole(&inputs->reading) &&
           source->size - source->first > 2 * PART_BYTES_MIN(capacity);
}

/* Returns where the decoder of CLAIM, the last part of its input, pauses. */
static off_t
pause_of_last(const struct claim *claim)
{
    return claim->kept_to < claim->end ? claim->kept_to : claim->end;
}

/* Make CLAIM the last part of INPUT, from START on.  Under the lock. */
static void
start_part(struct input *input, struct claim *claim, off_t start,
           size_t capacity)
{
    claim_add_rank(&claim->rank,
                   input->last != NULL ? &input->last->rank : NULL);
    claim->is_too_long = false;
    claim->end = input->parts_end;
    claim->reached = start;
    claim->kept_to = start + PART_BYTES_MIN(capacity);
    if (claim->content->decoder != NULL)
        claim->content->decoder->pause_at = pause_of_last(claim);
    input->last = claim;
}

/* The reader of CLAIM has the shard's first part of INPUT, opened by
   shard_cut_limit().  Under the lock. */
static void
start_shard(struct inputs *inputs, struct claim *claim, size_t capacity)
{
    struct input *input = claim->input;
    const struct decoder_walk *walk = input->walk;

    if (claim->part.decoder != NULL)
        claim->content = &claim->part;
    if (!input->span.has_start)
        claim->at = 0;
    start_part(input, claim, decoder_offset(claim->content->decoder), capacity);
    claim->rank.bytes = (uint64_t)claim->at;
    if (!input->span.has_start && walk->is_sized)
        claim->rank.bytes_before = walk->content_bytes;
    claim->edge = !input->span.has_start && framing_is_local(&inputs->framing)
                      ? CLAIM_BEFORE
                      : CLAIM_WITHIN;
    input->is_divisible = true;
    claim_list_add(&inputs->divisible, input);
}

/* Whether DECODER, which wants all following parts, gets them.  If it has to
   wait, the reader of CLAIM does other work. */
static bool
await_remainder(struct inputs *inputs, const struct claim *claim,
                struct decoder *decoder)
{
    enum decoder_remainder remainder;

    atomic_fetch_add(&inputs->waiting, 1);
    while ((remainder = decoder_take_remainder(decoder)) ==
           DECODER_REMAINDER_BUSY) {
        if (claim->reader->help == NULL ||
            !claim->reader->help(claim->reader->helper))
            decoder_wait_for_remainder(decoder);
    }
    atomic_fetch_sub(&inputs->waiting, 1);
    return remainder == DECODER_REMAINDER_TAKEN;
}

bool
parts_are_taken(struct inputs *inputs, const struct claim *claim,
                struct decoder *decoder)
{
    /* A device may be starting. */
    inputs->opening++;
    pthread_mutex_unlock(&inputs->lock);
    bool are_taken = decoder_wants_remainder(decoder) &&
                     await_remainder(inputs, claim, decoder);
    pthread_mutex_lock(&inputs->lock);
    inputs->opening--;
    pthread_cond_broadcast(&inputs->changed);
    return are_taken;
}

void
parts_divide(struct inputs *inputs, struct claim *claim, size_t capacity)
{
    struct input *input = claim->input;
    const struct source *source = &claim->content->source;

    if (input->walk != NULL) {
        start_shard(inputs, claim, capacity);
        return;
    }
    if (!may_divide(inputs, input, capacity))
        return;
    /* The walk through an xz file reads its index, which may be long; a device
       may be starting. */
    inputs->opening++;
    pthread_mutex_unlock(&inputs->lock);
    struct decoder *decoder = claim->content->decoder;
    struct decoder_walk *walk =
        decoder_wants_remainder(decoder) &&
                await_remainder(inputs, claim, decoder)
            ? NULL
            : decoder_walk_open(decoder->type, source->fd, source->first);
    pthread_mutex_lock(&inputs->lock);
    inputs->opening--;
    pthread_cond_broadcast(&inputs->changed);
    if (walk == NULL ||
        (!walk->is_sized && !framing_may_part_at(&inputs->framing, false, 0))) {
        free(walk);
        return; /* one reader reads the whole input */
    }
    input->walk = walk;
    decoder_start_part(claim->content->decoder, input->walk);
    /* A header may have been read. */
    start_part(input, claim, decoder_offset(claim->content->decoder), capacity);
    claim->edge = CLAIM_WITHIN;
    claim->rank.bytes = (uint64_t)claim->at;
    input->is_divisible = true;
    claim_list_add(&inputs->divisible, input);
}

/* Walk to a place at or after FROM where a part starts and another reader may
   go on.  Returns false without such a place before UNTIL. */
static bool
walk_to_cut(struct decoder_walk *walk, off_t from, off_t until,
            const struct framing *framing)
{
    const struct decoder_type *type = walk->type;

    for (;;) {
        if (walk->offset >= from &&
            framing_may_part_at(framing, walk->is_sized, walk->content_bytes) &&
            type->walk_is_at_part(walk))
            return true;
        if (walk->offset >= until || type->walk_step(walk) < 0 ||
            (!walk->is_sized && !framing_may_part_at(framing, false, 0)))
            return false;
    }
}

/*
 * Find where to cut the last part of INPUT.  Returns true: at the offset of
 * INPUT->walk.  Under the lock, which is released meanwhile.
 */
static bool
find_cut(struct inputs *inputs, struct input *input, struct claim *claim,
         size_t capacity)
{
    struct decoder_walk *walk = input->walk;

    while (input->is_divisible) {
        off_t from = input->last->kept_to;
        off_t until = input->last->reached + AHEAD_BYTES_MAX(capacity);

        pthread_mutex_unlock(&inputs->lock);
        bool found = walk_to_cut(walk, from, until, &inputs->framing);
        pthread_mutex_lock(&inputs->lock);
        if (!input->is_divisible)
            break;
        if ((found && walk->offset >= input->parts_end) ||
            (!found && walk->offset < until))
            break;
        if (found && walk->offset >= input->last->kept_to)
            return true;
        input->is_ahead = !found;
        while (input->is_ahead && input->is_divisible)
            claim_wait(inputs, claim, &inputs->nearer);
    }
    return false;
}

bool
parts_cut(struct inputs *inputs, struct input *input, struct claim *claim,
          size_t capacity)
{
    input->is_searched = true;
    input->readers++;
    bool found = !wrong_record_ends(input->wrong) &&
                 find_cut(inputs, input, claim, capacity);
    input->is_searched = false;
    if (!found) {
        claim_stop_dividing(inputs, input);
        claim_close_if_done(inputs, input);
        return false;
    }
    off_t start = input->walk->offset;
    claim->input = input;
    claim->content = &claim->part;
    int opened =
        content_open_part(&claim->part, &input->content, input->walk->type,
                          start, inputs->budget, &claim->spare);
    if (opened == 0)
        decoder_start_part(claim->part.decoder, input->walk);
    input->last->end = start;
    start_part(input, claim, start, capacity);
    claim_start_series(inputs, claim, input,
                       input->walk->is_sized ? input->walk->content_bytes
                                             : SERIES_UNPLACED);
    claim->at = 0;
    claim->edge =
        framing_is_local(&inputs->framing) ? CLAIM_BEFORE : CLAIM_WITHIN;
    pthread_cond_broadcast(&inputs->changed);
    int fd = opened < 0 ? claim_leave(inputs, claim) : -1;
    if (fd >= 0)
        close(fd);
    return opened == 0;
}

/*
 * Whether the reader of CLAIM gets the remaining input: it has the last part,
 * and its decoder wants the rest.  Under the lock, which is released meanwhile.
 */
static bool
take_remainder(struct inputs *inputs, struct claim *claim, size_t capacity)
{
    struct input *input = claim->input;
    struct decoder *decoder = claim->content->decoder;

    /* Others may wait for the memory of this long buffer. */
    if (!input->is_divisible || input->last != claim ||
        decoder->pause_at >= claim->end || capacity > inputs->chunk_bytes ||
        !decoder_wants_remainder(decoder))
        return false;
    claim_stop_dividing(inputs, input);
    pthread_mutex_unlock(&inputs->lock);
    bool has_remainder = await_remainder(inputs, claim, decoder);
    pthread_mutex_lock(&inputs->lock);
    if (has_remainder)
        return true;
    input->is_divisible = true;
    claim_list_add(&inputs->divisible, input);
    pthread_cond_broadcast(&inputs->changed);
    return false;
}

bool
parts_pass_pause(struct inputs *inputs, struct claim *claim, size_t capacity)
{
    struct decoder *decoder = claim->content->decoder;
    off_t offset = decoder->pause_at;

    pthread_mutex_lock(&inputs->lock);
    bool has_remainder = take_remainder(inputs, claim, capacity);
    bool goes_on = offset < claim->end;
    if (goes_on) {
        claim->kept_to =
            has_remainder ? claim->end : offset + PART_BYTES_MIN(capacity);
        decoder->pause_at =
            claim->input->last == claim ? pause_of_last(claim) : claim->end;
    } else if (offset == claim->end && claim->edge == CLAIM_WITHIN &&
               framing_is_local(&inputs->framing)) {
        claim->edge = CLAIM_AFTER;
        decoder->pause_at = DECODER_NO_PAUSE;
        decoder->is_finishing = true;
        goes_on = true;
    }
    pthread_mutex_unlock(&inputs->lock);
    return goes_on;
}

size_t
parts_take(const struct inputs *inputs, struct claim *claim,
           unsigned char *data, size_t size)
{
    if (claim->edge == CLAIM_AFTER) {
        size_t end = framing_first(&inputs->framing, data, size);
        if (end > 0)
            claim->edge = CLAIM_DONE;
        return end > 0 ? end : size;
    }
    claim->rank.bytes += size;
    if (claim->edge == CLAIM_WITHIN)
        return size;
    size_t start = framing_first(&inputs->framing, data, size);
    if (start > 0)
        claim->edge = CLAIM_WITHIN;
    else
        start = size;
    claim->at += (off_t)start;
    memmove(data, data + start, size - start);
    return size - start;
}

void
parts_note_progress(struct inputs *inputs, struct claim *claim, size_t capacity)
{
    struct input *input = claim->input;

    pthread_mutex_lock(&inputs->lock);
    claim->reached = claim->content->source.offset;
    /* The searching reader continues when half of its lead is gone. */
    if (input->is_ahead && input->last == claim &&
        input->walk->offset - claim->reached < AHEAD_BYTES_MAX(capacity) / 2) {
        input->is_ahead = false;
        pthread_cond_broadcast(&inputs->nearer);
    }
    pthread_mutex_unlock(&inputs->lock);
}
