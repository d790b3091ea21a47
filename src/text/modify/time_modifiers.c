/* SPDX-License-Identifier: MIT */
/*
 * time_modifiers.c -- the rows of modifiers that make times
 *
 * A time is cut off as it was logged, and its zone is left out: lines of one
 * hour of the log are one key.  Only "utc" moves a time.  A row whose unit is
 * finer than the text has no answer: 2026-11-28 has no minute.
 */

#include <string.h>

#include "text/modify/calendar.h"
#include "text/modify/time_modifiers.h"
#include "text/modify/time_read.h"

#define MINUTE_SECONDS 60
#define HOUR_MINUTES 60
#define HOUR_SECONDS 3600
#define DAY_MINUTES 1440
#define DAY_SECONDS 86400

/* More are not the count of an interval. */
#define INTERVAL_DIGITS 9

/* ---- spelling ---- */

/* Write the two last digits of NUMBER at OUT.  Returns the end. */
static unsigned char *
put_two(unsigned char *out, unsigned int number)
{
    *out++ = (unsigned char)('0' + number / 10 % 10);
    *out++ = (unsigned char)('0' + number % 10);
    return out;
}

static unsigned char *
put_year(unsigned char *out, int year)
{
    out = put_two(out, (unsigned int)year / 100);
    return put_two(out, (unsigned int)year % 100);
}

/* Write the parts of TIME from FIRST to FINEST, without the year if it has
   none. */
static unsigned char *
put_time(unsigned char *out, const struct logged_time *time,
         enum time_unit finest)
{
    static const unsigned char before[] = "--T::";
    const unsigned int part[] = {time->month, time->day, time->hour,
                                 time->minute, time->second};
    bool has_before = time->year != TIME_YEAR_NONE;

    if (has_before)
        out = put_year(out, time->year);
    for (unsigned int i = time->month == 0 ? TIME_HOUR - 1 : 0; i < finest;
         i++) {
        if (has_before)
            *out++ = before[i];
        out = put_two(out, part[i]);
        has_before = true;
    }
    return out;
}

/* Answer with the bytes from OUT to END. */
static bool
give(const unsigned char **text, size_t *size, const unsigned char *out,
     const unsigned char *end)
{
    *text = out;
    *size = (size_t)(end - out);
    return true;
}

/* ---- days ---- */

/* Whether TIME is of one day, and sets *DAYS to those from 1970-01-01 on. */
static bool
has_days(const struct logged_time *time, int64_t *days)
{
    if (time->year == TIME_YEAR_NONE || time->finest < TIME_DAY)
        return false;
    *days = calendar_days(
        (struct calendar_day){time->year, time->month, time->day});
    return true;
}

/* Move TIME to the day DAYS after 1970-01-01.  Returns false if its year has
   not four digits. */
static bool
set_days(struct logged_time *time, int64_t days)
{
    struct calendar_day day = calendar_day(days);

    time->year = day.year;
    time->month = day.month;
    time->day = day.day;
    return day.year >= 0 && day.year <= TIME_YEAR_MAX;
}

/* Answer with the week of the day DAYS after 1970-01-01. */
static bool
give_week(int64_t days, const unsigned char **text, size_t *size,
          unsigned char *out)
{
    struct calendar_week week = calendar_week(days);
    unsigned char *end = out;

    if (week.year < 0 || week.year > TIME_YEAR_MAX)
        return false;
    end = put_year(end, week.year);
    *end++ = '-';
    *end++ = 'W';
    return give(text, size, out, put_two(end, week.week));
}

/* ---- rows ---- */

/* second ... year: choice is the unit. */
static bool
apply_cut(const struct modifier *modifier, const unsigned char **text,
          size_t *size, unsigned char *out)
{
    static const unsigned char iso_size[] = {4, 7, 10, 13, 16, 19};
    enum time_unit unit = (enum time_unit)modifier->type->choice;
    struct logged_time time;

    if (!time_read(*text, *size, &time) || time.finest < unit)
        return false;
    if (iso_size[unit] <= time.iso_size)
        return give(text, size, time.iso, time.iso + iso_size[unit]);
    if ((unit == TIME_YEAR && time.year == TIME_YEAR_NONE) ||
        (unit < TIME_HOUR && time.month == 0))
        return false;
    return give(text, size, out, put_time(out, &time, unit));
}

