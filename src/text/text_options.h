/* text_options.h -- the options for records and fields of text */

#ifndef GPUHIST_TEXT_OPTIONS_H
#define GPUHIST_TEXT_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "text/field_list.h"
#include "text/text_format.h"
#include "util/error.h"

/* How the input is divided into records. */
enum records {
    RECORDS_BINARY, /* unless there is a delimiter */
    RECORDS_LINES,
    RECORDS_TSV,
    RECORDS_WHITESPACE,
};

/* Texts point into argv; NULL: not given. */
struct text_options {
    unsigned int records; /* enum records */
    const char *delimiter;
    bool is_zero_terminated;
    const char *comment;
};

/* Whether the input is text. */
static inline bool
text_options_are_given(const struct text_options *options)
{
    return options->records != RECORDS_BINARY || options->delimiter != NULL;
}

/*
 * Set *FORMAT to what OPTIONS, which are given, ask for, and *LIST to FIELDS,
 * the argument of --fields; whole lines are field 1.  Returns 0, or -1 with
 * *ERROR set; the caller calls field_list_close() in both cases.
 */
int text_options_parse(const struct text_options *options, const char *fields,
                       struct text_format *format, struct field_list *list,
                       struct error *error);

#endif
