/* even.h -- 32-bit floats in even bins, many at a time, on the CPU */

#ifndef GPUHIST_EVEN_H
#define GPUHIST_EVEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "binning.h"

/* Whether even_count() can do what AXIS says. */
bool even_is_possible(const struct binning_axis *axis);

/* How many thresholds AXIS needs. */
size_t even_thresholds(const struct binning_axis *axis);

/* Set the thresholds of AXIS, as many as that. */
void even_set(const struct binning_axis *axis, float *threshold);

/*
 * Add the elements of COUNT records of RECORD_BYTES to the cells VALUE of
 * AXIS.  DATA is the first element, at any alignment; THRESHOLD is from
 * even_set().
 */
void even_count(const struct binning_axis *axis, const float *threshold,
                const unsigned char *data, size_t count, size_t record_bytes,
                uint64_t *value);

#endif
