/* SPDX-License-Identifier: MIT */
/* opening.c -- open an input and read its start, up to the first record */

#include <string.h>

#include "input/content/start.h"
#include "input/read/findings.h"
#include "input/read/input_slots.h"
#include "input/read/member_input.h"
#include "input/read/opening.h"
#include "input/read/shard_cut.h"

/* The start of INPUT is read: the first of its shards counts the start. */
static void
add_start(struct inputs *inputs, const struct input *input)
{
    const struct content *content = &input->content;

    if (!input->span.has_start)
        return;
    /* Most starts have neither, and the readers share the sums. */
    if (content->start_bytes > 0)
        atomic_fetch_add(&inputs->start_bytes, content->start_bytes);
    if (content->start_comments > 0)
        atomic_fetch_add(&inputs->left_out_comments, content->start_comments);
}

/* Read the start of INPUT, which is text, and set *HEADER, which the caller
   closes.  Returns 0, or -1 with the error of INPUT's source set. */
static int
read_text(struct inputs *inputs, struct input *input,
          struct text_header *header)
{
    struct content *content = &input->content;

    if (start_read_text(content, &inputs->reading, header) < 0 ||
        start_compare_text(content, &inputs->reading, header) < 0)
        return -1;
    /* A snapshot must not be taken in between. */
    snapshot_gate_enter(inputs->gate);
    add_start(inputs, input);
    snapshot_gate_leave(inputs->gate,
                        input->span.has_start ? content->start_bytes : 0);
    return 0;
}

/*
 * Read the start of INPUT, whose content is open, and compare it with the start
 * of the first input.  Returns 0, or -1 with the error of INPUT's source set.
 */
static int
read_start(struct inputs *inputs, struct input *input)
{
    const struct reading *reading = &inputs->reading;
    struct content *content = &input->content;
    int result = 0;

    if (reading->text != NULL) {
        struct text_header header;
        result = read_text(inputs, input, &header);
        text_header_close(&header);
    } else if (reading->is_npy) {
        struct npy_header header;
        result = start_read_npy(content, &header);
        if (result == 0)
            result = start_compare_npy(content, reading, &header);
        npy_header_close(&header);
        add_start(inputs, input);
    } else if (reading->is_image) {
        struct image_format format;
        result = content_read_header(content, &format);
        if (result == 0)
            result = start_compare_image(content, reading, &format);
    }
    return result;
}

/* Go to the next content of INPUT: the next member of an archive.  Returns 1;
   0: no content is left; or -1 with the error of INPUT's source set. */
static int
next_content(struct inputs *inputs, struct input *input, struct decoder **spare)
{
    return inputs->reading.members != NULL
               ? member_input_next(inputs, input, spare)
               : 1;
}

/* As content_open(). */
static int
open_content(struct inputs *inputs, struct input *input, struct decoder **spare)
{
    return content_open(&input->content, &inputs->reading,
                        member_input_budget(inputs, input), spare);
}

/* Returns the name of INPUT in messages, which stays. */
static const char *
keep_name(struct inputs *inputs, const struct input *input)
{
    if (input->members == NULL)
        return input->content.source.display_name;
    inputs->header_name = strdup(input->member_name);
    return inputs->header_name != NULL ? inputs->header_name : input->name;
}

/* As opening_read_names(), of one input.  Returns 1; 0: without a header; or -1
   with the error of INPUT's source set. */
static int
read_names(struct inputs *inputs, struct input *input,
           struct text_header *header)
{
    struct content *content = &input->content;
    struct decoder *no_spare = NULL;
    int more;

    do {
        more = next_content(inputs, input, &no_spare);
        if (more <= 0)
            return more;
        if (open_content(inputs, input, &no_spare) < 0 ||
            read_text(inputs, input, header) < 0)
            return -1;
        input->is_open = content->has_header || content->columns > 0;
    } while (!input->is_open && input->members != NULL);
    return input->is_open;
}

/* As input_slot_make(); but if out of memory, the first input, which always
   exists, has failed. */
static struct input *
make(struct inputs *inputs, size_t i)
{
    struct input *input = input_slot_make(inputs, i);

    if (input == NULL)
        (void)source_fail_memory(&inputs->slot[0].input->content.source);
    return input;
}

int
opening_read_names(struct inputs *inputs, struct text_header *header)
{
    *header = (struct text_header){0};
    for (size_t i = 0; i < inputs->count; i++) {
        struct input *input = make(inputs, i);

        if (input == NULL)
            return -1;
        if (input->is_exhausted)
            continue;
        int found = read_names(inputs, input, header);
        if (found < 0)
            return -1;
        if (found > 0 && inputs->reading.has_header) {
            header->input = keep_name(inputs, input);
            inputs->reading.header = header;
            inputs->reading.columns = header->count;
        } else if (found > 0) {
            inputs->reading.columns = input->content.columns;
        }
        if (found > 0)
            return 0;
        /* The next decoder may need this decoder's memory. */
        input->is_exhausted = true;
        source_identify(&input->content.source);
        content_close(&input->content);
        claim_end_input(inputs, input);
    }
    return 0;
}

