/* SPDX-License-Identifier: MIT */
/* derive_pairs.c -- the members of a record, each name once */

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "text/derive_pairs.h"
#include "text/json_text.h"
#include "text/logfmt_line.h"

/* Names of fewer members are compared one by one. */
#define SORTED_MIN 32

/* Append a pair without a text.  Returns 0, or -1: out of memory. */
static int
add(struct derive_pairs *pairs, struct text_slice name, struct text_slice value)
{
    if (pairs->count == pairs->pair_room) {
        size_t room = 2 * pairs->pair_room + SORTED_MIN;
        void *grown = realloc(pairs->pair, room * sizeof *pairs->pair);
        if (grown == NULL)
            return -1;
        pairs->pair = grown;
        pairs->pair_room = room;
    }
    pairs->pair[pairs->count] = (struct derive_pair){
        .name = name, .value = value, .place = (uint32_t)pairs->count};
    pairs->count++;
    return 0;
}

/* ---- JSON ---- */

/* Returns the slice of a value from START to END: a string without escapes is
   the bytes between its quotes. */
static struct text_slice
slice_of(const unsigned char *data, size_t start, size_t end)
{
    struct text_slice slice = {(binning_u32)start, (binning_u32)(end - start)};

    if (data[start] == '"' && memchr(data + start, '\\', slice.size) == NULL) {
        slice.at++;
        slice.size -= 2;
    }
    return slice;
}

static size_t
skip_blanks(const unsigned char *data, size_t at)
{
    while (json_is_blank(data[at]))
        at++;
    return at;
}

/* Add the members of the object at SLICE of the data. */
static int
add_object(struct derive_pairs *pairs, const unsigned char *data,
           struct text_slice slice)
{
    size_t size = (size_t)slice.at + slice.size;
    size_t at = slice.at;

    for (at = skip_blanks(data, at + 1); data[at] != '}';
         at = skip_blanks(data, at + (data[at] == ','))) {
        size_t end = json_value_end(data, at, size);
        struct text_slice name = slice_of(data, at, end);
        at = skip_blanks(data, skip_blanks(data, end) + 1);
        end = json_value_end(data, at, size);
        if (add(pairs, name, slice_of(data, at, end)) < 0)
            return -1;
        at = skip_blanks(data, end);
    }
    return 0;
}

/* ---- logfmt ---- */

/* Add the pairs of the line at SLICE of the data. */
static int
add_line(struct derive_pairs *pairs, const unsigned char *data,
         struct text_slice slice)
{
    uint32_t at = slice.at;
    struct text_slice key;
    struct text_slice value;

    while (logfmt_line_next(data, &at, slice.at + slice.size, &key, &value)) {
        if (key.size > 0 && add(pairs, key, value) < 0)
            return -1;
    }
    return 0;
}

/* ---- each name once ---- */

/* Write the text of the name of PAIR of JSON to AT if it has escapes.  Returns
   the end of the text there. */
static unsigned char *
set_text(struct derive_pair *pair, const unsigned char *data, bool is_json,
         unsigned char *at)
{
    pair->text = data + pair->name.at;
    pair->size = pair->name.size;
    if (!is_json || !json_is_escaped(data, pair->name))
        return at;
    pair->text = at;
    pair->size = (uint32_t)json_text_write(data, pair->name, at);
    return at + pair->size;
}

static int
compare_texts(const struct derive_pair *a, const struct derive_pair *b)
{
    uint32_t size = a->size < b->size ? a->size : b->size;
    int order = size > 0 ? memcmp(a->text, b->text, size) : 0;

    return order != 0 ? order : (a->size > b->size) - (a->size < b->size);
}

static int
compare(const void *a, const void *b)
{
    const struct derive_pair *left = a;
    const struct derive_pair *right = b;
    int order = compare_texts(left, right);

    return order != 0
               ? order
               : (left->place > right->place) - (left->place < right->place);
}

/* Whether pair I has the name of a later one. */
static bool
has_later(const struct derive_pairs *pairs, size_t i)
{
    const struct derive_pair *pair = &pairs->pair[i];
    size_t end = pairs->count < SORTED_MIN ? pairs->count : i + 2;

    for (size_t k = i + 1; k < end && k < pairs->count; k++) {
        if (pairs->pair[k].size == pair->size &&
            memcmp(pairs->pair[k].text, pair->text, pair->size) == 0)
            return true;
    }
    return false;
}

/* Remove the pairs with the name of a later one.  Many pairs are sorted. */
static void
remove_earlier(struct derive_pairs *pairs)
{
    size_t kept = 0;

    if (pairs->count >= SORTED_MIN)
        qsort(pairs->pair, pairs->count, sizeof *pairs->pair, compare);
    for (size_t i = 0; i < pairs->count; i++) {
        if (!has_later(pairs, i))
            pairs->pair[kept++] = pairs->pair[i];
    }
    pairs->count = kept;
}

/* Make room for SIZE bytes of text.  Returns 0, or -1: out of memory. */
static int
make_room(struct derive_pairs *pairs, size_t size)
{
    if (size <= pairs->text_room)
        return 0;
    unsigned char *grown = realloc(pairs->text, size);
    if (grown == NULL)
        return -1;
    pairs->text = grown;
    pairs->text_room = size;
    return 0;
}

int
derive_pairs_find(struct derive_pairs *pairs, const struct text_format *format,
                  const unsigned char *data, struct text_slice slice)
{
    bool is_json = format->kind == TEXT_JSON;

    pairs->count = 0;
    pairs->data = NULL;
    if ((is_json ? add_object : add_line)(pairs, data, slice) < 0 ||
        make_room(pairs, slice.size) < 0)
        return -1;
    unsigned char *at = pairs->text;
    for (size_t i = 0; i < pairs->count; i++)
        at = set_text(&pairs->pair[i], data, is_json, at);
    remove_earlier(pairs);
    pairs->data = data;
    pairs->slice = slice;
    return 0;
}

bool
derive_pairs_are_of(const struct derive_pairs *pairs, const unsigned char *data,
                    struct text_slice slice)
{
    return pairs->data == data && pairs->slice.at == slice.at &&
           pairs->slice.size == slice.size;
}

void
derive_pairs_close(struct derive_pairs *pairs)
{
    free(pairs->pair);
    free(pairs->text);
    *pairs = (struct derive_pairs){0};
}
