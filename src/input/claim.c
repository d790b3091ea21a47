/* claim.c -- the input, range or part that each reader has claimed */

#include <stdlib.h>
#include <unistd.h>

#include "input/claim.h"

void
claim_drop_spare(struct claim *claim)
{
    decoder_close(claim->spare);
    claim->spare = NULL;
}

void
claim_list_add(struct input **list, struct input *input)
{
    input->next = *list;
    *list = input;
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

void
claim_record_failure(struct inputs *inputs, struct input *input, off_t begin,
                     struct error *failure)
{
    if (failure->status == EXIT_DONE)
        return;
    inputs->has_failed = true;
    claim_stop_sharing(inputs, input);
    if (input->range_error.status == EXIT_DONE || begin < input->error_at) {
        error_clear(&input->range_error);
        error_move(&input->range_error, failure);
        input->error_at = begin;
    }
    error_clear(failure);
}

void
claim_close_if_done(struct input *input)
{
    if (--input->readers > 0 || input->is_shared || input->is_divisible)
        return;
    /* Other users of standard input continue after the bytes read here. */
    if (input->walk != NULL)
        (void)lseek(input->content.source.fd, input->reached, SEEK_SET);
    content_close(&input->content);
    free(input->walk);
    input->walk = NULL;
}

void
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
    /* The caller drops it if another reader may wait for its memory. */
    claim->spare = content_take_decoder(content);
    if (source->error.status != EXIT_DONE) {
        inputs->has_failed = true;
        claim_drop_spare(claim);
    }
    if (source->is_part) {
        claim_record_failure(inputs, input, source->first, &source->error);
        content_close(content);
    }
    claim_close_if_done(input);
    claim->input = NULL;
}
