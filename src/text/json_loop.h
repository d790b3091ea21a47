/*
 * json_loop.h -- scan the lines of JSON of a chunk, for the forms
 *
 * As json_index.h lists them, tokens are looked at in their order: each must be
 * one that the grammar allows there.  A line where this is not so, or whose
 * brackets are too deep for a mask, is looked at byte by byte.
 */

#ifndef GPUHIST_JSON_LOOP_H
#define GPUHIST_JSON_LOOP_H

#include "text/json_index.h"
#include "text/json_walk.h"

/* The end of the string before the token at NEXT. */
INLINE uint32_t
json_string_before(const unsigned char *data, uint32_t next)
{
    while (data[next - 1] != '"')
        next--;
    return next;
}

/* As json_scalar_end(), sooner for whole numbers; the next token is at NEXT. */
INLINE uint32_t
json_scalar_before(const unsigned char *data, uint32_t at, uint32_t next,
                   const char **wrong)
{
    uint32_t first = at + (data[at] == '-');
    uint32_t stop = first;

    while (data[stop] >= '0' && data[stop] <= '9')
        stop++;
    if (stop != next || stop == first ||
        (data[first] == '0' && stop - first > 1))
        return json_scalar_end(data, at, next, wrong);
    *wrong = NULL;
    return stop;
}

/*
 * Read the line whose first token is at TOKEN.  Returns the token after its
 * end; or NULL: it must be looked at byte by byte.
 */
INLINE const uint32_t *
json_read_tokens(struct json_walk *walk, const uint32_t *token,
                 struct text_slice *out, bool has_escapes)
{
    const unsigned char *data = walk->data;
    uint64_t is_array = 0; /* the lowest bit: of the innermost bracket */
    uint32_t node;
    uint32_t at = *token++;
    uint32_t stop;
    const char *wrong;

    if (data[at] != '{')
        return NULL;
    json_walk_begin(walk, at, out);
    at = *token++;
    if (data[at] == '}')
        goto close;
name:
    if (data[at] != '"' || data[token[0]] != ':')
        return NULL;
    node = json_walk_name(walk, at, token[0], has_escapes);
    at = token[1];
    token += 2;
value:
    switch (data[at]) {
    case '"':
        if (node != JSON_NONE)
            json_walk_string(walk, node, at, json_string_before(data, *token),
                             has_escapes);
        break;
    case '{':
    case '[':
        if (walk->depth == 64)
            return NULL;
        is_array = is_array << 1 | (data[at] == '[');
        json_walk_open(walk, node, at);
        at = *token++;
        if (data[at] == ((is_array & 1) != 0 ? ']' : '}'))
            goto close;
        if ((is_array & 1) == 0)
            goto name;
        node = json_walk_element(walk);
        goto value;
    case '\n':
        return NULL;
    default:
        stop = json_scalar_before(data, at, *token, &wrong);
        if (wrong != NULL)
            return NULL;
        if (node != JSON_NONE)
            json_walk_set(walk, node, (struct text_slice){at, stop - at});
        break;
    }
after:
    at = *token++;
    if (data[at] == ',') {
        at = *token++;
        if ((is_array & 1) == 0)
            goto name;
        node = json_walk_element(walk);
        goto value;
    }
    if (data[at] != ((is_array & 1) != 0 ? ']' : '}'))
        return NULL;
close:
    is_array >>= 1;
    json_walk_close(walk, at);
    if (walk->depth > 0)
        goto after;
    return data[*token] == '\n' ? token + 1 : NULL;
}

/* Scan the whole lines whose tokens are known.  Returns false if one is
   wrong. */
INLINE bool
json_scan_whole(struct json_scan *scan, const struct json_index *index,
                struct json_walk *walk)
{
    const unsigned char *data = scan->data;
    const uint32_t *token = index->token;
    const uint32_t *last = token + index->whole;
    const int32_t comment = scan->format->comment;

    while (token < last && scan->records < scan->records_max) {
        const uint32_t *next = NULL;
        if (data[scan->at] != comment && data[*token] == '\n') {
            scan->at = *token++ + 1;
            continue;
        }
        if (data[scan->at] != comment)
            next =
                json_read_tokens(walk, token, scan->slice, index->has_escapes);
        if (next != NULL) {
            scan->slice += scan->paths->columns;
            scan->records++;
            scan->at = next[-1] + 1;
        } else {
            for (next = token + 1; data[next[-1]] != '\n'; next++) {
            }
            if (!json_scan_line(scan, next[-1]))
                return false;
        }
        token = next;
    }
    return true;
}

INLINE void
json_loop(struct json_scan *scan)
{
    const struct chunk chunk = {scan->data, scan->size};
    struct json_index index;
    struct json_walk walk;

    walk.paths = scan->paths;
    walk.data = scan->data;
    walk.size = scan->size;
    json_index_begin(&index, scan->at);
    while (scan->records < scan->records_max && scan->at < scan->size) {
        json_index_fill(&index, &chunk);
        if (index.whole > 0) {
            if (!json_scan_whole(scan, &index, &walk))
                return;
            json_index_drop(&index);
            continue;
        }
        /* The line is wrong, too long for the list, or the last one. */
        const unsigned char *end =
            memchr(scan->data + scan->at, '\n', scan->size - scan->at);
        if (!json_scan_line(scan, end != NULL ? (uint32_t)(end - scan->data)
                                              : scan->size))
            return;
        json_index_begin(&index, scan->at);
    }
}

#endif
