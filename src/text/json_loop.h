/* SPDX-License-Identifier: MIT */
/*
 * json_loop.h -- scan the lines of JSON of a chunk, for the forms
 *
 * json_index.h lists tokens, json_word.h finds tokens that the grammar does
 * not allow after the token before.  This file reads the rest: scalars, the
 * kinds of open brackets, and the wanted values.  A wrong line, or a line with
 * too many open brackets for a mask, is read byte by byte.
 */

#ifndef GPUHIST_JSON_LOOP_H
#define GPUHIST_JSON_LOOP_H

#include "text/json_stencil.h"
#include "text/json_word.h"

/* More brackets have no bit. */
#define JSON_DEPTH_FAST 64

/* The bytes that are scanned at a time: with the lines before, few enough for
   the second cache, where counters then find the values. */
#define JSON_PIECE ((uint32_t)128 << 10)

enum json_stop {
    JSON_NO_STOP,
    JSON_STOP_WRONG, /* the line at AT may be wrong */
    JSON_STOP_FULL,  /* enough records */
    JSON_STOP_ALIKE, /* at the start of a line, which the stencil may fit */
};

struct json_reading {
    struct json_scan *scan;
    struct json_before before;
    struct json_walk walk; /* without an OUT: no object has started */
    uint64_t is_array;     /* the lowest bit: of the innermost bracket */
    uint32_t node;         /* of the value that the next bracket starts */
};

/* A line starts. */
INLINE void
json_reading_start(struct json_reading *reading)
{
    json_before_start(&reading->before);
    reading->walk.out = NULL;
    reading->walk.child = JSON_NONE;
    reading->walk.depth = 0;
    reading->is_array = 0;
    reading->node = JSON_NONE;
}

/* ---- values ---- */

/* The value of NODE, or of no node, starts with token I of the list, which may
   be a bracket that closes. */
INLINE void
json_read_value(struct json_reading *reading, const struct json_index *index,
                uint32_t node, uint32_t i)
{
    if (node == JSON_NONE || i + 1 >= index->known.count)
        return;
    switch (reading->walk.data[index->token[i]]) {
    case '{':
    case '[':
        reading->node = node;
        break;
    case ']':
        break;
    default:
        json_walk_set(&reading->walk, node, json_value_slice(index, i));
        break;
    }
}

/* Token I of the list may be the name of a wanted value. */
INLINE void
json_read_name(struct json_reading *reading, const struct json_index *index,
               uint32_t i)
{
    uint32_t at = index->token[i];
    uint32_t node;

    if (reading->walk.child == JSON_NONE || (reading->is_array & 1) != 0 ||
        i + 2 >= index->known.count)
        return;
    node = json_walk_name(&reading->walk, at, index->token[i + 1],
                          at < index->known.escaped);
    json_read_value(reading, index, node, i + 2);
}

/* An element of the innermost array starts with token I. */
INLINE void
json_read_element(struct json_reading *reading, const struct json_index *index,
                  uint32_t i)
{
    json_read_value(reading, index, json_walk_element(&reading->walk), i);
}

/* ---- events ---- */

/* Token I of the list, BIT of the word, opens a bracket.  Returns whether the
   grammar allows it. */
INLINE bool
json_read_open(struct json_reading *reading, const struct json_index *index,
               const struct json_word *word, uint64_t bit, uint32_t i)
{
    const struct json_scan *scan = reading->scan;
    struct json_walk *walk = &reading->walk;
    bool is_array = (word->brace & bit) == 0;
    uint32_t node = reading->node;

    if (walk->depth == 0) {
        if (is_array || (word->after_line & bit) == 0 ||
            scan->data[scan->at] == scan->format->comment)
            return false;
        json_walk_start(walk, index->token[i], scan->slice);
        reading->is_array = 0;
        return true;
    }
    /* A colon is before each value of an object. */
    if (((word->after_colon & bit) == 0) != ((reading->is_array & 1) != 0) ||
        walk->depth == JSON_DEPTH_FAST)
        return false;
    reading->node = JSON_NONE;
    reading->is_array = reading->is_array << 1 | is_array;
    json_walk_open(walk, node, index->token[i]);
    if (is_array && scan->paths->has_elements)
        json_read_element(reading, index, i + 1);
    return true;
}

/* The same for a bracket that closes. */
INLINE bool
json_read_close(struct json_reading *reading, const struct json_index *index,
                const struct json_word *word, uint64_t bit, uint32_t i)
{
    bool is_array = (word->brace & bit) == 0;

    if (reading->walk.depth == 0 || is_array != ((reading->is_array & 1) != 0))
        return false;
    reading->is_array >>= 1;
    json_walk_close(&reading->walk, index->token[i]);
    return true;
}

