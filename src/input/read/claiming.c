/* SPDX-License-Identifier: MIT */
/*
 * claiming.c -- find something to claim for a reader
 *
 * Readers of many small inputs would do little but wait for the lock and wake
 * one another.  So a reader claims a batch of small inputs that follow one
 * another in the list.  Until the batch is read, these inputs are the reader's
 * own: no other reader looks at them, and the reader opens, reads and ends them
 * without the lock.
 */

#include "input/read/claiming.h"
#include "input/read/block_ranges.h"
#include "input/read/member_input.h"
#include "input/read/opening.h"
#include "input/read/parts.h"
#include "input/read/ranges.h"

/* Whether the reader of CLAIM may open a member or an input.  Under the lock.
 */
static bool
may_open(const struct inputs *inputs, const struct claim *claim)
{
    bool has_new = inputs->next_new < inputs->count;

    if (!inputs->is_per_input)
        return claim->archive != NULL || has_new;
    return inputs->unreported == NULL && inputs->opening == 0 &&
           (claim->archive != NULL || (has_new && !inputs->has_archive));
}

/* Whether a reader may open one more member that others share.  Under the
   lock. */
static bool
has_ranged_archive(const struct inputs *inputs)
{
    for (const struct claim *claim = inputs->claims; claim != NULL;
         claim = claim->next) {
        if (claim->archive != NULL && member_input_has_ranges(claim->archive))
            return true;
    }
    return false;
}

/* Whether no reader will have anything to open any more.  Under the lock. */
static bool
has_opened_all(const struct inputs *inputs)
{
    return inputs->opening == 0 && inputs->divisible == NULL &&
           !has_ranged_archive(inputs) &&
           (!inputs->is_per_input ||
            (inputs->unreported == NULL && !inputs->has_archive &&
             inputs->next_new >= inputs->count));
}

/* Wait for the report of the content that has ended.  Another track may wait
   for memory, and its input is reported before.  Under the lock, which is
   released meanwhile. */
static void
await_report(struct inputs *inputs, struct claim *claim)
{
    if (inputs->step > 1)
        claim_drop_spare(claim);
    if (!inputs->is_due)
        snapshot_gate_shut(inputs->gate);
    inputs->is_due = true;
    pthread_mutex_unlock(&inputs->lock);
    snapshot_gate_await(inputs->gate);
    pthread_mutex_lock(&inputs->lock);
}

/* How a look for something to claim ends. */
enum look {
    LOOK_FOUND,
    LOOK_BATCH,   /* of the claim */
    LOOK_NOTHING, /* for this reader or, with CLAIM->has_more, this buffer */
    LOOK_AGAIN    /* another reader may have changed something */
};

/* ---- batches ---- */

/* More inputs would save little. */
#define BATCH_INPUTS_MAX 32

/* A batch has this part of the remaining inputs, because all readers should end
   at the same time. */
#define BATCHES_LEFT 128

/* Whether some inputs may belong to a reader: nobody counts or keeps each input
   by itself, and small inputs are not cut for buffers of CAPACITY bytes. */
static bool
may_batch(const struct inputs *inputs, size_t capacity)
{
    return inputs->gate == NULL && !inputs->is_per_input &&
           !inputs->keeps_all && !inputs->sums_series &&
           capacity >= 4 * SMALL_BYTES;
}

/* Let CLAIM have a batch of the next new inputs.  Returns whether there is one.
   Under the lock. */
static bool
take_batch(struct inputs *inputs, struct claim *claim, size_t capacity)
{
    size_t first = inputs->next_new;
    size_t end = first;
    size_t most = (inputs->count - first) / BATCHES_LEFT;

    if (most > BATCH_INPUTS_MAX)
        most = BATCH_INPUTS_MAX;
    /* Failures of others are noted at the first input. */
    if (first == 0 || !may_batch(inputs, capacity))
        return false;
    while (end - first < most && inputs->slot[end].is_small)
        end++;
    if (end - first < 2)
        return false;
    inputs->next_new = end;
    claim->batch_next = first;
    claim->batch_end = end;
    return true;
}

/* Open the next input of the batch of CLAIM, and claim all of it.  Returns it,
   or NULL: none is left, or not for this buffer.  Not under the lock. */
