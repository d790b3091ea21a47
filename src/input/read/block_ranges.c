/* SPDX-License-Identifier: MIT */
/* block_ranges.c -- the blocks of a compressed file as ranges of its content */

#include <stdlib.h>

#include "input/read/block_ranges.h"
#include "input/read/parts.h"

/* Content of a range that fits into a core's cache. */
#define RANGE_BYTES ((size_t)512 << 10)

/* The longest content of a block, with a byte more. */
#define ROOM_MIN (((size_t)64 << 10) + 1)

/* Smaller files do not gain from a second reader. */
#define SHARED_BYTES_MIN ((off_t)128 << 10)

/* Whether INPUT may have ranges, if it has blocks. */
static bool
is_worth(const struct inputs *inputs, const struct input *input)
{
    const struct content *content = &input->content;
    const struct source *source = &content->source;

    return framing_cuts_anywhere(&inputs->framing) && inputs->gate == NULL &&
           content_has_parts(content) &&
           content->decoder->type->part_bytes > 0 && source->is_regular &&
           reading_is_whole(&inputs->reading) && content->start_bytes == 0 &&
           inputs->chunk_bytes >= 2 * ROOM_MIN &&
           source->size - source->first >= SHARED_BYTES_MIN;
}

bool
block_ranges_share(struct inputs *inputs, struct claim *claim,
                   struct input *input)
{
    const struct source *source = &input->content.source;

    if (!is_worth(inputs, input) ||
        parts_are_taken(inputs, claim, input->content.decoder))
        return false;
    struct decoder_walk *walk = decoder_walk_open(input->content.decoder->type,
                                                  source->fd, source->first);
    if (walk == NULL || !walk->type->walk_is_at_part(walk)) {
        free(walk);
        return false;
    }
    claim->spare = content_take_decoder(&input->content);
    claim_hold_left(inputs, claim, input);
    input->walk = walk;
    input->next_content = 0;
    input->ranges_end = source->size;
    input->is_shared = true;
    range_order_start(&input->order, &inputs->framing, inputs->record_max, 0,
                      true);
    claim_list_add(&inputs->shared, input);
    return true;
}

/*
 * Open a decoder for the blocks of INPUT from START on and reserve its memory,
 * because a decoder must not wait for memory while other readers wait for the
 * range.  Returns whether the memory was reserved without a wait.
 */
static bool
open_decoder(struct inputs *inputs, struct claim *claim, struct input *input,
             off_t start)
{
    const struct decoder_type *type = input->walk->type;

    if (content_open_part(&claim->part, &input->content, type, start,
                          inputs->budget, &claim->spare) < 0)
        return true; /* reading will report it */
    struct decoder *decoder = claim->part.decoder;
    if (decoder->reserved > 0)
        return true;
    if (budget_try(inputs->budget, type->part_bytes)) {
        decoder->reserved = type->part_bytes;
        return true;
    }
    content_close(&claim->part);
    input->holders++;
    pthread_mutex_unlock(&inputs->lock);
    /* If the budget can never have so much, the decoder will report it. */
    bool is_possible = budget_take(inputs->budget, type->part_bytes);
    if (is_possible)
        budget_return(inputs->budget, type->part_bytes);
    pthread_mutex_lock(&inputs->lock);
    input->holders--;
    if (is_possible)
        claim_drop_input(inputs, input);
    return !is_possible;
}

bool
block_ranges_claim(struct inputs *inputs, struct claim *claim,
                   struct input *input, size_t room)
{
    struct decoder_walk *walk = input->walk;
    size_t most = room < RANGE_BYTES ? room - 1 : RANGE_BYTES;
    uint64_t start = input->next_content;
    uint64_t end = start;
    bool is_last = false;

    if (room < ROOM_MIN) {
        claim->reader->has_more = true;
        return false;
    }
    if (!open_decoder(inputs, claim, input, input->next_range))
        return false;
    claim->part_end = input->next_range;
    while (!is_last && walk->content_bytes - start <= most) {
        end = walk->content_bytes;
        claim->part_end = walk->offset;
        is_last = walk->type->walk_step(walk) < 0;
    }
    /* A block that claims to be longer than the format allows. */
    is_last |= claim->part_end == input->next_range;
    if (end > start)
        identity_note_content(&input->identity);
    input->next_range = claim->part_end;
    input->next_content = end;
    if (is_last)
        claim_stop_sharing(inputs, input);
    else if (claim->part.decoder != NULL)
        claim->part.decoder->pause_at = claim->part_end;
    input->readers++;
    range_order_add(&input->order, &claim->range, (off_t)start, (off_t)end,
                    false);
    claim->range.is_last = is_last;
    return true;
}

int
block_ranges_read(struct claim *claim, unsigned char *data,
                  struct error *failure)
{
    const struct range *range = &claim->range;
    struct content *part = &claim->part;
    struct source *source = &part->source;
    size_t size = (size_t)(range->end - range->start);
    ssize_t got = -1;

    if (part->decoder != NULL && range->is_last)
        return 0;
    /* A byte more, so that the end of the last block is read, too. */
    if (part->decoder != NULL)
        got = content_read(part, data, size + 1);
    if (got >= 0 && !source_is_cut_short(source) &&
        ((size_t)got != size || !part->decoder->is_paused ||
         part->decoder->pause_at != claim->part_end))
        error_set(&source->error, EXIT_DATA,
                  "%s: changed before byte %lld while it was read",
                  source->display_name, (long long)claim->part_end);
    error_move(failure, &source->error);
    if (got >= 0 && failure->status == EXIT_DONE &&
        !source_is_cut_short(source))
        claim->spare = content_take_decoder(part);
    content_close(part);
    return (size_t)got == size && failure->status == EXIT_DONE ? 0 : -1;
}

void
block_ranges_go_on_long(struct inputs *inputs, struct claim *claim,
                        struct input *input, unsigned char *head)
{
    off_t at = claim->at;
    uint64_t records = claim->records;

    pthread_mutex_lock(&inputs->lock);
    claim_stop_sharing(inputs, input);
    while (!open_decoder(inputs, claim, input, claim->part_end))
        ;
    pthread_mutex_unlock(&inputs->lock);
    claim_start_sequence(inputs, claim, input, at, records);
    claim->content = &claim->part;
    claim->is_placed = true;
    claim->tail = head;
    claim->tail_bytes = claim->long_head;
    claim->reader->wanted = claim->long_head + 1;
    input->last = claim;
}

void
block_ranges_go_on(const struct inputs *inputs, struct claim *claim,
                   struct input *input)
{
    struct range_edge *before = &claim->range.before;

    claim_start_sequence(inputs, claim, input, before->open,
                         before->state.records);
    claim->content = &claim->part;
    claim->is_placed = true;
    claim->tail = before->tail;
    claim->tail_bytes = before->tail_bytes;
    claim->reader->wanted = before->tail_bytes + 1;
    before->tail = NULL;
    if (before->state.is_piece)
        claim_keep_piece(inputs, claim, &before->state);
    input->last = claim;
}
