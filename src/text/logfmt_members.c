/* SPDX-License-Identifier: MIT */
/* logfmt_members.c -- the keys that a line of logfmt has */

#include <string.h>

#include "text/logfmt_line.h"
#include "text/logfmt_members.h"

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
    struct text_slice key;
    struct text_slice value;

    *members = (struct json_members){.count = 0};
    while (logfmt_line_next(data, &at, end, &key, &value)) {
        if (key.size > 0)
            add(members, data + key.at, key.size);
    }
}
