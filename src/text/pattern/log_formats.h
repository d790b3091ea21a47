/* SPDX-License-Identifier: MIT */
/* log_formats.h -- the formats of logs that have a name */

#ifndef GPUHIST_LOG_FORMATS_H
#define GPUHIST_LOG_FORMATS_H

#include "text/pattern/pattern.h"

/* The most patterns of a format. */
#define LOG_PATTERNS_MAX 4

/* The patterns of a format, which are tried in their order. */
struct log_patterns {
    struct pattern pattern[LOG_PATTERNS_MAX];
    size_t count;
    char *names; /* owned: of the fields, of w3c (w3c_line.h); or NULL */
};

/* Whether TEXT is the name of a format whose fields are named in the data: then
   log_patterns_open() gets "w3c", a blank and the names instead of TEXT. */
bool log_format_has_header(const char *text);

/* Whether TEXT is a name of lines of JSON. */
bool log_format_is_json(const char *text);

/* Returns the mark of lines that are not records of format TEXT; or NULL. */
const char *log_format_comment(const char *text);

/*
 * Set *PATTERNS to those that TEXT stands for, the argument of --log-format: a
 * text without % and $ is a name, any other text is a pattern.  Of a format
 * whose names are not known yet, there are no patterns.  Returns 0, or -1 with
 * *ERROR set; the caller calls log_patterns_close() in both cases.
 */
int log_patterns_open(struct log_patterns *patterns, const char *text,
                      struct error *error);

void log_patterns_close(struct log_patterns *patterns);

#endif
