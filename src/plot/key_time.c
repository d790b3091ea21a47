/* SPDX-License-Identifier: MIT */
/* key_time.c -- keys that are times, as ISO 8601 writes them */

#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "hist/key_code.h"
#include "plot/key_time.h"

enum {
    MINUTE = 60,
    HOUR = 60 * MINUTE,
    DAY = 24 * HOUR,
    WEEK = 7 * DAY,
};

/* Days of 400 years, and of the years before 1970 from 0000-03-01 on. */
#define ERA_DAYS 146097
#define DAYS_TO_1970 719468

/* The unread bytes of a key. */
struct unread {
    const unsigned char *at;
    size_t size;
};

/* Read a number of DIGITS digits from LEAST to MOST.  Returns the number, or
   -1. */
static int
read_number(struct unread *unread, size_t digits, int least, int most)
{
    int number = 0;

    if (unread->size < digits)
        return -1;
    for (size_t i = 0; i < digits; i++) {
        if (!ascii_is_digit(unread->at[i]))
            return -1;
        number = 10 * number + (unread->at[i] - '0');
    }
    unread->at += digits;
    unread->size -= digits;
    return number >= least && number <= most ? number : -1;
}

/* Read BYTE, if BYTE is next. */
static bool
read_byte(struct unread *unread, char byte)
{
    if (unread->size == 0 || unread->at[0] != (unsigned char)byte)
        return false;
    unread->at++;
    unread->size--;
    return true;
}

/* Returns the days from 1970 on.  Years start in March here, so that leap days
   are last. */
static int64_t
days_of(int year, int month, int day)
{
    int64_t y = year - (month <= 2);
    int64_t era = y / 400;
    int64_t year_of_era = y - era * 400;
    int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day;

    return era * ERA_DAYS + year_of_era * 365 + year_of_era / 4 -
           year_of_era / 100 + day_of_year - 1 - DAYS_TO_1970;
}

