/* SPDX-License-Identifier: MIT */
/* json_members.c -- the paths of the members that an object of JSON has */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/json_members.h"
#include "text/json_paths.h"
#include "text/json_text.h"

/* Members of deeper objects are not found. */
#define DEPTH_MAX 8

/* Longer paths are not found. */
#define PATH_BYTES 256

/* A walk over the text. */
struct walk {
    struct json_members *members;
    const unsigned char *data;
    uint32_t size;
    uint32_t at;
    char path[PATH_BYTES]; /* of the value at AT */
    bool is_in_list;       /* the path has [] */
};

static bool walk_value(struct walk *walk, size_t length, int depth);

/* Returns the next byte other than a blank; 0: the end. */
static unsigned char
next_byte(struct walk *walk)
{
    while (walk->at < walk->size && json_is_blank(walk->data[walk->at]))
        walk->at++;
    return walk->at < walk->size ? walk->data[walk->at] : 0;
}

/* Skip BYTE.  Returns false if it is not next. */
static bool
skip(struct walk *walk, unsigned char byte)
{
    if (next_byte(walk) != byte)
        return false;
    walk->at++;
    return true;
}

/* Skip a string or another value without members. */
static bool
skip_scalar(struct walk *walk)
{
    const char *wrong = NULL;
    bool is_string = next_byte(walk) == '"';

    walk->at = (is_string ? json_string_end : json_scalar_end)(
        walk->data, walk->at, walk->size, &wrong);
    return wrong == NULL && walk->at < walk->size;
}

/*
 * Append to the path of LENGTH bytes the name in the quotes from START to END.
 * Returns the length of the new path; 0: it is too long.
 */
static size_t
add_name(struct walk *walk, size_t length, uint32_t start, uint32_t end)
{
    int bytes = (int)(end - start);
    const char *name = (const char *)walk->data + start;
    char *to = walk->path + length;
    size_t room = PATH_BYTES - length;

    if (bytes > PATH_BYTES)
        return 0;
    int added = snprintf(to, room, "%s%.*s", length > 0 ? "." : "", bytes - 2,
                         name + 1);
    bool is_plain = added > (length > 0) && (size_t)added < room &&
                    memchr(name, '\\', (size_t)bytes) == NULL &&
                    strpbrk(to + (length > 0), ".,[]\"") == NULL;
    if (!is_plain)
        added = snprintf(to, room, "[%.*s]", bytes, name);
    return (size_t)added < room ? length + (size_t)added : 0;
}

/* Walk over the members of an object, after its brace. */
static bool
walk_object(struct walk *walk, size_t length, int depth)
{
    const char *wrong = NULL;

    if (skip(walk, '}'))
        return true;
    do {
        if (next_byte(walk) != '"')
            return false;
        uint32_t start = walk->at;
        uint32_t end = json_string_end(walk->data, start, walk->size, &wrong);
        if (wrong != NULL)
            return false;
        walk->at = end;
        size_t longer = add_name(walk, length, start, end);
        if (longer == 0 || !skip(walk, ':') ||
            !walk_value(walk, longer, depth + 1))
            return false;
    } while (skip(walk, ','));
    return skip(walk, '}');
}

/* Walk over the elements of an array, after its bracket; the first one's
   members are noted. */
static bool
walk_array(struct walk *walk, size_t length, int depth)
{
    struct json_members *members = walk->members;
    /* A path has the elements of one list at most. */
    const bool is_in_list = walk->is_in_list;
    const char *first = is_in_list ? "[0]" : "[]";

    if (skip(walk, ']'))
        return true;
    walk->is_in_list = true;
    for (size_t i = 0;; i++) {
        int added =
            snprintf(walk->path + length, PATH_BYTES - length, "%s", first);
        if ((size_t)added >= PATH_BYTES - length)
            return false;
        walk->members = i == 0 ? members : NULL;
        if (!walk_value(walk, length + (size_t)added, depth + 1))
            return false;
        if (!skip(walk, ','))
            break;
    }
    walk->members = members;
    walk->is_in_list = is_in_list;
    return skip(walk, ']');
}

/* Walk over a value, whose path has LENGTH bytes.  Returns false at the end of
   the data. */
static bool
walk_value(struct walk *walk, size_t length, int depth)
{
    struct json_members *members = walk->members;
    unsigned char first = next_byte(walk);

    if (depth > DEPTH_MAX || first == 0)
        return false;
    if (first == '{' || first == '[') {
        walk->at++;
        return first == '{' ? walk_object(walk, length, depth)
                            : walk_array(walk, length, depth);
    }
    if (members != NULL && members->count < JSON_MEMBERS_MAX) {
        char *path = strndup(walk->path, length);
        if (path != NULL)
            members->path[members->count++] = path;
    }
    return skip_scalar(walk);
}

void
json_members_find(struct json_members *members, const unsigned char *data,
                  size_t size)
{
    struct walk walk = {.members = members,
                        .data = data,
                        .size =
                            (uint32_t)(size < UINT32_MAX ? size : UINT32_MAX)};

    *members = (struct json_members){.count = 0};
    if (skip(&walk, '{'))
        (void)walk_object(&walk, 0, 0);
}

void
json_members_close(struct json_members *members)
{
    for (size_t i = 0; i < members->count; i++)
        free(members->path[i]);
    members->count = 0;
}
