/* SPDX-License-Identifier: MIT */
/* json_members.h -- the paths of the members that an object of JSON has */

#ifndef GPUHIST_JSON_MEMBERS_H
#define GPUHIST_JSON_MEMBERS_H

#include <stddef.h>

/* More members are not found. */
#define JSON_MEMBERS_MAX 256

/* All 0: none. */
struct json_members {
    char *path[JSON_MEMBERS_MAX]; /* COUNT of them, owned */
    size_t count;
};

/*
 * Find the paths (json_paths.h) of the members of the object at the start of
 * the SIZE bytes at DATA, in their order; the object may be cut short or wrong.
 * An object inside is replaced by its members, an array by its elements, []; in
 * such a path, an array inside is replaced by its first element, [0].
 * Without memory some paths are left out.  The caller calls
 * json_members_close().
 */
void json_members_find(struct json_members *members, const unsigned char *data,
                       size_t size);

void json_members_close(struct json_members *members);

#endif
