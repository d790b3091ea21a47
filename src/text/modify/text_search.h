/* SPDX-License-Identifier: MIT */
/* text_search.h -- where a text is in another one */

#ifndef GPUHIST_TEXT_SEARCH_H
#define GPUHIST_TEXT_SEARCH_H

#include <stddef.h>

/*
 * Returns the offset of the first WANTED_SIZE bytes, 1 or more, that are WANTED
 * in the SIZE bytes at TEXT; SIZE: none are.  Fast for few letters, as bases,
 * where memmem(3) looks at nearly each byte by itself.
 */
size_t text_search(const unsigned char *text, size_t size,
                   const unsigned char *wanted, size_t wanted_size);

#endif
