/* SPDX-License-Identifier: MIT */
/* profile_times.h -- the least and the greatest of values that are times */

#ifndef GPUHIST_PROFILE_TIMES_H
#define GPUHIST_PROFILE_TIMES_H

#include <stdbool.h>

#include "report/profile_keys.h"

/* The earliest and the latest time, each the first of the keys for it. */
struct profile_times {
    struct profile_value min;
    struct profile_value max;
};

/*
 * Find the times among the values of KEYS, which are at their start, in *TIMES:
 * in UTC if the zone is known; what a text lacks of a day is the first day of
 * year 0.  Returns whether all values, at least one, are times (time_read.h).
 */
bool profile_times_find(struct profile_times *times,
                        const struct profile_keys *keys);

#endif
