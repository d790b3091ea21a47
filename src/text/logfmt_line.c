/* SPDX-License-Identifier: MIT */
/* logfmt_line.c -- the wanted values of a line of logfmt, byte by byte */

#include <string.h>

#include "text/json_text.h"
#include "text/logfmt_line.h"
#include "text/logfmt_names.h"

/* Set the columns in OUT whose key is the SIZE bytes at KEY to VALUE. */
static void
set_columns(const struct json_paths *paths, const unsigned char *key,
            size_t size, struct text_slice value, struct text_slice *out)
{
    uint32_t n = paths->node[0].child;

    while (n != JSON_NONE && (paths->node[n].size != size ||
                              memcmp(paths->node[n].name, key, size) != 0))
        n = paths->node[n].next;
    if (n == JSON_NONE)
        return;
    for (uint32_t column = paths->node[n].column; column != JSON_NONE;
         column = paths->next_column[column])
        out[column] = value;
}

uint32_t
logfmt_line_quoted(const unsigned char *data, uint32_t at, uint32_t end,
                   struct text_slice *value)
{
    const char *wrong;
    bool has_escapes = false;
    uint32_t stop = at + 1;

    while (stop < end && data[stop] != '"') {
        has_escapes |= data[stop] == '\\';
        stop += data[stop] == '\\' && end - stop > 1 ? 2 : 1;
    }
    *value = (struct text_slice){at + 1, stop - at - 1};
    if (stop == end)
        return end;
    /* A slice with its quotes is written as a string of JSON. */
    if (has_escapes && json_string_end(data, at, end, &wrong) == stop + 1 &&
        wrong == NULL)
        *value = (struct text_slice){at, stop + 1 - at};
    return stop + 1;
}

bool
logfmt_line_next(const unsigned char *data, uint32_t *at, uint32_t end,
                 struct text_slice *key, struct text_slice *value)
{
    uint32_t start = *at;

    while (start < end && logfmt_is_blank(data[start]))
        start++;
    *at = start;
    if (start == end)
        return false;
    uint32_t stop = start;
    while (stop < end && data[stop] != '=' && !logfmt_is_blank(data[stop]))
        stop++;
    *key = (struct text_slice){start, stop - start};
    bool has_value = stop < end && data[stop] == '=';
    start = stop + has_value;
    if (has_value && start < end && data[start] == '"') {
        *at = logfmt_line_quoted(data, start, end, value);
        return true;
    }
    stop = start;
    while (has_value && stop < end && !logfmt_is_blank(data[stop]))
        stop++;
    *value = (struct text_slice){start, stop - start};
    *at = stop;
    return true;
}

bool
logfmt_line_read(const struct json_paths *paths, const unsigned char *data,
                 uint32_t at, uint32_t end, struct text_slice *out)
{
    const struct text_slice line = {at, end - at};
    struct text_slice key;
    struct text_slice value;

    if (!logfmt_line_next(data, &at, end, &key, &value))
        return false;
    for (uint32_t i = 0; i < paths->columns; i++)
        out[i] = TEXT_SLICE_NONE;
    logfmt_line_set(paths, line, out);
    do {
        set_columns(paths, data + key.at, key.size, value, out);
    } while (logfmt_line_next(data, &at, end, &key, &value));
    return true;
}
