/*
 * record_filter.h -- leave out the records of a batch that do not meet the
 * conditions of the spec
 */

#ifndef GPUHIST_RECORD_FILTER_H
#define GPUHIST_RECORD_FILTER_H

#include "hist/spec.h"
#include "text/filter.h"

/* All 0: there are no conditions. */
struct record_filter {
    size_t fields; /* of each record of a batch */
    struct filter filter;
    uint64_t left_out; /* elements, so far; it may wrap around */
};

/*
 * Prepare for the conditions of SPEC, which has some and outlives FILTER.
 * Returns 0, or -1: out of memory.  The caller calls record_filter_close() in
 * both cases.
 */
int record_filter_open(struct record_filter *filter, const struct spec *spec);

/* Returns the bytes of what that allocates; 0 without conditions, and of
   sequences. */
uint64_t record_filter_bytes(const struct spec *spec);

/*
 * Keep only those of the *RECORDS that meet all conditions: in SLICE, which has
 * the fields of each, and in COUNT, which says how often each counts, unless it
 * is NULL.  DATA is their chunk.  Adds what is left out to FILTER->left_out.
 * Returns 0, or -1: out of memory.
 */
int record_filter_run(struct record_filter *filter, const unsigned char *data,
                      struct text_slice *slice, int64_t *count,
                      size_t *records);

void record_filter_close(struct record_filter *filter);

#endif
