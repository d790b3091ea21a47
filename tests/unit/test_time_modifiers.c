/* SPDX-License-Identifier: MIT */
/* test_time_modifiers.c -- what modifiers make of times */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../tap.h"
#include "text/modify/calendar.h"
#include "text/modify/modifiers.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* Where no modifier has an answer. */
#define NONE NULL

static const struct {
    const char *text;
    const char *chain;
    const char *wanted;
} cases[] = {
    /* Each unit. */
    {"2026-11-28T06:41:12.123Z", "second", "2026-11-28T06:41:12"},
    {"2026-11-28T06:41:12.123Z", "minute", "2026-11-28T06:41"},
    {"2026-11-28T06:41:12.123Z", "hour", "2026-11-28T06"},
    {"2026-11-28T06:41:12.123Z", "day", "2026-11-28"},
    {"2026-11-28T06:41:12.123Z", "week", "2026-W48"},
    {"2026-11-28T06:41:12.123Z", "month", "2026-11"},
    {"2026-11-28T06:41:12.123Z", "year", "2026"},
    {"2026-11-28T06:41:12.123Z", "hour-of-day", "06"},
    {"2026-11-28T06:41:12.123Z", "weekday", "6-Sat"},
    {"2026-11-28T06:41:12.123Z", "utc", "2026-11-28T06:41:12.123Z"},
    /* RFC 3339 and ISO 8601. */
    {"2026-11-28T06:41:12", "minute", "2026-11-28T06:41"},
    {"2026-11-28t06:41:12z", "second", "2026-11-28T06:41:12"},
    {"2026-11-28 06:41:12", "hour", "2026-11-28T06"},
    {"2026-11-28 06:41:12", "day", "2026-11-28"},
    {"2026-11-28  06:41:12", "hour", "2026-11-28T06"},
    {"2026-11-28 06:41:12,123", "second", "2026-11-28T06:41:12"},
    {"2026-11-28T06:41:12+01", "hour", "2026-11-28T06"},
    {"2026-11-28T06:41:12+0100", "hour", "2026-11-28T06"},
    {"2026-11-28T06:41:12-01:00", "hour", "2026-11-28T06"},
    {"2026-11-28T06:41:12.5 +0100", "hour", "2026-11-28T06"},
    {"2026-11-28T06:41", "minute", "2026-11-28T06:41"},
    {"2026-11-28T06:41+01:00", "minute", "2026-11-28T06:41"},
    {"2026-11-28T06", "hour", "2026-11-28T06"},
    {"2026-11-28T06Z", "hour", "2026-11-28T06"},
    {"2026-11-28", "day", "2026-11-28"},
    {"2026-11-28", "weekday", "6-Sat"},
    {"2026-11", "month", "2026-11"},
    {"2026-11", "year", "2026"},
    {"20261128T064112Z", "second", "2026-11-28T06:41:12"},
    {"20261128T064112.5+0100", "utc", "2026-11-28T05:41:12.5Z"},
    {"20261128 0641", "minute", "2026-11-28T06:41"},
    {"20261128", "day", "2026-11-28"},
    {"20261128064112", "second", "2026-11-28T06:41:12"},
    {"20261128064112Z", "utc", "2026-11-28T06:41:12Z"},
    {"2026/11/28 06:41:12", "minute", "2026-11-28T06:41"},
    {"[2026-11-28 06:41:12,123]", "second", "2026-11-28T06:41:12"},
    {" \t2026-11-28T06:41:12Z \r", "second", "2026-11-28T06:41:12"},
    {"Sat 2026-11-28 06:41:12 UTC", "utc", "2026-11-28T06:41:12Z"},
    {"2026-11-28 06:41:12.123 CET", "second", "2026-11-28T06:41:12"},
    {"2026-11-28 06:41:12.123 +0100 CET", "utc", "2026-11-28T05:41:12.123Z"},
    {"0000-01-01T00:00:00Z", "second", "0000-01-01T00:00:00"},
    {"9999-12-31T23:59:59Z", "second", "9999-12-31T23:59:59"},
    /* What is finer than the text. */
    {"2026-11-28T06:41", "second", NONE},
    {"2026-11-28T06", "minute", NONE},
    {"2026-11-28", "hour", NONE},
    {"2026-11-28", "hour-of-day", NONE},
    {"2026-11-28", "utc", NONE},
    {"2026-11", "day", NONE},
    {"2026-11", "week", NONE},
    {"2026-11", "weekday", NONE},
    {"2026-11", "floor=1d", NONE},
    {"2026-11-28", "floor=1h", NONE},
    {"2026-11-28T06:41", "floor=1s", NONE},
    /* CLF and its like. */
    {"28/Nov/2026:06:41:12 +0100", "minute", "2026-11-28T06:41"},
    {"[28/Nov/2026:06:41:12 +0100]", "minute", "2026-11-28T06:41"},
    {"28/Nov/2026:06:41:12 +0100", "utc", "2026-11-28T05:41:12Z"},
    {"[28/Nov/2026:06:41:12.123]", "second", "2026-11-28T06:41:12"},
    {"28/Nov/2026:06:41", "day", "2026-11-28"},
    {"28/Nov/2026:06", "hour", "2026-11-28T06"},
    {"28/Nov/2026:06", "day", "2026-11-28"},
    {"28/Nov/2026:06", "minute", NONE},
    {"[28/Nov/2026:06 +0100]", "month", "2026-11"},
    {"28-Nov-2026 06:41:12.123", "second", "2026-11-28T06:41:12"},
    {"28 Nov 2026 06:41:12.123", "second", "2026-11-28T06:41:12"},
    {"28/nov/2026", "day", "2026-11-28"},
    {"Sat, 28 Nov 2026 06:41:12 GMT", "utc", "2026-11-28T06:41:12Z"},
    {"Fri, 1 Jan 2027 00:30:00 +0100", "utc", "2026-12-31T23:30:00Z"},
    {"Sat, 28 Nov 2026 06:41:12 +0100 (CET)", "utc", "2026-11-28T05:41:12Z"},
    {"28 Nov 2026 06:41 EST", "minute", "2026-11-28T06:41"},
    /* ctime(). */
    {"Sat Nov 28 06:41:12 2026", "second", "2026-11-28T06:41:12"},
    {"Sun Nov  8 06:41:12 2026", "day", "2026-11-08"},
    {"[Sat Nov 28 06:41:12.123456 2026]", "second", "2026-11-28T06:41:12"},
    {"Sat Nov 28 06:41:12 UTC 2026", "utc", "2026-11-28T06:41:12Z"},
    {"Sat Nov 28 06:41:12 CET 2026", "hour", "2026-11-28T06"},
    {"Sat Nov 28 06:41:12 +0000 2026", "utc", "2026-11-28T06:41:12Z"},
    {"Nov 28 2026 06:41:12", "hour", "2026-11-28T06"},
    {"Nov 28, 2026 06:41:12.123456789 UTC", "utc",
     "2026-11-28T06:41:12.123456789Z"},
    {"Sat Nov 28 06:41:12 CET 2026", "utc", NONE},
    /* Without a year. */
    {"Nov 28 06:41:12", "second", "11-28T06:41:12"},
    {"Nov  8 06:41:12", "minute", "11-08T06:41"},
    {"nov 8 06:41:12", "hour", "11-08T06"},
    {"NOV 08 06:41:12.123456", "day", "11-08"},
    {"Nov 28 06:41:12", "month", "11"},
    {"Nov 28 06:41:12", "hour-of-day", "06"},
    {"Nov 28 06:41:12", "year", NONE},
    {"Nov 28 06:41:12", "week", NONE},
    {"Nov 28 06:41:12", "weekday", NONE},
    {"Nov 28 06:41:12", "floor=5min", NONE},
    {"Nov 28 06:41:12 +0100", "hour", "11-28T06"},
    {"Nov 28 06:41:12 +0100", "utc", NONE},
    {"Feb 29 06:41:12", "hour", "02-29T06"},
    {"Feb 30 06:41:12", "hour", NONE},
    {"11-28 06:41:12.123", "second", "11-28T06:41:12"},
    {"11-28T06:41", "hour", "11-28T06"},
    /* Without a day. */
    {"06:41:12", "second", "06:41:12"},
    {"06:41:12.123", "minute", "06:41"},
    {"06:41", "hour", "06"},
    {"06:41:12", "hour-of-day", "06"},
    {"06:41:12", "day", NONE},
    {"06:41:12", "month", NONE},
    {"06:41:12", "year", NONE},
    {"06:41:12", "weekday", NONE},
    {"06:41:12", "floor=5min", NONE},
    {"06:41:12Z", "utc", NONE},
    /* Epochs. */
    {"1795848072", "second", "2026-11-28T06:41:12"},
    {"1795848072.123", "utc", "2026-11-28T06:41:12.123Z"},
    {"1795848072,5", "utc", "2026-11-28T06:41:12.5Z"},
    {"1795848072123", "utc", "2026-11-28T06:41:12.123Z"},
    {"1795848072123.75", "utc", "2026-11-28T06:41:12.12375Z"},
    {"1795848072123456", "utc", "2026-11-28T06:41:12.123456Z"},
    {"1795848072123456789", "utc", "2026-11-28T06:41:12.123456789Z"},
    {"[1795848072]", "minute", "2026-11-28T06:41"},
    {"  1795848072.1", "hour", "2026-11-28T06"},
    {"0000000000", "second", "1970-01-01T00:00:00"},
    {"9999999999", "second", "2286-11-20T17:46:39"},
    {"9999999999999999999", "second", "2286-11-20T17:46:39"},
    {"179584807", "second", NONE},
    {"17958480721", "second", NONE},
    {"179584807212", "second", NONE},
    {"17958480721234567890", "second", NONE},
    {"-1795848072", "second", NONE},
    {"+1795848072", "second", NONE},
    {"1795848072.", "second", NONE},
    {"1795848072Z", "second", NONE},
    {"Sat 1795848072", "second", NONE},
    /* Anything after the time, or wrong before. */
    {"", "second", NONE},
    {" ", "second", NONE},
    {"-", "second", NONE},
    {"[]", "second", NONE},
    {"[", "second", NONE},
    {"2026-11-28T06:41:12Z]", "second", NONE},
    {"[2026-11-28T06:41:12Z", "second", NONE},
    {"2026-11-28T06:41:12Zx", "second", NONE},
    {"2026-11-28T06:41:12 x", "second", NONE},
    {"2026-11-28T06:41:12 INFO", "second", NONE},
    {"2026-11-28T06:41:12.", "second", NONE},
    {"2026-11-28T06:41:12.Z", "second", NONE},
    {"2026-11-28T06:41:12+1", "second", NONE},
    {"2026-11-28T06:41:12+24:00", "second", NONE},
    {"2026-11-28T06:41:12+01:60", "second", NONE},
    {"2026-11-28T06:41:12+01:", "second", NONE},
    {"2026-11-28T06:41:12+010", "second", NONE},
    {"2026-11-28T06:41:1", "second", NONE},
    {"2026-11-28T6:41:12", "second", NONE},
    {"2026-11-28T", "day", NONE},
    {"2026-11-28Z", "day", NONE},
    {"2026-11-28T06:41.5", "minute", NONE},
    {"2026-11/28", "day", NONE},
    {"2026-1-28", "day", NONE},
    {"2026:11:28", "day", NONE},
    {"2026-11-28x06:41:12", "day", NONE},
    {"2026-11-28T06-41:12", "day", NONE},
    {"2026-11-28T06:41-12", "second", NONE},
    {"2026-W48", "week", NONE},
    {"2026", "year", NONE},
    {"26-11-28", "day", NONE},
    {"-2026-11-28", "day", NONE},
    {"+002026-11-28", "day", NONE},
    {"02026-11-28", "day", NONE},
    {"28/11/2026", "day", NONE},
    {"28/Nov/26:06:41:12", "day", NONE},
    {"28/Nov/2026 06", "day", NONE},
    {"28/Nov/2026:6", "day", NONE},
    {"28/Nov/2026:24", "day", NONE},
    {"28/Nov/2026:06:", "day", NONE},
    {"28/Nov/2026:064112", "day", NONE},
    {"Nov 28 2026-06:41", "day", NONE},
    {"28/Nov-2026:06:41:12", "day", NONE},
    {"028/Nov/2026:06:41:12", "day", NONE},
    {"28/Nob/2026:06:41:12", "day", NONE},
    {"28/N\x0fV/2026:06:41:12", "day", NONE},
    {"Nov", "month", NONE},
    {"Nov ", "month", NONE},
    {"Nov 28 06", "day", NONE},
    {"Nov 28 06:41:12 host", "day", NONE},
    {"Nov 28 06:41:12 20261", "day", NONE},
    {"Nov28 06:41:12", "day", NONE},
    {"Sat", "day", NONE},
    {"Sat ", "day", NONE},
    {"Sat,2026-11-28", "day", NONE},
    {"Saturday, 28-Nov-26 06:41:12 GMT", "day", NONE},
    {"Sat 06:41:12", "hour", NONE},
    {"6:41:12", "hour", NONE},
    {"06:41:12:13", "hour", NONE},
    /* What the calendar and the clock do not have. */
    {"2026-02-29T00:00:00Z", "day", NONE},
    {"2026-02-30T00:00:00Z", "day", NONE},
    {"2024-02-29T00:00:00Z", "day", "2024-02-29"},
    {"2000-02-29", "day", "2000-02-29"},
    {"1900-02-29", "day", NONE},
    {"0000-02-29", "day", "0000-02-29"},
    {"2026-04-31", "day", NONE},
    {"2026-00-10", "day", NONE},
    {"2026-13-10", "day", NONE},
    {"2026-00", "month", NONE},
    {"2026-13", "month", NONE},
    {"2026-11-00", "day", NONE},
    {"2026-11-00T00:00:00Z", "day", NONE},
    {"2026-11-28T24:00:00Z", "day", NONE},
    {"2026-11-28T06:60:00Z", "day", NONE},
    {"2026-11-28T06:41:61Z", "day", NONE},
    /* Leap seconds. */
    {"2016-12-31T23:59:60Z", "second", "2016-12-31T23:59:60"},
    {"2016-12-31T15:59:60-08:00", "second", "2016-12-31T15:59:60"},
    {"2017-01-01T05:29:60+05:30", "utc", "2016-12-31T23:59:60Z"},
    {"2016-12-31T23:59:60", "second", "2016-12-31T23:59:60"},
    {"Dec 31 23:59:60", "minute", "12-31T23:59"},
    {"2016-12-31T23:59:60Z", "floor=1s", "2016-12-31T23:59:59"},
    {"2016-12-31T23:59:60Z", "floor=5min", "2016-12-31T23:55"},
    {"2016-12-30T23:59:60Z", "second", NONE},
    {"2016-12-31T23:58:60Z", "second", NONE},
    {"2016-12-31T23:59:60+01:00", "second", NONE},
    /* Weeks at the ends of years. */
    {"2020-12-31", "week", "2020-W53"},
    {"2021-01-03", "week", "2020-W53"},
    {"2021-01-04", "week", "2021-W01"},
    {"2024-12-30", "week", "2025-W01"},
    {"1969-12-31", "week", "1970-W01"},
    {"9999-12-31", "week", "9999-W52"},
    {"0000-01-01", "week", NONE},
    {"0000-01-03", "week", "0000-W01"},
    /* UTC. */
    {"2026-11-28T06:41:12", "utc", NONE},
    {"2026-11-28T06:41:12,50+14:00", "utc", "2026-11-27T16:41:12.50Z"},
    {"2026-11-28T10:41:12-14:00", "utc", "2026-11-29T00:41:12Z"},
    {"2026-11-28T06:41+05:45", "utc", "2026-11-28T00:56Z"},
    {"2026-11-28T06+05:45", "utc", "2026-11-28T00:15Z"},
    {"2024-02-29T00:10:00+00:20", "utc", "2024-02-28T23:50:00Z"},
    {"1970-01-01T00:00:00+01:00", "utc", "1969-12-31T23:00:00Z"},
    {"2026-11-28T06:41:12-00:00", "utc", "2026-11-28T06:41:12Z"},
    {"0000-01-01T00:00:00+01:00", "utc", NONE},
    {"9999-12-31T23:00:00-01:00", "utc", NONE},
    {"28/Nov/2026:00:41:12 +0100", "utc:day", "2026-11-27"},
    {"28/Nov/2026:00:41:12 +0100", "utc:utc", "2026-11-27T23:41:12Z"},
    /* Intervals. */
    {"2026-11-28T06:41:12", "floor=5min", "2026-11-28T06:40"},
    {"2026-11-28T06:41:12", "floor=1min", "2026-11-28T06:41"},
    {"2026-11-28T06:41:12", "floor=10s", "2026-11-28T06:41:10"},
    {"2026-11-28T06:41:12", "floor=90min", "2026-11-28T06:00"},
    {"2026-11-28T06:41:12", "floor=6h", "2026-11-28T06"},
    {"2026-11-28T06:41:12", "floor=1d", "2026-11-28"},
    {"2026-11-28T06:41:12", "floor=7d", "2026-11-23"},
    {"2026-11-28T06:41:12", "floor=1w", "2026-W48"},
    {"2026-11-28", "floor=1w", "2026-W48"},
    {"2000-01-03", "floor=2w", "2000-W01"},
    {"2000-01-16", "floor=2w", "2000-W01"},
    {"2000-01-17", "floor=2w", "2000-W03"},
    {"2000-01-02", "floor=2w", "1999-W51"},
    {"1970-01-02T01:00:00", "floor=48h", "1970-01-01T00"},
    {"1970-01-02T01:00:00", "floor=2d", "1970-01-02"},
    {"1970-01-01T01:00:00", "floor=2d", "1969-12-31"},
    {"1969-12-31T23:59:59", "floor=48h", "1969-12-30T00"},
    {"1969-12-31T23:59:59", "floor=7min", "1969-12-31T23:53"},
    {"1969-12-31T23:59:59", "floor=5min", "1969-12-31T23:55"},
    {"2026-11-28T06:41:12", "floor=999999999w", "2000-W01"},
    {"1999-11-28T06:41:12", "floor=999999999w", NONE},
    {"0000-01-01", "floor=1d", "0000-01-01"},
    {"0000-01-01", "floor=1w", NONE},
    {"1795848072.9", "floor=5min", "2026-11-28T06:40"},
};

