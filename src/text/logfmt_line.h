/* SPDX-License-Identifier: MIT */
/*
 * logfmt_line.h -- the wanted values of a line of logfmt, byte by byte
 *
 * A line is pairs KEY=VALUE between blanks: all bytes up to the space.  A key
 * ends at the first '=' or blank.  A value ends at a blank; a value that starts
 * with '"' ends at the next '"' without a backslash before it, or with the
 * line.  A value in quotes is read as a string of JSON; if it is not such a
 * string, the bytes between the quotes are the value.  A key without a value
 * has an empty value.  If a line has a key twice, the last value counts.
 */

#ifndef GPUHIST_LOGFMT_LINE_H
#define GPUHIST_LOGFMT_LINE_H

#include <stdbool.h>

#include "text/json_paths.h"
#include "text/text_slice.h"

/*
 * Set the columns in OUT to the values of the line from AT to END of the data,
 * byte by byte.  Returns false if the line has only blanks: then OUT is not
 * set.
 */
bool logfmt_line_read(const struct json_paths *paths, const unsigned char *data,
                      uint32_t at, uint32_t end, struct text_slice *out);

/* Set the columns in OUT that are of the whole LINE. */
static inline void
logfmt_line_set(const struct json_paths *paths, struct text_slice line,
                struct text_slice *out)
{
    for (uint32_t c = paths->node[0].column; c != JSON_NONE;
         c = paths->next_column[c])
        out[c] = line;
}

/*
 * Set *KEY and *VALUE to those of the first pair from *AT on of a line that
 * ends at END, and move *AT after the pair.  Returns false if only blanks
 * follow.
 */
bool logfmt_line_next(const unsigned char *data, uint32_t *at, uint32_t end,
                      struct text_slice *key, struct text_slice *value);

/* Set *VALUE to the value in quotes that starts at AT of a line that ends at
   END.  Returns where the value ends, after its quote. */
uint32_t logfmt_line_quoted(const unsigned char *data, uint32_t at,
                            uint32_t end, struct text_slice *value);

#endif
