/* SPDX-License-Identifier: MIT */
/*
 * pages.h -- memory for large tables, from the system
 *
 * Large tables are read in any order, so each access needs the address of
 * another page.  Huge pages need fewer addresses, and the system clears and
 * releases huge pages many times faster.  They are optional.
 */

#ifndef GPUHIST_PAGES_H
#define GPUHIST_PAGES_H

#include <stddef.h>

#define PAGES_HUGE_BYTES ((size_t)2 << 20)

/*
 * Returns BYTES, 1 or more, of zeros, aligned to huge pages, or NULL.  A page
 * is in memory once it is written; no other bytes share the last huge page.
 */
void *pages_take(size_t bytes);

/* Write 0 to the BYTES at PAGES, which are 0, with several threads: the pages
   come into memory sooner than by the writes of one thread. */
void pages_touch(void *pages, size_t bytes);

/* Release PAGES, which have BYTES. */
void pages_give(void *pages, size_t bytes);

/* Ask for huge pages in the BYTES at MEMORY, which have not been written. */
void pages_advise(void *memory, size_t bytes);

#endif
