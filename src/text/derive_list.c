/* SPDX-License-Identifier: MIT */
/* derive_list.c -- the elements of a list, one after the other */

#include <stdlib.h>
#include <string.h>

#include "text/derive_list.h"
#include "text/json_line.h"

int
derive_list_open(struct derive_list *list, char *const *path, size_t count)
{
    struct error error = ERROR_NONE;
    int result = json_paths_open(&list->paths, path, count, &error);

    error_clear(&error);
    list->member = calloc(count + 1, sizeof *list->member);
    return result == 0 && list->member != NULL ? 0 : -1;
}

int
derive_list_open_members(struct derive_list *list)
{
    list->is_of_members = true;
    list->member = calloc(DERIVE_PAIR_SLICES, sizeof *list->member);
    return list->member != NULL ? 0 : -1;
}

void
derive_list_close(struct derive_list *list)
{
    derive_pairs_close(&list->pairs);
    field_text_close(&list->text);
    json_paths_close(&list->paths);
    free(list->member);
    free(list->copy);
    *list = (struct derive_list){0};
}

/* ---- texts that are divided ---- */

/* Make room for SIZE bytes of a copy.  Returns 0, or -1: out of memory. */
static int
make_room(struct derive_list *list, size_t size)
{
    if (size <= list->room)
        return 0;
    unsigned char *grown = realloc(list->copy, size);
    if (grown == NULL)
        return -1;
    list->copy = grown;
    list->room = size;
    return 0;
}

/* Start to divide the value of SLICE, of which the list keeps a copy.  As
   derive_list_start(). */
static int
start_text(struct derive_list *list, const unsigned char *data,
           struct text_slice slice)
{
    binning_u32 bytes;
    const unsigned char *text =
        field_text_find(&list->text, data, slice, &bytes);
    size_t size = bytes;

    /* The room for all modifiers is more than the value takes. */
    if (text == NULL || make_room(list, modifiers_room(list->chain, size)) < 0)
        return -1;
    list->has_list =
        modifiers_apply(list->chain, 0, list->parts, &text, &size, list->copy);
    if (list->has_list && size > 0)
        memmove(list->copy, text, size);
    list->data = list->copy;
    list->end = size;
    return 0;
}

/* Move to the next part of a text: before a separator, or the last part.  An
   empty text has no parts. */
static bool
next_part(struct derive_list *list, struct text_slice *element)
{
    const struct modifier *separator = &list->chain->modifier[list->parts];
    const unsigned char *text = list->data + list->at;

    if (list->at > list->end || list->end == 0)
        return false;
    const unsigned char *found =
        memmem(text, list->end - list->at, separator->text, separator->size);
    size_t size = found != NULL ? (size_t)(found - text) : list->end - list->at;
    *element = (struct text_slice){(binning_u32)list->at, (binning_u32)size};
    list->at += size + (found != NULL ? separator->size : 1);
    return true;
}

/* ---- arrays of JSON ---- */

/* Set the members of the element from START to END. */
static void
find_members(struct derive_list *list, size_t start, size_t end)
{
    struct json_wrong wrong;

    if (list->paths.columns == 0)
        return;
    if (list->data[start] == '{' &&
        json_line_read(&list->paths, list->data, (uint32_t)start, (uint32_t)end,
                       list->member, &wrong))
        return;
    for (uint32_t i = 0; i < list->paths.columns; i++)
        list->member[i] = TEXT_SLICE_NONE;
}

static bool
next_value(struct derive_list *list, struct text_slice *element)
{
    const unsigned char *data = list->data;
    size_t at = list->at;

    while (json_is_blank(data[at]) || data[at] == ',')
        at++;
    if (data[at] == ']')
        return false;
    size_t end = json_value_end(data, at, list->end);
    *element = (struct text_slice){(binning_u32)at, (binning_u32)(end - at)};
    find_members(list, at, end);
    list->at = end;
    /* A string without escapes is the bytes between its quotes. */
    if (data[at] == '"' && memchr(data + at, '\\', end - at) == NULL) {
        element->at++;
        element->size -= 2;
    }
    return true;
}

/* Start with the array, or another value of JSON, at SLICE.  A string may start
   as an array does: then its quote is before SLICE, or its first byte. */
static void
start_value(struct derive_list *list, const unsigned char *data,
            struct text_slice slice)
{
    if (data[slice.at - 1] == '"')
        return;
    list->has_list = slice.size > 0 && data[slice.at] == '[';
    list->end = (size_t)slice.at + slice.size;
    if (list->at == 0)
        list->at = (size_t)slice.at + 1;
    if (!list->has_list && slice.size == 4 &&
        memcmp(data + slice.at, "null", 4) == 0)
        list->instead = TEXT_SLICE_NONE;
}

/* ---- members ---- */

static bool
next_member(struct derive_list *list)
{
    if (list->at == list->pairs.count)
        return false;
    const struct derive_pair *pair = &list->pairs.pair[list->at++];
    list->element = pair->value;
    list->member[DERIVE_PAIR_NAME] = pair->name;
    list->member[DERIVE_PAIR_VALUE] = pair->value;
    return true;
}

/* ---- any list ---- */

int
derive_list_start(struct derive_list *list, const unsigned char *data,
                  struct text_slice slice, size_t at)
{
    list->at = at;
    list->data = data;
    list->has_list = false;
    list->instead = TEXT_SLICE_INVALID;
    if (text_slice_is_missing(slice)) {
        list->instead = slice;
    } else if (list->is_of_members) {
        list->has_list = true;
        /* A record with many members goes on where the last batch ended. */
        return at > 0 && derive_pairs_are_of(&list->pairs, data, slice)
                   ? 0
                   : derive_pairs_find(&list->pairs, list->text.format, data,
                                       slice);
    } else if (list->chain != NULL) {
        return start_text(list, data, slice);
    } else {
        start_value(list, data, slice);
    }
    return 0;
}

bool
derive_list_next(struct derive_list *list)
{
    list->before = list->at;
    if (list->has_list && list->is_of_members)
        return next_member(list);
    if (list->has_list)
        return list->chain != NULL ? next_part(list, &list->element)
                                   : next_value(list, &list->element);
    if (list->at == SIZE_MAX)
        return false;
    list->at = SIZE_MAX;
    list->element = list->instead;
    size_t members =
        list->is_of_members ? DERIVE_PAIR_SLICES : list->paths.columns;
    for (size_t i = 0; i < members; i++)
        list->member[i] = list->instead;
    return true;
}
