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
logfmt_line_read(const struct json_paths *paths, const unsigned char *data,
                 uint32_t at, uint32_t end, struct text_slice *out)
{
    while (at < end && logfmt_is_blank(data[at]))
        at++;
    if (at == end)
        return false;
    for (uint32_t i = 0; i < paths->columns; i++)
        out[i] = TEXT_SLICE_NONE;
    while (at < end) {
        struct text_slice value;
        uint32_t key = at;
        while (at < end && data[at] != '=' && !logfmt_is_blank(data[at]))
            at++;
        uint32_t key_end = at;
        at += at < end && data[at] == '=';
        value = (struct text_slice){at, 0};
        if (at > key_end && at < end && data[at] == '"') {
            at = logfmt_line_quoted(data, at, end, &value);
        } else if (at > key_end) {
            while (at < end && !logfmt_is_blank(data[at]))
                at++;
            value.size = at - value.at;
        }
        if (at > key)
            set_columns(paths, data + key, key_end - key, value, out);
        while (at < end && logfmt_is_blank(data[at]))
            at++;
    }
    return true;
}
