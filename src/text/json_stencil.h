/* SPDX-License-Identifier: MIT */
/*
 * json_stencil.h -- lines of JSON that have the text of a line before, except
 * inside of their values, for the forms of a scan
 *
 * A log often repeats all names, brackets and blanks of a line byte by byte.  A
 * stencil is this text of a right line, in strips, with a hole for each string
 * and each scalar between.  A line that has the strips, and right values in the
 * holes, is right, and its values are where the stencil says: no token is
 * listed.  Any other line is read as if there were no stencil: so values with
 * exponents may stay out here.
 */

#ifndef GPUHIST_JSON_STENCIL_H
#define GPUHIST_JSON_STENCIL_H

#include <immintrin.h>

#include "text/json_outline.h"

enum {
    JSON_STRIP_BYTES = 32,
    JSON_STRIPS = 128,
    JSON_LONG = 24, /* bytes of a string that may not end in a look */
    JSON_LANES = 4, /* lines that are read together */
    /* A line that does not fit costs as much as this many others save. */
    JSON_MISS = 16,
    JSON_GAIN_MAX = 4 * JSON_MISS,
    /* After lines that did not fit, so many lines are no try, at most. */
    JSON_MISS_WAIT_MAX = 1023,
};

enum json_hole {
    JSON_HOLE_NONE, /* the text goes on in the next strip */
    JSON_HOLE_STRING,
    JSON_HOLE_TEXT, /* a long string */
    JSON_HOLE_SCALAR,
};

/* SIZE bytes of the text of a line, at least one, and the hole after them. */
struct json_strip {
    unsigned char text[JSON_STRIP_BYTES];
    uint32_t mask; /* a bit for each byte */
    unsigned char size;
    unsigned char hole;
};

/* Where a value starts or ends: OFFSET bytes after the start of a strip. */
struct json_edge {
    uint32_t strip;
    uint32_t offset;
};

struct json_stencil {
    uint32_t strips;   /* 0: no line has been learned */
    uint32_t shortest; /* bytes of a line, without the line feed */
    uint32_t gain;     /* lines that fit, and those that did not as JSON_MISS */
    uint32_t wait;     /* lines with outlines before the next try */
    uint32_t next_wait;
    struct json_strip strip[JSON_STRIPS];
    /* Of each column, the first one perhaps with strip TEXT_SLICE_MISSING. */
    struct json_edge edge[JSON_OUTLINE_COLUMNS][2];
};

INLINE void
json_stencil_open(struct json_stencil *stencil)
{
    stencil->strips = 0;
    stencil->gain = 0;
    stencil->wait = 0;
    stencil->next_wait = 0;
}

/* A line did not fit. */
INLINE void
json_stencil_miss(struct json_stencil *stencil)
{
    if (stencil->gain >= JSON_MISS) {
        stencil->gain -= JSON_MISS;
        stencil->wait = 0;
        return;
    }
    stencil->gain = 0;
    stencil->strips = 0;
    stencil->wait = stencil->next_wait;
    stencil->next_wait =
        lower_of(2 * stencil->next_wait + 1, JSON_MISS_WAIT_MAX);
}

/* ---- reading ---- */

INLINE __m256i
json_strip_load(const unsigned char *data)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)data);
}

INLINE uint32_t
json_strip_match(__m256i x, __m256i y)
{
    return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(x, y));
}

/* What to look for. */
struct json_look {
    __m256i marks;
    __m256i blank;
    __m256i zero;
    __m256i nine;
};

INLINE struct json_look
json_look_of(void)
{
    struct json_look look = {
        .marks = _mm256_broadcastsi128_si256(
            _mm_setr_epi8(1, 0, '"', 0, 0, 0, 0, 0, 0, 0, 0, 0, '\\', 0, 0, 0)),
        .blank = _mm256_set1_epi8(' '),
        .zero = _mm256_set1_epi8('0'),
        .nine = _mm256_set1_epi8(9),
    };

    /* Compilers would make the constants anew for each look. */
    __asm__(""
            : "+x"(look.marks), "+x"(look.blank), "+x"(look.zero),
              "+x"(look.nine));
    return look;
}

