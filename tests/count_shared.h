/* SPDX-License-Identifier: MIT */
/* count_shared.h -- count with lists, by one thread */

#ifndef GPUHIST_COUNT_SHARED_H
#define GPUHIST_COUNT_SHARED_H

#include <stdlib.h>

#include "engine/cpu/cells/record_count.h"

/* Add the records to HISTOGRAM, with at most LIMIT bytes for lists. */
static inline void
count_shared_within(const struct spec *spec, const unsigned char *data,
                    size_t size, uint64_t limit, struct histogram *histogram)
{
    struct shared_counts shared;

    if (shared_counts_open(&shared, spec->cells, 1, limit) < 0)
        abort();
    struct shared_counter *counter = shared_counter_new(&shared);
    if (counter == NULL)
        abort();
    record_count_shared(spec, data, size, counter);
    shared_counts_settle(&shared);
    histogram_add(histogram, &shared.histogram);
    shared_counter_close(counter);
    shared_counts_close(&shared);
}

#endif
