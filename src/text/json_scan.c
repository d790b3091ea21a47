/* SPDX-License-Identifier: MIT */
/* json_scan.c -- find the wanted members of lines of JSON, byte by byte */

#include <string.h>

#include "text/json_scan.h"
#include "text/json_text.h"

/* Whether the line from AT to END has nothing but blanks. */
static bool
is_blank(const struct json_scan *scan, uint32_t at, uint32_t end)
{
    while (at < end && json_is_blank(scan->data[at]))
        at++;
    return at == end;
}

bool
json_scan_line(struct json_scan *scan, uint32_t end)
{
    const struct text_format *format = scan->format;
    uint32_t start = scan->at;
    uint32_t next = end < scan->size ? end + 1 : end;

    scan->slow++;
    scan->has_escapes = true;
    if (start < end &&
        fields_is_comment(format, scan->data, scan->size, start)) {
        scan->comments++;
        scan->at = next;
        return true;
    }
    if (is_blank(scan, start, end)) {
        scan->at = next;
        return true;
    }
    if (!json_line_read(scan->paths, scan->data, start, end, scan->slice,
                        &scan->wrong)) {
        if (!format->counts_invalid)
            return false;
        scan->wrong.reason = NULL;
        for (uint32_t i = 0; i < scan->paths->columns; i++)
            scan->slice[i] = TEXT_SLICE_INVALID;
    }
    scan->slice += scan->paths->columns;
    scan->records++;
    scan->at = next;
    return true;
}

void
json_scan_portable(struct json_scan *scan)
{
    while (scan->records < scan->records_max && scan->at < scan->size) {
        const unsigned char *start = scan->data + scan->at;
        const unsigned char *end = memchr(start, '\n', scan->size - scan->at);
        if (!json_scan_line(scan, end != NULL ? (uint32_t)(end - scan->data)
                                              : scan->size))
            return;
    }
}