/*
 * Open INPUT, or the next member of an archive, unless already open, and
 * compare its start.  SPARE is for decoder_open().  Returns 1; 0: the archive
 * has no more members; or -1 with the error of INPUT's source set.  Not under
 * the lock: only its reader uses INPUT.
 */
static int
open_input(struct inputs *inputs, struct input *input, struct decoder **spare)
{
    if (input->is_open) {
        input->is_open = false;
        return 1;
    }
    int more = next_content(inputs, input, spare);
    if (more <= 0)
        return more;
    return open_content(inputs, input, spare) < 0 ||
                   read_start(inputs, input) < 0
               ? -1
               : 1;
}

/*
 * Open INPUT, or the first member of an archive, and read its header to *NPY or
 * to the format of READING.  Returns 1; 0: an archive without members; or -1
 * with the error of INPUT's source set.
 */
static int
read_header(struct inputs *inputs, struct input *input, struct npy_header *npy)
{
    struct content *content = &input->content;
    struct decoder *no_spare = NULL;
    int more = next_content(inputs, input, &no_spare);

    if (more <= 0)
        return more;
    input->is_open =
        open_content(inputs, input, &no_spare) == 0 &&
        (inputs->reading.is_npy
             ? start_read_npy(content, npy)
             : content_read_header(content, &inputs->reading.format)) == 0;
    if (input->is_open)
        return 1;
    /* The next decoder may need the memory of this input. */
    member_input_close(input, &no_spare);
    return -1;
}

/* No input has a member: set the error of the first input. */
static void
fail_without(struct inputs *inputs)
{
    const struct members_type *type = inputs->reading.members;
    struct error *error = &inputs->slot[0].input->content.source.error;

    if (findings_check_arrays(inputs, error) == 0)
        error_set(error, EXIT_DATA,
                  "%s: the %s has no %ss, but the first one says what to count",
                  input_slot_name(inputs, 0), type->whole, type->noun);
}

int
opening_read_header(struct inputs *inputs, struct npy_header *npy)
{
    bool has_failed = false;

    *npy = (struct npy_header){0};
    for (size_t i = 0; i < inputs->count; i++) {
        struct input *input = make(inputs, i);
        struct decoder *no_spare = NULL;

        if (input == NULL)
            return -1;
        if (input->is_exhausted)
            continue;
        npy_header_close(npy);
        int found = read_header(inputs, input, npy);
        if (found > 0 && !has_failed) {
            npy->input = keep_name(inputs, input);
            inputs->reading.npy = npy;
            add_start(inputs, input);
            return 0;
        }
        has_failed |= found < 0;
        input->is_exhausted = true;
        member_input_close(input, &no_spare);
        claim_end_input(inputs, input);
    }
    if (!has_failed && inputs->count > 0)
        fail_without(inputs);
    return -1;
}

int
opening_open_content(struct inputs *inputs, size_t i, struct content **content,
                     struct error *error)
{
    struct input *input = input_slot_make(inputs, i);
    struct decoder *no_spare = NULL;

    *content = NULL;
    if (input == NULL)
        return error_fail_memory(error);
    if (input->is_exhausted)
        return 0;
    *content = &input->content;
    if (open_content(inputs, input, &no_spare) == 0)
        return 0;
    error_move(error, &input->content.source.error);
    return -1;
}

void
opening_close_content(struct inputs *inputs, size_t i)
{
    struct input *input = inputs->slot[i].input;

    if (input == NULL || input->is_exhausted)
        return;
    content_close(&input->content);
    claim_end_input(inputs, input);
}

/* ---- for a reader ---- */

/* Input NUMBER cannot be made: out of memory.  Under the lock. */
static void
fail_new(struct inputs *inputs, size_t number)
{
    struct error failure = ERROR_NONE;

    error_set(&failure, EXIT_DATA, "%s: out of memory",
              input_slot_name(inputs, number));
    /* The first input is never freed before the end. */
    claim_record_failure(inputs, inputs->slot[inputs->first].input, 0,
                         &failure);
}

/* Returns the next new input, or NULL: out of memory.  Under the lock. */
static struct input *
take_new(struct inputs *inputs)
{
    size_t number = inputs->next_new;
    inputs->next_new += inputs->step;
    struct input *input = input_slot_make(inputs, number);

    if (input == NULL)
        fail_new(inputs, number);
    return input;
}

