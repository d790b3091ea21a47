/* SPDX-License-Identifier: MIT */
/* record_count.h -- count the records of a buffer by any spec */

#ifndef GPUHIST_RECORD_COUNT_H
#define GPUHIST_RECORD_COUNT_H

#include <stddef.h>

#include "engine/cpu/cells/shared_counts.h"
#include "hist/histogram.h"
#include "hist/spec.h"

/*
 * All functions count the records in the SIZE bytes at DATA, which are whole
 * records at any alignment, in HISTOGRAM, which has the cells and planes of
 * SPEC.
 */

/* One record at a time, by binning.h alone: the reference. */
void record_count_reference(const struct spec *spec, const unsigned char *data,
                            size_t size, struct histogram *histogram);

/* Count with fast loops for the common kinds of axes. */
void record_count_fast(const struct spec *spec, const unsigned char *data,
                       size_t size, struct histogram *histogram);

/*
 * Count in a table that several threads add to: COUNTER is the calling
 * thread's.  SPEC must have no weights.
 */
void record_count_shared(const struct spec *spec, const unsigned char *data,
                         size_t size, struct shared_counter *counter);

/*
 * Count RECORDS records of zeros in HISTOGRAM.  Each weight is 0, too.
 */
void record_count_zeros(const struct spec *spec, uint64_t records,
                        struct histogram *histogram);

/* Whether records are single bytes that are counted by their bits. */
bool record_count_is_bytes(const struct spec *spec);

#endif