/* Apply CHAIN to TEXT in blocks of their exact sizes; returns the answer, for
   free(), or NULL. */
static char *
apply(const char *words, const char *bytes)
{
    struct modifiers chain;
    struct modifiers_fault fault;
    size_t size = strlen(bytes);
    char *answer = NULL;

    if (modifiers_parse(&chain, words, strlen(words), &fault) != MODIFIERS_OK)
        abort();
    unsigned char *copy = malloc(size + 1);
    unsigned char *out = malloc(modifiers_room(&chain, size));
    if (copy == NULL || out == NULL)
        abort();
    memcpy(copy + 1, bytes, size);
    const unsigned char *text = copy + 1;
    if (modifiers_apply(&chain, 0, chain.count, &text, &size, out))
        answer = strndup((const char *)text, size);
    free(copy);
    free(out);
    modifiers_close(&chain);
    return answer;
}

static void
test_cases(void)
{
    for (size_t i = 0; i < COUNT(cases); i++) {
        char *got = apply(cases[i].chain, cases[i].text);
        const char *wanted = cases[i].wanted;
        bool is_equal = got == NULL || wanted == NULL
                            ? got == wanted
                            : strcmp(got, wanted) == 0;
        ok(is_equal, "'%s':%s", cases[i].text, cases[i].chain);
        if (!is_equal)
            printf("# got %s\n", got == NULL ? "\\invalid" : got);
        free(got);
    }
}

