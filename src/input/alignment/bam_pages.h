/* SPDX-License-Identifier: MIT */
/*
 * bam_pages.h -- text of BAM that helpers of a decoder write side by side
 *
 * A helper that has decoded some consecutive content, a set, looks for the
 * first record that starts in the set, and writes the text of this record and
 * the following ones to a page.  Where a record starts is a guess there.  The
 * owner of the content knows where records start, because it goes from record
 * to record: it takes the text of a page only if a record starts where the page
 * starts.  All else, the owner reads: records that cross sets, records after
 * the end of a page, and wrong ones.
 */

#ifndef GPUHIST_BAM_PAGES_H
#define GPUHIST_BAM_PAGES_H

#include <stdatomic.h>

#include "input/alignment/alignment_text.h"
#include "input/alignment/bam_page.h"
#include "input/alignment/bam_walk.h"

/* Bytes of a page: more than the text of a set of short reads has. */
#define BAM_PAGE_BYTES (sizeof(struct bam_page) + BAM_PAGE_ROOM)

/* What helpers share.  All 0 at first, but the first two. */
struct bam_pages {
    struct alignment_choice choice;
    size_t bytes_max; /* limit of a record */
    struct alignment_letters letters;
    struct bam_walk walk; /* before a record, constant once IS_READY */
    atomic_bool is_ready; /* the header is read: pages have records */
};

/* WALK has read the header, and stays until all helpers have ended: pages are
   written from now on. */
void bam_pages_start(struct bam_pages *pages, const struct bam_walk *walk);

/* Returns a struct bam_page, or NULL: out of memory. */
void *bam_page_open(void);

/* Write PAGE, a struct bam_page, by PAGES, a struct bam_pages: of the set of
   SIZE bytes at DATA, which stay as they are. */
void bam_page_write(void *pages, void *page, unsigned char *data, size_t size);

/* Release PAGE, which may be NULL. */
void bam_page_close(void *page);

#endif
