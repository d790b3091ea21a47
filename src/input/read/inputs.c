/* inputs.c -- distributes the inputs of a run among the readers */

#include <stdlib.h>
#include <string.h>

#include "hist/key_table.h"
#include "input/framing/fixed_framing.h"
#include "input/read/block_ranges.h"
#include "input/read/input_slots.h"
#include "input/read/inputs.h"
#include "input/read/long_record.h"
#include "input/read/member_input.h"
#include "input/read/opening.h"
#include "input/read/parts.h"
#include "input/read/ranges.h"
#include "input/read/shard_cut.h"

int
inputs_open(struct inputs *inputs, char *const *paths, size_t count,
            const struct reading *reading, struct budget *budget,
            struct error *error)
{
    *inputs = (struct inputs){.paths = paths,
                              .count = paths != NULL ? count : 1,
                              .may_repeat = true,
                              .reading = *reading,
                              .framing = fixed_framing_make(1, false),
                              .chunk_bytes = SIZE_MAX,
                              .budget = budget};
    wrong_records_open(&inputs->wrongs);
    pthread_mutex_init(&inputs->lock, NULL);
    pthread_cond_init(&inputs->changed, NULL);
    pthread_cond_init(&inputs->nearer, NULL);
    int result = input_slots_open(inputs, error);
    if (result == 0 && reading->shard.count != 0)
        result = shard_cut_begin(inputs, error);
    if (result < 0)
        inputs_close(inputs);
    return result;
}

void
inputs_set_gate(struct inputs *inputs, struct snapshot_gate *gate)
{
    inputs->gate = gate;
    inputs->wrongs.end_all = true;
    snapshot_gate_enter(gate);
    snapshot_gate_leave(gate, (size_t)atomic_load(&inputs->start_bytes));
}

/* The reader of CLAIM reads no more members of its archive, if it has one. */
static void
leave_archive(struct inputs *inputs, struct claim *claim)
{
    if (claim->archive == NULL)
        return;
    member_input_close(claim->archive, &claim->spare);
    claim->archive = NULL;
    inputs->has_archive = false;
}

/* ---- inputs one after the other ---- */

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

/* Whether no reader will have anything to open any more.  Under the lock. */
static bool
has_opened_all(const struct inputs *inputs)
{
    return inputs->opening == 0 && inputs->divisible == NULL &&
           (!inputs->is_per_input ||
            (inputs->unreported == NULL && !inputs->has_archive &&
             inputs->next_new == inputs->count));
}

/* Whether all bytes of the unreported content are claimed and read. */
static bool
has_ended(const struct inputs *inputs)
{
    const struct input *input = inputs->unreported;

    return input != NULL && input->readers == 0 && !input->is_shared &&
           !input->is_divisible;
}

/*
 * Wait until the content that has ended is reported.  Under the lock, which is
 * released meanwhile.
 */
static void
await_report(struct inputs *inputs)
{
    if (!inputs->is_due)
        snapshot_gate_shut(inputs->gate);
    inputs->is_due = true;
    pthread_mutex_unlock(&inputs->lock);
    snapshot_gate_await(inputs->gate);
    pthread_mutex_lock(&inputs->lock);
}

char *
inputs_unreported(struct inputs *inputs, uint64_t *start_bytes)
{
    char *name;

    pthread_mutex_lock(&inputs->lock);
    const struct input *input = inputs->unreported;
    const struct source *source = &input->content.source;
    /* The name of a member in messages begins with that of its archive. */
    const char *member =
        input->name == NULL ? "" : source->display_name + strlen(input->name);
    if (asprintf(&name, "%s%s", source->path != NULL ? source->path : "-",
                 member) < 0)
        name = NULL;
    *start_bytes = input->span.has_begin ? input->content.start_bytes : 0;
    pthread_mutex_unlock(&inputs->lock);
    return name;
}

bool
inputs_have_read_one(struct inputs *inputs)
{
    pthread_mutex_lock(&inputs->lock);
    bool has_one = has_ended(inputs);
    pthread_mutex_unlock(&inputs->lock);
    return has_one;
}

