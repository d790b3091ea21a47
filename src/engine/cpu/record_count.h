/* record_count.h -- count the records of a buffer by any spec */

#ifndef GPUHIST_RECORD_COUNT_H
#define GPUHIST_RECORD_COUNT_H

#include <stddef.h>

#include "hist/histogram.h"
#include "hist/spec.h"

/*
 * All add the records in the SIZE bytes at DATA, a multiple of the record's
 * size at any alignment, to HISTOGRAM, which has the cells and planes of
 * SPEC.
 */

/* One record after the other, by binning.h alone: the reference. */
void record_count_reference(const struct spec *spec, const unsigned char *data,
                            size_t size, struct histogram *histogram);

/* The same, with loops of their own for the usual kinds of axes. */
void record_count_fast(const struct spec *spec, const unsigned char *data,
                       size_t size, struct histogram *histogram);

/*
 * The same for a histogram that several threads add to at once; not for
 * weights.
 */
void record_count_shared(const struct spec *spec, const unsigned char *data,
                         size_t size, struct histogram *histogram);

/*
 * About how many times as long it takes to count as byte_count_tables() takes
 * for as many bytes: for a plan, not for anything that is printed.
 */
double record_count_cost(const struct spec *spec);

#endif
