/* profile_times.h -- the least and the greatest of values that are times */

#ifndef GPUHIST_PROFILE_TIMES_H
#define GPUHIST_PROFILE_TIMES_H

#include <stdbool.h>
#include <stddef.h>

#include "report/profile_keys.h"
#include "report/request.h"

/* The earliest and the latest time, each the first of the keys for it. */
struct profile_times {
    struct profile_value min;
    struct profile_value max;
};

/*
 * Find the times of histogram I of REPORT in *TIMES: in UTC if the zone is
 * known; what a text lacks of a day is the first day of year 0.  Returns
 * whether all values, at least one, are times (time_read.h).
 */
bool profile_times_find(struct profile_times *times,
                        const struct report *report, size_t i);

#endif