void
inputs_end_report(struct inputs *inputs)
{
    pthread_mutex_lock(&inputs->lock);
    struct input *input = inputs->unreported;
    inputs->unreported = NULL;
    if (input != NULL)
        claim_drop_input(inputs, input);
    inputs->is_due = false;
    atomic_store(&inputs->zero_records, 0);
    pthread_mutex_unlock(&inputs->lock);
}

/* ---- opening ---- */

/* Returns the next new input, or NULL: out of memory.  Under the lock. */
static struct input *
take_new(struct inputs *inputs)
{
    size_t number = inputs->next_new++;
    struct input *input = input_slot_make(inputs, number);
    struct error failure = ERROR_NONE;

    if (input == NULL) {
        error_set(&failure, EXIT_DATA, "%s: out of memory",
                  input_slot_name(inputs, number));
        /* The first input is never freed before the end. */
        claim_record_failure(inputs, inputs->slot[0].input, 0, &failure);
    }
    return input;
}

/*
 * Open the next member of the archive of CLAIM, or the next new input for it.
 * Returns the input, or NULL if it is exhausted or failed.  Under the lock,
 * which is released meanwhile.
 */
static struct input *
open_next(struct inputs *inputs, struct claim *claim)
{
    struct input *input =
        claim->archive != NULL ? claim->archive : take_new(inputs);

    if (input == NULL)
        return NULL;
    if (!shard_cut_needs(inputs, input)) {
        shard_cut_skip(inputs, input);
        content_close(&input->content); /* its header may have been read */
        return NULL;
    }
    if (input->content.source.error.status != EXIT_DONE ||
        wrong_record_ends(input->wrong))
        leave_archive(inputs, claim); /* a member has failed */
    /* One that is exhausted has no records, but an archive no members. */
    if (input->is_exhausted && inputs->is_per_input && input->name == NULL &&
        inputs->reading.members == NULL)
        inputs->unreported = input;
    if (input->is_exhausted ||
        input->content.source.error.status != EXIT_DONE ||
        wrong_record_ends(input->wrong)) {
        content_close(&input->content); /* its header may have been read */
        claim_end_input(inputs, input);
        return NULL;
    }

    /* The writer of a FIFO may depend on a reader that waits for memory. */
    if (input->may_wait)
        claim_drop_spare(claim);
    if (input->may_wait && claim->origins != NULL)
        wrong_record_watch(input->wrong);
    inputs->opening++;
    pthread_mutex_unlock(&inputs->lock);
    int opened = opening_open(inputs, input, &claim->spare);
    if (opened > 0)
        opened = shard_cut_limit(inputs, claim, input);
    /* A spare decoder is kept only if it is used at once. */
    claim_drop_spare(claim);
    pthread_mutex_lock(&inputs->lock);
    claim_hold_left(inputs, claim, NULL);
    inputs->opening--;
    pthread_cond_broadcast(&inputs->changed);
    if (opened <= 0) {
        inputs->has_failed |= input->content.source.error.status != EXIT_DONE;
        wrong_record_unwatch(input->wrong);
        member_input_close(input, &claim->spare);
        claim->archive = NULL;
        inputs->has_archive = false;
        claim_end_input(inputs, input);
        return NULL;
    }
    claim->archive = input->members != NULL ? input : NULL;
    inputs->has_archive = claim->archive != NULL;
    if (inputs->is_per_input)
        inputs->unreported = input;
    const struct source *source = &input->content.source;
    off_t size =
        source->size > source->first ? source->size - source->first : 0;
    input->next_range = source->first;
    input->announced = source->first;
    if (!framing_has_ends(&inputs->framing))
        size = (off_t)framing_align(&inputs->framing, (uint64_t)size);
    input->ranges_end = source->first + size;
    return input;
}

/* ---- claims ---- */

/* As inputs_have_failed(), under the lock. */
static bool
have_failed(const struct inputs *inputs)
{
    return inputs->has_failed || atomic_load(&inputs->wrongs.has_any);
}

/*
 * Claim something to read: a range of a shared file, for a buffer of CAPACITY
 * bytes of which ROOM are free; or an input or part to read in sequence, which
 * sets CLAIM->input.  Returns the input, or NULL if nothing is left for this
 * reader, or, with CLAIM->has_more, for this buffer.
 */
