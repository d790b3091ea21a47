/* SPDX-License-Identifier: MIT */
/* findings.c -- facts about the inputs, for messages and states */

#include <stdio.h>
#include <stdlib.h>

#include "input/content/array_choice.h"
#include "input/read/findings.h"
#include "input/read/input_slots.h"
#include "input/read/inputs.h"
#include "input/read/member_input.h"

struct finding
findings_of(const struct inputs *inputs, size_t i)
{
    const struct input *input = inputs->slot[i].input;

    if (input == NULL)
        return (struct finding){.name = input_slot_name(inputs, i),
                                .lacks_end_mark =
                                    inputs->slot[i].lacks_end_mark};
    const struct member_notes *notes = &input->notes;
    const struct member_note *ragged = &notes->of[MEMBER_RAGGED];
    return (struct finding){
        .name = input_slot_name(inputs, i),
        .dropped_bytes = input->dropped_bytes,
        .is_uncut = input->is_uncut,
        .lacks_end_mark = input->lacks_end_mark,
        .archive = input->name,
        .noun = input->name != NULL ? inputs->reading.members->noun : NULL,
        .members = notes->members,
        .others = notes->others,
        .unchosen = notes->unchosen,
        .lacks_end = input->lacks_end,
        .has_more = input->extra_bytes > 0,
        .ragged = ragged->count,
        .first_ragged = ragged->first != NULL ? ragged->first : input->name,
        .ragged_bytes = notes->ragged_bytes,
    };
}

const struct content *
findings_content(const struct inputs *inputs, size_t i)
{
    return &inputs->slot[i].input->content;
}

struct identity *
findings_identity(const struct inputs *inputs, size_t i)
{
    return &inputs->slot[i].input->identity;
}

int
findings_check_arrays(const struct inputs *inputs, struct error *error)
{
    const struct array_choice *choice = inputs->reading.arrays;
    char *where = NULL;

    if (choice == NULL || inputs->count == 0 ||
        (inputs->reading.shard.count > 0 && choice->lost < choice->count))
        return 0;
    if (inputs->count > 1 &&
        asprintf(&where, "%s and %zu more input%s", input_slot_name(inputs, 0),
                 inputs->count - 1, inputs->count > 2 ? "s" : "") < 0)
        return error_fail_memory(error);
    int result = array_choice_check(
        choice, where != NULL ? where : input_slot_name(inputs, 0), error);
    free(where);
    return result;
}

/* ---- looks ---- */

/* Returns the guess at the content of input I; of an archive, at its last
   member. */
static enum guess
guess_input(const struct inputs *inputs, size_t i)
{
    const struct input_slot *slot = &inputs->slot[i];

    return slot->input != NULL ? guess_of(&slot->input->content.sniff)
                               : slot->guess;
}

static bool
is_text(const struct inputs *inputs, size_t i)
{
    const struct input_slot *slot = &inputs->slot[i];

    return slot->input != NULL ? content_is_text(&slot->input->content)
                               : slot->is_text;
}

static bool
is_unlined(const struct inputs *inputs, size_t i)
{
    const struct input_slot *slot = &inputs->slot[i];

    return slot->input != NULL ? content_is_unlined(&slot->input->content)
                               : slot->is_unlined;
}

size_t
findings_count_misnamed(const struct inputs *inputs, const char **first,
                        const char **seems)
{
    size_t count = 0;

    for (size_t i = inputs->count; i-- > 0;) {
        const struct input *input = inputs->slot[i].input;
        if (input == NULL)
            continue;
        if (input->content.seems != NULL) {
            *first = input->content.source.display_name;
            *seems = input->content.seems;
            count++;
        }
        if (input->notes.seems != NULL)
            *seems = input->notes.seems;
        count += member_input_count(input, MEMBER_MISNAMED, first);
    }
    return count;
}

struct looks
findings_look(const struct inputs *inputs, bool have_failed)
{
    struct looks looks = {.guess = GUESS_NONE};

    for (size_t i = 0; i < inputs->count; i++) {
        const struct input *input = inputs->slot[i].input;
        bool has_failed =
            have_failed || inputs_error(inputs, i)->status != EXIT_DONE;
        enum guess guess = guess_input(inputs, i);
        const char *first = input_slot_name(inputs, i);
        size_t count = guess_is_wrong(&inputs->reading, guess, has_failed);

        if (input != NULL && input->notes.guess != GUESS_NONE &&
            (count == 0 || input->notes.guess == guess)) {
            guess = input->notes.guess;
            count += member_input_count(input, MEMBER_GUESSED, &first);
        }
        if (count > 0 && looks.count == 0)
            looks = (struct looks){.guess = guess, .first = first};
        if (guess == looks.guess)
            looks.count += count;
    }
    return looks;
}

struct looks
findings_look_countable(const struct inputs *inputs)
{
    struct looks looks = {.guess = GUESS_NONE};

    for (size_t i = 0; i < inputs->count && looks.guess == GUESS_NONE; i++) {
        enum guess guess = guess_input(inputs, i);
        if (guess > GUESS_JSON_SPREAD)
            looks = (struct looks){guess, 1, input_slot_name(inputs, i)};
    }
    return looks;
}

/* Returns how many inputs pass IS_ONE(), plus the members of archives that are
   noted as KIND, and sets *FIRST to the name of the first one. */
static size_t
count_kind(const struct inputs *inputs,
           bool (*is_one)(const struct inputs *inputs, size_t i),
           enum member_kind kind, const char **first)
{
    size_t count = 0;

    for (size_t i = inputs->count; i-- > 0;) {
        const struct input *input = inputs->slot[i].input;
        if (is_one(inputs, i)) {
            *first = input_slot_name(inputs, i);
            count++;
        }
        if (input != NULL)
            count += member_input_count(input, kind, first);
    }
    return count;
}

size_t
findings_count_texts(const struct inputs *inputs, const char **first)
{
    return count_kind(inputs, is_text, MEMBER_TEXT, first);
}

size_t
findings_count_unlined(const struct inputs *inputs, const char **first)
{
    return count_kind(inputs, is_unlined, MEMBER_UNLINED, first);
}
