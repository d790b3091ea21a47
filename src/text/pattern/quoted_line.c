/* SPDX-License-Identifier: MIT */
/* quoted_line.c -- lines of values between blanks, some of them in marks */

#include <string.h>

#include "kernels/text/clf.h"
#include "text/pattern/quoted_line.h"

unsigned char
quoted_line_opening(const struct pattern_field *field)
{
    if (field->is_quoted)
        return '"';
    return field->after_size > 0 && *field->after == ']' ? '[' : 0;
}

/* Whether a value that ends at AT is followed by a blank or the END. */
static bool
is_ended(const unsigned char *data, uint32_t at, uint32_t end)
{
    return at == end || data[at] == ' ';
}

/* Returns where the mark CLOSING of a value that starts at AT is; END: the
   value is not closed. */
static uint32_t
find_closing(const unsigned char *data, uint32_t at, uint32_t end,
             unsigned char closing)
{
    while (at < end && (data[at] != closing || !is_ended(data, at + 1, end))) {
        at += closing == '"' && data[at] == '\\' && end - at > 1;
        at++;
    }
    return at;
}

/*
 * Set *VALUE to the value of FIELD at *AT, and *AT to the end of the value and
 * its marks.  Returns NULL, or the reason why the value is wrong.
 */
static const char *
read_value(const struct pattern_field *field, const unsigned char *data,
           uint32_t *at, uint32_t end, struct text_slice *value)
{
    unsigned char opening = quoted_line_opening(field);
    uint32_t start = *at;
    uint32_t stop;

    if (opening != 0 && start < end && data[start] == opening) {
        start++;
        stop = find_closing(data, start, end, opening == '"' ? '"' : ']');
        if (stop == end)
            return field->lacks;
        *at = stop + 1;
    } else {
        const unsigned char *blank = memchr(data + start, ' ', end - start);
        stop = blank != NULL ? (uint32_t)(blank - data) : end;
        if (memchr(data + start, '"', stop - start) != NULL)
            return "has a quote in a value without quotes";
        if (stop == start)
            return "is no value";
        if (opening != 0 && (stop - start != 1 || data[start] != '-'))
            return "is no value between quotes or brackets";
        *at = stop;
    }
    *value = (struct text_slice){start, stop - start};
    return pattern_wrong_value(field, data + start, stop - start);
}

bool
quoted_line_match(const struct pattern *pattern, const unsigned char *data,
                  uint32_t at, uint32_t end, struct text_slice *value,
                  struct pattern_fault *fault)
{
    for (size_t i = 0; i < pattern->count; i++) {
        const struct pattern_field *field = &pattern->field[i];
        /* A blank may end the line. */
        if (i >= pattern->needed && end - at <= 1) {
            value[i] = clf_missing();
            continue;
        }
        *fault = (struct pattern_fault){at, i > 0 ? field[-1].lacks : NULL};
        if (i > 0 && (at == end || data[at++] != ' '))
            return false;
        fault->at = at;
        fault->reason = read_value(field, data, &at, end, &value[i]);
        if (fault->reason != NULL)
            return false;
    }
    *fault = (struct pattern_fault){at, "follows the last value"};
    return is_ended(data, at, end);
}