/* The bytes at DATA that end a string, or that a hole cannot have. */
INLINE uint32_t
json_hole_stops(const struct json_look *look, const unsigned char *data)
{
    __m256i x = json_strip_load(data);
    __m256i mark = _mm256_cmpeq_epi8(_mm256_shuffle_epi8(look->marks, x), x);
    /* As bytes with a sign, those outside of ASCII are below 0. */
    __m256i odd = _mm256_cmpgt_epi8(look->blank, x);

    return (uint32_t)_mm256_movemask_epi8(_mm256_or_si256(mark, odd));
}

/* Whether the string from START to its quote at END is UTF-8, with the bytes
   before and after. */
INLINE bool
json_hole_is_utf8(const unsigned char *start, const unsigned char *end)
{
    uint64_t wrong = 0;

    for (; start <= end; start += BLOCK_BYTES) {
        uint64_t part = block_wrong_utf8(start);
        if (end - start < BLOCK_BYTES)
            part &= bits_below((uint32_t)(end - start) + 1);
        wrong |= part;
    }
    return wrong == 0;
}

/* Returns the end of the escape at DATA, or NULL if it is wrong. */
static inline const unsigned char *
json_hole_escape(const unsigned char *data)
{
    if (memchr("\"\\/bfnrt", data[1], 8) != NULL)
        return data + 2;
    if (data[1] != 'u')
        return NULL;
    for (int i = 2; i < 6; i++) {
        bool is_digit = data[i] >= '0' && data[i] <= '9';
        if (!is_digit && ((data[i] | 0x20) < 'a' || (data[i] | 0x20) > 'f'))
            return NULL;
    }
    return data + 6;
}

/* Returns the end of the string that starts at START, or NULL if the string is
   wrong.  A line feed follows. */
TARGET static __attribute__((noinline, cold)) const unsigned char *
json_hole_any(const unsigned char *start)
{
    const unsigned char *data = start;
    uint64_t high = 0;

    while (data != NULL) {
        block x = block_load(data);
        uint64_t stop = block_either(x, '"', '\\') | block_controls(x);
        high |= block_high(x) & bits_below(bit_first(stop));
        data += bit_first(stop);
        if (stop == 0)
            continue;
        if (*data == '"')
            return high == 0 || json_hole_is_utf8(start, data) ? data : NULL;
        data = *data == '\\' ? json_hole_escape(data) : NULL;
    }
    return NULL;
}

/* Go from *AT to the end of a string.  Returns false if the string is wrong.
   Sets *IS_ODD if the string may have escapes.  A line feed follows. */
INLINE bool
json_hole_string(const struct json_look *look, const unsigned char **at,
                 bool *is_odd)
{
    const unsigned char *end = *at;
    uint32_t stops = json_hole_stops(look, end);

    while (__builtin_expect(stops == 0, 0)) {
        end += JSON_STRIP_BYTES;
        stops = json_hole_stops(look, end);
    }
    end += bit_first(stops);
    if (__builtin_expect(*end != '"', 0)) {
        *is_odd = true;
        end = json_hole_any(*at);
    }
    *at = end;
    return end != NULL;
}

/* The same, in larger steps. */
INLINE bool
json_hole_text(const struct json_look *look, const unsigned char **at,
               bool *is_odd)
{
    const unsigned char *end = *at;
    uint64_t stops;

    for (;; end += 2 * JSON_STRIP_BYTES) {
        stops = json_hole_stops(look, end) |
                (uint64_t)json_hole_stops(look, end + JSON_STRIP_BYTES) << 32;
        if (__builtin_expect(stops != 0, 1))
            break;
    }
    end += bit_first(stops);
    if (__builtin_expect(*end != '"', 0)) {
        *is_odd = true;
        end = json_hole_any(*at);
    }
    *at = end;
    return end != NULL;
}

/* Go from *AT to the end of a number without an exponent, true, false or null.
   Returns false if it is something else.  More digits may follow. */
