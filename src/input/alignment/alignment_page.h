/* SPDX-License-Identifier: MIT */
/* alignment_page.h -- the text of consecutive records: see alignment_pages.h */

#ifndef GPUHIST_ALIGNMENT_PAGE_H
#define GPUHIST_ALIGNMENT_PAGE_H

#include "input/alignment/alignment_order.h"

/* Room for the text of a page. */
#define ALIGNMENT_PAGE_ROOM ((size_t)3 << 19)

/* A place in the text of a page where a record ends; RECORDS of the page have
   ended there. */
struct alignment_page_mark {
    size_t text;
    uint64_t records;
};

/* Text between two marks, at least: little to copy once more. */
#define ALIGNMENT_PAGE_MARK_BYTES ((size_t)8 << 10)

struct alignment_page {
    /* The page is of the RECORDS in these bytes of a set. */
    size_t start, end;
    uint64_t records;

    unsigned char *text; /* TEXT_BYTES of ALIGNMENT_PAGE_ROOM, owned */
    size_t text_bytes;   /* may be 0: no record of the page is wanted */
    uint64_t texts;      /* records with text */
    struct alignment_page_mark
        mark[ALIGNMENT_PAGE_ROOM / ALIGNMENT_PAGE_MARK_BYTES];
    size_t marks;

    /* The place of the last record that is ordered, if HAS_ORDER.  The words
       of the page need no place before the page. */
    bool has_order;
    struct alignment_order order;
};

#endif
