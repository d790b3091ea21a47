/* SPDX-License-Identifier: MIT */
/* logfmt_scan.c -- find the wanted values of all lines of logfmt of a chunk */

#include <stdlib.h>
#include <string.h>

#include "text/logfmt_line.h"
#include "text/logfmt_names.h"
#include "text/logfmt_scan.h"

size_t
logfmt_scan_bytes(const struct scan *scan, const unsigned char *data,
                  size_t size, size_t *done, struct text_slice *slice,
                  size_t records_max, struct scan_ledger *ledger)
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
        } else if (logfmt_line_read(&scan->paths, data, first, end, slice)) {
            slice += scan->wanted;
            records++;
        }
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

    *scan = (struct scan){.format = *format,
                          .wanted = list->count,
                          .run = scan_fastest(logfmt_scan_bytes)};
    for (size_t i = 0; result == 0 && i < list->count; i++) {
        path[i] = *list->name[i] == '\0'
                      ? strdup("") /* the whole line */
                      : logfmt_names_path(list->name[i], strlen(list->name[i]));
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