INLINE bool
json_hole_scalar(const struct json_look *look, const unsigned char **at)
{
    const unsigned char *data = *at;
    __m256i place = _mm256_sub_epi8(json_strip_load(data), look->zero);
    uint64_t digits =
        json_strip_match(place, _mm256_min_epu8(place, look->nine));
    uint32_t minus = *data == '-';
    uint64_t others = ~digits >> minus;
    uint32_t whole = bit_first(others);

    if (__builtin_expect(whole > 0, 1)) {
        uint32_t end = minus + whole;
        if (((whole > 1) & (data[minus] == '0')) != 0)
            return false;
        if (data[end] == '.') {
            uint32_t part = bit_first(others >> (whole + 1));
            if (part == 0)
                return false;
            end += 1 + part;
        }
        *at += end;
        return true;
    }
    if (memcmp(data, "false", 5) == 0)
        *at += 5;
    else if (memcmp(data, "true", 4) == 0 || memcmp(data, "null", 4) == 0)
        *at += 4;
    else
        return false;
    return true;
}

/*
 * Go from AT to the ends of LANES lines, a constant, if all of them fit the
 * stencil; sets where their strips start, PLACE.  Returns false if some line
 * does not fit.  While one line waits for the size of a value, the processor
 * works on the others.
 */
INLINE bool
json_stencil_read(const struct json_stencil *stencil, const unsigned char **at,
                  const unsigned char *(*place)[JSON_LANES], bool *is_odd,
                  const uint32_t lanes)
{
    const uint32_t strips = stencil->strips;
    const struct json_look look = json_look_of();
    uint32_t other = 0;

    for (uint32_t i = 0; i < strips; i++) {
        const struct json_strip *strip = &stencil->strip[i];
        __m256i text = json_strip_load(strip->text);
#pragma GCC unroll 4
        for (uint32_t j = 0; j < lanes; j++) {
            place[i][j] = at[j];
            other |=
                strip->mask & ~json_strip_match(json_strip_load(at[j]), text);
            at[j] += strip->size;
        }
        if (other != 0)
            return false;
        switch (strip->hole) {
        case JSON_HOLE_STRING:
#pragma GCC unroll 4
            for (uint32_t j = 0; j < lanes; j++)
                if (!json_hole_string(&look, &at[j], is_odd))
                    return false;
            break;
        case JSON_HOLE_TEXT:
#pragma GCC unroll 4
            for (uint32_t j = 0; j < lanes; j++)
                if (!json_hole_text(&look, &at[j], is_odd))
                    return false;
            break;
        case JSON_HOLE_SCALAR:
#pragma GCC unroll 4
            for (uint32_t j = 0; j < lanes; j++)
                if (!json_hole_scalar(&look, &at[j]))
                    return false;
            break;
        default:
            break;
        }
    }
    return true;
}

/* Returns where the first line feed from AT on is, or JSON_NOWHERE: then it is
   not known, near the end of the data, where looks would leave them. */
INLINE uint32_t
json_stencil_end(const struct text_view *view, uint32_t at)
{
    for (; view->size - at >= 4 * BLOCK_BYTES; at += 2 * BLOCK_BYTES) {
        uint64_t low = block_match(block_load(view->data + at), '\n');
        uint64_t high =
            block_match(block_load(view->data + at + BLOCK_BYTES), '\n');
        if (__builtin_expect((low | high) != 0, 1))
            return at +
                   (low != 0 ? bit_first(low) : BLOCK_BYTES + bit_first(high));
    }
    return JSON_NOWHERE;
}

/* The value of column C of lane J, whose strips start at PLACE; a string may
   have escapes only if IS_ODD. */
INLINE struct text_slice
json_stencil_value(const struct json_stencil *stencil,
                   const unsigned char *data,
                   const unsigned char *(*place)[JSON_LANES], uint32_t j,
                   uint32_t c, bool is_odd)
{
    const struct json_edge *edge = stencil->edge[c];

    if (edge->strip == TEXT_SLICE_MISSING)
        return TEXT_SLICE_NONE;
    const unsigned char *start = place[edge->strip][j] + edge->offset;
    const unsigned char *end = place[edge[1].strip][j] + edge[1].offset;
    uint32_t at = (uint32_t)(start - data);
    if (__builtin_expect(is_odd, 0) && *end == '"')
        return json_walk_string(data, at - 1, (uint32_t)(end - data) + 1, true);
    return (struct text_slice){at, (uint32_t)(end - start)};
}