/* Returns the next input of the batch of CLAIM, or NULL: out of memory.  Not
   under the lock. */
static struct input *
take_own(struct inputs *inputs, struct claim *claim)
{
    size_t number = claim->batch_next++;
    struct input *input = input_slot_make(inputs, number);

    if (input != NULL) {
        input->is_own = true;
        return input;
    }
    pthread_mutex_lock(&inputs->lock);
    fail_new(inputs, number);
    pthread_mutex_unlock(&inputs->lock);
    return NULL;
}

/*
 * Whether INPUT, which is new or has members, has anything to read for the
 * reader of CLAIM.  Otherwise INPUT is done.  Under the lock, or for an own
 * input.
 */
static bool
is_wanted(struct inputs *inputs, struct claim *claim, struct input *input)
{
    struct content *content = &input->content;

    if (!shard_cut_needs(inputs, input)) {
        shard_cut_skip(inputs, input);
        content_close(content); /* its header may have been read */
        return false;
    }
    bool has_failed = content->source.error.status != EXIT_DONE ||
                      input->range_error.status != EXIT_DONE ||
                      wrong_record_ends(input->wrong);
    if (has_failed)
        member_input_leave(inputs, claim); /* a member has failed */
    if (!input->is_exhausted && !has_failed)
        return true;
    /*
     * An exhausted input has no records; an exhausted archive has no members.
     */
    if (input->is_exhausted && inputs->is_per_input && input->name == NULL &&
        inputs->reading.members == NULL)
        inputs->unreported = input;
    content_close(content); /* its header may have been read */
    claim_end_input(inputs, input);
    return false;
}

/* As open_input(), limited to the shard.  Under the lock, which is released
   meanwhile. */
static int
open_unlocked(struct inputs *inputs, struct claim *claim, struct input *input)
{
    /* The writer of a FIFO may depend on a reader that waits for memory. */
    if (input->may_wait)
        claim_drop_spare(claim);
    if (input->may_wait && claim->reader->origins != NULL)
        wrong_record_watch(input->wrong);
    inputs->opening++;
    pthread_mutex_unlock(&inputs->lock);
    int opened;
    do {
        opened = open_input(inputs, input, &claim->spare);
        if (opened <= 0)
            break;
        opened = shard_cut_limit(inputs, claim, input);
    } while (opened == 0 && member_input_has_ranges(input));
    /* A spare decoder is kept only if it is used at once. */
    claim_drop_spare(claim);
    pthread_mutex_lock(&inputs->lock);
    claim_hold_left(inputs, claim, NULL);
    inputs->opening--;
    pthread_cond_broadcast(&inputs->changed);
    return opened;
}

/* INPUT was opened: set where its ranges start and end. */
static void
set_ranges(const struct inputs *inputs, struct input *input)
{
    const struct source *source = &input->content.source;
    off_t size =
        source->size > source->first ? source->size - source->first : 0;

    if (!framing_has_ends(&inputs->framing))
        size = (off_t)framing_align(&inputs->framing, (uint64_t)size);
    input->next_range = source->first;
    input->announced = source->first;
    input->ranges_end = source->first + size;
}

/* INPUT cannot be opened, or has no members: INPUT is done.  Under the lock, or
   for an own input. */
static void
end_unopened(struct inputs *inputs, struct claim *claim, struct input *input)
{
    if (input->content.source.error.status != EXIT_DONE)
        inputs->has_failed = true;
    wrong_record_unwatch(input->wrong);
    member_input_close(input, &claim->spare);
    claim_end_input(inputs, input);
}

struct input *
opening_next(struct inputs *inputs, struct claim *claim)
{
    struct input *input =
        claim->archive != NULL ? claim->archive : take_new(inputs);

    if (input == NULL || !is_wanted(inputs, claim, input))
        return NULL;
    if (open_unlocked(inputs, claim, input) <= 0) {
        end_unopened(inputs, claim, input);
        claim->archive = NULL;
        inputs->has_archive = false;
        return NULL;
    }
    claim->archive = input->members != NULL ? input : NULL;
    inputs->has_archive = claim->archive != NULL;
    if (inputs->is_per_input)
        inputs->unreported = input;
    set_ranges(inputs, input);
    return input;
}

struct input *
opening_next_own(struct inputs *inputs, struct claim *claim)
{
    struct input *input = take_own(inputs, claim);

    if (input == NULL || !is_wanted(inputs, claim, input))
        return NULL;
    int opened = open_input(inputs, input, &claim->spare);
    /* A spare decoder is kept only if it is used at once. */
    claim_drop_left(inputs, claim);
    if (opened <= 0) {
        end_unopened(inputs, claim, input);
        return NULL;
    }
    set_ranges(inputs, input);
    return input;
}
