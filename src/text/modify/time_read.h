/* SPDX-License-Identifier: MIT */
/*
 * time_read.h -- the time that a text of a log is
 *
 * These forms are read.  Brackets around a form and blanks at its ends do not
 * count, and anything else after it makes the text no time.
 *
 *   2026-11-28T06:41:12.123+01:00  RFC 3339, ISO 8601.  T, t or blanks before
 *                                  the hour; dashes or slashes in the date,
 *                                  colons in the time, or neither; the time
 *                                  may end after the hour or the minute, and
 *                                  a date after the day or, with dashes or
 *                                  slashes, the month
 *   28/Nov/2026:06:41:12 +0100     CLF; with dashes or blanks instead of
 *                                  slashes BIND, Redis, HTTP and e-mail
 *   Sat Nov 28 06:41:12 2026       ctime(), Apache's error log, date(1); the
 *                                  year may stand before the time
 *   Nov 28 06:41:12, 11-28 06:41:12   without a year: syslog, logcat
 *   06:41:12                       without a day
 *   1795848072.123                 seconds since 1970, 10 digits; 13 digits
 *                                  are milliseconds, 16 us, 19 ns
 *
 * Before a form with a day, "Sat " or "Sat, " may stand; the weekday is not
 * compared with the date.  Names of months and weekdays have three letters of
 * any case.  Fractions follow a second, after a point or a comma.
 *
 * A zone may follow the time, with or without a blank: Z, +01, +0100, +01:00,
 * UTC, GMT, or an abbreviation of the tz database (CET), whose offset counts as
 * not known, because CST is a zone of America and one of China.
 *
 * These are not times:
 * - a day that its month does not have, and 24:00, which RFC 3339 excludes;
 * - a second 60, unless it may be a leap second.  Where the text has a year and
 *   a known offset, only the last second of a month in UTC may be one;
 * - years before 0000, after 9999, and of two digits;
 * - epochs before 1970;
 * - weeks (2026-W48), and days of the year (2026-332).
 */

#ifndef GPUHIST_TIME_READ_H
#define GPUHIST_TIME_READ_H

#include <stdbool.h>
#include <stddef.h>

/* The coarsest first. */
enum time_unit {
    TIME_YEAR,
    TIME_MONTH,
    TIME_DAY,
    TIME_HOUR,
    TIME_MINUTE,
    TIME_SECOND,
};

#define TIME_YEAR_NONE (-1)
#define TIME_YEAR_MAX 9999

/* The fraction of a second in units of epochs, and after a point. */
#define TIME_FRACTIONS 2

/* Digits of the text that was read. */
struct time_digits {
    const unsigned char *digit;
    size_t count;
};

/* A time in the zone of its text; epochs are in UTC. */
struct logged_time {
    int year;            /* TIME_YEAR_NONE: the text has no year */
    unsigned int month;  /* from 1; 0: the text has a time of day only */
    unsigned int day;    /* from 1; all from DAY on are 0 after FINEST */
    unsigned int hour;   /* from 0 to 23 */
    unsigned int minute; /* from 0 to 59 */
    unsigned int second; /* from 0 to 60 */
    enum time_unit finest;
    bool has_zone;                               /* with a known offset */
    int zone_minutes;                            /* what to subtract for UTC */
    struct time_digits fraction[TIME_FRACTIONS]; /* one after the other */
    /* The text from the year on, if its first ISO_SIZE bytes are spelled
       YYYY-MM-DD, or YYYY-MM-DDThh:mm:ss. */
    const unsigned char *iso;
    size_t iso_size;
};

/* Read the SIZE bytes at TEXT.  Returns false if they are not a time. */
bool time_read(const unsigned char *text, size_t size,
               struct logged_time *time);

#endif
