/* SPDX-License-Identifier: MIT */
/*
 * modify_check.h -- a chain of modifiers and what it makes, for tests
 *
 * Each text and each room is a block of its own, of exactly the size that the
 * chain may use, so that a sanitizer sees its end.
 */

#ifndef GPUHIST_MODIFY_CHECK_H
#define GPUHIST_MODIFY_CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/modify/modifiers.h"

/* Returns a copy of the SIZE bytes at TEXT, for free(). */
static inline unsigned char *
modify_copy(const void *text, size_t size)
{
    unsigned char *copy = malloc(size > 0 ? size : 1);

    if (copy == NULL)
        abort();
    if (size > 0)
        memcpy(copy, text, size);
    return copy;
}

/*
 * Apply CHAIN to the *SIZE bytes at TEXT.  Returns what it makes, for free(),
 * and sets *SIZE; NULL: the text is invalid.
 */
static inline unsigned char *
modify_apply(const struct modifiers *chain, const void *text, size_t *size)
{
    unsigned char *copy = modify_copy(text, *size);
    unsigned char *room = malloc(modifiers_room(chain, *size));
    const unsigned char *at = copy;
    unsigned char *made = NULL;

    if (room == NULL)
        abort();
    if (modifiers_apply(chain, 0, chain->count, &at, size, room))
        made = modify_copy(at, *size);
    free(copy);
    free(room);
    return made;
}

#endif
