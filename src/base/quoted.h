/* SPDX-License-Identifier: MIT */
/* quoted.h -- a text between quotes, as users write it */

#ifndef GPUHIST_QUOTED_H
#define GPUHIST_QUOTED_H

#include <stddef.h>

/*
 * Read the text in quotes at TEXT, which starts with a quote of any kind.
 * Before the closing quote, two quotes stand for one quote; quotes have no
 * other escapes.  Unless COPY is NULL, copies the text without quotes, and a
 * NUL, to COPY, which has room for TEXT.  Sets *SIZE to the number of bytes of
 * the text without quotes.  Returns the text after the closing quote, or NULL
 * if no quote closes.
 */
const char *quoted_read(const char *text, char *copy, size_t *size);

/*
 * Returns the length of the first item of LIST, which ends before a comma
 * outside quotes, if the whole item is in quotes; otherwise 0.
 */
size_t quoted_item(const char *list);

#endif