/* Read LANES lines that fit the stencil.  Returns whether they have been
   read. */
INLINE bool
json_stencil_lines(struct json_stencil *stencil, struct json_scan *scan,
                   const uint32_t lanes)
{
    const struct text_view view = {scan->data, scan->size};
    const unsigned char *place[JSON_STRIPS][JSON_LANES];
    const unsigned char *at[JSON_LANES];
    uint32_t start[JSON_LANES + 1];
    uint32_t skip = lanes > 1 ? stencil->shortest : 0;
    bool is_odd = false;

    start[0] = scan->at;
#pragma GCC unroll 4
    for (uint32_t j = 0; j < lanes; j++) {
        if (view.size - start[j] < skip)
            return false;
        at[j] = view.data + start[j];
        start[j + 1] = json_stencil_end(&view, start[j] + skip);
        if (start[j + 1] == JSON_NOWHERE)
            return false;
        start[j + 1]++;
    }
    if (!json_stencil_read(stencil, at, place, &is_odd, lanes))
        return false;
#pragma GCC unroll 4
    for (uint32_t j = 0; j < lanes; j++)
        if (at[j] != view.data + start[j + 1])
            return false; /* a short line has been skipped */
    struct text_slice *out = scan->slice;
    for (uint32_t j = 0; j < lanes; j++) {
        for (uint32_t c = 0; c < scan->paths->columns; c++, out++) {
            *out = json_stencil_value(stencil, view.data, place, j, c, is_odd);
            if (is_odd && !text_slice_is_missing(*out))
                scan->has_escapes |= json_is_escaped(view.data, *out);
        }
    }
    scan->slice = out;
    for (uint32_t i = scan->at; i < start[lanes]; i += BLOCK_BYTES)
        load_ahead(&view, i);
    stencil->shortest = lower_of(stencil->shortest, start[1] - scan->at - 1);
    stencil->gain = lower_of(stencil->gain + lanes, JSON_GAIN_MAX);
    scan->at = start[lanes];
    scan->records += lanes;
    scan->alike += lanes;
    return true;
}

/* Read lines that fit the stencil, up to MOST. */
TARGET static __attribute__((noinline)) void
json_stencil_scan(struct json_stencil *stencil, struct json_scan *scan,
                  uint32_t most)
{
    const struct text_view view = {scan->data, scan->size};

    while (scan->records < scan->records_max && scan->at < most) {
        if (scan->records_max - scan->records >= JSON_LANES &&
            json_stencil_lines(stencil, scan, JSON_LANES)) {
            if (stencil->gain == JSON_GAIN_MAX)
                stencil->next_wait = 0;
        } else if (json_stencil_end(&view, scan->at) == JSON_NOWHERE) {
            return;
        } else if (!json_stencil_lines(stencil, scan, 1)) {
            json_stencil_miss(stencil);
            return;
        }
    }
}

/* ---- learning ---- */

/* The text from START to END, and then HOLE.  PLACE: of each strip. */
static inline void
json_stencil_add(struct json_stencil *stencil, const unsigned char *data,
                 uint32_t start, uint32_t end, enum json_hole hole,
                 uint32_t *place)
{
    while (start < end && stencil->strips < JSON_STRIPS) {
        struct json_strip *strip = &stencil->strip[stencil->strips];
        uint32_t size = end - start;
        if (size > JSON_STRIP_BYTES)
            size = JSON_STRIP_BYTES;
        memset(strip->text, 0, sizeof strip->text);
        memcpy(strip->text, data + start, size);
        strip->mask = 0xffffffffu >> (JSON_STRIP_BYTES - size);
        strip->size = (unsigned char)size;
        place[stencil->strips++] = start;
        start += size;
        strip->hole = (unsigned char)(start < end ? JSON_HOLE_NONE : hole);
    }
}

/* The edge AT of a value of the line whose strips start at PLACE: the end of a
   strip, if two strips meet there, if IS_START, else the start of one. */
