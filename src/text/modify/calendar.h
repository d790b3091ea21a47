/* SPDX-License-Identifier: MIT */
/*
 * calendar.h -- days, months and weeks of the Gregorian calendar
 *
 * The calendar is proleptic: its rules hold for all years, also for those
 * before 1582.  The year before year 1 is year 0.
 *
 * Source of days and dates: H. Hinnant, "chrono-Compatible Low-Level Date
 * Algorithms" (2013), days_from_civil and civil_from_days.  Weeks are those of
 * ISO 8601: they start on Monday, and belong to the year of their Thursday.
 */

#ifndef GPUHIST_CALENDAR_H
#define GPUHIST_CALENDAR_H

#include <stdbool.h>
#include <stdint.h>

#define CALENDAR_DAYS_OF_WEEK 7

struct calendar_day {
    int year;
    unsigned int month; /* from 1 to 12 */
    unsigned int day;   /* from 1 to 31 */
};

struct calendar_week {
    int year;
    unsigned int week; /* from 1 to 53 */
};

static inline bool
calendar_is_leap(int year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

/* The number of days of MONTH, from 1 to 12. */
static inline unsigned int
calendar_month_days(int year, unsigned int month)
{
    return month == 2 ? 28 + (unsigned int)calendar_is_leap(year)
                      : 30 + ((month ^ month >> 3) & 1);
}

/* The number of days from 1970-01-01 to DAY, which exists. */
int64_t calendar_days(struct calendar_day day);

/* The day that is DAYS after 1970-01-01. */
struct calendar_day calendar_day(int64_t days);

/* The day of the week, from 1, Monday, to 7, of the day DAYS after
   1970-01-01. */
unsigned int calendar_weekday(int64_t days);

/* The week of the day DAYS after 1970-01-01. */
struct calendar_week calendar_week(int64_t days);

/* A / B, rounded down; B is positive. */
static inline int64_t
calendar_divide(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

#endif
