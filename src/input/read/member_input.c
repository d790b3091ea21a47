/* SPDX-License-Identifier: MIT */
/* member_input.c -- an archive as an input that has several contents */

#include <stdlib.h>
#include <string.h>

#include "input/read/member_input.h"

/* If IS_ONE, note INPUT's member as KIND. */
static void
note(struct input *input, enum member_kind kind, bool is_one)
{
    struct member_note *note = &input->notes.of[kind];

    if (is_one && note->count++ == 0)
        note->first = strdup(input->content.source.display_name);
}

/* If SEEMS is a format, note that INPUT's name is that of a compressed file. */
static void
note_misnamed(struct input *input, const char *seems)
{
    note(input, MEMBER_MISNAMED, seems != NULL);
    if (input->notes.seems == NULL)
        input->notes.seems = seems;
}

/* The current member is read: note the facts for messages. */
static void
note_member(const struct inputs *inputs, struct input *input)
{
    struct member_notes *notes = &input->notes;
    enum guess guess = guess_of(&input->content.sniff);
    bool is_wrong = guess_is_wrong(&inputs->reading, guess, false);

    if (is_wrong && notes->guess == GUESS_NONE)
        notes->guess = guess;
    note(input, MEMBER_GUESSED, is_wrong && guess == notes->guess);

    note(input, MEMBER_TEXT, content_is_text(&input->content));
    note(input, MEMBER_UNLINED, content_is_unlined(&input->content));
    note_misnamed(input, input->content.seems);
    note(input, MEMBER_RAGGED, input->dropped_bytes > 0);
    notes->ragged_bytes += input->dropped_bytes;
    input->dropped_bytes = 0;
}

/* Open the archive.  Returns 0, or -1: *ERROR is set, or cancel_ask(). */
static int
open_archive(struct inputs *inputs, struct input *input, struct error *error)
{
    const struct source *source = &input->content.source;

    input->path = source->path;
    input->name = source->display_name;
    input->members = inputs->reading.members->open(source, &inputs->reading,
                                                   inputs->budget, error);
    if (input->members == NULL)
        return -1;
    note_misnamed(input, input->members->seems);
    return 0;
}

/* Make the current member of INPUT's archive the source of its content. */
static void
open_member(struct input *input)
{
    struct members *members = input->members;

    if (members->file != NULL)
        source_open_range(&input->content.source, members->file, members->start,
                          members->end);
    else
        input->content.source.supply = &members->supply;
    input->content.array = members->array;
}

int
member_input_next(struct inputs *inputs, struct input *input,
                  struct decoder **spare)
{
    struct error error = ERROR_NONE;
    char *name = NULL;
    int result = 0;

    if (input->name == NULL)
        open_archive(inputs, input, &error);
    else
        note_member(inputs, input);
    content_free(&input->content);
    if (input->members != NULL) {
        result = input->members->type->next(input->members, &name, &error);
        input->notes.members = input->members->count;
        input->notes.others = input->members->others;
        input->notes.unchosen = input->members->unchosen;
        input->lacks_end_mark |= input->members->lacks_end_mark;
        input->lacks_end = input->members->lacks_end;
        input->extra_bytes = input->members->extra_bytes;
    }
    free(input->member_name);
    input->member_name = name;
    struct source *source = &input->content.source;
    input->content = (struct content){
        .source = {.path = input->path, .error = error, .fd = -1}};
    if (result > 0)
        open_member(input);
    source->display_name = result > 0 ? name : input->name;
    source->wrong = input->wrong;
    if (result <= 0)
        member_input_close(input, spare);
    return error.status != EXIT_DONE ? -1 : result;
}

struct budget *
member_input_budget(const struct inputs *inputs, const struct input *input)
{
    return input->members != NULL ? input->members->share : inputs->budget;
}

void
member_input_close(struct input *input, struct decoder **spare)
{
    content_close(&input->content);
    decoder_close(*spare);
    *spare = NULL;
    if (input->members != NULL)
        input->members->type->close(input->members);
    input->members = NULL;
}

bool
member_input_has_ranges(const struct input *input)
{
    return input->members != NULL && input->members->file != NULL;
}

bool
member_input_is_read(const struct claim *claim)
{
    const struct input *input = claim->archive;

    return input != NULL && member_input_has_ranges(input) &&
           (input->readers > 0 || input->holders > 0);
}

void
member_input_await(struct inputs *inputs, struct claim *claim)
{
    while (member_input_is_read(claim))
        claim_wait(inputs, claim, &inputs->changed);
}

void
member_input_leave(struct inputs *inputs, struct claim *claim)
{
    if (claim->archive == NULL)
        return;
    member_input_close(claim->archive, &claim->spare);
    claim->archive = NULL;
    inputs->has_archive = false;
    pthread_cond_broadcast(&inputs->changed);
}

void
member_input_free(struct input *input)
{
    struct decoder *no_spare = NULL;

    member_input_close(input, &no_spare);
    free(input->member_name);
    for (size_t kind = 0; kind < MEMBER_KINDS; kind++)
        free(input->notes.of[kind].first);
}

size_t
member_input_count(const struct input *input, enum member_kind kind,
                   const char **first)
{
    const struct member_note *note = &input->notes.of[kind];

    if (note->count > 0)
        *first = note->first != NULL ? note->first : input->name;
    return note->count;
}