static struct input *
take_from_batch(struct inputs *inputs, struct claim *claim, size_t capacity)
{
    struct input *input = NULL;

    while (input == NULL && claim->batch_next < claim->batch_end &&
           capacity <= inputs->chunk_bytes &&
           !cancel_is_asked(inputs->reading.cancel))
        input = opening_next_own(inputs, claim);
    if (input == NULL)
        return NULL;
    claim_start_sequence(inputs, claim, input, 0, 0);
    input->readers++;
    return input;
}

/* ---- everything else, under the lock ---- */

/* Claim a range of the first shared input. */
static enum look
look_for_range(struct inputs *inputs, struct claim *claim, size_t room,
               size_t capacity)
{
    struct input *input = inputs->shared;

    /* A range of a plain file needs no decoder, and others may wait for
       memory. */
    if (input->walk == NULL)
        claim_drop_spare(claim);
    if (ranges_claim(inputs, claim, input, room, capacity))
        return LOOK_FOUND;
    return claim->reader->has_more ? LOOK_NOTHING : LOOK_AGAIN;
}

/* Open an input: claim all of it, or let all readers claim ranges of it. */
static enum look
look_for_input(struct inputs *inputs, struct claim *claim, size_t capacity)
{
    struct input *input = opening_next(inputs, claim);

    if (input == NULL)
        return LOOK_AGAIN;
    if (ranges_are_worth(inputs, input, capacity)) {
        ranges_share(inputs, input);
        return LOOK_AGAIN;
    }
    if (block_ranges_share(inputs, claim, input))
        return LOOK_AGAIN;
    claim_start_series(inputs, claim, input, 0);
    claim_start_sequence(inputs, claim, input, 0, 0);
    input->readers++;
    parts_divide(inputs, claim, capacity);
    return LOOK_FOUND;
}

/* Returns a compressed input that no reader searches for a cut; or NULL. */
static struct input *
find_divisible(const struct inputs *inputs)
{
    struct input *input = inputs->divisible;

    while (input != NULL && input->is_searched)
        input = input->next;
    return input;
}

/* Look for something to claim.  Sets *INPUT to it. */
static enum look
look(struct inputs *inputs, struct claim *claim, size_t room, size_t capacity,
     struct input **input)
{
    /* No snapshot can be taken any more, and the input may be endless. */
    bool is_vain = inputs->gate != NULL && claim_have_failed(inputs);

    if (is_vain || cancel_is_asked(inputs->reading.cancel)) {
        member_input_await(inputs, claim);
        member_input_leave(inputs, claim);
        return LOOK_NOTHING;
    }
    if (claim_has_ended(inputs)) {
        await_report(inputs, claim);
        return LOOK_AGAIN;
    }
    *input = inputs->shared;
    if (*input != NULL)
        return look_for_range(inputs, claim, room, capacity);
    /* Others may wait for the memory of this long buffer, so do not wait
       now. */
    claim->reader->has_more = capacity > inputs->chunk_bytes;
    if (claim->reader->has_more)
        return LOOK_NOTHING;
    if (may_open(inputs, claim)) {
        if (member_input_is_read(claim)) {
            member_input_await(inputs, claim);
            return LOOK_AGAIN;
        }
        if (take_batch(inputs, claim, capacity))
            return LOOK_BATCH;
        enum look found = look_for_input(inputs, claim, capacity);
        *input = claim->input;
        return found;
    }
    *input = find_divisible(inputs);
    if (*input != NULL)
        return parts_cut(inputs, *input, claim, capacity) ? LOOK_FOUND
                                                          : LOOK_AGAIN;
    /* An input that is being opened may have ranges or parts. */
    if (has_opened_all(inputs))
        return LOOK_NOTHING;
    claim_wait(inputs, claim, &inputs->changed);
    return LOOK_AGAIN;
}

struct input *
claiming_next(struct inputs *inputs, struct claim *claim, size_t room,
              size_t capacity)
{
    struct input *input;
    enum look found;

    do {
        input = take_from_batch(inputs, claim, capacity);
        if (input != NULL)
            return input;
        pthread_mutex_lock(&inputs->lock);
        do
            found = look(inputs, claim, room, capacity, &input);
        while (found == LOOK_AGAIN);
        /* Readers that wait for the next input need not wait any longer. */
        if (inputs->is_per_input && found == LOOK_NOTHING &&
            !claim->reader->has_more)
            pthread_cond_broadcast(&inputs->changed);
        pthread_mutex_unlock(&inputs->lock);
    } while (found == LOOK_BATCH);
    return found == LOOK_FOUND ? input : NULL;
}
