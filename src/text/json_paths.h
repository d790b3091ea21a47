/* SPDX-License-Identifier: MIT */
/*
 * json_paths.h -- the members of an object of JSON that are wanted, by path
 *
 * A path is steps: a name, a number in brackets, from 0, of an array, or a name
 * in quotes of JSON and brackets: a.b, a[0], a["x.y"], ["x"].b.  A point may be
 * in front, as jq needs it.  A name without quotes has any bytes but points,
 * commas, brackets and quotes.
 */

#ifndef GPUHIST_JSON_PATHS_H
#define GPUHIST_JSON_PATHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "kernels/text/fields.h"

/* The most steps of a path. */
#define JSON_STEPS_MAX 64

/* More names have no marks. */
#define JSON_MARKS_MAX 8

/* Where the second byte of a mark is at most. */
#define JSON_MARK_REACH 63

/* The most lists of a path, each inside of the one before. */
#define JSON_LISTS_MAX 8

/* No node, no column. */
#define JSON_NONE 0xffffffffu

/* Returns the length of the path at the start of TEXT, up to a comma or the
   end; the path may be wrong. */
size_t json_path_length(const char *text);

/* Returns the offset of the first [] in the LENGTH bytes at TEXT, a path, that
   is outside of quotes; LENGTH: the path names no list. */
size_t json_path_list(const char *text, size_t length);

/* Whether the LENGTH bytes at TEXT are a path. */
bool json_path_is_valid(const char *text, size_t length);

/* Set *FIELD to a member whose path is the LENGTH bytes at TEXT, the argument
   of OPTION; it may have [], which another path or [] may follow.  Returns 0,
   or -1 with *ERROR set. */
int json_paths_find(const char *option, const char *text, size_t length,
                    struct text_field *field, struct error *error);

/* A wanted value, or one with wanted values inside. */
struct json_node {
    /* The first bytes of the name and its quote, as far as MASK goes.  No name
       starts as a node of an element does, or a name that needs escapes. */
    uint64_t head;
    uint64_t mask;
    const unsigned char *name; /* NULL: it is an element of an array */
    uint32_t size;             /* of the name, in bytes */
    uint32_t index;            /* of the element */
    uint32_t child;            /* the first one, or JSON_NONE */
    uint32_t next;             /* of its parent's children, or JSON_NONE */
    uint32_t column; /* the first column of this value, or JSON_NONE */
    uint32_t below;  /* of the array BELOW: the columns of this node and of all
                        ... */
    uint32_t below_end; /* ... in it */
};

/* The last byte of a wanted name and the quote after it, or two bytes before
   these, and their distance from the quote before the name. */
struct json_mark {
    uint32_t place; /* of the first one */
    unsigned char byte[2];
};

struct json_paths {
    struct json_node *node; /* NODES of them; node 0 is the object */
    size_t nodes;
    uint32_t columns;
    bool has_elements; /* some nodes are elements of arrays */
    struct json_mark mark[JSON_MARKS_MAX + 1];
    uint32_t marks; /* of them; above JSON_MARKS_MAX: any name may be wanted */
    uint32_t *next_column; /* of each, the next column of the same value, or
                              JSON_NONE */
    uint32_t *below;
    unsigned char *names; /* of all nodes */
};

/*
 * Make PATHS of COUNT texts, which are valid: each is a column.  Returns 0, or
 * -1 with *ERROR set; the caller calls json_paths_close() in both cases.
 */
int json_paths_open(struct json_paths *paths, char *const *text, size_t count,
                    struct error *error);

/* Also of PATHS that are all 0. */
void json_paths_close(struct json_paths *paths);

#endif
