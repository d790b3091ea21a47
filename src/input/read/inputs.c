/* SPDX-License-Identifier: MIT */
/* inputs.c -- distributes the inputs of a run among the readers */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "input/read/claim.h"
#include "input/read/input_slots.h"
#include "input/read/inputs.h"
#include "input/read/member_input.h"
#include "input/read/shard_cut.h"

/* Open what INPUTS, also a track, do not share. */
static void
open_own(struct inputs *inputs)
{
    wrong_records_open(&inputs->wrongs);
    pthread_mutex_init(&inputs->lock, NULL);
    pthread_cond_init(&inputs->changed, NULL);
    pthread_cond_init(&inputs->nearer, NULL);
}

static void
close_own(struct inputs *inputs)
{
    wrong_records_close(&inputs->wrongs);
    pthread_mutex_destroy(&inputs->lock);
    pthread_cond_destroy(&inputs->changed);
    pthread_cond_destroy(&inputs->nearer);
}

int
inputs_open(struct inputs *inputs, char *const *paths, size_t count,
            const struct reading *reading, struct budget *budget,
            struct error *error)
{
    *inputs = (struct inputs){.paths = paths,
                              .count = paths != NULL ? count : 1,
                              .may_repeat = true,
                              .step = 1,
                              .reading = *reading,
                              .framing = framing_make_fixed(1, false),
                              .chunk_bytes = SIZE_MAX,
                              .budget = budget};
    open_own(inputs);
    int result = input_slots_open(inputs, error);
    if (result == 0 && reading->shard.count != 0)
        result = shard_cut_start(inputs, error);
    if (result < 0)
        inputs_close(inputs);
    return result;
}

size_t
inputs_name_bytes(void)
{
    return sizeof(char *) + sizeof(struct input_slot);
}

void
inputs_set_gate(struct inputs *inputs, struct snapshot_gate *gate)
{
    inputs->gate = gate;
    inputs->wrongs.end_all = true;
    snapshot_gate_enter(gate);
    snapshot_gate_leave(gate, (size_t)atomic_load(&inputs->start_bytes));
}

/* ---- inputs one after the other ---- */

char *
inputs_unreported(struct inputs *inputs, uint64_t *start_bytes)
{
    char *name;

    pthread_mutex_lock(&inputs->lock);
    const struct input *input = inputs->unreported;
    const struct source *source = &input->content.source;
    /* The name of a member in messages starts with its archive's name. */
    const char *member =
        input->name == NULL ? "" : source->display_name + strlen(input->name);
    if (asprintf(&name, "%s%s", source->path != NULL ? source->path : "-",
                 member) < 0)
        name = NULL;
    *start_bytes = input->span.has_start ? input->content.start_bytes : 0;
    pthread_mutex_unlock(&inputs->lock);
    return name;
}

bool
inputs_have_read_one(struct inputs *inputs)
{
    pthread_mutex_lock(&inputs->lock);
    bool has_one = claim_has_ended(inputs);
    pthread_mutex_unlock(&inputs->lock);
    return has_one;
}

unsigned int
inputs_idle_readers(struct inputs *inputs)
{
    unsigned int waiting = atomic_load(&inputs->waiting);

    if (waiting == 0)
        return 0;
    pthread_mutex_lock(&inputs->lock);
    bool has_ranges = inputs->shared != NULL;
    pthread_mutex_unlock(&inputs->lock);
    return has_ranges ? 0 : waiting;
}

void
inputs_end_report(struct inputs *inputs)
{
    pthread_mutex_lock(&inputs->lock);
    struct input *input = inputs->unreported;
    inputs->unreported = NULL;
    if (input != NULL)
        claim_drop_input(inputs, input);
    pthread_cond_broadcast(&inputs->changed);
    inputs->is_due = false;
    atomic_store(&inputs->zero_records, 0);
    inputs->series = (struct series_total){0};
    pthread_mutex_unlock(&inputs->lock);
}

struct series_total
inputs_series(struct inputs *inputs)
{
    struct series series;

    pthread_mutex_lock(&inputs->lock);
    struct series_total total = inputs->series;
    for (size_t i = inputs->first; inputs->sums_series && i < inputs->next_new;
         i += inputs->step) {
        const struct input *input = inputs->slot[i].input;
        if (input == NULL)
            continue;
        series_list_join(&input->series, &series);
        series_total_add(&total, &series);
    }
    pthread_mutex_unlock(&inputs->lock);
    return total;
}

/* ---- tracks ---- */

bool
inputs_may_have_tracks(const struct inputs *inputs)
{
    const struct reading *reading = &inputs->reading;

    return inputs->may_repeat && !inputs->keeps_all && !reading->is_image &&
           !reading->is_npy && reading->copies == NULL;
}