static struct input *
claim_next(struct inputs *inputs, struct claim *claim, size_t room,
           size_t capacity)
{
    struct input *input = NULL;

    pthread_mutex_lock(&inputs->lock);
    for (;;) {
        /* No snapshot can be taken any more, and the input may be endless. */
        bool is_vain = inputs->gate != NULL && have_failed(inputs);
        if (is_vain || cancel_is_asked(inputs->reading.cancel)) {
            leave_archive(inputs, claim);
            input = NULL;
            break;
        }
        if (has_ended(inputs)) {
            await_report(inputs);
            continue;
        }
        input = inputs->shared;
        if (input != NULL) {
            /* A range of a plain file needs no decoder; others may wait for
               its memory. */
            if (input->walk == NULL)
                claim_drop_spare(claim);
            if (!ranges_claim(inputs, claim, input, room, capacity)) {
                if (!claim->has_more)
                    continue;
                input = NULL;
            }
            break;
        }
        /* Not while others may wait for the memory of this long buffer. */
        claim->has_more = capacity > inputs->chunk_bytes;
        if (claim->has_more)
            break;
        if (may_open(inputs, claim)) {
            input = open_next(inputs, claim);
            if (input == NULL)
                continue;
            if (ranges_are_worth(inputs, input, capacity)) {
                ranges_share(inputs, input);
                continue;
            }
            if (block_ranges_share(inputs, claim, input))
                continue;
            claim_begin_sequence(inputs, claim, input, 0, 0);
            input->readers++;
            parts_divide(inputs, claim, capacity);
            break;
        }
        for (input = inputs->divisible; input != NULL; input = input->next) {
            if (!input->is_searched)
                break;
        }
        if (input != NULL) {
            if (parts_cut(inputs, input, claim, capacity))
                break;
            continue;
        }
        /* An input that is being opened may have ranges or parts. */
        if (has_opened_all(inputs))
            break;
        claim_wait(inputs, claim, &inputs->changed);
    }
    /* Readers that wait for the next input need not wait any longer. */
    if (inputs->is_per_input && input == NULL && !claim->has_more)
        pthread_cond_broadcast(&inputs->changed);
    pthread_mutex_unlock(&inputs->lock);
    return input;
}

/*
 * The reader of CLAIM has reached the end, REST bytes after the last whole
 * record: check them, unless it has been stopped there.  Under the lock.
 */
static void
end_records(const struct inputs *inputs, struct claim *claim, size_t rest)
{
    struct source *source = &claim->content->source;
    const struct decoder *decoder = claim->content->decoder;

    if (claim_is_vain(inputs, claim))
        return;
    if (claim->end != DECODER_NO_PAUSE && claim->edge < CLAIM_BEHIND &&
        (rest > 0 || !decoder->is_paused || decoder->pause_at != claim->end))
        /* Not the end that the walk found. */
        error_set(&source->error, EXIT_DATA,
                  "%s: changed before byte %lld while it was read",
                  source->display_name, (long long)claim->end);
    else if (rest > 0 && framing_end(&inputs->framing, source->display_name,
                                     rest, &source->error) == 0)
        claim->input->dropped_bytes = rest;
}

/* Call it before reading into a chunk: see snapshot_gate.h. */
static void
enter_gate(const struct inputs *inputs, struct claim *claim)
{
    if (!claim->is_inside)
        snapshot_gate_enter(inputs->gate);
    claim->is_inside = true;
}

void
inputs_hand_over(const struct inputs *inputs, struct claim *claim, size_t bytes)
{
    if (claim->is_inside)
        snapshot_gate_leave(inputs->gate, bytes);
    claim->is_inside = false;
}

/* Close the spare decoder of CLAIM, and release the input it refers to. */
static void
drop_left(struct inputs *inputs, struct claim *claim)
{
    claim_drop_spare(claim);
    if (claim->left == NULL)
        return;
    pthread_mutex_lock(&inputs->lock);
    claim_hold_left(inputs, claim, NULL);
    pthread_mutex_unlock(&inputs->lock);
}