static bool
apply_week(const struct modifier *modifier, const unsigned char **text,
           size_t *size, unsigned char *out)
{
    struct logged_time time;
    int64_t days;

    (void)modifier;
    return time_read(*text, *size, &time) && has_days(&time, &days) &&
           give_week(days, text, size, out);
}

static bool
apply_hour_of_day(const struct modifier *modifier, const unsigned char **text,
                  size_t *size, unsigned char *out)
{
    struct logged_time time;

    (void)modifier;
    if (!time_read(*text, *size, &time) || time.finest < TIME_HOUR)
        return false;
    return give(text, size, out, put_two(out, time.hour));
}

static bool
apply_weekday(const struct modifier *modifier, const unsigned char **text,
              size_t *size, unsigned char *out)
{
    static const char names[] = "1-Mon2-Tue3-Wed4-Thu5-Fri6-Sat7-Sun";
    const size_t length = sizeof "1-Mon" - 1;
    struct logged_time time;
    int64_t days;

    (void)modifier;
    if (!time_read(*text, *size, &time) || !has_days(&time, &days))
        return false;
    memcpy(out, names + (calendar_weekday(days) - 1) * length, length);
    return give(text, size, out, out + length);
}

/* Write the seconds of UTC, which are those of TIME, and Z. */
static unsigned char *
put_utc(unsigned char *out, const struct logged_time *time)
{
    out = put_time(out, time,
                   time->finest == TIME_SECOND ? TIME_SECOND : TIME_MINUTE);
    if (time->fraction[0].count + time->fraction[1].count > 0)
        *out++ = '.';
    for (size_t i = 0; i < TIME_FRACTIONS; i++) {
        for (size_t k = 0; k < time->fraction[i].count; k++)
            *out++ = time->fraction[i].digit[k];
    }
    *out++ = 'Z';
    return out;
}

static bool
apply_utc(const struct modifier *modifier, const unsigned char **text,
          size_t *size, unsigned char *out)
{
    struct logged_time time;
    int64_t days;

    (void)modifier;
    if (!time_read(*text, *size, &time) || !time.has_zone ||
        !has_days(&time, &days))
        return false;
    int64_t minutes =
        (int64_t)time.hour * HOUR_MINUTES + time.minute - time.zone_minutes;
    int64_t more_days = calendar_divide(minutes, DAY_MINUTES);
    unsigned int of_day = (unsigned int)(minutes - more_days * DAY_MINUTES);
    time.hour = of_day / HOUR_MINUTES;
    time.minute = of_day % HOUR_MINUTES;
    return set_days(&time, days + more_days) &&
           give(text, size, out, put_utc(out, &time));
}

/* ---- floor ---- */

/* The units of intervals.  number[] of a modifier is a count, and a row. */
static const struct {
    const char *name;
    enum time_unit finest;
    int64_t seconds;
    bool is_week;
} interval_units[] = {
    {"s", TIME_SECOND, 1, false},
    {"min", TIME_MINUTE, MINUTE_SECONDS, false},
    {"h", TIME_HOUR, HOUR_SECONDS, false},
    {"d", TIME_DAY, DAY_SECONDS, false},
    {"w", TIME_DAY, CALENDAR_DAYS_OF_WEEK *DAY_SECONDS, true},
};

#define INTERVAL_UNITS (sizeof interval_units / sizeof interval_units[0])

