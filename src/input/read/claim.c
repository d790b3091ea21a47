/* SPDX-License-Identifier: MIT */
/* claim.c -- the input, range or part that each reader has claimed */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "input/read/claim.h"

/* A reader has no memory: the first input fails. */
static void
fail_memory(struct inputs *inputs)
{
    struct input *first = inputs->slot[inputs->first].input;
    struct error failure = ERROR_NONE;

    if (first == NULL)
        return; /* the run has no inputs */
    error_set(&failure, EXIT_DATA, "%s: out of memory",
              first->content.source.display_name);
    pthread_mutex_lock(&inputs->lock);
    claim_record_failure(inputs, first, 0, &failure);
    pthread_mutex_unlock(&inputs->lock);
}

struct claim *
claim_of(struct inputs *inputs, struct input_reader *reader)
{
    if (reader->claim != NULL)
        return reader->claim;
    struct claim *claim = calloc(1, sizeof *claim);
    if (claim == NULL) {
        fail_memory(inputs);
        return NULL;
    }
    claim->reader = reader;
    reader->claim = claim;
    pthread_mutex_lock(&inputs->lock);
    claim->next = inputs->claims;
    inputs->claims = claim;
    pthread_mutex_unlock(&inputs->lock);
    return claim;
}

void
claim_free_all(struct inputs *inputs)
{
    while (inputs->claims != NULL) {
        struct claim *claim = inputs->claims;
        inputs->claims = claim->next;
        free(claim->tail);
        free(claim->deferred.bytes);
        free(claim);
    }
}

void
claim_drop_spare(struct claim *claim)
{
    decoder_close(claim->spare);
    claim->spare = NULL;
}

void
claim_lock(struct inputs *inputs, const struct input *input)
{
    if (input == NULL || !input->is_own)
        pthread_mutex_lock(&inputs->lock);
}

void
claim_unlock(struct inputs *inputs, bool is_own)
{
    if (!is_own)
        pthread_mutex_unlock(&inputs->lock);
}

void
claim_drop_left(struct inputs *inputs, struct claim *claim)
{
    struct input *left = claim->left;

    claim_drop_spare(claim);
    if (left == NULL)
        return;
    bool is_own = left->is_own;
    claim_lock(inputs, left);
    claim_hold_left(inputs, claim, NULL);
    claim_unlock(inputs, is_own);
}

void
claim_list_add(struct input **list, struct input *input)
{
    input->next = *list;
    *list = input;
}

void
claim_start_series(const struct inputs *inputs, struct claim *claim,
                   struct input *input, uint64_t start)
{
    if (inputs->sums_series)
        series_list_add(&input->series, &claim->series, start);
}

void
claim_end_series(struct claim *claim, struct input *input)
{
    if (claim->series.is_listed)
        series_list_leave(&input->series, &claim->series);
}

void
claim_start_sequence(const struct inputs *inputs, struct claim *claim,
                     struct input *input, off_t at, uint64_t records)
{
    claim->input = input;
    claim->at = at + (off_t)input->content.first_at;
    claim->records = records;
    claim->first_left = inputs->reading.first_records;
    claim->content = &input->content;
    claim->edge = CLAIM_WITHIN;
    claim->end = DECODER_NO_PAUSE;
    /* Reading a regular file does not block, so no gate must wake it. */
    if (!input->content.source.is_regular)
        input->content.source.gate = inputs->gate;
}

int
claim_keep_tail(struct claim *claim, const unsigned char *tail, size_t bytes)
{
    if (bytes == 0)
        return 0;
    claim->tail = malloc(bytes);
    if (claim->tail == NULL)
        return source_fail_memory(&claim->content->source);
    memcpy(claim->tail, tail, bytes);
    claim->tail_bytes = bytes;
    claim->reader->wanted = bytes + 1;
    return 0;
}

void
claim_keep_piece(const struct inputs *inputs, struct claim *claim,
                 const struct framing_state *state)
{
    claim->piece = *state;
    claim->reader->wanted = framing_preface_bytes(&inputs->framing) + 1;
}

size_t
claim_put_preface(const struct inputs *inputs, struct claim *claim,
                  const struct framing_state *before, unsigned char *out)
{
    size_t bytes = framing_put_preface(&inputs->framing, before, out);

    claim->reader->synthetic.bytes += bytes;
    claim->reader->synthetic.records += before->is_piece;
    return bytes;
}

size_t
claim_take_tail(const struct inputs *inputs, struct claim *claim,
                unsigned char *out)
{
    size_t bytes = claim->tail_bytes;

    claim->reader->synthetic = (struct synthetic){0};
    if (claim->piece.is_piece) {
        bytes = claim_put_preface(inputs, claim, &claim->piece, out);
        claim->piece.is_piece = false;
    } else if (bytes > 0) {
        memcpy(out, claim->tail, bytes);
    }
    free(claim->tail);
    claim->tail = NULL;
    claim->tail_bytes = 0;
    claim->reader->wanted = 0;
    return bytes;
}

