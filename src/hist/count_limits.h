/* SPDX-License-Identifier: MIT */
/* count_limits.h -- the counts of the values that are printed */

#ifndef GPUHIST_COUNT_LIMITS_H
#define GPUHIST_COUNT_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

/* All 0: every count is printed. */
struct count_limits {
    uint64_t least;
    uint64_t most; /* 0: no limit */
};

static inline bool
count_limits_are_set(const struct count_limits *limits)
{
    return limits->least != 0 || limits->most != 0;
}

/* Whether a value that occurs COUNT times is printed, and not added to the line
   for others. */
static inline bool
count_limits_include(const struct count_limits *limits, uint64_t count)
{
    return count >= limits->least &&
           (limits->most == 0 || count <= limits->most);
}

#endif
