/* state_head.c -- what a state says in front of its rows */

#include <stdlib.h>

#include "state/state_head.h"

const char *
state_head_word(enum state_list list)
{
    static const char *const word[STATE_LISTS] = {
        [STATE_OPTIONS] = "option",   [STATE_NAMES] = "name",
        [STATE_ELEMENTS] = "element", [STATE_IMAGE] = "image",
        [STATE_SPEC] = "spec",        [STATE_LATTICES] = "lattice",
        [STATE_PARTS] = "part",
    };

    return word[list];
}

/* The longest part of a line that a message shows. */
#define SHOWN_BYTES 200

/* A line of LINES, or what says that there is none. */
struct shown {
    int size;
    const char *text;
};

static struct shown
show(const struct state_lines *lines, size_t i)
{
    size_t size;

    if (i >= lines->count)
        return (struct shown){4, "none"};
    const char *text = state_lines_at(lines, i, &size);
    return (struct shown){(int)(size < SHOWN_BYTES ? size : SHOWN_BYTES), text};
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
        struct shown mine = show(a, at);
        struct shown its = show(b, at);
        error_set(error, EXIT_DATA,
                  "%s and %s do not count the same: %s line %zu is '%.*s' and "
                  "'%.*s'",
                  name, name_other, state_head_word(same[s]), at + 1, mine.size,
                  mine.text, its.size, its.text);
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