/* The same for the end of a line, which may be blank. */
INLINE bool
json_read_line_end(struct json_reading *reading, const struct json_index *index,
                   uint32_t i)
{
    struct json_scan *scan = reading->scan;
    uint32_t end = index->token[i];

    if (reading->walk.depth > 0)
        return false;
    if (reading->walk.out != NULL) {
        reading->walk.out = NULL;
        scan->slice += scan->paths->columns;
        scan->records++;
    } else if (scan->at < end &&
               scan->data[scan->at] == scan->format->comment) {
        return false;
    }
    scan->at = end + 1;
    return true;
}

/* The same for the first mark after a bracket that closes, or a comma, which
   are events only if elements are wanted. */
INLINE bool
json_read_mark(struct json_reading *reading, const struct json_index *index,
               const struct json_word *word, uint64_t bit, uint32_t i)
{
    bool is_array = (reading->is_array & 1) != 0;

    if ((word->closed & bit) != 0 && is_array == ((word->colon & bit) != 0))
        return false;
    if ((word->comma & bit) != 0 && is_array &&
        reading->scan->paths->has_elements)
        json_read_element(reading, index, i + 1);
    return true;
}

/* ---- lines ---- */

/* Read the tokens WORD of the list, which start with token FIRST. */
INLINE enum json_stop
json_read_word(struct json_reading *reading, const struct json_index *index,
               const struct json_word *word, uint32_t first)
{
    struct json_scan *scan = reading->scan;
    uint64_t wrong = word->wrong;

    for (uint64_t left = word->scalars; left != 0; left &= left - 1) {
        uint32_t i = first + bit_first(left);
        if (i + 1 < index->known.count &&
            !json_is_scalar(&index->view, index->token[i], index->token[i + 1]))
            wrong |= left & (0 - left);
    }
    uint64_t right = bits_below(bit_first(wrong));
    for (uint64_t left = word->events & right; left != 0; left &= left - 1) {
        uint64_t bit = left & (0 - left);
        uint32_t i = first + bit_first(left);
        bool is_right = true;
        if ((word->close & bit) != 0)
            is_right = json_read_close(reading, index, word, bit, i);
        else if ((word->open & bit) != 0)
            is_right = json_read_open(reading, index, word, bit, i);
        else if ((word->candidates & bit) != 0)
            json_read_name(reading, index, i);
        else if ((word->line & bit) == 0)
            is_right = json_read_mark(reading, index, word, bit, i);
        else if (!json_read_line_end(reading, index, i))
            is_right = false;
        else if (scan->records == scan->records_max)
            return JSON_STOP_FULL;
        if (!is_right)
            return JSON_STOP_WRONG;
    }
    return wrong != 0 ? JSON_STOP_WRONG : JSON_NO_STOP;
}

/* Read the next line of the list, if the line has an outline.  Returns whether
   it has been read. */
INLINE bool
json_read_outlined(struct json_reading *reading, struct json_index *index,
                   struct json_outlines *outlines)
{
    struct json_scan *scan = reading->scan;
    struct json_outline *outline = json_outlines_find(outlines, index);

    if (outline == NULL)
        return false;
    if (scan->data[scan->at] == scan->format->comment ||
        !json_outline_read(outline, index, &reading->walk, scan->slice)) {
        outlines->missed = outline;
        outlines->tokens = outline->tokens;
        return false;
    }
    outlines->credit++;
    outlines->next_wait = 1;
    index->first += outline->tokens;
    scan->at = index->token[index->first - 1] + 1;
    scan->slice += scan->paths->columns;
    scan->records++;
    return true;
}

/* Read the listed tokens, except the last ones if more tokens follow. */
TARGET static __attribute__((noinline)) enum json_stop
json_read_listed(struct json_reading *started, struct json_index *index,
                 struct json_outlines *outlines, struct json_stencil *stencil,
                 bool is_whole)
{
    struct json_reading reading = *started; /* nothing else points to it */
    const struct json_scan *scan = reading.scan;
    enum json_stop stop = JSON_NO_STOP;

    while (stop == JSON_NO_STOP) {
        uint32_t left = index->known.count - index->first;
        struct json_word word;
        if (outlines->lesson == 0 &&
            (is_whole ? left == 0 : left < JSON_TOKENS_FEW))
            break;
        if ((outlines->lesson | outlines->wait) == 0 &&
            reading.before.line != 0) {
            uint32_t start = scan->at;
            if (json_read_outlined(&reading, index, outlines)) {
                if (scan->records == scan->records_max)
                    stop = JSON_STOP_FULL;
                else if (json_stencil_is_due(stencil, outlines, index, start))
                    stop = JSON_STOP_ALIKE;
                continue;
            }
            json_outlines_miss(outlines, index);
        }
        uint32_t size = json_outlines_size(outlines, index, left);
        json_word_read(&word, &reading.before,
                       block_load(index->kind + index->first), size,
                       scan->paths);
        stop = json_read_word(&reading, index, &word, index->first);
        if (stop != JSON_NO_STOP)
            break;
        index->first += size;
        if (size < JSON_WORD && index->kind[index->first - 1] == '\n')
            json_before_start(&reading.before);
        json_outlines_pass(outlines, index, size);
    }
    outlines->lesson = 0;
    *started = reading;
    return stop;
}

