/* logfmt_members.c -- the keys that a line of logfmt has */

#include <string.h>

#include "text/logfmt_line.h"
#include "text/logfmt_members.h"
#include "text/logfmt_names.h"

/* Add the key of SIZE bytes at KEY, unless MEMBERS has it. */
static void
add(struct json_members *members, const unsigned char *key, size_t size)
{
    if (members->count == JSON_MEMBERS_MAX)
        return;
    for (size_t i = 0; i < members->count; i++) {
        if (strlen(members->path[i]) == size &&
            memcmp(members->path[i], key, size) == 0)
            return;
    }
    char *path = strndup((const char *)key, size);
    if (path != NULL)
        members->path[members->count++] = path;
}

void
logfmt_members_find(struct json_members *members, const unsigned char *data,
                    size_t size)
{
    uint32_t end = (uint32_t)(size < UINT32_MAX ? size : UINT32_MAX);
    uint32_t at = 0;
    struct text_slice value;

    *members = (struct json_members){.count = 0};
    while (at < end) {
        uint32_t start = at;
        while (at < end && data[at] != '=' && !logfmt_is_blank(data[at]))
            at++;
        if (at > start)
            add(members, data + start, at - start);
        bool has_value = at < end && data[at] == '=';
        at++;
        if (has_value && at < end && data[at] == '"') {
            at = logfmt_line_quoted(data, at, end, &value);
            continue;
        }
        while (has_value && at < end && !logfmt_is_blank(data[at]))
            at++;
    }
}
