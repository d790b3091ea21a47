/* logfmt_scan.c -- find the wanted values of lines of logfmt, byte by byte */

#include <stdlib.h>
#include <string.h>

#include "text/json_text.h"
#include "text/logfmt_names.h"
#include "text/logfmt_scan.h"

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

/* Returns the end of the value in quotes that starts at AT, and sets *VALUE. */
static uint32_t
read_quoted(const unsigned char *data, uint32_t at, uint32_t end,
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

/* Set the columns in OUT to the values of the line from AT to END. */
static void
read_line(const struct json_paths *paths, const unsigned char *data,
          uint32_t at, uint32_t end, struct text_slice *out)
{
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
            at = read_quoted(data, at, end, &value);
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
}

/* As a form. */
static size_t
run(const struct scan *scan, const unsigned char *data, size_t size,
    size_t *done, struct text_slice *slice, size_t records_max,
    struct scan_ledger *ledger)
{
    uint32_t at = (uint32_t)*done;
    size_t records = 0;

    while (records < records_max && at < size) {
        const unsigned char *found =
            memchr(data + at, (int)scan->format.end, size - at);
        uint32_t end = (uint32_t)(found != NULL ? found - data : (long)size);
        uint32_t first = at;
        at = end + (found != NULL);
        if (end > first &&
            fields_is_comment(&scan->format, data, (uint32_t)size, first)) {
            ledger->comments++;
            continue;
        }
        while (first < end && logfmt_is_blank(data[first]))
            first++;
        if (first == end)
            continue;
        read_line(&scan->paths, data, first, end, slice);
        slice += scan->wanted;
        records++;
    }
    *done = at;
    return records;
}

int
logfmt_scan_open(struct scan *scan, const struct text_format *format,
                 const struct field_list *list, struct error *error)
{
    char **path = calloc(list->count, sizeof *path);
    int result = path != NULL ? 0 : -1;

    *scan = (struct scan){.format = *format, .wanted = list->count, .run = run};
    for (size_t i = 0; result == 0 && i < list->count; i++) {
        path[i] = logfmt_names_path(list->name[i], strlen(list->name[i]));
        result = path[i] != NULL ? 0 : -1;
    }
    if (result < 0)
        (void)error_fail_memory(error);
    else
        result = json_paths_open(&scan->paths, path, list->count, error);
    for (size_t i = 0; path != NULL && i < list->count; i++)
        free(path[i]);
    free(path);
    return result;
}
