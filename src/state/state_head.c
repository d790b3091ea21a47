/* SPDX-License-Identifier: MIT */
/* state_head.c -- the lines of a state before the rows */

#include <stdlib.h>
#include <string.h>

#include "state/state_field.h"
#include "state/state_head.h"

const char *
state_head_word(enum state_list list)
{
    static const char *const word[STATE_LISTS] = {
        [STATE_OPTIONS] = "option",   [STATE_NAMES] = "name",
        [STATE_ELEMENTS] = "element", [STATE_IMAGE] = "image",
        [STATE_SPEC] = "spec",        [STATE_LATTICES] = "lattice",
        [STATE_SUMS] = "sums",        [STATE_PORTIONS] = "part",
    };

    return word[list];
}

/* The most bytes of a line in a message. */
#define SHOWN_BYTES 200

/* The fields of a line that differ from another line. */
struct shown {
    char text[SHOWN_BYTES];
    size_t size;
};

/* Returns line I of LINES; at NULL, if LINES are fewer. */
static struct state_text
line_of(const struct state_lines *lines, size_t i)
{
    struct state_text line = {0};

    if (i < lines->count)
        line.at = state_lines_at(lines, i, &line.size);
    return line;
}

/* Take the next field of LINE.  LINE is at NULL after the last field. */
static struct state_text
take_field(struct state_text *line)
{
    struct state_text field = *line;
    const char *tab =
        line->at != NULL ? memchr(line->at, '\t', line->size) : NULL;

    if (tab == NULL) {
        *line = (struct state_text){0};
        return field;
    }
    field.size = (size_t)(tab - line->at);
    line->at = tab + 1;
    line->size -= field.size + 1;
    return field;
}

static void
show(struct shown *shown, const char *text, size_t size)
{
    if (shown->size > 0 && shown->size < SHOWN_BYTES)
        shown->text[shown->size++] = ' ';
    if (size > SHOWN_BYTES - shown->size)
        size = SHOWN_BYTES - shown->size;
    memcpy(shown->text + shown->size, text, size);
    shown->size += size;
}

/* Returns the fields of line AT of A that differ from line AT of B. */
static struct shown
show_difference(const struct state_lines *a, const struct state_lines *b,
                size_t at)
{
    struct shown shown = {.size = 0};
    struct state_text mine = line_of(a, at);
    struct state_text its = line_of(b, at);

    while (mine.at != NULL) {
        struct state_text field = take_field(&mine);
        struct state_text other = take_field(&its);
        if (other.at == NULL || other.size != field.size ||
            memcmp(other.at, field.at, field.size) != 0)
            show(&shown, field.at, field.size);
    }
    if (shown.size == 0)
        show(&shown, "none", 4);
    return shown;
}

int
state_head_match(const struct state_head *head, const char *name,
                 const struct state_head *other, const char *name_other,
                 struct error *error)
{
    static const enum state_list same[] = {STATE_SPEC, STATE_IMAGE,
                                           STATE_ELEMENTS, STATE_NAMES};

    for (size_t s = 0; s < sizeof same / sizeof *same; s++) {
        const struct state_lines *a = &head->list[same[s]];
        const struct state_lines *b = &other->list[same[s]];
        size_t at;
        /* Of empty inputs alone, the header is not known. */
        if (same[s] == STATE_NAMES && (a->count == 0 || b->count == 0))
            continue;
        if (!state_lines_differ(a, b, &at))
            continue;
        struct shown mine = show_difference(a, b, at);
        struct shown its = show_difference(b, a, at);
        error_set(error, EXIT_DATA,
                  "%s and %s do not count the same: %s line %zu has '%.*s' and "
                  "'%.*s'",
                  name, name_other, state_head_word(same[s]), at + 1,
                  (int)mine.size, mine.text, (int)its.size, its.text);
        return -1;
    }
    return 0;
}

void
state_head_close(struct state_head *head)
{
    free(head->by);
    for (int l = 0; l < STATE_LISTS; l++)
        state_lines_close(&head->list[l]);
    *head = (struct state_head){0};
}
