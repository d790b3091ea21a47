/* SPDX-License-Identifier: MIT */
/*
 * json_value.h -- values of JSON in a list of tokens, for the forms of a scan
 */

#ifndef GPUHIST_JSON_VALUE_H
#define GPUHIST_JSON_VALUE_H

#include <immintrin.h>

#include "text/json_index.h"
#include "text/json_walk.h"

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
        bool is_number =
            whole > 0 && ((whole == 1) | (data[minus] != '0')) != 0;
        if (is_number && minus + whole == size)
            return true;
        if (is_number && data[minus + whole] == '.') {
            uint32_t part = bit_first(others >> (whole + 1));
            part += minus + whole + 1;
            if (part == sizeof(__m128i) && view->size - at > 2 * part)
                part += bit_first(~json_digits_at(data + part));
            if (part > minus + whole + 1 && part == size)
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

/* Returns the end of token I of the list, a string or a scalar; another token
   follows, after blanks perhaps. */
INLINE uint32_t
json_token_end(const struct json_index *index, uint32_t i)
{
    const unsigned char *data = index->view.data;
    uint32_t at = index->token[i];
    uint32_t end = index->token[i + 1];

    if (data[at] == '"') {
        while (data[end - 1] != '"')
            end--;
        return end;
    }
    while (end - at > 1 && json_is_blank(data[end - 1]))
        end--;
    return end;
}

/* The value that token I of the list is, a string or a scalar; another token
   follows. */
INLINE struct text_slice
json_value_slice(const struct json_index *index, uint32_t i)
{
    const unsigned char *data = index->view.data;
    uint32_t at = index->token[i];
    uint32_t end = json_token_end(index, i);

    if (data[at] == '"')
        return json_walk_string(data, at, end, at < index->known.escaped);
    return slice_of(at, end);
}

#endif
