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

#include <immintrin.h>

#include "text/json_walk.h"
#include "text/json_word.h"

/* More brackets have no bit. */
#define JSON_DEPTH_FAST 64

enum json_stop {
    JSON_NO_STOP,
    JSON_STOP_WRONG, /* the line at AT may be wrong */
    JSON_STOP_FULL,  /* enough records */
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

/* ---- scalars ---- */

/* The digits among the 16 bytes at DATA. */
INLINE uint32_t
json_digits_at(const unsigned char *data)
{
    __m128i x = _mm_loadu_si128((const __m128i *)(const void *)data);
    __m128i place = _mm_sub_epi8(x, _mm_set1_epi8('0'));

    return (uint32_t)_mm_movemask_epi8(
        _mm_cmpeq_epi8(place, _mm_min_epu8(place, _mm_set1_epi8(9))));
}

/*
 * Whether a scalar starts at AT; the next token is at NEXT.  Most numbers are
 * found right without a loop over their digits, whose count is hard to predict.
 */
INLINE bool
json_is_scalar(const struct text_view *view, uint32_t at, uint32_t next)
{
    const unsigned char *data = view->data + at;
    uint32_t size = next - at;
    const char *wrong;

    if (view->size - at > sizeof(__m128i)) {
        uint32_t minus = *data == '-';
        uint32_t others = ~(json_digits_at(data) >> minus);
        uint32_t whole = bit_first(others);
        bool is_number = whole == 1 || (whole > 1 && data[minus] != '0');
        if (is_number && minus + whole == size)
            return true;
        if (is_number && data[minus + whole] == '.') {
            uint32_t part = bit_first(others >> (whole + 1));
            if (part > 0 && minus + whole + 1 + part == size)
                return true;
        }
        if (!is_number && size == 4 &&
            (memcmp(data, "true", 4) == 0 || memcmp(data, "null", 4) == 0))
            return true;
        if (!is_number && size == 5 && memcmp(data, "false", 5) == 0)
            return true;
    }
    (void)json_scalar_end(view->data, at, next, &wrong);
    return wrong == NULL;
}

/* ---- values ---- */

/* The value of NODE, or of no node, starts with token I of the list, which may
   be a bracket that closes. */
INLINE void
json_read_value(struct json_reading *reading, const struct json_index *index,
                uint32_t node, uint32_t i)
{
    const unsigned char *data = reading->walk.data;
    uint32_t at = index->token[i];
    uint32_t end = index->token[i + 1];

    if (node == JSON_NONE || i + 1 >= index->known.count)
        return;
    switch (data[at]) {
    case '{':
    case '[':
        reading->node = node;
        break;
    case ']':
        break;
    case '"':
        while (data[end - 1] != '"')
            end--;
        json_walk_string(&reading->walk, node, at, end,
                         at < index->known.escaped);
        break;
    default:
        while (end - at > 1 && json_is_blank(data[end - 1]))
            end--;
        json_walk_set(&reading->walk, node, slice_of(at, end));
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

/* Read the listed tokens, except the last ones if more tokens follow. */
TARGET static __attribute__((noinline)) enum json_stop
json_read_listed(struct json_reading *started, struct json_index *index,
                 bool is_whole)
{
    struct json_reading reading = *started; /* nothing else points to it */
    const struct json_paths *paths = reading.scan->paths;
    enum json_stop stop = JSON_NO_STOP;

    while (stop == JSON_NO_STOP) {
        uint32_t left = index->known.count - index->first;
        struct json_word word;
        if (is_whole ? left == 0 : left < JSON_WORD + JSON_AHEAD)
            break;
        json_word_read(&word, &reading.before,
                       block_load(index->kind + index->first), left, paths);
        stop = json_read_word(&reading, index, &word, index->first);
        if (stop == JSON_NO_STOP)
            index->first += lower_of(left, JSON_WORD);
    }
    *started = reading;
    return stop;
}

INLINE void
json_loop(struct json_scan *scan)
{
    struct json_index index;
    struct json_reading reading;
    struct json_level level[JSON_STEPS_MAX + 1];

    reading.scan = scan;
    reading.walk.paths = scan->paths;
    reading.walk.data = scan->data;
    reading.walk.size = scan->size;
    reading.walk.level = level;
    json_reading_start(&reading);
    index.paths = scan->paths;
    index.view = (struct text_view){scan->data, scan->size};
    json_index_start(&index, scan->at);
    while (scan->records < scan->records_max && scan->at < scan->size) {
        json_index_fill(&index);
        bool is_whole = json_index_is_whole(&index);
        enum json_stop stop = json_read_listed(&reading, &index, is_whole);
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
        if (!json_index_skip(&index, scan->at))
            json_index_start(&index, scan->at);
    }
}

#endif