void
claim_free_input(struct input *input)
{
    content_free(&input->content);
    wrong_record_unwatch(input->wrong);
    wrong_record_release(input->wrong);
    identity_close(&input->identity);
    error_clear(&input->range_error);
    free(input->walk);
    free(input);
}

/* Whether messages need more of INPUT than a slot holds. */
static bool
must_stay(const struct input *input)
{
    const struct content *content = &input->content;

    return content->source.error.status != EXIT_DONE ||
           input->range_error.status != EXIT_DONE || input->dropped_bytes > 0 ||
           content->seems != NULL || content->kept != NULL ||
           (input->is_exhausted && content->start_bytes > 0);
}

void
claim_drop_input(struct inputs *inputs, struct input *input)
{
    struct input_slot *slot = &inputs->slot[input->number];

    if (!input->is_done || input->readers > 0 || input->holders > 0 ||
        input->is_shared || input->is_divisible ||
        inputs->unreported == input || inputs->keeps_all ||
        input->number == inputs->first)
        return;
    if (must_stay(input))
        return;
    enum guess guess = guess_of(&input->content.sniff);
    /* An earlier struct of this input, for its header alone, may have been
       freed. */
    if (guess != GUESS_NONE)
        slot->guess = guess;
    slot->is_text |= content_is_text(&input->content);
    slot->is_unlined |= content_is_unlined(&input->content);
    slot->lacks_end_mark |= input->lacks_end_mark;
    slot->is_exhausted = true;
    slot->input = NULL;
    claim_free_input(input);
}

void
claim_end_input(struct inputs *inputs, struct input *input)
{
    input->is_done = true;
    claim_drop_input(inputs, input);
}

void
claim_hold_left(struct inputs *inputs, struct claim *claim, struct input *input)
{
    struct input *before = claim->left;

    if (input != NULL)
        input->holders++;
    claim->left = input;
    if (before == NULL)
        return;
    before->holders--;
    claim_drop_input(inputs, before);
}

static void
list_remove(struct input **list, const struct input *input)
{
    while (*list != input)
        list = &(*list)->next;
    *list = input->next;
}

void
claim_stop_sharing(struct inputs *inputs, struct input *input)
{
    if (input->is_shared)
        list_remove(&inputs->shared, input);
    input->is_shared = false;
}

void
claim_stop_dividing(struct inputs *inputs, struct input *input)
{
    if (!input->is_divisible)
        return;
    list_remove(&inputs->divisible, input);
    input->is_divisible = false;
    pthread_cond_broadcast(&inputs->changed);
    pthread_cond_broadcast(&inputs->nearer);
}

void
claim_wait(struct inputs *inputs, struct claim *claim, pthread_cond_t *cond)
{
    claim_drop_spare(claim);
    atomic_fetch_add(&inputs->waiting, 1);
    pthread_cond_wait(cond, &inputs->lock);
    atomic_fetch_sub(&inputs->waiting, 1);
}

static bool
is_first_failure(const struct input *input, off_t start)
{
    return input->range_error.status == EXIT_DONE || start < input->error_at;
}

void
claim_record_failure(struct inputs *inputs, struct input *input, off_t start,
                     struct error *failure)
{
    if (failure->status == EXIT_DONE)
        return;
    inputs->has_failed = true;
    claim_stop_sharing(inputs, input);
    if (is_first_failure(input, start)) {
        error_clear(&input->range_error);
        error_move(&input->range_error, failure);
        input->error_at = start;
        input->is_too_long = false;
    }
    error_clear(failure);
}

void
claim_give_up(struct inputs *inputs, struct input *input)
{
    claim_stop_sharing(inputs, input);
    input->readers++;
    claim_close_if_done(inputs, input);
}

/* As claim_close_if_done(), but returns the descriptor for the caller to close;
   or -1: there is none. */
static int
release_if_done(struct inputs *inputs, struct input *input)
{
    if (--input->readers > 0 || input->is_shared || input->is_divisible)
        return -1;
    /* The reader of a file of arrays may go on to the next array. */
    if (input->members != NULL)
        pthread_cond_broadcast(&inputs->changed);
    if (input->is_too_long) {
        /* All earlier parts are read, so the offset of the record is known. */
        error_clear(&input->range_error);
        framing_fail_long(&inputs->framing, input->content.source.display_name,
                          input->failed.bytes_before + (uint64_t)input->long_at,
                          0, NULL, inputs->record_max, &input->range_error);
    }
    /* Other users of standard input continue after the bytes read here. */
    if (input->walk != NULL)
        (void)lseek(input->content.source.fd, input->reached, SEEK_SET);
    if (input->range_error.status == EXIT_DONE)
        source_identify(&input->content.source);
    int fd = content_release(&input->content);
    wrong_record_unwatch(input->wrong);
    range_order_end(&input->order);
    if (inputs->sums_series)
        series_total_add(&inputs->series, &input->series.before);
    input->series = (struct series_list){0};
    free(input->walk);
    input->walk = NULL;
    claim_end_input(inputs, input);
    return fd;
}

