/* SPDX-License-Identifier: MIT */
/*
 * json_text.h -- tokens of JSON: strings and their values, numbers, words
 *
 * As in RFC 8259.  A string is UTF-8.  An escape of half a surrogate pair
 * stands for no character; its value is U+FFFD.
 */

#ifndef GPUHIST_JSON_TEXT_H
#define GPUHIST_JSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "text/text_slice.h"

static inline bool
json_is_blank(unsigned char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

/*
 * Returns the end of the string whose quote is at AT of the data, before END.
 * If the text is not a string, sets *WRONG to the error in the text at the
 * returned offset.
 */
uint32_t json_string_end(const unsigned char *data, uint32_t at, uint32_t end,
                         const char **wrong);

/* The same for a number, true, false or null, which a blank, a comma, a bracket
   or END must follow. */
uint32_t json_scalar_end(const unsigned char *data, uint32_t at, uint32_t end,
                         const char **wrong);

/* Whether the value of a member differs from its slice: a string with escapes,
   whose slice starts with its quote.  No other slice starts with a quote. */
static inline bool
json_is_escaped(const unsigned char *data, struct text_slice slice)
{
    return slice.size > 0 && data[slice.at] == '"';
}

/*
 * Write the value of SLICE, a string with its quotes, to VALUE, which has room
 * for SLICE.size bytes.  Returns the size of the value, which is less.
 */
size_t json_text_write(const unsigned char *data, struct text_slice slice,
                       unsigned char *value);

/* Whether the value of the string whose quote is at AT is the SIZE bytes at
   NAME.  It is a string, and ends before END. */
bool json_text_is(const unsigned char *data, uint32_t at, uint32_t end,
                  const unsigned char *name, size_t size);

/* Returns the end of the value of JSON that starts at AT of the SIZE bytes at
   DATA; it is right, and ends there. */
size_t json_value_end(const unsigned char *data, size_t at, size_t size);

#endif