static const struct {
    const char *words;
    bool is_right;
} arguments[] = {
    {"floor=1s", true},     {"floor=05min", true}, {"floor=999999999w", true},
    {"floor", false},       {"floor=", false},     {"floor=5", false},
    {"floor=min", false},   {"floor=5m", false},   {"floor=0min", false},
    {"floor=-5min", false}, {"floor=1.5h", false}, {"floor=5 min", false},
    {"floor=5mins", false}, {"floor=5MIN", false}, {"floor=1000000000s", false},
    {"minute=5", false},    {"hour:minute", true},
};

static void
test_arguments(void)
{
    for (size_t i = 0; i < COUNT(arguments); i++) {
        const char *words = arguments[i].words;
        struct modifiers chain;
        struct modifiers_fault fault = {0};
        bool is_right = modifiers_parse(&chain, words, strlen(words), &fault) ==
                        MODIFIERS_OK;
        ok(is_right == arguments[i].is_right, "%s", words);
        modifiers_close(&chain);
    }
    ok(strstr(modifiers_find("floor", 5)->wants, " min,") != NULL,
       "the message about 5m names min");
}

/* Each day of the years that can be spelled, beside the C library. */
static void
test_calendar(void)
{
    const int64_t first = -719528; /* 0000-01-01 */
    const int64_t last = 2932896;  /* 9999-12-31 */
    bool is_right = true;

    for (int64_t days = first; days <= last; days++) {
        struct calendar_day day = calendar_day(days);
        struct calendar_week week = calendar_week(days);
        time_t seconds = (time_t)(days * 86400);
        struct tm tm;
        char wanted[64];
        char got[64];
        if (sizeof seconds < sizeof days)
            break;
        if (gmtime_r(&seconds, &tm) == NULL)
            abort();
        strftime(wanted, sizeof wanted, "%Y-%m-%d %G %V %u", &tm);
        snprintf(got, sizeof got, "%d-%02u-%02u %d %02u %u", day.year,
                 day.month, day.day, week.year, week.week,
                 calendar_weekday(days));
        is_right = is_right && calendar_days(day) == days &&
                   strcmp(got, wanted) == 0 &&
                   day.day <= calendar_month_days(day.year, day.month);
        if (!is_right) {
            printf("# %s, not %s\n", got, wanted);
            break;
        }
        days += IS_EMULATED ? 40 : IS_INSTRUMENTED ? 6 : 0;
    }
    ok(is_right, "each day from 0000-01-01 to 9999-12-31");
}

int
main(void)
{
    test_cases();
    test_arguments();
    test_calendar();
    return done_testing();
}
