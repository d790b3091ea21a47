/* SPDX-License-Identifier: MIT */
/*
 * derive_list.h -- the elements of a list, one after the other
 *
 * A list is an array of JSON, or a text that a modifier divides into parts.  A
 * record without the list has one element that is missing; a value that is no
 * list has one that is invalid.
 */

#ifndef GPUHIST_DERIVE_LIST_H
#define GPUHIST_DERIVE_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "text/derive_pairs.h"
#include "text/field_value.h"
#include "text/json_paths.h"
#include "text/modify/modifiers.h"

/* The place of the element itself among its members. */
#define DERIVE_ELEMENT SIZE_MAX

struct derive_list {
    struct field_text text;        /* of the source of the list */
    uint32_t column;               /* of this source */
    const struct modifiers *chain; /* with the modifier that divides ... */
    size_t parts;                  /* ... here; NULL: an array of JSON */
    struct json_paths paths;       /* of the wanted members of an element */
    struct text_slice element;     /* the present one ... */
    struct text_slice *member;     /* ... and its member at each path */
    size_t inner; /* the member that is the next list inside, or
                     DERIVE_ELEMENT */

    bool is_of_members; /* the elements are all members of the record ... */
    struct derive_pairs pairs; /* ... which are these */

    /* The list of the present record. */
    bool has_list;             /* false: one element without a value */
    struct text_slice instead; /* ... which is this */
    const unsigned char *data; /* the array, or the text that is divided */
    size_t before;             /* where derive_list_next() found the element */
    size_t at;                 /* of the next element */
    size_t end;
    unsigned char *copy; /* of the text; ROOM bytes, owned */
    size_t room;
};

/*
 * Prepare for arrays of JSON, of whose elements the COUNT paths at PATH are
 * wanted.  LIST has its text and column.  Returns 0, or -1: out of memory.  The
 * caller calls derive_list_close() in both cases.
 */
int derive_list_open(struct derive_list *list, char *const *path, size_t count);

/* Prepare for all members of a record.  As derive_list_open(). */
int derive_list_open_members(struct derive_list *list);

/*
 * Start with the list whose source is SLICE of the chunk at DATA, from the
 * element at AT, 0 or what derive_list_next() has left in LIST.  Returns 0, or
 * -1: out of memory.
 */
int derive_list_start(struct derive_list *list, const unsigned char *data,
                      struct text_slice slice, size_t at);

/*
 * Move to the next element.  Sets the element of LIST, a slice of LIST->data,
 * and its members.  A slice may be missing.  Returns false after the last one.
 */
bool derive_list_next(struct derive_list *list);

/* Returns the slice at PLACE of the present element of LIST: a member, or
   DERIVE_ELEMENT. */
static inline struct text_slice
derive_list_member(const struct derive_list *list, size_t place)
{
    return place == DERIVE_ELEMENT ? list->element : list->member[place];
}

/* Also of a LIST that is all 0. */
void derive_list_close(struct derive_list *list);

#endif
