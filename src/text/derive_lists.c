/* SPDX-License-Identifier: MIT */
/* derive_lists.c -- lists inside of each other, and their elements */

#include "text/derive_lists.h"

/* Start with the list of LEVEL in the present element of the list around it,
   from AT on.  Returns 0, or -1: out of memory. */
static int
start_inner(struct derive_lists *lists, size_t level, size_t at)
{
    const struct derive_list *outer = &lists->level[level - 1];

    return derive_list_start(&lists->level[level], outer->data,
                             derive_list_member(outer, outer->inner), at);
}

int
derive_lists_start(struct derive_lists *lists, const unsigned char *data,
                   struct text_slice slice, const struct derive_place *place)
{
    int result = derive_list_start(&lists->level[0], data, slice, place->at[0]);

    lists->deep = place->deep;
    for (size_t k = 1; k <= place->deep && result == 0; k++) {
        /* The element that was the present one. */
        (void)derive_list_next(&lists->level[k - 1]);
        result = start_inner(lists, k, place->at[k]);
    }
    return result;
}

int
derive_lists_next(struct derive_lists *lists)
{
    size_t k = lists->deep;

    for (;;) {
        if (!derive_list_next(&lists->level[k])) {
            if (k == 0)
                return 0;
            k--;
        } else if (k + 1 < lists->levels) {
            if (start_inner(lists, ++k, 0) < 0)
                return -1;
        } else {
            lists->deep = k;
            return 1;
        }
    }
}

void
derive_lists_tell(const struct derive_lists *lists, struct derive_place *place)
{
    place->deep = lists->deep;
    for (size_t k = 0; k <= lists->deep; k++) {
        const struct derive_list *level = &lists->level[k];
        place->at[k] = k < lists->deep ? level->before : level->at;
    }
}

void
derive_lists_close(struct derive_lists *lists)
{
    for (size_t k = 0; k < JSON_LISTS_MAX; k++)
        derive_list_close(&lists->level[k]);
    *lists = (struct derive_lists){0};
}