size_t
inputs_read(struct inputs *inputs, struct claim *claim, void *buffer,
            size_t capacity)
{
    unsigned char *out = buffer;
    size_t done = claim_take_rest(inputs, claim, out);
    size_t begin = 0; /* index of this claim's first byte, a record's start */
    size_t made = claim->made.bytes; /* of the bytes from there on */
    bool is_open = false; /* what is read ends in a piece of a record */

    claim->has_more = false;
    if (claim->input != NULL)
        claim_note_origin(claim, claim->input, made, made, claim->at,
                          claim->records);
    while (done < capacity) {
        if (claim->input == NULL && is_open) {
            is_open = false;
            out[done++] = '\n';
            claim->made.bytes++;
            if (done == capacity)
                break;
        }
        if (claim->input == NULL) {
            if (claim->late.input != NULL) {
                done += ranges_read_late(inputs, claim, out, done, capacity);
                if (claim->has_more)
                    break;
                /* A record that is too long may be read in sequence. */
                if (claim->input == NULL)
                    continue;
                begin = done;
                made = 0;
                claim_note_origin(claim, claim->input, begin, 0, claim->at,
                                  claim->records);
                continue;
            }
            /* Opening the next input may take long: hand these bytes over.  A
               range of records of any length should have much room. */
            claim->has_more =
                done > 0 &&
                (inputs->gate != NULL || origins_are_many(claim->origins) ||
                 (framing_has_ends(&inputs->framing) &&
                  (done > capacity / 2 || capacity > inputs->chunk_bytes)));
            if (claim->has_more)
                break;
            inputs_hand_over(inputs, claim, 0);
            struct input *input =
                claim_next(inputs, claim, capacity - done, capacity);
            if (input == NULL) {
                /* A snapshot of the last bytes is taken before the end. */
                enter_gate(inputs, claim);
                break;
            }
            begin = done;
            made = 0;
            if (claim->input == NULL) {
                size_t made_before = claim->made.bytes;
                enter_gate(inputs, claim);
                done += ranges_read(inputs, claim, input, out, done);
                made = claim->made.bytes - made_before;
                is_open = claim->range.cut.after.state.is_piece;
                /* A record goes on in sequence: it may need another buffer. */
                claim->has_more = claim->rest != NULL || claim->piece.is_piece;
                if (claim->has_more)
                    break;
                /* The last range may fill the buffer, but end in a record. */
                if (claim->input == NULL || done < capacity)
                    continue;
            } else {
                claim_note_origin(claim, input, begin, 0, claim->at,
                                  claim->records);
            }
        }
        struct content *content = claim->content;
        enter_gate(inputs, claim);
        size_t stop = snapshot_gate_left(inputs->gate);
        bool is_stopped = false;
        ssize_t got = done == begin && claim_skip_zeros(inputs, claim) < 0
                          ? -1
                          : claim_lend(claim, &out, done, capacity, stop);
        bool is_lent = got > 0;
        if (got == 0)
            got = claim_read(claim, out, done, capacity, stop, &is_stopped);
        if (got > 0) {
            identity_note_content(&claim->input->identity);
            line_ends_note(&claim->input->content.line_ends, out + done,
                           (size_t)got);
            done += parts_take(inputs, claim, out + done, (size_t)got);
        }
        if (got > 0 && claim->long_bytes > 0) {
            int passed = long_record_read(claim, out, done);
            done = claim->long_head;
            claim->has_more = passed > 0;
            if (claim->has_more)
                break;
            got = passed < 0 ? -1 : got;
        }
        if (got > 0 && done >= stop) {
            size_t end = framing_first_from(&inputs->framing, out, done, stop);
            if (end > 0 && content_unread(content, out + end, done - end) < 0)
                got = -1;
            claim->has_more = end > 0 && got > 0;
            if (claim->has_more) {
                done = end;
                claim->at += (off_t)done;
                claim->records += framing_records(&inputs->framing, out, done);
                break;
            }
        }
        if (got >= 0 && done < capacity && claim->edge != CLAIM_DONE &&
            !is_lent &&
            (!is_stopped ||
             (content_is_paused(content) && !claim_is_vain(inputs, claim) &&
              parts_pass_pause(inputs, claim, capacity))))
            continue;
        if (claim->long_bytes > 0 &&
            (got < 0 || claim_is_vain(inputs, claim))) {
            claim->long_bytes = 0;
            done = 0;
        }
        struct framing_state state;
        size_t broken;
        size_t rest = done - begin -
                      framing_whole(&inputs->framing, out + begin, done - begin,
                                    &broken, &state);
        bool is_full =
            (done == capacity || is_lent) && claim->edge != CLAIM_DONE;
        if (got >= 0 && broken < done - begin) {
            framing_fail_broken(content->source.display_name,
                                (uint64_t)claim->at + broken - made,
                                &content->source.error);
            got = -1;
        }
        done -= rest;
        claim->at += (off_t)(done - begin - made);
        claim->records += state.records;
        if (got >= 0 && rest == capacity && capacity >= inputs->record_max) {
            if (long_record_start(inputs, claim, out, capacity)) {
                done = claim->long_head;
                continue;
            }
            got = -1;
        }
        if (got >= 0 && !claim_is_wrong(claim) &&
            (is_full || content->source.is_interrupted)) {
            /* If the buffer is full, the caller calls again anyway. */
            claim->has_more = done < capacity;
            if (state.is_piece)
                claim_keep_piece(inputs, claim, &state);
            if (claim_keep_rest(claim, out + done, rest) == 0)
                break;
            claim->has_more = false;
            got = -1;
        }
        bool is_record = rest > 0 && framing_counts_rest(&inputs->framing) &&
                         !claim_is_vain(inputs, claim);
        if (got >= 0 && is_record &&
            framing_drops(&inputs->framing, out + done, rest)) {
            claim->input->dropped_bytes = rest;
            is_record = false;
            rest = 0;
        }
        if (got >= 0 && is_record &&
            framing_check_last(&inputs->framing, content->source.display_name,
                               (uint64_t)claim->at, out + done, rest,
                               &content->source.error) < 0)
            got = -1;
        is_open = state.is_piece;
        pthread_mutex_lock(&inputs->lock);
        if (got >= 0)
            end_records(inputs, claim, is_record ? 0 : rest);
        claim_leave(inputs, claim);
        pthread_mutex_unlock(&inputs->lock);
        /* Nothing may follow a record without an end. */
        claim->has_more = got >= 0 && is_record;
        if (claim->has_more) {
            if (claim->long_bytes > 0)
                long_record_end(claim);
            done += rest;
            break;
        }
        claim->has_more = is_lent;
        if (is_lent)
            break;
    }
    if (done == 0)
        inputs_hand_over(inputs, claim, 0);
    if (claim->input == NULL)
        drop_left(inputs, claim);
    else if (claim->input->walk != NULL)
        parts_note_progress(inputs, claim, capacity);
    return done;
}

