/* SPDX-License-Identifier: MIT */
/* quoted.c -- a text between quotes, as users write it */

#include "base/quoted.h"

const char *
quoted_read(const char *text, char *copy, size_t *size)
{
    const char quote = *text++;

    for (*size = 0; *text != quote || text[1] == quote; text++) {
        if (*text == '\0')
            return NULL;
        text += *text == quote;
        if (copy != NULL)
            copy[*size] = *text;
        ++*size;
    }
    if (copy != NULL)
        copy[*size] = '\0';
    return text + 1;
}

size_t
quoted_item(const char *list)
{
    size_t size;
    const char *end = *list == '"' ? quoted_read(list, NULL, &size) : NULL;

    return end != NULL && (*end == ',' || *end == '\0') ? (size_t)(end - list)
                                                        : 0;
}
