/* SPDX-License-Identifier: MIT */
/* json_line.h -- read one line of JSON, or find its error, byte by byte */

#ifndef GPUHIST_JSON_LINE_H
#define GPUHIST_JSON_LINE_H

#include "text/json_paths.h"
#include "text/text_slice.h"

/* The most arrays and objects inside of each other. */
#define JSON_DEPTH_MAX 1000000

/* A line that is not an object of JSON.  REASON is NULL: the line is right. */
struct json_wrong {
    struct text_slice slice; /* from the error to the end of the line ... */
    const char *reason;      /* ... and the reason */
};

/*
 * Read the line from START to END of the data, which has no line feed and is
 * not blank.  Sets OUT, a slice for each column of PATHS, to the values, or to
 * TEXT_SLICE_NONE.  Returns whether the line is an object of JSON; if not, OUT
 * has no meaning, and *WRONG is set.
 */
bool json_line_read(const struct json_paths *paths, const unsigned char *data,
                    uint32_t start, uint32_t end, struct text_slice *out,
                    struct json_wrong *wrong);

#endif
