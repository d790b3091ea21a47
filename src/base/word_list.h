/* SPDX-License-Identifier: MIT */
/* word_list.h -- words in a string, separated by spaces */

#ifndef GPUHIST_WORD_LIST_H
#define GPUHIST_WORD_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

/* Whether the words of LIST have the LENGTH bytes at TEXT, in any case.  A LIST
   that is NULL has none. */
static inline bool
word_list_has(const char *list, const char *text, size_t length)
{
    while (list != NULL && *list != '\0') {
        size_t size = strcspn(list, " ");
        if (size == length && strncasecmp(list, text, length) == 0)
            return true;
        list += size + strspn(list + size, " ");
    }
    return false;
}

#endif
