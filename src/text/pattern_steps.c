/* SPDX-License-Identifier: MIT */
/* pattern_steps.c -- the texts between the names of a pattern, as the forms of
   a scan look for them */

#include <stdlib.h>
#include <string.h>

#include "text/pattern/quoted_line.h"
#include "text/pattern_steps.h"

#define BLOCK_SIZE 64 /* of the forms */

/* Whether the forms know the check of KNOWN, which may be NULL. */
static bool
has_known_check(const struct pattern_known *known)
{
    return known == NULL || known->check == PATTERN_ANY ||
           known->check == PATTERN_STATUS || known->check == PATTERN_BYTES ||
           known->check == PATTERN_WORD;
}

/* Whether the steps of FIELD find what the definition finds. */
static bool
is_possible(const struct pattern_field *field)
{
    const struct pattern_known *known = field->known;

    if (!has_known_check(known))
        return false;
    if (known == NULL)
        return true;
    /* What protects a byte, or makes a list, may be before a text within. */
    return field->inside == 0 || !(field->is_quoted || known->is_list);
}

/* Returns the place of BYTE in the bytes of STEPS, which gets it if it is new;
   or PATTERN_BYTES_MAX. */
static uint32_t
place_byte(struct pattern_steps *steps, unsigned char byte)
{
    uint32_t i = 0;

    while (i < steps->bytes && steps->byte[i] != byte)
        i++;
    if (i == steps->bytes && i < PATTERN_BYTES_MAX)
        steps->byte[steps->bytes++] = byte;
    return i;
}

/* Append the steps of FIELD.  Returns false if this is not possible. */
static bool
append(struct pattern_steps *steps, const struct pattern_field *field)
{
    const struct pattern_known *known = field->known;
    unsigned char check =
        (unsigned char)(known != NULL ? known->check : PATTERN_ANY);
    struct pattern_step step = {
        .text = field->after,
        .size = (uint32_t)field->after_size,
        .is_list = known != NULL && known->is_list && !field->is_quoted,
        .is_within = true,
    };

    if (!is_possible(field))
        return false;
    steps->has_quoted |= field->is_quoted;
    if (step.size == 0) {
        steps->is_open = true;
        steps->check = check;
        return true;
    }
    uint32_t place = place_byte(steps, (unsigned char)step.text[0]);
    if (place == PATTERN_BYTES_MAX)
        return false;
    step.place = (unsigned char)place;
    for (uint32_t i = 0; i < step.size && i < sizeof step.word; i++) {
        step.word |= (uint64_t)(unsigned char)step.text[i] << 8 * i;
        step.word_mask |= (uint64_t)0xff << 8 * i;
    }
    step.is_hard = step.is_list || step.size > sizeof step.word;
    for (size_t i = 0; i < field->inside; i++)
        steps->step[steps->count++] = step;
    step.is_within = false;
    step.is_padded = field->is_padded;
    step.check = check;
    step.is_plain =
        check == PATTERN_ANY && !step.is_padded && step.size < BLOCK_SIZE;
    steps->step[steps->count++] = step;
    return true;
}

/* Let STEPS be the values of PATTERN, whose lines quoted_line.h reads. */
static void
append_quoted_line(struct pattern_steps *steps, const struct pattern *pattern)
{
    steps->byte[PATTERN_QUOTED_BLANK] = ' ';
    steps->byte[PATTERN_QUOTED_QUOTE] = '"';
    steps->byte[PATTERN_QUOTED_BRACKET] = ']';
    steps->bytes = PATTERN_QUOTED_BYTES;
    steps->is_quoted_line = true;
    steps->has_quoted = true;
    steps->needed = pattern->needed;
    for (size_t i = 0; i < pattern->count; i++) {
        const struct pattern_field *field = &pattern->field[i];
        unsigned char opening = quoted_line_opening(field);
        if (!has_known_check(field->known)) {
            steps->bytes = 0;
            return;
        }
        steps->step[steps->count++] = (struct pattern_step){
            .place = opening == 0     ? PATTERN_QUOTED_BLANK
                     : opening == '"' ? PATTERN_QUOTED_QUOTE
                                      : PATTERN_QUOTED_BRACKET,
            .check = (unsigned char)(field->known != NULL ? field->known->check
                                                          : PATTERN_ANY),
            .opening = opening,
        };
    }
}

int
pattern_steps_open(struct pattern_steps *steps, const struct pattern *pattern,
                   struct error *error)
{
    size_t most = pattern->count;

    for (size_t i = 0; i < pattern->count; i++)
        most += pattern->field[i].inside;
    *steps = (struct pattern_steps){
        .before = pattern->before,
        .before_size = (uint32_t)pattern->before_size,
        .step = calloc(most, sizeof *steps->step),
    };
    if (steps->step == NULL)
        return error_fail_memory(error);
    if (pattern->match == quoted_line_match)
        append_quoted_line(steps, pattern);
    if (pattern->match != NULL)
        return 0;
    for (size_t i = 0; i < pattern->count; i++) {
        if (!append(steps, &pattern->field[i])) {
            steps->bytes = 0;
            return 0;
        }
    }
    return 0;
}

void
pattern_steps_close(struct pattern_steps *steps)
{
    free(steps->step);
    *steps = (struct pattern_steps){0};
}
