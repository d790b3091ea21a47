/* SPDX-License-Identifier: MIT */
/* calendar.c -- days, months and weeks of the Gregorian calendar */

#include "text/modify/calendar.h"

/* The calendar repeats after 400 years. */
#define ERA_YEARS 400
#define ERA_DAYS 146097

/* From 0000-03-01, where the first era starts, to 1970-01-01. */
#define EPOCH_DAYS 719468

/*
 * The years of this computation start in March, so that a leap day is the last
 * day of its year: (153 * m + 2) / 5 days are before month m of such a year.
 */
int64_t
calendar_days(struct calendar_day day)
{
    int64_t year = day.year - (day.month <= 2);
    int64_t era = calendar_divide(year, ERA_YEARS);
    int64_t year_of_era = year - era * ERA_YEARS;
    int64_t month = (day.month + 9) % 12;
    int64_t day_of_year = (153 * month + 2) / 5 + day.day - 1;
    int64_t day_of_era =
        year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;

    return era * ERA_DAYS + day_of_era - EPOCH_DAYS;
}

struct calendar_day
calendar_day(int64_t days)
{
    int64_t era = calendar_divide(days + EPOCH_DAYS, ERA_DAYS);
    unsigned int day_of_era =
        (unsigned int)(days + EPOCH_DAYS - era * ERA_DAYS);
    /* Without the leap days before it, each year has 365 days. */
    unsigned int year_of_era = (day_of_era - day_of_era / 1460 +
                                day_of_era / 36524 - day_of_era / 146096) /
                               365;
    unsigned int day_of_year =
        day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    unsigned int month = (5 * day_of_year + 2) / 153;

    return (struct calendar_day){
        .year = (int)(era * ERA_YEARS + year_of_era) + (month >= 10),
        .month = month < 10 ? month + 3 : month - 9,
        .day = day_of_year - (153 * month + 2) / 5 + 1,
    };
}

unsigned int
calendar_weekday(int64_t days)
{
    /* 1970-01-01 was a Thursday. */
    int64_t since_monday = days + 3;

    return 1 +
           (unsigned int)(since_monday -
                          calendar_divide(since_monday, CALENDAR_DAYS_OF_WEEK) *
                              CALENDAR_DAYS_OF_WEEK);
}

struct calendar_week
calendar_week(int64_t days)
{
    int64_t thursday = days + 4 - calendar_weekday(days);
    int year = calendar_day(thursday).year;
    int64_t first = calendar_days(
        (struct calendar_day){.year = year, .month = 1, .day = 1});

    return (struct calendar_week){
        .year = year,
        .week = 1 + (unsigned int)((thursday - first) / CALENDAR_DAYS_OF_WEEK),
    };
}
