/* SPDX-License-Identifier: MIT */
/*
 * json_walk.h -- set the wanted slices of an object of JSON on a way through it
 *
 * The caller knows the grammar, and calls these functions in the order of the
 * text.  A name that occurs again replaces the values of the first one.
 */

#ifndef GPUHIST_JSON_WALK_H
#define GPUHIST_JSON_WALK_H

#include <string.h>

#include "text/json_paths.h"
#include "text/json_text.h"

/* An open object or array that is wanted, or has wanted values inside. */
struct json_level {
    uint32_t node;
    uint32_t at;    /* its bracket */
    uint32_t index; /* of its next element */
};

struct json_walk {
    const struct json_paths *paths;
    const unsigned char *data;
    uint32_t size; /* of the data */
    struct text_slice *out;
    uint32_t child;   /* the first wanted node that the innermost bracket may
                         have, or JSON_NONE */
    uint32_t depth;   /* brackets that are open ... */
    uint32_t matched; /* ... the first of them in LEVEL */
    struct json_level *level; /* JSON_STEPS_MAX + 1 of them */
};

/* No column of NODE, or in it, has a value. */
static inline void
json_walk_clear(const struct json_walk *walk, const struct json_node *node)
{
    for (uint32_t i = node->below; i < node->below_end; i++)
        walk->out[walk->paths->below[i]] = TEXT_SLICE_NONE;
}

/* The object of a record starts at AT. */
static inline void
json_walk_start(struct json_walk *walk, uint32_t at, struct text_slice *out)
{
    walk->out = out;
    walk->child = walk->paths->node->child;
    walk->depth = 1;
    walk->matched = 1;
    walk->level[0] = (struct json_level){.node = 0, .at = at};
    for (uint32_t i = 0; i < walk->paths->columns; i++)
        out[i] = TEXT_SLICE_NONE;
}

/*
 * Whether the string whose quote is at AT, and which ends before END, is the
 * name of NODE.  WORD is the text after the quote.
 */
static inline bool
json_walk_is_name(const struct json_walk *walk, const struct json_node *node,
                  uint64_t word, uint32_t at, uint32_t end, bool has_escapes)
{
    if (((word ^ node->head) & node->mask) == 0) {
        const unsigned char *text = walk->data + at + 1;
        if (node->size < sizeof word)
            return true;
        if (node->size + 1 < end - at && text[node->size] == '"' &&
            memcmp(text, node->name, node->size) == 0)
            return true;
    }
    return has_escapes && node->name != NULL &&
           json_text_is(walk->data, at, end, node->name, node->size);
}

/* The first bytes of the string whose quote is at AT; zeros follow the data. */
static inline uint64_t
json_walk_word(const struct json_walk *walk, uint32_t at)
{
    uint64_t word = 0;

    if (walk->size - at > sizeof word)
        memcpy(&word, walk->data + at + 1, sizeof word);
    else
        memcpy(&word, walk->data + at + 1, walk->size - at - 1);
    return word;
}

/*
 * Returns the node whose name is the string whose quote is at AT, of the list
 * of nodes that starts with CHILD, or JSON_NONE.  The string ends at END or
 * before, and may have escapes only if HAS_ESCAPES.
 */
static inline uint32_t
json_walk_find(const struct json_walk *walk, uint32_t child, uint32_t at,
               uint32_t end, bool has_escapes)
{
    const struct json_node *nodes = walk->paths->node;
    uint64_t word = json_walk_word(walk, at);

    while (child != JSON_NONE &&
           !json_walk_is_name(walk, &nodes[child], word, at, end, has_escapes))
        child = nodes[child].next;
    return child;
}

/* The string of json_walk_find() is the name of the next value.  Returns the
   node of the value, or JSON_NONE. */
static inline uint32_t
json_walk_name(struct json_walk *walk, uint32_t at, uint32_t end,
               bool has_escapes)
{
    const struct json_node *nodes = walk->paths->node;
    uint32_t child = walk->child;

    if (child == JSON_NONE)
        return JSON_NONE;
    child = json_walk_find(walk, child, at, end, has_escapes);
    /* What the value sets itself needs no clearing. */
    if (child != JSON_NONE && nodes[child].child != JSON_NONE)
        json_walk_clear(walk, &nodes[child]);
    return child;
}

/* The next value is an element of an array.  Returns its node, or JSON_NONE. */
static inline uint32_t
json_walk_element(struct json_walk *walk)
{
    const struct json_node *nodes = walk->paths->node;
    uint32_t child = walk->child;

    if (child == JSON_NONE)
        return JSON_NONE;
    uint32_t index = walk->level[walk->matched - 1].index++;
    while (child != JSON_NONE &&
           (nodes[child].name != NULL || nodes[child].index != index))
        child = nodes[child].next;
    return child;
}

/* The value of NODE, which is not JSON_NONE, is SLICE. */
static inline void
json_walk_set(const struct json_walk *walk, uint32_t node,
              struct text_slice slice)
{
    const struct json_paths *paths = walk->paths;

    for (uint32_t c = paths->node[node].column; c != JSON_NONE;
         c = paths->next_column[c])
        walk->out[c] = slice;
}

/* The value of the string from AT to END, with its quotes. */
static inline struct text_slice
json_walk_string(const unsigned char *data, uint32_t at, uint32_t end,
                 bool has_escapes)
{
    struct text_slice slice = {at, end - at};

    if (!has_escapes || memchr(data + at, '\\', slice.size) == NULL) {
        slice.at++;
        slice.size -= 2;
    }
    return slice;
}

/* The value of NODE, or of no node, is the array or object whose bracket is at
   AT. */
static inline void
json_walk_open(struct json_walk *walk, uint32_t node, uint32_t at)
{
    walk->depth++;
    walk->child = JSON_NONE;
    if (node == JSON_NONE)
        return;
    walk->child = walk->paths->node[node].child;
    walk->level[walk->matched++] = (struct json_level){.node = node, .at = at};
}

/* The innermost array or object ends with the bracket at AT. */
static inline void
json_walk_close(struct json_walk *walk, uint32_t at)
{
    if (walk->depth-- == walk->matched) {
        const struct json_level *level = &walk->level[--walk->matched];
        const struct text_slice slice = {level->at, at + 1 - level->at};
        json_walk_set(walk, level->node, slice);
    }
    walk->child = JSON_NONE;
    if (walk->depth == walk->matched && walk->depth > 0)
        walk->child =
            walk->paths->node[walk->level[walk->matched - 1].node].child;
}

#endif
