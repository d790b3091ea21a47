/* SPDX-License-Identifier: MIT */
/*
 * derive_lists.h -- lists inside of each other, and their elements
 *
 * a[].b[].c has two lists: each element of a has a list at b.  The elements are
 * those of the innermost list, one after the other; each has one element of
 * every list around it.
 */

#ifndef GPUHIST_DERIVE_LISTS_H
#define GPUHIST_DERIVE_LISTS_H

#include "text/derive_list.h"

struct derive_lists {
    struct derive_list level[JSON_LISTS_MAX]; /* the outermost list first */
    size_t levels;
    size_t deep; /* the level whose next element is the next one */
};

/* Where derive_lists_start() continues.  All 0: at the first element. */
struct derive_place {
    size_t deep;
    size_t at[JSON_LISTS_MAX]; /* in the list of each level */
};

/*
 * Start with the lists of the record whose outermost list is SLICE of the chunk
 * at DATA, at PLACE.  Returns 0, or -1: out of memory.
 */
int derive_lists_start(struct derive_lists *lists, const unsigned char *data,
                       struct text_slice slice,
                       const struct derive_place *place);

/* Move to the next element.  Returns 1; 0: there are no more; or -1: out of
   memory. */
int derive_lists_next(struct derive_lists *lists);

/* Set *PLACE to where derive_lists_next() goes on. */
void derive_lists_tell(const struct derive_lists *lists,
                       struct derive_place *place);

/* Also of LISTS that are all 0. */
void derive_lists_close(struct derive_lists *lists);

#endif
