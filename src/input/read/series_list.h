/* SPDX-License-Identifier: MIT */
/*
 * series_list.h -- join the series of the claims of a content in their order
 *
 * Readers read ranges of a plain file, or parts of a compressed file, at the
 * same time.  Each claim has a series of its bytes.  The list of a content has
 * the claims in the order of their bytes: a reader claims bytes only after all
 * earlier bytes are claimed.  When a reader leaves, the list passes the series
 * to the claim before, or keeps the series if no reader has earlier bytes.  So
 * the memory depends only on the number of readers.
 */

#ifndef GPUHIST_SERIES_LIST_H
#define GPUHIST_SERIES_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "hist/series.h"

/* The series of a claim.  All 0: in no list. */
struct series_claim {
    /* Of the list. */
    bool is_listed;
    struct series_claim *previous;
    struct series_claim *next;
    struct series after; /* of the bytes up to NEXT, which are read */

    /* Of the reader. */
    struct series series; /* of the bytes that were read */
    unsigned int phases;  /* of SERIES that matter */
};

/* The claims of a content.  All 0: none. */
struct series_list {
    struct series_claim *first;
    struct series_claim *last;
    struct series before; /* of the bytes before FIRST */
};

/* The place of the first byte of a claim is unknown. */
#define SERIES_UNPLACED UINT64_MAX

/* Add CLAIM, which is in no list, to the end of LIST.  The first byte is byte
   START of the content, or START is SERIES_UNPLACED. */
void series_list_add(struct series_list *list, struct series_claim *claim,
                     uint64_t start);

/* Take CLAIM, which is read, out of LIST. */
void series_list_leave(struct series_list *list, struct series_claim *claim);

/* Set *SERIES to all bytes of LIST that were read. */
void series_list_join(const struct series_list *list, struct series *series);

/* Append the SIZE bytes at DATA to CLAIM, if it is in a list.  Needs no lock:
   CLAIM is the caller's. */
static inline void
series_claim_extend(struct series_claim *claim, const unsigned char *data,
                    size_t size)
{
    if (claim->is_listed)
        series_extend(&claim->series, data, size, claim->phases);
}

#endif