void
inputs_leave(struct inputs *inputs, struct claim *claim)
{
    pthread_mutex_lock(&inputs->lock);
    if (claim->input != NULL)
        claim_leave(inputs, claim);
    leave_archive(inputs, claim);
    claim_drop_spare(claim);
    claim_hold_left(inputs, claim, NULL);
    pthread_cond_broadcast(&inputs->changed);
    pthread_mutex_unlock(&inputs->lock);
}

bool
inputs_want_reader(struct inputs *inputs, const struct claim *claim)
{
    bool decodes = claim->input != NULL &&
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
    bool any_failed = have_failed(inputs);
    pthread_mutex_unlock(&inputs->lock);
    return any_failed;
}

/* Whether a part of INPUT that is in front of its wrong record cannot be
   read. */
static bool
is_behind_failure(const struct input *input)
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

    /* It depends on chance what else is found if one ends all inputs. */
    if (inputs->wrongs.end_all && first != NULL)
        return first->input == i ? &first->error : &none;
    /* What has been counted is in front of all that cannot be read, unless an
       earlier part of a file is damaged. */
    if (wrong != NULL && (input == NULL || !is_behind_failure(input)))
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
    input_slots_close(inputs);
    free(inputs->header_name);
    wrong_records_close(&inputs->wrongs);
    pthread_mutex_destroy(&inputs->lock);
    pthread_cond_destroy(&inputs->changed);
    pthread_cond_destroy(&inputs->nearer);
}
