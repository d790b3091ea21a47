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
};

/*
 * Set *PATTERNS to those that TEXT stands for, the argument of --log-format: a
 * text without % and $ is a name, any other text is a pattern.  Returns 0, or
 * -1 with *ERROR set; the caller calls log_patterns_close() in both cases.
 */
int log_patterns_open(struct log_patterns *patterns, const char *text,
                      struct error *error);

void log_patterns_close(struct log_patterns *patterns);

#endif
