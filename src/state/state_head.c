/* state_head.c -- what a state says in front of its rows */

#include <stdlib.h>
#include <string.h>

#include "state/state_head.h"

const char *
state_head_word(enum state_list list)
{
    static const char *const word[STATE_LISTS] = {
        [STATE_OPTIONS] = "option",   [STATE_NAMES] = "name",
        [STATE_ELEMENTS] = "element", [STATE_IMAGE] = "image",
        [STATE_SPEC] = "spec",        [STATE_LATTICES] = "lattice",
        [STATE_PORTIONS] = "part",
    };

    return word[list];
}

/* The most bytes of a line that a message shows. */
#define SHOWN_BYTES 200

/* The fields of a line that another one has not in their place. */
struct shown {
    char text[SHOWN_BYTES];
    size_t size;
};

/* A line of a list, or what is left of it. */
struct rest {
    const char *text; /* NULL: there is no such line, or no field is left */
    size_t size;
};

static struct rest
rest_of(const struct state_lines *lines, size_t i)
{
    struct rest rest = {0};

    if (i < lines->count)
        rest.text = state_lines_at(lines, i, &rest.size);
    return rest;
}

/* Take the next field of REST. */
static struct rest
take_field(struct rest *rest)
{
    struct rest field = *rest;
    const char *tab =
        rest->text != NULL ? memchr(rest->text, '\t', rest->size) : NULL;

    if (tab == NULL) {
        *rest = (struct rest){0};
        return field;
    }
    field.size = (size_t)(tab - rest->text);
    rest->text = tab + 1;
    rest->size -= field.size + 1;
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

/* Returns what line AT of A has, and that of B has not. */
static struct shown
show_difference(const struct state_lines *a, const struct state_lines *b,
                size_t at)
{
    struct shown shown = {.size = 0};
    struct rest mine = rest_of(a, at);
    struct rest its = rest_of(b, at);

    while (mine.text != NULL) {
        struct rest field = take_field(&mine);
        struct rest other = take_field(&its);
        if (other.text == NULL || other.size != field.size ||
            memcmp(other.text, field.text, field.size) != 0)
            show(&shown, field.text, field.size);
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