static inline struct json_edge
json_stencil_edge(const struct json_stencil *stencil, const uint32_t *place,
                  uint32_t at, bool is_start)
{
    uint32_t i = stencil->strips - 1;

    while (i > 0 && (is_start ? place[i] >= at : place[i] > at))
        i--;
    return (struct json_edge){i, at - place[i]};
}

/* The hole for token I of the list, a string or a scalar. */
INLINE struct text_slice
json_stencil_hole(const struct json_index *index, uint32_t i)
{
    uint32_t at = index->token[i];
    uint32_t end = json_token_end(index, i);

    return index->view.data[at] == '"' ? slice_of(at + 1, end - 1)
                                       : slice_of(at, end);
}

/* Set where column C is: VALUE, in tokens from FIRST on, of the line whose
   strips start at PLACE. */
INLINE void
json_stencil_column(struct json_stencil *stencil,
                    const struct json_index *index, const uint32_t *place,
                    uint32_t first, uint32_t c, struct text_slice value)
{
    const uint32_t *token = index->token + first + value.at;
    struct text_slice slice;

    if (value.at == TEXT_SLICE_MISSING) {
        stencil->edge[c][0].strip = TEXT_SLICE_MISSING;
        return;
    }
    if (value.size == 1)
        slice = json_stencil_hole(index, first + value.at);
    else
        slice =
            (struct text_slice){token[0], token[value.size - 1] + 1 - token[0]};
    stencil->edge[c][0] = json_stencil_edge(stencil, place, slice.at, true);
    stencil->edge[c][1] =
        json_stencil_edge(stencil, place, slice.at + slice.size, false);
}

/*
 * Make STENCIL that of the line from START on, whose tokens are those of
 * OUTLINE, from token FIRST of the list on.  The line is right.  If it has too
 * many strips, there is no stencil.
 */
TARGET static __attribute__((noinline)) void
json_stencil_learn(struct json_stencil *stencil,
                   const struct json_outline *outline,
                   const struct json_index *index, uint32_t start,
                   uint32_t first)
{
    const unsigned char *data = index->view.data;
    const uint32_t *token = index->token + first;
    const unsigned char *kind = index->kind + first;
    uint32_t last = outline->tokens - 1;
    uint32_t place[JSON_STRIPS];
    uint32_t at = start;

    stencil->strips = 0;
    stencil->shortest = token[last] - start;
    for (uint32_t i = 1; i < last; i++) {
        bool is_string = kind[i] == '"' || kind[i] == JSON_CANDIDATE;
        bool is_scalar = outline->mask[i] == 0;
        if (!is_scalar && (!is_string || kind[i + 1] == ':'))
            continue;
        struct text_slice hole = json_stencil_hole(index, first + i);
        json_stencil_add(stencil, data, at, hole.at,
                         is_scalar               ? JSON_HOLE_SCALAR
                         : hole.size < JSON_LONG ? JSON_HOLE_STRING
                                                 : JSON_HOLE_TEXT,
                         place);
        at = hole.at + hole.size;
    }
    json_stencil_add(stencil, data, at, token[last] + 1, JSON_HOLE_NONE, place);
    for (uint32_t c = 0; c < index->paths->columns; c++)
        json_stencil_column(stencil, index, place, first, c, outline->value[c]);
    if (stencil->strips == JSON_STRIPS) {
        stencil->strips = 0;
        stencil->wait = JSON_MISS_WAIT_MAX;
    }
}

/* A line from START on, the tokens before index->first, has been read with an
   outline.  Returns whether to try the stencil on the next line. */
INLINE bool
json_stencil_is_due(struct json_stencil *stencil,
                    const struct json_outlines *outlines,
                    const struct json_index *index, uint32_t start)
{
    if (stencil->wait > 0) {
        stencil->wait--;
        return false;
    }
    if (stencil->strips == 0 && outlines->repeats >= JSON_REPEATS)
        json_stencil_learn(stencil, outlines->last, index, start,
                           index->first - outlines->last->tokens);
    return stencil->strips > 0;
}

#endif