static bool
parse_interval(struct modifier *modifier)
{
    const char *text = modifier->text;
    size_t digits = strspn(text, "0123456789");

    if (digits == 0 || digits > INTERVAL_DIGITS ||
        strlen(text) != modifier->size)
        return false;
    modifier->number[0] = 0;
    for (size_t i = 0; i < digits; i++)
        modifier->number[0] =
            modifier->number[0] * 10 + (uint64_t)(text[i] - '0');
    modifier->number[1] = 0;
    while (modifier->number[1] < INTERVAL_UNITS &&
           strcmp(text + digits, interval_units[modifier->number[1]].name) != 0)
        modifier->number[1]++;
    return modifier->number[0] > 0 && modifier->number[1] < INTERVAL_UNITS;
}

/* Days and weeks are counted from Monday 2000-01-03. */
#define FIRST_MONDAY ((int64_t)10959 * DAY_SECONDS)

/* When the interval of SECONDS seconds with TIME starts, in seconds from
   1970-01-01 on.  An interval starts at ORIGIN; DAYS is the day of TIME. */
static int64_t
interval_start(const struct logged_time *time, int64_t days, int64_t seconds,
               int64_t origin)
{
    /* A leap second is in the interval of the second before it. */
    unsigned int second = time->second < 60 ? time->second : 59;
    int64_t at = days * DAY_SECONDS + time->hour * HOUR_SECONDS +
                 time->minute * MINUTE_SECONDS + second;

    return origin + calendar_divide(at - origin, seconds) * seconds;
}

static bool
apply_floor(const struct modifier *modifier, const unsigned char **text,
            size_t *size, unsigned char *out)
{
    enum time_unit finest = interval_units[modifier->number[1]].finest;
    int64_t seconds = interval_units[modifier->number[1]].seconds;
    struct logged_time time;
    int64_t days;

    if (!time_read(*text, *size, &time) || time.finest < finest ||
        !has_days(&time, &days))
        return false;
    int64_t start =
        interval_start(&time, days, (int64_t)modifier->number[0] * seconds,
                       finest == TIME_DAY ? FIRST_MONDAY : 0);
    days = calendar_divide(start, DAY_SECONDS);
    if (interval_units[modifier->number[1]].is_week)
        return give_week(days, text, size, out);
    unsigned int of_day = (unsigned int)(start - days * DAY_SECONDS);
    time.hour = of_day / HOUR_SECONDS;
    time.minute = of_day / MINUTE_SECONDS % HOUR_MINUTES;
    time.second = of_day % MINUTE_SECONDS;
    return set_days(&time, days) &&
           give(text, size, out, put_time(out, &time, finest));
}

/* ---- the table ---- */

#define TIME_ROW(row_name, function) \
    .name = (row_name), .reads = MODIFIER_READS_DIGITS, .apply = (function)

#define CUT(unit_name, unit)                              \
    {                                                     \
        TIME_ROW(unit_name, apply_cut), .choice = (unit), \
    }

const struct modifier_type time_modifiers[] = {
    CUT("second", TIME_SECOND),
    CUT("minute", TIME_MINUTE),
    CUT("hour", TIME_HOUR),
    CUT("day", TIME_DAY),
    {TIME_ROW("week", apply_week)},
    CUT("month", TIME_MONTH),
    CUT("year", TIME_YEAR),
    {
        TIME_ROW("floor", apply_floor),
        .argument = MODIFIER_NEEDS_ARGUMENT,
        .wants = "a whole number and s, min, h, d or w, such as 5min",
        .parse = parse_interval,
    },
    {TIME_ROW("hour-of-day", apply_hour_of_day)},
    {TIME_ROW("weekday", apply_weekday)},
    {TIME_ROW("utc", apply_utc)},
    {.name = NULL},
};

int64_t
time_modifier_interval(const struct modifier *modifier)
{
    static const int64_t seconds[] = {
        0, 0, DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS, 1};

    if (modifier->type->apply == apply_floor)
        return (int64_t)modifier->number[0] *
               interval_units[modifier->number[1]].seconds;
    return modifier->type->apply == apply_cut ? seconds[modifier->type->choice]
                                              : 0;
}