static void
set_date(int64_t days, int *year, int *month, int *day)
{
    int64_t all = days + DAYS_TO_1970;
    int64_t era = all / ERA_DAYS;
    int64_t of_era = all - era * ERA_DAYS;
    int64_t year_of_era =
        (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int64_t of_year =
        of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int64_t from_march = (5 * of_year + 2) / 153;

    *day = (int)(of_year - (153 * from_march + 2) / 5 + 1);
    *month = (int)(from_march < 10 ? from_march + 3 : from_march - 9);
    *year = (int)(year_of_era + era * 400 + (*month <= 2));
}

static bool
is_leap(int year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

/* Read a date to *DAYS.  Returns whether a date is next. */
static bool
read_date(struct unread *unread, int64_t *days)
{
    static const int of_month[] = {31, 28, 31, 30, 31, 30,
                                   31, 31, 30, 31, 30, 31};
    int year = read_number(unread, 4, 1, 9999);

    if (year < 0 || !read_byte(unread, '-'))
        return false;
    int month = read_number(unread, 2, 1, 12);
    if (month < 1 || !read_byte(unread, '-'))
        return false;
    int most = of_month[month - 1] + (month == 2 && is_leap(year));
    int day = read_number(unread, 2, 1, most);
    if (day > 0)
        *days = days_of(year, month, day);
    return day > 0;
}

/* Read the hour, minute, second and fraction, as far as given, to TIME and
   *SECONDS.  Returns whether they are right. */
static bool
read_clock(struct unread *unread, struct key_time *time, int64_t *seconds)
{
    time->unit = DAY;
    if (!read_byte(unread, 'T') && !read_byte(unread, ' '))
        return true;
    time->between = (char)unread->at[-1];
    for (time->unit = HOUR;; time->unit /= 60) {
        int number = read_number(unread, 2, 0, time->unit == HOUR ? 23 : 59);
        if (number < 0)
            return false;
        *seconds += number * time->unit;
        if (time->unit == 1 || !read_byte(unread, ':'))
            break;
    }
    if (time->unit == 1 && (read_byte(unread, '.') || read_byte(unread, ','))) {
        time->has_fraction = true;
        while (read_number(unread, 1, 0, 9) >= 0)
            continue;
    }
    return true;
}

/* Read a time zone, if given.  Returns whether the key ends after the zone. */
static bool
read_zone(struct unread *unread, struct key_time *time)
{
    if (time->unit == DAY || unread->size > sizeof time->zone)
        return unread->size == 0;
    memcpy(time->zone, unread->at, unread->size);
    time->zone_bytes = unread->size;
    if (unread->size == 0 || read_byte(unread, 'Z'))
        return unread->size == 0;
    if ((!read_byte(unread, '+') && !read_byte(unread, '-')) ||
        read_number(unread, 2, 0, 23) < 0)
        return false;
    if (unread->size == 0)
        return true;
    (void)read_byte(unread, ':');
    return read_number(unread, 2, 0, 59) >= 0 && unread->size == 0;
}

bool
key_time_read(struct key_time *time, const unsigned char *key, size_t size,
              int64_t *number)
{
    struct unread unread = {key, size};
    struct key_time own = {0};
    int64_t seconds = 0;
    int64_t days = 0;

    if (!read_date(&unread, &days) || !read_clock(&unread, &own, &seconds) ||
        !read_zone(&unread, &own))
        return false;
    if (time->unit == 0)
        *time = own;
    time->has_fraction |= own.has_fraction;
    *number = (days * DAY + seconds) / own.unit;
    return time->unit == own.unit && time->between == own.between &&
           time->zone_bytes == own.zone_bytes &&
           memcmp(time->zone, own.zone, own.zone_bytes) == 0;
}

bool
key_time_read_tuple(struct key_time *time, const struct spec *spec, size_t i,
                    uint64_t key, int64_t *number)
{
    const struct key_entry entry = key_list_key(&spec->keys[i], key);
    struct key_component component;

    if (spec_key_kind(spec, spec_axis_of(spec, i, 0)) != KEY_TEXT)
        return false;
    key_code_read(entry.key, entry.key + entry.size, KEY_TEXT,
                  spec_dimensions(spec, i) == 1, &component);
    return component.tag == KEY_TAG_VALUE && !component.is_escaped &&
           key_time_read(time, component.text, component.text_size, number);
}

void
key_time_write(const struct key_time *time, int64_t number,
               char text[KEY_TIME_BYTES])
{
    int64_t seconds = number * time->unit;
    int64_t days = seconds / DAY - (seconds % DAY < 0);
    int64_t left = seconds - days * DAY;
    int year;
    int month;
    int day;

    set_date(days, &year, &month, &day);
    int used =
        snprintf(text, KEY_TIME_BYTES, "%04d-%02d-%02d", year, month, day);
    if (time->unit == DAY)
        return;
    used += snprintf(text + used, KEY_TIME_BYTES - (size_t)used, "%c%02d",
                     time->between, (int)(left / HOUR));
    for (int64_t unit = MINUTE; unit >= time->unit && unit > 0; unit /= 60)
        used += snprintf(text + used, KEY_TIME_BYTES - (size_t)used, ":%02d",
                         (int)(left / unit % 60));
    memcpy(text + used, time->zone, time->zone_bytes);
    text[(size_t)used + time->zone_bytes] = '\0';
}

const char *
key_time_units(const struct key_time *time)
{
    return time->unit == DAY      ? "days"
           : time->unit == HOUR   ? "hours"
           : time->unit == MINUTE ? "minutes"
                                  : "seconds";
}

/* ---- times that share a bar ---- */

/* Returns the number where bars of STEP units start: 1970, a Thursday, or the
   Monday before. */
static int64_t
origin_of(const struct key_time *time, int64_t step)
{
    return step * time->unit % WEEK == 0 ? -3 * (DAY / time->unit) : 0;
}

int64_t
key_time_bar(const struct key_time *time, int64_t step, int64_t number)
{
    int64_t from = number - origin_of(time, step);

    return from / step - (from % step < 0);
}

int64_t
key_time_bar_start(const struct key_time *time, int64_t step, int64_t bar)
{
    return bar * step + origin_of(time, step);
}

int64_t
key_time_next_step(const struct key_time *time, int64_t step)
{
    static const int64_t steps[] = {
        2,          5,          10,          15,          30,          MINUTE,
        2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR,
        2 * HOUR,   3 * HOUR,   6 * HOUR,    12 * HOUR,   DAY,         2 * DAY,
        WEEK,       2 * WEEK,   4 * WEEK,
    };

    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        if (steps[i] > step * time->unit)
            return steps[i] / time->unit;
    }
    return 2 * step;
}
