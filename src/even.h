/* even.h -- 32-bit floats in even bins, many at a time, on the CPU */

#ifndef GPUHIST_EVEN_H
#define GPUHIST_EVEN_H

#include <stddef.h>
#include <stdint.h>

#include "binning.h"

/* Up to so many bins even_count() is at its fastest. */
#define EVEN_BINS_FEW 4096

/*
 * What even_count() needs for AXIS: *THRESHOLD, for free(), or NULL where it
 * cannot do what AXIS says.  Returns 0, or -1: out of memory.
 */
int even_make(const struct binning_axis *axis, float **threshold);

/* How many bytes that takes, if it is possible. */
size_t even_bytes(const struct binning_axis *axis);

/*
 * Add the elements of COUNT records of RECORD_BYTES to the cells VALUE of
 * AXIS.  DATA is the first element, at any alignment; THRESHOLD is from
 * even_make().
 */
void even_count(const struct binning_axis *axis, const float *threshold,
                const unsigned char *data, size_t count, size_t record_bytes,
                uint64_t *value);

#endif
