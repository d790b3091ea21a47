/* SPDX-License-Identifier: MIT */
/*
 * alignment_pages.h -- text of records that helpers write side by side
 *
 * A helper that has decoded some consecutive content, a set, looks for the
 * first record that starts in the set, and writes the text of this record and
 * the following ones to a page.  Where a record starts is a guess there: in
 * SAM, where a line does, which is after the first end of a line.  The owner of
 * the content knows where records start, because it goes from record to record:
 * it takes the text of a page only if a record starts where the page starts.
 * All else, the owner reads: records that cross sets, records after the end of
 * a page, and wrong ones.
 */

#ifndef GPUHIST_ALIGNMENT_PAGES_H
#define GPUHIST_ALIGNMENT_PAGES_H

#include <stdatomic.h>

#include "input/alignment/alignment_page.h"
#include "input/alignment/alignment_text.h"
#include "input/alignment/alignment_walk.h"

/* Bytes of a page: more than the text of a set of short reads has. */
#define ALIGNMENT_PAGE_BYTES \
    (sizeof(struct alignment_page) + ALIGNMENT_PAGE_ROOM)

/* What helpers share.  All 0 at first, but the first two. */
struct alignment_pages {
    struct alignment_choice choice;
    size_t bytes_max; /* limit of a record */
    struct alignment_letters letters;
    struct alignment_walk walk; /* before a record, constant once IS_READY */
    atomic_bool is_ready;       /* the header is read: pages have records */
};

/* WALK has read the header, and stays until all helpers have ended: pages are
   written from now on. */
void alignment_pages_start(struct alignment_pages *pages,
                           const struct alignment_walk *walk);

/* Returns a struct alignment_page, or NULL: out of memory. */
void *alignment_page_open(void);

/* Write PAGE, a struct alignment_page, by PAGES, a struct alignment_pages: of
   the set of SIZE bytes at DATA, which stay as they are. */
void alignment_page_write(void *pages, void *page, unsigned char *data,
                          size_t size);

/* Release PAGE, which may be NULL. */
void alignment_page_close(void *page);

#endif
