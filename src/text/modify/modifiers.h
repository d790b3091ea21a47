/* SPDX-License-Identifier: MIT */
/* modifiers.h -- the modifiers of a field: their table, and chains of them */

#ifndef GPUHIST_MODIFIERS_H
#define GPUHIST_MODIFIERS_H

#include "text/modify/modifier.h"

/* The modifiers of a field, in their order.  All 0: none. */
struct modifiers {
    struct modifier *modifier; /* COUNT of them, owned */
    size_t count;
};

/* Why a text does not parse as a chain. */
struct modifiers_fault {
    const struct modifier_type *type; /* its argument is wrong; NULL: no row has
                                         this name */
    const struct modifier_type *before; /* gives a decimal, and TYPE, which
                                           follows, reads none; or NULL */
    const char *word; /* LENGTH bytes of the text: the name, or
                                         the argument */
    size_t length;
};

enum modifiers_result {
    MODIFIERS_OK,
    MODIFIERS_WRONG, /* the fault says why */
    MODIFIERS_NO_MEMORY,
};

/*
 * Parse the LENGTH bytes at TEXT, NAME[=ARGUMENT][:...], into *CHAIN.  An
 * argument ends before a colon outside double quotes.  Quotes around the whole
 * argument are left out, and a doubled quote there stands for one; quotes
 * within the argument stay.  Whatever is returned, the caller calls
 * modifiers_close().
 */
enum modifiers_result modifiers_parse(struct modifiers *chain, const char *text,
                                      size_t length,
                                      struct modifiers_fault *fault);

/* Whether a modifier of the row AFTER may read what one of the row BEFORE
   gives. */
bool modifiers_may_follow(const struct modifier_type *before,
                          const struct modifier_type *after);

/* Returns the row of the LENGTH bytes at NAME, or NULL. */
const struct modifier_type *modifiers_find(const char *name, size_t length);

/*
 * Returns the name of a row that makes a decimal of the whole SIZE bytes at
 * TEXT without an argument, "duration" or "size"; or NULL: neither does, or out
 * of memory.
 */
const char *modifiers_reading(const unsigned char *text, size_t size);

/* Write the name of a row that is near to the LENGTH bytes at NAME; NULL: none
   is. */
const char *modifiers_near(const char *name, size_t length);

/* Whether both chains make the same. */
bool modifiers_equal(const struct modifiers *one,
                     const struct modifiers *other);

/* What the last modifier of CHAIN, which is not empty, makes. */
enum modifier_gives modifiers_give(const struct modifiers *chain);

/* Returns the place of the modifier that gives parts; chain->count: none. */
size_t modifiers_parts(const struct modifiers *chain);

/* The bytes that modifiers_apply() needs for a text of SIZE bytes. */
static inline size_t
modifiers_room(const struct modifiers *chain, size_t size)
{
    size_t each = size + chain->count * MODIFIER_ROOM;

    return chain->count * each;
}

/*
 * Apply the modifiers from FIRST on and before END to the *SIZE bytes at *TEXT:
 * set *TEXT and *SIZE to a part of these bytes, or of OUT, which has
 * modifiers_room().  Returns false: the text is invalid for one of them.
 */
bool modifiers_apply(const struct modifiers *chain, size_t first, size_t end,
                     const unsigned char **text, size_t *size,
                     unsigned char *out);

/* Append the modifier NAME, which takes no argument, to CHAIN.  Returns 0, or
   -1: out of memory. */
int modifiers_add(struct modifiers *chain, const char *name);

/*
 * Move the modifiers of FROM to the end of CHAIN; FROM is empty then.  Returns
 * false: out of memory; FROM is as it was then.
 */
bool modifiers_append(struct modifiers *chain, struct modifiers *from);

void modifiers_close(struct modifiers *chain);

#endif