void
claim_close_if_done(struct inputs *inputs, struct input *input)
{
    int fd = release_if_done(inputs, input);

    if (fd >= 0)
        close(fd);
}

void
claim_add_rank(struct part_rank *rank, struct part_rank *last)
{
    *rank = (struct part_rank){.previous = last};
    if (last != NULL)
        last->next = rank;
}

/* RANK leaves its size to the next part and is in no order. */
static void
leave_rank(struct part_rank *rank)
{
    if (rank->previous != NULL)
        rank->previous->next = rank->next;
    if (rank->next != NULL) {
        rank->next->previous = rank->previous;
        rank->next->bytes_before += rank->bytes_before + rank->bytes;
    }
    *rank = (struct part_rank){0};
}

/* HEIR takes the rank of RANK, which is in no order then. */
static void
replace_rank(struct part_rank *rank, struct part_rank *heir)
{
    *heir = *rank;
    if (heir->previous != NULL)
        heir->previous->next = heir;
    if (heir->next != NULL)
        heir->next->previous = heir;
    *rank = (struct part_rank){0};
}

/* The reader of CLAIM has finished its part. */
static void
leave_part(struct inputs *inputs, struct claim *claim)
{
    struct input *input = claim->input;
    struct source *source = &claim->part.source;
    bool has_failed = source->error.status != EXIT_DONE &&
                      is_first_failure(input, source->first);

    claim_record_failure(inputs, input, source->first, &source->error);
    if (has_failed) {
        leave_rank(&input->failed);
        replace_rank(&claim->rank, &input->failed);
        input->is_too_long = claim->is_too_long;
        input->long_at = claim->at;
    }
    content_close(&claim->part);
}

int
claim_leave(struct inputs *inputs, struct claim *claim)
{
    struct input *input = claim->input;
    struct content *content = claim->content;
    struct source *source = &content->source;

    if (input->last == claim) {
        claim_stop_dividing(inputs, input);
        input->last = NULL;
        input->reached = source->offset;
    }
    /* The caller drops the spare decoder if another reader may wait for
       memory. */
    claim->spare = content_take_decoder(content);
    if (claim->spare != NULL && claim->spare->lacks_end_mark)
        input->lacks_end_mark = true;
    /* Most contents have none, and the readers share the sum. */
    if (content->comments.count > 0)
        atomic_fetch_add(&inputs->left_out_comments, content->comments.count);
    content->comments.count = 0;
    if (source->error.status != EXIT_DONE) {
        inputs->has_failed = true;
        claim_drop_spare(claim);
    }
    /* Helpers of a decoder that was stopped early may still read the source,
       whose file is closed now. */
    if (claim->spare != NULL &&
        (source_is_cut_short(source) ||
         !(claim->spare->source_has_ended || claim->spare->is_paused)))
        claim_drop_spare(claim);
    if (content == &claim->part)
        leave_part(inputs, claim);
    leave_rank(&claim->rank);
    claim_end_series(claim, input);
    claim_hold_left(inputs, claim, claim->spare != NULL ? input : NULL);
    int fd = release_if_done(inputs, input);
    claim->input = NULL;
    claim->is_placed = false;
    return fd;
}

/* Returns the number of the content of INPUT that CLAIM reads: see
   wrong_record.h.  Ranges have the number 0, or that of a member. */
static uint64_t
content_number(const struct claim *claim, const struct input *input)
{
    if (input->members != NULL)
        return input->members->count;
    return claim->input == NULL ? 0 : (uint64_t)claim->content->source.first;
}

void
claim_note_origin(const struct claim *claim, struct input *input, size_t start,
                  size_t synthetic, off_t at, uint64_t records)
{
    if (claim->reader->origins == NULL)
        return;
    origins_add(claim->reader->origins,
                (struct origin){
                    .start = start,
                    .at = (uint64_t)at,
                    .is_part = claim->input != NULL &&
                               claim->content == &claim->part &&
                               !claim->is_placed,
                    .synthetic = synthetic,
                    .records = records,
                    .content = content_number(claim, input),
                    .wrong = input->wrong,
                },
                input->content.source.display_name);
}

bool
claim_is_wrong(const struct claim *claim)
{
    return wrong_record_ends_content(claim->input->wrong,
                                     content_number(claim, claim->input));
}

bool
claim_have_failed(const struct inputs *inputs)
{
    return inputs->has_failed || atomic_load(&inputs->wrongs.has_any);
}

bool
claim_has_ended(const struct inputs *inputs)
{
    const struct input *input = inputs->unreported;

    return input != NULL && input->readers == 0 && !input->is_shared &&
           !input->is_divisible;
}