/* What is kept from one scan of a chunk to the next. */
struct json_kept {
    uint32_t at; /* where the scan before has ended; 0: nothing is listed */
    struct json_index index;
    struct json_outlines outlines; /* without a LAST: not opened yet */
    struct json_stencil stencil;
};

_Static_assert(sizeof(struct json_kept) <= JSON_KEPT_BYTES, "its room");

/* Go on from scan->at on, with tokens that KEPT lists already, if possible; not
   unless MAY_GO_ON, a constant. */
INLINE void
json_kept_start(struct json_kept *kept, const struct json_scan *scan,
                bool may_go_on)
{
    struct json_index *index = &kept->index;
    bool goes_on = may_go_on && scan->at > 0 && scan->at == kept->at &&
                   index->view.data == scan->data &&
                   index->view.size == scan->size;

    kept->at = 0;
    if (kept->outlines.last == NULL) {
        json_outlines_open(&kept->outlines, scan->paths);
        json_stencil_open(&kept->stencil);
    }
    if (goes_on && json_index_skip(index, scan->at))
        return;
    index->paths = scan->paths;
    index->view = (struct text_view){scan->data, scan->size};
    json_index_start(index, scan->at);
}

/* Scan lines that fit the stencil, if there is one. */
INLINE void
json_kept_run(struct json_kept *kept, struct json_scan *scan, uint32_t most)
{
    struct json_index *index = &kept->index;

    if (kept->stencil.strips == 0 || kept->stencil.wait > 0)
        return;
    json_stencil_scan(&kept->stencil, scan, most);
    if (!json_index_skip(index, scan->at))
        json_index_start(index, scan->at);
}

/* Scan up to MOST, or somewhat more.  As json_kept_start(). */
INLINE void
json_kept_scan(struct json_kept *kept, struct json_scan *scan, uint32_t most,
               bool may_go_on)
{
    const uint32_t from = scan->at;
    struct json_index *index = &kept->index;
    struct json_reading reading;
    struct json_level level[JSON_STEPS_MAX + 1];

    reading.scan = scan;
    reading.walk.paths = scan->paths;
    reading.walk.data = scan->data;
    reading.walk.size = scan->size;
    reading.walk.level = level;
    json_reading_start(&reading);
    json_kept_start(kept, scan, may_go_on);
    json_kept_run(kept, scan, most);
    while (scan->records < scan->records_max && scan->at < most) {
        json_index_fill(index, kept->stencil.strips > 0 ? JSON_BLOCKS_FEW
                                                        : JSON_BATCH_BLOCKS);
        bool is_whole = json_index_is_whole(index);
        enum json_stop stop = json_read_listed(&reading, index, &kept->outlines,
                                               &kept->stencil, is_whole);
        scan->has_escapes |= index->known.escaped > from;
        if (stop == JSON_STOP_ALIKE) {
            json_kept_run(kept, scan, most);
            stop = JSON_NO_STOP;
            is_whole = false;
        }
        if (stop == JSON_STOP_FULL || scan->at == scan->size)
            break;
        if (stop == JSON_NO_STOP && !is_whole)
            continue;
        /* The line is wrong, too deep, or the last one. */
        const unsigned char *end =
            memchr(scan->data + scan->at, '\n', scan->size - scan->at);
        if (!json_scan_line(scan, end != NULL ? (uint32_t)(end - scan->data)
                                              : scan->size))
            return;
        json_reading_start(&reading);
        if (!json_index_skip(index, scan->at))
            json_index_start(index, scan->at);
    }
    /* In a line, its first tokens are gone. */
    if (reading.walk.out == NULL)
        kept->at = scan->at;
}

INLINE void
json_loop(struct json_scan *scan)
{
    struct json_kept own;

    if (scan->kept != NULL) {
        json_kept_scan(scan->kept, scan,
                       scan->at + lower_of(JSON_PIECE, scan->size - scan->at),
                       true);
        return;
    }
    own.outlines.last = NULL;
    json_kept_scan(&own, scan, scan->size, false);
}

#endif
