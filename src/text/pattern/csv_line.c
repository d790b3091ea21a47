/* SPDX-License-Identifier: MIT */
/* csv_line.c -- lines of a fixed number of values of CSV */

#include <string.h>

#include "text/pattern/csv_line.h"

uint32_t
csv_line_find_quote(const unsigned char *data, uint32_t at, uint32_t end)
{
    while (at < end &&
           (data[at] != '"' || (end - at > 1 && data[at + 1] == '"')))
        at += data[at] == '"' ? 2 : 1;
    return at;
}

/* Set *VALUE to the value at *AT, and move *AT to its end.  Returns NULL, or
   the reason why the value is wrong. */
static const char *
read_value(const unsigned char *data, uint32_t *at, uint32_t end,
           struct text_slice *value)
{
    bool is_quoted = *at < end && data[*at] == '"';
    uint32_t start = *at + is_quoted;
    uint32_t stop = start;

    if (is_quoted) {
        stop = csv_line_find_quote(data, start, end);
        if (stop == end)
            return "has a quote without an end";
    } else {
        while (stop < end && data[stop] != ',')
            stop++;
        if (memchr(data + start, '"', stop - start) != NULL)
            return "has a quote in a value without quotes";
    }
    *value = (struct text_slice){start, stop - start};
    *at = stop + is_quoted;
    return NULL;
}

bool
csv_line_match(const struct pattern *pattern, const unsigned char *data,
               uint32_t at, uint32_t end, struct text_slice *value,
               struct pattern_fault *fault)
{
    for (size_t i = 0; i < pattern->count; i++) {
        *fault = (struct pattern_fault){at, i > 0 ? "has too few values" : ""};
        if (i > 0 && (at == end || data[at++] != ','))
            return false;
        fault->at = at;
        fault->reason = read_value(data, &at, end, &value[i]);
        if (fault->reason == NULL)
            fault->reason = pattern_wrong_value(
                &pattern->field[i], data + value[i].at, value[i].size);
        if (fault->reason != NULL)
            return false;
    }
    *fault = (struct pattern_fault){at, "follows the last value"};
    return at == end;
}
