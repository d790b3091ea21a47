/* SPDX-License-Identifier: MIT */
/* profile_times.c -- the least and the greatest of values that are times */

#include <stdint.h>

#include "report/profile_times.h"
#include "text/modify/calendar.h"
#include "text/modify/time_read.h"

#define DAY_SECONDS INT64_C(86400)

/* A time: the seconds since 1970, and the digits of the fraction. */
struct instant {
    int64_t seconds;
    struct time_digits fraction[TIME_FRACTIONS];
};

static struct instant
instant_of(const struct logged_time *time)
{
    const struct calendar_day day = {
        .year = time->year == TIME_YEAR_NONE ? 0 : time->year,
        .month = time->month == 0 ? 1 : time->month,
        .day = time->day == 0 ? 1 : time->day,
    };
    int64_t minutes = (int64_t)time->hour * 60 + (int64_t)time->minute -
                      (time->has_zone ? time->zone_minutes : 0);
    struct instant instant = {.seconds = calendar_days(day) * DAY_SECONDS +
                                         minutes * 60 + (int64_t)time->second};

    for (size_t f = 0; f < TIME_FRACTIONS; f++)
        instant.fraction[f] = time->fraction[f];
    return instant;
}

/* Returns digit N of the fraction of INSTANT; a blank: zeros follow. */
static unsigned char
fraction_digit(const struct instant *instant, size_t n)
{
    for (size_t f = 0; f < TIME_FRACTIONS; f++) {
        const struct time_digits *digits = &instant->fraction[f];
        if (n < digits->count)
            return digits->digit[n];
        n -= digits->count;
    }
    return ' ';
}

/* Returns less than 0, 0, or more than 0, as A is before, at, or after B. */
static int
compare(const struct instant *a, const struct instant *b)
{
    if (a->seconds != b->seconds)
        return a->seconds < b->seconds ? -1 : 1;
    for (size_t n = 0;; n++) {
        unsigned char left = fraction_digit(a, n);
        unsigned char right = fraction_digit(b, n);
        if (left == ' ' && right == ' ')
            return 0;
        left = left == ' ' ? '0' : left;
        right = right == ' ' ? '0' : right;
        if (left != right)
            return left < right ? -1 : 1;
    }
}

bool
profile_times_find(struct profile_times *times, const struct profile_keys *keys)
{
    struct profile_keys walk = *keys;
    struct profile_value value;
    struct instant first;
    struct instant last;
    bool has_time = false;

    while (profile_keys_next(&walk, &value)) {
        struct logged_time time;
        if (!time_read(value.byte, value.size, &time))
            return false;
        const struct instant instant = instant_of(&time);
        if (!has_time || compare(&instant, &first) < 0) {
            first = instant;
            times->min = value;
        }
        if (!has_time || compare(&instant, &last) > 0) {
            last = instant;
            times->max = value;
        }
        has_time = true;
    }
    return has_time;
}