int
inputs_open_track(struct inputs *track, const struct inputs *inputs,
                  size_t first)
{
    *track = (struct inputs){.paths = inputs->paths,
                             .count = inputs->count,
                             .may_repeat = inputs->may_repeat,
                             .reading = inputs->reading,
                             .framing = inputs->framing,
                             .chunk_bytes = inputs->chunk_bytes,
                             .record_max = inputs->record_max,
                             .budget = inputs->budget,
                             .is_per_input = true,
                             .slot = inputs->slot,
                             .first = first,
                             .next_new = first};
    open_own(track);
    pthread_mutex_lock(&track->lock);
    return input_slot_make(track, first) != NULL ? 0 : -1;
}

void
inputs_start_track(struct inputs *track, size_t step)
{
    track->step = step;
    /* Some may have been opened for a header. */
    for (size_t i = track->first; i < track->count; i += step) {
        if (track->slot[i].input != NULL)
            track->slot[i].input->wrong->all = &track->wrongs;
    }
    pthread_mutex_unlock(&track->lock);
}

void
inputs_stop_track(struct inputs *track)
{
    /* A reader looks at this before it shuts the gate, under the lock, too. */
    pthread_mutex_lock(&track->lock);
    track->has_failed = true;
    pthread_cond_broadcast(&track->changed);
    pthread_cond_broadcast(&track->nearer);
    pthread_mutex_unlock(&track->lock);
    snapshot_gate_reopen(track->gate);
}

void
inputs_end_at_track(struct inputs *inputs, const struct inputs *track,
                    size_t count)
{
    input_slots_cut(inputs, count);
    inputs->wrongs.first = track->wrongs.first;
    inputs->wrongs.end_all = true;
    atomic_store(&inputs->wrongs.has_any, atomic_load(&track->wrongs.has_any));
    inputs->has_failed = track->has_failed;
}

void
inputs_close_track(struct inputs *track)
{
    claim_free_all(track);
    close_own(track);
}

/* ---- readers that come and go ---- */

void
inputs_leave(struct inputs *inputs, struct input_reader *reader)
{
    struct claim *claim = reader->claim;

    if (claim == NULL)
        return;
    int fd = -1;
    pthread_mutex_lock(&inputs->lock);
    if (claim->input != NULL)
        fd = claim_leave(inputs, claim);
    member_input_await(inputs, claim);
    member_input_leave(inputs, claim);
    claim_drop_spare(claim);
    claim_hold_left(inputs, claim, NULL);
    pthread_cond_broadcast(&inputs->changed);
    pthread_mutex_unlock(&inputs->lock);
    if (fd >= 0)
        close(fd);
}

bool
inputs_want_reader(struct inputs *inputs, const struct input_reader *reader)
{
    const struct claim *claim = reader->claim;
    bool decodes = claim != NULL && claim->input != NULL &&
                   (claim->content->decoder != NULL || claim->archive != NULL);

    pthread_mutex_lock(&inputs->lock);
    bool wants =
        decodes && !inputs->is_per_input && inputs->next_new < inputs->count;
    for (const struct input *input = inputs->divisible; input != NULL;
         input = input->next)
        wants |= decodes && !input->is_searched;
    for (const struct input *input = inputs->shared; input != NULL;
         input = input->next)
        wants |= input->walk != NULL;
    pthread_mutex_unlock(&inputs->lock);
    return wants;
}

bool
inputs_have_failed(struct inputs *inputs)
{
    pthread_mutex_lock(&inputs->lock);
    bool any_failed = claim_have_failed(inputs);
    pthread_mutex_unlock(&inputs->lock);
    return any_failed;
}

/* Whether a part of INPUT before its wrong record cannot be read. */
static bool
is_after_failure(const struct input *input)
{
    const struct source *source = &input->content.source;
    uint64_t content = input->wrong->content;

    if (input->name != NULL)
        return false;
    return (source->error.status != EXIT_DONE &&
            content > (uint64_t)source->first) ||
           (input->range_error.status != EXIT_DONE &&
            content > (uint64_t)input->error_at);
}

const struct error *
inputs_error(const struct inputs *inputs, size_t i)
{
    static const struct error none = {EXIT_DONE, NULL};
    const struct input *input = inputs->slot[i].input;
    const struct wrong_record *wrong = inputs->slot[i].wrong;
    const struct wrong_record *first = inputs->wrongs.first;

    /* If one error ends all inputs, other findings depend on chance. */
    if (inputs->wrongs.end_all && first != NULL)
        return first->input == i ? &first->error : &none;
    /* Counted records come before everything unreadable, unless an earlier part
       of a file is damaged. */
    if (wrong != NULL && (input == NULL || !is_after_failure(input)))
        return &wrong->error;
    if (input == NULL)
        return &none;
    return input->content.source.error.status != EXIT_DONE
               ? &input->content.source.error
               : &input->range_error;
}

void
inputs_close(struct inputs *inputs)
{
    claim_free_all(inputs);
    input_slots_close(inputs);
    free(inputs->header_name);
    close_own(inputs);
}
